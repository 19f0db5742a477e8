//! Solving, grounding and sending frames allocate nothing once the buffers exist. The global allocator of this test
//! program counts allocations per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::{self, Chain, Goal, Limit, Problem, Solver, Workspace};
use kinescope_ik::full_body::{Effector, FullBody, Program, Settings};
use kinescope_ik::grounding::{
    self, DriveWeights, FootGeometry, FootIkSettings, FootIkState, FootInput, Input, Legs, LimbSettings, LimbWorkspace,
    PredictiveSettings, Root,
};
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::modifiers::{Figure, Modifier, Running, Seen};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stepped::Unwatched;

use crate::common::grounds;
use crate::common::stages::run_stage;
use crate::common::synthetic::Character;

thread_local! {
    // Counts this thread's allocations: other threads run the test harness and other tests.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller meets the conditions of this function, which are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    // The default implementations of this function and of `realloc` would clear and copy memory in the process itself,
    // and slow down all other tests.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as above; the pointer came from this allocator, which is the system's.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; the pointer came from this allocator, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn solving_allocates_nothing() {
    let character = Character::new();
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut settings = Settings::default();
    for effector in &mut settings.effectors {
        effector.position_weight = 0.7;
        effector.rotation = Some(Quat::from_rotation_x(0.4));
        effector.rotation_weight = 0.5;
        effector.maintain_relative_position = 0.3;
        effector.position = Some(Vec3::new(0.1, 1.3, 0.4));
    }
    for chain in &mut settings.chains {
        chain.push = 0.5;
        chain.bend_weight = 0.5;
        chain.bend_goal = Some(Vec3::Z);
    }
    let mut workspace = solver.workspace();
    let mut pose = character.reference.clone();
    // Warm up: a first solve may allocate.
    solver.solve(&mut workspace, &settings, &mut pose).unwrap();
    assert!(allocations(|| drop(std::hint::black_box(Box::new(7)))) > 0, "the counter counts");

    pose.copy_from_slice(&character.reference);
    let mut read = None;
    let counted = allocations(|| read = solver.read(&mut workspace, &settings, &pose).ok());
    assert_eq!(counted, 0, "read");
    let (frame, mut state) = read.unwrap();
    for step in Program::new(&frame) {
        assert_eq!(allocations(|| assert!(run_stage(&frame, &mut state, step.stage).is_continue())), 0, "{step:?}");
    }
    assert_eq!(allocations(|| assert!(solver.write(&mut workspace, &frame, &state, &mut pose).is_ok())), 0, "write");
    pose.copy_from_slice(&character.reference);
    assert_eq!(allocations(|| assert!(solver.solve(&mut workspace, &settings, &mut pose).is_ok())), 0, "solve");
    settings.chains[3].pull = f32::NAN;
    assert_eq!(allocations(|| assert!(solver.solve(&mut workspace, &settings, &mut pose).is_err())), 0, "refused");
}

#[test]
fn the_first_bend_limit_allocates_nothing() {
    let character = Character::new();
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let (settings, mut workspace) = (Settings::default(), solver.workspace());
    let mut pose = character.reference.clone();
    solver.solve(&mut workspace, &settings, &mut pose).unwrap();
    // Both forearms bend backward, after a solve in which no limb exceeded the limit.
    let mut turns = [Quat::IDENTITY; Character::BONES];
    (turns[7], turns[12]) = (Quat::from_rotation_y(1.0), Quat::from_rotation_y(-1.0));
    pose = character.turned(&character.reference, &turns);
    let backward = pose[8].position;
    assert_eq!(allocations(|| assert!(solver.solve(&mut workspace, &settings, &mut pose).is_ok())), 0);
    assert!(pose[8].position.distance(backward) > 0.1, "the bend limit moved the hand");
}

#[test]
fn the_position_based_solver_allocates_nothing() {
    use kinescope_ik::joints::Joints;
    use kinescope_ik::position_based::{PositionBased, PositionBasedSettings};
    let character = Character::new();
    let joints = Joints::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let solver = PositionBased::new(std::sync::Arc::new(joints));
    let mut settings = Settings::default();
    for effector in &mut settings.effectors {
        (effector.position, effector.position_weight) = (Some(Vec3::new(0.1, 1.3, 0.4)), 0.7);
        (effector.rotation, effector.rotation_weight) = (Some(Quat::from_rotation_x(0.4)), 0.5);
    }
    for chain in &mut settings.chains {
        (chain.bend_goal, chain.bend_weight) = (Some(Vec3::Z), 0.5);
    }
    let mut pose = character.reference.clone();
    let own = PositionBasedSettings::default();
    assert_eq!(allocations(|| assert!(solver.solve(&own, &settings, &mut pose).is_ok())), 0);
}

#[test]
fn solving_with_modifiers_allocates_nothing() {
    use kinescope_ik::modifiers::{Hit, Key, Modify, solve};
    let character = Character::new();
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut workspace = solver.workspace();
    let mut running: Vec<Running> = Modifier::all().into_iter().map(Running::new).collect();
    for own in &mut running {
        own.trigger();
        if let Modifier::Head(head) = &mut own.modifier {
            head.position = Some(Vec3::new(0.1, 1.4, 0.1));
        }
        let _ = own.strike(Hit { point: Vec3::Y, direction: Vec3::X, force: 0.1 });
        match &mut own.modifier {
            Modifier::LookAt(look) => look.target = Some(Vec3::new(1.0, 1.4, 1.0)),
            Modifier::ReachFor(reach) => reach.position = Some(Vec3::new(0.2, 1.2, 0.4)),
            Modifier::Keyed(keyed) => {
                let key =
                    |time| Key { time, position: Vec3::new(0.2, 1.2, 0.3), rotation_weight: 1.0, ..Key::default() };
                keyed.track_mut(Effector::LeftHand).keys = vec![key(0.0), key(1.0)];
            }
            _ => {}
        }
    }
    let mut modifiers: Vec<&mut dyn Modify> = running.iter_mut().map(|own| own as &mut dyn Modify).collect();
    let settings = Settings::default();
    let mut pose = character.reference.clone();
    for frame in 0..5 {
        pose.copy_from_slice(&character.reference);
        // The pose accelerates, so that springs move.
        pose.iter_mut().for_each(|bone| bone.position.x += 0.02 * (frame * frame) as f32);
        let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.02 * frame as f32 };
        let counted = allocations(|| {
            assert!(solve(&solver, &mut workspace, &settings, &mut modifiers, &seen, &mut pose).is_ok());
        });
        assert!(frame == 0 || counted == 0, "{counted} in frame {frame}");
    }
}

#[test]
fn solving_many_allocates_nothing() {
    let character = Character::new();
    let mut headless = character.clone();
    (headless.biped.head, headless.biped.spine) = (None, vec![1, 3]);
    let solvers =
        [&character, &headless].map(|own| FullBody::new(&own.skeleton, &own.biped, &own.reference).expect("it solves"));
    let mut settings = [Settings::default(); 70];
    let mut poses = vec![character.reference.clone(); 70];
    for (index, settings) in settings.iter_mut().enumerate() {
        settings.solver.iterations = index as u32 % 3;
        settings.effectors[5].position_weight = 1.0;
        settings.effectors[5].position = Some(Vec3::new(0.4, 1.3, 0.01 * index as f32));
    }
    let own = settings.iter().zip(&mut poses).enumerate();
    let mut tasks: Vec<Task> =
        own.map(|(index, (settings, pose))| Task::new(&solvers[index % 2], settings, pose)).collect();
    let mut many = Many::new();
    // The first frame allocates the buffers.
    many.solve(&mut tasks, Bones::All);
    assert_eq!(allocations(|| many.solve(&mut tasks, Bones::All)), 0);
    assert!(tasks.iter().all(|task| task.done.is_ok()));

    // With modifiers, some of which act between the stages.
    let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut running: Vec<Vec<Running>> =
        (0..70).map(|_| Modifier::all().into_iter().map(Running::new).collect()).collect();
    running.iter_mut().step_by(2).for_each(|own| own.retain(|own| !own.acts_between()));
    let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    drop(tasks);
    let own = settings.iter().zip(&mut poses).zip(&mut running);
    let mut tasks: Vec<Task> =
        own.map(|((settings, pose), own)| Task::new(&solvers[0], settings, pose).with_modifiers(own, seen)).collect();
    many.solve(&mut tasks, Bones::All);
    assert_eq!(allocations(|| many.solve(&mut tasks, Bones::All)), 0);
    assert!(tasks.iter().all(|task| task.done.is_ok()));
}

#[test]
fn solving_a_chain_allocates_nothing() {
    let points: Vec<Vec3> =
        (0..12).map(|joint| Vec3::new((joint as f32).sin() * 0.1, joint as f32 * 0.1, 0.0)).collect();
    let mut limited = Chain::from_positions(&points).unwrap();
    limited.set_limit(3, Limit::Angle { max: 0.4 }).unwrap();
    for chain in [Chain::from_positions(&points).unwrap(), limited] {
        let mut workspace = Workspace::default();
        for solver in [Solver::Ccd, Solver::CcdGrowing, Solver::Fabrik] {
            let settings = chain_ik::Settings { solver, ..chain_ik::Settings::default() };
            let mut state = chain.rest().clone();
            let mut solve = |target: Vec3| {
                let goals = [Goal::end(&chain, target)];
                let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
                chain_ik::solve(&problem, &mut state, &mut workspace).unwrap();
            };
            solve(Vec3::new(0.4, 0.5, 0.2));
            for target in [Vec3::new(-0.2, 0.3, 0.6), Vec3::Y * 1.05, Vec3::X * 9.0, Vec3::ZERO] {
                assert_eq!(allocations(|| solve(target)), 0, "{solver:?} {target}");
            }
        }
    }
}

#[test]
fn grounding_allocates_nothing() {
    let ground = grounds::Plane::sloped(Vec3::Z, 0.3);
    let geometry = FootGeometry { ankle_height: 0.09, heel_offset: 0.05, toe_offset: 0.2, forward_in_foot: Vec3::Z };
    let foot = |x: f32| {
        let position = Vec3::new(x, geometry.ankle_height, 0.0);
        FootInput::new(RigidTransform { position, rotation: Quat::IDENTITY }, geometry)
    };
    let input = Input { root: Root::ORIGIN, feet: [foot(0.1), foot(-0.1)], dt: 1.0 / 60.0 };
    let (mut state, mut simple) = (grounding::State::default(), FootIkState::default());
    let watch = &mut Unwatched;
    for _ in 0..2 {
        let settings = PredictiveSettings::default();
        let counted = allocations(|| {
            std::hint::black_box(grounding::predictive::solve(&settings, &input, &mut state, &ground, watch));
        });
        assert_eq!(counted, 0, "predictive");
        let settings = FootIkSettings { rotate_feet: true, ..Default::default() };
        let counted = allocations(|| {
            std::hint::black_box(grounding::foot_ik::solve(&settings, &input, &mut simple, &ground, watch));
        });
        assert_eq!(counted, 0, "foot IK");
    }
}

#[test]
fn solving_limbs_by_an_iterating_solver_allocates_nothing() {
    let character = Character::new();
    let legs = Legs::of_bones(&character.skeleton, &character.biped, &character.reference, Vec3::Z).unwrap();
    let weights = DriveWeights::default();
    for solver in Solver::ALL {
        let settings = LimbSettings { solver, ..LimbSettings::default() };
        let (mut workspace, mut before, mut pose) = (LimbWorkspace::default(), Vec::new(), Vec::new());
        let mut solve = |height: f32| {
            pose.clone_from(&character.reference);
            let mut output = grounding::Output::default();
            for (leg, foot) in output.legs.iter_mut().zip(legs.feet) {
                leg.ik_position = character.reference[foot].position + Vec3::new(0.0, height, 0.5 * height);
                (leg.weight, leg.rotation_offset) = (1.0, Quat::IDENTITY);
            }
            let frame = legs.read_limbs(&output, &weights, &Settings::default(), &character.skeleton, &pose).unwrap();
            let mut frame = frame.unwrap();
            frame.solve_by(&settings, &mut workspace);
            frame.apply(&character.skeleton, &mut before, &mut pose);
            let off = |(leg, foot): (&grounding::LegOutput, usize)| leg.ik_position.distance(pose[foot].position);
            output.legs.iter().zip(legs.feet).map(off).fold(0.0, f32::max)
        };
        solve(0.1);
        let mut farthest = 0.0f32;
        let count = allocations(|| {
            for height in [0.12, 0.2, 0.3] {
                farthest = farthest.max(solve(height));
            }
        });
        assert_eq!(count, 0, "{solver:?}");
        assert!(farthest <= 1.1e-4, "{solver:?} stops {farthest} m short");
    }
}

#[cfg(all(feature = "import", feature = "link"))]
#[test]
fn sending_a_frame_allocates_nothing() {
    let header = crate::common::game::header();
    // No window listens at this port.
    let mut sender = kinescope_ik::link::Sender::new("127.0.0.1:9", &header).unwrap();
    let pose = header.characters[0].reference.clone();
    let steps = [(kinescope_ik::full_body::Step::READ, Default::default()); 40];
    for number in 0..300u32 {
        let frame = kinescope_ik::link::Frame::new(0, f64::from(number), &pose);
        let frame = kinescope_ik::link::Frame { steps: &steps, result: Some(&pose), ..frame };
        let counted = allocations(|| {
            sender.send(&frame);
        });
        assert_eq!(counted, 0, "frame {number}");
    }
    assert!(sender.dropped() > 100);
}
