//! Rigs: skeletons, poses, clips, biped roles and skinned meshes.
//!
//! To solve your own character, create a [`Skeleton`] and a [`Biped`] with the roles of its bones; [`detect()`] can
//! find the roles. With the feature `import`, the function `import` reads a glTF, VRM or BVH file into a [`Model`];
//! with the feature `fbx` also an FBX file.

pub mod axes;
pub mod biped;
pub mod bvh_writer;
pub mod clip;
pub mod detect;
#[cfg(feature = "import")]
pub mod import;
pub mod length_unit;
pub mod model;
pub mod model_pose;
pub mod pose;
pub mod skeleton;

pub use axes::Axes;
pub use biped::{Biped, Limb, LimbName, Role};
pub use bvh_writer::BvhMotion;
pub use clip::{Clip, Interpolation, MorphTrack, Track, TrackValues};
pub use detect::{
    Detection, FoundCharacter, MappedBones, Mapping, ReferenceChoice, ReferenceKind, RoleFinding, detect,
};
#[cfg(feature = "import")]
pub use import::{ImportError, import};
pub use length_unit::LengthUnit;
pub use model::{Joint, Material, Mesh, Model, Morph, MorphOffset, Picture, Wrap};
pub use model_pose::ModelPose;
pub use pose::{LocalPose, LocalTransform, RigidTransform};
pub use skeleton::{Bone, BoneIndex, Skeleton};
