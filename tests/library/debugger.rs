//! What the debugger promises: sums that are exact, rewinding that is solving, sweeps that are what they say.

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use kinescope::debugger::attribution::{Exact, Grouping, attribute};
use kinescope::debugger::fields;
use kinescope::debugger::measure::{Gaps, Measure, outcome};
use kinescope::debugger::parameters::ParameterId;
use kinescope::debugger::reach_volume::{REACHED, reach_volume};
use kinescope::debugger::sweep::{Axis, Input, Sweep, run_sweep, sensitivities};
use kinescope::debugger::tape::Tape;
use kinescope::full_body::Recording;
use kinescope::full_body::{Effector, FullBody, Node, Settings};
use kinescope::rig::{LimbName, ModelPose, RigidTransform};
use proptest::prelude::*;

use crate::common::strategies::settings;
use crate::common::synthetic::Character;

fn character() -> &'static (Character, FullBody) {
    static CHARACTER: OnceLock<(Character, FullBody)> = OnceLock::new();
    CHARACTER.get_or_init(|| {
        let character = Character::new();
        let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        (character, solver)
    })
}

fn recorded(settings: &Settings) -> (Recording, Vec<RigidTransform>) {
    let (character, solver) = character();
    let (mut recording, mut pose) = (Recording::default(), character.reference.clone());
    recording.record(solver, &mut solver.workspace(), settings, &mut pose).unwrap();
    (recording, pose)
}

/// Hands and feet pinned, the left hand a little away.
fn pinned() -> Settings {
    let (character, solver) = character();
    let mut settings = Settings::default();
    for effector in Effector::END {
        let own = settings.effector_mut(effector);
        own.position = Some(character.reference[solver.bone_of(effector.node())].position);
        own.position_weight = 1.0;
    }
    let hand = settings.effector_mut(Effector::LeftHand);
    hand.position = hand.position.map(|position| position + Vec3::new(0.3, 0.2, 0.25));
    settings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn attribution_adds_up_exactly(settings in settings()) {
        let (recording, solved) = recorded(&settings);
        let (character, solver) = character();
        for grouping in Grouping::ALL {
            for node in Node::ALL {
                let found = attribute(&recording, grouping, None, |state| state.nodes[node]);
                let mut sum = Exact::default();
                for row in &found.rows {
                    sum += row.sum;
                }
                prop_assert_eq!(sum, found.total);
                prop_assert_eq!(found.total, Exact::between(found.from, found.to));
                if let Some(last) = recording.solve.steps.last() {
                    prop_assert_eq!(found.to, last.state.nodes[node]);
                    let animated = character.reference[solver.bone_of(node)].position;
                    prop_assert_eq!(found.from, animated, "{:?}", node);
                }
            }
        }
        // A bone that is no node, through the mappings: the same promise.
        let bone = character.biped.spine[0];
        let mut workspace = solver.workspace();
        let animated = character.reference[bone].position;
        let found = attribute(&recording, Grouping::Cause, Some(animated), |state| {
            let mut pose = character.reference.clone();
            let (frame, _) = solver.read(&mut workspace, &settings, &pose).unwrap();
            solver.write(&mut workspace, &frame, state, &mut pose).unwrap();
            pose[bone].position
        });
        let mut sum = Exact::default();
        for row in &found.rows {
            sum += row.sum;
        }
        prop_assert_eq!(sum, found.total);
        if !recording.solve.steps.is_empty() {
            prop_assert_eq!(found.to, solved[bone].position);
        }
    }

    #[test]
    fn the_tape_replays_bit_for_bit(first in settings(), second in settings()) {
        let (character, solver) = character();
        let animated = ModelPose::rigid(character.reference.clone());
        let mut tape = Tape::default();
        let kept = [recorded(&first), recorded(&second)];
        for (settings, (recording, _)) in [&first, &second].into_iter().zip(&kept) {
            tape.record(1.0 / 60.0, settings, &animated, recording, Gaps::default());
        }
        let (mut again, mut pose, mut workspace) = (Recording::default(), Vec::new(), solver.workspace());
        // Backwards: nothing of the frame after is left.
        for (frame, (recording, solved)) in tape.frames().zip(&kept).rev() {
            frame.replay(solver, &mut workspace, &mut again, &mut pose).unwrap();
            prop_assert!(again == *recording && pose == *solved);
            prop_assert!(frame.steps.iter().zip(&recording.solve.steps).all(|(kept, step)| kept.1 == step.state));
        }
    }

    #[test]
    fn rewinding_moves_comes_to_the_step_before(settings in settings()) {
        let (recording, _) = recorded(&settings);
        for step in 1..recording.solve.steps.len() {
            let before = recording.state_within(step, 0).unwrap();
            prop_assert!(before.nodes == recording.solve.steps[step - 1].state.nodes);
            let count = recording.solve.events_of(step).len();
            prop_assert!(recording.state_within(step, count).unwrap() == recording.solve.steps[step].state);
        }
    }

    #[test]
    fn a_change_carried_over_is_the_change(a in settings(), b in settings()) {
        let changes = fields::changes(&a, &b);
        prop_assert!(fields::with_changes(&a, &changes).unwrap() == b);
        let back: Vec<_> = fields::changes(&b, &a);
        prop_assert_eq!(back.len(), changes.len());
    }

    #[test]
    fn settling_is_the_recording_before_the_closing_pass(settings in settings()) {
        let (recording, solved) = recorded(&settings);
        prop_assume!(!recording.solve.steps.is_empty());
        let (character, solver) = character();
        let mut pose = Vec::new();
        let found = outcome(solver, &mut solver.workspace(), &settings, &character.reference, &mut pose).unwrap();
        prop_assert!(found.frame == recording.frame);
        prop_assert!(found.settled == recording.solve.steps[recording.settled()].state);
        prop_assert!(pose == solved);
        prop_assert!(found.gaps == Gaps::of(&recording.frame, solver, &solved));
    }
}

#[test]
fn a_sweep_is_its_solves() {
    let (character, solver) = character();
    let animated = Arc::new(ModelPose::rigid(character.reference.clone()));
    let inputs = [Input { settings: pinned(), animated }];
    let pull = ParameterId::from_path("chains.left_arm.pull").unwrap();
    let iterations = ParameterId::from_path("solver.iterations").unwrap();
    let sweep = Sweep {
        x: Axis::whole_range(pull, 5),
        y: Some(Axis::whole_range(iterations, 0)),
        measure: Measure::Gap(Effector::LeftHand),
    };
    let mut heard = Vec::new();
    let found = run_sweep(solver, &sweep, &inputs, &mut |done| {
        heard.push(done);
        true
    });
    let found = found.unwrap();
    assert_eq!((found.columns(), found.rows(), found.solves), (5, 17, 85));
    assert!(heard.is_sorted() && heard.len() == 85);
    for (row, column) in [(0, 0), (4, 4), (16, 2)] {
        let mut settings = pinned();
        settings.solver.iterations = row as u32;
        settings.chain_mut(LimbName::LeftArm).pull = column as f32 / 4.0;
        let mut pose = Vec::new();
        let one = outcome(solver, &mut solver.workspace(), &settings, &character.reference, &mut pose).unwrap();
        assert_eq!(found.values[row * 5 + column], one.measure(found.measure));
    }
    let (_, row, least) = found.least().unwrap();
    assert!(row > 0 && least == found.range()[0]);
    assert_eq!(run_sweep(solver, &sweep, &inputs, &mut |done| done < 0.5), None);
    assert_eq!(run_sweep(solver, &sweep, &[], &mut |_| true), None);

    let found = sensitivities(solver, sweep.measure, &inputs, &mut |_| true).unwrap();
    assert!(found.iter().any(|one| one.parameter == pull));
    // How the head is turned cannot matter to a hand; how much of the arm is written does.
    assert!(!found.iter().any(|one| one.parameter.path() == "solver.head_maintain_rotation"));
    assert!(found.iter().any(|one| one.parameter.path() == "chains.left_arm.mapping_weight"));
}

#[test]
fn the_reach_volume_bounds_what_is_reached() {
    let (character, solver) = character();
    let volume = |settings: &Settings| {
        reach_volume(solver, settings, &character.reference, LimbName::LeftArm, 20, &mut |_| true).unwrap()
    };
    let mut stiff = pinned();
    stiff.chain_mut(LimbName::LeftArm).pull = 0.0;
    stiff.chain_mut(LimbName::LeftArm).reach = 0.0;
    stiff.solver.pull_body_vertical = 0.0;
    let (stiff_volume, loose_volume) = (volume(&stiff), volume(&pinned()));
    assert!(stiff_volume.solves > 3000 && stiff_volume.points.len() > 200);
    // A body that follows reaches further than an arm alone.
    assert!(loose_volume.volume > stiff_volume.volume);
    // A little inside the surface a target is reached, a little outside it is not: at nearly every point.
    let reached = |target: Vec3| {
        let mut settings = stiff;
        settings.effector_mut(Effector::LeftHand).position = Some(target);
        let (mut workspace, mut pose) = (solver.workspace(), Vec::new());
        let found = outcome(solver, &mut workspace, &settings, &character.reference, &mut pose).unwrap();
        found.measure(Measure::Gap(Effector::LeftHand)) <= REACHED * found.frame.limb(LimbName::LeftArm).length
    };
    let margin = 0.6 * stiff_volume.gaps.spacing;
    let right = stiff_volume.points.iter().filter(|point| {
        let [inside, outside] = [-margin, margin].map(|by| reached(point.position + point.normal * by));
        inside && !outside
    });
    let share = right.count() as f32 / stiff_volume.points.len() as f32;
    assert!(share > 0.9, "{share}");
    assert!(reach_volume(solver, &stiff, &character.reference, LimbName::LeftArm, 20, &mut |_| false).is_none());
    // The surface is closed: each edge has a triangle to both sides, the other way round. What it holds is the volume.
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
    // On the surface the gap is what counts as reached; deep inside it is nothing, outside the grid it is unknown.
    let centre =
        stiff_volume.points.iter().map(|point| point.position).sum::<Vec3>() / stiff_volume.points.len() as f32;
    assert_eq!(stiff_volume.gaps.at(centre + Vec3::X * 100.0), None);
    assert_eq!(stiff_volume.gaps.at(Vec3::NAN), None);
    let node = stiff_volume.gaps.corner + Vec3::splat(10.0 * stiff_volume.gaps.spacing);
    let own = stiff_volume.gaps.gaps[(10 * 20 + 10) * 20 + 10];
    assert!((stiff_volume.gaps.at(node + Vec3::splat(1e-6)).unwrap() - own).abs() < 1e-4);
}
