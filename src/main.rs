//! The command line: `kinescope`, `inspect`, `solve`, `trace`.
//!
//! Exit status: 0 done, 1 could not do it (one line on standard error), 2 wrong usage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use kinescope::app::character::Character;
use kinescope::app::clip_player::ClipPlayer;
use kinescope::app::document::Document;
use kinescope::app::{export, files, inspect, session, table, window};
use kinescope::preset::Preset;
use kinescope::rig::{LocalPose, ModelPose};
use kinescope::trace::Trace;

/// Look inside inverse kinematics: drag a character's hands and feet and step through the solve.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: WindowArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what the importer made of a model.
    Inspect {
        /// A .glb, .gltf or .vrm file; left out, the built-in biped.
        model: Option<PathBuf>,
        /// As JSON (`kinescope-inspect`, version 1).
        #[arg(long)]
        json: bool,
    },
    /// Solve once and write the pose.
    Solve {
        #[command(flatten)]
        input: SolveArgs,
        /// Where to write the pose: .json or .glb.
        #[arg(long, value_name = "POSE.json|POSE.glb")]
        out: PathBuf,
    },
    /// Solve once and write every stage; without --out, print a table.
    Trace {
        #[command(flatten)]
        input: SolveArgs,
        /// Where to write the trace.
        #[arg(long, value_name = "TRACE.json")]
        out: Option<PathBuf>,
    },
}

#[derive(Args)]
struct SolveArgs {
    /// A .glb, .gltf or .vrm file; left out, the built-in biped.
    model: Option<PathBuf>,
    /// Parameters and targets.
    #[arg(long, value_name = "FILE")]
    preset: Option<PathBuf>,
    /// The model's own animation to take the pose from; without it, the rest pose.
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// Seconds into the clip.
    #[arg(long, value_name = "S", requires = "clip", allow_negative_numbers = true)]
    time: Option<f32>,
}

#[derive(Args)]
struct WindowArgs {
    /// A .glb, .gltf or .vrm file; left out, the built-in biped.
    model: Option<PathBuf>,
    /// Parameters and targets.
    #[arg(long, value_name = "FILE")]
    preset: Option<PathBuf>,
    /// An experiment to start with (see the menu «scene»).
    #[arg(long, value_name = "NAME", conflicts_with = "preset")]
    scene: Option<String>,
    /// The model's own animation to play.
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// Size of the window in pixels.
    #[arg(long, value_name = "WxH", value_parser = window_size)]
    size: Option<(u32, u32)>,
    /// Write a picture of the window and end.
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// How many frames to run before the picture, at 60 a second.
    #[arg(long, value_name = "N", requires = "screenshot", default_value_t = 10)]
    frames: u32,
    /// Print a JSON line for every frame in which anything changed.
    #[arg(long)]
    log: bool,
}

fn window_size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|size| (320..=7680).contains(size));
    let size = text.split_once(['x', 'X']).and_then(|(width, height)| Some((parse(width)?, parse(height)?)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, 320 to 7680 each, as in 1440x900".to_owned())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(Command::Inspect { model, json }) => inspect_model(model.as_deref(), json),
        Some(Command::Solve { input, out }) => solve(&input, &out),
        Some(Command::Trace { input, out }) => trace(&input, out.as_deref()),
        None => open_window(cli.window),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("kinescope: {}", message.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

/// Prints, and is content if the reader has gone away.
fn print(text: &str) -> Result<(), String> {
    use std::io::Write;
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

fn load(model: Option<&Path>) -> Result<Character, String> {
    match model {
        Some(path) => Character::load(path),
        None => Character::built_in(),
    }
}

fn load_document(path: &Path) -> Result<Document, String> {
    let preset = Preset::from_json(&files::read_text(path)?);
    preset.and_then(|preset| Document::from_preset(&preset)).map_err(|error| format!("{}: {error}", path.display()))
}

fn inspect_model(model: Option<&Path>, json: bool) -> Result<(), String> {
    let character = load(model)?;
    print(&if json { inspect::json(&character) } else { inspect::text(&character) })
}

/// Character, document and animated pose of a headless solve.
fn prepare(input: &SolveArgs) -> Result<(Character, Document, ModelPose), String> {
    let mut character = load(input.model.as_deref())?;
    let mut document = Document::default();
    if let Some(path) = &input.preset {
        document = load_document(path)?;
        character.remap(&document.mapping, document.reference);
    }
    if let Some(name) = &input.clip {
        document.clip.name = Some(name.clone());
        document.clip.time = input.time.unwrap_or(0.0);
    }
    if !document.clip.time.is_finite() {
        return Err(format!("--time: {} is not a number of seconds", document.clip.time));
    }
    let clip = document.clip.name.as_deref().map(|name| character.find_clip(name)).transpose()?;
    let mut local = LocalPose::default();
    let player = ClipPlayer { clip, time: document.clip.time, ..ClipPlayer::default() };
    player.sample(&character.model.clips, &character.rest, &mut local);
    let animated = ModelPose::from_local(&character.model.skeleton, &local);
    Ok((character, document, animated))
}

fn solve(input: &SolveArgs, out: &Path) -> Result<(), String> {
    let (mut character, document, mut pose) = prepare(input)?;
    let (solver, workspace) =
        character.solver.as_mut().map_err(|error| format!("{}: {error}", character.model.name))?;
    let mut settings = document.settings;
    solver.solve(workspace, &mut settings, &mut pose.bones);
    files::write(out, &export::pose(&character.model, &pose, out)?)
}

fn trace(input: &SolveArgs, out: Option<&Path>) -> Result<(), String> {
    let (character, document, animated) = prepare(input)?;
    let rig = session::rig_of(&character, &animated)?;
    match out {
        Some(out) => {
            let trace = Trace::solve(&character.model.name, rig, document.settings)
                .map_err(|error| format!("{}: {error}", character.model.name))?;
            files::write(out, trace.to_json().as_bytes())
        }
        None => print(&table::stages(&character, &animated, &document.settings)?),
    }
}

fn open_window(args: WindowArgs) -> Result<(), String> {
    window::run(window::Options {
        model: args.model,
        preset: args.preset,
        scene: args.scene,
        clip: args.clip,
        size: args.size,
        screenshot: args.screenshot,
        frames: args.frames,
        log: args.log,
    })
}
