//! Full-body solvers on the same frames: five sets of 60 frames, from the clips of the built-in characters and from BVH
//! files that the library writes. Quality and running time of each solver, in one run, each on one thread.
//!
//! `cargo bench -p kinescope-ik --features import --bench arena` prints a table for each set of frames. An argument
//! selects the solvers whose names contain it: `-- "position based"`. If the environment variable `KINESCOPE_ARENA`
//! names a file, the run includes the outside solvers that are installed, writes one CSV line for each solver and frame
//! to it, and, without an argument, draws the figures of the book's page on the arena.
//!
//! Targets are the animated hands and feet of the same frame, moved: the left hand forward and up, the right hand
//! forward, the left foot up, the right foot in place. They are within reach, so the distances are those that the
//! solvers leave. One set has target rotations too.
//!
//! Every clip is also played at 60 frames per second, so that a warm solve starts from the frame before. The columns of
//! the played clips are of 20 runs of four consecutive frames, the same for all solvers: median running time, and jerk,
//! the root mean square of the second differences of the joints' positions. The row *animation* has the jerk of the
//! animated poses. The last column counts failed solves; all other columns are of the solves that did not fail.

#[path = "../common/mod.rs"]
mod common;
mod frames;
mod lane;
mod outside;
mod plot;
mod solvers;

use std::path::Path;

use frames::Set;
use lane::{Lane, Row};
use solvers::Solver;

/// Rounds of a solver of the library, and of an outside one.
const ROUNDS: [usize; 2] = [101, 3];

fn main() {
    // `cargo test` runs this without `--bench`: a round only checks that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let file = std::env::var_os("KINESCOPE_ARENA");
    let mut outside = if file.is_some() { outside::solvers() } else { Vec::new() };
    let mut csv = lane::COLUMNS.to_owned();
    for (number, set) in Set::all().iter().enumerate() {
        let mut solvers = solvers::of_library(set);
        solvers.append(&mut outside);
        solvers.retain(|solver| wanted.as_ref().is_none_or(|wanted| solver.name().contains(wanted)));
        let rows = measure(set, &mut solvers, is_measured, &mut csv);
        lane::print(set, &rows);
        if number == 0 && is_measured && file.is_some() && wanted.is_none() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../screenshots");
            plot::draw(&folder, &rows).expect("the figures are drawn");
        }
        outside.extend(solvers.into_iter().filter(|solver| solver.is_outside()));
    }
    if let Some(path) = file {
        std::fs::write(&path, csv).expect("the file of the environment variable KINESCOPE_ARENA can be written");
    }
}

fn measure(set: &Set, solvers: &mut [Box<dyn Solver>], is_measured: bool, csv: &mut String) -> Vec<Row> {
    let mut lanes: Vec<Lane> = solvers.iter().map(|_| Lane::new()).collect();
    let [own, outside] = if is_measured { ROUNDS } else { [1, 1] };
    for round in 0..own {
        // In turns, so that other load on the machine affects all alike.
        for (lane, solver) in lanes.iter_mut().zip(&mut *solvers) {
            if round < outside || !solver.is_outside() {
                lane.round(solver.as_mut(), set);
            }
        }
    }
    let most = if is_measured { u32::MAX } else { 4 };
    for (lane, solver) in lanes.iter_mut().zip(&mut *solvers) {
        set.setup.model.clips.iter().for_each(|clip| lane.play(solver.as_mut(), set, clip, most));
    }
    lanes.iter_mut().zip(&*solvers).map(|(lane, solver)| lane.row(set, solver.as_ref(), csv)).collect()
}
