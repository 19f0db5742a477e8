//! Properties of the chain solvers for chains and targets of every kind.

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::{
    BendRule, Chain, ChainRun, Goal, Hooks, IterationStart, Limit, PlacedJoint, Problem, Recording, Settings, Solver,
    Stage, State, StoppedBy, Weighting, Workspace, solve, solve_with,
};
use kinescope_ik::debug_draw::{DebugDraw, Layers, Subject};
use kinescope_ik::stepped::run::{Cursor, Run, Shown};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::direction;

/// The range of bone lengths, in metres.
const BONE: std::ops::Range<f32> = 0.05..1.0;

fn chain(bones: std::ops::Range<usize>) -> impl Strategy<Value = Chain> {
    (prop::collection::vec((BONE, direction()), bones), 0..6u8).prop_map(|(bones, kind)| {
        let mut place = Vec3::new(0.3, -0.2, 0.5);
        let mut points = vec![place];
        for (index, &(length, direction)) in bones.iter().enumerate() {
            let direction = match kind {
                0 => Vec3::Y,
                1 if index % 2 == 0 => Vec3::X,
                1 => -Vec3::X,
                _ => direction,
            };
            place += direction * length;
            points.push(place);
        }
        Chain::from_positions(&points).unwrap()
    })
}

fn iterating() -> impl Strategy<Value = Solver> {
    prop_oneof![Just(Solver::Fabrik), Just(Solver::Ccd), Just(Solver::CcdGrowing)]
}

fn limit() -> BoxedStrategy<Limit> {
    let ordered =
        |widest: f32| (-widest..widest, -widest..widest).prop_map(|(a, b)| if a < b { (a, b) } else { (b, a) });
    prop_oneof![
        Just(Limit::Free),
        (direction(), ordered(4.0)).prop_map(|(axis, (min, max))| Limit::Hinge { axis, min, max }),
        (0.0f32..3.0, ordered(3.0)).prop_map(|(swing, (twist_min, twist_max))| Limit::BallAndSocket {
            swing,
            twist_min,
            twist_max
        }),
        (0.0f32..3.0).prop_map(|max| Limit::Angle { max }),
    ]
    .boxed()
}

fn run(chain: &Chain, settings: &Settings, target: Vec3) -> (State, kinescope_ik::chain_ik::Outcome) {
    let mut state = chain.rest().clone();
    let goals = [Goal::end(chain, target)];
    let problem = Problem { chain, settings, goals: &goals };
    let outcome = solve(&problem, &mut state, &mut Workspace::default()).unwrap();
    (state, outcome)
}

/// Checks that a state is finite, that it keeps the root and the bone lengths, and that rotations are unit and point
/// each bone at its joint.
fn is_sound(chain: &Chain, state: &State) -> Result<(), TestCaseError> {
    prop_assert!(state.is_finite());
    // A joint's position is rounded relative to its own magnitude, which matters for short bones.
    let farthest = state.positions.iter().map(|position| position.length()).fold(0.0, f32::max);
    for (index, bone) in chain.bones().iter().enumerate() {
        let off = (state.positions[index + 1].distance(state.positions[bone.from]) - bone.length).abs();
        prop_assert!(
            off < 1e-5 * bone.length + f32::EPSILON * farthest,
            "bone {index} of {} is off by {off}",
            bone.length
        );
    }
    prop_assert!(state.positions[0] == chain.rest().positions[0], "the root moved");
    for (index, bone) in chain.bones().iter().enumerate() {
        let drawn = state.positions[index + 1] - state.positions[bone.from];
        let turned = state.rotations[index] * (bone.axis * bone.length);
        prop_assert!(drawn.distance(turned) < 2e-5 * chain.length(), "bone {index} does not point at its joint");
        prop_assert!((state.rotations[index].length() - 1.0).abs() < 1e-5);
    }
    Ok(())
}

property! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn reached_iff_reachable(chain in chain(1..20), solver in iterating(), way in direction(), share in 0.0f32..1.5) {
        let settings = Settings { solver, tolerance: 1e-3 * chain.length(), max_iterations: 500, ..Settings::default() };
        let target = chain.rest().positions[0] + way * share * chain.length();
        let (state, outcome) = run(&chain, &settings, target);
        is_sound(&chain, &state)?;
        let distance = target.distance(chain.rest().positions[0]);
        let lacks = (distance - chain.length()).max(chain.least_reach() - distance).max(0.0);
        prop_assert!((outcome.error - state.end().distance(target)).abs() < 1e-6 * chain.length());
        if lacks < settings.tolerance * 0.99 {
            prop_assert!(outcome.is_reached(), "{outcome:?} {solver:?} of {} bones {} at {share}", chain.length(), chain.bones().len());
        } else if lacks > settings.tolerance * 1.01 {
            prop_assert_eq!(outcome.stopped_by, StoppedBy::Unreachable);
            prop_assert!(outcome.error < lacks + 1e-4 * chain.length());
        }
        prop_assert_eq!(outcome, run(&chain, &settings, target).1);
    }

    /// Targets near the limits of reach, also the inner limit of a chain with one long bone.
    #[test]
    fn reached_up_to_the_rims(
        bones in prop::collection::vec((BONE, direction()), 1..20),
        long in 0..20usize,
        stretch in 0.5f32..1.5,
        solver in iterating(),
        way in direction(),
        inside in prop_oneof![0.0f32..0.02, 0.98f32..1.0],
    ) {
        let mut bones = bones;
        let long = long % bones.len();
        let others: f32 = bones.iter().map(|bone| bone.0).sum::<f32>() - bones[long].0;
        bones[long].0 = others.max(0.05) * stretch;
        let mut points = vec![Vec3::new(0.3, -0.2, 0.5)];
        for (length, direction) in bones {
            points.push(points[points.len() - 1] + direction * length);
        }
        let chain = Chain::from_positions(&points).unwrap();
        let settings = Settings { solver, tolerance: 1e-3 * chain.length(), max_iterations: 500, ..Settings::default() };
        let distance = chain.least_reach() + inside * (chain.length() - chain.least_reach());
        let (state, outcome) = run(&chain, &settings, points[0] + way * distance);
        is_sound(&chain, &state)?;
        prop_assert!(outcome.is_reached(), "{outcome:?} {solver:?} of {} bones {} inside {inside}", chain.length(), chain.bones().len());
    }

    #[test]
    fn two_bones_reach_targets_within_their_length(chain in chain(2..3), way in direction(), share in 0.0f32..1.5) {
        let settings = Settings { solver: Solver::TwoBone, tolerance: 1e-4, ..Settings::default() };
        let target = chain.rest().positions[0] + way * share * chain.length();
        let (state, outcome) = run(&chain, &settings, target);
        is_sound(&chain, &state)?;
        let distance = target.distance(chain.rest().positions[0]);
        let lacks = (distance - chain.length()).max(chain.least_reach() - distance).max(0.0);
        prop_assert!((outcome.error - lacks).abs() < 1e-5, "{outcome:?} {lacks}");
    }

    #[test]
    fn limits_hold(
        chain in chain(1..10),
        limits in prop::collection::vec(limit(), 10),
        solver in iterating(),
        way in direction(),
        share in 0.0f32..1.5,
        iterations in 0..12u32,
    ) {
        let mut chain = chain;
        for (index, &limit) in limits.iter().enumerate().take(chain.bones().len()) {
            chain.set_limit(index, limit).unwrap();
        }
        let settings = Settings { solver, tolerance: 1e-4, max_iterations: iterations, ..Settings::default() };
        let target = chain.rest().positions[0] + way * share * chain.length();
        let (state, outcome) = run(&chain, &settings, target);
        is_sound(&chain, &state)?;
        prop_assert!(chain.violation(&state) < 5e-3, "{} {outcome:?}", chain.violation(&state));
        prop_assert!(outcome.iterations <= iterations.max(1));
    }

    #[test]
    fn any_input_gives_a_finite_chain_or_an_error(
        points in prop::collection::vec((hostile(), hostile(), hostile()), 0..6),
        target in (hostile(), hostile(), hostile()),
        solver in prop_oneof![iterating(), Just(Solver::TwoBone)],
        numbers in prop::array::uniform4(hostile()),
        limits in prop::collection::vec(limit(), 6),
        normal in prop::option::of((hostile(), hostile(), hostile())),
        plane in prop::option::of((hostile(), hostile(), hostile())),
    ) {
        let vector = |(x, y, z): (f32, f32, f32)| Vec3::new(x, y, z);
        let points: Vec<Vec3> = points.into_iter().map(vector).collect();
        let Ok(mut chain) = Chain::from_positions(&points) else { return Ok(()) };
        for (index, &limit) in limits.iter().enumerate().take(chain.bones().len()) {
            chain.set_limit(index, limit).unwrap();
        }
        let settings = Settings {
            solver,
            weight: numbers[0],
            tolerance: numbers[1],
            maximum_stretch: numbers[2],
            soft_zone: numbers[3],
            bend_normal: normal.map(vector),
            plane: plane.map(vector),
            ..Settings::default()
        };
        let goals = [Goal::end(&chain, vector(target))];
        let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
        let mut state = chain.rest().clone();
        if let Ok(outcome) = solve(&problem, &mut state, &mut Workspace::default()) {
            prop_assert!(state.is_finite(), "{state:?}");
            prop_assert!(outcome.error.is_finite());
        }
    }

    #[test]
    fn no_weight_changes_nothing(chain in chain(1..6), solver in iterating(), way in direction()) {
        let settings = Settings { solver, weight: 0.0, ..Settings::default() };
        let (state, outcome) = run(&chain, &settings, way);
        prop_assert_eq!(&state, chain.rest());
        prop_assert_eq!(outcome.stopped_by, StoppedBy::NoWeight);
    }

    #[test]
    fn half_the_weight_moves_half_the_distance(chain in chain(2..6), solver in iterating(), way in direction()) {
        let settings =
            Settings { solver, weight: 0.5, tolerance: 1e-4, max_iterations: 500, ..Settings::default() };
        let target = chain.rest().positions[0] + way * 0.5 * chain.length();
        let half = chain.rest().end().midpoint(target);
        let distance = half.distance(chain.rest().positions[0]);
        prop_assume!((chain.least_reach()..chain.length()).contains(&distance));
        let (state, outcome) = run(&chain, &settings, target);
        prop_assert!(state.end().distance(half) < 1.1e-4, "{outcome:?} {solver:?} {} {}", chain.bones().len(), distance / chain.length());
    }

    #[test]
    fn the_plane_mode_stays_in_its_plane(
        chain in chain(1..8), solver in iterating(), normal in direction(), way in direction(), share in 0.0f32..1.2,
    ) {
        let settings =
            Settings { solver, plane: Some(normal), tolerance: 1e-4, max_iterations: 200, ..Settings::default() };
        let target = chain.rest().positions[0] + way * share * chain.length();
        let (state, outcome) = run(&chain, &settings, target);
        is_sound(&chain, &state)?;
        for position in &state.positions {
            let off = (*position - state.positions[0]).dot(normal).abs();
            prop_assert!(off < 1e-4 * chain.length() + 1e-5, "{off} off the plane: {solver:?} {} bones {outcome:?} {share}", chain.bones().len());
        }
    }

    #[test]
    fn the_bend_rule_holds_and_the_target_is_reached(
        chain in chain(2..21), normal in direction(), way in direction(), share in 0.0f32..1.2,
    ) {
        let settings = Settings { bend_normal: Some(normal), max_iterations: 100, tolerance: 1e-4, ..Settings::default() };
        let target = chain.rest().positions[0] + way * share * chain.length();
        bends_in_the_right_direction_and_reaches(&chain, &settings, normal, target)?;
    }

    /// Chain and target lie in the plane of the bend rule, so the chain cannot swing out of it. Tests both signs of the
    /// normal, and straight chains.
    #[test]
    fn the_bend_rule_holds_in_its_plane(
        bones in prop::collection::vec((BONE, -3.2f32..3.2), 2..21),
        is_straight in any::<bool>(), sign in prop_oneof![Just(1.0f32), Just(-1.0)], way in -3.2f32..3.2, share in 0.0f32..1.0,
    ) {
        let along = |angle: f32| Quat::from_rotation_z(angle) * Vec3::Y;
        let mut points = vec![Vec3::ZERO];
        for (length, angle) in bones {
            points.push(points[points.len() - 1] + along(if is_straight { 0.0 } else { angle }) * length);
        }
        let chain = Chain::from_positions(&points).unwrap();
        let normal = Vec3::Z * sign;
        let settings = Settings {
            bend_normal: Some(normal), max_iterations: 100, tolerance: 1e-4, ..Settings::default()
        };
        bends_in_the_right_direction_and_reaches(&chain, &settings, normal, along(way) * share * chain.length())?;
    }

    #[test]
    fn the_bend_rule_holds_with_a_weight_in_each_pass(
        bones in prop::collection::vec((BONE, -3.2f32..3.2), 2..12),
        is_straight in any::<bool>(), sign in prop_oneof![Just(1.0f32), Just(-1.0)], way in -3.2f32..3.2, share in 0.25f32..0.9,
        weight in 0.2f32..1.0,
    ) {
        let along = |angle: f32| Quat::from_rotation_z(angle) * Vec3::Y;
        let mut points = vec![Vec3::ZERO];
        for (length, angle) in bones {
            points.push(points[points.len() - 1] + along(if is_straight { 0.0 } else { angle }) * length);
        }
        let chain = Chain::from_positions(&points).unwrap();
        let settings = Settings {
            bend_normal: Some(Vec3::Z * sign), weighting: Weighting::Passes, weight, max_iterations: 300,
            tolerance: 1e-3 * chain.length(), ..Settings::default()
        };
        let target = along(way) * share * chain.length();
        bends_in_the_right_direction_and_reaches(&chain, &settings, Vec3::Z * sign, target)?;
    }
}

fn bends_in_the_right_direction_and_reaches(
    chain: &Chain,
    settings: &Settings,
    normal: Vec3,
    target: Vec3,
) -> Result<(), TestCaseError> {
    let (state, outcome) = run(chain, settings, target);
    is_sound(chain, &state)?;
    for joints in state.positions.windows(3) {
        let [before, after] = [joints[1] - joints[0], joints[2] - joints[1]].map(Vec3::normalize);
        prop_assert!(before.cross(after).dot(normal) > -2e-3, "{}", before.cross(after).dot(normal));
    }
    let distance = target.distance(chain.rest().positions[0]);
    if distance < chain.length() && distance > chain.least_reach() {
        prop_assert!(outcome.is_reached(), "{outcome:?} {} bones", chain.bones().len());
    }
    Ok(())
}

/// The chain used to stop at a distance of 0.858 from the target, with its end on the wrong side of the root.
#[test]
fn two_bones_reach_across_the_bend_rule() {
    let chain = Chain::from_lengths(&[0.45, 0.45]).unwrap();
    for normal in [Vec3::Z, -Vec3::Z] {
        let settings = Settings { bend_normal: Some(normal), ..Settings::default() };
        let target = Vec3::new(0.1, 0.5, 0.0);
        bends_in_the_right_direction_and_reaches(&chain, &settings, normal, target).unwrap();
    }
}

/// The rule of *FABRIK with a bend rule*, taken literally, rotates the bones of this chain by 2° about x.
#[test]
fn the_literal_bend_rule_is_the_sources() {
    let chain = Chain::from_lengths(&[0.45; 4]).unwrap();
    let settings = Settings {
        bend_normal: Some(Vec3::Z),
        bend_rule: BendRule::Literal,
        accelerate: false,
        max_iterations: 1,
        ..Settings::default()
    };
    let goals = [Goal::end(&chain, Vec3::new(0.3, 1.2, 0.1))];
    let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
    let step = recording.solve.steps.iter().position(|step| step.step.stage == Stage::ForwardReach).unwrap();
    let before = &recording.solve.state_before(step).positions;
    let after = &recording.solve.steps[step].state.positions;
    // The chain lies along y, so the y component of the cross product is 0. The rule needs it positive to keep a bone.
    for joint in (1..4).rev() {
        let direction = (before[joint] - after[joint + 1]).normalize();
        let expected = after[joint + 1] + Quat::from_rotation_x(2f32.to_radians()) * direction * 0.45;
        assert!(after[joint].distance(expected) < 1e-6, "joint {joint}: {} {expected}", after[joint]);
    }
}

#[derive(Default)]
struct BendRuleLines {
    mirror: Vec<[Vec3; 2]>,
    circle: Vec<[Vec3; 2]>,
    texts: Vec<String>,
}

impl DebugDraw for BendRuleLines {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        if subject == Subject::MirrorLine {
            self.mirror.push([from, to]);
        }
        if subject == Subject::BendCircle {
            self.circle.push([from, to]);
        }
    }

    fn text(&mut self, _: Vec3, text: &str, _: Subject) {
        self.texts.push(text.to_owned());
    }
}

/// Returns the drawing of the first step of `stage`, the recording and the step's index; `None` without such a step.
/// Checks that only mirror steps draw the line and only arc steps the circle.
fn drawn_at(recording: Recording, stage: Stage) -> Option<(BendRuleLines, Recording, usize)> {
    let step = recording.solve.steps.iter().position(|step| step.step.stage == stage)?;
    let shown = Shown {
        layers: Layers::NONE,
        before: true,
        moved: true,
        limits: false,
        casts: false,
        goals: false,
        size: recording.chain.length(),
    };
    let run = ChainRun { recording, on: None };
    for (other, own) in run.recording.solve.steps.iter().enumerate() {
        let mut lines = BendRuleLines::default();
        run.draw(Cursor { step: other, within: None }, &shown, &mut lines);
        assert_eq!(lines.mirror.len(), usize::from(own.step.stage == Stage::Mirror), "{other} {:?}", own.step);
        assert_eq!(!lines.circle.is_empty(), own.step.stage == Stage::Arc, "{other} {:?}", own.step);
    }
    // The drawing also appears if the cursor is at a single joint's move within the step.
    let mut lines = BendRuleLines::default();
    run.draw(Cursor { step, within: Some(0) }, &shown, &mut lines);
    Some((lines, run.recording, step))
}

#[test]
fn the_mirror_line_and_the_circle_of_the_bend_rule_are_drawn() {
    let chain = Chain::from_lengths(&[0.45, 0.45]).unwrap();
    let settings = Settings { bend_normal: Some(Vec3::Z), ..Settings::default() };
    let goals = [Goal::end(&chain, Vec3::new(0.1, 0.5, 0.0))];
    let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
    let (lines, recording, step) = drawn_at(recording, Stage::Mirror).unwrap();
    let [from, to] = lines.mirror[0];
    let (root, target) = (Vec3::ZERO, recording.targets[0]);
    let along = (to - from).normalize();
    for place in [root, target] {
        let on = (place - from).dot(along);
        assert!((place - from).cross(along).length() < 1e-6 && (0.0..from.distance(to)).contains(&on), "{place}");
    }
    // Every joint is mirrored at the line: the middle between its old and its new position lies on the line.
    for (before, after) in
        recording.solve.state_before(step).positions.iter().zip(&recording.solve.steps[step].state.positions)
    {
        let middle = before.midpoint(*after);
        assert!((middle - from).cross(along).length() < 1e-6, "{before} {after}");
    }
    assert_eq!(lines.texts, ["mirror line: root to target"]);

    let mut circles = 0;
    for (index, target) in (0..60).map(|index| (index, Quat::from_rotation_z(index as f32 * 0.37) * Vec3::Y)) {
        let chain = Chain::from_lengths(&[0.3, 0.2, 0.25, 0.4, 0.15][..3 + index % 3]).unwrap();
        let settings = Settings { bend_normal: Some(Vec3::Z), accelerate: index % 2 == 0, ..Settings::default() };
        let goals = [Goal::end(&chain, target * chain.length() * (0.25 + 0.01 * index as f32))];
        let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
        let Some((lines, recording, step)) = drawn_at(recording, Stage::Arc) else { continue };
        let places: Vec<Vec3> = lines.circle.iter().flatten().copied().collect();
        let center = circumcenter(places[0], places[places.len() / 3], places[places.len() / 3 * 2]);
        let radius = center.distance(places[0]);
        let is_on = |place: &Vec3| (center.distance(*place) - radius).abs() < 2e-4 * radius.max(1.0);
        assert!(places.iter().all(is_on), "{index}: no circle of {radius} about {center}");
        assert!(recording.solve.steps[step].state.positions.iter().all(is_on), "{index}: joints off the circle");
        let shown: f32 = lines.texts[0].rsplit(' ').nth(2).unwrap().parse().unwrap();
        assert!((shown - radius).abs() < 1e-3 * radius.max(1.0), "{:?}, {radius}", lines.texts);
        circles += 1;
    }
    assert!(circles >= 3, "{circles}");
}

/// Returns the centre of the circle through three points of the plane z = 0.
fn circumcenter(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (b, c) = ((b - a).truncate().as_dvec2(), (c - a).truncate().as_dvec2());
    let d = 2.0 * b.perp_dot(c);
    let (bb, cc) = (b.length_squared(), c.length_squared());
    let center = glam::DVec2::new(c.y * bb - b.y * cc, b.x * cc - c.x * bb) / d;
    a + center.as_vec2().extend(0.0)
}

/// Returns numbers from tiny to ±1e9, infinity and NaN.
/// Boxed, because a value tree has room for all choices: without optimization, inputs made of many of them overflow the
/// 2 MB stack of a test.
fn hostile() -> BoxedStrategy<f32> {
    prop_oneof![
        6 => -2.0f32..2.0,
        2 => 0.0f32..1.0,
        1 => Just(0.0f32),
        1 => Just(1.0f32),
        1 => -1e-30f32..1e-30,
        1 => -1e9f32..1e9,
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
    ]
    .boxed()
}

#[test]
fn branches_meet_between_their_goals() {
    // A trunk of two bones with an arm of two on either side, each pulled outwards.
    let ends = [
        Vec3::Y,
        Vec3::Y * 2.0,
        Vec3::new(0.7, 2.7, 0.0),
        Vec3::new(1.4, 3.4, 0.0),
        Vec3::new(-0.7, 2.7, 0.0),
        Vec3::new(-1.4, 3.4, 0.0),
    ];
    let chain = Chain::branched(Vec3::ZERO, &ends, &[0, 1, 2, 3, 2, 5]).unwrap();
    assert!(chain.is_branched());
    assert_eq!(chain.ends().collect::<Vec<_>>(), [4, 6]);
    let settings = Settings { max_iterations: 200, tolerance: 1e-4, ..Settings::default() };
    let solve_for = |targets: [Vec3; 2], pulls: [f32; 2]| {
        let goals = [4, 6].into_iter().zip(targets).zip(pulls);
        let goals: Vec<Goal> = goals.map(|((joint, position), pull)| Goal { joint, position, pull }).collect();
        let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
        let mut state = chain.rest().clone();
        let outcome = solve(&problem, &mut state, &mut Workspace::default()).unwrap();
        assert!(chain.length_error(&state) < 1e-5);
        (state, outcome)
    };
    let (_, outcome) = solve_for([Vec3::new(1.2, 3.0, 0.4), Vec3::new(-1.2, 3.0, 0.4)], [1.0, 1.0]);
    assert!(outcome.is_reached(), "{outcome:?}");
    // Both targets are out of reach: the trunk leans toward the stronger pull.
    let (state, outcome) = solve_for([Vec3::new(6.0, 2.0, 0.0), Vec3::new(-6.0, 2.0, 0.0)], [3.0, 1.0]);
    assert!(!outcome.is_reached());
    assert!(state.positions[2].x > 0.5, "{:?}", state.positions[2]);
}

#[test]
fn a_straight_chain_bends_for_a_nearer_target() {
    let chain = Chain::from_lengths(&[0.5; 6]).unwrap();
    for solver in [Solver::Ccd, Solver::CcdGrowing, Solver::Fabrik] {
        let settings = Settings { solver, tolerance: 1e-3, max_iterations: 100, ..Settings::default() };
        for share in [0.9, 0.5, 0.1, 0.0] {
            let (_, outcome) = run(&chain, &settings, Vec3::Y * 3.0 * share);
            assert!(outcome.is_reached(), "{solver:?} {share} {outcome:?}");
        }
    }
}

#[test]
fn the_reason_for_stopping_is_reported() {
    let chain = Chain::from_lengths(&[1.0, 1.0]).unwrap();
    let by = |settings: Settings, target: Vec3| run(&chain, &settings, target).1.stopped_by;
    let near = Vec3::new(1.0, 1.0, 0.0);
    let fabrik = Settings { tolerance: 1e-3, max_iterations: 100, ..Settings::default() };
    assert_eq!(by(fabrik, near), StoppedBy::Tolerance);
    assert_eq!(by(fabrik, Vec3::X * 3.0), StoppedBy::Unreachable);
    assert_eq!(by(Settings { max_iterations: 0, ..fabrik }, near), StoppedBy::MaxIterations);
    let slow = Settings { accelerate: false, change_tolerance: 0.05, tolerance: 0.0, ..fabrik };
    assert_eq!(by(slow, Vec3::new(1.9, 0.0, 0.0)), StoppedBy::NoChange);
    let two_bone = Settings { solver: Solver::TwoBone, ..fabrik };
    assert_eq!(by(two_bone, near), StoppedBy::Tolerance);
    assert_eq!(by(two_bone, Vec3::X * 3.0), StoppedBy::Unreachable);
    assert_eq!(by(Settings { soft_zone: 0.5, ..two_bone }, Vec3::X * 1.9), StoppedBy::ClosedForm);
    assert_eq!(by(Settings { maximum_stretch: 1.5, ..two_bone }, Vec3::X * 3.0), StoppedBy::Tolerance);
}

#[test]
fn near_full_stretch_takes_half_the_iterations_at_most() {
    let chain = Chain::from_positions(&curl(10)).unwrap();
    let settings = Settings { tolerance: 1e-3 * chain.length(), max_iterations: 1000, ..Settings::default() };
    let plain = Settings { accelerate: false, ..settings };
    for share in [0.95, 0.97, 0.99, 0.995, 0.999] {
        for index in 0..64 {
            let height = 1.0 - (index as f32 + 0.5) / 32.0;
            let way =
                Quat::from_rotation_y(2.4 * index as f32) * Vec3::new((1.0 - height * height).sqrt(), height, 0.0);
            let target = way * share * chain.length();
            let [fast, slow] = [settings, plain].map(|settings| run(&chain, &settings, target).1);
            assert!(fast.is_reached(), "{share} {way}: {fast:?}");
            // Half of a single iteration counts as one.
            let half = (slow.iterations / 2).max(1);
            assert!(fast.iterations <= half, "{share} {way}: {} of {}", fast.iterations, slow.iterations);
        }
    }
}

fn curl(bones: usize) -> Vec<Vec3> {
    let mut place = Vec3::ZERO;
    let mut points = vec![place];
    for index in 0..bones {
        place += Quat::from_rotation_y(0.9 * index as f32) * Vec3::new(0.6, 0.8, 0.0) * 0.1;
        points.push(place);
    }
    points
}

/// A tolerance below the precision of f32 must not make a chain escape from a target that it has reached.
#[test]
fn a_chain_on_its_target_does_not_move() {
    let mut looked_at = 0;
    for solver in [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing] {
        for (accelerate, tolerance) in [(true, 0.0), (false, 0.0), (false, 1e-9)] {
            for bones in [10, 20, 30, 50] {
                for case in 0..5 {
                    let offset = Vec3::new(3.0, 1.0, -2.0) * (case % 3) as f32 * 10.0;
                    let points: Vec<Vec3> = curl(bones).into_iter().map(|point| point + offset).collect();
                    let chain = Chain::from_positions(&points).unwrap();
                    let way = Vec3::new(0.3 + 0.2 * case as f32, 1.0 - 0.3 * case as f32, 0.4).normalize();
                    let target = points[0] + way * chain.length() * (0.35 + 0.12 * case as f32);
                    let settings =
                        Settings { solver, accelerate, tolerance, max_iterations: 400, ..Settings::default() };
                    let recording =
                        Recording::record(&chain, &settings, &[Goal::end(&chain, target)], chain.rest()).unwrap();
                    looked_at += 1;
                    let size = chain.length() + offset.length();
                    let mut arrived = f32::INFINITY;
                    for step in &recording.solve.steps {
                        let kicked = step.step.stage == Stage::Escape && arrived < 1e-5 * size;
                        assert!(!kicked, "{solver:?} {accelerate} {tolerance} {bones} {case}: {arrived}");
                        arrived = recording.error(&step.state);
                    }
                    // Plain CCD converges slowly; all others have reached the target.
                    let off = recording.outcome.error / size;
                    assert!(off < if solver == Solver::Fabrik || accelerate { 1e-5 } else { 1e-3 }, "{off}");
                }
            }
        }
    }
    assert_eq!(looked_at, 180);
}

fn bent_chain() -> (Chain, Vec3) {
    let points = [0.0, 0.2, 0.1, 0.3, 0.2, 0.25].map(|x: f32| Vec3::new(x, 0.0, x * x));
    let points: Vec<Vec3> = points.iter().enumerate().map(|(i, p)| *p + Vec3::Y * 0.3 * i as f32).collect();
    (Chain::from_positions(&points).unwrap(), Vec3::new(0.5, 0.7, 0.2))
}

#[test]
fn a_weight_per_pass_reaches_the_target_and_a_weight_on_the_target_does_not() {
    let (chain, target) = bent_chain();
    let start = chain.rest().end().distance(target);
    for solver in [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing] {
        let base = Settings { solver, weight: 0.3, tolerance: 1e-4, max_iterations: 100, ..Settings::default() };
        let between = run(&chain, &base, target).0.end().distance(target);
        assert!((between - 0.7 * start).abs() < 1e-3, "{solver:?} {between} of {start}");

        let passes = Settings { weighting: Weighting::Passes, ..base };
        let (state, outcome) = run(&chain, &passes, target);
        assert!(outcome.is_reached() && state.end().distance(target) <= 1e-4, "{solver:?} {outcome:?}");
        assert!(chain.violation(&state) < 1e-4);
        let after = |max_iterations| run(&chain, &Settings { max_iterations, ..passes }, target).1.error;
        assert!(
            after(1) > 0.05 * start && after(1) < start && after(4) < after(1),
            "{solver:?} {} {}",
            after(1),
            after(4)
        );
        // At weight 1, both weightings give the same result, bit for bit.
        let whole = Settings { weight: 1.0, ..base };
        let passes = Settings { weighting: Weighting::Passes, ..whole };
        assert_eq!(run(&chain, &whole, target), run(&chain, &passes, target));
    }
}

#[test]
fn one_weighted_forward_reach_moves_the_end_as_the_source_does() {
    let (chain, target) = bent_chain();
    let settings = Settings { weight: 0.3, weighting: Weighting::Passes, max_iterations: 2, ..Settings::default() };
    let goals = [Goal::end(&chain, target)];
    let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
    let passes =
        (0..recording.solve.steps.len()).filter(|&i| recording.solve.steps[i].step.stage == Stage::ForwardReach);
    let mut count = 0;
    for step in passes {
        // The source: Lerp(solverPosition, position, IKPositionWeight).
        let expected = recording.solve.state_before(step).end().lerp(target, 0.3);
        assert!(recording.solve.steps[step].state.end().distance(expected) < 1e-6);
        count += 1;
    }
    assert_eq!(count, 2);
}

/// Records every call. Depending on its fields, it also keeps joints above `floor`, moves the target in one iteration,
/// or returns hostile numbers.
#[derive(Default)]
struct Recorder {
    floor: Option<f32>,
    iterations: Vec<u32>,
    placed: Vec<(Stage, usize, usize)>,
    move_target: Option<(u32, Vec3)>,
    hostile: bool,
}

/// Returns the point on the floor in the joint's horizontal direction from its anchor that keeps the bone's length. If
/// no point does, returns the point on the floor above or below the anchor.
fn on_floor(placed: &PlacedJoint, floor: f32) -> Vec3 {
    let height = floor - placed.anchor.y;
    let along = ((placed.to - placed.anchor) * Vec3::new(1.0, 0.0, 1.0)).normalize_or(Vec3::X);
    placed.anchor + along * (placed.length * placed.length - height * height).max(0.0).sqrt() + Vec3::Y * height
}

impl Hooks for Recorder {
    fn before_iteration(&mut self, start: &mut IterationStart) {
        self.iterations.push(start.iteration);
        if let Some((_, to)) = self.move_target.filter(|(at, _)| *at == start.iteration) {
            start.targets[0] = to;
        }
        if self.hostile {
            start.positions[1] = Vec3::NAN;
            start.positions[2] = Vec3::splat(1e30);
            start.targets[0] = Vec3::INFINITY;
        }
    }

    fn constrains(&self) -> bool {
        self.floor.is_some()
    }

    fn constrain(&mut self, placed: &PlacedJoint) -> Vec3 {
        self.placed.push((placed.pass, placed.joint, placed.neighbour));
        match placed.joint % 3 {
            0 if self.hostile => Vec3::NAN,
            1 if self.hostile => Vec3::splat(f32::MAX),
            2 if self.hostile => placed.anchor,
            _ => match self.floor {
                Some(floor) if placed.to.y < floor => on_floor(placed, floor),
                Some(_) | None => placed.to,
            },
        }
    }
}

fn run_with(
    chain: &Chain,
    settings: &Settings,
    target: Vec3,
    hooks: &mut Recorder,
) -> (State, kinescope_ik::chain_ik::Outcome) {
    let mut state = chain.rest().clone();
    let goals = [Goal::end(chain, target)];
    let problem = Problem { chain, settings, goals: &goals };
    let outcome = solve_with(&problem, hooks, &mut state, &mut Workspace::default()).unwrap();
    (state, outcome)
}

#[test]
fn a_hook_is_called_before_each_iteration_and_changes_nothing_by_itself() {
    let (chain, target) = bent_chain();
    for solver in [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing] {
        let settings = Settings { solver, accelerate: false, tolerance: 1e-4, ..Settings::default() };
        let mut hooks = Recorder::default();
        let result = run_with(&chain, &settings, target, &mut hooks);
        assert_eq!(result, run(&chain, &settings, target), "{solver:?}");
        assert_eq!(hooks.iterations, (0..result.1.iterations).collect::<Vec<_>>(), "{solver:?}");
        assert!(hooks.placed.is_empty() && result.1.iterations > 1);
    }
}

#[test]
fn a_target_moved_before_an_iteration_is_where_the_end_goes() {
    let (chain, target) = bent_chain();
    let other = target - Vec3::X * 0.4;
    for solver in [Solver::Fabrik, Solver::Ccd] {
        let settings =
            Settings { solver, accelerate: false, tolerance: 1e-4, max_iterations: 100, ..Settings::default() };
        let mut hooks = Recorder { move_target: Some((1, other)), ..Recorder::default() };
        let (state, outcome) = run_with(&chain, &settings, target, &mut hooks);
        assert!(outcome.is_reached() && state.end().distance(other) <= 1e-4, "{solver:?} {outcome:?}");
    }
}

#[test]
fn a_target_moved_before_the_first_iteration_decides_its_first_step() {
    let (chain, near) = bent_chain();
    let far = near * 10.0;
    for solver in [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing] {
        let settings = Settings { solver, tolerance: 1e-4, max_iterations: 100, ..Settings::default() };
        // Without the hook, the first step stretches the chain toward the far target.
        let mut hooks = Recorder { move_target: Some((0, near)), ..Recorder::default() };
        let (state, outcome) = run_with(&chain, &settings, far, &mut hooks);
        assert!(outcome.is_reached() && state.end().distance(near) <= 1e-4, "{solver:?} {outcome:?}");
        assert_eq!(hooks.iterations, (0..outcome.iterations).collect::<Vec<_>>(), "{solver:?}");
        let mut hooks = Recorder { move_target: Some((0, far)), ..Recorder::default() };
        let (state, outcome) = run_with(&chain, &settings, near, &mut hooks);
        assert_eq!((outcome.stopped_by, outcome.iterations), (StoppedBy::Unreachable, 1), "{solver:?}");
        assert_eq!(state.positions, run(&chain, &settings, far).0.positions, "{solver:?}");
        assert_eq!(hooks.iterations, [0]);
    }
}

#[test]
fn a_target_moved_before_every_iteration_does_not_end_the_escapes_from_a_line() {
    /// Lays the chain on the line to the target in the second iteration, and moves the target along it in all.
    struct Along(u32);

    impl Hooks for Along {
        fn before_iteration(&mut self, start: &mut IterationStart) {
            self.0 += 1;
            start.targets[0].y = 0.8 + 1e-4 * (start.iteration % 2) as f32;
            if start.iteration == 1 {
                start.positions.iter_mut().enumerate().for_each(|(joint, to)| *to = Vec3::Y * joint as f32);
            }
        }
    }

    let points = [0.0, 0.2, 0.0, 0.2, 0.0].iter().enumerate().map(|(joint, &x)| Vec3::new(x, 0.3 * joint as f32, 0.0));
    let chain = Chain::from_positions(&points.collect::<Vec<_>>()).unwrap();
    let goals = [Goal::end(&chain, Vec3::Y * 0.8)];
    let settings = Settings { accelerate: false, tolerance: 1e-3, max_iterations: 100, ..Settings::default() };
    let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
    let (mut state, mut hooks) = (chain.rest().clone(), Along(0));
    let outcome = solve_with(&problem, &mut hooks, &mut state, &mut Workspace::default()).unwrap();
    assert!(hooks.0 > 2 && outcome.is_reached(), "{outcome:?}");
}

#[test]
fn a_constraint_holds_for_every_joint_and_is_called_in_the_order_of_the_source() {
    // The chain is longer than the distance to the target and has to bend; without the constraint it sags below the
    // root.
    let points: Vec<Vec3> = (0..6).map(|i| Vec3::new(0.3 * i as f32, -0.1 * (i % 2) as f32, 0.0)).collect();
    let chain = Chain::from_positions(&points).unwrap();
    let target = Vec3::new(0.8, 0.3, 0.0);
    let settings = Settings { tolerance: 1e-3, max_iterations: 200, ..Settings::default() };
    let lowest = |state: &State| state.positions.iter().map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(lowest(&run(&chain, &settings, target).0) < -0.05);
    let mut hooks = Recorder { floor: Some(0.0), ..Recorder::default() };
    let (state, outcome) = run_with(&chain, &settings, target, &mut hooks);
    assert!(lowest(&state) > -1e-5, "{state:?}");
    assert!(outcome.is_reached(), "{outcome:?}");
    assert!(chain.violation(&state) < 1e-4);
    let forward = (1..5).rev().map(|joint| (Stage::ForwardReach, joint, joint + 1));
    let backward = (1..6).map(|joint| (Stage::BackwardReach, joint, joint - 1));
    let expected: Vec<_> = forward.chain(backward).collect();
    assert_eq!(hooks.placed[..expected.len()], expected);
    assert_eq!(hooks.placed.len(), expected.len() * hooks.iterations.len());
}

#[test]
fn hooks_that_return_no_numbers_leave_a_sound_chain() {
    let (chain, target) = bent_chain();
    for (solver, floor) in [(Solver::Fabrik, Some(0.0)), (Solver::Fabrik, None), (Solver::Ccd, None)] {
        for plane in [None, Some(Vec3::Z)] {
            let settings = Settings { solver, plane, ..Settings::default() };
            let mut hooks = Recorder { hostile: true, floor, ..Recorder::default() };
            let (state, _) = run_with(&chain, &settings, target, &mut hooks);
            assert!(state.is_finite() && chain.violation(&state) < 1e-3, "{solver:?} {state:?}");
            assert_eq!(state.positions[0], chain.rest().positions[0]);
        }
    }
}

#[test]
fn a_constraint_is_refused_where_passes_do_not_place_the_joints() {
    let (mut chain, target) = bent_chain();
    let refused = |chain: &Chain, settings: &Settings| {
        let goals = [Goal::end(chain, target)];
        let problem = Problem { chain, settings, goals: &goals };
        let mut hooks = Recorder { floor: Some(0.0), ..Recorder::default() };
        let mut state = chain.rest().clone();
        let error = solve_with(&problem, &mut hooks, &mut state, &mut Workspace::default()).unwrap_err();
        assert!(state == *chain.rest() && hooks.iterations.is_empty());
        error.to_string()
    };
    let ccd = refused(&chain, &Settings { solver: Solver::Ccd, ..Settings::default() });
    assert!(ccd.starts_with("solver: is ccd"), "{ccd}");
    let bend = refused(&chain, &Settings { bend_normal: Some(Vec3::Z), ..Settings::default() });
    assert!(bend.starts_with("bend_normal: cannot be used"), "{bend}");
    chain.set_limit(1, Limit::Angle { max: 0.4 }).unwrap();
    let limits = refused(&chain, &Settings::default());
    assert!(limits.starts_with("limits: cannot be used"), "{limits}");
}
