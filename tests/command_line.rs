//! The program as a script sees it: exit status, one-line errors, files that read back.
#![cfg(feature = "app")]

mod common;

use std::path::PathBuf;
use std::process::{Command, Output};

use kinescope::preset::Preset;
use kinescope::trace::Trace;

fn kinescope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kinescope")).args(arguments).env_remove("DISPLAY").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kinescope-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Status 1 and one line on standard error that has all these words.
fn fails(arguments: &[&str], words: &[&str]) {
    let output = kinescope(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "{error:?} does not say {word:?}");
    }
}

#[test]
fn inspect_tells_about_the_built_in_biped() {
    let output = kinescope(&["inspect", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["format"], "kinescope-inspect");
    assert_eq!(value["is_biped"], true);
    assert!(value["problems"].as_array().unwrap().is_empty(), "{}", value["problems"]);
    assert!((1.7..1.9).contains(&value["height"].as_f64().unwrap()));
    assert_eq!(value["clips"].as_array().unwrap().len(), 4);
    assert!(text(&kinescope(&["inspect"]).stdout).contains("a biped"));
}

#[test]
fn solve_writes_poses_that_read_back() {
    let preset = temporary("preset.json");
    let mut settings = Preset::default();
    settings.settings.effectors[5].position = Some(glam::Vec3::new(0.4, 1.5, 0.3));
    settings.settings.effectors[5].position_weight = 1.0;
    std::fs::write(&preset, settings.to_json()).unwrap();
    let preset = preset.to_str().unwrap();
    for out in ["pose.json", "pose.glb"] {
        let out = temporary(out);
        let output = kinescope(&["solve", "--preset", preset, "--out", out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(temporary("pose.json")).unwrap()).unwrap();
    assert_eq!(json["format"], "kinescope-pose");
    let hand = json["bones"].as_array().unwrap().iter().find(|bone| bone["name"] == "left_hand").unwrap();
    let at: Vec<f64> = hand["position"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!((at[0] - 0.4).abs() < 0.01 && (at[1] - 1.5).abs() < 0.01, "{at:?}");
    // The .glb is a character of its own, in that pose.
    let glb = temporary("pose.glb");
    let inspected = kinescope(&["inspect", glb.to_str().unwrap(), "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
    assert_eq!(
        value["vertices"],
        serde_json::from_slice::<serde_json::Value>(&kinescope(&["inspect", "--json"]).stdout).unwrap()["vertices"]
    );
}

#[test]
fn trace_reads_back_and_solves_the_same() {
    let out = temporary("trace.json");
    let output = kinescope(&["trace", "--clip", "walk", "--time", "0.3", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let trace = Trace::from_json(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(trace.steps.len(), 35);
    let again = Trace::solve(&trace.model, trace.rig.clone(), trace.parameters).unwrap();
    assert_eq!(again, trace);
    let table = text(&kinescope(&["trace", "--clip", "walk", "--time", "0.3"]).stdout);
    assert!(table.contains("body_effectors_again") && table.lines().count() > 35);
}

#[test]
fn wrong_input_is_told_in_one_line() {
    let folder = temporary("");
    let broken = temporary("broken.glb");
    std::fs::write(&broken, "glTF but not really").unwrap();
    let broken = broken.to_str().unwrap();
    fails(&["inspect", "/no/such.glb"], &["/no/such.glb", "no such file"]);
    fails(&["inspect", folder.to_str().unwrap()], &["folder"]);
    for command in ["inspect", "trace"] {
        fails(&[command, broken], &["broken.glb"]);
    }
    fails(&["solve", broken, "--out", "/tmp/x.json"], &["broken.glb"]);
    fails(&["trace", "--clip", "jump"], &["jump", "walk"]);
    fails(&["solve", "--out", "/tmp/pose.fbx"], &["pose.fbx", ".json or .glb"]);
    fails(&["solve", "--out", "/no/folder/pose.json"], &["/no/folder/pose.json"]);
    fails(&["--scene", "nowhere"], &["nowhere", "stand"]);
    let preset = temporary("bad.json");
    std::fs::write(
        &preset,
        r#"{ "format": "kinescope-preset", "version": 1, "chains": { "left_arm": { "pull": 7 } } }"#,
    )
    .unwrap();
    fails(&["trace", "--preset", preset.to_str().unwrap()], &["bad.json", "chains.left_arm.pull", "7", "0 to 1"]);
}

#[test]
fn wrong_usage_has_status_2() {
    for arguments in [&["solve"][..], &["--size", "tiny"], &["trace", "--time", "1"], &["fly", "--high"]] {
        assert_eq!(kinescope(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn without_a_display_the_window_says_so() {
    fails(&[], &["no display", "xvfb-run", "solve", "trace"]);
    // Nor does one that is named but not there make it panic.
    let absent = Command::new(env!("CARGO_BIN_EXE_kinescope"))
        .env("DISPLAY", ":12345")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let error = text(&absent.stderr);
    assert_eq!(absent.status.code(), Some(1), "{error}");
    assert!(error.contains("no display") && error.trim_end().lines().count() == 1, "{error}");
}

#[test]
fn shared_models_are_inspected() {
    let Some(folder) = common::shared("models") else { return };
    let model = folder.join("RiggedFigure.gltf");
    let output = kinescope(&["inspect", model.to_str().unwrap(), "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["biped"]["left_hand"], "arm_joint_L_3");
    assert_eq!(value["root_node"], "torso_joint_2");
}
