//! Formulas of turns, with their numbers.

use super::moves::{Cause, Turn};
use super::program::{MISSED, WEAKEST};
use super::recording::Recording;
use crate::key::label;
use crate::math::turn_of;
use crate::names::Effector;
use crate::notation::{Degrees, Expression, Point, Sheet, about, fraction, largest, length, square};

pub(super) fn formula(recording: &Recording, step: usize, event: usize) -> Option<Sheet> {
    let moved = recording.solve.events_of(step).get(event)?;
    let mut sheet = Sheet::default();
    if let Cause::Missed(effector) = moved.cause {
        return Some(eased(recording, moved, effector, sheet));
    }
    describe(recording, step, moved, &mut sheet);
    let Some(joint) = moved.joint else {
        let place = sheet.given("p", Point(moved.from), "Position of the pelvis, in model units.");
        let by = sheet.given(
            "s",
            moved.by,
            "Displacement of the pelvis by this term of the sum of squares, in model units.",
        );
        return Some(sheet.end_shifted(title(moved), place, by));
    };
    let name = recording.joints.label(joint);
    let Some((axis, angle)) = turn_of(moved.turn) else {
        let end = sheet.given(
            "e",
            Point(moved.from),
            "End of the bone, which turns by at most 1e-6 radians; in model units.",
        );
        return Some(sheet.end_with(
            title(moved),
            "q",
            end.term(),
            "End of the bone after the update, in model units: unchanged.",
        ));
    };
    let place = sheet.given("p", Point(moved.at), format!("Position of the joint {name}, in model units."));
    let end = sheet.given("e", Point(moved.from), "End of the joint's bone before the rotation, in model units.");
    let axis = sheet.given("u", axis, "Axis of this rotation; unit, model space.");
    let angle = sheet.given("θ", Degrees(angle.to_degrees()), "Angle of this rotation, in degrees.");
    let meaning = "End of the joint's bone after the rotation, in model units.";
    Some(sheet.end_with(title(moved), "q", place + about(axis, angle) * (end - place), meaning))
}

fn eased(recording: &Recording, moved: &Turn, effector: Effector, mut sheet: Sheet) -> Sheet {
    let name = label(effector.key());
    let target = sheet.given(
        "t",
        Point(moved.to),
        format!("Position that {name} should have, by its weight between animated position and target; model units."),
    );
    let place = sheet.given(
        "x",
        Point(moved.from),
        format!("Position of {name}, which is farthest from its target, in model units."),
    );
    let height = sheet.given("h", recording.joints.height(), "Height from ankles to head, in model units.");
    let least = sheet.given("ε", MISSED, "Distance beyond which a target counts as missed, relative to the height.");
    let distance =
        sheet.define("d", length(target - place) / height, "Distance to the target, relative to the height.");
    let meaning = "Factor of the squared weights of the animated pose from now on: rest, trunk and root.";
    sheet.end_with(title(moved), "f", largest(&[square(least / distance), fraction(WEAKEST)]), meaning)
}

fn title(moved: &Turn) -> String {
    format!("least squares: {}", moved.cause.label())
}

/// Adds the weighted residual and its input, if the turn's cause is the position of an effector.
fn describe(recording: &Recording, step: usize, moved: &Turn, sheet: &mut Sheet) {
    let Cause::Position(effector) = moved.cause else { return };
    let before = recording.solve.state_before(step);
    let goal = recording.frame.goals.of(effector);
    let at = recording.joints.place(&before.pose(&recording.frame)).of(goal.joint).position;
    let target = sheet.given(
        "t",
        Point(goal.aim()),
        "Position that the effector should have, by its weight between animated position and target; model units.",
    );
    let place = sheet.given("x", Point(at), "Position of the effector before the iteration, in model units.");
    let height = sheet.given("h", recording.joints.height(), "Height from ankles to head, in model units.");
    let weight = sheet.given(
        "w",
        recording.frame.position_weight(effector),
        "Weight of the effector's position in the sum of squares.",
    );
    let meaning = "Weighted residual of the target: its distance as a fraction of h, times w. The rotation \
                   or shift is this term's share of the solution of the normal equations.";
    sheet.define("r", weight * length(target - place) / height, meaning);
}
