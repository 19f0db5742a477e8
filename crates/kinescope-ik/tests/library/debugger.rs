//! The debugger's promises: attribution sums exactly, rewinding equals solving, and sweeps agree with single solves.

use std::sync::OnceLock;

use glam::Vec3;
use kinescope_ik::attach::{Anchor, Attachment};
use kinescope_ik::debugger::again::{MotionMeasure, solve_again};
use kinescope_ik::debugger::attribution::{Exact, Grouping, Target, attribute};
use kinescope_ik::debugger::fields;
use kinescope_ik::debugger::reach_volume::{REACHED, reach_volume};
use kinescope_ik::debugger::sweep::{Axis, Frames, Sweep, run_sweep, sensitivities};
use kinescope_ik::debugger::tape::Tape;
use kinescope_ik::full_body::{Effector, FullBody, Recording, Settings};
use kinescope_ik::modifiers::{Breathing, Hit, HitReaction, Memory as Remembered, Modifier, ReachFor, Recoil};
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{
    Attached, ChainSection, ChainSolve, Frame, Input, LabSection, LayerId, MeasureId, Memory, OrderSection, Place, Rig,
    TargetMotion,
};
use kinescope_ik::stack::{Stack, Tools, solve};
use kinescope_ik::stepped::{Cursor, Run};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::settings;
use crate::common::synthetic::Character;

pub(crate) fn character() -> &'static (Character, Rig) {
    static CHARACTER: OnceLock<(Character, Rig)> = OnceLock::new();
    CHARACTER.get_or_init(|| {
        let character = Character::new();
        let (skeleton, reference) = (character.skeleton.clone(), character.reference.clone());
        let rig = Rig::biped("synthetic", skeleton, &character.biped, reference).unwrap();
        (character, rig)
    })
}

pub(crate) fn solver() -> &'static FullBody {
    character().1.full_body.as_ref().unwrap()
}

fn recorded(settings: &Settings) -> (Recording, Vec<RigidTransform>) {
    let (mut recording, mut pose) = (Recording::default(), character().0.reference.clone());
    recording.record(solver(), &mut solver().workspace(), settings, &mut pose).unwrap();
    recording.recall(solver());
    (recording, pose)
}

pub(crate) fn input(stack: Stack) -> Input {
    Input::new(stack, ModelPose::rigid(character().0.reference.clone()))
}

fn frame(stack: Stack) -> Frame {
    solve(&character().1, Tools::default(), &input(stack))
}

pub(crate) fn of_body(settings: &Settings) -> Stack {
    Stack { full_body: *settings, ..Stack::default() }
}

/// Every length among the numbers of a step has its unit: with `#` for lengths, a character of four times the size has the
/// same texts.
#[test]
fn numbers_of_steps_have_the_unit_of_every_length() {
    let texts = |scale: f32| {
        let Character { skeleton, biped, mut reference } = Character::new();
        reference.iter_mut().for_each(|bone| bone.position *= scale);
        let rig = Rig::biped("numbers", skeleton, &biped, reference.clone()).unwrap();
        let mut stack = Stack::default();
        let hand = stack.full_body.effector_mut(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.9, 1.7, 0.5) * scale), 1.0);
        stack.full_body.effector_mut(Effector::Body).position_offset = Vec3::new(0.01, -0.1, 0.02) * scale;
        stack.full_body.chains[3].push = 0.5;
        stack.order.position_based.on = true;
        stack.modifiers = std::sync::Arc::new(vec![Modifier::Breathing(Breathing::default())]);
        let anchor = Anchor::Effector(Effector::LeftHand);
        let own = Attachment { to: anchor, offset: Vec3::new(0.1, 0.2, 0.3) * scale, rotation_offset: None };
        *stack.attachment_mut(Attached::Effector(Effector::RightHand)).unwrap() = Some(own);
        stack.full_body.effector_mut(Effector::RightHand).position_weight = 1.0;
        let mut input = Input::new(stack, ModelPose::rigid(reference));
        input.place.dt = 0.25;
        let frame = solve(&rig, Tools::default(), &input);
        let of = |id: LayerId| {
            let run = frame.run(id).unwrap();
            let lines = (0..run.steps()).flat_map(|step| run.numbers(step, &|_| "#".to_owned()));
            lines.map(|line| format!("{}: {}", line.what, line.numbers)).collect::<Vec<_>>()
        };
        [LayerId::Attachments, LayerId::Modifiers, LayerId::FullBody, LayerId::PositionBased].map(of)
    };
    let [small, large] = [1.0, 4.0].map(texts);
    for (small, large) in small.into_iter().zip(large) {
        assert_eq!(small, large);
        assert!(small.iter().any(|text| text.contains('#')), "{small:?}");
    }
}

/// Returns a stack with a chain before the full body, which bends the spine, and one after it, which moves the right
/// arm.
fn with_chains(settings: &Settings) -> Stack {
    let chain = |bones: &[&str], target: Vec3| ChainSolve {
        bones: bones.iter().map(|&bone| bone.to_owned()).collect(),
        target: Some(target),
        ..ChainSolve::default()
    };
    let chains = vec![
        chain(&["spine", "spine 2", "chest", "head"], Vec3::new(0.2, 1.5, 0.1)),
        chain(&["right upper arm", "right forearm", "right hand"], Vec3::new(-0.4, 1.6, 0.3)),
    ];
    Stack {
        chain_ik: ChainSection { chains, ..ChainSection::default() },
        order: OrderSection { before_full_body: vec![0], ..OrderSection::default() },
        ..of_body(settings)
    }
}

fn pinned() -> Settings {
    let character = &character().0;
    let mut settings = Settings::default();
    for effector in Effector::END {
        let own = settings.effector_mut(effector);
        own.position = Some(character.reference[solver().bone_of(effector.node())].position);
        own.position_weight = 1.0;
    }
    let hand = settings.effector_mut(Effector::LeftHand);
    hand.position = hand.position.map(|position| position + Vec3::new(0.3, 0.2, 0.25));
    settings
}

property! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn attribution_adds_up_exactly(settings in settings()) {
        let (animated, stack) = (&character().0.reference, with_chains(&settings));
        let frame = frame(stack);
        let check = |target: Target, grouping: Grouping, from: Vec3, to: Vec3| {
            let found = attribute(&frame, target, grouping);
            let mut sum = Exact::default();
            for row in &found.rows {
                sum += row.sum;
            }
            prop_assert_eq!(sum, found.total);
            prop_assert_eq!(found.total, Exact::between(found.from, found.to));
            prop_assert_eq!((found.from, found.to), (from, to), "{:?} {:?}", target, grouping);
            Ok(())
        };
        for grouping in Grouping::ALL {
            // Every point of every layer with steps, from the layer's input to its output.
            for layer in &frame.layers {
                let Some(run) = layer.run().filter(|run| run.steps() > 0) else { continue };
                let (start, end) = (run.start(), run.places(Cursor::end(run)));
                for (point, (from, to)) in start.into_iter().zip(end).enumerate() {
                    check(Target::Point(layer.id, point), grouping, from, to)?;
                }
            }
            // Every sixth bone, from the animated pose through all layers; each grouping starts at another bone.
            for bone in (grouping as usize..animated.len()).step_by(6) {
                check(Target::Bone(bone), grouping, animated[bone].position, frame.pose[bone].position)?;
            }
        }
    }

    #[test]
    fn the_tape_replays_bit_for_bit(first in settings(), second in settings()) {
        let mut tape = Tape::default();
        let kept = [frame(with_chains(&first)), frame(of_body(&second))];
        for frame in &kept {
            tape.record(1.0 / 60.0, frame, 0.0, None);
        }
        // In reverse order, so that no replay can profit from the frame before it.
        for (own, frame) in tape.frames().zip(&kept).rev() {
            let again = solve(&character().1, Tools::default(), &own.input);
            prop_assert!(again.pose == frame.pose && again.memory == frame.memory);
            prop_assert_eq!(again.layers.len(), frame.layers.len());
            let recording = |frame: &Frame| frame.full_body().map(|run| run.recording.clone());
            prop_assert!(recording(&again) == recording(frame));
            for layer in &frame.layers {
                let Some(run) = layer.run() else { continue };
                let kept = own.layer(layer.id).unwrap();
                prop_assert_eq!(kept.steps(), run.steps());
                for step in 0..run.steps() {
                    let at = Cursor { step, within: None };
                    prop_assert!(kept.places(step) == run.places(at));
                }
            }
            prop_assert_eq!(&own.outcomes[..], &frame.outcomes()[..]);
        }
    }

    #[test]
    fn rewinding_moves_returns_to_the_previous_step(settings in settings()) {
        let (recording, _) = recorded(&settings);
        for step in 1..recording.solve.steps.len() {
            let before = recording.state_within(step, 0).unwrap();
            prop_assert!(before.nodes() == recording.solve.steps[step - 1].state.nodes());
            let count = recording.solve.events_of(step).len();
            prop_assert!(recording.state_within(step, count).unwrap() == recording.solve.steps[step].state);
        }
    }

    #[test]
    fn an_applied_change_is_reported_again(a in settings(), b in settings()) {
        let (a, b) = (with_chains(&a), of_body(&b));
        let changes = fields::changes(&a, &b);
        prop_assert!(fields::with_changes(&a, &changes).unwrap() == b);
        let back: Vec<_> = fields::changes(&b, &a);
        prop_assert_eq!(back.len(), changes.len());
    }

    #[test]
    fn settling_is_the_recording_before_the_closing_pass(settings in settings()) {
        let (recording, solved) = recorded(&settings);
        prop_assume!(!recording.solve.steps.is_empty());
        let frame = frame(of_body(&settings));
        let run = frame.full_body().unwrap();
        prop_assert!(*run.recalled() == recording && frame.pose == solved);
        let settled = &recording.solve.steps[recording.settled()].state;
        prop_assert!(run.state(run.settled()) == *settled);
        for effector in Effector::ALL {
            let own = recording.frame.effector(effector);
            let off = solved[solver().bone_of(effector.node())].position.distance(own.position);
            let gap = frame.outcome(&MeasureId::Gap(effector.key().to_owned())).unwrap();
            prop_assert_eq!(gap, if own.position_weight > 0.0 { off } else { 0.0 });
        }
    }
}

#[test]
fn a_sweep_equals_single_solves() {
    let inputs = [input(of_body(&pinned()))];
    let frames = Frames { rig: &character().1, ground: &|_| None, inputs: &inputs, recording: None };
    let pull = ParameterId::from_path("chains.left_arm.pull").unwrap();
    let iterations = ParameterId::from_path("solver.iterations").unwrap();
    let sweep = Sweep {
        x: Axis::whole_range(pull, 5),
        y: Some(Axis::whole_range(iterations, 0)),
        measure: MeasureId::Gap("left_hand".to_owned()).into(),
    };
    let mut progress = Vec::new();
    let found = run_sweep(&frames, &sweep, &mut |done| {
        progress.push(done);
        true
    });
    let found = found.unwrap();
    assert_eq!((found.columns(), found.rows(), found.solves), (5, 17, 85));
    assert!(progress.is_sorted() && progress[0] == 0.0 && progress.last() < Some(&1.0), "{progress:?}");
    for (row, column) in [(0, 0), (4, 4), (16, 2)] {
        let mut settings = pinned();
        settings.solver.iterations = row as u32;
        settings.chain_mut(LimbName::LeftArm).pull = column as f32 / 4.0;
        let one = frame(of_body(&settings)).outcome(&MeasureId::Gap("left_hand".to_owned())).unwrap();
        // The batch promises to agree with a single solve within 1e-6 of the character's height.
        assert!((found.values[row * 5 + column] - one).abs() <= 1e-6 * Character::HEIGHT, "{row} {column}");
    }
    let (_, row, least) = found.least().unwrap();
    assert!(row > 0 && least == found.range()[0]);
    assert_eq!(run_sweep(&frames, &sweep, &mut |_| false), None);
    assert_eq!(run_sweep(&Frames { inputs: &[], ..frames }, &sweep, &mut |_| true), None);

    let found = sensitivities(&frames, &sweep.measure, &mut |_| true).unwrap();
    assert!(found.iter().any(|one| one.parameter == pull));
    // The head's rotation cannot affect a hand; the arm's mapping weight does.
    assert!(!found.iter().any(|one| one.parameter.path() == "solver.head_maintain_rotation"));
    assert!(found.iter().any(|one| one.parameter.path() == "chains.left_arm.mapping_weight"));
}

#[test]
fn the_reach_volume_contains_all_reached_targets() {
    let (character, solver) = (&character().0, solver());
    let volume = |settings: &Settings| {
        reach_volume((solver, None), settings, &character.reference, LimbName::LeftArm, 20, &mut |_| true).unwrap()
    };
    let mut stiff = pinned();
    stiff.chain_mut(LimbName::LeftArm).pull = 0.0;
    stiff.chain_mut(LimbName::LeftArm).reach = 0.0;
    stiff.solver.pull_body_vertical = 0.0;
    let (stiff_volume, loose_volume) = (volume(&stiff), volume(&pinned()));
    assert!(stiff_volume.solves > 3000 && stiff_volume.points.len() > 200);
    // A body that follows reaches further than an arm alone.
    assert!(loose_volume.volume > stiff_volume.volume);
    // Targets slightly inside the surface are reached and targets slightly outside are not, at nearly every point.
    let reached = |target: Vec3| {
        let mut settings = stiff;
        settings.effector_mut(Effector::LeftHand).position = Some(target);
        let found = frame(of_body(&settings));
        let gap = found.outcome(&MeasureId::Gap("left_hand".to_owned())).unwrap();
        gap <= REACHED * found.full_body().unwrap().recording.frame.limb(LimbName::LeftArm).length
    };
    let margin = 0.6 * stiff_volume.gaps.spacing;
    let right = stiff_volume.points.iter().filter(|point| {
        let [inside, outside] = [-margin, margin].map(|by| reached(point.position + point.normal * by));
        inside && !outside
    });
    let share = right.count() as f32 / stiff_volume.points.len() as f32;
    assert!(share > 0.9, "{share}");
    assert!(
        reach_volume((solver, None), &stiff, &character.reference, LimbName::LeftArm, 20, &mut |_| false).is_none()
    );
    // The surface is closed: each edge belongs to two triangles, once in each direction. It encloses the
    // volume, which is counted in cells, within 15 %.
    let mut edges = std::collections::HashMap::new();
    let mut enclosed = 0.0;
    for triangle in &stiff_volume.triangles {
        let [a, b, c] = triangle.map(|index| stiff_volume.points[index as usize].position);
        enclosed += a.dot(b.cross(c)) / 6.0;
        for side in 0..3 {
            *edges.entry((triangle[side], triangle[(side + 1) % 3])).or_insert(0) += 1;
        }
    }
    let open = edges.iter().filter(|&(&(a, b), count)| edges.get(&(b, a)) != Some(count)).count();
    assert_eq!(open, 0, "of {} edges", edges.len());
    assert!((enclosed / stiff_volume.volume - 1.0).abs() < 0.15, "{enclosed}, not {}", stiff_volume.volume);
    // Outside the grid the gap is `None`; at a node of the grid it is the stored gap.
    let centre =
        stiff_volume.points.iter().map(|point| point.position).sum::<Vec3>() / stiff_volume.points.len() as f32;
    assert_eq!(stiff_volume.gaps.at(centre + Vec3::X * 100.0), None);
    assert_eq!(stiff_volume.gaps.at(Vec3::NAN), None);
    let node = stiff_volume.gaps.corner + Vec3::splat(10.0 * stiff_volume.gaps.spacing);
    let own = stiff_volume.gaps.gaps[(10 * 20 + 10) * 20 + 10];
    assert!((stiff_volume.gaps.at(node + Vec3::splat(1e-6)).unwrap() - own).abs() < 1e-4);
}

/// Solves a frame and records it. Returns the memory after it.
fn record(tape: &mut Tape, stack: &Stack, place: Place, memory: Memory) -> Memory {
    let input = Input { place, memory, ..input(stack.clone()) };
    let frame = solve(&character().1, Tools::default(), &input);
    assert_eq!(frame.problem(), None);
    tape.record(place.dt, &frame, 0.0, None);
    frame.memory
}

/// Records 40 frames at 60 Hz in which shots, a blow and two reaches are triggered between frames. `change` changes
/// the modifiers.
fn shots_blows_and_reaches(change: fn(&mut Stack)) -> Tape {
    let reach = ReachFor {
        position: Some(Vec3::new(-0.3, 1.3, 0.4)),
        approach: 0.1,
        hold: 0.1,
        release: 0.3,
        ..ReachFor::default()
    };
    let modifiers = vec![
        Modifier::Recoil(Recoil::default()),
        Modifier::HitReaction(HitReaction::default()),
        Modifier::ReachFor(reach),
    ];
    let mut stack = Stack { modifiers: modifiers.into(), ..of_body(&pinned()) };
    change(&mut stack);
    let hit = Hit { point: Vec3::new(0.1, 1.3, 0.1), direction: Vec3::NEG_Z, force: 0.1 };
    let (mut tape, mut memory) = (Tape::default(), Memory::default());
    for number in 0..40 {
        memory.modifiers.resize(3, Remembered::Nothing);
        let own = &mut memory.modifiers;
        match number {
            // Two shots before one frame.
            4 => [0, 0].into_iter().for_each(|shot: usize| stack.modifiers[shot].trigger(&mut own[0])),
            7 => assert!(stack.modifiers[1].strike(&mut own[1], hit)),
            // The second reach begins while the first one ends.
            9 | 28 => stack.modifiers[2].trigger(&mut own[2]),
            _ => {}
        }
        let place = Place { dt: 1.0 / 60.0, ..Place::default() };
        memory = record(&mut tape, &stack, place, memory);
    }
    tape
}

fn all_places(tape: &Tape) -> Vec<Vec<Vec3>> {
    tape.frames().flat_map(|frame| frame.layers.iter().map(|layer| layer.end())).collect()
}

#[test]
fn actions_triggered_between_frames_are_triggered_when_solved_again() {
    let slow = |stack: &mut Stack| {
        for modifier in std::sync::Arc::make_mut(&mut stack.modifiers) {
            match modifier {
                Modifier::Recoil(own) => own.release = 0.5,
                Modifier::HitReaction(own) => own.spine = 30.0,
                Modifier::ReachFor(own) => own.approach = 0.2,
                other => panic!("{}", other.key()),
            }
        }
    };
    let recorded = shots_blows_and_reaches(|_| {});
    for change in [(|_| {}) as fn(&mut Stack), slow] {
        let live = shots_blows_and_reaches(change);
        let again = solve_again(&character().1, &|_| None, &recorded, &change, &mut |_| true).unwrap();
        assert_eq!(all_places(&again), all_places(&live));
        for (again, live) in again.frames().zip(live.frames()) {
            assert_eq!(again.input.memory, live.input.memory, "frame {}", live.number);
        }
    }
    assert_ne!(all_places(&recorded), all_places(&shots_blows_and_reaches(slow)));
}

/// Records 12 frames of the chain lab. Before frame 4 the last states of the lanes are cleared, and frame 8 starts from
/// the states of frame 7. `change` changes the lab.
fn lab_that_starts_again(change: fn(&mut Stack)) -> Tape {
    let lab = LabSection { motion: TargetMotion::FigureEight, ..LabSection::with_plain_lanes() };
    let chain_ik = ChainSection { lab: Some(lab), ..ChainSection::default() };
    // The memory of a modifier remains while the states of the lanes are cleared.
    let modifiers = vec![Modifier::Recoil(Recoil::default())];
    let mut stack = Stack { chain_ik, modifiers: modifiers.into(), ..Stack::default() };
    change(&mut stack);
    let (mut tape, mut memory, mut before) = (Tape::default(), Memory::default(), Vec::new());
    for number in 0..12 {
        memory.modifiers.resize(1, Remembered::Nothing);
        match number {
            4 => memory.lanes.clear(),
            8 => memory.lanes = before,
            _ => {}
        }
        before = memory.lanes.clone();
        let place = Place { dt: 1.0 / 60.0, lab_time: 0.1 * number as f32, ..Place::default() };
        memory = record(&mut tape, &stack, place, memory);
    }
    tape
}

/// Solving again used to continue from the last states of the lanes where the recording had cleared them.
#[test]
fn lanes_of_the_lab_start_again_where_they_did_when_recorded() {
    let slow = |stack: &mut Stack| {
        for lane in &mut stack.chain_ik.lab.as_mut().unwrap().lanes {
            lane.max_iterations = 2;
        }
    };
    let recorded = lab_that_starts_again(|_| {});
    assert!(recorded.frames().nth(4).unwrap().input.memory.lanes.is_empty());
    for change in [(|_| {}) as fn(&mut Stack), slow] {
        let live = lab_that_starts_again(change);
        let again = solve_again(&character().1, &|_| None, &recorded, &change, &mut |_| true).unwrap();
        for (again, live) in again.frames().zip(live.frames()) {
            assert_eq!(again.input.memory, live.input.memory, "frame {}", live.number);
        }
        assert_eq!(all_places(&again), all_places(&live));
    }
    assert_ne!(all_places(&recorded), all_places(&lab_that_starts_again(slow)));
}

#[test]
fn a_sweep_over_a_motion_has_its_blows() {
    let recorded = shots_blows_and_reaches(|_| {});
    let frames = Frames { rig: &character().1, ground: &|_| None, inputs: &[], recording: Some(&recorded) };
    let x = Axis {
        from: 0.0,
        to: 1.0,
        count: 2,
        parameter: ParameterId::from_path("modifiers[1].hit_reaction.weight").unwrap(),
    };
    let sweep = Sweep { x, y: None, measure: kinescope_ik::debugger::sweep::SweepMeasure::Motion(MotionMeasure::Jerk) };
    let result = run_sweep(&frames, &sweep, &mut |_| true).unwrap();
    assert_eq!(result.values[1], MotionMeasure::Jerk.of(&recorded).unwrap());
    assert_ne!(result.values[0], result.values[1]);
}
