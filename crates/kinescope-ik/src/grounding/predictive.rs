//! Predictive grounder: casts at the ground where each foot will be, by its velocity, and except at quality `fastest`
//! also where the foot is. It needs no weight curves.
//!
//! [`solve`] runs a whole frame. [`Recording`](super::Recording) runs the same code step by step: [`read`], then every
//! [`Step`] of [`Program::new`] with [`run_stage`], then [`output`].
//!
//! Source: *Foot IK with velocity prediction*. Differences from it, and why:
//!
//! - **Signs**: an offset is positive upwards. The source's foot offset is positive downwards.
//! - **Frame rate**: every factor per frame is replaced by the exact solution of its equation
//!   ([`filter`](crate::math::filter)). The velocity is smoothed over 1/30 s in the same way, as a difference of two
//!   frames depends on their distance in time. The prediction is orthogonal to up: a capsule tilted by the foot's rise
//!   or fall would hit the ground first at its lower end. The limit on a foot's lift applies to
//!   [`LegState::offset`] and not to the smoothed offset, which would otherwise depend on the frame rate.
//! - **Heights** are measured from the sole instead of the foot bone if [`FootGeometry`](super::FootGeometry) is given;
//!   heel and toe of the turned foot are kept out of the ground.
//! - **Qualities**: the source has code only for `best`. At `fastest`, the height is taken from the plane through the
//!   hit, at the foot's place, not from the hit itself.
//! - **First frames**, frames longer than [`LONGEST_FRAME`], and frames in which the root jumps: everything is at rest
//!   at once. The source starts from zero and slides.
//! - **No ground**: a root cast without a hit means that the character is in the air. In the source the cast overwrites
//!   the distance with 0 and the character counts as standing.
//! - **Buried casts** of a foot, which begin inside ground higher than any step, count neither as ground nor as an
//!   edge: without another hit the foot stays at the root's level.
//! - **The pelvis** follows the feet within one step; legs whose [`Reach`](super::Reach) is given can lower it further.
//!   The legs' weights apply to it; in the source they apply only to the IK.
//!
//! With [`Update::PerFrame`](crate::math::filter::Update) offset, rotation and pelvis follow the source's own code, and
//! its limit on a foot's lift applies to the smoothed offset. Everything else, including the smoothed velocity, is as
//! with `Update::Exact`.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::event::{Contact, Event, Purpose, Shape, cast};
use super::frame::{self, Passing};
use super::input::{Input, LONGEST_FRAME};
use super::leg::{cast_at_ground, foot_plane, lift, predict, rotate, rotation};
use super::output::{LegOutput, Output};
use super::pelvis::pelvis;
use super::settings::{PredictiveSettings, Quality};
use super::state::{Frame, LegState, State};
use crate::ground::Ground;
use crate::key::named;
use crate::names::Side;
use crate::stepped::Watch;

named! {
    /// What a step does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Returns the key, in snake_case.
        key,
        /// Returns a sentence for tooltips.
        sentence: &'static str,
    }
    /// Every stage, in order.
    ALL {
        /// Checks for ground below the character.
        RootCheck: "Looks for ground below the middle of the feet; without ground, feet and pelvis return to the animation.";
        /// Predicts the position of one foot from its velocity.
        Predict: "Measures the foot's velocity and predicts its position from it.";
        /// Casts at the ground for one foot: see [`Quality`].
        Cast: "Casts down at the ground where the foot will be and, except at quality fastest, where it is.";
        /// Computes the plane that one foot stands on.
        FootPlane: "Computes the plane of the ground from the hits.";
        /// Turns one foot toward the plane that it stands on.
        Rotation: "Turns the foot toward the plane at foot_rotation_speed, by at most max_foot_rotation_angle.";
        /// Moves one foot to the height of its ground.
        Offset: "Moves the foot toward the height at which its sole is out of the ground; over a hole, down by up to max_step if overstep_falls_down is on.";
        /// Moves the pelvis with the feet.
        Pelvis: "Lowers the pelvis with the lower foot, by lower_pelvis_weight, and lifts it with the higher one, by lift_pelvis_weight.";
    }
}

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// What the step does.
    pub stage: Stage,
    /// The foot; `None` for a step of the whole character.
    pub side: Option<Side>,
}

const LEG: [Stage; 5] = [Stage::Predict, Stage::Cast, Stage::FootPlane, Stage::Rotation, Stage::Offset];

/// Iterator over the steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    next: usize,
}

impl Program {
    const STEPS: usize = 2 + 2 * LEG.len();

    /// Creates the program of a frame; empty if no time passes.
    pub fn new(frame: &Frame) -> Self {
        Self { next: if frame.passing == Passing::Still { Self::STEPS } else { 0 } }
    }
}

impl Iterator for Program {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = match self.next {
            0 => Step { stage: Stage::RootCheck, side: None },
            at if at >= Self::STEPS => return None,
            at if at == Self::STEPS - 1 => Step { stage: Stage::Pelvis, side: None },
            at => Step { stage: LEG[(at - 1) % LEG.len()], side: Some(Side::ALL[(at - 1) / LEG.len()]) },
        };
        self.next += 1;
        Some(step)
    }
}

/// Reads an input into a frame and the state in which its program starts: the last frame's, or a new one in the first
/// frame, in a frame longer than [`LONGEST_FRAME`] and after a jump of the root.
pub fn read(settings: &PredictiveSettings, input: &Input, last: &State) -> (Frame, State) {
    let (root, legs, passing) = frame::read(input, last.primed.then_some(last.root));
    let root_moved = if passing == Passing::Run { root.position - last.root } else { Vec3::ZERO };
    let frame = Frame { settings: settings.clamped(), root, root_moved, legs, dt: input.dt, passing };
    let state = match passing {
        Passing::Still => *last,
        // A foot whose input is not finite keeps its last position, even in a new state.
        Passing::Settle => {
            let legs = last.legs.map(|leg| LegState { position: leg.position, ..LegState::default() });
            State { primed: true, root: root.position, legs, ..State::default() }
        }
        Passing::Run => State { root: root.position, ..*last },
    };
    (frame, state)
}

/// Runs one step on the state.
pub fn run_stage(frame: &Frame, state: &mut State, step: Step, ground: &impl Ground, watch: &mut impl Watch<Event>) {
    let Some(side) = step.side else {
        match step.stage {
            Stage::RootCheck => state.root_grounded = root_check(frame, ground, watch),
            Stage::Pelvis => pelvis(frame, state, frame.root_moved),
            _ => {}
        }
        return;
    };
    let leg = &mut state.legs[side as usize];
    match step.stage {
        Stage::Predict => predict(frame, leg, side, watch),
        Stage::Cast => cast_at_ground(frame, leg, side, ground, watch),
        Stage::FootPlane => foot_plane(frame, leg),
        Stage::Rotation => rotate(frame, leg),
        Stage::Offset => lift(frame, state, side, ground, watch),
        Stage::RootCheck | Stage::Pelvis => {}
    }
}

/// Returns whether there is ground at most one step lower than the middle of the soles. At quality `best` the ground
/// may be lower by the radius of the sphere, because the hit distance is that of the sphere's centre.
fn root_check(frame: &Frame, ground: &impl Ground, watch: &mut impl Watch<Event>) -> bool {
    let Frame { settings, root, .. } = frame;
    if settings.max_step <= 0.0 {
        return false;
    }
    let soles = frame.legs.map(|leg| leg.foot.map(|foot| foot.position - root.up * leg.geometry.ankle_height));
    let middle = match soles {
        [Some(left), Some(right)] => (left + right) * 0.5,
        [Some(one), None] | [None, Some(one)] => one,
        [None, None] => root.position,
    };
    let shape = match settings.quality {
        Quality::Best => Shape::Sphere { radius: settings.root_sphere_cast_radius },
        Quality::Fastest | Quality::Simple => Shape::Ray,
    };
    let from = middle + root.up * settings.max_step;
    let [left, right] = frame.legs.map(|leg| leg.layers);
    match cast(ground, (Purpose::Root, None, left.or(right)), shape, from, (-root.up, settings.max_step * 11.0), watch)
    {
        Contact::Hit(hit) => hit.distance < settings.max_step * 2.0,
        Contact::Buried => true,
        Contact::None => false,
    }
}

/// Returns goals of the feet and offset of the pelvis for a state.
pub fn output(frame: &Frame, state: &State) -> Output {
    let up = frame.root.up;
    let legs = [0, 1].map(|index| {
        let (leg, at) = (&state.legs[index], &frame.legs[index]);
        let position = at.foot.map_or(leg.position, |foot| foot.position);
        LegOutput {
            ik_position: position + up * leg.offset,
            offset: leg.offset,
            rotation_offset: rotation(frame, leg),
            grounded: leg.grounded,
            velocity: leg.velocity,
            predicted: if leg.tracked { leg.predicted } else { position },
            weight: at.weight,
            held: Vec3::ZERO,
        }
    });
    frame::output(legs, &frame.legs, state.pelvis.height, up)
}

/// Solves one frame: reads, runs every step and returns the output.
pub fn solve(
    settings: &PredictiveSettings,
    input: &Input,
    state: &mut State,
    ground: &impl Ground,
    watch: &mut impl Watch<Event>,
) -> Output {
    let (frame, started) = read(settings, input, state);
    *state = started;
    for step in Program::new(&frame) {
        run_stage(&frame, state, step, ground, watch);
    }
    output(&frame, state)
}

/// Returns the output at rest for a pose that does not move: [`solve`] from a new state. The input's `dt` has no
/// effect.
pub fn settle(
    settings: &PredictiveSettings,
    input: &Input,
    ground: &impl Ground,
    watch: &mut impl Watch<Event>,
) -> Output {
    solve(settings, &Input { dt: LONGEST_FRAME, ..*input }, &mut State::default(), ground, watch)
}
