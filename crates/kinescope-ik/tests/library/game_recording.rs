//! Recordings of games: they read back as written, errors name line and field, and differences are found.

use std::collections::BTreeMap;

use glam::Vec3;
use kinescope_ik::full_body::{Effector, Node, Nodes, Part, Settings, Stage, Step};
use kinescope_ik::game_recording::{GameCharacter, GameFrame, GameSolver, Header, Line, Mark, Reader, Writer};
use kinescope_ik::link::Frame;
use kinescope_ik::rig::{Bone, ModelPose, RigidTransform, Skeleton};
use kinescope_ik::stack::{Input, Rig, Stack, Tools, solve};
use kinescope_ik::trace_diff::{default_tolerance, diff};
use proptest::prelude::*;

use crate::common::built_in::built_in;
use crate::common::game::{character, header, solved};
use crate::common::property::property;
use crate::common::strategies::{cases, settings};

fn reading(lines: &[String]) -> (Reader, Vec<Line>) {
    let mut reader = Reader::new();
    let read = lines.iter().filter_map(|line| reader.read(line).unwrap()).collect();
    (reader, read)
}

#[test]
fn a_written_recording_reads_back() {
    let (mut writer, first) = Writer::new(&header());
    let mut settings = Settings::default();
    settings.chains[0].pull = 0.3;
    let frames: Vec<GameFrame> = [(0, 7, settings), (1, 0, settings), (0, 8, settings), (0, 11, Settings::default())]
        .map(|(character, frame, settings)| solved(character, frame, settings))
        .into();
    let mut lines = vec![first];
    lines.extend(frames.iter().map(|frame| writer.frame(frame).unwrap()));
    let mark = Mark { mark: "jump".to_owned(), time: 0.4 };
    lines.push(Writer::mark(&mark));
    assert!(lines.iter().all(|line| line.ends_with('\n') && line.lines().count() == 1));
    // A frame has parameters only if they differ from those of the character's previous frame, or from the defaults in
    // its first frame.
    let has = |line: &String| line.contains("\"parameters\"");
    assert_eq!(lines.iter().map(has).collect::<Vec<_>>(), [false, true, true, false, true, false]);
    let (reader, mut read) = reading(&lines);
    let back = reader.header().unwrap();
    assert_eq!(back.producer, "a test");
    for (own, back) in header().characters.iter().zip(&back.characters) {
        assert_eq!((&own.name, &own.biped, &own.reference), (&back.name, &back.biped, &back.reference));
    }
    assert_eq!(read.pop(), Some(Line::Mark(mark)));
    for (line, frame) in read.into_iter().zip(frames) {
        assert_eq!(line, Line::Frame(Box::new(frame)));
    }
}

#[test]
fn the_documented_lines_are_valid() {
    // Without roles, detection uses names and positions.
    let bones: Vec<serde_json::Value> = character("")
        .skeleton
        .bones()
        .iter()
        .zip(built_in().reference())
        .map(|(bone, at)| {
            let (p, r) = (at.position, at.rotation);
            serde_json::json!({ "name": bone.name, "parent": bone.parent.map_or(-1, |parent| parent as i64),
            "reference": [p.x, p.y, p.z, r.x, r.y, r.z, r.w] })
        })
        .collect();
    let header = serde_json::json!({ "format": "kinescope-recording", "version": 2, "producer": "my game 0.3",
        "characters": [{ "name": "player", "rig": { "bones": bones } }] });
    let pose: Vec<&serde_json::Value> = bones.iter().map(|bone| &bone["reference"]).collect();
    let frame = serde_json::json!({ "character": "player", "frame": 812, "time": 13.5333, "parameters": { "solver": {} },
        "animated": pose, "steps": [{ "iteration": 0, "stage": "push", "nodes": { "body": [0, 1, 0] } }],
        "writes": [{ "stage": "spine", "bones": { "1": [0, 0.9, 0, 0, 0, 0, 1],
            "2": { "position": [0, 1, 0], "rotation": [0, 0, 0, 1] } } }], "result": pose });
    let bare = serde_json::json!({ "character": "player", "time": 13.6, "animated": pose });
    let mark = r#"{"mark":"jump","time":13.6}"#.to_owned();
    let (reader, read) = reading(&[header.to_string(), frame.to_string(), mark, String::new(), bare.to_string()]);
    assert_eq!(reader.header().unwrap().characters[0].biped, *built_in().biped());
    let [Line::Frame(frame), Line::Mark(_), Line::Frame(next)] = &read[..] else { panic!("{read:?}") };
    assert_eq!((frame.frame, next.frame), (812, 813), "a frame without a number continues the count");
    assert_eq!(frame.steps[0].0, Step { iteration: Some(0), stage: Stage::Push });
    assert_eq!(frame.steps[0].1, BTreeMap::from([(Node::Body, Vec3::Y)]));
    assert_eq!(frame.writes[0].0, Part::Spine);
    assert_eq!(frame.writes[0].1[&2].position, Vec3::Y);
    assert!(frame.result.is_some() && next.result.is_none() && next.steps.is_empty());
}

/// The largest numbers of characters and bones are accepted; one more is refused, and so is a name that occurs twice.
#[test]
fn headers_of_every_size_that_may_be_read() {
    let of = |name: String, bones: usize| {
        let own = character(&name);
        let mut skeleton = own.skeleton.bones().to_vec();
        let mut reference = own.reference;
        for index in skeleton.len()..bones {
            skeleton.push(Bone { name: format!("more {index}"), parent: Some(0), ..skeleton[0].clone() });
            reference.push(reference[0]);
        }
        let skeleton = Skeleton::new(skeleton).unwrap();
        GameCharacter { skeleton, reference, ..character(&name) }
    };
    let header = |count: usize, bones: usize| {
        let characters = (0..count).map(|index| of(format!("character {index}"), bones)).collect();
        Header { producer: "a test".to_owned(), characters }
    };
    for (count, bones) in [(256, 70), (3, 4096)] {
        let header = header(count, bones);
        header.check().unwrap();
        let (reader, _) = reading(&[Writer::new(&header).1]);
        let read = reader.header().unwrap();
        assert_eq!((read.characters.len(), read.characters[count - 1].skeleton.len()), (count, bones));
    }
    let mut twice = header(2, 0);
    twice.characters[1].name = "character 0".to_owned();
    for (header, says) in [
        (header(257, 0), "characters: has 257 characters; at most 256 are allowed"),
        (header(1, 4097), "characters[0].rig.bones: has 4097 bones"),
        (twice, "characters[1].name: is \"character 0\", the name of an earlier character"),
    ] {
        let refused = header.check().unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
        let read = Reader::new().read(&Writer::new(&header).1).unwrap_err().to_string();
        assert_eq!(read, format!("line 1, {refused}"));
        let sender = kinescope_ik::link::Sender::new("127.0.0.1:1", &header).unwrap_err();
        assert_eq!(sender.to_string(), refused);
    }
}

#[test]
fn frames_that_pass_the_check_read_and_others_do_not() {
    let (good, skeleton) = (solved(0, 3, Settings::default()), built_in().model.skeleton.clone());
    let nodes = [(Step::READ, Nodes::default())];
    let mut settings = Settings::default();
    settings.solver.weight = 1.5;
    let broken = |change: fn(&mut RigidTransform)| {
        let mut pose = good.animated.clone();
        change(&mut pose[4]);
        pose
    };
    let (nan, far, turnless) = (
        broken(|bone| bone.position.y = f32::NAN),
        broken(|bone| bone.position.x = 1e30),
        broken(|bone| bone.rotation = glam::Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
    );
    let nowhere = [(Step::READ, Nodes([Vec3::splat(f32::INFINITY); Node::COUNT]))];
    let written = |bone: usize| (Part::Head, BTreeMap::from([(bone, good.animated[4])]));
    let (head, beyond, twice) = ([written(4)], [written(9999)], [written(4), written(5)]);
    let frame =
        Frame { steps: &nodes, writes: &head, result: good.result.as_deref(), ..Frame::new(0, 3.0, &good.animated) };
    for (frame, says) in [
        (frame, None),
        (Frame { writes: &beyond, ..frame }, Some("writes[0].bones.9999: is not a bone")),
        (Frame { writes: &twice, ..frame }, Some("writes[1]: is the same stage as writes[0]")),
        (Frame { animated: &nan, ..frame }, Some("animated[4].position")),
        (Frame { animated: &far, ..frame }, Some("animated[4].position")),
        (Frame { result: Some(&turnless), ..frame }, Some("result[4].rotation")),
        (Frame { result: Some(&good.animated[1..]), ..frame }, Some("result: has")),
        (Frame { time: f64::NAN, ..frame }, Some("time")),
        (Frame { parameters: settings, ..frame }, Some("parameters.solver.weight")),
        (Frame { steps: &nowhere, ..frame }, Some("steps[0].nodes.body")),
    ] {
        let checked = frame.check(&skeleton).map_err(|fault| fault.to_string());
        let (mut writer, first) = Writer::new(&header());
        let mut reader = Reader::new();
        reader.read(&first).unwrap();
        let read = reader.read(&writer.frame(&frame.to_game_frame(0)).unwrap());
        match says {
            None => assert!(checked.is_ok() && read.is_ok(), "{checked:?} {read:?}"),
            Some(says) => assert!(checked.unwrap_err().contains(says) && read.is_err(), "{says}"),
        }
    }
}

#[test]
fn errors_name_line_and_field() {
    let (mut writer, first) = Writer::new(&header());
    let good = writer.frame(&solved(0, 3, Settings::default())).unwrap();
    let value: serde_json::Value = serde_json::from_str(&good).unwrap();
    let after = |line: &str| {
        let mut reader = Reader::new();
        reader.read(&first).unwrap();
        reader.read(&good).unwrap();
        let fault = reader.read(line).unwrap_err().to_string();
        // Reading continues with the next line.
        assert!(reader.read(&good).is_ok());
        fault
    };
    let with = |key: &str, to: serde_json::Value| {
        let mut line = value.clone();
        line[key] = to;
        after(&line.to_string())
    };
    let without = |key: &str| {
        let mut line = value.clone();
        line.as_object_mut().unwrap().remove(key);
        after(&line.to_string())
    };
    let mut short = value["animated"].clone();
    short[4] = serde_json::json!([1, 2, 3]);
    let bone = format!("the bone is {:?}", header().characters[0].skeleton.bones()[4].name);
    let mut turned = value["animated"].clone();
    turned[4] = serde_json::json!([0, 0, 0, 0, 0, 0, 0]);
    for (found, words) in [
        (after("{"), &["line 3, column 1", "the text ends within an object"][..]),
        (after("[]"), &["line 3"]),
        (after(r#"{"character":"player""#), &["line 3, column"]),
        (
            with("character", "nobody".into()),
            &["line 3, character: is \"nobody\"", "no character of this name is present"],
        ),
        (with("time", 0.01.into()), &["line 3, time: is 0.01", "before 0.1"]),
        (without("time"), &["line 3, time: is missing"]),
        (without("character"), &["line 3, character: is missing"]),
        (without("animated"), &["line 3, animated: is missing"]),
        (with("animated", serde_json::json!([])), &["line 3, animated: has 0 bones"]),
        (with("animated", short), &["line 3, animated[4]", "seven numbers"]),
        (with("animated", turned), &["line 3, animated[4].rotation: has length 0", &bone]),
        (with("result", serde_json::json!([[0, 0, 0, 0, 0, 0, 1]])), &["line 3, result: has 1 bones"]),
        (with("wrong", 1.into()), &["line 3, wrong", "unknown field \"wrong\"; the fields here are mark, join"]),
        (
            with("parameters", serde_json::json!({ "solver": { "weight": 3 } })),
            &["line 3, parameters.solver.weight: is 3"],
        ),
        (
            with("writes", serde_json::json!([{ "stage": "spine", "bones": { "900": [0, 0, 0, 0, 0, 0, 1] } }])),
            &["line 3, writes[0].bones.900: is not a bone"],
        ),
        (
            with("steps", serde_json::json!([{ "iteration": 0, "stage": "pusch", "nodes": {} }])),
            &["line 3, steps[0].stage"],
        ),
    ] {
        for word in words {
            assert!(found.contains(word), "{found:?} lacks {word:?}");
        }
    }
    let of_header = |header: &str| Reader::new().read(header).unwrap_err().to_string();
    for empty in ["", "  \n"] {
        assert_eq!(of_header(empty), "line 1: is empty; the first line of a recording is its header");
    }
    assert!(of_header(r#"{"format":"kinescope-trace","version":1,"characters":[]}"#).starts_with("line 1, format: is"));
    assert!(of_header(r#"{"format":"kinescope-recording","version":3}"#).ends_with("versions 1 to 2"));
    for none in [r#","characters":[]"#, ""] {
        let header = |version: u64| format!(r#"{{"format":"kinescope-recording","version":{version}{none}}}"#);
        assert!(of_header(&header(1)).starts_with("line 1, characters: is empty"));
        assert_eq!(Reader::new().read(&header(2)), Ok(None));
    }
    let twice = first.replace("\"guard\"", "\"player\"");
    assert!(of_header(&twice).starts_with("line 1, characters[1].name: is \"player\""), "{}", of_header(&twice));
    let mut unknown: serde_json::Value = serde_json::from_str(&first).unwrap();
    unknown["characters"][0]["rig"] =
        serde_json::json!({ "bones": [{ "name": "box", "parent": -1, "reference": [0, 0, 0, 0, 0, 0, 1] }] });
    let found = of_header(&unknown.to_string());
    assert!(found.starts_with("line 1, characters[0].rig.biped: is missing, and no biped was found"), "{found}");
    // All problems are listed: an animal on four feet also lacks the roles of the trunk.
    let names = ["Hips", "Spine", "Chest", "Head"].map(str::to_owned);
    let limbs = ["Arm ForeArm Hand", "UpLeg Leg Foot"].map(|names| ["Left", "Right"].map(|side| (side, names)));
    let limbs = limbs.as_flattened().iter();
    let of_limbs = limbs.flat_map(|(side, names)| names.split(' ').map(move |name| format!("{side}{name}")));
    let names: Vec<String> = names.into_iter().chain(of_limbs).collect();
    let trunk = [[0.0, 0.9, -0.4], [0.0, 0.9, 0.0], [0.0, 0.9, 0.4], [0.0, 1.0, 0.7]];
    let legs = [(2, 0.15, 0.4), (2, -0.15, 0.4), (0, 0.15, -0.4), (0, -0.15, -0.4)];
    let joints = legs.into_iter().enumerate().flat_map(|(leg, (from, x, z))| {
        let first = trunk.len() + 3 * leg;
        [(from, [x, 0.85, z]), (first, [x, 0.45, z + 0.02]), (first + 1, [x, 0.05, z])]
    });
    let bones = trunk.into_iter().enumerate().map(|(index, at)| (index as i64 - 1, at));
    let bones = bones.chain(joints.map(|(parent, at)| (parent as i64, at))).enumerate().map(|(index, (parent, at))| {
        let [x, y, z] = at;
        serde_json::json!({ "name": names[index], "parent": parent, "reference": [x, y, z, 0, 0, 0, 1] })
    });
    unknown["characters"][0]["rig"] = serde_json::json!({ "bones": bones.collect::<Vec<_>>() });
    let found = of_header(&unknown.to_string());
    assert!(found.contains("looks like an animal") && found.contains("no bone was found for: pelvis"), "{found}");
    assert!(found.ends_with("; state the roles of the bones"), "{found}");
}

#[test]
fn a_games_frames_are_compared_with_the_same_solve() {
    let mut asked = Settings::default();
    let hand = asked.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.3, 1.5, 0.4)), 1.0);
    let frame = solved(0, 5, asked);
    let differs = |frame: &GameFrame| {
        let [game, own] = frame.traces(&header().characters[0]).unwrap();
        diff(&game, &own, default_tolerance(&game.rig))
    };
    assert!(differs(&frame).is_same());
    // A game may record only some stages, nodes and parts of the writing.
    let mut few = frame.clone();
    few.steps.retain(|(step, _)| step.stage == Stage::Trigonometric);
    few.steps.iter_mut().for_each(|(_, nodes)| nodes.retain(|node, _| *node == Node::LeftForearm));
    few.writes.retain(|(part, _)| *part == Part::Spine);
    assert!(differs(&few).is_same());
    let (step, nodes) = &mut few.steps[1];
    let step = *step;
    nodes.values_mut().for_each(|place| place.z += 0.01);
    let found = differs(&few).first.unwrap();
    assert_eq!((found.step, found.node), (step, Node::LeftForearm));
    assert!((found.distance - 0.01).abs() < 1e-4);
    // A game may record the result alone.
    let mut bare = GameFrame { steps: Vec::new(), writes: Vec::new(), ..frame.clone() };
    assert!(differs(&bare).is_same());
    bare.result.as_mut().unwrap()[3].position.x += 0.02;
    let found = differs(&bare);
    assert!(!found.is_same() && found.first.is_none() && found.furthest_bone().unwrap().distance > 0.019);
    // Iteration 9 does not exist in Kinescope's solve of this frame.
    let mut more = frame;
    more.steps[2].0.iteration = Some(9);
    assert!(!differs(&more).is_same());
}

fn line() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"character\"",
        "\"player\"",
        "\"time\"",
        "\"animated\"",
        "\"mark\"",
        "\"join\"",
        "\"leave\"",
        "\"name\"",
        "\"rig\"",
        "\"bones\"",
        "1e999",
        "-1",
        "0.5",
        "null",
        "\"steps\"",
        "\"result\"",
        "\"frame\"",
        "18446744073709551615",
        "\"parameters\"",
        "{}",
        " ",
    ]);
    prop_oneof![prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat()), "\\PC*"]
}

/// The previous frame's contents of the solver's buffers must not affect the next frame.
#[test]
fn one_solver_for_all_frames_solves_each_as_a_solver_of_its_own() {
    let character = header().characters.remove(0);
    let mut solver = GameSolver::new(&character).unwrap();
    let mut asked = Settings::default();
    let hand = asked.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.3, 1.5, 0.4)), 1.0);
    let mut off = asked;
    off.solver.weight = 0.0;
    let mut no_iterations = asked;
    no_iterations.solver.iterations = 0;
    let mut malformed = solved(0, 3, asked);
    malformed.animated[character.biped.pelvis].position.x = f32::NAN;
    let frames = [asked, no_iterations, off, Settings::default()].map(|settings| solved(0, 7, settings));
    for frame in frames.iter().chain([&malformed]).chain(&frames) {
        match (solver.traces(frame), frame.traces(&character)) {
            (Ok(many), Ok(alone)) => assert_eq!(many, alone),
            (Err(many), Err(alone)) => assert_eq!(many.to_string(), alone.to_string()),
            (many, alone) => panic!("{many:?} {alone:?}"),
        }
    }
    assert!(solver.traces(&malformed).is_err());
}

#[test]
fn traces_of_a_run_are_those_of_a_separate_solve() {
    let character = header().characters.remove(0);
    let frame = solved(0, 11, Settings::default());
    let rig = Rig::biped("", character.skeleton.clone(), &character.biped, character.reference.clone()).unwrap();
    let stack = Stack { full_body: frame.parameters, ..Stack::default() };
    let input = Input::new(stack, ModelPose::rigid(frame.animated.clone()));
    let run = solve(&rig, Tools::default(), &input);
    let of_run = frame.traces_of_run(&character, run.full_body().unwrap(), &run.pose);
    assert_eq!(of_run, frame.traces(&character).unwrap());
}

property! {
    #![proptest_config(cases(64))]

    #[test]
    fn no_line_panics(lines in prop::collection::vec(line(), 0..8), begins in any::<bool>()) {
        let mut reader = Reader::new();
        if begins {
            reader.read(&Writer::new(&header()).1).unwrap();
        }
        for line in lines {
            if let Ok(Some(Line::Frame(frame))) = reader.read(&line) {
                let _ = frame.traces(reader.character(frame.character).unwrap());
            }
        }
    }

    #[test]
    fn any_frame_reads_back_to_the_same_solve(asked in settings(), frame in 0u64..30) {
        let frame = solved(1, frame, asked);
        let (mut writer, first) = Writer::new(&header());
        let (reader, read) = reading(&[first, writer.frame(&frame).unwrap()]);
        let [Line::Frame(back)] = &read[..] else { panic!("{read:?}") };
        prop_assert_eq!(&**back, &frame);
        let [game, own] = back.traces(&reader.header().unwrap().characters[1]).unwrap();
        prop_assert_eq!(game.result, own.result);
        prop_assert_eq!(game.steps, own.steps);
    }
}
