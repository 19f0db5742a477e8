//! FABRIK: forward and backward reaching, with limits, a bend rule, and several ends.
//!
//! The forward reach goes from the end to the root, the backward reach from the root to the end. Sources: the FABRIK
//! paper; *Animation programming notes*, chapter 13, whose appended source has the limits; *FABRIK with a bend rule*.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::bend_rule::{literal, mirrored_to_side};
use super::chain::{Chain, State, limited};
use super::moves::{Cause, Move, move_joint};
use super::plane_limits::{kept, swing};
use super::problem::{Problem, Workspace};
use super::settings::BendRule;
use crate::math::{from_to_about_axis, from_to_rotation, unit, unit_in_plane};
use crate::stepped::{Flow, GO_ON, Watch};

/// Runs the forward reach of a chain without branches: the end moves to the target, or by
/// [`Settings::pass_share`](super::Settings::pass_share) toward it. Each joint before it then moves to its bone's
/// length from the joint just placed, toward its own old position or where plane and bend rule put it. The root leaves
/// its place; the backward reach returns it. With a bend normal and [`BendRule::Literal`] the root stays, as in the
/// source.
#[inline]
pub fn forward_reach(
    problem: &Problem,
    state: &mut State,
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    const CAUSE: Cause = Cause::ForwardReach;
    let lengths = problem.chain.lengths();
    let last = lengths.len();
    let positions = &mut state.positions[..=last];
    move_joint(positions, last, pulled(positions[last], workspace.target, problem), CAUSE, watch)?;
    if workspace.is_in_space() {
        return reach::<true>(positions, lengths, workspace.fallback, CAUSE, watch);
    }
    match (problem.settings.bend_rule, workspace.bend) {
        (BendRule::Literal, Some(_)) => forward_reach_literal(positions, lengths, workspace, watch),
        (BendRule::Mirror, _) | (BendRule::Literal, None) => {
            forward_reach_by_rule(positions, lengths, workspace, watch)
        }
    }
}

/// Returns the position that the forward reach gives an end: the target, or part of the way if the weight acts in each
/// pass.
#[inline(always)]
pub(super) fn pulled(end: Vec3, target: Vec3, problem: &Problem) -> Vec3 {
    let share = problem.settings.pass_share();
    if share < 1.0 { end.lerp(target, share) } else { target }
}

#[inline(never)]
fn forward_reach_by_rule(
    positions: &mut [Vec3],
    lengths: &[f32],
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let last = lengths.len();
    let mut next: Option<Vec3> = None;
    for index in (0..last).rev() {
        let end = positions[index + 1];
        let mut along = workspace.direction(positions[index], end);
        if let (Some(normal), Some(next)) = (workspace.bend, next)
            && let Some(side) = unit(next.cross(normal))
        {
            along = mirrored_to_side(along, side);
        }
        next = Some(along);
        move_joint(positions, index, end - along * lengths[index], Cause::ForwardReach, watch)?;
    }
    GO_ON
}

/// Moves the joints between root and end by the source's own bend rule, which uses the old position of the next joint
/// toward the root.
#[inline(never)]
fn forward_reach_literal(
    positions: &mut [Vec3],
    lengths: &[f32],
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for index in (1..lengths.len()).rev() {
        let end = positions[index + 1];
        let along = -workspace.direction(positions[index], end);
        let before = -workspace.direction(positions[index], positions[index - 1]);
        let along = literal(along, before);
        move_joint(positions, index, end + along * lengths[index], Cause::ForwardReach, watch)?;
    }
    GO_ON
}

/// Runs the backward reach: the root returns to its place. Each joint after it then moves to its bone's length from the
/// joint before, toward its own old position or where plane and bend rule put it.
#[inline]
pub fn backward_reach(
    problem: &Problem,
    state: &mut State,
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    const CAUSE: Cause = Cause::BackwardReach;
    let bones = problem.chain.bones();
    let positions = &mut state.positions[..=bones.len()];
    move_joint(positions, 0, workspace.root, CAUSE, watch)?;
    if workspace.is_in_space() && !problem.chain.is_branched() {
        return reach::<false>(positions, problem.chain.lengths(), workspace.fallback, CAUSE, watch);
    }
    backward_reach_by_rule(problem, positions, workspace, watch)
}

#[inline(never)]
fn backward_reach_by_rule(
    problem: &Problem,
    positions: &mut [Vec3],
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    // The source has no bend rule in the backward reach.
    let normal = workspace.bend.filter(|_| problem.settings.bend_rule == BendRule::Mirror);
    for (index, bone) in problem.chain.bones().iter().enumerate() {
        let from = positions[bone.from];
        let mut along = workspace.direction(from, positions[index + 1]);
        if let Some(normal) = normal.filter(|_| bone.from > 0) {
            let before = from - positions[problem.chain.bones()[bone.from - 1].from];
            if let Some(side) = unit(normal.cross(before)) {
                along = mirrored_to_side(along, side);
            }
        }
        move_joint(positions, index + 1, from + along * bone.length, Cause::BackwardReach, watch)?;
    }
    GO_ON
}

/// The squared lengths whose root and inverse keep full precision.
const SAFE_SQUARED: Range<f32> = 1e-23..1e20;
/// A squared length that is a difference loses digits to cancellation. Below this fraction of the minuend it lost too
/// many, and [`measured`] computes it anew.
const KEPT: f32 = 1.0 / 16.0;

/// Runs a pass of FABRIK without branches, plane and bend rule. From the anchor on, each joint moves on the line to the
/// joint placed before it until the two are a bone's length apart. The anchor is the end if `TO_ROOT`, else the root.
///
/// Each joint depends on the one placed before it, so latency determines the time of a pass. The next joint's squared
/// distance is therefore computed without waiting for the new position: with a joint's offset `o`, its factor `s`, and
/// the next joint's offset `w` from the same anchor, `|w − o·s|² = |w|² + |o·s|² − 2s·(w·o)`. Only two products and one
/// sum follow the square root in `s`.
#[inline(always)]
fn reach<const TO_ROOT: bool>(
    positions: &mut [Vec3],
    lengths: &[f32],
    fallback: Vec3,
    cause: Cause,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let last = lengths.len();
    let mut anchor = if TO_ROOT { positions[last] } else { positions[0] };
    let bone = |index: usize| if TO_ROOT { last - 1 - index } else { index };
    let joint = |index: usize| if TO_ROOT { bone(index) } else { index + 1 };
    // A bone whose joints coincide points along `fallback`, from the root to the end.
    let fallback = if TO_ROOT { -fallback } else { fallback };
    let mut offset = positions[joint(0)] - anchor;
    let mut next = if last > 1 { positions[joint(1)] - anchor } else { Vec3::ZERO };
    let mut squared = offset.length_squared();
    if !SAFE_SQUARED.contains(&squared) {
        (offset, squared) = measured(offset.x, offset.y, offset.z, fallback);
    }
    for index in 0..last {
        let length = lengths[bone(index)];
        let after = if index + 2 < last { positions[joint(index + 2)] - anchor } else { Vec3::ZERO };
        // `length / √squared`, written so that the root and the division run in parallel.
        let share = length / squared;
        let factor = share * squared.sqrt();
        // Squares the step as rounded, not the exact bone length; otherwise one joint's error would pass on to the
        // next.
        let sum = next.length_squared() + offset.length_squared() * (share * length);
        let difference = sum + factor * (-2.0 * next.dot(offset));
        let step = offset * factor;
        anchor += step;
        move_joint(positions, joint(index), anchor, cause, watch)?;
        (offset, next, squared) = (next - step, after - step, difference);
        if !(difference > sum * KEPT && difference < SAFE_SQUARED.end) {
            (offset, squared) = measured(offset.x, offset.y, offset.z, fallback);
        }
    }
    GO_ON
}

/// Returns an offset and its squared length. If the square is outside [`SAFE_SQUARED`], replaces the offset by its unit
/// vector, or by `fallback` if it is zero.
///
/// Takes numbers instead of a vector, which the caller would have to keep in memory.
#[cold]
fn measured(x: f32, y: f32, z: f32, fallback: Vec3) -> (Vec3, f32) {
    let offset = Vec3::new(x, y, z);
    let squared = offset.length_squared();
    if SAFE_SQUARED.contains(&squared) { (offset, squared) } else { (unit(offset).unwrap_or(fallback), 1.0) }
}

/// Returns the point at distance `length` from `anchor` in the direction of `point`, or of `−fallback` if both
/// coincide.
fn reached(anchor: Vec3, point: Vec3, length: f32, fallback: Vec3) -> Vec3 {
    anchor + unit(point - anchor).unwrap_or(-fallback) * length
}

/// Runs the forward reach with branches, several goals or a goal within the chain. A joint moves to the mean of the
/// positions that its targets and its bones want. A target counts with its pull, a bone with the sum of the pulls
/// beyond it. A branch without a goal has no weight.
#[inline(never)]
pub fn forward_reach_branched(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let bones = problem.chain.bones();
    let wants = &mut workspace.wants;
    wants.clear();
    wants.resize(bones.len() + 1, (Vec3::ZERO, 0.0, 0));
    for (goal, &position) in problem.goals.iter().zip(&workspace.targets) {
        let want = &mut wants[goal.joint];
        let position = pulled(state.positions[goal.joint], position, problem);
        *want = (want.0 + position * goal.pull, want.1 + goal.pull, want.2 + 1);
    }
    for (index, bone) in bones.iter().enumerate().rev() {
        let joint = index + 1;
        let (sum, pull, count) = wants[joint];
        if pull <= 0.0 {
            continue;
        }
        let cause = if count > 1 { Cause::Centroid } else { Cause::ForwardReach };
        move_joint(&mut state.positions, joint, sum / pull, cause, watch)?;
        let wanted = reached(sum / pull, state.positions[bone.from], bone.length, workspace.fallback);
        let want = &mut wants[bone.from];
        *want = (want.0 + wanted * pull, want.1 + pull, want.2 + 1);
    }
    let (sum, pull, count) = wants[0];
    if pull <= 0.0 {
        return GO_ON;
    }
    let cause = if count > 1 { Cause::Centroid } else { Cause::ForwardReach };
    move_joint(&mut state.positions, 0, sum / pull, cause, watch)
}

/// Runs [`forward_reach`] with limits. After placing joint `j`, it rotates bone `j + 1` into its limit, with all bones
/// after it; then it swings and shifts the chain from joint `j` on so that the end stays in place. Bone 0 is rotated
/// into its limit last. Source: *Animation programming notes*, chapter 13, «Applying rotation limit to a bone in stage
/// 1».
#[inline(never)]
pub fn forward_reach_limited(
    problem: &Problem,
    state: &mut State,
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let bones = problem.chain.bones();
    let last = bones.len();
    let end = pulled(state.positions[last], workspace.target, problem);
    move_joint(&mut state.positions, last, end, Cause::ForwardReach, watch)?;
    for index in (0..last).rev() {
        let anchor = state.positions[index + 1];
        let along = workspace.unit_in_plane(state.positions[index] - anchor).unwrap_or(-workspace.fallback);
        move_joint(&mut state.positions, index, anchor + along * bones[index].length, Cause::ForwardReach, watch)?;
        swing_to_next(problem.chain, state, index, workspace.plane);
        if index + 1 < last {
            limit_beyond(problem.chain, state, [index, index + 1], workspace.plane, watch)?;
        }
    }
    limit_beyond(problem.chain, state, [0, 0], workspace.plane, watch)
}

pub(super) fn swing_to_next(chain: &Chain, state: &mut State, index: usize, normal: Option<Vec3>) {
    let bone = &chain.bones()[index];
    let along = state.positions[index + 1] - state.positions[bone.from];
    let swing = swing(state.rotations[index] * bone.axis, along, normal);
    state.rotations[index] = (swing * state.rotations[index]).normalize();
}

/// Rotates bone `limit` into its limit, with all bones after it; then swings the chain from joint `pivot` on, and
/// shifts it, so that the end stays in place. In the 2D mode the bones after it turn about the plane's normal only.
fn limit_beyond(
    chain: &Chain,
    state: &mut State,
    [pivot, limit]: [usize; 2],
    normal: Option<Vec3>,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let end = state.end();
    let (rotation, excess) = limited(chain, state, limit, state.rotations[limit], normal);
    if excess <= 0.0 && rotation.dot(state.rotations[limit]).abs() >= 1.0 - 1e-7 {
        return GO_ON;
    }
    let from = state.positions[limit + 1];
    let last = chain.bones().len();
    let swing = match normal {
        None => {
            let change = (rotation * state.rotations[limit].conjugate()).normalize();
            turn_from(state, limit, change, last);
            from_to_rotation(state.end() - state.positions[pivot], end - state.positions[pivot])
        }
        Some(normal) => {
            let bone = &chain.bones()[limit];
            let along = kept(rotation * bone.axis, normal);
            // Only the bone itself twists: its twist would turn the bones after it out of the plane.
            let change = from_to_about_axis(state.rotations[limit] * bone.axis, along, normal);
            turn_from(state, limit + 1, change, last);
            state.rotations[limit] = rotation;
            let shift = state.positions[limit] + along * bone.length - from;
            for position in &mut state.positions[limit + 1..] {
                *position += shift;
            }
            from_to_about_axis(state.end() - state.positions[pivot], end - state.positions[pivot], normal)
        }
    };
    turn_from(state, pivot, swing, last);
    let shift = end - state.end();
    for position in &mut state.positions[pivot..] {
        *position += shift;
    }
    let to = state.positions[limit + 1];
    watch.saw(Move { joint: limit + 1, from, to, cause: Cause::Limit, excess })
}

fn turn_from(state: &mut State, first: usize, turn: Quat, last: usize) {
    let about = state.positions[first];
    for index in first..last {
        state.rotations[index] = (turn * state.rotations[index]).normalize();
        state.positions[index + 1] = about + turn * (state.positions[index + 1] - about);
    }
}

/// Runs [`backward_reach`] with limits. From the root on, it swings each bone toward its joint and rotates the bone
/// into its limit; each bone carries all bones after it. The result is within all limits and keeps all lengths.
#[inline(never)]
pub fn backward_reach_limited(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    move_joint(&mut state.positions, 0, workspace.root, Cause::BackwardReach, watch)?;
    follow(problem, state, workspace, true, Cause::BackwardReach, watch)
}

/// Rotates the bones so that they point at their end joints, by the shortest swings, from the root on. Each bone
/// carries the bones after it, so that no twist accumulates. With `limits`, bones stay within their limits and the
/// joints follow the bones; in the 2D mode each bone then swings about the plane's normal.
#[inline(never)]
pub fn follow(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    limits: bool,
    cause: Cause,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let bones = problem.chain.bones();
    let (plane, fallback) = (workspace.plane.filter(|_| limits), workspace.fallback);
    // Rotation of each bone so far: new · old⁻¹.
    let turns = &mut workspace.turns;
    turns.clear();
    for (index, bone) in bones.iter().enumerate() {
        let carried = match bone.from.checked_sub(1) {
            Some(before) => turns[before] * state.rotations[index],
            None => state.rotations[index],
        };
        let from = state.positions[bone.from];
        let along = state.positions[index + 1] - from;
        let swing = match plane {
            None => from_to_rotation(carried * bone.axis, along),
            Some(normal) => {
                let along = unit_in_plane(along, normal).unwrap_or(fallback);
                from_to_about_axis(carried * bone.axis, along, normal)
            }
        };
        let mut rotation = (swing * carried).normalize();
        let mut excess = 0.0;
        if limits {
            (rotation, excess) = limited(problem.chain, state, index, rotation, plane);
        }
        turns.push(rotation * state.rotations[index].conjugate());
        state.rotations[index] = rotation;
        if limits {
            let to = match plane {
                None => from + rotation * (bone.axis * bone.length),
                Some(normal) => from + kept(rotation * bone.axis, normal) * bone.length,
            };
            let was = std::mem::replace(&mut state.positions[index + 1], to);
            if was != to {
                watch.saw(Move { joint: index + 1, from: was, to, cause, excess })?;
            }
        }
    }
    GO_ON
}
