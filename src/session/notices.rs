use super::{Notice, Session};
use crate::system::files::one_line;

impl Session {
    pub(crate) fn notify(&mut self, text: impl Into<String>) {
        self.window.notice = Some(Notice { text: text.into(), is_error: false, age: 0.0 });
    }

    /// Shows a message about an event that the user did not start. While an error is shown, the message waits until the
    /// user has dismissed the error, or the message that replaced it disappears. A later message replaces a waiting one.
    pub(crate) fn mention(&mut self, text: impl Into<String>) {
        match self.window.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.window.mention = Some(text.into()),
            false => self.notify(text),
        }
    }

    /// Shows an error that the user did not cause. While another error is shown, the text waits and appears as a message
    /// once the user has dismissed that error.
    pub fn warn(&mut self, text: impl Into<String>) {
        match self.window.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.window.mention = Some(text.into()),
            false => self.fail(text),
        }
    }

    pub(crate) fn dismiss(&mut self) {
        self.window.notice = None;
        if let Some(text) = self.window.mention.take() {
            self.notify(text);
        }
    }

    pub fn fail(&mut self, text: impl Into<String>) {
        self.window.notice = Some(Notice { text: one_line(&text.into()), is_error: true, age: 0.0 });
    }
}
