//! Connected games: frames over the link, opened recordings, broken and hostile data.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use egui_macroquad::egui::Vec2;
use kinescope::scenes::SCENES;
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Pane, Selection, Session};
use kinescope::tools::game::session::GameAction;
use kinescope::tools::game::{Connection, Listener, Listening, Shown, Verdict};
use kinescope::tools::steps::session::StepAction;
use kinescope_ik::full_body::Effector;
use kinescope_ik::game_recording::{GameFrame, Header, Line, Mark, Reader, Writer};
use kinescope_ik::link::{self, hang_up};
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::trace::Trace;

use crate::common::PATIENCE;
use crate::common::built_in::built_in;
use crate::common::files::temporary;
use crate::common::game::{header, played, recording, send, solved, with_bug};
use crate::common::session::{run, session, until};
use crate::harness;

fn listening() -> (Session, String) {
    let mut session = session();
    session.listen("127.0.0.1:0");
    let address = listener(&session).address.to_string();
    (session, address)
}

fn listener(session: &Session) -> &Listener {
    &session.tools.games.connection.listening().unwrap().listener
}

/// Returns whether no game is connected: the session has processed the last connection's end, or does not listen.
fn is_over(session: &Session) -> bool {
    session.tools.games.connection.listening().is_none_or(|listening| listening.peer.is_none())
}

fn frames(session: &Session) -> usize {
    session.lane().map_or(0, |lane| lane.len())
}

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

#[test]
fn frames_land_on_the_tape_and_the_bug_is_found_with_its_stage() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let game = played(60, 30);
    for (index, frame) in game.iter().enumerate() {
        if index == 10 {
            sender.mark("jump", frame.time);
        }
        send(&mut sender, frame);
    }
    until(&mut session, "all frames arrive", |session| frames(session) == 60 && session.lane().unwrap().judged == 60);
    assert!(session.world.is_live());
    assert_eq!(session.shown_frame(), Some((59, game[59].time)));
    let left = |at: Cursor| session.world.solved.remaining(&session.world.character.rig, session.focus(), at);
    let [start, end] = [Cursor::default(), session.end()].map(left);
    assert!(start > end + 0.01, "{start} {end}");
    assert_eq!(session.tools.debugger.tape.get(59).unwrap().gap, Some(end), "the error after the solve");
    // The solid pose is Kinescope's own solve of the same input, the hollow one the game's.
    let own = session.world.solved.pose.clone();
    let hand = built_in().solver.bone_of(Effector::LeftHand.node());
    let theirs = &session.tools.debugger.other().unwrap().shown.bones;
    assert!((own[hand].position.distance(theirs[hand].position) - 0.04).abs() < 1e-4);
    let (shown, _) = session.tools.games.shown().unwrap();
    let lane = session.lane().unwrap();
    assert_eq!(lane.differing, 30);
    let differs = |number: u64| lane.get(number).unwrap().verdict;
    assert_eq!((differs(29), differs(30).differs()), (Verdict::Same, true));
    assert_eq!(shown.place(differs(30)), Some("iteration 1, stage2"));
    assert_eq!(shown.marks.iter().next().unwrap().mark, "jump");
    // A game sends only bones, so the window draws them with a body.
    let meshes = &session.world.character.model.meshes;
    assert!(meshes.len() == 1 && meshes[0].joints.iter().any(|joint| joint.bone == Some(hand)), "{}", meshes.len());
    // Pausing the window does not stop the game.
    run(&mut session, Command::PlayPause);
    let now = session.world.time.frame;
    for frame in 60..70 {
        send(&mut sender, &solved(0, frame, game[0].parameters));
    }
    until(&mut session, "goes on", |session| frames(session) == 70);
    assert_eq!(session.world.time.frame, now);
    run(&mut session, Command::FirstFrame);
    assert_eq!(session.shown_frame().unwrap().0, 0);
    run(&mut session, Command::NextDifference);
    assert_eq!(session.shown_frame().unwrap().0, 30);
    let step = session.shown_run().unwrap().step(session.world.time.cursor.step);
    assert_eq!((step.iteration, step.key), (Some(1), "stage2"));
    assert_eq!(session.interaction.selection.key(), Some("left_hand".into()));
    run(&mut session, Command::PreviousMarker);
    assert_eq!(session.shown_frame().unwrap().0, 10);
    run(&mut session, Command::Live);
    until(&mut session, "live again", |session| session.world.time.frame == 69);
    drop(sender);
    until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    assert_eq!(frames(&session), 70);
    assert!(message(&session).contains("disconnected; its 70 frames stay"), "{}", message(&session));
    run(&mut session, Command::Quit);
    assert_eq!((session.window.dialog.take(), session.window.quit), (Some(Dialog::UnsavedGame), false));
    let path = temporary("received.jsonl");
    session.apply(Action::File(Command::SaveRecording, path.clone()));
    until(&mut session, "saved", |session| session.tools.games.saving.is_none());
    let mut reader = Reader::new();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Line> = text.lines().filter_map(|line| reader.read(line).unwrap()).collect();
    assert_eq!(lines.len(), 71);
    let first = lines.iter().find_map(|line| match line {
        Line::Frame(frame) if frame.frame == 30 => Some(frame.result.clone()),
        _ => None,
    });
    assert_eq!(first.unwrap(), game[30].result);
    assert!(session.tools.games.games[0].is_saved() && session.tools.games.unsaved().is_none());
    let capsule = temporary("frame.json");
    session.apply(Action::File(Command::SaveCapsule, capsule.clone()));
    session.apply(Action::File(Command::OpenCapsule, capsule));
    assert!(message(&session).contains("All results equal the recorded ones"), "{}", message(&session));
    assert!(!session.tools.games.is_shown());
    let id = session.tools.games.games[0].id;
    session.apply(Action::Game(GameAction::Show(Shown { game: id, character: 0 })));
    assert_eq!(frames(&session), 70);
}

#[test]
fn each_character_has_its_frames() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    for frame in 0..20 {
        for character in [1, 0] {
            send(&mut sender, &solved(character, 100 + frame, Default::default()));
        }
    }
    until(&mut session, "all frames arrive", |session| {
        session.tools.games.games.first().is_some_and(|game| game.len() == 40)
    });
    assert_eq!(session.tools.games.games[0].lanes.iter().map(|lane| lane.len()).collect::<Vec<_>>(), [20, 20]);
    let id = session.tools.games.games[0].id;
    run(&mut session, Command::TuneGame);
    assert!(session.tunes_now());
    session.apply(Action::Game(GameAction::Show(Shown { game: id, character: 1 })));
    assert_eq!(session.world.character.model.name, "guard");
    // Showing another character is not an edit, so nothing is sent to the game.
    assert!(session.tools.games.watched.as_ref().unwrap().pending.is_none(), "{}", message(&session));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(sender.tuned(), None);
    run(&mut session, Command::PlayPause);
    session.apply(Action::Steps(StepAction::SeekFrame(7)));
    session.apply(Action::Game(GameAction::Show(Shown { game: id, character: 0 })));
    assert_eq!(session.shown_frame().unwrap().0, 107);
    assert_eq!(session.world.character.model.name, "player");
    assert!(session.world.time.is_paused());
    until(&mut session, "both frames are compared", |session| {
        session.tools.games.games[0].lanes.iter().all(|lane| lane.judged == 20)
    });
}

#[test]
fn edits_go_to_the_game_while_it_is_tuned() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let mut settings = kinescope_ik::Settings::default();
    let mut number = 0;
    let mut play = |sender: &mut link::Sender, settings| {
        send(sender, &solved(0, number, settings));
        number += 1;
    };
    play(&mut sender, settings);
    until(&mut session, "the frame arrives", |session| frames(session) == 1);
    let mut edited = *session.world.settings();
    edited.chains[0].pull = 0.25;
    session.edit_settings("pull", None, edited);
    assert!(session.world.time.is_paused() && session.tools.debugger.what_if.is_some());
    assert!(message(&session).contains("Game tuning"), "{}", message(&session));
    run(&mut session, Command::Undo);
    run(&mut session, Command::TuneGame);
    run(&mut session, Command::Live);
    session.edit_settings("pull", None, edited);
    assert!(session.world.is_live());
    assert_eq!(session.world.settings().chains[0].pull, 0.25);
    let start = Instant::now();
    let tuned = loop {
        match sender.tuned() {
            Some(tuned) => break tuned,
            None => assert!(start.elapsed() < PATIENCE),
        }
        session.update(0.0);
    };
    assert_eq!(tuned, (0, edited));
    settings = tuned.1;
    play(&mut sender, settings);
    until(&mut session, "the game adopts the edit", |session| session.world.solved_settings().chains[0].pull == 0.25);
    assert!(session.world.history.is_unsaved(), "the preset can be saved");
    // The next game does not replace unsaved changes without a question.
    drop(sender);
    until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    // The question does not open by itself. A notice leads to it.
    until(&mut session, "is reported", |session| message(session).contains("L shows it, and asks"));
    assert_eq!(session.window.dialog, None);
    run(&mut session, Command::Live);
    assert!(matches!(session.window.dialog, Some(Dialog::Unsaved(_))), "{:?}", session.window.dialog);
    let before = session.tools.games.shown_id();
    session.apply(Action::Answer(Answer::DiscardChanges));
    session.update(0.0);
    assert_ne!(session.tools.games.shown_id(), before);
    assert_eq!(session.tools.games.games.len(), 2, "frames of the previous game are kept");
}

#[test]
fn the_document_follows_the_game_while_tuning() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let mut settings = kinescope_ik::Settings::default();
    let mut number = 0;
    let mut play = |session: &mut Session, settings| {
        send(&mut sender, &solved(0, number, settings));
        number += 1;
        until(session, "the frame arrives", |session| frames(session) as u64 == number);
        sender.tuned()
    };
    play(&mut session, settings);
    run(&mut session, Command::TuneGame);
    let edit = |session: &mut Session, change: fn(&mut kinescope_ik::Settings)| {
        let mut edited = *session.world.settings();
        change(&mut edited);
        session.edit_settings("an edit", None, edited);
    };
    edit(&mut session, |settings| settings.chains[0].pull = 0.25);
    settings.chains[0].pull = 0.25;
    settings.effector_mut(Effector::LeftHand).position_weight = 0.75;
    play(&mut session, settings);
    assert_eq!(*session.world.settings(), settings);
    assert!(session.world.history.is_unsaved());
    edit(&mut session, |settings| settings.chains[1].pull = 0.5);
    let start = Instant::now();
    let mut tuned = play(&mut session, settings);
    while tuned.is_none_or(|(_, tuned)| tuned.chains[1].pull != 0.5) {
        assert!(start.elapsed() < PATIENCE);
        tuned = sender.tuned();
    }
    let mut expected = settings;
    expected.chains[1].pull = 0.5;
    assert_eq!(tuned.unwrap().1, expected);
    assert_eq!(*session.world.settings(), expected, "the slider keeps its value");
    // Once the game sends frames without the edit, its own settings are shown again. While it sends none, the edit
    // stays.
    let wait = |session: &mut Session| {
        for _ in 0..60 {
            session.update(1.0 / 60.0);
        }
    };
    edit(&mut session, |settings| settings.pin = 0.5);
    wait(&mut session);
    assert_eq!(session.world.settings().pin, 0.5);
    send(&mut sender, &solved(0, 3, settings));
    until(&mut session, "the frame arrives", |session| frames(session) == 4);
    wait(&mut session);
    assert!(message(&session).contains("has not adopted the edit"), "{}", message(&session));
    send(&mut sender, &solved(0, 4, settings));
    until(&mut session, "the frame arrives", |session| frames(session) == 5);
    assert_eq!(*session.world.settings(), settings);
}

#[test]
fn a_break_condition_stops_at_the_frame_that_meets_it() {
    use kinescope_ik::debugger::breaks::{Breaks, Condition};
    let (mut session, address) = listening();
    let mut breaks = Breaks::default();
    *breaks.enabled_mut(Condition::LeavesReach) = true;
    session.apply(Action::Breaks(breaks));
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let mut settings = kinescope_ik::Settings::default();
    for number in 0..40 {
        let hand = settings.effector_mut(Effector::LeftHand);
        let x = if number < 20 { 0.4 } else { 30.0 };
        (hand.position, hand.position_weight) = (Some(glam::Vec3::new(x, 1.2, 0.3)), 1.0);
        send(&mut sender, &solved(0, number, settings));
        until(&mut session, "the frame arrives", |session| frames(session) as u64 == number + 1);
    }
    assert!(session.world.time.is_paused());
    assert_eq!(session.shown_frame().unwrap().0, 20);
    assert!(message(&session).contains("Stopped"), "{}", message(&session));
}

#[test]
fn time_that_goes_back_in_any_character_starts_another_run() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    (0..10).for_each(|frame| send(&mut sender, &solved(1, frame, Default::default())));
    until(&mut session, "the frames arrive", |session| {
        session.tools.games.games.first().is_some_and(|game| game.len() == 10)
    });
    drop(sender);
    until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    sender.mark("again", 0.1);
    send(&mut sender, &solved(0, 0, Default::default()));
    send(&mut sender, &solved(1, 0, Default::default()));
    until(&mut session, "another", |session| session.tools.games.games.len() == 2);
    // The mark that was sent before the first frame of the new run appears once.
    assert_eq!(session.tools.games.games.iter().map(|game| game.marks.len()).sum::<usize>(), 1);
}

#[test]
fn a_game_that_restarts_with_another_character_is_another_run() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    (0..20).for_each(|frame| send(&mut sender, &solved(0, frame, Default::default())));
    drop(sender);
    until(&mut session, "the game has disconnected", |session| {
        frames(session) == 20 && session.tools.games.traffic().from.is_none()
    });
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    sender.mark("again", 0.0);
    for frame in 0..5 {
        [1, 0].into_iter().for_each(|character| send(&mut sender, &solved(character, frame, Default::default())));
    }
    until(&mut session, "the second run", |session| {
        session.tools.games.games.iter().map(|game| game.len()).sum::<usize>() == 30
    });
    let of: Vec<_> = session.tools.games.games.iter().map(|game| (game.len(), game.marks.len())).collect();
    assert_eq!(of, [(20, 0), (10, 1)]);
}

#[test]
fn quitting_saves_received_frames_and_keeps_unsaved_edits() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    (0..10).for_each(|frame| send(&mut sender, &solved(0, frame, Default::default())));
    until(&mut session, "the frames arrive", |session| frames(session) == 10);
    session.apply(Action::Scene(SCENES[1].name));
    let mut edited = *session.world.settings();
    edited.pin = 0.25;
    session.edit_settings("pin", None, edited);
    run(&mut session, Command::Quit);
    assert_eq!(session.window.dialog, Some(Dialog::UnsavedGame));
    session.apply(Action::Answer(Answer::SaveGame));
    assert_eq!(session.window.dialog, Some(Dialog::File(Command::SaveRecording)));
    assert_eq!(session.world.settings().pin, 0.25, "the edits are kept");
    // Frames that the game sends meanwhile do not make the session ask again.
    send(&mut sender, &solved(0, 10, Default::default()));
    session.apply(Action::File(Command::SaveRecording, temporary("way out.jsonl")));
    until(&mut session, "saved", |session| session.tools.games.saving.is_none());
    assert!(matches!(session.window.dialog, Some(Dialog::Unsaved(_))), "{:?}", session.window.dialog);
    session.apply(Action::Answer(Answer::DiscardChanges));
    assert!(session.window.quit);
}

#[test]
fn unsaved_marks_are_asked_about() {
    let mut session = opened("marked.jsonl", recording(&played(3, 100)));
    assert!(session.tools.games.unsaved().is_none());
    run(&mut session, Command::Mark);
    assert!(session.tools.games.unsaved().is_some());
}

#[test]
fn a_game_that_reconnects_continues_its_run() {
    let (mut session, address) = listening();
    for (from, to) in [(0, 10), (10, 20)] {
        let mut sender = link::Sender::new(&address, &header()).unwrap();
        (from..to).for_each(|frame| send(&mut sender, &solved(0, frame, Default::default())));
        until(&mut session, "the frames arrive", |session| frames(session) == to as usize);
        drop(sender);
        until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    }
    assert_eq!(session.tools.games.games.len(), 1);
}

/// Sends invalid bytes and checks that the session reports `error` and then receives a valid game.
fn send_invalid(bytes: &[u8], error: &str) {
    let (mut session, address) = listening();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    // The session may close the connection before it has read everything.
    let _ = stream.write_all(bytes);
    until(&mut session, error, |session| message(session).contains(error));
    drop(stream);
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut session, "a game", |session| frames(session) == 1);
}

#[test]
fn a_malformed_line_is_reported_once_with_line_and_field() {
    let (_, first) = Writer::new(&header());
    send_invalid(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "opened no WebSocket");
    send_invalid(b"nonsense\n", "line 1, column 2");
    send_invalid(b"\xff\xfe\x00\n", "line 1: is not text (UTF-8)");
    send_invalid(&vec![b'x'; (16 << 20) + 64], "line 1 is longer than 16 MiB");
    let line = "{\"character\":\"player\",\"time\":0.5,\"animated\":[[0,0,0,0,0,0,1]]}\n";
    send_invalid((first.clone() + line).as_bytes(), "line 2, animated: ");
    send_invalid((first.clone() + &"nonsense\n".repeat(500)).as_bytes(), "200 malformed lines came before it");
    let mut endless = first.into_bytes();
    endless.resize(endless.len() + (17 << 20), b' ');
    send_invalid(&endless, "line 2 is longer than 16 MiB");
}

/// A line with two meanings is refused. Part of it used to be dropped silently.
#[test]
fn lines_with_two_meanings_are_refused_with_their_field() {
    let (_, first) = Writer::new(&header());
    let rig = header().characters[0].rig(built_in().pose("walk", 0.0));
    let whole = Trace::whole("", rig, Default::default()).unwrap();
    let line = Writer::new(&header()).0.frame(&GameFrame::of_trace(&whole, (0, 0, 0.0))).unwrap();
    let send_changed = |change: &dyn Fn(&mut serde_json::Value), error: &str| {
        let mut line: serde_json::Value = serde_json::from_str(&line).unwrap();
        change(&mut line);
        send_invalid(format!("{first}{line}\n").as_bytes(), error);
    };
    for key in ["steps", "writes"] {
        let twice = |line: &mut serde_json::Value| {
            let stages = line[key].as_array_mut().unwrap();
            stages.push(stages[0].clone());
        };
        send_changed(&twice, &format!("line 2, {key}["));
        send_changed(&twice, "may be there once");
    }
    send_changed(&|line| line["mark"] = "jump".into(), "line 2, character: is not allowed in the line of a `mark`");
    let of_nobody = |line: &mut serde_json::Value| (line["mark"], line["character"]) = ("jump".into(), "nobody".into());
    send_changed(&of_nobody, "line 2, character: is not allowed in the line of a `mark`");
}

/// A session whose listener reads headers of the producer "slow" only when the test allows it.
struct Slow {
    session: Session,
    address: String,
    /// Receives a message when a header of the producer "slow" starts to be read.
    started: Receiver<()>,
    /// Allows one header to be read.
    allow: Sender<()>,
}

impl Slow {
    fn new() -> Self {
        let ((starts, started), (allow, allowed)) = (channel(), channel());
        let allowed = Mutex::new(allowed);
        let read = move |reader: &mut Reader, text: &str| {
            if text.contains("\"slow\"") {
                starts.send(()).unwrap();
                // The channel closes when the test has ended.
                let _ = allowed.lock().unwrap().recv();
            }
            reader.read(text)
        };
        let mut session = session();
        let listener = Listener::start_with("127.0.0.1:0", session.tools.games.wake.clone(), Box::new(read)).unwrap();
        let address = listener.address.to_string();
        session.tools.games.connection = Connection::Listening(Box::new(Listening::new(listener, &address)));
        Self { session, address, started, allow }
    }

    fn call(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let header = Header { producer: "slow".to_owned(), ..header() };
        stream.write_all(Writer::new(&header).1.as_bytes()).unwrap();
        self.started.recv_timeout(PATIENCE).unwrap();
        stream
    }
}

/// One slow header used to block the listener for all other games.
#[test]
fn other_games_are_received_while_a_header_is_read() {
    let mut slow = Slow::new();
    let game = slow.call();
    let mut other = link::Sender::new(&slow.address, &header()).unwrap();
    send(&mut other, &solved(0, 0, Default::default()));
    until(&mut slow.session, "a frame of the other game arrives", |session| frames(session) == 1);
    drop(other);
    until(&mut slow.session, "the other game has disconnected", |session| session.tools.games.traffic().from.is_none());
    let own = game.local_addr().unwrap();
    assert_eq!(slow.session.tools.games.traffic().calling, Some(own));
    slow.allow.send(()).unwrap();
    until(&mut slow.session, "the slow game is received", |session| session.tools.games.traffic().from == Some(own));
    hang_up(game, PATIENCE).unwrap();
}

#[test]
fn a_header_that_takes_too_long_finds_another_game_connected() {
    let mut slow = Slow::new();
    let mut game = slow.call();
    let mut other = link::Sender::new(&slow.address, &header()).unwrap();
    send(&mut other, &solved(0, 0, Default::default()));
    until(&mut slow.session, "a frame of the other game arrives", |session| frames(session) == 1);
    slow.allow.send(()).unwrap();
    let mut received = String::new();
    // The end of the connection may come as an error.
    let _ = game.read_to_string(&mut received);
    assert!(received.ends_with(kinescope_ik::link::BUSY), "{received:?}");
    until(&mut slow.session, "the refused game is counted", |session| session.tools.games.traffic().turned_away == 1);
    send(&mut other, &solved(0, 1, Default::default()));
    until(&mut slow.session, "the other game goes on", |session| frames(session) == 2);
}

/// *Stop listening* and closing the window used to wait for the header.
#[test]
fn stopping_to_listen_does_not_wait_for_a_header() {
    let mut slow = Slow::new();
    let mut game = slow.call();
    let mut silent = TcpStream::connect(&slow.address).unwrap();
    silent.set_read_timeout(Some(PATIENCE)).unwrap();
    run(&mut slow.session, Command::StopListening);
    assert!(slow.session.tools.games.connection.listening().is_none());
    // The header is still being read, and the address is free.
    slow.session.listen(&slow.address);
    assert!(slow.session.tools.games.connection.listening().is_some(), "{}", message(&slow.session));
    for stream in [&mut game, &mut silent] {
        let ended = stream.read_to_end(&mut Vec::new());
        assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
    }
    slow.allow.send(()).unwrap();
    let mut sender = link::Sender::new(&slow.address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut slow.session, "a frame of another game arrives", |session| frames(session) == 1);
    assert_eq!(slow.session.tools.games.games.len(), 1, "the stopped game does not return");
}

#[test]
fn disconnecting_does_not_wait_for_a_header() {
    let mut slow = Slow::new();
    let mut game = slow.call();
    slow.session.update(0.0);
    assert!(slow.session.tools.games.traffic().calling.is_some());
    run(&mut slow.session, Command::DisconnectGame);
    assert_eq!(slow.session.tools.games.traffic().calling, None);
    let ended = game.read_to_end(&mut Vec::new());
    assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
    slow.allow.send(()).unwrap();
    let mut sender = link::Sender::new(&slow.address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut slow.session, "a frame of another game arrives", |session| frames(session) == 1);
    assert_eq!(slow.session.tools.games.games.len(), 1);
}

#[test]
fn an_error_of_a_line_is_not_replaced_by_connection_messages() {
    let (mut session, address) = listening();
    let text = recording(&played(6, 6)) + "{\"character\":\"nobody\"}\n";
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all(text.as_bytes()).unwrap();
    let refused = hang_up(game, PATIENCE).unwrap_err().to_string();
    assert!(refused.starts_with("the window refused line 8, time: is missing"), "{refused}");
    until(&mut session, "the game has disconnected", |session| frames(session) == 6 && is_over(session));
    assert!(message(&session).contains("line 8, time"), "{}", message(&session));
}

#[test]
fn a_second_game_is_refused_with_a_reason() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    send(&mut sender, &played(1, 1)[0]);
    until(&mut session, "the next game is connected", |session| session.tools.games.traffic().from.is_some());
    let (_, line) = Writer::new(&header());
    let call = || {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(line.as_bytes()).unwrap();
        stream
    };
    let mut received = String::new();
    let _ = call().read_to_string(&mut received);
    assert_eq!(received, kinescope_ik::link::BUSY);
    let error = hang_up(call(), PATIENCE).unwrap_err();
    assert!(error.to_string().contains("another game is connected there"), "{error}");
    until(&mut session, "the refused game is counted", |session| session.tools.games.traffic().turned_away == 2);
    // A game that connects while the connected game disconnects is accepted.
    let next = call();
    drop(sender);
    let theirs = next.local_addr().unwrap();
    until(&mut session, "the next game is received", |session| session.tools.games.traffic().from == Some(theirs));
    hang_up(next, PATIENCE).unwrap();
}

#[test]
fn numbers_of_frames_may_be_anything() {
    let (mut session, address) = listening();
    let mut game = played(4, 4);
    for (frame, number) in game.iter_mut().zip([0, u64::MAX, 0, u64::MAX]) {
        frame.frame = number;
    }
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(recording(&game).as_bytes()).unwrap();
    until(&mut session, "all frames arrive", |session| frames(session) == 4);
    assert_eq!(session.lane().unwrap().skipped, u64::MAX);
}

#[test]
fn a_game_killed_in_the_middle_of_a_line_leaves_its_complete_lines() {
    let (mut session, address) = listening();
    let text = recording(&played(12, 100));
    // Closing a connection with unread data discards data that is still in transit. The test therefore tries a game
    // that reads the greeting and a game that does not.
    for (reads, calls) in [(true, 1), (false, 2)] {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(&text.as_bytes()[..text.len() - 500]).unwrap();
        let mut greeting = [0; 16];
        if reads {
            stream.read_exact(&mut greeting).unwrap();
            assert_eq!(&greeting, b"{\"kinescope\":1}\n");
        } else {
            until(&mut session, "all frames but the last arrive", |session| session.tools.games.traffic().frames == 22);
        }
        drop(stream);
        until(&mut session, "the game has disconnected", |session| {
            message(session).contains("was cut off; 11 frames stay")
        });
        assert_eq!((frames(&session), session.tools.games.games.len()), (11, calls));
        session.window.notice = None;
    }
}

#[test]
fn a_sender_that_disconnects_without_reading_loses_no_frames() {
    let (mut session, address) = listening();
    let text = recording(&played(60, 30));
    // This is more data than the system buffers.
    let padded = text.replace("\"animated\"", &format!("{}\"animated\"", " ".repeat(200_000)));
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all(padded.as_bytes()).unwrap();
    drop(game);
    until(&mut session, "the game has disconnected", |session| {
        message(session).contains("disconnected; its 60 frames stay")
    });
}

#[test]
fn a_last_line_without_a_line_break_counts() {
    let (mut session, address) = listening();
    let text = recording(&played(12, 100));
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all(text.trim_end().as_bytes()).unwrap();
    hang_up(game, PATIENCE).unwrap();
    until(&mut session, "the game has disconnected", |session| {
        message(session).contains("disconnected; its 12 frames stay")
    });
    assert_eq!(frames(&session), 12);
}

#[test]
fn a_message_waits_until_an_earlier_error_is_read() {
    let (mut session, address) = listening();
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all((recording(&played(3, 3)) + "nonsense\n").as_bytes()).unwrap();
    until(&mut session, "is reported", |session| message(session).contains("line 5, column 2"));
    hang_up(game, PATIENCE).unwrap_err();
    until(&mut session, "the game has disconnected", is_over);
    assert!(message(&session).contains("line 5, column 2"), "{}", message(&session));
    session.apply(Action::DismissNotice);
    assert!(message(&session).contains("disconnected; its 3 frames stay"), "{}", message(&session));
    session.apply(Action::DismissNotice);
    assert_eq!(message(&session), "");
}

#[test]
fn every_kind_of_malformed_line_is_reported_and_marks_in_a_burst_stay() {
    let (mut session, address) = listening();
    let mut text = recording(&played(4, 2));
    text +=
        "{\"character\":\"nobody\",\"time\":1}\n{\"character\":\"player\"}\n{\"character\":\"nobody\",\"time\":2}\n";
    (0..3000).for_each(|number| text += &Writer::mark(&Mark { mark: format!("mark {number}"), time: 1.0 }));
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all(text.as_bytes()).unwrap();
    hang_up(game, PATIENCE).unwrap_err();
    until(&mut session, "the game has disconnected", |session| frames(session) == 4 && is_over(session));
    assert!(message(&session).contains("line 6, character: is \"nobody\""), "{}", message(&session));
    let malformed = &session.tools.games.connection.listening().unwrap().malformed;
    let [first, second] = &malformed[..] else { panic!("{malformed:?}") };
    assert!(first.contains("line 6, character") && second.contains("line 7, time"), "{first} {second}");
    assert_eq!(session.tools.games.traffic().refused, 3);
    assert_eq!(session.tools.games.games[0].marks.len(), 3000);
    // While live, at the end, the next difference is the first one.
    until(&mut session, "compared", |session| session.lane().unwrap().judged == 4);
    assert!(session.world.is_live());
    run(&mut session, Command::NextDifference);
    assert_eq!(session.shown_frame().unwrap().0, 2);
    session.window.notice = None;
    run(&mut session, Command::NextDifference);
    assert_eq!(message(&session), "No further difference");
    run(&mut session, Command::NextFrame);
    run(&mut session, Command::NextDifference);
    assert!(message(&session).contains("Shift+J goes back to the difference at frame 2"), "{}", message(&session));
}

#[test]
fn many_short_runs_of_a_game_do_not_displace_a_long_session() {
    let (mut session, address) = listening();
    for frames in [60].into_iter().chain([2; 34]) {
        let mut sender = link::Sender::new(&address, &header()).unwrap();
        let before = session.tools.games.traffic().frames;
        (0..frames).for_each(|frame| send(&mut sender, &solved(0, frame, Default::default())));
        until(&mut session, "the frames arrive", |session| session.tools.games.traffic().frames == before + frames);
        drop(sender);
        until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    }
    let of: Vec<usize> = session.tools.games.games.iter().map(|game| game.len()).collect();
    assert!(of.len() == 32 && of.contains(&60), "{of:?}");
    assert_eq!(session.tools.games.lost(), 6);
}

#[test]
fn a_flood_is_bounded() {
    let (mut session, address) = listening();
    let frame = solved(0, 0, Default::default());
    let (mut writer, first) = Writer::new(&header());
    let line = writer.frame(&frame).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = stop.clone();
    let flood = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(first.as_bytes()).unwrap();
        let mut sent = 0;
        while !stopped.load(std::sync::atomic::Ordering::Relaxed) && stream.write_all(line.as_bytes()).is_ok() {
            sent += 1;
        }
        sent
    });
    // While the window does not update, its queue is bounded, and the dropped frames are counted.
    let start = Instant::now();
    while listener(&session).traffic().dropped < 100 {
        assert!(start.elapsed() < PATIENCE, "{:?}", listener(&session).traffic());
        std::thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..60 {
        session.update(1.0 / 60.0);
        let bytes: usize = session.tools.games.games.iter().map(|game| game.bytes()).sum();
        assert!(bytes <= kinescope::tools::game::BUDGET);
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    run(&mut session, Command::StopListening);
    assert!(flood.join().unwrap() > 100);
    assert!(frames(&session) > 1);
}

/// A game may send any number of marks without a frame.
#[test]
fn a_flood_of_marks_is_bounded_and_leaves_the_frames() {
    let (mut session, address) = listening();
    let (mut writer, first) = Writer::new(&header());
    let mut text = first;
    let mark = |number: usize| Writer::mark(&Mark { mark: format!("{number} {}", "long ".repeat(500)), time: 0.1 });
    text += &(0..20_000).map(mark).collect::<String>();
    text += &writer.frame(&solved(0, 3, Default::default())).unwrap();
    // The game is sent twice. The second time, the same game continues, and its marks wait for its first frame.
    for calls in 1..3 {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        hang_up(stream, PATIENCE).unwrap();
        until(&mut session, "the frames arrive", |session| session.tools.games.traffic().frames == calls);
        until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
        session.update(1.0 / 60.0);
        assert_eq!(frames(&session) as u64, calls);
        for game in &session.tools.games.games {
            assert!(game.marks.len() <= kinescope::tools::game::MOST_MARKS);
            let longest = game.marks.iter().map(|mark| mark.mark.len()).max();
            assert!(longest.is_none_or(|letters| letters < 500), "{longest:?}");
        }
        assert!(session.tools.games.games.iter().any(|game| game.marks.len() > 500));
    }
}

fn opened(name: &str, text: impl AsRef<[u8]>) -> Session {
    let path = temporary(name);
    std::fs::write(&path, text).unwrap();
    let mut session = session();
    session.apply(Action::OpenAny(path));
    session.wait_for_opening(PATIENCE);
    session
}

#[test]
fn a_recording_is_opened_and_played() {
    let game = played(80, 40);
    let mut session = opened("whole.jsonl", recording(&game));
    assert_eq!(message(&session), "whole.jsonl: 80 frames of 2 characters, 2.6 s");
    assert!(session.world.time.is_paused());
    assert_eq!(session.shown_frame(), Some((0, 0.0)));
    for number in [70, 3, 4, 5, 4, 79, 0, 1] {
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
        assert_eq!(session.shown_frame(), Some((number, game[number as usize].time)));
        let own = solved(0, number, game[0].parameters).result.unwrap();
        let apart = own.iter().zip(&session.world.solved.pose).map(|(a, b)| a.position.distance(b.position));
        assert!(apart.fold(0.0, f32::max) < 1e-6, "{number}");
        assert_eq!(session.world.settings().effector(Effector::LeftHand).position_weight, 1.0);
    }
    until(&mut session, "compared", |session| session.lane().unwrap().judged == 80);
    run(&mut session, Command::NextDifference);
    assert_eq!(session.shown_frame().unwrap().0, 40);
    // A recording plays, but has no newest frame that *Live* could follow.
    run(&mut session, Command::PlayPause);
    until(&mut session, "plays", |session| session.shown_frame().unwrap().0 > 44);
    run(&mut session, Command::Live);
    assert!(message(&session).contains("without newer frames"));
    run(&mut session, Command::PlayPause);
    let mut edited = *session.world.settings();
    edited.pin = 0.5;
    session.edit_settings("pin", None, edited);
    session.update(0.0);
    assert_eq!(session.tools.debugger.what_if.as_ref().unwrap().changes.len(), 1);
    let before = session.tools.games.games[0].marks.len();
    run(&mut session, Command::Mark);
    assert_eq!(session.tools.games.games[0].marks.len(), before + 1);
    run(&mut session, Command::Mark);
    assert_eq!(session.tools.games.games[0].marks.len(), before);
    run(&mut session, Command::Undo);
    session.apply(Action::Scene(SCENES[0].name));
    if session.window.dialog.is_some() {
        session.apply(Action::Answer(Answer::DiscardChanges));
    }
    session.update(1.0 / 60.0);
    assert!(session.lane().is_none() && session.tools.debugger.port.is_none());
}

#[test]
fn errors_of_a_recording_are_reported_and_the_rest_is_shown() {
    let game = played(12, 100);
    let text = recording(&game);
    let session = opened("cut off.jsonl", &text[..text.len() - 300]);
    assert!(message(&session).contains("the last line is incomplete"), "{}", message(&session));
    assert_eq!(frames(&session), 11);
    let session = opened("cut letter.jsonl", [text.as_bytes(), b"{\"mark\":\"spr\xc3"].concat());
    assert!(message(&session).contains("the last line is incomplete"), "{}", message(&session));
    assert_eq!(frames(&session), 12);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[5] = "{\"character\":\"nobody\",\"time\":1}";
    let session = opened("nobody.jsonl", lines.join("\n"));
    assert!(message(&session).contains("nobody.jsonl: line 6, character: is \"nobody\""), "{}", message(&session));
    assert!(session.lane().is_none());
    assert!(message(&opened("empty.jsonl", "")).contains("is empty"));
    // A frame with unreadable poses is detected when it is compared, reported, and skipped when stepping.
    let short = "{\"character\":\"player\",\"frame\":4,\"time\":0.14,\"animated\":[[0,0,0,0,0,0,1]],\"result\":[]}";
    let mut lines: Vec<&str> = text.lines().collect();
    lines[5] = short;
    let mut session = opened("short.jsonl", lines.join("\n"));
    until(&mut session, "compared", |session| session.lane().unwrap().judged == 12);
    assert!(
        message(&session).contains("frame 4 of short.jsonl: line 6: animated: has 1 bones"),
        "{}",
        message(&session)
    );
    assert_eq!(session.lane().unwrap().get(4).unwrap().verdict, Verdict::Broken);
    // A recording that ends with such a frame opens.
    let last = short.replace("\"frame\":4,\"time\":0.14", "\"frame\":12,\"time\":9");
    let mut dead: Vec<&str> = text.lines().collect();
    dead.push(&last);
    assert_eq!(frames(&opened("dead.jsonl", dead.join("\n"))), 13);
    session.apply(Action::Steps(StepAction::SeekFrame(3)));
    run(&mut session, Command::NextFrame);
    assert_eq!(session.shown_frame().unwrap().0, 5);
    run(&mut session, Command::PreviousFrame);
    assert_eq!(session.shown_frame().unwrap().0, 3);
}

#[test]
fn differences_of_results_include_rotations() {
    let hand = built_in().solver.bone_of(Effector::LeftHand.node());
    let mut game = played(3, 100);
    for frame in &mut game {
        (frame.steps, frame.writes) = (Vec::new(), Vec::new());
    }
    let turned = &mut game[1].result.as_mut().unwrap()[hand];
    turned.rotation *= glam::Quat::from_rotation_y(0.5);
    game[2].result.as_mut().unwrap()[hand].position.x += 0.03;
    let mut session = opened("turned.jsonl", recording(&game));
    until(&mut session, "compared", |session| session.lane().is_some_and(|lane| lane.judged == 3));
    let lane = session.lane().unwrap();
    assert_eq!(lane.get(0).unwrap().verdict, Verdict::Same);
    let apart = |number| match lane.get(number).unwrap().verdict {
        Verdict::Differs { apart, .. } => apart,
        other => panic!("{number}: {other:?}"),
    };
    let (turned, moved) = (apart(1), apart(2));
    assert!(turned.distance < 1e-5 && (turned.degrees - 0.5f32.to_degrees()).abs() < 0.01, "{turned:?}");
    assert!((moved.distance - 0.03).abs() < 1e-5 && moved.degrees < 0.01, "{moved:?}");
    assert!(turned.share(1.7) > 0.04 && (moved.share(1.5) - 0.02).abs() < 1e-4);
    run(&mut session, Command::NextDifference);
    assert_eq!(session.shown_frame().unwrap().0, 1);
    assert_eq!(session.interaction.selection, Selection::Effector(Effector::LeftHand));
}

#[test]
fn values_that_a_game_does_not_send_are_not_compared() {
    let mut frames = played(6, 100);
    frames.iter_mut().for_each(|frame| {
        (frame.steps, frame.writes) = (Vec::new(), Vec::new());
    });
    frames[5] = with_bug(frames[5].clone());
    frames[0].result = None;
    let mut session = opened("results.jsonl", recording(&frames));
    until(&mut session, "compared", |session| session.lane().unwrap().judged == 5);
    let lane = session.lane().unwrap();
    let verdicts: Vec<bool> = lane.entries().map(|(_, entry)| entry.verdict.differs()).collect();
    assert_eq!(verdicts, [false, false, false, false, false, true]);
    assert_eq!(lane.get(0).unwrap().verdict, Verdict::NoResult);
    assert!(session.tools.debugger.port.is_none());
    assert_eq!(session.tools.games.shown().unwrap().0.place(lane.get(5).unwrap().verdict), Some("result"));
}

#[test]
fn an_address_that_cannot_be_bound_is_reported() {
    let (_first, address) = listening();
    let mut session = session();
    session.listen(&address);
    assert!(message(&session).contains("another program listens there"), "{}", message(&session));
    session.listen("no address");
    assert!(message(&session).contains("An example is 127.0.0.1:7468"), "{}", message(&session));
    session.listen("203.0.113.7:7468");
    assert!(message(&session).contains("is not an address of this machine"), "{}", message(&session));
    session.listen("0.0.0.0:0");
    assert!(listener(&session).is_open_to_others());
}

#[test]
fn a_game_that_connects_behind_the_question_about_unsaved_work_is_in_its_pane_until_the_answer() {
    let mut harness = harness::window(Vec2::new(1440.0, 900.0));
    let session = &mut harness.state_mut().session;
    session.listen("127.0.0.1:0");
    let address = listener(session).address.to_string();
    session.window.dialog = Some(Dialog::Recover);
    harness.run();
    harness.state_mut().panes.layout.show(Pane::Motion);
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    played(10, 99).iter().for_each(|frame| send(&mut sender, frame));
    let received = |session: &Session| session.tools.games.games.iter().map(|game| game.len()).sum::<usize>();
    until(&mut harness.state_mut().session, "the frames arrive", |session| received(session) == 10);
    harness.run();
    harness.run();
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::Recover));
    assert!(harness.state().session.lane().is_none(), "the picture still shows the work before the answer");
    assert!(harness.state().panes.layout.is_shown(Pane::Game));
    let says_so = |harness: &egui_kittest::Harness<harness::Window>| {
        harness::texts(harness)
            .iter()
            .any(|text| text.text.starts_with("The game is received, and its frames are kept."))
    };
    assert!(says_so(&harness));
    harness.state_mut().session.apply(Action::Answer(Answer::CloseDialog));
    until(&mut harness.state_mut().session, "the game is shown", |session| frames(session) == 10);
    harness.run();
    assert!(!says_so(&harness));
}

#[test]
fn a_game_without_results_is_not_compared() {
    for has_result in [false, true] {
        let mut frames = played(2, 9);
        for frame in &mut frames {
            frame.result.take_if(|_| !has_result);
        }
        let path = temporary("results.jsonl");
        std::fs::write(&path, recording(&frames)).unwrap();
        let mut session = session();
        session.apply(Action::File(Command::OpenRecording, path));
        session.wait_for_opening(PATIENCE);
        session.update(0.0);
        assert!(session.tools.games.is_shown());
        assert_eq!(session.why_not(Command::EndCompare).is_none(), has_result);
    }
}

/// A trace compares constants and moves, a game does not, and *Compare* used to show nothing about that.
#[test]
fn compare_states_what_a_result_lacks() {
    let says = |path: std::path::PathBuf| {
        let mut harness = harness::window(Vec2::new(1440.0, 900.0));
        let session = &mut harness.state_mut().session;
        session.apply(Action::OpenAny(path));
        session.wait_for_opening(PATIENCE);
        session.update(0.0);
        assert!(session.tools.debugger.port.is_some(), "{}", message(session));
        session.apply(Action::ShowPane(Pane::Compare));
        harness.run();
        harness.run();
        let texts = harness::texts(&harness).into_iter().map(|text| text.text);
        texts.filter(|text| text.ends_with("so these are not compared.") || text.contains("can have them")).collect()
    };
    let file = |name: &str, text: String| {
        let path = temporary(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let game: Vec<String> = says(file("lacks.jsonl", recording(&played(2, 9))));
    assert_eq!(game.len(), 1, "{game:?}");
    assert!(game[0].starts_with("A game sends no constants and no moves"), "{game:?}");
    let own = session();
    let rig = || kinescope::session::rig_of(&own.world.character, &own.world.picture.animated.bones).unwrap();
    let settings = *own.world.settings();
    let plain = Trace::solve("mannequin", rig(), settings).unwrap();
    assert_eq!(
        says(file("plain.json", plain.to_json())),
        ["The trace has no constants and no moves, so these are not compared."]
    );
    let mut whole = Trace::whole("mannequin", rig(), settings).unwrap();
    assert_eq!(says(file("whole.json", whole.to_json())), [""; 0]);
    whole.more.constants.clear();
    assert_eq!(says(file("moves.json", whole.to_json())), ["The trace has no constants, so these are not compared."]);
}
