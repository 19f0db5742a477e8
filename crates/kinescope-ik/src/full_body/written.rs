//! What writing moves: parts, bones and virtual joints, and where they are at an instant of it.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::hierarchy::{Hierarchy, Key, KeyBone, KeyPose};
use crate::key::named;
use crate::lanes::{Number, Rotation, Vector};
use crate::math::turn_of;
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::{Flow, GO_ON, Watch};

named! {
    /// What a step of writing moves. The names are those of `writes` in traces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Part {
        /// Returns the key in traces.
        key,
        /// Returns the key of its step among the steps of the whole solve.
        step_key: &'static str,
        /// Returns a short name for a narrow cell.
        short: &'static str,
    }
    /// All of them, in the order in which they are written.
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
    /// The limb; `None` for spine and head.
    pub fn limb(self) -> Option<LimbName> {
        (self as usize).checked_sub(2).map(|index| LimbName::ALL[index])
    }

    /// What it does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        const LIMB: &str = "The clavicle swings after the limb's first node, both bones turn with the planes that their \
            nodes lie in, the end keeps or takes a rotation.";
        const SPINE: &str = "The pelvis and the last spine bone go with the torso's planes; the bones between swing \
            after a FABRIK of their own, and share the twist of the shoulders.";
        const HEAD: &str = "The head goes with the spine, as far as it does not keep its animated rotation.";
        [SPINE, HEAD, LIMB, LIMB, LIMB, LIMB][self as usize]
    }
}

/// Why a bone, or a virtual joint of the spine, moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteCause {
    /// The virtual spine goes along with the body node.
    SpineOffset,
    /// The virtual spine's FABRIK, from the chest to the pelvis.
    SpineForward {
        /// The spine's round, from 0.
        round: u32,
    },
    /// The same from the pelvis to the chest.
    SpineBackward {
        /// The spine's round, from 0.
        round: u32,
    },
    /// The root-node joint is put back to the body node, after the round.
    RootPutBack {
        /// The spine's round, from 0.
        round: u32,
    },
    /// A virtual joint of a spine without FABRIK goes to the pelvis or the body node; the last one always to the chest.
    SpineEnd,
    /// The pelvis, carried by the plane of body and thighs.
    PelvisPlane,
    /// A spine bone turns towards the next virtual joint.
    Swing,
    /// A spine bone takes its share of the shoulders' twist.
    Twist,
    /// The last spine bone, carried by the plane of body and upper arms.
    ChestPlane,
    /// The head keeps its animated rotation.
    HeadRotation,
    /// The clavicle turns towards the limb's first node.
    Clavicle(LimbName),
    /// Bone 1 goes to its node.
    Placed(LimbName),
    /// Bone 1 turns with the plane of its nodes.
    UpperPlane(LimbName),
    /// Bone 2 does.
    LowerPlane(LimbName),
    /// Bone 3 keeps its animated rotation.
    MaintainRotation(LimbName),
    /// Bone 3 takes the rotation of its effector.
    EffectorRotation(LimbName),
}

impl WriteCause {
    /// The limb it belongs to; `None` for spine and head.
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

/// What moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Moved {
    /// A bone of the skeleton, and all that hangs on it.
    Bone(BoneIndex),
    /// A virtual joint of the spine: 0 is the pelvis, then spine bone by spine bone. It has no rotation.
    SpineJoint(usize),
}

/// One bone or virtual joint, moved or turned once. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMove {
    /// The bone or virtual joint that moved.
    pub moved: Moved,
    /// Where it was.
    pub from: RigidTransform,
    /// Where it is then.
    pub to: RigidTransform,
    /// Why it moved.
    pub cause: WriteCause,
}

impl BoneMove {
    /// How far it went.
    pub fn distance(&self) -> f32 {
        self.from.position.distance(self.to.position)
    }

    /// Its turn, the short way: unit axis and angle in radians, 0 to π. `None` if it did not turn.
    pub fn turn(&self) -> Option<(Vec3, f32)> {
        turn_of(self.to.rotation * self.from.rotation.conjugate())
    }
}

/// Where writing is: the bones that it moves, and the virtual joints of the spine.
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

    /// The buffers are used again.
    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
        self.joints.clone_from(&source.joints);
    }
}

impl Written {
    /// Where the spine's own FABRIK has pelvis and spine bones: what the bones between the ends swing after. Before the
    /// spine is written, where the animated bones are.
    pub fn spine_joints(&self) -> &[Vec3] {
        &self.joints
    }
}

impl<R: Number> Written<R> {
    /// Moves a virtual joint of the spine.
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

    /// Moves a key bone; those under it go along.
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

    /// Moves a key bone that is moved once more before anything looks at it: only for who watches.
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
