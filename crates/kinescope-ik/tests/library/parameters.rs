//! Settings by the keys and paths of their numbers, their ranges, and their names in files.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};
use kinescope_ik::crowd::Rule;
use kinescope_ik::debugger::fields::changes;
use kinescope_ik::full_body::{self, Chain, Effector, Settings};
use kinescope_ik::parameter::{Parameter, Parameters, Source, SourceName, find, find_field};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::Stack;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::{chain_ik, grounding};
use serde::{Serialize, de::DeserializeOwned};

fn reaches_every_number<S: Parameters + Default + Serialize + DeserializeOwned>() {
    let json = |settings: &S| serde_json::to_value(settings).unwrap();
    let default = S::default();
    // Files omit some numbers at their default.
    let mut largest = S::default();
    for own in default.parameters() {
        largest.set_number(own.key, own.max);
    }
    let numbers = json(&largest).as_object().unwrap().values().filter(|value| value.is_number()).count();
    assert_eq!(default.parameters().len(), numbers);
    for parameter in default.parameters() {
        let Parameter { key, min, max, .. } = *parameter;
        assert_eq!(default.number(key), Some(parameter.default), "{key}");
        assert!(min < parameter.usual_max && parameter.usual_max <= max, "{key}");
        let mut settings = S::default();
        assert!(settings.set_number(key, max));
        assert!(settings.check_numbers().is_ok() && settings.are_numbers_usable());
        let (before, after) = (json(&default), json(&settings));
        for (field, value) in after.as_object().unwrap() {
            assert!(if field == key { *value == max } else { *value == before[field] }, "{key}: {field}");
        }
        settings.set_number(key, max + 1.0);
        assert_eq!(settings.check_numbers().unwrap_err().place, key);
        assert_eq!(settings.are_numbers_usable(), !parameter.is_whole());
        settings.clamp_numbers();
        assert_eq!(settings.number(key), Some(max));
    }
    assert_eq!(default.number("nonsense"), None);
    assert!(!S::default().set_number("nonsense", 0.0));
}

#[test]
fn every_number_is_reached_and_no_other() {
    reaches_every_number::<full_body::SolverSettings>();
    reaches_every_number::<full_body::ChainSettings>();
    reaches_every_number::<full_body::EffectorSettings>();
    reaches_every_number::<Rule>();
    reaches_every_number::<chain_ik::Settings>();
    reaches_every_number::<grounding::FootIkSettings>();
    reaches_every_number::<grounding::PredictiveSettings>();
    reaches_every_number::<grounding::DriveWeights>();
}

#[test]
fn numbers_and_fields_have_the_same_source_names() {
    let names = |sources: &[SourceName]| sources.iter().map(|own| own.name).collect::<Vec<_>>();
    let speed = find(grounding::FootIkSettings::PARAMETERS, "feet_to_ik_position_speed");
    assert_eq!(names(speed.sources), ["feetToIkPositionSpeed"]);
    assert_eq!(speed.sources[0].source, Source::FootIk);
    assert_eq!(speed.field(), *find_field(grounding::FootIkSettings::FIELDS, "feet_to_ik_position_speed"));
    let rotates = find_field(grounding::FootIkSettings::FIELDS, "rotate_feet");
    assert_eq!(names(rotates.sources), ["useIkFeature"]);
    assert_eq!(rotates.help, "Whether feet turn with the ground.");
    let settings = full_body::ChainSettings::FIELDS;
    assert!(settings.iter().any(|field| field.key == "bend_goal" && names(field.sources).contains(&"bendGoal")));
}

#[test]
fn range_errors_state_range_and_unit() {
    let mut weights = grounding::DriveWeights { pelvis: f32::NAN, ..Default::default() };
    assert!(!weights.are_numbers_usable());
    assert_eq!(weights.check_numbers().unwrap_err().to_string(), "pelvis: is NaN; it must be a number from 0 to 1");
    weights.clamp_numbers();
    assert_eq!(weights, grounding::DriveWeights::default());
    let solver = full_body::SolverSettings { iterations: 17, ..Default::default() };
    let error = solver.check_numbers().unwrap_err().to_string();
    assert_eq!(error, "iterations: is 17; it must be a whole number from 0 to 16");
}

#[test]
fn every_number_is_reached_by_its_path() {
    for parameter in ParameterId::all(&Stack::default()) {
        assert_eq!(ParameterId::from_path(&parameter.path()), Some(parameter));
        let [min, max] = parameter.range();
        let mut settings = Stack::default();
        let value = if parameter.get(&settings) == max { min } else { max };
        parameter.set(&mut settings, value);
        assert_eq!(parameter.get(&settings), value, "{}", parameter.path());
        let changed = changes(&Stack::default(), &settings);
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].path, parameter.path());
        parameter.set(&mut settings, f32::NAN);
        assert!(settings.validate().is_ok());
    }
    assert_eq!(ParameterId::from_path("chains.left_arm.weight"), None);
}

#[test]
fn out_of_range_is_named() {
    let mut settings = Settings::default();
    settings.chain_mut(LimbName::LeftArm).pull = 1.5;
    let error = settings.validate().unwrap_err().to_string();
    assert_eq!(error, "chains.left_arm.pull: is 1.5; it must be a number from 0 to 1");
    settings.chain_mut(LimbName::LeftArm).pull = f32::NAN;
    assert!(settings.validate().is_err());
    let mut settings = Settings::default();
    settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.0, f32::INFINITY, 0.0));
    assert!(settings.validate().unwrap_err().to_string().contains("effectors.left_hand.position"));
    settings.effector_mut(Effector::LeftHand).position = None;
    settings.effector_mut(Effector::LeftHand).rotation = Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert!(settings.validate().unwrap_err().to_string().contains("effectors.left_hand.rotation"));
}

#[test]
fn files_have_every_chain_and_effector_under_its_name() {
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let json = serde_json::to_value(Settings::default()).unwrap();
    assert_eq!(keys(&json["chains"]), Chain::ALL.map(|chain| chain.key().to_owned()).into());
    assert_eq!(keys(&json["effectors"]), Effector::ALL.map(|effector| effector.key().to_owned()).into());
    let mut settings = Settings::default();
    for limb in LimbName::ALL {
        settings.chain_mut(limb).pull = limb as u8 as f32 / 8.0;
    }
    for effector in Effector::ALL {
        settings.effector_mut(effector).position_weight = effector as u8 as f32 / 16.0;
    }
    let json = serde_json::to_value(settings).unwrap();
    assert_eq!(json["chains"]["right_leg"]["pull"], 0.375);
    assert_eq!(json["effectors"]["left_hand"]["position_weight"], 0.3125);
    assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), settings);
}
