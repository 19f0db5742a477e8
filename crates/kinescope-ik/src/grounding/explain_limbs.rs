//! The equations behind the moves of limbs that are driven alone, with their numbers.

use glam::Vec3;

use super::limbs::{Frame, LimbGoal, Move, Stage};
use crate::key::label;
use crate::math;
use crate::notation::{Expression, Point, Sheet, across, length, max, min, sqrt, square, unit};
use crate::rig::LimbName;

/// The equation behind a move of the pelvis or the closed form: where the bone comes to be, and how it turns. `None` for a
/// limb that has no length, and for a pass of an iterating solver, whose equations are those of chains.
pub(super) fn formula(frame: &Frame, moved: &Move) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    match moved.stage {
        Stage::Pelvis => {
            let p =
                sheet.given("p", Point(moved.from.position), "Where the pelvis is, and all with it, in model units.");
            let meaning = "What grounding moves the pelvis by, times its weight and the master weight; model units.";
            let offset = sheet.given("o", frame.offset, meaning);
            Some(sheet.end_shifted("pelvis", p, offset))
        }
        Stage::Pass(..) => None,
        Stage::Limb(limb) => {
            let goal = &frame.limbs[limb.index()];
            let index = goal.bones.iter().position(|&bone| bone == moved.bone)?;
            bent(sheet, goal, moved, (limb, index))
        }
    }
}

/// The two bones and the way to the target are a triangle.
fn bent(mut sheet: Sheet, goal: &LimbGoal, moved: &Move, (limb, index): (LimbName, usize)) -> Option<Sheet> {
    let [upper, lower] = goal.lengths;
    if upper <= 0.0 || lower <= 0.0 {
        return None;
    }
    let title = format!("{}, bone {}", label(Stage::Limb(limb).key()), index + 1);
    let begin = sheet.given("begin", Point(goal.begin), "Where the limb begins, in model units.");
    let place = match index {
        0 => begin.term(),
        _ => {
            let meaning = "Where the limb's end is to be: its target by its weight, in model units.";
            let target = sheet.given("target", Point(goal.target), meaning);
            let [a, b] = [("a", upper, 1), ("b", lower, 2)].map(|(name, length, bone)| {
                sheet.given(name, length, format!("Length of bone {bone}, in model units."))
            });
            let meaning =
                "How far from its beginning the limb ends: no further than both bones, no nearer than it folds.";
            let reached = max(min(length(target - begin), a + b), max(a - b, b - a));
            let c = sheet.define("c", reached, meaning);
            let along = match math::unit(goal.target - goal.begin) {
                Some(_) => unit(target - begin),
                None => {
                    let meaning = "Towards the limb's end as animated, as the target is where it begins; unit.";
                    sheet.given("d", goal.along, meaning).term()
                }
            };
            let u = sheet.define("u", along, "Towards the target; unit.");
            let is_straight = c.get() >= upper + lower;
            match index {
                1 if is_straight => begin + a * u,
                1 => {
                    let near = match c.get() < 1e-12 {
                        true => 0.0.term(),
                        false => (square(a) + square(c) - square(b)) / (2.0 * c),
                    };
                    let x = sheet.define("x", near, "How far along u the middle joint is, by the law of cosines.");
                    let y = sheet.define("y", sqrt(max(0.0, (a - x) * (a + x))), "How far off u it is.");
                    let meaning =
                        "The way elbow or knee bends: as animated, towards its bend goal or direction by weight.";
                    let hint = sheet.given("hint", goal.hint, meaning);
                    let side = sheet.define("s", across(hint, u), "The side on which it is; unit.");
                    begin + x * u + y * side
                }
                _ => begin + c * u,
            }
        }
    };
    // A limb that folds to nothing, or the shorter bone of very unequal ones, is not by this equation.
    if place.get().0.distance(moved.to.position) > 1e-4 * (upper + lower) {
        return None;
    }
    Some(placed(sheet, title, moved, index, place))
}

/// The last two lines of a bone of a limb.
fn placed(
    mut sheet: Sheet,
    title: String,
    moved: &Move,
    index: usize,
    place: impl Expression<Quantity = Point>,
) -> Sheet {
    sheet.given("p", Point(moved.from.position), "Where the bone is, in model units.");
    let r = sheet.given("r", moved.from.rotation, "The bone's rotation, as its angle.");
    let meaning = match index {
        2 => "What turns it: with bone 2, then back to its animated rotation and to the effector's, by their weights.",
        _ => "What turns it about the limb's hinge, from where the joints were to where they are.",
    };
    let turn = sheet.given("R", moved.to.rotation * moved.from.rotation.conjugate(), meaning);
    sheet.end_placed(title, ("p", place), ("r", turn * r))
}

/// The equation behind a move after an iterating solver's passes, which left the joints at `passed`: the middle one turns
/// about the limb's line to the side on which it bends. `None` for a limb that has no length.
pub(super) fn sided(frame: &Frame, moved: &Move, limb: LimbName, passed: &[Vec3]) -> Option<Sheet> {
    let goal = &frame.limbs[limb.index()];
    let index = goal.bones.iter().position(|&bone| bone == moved.bone)?;
    let &[_, middle, end] = passed else { return None };
    let mut sheet = Sheet::default();
    let begin = sheet.given("begin", Point(goal.begin), "Where the limb begins, in model units.");
    let place = match index {
        0 => begin.term(),
        _ => {
            let end = sheet.given("end", Point(end), "Where the solver's passes left the limb's end, in model units.");
            if index == 1 {
                let line = math::unit(end.get().0 - goal.begin)?;
                let joint = sheet.given("m", Point(middle), "Where the passes left the middle joint, in model units.");
                let meaning = "The way elbow or knee bends: as animated, towards its bend goal or direction by weight.";
                let hint = sheet.given("hint", goal.hint, meaning);
                let u = sheet.define("u", unit(end - begin), "Along the limb's line; unit.");
                let x = sheet.define("x", (joint - begin) * u, "How far along u the middle joint is.");
                let y = sheet.define("y", length(joint - begin - x * u), "How far off u it is.");
                // Where the way is that of the line, the side is by no equation.
                if math::sine(line, goal.hint) < math::PARALLEL_SINE {
                    return None;
                }
                let side = sheet.define("s", across(hint, u), "The side on which it is to be; unit.");
                begin + x * u + y * side
            } else {
                end.term()
            }
        }
    };
    if place.get().0.distance(moved.to.position) > 1e-4 * goal.lengths.iter().sum::<f32>() {
        return None;
    }
    let title = format!("{}, bone {}", label(Stage::Limb(limb).key()), index + 1);
    Some(placed(sheet, title, moved, index, place))
}
