//! Simulated trackers: switched on, calibrated, measured, undone, and saved in a preset.

use std::sync::Arc;

use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::Vec2;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Pane, Selection, Session};
use kinescope::tools::trackers::session::{TrackerAction, errors_now, is_stale, settings};
use kinescope::ui::fonts::SystemFonts;
use kinescope_ik::debugger::tracker_errors::{TrackedJoint, TrackerCause};
use kinescope_ik::full_body::Effector;
use kinescope_ik::stack::LayerId;
use kinescope_ik::trackers::{Points, Tracker};

use crate::common::files::temporary;
use crate::common::session::{in_scene, run, until};
use crate::ground_input::scaled_by;
use crate::harness::{self, texts, window, window_of};

const SCENE: &str = "VR trackers";

fn edit(session: &mut Session, change: impl FnOnce(&mut kinescope_ik::trackers::TrackerSettings)) {
    let mut stack = session.world.stack().clone();
    change(&mut stack.order.trackers);
    session.edit_stack("trackers", None, stack);
    session.update(1.0 / 60.0);
}

fn mean_now(session: &Session) -> f32 {
    let errors = errors_now(session).unwrap();
    errors.iter().sum::<f32>() / errors.len() as f32
}

#[test]
fn calibration_brings_the_character_to_the_clip_and_can_be_undone() {
    let mut session = in_scene(SCENE);
    session.update(1.0 / 60.0);
    assert_eq!(session.world.solved.trackers().unwrap().readings.len(), 6);
    let before = mean_now(&session);
    run(&mut session, Command::CalibrateTrackers);
    let found = settings(&session).calibration.unwrap();
    assert!((found.height - 1.12).abs() < 0.02, "{}", found.height);
    assert!(mean_now(&session) < 0.6 * before, "{} {before}", mean_now(&session));
    run(&mut session, Command::Undo);
    assert_eq!(settings(&session).calibration, None);
    run(&mut session, Command::Redo);
    assert_eq!(settings(&session).calibration, Some(found));
    run(&mut session, Command::ForgetCalibration);
    assert_eq!(settings(&session).calibration, None);
}

#[test]
fn a_preset_keeps_trackers_and_calibration() {
    let mut session = in_scene(SCENE);
    run(&mut session, Command::CalibrateTrackers);
    let own = settings(&session).clone();
    let path = temporary("trackers.json");
    session.apply(Action::File(Command::SavePresetAs, path.clone()));
    let mut other = in_scene("stand");
    assert!(!settings(&other).on);
    other.apply(Action::File(Command::OpenPreset, path));
    other.update(1.0 / 60.0);
    assert_eq!(*settings(&other), own);
    assert!(other.world.solved.trackers().is_some());
}

#[test]
fn switching_on_selects_the_layer_and_switching_off_poses_by_the_clip() {
    let mut session = in_scene("masked upper body");
    run(&mut session, Command::SimulateTrackers);
    assert_eq!(session.interaction.selection, Selection::Layer(LayerId::Trackers));
    assert!(errors_now(&session).is_some());
    run(&mut session, Command::SimulateTrackers);
    assert!(!settings(&session).on);
    assert!(errors_now(&session).is_none());
}

#[test]
fn errors_are_measured_and_their_causes_shown() {
    let mut session = in_scene(SCENE);
    run(&mut session, Command::CalibrateTrackers);
    run(&mut session, Command::MeasureTrackers);
    until(&mut session, "errors", |session| session.tools.debugger.trackers.errors.is_some());
    assert!(!is_stale(&session));
    let errors = session.tools.debugger.trackers.errors.clone().unwrap();
    let sum: f32 = TrackerCause::ALL.into_iter().map(|cause| errors.part(cause)).sum();
    assert!((sum - errors.whole()).abs() < 1e-4);
    edit(&mut session, |own| own.points = Points::Eleven);
    assert!(is_stale(&session));

    let mut harness = window(Vec2::new(1440.0, 900.0));
    harness.state_mut().session.start_scene(Scene::find(SCENE).unwrap());
    harness::run(&mut harness, Command::ShowTrackers);
    harness.state_mut().session.tools.debugger.trackers.errors = Some(errors.clone());
    harness.run();
    harness.get_by_label_contains("Left knee").click();
    harness.run();
    assert_eq!(harness.state().session.tools.debugger.trackers.joint, Some(TrackedJoint::LeftKnee));
    let part = errors.parts[TrackedJoint::LeftKnee as usize][TrackerCause::Solver as usize];
    let label = format!("solver {:.1}", 1000.0 * part).replace('-', "−");
    assert!(harness.query_all_by_label(&label).count() == 1, "{label}");
    let own = harness.state_mut().session.tools.debugger.trackers.errors.as_mut().unwrap();
    own.frames.truncate(1);
    own.times.truncate(1);
    let label = format!("1 frame, {} solves", own.solves);
    harness.run();
    assert!(harness.query_by_label(&label).is_some(), "{label}");
}

#[test]
fn a_tracker_is_chosen_and_its_place_is_edited() {
    let mut session = in_scene(SCENE);
    session.apply(Action::ShowPane(Pane::Trackers));
    session.apply(Action::Trackers(TrackerAction::Choose(Tracker::LeftFoot)));
    assert_eq!(session.tools.debugger.trackers.tracker, Tracker::LeftFoot);
    edit(&mut session, |own| own.mounts.left_foot.position.y = 0.2);
    assert!(session.world.solved.problem().is_none());
    let run = session.world.solved.trackers().unwrap();
    let foot = run.readings.iter().find(|reading| reading.tracker == Tracker::LeftFoot).unwrap();
    assert!(run.shown(foot).position.y > run.bone(Tracker::LeftFoot).position.y + 0.1);
}

#[test]
fn lengths_have_units_that_are_true_for_a_character_of_any_size() {
    for (size, unit, own_unit) in [(1.0, "mm", "m"), (100.0, "mm", "cm"), (10.0, "% of height", "units")] {
        let mut harness = window_of(Vec2::new(1440.0, 900.0), scaled_by(size), SystemFonts::default());
        harness.state_mut().session.start_scene(Scene::find(SCENE).unwrap());
        harness::run(&mut harness, Command::ShowTrackers);
        let shown: Vec<String> = texts(&harness).into_iter().map(|text| text.text).collect();
        let is_shown = |wanted: &str| assert!(shown.iter().any(|text| text == wanted), "{wanted}: {shown:?}");
        is_shown(&format!("Against the clip, {unit}"));
        let chest = TrackedJoint::Chest as usize;
        let session = &harness.state().session;
        let error = errors_now(session).unwrap()[chest];
        let factor = match unit {
            "mm" => 1000.0 / size,
            _ => 100.0 / session.world.character.height,
        };
        is_shown(&format!("{:.1}", error * factor));
        assert!(shown.iter().all(|text| !text.ends_with(" cm") || own_unit == "cm"), "{shown:?}");
        assert_eq!(session.world.character.model_unit(), own_unit);
        harness.state_mut().panes.layout.show(Pane::Inspector);
        harness::select(&mut harness, Selection::Effector(Effector::LeftHand));
        harness.run();
        let labels = [own_unit.to_owned(), format!("Position, {own_unit}")];
        let shown: Vec<String> = texts(&harness).into_iter().map(|text| text.text).collect();
        assert!(shown.iter().any(|text| labels.contains(text)), "{labels:?}: {shown:?}");
    }
}

#[test]
fn the_trackers_of_all_frames_are_worn_by_the_same_wearer() {
    let mut session = in_scene(SCENE);
    for _ in 0..2 {
        session.update(1.0 / 60.0);
        let wearer = session.world.character.rig.wearer.clone().unwrap();
        assert!(Arc::ptr_eq(&session.world.solved.trackers().unwrap().wearer, &wearer));
    }
}
