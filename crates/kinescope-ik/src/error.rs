//! What is wrong with an input, where in it, and what helps: one type for all that reads and checks.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use glam::{Quat, Vec3};

use crate::math::{FARTHEST, UNIT_LENGTH, unit};
use crate::unit::Unit;

/// A problem and its place: `chains.left_arm.pull: is 1.5; it must be a number from 0 to 1`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}{}{problem}", if place.is_empty() { "" } else { ": " })]
pub struct Fault {
    /// The path of the field as in the file (`frames[3].hash`), line and column, or the argument; empty where it is
    /// the whole input.
    pub place: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong, and the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// A single value that may not be.
    #[error(transparent)]
    Value(#[from] BadValue),
    /// A field that is needed is not there; with what should be.
    #[error("is missing; {0}")]
    Missing(&'static str),
    /// A list without entries, and what should be in it.
    #[error("is empty; {0}")]
    Empty(&'static str),
    /// A list of another length than belongs here.
    #[error("has {found} {what}, the rig {expected}")]
    Length {
        /// What it is a list of, in the plural.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A list that is too long.
    #[error("has {found} {what}; it may have {most} at most")]
    TooMany {
        /// What it is a list of, in the plural.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The index of something that is not there.
    #[error("is {index}; there are {count} {what}, counted from 0")]
    Index {
        /// What is counted, in the plural.
        what: &'static str,
        /// The index that was given.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A number that is infinite or NaN; with what should be there.
    #[error("is not finite; {0}")]
    NotFinite(&'static str),
    /// Any other, in words.
    #[error("{0}")]
    Other(Cow<'static, str>),
}

/// A value that may not be. Made without allocating: a solve may refuse every frame.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadValue {
    /// A number out of its range.
    #[error("is {value}; it must be a {} from {min} to {max}", unit.noun())]
    Range {
        /// The number.
        value: f32,
        /// The least that it may be.
        min: f32,
        /// The most that it may be.
        max: f32,
        /// What it counts in.
        unit: Unit,
    },
    /// A whole number out of its range.
    #[error("is {value}; it must be a whole number from {min} to {max}")]
    Count {
        /// The number.
        value: usize,
        /// The least that it may be.
        min: usize,
        /// The most that it may be.
        max: usize,
    },
    /// A position with a coordinate that is not finite, or beyond [`FARTHEST`].
    #[error("is [{}, {}, {}]; its numbers must be finite and within ±{FARTHEST:e}", _0.x, _0.y, _0.z)]
    Place(Vec3),
    /// A direction that is not finite, or of length 0.
    #[error("is [{}, {}, {}]; it is a direction: finite, and not 0", _0.x, _0.y, _0.z)]
    Direction(Vec3),
    /// A quaternion that is no rotation.
    #[error("has length {length}; a rotation is a unit quaternion [x, y, z, w]")]
    Rotation {
        /// The quaternion's length; a rotation has 1.
        length: f32,
    },
}

impl Fault {
    /// A problem and where it is.
    pub fn new(place: impl Into<String>, problem: impl Into<Problem>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }

    /// The same fault in a part of something larger: `weight` becomes `preset.solver.weight`.
    pub fn within(self, part: impl AsRef<str>) -> Self {
        let (part, inner) = (part.as_ref(), self.place);
        let is_apart = !inner.is_empty() && !inner.starts_with('[');
        Self { place: format!("{part}{}{inner}", if is_apart { "." } else { "" }), ..self }
    }
}

#[cfg(feature = "json")]
impl Fault {
    /// From a parser that knows line and column; they become the place.
    pub fn from_syntax(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        match (error.line(), error.column()) {
            (0, _) => Self::new("", message),
            (line, column) => Self::new(format!("line {line}, column {column}"), message),
        }
    }
}

/// The path of the field, and line and column where the parser knows them.
#[cfg(feature = "json")]
impl From<serde_path_to_error::Error<serde_json::Error>> for Fault {
    fn from(error: serde_path_to_error::Error<serde_json::Error>) -> Self {
        let (path, inner) = (error.path().to_string(), Self::from_syntax(error.inner()));
        let place = match (path.as_str(), inner.place.as_str()) {
            // Where a text ends too early there may be no field yet.
            ("." | "?", _) => return inner,
            (_, "") => path,
            (_, position) => format!("{path} ({position})"),
        };
        Self { place, ..inner }
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
    /// The fault of this value at a place.
    pub fn at(self, place: impl Into<String>) -> Fault {
        Fault::new(place, self)
    }

    /// # Errors
    /// Itself, for a number that is not within the range.
    pub fn check_range(value: f32, range: &RangeInclusive<f32>, unit: Unit) -> Result<(), Self> {
        let (&min, &max) = (range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(Self::Range { value, min, max, unit }) }
    }

    /// # Errors
    /// Itself, for a number that is not within the range.
    pub fn check_count(value: usize, range: &RangeInclusive<usize>) -> Result<(), Self> {
        let (&min, &max) = (range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(Self::Count { value, min, max }) }
    }

    /// # Errors
    /// Itself, for a point in model space that no solver takes.
    pub fn check_place(value: Vec3) -> Result<(), Self> {
        // Not the largest of them: that of a NaN and a number is the number.
        let is_place = value.to_array().iter().all(|number| number.abs() <= FARTHEST);
        if is_place { Ok(()) } else { Err(Self::Place(value)) }
    }

    /// # Errors
    /// Itself, for a vector that points nowhere.
    pub fn check_direction(value: Vec3) -> Result<(), Self> {
        if value.is_finite() && unit(value).is_some() { Ok(()) } else { Err(Self::Direction(value)) }
    }

    /// # Errors
    /// Itself, for a quaternion that is no rotation, even if it was written with few digits.
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
    fn what_may_not_be_is_told_with_what_may() {
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
