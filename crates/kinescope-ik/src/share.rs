//! Presets and bug capsules as text in a link: `…#c=DATA`.
//!
//! `DATA` is base64url without padding of a raw deflate stream of JSON: a [preset](crate::preset) or a [capsule],
//! without most of the fields that are at their defaults. A link needs no server, because browsers do not send the part
//! after `#`.
//!
//! | limit | value |
//! |---|---|
//! | `DATA` | [`MOST_DATA`] bytes |
//! | JSON | [`MOST_JSON`] bytes |

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::capsule::{self, Capsule};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::json::{check_json, read_part, to_value};
use crate::preset::Preset;
use crate::stack::{ChainSection, GroundingSection, Memory, OrderSection, Place};

/// The largest length of `DATA` in bytes.
pub const MOST_DATA: usize = 32 << 10;
/// The largest length in bytes of the JSON of a link to read. Reading a link with longer JSON fails.
pub const MOST_JSON: usize = 4 << 20;
/// The text before `DATA` in a link.
pub const MARK: &str = "#c=";

/// The content of a link.
///
/// ```
/// use kinescope_ik::share::Shared;
/// use kinescope_ik::{Effector, Preset};
///
/// let mut preset = Preset::default();
/// preset.settings.effector_mut(Effector::LeftHand).position = Some([0.4, 1.2, 0.5].into());
/// let link = format!("https://example.org/try/{}", Shared::Preset(preset.clone().into()).to_fragment()?);
/// assert!(link.len() < 200);
/// assert_eq!(Shared::from_link(&link)?, Shared::Preset(preset.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shared {
    /// A preset. The link does not contain the model, so the receiver must have it.
    Preset(Box<Preset>),
    /// A character with its frames.
    Capsule(Box<Capsule>),
}

/// The content does not fit into a link: `DATA` would be longer than [`MOST_DATA`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the link would have {0} bytes of data; the limit is {MOST_DATA}")]
pub struct TooLong(
    /// The length of `DATA` in bytes.
    pub usize,
);

/// Returns true if a text is a link: it contains [`MARK`], and white space only at its ends. Does not check the data.
pub fn is_link(text: &str) -> bool {
    let text = text.trim();
    text.contains(MARK) && !text.contains(char::is_whitespace)
}

/// Removes the fields of a preset's section that equal those of the section's default. A section that would read back
/// differently stays whole.
pub fn shorten_section<T>(preset: &mut Preset, name: &str)
where
    T: Default + PartialEq + Serialize + DeserializeOwned,
{
    if let Some(section) = preset.sections.get_mut(name) {
        shorten::<T>(section);
    }
}

impl Shared {
    /// Returns `#c=DATA`, to append to the address of a page.
    ///
    /// # Errors
    /// [`TooLong`] if `DATA` is longer than [`MOST_DATA`]. A capsule becomes shorter with fewer frames.
    pub fn to_fragment(&self) -> Result<String, TooLong> {
        let json = match self {
            Self::Preset(preset) => short_preset(preset),
            Self::Capsule(capsule) => short_capsule(capsule),
        };
        let data = URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(json.to_string().as_bytes(), 10));
        if data.len() > MOST_DATA {
            return Err(TooLong(data.len()));
        }
        Ok(format!("{MARK}{data}"))
    }

    /// Reads a link. Ignores white space around the link.
    ///
    /// # Errors
    /// [`Fault`] for a text that is not a link, data that is cut off, changed or too long, and for an invalid preset or
    /// capsule.
    pub fn from_link(text: &str) -> Result<Self, Fault> {
        let link = |message: String| Fault::new("link", message);
        let (_, data) = text.trim().split_once(MARK).ok_or_else(|| link(format!("has no {MARK:?}; copy it again")))?;
        if data.len() > MOST_DATA {
            return Err(link(format!("has {} bytes of data; the limit is {MOST_DATA}", data.len())));
        }
        let packed = URL_SAFE_NO_PAD.decode(data);
        let packed = packed.map_err(|error| link(format!("is damaged: {error}. Copy it again as a whole")))?;
        let json = decompress_to_vec_with_limit(&packed, MOST_JSON).map_err(|error| {
            link(match error.status {
                TINFLStatus::HasMoreOutput => format!("holds more than {} MiB of JSON, the limit", MOST_JSON >> 20),
                _ => "is damaged or cut off. Copy it again as a whole".to_owned(),
            })
        })?;
        let json = String::from_utf8(json).map_err(|_| link("holds no JSON. Copy it again as a whole".to_owned()))?;
        check_json(&json)?;
        let value: Value = serde_json::from_str(&json).map_err(|error| Fault::from_syntax(&error))?;
        match value["format"].as_str() == Some(capsule::FORMAT) {
            true => Ok(Self::Capsule(Box::new(Capsule::from_json(&json)?))),
            false => Preset::from_value(value).map(|preset| Self::Preset(Box::new(preset))),
        }
    }
}

fn short_preset(preset: &Preset) -> Value {
    let mut short = preset.clone();
    shorten_section::<GroundingSection>(&mut short, "grounding");
    shorten_section::<ChainSection>(&mut short, "chain_ik");
    shorten_section::<OrderSection>(&mut short, "stack");
    let whole = to_value(&short);
    let mut value = whole.clone();
    remove_defaults(&mut value, &Settings::default());
    match Preset::from_value(value.clone()) {
        Ok(read) if read == short => value,
        _ => whole,
    }
}

fn short_capsule(capsule: &Capsule) -> Value {
    let whole: Value = serde_json::from_str(&capsule.to_json()).unwrap_or_default();
    let mut value = whole.clone();
    value["preset"] = short_preset(&capsule.preset);
    remove_nulls(&mut value["rig"]);
    remove_nulls(&mut value["instant"]);
    for frame in value["frames"].as_array_mut().into_iter().flatten() {
        remove_nulls(frame);
        let mut remove = |name: &str, default: Value| frame.get_mut(name).map(|field| remove_defaults(field, &default));
        remove("place", to_value(&Place::default()));
        remove("memory", to_value(&Memory::default()));
        remove("parameters", to_value(&Settings::default()));
    }
    // Compares both texts as read back, because the JSON lacks the local rest transforms that `capsule` may have.
    match [&value, &whole].map(|value| Capsule::from_json(&value.to_string())) {
        [Ok(short), Ok(read)] if short == read => value,
        _ => whole,
    }
}

fn shorten<T>(value: &mut Value)
where
    T: Default + PartialEq + Serialize + DeserializeOwned,
{
    let mut short = value.clone();
    remove_defaults(&mut short, &T::default());
    let read = |value: &Value| read_part::<T>(value, "").ok();
    if read(&short).is_some_and(|short| Some(short) == read(value)) {
        *value = short;
    }
}

/// Removes, at any depth, the fields of an object that have the same value in `default`, and shortens its numbers.
pub fn remove_defaults(value: &mut Value, default: &impl Serialize) {
    crate::json::shorten(value);
    remove_equal(value, &to_value(default));
}

fn remove_equal(value: &mut Value, default: &Value) {
    let (Value::Object(fields), Value::Object(defaults)) = (value, default) else { return };
    // Compared as text, because −0 and 0 may give different solves.
    let text = |value: &Value| value.to_string();
    fields.retain(|name, own| defaults.get(name).is_none_or(|default| text(default) != text(own)));
    for (name, own) in fields {
        if let Some(default) = defaults.get(name) {
            remove_equal(own, default);
        }
    }
}

fn remove_nulls(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, own| !own.is_null());
    }
}
