//! A crowd that walks over hills and terraces at 60 frames a second: clips sampled, feet grounded, everything solved.
//! Once with full detail for every member, once with the default rules for a camera at the ground's edge; on one thread
//! and on two.
//!
//! `cargo bench -p kinescope-ik --features import,rayon,terrain --bench crowd` prints the table of the book's page on
//! performance.

mod common;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use common::Setup;
use glam::Vec3;
use kinescope_ik::crowd::{Crowd, Kind, Scene, default_rules, ways_over};
use kinescope_ik::full_body::Settings;
use kinescope_ik::grounding::{Legs, PredictiveSettings};
use kinescope_ik::locomotion::Walker;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::{Times, Work};

const DT: f32 = 1.0 / 60.0;

fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}

fn kind() -> Arc<Kind> {
    let Setup { model, biped, solver, .. } = Setup::new();
    let rest = model.skeleton.rest_pose();
    let reference = ModelPose::from_local(&model.skeleton, &rest);
    let legs = Legs::new(&model, &biped, &reference, solver.facing()).expect("the asset has legs");
    let walker = Walker::new(&model.skeleton, &reference.bones, &rest, &model.clips, legs);
    let (settings, grounding) = (Settings::default(), PredictiveSettings::default());
    let (skeleton, clips) = (model.skeleton.clone(), model.clips.clone());
    Arc::new(Kind { skeleton, clips, rest, walker, solver: Arc::new(solver), settings, grounding })
}

fn main() {
    // `cargo test` runs this without `--bench`: a few frames only check that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let (counts, frames) = if is_measured { (&[100, 500, 1000, 2000][..], 240) } else { (&[20][..], 4) };
    let (kind, terrain) = (kind(), Arc::new(Terrain::park()));
    let surface = Surface::new(terrain.clone(), 0.0).expect("the terrain is valid");
    let eye = Vec3::new(terrain.center.x, 1.7, terrain.center.y - terrain.size.y * 0.5);
    println!("µs a member and frame, and ms a frame; medians of {frames} frames\n");
    println!(
        "| members | detail | threads | ms | sample | grounding | casts | read | stages | write | swing | twist | blend |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for &count in counts {
        for (name, rules) in [("all", Vec::new()), ("by rules", default_rules())] {
            for threads in [1, 2] {
                // `use_current_thread` binds a thread to one pool for good, so each pool gets a thread of its own.
                let row = std::thread::scope(|scope| {
                    let run = || {
                        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread();
                        let pool = pool.build().expect("a pool");
                        let ways = ways_over(terrain.center, terrain.size, 48, |at| terrain.height_at(at.x, at.y));
                        let mut crowd = Crowd::new(kind.clone(), ways, count);
                        let scene = Scene { ground: &surface, eye, rules: &rules, clock: Some(clock) };
                        let mut whole = Vec::new();
                        let mut parts: Vec<Times> = Vec::new();
                        for frame in 0..frames + 30 {
                            let start = Instant::now();
                            pool.install(|| crowd.advance(DT, &scene));
                            if frame >= 30.min(frames) {
                                whole.push(start.elapsed().as_secs_f64());
                                parts.push(crowd.times());
                            }
                        }
                        (whole, parts)
                    };
                    scope.spawn(run).join().expect("it ran")
                });
                let (mut whole, parts) = row;
                let median = |times: &mut Vec<f64>| {
                    times.sort_by(f64::total_cmp);
                    times[times.len() / 2]
                };
                let part = |work: Work| {
                    let mut times: Vec<f64> = parts.iter().map(|times| f64::from(times[work])).collect();
                    format!("{:.2} | ", median(&mut times) / count as f64)
                };
                let all = [
                    Work::Sample,
                    Work::Grounding,
                    Work::Casts,
                    Work::Read,
                    Work::Stages,
                    Work::Write,
                    Work::Swing,
                    Work::Twist,
                    Work::Blend,
                ];
                let all: String = all.map(part).concat();
                println!("| {count} | {name} | {threads} | {:.2} | {all}", median(&mut whole) * 1e3);
            }
        }
    }
}
