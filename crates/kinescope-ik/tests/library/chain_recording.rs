//! Recordings of chains: their states are those of the solve, and their moves have words and formulas.

use glam::Vec3;
use kinescope_ik::chain_ik::{
    Cause, Chain, ChainRun, Goal, Limit, Problem, Recording, Settings, Solver, Workspace, solve,
};
use kinescope_ik::stepped::Run;

#[test]
fn stepping_is_solving() {
    let points = [Vec3::ZERO, Vec3::Y, Vec3::new(0.5, 1.6, 0.2), Vec3::new(1.0, 1.2, 0.6), Vec3::new(1.4, 0.4, 0.9)];
    for limited in [false, true] {
        for solver in [Solver::Ccd, Solver::CcdGrowing, Solver::Fabrik] {
            let mut chain = Chain::from_positions(&points).unwrap();
            if limited {
                chain.set_limit(2, Limit::Angle { max: 0.4 }).unwrap();
                chain.set_limit(1, Limit::Hinge { axis: Vec3::X, min: -0.5, max: 0.5 }).unwrap();
            }
            let settings = Settings { solver, tolerance: 1e-4, ..Settings::default() };
            let goals = [Goal::end(&chain, Vec3::new(0.3, 0.8, 0.9))];
            let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
            let mut state = chain.rest().clone();
            let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
            let outcome = solve(&problem, &mut state, &mut Workspace::default()).unwrap();
            assert_eq!((&state, outcome), (recording.solve.end(), recording.outcome));
            let iterations = recording.ends_of_iterations().count();
            assert_eq!(iterations as u32, recording.outcome.iterations + 1);
            for step in 0..recording.solve.steps.len() {
                let moves = recording.solve.events_of(step);
                assert_eq!(recording.state_within(step, 0).as_ref(), Some(recording.solve.state_before(step)));
                if moves.is_empty() {
                    continue;
                }
                assert_eq!(
                    recording.state_within(step, moves.len()).as_ref(),
                    Some(&recording.solve.steps[step].state)
                );
                for (index, moved) in moves.iter().enumerate() {
                    let state = recording.state_within(step, index + 1).unwrap();
                    let at = if moved.cause == Cause::Turn { 4 } else { moved.joint };
                    assert!(state.positions[at].distance(moved.to) < 1e-5, "{solver:?} {moved:?}");
                }
            }
        }
    }
}

#[test]
fn a_chain_folds_toward_a_near_target_and_stretches_toward_a_far_one() {
    let chain = Chain::from_lengths(&[1.0, 0.2, 0.2]).unwrap();
    for (distance, what) in [(0.1, "folded"), (3.0, "stretched")] {
        let goals = [Goal::end(&chain, Vec3::X * distance)];
        let recording = Recording::record(&chain, &Settings::default(), &goals, chain.rest()).unwrap();
        let run = ChainRun { recording, on: None };
        let is_stretch = |&step: &usize| {
            run.recording.solve.events_of(step).first().is_some_and(|moved| moved.cause == Cause::Stretch)
        };
        let step = (0..run.steps()).find(is_stretch).unwrap();
        let expected = format!("{what} toward the target");
        assert!(run.event(step, 0, &|length| format!("{length}")).text.contains(&expected));
        assert_eq!(run.cause(step, 0).label, expected);
        assert!(run.formula(step, 0).unwrap().title.starts_with(&expected));
    }
}
