//! The format `kinescope-chain`: accepted input, error messages, and the output of a solve.

use crate::common::property::property;
use glam::Vec3;
use kinescope_ik::chain_ik::explain::formula;
use kinescope_ik::chain_ik::file::ChainFile;
use kinescope_ik::chain_ik::{Chain, Goal, Limit, Recording, Settings, Solver, StoppedBy};
use proptest::prelude::*;
use serde_json::Value;

fn input(fields: &str) -> String {
    format!(r#"{{ "format": "kinescope-chain", "version": 1, {fields} }}"#)
}

fn read(fields: &str) -> ChainFile {
    ChainFile::from_json(&input(fields)).unwrap_or_else(|error| panic!("{error}: {fields}"))
}

fn refused(fields: &str) -> String {
    match ChainFile::from_json(&input(fields)) {
        Ok(file) => panic!("{fields} reads: {file:?}"),
        Err(error) => error.to_string(),
    }
}

const DOCUMENTED: &str = r#""bones": [ { "length": 0.4 }, { "length": 0.35, "weight": 0.8 }, { "length": 0.2 } ],
    "limits": [ { "hinge": { "axis": [0, 0, 1], "min": -1.5, "max": 1.5 } },
                { "ball_and_socket": { "swing": 0.6, "twist_min": -0.3, "twist_max": 0.3 } },
                { "angle": { "max": 1.2 } } ],
    "target": [0.5, 0.4, 0.1],
    "solver": "ccd", "tolerance": 1e-4, "max_iterations": 50"#;

#[test]
fn the_documented_input_is_valid() {
    let file = read(DOCUMENTED);
    let mut chain = Chain::from_lengths(&[0.4, 0.35, 0.2]).unwrap();
    chain.set_weight(1, 0.8);
    chain.set_limit(0, Limit::Hinge { axis: Vec3::Z, min: -1.5, max: 1.5 }).unwrap();
    chain.set_limit(1, Limit::BallAndSocket { swing: 0.6, twist_min: -0.3, twist_max: 0.3 }).unwrap();
    chain.set_limit(2, Limit::Angle { max: 1.2 }).unwrap();
    let settings = Settings { solver: Solver::Ccd, tolerance: 1e-4, max_iterations: 50, ..Settings::default() };
    let goals = vec![Goal::end(&chain, Vec3::new(0.5, 0.4, 0.1))];
    assert_eq!(file, ChainFile { chain, settings, goals });
    assert_eq!(ChainFile::from_json(&file.to_json()), Ok(file));
}

#[test]
fn omitted_fields_have_their_defaults() {
    let file = read(r#""bones": [1, 0.5], "target": [1, 1, 0]"#);
    assert_eq!(file.settings, Settings::default());
    assert_eq!(file.chain, Chain::from_lengths(&[1.0, 0.5]).unwrap());
    assert_eq!(file, read(r#""bones": [{ "length": 1 }, 0.5], "target": [1, 1, 0], "limits": [null, "free"]"#));
    let off = read(r#""bones": [1, 0.5], "target": [1, 1, 0], "use_limits": false, "plane": [0, 0, 1]"#);
    assert!(!off.settings.limits);
    assert_eq!(off.settings.plane, Some(Vec3::Z));
}

#[test]
fn positions_make_chains_and_branches() {
    let file =
        read(r#""bones": [[0, 0, 0], { "position": [0, 1, 0], "weight": 0.5 }, [1, 1, 0]], "target": [1, 0, 1]"#);
    let mut chain = Chain::from_positions(&[Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)]).unwrap();
    chain.set_weight(0, 0.5);
    assert_eq!(file.chain, chain);
    let file = read(
        r#""bones": [[0, 0, 0], [0, 1, 0], [1, 2, 0], { "position": [-1, 2, 0], "from": 1 }],
           "targets": [{ "joint": 2, "position": [1, 1, 1] }, { "joint": 3, "position": [-1, 1, 1], "pull": 2 }]"#,
    );
    assert!(file.chain.is_branched());
    assert_eq!(file.chain.bones()[2].from, 1);
    assert_eq!(file.goals[1], Goal { joint: 3, position: Vec3::new(-1.0, 1.0, 1.0), pull: 2.0 });
    assert_eq!(ChainFile::from_json(&file.to_json()).as_ref(), Ok(&file));
    let result = file.solve().unwrap();
    let value: Value = serde_json::from_str(&result.to_json()).unwrap();
    assert_eq!(value["targets"][1]["pull"], 2.0);
    assert!(value.get("target").is_none());
}

#[test]
fn invalid_chains_are_named() {
    let head = r#""target": [1, 0, 0]"#;
    let cases = [
        (r#""solver": "ccd""#, "bones: is missing"),
        (r#""bones": []"#, "bones: is empty"),
        (r#""bones": [[0, 0, 0]]"#, "bones: has one joint"),
        (r#""bones": [1, 1, 0]"#, "bones[2].length: has length 0"),
        (r#""bones": [1, { "length": -1 }]"#, "bones[1].length: has length -1"),
        (r#""bones": [1, 1e39]"#, "bones[1].length: has length inf"),
        (r#""bones": [1, { "length": 1e999 }]"#, "bones[1].length (line"),
        (r#""bones": [1, { "length": null }]"#, "bones[1]: has neither a length nor a position"),
        (r#""bones": [1, null]"#, "bones[1] (line"),
        (r#""bones": [1, "2"]"#, "bones[1] (line"),
        (r#""bones": [1, { "lenght": 2 }]"#, "bones[1].lenght (line 1, column"),
        (r#""bones": [1, { "length": 2, "weight": 1.5 }]"#, "bones[1].weight: is 1.5; it must be a number from 0 to 1"),
        (r#""bones": [1, { "length": 2, "from": 0 }]"#, "bones[1].from: is only for chains given by positions"),
        (r#""bones": [1, [0, 1, 0]]"#, "bones[1]: has a position, but bones[0] has a length"),
        (r#""bones": [[0, 1, 0], 1]"#, "bones[1]: has a length, but bones[0] has a position"),
        (r#""bones": [{ "position": [0, 1, 0], "length": 1 }]"#, "bones[0]: has a length and a position"),
        (r#""bones": [[0, 0, 0], [0, 1, 0], [0, 1, 0]]"#, "bones[2].position: coincides with joint 1"),
        (
            r#""bones": [[0, 0, 0], [0, 1e13, 0]]"#,
            "bones[1].position: is [0, 10000000000000, 0]; its numbers must be finite and within",
        ),
        (r#""bones": [[-1e12, -1e12, 0], [1e12, 1e12, 0]]"#, "bones[1].position: is 282"),
        (r#""bones": [[0, 0, 0], [0, 1]]"#, "bones[1]"),
        (
            r#""bones": [[0, 0, 0], { "position": [0, 1, 0], "from": 1 }]"#,
            "bones[1].from: is 1; joint 1 must be attached to",
        ),
        (r#""bones": [{ "position": [0, 1, 0], "weight": 1 }, [1, 1, 1]]"#, "bones[0].weight: belongs to the bone"),
        (
            r#""bones": [1, 1], "limits": [null, null, null]"#,
            "limits: has 3 entries; at most 2 are allowed, one for each bone",
        ),
        (
            r#""bones": [1, 1], "limits": [null, { "hinge": { "axis": [1, 0, 0], "min": 1, "max": 0.5 } }]"#,
            "limits[1].hinge.min: is 1, above max 0.5; swap the two",
        ),
        (
            r#""bones": [1, 1], "limits": [{ "hinge": { "axis": [0, 0, 0], "min": 1, "max": 2 } }]"#,
            "limits[0].hinge.axis: is [0, 0, 0]",
        ),
        (
            r#""bones": [1, 1], "limits": [{ "angle": { "max": 4 } }]"#,
            "limits[0].angle.max: is 4; it must be a number of radians from 0 to 3.14",
        ),
        (r#""bones": [1, 1], "limits": [{ "angle": { "most": 4 } }]"#, "limits[0].angle.most (line"),
        (r#""bones": [1, 1], "limits": [{ "angle": {} }]"#, "limits[0].angle.max (line"),
        (r#""bones": [1, 1], "limits": [true]"#, "limits[0]"),
        (r#""bones": [1, 1], "limits": false"#, "limits (line"),
        (r#""bones": [1, 1, 1], "solver": "two_bone""#, "solver: is two_bone, which takes 2 bones; this chain has 3"),
        (r#""bones": [1, 1], "solver": "jacobian""#, "solver (line"),
        (r#""bones": [1, 1], "tolerance": -1"#, "tolerance: is -1; it must be a number of model units from 0 to 1000"),
        (r#""bones": [1, 1], "tolerance": null"#, "tolerance (line"),
        (r#""bones": [1, 1], "max_iterations": -1"#, "max_iterations (line"),
        (
            r#""bones": [1, 1], "max_iterations": 1001"#,
            "max_iterations: is 1001; it must be a whole number from 0 to 1000",
        ),
        (r#""bones": [1, 1], "plane": [0, 0, 0]"#, "plane: is [0, 0, 0]; a direction must be finite"),
        (r#""bones": [1, 1], "bend_goal": [0, 1e20, 0]"#, "bend_goal: is [0, "),
        (r#""bones": [1, 1], "iterations": 3"#, "iterations (line 1, column"),
        (
            r#""bones": [1, 1], "targets": [{ "joint": 1, "position": [0, 1, 0] }]"#,
            "targets: is given together with target",
        ),
    ];
    for (fields, expected) in cases {
        let error = refused(&format!("{head}, {fields}"));
        assert!(error.starts_with(expected), "{fields}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let many = vec!["1"; 5000].join(", ");
    assert!(
        refused(&format!(r#"{head}, "bones": [{many}]"#))
            .starts_with("bones: has 5000 entries; at most 4096 are allowed")
    );
}

#[test]
fn invalid_targets_are_named() {
    let bones = r#""bones": [1, 1]"#;
    let cases = [
        (r#""solver": "ccd""#, "target: is missing"),
        (r#""target": null"#, "target: is missing"),
        (r#""target": [0, 1e999, 0]"#, "target[1] (line"),
        (r#""target": [0, 1e39, 0]"#, "target[1] (line"),
        (r#""target": [0, 1e13, 0]"#, "target: is [0, 10000000000000, 0]; its numbers must be finite and within"),
        (r#""target": [0, null, 0]"#, "target[1] (line"),
        (r#""target": [0, "NaN", 0]"#, "target[1] (line"),
        (r#""target": [0, NaN, 0]"#, "target[1] (line"),
        (r#""target": [0, 0]"#, "target (line"),
        (r#""targets": []"#, "targets: is empty"),
        (
            r#""targets": [{ "joint": 3, "position": [0, 1, 0] }]"#,
            "targets[0].joint: is 3; a target needs a joint from 1 to 2",
        ),
        (r#""targets": [{ "joint": 2, "position": [0, 1, 0], "pull": 0 }]"#, "targets[0].pull: is 0"),
        (r#""targets": [{ "joint": 2 }]"#, "targets[0].position (line"),
        (
            r#""targets": [{ "joint": 1, "position": [0, 1, 0] }], "solver": "ccd""#,
            "solver: is ccd, which takes one target",
        ),
    ];
    for (fields, expected) in cases {
        let error = refused(&format!("{bones}, {fields}"));
        assert!(error.starts_with(expected), "{fields}: {error}");
    }
}

#[test]
fn other_files_are_not_taken_for_chains() {
    let error = |text: &str| ChainFile::from_json(text).unwrap_err().to_string();
    assert_eq!(error("{}"), r#"format: is missing; it must be "kinescope-chain""#);
    assert!(error(r#"{ "format": "kinescope-preset", "version": 1, "solver": {} }"#).starts_with("format: is \"kin"));
    assert!(error(r#"{ "format": "kinescope-chain", "version": 2 }"#).starts_with("version: is 2"));
    assert!(error("{").contains("line 1, column 1") && error("{").contains("the text ends"));
    assert!(error("").starts_with("line 1, column 0: the text ends"));
}

#[test]
fn an_output_has_an_entry_for_the_start_and_for_every_iteration() {
    for solver in Solver::ALL {
        for (target, limits) in [
            ("[0.6, 0.3, 0.2]", "[]"),
            ("[3, 0, 0]", "[]"),
            ("[0, 2, 0]", "[]"),
            (
                "[0.5, -1, 0.2]",
                r#"[{ "angle": { "max": 0.5 } }, { "hinge": { "axis": [0, 0, 1], "min": 0.3, "max": 1 } }]"#,
            ),
        ] {
            for more in
                ["", r#", "max_iterations": 0"#, r#", "weight": 0"#, r#", "plane": [0, 0, 1], "accelerate": false"#]
            {
                let file = read(&format!(
                    r#""bones": [1, 1], "target": {target}, "limits": {limits}, "solver": "{}"{more}"#,
                    solver.key()
                ));
                let result = file.solve().unwrap();
                let recording = Recording::record(&file.chain, &file.settings, &file.goals, file.chain.rest()).unwrap();
                let solved = recording.solve.end();
                assert_eq!(result.positions.len(), result.iterations as usize + 1, "{result:?}");
                assert_eq!(result.errors.len(), result.positions.len());
                assert_eq!(result.errors.last(), Some(&result.error));
                assert_eq!((result.positions.last(), &result.rotations), (Some(&solved.positions), &solved.rotations));
                assert_eq!(result.is_reached(), recording.outcome.is_reached());
                for (entry, step) in recording.ends_of_iterations().enumerate().take(result.iterations as usize) {
                    assert_eq!(result.positions[entry], recording.solve.steps[step].state.positions);
                    assert_eq!(result.errors[entry], recording.error(&recording.solve.steps[step].state));
                }
                assert_eq!(result, file.solve().unwrap());
                let value: Value = serde_json::from_str(&result.to_json()).unwrap();
                assert_eq!(value["format"], "kinescope-chain");
                assert_eq!(value["stopped_by"], result.stopped_by.key());
                assert_eq!(value["reached"], result.stopped_by == StoppedBy::Tolerance);
                assert_eq!(value["positions"].as_array().unwrap().len(), result.positions.len());
                assert_eq!(value["rotations"][1].as_array().unwrap().len(), 4);
                let read_back = |value: &Value| value.as_f64().unwrap() as f32;
                assert_eq!(read_back(&value["error"]), result.error);
                let end = result.positions.last().unwrap()[2];
                let written = value["positions"].as_array().unwrap().last().unwrap()[2].as_array().unwrap();
                assert_eq!(written.iter().map(read_back).collect::<Vec<_>>(), end.to_array());
            }
        }
    }
}

fn number() -> BoxedStrategy<f32> {
    prop_oneof![4 => -2.0f32..2.0, 1 => any::<f32>().prop_filter("a place", |x| x.is_finite() && x.abs() <= 1e12)]
        .boxed()
}

fn vector() -> BoxedStrategy<Vec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| Vec3::new(x, y, z)).boxed()
}

fn limit() -> BoxedStrategy<Limit> {
    prop_oneof![
        Just(Limit::Free),
        (-1.0f32..0.0, 0.0f32..9.0).prop_map(|(min, max)| Limit::Hinge { axis: Vec3::new(1.0, min, max), min, max }),
        (0.0f32..3.0, -3.0f32..0.0, 0.0f32..3.0).prop_map(|(swing, twist_min, twist_max)| Limit::BallAndSocket {
            swing,
            twist_min,
            twist_max
        }),
        (0.0f32..3.0).prop_map(|max| Limit::Angle { max }),
    ]
    .boxed()
}

fn hostile() -> BoxedStrategy<f32> {
    prop_oneof![
        6 => -2.0f32..2.0,
        2 => Just(0.0f32),
        1 => Just(1.0f32),
        1 => -1e-30f32..1e-30,
        1 => -1e-9f32..1e-9,
        1 => -1e12f32..1e12,
        1 => prop_oneof![Just(1e12f32), Just(-1e12)],
    ]
    .boxed()
}

property! {
    #[test]
    fn written_files_read_back_equal(
        lengths in prop::option::of(prop::collection::vec(1e-3f32..1e3, 1..8)),
        places in prop::collection::vec((vector(), any::<prop::sample::Index>()), 2..8),
        is_branched in any::<bool>(),
        weights in prop::collection::vec(prop_oneof![Just(1.0f32), 0.0f32..1.0], 8),
        limits in prop::collection::vec(limit(), 8),
        target in vector(),
        pull in prop_oneof![Just(1.0f32), 1e-3f32..10.0],
        settings in (0.0f32..1.0, 0.0f32..1.0, prop::option::of(vector()), prop::option::of(vector()), any::<bool>()),
    ) {
        let chain = match lengths {
            Some(lengths) => Chain::from_lengths(&lengths),
            None => {
                let ends: Vec<Vec3> = places[1..].iter().map(|(place, _)| *place).collect();
                let from = |index: usize| if is_branched { places[index].1.index(index + 1) } else { index };
                Chain::branched(places[0].0, &ends, &(0..ends.len()).map(from).collect::<Vec<_>>())
            }
        };
        let Ok(mut chain) = chain else { return Ok(()) };
        for bone in 0..chain.bones().len() {
            chain.set_weight(bone, weights[bone]);
            chain.set_limit(bone, limits[bone]).unwrap();
        }
        let (weight, tolerance, bend_goal, plane, flag) = settings;
        let settings =
            Settings { weight, tolerance, bend_goal, plane, limits: flag, rotations: !flag, ..Settings::default() };
        let goals = vec![Goal { pull, ..Goal::end(&chain, target) }];
        let file = ChainFile { chain, settings, goals };
        let written = file.to_json();
        match ChainFile::from_json(&written) {
            Ok(back) => prop_assert_eq!(back, file),
            Err(error) => prop_assert_eq!(error.place, "plane"),
        }
    }

    #[test]
    fn valid_files_solve_to_finite_numbers(
        places in prop::collection::vec((hostile(), hostile(), hostile()), 2..6),
        lengths in prop::option::of(prop::collection::vec(hostile(), 1..6)),
        targets in prop::collection::vec(((hostile(), hostile(), hostile()), 1..6usize, hostile()), 1..3),
        is_end in any::<bool>(),
        limits in prop::collection::vec(limit(), 0..5),
        solver in 0..4usize,
        normals in prop::array::uniform3(prop::option::of((hostile(), hostile(), hostile()))),
        accelerate in any::<bool>(),
    ) {
        let bones = match lengths {
            Some(lengths) => serde_json::json!(lengths),
            None => serde_json::json!(places),
        };
        let mut value = serde_json::json!({
            "format": "kinescope-chain", "version": 1, "bones": bones, "limits": limits,
            "solver": Solver::ALL[solver].key(), "accelerate": accelerate, "max_iterations": 6,
            "plane": normals[0], "bend_normal": normals[1], "bend_goal": normals[2],
        });
        let goal = |((x, y, z), joint, pull): &((f32, f32, f32), usize, f32)| {
            serde_json::json!({ "joint": joint, "position": [x, y, z], "pull": pull })
        };
        match is_end {
            true => value["target"] = serde_json::json!(targets[0].0),
            false => value["targets"] = targets.iter().map(goal).collect(),
        }
        let text = value.to_string();
        let Ok(file) = ChainFile::from_json(&text) else { return Ok(()) };
        prop_assert_eq!(ChainFile::from_json(&file.to_json()), Ok(file.clone()));
        let result = file.solve().unwrap();
        prop_assert!(result.positions.iter().flatten().all(|place| place.is_finite()), "{text}");
        prop_assert!(result.errors.iter().all(|error| error.is_finite()), "{text}");
        prop_assert!(!result.to_json().contains("null"), "{text}");
        let recording = Recording::record(&file.chain, &file.settings, &file.goals, file.chain.rest()).unwrap();
        for step in 0..recording.solve.steps.len() {
            for index in 0..recording.solve.events_of(step).len() {
                prop_assert!(formula(&recording, step, index).is_some(), "{step} {index}: {text}");
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*", field in "\\PC{0,20}") {
        let _ = ChainFile::from_json(&text);
        let _ = ChainFile::from_json(&input(&format!(r#""bones": [{field}], "target": [1, 0, 0]"#)));
    }
}
