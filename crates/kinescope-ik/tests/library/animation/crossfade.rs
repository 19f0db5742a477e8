//! Fades between clips.

use glam::{Quat, Vec3};
use kinescope_ik::animation::crossfade::MOST_FADES;
use kinescope_ik::animation::{Clip, Crossfade, Fade, Interpolation, Phase, Track, TrackValues};
use kinescope_ik::rig::{LocalPose, LocalTransform};
use proptest::prelude::*;

use crate::common::property::property;

/// Returns a clip that swings one bone back and forth, so it loops without a jump.
fn swing(duration: f32, from: Vec3, by: Vec3) -> Clip {
    let times = vec![0.0, duration * 0.5, duration];
    let places = [from, from + by, from].to_vec();
    let turns = places.iter().map(|&place| Quat::from_scaled_axis(place)).collect();
    let track = |values| Track { bone: 0, interpolation: Interpolation::Linear, times: times.clone(), values };
    let tracks = vec![track(TrackValues::Translation(places)), track(TrackValues::Rotation(turns))];
    Clip { duration, tracks, ..Clip::default() }
}

fn clips() -> Vec<Clip> {
    vec![
        swing(1.0, Vec3::ZERO, Vec3::new(0.4, 0.0, 0.1)),
        swing(0.7, Vec3::new(0.0, 0.5, 0.0), Vec3::new(-0.3, 0.0, 0.3)),
        swing(2.3, Vec3::new(-0.4, 0.0, 0.4), Vec3::new(0.2, 0.5, -0.2)),
    ]
}

fn rest() -> LocalPose {
    LocalPose { bones: vec![LocalTransform::IDENTITY; 2] }
}

fn shown(crossfade: &Crossfade, clips: &[Clip]) -> LocalPose {
    let (mut pose, mut scratch) = (LocalPose::default(), LocalPose::default());
    crossfade.sample(clips, &rest(), &mut scratch, &mut pose);
    pose
}

fn sampled(clip: &Clip, time: f32) -> LocalPose {
    let mut pose = rest();
    clip.sample(time, &mut pose);
    pose
}

#[test]
fn it_fades_from_one_clip_to_the_other() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    assert_eq!(shown(&crossfade, &clips), rest());
    assert!(crossfade.fade_to(0, 0.5, Phase::Restart, &clips), "without a current clip, the fade plays at once");
    assert_eq!((crossfade.current(), crossfade.fades().len()), (Some(0), 0));
    crossfade.step(0.25, 1.0, &clips);
    assert!(crossfade.fade_to(1, 0.5, Phase::Restart, &clips));
    crossfade.step(0.125, 1.0, &clips);
    let fade = crossfade.fades()[0];
    assert_eq!((fade.weight(), fade.elapsed, fade.time, crossfade.time()), (0.25, 0.125, 0.125, 0.375));
    crossfade.step(0.375, 1.0, &clips);
    assert_eq!((crossfade.current(), crossfade.time(), crossfade.fades().len()), (Some(1), 0.5, 0));
    assert_eq!(shown(&crossfade, &clips), sampled(&clips[1], 0.5));
}

#[test]
fn a_repeated_request_is_ignored() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    crossfade.play(0);
    assert!(!crossfade.fade_to(0, 1.0, Phase::Restart, &clips), "it plays");
    assert!(crossfade.fade_to(1, 1.0, Phase::Restart, &clips));
    assert!(!crossfade.fade_to(1, 1.0, Phase::Restart, &clips), "it comes");
    assert!(crossfade.fade_to(0, 1.0, Phase::Restart, &clips), "the clip still plays but fades out");
    assert_eq!(crossfade.fades().len(), 2);
}

#[test]
fn a_finished_fade_drops_all_before_it() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    crossfade.play(0);
    crossfade.fade_to(1, 10.0, Phase::Restart, &clips);
    crossfade.fade_to(2, 0.25, Phase::Restart, &clips);
    crossfade.fade_to(1, 5.0, Phase::Restart, &clips);
    crossfade.step(0.5, 1.0, &clips);
    assert_eq!(crossfade.current(), Some(2));
    assert_eq!(crossfade.fades(), [Fade { clip: 1, time: 0.5, duration: 5.0, elapsed: 0.5 }]);
}

#[test]
fn an_invalid_duration_fades_at_once() {
    let clips = clips();
    for duration in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-42] {
        let mut crossfade = Crossfade::new();
        crossfade.play(0);
        crossfade.fade_to(2, 1.0, Phase::Restart, &clips);
        assert!(crossfade.fade_to(1, duration, Phase::Restart, &clips));
        assert_eq!((crossfade.current(), crossfade.fades().len()), (Some(1), 0));
    }
}

#[test]
fn the_phase_is_kept_on_request() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    crossfade.play(0);
    crossfade.step(3.25, 1.0, &clips);
    assert_eq!(crossfade.time(), 0.25, "loops keep their times");
    crossfade.fade_to(1, 1.0, Phase::Keep, &clips);
    assert!((crossfade.fades()[0].time - 0.25 * 0.7).abs() < 1e-6);
    crossfade.fade_to(2, 0.0, Phase::Keep, &clips);
    assert!((crossfade.time() - 0.25 * 2.3).abs() < 1e-6);
}

#[test]
fn clips_without_length_or_keys_hold() {
    let mut clips = clips();
    // Clips of length 0, without keys, and with an invalid length. Clip 6 of the loop does not exist.
    clips.push(swing(0.0, Vec3::X, Vec3::ZERO));
    clips.push(Clip { duration: 1.0, ..Clip::default() });
    clips.push(Clip { duration: f32::NAN, ..clips[0].clone() });
    for clip in 3..7 {
        let mut crossfade = Crossfade::new();
        crossfade.play(0);
        crossfade.fade_to(clip, 0.5, Phase::Keep, &clips);
        crossfade.step(0.25, 1.0, &clips);
        assert!(shown(&crossfade, &clips).bones[0].translation.is_finite());
        crossfade.step(0.25, 1.0, &clips);
        crossfade.step(0.375, 1.0, &clips);
        let held = match clip {
            3 | 5 => sampled(&clips[clip], 0.0),
            _ => rest(),
        };
        assert_eq!(shown(&crossfade, &clips), held, "clip {clip}");
        assert!(crossfade.fade_to(0, 0.5, Phase::Keep, &clips));
        assert_eq!(crossfade.fades()[0].time.fract(), if clip == 4 { 0.875 } else { 0.0 });
    }
}

#[test]
fn an_invalid_time_step_changes_nothing() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    crossfade.play(0);
    crossfade.fade_to(1, 1.0, Phase::Restart, &clips);
    crossfade.step(0.25, 1.0, &clips);
    let before = crossfade.clone();
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        crossfade.step(dt, 1.0, &clips);
        assert_eq!(crossfade, before);
    }
}

#[test]
fn requests_beyond_the_most_are_ignored() {
    let clips = clips();
    let mut crossfade = Crossfade::new();
    crossfade.play(0);
    for request in 0..MOST_FADES * 2 {
        assert_eq!(crossfade.fade_to(1 + request % 2, 1e30, Phase::Restart, &clips), request < MOST_FADES);
    }
    assert_eq!(crossfade.fades().len(), MOST_FADES);
}

property! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_request_makes_the_pose_jump(
        requests in prop::collection::vec((0usize..3, 0.02f32..0.6, any::<bool>(), 1usize..60), 1..12),
        dt in 0.0002f32..0.002,
    ) {
        let clips = clips();
        let mut crossfade = Crossfade::new();
        crossfade.play(0);
        let mut last = shown(&crossfade, &clips);
        for (clip, duration, keep, steps) in requests {
            let phase = if keep { Phase::Keep } else { Phase::Restart };
            crossfade.fade_to(clip, duration, phase, &clips);
            prop_assert_eq!(&shown(&crossfade, &clips), &last, "a request alone does not change the pose");
            for _ in 0..steps {
                // A fade moves the bone by less than 2 in all, in position and in radians; a clip by less than 2 in
                // a second. The rest is a margin.
                let fading: f32 = crossfade.fades().iter().map(|fade| 1.0 / fade.duration).sum();
                let most = dt * (2.0 + 2.0 * fading) * 1.5 + 1e-5;
                crossfade.step(dt, 1.0, &clips);
                let pose = shown(&crossfade, &clips);
                let (a, b) = (last.bones[0], pose.bones[0]);
                let moved = a.translation.distance(b.translation);
                // For small angles, the distance between two quaternions is half the angle between the rotations.
                let turned = 2.0 * (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
                prop_assert!(moved <= most && turned <= most, "{moved} {turned} {most}");
                last = pose;
            }
        }
    }

    #[test]
    fn finally_only_the_target_remains(
        requests in prop::collection::vec((0usize..3, 0.0f32..2.0, 0.0f32..1.0), 1..12),
    ) {
        let clips = clips();
        let mut crossfade = Crossfade::new();
        for (clip, duration, dt) in requests {
            crossfade.fade_to(clip, duration, Phase::Restart, &clips);
            crossfade.step(dt, 1.0, &clips);
        }
        let (target, _) = crossfade.target().unwrap();
        crossfade.step(2.0, 1.0, &clips);
        prop_assert_eq!(crossfade.current(), Some(target));
        prop_assert!(crossfade.fades().is_empty());
        prop_assert_eq!(shown(&crossfade, &clips), sampled(&clips[target], crossfade.time()));
    }
}
