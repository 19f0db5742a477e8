//! The body that detection searches, and the search for limbs (chains of three joints) by shape.

use glam::Vec3;

use super::super::skeleton::{BoneIndex, Skeleton};
use super::directions::flat;
use super::names::{NameEvidence, Part};
use crate::math::{angle, unit_or_zero};

/// A skeleton in one pose, with tables that speed up the search.
#[derive(Clone)]
pub(super) struct Body<'a> {
    /// The anatomical parents: those of the file, except for bones that `strays` or `forest` attaches to others.
    pub parent: Vec<Option<BoneIndex>>,
    pub children: Vec<Vec<BoneIndex>>,
    pub depth: Vec<u32>,
    /// The number of each bone in a walk of the tree, parents before children, and the largest number in its subtree.
    walk: Vec<[u32; 2]>,
    pub position: Vec<Vec3>,
    pub names: &'a [NameEvidence],
    /// True for bones that move vertices; true for all if that is unknown.
    pub is_weighted: &'a [bool],
    pub up: Vec3,
    /// The lowest coordinate along `up` of the bones that move vertices; 0 if there is none.
    pub bottom: f32,
    /// The largest extent along x, y or z of the bones that move vertices, in model units; 0 if there is none.
    pub size: f32,
}

/// The three joints of an arm or leg, from the body outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triple(pub [BoneIndex; 3]);

/// A pair of limbs, with a cost: the lower, the better the match. Fitting names and fingers can make it negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub limbs: [Triple; 2],
    pub cost: f32,
}

/// The largest number of bones that are compared as starts of limbs, those with the longest paths first.
const MOST_CANDIDATES: usize = 80;
/// A path has at most one joint more than this. Of the siblings of a joint, at most this many are searched for fingers.
const MOST_JOINTS: usize = 20;
/// The largest distance of a twist bone from the line between its joints, as a fraction of the line's length.
pub(super) const MOST_OFF_LINE: f32 = 0.13;
/// Pairs of limbs that cost this or more are discarded.
const MOST_COST: f32 = 3.0;

impl<'a> Body<'a> {
    pub fn new(
        skeleton: &'a Skeleton,
        position: Vec<Vec3>,
        names: &'a [NameEvidence],
        is_weighted: &'a [bool],
        up: Vec3,
    ) -> Self {
        let parent: Vec<_> = skeleton.bones().iter().map(|bone| bone.parent).collect();
        let telling = |bone: &usize| is_weighted[*bone];
        let range = |axis: Vec3| {
            let along = (0..position.len()).filter(telling).map(|bone| position[bone].dot(axis));
            along.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
        };
        let (bottom, _) = range(up);
        let size = [Vec3::X, Vec3::Y, Vec3::Z].map(range).iter().map(|(low, high)| high - low).fold(0.0, f32::max);
        let mut body = Self {
            parent,
            children: Vec::new(),
            depth: Vec::new(),
            walk: Vec::new(),
            position,
            names,
            is_weighted,
            up,
            bottom: if bottom.is_finite() { bottom } else { 0.0 },
            size: if size.is_finite() { size } else { 0.0 },
        };
        body.link();
        body.reattach_ends();
        body
    }

    pub(super) fn with_names<'b>(&self, names: &'b [NameEvidence]) -> Body<'b>
    where
        'a: 'b,
    {
        Body { names, ..self.clone() }
    }

    pub(super) fn link(&mut self) {
        let count = self.parent.len();
        self.children = vec![Vec::new(); count];
        self.depth = vec![0; count];
        for bone in 0..count {
            if let Some(parent) = self.parent[bone] {
                self.children[parent].push(bone);
            }
        }
        self.walk = vec![[0; 2]; count];
        let mut order = Vec::with_capacity(count);
        let mut stack: Vec<_> = (0..count).filter(|&bone| self.parent[bone].is_none()).collect();
        while let Some(bone) = stack.pop() {
            self.walk[bone] = [order.len() as u32; 2];
            order.push(bone);
            for &child in &self.children[bone] {
                self.depth[child] = self.depth[bone] + 1;
                stack.push(child);
            }
        }
        for &bone in order.iter().rev() {
            if let Some(parent) = self.parent[bone] {
                self.walk[parent][1] = self.walk[parent][1].max(self.walk[bone][1]);
            }
        }
    }

    /// Moves bones to new parents one by one, except where that would make a cycle.
    pub(super) fn reparent(&mut self, moves: impl IntoIterator<Item = (BoneIndex, BoneIndex)>) {
        for (bone, onto) in moves {
            let mut above = std::iter::successors(Some(onto), |&bone| self.parent[bone]);
            if !above.any(|above| above == bone) {
                self.parent[bone] = Some(onto);
            }
        }
        self.link();
    }

    pub fn height_of(&self, bone: BoneIndex) -> f32 {
        self.position[bone].dot(self.up)
    }

    /// Returns true if `above` is an anatomical ancestor of `bone`.
    pub fn is_above(&self, above: BoneIndex, bone: BoneIndex) -> bool {
        let [first, last] = self.walk[above];
        above != bone && (first..=last).contains(&self.walk[bone][0])
    }

    /// Returns the nearest common ancestor of two bones; `None` if they are in different trees. If one bone is above
    /// the other, it is the result.
    pub fn meeting(&self, a: BoneIndex, b: BoneIndex) -> Option<BoneIndex> {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.depth[a] >= self.depth[b] {
                a = self.parent[a]?;
            } else {
                b = self.parent[b]?;
            }
        }
        Some(a)
    }

    /// Returns the path from a child of `above` down to `bone`, both included; from the root if `above` is not an
    /// ancestor; empty if `above` is `bone`.
    pub fn path_down(&self, above: Option<BoneIndex>, bone: BoneIndex) -> Vec<BoneIndex> {
        let mut path = Vec::new();
        let mut at = Some(bone);
        while let Some(bone) = at.filter(|&bone| Some(bone) != above) {
            path.push(bone);
            at = self.parent[bone];
        }
        path.reverse();
        path
    }

    /// Returns, for every bone, the length of the longest path down from it and the next bone on that path.
    pub(super) fn longest_paths(&self) -> (Vec<f32>, Vec<Option<BoneIndex>>) {
        let count = self.parent.len();
        let (mut length, mut next) = (vec![0.0f32; count], vec![None; count]);
        // Ordered by depth, not by index: a reattached stray may have a parent with a larger index.
        let mut order: Vec<BoneIndex> = (0..count).collect();
        order.sort_by_key(|&bone| std::cmp::Reverse(self.depth[bone]));
        for bone in order {
            let Some(parent) = self.parent[bone] else { continue };
            let through = length[bone] + self.position[bone].distance(self.position[parent]);
            if through > length[parent] || next[parent].is_none() {
                length[parent] = through;
                next[parent] = Some(bone);
            }
        }
        (length, next)
    }

    /// Returns the joints from `start` along `next`, one per position.
    pub(super) fn joints(&self, start: BoneIndex, next: &[Option<BoneIndex>]) -> Vec<BoneIndex> {
        let near = self.near();
        let mut joints: Vec<BoneIndex> = Vec::new();
        // The first bone at the current position. At the last position of the path, this bone is the joint unless a
        // later one has more evidence.
        let mut first_here = start;
        let mut at = Some(start);
        while let Some(bone) = at {
            match joints.last_mut() {
                Some(last) if self.position[*last].distance(self.position[bone]) < near => {
                    if self.is_rather_the_joint(*last, bone) {
                        *last = bone;
                    }
                }
                _ => {
                    joints.push(bone);
                    first_here = bone;
                }
            }
            if joints.len() > MOST_JOINTS {
                break;
            }
            at = next[bone];
        }
        if let Some(last) = joints.last_mut().filter(|&&mut last| self.rank(last) == self.rank(first_here)) {
            *last = first_here;
        }
        joints
    }

    /// Returns the distance in model units below which two bones count as being at the same position.
    pub fn near(&self) -> f32 {
        self.size * 2e-3
    }

    /// Returns the evidence that a bone is a joint of any kind, in the order in which it counts: it moves vertices, it
    /// is no helper, its name means a part of the body.
    fn rank(&self, bone: BoneIndex) -> (bool, bool, bool) {
        let name = &self.names[bone];
        (self.is_weighted[bone], !name.is_helper, name.part.is_some())
    }

    /// Returns true if `below`, a descendant of `above` at the same position, is the joint rather than `above`. If both
    /// have the same evidence, `below` wins unless its name is less plain: `above` is usually an exporter's helper.
    fn is_rather_the_joint(&self, above: BoneIndex, below: BoneIndex) -> bool {
        let (before, after) = (self.rank(above), self.rank(below));
        let plain = |bone: BoneIndex| self.names[bone].spare_words;
        after > before || after == before && plain(below) <= plain(above)
    }

    /// Returns true if `below` is the joint rather than `above`. If their positions differ, `below` must have more
    /// evidence than `above`, not counting the parts of the body that names mean.
    pub(super) fn is_rather_the_joint_of(&self, above: BoneIndex, below: BoneIndex) -> bool {
        if self.position[above].distance(self.position[below]) < self.near() {
            return self.is_rather_the_joint(above, below);
        }
        let ((moves, plain, _), (moves_above, plain_above, _)) = (self.rank(below), self.rank(above));
        (moves, plain) > (moves_above, plain_above)
    }

    /// Returns the joint among the bones at the position of `bone` on the path to `below`.
    pub fn joint_in_place(&self, bone: BoneIndex, below: BoneIndex) -> BoneIndex {
        let path = self.path_down(Some(bone), below);
        let here = path
            .into_iter()
            .take_while(|&next| next != below && self.position[next].distance(self.position[bone]) < self.near());
        here.fold(bone, |joint, next| if self.is_rather_the_joint(joint, next) { next } else { joint })
    }

    /// Returns the cost of three joints on a path as an arm or leg: 0 for a perfect shape, less with fitting names;
    /// `None` if they cannot be one. `fingers` is the result of [`Self::fingers_along`] for an arm.
    pub(super) fn triple_cost(
        &self,
        joints: &[BoneIndex],
        fingers: &[usize],
        [i, j, m]: [usize; 3],
        is_arm: bool,
    ) -> Option<f32> {
        let at = |index: usize| self.position[joints[index]];
        let (first, second) = (at(i).distance(at(j)), at(j).distance(at(m)));
        if first < self.size * 0.03 || second < self.size * 0.03 {
            return None;
        }
        // Bones between two joints of a limb must be twist bones, which lie near the line between the joints.
        for (from, to, length) in [(i, j, first), (j, m, second)] {
            let direction = unit_or_zero(at(to) - at(from));
            for between in from + 1..to {
                if direction.cross(at(between) - at(from)).length() > length * MOST_OFF_LINE {
                    return None;
                }
            }
        }
        let ratio = (first / second).ln().abs();
        // The forearms of cartoon characters can be twice as long as the upper arms.
        if ratio > if is_arm { 0.95 } else { 0.6 } {
            return None;
        }
        let mut cost = ratio;
        // Skipped joints suggest that the wrong ones were selected. One near the start costs more: it is rather the
        // shoulder behind a short collar bone than a twist bone.
        for (from, to, length) in [(i, j, first), (j, m, second)] {
            for between in from + 1..to {
                let part = at(between).distance(at(from)) / length;
                cost += if from == i && part < 0.2 { 0.2 } else { 0.08 };
            }
        }
        if angle(at(j) - at(i), at(m) - at(j)) > 1.9 {
            cost += 0.6;
        }
        let tail: f32 = (m + 1..joints.len()).map(|index| at(index).distance(at(index - 1))).sum();
        let tail = tail / (first + second);
        let has_tail = joints.len() > m + 1;
        if is_arm {
            let spread = fingers[i..].iter().max().copied().unwrap_or(0);
            if spread >= 3 && fingers[m] < 3 {
                cost += 0.6;
            }
            if has_tail && !(0.06..0.75).contains(&tail) {
                cost += 0.3;
            }
            // Only a short collar bone lies before an arm; a longer path means that these joints start too low.
            let before: f32 = (1..=i).map(|index| at(index).distance(at(index - 1))).sum();
            cost += (before / (first + second) - 0.6).max(0.0) * 2.0;
            // A collar bone starts near the spine, an arm at the side of the chest.
            if let Some(spine) = self.parent[joints[0]] {
                let aside = flat(at(i) - self.position[spine], self.up).length() / (first + second);
                cost += (0.2 - aside).max(0.0) * 4.0;
            }
        } else {
            if has_tail {
                // Feet point forwards, not downwards.
                let leg = unit_or_zero(at(m) - at(i));
                let along = (at(joints.len() - 1) - at(m)).dot(leg) / (first + second);
                cost += (along - 0.12).max(0.0) * 2.5 + (tail - 0.6).max(0.0);
            } else if joints.len() > 3 {
                cost += 0.5;
            }
            let before: f32 = (1..=i).map(|index| at(index).distance(at(index - 1))).sum();
            cost += (before / (first + second) - 0.3).max(0.0) * 8.0;
        }
        for (index, &joint) in [i, j, m].iter().enumerate() {
            let name = self.names[joints[joint]];
            let fits = |part| match (is_arm, index) {
                (true, 0) => matches!(part, Part::UpperArm | Part::Arm | Part::Shoulder),
                (true, 1) => matches!(part, Part::Forearm | Part::Arm),
                (true, _) => matches!(part, Part::Hand | Part::Palm | Part::Arm),
                (false, 0) => matches!(part, Part::Thigh | Part::Leg),
                (false, 1) => matches!(part, Part::Calf | Part::Leg),
                (false, _) => matches!(part, Part::Foot | Part::Leg),
            };
            cost += match name.part {
                Some(part) if fits(part) => -0.1,
                Some(Part::Finger | Part::Toe) => 0.4,
                Some(_) => 0.1,
                None => 0.0,
            };
            cost += if name.is_helper { 0.15 } else { 0.0 };
            if !self.is_weighted[joints[joint]] {
                cost += 0.15;
            }
        }
        Some(cost)
    }

    /// Returns for each joint of a path how many fingers spread from it and from siblings at its position. A child that
    /// is no helper counts as a finger if its distance is less than two fifths of the path's length up to the joint: a
    /// hand is further from its forearm.
    pub(super) fn fingers_along(&self, joints: &[BoneIndex]) -> Vec<usize> {
        let mut length = 0.0;
        let count = |at: usize| {
            length += if at == 0 { 0.0 } else { self.position[joints[at]].distance(self.position[joints[at - 1]]) };
            self.fingers(joints[at], length * 0.4)
        };
        (0..joints.len()).map(count).collect()
    }

    fn fingers(&self, bone: BoneIndex, reach: f32) -> usize {
        let is_finger = |&&child: &&BoneIndex| {
            !self.names[child].is_helper && self.position[child].distance(self.position[bone]) < reach
        };
        let own = |bone: BoneIndex| self.children[bone].iter().filter(is_finger).count();
        let siblings = self.parent[bone].into_iter().flat_map(|parent| &self.children[parent]).take(MOST_JOINTS);
        let is_here = |other: BoneIndex| self.position[other].distance(self.position[bone]) < self.near();
        let beside = siblings.filter(|&&other| other != bone && is_here(other));
        own(bone) + beside.map(|&other| own(other)).sum::<usize>()
    }

    pub(super) fn best_triple(&self, joints: &[BoneIndex], is_arm: bool) -> Option<(Triple, f32)> {
        let count = joints.len();
        let mut best: Option<(Triple, f32)> = None;
        let fingers = if is_arm { self.fingers_along(joints) } else { Vec::new() };
        for i in 0..count.saturating_sub(2).min(5) {
            for j in i + 1..count - 1 {
                for m in j + 1..count {
                    let Some(cost) = self.triple_cost(joints, &fingers, [i, j, m], is_arm) else { continue };
                    if best.is_none_or(|(_, least)| cost < least) {
                        best = Some((Triple([joints[i], joints[j], joints[m]]), cost));
                    }
                }
            }
        }
        best
    }

    pub fn lengths(&self, Triple([a, b, c]): Triple) -> [f32; 2] {
        [self.position[a].distance(self.position[b]), self.position[b].distance(self.position[c])]
    }

    /// Returns the best pair of legs by shape, and the best pair of arms for these legs; `None` for a pair not found,
    /// and for the arms if no legs were found.
    pub fn find_by_shape(&self) -> (Option<Pair>, Option<Pair>) {
        if self.size <= 0.0 {
            return (None, None);
        }
        let (length, next) = self.longest_paths();
        let mut starts: Vec<BoneIndex> = (0..self.parent.len())
            .filter(|&bone| length[bone] > self.size * 0.15)
            .filter(|&bone| self.parent[bone].is_none_or(|parent| self.children[parent].len() > 1))
            .collect();
        starts.sort_by(|&a, &b| length[b].total_cmp(&length[a]).then(a.cmp(&b)));
        starts.truncate(MOST_CANDIDATES);
        let paths: Vec<Vec<BoneIndex>> = starts.iter().map(|&start| self.joints(start, &next)).collect();
        let legs: Vec<_> = paths.iter().map(|path| self.best_triple(path, false)).collect();
        let arms: Vec<_> = paths.iter().map(|path| self.best_triple(path, true)).collect();

        let leg_pair = self.best_pair(&starts, &legs, |body, pair| body.legs_cost(pair));
        let Some(leg_pair) = leg_pair else { return (None, None) };
        let arm_pair = self.best_pair(&starts, &arms, |body, pair| body.arms_cost(pair, &leg_pair.limbs));
        (Some(leg_pair), arm_pair)
    }

    fn best_pair(
        &self,
        starts: &[BoneIndex],
        triples: &[Option<(Triple, f32)>],
        extra: impl Fn(&Self, [Triple; 2]) -> Option<f32>,
    ) -> Option<Pair> {
        let mut best: Option<Pair> = None;
        for a in 0..starts.len() {
            for b in a + 1..starts.len() {
                let (Some((ta, ca)), Some((tb, cb))) = (triples[a], triples[b]) else { continue };
                let ([a1, a2], [b1, b2]) = (self.lengths(ta), self.lengths(tb));
                let unlike = ((a1 - b1).abs() + (a2 - b2).abs()) / (a1 + a2).max(b1 + b2);
                let cost = ca + cb + unlike * 6.0;
                if unlike > 0.2 || best.is_some_and(|best| best.cost <= cost - 2.0) {
                    continue;
                }
                if ta.0.iter().any(|bone| tb.0.contains(bone))
                    || self.is_above(starts[a], starts[b])
                    || self.is_above(starts[b], starts[a])
                {
                    continue;
                }
                let Some(extra) = extra(self, [ta, tb]) else { continue };
                let sides = [ta.0[0], tb.0[0]].map(|bone| self.names[bone].side);
                let same_side = sides[0].is_some() && sides[0] == sides[1];
                let cost = cost + extra + if same_side { 0.5 } else { 0.0 };
                if cost < best.map_or(MOST_COST, |best| best.cost) {
                    best = Some(Pair { limbs: [ta, tb], cost });
                }
            }
        }
        best
    }

    fn legs_cost(&self, [a, b]: [Triple; 2]) -> Option<f32> {
        let mut cost = 0.0;
        let apart = self.position[a.0[0]].distance(self.position[b.0[0]]);
        if apart < self.size * 0.015 {
            return None;
        }
        for Triple([hip, _, ankle]) in [a, b] {
            let [upper, lower] = self.lengths(Triple([hip, [a, b][usize::from(hip == b.0[0])].0[1], ankle]));
            let drop = (self.height_of(hip) - self.height_of(ankle)) / (upper + lower);
            if drop < 0.2 {
                return None;
            }
            cost += (0.9 - drop).max(0.0);
            // Feet are the lowest parts, and legs are long.
            cost += ((self.height_of(ankle) - self.bottom) / self.size - 0.12).max(0.0) * 4.0;
            cost += (0.4 - (upper + lower) / self.size).max(0.0) * 1.5;
        }
        cost += (apart / self.size - 0.3).max(0.0) * 4.0;
        Some(cost)
    }

    fn arms_cost(&self, [a, b]: [Triple; 2], legs: &[Triple; 2]) -> Option<f32> {
        let in_legs = |bone: BoneIndex| {
            legs.iter()
                .any(|leg| leg.0.contains(&bone) || self.is_above(leg.0[0], bone) || self.is_above(bone, leg.0[0]))
        };
        if in_legs(a.0[0]) || in_legs(b.0[0]) {
            return None;
        }
        let leg: f32 = legs.iter().map(|&leg| self.lengths(leg).iter().sum::<f32>()).sum::<f32>() / 2.0;
        let hips = (self.position[legs[0].0[0]] + self.position[legs[1].0[0]]) * 0.5;
        let shoulders = (self.position[a.0[0]] + self.position[b.0[0]]) * 0.5;
        let arm: f32 = self.lengths(a).iter().sum();
        let mut cost = (0.5 - arm / leg).max(0.0) * 3.0 + (arm / leg - 1.2).max(0.0) * 3.0;
        let trunk = (shoulders - hips).length() / leg;
        cost += (0.3 - trunk).max(0.0) * 4.0 + (trunk - 0.9).max(0.0) * 2.0;
        if (shoulders - hips).dot(self.up) / leg < 0.15 {
            return None;
        }
        let apart = self.position[a.0[0]].distance(self.position[b.0[0]]) / leg;
        cost += (0.2 - apart).max(0.0) * 4.0 + (apart - 1.0).max(0.0) * 2.0;
        // Two strands of hair can look like arms, but they meet in a bone above them. Arms meet near their own height,
        // and most hands have fingers.
        if let Some(carrier) = self.meeting(a.0[0], b.0[0]) {
            let above = (self.position[carrier] - shoulders).dot(self.up) / leg;
            cost += (above - 0.08).max(0.0) * 4.0;
        }
        if [a, b].iter().all(|arm| self.fingers(arm.0[2], leg) >= 3) {
            cost -= 0.4;
        }
        Some(cost)
    }

    /// Returns true if three bones could be a limb: all different, each part more than 15 % of the limb's length, and
    /// the limb longer than 0.1 % of the body's size.
    pub fn is_sane(&self, triple: Triple) -> bool {
        let [first, second] = self.lengths(triple);
        let Triple([a, b, c]) = triple;
        let sum = first + second;
        a != b && b != c && a != c && first > sum * 0.15 && second > sum * 0.15 && sum > self.size * 1e-3
    }
}
