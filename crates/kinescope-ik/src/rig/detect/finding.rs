//! What the rig doctor found.

use glam::Vec3;

use super::super::biped::{Biped, LimbName, Role};
use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::super::skeleton::BoneIndex;
use super::directions::{facing_of_left, upright};
use super::measure;
use super::reference::ReferenceKind;
use crate::math::{unit, unit_or_zero};

/// Which bones play a role, and why it is believed.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleFinding {
    /// Which role.
    pub role: Role,
    /// Empty if no bone plays it.
    pub bones: Vec<BoneIndex>,
    /// 0 (a guess, or nothing found) to 1 (the user or the file says so).
    pub confidence: f32,
    /// One sentence without its full stop.
    pub reason: String,
}

/// What the rig doctor found.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// `None` if any role is missing that a biped cannot do without; `problems` says which.
    pub biped: Option<Biped>,
    /// One for each role, in the order of [`Role::ALL`], also where there is no biped.
    pub roles: Vec<RoleFinding>,
    /// What is wrong with the character and what was assumed; a plain sentence each.
    pub problems: Vec<String>,
    /// The pose to initialise the solver in.
    pub reference: ModelPose,
    /// Which of the model's poses that is.
    pub reference_kind: ReferenceKind,
    /// Why that pose; one sentence.
    pub reference_reason: String,
    /// Why that bone is [`Biped::root_node`]; one sentence, empty where there is no biped.
    pub root_node_reason: String,
    /// Where the character looks: a unit vector, orthogonal to `up`.
    pub facing: Vec3,
    /// The direction from feet to head: a coordinate axis.
    pub up: Vec3,
    /// Unit vector to the character's own left.
    pub left: Vec3,
    /// Extent along `up` in model units: of the meshes, or of the bones where there are none.
    pub height: f32,
}

impl Detection {
    /// A character whose roles are known, without a search. Axes come from the limbs in the reference pose, the height from the
    /// model's rest pose. `reason` is that of every role and of the pose.
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
