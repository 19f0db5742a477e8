//! Detection of animals on four feet, whose limbs can look like those of a biped.

use glam::Vec3;

use super::super::skeleton::BoneIndex;
use super::directions::flat;
use super::limbs::{Body, Triple};

/// The smallest horizontal distance of another pair of legs from the hips, as a fraction of a leg.
const LEAST_AWAY: f32 = 0.5;
const MOST_CHAINS: usize = 80;

impl Body<'_> {
    /// Returns the first bones of another pair of legs: two chains of similar length, of at least three bones each,
    /// that reach the ground and start far from the hips, at similar heights more than half a leg above the ground.
    /// `None` if there is none.
    pub(super) fn other_legs(&self, arms: &[Triple; 2], legs: &[Triple; 2]) -> Option<[BoneIndex; 2]> {
        let leg: f32 = legs.iter().map(|&leg| self.lengths(leg).iter().sum::<f32>()).sum::<f32>() * 0.5;
        let hips = (self.position[legs[0].0[0]] + self.position[legs[1].0[0]]) * 0.5;
        let ground = legs.iter().map(|leg| self.height_of(leg.0[2])).fold(f32::INFINITY, f32::min);
        let (length, next) = self.longest_paths();
        let is_own = |bone: BoneIndex| {
            let mut limbs = arms.iter().chain(legs);
            limbs.any(|limb| limb.0[0] == bone || self.is_above(bone, limb.0[0]) || self.is_above(limb.0[0], bone))
        };
        let away = |place: Vec3| flat(place - hips, self.up).length();
        let reaches = |&bone: &BoneIndex| {
            let path: Vec<BoneIndex> = std::iter::successors(Some(bone), |&bone| next[bone]).take(20).collect();
            let lowest = path.iter().map(|&bone| self.height_of(bone)).fold(f32::INFINITY, f32::min);
            path.len() >= 3 && lowest < ground + leg * 0.12
        };
        let mut chains: Vec<BoneIndex> = (0..self.parent.len())
            .filter(|&bone| length[bone] > leg * 0.6 && self.is_weighted[bone] && !self.names[bone].is_helper)
            .filter(|&bone| self.parent[bone].is_some_and(|parent| self.children[parent].len() > 1))
            .filter(|&bone| self.height_of(bone) > ground + leg * 0.5 && away(self.position[bone]) > leg * LEAST_AWAY)
            .filter(|&bone| !is_own(bone))
            .filter(reaches)
            .collect();
        chains.truncate(MOST_CHAINS);
        chains.iter().enumerate().find_map(|(at, &a)| {
            let is_pair = |&&b: &&BoneIndex| {
                let unlike = (length[a] - length[b]).abs() / length[a].max(length[b]);
                let level = (self.height_of(a) - self.height_of(b)).abs();
                let apart = self.position[a].distance(self.position[b]);
                unlike < 0.15 && level < leg * 0.15 && apart > self.near() && apart < leg * 1.5
            };
            chains[at + 1..].iter().find(is_pair).map(|&b| [a, b])
        })
    }
}
