//! Constraints on angles: target rotations, bend goals and the rest pose.

use glam::{Quat, Vec3};

use super::body::PositionBased;
use super::constraint::Constraint;
use super::frame::Frame;
use super::moves::{Move, turn_joint};
use super::position::{Placed, Sum, limit_turns};
use super::state::State;
use crate::joints::MAX_JOINTS;
use crate::math::{clamp, unit};
use crate::names::Effector;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// Corrections below this angle, in radians, count as rounding.
pub(super) const LEAST_TURN: f32 = 1e-6;
/// The largest rotation of a limb about the line from its root to its end by one correction, radians.
const LARGEST_ROLL: f32 = 1.5;
/// A bend goal has no effect if one of two numbers is below this: the distance of elbow or knee from the line between
/// the limb's root and end, as a fraction of the first bone; or the sine of the angle between that line and the
/// direction to the goal.
const STRAIGHT: f32 = 1e-3;

/// Returns axis times angle of a rotation, up to half a turn; radians.
#[inline(always)]
pub(super) fn vector_of(rotation: Quat) -> Vec3 {
    let vector = rotation.xyz();
    let vector = if rotation.w < 0.0 { -vector } else { vector };
    let square = vector.length_squared();
    if square < 0.0625 {
        // The series of the arc sine over the sine, up to 29° exact to rounding. Most turns are smaller, and the arc tangent
        // takes several times as long.
        return vector
            * (2.0 + square * (1.0 / 3.0 + square * (0.15 + square * (5.0 / 56.0 + square * (35.0 / 576.0)))));
    }
    let sine = square.sqrt();
    vector * (2.0 * sine.atan2(rotation.w.abs()) / sine)
}

/// The correction that a target rotation asks for.
pub(super) struct Twist {
    pub placed: Placed,
    /// Index of the first turned joint in the path.
    pub first: usize,
    pub delta: Vec3,
    /// Rotation of each joint of the path, axis times radians in model space.
    pub turns: [Vec3; MAX_JOINTS],
}

impl Twist {
    pub const EMPTY: Self =
        Self { placed: Placed::EMPTY, first: 0, delta: Vec3::ZERO, turns: [Vec3::ZERO; MAX_JOINTS] };
}

/// Computes the correction that a target rotation asks for, into `twist`, which must be empty. Returns the residual in
/// radians, and whether there is a correction. The residual is the angle from the effector's joint to the target
/// rotation, less the multiplier times the compliance; 0 below [`LEAST_TURN`] and for NaN. There is no correction in
/// these two cases, and if the correction would not be finite.
#[inline(always)]
pub(super) fn twist(
    solver: &PositionBased,
    frame: &Frame,
    state: &State,
    effector: Effector,
    twist: &mut Twist,
) -> (f32, bool) {
    let index = effector as usize;
    let path = solver.path(effector);
    let joints = path.joints();
    let last = joints.len() - 1;
    let Twist { placed, first, delta, turns } = twist;
    placed.follow(path, frame, state);
    let gap = vector_of(frame.aim_rotations[index] * placed.rotations[last].conjugate());
    // Only the limb's three joints turn a hand or foot; all joints from the pelvis on turn the joints of other effectors.
    *first = if effector.limb().is_some() { last.saturating_sub(2) } else { 0 };
    let goal = &frame.goals.effectors[index];
    let mut sum = Sum::default();
    for at in *first..=last {
        let joint = usize::from(joints[at]);
        let weight = frame.mobility_for(solver, joint, goal.pull);
        sum.add_scalar(weight);
        // `turns` holds the axes that limits block until the turns replace them.
        let outward = placed.above(at) * state.outward[joint];
        if gap.dot(outward) > 0.0 {
            turns[at] = outward;
            sum.add_outer(-weight, outward);
        }
    }
    let compliance = frame.compliance(frame.settings.rotation_compliance, goal.rotation_weight) * sum.along(gap);
    sum.add_scalar(compliance + 1e-6 * sum.trace());
    let right = gap - state.turns[index] * compliance;
    let residual = right.length();
    if residual.is_nan() || residual < LEAST_TURN {
        return (0.0, false);
    }
    let Some(solved) = sum.solve(right) else { return (residual, false) };
    *delta = solved;
    let mut largest: f32 = 0.0;
    for at in *first..=last {
        let turn = solved * frame.mobility_for(solver, usize::from(joints[at]), goal.pull);
        let blocked = turns[at];
        turns[at] = turn - blocked * blocked.dot(turn);
        largest = largest.max(turns[at].length_squared());
    }
    limit_turns(largest, delta, &mut turns[*first..=last]);
    (residual, true)
}

#[inline(never)]
pub(super) fn to_rotation(
    solver: &PositionBased,
    frame: &Frame,
    state: &mut State,
    effector: Effector,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let mut correction = Twist::EMPTY;
    let (angle, is_corrected) = twist(solver, frame, state, effector, &mut correction);
    state.worst_angle = state.worst_angle.max(angle);
    if !is_corrected {
        return GO_ON;
    }
    state.turns[effector as usize] += correction.delta;
    for (at, &joint) in solver.path(effector).joints().iter().enumerate().skip(correction.first) {
        let half = correction.placed.above(at).conjugate() * (correction.turns[at] * 0.5);
        turn_joint(state, usize::from(joint), (half, Vec3::ZERO), Constraint::Rotation(effector), watch)?;
    }
    GO_ON
}

/// The correction that a bend goal asks for.
pub(super) struct Roll {
    /// The limb's first joint.
    pub joint: usize,
    /// The rotation of the parent of `joint`, model space.
    pub above: Quat,
    /// The line from the limb's root to its end; unit, model space.
    pub axis: Vec3,
    /// The vector from the line to elbow or knee, and the direction to the goal without its part along the line (not unit);
    /// model space.
    pub now: Vec3,
    pub wanted: Vec3,
    /// `1 / (1 + compliance)`, 0 to 1: the share of the angle that a first correction turns by.
    pub stiffness: f32,
    /// The rotation about the axis, radians.
    pub turn: f32,
}

/// Returns the rotation of a limb about the line from its root to its end, toward its bend goal or direction. `None`
/// without either or without a weight, for a straight limb, for a limb whose root and end coincide or that has fewer
/// than three joints, for a goal along the line, and if the rotation is not finite.
pub(super) fn roll(solver: &PositionBased, frame: &Frame, state: &State, limb: LimbName) -> Option<Roll> {
    let path = solver.path(Effector::END[limb.index()]);
    let joints = path.joints();
    let last = joints.len().checked_sub(1).filter(|&last| last >= 2)?;
    let mut placed = Placed::EMPTY;
    placed.follow(path, frame, state);
    let [a, b, c] = [last - 2, last - 1, last].map(|at| placed.positions[at]);
    let axis = unit(c - a)?;
    let bend = &frame.goals.bends[limb.index()];
    let flat = |v: Vec3| v - axis * axis.dot(v);
    let (now, wanted) = (flat(b - a), flat(bend.direction(a)?));
    if now.length() < STRAIGHT * (b - a).length() || wanted.length() < STRAIGHT {
        return None;
    }
    let angle = axis.dot(now.cross(wanted)).atan2(now.dot(wanted));
    // Without bend compliance, the limb turns by the share w of the angle at weight w, as in the full body.
    let compliance = frame.settings.bend_compliance + 1.0 / bend.weight.max(1e-6) - 1.0;
    let stiffness = 1.0 / (1.0 + compliance);
    let turn = stiffness * angle - (1.0 - stiffness) * state.bends[limb.index()];
    let turn = clamp(turn, -LARGEST_ROLL, LARGEST_ROLL);
    let joint = usize::from(joints[last - 2]);
    turn.is_finite().then_some(Roll { joint, above: placed.above(last - 2), axis, now, wanted, stiffness, turn })
}

#[inline(never)]
pub(super) fn to_bend_goal(
    solver: &PositionBased,
    frame: &Frame,
    state: &mut State,
    limb: LimbName,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let Some(roll) = roll(solver, frame, state, limb).filter(|roll| roll.turn.abs() > LEAST_TURN) else { return GO_ON };
    state.worst_angle = state.worst_angle.max(roll.turn.abs());
    state.bends[limb.index()] += roll.turn;
    let half = roll.above.conjugate() * (roll.axis * (roll.turn * 0.5).tan());
    turn_joint(state, roll.joint, (half, Vec3::ZERO), Constraint::Bend(limb), watch)
}

/// Returns the rotation of a joint toward the animated pose, axis times radians in the parent joint's space.
#[inline(always)]
pub(super) fn rest_turn(frame: &Frame, state: &State, joint: usize) -> Vec3 {
    let stiffness = frame.settings.rest_stiffness;
    let gap = vector_of(frame.animated.rotations[joint] * state.rotations[joint].conjugate());
    gap * stiffness - state.rest[joint] * (1.0 - stiffness)
}

#[inline(never)]
pub(super) fn to_rest(solver: &PositionBased, frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for joint in 0..solver.joints().len().min(MAX_JOINTS) {
        if !frame.is_moved[joint] {
            continue;
        }
        let turn = rest_turn(frame, state, joint);
        if turn.length_squared() > LEAST_TURN * LEAST_TURN {
            state.rest[joint] += turn;
            turn_joint(state, joint, (turn * 0.5, Vec3::ZERO), Constraint::Rest, watch)?;
        }
    }
    GO_ON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vector_of_a_rotation_is_axis_times_angle() {
        let axis = Vec3::new(0.6, -0.48, 0.64);
        for step in 0..=3000 {
            let angle = step as f32 * 1e-3;
            for rotation in [Quat::from_axis_angle(axis, angle), -Quat::from_axis_angle(axis, angle)] {
                let error = vector_of(rotation).distance(axis * angle);
                assert!(error <= 5e-7 * angle.max(1e-3), "{angle} rad: off by {error}");
            }
        }
    }
}
