//! Switches and lists among the settings of a lane of the full-body lab.

use std::any::Any;

use super::body_lab::{BodyLane, LaneSource};
use super::order::Stack;
use super::parameters::{Owner, Tunable};
use crate::error::Fault;
use crate::full_body::Smoothing;
use crate::key::label;

/// A switch, or a setting with a list of values, that a lane can have of its own: a setting of the lane's solver, or of
/// the full body's chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceId {
    /// The owner of the setting.
    pub owner: Owner,
    /// The field's name, as in presets.
    pub key: &'static str,
    /// The keys of the values.
    pub values: &'static [&'static str],
}

static SWITCH: [&str; 2] = ["off", "on"];
static SMOOTHINGS: [&str; Smoothing::ALL.len()] = {
    let mut keys = [""; Smoothing::ALL.len()];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = Smoothing::ALL[index].key();
        index += 1;
    }
    keys
};

/// Returns the keys of a field's values and the index of its value; `None` for a type other than `bool` and
/// [`Smoothing`].
fn values(field: &dyn Any) -> Option<(&'static [&'static str], usize)> {
    match (field.downcast_ref::<bool>(), field.downcast_ref::<Smoothing>()) {
        (Some(on), _) => Some((&SWITCH[..], usize::from(*on))),
        (_, Some(smoothing)) => Some((&SMOOTHINGS[..], *smoothing as usize)),
        (None, None) => None,
    }
}

impl ChoiceId {
    /// Returns the path, as in presets: `solver.fabrik_pass`.
    pub fn path(self) -> String {
        format!("{}.{}", self.owner.path(), self.key)
    }

    /// Returns the label on screen: `left arm, push smoothing`.
    pub fn label(self) -> String {
        let owner = self.owner.label();
        if owner.is_empty() { label(self.key) } else { format!("{owner}, {}", label(self.key)) }
    }

    /// Returns the key of the value in the settings of a stack; empty if they lack the setting.
    pub fn get(self, stack: &Stack) -> &'static str {
        let fields = stack.of(self.owner).map(|of| of.keyed_fields()).unwrap_or_default();
        let field = fields.into_iter().find(|(key, _)| *key == self.key);
        let found = field.and_then(|(_, field)| values(field));
        found.map_or("", |(values, at)| values[at])
    }

    fn set(self, settings: &mut dyn Tunable, value: &str) {
        let Some(at) = self.values.iter().position(|known| *known == value) else { return };
        let Some(of) = settings.of_mut(self.owner) else { return };
        for (_, field) in of.keyed_fields_mut().into_iter().filter(|(key, _)| *key == self.key) {
            if let Some(on) = field.downcast_mut::<bool>() {
                *on = at == 1;
            } else if let Some(smoothing) = field.downcast_mut::<Smoothing>() {
                *smoothing = Smoothing::ALL[at];
            }
        }
    }
}

impl BodyLane {
    /// Returns the switches and lists that the lane can have of its own, without the switch that turns its solver on. Empty
    /// for a lane of another program.
    pub fn choices(&self, stack: &Stack) -> Vec<ChoiceId> {
        let LaneSource::Layer(layer) = self.source else { return Vec::new() };
        let mut found = Vec::new();
        for owner in Owner::named().filter(|owner| owner.is_of_lane(layer)) {
            let fields = stack.of(owner).map(|of| of.keyed_fields()).unwrap_or_default();
            for (key, field) in fields.into_iter().filter(|(key, _)| *key != "on") {
                found.extend(values(field).map(|(values, _)| ChoiceId { owner, key, values }));
            }
        }
        found
    }

    /// Returns the key of a switch's or list's value in the lane: the lane's own, or that of the stack.
    pub fn choice<'a>(&'a self, choice: ChoiceId, stack: &Stack) -> &'a str {
        self.choices.get(&choice.path()).map_or_else(|| choice.get(stack), String::as_str)
    }

    pub(super) fn write_choices(&self, stack: &Stack, settings: &mut dyn Tunable) {
        if self.choices.is_empty() {
            return;
        }
        for choice in self.choices(stack) {
            if let Some(value) = self.choices.get(&choice.path()) {
                choice.set(settings, value);
            }
        }
    }

    pub(super) fn check_choices(&self, stack: &Stack) -> Result<(), Fault> {
        let own = self.choices(stack);
        for (path, value) in &self.choices {
            let Some(choice) = own.iter().find(|choice| choice.path() == *path) else {
                return Err(Fault::new(
                    format!("choices.{path}"),
                    "is not a switch or list that the lane can have; remove it",
                ));
            };
            if !choice.values.contains(&value.as_str()) {
                let message = format!("is {value}; use {}", choice.values.join(" or "));
                return Err(Fault::new(format!("choices.{path}"), message));
            }
        }
        Ok(())
    }
}
