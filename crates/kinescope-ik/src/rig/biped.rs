//! A two-legged character: the roles of its bones, and its limbs.

use serde::{Deserialize, Serialize};

use super::pose::RigidTransform;
use super::skeleton::BoneIndex;
use crate::key::named;

named! {
    /// The four limbs: arms before legs, left before right.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum LimbName {
        /// Returns the key in presets, such as `left_arm`.
        key,
        /// Returns the label on screen, such as `left arm`.
        label,
        /// Returns the first line of the variant's documentation.
        help,
        /// Returns the label of the limb's elbow or knee, such as `left elbow`.
        joint_label: &'static str,
        /// Returns the label of the limb's shoulder or hip, such as `left shoulder`.
        root_label: &'static str,
        /// Returns the roles of the three bones, from upper arm or thigh to hand or foot.
        roles: [Role; 3],
        /// Returns the same limb on the other side.
        opposite: Self,
    }
    /// All four limbs, by index.
    ALL {
        /// From the left upper arm to the hand.
        LeftArm: "left elbow", "left shoulder", [Role::LeftUpperArm, Role::LeftForearm, Role::LeftHand], Self::RightArm;
        /// From the right upper arm to the hand.
        RightArm: "right elbow", "right shoulder", [Role::RightUpperArm, Role::RightForearm, Role::RightHand], Self::LeftArm;
        /// From the left thigh to the foot.
        LeftLeg: "left knee", "left hip", [Role::LeftThigh, Role::LeftCalf, Role::LeftFoot], Self::RightLeg;
        /// From the right thigh to the foot.
        RightLeg: "right knee", "right hip", [Role::RightThigh, Role::RightCalf, Role::RightFoot], Self::LeftLeg;
    }
}

impl LimbName {
    /// Returns the index, 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns true for an arm.
    pub const fn is_arm(self) -> bool {
        matches!(self, Self::LeftArm | Self::RightArm)
    }

    /// Returns true for a limb on the character's left.
    pub const fn is_left(self) -> bool {
        matches!(self, Self::LeftArm | Self::LeftLeg)
    }
}

named! {
    /// The role of a bone. The keys are those of the preset's `mapping` section and of `inspect --json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Role {
        /// Returns the key in files, in snake_case.
        key,
    }
    /// All roles, in the order of [`Detection::roles`](super::Detection::roles).
    ALL {
        /// The bone that carries spine and legs, called hips in some rigs.
        Pelvis;
        /// The spine bones, from the one next to the pelvis to the one that carries the arms. Only this role may have
        /// several bones.
        Spine;
        /// The head.
        Head;
        /// The left collar bone, between spine and upper arm.
        LeftClavicle;
        /// From the left shoulder joint to the elbow.
        LeftUpperArm;
        /// From the left elbow to the wrist.
        LeftForearm;
        /// The left hand: the bone that starts at the wrist.
        LeftHand;
        /// The right collar bone, between spine and upper arm.
        RightClavicle;
        /// From the right shoulder joint to the elbow.
        RightUpperArm;
        /// From the right elbow to the wrist.
        RightForearm;
        /// The right hand: the bone that starts at the wrist.
        RightHand;
        /// From the left hip joint to the knee.
        LeftThigh;
        /// From the left knee to the ankle; also called lower leg or shin.
        LeftCalf;
        /// The left foot: the bone that starts at the ankle.
        LeftFoot;
        /// From the right hip joint to the knee.
        RightThigh;
        /// From the right knee to the ankle; also called lower leg or shin.
        RightCalf;
        /// The right foot: the bone that starts at the ankle.
        RightFoot;
    }
}

impl Role {
    /// Returns the role with the given key; `None` for an unknown key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key)
    }

    /// Returns true for roles that a biped may lack: head and clavicles.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Head | Self::LeftClavicle | Self::RightClavicle)
    }
}

/// The bones of an arm or leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limb {
    /// The bone between spine and upper arm; `None` for legs, and for arms without a clavicle.
    pub clavicle: Option<BoneIndex>,
    /// Upper arm, forearm, hand; or thigh, calf, foot.
    pub bones: [BoneIndex; 3],
}

/// Bone indices of a complete two-legged character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Biped {
    /// The bone that carries spine and legs.
    pub pelvis: BoneIndex,
    /// The spine from the bone next to the pelvis upwards: at least one bone, without the pelvis.
    pub spine: Vec<BoneIndex>,
    /// The head, if the character has one.
    pub head: Option<BoneIndex>,
    /// The bone of the solver's `body` node: the pelvis or a spine bone.
    pub root_node: BoneIndex,
    /// The limbs, in the order of [`LimbName::ALL`].
    pub limbs: [Limb; 4],
}

impl Biped {
    /// Returns a biped with the [root node](Self::root_node_among) selected by position. `reference` is a pose in model
    /// space.
    ///
    /// `None` if the spine is empty, or if the pose lacks a bone of the spine, an upper arm or a thigh. Nothing else is
    /// checked here; [`check`](crate::full_body::check) reports whether the biped can be solved.
    pub fn new(
        pelvis: BoneIndex,
        spine: Vec<BoneIndex>,
        head: Option<BoneIndex>,
        limbs: [Limb; 4],
        reference: &[RigidTransform],
    ) -> Option<Self> {
        let root_node = Self::root_node_among(&spine, &limbs, reference)?;
        Some(Self { pelvis, spine, head, root_node, limbs })
    }

    /// Returns the spine bone of the solver's `body` node: the last one in the lower half between thighs and upper arms
    /// in the reference pose, otherwise the first. `None` if the spine is empty, or if the pose lacks a bone of the
    /// spine, an upper arm or a thigh.
    pub fn root_node_among(spine: &[BoneIndex], limbs: &[Limb; 4], reference: &[RigidTransform]) -> Option<BoneIndex> {
        Self::placed_root_node(spine, limbs, reference).map(|(bone, _)| bone)
    }

    /// Returns the result of [`Self::root_node_among`], and whether a bone in the lower half was found. `None` in the
    /// same cases.
    pub(super) fn placed_root_node(
        spine: &[BoneIndex],
        limbs: &[Limb; 4],
        reference: &[RigidTransform],
    ) -> Option<(BoneIndex, bool)> {
        let at = |bone: BoneIndex| reference.get(bone).map(|bone| bone.position);
        let middle = |a: usize, b: usize| Some((at(limbs[a].bones[0])? + at(limbs[b].bones[0])?) * 0.5);
        let (from, to) = (middle(2, 3)?, middle(0, 1)?);
        let line = to - from;
        let mut found = (*spine.first()?, false);
        for &bone in spine {
            let t = (at(bone)? - from).dot(line) / line.length_squared();
            if t > 0.0 && t < 0.5 {
                found = (bone, true);
            }
        }
        Some(found)
    }

    /// Returns the bones of an arm or leg.
    pub fn limb(&self, limb: LimbName) -> &Limb {
        &self.limbs[limb.index()]
    }

    /// Returns the bones with a role: none, one, or for the spine several.
    pub fn bones_of(&self, role: Role) -> Vec<BoneIndex> {
        match role {
            Role::Pelvis => vec![self.pelvis],
            Role::Spine => self.spine.clone(),
            Role::Head => self.head.into_iter().collect(),
            Role::LeftClavicle => self.limbs[0].clavicle.into_iter().collect(),
            Role::RightClavicle => self.limbs[1].clavicle.into_iter().collect(),
            _ => LimbName::ALL
                .into_iter()
                .flat_map(|limb| limb.roles().into_iter().zip(self.limb(limb).bones))
                .filter(|&(of, _)| of == role)
                .map(|(_, bone)| bone)
                .collect(),
        }
    }

    /// Returns the role of a bone; `None` if it has none.
    pub fn role_of(&self, bone: BoneIndex) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.bones_of(role).contains(&bone))
    }
}
