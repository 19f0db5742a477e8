//! Times and rotations of clips.

use glam::Quat;
use kinescope_ik::animation::{Clip, Interpolation, Track, TrackValues};
use kinescope_ik::rig::{LocalPose, LocalTransform};
use proptest::prelude::*;

use crate::common::property::property;

#[test]
fn a_time_wraps_into_its_clip() {
    let clip = Clip { duration: 2.0, ..Clip::default() };
    for (time, wrapped) in [(0.5, 0.5), (2.0, 0.0), (5.0, 1.0), (-0.5, 1.5), (-1e-20, 0.0), (f32::NAN, 0.0)] {
        assert_eq!(clip.wrap(time), wrapped);
    }
}

#[test]
fn rotations_turn_at_a_constant_speed() {
    let (from, to) = (Quat::IDENTITY, Quat::from_rotation_x(2.4));
    for end in [to, -to] {
        let track = Track {
            bone: 0,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0],
            values: TrackValues::Rotation(vec![from, end]),
        };
        let clip = Clip { duration: 1.0, tracks: vec![track], ..Clip::default() };
        for step in 0..=16 {
            let t = step as f32 / 16.0;
            let mut pose = LocalPose { bones: vec![LocalTransform::default()] };
            clip.sample(t, &mut pose);
            let off = pose.bones[0].rotation.dot(Quat::from_rotation_x(2.4 * t)).abs();
            assert!(off > 1.0 - 1e-6, "{t}: {off}");
        }
    }
}

property! {
    #[test]
    fn a_wrapped_time_is_within_its_clip(time in any::<f32>(), duration in any::<f32>()) {
        let wrapped = Clip { duration, ..Clip::default() }.wrap(time);
        prop_assert!(wrapped == 0.0 || (wrapped > 0.0 && wrapped < duration));
    }
}
