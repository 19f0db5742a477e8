//! Reporting while a file is read: errors, notes and unique names.

use std::collections::HashMap;

use crate::error::Fault;

/// The reason why a file could not be read, as one line with the file, the place, the problem and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ImportError {
    /// The name passed to [`import`](super::import).
    pub file: String,
    /// The problem. Its place is like `accessor 12` or `node 7`; empty if the whole file is meant.
    pub fault: Fault,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// Sentences for [`Model::notes`](crate::rig::Model::notes), each once. Beyond [`Self::MOST`] they are only counted.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) list: Vec<String>,
    pub(super) dropped: usize,
}

impl Notes {
    const MOST: usize = 40;

    pub(super) fn add(&mut self, note: impl Into<String>) {
        let note = one_line(&note.into());
        if self.list.contains(&note) {
            return;
        }
        if self.list.len() < Self::MOST {
            self.list.push(note);
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if self.dropped > 0 {
            self.list.push(format!("{} more notes like these are not shown", self.dropped));
        }
        self.list
    }
}

/// Replaces control characters by spaces, so that names in files cannot break an error into several lines.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns the error as one line, even if names in the file have line breaks.
pub(super) fn import_error(file: &str, fault: &Fault) -> ImportError {
    let fault = Fault::new(one_line(&fault.place), one_line(&fault.problem.to_string()));
    ImportError { file: one_line(file), fault }
}

/// Makes names unique. An empty name becomes `unnamed` (an argument, such as `node`) and N, a repeated name is followed
/// by ` (N)`, with N = `index`.
#[derive(Default)]
pub(super) struct UniqueNames {
    pub(super) taken: HashMap<String, ()>,
}

impl UniqueNames {
    pub(super) fn take(&mut self, name: Option<&str>, unnamed: &str, index: usize) -> String {
        let wanted = match name.map(one_line) {
            Some(name) if !name.trim().is_empty() => name,
            _ => format!("{unnamed} {index}"),
        };
        let mut unique = wanted.clone();
        // The index is unique, so a second round is needed only if a name in the file looks like such a repaired name.
        let mut round = 0;
        while self.taken.contains_key(&unique) {
            unique = if round == 0 { format!("{wanted} ({index})") } else { format!("{wanted} ({index}.{round})") };
            round += 1;
        }
        self.taken.insert(unique.clone(), ());
        unique
    }
}
