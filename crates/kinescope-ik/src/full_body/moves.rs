//! Node moves and their causes, as a debugger lists them.

use glam::Vec3;

use crate::names::{Effector, Node};
use crate::rig::LimbName;

/// The modifier that made a change: pushed a node, set an offset, a target or a bend direction, or turned or moved a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Author {
    /// Index among the modifiers, from 0; 255 also stands for all later ones.
    pub index: u8,
    /// Kind of the modifier: `recoil`.
    pub name: &'static str,
}

impl Author {
    /// Returns a readable name: `recoil 1`.
    pub fn label(self) -> String {
        format!("{} {}", self.name, u32::from(self.index) + 1)
    }
}

/// The part of an effector's one-frame offset that one author added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffsetShare {
    /// Author of the part.
    pub author: Author,
    /// Effector to whose offset this part belongs.
    pub effector: Effector,
    /// Offset in model space, before the master weight.
    pub by: Vec3,
}

/// Why a node moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// The bend limit turned bone 2 and so moved the last node. In the animated pose, the limb was straight, bent the
    /// wrong way or, with position weight on its end effector, bent out of its default plane.
    BendLimit(LimbName),
    /// The one-frame offset of an effector; that of the body includes pull body and also moves the thighs.
    Offset(Effector),
    /// The part of an effector's one-frame offset that one author added.
    SharedOffset(Author, Effector),
    /// A hook pushed the node between two stages.
    Pushed(Author),
    /// The effector moved its own node.
    Effector(Effector),
    /// The body effector moved a thigh along with the body.
    EffectorChild(Effector),
    /// The push of a compressed limb, on its first node.
    Push(LimbName),
    /// The push of the body: each limb's push times its push parent, summed.
    PushParent,
    /// The reach of a nearly straight limb, on its first and last node.
    Reach(LimbName),
    /// The trigonometric pass placed the middle node by the lengths of the limb's bones.
    Trigonometric(LimbName),
    /// Stage 1: forward reach of the limb, from its end to its root.
    ForwardReach(LimbName),
    /// Stage 1: the body moves toward the centroid of the limbs' pull.
    Centroid,
    /// A child constraint between two of the torso's nodes.
    ChildConstraint {
        /// Index into [`PAIRS`](super::child_constraint::PAIRS).
        constraint: u8,
        /// Round of stage 2, from 0; `None` in stage 1.
        round: Option<u8>,
    },
    /// Stage 2: the linear constraint between the body and the limb's first node.
    LinearConstraint {
        /// Limb of the first node.
        limb: LimbName,
        /// Round of stage 2, from 0.
        round: u8,
    },
    /// Stage 2: backward reach of the limb, from its root to its end.
    BackwardReach(LimbName),
    /// The bend pass: the last trigonometric pass, with a bend direction.
    Bend(LimbName),
}

impl Cause {
    /// Returns the key in traces, which does not name limb, effector, constraint, round or author.
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

    /// Returns whether the cause includes `share`: as the whole offset, or as that author's part.
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
    /// Position before the move.
    pub from: Vec3,
    /// Position after the move.
    pub to: Vec3,
    /// Why it moved.
    pub cause: Cause,
}

impl Move {
    /// Returns the distance the node moved; model units.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }
}

/// Lists node and cause of each move of a stage, in the order of the reports: limb by limb, and within a limb in the
/// order of `joints`.
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
