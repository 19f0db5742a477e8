//! The stack need of a solve: job systems give their threads 64 to 256 KB. An overflow ends the whole test program.

use std::sync::Arc;

use glam::{Quat, Vec3};
#[cfg(feature = "rayon")]
use kinescope_ik::Status;
use kinescope_ik::chain_ik::{self, Chain, Goal, Limit, Problem, Solver, Workspace};
use kinescope_ik::full_body::Program;
use kinescope_ik::grounding::{
    self, FootGeometry, FootIkSettings, FootIkState, FootInput, Input, PredictiveSettings, Root,
};
use kinescope_ik::joints::Joints;
use kinescope_ik::least_squares::{self, LastPose, LeastSquaresSettings};
#[cfg(feature = "rayon")]
use kinescope_ik::many::solve_many;
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::modifiers::{Figure, Modifier, Modify, Running, Seen};
use kinescope_ik::position_based::{PositionBased, PositionBasedSettings};
use kinescope_ik::rig::{ModelPose, RigidTransform};
#[cfg(feature = "import")]
use kinescope_ik::rig::{
    detect::{Mapping, ReferenceChoice, detect},
    import,
};
use kinescope_ik::stack::{self, Method, Stack, Tools};
use kinescope_ik::stepped::Unwatched;
use kinescope_ik::trace::{self, Trace};
use kinescope_ik::{Effector, FullBody, Settings};

#[cfg(feature = "import")]
use crate::common::built_in;
use crate::common::grounds;
use crate::common::stages::run_stage;
use crate::common::synthetic::Character;

/// The stack of every entry point in bytes. The profile for tests optimizes and needs as much as a release build; code without
/// optimization needs far more.
const STACK: usize = 64 << 10;

/// Runs work on a thread with [`STACK`] bytes of stack, or with `KINESCOPE_STACK` KB, for measurements and other profiles.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let given = std::env::var("KINESCOPE_STACK").ok().map(|size| size.parse::<usize>().expect("KB") << 10);
    let thread = std::thread::Builder::new().stack_size(given.unwrap_or(STACK));
    thread.spawn(run).expect("a thread").join().expect("no panic");
}

fn solver() -> (Character, FullBody, Settings) {
    let character = Character::new();
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.7, 0.6)), 1.0);
    (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_x(0.4)), 0.7);
    settings.chains[0].push = 0.5;
    settings.chains[0].reach = 0.3;
    (character, solver, settings)
}

#[test]
fn stack_of_the_full_body() {
    let (character, solver, settings) = solver();
    on_small_stack(move || {
        let mut pose = character.reference.clone();
        solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
    });
}

#[test]
fn stack_of_a_stepped_run() {
    let (character, solver, settings) = solver();
    on_small_stack(move || {
        let (mut pose, mut workspace) = (character.reference.clone(), solver.workspace());
        let (frame, mut state) = solver.read(&mut workspace, &settings, &pose).unwrap();
        for step in Program::new(&frame) {
            let _ = run_stage(&frame, &mut state, step.stage);
        }
        solver.write(&mut workspace, &frame, &state, &mut pose).unwrap();
    });
}

#[test]
fn stack_of_a_recording() {
    let (character, solver, settings) = solver();
    on_small_stack(move || {
        let mut pose = character.reference.clone();
        let mut recording = kinescope_ik::full_body::Recording::default();
        recording.record(&solver, &mut solver.workspace(), &settings, &mut pose).unwrap();
    });
}

fn many(level: usize) {
    let (character, solver, settings) = solver();
    let Some(level) = Many::levels().nth(level) else { return };
    on_small_stack(move || {
        let mut many = Many::with_level(level);
        let mut poses = vec![character.reference.clone(); 40];
        for _ in 0..2 {
            let mut tasks: Vec<Task> = poses.iter_mut().map(|pose| Task::new(&solver, &settings, pose)).collect();
            many.solve(&mut tasks, Bones::All);
            assert!(tasks.iter().all(|task| task.done.is_ok()));
        }
    });
}

#[test]
fn stack_of_many_in_the_widest_registers() {
    many(0);
}

#[test]
fn stack_of_many_in_narrower_registers() {
    many(1);
}

#[test]
fn stack_of_many_in_the_narrowest_registers() {
    many(2);
}

/// Solves from a pool of threads with small stacks, then from a thread with a small stack outside of that pool.
#[cfg(feature = "rayon")]
#[test]
fn stack_of_many_on_all_processors() {
    let (character, solver, settings) = solver();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(STACK).build().expect("a pool");
    on_small_stack(move || {
        let mut poses = vec![character.reference.clone(); 100];
        let mut tasks: Vec<Task> = poses.iter_mut().map(|pose| Task::new(&solver, &settings, pose)).collect();
        let mut many = Vec::new();
        pool.install(|| solve_many(&mut many, &mut tasks, Bones::All));
        assert!(tasks.iter().all(|task| task.done == Ok(Status::Solved)));
    });
    let (character, solver, settings) = self::solver();
    on_small_stack(move || {
        let mut poses = vec![character.reference.clone(); 100];
        let mut tasks: Vec<Task> = poses.iter_mut().map(|pose| Task::new(&solver, &settings, pose)).collect();
        solve_many(&mut Vec::new(), &mut tasks, Bones::All);
        assert!(tasks.iter().all(|task| task.done == Ok(Status::Solved)));
    });
}

#[test]
fn stack_of_modifiers() {
    let (character, solver, settings) = solver();
    on_small_stack(move || {
        let mut many = Many::new();
        let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.1 };
        let mut running: Vec<Running> = Modifier::all().into_iter().map(Running::new).collect();
        for own in &mut running {
            own.trigger();
            if let Modifier::LookAt(look) = &mut own.modifier {
                look.target = Some(Vec3::new(1.0, 1.4, 1.0));
            }
        }
        let mut pose = character.reference.clone();
        let mut modifiers: Vec<&mut dyn Modify> = running.iter_mut().map(|own| own as &mut dyn Modify).collect();
        let mut workspace = solver.workspace();
        kinescope_ik::modifiers::solve(&solver, &mut workspace, &settings, &mut modifiers, &seen, &mut pose).unwrap();
        let mut task = [Task::new(&solver, &settings, &mut pose).with_modifiers(&mut running, seen)];
        many.solve(&mut task, Bones::All);
        assert!(task[0].done.is_ok());
    });
}

#[test]
fn stack_of_chains() {
    let points: Vec<Vec3> =
        (0..12).map(|joint| Vec3::new((joint as f32).sin() * 0.1, joint as f32 * 0.1, 0.0)).collect();
    let mut long = Chain::from_positions(&points).unwrap();
    long.set_limit(3, Limit::Angle { max: 0.4 }).unwrap();
    let limb = Chain::from_positions(&points[..3]).unwrap();
    on_small_stack(move || {
        for solver in Solver::ALL {
            let chain = if solver == Solver::TwoBone { &limb } else { &long };
            let settings = chain_ik::Settings { solver, ..chain_ik::Settings::default() };
            let mut state = chain.rest().clone();
            for target in [Vec3::new(0.1, 0.1, 0.1), Vec3::Y * 9.0] {
                let goals = [Goal::end(chain, target)];
                let problem = Problem { chain, settings: &settings, goals: &goals };
                chain_ik::solve(&problem, &mut state, &mut Workspace::default()).unwrap();
            }
        }
    });
}

#[test]
fn stack_of_grounding() {
    on_small_stack(|| {
        let ground = grounds::Plane::sloped(Vec3::Z, 0.3);
        let geometry =
            FootGeometry { ankle_height: 0.09, heel_offset: 0.05, toe_offset: 0.2, forward_in_foot: Vec3::Z };
        let foot = |x: f32| {
            let position = Vec3::new(x, geometry.ankle_height, 0.0);
            FootInput::new(RigidTransform { position, rotation: Quat::IDENTITY }, geometry)
        };
        let input = Input { root: Root::ORIGIN, feet: [foot(0.1), foot(-0.1)], dt: 1.0 / 60.0 };
        let (mut state, mut simple) = (grounding::State::default(), FootIkState::default());
        for _ in 0..2 {
            let settings = PredictiveSettings::default();
            grounding::predictive::solve(&settings, &input, &mut state, &ground, &mut Unwatched);
            let settings = FootIkSettings { rotate_feet: true, ..Default::default() };
            grounding::foot_ik::solve(&settings, &input, &mut simple, &ground, &mut Unwatched);
        }
    });
}

#[test]
fn stack_of_making_a_solver_and_reading_a_trace() {
    let character = Character::new();
    let trace = Trace::solve(
        "synthetic",
        trace::Rig {
            skeleton: character.skeleton.clone(),
            biped: character.biped.clone(),
            reference: character.reference.clone(),
            animated: character.reference.clone(),
        },
        Settings::default(),
    );
    let text = trace.unwrap().to_json();
    on_small_stack(move || {
        FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        Trace::from_json(&text).unwrap();
    });
}

/// Grounding, every modifier, the full body, the position-based solver and the least-squares body at once.
#[test]
fn stack_of_a_stack() {
    let (character, _, settings) = solver();
    let rig =
        stack::Rig::biped("synthetic", character.skeleton, &character.biped, character.reference.clone()).unwrap();
    let mut stack = Stack { full_body: settings, ..Stack::default() };
    stack.modifiers = Arc::new(Modifier::all());
    stack.grounding.method = Method::Predictive;
    stack.order.position_based.on = true;
    stack.order.least_squares.on = true;
    on_small_stack(move || {
        let ground = grounds::Plane::sloped(Vec3::Z, 0.3);
        let tools = Tools { ground: Some(&ground), ..Tools::default() };
        let frame = stack::solve(&rig, tools, &stack::Input::new(stack, ModelPose::rigid(character.reference)));
        assert!(frame.full_body().is_some());
        assert!(
            [stack::LayerId::PositionBased, stack::LayerId::LeastSquares].iter().all(|&id| frame.run(id).is_some())
        );
    });
}

#[test]
fn stack_of_the_position_based_solver() {
    let (character, _, settings) = solver();
    let joints = Joints::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    on_small_stack(move || {
        let solver = PositionBased::new(Arc::new(joints));
        let mut pose = character.reference.clone();
        solver.solve(&PositionBasedSettings::default(), &settings, &mut pose).unwrap();
    });
}

/// Every term, with a solve from the last pose and a recording.
#[test]
fn stack_of_least_squares() {
    let (character, _, mut settings) = solver();
    let joints = Arc::new(Joints::new(&character.skeleton, &character.biped, &character.reference).unwrap());
    for effector in Effector::ALL {
        let own = settings.effector_mut(effector);
        (own.position_weight, own.rotation_weight) = (1.0, 1.0);
    }
    for chain in &mut settings.chains {
        (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(0.3, 0.8, 1.0)), 1.0);
    }
    let own =
        LeastSquaresSettings { smoothness: 0.1, balance: 1.0, separation: 1.0, ..LeastSquaresSettings::default() };
    on_small_stack(move || {
        let (mut last, mut workspace) = (LastPose::default(), least_squares::Workspace::default());
        for _ in 0..2 {
            let mut pose = character.reference.clone();
            let outcome = least_squares::solve(&joints, &own, &settings, &mut last, &mut workspace, &mut pose).unwrap();
            assert!(outcome.iterations > 0);
        }
        let mut pose = character.reference.clone();
        least_squares::Recording::record(joints, &own, &settings, &mut last, &mut pose).unwrap();
    });
}

#[cfg(feature = "import")]
#[test]
fn stack_of_import_and_detection() {
    on_small_stack(|| {
        let model = import::import("biped.glb", built_in::BYTES, &mut |uri| Err(uri.to_owned())).unwrap();
        let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
        assert!(found.biped.is_some());
    });
}
