//! Links: the pose, instant and camera shown, as text that opens in another window.

pub(crate) mod session;
pub(crate) mod words;

use crate::character::motion_file::MotionReference;
use crate::character::preset_model::{PresetModel, skeleton_hash};
use crate::session::files::preset_of;
use crate::session::headless::Headless;
use crate::session::{Session, View};
use crate::world::crowd::CrowdSection;
use crate::world::document::{ClipSection, Document};
use crate::world::motion::MotionSection;
use kinescope_ik::preset::Preset;
use kinescope_ik::share::{self, Shared};

/// The part before `#c=` of links that the desktop program copies. A page uses its own address instead.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const SCHEME: &str = "kinescope:";

pub(crate) fn address() -> String {
    #[cfg(target_arch = "wasm32")]
    return crate::system::page::address();
    #[cfg(not(target_arch = "wasm32"))]
    SCHEME.to_owned()
}

/// Returns the content of a link: a preset if the character is built in and the preset gives the frame shown, else a
/// capsule of that frame.
pub(crate) fn shared(session: &Session) -> Option<Shared> {
    let preset = preset(session).filter(|(document, _)| gives_frame(session, document));
    match preset {
        Some((_, preset)) => Some(Shared::Preset(preset.into())),
        None => session.capsule("", 1).map(|capsule| Shared::Capsule(capsule.into())),
    }
}

fn preset(session: &Session) -> Option<(Document, Preset)> {
    let built_in = session.world.character.built_in_kind()?;
    let now = session.world.history.document();
    let time = if now.clip.name.is_some() { session.world.clip_time() } else { 0.0 };
    let clip = ClipSection { time, ..now.clip.clone() };
    // A link cannot carry the motion file.
    let motion_file = MotionReference::default();
    let document = Document { stack: session.world.stack().clone(), clip, motion_file, ..now.clone() };
    let skeleton = Some(skeleton_hash(&session.world.character.model.skeleton));
    let model = PresetModel { path: None, name: built_in.name().to_owned(), skeleton };
    let mut preset = preset_of(session, &document, model);
    shorten(&mut preset);
    Some((document, preset))
}

/// Returns whether a new solve of the document ends in the pose shown. Always returns true while live. The pose of a paused
/// frame may depend on earlier frames, which a link lacks.
fn gives_frame(session: &Session, document: &Document) -> bool {
    if !session.world.time.is_paused() {
        return true;
    }
    let solved =
        Headless::new(session.world.character.copy(), document.clone()).and_then(|mut headless| headless.solve());
    solved.is_ok_and(|pose| pose.bones == session.world.solved.pose)
}

/// Removes the fields of the program's sections that are at their defaults, to make the link shorter.
fn shorten(preset: &mut Preset) {
    share::shorten_section::<MotionSection>(preset, "motion");
    share::shorten_section::<CrowdSection>(preset, "crowd");
    share::shorten_section::<ClipSection>(preset, "clip");
    // The section of the view also has the instant and the selection. They stay, because [`View`] has no defaults for them.
    if let Some(view) = preset.sections.get_mut("view") {
        share::remove_defaults(view, &View::default());
    }
}
