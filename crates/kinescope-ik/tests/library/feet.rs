//! Features on top of both grounders: foot lock, footprints, and switching between grounders. Any input gives finite
//! output, and a feature that has nothing to do changes nothing.

use glam::{Quat, Vec3};
use kinescope_ik::grounding::State;
use kinescope_ik::grounding::footprint::{
    Footprint, FootprintFrame, FootprintSettings, FootprintSolve, FootprintState,
};
use kinescope_ik::grounding::handover::Handover;
use kinescope_ik::grounding::lock::{LockFoot, LockFrame, LockSettings, LockState, lock};
use kinescope_ik::grounding::predictive::solve;
use kinescope_ik::grounding::{FootGeometry, FootInput, FootprintRun, Input, LockRun, Output, Side};
use kinescope_ik::notation::Value;
use kinescope_ik::parameter::Parameters;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stepped::{self, Cursor, Run, Unwatched};
use proptest::prelude::*;

use crate::common::flaws::flaws;
use crate::common::grounds::{Stairs, Terrain, Void};
use crate::common::property::property;
use crate::grounding::{
    any_ground, hostile, hostile_input, hostile_rotation, hostile_settings, hostile_vector, is_finite,
};

fn hostile_place() -> impl Strategy<Value = RigidTransform> {
    (hostile_vector(), hostile_rotation()).prop_map(|(position, rotation)| RigidTransform { position, rotation })
}

fn hostile_foot() -> impl Strategy<Value = LockFoot> {
    let points = (hostile_vector(), hostile_vector(), hostile_vector()).prop_map(<[Vec3; 3]>::from);
    (hostile_place(), points, hostile(), hostile_vector()).prop_map(|(goal, points, planted, carried)| LockFoot {
        goal,
        points,
        planted,
        crossed: None,
        carried,
    })
}

fn hostile_lock() -> impl Strategy<Value = LockSettings> {
    prop::collection::vec(hostile(), LockSettings::PARAMETERS.len()).prop_map(|numbers| {
        let mut settings = LockSettings { on: true, ..LockSettings::default() };
        for (parameter, number) in LockSettings::PARAMETERS.iter().zip(numbers) {
            settings.set_number(parameter.key, number);
        }
        settings.clamped()
    })
}

fn hostile_footprints() -> impl Strategy<Value = FootprintSettings> {
    prop::collection::vec(hostile(), FootprintSettings::PARAMETERS.len()).prop_map(|numbers| {
        let mut settings = FootprintSettings::default();
        for (parameter, number) in FootprintSettings::PARAMETERS.iter().zip(numbers) {
            settings.set_number(parameter.key, number);
        }
        settings.clamped()
    })
}

fn hostile_footprint() -> impl Strategy<Value = Option<Footprint>> {
    prop::option::of((hostile_place(), hostile()).prop_map(|(foot, time)| Footprint { foot, time }))
}

fn outputs() -> impl Strategy<Value = Vec<(Input, Output)>> {
    (prop::collection::vec(hostile_input(), 1..6), hostile_settings(), any_ground()).prop_map(
        |(inputs, settings, ground)| {
            let mut state = State::default();
            let answer = |input: Input| (input, solve(&settings, &input, &mut state, &ground, &mut Unwatched));
            inputs.into_iter().map(answer).collect()
        },
    )
}

property! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_lock_has_a_finite_result_within_its_limits(
        frames in outputs(), feet in prop::collection::vec((hostile_foot(), hostile_foot()), 6), settings in hostile_lock(),
    ) {
        let mut state = LockState::default();
        for ((input, output), (left, right)) in frames.into_iter().zip(feet) {
            let locked = lock(&LockFrame { settings, input, output, feet: [left, right], weight: 1.0 }, &mut state);
            prop_assert!(is_finite(&locked), "{locked:?}");
            for leg in &locked.legs {
                prop_assert!(leg.held.is_finite() && leg.held.length() <= 2.0 * settings.distance * 1.001 + 1e-6);
            }
        }
    }

    /// The grounder's output may come from other code, with numbers that are not finite.
    #[test]
    fn a_lock_of_any_output_is_finite(
        frames in outputs(), feet in prop::collection::vec((hostile_foot(), hostile_foot()), 6), settings in hostile_lock(),
        bad in prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)], place in 0..7usize, weight in hostile(),
    ) {
        let mut state = LockState::default();
        for ((input, mut output), (left, right)) in frames.into_iter().zip(feet) {
            let leg = &mut output.legs[place % 2];
            match place {
                0 => leg.ik_position.y = bad,
                1 => leg.offset = bad,
                2 => leg.rotation_offset.w = bad,
                3 => leg.weight = bad,
                4 => leg.velocity.x = bad,
                5 => output.pelvis.z = bad,
                _ => output.pelvis_height = bad,
            }
            let locked = lock(&LockFrame { settings, input, output, feet: [left, right], weight }, &mut state);
            prop_assert!(is_finite(&locked), "{locked:?}");
        }
    }

    /// The places and measures of a recorded lock are finite at every step, also if the pelvis or a goal is not.
    #[test]
    fn a_recorded_lock_of_any_output_has_finite_places(
        frames in outputs(), feet in prop::collection::vec((hostile_foot(), hostile_foot()), 6), settings in hostile_lock(),
        bad in prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)], place in 0..4usize,
    ) {
        let mut state = LockState::default();
        for ((mut input, mut output), (mut left, right)) in frames.into_iter().zip(feet) {
            match place {
                0 => output.pelvis.z = bad,
                1 => output.pelvis_height = bad,
                2 => left.goal.position.x = bad,
                _ => input.root.position.y = bad,
            }
            let run = LockRun::record(LockFrame { settings, input, output, feet: [left, right], weight: 1.0 }, &state);
            let ends = (0..run.steps()).map(|step| Cursor { step, within: None });
            for places in ends.clone().map(|at| run.places(at)).chain([run.start()]) {
                prop_assert!(places.iter().all(|place| place.is_finite()), "{places:?}");
                if place < 2 && input.root.position.is_finite() && input.root.position.length() < 1e5 {
                    // The lock lowers the pelvis by at most 1 m.
                    prop_assert!(places[2].distance(input.root.position) <= 1.001);
                }
            }
            for at in ends {
                prop_assert!((0..run.measures().len()).all(|measure| run.measure(measure, at).is_finite()));
            }
            state = run.state();
        }
    }

    #[test]
    fn a_lock_without_weight_holds_nothing(
        frames in outputs(), feet in prop::collection::vec((hostile_foot(), hostile_foot()), 6), settings in hostile_lock(),
    ) {
        let settings = LockSettings { weight: 0.0, ..settings };
        let mut state = LockState::default();
        for ((input, output), (left, right)) in frames.into_iter().zip(feet) {
            let locked = lock(&LockFrame { settings, input, output, feet: [left, right], weight: 1.0 }, &mut state);
            prop_assert!(locked.legs == output.legs, "{:?} {:?}", locked.legs, output.legs);
        }
    }

    #[test]
    fn footprints_are_finite_and_within_the_limit(
        frames in prop::collection::vec((hostile_input(), hostile_footprint(), hostile_footprint(), hostile(), hostile()), 1..6),
        settings in hostile_footprints(), ground in any_ground(),
    ) {
        let mut state = FootprintState::default();
        for (input, left, right, a, b) in frames {
            let frame = FootprintFrame { settings, input, footprints: [left, right], planted: [a, b] };
            let start = state;
            stepped::solve(&mut FootprintSolve::new(&frame, &start, &ground), &mut state);
            for leg in &state.legs {
                let most = settings.shift + 0.02;
                prop_assert!(leg.offset.length() <= most && leg.shift.abs() <= most, "{leg:?}");
                prop_assert!(leg.uneven.is_none_or(f32::is_finite), "{leg:?}");
            }
        }
    }

    #[test]
    fn without_a_path_no_step_is_moved(
        inputs in prop::collection::vec((hostile_input(), hostile(), hostile()), 1..6), settings in hostile_footprints(),
        ground in any_ground(),
    ) {
        let mut state = FootprintState::default();
        for (input, a, b) in inputs {
            let frame = FootprintFrame { settings, input, footprints: [None, None], planted: [a, b] };
            let start = state;
            stepped::solve(&mut FootprintSolve::new(&frame, &start, &ground), &mut state);
            prop_assert!(state.legs.iter().all(|leg| leg.offset == Vec3::ZERO));
        }
    }

    #[test]
    fn a_handover_is_finite_and_starts_at_the_last_output(
        frames in outputs(), changes in prop::collection::vec(any::<bool>(), 6), blend in hostile(),
    ) {
        let mut handover = Handover::default();
        let mut last: Option<Output> = None;
        for ((input, output), changed) in frames.into_iter().zip(changes) {
            let handed = handover.next(&output, changed, blend, input.dt, Vec3::Y);
            let mut given = output;
            handed.add_to(&mut given, Vec3::Y);
            prop_assert!(is_finite(&given), "{given:?}");
            if let Some(last) = last.filter(|_| changed && blend > 0.0) {
                for (own, before) in given.legs.iter().zip(&last.legs) {
                    prop_assert!((own.offset - before.offset).abs() < 1e-4 * (1.0 + before.offset.abs()));
                }
            }
            last = Some(given);
        }
    }

    #[test]
    fn without_a_change_of_grounder_a_handover_adds_nothing(frames in outputs(), blend in hostile()) {
        let mut handover = Handover::default();
        for (input, output) in frames {
            let mut given = output;
            handover.next(&output, false, blend, input.dt, Vec3::Y).add_to(&mut given, Vec3::Y);
            prop_assert_eq!(given, output);
        }
    }

    #[test]
    fn a_lock_is_the_same_in_a_mirror(
        places in prop::collection::vec((0.0f32..0.3, 0.0f32..0.3, 0.0f32..1.0, -0.5f32..0.5), 2..12),
        weight in 0.0f32..=1.0,
    ) {
        let settings = LockSettings { on: true, weight, ..LockSettings::default() };
        let input = Input { dt: 1.0 / 60.0, ..Input::default() };
        let mut states = [LockState::default(); 2];
        for (x, z, planted, yaw) in places {
            let foot = |side: f32| {
                let goal = RigidTransform {
                    position: Vec3::new(side * (0.1 + x), 0.1, z),
                    rotation: Quat::from_rotation_y(side * yaw),
                };
                let points = [-0.05, 0.1, 0.2].map(|ahead| goal.position + goal.rotation * Vec3::new(0.0, -0.1, ahead));
                LockFoot { goal, points, planted, crossed: None, carried: Vec3::ZERO }
            };
            let resting = foot(0.0);
            let [left, right] = [0, 1].map(|side: usize| {
                let mut feet = [resting; 2];
                feet[side] = foot(if side == 0 { 1.0 } else { -1.0 });
                lock(&LockFrame { settings, input, output: Output::default(), feet, weight: 1.0 }, &mut states[side]).legs[side].held
            });
            prop_assert!(left.distance(right * Vec3::new(-1.0, 1.0, 1.0)) < 1e-5, "{left} {right}");
        }
    }
}

#[test]
fn a_step_onto_stairs_is_moved_by_the_shortest_way_to_a_tread() {
    let stairs = Terrain(Stairs { tread: 0.3, rise: 0.17, count: 8 });
    let settings = FootprintSettings::default();
    let geometry = FootGeometry { ankle_height: 0.1, heel_offset: 0.05, toe_offset: 0.2, ..FootGeometry::default() };
    let foot = FootInput::new(RigidTransform::IDENTITY, geometry);
    let input = Input { dt: 1.0 / 60.0, feet: [foot; 2], ..Input::default() };
    let mut shifts = Vec::new();
    for piece in 0..30 {
        let foot =
            RigidTransform { position: Vec3::new(0.1, 0.1, 0.6 + 0.01 * piece as f32), rotation: Quat::IDENTITY };
        let footprints = [Some(Footprint { foot, time: 0.3 }), None];
        let frame = FootprintFrame { settings, input, footprints, planted: [0.0; 2] };
        let mut state = FootprintState::default();
        let start = state;
        stepped::solve(&mut FootprintSolve::new(&frame, &start, &stairs), &mut state);
        let leg = &state.legs[Side::Left as usize];
        let [uneven, before] = [leg.uneven, leg.uneven_before].map(Option::unwrap);
        assert!(uneven <= settings.even && uneven <= before, "{piece}: {leg:?}");
        let other = &state.legs[Side::Right as usize];
        assert_eq!([other.uneven, other.uneven_before], [None; 2], "the landing of the right foot is not known");
        shifts.push(leg.shift);
    }
    assert!(shifts.contains(&0.0) && shifts.iter().any(|shift| shift.abs() > 0.03), "{shifts:?}");
}

#[test]
fn a_landing_without_ground_has_no_unevenness() {
    let foot = RigidTransform { position: Vec3::new(0.1, 0.1, 0.6), ..RigidTransform::IDENTITY };
    let input = Input { dt: 1.0 / 60.0, ..Input::default() };
    let frame = FootprintFrame { input, footprints: [Some(Footprint { foot, time: 0.3 }), None], ..Default::default() };
    let run = FootprintRun::record(frame, &FootprintState::default(), &Void);
    let text = run.event(0, 0, &|length| format!("{length} m")).text;
    assert!(text.ends_with("no ground before, no ground after"), "{text}");
    let numbers = run.numbers(0, &|length| format!("{length} m"));
    assert!(numbers[0].numbers.ends_with(", no ground"), "{}", numbers[0].numbers);
    assert_eq!(numbers[1].numbers, "path unknown, shift +0.000 m", "no landing was measured");
    let measures = run.measures();
    let is_unknown =
        |key: &str| run.measure(measures.iter().position(|own| own.key == key).unwrap(), Cursor::end(&run)).is_nan();
    assert_eq!(
        ["left_foot_moved", "left_foot_uneven", "left_foot_uneven_before", "right_foot_uneven"].map(is_unknown),
        [false, true, true, true]
    );
}

/// A foot whose landing was not measured yet used to be plotted with an unevenness of 0, as on even ground.
#[test]
fn a_foot_has_no_unevenness_before_its_first_landing_is_measured() {
    let foot = RigidTransform { position: Vec3::new(0.1, 0.1, 0.6), ..RigidTransform::IDENTITY };
    let input = Input { dt: 1.0 / 60.0, ..Input::default() };
    let swings =
        FootprintFrame { input, footprints: [Some(Footprint { foot, time: 0.3 }), None], ..Default::default() };
    let stands = FootprintFrame { footprints: [None; 2], planted: [1.0; 2], ..swings };
    let even = Terrain(Stairs { tread: 0.3, rise: 0.0, count: 8 });
    let uneven = |run: &FootprintRun| {
        let measures = run.measures();
        ["left_foot_uneven", "left_foot_uneven_before", "right_foot_uneven"].map(|key| {
            let measure = measures.iter().position(|own| own.key == key).unwrap();
            Some(run.measure(measure, Cursor::end(run))).filter(|value| !value.is_nan())
        })
    };
    let first = FootprintRun::record(stands, &FootprintState::default(), &even);
    assert_eq!(uneven(&first), [None; 3]);
    let second = FootprintRun::record(swings, &first.state(), &even);
    assert_eq!(uneven(&second), [Some(0.0), Some(0.0), None]);
    // The standing foot keeps what was measured at its landing.
    let third = FootprintRun::record(stands, &second.state(), &even);
    assert_eq!(uneven(&third), [Some(0.0), Some(0.0), None]);
    let text = serde_json::to_string(&third.state()).unwrap();
    assert_eq!(serde_json::from_str::<FootprintState>(&text).unwrap(), third.state(), "{text}");
}

/// Returns the result of the first formula of a run's step, a vector.
fn explained(run: &dyn Run, step: usize) -> Vec3 {
    let sheet = run.formula(step, 0).unwrap();
    assert_eq!(flaws(&sheet, usize::MAX), Vec::<String>::new(), "{sheet:#?}");
    let Value::Vector(result) = sheet.result else { panic!("{:?}", sheet.result) };
    result
}

#[test]
fn formulas_of_footprints_that_start_anew_give_no_shift() {
    let foot = RigidTransform { position: Vec3::new(0.1, 0.1, 0.6), ..RigidTransform::IDENTITY };
    let mut state = FootprintState { root: Some(Vec3::ZERO), ..FootprintState::default() };
    state.legs[0].offset = Vec3::new(0.0, 0.0, 0.1);
    for (dt, is_anew) in [(0.02, false), (0.6, true)] {
        let input = Input { dt, ..Input::default() };
        let footprints = [Some(Footprint { foot, time: 0.3 }), None];
        let run = FootprintRun::record(FootprintFrame { input, footprints, ..Default::default() }, &state, &Void);
        let offset = run.state().legs[0].offset;
        assert_eq!(offset == Vec3::ZERO, is_anew, "{dt}: {offset}");
        assert!(explained(&run, 0).distance(offset) < 1e-6, "{dt}: {offset}");
    }
}

#[test]
fn formulas_of_a_foot_lock_that_starts_anew_or_is_limited_give_its_offset() {
    let goal = RigidTransform { position: Vec3::new(0.0, 0.1, 0.0), ..RigidTransform::IDENTITY };
    let points = [-0.05, 0.1, 0.2].map(|ahead| Vec3::new(0.0, 0.0, ahead));
    let held = Vec3::new(0.1, 0.0, 0.0);
    let start = |root: Vec3| {
        let mut state = LockState { root: Some(root), ..LockState::default() };
        (state.legs[0].points, state.legs[0].planted, state.legs[0].held) = (points, 1.0, held);
        state
    };
    let record = |planted: f32, moved: Vec3, dt: f32, up: Vec3, root: Vec3| {
        let mut input = Input { dt, ..Input::default() };
        input.root.up = up;
        let feet = [planted, 0.0].map(|planted| LockFoot {
            goal,
            points: points.map(|point| point + moved),
            planted,
            crossed: None,
            carried: Vec3::ZERO,
        });
        let settings = LockSettings { on: true, distance: 0.25, ..LockSettings::default() };
        let frame = LockFrame { settings, input, output: Output::default(), feet, weight: 1.0 };
        LockRun::record(frame, &start(root))
    };
    let tilted = Vec3::new(0.3, 1.0, 0.0);
    for (planted, moved, dt, up, root, length) in [
        (1.0, Vec3::X * -0.1, 0.02, Vec3::Y, Vec3::ZERO, Some(0.2)),
        // Starts anew: a long frame, a jump, a NaN.
        (1.0, Vec3::X * -0.1, 0.6, Vec3::Y, Vec3::ZERO, Some(0.0)),
        (0.0, Vec3::ZERO, 0.02, Vec3::Y, Vec3::X * 1e3, Some(0.0)),
        (f32::NAN, Vec3::ZERO, 0.02, Vec3::Y, Vec3::ZERO, Some(0.0)),
        // Limited to twice the distance, and to the plane of a tilted root.
        (1.0, Vec3::X * -0.9, 0.02, Vec3::Y, Vec3::ZERO, Some(0.5)),
        (1.0, Vec3::X * -0.9, 0.02, tilted, Vec3::ZERO, Some(0.5)),
        (0.0, Vec3::ZERO, 0.02, tilted, Vec3::ZERO, None),
    ] {
        let run = record(planted, moved, dt, up, root);
        let held = run.state().legs[0].held;
        assert!(length.is_none_or(|length: f32| (held.length() - length).abs() < 1e-5), "{held} {length:?}");
        let result = explained(&run, 0);
        assert!(result.distance(held) < 1e-5, "{result} is not {held}");
    }
}

/// Simulates a foot on a treadmill for `seconds` at 60 Hz: the goal moves at `speed`, in metres a second, along x and
/// turns by `spin` degrees a second; after `lifted` seconds the foot lifts. Returns the lock's displacement of the foot
/// after each frame, in metres.
fn dragged(settings: LockSettings, [speed, spin]: [f32; 2], seconds: f32, lifted: f32) -> Vec<f32> {
    let (dt, mut state) = (1.0 / 60.0, LockState::default());
    let settings = LockSettings { on: true, ..settings };
    let frames = (seconds / dt) as usize;
    let at = |frame: usize| {
        let time = frame as f32 * dt;
        let goal = RigidTransform {
            position: Vec3::new(speed * time, 0.1, 0.0),
            rotation: Quat::from_rotation_y((spin * time).to_radians()),
        };
        let points = [-0.05, 0.1, 0.2].map(|ahead| goal.position + goal.rotation * Vec3::new(0.0, -0.1, ahead));
        let planted = f32::from(u8::from(frame > 1 && time < lifted));
        LockFoot { goal, points, planted, crossed: None, carried: Vec3::ZERO }
    };
    let mut frame = |index: usize| {
        let feet = [at(index), at(0)];
        let input = Input { dt, ..Input::default() };
        lock(&LockFrame { settings, input, output: Output::default(), feet, weight: 1.0 }, &mut state).legs[0]
            .held
            .length()
    };
    (0..frames).map(&mut frame).collect()
}

#[test]
fn a_foot_is_let_go_by_distance_angle_and_time_and_eased_out() {
    let far = LockSettings { distance: 5.0, ..LockSettings::default() };
    let never = dragged(far, [0.2, 0.0], 2.0, 9.0);
    assert!((never.last().unwrap() - 0.2 * 2.0).abs() < 0.02, "held as long as it stands");
    let most = |held: &[f32]| held.iter().copied().fold(0.0, f32::max);
    let held = dragged(LockSettings { distance: 0.1, ..far }, [0.2, 0.0], 2.0, 9.0);
    assert!((most(&held) - 0.1).abs() < 0.01 && *held.last().unwrap() < 1e-3, "{}", most(&held));
    let held = dragged(LockSettings { time: 0.7, ..far }, [0.2, 0.0], 2.0, 9.0);
    assert!((most(&held) - 0.14).abs() < 0.01 && *held.last().unwrap() < 1e-3, "{}", most(&held));
    let held = dragged(LockSettings { angle: 30.0, ..far }, [0.2, 60.0], 2.0, 9.0);
    let peak = held.iter().position(|&now| now == most(&held)).unwrap();
    assert!((peak as f32 / 60.0 - 0.53).abs() < 0.05 && *held.last().unwrap() < 1e-3, "{peak}");
    // Lifted after a second: after the ease, 1/55 of the distance remains.
    let held = dragged(far, [0.2, 0.0], 2.0, 1.0);
    let (lifted, later) = (held[61], held[61 + 15]);
    assert!((later / lifted - (-4.0f32).exp()).abs() < 0.01, "{lifted} {later}");
    // Without an ease, nothing of the lock remains on a lifted foot.
    let mut snap = dragged(LockSettings { ease: 0.0, ..far }, [0.2, 0.0], 2.0, 1.0);
    assert_eq!(snap.pop(), Some(0.0));
}
