//! Names and messages shared by several tools. [`label`] makes names from the keys of file formats.

use std::fmt::{Debug, Display};

use glam::{Quat, Vec3};

pub(crate) use crate::system::text::{counted, decimals, signed, unsigned_zero};

use crate::character::Character;
use kinescope_ik::attach::Attachment;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::chain_ik;
use kinescope_ik::debugger::sweep::SweepMeasure;
use kinescope_ik::debugger::why::{Reason, Why};
use kinescope_ik::key::label;
use kinescope_ik::modifiers::Hold;
use kinescope_ik::stack::MeasureId;
use kinescope_ik::stepped::run::Unit;
use kinescope_ik::trace_diff::Difference;

/// Formats why an effector is off target: `238 mm short: the target is 778 mm from the shoulder, the arm is 540 mm long`.
pub(crate) fn why(why: &Why, character: &Character) -> String {
    format!("{} {}: {}", character.length(why.gap), why.miss.label(), reason(why, character))
}

/// Formats the distance of an unreachable target from the limb's first bone, so that it agrees with the displayed gap and
/// the displayed length of the limb. Returns `None` for a reachable target.
pub(crate) fn target_distance(why: &Why, character: &Character) -> Option<String> {
    match why.reason {
        Reason::TooFar { distance, length: other } | Reason::TooNear { distance, least: other } => {
            Some(character.length_beside(distance, other, why.gap))
        }
        Reason::Weight(_) | Reason::Mapping(_) | Reason::Body => None,
    }
}

/// Describes a move from the character's view: `Moved 340 mm up and 537 mm forward.` The text of an invisible move is empty.
pub(crate) fn dragged(by: Vec3, root: Quat, character: &Character) -> String {
    let detection = &character.detection;
    let (forward, left) = (root * detection.facing, root * detection.left);
    let sides =
        [(by.y, "up", "down"), (by.dot(forward), "forward", "back"), (by.dot(left), "to its left", "to its right")];
    let parts = sides.into_iter().filter(|(length, ..)| length.abs() > character.height * 5e-4);
    let parts: Vec<String> = parts
        .map(|(length, there, back)| {
            format!("{} {}", character.length(length.abs()), if length > 0.0 { there } else { back })
        })
        .collect();
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => format!("Moved {last}."),
        Some((last, rest)) => format!("Moved {} and {last}.", rest.join(", ")),
    }
}

/// Formats the cause of an effector's gap, and the suggested change if there is one.
pub(crate) fn reason(why: &Why, character: &Character) -> String {
    let length = |length: f32| character.length(length);
    let beside = |own: f32, other: f32| character.length_beside(own, other, why.gap);
    let (root, limb) = match why.effector.limb() {
        Some(limb) if limb.is_arm() => ("shoulder", "arm"),
        Some(_) => ("hip", "leg"),
        None => ("body", "body"),
    };
    let reason = match why.reason {
        Reason::TooFar { distance, length: whole } => {
            format!("the target is {} from the {root}, the {limb} is {} long", beside(distance, whole), length(whole))
        }
        Reason::TooNear { distance, least } => {
            format!("the target is {} from the {root}, the {limb} folds to {}", beside(distance, least), length(least))
        }
        Reason::Weight(weight) => {
            format!(
                "position weight times master weight is {weight:.2}, so the effector covers only part of the distance"
            )
        }
        Reason::Mapping(weight) => {
            format!("the mapping weight is {weight:.2}, so the pose takes only that fraction of the solve")
        }
        Reason::Body if why.effector.limb().is_some() => {
            format!(
                "the target is within the {limb}'s reach, but the rest of the body or a later layer holds the {limb} back"
            )
        }
        Reason::Body => "the rest of the body or a later layer holds the effector back".to_owned(),
    };
    match why.cure {
        Some((parameter, value, gap)) => {
            let value = decimals(value);
            format!("{reason}; {} {value} would reduce the gap to {}", parameter.label(), length(gap))
        }
        None => reason,
    }
}

pub(crate) fn attachment(own: &Attachment) -> String {
    let [x, y, z] = own.offset.to_array().map(decimals);
    format!("follows {}, offset [{x}, {y}, {z}] in model units", own.to.label())
}

pub(crate) fn offset(own: &Attachment, unit: &str) -> String {
    let [x, y, z] = own.offset.to_array().map(|value| unsigned_zero(format!("{value:.3}")));
    format!("Offset [{x}, {y}, {z}] {unit}")
}

pub fn hold(hold: &Hold, character: &Character) -> String {
    let length = |length: f32| character.length(length);
    let (hand, [least, most]) = (capital(&label(hold.hand.key())), hold.reach);
    // This tolerance is 0.1 mm for a person.
    if hold.gap <= character.height * 6e-5 {
        return format!("{hand} is on its grip.");
    }
    let (gap, beside) = (length(hold.gap), |other: f32| character.length_beside(hold.distance, other, hold.gap));
    let reason = match () {
        () if hold.distance > most => {
            format!("the grip is {} from the shoulder, the arm is {} long", beside(most), length(most))
        }
        () if hold.distance < least => {
            format!("the grip is {} from the shoulder, the arm folds to {}", beside(least), length(least))
        }
        () if hold.weight < 1.0 => {
            format!(
                "the grip's weight times the master weight is {:.2}, so the hand moves only part of the distance",
                hold.weight
            )
        }
        () => "a later modifier or layer moves one of the hands".to_owned(),
    };
    format!("{hand} is {gap} off its grip because {reason}.")
}

/// `apart` is the distance with its unit.
pub(crate) fn difference(first: &Difference, apart: &str) -> String {
    let stage = step_title(first.step.iteration, &first.step.stage.label());
    format!("{stage}: {} {apart} apart", label(first.node.key()))
}

/// Formats a path for display: `left arm, pull` from `chains.left_arm.pull`.
pub(crate) fn path_label(path: &str) -> String {
    let parts: Vec<String> = path.split('.').map(label).collect();
    match parts.as_slice() {
        [_, owner, what] => format!("{owner}, {what}"),
        [_, what] => what.clone(),
        _ => path.to_owned(),
    }
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Formats a sentence as the hint after a title: the first letter in lower case, without the full stop.
pub(crate) fn as_hint(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Formats a step: `Iteration 2, stage 2`.
pub(crate) fn step_title(iteration: Option<u32>, name: &str) -> String {
    match iteration {
        Some(iteration) => format!("Iteration {iteration}, {name}"),
        None => capital(name),
    }
}

/// Formats a number without a unit: with four decimals, or with an exponent where these would leave fewer than two digits.
pub(crate) fn plain(value: f32) -> String {
    let text = match value.abs() {
        0.0 => "0".to_owned(),
        0.001..1e4 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    };
    text.replace('-', "−")
}

/// Formats a value in displayed units: millimetres, percent, degrees. `length` formats lengths.
pub fn measured(unit: Unit, value: f32, length: impl Fn(f32) -> String) -> String {
    match unit {
        Unit::Length => length(value),
        Unit::Fraction => format!("{:.1} %", value * 100.0),
        Unit::Excess => signed(value, &format!("{:.1} %", value * 100.0)),
        Unit::Number => plain(value),
        Unit::Angle => unsigned_zero(format!("{:.1}°", value.to_degrees())),
    }
}

pub(crate) fn capsule_name(capsule: &Capsule) -> String {
    if capsule.name.is_empty() { capsule.model.clone() } else { capsule.name.clone() }
}

pub fn lane_name(settings: &chain_ik::Settings) -> String {
    let mut name = settings.solver.label().to_owned();
    if matches!(settings.solver, chain_ik::Solver::Ccd | chain_ik::Solver::CcdGrowing) && !settings.ccd_turn.is_right()
    {
        name.push_str(&format!(", {}", settings.ccd_turn.label()));
    }
    if settings.solver == chain_ik::Solver::Fabrik && !settings.map_turn.is_right() {
        name.push_str(&format!(", {}", settings.map_turn.label()));
    }
    if settings.solver.iterates() && !settings.accelerate {
        name.push_str(", plain");
    }
    let has_rule = settings.bend_normal.is_some() && settings.solver == chain_ik::Solver::Fabrik;
    for (is_on, what) in [
        (settings.plane.is_some(), ", 2D"),
        (has_rule && settings.bend_rule.is_mirror(), ", bend rule"),
        (has_rule && !settings.bend_rule.is_mirror(), ", literal bend rule"),
        (settings.pass_share() < 1.0, ", weight in each pass"),
        (!settings.limits, ", no limits"),
        (settings.soft_zone > 0.0 && settings.solver == chain_ik::Solver::TwoBone, ", soft zone"),
    ] {
        if is_on {
            name.push_str(what);
        }
    }
    name
}

/// Names a lane with its number: `2 CCD, no limits`.
pub(crate) fn lane_label(lane: usize, settings: Option<&chain_ik::Settings>) -> String {
    format!("{} {}", lane + 1, settings.map_or_else(String::new, lane_name))
}

/// Shortens a measure's label within a group that states its family.
pub(crate) fn among_family(label: &str) -> &str {
    [" gap", " node error", " error"].into_iter().find_map(|end| label.strip_suffix(end)).unwrap_or(label)
}

pub(crate) fn sweep_label(measure: &SweepMeasure) -> String {
    match measure {
        SweepMeasure::Frame(id) => measure_label(id),
        SweepMeasure::Motion(measure) => measure.label().to_owned(),
    }
}

pub(crate) fn measure_label(id: &MeasureId) -> String {
    match id {
        MeasureId::WorstGap => "largest gap".to_owned(),
        MeasureId::Gap(key) => format!("{} gap", label(key)),
        MeasureId::Of(layer, key) => format!("{} of {}", label(key), layer.label()),
    }
}

pub(crate) const CURVE_EMPTY_HELP: &str =
    "Shows the weight over the clip. Without keys the weight is 1 throughout. Double-click to add a key.";
pub(crate) const CURVE_HELP: &str =
    "Double-click or Ctrl+click to add a key. If the curve has the focus, Insert adds a key at the clip's time.";
pub(crate) fn curve_key(label: &dyn Display, number: &dyn Display, time: &dyn Display) -> String {
    format!("{label}, key {number} at {time:.2} of the clip")
}
pub(crate) fn curve_key_help(number: &dyn Display, time: &dyn Display, weight: &dyn Display) -> String {
    format!(
        "Key {number}: at {time:.2} of the clip, weight {weight:.2}. Drag the key to move it, right-click to remove it."
    )
}

pub(crate) const CHINESE: &str = "Chinese";
pub(crate) const JAPANESE: &str = "Japanese";
pub(crate) const KOREAN: &str = "Korean";
pub(crate) fn no_font(scripts: &dyn Display) -> String {
    format!(
        "No installed font has {scripts} characters: names with such characters show as boxes. Install a font, Noto Sans CJK for example, and restart."
    )
}

pub(crate) const OR: &str = " or ";
pub(crate) fn source_line(source: &dyn Display, name: &dyn Display) -> String {
    format!("\nIn the {source}: `{name}`")
}
pub(crate) fn not_a_number(text: &dyn Debug, value: &dyn Display, unit: &dyn Display) -> String {
    format!("{text:?} is not a number. The value stays {value} {unit}")
}
pub(crate) const SEARCH_HINT: &str = "Search";
pub(crate) const NO_MATCH: &str = "No match";
pub(crate) fn default_and_range(
    default: &dyn Display,
    min: &dyn Display,
    max: &dyn Display,
    unit: &dyn Display,
) -> String {
    format!("Default {default}, range {min} to {max}{unit}.")
}
pub(crate) fn preset_range(max: &dyn Display) -> String {
    format!(" Presets may have values up to {max}.")
}
pub(crate) fn parameter_help(
    help: &dyn Display,
    too_little: &dyn Display,
    too_much: &dyn Display,
    range: &dyn Display,
    sources: &dyn Display,
) -> String {
    format!("{help}\n\nToo little: {too_little}\nToo much: {too_much}\n{range}{sources}")
}
pub(crate) fn slider_help(help: &dyn Display) -> String {
    format!("{help}\nDouble-click the slider to reset it.")
}
pub(crate) fn resets_to(default: &dyn Display) -> String {
    format!("Resets to {default}")
}
pub(crate) fn name_reset(label: &dyn Display, default: &dyn Display) -> String {
    format!("Reset {label} to {default}")
}
