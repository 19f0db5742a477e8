//! What the predictive grounder works on: the frame, which no step changes, and the state that every step does.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::frame::{LegFrame, Passing};
use super::input::Root;
use super::settings::PredictiveSettings;
use crate::ground::Hit;

/// What a frame leaves for the next. The default is that of a character that was never seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Whether there was a frame before.
    pub primed: bool,
    /// The root's place.
    pub root: Vec3,
    /// Whether there is ground within two steps below the character.
    pub root_grounded: bool,
    /// In the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegState; 2],
    /// Where the pelvis is, and where it is going.
    pub pelvis: PelvisState,
}

/// What a frame's steps share: the input with nothing in it that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Every number within its range.
    pub settings: PredictiveSettings,
    /// With unit axes at right angles.
    pub root: Root,
    /// How far the root moved since the last frame.
    pub root_moved: Vec3,
    /// In the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegFrame; 2],
    /// Seconds.
    pub dt: f32,
    /// How the frame's time passes.
    pub passing: Passing,
}

/// One leg between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegState {
    /// False while the animated foot is lost (not finite).
    pub tracked: bool,
    /// The animated foot of the last frame that had one.
    pub position: Vec3,
    /// Velocity of the animated foot, smoothed; m/s.
    pub velocity: Vec3,
    /// Where the animated foot will be.
    pub predicted: Vec3,
    /// The ground under the foot bone; at quality `fastest` where the bone will be.
    pub heel: Option<Hit>,
    /// The ground ahead, along the predicted path.
    pub front: Option<Hit>,
    /// The ground beside the foot, at quality `simple`.
    pub beside: Option<Hit>,
    /// Ground that began above the casts: nothing to step on, nothing to fall from.
    pub buried: bool,
    /// Whether the foot has ground to stand on.
    pub grounded: bool,
    /// The ground the foot is to stand on.
    pub plane: Option<Plane>,
    /// The turn from up to the plane's normal, within the largest angle; axis times radians.
    pub tilt_target: Vec3,
    /// `tilt_target` of the last frame.
    pub last_tilt_target: Vec3,
    /// The foot's own turn, on its way there.
    pub tilt: Vec3,
    /// How far the foot is to go up, within one step; metres.
    pub offset_target: f32,
    /// How far up it is, on its way there; metres.
    pub free_offset: f32,
    /// The same, no higher than a step over the root.
    pub offset: f32,
}

/// A plane through a point, with a unit normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
}

/// A plane steeper than this (the cosine to up) is a wall: it has no height beside its point.
pub(super) const WALL: f32 = 0.05;

impl Plane {
    /// Height over the root's level, above or below `at`.
    pub(super) fn height(&self, at: Vec3, root: &Root) -> f32 {
        let height = root.height(self.point);
        let steepness = self.normal.dot(root.up);
        if steepness < WALL {
            return height;
        }
        let aside = flat(at - self.point, root.up);
        height - aside.dot(self.normal) / steepness
    }
}

/// The part of `v` orthogonal to the unit vector `up`.
pub(super) fn flat(v: Vec3, up: Vec3) -> Vec3 {
    v - up * v.dot(up)
}

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
