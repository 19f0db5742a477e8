//! The limbs of a body, and the bones between them.

use glam::Vec3;

use super::super::skeleton::BoneIndex;
use super::evidence::Evidence;
use super::limbs::{Body, Triple};
use super::names::Part;

pub(super) struct Torso<'a> {
    pub(super) evidence: &'a Evidence<'a>,
    pub(super) body: &'a Body<'a>,
    /// Left arm, right arm, left leg, right leg.
    pub(super) limbs: &'a [Triple; 4],
    /// The middle between the two hip joints.
    pub(super) hips: Vec3,
    /// The middle between the two shoulder joints.
    pub(super) shoulders: Vec3,
    /// The unit vector from hips to shoulders; up if both are at the same position.
    pub(super) trunk: Vec3,
}

impl Torso<'_> {
    /// The keys of the spine in a humanoid map, from below.
    pub(super) const SPINE: [&'static str; 3] = ["spine", "chest", "upperChest"];

    pub(super) fn in_limb(&self, bone: BoneIndex) -> bool {
        self.limbs.iter().any(|limb| limb.0[0] == bone || self.body.is_above(limb.0[0], bone))
    }

    /// Returns the bone that the file's humanoid map names for a key, such as `hips`; `None` if it names none.
    pub(super) fn file(&self, name: &str) -> Option<BoneIndex> {
        self.evidence.model.humanoid.iter().find(|(key, _)| key == name).map(|&(_, bone)| bone)
    }

    pub(super) fn span(&self) -> f32 {
        (self.shoulders - self.hips).length().max(1e-20)
    }

    fn tie(&self) -> f32 {
        self.span() * 0.02
    }

    fn hips_distance(&self, bone: BoneIndex) -> f32 {
        self.body.position[bone].distance(self.hips)
    }

    fn legs_meet(&self) -> Option<BoneIndex> {
        self.body.meeting(self.limbs[2].0[0], self.limbs[3].0[0])
    }

    fn arms_meet(&self) -> Option<BoneIndex> {
        self.body.meeting(self.limbs[0].0[0], self.limbs[1].0[0])
    }

    /// Returns the bones from the common ancestor of legs and arms to that of the arms, both included, without bones of
    /// limbs. Starts at the root if legs and arms have no common ancestor; empty if the arms have none.
    fn way(&self) -> Vec<BoneIndex> {
        let body = self.body;
        let mut way: Vec<BoneIndex> = match (self.legs_meet(), self.arms_meet()) {
            (Some(legs), Some(arms)) => {
                let joint = body.meeting(legs, arms);
                let mut way = body.path_down(joint, arms);
                way.splice(0..0, joint);
                way
            }
            (None, Some(arms)) => body.path_down(None, arms),
            _ => Vec::new(),
        };
        way.retain(|&bone| !self.in_limb(bone));
        way
    }

    /// Returns the pelvis: the common ancestor of the legs, or a bone near it that is nearer to the hips or is named as
    /// the pelvis. `None` if no bone qualifies.
    pub(super) fn pelvis(&self) -> Option<BoneIndex> {
        let (evidence, body, legs_meet) = (self.evidence, self.body, self.legs_meet());
        let hips_distance = |bone: BoneIndex| self.hips_distance(bone);
        let (tie, way) = (self.tie(), self.way());
        let mut near: Vec<BoneIndex> = Vec::new();
        near.extend(legs_meet);
        // Of the next two ancestors, only those that move vertices: wrapper nodes on the floor do not.
        let mut above = legs_meet.and_then(|bone| body.parent[bone]);
        for _ in 0..2 {
            near.extend(above.filter(|&bone| evidence.is_weighted[bone]));
            above = above.and_then(|bone| body.parent[bone]);
        }
        // The last bone of the path carries the arms, so it is not the pelvis.
        near.extend(way.iter().take(way.len().saturating_sub(1)).take(4));
        near.retain(|&bone| !self.in_limb(bone));
        let best = near.iter().copied().fold(None::<BoneIndex>, |best, bone| match best {
            Some(best) if hips_distance(bone) >= hips_distance(best) - tie => Some(best),
            _ => Some(bone),
        })?;
        // Prefer the common ancestor of the legs, unless it is clearly elsewhere, such as a root on the floor.
        let leg: f32 = body.lengths(self.limbs[2]).iter().sum();
        let own = legs_meet.filter(|&own| {
            !self.in_limb(own)
                && (hips_distance(own) < leg * 0.5 || hips_distance(own) < hips_distance(best) + leg * 0.1)
        });
        let helper_above = own.and_then(|own| body.parent[own]).filter(|&above| {
            let named = |bone: BoneIndex| evidence.names[bone].part;
            evidence.is_weighted[above]
                && hips_distance(above) < self.span() * 0.45
                && (named(above) == Some(Part::Pelvis) && own.and_then(named) != Some(Part::Pelvis)
                    || own.is_some_and(|own| hips_distance(above) < hips_distance(own) - tie * 0.5))
        });
        Some(helper_above.or(own).unwrap_or(best))
    }

    /// Returns the bones of the spine above the pelvis. If its last bone is a neck, returns that bone apart from the
    /// spine.
    pub(super) fn spine(&self, pelvis: BoneIndex) -> (Vec<BoneIndex>, Option<BoneIndex>) {
        let body = self.body;
        let mut spine: Vec<BoneIndex> = match self.arms_meet() {
            Some(arms) => body.path_down(body.meeting(pelvis, arms), arms),
            None => Vec::new(),
        };
        spine.retain(|&bone| bone != pelvis && !self.in_limb(bone));
        if self.file("hips").is_some() {
            let mapped: Vec<_> = Self::SPINE.into_iter().filter_map(|key| self.file(key)).collect();
            // Unmapped bones in between belong to the spine; bones above the last mapped one do not.
            if let Some(&last) = mapped.last().filter(|&&last| spine.contains(&last)) {
                let end = spine.iter().position(|&bone| bone == last).unwrap_or(0);
                spine.truncate(end + 1);
            } else if spine.is_empty() {
                spine = mapped;
            }
        }
        // Bones far below the hips, such as a root on the floor, are not part of the spine.
        while spine.len() > 1 {
            let below = (body.position[spine[0]] - self.hips).dot(self.trunk) < -self.span() * 0.35
                && self.hips_distance(spine[0]) > self.hips_distance(pelvis) + self.tie();
            if !below {
                break;
            }
            spine.remove(0);
        }
        // A neck is not part of the spine, even if collar bones are attached to it.
        let mut neck = None;
        if spine.len() > 1 && self.file("neck").is_none_or(|neck| spine.contains(&neck)) {
            let last = spine[spine.len() - 1];
            if self.file("neck") == Some(last) || self.is_neck(last, spine[spine.len() - 2]) {
                neck = spine.pop();
            }
        }
        (spine, neck)
    }

    /// Returns whether the last bone of the spine is a neck, by its name or by its shape. `before` is the bone below
    /// it.
    fn is_neck(&self, bone: BoneIndex, before: BoneIndex) -> bool {
        let (body, arms) = (self.body, &self.limbs[..2]);
        let centre = body.children[bone]
            .iter()
            .filter(|&&child| !self.in_limb(child) && !arms.iter().any(|arm| body.is_above(child, arm.0[0])));
        let ends_soon = centre.clone().count() >= 1;
        match self.evidence.names[bone].part {
            Some(Part::Neck) => true,
            Some(_) => false,
            None => {
                let above_shoulders = (body.position[bone] - self.shoulders).dot(self.trunk) > self.span() * 0.02;
                let head_next = centre.clone().all(|&head| {
                    body.position[head].distance(body.position[bone])
                        < body.position[bone].distance(body.position[before]) * 0.75
                });
                above_shoulders && ends_soon && head_next
            }
        }
    }
}
