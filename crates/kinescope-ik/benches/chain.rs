//! A chain of 10 bones, solved from one bent pose for 64 targets at each of eight distances, from near the root to out
//! of reach, and compared with rebirth-ik's chain solver. The tolerance is 0.1 % of the chain's length. Then the
//! closed-form solve of two bones, compared with rebirth-ik's.
//!
//! `cargo bench -p kinescope-ik --bench chain` prints the tables of the book's page on performance. Each time is the
//! median over many rounds of all targets; compared solvers alternate, round by round.

use std::hint::black_box;
use std::time::Instant;

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::{Chain, Goal, Problem, Settings, Solver, State, TwoBone, Workspace, solve};
use rebirth_ik as peer;

const BONES: usize = 10;
const TARGETS: usize = 64;
const ROUNDS: usize = 301;
/// A row's total time in microseconds after which no further rounds are measured.
const LONGEST: f64 = 0.15e6;
/// Tolerance of a solve, as a fraction of the chain's length.
const TOLERANCE: f32 = 1e-3;
const MAX_ITERATIONS: u32 = 1000;

/// Returns one of [`TARGETS`] unit directions that are spread evenly over a sphere.
fn direction(index: usize) -> Vec3 {
    let turn = index as f32 * 2.399_963;
    let height = 1.0 - (index as f32 + 0.5) * 2.0 / TARGETS as f32;
    let radius = (1.0 - height * height).sqrt();
    Vec3::new(radius * turn.cos(), height, radius * turn.sin())
}

/// Returns a chain along a helix, like a tail.
fn chain() -> Chain {
    let mut place = Vec3::ZERO;
    let mut points = vec![place];
    for index in 0..BONES {
        place += Quat::from_rotation_y(0.9 * index as f32) * Vec3::new(0.6, 0.8, 0.0) * 0.1;
        points.push(place);
    }
    Chain::from_positions(&points).expect("the chain is sound")
}

#[derive(Default)]
struct Row {
    name: &'static str,
    rounds: Vec<f64>,
    iterations: u32,
    worst: f32,
}

impl Row {
    /// Returns the total time in microseconds.
    fn spent(&self) -> f64 {
        self.rounds.iter().sum::<f64>() * TARGETS as f64
    }

    fn micros(&mut self) -> f64 {
        self.rounds.sort_by(f64::total_cmp);
        self.rounds[self.rounds.len() / 2]
    }
}

/// Returns the time of one round in microseconds per target.
fn round(targets: &[Vec3], mut one: impl FnMut(Vec3)) -> f64 {
    let start = Instant::now();
    for &target in targets {
        one(black_box(target));
    }
    start.elapsed().as_secs_f64() * 1e6 / targets.len() as f64
}

fn ours(chain: &Chain, settings: &Settings, state: &mut State, workspace: &mut Workspace, target: Vec3) -> (u32, f32) {
    // Without rotations, FABRIK uses positions only. Resetting the rotations too would add the time of needless copies.
    match settings.rotations || settings.solver != Solver::Fabrik {
        true => state.copy_from(chain.rest()),
        false => state.positions.copy_from_slice(&chain.rest().positions),
    }
    let goals = [Goal::end(chain, target)];
    let outcome = solve(&Problem { chain, settings, goals: &goals }, state, workspace).expect("the problem is sound");
    (outcome.iterations, outcome.error)
}

fn main() {
    let chain = chain();
    let length = chain.length();
    let settings = Settings {
        tolerance: TOLERANCE * length,
        change_tolerance: 0.0,
        max_iterations: MAX_ITERATIONS,
        rotations: false,
        ..Settings::default()
    };
    let solvers = [
        ("FABRIK", settings),
        ("FABRIK, with rotations", Settings { rotations: true, ..settings }),
        ("FABRIK, plain", Settings { accelerate: false, ..settings }),
        ("CCD", Settings { solver: Solver::Ccd, ..settings }),
        ("CCD growing", Settings { solver: Solver::CcdGrowing, ..settings }),
        ("CCD, plain", Settings { solver: Solver::Ccd, accelerate: false, ..settings }),
    ];
    println!("{BONES} bones, tolerance {} %, {TARGETS} targets a zone", TOLERANCE * 100.0);
    println!("{:<16} {:<24} {:>10} {:>12} {:>12}", "distance", "solver", "µs", "iterations", "worst error");
    let peer_rest: Vec<peer::Vec3> = chain.rest().positions.iter().map(|p| peer::Vec3::new(p.x, p.y, p.z)).collect();
    let lengths: Vec<f32> = chain.bones().iter().map(|bone| bone.length).collect();
    let (mut state, mut workspace) = (chain.rest().clone(), Workspace::default());
    let mut points = peer_rest.clone();
    // Warm up, so that the processor's clock rate is stable in the first rows.
    let start = Instant::now();
    while start.elapsed().as_millis() < 300 {
        black_box(ours(&chain, &settings, &mut state, &mut workspace, black_box(Vec3::new(0.3, 0.4, 0.1))));
    }
    for (zone, share) in [
        ("near the root", 0.05),
        ("mid-range", 0.3),
        ("mid-range", 0.5),
        ("mid-range", 0.8),
        ("nearly straight", 0.95),
        ("nearly straight", 0.99),
        ("nearly straight", 0.999),
        ("out of reach", 1.2),
    ] {
        let targets: Vec<Vec3> = (0..TARGETS).map(|index| direction(index) * share * length).collect();
        let mut rows: Vec<Row> = solvers.iter().map(|&(name, _)| Row { name, ..Row::default() }).collect();
        rows.push(Row { name: "rebirth-ik", ..Row::default() });
        for _ in 0..ROUNDS {
            for (row, (_, settings)) in rows.iter_mut().zip(&solvers) {
                if row.spent() > LONGEST {
                    continue;
                }
                (row.iterations, row.worst) = (0, 0.0);
                row.rounds.push(round(&targets, |target| {
                    let (iterations, error) = ours(&chain, settings, &mut state, &mut workspace, target);
                    row.iterations += iterations;
                    row.worst = row.worst.max(error);
                }));
            }
            let row = rows.last_mut().expect("the peer has a row");
            if row.spent() > LONGEST {
                continue;
            }
            (row.iterations, row.worst) = (0, 0.0);
            row.rounds.push(round(&targets, |target| {
                points.copy_from_slice(&peer_rest);
                let target = peer::Vec3::new(target.x, target.y, target.z);
                let result =
                    peer::single::solve_chain(&mut points, &lengths, target, MAX_ITERATIONS, TOLERANCE * length);
                black_box(&points);
                row.iterations += result.iterations;
                row.worst = row.worst.max(result.error);
            }));
        }
        for row in &mut rows {
            let iterations = f64::from(row.iterations) / TARGETS as f64;
            let (name, micros, worst) = (row.name, row.micros(), row.worst / length * 100.0);
            println!("{:<16} {name:<24} {micros:>10.3} {iterations:>12.1} {worst:>10.3} %", format!("{zone} {share}"));
        }
    }

    println!("\ntwo bones, closed form, {TARGETS} targets, with a bend goal");
    let (root, middle, end) = (Vec3::ZERO, Vec3::new(0.0, 0.3, 0.02), Vec3::new(0.0, 0.55, 0.0));
    let limb =
        TwoBone { upper: root.distance(middle), lower: middle.distance(end), maximum_stretch: 1.0, soft_zone: 0.0 };
    let goal = Vec3::new(0.0, 0.3, 1.0);
    let p = |v: Vec3| peer::Vec3::new(v.x, v.y, v.z);
    let targets: Vec<Vec3> =
        (0..TARGETS).map(|index| direction(index) * (0.1 + 0.6 * index as f32 / TARGETS as f32)).collect();
    let [mut ours, mut theirs] = ["kinescope", "rebirth-ik"].map(|name| Row { name, ..Row::default() });
    for _ in 0..ROUNDS * 20 {
        ours.rounds.push(round(&targets, |target| {
            black_box(limb.solve(root, target, goal - root, Vec3::Y));
        }));
        theirs.rounds.push(round(&targets, |target| {
            black_box(peer::analytic::two_bone(p(root), p(middle), p(end), p(target), Some(p(goal))));
        }));
    }
    for row in [&mut ours, &mut theirs] {
        let (name, micros) = (row.name, row.micros());
        println!("{name:<41} {micros:>10.4}");
    }
}
