//! Transforms of bones, and the local pose: each relative to its parent.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Translation, rotation and scale of a bone relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct LocalTransform {
    /// In the parent's space, so scaled by the parent's scale.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factors along the bone's own axes.
    pub scale: Vec3,
}

impl LocalTransform {
    /// At the parent, turned and scaled as it is.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
}

impl Default for LocalTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Position and rotation in model space: what the solver works on. In memory 32 bytes: three numbers, four bytes that mean
/// nothing, four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[repr(C)]
pub struct RigidTransform {
    /// Model units (metres in glTF).
    pub position: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
}

impl RigidTransform {
    /// The origin of model space, not turned.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// The point of this transform's space, in the space the transform lives in.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.position + self.rotation * point
    }

    /// `child` (in this transform's space), in the space the transform lives in.
    pub fn transform(&self, child: &Self) -> Self {
        Self { position: self.transform_point(child.position), rotation: self.rotation * child.rotation }
    }

    /// `other`, seen from this transform: the inverse of [`Self::transform`].
    pub fn to_local(&self, other: &Self) -> Self {
        let inverse = self.rotation.conjugate();
        Self { position: inverse * (other.position - self.position), rotation: inverse * other.rotation }
    }

    /// True if no component is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

impl Default for RigidTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// One [`LocalTransform`] per bone of a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    /// One per bone, by the skeleton's indices.
    pub bones: Vec<LocalTransform>,
}
