//! The numbers a stage used, in words.

use glam::Vec3;

use super::character::Character;
use super::session::Session;
use crate::debugger::why::{Reason, Why};
use crate::full_body::names::label;
use crate::trace_diff::Difference;

/// `238 mm short: the target is 778 mm from the shoulder, the arm is 540 mm; …`.
pub fn why(why: &Why, character: &Character) -> String {
    format!("{} {}: {}", character.length(why.gap), why.miss.word(), reason(why, character))
}

/// `Moved 340 mm up and 537 mm forward.`, as the character sees it; nothing for a move too small to tell of.
pub fn dragged(by: Vec3, session: &Session) -> String {
    let (root, detection) = (session.motion.root.rotation, &session.character.detection);
    let (forward, left) = (root * detection.facing, root * detection.left);
    let sides =
        [(by.y, "up", "down"), (by.dot(forward), "forward", "back"), (by.dot(left), "to its left", "to its right")];
    let parts = sides.into_iter().filter(|(length, ..)| length.abs() > session.character.height * 5e-4);
    let parts: Vec<String> = parts
        .map(|(length, there, back)| {
            format!("{} {}", session.character.length(length.abs()), if length > 0.0 { there } else { back })
        })
        .collect();
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => format!("Moved {last}."),
        Some((last, rest)) => format!("Moved {} and {last}.", rest.join(", ")),
    }
}

/// The same without how far it is.
pub fn reason(why: &Why, character: &Character) -> String {
    let length = |length: f32| character.length(length);
    let (root, limb) = match why.effector.limb() {
        Some(limb) if limb.is_arm() => ("shoulder", "arm"),
        Some(_) => ("hip", "leg"),
        None => ("body", "body"),
    };
    let reason = match why.reason {
        Reason::TooFar { distance, length: whole } => {
            format!("the target is {} from the {root}, the {limb} is {}", length(distance), length(whole))
        }
        Reason::TooNear { distance, least } => {
            format!("the target is {} from the {root}, the {limb} folds to {}", length(distance), length(least))
        }
        Reason::Weight(weight) => format!("its weight is {weight:.2}, it is not to go all the way"),
        Reason::Mapping(weight) => format!("the mapping weight is {weight:.2}, the pose takes only that much"),
        Reason::Body if why.effector.limb().is_some() => {
            format!("the target is within the {limb}'s reach, the rest of the body holds it back")
        }
        Reason::Body => "the limbs hold the body back".to_owned(),
    };
    match why.cure {
        Some((parameter, value, gap)) => {
            format!("{reason}; {} {value} would bring it to {}", parameter.label(), length(gap))
        }
        None => reason,
    }
}

/// Where two traces part; `apart` is how far, with its unit.
pub fn difference(first: &Difference, apart: &str) -> String {
    let stage = super::render::overlay::step_title(first.step.iteration, &first.step.stage.label());
    format!("{stage}: {} {apart} apart", label(first.node.key()))
}
