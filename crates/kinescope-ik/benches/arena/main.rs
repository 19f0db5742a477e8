//! Full-body solvers on the same frames: 60 frames each of the clips of the built-in characters, and of a BVH file that
//! the library writes. Quality and running time of each solver, in one run, each on one thread.
//!
//! `cargo bench -p kinescope-ik --features import --bench arena` prints a table for each set of frames. If the environment
//! variable `KINESCOPE_ARENA` names a file, the run includes the outside solvers that are installed, writes one CSV line
//! for each solver and frame to it, and draws the figures of the book's page on the arena.
//!
//! Targets are the animated hands and feet of the same frame, moved: the left hand forward and up, the right hand
//! forward, the left foot up, the right foot in place. They are within reach, so the distances are those that the
//! solvers leave. One set has target rotations too.
//!
//! The last two columns are of every clip played at 60 frames per second, so that a warm solve starts from the frame before:
//! median running time, and jerk, the root mean square change of a joint's step from frame to frame. The row *animation* has
//! the jerk of the animated poses.

#[path = "../common/mod.rs"]
mod common;
mod frames;
mod outside;
mod plot;
mod solvers;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use common::Taken;
use frames::{FRAMES, RATE, Set};
use glam::Vec3;
use kinescope_ik::rig::{Clip, RigidTransform};
use solvers::Solver;

/// Rounds of a solver of the library, and of an outside one.
const ROUNDS: [usize; 2] = [101, 5];

/// One solver on the played clips of a set.
#[derive(Default)]
struct Played {
    /// Root mean square change of a joint's step from frame to frame, metres, for each clip.
    jerk: Vec<f32>,
    /// Running time of each frame, microseconds.
    micros: Vec<f64>,
}

struct Lane {
    /// Running times of each frame, microseconds.
    times: Vec<Vec<f64>>,
    poses: Vec<Vec<RigidTransform>>,
    played: Played,
}

impl Lane {
    /// Solves the frames once. Returns the mean time of a frame.
    fn round(&mut self, solver: &mut dyn Solver, set: &Set, is_first: bool) -> f64 {
        let mut sum = 0.0;
        for (times, frame) in self.times.iter_mut().zip(&set.frames) {
            let mut pose = frame.animated.clone();
            let micros = solver.solve(set, black_box(frame), &mut pose);
            sum += micros;
            times.push(micros);
            if is_first {
                self.poses.push(black_box(pose));
            }
        }
        sum / FRAMES as f64
    }

    fn play(&mut self, solver: &mut dyn Solver, set: &Set, clip: &Clip, most: u32) {
        solver.jump();
        let mut before: [Vec<Vec3>; 2] = Default::default();
        let (mut squared, mut count) = (0.0f64, 0u32);
        for index in 0..most.min((clip.duration * RATE) as u32) {
            let frame = set.frame(clip, index as f32 / RATE);
            let mut pose = frame.animated.clone();
            self.played.micros.push(solver.solve(set, black_box(&frame), &mut pose));
            let now: Vec<Vec3> = set.joints.all().iter().map(|joint| pose[joint.bone].position).collect();
            let [last, older] = &before;
            for ((now, last), older) in now.iter().zip(last).zip(older) {
                squared += f64::from((*now - 2.0 * *last + *older).length_squared());
                count += 1;
            }
            before.swap(0, 1);
            before[0] = now;
        }
        self.played.jerk.push((squared / f64::from(count.max(1))).sqrt() as f32);
    }
}

pub struct Row {
    name: String,
    /// Running time of a frame, the mean over a round, microseconds.
    taken: Taken,
    /// Distance from the targets, metres: the largest, and the mean.
    worst: f32,
    mean: f32,
    /// The largest angle from a target rotation, degrees.
    angle: Option<f32>,
    /// The largest limit violation, degrees.
    violation: f32,
    length: f32,
    /// The median running time of a played frame, microseconds, and the jerk, metres.
    played: f64,
    jerk: f32,
}

fn main() {
    // `cargo test` runs this without `--bench`: a round only checks that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let file = std::env::var_os("KINESCOPE_ARENA");
    let mut outside = if file.is_some() { outside::solvers() } else { Vec::new() };
    let mut csv = String::from(
        "set,solver,clip,frame,left_hand_mm,right_hand_mm,left_foot_mm,right_foot_mm,rotation_degrees,limit_degrees,\
         length_error,clip_jerk_mm,median_us,minimum_us,threads,versions\n",
    );
    for (number, set) in Set::all().iter().enumerate() {
        let mut solvers = solvers::of_library(set);
        solvers.append(&mut outside);
        let rows = measure(set, &mut solvers, is_measured, &mut csv);
        print(set, &rows);
        if number == 0 && is_measured && file.is_some() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../screenshots");
            plot::draw(&folder, &rows).expect("the figures are drawn");
        }
        for solver in solvers.into_iter().filter(|solver| solver.is_outside()) {
            if solver.failures() > 0 {
                println!("{}: {} solves failed", solver.name(), solver.failures());
            }
            outside.push(solver);
        }
    }
    if let Some(path) = file {
        std::fs::write(&path, csv).expect("the file of the environment variable KINESCOPE_ARENA can be written");
    }
}

fn measure(set: &Set, solvers: &mut [Box<dyn Solver>], is_measured: bool, csv: &mut String) -> Vec<Row> {
    let empty = || Lane { times: vec![Vec::new(); FRAMES], poses: Vec::new(), played: Played::default() };
    let mut lanes: Vec<Lane> = solvers.iter().map(|_| empty()).collect();
    let mut taken = vec![Vec::new(); solvers.len()];
    let [own, outside] = if is_measured { ROUNDS } else { [1, 1] };
    for round in 0..own {
        // In turns, so that other load on the machine affects all alike.
        for ((lane, solver), taken) in lanes.iter_mut().zip(&mut *solvers).zip(&mut taken) {
            if round < outside || !solver.is_outside() {
                taken.push(lane.round(solver.as_mut(), set, round == 0));
            }
        }
    }
    let most = if is_measured { u32::MAX } else { 4 };
    for (lane, solver) in lanes.iter_mut().zip(&mut *solvers) {
        set.setup.model.clips.iter().for_each(|clip| lane.play(solver.as_mut(), set, clip, most));
    }
    let rows = lanes.iter_mut().zip(&*solvers).zip(&mut taken);
    rows.map(|((lane, solver), taken)| row(set, solver.as_ref(), lane, summary(taken), csv)).collect()
}

fn row(set: &Set, solver: &dyn Solver, lane: &mut Lane, taken: Taken, csv: &mut String) -> Row {
    let (mut worst, mut sum, mut angle, mut violation, mut length) = (0.0f32, 0.0, None, 0.0f32, 0.0f32);
    let name = solver.name().replace(',', ";");
    for (at, frame) in set.frames.iter().enumerate() {
        let quality = set.quality(frame, &lane.poses[at]);
        worst = quality.distances.iter().copied().fold(worst, f32::max);
        sum += quality.distances.iter().sum::<f32>();
        angle = quality.angle.into_iter().chain(angle).reduce(f32::max);
        (violation, length) = (violation.max(quality.violation), length.max(quality.length));
        let Taken { median, minimum } = summary(&mut lane.times[at]);
        let [a, b, c, d] = quality.distances.map(|distance| distance * 1000.0);
        let turned = quality.angle.map_or(String::new(), |angle| format!("{angle:.3}"));
        let clip = set.setup.model.clips.iter().position(|clip| clip.name == frame.clip);
        let jerk = clip.map_or(f32::NAN, |clip| lane.played.jerk[clip] * 1000.0);
        let (clip, set) = (frame.clip.replace(',', ";"), set.name.replace(',', ";"));
        let _ = writeln!(
            csv,
            "{set},{name},{clip},{at},{a:.4},{b:.4},{c:.4},{d:.4},{turned},{:.3},{:.6},{jerk:.4},{median:.3},\
             {minimum:.3},1,{}",
            quality.violation,
            quality.length,
            solver.versions()
        );
    }
    let squared = lane.played.jerk.iter().map(|jerk| jerk * jerk).sum::<f32>() / lane.played.jerk.len() as f32;
    Row {
        name: solver.name().to_owned(),
        taken,
        worst,
        mean: sum / (4 * FRAMES) as f32,
        angle,
        violation,
        length,
        played: summary(&mut lane.played.micros).median,
        jerk: squared.sqrt(),
    }
}

fn print(set: &Set, rows: &[Row]) {
    println!(
        "\n| {}: {FRAMES} frames, 4 targets, 1 thread | µs, median | µs, minimum | largest distance, mm \
         | mean distance, mm | rotation, ° | limit, ° | bone length, % | played: µs, median | jerk, mm |",
        set.name
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let Taken { median, minimum } = row.taken;
        println!(
            "| {} | {median:.2} | {minimum:.2} | {:.3} | {:.3} | {} | {:.1} | {:.3} | {:.2} | {:.3} |",
            row.name,
            row.worst * 1000.0,
            row.mean * 1000.0,
            row.angle.map_or_else(|| "–".to_owned(), |angle| format!("{angle:.2}")),
            row.violation,
            row.length * 100.0,
            row.played,
            row.jerk * 1000.0,
        );
    }
}

fn summary(times: &mut [f64]) -> Taken {
    times.sort_by(f64::total_cmp);
    Taken { median: times[times.len() / 2], minimum: times[0] }
}
