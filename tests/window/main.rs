//! Tests of the real window on a virtual screen, driven by mouse and keys.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use glam::Vec3;
use kinescope::picture::camera::Camera;
use kinescope::scenes::{RestPose, SCENES, Scene};
use kinescope::session::Request;
use kinescope::session::commands::Command as Run;
use kinescope_ik::full_body::Node;
use kinescope_ik::link::Sender;
use serde_json::Value;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, PropMode};
use x11rb::wrapper::ConnectionExt as _;

use common::built_in;
use common::files::temporary;
use common::game;
use common::program::PROGRAM;
use common::session::{in_scene, run};

/// The longest wait for a state, long enough for slow machines.
const PATIENCE: Duration = Duration::from_secs(60);
const SIZE: (i32, i32) = (1440, 900);

/// Number of window tests that run at a time. A test waits for input and timers for a third of its time, and software
/// rendering uses two cores.
const AT_A_TIME: usize = 2;

/// Number of running window tests, and the signal that one has ended.
static RUNNING: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

struct Turn;

impl Drop for Turn {
    fn drop(&mut self) {
        *RUNNING.0.lock().unwrap() -= 1;
        RUNNING.1.notify_one();
    }
}

/// Waits for a turn if the programs that window tests need are installed. Otherwise returns `None`, so that the test is
/// skipped, or panics if `KINESCOPE_CI` is set.
fn can_run() -> Option<Turn> {
    for program in ["Xvfb", "xdotool"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
        if !found.status.success() {
            assert!(std::env::var_os("KINESCOPE_CI").is_none(), "{program} is missing");
            println!("skipped: {program} is not installed");
            return None;
        }
    }
    let running = RUNNING.0.lock().unwrap();
    *RUNNING.1.wait_while(running, |running| *running >= AT_A_TIME).unwrap() += 1;
    Some(Turn)
}

struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    fn new() -> Self {
        // A killed server leaves the lock file of its display. Two servers that start at once can both take over that
        // display, and programs of one test then talk to the other test's server.
        static STARTING: Mutex<()> = Mutex::new(());
        let _alone = STARTING.lock().unwrap();
        let mut server = Command::new("Xvfb")
            // Without key repeat, a key press that lasts long on a slow machine does not count twice.
            .args(["-displayfd", "1", "-noreset", "-r", "-screen", "0"])
            .arg(format!("{}x{}x24", SIZE.0, SIZE.1))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { server, display: format!(":{}", line.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

struct Program {
    child: Child,
    lines: Receiver<Value>,
    /// The log of the first frame.
    first: Value,
    now: Value,
    display: String,
    window: String,
    requests: u64,
}

impl Program {
    /// Starts the program with its own configuration folder, so that files of other tests have no effect on it.
    fn start(screen: &Screen, arguments: &[&str]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self::start_in(screen, &temporary(&format!("config {count}")), arguments)
    }

    fn start_in(screen: &Screen, configuration: &Path, arguments: &[&str]) -> Self {
        Self::start_from(Path::new("."), screen, configuration, arguments)
    }

    fn start_from(folder: &Path, screen: &Screen, configuration: &Path, arguments: &[&str]) -> Self {
        // If the tests run in a background job or under `nohup`, SIGINT or SIGHUP is ignored, and the program would
        // inherit that.
        let mut child = Command::new("env")
            .args(["--default-signal=INT,HUP,TERM", PROGRAM])
            .args(["--log", "--size", &format!("{}x{}", SIZE.0, SIZE.1)])
            .args(arguments)
            .current_dir(folder)
            .env("DISPLAY", &screen.display)
            .env("KINESCOPE_SAMPLES", "1")
            .env("XDG_CONFIG_HOME", configuration)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if send.send(serde_json::from_str(&line).expect("each line of the log is JSON")).is_err() {
                    break;
                }
            }
        });
        let now = lines.recv_timeout(PATIENCE).expect("the window opens and logs its first frame");
        let mut program = Self {
            child,
            lines,
            first: now.clone(),
            now,
            display: screen.display.clone(),
            window: String::new(),
            requests: 0,
        };
        let start = Instant::now();
        while program.window.is_empty() && start.elapsed() < PATIENCE {
            let found = program.xdotool(&["search", "--name", "Kinescope"]);
            program.window = found.lines().next().unwrap_or_default().to_owned();
        }
        program.settle();
        program
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .stderr(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        while !is_so(&self.now) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.now = line,
                Err(error) => panic!("{what}: {error}; last {}", self.now),
            }
        }
    }

    /// Waits until the window shows all input so far and nothing moves. If something always moves, the window answers
    /// after some frames.
    fn settle(&mut self) {
        self.requests += 1;
        let requests = self.requests;
        writeln!(self.child.stdin.as_mut().unwrap()).expect("the window stops at the stage read");
        self.wait("the window settles", |now| now["answer"].as_u64() >= Some(requests));
    }

    fn move_to(&mut self, [x, y]: [i32; 2]) {
        self.xdotool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
        self.settle();
    }

    fn drag(&mut self, from: [i32; 2], to: [i32; 2], button: &str) {
        self.move_to(from);
        self.xdotool(&["mousedown", button]);
        self.settle();
        for step in 1..=8 {
            let [x, y] = [0, 1].map(|axis| (from[axis] + (to[axis] - from[axis]) * step / 8).to_string());
            self.xdotool(&["mousemove", "--window", &self.window, &x, &y]);
        }
        self.settle();
        self.xdotool(&["mouseup", button]);
        self.settle();
    }

    /// Sends events of the mouse while the program is stopped, so that it reads all of them in one frame.
    fn within_one_frame(&mut self, events: &[(&str, [i32; 2])]) {
        let signal = |signal: &str| {
            // `kill` of the shell, because a bare machine has no program of that name.
            let command = format!("kill -s {signal} {}", self.child.id());
            assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
        };
        signal("STOP");
        for (event, [x, y]) in events {
            match *event {
                "mousemove" => {
                    self.xdotool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
                }
                button => drop(self.xdotool(&[button, "1"])),
            }
        }
        signal("CONT");
        self.settle();
    }

    /// Clicks briefly, because the program takes a press of more than 0.8 s for a hold.
    fn click(&mut self, at: [i32; 2]) {
        self.move_to(at);
        self.xdotool(&["mousedown", "1"]);
        std::thread::sleep(Duration::from_millis(100));
        self.xdotool(&["mouseup", "1"]);
        self.settle();
    }

    fn key(&mut self, key: &str) {
        self.xdotool(&["windowfocus", &self.window, "key", "--delay", "60", key]);
        self.settle();
    }

    fn key_until(&mut self, key: &str, is_so: impl Fn(&Value) -> bool) {
        self.xdotool(&["windowfocus", &self.window, "key", "--delay", "60", key]);
        self.wait(key, is_so);
    }

    /// Presses a stepping key and waits until the cursor is at the stage and iteration.
    fn step(&mut self, key: &str, iteration: Option<u64>, stage: &str) {
        self.key_until(key, |now| now["cursor"]["stage"] == stage && now["cursor"]["iteration"].as_u64() == iteration);
    }

    fn screen_of(&self, handle: &str) -> [i32; 2] {
        let screen = &self.now["handles"][handle]["screen"];
        [0, 1].map(|axis| screen[axis].as_i64().unwrap_or_else(|| panic!("no handle {handle}: {}", self.now)) as i32)
    }

    fn node(&self, node: &str) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.now["nodes"][node][axis].as_f64().unwrap())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn empty_preset(name: &str) -> PathBuf {
    let path = temporary(name);
    std::fs::write(&path, r#"{ "format": "kinescope-preset", "version": 1 }"#).unwrap();
    path
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn screenshot(screen: &Screen, path: &Path, arguments: &[&str]) -> String {
    let done = Command::new(PROGRAM)
        .args(["--screenshot", path.to_str().unwrap(), "--size", "960x640"])
        .args(arguments)
        .env("DISPLAY", &screen.display)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && path.exists(), "{log}");
    log
}

fn pixels(path: &Path) -> image::RgbImage {
    image::load_from_memory(&std::fs::read(path).unwrap()).unwrap().to_rgb8()
}

/// Returns the share of pixels, from 0 to 1, that differ in a channel by more than 12 of 255.
fn difference(a: &image::RgbImage, b: &image::RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let differ = a.pixels().zip(b.pixels()).filter(|(a, b)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 12));
    differ.count() as f64 / f64::from(a.width() * a.height())
}

#[test]
fn a_hand_is_dragged_and_the_solve_is_stepped() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let preset = empty_preset("window.json");
    let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
    assert_eq!(program.now["live"], true);
    assert_eq!(program.now["unsaved"], false);

    let (hand, body) = (program.node("left_hand"), program.node("body"));
    let from = program.screen_of("left_hand");
    program.drag(from, [from[0] + 60, from[1] - 220], "1");
    assert_eq!(program.now["selected"], "left_hand");
    assert_eq!(program.now["unsaved"], true);
    assert!(distance(hand, program.node("left_hand")) > 0.25, "{}", program.now);
    assert!(distance(body, program.node("body")) > 0.005, "{}", program.now);
    let at = program.screen_of("left_hand");
    assert!((at[0] - from[0] - 60).abs() <= 2 && (at[1] - from[1] + 220).abs() <= 2, "{at:?}");

    program.step("period", None, "read");
    assert_eq!(program.now["paused"], true);
    for stage in ["end_effectors", "push", "reach", "body_effectors", "trigonometric"] {
        program.step("period", Some(0), stage);
    }
    program.key_until("alt+period", |now| now["cursor"]["move"] == 0);
    program.step("shift+period", Some(1), "end_effectors");
    program.step("comma", Some(0), "stage2");

    let before = program.node("body");
    program.key_until("l", |now| now["live"] == true);
    program.click(LEFT_ARM_ROW);
    program.wait("the arm is selected", |now| now["selected"] == "left_arm_chain");
    let (from, to) = PULL_SLIDER;
    program.drag(from, to, "1");
    program.key_until("ctrl+s", |now| now["unsaved"] == false);
    let saved = std::fs::read_to_string(&preset).unwrap();
    let saved = kinescope_ik::preset::Preset::from_json(&saved).unwrap();
    let pull = saved.settings.chains[0].pull;
    assert!((0.0..0.6).contains(&pull), "the slider did not move: {pull}");
    assert!(distance(before, program.node("body")) > 1e-4);
    assert!(saved.settings.effectors[5].position.is_some());

    program.key_until("ctrl+z", |now| now["unsaved"] == true);
    assert!(program.now["message"].as_str().unwrap().contains("pull"), "{}", program.now["message"]);

    let (hand, at) = (program.node("left_hand"), program.screen_of("left_hand"));
    program.drag([500, 500], [620, 460], "3");
    assert_ne!(program.screen_of("left_hand"), at);
    assert_eq!(program.node("left_hand"), hand);
    let at = program.screen_of("right_foot");
    program.move_to([500, 400]);
    program.xdotool(&["click", "4"]);
    program.settle();
    assert_ne!(program.screen_of("right_foot"), at);

    // Quitting with unsaved changes asks first, so the window is still open.
    program.key("ctrl+q");
    assert!(program.child.try_wait().unwrap().is_none());
    program.key("Escape");
    program.step("Home", None, "read");
}

/// The left arm under *Chains* in the outliner, in window pixels.
const LEFT_ARM_ROW: [i32; 2] = [60, 351];
/// The knob of the left arm's pull, and the point that it is dragged to, in window pixels.
const PULL_SLIDER: ([i32; 2], [i32; 2]) = ([1340, 261], [1290, 261]);

/// The button that opens the lessons, in window pixels, as it is at the program's first start.
const LEARN: [i32; 2] = [804, 14];
const FIRST_LESSON: [i32; 2] = [1150, 160];
const NEXT: [i32; 2] = [1393, 139];
/// The first bar of the row of moves, in window pixels.
const FIRST_MOVE: [i32; 2] = [111, 865];
const SECOND_LANE: [i32; 2] = [80, 150];

fn in_lesson(now: &Value, key: &str, step: u64, done: bool) -> bool {
    now["lesson"]["key"] == key && now["lesson"]["step"] == step && now["lesson"]["done"] == done
}

#[test]
fn two_lessons_are_done_by_mouse_and_keys() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &[]);
    assert!(program.now["lesson"].is_null());
    program.click(LEARN);
    program.click(FIRST_LESSON);
    program.wait("the lesson opens", |now| in_lesson(now, "node", 1, false));
    let next = |program: &mut Program, key: &str, step: u64| {
        program.click(NEXT);
        program.wait("the next step", |now| in_lesson(now, key, step, false));
        // Keys act on the picture while the pointer is over it.
        program.move_to([700, 620]);
    };
    next(&mut program, "node", 2);
    program.key_until("Home", |now| in_lesson(now, "node", 2, true));
    next(&mut program, "node", 3);
    program.key_until("period", |now| in_lesson(now, "node", 3, true));
    next(&mut program, "node", 4);
    program.click(FIRST_MOVE);
    program.wait("a single move", |now| in_lesson(now, "node", 4, true));
    next(&mut program, "node", 5);
    next(&mut program, "node", 6);
    let [hand, shoulder] = ["left_hand", "left_shoulder"].map(|handle| program.screen_of(handle));
    program.drag(hand, [shoulder[0] + 40, (hand[1] + 2 * shoulder[1]) / 3], "1");
    program.wait("the gap closes", |now| in_lesson(now, "node", 6, true));

    // The next lesson replaces the changed scene without asking about unsaved changes.
    program.click(NEXT);
    program.wait("the next lesson", |now| in_lesson(now, "fabrik", 1, false));
    next(&mut program, "fabrik", 2);
    program.key_until("period", |now| in_lesson(now, "fabrik", 2, true));
    next(&mut program, "fabrik", 3);
    program.key_until("period", |now| in_lesson(now, "fabrik", 3, true));
    next(&mut program, "fabrik", 4);
    program.key_until("End", |now| now["cursor"]["stage"] == "map");
    program.key_until("comma", |now| in_lesson(now, "fabrik", 4, true));
    next(&mut program, "fabrik", 5);
    program.click(SECOND_LANE);
    program.wait("the second lane", |now| in_lesson(now, "fabrik", 5, true));
    next(&mut program, "fabrik", 6);
    let from = program.screen_of("lane_0_target");
    program.drag(from, [from[0] + 130, from[1] - 90], "1");
    program.wait("the chain is stretched", |now| in_lesson(now, "fabrik", 6, true));
}

#[test]
fn a_link_on_the_command_line_shows_the_same_instant() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut own = in_scene("reach and brace");
    run(&mut own, Run::BuiltInFaun);
    own.look.camera = Camera { target: Vec3::new(0.1, 1.2, -0.3), yaw: -2.25, distance: 3.5, ..own.look.camera };
    run(&mut own, Run::PlayPause);
    for _ in 0..3 {
        run(&mut own, Run::PreviousStage);
    }
    run(&mut own, Run::PreviousMove);
    run(&mut own, Run::CopyLink);
    let copied = own.window.requests.iter().rev().find_map(|request| match request {
        Request::Copy(link) => Some(link.clone()),
        _ => None,
    });
    let mut program = Program::start(&screen, &[&copied.expect("the link is copied")]);
    let same = |program: &Program| {
        let camera = &program.now["camera"];
        let number = |name: &str| camera[name].as_f64().unwrap() as f32;
        let target = [0, 1, 2].map(|axis| camera["target"][axis].as_f64().unwrap() as f32);
        assert_eq!(target, own.look.camera.target.to_array());
        assert_eq!(number("yaw"), own.look.camera.yaw);
        assert_eq!(number("pitch"), own.look.camera.pitch);
        assert_eq!(number("distance"), own.look.camera.distance);
        let now = &program.now["cursor"];
        let shown = own.shown_run().unwrap().step(own.world.time.cursor.step);
        assert_eq!(
            (now["stage"].as_str(), now["move"].as_u64()),
            (Some(shown.key), Some(own.world.time.cursor.within.unwrap() as u64))
        );
        assert_eq!(now["iteration"].as_u64(), shown.iteration.map(|iteration| iteration as u64));
        assert_eq!(program.now["paused"], true);
        let state = own.state().unwrap();
        for node in Node::ALL {
            let expected = state.node(node).to_array().map(f64::from);
            assert!(distance(program.node(node.key()), expected) < 1e-5, "{}: {}", node.key(), program.now);
        }
    };
    same(&program);
    program.move_to([700, 400]);
    same(&program);
    // At least one node of the mannequin is elsewhere, so the link has opened the faun.
    let mannequin = in_scene("reach and brace");
    let place = |node: Node| mannequin.state().unwrap().node(node).to_array().map(f64::from);
    assert!(Node::ALL.into_iter().any(|node| distance(program.node(node.key()), place(node)) > 0.02));
}

#[test]
fn a_screen_of_twice_the_density_has_its_scale_from_the_first_frame() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let (display, _) = x11rb::connect(Some(&screen.display)).unwrap();
    let root = display.setup().roots[0].root;
    let set = |text: &str| {
        let (kind, name) = (AtomEnum::STRING, AtomEnum::RESOURCE_MANAGER);
        display.change_property8(PropMode::REPLACE, root, name, kind, text.as_bytes()).unwrap().check().unwrap();
    };
    let at = |program: &Program| (program.first["handles"].clone(), program.now["handles"].clone());
    let (first, usual) = at(&Program::start(&screen, &[]));
    assert_eq!(first, usual);
    set("Xft.dpi:\t192\n");
    let (first, dense) = at(&Program::start(&screen, &[]));
    assert_eq!(first, dense);
    // Panes take twice the room, so the character is at another place in the window.
    assert_ne!(dense, usual);
}

/// The layer between macroquad and egui drops keys of the number pad, so the window reads them itself.
#[test]
fn the_number_pad_chooses_views() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let preset = empty_preset("number_pad.json");
    let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
    let hands = |program: &Program| ["left_hand", "right_hand"].map(|hand| program.screen_of(hand));
    // `KP_End` is the keysym without NumLock. With NumLock, the same key has another keysym.
    program.key("KP_End");
    let [left, right] = hands(&program);
    assert!(left[0] > right[0] + 100 && (left[1] - right[1]).abs() <= 2, "from in front: {left:?} {right:?}");
    program.key("ctrl+KP_End");
    let [left, right] = hands(&program);
    assert!(left[0] < right[0] - 100 && (left[1] - right[1]).abs() <= 2, "from behind: {left:?} {right:?}");
    program.key("KP_Next");
    let [left, right] = hands(&program);
    assert!((left[0] - right[0]).abs() <= 2, "from the side, without perspective: {left:?} {right:?}");
    program.key("ctrl+p");
    program.wait("the palette", |now| now["dialog"] == "palette");
    program.key("KP_End");
    program.key("Escape");
    assert_eq!(hands(&program), [left, right]);
}

#[test]
fn a_change_to_a_scrubbed_recording_is_a_what_if() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &["--scene", "walk with hands pinned"]);
    // The walk runs for some frames before it is paused.
    program.wait("thirty frames", |now| now["tape"]["frame"].as_u64() > Some(30));
    program.key_until("space", |now| now["paused"] == true);
    program.settle();
    let newest = program.now["tape"]["frame"].as_u64().unwrap();
    assert!(newest > 5, "{}", program.now);

    let (left, right, y) = FRAMES_STRIP;
    program.drag([right - 10, y], [left + (right - left) / 4, y], "1");
    let scrubbed = program.now["tape"]["frame"].as_u64().unwrap();
    assert!(scrubbed < newest / 2, "{scrubbed} of {newest}");
    program.key_until("bracketright", |now| now["tape"]["frame"].as_u64() == Some(scrubbed + 1));
    // One step back from a frame's first step leads to the previous frame.
    program.step("Home", None, "read");
    program.key_until("comma", |now| now["tape"]["frame"].as_u64() == Some(scrubbed));
    assert_eq!(program.now["cursor"]["stage"], "write_right_leg");

    assert_eq!(program.now["tape"]["what_if"], 0);
    let before = program.node("left_hand");
    let hand = program.screen_of("left_hand");
    program.drag(hand, [hand[0] + 90, hand[1] - 40], "1");
    assert!(program.now["tape"]["what_if"].as_u64().unwrap() > 0, "{}", program.now);
    assert!(distance(before, program.node("left_hand")) > 0.05);
    program.key_until("BackSpace", |now| now["tape"]["what_if"] == 0);
    assert!(distance(before, program.node("left_hand")) < 1e-6);

    program.key("p");
    program.key("b");
    program.key_until("l", |now| now["live"] == true);
}

#[test]
fn a_chain_is_dragged_limited_and_stepped() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &["--scene", "limits"]);
    let target = |now: &Value| now["handles"]["lane_0_target"]["position"].clone();
    let before = target(&program.now);
    let at = program.screen_of("lane_0_target");
    program.drag(at, [at[0] - 40, at[1] - 50], "1");
    program.wait("the target moved", |now| target(now) != before && now["selected"] == "lane_0");
    let limit = |now: &Value| now["handles"]["lane_0_limit_0_swing"]["position"].clone();
    let before = limit(&program.now);
    let at = program.screen_of("lane_0_limit_0_swing");
    program.drag(at, [at[0] + 20, at[1] - 10], "1");
    program.wait("the cone opened", |now| limit(now) != before);
    program.key_until("period", |now| now["paused"] == true && now["cursor"]["stage"] == "start");
    program.key_until("period", |now| now["cursor"]["stage"] == "ccd_pass" && now["cursor"]["iteration"] == 0);
    program.key_until("shift+l", |now| now["handles"]["left_hand"].is_object());
}

fn peak(program: &Program) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/status", program.child.id())).unwrap();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn a_target_a_thousand_kilometres_away_freezes_nothing() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let preset = temporary("far.json");
    for far in ["1e5", "1e6", "1e12"] {
        let text = format!(
            r#"{{ "format": "kinescope-preset", "version": 1, "effectors": {{ "left_hand":
            {{ "position": [{far}, {far}, 0], "position_weight": 1 }} }} }}"#
        );
        std::fs::write(&preset, text).unwrap();
        let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
        let before = peak(&program);
        program.step("period", None, "read");
        for stage in ["end_effectors", "push", "reach", "body_effectors", "trigonometric", "stage1"] {
            program.step("period", Some(0), stage);
        }
        // Zooms in, so that nodes may lie in the plane of the eye.
        program.move_to([600, 300]);
        program.xdotool(&["click", "--repeat", "40", "--delay", "20", "4"]);
        program.settle();
        program.step("period", Some(0), "body_effectors_again");
        let after = peak(&program);
        assert!(after < before + 100, "{far}: {before} MiB became {after}");
    }
}

fn pose_a_hand(program: &mut Program) -> [f64; 3] {
    let from = program.screen_of("left_hand");
    program.drag(from, [from[0] + 50, from[1] - 180], "1");
    assert_eq!(program.now["unsaved"], true);
    program.node("left_hand")
}

#[test]
fn unsaved_work_is_recovered_after_a_kill_a_signal_or_a_lost_screen() {
    let Some(_turn) = can_run() else { return };
    for end in ["KILL", "TERM", "INT", "HUP", "screen"] {
        let mut screen = Screen::new();
        let configuration = temporary(&format!("config {end}"));
        let preset = empty_preset(&format!("mine {end}.json"));
        // The path is relative. The program starts in the preset's folder the first time, and in another folder the
        // second time.
        let (folder, name) = (preset.parent().unwrap(), preset.file_name().unwrap().to_str().unwrap());
        let mut program = Program::start_from(folder, &screen, &configuration, &["--preset", name]);
        assert_eq!(program.now["dialog"], Value::Null);
        let hand = pose_a_hand(&mut program);
        // The program saves on a signal. A kill or a lost screen leaves no time for that.
        if matches!(end, "KILL" | "screen") {
            let target = program.now["handles"]["left_hand"]["position"].clone();
            wait_until(end, || autosaved(&configuration).iter().any(|saved| holds_hand_at(saved, &target)));
        }
        match end {
            "screen" => {
                drop(screen);
                screen = Screen::new();
            }
            signal => {
                let id = program.child.id().to_string();
                // `kill` of the shell, because a bare machine has no program of that name.
                let command = format!("kill -s {signal} {id}");
                assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
            }
        }
        wait_until(end, || program.child.try_wait().unwrap().is_some());

        // After one question the pose, the frames, the preset's file and the unsaved state are back.
        let mut program = Program::start_in(&screen, &configuration, &[]);
        assert_eq!(program.now["dialog"], "recover", "{end}");
        program.key_until("Return", |now| now["dialog"] == Value::Null);
        program.settle();
        assert!(distance(hand, program.node("left_hand")) < 1e-3, "{end}: {}", program.now);
        assert_eq!(program.now["unsaved"], true);
        assert!(program.now["tape"]["frame"].as_u64().unwrap() > 1, "{end}: {}", program.now);
        program.key_until("ctrl+s", |now| now["unsaved"] == false);
        assert!(std::fs::read_to_string(&preset).unwrap().contains("left_hand"));

        program.xdotool(&["windowfocus", &program.window, "key", "--delay", "60", "ctrl+q"]);
        wait_until(end, || program.child.try_wait().unwrap().is_some());
        assert_eq!(std::fs::read_dir(configuration.join("kinescope/autosave")).unwrap().count(), 0, "{end}");
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}: timed out");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn autosaved(configuration: &Path) -> Vec<Value> {
    let Ok(entries) = std::fs::read_dir(configuration.join("kinescope/autosave")) else { return Vec::new() };
    let texts = entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    texts.filter_map(|text| serde_json::from_str(&text).ok()).collect()
}

fn holds_hand_at(saved: &Value, target: &Value) -> bool {
    let position = &saved["preset"]["effectors"]["left_hand"]["position"];
    let number = |value: &Value, axis: usize| value[axis].as_f64();
    (0..3).all(|axis| {
        number(position, axis).zip(number(target, axis)).is_some_and(|(saved, shown)| (saved - shown).abs() < 1e-4)
    })
}

#[test]
fn a_preset_that_changed_on_disk_is_not_saved_over_without_asking() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let preset = empty_preset("shared.json");
    let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
    pose_a_hand(&mut program);
    // A preset that was replaced by a file that is too large also counts as changed.
    std::fs::File::create(&preset).unwrap().set_len(65 << 20).unwrap();
    program.key_until("ctrl+s", |now| now["dialog"] == "changed_on_disk");
    program.key_until("Escape", |now| now["dialog"] == Value::Null);
    let others = r#"{ "format": "kinescope-preset", "version": 1, "solver": { "iterations": 2 } }"#;
    std::fs::write(&preset, others).unwrap();
    program.key_until("ctrl+s", |now| now["dialog"] == "changed_on_disk");
    program.key_until("Escape", |now| now["dialog"] == Value::Null);
    assert_eq!(program.now["unsaved"], true);
    assert_eq!(std::fs::read_to_string(&preset).unwrap(), others);
    program.key_until("ctrl+s", |now| now["dialog"] == "changed_on_disk");
    program.key("Tab");
    program.key_until("Return", |now| now["unsaved"] == false);
    assert!(std::fs::read_to_string(&preset).unwrap().contains("left_hand"));
    pose_a_hand(&mut program);
    program.key_until("ctrl+s", |now| now["unsaved"] == false);
}

#[test]
fn recent_files_are_kept_and_a_damaged_layout_is_reported() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let configuration = temporary("config recent");
    let folder = configuration.join("kinescope");
    std::fs::create_dir_all(folder.join("autosave")).unwrap();
    // A FIFO without a writer must not block the program.
    assert!(Command::new("mkfifo").arg(folder.join("autosave/window-x.lock")).status().unwrap().success());
    let listed = r#"{ "models": ["/a.glb", "/b.glb"], "presets": ["/a.json", "/b.json"] }"#;
    std::fs::write(folder.join("recent.json"), listed).unwrap();
    let cycle = r#"{ "tree": { "id": 7, "root": 1, "tiles": { "next_tile_id": 3, "tiles": { "1": { "Container":
        { "Tabs": { "children": [1], "active": 1 } } } }, "invisible": [] }, "height": 100.0, "width": 100.0 } }"#;
    std::fs::write(folder.join("layout.json"), cycle).unwrap();
    let preset = empty_preset("not recent.json");
    let mut program = Program::start_in(&screen, &configuration, &["--preset", preset.to_str().unwrap()]);
    assert!(program.now["message"].as_str().unwrap().contains("layout.json"), "{}", program.now["message"]);
    assert_eq!(std::fs::read_to_string(folder.join("recent.json")).unwrap(), listed);
    // Files that another window has added to the list meanwhile stay in it.
    pose_a_hand(&mut program);
    std::fs::write(folder.join("recent.json"), listed.replace("/a.json", "/c.json")).unwrap();
    program.key_until("ctrl+s", |now| now["unsaved"] == false);
    let now = std::fs::read_to_string(folder.join("recent.json")).unwrap();
    assert!(
        ["not recent.json", "/c.json", "/b.json", "/a.glb", "/b.glb"].iter().all(|name| now.contains(name)),
        "{now}"
    );
}

#[test]
fn a_drag_and_a_click_within_one_frame_act_at_the_places_of_their_events() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &[]);
    let at = program.screen_of("left_hand");
    let to = [at[0] + 60, at[1] - 120];
    program.move_to([at[0] + 200, at[1]]);
    let hand = program.node("left_hand");
    program.within_one_frame(&[("mousemove", at), ("mousedown", at), ("mousemove", to), ("mouseup", to)]);
    assert_eq!(program.now["selected"], "left_hand");
    assert!(distance(hand, program.node("left_hand")) > 0.1, "{}", program.now);
    let dragged = program.screen_of("left_hand");
    assert!((dragged[0] - to[0]).abs() <= 2 && (dragged[1] - to[1]).abs() <= 2, "{dragged:?}");
    // A click selects what was under the pointer, although the pointer is elsewhere when the frame starts.
    let foot = program.screen_of("right_foot");
    program.within_one_frame(&[("mousemove", foot), ("mousedown", foot), ("mouseup", foot), ("mousemove", to)]);
    assert_eq!(program.now["selected"], "right_foot");
}

/// Returns the number of frames from the one that reads the input to the one that shows its effect, inclusive.
fn frames_since_input(program: &Program) -> u64 {
    program.now["frame"].as_u64().unwrap() - program.now["input"].as_u64().unwrap() + 1
}

#[test]
fn after_idling_a_press_is_in_the_next_picture() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &[]);
    let at = program.screen_of("left_hand");
    for round in 0..8u64 {
        // The pause is long enough for the loop to wait for events, and ends in another phase each time.
        std::thread::sleep(Duration::from_millis(300 + 37 * round));
        let stage = program.now["cursor"].clone();
        // The key stays down, so that no release event can cause the redraw.
        program.xdotool(&["windowfocus", &program.window, "keydown", "period"]);
        program.wait("the key", |now| now["cursor"] != stage);
        assert!(frames_since_input(&program) <= 2, "{}", program.now);
        program.xdotool(&["keyup", "period"]);
        program.settle();
    }
    program.key_until("l", |now| now["live"] == true);
    for round in 0..4u64 {
        std::thread::sleep(Duration::from_millis(300 + 37 * round));
        let wanted = if round % 2 == 0 { "left_hand" } else { "" };
        let to = if round % 2 == 0 { at } else { [at[0] + 60, at[1] - 120] };
        program.move_to(to);
        program.xdotool(&["mousedown", "1"]);
        program.wait("the press", |now| now["selected"].as_str().unwrap_or_default() == wanted);
        assert!(frames_since_input(&program) <= 2, "{}", program.now);
        program.xdotool(&["mouseup", "1"]);
        program.settle();
    }
}

#[test]
fn text_typed_after_a_shortcut_loses_no_letter() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    for delay in ["0", "5", "30"] {
        let folder = temporary(&format!("typed {delay}"));
        std::fs::create_dir_all(&folder).unwrap();
        let mut program = Program::start(&screen, &["--scene", "stand"]);
        let name = format!("walk{delay}");
        program.xdotool(&["windowfocus", &program.window, "key", "ctrl+s", "type", "--delay", delay, &name]);
        program.wait("the dialog", |now| now["dialog"] == "files");
        program.settle();
        program.key_until("Return", |now| now["dialog"] == Value::Null);
        let message = program.now["message"].as_str().unwrap_or_default().to_owned();
        let saved = message.strip_prefix("Saved ").map(PathBuf::from).unwrap_or_else(|| panic!("{message}"));
        let is_named = saved.file_name().unwrap().to_string_lossy() == format!("{name}.json");
        let _ = std::fs::remove_file(&saved);
        assert!(is_named, "{message}");
        program.xdotool(&["key", "ctrl+p", "type", "--delay", delay, "pause"]);
        program.wait("the palette", |now| now["dialog"] == "palette");
        program.settle();
        program.key_until("Return", |now| now["dialog"] == Value::Null && now["paused"] == true);
    }
}

/// Escape used to wait twelve frames for a field, and keys pressed meanwhile were lost.
#[test]
fn escape_closes_a_dialog_at_once() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &["--scene", "stand"]);
    for (key, dialog) in [("ctrl+m", "files"), ("ctrl+p", "palette")] {
        program.key_until(key, |now| now["dialog"] == dialog);
        program.settle();
        let before = program.now["frame"].as_u64().unwrap();
        program.key_until("Escape", |now| now["dialog"].is_null());
        let frames = program.now["frame"].as_u64().unwrap() - before;
        assert!(frames < 10, "{dialog}: closed after {frames} frames");
        program.settle();
    }
}

#[test]
fn idle_costs_nothing() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let mut program = Program::start(&screen, &[]);
    program.wait("the message disappears", |now| now["message"].is_null());
    program.settle();
    let ticks = |program: &Program| {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", program.child.id())).unwrap();
        let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (before, frame) = (ticks(&program), program.now["frame"].as_u64().unwrap());
    std::thread::sleep(Duration::from_secs(3));
    let spent = ticks(&program) - before;
    // A window that draws would spend hundreds of these hundredths of a second. One that only waits spends one to four,
    // depending on the load of the machine.
    assert!(spent <= 20, "{spent} hundredths of a second in 3 seconds of doing nothing");
    program.key_until("period", |now| now["paused"] == true);
    let drawn = program.now["frame"].as_u64().unwrap() - frame;
    assert!(drawn < 10, "{drawn} frames until the key showed its effect");
}

#[test]
fn two_thousand_walk_and_one_of_them_is_inspected() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let rest = RestPose::of(&kinescope::character::Character::built_in().unwrap());
    let mut document = Scene::find("crowd").unwrap().document(&rest);
    document.crowd.count = 2000;
    let preset = temporary("crowd.json");
    std::fs::write(&preset, document.to_preset().to_json()).unwrap();
    let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
    program.wait("the crowd", |now| now["crowd"]["members"] == 2000 && now["crowd_us"].as_f64() > Some(0.0));

    let frame_of = |program: &Program| program.now["frame"].as_u64().unwrap();
    let (start, first) = (Instant::now(), frame_of(&program));
    program.wait("thirty frames", |now| now["frame"].as_u64().unwrap() >= first + 30);
    let taken = start.elapsed().as_secs_f64() / (frame_of(&program) - first) as f64;
    let [crowd, drawing] = ["crowd_us", "drawing_us"].map(|name| program.now[name].as_f64().unwrap() / 1e3);
    println!("2,000: {:.1} ms a frame, {crowd:.1} of them the crowd, {drawing:.1} drawing", taken * 1e3);

    let mut places = (0..40).map(|place| [300 + place * 19, 430 + place % 5 * 24]);
    while program.now["crowd"]["followed"].is_null() {
        program.move_to(places.next().expect("a click hits a member of the crowd"));
        program.xdotool(&["click", "1"]);
        program.settle();
    }
    assert!(!program.now["handles"].as_object().unwrap().is_empty());

    program.key_until("space", |now| now["paused"] == true);
    program.key_until("Home", |now| !now["cursor"]["stage"].is_null());
    program.key("u");
    program.key_until("l", |now| now["live"] == true);
}

/// x of the left end, x of the right end and y of the strip of frames, in window pixels.
const FRAMES_STRIP: (i32, i32, i32) = (90, 1426, 766);

#[test]
fn pictures_repeat_and_show_what_is_asked_for() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let [first, again, other] = ["first.png", "again.png", "other.png"].map(temporary);
    screenshot(&screen, &first, &[]);
    screenshot(&screen, &again, &[]);
    assert!(pixels(&first) == pixels(&again), "two pictures of the same thing differ");
    screenshot(&screen, &other, &["--scene", "reach and brace"]);
    let differ = difference(&pixels(&first), &pixels(&other));
    assert!(differ > 0.01, "another scene looks the same: {differ}");
    let picture = pixels(&first);
    let torso = picture.get_pixel(picture.width() * 49 / 100, picture.height() * 33 / 100).0;
    let background = picture.get_pixel(picture.width() * 19 / 100, picture.height() * 45 / 100).0;
    assert!(torso[0] > background[0] + 30, "{torso:?} {background:?}");
}

fn white_mannequin() -> PathBuf {
    let glb = built_in::BYTES;
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let (json, rest) = glb[20..].split_at(length);
    let mut json: Value = serde_json::from_slice(json).unwrap();
    for material in json["materials"].as_array_mut().unwrap() {
        material["pbrMetallicRoughness"] = serde_json::json!({ "baseColorFactor": [1.0, 1.0, 1.0, 1.0] });
    }
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let size = 20 + json.len() + rest.len();
    let mut white = [b"glTF", &2u32.to_le_bytes()[..], &(size as u32).to_le_bytes()].concat();
    white.extend_from_slice(&(json.len() as u32).to_le_bytes());
    white.extend_from_slice(b"JSON");
    white.extend_from_slice(&json);
    white.extend_from_slice(rest);
    let path = temporary("white.glb");
    std::fs::write(&path, white).unwrap();
    path
}

#[test]
fn a_white_character_is_shaded_and_not_burnt() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let (white, path) = (white_mannequin(), temporary("white.png"));
    for more in [&[][..], &["--run", "Light theme"]] {
        screenshot(&screen, &path, &[&[white.to_str().unwrap(), "--run", "Hide panes"], more].concat());
        let picture = pixels(&path);
        // The torso is to the right of the caption.
        let (width, height) = picture.dimensions();
        let [left, top, wide, high] = [width * 62 / 100, height * 36 / 100, width * 5 / 100, height * 14 / 100];
        let torso = image::imageops::crop_imm(&picture, left, top, wide, high);
        let torso = torso.to_image();
        let brightness: Vec<u8> = torso.pixels().map(|pixel| *pixel.0.iter().min().unwrap()).collect();
        let mut sorted = brightness.clone();
        sorted.sort_unstable();
        let [dark, bright] = [sorted.len() / 10, sorted.len() * 9 / 10].map(|index| sorted[index]);
        assert!(bright > 150, "the character is white: {bright}");
        assert!(bright - dark > 20, "{more:?}: from {dark} to {bright} there is no shading");
        let burnt = picture.pixels().filter(|pixel| pixel.0.iter().all(|&channel| channel >= 250)).count();
        assert!(burnt < 200, "{more:?}: {burnt} burnt pixels");
    }
}

/// The contact shadow is visible. At most nine pixels of the ground are lighter than both the pixel 4 columns to the
/// left and the pixel 4 columns to the right by more than 6 % of the brightness without the character.
#[test]
fn the_dark_under_the_feet_has_no_light_shards() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let character = kinescope::character::Character::built_in().unwrap();
    let (preset, path) = (temporary("dark.json"), temporary("dark.png"));
    for scene in ["moving platform", "slope", "hills"] {
        let document = Scene::find(scene).unwrap().document(&RestPose::of(&character));
        let taken = ["hidden", "solid"].map(|mesh| {
            let mut written = document.to_preset();
            let marks = ["bones", "nodes", "targets", "bend_goals", "casts", "foot_goals"];
            let mut view: serde_json::Map<_, _> =
                marks.iter().map(|&mark| (mark.to_owned(), Value::Bool(false))).collect();
            view.insert("mesh".to_owned(), mesh.into());
            written.sections.insert("view".to_owned(), Value::Object(view));
            std::fs::write(&preset, written.to_json()).unwrap();
            screenshot(&screen, &path, &["--preset", preset.to_str().unwrap(), "--run", "Hide panes"]);
            pixels(&path)
        });
        let [bare, stood_on] = &taken;
        let (width, height) = bare.dimensions();
        // A pixel is ground if it stays as blue (the mannequin is less blue) and gets no lighter (marks are lighter).
        let left = |x: u32, y: u32| {
            let [before, after] = [bare, stood_on].map(|picture| picture.get_pixel(x, y).0.map(f32::from));
            let left = after[2] / before[2].max(1.0);
            let is_ground = before[2] > 40.0 && after[2] / after[0] > before[2] / before[0] - 0.04;
            (is_ground && left < 1.02).then_some(left)
        };
        let (mut dark, mut shards) = (0, 0);
        for (x, y) in (height / 4..height * 9 / 10).flat_map(|y| (width / 4..width * 3 / 4).map(move |x| (x, y))) {
            let (Some(before), Some(at), Some(after)) = (left(x - 4, y), left(x, y), left(x + 4, y)) else { continue };
            dark += usize::from(at < 0.85);
            shards += usize::from(at > before.max(after) + 0.06);
        }
        assert!(dark > 300, "{scene}: {dark} pixels of dark");
        assert!(shards < 10, "{scene}: {shards} light pixels within {dark} dark ones");
    }
}

#[test]
fn a_broken_model_of_the_command_line_is_an_error_before_the_window_opens() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let broken = temporary("broken.glb");
    std::fs::write(&broken, "no model").unwrap();
    let output = Command::new(PROGRAM).arg(&broken).env("DISPLAY", &screen.display).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("broken.glb"));
}

/// The button *Raise* of the pane Motion, in window pixels.
const RAISE: [i32; 2] = [1196, 188];

#[test]
fn the_ground_under_the_pointer_is_raised_and_undone() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    // A still scene whose path points lie on flat ground.
    let flat = kinescope_ik::terrain::Terrain {
        size: glam::Vec2::splat(6.0),
        columns: 31,
        rows: 31,
        heights: vec![0.0; 31 * 31],
        ..Default::default()
    };
    let mut document = kinescope::world::document::Document { terrain: Some(flat.into()), ..Default::default() };
    document.motion.travel = kinescope::world::motion::Travel::Path;
    document.motion.path = [(-0.7, 0.8), (0.7, 0.8), (0.7, -1.2), (-0.7, -1.2)].map(Into::into).into();
    let preset = temporary("sculpt.json");
    std::fs::write(&preset, document.to_preset().to_json()).unwrap();
    let mut program = Program::start(&screen, &["--preset", preset.to_str().unwrap()]);
    let handles = program.now["handles"].as_object().unwrap().keys();
    let point = handles.clone().find(|name| name.starts_with("path_")).expect("the path is in the picture").clone();
    let height = |now: &Value| now["handles"][&point]["position"][1].as_f64().unwrap();
    assert_eq!(height(&program.now), 0.0);

    program.key("g");
    program.move_to(RAISE);
    program.xdotool(&["click", "1"]);
    program.settle();
    let at = program.screen_of(&point);
    program.move_to(at);
    program.xdotool(&["mousedown", "1"]);
    program.wait("the ground rises", |now| height(now) > 0.1);
    program.xdotool(&["mouseup", "1"]);
    program.settle();
    assert_eq!(program.now["unsaved"], true);
    let raised = height(&program.now);
    std::thread::sleep(Duration::from_millis(500));
    program.settle();
    assert_eq!(height(&program.now), raised);

    program.key_until("ctrl+z", |now| height(now) == 0.0 && now["unsaved"] == false);
    assert!(program.now["message"].as_str().unwrap().contains("raise the ground"), "{}", program.now["message"]);
    program.key_until("ctrl+y", |now| height(now) == raised);
}

/// Returns name and arguments of each picture in `tests/pictures`: `stand`, `flying arm`, all scenes from `stairs` on,
/// and five more views such as a paused step, a ghost and the lab.
fn pictured() -> Vec<(&'static str, Vec<&'static str>)> {
    let motion = SCENES.iter().map(|scene| scene.name).skip_while(|&name| name != "stairs");
    let mut pictured: Vec<_> =
        ["stand", "flying arm"].into_iter().chain(motion).map(|name| (name, vec!["--scene", name])).collect();
    // At frame 130, A and B of this scene differ visibly.
    let blind = pictured.iter_mut().find(|(name, _)| *name == "sphere cast that hits nothing");
    blind.unwrap().1.extend(["--frames", "130"]);
    const BACK: &str = "Previous stage";
    let strain = concat!(env!("CARGO_MANIFEST_DIR"), "/screenshots/strain.json");
    pictured.extend([
        ("strain", vec!["--preset", strain]),
        ("paused step", after("reach and brace", &["X-ray character", "Previous iteration", BACK, BACK, BACK])),
        ("ghost", after("push against a wall", &["Keep settings as B", "Reset parameters"])),
        ("lab", vec!["--scene", "nearly straight"]),
        ("writing", after("reach with twist", &["X-ray character", BACK, BACK, BACK, BACK, BACK])),
    ]);
    pictured
}

fn after(scene: &'static str, commands: &[&'static str]) -> Vec<&'static str> {
    let commands = commands.iter().flat_map(|&command| ["--run", command]);
    ["--scene", scene].into_iter().chain(commands).collect()
}

/// Returns the picture's path: `idle, walk, run` is `idle-walk-run.png`.
fn picture_of(name: &str) -> PathBuf {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    folder.join(words.join("-")).with_extension("png")
}

/// Returns a screenshot of the window, 480 × 300 pixels. It is taken after 90 frames unless the arguments name other
/// `--frames`.
fn taken(screen: &Screen, arguments: &[&str]) -> image::RgbImage {
    let own = screen.display.trim_start_matches(':');
    let path = temporary(&format!("taken {own}.png"));
    let _ = std::fs::remove_file(&path);
    let done = Command::new(PROGRAM)
        .args(["--screenshot", path.to_str().unwrap(), "--size", "960x600"])
        .args(if arguments.contains(&"--frames") { &[][..] } else { &["--frames", "90"] })
        .args(arguments)
        .env("DISPLAY", &screen.display)
        // The configuration is empty, so that panes have their default places.
        .env("XDG_CONFIG_HOME", temporary(&format!("untouched {own}")))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    scaled(&pixels(&path), 480, 300)
}

fn scaled(picture: &image::RgbImage, width: u32, height: u32) -> image::RgbImage {
    image::imageops::resize(picture, width, height, image::imageops::FilterType::Triangle)
}

/// Size of compared pictures. At this size, the way in which a version of the graphics library smooths edges has little
/// effect: without smoothing, the mean differs by 0.06 of 255 and no pixel by more than 16. Another scene with the same
/// figure in the same place differs by 0.9, and 0.7 % of its pixels by more than 24.
const COMPARED: (u32, u32) = (240, 150);
/// The largest accepted mean difference of all channels, out of 255.
const MOST_MEAN: f64 = 0.5;
const MOST_SHARE: f64 = 0.004;
const MUCH: u8 = 24;

fn look_alike(a: &image::RgbImage, b: &image::RgbImage) -> Result<(), String> {
    let [a, b] = [a, b].map(|picture| scaled(picture, COMPARED.0, COMPARED.1));
    let pairs =
        || a.pixels().zip(b.pixels()).map(|(a, b)| [0, 1, 2].map(|channel| a.0[channel].abs_diff(b.0[channel])));
    let count = f64::from(COMPARED.0 * COMPARED.1);
    let mean = pairs().flatten().map(f64::from).sum::<f64>() / (3.0 * count);
    let share = pairs().filter(|off| off.iter().any(|&off| off > MUCH)).count() as f64 / count;
    match mean < MOST_MEAN && share < MOST_SHARE {
        true => Ok(()),
        false => {
            Err(format!("{mean:.2} of 255 off in the mean, {:.2} % of the pixels by more than {MUCH}", share * 100.0))
        }
    }
}

/// Compares pictures of scenes with `tests/pictures`.
/// `KINESCOPE_PICTURES=1 cargo test --test window pictures_of_scenes` makes new pictures. Look at each picture before
/// you commit it.
#[test]
fn pictures_of_scenes_are_unchanged() {
    let Some(_turn) = can_run() else { return };
    let makes = std::env::var_os("KINESCOPE_PICTURES").is_some();
    let (wrong, left) = (Mutex::new(Vec::new()), Mutex::new(pictured()));
    let work = || {
        let screen = Screen::new();
        loop {
            let Some((name, arguments)) = left.lock().unwrap().pop() else { return };
            let (path, now) = (picture_of(name), taken(&screen, &arguments));
            if makes {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                now.save(&path).unwrap();
                continue;
            }
            let found = match std::fs::read(&path) {
                Ok(bytes) => look_alike(&image::load_from_memory(&bytes).unwrap().to_rgb8(), &now),
                Err(error) => Err(format!("{error}; make the picture with KINESCOPE_PICTURES=1")),
            };
            if let Err(message) = found {
                let kept = temporary(&path.file_name().unwrap().to_string_lossy());
                now.save(&kept).unwrap();
                wrong.lock().unwrap().push(format!(
                    "{}: {message}; the new picture is {}",
                    path.display(),
                    kept.display()
                ));
            }
        }
    };
    // Screenshots do not wait for the clock, so two windows at a time do not starve each other.
    std::thread::scope(|scope| [scope.spawn(work), scope.spawn(work)].map(|worker| worker.join().unwrap()));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// [`look_alike`] accepts a second picture of the same scene. It rejects other scenes, and the same scene without its
/// character, ground, panes or inspector.
#[test]
fn a_picture_with_something_missing_does_not_pass() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let stairs = taken(&screen, &["--scene", "stairs"]);
    assert_eq!(look_alike(&stairs, &taken(&screen, &["--scene", "stairs"])), Ok(()));
    for other in ["slope", "stand", "rubble"] {
        let differs = look_alike(&stairs, &taken(&screen, &["--scene", other]));
        assert!(differs.is_err(), "{other} passes for stairs");
    }
    let character = kinescope::character::Character::built_in().unwrap();
    let document = Scene::find("stairs").unwrap().document(&RestPose::of(&character));
    let preset = temporary("missing.json");
    let with = |view: Value, more: &[&str]| {
        let mut written = document.to_preset();
        written.sections.insert("view".to_owned(), view);
        std::fs::write(&preset, written.to_json()).unwrap();
        taken(&screen, &[&["--preset", preset.to_str().unwrap()], more].concat())
    };
    let whole = with(serde_json::json!({}), &[]);
    for (what, view, more) in [
        ("its character", serde_json::json!({ "mesh": "hidden", "bones": false, "nodes": false }), &[][..]),
        ("its ground", serde_json::json!({ "ground": false }), &[]),
        ("its panes", serde_json::json!({}), &["--run", "Hide panes"]),
        ("its inspector", serde_json::json!({}), &["--run", "Inspector"]),
    ] {
        assert!(look_alike(&whole, &with(view, more)).is_err(), "a picture without {what} passes");
    }
}

/// Opens a preset with one modifier and selects the modifier in the outliner.
fn with_modifier(screen: &Screen, name: &str, modifier: Value, clip: Option<&str>) -> (PathBuf, Program) {
    let path = temporary(name);
    let preset = serde_json::json!({
        "format": "kinescope-preset", "version": 1, "modifiers": [modifier], "clip": { "name": clip },
        "chains": { "left_leg": { "maintain_rotation": 1.0 }, "right_leg": { "maintain_rotation": 1.0 } }
    });
    std::fs::write(&path, preset.to_string()).unwrap();
    let mut program = Program::start(screen, &["--preset", path.to_str().unwrap()]);
    program.click(MODIFIER_ROW);
    program.wait("the modifier is selected", |now| now["selected"] == "modifier_0");
    (path, program)
}

fn saved(program: &mut Program, path: &Path) -> Value {
    program.key_until("ctrl+s", |now| now["unsaved"] == false);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The first row under *Modifiers* in the outliner, in window pixels.
const MODIFIER_ROW: [i32; 2] = [70, 485];
/// The switch *Clicks strike* in the inspector of a hit reaction, in window pixels.
const STRIKES: [i32; 2] = [1182, 207];
/// The clip's track on the timeline, in window pixels: x of its two ends, and y of its keys.
const CLIP_TRACK: ([i32; 2], i32) = ([88, 1005], 720);

#[test]
fn a_head_is_dragged_and_the_body_follows() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let (path, mut program) = with_modifier(&screen, "head.json", serde_json::json!({ "head": {} }), None);
    let feet = [program.node("left_foot"), program.node("right_foot")];
    let body = program.node("body");
    let from = program.screen_of("modifier_0");
    program.drag(from, [from[0] + 10, from[1] + 60], "1");
    assert_eq!(program.now["unsaved"], true);
    let at = program.screen_of("modifier_0");
    assert!((at[0] - from[0] - 10).abs() <= 2 && (at[1] - from[1] - 60).abs() <= 2, "{at:?}");
    assert!(distance(body, program.node("body")) > 0.05, "the body moves down: {}", program.now);
    for (foot, before) in ["left_foot", "right_foot"].into_iter().zip(feet) {
        assert!(distance(program.node(foot), before) < 2e-3, "{foot}: {}", program.now);
    }
    let preset = saved(&mut program, &path);
    assert!(preset["modifiers"][0]["head"]["position"][1].as_f64().unwrap() < 1.6, "{preset}");
    // The first step is that of the modifier `head`, which runs before the stage *read*.
    program.key_until("period", |now| now["paused"] == true);
    assert_eq!(program.now["cursor"]["stage"], "head");
}

#[test]
fn a_blow_lands_where_the_body_is_clicked() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let own = serde_json::json!({ "hit_reaction": { "attack": 0.3, "release": 8.0 } });
    let (_, mut program) = with_modifier(&screen, "hit.json", own, None);
    program.click(STRIKES);
    program.settle();
    let before = program.node("left_upper_arm");
    let [left, right] = [program.screen_of("left_shoulder"), program.screen_of("right_shoulder")];
    let chest = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2 + 30];
    program.click(chest);
    let has_moved = |now: &Value| {
        let at = [0, 1, 2].map(|axis| now["nodes"]["left_upper_arm"][axis].as_f64().unwrap());
        distance(at, before) > 0.02
    };
    program.wait("the shoulder gives way", has_moved);
    assert_eq!(program.now["unsaved"], false, "a hit is not an edit");
}

#[test]
fn a_hand_is_keyed_and_its_key_dragged_on_the_timeline() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let key = |time: f32| serde_json::json!({ "time": time, "position": [-0.3, 1.3, 0.4] });
    let own =
        serde_json::json!({ "keyed": { "tracks": [{ "effector": "right_hand", "keys": [key(0.3), key(0.8)] }] } });
    let (path, mut program) = with_modifier(&screen, "keyed.json", own, Some("walk"));
    program.key_until("space", |now| now["paused"] == true);
    program.settle();
    let ([left, right], y) = CLIP_TRACK;
    let x = |time: f32| left + (time / 1.1 * (right - left) as f32) as i32;
    program.drag([x(0.3), y], [x(0.575), y], "1");
    let times = |preset: &Value| -> Vec<f64> {
        let keys = preset["modifiers"][0]["keyed"]["tracks"][0]["keys"].as_array().unwrap();
        keys.iter().map(|key| key["time"].as_f64().unwrap()).collect()
    };
    let preset = saved(&mut program, &path);
    assert!((times(&preset)[0] - 0.575).abs() < 0.02, "{preset}");
    // Dragging the ring sets a key at the clip's time.
    let from = program.screen_of("modifier_0");
    program.drag(from, [from[0] - 30, from[1] - 50], "1");
    let preset = saved(&mut program, &path);
    assert_eq!(times(&preset).len(), 3, "{preset}");
}

fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn the_bug_of_a_running_game_is_found() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let address = free_address();
    let mut program = Program::start(&screen, &["--listen", &address]);
    // The game sends 600 frames, with a bug in one stage from frame 300 on. After each half second of frames, which fit
    // into the sender's buffer, it waits for the window. So no frame is dropped, however slow the machine is.
    let game = game::played(600, 300);
    let mut sender = Sender::new(&address, &game::header()).unwrap();
    let mut slowest = Duration::ZERO;
    for (index, frame) in game.iter().enumerate() {
        let before = Instant::now();
        game::send(&mut sender, frame);
        slowest = slowest.max(before.elapsed());
        if index % 30 == 29 {
            program.wait("half a second of frames", |now| now["game"]["frames"].as_u64() > Some(index as u64));
        }
    }
    assert!(slowest < PATIENCE, "the window delayed the game: {slowest:?}");
    let all_come = |now: &Value| now["game"]["frames"] == 600 && now["game"]["differing"] == 300;
    program.wait("all frames arrive and are compared", all_come);
    assert_eq!(sender.dropped(), 0);
    assert_eq!(program.now["game"]["name"], "a test");
    assert_eq!(program.now["game"]["frame"], 599, "live shows the newest frame");
    let first = serde_json::json!({ "frame": 300, "stage": "iteration 1, stage2" });
    assert_eq!(program.now["game"]["first_difference"], first);
    // From the first frame, J leads to the frame where the difference begins.
    program.key("ctrl+Home");
    program.key_until("j", |now| now["game"]["frame"] == 300);
    assert_eq!(program.now["cursor"]["stage"], "stage2");
    assert_eq!(program.now["cursor"]["iteration"], 1);
    assert_eq!(program.now["selected"], "left_hand");
    drop(sender);
    program.wait("the game has disconnected", |now| now["game"]["connected"] == false);

    let path = temporary("game.jsonl");
    std::fs::write(&path, game::recording(&game)).unwrap();
    let send = ["send", path.to_str().unwrap(), "--to", &address, "--speed", "0.5"];
    let mut child = Command::new(PROGRAM).args(send).spawn().unwrap();
    program.key("l");
    program.wait("the new game is followed", |now| {
        now["game"]["connected"] == true && now["game"]["frames"].as_u64() > Some(30)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    program.wait("the game has disconnected", |now| now["game"]["connected"] == false);
    let left = program.now["game"]["frames"].as_u64().unwrap();
    assert!((30..600).contains(&left), "{left}");

    let mut stream = TcpStream::connect(&address).unwrap();
    let _ = stream.write_all(b"nonsense\n");
    program.wait("the malformed line is reported", |now| {
        now["message"].as_str().is_some_and(|text| text.contains("line 1, column 2"))
    });
    assert_eq!(program.now["game"]["frames"], left);
    drop(stream);

    let text = game::recording(&game[..1]);
    let (first, frame) = text.split_once('\n').unwrap();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    writeln!(stream, "{first}").unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        stream.write_all(frame.as_bytes()).unwrap();
    }
    program.wait("frames arrive", |now| now["game"]["frames"].as_u64() > Some(600) || now["game"]["frames"] != left);
    program.key_until("space", |now| now["paused"] == true);
    drop(stream);
    program.wait("the game has disconnected", |now| now["game"]["connected"] == false);
    let peak = peak(&program);
    assert!(peak < 1200, "{peak} MiB");
}

#[test]
fn a_recording_is_opened_by_name() {
    let Some(_turn) = can_run() else { return };
    let screen = Screen::new();
    let path = temporary("by name.jsonl");
    let text = game::recording(&game::played(60, 20));
    // A recording cut off by a crash opens up to the cut, with a warning.
    std::fs::write(&path, &text[..text.len() - 500]).unwrap();
    let picture = temporary("by name.png");
    let warning = screenshot(&screen, &picture, &[path.to_str().unwrap()]);
    assert!(warning.contains("by name.jsonl: the last line is incomplete and was skipped: line 62"), "{warning}");
    std::fs::write(&path, text).unwrap();
    let mut program = Program::start(&screen, &[path.to_str().unwrap()]);
    program.wait("compared", |now| now["game"]["differing"] == 40);
    assert_eq!(program.now["game"]["frame"], 0);
    program.key_until("bracketright", |now| now["game"]["frame"] == 1);
    program.key_until("j", |now| now["game"]["frame"] == 20);
}
