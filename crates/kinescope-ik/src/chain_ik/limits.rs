//! Limits of a joint: hinge, ball and socket, angle. Source: *Animation programming notes*, chapter 13, with its
//! appended sources.
//!
//! A limit applies to a bone's rotation from rest, in the space that the bone has at rest: `rest⁻¹ · local`. In that
//! space the bone lies along its `axis`. Rotations are split into twist, about the bone or the hinge's axis, and swing,
//! of that axis. Both are computed from quaternions, without Euler angles.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::math::{ZERO_LENGTH, clamp, length, swing_angle, unit};
use crate::parameter::Unit;

/// How far a bone may rotate from its rest rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Limit {
    /// No limit.
    #[default]
    Free,
    /// Rotation about one axis. The range may exceed ±π: turns are counted, so a range of 3π stops after one and a half
    /// turns.
    Hinge {
        /// Axis in the bone's space at rest; any length but 0.
        axis: Vec3,
        /// The smallest angle about the axis, radians.
        min: f32,
        /// The largest angle about the axis, radians.
        max: f32,
    },
    /// The bone stays in a cone about its rest direction, and its twist stays in a range.
    BallAndSocket {
        /// Half the cone's opening, 0 to π radians.
        swing: f32,
        /// The smallest twist, −π to π radians.
        twist_min: f32,
        /// The largest twist, −π to π radians.
        twist_max: f32,
    },
    /// The angle of the whole rotation, about any axis, is limited.
    Angle {
        /// The largest angle, 0 to π radians.
        max: f32,
    },
}

/// Result of applying a limit to a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limited {
    /// The allowed rotation, in the space that the bone has at rest.
    pub rotation: Quat,
    /// A hinge's angle including whole turns, radians; else 0.
    pub turn: f32,
    /// Angle by which the limit changed the rotation, radians: for a hinge or a ball and socket, the larger of the
    /// changes of swing and twist. 0 for a change of at most [`LIMIT_TOLERANCE`].
    pub excess: f32,
}

/// Largest angle of a hinge in either direction: a thousand turns, radians.
pub const MAX_TURNS: f32 = 1000.0 * TAU;
/// Largest excess that counts as rounding, radians: [`Limited::excess`] is then 0.
pub const LIMIT_TOLERANCE: f32 = 1e-4;

impl Limit {
    /// Returns the key in files.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Hinge { .. } => "hinge",
            Self::BallAndSocket { .. } => "ball_and_socket",
            Self::Angle { .. } => "angle",
        }
    }

    /// Checks that the limit is valid.
    ///
    /// # Errors
    /// [`Fault`] with the field, for a number that is not finite or out of its range, a hinge axis of length 0, or a
    /// minimum above its maximum.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within(self.key()))
    }

    fn check(&self) -> Result<(), Fault> {
        let within = |field: &str, value: f32, least: f32, most: f32| {
            BadValue::check_range(value, &(least..=most), Unit::Radians).map_err(|bad| bad.at(field))
        };
        let ordered = |low: (&str, f32), high: (&str, f32)| match low.1 <= high.1 {
            true => Ok(()),
            false => Err(Fault::new(low.0, format!("is {}, above {} {}; swap the two", low.1, high.0, high.1))),
        };
        match *self {
            Self::Free => Ok(()),
            Self::Hinge { axis, min, max } => {
                BadValue::check_direction(axis).map_err(|bad| bad.at("axis"))?;
                within("min", min, -MAX_TURNS, MAX_TURNS)?;
                within("max", max, -MAX_TURNS, MAX_TURNS)?;
                ordered(("min", min), ("max", max))
            }
            Self::BallAndSocket { swing, twist_min, twist_max } => {
                within("swing", swing, 0.0, PI)?;
                within("twist_min", twist_min, -PI, PI)?;
                within("twist_max", twist_max, -PI, PI)?;
                ordered(("twist_min", twist_min), ("twist_max", twist_max))
            }
            Self::Angle { max } => within("max", max, 0.0, PI),
        }
    }

    /// Returns `rotation`, changed as little as the limit requires. A hinge clamps the counted angle and removes any
    /// swing of its axis; ball and socket clamp swing and twist, each by itself, a twist to the end of its range that is
    /// nearer on the circle; an angle limit shortens the rotation about its axis.
    ///
    /// `rotation` and the result are `rest⁻¹ · local`; `axis` is the bone's unit direction in the same space.
    /// `previous_turn` is the hinge's angle before. The new angle is at most half a turn from it, before the range is
    /// applied.
    ///
    /// Never panics. For limits that [`Self::validate`] refuses and for numbers that are not finite, the rotation is
    /// arbitrary.
    pub fn apply(&self, rotation: Quat, axis: Vec3, previous_turn: f32) -> Limited {
        match *self {
            Self::Free => Limited { rotation, turn: 0.0, excess: 0.0 },
            Self::Hinge { axis: hinge, min, max } => {
                let hinge = unit(hinge).unwrap_or(Vec3::X);
                let (swing, twist) = swing_twist(rotation, hinge);
                let turn = previous_turn + wrap(twist - previous_turn);
                let allowed = clamp(turn, min, max);
                let tilt = swing_angle(swing);
                let excess = tilt.max((turn - allowed).abs());
                if excess <= LIMIT_TOLERANCE && turn == allowed && tilt <= f32::EPSILON {
                    return Limited { rotation, turn, excess: 0.0 };
                }
                let excess = if excess > LIMIT_TOLERANCE { excess } else { 0.0 };
                Limited { rotation: Quat::from_axis_angle(hinge, allowed), turn: allowed, excess }
            }
            Self::BallAndSocket { swing: widest, twist_min, twist_max } => {
                let (swing, twist) = swing_twist(rotation, axis);
                let angle = swing_angle(swing);
                let (allowed, off) = nearest(twist, twist_min, twist_max);
                let excess = (angle - widest).max(off);
                if excess <= 0.0 {
                    return Limited { rotation, turn: 0.0, excess: 0.0 };
                }
                let swing = if angle > widest { shortened(swing, widest) } else { swing };
                let rotation = (swing * Quat::from_axis_angle(axis, allowed)).normalize();
                Limited { rotation, turn: 0.0, excess: if excess > LIMIT_TOLERANCE { excess } else { 0.0 } }
            }
            Self::Angle { max } => {
                let angle = swing_angle(rotation);
                if angle <= max {
                    return Limited { rotation, turn: 0.0, excess: 0.0 };
                }
                let excess = if angle - max > LIMIT_TOLERANCE { angle - max } else { 0.0 };
                Limited { rotation: shortened(rotation, max), turn: 0.0, excess }
            }
        }
    }

    /// Returns the angle by which a rotation exceeds the limit, radians; 0 within. `turn` is a hinge's counted angle; a
    /// rotation that disagrees with it also exceeds the limit.
    pub fn violation(&self, rotation: Quat, axis: Vec3, turn: f32) -> f32 {
        match *self {
            Self::Free => 0.0,
            Self::Hinge { axis: hinge, min, max } => {
                let (swing, twist) = swing_twist(rotation, unit(hinge).unwrap_or(Vec3::X));
                let off = wrap(twist - turn).abs();
                swing_angle(swing).max((turn - clamp(turn, min, max)).abs()).max(off)
            }
            Self::BallAndSocket { swing: widest, twist_min, twist_max } => {
                let (swing, twist) = swing_twist(rotation, axis);
                // At a swing of half a turn the twist is arbitrary.
                let is_half = swing_angle(swing) > PI - 1e-3;
                let twist_off = if is_half { 0.0 } else { nearest(twist, twist_min, twist_max).1 };
                (swing_angle(swing) - widest).max(twist_off).max(0.0)
            }
            Self::Angle { max } => (swing_angle(rotation) - max).max(0.0),
        }
    }

    /// Returns a hinge's angle at `rotation`, nearest to 0, radians; 0 for other limits.
    pub fn turn_of(&self, rotation: Quat) -> f32 {
        match *self {
            Self::Hinge { axis, .. } => swing_twist(rotation, unit(axis).unwrap_or(Vec3::X)).1,
            _ => 0.0,
        }
    }
}

/// Returns the angle of a range that is nearest on the circle, and its distance; radians. Past ±π, that may be the end
/// with the other sign.
pub(super) fn nearest(angle: f32, min: f32, max: f32) -> (f32, f32) {
    if (min..=max).contains(&angle) {
        return (angle, 0.0);
    }
    let [to_min, to_max] = [min, max].map(|end| wrap(angle - end).abs());
    if to_min < to_max || (to_min == to_max && angle < min) { (min, to_min) } else { (max, to_max) }
}

/// Splits a rotation into `swing · twist`: the twist rotates about `axis` (unit); the swing is the shortest rotation of
/// the axis. Returns the swing and the twist's angle, −π to π.
///
/// A rotation that reverses the axis has no defined twist; it counts as 0.
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, f32) {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let along = Vec3::new(rotation.x, rotation.y, rotation.z).dot(axis);
    if along.hypot(rotation.w) < 1e-6 {
        return (rotation, 0.0);
    }
    let angle = 2.0 * along.atan2(rotation.w);
    let twist = Quat::from_axis_angle(axis, angle);
    ((rotation * twist.conjugate()).normalize(), angle)
}

/// Returns the rotation about the same axis by another angle, radians; the identity for a rotation without an axis.
fn shortened(rotation: Quat, angle: f32) -> Quat {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z) * sign;
    match unit(axis) {
        Some(axis) if length(axis) > ZERO_LENGTH => Quat::from_axis_angle(axis, angle),
        _ => Quat::IDENTITY,
    }
}

/// Returns the angle wrapped to −π…π; 0 for an angle that is not finite.
pub fn wrap(angle: f32) -> f32 {
    let wrapped = (angle + PI).rem_euclid(TAU) - PI;
    if wrapped.is_finite() { wrapped } else { 0.0 }
}
