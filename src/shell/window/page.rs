//! The window as a page in a browser.

use std::path::{Path, PathBuf};

use super::{Options, SETTLES, Shell, run};
use crate::session::Action;
use crate::system::{files, page};
use kinescope_ik::share::is_link;

/// Opens the window in the page, with the scene that its address names. The browser runs the frames after this function
/// returns.
pub fn run_in_page() {
    let options = Options { scene: page::query("scene"), log: page::query("log").is_some(), ..Options::default() };
    if let Err(error) = run(options) {
        page::failed(&error);
    }
}

/// Shows the message of a panic in the page, which has no terminal.
pub(super) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| page::failed(&panic.to_string())));
}

impl Shell {
    /// Opens the files that were dropped on the page, chosen in the browser's dialog, or named by the page's address;
    /// opens the link in the address.
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

/// Returns the file to open of several: a model comes with its textures and buffers.
fn main_file(paths: &[PathBuf]) -> Option<&PathBuf> {
    let is = |test: fn(&Path) -> bool| paths.iter().find(|path| test(path));
    is(files::is_model).or_else(|| is(files::is_json)).or_else(|| paths.first())
}
