use std::path::Path;

use super::arguments::SolveArgs;
use super::input::{ModelInUnit, add_motion, check, load_with_preset, prepare};
use super::output::{complain, print};
use super::table;
use crate::character::Character;
use crate::session;
use crate::session::headless::{Headless, path_time};
use crate::system::files;
use crate::tools::export;
use crate::world::document::ClipSection;
use crate::world::motion::clip_player::BakeRange;
use kinescope_ik::trace::Trace;

pub(super) fn solve(input: &SolveArgs, out: &Path) -> Result<(), String> {
    let mut frame = prepare(input)?;
    check(&frame, input.preset.as_deref(), Some(out), false)?;
    let pose = frame.solve()?;
    write(&frame.character, out, &export::pose(&frame.character, &pose, out)?)
}

pub(super) fn write(character: &Character, out: &Path, written: &export::Written) -> Result<(), String> {
    files::write(out, &written.bytes)?;
    for note in &written.copied {
        complain(&format!("warning: {}: {note}; {} contains a copy of it", character.model.name, out.display()));
    }
    if let Some(lost) = written.lost() {
        complain(&format!("warning: {}: {lost}", character.model.name));
    }
    Ok(())
}

pub(super) fn trace(input: &SolveArgs, out: Option<&Path>) -> Result<(), String> {
    let frame = prepare(input)?;
    check(&frame, input.preset.as_deref(), out, false)?;
    let (character, run) = (&frame.character, frame.full_body("trace")?);
    warn_of_layers(&frame, "a trace");
    // The trace starts from the pose that the full body received, which earlier layers may have changed.
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

/// Warns if the stack has chains or modifiers that are on, because the output, named `what`, has only the solve of the
/// full body.
fn warn_of_layers(headless: &Headless, what: &str) {
    let stack = &headless.document.stack;
    if stack.chain_ik.chains.iter().any(|chain| !chain.off) {
        complain(&format!("warning: chain_ik.chains: {what} contains only the full body, not the chains"));
    }
    if stack.modifiers.iter().any(|modifier| modifier.is_on()) {
        complain(&format!(
            "warning: modifiers: {what} contains only the full body, not what modifiers change during and after its solve",
        ));
    }
}

pub(super) fn record(
    model: ModelInUnit,
    preset: Option<&Path>,
    clip: &str,
    out: &Path,
    fps: f32,
) -> Result<(), String> {
    let (character, mut document) = load_with_preset(model, preset)?;
    document.clip = ClipSection { name: Some(clip.to_owned()), time: 0.0 };
    let mut headless = Headless::new(character, document)?;
    check(&headless, preset, Some(out), false)?;
    warn_of_layers(&headless, "a recording");
    files::write(out, headless.record_whole(fps)?.as_bytes())
}

#[derive(Clone, Copy)]
pub(super) enum BakeLength {
    Cycles(u32),
    Path,
}

pub(super) fn bake(
    (model, preset, motion): (ModelInUnit, Option<&Path>, Option<&Path>),
    clip: &str,
    out: &Path,
    (fps, length, root_motion): (f32, BakeLength, bool),
) -> Result<(), String> {
    let is_clip = |ending: &std::ffi::OsStr| ["glb", "bvh"].iter().any(|own| ending.eq_ignore_ascii_case(own));
    if !out.extension().is_some_and(is_clip) {
        let out = out.display();
        return Err(format!("{out}: baked clips are .glb or .bvh files. Choose a name that ends in .glb or .bvh"));
    }
    let (mut character, mut document) = load_with_preset(model, preset)?;
    let mut name = clip.to_owned();
    if let Some(motion) = motion {
        files::check_output(out, &[motion.to_owned()])?;
        name = add_motion(&mut character, &mut document, motion, clip)?;
    }
    document.clip = ClipSection { name: Some(name), time: 0.0 };
    let mut headless = Headless::new(character, document)?;
    // A .bvh file has bones only, and a .glb file keeps channels that move no bone.
    let keeps_others = out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
    check(&headless, preset, Some(out), keeps_others)?;
    let whole = headless.whole_clip(fps);
    let to = match length {
        BakeLength::Cycles(cycles) => whole.to * cycles as f32,
        BakeLength::Path => {
            path_time(&headless.document, &headless.character, headless.player.clip()).map_err(|error| {
                let preset = preset.map_or_else(|| "no preset".to_owned(), |preset| preset.display().to_string());
                format!("{preset}: motion: {error}")
            })?
        }
    };
    let baked = headless.bake(BakeRange { to, root_motion, ..whole })?;
    write(&headless.character, out, &export::clip(&headless.character, &baked, out)?)
}
