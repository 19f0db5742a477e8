//! The line that says what happened.

use super::{Notice, Session};
use crate::system::files::one_line;

impl Session {
    pub fn notify(&mut self, text: impl Into<String>) {
        self.desk.notice = Some(Notice { text: text.into(), is_error: false, age: 0.0 });
    }

    /// What happened without anybody asking: it covers nothing that went wrong and stands there to be read, but is told
    /// behind that.
    pub fn mention(&mut self, text: impl Into<String>) {
        match self.desk.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.desk.mention = Some(text.into()),
            false => self.notify(text),
        }
    }

    /// What went wrong without anybody asking. It stays until it is dismissed, and is told behind what went wrong before.
    pub fn warn(&mut self, text: impl Into<String>) {
        match self.desk.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.desk.mention = Some(text.into()),
            false => self.fail(text),
        }
    }

    /// What went wrong has been read.
    pub(crate) fn dismiss(&mut self) {
        self.desk.notice = None;
        if let Some(text) = self.desk.mention.take() {
            self.notify(text);
        }
    }

    pub fn fail(&mut self, text: impl Into<String>) {
        self.desk.notice = Some(Notice { text: one_line(&text.into()), is_error: true, age: 0.0 });
    }
}
