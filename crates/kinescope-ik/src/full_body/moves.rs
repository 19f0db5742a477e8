//! What there is to see of a solve: every single node move, with its cause.

use glam::Vec3;

use crate::names::{Effector, Node};
use crate::rig::LimbName;

/// Who acted: one of several, by its place among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Author {
    /// From 0.
    pub index: u8,
    /// What it is: `recoil`.
    pub name: &'static str,
}

impl Author {
    /// As a person reads it: `recoil 1`.
    pub fn label(self) -> String {
        format!("{} {}", self.name, u32::from(self.index) + 1)
    }
}

/// A part of an effector's one-frame offset, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffsetShare {
    /// Who added it.
    pub author: Author,
    /// To which effector's offset.
    pub effector: Effector,
    /// How much; model space, before the master weight.
    pub by: Vec3,
}

/// Why a node moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// The limb was bent the wrong way, or not at all, in the animated pose.
    BendLimit(LimbName),
    /// A one-frame offset, the pull of the hands on the body included.
    Offset(Effector),
    /// What one of several added to an effector's one-frame offset.
    SharedOffset(Author, Effector),
    /// Someone acted between two stages.
    Pushed(Author),
    /// The effector's own node.
    Effector(Effector),
    /// A child node of the body effector.
    EffectorChild(Effector),
    /// The limb's first node, pushed by its last.
    Push(LimbName),
    /// The body, by what the limbs pass on of their push.
    PushParent,
    /// The limb's first node, drawn after a limb that gets straight.
    Reach(LimbName),
    /// The limb's middle node, placed by the lengths of its bones.
    Trigonometric(LimbName),
    /// Stage 1: the limb, from its end to its root.
    ForwardReach(LimbName),
    /// Stage 1: the body, to the limbs' common centre.
    Centroid,
    /// Index of the child constraint, and stage 2's round (`None` in stage 1).
    ChildConstraint {
        /// Index into [`Frame::constraints`](super::Frame::constraints).
        constraint: u8,
        /// Stage 2's round, from 0; `None` in stage 1.
        round: Option<u8>,
    },
    /// Stage 2: body ↔ first node of the limb.
    LinearConstraint {
        /// The limb whose first node it is.
        limb: LimbName,
        /// Stage 2's round, from 0.
        round: u8,
    },
    /// Stage 2: the limb, from its root to its end.
    BackwardReach(LimbName),
    /// The last trigonometric pass, with its bend direction.
    Bend(LimbName),
}

impl Cause {
    /// Returns its key in traces: the term of *Full-body notes*, without the limb or effector.
    pub const fn key(self) -> &'static str {
        match self {
            Self::BendLimit(_) => "bend_limit",
            Self::Offset(_) | Self::SharedOffset(..) => "offset",
            Self::Pushed(_) => "pushed",
            Self::Effector(_) => "effector",
            Self::EffectorChild(_) => "effector_child",
            Self::Push(_) => "push",
            Self::PushParent => "push_parent",
            Self::Reach(_) => "reach",
            Self::Trigonometric(_) => "trigonometric",
            Self::ForwardReach(_) => "forward_reach",
            Self::Centroid => "centroid",
            Self::ChildConstraint { .. } => "child_constraint",
            Self::LinearConstraint { .. } => "linear_constraint",
            Self::BackwardReach(_) => "backward_reach",
            Self::Bend(_) => "bend",
        }
    }

    /// Whether it is of a part that someone has in an offset: of that one's own part, or of the offset's whole.
    pub(super) fn is_part(self, share: &OffsetShare) -> bool {
        match self {
            Self::Offset(effector) => effector == share.effector,
            Self::SharedOffset(author, effector) => (author, effector) == (share.author, share.effector),
            _ => false,
        }
    }
}

/// One node, moved once. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The node that moved.
    pub node: Node,
    /// Where it was.
    pub from: Vec3,
    /// Where it is then.
    pub to: Vec3,
    /// Why it moved.
    pub cause: Cause,
}

impl Move {
    /// How far the node went.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }
}

/// A stage's moves of limbs, limb by limb these joints in this order: so they are told.
#[inline(always)]
pub(super) fn of_limbs<const JOINTS: usize>(
    joints: [usize; JOINTS],
    cause: impl Fn(LimbName) -> Cause + Clone,
) -> impl Iterator<Item = (Node, Cause)> + Clone {
    (0..LimbName::ALL.len() * JOINTS).map(move |index| {
        let limb = LimbName::ALL[index / JOINTS];
        (Node::of_limb(limb)[joints[index % JOINTS]], cause(limb))
    })
}
