//! Every move of a chain's recording has a formula, and the formula's result is the move.

use std::collections::BTreeSet;

use glam::Vec3;
use kinescope_ik::chain_ik::explain::formula;
use kinescope_ik::chain_ik::{
    BendRule, Cause, CcdTurn, Chain, Goal, Limit, MapTurn, Recording, Settings, Solver, Weighting,
};
use kinescope_ik::notation::{Sheet, Value};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::evaluate::survivors;
use crate::common::flaws::flaws;
use crate::common::property::property;
use crate::common::strategies::{cases, direction};

/// Tolerance of a joint's position, as a fraction of the chain's length.
const TOLERANCE: f32 = 1e-4;
/// The panel's width in characters. Formulas of chains of a few metres must fit.
const WIDEST: usize = 46;

/// Checks the formula of every move; returns the causes of the moves.
fn check(recording: &Recording) -> Result<BTreeSet<Cause>, String> {
    let mut causes = BTreeSet::new();
    for step in 0..recording.solve.steps.len() {
        let moves = recording.solve.events_of(step);
        for (index, moved) in moves.iter().enumerate() {
            let Some(formula) = formula(recording, step, index) else { return Err(format!("none for {moved:?}")) };
            let Value::Point(place) = formula.result else { return Err(format!("no place: {formula:#?}")) };
            let off = place.distance(moved.to);
            let mut found = flaws(&formula, WIDEST);
            if off.is_nan() || off > TOLERANCE * recording.chain.length() {
                found.push(format!("off by {off}"));
            }
            if !found.is_empty() {
                let step = recording.solve.steps[step].step;
                return Err(format!("{found:?}\n{step:?} {moved:?}\n{formula:#?}\n{:?}", recording.settings));
            }
            causes.insert(moved.cause);
        }
        if formula(recording, step, moves.len()).is_some() {
            return Err("a formula for no move".to_owned());
        }
    }
    match formula(recording, recording.solve.steps.len(), 0) {
        Some(_) => Err("a formula for no step".to_owned()),
        None => Ok(causes),
    }
}

fn chain(bones: std::ops::Range<usize>) -> impl Strategy<Value = Chain> {
    let bone = (0.05f32..1.0, direction(), any::<prop::sample::Index>());
    (prop::collection::vec(bone, bones), 0..7u8).prop_map(|(bones, kind)| {
        let mut places = vec![Vec3::new(0.3, -0.2, 0.5)];
        let mut parents = Vec::new();
        for (index, &(length, direction, from)) in bones.iter().enumerate() {
            let direction = match kind {
                0 => Vec3::Y,
                1 if index % 2 == 0 => Vec3::X,
                1 => -Vec3::X,
                _ => direction,
            };
            let from = if kind == 2 { from.index(index + 1) } else { index };
            parents.push(from);
            places.push(places[from] + direction * length);
        }
        Chain::branched(places[0], &places[1..], &parents).unwrap()
    })
}

fn limit() -> BoxedStrategy<Limit> {
    prop_oneof![
        Just(Limit::Free),
        (direction(), -2.0f32..0.5, 0.5f32..2.0).prop_map(|(axis, min, max)| Limit::Hinge { axis, min, max }),
        (0.0f32..2.0, -1.0f32..0.0, 0.0f32..1.0).prop_map(|(swing, twist_min, twist_max)| Limit::BallAndSocket {
            swing,
            twist_min,
            twist_max
        }),
        (0.0f32..2.0).prop_map(|max| Limit::Angle { max }),
    ]
    .boxed()
}

fn settings() -> impl Strategy<Value = Settings> {
    let rarely = |direction: BoxedStrategy<Vec3>| prop_oneof![3 => Just(None), 1 => direction.prop_map(Some)];
    (
        (0..4usize, prop_oneof![3 => Just(1.0f32), 1 => 0.1f32..1.0], any::<bool>(), any::<bool>()),
        (rarely(direction()), rarely(direction()), rarely(direction())),
        (prop_oneof![Just(1.0f32), 0.6f32..1.5], prop_oneof![Just(0.0f32), 0.0f32..0.5], 0..6u32),
    )
        .prop_map(|((solver, weight, limits, accelerate), (plane, bend_normal, bend_goal), numbers)| {
            let (maximum_stretch, soft_zone, max_iterations) = numbers;
            let solver = Solver::ALL[solver];
            // In a third of the cases, `ccd_turn` and `map_turn` are one of their two misreadings.
            let ccd_turn = CcdTurn::ALL[if accelerate { 0 } else { max_iterations as usize % 3 }];
            let bend_rule = BendRule::ALL[usize::from(!accelerate && max_iterations % 2 == 1)];
            let weighting = Weighting::ALL[usize::from(!limits)];
            Settings {
                weighting,
                ccd_turn,
                map_turn: MapTurn::ALL[if accelerate { 0 } else { max_iterations as usize % 3 }],
                bend_rule,
                solver,
                weight,
                limits,
                accelerate,
                plane,
                bend_normal,
                bend_goal,
                maximum_stretch,
                soft_zone,
                max_iterations,
                ..Settings::default()
            }
        })
}

/// Generates recordings of solves of every kind; `None` if the settings do not fit the chain.
fn recordings() -> impl Strategy<Value = Option<Recording>> {
    let limits = prop::option::of(prop::collection::vec(limit(), 7));
    let weights = prop::option::of(prop::collection::vec(0.0f32..1.0, 7));
    let ways = prop::collection::vec((direction(), 0.0f32..1.4, 0.1f32..3.0), 1..4);
    let joints = prop::collection::vec(any::<prop::sample::Index>(), 4);
    let input = (chain(1..7), chain(2..3), limits, weights, settings(), ways, joints, any::<bool>());
    input.prop_map(|(any_chain, limb, limits, weights, settings, ways, joints, is_elsewhere)| {
        let mut chain = if settings.solver == Solver::TwoBone { limb } else { any_chain };
        for bone in 0..chain.bones().len() {
            chain.set_limit(bone, limits.as_ref().map_or(Limit::Free, |limits| limits[bone])).unwrap();
            chain.set_weight(bone, weights.as_ref().map_or(1.0, |weights| weights[bone]));
        }
        let target = |way: Vec3, share: f32| chain.rest().positions[0] + way * share * chain.length();
        let goals = ways.iter().zip(&joints).map(|(&(way, share, pull), joint)| Goal {
            joint: 1 + joint.index(chain.bones().len()),
            position: target(way, share),
            pull,
        });
        let mut goals: Vec<Goal> = goals.collect();
        if settings.solver != Solver::Fabrik || !is_elsewhere {
            goals = vec![Goal::end(&chain, target(ways[0].0, ways[0].1))];
        }
        Recording::record(&chain, &settings, &goals, chain.rest()).ok()
    })
}

property! {
    #![proptest_config(cases(512))]

    #[test]
    fn every_move_equals_its_formula(recording in recordings()) {
        let checked = recording.as_ref().map(check);
        prop_assert!(!matches!(checked, Some(Err(_))), "{}", checked.unwrap().unwrap_err());
    }
}

#[test]
fn planted_wrong_texts_are_found() {
    let mut runner = TestRunner::deterministic();
    let recordings = (0..500).filter_map(|_| recordings().new_tree(&mut runner).unwrap().current());
    let formulas = recordings.flat_map(|recording| {
        let steps = 0..recording.solve.steps.len();
        let moves = steps.flat_map(|step| (0..recording.solve.events_of(step).len()).map(move |index| (step, index)));
        let moves: Vec<_> = moves.collect();
        moves.into_iter().map(move |(step, index)| formula(&recording, step, index).unwrap())
    });
    let (survivors, planted) = survivors(formulas);
    assert!(planted > 400 && survivors.len() * 40 < planted, "undetected, of {planted} planted errors: {survivors:#?}");
}

fn recorded(chain: &Chain, settings: Settings, targets: &[(usize, Vec3)]) -> Recording {
    let goals = targets.iter().map(|&(joint, position)| Goal { joint, position, pull: 1.0 });
    Recording::record(chain, &settings, &goals.collect::<Vec<_>>(), chain.rest()).unwrap()
}

#[test]
fn every_cause_is_met() {
    let mut causes = BTreeSet::new();
    let mut met = |recording: Recording| causes.extend(check(&recording).unwrap());
    let bent = [Vec3::ZERO, Vec3::Y, Vec3::new(0.5, 1.8, 0.1), Vec3::new(1.0, 1.2, 0.6), Vec3::new(1.4, 0.4, 0.9)];
    let mut chain = Chain::from_positions(&bent).unwrap();
    let bent_freely = chain.clone();
    let near = [(4, Vec3::new(0.3, 0.8, 0.9))];
    for solver in [Solver::Ccd, Solver::CcdGrowing, Solver::Fabrik] {
        met(recorded(&chain, Settings { solver, ..Settings::default() }, &near));
        met(recorded(&chain, Settings { solver, plane: Some(Vec3::Z), ..Settings::default() }, &near));
        met(recorded(&chain, Settings { solver, ..Settings::default() }, &[(4, Vec3::X * 9.0)]));
    }
    for bone in 0..4 {
        chain.set_limit(bone, Limit::Angle { max: 0.2 }).unwrap();
    }
    met(recorded(&chain, Settings::default(), &near));
    met(recorded(&chain, Settings { solver: Solver::Ccd, ..Settings::default() }, &near));
    let straight = Chain::from_lengths(&[0.5; 5]).unwrap();
    met(recorded(&straight, Settings::default(), &[(5, Vec3::Y)]));
    // In some of these cases the passes alone get stuck under the bend rule; in others the chain is on the wrong side.
    for index in 0..64 {
        let along =
            glam::Quat::from_rotation_y(index as f32) * glam::Quat::from_rotation_z(0.1 * index as f32) * Vec3::Y;
        let ruled = Settings { bend_normal: Some(Vec3::new(0.2, 0.4, 0.9)), ..Settings::default() };
        met(recorded(&bent_freely, ruled, &[(4, along * 1.5)]));
        met(recorded(&bent_freely, Settings { accelerate: false, ..ruled }, &[(4, along * 1.5)]));
    }
    let ends = [Vec3::Y, Vec3::new(1.0, 2.0, 0.0), Vec3::new(-1.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 1.0)];
    let branched = Chain::branched(Vec3::ZERO, &ends, &[0, 1, 1, 1]).unwrap();
    let targets = [(2, Vec3::new(1.0, 1.0, 1.0)), (3, Vec3::new(-1.0, 1.5, 1.0)), (4, Vec3::Y * 3.0)];
    met(recorded(&branched, Settings::default(), &targets));
    met(recorded(&branched, Settings::default(), &[targets[0], targets[1], targets[2], (1, Vec3::X)]));
    let mut limb = Chain::from_lengths(&[1.0, 0.2]).unwrap();
    let two_bone = Settings { solver: Solver::TwoBone, ..Settings::default() };
    met(recorded(&limb, two_bone, &[(2, Vec3::new(0.3, 1.0, 0.1))]));
    met(recorded(&limb, two_bone, &[(2, Vec3::ZERO)]));
    limb.set_limit(1, Limit::Hinge { axis: Vec3::X, min: 0.1, max: 0.3 }).unwrap();
    met(recorded(&limb, two_bone, &[(2, Vec3::new(0.3, 1.0, 0.1))]));
    assert_eq!(
        causes,
        BTreeSet::from(Cause::ALL),
        "missing: {:?}",
        Cause::ALL.iter().filter(|c| !causes.contains(c)).collect::<Vec<_>>()
    );
}

/// A target on the joint before the end leaves the bone between them without a direction.
#[test]
fn a_reach_onto_the_next_joint_equals_its_formula() {
    let places = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.2, 0.6)];
    let chain = Chain::from_positions(&places).unwrap();
    for bend_rule in BendRule::ALL {
        for (bend_normal, plane) in [(None, None), (Some(Vec3::Z), None), (Some(Vec3::Z), Some(Vec3::Z))] {
            let settings = Settings { bend_rule, bend_normal, plane, accelerate: false, ..Settings::default() };
            let recording = recorded(&chain, settings, &[(3, places[2])]);
            let moves = (0..recording.solve.steps.len()).flat_map(|step| recording.solve.events_of(step));
            let is_degenerate = |found: &kinescope_ik::chain_ik::Move| {
                found.cause == Cause::ForwardReach && found.joint == 2 && found.from.distance(places[2]) < 1e-6
            };
            assert!(plane.is_some() || moves.clone().any(is_degenerate), "{settings:?}");
            check(&recording).unwrap();
        }
    }
}

#[test]
fn a_reach_reads_as_in_a_book() {
    let chain = Chain::from_positions(&[Vec3::ZERO, Vec3::Y, Vec3::Y + Vec3::X]).unwrap();
    let settings = Settings { accelerate: false, ..Settings::default() };
    let recording = recorded(&chain, settings, &[(2, Vec3::new(1.0, 0.5, 0.0))]);
    let step = (0..recording.solve.steps.len()).find(|&step| !recording.solve.events_of(step).is_empty()).unwrap();
    let formula = formula(&recording, step, 1).unwrap();
    assert_eq!(formula.title, "forward reach, joint 1");
    let lines: Vec<&str> = formula.lines.iter().map(|line| line.symbolic.as_str()).collect();
    assert_eq!(lines, ["u = unit(p − q)", "p = q + length · u"]);
    assert_eq!(formula.lines[1].numeric, "= [0.106, 0.947, 0.000]");
}

fn straightening(recording: &Recording, title: &str) -> Sheet {
    let steps = 0..recording.solve.steps.len();
    let moves = steps.flat_map(|step| (0..recording.solve.events_of(step).len()).map(move |index| (step, index)));
    let mut formulas = moves
        .filter(|&(step, index)| recording.solve.events_of(step)[index].cause == Cause::Straighten)
        .map(|(step, index)| formula(recording, step, index).unwrap());
    formulas.find(|formula| formula.title.starts_with(title)).unwrap()
}

#[test]
fn a_straightening_reports_its_scale() {
    let bent: Vec<Vec3> = (0..6).map(|i| Vec3::new(0.3 * (i % 2) as f32, 0.5 * i as f32, 0.05 * i as f32)).collect();
    let chain = Chain::from_positions(&bent).unwrap();
    let target = Vec3::new(1.0, 1.0, 0.5).normalize() * 0.99 * chain.length();
    let formula = straightening(&recorded(&chain, Settings::default(), &[(5, target)]), "straightened");
    let lines: Vec<&str> = formula.lines.iter().map(|line| line.symbolic.as_str()).collect();
    let after_one_step = ["slope = −½ · Σ t · (1 − (t / l)²)", "A = 1 + (D − d) / slope", "k = √clamp(A, 1/16, 16)"];
    let after_more =
        ["slope = −½ · Σ t · (1 − (t / l)²) / A₁", "A = A₁ + (D − d₁) / slope", "k = √clamp(A, A₁ / 16, 16 · A₁)"];
    assert_eq!(lines[..2], ["d = |e − root|", "D = |target − root|"]);
    assert!(lines[2..5] == after_one_step || lines[2..5] == after_more, "{lines:?}");
    assert_eq!(lines[5..], ["R = turn(e₁ − root, target − root)", "w = R · (v + k · o)", "p = q + length · unit(w)"]);
}

#[test]
fn a_straightening_reports_where_it_folded() {
    let bent: Vec<Vec3> = (0..6).map(|i| Vec3::new(0.3 * (i % 2) as f32, 0.5 * i as f32, 0.05 * i as f32)).collect();
    let chain = Chain::from_positions(&bent).unwrap();
    let target = Vec3::new(1.0, 1.0, 0.5).normalize() * 0.6 * chain.length();
    let formula = straightening(&recorded(&chain, Settings::default(), &[(5, target)]), "folded");
    let lines: Vec<&str> = formula.lines.iter().map(|line| line.symbolic.as_str()).collect();
    assert_eq!(
        lines[2..5],
        ["α = acos((r² + s² − D²) / (2 · r · s))", "T = turn(e − j, f)", "R = turn(e₁ − root, target − root)"]
    );
    assert_eq!(lines[5], "p = q + R · b");
}
