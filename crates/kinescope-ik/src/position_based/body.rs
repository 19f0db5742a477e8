//! The solver of one character: joints, mobilities, and the paths from the pelvis to the joints of the effectors.

use std::sync::Arc;

use glam::Vec3;

use crate::joints::{JointIndex, JointPose, Joints, MAX_JOINTS, Part};
use crate::names::Effector;

/// The smallest moment of inertia of a joint, as a fraction of the body's mass times its height squared.
const LEAST_INERTIA: f32 = 1e-5;

/// The position-based solver of one character. Made once; no solve changes it.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionBased {
    joints: Arc<Joints>,
    mobility: [f32; MAX_JOINTS],
    is_trunk: [bool; MAX_JOINTS],
    paths: [Path; Effector::COUNT],
}

/// The joints from the pelvis to the joint of an effector, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Path {
    len: u8,
    joints: [u8; MAX_JOINTS],
}

impl Path {
    fn new(joints: &Joints, end: JointIndex) -> Self {
        let parent = |&joint: &JointIndex| joints.all().get(joint)?.parent;
        let up: Vec<JointIndex> = std::iter::successors(Some(end), parent).take(MAX_JOINTS).collect();
        let mut path = Self { len: up.len() as u8, joints: [0; MAX_JOINTS] };
        for (own, joint) in path.joints.iter_mut().zip(up.into_iter().rev()) {
            *own = joint as u8;
        }
        path
    }

    /// Returns the joints, the pelvis first.
    #[inline(always)]
    pub fn joints(&self) -> &[u8] {
        &self.joints[..usize::from(self.len).min(MAX_JOINTS)]
    }
}

impl PositionBased {
    /// Creates the solver of a character.
    pub fn new(joints: Arc<Joints>) -> Self {
        let mut solver = Self {
            mobility: mobility(&joints),
            is_trunk: [false; MAX_JOINTS],
            paths: Effector::ALL.map(|effector| Path::new(&joints, joints.effector(effector))),
            joints,
        };
        for (joint, own) in solver.joints.all().iter().enumerate() {
            solver.is_trunk[joint] =
                matches!(own.part, Part::Pelvis | Part::Spine | Part::Neck | Part::Head | Part::Clavicle);
        }
        solver
    }

    /// Returns the character's joints.
    pub fn joints(&self) -> &Arc<Joints> {
        &self.joints
    }

    /// Returns 1 / moment of inertia of everything that a joint carries, about the joint in the reference pose; the mass of
    /// the body is 1. 0 if there is no such joint.
    pub fn mobility(&self, joint: JointIndex) -> f32 {
        self.mobility.get(joint).copied().unwrap_or(0.0)
    }

    pub(super) fn is_trunk(&self, joint: JointIndex) -> bool {
        self.is_trunk[joint]
    }

    #[inline(always)]
    pub(super) fn path(&self, effector: Effector) -> &Path {
        &self.paths[effector as usize]
    }
}

fn mobility(joints: &Joints) -> [f32; MAX_JOINTS] {
    let all = joints.all();
    let mut reference = JointPose::default();
    for (index, joint) in all.iter().enumerate().take(MAX_JOINTS) {
        reference.rotations[index] = joint.rotation;
        match joint.parent {
            Some(_) => reference.offsets[index] = joint.offset,
            None => reference.root = joint.offset,
        }
    }
    let placed = joints.place(&reference);
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
    let least = LEAST_INERTIA * joints.height() * joints.height();
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
