//! The terrain at one time, as a [`Ground`].

use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3};

use super::closest::{enter_box, nearest_on_box};
use super::field::{HIGHEST, Terrain};
use super::sculpt::HeightChange;
use super::sweep::{Contact, Swept, clip};
use crate::error::Fault;
use crate::ground::{Ground, Hit, Layers, Shape};
use crate::math::unit;

/// The least radius of a cast shape, metres; smaller ones are cast with this radius.
const LEAST_RADIUS: f64 = 1e-6;

/// A terrain at one time, to cast against.
///
/// The height field is solid below its surface. Its rim is open: casts that enter below the surface from outside the
/// rectangle hit nothing until they have left the ground upwards. Its normals point upwards. Platforms are solid from
/// all sides. At an edge or a corner the normal points to the sphere or capsule. Casts visit the cells along their
/// path, so [`Self::sculpt`] has no search tree to rebuild.
///
/// A cast that begins in the ground or in a platform hits at distance 0. In the ground, the hit is straight above a
/// ray's start, a sphere's centre or a capsule's deeper end, or where a capsule's segment enters the ground if both
/// ends are above it; in a platform, the hit is on the platform's nearest side. A sphere or capsule that reaches into
/// either only with its radius hits the point nearest to its centre or segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    terrain: Arc<Terrain>,
    /// Centre and half extents of each platform.
    boxes: Vec<(Vec3, Vec3)>,
}

impl Terrain {
    /// Returns the surface at `time` (seconds).
    ///
    /// # Errors
    /// As [`Self::validate`].
    pub fn at(&self, time: f32) -> Result<Surface, Fault> {
        Surface::new(Arc::new(self.clone()), time)
    }
}

impl Surface {
    /// Makes the surface of a terrain at `time` (seconds).
    ///
    /// # Errors
    /// As [`Terrain::validate`].
    pub fn new(terrain: Arc<Terrain>, time: f32) -> Result<Self, Fault> {
        terrain.validate()?;
        let mut surface = Self { terrain, boxes: Vec::new() };
        surface.set_time(time);
        Ok(surface)
    }

    /// Moves the platforms to their places at `time` (seconds).
    pub fn set_time(&mut self, time: f32) {
        self.boxes.clear();
        let boxes = self.terrain.platforms.iter().map(|platform| (platform.place(time), platform.half_extents));
        self.boxes.extend(boxes);
    }

    /// Applies changes of heights. Copies the terrain first if others hold its `Arc`.
    pub fn sculpt(&mut self, changes: &[HeightChange]) {
        Arc::make_mut(&mut self.terrain).apply(changes);
    }

    /// Returns the terrain.
    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// Returns centre and half extents of each platform at the surface's time; world space, metres.
    pub fn boxes(&self) -> &[(Vec3, Vec3)] {
        &self.boxes
    }

    fn cast_field(&self, swept: &Swept, most: f64) -> Option<Hit> {
        let hit = self.touches_field(swept, most)?;
        if hit.normal.y >= 0.0 {
            return Some(hit);
        }
        // A shape outside the rectangle can touch a steep rim with a normal that points downwards, but normals of the
        // ground point upwards.
        Some(Hit { normal: self.terrain.normal_at(hit.point.x, hit.point.z).unwrap_or(Vec3::Y), ..hit })
    }

    fn touches_field(&self, swept: &Swept, most: f64) -> Option<Hit> {
        if let Some(hit) = self.begins_in_field(swept) {
            return Some(hit);
        }
        let terrain = &self.terrain;
        let (cell, least) = (terrain.cell(), terrain.grid_point(0, 0));
        let size = terrain.size.as_dvec2();
        let (low, high) = (swept.a.min(swept.b) - swept.radius, swept.a.max(swept.b) + swept.radius);
        // The part of the path over the rectangle.
        let mut range = (0.0, most);
        for (low, high, step, least, size) in
            [(low.x, high.x, swept.direction.x, least.x, size.x), (low.z, high.z, swept.direction.z, least.y, size.y)]
        {
            clip(&mut range, high - least, step);
            clip(&mut range, least + size - low, -step);
        }
        // The part within the range of all possible heights.
        let reach = f64::from(HIGHEST);
        clip(&mut range, high.y + reach, swept.direction.y);
        clip(&mut range, reach - low.y, -swept.direction.y);
        if range.0.is_nan() || range.0 > range.1 || !range.1.is_finite() {
            return None;
        }
        // The path is cast in pieces a few cells long, so that a long cast that hits early costs little.
        let piece = 4.0 * cell.min_element() + (high.x - low.x).max(high.z - low.z);
        let pieces = ((range.1 - range.0) / piece).ceil().clamp(1.0, 4096.0) as usize;
        let mut best: Option<Contact> = None;
        for index in 0..pieces {
            let end = |index: usize| range.0 + (range.1 - range.0) * (index as f64 / pieces as f64);
            let (from, to) = (swept.direction * end(index), swept.direction * end(index + 1));
            let bounds = (low + from.min(to), high + from.max(to));
            // Finds the cell with the earliest possible hit. It is tested first: its hit rules out most of the others.
            let mut first = (f64::INFINITY, None);
            self.cells(bounds, |cell| {
                let earliest = swept.earliest(cell.least(), cell.most());
                if earliest < first.0 {
                    first = (earliest, Some(*cell));
                }
            });
            let mut touch = |cell: &Cell| {
                for (corners, face) in cell.facets() {
                    let most = best.map_or(most, |best| best.distance);
                    best = swept.touches(corners, face, most).or(best);
                }
                best.map_or(most, |best| best.distance)
            };
            let Some(cell) = first.1 else { continue };
            let mut most = touch(&cell);
            self.cells(bounds, |other| {
                if other.corners != cell.corners && swept.earliest(other.least(), other.most()) < most {
                    most = touch(other);
                }
            });
            if best.is_some_and(|best| best.distance <= end(index + 1)) {
                break;
            }
        }
        best.map(hit)
    }

    /// Returns a hit at distance 0 for a shape that begins in the ground; `None` for other shapes.
    fn begins_in_field(&self, swept: &Swept) -> Option<Hit> {
        let ends = [swept.a.as_vec3(), swept.b.as_vec3()];
        // If both ends are below the surface, the deeper one counts.
        let depth = |end: &Vec3| self.terrain.height_at(end.x, end.z).map(|height| height - end.y);
        let below = ends.into_iter().filter_map(|end| Some((depth(&end)?, end))).filter(|&(depth, _)| depth >= 0.0);
        if let Some((depth, end)) = below.max_by(|a, b| a.0.total_cmp(&b.0)) {
            let normal = self.terrain.normal_at(end.x, end.z)?;
            return Some(Hit { point: end + Vec3::Y * depth, normal, distance: 0.0 });
        }
        // Both ends are above the surface, but a hill may be between them.
        if let Some(direction) = unit(ends[1] - ends[0])
            && let Some(hit) = self.terrain.ray(ends[0], direction, ends[0].distance(ends[1]))
        {
            return Some(Hit { distance: 0.0, ..hit });
        }
        let bounds = (swept.a.min(swept.b) - swept.radius, swept.a.max(swept.b) + swept.radius);
        let mut best: Option<(f64, Hit)> = None;
        self.cells(bounds, |cell| {
            for (corners, face) in cell.facets() {
                touches_at_once(swept, corners, face, &mut best);
            }
        });
        best.map(|(_, hit)| hit)
    }

    fn cells(&self, (low, high): (DVec3, DVec3), mut visit: impl FnMut(&Cell)) {
        let terrain = &self.terrain;
        let (cell, least) = (terrain.cell(), terrain.grid_point(0, 0));
        let span = |low: f64, high: f64, count: usize| {
            let last = count as f64 - 2.0;
            // The span is empty outside the rectangle, with a tolerance for rounding at the rim.
            let (low, high) = ((low - 1e-6).floor().max(0.0), (high + 1e-6).floor().min(last));
            if low <= high { low as usize..high as usize + 1 } else { 0..0 }
        };
        let grid = |at: DVec3| (DVec2::new(at.x, at.z) - least) / cell;
        let (first, last) = (grid(low), grid(high));
        for row in span(first.y, last.y, terrain.rows) {
            for column in span(first.x, last.x, terrain.columns) {
                let corner = |column: usize, row: usize| {
                    let at = terrain.grid_point(column, row);
                    DVec3::new(at.x, terrain.heights[row * terrain.columns + column].into(), at.y)
                };
                let found = Cell {
                    corners: [
                        corner(column, row),
                        corner(column + 1, row),
                        corner(column, row + 1),
                        corner(column + 1, row + 1),
                    ],
                };
                if found.least().y <= high.y && found.most().y >= low.y {
                    visit(&found);
                }
            }
        }
    }

    fn cast_box(&self, (center, half): (Vec3, Vec3), swept: &Swept, most: f64) -> Option<Hit> {
        let (a, b) = (swept.a.as_vec3(), swept.b.as_vec3());
        // The part of the shape's segment within the box.
        let mut inside = (0.0, 1.0);
        let mut way = (0.0, most);
        for axis in 0..3 {
            let (start, step) = (f64::from(a[axis] - center[axis]), f64::from(b[axis] - a[axis]));
            let half = f64::from(half[axis]);
            clip(&mut inside, half + start, step);
            clip(&mut inside, half - start, -step);
            let (low, high) = (start + step.min(0.0) - swept.radius, start + step.max(0.0) + swept.radius);
            clip(&mut way, high + half, swept.direction[axis]);
            clip(&mut way, half - low, -swept.direction[axis]);
        }
        if way.0 > way.1 {
            return None;
        }
        if inside.0 <= inside.1 {
            let middle = a.lerp(b, (0.5 * (inside.0 + inside.1)) as f32) - center;
            return Some(leaves_box(middle, half, center));
        }
        let mut at_once = None;
        let mut best: Option<Contact> = None;
        for (corners, face) in box_facets(center.as_dvec3(), half.as_dvec3()) {
            touches_at_once(swept, corners, face, &mut at_once);
            let most = best.map_or(most, |best| best.distance);
            best = swept.touches(corners, face, most).or(best);
        }
        at_once.map(|(_, hit)| hit).or(best.map(hit))
    }

    fn boxes_on(&self, layers: Layers) -> impl Iterator<Item = (Vec3, Vec3)> {
        let platforms = self.boxes.iter().zip(&self.terrain.platforms);
        platforms.filter(move |(_, platform)| layers.has(platform.layer)).map(|(&shape, _)| shape)
    }

    fn ray_on(&self, layers: Layers, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let direction = unit(direction)?;
        if !from.is_finite() || distance.is_nan() || distance < 0.0 {
            return None;
        }
        let boxes = self.boxes_on(layers).map(|(center, half)| {
            let start = from - center;
            if start.abs().cmplt(half).all() {
                return Some(leaves_box(start, half, center));
            }
            let (distance, normal) = enter_box(half, start, direction, distance)?;
            Some(Hit { point: from + direction * distance, normal: unit(normal)?, distance })
        });
        let field = layers.has(0).then(|| self.terrain.ray(from, direction, distance)).flatten();
        nearest(boxes.chain([field]))
    }

    fn sweep(&self, layers: Layers, (a, b): (Vec3, Vec3), radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let direction = unit(direction)?;
        let is_defined = a.is_finite() && b.is_finite() && radius >= 0.0 && radius.is_finite() && distance >= 0.0;
        if !is_defined {
            return None;
        }
        let [a, b, direction] = [a, b, direction].map(|v| v.as_dvec3());
        let swept = Swept { a, b, radius: f64::from(radius).max(LEAST_RADIUS), direction: direction.normalize() };
        let most = f64::from(distance);
        let boxes = self.boxes_on(layers).map(|shape| self.cast_box(shape, &swept, most));
        let field = layers.has(0).then(|| self.cast_field(&swept, most)).flatten();
        nearest(boxes.chain([field]))
    }
}

#[derive(Clone, Copy)]
struct Cell {
    /// Corners: least x and z, next along x, next along z, next along both.
    corners: [DVec3; 4],
}

impl Cell {
    fn least(&self) -> DVec3 {
        let [p00, p10, p01, p11] = self.corners;
        DVec3::new(p00.x, p00.y.min(p10.y).min(p01.y.min(p11.y)), p00.z)
    }

    fn most(&self) -> DVec3 {
        let [p00, p10, p01, p11] = self.corners;
        DVec3::new(p11.x, p00.y.max(p10.y).max(p01.y.max(p11.y)), p11.z)
    }

    fn facets(&self) -> [([DVec3; 3], DVec3); 2] {
        let [p00, p10, p01, p11] = self.corners;
        [[p00, p01, p10], [p01, p11, p10]].map(|corners| (corners, normal_of(corners)))
    }
}

impl Ground for Surface {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.ray_on(Layers::ALL, from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sweep(Layers::ALL, (from, from), radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sweep(Layers::ALL, (a, b), radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        match shape {
            Shape::Ray => self.ray_on(layers, from, direction, distance),
            Shape::Sphere { radius } => self.sweep(layers, (from, from), radius, direction, distance),
            Shape::Capsule { along, radius } => self.sweep(layers, (from, from + along), radius, direction, distance),
        }
    }
}

fn nearest(hits: impl Iterator<Item = Option<Hit>>) -> Option<Hit> {
    hits.flatten().min_by(|a, b| a.distance.total_cmp(&b.distance))
}

fn hit(contact: Contact) -> Hit {
    let Contact { distance, point, normal } = contact;
    Hit { point: point.as_vec3(), normal: normal.as_vec3(), distance: distance as f32 }
}

/// Replaces `best` by a hit at distance 0 if the shape reaches into the triangle from its front, nearer than `best`.
fn touches_at_once(swept: &Swept, corners: [DVec3; 3], face: DVec3, best: &mut Option<(f64, Hit)>) {
    let (point, own) = swept.nearest(corners);
    let gap = own - point;
    let distance = gap.length();
    if distance >= swept.radius || gap.dot(face) <= 0.0 || best.is_some_and(|(best, _)| best <= distance) {
        return;
    }
    let normal = gap.try_normalize().unwrap_or(face).as_vec3();
    *best = Some((distance, Hit { point: point.as_vec3(), normal, distance: 0.0 }));
}

/// Returns the hit on the nearest side of a box for a point `inside` it, relative to its `center`.
fn leaves_box(inside: Vec3, half: Vec3, center: Vec3) -> Hit {
    let point = nearest_on_box(half, inside);
    // For a point exactly on a side the direction is undefined; it is then up, as for a shape that stands on the box.
    let normal = unit(point - inside).unwrap_or(Vec3::Y);
    Hit { point: point + center, normal, distance: 0.0 }
}

fn normal_of([p, q, r]: [DVec3; 3]) -> DVec3 {
    (q - p).cross(r - p).normalize_or(DVec3::Y)
}

/// Returns the twelve triangles of a box, counter-clockwise from outside, with their normals.
fn box_facets(center: DVec3, half: DVec3) -> impl Iterator<Item = ([DVec3; 3], DVec3)> {
    [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(move |axis| {
        [axis, -axis].into_iter().flat_map(move |normal| {
            // u × v points along `normal`, also along a negative axis.
            let v = DVec3::new(axis.z, axis.x, axis.y);
            let (u, v) = (v.cross(normal) * half, v * half);
            let middle = center + normal * half;
            let [p, q, r, s] = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
            [([p, q, r], normal), ([p, r, s], normal)]
        })
    })
}
