//! What the solver works on, by name and in fixed order: nodes, chains, effectors, child constraints.

use std::ops::{Index, IndexMut};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::rig::LimbName;

/// The 13 points that are solved. Each stands for the bone of the same name; `body` for the root-node bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// The middle of the torso: the bone of [`Biped::root_node`](crate::rig::Biped::root_node).
    Body,
    /// The left shoulder joint.
    LeftUpperArm,
    /// The left elbow.
    LeftForearm,
    /// The left wrist.
    LeftHand,
    /// The right shoulder joint.
    RightUpperArm,
    /// The right elbow.
    RightForearm,
    /// The right wrist.
    RightHand,
    /// The left hip joint.
    LeftThigh,
    /// The left knee.
    LeftCalf,
    /// The left ankle.
    LeftFoot,
    /// The right hip joint.
    RightThigh,
    /// The right knee.
    RightCalf,
    /// The right ankle.
    RightFoot,
}

impl Node {
    /// How many there are.
    pub const COUNT: usize = 13;
    /// All of them, by their index.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Body,
        Self::LeftUpperArm,
        Self::LeftForearm,
        Self::LeftHand,
        Self::RightUpperArm,
        Self::RightForearm,
        Self::RightHand,
        Self::LeftThigh,
        Self::LeftCalf,
        Self::LeftFoot,
        Self::RightThigh,
        Self::RightCalf,
        Self::RightFoot,
    ];

    /// snake_case, as in traces.
    pub const fn key(self) -> &'static str {
        [
            "body",
            "left_upper_arm",
            "left_forearm",
            "left_hand",
            "right_upper_arm",
            "right_forearm",
            "right_hand",
            "left_thigh",
            "left_calf",
            "left_foot",
            "right_thigh",
            "right_calf",
            "right_foot",
        ][self as usize]
    }

    /// The three nodes of a limb, first to last.
    pub const fn of_limb(limb: LimbName) -> [Self; 3] {
        let first = 1 + 3 * limb as usize;
        [Self::ALL[first], Self::ALL[first + 1], Self::ALL[first + 2]]
    }

    /// Which of its limb's nodes it is, from 0; 0 for `body`.
    pub const fn joint(self) -> usize {
        (self as usize + 2) % 3
    }

    /// The limb the node belongs to; `None` for `body`.
    pub const fn limb(self) -> Option<LimbName> {
        match self as usize {
            0 => None,
            index => Some(LimbName::ALL[(index - 1) / 3]),
        }
    }
}

/// One point per [`Node`], in model space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nodes(pub [Vec3; Node::COUNT]);

impl Index<Node> for Nodes {
    type Output = Vec3;

    fn index(&self, node: Node) -> &Vec3 {
        &self.0[node as usize]
    }
}

impl IndexMut<Node> for Nodes {
    fn index_mut(&mut self, node: Node) -> &mut Vec3 {
        &mut self.0[node as usize]
    }
}

/// The nine effectors, in the order in which they are applied. Each draws a node to a target: others speak of IK goals,
/// IK targets or IK handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effector {
    /// On the node `body`; takes both thighs along.
    Body,
    /// On the left upper arm's node.
    LeftShoulder,
    /// On the right upper arm's node.
    RightShoulder,
    /// On the left thigh's node.
    LeftThigh,
    /// On the right thigh's node.
    RightThigh,
    /// An end effector: on the left hand.
    LeftHand,
    /// An end effector: on the right hand.
    RightHand,
    /// An end effector: on the left foot.
    LeftFoot,
    /// An end effector: on the right foot.
    RightFoot,
}

impl Effector {
    /// How many there are.
    pub const COUNT: usize = 9;
    /// All of them, by their index.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Body,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftThigh,
        Self::RightThigh,
        Self::LeftHand,
        Self::RightHand,
        Self::LeftFoot,
        Self::RightFoot,
    ];
    /// The four at the ends of limbs, in the order of [`LimbName::ALL`].
    pub const END: [Self; 4] = [Self::LeftHand, Self::RightHand, Self::LeftFoot, Self::RightFoot];

    /// snake_case, as in presets.
    pub const fn key(self) -> &'static str {
        [
            "body",
            "left_shoulder",
            "right_shoulder",
            "left_thigh",
            "right_thigh",
            "left_hand",
            "right_hand",
            "left_foot",
            "right_foot",
        ][self as usize]
    }

    /// The node it moves.
    pub const fn node(self) -> Node {
        [
            Node::Body,
            Node::LeftUpperArm,
            Node::RightUpperArm,
            Node::LeftThigh,
            Node::RightThigh,
            Node::LeftHand,
            Node::RightHand,
            Node::LeftFoot,
            Node::RightFoot,
        ][self as usize]
    }

    /// The effector of that name.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effector| effector.key() == key)
    }

    /// The effector of a node; forearms and calves have none.
    pub fn of_node(node: Node) -> Option<Self> {
        Self::ALL.into_iter().find(|effector| effector.node() == node)
    }

    /// The limb at whose end it sits; `None` for the five others.
    pub fn limb(self) -> Option<LimbName> {
        LimbName::ALL.into_iter().find(|&limb| Self::END[limb.index()] == self)
    }

    /// The same on the other side; that of `body` is itself.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Body => Self::Body,
            Self::LeftShoulder => Self::RightShoulder,
            Self::RightShoulder => Self::LeftShoulder,
            Self::LeftThigh => Self::RightThigh,
            Self::RightThigh => Self::LeftThigh,
            Self::LeftHand => Self::RightHand,
            Self::RightHand => Self::LeftHand,
            Self::LeftFoot => Self::RightFoot,
            Self::RightFoot => Self::LeftFoot,
        }
    }

    /// The nodes whose triangle carries an end effector that maintains its relative position.
    pub const fn plane_nodes(limb: LimbName) -> [Node; 3] {
        match limb {
            LimbName::LeftArm => [Node::LeftUpperArm, Node::RightUpperArm, Node::Body],
            LimbName::RightArm => [Node::RightUpperArm, Node::LeftUpperArm, Node::Body],
            LimbName::LeftLeg => [Node::LeftThigh, Node::RightThigh, Node::Body],
            LimbName::RightLeg => [Node::RightThigh, Node::LeftThigh, Node::Body],
        }
    }
}

/// The body's chain and the four limbs, in solving order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chain {
    /// The body node.
    Body,
    /// From the left shoulder to the hand.
    LeftArm,
    /// From the right shoulder to the hand.
    RightArm,
    /// From the left hip to the foot.
    LeftLeg,
    /// From the right hip to the foot.
    RightLeg,
}

impl Chain {
    /// All of them, in solving order.
    pub const ALL: [Self; 5] = [Self::Body, Self::LeftArm, Self::RightArm, Self::LeftLeg, Self::RightLeg];

    /// snake_case, as in presets.
    pub const fn key(self) -> &'static str {
        ["body", "left_arm", "right_arm", "left_leg", "right_leg"][self as usize]
    }

    /// The limb; `None` for the body's chain.
    pub const fn limb(self) -> Option<LimbName> {
        match self as usize {
            0 => None,
            index => Some(LimbName::ALL[index - 1]),
        }
    }
}

impl From<LimbName> for Chain {
    fn from(limb: LimbName) -> Self {
        Self::ALL[limb.index() + 1]
    }
}

/// Which leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
}

impl Side {
    /// Left, then right: the order of everything that there is of both.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// The leg of that side.
    pub const fn limb(self) -> LimbName {
        match self {
            Self::Left => LimbName::LeftLeg,
            Self::Right => LimbName::RightLeg,
        }
    }
}

/// Where a limb's bend direction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BendSource {
    /// The animated pose, turned with the limb.
    Animation,
    /// The end effector's rotation, as far as its weight goes.
    EffectorRotation,
    /// The limb's bend goal (a pole vector).
    Goal,
    /// The limb's bend direction, where it has no goal.
    Direction,
}

impl BendSource {
    /// As shown beside the arrow.
    pub const fn label(self) -> &'static str {
        ["from animation", "from effector rotation", "from bend goal", "from bend direction"][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_serde_names() {
        for node in Node::ALL {
            assert_eq!(serde_json::to_string(&node).unwrap(), format!("{:?}", node.key()));
        }
        for effector in Effector::ALL {
            assert_eq!(serde_json::to_string(&effector).unwrap(), format!("{:?}", effector.key()));
        }
        for chain in Chain::ALL {
            assert_eq!(serde_json::to_string(&chain).unwrap(), format!("{:?}", chain.key()));
        }
    }

    #[test]
    fn limbs_own_three_nodes_each() {
        for limb in LimbName::ALL {
            assert!(Node::of_limb(limb).iter().all(|node| node.limb() == Some(limb)));
            assert_eq!(Node::of_limb(limb).map(Node::joint), [0, 1, 2]);
            assert_eq!(Effector::END[limb.index()].node(), Node::of_limb(limb)[2]);
            assert_eq!(Chain::from(limb).limb(), Some(limb));
        }
    }
}
