//! Presets: all settings that reproduce a pose of a model, as JSON (`kinescope-preset`, version 1).
//!
//! Besides `solver`, `chains` and `effectors` a preset may have these sections, all optional:
//!
//! | section | content | read by |
//! |---|---|---|
//! | `mapping` | role → bone name, `spine` a list of names, null for none; `root_node` the pelvis or a spine bone | [`rig`](crate::rig) |
//! | `reference` | `"auto"`, `"rest"` or `"bind"`: the pose that initializes the solver | [`rig`](crate::rig) |
//! | `model` | the character's file, its name and a hash of its bones | the program |
//! | `camera`, `view`, `clip`, `motion_file` | camera, view, clip, and a file whose clips are retargeted | the program |
//! | `chain_ik` | chains solved before or after the full body, and the chain lab | [`stack`](crate::stack) |
//! | `grounding` | grounder, layers, footprints, lock, rules | [`stack`](crate::stack) |
//! | `attachments` | the bones and effectors that targets are attached to, with offsets | [`attach`](crate::attach) |
//! | `modifiers` | modifiers in order of application, each with its kind and its numbers | [`modifiers`](crate::modifiers) |
//! | `stack` | order of chains, switches, full-body lab, retargeting and trackers | [`stack`](crate::stack) |
//! | `motion` | pose layers, fades, and the character's path | the program |
//! | `terrain` | the ground | `terrain` |
//! | `crowd` | the crowd and its levels of detail | the program |

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::error::Fault;
use crate::full_body::Settings;
use crate::full_body::settings::{NamedChains, NamedEffectors, NamedSettings, SolverSettings};
use crate::json::{check_header, check_json, field, read_part, shorten, shortened, to_json_pretty, to_value};

pub use crate::json::VERSION;

/// The value of the field `format`.
pub const FORMAT: &str = "kinescope-preset";
/// The names of sections besides the solver's own three.
pub const SECTIONS: [&str; 15] = [
    "model",
    "mapping",
    "reference",
    "camera",
    "view",
    "clip",
    "motion",
    "motion_file",
    "chain_ik",
    "grounding",
    "attachments",
    "modifiers",
    "stack",
    "terrain",
    "crowd",
];

/// A preset: the solver's settings, and other sections as JSON.
///
/// ```
/// use kinescope_ik::{LimbName, Preset};
///
/// let preset = Preset::from_json(
///     r#"{ "format": "kinescope-preset", "version": 1,
///          "chains": { "left_arm": { "pull": 0.5, "bend_goal": [0.5, 1, -1], "bend_weight": 1 } } }"#,
/// )?;
/// assert_eq!(preset.settings.chain(LimbName::LeftArm).pull, 0.5);
///
/// let wrong = Preset::from_json(
///     r#"{ "format": "kinescope-preset", "version": 1, "chains": { "left_arm": { "pull": 2 } } }"#,
/// );
/// assert_eq!(wrong.unwrap_err().to_string(), "chains.left_arm.pull: is 2; it must be a number from 0 to 1");
/// # Ok::<(), kinescope_ik::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preset {
    /// The settings of the full-body solver.
    pub settings: Settings,
    /// The other sections by name, see [`SECTIONS`].
    pub sections: BTreeMap<String, Value>,
}

#[derive(Serialize)]
struct File<'a> {
    format: &'static str,
    version: u64,
    #[serde(flatten)]
    settings: &'a Settings,
    #[serde(flatten)]
    sections: BTreeMap<&'a str, Value>,
}

impl Preset {
    /// Returns a section; the default if the preset lacks it.
    ///
    /// # Errors
    /// [`Fault`] for an unknown field or an invalid value.
    pub fn section<T: Default + DeserializeOwned>(&self, name: &str) -> Result<T, Fault> {
        self.sections.get(name).map_or_else(|| Ok(T::default()), |value| read_part(value, name))
    }

    /// Stores a section, or removes it if it equals the default or cannot be serialized.
    pub fn put<T: Default + PartialEq + Serialize>(&mut self, name: &str, own: &T) {
        match to_value(own) {
            value if *own != T::default() && !value.is_null() => drop(self.sections.insert(name.to_owned(), value)),
            _ => drop(self.sections.remove(name)),
        }
    }
}

/// Serializes in the same format as [`Preset::to_json`].
impl Serialize for Preset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.file().serialize(serializer)
    }
}

impl Preset {
    fn file(&self) -> File<'_> {
        let sections = self.sections.iter().map(|(name, value)| (name.as_str(), shortened(value))).collect();
        File { format: FORMAT, version: VERSION, settings: &self.settings, sections }
    }

    /// Reads a preset. Missing fields take their defaults.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field, for invalid JSON, another format or version, an unknown or repeated field,
    /// or an invalid value. For a number out of range it states the value and the range.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        check_json(text)?;
        Self::from_value(serde_json::from_str(text).map_err(|error| Fault::from_syntax(&error))?)
    }

    /// Reads a preset that was parsed already, as part of a larger file.
    ///
    /// # Errors
    /// The errors of [`Self::from_json`] without line and column, except repeated fields: a parsed [`Value`] has only
    /// the last of them.
    pub fn from_value(value: Value) -> Result<Self, Fault> {
        let Value::Object(mut fields) = value else {
            return Err(Fault::new("", "a preset is a JSON object"));
        };
        check_header(fields.remove("format"), fields.remove("version"), FORMAT)?;
        let settings = NamedSettings {
            solver: field::<SolverSettings>(&mut fields, "solver")?,
            chains: field::<NamedChains>(&mut fields, "chains")?,
            effectors: field::<NamedEffectors>(&mut fields, "effectors")?,
        };
        let settings = Settings::from(settings);
        settings.validate()?;
        if let Some(name) = fields.keys().find(|name| !SECTIONS.contains(&name.as_str())) {
            let known = ["format", "version", "solver", "chains", "effectors"].iter().chain(&SECTIONS);
            let known: Vec<&str> = known.copied().collect();
            return Err(Fault::new(name, format!("unknown field; a preset has {}", known.join(", "))));
        }
        fields.values_mut().for_each(shorten);
        Ok(Self { settings, sections: fields.into_iter().collect() })
    }

    /// Returns the preset as JSON. All settings of solver, chains and effectors are written; only `scale_free_reach`
    /// and `clamp_smoothing` are omitted at their defaults. Every f32 reads back as the same number.
    pub fn to_json(&self) -> String {
        to_json_pretty(self)
    }
}
