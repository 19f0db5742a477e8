//! Straightening and folding: direct steps that reduce the number of iterations.
//!
//! FABRIK and CCD converge slowly near full stretch. There the distance `e` from root to end is little less than the
//! chain's length `L`: the slack `L − e` is about the sum over all bones of the squared offset from the line root → end,
//! over twice the bone's length `l`. A pass with the target a distance δ beyond the end scales those offsets by about
//! `1 − δ/l`: the nearer the end is to the target, the smaller δ is and the less a pass gains. At 0.999 of the length
//! this takes hundreds of passes.
//!
//! Straightening solves for the amplitude of the bend instead. It scales all bones' offsets from the line root → end by
//! `k` and restores each bone's length, with `k` such that the end is as far from the root as the target. Newton's
//! method solves for `k²`, not for `k`, because the slack is quadratic in the offsets: near full stretch one step is
//! almost exact. Then the chain is swung onto the target.
//!
//! If scaling does not halve the error, the chain is folded at the joint that has to rotate least: the parts before and
//! after the joint stay rigid, the end gets as far from the root as the target, and the chain is swung onto the target.
//! A chain whose end is almost at the target is folded at its middle joint without trying to scale, if that joint stays
//! well away from straight and from folded flat.
//!
//! Straightening is a correction, not a solver: passes determine the shape. It starts once they have brought the end
//! nearer to the target than a fifth of the chain's length. A plan that brings the end no nearer, or that bends against
//! the bend rule, is discarded.

use glam::{Mat3, Vec3};

use super::chain::State;
use super::moves::{Cause, Move, move_joint};
use super::problem::{Problem, Workspace};
use crate::math::{from_to_about_axis, from_to_rotation, ortho_normalize, unit};
use crate::stepped::{Flow, GO_ON, Watch};

/// Distance from the end to the target, as a fraction of the chain's length, from which on passes run without
/// straightening.
pub(super) const STARTS_WITHIN: f32 = 0.2;
/// Distance from the end to the target, as a fraction of the chain's length, below which the middle joint alone may
/// bend the chain: so small a bend is imperceptible.
const SLIGHT: f32 = 0.02;
/// Largest factor by which the squared amplitude changes in one step.
pub(super) const MAX_STEP_FACTOR: f32 = 16.0;
pub(super) const MAX_STEPS: usize = 5;

/// How to move the end onto the target: first to the target's distance from the root, then by a swing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Brings the end to the target's distance from the root.
    pub bend: Bend,
    /// Vector from root to end of the bent chain, before the swing; model units.
    pub to_end: Vec3,
    /// Rotation about the root from `to_end` to the target.
    pub swing: Mat3,
    /// Distance from the end to the target after the swing, model units; NaN or infinite if the plan failed.
    pub error: f32,
}

/// How the end gets to the target's distance from the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bend {
    /// Scales every bone's offset from the line root → end.
    Scale {
        line: Vec3,
        amplitude: f32,
        /// Number of Newton steps; 0 if the end already was at the target's distance from the root.
        steps: usize,
        /// Squared amplitude, and the end's distance from the root, before the last step.
        from: [f32; 2],
    },
    Fold {
        joint: usize,
        /// Whether this is the middle joint, for a small remaining error; else the joint that has to rotate least.
        is_slight: bool,
        /// Vector from the joint to the end after the bend, before the swing; model units.
        onward: Vec3,
        turn: Mat3,
    },
}

/// Returns a bone with its offset from the line scaled; this changes its length. `along` is the bone's part along the
/// line.
#[inline(always)]
pub(crate) fn scaled(bone: Vec3, along: f32, line: Vec3, amplitude: f32) -> Vec3 {
    bone * amplitude + line * (along * (1.0 - amplitude))
}

#[inline(never)]
pub(super) fn straighten(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    if plan(problem, state, workspace).is_none() {
        return GO_ON;
    }
    for (index, &to) in workspace.positions.iter().enumerate() {
        move_joint(&mut state.positions, index + 1, to, Cause::Straighten, watch)?;
    }
    GO_ON
}

/// Computes how to straighten or fold the chain; `None` if that brings the end no nearer to the target or breaks the
/// bend rule. The workspace receives the joints' new positions.
#[inline]
pub(super) fn plan(problem: &Problem, state: &State, workspace: &mut Workspace) -> Option<Plan> {
    let before = state.end().distance(workspace.target);
    let plan = best(problem, state, workspace, before)?;
    (plan.error < before && follows_bend_rule(workspace)).then_some(plan)
}

#[inline]
fn best(problem: &Problem, state: &State, workspace: &mut Workspace, before: f32) -> Option<Plan> {
    if before < SLIGHT * problem.chain.length()
        && let Some(middle) = comfortable_middle(problem, state, workspace)
    {
        return fold_at(problem, state, workspace, middle, true);
    }
    let scaled = scale(problem, state, workspace);
    // If Newton's method does not converge at once, usually no amplitude of this shape brings the end to the wanted
    // distance.
    if scaled.is_some_and(|scaled| scaled.error <= problem.settings.tolerance || scaled.error < 0.5 * before) {
        return scaled;
    }
    match widest_joint(problem, state, workspace) {
        Some(joint) => fold_at(problem, state, workspace, joint, false),
        None => scaled,
    }
}

/// Returns a plan that scales the bend until the end is as far from the root as the target, as nearly as [`MAX_STEPS`]
/// allow, and then swings the end toward the target. `None` if the chain has no bend to scale, or if its end lies on
/// the root.
#[inline]
fn scale(problem: &Problem, state: &State, workspace: &mut Workspace) -> Option<Plan> {
    let (root, target) = (workspace.root, workspace.target);
    let lengths = problem.chain.lengths();
    let joints = &state.positions[..=lengths.len()];
    let to_end = state.end() - root;
    let wanted = target.distance(root);
    // The remaining tenth of the tolerance is for rounding.
    let enough = 0.9 * problem.settings.tolerance;
    let line = unit(to_end)?;
    let mut reach = to_end.length();
    let bones = joints.windows(2).map(|joints| joints[1] - joints[0]);
    if (wanted - reach).abs() <= enough {
        workspace.positions.clear();
        workspace.positions.extend(bones);
        let (swing, error) = swing(workspace, to_end);
        let bend = Bend::Scale { line, amplitude: 1.0, steps: 0, from: [1.0, reach] };
        return Some(Plan { bend, to_end, swing, error });
    }
    // d(reach) / d(k²): a bone of length l with the part t along the line contributes −t·(1 − (t/l)²) / 2k².
    let mut slope = 0.0;
    for (bone, length) in bones.clone().zip(lengths) {
        let along = bone.dot(line);
        slope += along * (along * along / (length * length) - 1.0);
    }
    slope *= 0.5;
    let (mut squared, mut amplitude, mut steps) = (1.0f32, 1.0, 0);
    let mut from = [squared, reach];
    let mut end = to_end;
    let moved = &mut workspace.positions;
    moved.resize(lengths.len(), Vec3::ZERO);
    while steps < MAX_STEPS {
        let step = (wanted - reach) / slope;
        if !step.is_finite() {
            return None;
        }
        steps += 1;
        from = [squared, reach];
        squared = (squared + step).clamp(squared / MAX_STEP_FACTOR, squared * MAX_STEP_FACTOR);
        amplitude = squared.sqrt();
        (end, slope) = (Vec3::ZERO, 0.0);
        for ((bone, &length), moved) in bones.clone().zip(lengths).zip(&mut *moved) {
            let along = bone.dot(line);
            let scaled = scaled(bone, along, line, amplitude);
            let inverse = 1.0 / scaled.length();
            let share = along * inverse;
            slope += length * share * (share * share - 1.0);
            *moved = scaled * (inverse * length);
            end += *moved;
        }
        slope *= 0.5 / squared;
        reach = end.length();
        if (wanted - reach).abs() <= enough {
            break;
        }
    }
    let (swing, error) = swing(workspace, end);
    let bend = Bend::Scale { line, amplitude, steps, from };
    Some(Plan { bend, to_end: end, swing, error })
}

/// Returns the middle joint if bending it is sufficient: its angle after the bend is well away from straight and from
/// folded flat.
fn comfortable_middle(problem: &Problem, state: &State, workspace: &Workspace) -> Option<usize> {
    let (end, wanted) = (state.end(), workspace.target.distance_squared(workspace.root));
    let middle = problem.chain.bones().len() / 2;
    let joint = state.positions[middle];
    let [near, far] = [joint - workspace.root, end - joint].map(Vec3::length_squared);
    // By the law of cosines, `off` is −2rs times the cosine of the joint's new angle; r and s are its distances from
    // root and end. The test keeps angles from 45° to 135°.
    let off = wanted - near - far;
    (middle > 0 && off * off < 2.0 * near * far).then_some(middle)
}

/// Returns the joint that has to rotate least to bring the end to the target's distance from the root; `None` if no
/// joint can.
fn widest_joint(problem: &Problem, state: &State, workspace: &Workspace) -> Option<usize> {
    let (root, end) = (workspace.root, state.end());
    let wanted = workspace.target.distance(root);
    // By the law of cosines, moving the end from distance e to distance d from the root changes the cosine of a joint's
    // angle by (e² − d²) / 2rs; r and s are its distances from root and end. So the joint with the largest r·s rotates
    // least.
    let (mut widest, mut largest) = (None, 0.0);
    for joint in 1..problem.chain.bones().len() {
        let (near, far) = (state.positions[joint].distance(root), end.distance(state.positions[joint]));
        if (near - far).abs() <= wanted && wanted <= near + far && near * far > largest {
            (widest, largest) = (Some(joint), near * far);
        }
    }
    widest
}

/// Returns a plan that bends the chain at one joint so that its end is as far from the root as the target, and then
/// swings the end to the target. `None` if the joint lies on the root.
#[inline]
fn fold_at(problem: &Problem, state: &State, workspace: &mut Workspace, joint: usize, is_slight: bool) -> Option<Plan> {
    let (root, target) = (workspace.root, workspace.target);
    let joints = &state.positions[..=problem.chain.bones().len()];
    let about = joints[joint];
    let (back, onward) = (root - about, state.end() - about);
    let (wanted, near, far) = (target.distance(root), back.length(), onward.length());
    let back = unit(back)?;
    // Computed from half the angle: the cosine of a small angle would lose its digits.
    let half = ((wanted - (near - far)) * (wanted + (near - far)) / (4.0 * near * far)).clamp(0.0, 1.0);
    let (cosine, sine) = (1.0 - 2.0 * half, 2.0 * (half * (1.0 - half)).sqrt());
    let side = match workspace.plane {
        Some(normal) => {
            let side = normal.cross(back);
            if side.dot(onward) < 0.0 { -side } else { side }
        }
        None => ortho_normalize(back, onward),
    };
    let folded = (back * cosine + side * sine) * far;
    let to_end = folded - back * near;
    let swing = rotation(workspace, to_end, target - root);
    let turn = rotation(workspace, onward, folded);
    let tail = swing * turn;
    workspace.positions.clear();
    let mut place = root;
    for (index, joints) in joints.windows(2).enumerate() {
        let turn = if index < joint { &swing } else { &tail };
        place += workspace.kept_in_plane(*turn * (joints[1] - joints[0]));
        workspace.positions.push(place);
    }
    let bend = Bend::Fold { joint, is_slight, onward: folded, turn };
    Some(Plan { bend, to_end, swing, error: place.distance(target) })
}

/// Swings the bones in `workspace.positions` until their end, at `end` from the root, is on the line from the root to
/// the target; replaces the bones by the positions of their end joints. Returns the rotation and the remaining distance
/// to the target.
///
/// Works on bones instead of joints, since the rounding error of a joint's position is large compared with a short
/// bone.
#[inline]
fn swing(workspace: &mut Workspace, end: Vec3) -> (Mat3, f32) {
    let turn = rotation(workspace, end, workspace.target - workspace.root);
    let mut place = workspace.root;
    let mut bones = std::mem::take(&mut workspace.positions);
    for bone in &mut bones {
        // A large amplitude magnifies rounding errors off the plane.
        place += workspace.kept_in_plane(turn * *bone);
        *bone = place;
    }
    workspace.positions = bones;
    (turn, place.distance(workspace.target))
}

/// Returns the shortest rotation between two directions, in the plane of the 2D mode; identity if either has no length.
fn rotation(workspace: &Workspace, from: Vec3, to: Vec3) -> Mat3 {
    let (Some(from), Some(to)) = (workspace.unit_in_plane(from), workspace.unit_in_plane(to)) else {
        return Mat3::IDENTITY;
    };
    let cosine = from.dot(to);
    if cosine < -0.9 {
        return Mat3::from_quat(match workspace.plane {
            Some(normal) => from_to_about_axis(from, to, normal),
            None => from_to_rotation(from, to),
        });
    }
    // Two reflections make the rotation: at the plane orthogonal to `from`, then at the plane orthogonal to
    // `from + to`.
    let sum = from + to;
    let [half, twice] = [sum * (1.0 / (1.0 + cosine)), to + to];
    let column = |axis: Vec3, from: f32, sum: f32| axis + twice * from - half * sum;
    Mat3::from_cols(column(Vec3::X, from.x, sum.x), column(Vec3::Y, from.y, sum.y), column(Vec3::Z, from.z, sum.z))
}

/// Returns whether no two successive bones of the plan bend against the rule: scaling in space may reverse a slight
/// bend.
fn follows_bend_rule(workspace: &Workspace) -> bool {
    let Some(normal) = workspace.bend else { return true };
    let mut joints = [workspace.root; 2];
    workspace.positions.iter().enumerate().all(|(index, &next)| {
        let [before, joint] = joints;
        joints = [joint, next];
        index == 0 || (joint - before).cross(next - joint).dot(normal) >= 0.0
    })
}
