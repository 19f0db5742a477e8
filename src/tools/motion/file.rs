//! The motion file: clips of another file, retargeted to the character. The document names the file; the character has
//! the clips once the file is read.

use std::path::Path;
use std::sync::Arc;

use crate::character::Character;
use crate::character::motion_file::{MotionReference, MotionSource, RetargetedMotion};
use crate::session::opening;
use crate::session::{Action, Selection, Session};
use crate::system::jobs::{Job, Outcome};
use crate::tools::doctor::is_unsure;
use crate::tools::motion::words as text;
use crate::world::document::{ClipSection, Document};
use kinescope_ik::retarget::RetargetSettings;
use kinescope_ik::rig::detect::ReferenceChoice;
use kinescope_ik::stack::LayerId;

#[derive(Default)]
pub(crate) struct MotionFiles {
    /// The source that was read last, so that undo and redo need not read its file again.
    known: Option<Arc<MotionSource>>,
    /// The reference to a file that could not be used, so that it is not tried again in every frame.
    failed: Option<MotionReference>,
    /// The search for other roles after the user has changed one, and the reference that asks for them.
    finding: Option<(MotionReference, Job<Result<RetargetedMotion, String>>)>,
}

pub(crate) fn add(session: &mut Session, path: &Path) {
    session.tools.motion_files = MotionFiles::default();
    opening::open_motion(session, path, true);
}

pub(crate) fn has_only_clips(dropped: &Character) -> bool {
    dropped.model.meshes.is_empty() && !dropped.model.clips.is_empty()
}

pub(crate) fn take(session: &mut Session, motion: RetargetedMotion) -> Result<(), String> {
    let source = motion.source().clone();
    let added = put_retargeted(session, motion);
    let first = session.world.character.motion.as_ref().map_or(0, |motion| motion.first());
    let mut document = session.world.history.document().clone();
    document.motion_file = source.reference.clone();
    document.stack.order.retarget.on = true;
    session.edit(text::EDIT_ADD_MOTION, None, document);
    if added.is_ok() {
        session.choose_clip(Some(first));
    }
    session.apply(Action::Select(Selection::Layer(LayerId::Retarget)));
    added.map_err(|problem| text::missing_roles(&problem))?;
    report_added(session);
    Ok(())
}

fn report_added(session: &mut Session) {
    let Some(motion) = &session.world.character.motion else { return };
    let count = session.world.character.model.clips.len() - motion.first();
    let unsure = motion.source.detection.roles.iter().filter(|role| is_unsure(role)).count();
    let added = text::added_motion(&motion.source.name(), &count);
    let lacking = session.world.character.model.clips[motion.first()..].iter().find_map(|clip| clip.skipped.first());
    let message = if unsure > 0 { text::unsure_roles(&added, &unsure) } else { added };
    let message = match lacking {
        Some(channel) => text::channel_left_out(&message, channel),
        None => message,
    };
    session.notify(message);
}

pub(crate) fn found(session: &mut Session, motion: RetargetedMotion) -> Result<(), String> {
    put_retargeted(session, motion).map_err(|problem| text::missing_roles(&problem))?;
    session.follow_clip();
    Ok(())
}

pub(crate) fn missing(session: &mut Session, error: String) -> String {
    session.tools.motion_files.failed = Some(session.world.history.document().motion_file.clone());
    text::no_motion_file(&error.trim_end_matches('.'))
}

/// Adds or removes clips of the character so that they agree with the document's motion file and its roles. Reading a
/// file, and detecting the file's roles again, run in the background.
pub(crate) fn follow(session: &mut Session) {
    let wanted = session.world.history.document().motion_file.clone();
    let current = session.world.character.motion.as_ref().map(|motion| motion.source.clone());
    if current.as_ref().map_or(wanted.is_none(), |current| current.reference.is_same(&wanted)) {
        session.tools.motion_files.finding = None;
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
    if let Some(current) = current.filter(|current| current.reference.is_same_file(&wanted)) {
        return find_roles(session, current, wanted);
    }
    let known = files.known.clone().filter(|known| known.reference.is_same_file(&wanted)).map(Ok);
    let built_in = |of| {
        let mut read = Character::from_built_in(of)?;
        read.remap(&wanted.mapping(), ReferenceChoice::Auto);
        MotionSource::of(&read).map(Arc::new)
    };
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

/// Detects the other roles of the file again, after the user has changed one, and retargets its clips with the new
/// roles.
fn find_roles(session: &mut Session, source: Arc<MotionSource>, wanted: MotionReference) {
    let files = &mut session.tools.motion_files;
    if files.finding.as_ref().is_some_and(|(finding, _)| finding.is_same(&wanted)) {
        return;
    }
    let (reference, character) = (wanted.clone(), session.world.character.copy());
    let path = session.world.history.document().stack.order.retarget.path;
    match Job::start(move |_| async move { Some(with_roles(&source, reference, &character, path).await) }) {
        Ok(job) => files.finding = Some((wanted, job)),
        Err(error) => {
            files.failed = Some(wanted);
            session.fail(crate::tools::doctor::words::search_failed(&error));
        }
    }
}

async fn with_roles(
    source: &MotionSource,
    reference: MotionReference,
    character: &Character,
    path: f32,
) -> Result<RetargetedMotion, String> {
    let source = Arc::new(source.with_roles_of(reference).await?);
    Ok(RetargetedMotion::make_in_slices(source, character, path, &mut |_| {}).await)
}

pub(crate) fn is_finding_roles(session: &Session) -> bool {
    session.tools.motion_files.finding.is_some()
}

/// Takes the clips that the search for roles has retargeted, once it ends. Returns whether a search was running.
pub(crate) fn update_roles(session: &mut Session) -> bool {
    let Some((wanted, job)) = &session.tools.motion_files.finding else { return false };
    let found = match job.poll() {
        Outcome::Running => return true,
        Outcome::Done(found) => found,
        Outcome::Nothing => Err(crate::tools::doctor::words::SEARCH_STOPPED.to_owned()),
    };
    let (wanted, had_clips) = (wanted.clone(), has_clips(session));
    session.tools.motion_files.finding = None;
    match found {
        Ok(motion) => {
            let added = put_retargeted(session, motion);
            session.follow_clip();
            match added {
                Ok(()) if !had_clips => report_added(session),
                Ok(()) => {}
                Err(problem) => session.fail(text::missing_roles(&problem)),
            }
        }
        Err(error) => {
            session.tools.motion_files.failed = Some(wanted);
            session.fail(error);
        }
    }
    true
}

fn has_clips(session: &Session) -> bool {
    session.world.character.motion.as_ref().is_some_and(|motion| motion.problem().is_none())
}

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
    remember(session, source.clone());
    added
}

fn put_retargeted(session: &mut Session, motion: RetargetedMotion) -> Result<(), String> {
    let source = motion.source().clone();
    let added = session.world.character.take_motion(motion);
    remember(session, source);
    added
}

fn remember(session: &mut Session, source: Arc<MotionSource>) {
    clips_changed(session);
    session.tools.motion_files = MotionFiles { known: Some(source), ..MotionFiles::default() };
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
