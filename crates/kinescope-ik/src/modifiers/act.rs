//! What a modifier sees of a frame, and what it did.

use glam::{Quat, Vec3};

use super::figure::Figure;
use crate::full_body::{Author, Effector};
use crate::rig::{BoneIndex, RigidTransform};

/// What a modifier sees of the frame that it acts in.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The character's bones.
    pub figure: &'a Figure,
    /// Where the character is: from the space of its model to that of the poses.
    pub root: RigidTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Seconds into the clip that plays.
    pub time: f32,
}

impl Seen<'_> {
    /// The way the character faces; unit, in the space of the poses.
    pub fn facing(&self) -> Vec3 {
        self.root.rotation * self.figure.facing
    }

    /// Up, for the character.
    pub fn up(&self) -> Vec3 {
        self.root.rotation * self.figure.up
    }

    /// Seconds that passed; what is no time is none.
    pub fn passed(&self) -> f32 {
        if self.dt.is_finite() { self.dt.max(0.0) } else { 0.0 }
    }
}

/// One thing that a modifier did, outside the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Did {
    /// Added to an effector's one-frame offset; model space.
    Offset {
        /// Whose.
        effector: Effector,
        /// How much.
        by: Vec3,
    },
    /// Set an effector's target.
    Target {
        /// Whose.
        effector: Effector,
        /// Where it drew its node before, or would have drawn it.
        from: Vec3,
        /// Where it draws it now.
        to: Vec3,
        /// Its position weight now.
        weight: f32,
    },
    /// Set an effector's target rotation.
    TargetRotation {
        /// Whose.
        effector: Effector,
        /// What it took before; `None` where nothing was said.
        from: Option<Quat>,
        /// What it takes now.
        to: Quat,
        /// Its rotation weight now.
        weight: f32,
    },
    /// Turned or moved a bone; all that hangs on it went along.
    Bone {
        /// Which.
        bone: BoneIndex,
        /// Where it was.
        from: RigidTransform,
        /// Where it is.
        to: RigidTransform,
    },
}

/// One event of a modifier's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Act {
    /// Whose it is.
    pub author: Author,
    /// What was done.
    pub did: Did,
}
