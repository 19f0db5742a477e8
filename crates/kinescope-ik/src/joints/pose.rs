//! Poses as rotations of joints: reading, forward kinematics, writing.

use glam::{Quat, Vec3};

use super::joint::Joints;
use super::limits::MAX_JOINTS;
use crate::error::{Fault, Problem};
use crate::math::{FARTHEST, is_within, read_rotation};
use crate::rig::RigidTransform;

/// A pose as rotations. Entries beyond the character's joints are the identity and zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// Position of the pelvis; model space.
    pub root: Vec3,
    /// Rotation of each joint relative to its parent joint; that of the pelvis in model space. Unit.
    pub rotations: [Quat; MAX_JOINTS],
    /// Position of each joint in the space of its parent joint, as animated; zero for the pelvis.
    pub offsets: [Vec3; MAX_JOINTS],
}

impl Default for JointPose {
    fn default() -> Self {
        Self { root: Vec3::ZERO, rotations: [Quat::IDENTITY; MAX_JOINTS], offsets: [Vec3::ZERO; MAX_JOINTS] }
    }
}

/// Positions and rotations of the joints in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position of each joint.
    pub positions: [Vec3; MAX_JOINTS],
    /// Rotation of each joint.
    pub rotations: [Quat; MAX_JOINTS],
}

impl Default for Placement {
    fn default() -> Self {
        Self { positions: [Vec3::ZERO; MAX_JOINTS], rotations: [Quat::IDENTITY; MAX_JOINTS] }
    }
}

impl Placement {
    /// Returns position and rotation of a joint; the identity if there is no such joint.
    pub fn of(&self, joint: usize) -> RigidTransform {
        match (self.positions.get(joint), self.rotations.get(joint)) {
            (Some(&position), Some(&rotation)) => RigidTransform { position, rotation },
            _ => RigidTransform::IDENTITY,
        }
    }
}

impl Joints {
    /// Reads a pose: model space, one transform per bone of the skeleton.
    ///
    /// # Errors
    /// [`Fault`] for a pose with too few bones, and for a joint whose bone has a position beyond [`FARTHEST`] or no rotation
    /// of about unit length.
    pub fn read(&self, pose: &[RigidTransform]) -> Result<JointPose, Fault> {
        let mut read = JointPose::default();
        self.read_into(pose, &mut read)?;
        Ok(read)
    }

    /// Reads as [`Self::read`] does, into an existing pose.
    ///
    /// # Errors
    /// As [`Self::read`]; `read` then stays unchanged.
    pub fn read_into(&self, pose: &[RigidTransform], read: &mut JointPose) -> Result<(), Fault> {
        self.relate(&self.placement_of(pose)?, read);
        Ok(())
    }

    /// Converts positions and rotations in model space to rotations relative to the parent joints.
    pub(crate) fn relate(&self, placement: &Placement, read: &mut JointPose) {
        read.root = placement.positions[0];
        read.rotations[0] = placement.rotations[0];
        read.offsets[0] = Vec3::ZERO;
        for (index, joint) in self.all().iter().enumerate().skip(1) {
            let above = joint.parent.unwrap_or(0);
            let back = placement.rotations[above].conjugate();
            read.rotations[index] = (back * placement.rotations[index]).normalize();
            read.offsets[index] = back * (placement.positions[index] - placement.positions[above]);
        }
    }

    /// Returns the positions and rotations of the joints' bones in a pose.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn placement_of(&self, pose: &[RigidTransform]) -> Result<Placement, Fault> {
        if pose.len() < self.bone_count() {
            let (found, expected) = (pose.len(), self.bone_count());
            return Err(Fault::new("pose", Problem::Length { what: "bones", found, expected }));
        }
        let mut placement = Placement::default();
        for (index, joint) in self.all().iter().enumerate() {
            let bone = &pose[joint.bone];
            let rotation = read_rotation(bone.rotation).filter(|_| is_within(bone.position, FARTHEST));
            let Some(rotation) = rotation else {
                let problem = format!("must have a position within ±{FARTHEST:e} and a rotation of unit length");
                return Err(Fault::new(format!("pose[{}]", joint.bone), problem));
            };
            (placement.positions[index], placement.rotations[index]) = (bone.position, rotation);
        }
        Ok(placement)
    }

    /// Computes positions and rotations of all joints in model space.
    pub fn place(&self, joints: &JointPose) -> Placement {
        let mut placement = Placement::default();
        self.place_into(joints, &mut placement);
        placement
    }

    /// Computes as [`Self::place`] does, into an existing placement.
    #[inline]
    pub fn place_into(&self, joints: &JointPose, placement: &mut Placement) {
        placement.positions[0] = joints.root;
        placement.rotations[0] = joints.rotations[0];
        for (index, joint) in self.all().iter().enumerate().skip(1) {
            let above = joint.parent.unwrap_or(0);
            let rotation = placement.rotations[above];
            placement.rotations[index] = rotation * joints.rotations[index];
            placement.positions[index] = placement.positions[above] + rotation * joints.offsets[index];
        }
    }

    /// Writes a pose of joints to `pose`, which holds the animated pose: model space, one transform per bone. Other bones
    /// move rigidly with their [carrier](Self::carrier). Bones whose carrier has not moved stay bit for bit.
    ///
    /// Leaves `pose` unchanged if it has too few bones, or if a joint has a position beyond [`FARTHEST`] or no rotation of
    /// unit length.
    pub fn write(&self, joints: &JointPose, pose: &mut [RigidTransform]) {
        self.write_placement(&self.place(joints), pose);
    }

    /// Writes as [`Self::write`] does, from positions and rotations in model space.
    pub fn write_placement(&self, placement: &Placement, pose: &mut [RigidTransform]) {
        let count = self.len();
        let is_usable =
            |own: RigidTransform| read_rotation(own.rotation).is_some() && is_within(own.position, FARTHEST);
        if pose.len() < self.bone_count() || !(0..count).all(|joint| is_usable(placement.of(joint))) {
            return;
        }
        let mut before = Placement::default();
        for (index, joint) in self.all().iter().enumerate() {
            let bone = pose[joint.bone];
            (before.positions[index], before.rotations[index]) = (bone.position, bone.rotation);
        }
        let mut turns = [Quat::IDENTITY; MAX_JOINTS];
        let mut has_moved = [false; MAX_JOINTS];
        for joint in 0..count {
            let (was, is) = (before.of(joint), placement.of(joint));
            has_moved[joint] = was != is;
            turns[joint] = (is.rotation * was.rotation.conjugate()).normalize();
        }
        for (bone, own) in pose.iter_mut().enumerate().take(self.bone_count()) {
            let Some(carrier) = self.carrier(bone).filter(|&carrier| has_moved[carrier]) else { continue };
            if self.all()[carrier].bone == bone {
                *own = placement.of(carrier);
                continue;
            }
            let arm = own.position - before.positions[carrier];
            own.position = placement.positions[carrier] + turns[carrier] * arm;
            own.rotation = (turns[carrier] * own.rotation).normalize();
        }
    }
}
