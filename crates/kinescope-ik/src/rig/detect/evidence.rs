//! Evidence for roles: names, the file's humanoid map, shape and position, and the facing direction.

use glam::{Mat4, Vec3};

use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::super::skeleton::BoneIndex;
use super::directions::flat;
use super::limbs::{Body, Triple};
use super::mapping::Mapping;
use super::names::{NameEvidence, Part, Side};

pub(super) const BY_HUMANOID: &str = "stated by the file's humanoid map";
/// The reasons of a role for which the user chose a bone, and of one for which the user chose none.
pub(super) const BY_CHOICE: [&str; 2] = ["you chose it", "you chose none"];
pub(super) const BY_NAME: &str = "by the names of the limb's bones";
pub(super) const BY_SHAPE: &str = "by shape and position";
pub(super) const BY_CONTINUATION: &str = "it continues limb or body though the file attaches it elsewhere";

/// The input of the search that does not depend on the pose.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) model: &'a Model,
    pub(super) mapping: &'a Mapping,
    pub(super) names: &'a [NameEvidence],
    pub(super) is_weighted: &'a [bool],
    /// False if it is unknown which bones move vertices.
    pub(super) knows_weights: bool,
    /// For a file with several characters: true for all bones outside this character; and the first bone of this
    /// character.
    pub(super) left_out: Option<(&'a [bool], BoneIndex)>,
}

/// Returns for each bone whether it moves vertices, and whether that is known. With fewer than eight such bones it is
/// unknown, and every bone counts as moving vertices.
pub(super) fn weighted_bones(model: &Model) -> (Vec<bool>, bool) {
    let mut weighted = vec![false; model.skeleton.len()];
    for mesh in &model.meshes {
        let mut used = vec![false; mesh.joints.len()];
        for (joints, weights) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights) {
            for (&joint, &weight) in joints.iter().zip(weights) {
                if let Some(used) = used.get_mut(usize::from(joint)).filter(|_| weight > 0.01) {
                    *used = true;
                }
            }
        }
        for (joint, _) in mesh.joints.iter().zip(used).filter(|&(_, used)| used) {
            if let Some(weighted) = joint.bone.and_then(|bone| weighted.get_mut(bone)) {
                *weighted = true;
            }
        }
    }
    // Too few for a body: a prop on a rig without its meshes says nothing about the body.
    let is_known = weighted.iter().filter(|&&weighted| weighted).count() >= 8;
    if is_known { (weighted, true) } else { (vec![true; weighted.len()], false) }
}

pub(super) struct LimbSet {
    pub(super) arms: [Triple; 2],
    pub(super) legs: [Triple; 2],
    /// The side that the evidence states for the first of each pair; `None` if it states none.
    pub(super) claimed: Option<Side>,
    pub(super) confidence: f32,
    pub(super) reason: &'static str,
}

impl LimbSet {
    /// Returns whether the file or the user states the limbs and their sides.
    pub(super) fn is_final(&self) -> bool {
        self.reason == BY_HUMANOID || self.reason == BY_CHOICE[0]
    }
}

pub(super) fn fits_name(part: Option<Part>, is_arm: bool, index: usize) -> bool {
    match (is_arm, index) {
        (true, 0) => matches!(part, Some(Part::UpperArm | Part::Arm)),
        (true, 1) => matches!(part, Some(Part::Forearm | Part::Arm)),
        (true, _) => matches!(part, Some(Part::Hand | Part::Palm)),
        (false, 0) => matches!(part, Some(Part::Thigh | Part::Leg)),
        (false, 1) => matches!(part, Some(Part::Calf | Part::Leg)),
        (false, _) => part == Some(Part::Foot),
    }
}

pub(super) fn limbs_by_humanoid(evidence: &Evidence, body: &Body) -> Option<LimbSet> {
    let bone = |name: String| evidence.model.humanoid.iter().find(|(key, _)| *key == name).map(|&(_, bone)| bone);
    let limb = |side: &str, parts: [&str; 3]| {
        let [a, b, c] = parts.map(|part| bone(format!("{side}{part}")));
        Some(Triple([a?, b?, c?])).filter(|&triple| body.is_sane(triple))
    };
    let pair = |parts| Some([limb("left", parts)?, limb("right", parts)?]);
    Some(LimbSet {
        arms: pair(["UpperArm", "LowerArm", "Hand"])?,
        legs: pair(["UpperLeg", "LowerLeg", "Foot"])?,
        claimed: Some(Side::Left),
        confidence: 1.0,
        reason: BY_HUMANOID,
    })
}

pub(super) fn limbs_by_name(body: &Body) -> Option<LimbSet> {
    let pair = |is_arm| Some([body.find_by_name(Side::Left, is_arm)?, body.find_by_name(Side::Left.other(), is_arm)?]);
    let (arms, legs): ([Triple; 2], [Triple; 2]) = (pair(true)?, pair(false)?);
    let alike = |[a, b]: [Triple; 2]| {
        let (a, b): (f32, f32) = (body.lengths(a).iter().sum(), body.lengths(b).iter().sum());
        (a - b).abs() < a.max(b) * 0.35
    };
    (alike(arms) && alike(legs)).then_some(LimbSet {
        arms,
        legs,
        claimed: Some(Side::Left),
        confidence: 0.95,
        reason: BY_NAME,
    })
}

pub(super) fn limbs_by_shape(body: &Body) -> Option<LimbSet> {
    let (legs, arms) = body.find_by_shape();
    let (legs, arms) = (legs?, arms?);
    let confidence = (0.8 - 0.15 * legs.cost.max(arms.cost).max(0.0)).clamp(0.3, 0.8);
    Some(LimbSet { arms: arms.limbs, legs: legs.limbs, claimed: None, confidence, reason: BY_SHAPE })
}

/// Returns evidence for the facing direction: positive for `facing`, negative for its opposite, near 0 if there is
/// none.
pub(super) fn facing_vote(
    evidence: &Evidence,
    pose: &ModelPose,
    body: &Body,
    arms: [Triple; 2],
    legs: [Triple; 2],
    facing: Vec3,
    up: Vec3,
) -> f32 {
    let at = |bone: BoneIndex| body.position[bone];
    let mut vote = 0.0;
    for leg in legs {
        let length: f32 = body.lengths(leg).iter().sum::<f32>().max(1e-20);
        let [hip, knee, ankle] = leg.0;
        let mut furthest = Vec3::ZERO;
        let mut stack = body.children[ankle].clone();
        let mut remaining = 200;
        while let Some(bone) = stack.pop().filter(|_| remaining > 0) {
            remaining -= 1;
            let offset = flat(at(bone) - at(ankle), up);
            if offset.length() > furthest.length() {
                furthest = offset;
            }
            stack.extend(&body.children[bone]);
        }
        vote += (furthest.dot(facing) / length * 6.0).clamp(-1.0, 1.0);
        if let Some(sole) = sole(evidence, pose, ankle) {
            // Toes reach further from the ankle than the heel, so the centre of the foot's vertices is ahead of the
            // ankle.
            vote += (flat(sole - at(ankle), up).dot(facing) / length * 8.0).clamp(-0.8, 0.8);
        }
        vote += (flat(at(knee) - at(hip), at(ankle) - at(hip)).dot(facing) / length * 8.0).clamp(-0.5, 0.5);
    }
    for arm in arms {
        let length: f32 = body.lengths(arm).iter().sum::<f32>().max(1e-20);
        let [shoulder, elbow, hand] = arm.0;
        vote -= (flat(at(elbow) - at(shoulder), at(hand) - at(shoulder)).dot(facing) / length * 3.0).clamp(-0.3, 0.3);
    }
    vote / 2.0
}

/// Returns the centre of the bounding box of the vertices that follow a foot by more than half their weight, in the
/// pose; `None` if there are none.
pub(super) fn sole(evidence: &Evidence, pose: &ModelPose, foot: BoneIndex) -> Option<Vec3> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for mesh in &evidence.model.meshes {
        let matrices: Vec<Option<Mat4>> = mesh
            .joints
            .iter()
            .map(|joint| (joint.bone == Some(foot)).then(|| pose.model_from_bone(foot) * joint.bone_from_mesh))
            .collect();
        if matrices.iter().all(Option::is_none) {
            continue;
        }
        for ((joints, weights), &position) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights).zip(&mesh.positions) {
            for (&joint, &weight) in joints.iter().zip(weights) {
                if let Some(Some(matrix)) = matrices.get(usize::from(joint)).filter(|_| weight > 0.5) {
                    let place = matrix.transform_point3(position);
                    (low, high) = (low.min(place), high.max(place));
                }
            }
        }
    }
    let middle = (low + high) * 0.5;
    middle.is_finite().then_some(middle)
}
