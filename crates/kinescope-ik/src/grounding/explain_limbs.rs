//! Formulas of the moves of the pelvis and of limbs that grounding solves without the full body.

use glam::Vec3;

use super::limbs::{Frame, LimbGoal, Move, Stage};
use crate::key::label;
use crate::math;
use crate::notation::{Expression, Point, Sheet, across, length, max, min, sqrt, square, unit};
use crate::rig::LimbName;

/// Returns the formula of a move of the pelvis or of the closed form. `None` for a limb with a bone of zero length, if
/// the formula would be inexact, and for a pass of an iterating solver, whose formulas are in
/// [`chain_ik::explain`](crate::chain_ik::explain).
pub(super) fn formula(frame: &Frame, moved: &Move) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    match moved.stage {
        Stage::Pelvis => {
            let p = sheet.given(
                "p",
                Point(moved.from.position),
                "Position of the pelvis, in model units; the whole pose moves with it.",
            );
            let meaning = "Offset of the pelvis by grounding, times its weight and the master weight; model units.";
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

fn bent(mut sheet: Sheet, goal: &LimbGoal, moved: &Move, (limb, index): (LimbName, usize)) -> Option<Sheet> {
    let [upper, lower] = goal.lengths;
    if upper <= 0.0 || lower <= 0.0 {
        return None;
    }
    let title = format!("{}, bone {}", label(Stage::Limb(limb).key()), index + 1);
    let begin = sheet.given("begin", Point(goal.begin), "Position of the limb's first bone, in model units.");
    let place = match index {
        0 => begin.term(),
        _ => {
            let meaning = "Target of the limb's end, blended by its weight with the end as animated on the moved pelvis; \
                           model units.";
            let target = sheet.given("target", Point(goal.target), meaning);
            let [a, b] = [("a", upper, 1), ("b", lower, 2)].map(|(name, length, bone)| {
                sheet.given(name, length, format!("Length of bone {bone}, in model units."))
            });
            let meaning = "Distance from the first bone to the target, limited to the limb's reach; model units.";
            let reached = max(min(length(target - begin), a + b), max(a - b, b - a));
            let c = sheet.define("c", reached, meaning);
            let (along, meaning) = match math::unit(goal.target - goal.begin) {
                Some(_) => (unit(target - begin), "Unit vector from the first bone to the target."),
                None => {
                    let meaning = "Unit vector to the limb's animated end, because the target is on the first bone.";
                    (sheet.given("d", goal.along, meaning).term(), meaning)
                }
            };
            let u = sheet.define("u", along, meaning);
            let is_straight = c.get() >= upper + lower;
            match index {
                1 if is_straight => begin + a * u,
                1 => {
                    let near = match c.get() < 1e-12 {
                        true => 0.0.term(),
                        false => (square(a) + square(c) - square(b)) / (2.0 * c),
                    };
                    let x = sheet.define(
                        "x",
                        near,
                        "Position of the middle joint along u, by the law of cosines; model units.",
                    );
                    let y = sheet.define(
                        "y",
                        sqrt(max(0.0, (a - x) * (a + x))),
                        "Distance of the middle joint from the line along u, in model units.",
                    );
                    let meaning = "Bend direction of elbow or knee: the animated one, blended by weight with a bend goal \
                                   or direction.";
                    let hint = sheet.given("hint", goal.hint, meaning);
                    let side = sheet.define(
                        "s",
                        across(hint, u),
                        "Unit vector orthogonal to u, to the side on which the middle joint is.",
                    );
                    begin + x * u + y * side
                }
                _ => begin + c * u,
            }
        }
    };
    // The formula can be inexact for a limb whose ends coincide, and for the end of a limb whose lower bone is much
    // shorter than the upper one. It is then omitted.
    if place.get().0.distance(moved.to.position) > 1e-4 * (upper + lower) {
        return None;
    }
    Some(placed(sheet, title, moved, index, place))
}

fn placed(
    mut sheet: Sheet,
    title: String,
    moved: &Move,
    index: usize,
    place: impl Expression<Quantity = Point>,
) -> Sheet {
    sheet.given("p", Point(moved.from.position), "Position of the bone before this move, in model units.");
    let r = sheet.given("r", moved.from.rotation, "Rotation of the bone before this move, as an angle.");
    let meaning = match index {
        2 => {
            "Rotation of the end by this move, as an angle: the end turns with the previous bone, then by weights toward \
             its animated rotation and the effector's."
        }
        _ => "Rotation of the bone by this move, as an angle: from its old direction and hinge axis to the new ones.",
    };
    let turn = sheet.given("R", moved.to.rotation * moved.from.rotation.conjugate(), meaning);
    sheet.end_placed(title, ("p", place), ("r", turn * r))
}

/// Returns the formula of the move after an iterating solver's passes, which left the joints at `passed`: the middle
/// joint turns about the limb's line to the side on which it bends. `None` for the middle joint of a limb whose ends
/// coincide or whose bend direction is along its line, and where the formula would be inexact.
pub(super) fn sided(frame: &Frame, moved: &Move, limb: LimbName, passed: &[Vec3]) -> Option<Sheet> {
    let goal = &frame.limbs[limb.index()];
    let index = goal.bones.iter().position(|&bone| bone == moved.bone)?;
    let &[_, middle, end] = passed else { return None };
    let mut sheet = Sheet::default();
    let begin = sheet.given("begin", Point(goal.begin), "Position of the limb's first bone, in model units.");
    let place = match index {
        0 => begin.term(),
        _ => {
            let end =
                sheet.given("end", Point(end), "Position of the limb's end after the solver's passes, in model units.");
            if index == 1 {
                let line = math::unit(end.get().0 - goal.begin)?;
                let joint =
                    sheet.given("m", Point(middle), "Position of the middle joint after the passes, in model units.");
                let meaning = "Bend direction of elbow or knee: the animated one, blended by weight with a bend goal or \
                               direction.";
                let hint = sheet.given("hint", goal.hint, meaning);
                let u = sheet.define("u", unit(end - begin), "Direction of the limb's line; unit.");
                let x = sheet.define("x", (joint - begin) * u, "Position of the middle joint along u, in model units.");
                let y = sheet.define(
                    "y",
                    length(joint - begin - x * u),
                    "Distance of the middle joint from the line along u, in model units.",
                );
                // A hint parallel to the line defines no side.
                if math::sine(line, goal.hint) < math::PARALLEL_SINE {
                    return None;
                }
                let side = sheet.define(
                    "s",
                    across(hint, u),
                    "Unit vector orthogonal to u, to the side on which the middle joint must be.",
                );
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
