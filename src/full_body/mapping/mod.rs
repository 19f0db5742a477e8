//! Mappings: the solved nodes written back to the bones (seed 000, «IKMapping»).
//!
//! Chains read what the solve needs, positions above all; mappings read what writing needs beside it: how each bone
//! lies in the plane or along the axis that will carry it.

mod head;
mod limb;
mod spine;

use glam::{Quat, Vec3};

use super::hierarchy::{Hierarchy, KeyPose};
use super::state::Frame;
use crate::rig::{LimbName, RigidTransform};

pub use head::HeadMapping;
pub use limb::LimbMapping;
pub use spine::{CHEST_PLANE, PELVIS_PLANE, SpineMapping};

/// All mappings of a character, as read for one frame: what writing needs beside the nodes.
#[derive(Debug, Default, PartialEq)]
pub struct Mappings {
    pub spine: SpineMapping,
    pub head: HeadMapping,
    pub limbs: [LimbMapping; 4],
}

impl Clone for Mappings {
    fn clone(&self) -> Self {
        Self { spine: self.spine.clone(), ..*self }
    }

    /// The buffer is used again.
    fn clone_from(&mut self, source: &Self) {
        self.spine.clone_from(&source.spine);
        (self.head, self.limbs) = (source.head, source.limbs);
    }
}

impl Mappings {
    pub fn new(hierarchy: &Hierarchy, root_node: usize) -> Self {
        Self { spine: SpineMapping::new(hierarchy.spine_len, root_node), ..Self::default() }
    }

    /// Forgets spine and head, for a frame that writes the limbs alone.
    pub fn forget_trunk(&mut self) {
        (self.spine, self.head) = (SpineMapping::default(), HeadMapping::default());
    }

    /// Reads the pose after the bend limit.
    pub fn read(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame) {
        if frame.iterations > 0 {
            self.spine.read(hierarchy, keys, frame);
            self.head.read(hierarchy, keys);
        }
        for limb in LimbName::ALL {
            self.limbs[limb.index()].read(hierarchy, keys, frame, limb);
        }
    }
}

/// How a bone lies in a plane through three points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InPlane {
    /// From the plane's first point to the bone, in the plane's space.
    pub position: Vec3,
    pub rotation: Quat,
}

impl InPlane {
    fn read(plane_rotation: Quat, first: Vec3, bone: &RigidTransform) -> Self {
        let inverse = plane_rotation.conjugate();
        Self { position: inverse * (bone.position - first), rotation: inverse * bone.rotation }
    }

    /// The bone, carried by the plane as it is now.
    pub fn carried(&self, plane_rotation: Quat, first: Vec3) -> RigidTransform {
        RigidTransform { position: first + plane_rotation * self.position, rotation: plane_rotation * self.rotation }
    }
}
