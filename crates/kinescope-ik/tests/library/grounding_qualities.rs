//! All qualities of predictive foot IK at once, each with a state of its own.

use std::cell::Cell;

use glam::Vec3;
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::qualities::advance;
use kinescope_ik::grounding::{Input, PredictiveSettings, Quality, Solver, SolverState, solve};

struct Level;

impl Ground for Level {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sphere(from, 0.0, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let way = (from.y - radius - 0.1) / -direction.y;
        let point = (from + direction * way).with_y(0.1);
        (0.0..=distance).contains(&way).then_some(Hit { point, normal: Vec3::Y, distance: way })
    }

    fn capsule(&self, a: Vec3, _: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sphere(a, radius, direction, distance)
    }
}

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

fn clock() -> f64 {
    NOW.replace(NOW.get() + 3.0)
}

#[test]
fn lanes_are_what_each_quality_does_alone() {
    let (settings, mut input, mut lanes) = (PredictiveSettings::default(), Input::default(), Vec::new());
    input.feet[1].position = Vec3::new(0.1, 0.3, 0.2);
    let mut alone = Quality::ALL.map(|quality| {
        let solver = Solver::Predictive(PredictiveSettings { quality, ..settings });
        (solver, SolverState::fresh(&solver))
    });
    for frame in 0..5 {
        input.dt = if frame == 0 { 0.5 } else { 0.01 };
        advance(&mut lanes, &settings, &input, &Level, Some(clock));
        for (lane, (solver, state)) in lanes.iter().zip(&mut alone) {
            let output = solve(solver, &input, state, &Level);
            assert_eq!((lane.output, lane.state), (output, *state));
            assert_eq!(lane.micros.map(|micros| (micros - 3.0).abs() < 1e-4), (frame > 0).then_some(true));
        }
    }
    let now = lanes[0].output;
    let mut later = now;
    assert!(!later.has_moved_since(&now));
    later.legs[1].offset += 1e-3;
    assert!(later.has_moved_since(&now));
}
