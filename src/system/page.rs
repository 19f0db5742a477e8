//! The browser functions of the web build, such as clock, frame requests, files, storage and page address.
//! `web/host.js` provides them.

use std::ops::Add;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::files;

mod host {
    unsafe extern "C" {
        pub(crate) safe fn kinescope_now() -> f64;
        pub(crate) safe fn kinescope_draw_after(milliseconds: f64);
        pub(crate) fn kinescope_download(name: *const u8, name_length: usize, bytes: *const u8, length: usize);
        pub(crate) fn kinescope_choose_file(endings: *const u8, length: usize);
        pub(crate) fn kinescope_file(sizes: *mut u32) -> u32;
        pub(crate) fn kinescope_take_file(name: *mut u8, bytes: *mut u8);
        pub(crate) fn kinescope_store(name: *const u8, name_length: usize, text: *const u8, length: usize);
        pub(crate) fn kinescope_stored(name: *const u8, length: usize) -> u32;
        pub(crate) fn kinescope_query(key: *const u8, length: usize) -> u32;
        pub(crate) fn kinescope_take_text(into: *mut u8);
        pub(crate) safe fn kinescope_pixel_ratio() -> f32;
        pub(crate) safe fn kinescope_unsaved(is_unsaved: u32);
        pub(crate) fn kinescope_log(text: *const u8, length: usize);
        pub(crate) fn kinescope_failed(text: *const u8, length: usize);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Self {
        Self(Duration::from_secs_f64(host::kinescope_now().max(0.0) / 1000.0))
    }

    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    pub(crate) fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

/// Returns the physical pixels per pixel of the page. The ratio changes when the window moves to another screen.
pub(crate) fn pixel_ratio() -> f32 {
    host::kinescope_pixel_ratio()
}

pub(crate) fn draw_after(time: Duration) {
    // Timers of browsers count at most 2³¹ ms. Frames due later than this many milliseconds are not requested.
    const LATEST: f64 = 2e9;
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < LATEST {
        host::kinescope_draw_after(milliseconds);
    }
}

pub(crate) fn download(name: &str, bytes: &[u8]) {
    // SAFETY: The host copies the bytes before it returns.
    unsafe { host::kinescope_download(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) }
}

/// Shows the browser's dialog for a file with one of these extensions. [`received`] has the answer.
pub(crate) fn choose_file(endings: &[&str]) {
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let endings = endings.join(",");
    // SAFETY: The host copies the text before it returns.
    unsafe { host::kinescope_choose_file(endings.as_ptr(), endings.len()) }
}

/// Shows a message in place of the program after the program has stopped.
pub(crate) fn failed(message: &str) {
    // SAFETY: The host copies the text before it returns.
    unsafe { host::kinescope_failed(message.as_ptr(), message.len()) }
}

/// Sets whether the browser asks the user before it closes the page.
pub(crate) fn set_unsaved(is_unsaved: bool) {
    host::kinescope_unsaved(u32::from(is_unsaved));
}

pub(crate) fn log(line: &str) {
    // SAFETY: The host copies the text before it returns.
    unsafe { host::kinescope_log(line.as_ptr(), line.len()) }
}

/// Returns a value of the page's address: `walk` of `?scene=walk` for the key `scene`. `None` if the key is missing or
/// its value is empty. The key [`LINK`] has the text after `#`, once for each change.
pub(crate) fn query(key: &str) -> Option<String> {
    // SAFETY: The host only reads the key.
    let length = unsafe { host::kinescope_query(key.as_ptr(), key.len()) };
    take_text(length)
}

/// Takes a text of `length` bytes that the host has just announced. Returns `None` if the text is empty or not UTF-8.
fn take_text(length: u32) -> Option<String> {
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    // SAFETY: The host writes as many bytes as it has announced.
    unsafe { host::kinescope_take_text(bytes.as_mut_ptr()) }
    String::from_utf8(bytes).ok().filter(|text| !text.is_empty())
}

pub(crate) fn store(name: &str, text: &[u8]) {
    // SAFETY: The host copies name and text before it returns.
    unsafe { host::kinescope_store(name.as_ptr(), name.len(), text.as_ptr(), text.len()) }
}

pub(crate) fn stored(name: &str) -> Option<String> {
    // SAFETY: The host only reads the name.
    let length = unsafe { host::kinescope_stored(name.as_ptr(), name.len()) };
    take_text(length)
}

pub(crate) const LINK: &str = "#";

/// Returns the page's address without the parts from `?` and `#` on.
pub(crate) fn address() -> String {
    query(ADDRESS).unwrap_or_default()
}

const ADDRESS: &str = "?";

/// Files that came together from the user or the address. The program has stored them under these paths.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) paths: Vec<PathBuf>,
    /// Whether the files answer [`choose_file`]. In that case `paths` is empty if the user cancelled.
    pub(crate) is_chosen: bool,
}

/// Returns the next complete group of files and removes it from the host. Returns `None` if there is none.
pub(crate) fn received() -> Option<Received> {
    static COMING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    const IS_CHOSEN: u32 = 1;
    const IS_LAST: u32 = 2;
    const HAS_FILE: u32 = 4;
    const IS_KEPT: u32 = 8;
    loop {
        let mut sizes = [0_u32; 3];
        // SAFETY: The host writes three numbers.
        if unsafe { host::kinescope_file(sizes.as_mut_ptr()) } == 0 {
            return None;
        }
        let [name, size, flags] = sizes;
        let (mut name, mut bytes) = (vec![0; name as usize], vec![0; size as usize]);
        // SAFETY: The host writes as many bytes as it has announced.
        unsafe { host::kinescope_take_file(name.as_mut_ptr(), bytes.as_mut_ptr()) }
        let mut coming = COMING.lock().unwrap_or_else(PoisonError::into_inner);
        if flags & HAS_FILE != 0 {
            let path = PathBuf::from(String::from_utf8_lossy(&name).into_owned());
            files::put(&path, bytes);
            // A file of an earlier visit waits for the user to choose it in a list of recent files.
            if flags & IS_KEPT != 0 {
                continue;
            }
            coming.push(path);
        }
        if flags & IS_LAST != 0 {
            return Some(Received { paths: std::mem::take(&mut coming), is_chosen: flags & IS_CHOSEN != 0 });
        }
    }
}
