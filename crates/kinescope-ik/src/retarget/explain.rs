//! The formulas of a frame, with their numbers.

use glam::{Quat, Vec3};

use super::frame::{RetargetEvent, RetargetFrame, RetargetState, SourcePose};
use super::map::{Alignment, Pair};
use super::pose::PoseEvent;
use crate::grounding::lock::LockEvent;
use crate::names::Side;
use crate::notation::{Expression, Point, Sheet, inverse};

/// Returns the formula of an event; `before` is the state before its step. `None` if the frame lacks the
/// event's source pose, pair or places.
pub fn sheet(frame: &RetargetFrame, before: &RetargetState, event: &RetargetEvent, title: String) -> Option<Sheet> {
    match *event {
        RetargetEvent::Pose(PoseEvent::Turned { pair, .. }) => {
            let source = frame.source.as_ref()?;
            let own = source.map.pairs().get(pair)?;
            let title = format!("{title}, {}", frame.name(pair));
            Some(if before.pose.aligned == 0 { aligned(own, title) } else { turned(source, own, title) })
        }
        RetargetEvent::Pose(PoseEvent::Moved { .. }) => Some(moved(frame.source.as_ref()?, title)),
        RetargetEvent::Foot { side, .. } => foot(frame, side, title),
        RetargetEvent::Hand { side, .. } => hand(frame, side, title),
        RetargetEvent::Lock(event) => Some(locked(event, title)),
    }
}

/// Returns the meaning of a pair's rest difference.
fn rest_difference(pair: &Pair) -> &'static str {
    match pair.alignment {
        Alignment::Same => "Rest difference: none for this bone.",
        Alignment::As(_) => "Rest difference: that of a bone above this one, in model space; as an angle.",
        Alignment::Direction { .. } => {
            "Rest difference: the rotation from the bone's direction at rest to that of the source's bone, in model \
             space; as an angle."
        }
        Alignment::Heading { .. } => {
            "Rest difference: the rotation about up from the horizontal direction of the toes at rest to that of the \
             source's toes, in model space; as an angle."
        }
    }
}

fn aligned(pair: &Pair, title: String) -> Sheet {
    let mut sheet = Sheet::default();
    let align = sheet.given("A", pair.align, rest_difference(pair));
    let rest = sheet.given(
        "R₀′",
        pair.target_rest,
        "Rotation of the character's bone in its rest pose, in model space; as an angle.",
    );
    sheet.end_turned_with(
        title,
        "R′",
        align * rest,
        "New rotation of the character's bone, in model space; as an angle.",
    )
}

fn turned(source: &SourcePose, pair: &Pair, title: String) -> Sheet {
    let mut sheet = Sheet::default();
    let facing = sheet.given(
        "F",
        source.map.turn(),
        "Rotation from the direction that the source faces to the one that the character faces, as an angle.",
    );
    let delta = source.frame().delta(pair);
    let turn = source.map.turn();
    let delta: Quat = turn.conjugate() * delta * turn;
    let meaning = "Rotation of the source's bone since its rest pose, as an angle. If the chains differ in number of \
                   bones, interpolated between two neighbouring bones of the source.";
    let delta = sheet.given("D", delta, meaning);
    let align = sheet.given("A", pair.align, rest_difference(pair));
    let rest = sheet.given(
        "R₀′",
        pair.target_rest,
        "Rotation of the character's bone in its rest pose, in model space; as an angle.",
    );
    let rotation = facing * delta * inverse(facing) * align * rest;
    sheet.end_turned_with(title, "R′", rotation, "New rotation of the character's bone, in model space; as an angle.")
}

fn moved(source: &SourcePose, title: String) -> Sheet {
    let mut sheet = Sheet::default();
    let map = &source.map;
    let [from, rest] = map.pelvis_rests();
    let pelvis = source.frame().pelvis();
    let rest = sheet.given("p₀′", Point(rest), "Position of the character's pelvis in its rest pose, in model units.");
    let k = sheet.given(
        "k",
        map.scale(),
        "Leg length of the character divided by the source's; 1 if either has no complete leg.",
    );
    let way = map.turn() * (pelvis - from);
    let way = Vec3::new(way.x * source.path, way.y, way.z * source.path);
    let meaning = "Displacement of the source's pelvis from its rest pose, in the source's model units, turned to the \
                   character's facing; the horizontal part is multiplied by `path`.";
    let way = sheet.given("d", way, meaning);
    sheet.end_with(title, "p′", rest + way * k, "New position of the character's pelvis, in model units.")
}

fn from_pelvis(frame: &RetargetFrame, goal: Vec3, what: &str, meaning: &str, title: String) -> Sheet {
    let mut sheet = Sheet::default();
    let pelvis = sheet.given("p", Point(frame.pelvis), "Position of the animated pelvis in the world, in model units.");
    let root = sheet.given("R", frame.root.rotation, "Rotation of the character in the world, as an angle.");
    let vector = frame.root.rotation.conjugate() * (goal - frame.pelvis);
    let vector = sheet.given("v", vector, meaning);
    sheet.end_with(title, "goal", pelvis + root * vector, format!("Goal of the {what} in the world, in model units."))
}

fn foot(frame: &RetargetFrame, side: Side, title: String) -> Option<Sheet> {
    let goal = frame.places.foot_goals(&frame.root, frame.pelvis)?[side as usize];
    let meaning = "Vector from the pelvis to the goal, in model units. Along the ground: from the source's pelvis to \
                   its foot, turned to the character's facing and scaled by leg length. Upwards: to the height of the \
                   character's foot at rest, plus the rise of the source's foot from its rest, scaled likewise.";
    Some(from_pelvis(frame, goal, "foot", meaning, title))
}

fn hand(frame: &RetargetFrame, side: Side, title: String) -> Option<Sheet> {
    let goal = frame.places.hand_goals(&frame.root, frame.pelvis)?[side as usize];
    let meaning = "Vector from the source's pelvis to its hand, turned to the character's facing and scaled by leg \
                   length to the character's model units.";
    Some(from_pelvis(frame, goal, "hand", meaning, title))
}

fn locked(event: LockEvent, title: String) -> Sheet {
    let mut sheet = Sheet::default();
    match event {
        LockEvent::Held { from, to, .. } => {
            let held = sheet.given("hold₀", from, "Held offset of the foot in the previous frame, in metres.");
            let meaning = "Change of the held offset in this frame, in metres: cancels the sliding of the sole, or \
                           returns the foot to its goal.";
            let change = sheet.given("Δ", to - from, meaning);
            sheet.end_with(title, "hold", held.term() + change, "Held offset of the foot from its goal, in metres.")
        }
        LockEvent::Lowered(by) => {
            let by = sheet.given("y", by, "Additional offset of the pelvis that a leg needs, in metres.");
            sheet.end_with(title, "lowered", by, "Additional offset of the pelvis, in metres.")
        }
    }
}
