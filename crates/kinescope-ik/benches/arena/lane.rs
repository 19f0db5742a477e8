//! One solver's solves of the frames of a set, and their table row and CSV lines.

use std::fmt::Write as _;
use std::hint::black_box;

use glam::Vec3;
use kinescope_ik::rig::{Clip, RigidTransform};

use super::common::Taken;
use super::frames::{FRAMES, RATE, RUN, Set, count_of};
use super::solvers::Solver;

pub const COLUMNS: &str = "set,solver,clip,frame,left_hand_mm,right_hand_mm,left_foot_mm,right_foot_mm,rotation_degrees,\
                           limit_degrees,length_error,median_us,minimum_us,solves,failures,clip_jerk_mm,clip_frames,\
                           clip_solves,clip_failures,threads,versions\n";

#[derive(Clone, Default)]
struct Solves {
    /// Running time of each solve that did not fail, microseconds.
    times: Vec<f64>,
    failures: usize,
    /// The result of the first solve that did not fail.
    pose: Option<Vec<RigidTransform>>,
}

/// The measured frames of one played clip.
struct Played {
    /// Root mean square of the second differences of the joints' positions, metres; `None` if no three frames in a row
    /// were solved.
    jerk: Option<f32>,
    /// Running time of each solve that did not fail, microseconds.
    times: Vec<f64>,
    failures: usize,
}

pub struct Lane {
    frames: Vec<Solves>,
    played: Vec<Played>,
    /// For each round the mean time of a solve that did not fail, microseconds.
    rounds: Vec<f64>,
}

/// A row of the table. Its measures are of the frames that were solved.
pub struct Row {
    pub name: String,
    /// Mean running time of a solve in each round, microseconds: median and minimum over the rounds. `None` if every
    /// solve failed.
    pub taken: Option<Taken>,
    /// The largest distance of an end effector from its target, metres.
    pub worst: f32,
    /// The mean distance of the end effectors from their targets, metres.
    pub mean: f32,
    /// The largest angle from a target rotation, degrees.
    pub angle: Option<f32>,
    /// The largest limit violation, degrees.
    pub violation: f32,
    /// The largest [bone-length error](super::frames::Quality::length).
    pub length: f32,
    /// The median running time of a measured frame of the played clips, microseconds.
    pub played: Option<f64>,
    /// The root mean square of the played clips' [jerk](Played::jerk), metres.
    pub jerk: f32,
    /// The number of solves, including those that failed.
    pub solves: usize,
    pub failures: usize,
}

impl Lane {
    pub fn new() -> Self {
        Self { frames: vec![Solves::default(); FRAMES], played: Vec::new(), rounds: Vec::new() }
    }

    pub fn round(&mut self, solver: &mut dyn Solver, set: &Set) {
        let (mut sum, mut count) = (0.0, 0);
        for (solves, frame) in self.frames.iter_mut().zip(&set.frames) {
            let mut pose = frame.animated.clone();
            let Some(micros) = solver.solve(set, black_box(frame), &mut pose) else {
                solves.failures += 1;
                continue;
            };
            (sum, count) = (sum + micros, count + 1);
            solves.times.push(micros);
            solves.pose.get_or_insert(black_box(pose));
        }
        if count > 0 {
            self.rounds.push(sum / f64::from(count));
        }
    }

    /// Plays the first `most` frames of a clip and measures its [runs](Set::runs). Solvers of the library solve every
    /// frame, because warm solves start from the previous one; outside solvers solve the measured frames only.
    pub fn play(&mut self, solver: &mut dyn Solver, set: &Set, clip: &Clip, most: u32) {
        solver.jump();
        let mut played = Played { jerk: None, times: Vec::new(), failures: 0 };
        let mut runs = set.runs(clip).peekable();
        // The positions of the joints in the previous two frames of the run, the later one first.
        let mut before: [Vec<Vec3>; 2] = Default::default();
        let (mut squared, mut count) = (0.0f64, 0u32);
        for index in 0..count_of(clip).min(most) {
            if runs.peek().is_some_and(|first| index >= first + RUN) {
                runs.next();
                before = Default::default();
            }
            let is_measured = runs.peek().is_some_and(|&first| index >= first);
            if solver.is_outside() && !is_measured {
                continue;
            }
            let frame = set.frame(clip, index as f32 / RATE);
            let mut pose = frame.animated.clone();
            let micros = solver.solve(set, black_box(&frame), &mut pose);
            if !is_measured {
                continue;
            }
            let Some(micros) = micros else {
                played.failures += 1;
                before = Default::default();
                continue;
            };
            played.times.push(micros);
            let now: Vec<Vec3> = set.joints.all().iter().map(|joint| pose[joint.bone].position).collect();
            let [last, older] = &before;
            for ((now, last), older) in now.iter().zip(last).zip(older) {
                squared += f64::from((*now - 2.0 * *last + *older).length_squared());
                count += 1;
            }
            before.swap(0, 1);
            before[0] = now;
        }
        played.jerk = (count > 0).then(|| (squared / f64::from(count)).sqrt() as f32);
        self.played.push(played);
    }

    /// Returns the row of a solver, and appends its lines of the CSV.
    pub fn row(&mut self, set: &Set, solver: &dyn Solver, csv: &mut String) -> Row {
        let (mut worst, mut sum, mut angle, mut violation, mut length) = (0.0f32, 0.0, None, 0.0f32, 0.0f32);
        let (mut count, mut failures) = (0, 0);
        let semicolons = |text: &str| text.replace(',', ";");
        for (at, (frame, solves)) in set.frames.iter().zip(&mut self.frames).enumerate() {
            let _ =
                write!(csv, "{},{},{},{at},", semicolons(set.name), semicolons(solver.name()), semicolons(&frame.clip));
            failures += solves.failures;
            match &solves.pose {
                None => csv.push_str(",,,,,,,"),
                Some(pose) => {
                    let quality = set.quality(frame, pose);
                    worst = quality.distances.iter().copied().fold(worst, f32::max);
                    sum += quality.distances.iter().sum::<f32>();
                    count += 1;
                    angle = quality.angle.into_iter().chain(angle).reduce(f32::max);
                    (violation, length) = (violation.max(quality.violation), length.max(quality.length));
                    let [a, b, c, d] = quality.distances.map(|distance| distance * 1000.0);
                    let turned = quality.angle.map_or(String::new(), |angle| format!("{angle:.3}"));
                    let _ = write!(csv, "{a:.4},{b:.4},{c:.4},{d:.4},{turned},");
                    let _ = write!(csv, "{:.3},{:.6},", quality.violation, quality.length);
                }
            }
            match summary(&mut solves.times) {
                None => csv.push_str(",,"),
                Some(Taken { median, minimum }) => {
                    let _ = write!(csv, "{median:.3},{minimum:.3},");
                }
            }
            let _ = write!(csv, "{},{},", solves.times.len() + solves.failures, solves.failures);
            let mut clips = set.setup.model.clips.iter().zip(&self.played);
            match clips.find(|(clip, _)| clip.name == frame.clip) {
                None => csv.push_str(",,,,"),
                Some((clip, played)) => {
                    let jerk = played.jerk.map_or(String::new(), |jerk| format!("{:.4}", jerk * 1000.0));
                    let solves = played.times.len() + played.failures;
                    let _ = write!(csv, "{jerk},{},{solves},{},", count_of(clip), played.failures);
                }
            }
            let _ = writeln!(csv, "1,{}", solver.versions());
        }
        let jerks: Vec<f32> = self.played.iter().filter_map(|played| played.jerk).collect();
        let squared = jerks.iter().map(|jerk| jerk * jerk).sum::<f32>() / jerks.len().max(1) as f32;
        let mut played: Vec<f64> = self.played.iter().flat_map(|played| played.times.clone()).collect();
        failures += self.played.iter().map(|played| played.failures).sum::<usize>();
        let solved = self.frames.iter().map(|solves| solves.times.len()).sum::<usize>() + played.len();
        Row {
            name: solver.name().to_owned(),
            taken: summary(&mut self.rounds),
            worst,
            mean: sum / (4 * count.max(1)) as f32,
            angle,
            violation,
            length,
            played: summary(&mut played).map(|taken| taken.median),
            jerk: squared.sqrt(),
            solves: solved + failures,
            failures,
        }
    }
}

/// Returns median and minimum; `None` without times. Sorts the times.
fn summary(times: &mut [f64]) -> Option<Taken> {
    times.sort_by(f64::total_cmp);
    let minimum = *times.first()?;
    Some(Taken { median: times[times.len() / 2], minimum })
}

pub fn print(set: &Set, rows: &[Row]) {
    println!(
        "\n| {}: {FRAMES} frames, 4 targets, 1 thread | µs, median | µs, minimum | largest distance, mm \
         | mean distance, mm | rotation, ° | limit, ° | bone length, % | played: µs, median | jerk, mm | failed |",
        set.name
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    for row in rows {
        println!(
            "| {} | {} | {} | {:.3} | {:.3} | {} | {:.1} | {:.3} | {} | {:.3} | {} of {} |",
            row.name,
            number(row.taken.map(|taken| taken.median)),
            number(row.taken.map(|taken| taken.minimum)),
            row.worst * 1000.0,
            row.mean * 1000.0,
            number(row.angle.map(f64::from)),
            row.violation,
            row.length * 100.0,
            number(row.played),
            row.jerk * 1000.0,
            row.failures,
            row.solves,
        );
    }
}
