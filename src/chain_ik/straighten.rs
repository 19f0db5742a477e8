//! What makes the iterations few: straightening, and where that does not do, folding.
//!
//! Near full stretch FABRIK (and CCD) hardly gets on. Bones that lie almost in a line reach nearly their whole length
//! `L`; what they lack, the slack `L − e`, is the sum of their squared offsets from that line over twice their length.
//! A pass with the target a distance δ beyond the end scales those offsets by about `1 − δ/l`: the nearer the end gets,
//! the smaller δ and the less a pass does. At 0.999 of the length that takes hundreds of passes, all of them spent on
//! one number: the amplitude of the bend.
//!
//! So that number is solved for directly. All offsets from the line root → end are scaled by `a`, so that the end is as
//! far from the root as the target; Newton's method in `a²`, because the slack is quadratic in the offsets: near full
//! stretch one step of it is exact, `a² = (L − d) / (L − e)`. Then the whole is swung onto the target.
//!
//! Not every shape has such an amplitude, least of all near the root, where the bones point every way. There the chain
//! is folded: taken as two rigid parts, it is bent at the joint between them so that the end is as far from the root as
//! the target, which is the triangle of the two-bone solver. It is exact and cheap, and so is also what makes up for
//! the little that a well-bent chain lacks.
//!
//! It is a correction, not a solver: passes decide the shape, it only starts once they have brought the end within a
//! fifth of the chain's length. What does not come nearer is not taken.

use glam::{Mat3, Vec3};

use super::chain::State;
use super::observer::{Cause, Observer, move_joint};
use super::program::{Problem, Workspace};
use crate::math::{from_to_about_axis, from_to_rotation, ortho_normalize, unit};

/// Farther off than this, as a fraction of the chain's length, the passes decide.
pub const STARTS_WITHIN: f32 = 0.2;
/// Less than that, as a fraction of the chain's length, one joint can make up for without anyone seeing it.
const SLIGHT: f32 = 0.02;
/// The squared amplitude changes by no more than this factor in one step.
const BOLDEST: f32 = 16.0;
/// Newton steps in one go.
const MOST_STEPS: usize = 5;

/// Scales the chain's offsets from the line root → end, or folds it, and swings it to the target, if that comes nearer
/// to it.
#[inline(never)]
pub fn straighten(problem: &Problem, state: &mut State, workspace: &mut Workspace, observer: &mut impl Observer) {
    let before = state.end().distance(workspace.target);
    let is_slight = before < SLIGHT * problem.chain.length();
    let after = match comfortable_middle(problem, state, workspace) {
        Some(middle) if is_slight => fold_at(problem, state, workspace, middle),
        _ => {
            let scaled = scale(problem, state, workspace);
            // Newton's method arrives at once, or this shape has no amplitude for it.
            match scaled <= problem.settings.tolerance || scaled < 0.5 * before {
                true => scaled,
                false => match widest_joint(problem, state, workspace) {
                    Some(joint) => fold_at(problem, state, workspace, joint),
                    None => scaled,
                },
            }
        }
    };
    if !(after < before && is_bent_rightly(workspace)) {
        return;
    }
    for (index, &to) in workspace.positions.iter().enumerate() {
        if !move_joint(&mut state.positions, index + 1, to, Cause::Straighten, observer) {
            return;
        }
    }
}

/// Finds the amplitude at which the end is as far from the root as the target, and swings it there. How far off it is then; NaN or infinite
/// if that came to nothing.
fn scale(problem: &Problem, state: &State, workspace: &mut Workspace) -> f32 {
    let (root, target) = (workspace.root, workspace.target);
    let lengths = problem.chain.lengths();
    let joints = &state.positions[..=lengths.len()];
    let to_end = state.end() - root;
    let wanted = target.distance(root);
    // The rest is for rounding.
    let enough = 0.9 * problem.settings.tolerance;
    let Some(line) = unit(to_end) else { return f32::INFINITY };
    let mut reach = to_end.length();
    let bones = joints.windows(2).map(|joints| joints[1] - joints[0]);
    if (wanted - reach).abs() <= enough {
        workspace.positions.clear();
        workspace.positions.extend(bones);
        return swing(workspace, to_end);
    }
    // d(reach) / d(a²): a bone with the part t along the line loses t·(1 − (t/l)²) / 2a².
    let mut slope = 0.0;
    for (bone, length) in bones.clone().zip(lengths) {
        let along = bone.dot(line);
        slope += along * (along * along / (length * length) - 1.0);
    }
    slope *= 0.5;
    let mut squared = 1.0f32;
    let mut end = to_end;
    let moved = &mut workspace.positions;
    moved.resize(lengths.len(), Vec3::ZERO);
    for _ in 0..MOST_STEPS {
        let step = (wanted - reach) / slope;
        if !step.is_finite() {
            return f32::INFINITY;
        }
        squared = (squared + step).clamp(squared / BOLDEST, squared * BOLDEST);
        let amplitude = squared.sqrt();
        (end, slope) = (Vec3::ZERO, 0.0);
        for ((bone, &length), moved) in bones.clone().zip(lengths).zip(&mut *moved) {
            let along = bone.dot(line);
            let scaled = bone * amplitude + line * (along * (1.0 - amplitude));
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
    swing(workspace, end)
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

/// Bends the chain at one joint so that the end is as far from the root as the target, and swings it there. How far off
/// it is then.
fn fold_at(problem: &Problem, state: &State, workspace: &mut Workspace, pivot: usize) -> f32 {
    let (root, target) = (workspace.root, workspace.target);
    let joints = &state.positions[..=problem.chain.bones().len()];
    let about = joints[pivot];
    let (back, onward) = (root - about, state.end() - about);
    let (wanted, near, far) = (target.distance(root), back.length(), onward.length());
    let Some(back) = unit(back) else { return f32::INFINITY };
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
    let head = rotation(workspace, folded - back * near, target - root);
    let tail = head * rotation(workspace, onward, folded);
    workspace.positions.clear();
    let mut place = root;
    for (index, joints) in joints.windows(2).enumerate() {
        let turn = if index < pivot { &head } else { &tail };
        place += workspace.kept_in_plane(*turn * (joints[1] - joints[0]));
        workspace.positions.push(place);
    }
    place.distance(target)
}

/// Swings bones from their end to the target, and puts their joints in their place. How far off the end is then.
///
/// Bone by bone and not joint by joint: what rounding does to a joint's place is large beside a short bone.
fn swing(workspace: &mut Workspace, end: Vec3) -> f32 {
    let turn = rotation(workspace, end, workspace.target - workspace.root);
    let mut place = workspace.root;
    let mut bones = std::mem::take(&mut workspace.positions);
    for bone in &mut bones {
        // A large amplitude has made much of the little that rounding had left off the plane.
        place += workspace.kept_in_plane(turn * *bone);
        *bone = place;
    }
    workspace.positions = bones;
    place.distance(workspace.target)
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
