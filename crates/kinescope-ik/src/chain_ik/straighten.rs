//! What makes the iterations few: straightening, and where that does not do, folding.
//!
//! Near full stretch FABRIK (and CCD) hardly gets on. Bones that lie almost in a line reach nearly their whole length
//! `L`; what they lack, the slack `L − e`, is the sum of their squared offsets from that line over twice their length.
//! A pass with the target a distance δ beyond the end scales those offsets by about `1 − δ/l`: the nearer the end gets,
//! the smaller δ and the less a pass does. At 0.999 of the length that takes hundreds of passes, all of them spent on
//! one number: the amplitude of the bend.
//!
//! So that number is solved for directly. All bones' offsets from the line root → end are scaled by `k`, each bone is
//! brought back to its length, and `k` is such that the end is as far from the root as the target. It is found by
//! Newton's method on that distance itself, as a function of `k²`, because the slack is quadratic in the offsets: near
//! full stretch one step of it is exact, and [`MOST_STEPS`] do for what is well bent. Then the whole is swung onto the
//! target.
//!
//! Not every shape has such an amplitude, least of all near the root, where the bones point every way. If scaling does
//! not halve the error, the chain is folded: taken as two rigid parts, it is bent at one joint so that the end is as far
//! from the root as the target, which is the triangle of the two-bone solver, and swung onto it. That joint is the one
//! that has to turn least. Folding is exact and cheap, and so is also what makes up for the little that a chain lacks
//! that is already nearly there: then the joint halfway bends, if it is well away from straight and from folded flat,
//! and nothing else is tried.
//!
//! [`plan`] decides all that and says it as data; [`straighten`] puts the joints there.
//!
//! It is a correction, not a solver: passes decide the shape, it only starts once they have brought the end within a
//! fifth of the chain's length. What does not come nearer is not taken, nor what bends against the bend rule.

use glam::{Mat3, Vec3};

use super::chain::State;
use super::moves::{Cause, Move, move_joint};
use super::problem::{Problem, Workspace};
use crate::math::{from_to_about_axis, from_to_rotation, ortho_normalize, unit};
use crate::stepped::{Flow, GO_ON, Watch};

/// Farther off than this, as a fraction of the chain's length, the passes decide.
pub const STARTS_WITHIN: f32 = 0.2;
/// Less than that, as a fraction of the chain's length, one joint can make up for without anyone seeing it.
const SLIGHT: f32 = 0.02;
/// The squared amplitude changes by no more than this factor in one step.
pub const BOLDEST: f32 = 16.0;
/// Newton steps in one go.
pub const MOST_STEPS: usize = 5;

/// How the end gets to its target: first as far from the root, then there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// What brings the end as far from the root as the target.
    pub bend: Bend,
    /// The bent chain from its root to its end, before the swing; model units.
    pub to_end: Vec3,
    /// The rotation about the root that swings that to the target.
    pub swing: Mat3,
    /// How far from the target the end is then, model units; NaN or infinite if it came to nothing.
    pub error: f32,
}

/// What brings the end as far from the root as the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bend {
    /// Every bone's offset from the line root → end is scaled.
    Scale {
        /// That line; unit.
        line: Vec3,
        /// What the offsets are multiplied by.
        amplitude: f32,
        /// How many of Newton's steps found it; 0 if the end was as far from the root as it is to be.
        steps: usize,
        /// Before the last of them: the squared amplitude, and how far from the root the end is by that.
        from: [f32; 2],
    },
    /// The chain is bent at one joint.
    Fold {
        /// Index of the joint.
        joint: usize,
        /// It is the joint halfway, for the little that the end lacks; else the joint that has to turn least.
        is_slight: bool,
        /// From the joint to where the end goes, before the swing; model units.
        onward: Vec3,
        /// The rotation about the joint that takes the end there.
        turn: Mat3,
    },
}

/// A bone with its offset from the line scaled; `along` is its part on the line. Its length is another then.
#[inline(always)]
pub(crate) fn scaled(bone: Vec3, along: f32, line: Vec3, amplitude: f32) -> Vec3 {
    bone * amplitude + line * (along * (1.0 - amplitude))
}

/// Scales the chain's offsets from the line root → end, or folds it, and swings it to the target, if that comes nearer
/// to it.
#[inline(never)]
pub fn straighten(
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

/// What [`straighten`] does; `None` if nothing comes nearer to the target. It leaves in the workspace where the joints
/// go.
#[inline]
pub fn plan(problem: &Problem, state: &State, workspace: &mut Workspace) -> Option<Plan> {
    let before = state.end().distance(workspace.target);
    let plan = best(problem, state, workspace, before)?;
    (plan.error < before && is_bent_rightly(workspace)).then_some(plan)
}

/// The way that does, or else the last that was tried.
#[inline]
fn best(problem: &Problem, state: &State, workspace: &mut Workspace, before: f32) -> Option<Plan> {
    if before < SLIGHT * problem.chain.length()
        && let Some(middle) = comfortable_middle(problem, state, workspace)
    {
        return fold_at(problem, state, workspace, middle, true);
    }
    let scaled = scale(problem, state, workspace);
    // Newton's method arrives at once, or this shape has no amplitude for it.
    if scaled.is_some_and(|scaled| scaled.error <= problem.settings.tolerance || scaled.error < 0.5 * before) {
        return scaled;
    }
    match widest_joint(problem, state, workspace) {
        Some(joint) => fold_at(problem, state, workspace, joint, false),
        None => scaled,
    }
}

/// Finds the amplitude at which the end is as far from the root as the target, and swings it there. `None` if the chain
/// has no bend that could be scaled.
#[inline]
fn scale(problem: &Problem, state: &State, workspace: &mut Workspace) -> Option<Plan> {
    let (root, target) = (workspace.root, workspace.target);
    let lengths = problem.chain.lengths();
    let joints = &state.positions[..=lengths.len()];
    let to_end = state.end() - root;
    let wanted = target.distance(root);
    // The rest is for rounding.
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
    // d(reach) / d(k²): a bone with the part t along the line loses t·(1 − (t/l)²) / 2k².
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
    while steps < MOST_STEPS {
        let step = (wanted - reach) / slope;
        if !step.is_finite() {
            return None;
        }
        steps += 1;
        from = [squared, reach];
        squared = (squared + step).clamp(squared / BOLDEST, squared * BOLDEST);
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

/// The joint halfway, if bending it a little does: well away from straight and from folded flat.
fn comfortable_middle(problem: &Problem, state: &State, workspace: &Workspace) -> Option<usize> {
    let (end, wanted) = (state.end(), workspace.target.distance_squared(workspace.root));
    let middle = problem.chain.bones().len() / 2;
    let joint = state.positions[middle];
    let [near, far] = [joint - workspace.root, end - joint].map(Vec3::length_squared);
    // Between a quarter and three quarters of a half turn, or so: |d² − r² − s²| against 2rs.
    let off = wanted - near - far;
    (middle > 0 && off * off < 2.0 * near * far).then_some(middle)
}

/// The joint that has to turn least for the end to be as far from the root as the target; `None` if no joint will do.
fn widest_joint(problem: &Problem, state: &State, workspace: &Workspace) -> Option<usize> {
    let (root, end) = (workspace.root, state.end());
    let wanted = workspace.target.distance(root);
    // By the law of cosines the joint's cosine changes by (e² − d²) / 2rs.
    let (mut widest, mut largest) = (None, 0.0);
    for joint in 1..problem.chain.bones().len() {
        let (near, far) = (state.positions[joint].distance(root), end.distance(state.positions[joint]));
        if (near - far).abs() <= wanted && wanted <= near + far && near * far > largest {
            (widest, largest) = (Some(joint), near * far);
        }
    }
    widest
}

/// Bends the chain at one joint so that the end is as far from the root as the target, and swings it there. `None` if
/// the joint lies on the root.
#[inline]
fn fold_at(problem: &Problem, state: &State, workspace: &mut Workspace, joint: usize, is_slight: bool) -> Option<Plan> {
    let (root, target) = (workspace.root, workspace.target);
    let joints = &state.positions[..=problem.chain.bones().len()];
    let about = joints[joint];
    let (back, onward) = (root - about, state.end() - about);
    let (wanted, near, far) = (target.distance(root), back.length(), onward.length());
    let back = unit(back)?;
    // The angle between the two parts, by its half: the cosine of a small one has lost its digits.
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

/// Swings bones from their end to the target, and puts their joints in their place. The rotation, and how far off the
/// end is then.
///
/// Bone by bone and not joint by joint: what rounding does to a joint's place is large beside a short bone.
#[inline]
fn swing(workspace: &mut Workspace, end: Vec3) -> (Mat3, f32) {
    let turn = rotation(workspace, end, workspace.target - workspace.root);
    let mut place = workspace.root;
    let mut bones = std::mem::take(&mut workspace.positions);
    for bone in &mut bones {
        // A large amplitude has made much of the little that rounding had left off the plane.
        place += workspace.kept_in_plane(turn * *bone);
        *bone = place;
    }
    workspace.positions = bones;
    (turn, place.distance(workspace.target))
}

/// The shortest rotation from one direction to the other, in the plane of the 2D mode; none if either has no length.
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
    // Mirrored at right angles to the one, then to the middle of both.
    let sum = from + to;
    let [half, twice] = [sum * (1.0 / (1.0 + cosine)), to + to];
    let column = |axis: Vec3, from: f32, sum: f32| axis + twice * from - half * sum;
    Mat3::from_cols(column(Vec3::X, from.x, sum.x), column(Vec3::Y, from.y, sum.y), column(Vec3::Z, from.z, sum.z))
}

/// No two bones of what is about to be taken are bent against the rule: scaling in space may turn a slight bend over.
fn is_bent_rightly(workspace: &Workspace) -> bool {
    let Some(normal) = workspace.bend else { return true };
    let mut joints = [workspace.root; 2];
    workspace.positions.iter().enumerate().all(|(index, &next)| {
        let [before, joint] = joints;
        joints = [joint, next];
        index == 0 || (joint - before).cross(next - joint).dot(normal) >= 0.0
    })
}
