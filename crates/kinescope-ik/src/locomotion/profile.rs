//! The ground's height along a path, as a character's collider feels it.
//!
//! Stairs become the ramp that a collider walks up, and a gap that is narrower than twice the reach is walked over:
//! heights are looked at over the reach to both sides along the way, narrow gaps bridged (the lowest of the highest),
//! and the rest averaged. So the root climbs no faster than the highest step over twice the reach.

use glam::{Vec2, Vec3};

use super::path::Path;
use crate::grounding::FARTHEST;
use crate::math::unit;

/// How far to both sides heights are looked at for a character of [`TALL`], metres.
const REACH: f32 = 0.35;
/// Metres.
const TALL: f32 = 1.8;
/// Distance of the heights that are looked at, metres.
const SPACING: f32 = 0.02;
/// A reach is looked at in this many heights at most: not in more of them for a giant.
const FINEST: f32 = 32.0;
/// The widest window, in heights to either side.
const MOST_WINDOW: usize = 64;
/// The most heights of a path: a very long one is looked at more coarsely.
const MOST_HEIGHTS: usize = 50_000;

/// How far to both sides the ground is felt by a character of that height; both in metres.
pub fn reach_for(height: f32) -> f32 {
    sane(REACH * height / TALL)
}

/// A reach that is below 0 or not finite is none.
fn sane(reach: f32) -> f32 {
    if reach.is_finite() { reach.max(0.0) } else { 0.0 }
}

fn spacing_for(reach: f32) -> f32 {
    SPACING.max(reach / FINEST)
}

/// What is no height is no ground.
fn is_height(height: &f32) -> bool {
    height.abs() <= FARTHEST
}

/// The ground's height along a path. Metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Evenly along the path from its start; at least two.
    heights: Vec<f32>,
    /// Of the path.
    length: f32,
    /// It goes on from its last height to its first.
    closed: bool,
}

impl Profile {
    /// Along `path`. `height` tells the ground's at a place (x and z), `None` beside it: there it goes on at the height
    /// that it left it at, from 0 at first. `reach` is how far to both sides the ground is felt: see [`reach_for`]; one
    /// that is below 0 or not finite counts as 0.
    pub fn along(path: &Path, reach: f32, mut height: impl FnMut(Vec2) -> Option<f32>) -> Self {
        let (reach, length) = (sane(reach), path.length());
        let count = ((length / spacing_for(reach)) as usize).clamp(2, MOST_HEIGHTS);
        let spacing = length / count as f32;
        let mut last = 0.0;
        let heights: Vec<f32> = (0..count)
            .map(|index| {
                let (place, _) = path.at(index as f32 * spacing);
                last = height(place).filter(is_height).unwrap_or(last);
                last
            })
            .collect();
        let window = ((reach / spacing) as usize).min((count - 1) / 2).min(MOST_WINDOW);
        Self { heights: smoothed(&heights, window, path.is_closed()), length, closed: path.is_closed() }
    }

    /// After `distance` metres of the path. It begins again at the path's end, as the path does; a distance that is not
    /// finite counts as 0.
    pub fn at(&self, distance: f32) -> f32 {
        let share = (distance / self.length).rem_euclid(1.0);
        let at = if share.is_finite() { share * self.heights.len() as f32 } else { 0.0 };
        let count = self.heights.len();
        let height = |index: usize| self.heights[if self.closed { index % count } else { index.min(count - 1) }];
        let [from, to] = [height(at as usize), height(at as usize + 1)];
        from + (to - from) * at.fract()
    }
}

/// The ground's height under one who stands at a place (x and z, metres) and looks `ahead` (x and z, unit), as a
/// [`Profile`] through there would have it. `reach` and `height` as for [`Profile::along`]; beside the ground it goes on at
/// the height of its rim.
pub fn height_around(place: Vec2, ahead: Vec2, reach: f32, mut height: impl FnMut(Vec2) -> Option<f32>) -> f32 {
    let reach = sane(reach);
    let spacing = spacing_for(reach);
    let window = (reach / spacing) as usize;
    let mut height_at = |step: i32| height(place + ahead * (step as f32 * spacing)).filter(is_height);
    // From the character outwards, so that the rim is known beyond it. Bridging and averaging each look a window far.
    let mut heights = vec![0.0; 6 * window + 1];
    let middle = 3 * window;
    let here = height_at(0).unwrap_or(0.0);
    for side in [1, -1] {
        let mut last = here;
        for step in 0..=middle as i32 {
            last = height_at(step * side).unwrap_or(last);
            heights[middle.saturating_add_signed((step * side) as isize)] = last;
        }
    }
    smoothed(&heights, window, false)[middle]
}

/// The normal of the plane that fits the ground around a place (x and z, metres) best, within `reach` to each side; unit,
/// upwards. `height` as for [`Profile::along`]; beside the ground it is as high as in the middle.
///
/// With heights `h` at a square of places `x`, `z` about it, slopes are `Σ x · h / Σ x²` and `Σ z · h / Σ z²`.
pub fn normal_around(place: Vec2, reach: f32, mut height: impl FnMut(Vec2) -> Option<f32>) -> Vec3 {
    const SIDE: i32 = 4;
    let spacing = sane(reach) / SIDE as f32;
    let mut height_at = |at: Vec2| height(place + at).filter(is_height);
    let Some(here) = height_at(Vec2::ZERO).filter(|_| spacing > 0.0) else { return Vec3::Y };
    let (mut slope, mut squares) = (Vec2::ZERO, 0.0);
    for row in -SIDE..=SIDE {
        for column in -SIDE..=SIDE {
            let at = Vec2::new(column as f32, row as f32) * spacing;
            slope += at * (height_at(at).unwrap_or(here) - here);
            squares += at.x * at.x;
        }
    }
    let slope = slope / squares;
    unit(Vec3::new(-slope.x, 1.0, -slope.y)).unwrap_or(Vec3::Y)
}

/// Gaps narrower than the window to both sides are bridged, then each height is the mean over the window. `closed` goes
/// on from the last to the first.
fn smoothed(heights: &[f32], window: usize, closed: bool) -> Vec<f32> {
    let (count, window) = (heights.len() as isize, window as isize);
    if count == 0 {
        return Vec::new();
    }
    let index = |index: isize| if closed { index.rem_euclid(count) } else { index.clamp(0, count - 1) } as usize;
    let over = |heights: &[f32], of: &dyn Fn(f32, f32) -> f32| -> Vec<f32> {
        let around = |middle: isize| (middle - window..=middle + window).map(|at| heights[index(at)]);
        (0..count).map(|middle| around(middle).reduce(of).unwrap_or(0.0)).collect()
    };
    let bridged = over(&over(heights, &f32::max), &f32::min);
    let mut sum: f64 = (-window..=window).map(|at| f64::from(bridged[index(at)])).sum();
    let mut smooth = Vec::with_capacity(heights.len());
    for middle in 0..count {
        smooth.push((sum / (2 * window + 1) as f64) as f32);
        sum += f64::from(bridged[index(middle + window + 1)]) - f64::from(bridged[index(middle - window)]);
    }
    smooth
}
