//! An hour of a game's recording, 216,000 frames of 53 bones with results. The benchmarks open it, go to a frame, draw
//! the panes with the whole hour on the timeline, and compare a frame with Kinescope's own solve.

#[path = "../crates/kinescope-ik/benches/common/mod.rs"]
mod common;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use divan::Bencher;
use egui_macroquad::egui;
use kinescope::character::Character;
use kinescope::session::{Action, Session};
use kinescope::shell::panes::{self, Panes};
use kinescope::tools::game::{self, Game, Judging};
use kinescope::tools::steps::session::StepAction;
use kinescope::ui::theme::{self, Theme};
use kinescope_ik::game_recording::{GameFrame, Header, Writer};
use kinescope_ik::slices::finish;
use kinescope_ik::{RigidTransform, Settings};

fn main() {
    divan::main();
    let _ = std::fs::remove_file(path());
}

const FRAMES: u64 = 216_000;

fn path() -> PathBuf {
    std::env::temp_dir().join(format!("kinescope-benchmark-{}.jsonl", std::process::id()))
}

/// Returns the path of the recording. The first call writes the file from 60 poses, which it repeats with a new number
/// and time for each frame.
fn recording() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let header: Header = common::game_header();
        let (mut writer, first) = Writer::new(&header);
        let pose = |step: usize| -> Vec<RigidTransform> {
            let turned = |bone: &RigidTransform| RigidTransform {
                position: bone.position * (1.0 + step as f32 * 1e-3),
                ..*bone
            };
            header.characters[0].reference.iter().map(turned).collect()
        };
        let line = |writer: &mut Writer, step: usize| {
            let animated = pose(step);
            writer
                .frame(&GameFrame {
                    character: 0,
                    frame: 0,
                    time: 0.0,
                    parameters: Settings::default(),
                    result: Some(animated.clone()),
                    animated,
                    steps: Vec::new(),
                    writes: Vec::new(),
                })
                .expect("a character of the header")
        };
        let lines: Vec<String> = (0..60).map(|step| line(&mut writer, step)).collect();
        let mut out = BufWriter::new(std::fs::File::create(path()).expect("a folder for temporary files"));
        out.write_all(first.as_bytes()).expect("room on the disk");
        for frame in 0..FRAMES {
            let line = &lines[frame as usize % lines.len()];
            let (_, poses) = line.split_once("\"animated\"").expect("a frame has its pose");
            let time = frame as f64 / 60.0;
            let head = format!("{{\"character\":\"player\",\"frame\":{frame},\"time\":{time},\"animated\"");
            out.write_all(head.as_bytes()).and_then(|()| out.write_all(poses.as_bytes())).expect("room on the disk");
        }
        out.flush().expect("room on the disk");
        let size = std::fs::metadata(path()).map_or(0, |data| data.len());
        println!("{FRAMES} frames, {} MiB", size >> 20);
        path()
    })
}

fn opened() -> Game {
    let (game, warning) =
        finish(game::open(recording(), 1, &mut |_| true)).expect("it reads").expect("nobody gave it up");
    assert!(warning.is_none());
    assert_eq!(game.len() as u64, FRAMES);
    game
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn open_an_hour(bencher: Bencher) {
    recording();
    bencher.bench_local(opened);
}

fn looking() -> Session {
    let mut session = Session::new(Character::built_in().expect("the built-in character is valid"));
    session.apply(Action::OpenAny(recording().to_owned()));
    session.wait_for_opening(Duration::from_secs(600));
    session
}

/// Goes to a frame far from the one shown.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn go_to_a_frame(bencher: Bencher) {
    let mut session = looking();
    let mut number = 0;
    bencher.bench_local(|| {
        number = (number + 77_777) % FRAMES;
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
    });
    assert_eq!(session.world.time.frame, number);
}

#[divan::bench(sample_count = 200, sample_size = 1)]
fn draw_the_panes(bencher: Bencher) {
    let session = looking();
    let (context, mut panes) = (egui::Context::default(), Panes::default());
    context.set_fonts(theme::fonts());
    Theme::of(false).apply(&context);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1440.0, 900.0));
    let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
    // The first frame loads the fonts.
    let _ = context.run(input.clone(), |_| {});
    bencher.bench_local(|| {
        context.run(input.clone(), |context| {
            panes::show(context, &session, &mut panes, &mut Vec::new());
        })
    });
}

#[divan::bench(sample_count = 500, sample_size = 1)]
fn compare_a_frame(bencher: Bencher) {
    let (game, mut judging) = (opened(), Judging::default());
    let mut number = 0;
    bencher.bench_local(|| {
        number = (number + 77_777) % FRAMES;
        let entry = game.lanes[0].get(number).expect("all are there");
        judging.judge(&game.source(entry))
    });
}
