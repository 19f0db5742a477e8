//! Filters of grounding: the exact rule compared with a fine integration of its equations, and the per-frame rule with
//! the articles' lines. Both are computed here a second time in doubles.

use glam::{Quat, Vec3};
use kinescope_ik::grounding::{
    FootGeometry, FootIkSettings, FootInput, Input, Output, PredictiveSettings, Reach, Recording, Root, Solver,
    SolverState,
};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::Experiments;

use crate::common::grounds::{Plane, Void};

const RATES: [u32; 3] = [30, 60, 144];
/// Every rate has a frame at each sixth of a second.
const SIXTH: f64 = 1.0 / 6.0;

fn predictive() -> Solver {
    Solver::Predictive(PredictiveSettings::default())
}

fn foot_ik() -> Solver {
    Solver::FootIk(FootIkSettings::default())
}

/// Returns solver B, which applies the articles' lines once per frame, made from the exact solver A.
fn literal(solver: Solver) -> Solver {
    Experiments { lerp_per_frame: true, ..Experiments::default() }.grounder(solver)
}

/// A character's surroundings at a time: in metres the height of its root, the hips' height above the root and the
/// ground's level (`None`: no ground), and the ground's slope about x in radians.
#[derive(Clone, Copy, Default)]
struct Moment {
    root: f64,
    hips: f64,
    level: Option<f64>,
    slope: f64,
}

/// Runs a character that stands on its ankles and returns all outputs; the first frame is at time 0.
fn outputs(solver: &Solver, rate: u32, frames: u32, at: impl Fn(f64) -> Moment) -> Vec<Output> {
    let mut state = SolverState::fresh(solver);
    let frame = |frame: u32| {
        let now = at(f64::from(frame) / f64::from(rate));
        let root = Root { position: Vec3::Y * now.root as f32, ..Root::ORIGIN };
        let feet = [0.1, -0.1].map(|x| {
            let foot = RigidTransform { position: root.position + Vec3::X * x, rotation: Quat::IDENTITY };
            let hip = foot.position + Vec3::Y * now.hips as f32;
            // Legs long enough never to hold the pelvis down.
            let reach = Some(Reach { hip, length: 9.0 });
            FootInput { reach, ..FootInput::new(foot, FootGeometry::default()) }
        });
        let input = Input { root, feet, dt: 1.0 / rate as f32 };
        match now.level {
            None => kinescope_ik::grounding::solve(solver, &input, &mut state, &Void),
            Some(level) => {
                let ground = Plane { point: Vec3::Y * level as f32, ..Plane::sloped(Vec3::Z, now.slope as f32) };
                kinescope_ik::grounding::solve(solver, &input, &mut state, &ground)
            }
        }
    };
    (0..=frames).map(frame).collect()
}

fn sixths(solver: &Solver, rate: u32, count: u32, at: impl Fn(f64) -> Moment) -> Vec<Output> {
    let all = outputs(solver, rate, rate / 6 * count, at);
    all.into_iter().step_by((rate / 6) as usize).collect()
}

/// Integrates `x′ = f(time, x)` over one frame in small steps, by the midpoint rule.
fn integrate(x: f64, from: f64, dt: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
    const STEPS: u32 = 4000;
    let h = dt / f64::from(STEPS);
    (0..STEPS).fold(x, |x, step| {
        let time = from + h * f64::from(step);
        x + h * f(time + h * 0.5, x + h * 0.5 * f(time, x))
    })
}

fn near(found: f32, expected: f64, what: &str) {
    assert!((f64::from(found) - expected).abs() < 2e-5, "{what}: {found}, expected {expected}");
}

/// The ground jumps by 30 cm. At the end of each frame, the exact solver (A) is at the solution of the equation behind
/// the article's two lines, the literal solver (B) at the result of these lines. After one frame A and B differ by 9.3,
/// 5.5 and 2.5 mm at 30, 60 and 144 Hz.
#[test]
fn a_predictive_foot_follows_each_rule_by_its_own_numbers() {
    const SPEED: f64 = 2.5;
    const JUMP: f64 = 0.3;
    let apart_at_first = [9.26e-3, 5.46e-3, 2.46e-3];
    for (rate, apart_at_first) in RATES.into_iter().zip(apart_at_first) {
        let dt = 1.0 / f64::from(rate);
        let at = |time: f64| Moment { level: Some(if time > 0.0 { JUMP } else { 0.0 }), ..Moment::default() };
        let [a, b] = [predictive(), literal(predictive())].map(|solver| outputs(&solver, rate, rate / 6, at));
        let (mut exact, mut lines) = (0.0f64, 0.0f64);
        for frame in 1..a.len() {
            // The target moves linearly to its new height within the first frame.
            let target = |time: f64| (JUMP * time / dt).min(JUMP);
            let start = dt * (frame - 1) as f64;
            exact = integrate(exact, start, dt, |time, x| {
                let error = target(time) - x;
                // The constant speed ends within a substep of the target.
                SPEED.min(error.max(0.0) * 1e4) + SPEED * error
            });
            lines = (lines + dt * SPEED).min(JUMP);
            lines += (JUMP - lines) * dt * SPEED;
            let what = format!("{rate} Hz, frame {frame}");
            let found = f64::from(a[frame].legs[0].offset);
            assert!((found - exact).abs() < 2e-4, "{what}: {found}, expected {exact}");
            near(b[frame].legs[0].offset, lines, &what);
        }
        let apart = f64::from(b[1].legs[0].offset - a[1].legs[0].offset);
        assert!((apart - apart_at_first).abs() < 1e-4, "{rate} Hz: {apart}");
    }
}

/// Returns the surroundings at `time`, in seconds: the ground sinks and tilts evenly for 0.5 s, the root sinks half as
/// fast.
fn sinking(time: f64) -> Moment {
    let part = time.min(0.5);
    Moment { root: -0.3 * part, level: Some(-0.6 * part), slope: 0.6 * part, ..Moment::default() }
}

fn turn(output: &Output) -> f32 {
    let turn = output.legs[0].rotation_offset;
    2.0 * turn.xyz().length().atan2(turn.w)
}

/// The article's lines are `Slerp(r, target, dt · 7)`, `Lerp(h, target, dt · 5)` and `h −= rise · damper`, where the
/// damper is 0.5.
#[test]
fn predictive_rotation_and_pelvis_follow_each_rule_by_its_own_numbers() {
    for rate in RATES {
        let dt = 1.0 / f64::from(rate);
        let [a, b] = [predictive(), literal(predictive())].map(|solver| outputs(&solver, rate, rate, sinking));
        let tilt = |time: f64| sinking(time).slope;
        // Feet are faster than the ground, so those of A and of B are on it.
        let offset = |time: f64| sinking(time).level.unwrap() - sinking(time).root;
        let sink = |time: f64| if time < 0.5 { -0.3 } else { 0.0 };
        let (mut exact, mut lines) = ([0.0f64; 2], [0.0f64; 2]);
        let mut most = [0.0f64; 2];
        for frame in 1..a.len() {
            let (start, end) = (dt * (frame - 1) as f64, dt * frame as f64);
            exact[0] = integrate(exact[0], start, dt, |time, x| 7.0 * (tilt(time) - x));
            exact[1] = integrate(exact[1], start, dt, |time, x| 5.0 * (offset(time) - x) - 0.5 * sink(time));
            lines[0] += (tilt(end) - lines[0]) * dt * 7.0;
            lines[1] += (offset(end) - lines[1]) * dt * 5.0;
            lines[1] -= (sinking(end).root - sinking(start).root) * 0.5;
            let what = format!("{rate} Hz, frame {frame}");
            near(a[frame].legs[0].offset, offset(end), &what);
            near(b[frame].legs[0].offset, offset(end), &what);
            near(turn(&a[frame]), exact[0], &what);
            near(turn(&b[frame]), lines[0], &what);
            near(a[frame].pelvis_height, exact[1], &what);
            near(b[frame].pelvis_height, lines[1], &what);
            for (most, (exact, lines)) in most.iter_mut().zip(exact.into_iter().zip(lines)) {
                *most = most.max((exact - lines).abs());
            }
        }
        // B uses the target at the frame's end for the whole frame: it is ahead by about one frame of the target's
        // motion, in radians and metres.
        let expected = [0.6 * dt, 0.3 * dt];
        for (most, expected) in most.into_iter().zip(expected) {
            println!("{rate} Hz: A and B are up to {most} apart");
            assert!((0.4..1.6).contains(&(most / expected)), "{rate} Hz: {most}, about {expected}");
        }
    }
}

/// At equal times, the exact solver (A) has the same feet, foot rotations and pelvis at every rate, and the literal
/// solver (B) does not. Tests both grounders.
#[test]
fn only_the_exact_rule_is_the_same_at_every_rate() {
    type Of = fn(&Output) -> f32;
    let foot: Of = |output| output.legs[0].offset;
    let pelvis: Of = |output| output.pelvis_height;
    // The ground rises faster than a foot may move.
    let rising = |time: f64| Moment { level: Some(2.7 * time.min(SIXTH)), ..Moment::default() };
    let walking = |time: f64| Moment { hips: 0.9 + 0.05 * (9.0 * time).sin(), ..sinking(time) };
    type At = fn(f64) -> Moment;
    let cases: [(&str, Solver, At, Of, f32); 5] = [
        ("predictive foot", predictive(), rising, foot, 8e-4),
        ("predictive turn", predictive(), sinking, turn, 5e-3),
        ("predictive pelvis", predictive(), sinking, pelvis, 3e-3),
        ("foot IK foot", foot_ik(), sinking, foot, 5e-3),
        ("foot IK pelvis", foot_ik(), walking, pelvis, 1e-2),
    ];
    for (what, solver, at, of, least) in cases {
        let spread = |solver: &Solver| {
            let all = RATES.map(|rate| sixths(solver, rate, 6, at));
            let apart = |other: &[Output]| {
                all[0].iter().zip(other).map(|(one, other)| (of(one) - of(other)).abs()).fold(0.0, f32::max)
            };
            apart(&all[1]).max(apart(&all[2]))
        };
        let (a, b) = (spread(&solver), spread(&literal(solver)));
        println!("{what}: A {a}, B {b}");
        assert!(a < 3e-5, "{what}: A differs by {a} between rates");
        assert!(b > least, "{what}: B differs by {b} between rates");
    }
}

/// `yVar = Lerp(last, target, 0.5)`: on a step of 12 cm, the literal solver (B) has the foot at 6 cm after the first
/// frame and at 9 cm after the second, at every rate. The exact solver (A) moves the target linearly within the frame.
#[test]
fn a_foot_of_foot_ik_covers_half_its_distance_per_frame() {
    let at = |time: f64| Moment { level: Some(if time > 0.0 { 0.12 } else { 0.0 }), ..Moment::default() };
    for rate in RATES {
        let b = outputs(&literal(foot_ik()), rate, 5, at);
        let lines = [0.0, 0.06, 0.09, 0.105, 0.1125, 0.11625];
        for (frame, (found, expected)) in b.iter().zip(lines).enumerate() {
            near(found.legs[0].offset, expected, &format!("{rate} Hz, frame {frame}"));
        }
    }
    // x′ = r · (t − x), which covers half of the distance in 1/60 s; t goes from 0 to 0.12 within the frame.
    let (a, rate) = (outputs(&foot_ik(), 60, 2, at), 60.0 * 2f64.ln());
    let first = integrate(0.0, 0.0, 1.0 / 60.0, |time, x| rate * (0.12 * 60.0 * time - x));
    assert!((first - 0.0334).abs() < 5e-5, "{first}");
    near(a[1].legs[0].offset, first, "A, first frame");
    near(a[2].legs[0].offset, 0.12 - (0.12 - first) * 0.5, "A, second frame");
}

/// `y = Lerp(last, body + lower foot, 0.28)` on the pelvis's own height: the literal solver (B) smooths the animation's
/// motion too.
#[test]
fn a_pelvis_of_foot_ik_smooths_its_own_height() {
    let at = |time: f64| Moment {
        root: 0.4 * time,
        hips: 0.9 + 0.05 * (9.0 * time).sin(),
        level: Some(if time > 0.0 { 0.12 } else { 0.0 }),
        ..Moment::default()
    };
    for rate in RATES {
        let [a, b] = [foot_ik(), literal(foot_ik())].map(|solver| outputs(&solver, rate, rate / 2, at));
        let (mut last, mut most) = (at(0.0).root + at(0.0).hips, 0.0f64);
        for frame in 1..b.len() {
            let now = at(frame as f64 / f64::from(rate));
            let body = now.root + now.hips;
            last += (body + (now.level.unwrap() - now.root) - last) * 0.28;
            near(b[frame].pelvis_height, last - body, &format!("{rate} Hz, frame {frame}"));
            most = most.max(f64::from((a[frame].pelvis_height - b[frame].pelvis_height).abs()));
        }
        assert!(most > 0.01, "{rate} Hz: A and B are {most} apart at most");
    }
}

/// Without a hit, the article's feet jump to the animation and later continue from where they were; its pelvis jumps
/// and starts anew. The exact rule brings both back smoothly.
#[test]
fn without_ground_the_lines_of_foot_ik_jump() {
    let at = |time: f64| Moment { level: (!(0.09..0.19).contains(&time)).then_some(0.2), ..Moment::default() };
    let [a, b] = [foot_ik(), literal(foot_ik())].map(|solver| outputs(&solver, 60, 14, at));
    let of = |outputs: &[Output], frame: usize| (outputs[frame].legs[0].offset, outputs[frame].pelvis_height);
    assert_eq!(of(&b, 5), (0.2, 0.2));
    for frame in 6..12 {
        assert_eq!(of(&b, frame), (0.0, 0.0), "frame {frame}");
    }
    // The foot is at its full height at once; the pelvis has moved from 0 by 0.28 of the distance.
    near(b[12].legs[0].offset, 0.2, "foot");
    near(b[12].pelvis_height, 0.2 * 0.28, "pelvis");
    near(b[13].pelvis_height, 0.2 * (0.28 + 0.72 * 0.28), "pelvis");
    let (foot, pelvis) = of(&a, 6);
    assert!(foot > 0.1 && pelvis > 0.1, "{foot} {pelvis}");
}

/// The source's `+=` adds the ground's height to the animated height, so the sole of a foot that is not lifted is on
/// the ground; its `=` replaces the animated height, so every ankle is on the ground.
#[test]
fn added_height_puts_the_sole_on_the_ground_and_replaced_height_the_ankle() {
    const ANKLE: f32 = 0.09;
    let settings = FootIkSettings { feet_to_ik_position_speed: 1.0, rotate_feet: false, ..FootIkSettings::default() };
    let replaced = Experiments { replace_foot_height: true, ..Experiments::default() };
    let [a, b] = [Experiments::default(), replaced].map(|all| all.grounder(Solver::FootIk(settings)));
    let root = Root { position: Vec3::Y * 0.3, ..Root::ORIGIN };
    let geometry = FootGeometry { ankle_height: ANKLE, ..FootGeometry::default() };
    // The right foot is lifted by 5 cm.
    let feet = [(0.1, 0.0), (-0.1, 0.05)].map(|(x, lifted)| {
        let position = root.position + Vec3::new(x, ANKLE + lifted, 0.0);
        FootInput::new(RigidTransform { position, rotation: Quat::IDENTITY }, geometry)
    });
    let input = Input { root, feet, dt: 1.0 / 60.0 };
    for (solver, over) in [(a, [ANKLE, ANKLE + 0.05]), (b, [0.0, 0.0])] {
        let mut state = SolverState::fresh(&solver);
        for level in [0.3, 0.5, 0.1] {
            let mut recording = Recording::default();
            recording.record(&solver, &input, &state, &Plane::level(level));
            state = recording.state();
            for (leg, over) in recording.output.legs.iter().zip(over) {
                near(leg.ik_position.y, f64::from(level + over), "ankle");
                near(leg.ik_position.y - ANKLE, f64::from(level + over - ANKLE), "sole");
            }
        }
        let mut recording = Recording::default();
        recording.record(&solver, &input, &state, &Void);
        assert!(recording.output.legs.iter().all(|leg| leg.offset == 0.0));
    }
}

/// States in files of older versions have no fields for experiments, and states without an experiment have none either.
#[test]
fn a_state_without_experiments_is_written_as_before() {
    let mut state = SolverState::fresh(&foot_ik());
    let input = Input { dt: 1.0 / 60.0, ..Input::default() };
    kinescope_ik::grounding::solve(&foot_ik(), &input, &mut state, &Plane::level(0.1));
    let text = serde_json::to_string(&state).unwrap();
    assert!(!text.contains("level") && !text.contains("body"), "{text}");
    assert_eq!(serde_json::from_str::<SolverState>(&text).unwrap(), state);
    kinescope_ik::grounding::solve(&literal(foot_ik()), &input, &mut state, &Void);
    let text = serde_json::to_string(&state).unwrap();
    assert!(text.contains("level") && text.contains("body"), "{text}");
    assert_eq!(serde_json::from_str::<SolverState>(&text).unwrap(), state);
}
