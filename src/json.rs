//! JSON from files that nobody vouches for: what it would grow to in memory is known, and bounded, before it is read.
//!
//! Three bytes of text, `{},`, become hundreds of bytes of memory. A walk through the text that keeps nothing adds up
//! what reading it will take, and finds fields that stand twice: which of the two is meant nobody can say.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// What a kind of file may take. Whatever takes less than `least` is read; what takes more must not take more than
/// [`GROWTH`] times its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Bytes.
    least: usize,
    /// Bytes in memory of an object, `{}`, of what it is read into and of its list of fields.
    object: usize,
}

/// A file of our own: presets, traces, capsules, chains.
pub(crate) const OWN: Room = Room { least: 64 << 20, object: 800 };
/// A model: nodes, channels and accessors are objects with a handful of fields each.
#[cfg(feature = "import")]
pub(crate) const MODEL: Room = Room { least: 256 << 20, object: 1600 };

/// Bytes of memory for each byte of text, at most.
const GROWTH: usize = 8;
/// Bytes in memory of a number, a word or a place in a list.
const VALUE: usize = 32;

/// Walks through a text. The first field that stands twice in the same object, if any does. What is no JSON ends the
/// walk and is left to whoever reads it: that one can say what was expected there.
///
/// # Errors
/// That it would take too much memory; with line and column.
pub(crate) fn survey(text: &[u8], room: Room) -> Result<Option<String>, serde_json::Error> {
    let most = room.least.max(text.len().saturating_mul(GROWTH));
    let mut survey = Survey { room, left: Some(most), most, twice: None, hasher: RandomState::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let walked = Walk(&mut survey).deserialize(&mut deserializer);
    match walked {
        Err(error) if survey.left.is_none() => Err(error),
        _ => Ok(survey.twice),
    }
}

struct Survey {
    room: Room,
    /// Bytes that the rest may take; `None` once it is too much.
    left: Option<usize>,
    most: usize,
    twice: Option<String>,
    hasher: RandomState,
}

impl Survey {
    fn spend<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
        match self.left {
            Some(_) => Ok(()),
            None => {
                let most = self.most >> 20;
                Err(E::custom(format!("the file holds so much that reading it takes more than {most} MiB")))
            }
        }
    }
}

struct Walk<'a>(&'a mut Survey);

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.spend(VALUE)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.0.spend(VALUE)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.0.spend(VALUE)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.0.spend(VALUE)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.0.spend(VALUE)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.spend(2 * VALUE + text.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.spend(2 * VALUE)?;
        while list.next_element_seed(Walk(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let survey = self.0;
        survey.spend(survey.room.object)?;
        let mut seen = Seen::default();
        while fields.next_key_seed(Key { survey, seen: &mut seen })?.is_some() {
            fields.next_value_seed(Walk(survey))?;
        }
        Ok(())
    }
}

/// The fields of an object so far, by their hashes: few are looked through, many looked up.
#[derive(Default)]
struct Seen {
    few: Vec<u64>,
    many: HashSet<u64>,
}

impl Seen {
    /// Whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        const FEW: usize = 32;
        if self.few.len() < FEW {
            let is_new = !self.few.contains(&hash);
            self.few.push(hash);
            return is_new;
        }
        if self.many.is_empty() {
            self.many.extend(self.few.iter().copied());
        }
        self.many.insert(hash)
    }
}

struct Key<'a> {
    survey: &'a mut Survey,
    seen: &'a mut Seen,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<(), E> {
        self.survey.spend(2 * VALUE + name.len())?;
        let hash = self.survey.hasher.hash_one(name);
        if !self.seen.insert(hash) && self.survey.twice.is_none() {
            self.survey.twice = Some(name.to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn takes(text: &str) -> Result<Option<String>, String> {
        survey(text.as_bytes(), OWN).map_err(|error| error.to_string())
    }

    #[test]
    fn fields_that_stand_twice_are_found_wherever_they_are() {
        assert_eq!(takes(r#"{ "a": { "b": 1, "c": [ { "d": 1 }, { "d": 2 } ] }, "b": 2 }"#), Ok(None));
        assert_eq!(takes(r#"{ "a": 1, "b": { "c": 1, "\u0063": 2 } }"#), Ok(Some("c".to_owned())));
        let many: Vec<String> = (0..1000).map(|index| format!("\"{index}\": 0")).collect();
        let text = format!("{{ {} }}", many.join(", "));
        assert_eq!(takes(&text), Ok(None));
        assert_eq!(takes(&text.replace("\"999\"", "\"40\"")), Ok(Some("40".to_owned())));
    }

    #[test]
    fn what_would_grow_too_much_is_refused_before_it_is_read() {
        let empty = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert_eq!(takes(&empty(50_000)), Ok(None));
        let error = takes(&empty(2_000_000)).unwrap_err();
        assert!(
            error.starts_with("the file holds so much that reading it takes more than 64 MiB at line 1"),
            "{error}"
        );
        let numbers = |count: usize, number: &str| format!("[{}]", vec![number; count].join(","));
        assert_eq!(takes(&numbers(1_050_625, "0")), Ok(None));
        assert_eq!(takes(&numbers(4_000_000, "0.125")), Ok(None));
        assert!(takes(&numbers(4_000_000, "0")).is_err());
    }

    proptest! {
        #[test]
        fn it_is_content_with_anything_that_is_small(text in "[\\[\\]{}\",:a0.e\\-\\\\ ]{0,24}") {
            prop_assert!(takes(&text).is_ok());
        }
    }
}
