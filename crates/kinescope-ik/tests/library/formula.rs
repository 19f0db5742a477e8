//! Every move of a recording has a formula, and the formula's result is the move.

use std::collections::BTreeSet;

use glam::{Quat, Vec3, Vec4};
use kinescope_ik::full_body::explain::formula;
use kinescope_ik::full_body::{
    Cause, Effector, Frame, FullBody, Move, Node, Recording, Settings, Smoothing, Stage, State, Step, WriteCause,
    explain_writing,
};
use kinescope_ik::math::swing_angle;
use kinescope_ik::notation::{Curve, Value};
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stepped::Recorded;
use kinescope_ik::trace::Trace;
use proptest::prelude::*;

use crate::common;
use crate::common::built_in::built_in;
use crate::common::evaluate::survivors;
use crate::common::flaws::flaws;
use crate::common::property::property;
use crate::common::strategies;
use crate::common::strategies::cases;
use crate::common::strategies::turn;

/// Tolerance of a position, as a fraction of the character's height.
const TOLERANCE: f32 = 1e-5;
/// The width of the panel for formulas, in characters. The formulas of a human in metres must fit into it.
const WIDEST: usize = 46;

fn recorded(solver: &FullBody, settings: &Settings, pose: &[RigidTransform]) -> Recording {
    let mut recording = Recording::default();
    recording.record(solver, &mut solver.workspace(), settings, &mut pose.to_vec()).unwrap();
    recording.recall(solver);
    recording
}

/// Tolerance of a bone's rotation, in degrees.
const TURNED: f32 = 0.02;

/// Checks the formula of every move of writing; returns the causes of the moves.
fn check_writing(
    recording: &Recording,
    solver: &FullBody,
    height: f32,
    widest: usize,
) -> Result<BTreeSet<&'static str>, String> {
    let mut causes = BTreeSet::new();
    for step in 0..recording.writing.steps.len() {
        let moves = recording.writing.events_of(step);
        for (index, moved) in moves.iter().enumerate() {
            let formula = explain_writing::formula(recording, solver, step, index);
            let Some(formula) = formula else { return Err(format!("none for {moved:?}")) };
            let mut found = flaws(&formula, widest);
            let result = match formula.result {
                Value::Point(position) => RigidTransform { position, ..moved.from },
                Value::Orientation(rotation) => RigidTransform { rotation, ..moved.from },
                Value::Bone(bone) => bone,
                _ => return Err(format!("no bone: {formula:#?}")),
            };
            let off = result.position.distance(moved.to.position);
            let turned = swing_angle(result.rotation * moved.to.rotation.conjugate()).to_degrees();
            if off.is_nan() || off > height * TOLERANCE + 1e-6 {
                found.push(format!("off by {off}"));
            }
            if turned.is_nan() || turned > TURNED {
                found.push(format!("off by {turned}°"));
            }
            if !found.is_empty() {
                return Err(format!("{found:?}\n{moved:?}\n{formula:#?}"));
            }
            causes.insert(kind_of_writing(moved.cause));
        }
        if explain_writing::formula(recording, solver, step, moves.len()).is_some() {
            return Err("a formula for no move".to_owned());
        }
    }
    match explain_writing::formula(recording, solver, recording.writing.steps.len(), 0) {
        Some(_) => Err("a formula for no step".to_owned()),
        None => Ok(causes),
    }
}

fn kind_of_writing(cause: WriteCause) -> &'static str {
    match cause {
        WriteCause::SpineOffset => "spine offset",
        WriteCause::SpineForward { .. } => "spine forward",
        WriteCause::SpineBackward { .. } => "spine backward",
        WriteCause::RootPutBack { .. } => "root put back",
        WriteCause::SpineEnd => "spine end",
        WriteCause::PelvisPlane => "pelvis plane",
        WriteCause::Swing => "swing",
        WriteCause::Twist => "twist",
        WriteCause::ChestPlane => "chest plane",
        WriteCause::HeadRotation => "head rotation",
        WriteCause::Clavicle(_) => "clavicle",
        WriteCause::Placed(_) => "placed",
        WriteCause::UpperPlane(_) => "upper plane",
        WriteCause::LowerPlane(_) => "lower plane",
        WriteCause::MaintainRotation(_) => "maintain rotation",
        WriteCause::EffectorRotation(_) => "effector rotation",
    }
}

const WRITING_KINDS: usize = 16;

/// Checks the formula of every move; returns the causes of the moves.
fn check(recording: &Recording, height: f32, widest: usize) -> Result<BTreeSet<&'static str>, String> {
    let mut causes = BTreeSet::new();
    for step in 0..recording.solve.steps.len() {
        for (index, moved) in recording.solve.events_of(step).iter().enumerate() {
            let Some(formula) = formula(recording, step, index) else { return Err(format!("none for {moved:?}")) };
            let Value::Point(place) = formula.result else { return Err(format!("no place: {formula:#?}")) };
            let off = place.distance(moved.to);
            let mut found = flaws(&formula, widest);
            if off.is_nan() || off > height * TOLERANCE + 1e-6 {
                found.push(format!("off by {off}"));
            }
            if !found.is_empty() {
                return Err(format!("{found:?}\n{moved:?}\n{formula:#?}"));
            }
            causes.insert(kind(moved.cause));
        }
        if formula(recording, step, recording.solve.events_of(step).len()).is_some() {
            return Err("a formula for no move".to_owned());
        }
    }
    match formula(recording, recording.solve.steps.len(), 0) {
        Some(_) => Err("a formula for no step".to_owned()),
        None => Ok(causes),
    }
}

fn kind(cause: Cause) -> &'static str {
    match cause {
        Cause::BendLimit(_) => "bend limit",
        Cause::Offset(_) => "offset",
        Cause::SharedOffset(..) => "shared offset",
        Cause::Pushed(_) => "pushed",
        Cause::Effector(_) => "effector",
        Cause::EffectorChild(_) => "effector child",
        Cause::Push(_) => "push",
        Cause::PushParent => "push parent",
        Cause::Reach(_) => "reach",
        Cause::Trigonometric(_) => "trigonometric",
        Cause::ForwardReach(_) => "forward reach",
        Cause::Centroid => "centroid",
        Cause::ChildConstraint { round: None, .. } => "child constraint, stage 1",
        Cause::ChildConstraint { round: Some(_), .. } => "child constraint, stage 2",
        Cause::LinearConstraint { .. } => "linear constraint",
        Cause::BackwardReach(_) => "backward reach",
        Cause::Bend(_) => "bend",
    }
}

const KINDS: usize = 15;

fn pose() -> impl Strategy<Value = Vec<RigidTransform>> {
    let turns = prop::collection::vec(turn(0.3), built_in().model.skeleton.len());
    prop::option::of(turns).prop_map(|turns| {
        let mut local = built_in().model.skeleton.rest_pose();
        for (bone, turn) in local.bones.iter_mut().zip(turns.into_iter().flatten()) {
            bone.rotation = (turn * bone.rotation).normalize();
        }
        ModelPose::from_local(&built_in().model.skeleton, &local).bones
    })
}

/// Returns valid settings with few iterations, so that every move can be checked; targets near the character's middle.
fn settings() -> impl Strategy<Value = Settings> {
    strategies::settings().prop_map(|mut settings| {
        settings.solver.iterations = settings.solver.iterations.min(6);
        settings.solver.spine_iterations = settings.solver.spine_iterations.min(6);
        let middle = Vec3::new(0.0, built_in().found.height / 2.0, 0.0);
        for effector in &mut settings.effectors {
            effector.position = effector.position.map(|position| position / 2.0 + middle);
        }
        settings
    })
}

property! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_move_equals_its_formula(settings in settings(), pose in pose()) {
        let character = built_in();
        let recording = recorded(&character.solver, &settings, &pose);
        let checked = check(&recording, character.found.height, WIDEST);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
        let checked = check_writing(&recording, &character.solver, character.found.height, WIDEST);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}

/// Returns settings with which, from [`busy_pose`], moves have all causes but `Pushed` and `SharedOffset`, which need
/// hooks.
fn busy() -> Settings {
    let mut settings = Settings::default();
    for (index, effector) in settings.effectors.iter_mut().enumerate() {
        let side = if index % 2 == 0 { 0.2 } else { -0.3 };
        effector.position = Some(Vec3::new(side, 1.0, 0.5));
        effector.position_weight = 0.6;
        effector.position_offset = Vec3::new(0.0, 0.02, 0.01);
        (effector.rotation, effector.rotation_weight) = (Some(Quat::from_rotation_x(0.7)), 0.5);
    }
    for (index, chain) in settings.chains.iter_mut().enumerate() {
        let pull = 0.9 - 0.2 * index as f32;
        (chain.push, chain.push_parent, chain.reach, chain.pull) = (0.8, 0.5, 0.7, pull);
        (chain.maintain_rotation, chain.mapping_weight) = (0.4, 0.9);
    }
    (settings.solver.spine_twist_weight, settings.solver.head_maintain_rotation) = (0.6, 0.3);
    (settings.solver.weight, settings.pin) = (0.95, 0.2);
    settings
}

#[test]
fn every_cause_is_met() {
    let character = built_in();
    let recording = recorded(&character.solver, &busy(), &busy_pose());
    let causes = check(&recording, character.found.height, WIDEST).unwrap();
    assert_eq!(causes.len(), KINDS, "{causes:?}");
    let causes = check_writing(&recording, &character.solver, character.found.height, WIDEST).unwrap();
    assert_eq!(causes.len(), WRITING_KINDS, "{causes:?}");
}

/// Returns the rest pose with the left arm bent the wrong way.
fn busy_pose() -> Vec<RigidTransform> {
    let character = built_in();
    let mut local = character.model.skeleton.rest_pose();
    for bone in Node::of_limb(LimbName::LeftArm).map(|node| character.solver.bone_of(node)) {
        local.bones[bone].rotation = Quat::from_rotation_y(1.5) * local.bones[bone].rotation;
    }
    ModelPose::from_local(&character.model.skeleton, &local).bones
}

#[test]
fn push_and_reach_are_read_off_the_curve_of_their_smoothing() {
    let character = built_in();
    for smoothing in Smoothing::ALL {
        let mut settings = busy();
        for chain in &mut settings.chains {
            (chain.push_smoothing, chain.reach_smoothing) = (smoothing, smoothing);
        }
        let recording = recorded(&character.solver, &settings, &busy_pose());
        let moves = (0..recording.solve.steps.len()).flat_map(|step| {
            recording.solve.events_of(step).iter().enumerate().map(move |(index, moved)| (step, index, moved.cause))
        });
        let mut met = BTreeSet::new();
        for (step, index, cause) in moves.filter(|(_, _, cause)| matches!(cause, Cause::Push(_) | Cause::Reach(_))) {
            let curve = formula(&recording, step, index).unwrap().curve.unwrap();
            let text = ["x", "x²", "x³"][smoothing as usize];
            assert_eq!((curve.courses.len(), &*curve.courses[curve.in_force].text), (3, text), "{cause:?}");
            met.insert(kind(cause));
        }
        assert_eq!(met.len(), 2, "{smoothing:?}: {met:?}");
    }
}

#[test]
fn a_planted_wrong_curve_is_found() {
    let recording = recorded(&built_in().solver, &busy(), &busy_pose());
    let curved = (0..recording.solve.steps.len())
        .flat_map(|step| (0..recording.solve.events_of(step).len()).map(move |index| (step, index)))
        .filter_map(|(step, index)| formula(&recording, step, index).filter(|sheet| sheet.curve.is_some()));
    let mut count = 0;
    for sheet in curved {
        let wrongs: [fn(&mut Curve); 5] = [
            |curve| curve.courses[1].text = "x³".to_owned(),
            |curve| curve.courses[2].points[9][1] += 0.01,
            |curve| curve.at[0] += 0.01,
            |curve| curve.at[1] += 0.01,
            |curve| curve.line += 1,
        ];
        for wrong in wrongs {
            let mut sheet = sheet.clone();
            wrong(sheet.curve.as_mut().unwrap());
            assert!(!flaws(&sheet, WIDEST).is_empty(), "{:#?}", sheet.curve);
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn planted_wrong_texts_are_found() {
    let character = built_in();
    let recording = recorded(&character.solver, &busy(), &busy_pose());
    let (solve, writing) = (&recording.solve, &recording.writing);
    let of_solve = (0..solve.steps.len())
        .flat_map(|step| (0..solve.events_of(step).len()).map(move |index| (step, index)))
        .map(|(step, index)| formula(&recording, step, index).unwrap());
    let of_writing = (0..writing.steps.len())
        .flat_map(|step| (0..writing.events_of(step).len()).map(move |index| (step, index)))
        .map(|(step, index)| explain_writing::formula(&recording, &character.solver, step, index).unwrap());
    let (survivors, planted) = survivors(of_solve.chain(of_writing));
    assert!(planted > 400 && survivors.len() * 40 < planted, "undetected, of {planted} planted errors: {survivors:#?}");
}

#[test]
fn the_golden_traces_moves_have_formulas() {
    let Some(folder) = common::shared("golden") else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let trace = Trace::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let heights = trace.rig.reference.iter().map(|bone| bone.position.y);
        let height = heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min);
        let solver = trace.rig.solver().unwrap();
        let recording = recorded(&solver, &trace.parameters, &trace.rig.animated);
        let checked = check(&recording, height, usize::MAX);
        if let Err(wrong) = checked.and_then(|_| check_writing(&recording, &solver, height, usize::MAX)) {
            panic!("{}: {wrong}", path.display());
        }
    }
}

#[test]
fn coincident_nodes_and_zero_lengths_are_reported() {
    let mut causes = vec![Cause::PushParent, Cause::Centroid];
    for limb in LimbName::ALL {
        causes.extend([
            Cause::BendLimit(limb),
            Cause::Push(limb),
            Cause::Reach(limb),
            Cause::Trigonometric(limb),
            Cause::ForwardReach(limb),
            Cause::BackwardReach(limb),
            Cause::LinearConstraint { limb, round: 0 },
            Cause::Bend(limb),
        ]);
    }
    for effector in Effector::ALL {
        causes.extend([Cause::Offset(effector), Cause::Effector(effector), Cause::EffectorChild(effector)]);
    }
    for constraint in 0..=u8::MAX {
        causes.push(Cause::ChildConstraint { constraint, round: Some(constraint) });
    }
    let moves: Vec<Move> = causes
        .into_iter()
        .flat_map(|cause| Node::ALL.map(|node| Move { node, from: Vec3::ZERO, to: Vec3::ZERO, cause }))
        .collect();
    let step = Step { iteration: None, stage: Stage::Read };
    let events_to = moves.len() as u32;
    let steps = vec![Recorded { step, state: State::default(), events_from: 0, events_to }];
    let mut wild = Frame { weight: 1.0, ..Frame::default() };
    for limb in &mut wild.limbs {
        (limb.push, limb.reach_force, limb.push_parent, limb.pull) = (Vec4::ONE, Vec4::ONE, Vec4::ONE, Vec4::ONE);
        (limb.bend_weight, limb.has_bend_goal, limb.has_bend_direction) = (Vec4::splat(0.5), Vec4::ONE, Vec4::ONE);
    }
    for effector in wild.first_effectors.iter_mut().chain(&mut wild.end_effectors) {
        (effector.position_weight, effector.rotation_weight) = (Vec4::ONE, Vec4::splat(0.5));
        effector.maintain_relative_position = Vec4::ONE;
    }
    (wild.body_effector.position_weight, wild.body_effector.rotation_weight) = (1.0, 0.5);
    for frame in [Frame::default(), wild] {
        let mut recording = Recording::default();
        recording.frame = frame;
        (recording.solve.steps, recording.solve.events) = (steps.clone(), moves.clone());
        for index in 0..moves.len() {
            if let Some(formula) = formula(&recording, 0, index) {
                assert_eq!(flaws(&formula, usize::MAX), Vec::<String>::new(), "{formula:#?}");
                assert!(matches!(formula.result, Value::Point(place) if place.is_finite()), "{formula:#?}");
            }
        }
    }
}
