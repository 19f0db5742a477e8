//! Every step of grounding that did something has a formula, and the formula's result is the state after the step.

use std::collections::BTreeSet;

use crate::common::evaluate::survivors;
use crate::common::flaws::flaws;
use crate::common::grounds::{Hills, Plane, Stairs, Terrain, Void};
use crate::common::property::property;
use crate::common::strategies::{fraction, turn, vector};
use glam::Vec3;
use kinescope_ik::ground::Ground;
use kinescope_ik::grounding::foot_ik;
use kinescope_ik::grounding::predictive;
use kinescope_ik::grounding::{
    Event, FootGeometry, FootHeight, FootIkSettings, FootInput, Input, PredictiveSettings, Purpose, Quality, Reach,
    Recording, Root, Side, Solver, SolverState, SolverStep, Update, explain::formula,
};
use kinescope_ik::math::swing_angle;
use kinescope_ik::notation::Value;
use kinescope_ik::parameter::Parameters;
use kinescope_ik::stack::Experiments;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Tolerance of a result, metres; for the tilt of a foot, radians.
const TOLERANCE: f32 = 2e-5;
const WIDEST: usize = 46;

/// Returns a step's result from the state; for a foot's cast without a hit in the state, the end of its first ray, or
/// the ray's start if it began in the ground. `None` if a step that may cast did not.
fn result_of(recording: &Recording, step: usize) -> Option<Value> {
    let events = recording.solve.events_of(step);
    let ray = |side: Option<Side>| {
        let is_ray =
            |event: &&Event| matches!(event, Event::Cast(cast) if cast.purpose == Purpose::Heel && cast.side == side);
        match events.iter().find(is_ray)? {
            Event::Cast(cast) if cast.hit.is_some_and(|hit| hit.distance <= 0.0) => Some(cast.from),
            Event::Cast(cast) => Some(cast.to),
            Event::Predicted { .. } => None,
        }
    };
    match (recording.solve.steps[step].step, recording.solve.steps[step].state) {
        (SolverStep::Predictive(step), SolverState::Predictive(state)) => {
            use predictive::Stage;
            let leg = step.side.map(|side| state.legs[side as usize]).unwrap_or_default();
            match step.stage {
                Stage::RootCheck if events.is_empty() => None,
                Stage::RootCheck => Some(Value::Truth(state.root_grounded)),
                Stage::Predict => Some(Value::Point(leg.predicted)),
                Stage::Cast => Some(Value::Point(leg.heel.map(|hit| hit.point).or(ray(step.side))?)),
                Stage::FootPlane => Some(Value::Vector(leg.tilt_target)),
                Stage::Rotation => Some(Value::Vector(leg.tilt)),
                Stage::Offset => Some(Value::Number(leg.offset)),
                Stage::Pelvis => Some(Value::Number(state.pelvis.height)),
            }
        }
        (SolverStep::FootIk(step), SolverState::FootIk(state)) => {
            use foot_ik::Stage;
            let leg = step.side.map(|side| state.legs[side as usize]).unwrap_or_default();
            match step.stage {
                Stage::Cast => Some(Value::Point(leg.hit.map(|hit| hit.point).or(ray(step.side))?)),
                Stage::Rotation => Some(Value::Rotation(leg.rotation)),
                Stage::Offset => Some(Value::Number(leg.offset)),
                Stage::Pelvis => Some(Value::Number(state.pelvis)),
            }
        }
        _ => panic!("a step of one grounder, a state of the other"),
    }
}

fn is_near(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs() <= TOLERANCE,
        (Value::Point(a), Value::Point(b)) | (Value::Vector(a), Value::Vector(b)) => a.distance(b) <= TOLERANCE,
        (Value::Rotation(a), Value::Rotation(b)) => swing_angle(a * b.conjugate()) <= 1e-3,
        (a, b) => a == b,
    }
}

/// Checks the formula of every step. Returns each formula's title up to the first comma, with its last line.
fn check(recording: &Recording) -> Result<BTreeSet<String>, String> {
    let mut met = BTreeSet::new();
    for step in 0..recording.solve.steps.len() {
        let explained = formula(recording, step);
        let result = result_of(recording, step);
        let (Some(explained), Some(result)) = (&explained, result) else {
            if explained.is_some() || result.is_some() {
                return Err(format!("{explained:?} of {result:?}"));
            }
            continue;
        };
        let mut found = flaws(explained, WIDEST);
        if !is_near(explained.result, result) {
            found.push(format!("{:?} is not {result:?}", explained.result));
        }
        if !found.is_empty() {
            return Err(format!("{found:?}\n{explained:#?}\n{recording:?}"));
        }
        let last = &explained.lines[explained.lines.len() - 1].symbolic;
        met.insert(format!("{}: {last}", explained.title.split(',').next().unwrap()));
    }
    match formula(recording, recording.solve.steps.len()) {
        Some(_) => Err("a formula for no step".to_owned()),
        None => Ok(met),
    }
}

/// Records each frame from the state after the previous one, and passes every recording to `each`.
fn record(solver: &Solver, frames: &[Input], ground: &impl Ground, mut each: impl FnMut(&Recording)) {
    let mut state = SolverState::fresh(solver);
    for input in frames {
        let mut recording = Recording::default();
        recording.record(solver, input, &state, ground);
        each(&recording);
        state = recording.state();
    }
}

fn record_on(solver: &Solver, frames: &[Input], ground: u8, each: impl FnMut(&Recording)) {
    match ground {
        0 => record(solver, frames, &Void, each),
        1 => record(solver, frames, &Plane::sloped(Vec3::new(1.0, 0.0, 0.6), 0.5), each),
        2 => record(solver, frames, &Plane::level(0.9), each),
        3 => record(solver, frames, &Terrain(Stairs { tread: 0.3, rise: 0.15, count: 6 }), each),
        _ => record(solver, frames, &Terrain(Hills { height: 0.3, length: 3.0 }), each),
    }
}

fn check_on(solver: &Solver, frames: &[Input], ground: u8) -> Result<BTreeSet<String>, String> {
    let mut met = Ok(BTreeSet::new());
    record_on(solver, frames, ground, |recording| {
        if let Ok(all) = &mut met {
            match check(recording) {
                Ok(more) => all.extend(more),
                Err(wrong) => met = Err(wrong),
            }
        }
    });
    met
}

fn foot() -> impl Strategy<Value = FootInput> {
    let geometry = (0.0f32..0.15, 0.0f32..0.1, 0.0f32..0.3, prop::option::of(vector(1.0)));
    let geometry = geometry.prop_map(|(ankle_height, heel_offset, toe_offset, forward)| FootGeometry {
        ankle_height,
        heel_offset,
        toe_offset,
        forward_in_foot: forward.unwrap_or(Vec3::ZERO),
    });
    let lost = prop_oneof![8 => Just(false), 1 => Just(true)];
    (vector(0.5), turn(1.0), geometry, fraction(), lost, 0..6u8).prop_map(
        |(position, rotation, geometry, weight, is_lost, bare)| {
            let hip = position + Vec3::Y * 1.3;
            let position = if is_lost { Vec3::splat(f32::NAN) } else { position + Vec3::Y * 0.4 };
            let geometry = if bare % 3 == 0 { FootGeometry::default() } else { geometry };
            let reach = (bare > 2).then_some(Reach { hip, length: 1.1 });
            FootInput { position, rotation, geometry, weight, reach, ..FootInput::default() }
        },
    )
}

fn frames() -> impl Strategy<Value = Vec<Input>> {
    let times = prop_oneof![6 => 0.004f32..0.1, 1 => Just(0.0f32), 1 => Just(0.7f32)];
    let frame = (vector(0.3), turn(3.0), [foot(), foot()], times);
    prop::collection::vec(frame, 1..5).prop_map(|frames| {
        let frames = frames.into_iter().map(|(position, yaw, feet, dt)| Input {
            root: Root { position, up: Vec3::Y, forward: yaw * Vec3::Z },
            feet,
            dt,
        });
        frames.collect()
    })
}

fn update() -> impl Strategy<Value = Update> {
    prop::sample::select(vec![Update::Exact, Update::PerFrame])
}

fn predictive_settings() -> impl Strategy<Value = Solver> {
    let numbers = prop::collection::vec(prop::option::of(fraction()), PredictiveSettings::PARAMETERS.len());
    (numbers, 0..3usize, any::<bool>(), any::<bool>(), update()).prop_map(
        |(numbers, quality, falls, inverted, update)| {
            let mut settings = PredictiveSettings {
                quality: Quality::ALL[quality],
                overstep_falls_down: falls,
                invert_foot_center: inverted,
                update,
                ..PredictiveSettings::default()
            };
            for (parameter, number) in PredictiveSettings::PARAMETERS.iter().zip(numbers) {
                let Some(number) = number else { continue };
                settings.set_number(parameter.key, parameter.min + (parameter.max - parameter.min) * number);
            }
            Solver::Predictive(settings)
        },
    )
}

fn foot_ik_settings() -> impl Strategy<Value = Solver> {
    let numbers = prop::collection::vec(prop::option::of(fraction()), FootIkSettings::PARAMETERS.len());
    let height = prop::sample::select(vec![FootHeight::Added, FootHeight::Replaced]);
    (numbers, any::<bool>(), 0..8u8, update(), height).prop_map(|(numbers, rotate_feet, off, update, foot_height)| {
        let enable_feet_ik = off > 0;
        let mut settings =
            FootIkSettings { rotate_feet, enable_feet_ik, update, foot_height, ..FootIkSettings::default() };
        for (parameter, number) in FootIkSettings::PARAMETERS.iter().zip(numbers) {
            let Some(number) = number else { continue };
            settings.set_number(parameter.key, parameter.min + (parameter.max - parameter.min) * number);
        }
        Solver::FootIk(settings)
    })
}

fn frames_of_a_grounder() -> impl Strategy<Value = (Solver, Vec<Input>, u8)> {
    (prop_oneof![2 => predictive_settings(), 1 => foot_ik_settings()], frames(), 0..6u8)
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases.unwrap_or(256)) }
}

property! {
    #![proptest_config(config())]

    #[test]
    fn every_step_equals_its_formula((solver, frames, ground) in frames_of_a_grounder()) {
        let checked = check_on(&solver, &frames, ground);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}

/// Returns the frames of two strides in place: each foot in turn is ahead along z.
fn stride() -> Vec<Input> {
    let feet = |time: f32| {
        [0.0, 0.5].map(|phase| {
            let z = 0.45 + 0.4 * ((time + phase) * std::f32::consts::TAU).sin();
            let foot = Vec3::new(0.1, 0.12, z);
            let geometry =
                FootGeometry { ankle_height: 0.1, heel_offset: 0.05, toe_offset: 0.2, forward_in_foot: Vec3::Z };
            FootInput { position: foot, geometry, weight: 1.0, ..FootInput::default() }
        })
    };
    let frame = |frame: u8| {
        let time = f32::from(frame) / 12.0;
        let root = Root { position: Vec3::Y * (0.1 * time), ..Root::ORIGIN };
        Input { root, feet: feet(time), dt: 1.0 / 30.0 }
    };
    (0..24).map(frame).collect()
}

/// Returns grounders, each with the number of a ground; together these pairs produce every kind of step.
fn busy() -> impl Iterator<Item = (Solver, u8)> {
    let predictive = Quality::ALL.map(|quality| {
        Solver::Predictive(PredictiveSettings {
            quality,
            height_offset: 0.02,
            lift_pelvis_weight: 0.3,
            ..Default::default()
        })
    });
    let foot_ik = [false, true].map(|rotate_feet| {
        Solver::FootIk(FootIkSettings {
            rotate_feet,
            pelvis_offset: 0.02,
            left_foot_angle_offset: 9.0,
            ..Default::default()
        })
    });
    let lerped = Experiments { lerp_per_frame: true, ..Experiments::default() };
    let replaced = Experiments { replace_foot_height: true, ..Experiments::default() };
    let all = [Experiments::default(), lerped, replaced];
    let solvers = predictive.into_iter().chain(foot_ik);
    let solvers = solvers.flat_map(move |solver| all.map(|experiments| experiments.grounder(solver)));
    solvers.flat_map(|solver| (0..6).map(move |ground| (solver, ground)))
}

#[test]
fn planted_wrong_texts_are_found() {
    let mut formulas = Vec::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..1000 {
        let (solver, frames, ground) = frames_of_a_grounder().new_tree(&mut runner).unwrap().current();
        record_on(&solver, &frames, ground, |recording| {
            formulas.extend((0..recording.solve.steps.len()).filter_map(|step| formula(recording, step)));
        });
    }
    let (survivors, planted) = survivors(formulas);
    assert!(planted > 400 && survivors.len() * 40 < planted, "undetected, of {planted} planted errors: {survivors:#?}");
}

#[test]
fn every_kind_of_step_occurs() {
    let checked = busy().map(|(solver, ground)| check_on(&solver, &stride(), ground).unwrap());
    let met: BTreeSet<String> = checked.flatten().collect();
    let all = [
        "cast: h = b",
        "cast: h = b − up · (2 · step)",
        "cast: h = b − up · (height + depth)",
        "cast: h = b − up · d",
        "foot plane: T = unit(up × n) · min(rad(α), rad(β))",
        "offset: o = min(x, clamp(step − s, 0, step))",
        "offset: o = 0",
        "offset: o = x − (p − root) · up",
        "offset: x = t",
        "offset: x = x₀ + (t − x₀) · share",
        "offset: x = x₀ · k + t₀ · (m − k) + t · (1 − m)",
        "pelvis: h = clamp(t, −step, step)",
        "pelvis: h = clamp(x, −step, step)",
        "pelvis: x = 0",
        "pelvis: x = min(l, r)",
        "pelvis: x = y + (t − y) · share",
        "pelvis: x = x₀ · k + t₀ · (m − k) + t · (1 − m)",
        "pelvis: x = y · k₂ + c · (m₂ − k₂) + r · (1 − m₂)",
        "predict: q = p",
        "predict: q = p + f · ahead",
        "root check: grounded = d < 2 · step",
        "rotation: R = 1",
        "rotation: R = about(up, δ) · S",
        "rotation: t = shorten(T, rad(β))",
        "rotation: t = shorten(s, rad(β))",
    ];
    let missing: Vec<_> = all.iter().filter(|line| !met.contains(**line)).collect();
    assert!(missing.is_empty(), "{missing:?} of {met:#?}");
}
