//! The search for the roles of a biped in one pose.

use std::collections::BTreeMap;

use glam::Vec3;

use super::super::biped::{Biped, Limb, LimbName, Role};
use super::super::model_pose::ModelPose;
use super::super::skeleton::BoneIndex;
use super::directions::{axis_name, flat, upright};
use super::evidence::{
    BY_CHOICE, BY_CONTINUATION, Evidence, LimbSet, facing_vote, limbs_by_humanoid, limbs_by_name, limbs_by_shape,
};
use super::finding::{Detection, RoleFinding};
use super::limbs::{Body, Triple};
use super::names::Side;
use super::reference::{Fitness, ReferenceKind, fitness};
use super::sureness::Blind;
use super::torso::Torso;
use super::{anatomy, measure};
use crate::math::{angle, unit, unit_or_zero};

/// An internal marker among the problems, never shown: the character looks like an animal.
const NOT_FOUND: &str = "\u{0}not a biped";
/// Below this magnitude of [`facing_vote`], which is at most 2.6, names decide about left and right instead of the
/// shape.
const WEAK_VOTE: f32 = 0.15;

pub(super) struct Search {
    pub(super) roles: BTreeMap<Role, Found>,
    pub(super) problems: Vec<String>,
    pub(super) facing: Vec3,
    pub(super) up: Vec3,
    pub(super) left: Vec3,
    pub(super) size: f32,
    /// True if names contradict the shape about left and right, or if both leave it open.
    pub(super) are_sides_doubtful: bool,
    pub(super) unfitness: Fitness,
}

#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) bones: Vec<BoneIndex>,
    pub(super) confidence: f32,
    pub(super) reason: String,
}

impl Search {
    /// Searches several trees, and returns the first of these results that is complete, with a bone for every required
    /// role:
    /// 1. that of the file's tree, if most bones of its trunk move vertices;
    /// 2. that of the tree of the bones that move vertices, on the same condition;
    /// 3. that of the file's tree without this condition;
    /// 4. that of the file's tree with detached limbs attached to the body;
    /// 5. that of the file's tree if all bones count as moving vertices.
    ///
    /// If none is complete, returns that of the file's tree. If it is unknown which bones move vertices, 1, 2 and 5 are
    /// skipped.
    pub(super) fn run(evidence: &Evidence, pose: &ModelPose) -> Self {
        let as_it_is = Self::run_on(evidence, pose, |_| {});
        let knows_weights = evidence.knows_weights;
        if as_it_is.is_whole() && (!knows_weights || as_it_is.moves_trunk(evidence)) {
            return as_it_is;
        }
        if knows_weights {
            let of_moving = Self::run_on(evidence, pose, |body| body.join_moving_bones());
            if of_moving.is_whole() && of_moving.moves_trunk(evidence) {
                return of_moving;
            }
        }
        if as_it_is.is_whole() {
            return as_it_is;
        }
        let with_limbs = Self::run_on(evidence, pose, |body| body.reattach_limbs());
        if with_limbs.is_whole() {
            return with_limbs;
        }
        // The meshes may be those of the head only.
        if knows_weights {
            let is_weighted: Vec<bool> = match evidence.left_out {
                Some((is_left_out, _)) => is_left_out.iter().map(|is_left_out| !is_left_out).collect(),
                None => vec![true; evidence.is_weighted.len()],
            };
            let of_all =
                Self::run_on(&Evidence { is_weighted: &is_weighted, knows_weights: false, ..*evidence }, pose, |_| {});
            if of_all.is_whole() {
                return of_all;
            }
        }
        as_it_is
    }

    fn moves_trunk(&self, evidence: &Evidence) -> bool {
        let found = [Role::Pelvis, Role::Spine].into_iter().filter_map(|role| self.roles.get(&role));
        let bones: Vec<BoneIndex> = found.flat_map(|found| found.bones.iter().copied()).collect();
        bones.iter().filter(|&&bone| evidence.is_weighted[bone]).count() * 2 > bones.len()
    }

    /// Returns true if every required role has a bone.
    pub(super) fn is_whole(&self) -> bool {
        let has = |role: &Role| self.roles.get(role).is_some_and(|found| !found.bones.is_empty());
        Role::ALL.iter().filter(|role| !role.is_optional()).all(has)
    }

    pub(super) fn pelvis(&self) -> Option<BoneIndex> {
        self.roles.get(&Role::Pelvis)?.bones.first().copied()
    }

    fn run_on(evidence: &Evidence, pose: &ModelPose, reattach: fn(&mut Body)) -> Self {
        let skeleton = &evidence.model.skeleton;
        let mut positions: Vec<Vec3> = pose.bones.iter().map(|bone| bone.position).collect();
        if let Some((is_left_out, root)) = evidence.left_out {
            let at = positions[root];
            positions
                .iter_mut()
                .zip(is_left_out)
                .filter(|(_, is_left_out)| **is_left_out)
                .for_each(|(place, _)| *place = at);
        }
        let new_body = |up: Vec3| {
            let mut body = Body::new(skeleton, positions.clone(), evidence.names, evidence.is_weighted, up);
            reattach(&mut body);
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
            are_sides_doubtful: false,
            unfitness: Fitness::default(),
        };
        let mut mapped = BTreeMap::new();
        search.read_mapping(evidence, &mut mapped);

        let mut set = limbs_by_humanoid(evidence, &body).or_else(|| limbs_by_name(&body));
        if set.is_none() {
            set = limbs_by_shape(&body);
            for axis in [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X, Vec3::NEG_Y] {
                // Huge scenes are landscapes, not a character lying down.
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
        for (role, bones) in mapped {
            let reason = BY_CHOICE[usize::from(bones.is_empty())];
            search.roles.insert(role, Found { bones, confidence: 1.0, reason: reason.to_owned() });
        }
        search
    }

    /// Repeats the assembly with the user's limbs, because sides, pelvis and spine depend on them. Does nothing if the
    /// user chose no bone of a limb, or if the limbs with the chosen bones are not four complete and separate ones.
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
        let mut bones: Vec<BoneIndex> = arms.iter().chain(&legs).flat_map(|limb| limb.0).collect();
        bones.sort_unstable();
        if bones.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let before = std::mem::take(&mut self.roles);
        self.problems.retain(|problem| problem.starts_with("mapping: "));
        let set = LimbSet { arms, legs, claimed: Some(Side::Left), confidence: 0.9, reason: BY_CHOICE[0] };
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
                        .push(format!("mapping: {key} cannot be null, a biped needs it; this entry is ignored"));
                }
                continue;
            }
            if names.0.len() > 1 && role != Role::Spine {
                self.problems
                    .push(format!("mapping: {key} takes one bone, not {}; this entry is ignored", names.0.len()));
                continue;
            }
            let mut bones = Vec::new();
            for name in &names.0 {
                match evidence.model.skeleton.find(name) {
                    Some(bone) => bones.push(bone),
                    None => self.problems.push(format!(
                        "mapping: {key} names {name:?}, which is not a bone of this model; this entry is ignored"
                    )),
                }
            }
            if bones.len() == names.0.len() {
                mapped.insert(role, bones);
            }
        }
    }

    pub(super) fn set(&mut self, role: Role, bones: Vec<BoneIndex>, confidence: f32, reason: impl Into<String>) {
        self.roles.insert(role, Found { bones, confidence, reason: reason.into() });
    }

    /// Finds single roles by name or shape, as guesses.
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
                        self.set(role, vec![bone], 0.2, "by its shape alone; its side is a guess");
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
        let by_file = set.is_final();

        // The body stands, or lies with the legs in line with the trunk. Otherwise, a trunk far from upright or low
        // hands show an animal on four feet, unless the file or the user states the limbs.
        let legs_down = middle(&set.legs, 2) - hips;
        let hands_low =
            middle(&set.arms, 2).dot(body.up) < middle(&set.legs, 2).dot(body.up) + (shoulders - hips).length() * 0.4;
        if let Some(up) = upright(trunk, legs_down) {
            self.up = up;
            if self.up != Vec3::Y {
                let axis = axis_name(self.up);
                self.problems.push(format!(
                    "the head points along {axis}, not along +Y: the character is assumed to be lying or upside down"
                ));
            }
        } else if !by_file && (trunk.dot(Vec3::Y) < 0.35 || hands_low) {
            let degrees = angle(trunk, Vec3::Y).to_degrees();
            self.give_up(body, &format!("the trunk is {degrees:.0}° from upright and the legs do not continue it"));
            return;
        }
        let up = self.up;

        let (arms, legs, facing_if_left) = sides(body, &set, trunk, up);
        let first_is_left = self.is_first_left(evidence, pose, body, &set, (arms, legs), facing_if_left);
        let sign = if first_is_left { 1.0 } else { -1.0 };
        self.facing = unit(facing_if_left * sign).unwrap_or(Vec3::Z);
        self.left = unit_or_zero(up.cross(self.facing));
        let (left, right) = if first_is_left { (0, 1) } else { (1, 0) };
        let mut limbs = [arms[left], arms[right], legs[left], legs[right]];
        let toes = [2, 3].map(|leg| body.toes_below_hock(limbs[leg]));
        // A foot stated by the user or the file is kept.
        if let ([Some(left), Some(right)], false) = (toes, by_file) {
            (limbs[2].0[2], limbs[3].0[2]) = (left, right);
        }
        if let Some([a, b]) = body.other_legs(&arms, &legs).filter(|_| !by_file) {
            let name = |bone: BoneIndex| &evidence.model.skeleton.bones()[bone].name;
            let reason = format!("two more legs reach the ground, {:?} and {:?}", name(a), name(b));
            self.give_up(body, &reason);
            return;
        }
        let blind = Blind::search(body, &set);
        self.set_limbs(evidence, body, &set, (limbs, &blind));
        self.trunk(&Torso { evidence, body, limbs: &limbs, hips, shoulders, trunk });
        self.doubt_trunk(&blind, &limbs);
        self.unfitness = fitness(body, &limbs, trunk, self.left, up);
    }

    /// Reports an animal, so that the result has no biped, and keeps single roles as guesses.
    fn give_up(&mut self, body: &Body, reason: &str) {
        self.problems.push(format!("{reason}: this looks like an animal on four feet, not like a biped"));
        self.partial(body);
        self.problems.push(NOT_FOUND.to_owned());
        self.roles.retain(|role, _| !matches!(role, Role::Pelvis | Role::Spine));
        self.roles.values_mut().for_each(|found| found.confidence *= 0.5);
    }

    /// Returns whether the first limb of each pair is the left one. Adds a problem if names contradict the shape, or if
    /// neither shows the side, unless the file or the user states the limbs. `facing_if_left` is the facing direction
    /// if the first limbs are the left ones.
    fn is_first_left(
        &mut self,
        evidence: &Evidence,
        pose: &ModelPose,
        body: &Body,
        set: &LimbSet,
        (arms, legs): ([Triple; 2], [Triple; 2]),
        facing_if_left: Vec3,
    ) -> bool {
        const CONTRADICTION: &str =
            "the bones' names contradict the body's shape about left and right: the shape was used";
        let vote = facing_vote(evidence, pose, body, arms, legs, facing_if_left, self.up);
        let is_weak = vote.abs() < WEAK_VOTE;
        if let Some(side) = set.claimed {
            let by_names = side == Side::Left;
            if set.is_final() || is_weak {
                return by_names;
            }
            if (vote > 0.0) != by_names {
                self.problems.push(CONTRADICTION.to_owned());
                self.are_sides_doubtful = true;
            }
            return vote > 0.0;
        }
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
        if !is_weak {
            if names * vote < 0.0 {
                self.problems.push(CONTRADICTION.to_owned());
                self.are_sides_doubtful = true;
            }
            return vote > 0.0;
        }
        if names != 0.0 {
            return names > 0.0;
        }
        self.are_sides_doubtful = true;
        self.problems.push(
            "front and back look the same: the character is assumed to face +Z, or +X if it stands sideways".to_owned(),
        );
        facing_if_left.dot(Vec3::Z + Vec3::X * 0.5) >= 0.0
    }

    fn set_limbs(&mut self, evidence: &Evidence, body: &Body, set: &LimbSet, (limbs, blind): ([Triple; 4], &Blind)) {
        for (name, triple) in LimbName::ALL.into_iter().zip(limbs) {
            for (index, (role, bone)) in name.roles().into_iter().zip(triple.0).enumerate() {
                let strayed = body.parent[bone] != evidence.model.skeleton.parent(bone);
                let (confidence, reason) = match set.is_final() {
                    true => (set.confidence, set.reason),
                    false => {
                        let found = (set.confidence, set.reason);
                        blind.judge(&evidence.names[bone], bone, (name.is_arm(), index), found)
                    }
                };
                let is_continued = strayed && !set.is_final();
                self.set(role, vec![bone], confidence, if is_continued { BY_CONTINUATION } else { reason });
            }
        }
    }

    pub(super) fn finish(
        mut self,
        evidence: &Evidence,
        reference: ModelPose,
        kind: ReferenceKind,
        reason: String,
    ) -> Detection {
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
            self.problems.push(format!("no bone was found for: {list}"));
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
                let none = Found { bones: Vec::new(), confidence: 0.0, reason: "no such bone was found".to_owned() };
                let found = self.roles.remove(&role).unwrap_or(none);
                RoleFinding { role, bones: found.bones, confidence: found.confidence, reason: found.reason }
            })
            .collect();
        Detection {
            biped,
            roles,
            problems: self.problems,
            characters: Vec::new(),
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

    /// Returns the biped of the roles found and the reason for its root node; `None`, with a problem, if the roles
    /// cannot form a biped.
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
                self.problems.push(format!("the {} has a bone of almost no length: it cannot be solved", limb.label()));
                return None;
            }
        }
        let spine = bones(Role::Spine).to_vec();
        let (mut root_node, is_placed) = Biped::placed_root_node(&spine, &limbs, &reference.bones)?;
        let mut reason = match is_placed {
            true => "it is the last spine bone in the lower half between thighs and upper arms",
            false => "no spine bone is in the lower half between thighs and upper arms, so it is the first one",
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
                          the root node was chosen by position instead",
                        name(pelvis),
                        list.join(", ")
                    ));
                }
            }
        }
        Some((Biped { pelvis, spine, head, root_node, limbs }, reason.to_owned()))
    }

    fn examine(&mut self, evidence: &Evidence, reference: &ModelPose, biped: &Biped) {
        let character =
            anatomy::Character { skeleton: &evidence.model.skeleton, names: evidence.names, reference, biped };
        for oddity in character.oddities(self.facing, self.up) {
            self.problems.push(oddity.text);
            self.doubt(oddity.doubts);
        }
        if self.are_sides_doubtful {
            self.doubt_sides();
        }
        self.problems.extend(anatomy::rest_problem(evidence.model, biped));
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

/// Returns arms and legs with the first of each pair on the same side, and the facing direction if that side is the
/// left. Limbs whose sides are claimed keep their order. Unless the file or the user states the limbs, replaces the
/// last bone of an arm by the hand that it belongs to.
fn sides(body: &Body, set: &LimbSet, trunk: Vec3, up: Vec3) -> ([Triple; 2], [Triple; 2], Vec3) {
    let at = |bone: BoneIndex| body.position[bone];
    let (mut arms, legs) = (set.arms, set.legs);
    let across = unit_or_zero(flat(at(legs[0].0[0]) - at(legs[1].0[0]), trunk))
        + unit_or_zero(flat(at(arms[0].0[0]) - at(arms[1].0[0]), trunk));
    if !set.is_final() {
        arms.iter_mut().for_each(|arm| arm.0[2] = body.among_palms(body.palm_above(arm.0[1], arm.0[2])));
    }
    let legs_across = flat(at(legs[0].0[0]) - at(legs[1].0[0]), trunk);
    let arms_across = flat(at(arms[0].0[0]) - at(arms[1].0[0]), trunk);
    let mut across = if across.length() < 0.5 { legs_across } else { across };
    if legs_across.dot(arms_across) < 0.0 && set.claimed.is_none() {
        arms.swap(0, 1);
        across = unit_or_zero(legs_across) - unit_or_zero(arms_across);
    }
    let across = unit_or_zero(flat(across, up));
    (arms, legs, unit_or_zero(across.cross(up)))
}
