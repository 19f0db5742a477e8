//! Checks of a complete biped: irregularities in its reference pose, and whether it can be solved in its rest pose.

use glam::Vec3;

use super::super::biped::{Biped, LimbName, Role};
use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::super::pose::RigidTransform;
use super::super::skeleton::{BoneIndex, Skeleton};
use super::digitigrade::{are_foot_and_toes, is_hock};
use super::directions::{DEPENDABLE_BEND_DEGREES, flat};
use super::limbs::MOST_OFF_LINE;
use super::names::{NameEvidence, Part, Side, read_names};
use crate::math::{angle, unit, unit_or_zero};

/// The largest relative difference in length at which left and right bones count as alike.
const UNLIKE: f32 = 0.1;
/// Two joints whose distance is less than this fraction of the limb's length count as being at the same position.
const NO_LENGTH: f32 = 2e-3;

pub(super) struct Oddity {
    pub text: String,
    pub doubts: Vec<Role>,
}

impl Oddity {
    fn new(text: String, doubts: impl IntoIterator<Item = Role>) -> Self {
        Self { text, doubts: doubts.into_iter().collect() }
    }
}

pub(super) struct Character<'a> {
    pub skeleton: &'a Skeleton,
    pub names: &'a [NameEvidence],
    pub reference: &'a ModelPose,
    pub biped: &'a Biped,
}

impl Character<'_> {
    /// Returns all irregularities. `facing` is used if the limbs do not show a direction, `up` to find hocks.
    pub fn oddities(&self, facing: Vec3, up: Vec3) -> Vec<Oddity> {
        let thighs = [2, 3].map(|limb: usize| self.at(self.biped.limbs[limb].bones[0]));
        let arms = [0, 1].map(|limb: usize| self.at(self.biped.limbs[limb].bones[0]));
        let trunk = (arms[0] + arms[1] - thighs[0] - thighs[1]) * 0.5;
        let facing = unit((thighs[0] - thighs[1]).cross(trunk)).unwrap_or(facing);
        let mut notes = Vec::new();
        for limb in LimbName::ALL {
            notes.extend(self.bend(limb, facing).map(|text| Oddity::new(text, [])));
            notes.extend(self.detached_limb(limb));
            notes.extend(self.collar(limb));
            notes.extend(self.third_bone(limb, up));
            notes.extend(self.hand_by_name(limb));
        }
        notes.extend(self.detached_spine());
        notes.extend(self.helpers_in_place());
        for pair in [[LimbName::LeftArm, LimbName::RightArm], [LimbName::LeftLeg, LimbName::RightLeg]] {
            notes.extend(self.different_lengths(pair));
            notes.extend(self.different_trees(pair));
        }
        notes.extend(LimbName::ALL.into_iter().flat_map(|limb| self.mixed_sides(limb)));
        notes
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
                "{label} is {how} in the reference pose ({degrees:.1}°): the solver uses the anatomical bend direction"
            ));
        }
        let joint = if limb.is_arm() { "elbow" } else { "knee" };
        (unit_or_zero(out).dot(anatomical) < -0.5).then(|| {
            format!(
                "the {joint} of the {label} bends the wrong way in the reference pose ({degrees:.1}°): the solver \
                 will bend it that way too"
            )
        })
    }

    fn detached_limb(&self, limb: LimbName) -> Vec<Oddity> {
        let [a, b, c] = self.biped.limb(limb).bones;
        let apart = [(a, b), (b, c)].into_iter().filter(|&(upper, lower)| !self.skeleton.is_ancestor(upper, lower));
        let say = |(upper, lower)| {
            let doubts = self.biped.role_of(lower);
            let (upper, lower) = (self.name(upper), self.name(lower));
            let text = format!("{lower:?} is not attached to {upper:?} in the file: the solver moves it as if it were");
            Oddity::new(text, doubts)
        };
        apart.map(say).collect()
    }

    fn detached_spine(&self) -> Vec<Oddity> {
        let spine = &self.biped.spine;
        let pairs = std::iter::once(self.biped.pelvis).chain(spine.iter().copied()).zip(spine.iter().copied());
        let apart = pairs.filter(|&(lower, upper)| {
            !self.skeleton.is_ancestor(lower, upper) && !self.skeleton.is_ancestor(upper, lower)
        });
        let say = |(lower, upper)| {
            let (lower, upper) = (self.name(lower), self.name(upper));
            let text = format!("{upper:?} is not attached to {lower:?} in the file: the solver moves it as if it were");
            Oddity::new(text, [Role::Spine])
        };
        apart.map(say).collect()
    }

    fn collar(&self, limb: LimbName) -> Option<Oddity> {
        let clavicle = self.biped.limb(limb).clavicle?;
        let arm = self.biped.limb(limb).bones[0];
        (self.at(clavicle).distance(self.at(arm)) < self.length(limb) * NO_LENGTH).then(|| {
            let (clavicle, arm) = (self.name(clavicle), self.name(arm));
            let text =
                format!("the clavicle {clavicle:?} has the same position as {arm:?}: without length it cannot swing");
            let role = if limb.is_left() { Role::LeftClavicle } else { Role::RightClavicle };
            Oddity::new(text, [role])
        })
    }

    /// Reports a limb with a third bone: a joint off the line between two joints, or a digitigrade leg whose foot is
    /// the hock.
    fn third_bone(&self, limb: LimbName, up: Vec3) -> Option<Oddity> {
        let [_, second, third] = limb.roles();
        let [hip, knee, foot] = self.biped.limb(limb).bones;
        if let Some((joint, above, below)) =
            [(hip, knee), (knee, foot)].into_iter().find_map(|(above, below)| self.joint_between(above, below))
        {
            let digitigrade = if !limb.is_arm() && above == knee { " and is digitigrade" } else { "" };
            let stiff = match above == knee {
                true => "the solver does not bend the joint between them, but the modifier four-bone limbs can",
                false => "the solver does not bend the joint between them",
            };
            let text = format!(
                "the {} has a third bone{digitigrade}: {:?} lies off the line from {:?} to {:?}, which is solved as one \
                 bone; {stiff}",
                limb.label(),
                self.name(joint),
                self.name(above),
                self.name(below)
            );
            return Some(Oddity::new(text, [if above == knee { third } else { second }]));
        }
        if limb.is_arm() {
            return None;
        }
        let goes_on = |&bone: &BoneIndex| {
            let is_foot = are_foot_and_toes(&self.names[foot], &self.names[bone]);
            is_hock([hip, knee, foot, bone].map(|bone| self.at(bone)), up, is_foot)
        };
        let mut below: Vec<BoneIndex> = self.children(foot).collect();
        // An exporter's helper may lie between foot and ball.
        for bone in below.clone() {
            below.extend(self.children(bone));
        }
        let ball = below.into_iter().find(goes_on)?;
        let text = format!(
            "the {} has a third bone and is digitigrade, from {:?} down to {:?}: {:?} is solved as the foot, and the \
             bones below it do not bend; to let the hock bend, map {} to {:?} and add the modifier four-bone limbs",
            limb.label(),
            self.name(foot),
            self.name(ball),
            self.name(foot),
            limb.roles()[2].key(),
            self.name(ball)
        );
        Some(Oddity::new(text, [third]))
    }

    /// Returns the lowest bone between two joints of a limb that is off their line, and these joints; `None` if there
    /// is none.
    fn joint_between(&self, above: BoneIndex, below: BoneIndex) -> Option<(BoneIndex, BoneIndex, BoneIndex)> {
        if !self.skeleton.is_ancestor(above, below) {
            return None;
        }
        let line = self.at(below) - self.at(above);
        let off = |bone: BoneIndex| unit_or_zero(line).cross(self.at(bone) - self.at(above)).length();
        let between = std::iter::successors(self.skeleton.parent(below), |&bone| self.skeleton.parent(bone));
        let mut between = between.take_while(|&bone| bone != above);
        between.find(|&bone| off(bone) > line.length() * MOST_OFF_LINE).map(|bone| (bone, above, below))
    }

    fn hand_by_name(&self, limb: LimbName) -> Option<Oddity> {
        let hand = self.biped.limb(limb).bones[2];
        let is_named = |bone: BoneIndex| self.names[bone].part == Some(Part::Hand) && !self.names[bone].is_helper;
        if !limb.is_arm() || is_named(hand) {
            return None;
        }
        let within = self.children(hand).find(|&bone| is_named(bone))?;
        let text = format!(
            "{:?} is used as the hand of the {}, although its child {:?} has the name of a hand",
            self.name(hand),
            limb.label(),
            self.name(within)
        );
        Some(Oddity::new(text, [limb.roles()[2]]))
    }

    fn helpers_in_place(&self) -> Option<Oddity> {
        let near = |limb: LimbName| self.length(limb) * NO_LENGTH;
        let joints = LimbName::ALL.into_iter().flat_map(|limb| self.biped.limb(limb).bones.map(|bone| (limb, bone)));
        let mut pairs = joints.filter_map(|(limb, bone)| {
            let above = self.skeleton.parent(bone)?;
            let is_other = self.biped.role_of(above).is_none();
            (is_other && self.at(above).distance(self.at(bone)) <= near(limb)).then_some((above, bone))
        });
        let (above, bone) = pairs.next()?;
        let more: Vec<BoneIndex> = pairs.map(|(_, bone)| bone).collect();
        let text = match more.len() {
            0 => String::new(),
            more => format!(" (and {more} more such)"),
        };
        let text = format!(
            "{:?} has the same position as its child {:?}{text}: the child is used as the joint",
            self.name(above),
            self.name(bone)
        );
        Some(Oddity::new(text, more.into_iter().chain([bone]).filter_map(|bone| self.biped.role_of(bone))))
    }

    /// Returns the lengths of the left and right bone of a pair, the upper ones for `part` 0 and the lower ones for 1,
    /// if they differ by more than [`UNLIKE`]; `None` if they are alike.
    fn unlike(&self, pair: [LimbName; 2], part: usize) -> Option<[f32; 2]> {
        let lengths = pair.map(|limb| {
            let bones = self.biped.limb(limb).bones;
            self.at(bones[part]).distance(self.at(bones[part + 1]))
        });
        let [left, right] = lengths;
        ((left - right).abs() > left.max(right) * UNLIKE).then_some(lengths)
    }

    fn different_lengths(&self, pair: [LimbName; 2]) -> Vec<Oddity> {
        let parts = (0..2).filter_map(|part| {
            let [left, right] = self.unlike(pair, part)?;
            let [a, b] = pair.map(|limb| self.name(self.biped.limb(limb).bones[part]));
            let role = pair[0].roles()[part].key().trim_start_matches("left_").replace('_', " ");
            let ratio = left / right.max(f32::MIN_POSITIVE);
            let text = format!(
                "the left {role} {a:?} is {ratio:.2} times as long as the right one, {b:?}: one of the two may be another \
                 bone"
            );
            let doubts = pair.into_iter().flat_map(|limb| [limb.roles()[part], limb.roles()[part + 1]]);
            Some(Oddity::new(text, doubts))
        });
        parts.collect()
    }

    /// Reports a pair of limbs with different numbers of bones between their joints, or of which only one is a chain of
    /// descendants.
    fn different_trees(&self, pair: [LimbName; 2]) -> Option<Oddity> {
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
        let text = format!(
            "the left {role} {:?} and the right one, {:?}, are attached differently: one of the two may be another \
             bone",
            self.name(a),
            self.name(b)
        );
        Some(Oddity::new(text, pair.map(|limb| limb.roles()[part + 1])))
    }

    /// Returns the indices of a limb's joints whose names contradict the side that most of its names state. If left and
    /// right are named equally often, returns those whose names contradict the limb's own side.
    fn on_the_other_side(&self, limb: LimbName) -> Vec<usize> {
        let sides = self.biped.limb(limb).bones.map(|bone| self.names[bone].side);
        let count = |side: Side| sides.iter().filter(|&&of| of == Some(side)).count();
        let (left, right) = (count(Side::Left), count(Side::Right));
        if left == 0 || right == 0 {
            return Vec::new();
        }
        let is_left = if left == right { limb.is_left() } else { left > right };
        let odd = if is_left { Side::Right } else { Side::Left };
        (0..3).filter(|&index| sides[index] == Some(odd)).collect()
    }

    fn mixed_sides(&self, limb: LimbName) -> Vec<Oddity> {
        let say = |index: usize| {
            let text = format!(
                "{:?} is used as the {}, although its name and those of other bones of the limb state different sides",
                self.name(self.biped.limb(limb).bones[index]),
                limb.roles()[index].key().replace('_', " ")
            );
            Oddity::new(text, [limb.roles()[index]])
        };
        self.on_the_other_side(limb).into_iter().map(say).collect()
    }
}

/// Returns the irregularities of a biped in its reference pose (model space, +Y up), as one sentence each that names
/// the bones or the limb. `facing` is used if the limbs do not show a direction.
pub(crate) fn oddities(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform], facing: Vec3) -> Vec<String> {
    let names = read_names(skeleton.bones().iter().map(|bone| bone.name.as_str()));
    let reference = &ModelPose::rigid(reference.to_vec());
    let character = Character { skeleton, names: &names, reference, biped };
    character.oddities(facing, Vec3::Y).into_iter().map(|oddity| oddity.text).collect()
}

/// Returns why a character cannot be solved in its rest pose: no limb has a length, or a bone of a limb, of the spine
/// or the pelvis has a quaternion of zeros as its rotation. `None` if neither is the case. A clip may still provide a
/// usable pose.
pub fn rest_problem(model: &Model, biped: &Biped) -> Option<String> {
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let limbs = biped.limbs.iter().map(|limb| limb.bones);
    if is_a_point(&rest, biped) {
        return Some("in the rest pose no limb has a length: choose a clip that places the limbs' bones".to_owned());
    }
    let mut roles = limbs.flatten().chain(biped.spine.iter().copied()).chain([biped.pelvis]);
    let bone = roles.find(|bone| model.zero_rotations.contains(bone))?;
    let name = &model.skeleton.bones()[bone].name;
    Some(format!(
        "in the rest pose the rotation of {name:?} is a quaternion of zeros: choose a clip that turns this bone"
    ))
}

/// Returns true if no limb has any length in a pose, so there is nothing to solve.
pub fn is_a_point(pose: &ModelPose, biped: &Biped) -> bool {
    biped.limbs.iter().all(|limb| {
        let [a, b, c] = limb.bones.map(|bone| pose.position(bone));
        a.distance(b) + b.distance(c) < 1e-9
    })
}
