//! Outside solvers of the full-body lab: a scripted solver over a real socket.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Command as Process, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};

use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope::tools::body_lab::LaneRow;
use kinescope::tools::body_lab::outside::pose_of;
use kinescope::tools::body_lab::session::BodyLabAction;
use kinescope_ik::game_recording::Writer;
use kinescope_ik::stack::{ForeignPose, LayerId};

use crate::common::PATIENCE;
use crate::common::game::header;
use crate::common::session::{in_scene, run, until};

struct Solver {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    kept: Vec<Value>,
}

impl Solver {
    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE / 10)).unwrap();
        Self { lines: BufReader::new(stream.try_clone().unwrap()), stream, kept: Vec::new() }
    }

    fn named(address: &str, name: &str) -> Self {
        let mut solver = Self::connect(address);
        solver.send(&json!({ "format": "kinescope-solver", "version": 1, "name": name }));
        solver
    }

    fn send(&mut self, line: &Value) {
        writeln!(self.stream, "{line}").unwrap();
    }

    /// Returns the first line that has this field. Other lines are kept for later calls.
    fn field(&mut self, field: &str) -> Value {
        loop {
            if let Some(at) = self.kept.iter().position(|line| !line[field].is_null()) {
                return self.kept.remove(at);
            }
            let line = self.line();
            self.kept.push(line);
        }
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the connection has ended");
        serde_json::from_str(&line).unwrap()
    }

    /// Answers all frames on a thread until the connection ends. Returns the connection.
    fn serve(mut self, answer: fn(&Value) -> Value) -> TcpStream {
        let stream = self.stream.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut line = String::new();
            while self.lines.read_line(&mut line).is_ok_and(|read| read > 0) {
                let frame: Value = serde_json::from_str(&line).unwrap();
                if !frame["targets"].is_null() && writeln!(self.stream, "{}", answer(&frame)).is_err() {
                    break;
                }
                line.clear();
            }
        });
        stream
    }

    fn answer(&mut self, frame: &Value, shift: f64) {
        let pose = moved(&frame["pose"], shift);
        self.send(&json!({ "frame": frame["frame"], "pose": pose, "us": 250.0 }));
    }
}

fn moved(pose: &Value, shift: f64) -> Value {
    let mut pose = pose.clone();
    for bone in pose.as_array_mut().unwrap() {
        bone[0] = (bone[0].as_f64().unwrap() + shift).into();
    }
    pose
}

/// Returns a listening session that plays a clip with targets, and its address.
fn listening() -> (Session, String) {
    let mut session = in_scene("solvers on one clip");
    while !session.world.body_lab().lanes.is_empty() {
        session.apply(Action::BodyLab(BodyLabAction::RemoveLane(0)));
    }
    session.listen("127.0.0.1:0");
    let address = session.tools.games.connection.listening().unwrap().listener.address.to_string();
    (session, address)
}

fn add(session: &mut Session, name: &str) {
    session.apply(Action::BodyLab(BodyLabAction::AddForeign(name.to_owned())));
    session.update(1.0 / 60.0);
}

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

fn row(session: &Session) -> Option<&LaneRow> {
    session.tools.body_lab.rows.first()?.as_ref()
}

fn late(session: &Session) -> Option<u64> {
    row(session).map(|row| row.late)
}

fn pause(session: &mut Session) {
    run(session, Command::PlayPause);
    assert!(session.world.time.is_paused());
}

#[test]
fn an_answer_becomes_the_lane_of_its_frame() {
    let (mut session, address) = listening();
    let mut solver = Solver::named(&address, "mink");
    until(&mut session, "the solver appears", |session| message(session).contains("mink connected"));
    add(&mut session, "mink");
    let character = solver.field("character");
    let bones = session.world.character.rig.skeleton.len();
    assert_eq!(character["character"]["rig"]["bones"].as_array().unwrap().len(), bones);
    assert_eq!(character["character"]["metres_per_unit"], 1.0);
    let hand = character["character"]["biped"]["left_hand"].clone();
    assert!(!hand.is_null(), "{character}");
    let frame = solver.field("targets");
    assert!(row(&session).is_none(), "no answer yet");
    let target = frame["targets"].as_array().unwrap().iter().find(|target| target["effector"] == "left_hand").unwrap();
    let settings = session.world.solved_settings();
    assert_eq!(target["position_weight"].as_f64().unwrap() as f32, settings.effectors[5].position_weight);
    // A live frame shows the last answer, which is late.
    solver.answer(&frame, 0.1);
    until(&mut session, "an answer is shown", |session| row(session).is_some());
    assert!(late(&session).unwrap() >= 1);
    // While paused, the answer to the frame shown replaces it, with its iterations.
    let stream = solver.serve(|frame| {
        let (near, far) = (moved(&frame["pose"], 0.1), moved(&frame["pose"], 0.3));
        json!({ "frame": frame["frame"], "pose": far, "iterations": [near, far], "us": 830.0 })
    });
    pause(&mut session);
    until(&mut session, "the answer to the frame is shown", |session| late(session) == Some(0));
    let shown = row(&session).unwrap();
    assert_eq!(shown.micros, 830.0);
    let before = &session.world.solved.layer(LayerId::BodyLane(0)).unwrap().before;
    assert!((shown.shown.bones[3].position.x - before[3].position.x - 0.3).abs() < 1e-4);
    let number = session.world.time.frame;
    let kept = session.tools.debugger.tape.get(number).unwrap().input.foreign[0].clone().unwrap();
    assert_eq!((kept.late, kept.iterations.len()), (0, 2));
    session.apply(Action::Select(Selection::Layer(LayerId::BodyLane(0))));
    assert_eq!(session.shown_run().unwrap().steps(), 2);
    run(&mut session, Command::PreviousStage);
    assert!((row(&session).unwrap().shown.bones[3].position.x - before_x(&session) - 0.1).abs() < 1e-4);
    // A recorded frame keeps its answer after the solver has disconnected.
    stream.shutdown(Shutdown::Both).unwrap();
    until(&mut session, "disconnected", |session| message(session).contains("mink disconnected"));
    assert_eq!(late(&session), Some(0));
    assert_eq!(session.world.body_lab().lanes[0].label(), "mink");
    run(&mut session, Command::Live);
    session.update(1.0 / 60.0);
    assert!(row(&session).is_none() && session.world.body_lab().lanes[0].label() == "mink");
    let mut solver = Solver::named(&address, "mink");
    until(&mut session, "connected again", |session| message(session).ends_with("Solver mink connected"));
    session.update(1.0 / 60.0);
    solver.field("character");
    let frame = solver.field("targets");
    solver.answer(&frame, 0.1);
    until(&mut session, "the lane is back", |session| row(session).is_some());
}

fn before_x(session: &Session) -> f32 {
    session.world.solved.layer(LayerId::BodyLane(0)).unwrap().before[3].position.x
}

fn is_on_time(pose: &ForeignPose) -> bool {
    pose.late == 0
}

#[test]
fn a_slow_solver_gets_only_the_newest_frame() {
    let (mut session, address) = listening();
    let mut solver = Solver::named(&address, "slow");
    until(&mut session, "the solver appears", |session| message(session).contains("slow connected"));
    add(&mut session, "slow");
    let first = solver.field("targets");
    let asked = session.world.time.frame;
    for _ in 0..30 {
        session.update(1.0 / 60.0);
    }
    let newest = session.world.solved.layer(LayerId::BodyLane(0)).unwrap().before.clone();
    let now = session.world.time.frame;
    assert!(now >= asked + 30 && row(&session).is_none());
    solver.answer(&first, 0.1);
    // The solver next gets the newest frame, and none of the frames between.
    let second = solver.field("targets");
    assert_eq!(second["frame"], first["frame"].as_u64().unwrap() + 1);
    assert!((second["pose"][3][0].as_f64().unwrap() as f32 - newest[3].position.x).abs() < 1e-5);
    until(&mut session, "the late answer is shown", |session| row(session).is_some());
    assert!(late(&session).unwrap() >= 30, "{:?}", late(&session));
    let answered = |session: &Session| -> Vec<u64> {
        let frames = session.tools.debugger.tape.frames();
        let has_own = |pose: Option<&Option<Arc<ForeignPose>>>| matches!(pose, Some(Some(pose)) if is_on_time(pose));
        frames.filter(|frame| has_own(frame.input.foreign.first())).map(|frame| frame.number).collect()
    };
    // The tape has the answer in its own frame, and in no other.
    let first = answered(&session);
    assert!(first.len() == 1 && first[0] <= asked, "{first:?} {asked}");
    solver.answer(&second, 0.2);
    until(&mut session, "the second answer is shown", |session| answered(session) == [first[0], now]);
    assert_eq!(row(&session).unwrap().micros, 250.0);
}

#[test]
fn wrong_answers_are_refused_with_the_field_and_the_next_frame_follows() {
    let (mut session, address) = listening();
    let mut solver = Solver::named(&address, "wrong");
    until(&mut session, "the solver appears", |session| message(session).contains("wrong connected"));
    add(&mut session, "wrong");
    // A solver may answer with an error in place of a pose.
    let frame = solver.field("targets");
    solver.send(&json!({ "frame": frame["frame"], "error": "no solution" }));
    until(&mut session, "the failure is reported", |session| message(session).contains("no solution"));
    type Spoil = fn(&mut Value);
    let wrong: [(Spoil, &str, &str); 6] = [
        (|line| drop(line["pose"].as_array_mut().unwrap().pop()), "pose", "bones"),
        (|line| line["pose"][2] = json!([0, 0, 0, 0, 0, 0, 0]), "pose[2]", "rotation"),
        (|line| line["pose"][2][0] = json!(1e30), "pose[2]", "finite"),
        (|line| line["pose"][2][0] = json!(1e39), "", "too large"),
        (|line| line["us"] = json!(-1), "us", "microseconds"),
        (|line| line["tail"] = json!(1), "", "tail"),
    ];
    for (number, (spoil, field, word)) in wrong.into_iter().enumerate() {
        session.update(1.0 / 60.0);
        let frame = solver.field("targets");
        let mut line = json!({ "frame": frame["frame"], "pose": frame["pose"] });
        spoil(&mut line);
        solver.send(&line);
        let error = solver.field("error")["error"].clone();
        assert_eq!((&error["field"], &error["line"]), (&json!(field), &json!(number + 3)), "{error}");
        assert!(error["message"].as_str().unwrap().contains(word), "{error}");
        session.window.notice = None;
        session.update(1.0 / 60.0);
    }
    let listening = session.tools.games.connection.listening().unwrap();
    assert!(listening.malformed.len() >= 3, "{:?}", listening.malformed);
    assert!(listening.malformed[0].starts_with("line 3, pose: has"), "{:?}", listening.malformed);
    assert!(row(&session).is_none());
    // An answer to a frame that was not asked for leaves the question open.
    session.update(1.0 / 60.0);
    let frame = solver.field("targets");
    let number = frame["frame"].as_u64().unwrap();
    solver.send(&json!({ "frame": number + 7, "pose": frame["pose"] }));
    assert_eq!(solver.field("error")["error"]["field"], "frame");
    solver.answer(&frame, 0.1);
    until(&mut session, "a good answer is shown", |session| row(session).is_some());
}

#[test]
fn another_character_is_announced_and_an_answer_about_the_previous_one_is_ignored() {
    let (mut session, address) = listening();
    let mut solver = Solver::named(&address, "mink");
    until(&mut session, "the solver appears", |session| message(session).contains("mink connected"));
    add(&mut session, "mink");
    let first = solver.field("character");
    let frame = solver.field("targets");
    run(&mut session, Command::BuiltInFaun);
    if session.world.body_lab().lanes.is_empty() {
        add(&mut session, "mink");
    }
    session.update(1.0 / 60.0);
    let second = solver.field("character");
    assert_ne!(first["character"]["name"], second["character"]["name"]);
    let bones = second["character"]["rig"]["bones"].as_array().unwrap().len();
    let next = solver.field("targets");
    assert_eq!(next["pose"].as_array().unwrap().len(), bones);
    // No error follows the outdated answer, but the answer to the next frame counts.
    solver.answer(&frame, 0.1);
    solver.answer(&next, 0.1);
    until(&mut session, "the lane is shown", |session| row(session).is_some());
    assert_eq!(pose_of(&session.world.solved, 0).unwrap().bones.len(), bones);
    assert!(session.tools.games.connection.listening().unwrap().malformed.is_empty());
}

#[test]
fn answers_about_several_previous_characters_are_ignored() {
    let (mut session, address) = listening();
    let mut solver = Solver::named(&address, "mink");
    until(&mut session, "the solver appears", |session| message(session).contains("mink connected"));
    add(&mut session, "mink");
    let mut frames = vec![solver.field("targets")];
    for command in [Command::BuiltInFaun, Command::BuiltInModel] {
        run(&mut session, command);
        if session.world.body_lab().lanes.is_empty() {
            add(&mut session, "mink");
        }
        session.update(1.0 / 60.0);
        frames.push(solver.field("targets"));
    }
    for frame in &frames {
        solver.answer(frame, 0.1);
    }
    until(&mut session, "the lane is shown", |session| row(session).is_some());
    assert!(session.tools.games.connection.listening().unwrap().malformed.is_empty());
}

#[test]
fn refused_headers_are_answered_and_solvers_are_served_beside_a_game() {
    let (mut session, address) = listening();
    let mut game = TcpStream::connect(&address).unwrap();
    game.write_all(Writer::new(&header()).1.as_bytes()).unwrap();
    until(&mut session, "a game is connected", |session| session.tools.games.traffic().from.is_some());
    let _first = Solver::named(&address, "mink");
    until(&mut session, "the solver appears", |session| message(session).contains("mink connected"));
    for (line, field) in [
        (json!({ "format": "kinescope-solver", "version": 1, "name": "mink" }), "name"),
        (json!({ "format": "kinescope-solver", "version": 9, "name": "other" }), "version"),
        (json!({ "format": "kinescope-solver", "version": 1 }), "name"),
    ] {
        let mut other = Solver::connect(&address);
        other.send(&line);
        let error = other.field("error")["error"].clone();
        assert_eq!((&error["line"], &error["field"]), (&json!(1), &json!(field)), "{error}");
        let mut rest = String::new();
        assert_eq!(other.lines.read_line(&mut rest).unwrap(), 0, "the connection ends: {rest}");
    }
    assert!(session.tools.games.is_connected());
    game.shutdown(Shutdown::Both).unwrap();
    until(&mut session, "the game has left", |session| session.tools.games.traffic().from.is_none());
    assert!(session.tools.games.connection.listening().is_some());
}

#[test]
fn the_example_of_the_book_is_a_solver() {
    let page = include_str!("../../docs/body-lab.md");
    let program = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let (mut session, address) = listening();
    let port = address.rsplit(':').next().unwrap();
    let Ok(mut python) =
        Process::new("python3").args(["-c", program, port]).stdout(Stdio::null()).stdin(Stdio::null()).spawn()
    else {
        eprintln!("skipped: there is no python3");
        return;
    };
    until(&mut session, "the solver appears", |session| message(session).contains("shift connected"));
    add(&mut session, "shift");
    pause(&mut session);
    until(&mut session, "its answer to the frame is shown", |session| late(session) == Some(0));
    let row = row(&session).unwrap();
    let error = row.measures.length_error.unwrap();
    assert!(row.micros > 0.0 && error < 1e-4, "{} {error}", row.micros);
    assert!(
        row.shown.bones[3]
            .position
            .distance(session.world.solved.layer(LayerId::BodyLane(0)).unwrap().before[3].position)
            > 1e-3
    );
    // The program ends when the window stops listening.
    drop(session);
    python.wait().unwrap();
}
