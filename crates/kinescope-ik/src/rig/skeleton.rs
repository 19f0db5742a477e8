//! The skeleton: bones with names, parents and rest transforms.

use super::pose::{LocalPose, LocalTransform};
use crate::error::Fault;

/// The index of a bone in its [`Skeleton`].
pub type BoneIndex = usize;

/// A bone: name, parent and rest transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The name. The import makes names unique: an unnamed glTF node is called `node N`, and a repeated name is
    /// followed by ` (N)`, where N is the index of the node in the file.
    pub name: String,
    /// The parent's index, always smaller than the bone's own; `None` for a root.
    pub parent: Option<BoneIndex>,
    /// The rest transform relative to the parent, as in the file.
    pub rest: LocalTransform,
}

/// A list of bones, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
}

impl Skeleton {
    /// Creates a skeleton. Every parent must come before its children; names may repeat.
    ///
    /// # Errors
    /// [`Fault`] if a parent does not come before its child.
    pub fn new(bones: Vec<Bone>) -> Result<Self, Fault> {
        for (index, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent.filter(|&parent| parent >= index) {
                let message =
                    format!("is {parent}; a parent must come before its children; the bone is {:?}", bone.name);
                return Err(Fault::new(format!("bones[{index}].parent"), message));
            }
        }
        Ok(Self { bones })
    }

    /// Returns all bones, parents before children.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the number of bones.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Returns true if the skeleton has no bones.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// Returns the first bone with this name; `None` if there is none.
    pub fn find(&self, name: &str) -> Option<BoneIndex> {
        self.bones.iter().position(|bone| bone.name == name)
    }

    /// Returns the parent of a bone; `None` for a root.
    ///
    /// # Panics
    /// If there is no such bone.
    pub fn parent(&self, bone: BoneIndex) -> Option<BoneIndex> {
        self.bones[bone].parent
    }

    /// Returns the ancestors of a bone, from its parent to the root.
    ///
    /// # Panics
    /// If there is no such bone.
    pub fn ancestors(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        std::iter::successors(self.parent(bone), |&bone| self.parent(bone))
    }

    /// Returns true if `ancestor` is above `bone`. A bone is not its own ancestor.
    ///
    /// # Panics
    /// If the skeleton has no bone with the index `bone`.
    pub fn is_ancestor(&self, ancestor: BoneIndex, bone: BoneIndex) -> bool {
        self.ancestors(bone).any(|above| above == ancestor)
    }

    /// Returns the direct children of a bone; none if there is no such bone.
    pub fn children(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        (bone + 1..self.len()).filter(move |&child| self.bones[child].parent == Some(bone))
    }

    /// Returns the rest pose, [`Bone::rest`] of each bone.
    pub fn rest_pose(&self) -> LocalPose {
        LocalPose { bones: self.bones.iter().map(|bone| bone.rest).collect() }
    }
}
