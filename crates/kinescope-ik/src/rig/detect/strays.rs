//! Strays: feet, hands and limbs that are attached to a helper or the root instead of the limb or body they continue.
//!
//! Rigs made for posing do this so that feet and hands stay in place while the body moves. Between a stray and the root
//! are only helpers. A foot or hand is recognized by its position beyond a limb that has none of its own, with names as
//! evidence; a limb or its lower half by its length, and by a counterpart of similar length and height.

use super::super::skeleton::BoneIndex;
use super::limbs::Body;
use super::names::Part;
use crate::math::angle;

/// The largest skeleton that is searched for strays, in bones.
const MOST_BONES: usize = 5000;
/// The largest number of limbs that are tried, longest first.
const MOST_STUMPS: usize = 400;
/// The largest number of matches of feet and hands that are compared with each other, lowest cost first.
const MOST_MATCHES: usize = 64;
/// The largest number of pairs of a bone and a limb that one search compares, which limits its time. With more than 500
/// bones to compare, fewer than [`MOST_STUMPS`] limbs are tried. Without the limit, a bone with 2,047 limbs of two
/// bones took 0.37 s instead of 0.1 s.
const MOST_PAIRS: usize = 200_000;
/// The largest number of helpers above a bone, up to the root or to a bone at another position.
const MOST_HELPERS: usize = 4;

/// The shortest limb, or lower half of a limb, that is reattached, as a fraction of the character's size.
const LEAST_LIMB: f32 = 0.1;
/// The largest distance between a limb and the bone it is attached to, as a fraction of the character's size.
const FAR: f32 = 0.2;

/// The end of a limb that a stray may continue.
struct Stump {
    bone: BoneIndex,
    upper: glam::Vec3,
    /// Children of `bone` that have no children and are further away than 0.55 times the length of `upper`; at most
    /// four.
    ends: Vec<BoneIndex>,
}

/// A stray and the bone that it may belong to. Lower costs are better.
#[derive(Clone, Copy)]
struct Match {
    stray: BoneIndex,
    onto: BoneIndex,
    cost: f32,
    length: f32,
    /// True if an end bone of the limb is near the stray, or if the stray has the name of a hand or foot.
    is_certain: bool,
}

#[derive(Clone, Copy)]
struct Nearest {
    stray: Option<BoneIndex>,
    distance: f32,
    next: f32,
}

impl Nearest {
    fn but(&self, stray: BoneIndex) -> f32 {
        if self.stray == Some(stray) { self.next } else { self.distance }
    }
}

/// Returns how many limbs may be compared with each of `bones` bones without exceeding [`MOST_PAIRS`] pairs, at most
/// [`MOST_STUMPS`].
fn most_tried(bones: usize) -> usize {
    MOST_STUMPS.min(MOST_PAIRS / bones.max(1))
}

impl Body<'_> {
    fn nearest(&self, bone: BoneIndex, strays: &[BoneIndex]) -> Nearest {
        let mut found = Nearest { stray: None, distance: f32::INFINITY, next: f32::INFINITY };
        for &stray in strays {
            let distance = self.position[stray].distance(self.position[bone]);
            if distance < found.distance {
                found = Nearest { stray: Some(stray), distance, next: found.distance };
            } else {
                found.next = found.next.min(distance);
            }
        }
        found
    }

    /// Returns for each bone whether it counts as a root: whether its subtree, with the bone itself, has at least 60 %
    /// of the skeleton's bones.
    fn roots(&self) -> Vec<bool> {
        let count = self.parent.len();
        let mut below = vec![1usize; count];
        let mut order: Vec<BoneIndex> = (0..count).collect();
        order.sort_by_key(|&bone| std::cmp::Reverse(self.depth[bone]));
        for &bone in &order {
            if let Some(parent) = self.parent[bone] {
                below[parent] += below[bone];
            }
        }
        below.into_iter().map(|below| below * 5 >= count * 3).collect()
    }

    fn are_alike(&self, length: [f32; 2], [a, b]: [BoneIndex; 2]) -> bool {
        let longest = length[0].max(length[1]);
        (length[0] - length[1]).abs() < longest * 0.25 && (self.height_of(a) - self.height_of(b)).abs() < longest * 0.3
    }

    /// Reattaches whole limbs, or their lower halves, that are attached to helpers and have a counterpart of similar
    /// length and height. A lower half goes to the upper half that it continues, a whole limb to the nearest bone
    /// within [`FAR`] that is not part of such a limb; without such a bone it stays. This is used only if the file's
    /// own tree has no biped, because bones other than limbs are attached to helpers too.
    pub(super) fn reattach_limbs(&mut self) {
        if self.size <= 0.0 || self.parent.len() > MOST_BONES {
            return;
        }
        let (count, (length, next)) = (self.parent.len(), self.longest_paths());
        let roots = self.roots();
        let is_root = |bone: BoneIndex| roots[bone];
        let is_joint = |bone: BoneIndex| self.is_weighted[bone] && !self.names[bone].is_helper;
        let is_astray = |&bone: &BoneIndex| {
            let reaches = |root: BoneIndex| self.position[root].distance(self.position[bone]) < self.size * FAR;
            let hangs_near = self.parent[bone].is_none_or(|parent| is_joint(parent) && reaches(parent));
            !hangs_near
                && !roots[bone]
                && is_joint(bone)
                && length[bone] > self.size * LEAST_LIMB
                && self.hangs_on_helpers(bone, &is_root)
        };
        let mut all: Vec<BoneIndex> = (0..count).filter(is_astray).collect();
        if all.len() > most_tried(count) {
            all.sort_by(|&a, &b| length[b].total_cmp(&length[a]).then(a.cmp(&b)));
            all.truncate(most_tried(count));
        }
        let is_paired = |&stray: &BoneIndex| {
            all.iter().any(|&other| other != stray && self.are_alike([length[other], length[stray]], [other, stray]))
        };
        let strays: Vec<BoneIndex> = all.iter().copied().filter(is_paired).collect();
        let nearest: Vec<Nearest> = (0..count).map(|bone| self.nearest(bone, &strays)).collect();
        let mut is_carried = vec![false; count];
        strays.iter().for_each(|&stray| is_carried[stray] = true);
        let mut order: Vec<BoneIndex> = (0..count).collect();
        order.sort_by_key(|&bone| self.depth[bone]);
        for bone in order {
            is_carried[bone] |= self.parent[bone].is_some_and(|parent| is_carried[parent]);
        }
        let onto = |stray: BoneIndex| {
            let is_free = |&bone: &BoneIndex| {
                let (a, b) = (self.names[stray].side, self.names[bone].side);
                let is_across = a.zip(b).is_some_and(|(a, b)| a != b);
                bone != stray && is_joint(bone) && !is_across && !self.is_above(stray, bone)
            };
            let lower = self.position[next[stray]?] - self.position[stray];
            // A bone is the upper half if the vector from it to the stray is similar in length and direction to the
            // vector from the stray to its next bone, if no long chain is attached to it, and if it is nearer to this
            // stray than to any other: left and right need different bones.
            let cost = |&bone: &BoneIndex| {
                let upper = self.position[stray] - self.position[bone];
                // Logarithm and angle come last: every bone is compared with every stray, and most fail before.
                let ends = length[bone] < upper.length() * 0.3;
                if !ends || upper.length() >= nearest[bone].but(stray) * 0.98 {
                    return None;
                }
                let cost = (upper.length() / lower.length().max(1e-20)).max(1e-6).ln().abs();
                if cost >= 0.5 {
                    return None;
                }
                let turn = angle(upper, lower);
                (turn < 0.9).then_some((cost + turn, bone))
            };
            let halves = (0..count).filter(is_free).filter_map(|bone| cost(&bone));
            let half = halves.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, bone)| bone);
            let away = |bone: BoneIndex| self.position[bone].distance(self.position[stray]);
            let trunk = |bone: &BoneIndex| away(*bone) < self.size * FAR && !is_carried[*bone];
            half.or_else(|| (0..count).filter(is_free).filter(trunk).min_by(|&a, &b| away(a).total_cmp(&away(b))))
        };
        let found: Vec<(BoneIndex, BoneIndex)> =
            strays.iter().filter_map(|&stray| Some((stray, onto(stray)?))).collect();
        self.reparent(found);
    }

    /// Reattaches feet and hands to the limbs that they continue. A match that is not certain counts only if a second
    /// match has a similar length and height, as left and right do.
    pub(super) fn reattach_ends(&mut self) {
        let count = self.parent.len();
        if self.size <= 0.0 || count > MOST_BONES {
            return;
        }
        let (length, _) = self.longest_paths();
        let roots = self.roots();
        let is_root = |bone: BoneIndex| roots[bone];
        let mut stumps: Vec<Stump> = (0..count).filter_map(|bone| self.stump(bone, &is_root, &length)).collect();
        stumps.sort_by(|a, b| b.upper.length().total_cmp(&a.upper.length()).then(a.bone.cmp(&b.bone)));
        let is_stray = |&bone: &BoneIndex| !is_root(bone) && self.hangs_on_helpers(bone, &is_root);
        let strays: Vec<BoneIndex> = (0..count).filter(is_stray).collect();
        stumps.truncate(most_tried(strays.len()));

        let mut matches: Vec<Match> = Vec::new();
        for stray in strays {
            let fits = stumps.iter().filter_map(|stump| self.fit(stray, stump, &length));
            matches.extend(fits.min_by(|a, b| a.cost.total_cmp(&b.cost).then(a.onto.cmp(&b.onto))));
        }
        matches.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(self.depth[b.stray].cmp(&self.depth[a.stray])));
        matches.truncate(MOST_MATCHES);
        // A finger may fit as well as its hand, and a helper as well as the foot attached to it: only the joint is
        // kept.
        let all = matches.clone();
        let is_lesser = |found: &Match| {
            all.iter().filter(|other| other.onto == found.onto).any(|other| {
                if self.is_above(other.stray, found.stray) {
                    !self.is_the_joint_on(other.stray, found.stray)
                } else {
                    self.is_above(found.stray, other.stray) && self.is_the_joint_on(found.stray, other.stray)
                }
            })
        };
        matches.retain(|found| !is_lesser(found));
        let mut taken: Vec<Match> = Vec::new();
        for found in matches {
            let is_free = taken.iter().all(|other| {
                other.onto != found.onto
                    && !self.is_above(other.stray, found.stray)
                    && !self.is_above(found.stray, other.stray)
            });
            if is_free {
                taken.push(found);
            }
        }
        let is_paired = |found: &Match| {
            found.is_certain
                || taken.iter().any(|other| {
                    other.stray != found.stray
                        && self.are_alike([other.length, found.length], [other.stray, found.stray])
                })
        };
        let sure: Vec<Match> = taken.iter().filter(|found| is_paired(found)).copied().collect();
        if sure.is_empty() {
            return;
        }
        self.reparent(sure.into_iter().map(|found| (found.stray, found.onto)));
    }

    /// Returns true if `below` is the hand or foot and `above` the helper that carries it.
    fn is_the_joint_on(&self, above: BoneIndex, below: BoneIndex) -> bool {
        let leads_only_there = || self.path_down(Some(above), below).iter().all(|&bone| self.siblings(bone) == 1);
        // Fingers spread from a hand, not from its helper.
        let spreads = || self.children[below].len() >= 2 && leads_only_there();
        self.is_rather_the_joint_of(above, below) || spreads()
    }

    fn siblings(&self, bone: BoneIndex) -> usize {
        self.parent[bone].map_or(1, |parent| self.children[parent].len())
    }

    /// Returns the stump at a bone that is no helper. The next bone above at another position must be at least 6 % of
    /// the character's size away and not a root. `None` if a child other than an end bone continues the limb.
    fn stump(&self, bone: BoneIndex, is_root: &dyn Fn(BoneIndex) -> bool, length: &[f32]) -> Option<Stump> {
        let mut above = self.parent[bone]?;
        for _ in 0..MOST_HELPERS {
            if self.position[above].distance(self.position[bone]) > self.near() {
                break;
            }
            above = self.parent[above]?;
        }
        let upper = self.position[bone] - self.position[above];
        if is_root(above) || self.names[bone].is_helper || upper.length() < self.size * 0.06 {
            return None;
        }
        let far = |child: BoneIndex| self.position[child].distance(self.position[bone]) > upper.length() * 0.55;
        let children = &self.children[bone];
        let is_end = |child: BoneIndex| self.children[child].is_empty() && far(child);
        let goes_on =
            children.iter().any(|&child| !is_end(child) && (far(child) || length[child] > upper.length() * 0.4));
        let ends: Vec<BoneIndex> = children.iter().copied().filter(|&child| is_end(child)).take(4).collect();
        (!goes_on).then_some(Stump { bone, upper, ends })
    }

    /// Returns true if only helpers, at most [`MOST_HELPERS`], lie between the root and a bone. Helpers are bones near
    /// the root or near the bone, and bones that move no vertices.
    fn hangs_on_helpers(&self, bone: BoneIndex, is_root: &dyn Fn(BoneIndex) -> bool) -> bool {
        let mut helpers: Vec<BoneIndex> = Vec::new();
        let mut at = self.parent[bone];
        while let Some(above) = at.filter(|&above| !is_root(above)) {
            helpers.push(above);
            at = self.parent[above];
            if helpers.len() > MOST_HELPERS {
                return false;
            }
        }
        let close = |a: BoneIndex, b: BoneIndex| self.position[a].distance(self.position[b]) < self.size * 0.12;
        let at_root = |helper: BoneIndex| at.is_some_and(|root| close(helper, root));
        helpers.into_iter().all(|helper| close(helper, bone) || at_root(helper) || !self.is_weighted[helper])
    }

    fn fit(&self, stray: BoneIndex, stump: &Stump, length: &[f32]) -> Option<Match> {
        let (onto, place) = (stump.bone, self.position[stray]);
        let (name, other) = (&self.names[stray], &self.names[onto]);
        let is_across = name.side.zip(other.side).is_some_and(|(a, b)| a != b);
        // A continuation longer than the limb is another limb.
        if is_across
            || stray == onto
            || stump.ends.contains(&stray)
            || self.parent[stray] == Some(onto)
            || length[stray] > stump.upper.length() * 1.1
        {
            return None;
        }
        let is_named = !name.is_helper && matches!(name.part, Some(Part::Hand | Part::Palm | Part::Foot));
        let mut cost = if name.is_helper { 0.3 } else { 0.0 } + if self.is_weighted[stray] { 0.0 } else { 0.3 };
        cost += if is_named { -0.2 } else { 0.0 };
        let lower = place - self.position[onto];
        let off_end = stump.ends.iter().map(|&end| {
            self.position[end].distance(place) / self.position[end].distance(self.position[onto]).max(1e-20)
        });
        let is_certain = match off_end.min_by(f32::total_cmp).filter(|&off| off < 0.2) {
            Some(off) => {
                cost += off - 0.5;
                true
            }
            None => {
                let ratio = lower.length() / stump.upper.length().max(1e-20);
                if !(0.6..1.6).contains(&ratio) {
                    return None;
                }
                let turn = angle(stump.upper, lower);
                if turn > if is_named { 1.2 } else { 0.9 } {
                    return None;
                }
                cost += turn + ratio.ln().abs();
                is_named
            }
        };
        let is_kin = self.is_above(stray, onto) || self.is_above(onto, stray);
        (!is_kin).then_some(Match { stray, onto, cost, length: lower.length(), is_certain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_a_search_are_bounded() {
        for bones in 0..=MOST_BONES {
            assert!(most_tried(bones) * bones <= MOST_PAIRS, "{bones}");
        }
        assert_eq!(most_tried(500), MOST_STUMPS);
        assert!(most_tried(MOST_BONES) >= 32);
    }
}
