//! Poses in model space, that is, relative to the character.

use glam::{Mat3, Mat4, Vec3};

use super::pose::{LocalPose, LocalTransform, RigidTransform};
use super::skeleton::{BoneIndex, Skeleton};

/// Positions and rotations of all bones in model space.
///
/// The linear part of a bone's transform is `rotation · stretch`. The rotation is the product of the local rotations.
/// The stretch is the remaining effect of the scales of the bone and its ancestors, the identity without scale. The
/// solver moves bones rigidly, so it changes `bones` and never `stretch`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    /// Position and rotation of each bone in model space, by the skeleton's indices.
    pub bones: Vec<RigidTransform>,
    /// The linear part that remains without the rotation; the identity without scale.
    pub stretch: Vec<Mat3>,
}

impl ModelPose {
    /// Returns a pose without scale.
    pub fn rigid(bones: Vec<RigidTransform>) -> Self {
        let stretch = vec![Mat3::IDENTITY; bones.len()];
        Self { bones, stretch }
    }

    /// Converts a local pose to model space. Scales of parents apply to positions.
    pub fn from_local(skeleton: &Skeleton, local: &LocalPose) -> Self {
        let mut pose = Self::default();
        pose.set_from_local(skeleton, local);
        pose
    }

    /// Converts a local pose into this pose. Allocates only if the number of bones grows. Bones that `local` lacks are
    /// at rest.
    pub fn set_from_local(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.bones.resize(skeleton.len(), RigidTransform::IDENTITY);
        self.stretch.resize(skeleton.len(), Mat3::IDENTITY);
        for (index, bone) in skeleton.bones().iter().enumerate() {
            let local = local.bones.get(index).unwrap_or(&bone.rest);
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

    /// Converts to a local pose that [`Self::from_local`] maps to the same positions and rotations, except below a bone
    /// whose scale is nearly 0. The scale of each bone comes from `like`. Bones that this pose or `like` lacks are at
    /// rest.
    pub fn to_local(&self, skeleton: &Skeleton, like: &LocalPose) -> LocalPose {
        let mut bones: Vec<LocalTransform> = Vec::with_capacity(skeleton.len());
        // Non-uniform scale is inherited in the frame of the rotations written here, not in that of the original pose.
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

    /// Returns the matrix from bone space to model space; the identity for a missing bone.
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

    /// Returns the position of a bone in model space; the origin for a missing bone.
    pub fn position(&self, bone: BoneIndex) -> Vec3 {
        self.bones.get(bone).map_or(Vec3::ZERO, |bone| bone.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Bone;
    use glam::Quat;

    #[test]
    fn bones_that_a_local_pose_lacks_are_at_rest() {
        let rest = LocalTransform { translation: Vec3::Y, ..LocalTransform::IDENTITY };
        let bone = |index: usize| Bone { name: index.to_string(), parent: index.checked_sub(1), rest };
        let skeleton = Skeleton::new((0..3).map(bone).collect()).unwrap();
        let turned = LocalTransform { rotation: Quat::from_rotation_x(1.0), ..rest };
        let mut pose = ModelPose::from_local(&skeleton, &LocalPose { bones: vec![turned; 3] });
        let short = LocalPose { bones: vec![rest] };
        pose.set_from_local(&skeleton, &short);
        assert_eq!(pose, ModelPose::from_local(&skeleton, &skeleton.rest_pose()));
        assert_eq!(pose, ModelPose::from_local(&skeleton, &short));
    }
}
