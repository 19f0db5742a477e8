//! The rig: skeleton, poses, biped roles, skinned meshes.

pub mod biped;
pub mod model;
pub mod pose;
pub mod skeleton;

pub use biped::{Biped, Limb, LimbName, Role};
pub use model::{Joint, Material, Mesh, Model, Picture};
pub use pose::{LocalPose, LocalTransform, ModelPose, RigidTransform};
pub use skeleton::{Bone, BoneIndex, Skeleton, SkeletonError};
