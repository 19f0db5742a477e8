//! What makes the iterations few: straightening.
//!
//! Near full stretch FABRIK (and CCD) hardly gets on. Bones that lie almost in a line reach nearly their whole length
//! `L`; what they lack, the slack `L − e`, is the sum of their squared offsets from that line over twice their length.
//! A pass with the target a distance δ beyond the end scales those offsets by about `1 − δ/l`: the nearer the end gets,
//! the smaller δ and the less a pass does. At 0.999 of the length that takes hundreds of passes, all of them spent on
//! one number: the amplitude of the bend.
//!
//! So that number is solved for directly. Scaling all offsets from the line root → end by `a` changes the distance of
//! the end by the derivative below, and one Newton step in `a²` gives the amplitude at which the distance fits. In `a²`
//! because the slack is quadratic in the offsets: near full stretch the step is exact, `a² = (L − d) / (L − e)`. Then
//! the whole is swung from the line root → end onto the line root → target. What is left is of second order, here and
//! in mid-range as well; a step that does not come nearer is not taken.
//!
//! It is a correction, not a solver: passes decide the shape, it only starts once they have brought the end within a
//! tenth of the chain's length.

use super::chain::State;
use super::observer::{Cause, Observer, move_joint};
use super::program::{Problem, Workspace};
use crate::math::{from_to_about_axis, from_to_rotation, unit};

/// Farther off than this, as a fraction of the chain's length, the passes decide.
pub const STARTS_WITHIN: f32 = 0.1;
/// The squared amplitude changes by no more than this factor in one step.
const BOLDEST: f32 = 16.0;

/// Scales the chain's offsets from the line root → end and swings it to the target, if that comes nearer to it.
pub fn straighten(problem: &Problem, state: &mut State, workspace: &mut Workspace, observer: &mut impl Observer) {
    let bones = problem.chain.bones();
    let root = workspace.root;
    let to_end = state.end() - root;
    let to_target = workspace.target - root;
    let (distance, wanted) = (to_end.length(), to_target.length());
    let Some(line) = unit(to_end) else { return };
    // d(distance) / d(a²) at a = 1: a bone with the part t along the line loses t·(l² − t²) / 2l².
    let mut slope = 0.0;
    for (index, bone) in bones.iter().enumerate() {
        let along = (state.positions[index + 1] - state.positions[index]).dot(line);
        let share = along / bone.length;
        slope -= 0.5 * along * (1.0 - share * share);
    }
    let change = wanted - distance;
    let squared = 1.0 + change / slope;
    let amplitude = if squared.is_finite() { squared.clamp(1.0 / BOLDEST, BOLDEST).sqrt() } else { 1.0 };
    let swing = match problem.settings.plane {
        Some(normal) => from_to_about_axis(to_end, to_target, normal),
        None => from_to_rotation(to_end, to_target),
    };
    let line_after = swing * line;
    let moved = &mut workspace.positions;
    moved.clear();
    let mut position = root;
    for (index, bone) in bones.iter().enumerate() {
        let offset = state.positions[index + 1] - state.positions[index];
        let along = offset.dot(line);
        let across = (offset - line * along) * amplitude;
        let direction = swing * across + line_after * along;
        let squared = direction.length_squared();
        let Some(factor) = (1e-23..1e30).contains(&squared).then(|| bone.length / squared.sqrt()) else { return };
        position += direction * factor;
        moved.push(position);
    }
    let target = workspace.target;
    if position.distance_squared(target) >= state.end().distance_squared(target) {
        return;
    }
    // In space, scaling may turn a slight bend to the wrong side.
    if let Some(normal) = problem.settings.bend_normal {
        let mut before = root;
        for joints in moved.windows(2) {
            if (joints[0] - before).cross(joints[1] - joints[0]).dot(normal) < 0.0 {
                return;
            }
            before = joints[0];
        }
    }
    for (index, &to) in workspace.positions.iter().enumerate() {
        if !move_joint(&mut state.positions, index + 1, to, Cause::Straighten, observer) {
            return;
        }
    }
}
