use std::path::{Path, PathBuf};

use super::input::{each_line, is_recording, load_trace};
use super::output::{complain, print};
use super::report::{self, RecordingReport};
use crate::system::files;
use crate::system::files::SizeLimit;
use crate::tools::capsule::ground_of;
use crate::tools::compare::kit::{Answer, kit_report};
use crate::world::document::Document;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::conformance::{self, Case, Feature};
use kinescope_ik::game_recording;
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::{default_tolerance, diff};

fn diff_recording(path: &Path, tolerance: Option<f32>) -> Result<bool, String> {
    let say = |problem: String| format!("{}: {problem}", path.display());
    let mut found = RecordingReport::default();
    each_line(path, |_, line, reader| {
        let Some(game_recording::Line::Frame(frame)) = line else { return Ok(()) };
        let Some(character) = reader.character(frame.character) else { return Ok(()) };
        let line = found.frame(&frame, character, tolerance).map_err(say)?;
        line.map_or(Ok(()), |line| print(&line))
    })?;
    print(&found.summary().map_err(say)?)?;
    Ok(!found.differs())
}

/// Without `b`, compares `a` with Kinescope's own solve. `tolerance` is in model units. Returns true if nothing
/// differs.
pub(super) fn diff_traces(a: &Path, b: Option<&Path>, tolerance: Option<f32>) -> Result<bool, String> {
    if is_recording(a) {
        return match b {
            None => diff_recording(a, tolerance),
            Some(b) => Err(format!(
                "{}: a recording is compared with Kinescope's own solves. Remove this argument",
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
    print(&report::report(&found, &first, &second, [&a.display().to_string(), &name]))?;
    Ok(found.is_same())
}

pub(super) fn write_cases(folder: &Path) -> Result<(), String> {
    let cases = conformance::cases().map_err(|fault| fault.to_string())?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let index: String = cases.iter().map(|case| format!("{}  {}\n", case.name, case.about)).collect();
    let traces = cases.iter().map(|case| (format!("{}.json", case.name), "case", case.trace.to_json()));
    let all: Vec<_> = traces.chain([("cases.txt".to_owned(), "list of cases", index.clone())]).collect();
    // A port's results have the same names, and the user may have added notes to the list, so a file with other content
    // is not overwritten.
    for (name, what, text) in &all {
        let path = folder.join(name);
        // `files::read` refuses a pipe of that name instead of waiting for it.
        if path.exists() && files::read(&path, SizeLimit::TRACE).ok().as_deref() != Some(text.as_bytes()) {
            let message =
                format!("already exists with other content than the kit's {what}. Write the kit to another folder");
            return Err(format!("{}: {message}", path.display()));
        }
    }
    for (name, _, text) in &all {
        files::write(&folder.join(name), text.as_bytes())?;
    }
    print(&format!("{index}{} cases in {}\n", cases.len(), folder.display()))
}

/// Skips cases that use a feature of `lacks`. Returns whether every other case has a readable result that agrees.
pub(super) fn check_answers(folder: &Path, lacks: &[Feature]) -> Result<bool, String> {
    if !folder.is_dir() {
        return Err(format!(
            "{}: is not a folder. Name the folder with the port's trace for each case",
            folder.display()
        ));
    }
    let cases = conformance::cases().map_err(|fault| fault.to_string())?;
    let answer = |case: &Case| {
        let path = folder.join(format!("{}.json", case.name));
        match path.exists() {
            false => Answer::Missing,
            true => load_trace(&path).map_or_else(Answer::Broken, |trace| Answer::Read(Box::new(trace))),
        }
    };
    let (text, agrees) = kit_report(&cases, lacks, answer);
    print(&text)?;
    Ok(agrees)
}

/// Returns whether every capsule is valid and passes. `tolerance` is in model units.
pub(super) fn check_capsules(capsules: &[PathBuf], tolerance: Option<f32>) -> Result<bool, String> {
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
        Capsule::from_json(&files::read_text(path, SizeLimit::CAPSULE)?).map_err(|error| format!("{file}: {error}"))?;
    let document = Document::from_preset(&capsule.preset).map_err(|error| format!("{file}: preset: {error}"))?;
    let changes = capsule.check(ground_of(document.terrain)).map_err(|error| format!("{file}: rig: {error}"))?;
    Ok(report::verdict(&capsule, &file, &changes, tolerance))
}
