//! Names of nodes, effectors, chains, sides and sources of bend directions, each in a fixed order.

use std::ops::{Index, IndexMut};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::key::named;
use crate::rig::LimbName;

named! {
    /// The 13 points that the solver moves. Each stands for the bone of the same name; `body` stands for the root-node
    /// bone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Node {
        /// Returns the key in traces, in snake_case.
        key,
        /// Returns the first line of the variant's documentation.
        help,
    }
    /// All nodes, by index.
    ALL {
        /// The middle of the torso: the bone of [`Biped::root_node`](crate::rig::Biped::root_node).
        Body;
        /// The left shoulder joint.
        LeftUpperArm;
        /// The left elbow.
        LeftForearm;
        /// The left wrist.
        LeftHand;
        /// The right shoulder joint.
        RightUpperArm;
        /// The right elbow.
        RightForearm;
        /// The right wrist.
        RightHand;
        /// The left hip joint.
        LeftThigh;
        /// The left knee.
        LeftCalf;
        /// The left ankle.
        LeftFoot;
        /// The right hip joint.
        RightThigh;
        /// The right knee.
        RightCalf;
        /// The right ankle.
        RightFoot;
    }
}

impl Node {
    /// The number of nodes.
    pub const COUNT: usize = 13;

    /// Returns the three nodes of a limb, from shoulder or hip to hand or foot.
    pub const fn of_limb(limb: LimbName) -> [Self; 3] {
        let first = 1 + 3 * limb as usize;
        [Self::ALL[first], Self::ALL[first + 1], Self::ALL[first + 2]]
    }

    /// Returns the node's index within its limb, 0 to 2; 2 for `body`, which has no limb.
    pub const fn joint(self) -> usize {
        (self as usize + 2) % 3
    }

    /// Returns the limb of the node; `None` for `body`.
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

named! {
    /// The nine effectors, in the order of every array with one element for each. An effector moves a node to a target;
    /// other tools call them IK goals, IK targets or IK handles.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Effector {
        /// Returns the key in presets, in snake_case.
        key,
        /// Returns the first line of the variant's documentation.
        help,
        /// Returns the node that the effector moves.
        node: Node,
        /// Returns the same effector on the other side; `body` for `body`.
        opposite: Self,
    }
    /// All effectors, by index.
    ALL {
        /// On the node `body`; moves both thighs too.
        Body: Node::Body, Self::Body;
        /// On the left upper arm's node.
        LeftShoulder: Node::LeftUpperArm, Self::RightShoulder;
        /// On the right upper arm's node.
        RightShoulder: Node::RightUpperArm, Self::LeftShoulder;
        /// On the left thigh's node.
        LeftThigh: Node::LeftThigh, Self::RightThigh;
        /// On the right thigh's node.
        RightThigh: Node::RightThigh, Self::LeftThigh;
        /// An end effector: on the left hand.
        LeftHand: Node::LeftHand, Self::RightHand;
        /// An end effector: on the right hand.
        RightHand: Node::RightHand, Self::LeftHand;
        /// An end effector: on the left foot.
        LeftFoot: Node::LeftFoot, Self::RightFoot;
        /// An end effector: on the right foot.
        RightFoot: Node::RightFoot, Self::LeftFoot;
    }
}

impl Effector {
    /// The number of effectors.
    pub const COUNT: usize = 9;

    /// The four effectors of hands and feet, in the order of [`LimbName::ALL`].
    pub const END: [Self; 4] = [Self::LeftHand, Self::RightHand, Self::LeftFoot, Self::RightFoot];

    /// The four effectors of shoulders and thighs, in the order of [`LimbName::ALL`].
    pub(crate) const FIRST: [Self; 4] = [Self::LeftShoulder, Self::RightShoulder, Self::LeftThigh, Self::RightThigh];

    /// Returns the effector with the given key; `None` if there is none.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effector| effector.key() == key)
    }

    /// Returns the effector of a node; `None` for forearms and calves.
    pub fn of_node(node: Node) -> Option<Self> {
        Self::ALL.into_iter().find(|effector| effector.node() == node)
    }

    /// Returns the limb that ends at the effector; `None` for the five others.
    pub fn limb(self) -> Option<LimbName> {
        LimbName::ALL.into_iter().find(|&limb| Self::END[limb.index()] == self)
    }

    /// Returns the three nodes whose plane the end effector of a limb follows if the effector maintains its relative
    /// position.
    pub const fn plane_nodes(limb: LimbName) -> [Node; 3] {
        match limb {
            LimbName::LeftArm => [Node::LeftUpperArm, Node::RightUpperArm, Node::Body],
            LimbName::RightArm => [Node::RightUpperArm, Node::LeftUpperArm, Node::Body],
            LimbName::LeftLeg => [Node::LeftThigh, Node::RightThigh, Node::Body],
            LimbName::RightLeg => [Node::RightThigh, Node::LeftThigh, Node::Body],
        }
    }
}

named! {
    /// The chains of the solver: the body's, then one for each limb in the order of [`LimbName::ALL`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Chain {
        /// Returns the key in presets, in snake_case.
        key,
    }
    /// All chains, by index.
    ALL {
        /// The body node.
        Body;
        /// From the left shoulder to the hand.
        LeftArm;
        /// From the right shoulder to the hand.
        RightArm;
        /// From the left hip to the foot.
        LeftLeg;
        /// From the right hip to the foot.
        RightLeg;
    }
}

impl Chain {
    /// Returns the limb; `None` for the body's chain.
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

named! {
    /// A side of the character.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Side {
        /// Returns the label on screen: `left`.
        label,
        /// Returns the leg of that side.
        limb: LimbName,
        /// Returns the node of its foot.
        foot: Node,
        /// Returns the label of its foot: `left foot`.
        foot_label: &'static str,
    }
    /// Left, then right: the order of every array with one element for each side.
    ALL {
        /// The character's left.
        Left: LimbName::LeftLeg, Node::LeftFoot, "left foot";
        /// The character's right.
        Right: LimbName::RightLeg, Node::RightFoot, "right foot";
    }
}

named! {
    /// A source of a limb's bend direction, which may be a blend of several.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BendSource {
        /// Returns the label of the arrow on screen.
        label: &'static str,
    }
    /// All sources of a bend direction.
    ALL {
        /// The animated pose, rotated with the limb.
        Animation: "from animation";
        /// The end effector's target rotation. Its share grows with the rotation weight.
        EffectorRotation: "from effector rotation";
        /// The limb's bend goal (a pole vector).
        Goal: "from bend goal";
        /// The limb's bend direction, used if the limb has no bend goal.
        Direction: "from bend direction";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
