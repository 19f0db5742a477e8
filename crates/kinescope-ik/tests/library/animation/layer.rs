//! Layers of clips that are blended with a pose or added to it.

use glam::Vec3;
use kinescope_ik::animation::{
    Base, Binding, Clip, Formula, Inputs, Interpolation, LayerInput, LayerKind, PoseLayer, Track, TrackValues,
};
use kinescope_ik::rig::{Bone, LocalPose, LocalTransform, MorphTrack, Skeleton};

/// Returns one clip, which moves a bone from x = 1 to x = 3 in a second.
fn clips() -> Vec<Clip> {
    let values = TrackValues::Translation(vec![Vec3::X, Vec3::X * 3.0]);
    let track = Track { bone: 0, interpolation: Interpolation::Linear, times: vec![0.0, 1.0], values };
    vec![Clip { name: "go".to_owned(), duration: 1.0, tracks: vec![track], ..Clip::default() }]
}

fn laid_on(layer: &PoseLayer, running: f32) -> f32 {
    laid_on_by(layer, &Inputs { running, ..Inputs::default() })
}

fn laid_on_by(layer: &PoseLayer, inputs: &Inputs) -> f32 {
    let bone = Bone { name: "bone".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    let (rest, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose());
    let character = (&clips()[..], &skeleton, &rest);
    layer.apply(character, inputs, Formula::default(), &mut LocalPose::default(), &mut pose);
    pose.bones[0].translation.x
}

#[test]
fn a_layer_blends_or_adds_at_its_own_time() {
    let blend = PoseLayer { clip: "go".to_owned(), time: Some(0.5), weight: 0.5, ..PoseLayer::default() };
    assert_eq!(laid_on(&blend, 9.0), 1.0);
    let runs = PoseLayer { time: None, ..blend.clone() };
    assert_eq!(laid_on(&runs, 3.25), 0.75);
    let adds = PoseLayer { kind: LayerKind::Additive, weight: 2.0, ..blend.clone() };
    assert_eq!(laid_on(&adds, 0.0), 2.0);
    let under = PoseLayer { under: Some("bone".to_owned()), ..blend.clone() };
    assert_eq!(laid_on(&under, 0.0), 1.0);
    let nothing = [
        PoseLayer { off: true, ..blend.clone() },
        PoseLayer { weight: 0.0, ..blend.clone() },
        PoseLayer { clip: "swim".to_owned(), ..blend.clone() },
    ];
    assert_eq!(nothing.map(|layer| laid_on(&layer, 0.5)), [0.0; 3]);
    assert_eq!(adds.validate(), Ok(()));
    let masked = |name: &str, weight: f32| PoseLayer { mask: [(name.to_owned(), weight)].into(), ..blend.clone() };
    assert_eq!([("bone", 0.5), ("tail", 0.0)].map(|(name, weight)| laid_on(&masked(name, weight), 9.0)), [0.5, 1.0]);
    assert!(masked("bone", 2.0).validate().is_err());
    assert!(PoseLayer { weight: 2.0, ..blend }.validate().is_err());
}

/// At 0.5 s the clip is at x = 2, at 0.25 s at 1.5, in its first frame at 1; the rest pose is at 0.
#[test]
fn the_base_of_an_additive_layer_is_a_time_or_the_rest_pose() {
    let adds = |base: Base| {
        let (kind, clip, time) = (LayerKind::Additive, "go".to_owned(), Some(0.5));
        PoseLayer { kind, clip, time, weight: 1.0, base, ..PoseLayer::default() }
    };
    for (base, x) in [(Base::default(), 1.0), (Base::Time(0.25), 0.5), (Base::Time(1.0), -1.0), (Base::Rest, 2.0)] {
        assert_eq!(laid_on(&adds(base), 0.0), x, "{base:?}");
    }
    let read = |text: &str| serde_json::from_str::<PoseLayer>(text).unwrap().base;
    assert_eq!(
        ["{}", r#"{"base": "rest"}"#, r#"{"base": {"time": 0.5}}"#].map(read),
        [Base::Time(0.0), Base::Rest, Base::Time(0.5)]
    );
    let fault = adds(Base::Time(-1.0)).validate().unwrap_err().to_string();
    assert!(fault.contains("base.time"), "{fault}");
}

/// The clip moves the first of two morphs, from 0.2 to 0.6 in a second. The file's weight is 0.1.
#[test]
fn layers_change_the_morph_targets_of_their_clip() {
    let mut clips = clips();
    let (times, values) = (vec![0.0, 1.0], vec![0.2, 0.6]);
    clips[0].morphs = vec![MorphTrack { morph: 0, interpolation: Interpolation::Linear, times, values }];
    let rest = vec![vec![0.1], vec![0.1]];
    let laid_on = |layer: &PoseLayer| {
        let mut weights = vec![vec![0.5], vec![0.7]];
        layer.apply_morphs(&clips, &rest, &Inputs { running: 0.5, ..Inputs::default() }, &mut weights);
        assert_eq!(weights[1], [0.7], "no track moves it");
        weights[0][0]
    };
    let blend = PoseLayer { clip: "go".to_owned(), weight: 0.5, ..PoseLayer::default() };
    let adds = PoseLayer { kind: LayerKind::Additive, ..blend.clone() };
    for (layer, expected) in [
        (blend.clone(), 0.45),
        (PoseLayer { time: Some(1.0), weight: 1.0, ..blend.clone() }, 0.6),
        (PoseLayer { off: true, ..blend.clone() }, 0.5),
        (PoseLayer { clip: "swim".to_owned(), ..blend }, 0.5),
        (PoseLayer { base: Base::Time(0.0), ..adds.clone() }, 0.6),
        (PoseLayer { base: Base::Rest, weight: -1.0, ..adds }, 0.2),
    ] {
        let found = laid_on(&layer);
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}: {layer:?}");
    }
    // A character with fewer morphs than the clip.
    let mut none = Vec::new();
    PoseLayer { clip: "go".to_owned(), weight: 1.0, ..PoseLayer::default() }.apply_morphs(
        &clips,
        &[],
        &Inputs::default(),
        &mut none,
    );
    assert!(none.is_empty());
}

#[test]
fn a_layer_scales_the_bones_that_it_names() {
    let bone = Bone { name: "bone".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    let rest = skeleton.rest_pose();
    let scaled = |kind, by: f32, before: f32, subtract_scale| {
        let scale = [("bone".to_owned(), by), ("tail".to_owned(), 3.0)].into();
        let layer = PoseLayer { kind, clip: "go".to_owned(), weight: 1.0, scale, ..PoseLayer::default() };
        assert_eq!(layer.validate(), Ok(()));
        let mut pose = skeleton.rest_pose();
        pose.bones[0].scale = Vec3::splat(before);
        let formula = Formula { subtract_scale, ..Formula::default() };
        let character = (&clips()[..], &skeleton, &rest);
        layer.apply(character, &Inputs::default(), formula, &mut LocalPose::default(), &mut pose);
        pose.bones[0].scale
    };
    assert_eq!(scaled(LayerKind::Blend, 0.4, 1.0, false), Vec3::splat(0.4));
    assert_eq!(scaled(LayerKind::Additive, 0.5, 0.4, false), Vec3::splat(0.2));
    assert!((scaled(LayerKind::Additive, 0.5, 0.4, true) - Vec3::splat(-0.1)).length() < 1e-6);
    let broken = PoseLayer { scale: [("bone".to_owned(), 0.0)].into(), ..PoseLayer::default() };
    assert!(broken.validate().unwrap_err().to_string().contains("scale.bone"));
}

#[test]
fn weight_and_time_follow_pace_and_keys() {
    let layer = PoseLayer {
        kind: LayerKind::Additive,
        clip: "go".to_owned(),
        time: Some(1.0),
        weight_by: Some(Binding::of(LayerInput::Keys, -1.0, 1.0)),
        ..PoseLayer::default()
    };
    let keys = |keys: f32| laid_on_by(&layer, &Inputs { keys, ..Inputs::default() });
    assert_eq!([-1.0, -0.5, 0.0, 0.5, 1.0, 7.0].map(keys), [-2.0, -1.0, 0.0, 1.0, 2.0, 2.0]);
    assert_eq!(keys(f32::NAN), -2.0);
    let time_by = Some(Binding { input: LayerInput::Pace, from: 1.0, to: 3.0, low: 0.0, high: 1.0 });
    let by_pace = PoseLayer { time_by, weight: 1.0, weight_by: None, time: None, ..layer.clone() };
    let pace = |pace: f32| laid_on_by(&by_pace, &Inputs { pace, running: 0.7, ..Inputs::default() });
    assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(pace), [0.0, 0.0, 1.0, 2.0, 2.0]);
    assert!(!by_pace.runs() && PoseLayer { time_by: None, ..by_pace.clone() }.runs());
    let steps = Binding { from: 1.0, to: 1.0, ..Binding::default() };
    assert_eq!([0.9, 1.0].map(|pace| steps.value(&Inputs { pace, ..Inputs::default() })), [0.0, 1.0]);
    assert_eq!((layer.validate(), by_pace.validate()), (Ok(()), Ok(())));
    let wrong = Binding { high: 3.0, ..Binding::default() };
    let fault = PoseLayer { weight_by: Some(wrong), ..layer }.validate().unwrap_err().to_string();
    assert!(fault.contains("weight_by.high"), "{fault}");
}
