//! Joins chains of bones that move vertices where the file attaches them to controls, to the armature, or to other
//! bones that move no vertices.
//!
//! Rigs made with Rigify are exported in this way. Their tree shows the controls, not the body.

use super::super::skeleton::BoneIndex;
use super::limbs::Body;

/// The largest skeleton that is searched, in bones.
const MOST_BONES: usize = 5000;
const MOST_CHAINS: usize = 200;

impl Body<'_> {
    /// Makes one tree of the bones that move vertices: each is attached to its nearest ancestor that moves vertices. A
    /// bone without such an ancestor is the first of a chain, which may branch. The trunk is the longest chain without
    /// a counterpart on the other side. Every other chain is attached to the nearest bone of the trunk or of a chain
    /// attached before it, except its counterpart; the nearest chain comes first. Does nothing if all bones move
    /// vertices, if there is no trunk, with fewer than 3 chains, or beyond [`MOST_BONES`] or [`MOST_CHAINS`].
    pub(super) fn join_moving_bones(&mut self) {
        let count = self.parent.len();
        if count > MOST_BONES || self.is_weighted.iter().all(|&moves| moves) {
            return;
        }
        let mut order: Vec<BoneIndex> = (0..count).collect();
        order.sort_by_key(|&bone| self.depth[bone]);
        // For each bone, the nearest ancestor that moves vertices; if the bone does too, also the first bone of its
        // chain.
        let mut above: Vec<Option<BoneIndex>> = vec![None; count];
        let mut first: Vec<Option<BoneIndex>> = vec![None; count];
        for &bone in &order {
            let parent = self.parent[bone];
            above[bone] = parent.filter(|&parent| self.is_weighted[parent]).or(parent.and_then(|parent| above[parent]));
            if self.is_weighted[bone] {
                first[bone] = above[bone].and_then(|above| first[above]).or(Some(bone));
            }
        }
        let is_first = |bone: &BoneIndex| first[*bone] == Some(*bone);
        let chains: Vec<BoneIndex> = (0..count).filter(is_first).collect();
        if !(3..=MOST_CHAINS).contains(&chains.len()) {
            return;
        }
        let mut length = vec![0.0f32; count];
        for &bone in order.iter().rev() {
            if let Some(parent) = above[bone].filter(|_| self.is_weighted[bone]) {
                let through = length[bone] + self.position[bone].distance(self.position[parent]);
                length[parent] = length[parent].max(through);
            }
        }
        let are_paired = |chain: BoneIndex, other: BoneIndex| {
            let apart = self.position[other].distance(self.position[chain]);
            let unlike = (length[other] - length[chain]).abs();
            let level = (self.height_of(other) - self.height_of(chain)).abs();
            let most = length[chain].max(length[other]) * 0.05;
            other != chain && apart > self.near() && unlike <= most && level < self.size * 0.02
        };
        let is_paired = |&chain: &BoneIndex| chains.iter().any(|&other| are_paired(chain, other));
        let longest = |a: &&BoneIndex, b: &&BoneIndex| length[**a].total_cmp(&length[**b]).then(b.cmp(a));
        let Some(&trunk) = chains.iter().filter(|chain| !is_paired(chain)).max_by(longest) else { return };

        let members = |chain: BoneIndex| (0..count).filter(|&bone| first[bone] == Some(chain)).collect::<Vec<_>>();
        let mut nearest = vec![(f32::INFINITY, trunk); count];
        let mut waiting: Vec<BoneIndex> = chains.iter().copied().filter(|&chain| chain != trunk).collect();
        let mut moves: Vec<(BoneIndex, BoneIndex)> = Vec::new();
        let mut joined = trunk;
        loop {
            for bone in members(joined) {
                for &chain in &waiting {
                    let is_higher = self.height_of(bone) > self.height_of(chain) + self.near();
                    // Collar bones are attached to the chest below them, not to the neck.
                    let factor = if is_higher { 1.25 } else { 1.0 };
                    let distance = self.position[bone].distance(self.position[chain]) * factor;
                    if are_paired(joined, chain) {
                        continue;
                    }
                    if distance < nearest[chain].0 {
                        nearest[chain] = (distance, bone);
                    }
                }
            }
            let next = (0..waiting.len()).min_by(|&a, &b| nearest[waiting[a]].0.total_cmp(&nearest[waiting[b]].0));
            let Some(next) = next else { break };
            joined = waiting.remove(next);
            moves.push((joined, nearest[joined].1));
        }
        moves.extend((0..count).filter_map(|bone| Some((bone, above[bone].filter(|_| self.is_weighted[bone])?))));
        self.reparent(moves);
    }
}
