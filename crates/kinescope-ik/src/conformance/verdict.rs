//! The verdict on a port: which of the differences of all cases comes first in a solve, and which are only rounding.

use crate::full_body::constants::known;
use crate::full_body::{Stage, Step};
use crate::trace_diff::{BoneDiff, Place, ROTATION_TOLERANCE, StepDiff, TraceDiff};

use super::rows::first_difference;

/// Returns the index of the difference that comes first in a solve, which is nearest to the bug; of equal ones, the
/// first. Rounding comes after every other difference. `None` if no case differs.
pub fn earliest<'a>(found: impl IntoIterator<Item = &'a TraceDiff>) -> Option<usize> {
    let all = found.into_iter().enumerate();
    let differs = all.filter_map(|(index, diff)| Some((order(first_difference(diff)?, slow_growth(diff)), index)));
    differs.min().map(|(_, index)| index)
}

/// A difference that grows slowly from stage to stage, as rounding does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowGrowth {
    /// The largest distance of a node after the first stage in which any node differs at all, model units.
    pub from: f32,
    /// The largest distance of a node after any stage, model units.
    pub to: f32,
}

/// A difference up to this fraction of the tolerance may be rounding, however fast it grew.
const SMALL: f32 = 0.5;
/// A difference of more than this many tolerances never counts as rounding, even if it grew slowly.
const MOST: f32 = 20.0;
/// The largest ratio of a stage's difference to that of the stages before that counts as slow growth: the trigonometric
/// pass amplifies rounding of a nearly straight limb five to seven times.
const SLOW: f32 = 8.0;

/// If only written bones differ, and only a little, the difference counts as rounding only if a node differs by more
/// than this fraction of the tolerance.
const FELT: f32 = 0.1;

/// Returns how a difference grew if it looks like rounding: after each stage at most eight times the largest difference
/// of the stages before or half the tolerance, and nowhere large. `None` without a difference, for a jump, for a
/// difference that does not grow or that stages do not show, if a constant differs or a stage is missing, and if the
/// first difference is a move or in the input.
pub fn slow_growth(diff: &TraceDiff) -> Option<SlowGrowth> {
    let least = match first_difference(diff)? {
        Place::Step(_, Some(_)) => 0.0,
        // Rotations may exceed their tolerance while the nodes, whose rounding they amplify, are within theirs.
        Place::Write(_, Some(bone)) | Place::Result(bone) if is_small(bone, diff.tolerance) => FELT * diff.tolerance,
        _ => return None,
    };
    if !diff.constants.is_empty() {
        return None;
    }
    let sizes = diff.steps.iter().map(|step| match step {
        StepDiff::Both { largest, .. } => Some(largest.distance),
        StepDiff::OnlyA(_) | StepDiff::OnlyB(_) => None,
    });
    let (mut from, mut most) = (None, 0.0_f32);
    for size in sizes.collect::<Option<Vec<f32>>>()? {
        let may_be = (SLOW * most).max(SMALL * diff.tolerance);
        if size > may_be || size > MOST * diff.tolerance {
            return None;
        }
        if size > 0.0 {
            from.get_or_insert(size);
        }
        most = most.max(size);
    }
    from.filter(|from| *from < most && most > least).map(|from| SlowGrowth { from, to: most })
}

fn is_small(bone: &BoneDiff, tolerance: f32) -> bool {
    bone.distance <= MOST * tolerance && bone.degrees <= MOST * ROTATION_TOLERANCE
}

/// Returns the sort key of a difference: differences that may be rounding last; then by place: input, reading,
/// constants, iterations, last stages, writing, result.
fn order(place: Place, growth: Option<SlowGrowth>) -> (bool, u8, u32, usize) {
    let (part, iteration, within) = match place {
        Place::Rig(_) | Place::Parameter(_) => (0, 0, 0),
        Place::Constant(own) => (2, 0, known().iter().position(|known| known.name == own.name).unwrap_or(0)),
        Place::Step(step, _) => of_step(step),
        Place::Move(own) => of_step(own.step),
        Place::Write(part, _) => (5, 0, part as usize),
        Place::Result(_) => (6, 0, 0),
    };
    (growth.is_some(), part, iteration, within)
}

fn of_step(Step { iteration, stage }: Step) -> (u8, u32, usize) {
    match (iteration, stage) {
        (None, Stage::Read) => (1, 0, 0),
        (Some(iteration), _) => (3, iteration, stage as usize),
        (None, _) => (4, 0, stage as usize),
    }
}
