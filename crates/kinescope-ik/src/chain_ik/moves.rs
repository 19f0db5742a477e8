//! What there is to see of a chain's solve: every single move of a joint, with its cause.

use glam::Vec3;

use crate::key::named;
use crate::stepped::{Flow, GO_ON, Watch};

named! {
    /// Why a joint moved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Cause {}
    /// Every cause.
    ALL {
        /// Laid into the plane of the 2D mode.
        Plane;
        /// Bent out of a line with the target, on which every solver would stay.
        Escape;
        /// Laid out in a line, as far towards the target as it goes.
        Stretch;
        /// CCD: turned about its joint so that the end points at the target.
        Turn;
        /// FABRIK from the end to the root.
        ForwardReach;
        /// FABRIK's bend rule: reflected with the whole chain to the other side of the line from root to target.
        Mirror;
        /// FABRIK's bend rule: laid on a circle through root and target.
        Arc;
        /// FABRIK on branches: between what the bones at this joint want.
        Centroid;
        /// FABRIK from the root to the end.
        BackwardReach;
        /// Turned back into its limit, on the way from the end to the root.
        Limit;
        /// Scaled across the line from root to end, or folded at one joint, and swung to the target.
        Straighten;
        /// Two bones: the closed form.
        TwoBone;
        /// Where the rotations, kept within their limits, have it.
        Map;
    }
}

/// One joint, moved once. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Index of the joint; 0 is the root.
    pub joint: usize,
    /// Where the joint was; for a [turn](Cause::Turn), which leaves its own joint in place, where the end was.
    pub from: Vec3,
    /// Where it is then; of a turn, where the end is.
    pub to: Vec3,
    /// Why it moved.
    pub cause: Cause,
    /// By how much a limit turned the bone back, radians; 0 without.
    pub excess: f32,
}

impl Move {
    /// How far it went.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }
}

/// Moves a joint and tells the watcher if it went anywhere.
#[inline(always)]
pub(super) fn move_joint(
    positions: &mut [Vec3],
    joint: usize,
    to: Vec3,
    cause: Cause,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let from = std::mem::replace(&mut positions[joint], to);
    if from == to { GO_ON } else { watch.saw(Move { joint, from, to, cause, excess: 0.0 }) }
}
