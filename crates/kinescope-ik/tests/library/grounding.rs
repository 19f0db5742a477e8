//! The grounders on grounds given by formulas.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use kinescope_ik::ground::{Ground, Hit, Layers};
use kinescope_ik::grounding::foot_ik;
use kinescope_ik::grounding::predictive::{output, settle, solve};
use kinescope_ik::grounding::{
    Event, FULLEST_REACH, FootGeometry, FootHeight, FootIkSettings, FootIkState, FootInput, Input, Output,
    PredictiveSettings, Program, Purpose, Quality, Reach, Recording, Root, Shape, Side, Solver, Stage, State, Update,
    read, run_stage,
};
use kinescope_ik::parameter::Parameters;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stepped::{Stepped, Unwatched};
use proptest::prelude::*;

use crate::common::grounds::{Heights, Hills, Liar, Plane, Stairs, Terrain, Void};
use crate::common::property::property;

const GEOMETRY: FootGeometry =
    FootGeometry { ankle_height: 0.09, heel_offset: 0.05, toe_offset: 0.2, forward_in_foot: Vec3::Z };
const DT: f32 = 1.0 / 60.0;

/// Returns a character turned by `yaw` radians from +Z, its feet flat on its own level and `stride` metres apart fore
/// and aft.
fn standing(at: Vec3, yaw: f32, stride: f32) -> Input {
    let turn = Quat::from_rotation_y(yaw);
    let foot = |x: f32, z: f32| {
        let position = at + turn * Vec3::new(x, GEOMETRY.ankle_height, z);
        FootInput::new(RigidTransform { position, rotation: turn }, GEOMETRY)
    };
    Input {
        root: Root { position: at, up: Vec3::Y, forward: turn * Vec3::Z },
        feet: [foot(0.1, stride * 0.5), foot(-0.1, stride * -0.5)],
        dt: DT,
    }
}

fn settings(quality: Quality) -> PredictiveSettings {
    PredictiveSettings { quality, ..Default::default() }
}

fn angle(rotation: Quat) -> f32 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}

/// Returns the sole's points at the heel, below the ankle and at the toe, for a foot at its goal.
fn sole(input: &Input, output: &Output, side: Side) -> [Vec3; 3] {
    let (foot, leg) = (&input.feet[side as usize], &output.legs[side as usize]);
    let rotation = leg.rotation_offset * foot.rotation;
    [-GEOMETRY.heel_offset, 0.0, GEOMETRY.toe_offset]
        .map(|ahead| leg.ik_position + rotation * Vec3::new(0.0, -GEOMETRY.ankle_height, ahead))
}

/// Returns hostile numbers mixed with ordinary ones. Boxed, because a value tree has room for all choices: without
/// optimization, inputs made of many of them overflow the 2 MB stack of a test.
pub fn hostile() -> BoxedStrategy<f32> {
    prop_oneof![
        6 => -2.0f32..2.0,
        1 => Just(0.0f32),
        1 => any::<f32>(),
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -0.0, 1e-40]),
    ]
    .boxed()
}

pub fn hostile_vector() -> BoxedStrategy<Vec3> {
    (hostile(), hostile(), hostile()).prop_map(Vec3::from).boxed()
}

pub fn hostile_rotation() -> BoxedStrategy<Quat> {
    prop_oneof![
        3 => (-3.0f32..3.0, -3.0f32..3.0).prop_map(|(x, y)| Quat::from_rotation_y(y) * Quat::from_rotation_x(x)),
        1 => (hostile_vector(), hostile()).prop_map(|(v, w)| Quat::from_xyzw(v.x, v.y, v.z, w)),
    ]
    .boxed()
}

fn hostile_foot() -> impl Strategy<Value = FootInput> {
    let geometry = (hostile(), hostile(), hostile(), hostile_vector()).prop_map(|(a, b, c, forward)| FootGeometry {
        ankle_height: a,
        heel_offset: b,
        toe_offset: c,
        forward_in_foot: forward,
    });
    let reach = prop::option::of((hostile_vector(), hostile()).prop_map(|(hip, length)| Reach { hip, length }));
    (hostile_vector(), hostile_rotation(), geometry, reach, hostile()).prop_map(
        |(position, rotation, geometry, reach, weight)| FootInput {
            position,
            rotation,
            geometry,
            reach,
            weight,
            layers: Layers::ALL,
        },
    )
}

pub fn hostile_input() -> impl Strategy<Value = Input> {
    let dt = prop_oneof![4 => 0.0f32..0.1, 1 => hostile()];
    let root = (hostile_vector(), hostile_vector(), hostile_vector());
    (root, hostile_foot(), hostile_foot(), dt).prop_map(|((position, up, forward), left, right, dt)| Input {
        root: Root { position, up, forward },
        feet: [left, right],
        dt,
    })
}

fn quality() -> impl Strategy<Value = Quality> {
    prop::sample::select(Quality::ALL.to_vec())
}

fn update() -> impl Strategy<Value = Update> {
    prop::sample::select(vec![Update::Exact, Update::PerFrame])
}

pub fn hostile_settings() -> impl Strategy<Value = PredictiveSettings> {
    (prop::array::uniform14(prop::option::of(hostile())), any::<bool>(), quality(), update()).prop_map(
        |(numbers, overstep_falls_down, quality, update)| {
            let mut settings = PredictiveSettings { overstep_falls_down, quality, update, ..Default::default() };
            for (parameter, number) in PredictiveSettings::PARAMETERS.iter().zip(numbers) {
                if let Some(number) = number {
                    settings.set_number(parameter.key, number);
                }
            }
            settings
        },
    )
}

/// No ground, a plane of some height and slope, or a ground that answers every cast with the same hit.
#[derive(Clone, Debug)]
pub enum AnyGround {
    Void,
    Plane(f32, Vec3),
    Liar(Vec3, Vec3, f32),
}

impl AnyGround {
    fn with<R>(&self, work: impl FnOnce(&dyn Fn(Query) -> Option<Hit>) -> R) -> R {
        match *self {
            Self::Void => work(&|query| query.of(&Void)),
            Self::Plane(height, aside) => {
                let plane = Plane { point: Vec3::Y * height, normal: (Vec3::Y + aside).normalize() };
                work(&|query| query.of(&plane))
            }
            Self::Liar(point, normal, distance) => {
                let liar = Liar(Some(Hit { point, normal, distance }));
                work(&|query| query.of(&liar))
            }
        }
    }
}

/// A cast of a ray, a sphere (`radius`) or a capsule (`b`), along a direction up to a distance (`way`).
#[derive(Clone, Copy)]
struct Query {
    a: Vec3,
    b: Option<Vec3>,
    radius: Option<f32>,
    way: (Vec3, f32),
}

impl Query {
    fn of(self, ground: &impl Ground) -> Option<Hit> {
        let (direction, distance) = self.way;
        match (self.b, self.radius) {
            (Some(b), radius) => ground.capsule(self.a, b, radius.unwrap_or(0.0), direction, distance),
            (None, Some(radius)) => ground.sphere(self.a, radius, direction, distance),
            (None, None) => ground.ray(self.a, direction, distance),
        }
    }
}

impl Ground for AnyGround {
    fn ray(&self, a: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.with(|ask| ask(Query { a, b: None, radius: None, way: (direction, distance) }))
    }

    fn sphere(&self, a: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.with(|ask| ask(Query { a, b: None, radius: Some(radius), way: (direction, distance) }))
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.with(|ask| ask(Query { a, b: Some(b), radius: Some(radius), way: (direction, distance) }))
    }
}

pub fn any_ground() -> impl Strategy<Value = AnyGround> {
    prop_oneof![
        1 => Just(AnyGround::Void),
        4 => (-0.5f32..0.5, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(y, x, z)| AnyGround::Plane(y, Vec3::new(x, 0.0, z))),
        2 => (hostile_vector(), hostile_vector(), hostile()).prop_map(|(p, n, d)| AnyGround::Liar(p, n, d)),
    ]
}

pub fn is_finite(output: &Output) -> bool {
    output.pelvis.is_finite()
        && output.legs.iter().all(|leg| {
            leg.ik_position.is_finite()
                && leg.offset.is_finite()
                && leg.rotation_offset.is_finite()
                && (leg.rotation_offset.length() - 1.0).abs() < 1e-3
                && leg.velocity.is_finite()
                && leg.predicted.is_finite()
                && (0.0..=1.0).contains(&leg.weight)
        })
}

property! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_input_has_a_finite_result_within_the_limits(
        inputs in prop::collection::vec(hostile_input(), 1..5), settings in hostile_settings(), ground in any_ground(),
    ) {
        let mut state = State::default();
        let clamped = settings.clamped();
        for input in &inputs {
            let output = solve(&settings, input, &mut state, &ground, &mut Unwatched);
            prop_assert!(is_finite(&output), "{output:?}");
            prop_assert!(state.pelvis.height.abs() <= clamped.max_step);
            for leg in &output.legs {
                prop_assert!(leg.offset.abs() <= clamped.max_step);
                prop_assert!(angle(leg.rotation_offset).to_degrees() <= clamped.max_foot_rotation_angle + 0.1);
            }
        }
    }

    #[test]
    fn foot_ik_has_a_finite_result_for_every_input(
        inputs in prop::collection::vec(hostile_input(), 1..5), numbers in prop::array::uniform7(hostile()),
        rotate_feet in any::<bool>(), ground in any_ground(), update in update(),
        foot_height in prop::sample::select(vec![FootHeight::Added, FootHeight::Replaced]),
    ) {
        let mut settings = FootIkSettings { rotate_feet, update, foot_height, ..Default::default() };
        for (parameter, number) in FootIkSettings::PARAMETERS.iter().zip(numbers) {
            settings.set_number(parameter.key, number);
        }
        let mut state = FootIkState::default();
        for input in &inputs {
            let output = foot_ik::solve(&settings, input, &mut state, &ground, &mut Unwatched);
            prop_assert!(is_finite(&output), "{output:?}");
        }
    }

    #[test]
    fn one_shot_stepped_and_repeated_solves_are_equal(
        inputs in prop::collection::vec(hostile_input(), 1..5), settings in hostile_settings(), ground in any_ground(),
    ) {
        let (mut once, mut again, mut stepped) = (State::default(), State::default(), State::default());
        for input in &inputs {
            let at_once = solve(&settings, input, &mut once, &ground, &mut Unwatched);
            prop_assert_eq!(at_once, solve(&settings, input, &mut again, &ground, &mut Vec::new()));
            let (frame, started) = read(&settings, input, &stepped);
            stepped = started;
            for step in Program::new(&frame) {
                run_stage(&frame, &mut stepped, step, &ground, &mut Unwatched);
            }
            prop_assert_eq!(at_once, output(&frame, &stepped));
            prop_assert_eq!(once, stepped);
        }
    }

    #[test]
    fn recording_is_solving_bit_for_bit(
        inputs in prop::collection::vec(hostile_input(), 1..5), settings in hostile_settings(),
        rotate_feet in any::<bool>(), ground in any_ground(),
    ) {
        let foot_ik = FootIkSettings { rotate_feet, update: settings.update, ..Default::default() };
        let mut recording = Recording::default();
        for solver in [Solver::FootIk(foot_ik), Solver::Predictive(settings)] {
            // The state of the other grounder counts as fresh.
            let mut state = recording.state();
            for input in &inputs {
                recording.record(&solver, input, &state, &ground);
                let (mut events, mut again) = (Vec::new(), state);
                let mut stepped = kinescope_ik::grounding::recording::Solve::new(&solver, input, &mut again, &ground);
                while let Some(step) = stepped.next(&again) {
                    let _ = stepped.run(&mut again, step, &mut events);
                }
                let output = kinescope_ik::grounding::solve(&solver, input, &mut state, &ground);
                prop_assert_eq!((state, output), (again, stepped.output(&again)));
                prop_assert_eq!(output, recording.output);
                prop_assert_eq!(state, recording.state());
                let last = recording.solve.steps.len().saturating_sub(1);
                prop_assert_eq!(output, recording.output_at(last));
                let kept: Vec<Event> =
                    (0..=last).flat_map(|step| recording.solve.events_of(step).iter().copied()).collect();
                // Compared as text: a hit may contain NaN.
                prop_assert_eq!(format!("{:?}", events), format!("{:?}", kept));
            }
        }
    }

    #[test]
    fn without_ground_feet_and_pelvis_stay_as_animated(
        inputs in prop::collection::vec(hostile_input(), 1..4), settings in hostile_settings(),
    ) {
        let mut state = State::default();
        for input in &inputs {
            let input = Input { feet: input.feet.map(|foot| FootInput { reach: None, ..foot }), ..*input };
            let settings = PredictiveSettings { pelvis_damper: 0.0, ..settings };
            let output = solve(&settings, &input, &mut state, &Void, &mut Unwatched);
            for leg in &output.legs {
                prop_assert_eq!((leg.offset, leg.grounded, angle(leg.rotation_offset)), (0.0, false, 0.0));
            }
            prop_assert_eq!(output.pelvis, Vec3::ZERO);
        }
    }

    #[test]
    fn flat_ground_moves_nothing(
        x in -50.0f32..50.0, z in -50.0f32..50.0, yaw in -3.0f32..3.0, stride in -0.8f32..0.8, quality in quality(),
    ) {
        let input = standing(Vec3::new(x, 0.0, z), yaw, stride);
        let mut state = State::default();
        for _ in 0..3 {
            let output = solve(&settings(quality), &input, &mut state, &Plane::level(0.0), &mut Unwatched);
            for (leg, foot) in output.legs.iter().zip(&input.feet) {
                prop_assert!(leg.grounded && leg.offset.abs() < 1e-5 && angle(leg.rotation_offset) < 1e-3);
                prop_assert!(leg.ik_position.distance(foot.position) < 1e-5);
            }
            prop_assert!(output.pelvis.length() < 1e-5);
        }
    }

    #[test]
    fn on_a_slope_feet_turn_up_to_their_largest_rotation(
        yaw in -3.0f32..3.0, aside in 0.0f32..TAU, degrees in 0.0f32..40.0, most in 0.0f32..45.0, quality in quality(),
    ) {
        let ground = Plane::sloped(Vec3::new(aside.cos(), 0.0, aside.sin()), degrees.to_radians());
        let input = standing(Vec3::ZERO, yaw, 0.2);
        let output = settle(&settings(quality), &input, &ground, &mut Unwatched);
        for leg in &output.legs {
            prop_assert!((leg.rotation_offset * Vec3::Y - ground.normal).length() < 1e-3, "{leg:?}");
        }
        let limited = PredictiveSettings { max_foot_rotation_angle: most, ..settings(quality) };
        for leg in &settle(&limited, &input, &ground, &mut Unwatched).legs {
            prop_assert!((angle(leg.rotation_offset).to_degrees() - degrees.min(most)).abs() < 0.1);
        }
    }

    #[test]
    fn at_rest_no_foot_is_below_a_slope_at_any_largest_rotation(
        yaw in -3.0f32..3.0, aside in 0.0f32..TAU, degrees in 0.0f32..40.0, most in 0.0f32..90.0, weight in 0.0f32..1.0,
        quality in quality(),
    ) {
        let ground = Plane::sloped(Vec3::new(aside.cos(), 0.0, aside.sin()), degrees.to_radians());
        let settings = PredictiveSettings {
            max_foot_rotation_angle: most, foot_rotation_weight: weight, ..settings(quality)
        };
        let input = standing(Vec3::ZERO, yaw, 0.2);
        let output = settle(&settings, &input, &ground, &mut Unwatched);
        for point in Side::ALL.iter().flat_map(|&side| sole(&input, &output, side)) {
            prop_assert!(point.y - ground.height(point) > -1e-3, "{} {output:?}", point.y - ground.height(point));
        }
    }

    #[test]
    fn at_rest_no_foot_is_under_hills_or_stairs(
        x in -5.0f32..5.0, z in -5.0f32..5.0, yaw in -3.0f32..3.0, stride in -0.5f32..0.5,
        height in 0.0f64..0.3, length in 2.0f64..5.0, rise in 0.0f64..0.2, tread in 0.25f64..0.5,
    ) {
        let hills = Hills { height, length };
        let stairs = Stairs { tread, rise, count: 9 };
        for heights in [&hills as &dyn HeightsOf, &stairs] {
            let at = Vec3::new(x, 0.0, z);
            let input = standing(at.with_y(heights.height_at(at)), yaw, stride);
            let output = heights.settle(&settings(Quality::Best), &input);
            for point in Side::ALL.iter().flat_map(|&side| sole(&input, &output, side)) {
                let over = point.y - heights.height_at(point);
                prop_assert!(over > -5e-3, "{over} {output:?}");
            }
        }
    }

    #[test]
    fn the_pelvis_lets_every_foot_reach(
        slope in -0.6f32..0.6, stride in -0.8f32..0.8, hip in 0.75f32..0.9, lift in 0.0f32..1.0, foot_ik in any::<bool>(),
    ) {
        let ground = Plane::sloped(Vec3::Z, slope);
        let mut input = standing(Vec3::ZERO, 0.0, stride);
        for (side, foot) in input.feet.iter_mut().enumerate() {
            let hip = Vec3::new([0.1, -0.1][side], hip + GEOMETRY.ankle_height, 0.0);
            foot.reach = Some(Reach { hip, length: 0.85 });
        }
        let settings = PredictiveSettings { lift_pelvis_weight: lift, ..Default::default() };
        let output = match foot_ik {
            true => foot_ik::solve(
                &FootIkSettings::default(), &input, &mut FootIkState::default(), &ground, &mut Unwatched),
            false => settle(&settings, &input, &ground, &mut Unwatched),
        };
        for (leg, foot) in output.legs.iter().zip(&input.feet) {
            let reach = foot.reach.unwrap();
            let distance = (reach.hip + output.pelvis).distance(leg.ik_position);
            prop_assert!(distance <= reach.length * FULLEST_REACH + 1e-4, "{distance} {output:?}");
        }
    }
}

/// [`Heights`] and solving as a trait object, so that a loop can go over several types of ground.
trait HeightsOf {
    fn height_at(&self, at: Vec3) -> f32;
    fn settle(&self, settings: &PredictiveSettings, input: &Input) -> Output;
}

impl<H: Heights + Copy> HeightsOf for H {
    fn height_at(&self, at: Vec3) -> f32 {
        self.height(at)
    }

    fn settle(&self, settings: &PredictiveSettings, input: &Input) -> Output {
        settle(settings, input, &Terrain(*self), &mut Unwatched)
    }
}

/// Returns the input at `time`, in seconds, of a walk along +Z at 1.2 m/s over hills: a stance that does not slide,
/// then a smooth swing.
fn walking(ground: &Hills, time: f64, dt: f32) -> Input {
    const SPEED: f64 = 1.2;
    const CYCLE: f64 = 1.1;
    const STANCE: f64 = 0.6;
    let root = Vec3::new(0.3, 0.0, (SPEED * time) as f32);
    let root = root.with_y(ground.height(root));
    let foot = |x: f32, shift: f64| {
        let phase = time / CYCLE + shift;
        let swing = ((phase.fract() - STANCE) / (1.0 - STANCE)).max(0.0);
        let ahead = swing.powi(3) * (10.0 - 15.0 * swing + 6.0 * swing * swing);
        let z = SPEED * CYCLE * (phase.floor() + ahead - shift + 0.3);
        let y = 0.12 * (std::f64::consts::PI * swing).sin().powi(4);
        let position = Vec3::new(root.x + x, root.y + GEOMETRY.ankle_height + y as f32, z as f32);
        FootInput::new(RigidTransform { position, rotation: Quat::IDENTITY }, GEOMETRY)
    };
    Input { root: Root { position: root, ..Root::ORIGIN }, feet: [foot(0.1, 0.0), foot(-0.1, 0.5)], dt }
}

/// Returns the solver's output every sixth of a second, a time that all frame rates share.
fn sixths(rate: u32, seconds: u32, mut solve: impl FnMut(f64, f32) -> Output) -> Vec<Output> {
    let mut outputs = Vec::new();
    for frame in 0..=seconds * rate {
        let output = solve(f64::from(frame) / f64::from(rate), 1.0 / rate as f32);
        if frame % (rate / 6) == 0 {
            outputs.push(output);
        }
    }
    outputs
}

/// Returns the largest differences in millimetres: of a foot's offset, of the toe as the foot's rotation moves it, and
/// of the pelvis.
fn difference(a: &[Output], b: &[Output]) -> [f32; 3] {
    assert_eq!(a.len(), b.len());
    let mut worst = [0.0f32; 3];
    for (a, b) in a.iter().zip(b) {
        for (a, b) in a.legs.iter().zip(&b.legs) {
            worst[0] = worst[0].max((a.offset - b.offset).abs() * 1e3);
            let turn = a.rotation_offset.conjugate() * b.rotation_offset;
            worst[1] = worst[1].max(angle(turn) * GEOMETRY.toe_offset * 1e3);
        }
        worst[2] = worst[2].max((a.pelvis - b.pelvis).length() * 1e3);
    }
    worst
}

#[test]
fn a_walk_over_hills_is_the_same_at_every_frame_rate() {
    let hills = Hills { height: 0.4, length: 6.0 };
    for quality in Quality::ALL {
        let walk = |rate: u32| {
            let mut state = State::default();
            sixths(rate, 6, |time, dt| {
                let input = walking(&hills, time, dt);
                solve(&settings(quality), &input, &mut state, &Terrain(hills), &mut Unwatched)
            })
        };
        let finest = walk(960);
        let moved = finest.iter().map(|output| output.legs[0].offset.abs().max(-output.pelvis.y)).fold(0.0, f32::max);
        assert!(moved > 0.05, "the walk grounds nothing: {moved}");
        for rate in [30, 60, 144, 240] {
            let worst = difference(&walk(rate), &finest);
            println!("{quality:?} at {rate} Hz: offset, rotation, pelvis off by {worst:?} mm");
            assert!(worst.iter().all(|&off| off < 1.0), "{quality:?} at {rate} Hz: {worst:?} mm");
        }
    }
}

#[test]
fn foot_ik_walks_the_same_at_every_frame_rate() {
    let hills = Hills { height: 0.4, length: 6.0 };
    let settings = FootIkSettings { rotate_feet: true, ..Default::default() };
    let walk = |rate: u32| {
        let mut state = FootIkState::default();
        sixths(rate, 6, |time, dt| {
            foot_ik::solve(&settings, &walking(&hills, time, dt), &mut state, &Terrain(hills), &mut Unwatched)
        })
    };
    let finest = walk(960);
    for rate in [30, 60, 144, 240] {
        let worst = difference(&walk(rate), &finest);
        println!("foot IK at {rate} Hz: offset, rotation, pelvis off by {worst:?} mm");
        assert!(worst.iter().all(|&off| off < 1.0), "{rate} Hz: {worst:?} mm");
    }
}

#[test]
fn a_frame_without_time_changes_nothing() {
    let hills = Hills { height: 0.4, length: 6.0 };
    let mut state = State::default();
    for frame in 0..20 {
        let input = walking(&hills, f64::from(frame) / 60.0, DT);
        solve(&PredictiveSettings::default(), &input, &mut state, &Terrain(hills), &mut Unwatched);
    }
    let before = state;
    for dt in [0.0, -0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
        let input = walking(&hills, 5.0, dt);
        let output = solve(&PredictiveSettings::default(), &input, &mut state, &Terrain(hills), &mut Unwatched);
        assert_eq!(state, before);
        assert_eq!(output.legs[0].offset, before.legs[0].offset);
    }
}

#[test]
fn a_jump_in_time_or_place_settles_at_once() {
    let hills = Hills { height: 0.4, length: 6.0 };
    let settings = PredictiveSettings::default();
    let later = |dt: f32| walking(&hills, 20.0, dt);
    let settled = settle(&settings, &later(DT), &Terrain(hills), &mut Unwatched);
    for (name, dt) in [("place", DT), ("time", 3.0), ("eternity", f32::INFINITY)] {
        let mut state = State::default();
        solve(&settings, &walking(&hills, 0.0, DT), &mut state, &Terrain(hills), &mut Unwatched);
        let output = solve(&settings, &later(dt), &mut state, &Terrain(hills), &mut Unwatched);
        assert_eq!(output, settled, "{name}");
        assert_eq!(state.legs[0].velocity, Vec3::ZERO);
    }
}

#[test]
fn a_lost_foot_is_not_grounded_and_the_other_is_unaffected() {
    let ground = Plane::level(0.1);
    let input = standing(Vec3::ZERO, 0.0, 0.3);
    let mut state = State::default();
    let whole = solve(&PredictiveSettings::default(), &input, &mut state, &ground, &mut Unwatched);
    let mut lost = input;
    lost.feet[0].position.x = f32::NAN;
    for _ in 0..60 {
        let output = solve(&PredictiveSettings::default(), &lost, &mut state, &ground, &mut Unwatched);
        assert!(!output.legs[0].grounded && output.legs[1].grounded);
        assert_eq!(output.legs[1], whole.legs[1]);
        assert!(output.legs[0].ik_position.is_finite());
    }
    // After a second the offset has faded to zero. The foot that returns has no velocity.
    assert_eq!(state.legs[0].offset, 0.0);
    let back = solve(&PredictiveSettings::default(), &input, &mut state, &ground, &mut Unwatched);
    assert!(back.legs[0].grounded && back.legs[0].velocity == Vec3::ZERO);
}

#[test]
fn over_an_edge_a_foot_falls_by_a_step_or_stays() {
    // The character stands on top, its right foot far back over the drop.
    let ground = Terrain(Stairs { tread: 0.1, rise: 2.0, count: 1 });
    let input = standing(Vec3::new(0.0, 2.0, 0.2), 0.0, 1.0);
    for quality in Quality::ALL {
        let falls = settle(&settings(quality), &input, &ground, &mut Unwatched);
        assert_eq!((falls.legs[0].grounded, falls.legs[1].grounded), (true, false), "{quality:?}");
        assert!((falls.legs[1].offset + 0.5).abs() < 1e-5 && (falls.pelvis_height + 0.5).abs() < 1e-5);
        let stays = PredictiveSettings { overstep_falls_down: false, ..settings(quality) };
        let stays = settle(&stays, &input, &ground, &mut Unwatched);
        assert!(stays.legs[1].offset.abs() < 1e-5 && stays.pelvis_height.abs() < 1e-5);
    }
}

#[test]
fn a_wall_too_high_for_a_step_is_not_climbed() {
    let ground = Terrain(Stairs { tread: 0.3, rise: 2.0, count: 1 });
    for z in [0.2, 0.25] {
        let input = standing(Vec3::new(0.0, 0.0, z - 0.1), 0.0, 0.2);
        let output = settle(&PredictiveSettings::default(), &input, &ground, &mut Unwatched);
        assert!(output.legs.iter().all(|leg| leg.offset.abs() < 1e-3), "{output:?}");
    }
}

#[test]
fn the_pelvis_follows_the_lower_foot_and_by_weight_the_higher() {
    let ground = Terrain(Stairs { tread: 0.0001, rise: 0.2, count: 1 });
    let stand = |y: f32| standing(Vec3::new(0.0, y, 0.0), 0.0, 1.2);
    let height =
        |settings: &PredictiveSettings, y: f32| settle(settings, &stand(y), &ground, &mut Unwatched).pelvis_height;
    let half = PredictiveSettings { lower_pelvis_weight: 0.5, ..Default::default() };
    let lifted = PredictiveSettings { lift_pelvis_weight: 0.5, ..Default::default() };
    assert!((height(&PredictiveSettings::default(), 0.2) + 0.2).abs() < 1e-4);
    assert!((height(&half, 0.2) + 0.1).abs() < 1e-4);
    assert!(height(&PredictiveSettings::default(), 0.0).abs() < 1e-4);
    assert!((height(&lifted, 0.0) - 0.1).abs() < 1e-4);
    let mut alone = stand(0.2);
    alone.feet[1].weight = 0.0;
    let output = settle(&PredictiveSettings::default(), &alone, &ground, &mut Unwatched);
    assert!(output.pelvis_height.abs() < 1e-4 && output.legs[1].weight == 0.0);
}

#[test]
fn the_pelvis_comes_late_after_a_root_that_rises() {
    let settings = PredictiveSettings::default();
    let mut state = State::default();
    let mut lowest = 0.0f32;
    for frame in 0..120 {
        let y = (frame as f32 * 0.02).min(0.4);
        let input = standing(Vec3::Y * y, 0.0, 0.2);
        lowest = lowest.min(solve(&settings, &input, &mut state, &Plane::level(y), &mut Unwatched).pelvis_height);
    }
    assert!(lowest < -0.05 && state.pelvis.height > -0.01, "{lowest} {:?}", state.pelvis);
}

#[test]
fn a_foot_casts_ahead_along_its_path() {
    let hills = Hills { height: 0.0, length: 6.0 };
    let mut state = State::default();
    let (mut fastest, mut ahead) = (0.0f32, 0.0f32);
    for frame in 0..120 {
        let input = walking(&hills, f64::from(frame) / 60.0, DT);
        let output = solve(&PredictiveSettings::default(), &input, &mut state, &Terrain(hills), &mut Unwatched);
        fastest = fastest.max(output.legs[0].velocity.z);
        ahead = ahead.max((output.legs[0].predicted - input.feet[0].position).length());
    }
    // The swing's own peak is (15/8) · 1.32 m / 0.44 s = 5.6 m/s; smoothing hardly lowers it.
    assert!((5.0..5.7).contains(&fastest) && (ahead - fastest * 0.05).abs() < 0.02, "{fastest} {ahead}");
}

#[test]
fn an_observer_sees_every_cast_and_prediction() {
    let casts = |quality: Quality| {
        let mut events = Vec::new();
        settle(&settings(quality), &standing(Vec3::ZERO, 0.0, 0.2), &Plane::level(0.0), &mut events);
        let predicted = events.iter().filter(|event| matches!(event, Event::Predicted { .. })).count();
        assert_eq!(predicted, 2);
        let casts =
            events.into_iter().filter_map(|event| if let Event::Cast(cast) = event { Some(cast) } else { None });
        casts.collect::<Vec<_>>()
    };
    assert_eq!(casts(Quality::Fastest).len(), 1 + 2);
    assert_eq!(casts(Quality::Simple).len(), 1 + 2 * 3);
    let best = casts(Quality::Best);
    assert_eq!(best.len(), 1 + 2 * 5);
    assert_eq!((best[0].purpose, best[0].shape), (Purpose::Root, Shape::Sphere { radius: 0.1 }));
    assert!(best.iter().any(|cast| matches!(cast.shape, Shape::Capsule { .. }) && cast.side == Some(Side::Right)));
    assert!(best.iter().all(|cast| cast.hit.is_some() && cast.from.y > cast.to.y));
}

#[test]
fn an_inverted_foot_looks_behind_its_ankle() {
    for quality in [Quality::Simple, Quality::Best] {
        let from = |invert_foot_center: bool, purpose: Purpose| {
            let mut events = Vec::new();
            let settings = PredictiveSettings { invert_foot_center, foot_center_offset: 0.02, ..settings(quality) };
            let input = standing(Vec3::ZERO, 0.0, 0.0);
            settle(&settings, &input, &Plane::level(0.0), &mut events);
            let found = events.iter().find_map(|event| match event {
                Event::Cast(cast) if cast.purpose == purpose => Some(cast.from.z),
                _ => None,
            });
            found.unwrap()
        };
        for (purpose, straight, inverted) in [(Purpose::Heel, 0.0, -0.17), (Purpose::Front, 0.17, -0.17)] {
            assert!((from(false, purpose) - straight).abs() < 1e-6);
            assert!((from(true, purpose) - inverted).abs() < 1e-6);
        }
    }
}

#[test]
fn the_program_names_its_steps_in_order() {
    let (frame, _) = read(&PredictiveSettings::default(), &standing(Vec3::ZERO, 0.0, 0.2), &State::default());
    let steps: Vec<_> = Program::new(&frame).collect();
    assert_eq!(steps.len(), 12);
    assert_eq!((steps[0].stage, steps[0].side), (Stage::RootCheck, None));
    assert_eq!((steps[5].stage, steps[5].side), (Stage::Offset, Some(Side::Left)));
    assert_eq!((steps[6].stage, steps[6].side), (Stage::Predict, Some(Side::Right)));
    assert_eq!((steps[11].stage, steps[11].side), (Stage::Pelvis, None));
}

#[test]
fn foot_ik_does_its_legs_then_the_pelvis() {
    let mut recording = Recording::default();
    let solver = Solver::FootIk(FootIkSettings::default());
    recording.record(&solver, &standing(Vec3::ZERO, 0.0, 0.2), &recording.state(), &Plane::level(0.1));
    let steps: Vec<_> = recording.solve.steps.iter().map(|step| (step.step.key(), step.step.side())).collect();
    let leg = |side| ["cast", "rotation", "offset"].map(|key| (key, Some(side)));
    assert_eq!(steps, [&leg(Side::Left)[..], &leg(Side::Right), &[("pelvis", None)]].concat());
    assert_eq!([0, 1, 3].map(|step| recording.solve.events_of(step).len()), [1, 0, 1]);
    // An output taken after a step does not contain later steps.
    let offsets = |step: usize| recording.output_at(step).legs.map(|leg| leg.offset);
    assert_eq!([offsets(1), offsets(2), offsets(6)], [[0.0, 0.0], [0.1, 0.0], [0.1, 0.1]]);
    assert_eq!([5, 6].map(|step| recording.output_at(step).pelvis_height), [0.0, 0.1]);
}

#[test]
fn foot_ik_puts_both_feet_on_their_steps_and_the_pelvis_to_the_lower() {
    let ground = Terrain(Stairs { tread: 0.0001, rise: 0.2, count: 1 });
    let mut input = standing(Vec3::new(0.0, 0.2, 0.0), 0.0, 1.2);
    input.feet[1].weight = 0.25;
    let mut state = FootIkState::default();
    let output = foot_ik::solve(&FootIkSettings::default(), &input, &mut state, &ground, &mut Unwatched);
    assert!(output.legs[0].offset.abs() < 1e-5 && (output.legs[1].offset + 0.2).abs() < 1e-5);
    assert!((output.pelvis_height + 0.2).abs() < 1e-5);
    // The foot follows the pelvis, then moves to its goal by its weight.
    let carried = RigidTransform { position: input.feet[1].position + output.pelvis, rotation: Quat::IDENTITY };
    assert_eq!(output.legs[1].weight, 0.25);
    let goal = output.legs[1].blend(carried, Quat::IDENTITY);
    assert!(goal.position.distance(output.legs[1].ik_position) < 1e-5);

    let off = FootIkSettings { enable_feet_ik: false, ..Default::default() };
    let output = foot_ik::solve(&off, &input, &mut FootIkState::default(), &ground, &mut Unwatched);
    assert_eq!((output.legs[1].offset, output.pelvis_height), (0.0, 0.0));
    // Switched on again, foot IK covers half of the distance to the ground in each sixtieth of a second, as in the
    // source.
    let mut state = FootIkState::default();
    foot_ik::solve(&off, &input, &mut state, &ground, &mut Unwatched);
    let halved = |state: &mut FootIkState| {
        foot_ik::solve(&FootIkSettings::default(), &input, state, &ground, &mut Unwatched).legs[1].offset + 0.2
    };
    let (first, second) = (halved(&mut state), halved(&mut state));
    assert!((second / first - 0.5).abs() < 1e-3, "{first} {second}");
}

#[test]
fn foot_ik_turns_feet_with_the_slope_only_if_enabled() {
    let ground = Plane::sloped(Vec3::Z, 0.4);
    let input = standing(Vec3::ZERO, 0.0, 0.2);
    let solve = |settings: &FootIkSettings| {
        foot_ik::solve(settings, &input, &mut FootIkState::default(), &ground, &mut Unwatched)
    };
    assert_eq!(solve(&FootIkSettings::default()).legs[0].rotation_offset, Quat::IDENTITY);
    let output = solve(&FootIkSettings { rotate_feet: true, ..Default::default() });
    assert!((output.legs[0].rotation_offset * Vec3::Y - ground.normal).length() < 1e-4);
    for point in Side::ALL.iter().flat_map(|&side| sole(&input, &output, side)) {
        assert!(point.y - ground.height(point) > -1e-4);
    }
}

#[test]
fn a_foot_is_measured_where_it_stands() {
    let rotation = Quat::from_rotation_x(0.7);
    let foot = RigidTransform { position: Vec3::new(0.1, 1.08, 0.0), rotation };
    let root = Root { position: Vec3::Y, ..Root::ORIGIN };
    let geometry = FootGeometry::measure(foot, Some(Vec3::new(0.1, 1.01, 0.15)), &root);
    assert!((geometry.ankle_height - 0.08).abs() < 1e-6 && (geometry.toe_offset - 0.15).abs() < 1e-6);
    assert!((rotation * geometry.forward_in_foot - Vec3::Z).length() < 1e-5);
    assert_eq!(FootGeometry::measure(foot, Some(Vec3::NAN), &root).toe_offset, geometry.ankle_height * 2.0);
}

#[cfg(feature = "import")]
mod legs {
    use super::*;
    use kinescope_ik::full_body::{Effector, FullBody, Node, Settings, Status};
    use kinescope_ik::grounding::{DriveWeights, Legs};
    use kinescope_ik::math::nlerp;
    use kinescope_ik::rig::{Detection, LimbName, Model, ModelPose, detect, import};

    use crate::common;
    use crate::common::built_in::BYTES;

    struct Character {
        model: Model,
        found: Detection,
        legs: Legs,
    }

    fn load(name: &str, bytes: &[u8], fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Character {
        let model = import(name, bytes, &mut |uri| fetch(uri)).unwrap();
        let found = detect(&model, &Default::default(), Default::default());
        let legs = Legs::new(&model, found.biped.as_ref().unwrap(), &found.reference, found.facing).unwrap();
        Character { model, found, legs }
    }

    fn built_in() -> Character {
        load("biped.glb", BYTES, &mut |uri| Err(uri.to_owned()))
    }

    impl Character {
        fn pose(&self, clip: &str, time: f32, root: &RigidTransform) -> Vec<RigidTransform> {
            let clip = self.model.clips.iter().find(|own| own.name == clip).unwrap();
            let mut local = self.model.skeleton.rest_pose();
            clip.sample(time, &mut local);
            let pose = ModelPose::from_local(&self.model.skeleton, &local);
            pose.bones.iter().map(|bone| root.transform(bone)).collect()
        }

        fn is_leg(&self, bone: usize) -> bool {
            self.legs.thighs.iter().any(|&thigh| thigh == bone || self.model.skeleton.is_ancestor(thigh, bone))
        }

        /// Returns poses of walking, standing and running on slopes and on level ground, each with the output of
        /// grounding.
        fn grounded(&self) -> Vec<(Vec<RigidTransform>, Output)> {
            let mut cases = Vec::new();
            for (clip, slope) in [("walk", 0.25), ("walk", -0.3), ("idle", 0.4), ("idle", 0.0), ("run", -0.15)] {
                for time in 0..8 {
                    let turn = Quat::from_rotation_y(time as f32);
                    let root = RigidTransform { position: Vec3::new(3.0, 0.0, -2.0), rotation: turn };
                    let ground = Plane { point: root.position, ..Plane::sloped(Vec3::X, slope) };
                    let pose = self.pose(clip, time as f32 * 0.13, &root);
                    let input = self.legs.input(root, &pose, [1.0; 2], DT);
                    let settings = PredictiveSettings { lift_pelvis_weight: 0.3, ..Default::default() };
                    cases.push((pose, settle(&settings, &input, &ground, &mut Unwatched)));
                }
            }
            assert!(cases.iter().any(|(_, output)| output.pelvis_height < -0.05));
            assert!(cases.iter().any(|(_, output)| output.legs[0].offset > 0.03));
            cases
        }
    }

    fn turn_between(a: Quat, b: Quat) -> f32 {
        angle(a.conjugate() * b).to_degrees()
    }

    /// Returns the largest errors of a driven pose: in metres, of the feet from their goals and of the bones from the
    /// pelvis on, except the legs, from where the pelvis moves them; in degrees, of the feet's rotations. `None` if a
    /// goal is out of reach.
    fn errors(
        character: &Character,
        animated: &[RigidTransform],
        (output, weights): (&Output, &DriveWeights),
        driven: &[RigidTransform],
    ) -> Option<[f32; 3]> {
        let mut worst = [0.0f32; 3];
        let (legs, offset) = (&character.legs, output.pelvis * weights.pelvis);
        for (side, goal) in legs.goals(output, weights, animated).iter().enumerate() {
            let (hip, foot) = (animated[legs.thighs[side]].position + offset, legs.feet[side]);
            if hip.distance(goal.position) > legs.reach[side] * FULLEST_REACH + 1e-5 {
                return None;
            }
            worst[0] = worst[0].max(driven[foot].position.distance(goal.position));
            worst[2] = worst[2].max(turn_between(driven[foot].rotation, goal.rotation));
        }
        for bone in (legs.pelvis..animated.len()).filter(|&bone| !character.is_leg(bone)) {
            worst[1] = worst[1].max(driven[bone].position.distance(animated[bone].position + offset));
        }
        Some(worst)
    }

    #[test]
    fn the_full_body_solver_grounds_the_feet_and_the_body_follows() {
        let character = built_in();
        let biped = character.found.biped.as_ref().unwrap();
        let solver = FullBody::new(&character.model.skeleton, biped, &character.found.reference.bones).unwrap();
        let mut workspace = solver.workspace();
        let (mut worst, mut reached) = ([0.0f32; 3], 0);
        for (animated, output) in character.grounded() {
            for (pelvis, foot, relative) in [(1.0, 1.0, 0.0), (1.0, 0.4, 1.0), (0.9, 0.0, 0.3)] {
                let weights =
                    DriveWeights { pelvis, left_foot_position: foot, right_foot_rotation: foot, ..Default::default() };
                let mut user = Settings::default();
                user.effector_mut(Effector::LeftHand).maintain_relative_position = relative;
                let driven = character.legs.drive_full_body(&output, &weights, &animated, &user);
                driven.validate().unwrap();
                let mut pose = animated.clone();
                solver.solve(&mut workspace, &driven, &mut pose).unwrap();
                if let Some(found) = errors(&character, &animated, (&output, &weights), &pose) {
                    worst = std::array::from_fn(|index| worst[index].max(found[index]));
                    reached += 1;
                }
            }
        }
        println!(
            "full body, {reached} cases: feet off by {} m, others by {} m, feet turned by {}°",
            worst[0], worst[1], worst[2]
        );
        assert!(worst[0] < 1e-3 && worst[1] < 2e-3 && worst[2] < 0.5 && reached > 80, "{worst:?}");
    }

    #[test]
    fn limbs_alone_ground_the_feet_and_carry_the_other_bones() {
        let character = built_in();
        let mut buffer = Vec::new();
        let (mut worst, mut reached) = ([0.0f32; 3], 0);
        for (animated, output) in character.grounded() {
            for (pelvis, foot) in [(1.0, 1.0), (1.0, 0.4), (0.9, 0.0)] {
                let weights =
                    DriveWeights { pelvis, left_foot_position: foot, right_foot_rotation: foot, ..Default::default() };
                let mut pose = animated.clone();
                let done = character.legs.drive_limbs(
                    &output,
                    &weights,
                    &Settings::default(),
                    &character.model.skeleton,
                    &mut buffer,
                    &mut pose,
                );
                assert_eq!(done, Ok(Status::Solved));
                if let Some(found) = errors(&character, &animated, (&output, &weights), &pose) {
                    worst = std::array::from_fn(|index| worst[index].max(found[index]));
                    reached += 1;
                }
                for bone in (0..pose.len()).filter(|&bone| character.is_leg(bone)) {
                    let parent = character.model.skeleton.parent(bone).unwrap();
                    let length = |pose: &[RigidTransform]| pose[bone].position.distance(pose[parent].position);
                    assert!((length(&pose) - length(&animated)).abs() < 1e-4);
                }
            }
        }
        println!(
            "limbs, {reached} cases: feet off by {} m, others by {} m, feet turned by {}°",
            worst[0], worst[1], worst[2]
        );
        assert!(worst[0] < 1e-3 && worst[1] < 1e-5 && worst[2] < 0.5 && reached > 80, "{worst:?}");
    }

    #[test]
    fn without_anything_to_do_limbs_stay_as_animated() {
        let character = built_in();
        let animated = character.pose("walk", 0.4, &RigidTransform::IDENTITY);
        let ungrounded = Output::default();
        let mut pose = animated.clone();
        let mut user = Settings::default();
        let drive = |user: &Settings, pose: &mut Vec<RigidTransform>| {
            let skeleton = &character.model.skeleton;
            let (legs, weights) = (&character.legs, DriveWeights::default());
            legs.drive_limbs(&ungrounded, &weights, user, skeleton, &mut Vec::new(), pose)
        };
        drive(&user, &mut pose).unwrap();
        for (bone, before) in pose.iter().zip(&animated) {
            assert!(
                bone.position.distance(before.position) < 1e-5 && turn_between(bone.rotation, before.rotation) < 0.05
            );
        }
        user.solver.weight = 0.0;
        user.effector_mut(Effector::LeftHand).position_weight = 1.0;
        user.effector_mut(Effector::LeftHand).position = Some(Vec3::ZERO);
        pose.copy_from_slice(&animated);
        assert_eq!(drive(&user, &mut pose), Ok(Status::NothingToDo));
        assert_eq!(pose, animated);
    }

    #[test]
    fn the_users_targets_move_hands_and_feet_by_their_weights() {
        let character = built_in();
        let (animated, output) = character.grounded().swap_remove(3);
        let weights = DriveWeights::default();
        let goal = character.legs.goals(&output, &weights, &animated)[0];
        let own = RigidTransform {
            position: goal.position + Vec3::new(0.05, 0.1, 0.05),
            rotation: goal.rotation * Quat::from_rotation_x(0.4),
        };
        let mut user = Settings::default();
        let foot = user.effector_mut(Effector::LeftFoot);
        (foot.position, foot.position_weight) = (Some(own.position), 0.25);
        (foot.rotation, foot.rotation_weight) = (Some(own.rotation), 0.5);
        let driven = character.legs.drive_full_body(&output, &weights, &animated, &user);
        let foot = driven.effector(Effector::LeftFoot);
        assert!(foot.position.unwrap().distance(goal.position.lerp(own.position, 0.25)) < 1e-6);
        assert!(turn_between(foot.rotation.unwrap(), nlerp(goal.rotation, own.rotation, 0.5)) < 0.05);
        assert_eq!((foot.position_weight, foot.rotation_weight), (1.0, 1.0));

        let [shoulder, elbow, wrist] = character.found.biped.as_ref().unwrap().limb(LimbName::RightArm).bones;
        let target = animated[shoulder].position + output.pelvis + Vec3::new(0.1, -0.1, 0.3);
        let hand = user.effector_mut(Effector::RightHand);
        (hand.position, hand.position_weight) = (Some(target), 1.0);
        (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_z(0.3)), 1.0);
        let mut pose = animated.clone();
        for height in [-1.0, 1.0] {
            let arm = user.chain_mut(LimbName::RightArm);
            (arm.bend_goal, arm.bend_weight) = (Some(target + Vec3::Y * height), 1.0);
            pose.copy_from_slice(&animated);
            let skeleton = &character.model.skeleton;
            character.legs.drive_limbs(&output, &weights, &user, skeleton, &mut Vec::new(), &mut pose).unwrap();
            assert!(pose[wrist].position.distance(target) < 1e-5);
            assert!(turn_between(pose[wrist].rotation, Quat::from_rotation_z(0.3)) < 0.05);
            let middle = (pose[shoulder].position + target) * 0.5;
            assert!((pose[elbow].position - middle).y * height > 0.02);
            let foot = pose[character.legs.feet[0]].position;
            assert!(foot.distance(goal.position.lerp(own.position, 0.25)) < 1e-4);
        }
        assert_eq!(Effector::RightHand.node(), Node::RightHand);
    }

    #[test]
    fn soles_of_real_characters_are_where_feet_have_them() {
        let mut files = vec![("biped.glb".to_owned(), built_in())];
        if let Some(folder) = common::shared("models") {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                if ["glb", "vrm", "gltf"].iter().all(|&ending| path.extension().is_none_or(|own| own != ending)) {
                    continue;
                }
                let bytes = std::fs::read(&path).unwrap();
                let mut fetch = |uri: &str| std::fs::read(folder.join(uri)).map_err(|error| error.to_string());
                let model = import(&name, &bytes, &mut fetch).unwrap();
                let found = detect(&model, &Default::default(), Default::default());
                if common::figure::has_human_proportions(&model)
                    && common::figure::is_as_in_ground_truth(&folder, &model, &found)
                {
                    files.push((name.clone(), load(&name, &bytes, &mut fetch)));
                }
            }
        }
        // Unless the folder of sample models is missing, at least seven of them are detected correctly.
        assert!(files.len() == 1 || files.len() > 7, "{} characters", files.len());
        for (name, Character { legs, found, .. }) in files {
            for side in 0..2 {
                let (geometry, leg) = (legs.geometry[side], legs.reach[side]);
                let parts =
                    [geometry.ankle_height, geometry.heel_offset, geometry.toe_offset].map(|length| length / leg);
                println!("{name}: leg {leg:.3} m, level {:.4} m, ankle, heel, toe of it {parts:.3?}", legs.level);
                // The bounds are for files in metres: the solver clamps lengths of feet to 2 m.
                if leg < 10.0 {
                    // The upper bound is for a wooden doll, whose ankles are the highest.
                    assert!((0.03..0.16).contains(&parts[0]), "{name} ankle");
                    assert!((0.02..0.16).contains(&parts[1]), "{name} heel");
                    assert!((0.1..0.4).contains(&parts[2]), "{name} toe");
                    let foot = found.reference.bones[legs.feet[side]].position;
                    assert!((foot.y - geometry.ankle_height - legs.level).abs() < 1e-5, "{name}");
                }
                let forward = found.reference.bones[legs.feet[side]].rotation * geometry.forward_in_foot;
                assert!(forward.dot(found.facing) > 0.8, "{name} {forward}");
            }
        }
    }

    #[test]
    fn on_level_ground_a_standing_character_is_unchanged() {
        let character = built_in();
        let root = RigidTransform { position: Vec3::new(1.0, 0.5, -2.0), rotation: Quat::from_rotation_y(2.0) };
        let pose: Vec<_> = character.found.reference.bones.iter().map(|bone| root.transform(bone)).collect();
        let input = character.legs.input(root, &pose, [1.0, 0.5], DT);
        assert_eq!(input.feet.map(|foot| foot.weight), [1.0, 0.5]);
        let ground = Plane::level(0.5 + character.legs.level);
        let output = settle(&PredictiveSettings::default(), &input, &ground, &mut Unwatched);
        for leg in output.legs {
            assert!(leg.grounded && leg.offset.abs() < 1e-4, "{leg:?}");
        }
        assert!(output.pelvis_height.abs() < 1e-4);
    }
}
