//! How far the pelvis goes down, or up, with the feet (article on velocity prediction, «Pelvis Solver»).

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::frame::Passing;
use super::predictive::{Frame, State};
use super::{FULLEST_REACH, Reach};
use crate::math::clamp;
use crate::math::filter::{Lag, Update, lerp};

/// The pelvis between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PelvisState {
    /// Where the feet want it: height over where it is animated.
    pub target: f32,
    /// Its height, on the way there. Not yet limited: rising ground may hold it down for a while by more than a step.
    pub free_height: f32,
    /// The same within one step up or down.
    pub height: f32,
    /// How much the damper counts, 0 to 1: it comes within a second of standing and goes within a tenth of it.
    pub damper: f32,
}

pub(super) const DAMPER_COMES: f32 = 1.0;
pub(super) const DAMPER_GOES: f32 = 10.0;

/// The lower foot draws the pelvis down, the higher one up, each by its weight; the way there is smoothed, and a root
/// that goes up or down is followed late by what the damper keeps back.
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
                true => (pelvis.damper + frame.dt * DAMPER_COMES).min(1.0),
                false => (pelvis.damper - frame.dt * DAMPER_GOES).max(0.0),
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

/// The height at which the pelvis may be at most for the leg to reach `target`, up to [`FULLEST_REACH`] of its length.
///
/// A target too far to the side for any height is best reached with the hip level with it.
pub(super) fn highest_within_reach(reach: Reach, target: Vec3, up: Vec3) -> f32 {
    let to_target = target - reach.hip;
    let height = to_target.dot(up);
    let aside = (to_target - up * height).length();
    let length = reach.length * FULLEST_REACH;
    height + ((length - aside) * (length + aside)).max(0.0).sqrt()
}

/// `height`, lowered until every leg that takes part reaches its target; a leg of little weight lowers it little.
pub(super) fn limit(height: f32, legs: [(Option<Reach>, Vec3, f32); 2], up: Vec3) -> f32 {
    let lowered = legs.map(|(reach, target, weight)| {
        let highest = reach.map_or(height, |reach| highest_within_reach(reach, target, up));
        height + (highest - height).min(0.0) * weight
    });
    lowered[0].min(lowered[1])
}
