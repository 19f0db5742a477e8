//! Autosave: stores unsaved work in the configuration folder, so that it survives a crash, a signal or a lost screen.
//! The next start offers to recover it.
//!
//! Each window writes three files to `autosave/`:
//! - `ID.json`: the document as a preset, with the files that it belongs to,
//! - `ID.capsule.json`: the newest frames of the tape as a bug capsule,
//! - `ID.lock`: locked while the window exists.
//!
//! A thread writes the document within half a second after a change, and the frames every 3 s at most. Both are removed
//! once everything is saved. Files whose lock is free belong to a window that did not close properly.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::character::BuiltIn;
use crate::picture::camera::Camera;
use crate::session::words as text;
use crate::session::{Session, View};
use crate::system::clock::Instant;
use crate::system::files::{self, Lock, SizeLimit};
use crate::system::text::counted;
use crate::system::{signals, threads};
use crate::tools::capsule::CapsuleSource;
use crate::world::document::Document;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::preset::Preset;

const FORMAT: &str = "kinescope-autosave";
/// Largest number of stored tape frames: two seconds at 60 frames per second.
pub(crate) const FRAMES: usize = 120;
/// Pause of the writer thread after each write.
const PAUSE: Duration = Duration::from_millis(400);
const FRAMES_PAUSE: Duration = Duration::from_secs(3);
/// Number of new frames after which the stored frames are written again if nothing else changes.
const STALE: u64 = 90;

#[derive(Clone)]
pub struct Unsaved {
    pub document: Document,
    pub camera: Camera,
    pub view: View,
    pub origin: Origin,
    pub source: CapsuleSource,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The character's file, or `None` for a built-in character or one that consists of bones only.
    pub model: Option<PathBuf>,
    #[serde(default)]
    pub built_in: BuiltIn,
    /// Whether the character consists of bones only, from a trace, capsule or recording. Its bones are stored with the
    /// frames.
    pub(crate) of_bones: bool,
    #[serde(default)]
    pub body: Option<PathBuf>,
    pub preset: Option<PathBuf>,
    /// Fingerprint of the preset's file when it was last read or written.
    pub(crate) on_disk: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Saved<P = Value> {
    format: String,
    origin: Origin,
    preset: P,
}

impl Unsaved {
    fn preset(&self) -> Preset {
        let mut preset = self.document.to_preset();
        for (name, value) in [("camera", serde_json::to_value(self.camera)), ("view", serde_json::to_value(self.view))]
        {
            if let Ok(value) = value {
                preset.sections.insert(name.to_owned(), value);
            }
        }
        preset
    }
}

#[derive(Clone, Debug)]
struct Place {
    folder: PathBuf,
    id: String,
}

impl Place {
    fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.id))
    }

    fn document(&self) -> PathBuf {
        self.path("json")
    }

    fn frames(&self) -> PathBuf {
        self.path("capsule.json")
    }

    fn lock(&self) -> PathBuf {
        self.path("lock")
    }

    fn remove(&self) {
        for path in [self.document(), self.frames()] {
            files::remove(&path);
        }
    }
}

pub struct Keeper {
    shared: Arc<Shared>,
    _lock: Lock,
    /// The state that [`Self::look`] last handled: the document's revision, `characters` and `bodies` of the window's
    /// state, and the number of the newest frame.
    seen: Option<((u64, u64, u64), u64)>,
    has_said_failure: bool,
}

struct Shared {
    place: Place,
    state: Mutex<WriterState>,
    wake: Condvar,
    /// The lock is held while files are written or removed, so that neither overlaps with a write.
    writing: Mutex<()>,
}

#[derive(Default)]
struct WriterState {
    next: Option<Box<Unsaved>>,
    /// Work whose document is written, but whose frames are not written yet.
    waiting: Option<Box<Unsaved>>,
    frames_written: Option<Instant>,
    failed: Option<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keeper {
    /// Starts to store unsaved work in the configuration folder. On Unix, a signal that ends the program stores the
    /// latest work first.
    pub fn start() -> Result<Self, String> {
        let folder = files::configuration("autosave").ok_or_else(|| not_kept(text::NO_CONFIG_FOLDER))?;
        let keeper = Self::start_in(folder)?;
        let shared = keeper.shared.clone();
        signals::before_end(move || shared.flush());
        Ok(keeper)
    }

    pub fn start_in(folder: PathBuf) -> Result<Self, String> {
        let say = |error: String| not_kept(&format!("{}: {error}", folder.display()));
        files::create_folder(&folder).map_err(say)?;
        let (lock, path) = Lock::create(&folder, "window-", ".lock").map_err(say)?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let place = Place { folder, id };
        let shared = Shared { place, state: Mutex::default(), wake: Condvar::new(), writing: Mutex::default() };
        let shared = Arc::new(shared);
        let writer = shared.clone();
        threads::spawn("autosave", move || writer.work()).map_err(|error| not_kept(&error))?;
        Ok(Self { shared, _lock: lock, seen: None, has_said_failure: false })
    }

    /// Passes unsaved work to the writer, or removes the files if nothing is unsaved. Does nothing until document,
    /// character or body mesh change, or the tape has [`STALE`] more frames.
    pub fn look(&mut self, session: &Session) {
        let newest = session.tools.debugger.tape.last().map_or(0, |frame| frame.number);
        let revision = (session.world.history.revision(), session.window.characters, session.window.bodies);
        if self.seen.is_some_and(|(edit, frame)| edit == revision && newest.abs_diff(frame) < STALE) {
            return;
        }
        self.seen = Some((revision, newest));
        match session.unsaved() {
            Some(unsaved) => {
                locked(&self.shared.state).next = Some(Box::new(unsaved));
                self.shared.wake.notify_one();
            }
            None => {
                let _writing = locked(&self.shared.writing);
                *locked(&self.shared.state) = WriterState::default();
                self.shared.place.remove();
            }
        }
    }

    pub fn flush(&self) -> bool {
        self.shared.flush();
        self.is_kept()
    }

    pub(crate) fn is_kept(&self) -> bool {
        locked(&self.shared.state).failed.is_none()
    }

    pub fn new_failure(&mut self) -> Option<String> {
        let failed = locked(&self.shared.state).failed.clone();
        let is_new = failed.is_some() && !self.has_said_failure;
        self.has_said_failure = failed.is_some();
        failed.filter(|_| is_new).map(|error| not_kept(&error))
    }

    pub fn end(self) {
        let _writing = locked(&self.shared.writing);
        *locked(&self.shared.state) = WriterState::default();
        self.shared.place.remove();
        files::remove(&self.shared.place.lock());
    }
}

fn not_kept(error: &str) -> String {
    text::could_not_autosave(&error)
}

impl Shared {
    fn work(&self) {
        loop {
            let state = locked(&self.state);
            let due = state.waiting.as_ref().and(state.frames_written).map(|written| written + FRAMES_PAUSE);
            let wait = due.map_or(Duration::MAX, |due| due.saturating_duration_since(Instant::now()));
            let idle = |state: &mut WriterState| state.next.is_none();
            drop(self.wake.wait_timeout_while(state, wait.min(Duration::from_secs(3600)), idle));
            self.write(false);
            threads::sleep(PAUSE);
        }
    }

    fn flush(&self) {
        self.write(true);
    }

    /// Writes the pending work. Its frames are written at most once per [`FRAMES_PAUSE`], unless `at_once` is set.
    fn write(&self, at_once: bool) {
        let _writing = locked(&self.writing);
        let mut state = locked(&self.state);
        let next = state.next.take();
        if next.is_some() {
            state.waiting.clone_from(&next);
        }
        let is_due = at_once || state.frames_written.is_none_or(|written| written.elapsed() >= FRAMES_PAUSE);
        let frames = if is_due { state.waiting.take() } else { None };
        if frames.is_some() {
            state.frames_written = Some(Instant::now());
        }
        drop(state);
        // `done` stays `None` if nothing was written. Then `failed` keeps the result of the last write.
        let mut done: Option<Result<(), String>> = None;
        if let Some(unsaved) = next {
            let saved = Saved { format: FORMAT.to_owned(), origin: unsaved.origin.clone(), preset: unsaved.preset() };
            let text = serde_json::to_vec(&saved).map_err(|error| error.to_string());
            done = Some(text.and_then(|text| files::write(&self.place.document(), &text)));
        }
        if let Some(capsule) = frames.and_then(|unsaved| unsaved.source.capsule("autosave")) {
            let frames = files::write(&self.place.frames(), capsule.to_json().as_bytes());
            done = Some(done.unwrap_or(Ok(())).and(frames));
        }
        if let Some(done) = done {
            locked(&self.state).failed = done.err();
        }
    }
}

pub struct Recovered {
    place: Place,
    /// The lock is held so that no other window offers the same work.
    _lock: Lock,
    pub origin: Origin,
    pub preset: Preset,
    pub document: Document,
    pub frames: Option<Capsule>,
    pub age: Option<Duration>,
}

impl Recovered {
    pub fn find() -> Option<Self> {
        Self::find_in(&files::configuration("autosave")?)
    }

    pub fn find_in(folder: &Path) -> Option<Self> {
        let names = files::names_in(folder);
        let ids = names.iter().filter_map(|name| Some(name.strip_suffix(".lock")?.to_owned()));
        let left = ids.filter_map(|id| Self::read(Place { folder: folder.to_owned(), id }));
        left.min_by_key(|left| left.age.unwrap_or(Duration::MAX))
    }

    fn read(place: Place) -> Option<Self> {
        let lock = Lock::take(&place.lock())?;
        if !files::exists(&place.document()) {
            // The window with this lock had no unsaved work.
            files::remove(&place.lock());
            return None;
        }
        let text = files::read_text(&place.document(), SizeLimit::PRESET).ok()?;
        let saved: Saved = serde_json::from_str(&text).ok()?;
        let preset = Preset::from_value(saved.preset).ok().filter(|_| saved.format == FORMAT)?;
        let document = Document::from_preset(&preset).ok()?;
        let frames = files::read_text(&place.frames(), SizeLimit::CAPSULE).ok();
        let frames = frames.and_then(|text| Capsule::from_json(&text).ok());
        let age = files::age(&place.document());
        Some(Self { place, _lock: lock, origin: saved.origin, preset, document, frames, age })
    }

    /// Returns the stored frames if the work belongs to a character that consists of bones only, which are stored with them.
    pub(crate) fn bones(&self) -> Option<&Capsule> {
        self.frames.as_ref().filter(|capsule| self.origin.of_bones && !capsule.frames.is_empty())
    }

    pub(crate) fn describe(&self) -> String {
        let name = |path: &Option<PathBuf>, without: &str| {
            let name = path.as_ref().and_then(|path| path.file_name());
            name.map_or_else(|| without.to_owned(), |name| name.to_string_lossy().into_owned())
        };
        let built_in = self.origin.built_in.name();
        let model = match (self.origin.of_bones, self.bones()) {
            (true, Some(_)) => text::BONES_ALONE.to_owned(),
            (true, None) => text::instead_of_bones(&built_in),
            (false, _) => text::the_built_in(&built_in),
        };
        let frames = self.frames.as_ref().map_or(0, |capsule| capsule.frames.len());
        let ago = match self.age.map(|age| age.as_secs()) {
            None => String::new(),
            Some(seconds @ 0..120) => text::seconds_ago(&seconds),
            Some(seconds @ 120..7200) => text::minutes_ago(&(seconds / 60)),
            Some(seconds @ 7200..172_800) => text::hours_ago(&(seconds / 3600)),
            Some(seconds) => text::days_ago(&(seconds / 86_400)),
        };
        let preset = name(&self.origin.preset, text::UNNAMED_PRESET);
        text::unsaved_work(&preset, &name(&self.origin.model, &model), &counted(frames, "frame"), &ago)
    }

    pub fn remove(self) {
        self.place.remove();
        files::remove(&self.place.lock());
    }
}
