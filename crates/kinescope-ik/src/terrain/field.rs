//! The height field and its platforms.

use std::ops::RangeInclusive;

use glam::{DVec2, DVec3, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::sweep::clip;
use crate::error::{BadValue, Fault, Problem};
use crate::ground::{Hit, LAYERS};
use crate::parameter::{Parameters, Unit, settings};

/// The most points along one side.
pub const MOST_POINTS: usize = 1025;
/// The largest number of platforms of a terrain.
pub const MOST_PLATFORMS: usize = 64;
/// The allowed lengths of the rectangle's sides, metres.
pub const SIDE: RangeInclusive<f32> = 0.1..=10_000.0;
/// The allowed half extents of a platform along each axis, metres.
const HALF_EXTENT: RangeInclusive<f32> = 0.001..=1000.0;
/// The largest absolute coordinate of the rectangle's centre and of a platform's ends, metres.
pub const FARTHEST: f32 = 10_000.0;
/// The largest absolute height, metres.
pub const HIGHEST: f32 = 1000.0;

/// A height field, and platforms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terrain {
    /// Centre of the rectangle: x and z, metres.
    pub center: Vec2,
    /// Lengths of the rectangle's sides along x and z, in metres.
    pub size: Vec2,
    /// Number of points along x, 2 to 1025.
    pub columns: usize,
    /// Number of points along z, 2 to 1025.
    pub rows: usize,
    /// Heights in metres, −1000 to 1000, row by row from the least z, each row from the least x.
    pub heights: Vec<f32>,
    /// Boxes that stand or move.
    pub platforms: Vec<Platform>,
}

settings! {
    /// An axis-aligned box that moves to and fro between two places.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Platform {
        /// Half the lengths of the box's sides, in metres.
        half_extents: Vec3 = Vec3::new(0.5, 0.1, 0.5);
        /// The box's centre at time 0.
        from: Vec3 = Vec3::ZERO;
        /// The box's centre at the other end of its path.
        to: Vec3 = Vec3::ZERO;
        /// Duration of the way there and back, without the pauses.
        period: f32 = 4.0, from 0.1 to 3600 usually 20 in Seconds,
            too little: "The platform is too fast to stand on.",
            too much: "The platform does not seem to move.";
        /// Duration of the pause at each end.
        pause: f32 = 1.0, from 0 to 3600 usually 20 in Seconds,
            too little: "There is no time to get on.",
            too much: "The platform stands still most of the time.";
        /// The ground layer, 0 to 7. Feet may ignore layers; the heights are on layer 0.
        layer: u8 = 0;
    }
}

impl Platform {
    pub(super) fn validate(&self) -> Result<(), Fault> {
        for axis in 0..3 {
            let lengths = [
                ("half_extents", self.half_extents[axis], HALF_EXTENT),
                ("from", self.from[axis], -FARTHEST..=FARTHEST),
                ("to", self.to[axis], -FARTHEST..=FARTHEST),
            ];
            for (name, value, range) in lengths {
                let checked = BadValue::check_range(value, &range, Unit::Metres);
                checked.map_err(|bad| bad.at(format!("{name}[{axis}]")))?;
            }
        }
        let layer = BadValue::check_range(f32::from(self.layer), &(0.0..=f32::from(LAYERS - 1)), Unit::Count);
        layer.map_err(|bad| bad.at("layer"))?;
        self.check_numbers()
    }

    /// Returns the box's centre at `time` (seconds). The box waits at `from`, moves to `to`, waits, and moves back; it
    /// starts and stops smoothly. A time that is not finite counts as 0.
    pub fn place(&self, time: f32) -> Vec3 {
        let (way, pause) = (f64::from(self.period) * 0.5, f64::from(self.pause));
        let time = f64::from(time).rem_euclid(2.0 * (way + pause));
        let gone = if time < way + pause { time - pause } else { 2.0 * way + 2.0 * pause - time };
        let share = (gone / way).clamp(0.0, 1.0);
        let share = 0.5 - 0.5 * (share * std::f64::consts::PI).cos();
        if share.is_finite() { self.from.lerp(self.to, share as f32) } else { self.from }
    }
}

/// Flat, 10 m by 10 m around the origin, with 2 by 2 points.
impl Default for Terrain {
    fn default() -> Self {
        Self {
            center: Vec2::ZERO,
            size: Vec2::splat(10.0),
            columns: 2,
            rows: 2,
            heights: vec![0.0; 4],
            platforms: Vec::new(),
        }
    }
}

/// Positions, unit normals and triangles (counter-clockwise from above) of a height field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions in world space, metres; one per vertex.
    pub positions: Vec<Vec3>,
    /// Unit normals, one per vertex.
    pub normals: Vec<Vec3>,
    /// Indices into `positions`, three per triangle.
    pub indices: Vec<u32>,
}

/// The triangle of a cell at a place: the ground's height at the place in metres, and the change of the height per
/// metre of x and of z.
#[derive(Clone, Copy)]
pub(super) struct Facet {
    height: f64,
    slope: DVec2,
}

impl Facet {
    pub(super) fn normal(&self) -> Vec3 {
        DVec3::new(-self.slope.x, 1.0, -self.slope.y).normalize().as_vec3()
    }
}

impl Terrain {
    /// Checks every value, and how many heights and platforms there are.
    ///
    /// # Errors
    /// [`Fault`] that states the field, its value and the allowed range.
    pub fn validate(&self) -> Result<(), Fault> {
        let metres = |value: f32, range: RangeInclusive<f32>| BadValue::check_range(value, &range, Unit::Metres);
        let coordinate = |value: f32| metres(value, -FARTHEST..=FARTHEST);
        for (name, count) in [("columns", self.columns), ("rows", self.rows)] {
            BadValue::check_count(count, &(2..=MOST_POINTS)).map_err(|bad| bad.at(name))?;
        }
        for axis in 0..2 {
            metres(self.size[axis], SIDE).map_err(|bad| bad.at(format!("size[{axis}]")))?;
            coordinate(self.center[axis]).map_err(|bad| bad.at(format!("center[{axis}]")))?;
        }
        let (found, count) = (self.heights.len(), self.columns * self.rows);
        if found != count {
            let points = format!("{} columns × {} rows = {count}", self.columns, self.rows);
            return Err(Fault::new("heights", format!("has {found} entries; it must have one per point: {points}")));
        }
        for (index, &height) in self.heights.iter().enumerate() {
            metres(height, -HIGHEST..=HIGHEST).map_err(|bad| bad.at(format!("heights[{index}]")))?;
        }
        let found = self.platforms.len();
        if found > MOST_PLATFORMS {
            let problem = Problem::TooMany { what: "platforms", found, most: MOST_PLATFORMS };
            return Err(Fault::new("platforms", problem));
        }
        for (index, platform) in self.platforms.iter().enumerate() {
            platform.validate().map_err(|fault| fault.within(format!("platforms[{index}]")))?;
        }
        Ok(())
    }

    /// Returns the position of a point by its index, in world space; `None` if it does not exist.
    pub fn point(&self, index: usize) -> Option<Vec3> {
        let height = *self.heights.get(index)?;
        let at = self.grid_point(index % self.columns.max(1), index / self.columns.max(1));
        Some(Vec3::new(at.x as f32, height, at.y as f32))
    }

    /// Returns the height of the ground at a place, in metres, on the same triangles that casts hit: the diagonal of a
    /// cell joins the corner of least x and greatest z to the corner of greatest x and least z. `None` outside the
    /// rectangle, or if heights are missing.
    pub fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        let at = self.grid_from_world(DVec2::new(x.into(), z.into()))?;
        Some(self.facet(at)?.height as f32)
    }

    /// Returns the upward unit normal of the ground at a place; `None` outside the rectangle, or if heights are
    /// missing.
    pub fn normal_at(&self, x: f32, z: f32) -> Option<Vec3> {
        let at = self.grid_from_world(DVec2::new(x.into(), z.into()))?;
        Some(self.facet(at)?.normal())
    }

    /// Returns the first hit of a ray that passes down through the height field, ignoring platforms. Arguments and
    /// result are as in [`Ground::ray`](crate::ground::Ground::ray).
    ///
    /// A ray that begins below the ground hits it at distance 0, straight above. A ray that enters the rectangle from
    /// outside below the ground hits nothing until it has left the ground upwards. `None` if the ray hits nothing, if
    /// start or direction are not finite, or if the distance is negative or NaN.
    pub fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let (origin, step) = (from.as_dvec3(), direction.as_dvec3());
        if !origin.is_finite() || !step.is_finite() || distance.is_nan() || distance < 0.0 {
            return None;
        }
        if let Some(height) = self.height_at(from.x, from.z)
            && from.y < height
        {
            let normal = self.normal_at(from.x, from.z)?;
            return Some(Hit { point: from.with_y(height), normal, distance: 0.0 });
        }
        // The part of the ray that is over the rectangle, in cells.
        let (cell, [columns, rows]) = (self.cell(), [self.columns, self.rows].map(|count| count as f64 - 1.0));
        let least = self.grid_point(0, 0);
        let start = (DVec2::new(origin.x, origin.z) - least) / cell;
        let slope = DVec2::new(step.x, step.z) / cell;
        let mut range = (0.0, f64::from(distance));
        for (start, slope, most) in [(start.x, slope.x, columns), (start.y, slope.y, rows)] {
            clip(&mut range, start, slope);
            clip(&mut range, most - start, -slope);
        }
        if range.0.is_nan() || range.0 > range.1 {
            return None;
        }
        // Between grid lines and diagonals the ground is flat, so the height of the ray over it is linear: testing the
        // crossings alone misses nothing and leaves no gap along an edge.
        let bounds = DVec2::new(columns, rows);
        let above = |t: f64| {
            let facet = self.facet((start + slope * t).clamp(DVec2::ZERO, bounds))?;
            Some(origin.y + step.y * t - facet.height)
        };
        let families = [(start.x, slope.x), (start.y, slope.y), (start.x + start.y, slope.x + slope.y)];
        let mut next = families.map(|(start, slope)| next_crossing(start, slope, range.0));
        let (mut last, mut height) = (range.0, above(range.0)?);
        // A vertical ray of infinite length crosses no grid line. It hits nothing if it goes upwards, or downwards from
        // below the surface.
        while last < range.1 {
            let t = next.into_iter().fold(range.1, f64::min);
            if !t.is_finite() && (step.y >= 0.0 || height < 0.0) {
                return None;
            }
            // An endless vertical ray stays over one triangle, so its hit is on the plane of this triangle.
            let is_endless = !t.is_finite();
            let (t, end) = if is_endless { (last - height / step.y, 0.0) } else { (t, above(t)?) };
            if height >= 0.0 && end <= 0.0 && (height > 0.0 || end < 0.0 || is_endless) {
                let t = if end < 0.0 { last + (t - last) * (height / (height - end)) } else { t };
                // Takes the triangle before the crossing, where the ray is still above the ground.
                let facet = self.facet((start + slope * (0.5 * (last + t))).clamp(DVec2::ZERO, bounds))?;
                let point = (origin + step * t).as_vec3();
                return Some(Hit { point, normal: facet.normal(), distance: t as f32 });
            }
            (last, height) = (t, end);
            for (next, (start, slope)) in next.iter_mut().zip(families) {
                if *next <= t {
                    *next = next_crossing(start, slope, t);
                }
            }
        }
        None
    }

    /// Writes the triangles of the height field into `mesh`, reusing its buffers. The mesh is empty with fewer than two
    /// columns or rows, and if the number of heights does not fit them.
    pub fn mesh(&self, mesh: &mut Mesh) {
        mesh.positions.clear();
        mesh.normals.clear();
        mesh.indices.clear();
        if self.columns < 2 || self.rows < 2 || self.heights.len() != self.columns * self.rows {
            return;
        }
        let cell = self.cell().as_vec2();
        let height = |column: usize, row: usize| self.heights[row * self.columns + column];
        for row in 0..self.rows {
            for column in 0..self.columns {
                let at = self.grid_point(column, row).as_vec2();
                mesh.positions.push(Vec3::new(at.x, height(column, row), at.y));
                // Central difference; one-sided at the rim.
                let [left, right] = [column.saturating_sub(1), (column + 1).min(self.columns - 1)];
                let [near, far] = [row.saturating_sub(1), (row + 1).min(self.rows - 1)];
                let x = (height(right, row) - height(left, row)) / (cell.x * (right - left) as f32);
                let z = (height(column, far) - height(column, near)) / (cell.y * (far - near) as f32);
                mesh.normals.push(Vec3::new(-x, 1.0, -z).try_normalize().unwrap_or(Vec3::Y));
            }
        }
        for row in 0..self.rows - 1 {
            for column in 0..self.columns - 1 {
                let first = row * self.columns + column;
                let corners = [first, first + self.columns, first + 1, first + self.columns + 1];
                let [p00, p01, p10, p11] = corners.map(|index| index as u32);
                mesh.indices.extend([p00, p01, p10, p01, p11, p10]);
            }
        }
    }

    pub(super) fn cell(&self) -> DVec2 {
        self.size.as_dvec2() / DVec2::new(self.columns as f64 - 1.0, self.rows as f64 - 1.0)
    }

    pub(super) fn grid_point(&self, column: usize, row: usize) -> DVec2 {
        let least = self.center.as_dvec2() - self.size.as_dvec2() * 0.5;
        least + self.cell() * DVec2::new(column as f64, row as f64)
    }

    /// Returns the grid coordinates of a point (x, z), in cells from the corner of least x and z; `None` outside the
    /// field.
    pub(super) fn grid_from_world(&self, at: DVec2) -> Option<DVec2> {
        let grid = (at - self.grid_point(0, 0)) / self.cell();
        let most = DVec2::new(self.columns as f64 - 1.0, self.rows as f64 - 1.0);
        (grid.cmpge(DVec2::ZERO).all() && grid.cmple(most).all()).then_some(grid)
    }

    /// Returns the triangle at grid coordinates, in cells; `None` if the field lacks one of its points.
    pub(super) fn facet(&self, at: DVec2) -> Option<Facet> {
        let column = (at.x as usize).min(self.columns.checked_sub(2)?);
        let row = (at.y as usize).min(self.rows.checked_sub(2)?);
        let height =
            |column: usize, row: usize| self.heights.get(row * self.columns + column).map(|&height| f64::from(height));
        let (across, along) = (at.x - column as f64, at.y - row as f64);
        let (h10, h01) = (height(column + 1, row)?, height(column, row + 1)?);
        let (corner, slope, across, along) = if across + along <= 1.0 {
            let h00 = height(column, row)?;
            (h00, DVec2::new(h10 - h00, h01 - h00), across, along)
        } else {
            let h11 = height(column + 1, row + 1)?;
            (h11, DVec2::new(h11 - h01, h11 - h10), across - 1.0, along - 1.0)
        };
        Some(Facet { height: corner + slope.x * across + slope.y * along, slope: slope / self.cell() })
    }
}

pub(super) fn is_height(height: f32) -> bool {
    height.abs() <= HIGHEST
}

/// Returns the first number after `t` at which `start + slope · t` is whole; infinite if there is none.
fn next_crossing(start: f64, slope: f64, t: f64) -> f64 {
    let at = start + slope * t;
    let crossing = |line: f64| (line - start) / slope;
    let line = if slope > 0.0 { at.floor() + 1.0 } else { at.ceil() - 1.0 };
    let first = crossing(line);
    // A rounding error before a line would find the same line again.
    let first = if first > t { first } else { crossing(line + slope.signum()) };
    if slope != 0.0 && first > t { first } else { f64::INFINITY }
}
