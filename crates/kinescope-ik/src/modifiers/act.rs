//! Frame that modifiers see, and the changes they make.

use glam::{Quat, Vec3};

use super::figure::Figure;
use crate::full_body::{Author, Effector};
use crate::rig::{BoneIndex, RigidTransform};

/// The frame that a modifier acts in.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The character's bones.
    pub figure: &'a Figure,
    /// The character's transform: from model space to the [space of the poses](super). The identity if the poses are in
    /// model space.
    pub root: RigidTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Time in the clip that plays, seconds.
    pub time: f32,
}

impl Seen<'_> {
    /// Returns the direction that the character faces, in the space of the poses; unit, or zero if the figure's
    /// `facing` is zero.
    pub fn facing(&self) -> Vec3 {
        self.root.rotation * self.figure.facing
    }

    /// Returns the character's up direction, in the space of the poses; unit, or zero if the figure's `up` is zero.
    pub fn up(&self) -> Vec3 {
        self.root.rotation * self.figure.up
    }

    /// Returns the seconds since the last frame; 0 if [`Self::dt`] is negative or not finite.
    pub fn passed(&self) -> f32 {
        if self.dt.is_finite() { self.dt.max(0.0) } else { 0.0 }
    }
}

/// One change that a modifier makes before read or after write; in the space of the poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Adds to an effector's one-frame offset.
    Offset {
        /// Effector that changed.
        effector: Effector,
        /// Added offset, not yet scaled by the master weight.
        by: Vec3,
    },
    /// Sets an effector's target.
    Target {
        /// Effector that changed.
        effector: Effector,
        /// Target before; if there was none, the position of the effector's bone, at weight 0 plus the effector's offset.
        from: Vec3,
        /// New target.
        to: Vec3,
        /// New position weight.
        weight: f32,
    },
    /// Sets an effector's target rotation.
    TargetRotation {
        /// Effector that changed.
        effector: Effector,
        /// Target rotation before; `None` without one or at weight 0.
        from: Option<Quat>,
        /// New target rotation.
        to: Quat,
        /// New rotation weight.
        weight: f32,
    },
    /// Turns or moves a bone; its descendants follow.
    Bone {
        /// Index of the bone.
        bone: BoneIndex,
        /// Transform before.
        from: RigidTransform,
        /// Transform after.
        to: RigidTransform,
    },
}

/// A change, with the modifier that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Act {
    /// The modifier.
    pub author: Author,
    /// What the modifier changed.
    pub change: Change,
}
