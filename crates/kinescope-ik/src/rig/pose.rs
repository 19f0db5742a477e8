//! Transforms of bones, and the local pose, in which each transform is relative to the bone's parent.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Translation, rotation and scale of a bone relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct LocalTransform {
    /// The translation in the parent's space, in model units before the parent's scale.
    pub translation: Vec3,
    /// The rotation, a unit quaternion.
    pub rotation: Quat,
    /// Scale factors along the bone's own axes.
    pub scale: Vec3,
}

impl LocalTransform {
    /// No translation and no rotation, scale 1.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
}

impl Default for LocalTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Position and rotation without scale, the transform that solvers use; usually in model space. If `Quat` is a SIMD
/// type, this struct has 32 bytes: three floats, 4 bytes of padding, four floats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[repr(C)]
pub struct RigidTransform {
    /// The position in model units (metres in glTF).
    pub position: Vec3,
    /// The rotation, a unit quaternion.
    pub rotation: Quat,
}

impl RigidTransform {
    /// Position zero, no rotation.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// Maps a point from this transform's space to the outer space.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.position + self.rotation * point
    }

    /// Maps a transform from this transform's space to the outer space.
    pub fn transform(&self, child: &Self) -> Self {
        Self { position: self.transform_point(child.position), rotation: self.rotation * child.rotation }
    }

    /// Maps a transform from the outer space to this transform's space, the inverse of [`Self::transform`].
    pub fn to_local(&self, other: &Self) -> Self {
        let inverse = self.rotation.conjugate();
        Self { position: inverse * (other.position - self.position), rotation: inverse * other.rotation }
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

impl Default for RigidTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A pose with one transform per bone, relative to the bone's parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    /// The transforms, by the skeleton's indices.
    pub bones: Vec<LocalTransform>,
}
