//! Modifiers: neutral without weight, equal at every frame rate, finite for any input, and fully explained.

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use kinescope_ik::debugger::attribution::{Grouping, Target, attribute};
use kinescope_ik::full_body::{Author, Effector, FullBody, Settings};
use kinescope_ik::grounding::Side;
use kinescope_ik::modifiers::{
    Aims, ArmBending, Ask, Bones, Breathing, Figure, FourBones, Head, Hit, HitReaction, Inertia, Key, Keyed, LookAt,
    Modifier, Modify, ReachFor, Recoil, Running, Seen, Track, TwoHandedGrip, solve,
};
use kinescope_ik::notation::Value;
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::{Frame, Input, LayerId, Memory, Place, Rig, Stack, Tools};
use kinescope_ik::stepped::Cursor;
use proptest::prelude::*;

use crate::common::built_in::built_in;
use crate::common::flaws::flaws;
use crate::common::property::property;
use crate::common::strategies::{cases, fraction, settings, turn, vector};
use crate::common::synthetic::Character;

pub fn rig() -> &'static Rig {
    static RIG: OnceLock<Rig> = OnceLock::new();
    RIG.get_or_init(|| built_in().rig())
}

pub fn figure() -> &'static Figure {
    rig().figure.as_ref().unwrap()
}

pub fn seen(dt: f32, time: f32) -> Seen<'static> {
    Seen { figure: figure(), root: RigidTransform::IDENTITY, dt, time }
}

/// Returns one modifier of each kind that acts on a human, with work to do.
pub fn all() -> Vec<Modifier> {
    let key = |time: f32, x: f32| Key { time, position: Vec3::new(x, 1.2, 0.3), ..Key::default() };
    let track = Track { effector: Effector::LeftHand, keys: vec![key(0.0, 0.3), key(0.4, 0.5), key(1.1, 0.2)] };
    vec![
        Modifier::Recoil(Recoil { interval: 0.6, ..Recoil::default() }),
        Modifier::TwoHandedGrip(TwoHandedGrip {
            position: Some(Vec3::new(0.05, 0.15, 0.1)),
            rotation: Some(Quat::from_rotation_x(0.8)),
            ..TwoHandedGrip::default()
        }),
        Modifier::HitReaction(HitReaction { interval: 0.7, ..HitReaction::default() }),
        Modifier::Inertia(Inertia::default()),
        Modifier::Breathing(Breathing::default()),
        Modifier::LookAt(LookAt { target: Some(Vec3::new(1.0, 1.8, 1.0)), ..LookAt::default() }),
        Modifier::ReachFor(ReachFor {
            position: Some(Vec3::new(-0.3, 1.3, 0.4)),
            to: Some(Vec3::new(-0.2, 1.4, 0.4)),
            interval: 1.4,
            ..ReachFor::default()
        }),
        Modifier::Keyed(Keyed { tracks: vec![track], ..Keyed::default() }),
        Modifier::Head(Head {
            position: Some(Vec3::new(0.1, 1.5, 0.1)),
            rotation: Some(Quat::from_rotation_y(0.4)),
            rotation_weight: 1.0,
            ..Head::default()
        }),
        Modifier::ArmBending(ArmBending::default()),
    ]
}

/// Returns [`all`] plus the modifier that does nothing on a human.
pub fn kinds() -> Vec<Modifier> {
    [all(), vec![Modifier::FourBones(FourBones::default())]].concat()
}

pub fn solved(modifier: &mut Running, seen: &Seen, pose: &[RigidTransform]) -> Vec<RigidTransform> {
    let solver = &built_in().solver;
    let mut pose = pose.to_vec();
    let settings = Settings::default();
    let modifiers: &mut [&mut dyn Modify] = &mut [modifier];
    solve(solver, &mut solver.workspace(), &settings, modifiers, seen, &mut pose).unwrap();
    pose
}

pub fn plain(pose: &[RigidTransform]) -> Vec<RigidTransform> {
    let solver = &built_in().solver;
    let mut pose = pose.to_vec();
    solver.solve(&mut solver.workspace(), &Settings::default(), &mut pose).unwrap();
    pose
}

pub fn farthest(a: &[RigidTransform], b: &[RigidTransform]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max)
}

fn set_weights(modifier: &mut Modifier, to: f32) {
    let own = modifier.parameters_mut();
    for key in ["weight", "position_weight", "rotation_weight", "chest_weight", "left", "right", "legs", "arms"] {
        own.set_number(key, to);
    }
}

#[test]
fn a_disabled_modifier_is_neutral_bit_for_bit() {
    let before = built_in().pose("walk", 0.3);
    for mut modifier in kinds() {
        modifier.switch(false);
        let after = solved(&mut Running::new(modifier.clone()), &seen(0.1, 0.5), &before);
        assert_eq!(after, plain(&before), "{}", modifier.name());
    }
}

#[test]
fn an_event_while_off_has_no_later_effect() {
    let standing = built_in().reference();
    for mut modifier in kinds() {
        modifier.parameters_mut().set_number("interval", 0.0);
        modifier.switch(false);
        let mut running = Running::new(modifier);
        running.trigger();
        let _ = running.strike(Hit { point: Vec3::Y, direction: Vec3::X, force: 0.1 });
        let _ = solved(&mut running, &seen(0.05, 0.0), standing);
        assert_eq!(running.memory, kinescope_ik::modifiers::Memory::Nothing);
    }
}

#[test]
fn every_one_does_something() {
    for modifier in all() {
        let mut running = Running::new(modifier);
        let mut most: f32 = 0.0;
        for frame in 0..60 {
            let time = frame as f32 / 60.0;
            let pose = built_in().pose("walk", time.fract());
            most = most.max(farthest(&solved(&mut running, &seen(1.0 / 60.0, time), &pose), &plain(&pose)));
        }
        assert!(most > 2e-3, "{}: {most}", running.modifier.name());
    }
}

/// Returns the pose of a smooth motion at a time in seconds. A clip would not do: its motion has corners at keys, which
/// not every frame rate meets.
fn swinging(time: f32) -> Vec<RigidTransform> {
    let mut local = built_in().model.skeleton.rest_pose();
    let mut turn = |bone: usize, axis: Vec3, angle: f32| {
        let own = &mut local.bones[bone].rotation;
        *own = (*own * Quat::from_axis_angle(axis, angle)).normalize();
    };
    let wave = |rate: f32, phase: f32| (std::f32::consts::TAU * rate * time + phase).sin();
    for (index, bones) in figure().limbs.iter().enumerate() {
        let phase = index as f32;
        turn(bones[0], Vec3::X, 0.3 * wave(1.1, phase));
        turn(bones[0], Vec3::Z, 0.2 * wave(0.7, phase));
        // The arm stays bent: the elbow of a nearly straight arm moves many times as far as its hand.
        turn(bones[1], if index < 2 { Vec3::Y } else { Vec3::X }, 0.9 + 0.2 * wave(1.3, phase));
    }
    for &bone in &figure().spine {
        turn(bone, Vec3::Y, 0.1 * wave(0.9, 0.5));
    }
    ModelPose::from_local(&built_in().model.skeleton, &local).bones
}

/// Runs two seconds. For every sixth of a second, a time that all rates share, returns the solved pose, and the bones,
/// offsets and targets that the modifier sets before the solve.
fn at_rate(modifier: &Modifier, rate: u32, pose: impl Fn(f32) -> Vec<RigidTransform>) -> [Vec<Vec<RigidTransform>>; 2] {
    let mut running = Running::new(modifier.clone());
    let mut found = [Vec::new(), Vec::new()];
    for frame in 0..=rate * 2 {
        let time = frame as f32 / rate as f32;
        let seen = seen(if frame == 0 { 0.0 } else { 1.0 / rate as f32 }, time);
        let (before, mut again) = (pose(time), running.clone());
        let after = solved(&mut running, &seen, &before);
        if frame % (rate / 6) == 0 {
            let (mut turned, mut asked, mut hear) = (before, Settings::default(), |_| kinescope_ik::stepped::GO_ON);
            let author = Author { index: 0, name: "" };
            again.before_read(&mut Ask::new(Bones::new(seen, author, &mut turned, &mut hear), &mut asked));
            let offset = |effector: Effector| RigidTransform {
                position: asked.effector(effector).position_offset,
                ..RigidTransform::IDENTITY
            };
            turned.extend(Effector::ALL.map(offset));
            // Each target's displacement from a fixed point, times its weight.
            let drawn = |effector: Effector| {
                let own = asked.effector(effector);
                let way = own.position.map_or(Vec3::ZERO, |to| to - Vec3::new(0.2, 1.1, 0.2));
                RigidTransform { position: way * own.position_weight, ..RigidTransform::IDENTITY }
            };
            turned.extend(Effector::ALL.map(drawn));
            found[0].push(after);
            found[1].push(turned);
        }
    }
    found
}

#[test]
fn the_result_is_the_same_at_any_frame_rate() {
    let walk = built_in().model.clips.iter().find(|clip| clip.name == "walk").unwrap().duration;
    for modifier in all() {
        let name = modifier.name();
        let of = |rate: u32| {
            let [solved, _] = at_rate(&modifier, rate, swinging);
            let [_, asked] = at_rate(&modifier, rate, |time| built_in().pose("walk", time.rem_euclid(walk)));
            [solved, asked]
        };
        let expected = of(240);
        for rate in [30, 60, 144] {
            for (what, (now, expected)) in ["solved", "asked"].into_iter().zip(of(rate).iter().zip(&expected)) {
                let most = now.iter().zip(expected).map(|(a, b)| farthest(a, b)).fold(0.0, f32::max);
                println!("{name} at {rate}: {what} {:.3} mm", most * 1e3);
                assert!(most < 1e-3, "{name} at {rate}: {what} {:.3} mm", most * 1e3);
            }
        }
    }
}

/// Returns the last of `frames` frames of a stack with these modifiers.
pub fn frame(modifiers: Vec<Modifier>, settings: &Settings, frames: usize, dt: f32) -> Frame {
    let mut memory = Memory::default();
    let stack = Stack { full_body: *settings, modifiers: Arc::new(modifiers), ..Stack::default() };
    let mut last = Frame::empty();
    for index in 0..frames {
        let time = dt * index as f32;
        let pose = built_in().pose("walk", time.fract());
        let mut input = Input::new(stack.clone(), ModelPose::rigid(pose));
        input.place = Place { dt, clip_time: time, ..Place::default() };
        input.memory = memory.clone();
        last = kinescope_ik::stack::solve(rig(), Tools::default(), &input);
        memory = last.memory.clone();
    }
    last
}

#[test]
fn the_stack_and_the_library_give_the_same_result() {
    for modifier in all() {
        let frame = frame(vec![modifier.clone()], &Settings::default(), 7, 0.05);
        let mut running = Running::new(modifier);
        let mut pose = Vec::new();
        for index in 0..7 {
            let time = 0.05 * index as f32;
            pose = solved(&mut running, &seen(0.05, time), &built_in().pose("walk", time.fract()));
        }
        assert_eq!(frame.pose, pose, "{}", running.modifier.name());
        assert_eq!(frame.memory.modifiers, [running.memory]);
        let again = kinescope_ik::stack::solve(rig(), Tools::default(), &frame.input);
        assert_eq!(again.pose, frame.pose);
    }
}

/// Asserts that each act's formula has no flaws and gives the recorded result. Returns the number of acts.
fn check_formulas(frame: &Frame) -> usize {
    use kinescope_ik::modifiers::Change;
    let mut count = 0;
    for id in [LayerId::Modifiers, LayerId::AfterWrite] {
        let run = frame.run(id).unwrap();
        for step in 0..run.steps() {
            for event in 0..run.events(step) {
                let sheet = run.formula(step, event).unwrap();
                assert_eq!(flaws(&sheet, usize::MAX), Vec::<String>::new(), "{sheet:#?}");
                let acts = frame.modifiers(id).unwrap().acts(step);
                let (expected, wanted) = (acts[event].change, &sheet.title);
                let is_near = match (expected, sheet.result) {
                    (Change::Offset { by, .. }, Value::Vector(found)) => found.distance(by) < 1e-5 + 1e-4 * by.length(),
                    (Change::Target { to, .. }, Value::Point(found)) => found.distance(to) < 1e-4,
                    (Change::TargetRotation { to, .. }, Value::Orientation(found)) => found.dot(to).abs() > 1.0 - 1e-5,
                    (Change::Bone { to, .. }, Value::Orientation(found)) => found.dot(to.rotation).abs() > 1.0 - 1e-5,
                    (Change::Bone { to, .. }, Value::Bone(found)) => {
                        found.position.distance(to.position) < 1e-4
                            && found.rotation.dot(to.rotation).abs() > 1.0 - 1e-5
                    }
                    _ => false,
                };
                assert!(is_near, "{wanted}: {expected:?}, {:?}\n{:?}", sheet.result, sheet.lines);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_act_has_its_equation() {
    for modifier in all() {
        let name = modifier.name();
        for frames in [2, 9, 14] {
            let frame = frame(vec![modifier.clone()], &Settings::default(), frames, 0.04);
            let count = check_formulas(&frame);
            assert!(count > 0 || frames > 2 || name == "arm bending", "{name}: {frames}");
            let (restated, all) = restated(&frame);
            // The head effector bends limbs back so that hands and feet stay: these moves have no equation of their
            // own.
            assert!(
                restated == 0 || name == "head effector",
                "{name}: {restated} of {all} formulas only repeat the result"
            );
            assert!(restated * 3 <= all, "{name}: {restated} of {all}");
        }
    }
}

/// Returns the number of acts whose formula only restates the result, and the number of all acts.
fn restated(frame: &Frame) -> (usize, usize) {
    let (mut count, mut all) = (0, 0);
    for id in [LayerId::Modifiers, LayerId::AfterWrite] {
        let run = frame.run(id).unwrap();
        for (step, event) in (0..run.steps()).flat_map(|step| (0..run.events(step)).map(move |event| (step, event))) {
            let sheet = run.formula(step, event).unwrap();
            let names: Vec<&str> = sheet.symbols.iter().map(|symbol| symbol.name).collect();
            all += 1;
            count += usize::from(names.contains(&"move") || names == ["offset"] || names == ["to"]);
        }
    }
    (count, all)
}

#[test]
fn blends_and_fades_have_their_equations() {
    let mut settings = Settings::default();
    settings.solver.weight = 0.7;
    for hand in [Effector::LeftHand, Effector::RightHand] {
        let own = settings.effector_mut(hand);
        (own.position, own.position_weight) = (Some(Vec3::new(0.1, 1.2, 0.4)), 0.6);
        (own.rotation, own.rotation_weight) = (Some(Quat::from_rotation_x(0.5)), 0.5);
    }
    let key = Key { position: Vec3::new(0.3, 1.3, 0.4), rotation: Quat::from_rotation_y(1.0), ..Key::default() };
    let key = Key { position_weight: 0.5, rotation_weight: 0.4, ..key };
    let keyed = Keyed { tracks: vec![Track { effector: Effector::LeftHand, keys: vec![key] }], ..Keyed::default() };
    let grip = TwoHandedGrip { position: Some(Vec3::new(0.1, 0.1, 0.2)), ..TwoHandedGrip::default() };
    let reach_for = ReachFor { position: Some(Vec3::new(-0.3, 1.3, 0.4)), interval: 3.0, ..ReachFor::default() };
    let reach_for = ReachFor { rotation: Some(Quat::from_rotation_z(1.0)), rotation_weight: 0.8, ..reach_for };
    let head = Head { position: Some(Vec3::new(0.0, 1.75, 0.3)), stretch: 0.05, ..Head::default() };
    let head = Head { rotation: Some(Quat::from_rotation_y(0.6)), rotation_weight: 0.7, ..head };
    let head = Head { chest_direction: Some(Vec3::new(0.5, 0.0, 1.0)), chest_weight: 0.6, settle: 0.5, ..head };
    let modifiers = [
        Modifier::TwoHandedGrip(TwoHandedGrip { weight: 0.6, rotation_weight: 0.7, turns: 0.4, ..grip }),
        Modifier::Keyed(keyed),
        Modifier::ReachFor(reach_for),
        Modifier::Head(head),
        Modifier::Recoil(Recoil { interval: 0.6, ..Recoil::default() }),
    ];
    for modifier in modifiers {
        let frame = frame(vec![modifier.clone()], &settings, 6, 0.05);
        assert!(check_formulas(&frame) > 1, "{}", modifier.name());
        let (restated, all) = restated(&frame);
        assert!(restated * 3 <= all, "{}: {restated} of {all}", modifier.name());
    }
}

#[test]
fn targets_that_start_at_a_bone_have_their_equations() {
    // The right hand has a weight and an offset, but no target: it is held at its bone.
    let mut settings = Settings::default();
    let own = settings.effector_mut(Effector::RightHand);
    (own.position_weight, own.position_offset) = (0.6, Vec3::new(0.05, -0.08, 0.02));
    let key = Key { position: Vec3::new(-0.3, 1.3, 0.4), position_weight: 0.5, ..Key::default() };
    let keyed = Keyed { tracks: vec![Track { effector: Effector::RightHand, keys: vec![key] }], ..Keyed::default() };
    for modifier in [Modifier::Recoil(Recoil { interval: 0.6, ..Recoil::default() }), Modifier::Keyed(keyed)] {
        let frame = frame(vec![modifier.clone()], &settings, 6, 0.05);
        assert!(check_formulas(&frame) > 0, "{}", modifier.name());
    }
}

#[test]
fn pushes_of_nodes_have_their_equations() {
    let head = Head { position: Some(Vec3::new(0.2, 1.3, 0.2)), ..Head::default() };
    let frame = frame(vec![Modifier::Head(head)], &Settings::default(), 2, 0.02);
    let run = frame.run(LayerId::FullBody).unwrap();
    let steps: Vec<usize> = (0..run.steps()).filter(|&step| run.step(step).key == "before_iteration").collect();
    assert_eq!(steps.len(), 4, "one event before each iteration");
    let pushed: usize = steps.iter().map(|&step| run.events(step)).sum();
    assert!(pushed > 0);
    for (step, event) in steps.iter().flat_map(|&step| (0..run.events(step)).map(move |event| (step, event))) {
        let (sheet, at) = (run.formula(step, event).unwrap(), Cursor { step, within: Some(event) });
        let body = frame.full_body().unwrap();
        let moved = body.recalled().solve.events_of(step)[event];
        assert_eq!(run.cause(step, event).label, "head effector 1");
        let Value::Point(found) = sheet.result else { panic!("{:?}", sheet.result) };
        assert!(found.distance(moved.to) < 1e-5 && body.state(at).node(moved.node).distance(moved.to) < 1e-6);
    }
}

#[test]
fn attribution_lists_each_modifiers_part_of_an_offset() {
    let recoil = Modifier::Recoil(Recoil { interval: 0.5, ..Recoil::default() });
    let breathing = Modifier::Breathing(Breathing { depth: 0.04, sway: 0.03, ..Breathing::default() });
    let mut settings = Settings::default();
    settings.effector_mut(Effector::Body).position_offset = Vec3::new(0.0, -0.03, 0.0);
    let frame = frame(vec![recoil, breathing], &settings, 3, 0.05);
    let body = kinescope_ik::full_body::Node::Body as usize;
    let table = attribute(&frame, Target::Point(LayerId::FullBody, body), Grouping::Cause);
    let row = |label: &str| {
        let row = table.rows.iter().find(|row| row.label == label);
        row.unwrap_or_else(|| panic!("{label} is not among {:?}", table.rows)).sum.to_vec3()
    };
    let asked = frame.modifiers(LayerId::Modifiers).unwrap().input_recording().unwrap();
    for (author, label) in [(0, "recoil 1, offset, body"), (1, "breathing 2, offset, body")] {
        let own = asked.events.iter().filter(|act| act.author.index == author);
        let own = own.filter_map(|act| match act.change {
            kinescope_ik::modifiers::Change::Offset { effector: Effector::Body, by } => Some(by),
            _ => None,
        });
        assert!(row(label).distance(own.sum()) < 1e-6, "{label}");
    }
    assert!(row("offset, body").distance(Vec3::new(0.0, -0.03, 0.0)) < 1e-6);
    // Through all layers, a bone's displacements add up to its total displacement.
    let hand = figure().limbs[1][2];
    let table = attribute(&frame, Target::Bone(hand), Grouping::Cause);
    let way = frame.pose[hand].position - frame.input.animated.bones[hand].position;
    assert!((table.distance() - f64::from(way.length())).abs() < 1e-6);
}

#[test]
fn modifiers_after_ik_do_not_run_if_the_body_fails() {
    let input = Input::new(
        Stack { modifiers: Arc::new(all()), ..Stack::default() },
        ModelPose::rigid(built_in().pose("walk", 0.2)),
    );
    let other = Character::new();
    let other = FullBody::new(&other.skeleton, &other.biped, &other.reference).unwrap();
    let mut foreign = other.workspace();
    for (workspace, fails) in [(None, false), (Some(&mut foreign), true)] {
        let tools = Tools { workspace, ..Tools::default() };
        let frame = kinescope_ik::stack::solve(rig(), tools, &input);
        assert_eq!(frame.problem().map(|(layer, _)| layer), fails.then_some(LayerId::FullBody));
        assert!(frame.run(LayerId::Modifiers).is_some());
        assert_eq!(frame.run(LayerId::AfterWrite).is_some(), !fails);
        assert_eq!(frame.pose == *frame.layer(LayerId::FullBody).unwrap().before, fails);
    }
}

#[test]
fn every_instant_of_a_step_can_be_shown() {
    let frame = frame(all(), &Settings::default(), 12, 0.05);
    for id in [LayerId::Modifiers, LayerId::AfterWrite] {
        let run = frame.run(id).unwrap();
        assert_eq!(run.steps(), all().len());
        let mut pose = frame.layer(id).unwrap().before.to_vec();
        run.pose(Cursor::end(run), &mut pose);
        let next = frame.layers.iter().position(|layer| layer.id == id).unwrap() + 1;
        let after = frame.layers.get(next).map_or(&frame.pose, |layer| &layer.before);
        assert_eq!(&pose, after, "{id:?}");
        for step in 0..run.steps() {
            let count = run.events(step);
            if count > 0 {
                let [last, end] = [Some(count - 1), None].map(|within| run.places(Cursor { step, within }));
                assert_eq!(last, end, "the last event leads to the end of the step");
            }
            for event in 0..count {
                assert!(!run.event(step, event, &|length| format!("{length}")).text.is_empty());
            }
        }
    }
}

#[test]
fn a_head_within_reach_is_on_its_target_and_feet_stay() {
    let standing = built_in().reference();
    let head = figure().head.unwrap();
    let at = standing[head];
    for way in [
        Vec3::new(0.0, -0.02, 0.0),
        Vec3::new(0.0, -0.25, 0.05),
        Vec3::new(0.15, -0.1, 0.0),
        Vec3::new(0.0, -0.15, 0.3),
        Vec3::new(-0.2, -0.3, -0.1),
        Vec3::new(0.05, -0.05, -0.12),
    ] {
        for rotation in [Quat::IDENTITY, Quat::from_rotation_y(0.6), Quat::from_rotation_x(0.4)] {
            let own = Head {
                position: Some(at.position + way),
                rotation: Some(rotation * at.rotation),
                rotation_weight: 1.0,
                ..Head::default()
            };
            let after = solved(&mut Running::new(Modifier::Head(own)), &seen(0.02, 0.0), standing);
            let error = after[head].position.distance(at.position + way);
            assert!(error < 1e-3, "{way}: {:.2} mm", error * 1e3);
            let off = after[head].rotation.angle_between(rotation * at.rotation).to_degrees();
            assert!(off < 0.5, "{way}: {off:.2}°");
            for limb in [LimbName::LeftLeg, LimbName::RightLeg] {
                let foot = figure().limbs[limb.index()][2];
                let slid = after[foot].position.distance(standing[foot].position);
                assert!(slid < 1e-3, "{way}: {} slid {:.2} mm", limb.label(), slid * 1e3);
            }
        }
    }
}

#[test]
fn a_head_and_two_hands_are_enough() {
    let standing = built_in().reference();
    let head = figure().head.unwrap();
    let hands = [LimbName::LeftArm, LimbName::RightArm].map(|limb| figure().limbs[limb.index()][2]);
    let target = standing[head].position + Vec3::new(0.05, -0.12, 0.1);
    let mut settings = Settings::default();
    let places = [Vec3::new(0.25, 1.15, 0.4), Vec3::new(-0.2, 1.3, 0.35)];
    for (effector, place) in [Effector::LeftHand, Effector::RightHand].into_iter().zip(places) {
        let own = settings.effector_mut(effector);
        (own.position, own.position_weight) = (Some(place), 1.0);
    }
    let mut running = Running::new(Modifier::Head(Head { position: Some(target), ..Head::default() }));
    let (solver, mut pose) = (&built_in().solver, standing.to_vec());
    let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
    solve(solver, &mut solver.workspace(), &settings, modifiers, &seen(0.02, 0.0), &mut pose).unwrap();
    assert!(pose[head].position.distance(target) < 1e-3);
    for (hand, place) in hands.into_iter().zip(places) {
        assert!(pose[hand].position.distance(place) < 2e-3, "{}", pose[hand].position.distance(place));
    }
}

#[test]
fn eyes_and_hands_come_onto_their_target() {
    use kinescope_ik::modifiers::Aims;
    let standing = built_in().reference();
    let head = figure().head.unwrap();
    for target in [Vec3::new(0.6, 1.5, 1.0), Vec3::new(-1.0, 2.0, 0.8), Vec3::new(0.2, 0.6, 1.0)] {
        let own = LookAt { target: Some(target), ..LookAt::default() };
        let after = solved(&mut Running::new(Modifier::LookAt(own)), &seen(0.02, 0.0), standing);
        let eyes = after[head].rotation * figure().eyes;
        let off = eyes.angle_between(target - after[head].position).to_degrees();
        assert!(off < 0.1, "{target}: {off}°");
    }
    // The spine alone turns a hand held out in front to within 3° of its target.
    let [upper, forearm, hand] = figure().limbs[1];
    let mut pose = standing.to_vec();
    let straight = |pose: &mut Vec<RigidTransform>, bone: usize, next: usize| {
        let along = pose[next].position - pose[bone].position;
        let turn = Quat::from_rotation_arc(along.normalize(), Vec3::Z);
        let mut bones = |act| {
            let _: kinescope_ik::modifiers::Act = act;
            kinescope_ik::stepped::GO_ON
        };
        Bones::new(seen(0.0, 0.0), Author { index: 0, name: "" }, pose, &mut bones).turn(bone, turn);
    };
    straight(&mut pose, upper, forearm);
    straight(&mut pose, forearm, hand);
    for target in [Vec3::new(0.6, 1.5, 2.0), Vec3::new(-1.0, 1.8, 2.0)] {
        let own =
            LookAt { target: Some(target), aims: Aims::RightHand, spine: 1.0, spine_limit: 180.0, ..LookAt::default() };
        let off = |pose: &[RigidTransform]| {
            let from = pose[hand].position;
            (from - pose[forearm].position).angle_between(target - from).to_degrees()
        };
        let after = solved(&mut Running::new(Modifier::LookAt(own)), &seen(0.02, 0.0), &pose);
        assert!(off(&plain(&pose)) > 10.0 && off(&after) < 3.0, "{target}: {} {}", off(&after), off(&plain(&pose)));
    }
    // For targets behind the back, no bone turns beyond its limit: the eyes against the chest, the chest against the
    // heading.
    for x in [-2.0, -1e-3, 0.0, 1e-3, 2.0] {
        let own = LookAt { target: Some(Vec3::new(x, 1.6, -2.0)), ..LookAt::default() };
        let after = solved(&mut Running::new(Modifier::LookAt(own.clone())), &seen(0.02, 0.0), standing);
        let chest = after[figure().chest()].rotation * figure().chest;
        let eyes = after[head].rotation * figure().eyes;
        let (turned, twisted) =
            (eyes.angle_between(chest).to_degrees(), chest.angle_between(figure().facing).to_degrees());
        assert!(turned < own.head_limit + 0.5 && twisted < own.spine_limit + 0.5, "{x}: {turned} {twisted}");
        assert!(x.abs() < 1.0 || turned > own.head_limit - 10.0, "{x}: {turned}");
    }
}

#[test]
fn the_neck_takes_its_share_within_its_limit() {
    let standing = built_in().reference();
    let neck = *figure().neck.first().unwrap();
    let turned = |own: LookAt| {
        let after = solved(&mut Running::new(Modifier::LookAt(own)), &seen(0.02, 0.0), standing);
        let plain = plain(standing);
        after[neck].rotation.angle_between(plain[neck].rotation).to_degrees()
    };
    let own = LookAt { target: Some(Vec3::new(2.0, 1.6, 1.0)), spine: 0.0, ..LookAt::default() };
    let half = turned(own.clone());
    assert!(half > 20.0, "{half}");
    assert_eq!(turned(LookAt { neck: 0.0, ..own.clone() }), 0.0);
    assert!((turned(LookAt { neck: 1.0, ..own.clone() }) - 2.0 * half).abs() < 0.5);
    assert!((turned(LookAt { neck: 1.0, neck_limit: 15.0, ..own }) - 15.0).abs() < 0.5);
}

#[test]
fn an_elbow_moves_no_more_than_the_hand_times_a_factor() {
    use kinescope_ik::modifiers::elbow;
    // Skips hands within 50° of the direction opposite to `HELD_OUT`: there the elbow's direction is undefined.
    let against = -Vec3::new(0.5, 0.3, 0.8).normalize();
    let mut worst: f32 = 0.0;
    for yaw in 0..180 {
        for pitch in -44..45 {
            let hand = |yaw: f32, pitch: f32| {
                let (yaw, pitch) = (yaw.to_radians(), pitch.to_radians());
                Vec3::new(yaw.cos() * pitch.cos(), pitch.sin(), yaw.sin() * pitch.cos())
            };
            let at = hand(yaw as f32 * 2.0, pitch as f32 * 2.0);
            if at.angle_between(against).to_degrees() < 50.0 {
                continue;
            }
            for (dy, dp) in [(0.1, 0.0), (0.0, 0.1)] {
                let near = hand(yaw as f32 * 2.0 + dy, pitch as f32 * 2.0 + dp);
                let gone = at.angle_between(near);
                if gone > 1e-5 {
                    worst = worst.max(elbow(at).angle_between(elbow(near)) / gone);
                }
            }
            assert!(elbow(at).dot(at).abs() < 1e-5 && (elbow(at).length() - 1.0).abs() < 1e-5);
        }
    }
    println!("the elbow turns {worst:.2} times as far as the hand at most");
    // The bound is tan(65°) = 2.14, plus 1 because the direction of the elbow turns with that of the hand.
    assert!(worst < 3.2, "{worst}");
}

#[test]
fn arms_are_bent_alike_in_a_mirror() {
    let standing = built_in().reference();
    let bent = |left: Vec3, right: Vec3| {
        let mut settings = Settings::default();
        for (effector, place) in [(Effector::LeftHand, left), (Effector::RightHand, right)] {
            let own = settings.effector_mut(effector);
            (own.position, own.position_weight) = (Some(place), 1.0);
        }
        let mut running = Running::new(Modifier::ArmBending(ArmBending::default()));
        let (solver, mut pose) = (&built_in().solver, standing.to_vec());
        let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
        solve(solver, &mut solver.workspace(), &settings, modifiers, &seen(0.02, 0.0), &mut pose).unwrap();
        [0, 1].map(|arm: usize| pose[figure().limbs[arm][1]].position)
    };
    let mirror = Vec3::new(-1.0, 1.0, 1.0);
    let (a, b) = (Vec3::new(0.3, 1.5, 0.3), Vec3::new(-0.1, 1.1, 0.25));
    let [left, right] = bent(a, b);
    let [other_left, other_right] = bent(b * mirror, a * mirror);
    assert!(left.distance(other_right * mirror) < 2e-3, "{left} {other_right}");
    assert!(right.distance(other_left * mirror) < 2e-3, "{right} {other_left}");
    // For hands in front, elbows point down and out.
    let [left, right] = bent(Vec3::new(0.25, 1.2, 0.3), Vec3::new(-0.25, 1.2, 0.3));
    assert!(left.x > 0.22 && right.x < -0.22 && left.y < 1.35 && right.y < 1.35, "{left} {right}");
}

const MIRROR: Vec3 = Vec3::new(-1.0, 1.0, 1.0);

fn mirrored_turn(turn: Quat) -> Quat {
    Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

/// Returns the bones' positions 0.32 s after the modifier is triggered. The character sways sideways by ±`sway` metres.
fn a_moment_in(modifier: Modifier, hit: Option<Hit>, sway: f32) -> Vec<Vec3> {
    let mut running = Running::new(modifier);
    let mut after = Vec::new();
    for frame in 0..20 {
        let time = frame as f32 * 0.02;
        let mut pose = built_in().reference().to_vec();
        pose.iter_mut().for_each(|bone| bone.position.x += sway * (6.0 * time).sin());
        if frame == 3 {
            running.trigger();
            hit.map(|hit| running.strike(hit));
        }
        after = solved(&mut running, &seen(0.02, time), &pose);
    }
    after.iter().map(|bone| bone.position).collect()
}

#[test]
fn mirrored_input_gives_the_mirrored_result() {
    let (at, turn) = (Vec3::new(0.3, 1.3, 0.35), Quat::from_euler(glam::EulerRot::YXZ, 0.4, 0.3, 0.2));
    let places = [(at, turn), (at * MIRROR, mirrored_turn(turn))];
    let both =
        |make: &dyn Fn(usize, Vec3, Quat) -> Modifier| [0, 1].map(|side| make(side, places[side].0, places[side].1));
    let hands = [Effector::LeftHand, Effector::RightHand];
    let cases = [
        both(&|side, _, _| Modifier::Recoil(Recoil { hand: Side::ALL[side], ..Recoil::default() })),
        both(&|side, _, _| Modifier::Recoil(Recoil { hand: Side::ALL[side], both_hands: false, ..Recoil::default() })),
        both(&|_, _, _| Modifier::HitReaction(HitReaction::default())),
        both(&|_, _, _| Modifier::Inertia(Inertia::default())),
        both(&|_, at, _| Modifier::LookAt(LookAt { target: Some(at + Vec3::Y), ..LookAt::default() })),
        both(&|side, at, _| {
            let aims = [Aims::LeftHand, Aims::RightHand][side];
            Modifier::LookAt(LookAt { target: Some(at + Vec3::Z), aims, ..LookAt::default() })
        }),
        both(&|side, at, turn| {
            let own =
                ReachFor { effector: hands[side], position: Some(at), rotation: Some(turn), ..ReachFor::default() };
            Modifier::ReachFor(ReachFor { rotation_weight: 0.0, approach: 0.1, ..own })
        }),
        both(&|side, position, _| {
            let key = |time| Key { time, position, rotation_weight: 0.0, ..Key::default() };
            let track = Track { effector: hands[side], keys: vec![key(0.0), key(2.0)] };
            Modifier::Keyed(Keyed { tracks: vec![track], ..Keyed::default() })
        }),
        both(&|_, at, turn| {
            let own = Head { position: Some(at * 0.3 + Vec3::Y * 1.1), chest_direction: Some(at), ..Head::default() };
            Modifier::Head(Head { rotation: Some(turn), rotation_weight: 1.0, ..own })
        }),
    ];
    let names: Vec<&str> = built_in().model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    let opposite = |name: &str| match name.split_once('_') {
        Some(("left", part)) => format!("right_{part}"),
        Some(("right", part)) => format!("left_{part}"),
        _ => name.to_owned(),
    };
    for [modifier, other] in cases {
        let name = modifier.name();
        let hit = Hit { point: Vec3::new(0.15, 1.4, 0.15), direction: Vec3::new(-0.5, 0.1, -0.9), force: 0.1 };
        let in_mirror = Hit { point: hit.point * MIRROR, direction: hit.direction * MIRROR, ..hit };
        let is_hit = matches!(modifier, Modifier::HitReaction(_));
        let after = a_moment_in(modifier, is_hit.then_some(hit), 0.2);
        let asymmetric = |index: usize, own: &&str| {
            let twin = names.iter().position(|&name| name == opposite(own)).unwrap();
            after[index].distance(after[twin] * MIRROR) > 5e-3
        };
        assert!(names.iter().enumerate().any(|(index, own)| asymmetric(index, own)), "{name} does nothing to one side");
        let other = a_moment_in(other, is_hit.then_some(in_mirror), -0.2);
        for (index, own) in names.iter().enumerate() {
            let twin = names.iter().position(|&name| name == opposite(own)).unwrap();
            let apart = after[index].distance(other[twin] * MIRROR);
            assert!(apart < 2e-3, "{name}, {own}: {:.2} mm", apart * 1e3);
        }
    }
}

fn any_modifier() -> impl Strategy<Value = Modifier> {
    let count = kinds().len();
    let places = (prop::option::of(vector(2.0)), prop::option::of(vector(2.0)), prop::option::of(turn(3.0)));
    (0..count, prop::collection::vec(fraction(), 24), places).prop_map(|(kind, numbers, (a, b, rotation))| {
        let mut modifier = kinds()[kind].clone();
        let own = modifier.parameters_mut();
        for (parameter, value) in own.parameters().iter().zip(numbers) {
            own.set_number(parameter.key, parameter.min + (parameter.max - parameter.min) * value);
        }
        match &mut modifier {
            Modifier::LookAt(own) => own.target = a,
            Modifier::ReachFor(own) => (own.position, own.to, own.rotation) = (a, b, rotation),
            Modifier::Head(own) => {
                (own.position, own.rotation) = (a, rotation);
                own.chest_direction = b.filter(|b| b.length() > 1e-3);
            }
            _ => {}
        }
        assert_eq!(modifier.validate(), Ok(()));
        modifier
    })
}

property! {
    #![proptest_config(cases(48))]

    #[test]
    fn without_weight_every_modifier_is_neutral_bit_for_bit(
        mut modifier in any_modifier(), settings in settings(), time in 0.0f32..1.0, dt in 0.0f32..0.5,
    ) {
        set_weights(&mut modifier, 0.0);
        if let Modifier::Keyed(own) = &mut modifier {
            own.tracks.iter_mut().flat_map(|track| &mut track.keys).for_each(|key| key.rotation_weight = 1.0);
        }
        let before = built_in().pose("walk", time);
        let solver = &built_in().solver;
        let mut expected = before.clone();
        let done = solver.solve(&mut solver.workspace(), &settings.clone(), &mut expected);
        let mut running = Running::new(modifier);
        running.trigger();
        let _ = running.strike(Hit { point: Vec3::Y, direction: Vec3::X, force: 0.1 });
        for frame in 0..4 {
            let (mut after, seen) = (before.clone(), seen(dt, dt * frame as f32));
            let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
            let same = solve(solver, &mut solver.workspace(), &settings.clone(), modifiers, &seen, &mut after);
            prop_assert_eq!(same, done);
            prop_assert_eq!(&after, &expected);
        }
    }

    /// At master weight 0 the pose stays the animated one, so that fading the weight to 0 does not end in a jump.
    #[test]
    fn at_master_weight_0_every_modifier_is_neutral_bit_for_bit(modifier in any_modifier(), time in 0.0f32..1.0) {
        let before = built_in().pose("walk", time);
        let mut running = Running::new(modifier.clone());
        let mut settings = Settings::default();
        settings.solver.weight = 0.0;
        for frame in 0..4 {
            let (mut after, seen) = (before.clone(), seen(0.05, 0.05 * frame as f32));
            running.trigger();
            let solver = &built_in().solver;
            let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
            let done = solve(solver, &mut solver.workspace(), &settings, modifiers, &seen, &mut after);
            prop_assert_eq!(done, Ok(kinescope_ik::Status::NothingToDo));
            prop_assert_eq!(&after, &before);
        }
        let frame = frame(vec![modifier], &settings, 4, 0.05);
        prop_assert_eq!(&frame.pose, &frame.input.animated.bones);
    }

    #[test]
    fn any_input_gives_finite_poses_and_steps(
        modifiers in prop::collection::vec(any_modifier(), 1..4),
        settings in settings(),
        dt in prop_oneof![Just(0.0f32), Just(1e9), 0.0f32..0.5],
        frames in 1usize..5,
    ) {
        let frame = frame(modifiers, &settings, frames, dt);
        prop_assert!(frame.pose.iter().all(RigidTransform::is_finite));
        for layer in &frame.layers {
            let Some(run) = layer.run() else { continue };
            for at in kinescope_ik::stepped::run::instants(run) {
                prop_assert!(run.places(at).iter().all(|place| place.is_finite()), "{:?} {at:?}", layer.id);
            }
        }
    }

    #[test]
    fn lengths_of_limbs_stay_where_nothing_stretches(modifier in any_modifier()) {
        // Recoil and similar modifiers may stretch the torso; limbs keep their lengths.
        let frame = frame(vec![modifier], &Settings::default(), 3, 0.05);
        for bones in figure().limbs {
            for pair in bones.windows(2) {
                let length = |pose: &[RigidTransform]| pose[pair[0]].position.distance(pose[pair[1]].position);
                let (before, after) = (length(&frame.input.animated.bones), length(&frame.pose));
                prop_assert!((before - after).abs() < 1e-3 * before.max(0.1), "{before} {after}");
            }
        }
    }
}

#[test]
fn bad_numbers_are_named() {
    let recoil = |kick: f32| Modifier::Recoil(Recoil { kick, ..Recoil::default() });
    let stack = Stack { modifiers: Arc::new(vec![recoil(0.1), recoil(2.0)]), ..Stack::default() };
    let fault = stack.validate().unwrap_err().to_string();
    assert_eq!(fault, "modifiers[1].recoil.kick: is 2; it must be a number from 0 to 1");
    let head = Head { chest_direction: Some(Vec3::ZERO), ..Head::default() };
    let fault = Modifier::Head(head).validate().unwrap_err().to_string();
    assert!(fault.starts_with("head.chest_direction: is [0, 0, 0]"), "{fault}");
    let preset = r#"{"format":"kinescope-preset","version":1,"modifiers":[{"recoil":{"kik":1}}]}"#;
    let fault = kinescope_ik::Preset::from_json(preset).and_then(|preset| Stack::of_preset(&preset)).unwrap_err();
    assert!(fault.to_string().contains("modifiers[0].recoil") && fault.to_string().contains("kik"), "{fault}");
    let preset = r#"{"format":"kinescope-preset","version":1,"modifiers":[{"recoyl":{}}]}"#;
    let fault = kinescope_ik::Preset::from_json(preset).and_then(|preset| Stack::of_preset(&preset)).unwrap_err();
    assert!(fault.to_string().starts_with("modifiers[0]") && fault.to_string().contains("recoyl"), "{fault}");
}

#[test]
fn modifiers_survive_their_preset() {
    let stack = Stack { modifiers: Arc::new(kinds()), ..Stack::default() };
    let text = stack.to_preset().to_json();
    let read = Stack::of_preset(&kinescope_ik::Preset::from_json(&text).unwrap()).unwrap();
    assert_eq!(read, stack);
    assert_eq!(Stack::from_value(stack.to_value()).unwrap(), stack);
}
