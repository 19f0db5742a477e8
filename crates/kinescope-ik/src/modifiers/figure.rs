//! A character's bones by their roles, for modifiers, with its directions in the reference pose.

use glam::Vec3;

use crate::error::{BadValue, Fault, Problem};
use crate::full_body::{Effector, Node, facing};
use crate::math::{read_rotation, unit, unit_or_zero};
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Role, Skeleton};

/// Bones of a biped by their roles, with its directions and height in the reference pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Parent of each bone; parents come first.
    parents: Vec<Option<BoneIndex>>,
    /// The bone that carries spine and legs.
    pub pelvis: BoneIndex,
    /// Spine bones from the one next to the pelvis up to the chest, which carries the arms.
    pub spine: Vec<BoneIndex>,
    /// Bones between chest and head, from below.
    pub neck: Vec<BoneIndex>,
    /// The head, if mapped.
    pub head: Option<BoneIndex>,
    /// The three bones of each limb, in the order of [`LimbName::ALL`].
    pub limbs: [[BoneIndex; 3]; 4],
    /// A bone between the second and third bone of each limb that is off the line between them: a hock, or a second
    /// elbow. [`FourBones`](super::FourBones) bends it.
    pub inner: [Option<BoneIndex>; 4],
    /// The bone of the body node.
    pub body: BoneIndex,
    /// Direction that the character faces in the reference pose; unit, or zero if hips and shoulders are degenerate;
    /// model space.
    pub facing: Vec3,
    /// Up direction in the reference pose, orthogonal to `facing` and to the line between the shoulders; unit, or zero
    /// if these are degenerate; model space.
    pub up: Vec3,
    /// Forward axis of the eyes, in the head's space; unit, or zero if `facing` is zero. Without a head it is `facing`.
    pub eyes: Vec3,
    /// Forward axis of the chest, in its own space; unit, or zero if `facing` is zero.
    pub chest: Vec3,
    /// Bones between elbow and wrist of each arm, from the elbow on.
    pub twist_bones: [Vec<TwistBone>; 2],
    /// Distance from feet to head (to the chest without a head) in the reference pose, model units. Settings that
    /// scale with the body are fractions of it.
    pub height: f32,
}

/// A twist bone between elbow and wrist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistBone {
    /// Index of the bone.
    pub bone: BoneIndex,
    /// Place along the forearm, 0.05 to 1: the bone's share of the hand's twist.
    pub share: f32,
    /// Share of the twist bone above it in the hierarchy, whose rotation it inherits; 0 if there is none.
    pub carried: f32,
}

/// Largest distance of a twist bone from the forearm's line, as a fraction of the forearm's length.
const BESIDE: f32 = 0.2;

fn twist_bones(
    skeleton: &Skeleton,
    [_, forearm, hand]: [BoneIndex; 3],
    reference: &[RigidTransform],
) -> Vec<TwistBone> {
    let from = reference[forearm].position;
    let along = reference[hand].position - from;
    let length = along.length_squared();
    if length <= 0.0 || !length.is_finite() {
        return Vec::new();
    }
    let is_own =
        |&bone: &BoneIndex| skeleton.is_ancestor(forearm, bone) && bone != hand && !skeleton.is_ancestor(hand, bone);
    let twist = |bone: BoneIndex| {
        let at = reference[bone].position - from;
        let share = at.dot(along) / length;
        let beside = (at - along * share).length_squared();
        let is_between = (0.05..=1.0).contains(&share) && beside < BESIDE * BESIDE * length;
        is_between.then_some(TwistBone { bone, share, carried: 0.0 })
    };
    let mut found: Vec<TwistBone> = (0..skeleton.len()).filter(is_own).filter_map(twist).collect();
    for index in 0..found.len() {
        let share_of = |above: BoneIndex| found.iter().find(|own| own.bone == above).map(|own| own.share);
        found[index].carried = skeleton.ancestors(found[index].bone).find_map(share_of).unwrap_or(0.0);
    }
    found.sort_by(|a, b| a.share.total_cmp(&b.share));
    found
}

/// Smallest distance of an inner joint from the line between the limb's second and third bone, as a fraction of that
/// line.
const OFF_LINE: f32 = 0.13;

/// Returns the joint between a limb's second and third bone that is farthest off their line, if any is far enough.
fn inner_joint(
    skeleton: &Skeleton,
    [_, second, third]: [BoneIndex; 3],
    reference: &[RigidTransform],
) -> Option<BoneIndex> {
    if !skeleton.is_ancestor(second, third) {
        return None;
    }
    let from = reference[second].position;
    let along = reference[third].position - from;
    let direction = unit(along)?;
    let off = |bone: BoneIndex| direction.cross(reference[bone].position - from).length();
    let between = skeleton.ancestors(third).take_while(|&bone| bone != second);
    let farthest = between.max_by(|&a, &b| off(a).total_cmp(&off(b)))?;
    (off(farthest) > along.length() * OFF_LINE).then_some(farthest)
}

impl Figure {
    /// Creates the figure of a biped in its reference pose: model space, one transform per bone.
    ///
    /// # Errors
    /// [`Fault`] for a missing spine, a reference pose that is too short, a role whose bone does not exist, or a bone
    /// with a role and an invalid transform.
    pub fn new(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform]) -> Result<Self, Fault> {
        let limbs = LimbName::ALL.map(|limb| biped.limb(limb).bones);
        if reference.len() < skeleton.len() {
            let (found, expected) = (reference.len(), skeleton.len());
            return Err(Fault::new("reference", Problem::Length { what: "bones", found, expected }));
        }
        let Some(&chest) = biped.spine.last() else {
            let cure = "map at least one bone between pelvis and arms to `spine`";
            return Err(Fault::new("biped.spine", Problem::Empty(cure)));
        };
        let of_limb = |limb: LimbName| limb.roles().map(|role| role.key()).into_iter().zip(limbs[limb.index()]);
        let roles = [("pelvis", biped.pelvis), ("root_node", biped.root_node)].into_iter();
        let roles = roles.chain(biped.spine.iter().map(|&bone| ("spine", bone)));
        let clavicles = [(Role::LeftClavicle, LimbName::LeftArm), (Role::RightClavicle, LimbName::RightArm)]
            .into_iter()
            .filter_map(|(role, limb)| Some((role.key(), biped.limb(limb).clavicle?)));
        let roles = roles
            .chain(biped.head.map(|head| ("head", head)))
            .chain(clavicles)
            .chain(LimbName::ALL.into_iter().flat_map(of_limb));
        for (role, bone) in roles {
            let (Some(own), Some(placed)) = (skeleton.bones().get(bone), reference.get(bone)) else {
                let problem = Problem::Index { what: "bones", index: bone, count: skeleton.len() };
                return Err(Fault::new(format!("biped.{role}"), problem));
            };
            let at = || format!("reference of bone {:?}", own.name);
            BadValue::check_place(placed.position).map_err(|bad| bad.at(at()))?;
            BadValue::check_rotation(placed.rotation).map_err(|bad| bad.at(at()))?;
        }
        let rotation = |bone: BoneIndex| read_rotation(reference[bone].rotation).unwrap_or_default();
        let at = |bone: BoneIndex| reference[bone].position;
        let of_node = |node: Node| match node.limb() {
            None => at(biped.root_node),
            Some(limb) => at(limbs[limb.index()][node.joint()]),
        };
        let facing = facing(of_node);
        let side = unit_or_zero(of_node(Node::LeftUpperArm) - of_node(Node::RightUpperArm));
        let neck: Vec<BoneIndex> = biped.head.map_or_else(Vec::new, |head| {
            let above: Vec<BoneIndex> = skeleton.ancestors(head).take_while(|&bone| bone != chest).collect();
            // A head that is not a descendant of the chest has no neck.
            let is_above = skeleton.is_ancestor(chest, head);
            above.into_iter().rev().filter(|_| is_above).collect()
        });
        let top = biped.head.map_or_else(|| at(chest), at);
        let feet = (of_node(Node::LeftFoot) + of_node(Node::RightFoot)) * 0.5;
        Ok(Self {
            parents: (0..skeleton.len()).map(|bone| skeleton.parent(bone)).collect(),
            pelvis: biped.pelvis,
            spine: biped.spine.clone(),
            eyes: biped.head.map_or(facing, |head| rotation(head).conjugate() * facing),
            twist_bones: [limbs[0], limbs[1]].map(|bones| twist_bones(skeleton, bones, reference)),
            chest: rotation(chest).conjugate() * facing,
            head: biped.head,
            neck,
            inner: limbs.map(|bones| inner_joint(skeleton, bones, reference)),
            limbs,
            body: biped.root_node,
            up: unit_or_zero(facing.cross(side)),
            facing,
            height: top.distance(feet),
        })
    }

    /// Returns the number of bones of the skeleton.
    pub fn bones(&self) -> usize {
        self.parents.len()
    }

    /// Returns the spine's last bone, which carries the arms.
    pub fn chest(&self) -> BoneIndex {
        self.spine.last().copied().unwrap_or(self.pelvis)
    }

    /// Returns the bone of an effector's node.
    pub fn bone_of(&self, effector: Effector) -> BoneIndex {
        let node = effector.node();
        node.limb().map_or(self.body, |limb| self.limbs[limb.index()][node.joint()])
    }

    /// Returns the bones of all effectors, in the order of [`Effector::ALL`].
    pub fn effector_bones(&self) -> [BoneIndex; Effector::COUNT] {
        Effector::ALL.map(|effector| self.bone_of(effector))
    }

    /// Iterates over the bones of spine and neck, from below.
    pub fn bend_bones(&self) -> impl DoubleEndedIterator<Item = BoneIndex> + Clone + '_ {
        self.spine.iter().chain(&self.neck).copied()
    }

    /// Returns the first child of a bone; `None` if it has no child.
    pub fn child_of(&self, bone: BoneIndex) -> Option<BoneIndex> {
        self.parents.iter().position(|parent| *parent == Some(bone))
    }

    /// Sets the transform of a bone; its descendants follow.
    pub(super) fn carry(&self, bone: BoneIndex, to: RigidTransform, pose: &mut [RigidTransform]) {
        let from = std::mem::replace(&mut pose[bone], to);
        let turn = (to.rotation * from.rotation.conjugate()).normalize();
        for below in bone + 1..self.parents.len().min(pose.len()) {
            if self.hangs_on(below, bone) {
                let own = &mut pose[below];
                own.position = to.position + turn * (own.position - from.position);
                own.rotation = (turn * own.rotation).normalize();
            }
        }
    }

    fn hangs_on(&self, bone: BoneIndex, on: BoneIndex) -> bool {
        std::iter::successors(self.parents[bone], |&above| self.parents[above])
            .take_while(|&above| above >= on)
            .any(|above| above == on)
    }
}
