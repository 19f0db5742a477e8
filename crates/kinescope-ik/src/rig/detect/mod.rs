//! The rig doctor: which bone plays which role, how sure that is, and what is wrong with the character.
//!
//! Positions and the shape of the tree decide, names are evidence, a VRM humanoid map decides where there is one, and
//! the user's own [`Mapping`] wins over everything. Limbs are sought by name first and by shape where names fail;
//! which of a pair is the left one is read off the body (toes, knees, elbows), not off the names. Feet and hands that
//! hang elsewhere count where they continue a limb; of bones in one place that one counts which has the limb below it.
//! In the end left and right are held against each other, and whatever had to be assumed is among the problems.

mod anatomy;
mod digitigrade;
mod limbs;
mod mapping;
mod measure;
mod names;
mod reference;
mod strays;
mod trunk;

use std::collections::BTreeMap;

use glam::{Mat4, Vec3};

use super::biped::{Biped, Limb, LimbName, Role};
use super::model::Model;
use super::model_pose::ModelPose;
use super::pose::RigidTransform;
use super::skeleton::{BoneIndex, Skeleton};
use crate::math::{angle, unit, unit_or_zero};
use limbs::{Body, Triple};
use names::{NameEvidence, Part, Side};
use reference::{Fitness, choose, fitness};

pub use mapping::{MappedBones, Mapping};
pub use reference::{ReferenceChoice, ReferenceKind};

/// Below this bend a limb's own bend direction means nothing (degrees).
pub const DEPENDABLE_BEND_DEGREES: f32 = 5.0;

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

/// Finds the biped in a model.
///
/// Never fails: what cannot be found is told in [`Detection::problems`].
pub fn detect(model: &Model, mapping: &Mapping, reference: ReferenceChoice) -> Detection {
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let bind = model.bind.clone().filter(|bind| bind.bones.len() == model.skeleton.len());
    let names = names::read_names(model.skeleton.bones().iter().map(|bone| bone.name.as_str()));
    let evidence = Evidence { model, mapping, names: &names, is_weighted: &weighted_bones(model) };

    let at_rest = Search::run(&evidence, &rest);
    let distinct = bind.as_ref().filter(|bind| !are_same(&rest, bind, at_rest.size));
    let (search, pose, kind, reason) = match (distinct, reference) {
        (None, ReferenceChoice::Bind) => match bind {
            Some(bind) => (at_rest, bind, ReferenceKind::Bind, "you chose it; the rest pose is the same".to_owned()),
            None => (at_rest, rest, ReferenceKind::Rest, "the file has no bind pose".to_owned()),
        },
        (None, _) => {
            let reason = if bind.is_some() { "rest and bind pose are the same" } else { "the file has no bind pose" };
            (at_rest, rest, ReferenceKind::Rest, reason.to_owned())
        }
        (Some(_), ReferenceChoice::Rest) => (at_rest, rest, ReferenceKind::Rest, "you chose it".to_owned()),
        (Some(bind), choice) => {
            let at_bind = Search::run(&evidence, bind);
            if choice == ReferenceChoice::Bind {
                (at_bind, bind.clone(), ReferenceKind::Bind, "you chose it".to_owned())
            } else {
                choose(at_rest, rest, at_bind, bind.clone())
            }
        }
    };
    search.finish(&evidence, pose, kind, reason)
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

/// The direction from feet to head of a body that stands, or that lies with its legs in line with its trunk. `None` for one that
/// walks on all fours, and for what is no body.
fn upright(trunk: Vec3, legs: Vec3) -> Option<Vec3> {
    match () {
        () if trunk.dot(Vec3::Y) > 0.6 => Some(Vec3::Y),
        () if unit_or_zero(legs).dot(trunk) < -0.5 => Some(nearest_axis(trunk)),
        () => None,
    }
}

/// Where a body looks whose hips and shoulders go from right to left as given.
fn facing_of_left(hips: Vec3, shoulders: Vec3, trunk: Vec3, up: Vec3) -> Vec3 {
    let both = unit_or_zero(flat(hips, trunk)) + unit_or_zero(flat(shoulders, trunk));
    let across = if both.length() < 0.5 { flat(hips, trunk) } else { both };
    unit(unit_or_zero(flat(across, up)).cross(up)).unwrap_or(Vec3::Z)
}

/// What does not depend on the pose.
struct Evidence<'a> {
    model: &'a Model,
    mapping: &'a Mapping,
    names: &'a [NameEvidence],
    is_weighted: &'a [bool],
}

/// Bones that move vertices; all of them if none does.
fn weighted_bones(model: &Model) -> Vec<bool> {
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
    // Too few to be a body: a prop on a rig without its meshes tells nothing.
    if weighted.iter().filter(|&&weighted| weighted).count() < 8 { vec![true; weighted.len()] } else { weighted }
}

fn are_same(a: &ModelPose, b: &ModelPose, size: f32) -> bool {
    a.bones
        .iter()
        .zip(&b.bones)
        .all(|(a, b)| a.position.distance(b.position) <= size * 2e-3 && a.rotation.dot(b.rotation).abs() > 1.0 - 2e-5)
}

/// What one pose led to.
struct Search {
    roles: BTreeMap<Role, Found>,
    problems: Vec<String>,
    facing: Vec3,
    up: Vec3,
    left: Vec3,
    size: f32,
    /// How unfit the pose is to initialise a solver in.
    unfitness: Fitness,
}

#[derive(Clone, Debug)]
struct Found {
    bones: Vec<BoneIndex>,
    confidence: f32,
    reason: String,
}

/// Limbs before anyone knows which is left.
struct LimbSet {
    arms: [Triple; 2],
    legs: [Triple; 2],
    /// Sides the source of the limbs claims for the first of each pair.
    claimed: Option<Side>,
    confidence: f32,
    reason: &'static str,
}

impl Search {
    /// In the tree as the file has it; for who is no biped there, with limbs hung back on what they continue.
    fn run(evidence: &Evidence, pose: &ModelPose) -> Self {
        let as_it_is = Self::run_on(evidence, pose, |_| {});
        if as_it_is.is_whole() {
            return as_it_is;
        }
        let with_limbs = Self::run_on(evidence, pose, |body| body.reattach_limbs());
        if with_limbs.is_whole() { with_limbs } else { as_it_is }
    }

    /// Whether there is a bone for all that a biped cannot do without.
    fn is_whole(&self) -> bool {
        let has = |role: &Role| self.roles.get(role).is_some_and(|found| !found.bones.is_empty());
        Role::ALL.iter().filter(|role| !role.is_optional()).all(has)
    }

    fn run_on(evidence: &Evidence, pose: &ModelPose, hang: fn(&mut Body)) -> Self {
        let skeleton = &evidence.model.skeleton;
        let positions: Vec<Vec3> = pose.bones.iter().map(|bone| bone.position).collect();
        let new_body = |up: Vec3| {
            let mut body = Body::new(skeleton, positions.clone(), evidence.names, evidence.is_weighted, up);
            hang(&mut body);
            body
        };
        let mut body = new_body(Vec3::Y);
        let mut search = Self {
            roles: BTreeMap::new(),
            problems: Vec::new(),
            facing: Vec3::Z,
            up: Vec3::Y,
            left: Vec3::X,
            size: body.size,
            unfitness: Fitness::default(),
        };
        let mut mapped = BTreeMap::new();
        search.read_mapping(evidence, &mut mapped);

        let mut set = limbs_by_humanoid(evidence, &body).or_else(|| limbs_by_name(&body));
        if set.is_none() {
            set = limbs_by_shape(&body);
            for axis in [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X, Vec3::NEG_Y] {
                // A crowd of nodes is a landscape, not somebody lying down.
                if set.is_some() || skeleton.len() > 20_000 {
                    break;
                }
                let lying = new_body(axis);
                if let Some(found) = limbs_by_shape(&lying) {
                    set = Some(found);
                    body = lying;
                }
            }
        }
        match set {
            Some(set) => search.assemble(evidence, pose, &body, set),
            None => search.partial(&body),
        }
        search.assemble_mapped(evidence, pose, &body, &mapped);
        // The user's word last: it replaces what was found, whatever that was.
        for (role, bones) in mapped {
            let reason = if bones.is_empty() { "you said that there is none" } else { "you chose it" };
            search.roles.insert(role, Found { bones, confidence: 1.0, reason: reason.to_owned() });
        }
        search
    }

    /// Once more with the user's limbs in place of those found, as sides, pelvis and spine depend on them.
    fn assemble_mapped(
        &mut self,
        evidence: &Evidence,
        pose: &ModelPose,
        body: &Body,
        mapped: &BTreeMap<Role, Vec<BoneIndex>>,
    ) {
        let is_limb = |role: Role| LimbName::ALL.iter().any(|limb| limb.roles().contains(&role));
        if !mapped.keys().any(|&role| is_limb(role)) {
            return;
        }
        let one = |role: Role| {
            let found = || self.roles.get(&role).and_then(|found| found.bones.first());
            mapped.get(&role).and_then(|bones| bones.first()).or_else(found).copied()
        };
        let limb = |limb: LimbName| {
            let [a, b, c] = limb.roles().map(one);
            Some(Triple([a?, b?, c?])).filter(|&triple| body.is_sane(triple))
        };
        let pair = |left, right| Some([limb(left)?, limb(right)?]);
        let arms = pair(LimbName::LeftArm, LimbName::RightArm);
        let Some((arms, legs)) = arms.zip(pair(LimbName::LeftLeg, LimbName::RightLeg)) else { return };
        // A bone in two places is reported where the biped is built.
        let mut bones: Vec<BoneIndex> = arms.iter().chain(&legs).flat_map(|limb| limb.0).collect();
        bones.sort_unstable();
        if bones.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let before = std::mem::take(&mut self.roles);
        self.problems.retain(|problem| problem.starts_with("mapping: "));
        let set = LimbSet { arms, legs, claimed: Some(Side::Left), confidence: 0.9, reason: BY_USER };
        self.assemble(evidence, pose, body, set);
        let kept = before.into_iter().filter(|&(role, _)| is_limb(role));
        self.roles.extend(kept);
    }

    fn read_mapping(&mut self, evidence: &Evidence, mapped: &mut BTreeMap<Role, Vec<BoneIndex>>) {
        for (&role, names) in &evidence.mapping.roles {
            let key = role.key();
            if names.0.is_empty() {
                if role.is_optional() {
                    mapped.insert(role, Vec::new());
                } else {
                    self.problems
                        .push(format!("mapping: {key} cannot be null, a biped needs it; it was detected instead"));
                }
                continue;
            }
            if names.0.len() > 1 && role != Role::Spine {
                self.problems
                    .push(format!("mapping: {key} takes one bone, not {}; it was detected instead", names.0.len()));
                continue;
            }
            let mut bones = Vec::new();
            for name in &names.0 {
                match evidence.model.skeleton.find(name) {
                    Some(bone) => bones.push(bone),
                    None => self.problems.push(format!(
                        "mapping: {key} names {name:?}, which is not a bone of this model; it was detected instead"
                    )),
                }
            }
            if bones.len() == names.0.len() {
                mapped.insert(role, bones);
            }
        }
    }

    fn set(&mut self, role: Role, bones: Vec<BoneIndex>, confidence: f32, reason: impl Into<String>) {
        self.roles.insert(role, Found { bones, confidence, reason: reason.into() });
    }

    /// What can be said where there are no four limbs: the roles that names alone give.
    fn partial(&mut self, body: &Body) {
        let (legs, arms) = body.find_by_shape();
        for (is_arm, limbs) in
            [(true, [LimbName::LeftArm, LimbName::RightArm]), (false, [LimbName::LeftLeg, LimbName::RightLeg])]
        {
            for (limb, side) in limbs.into_iter().zip([Side::Left, Side::Right]) {
                if let Some(triple) = body.find_by_name(side, is_arm) {
                    for (role, bone) in limb.roles().into_iter().zip(triple.0) {
                        self.set(role, vec![bone], 0.3, "by its name alone");
                    }
                }
            }
            if !self.roles.contains_key(&limbs[0].roles()[0]) && !self.roles.contains_key(&limbs[1].roles()[0]) {
                let pair = if is_arm { arms } else { legs };
                for (limb, triple) in limbs.into_iter().zip(pair.into_iter().flat_map(|pair| pair.limbs)) {
                    for (role, bone) in limb.roles().into_iter().zip(triple.0) {
                        self.set(role, vec![bone], 0.2, "by its shape alone, its side is a guess");
                    }
                }
            }
        }
    }

    fn assemble(&mut self, evidence: &Evidence, pose: &ModelPose, body: &Body, set: LimbSet) {
        let at = |bone: BoneIndex| body.position[bone];
        let middle = |pair: &[Triple; 2], joint: usize| (at(pair[0].0[joint]) + at(pair[1].0[joint])) * 0.5;
        let hips = middle(&set.legs, 0);
        let shoulders = middle(&set.arms, 0);
        let trunk = unit(shoulders - hips).unwrap_or(body.up);
        // Sides that the file or the user decided are not in question.
        let by_file = matches!(set.reason, BY_HUMANOID | BY_USER);

        // Upright, or lying with the legs in line with the trunk. Else it walks on all fours, or is no body at all.
        let legs_down = middle(&set.legs, 2) - hips;
        let hands_low =
            middle(&set.arms, 2).dot(body.up) < middle(&set.legs, 2).dot(body.up) + (shoulders - hips).length() * 0.4;
        if let Some(up) = upright(trunk, legs_down) {
            self.up = up;
            if self.up != Vec3::Y {
                let axis = axis_name(self.up);
                self.problems
                    .push(format!("the character's head points along {axis}, not along +Y: it is taken as lying"));
            }
        } else if !by_file && (trunk.dot(Vec3::Y) < 0.35 || hands_low) {
            let degrees = angle(trunk, Vec3::Y).to_degrees();
            self.problems.push(format!(
                "the trunk is {degrees:.0}° from upright and the legs do not continue it: this looks like an animal on \
                 four feet, not like a biped"
            ));
            self.partial(body);
            self.problems.push(NOT_FOUND.to_owned());
            self.roles.retain(|role, _| !matches!(role, Role::Pelvis | Role::Spine));
            self.roles.values_mut().for_each(|found| found.confidence *= 0.5);
            return;
        }
        let up = self.up;

        // Left and right from the body itself.
        let across = unit_or_zero(flat(at(set.legs[0].0[0]) - at(set.legs[1].0[0]), trunk))
            + unit_or_zero(flat(at(set.arms[0].0[0]) - at(set.arms[1].0[0]), trunk));
        let (mut arms, legs) = (set.arms, set.legs);
        if !by_file {
            arms.iter_mut().for_each(|arm| arm.0[2] = body.palm_above(arm.0[1], arm.0[2]));
        }
        let legs_across = flat(at(legs[0].0[0]) - at(legs[1].0[0]), trunk);
        let arms_across = flat(at(arms[0].0[0]) - at(arms[1].0[0]), trunk);
        let mut across = if across.length() < 0.5 { legs_across } else { across };
        if legs_across.dot(arms_across) < 0.0 && set.claimed.is_none() {
            arms.swap(0, 1);
            across = unit_or_zero(legs_across) - unit_or_zero(arms_across);
        }
        let across = unit_or_zero(flat(across, up));
        // With the first of each pair on the left, the character looks here.
        let facing_if_left = unit_or_zero(across.cross(up));
        let vote = facing_vote(evidence, pose, body, [arms[0], arms[1]], [legs[0], legs[1]], facing_if_left, up);
        let first_is_left = match (set.claimed, by_file) {
            (Some(side), true) => side == Side::Left,
            (Some(side), false) => {
                let by_names = side == Side::Left;
                if vote.abs() < WEAK_VOTE {
                    by_names
                } else {
                    if (vote > 0.0) != by_names {
                        self.problems.push(
                            "the bones' names say left where the body says right: the body was believed".to_owned(),
                        );
                    }
                    vote > 0.0
                }
            }
            (None, _) => {
                let names: f32 = legs
                    .iter()
                    .chain(&arms)
                    .zip([1.0, -1.0, 1.0, -1.0])
                    .flat_map(|(limb, sign)| limb.0.map(|bone| (bone, sign)))
                    .map(|(bone, sign)| match evidence.names[bone].side {
                        Some(Side::Left) => sign,
                        Some(Side::Right) => -sign,
                        None => 0.0,
                    })
                    .sum();
                if vote.abs() >= WEAK_VOTE {
                    if names * vote < 0.0 {
                        self.problems.push(
                            "the bones' names say left where the body says right: the body was believed".to_owned(),
                        );
                    }
                    vote > 0.0
                } else if names != 0.0 {
                    names > 0.0
                } else {
                    self.problems.push(
                        "nothing tells front from back: the character was taken to face the nearer of +Z and +X"
                            .to_owned(),
                    );
                    facing_if_left.dot(Vec3::Z + Vec3::X * 0.5) >= 0.0
                }
            }
        };
        let sign = if first_is_left { 1.0 } else { -1.0 };
        self.facing = unit(facing_if_left * sign).unwrap_or(Vec3::Z);
        self.left = unit_or_zero(up.cross(self.facing));
        let (left, right) = if first_is_left { (0, 1) } else { (1, 0) };
        let mut limbs = [arms[left], arms[right], legs[left], legs[right]];
        let toes = [2, 3].map(|leg| body.toes_below_hock(limbs[leg]));
        // Who says what the foot is means it: the rig doctor tells what that does to a hock.
        if let ([Some(left), Some(right)], false) = (toes, by_file) {
            (limbs[2].0[2], limbs[3].0[2]) = (left, right);
        }

        let mut confidence = set.confidence;
        for (name, triple) in LimbName::ALL.into_iter().zip(limbs) {
            for (index, (role, bone)) in name.roles().into_iter().zip(triple.0).enumerate() {
                let named = fits_name(evidence.names[bone].part, name.is_arm(), index);
                let strayed = body.parent[bone] != evidence.model.skeleton.parent(bone);
                let reason = match (set.reason, named) {
                    (BY_NAME | BY_SHAPE, _) if strayed => BY_CONTINUATION,
                    (BY_SHAPE, true) => "by shape and place, and its name agrees",
                    (reason, _) => reason,
                };
                if set.reason == BY_SHAPE {
                    confidence = if named { set.confidence + 0.15 } else { set.confidence };
                }
                self.set(role, vec![bone], confidence.min(1.0), reason);
            }
        }
        self.trunk(evidence, body, &limbs, hips, shoulders, trunk);
        self.unfitness = fitness(body, &limbs, trunk, self.left, up);
    }

    fn finish(mut self, evidence: &Evidence, reference: ModelPose, kind: ReferenceKind, reason: String) -> Detection {
        let skeleton = &evidence.model.skeleton;
        let one =
            |roles: &BTreeMap<Role, Found>, role: Role| roles.get(&role).and_then(|found| found.bones.first().copied());
        let missing: Vec<&str> = Role::ALL
            .into_iter()
            .filter(|&role| !role.is_optional() && one(&self.roles, role).is_none())
            .map(Role::key)
            .collect();
        let (mut biped, mut root_node_reason) = (None, String::new());
        if skeleton.is_empty() {
            self.problems.push("the model has no bones".to_owned());
        } else if !missing.is_empty() {
            let list = missing.join(", ").replace('_', " ");
            self.problems.push(format!("this is not a biped as it stands, no bone was found for: {list}"));
        } else if !self.problems.iter().any(|problem| problem == NOT_FOUND)
            && let Some((found, reason)) = self.build(evidence, &reference)
        {
            (biped, root_node_reason) = (Some(found), reason);
        }
        self.problems.retain(|problem| problem != NOT_FOUND);
        if let Some(biped) = &biped {
            self.examine(evidence, &reference, biped);
        }
        let (height, problem) = measure::height(evidence.model, &reference, self.up, biped.as_ref());
        self.problems.extend(problem);
        let roles = Role::ALL
            .into_iter()
            .map(|role| {
                let none = Found { bones: Vec::new(), confidence: 0.0, reason: "nothing like it was found".to_owned() };
                let found = self.roles.remove(&role).unwrap_or(none);
                RoleFinding { role, bones: found.bones, confidence: found.confidence, reason: found.reason }
            })
            .collect();
        Detection {
            biped,
            roles,
            problems: self.problems,
            reference,
            reference_kind: kind,
            reference_reason: reason,
            root_node_reason,
            facing: self.facing,
            up: self.up,
            left: self.left,
            height,
        }
    }

    /// The biped of the roles found, or `None` and a problem if they cannot be one.
    fn build(&mut self, evidence: &Evidence, reference: &ModelPose) -> Option<(Biped, String)> {
        let bones = |role: Role| self.roles.get(&role).map_or(&[][..], |found| found.bones.as_slice());
        let name = |bone: BoneIndex| &evidence.model.skeleton.bones()[bone].name;
        let mut player: BTreeMap<BoneIndex, Role> = BTreeMap::new();
        for role in Role::ALL {
            for &bone in bones(role) {
                if let Some(other) = player.insert(bone, role) {
                    let problem = format!("{:?} cannot be both {} and {}", name(bone), other.key(), role.key());
                    self.problems.push(problem.replace('_', " "));
                    return None;
                }
            }
        }
        let one = |role: Role| bones(role).first().copied();
        let clavicles = [one(Role::LeftClavicle), one(Role::RightClavicle), None, None];
        let mut limbs = [Limb { clavicle: None, bones: [0; 3] }; 4];
        for limb in LimbName::ALL {
            let [a, b, c] = limb.roles().map(one);
            limbs[limb.index()] = Limb { clavicle: clavicles[limb.index()], bones: [a?, b?, c?] };
        }
        let at = |bone: BoneIndex| reference.bones[bone].position;
        for limb in LimbName::ALL {
            let [a, b, c] = limbs[limb.index()].bones;
            let (upper, lower) = (at(a).distance(at(b)), at(b).distance(at(c)));
            let (short, long) = (upper.min(lower), upper.max(lower));
            if short.is_nan() || short <= long * 1e-3 || long <= self.size * 1e-4 {
                self.problems.push(format!("the {} has a bone of no length: it cannot be solved", limb.label()));
                return None;
            }
        }
        let spine = bones(Role::Spine).to_vec();
        let (mut root_node, is_placed) = Biped::placed_root_node(&spine, &limbs, &reference.bones)?;
        let mut reason = match is_placed {
            true => "it is the last spine bone below the middle between thighs and upper arms",
            false => "no spine bone is below the middle between thighs and upper arms: the first",
        };
        let (pelvis, head) = (one(Role::Pelvis)?, one(Role::Head));
        if let Some(wanted) = &evidence.mapping.root_node {
            let mut trunk = std::iter::once(pelvis).chain(spine.iter().copied());
            match trunk.find(|&bone| name(bone) == wanted) {
                Some(bone) => (root_node, reason) = (bone, "you chose it"),
                None => {
                    let list: Vec<&str> = spine.iter().map(|&bone| name(bone).as_str()).collect();
                    self.problems.push(format!(
                        "mapping: root_node names {wanted:?}, which is neither the pelvis ({}) nor a spine bone ({}); \
                         the root node was chosen by its place instead",
                        name(pelvis),
                        list.join(", ")
                    ));
                }
            }
        }
        Some((Biped { pelvis, spine, head, root_node, limbs }, reason.to_owned()))
    }

    /// Adds what is odd about a complete biped.
    fn examine(&mut self, evidence: &Evidence, reference: &ModelPose, biped: &Biped) {
        let character =
            anatomy::Character { skeleton: &evidence.model.skeleton, names: evidence.names, reference, biped };
        self.problems.extend(character.oddities(self.facing, self.up));
        for role in character.doubtful() {
            // What the user or the file says is not in doubt.
            if let Some(found) = self.roles.get_mut(&role).filter(|found| found.confidence < 1.0) {
                found.confidence = found.confidence.min(0.5);
                found.reason.push_str("; but left and right contradict each other");
            }
        }
        self.problems.extend(rest_problem(evidence.model, biped));
        let unsure: Vec<&str> = self
            .roles
            .iter()
            .filter(|(_, found)| !found.bones.is_empty() && found.confidence < 0.4)
            .map(|(role, _)| role.key())
            .collect();
        if !unsure.is_empty() {
            self.problems.push(format!("these roles are guesses, check them: {}", unsure.join(", ").replace('_', " ")));
        }
    }
}

/// What is odd about a biped that looks along `facing` in its reference pose (model space), a sentence each that names the
/// bones.
pub(crate) fn oddities(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform], facing: Vec3) -> Vec<String> {
    let names = names::read_names(skeleton.bones().iter().map(|bone| bone.name.as_str()));
    let reference = &ModelPose::rigid(reference.to_vec());
    anatomy::Character { skeleton, names: &names, reference, biped }.oddities(facing, Vec3::Y)
}

/// Why a character cannot be solved as its file has it standing, if it cannot; a clip may still give it a pose.
pub fn rest_problem(model: &Model, biped: &Biped) -> Option<String> {
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let limbs = biped.limbs.iter().map(|limb| limb.bones);
    if is_a_point(&rest, biped) {
        return Some("as it stands its bones have no length: choose a clip that places them".to_owned());
    }
    let mut roles = limbs.flatten().chain(biped.spine.iter().copied()).chain([biped.pelvis]);
    let bone = roles.find(|bone| model.unturned.contains(bone))?;
    let name = &model.skeleton.bones()[bone].name;
    Some(format!("as it stands the rotation of {name:?} is a quaternion of zeros: choose a clip that turns it"))
}

/// Whether no limb has any length in a pose: there is nothing to solve.
pub fn is_a_point(pose: &ModelPose, biped: &Biped) -> bool {
    biped.limbs.iter().all(|limb| {
        let [a, b, c] = limb.bones.map(|bone| pose.position(bone));
        a.distance(b) + b.distance(c) < 1e-9
    })
}

const BY_HUMANOID: &str = "the file's humanoid map says so";
const BY_USER: &str = "by the limbs you chose";
const BY_NAME: &str = "by its name, and its place agrees";
const BY_SHAPE: &str = "by shape and place";
const BY_CONTINUATION: &str = "the limb goes on there, though the file hangs it elsewhere";
/// A marker among the problems, never shown: the limbs found are not those of a biped.
const NOT_FOUND: &str = "\u{0}not a biped";
/// Less than this says nothing about where the body faces.
const WEAK_VOTE: f32 = 0.15;

fn flat(v: Vec3, normal: Vec3) -> Vec3 {
    let normal = unit_or_zero(normal);
    v - normal * normal.dot(v)
}

fn nearest_axis(direction: Vec3) -> Vec3 {
    let axes = [Vec3::Y, Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X, Vec3::NEG_Y];
    axes.into_iter()
        .fold(Vec3::Y, |best, axis| if axis.dot(direction) > best.dot(direction) + 1e-3 { axis } else { best })
}

fn axis_name(axis: Vec3) -> &'static str {
    let names = [(Vec3::X, "+X"), (Vec3::NEG_X, "-X"), (Vec3::Y, "+Y"), (Vec3::NEG_Y, "-Y"), (Vec3::Z, "+Z")];
    names.into_iter().find(|&(of, _)| of == axis).map_or("-Z", |(_, name)| name)
}

fn fits_name(part: Option<Part>, is_arm: bool, index: usize) -> bool {
    match (is_arm, index) {
        (true, 0) => matches!(part, Some(Part::UpperArm | Part::Arm)),
        (true, 1) => matches!(part, Some(Part::Forearm | Part::Arm)),
        (true, _) => matches!(part, Some(Part::Hand | Part::Palm)),
        (false, 0) => matches!(part, Some(Part::Thigh | Part::Leg)),
        (false, 1) => matches!(part, Some(Part::Calf | Part::Leg)),
        (false, _) => part == Some(Part::Foot),
    }
}

fn limbs_by_humanoid(evidence: &Evidence, body: &Body) -> Option<LimbSet> {
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

fn limbs_by_name(body: &Body) -> Option<LimbSet> {
    let pair = |is_arm| Some([body.find_by_name(Side::Left, is_arm)?, body.find_by_name(Side::Left.other(), is_arm)?]);
    let (arms, legs): ([Triple; 2], [Triple; 2]) = (pair(true)?, pair(false)?);
    // Names that make the two sides unlike each other are not to be trusted.
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

fn limbs_by_shape(body: &Body) -> Option<LimbSet> {
    let (legs, arms) = body.find_by_shape();
    let (legs, arms) = (legs?, arms?);
    let confidence = (0.8 - 0.15 * legs.cost.max(arms.cost).max(0.0)).clamp(0.3, 0.8);
    Some(LimbSet { arms: arms.limbs, legs: legs.limbs, claimed: None, confidence, reason: BY_SHAPE })
}

/// Evidence for where the body faces: positive if `facing`, negative if its opposite, near 0 if nothing tells.
fn facing_vote(
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
        // Toes: what hangs on the ankle, furthest away on the ground.
        let mut furthest = Vec3::ZERO;
        let mut stack = body.children[ankle].clone();
        let mut left = 200;
        while let Some(bone) = stack.pop().filter(|_| left > 0) {
            left -= 1;
            let offset = flat(at(bone) - at(ankle), up);
            if offset.length() > furthest.length() {
                furthest = offset;
            }
            stack.extend(&body.children[bone]);
        }
        vote += (furthest.dot(facing) / length * 6.0).clamp(-1.0, 1.0);
        if let Some(sole) = sole(evidence, pose, ankle) {
            // The sole as bound: toes reach further from the ankle than the heel.
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

/// The middle of the vertices that hang on a foot, in the pose; `None` if there are none.
fn sole(evidence: &Evidence, pose: &ModelPose, foot: BoneIndex) -> Option<Vec3> {
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
