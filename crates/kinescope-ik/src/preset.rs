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
use crate::json::{check_header, check_json, field, read_part, shorten, shortened, to_json_pretty};

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
        match serde_json::to_value(own) {
            Ok(value) if *own != T::default() => drop(self.sections.insert(name.to_owned(), value)),
            _ => drop(self.sections.remove(name)),
        }
    }
}

/// Serializes in the same format as [`Preset::to_json`].
impl Serialize for Preset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sections = self.sections.iter().map(|(name, value)| (name.as_str(), shortened(value))).collect();
        File { format: FORMAT, version: VERSION, settings: &self.settings, sections }.serialize(serializer)
    }
}

impl Preset {
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        Preset::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn the_documented_preset_is_valid() {
        let text = r#"{ "format": "kinescope-preset", "version": 1,
            "solver": { "weight": 1.0, "iterations": 4 },
            "chains": { "left_arm": { "pull": 0.5 }, "right_arm": {}, "body": { "pin": 0.25 } },
            "effectors": { "left_hand": { "position": [0.4, 1.2, 0.5], "rotation": [0, 0, 0, 1] } } }"#;
        let preset = Preset::from_json(text).unwrap();
        assert_eq!(preset.settings.chains[0].pull, 0.5);
        assert_eq!(preset.settings.pin, 0.25);
        assert_eq!(preset.settings.effectors[5].position, Some(Vec3::new(0.4, 1.2, 0.5)));
        assert_eq!(Preset::from_json(&preset.to_json()).unwrap(), preset);
    }

    #[test]
    fn errors_name_field_value_and_range() {
        let head = r#""format": "kinescope-preset", "version": 1"#;
        let with = |rest: &str| error(&format!("{{ {head}, {rest} }}"));
        assert_eq!(
            with(r#""chains": { "left_arm": { "pull": 1.5 } }"#),
            "chains.left_arm.pull: is 1.5; it must be a number from 0 to 1"
        );
        assert!(
            with(r#""chains": { "left_arm": { "pul": 1 } }"#).starts_with("chains.left_arm.pul: unknown field \"pul\"")
        );
        assert!(with(r#""chains": { "tail": {} }"#).contains("tail"));
        assert!(with(r#""solver": { "weight": 1e39 }"#).contains("solver.weight"));
        assert!(with(r#""solver": { "iterations": -1 }"#).contains("solver.iterations"));
        assert!(with(r#""solver": { "iterations": 17 }"#).contains("from 0 to 16"));
        assert!(with(r#""effectors": { "body": { "position": [0, 1] } }"#).contains("effectors.body.position"));
        assert!(with(r#""nonsense": 1"#).starts_with("nonsense: unknown field"));
        assert!(error("{").starts_with("line 1, column 1: the text ends within an object"));
        assert!(error("[]").contains("object"));
        assert!(error(r#"{ "format": "kinescope-trace", "version": 1 }"#).contains("kinescope-preset"));
        assert!(error(r#"{ "format": "kinescope-preset", "version": 2 }"#).starts_with("version: is 2"));
    }

    #[test]
    fn sections_are_kept() {
        // A bug rounded numbers with more digits than an f32, and turned larger numbers into null.
        let text = r#"{ "format": "kinescope-preset", "version": 1,
            "camera": { "far": 1e300, "fine": 0.12345678901234, "single": 0.10000000149011612, "short": 0.1 } }"#;
        let preset = Preset::from_json(text).unwrap();
        let camera = &preset.sections["camera"];
        assert_eq!(camera["far"], 1e300);
        assert_eq!(camera["fine"], 0.12345678901234);
        assert_eq!(camera["single"].as_f64().unwrap() as f32, 0.1);
        assert_eq!(camera["short"], 0.1);
        assert_eq!(Preset::from_json(&preset.to_json()).unwrap(), preset);
    }

    proptest! {
        #[test]
        fn round_trip_is_bit_for_bit(bits in prop::collection::vec(any::<u32>(), 8), weights in prop::collection::vec(0.0f32..=1.0, 6)) {
            let number = |at: usize| {
                let value = f32::from_bits(bits[at]);
                if value.is_finite() && value.abs() <= crate::math::FARTHEST { value } else { 0.5 }
            };
            let mut preset = Preset::default();
            preset.settings.solver.weight = weights[0];
            preset.settings.chains[2].pull = weights[1];
            preset.settings.chains[2].bend_goal = Some(Vec3::new(number(0), number(1), number(2)));
            preset.settings.effectors[3].position = Some(Vec3::new(number(3), number(4), number(5)));
            preset.settings.effectors[3].rotation = Some(Quat::from_rotation_x(weights[2]) * Quat::from_rotation_y(weights[3]));
            preset.settings.effectors[3].position_offset = Vec3::new(number(6), number(7), weights[4]);
            preset.sections.insert("camera".into(), serde_json::json!({ "distance": weights[5] }));
            let back = Preset::from_json(&preset.to_json()).unwrap();
            prop_assert_eq!(back.settings, preset.settings);
            let distance = back.sections["camera"]["distance"].as_f64().unwrap() as f32;
            prop_assert_eq!(distance.to_bits(), weights[5].to_bits());
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = Preset::from_json(&text);
        }
    }
}
