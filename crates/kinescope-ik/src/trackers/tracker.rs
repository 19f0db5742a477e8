//! The trackers that a user can wear.

use serde::{Deserialize, Serialize};

use crate::key::named;
use crate::names::{Effector, Node};
use crate::rig::LimbName;

named! {
    /// A tracker, named after the part of the body that wears it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Tracker {
        /// Returns the key in presets.
        key,
        /// Returns the label on screen.
        label,
        /// Returns the same tracker on the other side; itself for a tracker in the middle.
        opposite: Self,
    }
    /// All trackers. Each set of [`Points`](super::Points) is the first part of this list.
    ALL {
        /// The headset.
        Head: Self::Head;
        /// The left controller.
        LeftHand: Self::RightHand;
        /// The right controller.
        RightHand: Self::LeftHand;
        /// A strap at the belt.
        Pelvis: Self::Pelvis;
        /// A strap on the left foot.
        LeftFoot: Self::RightFoot;
        /// A strap on the right foot.
        RightFoot: Self::LeftFoot;
        /// A strap on the chest.
        Chest: Self::Chest;
        /// A strap below the left elbow.
        LeftElbow: Self::RightElbow;
        /// A strap below the right elbow.
        RightElbow: Self::LeftElbow;
        /// A strap below the left knee.
        LeftKnee: Self::RightKnee;
        /// A strap below the right knee.
        RightKnee: Self::LeftKnee;
    }
}

impl Tracker {
    /// The number of trackers.
    pub const COUNT: usize = 11;

    /// Returns whether the tracker is a headset or controller, which reports its place on head or hand.
    pub const fn is_device(self) -> bool {
        matches!(self, Self::Head | Self::LeftHand | Self::RightHand)
    }

    /// Returns the limb that the tracker is worn on, and the index of the bone within the limb; `None` for head and torso.
    pub const fn limb(self) -> Option<(LimbName, usize)> {
        match self {
            Self::LeftHand => Some((LimbName::LeftArm, 2)),
            Self::RightHand => Some((LimbName::RightArm, 2)),
            Self::LeftElbow => Some((LimbName::LeftArm, 1)),
            Self::RightElbow => Some((LimbName::RightArm, 1)),
            Self::LeftFoot => Some((LimbName::LeftLeg, 2)),
            Self::RightFoot => Some((LimbName::RightLeg, 2)),
            Self::LeftKnee => Some((LimbName::LeftLeg, 1)),
            Self::RightKnee => Some((LimbName::RightLeg, 1)),
            Self::Head | Self::Pelvis | Self::Chest => None,
        }
    }

    /// Returns the node whose colour the tracker has: that of its bone for a tracker on a limb, otherwise the body.
    pub const fn node(self) -> Node {
        match self.limb() {
            Some((limb, joint)) => Node::of_limb(limb)[joint],
            None => Node::Body,
        }
    }

    /// Returns the effector that the tracker sets directly; `None` for trackers of head, torso, elbows and knees.
    pub const fn effector(self) -> Option<Effector> {
        match self {
            Self::LeftHand => Some(Effector::LeftHand),
            Self::RightHand => Some(Effector::RightHand),
            Self::LeftFoot => Some(Effector::LeftFoot),
            Self::RightFoot => Some(Effector::RightFoot),
            _ => None,
        }
    }
}
