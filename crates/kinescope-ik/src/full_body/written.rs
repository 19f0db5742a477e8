//! Bones and virtual joints during writing, their moves and causes.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::hierarchy::{Hierarchy, Key, KeyBone, KeyPose};
use crate::key::named;
use crate::lanes::{Number, Rotation, Vector};
use crate::math::turn_of;
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::{Flow, GO_ON, Watch};

named! {
    /// Part of the character that a step of writing moves. The keys are the stages of `writes` in traces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Part {
        /// Returns the key in traces.
        key,
        /// Returns the bones of the part: the first line of its documentation.
        help,
        /// Returns the key of the part's step among all steps of a solve.
        step_key: &'static str,
        /// Returns a short name for a narrow cell.
        short: &'static str,
    }
    /// Every part, in writing order.
    ALL {
        /// Pelvis, spine and chest.
        Spine: "write_spine", "w sp";
        /// The head.
        Head: "write_head", "w hd";
        /// The left clavicle and arm.
        LeftArm: "write_left_arm", "w la";
        /// The right clavicle and arm.
        RightArm: "write_right_arm", "w ra";
        /// The left leg.
        LeftLeg: "write_left_leg", "w ll";
        /// The right leg.
        RightLeg: "write_right_leg", "w rl";
    }
}

impl Part {
    /// Returns the limb; `None` for spine and head.
    pub fn limb(self) -> Option<LimbName> {
        (self as usize).checked_sub(2).map(|index| LimbName::ALL[index])
    }

    /// Returns a sentence for tooltips.
    pub const fn sentence(self) -> &'static str {
        const LIMB: &str = "Swings the clavicle, if mapped, toward the limb's first node, turns both bones with the planes of \
            their nodes, and sets the rotation of the end.";
        const SPINE: &str = "Moves pelvis and last spine bone with the torso's planes; the bones between swing toward the joints of \
            their own FABRIK, and share the twist of the shoulders.";
        const HEAD: &str = "The head follows the spine, except for the rotation that it keeps from the animation.";
        [SPINE, HEAD, LIMB, LIMB, LIMB, LIMB][self as usize]
    }
}

/// Cause of a move of a bone or virtual joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteCause {
    /// The virtual spine moves with the body node.
    SpineOffset,
    /// Forward reach of the spine's FABRIK, from the chest to the pelvis.
    SpineForward {
        /// The spine's round, from 0.
        round: u32,
    },
    /// Backward reach of the spine's FABRIK, from the pelvis to the chest.
    SpineBackward {
        /// The spine's round, from 0.
        round: u32,
    },
    /// The root-node joint returns to the body node after a round.
    RootPutBack {
        /// The spine's round, from 0.
        round: u32,
    },
    /// A virtual joint moves to its place: pelvis and root node in a spine without FABRIK, the chest in any spine.
    SpineEnd,
    /// The plane of body and thighs carries the pelvis.
    PelvisPlane,
    /// A spine bone swings toward the next virtual joint.
    Swing,
    /// A spine bone takes its share of the shoulders' twist.
    Twist,
    /// The plane of body and upper arms carries the last spine bone.
    ChestPlane,
    /// The head turns back toward its animated rotation, by `head_maintain_rotation` times the master weight.
    HeadRotation,
    /// The clavicle swings toward the limb's first node.
    Clavicle(LimbName),
    /// Bone 1 moves toward its node, by the limb's mapping weight.
    Placed(LimbName),
    /// Bone 1 turns with the plane of the limb's nodes.
    UpperPlane(LimbName),
    /// Bone 2 turns with the plane of the limb's nodes.
    LowerPlane(LimbName),
    /// Bone 3 turns back toward its animated rotation, by `maintain_rotation` times mapping weight and master weight.
    MaintainRotation(LimbName),
    /// Bone 3 turns toward the target rotation of the end effector, by `rotation_weight` times mapping weight and
    /// master weight.
    EffectorRotation(LimbName),
}

impl WriteCause {
    /// Returns the limb; `None` for spine and head.
    pub fn limb(self) -> Option<LimbName> {
        match self {
            Self::Clavicle(limb)
            | Self::Placed(limb)
            | Self::UpperPlane(limb)
            | Self::LowerPlane(limb)
            | Self::MaintainRotation(limb)
            | Self::EffectorRotation(limb) => Some(limb),
            _ => None,
        }
    }
}

/// A bone or a virtual joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Moved {
    /// A bone of the skeleton; its descendants move with it.
    Bone(BoneIndex),
    /// A virtual joint of the spine: 0 is the pelvis, then one per spine bone. It has no rotation.
    SpineJoint(usize),
}

/// One move or turn of a bone or virtual joint. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMove {
    /// The bone or virtual joint that moved.
    pub moved: Moved,
    /// Transform before the move.
    pub from: RigidTransform,
    /// Transform after the move.
    pub to: RigidTransform,
    /// Cause of the move.
    pub cause: WriteCause,
}

impl BoneMove {
    /// Returns the distance moved; model units.
    pub fn distance(&self) -> f32 {
        self.from.position.distance(self.to.position)
    }

    /// Returns the shortest rotation of the move: unit axis and angle in radians, 0 to π. `None` up to 1e-6 rad.
    pub fn turn(&self) -> Option<(Vec3, f32)> {
        turn_of(self.to.rotation * self.from.rotation.conjugate())
    }
}

/// Key bones and virtual joints at an instant of writing.
#[derive(Debug, PartialEq)]
pub struct Written<R: Number = f32> {
    pub(crate) keys: KeyPose<R>,
    pub(crate) joints: Vec<R::Vec3>,
}

impl<R: Number> Default for Written<R> {
    fn default() -> Self {
        Self { keys: KeyPose::default(), joints: Vec::new() }
    }
}

impl<R: Number> Clone for Written<R> {
    fn clone(&self) -> Self {
        Self { keys: self.keys.clone(), joints: self.joints.clone() }
    }

    /// Reuses the buffers.
    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
        self.joints.clone_from(&source.joints);
    }
}

impl Written {
    /// Returns the virtual joints: the positions for pelvis and spine bones, toward which the spine bones swing; model
    /// space. The spine's FABRIK places them; in a spine without FABRIK, the torso's planes and the body node do.
    /// Before the spine is written, the joints are at the animated bones.
    pub fn spine_joints(&self) -> &[Vec3] {
        &self.joints
    }
}

impl<R: Number> Written<R> {
    #[inline(always)]
    pub(crate) fn move_joint<W: Watch<BoneMove>>(
        &mut self,
        joint: usize,
        to: R::Vec3,
        cause: WriteCause,
        watch: &mut W,
    ) -> Flow {
        let from = std::mem::replace(&mut self.joints[joint], to);
        if !W::LISTENS {
            return GO_ON;
        }
        let [from, to] = [from, to].map(|at| RigidTransform { position: at.lane(0), rotation: Quat::IDENTITY });
        if from == to { GO_ON } else { watch.saw(BoneMove { moved: Moved::SpineJoint(joint), from, to, cause }) }
    }

    #[inline(always)]
    pub(crate) fn move_bone<W: Watch<BoneMove>>(
        &mut self,
        hierarchy: &Hierarchy,
        key: Key,
        to: KeyBone<R>,
        cause: WriteCause,
        watch: &mut W,
    ) -> Flow {
        if !W::LISTENS {
            self.keys.set(hierarchy, key, to);
            return GO_ON;
        }
        let from = self.keys.get(hierarchy, key);
        self.keys.set(hierarchy, key, to);
        let [from, to] = [from, to].map(|bone| RigidTransform {
            position: bone.position.lane(0),
            rotation: bone.turn.lane(0) * self.keys.base(key).rotation.lane(0),
        });
        let moved = Moved::Bone(hierarchy.bone(key));
        if from == to { GO_ON } else { watch.saw(BoneMove { moved, from, to, cause }) }
    }

    /// Makes and reports a move that the next move of the same bone overwrites. Does nothing if the watcher does not
    /// listen, as only the last move then matters.
    #[inline(always)]
    pub(crate) fn move_bone_first<W: Watch<BoneMove>>(
        &mut self,
        hierarchy: &Hierarchy,
        key: Key,
        to: KeyBone<R>,
        cause: WriteCause,
        watch: &mut W,
    ) -> Flow {
        if W::LISTENS { self.move_bone(hierarchy, key, to, cause, watch) } else { GO_ON }
    }
}
