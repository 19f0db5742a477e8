//! The numbers a stage used, in words.

use super::character::Character;
use super::session::Session;
use glam::Vec3;

use crate::debugger::attribution::cause_label;
use crate::debugger::measure::constraint_label;
use crate::debugger::why::{Reason, Why};
use crate::full_body::bend_constraint::bend_source;
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::names::label;
use crate::full_body::push::push_force;
use crate::full_body::reach::reach_delta;
use crate::full_body::stage2::constraint_rounds;
use crate::full_body::trigonometric::{MAX_LIMB_LENGTH, bend_point};
use crate::full_body::{Cause, Effector, Frame, Move, Node, Stage, State};
use crate::grounding::{Cast, Event, Output, Purpose, Shape, Side};
use crate::rig::LimbName;
use crate::trace_diff::Difference;

/// One line: what, and its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whose numbers they are: gives the mark its colour and shape.
    pub node: Option<Node>,
    pub what: String,
    pub numbers: String,
}

/// `238 mm short: the target is 778 mm from the shoulder, the arm is 540 mm; …`.
pub fn why(why: &Why, character: &Character) -> String {
    format!("{} {}: {}", character.length(why.gap), why.miss.word(), reason(why, character))
}

/// `Moved 340 mm up and 537 mm forward.`, as the character sees it; nothing for a move too small to tell of.
pub fn dragged(by: Vec3, session: &Session) -> String {
    let (root, detection) = (session.motion.root.rotation, &session.character.detection);
    let (forward, left) = (root * detection.facing, root * detection.left);
    let sides =
        [(by.y, "up", "down"), (by.dot(forward), "forward", "back"), (by.dot(left), "to its left", "to its right")];
    let parts = sides.into_iter().filter(|(length, ..)| length.abs() > session.character.height * 5e-4);
    let parts: Vec<String> = parts
        .map(|(length, there, back)| {
            format!("{} {}", session.character.length(length.abs()), if length > 0.0 { there } else { back })
        })
        .collect();
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => format!("Moved {last}."),
        Some((last, rest)) => format!("Moved {} and {last}.", rest.join(", ")),
    }
}

/// The same without how far it is.
pub fn reason(why: &Why, character: &Character) -> String {
    let length = |length: f32| character.length(length);
    let (root, limb) = match why.effector.limb() {
        Some(limb) if limb.is_arm() => ("shoulder", "arm"),
        Some(_) => ("hip", "leg"),
        None => ("body", "body"),
    };
    let reason = match why.reason {
        Reason::TooFar { distance, length: whole } => {
            format!("the target is {} from the {root}, the {limb} is {}", length(distance), length(whole))
        }
        Reason::TooNear { distance, least } => {
            format!("the target is {} from the {root}, the {limb} folds to {}", length(distance), length(least))
        }
        Reason::Weight(weight) => format!("its weight is {weight:.2}, it is not to go all the way"),
        Reason::Mapping(weight) => format!("the mapping weight is {weight:.2}, the pose takes only that much"),
        Reason::Body if why.effector.limb().is_some() => {
            format!("the target is within the {limb}'s reach, the rest of the body holds it back")
        }
        Reason::Body => "the limbs hold the body back".to_owned(),
    };
    match why.cure {
        Some((parameter, value, gap)) => {
            format!("{reason}; {} {value} would bring it to {}", parameter.label(), length(gap))
        }
        None => reason,
    }
}

fn line(node: impl Into<Option<Node>>, what: impl Into<String>, numbers: String) -> Line {
    Line { node: node.into(), what: what.into(), numbers }
}

/// What a stage worked with: `before` is the state it found, `after` the one it left.
pub fn stage_numbers(frame: &Frame, stage: Stage, before: &State, after: &State) -> Vec<Line> {
    let limbs = LimbName::ALL.into_iter();
    let span = |limb: LimbName, state: &State| {
        let [first, _, last] = Node::of_limb(limb);
        state.nodes[first].distance(state.nodes[last])
    };
    let first = |limb| Node::of_limb(limb)[0];
    match stage {
        Stage::Read => {
            let mut lines: Vec<Line> = limbs
                .map(|limb| {
                    let read = frame.limb(limb);
                    let [upper, lower] = read.lengths;
                    let straight = if read.straight { ", straight" } else { "" };
                    line(
                        first(limb),
                        limb.label(),
                        format!("{upper:.3} + {lower:.3}, spans {:.3}{straight}", read.distance),
                    )
                })
                .collect();
            let [x, y, z] = frame.pull_body.to_array();
            lines.push(line(Node::Body, "hands pull the body", format!("[{x:.3}, {y:.3}, {z:.3}]")));
            lines
        }
        Stage::EndEffectors | Stage::FinalEffectors => {
            Effector::END.into_iter().map(|effector| effector_line(frame, effector, before, after)).collect()
        }
        Stage::BodyEffectors | Stage::BodyEffectorsAgain => Effector::ALL
            .into_iter()
            .filter(|effector| effector.limb().is_none())
            .map(|effector| effector_line(frame, effector, before, after))
            .collect(),
        Stage::Push => limbs
            .map(|limb| {
                let read = frame.limb(limb);
                let span = span(limb, before);
                let force = push_force(read, span);
                line(
                    first(limb),
                    limb.label(),
                    match read.push > 0.0 {
                        true => format!("(1 − {span:.3} / {:.3}) → f {force:.3}, push {:.2}", read.distance, read.push),
                        false => "push 0".to_owned(),
                    },
                )
            })
            .collect(),
        Stage::Reach => limbs
            .map(|limb| {
                let read = frame.limb(limb);
                let span = span(limb, before);
                line(
                    first(limb),
                    limb.label(),
                    match read.reach_force > 0.0 {
                        true => format!(
                            "{span:.3} / {:.3}, force {:.2} → δ {:.4}",
                            read.length,
                            read.reach_force,
                            reach_delta(read, span)
                        ),
                        false => "reach force 0".to_owned(),
                    },
                )
            })
            .collect(),
        Stage::Trigonometric | Stage::Bend => limbs
            .map(|limb| {
                let read = frame.limb(limb);
                let base = span(limb, before).min(read.length * MAX_LIMB_LENGTH);
                let numbers = match base > 0.0 {
                    true => {
                        let [along, across] = bend_point(read.lengths, base);
                        format!("base {base:.3}, x {along:.3}, y {across:.3}")
                    }
                    false => "ends meet: left alone".to_owned(),
                };
                let what = match stage {
                    Stage::Bend => format!("{}, {}", limb.label(), bend_source(frame, limb).label()),
                    _ => limb.label().to_owned(),
                };
                line(first(limb), what, numbers)
            })
            .collect(),
        Stage::Stage1 => {
            let mut lines: Vec<Line> = limbs
                .map(|limb| {
                    let read = frame.limb(limb);
                    let share = read.pull / frame.pull_parent_sum;
                    line(
                        first(limb),
                        limb.label(),
                        format!("pull {:.2} / {:.2} = {share:.3}", read.pull, frame.pull_parent_sum),
                    )
                })
                .collect();
            let moved = before.nodes[Node::Body].distance(after.nodes[Node::Body]);
            lines.push(line(Node::Body, "body", format!("pin {:.2}, moved {moved:.4}", frame.pin)));
            lines
        }
        Stage::Stage2 => {
            let mut lines: Vec<Line> = PAIRS
                .iter()
                .zip(&frame.constraints)
                .enumerate()
                .map(|(index, ([a, b], constraint))| {
                    let strain = |state: &State| constraint.strain(state.nodes[*a].distance(state.nodes[*b])) * 100.0;
                    let kind = if constraint.is_rigid() { "rigid" } else { "push-only" };
                    line(
                        None,
                        constraint_label(index),
                        format!("{kind}, {:+.2} → {:+.2} %", strain(before), strain(after)),
                    )
                })
                .collect();
            lines.extend(limbs.map(|limb| {
                let read = frame.limb(limb);
                line(
                    first(limb),
                    format!("body – {}", label(first(limb).key())),
                    format!("{:.3}, cross fade {:.2}", read.root_length, read.cross_fade),
                )
            }));
            lines.push(line(None, "rounds", constraint_rounds(frame.iterations).to_string()));
            lines
        }
    }
}

fn effector_line(frame: &Frame, effector: Effector, before: &State, after: &State) -> Line {
    let settings = frame.effector(effector);
    let node = effector.node();
    let error = |state: &State| state.nodes[node].distance(settings.position);
    let numbers = match settings.position_weight > 0.0 {
        true => format!("w {:.2}, off by {:.4} → {:.4}", settings.position_weight, error(before), error(after)),
        false if settings.maintain_relative_position > 0.0 => {
            format!("w 0, goes with the torso by {:.2}", settings.maintain_relative_position)
        }
        false => "w 0".to_owned(),
    };
    line(node, label(effector.key()), numbers)
}

/// Why a node moved, in words.
pub fn cause(cause: Cause) -> String {
    let when = match cause {
        Cause::ChildConstraint { round: None, .. } => ", stage 1".to_owned(),
        Cause::ChildConstraint { round: Some(round), .. } | Cause::LinearConstraint { round, .. } => {
            format!(", round {} of stage 2", u32::from(round) + 1)
        }
        _ => String::new(),
    };
    format!("{}{when}", cause_label(cause))
}

/// Where two traces part; `apart` is how far, with its unit.
pub fn difference(first: &Difference, apart: &str) -> String {
    let stage = super::render::overlay::step_title(first.step);
    format!("{stage}: {} {apart} apart", label(first.node.key()))
}

/// A move in one sentence; `distance` is how far it went, with its unit.
pub fn moved(moved: &Move, distance: &str) -> String {
    format!("{} {distance}: {}", label(moved.node.key()), cause(moved.cause))
}

/// A move of a chain, in a sentence; `distance` is how far it went, as it is written.
pub fn chain_moved(moved: &crate::chain_ik::Move, distance: &str) -> String {
    use crate::chain_ik::Cause;
    let joint = moved.joint;
    let mut text = match moved.cause {
        Cause::Plane => format!("joint {joint} is laid into the plane: {distance}"),
        Cause::Escape => format!("joint {joint} is bent out of the line: {distance}"),
        Cause::Stretch => format!("joint {joint} is laid out towards the target: {distance}"),
        Cause::Turn => format!("bone {joint} turns, its end points at the target: the end goes {distance}"),
        Cause::ForwardReach => format!("joint {joint} follows the joint after it: {distance}"),
        Cause::Centroid => format!("joint {joint} goes between what its bones want: {distance}"),
        Cause::BackwardReach => format!("joint {joint} follows the joint before it: {distance}"),
        Cause::Limit => format!("joint {joint} is held by its limit: {distance}"),
        Cause::Straighten => format!("joint {joint} goes along as the bend is scaled or the chain folded: {distance}"),
        Cause::TwoBone => format!("joint {joint} is placed by the law of cosines: {distance}"),
        Cause::Map => format!("joint {joint} goes where its bone, within its limit, has it: {distance}"),
    };
    if moved.excess > 0.0 {
        text.push_str(&format!("; the limit took {:.1}° back", moved.excess.to_degrees()));
    }
    text
}
/// How far an output of grounding is from where the frame comes to: both feet and the pelvis together.
pub fn left_to(output: &Output, end: &Output) -> f32 {
    let legs = output.legs.iter().zip(&end.legs);
    let feet: f32 = legs.map(|(own, end)| own.ik_position.distance(end.ik_position)).sum();
    feet + output.pelvis.distance(end.pelvis)
}

/// Whose foot an event is about.
pub fn ground_side(event: &Event) -> Option<Side> {
    match event {
        Event::Cast(cast) => cast.side,
        Event::Predicted { side, .. } => Some(*side),
    }
}

/// How far a cast went, or a foot will go.
pub fn ground_distance(event: &Event) -> f32 {
    match event {
        Event::Cast(Cast { from, to, hit, .. }) => hit.map_or(from.distance(*to), |hit| hit.distance),
        Event::Predicted { from, to, .. } => from.distance(*to),
    }
}

/// What grounding looked for and what it found.
pub fn ground_event(event: &Event, length: impl Fn(f32) -> String) -> String {
    let side = ground_side(event).map_or(String::new(), |side| format!("{} foot, ", ["left", "right"][side as usize]));
    let cast = match event {
        Event::Predicted { from, to, .. } => {
            return format!("{side}predicted {} ahead of where it is", length(from.distance(*to)));
        }
        Event::Cast(cast) => cast,
    };
    let shape = match cast.shape {
        Shape::Ray => "ray".to_owned(),
        Shape::Sphere { radius } => format!("sphere of {}", length(radius)),
        Shape::Capsule { along, radius } => format!("capsule of {}, {} long", length(radius), length(along.length())),
    };
    let what = match cast.purpose {
        Purpose::Root => "ground below the character",
        Purpose::Heel => "under the ankle",
        Purpose::Front => "where it will be",
        Purpose::Side => "beside it",
        Purpose::SoleHeel => "under the turned heel",
        Purpose::SoleMiddle => "under the turned sole",
        Purpose::SoleToe => "under the turned toes",
    };
    let found = match cast.hit {
        None => format!("nothing within {}", length(cast.from.distance(cast.to))),
        Some(hit) => {
            let slope = hit.normal.y.clamp(-1.0, 1.0).acos().to_degrees();
            format!("hit after {}, at height {}, slope {slope:.0}°", length(hit.distance), length(hit.point.y))
        }
    };
    format!("{side}{what}: {shape}, {found}")
}
