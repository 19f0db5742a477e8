//! State of the rig doctor: doubtful roles, the bone under the pointer, and assigning roles.

pub mod pane;
pub mod picture;
pub mod roles;
pub mod session;
pub mod words;

use glam::{Vec2, Vec3};

use crate::character::Character;
use crate::picture::camera::Projector;
use crate::picture::picking::distance_to_segment;
use crate::tools::doctor::words as text;
use crate::world::document::Document;
use kinescope_ik::full_body::Node;
use kinescope_ik::rig::detect::{MappedBones, RoleFinding};
use kinescope_ik::rig::{BoneIndex, LimbName, ModelPose, Role};

/// Confidence below which a role needs checking.
pub const SURE: f32 = 0.8;
/// Relative difference of left and right lengths above which the rig doctor reports it.
pub const UNEVEN: f32 = 0.03;
/// Distance within which the pointer hits a bone, logical pixels.
const GRAB: f32 = 12.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Doctor {
    /// The role that a click on a bone assigns.
    pub role: Option<Role>,
    /// The bone under the pointer, in the picture or the list.
    pub bone: Option<BoneIndex>,
    pub hovered: Option<Role>,
}

/// Returns whether a role needs checking: a required role without a bone, or one with low confidence.
pub fn is_unsure(finding: &RoleFinding) -> bool {
    match finding.bones.is_empty() {
        true => !finding.role.is_optional(),
        false => finding.confidence < SURE,
    }
}

/// Returns the number of roles and problems of a character that need checking.
pub fn count_unsure(character: &Character) -> usize {
    character.detection.problems.len() + character.detection.roles.iter().filter(|role| is_unsure(role)).count()
}

/// Returns the limb of a role. Returns `None` for pelvis, spine and head.
pub fn limb_of(role: Role) -> Option<LimbName> {
    use Role::{LeftClavicle, RightClavicle};
    match role {
        LeftClavicle => Some(LimbName::LeftArm),
        RightClavicle => Some(LimbName::RightArm),
        role => LimbName::ALL.into_iter().find(|limb| limb.roles().contains(&role)),
    }
}

pub fn node_of(role: Role) -> Node {
    limb_of(role).map_or(Node::Body, |limb| Node::of_limb(limb)[0])
}

pub fn role_of(character: &Character, bone: BoneIndex) -> Option<&RoleFinding> {
    character.detection.roles.iter().find(|finding| finding.bones.contains(&bone))
}

/// Lengths of a segment on both sides, model units.
pub struct Pair {
    pub name: &'static str,
    pub lengths: [f32; 2],
}

impl Pair {
    pub fn difference(&self) -> f32 {
        let [left, right] = self.lengths;
        (left - right).abs() / left.max(right).max(f32::MIN_POSITIVE)
    }
}

/// Returns the segments of both sides in the reference pose. Without a biped, there are none.
pub fn pairs(character: &Character) -> Vec<Pair> {
    let Some(biped) = &character.detection.biped else { return Vec::new() };
    let at = |bone: BoneIndex| character.detection.reference.position(bone);
    let segment = |limb: LimbName, part: usize| {
        let bones = biped.limbs[limb.index()].bones;
        at(bones[part]).distance(at(bones[part + 1]))
    };
    let pair =
        |name, [left, right]: [LimbName; 2], part| Pair { name, lengths: [segment(left, part), segment(right, part)] };
    let (arms, legs) = ([LimbName::LeftArm, LimbName::RightArm], [LimbName::LeftLeg, LimbName::RightLeg]);
    vec![
        pair(text::UPPER_ARM, arms, 0),
        pair(text::FOREARM, arms, 1),
        pair(text::THIGH, legs, 0),
        pair(text::CALF, legs, 1),
    ]
}

/// Returns the lines that represent bones, with the bone of each: from a joint to that of each child. A joint that lacks
/// a parent or a child also gives a point.
pub fn bone_lines(character: &Character, pose: &ModelPose) -> Vec<(BoneIndex, Vec3, Vec3)> {
    let bones = character.model.skeleton.bones();
    let at = |bone: BoneIndex| pose.bones.get(bone).map(|bone| bone.position).filter(|at| at.is_finite());
    let mut has_child = vec![false; bones.len()];
    for parent in bones.iter().filter_map(|bone| bone.parent) {
        has_child[parent] = true;
    }
    let mut lines = Vec::with_capacity(bones.len());
    for (index, bone) in bones.iter().enumerate() {
        let Some(to) = at(index) else { continue };
        match bone.parent.and_then(|parent| Some((parent, at(parent)?))) {
            Some((parent, from)) => lines.push((parent, from, to)),
            None => lines.push((index, to, to)),
        }
        if !has_child[index] {
            lines.push((index, to, to));
        }
    }
    lines
}

/// Returns the bone under the pointer. A bone with a role counts as 3 pixels nearer, and a joint as 20 % nearer than
/// the middle of a bone.
pub fn bone_at(character: &Character, pose: &ModelPose, projector: &Projector, pointer: Vec2) -> Option<BoneIndex> {
    let lines = bone_lines(character, pose);
    let near = lines.iter().filter_map(|&(bone, from, to)| {
        let [a, b] = [projector.to_screen(from)?, projector.to_screen(to)?];
        let joint = pointer.distance(a) * 0.8;
        let distance = distance_to_segment(pointer, a, b).min(joint);
        let plays = if role_of(character, bone).is_some() { 0.0 } else { 3.0 };
        (distance <= GRAB).then_some((bone, distance + plays))
    });
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
}

/// Assigns a role to a bone. For the spine, which has several bones, adds the bone or removes it.
pub fn assign(document: &mut Document, character: &Character, role: Role, bone: BoneIndex) {
    let bones = character.model.skeleton.bones();
    let name = |bone: BoneIndex| bones[bone].name.clone();
    let names = match role {
        Role::Spine => {
            let found = character.detection.roles.iter().find(|finding| finding.role == Role::Spine);
            let found = found.map_or(&[][..], |finding| &finding.bones);
            let mut spine: Vec<BoneIndex> = found.iter().copied().filter(|&other| other != bone).collect();
            if spine.len() == found.len() {
                spine.push(bone);
            }
            // Spine bones must be in the order of the hierarchy.
            spine.sort_unstable();
            spine.into_iter().map(name).collect()
        }
        _ => vec![name(bone)],
    };
    document.mapping.roles.insert(role, MappedBones(names));
}
