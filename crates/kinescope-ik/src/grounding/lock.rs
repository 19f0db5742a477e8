//! Foot lock: a planted foot stays where it landed, whichever grounder found its place.
//!
//! What stands still of a foot that rolls over heel, ball and tip is another point at every moment. So the lock goes by the
//! point that a foot's goal moves least over the ground from one frame to the next, and takes that way back: the foot rolls
//! and turns as animated, and does not slide. With `P` heel, ball and tip of a foot's goal as the grounder gives it, `m` what
//! the ground under it moved, and all of it laid into the plane across up:
//!
//! ```text
//! while it stands      Δ = the shortest of P − P₀ − m       held = held₀ − Δ · stood
//! else                 held = held₀ · exp(−4 · (1 − stood) · dt / ease)
//! goal                 = the grounder's + held
//! ```
//!
//! A foot lands when its weight curve rises over [`PLANTED`]; where between two frames, is told by who knows the
//! curve, else by the straight line between their weights. So `stood` is the part of a frame in which it stands, 1 in all but the first and the last: it lands in the
//! same place at every frame rate. It is let go until it lands again when `held` is longer than
//! `distance`, when it has turned by more than `angle` since it landed, or has stood for `time`. The pelvis goes down where a
//! leg would not reach what it holds.

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
    /// How long, and how far, a planted foot is held.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LockSettings {
        /// Whether planted feet are held.
        on: bool = false;
        /// How much of the way that a foot would slide is taken back.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Feet slide.",
            too much: "Feet stay where they landed.";
        /// A foot that is held further than this from where it should be is let go.
        distance: f32 = 0.25, from 0 to 10 usually 1 in Metres,
            too little: "It lets go at once, and slides.",
            too much: "Legs are torn from under the body.";
        /// A foot that has turned by more than this since it landed is let go.
        angle: f32 = 60.0, from 0 to 180 in Degrees,
            too little: "Turning on the spot lets feet slide.",
            too much: "Ankles are wrung.";
        /// A foot that has stood for longer than this is let go; 0 is never.
        time: f32 = 0.0, from 0 to 600 usually 10 in Seconds,
            too little: "Steps are let go before they end; 0 is never.",
            too much: "Whoever stands, stands for good.";
        /// How long a foot that was let go takes back to where it should be.
        ease: f32 = 0.25, from 0 to 10 usually 1 in Seconds,
            too little: "It snaps back.",
            too much: "It lags behind over the next step.";
    }
}

/// Above this weight a foot stands.
pub const PLANTED: f32 = 0.5;

/// One foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegLock {
    /// How much the animation planted it in the last frame, 0 to 1.
    pub planted: f32,
    /// Whether it was let go since it landed.
    pub let_go: bool,
    /// How far it is held from where the grounder has it; along the ground, metres.
    pub held: Vec3,
    /// Heel, ball and tip of the grounder's goal in the last frame.
    pub points: [Vec3; 3],
    /// How the goal was turned when it landed.
    pub landed: Quat,
    /// Seconds since then.
    pub time: f32,
}

/// What a frame leaves to the next. The default is that of feet never seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockState {
    /// The root's place in the last frame; `None` before the first.
    pub root: Option<Vec3>,
    /// In the order of [`Side::ALL`].
    pub legs: [LegLock; 2],
    /// How far down the pelvis goes on top of what the grounder says, for the legs to reach; metres, 0 or less.
    pub lowered: f32,
}

/// One foot of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockFoot {
    /// The grounder's goal of the foot bone.
    pub goal: RigidTransform,
    /// Heel, ball and tip of the sole, in that goal.
    pub points: [Vec3; 3],
    /// How much the animation plants it, 0 to 1.
    pub planted: f32,
    /// The part of the frame before it landed or lifted, 0 to 1; `None` where that is not known, or it did neither.
    pub crossed: Option<f32>,
    /// How far the ground under it moved since the last frame.
    pub carried: Vec3,
}

/// What the steps of a frame go by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockFrame {
    /// Every number within its range.
    pub settings: LockSettings,
    /// What grounding was handed.
    pub input: Input,
    /// What it came to.
    pub output: Output,
    /// In the order of [`Side::ALL`].
    pub feet: [LockFoot; 2],
    /// How much of what is held there is, 0 to 1: the grounding's own weight.
    pub weight: f32,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockStep {
    /// Holds one foot, or lets it go.
    Hold(Side),
    /// Lowers the pelvis for the legs to reach.
    Pelvis,
}

impl LockStep {
    /// As in logs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Hold(Side::Left) => "hold_left",
            Self::Hold(Side::Right) => "hold_right",
            Self::Pelvis => "lower_pelvis",
        }
    }

    /// What it does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Hold(_) => {
                "While the foot stands, what its sole would slide is taken back; else it eases to its place."
            }
            Self::Pelvis => "Lowers the pelvis as far as a leg needs to reach what it holds.",
        }
    }
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LockEvent {
    /// A foot is held by other than in the frame before.
    Held {
        /// Which foot.
        side: Side,
        /// The point of its sole that stands: 0 is the heel, 1 the ball, 2 the tip; `None` for one that eases.
        point: Option<usize>,
        /// How far it was held.
        from: Vec3,
        /// How far it is held.
        to: Vec3,
    },
    /// The pelvis goes down; metres.
    Lowered(f32),
}

/// Heel, ball and tip, as a person calls them.
pub const POINTS: [&str; 3] = ["heel", "ball", "tip"];

/// The point of a sole that a foot's goal moved least over the ground, and its way.
pub(super) fn standing(foot: &LockFoot, last: &[Vec3; 3], up: Vec3) -> (usize, Vec3) {
    let way = |point: usize| flat(foot.points[point] - last[point] - foot.carried, up);
    let ways = [way(0), way(1), way(2)];
    let least = (0..3).min_by(|&a, &b| ways[a].length_squared().total_cmp(&ways[b].length_squared())).unwrap_or(0);
    (least, ways[least])
}

/// The part of a frame in which a foot stands, and whether that is its first part, from its weight before and as it is now.
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

/// What is left of a way back after so long.
pub(super) fn eased(dt: f32, ease: f32) -> f32 {
    if ease > 0.0 { (-4.0 * dt / ease).exp() } else { 0.0 }
}

/// How far a goal has turned about up since it landed; degrees.
pub(super) fn turned(landed: Quat, now: Quat, up: Vec3) -> f32 {
    let forward = crate::math::any_orthogonal(up);
    let turn = now * landed.conjugate();
    let about = from_to_about_axis(forward, turn * forward, up);
    2.0 * about.xyz().length().atan2(about.w.abs()).to_degrees()
}

impl LegLock {
    /// Whether it stood at the end of the last frame.
    pub fn stands(&self) -> bool {
        self.planted > PLANTED
    }
}

impl LockFrame {
    /// The root, or the origin where it is not finite.
    pub(super) fn root(&self) -> Root {
        self.input.root.sane().unwrap_or_default()
    }

    /// Whether time goes on from the last frame; else feet begin anew.
    fn goes_on(&self, state: &LockState) -> bool {
        let (dt, root) = (self.input.dt, self.root());
        dt > 0.0 && dt <= LONGEST_FRAME && state.root.is_some_and(|last| !root.teleported_from(last, dt))
    }

    /// How far a foot is held, by the weight.
    pub fn held(&self, lock: &LegLock) -> Vec3 {
        // A weight that is not a number holds nothing.
        lock.held * if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }

    /// The output with what is held.
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

    fn hold(&self, leg: &mut LegLock, side: Side, goes_on: bool) -> Option<usize> {
        let (foot, up) = (&self.feet[side as usize], self.root().up);
        let settings = &self.settings;
        let planted = foot.planted;
        let points = foot.points.iter().all(|point| point.is_finite());
        let is_sane = points && foot.carried.is_finite() && planted.is_finite();
        if !goes_on || !is_sane {
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
            let (least, way) = standing(foot, &leg.points, up);
            let way = way * (stood * settings.weight);
            point = Some(least);
            leg.held = if first { ease(leg.held - way, 1.0 - stood) } else { ease(leg.held, 1.0 - stood) - way };
            leg.time += self.input.dt * stood;
            let is_long = settings.time > 0.0 && leg.time > settings.time;
            let is_turned = turned(leg.landed, foot.goal.rotation, up) > settings.angle;
            leg.let_go = is_long || is_turned || leg.held.length() > settings.distance;
        } else {
            leg.held = ease(leg.held, 1.0);
        }
        leg.held = flat(leg.held, up).clamp_length_max(2.0 * settings.distance);
        // A way that is longer than a number can say was no way.
        leg.held = if leg.held.is_finite() { leg.held } else { Vec3::ZERO };
        (leg.planted, leg.points) = (planted, foot.points);
        point
    }

    /// How far down the pelvis has to go for both legs to reach.
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

/// The lock of a frame's feet.
#[derive(Clone, Copy, Debug)]
pub struct LockSolve<'a> {
    frame: &'a LockFrame,
    goes_on: bool,
    next: usize,
}

impl<'a> LockSolve<'a> {
    /// From the first step on; `start` is what the last frame left.
    pub fn new(frame: &'a LockFrame, start: &LockState) -> Self {
        Self { frame, goes_on: frame.goes_on(start), next: 0 }
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
                let point = self.frame.hold(leg, side, self.goes_on);
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

/// Solves one whole frame: the grounder's output, with planted feet held. A foot or a pelvis of that output that is not
/// finite is left where the animation has it.
pub fn lock(frame: &LockFrame, state: &mut LockState) -> Output {
    stepped::solve(&mut LockSolve::new(frame, &state.clone()), state);
    frame.output(state)
}

impl LockSettings {
    /// Every number in its range, what is not a number at its default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
