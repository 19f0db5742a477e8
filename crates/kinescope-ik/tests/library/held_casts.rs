//! Reuse of hits on the ground in frames that do not cast.

use std::cell::Cell;

use glam::Vec3;
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::{
    Cast, Event, FootGeometry, FootIkSettings, FootInput, HeldCasts, HeldGround, Input, PredictiveSettings, Purpose,
    Quality, Recording, Shape, Solver, SolverState,
};
use kinescope_ik::rig::RigidTransform;

/// A ground on which every cast returns a different hit, so that tests can tell new hits from reused ones.
struct Counting(Cell<u32>);

impl Ground for Counting {
    fn ray(&self, from: Vec3, direction: Vec3, _: f32) -> Option<Hit> {
        self.0.set(self.0.get() + 1);
        let distance = self.0.get() as f32;
        Some(Hit { point: from + direction * distance, normal: Vec3::Y, distance })
    }
}

/// Casts three times. Returns the distances of the hits, and whether the frame cast anew instead of reusing hits.
fn frame(ground: &Counting, rate: f32, held: &mut Option<HeldCasts>, anew: bool, dt: f32) -> (Vec<f32>, bool) {
    let own = HeldGround::new(ground, rate, *held, anew, dt);
    let hits: Vec<_> = (0..3).map(|_| own.ray(Vec3::ZERO, Vec3::NEG_Y, 1.0)).collect();
    let event = |hit: &Option<Hit>| {
        let (from, to) = (Vec3::ZERO, Vec3::NEG_Y);
        Event::Cast(Cast { purpose: Purpose::Heel, side: None, shape: Shape::Ray, from, to, hit: *hit })
    };
    let (left, casts) = own.end(&hits.iter().map(event).collect::<Vec<_>>()).unwrap();
    let hits = hits.into_iter().map(|hit| hit.unwrap().distance).collect();
    *held = Some(left);
    (hits, casts)
}

#[test]
fn casts_keep_their_rate_at_any_frame_rate() {
    for (frames, rate) in [(60.0f32, 20.0f32), (60.0, 25.0), (144.0, 50.0), (30.0, 30.0), (30.0, 50.0)] {
        let (ground, mut held) = (Counting(Cell::new(0)), None);
        let casting = (0..(frames * 4.0) as u32).filter(|_| frame(&ground, rate, &mut held, false, 1.0 / frames).1);
        let (found, expected) = (casting.count() as f32, (rate.min(frames)) * 4.0);
        assert!((found - expected).abs() <= 1.0, "{found} casting frames at {frames} Hz, {expected} expected");
    }
}

#[test]
fn a_frame_without_casts_reuses_the_last_hits() {
    let (ground, mut held) = (Counting(Cell::new(0)), None);
    assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![1.0, 2.0, 3.0], true));
    for _ in 0..4 {
        assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![1.0, 2.0, 3.0], false));
    }
    assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![4.0, 5.0, 6.0], true));
    assert_eq!(frame(&ground, 10.0, &mut held, true, 0.02), (vec![7.0, 8.0, 9.0], true));
    assert_eq!(frame(&ground, 0.0, &mut held, false, 0.02), (vec![10.0, 11.0, 12.0], true));
    let own = HeldGround::new(&ground, 10.0, held, false, 0.02);
    assert_eq!(own.capsule(Vec3::ZERO, Vec3::X, 0.1, Vec3::NEG_Y, 1.0), None);
    assert_eq!(own.end(&[]), None);
}

#[test]
fn a_frame_with_other_casts_than_those_held_does_not_reuse_them() {
    let foot_ik = Solver::FootIk(FootIkSettings::default());
    let [fastest, simple] = [Quality::Fastest, Quality::Simple]
        .map(|quality| Solver::Predictive(PredictiveSettings { quality, ..PredictiveSettings::default() }));
    let feet = [0.1, -0.1].map(|x| {
        let foot = RigidTransform { position: Vec3::new(x, 0.1, 0.0), ..RigidTransform::IDENTITY };
        FootInput::new(foot, FootGeometry::default())
    });
    let both = Input { dt: 0.02, feet, ..Input::default() };
    let mut lost = both;
    lost.feet[0].position = Vec3::NAN;
    let cases = [
        (foot_ik, both, foot_ik, both, true),
        (foot_ik, both, foot_ik, lost, false),
        (foot_ik, lost, foot_ik, both, false),
        (fastest, both, fastest, both, true),
        (fastest, both, fastest, lost, false),
        (fastest, both, simple, both, false),
        (simple, both, fastest, both, false),
    ];
    for (index, (solver, input, next_solver, next_input, is_held)) in cases.into_iter().enumerate() {
        let (ground, mut recording) = (Counting(Cell::new(0)), Recording::default());
        let mut frame = |solver: &Solver, input: &Input, state: &SolverState, held| {
            let own = HeldGround::new(&ground, 1.0, held, false, 0.02);
            recording.record(solver, input, state, &own);
            (own.end(&recording.solve.events), recording.state())
        };
        let (held, state) = frame(&solver, &input, &SolverState::fresh(&solver), None);
        let (held, did_cast) = held.unwrap();
        let made = ground.0.get();
        assert!(did_cast && made > 0, "case {index}");
        let (next, _) = frame(&next_solver, &next_input, &state, Some(held));
        assert_eq!(next.map(|(_, did_cast)| did_cast), is_held.then_some(false), "case {index}");
        assert_eq!(ground.0.get(), made, "case {index}: casts are not due");
    }
}
