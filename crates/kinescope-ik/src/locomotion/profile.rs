//! The height of the ground along a path or at a place, smoothed as a character's collider would smooth it, and the
//! normal of the ground around a place.
//!
//! Stairs become a ramp, and gaps narrower than twice the reach are bridged. Heights are sampled along the path; each
//! becomes the maximum over the reach to both sides, then the minimum, which closes narrow gaps, then the mean. So a
//! single step becomes a ramp as long as twice the reach.

use glam::{Vec2, Vec3};

use super::path::Path;
use crate::grounding::FARTHEST;
use crate::math::unit;

/// The reach of a character as tall as [`TALL`], metres.
const REACH: f32 = 0.35;
/// The height of the character that [`REACH`] is meant for, metres.
const TALL: f32 = 1.8;
/// The least distance between two samples, metres. Samples are closer only on a path of less than two such distances.
const SPACING: f32 = 0.02;
/// The most samples per reach. Large characters are sampled at wider spacing, so the cost does not grow with size.
const FINEST: f32 = 32.0;
/// The most samples to either side that smoothing takes.
const MOST_WINDOW: usize = 64;
/// The most samples of a path; longer paths are sampled at wider spacing.
const MOST_HEIGHTS: usize = 50_000;

/// Returns how far to both sides the ground is smoothed for a character of some height; both in metres. 0 for a height
/// that is negative or not finite.
pub fn reach_for(height: f32) -> f32 {
    sane(REACH * height / TALL)
}

fn sane(reach: f32) -> f32 {
    if reach.is_finite() { reach.max(0.0) } else { 0.0 }
}

fn spacing_for(reach: f32) -> f32 {
    SPACING.max(reach / FINEST)
}

/// Heights beyond [`FARTHEST`] and NaN count as no ground.
fn is_height(height: &f32) -> bool {
    height.abs() <= FARTHEST
}

/// The smoothed height of the ground along a path; metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Samples at equal distances from the start of the path; at least two.
    heights: Vec<f32>,
    length: f32,
    closed: bool,
}

impl Profile {
    /// Samples the ground along `path`. `height` returns the height at a place (x and z); where it returns `None`, NaN
    /// or a height beyond [`FARTHEST`], the profile keeps the last height, 0 before the first. `reach` is how far to
    /// both sides the ground is smoothed: see [`reach_for`]. A reach that is negative or not finite counts as 0.
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

    /// Returns the height after `distance` metres. Beyond the end of the path the profile begins again. A distance that
    /// is not finite counts as 0.
    pub fn at(&self, distance: f32) -> f32 {
        let share = (distance / self.length).rem_euclid(1.0);
        let at = if share.is_finite() { share * self.heights.len() as f32 } else { 0.0 };
        let count = self.heights.len();
        let height = |index: usize| self.heights[if self.closed { index % count } else { index.min(count - 1) }];
        let [from, to] = [height(at as usize), height(at as usize + 1)];
        from + (to - from) * at.fract()
    }
}

/// Returns the smoothed height under a character at a place (x and z, metres) that looks `ahead` (x and z, unit): that
/// of a straight [`Profile`] through the place. `reach` and `height` are as in [`Profile::along`]. Where `height`
/// returns `None`, the last height in that direction is used, at the place itself 0.
pub fn height_around(place: Vec2, ahead: Vec2, reach: f32, mut height: impl FnMut(Vec2) -> Option<f32>) -> f32 {
    let reach = sane(reach);
    let spacing = spacing_for(reach);
    let window = (reach / spacing) as usize;
    let mut height_at = |step: i32| height(place + ahead * (step as f32 * spacing)).filter(is_height);
    // Sampled outwards, so that samples beyond the rim get the height of the rim. Each of the three filters needs one
    // window to either side.
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

/// Returns the upward unit normal of the plane that fits the ground best in the square that extends `reach` to each
/// side of a place (x and z, metres). `height` is as in [`Profile::along`]; where it returns `None`, the height at the
/// place itself is used. +Y if there is no height at the place, or if `reach` is not above 0 or not finite.
///
/// With heights `h` on a square grid `x`, `z` around the place, the slopes are `Σ x · h / Σ x²` and `Σ z · h / Σ z²`.
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

/// Closes gaps narrower than twice the `window` (samples to each side), then takes the mean over the window. With
/// `closed` the heights continue from the last to the first.
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
