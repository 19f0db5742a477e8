//! The tree of bones, without any pose of its own but the one it rests in.

use super::pose::{LocalPose, LocalTransform};
use crate::error::Fault;

/// Index of a bone in its [`Skeleton`].
pub type BoneIndex = usize;

/// One bone: a name, a parent and where it rests.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Unique within the skeleton. An unnamed glTF node is `node N`, a repeated name gets ` (N)` behind it.
    pub name: String,
    /// The parent's index, always smaller than the bone's own; `None` for a root.
    pub parent: Option<BoneIndex>,
    /// Local space (relative to the parent), as stored in the file.
    pub rest: LocalTransform,
}

/// Bones in an order in which parents come before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
}

impl Skeleton {
    /// Takes the bones as they are.
    ///
    /// # Errors
    /// [`Fault`] if a parent does not come before its child.
    pub fn new(bones: Vec<Bone>) -> Result<Self, Fault> {
        for (index, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent.filter(|&parent| parent >= index) {
                let message = format!("is {parent}, of {:?}; a parent must come before its children", bone.name);
                return Err(Fault::new(format!("bones[{index}].parent"), message));
            }
        }
        Ok(Self { bones })
    }

    /// All bones, parents before children.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Number of bones.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// True if there is not a single bone.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// The first bone of that name.
    pub fn find(&self, name: &str) -> Option<BoneIndex> {
        self.bones.iter().position(|bone| bone.name == name)
    }

    /// The parent of a bone.
    pub fn parent(&self, bone: BoneIndex) -> Option<BoneIndex> {
        self.bones[bone].parent
    }

    /// The bone's parent, that one's parent, and so on to the root.
    pub fn ancestors(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        std::iter::successors(self.parent(bone), |&bone| self.parent(bone))
    }

    /// True if `ancestor` is above `bone` (a bone is not its own ancestor).
    pub fn is_ancestor(&self, ancestor: BoneIndex, bone: BoneIndex) -> bool {
        self.ancestors(bone).any(|above| above == ancestor)
    }

    /// The direct children of a bone.
    pub fn children(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        (bone + 1..self.len()).filter(move |&child| self.bones[child].parent == Some(bone))
    }

    /// Every bone at rest.
    pub fn rest_pose(&self) -> LocalPose {
        LocalPose { bones: self.bones.iter().map(|bone| bone.rest).collect() }
    }
}
