//! A limb: clavicle, the two bones in the limb's own plane, and the hand or foot (seed 000, «IKMappingLimb»).

use glam::{Quat, Vec3};

use super::InPlane;
use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::names::{Effector, Node};
use crate::full_body::state::{Frame, State};
use crate::math::{from_to_rotation, look_rotation, nlerp};
use crate::rig::LimbName;

/// A limb as read for one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimbMapping {
    /// Towards bone 1, in the clavicle's space.
    clavicle_axis: Vec3,
    /// Bone 1 in the plane (bone 1, 2, 3).
    upper: InPlane,
    /// Bone 2 in the plane (bone 2, 3, 1).
    lower: InPlane,
    /// Of bone 3.
    animated_rotation: Quat,
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

    pub fn write(&self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame, state: &State, limb: LimbName) {
        let settings = frame.limb(limb);
        let weight = settings.mapping_weight;
        if weight <= 0.0 {
            return;
        }
        let limb_keys = hierarchy.limbs[limb.index()];
        let [k1, k2, k3] = limb_keys.bones;
        let [n1, n2, n3] = Node::of_limb(limb).map(|node| state.nodes[node]);

        if frame.iterations > 0
            && let Some(key) = limb_keys.clavicle
        {
            let mut clavicle = keys.get(hierarchy, key);
            let swing = from_to_rotation(clavicle.rotation * self.clavicle_axis, n1 - clavicle.position);
            clavicle.rotation = nlerp(clavicle.rotation, swing * clavicle.rotation, weight);
            keys.set(hierarchy, key, clavicle);
        }

        let mut upper = keys.get(hierarchy, k1);
        if frame.iterations > 0 {
            upper.position = upper.position.lerp(n1, weight);
        }
        let carried = self.upper.carried(Frame::plane_rotation([n1, n2, n3]), n1);
        upper.rotation = nlerp(upper.rotation, carried.rotation, weight);
        keys.set(hierarchy, k1, upper);

        let mut lower = keys.get(hierarchy, k2);
        let carried = self.lower.carried(Frame::plane_rotation([n2, n3, n1]), n2);
        lower.rotation = nlerp(lower.rotation, carried.rotation, weight);
        keys.set(hierarchy, k2, lower);

        let mut end = keys.get(hierarchy, k3);
        end.rotation = nlerp(end.rotation, self.animated_rotation, settings.maintain_rotation * weight * frame.weight);
        let effector = frame.effector(Effector::END[limb.index()]);
        end.rotation = nlerp(end.rotation, effector.rotation, weight * effector.rotation_weight);
        keys.set(hierarchy, k3, end);
    }
}
