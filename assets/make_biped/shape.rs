//! The body as a signed distance: negative inside, stated for the left half and mirrored.
//!
//! Torso, limbs, palms and feet are lofts: outlines along an axis, with a profile for each of four sides. Muscles, head
//! and digits are ellipsoids and round cones. Only adjacent parts are blended (arm with torso, finger with palm), so
//! that other parts do not merge where they are close.

use glam::Vec3;

use super::bones::{self, HandFrame};

/// Returns the smaller of two distances, rounded where they differ by less than `blend`.
fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let h = (blend - (a - b).abs()).max(0.0) / blend;
    a.min(b) - h * h * h * blend / 6.0
}

/// Returns the larger of two distances, rounded where they differ by less than `blend`.
fn smooth_max(a: f32, b: f32, blend: f32) -> f32 {
    -smooth_min(-a, -b, blend)
}

/// Returns 0 at `low`, 1 at `high`, a smooth step between, and constant values beyond. `low` may be larger than `high`.
pub fn smooth_step(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns an approximate distance to an axis-aligned ellipsoid.
fn ellipsoid(p: Vec3, center: Vec3, radii: Vec3) -> f32 {
    let q = p - center;
    let (near, far) = ((q / radii).length(), (q / (radii * radii)).length());
    if far < 1e-6 { -radii.min_element() } else { near * (near - 1.0) / far }
}

/// Returns the distance to two spheres and the cone between them.
fn round_cone(p: Vec3, a: Vec3, b: Vec3, radius_a: f32, radius_b: f32) -> f32 {
    let axis = b - a;
    let length = axis.length();
    let along = (p - a).dot(axis) / length;
    let away = ((p - a).length_squared() - along * along).max(0.0).sqrt();
    let slope = (radius_a - radius_b) / length;
    let shift = away * slope / (1.0 - slope * slope).max(1e-6).sqrt();
    let t = ((along + shift) / length).clamp(0.0, 1.0);
    (p - a - axis * t).length() - (radius_a + (radius_b - radius_a) * t)
}

/// An outline at a position on a loft's axis.
///
/// `[place, middle u, middle v, to +u, to −u, to +v, to −v]`, all in metres.
type Section = [f32; 7];

/// A solid given by outlines along an axis.
struct Loft {
    origin: Vec3,
    along: Vec3,
    u: Vec3,
    v: Vec3,
    /// Radius of the rounded ends, in metres.
    round: f32,
    /// 0 for elliptic outlines; larger values make them squarer.
    square: f32,
    sections: Vec<Section>,
    slopes: Vec<[f32; 6]>,
}

impl Loft {
    fn new(frame: [Vec3; 4], round: f32, square: f32, sections: &[Section]) -> Self {
        let [origin, along, u, v] = frame;
        let last = sections.len() - 1;
        // Slopes of the parabola through a section and its neighbours, which is smooth for unevenly spaced sections.
        let slopes = (0..=last).map(|index| {
            std::array::from_fn(|value| {
                let value = value + 1;
                let slope =
                    |a: usize, b: usize| (sections[b][value] - sections[a][value]) / (sections[b][0] - sections[a][0]);
                match index {
                    0 => slope(0, 1),
                    _ if index == last => slope(last - 1, last),
                    _ => {
                        let before = sections[index][0] - sections[index - 1][0];
                        let after = sections[index + 1][0] - sections[index][0];
                        (slope(index - 1, index) * after + slope(index, index + 1) * before) / (before + after)
                    }
                }
            })
        });
        let slopes = slopes.collect();
        Self { origin, along, u, v, round, square, sections: sections.to_vec(), slopes }
    }

    /// Returns the outline at a position on the axis; beyond either end, the outline at the end.
    fn outline(&self, place: f32) -> [f32; 6] {
        let last = self.sections.len() - 1;
        let place = place.clamp(self.sections[0][0], self.sections[last][0]);
        let to = self.sections.partition_point(|section| section[0] < place).clamp(1, last);
        let (a, b) = (&self.sections[to - 1], &self.sections[to]);
        let span = b[0] - a[0];
        let t = (place - a[0]) / span;
        let (t2, t3) = (t * t, t * t * t);
        let (value_b, slope_a, slope_b) = (3.0 * t2 - 2.0 * t3, span * (t3 - 2.0 * t2 + t), span * (t3 - t2));
        std::array::from_fn(|value| {
            a[value + 1] * (1.0 - value_b)
                + b[value + 1] * value_b
                + self.slopes[to - 1][value] * slope_a
                + self.slopes[to][value] * slope_b
        })
    }

    fn distance(&self, p: Vec3) -> f32 {
        let q = p - self.origin;
        let (place, u, v) = (q.dot(self.along), q.dot(self.u), q.dot(self.v));
        let [middle_u, middle_v, plus_u, minus_u, plus_v, minus_v] = self.outline(place);
        let (u, v) = (u - middle_u, v - middle_v);
        let radius_u = if u > 0.0 { plus_u } else { minus_u };
        let radius_v = if v > 0.0 { plus_v } else { minus_v };
        let (a, b) = (u / radius_u, v / radius_v);
        // a² + b² = 1 is an ellipse. On the diagonals, `bulge` is below 1, so the outline moves out toward a square.
        let squared = a * a + b * b;
        let bulge = if squared > 1e-9 { 1.0 - self.square * a * a * b * b / (squared * squared) } else { 1.0 };
        let near = squared.sqrt() * bulge;
        let far = ((a / radius_u) * (a / radius_u) + (b / radius_v) * (b / radius_v)).sqrt();
        let side = if far < 1e-5 { -radius_u.min(radius_v) } else { squared.sqrt() * (near - 1.0) / far };
        let (first, last) = (self.sections[0][0], self.sections[self.sections.len() - 1][0]);
        let end = (place - (first + last) * 0.5).abs() - (last - first) * 0.5;
        smooth_max(side, end, self.round)
    }
}

/// A box around a part. Farther than [`Self::REACH`] from the box, the distance to the box replaces the distance to the
/// part.
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    /// No blend reaches farther than this from a box, in metres.
    const REACH: f32 = 0.06;

    fn new(low: [f32; 3], high: [f32; 3]) -> Self {
        Self { low: low.into(), high: high.into() }
    }

    fn or(&self, p: Vec3, distance: impl FnOnce(Vec3) -> f32) -> f32 {
        let beyond = (self.low - p).max(p - self.high).max(Vec3::ZERO).length();
        if beyond > Self::REACH { beyond } else { distance(p) }
    }
}

/// Distances to the parts of the left half, in metres.
pub struct Parts {
    pub torso: f32,
    pub head: f32,
    pub arm: f32,
    pub palm: f32,
    /// Thumb first.
    pub digits: [f32; 5],
    pub leg: f32,
    pub foot: f32,
}

pub struct Shape {
    torso: Loft,
    arm: Loft,
    palm: Loft,
    leg: Loft,
    foot: Loft,
    digits: [bones::Digit; 5],
    hand: HandFrame,
}

impl Shape {
    pub fn new() -> Self {
        let hand = HandFrame::left();
        let shoulder = bones::SHOULDER;
        let arm = (bones::wrist() - shoulder).normalize();
        let front = (Vec3::Z - arm * arm.z).normalize();
        Self {
            torso: Loft::new([Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::Z], 0.05, 0.22, &TORSO),
            arm: Loft::new([shoulder, arm, front, front.cross(arm)], 0.05, 0.0, &ARM),
            palm: Loft::new([hand.origin, hand.along, hand.side, hand.back], 0.022, 0.22, &PALM),
            leg: Loft::new([Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::Z], 0.05, 0.0, &LEG),
            foot: Loft::new([Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::Y], 0.035, 0.12, &FOOT),
            digits: bones::digits(),
            hand,
        }
    }

    /// Returns the signed distance to the body's surface, in metres.
    pub fn distance(&self, p: Vec3) -> f32 {
        let p = Vec3::new(p.x.abs(), p.y, p.z);
        let parts = self.parts(p);
        let trunk = smooth_min(parts.torso, parts.head, 0.035);
        let hand = parts.digits.into_iter().enumerate().fold(parts.palm, |all, (index, digit)| {
            let blend = if index == 0 { 0.022 } else { 0.009 };
            all.min(smooth_min(parts.palm, digit, blend))
        });
        let arm = smooth_min(parts.arm, hand, 0.014);
        let leg = smooth_min(parts.leg, parts.foot, 0.035);
        smooth_min(trunk, arm, 0.06).min(smooth_min(trunk, leg, 0.05))
    }

    /// Returns the distance to each part; `p` must be on the left (x ≥ 0).
    pub fn parts(&self, p: Vec3) -> Parts {
        Parts {
            torso: Bounds::new([-0.01, 0.82, -0.16], [0.24, 1.56, 0.16]).or(p, |p| self.torso(p)),
            head: Bounds::new([-0.01, 1.42, -0.12], [0.10, 1.81, 0.13]).or(p, |p| self.head(p)),
            arm: Bounds::new([0.10, 0.98, -0.10], [0.60, 1.52, 0.07]).or(p, |p| self.arm(p)),
            palm: Bounds::new([0.53, 0.90, -0.06], [0.65, 1.08, 0.07]).or(p, |p| self.palm.distance(p)),
            digits: std::array::from_fn(|index| {
                Bounds::new([0.54, 0.82, -0.07], [0.78, 1.06, 0.11]).or(p, |p| self.digit(index, p))
            }),
            leg: Bounds::new([0.0, 0.04, -0.12], [0.20, 1.06, 0.12]).or(p, |p| self.leg(p)),
            foot: Bounds::new([0.06, 0.0, -0.08], [0.21, 0.13, 0.21]).or(p, |p| self.foot(p)),
        }
    }

    fn torso(&self, p: Vec3) -> f32 {
        let mirrored = Vec3::new(-p.x, p.y, p.z);
        let both = |blend: f32, part: &dyn Fn(Vec3) -> f32| smooth_min(part(p), part(mirrored), blend);
        let mut all = self.torso.distance(p);
        let chest = both(0.03, &|p| ellipsoid(p, Vec3::new(0.080, 1.392, 0.044), Vec3::new(0.092, 0.064, 0.048)));
        all = smooth_min(all, chest, 0.05);
        // From the neck down to the shoulder, and the shoulder blade.
        let slope = round_cone(p, Vec3::new(0.025, 1.502, -0.034), Vec3::new(0.168, 1.440, -0.028), 0.034, 0.046);
        all = smooth_min(all, slope, 0.06);
        let blade = ellipsoid(p, Vec3::new(0.085, 1.385, -0.082), Vec3::new(0.070, 0.075, 0.038));
        all = smooth_min(all, blade, 0.04);
        // Buttocks.
        let seat = both(0.02, &|p| ellipsoid(p, Vec3::new(0.078, 0.918, -0.050), Vec3::new(0.078, 0.090, 0.073)));
        smooth_min(all, seat, 0.05)
    }

    fn head(&self, p: Vec3) -> f32 {
        let skull = ellipsoid(p, Vec3::new(0.0, 1.712, -0.010), Vec3::new(0.0775, 0.089, 0.097));
        let face = ellipsoid(p, Vec3::new(0.0, 1.655, 0.024), Vec3::new(0.0610, 0.090, 0.068));
        let jaw = round_cone(p, Vec3::new(0.0, 1.625, 0.012), Vec3::new(0.0, 1.592, 0.064), 0.048, 0.025);
        let nose = ellipsoid(p, Vec3::new(0.0, 1.667, 0.0855), Vec3::new(0.0125, 0.023, 0.0168));
        let brow = round_cone(p, Vec3::new(0.0, 1.709, 0.070), Vec3::new(0.036, 1.707, 0.057), 0.018, 0.014);
        let eye = ellipsoid(p, Vec3::new(0.032, 1.680, 0.1095), Vec3::new(0.022, 0.016, 0.022));
        let mouth = ellipsoid(p, Vec3::new(0.0, 1.620, 0.074), Vec3::new(0.022, 0.020, 0.017));
        let lip = round_cone(p, Vec3::new(0.0, 1.655, 0.0865), Vec3::new(0.0, 1.612, 0.0765), 0.008, 0.013);
        let neck = round_cone(p, Vec3::new(0.0, 1.46, -0.034), Vec3::new(0.0, 1.63, -0.014), 0.058, 0.050);
        let mut all = smooth_min(skull, face, 0.04);
        all = smooth_min(all, jaw, 0.04);
        all = smooth_min(all, brow, 0.02);
        all = smooth_max(all, -eye, 0.045);
        all = smooth_min(all, mouth, 0.03);
        all = smooth_min(all, lip, 0.030);
        all = smooth_min(all, nose, 0.026);
        smooth_min(all, neck, 0.03)
    }

    fn arm(&self, p: Vec3) -> f32 {
        let deltoid = round_cone(
            p,
            bones::SHOULDER + Vec3::new(0.002, -0.010, 0.0),
            bones::SHOULDER + Vec3::new(0.092, -0.096, -0.006),
            0.059,
            0.030,
        );
        smooth_min(self.arm.distance(p), deltoid, 0.035)
    }

    fn digit(&self, index: usize, p: Vec3) -> f32 {
        let digit = &self.digits[index];
        let bone =
            |at: usize| round_cone(p, digit.points[at], digit.points[at + 1], digit.radii[at], digit.radii[at + 1]);
        let all = smooth_min(smooth_min(bone(0), bone(1), 0.001), bone(2), 0.001);
        if index > 0 {
            return all;
        }
        // The ball of the thumb.
        let ball = round_cone(p, self.hand.point(0.018, 0.012, -0.008), digit.points[1], 0.018, 0.0125);
        smooth_min(all, ball, 0.012)
    }

    fn leg(&self, p: Vec3) -> f32 {
        let cap = ellipsoid(p, Vec3::new(0.111, 0.510, 0.044), Vec3::new(0.030, 0.044, 0.026));
        smooth_min(self.leg.distance(p), cap, 0.035)
    }

    fn foot(&self, p: Vec3) -> f32 {
        let toes = TOES.into_iter().fold(f32::MAX, |all, [x, z, tip_x, tip_z, radius]| {
            let toe = round_cone(
                p,
                Vec3::new(x, radius + 0.004, z),
                Vec3::new(tip_x, radius * 0.92, tip_z),
                radius * 1.02,
                radius * 0.92,
            );
            smooth_min(all, toe, 0.007)
        });
        let heel = ellipsoid(p, Vec3::new(0.120, 0.034, -0.026), Vec3::new(0.032, 0.042, 0.038));
        // The two bones of the ankle.
        let inner = ellipsoid(p, Vec3::new(0.0945, 0.091, 0.000), Vec3::new(0.010, 0.018, 0.016));
        let outer = ellipsoid(p, Vec3::new(0.1465, 0.080, -0.008), Vec3::new(0.010, 0.018, 0.014));
        let mut all = smooth_min(self.foot.distance(p), toes, 0.012);
        all = smooth_min(all, heel, 0.03);
        all = smooth_min(all, smooth_min(inner, outer, 0.01), 0.025);
        smooth_max(all, -p.y, 0.010)
    }

    /// Returns the gradient of the distance, about unit length.
    fn slope(&self, p: Vec3) -> Vec3 {
        const STEP: f32 = 4e-4;
        let along = |axis: Vec3| (self.distance(p + axis * STEP) - self.distance(p - axis * STEP)) / (2.0 * STEP);
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    }

    /// Returns the outward unit normal of the surface near `p`.
    pub fn normal(&self, p: Vec3) -> Vec3 {
        let mut slope = self.slope(p);
        if p.x == 0.0 {
            slope.x = 0.0;
        }
        slope.normalize_or(Vec3::Y)
    }

    /// Moves `p` toward the surface, in `rounds` steps of at most 4 mm each. A point in the plane x = 0 stays in the
    /// plane.
    pub fn project(&self, p: Vec3, rounds: usize) -> Vec3 {
        let mut at = p;
        for _ in 0..rounds {
            let mut slope = self.slope(at);
            if p.x == 0.0 {
                slope.x = 0.0;
            }
            let step = slope * (self.distance(at) / slope.length_squared().max(0.2));
            at -= step.clamp_length_max(0.004);
        }
        at
    }

    /// Returns the wanted length of the mesh's edges near `p`, in metres.
    pub fn edge_length(&self, p: Vec3) -> f32 {
        let hand = smooth_step(-0.03, 0.07, (p - self.hand.origin).dot(self.hand.along)) * smooth_step(0.35, 0.45, p.x);
        let foot = smooth_step(0.14, 0.02, p.y).max(0.0);
        let toes = smooth_step(0.10, 0.15, p.z) * foot;
        let head = smooth_step(1.53, 1.62, p.y);
        let face = head * smooth_step(0.05, 0.09, p.z);
        let shoulder = smooth_step(0.15, 0.08, (p - bones::SHOULDER).length());
        let mut edge = 0.0165 - 0.0035 * shoulder;
        edge += (0.0102 - edge) * head;
        edge += (0.0065 - edge) * face;
        edge += (0.0088 - edge) * foot;
        edge += (0.0054 - edge) * toes;
        edge + (0.0048 - edge) * hand
    }
}

// Positions are heights; u is x (only the left half is used), v is z.
const TORSO: [Section; 15] = [
    [0.835, 0.0, -0.010, 0.070, 0.070, 0.045, 0.050],
    [0.88, 0.0, -0.006, 0.118, 0.118, 0.078, 0.085],
    [0.93, 0.0, -0.004, 0.153, 0.153, 0.094, 0.104],
    [0.98, 0.0, -0.002, 0.164, 0.164, 0.100, 0.104],
    [1.03, 0.0, 0.002, 0.155, 0.155, 0.098, 0.092],
    [1.08, 0.0, 0.006, 0.143, 0.143, 0.092, 0.082],
    [1.13, 0.0, 0.008, 0.137, 0.137, 0.088, 0.080],
    [1.18, 0.0, 0.006, 0.139, 0.139, 0.0900, 0.086],
    [1.24, 0.0, 0.002, 0.148, 0.148, 0.0975, 0.096],
    [1.30, 0.0, -0.002, 0.159, 0.159, 0.1055, 0.106],
    [1.36, 0.0, -0.008, 0.168, 0.168, 0.110, 0.106],
    [1.41, 0.0, -0.014, 0.160, 0.160, 0.097, 0.096],
    [1.45, 0.0, -0.020, 0.134, 0.134, 0.076, 0.080],
    [1.485, 0.0, -0.026, 0.092, 0.092, 0.058, 0.062],
    [1.52, 0.0, -0.028, 0.055, 0.055, 0.050, 0.050],
];

// From shoulder to wrist; u points forward, v out and up.
const ARM: [Section; 12] = [
    [-0.01, 0.0, 0.0, 0.046, 0.046, 0.050, 0.046],
    [0.05, -0.002, 0.0, 0.053, 0.052, 0.050, 0.052],
    [0.11, -0.006, 0.0, 0.052, 0.049, 0.046, 0.050],
    [0.17, -0.011, 0.0, 0.050, 0.045, 0.042, 0.045],
    [0.23, -0.016, 0.0, 0.043, 0.040, 0.039, 0.040],
    [0.285, -0.018, 0.0, 0.037, 0.036, 0.038, 0.038],
    [0.33, -0.015, 0.0, 0.041, 0.037, 0.041, 0.040],
    [0.37, -0.012, 0.0, 0.042, 0.036, 0.039, 0.039],
    [0.43, -0.007, 0.0, 0.036, 0.032, 0.031, 0.032],
    [0.49, -0.003, 0.0, 0.029, 0.028, 0.023, 0.024],
    [0.53, -0.001, 0.0, 0.0275, 0.0275, 0.0195, 0.020],
    [0.56, 0.0, 0.0, 0.028, 0.028, 0.018, 0.018],
];

// From wrist to knuckles; u points to the thumb's side, v out of the back of the hand.
const PALM: [Section; 7] = [
    [-0.01, 0.0, 0.0, 0.026, 0.026, 0.017, 0.018],
    [0.015, 0.0, 0.0, 0.030, 0.030, 0.016, 0.018],
    [0.035, 0.0, 0.0, 0.036, 0.035, 0.015, 0.017],
    [0.060, 0.0, 0.0, 0.040, 0.038, 0.0140, 0.0145],
    [0.080, 0.0, 0.0005, 0.041, 0.0385, 0.0130, 0.0120],
    [0.096, 0.0, 0.0000, 0.0410, 0.037, 0.0110, 0.0105],
    [0.117, 0.0, -0.0015, 0.0410, 0.029, 0.0080, 0.0080],
];

// Positions are heights; u points outward, v forward.
const LEG: [Section; 19] = [
    [0.05, 0.121, -0.004, 0.030, 0.030, 0.034, 0.034],
    [0.10, 0.1215, -0.004, 0.0310, 0.0310, 0.034, 0.037],
    [0.14, 0.1215, -0.003, 0.0315, 0.0310, 0.034, 0.037],
    [0.20, 0.120, 0.000, 0.0385, 0.0365, 0.037, 0.046],
    [0.26, 0.1185, 0.003, 0.0485, 0.0455, 0.041, 0.060],
    [0.32, 0.117, 0.006, 0.0545, 0.0520, 0.044, 0.071],
    [0.37, 0.1155, 0.009, 0.0560, 0.0535, 0.045, 0.073],
    [0.42, 0.114, 0.013, 0.0535, 0.0515, 0.045, 0.065],
    [0.46, 0.1125, 0.016, 0.0510, 0.0500, 0.047, 0.057],
    [0.50, 0.111, 0.018, 0.0515, 0.0510, 0.050, 0.054],
    [0.54, 0.1095, 0.017, 0.0540, 0.0530, 0.053, 0.057],
    [0.60, 0.107, 0.014, 0.0610, 0.0580, 0.063, 0.063],
    [0.67, 0.104, 0.010, 0.0690, 0.0650, 0.073, 0.070],
    [0.74, 0.101, 0.006, 0.0755, 0.0730, 0.081, 0.077],
    [0.81, 0.098, 0.002, 0.0790, 0.0790, 0.085, 0.084],
    [0.87, 0.095, -0.002, 0.0800, 0.0800, 0.085, 0.088],
    [0.93, 0.092, -0.004, 0.0760, 0.0700, 0.080, 0.084],
    [0.98, 0.089, -0.004, 0.0660, 0.0600, 0.068, 0.072],
    [1.06, 0.082, -0.002, 0.0480, 0.0450, 0.050, 0.050],
];

// From heel to toes; u points outward, v up.
const FOOT: [Section; 9] = [
    [-0.066, 0.120, 0.030, 0.020, 0.020, 0.022, 0.036],
    [-0.040, 0.1205, 0.034, 0.029, 0.029, 0.040, 0.040],
    [-0.005, 0.1215, 0.036, 0.031, 0.031, 0.056, 0.042],
    [0.030, 0.1235, 0.034, 0.034, 0.032, 0.053, 0.040],
    [0.065, 0.1270, 0.030, 0.039, 0.035, 0.043, 0.036],
    [0.100, 0.1310, 0.024, 0.045, 0.040, 0.032, 0.030],
    [0.130, 0.1340, 0.018, 0.048, 0.043, 0.023, 0.024],
    [0.150, 0.1345, 0.015, 0.046, 0.042, 0.017, 0.020],
    [0.166, 0.1340, 0.013, 0.042, 0.040, 0.012, 0.017],
];

// The big toe first: start and end (x and z), and radius.
const TOES: [[f32; 5]; 5] = [
    [0.1090, 0.140, 0.1100, 0.1830, 0.0160],
    [0.1330, 0.145, 0.1345, 0.1850, 0.0112],
    [0.1500, 0.140, 0.1520, 0.1770, 0.0104],
    [0.1640, 0.133, 0.1665, 0.1660, 0.0098],
    [0.1755, 0.122, 0.1785, 0.1530, 0.0092],
];
