//! Joint limits from the range that clips use.

use glam::Quat;

use super::joint::Joints;
use super::limits::{JointLimit, JointLimits};
use super::pose::JointPose;

impl JointLimits {
    /// Returns limits that contain the rotations of every joint in `poses`, widened by `margin` radians on each side; a
    /// negative or non-finite margin counts as 0. The axes are those of the joints' own limits; joints without one stay
    /// without. Returns the joints' own limits if there are no poses.
    pub fn from_poses(joints: &Joints, poses: &[JointPose], margin: f32) -> Self {
        let mut limits = joints.limits;
        if poses.is_empty() {
            return limits;
        }
        let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
        for (joint, limit) in limits.of.iter_mut().enumerate() {
            if let Some(own) = limit {
                *own = of_joint(own, poses.iter().map(|pose| pose.rotations[joint]), margin);
            }
        }
        limits
    }
}

fn of_joint(own: &JointLimit, rotations: impl Iterator<Item = Quat> + Clone, margin: f32) -> JointLimit {
    // The normalized sum of quaternions on one hemisphere is close to their mean rotation.
    let first = rotations.clone().next().unwrap_or(own.centre);
    let sum = rotations.clone().fold(Quat::from_vec4(glam::Vec4::ZERO), |sum, rotation| {
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
    // The box of all swings is widened to the ellipse that contains every one.
    let mut gauge = 1.0f32;
    for rotation in rotations {
        let sine = |angle: f32| (angle.abs() * 0.5).sin();
        let (own_swing, _) = whole.angles(rotation);
        let part = |index: usize| sine(own_swing[index]) / sine(swing[index]).max(1e-3);
        gauge = gauge.max(part(0).hypot(part(1)));
    }
    let swing = swing.map(|angle| 2.0 * ((angle * 0.5).sin() * gauge).min(1.0).asin() + margin);
    JointLimit::new(centre, own.axis, own.side, swing, [twist[0] - margin, twist[1] + margin])
}
