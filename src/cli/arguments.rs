//! What the command line says.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Look inside inverse kinematics: drag a character's hands and feet and step through the solve.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) window: WindowArgs,
}

#[derive(Subcommand)]
pub(super) enum Command {
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
    /// Write a clip with grounding and full-body IK applied, in the model's own file.
    Bake {
        /// A .glb, .gltf or .vrm file; left out, the preset's model or the built-in biped.
        model: Option<PathBuf>,
        /// Parameters, targets, grounding and terrain.
        #[arg(long, value_name = "FILE")]
        preset: PathBuf,
        /// The model's own animation.
        #[arg(long, value_name = "NAME")]
        clip: String,
        /// Where to write it.
        #[arg(long, value_name = "FILE.glb")]
        out: PathBuf,
        /// Keys a second.
        #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = frames_per_second)]
        fps: f32,
        /// How often the clip is played, one after the other; left out, once.
        #[arg(long, value_name = "N", conflicts_with = "path", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        cycles: Option<u32>,
        /// Bake the whole path of the preset: once around a closed one, or to the end of an open one.
        #[arg(long)]
        path: bool,
        /// Leave the character where the model stands, for an engine that moves it.
        #[arg(long)]
        no_root_motion: bool,
    },
    /// Write a clip's frames, with every step of each, as a recording.
    Record {
        /// A .glb, .gltf or .vrm file; left out, the preset's model or the built-in biped.
        model: Option<PathBuf>,
        /// Parameters, targets, grounding and terrain.
        #[arg(long, value_name = "FILE")]
        preset: Option<PathBuf>,
        /// The model's own animation.
        #[arg(long, value_name = "NAME")]
        clip: String,
        /// Where to write it.
        #[arg(long, value_name = "RECORDING.jsonl")]
        out: PathBuf,
        /// Frames a second.
        #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = frames_per_second)]
        fps: f32,
    },
    /// Play a recording to a listening window, as a game would.
    Send {
        /// What to play.
        #[arg(value_name = "RECORDING.jsonl")]
        recording: PathBuf,
        /// Who listens.
        #[arg(long, value_name = "ADDRESS:PORT", default_value = kinescope_ik::link::ADDRESS)]
        to: String,
        /// How many times as fast as it was recorded.
        #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
        speed: f64,
    },
    /// Print a preset as C# assignments, or such assignments as a preset.
    Preset {
        /// A preset, or a text of assignments.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// As what.
        #[arg(long = "as", value_name = "csharp|json", value_enum)]
        form: Form,
    },
    /// Solve a single chain; without --out, print a table of its iterations.
    Chain {
        /// Bones, target and solver (`kinescope-chain`, version 1).
        #[arg(value_name = "INPUT.json")]
        input: PathBuf,
        /// Where to write what came out.
        #[arg(long, value_name = "TRACE.json")]
        out: Option<PathBuf>,
    },
    /// A conformance kit for ports of the solver: cases that take its every branch, and the verdict on a port's answers.
    #[command(group(clap::ArgGroup::new("way").required(true)))]
    Conformance {
        /// Write the cases there, a trace each: rig, parameters, every stage and move, constants and writing.
        #[arg(long, value_name = "FOLDER", group = "way")]
        out: Option<PathBuf>,
        /// Compare a port's answers, traces of the same names, with the cases; status 1 if any differs.
        #[arg(long, value_name = "FOLDER", group = "way")]
        check: Option<PathBuf>,
    },
    /// Compare two traces stage by stage, or a game's recording with Kinescope's own solves; status 1 if they differ.
    Diff {
        /// A trace, say of a port of the solver, or a recording.
        #[arg(value_name = "A.json|RECORDING.jsonl")]
        a: PathBuf,
        /// Another; left out, Kinescope solves A's rig and parameters itself.
        #[arg(value_name = "B.json")]
        b: Option<PathBuf>,
        /// Positions no further apart are the same, in model units; left out, 1e-4 of the character's height.
        #[arg(long, value_name = "M", value_parser = tolerance, allow_negative_numbers = true)]
        tolerance: Option<f32>,
    },
    /// Solve bug capsules again; status 1 if any came out otherwise.
    Check {
        /// Capsules.
        #[arg(required = true, value_name = "CAPSULE")]
        capsules: Vec<PathBuf>,
        /// Let changes pass whose final nodes all stay within so many model units; left out, every bit counts.
        #[arg(long, value_name = "M", value_parser = tolerance, allow_negative_numbers = true)]
        tolerance: Option<f32>,
    },
}

/// How settings are written.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Form {
    /// A line for each value that is not at its default.
    Csharp,
    /// A preset.
    Json,
}

#[derive(Args)]
pub(super) struct SolveArgs {
    /// A .glb, .gltf or .vrm file; left out, the preset's model or the built-in biped.
    pub(super) model: Option<PathBuf>,
    /// Parameters and targets.
    #[arg(long, value_name = "FILE")]
    pub(super) preset: Option<PathBuf>,
    /// The model's own animation to take the pose from; without it, the rest pose.
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Seconds into the clip.
    #[arg(long, value_name = "S", requires = "clip", allow_negative_numbers = true)]
    pub(super) time: Option<f32>,
}

#[derive(Args)]
pub(super) struct WindowArgs {
    /// A .glb, .gltf or .vrm file, a preset, a trace, a bug capsule, a chain, a game's recording or a link; left
    /// out, the preset's model or the built-in biped.
    pub(super) model: Option<PathBuf>,
    /// Parameters and targets.
    #[arg(long, value_name = "FILE")]
    pub(super) preset: Option<PathBuf>,
    /// An experiment to start with (see the menu «scene»).
    #[arg(long, value_name = "NAME", conflicts_with = "preset")]
    pub(super) scene: Option<String>,
    /// The model's own animation to play.
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Size of the window in pixels.
    #[arg(long, value_name = "WxH", value_parser = window_size)]
    pub(super) size: Option<(u32, u32)>,
    /// Write a picture of the window and end.
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    /// How many frames to run before the picture, at 60 a second.
    #[arg(long, value_name = "N", requires = "screenshot", default_value_t = 10)]
    pub(super) frames: u32,
    /// A command by its name in the palette; may be given several times. Run half-way to the picture, or at the start.
    #[arg(long, value_name = "COMMAND")]
    pub(super) run: Vec<String>,
    /// Print a JSON line for every frame in which anything changed, and on Linux one for each line on standard input, once
    /// the window shows all input that came before it.
    #[arg(long)]
    pub(super) log: bool,
    /// Draw a game's recording or a bug capsule with the mesh of a model that has bones of the same names.
    #[arg(long, value_name = "MODEL")]
    pub(super) body: Option<PathBuf>,
    /// Wait for running games to call; any address but this machine's own lets others in.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = kinescope_ik::link::ADDRESS)]
    pub(super) listen: Option<String>,
}

fn window_size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|size| (320..=7680).contains(size));
    let size = text.split_once(['x', 'X']).and_then(|(width, height)| Some((parse(width)?, parse(height)?)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, 320 to 7680 each, as in 1440x900".to_owned())
}

pub(super) fn tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse::<f32>().ok().filter(|tolerance| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "expected a number of model units, 0 or more, as in 0.001".to_owned())
}

fn frames_per_second(text: &str) -> Result<f32, String> {
    let rate = text.parse::<f32>().ok().filter(|rate| (1.0..=1000.0).contains(rate));
    rate.ok_or_else(|| "expected frames a second, 1 to 1000, as in 30".to_owned())
}

pub(super) fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (1e-3..=1e6).contains(speed));
    speed.ok_or_else(|| "expected how many times as fast, 0.001 to 1000000, as in 2".to_owned())
}
