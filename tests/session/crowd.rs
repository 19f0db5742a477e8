//! The crowd in the session and in the picture.

use std::sync::OnceLock;
use std::time::Instant;

use glam::Vec3;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::crowd::picture::marks;
use kinescope::tools::crowd::session::CrowdAction;
use kinescope::ui::theme::Theme;
use kinescope_ik::crowd::Rule;
use kinescope_ik::rig::LimbName;
use kinescope_ik::timing::{Times, Work};

use crate::common::session::in_scene;

const DT: f32 = 1.0 / 60.0;

fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}

fn crowd() -> Session {
    let mut session = in_scene("crowd");
    for _ in 0..20 {
        session.update(DT);
    }
    session
}

fn pelvis(session: &Session, member: usize) -> Vec3 {
    let bone = session.world.character.detection.biped.as_ref().unwrap().pelvis;
    session.tools.crowd.crowd().unwrap().members()[member].pose()[bone].position
}

fn in_sight(session: &Session) -> (usize, glam::Vec2) {
    let bone = session.world.character.detection.biped.as_ref().unwrap().pelvis;
    let (projector, height) = (session.projector(), session.world.character.height);
    let members = session.tools.crowd.crowd().unwrap().members().len();
    let seen = |member: usize| {
        let at = projector.to_screen(pelvis(session, member)).filter(|&at| projector.viewport.contains(at))?;
        let is_free = session.handles().iter().all(|handle| handle.screen.distance(at) > 30.0);
        let is_hit = session.tools.crowd.pick(&projector, bone, height, at) == Some(member);
        (is_free && is_hit).then_some((member, at))
    };
    (0..members).find_map(seen).expect("a member is in sight")
}

#[test]
fn a_clicked_member_is_inspected_while_the_others_go_on() {
    let mut session = crowd();
    assert!(session.tools.crowd.crowd().unwrap().members().len() == 200 && session.is_moving());
    let (member, at) = in_sight(&session);
    session.press(at);
    assert_eq!(session.tools.crowd.followed, Some(member));
    for _ in 0..30 {
        session.update(DT);
        let own = session.world.motion.root.position;
        let theirs = pelvis(&session, member);
        assert!(own.with_y(0.0).distance(theirs.with_y(0.0)) < 0.4, "{own} {theirs}");
    }
    // The character that replaces the followed member is solved as usual, with steps and on the tape.
    assert!(session.shown_run().is_some() && session.tools.debugger.tape.len() > 30);
    let foot = session.world.character.detection.biped.as_ref().unwrap().limb(LimbName::LeftLeg).bones[2];
    let theirs = session.tools.crowd.crowd().unwrap().members()[member].pose()[foot].position;
    let own = session.world.picture.pose.bones[foot].position;
    assert!(own.distance(theirs) < 0.15, "{own} {theirs}");

    session.apply(Action::Command(Command::PlayPause));
    let other = (member + 1) % 200;
    let before = (session.world.picture.pose.bones.clone(), pelvis(&session, other));
    let mut moved = 0.0f32;
    for _ in 0..30 {
        session.update(DT);
        moved = moved.max(pelvis(&session, other).distance(before.1));
    }
    assert!(session.world.picture.pose.bones == before.0 && moved > 1e-4, "{moved}");
    session.apply(Action::Command(Command::Live));
    session.apply(Action::Crowd(CrowdAction::Follow(None)));
    session.update(DT);
    assert_eq!((session.tools.crowd.followed, session.world.motion.followed_path.is_some()), (None, false));
}

#[test]
fn the_section_is_kept_and_checked() {
    let mut session = crowd();
    let mut document = session.world.history.document().clone();
    document.crowd.count = 3;
    document.crowd.rules.truncate(2);
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document.clone()) });
    session.update(DT);
    assert_eq!(session.tools.crowd.crowd().unwrap().members().len(), 3);
    let json = document.to_preset().to_json();
    let preset = kinescope_ik::Preset::from_json(&json).unwrap();
    let again = kinescope::world::document::Document::from_preset(&preset).unwrap();
    assert_eq!(again.crowd, document.crowd);
    for (wrong, place) in [("\"count\": 3", "crowd.count"), ("\"every\": 4", "crowd.rules[0].every")] {
        let (key, _) = wrong.split_once(':').unwrap();
        let broken = json.replacen(wrong, &format!("{key}: 99999"), 1);
        assert_ne!(broken, json, "{wrong} is in {json}");
        let error = kinescope_ik::Preset::from_json(&broken)
            .and_then(|preset| kinescope::world::document::Document::from_preset(&preset))
            .unwrap_err()
            .to_string();
        assert!(error.contains(place), "{error}");
    }
    document.crowd.count = 0;
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document) });
    session.update(DT);
    assert!(session.tools.crowd.crowd().is_none());
}

#[test]
fn reduced_detail_is_compared_with_full_detail() {
    let mut session = crowd();
    assert!(session.tools.crowd.saved.is_none() && session.tools.crowd.frame_time.is_none());
    session.world.measure(Some(clock));
    session.apply(Action::Crowd(CrowdAction::CompareDetail(true)));
    for _ in 0..90 {
        session.update(DT);
    }
    let rules = session.world.history.document().crowd.rules.len();
    let errors = |session: &Session| -> Vec<f32> {
        let saved = session.tools.crowd.saved.as_ref().unwrap();
        (0..=rules).map(|rule| saved.error(rule)).collect()
    };
    let found = errors(&session);
    // Far members, solved rarely, differ more from full detail than near ones.
    assert!(found[1] > 0.3 && found[1] < 30.0 && found[1] > found[4], "{found:?}");
    let frame_time = session.tools.crowd.frame_time.unwrap();
    let all = session.tools.crowd.saved.as_ref().unwrap().frame_time.unwrap();
    assert!(all.times.total() > 1.5 * frame_time.times.total(), "{all:?} {frame_time:?}");

    // With one rule that gives everyone full detail, nothing differs. `all_detail` turns the rules off, and nothing is
    // compared.
    let mut document = session.world.history.document().clone();
    document.crowd.rules = vec![Rule::default()];
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document.clone()) });
    for _ in 0..200 {
        session.update(DT);
    }
    let found = session.tools.crowd.saved.as_ref().unwrap().error(0);
    assert!(found < 0.01, "{found}");
    document.crowd.all_detail = true;
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(document) });
    session.update(DT);
    assert!(session.tools.crowd.saved.is_none());
}

#[test]
fn the_tape_records_the_time_of_each_frame() {
    let mut session = crowd();
    let tape = &session.tools.debugger.tape;
    assert!(tape.frames().all(|frame| frame.times == Times::default()));
    session.world.measure(Some(clock));
    session.update(DT);
    session.update(DT);
    let mut drawn = Times::default();
    drawn[Work::Panes] = 7.0;
    session.drew(&drawn);
    let times = session.tools.debugger.tape.last().unwrap().times;
    let parts =
        [Work::Sample, Work::Grounding, Work::Casts, Work::Read, Work::Stages, Work::Write, Work::Swing, Work::Twist];
    assert!(parts.iter().all(|&part| times[part] > 0.0), "{times:?}");
    assert_eq!((times[Work::Panes], times[Work::Chains]), (7.0, 0.0));
    session.drew(&drawn);
    assert_eq!(session.tools.debugger.tape.last().unwrap().times, times);
}

/// Members in front used to be drawn whole in the colour of the body, and far members without a disc.
#[test]
fn every_member_in_the_picture_is_marked_with_the_colour_of_its_level() {
    let session = crowd();
    let theme = Theme::of(false);
    let marks = marks(&session, theme);
    let projector = session.projector();
    let members = session.tools.crowd.crowd().unwrap().members();
    let in_picture = |member: &usize| {
        let at = projector.to_screen(pelvis(&session, *member));
        at.is_some_and(|at| projector.viewport.contains(at))
    };
    let seen: Vec<usize> = (0..members.len()).filter(in_picture).collect();
    assert!(seen.len() > 30, "{}", seen.len());
    for member in seen {
        let mark = marks.iter().find(|mark| mark.member == member).expect("a mark");
        assert_eq!(mark.level, theme.level(members[member].rule()).to_array(), "member {member}");
        let off = mark.feet - pelvis(&session, member);
        let height = session.world.character.height;
        assert!(off.y < -0.3 * height && off.with_y(0.0).length() < 0.4 * height, "the disc is under the feet: {off}");
    }
    assert!(marks.is_sorted_by(|a, b| a.away <= b.away), "the nearest are drawn whole");
    let levels: std::collections::BTreeSet<[u8; 4]> = marks.iter().map(|mark| mark.level).collect();
    assert!(levels.len() >= 3, "{levels:?}");
}
