//! A limb: clavicle, the two bones in the limb's own plane, and the hand or foot (seed 000, «IKMappingLimb»).

use glam::{Quat, Vec3};

use super::InPlane;
use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::names::{Effector, Node, Nodes};
use crate::full_body::state::Frame;
use crate::full_body::writing::{BoneMove, WriteCause, Written};
use crate::math::{from_to_rotation, look_rotation, nlerp};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// A limb as read for one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbMapping {
    /// Towards bone 1, in the clavicle's space.
    pub clavicle_axis: Vec3,
    /// Bone 1 in the plane (bone 1, 2, 3).
    pub upper: InPlane,
    /// Bone 2 in the plane (bone 2, 3, 1).
    pub lower: InPlane,
    /// Of bone 3.
    pub animated_rotation: Quat,
}

impl LimbMapping {
    pub fn read(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame, limb: LimbName) {
        let limb_keys = hierarchy.limbs[limb.index()];
        let settings = frame.limb(limb);
        let [b1, b2, b3] = limb_keys.bones.map(|key| keys.get(hierarchy, key));
        if let Some(clavicle) = limb_keys.clavicle {
            let clavicle = keys.get(hierarchy, clavicle);
            self.clavicle_axis = clavicle.rotation.conjugate() * (b1.position - clavicle.position);
        }
        let [p1, p2, p3] = [b1, b2, b3].map(|bone| bone.position);
        // A straight limb has no plane; its default one keeps it from flipping.
        let up = settings.straight.then_some(-settings.default_direction);
        let upper_plane = look_rotation(p2 - p1, up.unwrap_or(p3 - p1));
        let lower_plane = look_rotation(p3 - p2, up.unwrap_or(p1 - p2));
        self.upper = InPlane::read(upper_plane, p1, &b1);
        self.lower = InPlane::read(lower_plane, p2, &b2);
        self.animated_rotation = b3.rotation;
    }

    pub fn write(
        &self,
        hierarchy: &Hierarchy,
        written: &mut Written,
        frame: &Frame,
        nodes: &Nodes,
        limb: LimbName,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let settings = frame.limb(limb);
        let weight = settings.mapping_weight;
        if weight <= 0.0 {
            return GO_ON;
        }
        let limb_keys = hierarchy.limbs[limb.index()];
        let [k1, k2, k3] = limb_keys.bones;
        let [n1, n2, n3] = Node::of_limb(limb).map(|node| nodes[node]);

        if frame.iterations > 0
            && let Some(key) = limb_keys.clavicle
        {
            let mut clavicle = written.keys.get(hierarchy, key);
            let swing = from_to_rotation(clavicle.rotation * self.clavicle_axis, n1 - clavicle.position);
            clavicle.rotation = nlerp(clavicle.rotation, swing * clavicle.rotation, weight);
            written.move_bone(hierarchy, key, clavicle, WriteCause::Clavicle(limb), watch)?;
        }

        let mut upper = written.keys.get(hierarchy, k1);
        if frame.iterations > 0 {
            upper.position = upper.position.lerp(n1, weight);
            written.move_bone_first(hierarchy, k1, upper, WriteCause::Placed(limb), watch)?;
        }
        let carried = self.upper.carried(Frame::plane_rotation([n1, n2, n3]), n1);
        upper.rotation = nlerp(upper.rotation, carried.rotation, weight);
        written.move_bone(hierarchy, k1, upper, WriteCause::UpperPlane(limb), watch)?;

        let mut lower = written.keys.get(hierarchy, k2);
        let carried = self.lower.carried(Frame::plane_rotation([n2, n3, n1]), n2);
        lower.rotation = nlerp(lower.rotation, carried.rotation, weight);
        written.move_bone(hierarchy, k2, lower, WriteCause::LowerPlane(limb), watch)?;

        let mut end = written.keys.get(hierarchy, k3);
        end.rotation = nlerp(end.rotation, self.animated_rotation, settings.maintain_rotation * weight * frame.weight);
        written.move_bone_first(hierarchy, k3, end, WriteCause::MaintainRotation(limb), watch)?;
        let effector = frame.effector(Effector::END[limb.index()]);
        end.rotation = nlerp(end.rotation, effector.rotation, weight * effector.rotation_weight);
        written.move_bone(hierarchy, k3, end, WriteCause::EffectorRotation(limb), watch)
    }
}
