//! The result of detection.

use glam::Vec3;

use super::super::biped::{Biped, LimbName, Role};
use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::super::skeleton::BoneIndex;
use super::directions::{facing_of_left, upright};
use super::measure;
use super::reference::ReferenceKind;
use crate::math::{unit, unit_or_zero};

/// The bones of a role, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleFinding {
    /// The role.
    pub role: Role,
    /// The bones; empty if none was found, or if the user chose none.
    pub bones: Vec<BoneIndex>,
    /// The confidence from 0 (the search found nothing) to 1 (chosen by the user, stated by the file and not
    /// doubted by a problem, or [given](Detection::given)). For an optional role without bones, the confidence that
    /// there is none.
    pub confidence: f32,
    /// The reason, as one sentence without a full stop.
    pub reason: String,
}

/// A character of a file with several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundCharacter {
    /// The bone above all others of the character.
    pub root: BoneIndex,
    /// The pelvis; the root if a search without the mapping finds none. A mapping that names this bone as the pelvis
    /// chooses the character.
    pub pelvis: BoneIndex,
    /// Whether [`Detection::roles`] are those of this character.
    pub is_used: bool,
}

/// The result of detection.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// The biped; `None` if a required role is missing, or if the roles cannot form a biped. `problems` states why.
    pub biped: Option<Biped>,
    /// One entry per role, in the order of [`Role::ALL`], even if there is no biped.
    pub roles: Vec<RoleFinding>,
    /// Problems of the character and assumptions about it, as one sentence each.
    pub problems: Vec<String>,
    /// The characters of the file; empty if detection finds fewer than two.
    pub characters: Vec<FoundCharacter>,
    /// The pose to initialize the solver in.
    pub reference: ModelPose,
    /// The kind of the reference pose.
    pub reference_kind: ReferenceKind,
    /// The reason for the reference pose, as one sentence.
    pub reference_reason: String,
    /// The reason for [`Biped::root_node`], as one sentence; empty if no biped was found.
    pub root_node_reason: String,
    /// The facing direction of the character: a unit vector orthogonal to `up`.
    pub facing: Vec3,
    /// The direction from feet to head, as a coordinate axis; +Y if the body neither stands nor lies.
    pub up: Vec3,
    /// The unit vector to the character's left.
    pub left: Vec3,
    /// The height along `up` in model units: that of the meshes; without meshes, that of all bones; 1.15 times that of
    /// the bones with roles if the meshes do not fit them.
    pub height: f32,
}

impl Detection {
    /// Returns the result for known roles, without a search. Directions come from the limbs in the reference pose (+Y
    /// and +Z without a biped), the height from the model's rest pose. `reason` is stated for every role, for the pose
    /// and for the root node; the confidence is 1, and the kind of the pose [`ReferenceKind::Rest`].
    pub fn given(model: &Model, biped: Option<Biped>, reference: ModelPose, reason: &str) -> Self {
        let at = |bone: BoneIndex| reference.bones.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
        let (mut up, mut facing) = (Vec3::Y, Vec3::Z);
        if let Some(biped) = &biped {
            let joints = |limb| biped.limb(limb).bones.map(at);
            let middle = |left, right, joint: usize| (joints(left)[joint] + joints(right)[joint]) * 0.5;
            let across = |left, right| joints(left)[0] - joints(right)[0];
            let (arms, legs) = ((LimbName::LeftArm, LimbName::RightArm), (LimbName::LeftLeg, LimbName::RightLeg));
            let (hips, feet) = (middle(legs.0, legs.1, 0), middle(legs.0, legs.1, 2));
            let trunk = unit(middle(arms.0, arms.1, 0) - hips).unwrap_or(Vec3::Y);
            up = upright(trunk, feet - hips).unwrap_or(Vec3::Y);
            facing = facing_of_left(across(legs.0, legs.1), across(arms.0, arms.1), trunk, up);
        }
        let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
        let (height, _) = measure::height(model, &rest, up, biped.as_ref());
        let roles = Role::ALL.into_iter().map(|role| RoleFinding {
            role,
            bones: biped.as_ref().map_or_else(Vec::new, |biped| biped.bones_of(role)),
            confidence: 1.0,
            reason: reason.to_owned(),
        });
        Self {
            roles: roles.collect(),
            biped,
            problems: Vec::new(),
            characters: Vec::new(),
            reference,
            reference_kind: ReferenceKind::Rest,
            reference_reason: reason.to_owned(),
            root_node_reason: reason.to_owned(),
            facing,
            up,
            left: unit_or_zero(up.cross(facing)),
            height,
        }
    }
}
