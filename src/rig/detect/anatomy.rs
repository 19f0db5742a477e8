//! What is odd about a complete biped, and what was assumed about it: a sentence each, naming the bones.

use glam::Vec3;

use super::names::{NameEvidence, Part, Side};
use super::{DEPENDABLE_BEND_DEGREES, flat};
use crate::math::{angle, unit, unit_or_zero};
use crate::rig::{Biped, BoneIndex, LimbName, ModelPose, Role, Skeleton};

/// Left and right bones may differ by this part of their length.
const UNLIKE: f32 = 0.1;
/// A bone shorter than this part of its limb has no length.
const NO_LENGTH: f32 = 2e-3;

pub(super) struct Character<'a> {
    pub skeleton: &'a Skeleton,
    pub names: &'a [NameEvidence],
    pub reference: &'a ModelPose,
    pub biped: &'a Biped,
}

impl Character<'_> {
    /// All there is to say, limb by limb first, then of left against right. `facing` where the limbs do not tell.
    pub fn oddities(&self, facing: Vec3, up: Vec3) -> Vec<String> {
        let thighs = [2, 3].map(|limb: usize| self.at(self.biped.limbs[limb].bones[0]));
        let arms = [0, 1].map(|limb: usize| self.at(self.biped.limbs[limb].bones[0]));
        let trunk = (arms[0] + arms[1] - thighs[0] - thighs[1]) * 0.5;
        // As the solver has it.
        let facing = unit((thighs[0] - thighs[1]).cross(trunk)).unwrap_or(facing);
        let mut said = Vec::new();
        for limb in LimbName::ALL {
            said.extend(self.bend(limb, facing));
            said.extend(self.hung_elsewhere(limb));
            said.extend(self.collar(limb));
            said.extend(self.third_bone(limb, up));
            said.extend(self.hand_by_name(limb));
        }
        said.extend(self.stand_ins());
        for pair in [[LimbName::LeftArm, LimbName::RightArm], [LimbName::LeftLeg, LimbName::RightLeg]] {
            said.extend(self.unlike_lengths(pair));
            said.extend(self.unlike_trees(pair));
        }
        said.extend(LimbName::ALL.into_iter().flat_map(|limb| self.mixed_sides(limb)));
        said
    }

    fn at(&self, bone: BoneIndex) -> Vec3 {
        self.reference.position(bone)
    }

    fn name(&self, bone: BoneIndex) -> &str {
        &self.skeleton.bones()[bone].name
    }

    fn length(&self, limb: LimbName) -> f32 {
        let [a, b, c] = self.biped.limb(limb).bones.map(|bone| self.at(bone));
        a.distance(b) + b.distance(c)
    }

    fn children(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> {
        (bone + 1..self.skeleton.len()).filter(move |&child| self.skeleton.parent(child) == Some(bone))
    }

    fn bend(&self, limb: LimbName, facing: Vec3) -> Option<String> {
        let [a, b, c] = self.biped.limb(limb).bones.map(|bone| self.at(bone));
        let degrees = angle(b - a, c - b).to_degrees();
        let out = flat(b - a, c - a);
        let anatomical = if limb.is_arm() { -facing } else { facing };
        let label = limb.label();
        if degrees < DEPENDABLE_BEND_DEGREES {
            let is_wrong = degrees >= 0.5 && out.dot(anatomical) < 0.0;
            let how = if is_wrong { "bent a little the wrong way" } else { "straight" };
            return Some(format!(
                "{label} is {how} in the reference pose ({degrees:.1}°): its bend direction is the anatomical one"
            ));
        }
        let joint = if limb.is_arm() { "elbow" } else { "knee" };
        (unit_or_zero(out).dot(anatomical) < -0.5).then(|| {
            format!(
                "the {joint} of the {label} bends the wrong way in the reference pose ({degrees:.1}°): the solver will \
                 follow it"
            )
        })
    }

    fn hung_elsewhere(&self, limb: LimbName) -> Vec<String> {
        let [a, b, c] = self.biped.limb(limb).bones;
        let apart = [(a, b), (b, c)].into_iter().filter(|&(upper, lower)| !self.skeleton.is_ancestor(upper, lower));
        let say = |(upper, lower)| {
            let (upper, lower) = (self.name(upper), self.name(lower));
            format!("{lower:?} does not hang on {upper:?} in the file: the solver carries it along as if it did")
        };
        apart.map(say).collect()
    }

    fn collar(&self, limb: LimbName) -> Option<String> {
        let clavicle = self.biped.limb(limb).clavicle?;
        let arm = self.biped.limb(limb).bones[0];
        (self.at(clavicle).distance(self.at(arm)) < self.length(limb) * NO_LENGTH).then(|| {
            let (clavicle, arm) = (self.name(clavicle), self.name(arm));
            format!("the collar bone {clavicle:?} is in the place of {arm:?}: without a length it cannot swing")
        })
    }

    /// A leg that goes on down from what was taken as its foot, as that of an animal that stands on its toes.
    fn third_bone(&self, limb: LimbName, up: Vec3) -> Option<String> {
        let [_, knee, foot] = self.biped.limb(limb).bones;
        if limb.is_arm() {
            return None;
        }
        let calf = self.at(knee).distance(self.at(foot));
        let goes_on = |&bone: &BoneIndex| {
            let along = self.at(bone) - self.at(foot);
            along.length() > calf * 0.5 && -along.dot(up) > along.length() * 0.6
        };
        let mut below: Vec<BoneIndex> = self.children(foot).collect();
        // A stand-in may be between.
        for bone in below.clone() {
            below.extend(self.children(bone));
        }
        let ball = below.into_iter().find(goes_on)?;
        Some(format!(
            "the {} has a third bone, from {:?} down to {:?}: {:?} is solved as the foot, and what is below it is \
             carried along stiffly",
            limb.label(),
            self.name(foot),
            self.name(ball),
            self.name(foot)
        ))
    }

    /// A hand that fingers spread from, where a bone within it is named as if it were the hand.
    fn hand_by_name(&self, limb: LimbName) -> Option<String> {
        let hand = self.biped.limb(limb).bones[2];
        let is_named = |bone: BoneIndex| self.names[bone].part == Some(Part::Hand) && !self.names[bone].is_helper;
        if !limb.is_arm() || is_named(hand) {
            return None;
        }
        let within = self.children(hand).find(|&bone| is_named(bone))?;
        Some(format!(
            "{:?} is taken as the hand of the {}, as the fingers spread from it, and not {:?} as that one's name says",
            self.name(hand),
            limb.label(),
            self.name(within)
        ))
    }

    /// Bones in the place of a limb's joint, above it.
    fn stand_ins(&self) -> Option<String> {
        let near = |limb: LimbName| self.length(limb) * NO_LENGTH;
        let joints = LimbName::ALL.into_iter().flat_map(|limb| self.biped.limb(limb).bones.map(|bone| (limb, bone)));
        let mut pairs = joints.filter_map(|(limb, bone)| {
            let above = self.skeleton.parent(bone)?;
            let is_other = self.biped.role_of(above).is_none();
            (is_other && self.at(above).distance(self.at(bone)) <= near(limb)).then_some((above, bone))
        });
        let (above, bone) = pairs.next()?;
        let more = match pairs.count() {
            0 => String::new(),
            more => format!(" (and {more} more such)"),
        };
        Some(format!(
            "{:?} is in the place of {:?}{more}: the one with the limb at a length below it is taken as the joint",
            self.name(above),
            self.name(bone)
        ))
    }

    fn unlike_lengths(&self, pair: [LimbName; 2]) -> Vec<String> {
        let of = |limb: LimbName, part: usize| {
            let bones = self.biped.limb(limb).bones;
            (bones[part], self.at(bones[part]).distance(self.at(bones[part + 1])))
        };
        let parts = (0..2).filter_map(|part| {
            let [(a, left), (b, right)] = pair.map(|limb| of(limb, part));
            ((left - right).abs() > left.max(right) * UNLIKE).then(|| {
                let (a, b) = (self.name(a), self.name(b));
                let role = pair[0].roles()[part].key().trim_start_matches("left_").replace('_', " ");
                let ratio = left / right.max(f32::MIN_POSITIVE);
                format!(
                    "the left {role} {a:?} is {ratio:.2} times as long as the right one, {b:?}: one of the two may be \
                     another bone"
                )
            })
        });
        parts.collect()
    }

    /// Where left and right hang together by another number of bones.
    fn unlike_trees(&self, pair: [LimbName; 2]) -> Option<String> {
        let links = |limb: LimbName| {
            let [a, b, c] = self.biped.limb(limb).bones;
            let count = |above: BoneIndex, below: BoneIndex| {
                let up = std::iter::successors(Some(below), |&bone| self.skeleton.parent(bone));
                up.take_while(|&bone| bone != above).count()
            };
            let is_chain = self.skeleton.is_ancestor(a, b) && self.skeleton.is_ancestor(b, c);
            if is_chain { Some([count(a, b), count(b, c)]) } else { None }
        };
        let [left, right] = pair.map(links);
        let part = match (left, right) {
            (Some(left), Some(right)) => (0..2).find(|&part| left[part] != right[part])?,
            (None, None) => return None,
            _ => 1,
        };
        let [a, b] = pair.map(|limb| self.biped.limb(limb).bones[part + 1]);
        let role = pair[0].roles()[part + 1].key().trim_start_matches("left_").replace('_', " ");
        Some(format!(
            "the left {role} {:?} and the right one, {:?}, hang at different depths below their limbs: one of the two \
             may be another bone",
            self.name(a),
            self.name(b)
        ))
    }

    /// A bone whose name says the other side than the rest of its limb does.
    fn mixed_sides(&self, limb: LimbName) -> Vec<String> {
        let bones = self.biped.limb(limb).bones;
        let sides = bones.map(|bone| self.names[bone].side);
        let count = |side: Side| sides.iter().filter(|&&of| of == Some(side)).count();
        let (left, right) = (count(Side::Left), count(Side::Right));
        if left == 0 || right == 0 {
            return Vec::new();
        }
        let odd = if left > right { Side::Right } else { Side::Left };
        let odd = (0..3).filter(|&index| sides[index] == Some(odd));
        let say = |index: usize| {
            let role: Role = limb.roles()[index];
            format!(
                "{:?} is taken as the {}, where its place is, though its name says the other side",
                self.name(bones[index]),
                role.key().replace('_', " ")
            )
        };
        odd.map(say).collect()
    }
}
