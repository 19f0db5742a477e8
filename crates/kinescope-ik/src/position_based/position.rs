//! Constraints on positions: targets, and the lengths of limbs.

use glam::{Mat3, Quat, Vec3};

use super::body::PositionBased;
use super::constraint::Constraint;
use super::frame::Frame;
use super::moves::{Move, turn_joint};
use super::state::State;
use crate::joints::{MAX_JOINTS, Path};
use crate::math::{clamp, length, unit};
use crate::names::Effector;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// The largest rotation of a joint by one correction, radians. The linearization of a larger one overshoots.
const LARGEST_TURN: f32 = 0.6;
/// The largest rotation of elbow or knee by a correction of a limb's length, radians.
pub(super) const LARGEST_BEND: f32 = 1.5;
/// The longest span of a limb as a fraction of its length: at 1 the law of cosines gives a straight limb, which no later
/// correction bends.
const LONGEST: f32 = 0.9995;
/// A limb bent by more than this sine (3°) bends in its own plane, a straighter one about the axis of its middle
/// joint's anatomical limit, if there is one.
const BENT: f32 = 0.05;

/// Positions and rotations of the joints along a path, the pelvis first.
pub(super) struct Placed {
    pub positions: [Vec3; MAX_JOINTS],
    pub rotations: [Quat; MAX_JOINTS],
}

impl Placed {
    /// No joints, before [`Self::follow`]. All bytes are zero, which is the fastest to write.
    pub const EMPTY: Self =
        Self { positions: [Vec3::ZERO; MAX_JOINTS], rotations: [Quat::from_xyzw(0.0, 0.0, 0.0, 0.0); MAX_JOINTS] };

    /// Computes the joints along a path. Fills a place of the caller, because the compiler would copy a returned one.
    #[inline(always)]
    pub fn follow(&mut self, path: &Path, frame: &Frame, state: &State) {
        self.positions[0] = state.root;
        self.rotations[0] = state.rotations[0];
        for (index, &joint) in path.joints().iter().enumerate().skip(1) {
            let (joint, above) = (usize::from(joint), self.rotations[index - 1]);
            self.rotations[index] = above * state.rotations[joint];
            self.positions[index] = self.positions[index - 1] + above * frame.animated.offsets[joint];
        }
    }

    /// Returns the rotation of the parent of a path's joint; the identity for the pelvis.
    #[inline(always)]
    pub fn above(&self, index: usize) -> Quat {
        if index == 0 { Quat::IDENTITY } else { self.rotations[index - 1] }
    }
}

/// A symmetric 3 × 3 matrix to which terms are added.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    diagonal: Vec3,
    /// The entries yz, zx, xy.
    others: Vec3,
}

impl Sum {
    #[inline(always)]
    pub fn add_scalar(&mut self, scalar: f32) {
        self.diagonal += Vec3::splat(scalar);
    }

    /// Adds `factor · v vᵀ`.
    #[inline(always)]
    pub fn add_outer(&mut self, factor: f32, v: Vec3) {
        let scaled = v * factor;
        self.diagonal += scaled * v;
        self.others += Vec3::new(scaled.y * v.z, scaled.z * v.x, scaled.x * v.y);
    }

    pub fn trace(&self) -> f32 {
        self.diagonal.element_sum()
    }

    /// Returns the entry along a vector: `v·(self · v) / |v|²`; 0 for a zero vector.
    pub fn along(&self, v: Vec3) -> f32 {
        let mixed = Vec3::new(v.y * v.z, v.z * v.x, v.x * v.y);
        let squared = v.length_squared();
        if squared > 0.0 { (self.diagonal.dot(v * v) + 2.0 * self.others.dot(mixed)) / squared } else { 0.0 }
    }

    /// Returns the solution `x` of `self · x = right`; `None` if it is not finite.
    #[inline(always)]
    pub fn solve(&self, right: Vec3) -> Option<Vec3> {
        let (d, o) = (self.diagonal, self.others);
        let matrix = Mat3::from_cols(Vec3::new(d.x, o.z, o.y), Vec3::new(o.z, d.y, o.x), Vec3::new(o.y, o.x, d.z));
        // The columns of the adjugate of a symmetric matrix are the cross products of its columns.
        let (a, b, c) = (
            matrix.y_axis.cross(matrix.z_axis),
            matrix.z_axis.cross(matrix.x_axis),
            matrix.x_axis.cross(matrix.y_axis),
        );
        let solved = (a * right.x + b * right.y + c * right.z) / matrix.x_axis.dot(a);
        solved.is_finite().then_some(solved)
    }
}

/// The correction that a target position asks for.
pub(super) struct Pull {
    pub placed: Placed,
    pub delta: Vec3,
    /// Rotation of each joint of the path, axis times radians in model space.
    pub turns: [Vec3; MAX_JOINTS],
    pub shift: Vec3,
}

impl Pull {
    pub const EMPTY: Self =
        Self { placed: Placed::EMPTY, delta: Vec3::ZERO, turns: [Vec3::ZERO; MAX_JOINTS], shift: Vec3::ZERO };
}

/// Computes the correction that a target position asks for, into `pull`, which must be empty. Returns the residual in
/// model units, and whether there is a correction. The residual is the distance from the effector's joint to the
/// target; with a compliance, the vector to the target is first reduced by the multiplier times the compliance. There
/// is no correction if the residual is within the tolerance or NaN, and if the correction would not be finite.
#[inline(always)]
pub(super) fn pull(
    solver: &PositionBased,
    frame: &Frame,
    state: &State,
    effector: Effector,
    pull: &mut Pull,
) -> (f32, bool) {
    let index = effector as usize;
    let path = solver.path(effector);
    let joints = path.joints();
    let last = joints.len() - 1;
    let Pull { placed, delta, turns, shift } = pull;
    placed.follow(path, frame, state);
    let end = placed.positions[last];
    let gap = frame.aims[index] - end;
    let error = length(gap);
    let goal = &frame.goals.effectors[index];
    let compliance = frame.compliance(frame.settings.position_compliance, goal.weight);
    if error.is_nan() || (error <= frame.tolerance && compliance <= 0.0) {
        return (error, false);
    }
    let root = frame.root * goal.pull;
    let mut sum = Sum::default();
    sum.add_scalar(root);
    for (at, &joint) in joints[..last].iter().enumerate() {
        let joint = usize::from(joint);
        let weight = frame.mobility_for(solver, joint, goal.pull);
        let arm = end - placed.positions[at];
        sum.add_scalar(weight * arm.length_squared());
        sum.add_outer(-weight, arm);
        // A joint at its limit does not turn further out. `turns` holds the blocked axes until the turns replace them.
        let outward = state.outward[joint];
        if outward != Vec3::ZERO {
            let outward = placed.above(at) * outward;
            if arm.cross(gap).dot(outward) > 0.0 {
                turns[at] = outward;
                sum.add_outer(-weight, outward.cross(arm));
            }
        }
    }
    let compliance = compliance * sum.along(gap);
    sum.add_scalar(compliance + 1e-6 * sum.trace());
    let right = gap - state.positions[index] * compliance;
    let residual = if compliance > 0.0 { length(right) } else { error };
    if residual <= frame.tolerance {
        return (residual, false);
    }
    let Some(solved) = sum.solve(right * frame.settings.over_relaxation) else { return (residual, false) };
    *delta = solved;
    let mut largest: f32 = 0.0;
    for (at, &joint) in joints[..last].iter().enumerate() {
        let weight = frame.mobility_for(solver, usize::from(joint), goal.pull);
        let turn = (end - placed.positions[at]).cross(solved) * weight;
        let blocked = turns[at];
        turns[at] = turn - blocked * blocked.dot(turn);
        largest = largest.max(turns[at].length_squared());
    }
    limit_turns(largest, delta, &mut turns[..last]);
    *shift = *delta * root;
    (residual, true)
}

/// Scales a correction down so that no joint turns by more than [`LARGEST_TURN`]. `largest` is the square of its largest turn.
#[inline(always)]
pub(super) fn limit_turns(largest: f32, delta: &mut Vec3, turns: &mut [Vec3]) {
    if largest > LARGEST_TURN * LARGEST_TURN {
        let scale = LARGEST_TURN / largest.sqrt();
        *delta *= scale;
        turns.iter_mut().for_each(|turn| *turn *= scale);
    }
}

pub(super) fn distance(solver: &PositionBased, frame: &Frame, state: &State, effector: Effector) -> f32 {
    let path = solver.path(effector);
    let mut placed = Placed::EMPTY;
    placed.follow(path, frame, state);
    length(frame.aims[effector as usize] - placed.positions[path.joints().len() - 1])
}

/// Returns the largest distance from a joint to its target; model units. 0 without target positions.
pub(super) fn worst(solver: &PositionBased, frame: &Frame, state: &State) -> f32 {
    let each = frame.constraints().iter().map(|&constraint| match constraint {
        Constraint::Position(effector) => distance(solver, frame, state, effector),
        _ => 0.0,
    });
    each.fold(0.0, f32::max)
}

#[inline(never)]
pub(super) fn to_target(
    solver: &PositionBased,
    frame: &Frame,
    state: &mut State,
    effector: Effector,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let mut correction = Pull::EMPTY;
    let (error, is_corrected) = pull(solver, frame, state, effector, &mut correction);
    state.worst = state.worst.max(error);
    if !is_corrected {
        return GO_ON;
    }
    state.positions[effector as usize] += correction.delta;
    let constraint = Constraint::Position(effector);
    let joints = solver.path(effector).joints();
    for (at, &joint) in joints[..joints.len().saturating_sub(1).max(1)].iter().enumerate() {
        let half = correction.placed.above(at).conjugate() * (correction.turns[at] * 0.5);
        let shift = if at == 0 { correction.shift } else { Vec3::ZERO };
        turn_joint(state, usize::from(joint), (half, shift), constraint, watch)?;
    }
    GO_ON
}

/// The rotation of elbow or knee that makes a limb's ends as far apart as its root and its target.
pub(super) struct Fold {
    /// Elbow or knee.
    pub joint: usize,
    /// Axis of elbow or knee; model space.
    pub axis: Vec3,
    /// Rotation of the parent of `joint`; model space.
    pub above: Quat,
    /// Lengths of both bones, and the distance from the limb's root to the target, clamped to the limb's reach; model units.
    pub sides: [f32; 3],
    /// The bend before the rotation, radians; 0 is straight.
    pub bend: f32,
    /// The angle of the rotation, radians.
    pub turn: f32,
}

/// Returns the rotation of elbow or knee, limited to [`LARGEST_BEND`], that makes the distance between the limb's ends
/// equal to the distance from its root to its target, as far as bone lengths allow. `None` if the limb's end is
/// within the tolerance of the target, for a limb with a bone of zero length or fewer than three joints, for a straight
/// limb whose middle joint has no limit, and if the rotation is not finite.
pub(super) fn fold(solver: &PositionBased, frame: &Frame, state: &State, limb: LimbName) -> Option<Fold> {
    let effector = Effector::END[limb.index()];
    let path = solver.path(effector);
    let joints = path.joints();
    let last = joints.len().checked_sub(1).filter(|&last| last >= 2)?;
    let mut placed = Placed::EMPTY;
    placed.follow(path, frame, state);
    let [a, b, c] = [last - 2, last - 1, last].map(|at| placed.positions[at]);
    let aim = frame.aims[effector as usize];
    if length(aim - c) <= frame.tolerance {
        return None;
    }
    let [upper, lower] = [length(b - a), length(c - b)];
    let (u, v) = (unit(b - a)?, unit(c - b)?);
    let least = (upper - lower).abs() + 1e-3 * (upper + lower);
    let span = clamp(length(aim - a), least, LONGEST * (upper + lower));
    let joint = usize::from(joints[last - 1]);
    let cross = u.cross(v);
    let hinge = solver.joints().limits.get(joint).map(|limit| placed.rotations[last - 1] * limit.side);
    let is_bent = cross.length() > BENT;
    let axis = match hinge {
        Some(hinge) if !is_bent => hinge,
        _ => unit(cross)?,
    };
    let bend = axis.dot(cross).atan2(u.dot(v));
    let cosine = (span * span - upper * upper - lower * lower) / (2.0 * upper * lower);
    let turn = clamp(clamp(cosine, -1.0, 1.0).acos() - bend, -LARGEST_BEND, LARGEST_BEND);
    turn.is_finite().then_some(Fold {
        joint,
        axis,
        above: placed.above(last - 1),
        sides: [upper, lower, span],
        bend,
        turn,
    })
}

#[inline(never)]
pub(super) fn to_length(
    solver: &PositionBased,
    frame: &Frame,
    state: &mut State,
    limb: LimbName,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let Some(fold) = fold(solver, frame, state, limb) else { return GO_ON };
    let half = fold.above.conjugate() * (fold.axis * (fold.turn * 0.5).tan());
    turn_joint(state, fold.joint, (half, Vec3::ZERO), Constraint::Length(limb), watch)
}
