//! The constraints of a solve.

use serde::{Deserialize, Serialize};

use crate::key::label;
use crate::names::{Effector, Node};
use crate::rig::LimbName;
use crate::stepped::run::Tint;

/// A constraint, which one step solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// Each moved joint has its animated rotation.
    Rest,
    /// Each moved joint keeps within its limit, see [`Frame::slack`](super::Frame::slack).
    Limits,
    /// Shoulder and wrist, or hip and ankle, are as far apart as shoulder or hip and the target. Only in the first
    /// sub-step.
    Length(LimbName),
    /// A joint is at its target.
    Position(Effector),
    /// A joint has its target rotation.
    Rotation(Effector),
    /// Elbow or knee points at its bend goal or in its bend direction.
    Bend(LimbName),
    /// Not a correction: the solve starts again with the moved joints in the middle of their limits.
    SecondStart,
    /// Not a correction: the solve returns to the result of the first start.
    FirstResult,
}

impl Constraint {
    /// Returns the key in files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Limits => "limits",
            Self::Length(_) => "length",
            Self::Position(_) => "position",
            Self::Rotation(_) => "rotation",
            Self::Bend(_) => "bend",
            Self::SecondStart => "second_start",
            Self::FirstResult => "first_result",
        }
    }

    /// Returns the label on screen: `position, left hand`.
    pub fn label(self) -> String {
        match self {
            Self::Rest => "rest pose".to_owned(),
            Self::Limits => "limits".to_owned(),
            Self::SecondStart => "second start".to_owned(),
            Self::FirstResult => "first result".to_owned(),
            Self::Length(limb) | Self::Bend(limb) => format!("{}, {}", self.key(), limb.label()),
            Self::Position(effector) | Self::Rotation(effector) => {
                format!("{}, {}", self.key(), label(effector.key()))
            }
        }
    }

    /// Returns a short label for narrow cells.
    pub fn short(self) -> String {
        let initials = |key: &str| key.split('_').filter_map(|word| word.chars().next()).collect::<String>();
        match self {
            Self::Rest => "rest".to_owned(),
            Self::Limits => "lim".to_owned(),
            Self::SecondStart => "start".to_owned(),
            Self::FirstResult => "first".to_owned(),
            Self::Length(limb) => format!("len {}", initials(limb.key())),
            Self::Bend(limb) => format!("bend {}", initials(limb.key())),
            Self::Position(effector) => format!("pos {}", initials(effector.key())),
            Self::Rotation(effector) => format!("rot {}", initials(effector.key())),
        }
    }

    /// Returns a sentence or two on what the constraint does.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Rest => "Each joint turns back toward its animated rotation, by the rest stiffness.",
            Self::Limits => {
                "Each joint beyond its limit turns back to it, or as far beyond it as in the animated pose. Sub-steps \
                 added to hold the limits also run them after every other constraint except rest, and then leave 2.9° more."
            }
            Self::SecondStart => {
                "The sub-steps came hardly nearer to the targets, so the solve starts again: joints turn to the middle of \
                 their limits, those without limit or mobility to their animated rotations."
            }
            Self::FirstResult => {
                "The second start missed the targets by at least half as much as the first one, so all joints return to the \
                 result of the first."
            }
            Self::Length(_) => {
                "Bends elbow or knee by the law of cosines, so that the limb's ends are as far apart as its root and \
                 target. Only in the first sub-step: a straight limb has no direction in which a correction would bend it."
            }
            Self::Position(_) => {
                "Moves the joint to its target: the pelvis shifts, and the pelvis and all joints from it to the target turn, \
                 each by its mobility."
            }
            Self::Rotation(_) => {
                "Turns the joint to its target rotation: a hand or foot together with the limb's other joints, any other joint \
                 together with all joints from the pelvis on."
            }
            Self::Bend(_) => {
                "Turns the limb about the line from its root to its end, toward its bend goal or bend direction."
            }
        }
    }

    /// Returns the label of the body part that the constraint belongs to.
    pub fn part(self) -> String {
        match self {
            Self::Rest | Self::Limits | Self::SecondStart | Self::FirstResult => "whole body".to_owned(),
            Self::Length(limb) | Self::Bend(limb) => limb.label().to_owned(),
            Self::Position(effector) | Self::Rotation(effector) => match effector.node().limb() {
                Some(limb) => limb.label().to_owned(),
                None => "body".to_owned(),
            },
        }
    }

    /// Returns the category that selects the colour.
    pub fn tint(self) -> Tint {
        match self {
            Self::Rest | Self::SecondStart | Self::FirstResult => Tint::Own,
            Self::Limits => Tint::Limit,
            Self::Length(limb) | Self::Bend(limb) => Tint::Node(Node::of_limb(limb)[2]),
            Self::Position(effector) | Self::Rotation(effector) => Tint::Node(effector.node()),
        }
    }
}
