//! A skeleton with roles, as source or target of a retargeted motion.

use glam::Vec3;

use crate::error::{Fault, Problem};
use crate::rig::{
    Biped, BoneIndex, Detection, LimbName, LocalPose, Model, RigidTransform, Role, RoleFinding, Skeleton,
};

/// The bones of each role. A role may have no bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    bones: Vec<(Role, Vec<BoneIndex>)>,
}

impl Roles {
    /// Returns the roles of a biped.
    pub fn of_biped(biped: &Biped) -> Self {
        Self { bones: Role::ALL.into_iter().map(|role| (role, biped.bones_of(role))).collect() }
    }

    /// Returns the roles of a detection, which may be incomplete.
    pub fn of_findings(findings: &[RoleFinding]) -> Self {
        Self { bones: findings.iter().map(|own| (own.role, own.bones.clone())).collect() }
    }

    /// Returns the bones of a role; empty if it has none.
    pub fn all(&self, role: Role) -> &[BoneIndex] {
        self.bones.iter().find(|(own, _)| *own == role).map_or(&[], |(_, bones)| bones)
    }

    /// Returns the first bone of a role; `None` if it has none.
    pub fn bone(&self, role: Role) -> Option<BoneIndex> {
        self.all(role).first().copied()
    }

    /// Returns the bones of a limb; `None` if one of them is missing.
    pub fn limb(&self, limb: LimbName) -> Option<[BoneIndex; 3]> {
        let [a, b, c] = limb.roles().map(|role| self.bone(role));
        Some([a?, b?, c?])
    }
}

/// A skeleton with its roles, its reference pose and its rest pose.
#[derive(Clone, Copy, Debug)]
pub struct Actor<'a> {
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// The roles of its bones.
    pub roles: &'a Roles,
    /// The pose from which rotations are measured and in which limb directions are compared, such as the T-pose; model
    /// space.
    pub reference: &'a [RigidTransform],
    /// The rest pose. In a target, bones without a pair keep their transforms, and paired bones except the pelvis keep
    /// their positions, all relative to their parents. In a source, only its number of bones is checked.
    pub rest: &'a LocalPose,
    /// The direction that the character faces in the reference pose; model space, of any length.
    pub facing: Vec3,
    /// The humanoid map of a VRM file or VRM animation; empty for other files. Fingers in the map are found by the
    /// map's names instead of the bones' own names.
    pub humanoid: &'a [(String, BoneIndex)],
}

impl<'a> Actor<'a> {
    /// Returns a model with detected roles as an actor. `roles` are usually [`Roles::of_findings`] of the detection.
    pub fn of_model(model: &'a Model, detection: &'a Detection, roles: &'a Roles, rest: &'a LocalPose) -> Self {
        let (reference, facing) = (&detection.reference.bones, detection.facing);
        Self { skeleton: &model.skeleton, roles, reference, rest, facing, humanoid: &model.humanoid }
    }

    /// Checks that poses and roles fit the skeleton, and returns the pelvis.
    pub(super) fn check(&self) -> Result<BoneIndex, Fault> {
        let expected = self.skeleton.len();
        for (field, found) in [("reference", self.reference.len()), ("rest", self.rest.bones.len())] {
            if found != expected {
                return Err(Fault::new(field, Problem::Length { what: "bones", found, expected }));
            }
        }
        let mut all = self.roles.bones.iter().flat_map(|(role, bones)| bones.iter().map(move |&bone| (role, bone)));
        if let Some((role, index)) = all.find(|&(_, bone)| bone >= expected) {
            let field = format!("roles.{}", role.key());
            return Err(Fault::new(field, Problem::Index { what: "bones", index, count: expected }));
        }
        let pelvis = self.roles.bone(Role::Pelvis);
        pelvis.ok_or_else(|| Fault::new("roles.pelvis", "has no bone; give the pelvis by hand"))
    }

    pub(super) fn place(&self, bone: BoneIndex) -> Vec3 {
        self.reference.get(bone).map_or(Vec3::ZERO, |bone| bone.position)
    }

    /// Returns the length of a leg, thigh and calf together, as the mean of both legs, or that of the only complete
    /// one; `None` without a complete leg of positive, finite length.
    pub(super) fn leg(&self) -> Option<f32> {
        let legs = [LimbName::LeftLeg, LimbName::RightLeg].map(|leg| {
            let [thigh, calf, foot] = self.roles.limb(leg)?.map(|bone| self.place(bone));
            Some(thigh.distance(calf) + calf.distance(foot)).filter(|length| *length > 0.0 && length.is_finite())
        });
        let known = legs.iter().flatten();
        let count = known.clone().count();
        (count > 0).then(|| known.sum::<f32>() / count as f32)
    }

    /// Returns the bones from `first` (exclusive) down to `last` (exclusive); empty if `last` is not below `first`.
    pub(super) fn between(&self, first: BoneIndex, last: BoneIndex) -> Vec<BoneIndex> {
        if !self.skeleton.is_ancestor(first, last) {
            return Vec::new();
        }
        let mut bones: Vec<_> = self.skeleton.ancestors(last).take_while(|&bone| bone != first).collect();
        bones.reverse();
        bones
    }

    /// Returns the child of a foot that is furthest ahead of it; `None` if no child is ahead of it.
    pub(super) fn toe(&self, foot: BoneIndex) -> Option<BoneIndex> {
        let ahead = |bone: BoneIndex| (self.place(bone) - self.place(foot)).dot(self.facing);
        self.skeleton.children(foot).filter(|&bone| ahead(bone) > 0.0).max_by(|&a, &b| ahead(a).total_cmp(&ahead(b)))
    }

    /// Returns the bones of the five fingers of a hand, from thumb to little finger, each from the hand outwards; empty
    /// for a finger that is not found. Finds them by names: those of [`Self::humanoid`], or else the bones' own.
    pub(super) fn fingers(&self, hand: BoneIndex) -> [Vec<BoneIndex>; 5] {
        const WORDS: [&[&str]; 5] = [
            &["thumb", "親指"],
            &["index", "pointer", "人指", "人差指"],
            &["middle", "中指"],
            &["ring", "薬指"],
            &["pinky", "little", "小指"],
        ];
        let mut fingers: [Vec<BoneIndex>; 5] = Default::default();
        for bone in (hand + 1..self.skeleton.len()).filter(|&bone| self.skeleton.is_ancestor(hand, bone)) {
            let given = self.humanoid.iter().find(|(_, own)| *own == bone).map(|(name, _)| name);
            let name = given.unwrap_or(&self.skeleton.bones()[bone].name).to_lowercase();
            let found = WORDS.iter().position(|words| words.iter().any(|word| name.contains(word)));
            // A finger is one chain, so a bone that does not descend from the last one, such as a ring, is not part of
            // it.
            let Some(finger) = found.map(|index| &mut fingers[index]) else { continue };
            if finger.last().is_none_or(|&last| self.skeleton.is_ancestor(last, bone)) {
                finger.push(bone);
            }
        }
        fingers
    }
}
