//! The motion file: clips of another file, retargeted to the character. The document names the file; the character has its
//! clips once it is read.

use std::path::Path;
use std::sync::Arc;

use crate::character::Character;
use crate::character::motion_file::{MotionReference, MotionSource};
use crate::session::opening;
use crate::session::{Action, Selection, Session};
use crate::tools::motion::words as text;
use crate::world::document::{ClipSection, Document};
use kinescope_ik::retarget::RetargetSettings;
use kinescope_ik::stack::LayerId;

/// The motion file that was read last, which undo and redo use again.
#[derive(Default)]
pub struct MotionFiles {
    known: Option<Arc<MotionSource>>,
    /// A file that could not be read, so that it is not read again in every frame.
    failed: Option<MotionReference>,
}

/// Reads a file, and adds its clips to the character.
pub(crate) fn add(session: &mut Session, path: &Path) {
    session.tools.motion_files = MotionFiles::default();
    opening::open_motion(session, path, true);
}

/// Returns whether a dropped file has only clips, and there is a character to move by them.
pub(crate) fn is_motion(session: &Session, dropped: &Character) -> bool {
    let model = &dropped.model;
    model.meshes.is_empty() && !model.clips.is_empty() && session.world.character.detection.biped.is_some()
}

/// Adds the clips of a file that the user chose, and plays the first.
///
/// # Errors
/// One line: the file has no clips, or roles are missing.
pub(crate) fn take(session: &mut Session, read: &Character) -> Result<(), String> {
    let source = Arc::new(MotionSource::of(read)?);
    put(session, &source)?;
    let first = session.world.character.motion.as_ref().map(|motion| motion.first());
    let mut document = session.world.history.document().clone();
    document.motion_file = source.reference.clone();
    document.stack.order.retarget.on = true;
    session.edit(text::EDIT_ADD_MOTION, None, document);
    session.choose_clip(first);
    session.apply(Action::Select(Selection::Layer(LayerId::Retarget)));
    let count = session.world.character.model.clips.len() - first.unwrap_or(0);
    session.notify(text::added_motion(&source.name(), &count));
    Ok(())
}

/// Adds the clips of the document's motion file, once it is read.
///
/// # Errors
/// As [`take`].
pub(crate) fn found(session: &mut Session, read: &Character) -> Result<(), String> {
    let source = MotionSource::of(read).and_then(|source| {
        let source = Arc::new(source);
        put(session, &source).map(|()| source)
    });
    match source {
        Ok(_) => session.follow_clip(),
        Err(error) => return Err(missing(session, error)),
    }
    Ok(())
}

/// Remembers that the document's motion file could not be read, and returns the message.
pub(crate) fn missing(session: &mut Session, error: String) -> String {
    session.tools.motion_files.failed = Some(session.world.history.document().motion_file.clone());
    text::no_motion_file(&error.trim_end_matches('.'))
}

/// Makes the clips of the character those of the document's motion file. Reads the file in the background.
pub(crate) fn follow(session: &mut Session) {
    let wanted = session.world.history.document().motion_file.clone();
    let current = session.world.character.motion.as_ref().map(|motion| &motion.source.reference);
    if current.map_or(wanted.is_none(), |current| current.is_same(&wanted)) {
        return;
    }
    if wanted.is_none() {
        session.world.character.remove_motion();
        clips_changed(session);
        return;
    }
    let files = &session.tools.motion_files;
    if files.failed.as_ref().is_some_and(|failed| failed.is_same(&wanted)) {
        return;
    }
    let known = files.known.clone().filter(|known| known.reference.is_same(&wanted)).map(Ok);
    let built_in = |of| Character::from_built_in(of).and_then(|read| MotionSource::of(&read)).map(Arc::new);
    match (known.or_else(|| wanted.built_in().map(built_in)), wanted.file()) {
        (Some(source), _) => {
            if let Err(error) = source.and_then(|source| put(session, &source)) {
                session.tools.motion_files.failed = Some(wanted);
                session.fail(error);
            }
        }
        (None, Some(path)) if !session.is_opening_model() => opening::open_motion(session, &path, false),
        (None, _) => {}
    }
}

/// Removes the motion file and its clips.
pub(crate) fn remove(session: &mut Session) {
    let first = session.world.character.motion.as_ref().map(|motion| motion.first());
    let is_own = session.world.clip.clip().zip(first).is_none_or(|(clip, first)| clip < first);
    let mut document = Document { motion_file: MotionReference::default(), ..session.world.history.document().clone() };
    document.stack.order.retarget = RetargetSettings::default();
    if !is_own {
        document.clip = ClipSection::default();
    }
    session.edit(text::EDIT_REMOVE_MOTION, None, document);
}

fn put(session: &mut Session, source: &Arc<MotionSource>) -> Result<(), String> {
    let added = session.world.character.add_motion(source.clone());
    clips_changed(session);
    session.tools.motion_files = MotionFiles { known: Some(source.clone()), failed: None };
    added
}

fn clips_changed(session: &mut Session) {
    let world = &mut session.world;
    world.motion.set_clips(&world.character);
    if world.clip.clip().is_some_and(|clip| clip >= world.character.model.clips.len()) {
        world.clip.set(None, 0.0);
        world.clip.named = None;
    }
    world.time.resample = true;
    world.time.needs_solve = true;
}
