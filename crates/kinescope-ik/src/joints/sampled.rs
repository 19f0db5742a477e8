//! Joint limits from the range that clips use.

use glam::{Quat, Vec4};

use super::joint::{JointIndex, Joints};
use super::limits::{JointLimit, JointLimits, JointRange, JointRanges, MAX_JOINTS};
use super::pose::JointPose;
use crate::rig::{Clip, LocalPose, ModelPose, Skeleton};

/// Poses per second at which clips are sampled, within the limits below.
const RATE: f32 = 30.0;
const MOST_OF_CLIP: usize = 120;
/// The largest number of poses sampled of all clips together, unless two poses of each clip are more.
const MOST: usize = 1500;

impl JointRanges {
    /// Returns for each joint with a limit the range that contains its rotations in `poses`; `None` without poses.
    pub fn of_poses(joints: &Joints, poses: &[JointPose]) -> Option<Self> {
        if poses.is_empty() {
            return None;
        }
        let range = |joint: usize| {
            let own = joints.limits.get(joint)?;
            Some(of_joint(own, poses.iter().map(|pose| pose.rotations[joint])))
        };
        Some(Self { of: (0..joints.len()).map(range).collect() })
    }

    /// Returns the ranges that clips use: 30 poses a second, at most 120 of a clip and 1,500 of all clips, but at least two of
    /// each. `rest` is the pose of bones that a clip does not animate. Poses that cannot be read count as absent; `None` if
    /// there is none.
    pub fn of_clips(joints: &Joints, skeleton: &Skeleton, rest: &LocalPose, clips: &[Clip]) -> Option<Self> {
        let most = (MOST / clips.len().max(1)).clamp(2, MOST_OF_CLIP);
        let (mut local, mut model) = (rest.clone(), ModelPose::default());
        let mut poses = Vec::new();
        for clip in clips {
            let steps = ((clip.duration * RATE).ceil() as usize).clamp(1, most - 1);
            for step in 0..=steps {
                local.clone_from(rest);
                clip.sample(clip.duration * step as f32 / steps as f32, &mut local);
                model.set_from_local(skeleton, &local);
                poses.extend(joints.read(&model.bones));
            }
        }
        Self::of_poses(joints, &poses)
    }
}

impl JointLimits {
    /// Returns limits that contain the rotations of every joint in `poses`, widened by `margin` radians on each side; a
    /// negative or non-finite margin counts as 0. The axes are those of the joints' own limits; joints without one stay
    /// without. Returns the joints' own limits if there are no poses.
    pub fn from_poses(joints: &Joints, poses: &[JointPose], margin: f32) -> Self {
        JointRanges::of_poses(joints, poses).map_or(joints.limits, |ranges| Self::from_ranges(joints, &ranges, margin))
    }

    /// Returns the joint that exceeds its limit most, and by how much in radians; the pelvis and 0 if none does.
    pub fn largest_violation(&self, pose: &JointPose) -> (JointIndex, f32) {
        let each = (0..MAX_JOINTS).map(|joint| (joint, self.violation(joint, pose.rotations[joint])));
        each.fold((0, 0.0), |most, own| if own.1 > most.1 { own } else { most })
    }

    /// Returns the limits of ranges, widened by `margin` radians on each side; a negative or non-finite margin counts as 0. The
    /// axes are those of the joints' own limits, which a joint without a range keeps. Allocates nothing.
    pub fn from_ranges(joints: &Joints, ranges: &JointRanges, margin: f32) -> Self {
        let mut limits = joints.limits;
        let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
        for (limit, range) in limits.of.iter_mut().zip(&ranges.of) {
            if let (Some(own), Some(range)) = (limit, range) {
                let [least, most] = range.twist;
                let swing = range.swing.map(|angle| angle + margin);
                *own = JointLimit::new(range.centre, own.axis, own.side, swing, [least - margin, most + margin]);
            }
        }
        limits
    }
}

impl Joints {
    /// Returns the limits from the [ranges of the clips](Self::clip_ranges), widened by `margin` radians on each side; the
    /// anatomical limits without such ranges. Allocates nothing.
    pub fn clip_limits(&self, margin: f32) -> JointLimits {
        self.clip_ranges.as_ref().map_or(self.limits, |ranges| JointLimits::from_ranges(self, ranges, margin))
    }
}

fn of_joint(own: &JointLimit, rotations: impl Iterator<Item = Quat> + Clone) -> JointRange {
    // The normalized sum of quaternions on one hemisphere is close to their mean rotation.
    let first = rotations.clone().next().unwrap_or(own.centre);
    let sum = rotations.clone().fold(Quat::from_vec4(Vec4::ZERO), |sum, rotation| {
        if rotation.dot(first) < 0.0 { sum - rotation } else { sum + rotation }
    });
    let centre = if sum.length() > 1e-3 && sum.is_finite() { sum.normalize() } else { first };
    let whole = JointLimit::new(centre, own.axis, own.side, own.swing, own.twist);
    let (mut swing, mut twist) = ([0.0f32; 2], [0.0f32; 2]);
    for rotation in rotations.clone() {
        let (own_swing, own_twist) = whole.angles(rotation);
        for index in 0..2 {
            swing[index] = swing[index].max(own_swing[index].abs());
        }
        twist = [twist[0].min(own_twist), twist[1].max(own_twist)];
    }
    // An ellipse with the largest swing about each axis may not contain a swing about both axes, so it is scaled.
    let mut gauge = 1.0f32;
    for rotation in rotations {
        let sine = |angle: f32| (angle.abs() * 0.5).sin();
        let (own_swing, _) = whole.angles(rotation);
        let part = |index: usize| sine(own_swing[index]) / sine(swing[index]).max(1e-3);
        gauge = gauge.max(part(0).hypot(part(1)));
    }
    let swing = swing.map(|angle| 2.0 * ((angle * 0.5).sin() * gauge).min(1.0).asin());
    JointRange { centre, swing, twist }
}
