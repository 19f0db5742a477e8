//! Limits of joints: an elliptic cone for the direction of a bone, and a range for its twist.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault, Problem};
use crate::math::{any_orthogonal, clamp, unit, unit_or_zero};
use crate::unit::Unit;

/// The largest number of joints of a character.
pub const MAX_JOINTS: usize = 32;

/// The smallest half angle of a cone, radians.
const NARROWEST: f32 = 0.01;
/// Excesses up to this angle are rounding, radians.
const ROUNDING: f32 = 1e-4;

/// The rotations that a joint allows, relative to its parent joint: `centre · swing · twist`.
///
/// The twist turns the bone about its `axis`, the swing changes the direction of the bone. The vector part of the
/// swing's quaternion lies in an ellipse, so the cone is elliptic. A hinge is a cone with a narrow second half angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    pub(crate) centre: Quat,
    /// Direction of the bone in the joint's space; unit.
    pub(crate) axis: Vec3,
    /// First axis of the swing in the joint's space; unit, orthogonal to `axis`.
    pub(crate) side: Vec3,
    /// Half angles of the cone: rotations about `side` and about `axis × side`, radians.
    pub(crate) swing: [f32; 2],
    pub(crate) twist: [f32; 2],
    cross: Vec3,
    sines: [f32; 2],
    inverse_sines: [f32; 2],
    tangents: [f32; 2],
}

struct Split {
    /// The vector part of the swing's quaternion, along `side` and `axis × side`.
    swing: [f32; 2],
    /// Sine and cosine of half the twist's angle.
    twist: [f32; 2],
}

impl JointLimit {
    /// Creates a limit. Angles are clamped: `swing` to 0.01–π, `twist` to ±3.1. An `axis` that counts as zero becomes
    /// +Y. `side` is made orthogonal to the axis; a `side` that is parallel to the axis or zero is replaced.
    pub fn new(centre: Quat, axis: Vec3, side: Vec3, swing: [f32; 2], twist: [f32; 2]) -> Self {
        let axis = unit(axis).unwrap_or(Vec3::Y);
        let side = unit(side - axis * axis.dot(side)).unwrap_or_else(|| any_orthogonal(axis));
        let swing = swing.map(|angle| clamp(angle, NARROWEST, PI));
        let twist = twist.map(|angle| clamp(angle, -3.1, 3.1));
        let sines = swing.map(|angle| (angle * 0.5).sin());
        Self {
            centre,
            axis,
            side,
            swing,
            twist,
            cross: axis.cross(side),
            sines,
            inverse_sines: sines.map(|sine| 1.0 / sine),
            tangents: twist.map(|angle| (angle * 0.5).tan()),
        }
    }

    /// Returns the half angles of the cone about its two axes, radians.
    pub fn swing(&self) -> [f32; 2] {
        self.swing
    }

    /// Returns the smallest and the largest twist about the bone, radians.
    pub fn twist(&self) -> [f32; 2] {
        self.twist
    }

    /// Returns the rotation at which swing and twist are 0, relative to the parent joint.
    pub fn centre(&self) -> Quat {
        self.centre
    }

    /// Returns true if a rotation is within the limit by a margin. False also for some allowed rotations: those near
    /// the limit, and those near a swing by half a turn, which has no defined twist. Faster than [`Self::split`],
    /// because it scales the bounds instead of normalizing swing and twist.
    #[inline]
    fn is_well_within(&self, rotation: Quat) -> bool {
        /// A margin above rounding: of the squared swing relative to its range, and of the tangent of half the
        /// twist's angle.
        const MARGIN: f32 = 1e-4;
        let own = self.centre.conjugate() * rotation;
        let own = if own.w < 0.0 { -own } else { own };
        let vector = own.xyz();
        let [along, side, cross] = [vector.dot(self.axis), vector.dot(self.side), vector.dot(self.cross)];
        let square = along * along + own.w * own.w;
        let first = (side * own.w - cross * along) * self.inverse_sines[0];
        let second = (cross * own.w + side * along) * self.inverse_sines[1];
        let [least, most] = self.tangents;
        let margin = MARGIN * own.w;
        square > 1e-6
            && first * first + second * second <= square * (1.0 - MARGIN)
            && along >= least * own.w + margin
            && along <= most * own.w - margin
    }

    #[inline]
    fn split(&self, rotation: Quat) -> Split {
        let own = self.centre.conjugate() * rotation;
        let own = if own.w < 0.0 { -own } else { own };
        let vector = own.xyz();
        let along = vector.dot(self.axis);
        let length = (along * along + own.w * own.w).sqrt();
        // A swing by half a turn has no defined twist.
        let [sine, cosine] = if length > 1e-6 { [along / length, own.w / length] } else { [0.0, 1.0] };
        let flat = vector - self.axis * along;
        let swing = flat * cosine - flat.cross(self.axis) * sine;
        Split { swing: [swing.dot(self.side), swing.dot(self.cross)], twist: [sine, cosine] }
    }

    /// Returns the rotation's swing about the two axes of the cone, each as the angle of a rotation about that axis alone,
    /// and its twist, radians.
    pub(super) fn angles(&self, rotation: Quat) -> ([f32; 2], f32) {
        let Split { swing, twist: [sine, cosine] } = self.split(rotation);
        (swing.map(|part| 2.0 * clamp(part, -1.0, 1.0).asin()), 2.0 * sine.atan2(cosine))
    }

    fn join(&self, split: &Split) -> Quat {
        let [a, b] = split.swing;
        let vector = self.side * a + self.cross * b;
        let swing = Quat::from_vec4(vector.extend((1.0 - vector.length_squared()).max(0.0).sqrt()));
        let twist = Quat::from_vec4((self.axis * split.twist[0]).extend(split.twist[1]));
        (self.centre * swing * twist).normalize()
    }

    #[inline]
    fn is_in_cone(&self, [a, b]: [f32; 2]) -> bool {
        let [a, b] = [a / self.sines[0], b / self.sines[1]];
        a * a + b * b <= 1.0
    }

    /// Returns the nearest allowed rotation: the nearest swing in the cone, and the twist, −π to π, clamped to its
    /// range. Returns a rotation within the limit unchanged. Rotations are relative to the parent joint.
    #[inline]
    pub fn clamp(&self, rotation: Quat) -> Quat {
        if self.is_well_within(rotation) { rotation } else { self.brought_back(rotation) }
    }

    /// Clamps a rotation without the fast test [`Self::is_well_within`].
    fn brought_back(&self, rotation: Quat) -> Quat {
        let mut split = self.split(rotation);
        let is_swung = !self.is_in_cone(split.swing);
        let [sine, cosine] = split.twist;
        let is_twisted = sine < self.tangents[0] * cosine || sine > self.tangents[1] * cosine;
        if !is_swung && !is_twisted {
            return rotation;
        }
        if is_swung {
            split.swing = nearest_on_ellipse(split.swing, self.sines);
        }
        if is_twisted {
            let angle = if sine < self.tangents[0] * cosine { self.twist[0] } else { self.twist[1] } * 0.5;
            split.twist = [angle.sin(), angle.cos()];
        }
        let clamped = self.join(&split);
        if clamped.is_finite() { clamped } else { rotation }
    }

    /// Returns the shortest rotation from `rotation` to the result of [`Self::clamp`]: axis in the parent joint's
    /// space, and angle in radians. `None` within the limit, and for an angle up to 0.0001, which is rounding.
    #[inline]
    pub fn excess(&self, rotation: Quat) -> Option<(Vec3, f32)> {
        if self.is_well_within(rotation) {
            return None;
        }
        let clamped = self.brought_back(rotation);
        if clamped == rotation {
            return None;
        }
        let back = clamped * rotation.conjugate();
        let vector = if back.w < 0.0 { -back.xyz() } else { back.xyz() };
        let angle = 2.0 * vector.length().atan2(back.w.abs());
        (angle > ROUNDING).then(|| (unit_or_zero(vector), angle))
    }
}

/// Approximates the point of an ellipse nearest to a point outside it, by four steps that follow the ellipse's
/// curvature.
fn nearest_on_ellipse([x, y]: [f32; 2], [a, b]: [f32; 2]) -> [f32; 2] {
    // No square overflows here, so the slower `f32::hypot` is not needed.
    let length = |x: f32, y: f32| (x * x + y * y).sqrt();
    let (px, py) = (x.abs(), y.abs());
    let (mut tx, mut ty) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);
    for _ in 0..4 {
        let (ex, ey) = ((a * a - b * b) * tx * tx * tx / a, (b * b - a * a) * ty * ty * ty / b);
        let (rx, ry) = (a * tx - ex, b * ty - ey);
        let (qx, qy) = (px - ex, py - ey);
        let ratio = (length(rx, ry) / length(qx, qy).max(1e-9)).min(1e9);
        tx = clamp((qx * ratio + ex) / a, 0.0, 1.0);
        ty = clamp((qy * ratio + ey) / b, 0.0, 1.0);
        let own = length(tx, ty).max(1e-9);
        (tx, ty) = (tx / own, ty / own);
    }
    [(a * tx).copysign(x), (b * ty).copysign(y)]
}

/// The limits of all joints of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimits {
    /// The limit of each joint; `None` for a joint without one, such as the pelvis.
    pub of: [Option<JointLimit>; MAX_JOINTS],
}

impl Default for JointLimits {
    fn default() -> Self {
        Self { of: [None; MAX_JOINTS] }
    }
}

impl JointLimits {
    /// Returns the limit of a joint; `None` if it has none.
    #[inline]
    pub fn get(&self, joint: usize) -> Option<&JointLimit> {
        self.of.get(joint)?.as_ref()
    }

    /// Returns the allowed rotation nearest to a joint's rotation, see [`JointLimit::clamp`]. Returns `rotation`
    /// unchanged for a joint without a limit.
    pub fn clamp(&self, joint: usize, rotation: Quat) -> Quat {
        self.get(joint).map_or(rotation, |limit| limit.clamp(rotation))
    }

    /// Returns the angle by which a joint's rotation exceeds its limit, radians; 0 within, and for a joint without a
    /// limit.
    pub fn violation(&self, joint: usize, rotation: Quat) -> f32 {
        self.get(joint).and_then(|limit| limit.excess(rotation)).map_or(0.0, |(_, angle)| angle)
    }
}

/// The range of one joint's rotations: swing within a cone, and twist between two angles, both relative to `centre`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRange {
    /// The rotation at which swing and twist are 0, relative to the parent joint; unit. In computed ranges, close to
    /// the mean of the rotations.
    pub centre: Quat,
    /// Half angles of the cone about the two axes of the joint's own limit, radians.
    pub swing: [f32; 2],
    /// Smallest and largest twist about the bone, radians.
    pub twist: [f32; 2],
}

/// The ranges that the clips of a character use, by joint; `None` for a joint without a limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JointRanges {
    /// The range of each joint, in the order of [`Joints::all`](super::Joints::all).
    pub of: Vec<Option<JointRange>>,
}

impl JointRanges {
    /// Checks ranges from a file.
    ///
    /// # Errors
    /// [`Fault`] for more than [`MAX_JOINTS`] ranges, for a rotation whose length is not about 1, and for an angle
    /// outside ±π.
    pub fn check(&self) -> Result<(), Fault> {
        if self.of.len() > MAX_JOINTS {
            let problem = Problem::TooMany { what: "joints", found: self.of.len(), most: MAX_JOINTS };
            return Err(Fault::new("", problem));
        }
        for (joint, range) in self.of.iter().enumerate() {
            let Some(range) = range else { continue };
            BadValue::check_rotation(range.centre).map_err(|bad| bad.at(format!("[{joint}].centre")))?;
            for (key, value) in [("swing", range.swing), ("twist", range.twist)] {
                for number in value {
                    BadValue::check_range(number, &(-PI..=PI), Unit::Radians)
                        .map_err(|bad| bad.at(format!("[{joint}].{key}")))?;
                }
            }
        }
        Ok(())
    }
}
