//! The crowd in the session: it goes on by itself, and one of it can be looked into.

use glam::Vec3;
use kinescope::app::commands::Command;
use kinescope::app::session::{Action, Session};
use kinescope::rig::LimbName;

use crate::common::session::in_scene;

const DT: f32 = 1.0 / 60.0;

fn crowd() -> Session {
    let mut session = in_scene("crowd");
    session.picture.measures_time = false;
    for _ in 0..20 {
        session.update(DT);
    }
    session
}

/// Where a member's pelvis is.
fn pelvis(session: &Session, member: usize) -> Vec3 {
    let bone = session.character.detection.biped.as_ref().unwrap().pelvis;
    session.crowd.crowd().unwrap().members()[member].pose()[bone].position
}

/// A member that the pointer can hit, and where.
fn in_sight(session: &Session) -> (usize, glam::Vec2) {
    let bone = session.character.detection.biped.as_ref().unwrap().pelvis;
    let (projector, height) = (session.projector(), session.character.height);
    let members = session.crowd.crowd().unwrap().members().len();
    let seen = |member: usize| {
        let at = projector.to_screen(pelvis(session, member)).filter(|&at| projector.viewport.contains(at))?;
        let is_free = session.handles().iter().all(|handle| handle.screen.distance(at) > 30.0);
        let is_hit = session.crowd.pick(&projector, bone, height, at) == Some(member);
        (is_free && is_hit).then_some((member, at))
    };
    (0..members).find_map(seen).expect("one is in sight")
}

#[test]
fn the_one_that_is_clicked_is_looked_into_while_the_others_go_on() {
    let mut session = crowd();
    assert!(session.crowd.crowd().unwrap().members().len() == 200 && session.is_moving());
    let (member, at) = in_sight(&session);
    session.press(at);
    assert_eq!(session.crowd.followed, Some(member));
    for _ in 0..30 {
        session.update(DT);
        let own = session.motion.root.position;
        let theirs = pelvis(&session, member);
        assert!(own.with_y(0.0).distance(theirs.with_y(0.0)) < 0.4, "{own} {theirs}");
    }
    // It is solved as the character is: with steps, on the tape, its feet on the ground.
    assert!(session.shown_run().is_some() && session.debugger.tape.len() > 30);
    let foot = session.character.detection.biped.as_ref().unwrap().limb(LimbName::LeftLeg).bones[2];
    let theirs = session.crowd.crowd().unwrap().members()[member].pose()[foot].position;
    let own = session.picture.pose.bones[foot].position;
    assert!(own.distance(theirs) < 0.15, "{own} {theirs}");

    // Paused, it stays to be looked at; the others go on.
    session.apply(Action::Command(Command::PlayPause));
    let other = (member + 1) % 200;
    let before = (session.picture.pose.bones.clone(), pelvis(&session, other));
    let mut went = 0.0f32;
    for _ in 0..30 {
        session.update(DT);
        went = went.max(pelvis(&session, other).distance(before.1));
    }
    assert!(session.picture.pose.bones == before.0 && went > 1e-4, "{went}");
    session.apply(Action::Command(Command::Live));
    session.apply(Action::FollowMember(None));
    session.update(DT);
    assert_eq!((session.crowd.followed, session.motion.led.is_some()), (None, false));
}

#[test]
fn the_section_is_kept_and_checked() {
    let mut session = crowd();
    let mut document = session.history.document().clone();
    document.crowd.count = 3;
    document.crowd.rules.truncate(2);
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document.clone()) });
    session.update(DT);
    assert_eq!(session.crowd.crowd().unwrap().members().len(), 3);
    let json = document.to_preset().to_json();
    let preset = kinescope::Preset::from_json(&json).unwrap();
    let again = kinescope::app::document::Document::from_preset(&preset).unwrap();
    assert_eq!(again.crowd, document.crowd);
    for (wrong, place) in [("\"count\": 3", "crowd.count"), ("\"every\": 4", "crowd.rules[0].every")] {
        let (key, _) = wrong.split_once(':').unwrap();
        let broken = json.replacen(wrong, &format!("{key}: 99999"), 1);
        assert_ne!(broken, json, "{wrong} is in {json}");
        let error = kinescope::Preset::from_json(&broken)
            .and_then(|preset| kinescope::app::document::Document::from_preset(&preset))
            .unwrap_err()
            .to_string();
        assert!(error.contains(place), "{error}");
    }
    document.crowd.count = 0;
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document) });
    session.update(DT);
    assert!(session.crowd.crowd().is_none());
}
