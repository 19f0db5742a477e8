use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DVec2, Mat4, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// A camera that orbits `target`. Angles are in radians, lengths in model units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    pub target: Vec3,
    /// Angle about +Y. At 0 the camera looks along −Z, at the face of a character that faces +Z. It grows as the eye moves
    /// toward +X.
    pub yaw: f32,
    pub pitch: f32,
    pub distance: f32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub orthographic: bool,
    /// Whether an axis view made the projection orthographic. Turning away from that view restores perspective.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub orthographic_until_turned: bool,
}

/// Vertical field of view, radians.
pub(crate) const FIELD_OF_VIEW: f32 = 32.0 * std::f32::consts::PI / 180.0;
const STEEPEST: f32 = 89.0 * std::f32::consts::PI / 180.0;
/// Orbit speed, radians per pixel.
const ORBIT_SPEED: f32 = 0.008;

/// The axis views, named by the position of the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    Front,
    Back,
    /// From the character's left.
    Left,
    Right,
    Top,
    Bottom,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 0.9, 0.0),
            yaw: 0.6,
            pitch: 0.17,
            distance: 4.2,
            orthographic: false,
            orthographic_until_turned: false,
        }
    }
}

impl Camera {
    /// Returns whether all values are in a usable range. A file may contain any numbers.
    pub fn is_usable(&self) -> bool {
        let is_place = self.target.is_finite() && self.target.abs().max_element() < 1e9;
        let is_turned = self.yaw.is_finite() && self.pitch.abs() <= FRAC_PI_2;
        is_place && is_turned && (1e-6..1e9).contains(&self.distance)
    }

    pub fn back(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    pub fn eye(&self) -> Vec3 {
        self.target + self.back() * self.distance
    }

    pub fn right_and_up(&self) -> (Vec3, Vec3) {
        let right = Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        (right, self.back().cross(right))
    }

    pub fn orbit(&mut self, drag: Vec2) {
        if drag == Vec2::ZERO {
            return;
        }
        let pitch = (self.pitch + drag.y * ORBIT_SPEED).clamp(-STEEPEST, STEEPEST);
        self.turn_to((self.yaw - drag.x * ORBIT_SPEED) % std::f32::consts::TAU, pitch);
    }

    pub(crate) fn turn_to(&mut self, yaw: f32, pitch: f32) {
        (self.yaw, self.pitch) = (yaw, pitch);
        self.orthographic &= !std::mem::take(&mut self.orthographic_until_turned);
    }

    pub fn toggle_orthographic(&mut self) {
        (self.orthographic, self.orthographic_until_turned) = (!self.orthographic, false);
    }

    /// Moves target and eye by a drag in pixels, so that points at the target's depth follow the pointer.
    pub fn pan(&mut self, drag: Vec2, viewport: Viewport) {
        let per_pixel = 2.0 * self.distance * (FIELD_OF_VIEW / 2.0).tan() / viewport.size.y.max(1.0);
        let (right, up) = self.right_and_up();
        self.target += (up * drag.y - right * drag.x) * per_pixel;
    }

    /// Zooms in for positive wheel steps. The distance stays within 0.05 and 50 times `scale`, the character's height.
    pub fn zoom(&mut self, steps: f32, scale: f32) {
        self.distance = (self.distance * 0.9f32.powf(steps)).clamp(scale * 0.05, scale * 50.0);
    }

    pub fn frame(&mut self, center: Vec3, radius: f32, viewport: Viewport) {
        self.target = center;
        let aspect = (viewport.size.x / viewport.size.y.max(1.0)).clamp(0.1, 1.0);
        self.distance = radius.max(1e-6) / ((FIELD_OF_VIEW / 2.0).sin() * aspect);
    }

    pub fn shows(&self, points: &[Vec3], viewport: Viewport, inner: Viewport) -> bool {
        let projector = self.projector(viewport);
        points.iter().all(|&point| projector.to_screen(point).is_some_and(|screen| inner.contains(screen)))
    }

    /// Moves the camera, without turning it, as near as possible while all `points` stay in `inner`, a part of the picture.
    /// Does nothing if no point is finite.
    pub fn fit(&mut self, points: &[Vec3], viewport: Viewport, inner: Viewport) {
        let (right, up) = self.right_and_up();
        let back = self.back();
        let half = viewport.size.max(Vec2::ONE) / 2.0;
        let rise = (FIELD_OF_VIEW / 2.0).tan() / half.y;
        let (min, max) = (inner.min - viewport.min - half, inner.min + inner.size - viewport.min - half);
        // Distances of the left and lower edge of `inner`, and of its right and upper edge, from the picture's centre on a plane
        // at distance 1 from the eye. Outward is positive.
        let (to_low, to_high) = (Vec2::new(-min.x, max.y) * rise, Vec2::new(max.x, -min.y) * rise);
        // In orthographic projection, depth does not matter.
        let by_depth = if self.orthographic { 0.0 } else { 1.0 };
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        let (mut nearest, mut farthest) = (f32::NEG_INFINITY, f32::INFINITY);
        for &point in points.iter().filter(|point| point.is_finite()) {
            let (at, depth) = (Vec2::new(point.dot(right), point.dot(up)), point.dot(back));
            // The plane of each edge moves outwards until it contains the point. `low` and `high` are the planes at depth 0.
            (low, high) = (low.min(at - to_low * depth * by_depth), high.max(at + to_high * depth * by_depth));
            (nearest, farthest) = (nearest.max(depth), farthest.min(depth));
        }
        if !(low.is_finite() && high.is_finite()) {
            return;
        }
        let needed = ((high - low) / (to_low + to_high).max(Vec2::splat(1e-3))).max_element();
        let depth = (nearest + farthest) / 2.0;
        // The eye stays in front of the nearest point. A single point alone would need no distance.
        let beyond = if self.orthographic { needed } else { needed - depth };
        self.distance = beyond.max((nearest - depth) * 1.05).max(1e-6);
        let eye = if self.orthographic { self.distance } else { self.distance + depth };
        let middle = (high - to_high * eye + low + to_low * eye) / 2.0;
        self.target = right * middle.x + up * middle.y + back * depth;
    }

    /// Returns those of `points` that decide [`Self::fit`] for any part of the picture: the corners of the convex hulls of the
    /// points as seen from above and from the right of the picture.
    pub fn deciding(&self, points: &[Vec3]) -> Vec<Vec3> {
        let (right, up) = self.right_and_up();
        let back = self.back();
        let finite = || points.iter().filter(|point| point.is_finite());
        let seen_along = |across: Vec3| finite().map(|&at| (Vec2::new(at.dot(across), at.dot(back)), at)).collect();
        [right, up].into_iter().flat_map(|across| hull(seen_along(across))).collect()
    }

    /// Turns to an axis view of a character that faces `facing`. A perspective projection becomes orthographic until
    /// the camera is turned.
    pub fn look_along(&mut self, view: AxisView, facing: Vec3) {
        let face = facing.x.atan2(facing.z);
        (self.yaw, self.pitch) = match view {
            AxisView::Front => (face, 0.0),
            AxisView::Back => (face + PI, 0.0),
            AxisView::Left => (face + FRAC_PI_2, 0.0),
            AxisView::Right => (face - FRAC_PI_2, 0.0),
            AxisView::Top => (face, FRAC_PI_2),
            AxisView::Bottom => (face, -FRAC_PI_2),
        };
        // An orthographic view that the user chose stays orthographic.
        self.orthographic_until_turned |= !self.orthographic;
        self.orthographic = true;
    }

    pub fn view(&self) -> Mat4 {
        let up = if self.pitch.abs() < STEEPEST { Vec3::Y } else { self.right_and_up().1 };
        glam::camera::rh::view::look_at_mat4(self.eye(), self.target, up)
    }

    /// Returns the projection matrix. Depth is from −1 to 1, as in OpenGL.
    pub(crate) fn projection(&self, viewport: Viewport) -> Mat4 {
        let aspect = viewport.size.x.max(1.0) / viewport.size.y.max(1.0);
        let far = self.distance * 20.0;
        if self.orthographic {
            // The size at the target is the same as with perspective, and nothing is clipped near the eye.
            let up = self.distance * (FIELD_OF_VIEW / 2.0).tan();
            let across = up * aspect;
            return glam::camera::rh::proj::opengl::orthographic(-across, across, -up, up, -far, far);
        }
        glam::camera::rh::proj::opengl::perspective(FIELD_OF_VIEW, aspect, self.distance * 0.01, far)
    }

    pub fn projector(&self, viewport: Viewport) -> Projector {
        Projector { clip_from_model: self.projection(viewport) * self.view(), viewport, camera: *self }
    }
}

/// Rectangle of the picture on screen, in logical pixels from the top left of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub min: Vec2,
    pub size: Vec2,
}

impl Viewport {
    pub fn contains(&self, point: Vec2) -> bool {
        let inside = point - self.min;
        inside.cmpge(Vec2::ZERO).all() && inside.cmple(self.size).all()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Projector {
    clip_from_model: Mat4,
    pub viewport: Viewport,
    pub camera: Camera,
}

impl Projector {
    pub fn to_screen(&self, point: Vec3) -> Option<Vec2> {
        let clip = self.clip_from_model * point.extend(1.0);
        if clip.w <= self.nearest() {
            return None;
        }
        let unit = Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + Vec2::splat(0.5);
        let screen = self.viewport.min + unit * self.viewport.size;
        screen.is_finite().then_some(screen)
    }

    pub fn in_picture(&self, point: Vec3) -> Option<Vec2> {
        let (min, max) = self.drawn();
        self.to_screen(point).filter(|screen| screen.cmpge(min).all() && screen.cmple(max).all())
    }

    /// Clips a line to the part in front of the eye and in the picture with its margin: see [`Self::drawn`]. A line
    /// may be arbitrarily long, so it is clipped before it is divided into dashes.
    pub fn segment(&self, from: Vec3, to: Vec3) -> Option<[Vec2; 2]> {
        let matrix = self.clip_from_model.as_dmat4();
        let (from, to) = (matrix * from.as_dvec3().extend(1.0), matrix * to.as_dvec3().extend(1.0));
        let nearest = f64::from(self.nearest());
        let [mut start, mut end] = [0.0, 1.0];
        if from.w < nearest && to.w < nearest {
            return None;
        }
        if from.w < nearest {
            start = (nearest - from.w) / (to.w - from.w);
        } else if to.w < nearest {
            end = (nearest - from.w) / (to.w - from.w);
        }
        let (corner, size) = (self.viewport.min.as_dvec2(), self.viewport.size.as_dvec2());
        let pixel = |at: f64| {
            let clip = from.lerp(to, at);
            corner + (DVec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5) * size
        };
        let (min, max) = self.drawn();
        clip_segment([pixel(start), pixel(end)], min.as_dvec2(), max.as_dvec2())
            .map(|ends| ends.map(|end| end.as_vec2()))
    }

    /// Returns the smallest w in clip space that is drawn. In orthographic projection, w is 1 everywhere.
    fn nearest(&self) -> f32 {
        if self.camera.orthographic { 0.0 } else { self.camera.distance * 1e-3 }
    }

    /// Returns the corners of the picture with a margin. Marks and strokes of points in the margin reach into the picture.
    pub fn drawn(&self) -> (Vec2, Vec2) {
        const MARGIN: Vec2 = Vec2::splat(100.0);
        (self.viewport.min - MARGIN, self.viewport.min + self.viewport.size + MARGIN)
    }

    /// Returns origin and unit direction of the ray through a pixel. In perspective, the origin is the eye.
    pub fn ray(&self, screen: Vec2) -> (Vec3, Vec3) {
        let unit = (screen - self.viewport.min) / self.viewport.size.max(Vec2::ONE);
        let aspect = self.viewport.size.x.max(1.0) / self.viewport.size.y.max(1.0);
        let half = (FIELD_OF_VIEW / 2.0).tan();
        let (right, up) = self.camera.right_and_up();
        let across = right * (unit.x * 2.0 - 1.0) * half * aspect + up * (1.0 - unit.y * 2.0) * half;
        if self.camera.orthographic {
            return (self.camera.eye() + across * self.camera.distance, -self.camera.back());
        }
        (self.camera.eye(), (across - self.camera.back()).normalize())
    }

    /// Returns the point under a pixel on the plane through `point` that faces the camera.
    pub fn on_camera_plane(&self, screen: Vec2, point: Vec3) -> Vec3 {
        let (eye, direction) = self.ray(screen);
        let back = self.camera.back();
        let depth = (eye - point).dot(back);
        eye + direction * (depth / -direction.dot(back)).max(0.0)
    }

    pub fn units_per_pixel(&self, point: Vec3) -> f32 {
        let depth = match self.camera.orthographic {
            true => self.camera.distance,
            false => (self.camera.eye() - point).dot(self.camera.back()).max(self.camera.distance * 1e-3),
        };
        2.0 * depth * (FIELD_OF_VIEW / 2.0).tan() / self.viewport.size.y.max(1.0)
    }
}

/// Clips a line to a rectangle (Liang and Barsky, «A New Concept and Method for Line Clipping», 1984).
pub(crate) fn clip_segment([from, to]: [DVec2; 2], min: DVec2, max: DVec2) -> Option<[DVec2; 2]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let along = to - from;
    let [mut start, mut end] = [0.0f64, 1.0f64];
    for axis in 0..2 {
        if along[axis] == 0.0 {
            if from[axis] < min[axis] || from[axis] > max[axis] {
                return None;
            }
            continue;
        }
        let [a, b] = [(min[axis] - from[axis]) / along[axis], (max[axis] - from[axis]) / along[axis]];
        start = start.max(a.min(b));
        end = end.min(a.max(b));
    }
    let at = |share: f64| (from + along * share).clamp(min, max);
    // Uncut ends keep their exact value.
    let ends = [if start > 0.0 { at(start) } else { from }, if end < 1.0 { at(end) } else { to }];
    (start <= end).then_some(ends)
}

fn hull<T: Copy>(mut points: Vec<(Vec2, T)>) -> Vec<T> {
    points.sort_unstable_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    // Monotone chain: the lower half of the hull, then the upper half.
    let mut corners: Vec<(Vec2, T)> = Vec::new();
    for is_upper in [false, true] {
        let start = corners.len();
        for index in 0..points.len() {
            let point = points[if is_upper { points.len() - 1 - index } else { index }];
            while let [.., (a, _), (b, _)] = corners[start..]
                && (b - a).perp_dot(point.0 - b) <= 0.0
            {
                corners.pop();
            }
            corners.push(point);
        }
    }
    corners.into_iter().map(|(_, value)| value).collect()
}
