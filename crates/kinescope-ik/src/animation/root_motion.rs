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

#[cfg(all(test, repository, feature = "import"))]
mod tests {
    use super::*;
    use crate::animation::TrackValues;
    use crate::rig::{LimbName, Model, detect, import};

    fn biped() -> (Model, BoneIndex, [BoneIndex; 2]) {
        let bytes = include_bytes!("../../../../assets/biped.glb");
        let model = import("biped.glb", bytes, &mut |uri| Err(uri.to_owned())).unwrap();
        let biped = detect(&model, &Default::default(), Default::default()).biped.unwrap();
        let feet = [LimbName::LeftLeg, LimbName::RightLeg].map(|limb| biped.limb(limb).bones[2]);
        (model, biped.pelvis, feet)
    }

    fn clip(model: &Model, name: &str) -> Clip {
        model.clips.iter().find(|clip| clip.name == name).unwrap().clone()
    }

    #[test]
    fn clips_on_the_spot_have_the_speed_they_were_made_for() {
        let (model, pelvis, feet) = biped();
        let rest = model.skeleton.rest_pose();
        // From the generator of the asset: the length of a period divided by its duration.
        for (name, speed) in [("idle", 0.0), ("walk", 1.1 / 1.1), ("run", 1.72 / 0.7), ("reach", 0.0)] {
            let motion = RootMotion::of(&clip(&model, name), &model.skeleton, &rest, pelvis, feet);
            println!("{name}: {motion:?}");
            assert_eq!(motion.drift, Vec3::ZERO, "{name}");
            assert!(motion.velocity.distance(Vec3::Z * speed) <= speed * 0.03 + 1e-3, "{name} {motion:?}");
        }
    }

    #[test]
    fn a_drift_is_measured_and_removed() {
        let (model, pelvis, feet) = biped();
        let (rest, still) = (model.skeleton.rest_pose(), clip(&model, "walk"));
        let gait = RootMotion::of(&still, &model.skeleton, &rest, pelvis, feet).velocity;
        let drift = Vec3::new(0.5, 0.0, 0.75);
        let mut moving = still.clone();
        for track in moving.tracks.iter_mut().filter(|track| track.bone == pelvis) {
            if let TrackValues::Translation(values) = &mut track.values {
                for (value, time) in values.iter_mut().zip(&track.times) {
                    *value += drift * *time;
                }
            }
        }
        let motion = RootMotion::of(&moving, &model.skeleton, &rest, pelvis, feet);
        assert!(motion.drift.distance(drift) < 1e-4, "{motion:?}");
        assert!(motion.velocity.distance(gait) < 1e-2, "{motion:?}");
        for time in [0.0, 0.3, 1.0] {
            let [mut removed, mut kept] = [rest.clone(), rest.clone()];
            moving.sample(time, &mut removed);
            motion.remove(time, &model.skeleton, &mut removed);
            still.sample(time, &mut kept);
            let [removed, kept] = [removed, kept].map(|local| ModelPose::from_local(&model.skeleton, &local));
            for foot in feet {
                assert!(removed.position(foot).distance(kept.position(foot)) < 1e-4);
            }
        }
    }

    #[test]
    fn invalid_clips_have_no_root_motion() {
        let (model, pelvis, feet) = biped();
        let (rest, walk) = (model.skeleton.rest_pose(), clip(&model, "walk"));
        let of = |clip: &Clip, rest: &LocalPose, pelvis| RootMotion::of(clip, &model.skeleton, rest, pelvis, feet);
        for duration in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(of(&Clip { duration, ..walk.clone() }, &rest, pelvis), RootMotion::default());
        }
        assert_eq!(of(&Clip { tracks: Vec::new(), ..walk.clone() }, &rest, pelvis), RootMotion::default());
        assert_eq!(of(&walk, &LocalPose::default(), pelvis), RootMotion::default());
        assert_eq!(of(&walk, &rest, 10_000), RootMotion::default());
    }
}
