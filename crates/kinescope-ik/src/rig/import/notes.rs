//! Errors, notes and unique names of an import.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::error::Fault;

/// The reason why a file could not be read, as one line: the file, the place, the problem, and usually what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ImportError {
    /// The name passed to [`import`](super::import), with spaces for control characters.
    pub file: String,
    /// The error. Its place is, for example, `accessor 12`, `line 7` or `byte 4`; empty if the error concerns the whole
    /// file.
    pub fault: Fault,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// Sentences for [`Model::notes`](crate::rig::Model::notes), each once. Beyond [`Self::MOST`] they are only counted.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) list: Vec<String>,
    /// Hashes of the notes that are only counted.
    dropped: HashSet<u64>,
    hasher: RandomState,
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
            self.dropped.insert(self.hasher.hash_one(note));
        }
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if !self.dropped.is_empty() {
            self.list.push(format!("{} more notes like these are not shown", self.dropped.len()));
        }
        self.list
    }
}

/// Replaces control characters by spaces, so that names in files cannot break an error into several lines.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(super) fn import_error(file: &str, fault: &Fault) -> ImportError {
    let fault = Fault::new(one_line(&fault.place), one_line(&fault.problem.to_string()));
    ImportError { file: one_line(file), fault }
}

/// Makes names unique. [`Self::take`] replaces a missing or blank name by `unnamed` and `index`, such as `node 7`, and
/// appends `index` in brackets to a repeated name.
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
        // The index is unique, so a second round is needed only if a name in the file ends with this index in brackets.
        let mut round = 0;
        while self.taken.contains_key(&unique) {
            unique = if round == 0 { format!("{wanted} ({index})") } else { format!("{wanted} ({index}.{round})") };
            round += 1;
        }
        self.taken.insert(unique.clone(), ());
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_notes_count_once() {
        let mut notes = Notes::default();
        for _ in 0..3 {
            for index in 0..Notes::MOST + 2 {
                notes.add(format!("note {index}"));
            }
        }
        let list = notes.finish();
        assert_eq!(list.len(), Notes::MOST + 1);
        assert_eq!(list.last().unwrap(), "2 more notes like these are not shown");
    }
}
