//! The full-body lab in the window: lanes, their settings, measures, divergence, and undo.

use std::path::PathBuf;

use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Key, Vec2};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{LayerId, Stack};
use kinescope_ik::stepped::run::{Cursor, Stride};

use crate::common::PATIENCE;
use crate::common::files::Folder;
use crate::common::session::{in_scene, run, session, switch_on, until};
use crate::harness::{self, texts, window};
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Pane, Selection, Session};
use kinescope::tools::body_lab::picture;
use kinescope::tools::body_lab::session::{BodyLabAction, first_poses, is_open, is_stale};

fn apply(session: &mut Session, action: BodyLabAction) {
    session.apply(Action::BodyLab(action));
    session.update(1.0 / 60.0);
}

fn play(session: &mut Session, frames: usize) {
    (0..frames).for_each(|_| {
        session.update(1.0 / 60.0);
    });
}

fn pose(session: &Session, lane: usize) -> Vec<RigidTransform> {
    session.world.solved.lane_pose(&session.world.character.rig, lane).unwrap()
}

fn two_lanes() -> Session {
    let mut session = in_scene("solvers on one clip");
    while session.world.body_lab().lanes.len() > 1 {
        apply(&mut session, BodyLabAction::RemoveLane(1));
    }
    apply(&mut session, BodyLabAction::AddLane(LayerId::FullBody));
    let parameter = ParameterId::from_path("solver.iterations").unwrap();
    apply(&mut session, BodyLabAction::Number { lane: 1, parameter, value: Some(0.0), gesture: None });
    session
}

#[test]
fn the_lab_opens_with_every_solver_and_undo_closes_it() {
    let mut session = session();
    let alone = session.world.solved.pose.clone();
    run(&mut session, Command::BodyLab);
    assert!(is_open(&session) && session.world.body_lab().lanes.len() >= 2);
    for solver in LayerId::body_solvers() {
        assert!(session.world.body_lab().lanes.iter().any(|lane| lane.label() == solver.label()), "{solver:?}");
    }
    assert_eq!(session.world.solved.pose, alone, "lanes do not change the character");
    run(&mut session, Command::AddBodyLane);
    let lanes = session.world.body_lab().lanes.len();
    run(&mut session, Command::Undo);
    assert_eq!(session.world.body_lab().lanes.len(), lanes - 1);
    run(&mut session, Command::Undo);
    assert!(!is_open(&session) && session.tools.body_lab.rows.is_empty());
    run(&mut session, Command::Redo);
    assert!(is_open(&session));
    run(&mut session, Command::BodyLab);
    assert!(!is_open(&session));
}

#[test]
fn the_table_measures_the_lanes_that_the_picture_shows() {
    let mut session = two_lanes();
    play(&mut session, 20);
    let joints = session.world.character.rig.lane_joints();
    for lane in 0..2 {
        let row = session.tools.body_lab.rows[lane].as_ref().unwrap();
        assert_eq!(row.shown.bones, pose(&session, lane));
        let gap = row.measures.gaps.iter().find(|gap| gap.key.ends_with("left_hand")).unwrap();
        let hand = joints.iter().find(|joint| Some(joint.bone) == Some(gap.bone)).unwrap();
        assert_eq!(gap.distance, row.shown.bones[hand.bone].position.distance(gap.place));
        assert!(row.measures.limit_violation.is_some() && row.measures.balance.is_some());
        assert!(first_poses(&session)[lane].unwrap() > 0.0, "another first pose gives another result");
        assert!(session.tools.body_lab.motion[lane].jerk() > 0.0);
    }
    let played = session.tools.body_lab.played;
    assert!(played >= 20);
    // The lane without iterations leaves the hand whose target is out of reach farther from the target.
    let gap = |lane: usize| {
        let row = session.tools.body_lab.rows[lane].as_ref().unwrap();
        row.measures.gaps.iter().find(|gap| gap.key.ends_with("left_hand")).unwrap().distance
    };
    assert!(gap(1) > gap(0) + 0.005, "{} {}", gap(0), gap(1));
    apply(&mut session, BodyLabAction::AddLane(LayerId::FullBody));
    play(&mut session, 2);
    assert!(session.tools.body_lab.played < played);
}

#[test]
fn a_lane_is_stepped_like_a_layer() {
    let mut session = two_lanes();
    session.apply(Action::Select(Selection::Layer(LayerId::BodyLane(0))));
    play(&mut session, 2);
    assert_eq!(session.focus(), LayerId::BodyLane(0));
    run(&mut session, Command::NextStage);
    assert!(session.world.time.is_paused());
    let first = session.tools.body_lab.rows[0].as_ref().unwrap().shown.bones.clone();
    assert_ne!(first, pose(&session, 0), "at its first step the lane is not solved yet");
    let own = session.shown_run().unwrap();
    let next = Cursor::default().next(Stride::Step, own);
    assert!(own.steps() > next.step);
    // Side by side the character keeps its result; overlaid, the lane takes its place.
    assert_eq!(session.world.picture.pose.bones, session.world.solved.pose);
    apply(&mut session, BodyLabAction::Over(true));
    session.apply(Action::Select(Selection::Layer(LayerId::BodyLane(1))));
    assert_eq!(session.world.picture.pose.bones, session.tools.body_lab.rows[1].as_ref().unwrap().shown.bones);
}

#[test]
fn lanes_stand_side_by_side_and_a_hidden_lane_leaves_no_gap() {
    let mut session = two_lanes();
    let offsets =
        |session: &Session| -> Vec<f32> { picture::shown(session).iter().map(|lane| lane.offset.length()).collect() };
    let both = offsets(&session);
    assert!(both[0] > 0.0 && (both[1] - 2.0 * both[0]).abs() < 1e-4, "{both:?}");
    apply(&mut session, BodyLabAction::Hide(0, true));
    assert_eq!(offsets(&session).len(), 1);
    assert!((offsets(&session)[0] - both[0]).abs() < 1e-4);
    apply(&mut session, BodyLabAction::Over(true));
    assert_eq!(offsets(&session), [0.0]);
}

fn shows_all_lanes(session: &Session) -> bool {
    let head = session.world.character.rig.figure.as_ref().and_then(|figure| figure.head).unwrap();
    let projector = session.look.camera.projector(session.look.viewport);
    let lanes = picture::shown(session);
    lanes.len() > 1
        && lanes.iter().all(|lane| projector.in_picture(lane.pose.bones[head].position + lane.offset).is_some())
}

#[test]
fn all_lanes_are_framed_when_a_document_or_redo_brings_them() {
    let folder = Folder::new("lanes are framed");
    let lane = r#"{"source": {"layer": "full_body"}}"#;
    let preset = |extra: &str| {
        let lanes = [lane; 4].join(", ");
        let text = format!(
            r#"{{"format": "kinescope-preset", "version": 1, "stack": {{"body_lab": {{"lanes": [{lanes}]}}}}{extra}}}"#
        );
        PathBuf::from(folder.write("lanes.json", text))
    };
    let mut session = session();
    session.look.camera.distance *= 0.5;
    session.open_preset(preset(""));
    session.wait_for_opening(PATIENCE);
    play(&mut session, 2);
    assert!(shows_all_lanes(&session), "a preset without a camera");
    let mut camera = session.look.camera;
    camera.distance *= 0.5;
    let extra = format!(r#", "camera": {}"#, serde_json::to_string(&camera).unwrap());
    session.open_preset(preset(&extra));
    session.wait_for_opening(PATIENCE);
    play(&mut session, 2);
    assert!(session.look.camera == camera && !shows_all_lanes(&session), "a preset's camera is kept");
    let mut session = crate::common::session::session();
    run(&mut session, Command::BodyLab);
    run(&mut session, Command::Undo);
    session.frame_all();
    play(&mut session, 2);
    run(&mut session, Command::Redo);
    play(&mut session, 2);
    assert!(shows_all_lanes(&session), "redo");
}

#[test]
fn find_divergence_marks_and_shows_the_first_frame_and_joint() {
    let mut session = two_lanes();
    play(&mut session, 30);
    run(&mut session, Command::FindDivergence);
    until(&mut session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
    let found = session.tools.body_lab.divergence.result.clone().unwrap().unwrap().divergence;
    let (first, largest) = (found.first.unwrap(), found.largest.unwrap());
    assert!(first.distance > session.tools.body_lab.divergence.tolerance && largest.distance >= first.distance);
    assert!(found.frames >= 30);
    let numbers: Vec<u64> = session.tools.debugger.tape.markers.iter().map(|marker| marker.number).collect();
    assert!(numbers.contains(&first.number) && numbers.contains(&largest.number), "{numbers:?}");
    assert_eq!((session.world.time.is_paused(), session.world.time.frame), (true, first.number));
    let [a, b] = [0, 1].map(|lane| pose(&session, lane)[first.joint.bone].position);
    assert!((a.distance(b) - first.distance).abs() < 1e-5, "{} {}", a.distance(b), first.distance);
    let tolerance = largest.distance * 2.0;
    apply(&mut session, BodyLabAction::Question { pair: [0, 1], tolerance });
    run(&mut session, Command::FindDivergence);
    until(&mut session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
    assert_eq!(session.tools.body_lab.divergence.result.clone().unwrap().unwrap().divergence.first, None);
}

/// Without frames in which both lanes have a result, the notice used to say that the lanes agree.
#[test]
fn a_search_without_results_of_both_lanes_says_that_nothing_was_compared() {
    let mut session = two_lanes();
    apply(&mut session, BodyLabAction::AddForeign("not connected".to_owned()));
    apply(&mut session, BodyLabAction::Question { pair: [0, 2], tolerance: 0.01 });
    play(&mut session, 3);
    run(&mut session, Command::FindDivergence);
    until(&mut session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
    let found = session.tools.body_lab.divergence.result.clone().unwrap().unwrap().divergence;
    assert_eq!((found.frames, found.first), (0, None));
    let notice = session.window.notice.clone().unwrap().text;
    assert!(notice.starts_with("Nothing was compared"), "{notice}");
}

/// A character without a spine has no joints for least squares, but its full body is solved.
#[test]
fn a_lane_without_joints_has_its_pose_and_its_distances() {
    let mut session = two_lanes();
    session.world.character.rig.joints = Err("no spine".to_owned());
    play(&mut session, 2);
    let solved = pose(&session, 0);
    let row = session.tools.body_lab.rows[0].as_ref().unwrap();
    assert_eq!(row.shown.bones, solved);
    assert!(!row.measures.gaps.is_empty());
    assert_eq!((row.measures.length_error, row.measures.limit_violation, row.measures.balance), (None, None, None));
}

#[test]
fn names_hidden_lanes_and_layout_keep_jerk_and_slide() {
    let mut session = two_lanes();
    play(&mut session, 10);
    let played = session.tools.body_lab.played;
    apply(&mut session, BodyLabAction::Name(0, "mine".to_owned()));
    apply(&mut session, BodyLabAction::Hide(1, true));
    apply(&mut session, BodyLabAction::Over(true));
    assert!(session.tools.body_lab.played >= played + 3 && session.tools.body_lab.motion[0].jerk() > 0.0);
    apply(&mut session, BodyLabAction::Solver(1, LayerId::LeastSquares));
    assert!(session.tools.body_lab.played < 3);
}

#[test]
fn a_preset_keeps_the_lanes() {
    let session = two_lanes();
    let stack = &session.world.history.document().stack;
    let text = stack.to_preset().to_json();
    assert_eq!(Stack::of_preset(&Preset::from_json(&text).unwrap()).unwrap(), *stack);
    assert!(text.contains("solver.iterations"), "{text}");
}

#[test]
fn a_result_is_out_of_date_after_every_change_of_its_question() {
    let mut session = two_lanes();
    play(&mut session, 5);
    let question = |tolerance: f32| BodyLabAction::Question { pair: [0, 1], tolerance };
    let find = |session: &mut Session| {
        run(session, Command::FindDivergence);
        until(session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
        assert!(!is_stale(session));
    };
    find(&mut session);
    apply(&mut session, BodyLabAction::Name(0, "mine".to_owned()));
    apply(&mut session, BodyLabAction::Hide(1, true));
    apply(&mut session, BodyLabAction::Over(true));
    assert!(!is_stale(&session));
    apply(&mut session, question(0.02));
    assert!(is_stale(&session));
    find(&mut session);
    let mut stack = session.world.stack().clone();
    stack.full_body.pin = 0.7;
    session.edit_stack("pin", None, stack);
    session.update(1.0 / 60.0);
    assert!(is_stale(&session));
    find(&mut session);
    apply(&mut session, BodyLabAction::Solver(1, LayerId::LeastSquares));
    assert!(is_stale(&session));
    find(&mut session);
    apply(&mut session, BodyLabAction::AddLane(LayerId::FullBody));
    assert!(!is_stale(&session));
    apply(&mut session, BodyLabAction::Question { pair: [0, 2], tolerance: 0.02 });
    assert!(is_stale(&session));
    find(&mut session);
    run(&mut session, Command::ClearTape);
    assert!(is_stale(&session), "the frames are no longer recorded");
}

#[test]
fn another_character_drops_the_result_of_find_divergence() {
    let mut session = two_lanes();
    play(&mut session, 5);
    run(&mut session, Command::FindDivergence);
    until(&mut session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
    assert!(session.tools.body_lab.divergence.result.is_some());
    run(&mut session, Command::FindDivergence);
    run(&mut session, Command::BuiltInFaun);
    let view = &session.tools.body_lab.divergence;
    assert!(view.job.is_none() && view.result.is_none() && session.tools.debugger.tape.markers.is_empty());
}

#[test]
fn only_the_pane_solves_lanes_from_another_first_pose() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    harness.state_mut().session.start_scene(Scene::find("solvers on one clip").unwrap());
    let is_solved = |session: &Session| session.tools.body_lab.first_poses.get().is_some();
    harness.run();
    harness.run();
    harness.state_mut().panes.layout.show(Pane::Motion);
    harness.state_mut().panes.layout.hide(Pane::BodyLab);
    harness.run();
    harness.state_mut().session.update(1.0 / 60.0);
    harness.run();
    assert!(!is_solved(&harness.state().session));
    harness.state_mut().panes.layout.show(Pane::BodyLab);
    harness.run();
    harness.run();
    assert!(harness.state().session.tools.body_lab.rows.len() > 1);
    let shown: Vec<String> = texts(&harness).into_iter().map(|text| text.text).collect();
    assert!(shown.iter().any(|text| text.ends_with("distances in mm")), "{shown:?}");
    harness.state_mut().session.update(1.0 / 60.0);
    // The update may discard results. Drawing the pane computes them again.
    harness.run();
    assert_eq!(first_poses(&harness.state().session).len(), harness.state().session.tools.body_lab.rows.len());
}

#[test]
fn a_lane_is_named_in_the_pane() {
    let mut harness = window(Vec2::new(1440.0, 1800.0));
    harness.state_mut().session.start_scene(Scene::find("solvers on one clip").unwrap());
    harness.run();
    harness.state_mut().panes.layout.show(Pane::BodyLab);
    harness::select(&mut harness, Selection::Layer(LayerId::BodyLane(1)));
    let name = |harness: &egui_kittest::Harness<harness::Window>| {
        harness.state().session.world.body_lab().lanes[1].name.clone()
    };
    let mut typed = |text: &str, key: Key| {
        harness.get_by_role(Role::TextInput).focus();
        harness.run();
        harness.press_key_modifiers(
            egui_macroquad::egui::Modifiers::CTRL | egui_macroquad::egui::Modifiers::COMMAND,
            Key::A,
        );
        harness.run();
        harness.input_mut().events.push(Event::Text(text.to_owned()));
        harness.run();
        harness.press_key(key);
        harness.run();
        harness.run();
        name(&harness)
    };
    assert_eq!(typed("quick one", Key::Enter), "quick one");
    assert_eq!(typed("another", Key::Escape), "quick one", "Escape leaves the name");
    assert_eq!(typed(" ", Key::Enter), "", "an empty name returns to the solver's");
    run(&mut harness.state_mut().session, Command::Undo);
    assert_eq!(name(&harness), "quick one");
}

#[test]
fn letters_typed_into_an_open_list_run_no_command() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    harness.state_mut().session.start_scene(Scene::find("solvers on one clip").unwrap());
    harness.state_mut().panes.layout.show(Pane::BodyLab);
    harness.run();
    let press = |harness: &mut egui_kittest::Harness<harness::Window>, key: Key| {
        harness.press_key(key);
        harness.run();
        harness.run();
        harness.state().session.window.dialog.is_some()
    };
    harness.get_by_role_and_label(Role::ComboBox, "Add a lane").click();
    harness.run();
    assert!(!press(&mut harness, Key::D), "D belongs to the list");
    press(&mut harness, Key::Escape);
    assert!(press(&mut harness, Key::D), "D opens the rig doctor once the list is closed");
}

#[test]
fn divergence_over_a_clip_needs_no_recording() {
    let mut session = two_lanes();
    apply(&mut session, BodyLabAction::OverClip(true));
    session.tools.debugger.tape = Default::default();
    let clip = session.world.clip.clip().unwrap();
    let duration = session.world.character.model.clips[clip].duration;
    run(&mut session, Command::FindDivergence);
    until(&mut session, "divergence", |session| session.tools.body_lab.divergence.job.is_none());
    let found = session.tools.body_lab.divergence.result.clone().unwrap().unwrap();
    let (between, first) = (found.between.unwrap(), found.divergence.first.unwrap());
    assert!((between * (found.divergence.frames - 1) as f32 - duration).abs() < 1e-3, "the whole clip is solved");
    assert!((session.world.clip_time() - first.number as f32 * between).abs() < 1e-4);
    session.update(0.0);
    let [a, b] = [0, 1].map(|lane| pose(&session, lane)[first.joint.bone].position);
    assert!(a.distance(b) > session.tools.body_lab.divergence.tolerance, "{}", a.distance(b));
    assert!(!is_stale(&session));
    apply(&mut session, BodyLabAction::OverClip(false));
    assert!(is_stale(&session), "the recording is another question");
}

#[test]
fn a_lane_has_switches_and_lists_of_its_own() {
    let mut session = two_lanes();
    apply(&mut session, BodyLabAction::AddLane(LayerId::FullBody));
    let lane = 2;
    assert_eq!(pose(&session, lane), pose(&session, 0), "without own settings, both lanes are solved alike");
    let choices = session.world.body_lab().lanes[lane].choices(session.world.stack());
    let find = |path: &str| *choices.iter().find(|choice| choice.path() == path).unwrap_or_else(|| panic!("{path}"));
    let pass = find("solver.fabrik_pass");
    assert_eq!((pass.values, pass.get(session.world.stack())), (&["off", "on"][..], "on"));
    assert_eq!(find("chains.left_arm.push_smoothing").get(session.world.stack()), "exponential");
    apply(&mut session, BodyLabAction::Choice(lane, pass, Some("off".to_owned())));
    assert_ne!(pose(&session, lane), pose(&session, 0), "other lanes keep the setting of the frame");
    let stack = session.world.history.document().stack.clone();
    assert_eq!(Stack::of_preset(&Preset::from_json(&stack.to_preset().to_json()).unwrap()).unwrap(), stack);
    let mut wrong = stack.clone();
    wrong.order.body_lab.lanes[lane].choices.insert("solver.fabrik_pass".to_owned(), "maybe".to_owned());
    let fault = wrong.validate().unwrap_err().to_string();
    assert!(fault.contains("lanes[2].choices.solver.fabrik_pass") && fault.contains("off or on"), "{fault}");
    apply(&mut session, BodyLabAction::Choice(lane, pass, None));
    assert_eq!(pose(&session, lane), pose(&session, 0));
    apply(&mut session, BodyLabAction::Solver(lane, LayerId::PositionBased));
    let limits = session.world.body_lab().lanes[lane].choices(session.world.stack());
    assert!(limits.iter().any(|choice| choice.path().ends_with(".limits")), "{limits:?}");
    assert!(limits.iter().all(|choice| choice.key != "on"));
}

#[test]
fn limits_from_clips_are_a_setting_of_lanes_and_layers() {
    let mut session = in_scene("joint limits");
    let ranges = session.world.character.rig.clip_ranges().cloned().unwrap();
    let joints = session.world.character.rig.joints.clone().unwrap();
    let excess = |session: &Session, lane: usize| {
        let limits = joints.clip_limits(0.1);
        limits.largest_violation(&joints.read(&pose(session, lane)).unwrap()).1
    };
    // Lane 2 is least squares.
    let stack = session.world.stack();
    let choices = session.world.body_lab().lanes[2].choices(stack);
    let switch = *choices.iter().find(|choice| choice.key == "clip_limits").unwrap();
    let anatomical = excess(&session, 2);
    apply(&mut session, BodyLabAction::Choice(2, switch, Some("on".to_owned())));
    session.apply(Action::Select(Selection::Layer(LayerId::BodyLane(2))));
    assert!(excess(&session, 2) < 0.06 && anatomical > 0.1, "{anatomical} {}", excess(&session, 2));
    let row = session.tools.body_lab.rows[2].as_ref().unwrap();
    assert!((row.measures.limit_violation.unwrap() - excess(&session, 2)).abs() < 1e-5);
    run(&mut session, Command::Undo);
    play(&mut session, 1);
    assert!(excess(&session, 2) > 0.1, "{anatomical} {}", excess(&session, 2));
    assert_eq!(session.world.character.rig.clip_ranges(), Some(&ranges), "clips are sampled once");
    let mut harness = window(Vec2::new(1440.0, 1800.0));
    switch_on(&mut harness.state_mut().session, LayerId::LeastSquares);
    harness::select(&mut harness, Selection::Layer(LayerId::LeastSquares));
    harness.run();
    harness.get_by_label("Clip limits").click();
    harness.run();
    let is_on = |harness: &egui_kittest::Harness<harness::Window>| {
        harness.state().session.world.stack().order.least_squares.clip_limits
    };
    assert!(is_on(&harness));
    run(&mut harness.state_mut().session, Command::Undo);
    assert!(!is_on(&harness));
}
