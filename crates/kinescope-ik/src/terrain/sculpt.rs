//! Edits the height field: brushes, single points, another size. Brushes and [`Terrain::set_point`] return their
//! changes, so that an editor can undo them.

use glam::{DVec2, Vec2, Vec3};

use super::field::{FARTHEST, HIGHEST, MOST_POINTS, SIDE, Terrain, is_height};
use crate::math::unit;

/// The change of one height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightChange {
    /// Index into [`Terrain::heights`].
    pub index: usize,
    /// The height before the change; metres.
    pub before: f32,
    /// The height after the change; metres.
    pub after: f32,
}

impl HeightChange {
    /// Returns the change that undoes this one.
    pub fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }
    }
}

impl Terrain {
    /// Raises the ground by `amount` metres at `center` (x and z), with a cosine falloff to 0 at `radius` metres.
    /// Heights are clamped to ±[`HIGHEST`]. Returns no changes if center or radius is not finite, the radius is not
    /// positive, there are fewer than two columns or rows, or the number of heights does not fit them.
    pub fn raise(&mut self, center: Vec2, radius: f32, amount: f32) -> Vec<HeightChange> {
        self.brush(center, radius, |height, share, _| height + amount * share)
    }

    /// Moves every point within `radius` toward the mean height of itself and its neighbours, by `strength` (0 to 1) at
    /// `center`, with the falloff of [`Self::raise`].
    pub fn smooth(&mut self, center: Vec2, radius: f32, strength: f32) -> Vec<HeightChange> {
        let strength = fraction(strength);
        self.brush(center, radius, |height, share, mean| height + (mean - height) * (strength * share))
    }

    /// Moves the ground toward `height` metres, by `strength` (0 to 1) at `center`, with the falloff of
    /// [`Self::raise`].
    pub fn flatten(&mut self, center: Vec2, radius: f32, height: f32, strength: f32) -> Vec<HeightChange> {
        let strength = fraction(strength);
        self.brush(center, radius, |own, share, _| own + (height - own) * (strength * share))
    }

    /// Sets the height of one point, in metres, and returns the change; `None` if the point does not exist, has this
    /// height already, or the height is not within ±[`HIGHEST`].
    pub fn set_point(&mut self, index: usize, height: f32) -> Option<HeightChange> {
        if !is_height(height) {
            return None;
        }
        let own = self.heights.get_mut(index)?;
        let before = std::mem::replace(own, height);
        (before.to_bits() != height.to_bits()).then_some(HeightChange { index, before, after: height })
    }

    /// Returns the ground resampled on another rectangle with another number of points. Outside the old rectangle the
    /// ground continues at the height of the rim. Numbers are clamped to the limits of a terrain; NaN counts as the
    /// lowest.
    pub fn resized(&self, center: Vec2, size: Vec2, columns: usize, rows: usize) -> Self {
        let defined = |value: f32, from: f32, to: f32| if value.is_nan() { from } else { value.clamp(from, to) };
        let side = |value: f32| defined(value, *SIDE.start(), *SIDE.end());
        let [columns, rows] = [columns, rows].map(|count| count.clamp(2, MOST_POINTS));
        let mut new = Self {
            center: Vec2::new(defined(center.x, -FARTHEST, FARTHEST), defined(center.y, -FARTHEST, FARTHEST)),
            size: Vec2::new(side(size.x), side(size.y)),
            columns,
            rows,
            heights: vec![0.0; columns * rows],
            platforms: self.platforms.clone(),
        };
        let (low, high) = (self.center - self.size * 0.5, self.center + self.size * 0.5);
        for index in 0..columns * rows {
            let at = new.grid_point(index % columns, index / columns).as_vec2().clamp(low, high);
            // The last point of a row may be outside the old rectangle by a rounding error.
            let inside = self.center + (at - self.center) * (1.0 - 1e-6);
            new.heights[index] =
                self.height_at(at.x, at.y).or_else(|| self.height_at(inside.x, inside.y)).unwrap_or(0.0);
        }
        new
    }

    /// Applies changes in order. To undo them, apply the [`reversed`](HeightChange::reversed) changes in opposite
    /// order.
    pub fn apply(&mut self, changes: &[HeightChange]) {
        for change in changes {
            self.set_point(change.index, change.after);
        }
    }

    /// Returns the index of the grid point nearest to where a ray hits the ground; if it hits nothing, of the point
    /// nearest to the ray. `None` for a ray that is not finite or has no direction, or with all points behind its
    /// start.
    pub fn nearest_point(&self, from: Vec3, direction: Vec3) -> Option<usize> {
        let direction = unit(direction)?;
        if !from.is_finite() {
            return None;
        }
        if let Some(hit) = self.ray(from, direction, f32::INFINITY) {
            let at = (DVec2::new(hit.point.x.into(), hit.point.z.into()) - self.grid_point(0, 0)) / self.cell();
            let [column, row] = [(at.x, self.columns), (at.y, self.rows)]
                .map(|(at, count)| (at.round().max(0.0) as usize).min(count.saturating_sub(1)));
            return Some(row * self.columns + column);
        }
        let beside = |index: usize| {
            let to = self.point(index)? - from;
            let ahead = to.dot(direction);
            (ahead >= 0.0).then(|| (index, (to - direction * ahead).length_squared()))
        };
        let points = (0..self.heights.len()).filter_map(beside);
        points.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Sets the height of every point within the brush. `height` gets the point's height, its falloff (1 at the centre,
    /// 0 at the radius) and the mean around it, all from before the stroke.
    fn brush(&mut self, center: Vec2, radius: f32, height: impl Fn(f32, f32, f32) -> f32) -> Vec<HeightChange> {
        let mut changes = Vec::new();
        if !center.is_finite() || !radius.is_finite() || radius <= 0.0 || self.columns < 2 || self.rows < 2 {
            return changes;
        }
        if self.heights.len() != self.columns.saturating_mul(self.rows) {
            return changes;
        }
        let (cell, least) = (self.cell(), self.grid_point(0, 0));
        let span = |center: f32, least: f64, cell: f64, count: usize| {
            let [first, last] = [-radius, radius].map(|reach| (f64::from(center) + f64::from(reach) - least) / cell);
            // `max` and `clamp` turn negative numbers into 0; `max` and the cast turn NaN into 0.
            first.ceil().max(0.0) as usize..(last.floor() + 1.0).clamp(0.0, count as f64) as usize
        };
        for row in span(center.y, least.y, cell.y, self.rows) {
            for column in span(center.x, least.x, cell.x, self.columns) {
                let distance = self.grid_point(column, row).distance(center.as_dvec2()) as f32;
                if distance >= radius {
                    continue;
                }
                let share = 0.5 + 0.5 * (distance / radius * std::f32::consts::PI).cos();
                let index = row * self.columns + column;
                let before = self.heights[index];
                let after = height(before, share, self.mean_around(column, row));
                let after = if after.is_nan() { before } else { after.clamp(-HIGHEST, HIGHEST) };
                if after != before {
                    changes.push(HeightChange { index, before, after });
                }
            }
        }
        self.apply(&changes);
        changes
    }

    fn mean_around(&self, column: usize, row: usize) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in row.saturating_sub(1)..(row + 2).min(self.rows) {
            for column in column.saturating_sub(1)..(column + 2).min(self.columns) {
                sum += self.heights[row * self.columns + column];
                count += 1.0;
            }
        }
        sum / count
    }
}

fn fraction(strength: f32) -> f32 {
    if strength > 0.0 { strength.min(1.0) } else { 0.0 }
}
