//! Formula of a single node move: symbols, and the numbers of its instant. The symbols are those of *Full-body notes*.
//!
//! Every line is evaluated from the recorded frame and the state before the move. The last line gives the node's new
//! position, so the formula can be compared with the solve.

use glam::{Quat, Vec3};

use super::bend_constraint::{BEND_LIMIT, bend_source};
use super::child_constraint::PAIRS;
use super::moves::{Author, Cause, Move};
use super::push::push_force;
use super::recording::Recording;
use super::settings::Smoothing;
use super::stage2::constraint_rounds;
use super::state::{Frame, State};
use super::trigonometric::MAX_LIMB_LENGTH;
use crate::key::label;
use crate::math::{self, STRAIGHT_SINE, ZERO_LENGTH, clamp_direction, from_to_rotation, sine};
use crate::names::{Chain, Effector, Node};
use crate::notation::{
    Degrees, Expression, Named, Point, Shaping, Sheet, Term, across, angle, clamp, cross, cube, half, identity,
    inverse, length, max, min, mix, mix_vectors, nlerp, sin, slerp, sqrt, square, sum, turn, twice, twist, unit,
};
use crate::rig::LimbName;

/// Returns the formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move.
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
        // Computed before any limb pushed its first node.
        Cause::PushParent => 0,
        // Two nodes move by one vector, computed before the first of them moved.
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
    let v = sheet.define("v", moving - other, format!("From the {from} to the {to}, in model units."));
    let scale = if math::length(v.get()) >= ZERO_LENGTH { bone / length(v) } else { 0.0.term() };
    let s = sheet.define("s", scale, "The factor that gives v the bone's length; 0 for nodes that coincide.");
    other + v * s
}

/// Symbols of the values that each limb has.
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

/// Symbols of each limb, in the order of [`LimbName::ALL`].
const LIMB_NAMES: [LimbNames; 4] = [limb_names!("la"), limb_names!("ra"), limb_names!("ll"), limb_names!("rl")];

/// Span, base and law of cosines: the start of both two-bone formulas.
struct Triangle {
    first: Named<Point>,
    span: Named<Vec3>,
    /// Along the base and across it; `None` for a limb without length.
    bend: Option<[Named<f32>; 2]>,
}

/// Correction of a constraint, and how two nodes share it.
struct Correction {
    /// Vector from the first node to the second, and the fraction by which it is too long.
    v: Named<Vec3>,
    f: Named<f32>,
    /// The first node's share; the second node takes the rest.
    c: Named<f32>,
}

/// Context of a formula, and its lines so far.
struct Instant<'a> {
    frame: &'a Frame,
    /// The state that the formula starts from.
    state: State,
    /// The node that moves.
    node: Node,
    sheet: Sheet,
}

impl Instant<'_> {
    fn place(&self, node: Node) -> Vec3 {
        self.state.node(node)
    }

    /// Adds a node's position under a symbol.
    fn node(&mut self, name: &'static str, node: Node) -> Named<Point> {
        let meaning = format!("Place of the {} as the equation finds it, in model units.", label(node.key()));
        self.sheet.given(name, Point(self.place(node)), meaning)
    }

    /// Adds the position of the node that moves.
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
        let meaning =
            format!("Target of the effector, in model units; without one, its bone in the pose handed in ({key}).");
        self.sheet.given("target", Point(self.frame.effector(effector).position), meaning)
    }

    /// Adds the lengths of a limb's two bones.
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
        self.sheet.given("length", self.frame.limb(limb).length, "Both bones of the limb together, in model units.")
    }

    fn root(&mut self, name: &'static str, limb: LimbName) -> Named<f32> {
        let first = label(Node::of_limb(limb)[0].key());
        let meaning = format!("Root length: from the body to the {first} in the animated pose, in model units.");
        self.sheet.given(name, self.frame.limb(limb).root_length, meaning)
    }

    /// Adds the position weight of the effector on the limb's first node.
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
        let meaning = format!("From the limb's first node to its last ({}), in model units.", limb.label());
        (p1, self.sheet.define("v", p3 - p1, meaning))
    }

    fn bend_limit(mut self, limb: LimbName) -> Sheet {
        let frame = self.frame;
        let [first, second, last] = Node::of_limb(limb);
        let places = [frame.bone(first), frame.bone(second), self.place(last)];
        let [p1, p2, p3] = [("p₁", first, 0), ("p₂", second, 1), ("p₃", last, 2)].map(|(name, node, index)| {
            let meaning = format!("The bone {} as animated, in model units.", label(node.key()));
            self.sheet.given(name, Point(places[index]), meaning)
        });
        let inward = self.sheet.given(
            "inward",
            -frame.limb(limb).default_direction,
            "Unit vector that points into elbow or knee: against the limb's default bend direction.",
        );
        let sheet = &mut self.sheet;
        let q = sheet.given("q", (p3 - p2).get(), "From p₂ to p₃: the limb's second bone as animated, in model units.");
        let alpha = sheet.define("α", angle(q, inward), "Angle between the second bone and inward, in degrees.");
        let clamp_weight = BEND_LIMIT * frame.weight;
        let meaning = "The source's dot, which is not a dot product: 1 along inward, 0 against it. The limit acts up to the \
                       clamp weight, 0.505 times the master weight (solver.weight).";
        let dot = sheet.define("dot", 1.0 - alpha / Degrees(180.0), meaning);
        let smoothing = frame.limb(limb).clamp_smoothing as usize;
        let (_, changed) = clamp_direction(q.get(), inward.get(), clamp_weight, smoothing as u32);
        let mut lower = q;
        if changed {
            let meaning = "Clamp weight: 0.505 times the master weight (solver.weight).";
            let clamp_weight = sheet.given("k", clamp_weight, meaning);
            let meaning = "Target clamp (targetClampMlp in the source): the share of α that remains at the limit.";
            let to_limit = clamp(1.0 - (clamp_weight - dot) / (1.0 - dot), 0.0, 1.0);
            let to_limit = sheet.define("t", to_limit, meaning);
            let meaning = format!(
                "Clamp (clampMlp in the source): 1 at the limit, 0 against inward, so that the limb does not flip there. \
                 Each sine is an iteration of the smoothing ({}).",
                chain_key(limb, "clamp_smoothing")
            );
            let sines: (&[Shaping], usize) = (&SINES, smoothing.min(SINES.len() - 1));
            let steady = sheet.define_on_curve("m", sines, clamp(dot / clamp_weight, 0.0, 1.0), meaning);
            let clamped = turn(q, slerp(inward, q, steady * to_limit)) * q;
            let meaning = "The second bone, turned towards inward up to the limit, in model units.";
            lower = sheet.define("q₁", clamped, meaning);
            sheet.define(
                "γ",
                angle(lower, inward),
                "Angle between the clamped bone and inward, in degrees: m · t · α.",
            );
        }
        let effector = Effector::END[limb.index()];
        if frame.effector(effector).position_weight > 0.0 && sine((p2 - p1).get(), lower.get()) >= STRAIGHT_SINE {
            let weight = self.position_weight(effector);
            let sheet = &mut self.sheet;
            let about = sheet.define(
                "R",
                twist(lower, inward, p2 - p1),
                "The rotation about the first bone after which the limb bends in its default plane, in degrees.",
            );
            let meaning = "The second bone, turned by the end effector's weight, in model units.";
            lower = sheet.define("q₂", nlerp(identity(), about, weight) * lower, meaning);
        }
        self.sheet.end(format!("bend limit, {}", limb.label()), "p₃", p2 + lower)
    }

    fn shared_offset(mut self, author: Author, effector: Effector, by: Vec3) -> Sheet {
        let p = self.moved("p");
        let weight = self.master_weight();
        let of = label(effector.key());
        let meaning = format!("Share of {} in the one-frame offset of {of}, in model units.", author.label());
        let by = self.sheet.given("o", by, meaning);
        self.sheet.end_shifted(format!("{}, offset {of}", author.label()), p, by * weight)
    }

    fn pushed(mut self, author: Author, by: Vec3) -> Sheet {
        let p = self.moved("p");
        let by = self.sheet.given("push", by, format!("Push of {}, in model units.", author.label()));
        let title = format!("{}, {}", author.label(), label(self.node.key()));
        self.sheet.end_shifted(title, p, by)
    }

    /// The offset of the settings alone; modifiers add `shared` to it.
    fn offset(mut self, effector: Effector, shared: Vec3) -> Sheet {
        let frame = self.frame;
        let name = label(self.node.key());
        self.moved("p");
        let meaning = format!("The bone {name} as animated, after the bend limit, in model units.");
        let bone = self.sheet.given("bone", Point(frame.bone(self.node)), meaning);
        let weight = self.master_weight();
        let sheet = &mut self.sheet;
        let key = effector_key(effector, "position_offset");
        let meaning = format!("One-frame offset of the effector, in model units ({key}).");
        let given = |scaled: Vec3| if frame.weight > 0.0 { scaled / frame.weight } else { Vec3::ZERO };
        let body = frame.offset(Node::Body);
        if effector == Effector::Body {
            let own = given(body - frame.pull_body * frame.weight) - shared;
            let own = sheet.given("position_offset", own, meaning);
            let meaning = "Offset that hands out of reach add to the body, in model units \
                           (solver.pull_body_vertical, solver.pull_body_horizontal).";
            let pull = sheet.given("pull_body", frame.pull_body, meaning);
            let pull = sheet.define("h", pull * weight, "Offset by the hands, in model units.");
            let meaning = "Offset of the body and of both thighs, in model units.";
            let offset = sheet.define("o", own * weight + pull, meaning);
            return self.sheet.end(format!("offset body, {name}"), "p", bone + offset);
        }
        let carried = match effector {
            Effector::LeftThigh | Effector::RightThigh => body,
            _ => Vec3::ZERO,
        };
        let own = sheet.given("position_offset", given(frame.offset(self.node) - carried) - shared, meaning);
        let own = sheet.define("o", own * weight, "The effector's offset, in model units.");
        let title = format!("offset {}", label(effector.key()));
        if carried == Vec3::ZERO {
            return self.sheet.end(title, "p", bone + own);
        }
        let meaning = "Offset of the body, which the thighs follow; model units.";
        let carried = sheet.given("o_body", carried, meaning);
        self.sheet.end(title, "p", bone + carried + own)
    }

    fn end_effector(mut self, limb: LimbName) -> Sheet {
        let frame = self.frame;
        let effector = Effector::END[limb.index()];
        let settings = frame.effector(effector);
        let last = effector.node();
        self.node("p₃", last);
        let (target, weight) = (self.target(effector), self.position_weight(effector));
        let meaning = format!("The bone {} as animated, after the bend limit, in model units.", label(last.key()));
        let bone = self.sheet.given("bone₃", Point(frame.bone(last)), meaning);
        let meaning = "One-frame offset of the node, master weight included, in model units.";
        let offset = self.sheet.given("offset", frame.offset(last), meaning);
        let from = match settings.maintain_relative_position > 0.0 {
            false => self.sheet.define("k", bone + offset, "The animated place, in model units."),
            true => {
                let plane = Effector::plane_nodes(limb);
                let q = self.node("q", plane[0]);
                let [a, b, c] = plane.map(|node| label(node.key()));
                let now = math::plane_rotation(plane.map(|node| self.place(node)));
                let sheet = &mut self.sheet;
                let meaning = format!("Rotation of the plane through {a}, {b} and {c} before this move, as its angle.");
                let now = sheet.given("plane", now, meaning);
                let meaning = "The same plane's rotation in the animated pose, as its angle; ⁻¹ reverses it.";
                let was = sheet.given("plane₀", settings.animated_plane.rotation(), meaning);
                let meaning = format!("The bone {a} as animated, in model units.");
                let bone_q = sheet.given("bone_q", Point(frame.bone(plane[0])), meaning);
                let meaning = "bone₃ + offset, in model units.";
                let animated = sheet.given("animated", Point(settings.animated_position), meaning);
                let key = effector_key(effector, "maintain_relative_position");
                let meaning = format!("How much the node follows the torso, 0 to 1 ({key}).");
                let maintained = sheet.given("m", settings.maintain_relative_position, meaning);
                let meaning = "Rotation of the torso plane since the animated pose, in degrees.";
                let turned = sheet.define("R", now * inverse(was), meaning);
                let meaning = "Place to which the torso plane carries the node, in model units.";
                let carried = sheet.define("t", q + turned * (bone - bone_q) + offset, meaning);
                let meaning = "The animated place, carried by the torso with weight m, in model units.";
                sheet.define("k", mix(animated, carried, maintained), meaning)
            }
        };
        let v = self.sheet.define("v", target - from, "From k to the target, in model units.");
        let drawn = self.sheet.define("Δ", v * weight, "Displacement by the effector, in model units.");
        self.sheet.end(format!("effector {}", label(effector.key())), "p₃", from + drawn)
    }

    fn body_effector(mut self, effector: Effector) -> Sheet {
        let (p, target, weight) = (self.moved("p"), self.target(effector), self.position_weight(effector));
        let v = self.sheet.define("v", target - p, "From the node to its target, in model units.");
        let drawn = self.sheet.define("Δ", v * weight, "Displacement in this pass, in model units.");
        self.sheet.end_shifted(format!("effector {}", label(effector.key())), p, drawn)
    }

    fn effector_child(mut self, effector: Effector) -> Option<Sheet> {
        let local = match self.node {
            Node::LeftThigh => self.frame.body_child(LimbName::LeftLeg),
            Node::RightThigh => self.frame.body_child(LimbName::RightLeg),
            _ => return None,
        };
        let thigh = label(self.node.key());
        let (p, body, weight) = (self.moved("p"), self.node("body", effector.node()), self.position_weight(effector));
        let sheet = &mut self.sheet;
        let meaning = format!("From the bone of the body node to the {thigh} as animated, in model units.");
        let local = sheet.given("local", local, meaning);
        let meaning = format!("Place of the {thigh} if it follows the body, in model units.");
        let wanted = sheet.define("k", body + local, meaning);
        let moved = sheet.define("Δ", (wanted - p) * weight, "Displacement towards k, in model units.");
        Some(self.sheet.end_shifted(format!("effector {}, {thigh}", label(effector.key())), p, moved))
    }

    fn push(mut self, limb: LimbName) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let (p1, v) = self.span(limb);
        if push_force(&settings, math::length(v.get())) <= 0.0 {
            return None;
        }
        let sheet = &mut self.sheet;
        let meaning = "Distance of the limb's first node to its last in the animated pose, in model units.";
        let distance = sheet.given("distance", settings.distance, meaning);
        let meaning = format!("How strongly the limb pushes, 0 to 1 ({}).", chain_key(limb, "push"));
        let push = sheet.given("push", settings.push, meaning);
        let [smoothing, _] = settings.smoothings();
        let curve = smoothing as usize;
        let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "push_smoothing"));
        let force = sheet.define_on_curve(
            "f",
            (&SMOOTHINGS, curve),
            1.0 - length(v) / distance,
            format!("How much the limb is compressed, 0 to 1. {smoothing}"),
        );
        let meaning = "The fraction of the limb's length by which it pushes its first node away.";
        let share = sheet.define("s", force * push, meaning);
        let pushed = sheet.define("Δ", -v * share, "The push, in model units.");
        Some(self.sheet.end_shifted(format!("push, {}", limb.label()), p1, pushed))
    }

    fn push_parent(mut self) -> Option<Sheet> {
        let body = self.node("body", Node::Body);
        let mut sum: Option<Term<Vec3>> = None;
        for (limb, names) in LimbName::ALL.into_iter().zip(&LIMB_NAMES) {
            let settings = self.frame.limb(limb);
            let [first, _, last] = Node::of_limb(limb);
            let span = self.place(last) - self.place(first);
            let force = push_force(&settings, math::length(span));
            if settings.push <= 0.0 || force <= 0.0 || settings.push_parent == 0.0 {
                continue;
            }
            let (sheet, label) = (&mut self.sheet, limb.label());
            let meaning = format!("From the first node of the {label} to its last before the push, in model units.");
            let v = sheet.given(names.vector, span, meaning);
            let [smoothing, _] = settings.smoothings();
            let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "push_smoothing"));
            let meaning = format!("How much the {label} is compressed, 0 to 1, as in its own push. {smoothing}");
            let force = sheet.given(names.force, force, meaning);
            let meaning = format!("How strongly the {label} pushes, 0 to 1 ({}).", chain_key(limb, "push"));
            let push = sheet.given(names.push, settings.push, meaning);
            let meaning =
                format!("Share of the push that moves the body, −1 to 1 ({}).", chain_key(limb, "push_parent"));
            let parent = sheet.given(names.parent, settings.push_parent, meaning);
            let meaning = format!("The fraction of its length by which the {label} pushes the body.");
            let scale = sheet.define(names.scale, force * push * parent, meaning);
            let meaning = format!("Push of the body by the {label}, in model units.");
            let passed_on = sheet.define(names.displacement, -v * scale, meaning);
            sum = Some(sum.map_or_else(|| passed_on.term(), |sum| sum + passed_on));
        }
        Some(self.sheet.end_shifted("push, body", body, sum?))
    }

    fn reach(mut self, limb: LimbName) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let (p1, v) = self.span(limb);
        if math::length(v.get()) == 0.0 || settings.reach_force <= 0.0 || settings.length <= 0.0 {
            return None;
        }
        let (both, held) = (self.both_lengths(limb), self.first_weight(limb));
        let sheet = &mut self.sheet;
        let meaning = format!(
            "Reach times the position weight of the end effector, 0 to 1 ({} · {} · solver.weight).",
            chain_key(limb, "reach"),
            effector_key(Effector::END[limb.index()], "position_weight")
        );
        let r = sheet.given("r", settings.reach_force, meaning);
        let stretch = sheet.define("q", length(v) / both, "Stretch of the limb: 1 is straight.");
        let missing = clamp(stretch, (1.0 - r).evaluated(), (1.0 + r).evaluated()) - 1.0;
        let missing = sheet.define("s", missing, "The stretch less 1, clamped to −r to r.");
        let [_, smoothing] = settings.smoothings();
        let curve = smoothing as usize;
        let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "reach_smoothing"));
        let delta = sheet.define_on_curve(
            "δ",
            (&SMOOTHINGS, curve),
            clamp(missing + r, -1.0, 1.0),
            format!("The fraction of its length by which the limb moves outwards. {smoothing}"),
        );
        let outwards = match settings.reach_limit == 1.0 {
            true => v / length(v) * both * clamp(delta, 0.0, length(v)),
            // With scale_free_reach, the limit is the stretch, which does not depend on the unit of length.
            false => v / length(v) * both * clamp(delta, 0.0, length(v) / both),
        };
        let outwards = sheet.define("o", outwards, "Displacement of the limb outwards, in model units.");
        let title = format!("reach, {}: {}", limb.label(), label(self.node.key()));
        if self.node == Node::of_limb(limb)[0] {
            let meaning = "Displacement of the first node, reduced by the weight of its own effector, in model units.";
            let moved = sheet.define("Δ", outwards * (1.0 - held), meaning);
            return Some(self.sheet.end_shifted(title, p1, moved));
        }
        let p3 = self.moved("p₃");
        Some(self.sheet.end_shifted(title, p3, outwards))
    }

    fn triangle(&mut self, limb: LimbName) -> Option<Triangle> {
        let ([upper, lower], both) = (self.lengths(limb), self.both_lengths(limb));
        let (first, span) = self.span(limb);
        if math::length(span.get()) < ZERO_LENGTH {
            return None;
        }
        let sheet = &mut self.sheet;
        let meaning = "Base of the triangle, in model units; limited so that the limb never gets fully straight.";
        let base = sheet.define("s", min(length(span), MAX_LIMB_LENGTH * both), meaning);
        if base.get() <= 0.0 {
            return Some(Triangle { first, span, bend: None });
        }
        let meaning = "Difference of the squared bone lengths, in square model units.";
        let squares = sheet.define("k", square(upper) - square(lower), meaning);
        let meaning = "Place of the second node along the base, in model units (law of cosines).";
        let x = sheet.define("x", (square(base) + squares) / twice(base), meaning);
        let meaning = "Distance of the second node from the base, in model units.";
        let y = sheet.define("y", sqrt(max(0.0, square(upper) - square(x))), meaning);
        Some(Triangle { first, span, bend: Some([x, y]) })
    }

    fn place_across(mut self, limb: LimbName, triangle: &Triangle, bend: Named<Vec3>, title: String) -> Sheet {
        let Triangle { first, span, bend: point } = *triangle;
        self.node("p₂", Node::of_limb(limb)[1]);
        let Some([x, y]) = point else { return self.sheet.end(title, "p₂", first) };
        let mut beside = bend;
        if sine(bend.get(), span.get()) < STRAIGHT_SINE {
            let [from, _, to] = Node::of_limb(limb).map(|node| self.frame.bone(node));
            let turned = from_to_rotation(to - from, span.get()) * self.frame.limb(limb).default_direction;
            let meaning = "The limb's default bend direction, turned with the limb; used because b is parallel to the limb. Unit.";
            beside = self.sheet.given("d", turned, meaning);
        }
        let meaning = "Unit vector across the limb, on the side of b.";
        let t = self.sheet.define("t", across(beside, span), meaning);
        self.sheet.end(title, "p₂", first + unit(span) * x + t * y)
    }

    fn trigonometric(mut self, limb: LimbName) -> Option<Sheet> {
        let triangle = self.triangle(limb)?;
        let p2 = self.node("p₂", Node::of_limb(limb)[1]);
        let meaning = "Bend direction: keeps the limb in the plane of its nodes, in model units.";
        let bend = self.sheet.define("b", p2 - triangle.first, meaning);
        Some(self.place_across(limb, &triangle, bend, format!("trigonometric, {}", limb.label())))
    }

    fn bend(mut self, limb: LimbName, recording: &Recording, step: usize) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let author = recording.author_of(Cause::Bend(limb));
        let triangle = self.triangle(limb)?;
        let goal = settings.goal().filter(|&goal| goal != triangle.first.get().0);
        let given = match (goal, settings.direction()) {
            (Some(goal), _) => {
                let meaning = format!("Pole vector (bend goal), in model units ({}).", chain_key(limb, "bend_goal"));
                Some(unit(self.sheet.given("goal", Point(goal), meaning) - triangle.first))
            }
            (None, Some(direction)) => {
                let found = recording.solve.state_before(step);
                let hooks = recording.hooks().filter(|_| author.is_some());
                let formula =
                    hooks.and_then(|hooks| hooks.bend_formula(limb, found, &recording.frame, &mut self.sheet));
                let meaning = match author {
                    Some(author) => format!("Bend direction set by {}.", author.label()),
                    None => format!("Bend direction, of any length ({}).", chain_key(limb, "bend_direction")),
                };
                Some(unit(match formula {
                    Some(formula) => self.sheet.define("direction", formula, meaning),
                    None => self.sheet.given("direction", direction, meaning),
                }))
            }
            (None, None) => None,
        };
        let source = bend_source(self.frame, limb).label();
        let meaning = format!("Bend direction, mainly from {source}.");
        let weight = settings.bend_weight;
        let bend = match given {
            Some(given) if weight >= 1.0 => given,
            Some(given) if weight > 0.0 => {
                let natural = self.natural_direction(limb);
                let natural = self.sheet.define("n", natural, "Bend direction before goal or given direction.");
                let key = match author {
                    Some(author) => author.label(),
                    None => chain_key(limb, "bend_weight"),
                };
                let meaning = format!("Bend weight times the master weight, 0 to 1 ({key} · solver.weight).");
                let weight = self.sheet.given("w", weight, meaning);
                mix_vectors(unit(natural), given, weight)
            }
            _ => self.natural_direction(limb),
        };
        let bend = self.sheet.define("b", bend, meaning);
        Some(self.place_across(limb, &triangle, bend, format!("bend, {}, {source}", limb.label())))
    }

    /// Adds the bend direction before goal or given direction: animation, effector rotation and torso plane.
    fn natural_direction(&mut self, limb: LimbName) -> Term<Vec3> {
        let (frame, settings) = (self.frame, self.frame.limb(limb));
        let nodes = Node::of_limb(limb);
        let [first, second, last] = nodes.map(|node| frame.bone(node));
        let span = self.place(nodes[2]) - self.place(nodes[0]);
        let sheet = &mut self.sheet;
        let meaning = "The rotation of the limb from the animated pose to v, as its angle.";
        let turn = sheet.given("R", from_to_rotation(last - first, span), meaning);
        let animated = match settings.is_straight() {
            true => {
                let meaning =
                    "The limb's default bend direction; used because the limb is straight in the animated pose.";
                sheet.given("a", settings.default_direction, meaning)
            }
            false => sheet.given("a", second - first, "The limb's first bone as animated, in model units."),
        };
        let mut direction = turn * animated;
        let effector = Effector::END[limb.index()];
        let rotation = frame.effector(effector);
        if rotation.rotation_weight > 0.0 {
            let meaning = "From the limb's first node to its last, in model units.";
            let v = sheet.given("v", span, meaning);
            let key = effector_key(effector, "rotation");
            let meaning = format!("Normal of the limb's plane for the end effector's rotation ({key}).");
            let normal = sheet.given("e", rotation.rotation * settings.default_child, meaning);
            let key = effector_key(effector, "rotation_weight");
            let meaning = format!("Rotation weight times the master weight, 0 to 1 ({key} · solver.weight).");
            let weight = sheet.given("w_r", rotation.rotation_weight, meaning);
            direction = mix_vectors(direction, cross(normal, v), weight);
        }
        let turned = self.state.plane_rotation_offset(limb);
        if turned == Quat::IDENTITY {
            return direction;
        }
        let back = from_to_rotation(turned * span, span);
        let meaning = "The torso plane's rotation without its swing: a twist about v, as its angle.";
        sheet.given("T", back * turned, meaning) * direction
    }

    /// The formula of a node that moves to its bone's length from another node.
    fn joint(mut self, [moving, other]: [(&'static str, Node); 2], bone: Named<f32>, title: &str) -> Sheet {
        let names = [other, moving].map(|(_, node)| label(node.key()));
        let places = [self.node(moving.0, moving.1), self.node(other.0, other.1)];
        let to = at_length(&mut self.sheet, places, bone, [&names[0], &names[1]]);
        self.sheet.end(format!("{title}: {}", names[1]), moving.0, to)
    }

    fn forward_reach(mut self, limb: LimbName) -> Option<Sheet> {
        let [first, second, last] = Node::of_limb(limb);
        let [upper, lower] = self.lengths(limb);
        let title = format!("forward reach, {}", limb.label());
        match self.node {
            node if node == second => Some(self.joint([("p₂", second), ("p₃", last)], lower, &title)),
            node if node == first => Some(self.joint([("p₁", first), ("p₂", second)], upper, &title)),
            _ => None,
        }
    }

    fn backward_reach(mut self, limb: LimbName) -> Option<Sheet> {
        let [first, second, last] = Node::of_limb(limb);
        let ([upper, lower], root) = (self.lengths(limb), self.root("root", limb));
        let title = format!("backward reach, {}", limb.label());
        match self.node {
            node if node == first => Some(self.joint([("p₁", first), ("body", Node::Body)], root, &title)),
            node if node == second => Some(self.joint([("p₂", second), ("p₁", first)], upper, &title)),
            node if node == last => Some(self.joint([("p₃", last), ("p₂", second)], lower, &title)),
            _ => None,
        }
    }

    fn centroid(mut self) -> Sheet {
        let frame = self.frame;
        let body = self.node("body", Node::Body);
        let meaning = "Pull of each limb (chains.left_arm.pull and so on).";
        let pulls = self.sheet.each("pull_i", LimbName::ALL.map(|limb| frame.limb(limb).pull), meaning);
        let total = max(1.0, sum(pulls.iter().map(|pull| pull.term())));
        let total = self.sheet.define("P", total, "Pull parent sum: the limbs' pull, at least 1.");
        let scales = LimbName::ALL.into_iter().zip(&LIMB_NAMES).map(|(limb, names)| {
            let root = self.root(names.root, limb);
            let first = Node::of_limb(limb)[0];
            let distance = math::length(self.place(first) - self.place(Node::Body));
            let (sheet, first) = (&mut self.sheet, label(first.key()));
            let meaning = format!("From the body to the {first} before this move, in model units.");
            let d = sheet.given(names.distance, distance, meaning);
            let key = chain_key(limb, "pull");
            let meaning = format!("Share of the {}: its pull over P, 0 to 1 ({key}).", limb.label());
            let share = sheet.given(names.share, frame.limb(limb).pull / total.get(), meaning);
            let meaning = format!(
                "The fraction of the vector to the {first} by which the {} pulls the body: enough to restore its root \
                 length, times its share.",
                limb.label()
            );
            // Coincident nodes have no direction: the limb wants the body where its first node is.
            let stretch = if distance >= ZERO_LENGTH { (1.0 - root / d) * share } else { share.term() };
            sheet.define(names.scale, stretch, meaning).get()
        });
        let scales: Vec<f32> = scales.collect();
        let firsts = LimbName::ALL.map(|limb| Point(self.place(Node::of_limb(limb)[0])));
        let sheet = &mut self.sheet;
        let pin = sheet.given("pin", frame.pin, "How much the body resists the pull, 0 to 1 (chains.body.pin).");
        let firsts = sheet.each("p_i", firsts, "Place of each limb's first node before this move, in model units.");
        let scales = sheet.each("s_i", scales, "The fraction s of each limb.");
        let moved = sum(firsts.into_iter().zip(scales).map(|(first, scale)| (first - body) * scale));
        let moved = sheet.define("Δ", moved, "Displacement by the pull of all limbs, in model units.");
        self.sheet.end_shifted("centroid, body", body, moved * (1.0 - pin))
    }

    fn child_constraint(mut self, index: u8, round: Option<u8>) -> Option<Sheet> {
        let frame = self.frame;
        let constraint = *frame.child_constraints().get(usize::from(index))?;
        let pair = *PAIRS.get(usize::from(index))?;
        let [a, b] = [self.node("a", pair[0]), self.node("b", pair[1])];
        let sheet = &mut self.sheet;
        let v = sheet.define("v", b - a, "From the first node to the second, in model units.");
        let distance = math::length(v.get());
        if distance < ZERO_LENGTH {
            return None;
        }
        let meaning = "Distance of the two in the animated pose, in model units.";
        let nominal = sheet.given("nominal", constraint.nominal_distance, meaning);
        let meaning = "The fraction of v by which the constraint shortens it; below 0 it lengthens.";
        let strain = 1.0 - nominal / length(v);
        let f = match constraint.is_rigid() {
            true => sheet.define("f", strain, meaning),
            false => {
                let (elasticity, source) = match distance > constraint.nominal_distance {
                    true => (constraint.pull_elasticity, "Pull elasticity: 1, as the constraint only pushes."),
                    false => {
                        (constraint.push_elasticity, "Push elasticity: 1 − spine stiffness (solver.spine_stiffness).")
                    }
                };
                let elasticity = sheet.given("e", elasticity.max(0.0), source);
                let strain = sheet.define("g", strain, "Fraction of v beyond nominal; below 0, v is too short.");
                sheet.define("f", (1.0 - elasticity) * strain, meaning)
            }
        };
        let share = match (constraint.is_rigid(), pair[0].limb(), pair[1].limb()) {
            (true, Some(limb_a), Some(limb_b)) => {
                let [a, b] = [("pull_a", limb_a), ("pull_b", limb_b)].map(|(name, limb)| {
                    let meaning = format!("Pull of the {}, 0 to 1 ({}).", limb.label(), chain_key(limb, "pull"));
                    sheet.given(name, frame.limb(limb).pull, meaning)
                });
                half() - half() * (a - b)
            }
            _ => half(),
        };
        let c = sheet.define("c", share, "Cross fade: the share of the first node in the correction, 0 to 1.");
        let kind = if constraint.is_rigid() { "rigid" } else { "push-only" };
        let title = format!("{kind}, {}, {}", pair_label(pair), round_label(frame, round));
        self.correct([(pair[0], a), (pair[1], b)], &Correction { v, f, c }, title)
    }

    fn linear_constraint(mut self, limb: LimbName, round: u8) -> Option<Sheet> {
        let frame = self.frame;
        let first = Node::of_limb(limb)[0];
        let (body, p1, root) = (self.node("body", Node::Body), self.node("p₁", first), self.root("root", limb));
        let held = self.first_weight(limb);
        let sheet = &mut self.sheet;
        let meaning = format!("From the body to the {}, in model units.", label(first.key()));
        let v = sheet.define("v", p1 - body, meaning);
        if math::length(v.get()) < ZERO_LENGTH {
            return None;
        }
        let meaning = "The fraction of v by which the constraint shortens it; below 0 it lengthens.";
        let f = sheet.define("f", 1.0 - root / length(v), meaning);
        let key = effector_key(Effector::Body, "position_weight");
        let meaning = format!("Position weight of the body times the master weight, 0 to 1 ({key} · solver.weight).");
        let body_weight = sheet.given("w_body", frame.effector(Effector::Body).position_weight, meaning);
        let meaning = "w₁ of each limb.";
        let weights = sheet.each("w_i", LimbName::ALL.map(|limb| frame.limb(limb).first_position_weight), meaning);
        let pulls = sheet.each("pull_i", LimbName::ALL.map(|limb| frame.limb(limb).pull), "pull of each limb.");
        let total = sum(weights.into_iter().zip(pulls).map(|(weight, pull)| weight * pull));
        let meaning = "Weights of the body and of the limbs' first nodes, at least 1.";
        let total = sheet.define("S", max(1.0, body_weight + total), meaning);
        let meaning = format!("Pull of the limb, 0 to 1 ({}).", chain_key(limb, "pull"));
        let pull = sheet.given("pull", frame.limb(limb).pull, meaning);
        let meaning = "Cross fade: the body's share in the correction, 0 to 1.";
        let c = sheet.define("c", held * pull / total, meaning);
        let title = format!("body – {}, {}", label(first.key()), round_label(frame, Some(round)));
        self.correct([(Node::Body, body), (first, p1)], &Correction { v, f, c }, title)
    }

    /// Ends both kinds of constraint formula: the first node moves along `v`, the second against it.
    fn correct(mut self, nodes: [(Node, Named<Point>); 2], by: &Correction, title: String) -> Option<Sheet> {
        let Correction { v, f, c } = *by;
        let meaning = "This node's share of the correction, in model units.";
        match nodes.map(|(node, _)| node == self.node) {
            [true, _] => {
                let moved = self.sheet.define("Δ", v * f * c, meaning);
                Some(self.sheet.end_shifted(title, nodes[0].1, moved))
            }
            [_, true] => {
                let moved = self.sheet.define("Δ", v * f * (1.0 - c), meaning);
                Some(self.sheet.end_shifted_back(title, nodes[1].1, moved))
            }
            _ => None,
        }
    }
}

/// Returns `left – right upper arm`, or both names in full if they differ in more than the side.
fn pair_label([a, b]: [Node; 2]) -> String {
    let (a, b) = (label(a.key()), label(b.key()));
    match (a.split_once(' '), b.split_once(' ')) {
        (Some((side, bone)), Some((_, other))) if bone == other => format!("{side} – {b}"),
        _ => format!("{a} – {b}"),
    }
}

/// Returns `round 2 of 4`; stage 1 has one round.
fn round_label(frame: &Frame, round: Option<u8>) -> String {
    match round {
        Some(round) => format!("round {} of {}", u32::from(round) + 1, constraint_rounds(frame.iterations)),
        None => "stage 1".to_owned(),
    }
}
