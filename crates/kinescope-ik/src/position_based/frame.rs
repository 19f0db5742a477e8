//! The input of one solve.

use glam::{Quat, Vec3};

use super::body::PositionBased;
use super::constraint::Constraint;
use super::settings::PositionBasedSettings;
use crate::error::Fault;
use crate::full_body;
use crate::joints::{Goals, JointLimits, JointPose, Joints, MAX_JOINTS};
use crate::math::{clamp, length};
use crate::names::Effector;
use crate::rig::{LimbName, RigidTransform};

/// Order of target rotations and target positions: the trunk first, then the feet, which carry the body, then the hands.
const ORDER: [Effector; Effector::COUNT] = [
    Effector::Body,
    Effector::LeftThigh,
    Effector::RightThigh,
    Effector::LeftShoulder,
    Effector::RightShoulder,
    Effector::LeftFoot,
    Effector::RightFoot,
    Effector::LeftHand,
    Effector::RightHand,
];
/// The largest number of constraints: rest, limits, four lengths, nine positions, nine rotations, four bends.
const MOST: usize = 2 + 4 + 2 * Effector::COUNT + 4;
/// A target further from [`Goal::animated`](crate::joints::Goal::animated) than this many heights is moved to this
/// distance. No body reaches further, and squares of distances stay finite.
const FARTHEST: f32 = 100.0;

/// The input of one solve: animated pose, targets, mobilities and the constraints in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Settings, within their ranges.
    pub settings: PositionBasedSettings,
    /// The animated pose.
    pub animated: JointPose,
    /// Goals of the effectors and limbs.
    pub goals: Goals,
    /// Mobility of the pelvis's position: the root mobility times `1 − pin` of the body.
    pub root: f32,
    /// Mobility of each joint; that of trunk joints times the trunk mobility and `1 − pin` of the body.
    pub mobility: [f32; MAX_JOINTS],
    /// Position that each effector's joint should have, at most 100 heights from its animated position plus the
    /// effector's offset; model space.
    pub aims: [Vec3; Effector::COUNT],
    /// Rotation that each effector's joint should have; model space.
    pub aim_rotations: [Quat; Effector::COUNT],
    /// Angle by which each moved joint exceeds its limit in the animated pose, which the limits allow. Radians; 0 if
    /// limits are off.
    pub slack: [f32; MAX_JOINTS],
    /// If [`PositionBasedSettings::clip_limits`] is on, the result of [`Joints::clip_limits`]; `None` otherwise, for
    /// the anatomical limits.
    pub clip_limits: Option<JointLimits>,
    /// Whether constraints may move the joint: it is on the path from the pelvis to the joint of an effector with a
    /// target, or to the end of a limb with a bend goal. The last joint of a path counts only for a target rotation, or
    /// if it is the pelvis.
    pub is_moved: [bool; MAX_JOINTS],
    /// Distance at which a target counts as reached, model units.
    pub tolerance: f32,
    order: [Constraint; MOST],
    count: usize,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            settings: PositionBasedSettings::default(),
            animated: JointPose::default(),
            goals: Goals::default(),
            root: 0.0,
            mobility: [0.0; MAX_JOINTS],
            aims: [Vec3::ZERO; Effector::COUNT],
            aim_rotations: [Quat::IDENTITY; Effector::COUNT],
            slack: [0.0; MAX_JOINTS],
            clip_limits: None,
            is_moved: [false; MAX_JOINTS],
            tolerance: 0.0,
            order: [Constraint::Rest; MOST],
            count: 0,
        }
    }
}

impl Frame {
    /// Reads the input of a solve into the default frame, in place: frames are 6 KB, and copies of them take stack.
    ///
    /// # Errors
    /// As [`Joints::read`].
    pub(super) fn read(
        &mut self,
        solver: &PositionBased,
        settings: &PositionBasedSettings,
        body: &full_body::Settings,
        pose: &[RigidTransform],
    ) -> Result<(), Fault> {
        let joints = solver.joints();
        self.settings = settings.clamped();
        self.animated = joints.read(pose)?;
        let placed = joints.place(&self.animated);
        self.goals = Goals::resolve(joints, body, &placed);
        let free = 1.0 - if body.pin.is_finite() { clamp(body.pin, 0.0, 1.0) } else { 0.0 };
        self.root = self.settings.root_mobility * free;
        self.clip_limits = self.settings.clip_limits.then(|| joints.clip_limits(self.settings.clip_margin));
        self.tolerance = self.settings.tolerance * joints.height();
        for joint in 0..joints.len().min(MAX_JOINTS) {
            let factor = if solver.is_trunk(joint) { self.settings.trunk_mobility * free } else { 1.0 };
            self.mobility[joint] = solver.joints().mobility(joint) * factor;
        }
        let farthest = FARTHEST * joints.height();
        for effector in Effector::ALL {
            let (index, goal) = (effector as usize, self.goals.of(effector));
            let way = goal.aim() - goal.animated;
            let far = length(way);
            let way = if far > farthest { way / far * farthest } else { way };
            self.aims[index] = if way.is_finite() { goal.animated + way } else { goal.animated };
            let aim = goal.aim_rotation();
            self.aim_rotations[index] = if aim.is_finite() { aim } else { goal.animated_rotation };
        }
        self.add_constraints(solver);
        if self.settings.limits {
            for joint in 0..joints.len().min(MAX_JOINTS) {
                if self.is_moved[joint] {
                    self.slack[joint] = self.limits(joints).violation(joint, self.animated.rotations[joint]);
                }
            }
        }
        Ok(())
    }

    /// Returns the limits of the solve: those from clips, or the anatomical ones.
    #[inline(always)]
    pub fn limits<'a>(&'a self, joints: &'a Joints) -> &'a JointLimits {
        self.clip_limits.as_ref().unwrap_or(&joints.limits)
    }

    fn add_constraints(&mut self, solver: &PositionBased) {
        let goals = self.goals;
        let ends = LimbName::ALL.map(|limb| (limb, Effector::END[limb.index()]));
        if goals.is_empty() {
            return;
        }
        if self.settings.rest_stiffness > 0.0 {
            self.add(Constraint::Rest);
        }
        if self.settings.limits {
            self.add(Constraint::Limits);
        }
        for (limb, effector) in ends {
            if goals.of(effector).has_position {
                self.add(Constraint::Length(limb));
            }
        }
        for effector in ORDER {
            if goals.of(effector).rotation_weight > 0.0 {
                self.add(Constraint::Rotation(effector));
                self.mark(solver, effector, 0);
            }
        }
        for (limb, effector) in ends {
            if goals.bends[limb.index()].counts() {
                self.add(Constraint::Bend(limb));
                self.mark(solver, effector, 1);
            }
        }
        for effector in ORDER {
            if goals.of(effector).has_position {
                self.add(Constraint::Position(effector));
                self.mark(solver, effector, 1);
            }
        }
    }

    fn add(&mut self, constraint: Constraint) {
        if let Some(place) = self.order.get_mut(self.count) {
            *place = constraint;
            self.count += 1;
        }
    }

    /// Marks the joints of a path as moved, except the last `but`. Always marks the pelvis.
    fn mark(&mut self, solver: &PositionBased, effector: Effector, but: usize) {
        let joints = solver.path(effector).joints();
        for &joint in &joints[..joints.len().saturating_sub(but).max(1)] {
            self.is_moved[usize::from(joint)] = true;
        }
    }

    /// Returns the constraints of all sub-steps, in their order. [`Constraint::Length`] runs only in the first sub-step,
    /// [`Constraint::Rest`] and [`Constraint::Limits`] only in later ones.
    #[inline(always)]
    pub fn constraints(&self) -> &[Constraint] {
        &self.order[..self.count]
    }

    /// Returns the compliance of a weighted constraint, relative to the mobility: the given one plus
    /// `softness · (1 / weight − 1)`.
    #[inline(always)]
    pub(super) fn compliance(&self, compliance: f32, weight: f32) -> f32 {
        if weight >= 1.0 { compliance } else { compliance + self.settings.softness * (1.0 / weight.max(1e-6) - 1.0) }
    }

    /// Returns the mobility of a joint for a target with the given pull, which scales the mobility of trunk joints.
    #[inline(always)]
    pub(super) fn mobility_for(&self, solver: &PositionBased, joint: usize, pull: f32) -> f32 {
        if solver.is_trunk(joint) { self.mobility[joint] * pull } else { self.mobility[joint] }
    }
}
