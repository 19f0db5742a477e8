//! Reads and writes the stack as sections of a preset.

use std::sync::Arc;

use serde_json::Value;

use super::order::Stack;
use crate::error::Fault;
use crate::json::{field, read_value, to_value};
use crate::preset::Preset;

impl Stack {
    /// Reads the stack of a preset.
    ///
    /// # Errors
    /// [`Fault`] for a malformed section or an invalid setting, with its path.
    pub fn of_preset(preset: &Preset) -> Result<Self, Fault> {
        let stack = Self {
            full_body: preset.settings,
            grounding: preset.section("grounding")?,
            chain_ik: preset.section("chain_ik")?,
            attachments: Arc::new(preset.section("attachments")?),
            modifiers: Arc::new(preset.section("modifiers")?),
            order: preset.section("stack")?,
        };
        stack.validate()?;
        Ok(stack)
    }

    /// Returns the stack as a preset, without sections that are at their default.
    pub fn to_preset(&self) -> Preset {
        let mut preset = Preset { settings: self.full_body, ..Preset::default() };
        preset.put("grounding", &self.grounding);
        preset.put("chain_ik", &self.chain_ik);
        preset.put("attachments", &*self.attachments);
        preset.put("modifiers", &*self.modifiers);
        preset.put("stack", &self.order);
        preset
    }

    /// Returns the settings as a JSON object with the fields of a preset, including sections at their defaults, but
    /// without the fields that files omit at their defaults.
    pub fn to_value(&self) -> Value {
        // Plain data: serializing it into memory does not fail.
        let mut value = to_value(&self.full_body);
        if let Value::Object(fields) = &mut value {
            fields.insert("grounding".to_owned(), to_value(&self.grounding));
            fields.insert("chain_ik".to_owned(), to_value(&self.chain_ik));
            fields.insert("attachments".to_owned(), to_value(&*self.attachments));
            fields.insert("modifiers".to_owned(), to_value(&*self.modifiers));
            fields.insert("stack".to_owned(), to_value(&self.order));
        }
        value
    }

    /// Reads the result of [`Self::to_value`]; missing fields take their defaults. Does not check ranges: see
    /// [`Self::validate`].
    ///
    /// # Errors
    /// [`Fault`] for an unknown field, or a value of the wrong kind.
    pub fn from_value(mut value: Value) -> Result<Self, Fault> {
        let mut nothing = serde_json::Map::new();
        let fields = value.as_object_mut().unwrap_or(&mut nothing);
        Ok(Self {
            grounding: field(fields, "grounding")?,
            chain_ik: field(fields, "chain_ik")?,
            attachments: Arc::new(field(fields, "attachments")?),
            modifiers: Arc::new(field(fields, "modifiers")?),
            order: field(fields, "stack")?,
            full_body: read_value(&value)?,
        })
    }
}
