//! The 2D mode with limits: chains stay in the plane, within their limits, and reach targets that both allow.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::{
    Chain, Goal, Limit, Outcome, Problem, Recording, Settings, Solver, State, Weighting, Workspace, solve,
};
use kinescope_ik::math::{ortho_normalize, swing_angle};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::property::property;
use crate::common::strategies::{cases, direction};

const ITERATING: [Solver; 3] = [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing];

/// Limit of a bone whose rest direction is in the plane; a hinge turns about the plane's normal.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Free,
    Hinge(f32, f32),
    Ball(f32, f32),
    Angle(f32),
}

impl Kind {
    /// Returns the limit; `normal` is the plane's normal in the space that the bone has at rest.
    fn limit(self, normal: Vec3) -> Limit {
        match self {
            Self::Free => Limit::Free,
            Self::Hinge(min, max) => Limit::Hinge { axis: normal * 2.0, min, max },
            Self::Ball(swing, twist) => Limit::BallAndSocket { swing, twist_min: -twist, twist_max: 0.3 * twist },
            Self::Angle(max) => Limit::Angle { max },
        }
    }

    /// Returns the range of the bone's angle about the normal.
    fn range(self) -> (f32, f32) {
        match self {
            Self::Free => (-PI, PI),
            Self::Hinge(min, max) => (min, max),
            Self::Ball(widest, _) | Self::Angle(widest) => (-widest, widest),
        }
    }
}

fn kind() -> BoxedStrategy<Kind> {
    prop_oneof![
        1 => Just(Kind::Free),
        3 => (-2.5f32..0.0, 0.0f32..2.5).prop_map(|(min, max)| Kind::Hinge(min, max)),
        2 => (0.0f32..3.0, 0.0f32..3.0).prop_map(|(swing, twist)| Kind::Ball(swing, twist)),
        2 => (0.0f32..3.0).prop_map(Kind::Angle),
    ]
    .boxed()
}

/// A chain whose rest pose is in a plane, and a pose that its limits allow.
#[derive(Clone, Debug)]
struct Planar {
    chain: Chain,
    normal: Vec3,
    allowed: State,
}

fn planar(bones: std::ops::Range<usize>) -> impl Strategy<Value = Planar> {
    let bone = (0.1f32..1.0, -PI..PI, kind(), 0.1f32..0.9);
    (direction(), prop::collection::vec(bone, bones)).prop_map(|(normal, bones)| {
        let along = ortho_normalize(normal, Vec3::new(0.3, 1.0, 0.2));
        let mut points = vec![Vec3::new(0.3, -0.2, 0.5)];
        for &(length, angle, ..) in &bones {
            let place = points[points.len() - 1] + Quat::from_axis_angle(normal, angle) * along * length;
            points.push(place);
        }
        let mut chain = Chain::from_positions(&points).unwrap();
        let mut allowed = chain.rest().clone();
        let mut turn = Quat::IDENTITY;
        for (index, &(.., kind, share)) in bones.iter().enumerate() {
            let rest = chain.rest().rotations[index];
            chain.set_limit(index, kind.limit(rest.conjugate() * normal)).unwrap();
            let (min, max) = kind.range();
            let angle = min + share * (max - min);
            turn *= Quat::from_axis_angle(normal, angle);
            allowed.rotations[index] = turn * rest;
            allowed.turns[index] = if let Kind::Hinge(..) = kind { angle } else { 0.0 };
        }
        chain.place(&mut allowed);
        Planar { chain, normal, allowed }
    })
}

fn run(chain: &Chain, settings: &Settings, target: Vec3, state: &mut State) -> Outcome {
    let goals = [Goal::end(chain, target)];
    solve(&Problem { chain, settings, goals: &goals }, state, &mut Workspace::default()).unwrap()
}

/// Returns the largest distance of a joint from the plane through the root, as a fraction of the chain's length.
fn off_plane(chain: &Chain, state: &State, normal: Vec3) -> f32 {
    let off = |position: &Vec3| (*position - state.positions[0]).dot(normal).abs();
    state.positions.iter().map(off).fold(0.0, f32::max) / chain.length()
}

fn check(planar: &Planar, state: &State) -> Result<(), TestCaseError> {
    let Planar { chain, normal, .. } = planar;
    prop_assert!(state.is_finite());
    prop_assert!(off_plane(chain, state, *normal) < 1e-5, "{} off the plane", off_plane(chain, state, *normal));
    prop_assert!(chain.violation(state) < 1e-3, "{} beyond a limit", chain.violation(state));
    prop_assert!(chain.length_error(state) < 1e-4);
    for (index, bone) in chain.bones().iter().enumerate() {
        let along = state.rotations[index] * (bone.axis * bone.length);
        let off = (state.positions[index] + along).distance(state.positions[index + 1]);
        prop_assert!(off < 1e-5 * chain.length(), "bone {index} misses its joint by {off}");
    }
    Ok(())
}

property! {
    #![proptest_config(cases(1500))]

    #[test]
    fn chains_with_limits_stay_in_the_plane_and_in_their_limits(
        planar in planar(1..9),
        solver in prop::sample::select(ITERATING.to_vec()),
        targets in prop::collection::vec((direction(), 0.0f32..1.3), 1..4),
        (accelerate, weight, passes) in (any::<bool>(), prop_oneof![Just(1.0f32), 0.1f32..1.0], any::<bool>()),
        iterations in 0..12u32,
    ) {
        let Planar { chain, normal, .. } = &planar;
        let weighting = if passes { Weighting::Passes } else { Weighting::Target };
        let settings = Settings {
            solver, accelerate, weight, weighting, plane: Some(*normal * 3.0), max_iterations: iterations, ..Settings::default()
        };
        let mut state = chain.rest().clone();
        for (way, share) in targets {
            run(chain, &settings, state.positions[0] + way * share * chain.length(), &mut state);
            check(&planar, &state)?;
        }
    }

    #[test]
    fn two_bones_with_limits_stay_in_the_plane(planar in planar(2..3), way in direction(), share in 0.0f32..1.3) {
        let settings = Settings { solver: Solver::TwoBone, plane: Some(planar.normal), ..Settings::default() };
        let mut state = planar.chain.rest().clone();
        run(&planar.chain, &settings, state.positions[0] + way * share * planar.chain.length(), &mut state);
        check(&planar, &state)?;
    }

    #[test]
    fn every_step_stays_in_the_plane(
        planar in planar(2..6), solver in prop::sample::select(ITERATING.to_vec()), way in direction(), share in 0.0f32..1.3,
    ) {
        let Planar { chain, normal, .. } = &planar;
        let settings = Settings { solver, plane: Some(*normal), max_iterations: 5, ..Settings::default() };
        let goals = [Goal::end(chain, chain.rest().positions[0] + way * share * chain.length())];
        let recording = Recording::record(chain, &settings, &goals, chain.rest()).unwrap();
        for step in &recording.solve.steps {
            let off = off_plane(chain, &step.state, *normal);
            // The forward reach moves the root within the plane.
            prop_assert!(off < 1e-5, "{off} off the plane after {:?}", step.step);
        }
        let mut state = chain.rest().clone();
        let outcome = run(chain, &settings, goals[0].position, &mut state);
        prop_assert_eq!((&state, outcome), (recording.solve.end(), recording.outcome), "stepping differs from solving");
    }

    /// From any pose: a cone keeps its bone out of the plane only as far as the cone's axis is beyond its opening, and
    /// bones without a limit are always parallel to the plane.
    #[test]
    fn bones_leave_the_plane_only_as_far_as_their_cones_demand(
        bones in prop::collection::vec((0.1f32..1.0, direction(), direction(), -PI..PI), 1..7),
        kinds in prop::collection::vec(kind(), 7),
        solver in prop::sample::select(ITERATING.to_vec()),
        normal in direction(),
        way in direction(),
        share in 0.0f32..1.3,
    ) {
        let mut points = vec![Vec3::ZERO];
        for &(length, along, ..) in &bones {
            points.push(points[points.len() - 1] + along * length);
        }
        let mut chain = Chain::from_positions(&points).unwrap();
        let mut state = chain.rest().clone();
        for (index, &(.., axis, angle)) in bones.iter().enumerate() {
            let limit = match kinds[index] {
                Kind::Hinge(..) => Limit::Free,
                kind => kind.limit(Vec3::Z),
            };
            chain.set_limit(index, limit).unwrap();
            state.rotations[index] = Quat::from_axis_angle(axis, angle);
        }
        chain.place(&mut state);
        let settings = Settings { solver, plane: Some(normal), ..Settings::default() };
        run(&chain, &settings, way * share * chain.length(), &mut state);
        prop_assert!(chain.violation(&state) < 2e-3, "{} beyond a limit", chain.violation(&state));
        let rise = |direction: Vec3| direction.dot(normal).clamp(-1.0, 1.0).asin().abs();
        for (index, bone) in chain.bones().iter().enumerate() {
            let axis = chain.rotation_before(&state, index) * bone.rest * bone.axis;
            let needed = match bone.limit {
                Limit::BallAndSocket { swing: widest, .. } | Limit::Angle { max: widest } => (rise(axis) - widest).max(0.0),
                Limit::Free | Limit::Hinge { .. } if chain.has_limits() => 0.0,
                Limit::Free | Limit::Hinge { .. } => 1e-4,
            };
            let off = rise((state.positions[index + 1] - state.positions[index]) / bone.length);
            prop_assert!((off - needed).abs() < 2e-3, "bone {index} is {off} off, its limit needs {needed}");
        }
    }

    /// A hinge that is not about the normal takes precedence, and a hinge across the plane does not turn.
    #[test]
    fn other_hinges_hold(
        axis in direction(), solver in prop::sample::select(ITERATING.to_vec()), target in (-1.5f32..1.5, -1.5f32..1.5),
    ) {
        let mut chain = Chain::from_positions(&[Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::new(0.5, 3.0, 0.0)]).unwrap();
        let settings = Settings { solver, plane: Some(Vec3::Z), ..Settings::default() };
        for axis in [axis, Vec3::X] {
            chain.set_limit(1, Limit::Hinge { axis, min: -1.0, max: 1.0 }).unwrap();
            let mut state = chain.rest().clone();
            run(&chain, &settings, Vec3::new(target.0, target.1, 0.0), &mut state);
            prop_assert!(state.is_finite() && chain.violation(&state) < 1e-3);
            let last = state.positions[3] - state.positions[2];
            prop_assert!(last.z.abs() < 1e-5, "the free bone after the hinge leaves the plane");
        }
        let mut state = chain.rest().clone();
        run(&chain, &settings, Vec3::new(target.0, target.1, 0.0), &mut state);
        prop_assert!(swing_angle(chain.turned(&state, 1)) < 1e-3 && off_plane(&chain, &state, Vec3::Z) < 1e-5);
    }
}

/// Returns the fraction of targets reached, each the end of a pose that the limits allow.
fn reached(solver: Solver, settings: Settings) -> f32 {
    let mut runner = TestRunner::deterministic();
    const SOLVES: usize = 400;
    let count = (0..SOLVES).filter(|_| {
        let planar = planar(3..7).new_tree(&mut runner).unwrap().current();
        let Planar { chain, normal, allowed } = &planar;
        let settings = Settings { solver, plane: Some(*normal), tolerance: 1e-3 * chain.length(), ..settings };
        let mut state = chain.rest().clone();
        let outcome = run(chain, &settings, allowed.end(), &mut state);
        check(&planar, &state).unwrap();
        outcome.is_reached()
    });
    count.count() as f32 / SOLVES as f32
}

#[test]
fn targets_that_plane_and_limits_allow_are_reached() {
    let settings = Settings { max_iterations: 200, ..Settings::default() };
    for solver in ITERATING {
        let share = reached(solver, settings);
        // Measured 0.94 and more. The others get stuck at a limit, as they do without a plane.
        assert!(share > 0.9, "{solver:?} reaches {share}");
    }
}

/// The 2D mode shares the limited passes with solves in space, whose results are those from before it applied limits.
#[test]
fn without_a_plane_limited_passes_are_as_before() {
    let bent = [Vec3::ZERO, Vec3::Y, Vec3::new(0.5, 1.8, 0.1), Vec3::new(1.0, 1.2, 0.6), Vec3::new(1.4, 0.4, 0.9)];
    let mut chain = Chain::from_positions(&bent).unwrap();
    chain.set_limit(1, Limit::Hinge { axis: Vec3::X, min: -0.5, max: 0.5 }).unwrap();
    chain.set_limit(2, Limit::BallAndSocket { swing: 0.4, twist_min: -0.1, twist_max: 0.2 }).unwrap();
    chain.set_limit(3, Limit::Angle { max: 0.5 }).unwrap();
    let fabrik = [
        [0.1571866, 0.96589684, -0.20575725],
        [0.7797923, 1.6717883, -0.32441443],
        [0.82638764, 1.4383949, 0.57188696],
        [0.4060854, 0.78579783, 1.108043],
    ];
    let ccd = [
        [-0.10261929, 0.9640873, -0.24495919],
        [0.3110414, 1.7627163, -0.54674786],
        [0.576185, 1.4651816, 0.29061216],
        [0.30022252, 0.80059326, 0.9006674],
    ];
    for (solver, expected) in [(Solver::Fabrik, fabrik), (Solver::Ccd, ccd)] {
        let settings = Settings { solver, max_iterations: 3, accelerate: false, ..Settings::default() };
        let mut state = chain.rest().clone();
        run(&chain, &settings, Vec3::new(0.3, 0.8, 0.9), &mut state);
        for (position, expected) in state.positions[1..].iter().zip(expected) {
            // The last digits may depend on the machine's trigonometric functions.
            assert!(position.distance(Vec3::from(expected)) < 1e-5, "{solver:?}: {position} instead of {expected:?}");
        }
    }
}
