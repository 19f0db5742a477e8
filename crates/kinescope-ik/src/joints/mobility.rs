//! How easily the joints turn, and the joints that carry each effector.

use glam::Vec3;

use super::joint::{JointIndex, Joints, MAX_JOINTS};
use super::path::Path;
use super::pose::JointPose;
use crate::names::Effector;

/// The smallest moment of inertia of a joint, as a fraction of the body's mass times its height squared.
const LEAST_INERTIA: f32 = 1e-5;

impl Joints {
    pub(super) fn find_paths(&self) -> [Path; Effector::COUNT] {
        let parent = |&joint: &JointIndex| self.all().get(joint)?.parent;
        Effector::ALL.map(|effector| Path::from_end(std::iter::successors(Some(self.effector(effector)), parent)))
    }

    /// Returns 1 / moment of inertia of what each joint carries, from the reference pose.
    pub(super) fn find_mobility(&self) -> [f32; MAX_JOINTS] {
        let all = self.all();
        let mut reference = JointPose::default();
        for (index, joint) in all.iter().enumerate().take(MAX_JOINTS) {
            reference.rotations[index] = joint.rotation;
            match joint.parent {
                Some(_) => reference.offsets[index] = joint.offset,
                None => reference.root = joint.offset,
            }
        }
        let placed = self.place(&reference);
        // Mass, first moment and second moment of what each joint carries, about the pelvis.
        let mut carried = [(0.0, Vec3::ZERO, 0.0); MAX_JOINTS];
        let origin = placed.positions[0];
        for index in (0..all.len().min(MAX_JOINTS)).rev() {
            let joint = &all[index];
            let centre = placed.positions[index] + placed.rotations[index] * joint.centre - origin;
            let own = &mut carried[index];
            own.0 += joint.mass;
            own.1 += centre * joint.mass;
            own.2 += (centre.length_squared() + joint.radius * joint.radius) * joint.mass;
            let (mass, first, second) = *own;
            if let Some(parent) = joint.parent.filter(|&parent| parent < index) {
                let above = &mut carried[parent];
                above.0 += mass;
                above.1 += first;
                above.2 += second;
            }
        }
        let least = LEAST_INERTIA * self.height() * self.height();
        let mut mobility = [0.0; MAX_JOINTS];
        for index in 0..all.len().min(MAX_JOINTS) {
            let (mass, first, second) = carried[index];
            let at = placed.positions[index] - origin;
            let inertia = second - 2.0 * at.dot(first) + at.length_squared() * mass;
            let own = 1.0 / inertia.max(least);
            mobility[index] = if own.is_finite() { own } else { 0.0 };
        }
        mobility
    }
}
