//! Presets: the documented example, messages, sections of other programs, round trips, and any text.

use glam::{Quat, Vec3};
use kinescope_ik::Preset;
use kinescope_ik::math::FARTHEST;
use proptest::prelude::*;

use crate::common::property::property;

fn error(text: &str) -> String {
    Preset::from_json(text).unwrap_err().to_string()
}

#[test]
fn the_documented_preset_is_valid() {
    let text = r#"{ "format": "kinescope-preset", "version": 1,
        "solver": { "weight": 1.0, "iterations": 4 },
        "chains": { "left_arm": { "pull": 0.5 }, "right_arm": {}, "body": { "pin": 0.25 } },
        "effectors": { "left_hand": { "position": [0.4, 1.2, 0.5], "rotation": [0, 0, 0, 1] } } }"#;
    let preset = Preset::from_json(text).unwrap();
    assert_eq!(preset.settings.chains[0].pull, 0.5);
    assert_eq!(preset.settings.pin, 0.25);
    assert_eq!(preset.settings.effectors[5].position, Some(Vec3::new(0.4, 1.2, 0.5)));
    assert_eq!(Preset::from_json(&preset.to_json()).unwrap(), preset);
}

#[test]
fn errors_name_field_value_and_range() {
    let head = r#""format": "kinescope-preset", "version": 1"#;
    let with = |rest: &str| error(&format!("{{ {head}, {rest} }}"));
    assert_eq!(
        with(r#""chains": { "left_arm": { "pull": 1.5 } }"#),
        "chains.left_arm.pull: is 1.5; it must be a number from 0 to 1"
    );
    assert!(
        with(r#""chains": { "left_arm": { "pul": 1 } }"#).starts_with("chains.left_arm.pul: unknown field \"pul\"")
    );
    assert!(with(r#""chains": { "tail": {} }"#).contains("tail"));
    assert!(with(r#""solver": { "weight": 1e39 }"#).contains("solver.weight"));
    assert!(with(r#""solver": { "iterations": -1 }"#).contains("solver.iterations"));
    assert!(with(r#""solver": { "iterations": 17 }"#).contains("from 0 to 16"));
    assert!(with(r#""effectors": { "body": { "position": [0, 1] } }"#).contains("effectors.body.position"));
    assert!(with(r#""nonsense": 1"#).starts_with("nonsense: unknown field"));
    assert!(error("{").starts_with("line 1, column 1: the text ends within an object"));
    assert!(error("[]").contains("object"));
    assert!(error(r#"{ "format": "kinescope-trace", "version": 1 }"#).contains("kinescope-preset"));
    assert!(error(r#"{ "format": "kinescope-preset", "version": 2 }"#).starts_with("version: is 2"));
}

#[test]
fn sections_are_kept() {
    // A bug rounded numbers with more digits than an f32, and turned larger numbers into null.
    let text = r#"{ "format": "kinescope-preset", "version": 1,
        "camera": { "far": 1e300, "fine": 0.12345678901234, "single": 0.10000000149011612, "short": 0.1 } }"#;
    let preset = Preset::from_json(text).unwrap();
    let camera = &preset.sections["camera"];
    assert_eq!(camera["far"], 1e300);
    assert_eq!(camera["fine"], 0.12345678901234);
    assert_eq!(camera["single"].as_f64().unwrap() as f32, 0.1);
    assert_eq!(camera["short"], 0.1);
    assert_eq!(Preset::from_json(&preset.to_json()).unwrap(), preset);
}

property! {
    #[test]
    fn round_trip_is_bit_for_bit(bits in prop::collection::vec(any::<u32>(), 8), weights in prop::collection::vec(0.0f32..=1.0, 6)) {
        let number = |at: usize| {
            let value = f32::from_bits(bits[at]);
            if value.is_finite() && value.abs() <= FARTHEST { value } else { 0.5 }
        };
        let mut preset = Preset::default();
        preset.settings.solver.weight = weights[0];
        preset.settings.chains[2].pull = weights[1];
        preset.settings.chains[2].bend_goal = Some(Vec3::new(number(0), number(1), number(2)));
        preset.settings.effectors[3].position = Some(Vec3::new(number(3), number(4), number(5)));
        preset.settings.effectors[3].rotation = Some(Quat::from_rotation_x(weights[2]) * Quat::from_rotation_y(weights[3]));
        preset.settings.effectors[3].position_offset = Vec3::new(number(6), number(7), weights[4]);
        preset.sections.insert("camera".into(), serde_json::json!({ "distance": weights[5] }));
        let back = Preset::from_json(&preset.to_json()).unwrap();
        prop_assert_eq!(back.settings, preset.settings);
        let distance = back.sections["camera"]["distance"].as_f64().unwrap() as f32;
        prop_assert_eq!(distance.to_bits(), weights[5].to_bits());
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = Preset::from_json(&text);
    }
}
