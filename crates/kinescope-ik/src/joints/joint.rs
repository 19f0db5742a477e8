//! The joints of a character.

use glam::{Quat, Vec3};

pub use super::anatomy::Part;
use super::anatomy::Setting;
pub use super::limits::MAX_JOINTS;
use super::limits::{JointLimits, JointRanges};
use super::path::Path;
use crate::error::{BadValue, Fault, Problem};
use crate::math::{read_rotation, unit_or_zero};
use crate::names::{Effector, Side};
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Skeleton};

/// The index of a joint in [`Joints::all`]. 0 is the pelvis; parents come before children.
pub type JointIndex = usize;

/// A bone that a solver moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The skeleton's bone.
    pub bone: BoneIndex,
    /// The parent joint; `None` for the pelvis.
    pub parent: Option<JointIndex>,
    /// The part of the body.
    pub part: Part,
    /// The side of the body; `None` in its middle.
    pub side: Option<Side>,
    /// Position in the space of the parent joint, in the reference pose; that of the pelvis in model space.
    pub offset: Vec3,
    /// Rotation relative to the parent joint in the reference pose; that of the pelvis in model space.
    pub rotation: Quat,
    /// The share of the body's mass; the shares add up to 1.
    pub mass: f32,
    /// Centre of mass, in the joint's space.
    pub centre: Vec3,
    /// End of the capsule that starts at the joint, in the joint's space: usually the next joint.
    pub end: Vec3,
    /// Radius of the capsule, model units.
    pub radius: f32,
}

/// The joints of one character. Solvers share them; no solve changes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Joints {
    all: Vec<Joint>,
    carriers: Vec<Option<u8>>,
    body: JointIndex,
    limbs: [[JointIndex; 3]; 4],
    facing: Vec3,
    up: Vec3,
    height: f32,
    /// The corners of each sole on the ground in the reference pose, in the foot joint's space: heel, then toes.
    pub(super) soles: [[Vec3; 4]; 2],
    pub(super) pairs: Vec<[u8; 2]>,
    mobility: [f32; MAX_JOINTS],
    paths: [Path; Effector::COUNT],
    /// The anatomical limits.
    pub limits: JointLimits,
    /// The ranges that the character's clips use; `None` if no clip was sampled.
    pub clip_ranges: Option<JointRanges>,
}

struct Draft {
    bone: BoneIndex,
    parent: Option<JointIndex>,
    part: Part,
    side: Option<Side>,
}

impl Joints {
    /// Creates the joints of a biped from its reference pose: model space, one transform per bone of the skeleton.
    ///
    /// # Errors
    /// [`Fault`] for a biped without a spine, with more than [`MAX_JOINTS`] joints, with a bone that the skeleton lacks, or
    /// with a bone in two roles; for a reference pose with another number of bones, and for a joint with an invalid transform
    /// in it. A head that the skeleton lacks counts as absent.
    pub fn new(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform]) -> Result<Self, Fault> {
        if reference.len() != skeleton.len() {
            let (found, expected) = (reference.len(), skeleton.len());
            return Err(Fault::new("reference", Problem::Length { what: "bones", found, expected }));
        }
        let (drafts, limbs) = drafts(skeleton, biped)?;
        for draft in &drafts {
            let Some(placed) = reference.get(draft.bone) else {
                let problem = Problem::Index { what: "bones", index: draft.bone, count: skeleton.len() };
                return Err(Fault::new(format!("biped.{}", draft.part.key()), problem));
            };
            let at = || format!("reference of bone {:?}", skeleton.bones()[draft.bone].name);
            BadValue::check_place(placed.position).map_err(|bad| bad.at(at()))?;
            BadValue::check_rotation(placed.rotation).map_err(|bad| bad.at(at()))?;
        }
        let mut carriers: Vec<Option<u8>> = vec![None; skeleton.len()];
        for (index, draft) in drafts.iter().enumerate() {
            carriers[draft.bone] = Some(index as u8);
        }
        for bone in 0..carriers.len() {
            let above = skeleton.parent(bone).and_then(|parent| carriers[parent]);
            carriers[bone] = carriers[bone].or(above);
        }
        let body = drafts.iter().position(|draft| draft.bone == biped.root_node).unwrap_or(0);
        let at = |joint: JointIndex| reference[drafts[joint].bone].position;
        let middle = |index: usize| (at(limbs[index][0]) + at(limbs[index + 1][0])) * 0.5;
        let left = at(limbs[2][0]) - at(limbs[3][0]);
        let facing = unit_or_zero(left.cross(middle(0) - middle(2)));
        let up = unit_or_zero(facing.cross(left));
        let top = drafts.iter().position(|draft| draft.part == Part::Head).map_or(middle(0), at);
        let height = top.distance((at(limbs[2][2]) + at(limbs[3][2])) * 0.5);
        let mut joints = Self {
            all: Vec::with_capacity(drafts.len()),
            carriers,
            body,
            limbs,
            facing,
            up,
            height,
            soles: [[Vec3::ZERO; 4]; 2],
            pairs: Vec::new(),
            mobility: [0.0; MAX_JOINTS],
            paths: [Path::default(); Effector::COUNT],
            limits: JointLimits::default(),
            clip_ranges: None,
        };
        joints.measure(&drafts, skeleton, reference);
        joints.soles = joints.find_soles(skeleton, reference);
        joints.pairs = joints.find_pairs();
        joints.mobility = joints.find_mobility();
        joints.paths = joints.find_paths();
        Ok(joints)
    }

    /// Returns all joints, parents before children.
    #[inline]
    pub fn all(&self) -> &[Joint] {
        &self.all
    }

    /// Returns the number of joints.
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns false: a biped has joints.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the number of bones of the skeleton.
    pub fn bone_count(&self) -> usize {
        self.carriers.len()
    }

    /// Returns the joint that an effector moves; for the body effector, that of the root node, or the pelvis if the
    /// root node is not a joint.
    pub fn effector(&self, effector: Effector) -> JointIndex {
        let node = effector.node();
        node.limb().map_or(self.body, |limb| self.limbs[limb.index()][node.joint()])
    }

    /// Returns the joints of a limb: upper arm, forearm, hand; or thigh, calf, foot.
    pub fn limb(&self, limb: LimbName) -> [JointIndex; 3] {
        self.limbs[limb.index()]
    }

    /// Returns 1 / moment of inertia of everything that a joint carries, about the joint in the reference pose; the mass of
    /// the body is 1. 0 if there is no such joint.
    pub fn mobility(&self, joint: JointIndex) -> f32 {
        self.mobility.get(joint).copied().unwrap_or(0.0)
    }

    #[inline(always)]
    pub(crate) fn path(&self, effector: Effector) -> &Path {
        &self.paths[effector as usize]
    }

    /// Returns the joint that carries a bone: its own, or the nearest one above it. `None` for a bone that is neither a
    /// joint nor below one, and for a bone that the skeleton lacks.
    #[inline]
    pub fn carrier(&self, bone: BoneIndex) -> Option<JointIndex> {
        self.carriers.get(bone).copied().flatten().map(usize::from)
    }

    /// Returns the direction that the character faces in the reference pose; unit, or zero if hips and shoulders do not
    /// define one.
    pub fn facing(&self) -> Vec3 {
        self.facing
    }

    /// Returns the direction from hips to shoulders in the reference pose, made orthogonal to [`Self::facing`] and to the
    /// line between the hips; unit, or zero if there is no facing direction.
    pub fn up(&self) -> Vec3 {
        self.up
    }

    /// Returns the distance in the reference pose from the middle of the ankles to the head joint, or to the middle of the
    /// shoulders for a biped without a head; model units.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Returns the name of a joint, such as `left forearm` or `spine 2`. Empty if there is no such joint.
    pub fn label(&self, joint: JointIndex) -> String {
        let Some(own) = self.all.get(joint) else { return String::new() };
        let part = own.part.label();
        match (own.side, own.part) {
            (Some(side), _) => format!("{} {part}", side.label()),
            (None, Part::Spine | Part::Neck) => {
                let before = self.all[..joint].iter().filter(|other| other.part == own.part).count();
                format!("{part} {}", before + 1)
            }
            (None, _) => part.to_owned(),
        }
    }

    /// Returns whether `joint` is `above` itself or a descendant of `above`.
    pub fn is_under(&self, joint: JointIndex, above: JointIndex) -> bool {
        std::iter::successors(Some(joint), |&own| self.all.get(own)?.parent).any(|own| own == above)
    }

    fn measure(&mut self, drafts: &[Draft], skeleton: &Skeleton, reference: &[RigidTransform]) {
        let placed = |joint: JointIndex| {
            let bone = reference[drafts[joint].bone];
            RigidTransform { rotation: read_rotation(bone.rotation).unwrap_or_default(), ..bone }
        };
        let count_of = |part: Part| drafts.iter().filter(|draft| draft.part == part).count().max(1) as f32;
        let ends: Vec<Vec3> = (0..drafts.len()).map(|joint| self.end_of(joint, drafts, skeleton, reference)).collect();
        let has_head = drafts.iter().any(|draft| draft.part == Part::Head);
        let missing = if has_head { 0.0 } else { Part::Head.mass() };
        for (index, draft) in drafts.iter().enumerate() {
            let own = placed(index);
            let above = draft.parent.map_or(RigidTransform::IDENTITY, placed);
            let local = above.to_local(&own);
            let end = own.to_local(&RigidTransform { position: ends[index], ..own }).position;
            let shared = match draft.part {
                Part::Spine => count_of(Part::Spine),
                Part::Neck | Part::Head => {
                    count_of(Part::Neck) * f32::from(drafts.iter().any(|d| d.part == Part::Neck) as u8) + 1.0
                }
                _ => 1.0,
            };
            let mass = match draft.part {
                // A character without a head bone carries its head with the spine.
                Part::Spine => (Part::Spine.mass() + missing) / shared,
                part => part.mass(),
            };
            self.all.push(Joint {
                bone: draft.bone,
                parent: draft.parent,
                part: draft.part,
                side: draft.side,
                offset: local.position,
                rotation: local.rotation,
                mass,
                centre: end * draft.part.centre(),
                end,
                radius: draft.part.radius() * self.height,
            });
            let before = draft.parent.map_or(self.up, |parent| unit_or_zero(own.position - placed(parent).position));
            let left = self.up.cross(self.facing);
            let setting = Setting {
                part: draft.part,
                parent: above.rotation,
                rotation: own.rotation,
                along: unit_or_zero(ends[index] - own.position),
                before,
                outward: if draft.side == Some(Side::Right) { -left } else { left },
                facing: self.facing,
                up: self.up,
                shared,
            };
            self.limits.of[index] = setting.limit();
        }
    }

    fn end_of(&self, joint: JointIndex, drafts: &[Draft], skeleton: &Skeleton, reference: &[RigidTransform]) -> Vec3 {
        let own = &drafts[joint];
        let at = reference[own.bone].position;
        let next = |part: Part| drafts.iter().position(|draft| draft.parent == Some(joint) && draft.part == part);
        let parts = match own.part {
            Part::Pelvis => [Part::Spine, Part::Spine],
            Part::Spine => [Part::Spine, Part::Neck],
            Part::Neck => [Part::Neck, Part::Head],
            Part::Clavicle => [Part::UpperArm, Part::UpperArm],
            Part::UpperArm => [Part::Forearm, Part::Forearm],
            Part::Forearm => [Part::Hand, Part::Hand],
            Part::Thigh => [Part::Calf, Part::Calf],
            Part::Calf => [Part::Foot, Part::Foot],
            Part::Head | Part::Hand | Part::Foot => [Part::Head, Part::Head],
        };
        let child = parts.into_iter().find_map(next).or_else(|| next(Part::Head));
        if let Some(child) = child {
            return reference[drafts[child].bone].position;
        }
        let farthest = (own.bone + 1..skeleton.len())
            .filter(|&bone| self.carriers[bone] == Some(joint as u8))
            .map(|bone| reference[bone].position)
            .filter(|place| place.is_finite() && place.distance(at) < self.height * 0.25)
            .max_by(|a, b| a.distance(at).total_cmp(&b.distance(at)));
        let before = own.parent.map_or(self.up, |parent| unit_or_zero(at - reference[drafts[parent].bone].position));
        let (least, usual) = (
            self.height * 0.03,
            match own.part {
                Part::Hand => before * (self.height * 0.1),
                Part::Foot => (self.facing * 0.14 - self.up * 0.03) * self.height,
                _ => self.up * (self.height * 0.12),
            },
        );
        farthest.filter(|end| own.part != Part::Head && end.distance(at) > least).unwrap_or(at + usual)
    }

    fn find_soles(&self, skeleton: &Skeleton, reference: &[RigidTransform]) -> [[Vec3; 4]; 2] {
        let feet = [LimbName::LeftLeg, LimbName::RightLeg].map(|leg| self.limb(leg)[2]);
        let is_of_foot = |bone: BoneIndex| self.carrier(bone).is_some_and(|joint| feet.contains(&joint));
        let heights = (0..skeleton.len()).filter(|&bone| is_of_foot(bone)).map(|bone| reference[bone].position.y);
        let ground = heights.fold(f32::INFINITY, f32::min);
        feet.map(|foot| {
            let joint = &self.all[foot];
            let own = reference[joint.bone];
            let flat = |v: Vec3| Vec3::new(v.x, ground, v.z);
            let (ankle, toe) = (flat(own.position), flat(own.transform_point(joint.end)));
            let along = toe - ankle;
            let side = Vec3::Y.cross(along) * 0.2;
            let heel = ankle - along * 0.3;
            [heel - side, heel + side, toe + side, toe - side]
                .map(|corner| own.to_local(&RigidTransform { position: corner, ..RigidTransform::IDENTITY }).position)
        })
    }
}

/// Returns the joints, parents before children, and the joints of each limb in the order of [`LimbName::ALL`].
fn drafts(skeleton: &Skeleton, biped: &Biped) -> Result<(Vec<Draft>, [[JointIndex; 3]; 4]), Fault> {
    let mut drafts = vec![Draft { bone: biped.pelvis, parent: None, part: Part::Pelvis, side: None }];
    let mut add = |bone, parent, part, side| {
        drafts.push(Draft { bone, parent: Some(parent), part, side });
        drafts.len() - 1
    };
    let mut above = 0;
    for &bone in &biped.spine {
        above = add(bone, above, Part::Spine, None);
    }
    let Some(&chest_bone) = biped.spine.last() else {
        let cure = "map at least one bone between pelvis and arms to `spine`";
        return Err(Fault::new("biped.spine", Problem::Empty(cure)));
    };
    let chest = above;
    if let Some(head) = biped.head.filter(|&head| head < skeleton.len()) {
        let mut neck: Vec<BoneIndex> = skeleton.ancestors(head).take_while(|&bone| bone != chest_bone).collect();
        if !skeleton.is_ancestor(chest_bone, head) {
            neck.clear();
        }
        for bone in neck.into_iter().rev() {
            above = add(bone, above, Part::Neck, None);
        }
        add(head, above, Part::Head, None);
    }
    let mut limbs = [[0; 3]; 4];
    for limb in LimbName::ALL {
        let own = biped.limb(limb);
        let side = Some(if limb.is_left() { Side::Left } else { Side::Right });
        let mut above = if limb.is_arm() { chest } else { 0 };
        if let Some(clavicle) = own.clavicle {
            above = add(clavicle, above, Part::Clavicle, side);
        }
        let parts = match limb.is_arm() {
            true => [Part::UpperArm, Part::Forearm, Part::Hand],
            false => [Part::Thigh, Part::Calf, Part::Foot],
        };
        for (index, part) in parts.into_iter().enumerate() {
            above = add(own.bones[index], above, part, side);
            limbs[limb.index()][index] = above;
        }
    }
    if drafts.len() > MAX_JOINTS {
        let message = format!(
            "has {} bones, and the body {} joints in all; at most {MAX_JOINTS} joints are possible: map fewer to \
             `spine`",
            biped.spine.len(),
            drafts.len()
        );
        return Err(Fault::new("biped.spine", message));
    }
    let bad = drafts.iter().find(|draft| draft.bone >= skeleton.len());
    if let Some(draft) = bad {
        let problem = Problem::Index { what: "bones", index: draft.bone, count: skeleton.len() };
        return Err(Fault::new(format!("biped.{}", draft.part.key()), problem));
    }
    let repeated =
        (1..drafts.len()).find(|&index| drafts[..index].iter().any(|other| other.bone == drafts[index].bone));
    match repeated {
        Some(index) => {
            let name = &skeleton.bones()[drafts[index].bone].name;
            Err(Fault::new(format!("bone {name:?}"), "has two roles; map it to one of the two"))
        }
        None => Ok((drafts, limbs)),
    }
}
