//! Bug capsules of the built-in biped: they read back bit for bit and detect changed results.

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
use kinescope_ik::full_body::{ChainSettings, Effector, EffectorSettings, Node, Nodes, Settings, SolverSettings};
use kinescope_ik::parameter::Parameters;
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{LayerId, Tools};
use proptest::prelude::*;

use crate::common::built_in::{BuiltIn, built_in, input};
use crate::common::property::property;

/// Returns a capsule of the start of the walk; each frame is solved with one element of `frames`.
pub fn capsule(preset: Settings, frames: &[Settings]) -> Capsule {
    let built_in = built_in();
    let BuiltIn { model, .. } = built_in;
    let rig = built_in.rig();
    let frames = frames.iter().enumerate().map(|(index, settings)| {
        let time = index as f32 / 30.0;
        CapsuleFrame::solve(&rig, Tools::default(), time, &input(settings, built_in.pose("walk", time)))
    });
    let mut preset = Preset { settings: preset, ..Preset::default() };
    preset.sections.insert("terrain".into(), serde_json::json!({ "steps": [0.1, 0.25] }));
    Capsule {
        name: "left elbow flips on the stairs".into(),
        model: model.name.clone(),
        skeleton: (*model.skeleton).clone(),
        biped: Some(built_in.biped().clone()),
        legs: None,
        clip_ranges: None,
        reference: built_in.reference().to_vec(),
        preset,
        frames: frames.collect(),
        instant: Instant { iteration: Some(2), stage: "stage2".to_owned(), within: Some(3), ..Instant::default() },
    }
}

pub fn pulled() -> Settings {
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    hand.position = Some(Vec3::new(0.3, 1.3, 0.5));
    hand.position_weight = 1.0;
    settings
}

/// Returns the capsule as written to and read from a file, with the local rest transforms restored: files do not store
/// these.
fn read_back(capsule: &Capsule) -> Capsule {
    let mut back = Capsule::from_json(&capsule.to_json()).unwrap();
    for (bone, original) in back.skeleton.bones().iter().zip(capsule.skeleton.bones()) {
        assert_eq!((&bone.name, bone.parent), (&original.name, original.parent));
    }
    back.skeleton = capsule.skeleton.clone();
    back
}

pub fn bits(capsule: &Capsule) -> Vec<u32> {
    let of = |bone: &RigidTransform| bone.position.to_array().into_iter().chain(bone.rotation.to_array());
    let poses = capsule.frames.iter().flat_map(|frame| frame.input.animated.bones.iter().flat_map(of));
    let nodes = capsule.frames.iter().flat_map(|frame| nodes(frame).0.into_iter().flat_map(|node| node.to_array()));
    poses.chain(nodes).chain(capsule.reference.iter().flat_map(of)).map(f32::to_bits).collect()
}

fn nodes(frame: &CapsuleFrame) -> Nodes {
    frame.outcome.full_body.unwrap().1
}

fn settings_of(frame: &mut CapsuleFrame) -> &mut Settings {
    &mut Arc::make_mut(&mut frame.input.stack).full_body
}

fn error(capsule: &serde_json::Value) -> String {
    Capsule::from_json(&capsule.to_string()).unwrap_err().to_string()
}

#[test]
fn parameters_are_written_where_they_differ_from_the_preset() {
    let mut other = pulled();
    other.solver.weight = 0.5;
    let capsule = capsule(pulled(), &[pulled(), other]);
    let value: serde_json::Value = serde_json::from_str(&capsule.to_json()).unwrap();
    assert!(value["frames"][0]["parameters"].is_null());
    assert_eq!(value["frames"][1]["parameters"]["solver"]["weight"], 0.5);
    assert_eq!(value["instant"], serde_json::json!({ "frame": 0, "iteration": 2, "stage": "stage2", "move": 3 }));
    assert_eq!(read_back(&capsule), capsule);
}

#[test]
fn without_weight_the_nodes_are_the_bones() {
    let settings = Settings::default();
    let mut none = settings;
    none.solver.weight = 0.0;
    let capsule = capsule(settings, &[none]);
    let hand = built_in().solver.bone_of(Node::LeftHand);
    assert_eq!(nodes(&capsule.frames[0])[Node::LeftHand], capsule.frames[0].input.animated.bones[hand].position);
    assert_eq!(capsule.check(|_| None), Ok(vec![]));
}

#[test]
fn a_change_names_the_node_and_its_distance() {
    let mut capsule = capsule(pulled(), &[pulled(), pulled()]);
    settings_of(&mut capsule.frames[1]).effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.3, 1.3, 0.45));
    let changes = capsule.check(|_| None).unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].frame, changes[0].layer), (1, LayerId::FullBody));
    assert!(["left_forearm", "left_hand", "left_upper_arm"].contains(&changes[0].point.as_str()), "{changes:?}");
    // The distance is that of the node which moves most: the elbow moves farther than the hand.
    assert!((0.045..0.2).contains(&changes[0].distance), "{changes:?}");
    // A change that moves no node: the rotation of the hand.
    *settings_of(&mut capsule.frames[1]) = pulled();
    settings_of(&mut capsule.frames[1]).chains[0].maintain_rotation = 1.0;
    let changes = capsule.check(|_| None).unwrap();
    assert_eq!((changes.len(), changes[0].distance), (1, 0.0));
}

#[test]
fn invalid_parts_are_named() {
    let good: serde_json::Value = serde_json::from_str(&capsule(pulled(), &[pulled()]).to_json()).unwrap();
    let with = |change: fn(&mut serde_json::Value)| {
        let mut value = good.clone();
        change(&mut value);
        error(&value)
    };
    assert!(with(|value| value["frames"] = serde_json::json!([])).starts_with("frames: is empty"));
    assert!(with(|value| value["instant"]["frame"] = 1.into()).starts_with("instant.frame: is 1"));
    assert!(with(|value| value["frames"][0]["hash"] = "12".into()).starts_with("frames[0].hash: is \"12\""));
    assert!(with(|value| value["frames"][0]["hash"] = "+123456789abcdef".into()).contains("16 hexadecimal"));
    assert!(with(|value| value["frames"][0]["time"] = 1e39.into()).starts_with("frames[0].time"));
    assert!(with(|value| value["frames"][0]["extra"] = 1.into()).contains("extra"));
    assert!(with(|value| value["preset"]["solver"]["weight"] = 2.into()).starts_with("preset.solver.weight: is 2"));
    assert!(with(|value| value["preset"] = 7.into()).starts_with("preset: a preset is a JSON object"));
    assert!(with(|value| value["rig"]["biped"]["left_hand"] = 999.into()).starts_with("rig.biped.left_hand: is 999"));
    assert!(with(|value| value["rig"]["bones"][3]["parent"] = 3.into()).starts_with("rig.bones[3].parent"));
    assert!(with(|value| value["rig"]["bones"][3]["animated"] = 3.into()).contains("unknown field \"animated\""));
    let rotation = with(|value| value["frames"][0]["animated"][2]["rotation"] = serde_json::json!([0, 0, 0, 2]));
    assert!(rotation.starts_with("frames[0].animated[2].rotation: has length 2"), "{rotation}");
    let name = good["rig"]["bones"][2]["name"].as_str().unwrap();
    assert!(!name.is_empty() && rotation.ends_with(&format!("the bone is {name:?}")), "{rotation}");
    let short = |value: &mut serde_json::Value| {
        value["frames"][0]["animated"].as_array_mut().unwrap().pop();
    };
    assert!(with(short).starts_with("frames[0].animated: has "));
    let gone = |value: &mut serde_json::Value| {
        value["frames"][0]["nodes"].as_object_mut().unwrap().remove("body");
    };
    assert!(with(gone).starts_with("frames[0].nodes.body: is missing"));
    assert!(with(|value| value["format"] = "kinescope-trace".into()).starts_with("format"));
    assert!(with(|value| value["version"] = 2.into()).starts_with("version: is 2"));
}

/// Returns random settings within their ranges, with a master weight of at least 0.1, so that a solve has an effect.
fn any_settings() -> impl Strategy<Value = Settings> {
    let numbers = prop::collection::vec(0.0f32..=1.0, 80);
    let points = prop::collection::vec((-0.5f32..0.5, 0.2f32..1.7, -0.5f32..0.5), 13);
    (numbers, points, prop::collection::vec(any::<bool>(), 27)).prop_map(|(numbers, points, flags)| {
        let mut settings = Settings::default();
        let (mut numbers, mut flags) = (numbers.into_iter(), flags.into_iter());
        let mut number = || numbers.next().unwrap();
        let mut points = points.into_iter().map(Vec3::from);
        for parameter in SolverSettings::PARAMETERS.iter().filter(|parameter| !parameter.is_whole()) {
            settings.solver.set_number(parameter.key, parameter.min + number() * (parameter.max - parameter.min));
        }
        settings.solver.weight = settings.solver.weight.max(0.1);
        settings.pin = number();
        for chain in &mut settings.chains {
            for parameter in ChainSettings::PARAMETERS {
                chain.set_number(parameter.key, parameter.min + number() * (parameter.max - parameter.min));
            }
            chain.bend_goal = points.next().filter(|_| flags.next() == Some(true));
        }
        for effector in &mut settings.effectors {
            for parameter in EffectorSettings::PARAMETERS {
                let on = flags.next() == Some(true);
                effector.set_number(parameter.key, if on { number() } else { 0.0 });
            }
            effector.position = points.next();
            effector.rotation = Some(Quat::from_rotation_x(effector.position_weight));
        }
        settings
    })
}

property! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn capsules_read_back_bit_for_bit_and_pass(
        preset in any_settings(),
        frames in prop::collection::vec(any_settings(), 1..4),
    ) {
        let capsule = capsule(preset, &frames);
        let back = read_back(&capsule);
        prop_assert_eq!(&back, &capsule);
        prop_assert_eq!(bits(&back), bits(&capsule));
        prop_assert_eq!(back.to_json(), capsule.to_json());
        prop_assert_eq!(back.check(|_| None), Ok(vec![]));
    }

    #[test]
    fn one_number_of_the_pose_changed_is_noticed(
        settings in any_settings(),
        bone in any::<prop::sample::Index>(),
        axis in 0..3usize,
    ) {
        let mut capsule = capsule(Settings::default(), &[settings, settings]);
        let pose = &mut Arc::make_mut(&mut capsule.frames[1].input.animated).bones;
        let bone = bone.index(pose.len());
        pose[bone].position[axis] += 0.001;
        let changes = read_back(&capsule).check(|_| None).unwrap();
        prop_assert_eq!(changes.iter().map(|change| change.frame).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn one_parameter_changed_is_noticed(mut settings in any_settings(), which in 0..3) {
        let target = settings.effector_mut(Effector::LeftHand);
        (target.position, target.position_weight) = (Some(Vec3::new(0.3, 1.3, 0.4)), 0.5);
        let mut capsule = capsule(settings, &[settings]);
        let settings = settings_of(&mut capsule.frames[0]);
        match which {
            0 => settings.effector_mut(Effector::LeftHand).position_weight = 0.501,
            1 => settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.3, 1.301, 0.4)),
            _ => settings.solver.weight *= 0.999,
        }
        prop_assert_eq!(read_back(&capsule).check(|_| None).unwrap().len(), 1);
    }

    #[test]
    fn broken_text_never_panics(
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in 0x20u8..0x7f,
    ) {
        static TEXT: OnceLock<String> = OnceLock::new();
        let text = TEXT.get_or_init(|| capsule(pulled(), &[pulled()]).to_json());
        // The capsule's text is ASCII, so it may be cut at any byte.
        prop_assert!(Capsule::from_json(&text[..cut.index(text.len() - 2)]).is_err());
        let mut mutated = text.clone().into_bytes();
        mutated[at.index(text.len())] = byte;
        if let Ok(capsule) = Capsule::from_json(&String::from_utf8(mutated).unwrap()) {
            let _ = capsule.check(|_| None);
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = Capsule::from_json(&text);
    }
}
