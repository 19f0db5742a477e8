//! Frame and state of a solve, and what a solve keeps for the next frame.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::settings::LeastSquaresSettings;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::{Goals, JointLimits, JointPose, Joints, MAX_JOINTS, Placement};
use crate::math::{FARTHEST, read_rotation};
use crate::names::Effector;
use crate::rig::RigidTransform;

/// Smallest and largest damping, see [`LeastSquaresSettings::damping`].
pub(super) const DAMPING: [f32; 2] = [1e-6, 1e3];

/// How far a solve may turn a joint beyond its limit, in addition to the excess of the animated pose; radians:
/// 2.9°. Up to there the weight of the limits decides.
pub(super) const SLACK: f32 = 0.05;

/// Number of terms of the sum of squares.
pub const TERMS: usize = 8;

/// Constants of a solve. Model space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Settings, clamped.
    pub settings: LeastSquaresSettings,
    /// Goals of the effectors and limbs.
    pub goals: Goals,
    /// The animated pose.
    pub animated: JointPose,
    /// The last solved pose, carried by the animation since; the animated pose without a last one.
    pub last: JointPose,
    /// Whether there is a last pose that fits: with this character's number of joints, and without a shift beyond the
    /// range of positions.
    pub has_last: bool,
    /// How far the animated pose exceeds each joint's limit, radians; 0 if limits have no weight. Limits do not correct the
    /// animation.
    pub allowed: [f32; MAX_JOINTS],
    /// If [`LeastSquaresSettings::clip_limits`] is on, the result of [`Joints::clip_limits`]; `None` otherwise, for the
    /// anatomical limits.
    pub clip_limits: Option<JointLimits>,
    /// Whether the solve runs: master weight and number of iterations are above 0, and there is a target or bend goal,
    /// or a weight of balance or separation.
    pub is_needed: bool,
}

/// Everything that steps change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Position of the pelvis; model space.
    pub root: Vec3,
    /// Rotation of each joint relative to its parent joint; that of the pelvis in model space.
    pub rotations: [Quat; MAX_JOINTS],
    /// Damping of the next iteration.
    pub damping: f32,
    /// For each term, the root of the sum of its squared weighted residuals when its stage last ran; 0 before. In the
    /// order of [`Stage::TERMS`](super::Stage::TERMS).
    pub residuals: [f32; TERMS],
    /// The largest turn of a joint in the last iteration, radians; 0 if the iteration accepted no update. Infinite
    /// before the first iteration, and before the first with a weaker [`Self::pull`].
    pub turned: f32,
    /// The share of the squared weights of the animated pose that counts: 1, and less once [`Stage::Ease`](super::Stage::Ease)
    /// has run.
    pub pull: f32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            root: Vec3::ZERO,
            rotations: [Quat::IDENTITY; MAX_JOINTS],
            damping: 0.0,
            residuals: [0.0; TERMS],
            turned: f32::INFINITY,
            pull: 1.0,
        }
    }
}

impl State {
    /// Returns the pose of the joints.
    pub fn pose(&self, frame: &Frame) -> JointPose {
        JointPose { root: self.root, rotations: self.rotations, offsets: frame.animated.offsets }
    }
}

/// The last solved pose relative to the animation, which a solve keeps for the next frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LastPose {
    /// Shift of the pelvis, model space.
    pub shift: Vec3,
    /// Turn of each joint, in the joint's space; empty without a last pose.
    pub turns: Vec<Quat>,
}

impl LastPose {
    /// Stores the result of a solve. Allocates only if `turns` has no room for all joints.
    pub fn keep(&mut self, joints: &Joints, frame: &Frame, state: &State) {
        self.shift = state.root - frame.animated.root;
        self.turns.clear();
        let both = frame.animated.rotations.iter().zip(&state.rotations);
        self.turns.extend(both.take(joints.len()).map(|(was, is)| (was.conjugate() * *is).normalize()));
    }
}

impl Frame {
    /// Returns the limits of the solve: those from clips, or the anatomical ones.
    #[inline]
    pub fn limits<'a>(&'a self, joints: &'a Joints) -> &'a JointLimits {
        self.clip_limits.as_ref().unwrap_or(&joints.limits)
    }

    /// Returns the axis, in the parent joint's space, about which `rotation` turns back to the joint's limit, and the
    /// angle in radians by which its excess is larger than that of the animated pose. `None` if it is not larger, and
    /// for a joint without a limit.
    #[inline]
    pub(super) fn beyond(&self, joints: &Joints, joint: usize, rotation: Quat) -> Option<(Vec3, f32)> {
        let (axis, angle) = self.limits(joints).get(joint)?.excess(rotation)?;
        let over = angle - self.allowed[joint];
        (over > 0.0).then_some((axis, over))
    }

    /// Turns each joint that exceeds its limit by over [`SLACK`] more than the animated pose does back to that excess.
    /// Does nothing if limits have no weight.
    pub(super) fn stop(&self, joints: &Joints, state: &mut State) {
        if self.settings.limits <= 0.0 {
            return;
        }
        for joint in 0..joints.len() {
            let rotation = &mut state.rotations[joint];
            if let Some((axis, over)) = self.beyond(joints, joint, *rotation).filter(|(_, over)| *over > SLACK) {
                let back = (Quat::from_axis_angle(axis, over - SLACK) * *rotation).normalize();
                if back.is_finite() {
                    *rotation = back;
                }
            }
        }
    }

    /// Returns the weight of an effector's position: the weight of the term, times the effector's position weight and
    /// the master weight, times `0.1 + 0.9 · pull` of its limb. An effector without a position weight, which has a
    /// target only by an offset, gets the weight of the term times `0.1 + 0.9 · pull`.
    pub fn position_weight(&self, effector: Effector) -> f32 {
        let goal = self.goals.of(effector);
        let share = if goal.weight > 0.0 { goal.weight } else { 1.0 };
        self.settings.position * share * (0.1 + 0.9 * goal.pull)
    }

    /// Reads a frame: the animated pose (model space, one transform per bone), the settings of the full body with the
    /// targets, and the last pose. Returns also the state before the first step.
    ///
    /// # Errors
    /// [`Fault`] for a pose that [`Joints::read`] refuses.
    pub fn read(
        joints: &Joints,
        settings: &LeastSquaresSettings,
        targets: &Settings,
        last: Option<&LastPose>,
        pose: &[RigidTransform],
    ) -> Result<(Self, State), Fault> {
        let mut frame = Self::default();
        let state = frame.read_into(joints, settings, targets, last, pose)?;
        Ok((frame, state))
    }

    /// Reads as [`Self::read`] does, into an existing frame, whose size would otherwise be needed on the stack again.
    pub(super) fn read_into(
        &mut self,
        joints: &Joints,
        settings: &LeastSquaresSettings,
        targets: &Settings,
        last: Option<&LastPose>,
        pose: &[RigidTransform],
    ) -> Result<State, Fault> {
        self.settings = settings.clamped();
        let settings = &self.settings;
        joints.read_into(pose, &mut self.animated)?;
        let mut placement = Placement::default();
        joints.place_into(&self.animated, &mut placement);
        self.goals = Goals::resolve(joints, targets, &placement);
        self.clip_limits = settings.clip_limits.then(|| joints.clip_limits(settings.clip_margin));
        self.allowed = [0.0; MAX_JOINTS];
        if settings.limits > 0.0 {
            let limits = self.clip_limits.as_ref().unwrap_or(&joints.limits);
            for (joint, allowed) in self.allowed.iter_mut().enumerate().take(joints.len()) {
                *allowed = limits.violation(joint, self.animated.rotations[joint]);
            }
        }
        let is_near = |shift: Vec3| shift.abs().max_element() <= FARTHEST;
        let known = last.filter(|last| last.turns.len() == joints.len() && is_near(last.shift));
        self.has_last = known.is_some();
        self.last = self.animated;
        if let Some(last) = known {
            self.last.root += last.shift;
            for (index, &turn) in last.turns.iter().enumerate().take(MAX_JOINTS) {
                let rotation = &mut self.last.rotations[index];
                let turned = (*rotation * read_rotation(turn).unwrap_or_default()).normalize();
                if turned.is_finite() {
                    *rotation = turned;
                }
            }
        }
        let wants = settings.balance > 0.0 || settings.separation > 0.0;
        let has_goal = wants || !self.goals.is_empty();
        self.is_needed = self.goals.weight > 0.0 && settings.iterations > 0 && has_goal;
        let start = if settings.warm_start { &self.last } else { &self.animated };
        let mut state = State {
            root: start.root,
            rotations: start.rotations,
            damping: settings.damping.max(DAMPING[0]),
            ..State::default()
        };
        // The last pose, carried by another animation, may exceed limits.
        self.stop(joints, &mut state);
        Ok(state)
    }
}
