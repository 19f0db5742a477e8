//! Turns of joints and their causes, as a debugger lists them.

use glam::{Quat, Vec3};

use super::stage::Stage;
use crate::joints::JointIndex;
use crate::names::Effector;
use crate::rig::LimbName;

/// The cause of an event: the term that turned a joint, or a missed target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The position of an effector.
    Position(Effector),
    /// The rotation of an effector.
    Rotation(Effector),
    /// The bend goal of a limb.
    Bend(LimbName),
    /// The limits of joints.
    Limits,
    /// The animated pose.
    Rest,
    /// The last solved pose.
    Smoothness,
    /// The centre of mass.
    Balance,
    /// The capsules.
    Separation,
    /// An effector that misses its target, so that the pull to the animated pose is weakened. It turns no joint.
    Missed(Effector),
}

impl Cause {
    /// Returns all causes of turns, in the order in which an update reports its terms. Turns that stop joints at their
    /// limits are reported after all terms.
    pub fn all() -> impl Iterator<Item = Self> {
        let effectors = Effector::ALL.into_iter();
        let bends = LimbName::ALL.into_iter().map(Self::Bend);
        let others = [Self::Limits, Self::Rest, Self::Smoothness, Self::Balance, Self::Separation];
        effectors.clone().map(Self::Position).chain(effectors.map(Self::Rotation)).chain(bends).chain(others)
    }

    /// Returns the label on screen: `left hand, position`.
    pub fn label(self) -> String {
        let of = |key: &str, what: &str| format!("{}, {what}", crate::key::label(key));
        match self {
            Self::Position(effector) => of(effector.key(), "position"),
            Self::Rotation(effector) => of(effector.key(), "rotation"),
            Self::Bend(limb) => of(limb.key(), "bend goal"),
            Self::Limits => "joint limits".to_owned(),
            Self::Rest => "animated pose".to_owned(),
            Self::Smoothness => "last solved pose".to_owned(),
            Self::Balance => "centre of mass".to_owned(),
            Self::Separation => "overlaps".to_owned(),
            Self::Missed(effector) => of(effector.key(), "missed"),
        }
    }
}

/// One term's part of a joint's turn or of the pelvis's shift, or the turn that stops a joint at its limit. Model
/// space. For [`Cause::Missed`] nothing turns: `from` is the effector, `to` the position that it should have, and `by`
/// the vector between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The joint; `None` for the shift of the pelvis.
    pub joint: Option<JointIndex>,
    /// The term that caused the turn or shift, or the missed target.
    pub cause: Cause,
    /// The term's part of the update: axis times angle in radians, to first order; for the pelvis its shift in model
    /// units.
    pub by: Vec3,
    /// Position of the joint.
    pub at: Vec3,
    /// The rotation about the joint, of which `by` is the linearization; the identity for a shift.
    pub turn: Quat,
    /// The end of the joint's bone before the turn; the pelvis before the shift.
    pub from: Vec3,
    /// The same point after the turn or shift.
    pub to: Vec3,
}

impl Cause {
    /// Returns the term, or [`Stage::Ease`] for a missed target.
    pub const fn term(self) -> Stage {
        match self {
            Self::Position(_) => Stage::Position,
            Self::Rotation(_) => Stage::Rotation,
            Self::Bend(_) => Stage::Bend,
            Self::Limits => Stage::Limits,
            Self::Rest => Stage::Rest,
            Self::Smoothness => Stage::Smoothness,
            Self::Balance => Stage::Balance,
            Self::Separation => Stage::Separation,
            Self::Missed(_) => Stage::Ease,
        }
    }
}
