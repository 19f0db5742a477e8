//! Frame and state of the predictive grounder. Steps read the frame and change the state.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::frame::{LegFrame, Passing};
use super::input::Root;
use super::settings::PredictiveSettings;
use crate::ground::Hit;

/// State between two frames. The default is that of a new character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Whether there was a previous frame.
    pub primed: bool,
    /// Position of the root in the last frame; world space.
    pub root: Vec3,
    /// Whether the root check found ground at most one step lower than the middle of the soles; at quality `best`, at
    /// most one step and the sphere's radius lower. False if `max_step` is 0.
    pub root_grounded: bool,
    /// The legs, in the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegState; 2],
    /// The pelvis.
    pub pelvis: PelvisState,
}

/// Constants of a frame: the input, checked and clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Settings, clamped to their ranges.
    pub settings: PredictiveSettings,
    /// The root, with orthogonal unit axes.
    pub root: Root,
    /// Displacement of the root since the last frame, metres; zero unless `passing` is [`Passing::Run`].
    pub root_moved: Vec3,
    /// The legs, in the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegFrame; 2],
    /// Duration of the frame, seconds.
    pub dt: f32,
    /// How time passes in the frame.
    pub passing: Passing,
}

/// State of one leg between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegState {
    /// Whether the animated foot was finite in the last frame.
    pub tracked: bool,
    /// Last finite position of the animated foot; world space.
    pub position: Vec3,
    /// Smoothed velocity of the animated foot; m/s.
    pub velocity: Vec3,
    /// Predicted place of the animated foot; world space.
    pub predicted: Vec3,
    /// Hit under the foot bone, or behind it with `invert_foot_center`; at quality `fastest`, under the bone's
    /// predicted place.
    pub heel: Option<Hit>,
    /// Hit under the middle of the foot along its predicted path; at quality `simple`, at the end of the path; at
    /// quality `fastest`, `None`.
    pub front: Option<Hit>,
    /// Hit beside the foot; `None` except at quality `simple`.
    pub beside: Option<Hit>,
    /// Whether a cast for `heel`, `front` or `beside` began inside the ground. Such a cast gives no hit, and the ground
    /// there counts neither as a step nor as an edge.
    pub buried: bool,
    /// Whether `heel` or `front` has a hit.
    pub grounded: bool,
    /// Plane of the ground that the foot stands on; `None` unless `grounded`.
    pub plane: Option<Plane>,
    /// Target of `tilt`: the rotation from up to the normal of `plane`, limited to the largest angle; axis times
    /// radians. Zero without a plane that faces up.
    pub tilt_target: Vec3,
    /// `tilt_target` of the last frame.
    pub last_tilt_target: Vec3,
    /// Smoothed rotation of the foot; axis times radians.
    pub tilt: Vec3,
    /// Target of the foot's offset along up, within one step; metres. 0 while the character is in the air.
    pub offset_target: f32,
    /// Smoothed offset of the foot along up; metres.
    pub free_offset: f32,
    /// `free_offset`, limited so that it does not lift the sole higher than one step over the root's level; metres.
    pub offset: f32,
}

/// A plane through a point, with a unit normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
}

/// Cosine between a plane's normal and up below which the plane is a wall. A wall has the height of its point
/// everywhere.
pub(super) const WALL: f32 = 0.05;

impl Plane {
    /// Returns the height over the root's level of the plane's point straight above or below `at`; metres.
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

/// Returns the part of `v` orthogonal to the unit vector `up`.
pub(super) fn flat(v: Vec3, up: Vec3) -> Vec3 {
    v - up * v.dot(up)
}

/// State of the pelvis between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PelvisState {
    /// Target of the pelvis's offset along up; metres. 0 while the root has no ground.
    pub target: f32,
    /// Smoothed offset along up; metres. Not limited to one step: while the root rises or falls fast, the damper may
    /// move it further.
    pub free_height: f32,
    /// `free_height`, limited to one step; metres.
    pub height: f32,
    /// Strength of the damper, 0 to 1: it rises to 1 within a second while a foot is grounded, and falls to 0 within a
    /// tenth of a second while neither foot is.
    pub damper: f32,
}
