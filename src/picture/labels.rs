//! Placement of labels in the picture by their sizes, anchors and obstacles in logical pixels, and by their slots in
//! the last frame.
//!
//! Every label stands next to its anchor with a leader line. No label covers another label, another label's anchor, or
//! a rectangle, disc or segment of the [`Obstacles`]. Important labels are placed first. A label without room near its
//! anchor takes a shorter form. If no form has room, the label is dropped. A label keeps its place while that is free
//! and no better form fits with room to spare, so that labels do not flicker while anchors move.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use egui_macroquad::egui::{Pos2, Rect, Vec2};
use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::picture::camera::clip_segment;
use crate::system::order::sort_by_key;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// Only the label under the pointer, and the names of bodies, lanes and results.
    Off,
    /// Also labels that their creator marks as selected, such as those of the selection.
    #[default]
    Selected,
    All,
}

impl Density {
    pub fn shows(self, rank: Rank, is_selected: bool) -> bool {
        match (rank, self) {
            (Rank::Pointer | Rank::Tag, _) | (_, Self::All) => true,
            (Rank::Callout | Rank::Study | Rank::Other, Self::Selected) => is_selected,
            (Rank::Callout | Rank::Study | Rank::Other, Self::Off) => false,
        }
    }
}

/// Importance of a label, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Name of the handle or bone under the pointer.
    Pointer,
    /// Name of a body, a lane or a result.
    Tag,
    /// Why an effector is off target, or how far two results are apart.
    Callout,
    /// A detail of the inspected item, such as a length.
    Study,
    Other,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Identity across frames: see [`key`].
    pub key: u64,
    /// Sizes of the label's forms with margins, the longest form first. There is at least one.
    pub sizes: Vec<Vec2>,
    pub anchor: Pos2,
    /// Radius of the mark at the anchor, which the label avoids.
    pub clear: f32,
    /// Preferred smallest distance of the label from the anchor, logical pixels.
    pub apart: f32,
    /// Preferred direction from the anchor. It is zero if all sides are equally good.
    pub toward: Vec2,
    pub rank: Rank,
}

impl Label {
    fn is_far(&self, slot: usize) -> bool {
        self.sizes.len() > 1 && gap(slot) > NEAR
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Obstacles {
    /// Labels stay inside this rectangle.
    pub picture: Rect,
    pub rects: Vec<Rect>,
    pub discs: Vec<(Pos2, f32)>,
    pub segments: Vec<[Pos2; 2]>,
    /// Points of other drawings. A slot that covers fewer of them is better.
    pub drawn: Vec<Pos2>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    pub label: usize,
    pub form: usize,
    pub rect: Rect,
    pub leader: [Pos2; 2],
}

/// Slot of each label in the last frame. `None` if the label had no room.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory(pub HashMap<u64, Option<usize>>);

/// A label's slot is one of these directions from its anchor, with one of these gaps between mark and label, logical
/// pixels.
const DIRECTIONS: usize = 16;
const GAPS: [f32; 9] = [8.0, 18.0, 30.0, 46.0, 66.0, 92.0, 124.0, 164.0, 210.0];
/// Gap beyond which a shorter form is preferred, logical pixels. A long leader line is harder to follow than a shorter
/// text.
const NEAR: f32 = 46.0;
/// Number of slots of each form. The slots of the second form follow those of the first, and so on.
const SLOTS: usize = GAPS.len() * DIRECTIONS;
/// Margin around obstacles, logical pixels.
const MARGIN: f32 = 2.0;
/// Additional margin in logical pixels that a dropped label or a longer form needs to return. The margin prevents
/// flicker.
pub const RETURN: f32 = 6.0;
/// Radius that a label's anchor blocks for other labels, logical pixels.
pub const ANCHOR: f32 = 6.0;

pub(crate) fn key(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

pub fn place(labels: &[Label], obstacles: &Obstacles, memory: &mut Memory) -> Vec<Placed> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    sort_by_key(&mut order, |&index| labels[index].rank);
    let mut placed: Vec<Placed> = Vec::new();
    let mut now = HashMap::new();
    for (turn, &index) in order.iter().enumerate() {
        let label = &labels[index];
        let room = Room { labels, obstacles, placed: &placed, own: index };
        let before = memory.0.get(&label.key).copied();
        let others = order[turn + 1..].iter().filter_map(|&other| {
            let slot = memory.0.get(&labels[other].key).copied().flatten()?;
            (form(slot) < labels[other].sizes.len()).then(|| at(&labels[other], slot).0)
        });
        let others: Vec<Rect> = others.collect();
        let near = room.drawn_near(label);
        let rank = |slot: usize| label.sizes.len() * usize::from(label.is_far(slot)) + form(slot);
        let before_rank = before.map(|slot| slot.map_or(usize::MAX, rank));
        let mut slot = None;
        for own in 0..2 * label.sizes.len() {
            // A label keeps its last slot while that slot is free. A better slot must have room to spare.
            let kept = before.flatten().filter(|&slot| rank(slot) == own && room.is_free(&at(label, slot), 0.0));
            let more = if before_rank.is_some_and(|before| own < before) { RETURN } else { 0.0 };
            slot = kept.or_else(|| {
                let of_form = own % label.sizes.len() * SLOTS..(own % label.sizes.len() + 1) * SLOTS;
                let free = of_form.filter(|&slot| rank(slot) == own && room.is_free(&at(label, slot), more));
                let cost = |slot: usize| room.cost(label, slot, &near, &others);
                free.map(|slot| (slot, cost(slot))).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(slot, _)| slot)
            });
            if slot.is_some() {
                break;
            }
        }
        now.insert(label.key, slot);
        if let Some(slot) = slot {
            let (rect, leader) = at(label, slot);
            placed.push(Placed { label: index, form: form(slot), rect, leader });
        }
    }
    memory.0 = now;
    placed
}

pub fn at(label: &Label, slot: usize) -> (Rect, [Pos2; 2]) {
    let gap = label.clear + gap(slot);
    let (direction, size) = (direction_of(slot), label.sizes[form(slot)]);
    let half = size / 2.0 + Vec2::splat(gap);
    let far = (half.x / direction.x.abs().max(1e-3)).min(half.y / direction.y.abs().max(1e-3));
    let center = label.anchor + direction * far;
    // The corner is rounded to whole pixels, so that text stays sharp and does not shift within its rectangle.
    let corner = (center - size / 2.0).round();
    let rect = Rect::from_min_size(corner, size);
    let end = rect.clamp(label.anchor);
    let along = end - label.anchor;
    let start = label.anchor + along.normalized() * label.clear.min(along.length());
    (rect, [start, end])
}

fn form(slot: usize) -> usize {
    slot / SLOTS
}

fn gap(slot: usize) -> f32 {
    GAPS[slot % SLOTS / DIRECTIONS]
}

fn direction_of(slot: usize) -> Vec2 {
    Vec2::angled(std::f32::consts::TAU * (slot % DIRECTIONS) as f32 / DIRECTIONS as f32)
}

pub struct Room<'a> {
    pub labels: &'a [Label],
    pub obstacles: &'a Obstacles,
    pub placed: &'a [Placed],
    pub own: usize,
}

impl Room<'_> {
    pub fn is_free(&self, (rect, leader): &(Rect, [Pos2; 2]), more: f32) -> bool {
        let (anchor, wide) = (self.labels[self.own].anchor, rect.expand(MARGIN + more));
        let is_off = |at: Pos2, radius: f32| wide.distance_to_pos(at) >= radius;
        let others = self.labels.iter().enumerate().filter(|&(index, _)| index != self.own);
        self.obstacles.picture.contains_rect(*rect)
            && self.obstacles.rects.iter().all(|other| !other.intersects(wide))
            // A leader line may cross a rectangle only if the rectangle covers the anchor.
            && self.obstacles.rects.iter().all(|other| other.contains(anchor) || !crosses(leader, *other))
            && self.obstacles.discs.iter().all(|&(at, radius)| is_off(at, radius))
            && others.map(|(_, other)| other.anchor).all(|at| is_off(at, ANCHOR))
            && self.obstacles.segments.iter().all(|segment| !crosses(segment, wide))
            && self.placed.iter().all(|other| {
                !other.rect.intersects(wide) && !crosses(leader, other.rect) && !crosses(&other.leader, wide)
            })
    }

    fn drawn_near(&self, label: &Label) -> Vec<Pos2> {
        let far = label.clear + GAPS[GAPS.len() - 1] + label.sizes[0].length();
        self.obstacles.drawn.iter().copied().filter(|at| at.distance(label.anchor) < far).collect()
    }

    fn cost(&self, label: &Label, slot: usize, drawn: &[Pos2], others: &[Rect]) -> f32 {
        let (rect, leader) = at(label, slot);
        let covered = drawn.iter().filter(|&&at| rect.contains(at)).count();
        let crossed = self.placed.iter().filter(|other| cross(leader, other.leader)).count();
        let passed = self.obstacles.discs.iter().filter(|&&(at, radius)| {
            at.distance(label.anchor) > radius.max(label.clear) && distance(at, leader) < radius
        });
        let taken = others.iter().filter(|other| other.intersects(rect)).count();
        let is_near = rect.distance_to_pos(label.anchor) < label.apart;
        let aside = label.toward.length() - label.toward.dot(direction_of(slot));
        gap(slot)
            + 16.0 * aside
            + 3.0 * covered as f32
            + 80.0 * crossed as f32
            + 25.0 * passed.count() as f32
            + 150.0 * taken as f32
            + if is_near { 120.0 } else { 0.0 }
    }
}

pub fn crosses([from, to]: &[Pos2; 2], rect: Rect) -> bool {
    let double = |at: Pos2| DVec2::new(f64::from(at.x), f64::from(at.y));
    clip_segment([double(*from), double(*to)], double(rect.min), double(rect.max)).is_some()
}

fn cross([a, b]: [Pos2; 2], [c, d]: [Pos2; 2]) -> bool {
    let side = |from: Pos2, to: Pos2, at: Pos2| (to - from).rot90().dot(at - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

fn distance(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let own = |at: Pos2| glam::Vec2::new(at.x, at.y);
    crate::picture::picking::distance_to_segment(own(at), own(from), own(to))
}
