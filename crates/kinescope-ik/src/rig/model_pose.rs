//! The pose in model space: relative to the character.

use glam::{Mat3, Mat4, Vec3};

use super::pose::{LocalPose, LocalTransform, RigidTransform};
use super::skeleton::{BoneIndex, Skeleton};

/// Where every bone of a skeleton is, in model space.
///
/// A bone's full linear part is `rotation · stretch`: the rotation is the product of the local rotations, the
/// stretch is what the scales of the bone and its ancestors leave beside it (the identity where nothing is scaled).
/// The solver moves bones rigidly, so it changes `bones` and never `stretch`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    /// Where each bone is, by the skeleton's indices; model space.
    pub bones: Vec<RigidTransform>,
    /// What scales leave of each bone beside that; the identity where nothing is scaled.
    pub stretch: Vec<Mat3>,
}

impl ModelPose {
    /// A pose without any scale.
    pub fn rigid(bones: Vec<RigidTransform>) -> Self {
        let stretch = vec![Mat3::IDENTITY; bones.len()];
        Self { bones, stretch }
    }

    /// Model space from local space. Parent scale is honoured in positions.
    pub fn from_local(skeleton: &Skeleton, local: &LocalPose) -> Self {
        let mut pose = Self::default();
        pose.set_from_local(skeleton, local);
        pose
    }

    /// [`Self::from_local`] into this pose; allocates only if the number of bones grows.
    pub fn set_from_local(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.bones.resize(skeleton.len(), RigidTransform::IDENTITY);
        self.stretch.resize(skeleton.len(), Mat3::IDENTITY);
        for (index, (bone, local)) in skeleton.bones().iter().zip(&local.bones).enumerate() {
            let scale = Mat3::from_diagonal(local.scale);
            let (rigid, stretch) = match bone.parent {
                None => (RigidTransform { position: local.translation, rotation: local.rotation }, scale),
                Some(parent) => {
                    let above = self.bones[parent];
                    let stretch = self.stretch[parent];
                    let position = above.position + above.rotation * (stretch * local.translation);
                    let rotation = (above.rotation * local.rotation).normalize();
                    // linear = R_p · K_p · R_l · S_l, and K = (R_p · R_l)⁻¹ · linear.
                    let inverse = Mat3::from_quat(local.rotation.conjugate());
                    let stretch = inverse * stretch * Mat3::from_quat(local.rotation) * scale;
                    (RigidTransform { position, rotation }, stretch)
                }
            };
            self.bones[index] = rigid;
            self.stretch[index] = stretch;
        }
    }

    /// Local space from model space, with `scale` of each bone taken from `like`: what [`Self::from_local`] makes the
    /// same positions and rotations of. Bones that either lacks are where they rest.
    pub fn to_local(&self, skeleton: &Skeleton, like: &LocalPose) -> LocalPose {
        let mut bones: Vec<LocalTransform> = Vec::with_capacity(skeleton.len());
        // Uneven scale goes down the tree turned by the rotations written here, not by those the pose was read with.
        let mut stretch: Vec<Mat3> = Vec::with_capacity(skeleton.len());
        for (index, bone) in skeleton.bones().iter().enumerate() {
            let above = bone.parent.map_or(Mat3::IDENTITY, |parent| stretch[parent]);
            let local = match (self.bones.get(index), like.bones.get(index)) {
                (Some(rigid), Some(LocalTransform { scale, .. })) => {
                    let local = bone.parent.map_or(*rigid, |parent| self.bones[parent].to_local(rigid));
                    let translation = match above == Mat3::IDENTITY || above.determinant().abs() < 1e-30 {
                        true => local.position,
                        false => above.inverse() * local.position,
                    };
                    LocalTransform { translation, rotation: local.rotation, scale: *scale }
                }
                _ => bone.rest,
            };
            let turned = match above == Mat3::IDENTITY {
                true => above,
                false => Mat3::from_quat(local.rotation.conjugate()) * above * Mat3::from_quat(local.rotation),
            };
            stretch.push(turned * Mat3::from_diagonal(local.scale));
            bones.push(local);
        }
        LocalPose { bones }
    }

    /// The bone's whole affine matrix: model space from bone space. A bone that is not there is at the origin.
    pub fn model_from_bone(&self, bone: BoneIndex) -> Mat4 {
        let rigid = self.bones.get(bone).copied().unwrap_or(RigidTransform::IDENTITY);
        let linear = Mat3::from_quat(rigid.rotation) * self.stretch.get(bone).copied().unwrap_or(Mat3::IDENTITY);
        Mat4::from_cols(
            linear.x_axis.extend(0.0),
            linear.y_axis.extend(0.0),
            linear.z_axis.extend(0.0),
            rigid.position.extend(1.0),
        )
    }

    /// Position of a bone; the origin for one that is not there.
    pub fn position(&self, bone: BoneIndex) -> Vec3 {
        self.bones.get(bone).map_or(Vec3::ZERO, |bone| bone.position)
    }
}
