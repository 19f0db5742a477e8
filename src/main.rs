//! The program: see `kinescope::cli`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use kinescope::character::Character;
use kinescope::character::preset_model::{PresetModel, no_model};
use kinescope::cli::diff::RecordingReport;
use kinescope::cli::headless::Headless;
use kinescope::cli::{diff, inspect, table};
use kinescope::session;
use kinescope::session::document::{ClipSection, Document};
use kinescope::shell::window;
use kinescope::system::files;
use kinescope::system::files::{Lines, Most, one_line};
use kinescope::tools::capsule::ground_of;
use kinescope::tools::export;
use kinescope::tools::motion::clip_player::BakeRange;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::chain_ik::file::{ChainFile, ChainResult};
use kinescope_ik::conformance;
use kinescope_ik::csharp;
use kinescope_ik::error::Fault;
use kinescope_ik::game_recording;
use kinescope_ik::preset::Preset;
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::{default_tolerance, diff};

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
enum Form {
    /// A line for each value that is not at its default.
    Csharp,
    /// A preset.
    Json,
}

#[derive(Args)]
struct SolveArgs {
    /// A .glb, .gltf or .vrm file; left out, the preset's model or the built-in biped.
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
    /// A .glb, .gltf or .vrm file, a preset, a trace, a bug capsule, a chain or a game's recording; left out, the
    /// preset's model or the built-in biped.
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
    /// A command by its name in the palette; may be given several times. Run half-way to the picture, or at the start.
    #[arg(long, value_name = "COMMAND")]
    run: Vec<String>,
    /// Print a JSON line for every frame in which anything changed, and on Linux one for each line on standard input, once
    /// the window shows all input that came before it.
    #[arg(long)]
    log: bool,
    /// Draw a game's recording or a bug capsule with the mesh of a model that has bones of the same names.
    #[arg(long, value_name = "MODEL")]
    body: Option<PathBuf>,
    /// Wait for running games to call; any address but this machine's own lets others in.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = kinescope_ik::link::ADDRESS)]
    listen: Option<String>,
}

fn window_size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|size| (320..=7680).contains(size));
    let size = text.split_once(['x', 'X']).and_then(|(width, height)| Some((parse(width)?, parse(height)?)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, 320 to 7680 each, as in 1440x900".to_owned())
}

fn tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse::<f32>().ok().filter(|tolerance| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "expected a number of model units, 0 or more, as in 0.001".to_owned())
}

fn frames_per_second(text: &str) -> Result<f32, String> {
    let rate = text.parse::<f32>().ok().filter(|rate| (1.0..=1000.0).contains(rate));
    rate.ok_or_else(|| "expected frames a second, 1 to 1000, as in 30".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (1e-3..=1e6).contains(speed));
    speed.ok_or_else(|| "expected how many times as fast, 0.001 to 1000000, as in 2".to_owned())
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            use std::io::Write;
            let text: Vec<String> = error.render().to_string().lines().map(one_line).collect();
            let _ = writeln!(std::io::stderr(), "{}", text.join("\n"));
            return ExitCode::from(2);
        }
        // Help and version.
        Err(error) => return exit(print(&error.render().to_string()).map(|()| true)),
    };
    files::clean_up();
    let done = match cli.command {
        Some(Command::Inspect { model, json }) => inspect_model(model.as_deref(), json),
        Some(Command::Solve { input, out }) => solve(&input, &out),
        Some(Command::Trace { input, out }) => trace(&input, out.as_deref()),
        Some(Command::Bake { model, preset, clip, out, fps, cycles, path, no_root_motion }) => {
            let length = match (path, cycles) {
                (true, _) => BakeLength::Path,
                (false, cycles) => BakeLength::Cycles(cycles.unwrap_or(1)),
            };
            bake(model.as_deref(), &preset, &clip, &out, (fps, length, !no_root_motion))
        }
        Some(Command::Record { model, preset, clip, out, fps }) => {
            record(model.as_deref(), preset.as_deref(), &clip, &out, fps)
        }
        Some(Command::Send { recording, to, speed }) => send(&recording, &to, speed),
        Some(Command::Preset { file, form }) => print_preset(&file, form),
        Some(Command::Chain { input, out }) => solve_chain(&input, out.as_deref()),
        Some(Command::Diff { a, b, tolerance }) => return exit(diff_traces(&a, b.as_deref(), tolerance)),
        Some(Command::Conformance { out: Some(folder), .. }) => write_cases(&folder),
        // There is always one of the two.
        Some(Command::Conformance { check, .. }) => return exit(check_answers(&check.unwrap_or_default())),
        Some(Command::Check { capsules, tolerance }) => return exit(check_capsules(&capsules, tolerance)),
        None => open_window(cli.window),
    };
    exit(done.map(|()| true))
}

/// Status 0 for true, 1 otherwise.
fn exit(done: Result<bool, String>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error.
fn complain(message: &str) {
    use std::io::Write;
    // Where even that cannot be written there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "kinescope: {}", one_line(message));
}

/// Whether there was a standard output when the program began. The language's own start-up puts `/dev/null` where there
/// is none, and everything that is then written is lost without a word: it has to be asked before that.
#[cfg(target_os = "linux")]
mod output {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        // SAFETY: asks about a number, and changes nothing; a number that is no open file is an error like any other.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the loader calls what is listed here before `main`, with nothing that `look` would not take.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod output {
    pub fn is_closed() -> bool {
        false
    }
}

/// Prints all of it: who reads only half is to know.
fn print(text: &str) -> Result<(), String> {
    use std::io::Write;
    if output::is_closed() {
        return Err("standard output: is closed".to_owned());
    }
    let mut out = std::io::stdout();
    out.write_all(files::for_terminal(text).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}"))
}

fn load(model: Option<&Path>) -> Result<Character, String> {
    match model {
        Some(path) => Character::load(path),
        None => Character::built_in(),
    }
}

/// The character and the document of a solve. Without a model of its own the command uses the preset's, and without that
/// the built-in biped.
fn load_with_preset(model: Option<&Path>, preset: Option<&Path>) -> Result<(Character, Document), String> {
    let Some(path) = preset else { return Ok((load(model)?, Document::default())) };
    let preset = Preset::from_json(&files::read_text(path, Most::PRESET)?);
    let read = preset.and_then(|preset| Ok((Document::from_preset(&preset)?, PresetModel::of_preset(&preset)?)));
    let (document, own) = read.map_err(|error| format!("{}: {error}", path.display()))?;
    let character = match (model, &own) {
        (None, Some(own)) => own.load(path).map_err(|why| no_model(path, &why))?,
        (Some(_), _) | (None, None) => load(model)?,
    };
    if let Some(own) = own.filter(|own| !own.has_skeleton_of(&character)) {
        let difference = own.difference(&character, path).unwrap_or_default();
        complain(&format!("warning: {} {difference}", path.display()));
    }
    // The command may name another clip.
    let named = Document { clip: ClipSection::default(), ..document.clone() };
    if let (Some(missing), _) = named.missing(&character.model) {
        return Err(format!("{}: {missing} (the model is {})", path.display(), character.model.name));
    }
    Ok((character, document))
}

fn inspect_model(model: Option<&Path>, json: bool) -> Result<(), String> {
    let character = load(model)?;
    print(&if json { inspect::json(&character) } else { inspect::text(&character) })
}

/// A preset as assignments, assignments as a preset, or either as itself, in good order.
fn print_preset(path: &Path, form: Form) -> Result<(), String> {
    let say = |fault: Fault| format!("{}: {fault}", path.display());
    let text = files::read_text(path, Most::PRESET)?;
    let preset = match csharp::is_csharp(&text) {
        true => {
            let mut preset = Preset::default();
            csharp::from_csharp(&text, &mut preset.settings).map_err(say)?;
            preset
        }
        false => Preset::from_json(&text).map_err(say)?,
    };
    print(&match form {
        Form::Csharp => csharp::to_csharp(&preset.settings),
        Form::Json => preset.to_json(),
    })
}

/// The character of a headless solve, in the one frame that is asked for. Grounding is where it comes to rest.
fn prepare(input: &SolveArgs) -> Result<Headless, String> {
    let (character, mut document) = load_with_preset(input.model.as_deref(), input.preset.as_deref())?;
    if let Some(name) = &input.clip {
        document.clip.name = Some(name.clone());
        document.clip.time = input.time.unwrap_or(0.0);
    }
    if !document.clip.time.is_finite() {
        return Err(format!("--time: {} is not a number of seconds", document.clip.time));
    }
    Headless::new(character, document)
}

/// Refuses to write over what the solve reads, and says what of the clip is not in what is written: with `whole`, that
/// has what moves no bone.
fn check(headless: &Headless, preset: Option<&Path>, out: Option<&Path>, whole: bool) -> Result<(), String> {
    let character = &headless.character;
    let inputs: Vec<PathBuf> = character.files.iter().cloned().chain(preset.map(Path::to_owned)).collect();
    out.map_or(Ok(()), |out| files::check_output(out, &inputs))?;
    if let Some(warning) = headless.document.stack.grounding.warning() {
        complain(&format!("warning: {}: grounding: {warning}", character.model.name));
    }
    let clip = headless.player.clip().and_then(|clip| character.model.clips.get(clip));
    let lost: Vec<&String> = clip.map_or_else(Vec::new, |clip| {
        let unbound = clip.unbound.iter().filter(|_| !whole);
        clip.skipped.iter().chain(unbound).collect()
    });
    if let Some((clip, first)) = clip.zip(lost.first()) {
        let (model, count) = (&character.model.name, lost.len());
        complain(&format!("warning: {model}: clip {:?}: left out, {count} in all: {first}", clip.name));
    }
    Ok(())
}

fn solve(input: &SolveArgs, out: &Path) -> Result<(), String> {
    let mut frame = prepare(input)?;
    check(&frame, input.preset.as_deref(), Some(out), false)?;
    let pose = frame.solve()?;
    write(&frame.character, out, &export::pose(&frame.character, &pose, out)?)
}

/// Writes a file made of the model's, and says what of the model is not in it as it was.
fn write(character: &Character, out: &Path, written: &export::Written) -> Result<(), String> {
    files::write(out, &written.bytes)?;
    for note in &written.copied {
        complain(&format!("warning: {}: {note}; {} contains a copy of it", character.model.name, out.display()));
    }
    if let Some(lost) = written.lost() {
        complain(&format!("warning: {}: {lost}", character.model.name));
    }
    Ok(())
}

fn trace(input: &SolveArgs, out: Option<&Path>) -> Result<(), String> {
    let frame = prepare(input)?;
    check(&frame, input.preset.as_deref(), out, false)?;
    let (character, run) = (&frame.character, frame.full_body("trace")?);
    warn_of_layers(&frame, "a trace");
    // A chain before it may have changed what it was given.
    let rig = session::rig_of(character, &run.animated)?;
    match out {
        Some(out) => {
            let trace = Trace::solve(&character.model.name, rig, run.settings)
                .map_err(|error| format!("{}: {error}", character.model.name))?;
            files::write(out, trace.to_json().as_bytes())
        }
        None => print(&table::stages(run)),
    }
}

/// Says what of the stack is not in what is written.
fn warn_of_layers(headless: &Headless, what: &str) {
    let stack = &headless.document.stack;
    if stack.chain_ik.chains.iter().any(|chain| !chain.off) {
        complain(&format!("warning: chain_ik.chains: {what} is of the full body alone, chains are not in it"));
    }
    if stack.modifiers.iter().any(|modifier| modifier.is_on()) {
        complain(&format!(
            "warning: modifiers: {what} is of the full body alone, what they push and turn within and after it is not in it",
        ));
    }
}

fn record(model: Option<&Path>, preset: Option<&Path>, clip: &str, out: &Path, fps: f32) -> Result<(), String> {
    let (character, mut document) = load_with_preset(model, preset)?;
    document.clip = ClipSection { name: Some(clip.to_owned()), time: 0.0 };
    let mut headless = Headless::new(character, document)?;
    check(&headless, preset, Some(out), false)?;
    warn_of_layers(&headless, "a recording");
    files::write(out, headless.record_whole(fps)?.as_bytes())
}

/// How much of a clip is baked.
#[derive(Clone, Copy)]
enum BakeLength {
    Cycles(u32),
    Path,
}

fn bake(
    model: Option<&Path>,
    preset: &Path,
    clip: &str,
    out: &Path,
    (fps, length, root_motion): (f32, BakeLength, bool),
) -> Result<(), String> {
    if !out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
        return Err(format!("{}: a baked clip is written as .glb", out.display()));
    }
    let (character, mut document) = load_with_preset(model, Some(preset))?;
    document.clip = ClipSection { name: Some(clip.to_owned()), time: 0.0 };
    let mut headless = Headless::new(character, document)?;
    check(&headless, Some(preset), Some(out), true)?;
    let whole = headless.whole_clip(fps);
    let to = match length {
        BakeLength::Cycles(cycles) => whole.to * cycles as f32,
        BakeLength::Path => headless.path_time().map_err(|error| format!("{}: motion: {error}", preset.display()))?,
    };
    let baked = headless.bake(BakeRange { to, root_motion, ..whole })?;
    write(&headless.character, out, &export::clip_glb(&headless.character, &baked)?)
}

fn solve_chain(input: &Path, out: Option<&Path>) -> Result<(), String> {
    out.map_or(Ok(()), |out| files::check_output(out, &[input.to_owned()]))?;
    let file = ChainFile::from_json(&files::read_text(input, Most::CHAIN)?);
    let result = file.and_then(|file| file.solve()).map_err(|error| format!("{}: {error}", input.display()))?;
    match out {
        Some(out) => files::write(out, result.to_json().as_bytes()),
        None => print(&iterations(&result)),
    }
}

/// One line an iteration: error, largest joint move; then what it all came to.
fn iterations(result: &ChainResult) -> String {
    use std::fmt::Write;
    let mut out = format!("{:>9}  {:>16}  {:>18}\n", "iteration", "error", "largest joint move");
    for (index, error) in result.errors.iter().enumerate() {
        let (iteration, moved) = match index {
            0 => ("start".to_owned(), "–".to_owned()),
            _ => (index.to_string(), format!("{:.7}", result.largest_move(index))),
        };
        let _ = writeln!(out, "{iteration:>9}  {error:>16.7}  {moved:>18}");
    }
    out.push_str("errors and moves in model units\n");
    let plural = if result.iterations == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{}, error {:.7}, {} iteration{plural}, {}",
        result.solver.label(),
        result.error,
        result.iterations,
        result.stopped_by.sentence()
    );
    out
}

fn load_trace(path: &Path) -> Result<Trace, String> {
    Trace::from_json(&files::read_text(path, Most::TRACE)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Goes through the lines of a recording, as they stand and as they read. A last one that a crash cut off is no reason to
/// leave the rest.
fn each_line(
    path: &Path,
    mut visit: impl FnMut(&str, Option<game_recording::Line>, &game_recording::Reader) -> Result<(), String>,
) -> Result<(), String> {
    let say = |problem: String| format!("{}: {problem}", path.display());
    let mut lines = Lines::open(path).map_err(say)?;
    let mut reader = game_recording::Reader::new();
    while let Some((text, has_end)) = lines.next_line().map_err(say)? {
        match reader.read(&text) {
            Ok(_) if reader.header().is_none() => {}
            Ok(line) => visit(&text, line, &reader)?,
            Err(fault) if !has_end && reader.header().is_some() => {
                complain(&format!("warning: {}", files::cut_off(path, &fault)));
            }
            Err(fault) => return Err(say(fault.to_string())),
        }
    }
    reader.header().map(drop).ok_or_else(|| say(game_recording::EMPTY.to_owned()))
}

/// Sends the lines of a recording at the times that they have.
fn send(path: &Path, to: &str, speed: f64) -> Result<(), String> {
    use std::io::Write;
    use std::time::{Duration, Instant};
    let hang_up = |stream| kinescope_ik::link::hang_up(stream, kinescope_ik::link::PATIENCE);
    let reached = |error: std::io::Error| match error.get_ref() {
        Some(said) => format!("{to}: {said}"),
        None => format!("{to}: {error}; is a window listening there (kinescope --listen)?"),
    };
    let mut stream: Option<std::net::TcpStream> = None;
    let (begun, mut first) = (Instant::now(), None);
    each_line(path, |text, line, _| {
        let time = match line {
            Some(game_recording::Line::Frame(frame)) => Some(frame.time),
            Some(game_recording::Line::Mark(mark)) => Some(mark.time),
            None => None,
        };
        if let Some(time) = time {
            let since = (time - *first.get_or_insert(time)) / speed;
            let due = Duration::try_from_secs_f64(since.max(0.0)).unwrap_or_default();
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        let stream = match &mut stream {
            Some(stream) => stream,
            // Only what reads as a recording calls anybody.
            none => none.insert(std::net::TcpStream::connect(to).map_err(reached)?),
        };
        let written = stream.write_all(text.trim_end().as_bytes()).and_then(|()| stream.write_all(b"\n"));
        // A call that was ended from there may have been told why.
        written.map_err(|error| stream.try_clone().and_then(hang_up).err().unwrap_or(error)).map_err(reached)
    })?;
    stream.map_or(Ok(()), |stream| hang_up(stream).map_err(reached))
}

/// Whether a file is a recording, by its first line, or what there is of it, or by its name.
fn is_recording(path: &Path) -> bool {
    let Ok(Some((line, _))) = Lines::open(path).and_then(|mut lines| lines.next_line()) else {
        return files::is_recording(path);
    };
    match serde_json::from_str::<serde_json::Value>(&line) {
        Ok(header) => header["format"] == game_recording::FORMAT,
        Err(_) => line.contains(game_recording::FORMAT),
    }
}

/// Whether no frame's result differs from Kinescope's.
fn diff_recording(path: &Path, tolerance: Option<f32>) -> Result<bool, String> {
    let say = |problem: String| format!("{}: {problem}", path.display());
    let mut report = RecordingReport::default();
    each_line(path, |_, line, reader| {
        let (Some(game_recording::Line::Frame(frame)), Some(header)) = (line, reader.header()) else { return Ok(()) };
        let line = report.frame(&frame, &header.characters[frame.character], tolerance).map_err(say)?;
        line.map_or(Ok(()), |line| print(&line))
    })?;
    print(&report.summary().map_err(say)?)?;
    Ok(!report.differs())
}

/// Whether nothing differs.
fn diff_traces(a: &Path, b: Option<&Path>, tolerance: Option<f32>) -> Result<bool, String> {
    if is_recording(a) {
        return match b {
            None => diff_recording(a, tolerance),
            Some(b) => Err(format!(
                "{}: a recording is compared with Kinescope's own solves; leave this file out",
                b.display()
            )),
        };
    }
    let first = load_trace(a)?;
    let (second, name) = match b {
        Some(b) => (load_trace(b)?, b.display().to_string()),
        None => {
            let solved = Trace::whole(&first.model, first.rig.clone(), first.parameters);
            (solved.map_err(|error| format!("{}: rig: {error}", a.display()))?, "Kinescope".to_owned())
        }
    };
    let found = diff(&first, &second, tolerance.unwrap_or_else(|| default_tolerance(&first.rig)));
    print(&diff::report(&found, &first, &second, [&a.display().to_string(), &name]))?;
    Ok(found.is_same())
}

/// Writes the conformance kit: a trace for each case, and what each is about.
fn write_cases(folder: &Path) -> Result<(), String> {
    let cases = conformance::cases().map_err(|fault| fault.to_string())?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let index: String = cases.iter().map(|case| format!("{}  {}\n", case.name, case.about)).collect();
    let traces = cases.iter().map(|case| (format!("{}.json", case.name), "case", case.trace.to_json()));
    let all: Vec<_> = traces.chain([("cases.txt".to_owned(), "list of cases", index.clone())]).collect();
    // A port's answers have the same names, and a list may have notes.
    for (name, what, text) in &all {
        let path = folder.join(name);
        // By `files`: a pipe of that name is not waited for.
        if path.exists() && files::read(&path, Most::TRACE).ok().as_deref() != Some(text.as_bytes()) {
            let message = format!("is not this kit's own {what}, perhaps a port's: write the kit to another folder");
            return Err(format!("{}: {message}", path.display()));
        }
    }
    for (name, _, text) in &all {
        files::write(&folder.join(name), text.as_bytes())?;
    }
    print(&format!("{index}{} cases in {}\n", cases.len(), folder.display()))
}

/// Whether a port's answers agree with every case.
fn check_answers(folder: &Path) -> Result<bool, String> {
    if !folder.is_dir() {
        return Err(format!("{}: is no folder of answers, a trace for each case", folder.display()));
    }
    let cases = conformance::cases().map_err(|fault| fault.to_string())?;
    let mut agreed = 0;
    for case in &cases {
        let path = folder.join(format!("{}.json", case.name));
        let (line, agrees) = match path.exists() {
            false => (format!("MISSING  {}: {}\n", case.name, case.about), false),
            true => match load_trace(&path).and_then(|answer| diff::case_verdict(case, &answer)) {
                Ok(verdict) => verdict,
                Err(error) => (format!("BROKEN   {}: {error}\n", case.name), false),
            },
        };
        print(&line)?;
        agreed += usize::from(agrees);
    }
    print(&format!("{agreed} of {} cases agree\n", cases.len()))?;
    Ok(agreed == cases.len())
}

/// Whether every capsule reads and has not changed.
fn check_capsules(capsules: &[PathBuf], tolerance: Option<f32>) -> Result<bool, String> {
    let mut passed = true;
    for path in capsules {
        match check_one(path, tolerance) {
            Ok((line, ok)) => {
                print(&line)?;
                passed &= ok;
            }
            Err(message) => {
                complain(&message);
                passed = false;
            }
        }
    }
    Ok(passed)
}

fn check_one(path: &Path, tolerance: Option<f32>) -> Result<(String, bool), String> {
    let file = path.display().to_string();
    let capsule =
        Capsule::from_json(&files::read_text(path, Most::CAPSULE)?).map_err(|error| format!("{file}: {error}"))?;
    let document = Document::from_preset(&capsule.preset).map_err(|error| format!("{file}: preset: {error}"))?;
    let changes = capsule.check(ground_of(document.terrain)).map_err(|error| format!("{file}: rig: {error}"))?;
    Ok(diff::verdict(&capsule, &file, &changes, tolerance))
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
        run: args.run,
        log: args.log,
        listen: args.listen,
        body: args.body,
    })
}
