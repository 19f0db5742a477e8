//! Intermediate numbers of each stage, for display.

use super::bend_constraint::bend_source;
use super::child_constraint::{PAIRS, constraint_label};
use super::program::Stage;
use super::push::push_force;
use super::reach::reach_delta;
use super::stage2::constraint_rounds;
use super::state::{Frame, State};
use super::trigonometric::{MAX_LIMB_LENGTH, bend_point};
use crate::key::label;
use crate::names::{Effector, Node};
use crate::rig::LimbName;
use crate::stepped::run::{Numbers, Tint, coordinates};

type Length<'a> = &'a dyn Fn(f32) -> String;

fn line(node: impl Into<Option<Node>>, what: impl Into<String>, numbers: String) -> Numbers {
    Numbers { tint: node.into().map_or(Tint::Own, Tint::Node), what: what.into(), numbers }
}

/// Returns the numbers of a stage: a line per limb, effector or constraint, and lines such as the number of rounds;
/// none for the stages of hooks. The states are those before and after the stage. `length` formats lengths.
pub fn stage_numbers(frame: &Frame, stage: Stage, [before, after]: [&State; 2], length: Length) -> Vec<Numbers> {
    let limbs = LimbName::ALL.into_iter();
    let effector = |effector: Effector| effector_line(frame, effector, [before, after], length);
    match stage {
        Stage::Read => {
            let pull = line(Node::Body, "pull body", coordinates(frame.pull_body, length));
            limbs.map(|limb| read_line(frame, limb, length)).chain([pull]).collect()
        }
        Stage::EndEffectors | Stage::FinalEffectors => Effector::END.into_iter().map(effector).collect(),
        Stage::BodyEffectors | Stage::BodyEffectorsAgain => {
            Effector::ALL.into_iter().filter(|effector| effector.limb().is_none()).map(effector).collect()
        }
        Stage::Push => limbs.map(|limb| push_line(frame, limb, before, length)).collect(),
        Stage::Reach => limbs.map(|limb| reach_line(frame, limb, before, length)).collect(),
        Stage::Trigonometric => {
            limbs.map(|limb| line(first(limb), limb.label(), bend(frame, limb, before, length))).collect()
        }
        Stage::Bend => limbs
            .map(|limb| {
                let what = format!("{}, {}", limb.label(), bend_source(frame, before, limb).label());
                line(first(limb), what, bend(frame, limb, before, length))
            })
            .collect(),
        Stage::Stage1 => {
            let moved = before.node(Node::Body).distance(after.node(Node::Body));
            let body = line(Node::Body, "body", format!("pin {:.2}, moved {}", frame.pin, length(moved)));
            limbs.map(|limb| pull_line(frame, limb)).chain([body]).collect()
        }
        Stage::Stage2 => {
            let rounds = line(None, "rounds", constraint_rounds(frame.iterations).to_string());
            let roots = limbs.map(|limb| root_line(frame, limb, length));
            constraint_lines(frame, before, after).chain(roots).chain([rounds]).collect()
        }
        Stage::BeforeSolve
        | Stage::BeforeIteration
        | Stage::AfterIteration
        | Stage::BeforeBend
        | Stage::BeforeWrite => Vec::new(),
    }
}

fn first(limb: LimbName) -> Node {
    Node::of_limb(limb)[0]
}

fn span(limb: LimbName, state: &State) -> f32 {
    let [first, _, last] = Node::of_limb(limb);
    state.node(first).distance(state.node(last))
}

fn read_line(frame: &Frame, limb: LimbName, length: Length) -> Numbers {
    let read = frame.limb(limb);
    let [upper, lower] = read.lengths.map(length);
    let straight = if read.is_straight() { ", straight" } else { "" };
    let numbers = format!("{upper} + {lower}, spans {}{straight}", length(read.distance));
    line(first(limb), limb.label(), numbers)
}

fn push_line(frame: &Frame, limb: LimbName, before: &State, length: Length) -> Numbers {
    let read = frame.limb(limb);
    let span = span(limb, before);
    let force = push_force(&read, span);
    let numbers = match read.push > 0.0 {
        true => {
            let (span, animated) = (length(span), length(read.distance));
            format!("(1 − {span} / {animated}) → f {force:.3}, push {:.2}", read.push)
        }
        false => "push 0".to_owned(),
    };
    line(first(limb), limb.label(), numbers)
}

fn reach_line(frame: &Frame, limb: LimbName, before: &State, length: Length) -> Numbers {
    let read = frame.limb(limb);
    let (span, force) = (span(limb, before), read.reach_force);
    let numbers = match force > 0.0 {
        true => {
            let delta = reach_delta(&read, span);
            format!("{} / {}, force {force:.2} → δ {delta:.4}", length(span), length(read.length))
        }
        false => "reach force 0".to_owned(),
    };
    line(first(limb), limb.label(), numbers)
}

fn bend(frame: &Frame, limb: LimbName, before: &State, length: Length) -> String {
    let read = frame.limb(limb);
    let base = span(limb, before).min(read.length * MAX_LIMB_LENGTH);
    match base > 0.0 {
        true => {
            let [along, across] = bend_point::<f32>(read.lengths, base).map(length);
            format!("base {}, x {along}, y {across}", length(base))
        }
        false => "base 0, no triangle".to_owned(),
    }
}

fn pull_line(frame: &Frame, limb: LimbName) -> Numbers {
    let (pull, sum) = (frame.limb(limb).pull, frame.pull_parent_sum);
    line(first(limb), limb.label(), format!("pull {pull:.2} / {sum:.2} = {:.3}", pull / sum))
}

fn constraint_lines<'a>(frame: &Frame, before: &'a State, after: &'a State) -> impl Iterator<Item = Numbers> + use<'a> {
    PAIRS.iter().zip(frame.child_constraints()).enumerate().map(|(index, ([a, b], constraint))| {
        let strain = |state: &State| constraint.strain(state.node(*a).distance(state.node(*b))) * 100.0;
        let kind = if constraint.is_rigid() { "rigid" } else { "push-only" };
        let numbers = format!("{kind}, {:+.2} → {:+.2} %", strain(before), strain(after));
        line(None, constraint_label(index), numbers)
    })
}

fn root_line(frame: &Frame, limb: LimbName, length: Length) -> Numbers {
    let read = frame.limb(limb);
    let what = format!("body – {}", label(first(limb).key()));
    line(first(limb), what, format!("length {}, body's share {:.2}", length(read.root_length), read.cross_fade))
}

fn effector_line(frame: &Frame, effector: Effector, states: [&State; 2], length: Length) -> Numbers {
    let settings = frame.effector(effector);
    let node = effector.node();
    let [before, after] = states.map(|state| length(state.node(node).distance(settings.position)));
    let numbers = match settings.position_weight > 0.0 {
        true => format!("w {:.2}, off target {before} → {after}", settings.position_weight),
        false if settings.maintain_relative_position > 0.0 => {
            format!("w 0, follows the torso by {:.2}", settings.maintain_relative_position)
        }
        false => "w 0".to_owned(),
    };
    line(node, label(effector.key()), numbers)
}
