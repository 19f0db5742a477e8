//! Many characters: the built-in biped 1, 10, 100, 1,000 and 10,000 times, each with its own target of the left hand,
//! solved one by one, in a batch on one thread, and in a batch on two; compared in the same run with rebirth-ik's
//! humanoid of the bench `frame`.
//!
//! `cargo bench -p kinescope-ik --features import,rayon --bench many` prints the tables of the book's page on
//! performance, and draws `screenshots/many.svg`.

mod common;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use common::{Setup, Taken, in_turns, micros};
use glam::Vec3;
use kinescope_ik::full_body::{Effector, FullBody, Settings};
use kinescope_ik::many::{Bones, Many, Task, solve_many};
use kinescope_ik::rig::RigidTransform;
use plotters::prelude::*;

const COUNTS: [usize; 5] = [1, 10, 100, 1_000, 10_000];
const ROUNDS: usize = 31;
/// The approximate number of characters solved in a round.
const ROUND: usize = 20_000;

struct Crowd<'a> {
    solver: &'a FullBody,
    animated: &'a [RigidTransform],
    settings: Vec<Settings>,
    poses: Vec<Vec<RigidTransform>>,
}

impl<'a> Crowd<'a> {
    fn new(setup: &'a Setup, count: usize) -> Self {
        let settings = (0..count).map(|index| {
            let mut settings = setup.settings;
            let hand = settings.effector_mut(Effector::LeftHand);
            let turn = index as f32 * 2.399_963;
            hand.position = hand.position.map(|at| at + Vec3::new(turn.cos(), turn.sin(), 0.0) * 0.1);
            settings
        });
        let (solver, animated) = (&setup.solver, &setup.animated[..]);
        Self { solver, animated, settings: settings.collect(), poses: vec![setup.animated.clone(); count] }
    }

    /// Returns microseconds per character, without the time to copy animated poses and to make the tasks.
    fn micros(&mut self, mut solve: impl FnMut(&mut [Task])) -> f64 {
        let count = self.poses.len();
        let rounds = (ROUND / count).max(1);
        let mut spent = 0.0;
        for _ in 0..rounds {
            self.poses.iter_mut().for_each(|pose| pose.copy_from_slice(self.animated));
            let own = self.settings.iter_mut().zip(&mut self.poses);
            let mut tasks: Vec<Task> = own.map(|(settings, pose)| Task::new(self.solver, settings, pose)).collect();
            let start = Instant::now();
            solve(&mut tasks);
            spent += start.elapsed().as_secs_f64();
            assert!(black_box(&tasks).iter().all(|task| task.done.is_ok()));
        }
        spent * 1e6 / (rounds * count) as f64
    }
}

fn main() {
    // `cargo test` runs this without `--bench`: one round only checks that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let (rounds, counts) = if is_measured { (ROUNDS, &COUNTS[..]) } else { (1, &COUNTS[..3]) };
    let setup = Setup::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).use_current_thread().build().expect("two threads");
    let lanes = Many::new().lanes();
    println!("µs a character, {lanes} in a register; in brackets against rebirth-ik in the same run\n");
    println!("| characters | one by one | together | key bones only | two threads | characters per second |");
    println!("|---|---|---|---|---|---|");
    let mut curves: [Vec<(f64, f64)>; 5] = Default::default();
    for &count in counts {
        let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| Crowd::new(&setup, count));
        let mut workspace = setup.solver.workspace();
        let (mut many, mut of_keys, mut threads) = (Many::new(), Many::new(), Vec::new());
        let (skeleton, mut peer) = setup.peer();
        let mut one_by_one = || {
            a.micros(|tasks| {
                for task in tasks {
                    task.done = task.solver.solve(&mut workspace, task.settings, task.pose);
                }
            })
        };
        let mut together = || b.micros(|tasks| many.solve(tasks, Bones::All));
        let mut key_bones = || c.micros(|tasks| of_keys.solve(tasks, Bones::Key));
        let mut on_two = || d.micros(|tasks| pool.install(|| solve_many(&mut threads, tasks, Bones::All)));
        let mut peers = vec![skeleton.clone(); 1000];
        let mut of_peer = || {
            peers.iter_mut().for_each(|own| own.clone_from(&skeleton));
            let mut each = peers.iter_mut();
            micros(1000, || {
                black_box(peer.solve(each.next().unwrap()));
            })
        };
        let taken = in_turns(rounds, &mut [&mut one_by_one, &mut together, &mut key_bones, &mut on_two, &mut of_peer]);
        let peer = taken[4];
        let cell = |taken: Taken| format!("{:.2} ({:.2})", taken.median, taken.median / peer.median);
        let [alone, all, key, two, _] = taken;
        println!(
            "| {count} | {} | {} | {} | {} | {:.2} million |",
            cell(alone),
            cell(all),
            cell(key),
            cell(two),
            1.0 / two.median
        );
        for (curve, taken) in curves.iter_mut().zip(taken) {
            curve.push((count as f64, taken.median * count as f64 / 1e3));
        }
    }
    println!("\n| of 1,000, registers of | all bones | key bones only |\n|---|---|---|");
    for level in Many::levels() {
        let [mut a, mut b] = [(); 2].map(|()| Crowd::new(&setup, 1000));
        let (mut many, mut of_keys) = (Many::with_level(level), Many::with_level(level));
        let mut together = || a.micros(|tasks| many.solve(tasks, Bones::All));
        let mut key_bones = || b.micros(|tasks| of_keys.solve(tasks, Bones::Key));
        let [all, key] = in_turns(rounds, &mut [&mut together, &mut key_bones]);
        println!("| {} | {:.2} | {:.2} |", Many::with_level(level).lanes(), all.median, key.median);
    }
    if is_measured {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../screenshots/many.svg");
        plot(&path, &curves).expect("the plot is drawn");
        println!("\ndrawn: {}", path.display());
    }
}

/// Plots milliseconds per frame over the number of characters, both logarithmic.
fn plot(path: &Path, curves: &[Vec<(f64, f64)>; 5]) -> Result<(), Box<dyn std::error::Error>> {
    const NAMES: [&str; 5] =
        ["one by one", "together", "together, key bones only", "together, two threads", "rebirth-ik, 20 sweeps"];
    const COLOURS: [RGBColor; 5] = [
        RGBColor(120, 120, 128),
        RGBColor(38, 110, 214),
        RGBColor(22, 160, 190),
        RGBColor(16, 140, 90),
        RGBColor(214, 110, 38),
    ];
    let root = SVGBackend::new(path, (860, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((1f64..10_000f64).log_scale(), (0.0005f64..100f64).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("characters")
        .y_desc("milliseconds a frame")
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .x_label_formatter(&|count| format!("{count}"))
        .y_label_formatter(&|milliseconds| format!("{milliseconds}"))
        .light_line_style(RGBColor(240, 240, 240))
        .draw()?;
    for ((curve, name), colour) in curves.iter().zip(NAMES).zip(COLOURS) {
        let last = curve.last().map_or(0.0, |&(count, milliseconds)| milliseconds * 1e3 / count);
        chart
            .draw_series(LineSeries::new(curve.iter().copied(), colour.stroke_width(2)))?
            .label(format!("{name}: {last:.2} µs each"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(2)));
        chart.draw_series(curve.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    chart.draw_series(LineSeries::new([(1.0, 16.7), (10_000.0, 16.7)], RGBColor(180, 180, 180).stroke_width(1)))?;
    chart.draw_series([Text::new("60 frames per second", (1.2, 21.0), ("sans-serif", 13).into_font())])?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(220, 220, 220))
        .label_font(("sans-serif", 14))
        .draw()?;
    root.present()?;
    Ok(())
}
