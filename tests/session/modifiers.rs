//! Modifiers in the session: added, ordered, triggered, hit, dragged, keyed, recorded and baked.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use kinescope::character::Character;
use kinescope::scenes::{RestPose, Scene};
use kinescope::session::commands::Command;
use kinescope::session::headless::Headless;
use kinescope::session::{Action, Selection, Session};
use kinescope::tools::modifiers::session::ModifierAction;
use kinescope::tools::pose::handles::{Grip, HandleId};
use kinescope::tools::steps::session::StepAction;
use kinescope::world::document::Document;
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::{HitReaction, Modifier, Recoil};
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Cursor;

use crate::common::session::{in_scene, run, session};

const DT: f32 = 1.0 / 60.0;

fn with(session: &mut Session, modifiers: Vec<Modifier>) {
    let mut stack = session.world.stack().clone();
    stack.modifiers = Arc::new(modifiers);
    session.edit_stack("modifiers", None, stack);
    session.apply(Action::Select(Selection::Modifier(0, LayerId::Modifiers)));
    session.update(DT);
}

fn bone(session: &Session, effector: Effector) -> Vec3 {
    session.world.bone_position(effector)
}

fn head(session: &Session) -> (Vec3, Quat) {
    let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
    let bone = session.world.picture.pose.bones[head];
    (bone.position, bone.rotation)
}

fn drag(session: &mut Session, id: HandleId, by: Vec2) {
    let handle = session.handles().into_iter().find(|handle| handle.id == id).unwrap();
    session.press(handle.screen);
    assert_eq!(session.interaction.drag.map(|drag| drag.id), Some(id));
    session.drag_to(handle.screen + by);
    session.update(DT);
    session.release();
    session.update(DT);
}

#[test]
fn a_shot_recoils_and_ends() {
    let mut session = session();
    with(&mut session, vec![Modifier::Recoil(Recoil::default())]);
    let before = bone(&session, Effector::RightHand);
    assert!(!session.is_moving(), "nothing happens by itself");
    session.apply(Action::Modifiers(ModifierAction::Trigger(0)));
    let mut most: f32 = 0.0;
    for _ in 0..6 {
        session.update(DT);
        most = most.max(bone(&session, Effector::RightHand).distance(before));
    }
    assert!(most > 0.03 && session.is_moving(), "{most}");
    for _ in 0..60 {
        session.update(DT);
    }
    assert!(bone(&session, Effector::RightHand).distance(before) < 1e-5);
    assert!(!session.is_moving(), "the picture is still");

    run(&mut session, Command::PlayPause);
    let farthest = session.tools.debugger.tape.len() as u64 - 1;
    let at = (0..=farthest).find(|&frame| {
        session.apply(Action::Steps(StepAction::SeekFrame(frame)));
        session.update(DT);
        bone(&session, Effector::RightHand).distance(before) > 0.9 * most
    });
    assert!(at.is_some());
    let run = session.world.solved.run(LayerId::Modifiers).unwrap();
    assert!(run.events(0) >= 5);
    session.apply(Action::Modifiers(ModifierAction::Trigger(0)));
    assert!(session.window.notice.as_ref().unwrap().text.contains("while paused"));
}

#[test]
fn a_weapon_out_of_reach_is_held_by_both_hands_or_the_reason_is_shown() {
    use kinescope::ui::words;
    let mut session = in_scene("two-handed grip");
    let hold = session.world.hold(0).unwrap();
    assert!(hold.gap < 1e-3 && hold.distance < hold.reach[1], "{hold:?}");
    assert_eq!(words::hold(&hold, &session.world.character), "Left hand is on its grip.");
    // The right hand stops short of its target, and without the modifier the left hand does not follow it.
    let target = |session: &Session, hand| session.world.stack().full_body.effector(hand).position.unwrap();
    let [left, right] = [Effector::LeftHand, Effector::RightHand].map(|hand| target(&session, hand));
    assert!(bone(&session, Effector::RightHand).distance(right) > 0.05);
    let missed = |session: &Session| {
        let [left_hand, right_hand] = [Effector::LeftHand, Effector::RightHand].map(|hand| bone(session, hand));
        (left_hand - right_hand).distance(left - right)
    };
    assert!(missed(&session) < 1e-3, "{}", missed(&session));
    let change = |session: &mut Session, change: &dyn Fn(&mut kinescope_ik::stack::Stack)| {
        let mut stack = session.world.stack().clone();
        change(&mut stack);
        session.edit_stack("test", None, stack);
        session.update(DT);
    };
    change(&mut session, &|stack| Arc::make_mut(&mut stack.modifiers)[0].switch(false));
    assert!(missed(&session) > 0.02, "{}", missed(&session));
    assert!(session.world.hold(0).is_none());
    // With a weapon as long as a spear, the message states the distance and the reason.
    change(&mut session, &|stack| {
        Arc::make_mut(&mut stack.modifiers)[0].switch(true);
        let own = stack.full_body.effector_mut(Effector::LeftHand);
        own.position = own.position.map(|place| place + (left - right).normalize());
    });
    let hold = session.world.hold(0).unwrap();
    let message = words::hold(&hold, &session.world.character);
    assert!((hold.gap - (hold.distance - hold.reach[1])).abs() < 1e-3, "{hold:?}");
    assert!(message.starts_with("Left hand is ") && message.contains("off its grip because the grip is"), "{message}");
    assert!(
        session
            .world
            .solved
            .gaps(&session.world.solved.pose)
            .iter()
            .any(|gap| gap.label.contains("left hand on its grip"))
    );
}

#[test]
fn a_click_on_the_body_strikes_where_it_is_clicked() {
    let mut session = session();
    with(&mut session, vec![Modifier::HitReaction(HitReaction::default())]);
    session.apply(Action::Modifiers(ModifierAction::Strikes(true)));
    let chest = session.world.character.rig.figure.as_ref().unwrap().chest();
    let place = session.world.picture.pose.position(chest);
    let at = session.projector().to_screen(place).unwrap();
    let (point, direction) = session.body_under(at).expect("the chest is there");
    assert!(point.distance(place) < 0.2, "{point} {place}");
    let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| bone(&session, foot));
    let shoulder = bone(&session, Effector::LeftShoulder);
    session.press(at);
    assert!(session.interaction.drag.is_none(), "the click strikes and grabs nothing");
    let mut most = Vec3::ZERO;
    for _ in 0..8 {
        session.update(DT);
        let by = bone(&session, Effector::LeftShoulder) - shoulder;
        most = if by.length() > most.length() { by } else { most };
    }
    assert!(most.dot(direction) > 0.02, "{most} along {direction}");
    for (foot, before) in [Effector::LeftFoot, Effector::RightFoot].into_iter().zip(feet) {
        assert!(bone(&session, foot).distance(before) < 2e-3);
    }
    session.press(Vec2::new(240.0, 80.0));
    assert_eq!(session.interaction.selection, Selection::Nothing);
}

#[test]
fn a_head_is_dragged_and_turned() {
    let mut session = in_scene("head and two hands");
    let id = HandleId::Modifier(0, Grip::Target);
    let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| bone(&session, foot));
    let (before, _) = head(&session);
    drag(&mut session, id, Vec2::new(0.0, 40.0));
    let Modifier::Head(own) = &session.world.stack().modifiers[0] else { panic!() };
    let target = own.position.unwrap();
    assert!(target.y < before.y - 0.05, "{target} {before}");
    assert!(head(&session).0.distance(target) < 1e-3);
    for (foot, before) in [Effector::LeftFoot, Effector::RightFoot].into_iter().zip(feet) {
        assert!(bone(&session, foot).distance(before) < 1e-3);
    }
    assert_eq!(session.world.history.labels().0, Some("move target of modifier 1"));

    let (found, _, rotation) = session.gizmo_target().unwrap();
    assert!(found == id && session.takes_rotation(id));
    let turned = (Quat::from_rotation_y(0.5) * rotation).normalize();
    let stack = session.turned(id, turned).unwrap();
    session.edit_stack("turn", None, stack);
    session.update(DT);
    assert!(head(&session).1.angle_between(turned).to_degrees() < 0.5);
    assert!(
        session
            .world
            .solved
            .gaps(&session.world.solved.pose)
            .iter()
            .any(|gap| gap.label == "head" && gap.distance < 1e-3)
    );
}

#[test]
fn keys_are_set_dragged_undone_and_baked() {
    let mut session = in_scene("keyed effectors");
    run(&mut session, Command::PlayPause);
    session.apply(Action::ClipTime(0.55));
    session.update(DT);
    let count = |session: &Session| match &session.world.stack().modifiers[0] {
        Modifier::Keyed(own) => own.tracks[0].keys.len(),
        _ => panic!(),
    };
    let before = count(&session);
    assert!((session.world.clip_time() - 0.55).abs() < 1e-3);
    let id = HandleId::Modifier(0, Grip::Target);
    drag(&mut session, id, Vec2::new(-30.0, -40.0));
    assert_eq!(count(&session), before + 1, "one key for one drag");
    let (_, place, _) = session.gizmo_target().unwrap();
    let hand = bone(&session, Effector::RightHand);
    assert!(hand.distance(place) < 0.05, "{hand} {place}");
    run(&mut session, Command::Undo);
    assert_eq!(count(&session), before);
    session.apply(Action::Modifiers(ModifierAction::KeyedTrack(Effector::LeftFoot)));
    session.apply(Action::Modifiers(ModifierAction::SetKey(0)));
    session.update(DT);
    let Modifier::Keyed(own) = &session.world.stack().modifiers[0] else { panic!() };
    assert_eq!((own.tracks.len(), own.tracks[1].effector, own.tracks[1].keys.len()), (2, Effector::LeftFoot, 1));
}

#[test]
fn keyed_effectors_are_baked() {
    let character = Character::built_in().unwrap();
    let document = Scene::find("keyed effectors").unwrap().document(&RestPose::of(&character));
    let Modifier::Keyed(own) = document.stack.modifiers[0].clone() else { panic!() };
    let hand = character.rig.figure.as_ref().unwrap().bone_of(Effector::RightHand);
    let skeleton = character.model.skeleton.clone();
    let mut headless = Headless::new(character, document).unwrap();
    let baked = headless.bake_whole(20.0).unwrap();
    let mut checked = 0;
    for (time, local) in baked.times.iter().zip(&baked.poses) {
        let key = own.tracks[0].at(*time).unwrap();
        let place = ModelPose::from_local(&skeleton, local).position(hand);
        if key.position_weight == 1.0 {
            assert!(place.distance(key.position) < 5e-3, "{time}: {place} {}", key.position);
            checked += 1;
        }
    }
    assert!(checked > 8, "{checked}");
}

#[test]
fn scenes_of_modifiers_move_by_themselves() {
    for (name, most) in [
        ("recoil", 0.02),
        ("hit reaction", 0.03),
        ("inertia", 0.1),
        ("breathing", 0.004),
        ("reach for", 0.1),
        ("keyed effectors", 0.3),
        ("arm bending", 0.3),
    ] {
        let mut session = in_scene(name);
        assert!(session.world.solved.problem().is_none(), "{name}: {:?}", session.world.solved.problem());
        let start = session.world.solved.pose.clone();
        let mut moved: f32 = 0.0;
        for _ in 0..150 {
            assert!(session.is_moving(), "{name}");
            session.update(DT);
            let ways = start.iter().zip(&session.world.solved.pose).map(|(a, b)| a.position.distance(b.position));
            moved = moved.max(ways.fold(0.0, f32::max));
        }
        assert!(moved > most, "{name}: {moved}");
    }
}

/// The pop finder judges the elbow by its angles. The test also compares the elbow's movement in each frame with the
/// hand's.
#[test]
fn an_arm_carried_all_around_does_not_pop() {
    let mut session = in_scene("arm bending");
    let [_, elbow, hand] = session.world.character.rig.figure.as_ref().unwrap().limbs[0];
    let mut factor: f32 = 0.0;
    let mut before: Option<[Vec3; 2]> = None;
    for _ in 0..420 {
        session.update(DT);
        let now = [elbow, hand].map(|bone| session.world.solved.pose[bone].position);
        if let Some(before) = before.replace(now) {
            let ways = [0, 1].map(|joint: usize| before[joint].distance(now[joint]));
            // Hand movements below a millimetre count as a millimetre, so that a hand at rest does not raise the
            // factor.
            factor = factor.max(ways[0] / ways[1].max(1e-3));
        }
    }
    run(&mut session, Command::FindPops);
    let pops = session.tools.debugger.pops.as_ref().unwrap();
    let pop = pops.iter().find(|pop| pop.joint.label.contains("left elbow"));
    let worst = pop.map_or(0.0, |pop| pop.size);
    println!("the elbow moves at most {factor:.2} times as far as the hand, and jerks by {worst:.2}°");
    assert!(factor < FACTOR, "{factor}");
    assert!(worst < 1.0, "{worst}");
}

/// Largest allowed ratio of the elbow's movement in a frame to the hand's. It is above 1, because near full stretch an
/// arm swings its elbow out and in.
const FACTOR: f32 = 1.5;

#[test]
fn the_layers_before_and_after_the_body_can_be_stepped() {
    let mut session = in_scene("head and two hands");
    run(&mut session, Command::PlayPause);
    for layer in [LayerId::Modifiers, LayerId::FullBody, LayerId::AfterWrite] {
        session.apply(Action::Select(Selection::Modifier(0, layer)));
        session.update(DT);
        assert_eq!(session.focus(), layer);
        assert!(session.shown_run().is_some_and(|run| run.steps() > 0), "{layer:?}");
        session.apply(Action::Steps(StepAction::Seek(Cursor { step: 0, within: Some(0) })));
        assert!(session.world.picture.pose.bones.iter().all(|bone| bone.position.is_finite()));
    }
    let mut stack = session.world.stack().clone();
    Arc::make_mut(&mut stack.modifiers)[0].switch(false);
    session.edit_stack("switch", None, stack);
    session.update(DT);
    assert!(session.world.solved.run(LayerId::Modifiers).is_none());
}

#[test]
fn a_document_without_modifiers_has_no_layers_of_them() {
    let layers = Document::default().stack.layers();
    assert!(!layers.contains(&LayerId::Modifiers) && !layers.contains(&LayerId::AfterWrite));
}
