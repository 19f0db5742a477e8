pub(crate) mod pane;
pub(crate) mod picture;
pub(crate) mod roles;
pub(crate) mod session;
pub mod shown;
pub(crate) mod words;

use glam::{Vec2, Vec3};

use crate::character::Character;
use crate::picture::camera::Projector;
use crate::picture::picking::distance_to_segment;
use crate::session::files::without_targets;
use crate::tools::doctor::shown::ShownRig;
use crate::tools::doctor::words as text;
use crate::world::document::Document;
use kinescope_ik::full_body::Node;
use kinescope_ik::rig::detect::{Detection, FoundCharacter, MappedBones, RoleFinding};
use kinescope_ik::rig::{BoneIndex, LimbName, ModelPose, Role, Skeleton};

/// Confidence below which a role needs checking.
pub(crate) const SURE: f32 = 0.8;
/// Relative difference of left and right lengths above which the rig doctor reports it.
pub(crate) const UNEVEN: f32 = 0.03;
/// Distance within which the pointer hits a bone, logical pixels.
const GRAB: f32 = 12.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Doctor {
    /// Whether the roles of the motion file are shown instead of the character's.
    pub shows_motion: bool,
    /// The role that a click on a bone assigns.
    pub role: Option<Role>,
    /// The bone under the pointer, in the picture or the list.
    pub bone: Option<BoneIndex>,
    pub hovered: Option<Role>,
}

pub(crate) fn is_unsure(finding: &RoleFinding) -> bool {
    match finding.bones.is_empty() {
        true => !finding.role.is_optional(),
        false => finding.confidence < SURE,
    }
}

pub(crate) fn count_unsure(detection: &Detection) -> usize {
    detection.problems.len() + detection.roles.iter().filter(|role| is_unsure(role)).count()
}

pub(crate) fn limb_of(role: Role) -> Option<LimbName> {
    use Role::{LeftClavicle, RightClavicle};
    match role {
        LeftClavicle => Some(LimbName::LeftArm),
        RightClavicle => Some(LimbName::RightArm),
        role => LimbName::ALL.into_iter().find(|limb| limb.roles().contains(&role)),
    }
}

pub(crate) fn node_of(role: Role) -> Node {
    limb_of(role).map_or(Node::Body, |limb| Node::of_limb(limb)[0])
}

pub(crate) fn role_of(detection: &Detection, bone: BoneIndex) -> Option<&RoleFinding> {
    detection.roles.iter().find(|finding| finding.bones.contains(&bone))
}

pub(crate) struct Pair {
    pub(crate) name: &'static str,
    pub(crate) lengths: [f32; 2],
}

impl Pair {
    pub(crate) fn difference(&self) -> f32 {
        let [left, right] = self.lengths;
        (left - right).abs() / left.max(right).max(f32::MIN_POSITIVE)
    }
}

pub(crate) fn pairs(character: &Character) -> Vec<Pair> {
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

/// Returns the lines that represent bones, each with its bone: from the bone's joint to the joint of each child. A
/// joint without a parent, or without a child, also gives a point.
pub(crate) fn bone_lines(skeleton: &Skeleton, pose: &ModelPose) -> Vec<(BoneIndex, Vec3, Vec3)> {
    let bones = skeleton.bones();
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

pub(crate) fn bone_at(rig: &ShownRig, pose: &ModelPose, projector: &Projector, pointer: Vec2) -> Option<BoneIndex> {
    let lines = bone_lines(&rig.model.skeleton, pose);
    let near = lines.iter().filter_map(|&(bone, from, to)| {
        let [a, b] = [projector.to_screen(from)?, projector.to_screen(to)?];
        let joint = pointer.distance(a) * 0.8;
        let distance = distance_to_segment(pointer, a, b).min(joint);
        let plays = if role_of(rig.detection, bone).is_some() { 0.0 } else { 3.0 };
        (distance <= GRAB).then_some((bone, distance + plays))
    });
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
}

pub fn assign(document: &mut Document, rig: &ShownRig, role: Role, bone: BoneIndex) {
    let bones = rig.model.skeleton.bones();
    let name = |bone: BoneIndex| bones[bone].name.clone();
    let names = match role {
        Role::Spine => {
            let found = rig.detection.roles.iter().find(|finding| finding.role == Role::Spine);
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
    rig.chosen(document).insert(role, MappedBones(names));
}

/// Chooses one of the characters of a file: its pelvis becomes the only role that the user has chosen. Unless the file
/// is the motion file, targets are dropped, because they are positions on the previous character.
pub(crate) fn choose_character(document: &mut Document, rig: &ShownRig, character: FoundCharacter) {
    let Some(pelvis) = rig.model.skeleton.bones().get(character.pelvis) else { return };
    if rig.motion.is_none() {
        document.stack = without_targets(&document.stack);
    }
    let roles = rig.chosen(document);
    roles.clear();
    roles.insert(Role::Pelvis, MappedBones(vec![pelvis.name.clone()]));
}
