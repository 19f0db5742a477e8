//! Attached targets follow their bone or effector without feedback, and invalid attachments are refused by name.

use std::sync::Arc;

use glam::{Quat, Vec3};
use kinescope_ik::attach::{Anchor, Attachment, Attachments};
use kinescope_ik::capsule::{Capsule, CapsuleFrame};
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::modifiers::{LookAt, Modifier, ReachFor};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::{Attached, Frame, Input, LayerId, Stack, Tools, solve};
use kinescope_ik::stepped::Cursor;

use crate::common::built_in::built_in;
use crate::common::flaws::flaws;
use crate::modifiers::rig;

const OFFSET: Vec3 = Vec3::new(0.05, -0.12, 0.2);

fn bone_name(bone: usize) -> String {
    built_in().model.skeleton.bones()[bone].name.clone()
}

fn head() -> usize {
    built_in().biped().head.unwrap()
}

fn hand(effector: Effector) -> usize {
    rig().figure.as_ref().unwrap().bone_of(effector)
}

fn to_bone(bone: usize) -> Attachment {
    Attachment { to: Anchor::Bone(bone_name(bone)), offset: OFFSET, rotation_offset: None }
}

fn to_effector(effector: Effector) -> Attachment {
    Attachment { to: Anchor::Effector(effector), offset: OFFSET, rotation_offset: None }
}

fn attached(all: impl IntoIterator<Item = (Effector, Attachment)>) -> Stack {
    let mut stack = Stack::default();
    for (effector, own) in all {
        stack.full_body.effector_mut(effector).position_weight = 1.0;
        *stack.attachment_mut(Attached::Effector(effector)).unwrap() = Some(own);
    }
    stack
}

fn frame_of(stack: &Stack, pose: Vec<RigidTransform>) -> Frame {
    stack.validate().unwrap();
    solve(rig(), Tools::default(), &Input::new(stack.clone(), ModelPose::rigid(pose)))
}

fn target(frame: &Frame, effector: Effector) -> Vec3 {
    frame.full_body().unwrap().settings.effector(effector).position.unwrap()
}

fn walk(time: f32) -> Vec<RigidTransform> {
    built_in().pose("walk", time)
}

#[test]
fn an_attached_target_follows_a_bone_that_turns_and_moves() {
    let turn = Quat::from_rotation_y(0.4);
    let mut own = to_bone(head());
    own.rotation_offset = Some(turn);
    let mut stack = attached([(Effector::LeftHand, own)]);
    stack.full_body.effector_mut(Effector::LeftHand).rotation_weight = 1.0;
    let mut places = Vec::new();
    for angle in [0.0, 0.7, -1.9, 3.1] {
        let mut pose = walk(0.3);
        let by = Quat::from_euler(glam::EulerRot::XYZ, angle, 0.5 * angle, 0.2);
        pose[head()].rotation = by * pose[head()].rotation;
        pose[head()].position += Vec3::X * angle * 0.05;
        let bone = pose[head()];
        let frame = frame_of(&stack, pose);
        let asked = frame.full_body().unwrap().settings;
        let place = target(&frame, Effector::LeftHand);
        assert!(place.distance(bone.position + bone.rotation * OFFSET) < 1e-6, "{angle}");
        let rotation = asked.effector(Effector::LeftHand).rotation.unwrap();
        assert!(rotation.dot(bone.rotation * turn).abs() > 1.0 - 1e-6, "{angle}");
        places.push(place);
    }
    assert!(places[0].distance(places[2]) > 0.1, "{places:?}");
}

#[test]
fn chains_of_attachments_are_resolved_in_the_order_of_dependency() {
    // The order of effectors would resolve the body first, but it depends on the left hand.
    let all = [
        (Effector::Body, to_effector(Effector::LeftHand)),
        (Effector::LeftHand, to_effector(Effector::RightFoot)),
        (Effector::RightFoot, to_bone(head())),
    ];
    let pose = walk(0.5);
    let frame = frame_of(&attached(all), pose.clone());
    let mut at = pose[head()].position + pose[head()].rotation * OFFSET;
    assert!(target(&frame, Effector::RightFoot).distance(at) < 1e-6);
    for (on, own) in [(Effector::RightFoot, Effector::LeftHand), (Effector::LeftHand, Effector::Body)] {
        // Without rotation weight, an effector has the rotation of its animated bone.
        at += pose[hand(on)].rotation * OFFSET;
        assert!(target(&frame, own).distance(at) < 1e-6, "{own:?}");
    }
    let order: Vec<Attached> = frame.attachments().unwrap().anchors().iter().map(|(target, _)| *target).collect();
    let effectors = [Effector::RightFoot, Effector::LeftHand, Effector::Body];
    assert_eq!(order, effectors.map(Attached::Effector));
}

#[test]
fn an_effector_is_where_its_target_is_while_it_has_weight() {
    let mut stack = attached([(Effector::LeftHand, to_effector(Effector::RightHand))]);
    let (place, turn) = (Vec3::new(-0.2, 1.3, 0.4), Quat::from_rotation_z(1.0));
    let right = stack.full_body.effector_mut(Effector::RightHand);
    (right.position, right.rotation) = (Some(place), Some(turn));
    let pose = walk(0.2);
    let bone = pose[hand(Effector::RightHand)];
    let left = |stack: &Stack| target(&frame_of(stack, pose.clone()), Effector::LeftHand);
    assert!(left(&stack).distance(bone.position + bone.rotation * OFFSET) < 1e-6, "no weight: the animated bone");
    stack.full_body.effector_mut(Effector::RightHand).position_weight = 0.3;
    assert!(left(&stack).distance(place + bone.rotation * OFFSET) < 1e-6, "the target's position, the bone's rotation");
    stack.full_body.effector_mut(Effector::RightHand).rotation_weight = 0.3;
    assert!(left(&stack).distance(place + turn * OFFSET) < 1e-6, "the target's position and rotation");
}

#[test]
fn attachments_do_not_feed_back_from_the_solve() {
    // The left hand follows its own bone, a bone that another effector moves, or the chest, which the hands pull.
    let chest = rig().figure.as_ref().unwrap().chest();
    for bone in [hand(Effector::LeftHand), hand(Effector::RightHand), chest] {
        let mut stack = attached([(Effector::LeftHand, to_bone(bone))]);
        let right = stack.full_body.effector_mut(Effector::RightHand);
        (right.position, right.position_weight) = (Some(Vec3::new(-0.3, 1.5, 0.8)), 1.0);
        let pose = walk(0.4);
        let first = frame_of(&stack, pose.clone());
        let place = pose[bone].position + pose[bone].rotation * OFFSET;
        assert!(target(&first, Effector::LeftHand).distance(place) < 1e-6);
        assert!(first.pose[bone].position.distance(pose[bone].position) > 0.01, "the solve moves the bone");
        let next = Input { memory: first.memory.clone(), ..first.input.clone() };
        assert_eq!(solve(rig(), Tools::default(), &next).pose, first.pose);
    }
}

#[test]
fn look_at_and_reach_for_follow_their_attachments() {
    let look = |attached| Modifier::LookAt(LookAt { attached, ..LookAt::default() });
    let point = |target| Modifier::LookAt(LookAt { target: Some(target), ..LookAt::default() });
    let pose = walk(0.6);
    let bone = pose[hand(Effector::RightHand)];
    let place = bone.position + bone.rotation * OFFSET;
    let with = |modifier: Modifier| Stack { modifiers: Arc::new(vec![modifier]), ..Stack::default() };
    let anchors = [to_bone(hand(Effector::RightHand)), to_effector(Effector::RightHand)];
    for own in anchors {
        let frame = frame_of(&with(look(Some(own))), pose.clone());
        let same = frame_of(&with(point(place)), pose.clone());
        let far = frame.pose.iter().zip(&same.pose).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max);
        assert!(far < 1e-5, "{far}");
        assert!(
            frame.pose[head()].rotation.dot(pose[head()].rotation).abs() < 0.999,
            "the head looks in another direction"
        );
    }
    let turned = Attachment { rotation_offset: Some(Quat::from_rotation_x(0.3)), ..to_bone(head()) };
    let reach = ReachFor { attached: Some(turned), rotation_weight: 1.0, interval: 1.0, ..ReachFor::default() };
    let frame = frame_of(&with(Modifier::ReachFor(reach)), pose.clone());
    let (at, rotation) = frame.stack.target(Attached::Modifier(0));
    assert!(at.unwrap().distance(pose[head()].position + pose[head()].rotation * OFFSET) < 1e-6);
    let expected = pose[head()].rotation * Quat::from_rotation_x(0.3);
    assert!(rotation.unwrap().dot(expected).abs() > 1.0 - 1e-6);
    // A modifier that is off requests no target, so the frame has no layer for attachments.
    let off = LookAt { off: true, attached: Some(to_bone(head())), ..LookAt::default() };
    assert!(frame_of(&with(Modifier::LookAt(off)), pose).layer(LayerId::Attachments).is_none());
}

#[test]
fn a_cycle_is_refused_with_both_fields() {
    let read = |attachments: serde_json::Value| {
        let file = serde_json::json!({ "format": "kinescope-preset", "version": 1, "attachments": attachments });
        Stack::of_preset(&Preset::from_json(&file.to_string()).unwrap()).map_err(|fault| fault.to_string())
    };
    let on = |effector: &str| serde_json::json!({ "to": { "effector": effector } });
    let error = read(serde_json::json!({ "left_hand": on("right_hand"), "right_hand": on("left_hand") })).unwrap_err();
    assert_eq!(
        error,
        "attachments.left_hand.to.effector: is right_hand, and attachments.right_hand.to.effector leads back to \
         left_hand: detach one of them"
    );
    let error = read(serde_json::json!({ "body": on("body") })).unwrap_err();
    assert!(error.starts_with("attachments.body.to.effector: is the effector itself"), "{error}");
    for (wrong, place) in [
        (serde_json::json!({ "left_hand": { "to": { "bon": "Head" } } }), "attachments.left_hand.to"),
        (serde_json::json!({ "left_hand": { "offset": [0, 0, 0] } }), "attachments.left_hand"),
        (serde_json::json!({ "tail": on("body") }), "attachments.tail"),
        (
            serde_json::json!({ "body": { "to": { "effector": "left_hand" }, "offset": [0, 1e20, 0] } }),
            "attachments.body.offset",
        ),
        (
            serde_json::json!({ "body": { "to": { "effector": "left_hand" }, "rotation_offset": [0, 0, 0, 0] } }),
            "attachments.body.rotation_offset",
        ),
    ] {
        let error = read(wrong).unwrap_err();
        assert!(error.starts_with(place), "{error}");
    }
    let look = LookAt {
        attached: Some(Attachment { rotation_offset: Some(Quat::IDENTITY), ..to_bone(head()) }),
        ..LookAt::default()
    };
    let stack = Stack { modifiers: Arc::new(vec![Modifier::LookAt(look)]), ..Stack::default() };
    let error = stack.validate().unwrap_err().to_string();
    assert!(error.starts_with("modifiers[0].look_at.attached.rotation_offset"), "{error}");
}

#[test]
fn an_unknown_bone_is_named_and_targets_keep_their_stored_position() {
    let missing = |own: &mut Attachment| own.to = Anchor::Bone("tail".to_owned());
    let mut own = to_bone(head());
    missing(&mut own);
    let mut stack = attached([(Effector::LeftHand, own), (Effector::RightHand, to_bone(head()))]);
    let stored = Vec3::new(0.3, 1.2, 0.3);
    stack.full_body.effector_mut(Effector::LeftHand).position = Some(stored);
    let frame = frame_of(&stack, walk(0.0));
    let (layer, problem) = frame.problem().unwrap();
    assert_eq!(layer, LayerId::Attachments);
    assert_eq!(problem, "attachments.left_hand.to.bone: the model has no bone \"tail\"; choose one of its bones");
    assert_eq!(target(&frame, Effector::LeftHand), stored);

    let mut look = LookAt { attached: Some(to_bone(head())), ..LookAt::default() };
    look.attached.iter_mut().for_each(missing);
    let stack = Stack { modifiers: Arc::new(vec![Modifier::LookAt(look)]), ..Stack::default() };
    let frame = frame_of(&stack, walk(0.0));
    let problem = frame.problem().unwrap().1;
    assert!(problem.starts_with("modifiers[0].look_at.attached.to.bone: the model has no bone \"tail\""), "{problem}");
}

#[test]
fn presets_and_capsules_store_attachments_and_old_files_read_without() {
    let own = Attachment { rotation_offset: Some(Quat::from_rotation_y(0.3)), ..to_bone(head()) };
    let mut stack = attached([(Effector::LeftHand, own), (Effector::Body, to_effector(Effector::LeftHand))]);
    let look = LookAt { attached: Some(to_effector(Effector::Body)), ..LookAt::default() };
    stack.modifiers = Arc::new(vec![Modifier::LookAt(look)]);
    let text = stack.to_preset().to_json();
    assert_eq!(Stack::of_preset(&Preset::from_json(&text).unwrap()).unwrap(), stack);
    assert_eq!(Stack::from_value(stack.to_value()).unwrap(), stack);

    // A preset without attachments is written without any field of them, as in earlier versions.
    let plain = Stack { modifiers: Arc::new(vec![Modifier::LookAt(LookAt::default())]), ..Stack::default() };
    assert!(!plain.to_preset().to_json().contains("attach"));

    // A capsule's frames are reproduced, also from the file; one frame has its own attachments.
    let mut other = stack.clone();
    Arc::make_mut(&mut other.attachments).get_mut(Effector::LeftHand).as_mut().unwrap().offset = Vec3::ZERO;
    let frames = [&stack, &other].into_iter().enumerate().map(|(index, stack)| {
        let time = index as f32 / 30.0;
        let input = Input::new(stack.clone(), ModelPose::rigid(walk(time)));
        CapsuleFrame::solve(rig(), Tools::default(), time, &input)
    });
    let capsule = Capsule {
        name: "attached".into(),
        model: built_in().model.name.clone(),
        skeleton: (*built_in().model.skeleton).clone(),
        biped: Some(built_in().biped().clone()),
        legs: None,
        clip_ranges: None,
        reference: built_in().reference().to_vec(),
        preset: stack.to_preset(),
        frames: frames.collect(),
        instant: kinescope_ik::capsule::Instant::default(),
    };
    let back = Capsule::from_json(&capsule.to_json()).unwrap();
    for (own, read) in capsule.frames.iter().zip(&back.frames) {
        assert_eq!(read.input.stack, own.input.stack);
        let frame = solve(rig(), Tools::default(), &read.input);
        assert_eq!(own.outcome.change(&frame), None);
    }
}

#[test]
fn resolving_targets_allocates_nothing() {
    let all = [(Effector::LeftHand, to_bone(head())), (Effector::Body, to_effector(Effector::LeftHand))];
    let stack = attached(all);
    let pose = walk(0.1);
    let posed = rig().posed(&pose).unwrap();
    let mut modifiers = [Modifier::LookAt(LookAt { attached: Some(to_effector(Effector::Body)), ..LookAt::default() })];
    let mut settings: Settings = stack.full_body;
    let counted = crate::allocation::allocations(|| {
        kinescope_ik::attach::resolve(&stack.attachments, &posed, &mut settings, |_, _| {}).unwrap();
        for modifier in &mut modifiers {
            assert!(modifier.attach(&posed, &settings).unwrap().is_some());
        }
    });
    assert_eq!(counted, 0);
    assert!(settings.effector(Effector::Body).position.is_some());
}

#[test]
fn every_attached_target_is_a_step_with_its_equation() {
    let own = Attachment { rotation_offset: Some(Quat::from_rotation_y(0.3)), ..to_bone(head()) };
    let mut stack = attached([(Effector::LeftHand, own), (Effector::RightHand, to_effector(Effector::LeftHand))]);
    let look = LookAt { attached: Some(to_effector(Effector::RightHand)), ..LookAt::default() };
    stack.modifiers = Arc::new(vec![Modifier::LookAt(look)]);
    let frame = frame_of(&stack, walk(0.5));
    let run = frame.run(LayerId::Attachments).unwrap();
    let names: Vec<String> = (0..run.steps()).map(|step| run.step(step).name).collect();
    assert_eq!(names, ["left hand", "right hand", "look at 1"]);
    for step in 0..run.steps() {
        let sheet = run.formula(step, 0).unwrap();
        assert_eq!(flaws(&sheet, usize::MAX), Vec::<String>::new(), "{sheet:#?}");
        assert_eq!(sheet.lines.last().unwrap().symbolic, "target = p + R · offset");
        let kinescope_ik::notation::Value::Point(place) = sheet.result else { panic!("{sheet:#?}") };
        assert!(place.distance(run.places(Cursor { step, within: None })[step]) < 1e-6);
        assert!(run.event(step, 0, &|length| format!("{length} m")).text.contains("follows"));
    }
    // At the end of the layer the hand is where the solve puts it; at the first step, later targets are not applied
    // yet.
    let at_end = frame.pose_at(rig(), LayerId::Attachments, Cursor::end(run));
    let hand = hand(Effector::RightHand);
    assert!(at_end[hand].position.distance(frame.layer(LayerId::AfterWrite).unwrap().before[hand].position) < 1e-4);
    let at_first = frame.pose_at(rig(), LayerId::Attachments, Cursor { step: 0, within: None });
    assert!(at_first[hand].position.distance(at_end[hand].position) > 0.01);
}

#[test]
fn an_edit_of_an_attached_target_moves_its_offset() {
    let pose = walk(0.2);
    let posed = rig().posed(&pose).unwrap();
    let all = [(Effector::LeftHand, to_bone(head())), (Effector::RightHand, to_effector(Effector::LeftHand))];
    let stack = attached(all);
    let mut shown = stack.full_body;
    kinescope_ik::attach::resolve(&stack.attachments, &posed, &mut shown, |_, _| {}).unwrap();
    let edit = |change: &dyn Fn(&mut Settings)| {
        let mut attachments = Attachments::clone(&stack.attachments);
        let mut after = shown;
        change(&mut after);
        kinescope_ik::attach::follow_edit(&mut attachments, &posed, [&shown, &stack.full_body], &mut after).unwrap();
        let mut resolved = after;
        kinescope_ik::attach::resolve(&attachments, &posed, &mut resolved, |_, _| {}).unwrap();
        (attachments, after, resolved)
    };
    let place = |settings: &Settings, effector| settings.effector(effector).position.unwrap();
    // Without a change nothing is stored.
    let (attachments, after, _) = edit(&|_| {});
    assert_eq!((&attachments, after), (&*stack.attachments, stack.full_body));
    let by = Vec3::new(0.1, 0.2, -0.1);
    let (attachments, _, resolved) =
        edit(&|after| *after.effector_mut(Effector::LeftHand).position.as_mut().unwrap() += by);
    assert!(place(&resolved, Effector::LeftHand).distance(place(&shown, Effector::LeftHand) + by) < 1e-6);
    assert!(place(&resolved, Effector::RightHand).distance(place(&shown, Effector::RightHand) + by) < 1e-6);
    assert_eq!(attachments.get(Effector::RightHand), stack.attachments.get(Effector::RightHand));
    // Two targets moved together keep their distance: the second does not move twice.
    let (_, _, resolved) = edit(&|after| {
        for effector in [Effector::LeftHand, Effector::RightHand] {
            *after.effector_mut(effector).position.as_mut().unwrap() += by;
        }
    });
    assert!(place(&resolved, Effector::RightHand).distance(place(&shown, Effector::RightHand) + by) < 1e-6);
    // An edit that is refused at a later target changes nothing.
    let missing = Attachment { to: Anchor::Bone("no such bone".to_owned()), ..to_bone(head()) };
    let broken = attached([(Effector::LeftHand, to_bone(head())), (Effector::RightHand, missing)]);
    let (mut attachments, mut after) = (Attachments::clone(&broken.attachments), shown);
    *after.effector_mut(Effector::LeftHand).position.as_mut().unwrap() += by;
    let before = (attachments.clone(), after);
    let settings = [&shown, &broken.full_body];
    assert!(kinescope_ik::attach::follow_edit(&mut attachments, &posed, settings, &mut after).is_err());
    assert_eq!((attachments, after), before);
}
