//! Solves a tail of eight bones with CCD and with FABRIK, and prints the iterations and the distance that remains.
//!
//! `cargo run -p kinescope-ik --example chain`

use glam::Vec3;
use kinescope_ik::chain_ik::{Chain, Goal, Problem, Settings, Solver, Workspace, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chain = Chain::from_lengths(&[0.2; 8])?;
    let goals = [Goal::end(&chain, Vec3::new(0.5, 0.9, 0.2))];
    for solver in [Solver::Ccd, Solver::Fabrik] {
        let settings = Settings { solver, tolerance: 1e-3, ..Settings::default() };
        let (mut state, mut workspace) = (chain.rest().clone(), Workspace::default());
        let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
        let outcome = solve(&problem, &mut state, &mut workspace)?;
        let distance = state.end().distance(goals[0].position);
        println!("{solver:?}: {outcome:?}, {distance:.6} from the target");
    }
    Ok(())
}
