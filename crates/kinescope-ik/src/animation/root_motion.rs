//! Root motion: the movement in the clip itself, and the speed at which its feet do not slide.

use glam::Vec3;

use super::paths::{PLANTED_HEIGHT, ground_velocity, paths};
use crate::rig::{BoneIndex, Clip, LocalPose, ModelPose, Skeleton};

/// The two velocities of a clip in model space, model units per second, both horizontal (+Y is up).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootMotion {
    /// The velocity of the character within the clip; [`Self::remove`] removes it from a sampled pose.
    pub drift: Vec3,
    /// The velocity at which planted feet do not slide after the drift is removed.
    pub velocity: Vec3,
}

/// The largest horizontal distance between the pelvis at the start and at the end of a clip that counts as no drift, as
/// a fraction of the height of the pelvis above the left foot at rest.
const RETURNS: f32 = 0.05;

impl RootMotion {
    /// Measures a clip. Bones without tracks are at `rest`. Thresholds are for a human in metres, so model units should
    /// be metres.
    ///
    /// Both velocities are zero if the clip has no length or keys or is not finite, or if bones or pose do not fit the
    /// skeleton.
    pub fn of(clip: &Clip, skeleton: &Skeleton, rest: &LocalPose, pelvis: BoneIndex, feet: [BoneIndex; 2]) -> Self {
        let [left, right] = feet;
        let Ok(Some((paths, interval))) = paths(clip, skeleton, rest, &[pelvis, left, right]) else {
            return Self::default();
        };
        let rest = ModelPose::from_local(skeleton, rest);
        let leg = rest.position(pelvis).y - rest.position(left).y;
        Self::of_paths(&paths[0], [&paths[1], &paths[2]], (interval, clip.duration), leg)
    }

    /// Measures the [`paths`] of pelvis and feet, whose samples are `interval` seconds apart. `leg` is the height of
    /// the pelvis above the left foot at rest.
    pub(crate) fn of_paths(pelvis: &[Vec3], feet: [&[Vec3]; 2], (interval, duration): (f32, f32), leg: f32) -> Self {
        let way = pelvis.last().zip(pelvis.first()).map_or(Vec3::ZERO, |(last, first)| (last - first).with_y(0.0));
        let drift = if way.length() > RETURNS * leg.abs() { way / duration } else { Vec3::ZERO };
        let [left, right] = feet.map(|foot| ground_velocity(foot, interval, PLANTED_HEIGHT));
        let motion = Self { drift, velocity: drift - (left + right) * 0.5 };
        if motion.drift.is_finite() && motion.velocity.is_finite() { motion } else { Self::default() }
    }

    /// Removes the drift from a pose sampled at `time` (seconds within the clip), by moving the roots of the skeleton.
    pub fn remove(&self, time: f32, skeleton: &Skeleton, pose: &mut LocalPose) {
        for (bone, local) in skeleton.bones().iter().zip(&mut pose.bones) {
            // Roots are in model space and carry all other bones.
            if bone.parent.is_none() {
                local.translation -= self.drift * time;
            }
        }
    }
}
