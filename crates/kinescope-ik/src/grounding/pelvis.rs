//! Computes the pelvis's offset from the offsets of the feet. Source: *Foot IK with velocity prediction*, «Pelvis
//! Solver».

use glam::Vec3;

use super::frame::Passing;
use super::state::{Frame, State};
use crate::math::clamp;
use crate::math::filter::{Lag, Update, lerp};

/// Rise of the damper while a foot has ground, per second.
pub(super) const DAMPER_RISE: f32 = 1.0;
/// Fall of the damper while neither foot has ground, per second.
pub(super) const DAMPER_FALL: f32 = 10.0;

pub(super) fn pelvis(frame: &Frame, state: &mut State, root_moved: Vec3) {
    let settings = &frame.settings;
    let weighted = [0, 1].map(|leg| state.legs[leg].offset * frame.legs[leg].weight);
    let lowest = weighted[0].min(weighted[1]).min(0.0);
    let highest = weighted[0].max(weighted[1]).max(0.0);
    let target = match state.root_grounded {
        true => lowest * settings.lower_pelvis_weight + highest * settings.lift_pelvis_weight,
        false => 0.0,
    };
    let grounded = state.legs.iter().any(|leg| leg.grounded);
    let pelvis = &mut state.pelvis;
    match frame.passing {
        Passing::Still => return,
        Passing::Settle => {
            pelvis.free_height = target;
            pelvis.damper = f32::from(u8::from(grounded));
        }
        Passing::Run => {
            let damper = match grounded {
                true => (pelvis.damper + frame.dt * DAMPER_RISE).min(1.0),
                false => (pelvis.damper - frame.dt * DAMPER_FALL).max(0.0),
            };
            let damped = root_moved.dot(frame.root.up) * settings.pelvis_damper;
            pelvis.free_height = match settings.update {
                Update::Exact => {
                    let lag = Lag::new(settings.pelvis_speed, frame.dt);
                    let kept_back = damped * (pelvis.damper + damper) * 0.5;
                    lag.apply(pelvis.free_height, pelvis.target, target) - lag.mean() * kept_back
                }
                Update::PerFrame => {
                    lerp(pelvis.free_height, target, settings.pelvis_speed * frame.dt) - damped * damper
                }
            };
            pelvis.damper = damper;
        }
    }
    pelvis.target = target;
    pelvis.height = clamp(pelvis.free_height, -settings.max_step, settings.max_step);
}
