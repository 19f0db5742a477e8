use std::path::{Path, PathBuf};

use super::opening::{find_lesson, find_scene};
use super::{Options, SETTLES, Shell, run};
use crate::session::Action;
use crate::system::{files, page};
use kinescope_ik::share::is_link;
use kinescope_ik::trace::Trace;

pub fn run_in_page() {
    let mut options = Options {
        scene: page::query("scene"),
        lesson: page::query("lesson"),
        log: page::query("log").is_some(),
        ..Options::default()
    };
    // A link may name a scene or lesson that this version lacks. The page still opens.
    if let Some(Err(error)) = options.scene.as_deref().map(find_scene) {
        (options.scene, options.failure) = (None, Some(error));
    }
    if let Some(Err(error)) = options.lesson.as_deref().map(find_lesson) {
        (options.lesson, options.failure) = (None, Some(error));
    }
    if let Err(error) = run(options) {
        page::failed(&error);
    }
}

/// Shows the message of a panic in the page, because a page has no terminal.
pub(super) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| page::failed(&panic.to_string())));
}

/// Solves rig and parameters of a trace for the test of the page, with everything that a conformance case has. Takes the
/// trace's JSON, whose buffer the page got from `allocate_vec_u8`. Returns the solved trace's JSON, or an error, after its
/// length in bytes (four bytes, little-endian). The returned buffer is never freed.
///
/// # Safety
/// `text` is a buffer of `length` bytes from `allocate_vec_u8`, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solved_trace(text: *mut u8, length: usize) -> *const u8 {
    // SAFETY: The caller gives up the buffer, and `allocate_vec_u8` makes vectors without spare room.
    let text = unsafe { Vec::from_raw_parts(text, length, length) };
    let solved = Trace::from_json(&String::from_utf8_lossy(&text));
    let solved = solved.and_then(|given| Trace::whole(&given.model, given.rig, given.parameters));
    let answer = solved.map_or_else(|fault| fault.to_string(), |trace| trace.to_json());
    let size = u32::try_from(answer.len()).unwrap_or(0).to_le_bytes();
    [&size[..], answer.as_bytes()].concat().leak().as_ptr()
}

impl Shell {
    pub(super) fn take_files(&mut self) {
        page::set_unsaved(self.session.world.history.is_unsaved());
        if let Some(link) = page::query(page::LINK).filter(|link| is_link(link)) {
            self.rest.unsettled = SETTLES;
            self.session.apply(Action::OpenLink(link));
        }
        while let Some(received) = page::received() {
            self.rest.unsettled = SETTLES;
            let main = main_file(&received.paths);
            match main {
                answer if received.is_chosen => self.panes.dialogs.choose(answer.cloned()),
                Some(path) => self.session.apply(Action::OpenAny(path.clone())),
                None => {}
            }
        }
    }
}

/// Returns which of several received files to open. The others may be textures and buffers of a model.
fn main_file(paths: &[PathBuf]) -> Option<&PathBuf> {
    let is = |test: fn(&Path) -> bool| paths.iter().find(|path| test(path));
    is(files::is_model).or_else(|| is(files::is_json)).or_else(|| paths.first())
}
