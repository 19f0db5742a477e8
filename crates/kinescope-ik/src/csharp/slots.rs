//! Values that both the settings and the component have, with the component's names.

use std::any::Any;

use glam::{Quat, Vec3};

use super::expression::{Value, evaluate};
use crate::full_body::{Effector, Settings, Smoothing};
use crate::parameter::{Declaration, Declared};
use crate::rig::{Axes, LimbName};

const AXES: Axes = Axes::LEFT_HANDED_Y_UP;

pub enum Slot<'a> {
    Number(&'a mut f32),
    Count(&'a mut u32),
    Flag(&'a mut bool),
    /// A position or a direction.
    Place(&'a mut Option<Vec3>),
    Offset(&'a mut Vec3),
    Turn(&'a mut Option<Quat>),
    Smoothing(&'a mut Smoothing),
}

/// The name of a value in the component, the comment after its assignment (may be empty), and the slot.
pub type Named<'a> = (String, String, Slot<'a>);

/// Adds a field if its [declaration](Declaration::csharp) names an equivalent in the component. `with` replaces
/// placeholders in the name, such as `{effector}`.
fn add<'a>(all: &mut Vec<Named<'a>>, declared: &Declaration, field: &'a mut dyn Any, with: &[(&str, &str)]) {
    if let (Some(name), Some(slot)) = (declared.csharp.first(), Slot::of(field)) {
        let line = with.iter().fold((*name).to_owned(), |line, (mark, text)| line.replace(mark, text));
        let (name, comment) = line.split_once(" // ").unwrap_or((&line, ""));
        all.push((name.to_owned(), comment.to_owned(), slot));
    }
}

pub fn add_all<'a, S: Declared>(all: &mut Vec<Named<'a>>, settings: &'a mut S, with: &[(&str, &str)]) {
    for (declared, field) in S::DECLARATIONS.iter().zip(settings.fields_mut()) {
        add(all, declared, field, with);
    }
}

/// Returns all values that both the settings and the component have, in the order of the declarations.
pub fn slots(settings: &mut Settings) -> Vec<Named<'_>> {
    let mut all = Vec::new();
    let Settings { solver, pin, chains, effectors } = settings;
    add_all(&mut all, solver, &[]);
    if let Some(declared) = Settings::DECLARATIONS.iter().find(|declared| declared.key == "pin") {
        add(&mut all, declared, pin, &[]);
    }
    for (limb, own) in LimbName::ALL.into_iter().zip(chains) {
        let (mapping, chain) = (limb.index().to_string(), (limb.index() + 1).to_string());
        add_all(&mut all, own, &[("{chain}", &chain), ("{mapping}", &mapping), ("{limb}", limb.label())]);
    }
    for (effector, own) in Effector::ALL.into_iter().zip(effectors) {
        add_all(&mut all, own, &[("{effector}", &camel(effector.key()))]);
    }
    all
}

/// Converts `left_hand` to `leftHand`.
pub fn camel(key: &str) -> String {
    let mut parts = key.split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

impl<'a> Slot<'a> {
    /// Returns a field as a slot; `None` for a type that the component does not have.
    fn of(field: &'a mut dyn Any) -> Option<Self> {
        if field.is::<f32>() {
            field.downcast_mut().map(Self::Number)
        } else if field.is::<u32>() {
            field.downcast_mut().map(Self::Count)
        } else if field.is::<bool>() {
            field.downcast_mut().map(Self::Flag)
        } else if field.is::<Option<Vec3>>() {
            field.downcast_mut().map(Self::Place)
        } else if field.is::<Vec3>() {
            field.downcast_mut().map(Self::Offset)
        } else if field.is::<Option<Quat>>() {
            field.downcast_mut().map(Self::Turn)
        } else {
            field.downcast_mut().map(Self::Smoothing)
        }
    }

    /// Returns the value in C#. `None` for a target position, target rotation, bend goal or bend direction that is not
    /// set, because the component always has one.
    pub fn value(&self) -> Option<String> {
        let vector = |place: Vec3| {
            let Vec3 { x, y, z } = AXES.position_out(place) + Vec3::ZERO;
            format!("new Vector3({x}f, {y}f, {z}f)")
        };
        Some(match self {
            Self::Number(number) => format!("{number}f"),
            Self::Count(count) => count.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Place(place) => vector((**place)?),
            Self::Offset(offset) => vector(**offset),
            Self::Turn(turn) => {
                // Adding 0 turns −0 into 0 and changes no other number.
                let [x, y, z, w] = AXES.rotation_out((**turn)?).to_array().map(|number| number + 0.0);
                format!("new Quaternion({x}f, {y}f, {z}f, {w}f)")
            }
            Self::Smoothing(smoothing) => format!("FBIKChain.Smoothing.{smoothing:?}"),
        })
    }

    pub fn take(&mut self, text: &str) -> Result<(), String> {
        match self {
            Self::Number(number) => **number = float(text)?,
            Self::Count(count) => {
                let whole = text.parse().ok().or_else(|| match evaluate(text) {
                    Ok(Value::Number(number)) if number.fract() == 0.0 && number >= 0.0 => Some(number as u32),
                    _ => None,
                });
                **count = whole.ok_or_else(|| format!("{text:?} is not a whole number from 0 on, as in 4"))?;
            }
            Self::Flag(flag) => **flag = text.parse().map_err(|_| format!("{text:?} is neither true nor false"))?,
            Self::Place(place) => **place = Some(AXES.position_in(vector(text)?)),
            Self::Offset(offset) => **offset = AXES.position_in(vector(text)?),
            Self::Turn(turn) => match evaluate(text)? {
                Value::Rotation(own) => **turn = Some(AXES.rotation_in(own)),
                Value::Number(_) | Value::Vector(_) => {
                    return Err(format!("{text:?} is not a rotation, as in Quaternion.Euler(0f, 90f, 0f)"));
                }
            },
            Self::Smoothing(smoothing) => {
                let last = text.rsplit('.').next().unwrap_or_default();
                let found = Smoothing::ALL.into_iter().find(|own| format!("{own:?}") == last);
                **smoothing = found.ok_or_else(|| format!("{text:?} is neither None, Exponential nor Cubic"))?;
            }
        }
        Ok(())
    }
}

fn float(text: &str) -> Result<f32, String> {
    match evaluate(text)? {
        Value::Number(number) => Ok(number),
        Value::Vector(_) | Value::Rotation(_) => Err(format!("{text:?} is not a number, as in 0.5f")),
    }
}

fn vector(text: &str) -> Result<Vec3, String> {
    match evaluate(text)? {
        Value::Vector(vector) => Ok(vector),
        Value::Number(_) | Value::Rotation(_) => {
            Err(format!("{text:?} is not a vector, as in new Vector3(0f, 1f, 0.5f)"))
        }
    }
}
