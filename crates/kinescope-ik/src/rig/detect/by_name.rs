//! The search for limbs by the names of their joints, and the choice of the hand.

use super::super::skeleton::BoneIndex;
use super::limbs::{Body, MOST_OFF_LINE, Triple};
use super::names::{Part, Side};
use crate::math::{angle, unit_or_zero};

/// The largest angle by which a twist bone bends a limb, in radians.
const MOST_TWIST_TURN: f32 = 0.3;
/// The largest angle between the two parts of a thigh or upper arm whose names differ only in a number, in radians.
const MOST_PART_TURN: f32 = 1.0;

impl Body<'_> {
    /// Returns the joints of a limb by name; the third one by its place if no name fits. `None` unless all three exist
    /// and could form a limb.
    pub fn find_by_name(&self, side: Side, is_arm: bool) -> Option<Triple> {
        let of = |wanted: &[Part]| -> Vec<BoneIndex> {
            let fits = |&bone: &BoneIndex| {
                let name = self.names[bone];
                !name.is_helper && name.side == Some(side) && name.part.is_some_and(|part| wanted.contains(&part))
            };
            (0..self.names.len()).filter(fits).take(200).collect()
        };
        let (mut first, mut second, mut third) = if is_arm {
            (of(&[Part::UpperArm]), of(&[Part::Forearm]), of(&[Part::Hand]))
        } else {
            (of(&[Part::Thigh]), of(&[Part::Calf]), of(&[Part::Foot]))
        };
        let mut vague = of(&[if is_arm { Part::Arm } else { Part::Leg }]);
        vague.sort_by_key(|&bone| (self.depth[bone], bone));
        if first.is_empty() && second.is_empty() && vague.len() > 2 {
            return self.numbered(&vague, is_arm);
        }
        let mut vague = vague.into_iter();
        // `Leg` is the thigh, unless the rig names another bone as the thigh: beside `LeftUpLeg`, `LeftLeg` is the
        // calf.
        if first.is_empty() {
            if is_arm && !second.is_empty() && vague.len() == 0 {
                first = of(&[Part::Shoulder]);
            } else {
                first.extend(vague.next());
            }
        }
        if second.is_empty() {
            second.extend(vague.next());
        }
        if third.is_empty() && is_arm {
            // A single palm, or the first of several at one position, is the hand. Palms at different positions are
            // bones within the hand.
            third = of(&[Part::Palm]);
            let apart = |&bone: &BoneIndex| self.position[bone].distance(self.position[third[0]]) > self.near();
            let is_in_hand = third.iter().any(apart);
            third.truncate(if is_in_hand { 0 } else { 1 });
        }
        if third.is_empty() {
            third.extend(vague.next());
        }
        let second = self.plainest(&second, None)?;
        let mut root = self.plainest(&first, Some((second, false)))?;
        // Several bones may have the name of the first joint. A lower one is a twist bone if it lies nearly on the line
        // to the second joint; otherwise it is the joint, and the bone above it is part of the hip or the shoulder.
        first.sort_by_key(|&bone| self.depth[bone]);
        for bone in first {
            let is_part = self.names[bone].stem == self.names[root].stem;
            let most = if is_part { MOST_PART_TURN } else { MOST_TWIST_TURN };
            let turn = angle(self.position[bone] - self.position[root], self.position[second] - self.position[bone]);
            if self.is_above(root, bone) && self.is_above(bone, second) && turn > most {
                root = bone;
            }
        }
        let first = self.joint_in_place(root, second);
        let third = match self.plainest(&third, Some((second, true))) {
            Some(third) => third,
            None => self.continuation(first, second)?,
        };
        let (second, third) = match self.knee_above(first, second).filter(|_| !is_arm) {
            Some(knee) => (knee, if self.is_above(second, third) { second } else { third }),
            None => (self.joint_in_place(second, third), third),
        };
        let triple = Triple([first, second, if is_arm { self.palm_above(second, third) } else { third }]);
        self.is_sane(triple).then_some(triple)
    }

    /// Returns the limb on the path through joints whose names state only arm or leg, such as `arm_0` to `arm_6`. The
    /// joints may include twist bones and the collar bone. `None` if no three joints of the path could form a limb.
    fn numbered(&self, joints: &[BoneIndex], is_arm: bool) -> Option<Triple> {
        let start = *joints.first()?;
        let (_, next) = self.longest_paths();
        let path = self.joints(start, &next);
        let fingers = if is_arm { self.fingers_along(&path) } else { Vec::new() };
        let last = path.iter().rposition(|bone| joints.contains(bone))?;
        let mut best: Option<(Triple, f32)> = None;
        for i in 0..last.min(3) {
            for j in i + 1..last {
                for m in [last, last - 1].into_iter().filter(|&m| m > j) {
                    let Some(cost) = self.triple_cost(&path, &fingers, [i, j, m], is_arm) else { continue };
                    let triple = Triple([path[i], path[j], path[m]]);
                    let before = self.position[path[0]].distance(self.position[path[i]]);
                    let cost = cost + before / self.lengths(triple).iter().sum::<f32>();
                    if best.is_none_or(|(_, least)| cost < least) {
                        best = Some((triple, cost));
                    }
                }
            }
        }
        best.map(|(triple, _)| triple).filter(|&triple| self.is_sane(triple))
    }

    /// Returns the joint at which a leg bends between `hip` and `calf`, if the bone named calf begins at the hock;
    /// `None` if the leg has no such joint.
    fn knee_above(&self, hip: BoneIndex, calf: BoneIndex) -> Option<BoneIndex> {
        if !self.is_above(hip, calf) {
            return None;
        }
        let line = self.position[calf] - self.position[hip];
        let is_joint = |&bone: &BoneIndex| {
            let along = self.position[bone] - self.position[hip];
            let is_between = (0.25..0.75).contains(&(along.dot(line) / line.length_squared().max(1e-20)));
            let is_bent = unit_or_zero(line).cross(along).length() > line.length() * MOST_OFF_LINE;
            self.is_weighted[bone] && !self.names[bone].is_helper && is_between && is_bent
        };
        let path = self.path_down(Some(hip), calf);
        path.into_iter().filter(|&bone| bone != calf).find(is_joint)
    }

    /// Returns the joint among bones with a fitting name; `None` for an empty list. `second` is the limb's second
    /// joint, with `true` to search below it and `false` to search above it. Prefers bones on the limb, bones that move
    /// vertices, plain names, and bones near the root, in this order.
    fn plainest(&self, list: &[BoneIndex], second: Option<(BoneIndex, bool)>) -> Option<BoneIndex> {
        let is_apart = |bone: BoneIndex| match second {
            Some((second, true)) => !self.is_above(second, bone),
            Some((second, false)) => !self.is_above(bone, second),
            None => false,
        };
        list.iter().copied().min_by_key(|&bone| {
            let name = &self.names[bone];
            (is_apart(bone), !self.is_weighted[bone], name.spare_words.min(12) / 4, self.depth[bone], bone)
        })
    }

    /// Returns `hand`, or a bone between it and the forearm: one from which fingers spread, or one named as the hand if
    /// `hand` is named as a finger.
    pub fn palm_above(&self, forearm: BoneIndex, hand: BoneIndex) -> BoneIndex {
        if !self.is_above(forearm, hand) {
            return hand;
        }
        let spread = |bone: BoneIndex| {
            let away = |&&child: &&BoneIndex| {
                self.position[child].distance(self.position[bone]) > self.near() && !self.names[child].is_helper
            };
            self.children[bone].iter().filter(away).count()
        };
        let named = |bone: BoneIndex, part: Part| self.names[bone].part == Some(part);
        if spread(hand) >= 2 || named(hand, Part::Hand) && spread(hand) > 0 {
            return hand;
        }
        let length = self.position[hand].distance(self.position[forearm]);
        let path = self.path_down(Some(forearm), hand);
        let palm = path.into_iter().find(|&bone| {
            bone != hand
                && (spread(bone) >= 2 || named(bone, Part::Hand) && named(hand, Part::Finger))
                && self.position[bone].distance(self.position[forearm]) > length * 0.5
        });
        palm.unwrap_or(hand)
    }

    /// Returns the bone that ends the limb, for limbs whose last joint has no meaningful name; `None` if no bone below
    /// `second` has a fitting length and direction.
    fn continuation(&self, first: BoneIndex, second: BoneIndex) -> Option<BoneIndex> {
        let upper = self.position[second] - self.position[first];
        let side = self.names[second].side;
        let mut at = second;
        let mut best: Option<(f32, BoneIndex)> = None;
        for _ in 0..4 {
            for &child in &self.children[at] {
                let lower = self.position[child] - self.position[second];
                let name = &self.names[child];
                let mut cost = (lower.length() / upper.length().max(1e-20)).max(1e-6).ln().abs();
                let is_across = name.side.is_some() && side.is_some() && name.side != side;
                if is_across || cost >= 0.6 || angle(upper, lower) >= 1.9 {
                    continue;
                }
                cost += if name.is_helper { 0.2 } else { 0.0 } + if self.is_weighted[child] { 0.0 } else { 0.2 };
                cost += if self.children[child].is_empty() { 0.1 } else { 0.0 };
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, child));
                }
            }
            match self.children[at].first() {
                Some(&child) if best.is_none() => at = child,
                _ => break,
            }
        }
        best.map(|(_, bone)| bone)
    }
}

impl Body<'_> {
    /// Returns the hand in rigs with a palm bone for each finger, which are siblings at one position: the middle one by
    /// number and order, so that left and right have corresponding bones. Returns `hand` if it is a helper, a root or
    /// without children.
    pub fn among_palms(&self, hand: BoneIndex) -> BoneIndex {
        let Some(parent) = self.parent[hand] else { return hand };
        let is_palm = |&bone: &BoneIndex| {
            self.position[bone].distance(self.position[hand]) < self.near()
                && !self.names[bone].is_helper
                && self.is_weighted[bone] == self.is_weighted[hand]
                && !self.children[bone].is_empty()
        };
        let mut palms: Vec<BoneIndex> = self.children[parent].iter().copied().filter(is_palm).collect();
        if !palms.contains(&hand) {
            return hand;
        }
        palms.sort_by_key(|&bone| (self.names[bone].number, bone));
        palms[palms.len() / 2]
    }
}
