//! Opens models, motion files and body meshes in background jobs, because reading a file and detecting its biped may
//! take seconds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::files::OpenedPreset;
use super::{Action, Dialog, Pending, Session};
use crate::character::Character;
use crate::character::motion_file::{MotionSource, RetargetedMotion};
use crate::character::roles::Roles;
use crate::scenes::Scene;
use crate::session::autosave::Recovered;
use crate::session::words as text;
use crate::system::IS_PAGE;
use crate::system::clock::Instant;
use crate::system::files;
use crate::system::jobs::{Job, Outcome, Report};
use crate::system::threads;
use crate::tools::motion::file;
use crate::world::document::Document;
use kinescope_ik::rig::detect::{Mapping, ReferenceChoice};
use kinescope_ik::rig::{LengthUnit, Skeleton};
use kinescope_ik::slices::pause;

/// Seconds after which the window shows that a model is being opened. Most models open sooner. In a browser, a slice of
/// opening may block the window, so the message has to be drawn before.
const MENTIONED_AFTER: f32 = if IS_PAGE { 0.0 } else { 0.3 };

pub(crate) struct Opening {
    path: PathBuf,
    then: OpenPurpose,
    /// The document's revision when opening started. Another revision at the end shows that the user has edited
    /// meanwhile.
    revision: u64,
    age: f32,
    job: Job<Read>,
}

type Read = Result<Contents, String>;

enum Contents {
    Character(Box<Character>),
    /// Clips for the character of the session, or one line that says why the file has none.
    Motion(Box<Result<RetargetedMotion, String>>),
}

impl From<Character> for Contents {
    fn from(character: Character) -> Self {
        Self::Character(Box::new(character))
    }
}

struct MotionTarget {
    character: Character,
    path: f32,
}

/// The part of the progress that loading a motion file takes. Retargeting its clips takes the rest.
const LOADED: f32 = 0.5;

pub(crate) struct Opened {
    character: Box<Character>,
    then: OpenPurpose,
}

enum OpenPurpose {
    Show,
    Start(Start),
    Preset {
        opened: Box<OpenedPreset>,
        /// The rest of the command line, if the preset is named there.
        start: Option<Start>,
    },
    Recover(Box<Recovered>),
    /// Shows the model, unless the file has only clips and the character is a biped: then the clips move the character.
    Dropped,
    /// The file's clips move the character. True for a file that the user added, false for that of the document.
    Motion(bool),
    Body(BodyOf),
}

pub(crate) struct BodyOf {
    pub(crate) skeleton: Arc<Skeleton>,
}

/// Requests of the command line besides the model.
#[derive(Clone, Default)]
pub struct Start {
    pub scene: Option<&'static Scene>,
    pub preset: Option<PathBuf>,
    pub clip: Option<String>,
    /// Whether the preset is opened on the character shown, whatever model it names.
    pub keeps_character: bool,
    /// The unit of the model's lengths, for formats that do not state it.
    pub unit: Option<LengthUnit>,
    /// Whether opening the model shows no notice about its bones or doubtful roles, as for screenshots.
    pub is_silent: bool,
}

/// Loads a model in slices, with `roles` instead of the default mapping if there are any. Always returns `Some`.
async fn load(
    path: PathBuf,
    unit: Option<LengthUnit>,
    report: Report,
    roles: Option<(Mapping, ReferenceChoice)>,
) -> Option<Read> {
    // Dropping the job cancels opening at the next pause, or at the next report within the read of an FBX or BVH file.
    Some(load_character(&path, unit, &mut |done| report.done(done), roles).await.map(Contents::from))
}

async fn load_character(
    path: &Path,
    unit: Option<LengthUnit>,
    progress: &mut dyn FnMut(f32) -> bool,
    roles: Option<(Mapping, ReferenceChoice)>,
) -> Result<Character, String> {
    let mut character = Character::load_in_slices(path, unit, progress).await?;
    if let Some(roles) = roles {
        pause().await;
        remap(&mut character, roles).await;
    }
    Ok(character)
}

/// Loads a file in slices, and retargets its clips if `is_motion` returns true for it and there is a target.
async fn load_motion(
    path: PathBuf,
    report: Report,
    roles: Option<(Mapping, ReferenceChoice)>,
    target: Option<MotionTarget>,
    is_motion: fn(&Character) -> bool,
) -> Option<Read> {
    let character = match load_character(&path, None, &mut |done| report.done(done * LOADED), roles).await {
        Ok(character) => character,
        Err(error) => return Some(Err(error)),
    };
    let Some(target) = target.filter(|_| is_motion(&character)) else { return Some(Ok(character.into())) };
    let mut progress = |done: f32| {
        report.done(LOADED + (1.0 - LOADED) * done);
    };
    let motion = match MotionSource::of(&character) {
        Ok(source) => {
            let source = Arc::new(source);
            Ok(RetargetedMotion::make_in_slices(source, &target.character, target.path, &mut progress).await)
        }
        Err(error) => Err(error),
    };
    Some(Ok(Contents::Motion(Box::new(motion))))
}

async fn remap(character: &mut Character, (mapping, reference): (Mapping, ReferenceChoice)) {
    if character.needs_roles(&mapping, reference) {
        let roles = Roles::find_in_slices(&character.model, &mapping, reference, &mut |_| {}).await;
        character.take_roles(roles);
    }
}

/// Reads a file whose clips move the character. `is_added` is true for a file that the user added, whose roles are
/// detected. The document's own file gets the document's roles.
pub(crate) fn open_motion(session: &mut Session, path: &Path, is_added: bool) {
    let mapping = session.world.history.document().motion_file.mapping();
    let roles = (!is_added).then_some((mapping, ReferenceChoice::Auto));
    let target = Some(motion_target(session));
    let read = move |path, report| load_motion(path, report, roles, target, |_| true);
    session.begin_opening(path, OpenPurpose::Motion(is_added), read);
}

fn motion_target(session: &Session) -> MotionTarget {
    let path = session.world.history.document().stack.order.retarget.path;
    MotionTarget { character: session.world.character.copy(), path }
}

pub(crate) fn open_dropped(session: &mut Session, path: &Path) {
    let target = session.world.character.detection.biped.is_some().then(|| motion_target(session));
    let read = |path, report| load_motion(path, report, None, target, file::has_only_clips);
    session.begin_opening(path, OpenPurpose::Dropped, read);
}

/// Opens a model whose lengths are in `unit`, if its format does not state the unit. `None` guesses it.
pub(crate) fn open_in_unit(session: &mut Session, path: &Path, unit: Option<LengthUnit>) {
    session.begin_opening(path, OpenPurpose::Show, move |path, report| load(path, unit, report, None));
}

impl Session {
    pub(crate) fn open_model(&mut self, path: &Path) {
        open_in_unit(self, path, None);
    }

    pub fn open_model_with(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<Character, String> + Send + 'static,
    ) {
        self.begin_opening(path, OpenPurpose::Show, |path, _| async move { Some(read(&path).map(Contents::from)) });
    }

    pub fn open_model_and_start(&mut self, path: &Path, start: Start) {
        let unit = start.unit;
        self.begin_opening(path, OpenPurpose::Start(start), move |path, report| load(path, unit, report, None));
    }

    pub(crate) fn open_model_of_preset(&mut self, path: &Path, opened: OpenedPreset) {
        let roles = opened.roles();
        let then = OpenPurpose::Preset { opened: Box::new(opened), start: None };
        self.begin_opening(path, then, |path, report| load(path, None, report, Some(roles)));
    }

    pub(crate) fn open_preset_with_roles(&mut self, opened: OpenedPreset) {
        let (roles, mut character, path) = (opened.roles(), self.world.character.copy(), opened.path().to_owned());
        let then = OpenPurpose::Preset { opened: Box::new(opened), start: None };
        self.begin_opening(&path, then, |_, _| async move {
            remap(&mut character, roles).await;
            Some(Ok(character.into()))
        });
    }

    pub(crate) fn open_model_of(&mut self, path: &Path, recovered: Recovered) {
        let roles = (recovered.document.mapping.clone(), recovered.document.reference);
        let then = OpenPurpose::Recover(Box::new(recovered));
        self.begin_opening(path, then, |path, report| load(path, None, report, Some(roles)));
    }

    pub(crate) fn open_body_with(
        &mut self,
        path: &Path,
        of: BodyOf,
        read: impl FnOnce(&Path) -> Result<Character, String> + Send + 'static,
    ) {
        self.begin_opening(path, OpenPurpose::Body(of), |path, _| async move { Some(read(&path).map(Contents::from)) });
    }

    fn begin_opening<F: Future<Output = Option<Read>> + 'static>(
        &mut self,
        path: &Path,
        then: OpenPurpose,
        read: impl FnOnce(PathBuf, Report) -> F + Send + 'static,
    ) {
        self.stop_opening();
        let own = path.to_owned();
        match Job::start(move |report| read(own, report)) {
            Ok(job) => {
                let (path, revision) = (path.to_owned(), self.world.history.revision());
                self.files.opening = Some(Opening { path, then, revision, age: 0.0, job });
            }
            Err(error) => {
                self.keep_for_later(then);
                self.fail(format!("{}: {error}", path.display()));
            }
        }
    }

    /// Returns name and progress of the file that is being opened. Returns `None` for a model until opening has taken
    /// [`MENTIONED_AFTER`]. The progress, from 0 to 1, is `None` for a model until its first part is done.
    pub fn opening(&self) -> Option<(String, Option<f32>)> {
        let model = self.files.opening.as_ref().filter(|opening| opening.age >= MENTIONED_AFTER);
        let recording = self.tools.games.opening.as_ref();
        let model = model.map(|opening| {
            let done = opening.job.progress();
            (files::name_of(&opening.path), Some(done).filter(|done| *done > 0.0))
        });
        model.or_else(|| recording.map(|opening| (files::name_of(&opening.path), Some(opening.job.progress()))))
    }

    pub fn is_opening_model(&self) -> bool {
        self.files.opening.is_some()
    }

    pub(crate) fn cancel_opening(&mut self) {
        let model = take_opening(self);
        let recording = self.tools.games.opening.take().map(|opening| opening.path);
        if let Some(path) = model.or(recording) {
            self.notify(text::cancelled_opening(&files::name_of(&path)));
        }
    }

    pub(crate) fn stop_opening(&mut self) {
        if let Some(opening) = self.files.opening.take() {
            if let OpenPurpose::Body(_) = opening.then {
                self.mention(text::stopped_opening(&files::name_of(&opening.path)));
            }
            self.keep_for_later(opening.then);
        }
    }

    /// Keeps recovered work whose character was not opened, so that the next start offers it again.
    fn keep_for_later(&mut self, then: OpenPurpose) {
        match then {
            OpenPurpose::Recover(recovered) => self.files.recovered = Some(*recovered),
            OpenPurpose::Show
            | OpenPurpose::Dropped
            | OpenPurpose::Motion(_)
            | OpenPurpose::Start(_)
            | OpenPurpose::Preset { .. }
            | OpenPurpose::Body(_) => {}
        }
    }

    pub(crate) fn update_opening_model(&mut self, dt: f32) -> bool {
        let Some(opening) = &mut self.files.opening else { return false };
        opening.age += dt;
        if let Some(Err(error)) = self.finish_opening() {
            self.fail(error);
        }
        true
    }

    /// Waits until no model is being opened any more, or `longest` has passed. Returns the error of a file that fails
    /// to open, except of a preset's model: then a dialog asks for another model.
    pub fn wait_for_model(&mut self, longest: Duration) -> Result<(), String> {
        let begun = Instant::now();
        while self.files.opening.is_some() && begun.elapsed() < longest {
            match self.finish_opening() {
                Some(done) => done?,
                None => threads::sleep(Duration::from_millis(2)),
            }
        }
        Ok(())
    }

    /// Finishes opening if the model is loaded. Returns `None` while it is being read, and if none is being opened.
    fn finish_opening(&mut self) -> Option<Result<(), String>> {
        let read = match self.files.opening.as_ref()?.job.poll() {
            Outcome::Running => return None,
            Outcome::Done(read) => Some(read),
            Outcome::Nothing => None,
        };
        let Opening { path, then, revision, .. } = self.files.opening.take()?;
        let stopped = || {
            let path = path.display();
            Err(text::reading_stopped(&path))
        };
        let contents = match read.unwrap_or_else(stopped) {
            Ok(contents) => contents,
            Err(error) => return Some(self.opening_failed(then, error)),
        };
        // The handle that the user drags belongs to the previous character.
        if !matches!(then, OpenPurpose::Body(_)) {
            self.release();
        }
        let character = match contents {
            Contents::Character(character) => *character,
            Contents::Motion(motion) => return Some(take_motion(self, then, *motion)),
        };
        let is_edited = self.world.history.is_unsaved() && self.world.history.revision() != revision;
        match then {
            OpenPurpose::Show | OpenPurpose::Dropped | OpenPurpose::Motion(_) => {
                self.files.recent.add_model(&path);
                self.take_opened(character);
                Some(Ok(()))
            }
            OpenPurpose::Start(start) => {
                self.take(character);
                if !start.is_silent {
                    self.report_character();
                }
                Some(self.start(start))
            }
            OpenPurpose::Preset { .. } | OpenPurpose::Recover(_) if is_edited => {
                self.files.opened = Some(Opened { character: Box::new(character), then });
                self.unless_unsaved(Pending::ShowOpened);
                Some(Ok(()))
            }
            OpenPurpose::Preset { opened, start } => Some(self.show_opened_preset(character, *opened, start)),
            OpenPurpose::Recover(recovered) => {
                self.finish_recovery(character, *recovered);
                Some(Ok(()))
            }
            OpenPurpose::Body(of) => Some(self.take_body(character, &of)),
        }
    }

    fn opening_failed(&mut self, then: OpenPurpose, error: String) -> Result<(), String> {
        match then {
            OpenPurpose::Motion(false) => Err(file::missing(self, error)),
            OpenPurpose::Show
            | OpenPurpose::Dropped
            | OpenPurpose::Motion(true)
            | OpenPurpose::Start(_)
            | OpenPurpose::Body(_) => Err(error),
            OpenPurpose::Preset { opened, start: _ } => {
                self.ask_for_model(*opened, error);
                Ok(())
            }
            OpenPurpose::Recover(recovered) => {
                self.files.recovered = Some(*recovered);
                Err(text::recovery_kept(&error))
            }
        }
    }

    pub(crate) fn show_opened(&mut self) {
        let Some(Opened { character, then }) = self.files.opened.take() else { return };
        match then {
            OpenPurpose::Show | OpenPurpose::Dropped | OpenPurpose::Motion(_) | OpenPurpose::Start(_) => {
                self.take_opened(*character);
            }
            OpenPurpose::Preset { opened, start } => {
                if let Err(error) = self.show_opened_preset(*character, *opened, start) {
                    self.fail(error);
                }
            }
            OpenPurpose::Recover(recovered) => self.finish_recovery(*character, *recovered),
            OpenPurpose::Body(of) => {
                if let Err(error) = self.take_body(*character, &of) {
                    self.fail(error);
                }
            }
        }
    }

    pub(crate) fn refuse_opened(&mut self) {
        if let Some(opened) = self.files.opened.take() {
            self.keep_for_later(opened.then);
        }
    }

    fn show_opened_preset(
        &mut self,
        character: Character,
        opened: OpenedPreset,
        start: Option<Start>,
    ) -> Result<(), String> {
        self.show_preset(opened, Some(character));
        match start {
            Some(start) => self.preset_started().and_then(|()| self.start_clip(start.clip, start.scene.is_some())),
            None => Ok(()),
        }
    }

    /// Carries out the command line's requests besides the model. Asks before a scene or preset replaces edits that the
    /// user has made meanwhile.
    pub fn start(&mut self, start: Start) -> Result<(), String> {
        let is_edited = self.world.history.is_unsaved();
        match (start.scene, &start.preset) {
            (Some(scene), None) if is_edited => self.unless_unsaved(Pending::Scene(scene.name)),
            (Some(_), Some(_)) if is_edited => {}
            // The named clip replaces those of the scene, so clips that the character lacks do not matter.
            (Some(scene), _) if start.clip.is_some() => self.start_scene(scene),
            (Some(scene), _) => self.start_scene_or_ask(scene),
            (None, _) => {}
        }
        match start.preset.clone() {
            Some(path) if is_edited => self.unless_unsaved(Pending::OpenPreset(Some(path))),
            Some(path) => {
                self.window.notice = None;
                match start.keeps_character {
                    true => self.open_preset_as_shown(path),
                    false => self.open_preset(path),
                }
                // The rest follows once the preset's model is loaded.
                if let Some(Opening { then: OpenPurpose::Preset { start: rest, .. }, .. }) = &mut self.files.opening {
                    *rest = Some(start);
                    return Ok(());
                }
                self.preset_started()?;
            }
            None => {}
        }
        self.start_clip(start.clip, start.scene.is_some())
    }

    /// Takes the error notice of the command line's preset and returns its text as an error. A difference of the
    /// character is not an error.
    fn preset_started(&mut self) -> Result<(), String> {
        match self.files.difference {
            Some(_) => Ok(()),
            None => {
                self.window.notice.take().filter(|notice| notice.is_error).map_or(Ok(()), |notice| Err(notice.text))
            }
        }
    }

    fn start_clip(&mut self, clip: Option<String>, in_scene: bool) -> Result<(), String> {
        // While the dialog asks for the preset's model, no clip plays, because the character shown may lack the clip.
        let is_asked = matches!(self.window.dialog, Some(Dialog::ModelOfPreset { .. }));
        let Some(name) = clip.filter(|_| !is_asked) else { return Ok(()) };
        let (clip, is_edited) = (self.world.character.find_clip(&name)?, self.world.history.is_unsaved());
        match in_scene {
            true => self.set_clip(Some(clip)),
            false => self.apply(Action::Clip(Some(clip))),
        }
        if !is_edited {
            self.world.history.mark_saved();
        }
        Ok(())
    }

    pub(crate) fn finish_recovery(&mut self, character: Character, recovered: Recovered) {
        let (mapping, reference) = character.mapped().clone();
        self.take_bones(character, Document { mapping, reference, ..Document::default() });
        let body = recovered.origin.body.clone();
        self.restore_recovered(recovered);
        if let Some(path) = body.filter(|_| self.world.character.is_of_bones()) {
            self.choose_body(&path);
        }
    }
}

fn take_opening(session: &mut Session) -> Option<PathBuf> {
    let Opening { path, then, .. } = session.files.opening.take()?;
    session.keep_for_later(then);
    Some(path)
}

/// Cancels opening the file that [`Session::opening`] names. Other work continues.
pub(crate) fn cancel_shown(session: &mut Session) {
    let is_model = session.files.opening.as_ref().is_some_and(|opening| opening.age >= MENTIONED_AFTER);
    let path = match is_model {
        true => take_opening(session),
        false => session.tools.games.opening.take().map(|opening| opening.path),
    };
    if let Some(path) = path {
        session.notify(text::cancelled_opening(&files::name_of(&path)));
    }
}

fn take_motion(
    session: &mut Session,
    then: OpenPurpose,
    motion: Result<RetargetedMotion, String>,
) -> Result<(), String> {
    match (then, motion) {
        (OpenPurpose::Motion(false), Ok(motion)) => file::found(session, motion),
        (OpenPurpose::Motion(false), Err(error)) => Err(file::missing(session, error)),
        (_, motion) => file::take(session, motion?),
    }
}
