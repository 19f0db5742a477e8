//! Writes settings as C# assignments.

use std::fmt::Write;

use super::slots::{Slot, slots};
use crate::full_body::{Effector, Settings};
use crate::key::label;
use crate::rig::LimbName;

/// The first line of a complete text: every setting that the text does not name has its default.
pub const WHOLE: &str = "// Kinescope: values not listed here have their defaults.";
/// The line before assignments that include a position, an offset, a direction or a rotation.
pub const SPACE: &str = "// Positions and rotations assume a character at the world's origin, without rotation.";
/// The end of the name of a bend goal's object.
pub const GOAL: &str = ".bendConstraint.bendGoal";

/// Returns the settings as C# assignments, without values at their defaults. Comments state what the assignments leave
/// out: settings that the component lacks, and targets that are the effector's own bone.
pub fn to_csharp(settings: &Settings) -> String {
    let (mut own, mut others) = (*settings, Settings::default());
    let (mut text, mut has_places) = (String::new(), false);
    for ((name, comment, slot), (.., default)) in slots(&mut own).into_iter().zip(slots(&mut others)) {
        let value = slot.value();
        if let Some(value) = value.filter(|value| Some(value) != default.value().as_ref()) {
            let comment = if comment.is_empty() { String::new() } else { format!(" // {comment}") };
            if let Some(goal) = name.strip_suffix(".position").filter(|goal| goal.ends_with(GOAL)) {
                // Without an object, `bendGoal.position` throws an exception.
                let made =
                    format!("{goal} = new GameObject(\"bend goal,{}\").transform", comment.trim_start_matches(" //"));
                let _ = writeln!(text, "if ({goal} == null) {made};");
            }
            let _ = writeln!(text, "{name} = {value};{comment}");
            has_places |= matches!(slot, Slot::Place(_) | Slot::Offset(_) | Slot::Turn(_));
        }
    }
    for limb in LimbName::ALL.into_iter().filter(|&limb| settings.chain(limb).scale_free_reach) {
        let _ = writeln!(
            text,
            "// {}: scale_free_reach is left out: the component's reach depends on the unit",
            limb.label()
        );
    }
    for limb in LimbName::ALL.into_iter().filter(|&limb| settings.chain(limb).clamp_smoothing > 0) {
        let _ = writeln!(
            text,
            "// {}: clamp_smoothing is left out: the component has 0, so bends near the bend limit differ",
            limb.label()
        );
    }
    let is_pinned = |effector: &Effector| {
        let own = settings.effector(*effector);
        (own.position.is_none() && own.position_weight > 0.0) || (own.rotation.is_none() && own.rotation_weight > 0.0)
    };
    for effector in Effector::ALL.into_iter().filter(is_pinned) {
        let _ = writeln!(
            text,
            "// {}: an unset target position or rotation is that of its animated bone; set it in every frame",
            label(effector.key())
        );
    }
    let space = if has_places { format!("{SPACE}\n") } else { String::new() };
    format!("{WHOLE}\n{space}{text}")
}
