//! Joint moves and their causes, as a debugger lists them.

use glam::Vec3;

use crate::key::named;
use crate::stepped::{Flow, GO_ON, Watch};

named! {
    /// Cause of a joint's move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Cause {}
    /// Every cause.
    ALL {
        /// The joint was laid into the plane of the 2D mode.
        Plane;
        /// The joint was bent off a line through the target, where passes make no progress.
        Escape;
        /// The chain was stretched out toward a target too far away, or folded for a target too near.
        Stretch;
        /// CCD rotated the bone about its start joint, to point the end at the target.
        Turn;
        /// FABRIK's forward reach, from the end to the root.
        ForwardReach;
        /// FABRIK's bend rule reflected the chain at the plane through the line from root to target and the bend
        /// normal.
        Mirror;
        /// FABRIK's bend rule laid the chain on a circle through root and target.
        Arc;
        /// FABRIK's forward reach moved the joint to the weighted mean of the positions that its targets and bones
        /// want.
        Centroid;
        /// FABRIK's backward reach, from the root to the end.
        BackwardReach;
        /// The bone was rotated back into its limit, at the start of the solve or in the forward reach.
        Limit;
        /// The chain's bend was scaled, or the chain was folded at one joint; then the chain was swung to the target.
        Straighten;
        /// The closed form of two bones placed the joint.
        TwoBone;
        /// The joint followed its bone's rotation, which a limit or a [source's formula](super::MapTurn) keeps from
        /// pointing at the joint.
        Map;
    }
}

/// One move of a joint. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Index of the joint; 0 is the root.
    pub joint: usize,
    /// Position before the move. For a [turn](Cause::Turn), which leaves its joint in place, the end's position.
    pub from: Vec3,
    /// Position after the move; for a turn, the end's.
    pub to: Vec3,
    /// Cause of the move.
    pub cause: Cause,
    /// Angle by which a limit corrected the bone, radians; 0 without a correction.
    pub excess: f32,
}

impl Move {
    /// Returns the distance moved; model units.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }
}

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
