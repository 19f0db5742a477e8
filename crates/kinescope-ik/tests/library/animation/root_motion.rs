//! The root motion of the mannequin's clips: speed on the spot, and drift.

use glam::Vec3;
use kinescope_ik::animation::{Clip, RootMotion, TrackValues};
use kinescope_ik::rig::{BoneIndex, LimbName, LocalPose, Model, ModelPose, detect, import};

fn biped() -> (Model, BoneIndex, [BoneIndex; 2]) {
    let bytes = include_bytes!("../../../../../assets/biped.glb");
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
