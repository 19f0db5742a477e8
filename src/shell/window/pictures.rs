use super::Shell;
use crate::session::Request;
use crate::shell::capture::{self, Capture};
use crate::shell::words as text;

impl Shell {
    pub(super) fn take_pictures(&mut self, scale: f32) {
        if self.session.window.dialog.is_some() {
            return;
        }
        let viewport = self.session.look.viewport;
        let picture = [viewport.min.x, viewport.min.y, viewport.size.x, viewport.size.y].map(|x| x * scale);
        let inputs = self.session.inputs();
        for request in std::mem::take(&mut self.pictures) {
            let done = match request {
                Request::Picture(path) => {
                    capture::screen().and_then(|image| capture::write_png(&path, &image, &inputs))
                }
                Request::PlotPicture(path) => match self.panes.plots {
                    Some(at) => {
                        let at = [at.min.x, at.min.y, at.width(), at.height()].map(|x| x * scale);
                        capture::screen()
                            .and_then(|image| capture::write_png(&path, &capture::part(&image, at), &inputs))
                    }
                    None => Err(text::PLOTS_NOT_OPEN.to_owned()),
                },
                Request::Capture(path) => {
                    self.capture = Some(Capture::start(path, &self.session));
                    continue;
                }
                _ => continue,
            };
            match done {
                Ok(path) => self.session.notify(text::saved(&path.display())),
                Err(error) => self.session.fail(error),
            }
        }
        let Some(capture) = &mut self.capture else { return };
        match capture.take(picture) {
            Ok(true) => {}
            Ok(false) => {
                let done = self.capture.take().map(|capture| capture.finish(&mut self.session));
                match done {
                    Some(Ok(text)) => self.session.notify(text),
                    Some(Err(error)) => self.session.fail(error),
                    None => {}
                }
            }
            Err(error) => {
                self.capture = None;
                self.session.fail(error);
            }
        }
    }
}
