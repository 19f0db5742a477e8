//! Moves of joints by constraints, as a debugger lists them.

use glam::Vec3;

use super::constraint::Constraint;
use super::state::State;
use crate::joints::JointIndex;
use crate::stepped::{Flow, GO_ON, Watch};

/// The correction of one joint by a constraint, or its move to the second start or to the first result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The joint. 0 is the pelvis.
    pub joint: JointIndex,
    /// The constraint that moved the joint.
    pub constraint: Constraint,
    /// Displacement of the pelvis; zero for other joints. Model space.
    pub shift: Vec3,
    /// Axis times angle of the joint's rotation, in the space of its parent joint; for the pelvis in model space. Radians.
    pub turn: Vec3,
}

impl Move {
    /// Returns the angle of the rotation, radians.
    pub fn angle(&self) -> f32 {
        self.turn.length()
    }
}

/// Turns a joint by twice the arc tangent of the length of `half`, about the direction of `half` in the parent joint's
/// space, and shifts the pelvis. Does nothing if the result would not be finite.
#[inline(always)]
pub(super) fn turn_joint<W: Watch<Move>>(
    state: &mut State,
    joint: JointIndex,
    (half, shift): (Vec3, Vec3),
    constraint: Constraint,
    watch: &mut W,
) -> Flow {
    // Multiplying by the identity would round.
    if half == Vec3::ZERO && shift == Vec3::ZERO {
        return GO_ON;
    }
    let before = state.rotations[joint];
    let to = (glam::Quat::from_xyzw(half.x, half.y, half.z, 1.0) * before).normalize();
    let root = state.root + shift;
    if !to.is_finite() || !root.is_finite() {
        return GO_ON;
    }
    state.rotations[joint] = to;
    state.root = root;
    // The compiler does not remove the arc tangent by itself, which takes a seventh of a solve.
    if !W::LISTENS {
        return GO_ON;
    }
    watch.saw(Move { joint, constraint, shift, turn: angle_of(half) })
}

/// Returns axis times angle of the rotation that [`turn_joint`] applies.
pub(super) fn angle_of(half: Vec3) -> Vec3 {
    let length = half.length();
    if length > 1e-12 { half * (2.0 * length.atan() / length) } else { half * 2.0 }
}
