//! Errors about inputs: what is wrong, where, and what is allowed. A [`Fault`] has a place; a [`BadValue`] has none
//! until the caller adds it.

#[cfg(feature = "json")]
mod parser;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use glam::{Quat, Vec3};

use crate::math::{FARTHEST, UNIT_LENGTH, unit};
use crate::unit::Unit;

/// An error and its place: `chains.left_arm.pull: is 1.5; it must be a number from 0 to 1`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}{}{problem}", if place.is_empty() { "" } else { ": " })]
pub struct Fault {
    /// The path of the field as in the file (`frames[3].hash`), a line and column, or both; or the name of an argument.
    /// Empty if the error concerns the whole input.
    pub place: String,
    /// The error at that place.
    pub problem: Problem,
}

/// What is wrong, and what is allowed instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// A value that is not allowed.
    #[error(transparent)]
    Value(#[from] BadValue),
    /// A required field is missing. The text says what belongs there.
    #[error("is missing; {0}")]
    Missing(&'static str),
    /// A list is empty. The text says what belongs in it.
    #[error("is empty; {0}")]
    Empty(&'static str),
    /// A list has the wrong number of entries.
    #[error("has {found} {what}; the rig has {expected}")]
    Length {
        /// The noun for the entries, in the plural.
        what: &'static str,
        /// The number of entries in the input.
        found: usize,
        /// The number of entries that the rig needs.
        expected: usize,
    },
    /// A list has too many entries.
    #[error("has {found} {what}; at most {most} are allowed")]
    TooMany {
        /// The noun for the entries, in the plural.
        what: &'static str,
        /// The number of entries in the input.
        found: usize,
        /// The largest allowed number of entries.
        most: usize,
    },
    /// An index is out of range.
    #[error("is {index}; there are {count} {what}, counted from 0")]
    Index {
        /// The noun for the indexed entries, in the plural.
        what: &'static str,
        /// The index in the input.
        index: usize,
        /// The number of entries.
        count: usize,
    },
    /// A number is infinite or NaN. The text says what belongs there.
    #[error("is not finite; {0}")]
    NotFinite(&'static str),
    /// Any other error, as text that continues the place.
    #[error("{0}")]
    Other(Cow<'static, str>),
}

/// A value that is not allowed. Constructing one does not allocate, because a solve may reject its input every frame.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadValue {
    /// A number is out of range or NaN.
    #[error("is {value}; it must be a {} from {min} to {max}", unit.noun())]
    Range {
        /// The rejected number.
        value: f32,
        /// The smallest allowed number.
        min: f32,
        /// The largest allowed number.
        max: f32,
        /// The unit of all three numbers.
        unit: Unit,
    },
    /// A whole number is out of range.
    #[error("is {value}; it must be a whole number from {min} to {max}")]
    Count {
        /// The rejected number.
        value: usize,
        /// The smallest allowed number.
        min: usize,
        /// The largest allowed number.
        max: usize,
    },
    /// A position has a coordinate that is not finite or lies beyond ±[`FARTHEST`].
    #[error("is [{}, {}, {}]; its numbers must be finite and within ±{FARTHEST:e}", _0.x, _0.y, _0.z)]
    Place(Vec3),
    /// A direction is not finite, or shorter than [`ZERO_LENGTH`](crate::math::ZERO_LENGTH).
    #[error("is [{}, {}, {}]; a direction must be finite and not zero", _0.x, _0.y, _0.z)]
    Direction(Vec3),
    /// The length of a quaternion is off 1 by more than 1 %, so it is not a rotation.
    #[error("has length {length}; a rotation is a unit quaternion [x, y, z, w]")]
    Rotation {
        /// The length of the quaternion.
        length: f32,
    },
}

impl Fault {
    /// Returns a fault with this place and problem.
    pub fn new(place: impl Into<String>, problem: impl Into<Problem>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }

    /// Returns this fault with the containing part before its place: within `solver`, `weight` becomes `solver.weight`,
    /// and within `path`, `[3]` becomes `path[3]`.
    pub fn within(self, part: impl AsRef<str>) -> Self {
        let (part, inner) = (part.as_ref(), self.place);
        let is_apart = !inner.is_empty() && !inner.starts_with('[');
        Self { place: format!("{part}{}{inner}", if is_apart { "." } else { "" }), ..self }
    }
}

#[cfg(feature = "json")]
impl Fault {
    /// Converts a parser's error to plain words. The place has line and column if known, and the name of a field that
    /// is missing.
    pub fn from_syntax(error: &serde_json::Error) -> Self {
        Self::of_parser("", error)
    }

    /// Converts a parser's error about the field at `path`, which is empty for the whole input. The place has line and
    /// column if the parser knows them.
    pub(crate) fn of_parser(path: &str, error: &serde_json::Error) -> Self {
        // A text that ends too early may not have reached a field yet.
        let path = if path == "?" { "" } else { path };
        let message = error.to_string();
        // The message ends with the position. The message may quote a text that contains " at line ", too.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let (missing, words) = parser::in_plain_words(message);
        let words = match message {
            // The list at `path` goes on where it should end.
            "trailing characters" if !path.is_empty() => "has too many entries".to_owned(),
            _ => words,
        };
        let path = match missing {
            Some(field) if path.is_empty() => field.to_owned(),
            Some(field) => format!("{path}.{field}"),
            None => path.to_owned(),
        };
        let place = match (path.as_str(), error.line(), error.column()) {
            (_, 0, _) => path,
            ("", line, column) => format!("line {line}, column {column}"),
            (_, line, column) => format!("{path} (line {line}, column {column})"),
        };
        Self::new(place, words)
    }
}

impl From<String> for Problem {
    fn from(words: String) -> Self {
        Self::Other(words.into())
    }
}

impl From<&'static str> for Problem {
    fn from(words: &'static str) -> Self {
        Self::Other(words.into())
    }
}

impl BadValue {
    /// Returns a fault with this value at the given place.
    pub fn at(self, place: impl Into<String>) -> Fault {
        Fault::new(place, self)
    }

    /// Checks that a number lies within a range.
    ///
    /// # Errors
    /// [`BadValue::Range`] for a number outside the range, or NaN.
    pub fn check_range(value: f32, range: &RangeInclusive<f32>, unit: Unit) -> Result<(), Self> {
        let (&min, &max) = (range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(Self::Range { value, min, max, unit }) }
    }

    /// Checks that a whole number lies within a range.
    ///
    /// # Errors
    /// [`BadValue::Count`] for a number outside the range.
    pub fn check_count(value: usize, range: &RangeInclusive<usize>) -> Result<(), Self> {
        let (&min, &max) = (range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(Self::Count { value, min, max }) }
    }

    /// Checks that a point is within the range of the solvers, ±[`FARTHEST`] on each axis.
    ///
    /// # Errors
    /// [`BadValue::Place`] for a point outside that range, or one that is not finite.
    pub fn check_place(value: Vec3) -> Result<(), Self> {
        // Each coordinate by itself: `f32::max` of a NaN and a number drops the NaN.
        let is_place = value.to_array().iter().all(|number| number.abs() <= FARTHEST);
        if is_place { Ok(()) } else { Err(Self::Place(value)) }
    }

    /// Checks that a vector has a direction: it is finite, and at least as long as
    /// [`ZERO_LENGTH`](crate::math::ZERO_LENGTH).
    ///
    /// # Errors
    /// [`BadValue::Direction`] for any other vector.
    pub fn check_direction(value: Vec3) -> Result<(), Self> {
        if value.is_finite() && unit(value).is_some() { Ok(()) } else { Err(Self::Direction(value)) }
    }

    /// Checks that a quaternion is a rotation. Its length may be off 1 by 1 %, because files may have few digits.
    ///
    /// # Errors
    /// [`BadValue::Rotation`] for any other quaternion.
    pub fn check_rotation(value: Quat) -> Result<(), Self> {
        let length = value.length();
        if UNIT_LENGTH.contains(&length) { Ok(()) } else { Err(Self::Rotation { length }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_grows_outwards() {
        let fault = || Fault::new("weight", Problem::Missing("a bone has one"));
        assert_eq!(fault().to_string(), "weight: is missing; a bone has one");
        assert_eq!(fault().within("bones[2]").within("rig").place, "rig.bones[2].weight");
        let whole = Fault::new("", "a preset is a JSON object");
        assert_eq!(whole.to_string(), "a preset is a JSON object");
        assert_eq!(whole.within("preset").to_string(), "preset: a preset is a JSON object");
        assert_eq!(Fault::new("[3]", "is odd").within("path").place, "path[3]");
    }

    #[test]
    fn range_errors_state_the_allowed_range() {
        let range = BadValue::check_range(f32::NAN, &(0.0..=2.0), Unit::Seconds).unwrap_err();
        assert_eq!(range.to_string(), "is NaN; it must be a number of seconds from 0 to 2");
        let count = BadValue::check_count(99_999_999_999, &(2..=5)).unwrap_err();
        assert_eq!(count.at("rows").to_string(), "rows: is 99999999999; it must be a whole number from 2 to 5");
        for place in [Vec3::new(0.0, f32::NAN, 1.0), Vec3::splat(1e13), Vec3::NEG_INFINITY] {
            assert!(BadValue::check_place(place).is_err(), "{place}");
        }
        assert_eq!(BadValue::check_place(Vec3::splat(-FARTHEST)), Ok(()));
        assert!(BadValue::check_direction(Vec3::ZERO).is_err());
        assert!(BadValue::check_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.5)).is_err());
    }
}
