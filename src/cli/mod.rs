mod arguments;
mod chain;
mod comparing;
mod input;
pub mod inspect;
mod output;
mod report;
mod send;
mod solving;
pub(crate) mod table;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::shell::window;
use crate::system::files;
use crate::system::files::{SizeLimit, one_line};
use arguments::{Cli, Command, Form, WindowArgs};
use chain::solve_chain;
use comparing::{check_answers, check_capsules, diff_traces, write_cases};
use input::{ModelInUnit, load};
use kinescope_ik::csharp;
use kinescope_ik::error::Fault;
use kinescope_ik::preset::Preset;
use output::{complain, exit, print};
use send::send;
use solving::{BakeLength, bake, record, solve, trace};

pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            use std::io::Write;
            let text: Vec<String> = error.render().to_string().lines().map(one_line).collect();
            let _ = writeln!(std::io::stderr(), "{}", text.join("\n"));
            return ExitCode::from(2);
        }
        // clap returns the texts of `--help` and `--version` as errors.
        Err(error) => return exit(print(&error.render().to_string()).map(|()| true)),
    };
    files::clean_up();
    let done = match cli.command {
        Some(Command::Inspect { model, unit, json }) => inspect_model((model.as_deref(), unit.unit), json),
        Some(Command::Solve { input, out }) => solve(&input, &out),
        Some(Command::Trace { input, out }) => trace(&input, out.as_deref()),
        Some(Command::Bake { model, unit, preset, motion, clip, out, fps, cycles, path, no_root_motion }) => {
            let length = match (path, cycles) {
                (true, _) => BakeLength::Path,
                (false, cycles) => BakeLength::Cycles(cycles.unwrap_or(1)),
            };
            let files = ((model.as_deref(), unit.unit), preset.as_deref(), motion.as_deref());
            bake(files, &clip, &out, (fps, length, !no_root_motion))
        }
        Some(Command::Record { model, unit, preset, clip, out, fps }) => {
            record((model.as_deref(), unit.unit), preset.as_deref(), &clip, &out, fps)
        }
        Some(Command::Send { recording, to, speed }) => send(&recording, &to, speed),
        Some(Command::Preset { file, form }) => print_preset(&file, form),
        Some(Command::Chain { input, out }) => solve_chain(&input, out.as_deref()),
        Some(Command::Diff { a, b, tolerance }) => return exit(diff_traces(&a, b.as_deref(), tolerance)),
        Some(Command::Conformance { out: Some(folder), .. }) => write_cases(&folder),
        // clap requires either `--out` or `--check`.
        Some(Command::Conformance { check, lacks, .. }) => {
            return exit(check_answers(&check.unwrap_or_default(), &lacks));
        }
        Some(Command::Check { capsules, tolerance }) => return exit(check_capsules(&capsules, tolerance)),
        None => open_window(cli.window),
    };
    exit(done.map(|()| true))
}

fn inspect_model(model: ModelInUnit, json: bool) -> Result<(), String> {
    let character = load(model)?;
    print(&if json { inspect::json(&character) } else { inspect::text(&character) })
}

fn print_preset(path: &Path, form: Form) -> Result<(), String> {
    let say = |fault: Fault| format!("{}: {fault}", path.display());
    let text = files::read_text(path, SizeLimit::PRESET)?;
    let preset = match csharp::is_csharp(&text) {
        true => {
            let mut preset = Preset::default();
            for skipped in csharp::from_csharp(&text, &mut preset.settings).map_err(say)? {
                complain(&format!("warning: {}", say(skipped)));
            }
            preset
        }
        false => Preset::from_json(&text).map_err(say)?,
    };
    print(&match form {
        Form::Csharp => csharp::to_csharp(&preset.settings),
        Form::Json => preset.to_json(),
    })
}

fn open_window(args: WindowArgs) -> Result<(), String> {
    window::run(window::Options {
        model: args.model,
        unit: args.unit.unit,
        preset: args.preset,
        scene: args.scene,
        lesson: args.lesson,
        clip: args.clip,
        size: args.size,
        screenshot: args.screenshot,
        frames: args.frames,
        run: args.run,
        log: args.log,
        listen: args.listen,
        body: args.body,
        failure: None,
    })
}
