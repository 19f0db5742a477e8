//! One whole frame of the built-in biped: read, solve with default settings, targets for the hands and pinned feet,
//! write. Compared in the same run with rebirth-ik on the same skeleton, five targets and 20 sweeps. Then the duration
//! of each part of the frame.
//!
//! `cargo bench -p kinescope-ik --features import --bench frame` prints the tables of the book's page on performance.
//!
//! Four optimizations were tried and gained too little: fewer square roots by other algebra (a stage is a chain of
//! dependent roots, and other work runs in parallel); approximate reciprocal roots with a Newton step (same latency,
//! less exact); keeping the state in registers between stages (the compiler spills it anyway, and the processor
//! forwards recent stores at once); checking four bones of a pose at once (the check waits for the bones to be loaded).

mod common;

use std::hint::black_box;

use common::{Setup, Taken, in_turns, micros};
use kinescope_ik::full_body::{Program, Recording, Solve, Stage, run_stage};
use kinescope_ik::stepped::{Stepped, Unwatched};

const ROUNDS: usize = 201;
const COUNT: usize = 100;

fn main() {
    // `cargo test` runs this without `--bench`: one round only checks that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_measured { ROUNDS } else { 1 };
    whole(rounds);
    parts(rounds);
}

fn whole(rounds: usize) {
    let setup = Setup::new();
    let Setup { solver, settings, animated, .. } = &setup;
    let (mut workspace, mut other, mut third) = (solver.workspace(), solver.workspace(), solver.workspace());
    let (mut pose, mut hooked, mut recorded) = (animated.clone(), animated.clone(), animated.clone());
    let mut recording = Recording::default();
    let (skeleton, mut peer) = setup.peer();
    let mut at_once = || {
        micros(COUNT, || {
            pose.copy_from_slice(animated);
            solver.solve(&mut workspace, black_box(settings), &mut pose).unwrap();
            black_box(&pose);
        })
    };
    let mut with_hooks = || {
        micros(COUNT, || {
            hooked.copy_from_slice(animated);
            let (frame, mut state) = solver.read(&mut other, black_box(settings), &hooked).unwrap();
            for step in Program::new(&frame) {
                let _ = run_stage(&frame, &mut state, step.stage, &mut Unwatched);
            }
            solver.write(&mut other, &frame, &state, &mut hooked).unwrap();
            black_box(&hooked);
        })
    };
    let mut with_states = || {
        micros(COUNT, || {
            recorded.copy_from_slice(animated);
            recording.record(solver, &mut third, black_box(settings), &mut recorded).unwrap();
            black_box((&recorded, &recording));
        })
    };
    let mut peers: Vec<_> = vec![skeleton.clone(); COUNT];
    let mut peer = || {
        peers.iter_mut().for_each(|own| own.clone_from(&skeleton));
        let mut each = peers.iter_mut();
        micros(COUNT, || {
            black_box(peer.solve(each.next().unwrap()));
        })
    };
    let taken = in_turns(rounds, &mut [&mut at_once, &mut with_hooks, &mut with_states, &mut peer]);
    println!("| µs a frame, 53 bones | median | minimum | against rebirth-ik |\n|---|---|---|---|");
    let names = [
        "Kinescope",
        "the same, stage by stage from outside (hooks)",
        "the same, every state recorded",
        "rebirth-ik, 20 sweeps",
    ];
    for (name, Taken { median, minimum }) in names.into_iter().zip(taken) {
        println!("| {name} | {median:.2} | {minimum:.2} | {:.2} |", minimum / taken[3].minimum);
    }
}

fn parts(rounds: usize) {
    let setup = Setup::new();
    let Setup { solver, settings, animated, .. } = &setup;
    let mut workspace = solver.workspace();
    let (frame, start) = solver.read(&mut workspace, settings, animated).unwrap();
    println!("\n| part | times a frame | µs in all |\n|---|---|---|");
    let mut other = solver.workspace();
    let mut read = || {
        micros(COUNT, || {
            black_box(solver.read(&mut other, black_box(settings), animated).unwrap());
        })
    };
    let mut pose = animated.clone();
    let mut both = || {
        micros(COUNT, || {
            pose.copy_from_slice(animated);
            let (frame, state) = solver.read(&mut workspace, black_box(settings), &pose).unwrap();
            solver.write(&mut workspace, &frame, black_box(&state), &mut pose).unwrap();
            black_box(&pose);
        })
    };
    let mut solve = || {
        micros(COUNT, || {
            let mut state = black_box(start);
            kinescope_ik::stepped::solve(&mut Solve::new(black_box(&frame)), &mut state);
            black_box(&state);
        })
    };
    let [read, both, solve] = in_turns(rounds, &mut [&mut read, &mut both, &mut solve]);
    println!("| pose and settings checked, gathered and measured | 1 | {:.2} |", read.median);
    // Each stage with the state before its last run, and how often it runs.
    let mut state = start;
    let mut program = Solve::new(&frame);
    let mut met: Vec<(Stage, _, usize)> = Vec::new();
    while let Some(step) = program.next(&state) {
        match met.iter_mut().find(|(stage, ..)| *stage == step.stage) {
            Some((_, found, times)) => (*found, *times) = (state, *times + 1),
            None => met.push((step.stage, state, 1)),
        }
        let _ = program.run(&mut state, step, &mut Unwatched);
    }
    for (stage, found, times) in met {
        let mut one = || {
            micros(COUNT, || {
                let mut state = black_box(found);
                let _ = run_stage(&frame, &mut state, black_box(stage), &mut Unwatched);
                black_box(&state);
            })
        };
        let [taken] = in_turns(rounds, &mut [&mut one]);
        println!("| {} | {times} | {:.3} |", stage.label(), taken.median * times as f64);
    }
    println!("| all stages, one after the other | 35 | {:.2} |", solve.median);
    println!("| written to all 53 bones | 1 | {:.2} |", both.median - read.median);
}
