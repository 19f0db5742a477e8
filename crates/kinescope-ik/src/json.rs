//! Reading and writing JSON. Files are not trusted: before a text is read, the memory that it needs is estimated and
//! limited.
//!
//! Three bytes of text, `{},`, become hundreds of bytes in memory. Therefore `survey` first walks through the text,
//! adds up the memory that reading will need, and stores only hashes of field names. With these it finds repeated
//! fields, whose meaning would be ambiguous.

mod reader;

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::Fault;

/// The memory limit of a kind of file. Reading may need up to `least` bytes, or up to [`GROWTH`] times the text's
/// length if that is more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    least: usize,
    cost: Cost,
    /// Fields of the outermost object that are read into plain data, which needs less memory.
    plain: &'static [&'static str],
}

/// The estimated memory that parts of a text need, in bytes.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// An object, without its fields.
    object: usize,
    /// A number, `true`, `false` or `null`. A list, a text and the name of a field take twice this; a text and a name
    /// also take their length.
    value: usize,
}

const PLAIN: Cost = Cost { object: 256, value: 8 };

/// The limit of Kinescope's own files: presets, traces, capsules, chains, and lines of recordings.
pub(crate) const OWN: Room = Room {
    least: 64 << 20,
    cost: Cost { object: 800, value: 32 },
    plain: &["rig", "characters", "frames", "steps", "result"],
};
/// The limit of the JSON of glTF files, which consists mostly of objects with a few fields: nodes, channels and
/// accessors.
#[cfg(feature = "import")]
pub(crate) const MODEL: Room = Room { least: 256 << 20, cost: Cost { object: 1600, value: 32 }, plain: &[] };

/// Bytes of memory that reading may need per byte of the text, where that is more than [`Room::least`].
const GROWTH: usize = 8;

/// Walks through a text and returns the first field that is repeated within an object, if any. Invalid JSON ends the
/// walk without an error, because the actual reader gives a better message.
///
/// # Errors
/// An error with line and column if reading needs too much memory.
pub(crate) fn survey(text: &[u8], room: Room) -> Result<Option<String>, serde_json::Error> {
    let most = room.least.max(text.len().saturating_mul(GROWTH));
    let mut survey = Survey { plain: room.plain, left: Some(most), most, twice: None, hasher: RandomState::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let walked = Walk { survey: &mut survey, cost: room.cost, is_outermost: true }.deserialize(&mut deserializer);
    match walked {
        Err(error) if survey.left.is_none() => Err(error),
        _ => Ok(survey.twice),
    }
}

struct Survey {
    plain: &'static [&'static str],
    /// The remaining bytes; `None` once the limit is exceeded.
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
                Err(E::custom(format!(
                    "reading the text needs more than {most} MiB of memory, the limit for a text of its size"
                )))
            }
        }
    }
}

struct Walk<'a> {
    survey: &'a mut Survey,
    cost: Cost,
    is_outermost: bool,
}

impl Walk<'_> {
    fn spend<E: Error>(&mut self, values: usize) -> Result<(), E> {
        self.survey.spend(values * self.cost.value)
    }
}

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

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        self.spend(1)
    }

    fn visit_bool<E: Error>(mut self, _: bool) -> Result<(), E> {
        self.spend(1)
    }

    fn visit_i64<E: Error>(mut self, _: i64) -> Result<(), E> {
        self.spend(1)
    }

    fn visit_u64<E: Error>(mut self, _: u64) -> Result<(), E> {
        self.spend(1)
    }

    fn visit_f64<E: Error>(mut self, _: f64) -> Result<(), E> {
        self.spend(1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.survey.spend(2 * self.cost.value + text.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        self.spend(2)?;
        while list.next_element_seed(Walk { survey: self.survey, cost: self.cost, is_outermost: false })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Self { survey, cost, is_outermost } = self;
        survey.spend(cost.object)?;
        let mut fields_so_far = FieldHashes::default();
        while let Some(is_plain) = fields.next_key_seed(Key { survey, cost, fields_so_far: &mut fields_so_far })? {
            let cost = if is_outermost && is_plain { PLAIN } else { cost };
            fields.next_value_seed(Walk { survey, cost, is_outermost: false })?;
        }
        Ok(())
    }
}

/// The hashes of an object's fields so far. A few are searched linearly, many in a hash set.
#[derive(Default)]
struct FieldHashes {
    few: Vec<u64>,
    many: HashSet<u64>,
}

impl FieldHashes {
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

/// Reads the name of a field. Returns true if the field of that name in the outermost object is read into plain data.
struct Key<'a> {
    survey: &'a mut Survey,
    cost: Cost,
    fields_so_far: &'a mut FieldHashes,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<bool, E> {
        self.survey.spend(2 * self.cost.value + name.len())?;
        let hash = self.survey.hasher.hash_one(name);
        if !self.fields_so_far.insert(hash) && self.survey.twice.is_none() {
            self.survey.twice = Some(name.to_owned());
        }
        Ok(self.survey.plain.contains(&name))
    }
}

/// The value of the field `version` of presets, traces, capsules and chain files.
pub const VERSION: u64 = 1;

pub(crate) fn check_json(text: &str) -> Result<(), Fault> {
    match survey(text.as_bytes(), OWN) {
        Ok(None) => Ok(()),
        Ok(Some(name)) => Err(Fault::new(name, "occurs twice in the same object; remove one of the two")),
        Err(error) => {
            let Fault { place, problem } = Fault::from_syntax(&error);
            Err(Fault::new(place, format!("{problem}; split the text, or remove entries that are not needed")))
        }
    }
}

/// Reads a complete text. Errors state the path of the field, with line and column if known; for a repeated field only
/// its name.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    check_json(text)?;
    parse_json(text)
}

/// Reads a text that was checked before.
pub(crate) fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = reader::read(&mut deserializer)?;
    deserializer.end().map_err(|error| Fault::from_syntax(&error))?;
    Ok(value)
}

/// Returns JSON without spaces. Serializing plain data into memory does not fail.
///
/// Own files are written through this function, because each way to serialize compiles its own copy of the code of all
/// types.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a value as parsed JSON. Numbers have the fewest digits that give the same f32.
pub(crate) fn to_value(value: &impl Serialize) -> Value {
    serde_json::from_str(&to_json(value)).unwrap_or_default()
}

/// Returns JSON with an indent of two spaces. A list of numbers stays on one line.
pub fn to_json_pretty(value: &impl Serialize) -> String {
    indented(&to_json(value))
}

/// Breaks JSON without spaces into lines.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    let mut depth = 0;
    let mut rest = text;
    let is_of_number = |c: char| matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E' | ',');
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => end_of_string(rest),
            '[' => match rest[1..].trim_start_matches(is_of_number) {
                after if after.starts_with(']') => rest.len() - after.len() + 1,
                _ => 1,
            },
            '{' if rest.starts_with("{}") => 2,
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        let new_line = |out: &mut String, depth: usize| {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        };
        match part {
            "[" | "{" => {
                depth += 1;
                out.push_str(part);
                new_line(&mut out, depth);
            }
            "]" | "}" => {
                depth -= 1;
                new_line(&mut out, depth);
                out.push_str(part);
            }
            "," => {
                out.push_str(part);
                new_line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            _ if first == '[' => out.push_str(&part.replace(',', ", ")),
            _ => out.push_str(part),
        }
        rest = after;
    }
    out.push('\n');
    out
}

/// Returns the length of the string at the start of a text, with both quotation marks.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

pub(crate) fn check_header(format: Option<Value>, version: Option<Value>, expected: &str) -> Result<(), Fault> {
    check_header_of(format, version, expected, VERSION..=VERSION)
}

pub(crate) fn check_header_of(
    format: Option<Value>,
    version: Option<Value>,
    expected: &str,
    versions: RangeInclusive<u64>,
) -> Result<(), Fault> {
    match format {
        Some(Value::String(found)) if found == expected => {}
        Some(found) => return Err(Fault::new("format", format!("is {found}; it must be {expected:?}"))),
        None => return Err(Fault::new("format", format!("is missing; it must be {expected:?}"))),
    }
    let reads = || match (versions.start(), versions.end()) {
        (first, last) if first == last => format!("this program reads version {first}"),
        (first, last) => format!("this program reads versions {first} to {last}"),
    };
    match version {
        Some(Value::Number(found)) if found.as_u64().is_some_and(|found| versions.contains(&found)) => Ok(()),
        Some(found) => Err(Fault::new("version", format!("is {found}; {}", reads()))),
        None => Err(Fault::new("version", format!("is missing; {}", reads()))),
    }
}

/// Removes a part from a parsed file and reads it. A missing part has its default.
///
/// # Errors
/// [`Fault`] if the part does not fit its type.
pub fn field<T: Default + DeserializeOwned>(
    fields: &mut serde_json::Map<String, Value>,
    name: &str,
) -> Result<T, Fault> {
    fields.remove(name).map_or_else(|| Ok(T::default()), |value| read_part(&value, name))
}

/// Reads a part of a parsed file. `name` is the part's place for errors.
///
/// # Errors
/// [`Fault`] if the part does not fit its type.
pub fn read_part<T: DeserializeOwned>(value: &Value, name: &str) -> Result<T, Fault> {
    read_value(value).map_err(|error| error.within(name))
}

/// Reads a parsed file.
pub(crate) fn read_value<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    reader::read(value)
}

/// Returns the f64 with the fewest digits that reads back as the same f32.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Rounds every number that is exactly an f32 to the fewest digits that give the same f32. Other numbers are unchanged.
pub(crate) fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let exact = number.as_f64().unwrap_or_default();
            let single = exact as f32;
            let short = if f64::from(single) == exact { shortest(single) } else { exact };
            if let Some(short) = serde_json::Number::from_f64(short) {
                *number = short;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

pub(crate) fn shortened(value: &Value) -> Value {
    let mut value = value.clone();
    shorten(&mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn takes(text: &str) -> Result<Option<String>, String> {
        survey(text.as_bytes(), OWN).map_err(|error| error.to_string())
    }

    #[test]
    fn repeated_fields_are_found_anywhere() {
        assert_eq!(takes(r#"{ "a": { "b": 1, "c": [ { "d": 1 }, { "d": 2 } ] }, "b": 2 }"#), Ok(None));
        assert_eq!(takes(r#"{ "a": 1, "b": { "c": 1, "\u0063": 2 } }"#), Ok(Some("c".to_owned())));
        let many: Vec<String> = (0..1000).map(|index| format!("\"{index}\": 0")).collect();
        let text = format!("{{ {} }}", many.join(", "));
        assert_eq!(takes(&text), Ok(None));
        assert_eq!(takes(&text.replace("\"999\"", "\"40\"")), Ok(Some("40".to_owned())));
    }

    #[test]
    fn lists_of_numbers_stay_on_one_line() {
        let text = r#"{"a":[],"b":{},"c":[1.5,-2e-7,3],"d":[[0],["]\",\\"]],"e: {":null}"#;
        let lines = r#"{
  "a": [],
  "b": {},
  "c": [1.5, -2e-7, 3],
  "d": [
    [0],
    [
      "]\",\\"
    ]
  ],
  "e: {": null
}
"#;
        assert_eq!(indented(text), lines);
        assert_eq!(serde_json::from_str::<Value>(lines).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn the_message_about_memory_has_place_and_cure() {
        let text = format!("[{}]", vec!["{}"; 2_000_000].join(","));
        let fault = check_json(&text).unwrap_err().to_string();
        assert!(fault.starts_with("line 1, column ") && fault.contains("64 MiB of memory"), "{fault}");
        assert!(fault.ends_with("; split the text, or remove entries that are not needed"), "{fault}");
    }

    #[test]
    fn texts_that_need_too_much_memory_are_rejected_before_reading() {
        let empty = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert_eq!(takes(&empty(50_000)), Ok(None));
        let error = takes(&empty(2_000_000)).unwrap_err();
        assert!(
            error.starts_with(
                "reading the text needs more than 64 MiB of memory, the limit for a text of its size at line 1"
            ),
            "{error}"
        );
        let numbers = |count: usize, number: &str| format!("[{}]", vec![number; count].join(","));
        assert_eq!(takes(&numbers(1_050_625, "0")), Ok(None));
        assert_eq!(takes(&numbers(4_000_000, "0.125")), Ok(None));
        assert!(takes(&numbers(4_000_000, "0")).is_err());
    }

    proptest! {
        #[test]
        fn small_texts_are_always_accepted(text in "[\\[\\]{}\",:a0.e\\-\\\\ ]{0,24}") {
            prop_assert!(takes(&text).is_ok());
        }
    }
}
