use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use kinescope_ik::conformance::Feature;
use kinescope_ik::rig::LengthUnit;

/// Debug inverse kinematics: drag a character's hands and feet and step through the solve.
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
    /// Print the roles of a model's bones, its clips, and the importer's notes.
    Inspect {
        /// A .glb, .gltf, .vrm, .fbx or .bvh file [default: the built-in mannequin].
        model: Option<PathBuf>,
        #[command(flatten)]
        unit: UnitArg,
        /// Print JSON (`kinescope-inspect`, version 1).
        #[arg(long)]
        json: bool,
    },
    /// Solve once and write the pose.
    Solve {
        #[command(flatten)]
        input: SolveArgs,
        /// File to write: .json, .glb or .bvh.
        #[arg(long, value_name = "POSE.json|POSE.glb|POSE.bvh")]
        out: PathBuf,
    },
    /// Solve once and write every stage as a trace, or print a table of the stages.
    Trace {
        #[command(flatten)]
        input: SolveArgs,
        /// File to write; without it, the command prints a table.
        #[arg(long, value_name = "TRACE.json")]
        out: Option<PathBuf>,
    },
    /// Apply grounding and IK to a clip, and write the model with the result.
    Bake {
        /// A .glb, .gltf, .vrm, .fbx or .bvh file [default: the preset's model, or the built-in mannequin].
        model: Option<PathBuf>,
        #[command(flatten)]
        unit: UnitArg,
        /// Parameters, targets, grounding and terrain; may be left out with `--motion`.
        #[arg(long, value_name = "FILE", required_unless_present = "motion")]
        preset: Option<PathBuf>,
        /// Take the clip from another file, retargeted by roles.
        #[arg(long, value_name = "FILE")]
        motion: Option<PathBuf>,
        /// Name of a clip of the model, or of the file of `--motion`.
        #[arg(long, value_name = "NAME")]
        clip: String,
        /// File to write: .glb, the model with the clip, or .bvh, bones and motion.
        #[arg(long, value_name = "FILE.glb|FILE.bvh")]
        out: PathBuf,
        /// Keys per second.
        #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = frames_per_second)]
        fps: f32,
        /// Number of times to play the clip [default: 1].
        #[arg(long, value_name = "N", conflicts_with = "path", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        cycles: Option<u32>,
        /// Bake the preset's whole path: once around a closed path, or to the end of an open path.
        #[arg(long)]
        path: bool,
        /// Bake without the character's start and path, for engines that move the character themselves.
        #[arg(long)]
        no_root_motion: bool,
    },
    /// Write a recording of a clip: all frames with every stage of the full body.
    Record {
        /// A .glb, .gltf, .vrm, .fbx or .bvh file [default: the preset's model, or the built-in mannequin].
        model: Option<PathBuf>,
        #[command(flatten)]
        unit: UnitArg,
        /// Parameters, targets, grounding and terrain.
        #[arg(long, value_name = "FILE")]
        preset: Option<PathBuf>,
        /// Name of a clip of the model.
        #[arg(long, value_name = "NAME")]
        clip: String,
        /// File to write.
        #[arg(long, value_name = "RECORDING.jsonl")]
        out: PathBuf,
        /// Frames per second.
        #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = frames_per_second)]
        fps: f32,
    },
    /// Send a recording to a listening window, as a running game does.
    Send {
        /// The recording to send.
        #[arg(value_name = "RECORDING.jsonl")]
        recording: PathBuf,
        /// Address of the listening window.
        #[arg(long, value_name = "ADDRESS:PORT", default_value = kinescope_ik::link::ADDRESS)]
        to: String,
        /// Factor on the recorded speed.
        #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
        speed: f64,
    },
    /// Convert between a preset and C# assignments, and print the result.
    Preset {
        /// A preset, or a text file with C# assignments.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Format of the output.
        #[arg(long = "as", value_name = "csharp|json", value_enum)]
        form: Form,
    },
    /// Solve a single chain and write the result, or print a table of its iterations.
    Chain {
        /// Bones, target and solver (`kinescope-chain`, version 1).
        #[arg(value_name = "INPUT.json")]
        input: PathBuf,
        /// File to write; without it, the command prints a table.
        #[arg(long, value_name = "TRACE.json")]
        out: Option<PathBuf>,
    },
    /// Write the conformance kit, whose cases take every branch of the solver and use every setting, or check a port's
    /// results.
    #[command(group(clap::ArgGroup::new("way").required(true)))]
    Conformance {
        /// Write one trace per case into this folder: rig, parameters, stages, moves, constants and written pose.
        #[arg(long, value_name = "FOLDER", group = "way")]
        out: Option<PathBuf>,
        /// Compare a port's traces in this folder, named like the cases, with the cases; exit status 1 if any differs.
        #[arg(long, value_name = "FOLDER", group = "way")]
        check: Option<PathBuf>,
        /// Features that the port lacks, separated by commas; cases that use them are skipped.
        #[arg(long, value_name = "FEATURE", requires = "check", value_delimiter = ',', value_parser = feature)]
        lacks: Vec<Feature>,
    },
    /// Compare two traces stage by stage, or a recording with Kinescope's own solves; exit status 1 if they differ.
    Diff {
        /// A trace, for example of a port of the solver, or a recording.
        #[arg(value_name = "A.json|RECORDING.jsonl")]
        a: PathBuf,
        /// The other trace [default: Kinescope's own solve of A's rig and parameters].
        #[arg(value_name = "B.json")]
        b: Option<PathBuf>,
        /// Positions up to this distance apart count as equal; model units [default: 1e-4 of the character's height].
        #[arg(long, value_name = "M", value_parser = tolerance, allow_negative_numbers = true)]
        tolerance: Option<f32>,
    },
    /// Solve bug capsules again and compare the results; exit status 1 if any differs.
    Check {
        /// The capsules to check.
        #[arg(required = true, value_name = "CAPSULE")]
        capsules: Vec<PathBuf>,
        /// Final points up to this distance apart count as equal; model units [default: results must be equal bit for bit].
        #[arg(long, value_name = "M", value_parser = tolerance, allow_negative_numbers = true)]
        tolerance: Option<f32>,
    },
}

/// Output format of settings.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Form {
    /// C#: one assignment for each value that differs from its default.
    Csharp,
    /// JSON: a preset.
    Json,
}

#[derive(Args)]
pub(super) struct UnitArg {
    /// Unit of a .bvh file: centimetres, metres, millimetres, inches or cmu (1/0.45 inches) [default: guessed from the
    /// height].
    #[arg(long, value_name = "UNIT", requires = "model", value_parser = length_unit)]
    pub(super) unit: Option<LengthUnit>,
}

#[derive(Args)]
pub(super) struct SolveArgs {
    /// A .glb, .gltf, .vrm, .fbx or .bvh file [default: the preset's model, or the built-in mannequin].
    pub(super) model: Option<PathBuf>,
    #[command(flatten)]
    pub(super) unit: UnitArg,
    /// Parameters and targets.
    #[arg(long, value_name = "FILE")]
    pub(super) preset: Option<PathBuf>,
    /// Name of the clip that provides the animated pose [default: the preset's clip, or the rest pose].
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Time in the clip of `--clip`, seconds [default: 0].
    #[arg(long, value_name = "S", requires = "clip", allow_negative_numbers = true)]
    pub(super) time: Option<f32>,
}

#[derive(Args)]
pub(super) struct WindowArgs {
    /// A .glb, .gltf, .vrm, .fbx or .bvh file, a preset, a trace, a bug capsule, a chain file, a game's recording or a
    /// link [default: the preset's model, or the built-in mannequin].
    pub(super) model: Option<PathBuf>,
    #[command(flatten)]
    pub(super) unit: UnitArg,
    /// Preset to open.
    #[arg(long, value_name = "FILE")]
    pub(super) preset: Option<PathBuf>,
    /// The scene to start, by its name in the menu Scenes.
    #[arg(long, value_name = "NAME", conflicts_with = "preset")]
    pub(super) scene: Option<String>,
    /// The lesson to open, by its key or title; NAME:N opens its step N.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["model", "preset", "scene", "clip", "body"])]
    pub(super) lesson: Option<String>,
    /// Name of the clip to play.
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Size of the window in physical pixels, on macOS in points.
    #[arg(long, value_name = "WxH", value_parser = window_size)]
    pub(super) size: Option<(u32, u32)>,
    /// Write a picture of the window, then close it.
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    /// Take the screenshot after N frames, at least 5, at 60 per second; later if a job still runs.
    #[arg(long, value_name = "N", requires = "screenshot", default_value_t = 10)]
    pub(super) frames: u32,
    /// Run a command by its label in the palette, halfway to the screenshot or at the start. May be repeated.
    #[arg(long, value_name = "COMMAND")]
    pub(super) run: Vec<String>,
    /// Print a JSON line for every frame in which something changed. On Linux, a script that pipes a line to standard
    /// input gets a JSON line back as soon as the window shows all input before it.
    #[arg(long)]
    pub(super) log: bool,
    /// Draw a recording, trace or bug capsule with the mesh of a model that has bones of the same names.
    #[arg(long, value_name = "MODEL")]
    pub(super) body: Option<PathBuf>,
    /// Listen for running games, at 127.0.0.1:7468 if no address is given. Only a loopback address such as 127.0.0.1
    /// keeps other machines out.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = kinescope_ik::link::ADDRESS)]
    pub(super) listen: Option<String>,
}

fn length_unit(text: &str) -> Result<LengthUnit, String> {
    let keys = || LengthUnit::ALL.map(LengthUnit::key).join(", ");
    LengthUnit::from_key(text).ok_or_else(|| format!("expected one of {}", keys()))
}

fn feature(text: &str) -> Result<Feature, String> {
    let keys = || Feature::ALL.map(Feature::key).join(", ");
    Feature::from_key(text).ok_or_else(|| format!("expected one of {}", keys()))
}

fn window_size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|size| (320..=7680).contains(size));
    let size = text.split_once(['x', 'X']).and_then(|(width, height)| Some((parse(width)?, parse(height)?)));
    size.ok_or_else(|| {
        "expected WIDTHxHEIGHT in physical pixels (points on macOS), 320 to 7680 each, for example 1440x900".to_owned()
    })
}

pub(super) fn tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse::<f32>().ok().filter(|tolerance| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "expected a length in model units, 0 or more, for example 0.001".to_owned())
}

fn frames_per_second(text: &str) -> Result<f32, String> {
    let rate = text.parse::<f32>().ok().filter(|rate| (1.0..=1000.0).contains(rate));
    rate.ok_or_else(|| "expected frames per second, 1 to 1000, for example 30".to_owned())
}

pub(super) fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (1e-3..=1e6).contains(speed));
    speed.ok_or_else(|| "expected a factor on the speed, 0.001 to 1000000, for example 2".to_owned())
}
