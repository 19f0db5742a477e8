//! Variants of a frame of the built-in biped, as the debugger solves them: a sweep, a sweep over a recording,
//! sensitivities, the reachable volume of an arm, the cure of a gap. Compares single solves, one after the other, with
//! the library's batches in registers on all processors (the cure: on one thread). The batches start on a thread of
//! rayon's pool, as the program's jobs do. Both volumes include the surface and the turns of the elbow.
//!
//! `cargo bench -p kinescope-ik --features import,rayon --bench variants`

mod common;

use std::hint::black_box;
use std::sync::Arc;

use common::{Setup, in_turns, micros};
use glam::Vec3;
use kinescope_ik::debugger::reach_volume::{ReachVolume, reach_volume};
use kinescope_ik::debugger::sweep::{Axis, Frames, Sweep, run_sweep, sensitivities};
use kinescope_ik::debugger::variants::Variants;
use kinescope_ik::debugger::why::cure;
use kinescope_ik::full_body::{Chain, Effector, Frame, Hooks, Pushing, Settings, Solve, Stage, Step, Workspace};
use kinescope_ik::many::Many;
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::{Owner, ParameterId};
use kinescope_ik::stack::{Input, MeasureId, Rig, Stack, Tools, solve};
use kinescope_ik::stepped;
use rayon::ThreadPoolBuilder;

const ROUNDS: usize = 15;
/// Targets along each axis of the volume.
const VOLUME: usize = 30;
/// Frames of the swept recording.
const FRAMES: usize = 60;

struct Never;

impl Hooks for Never {
    fn acts_at(&self, _stage: Stage) -> bool {
        false
    }

    fn act(&self, _at: Step, _frame: &Frame, _nodes: &mut Pushing) {}
}

struct Bench {
    setup: Setup,
    rig: Rig,
    inputs: Vec<Input>,
}

impl Bench {
    fn new(frames: usize) -> Self {
        let setup = Setup::new();
        let reference = setup.animated.clone();
        let rig = Rig::biped("biped", setup.model.skeleton.clone(), &setup.biped, reference).expect("it solves");
        let input = |index: usize| {
            // The body sways while the targets stay.
            let by = Vec3::new(0.02 * (index as f32 * 0.1).sin(), 0.0, 0.0);
            let animated = setup.animated.iter().map(|bone| RigidTransform { position: bone.position + by, ..*bone });
            let stack = Stack { full_body: setup.settings, ..Stack::default() };
            Input::new(stack, ModelPose::rigid(animated.collect()))
        };
        let inputs = (0..frames).map(input).collect();
        Self { setup, rig, inputs }
    }

    fn frames(&self, count: usize) -> Frames<'_> {
        Frames {
            rig: &self.rig,
            ground: &|_| None,
            inputs: &self.inputs[..count.min(self.inputs.len())],
            recording: None,
        }
    }

    /// Returns the mean absolute value of a measure over frames, each changed by `change`, solved and recorded alone.
    fn mean(&self, frames: usize, workspace: &mut Workspace, measure: &MeasureId, change: impl Fn(&mut Stack)) -> f32 {
        let inputs = &self.frames(frames).inputs;
        let values = inputs.iter().filter_map(|input| {
            let mut stack = Stack::clone(&input.stack);
            change(&mut stack);
            let input = Input { stack: Arc::new(stack), ..input.clone() };
            let tools = Tools { workspace: Some(&mut *workspace), ..Tools::default() };
            solve(&self.rig, tools, &input).outcome(measure)
        });
        (values.map(|value| f64::from(value.abs())).sum::<f64>() / inputs.len() as f64) as f32
    }

    fn sweep_one_by_one(&self, frames: usize, sweep: &Sweep, measure: &MeasureId) -> Vec<f32> {
        let mut workspace = self.setup.solver.workspace();
        let rows = 0..sweep.y.map_or(1, |axis| axis.count);
        let points = rows.flat_map(|row| (0..sweep.x.count).map(move |column| (row, column)));
        let value = |(row, column)| {
            self.mean(frames, &mut workspace, measure, |stack| {
                if let Some(axis) = sweep.y {
                    axis.parameter.set(stack, axis.value(row));
                }
                sweep.x.parameter.set(stack, sweep.x.value(column));
            })
        };
        points.map(value).collect()
    }

    fn sensitivities_one_by_one(&self, measure: &MeasureId) -> usize {
        let mut workspace = self.setup.solver.workspace();
        let here = self.mean(1, &mut workspace, measure, |_| {});
        let mut strong = 0;
        for parameter in ParameterId::all(&*self.inputs[0].stack) {
            let [min, max] = parameter.range();
            let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
            let moved = [-stride, stride].map(|by| {
                let change = |stack: &mut Stack| {
                    let value = parameter.get(stack) + by;
                    parameter.set(stack, value);
                };
                self.mean(1, &mut workspace, measure, change)
            });
            strong += usize::from(moved.iter().any(|&value| value != here));
        }
        strong
    }

    /// Returns how far each effector is from its target; 0 for effectors without position weight. Records nothing.
    fn gaps(&self, workspace: &mut Workspace, settings: &Settings, pose: &mut Vec<RigidTransform>) -> [f32; 9] {
        let solver = &self.setup.solver;
        pose.clone_from(&self.setup.animated);
        let (frame, mut state) = solver.read(workspace, settings, pose).expect("the input is valid");
        stepped::solve(&mut Solve::new(&frame), &mut state);
        solver.write(workspace, &frame, &state, pose).expect("the state is valid");
        Effector::ALL.map(|effector| {
            let wanted = frame.effector(effector);
            let at = pose[solver.bone_of(effector.node())].position;
            if wanted.position_weight > 0.0 { at.distance(wanted.position) } else { 0.0 }
        })
    }

    /// Returns the volume of the left arm. With hooks, even with those that never act, targets are solved one by one.
    fn volume(&self, count: usize, hooks: Option<&(dyn Hooks + Sync)>) -> ReachVolume {
        let (settings, animated) = (&self.setup.settings, &self.setup.animated);
        reach_volume((&self.setup.solver, hooks), settings, animated, LimbName::LeftArm, count, &mut |_| true)
            .expect("the volume is not cancelled")
    }

    fn cure_one_by_one(&self) {
        let (mut workspace, mut pose) = (self.setup.solver.workspace(), Vec::new());
        let limbs = Chain::ALL.map(Owner::Chain).into_iter();
        let keys = ["pull", "push", "push_parent", "reach", "mapping_weight"];
        let of_limbs = limbs.flat_map(|owner| keys.into_iter().filter_map(move |key| ParameterId::new(owner, key)));
        let keys = ["iterations", "spine_stiffness", "pull_body_vertical", "pull_body_horizontal"];
        let of_solver = keys.into_iter().filter_map(|key| ParameterId::new(Owner::Solver, key));
        for parameter in of_limbs.chain(of_solver).chain([ParameterId::PIN]) {
            for value in parameter.range() {
                let mut changed = self.setup.settings;
                if parameter.get(&changed) != value {
                    parameter.set(&mut changed, value);
                    black_box(self.gaps(&mut workspace, &changed, &mut pose));
                }
            }
        }
    }
}

fn main() {
    let all = ThreadPoolBuilder::new().use_current_thread().build().expect("the threads start");
    all.install(run);
}

fn run() {
    // `cargo test` runs this without `--bench`: one round with few frames only checks that it works.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    let (rounds, frames, volume, points) = if is_measured { (ROUNDS, FRAMES, VOLUME, 101) } else { (1, 2, 6, 5) };
    let mut bench = Bench::new(frames);
    // The left hand's target is out of reach, so that there is a gap to measure and to cure.
    let hand = bench.setup.settings.effector_mut(Effector::LeftHand);
    hand.position = hand.position.map(|at| at + Vec3::new(0.3, 0.2, 0.3));
    for input in &mut bench.inputs {
        Arc::make_mut(&mut input.stack).full_body = bench.setup.settings;
    }
    let measure = MeasureId::Gap("left_hand".to_owned());
    let path = |path: &str| ParameterId::from_path(path).expect("the parameter exists");
    let pull = path("chains.left_arm.pull");
    let of_two = Sweep {
        x: Axis::whole_range(pull, if is_measured { 31 } else { 3 }),
        y: Some(Axis::whole_range(path("solver.pull_body_horizontal"), if is_measured { 21 } else { 2 })),
        measure: measure.clone().into(),
    };
    let of_tape = Sweep { x: Axis::whole_range(pull, points), y: None, measure: measure.clone().into() };
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build().expect("the thread starts");
    let (lanes, threads) = (Many::new().lanes(), rayon::current_num_threads());
    println!("{lanes} in a register, {threads} threads\n");
    println!("| | solves | one after the other, ms | together, ms | factor |");
    println!("|---|---|---|---|---|");
    let row = |name: &str, solves: usize, alone: &mut dyn FnMut(), together: &mut dyn FnMut()| {
        let [before, now] = in_turns(rounds, &mut [&mut || micros(4, &mut *alone), &mut || micros(4, &mut *together)]);
        let (before, now) = (before.median / 1e3, now.median / 1e3);
        println!("| {name} | {solves} | {before:.2} | {now:.2} | {:.1} |", before / now);
    };
    for (name, frames, sweep) in [("sweep of a frame", 1, &of_two), ("sweep of a recording", frames, &of_tape)] {
        let found = run_sweep(&bench.frames(frames), sweep, &mut |_| true).expect("the sweep is not cancelled");
        let wanted = bench.sweep_one_by_one(frames, sweep, &measure);
        let height = 1.8;
        assert!(found.values.iter().zip(&wanted).all(|(found, wanted)| (found - wanted).abs() <= 1e-6 * height));
        row(name, found.solves, &mut || drop(black_box(bench.sweep_one_by_one(frames, sweep, &measure))), &mut || {
            drop(black_box(run_sweep(&bench.frames(frames), sweep, &mut |_| true)))
        });
    }
    let strong = sensitivities(&bench.frames(1), &measure.clone().into(), &mut |_| true).expect("the measure exists");
    assert_eq!(strong.len(), bench.sensitivities_one_by_one(&measure));
    row(
        "sensitivities",
        2 * ParameterId::all(&*bench.inputs[0].stack).count() + 1,
        &mut || {
            black_box(bench.sensitivities_one_by_one(&measure));
        },
        &mut || drop(black_box(sensitivities(&bench.frames(1), &measure.clone().into(), &mut |_| true))),
    );
    let alone = one_thread.install(|| bench.volume(volume, Some(&Never)));
    if cfg!(target_arch = "x86_64") {
        assert_eq!(alone, bench.volume(volume, None));
    }
    row(
        "reachable volume",
        alone.solves,
        &mut || drop(black_box(one_thread.install(|| bench.volume(volume, Some(&Never))))),
        &mut || drop(black_box(bench.volume(volume, None))),
    );
    let mut variants = Variants::default();
    row("cure", 1, &mut || bench.cure_one_by_one(), &mut || {
        let Setup { solver, settings, animated, .. } = &bench.setup;
        black_box(cure(solver, &mut variants, settings, animated, Effector::LeftHand));
    });
}
