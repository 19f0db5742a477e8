//! The answer to a refused line.

use serde::{Deserialize, Serialize};

use crate::error::Fault;

/// A line that a window refused, as the window reports it to the sender:
/// `{"error":{"line":812,"field":"animated[3]","message":"…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The number of the line since the sender connected; the header is line 1.
    pub line: u64,
    /// The path of the field; empty if the whole line is at fault.
    pub field: String,
    /// What is wrong, in one sentence.
    pub message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    error: Refusal,
}

impl Refusal {
    /// Converts a fault of [`Reader::read`](super::Reader::read) in the line with this number.
    pub fn new(line: u64, fault: &Fault) -> Self {
        let place = fault.place.strip_prefix(&format!("line {line}")).unwrap_or(&fault.place);
        let place = place.strip_prefix(", ").unwrap_or(place);
        // The column is not a part of the field.
        let (field, column) = match place.split_once(" (column ") {
            Some((field, column)) => (field, Some(column.trim_end_matches(')'))),
            None => place.strip_prefix("column ").map_or((place, None), |column| ("", Some(column))),
        };
        // The parser reports column 0 for a line that is a list instead of an object. There is no such column.
        let column =
            column.filter(|&column| column != "0").map_or_else(String::new, |column| format!(", at column {column}"));
        Self { line, field: field.to_owned(), message: format!("{}{column}", fault.problem) }
    }

    /// Returns the answer as a line, including the line end.
    pub fn to_line(&self) -> String {
        super::writer::to_line(&Answer { error: self.clone() })
    }

    /// Reads an answer; `None` for any other line.
    pub fn of_line(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().map(|Answer { error }| error)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { line, field, message } = self;
        let apart = if field.is_empty() { "" } else { ", " };
        write!(f, "line {line}{apart}{field}: {message}")
    }
}
