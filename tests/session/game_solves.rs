//! How often frames of a game are parsed and solved, and what ends with a game or its listener.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use kinescope::scenes::SCENES;
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::game::Judge;
use kinescope::tools::steps::session::StepAction;
use kinescope_ik::link;
use kinescope_ik::trace_diff::{default_tolerance, diff};

use crate::common::PATIENCE;
use crate::common::files::temporary;
use crate::common::game::{header, played, recording, send, solved};
use crate::common::session::{run, session, until};

fn listening() -> (Session, link::Sender) {
    let mut session = session();
    session.listen("127.0.0.1:0");
    let address = session.tools.games.connection.listening().unwrap().listener.address.to_string();
    let sender = link::Sender::new(&address, &header()).unwrap();
    (session, sender)
}

fn frames(session: &Session) -> usize {
    session.lane().map_or(0, |lane| lane.len())
}

fn opened(name: &str, text: &str) -> Session {
    let path = temporary(name);
    std::fs::write(&path, text).unwrap();
    let mut session = session();
    session.apply(Action::OpenAny(path));
    session.wait_for_opening(PATIENCE);
    session
}

fn compares_as_a_separate_solve(session: &Session) -> bool {
    let entry = session.lane().unwrap().get(session.world.time.frame).unwrap();
    let (game, character) = session.tools.games.shown().unwrap();
    let frame = game.source(entry).read().unwrap();
    let [reported, own] = frame.traces(&game.characters[character]).unwrap();
    let expected = diff(&reported, &own, default_tolerance(&reported.rig));
    session.tools.debugger.port.as_ref().is_some_and(|port| port.diff == expected && port.trace == reported)
}

#[test]
fn a_frame_of_a_running_game_is_solved_once_and_parsed_once() {
    let (mut session, mut sender) = listening();
    let game = played(60, 30);
    send(&mut sender, &game[0]);
    until(&mut session, "the first frame is shown", |session| frames(session) == 1 && session.shown_frame().is_some());
    session.update(1.0 / 60.0);
    let first = session.world.picture.stack_solves;
    for (number, frame) in (0..).zip(&game).skip(1) {
        send(&mut sender, frame);
        until(&mut session, "the frame is shown", |session| session.world.time.frame == number);
        session.update(1.0 / 60.0);
        assert_eq!(session.world.picture.stack_solves, first + number, "frame {number}");
        assert!(compares_as_a_separate_solve(&session), "frame {number}");
    }
    until(&mut session, "all frames are compared", |session| session.lane().unwrap().judged == 60);
    // The header is a line as well. The comparing thread got the frames that the listener parsed.
    assert_eq!(session.tools.games.traffic().parsed, 61);
    assert_eq!(session.tools.games.shown().unwrap().0.parses(), 0);
    assert_eq!(session.tools.games.judge.as_ref().map(Judge::solvers_made), Some(1));
    assert_eq!(session.lane().unwrap().differing, 30);
    run(&mut session, Command::PlayPause);
    for number in [3, 40, 39, 0, 59, 3] {
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
        session.update(1.0 / 60.0);
        assert_eq!(session.shown_frame().unwrap().0, number);
        assert!(compares_as_a_separate_solve(&session), "frame {number}");
    }
    assert_eq!(session.world.picture.stack_solves, first + 59);
    // The solve that is shown and the one compared with it use the character's own solver.
    let solver = session.world.character.rig.full_body.as_ref().unwrap();
    assert!(Arc::ptr_eq(&session.world.solved.full_body().unwrap().solver, solver));
    assert!(Arc::ptr_eq(
        &session.tools.debugger.port.as_ref().unwrap().other.frame.full_body().unwrap().solver,
        solver
    ));
}

#[test]
fn many_frames_that_arrive_together_are_solved_once_each() {
    let (mut session, mut sender) = listening();
    let game = played(41, 100);
    send(&mut sender, &game[0]);
    until(&mut session, "the first frame is shown", |session| frames(session) == 1);
    session.update(1.0 / 60.0);
    let first = session.world.picture.stack_solves;
    game[1..].iter().for_each(|frame| send(&mut sender, frame));
    until(&mut session, "the last frame is shown", |session| session.world.time.frame == 40);
    session.update(1.0 / 60.0);
    assert_eq!(session.world.picture.stack_solves, first + 40);
    assert_eq!(session.tools.debugger.tape.range(), Some([0, 40]));
}

#[test]
fn a_frame_of_a_recording_is_solved_once_and_parsed_once() {
    let game = played(80, 40);
    // Only the line of the first frame has parameters, which the other frames inherit.
    let mut session = opened("once.jsonl", &recording(&game));
    session.update(1.0 / 60.0);
    let first = session.world.picture.stack_solves;
    for number in [70, 3, 4, 5, 4, 79, 0, 30, 50, 70, 1] {
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
        session.update(1.0 / 60.0);
        assert_eq!(session.shown_frame(), Some((number, game[number as usize].time)));
        assert!(compares_as_a_separate_solve(&session), "frame {number}");
    }
    until(&mut session, "all frames are compared", |session| session.lane().unwrap().judged == 80);
    for number in (0..80).rev().chain(0..80) {
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
    }
    assert_eq!(session.tools.games.shown().unwrap().0.parses(), 80);
    assert_eq!(session.world.picture.stack_solves, first + 79);
    assert_eq!(session.tools.games.judge.as_ref().map(Judge::solvers_made), Some(1));
    // A what-if is a second solve. The recorded frame beside it is not solved again.
    session.apply(Action::Steps(StepAction::SeekFrame(20)));
    let before = (session.world.solved.pose.clone(), session.world.picture.stack_solves);
    let mut edited = *session.world.settings();
    edited.pin = 0.5;
    session.edit_settings("pin", None, edited);
    session.update(0.0);
    let what_if = session.tools.debugger.what_if.as_ref().unwrap();
    assert_eq!((&what_if.recorded.frame.pose, session.world.picture.stack_solves), (&before.0, before.1 + 1));
    assert_ne!(session.world.solved.pose, before.0);
    run(&mut session, Command::Undo);
    session.update(0.0);
    assert_eq!((&session.world.solved.pose, session.world.picture.stack_solves), (&before.0, before.1 + 1));
}

#[test]
fn the_profiler_gets_the_times_of_a_frame_that_was_solved_without_a_clock() {
    let mut session = opened("timed.jsonl", &recording(&played(5, 100)));
    session.apply(Action::Steps(StepAction::SeekFrame(3)));
    assert_eq!(session.world.solved.times(), Default::default());
    fn clock() -> f64 {
        static TICKS: AtomicU32 = AtomicU32::new(0);
        f64::from(TICKS.fetch_add(1, Ordering::Relaxed)) * 1e-6
    }
    session.world.measure(Some(clock));
    session.update(0.0);
    assert_ne!(session.world.solved.times(), Default::default());
    let solves = session.world.picture.stack_solves;
    session.apply(Action::Steps(StepAction::SeekFrame(2)));
    session.apply(Action::Steps(StepAction::SeekFrame(3)));
    assert_eq!(session.world.picture.stack_solves, solves + 1);
}

/// Later frames have the parameters of a line whose own frame is malformed.
#[test]
fn parameters_of_a_malformed_frame_hold_for_the_frames_after_it() {
    let mut game = played(8, 100);
    game[4..].iter_mut().for_each(|frame| frame.parameters.pin = 0.5);
    let text = recording(&game);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut broken: serde_json::Value = serde_json::from_str(&lines[5]).unwrap();
    assert!(broken["parameters"].is_object());
    broken["animated"].as_array_mut().unwrap().pop();
    lines[5] = broken.to_string();
    let mut session = opened("inherits.jsonl", &lines.join("\n"));
    until(&mut session, "all frames are compared", |session| session.lane().unwrap().judged == 8);
    session.apply(Action::Steps(StepAction::SeekFrame(6)));
    assert_eq!((session.shown_frame().unwrap().0, session.world.settings().pin), (6, 0.5));
    session.apply(Action::Steps(StepAction::SeekFrame(3)));
    assert_eq!(session.world.settings().pin, 0.0);
    // The malformed line was parsed as a frame and for its parameters, once each.
    assert_eq!(session.tools.games.shown().unwrap().0.parses(), 9);
}

/// After a scene was started, the edit used to remain pending, and a message said that the game had not adopted it.
#[test]
fn leaving_a_game_drops_its_pending_edit() {
    let (mut session, mut sender) = listening();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut session, "the frame arrives", |session| frames(session) == 1);
    run(&mut session, Command::TuneGame);
    let mut edited = *session.world.settings();
    edited.pin = 0.5;
    session.edit_settings("pin", None, edited);
    assert!(session.tools.games.watched.as_ref().unwrap().pending.is_some());
    session.apply(Action::Scene(SCENES[1].name));
    session.apply(Action::Answer(Answer::DiscardChanges));
    assert!(!session.tools.games.is_shown());
    session.window.notice = None;
    for _ in 0..90 {
        session.update(1.0 / 60.0);
    }
    assert_eq!(session.window.notice.as_ref().map(|notice| notice.text.as_str()), None);
}

/// The game of a stopped listener used to count as connected when the next listener failed.
#[test]
fn no_game_is_connected_where_listening_fails() {
    let (mut session, mut sender) = listening();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut session, "the frame arrives", |session| frames(session) == 1);
    run(&mut session, Command::TuneGame);
    assert!(session.tunes_now());
    session.listen("no address");
    assert!(!session.tunes_now() && !session.tools.games.is_connected());
    assert_eq!(session.tools.games.traffic().calling, None);
    assert_eq!(session.tools.games.connection.address(), Some("127.0.0.1:0"));
}
