//! Formula of a single node move, with symbols and with the numbers of that move. Source: *Full-body notes*.
//!
//! Every line is evaluated from the recorded frame and a state before the move. The last line gives the node's new
//! position, so the formula can be compared with the solve.

mod constraints;
mod effectors;
mod limbs;
mod push_reach;

use glam::Vec3;

use crate::full_body::moves::{Cause, Move};
use crate::full_body::recording::Recording;
use crate::full_body::settings::Smoothing;
use crate::full_body::state::{Frame, State};
use crate::key::label;
use crate::math::{self, ZERO_LENGTH};
use crate::names::{Chain, Effector, Node};
use crate::notation::{Degrees, Expression, Named, Point, Shaping, Sheet, Term, cube, length, sin, square};
use crate::rig::LimbName;

/// Returns the formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move, or if its equation
/// cannot be evaluated, such as for nodes that coincide.
pub fn formula(recording: &Recording, step: usize, index: usize) -> Option<Sheet> {
    let moves = recording.solve.events_of(step);
    let moved = moves.get(index)?;
    let frame = recording.frame_at(step);
    let state = recording.state_within(step, evaluated_before(moves, index))?;
    let own = |cause: Cause| match recording.hooks() {
        Some(hooks) => hooks.shares().iter().filter(|share| cause.is_part(share)).map(|share| share.by).sum(),
        None => Vec3::ZERO,
    };
    let shared: Vec3 = own(moved.cause);
    if let (Cause::Pushed(author), Some(hooks)) = (moved.cause, recording.hooks())
        && let Some(sheet) = hooks.formula(recording.solve.steps[step].step, &frame, &state, author, moved.node)
    {
        return Some(sheet);
    }
    let at = Instant { frame: &frame, state, node: moved.node, sheet: Sheet::default() };
    match moved.cause {
        Cause::BendLimit(limb) => Some(at.bend_limit(limb)),
        Cause::Offset(effector) => Some(at.offset(effector, shared)),
        Cause::SharedOffset(author, effector) => Some(at.shared_offset(author, effector, shared)),
        Cause::Pushed(author) => Some(at.pushed(author, moved.to - moved.from)),
        Cause::Effector(effector) => Some(match effector.limb() {
            Some(limb) => at.end_effector(limb),
            None => at.body_effector(effector),
        }),
        Cause::EffectorChild(effector) => at.effector_child(effector),
        Cause::Push(limb) => at.push(limb),
        Cause::PushParent => at.push_parent(),
        Cause::Reach(limb) => at.reach(limb),
        Cause::Trigonometric(limb) => at.trigonometric(limb),
        Cause::Bend(limb) => at.bend(limb, recording, step),
        Cause::ForwardReach(limb) => at.forward_reach(limb),
        Cause::Centroid => Some(at.centroid()),
        Cause::ChildConstraint { constraint, round } => at.child_constraint(constraint, round),
        Cause::LinearConstraint { limb, round } => at.linear_constraint(limb, round),
        Cause::BackwardReach(limb) => at.backward_reach(limb),
    }
}

/// Returns the index of the move before which the formula takes its values.
fn evaluated_before(moves: &[Move], index: usize) -> usize {
    match moves[index].cause {
        // The push of the body is computed before any limb pushes its first node.
        Cause::PushParent => 0,
        // Both nodes move along one vector, which is computed before the first of them moves.
        Cause::Reach(_) | Cause::ChildConstraint { .. } | Cause::LinearConstraint { .. }
            if index > 0 && moves[index - 1].cause == moves[index].cause =>
        {
            index - 1
        }
        _ => index,
    }
}

pub(super) fn chain_key(limb: LimbName, key: &str) -> String {
    format!("chains.{}.{key}", Chain::from(limb).key())
}

pub(super) fn effector_key(effector: Effector, key: &str) -> String {
    format!("effectors.{}.{key}", effector.key())
}

/// Smoothing curves, in the order of [`Smoothing::ALL`].
const SMOOTHINGS: [Shaping; 3] = [|force| force, square, cube];

/// Curves of 0, 1 and 2 sine iterations for the clamp of the bend limit.
const SINES: [Shaping; 3] = [|clamp| clamp, sine_of, |clamp| sine_of(sine_of(clamp))];

fn sine_of(clamp: Term<f32>) -> Term<f32> {
    sin(Degrees(90.0) * clamp)
}

fn smoothing_sentence(smoothing: Smoothing, path: &str) -> String {
    let how = ["unchanged", "squared", "cubed"][smoothing as usize];
    format!("The smoothing is {}: the force is {how} ({path}).", smoothing.key())
}

/// Adds the lines of a FABRIK joint, `v = p − q` and `s`; returns the position at the bone's length from `other`.
pub(super) fn at_length(
    sheet: &mut Sheet,
    [moving, other]: [Named<Point>; 2],
    bone: Named<f32>,
    [from, to]: [&str; 2],
) -> Term<Point> {
    let v = sheet.define("v", moving - other, format!("Vector from the {from} to the {to}, in model units."));
    let scale = if math::length(v.get()) >= ZERO_LENGTH { bone / length(v) } else { 0.0.term() };
    let s = sheet.define(
        "s",
        scale,
        "The factor that scales v to its length in the animated pose; 0 if its ends coincide.",
    );
    other + v * s
}

struct LimbNames {
    displacement: &'static str,
    vector: &'static str,
    force: &'static str,
    push: &'static str,
    parent: &'static str,
    scale: &'static str,
    root: &'static str,
    distance: &'static str,
    share: &'static str,
}

macro_rules! limb_names {
    ($suffix:literal) => {
        LimbNames {
            displacement: concat!("Δ_", $suffix),
            vector: concat!("v_", $suffix),
            force: concat!("f_", $suffix),
            push: concat!("push_", $suffix),
            parent: concat!("parent_", $suffix),
            scale: concat!("s_", $suffix),
            root: concat!("root_", $suffix),
            distance: concat!("d_", $suffix),
            share: concat!("share_", $suffix),
        }
    };
}

const LIMB_NAMES: [LimbNames; 4] = [limb_names!("la"), limb_names!("ra"), limb_names!("ll"), limb_names!("rl")];

struct Instant<'a> {
    frame: &'a Frame,
    /// The state that the formula starts from.
    state: State,
    node: Node,
    sheet: Sheet,
}

impl Instant<'_> {
    fn place(&self, node: Node) -> Vec3 {
        self.state.node(node)
    }

    fn node(&mut self, name: &'static str, node: Node) -> Named<Point> {
        let meaning = format!("Position of the {} before this move, in model units.", label(node.key()));
        self.sheet.given(name, Point(self.place(node)), meaning)
    }

    fn moved(&mut self, name: &'static str) -> Named<Point> {
        self.node(name, self.node)
    }

    fn master_weight(&mut self) -> Named<f32> {
        self.sheet.given("weight", self.frame.weight, "Master weight of the solve, 0 to 1 (solver.weight).")
    }

    fn position_weight(&mut self, effector: Effector) -> Named<f32> {
        let key = effector_key(effector, "position_weight");
        let meaning =
            format!("Position weight of the effector times the master weight, 0 to 1 ({key} · solver.weight).");
        self.sheet.given("w", self.frame.effector(effector).position_weight, meaning)
    }

    fn target(&mut self, effector: Effector) -> Named<Point> {
        let key = effector_key(effector, "position");
        let meaning = format!(
            "Target of the effector, in model units ({key}); without one, its bone's position in the input pose."
        );
        self.sheet.given("target", Point(self.frame.effector(effector).position), meaning)
    }

    fn lengths(&mut self, limb: LimbName) -> [Named<f32>; 2] {
        let nodes = Node::of_limb(limb).map(|node| label(node.key()));
        let lengths = self.frame.limb(limb).lengths;
        [("upper", 0), ("lower", 1)].map(|(name, bone)| {
            let [from, to] = [&nodes[bone], &nodes[bone + 1]];
            let meaning = format!("Length of the bone {from} – {to} as animated, in model units.");
            self.sheet.given(name, lengths[bone], meaning)
        })
    }

    fn both_lengths(&mut self, limb: LimbName) -> Named<f32> {
        self.sheet.given(
            "length",
            self.frame.limb(limb).length,
            "Length of both bones of the limb together as animated, in model units.",
        )
    }

    fn root(&mut self, name: &'static str, limb: LimbName) -> Named<f32> {
        let first = label(Node::of_limb(limb)[0].key());
        let meaning =
            format!("Root length: distance from the body to the {first} in the animated pose, in model units.");
        self.sheet.given(name, self.frame.limb(limb).root_length, meaning)
    }

    fn first_weight(&mut self, limb: LimbName) -> Named<f32> {
        let effector = Effector::of_node(Node::of_limb(limb)[0]);
        let key = effector.map_or(String::new(), |effector| effector_key(effector, "position_weight"));
        let meaning =
            format!("Position weight on the first node times the master weight, 0 to 1 ({key} · solver.weight).");
        self.sheet.given("w₁", self.frame.limb(limb).first_position_weight, meaning)
    }

    /// Adds the line `v = p₃ − p₁`; returns the limb's first node and v.
    fn span(&mut self, limb: LimbName) -> (Named<Point>, Named<Vec3>) {
        let [first, _, last] = Node::of_limb(limb);
        let (p1, p3) = (self.node("p₁", first), self.node("p₃", last));
        let meaning = format!("Vector from the limb's first node to its last ({}), in model units.", limb.label());
        (p1, self.sheet.define("v", p3 - p1, meaning))
    }
}
