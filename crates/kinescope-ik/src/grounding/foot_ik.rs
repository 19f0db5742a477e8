//! Foot IK, the simple grounder: it casts one ray down at each foot and moves the pelvis with the lower foot. The
//! caller's weights define how much each foot is planted. It suits clips made for flat ground, with a
//! [curve](super::WeightCurve) for each foot.
//!
//! [`solve`] runs a whole frame. [`Recording`](super::Recording) runs the same code step by step: [`read`], then every
//! [`Step`] of [`Program::new`] with [`run_stage`], then [`output`].
//!
//! Source: *Foot IK by ray and curve*. Differences from it, and why:
//!
//! - **Speeds**: the source's are factors per rendered frame. Here they are shares per 1/60 s at any frame rate
//!   ([`filter`](crate::math::filter)).
//! - **No hit**: foot and pelvis return to the animation at their speed; in the source they jump there.
//! - **The pelvis**: the offset is smoothed. The source smooths the pelvis's height, and with it the animation.
//! - **Rotation** is applied in world space on top of the animated foot's rotation; the source replaces the foot's
//!   rotation by the root's, turned to the slope.
//! - **First frames**, long frames and jumps of the root: everything is at rest at once, as in
//!   [`predictive`](super::predictive).
//! - **The sole**, if its geometry is given, is kept out of the slope that the foot turns to.
//! - **Reach**, if given, lowers the pelvis as far as a leg needs.
//!
//! With [`Update::PerFrame`] the first three work as in the source. The pelvis's height is then taken from the middle
//! between the hips ([`Reach::hip`](super::Reach)), from the only known hip, or else from the root. The defaults of the
//! speeds are the source's constants.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::event::{Event, Purpose, Shape, cast};
use super::frame::{self, LegFrame, Passing};
use super::input::{Input, LONGEST_FRAME, Root};
use super::leg::lift_over_plane;
use super::output::{LegOutput, Output};
use super::state::Plane;
use crate::ground::{Ground, Hit};
use crate::key::named;
use crate::math::filter::{Lag, Update, follow_lower, lerp};
use crate::math::from_to_rotation;
use crate::names::Side;
use crate::parameter::{Parameters, settings};
use crate::stepped::Watch;

settings! {
    /// Settings of the foot IK.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FootIkSettings {
        /// Whether the foot IK runs.
        enable_feet_ik: bool = true,
            source: FootIk "enableFeetIk";
        /// Height over the root's level at which rays begin.
        height_from_ground_raycast: f32 = 1.2, from 0 to 2 in Metres,
            too little: "Rays miss higher steps.",
            too much: "Rays begin above ceilings and tables.",
            source: FootIk "heightFromGroundRaycast";
        /// Length of the rays below the root's level.
        raycast_down_distance: f32 = 1.5, from 0 to 2 in Metres,
            too little: "Feet do not find lower ground.",
            too much: "Feet reach into pits.",
            source: FootIk "raycastDownDistance";
        /// Offset of feet and pelvis above the ground.
        pelvis_offset: f32 = 0.0, from -1 to 1 in Metres,
            too little: "Below 0 the feet sink in.",
            too much: "The character hovers.",
            source: FootIk "pelvisOffset";
        /// Share of its remaining distance that the pelvis moves per 1/60 s.
        pelvis_up_and_down_speed: f32 = 0.28, from 0 to 1 in Share,
            too little: "The pelvis lags: one leg is stretched.",
            too much: "The pelvis jumps at every edge.",
            source: FootIk "pelvisUpAndDownSpeed";
        /// Share of its remaining distance that a foot moves per 1/60 s.
        feet_to_ik_position_speed: f32 = 0.5, from 0 to 1 in Share,
            too little: "Feet lag: they sink in and hover; at 0 they keep their offset.",
            too much: "Feet jump at every edge.",
            source: FootIk "feetToIkPositionSpeed";
        /// Rotation of the left foot about the up axis, if feet turn with the ground.
        left_foot_angle_offset: f32 = 0.0, from 0 to 100 in Degrees,
            too little: "The foot points as animated.",
            too much: "The foot points far outwards.",
            source: FootIk "leftFootAngleOffset";
        /// Rotation of the right foot about the up axis, if feet turn with the ground.
        right_foot_angle_offset: f32 = 0.0, from 0 to 100 in Degrees,
            too little: "The foot points as animated.",
            too much: "The foot points far inwards.",
            source: FootIk "rightFootAngleOffset";
        /// Whether feet turn with the ground.
        rotate_feet: bool = false,
            source: FootIk "useIkFeature";
        /// How a frame moves feet and pelvis toward their targets.
        /// Not stored in presets; for [experiments](crate::stack::Experiments::lerp_per_frame).
        #[serde(skip)]
        update: Update = Update::Exact;
        /// How the height of the ground changes the height of the foot.
        /// Not stored in presets; for [experiments](crate::stack::Experiments::replace_foot_height).
        #[serde(skip)]
        foot_height: FootHeight = FootHeight::Added;
    }
}

/// How the height of the ground changes the height of the foot bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FootHeight {
    /// The ground's height is added (`+=` in the source): the sole stands on the ground.
    #[default]
    Added,
    /// The ground's height replaces the animated height (`=`): the ankle is on the ground, the sole below it. For
    /// comparison.
    Replaced,
}

impl FootIkSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}

/// State of one foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootIkLeg {
    /// Last finite position of the animated foot; world space.
    pub position: Vec3,
    /// Hit of the last ray; `None` if the ray hit nothing or began inside the ground, or if none was cast: with the
    /// foot IK off, or without a finite foot.
    pub hit: Option<Hit>,
    /// Rotation of the foot: from up to the normal of the hit, then about up by the angle offset; not smoothed, world
    /// space. The identity if feet do not turn, or without a hit whose normal faces up.
    pub rotation: Quat,
    /// Target of the smoothed height that [`Self::level()`] returns; metres along up, 0 without a hit.
    pub target: f32,
    /// Smoothed offset of the foot along up; metres.
    pub offset: f32,
    /// Smoothed height that follows `target` (`lastFootPositionY` in the source); `None` if it equals `offset`. They
    /// can differ with [`FootHeight::Replaced`], and with [`Update::PerFrame`] in a frame without a hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f32>,
}

impl FootIkLeg {
    /// Returns the smoothed height that follows [`Self::target`]; metres along up.
    pub fn level(&self) -> f32 {
        self.level.unwrap_or(self.offset)
    }
}

/// State between two frames. The default is a new character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootIkState {
    /// Whether there was a previous frame.
    pub primed: bool,
    /// Position of the root in the last frame; world space.
    pub root: Vec3,
    /// The legs, in the order of [`Side::ALL`].
    pub legs: [FootIkLeg; 2],
    /// Offset of the pelvis along up that each foot requires, metres; the pelvis follows the lower one. Both are 0
    /// unless both feet have ground.
    pub pelvis_targets: [f32; 2],
    /// Smoothed offset of the pelvis along up; metres.
    pub pelvis: f32,
    /// Position of the animated pelvis in the last frame, up to a constant offset; world space; only with
    /// [`Update::PerFrame`], which smooths the pelvis's height too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Vec3>,
}

/// Constants of a frame: the input, checked and clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Settings, clamped to their ranges.
    pub settings: FootIkSettings,
    /// The root, with orthogonal unit axes.
    pub root: Root,
    /// The legs, in the order of [`Side::ALL`].
    pub legs: [LegFrame; 2],
    /// Duration of the frame, seconds.
    pub dt: f32,
    /// How time passes in the frame.
    pub passing: Passing,
}

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
        /// Casts a ray down under one foot.
        Cast: "Casts a ray straight down at the ground under the foot.";
        /// Turns one foot to the slope.
        Rotation: "Turns the foot to the slope of the ground, if rotate_feet is on.";
        /// Moves one foot to the height of its ground.
        Offset: "Moves the foot toward the height of its ground; without ground, back to the animation.";
        /// Moves the pelvis with the lower foot.
        Pelvis: "Moves the pelvis toward the lower foot if both feet have ground, else back to the animation.";
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

const LEG: [Stage; 3] = [Stage::Cast, Stage::Rotation, Stage::Offset];

/// Iterator over the steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    next: usize,
}

impl Program {
    const STEPS: usize = 2 * LEG.len() + 1;

    /// Creates the program of a frame; empty if no time passes.
    pub fn new(frame: &Frame) -> Self {
        Self { next: if frame.passing == Passing::Still { Self::STEPS } else { 0 } }
    }
}

impl Iterator for Program {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = match self.next {
            at if at >= Self::STEPS => return None,
            at if at == Self::STEPS - 1 => Step { stage: Stage::Pelvis, side: None },
            at => Step { stage: LEG[at % LEG.len()], side: Some(Side::ALL[at / LEG.len()]) },
        };
        self.next += 1;
        Some(step)
    }
}

/// Returns the rate of a speed given as a share per 1/60 s; 1/s, infinite for a share of 1.
fn rate(share: f32) -> f32 {
    -(-share).ln_1p() * 60.0
}

/// Reads an input into a frame and the state in which its program starts: the last frame's, or a new one in the first
/// frame, in a frame longer than [`LONGEST_FRAME`] and after a jump of the root.
pub fn read(settings: &FootIkSettings, input: &Input, last: &FootIkState) -> (Frame, FootIkState) {
    let (root, legs, passing) = frame::read(input, last.primed.then_some(last.root));
    let frame = Frame { settings: settings.clamped(), root, legs, dt: input.dt, passing };
    let state = match passing {
        Passing::Still => *last,
        // A foot whose input is not finite keeps its last position, even in a new state.
        Passing::Settle => {
            let legs = last.legs.map(|leg| FootIkLeg { position: leg.position, ..FootIkLeg::default() });
            FootIkState { primed: true, root: root.position, legs, ..FootIkState::default() }
        }
        Passing::Run => FootIkState { root: root.position, ..*last },
    };
    (frame, state)
}

/// Runs one step on the state.
pub fn run_stage(
    frame: &Frame,
    state: &mut FootIkState,
    step: Step,
    ground: &impl Ground,
    watch: &mut impl Watch<Event>,
) {
    match (step.stage, step.side) {
        (Stage::Cast, Some(side)) => cast_at_ground(frame, &mut state.legs[side as usize], side, ground, watch),
        (Stage::Rotation, Some(side)) => rotate(frame, &mut state.legs[side as usize], side),
        (Stage::Offset, Some(side)) => lift(frame, &mut state.legs[side as usize], side),
        (Stage::Pelvis, None) => pelvis(frame, state),
        _ => {}
    }
}

fn cast_at_ground(frame: &Frame, leg: &mut FootIkLeg, side: Side, ground: &impl Ground, watch: &mut impl Watch<Event>) {
    leg.hit = None;
    let Some(foot) = frame.legs[side as usize].foot else { return };
    leg.position = foot.position;
    let Frame { settings, root, .. } = frame;
    if settings.enable_feet_ik {
        let height = settings.height_from_ground_raycast;
        let from = foot.position + root.up * (height - root.height(foot.position));
        let way = (-root.up, height + settings.raycast_down_distance);
        leg.hit =
            cast(ground, (Purpose::Heel, Some(side), frame.legs[side as usize].layers), Shape::Ray, from, way, watch)
                .hit();
    }
}

/// Returns plane and rotation of the slope under a foot; `None` if feet do not turn, or without a hit that faces up.
pub(super) fn slope(frame: &Frame, leg: &FootIkLeg) -> Option<(Plane, Quat)> {
    let hit = leg.hit.filter(|hit| frame.settings.rotate_feet && hit.normal.dot(frame.root.up) > 0.0)?;
    Some((Plane { point: hit.point, normal: hit.normal }, from_to_rotation(frame.root.up, hit.normal)))
}

fn rotate(frame: &Frame, leg: &mut FootIkLeg, side: Side) {
    let settings = &frame.settings;
    let angle = [settings.left_foot_angle_offset, settings.right_foot_angle_offset][side as usize];
    leg.rotation = match slope(frame, leg) {
        Some((_, slope)) => Quat::from_axis_angle(frame.root.up, angle.to_radians()) * slope,
        None => Quat::IDENTITY,
    };
}

fn lift(frame: &Frame, leg: &mut FootIkLeg, side: Side) {
    let LegFrame { foot, geometry, .. } = &frame.legs[side as usize];
    let before = leg.target;
    leg.target = leg.hit.map_or(0.0, |hit| frame.root.height(hit.point) + frame.settings.pelvis_offset);
    if let (Some(foot), Some((plane, slope))) = (foot, slope(frame, leg)) {
        // Limits the lift to the size of the foot: a slope that needs more is a wall.
        let size = geometry.ankle_height + geometry.heel_offset + geometry.toe_offset;
        leg.target += lift_over_plane(&plane, geometry, *foot, slope, &frame.root).min(size);
    }
    let (last, share) = (leg.level(), frame.settings.feet_to_ik_position_speed);
    let level = match (frame.passing, frame.settings.update) {
        (Passing::Run, Update::Exact) => Lag::new(rate(share), frame.dt).apply(last, before, leg.target),
        (Passing::Run, Update::PerFrame) if leg.hit.is_some() => lerp(last, leg.target, share),
        (Passing::Run, Update::PerFrame) => last,
        (Passing::Still | Passing::Settle, _) => leg.target,
    };
    leg.offset = match (leg.hit, foot, frame.settings.foot_height, frame.settings.update) {
        (Some(_), Some(foot), FootHeight::Replaced, _) => level - frame.root.height(foot.position),
        (None, _, _, Update::PerFrame) => 0.0,
        _ => level,
    };
    leg.level = (leg.offset != level).then_some(level);
}

/// Returns the place of the animated pelvis, up to a constant offset.
pub(super) fn body(frame: &Frame) -> Vec3 {
    match frame.legs.map(|leg| leg.reach.map(|reach| reach.hip)) {
        [Some(left), Some(right)] => (left + right) * 0.5,
        [Some(hip), None] | [None, Some(hip)] => hip,
        [None, None] => frame.root.position,
    }
}

fn pelvis(frame: &Frame, state: &mut FootIkState) {
    let before = state.pelvis_targets;
    state.pelvis_targets = match state.legs {
        [left, right] if left.hit.is_some() && right.hit.is_some() => [left.target, right.target],
        _ => [0.0; 2],
    };
    let [left, right] = state.pelvis_targets;
    let share = frame.settings.pelvis_up_and_down_speed;
    let body = body(frame);
    let has_ground = state.legs.iter().all(|leg| leg.hit.is_some());
    state.pelvis = match (frame.passing, frame.settings.update) {
        (Passing::Run, Update::Exact) => {
            follow_lower(state.pelvis, before, state.pelvis_targets, rate(share), frame.dt)
        }
        (Passing::Run, Update::PerFrame) if has_ground => {
            let rise = (body - state.body.unwrap_or(body)).dot(frame.root.up);
            lerp(state.pelvis - rise, left.min(right), share)
        }
        (Passing::Run, Update::PerFrame) => 0.0,
        (Passing::Still | Passing::Settle, _) => left.min(right),
    };
    state.body = (frame.settings.update == Update::PerFrame).then_some(body);
}

/// Returns goals of the feet and offset of the pelvis for a state.
pub fn output(frame: &Frame, state: &FootIkState) -> Output {
    let legs = [0, 1].map(|index| {
        let (leg, at) = (&state.legs[index], &frame.legs[index]);
        let position = at.foot.map_or(leg.position, |foot| foot.position);
        LegOutput {
            ik_position: position + frame.root.up * leg.offset,
            offset: leg.offset,
            rotation_offset: leg.rotation,
            grounded: leg.hit.is_some(),
            velocity: Vec3::ZERO,
            predicted: position,
            weight: at.weight,
            held: Vec3::ZERO,
        }
    });
    frame::output(legs, &frame.legs, state.pelvis, frame.root.up)
}

/// Solves one frame: reads, runs every step and returns the output. The weights of the goals are those of the input,
/// for example the values of each foot's [`WeightCurve`](super::WeightCurve) at the clip's time. The weights do not
/// scale how the pelvis follows the feet, as the pelvis would otherwise bob with every stride; they scale how far a
/// leg's reach lowers the pelvis.
pub fn solve(
    settings: &FootIkSettings,
    input: &Input,
    state: &mut FootIkState,
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
pub fn settle(settings: &FootIkSettings, input: &Input, ground: &impl Ground, watch: &mut impl Watch<Event>) -> Output {
    solve(settings, &Input { dt: LONGEST_FRAME, ..*input }, &mut FootIkState::default(), ground, watch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_share_per_sixtieth_of_a_second() {
        let lag = Lag::new(rate(0.28), 1.0 / 60.0);
        assert!((lag.keep - 0.72).abs() < 1e-5);
        assert_eq!(Lag::new(rate(1.0), 1.0 / 240.0).to, 1.0);
        assert_eq!(Lag::new(rate(0.0), 1.0).keep, 1.0);
    }
}
