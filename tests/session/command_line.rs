//! The command line as scripts use it, with its exit status, one-line errors, and files that read back.

use std::process::Command;

use crate::common::built_in::input;
use kinescope::character::Character;
use kinescope::session::{Action, Session};
use kinescope::tools::pose::session::PoseAction;
use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
use kinescope_ik::full_body::{Effector, Node, Settings, Stage, Step};
use kinescope_ik::preset::Preset;
use kinescope_ik::stack::Tools;
use kinescope_ik::trace::Trace;

use crate::common;
use crate::common::files::temporary;
use crate::common::program::{PROGRAM, kinescope, text};

/// Runs the program and checks for status 1 and one line on standard error with all these words.
fn fails(arguments: &[&str], words: &[&str]) {
    let output = kinescope(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
}

#[test]
fn inspect_reports_on_the_built_in_biped() {
    let output = kinescope(&["inspect", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["format"], "kinescope-inspect");
    assert_eq!(value["is_biped"], true);
    assert!(value["problems"].as_array().unwrap().is_empty(), "{}", value["problems"]);
    assert!((1.7..1.9).contains(&value["height"].as_f64().unwrap()));
    assert_eq!(value["clips"].as_array().unwrap().len(), 5);
    for role in ["pelvis", "left_foot"] {
        assert!((0.9..=1.0).contains(&value["sureness"][role].as_f64().unwrap()), "{}", value["sureness"]);
    }
    let printed = text(&kinescope(&["inspect"]).stdout);
    let first: Vec<&str> = printed.lines().take(3).collect();
    assert!(first[0].ends_with(" vertices, 5 clips"), "{}", first[0]);
    assert!(first[1].contains(" m, facing [0.00, 0.00, 1.00]"), "{}", first[1]);
    assert_eq!(first[2], "biped:");
}

#[test]
fn inspect_of_a_model_without_a_biped_has_no_roles() {
    let file = written(
        "tail.gltf",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
            "nodes":[{"name":"tail","children":[1]},{"name":"tip","translation":[0,1,0]}]}"#,
    );
    let output = kinescope(&["inspect", &file, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["is_biped"], &value["biped"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(value["sureness"]["pelvis"], 0.0);
    let printed = text(&kinescope(&["inspect", &file]).stdout);
    assert!(printed.starts_with("tail.gltf: 2 bones, 0 vertices, 0 clips"), "{printed}");
    let problem = value["problems"][0].as_str().unwrap();
    assert_eq!(printed.matches(problem).count(), 1, "{printed}");
    assert!(!printed.contains('%'), "{printed}");
}

#[test]
fn inspect_prints_the_height_in_the_unit_of_the_model() {
    for (height, shown) in [
        ("1.8", "height 1.800 m,"),
        ("182", "height 182.000 cm,"),
        ("1820", "height 1820.000 mm,"),
        ("20", "height 20.000 units,"),
    ] {
        let (begin, end) = (
            r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
                "nodes":[{"name":"tail","children":[1]},{"name":"tip","translation":[0,"#,
            ",0]}]}",
        );
        let file = written("pole.gltf", &format!("{begin}{height}{end}"));
        let printed = text(&kinescope(&["inspect", &file]).stdout);
        assert!(printed.lines().nth(1).is_some_and(|line| line.starts_with(shown)), "{printed}");
    }
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

fn walking() -> Trace {
    let out = temporary(&format!("walk-{:?}.json", std::thread::current().id()));
    let output = kinescope(&["trace", "--clip", "walk", "--time", "0.3", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    Trace::from_json(&std::fs::read_to_string(&out).unwrap()).unwrap()
}

fn written(name: &str, text: &str) -> String {
    let path = temporary(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn diff_names_the_first_stage_and_node_that_differ() {
    let mut trace = walking();
    let good = written("good.json", &trace.to_json());
    for arguments in [&["diff", &good, &good][..], &["diff", &good], &["diff", &good, "--tolerance", "0"]] {
        let output = kinescope(arguments);
        let report = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
        assert!(report.starts_with("no difference above 0."), "{report}");
    }
    let positions = |report: &str| report.lines().filter(|line| line.ends_with(']')).count();
    let at = Step { iteration: Some(1), stage: Stage::Stage2 };
    let nodes = trace.steps.iter_mut().find(|(step, _)| *step == at).map(|(_, nodes)| nodes).unwrap();
    nodes[Node::LeftUpperArm].x += 0.003_214;
    let moved = written("moved.json", &trace.to_json());
    for arguments in [&["diff", &moved, &good][..], &["diff", &moved]] {
        let output = kinescope(arguments);
        let report = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()), "{report}");
        let first = report.lines().next().unwrap();
        assert_eq!(first, "first difference: iteration 1, stage2, left_upper_arm: 3.214 mm apart");
        assert_eq!(positions(&report), 2, "{report}");
        let changed = report.lines().filter(|line| line.ends_with("apart") || line.ends_with("  1"));
        assert_eq!(changed.count(), 2, "{report}");
        assert!(report.contains("result: largest distance"), "{report}");
    }
    assert_eq!(kinescope(&["diff", &moved, "--tolerance", "0.01"]).status.code(), Some(0));
    // The positions of a later stage are not printed below a missing stage.
    let mut missing = trace.clone();
    missing.steps.retain(|(step, _)| step.stage != Stage::Push);
    let missing = written("missing.json", &missing.to_json());
    let report = text(&kinescope(&["diff", &missing, &good]).stdout);
    assert!(report.starts_with(&format!("first difference: iteration 0, push: only in {good}")), "{report}");
    assert_eq!(positions(&report), 0, "{report}");
    trace.steps.clear();
    let empty = written("empty.json", &trace.to_json());
    let report = text(&kinescope(&["diff", &empty]).stdout);
    assert!(report.starts_with(&format!("first difference: {empty} has no steps")), "{report}");
    trace.parameters.chains[0].pull = 0.5;
    let other = written("other.json", &trace.to_json());
    let report = text(&kinescope(&["diff", &empty, &other]).stdout);
    assert!(report.starts_with("first difference: parameter chains.left_arm.pull: 1.0 and 0.5"), "{report}");
}

fn capsule(name: &str) -> Capsule {
    let trace = walking();
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.3, 1.3, 0.4)), 1.0);
    let mut capsule = Capsule {
        name: name.to_owned(),
        model: trace.model,
        skeleton: trace.rig.skeleton,
        biped: Some(trace.rig.biped),
        legs: None,
        clip_ranges: None,
        reference: trace.rig.reference,
        preset: Preset { settings, ..Preset::default() },
        frames: Vec::new(),
        instant: Instant::default(),
    };
    let input = input(&settings, trace.rig.animated);
    let frame = CapsuleFrame::solve(&capsule.rig().unwrap(), Tools::default(), 0.3, &input);
    capsule.frames = vec![frame.clone(), frame];
    capsule
}

#[test]
fn check_goes_through_all_capsules() {
    let good = written("good.capsule.json", &capsule("arm on the stairs").to_json());
    let output = kinescope(&["check", &good, &good]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert_eq!(printed, "ok  arm on the stairs (2 frames)\nok  arm on the stairs (2 frames)\n");

    let mut changed = capsule("arm");
    let hand = std::sync::Arc::make_mut(&mut changed.frames[1].input.stack).full_body.effector_mut(Effector::LeftHand);
    hand.position = Some(glam::Vec3::new(0.3, 1.3, 0.395));
    let changed = written("changed.capsule.json", &changed.to_json());
    let broken = written("broken.capsule.json", "{ \"format\": 7 }");
    let output = kinescope(&["check", &changed, &broken, "/no/such.json", &good]);
    let (printed, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert!(lines[0].starts_with(&format!("CHANGED  {changed}: frame 1: left_")), "{printed}");
    assert!(lines[0].ends_with(" mm from the recorded result"), "{printed}");
    assert_eq!(lines[1], "ok  arm on the stairs (2 frames)");
    let errors: Vec<&str> = error.lines().collect();
    assert_eq!(errors.len(), 2, "{error}");
    assert!(errors[0].contains("broken.capsule.json") && errors[0].contains("format"), "{error}");
    assert!(errors[1].contains("/no/such.json"), "{error}");

    let output = kinescope(&["check", &changed, "--tolerance", "0.05"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "ok within 50.000 mm  arm (2 frames), 1 frame changed\n");
    assert_eq!(kinescope(&["check", &changed, "--tolerance", "0.001"]).status.code(), Some(1));

    // Both frames differ by the same distance, so none differs most.
    let mut both = capsule("arm");
    for frame in &mut both.frames {
        let stack = std::sync::Arc::make_mut(&mut frame.input.stack);
        stack.full_body.effector_mut(Effector::LeftHand).position = Some(glam::Vec3::new(0.3, 1.3, 0.395));
    }
    let output = kinescope(&["check", &written("both.capsule.json", &both.to_json())]);
    let printed = text(&output.stdout);
    assert!(
        printed.contains(": frame 0: left_") && printed.ends_with(" (2 frames changed, this frame first)\n"),
        "{printed}"
    );
}

#[test]
fn chain_solves_and_writes_its_iterations() {
    let input = written(
        "chain.json",
        r#"{ "format": "kinescope-chain", "version": 1, "bones": [0.4, 0.3, 0.2], "target": [0.5, 0.4, 0.1] }"#,
    );
    let output = kinescope(&["chain", &input]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["iteration", "error", "largest", "joint", "move"]);
    assert!(lines[1].trim_start().starts_with("start  "), "{table}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("FABRIK, error 0.00000"), "{table}");
    assert!(last.ends_with("reached: within the tolerance"), "{table}");

    let out = temporary("chain-out.json");
    let output = kinescope(&["chain", &input, "--out", out.to_str().unwrap()]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    let file = std::fs::read(&out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&file).unwrap();
    let iterations = value["iterations"].as_u64().unwrap() as usize;
    assert_eq!(value["positions"].as_array().unwrap().len(), iterations + 1);
    assert_eq!(lines.len(), iterations + 4, "{table}");
    assert_eq!(kinescope(&["chain", &input, "--out", out.to_str().unwrap()]).status.code(), Some(0));
    assert_eq!(std::fs::read(&out).unwrap(), file);

    let far = written(
        "far.json",
        r#"{ "format": "kinescope-chain", "version": 1, "bones": [1, 1], "target": [3, 0, 0], "solver": "two_bone" }"#,
    );
    let output = kinescope(&["chain", &far]);
    assert_eq!(output.status.code(), Some(0));
    let printed = text(&output.stdout);
    assert!(
        printed.ends_with(
            "two-bone, error 1.0000000, 1 iteration, out of reach: the chain is stretched or folded toward the target\n"
        ),
        "{printed}"
    );

    let bad = written(
        "bad-chain.json",
        r#"{ "format": "kinescope-chain", "version": 1, "bones": [1, 1, 0], "target": [3, 0, 0] }"#,
    );
    fails(&["chain", &bad], &["bad-chain.json", "bones[2].length", "0"]);
    fails(&["chain", "/no/such.json"], &["/no/such.json", "no such file"]);
    fails(&["chain", &input, "--out", "/no/folder/out.json"], &["/no/folder/out.json"]);
    assert_eq!(kinescope(&["chain"]).status.code(), Some(2));
    assert_eq!(kinescope(&["chain", &input, &input]).status.code(), Some(2));
}

#[test]
fn wrong_input_is_reported_in_one_line() {
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
    fails(&["solve", "--out", "/tmp/pose.fbx"], &["pose.fbx", ".json, .glb or .bvh"]);
    fails(&["solve", "--out", "/no/folder/pose.json"], &["/no/folder/pose.json"]);
    fails(&["--scene", "nowhere"], &["nowhere", "stand"]);
    fails(&["--lesson", "nothing"], &["nothing", "stage2"]);
    fails(&["--lesson", "stage2:6"], &["stage2:6"]);
    fails(&["diff", broken], &["broken.glb"]);
    fails(&["diff", "/no/such.json"], &["/no/such.json", "no such file"]);
    fails(&["check", folder.to_str().unwrap()], &["folder"]);
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
    let usages = [
        &["solve"][..],
        &["--size", "tiny"],
        &["--lesson", "push", "--scene", "stand"],
        &["trace", "--time", "1"],
        &["fly", "--high"],
        &["diff"],
        &["diff", "a.json", "b.json", "c.json"],
        &["diff", "a.json", "--tolerance", "-1"],
        &["diff", "a.json", "--tolerance", "nan"],
        &["check"],
        &["bake"],
        &["bake", "--preset", "p.json", "--clip", "walk"],
        &["bake", "--clip", "walk", "--out", "walk.glb"],
        &["bake", "--preset", "p.json", "--clip", "walk", "--out", "walk.glb", "--fps", "0"],
        &["check", "a.json", "--tolerance", "inf"],
    ];
    for arguments in usages {
        assert_eq!(kinescope(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn without_a_display_the_window_reports_an_error() {
    fails(&[], &["no display", "xvfb-run", "solve", "trace"]);
    let absent = Command::new(PROGRAM).env("DISPLAY", ":12345").env_remove("WAYLAND_DISPLAY").output().unwrap();
    let error = text(&absent.stderr);
    assert_eq!(absent.status.code(), Some(1), "{error}");
    assert!(error.contains("no display") && error.trim_end().lines().count() == 1, "{error}");
}

#[test]
fn an_address_that_cannot_be_bound_opens_no_window() {
    let picture = temporary("no picture.png");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().map(|address| (address.to_string(), taken)).unwrap();
    for (address, why) in [("nonsense", "An example is 127.0.0.1:7468"), (&taken.0, "another program listens there")] {
        fails(&["--listen", address], &[address, why]);
        fails(&["--listen", address, "--screenshot", picture.to_str().unwrap()], &[address, why]);
    }
    assert!(!picture.exists());
}

#[test]
fn the_window_opens_with_any_damaged_file() {
    let trace = temporary("any trace.json");
    assert!(kinescope(&["trace", "--out", trace.to_str().unwrap()]).status.success());
    let write = |name: &str, text: &str| {
        let path = temporary(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let preset = write("any preset.json", r#"{ "format": "kinescope-preset", "version": 1 }"#);
    for file in [trace.to_str().unwrap(), &preset] {
        fails(&[file], &["no display"]);
        fails(&[file, "--screenshot", file], &["the output is also an input"]);
    }
    fails(&[&write("any chain.json", r#"{ "format": "kinescope-chain" }"#)], &["any chain.json", "version"]);
    fails(&[&write("any other.json", r#"{ "format": "other" }"#)], &["any other.json", "format", "\"other\""]);
    fails(&[&write("any.json", "{")], &["any.json: line 1, column 1"]);

    let mut session = Session::new(Character::built_in().unwrap());
    session.apply(Action::OpenAny(trace));
    assert!(session.world.character.is_of_bones() && session.world.time.is_paused());
    session.apply(Action::OpenAny(preset.into()));
    assert!(session.files.preset.as_ref().is_some_and(|path| path.ends_with("any preset.json")));
}

/// If no ground layer counted for a foot, grounding used to do nothing for that foot, without a message.
#[test]
fn ground_layers_set_to_nothing_cause_a_warning() {
    let grounding = r#"{"method":"predictive","environment":[0,255]}"#;
    let text_of = format!(r#"{{"format":"kinescope-preset","version":1,"grounding":{grounding}}}"#);
    let preset = written("no layers.json", &text_of);
    let out = temporary("no layers pose.json");
    let done = kinescope(&["solve", "--preset", &preset, "--out", out.to_str().unwrap()]);
    let error = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{error}");
    assert!(error.contains("warning") && error.contains("no ground layer is chosen for the left foot"), "{error}");
}

#[test]
fn a_wrong_root_node_is_an_error() {
    let preset = |bone: &str| {
        let text = format!(r#"{{"format":"kinescope-preset","version":1,"mapping":{{"root_node":"{bone}"}}}}"#);
        written(&format!("root {bone}.json"), &text)
    };
    let (wrong, right) = (preset("left_hand"), preset("pelvis"));
    let out = temporary("root node.json");
    let out = out.to_str().unwrap();
    for command in ["solve", "trace"] {
        fails(&[command, "--preset", &wrong, "--out", out], &["mapping.root_node", "left_hand", "pelvis"]);
        let done = kinescope(&[command, "--preset", &right, "--out", out]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
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

/// Records the built-in walk with a fixed target for the left hand, and returns the recording's text.
fn recorded(name: &str) -> String {
    let mut preset = Preset::default();
    let hand = preset.settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.3, 0.3)), 1.0);
    let preset = written(&format!("{name}.preset.json"), &preset.to_json());
    let out = temporary(name);
    let out = out.to_str().unwrap();
    let output = kinescope(&["record", "--preset", &preset, "--clip", "walk", "--fps", "20", "--out", out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn a_recorded_clip_solves_to_the_same_again() {
    let lines = recorded("walk.jsonl");
    assert_eq!(lines.lines().count(), 1 + 23, "a header, and 1.1 s at 20 frames a second with both ends");
    let file = written("again.jsonl", &lines);
    let output = kinescope(&["diff", &file]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout), "23 frames compared, none differs\n");
    fails(&["diff", &file, &file], &["a recording is compared with Kinescope's own solves"]);
    fails(&["record", "--clip", "swim", "--out", &file], &["swim"]);
    fails(&["record", "--clip", "walk", "--out", "/nowhere/at/all.jsonl"], &["/nowhere/at/all.jsonl"]);
    assert_eq!(kinescope(&["record", "--out", &file]).status.code(), Some(2), "a clip is needed");
}

/// A line with two meanings is an error. `diff` used to drop the frame, or the second of two stages, and to report no
/// difference.
#[test]
fn diff_refuses_lines_with_two_meanings() {
    let lines = recorded("two-meanings.jsonl");
    let with = |change: fn(&mut serde_json::Value)| {
        let change = |(index, line): (usize, &str)| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            if index == 5 {
                change(&mut line);
            }
            line.to_string()
        };
        written("two-meanings-changed.jsonl", &lines.lines().enumerate().map(change).collect::<Vec<_>>().join("\n"))
    };
    let marked = with(|line| (line["mark"], line["character"]) = ("jump".into(), "nobody".into()));
    fails(&["diff", &marked], &["line 6", "mark"]);
    for (key, change) in [
        ("writes", (|line| push_first(line, "writes")) as fn(&mut serde_json::Value)),
        ("steps", |line| push_first(line, "steps")),
    ] {
        fails(&["diff", &with(change)], &["line 6", key, "may be there once"]);
    }
    let doubled = lines.replacen("\"animated\":", "\"time\":3.0,\"animated\":", 1);
    fails(&["diff", &written("two-meanings-field.jsonl", &doubled)], &["line 2", "time", "occurs twice"]);
}

fn push_first(line: &mut serde_json::Value, key: &str) {
    let stages = line[key].as_array_mut().unwrap();
    stages.push(stages[0].clone());
}

/// Names come from games and files. A terminal must show control sequences in them, and not execute them.
#[test]
fn control_sequences_in_names_are_escaped() {
    let lines = recorded("terminal.jsonl");
    let hostile = r"\u001b]0;owned\u0007\u009b2J\u202e\u061c\nok";
    let moved = |(index, line): (usize, &str)| {
        if index == 0 {
            return line
                .replace("\"mannequin\"", &format!("\"{hostile}\""))
                .replace("\"spine_1\"", &format!("\"{hostile}\""));
        }
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["character"] = serde_json::from_str::<serde_json::Value>(&format!("\"{hostile}\"")).unwrap();
        line.as_object_mut().unwrap().retain(|key, _| key != "steps" && key != "writes");
        let bones = line["result"].as_array_mut().unwrap();
        bones.iter_mut().for_each(|bone| bone[0] = (bone[0].as_f64().unwrap() + 0.01).into());
        line.to_string()
    };
    let file = written("terminal-changed.jsonl", &lines.lines().enumerate().map(moved).collect::<Vec<_>>().join("\n"));
    let output = kinescope(&["diff", &file]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let is_command =
        |c: char| c != '\n' && (c.is_control() || c == '\u{61c}' || ('\u{202a}'..='\u{202e}').contains(&c));
    assert!(!printed.contains(is_command), "{printed:?}");
    assert!(printed.contains(r"\u001b]0;owned\u0007\u009b2J\u202e\u061c\nok frame 0"), "{printed}");
    assert_eq!(printed.lines().count(), 23 + 1, "{printed}");
}

#[test]
fn a_preset_goes_to_csharp_and_back() {
    let mut preset = Preset::default();
    preset.settings.chains[1].reach = 0.25;
    preset.settings.effector_mut(Effector::RightFoot).position_weight = 0.5;
    let json = written("to csharp.json", &preset.to_json());
    let output = kinescope(&["preset", &json, "--as", "csharp"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stdout);
    assert!(lines.contains("solver.chain[2].reach = 0.25f; // right arm\n"), "{lines}");
    assert!(lines.contains("solver.rightFootEffector.positionWeight = 0.5f;\n"), "{lines}");
    let assignments = written("assignments.cs", &lines);
    let back = kinescope(&["preset", &assignments, "--as", "json"]);
    assert_eq!(Preset::from_json(&text(&back.stdout)).unwrap().settings, preset.settings);
    fails(&["preset", &written("bad.cs", "solver.chain[1].pull = 7f;"), "--as", "json"], &["bad.cs: line 1", "pull"]);
    let code = "solver.iterations = 3;\nik = GetComponent<FullBodyIK>();\nsolver.chain[1].pull = 7f;";
    let output = kinescope(&["preset", &written("mixed.cs", code), "--as", "csharp"]);
    assert!(output.status.success() && text(&output.stdout).ends_with("\nsolver.iterations = 3;\n"));
    let warnings = text(&output.stderr);
    assert!(
        warnings.lines().count() == 2 && warnings.contains("mixed.cs: line 2: \"ik\" does not exist"),
        "{warnings}"
    );
    let mut session = Session::new(Character::built_in().unwrap());
    session.apply(Action::Pose(PoseAction::Paste(lines.clone())));
    assert_eq!(*session.world.settings(), preset.settings);
    let path = temporary("exported.cs");
    session.apply(Action::File(kinescope::session::commands::Command::ExportCsharp, path.clone()));
    assert_eq!(std::fs::read_to_string(path).unwrap(), lines);
    session.apply(Action::Pose(PoseAction::Paste(code.to_owned())));
    assert_eq!(session.world.settings().solver.iterations, 3);
    let notice = session.window.notice.as_ref().unwrap().text.clone();
    assert!(notice.starts_with("Pasted C# assignments except 2 statements: line 2: \"ik\" does not exist"), "{notice}");
    session.apply(Action::Pose(PoseAction::Paste("solver.chain[1].pull = 7f;".to_owned())));
    let notice = session.window.notice.as_ref().unwrap().text.clone();
    assert!(notice.contains("line 1") && notice.contains("pull"), "{notice}");
}

#[test]
fn diff_names_every_frame_of_a_recording_that_differs_and_where() {
    let lines = recorded("port.jsonl");
    // In frames 12 to 17, the port moves the left elbow by 2 cm in the stage `trigonometric`. From frame 18 on, it
    // reports only its result, in which one bone is off by 1 cm.
    let port = |(index, line): (usize, &str)| {
        let Some(frame) = index.checked_sub(13) else { return line.to_owned() };
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if frame < 6 {
            for step in line["steps"].as_array_mut().unwrap().iter_mut().filter(|step| step["stage"] == "trigonometric")
            {
                let z = step["nodes"]["left_forearm"][2].as_f64().unwrap();
                step["nodes"]["left_forearm"][2] = (z + 0.02).into();
            }
        } else {
            line.as_object_mut().unwrap().retain(|key, _| key != "steps" && key != "writes");
            let x = line["result"][3][0].as_f64().unwrap();
            line["result"][3][0] = (x + 0.01).into();
        }
        line.to_string()
    };
    let changed: Vec<String> = lines.lines().enumerate().map(port).collect();
    let file = written("port-changed.jsonl", &changed.join("\n"));
    let output = kinescope(&["diff", &file]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 11 + 1, "{printed}");
    assert!(lines[0].contains("frame 12 at 0.6"), "{printed}");
    assert!(lines[0].contains("iteration 0, trigonometric, left_forearm: 20.000 mm apart"), "{printed}");
    assert!(lines[6].contains("frame 18 at 0.9") && lines[6].contains("result, "), "{printed}");
    assert!(lines[11].starts_with("11 of 23 frames differ, the first is mannequin frame 12"), "{printed}");
    assert!(lines[11].ends_with("iteration 0, trigonometric (6); result (5)"), "{printed}");
    assert_eq!(kinescope(&["diff", &file, "--tolerance", "0.03"]).status.code(), Some(0));

    // If the last line is cut off, the lines before it count.
    let whole = changed[..8].join("\n");
    let cut = written("port-cut.jsonl", &format!("{whole}\n{}", &changed[8][..500]));
    let output = kinescope(&["diff", &cut]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("warning") && text(&output.stderr).contains("line 9"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stdout), "7 frames compared, none differs\n");
    let one = written("port-one.jsonl", &changed[..2].join("\n"));
    assert_eq!(text(&kinescope(&["diff", &one]).stdout), "1 frame compared, none differs\n");
    let broken = written("port-broken.jsonl", &format!("{whole}\n{}\n{}", &changed[8][..500], changed[9]));
    fails(&["diff", &broken], &["port-broken.jsonl", "line 9"]);
    let first = written("port-first.jsonl", &changed[0][..changed[0].len() / 2]);
    fails(&["diff", &first], &["port-first.jsonl", "line 1, characters[0].rig"]);
    fails(&["diff", &written("port-empty.jsonl", "")], &["port-empty.jsonl", "is empty"]);
    let header = written("port-header.jsonl", &format!("{}\n", changed[0]));
    fails(&["diff", &header], &["no frame has a `result`"]);
}

#[test]
fn a_recording_is_sent_as_a_game_would() {
    use std::io::Read;
    let lines = recorded("sent.jsonl");
    let file = written("sending.jsonl", &lines);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let received = std::thread::spawn(move || {
        let mut text = String::new();
        listener.accept().unwrap().0.read_to_string(&mut text).unwrap();
        text
    });
    let start = std::time::Instant::now();
    let output = kinescope(&["send", &file, "--to", &address, "--speed", "4"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let took = start.elapsed().as_secs_f32();
    assert!(took > 1.1 / 4.0, "1.1 s at four times the speed took {took} s");
    assert_eq!(received.join().unwrap(), lines);
    // A window that is connected to another game refuses with a message, and `send` fails.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let window = listener.local_addr().unwrap().to_string();
    let busy = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        std::io::Write::write_all(&mut stream, kinescope_ik::link::BUSY.as_bytes()).unwrap();
    });
    fails(&["send", &file, "--to", &window], &[&window, "another game is connected there"]);
    busy.join().unwrap();
    fails(&["send", &file, "--to", &address], &[&address, "Is a window listening there"]);
    let nonsense = written("nonsense.jsonl", "{}\n");
    fails(&["send", &nonsense, "--to", &address], &["nonsense.jsonl", "line 1"]);
    let empty = written("empty.jsonl", "");
    fails(&["send", &empty, "--to", &address], &["empty.jsonl: is empty"]);
    assert_eq!(kinescope(&["send", &file, "--speed", "0"]).status.code(), Some(2));
}

#[test]
fn the_conformance_kit_is_written_and_answers_are_judged() {
    let folder = temporary("kit");
    let path = folder.to_str().unwrap();
    let out = kinescope(&["conformance", "--out", path]);
    assert!(out.status.success() && text(&out.stdout).contains("69 cases in"), "{}", text(&out.stderr));
    let index = std::fs::read_to_string(folder.join("cases.txt")).unwrap();
    assert_eq!(index.lines().count(), 69);
    let first = folder.join("07-reach.json");
    let same = kinescope(&["diff", first.to_str().unwrap()]);
    assert!(same.status.success(), "{}", text(&same.stdout));
    // The cases themselves are the right answers.
    let all = kinescope(&["conformance", "--check", path]);
    assert!(all.status.success() && text(&all.stdout).ends_with("69 of 69 cases agree\n"), "{}", text(&all.stdout));
    let case = std::fs::read_to_string(&first).unwrap();
    let mut trace = Trace::from_json(&case).unwrap();
    let stage2 = trace.steps.iter().position(|(step, _)| step.stage == Stage::Stage2).unwrap();
    trace.steps[stage2].1[Node::LeftThigh].x += 0.05;
    std::fs::write(&first, trace.to_json()).unwrap();
    let [push, smoothings] =
        ["09-push.json", "10-smoothings.json"].map(|name| std::fs::read(folder.join(name)).unwrap());
    std::fs::remove_file(folder.join("09-push.json")).unwrap();
    std::fs::write(folder.join("10-smoothings.json"), "nonsense").unwrap();
    let some = kinescope(&["conformance", "--check", path]);
    let printed = text(&some.stdout);
    assert_eq!(some.status.code(), Some(1));
    for words in [
        "First difference in solving order, over all cases: iteration 0, stage2, left_thigh: 50.000 mm apart",
        "case: 07-reach. A hand's target is out of reach",
        "DIFFERS  07-reach: iteration 0, stage2, left_thigh: 50.000 mm apart",
        "see: number of rounds (the iterations, at least 2, at most 4)",
        "MISSING  09-push",
        "BROKEN   10-smoothings",
        "66 of 69 cases agree",
    ] {
        assert!(printed.contains(words), "{words}:\n{printed}");
    }
    // Cases that use what the port lacks are skipped, even if their answers are missing.
    let lacking = kinescope(&["conformance", "--check", path, "--lacks", "push,bend_goals"]);
    let printed = text(&lacking.stdout);
    for words in ["skipped  09-push: uses push", "skipped  11-bend-goals: uses bend_goals", "lacks push, bend_goals"] {
        assert!(printed.contains(words), "{words}:\n{printed}");
    }
    let unknown = kinescope(&["conformance", "--check", path, "--lacks", "wings"]);
    assert!(
        unknown.status.code() == Some(2) && text(&unknown.stderr).contains("expected one of fabrik_pass, pull_body")
    );
    // A list with notes of the port's author is not overwritten.
    std::fs::write(&first, &case).unwrap();
    std::fs::write(folder.join("09-push.json"), push).unwrap();
    std::fs::write(folder.join("10-smoothings.json"), smoothings).unwrap();
    assert!(kinescope(&["conformance", "--out", path]).status.success(), "the kit's own files may be written again");
    let noted = format!("{index}07 is ported\n");
    std::fs::write(folder.join("cases.txt"), &noted).unwrap();
    fails(&["conformance", "--out", path], &["cases.txt", "other content than the kit's list", "another folder"]);
    assert_eq!(std::fs::read_to_string(folder.join("cases.txt")).unwrap(), noted);
    std::fs::write(folder.join("cases.txt"), index).unwrap();
    std::fs::write(&first, trace.to_json()).unwrap();
    // Writing the kit into a folder of answers would destroy the answers, so it is refused.
    fails(&["conformance", "--out", path], &["07-reach.json", "other content than the kit's case", "another folder"]);
    assert_eq!(std::fs::read_to_string(&first).unwrap(), trace.to_json());
    std::fs::write(&first, case.replacen("\"left_arm.root_length\"", "\"left_arm.width\"", 1)).unwrap();
    fails(&["diff", first.to_str().unwrap()], &["07-reach.json", "constants.left_arm.width", "is not a constant"]);
    fails(&["conformance", "--check", "nowhere at all"], &["nowhere at all", "is not a folder"]);
    assert_eq!(kinescope(&["conformance"]).status.code(), Some(2));
}

#[test]
fn only_recordings_without_a_mesh_take_a_body() {
    const BIPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb");
    fails(&["--body", BIPED], &["--body", "recording"]);
    fails(&[BIPED, "--body", BIPED], &["--body", "recording"]);
    let preset = temporary("bodiless.json");
    std::fs::write(&preset, Preset::default().to_json()).unwrap();
    fails(&[preset.to_str().unwrap(), "--body", BIPED], &["mannequin", "cannot have a body mesh"]);
    let path = temporary("bodies.jsonl");
    std::fs::write(&path, common::game::recording(&common::game::played(3, 99))).unwrap();
    let recording = path.to_str().unwrap();
    let (missing, picture) = (temporary("no such model.glb"), temporary("bodies.png"));
    let arguments = [recording, "--body", missing.to_str().unwrap(), "--screenshot", picture.to_str().unwrap()];
    fails(&arguments, &["no such model.glb"]);
    assert!(!picture.exists());
}
