use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::SolveArgs;
use super::output::complain;
use crate::character::Character;
use crate::character::motion_file::{MotionReference, MotionSource};
use crate::character::preset_model::{PresetModel, no_model};
use crate::session::headless::Headless;
use crate::system::files;
use crate::system::files::{Lines, SizeLimit};
use crate::world::document::{ClipSection, Document};
use crate::world::motion::{MotionSection, Travel};
use kinescope_ik::game_recording;
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::LengthUnit;
use kinescope_ik::rig::detect::ReferenceChoice;
use kinescope_ik::trace::Trace;

/// The path of a model, `None` for the mannequin, and the unit of its lengths if the command line names one.
pub(super) type ModelInUnit<'a> = (Option<&'a Path>, Option<LengthUnit>);

pub(super) fn load((model, unit): ModelInUnit) -> Result<Character, String> {
    match model {
        Some(path) => Character::load_in_unit(path, unit),
        None => Character::built_in(),
    }
}

/// Without `model`, the character is the preset's, or else the built-in mannequin. Warns if the preset is for another
/// skeleton.
pub(super) fn load_with_preset(model: ModelInUnit, preset: Option<&Path>) -> Result<(Character, Document), String> {
    let Some(path) = preset else { return Ok((load(model)?, Document::default())) };
    let preset = Preset::from_json(&files::read_text(path, SizeLimit::PRESET)?);
    let read = preset.and_then(|preset| Ok((Document::from_preset(&preset)?, PresetModel::of_preset(&preset)?)));
    let (mut document, own) = read.map_err(|error| format!("{}: {error}", path.display()))?;
    let mut character = match (model.0, &own) {
        (None, Some(own)) => own.load(path).map_err(|why| no_model(path, &why))?,
        (Some(_), _) | (None, None) => load(model)?,
    };
    if let Some(own) = own.filter(|own| !own.has_skeleton_of(&character)) {
        let difference = own.difference(&character, path).unwrap_or_default();
        complain(&format!("warning: {} {difference}", path.display()));
    }
    // The clip of section `clip` is not checked here, because the command may name another one. `Headless::new` checks
    // the clip that is used.
    let named = Document { clip: ClipSection::default(), ..document.clone() };
    if let (Some(missing), _) = named.missing(&character.model) {
        return Err(format!("{}: {missing} (the model is {})", path.display(), character.model.name));
    }
    document.motion_file = document.motion_file.found_from(path);
    let read = match document.motion_file.built_in() {
        Some(built_in) => Some(Character::from_built_in(built_in)),
        None => document.motion_file.file().map(|file| Character::load(&file)),
    };
    if let Some(read) = read {
        let source = read.and_then(|mut read| {
            read.remap(&document.motion_file.mapping(), ReferenceChoice::Auto);
            MotionSource::of(&read)
        });
        let added = source.and_then(|source| character.add_motion(Arc::new(source)));
        added.map_err(|why| format!("{}: motion_file: {why}", path.display()))?;
    }
    Ok((character, document))
}

/// Adds the clips of another file to the character, and turns on the retarget layer. Returns the name that the file's
/// clip `clip` gets among the clips of the character.
pub(super) fn add_motion(
    character: &mut Character,
    document: &mut Document,
    path: &Path,
    clip: &str,
) -> Result<String, String> {
    let source = MotionSource::of(&Character::load(path)?)?;
    let name = format!("{}: {clip}", source.name());
    source.find_clip(clip)?;
    character.add_motion(Arc::new(source))?;
    document.motion_file = MotionReference::to(path);
    document.stack.order.retarget.on = true;
    // If the preset does not set how the character moves, or there is no preset, the character moves as the clip does.
    if document.motion == MotionSection::default() {
        document.motion.travel = Travel::Clip;
    }
    Ok(name)
}

pub(super) fn prepare(input: &SolveArgs) -> Result<Headless, String> {
    let (character, mut document) =
        load_with_preset((input.model.as_deref(), input.unit.unit), input.preset.as_deref())?;
    if let Some(name) = &input.clip {
        document.clip.name = Some(name.clone());
        document.clip.time = input.time.unwrap_or(0.0);
    }
    if !document.clip.time.is_finite() {
        return Err(format!("--time: {} is not a finite number of seconds", document.clip.time));
    }
    Headless::new(character, document)
}

/// Rejects an output that is also an input. Warns about feet without a ground layer, and about channels of the clip that the
/// output lacks. With `whole`, the output keeps channels that move no bone, so these cause no warning.
pub(super) fn check(headless: &Headless, preset: Option<&Path>, out: Option<&Path>, whole: bool) -> Result<(), String> {
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
        complain(&format!(
            "warning: {model}: clip {:?}: channels that are missing in the output: {count}; the first: {first}",
            clip.name
        ));
    }
    Ok(())
}

pub(super) fn load_trace(path: &Path) -> Result<Trace, String> {
    Trace::from_json(&files::read_text(path, SizeLimit::TRACE)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Passes the text and the content of each line of a recording to `visit`, from the header on. The header and empty
/// lines have no content. Skips an incomplete line at the end with a warning, because a crash may have cut it off; an
/// incomplete header is an error.
pub(super) fn each_line(
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

/// Returns whether a file is a recording. Its first line, which may be incomplete, decides. If the file is empty or
/// cannot be read, its name decides.
pub(super) fn is_recording(path: &Path) -> bool {
    let Ok(Some((line, _))) = Lines::open(path).and_then(|mut lines| lines.next_line()) else {
        return files::is_recording(path);
    };
    match serde_json::from_str::<serde_json::Value>(&line) {
        Ok(header) => header["format"] == game_recording::FORMAT,
        Err(_) => line.contains(game_recording::FORMAT),
    }
}
