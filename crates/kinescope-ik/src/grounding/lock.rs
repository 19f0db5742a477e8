//! Foot lock: a planted foot stays where it landed, with any grounder.
//!
//! While a foot rolls over heel, ball and tip, the point that stands still changes. So the lock uses the point of the
//! sole that moves least over the ground from one frame to the next, and cancels the motion of that point: the foot
//! rolls and turns as animated, and with both weights at 1 it does not slide. `P` are heel, ball and tip of the sole at
//! the grounder's goal, `m` is the motion of the ground under the foot, `P₀` and `held₀` are of the last frame, and all
//! vectors are projected onto the plane orthogonal to up:
//! ```text
//! while the foot is locked   Δ = the shortest of P − P₀ − m       held = held₀ − Δ · stood · weight
//! else                       held = held₀ · exp(−4 · dt / ease)
//! goal                       = the grounder's + held · the frame's weight
//! ```
//!
//! A foot lands when its planted weight rises over [`PLANTED`]. The caller gives the moment between two frames if it
//! knows it; otherwise the weights are interpolated linearly. `stood` is the fraction of the frame in which the foot
//! stands: less than 1 in a frame in which the foot lands or lifts, so that the place where it lands hardly depends on
//! the frame rate. For the rest of such a frame, `held` shrinks by the second formula.
//!
//! The lock lets go of a foot if `held` becomes longer than `distance`, if the foot has turned about up by more than
//! `angle` since it landed, or if it has been held for longer than a `time` above 0. The foot is locked again at its
//! next landing. The lock lowers the pelvis if a leg cannot reach its held foot, by at most 1 m.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::input::{Input, LONGEST_FRAME, Root};
use super::output::Output;
use super::reach::limit;
use super::state::flat;
use crate::math::from_to_about_axis;
use crate::names::Side;
use crate::parameter::{Parameters, settings};
use crate::rig::RigidTransform;
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

settings! {
    /// Settings of the foot lock.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LockSettings {
        /// Whether planted feet are held.
        on: bool = false;
        /// Fraction of a foot's sliding that is cancelled.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Feet slide.",
            too much: "Feet stay where they landed.";
        /// Distance from the grounder's goal at which a held foot is let go.
        distance: f32 = 0.25, from 0 to 10 usually 1 in Metres,
            too little: "The foot is let go at once, and slides.",
            too much: "Legs stretch far behind the body.";
        /// Rotation about up since landing at which a foot is let go.
        angle: f32 = 60.0, from 0 to 180 in Degrees,
            too little: "Turning on the spot lets feet slide.",
            too much: "Ankles twist unnaturally far.";
        /// Time of standing after which a foot is let go; 0 disables the limit.
        time: f32 = 0.0, from 0 to 600 usually 10 in Seconds,
            too little: "Feet are let go before the step ends; 0 disables the limit.",
            too much: "Feet stay held until they lift or exceed another limit.";
        /// Time in which a foot that was let go returns to the grounder's goal; after it, 2 % of the offset remains.
        ease: f32 = 0.25, from 0 to 10 usually 1 in Seconds,
            too little: "The foot snaps back.",
            too much: "The foot is still off its goal in the next step.";
    }
}

/// Weight above which a foot stands.
pub const PLANTED: f32 = 0.5;

/// Largest length of a held offset; multiple of [`LockSettings::distance`].
pub(super) const FARTHEST: f32 = 2.0;

/// State of one foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegLock {
    /// How much the animation planted the foot in the last frame, 0 to 1.
    pub planted: f32,
    /// Whether the foot was let go since it landed.
    pub let_go: bool,
    /// Offset from the grounder's goal, orthogonal to up; metres, world space.
    pub held: Vec3,
    /// Heel, ball and tip of the sole at the grounder's goal in the last frame; world space.
    pub points: [Vec3; 3],
    /// Rotation of the grounder's goal when the foot landed, or when the lock started anew; world space.
    pub landed: Quat,
    /// Time for which the foot has been held since it landed, seconds.
    pub time: f32,
}

/// State between two frames. The default is a new character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockState {
    /// Position of the root in the last frame, world space; `None` before the first.
    pub root: Option<Vec3>,
    /// The feet, in the order of [`Side::ALL`].
    pub legs: [LegLock; 2],
    /// Additional offset of the pelvis, for the legs to reach; metres, 0 or below.
    pub lowered: f32,
}

/// Input of one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockFoot {
    /// The grounder's goal of the foot bone; world space.
    pub goal: RigidTransform,
    /// Heel, ball and tip of the sole with the foot bone at [`Self::goal`]; world space.
    pub points: [Vec3; 3],
    /// How much the animation plants the foot, 0 to 1.
    pub planted: f32,
    /// Fraction of the frame at which the foot landed or lifted, 0 to 1; `None` if unknown or if it did neither.
    pub crossed: Option<f32>,
    /// Motion of the ground under the foot since the last frame; world space, metres.
    pub carried: Vec3,
}

/// Input of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockFrame {
    /// Settings, clamped to their ranges.
    pub settings: LockSettings,
    /// Input of grounding.
    pub input: Input,
    /// Output of the grounder.
    pub output: Output,
    /// The feet, in the order of [`Side::ALL`].
    pub feet: [LockFoot; 2],
    /// Weight of the held offsets in the output; [`Self::held`] clamps it to 0 to 1.
    pub weight: f32,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockStep {
    /// Holds one foot or lets it go.
    Hold(Side),
    /// Lowers the pelvis so that the legs reach.
    Pelvis,
}

impl LockStep {
    /// Returns the key, in snake_case.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Hold(Side::Left) => "hold_left",
            Self::Hold(Side::Right) => "hold_right",
            Self::Pelvis => "lower_pelvis",
        }
    }

    /// Returns a sentence for tooltips.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Hold(_) => {
                "While the foot is held, cancels the sliding of its sole; else returns the foot to its goal."
            }
            Self::Pelvis => "Lowers the pelvis as far as a leg needs to reach its held foot.",
        }
    }
}

/// One event of the lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LockEvent {
    /// The held offset of a foot changed.
    Held {
        /// The foot that is held or returns to its goal.
        side: Side,
        /// Point of the sole that stands: 0 heel, 1 ball, 2 tip; `None` for a foot that returns to its goal or starts
        /// anew.
        point: Option<usize>,
        /// Held offset before; metres.
        from: Vec3,
        /// Held offset after; metres.
        to: Vec3,
    },
    /// The pelvis was lowered by this offset along up; metres, below 0.
    Lowered(f32),
}

/// Names of heel, ball and tip.
pub const POINTS: [&str; 3] = ["heel", "ball", "tip"];

/// Returns the index of the sole's point that moved least over the ground, and the displacement of that point.
pub(super) fn standing(foot: &LockFoot, last: &[Vec3; 3], up: Vec3) -> (usize, Vec3) {
    let displacement = |point: usize| flat(foot.points[point] - last[point] - foot.carried, up);
    let displacements = [displacement(0), displacement(1), displacement(2)];
    let least = (0..3)
        .min_by(|&a, &b| displacements[a].length_squared().total_cmp(&displacements[b].length_squared()))
        .unwrap_or(0);
    (least, displacements[least])
}

/// Returns the fraction of a frame in which a foot stands, and whether that is the first part of the frame. `before` is
/// the weight in the last frame.
pub(super) fn stood(before: f32, foot: &LockFoot) -> (f32, bool) {
    let now = foot.planted;
    let between = (PLANTED - before) / (now - before);
    let crossed = foot.crossed.filter(|part| part.is_finite()).unwrap_or(between).clamp(0.0, 1.0);
    match (before > PLANTED, now > PLANTED) {
        (true, true) => (1.0, true),
        (false, false) => (0.0, true),
        (true, false) => (crossed, true),
        (false, true) => (1.0 - crossed, false),
    }
}

/// Returns the fraction of an offset that remains after `dt` seconds; 2 % remain after `ease` seconds, nothing at an
/// `ease` of 0.
pub(super) fn eased(dt: f32, ease: f32) -> f32 {
    if ease > 0.0 { (-4.0 * dt / ease).exp() } else { 0.0 }
}

/// Returns the rotation of a goal about up since landing, 0 to 180 degrees.
pub(super) fn turned(landed: Quat, now: Quat, up: Vec3) -> f32 {
    let forward = crate::math::any_orthogonal(up);
    let turn = now * landed.conjugate();
    let about = from_to_about_axis(forward, turn * forward, up);
    2.0 * about.xyz().length().atan2(about.w.abs()).to_degrees()
}

impl LegLock {
    /// Returns whether the foot stood at the end of the last frame.
    pub fn stands(&self) -> bool {
        self.planted > PLANTED
    }
}

impl LockFoot {
    pub(super) fn is_sane(&self) -> bool {
        let points = self.points.iter().all(|point| point.is_finite());
        points && self.carried.is_finite() && self.planted.is_finite()
    }
}

impl LockFrame {
    pub(super) fn root(&self) -> Root {
        self.input.root.sane().unwrap_or_default()
    }

    /// Returns whether this frame continues the state of the last frame; otherwise the lock starts anew.
    pub(super) fn continues(&self, state: &LockState) -> bool {
        let (dt, root) = (self.input.dt, self.root());
        dt > 0.0 && dt <= LONGEST_FRAME && state.root.is_some_and(|last| !root.teleported_from(last, dt))
    }

    /// Returns a foot's held offset times [`Self::weight`].
    pub fn held(&self, lock: &LegLock) -> Vec3 {
        // A NaN weight holds nothing.
        lock.held * if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }

    /// Returns the grounder's output with the held offsets and the lowered pelvis.
    pub fn output(&self, state: &LockState) -> Output {
        let up = self.root().up;
        let mut output = self.output.sane();
        for (leg, lock) in output.legs.iter_mut().zip(&state.legs) {
            leg.held = self.held(lock);
        }
        output.pelvis_height += state.lowered;
        output.pelvis += up * state.lowered;
        output.pelvis_limited |= state.lowered < 0.0;
        output
    }

    fn hold(&self, leg: &mut LegLock, side: Side, continues: bool) -> Option<usize> {
        let (foot, up) = (&self.feet[side as usize], self.root().up);
        let settings = &self.settings;
        let planted = foot.planted;
        let is_sane = foot.is_sane();
        if !continues || !is_sane {
            *leg = LegLock { landed: foot.goal.rotation, ..LegLock::default() };
            if is_sane {
                (leg.points, leg.planted) = (foot.points, planted);
            }
            return None;
        }
        let (stood, first) = stood(leg.planted, foot);
        if !first {
            (leg.let_go, leg.landed, leg.time) = (false, foot.goal.rotation, 0.0);
        }
        let ease = |held: Vec3, part: f32| held * eased(self.input.dt * part, settings.ease);
        let mut point = None;
        if stood > 0.0 && !leg.let_go {
            let (least, displacement) = standing(foot, &leg.points, up);
            let displacement = displacement * (stood * settings.weight);
            point = Some(least);
            leg.held = if first {
                ease(leg.held - displacement, 1.0 - stood)
            } else {
                ease(leg.held, 1.0 - stood) - displacement
            };
            leg.time += self.input.dt * stood;
            let is_long = settings.time > 0.0 && leg.time > settings.time;
            let is_turned = turned(leg.landed, foot.goal.rotation, up) > settings.angle;
            leg.let_go = is_long || is_turned || leg.held.length() > settings.distance;
        } else {
            leg.held = ease(leg.held, 1.0);
        }
        leg.held = flat(leg.held, up).clamp_length_max(FARTHEST * settings.distance);
        // Guards against overflow.
        leg.held = if leg.held.is_finite() { leg.held } else { Vec3::ZERO };
        (leg.planted, leg.points) = (planted, foot.points);
        point
    }

    fn lowered(&self, state: &LockState) -> f32 {
        let output = self.output.sane();
        let (up, height) = (self.root().up, output.pelvis_height);
        let reaches = [0, 1].map(|side| {
            let (leg, foot) = (&output.legs[side], &self.input.feet[side]);
            (foot.reach, leg.ik_position + self.held(&state.legs[side]), leg.weight)
        });
        let lowest = limit(height, reaches, up) - height;
        if lowest.is_finite() { lowest.clamp(-1.0, 0.0) } else { 0.0 }
    }
}

/// Foot lock of a frame, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct LockSolve<'a> {
    frame: &'a LockFrame,
    continues: bool,
    next: usize,
}

impl<'a> LockSolve<'a> {
    /// Starts at the first step; `start` is the state of the last frame.
    pub fn new(frame: &'a LockFrame, start: &LockState) -> Self {
        Self { frame, continues: frame.continues(start), next: 0 }
    }
}

impl Stepped for LockSolve<'_> {
    type Step = LockStep;
    type State = LockState;
    type Event = LockEvent;

    fn next(&mut self, _: &LockState) -> Option<LockStep> {
        const STEPS: [LockStep; 3] = [LockStep::Hold(Side::Left), LockStep::Hold(Side::Right), LockStep::Pelvis];
        let step = STEPS.get(self.next).copied().filter(|_| self.frame.input.dt > 0.0);
        self.next += 1;
        step
    }

    fn run(&mut self, state: &mut LockState, step: LockStep, watch: &mut impl Watch<LockEvent>) -> Flow {
        match step {
            LockStep::Hold(side) => {
                let leg = &mut state.legs[side as usize];
                let from = leg.held;
                let point = self.frame.hold(leg, side, self.continues);
                if leg.held != from {
                    watch.saw(LockEvent::Held { side, point, from, to: leg.held })?;
                }
            }
            LockStep::Pelvis => {
                state.root = Some(self.frame.root().position);
                state.lowered = self.frame.lowered(state);
                if state.lowered < 0.0 {
                    watch.saw(LockEvent::Lowered(state.lowered))?;
                }
            }
        }
        GO_ON
    }
}

/// Solves one frame: returns the grounder's output with planted feet held, whether or not [`LockSettings::on`] is set.
/// A foot of the grounder's output that is not finite gets weight 0, a pelvis offset that is not finite becomes 0.
pub fn lock(frame: &LockFrame, state: &mut LockState) -> Output {
    stepped::solve(&mut LockSolve::new(frame, &state.clone()), state);
    frame.output(state)
}

impl LockSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
