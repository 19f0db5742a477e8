//! The equation behind a single move: in the terms of seed 000, and with the numbers of its instant.
//!
//! Every line is evaluated from what the recording holds: the frame and the state before the move. The last line
//! gives the node's new place, so that equation and solve can be held against each other.

use glam::{Quat, Vec3};

use crate::full_body::Recording;
use crate::full_body::bend_constraint::{BEND_LIMIT, bend_direction, bend_source, natural_direction};
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::names::label;
use crate::full_body::push::push_force;
use crate::full_body::reach::reach_delta;
use crate::full_body::stage2::constraint_rounds;
use crate::full_body::state::LimbFrame;
use crate::full_body::trigonometric::{MAX_LIMB_LENGTH, across, bend_point};
use crate::full_body::{Cause, Chain, Effector, Frame, Move, Node, Smoothing, State};
use crate::math::{
    STRAIGHT_SINE, ZERO_LENGTH, angle, clamp_direction, from_to_about_axis, from_to_rotation, length, nlerp, sine,
};
use crate::rig::LimbName;

/// The equation behind one move, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What moved the node: `push, left arm`.
    pub title: String,
    /// In order of evaluation; the last one gives the node's new place.
    pub lines: Vec<Line>,
    /// Every name that occurs in a line's `symbolic`.
    pub symbols: Vec<Symbol>,
    /// The node's new place, evaluated from the unrounded numbers of the lines.
    pub result: Vec3,
}

/// One line of a [`Formula`].
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// `f = (1 − |v| / distance)²`
    pub symbolic: String,
    /// `= (1 − 0.4120 / 0.5380)² = 0.0549`
    pub numeric: String,
    pub value: Value,
}

/// What a line comes to, unrounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A length in model units, or a factor.
    Number(f32),
    /// An angle in degrees.
    Degrees(f32),
    /// A direction or a displacement, model units.
    Vector(Vec3),
    /// A place in model space.
    Point(Vec3),
}

/// A name in a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    pub name: &'static str,
    /// A sentence or two, with the unit; a parameter is followed by its place in a preset.
    pub meaning: String,
    /// Empty for a function, and for what every limb has its own of.
    pub value: String,
}

/// The formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move.
pub fn formula(recording: &Recording, step: usize, index: usize) -> Option<Formula> {
    let moves = recording.solve.events_of(step);
    let moved = moves.get(index)?;
    let at = Instant {
        frame: &recording.frame,
        state: recording.state_within(step, evaluated_before(moves, index))?,
        node: moved.node,
    };
    match moved.cause {
        Cause::BendLimit(limb) => Some(bend_limit(&at, limb)),
        Cause::Offset(effector) => Some(offset(&at, effector)),
        Cause::Effector(effector) => Some(match effector.limb() {
            Some(limb) => end_effector(&at, limb),
            None => body_effector(&at, effector),
        }),
        Cause::EffectorChild(effector) => effector_child(&at, effector),
        Cause::Push(limb) => Some(push(&at, limb)),
        Cause::PushParent => Some(push_parent(&at)),
        Cause::Reach(limb) => Some(reach(&at, limb)),
        Cause::Trigonometric(limb) => Some(trigonometric(&at, limb)),
        Cause::Bend(limb) => Some(bend(&at, limb)),
        Cause::ForwardReach(limb) => forward_reach(&at, limb),
        Cause::Centroid => Some(centroid(&at)),
        Cause::ChildConstraint { constraint, round } => child_constraint(&at, constraint, round),
        Cause::LinearConstraint { limb, round } => Some(linear_constraint(&at, limb, round)),
        Cause::BackwardReach(limb) => backward_reach(&at, limb),
    }
}

/// The names in a line's `symbolic`, in order, as slices of it: what a panel explains when pointed at.
pub fn names_in(symbolic: &str) -> impl Iterator<Item = &str> {
    let belongs = |c: char| (c.is_alphanumeric() && !"¹²³".contains(c)) || c == '_' || c == '′';
    let words = symbolic.split(move |c| !belongs(c));
    // A number in front of a name is a factor of it: `2s`.
    words.map(|word| word.trim_start_matches(char::is_numeric)).filter(|word| !word.is_empty())
}

/// What every function in a formula does.
const FUNCTIONS: [(&str, &str); 10] = [
    ("across", "The unit part of the first vector at right angles to the second; for parallel ones a fixed direction."),
    ("angle", "Angle between the two vectors, in degrees."),
    ("clamp", "The first value, no smaller than the second and no larger than the third."),
    ("cone", "The first vector, turned into the cone about the second that opens by the third to each side."),
    ("max", "The larger of the two."),
    ("min", "The smaller of the two."),
    ("nlerp", "The rotation between the first and the second, by the third; 1 is no rotation."),
    ("twist", "The turn about the third vector that takes the first to the side of the second."),
    ("unit", "The vector at length 1; a zero vector stays zero."),
    ("Σ", "The sum over the four limbs."),
];

/// What a formula is made from.
struct Instant<'a> {
    frame: &'a Frame,
    /// As the equation found it.
    state: State,
    /// The node that moves.
    node: Node,
}

impl Instant<'_> {
    fn place(&self, node: Node) -> Vec3 {
        self.state.nodes[node]
    }

    fn limb(&self, limb: LimbName) -> [Vec3; 3] {
        Node::of_limb(limb).map(|node| self.place(node))
    }
}

/// The move before which the move's equation took its values.
fn evaluated_before(moves: &[Move], index: usize) -> usize {
    let Some(moved) = moves.get(index) else { return index };
    match moved.cause {
        // The body takes the sum of what was found before any limb pushed its first node.
        Cause::PushParent => 0,
        // These move two nodes by one vector, found before the first of them moved.
        Cause::Reach(_) | Cause::ChildConstraint { .. } | Cause::LinearConstraint { .. }
            if index > 0 && moves[index - 1].cause == moved.cause =>
        {
            index - 1
        }
        _ => index,
    }
}

/// A formula in the making.
#[derive(Default)]
pub(crate) struct Draft {
    lines: Vec<Line>,
    symbols: Vec<Symbol>,
}

impl Draft {
    /// A line `name = symbolic`, and what the name stands for. `inserted` is the same with numbers, where that says
    /// more than the value.
    pub(crate) fn define(&mut self, name: &'static str, symbolic: &str, inserted: &str, value: Value, meaning: &str) {
        let separator = if inserted.is_empty() { "" } else { " = " };
        let numeric = format!("= {inserted}{separator}{}", value.text());
        self.lines.push(Line { symbolic: format!("{name} = {symbolic}"), numeric, value });
        self.explain(name, value, meaning);
    }

    /// What a name stands for.
    pub(crate) fn explain(&mut self, name: &'static str, value: Value, meaning: impl Into<String>) {
        self.symbols.push(Symbol { name, meaning: meaning.into(), value: value.text() });
    }

    /// What a name stands for that has no value of its own.
    pub(crate) fn describe(&mut self, name: &'static str, meaning: &str) {
        self.symbols.push(Symbol { name, meaning: meaning.to_owned(), value: String::new() });
    }

    /// A node, by the name it has in the formula.
    fn explain_node(&mut self, name: &'static str, node: Node, at: &Instant) {
        let meaning = format!("Place of the {} as the equation finds it, in model units.", label(node.key()));
        self.explain(name, Value::Point(at.place(node)), meaning);
    }

    /// The lengths of a limb's two bones.
    fn explain_lengths(&mut self, limb: LimbName, settings: &LimbFrame) {
        let [upper, lower] = settings.lengths;
        let [first, second, last] = Node::of_limb(limb).map(|node| label(node.key()));
        let meaning = format!("Length of the bone {first} – {second} as animated, in model units.");
        self.explain("upper", Value::Number(upper), meaning);
        let meaning = format!("Length of the bone {second} – {last} as animated, in model units.");
        self.explain("lower", Value::Number(lower), meaning);
    }

    /// The line that gives the node's new place, and the end of the formula.
    fn finish(self, title: String, symbolic: &str, place: Vec3) -> Formula {
        self.finish_with(&FUNCTIONS, title, symbolic, place)
    }

    /// [`Self::finish`] with functions of the formula's own.
    pub(crate) fn finish_with(
        mut self,
        functions: &[(&'static str, &str)],
        title: String,
        symbolic: &str,
        place: Vec3,
    ) -> Formula {
        let value = Value::Point(place);
        self.lines.push(Line { symbolic: symbolic.to_owned(), numeric: format!("= {}", value.text()), value });
        for &(name, meaning) in functions {
            self.describe(name, meaning);
        }
        let Self { lines, mut symbols } = self;
        symbols.retain(|symbol| lines.iter().flat_map(|line| names_in(&line.symbolic)).any(|name| name == symbol.name));
        Formula { title, lines, symbols, result: place }
    }
}

impl Value {
    /// As a formula shows it: numbers with 4 decimals, coordinates with 3, and fewer where they are large.
    pub fn text(self) -> String {
        match self {
            Self::Number(value) => number(value),
            Self::Degrees(degrees) => format!("{degrees:.1}°"),
            Self::Vector(vector) => format!("{}, length {}", point(vector), number(length(vector))),
            Self::Point(place) => point(place),
        }
    }
}

pub(crate) fn number(value: f32) -> String {
    decimal(value, 4)
}

/// As a term behind an operator.
pub(crate) fn term(value: f32) -> String {
    let text = number(value);
    if text.starts_with('−') { format!("({text})") } else { text }
}

fn point(place: Vec3) -> String {
    let [x, y, z] = place.to_array().map(|coordinate| decimal(coordinate, 3));
    format!("[{x}, {y}, {z}]")
}

/// With a typographic minus, and without a sign where it rounds to zero.
fn decimal(value: f32, decimals: usize) -> String {
    if !value.is_finite() {
        return "too large".to_owned();
    }
    let size = value.abs();
    let text = match size {
        ..100.0 => format!("{size:.decimals$}"),
        ..1e6 => format!("{size:.*}", decimals.saturating_sub(size.log10() as usize - 1)),
        _ => format!("{size:.2e}").replace('-', "−"),
    };
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !is_zero { format!("−{text}") } else { text }
}

fn chain_key(limb: LimbName, key: &str) -> String {
    format!("chains.{}.{key}", Chain::from(limb).key())
}

fn effector_key(effector: Effector, key: &str) -> String {
    format!("effectors.{}.{key}", effector.key())
}

/// How far a rotation turns.
pub(crate) fn degrees(rotation: Quat) -> Value {
    Value::Degrees((2.0 * rotation.xyz().length().atan2(rotation.w.abs())).to_degrees())
}

/// `inner`, smoothed.
fn smoothed(smoothing: Smoothing, inner: &str) -> String {
    match smoothing {
        Smoothing::None => inner.to_owned(),
        Smoothing::Exponential => format!("({inner})²"),
        Smoothing::Cubic => format!("({inner})³"),
    }
}

fn smoothing_sentence(smoothing: Smoothing, path: &str) -> String {
    let how = ["as it is", "squared", "to the third power"][smoothing as usize];
    format!("The smoothing is {}: {how} ({path}).", smoothing.key())
}

fn explain_position_weight(draft: &mut Draft, frame: &Frame, effector: Effector) {
    let meaning = format!(
        "Position weight of the effector times the master weight, 0 to 1 ({} · solver.weight).",
        effector_key(effector, "position_weight")
    );
    draft.explain("w", Value::Number(frame.effector(effector).position_weight), meaning);
}

fn explain_target(draft: &mut Draft, frame: &Frame, effector: Effector) {
    let meaning = format!(
        "Where the effector draws its node, in model units; without a target the bone as handed in ({}).",
        effector_key(effector, "position")
    );
    draft.explain("target", Value::Point(frame.effector(effector).position), meaning);
}

fn bend_limit(at: &Instant, limb: LimbName) -> Formula {
    let frame = at.frame;
    let [first, second, last] = Node::of_limb(limb);
    let (p1, p2, p3) = (frame.bone(first).position, frame.bone(second).position, at.place(last));
    let inward = -frame.limb(limb).default_direction;
    let mut draft = Draft::default();
    for (name, node, place) in [("p₁", first, p1), ("p₂", second, p2), ("p₃", last, p3)] {
        let meaning = format!("The bone {} as animated, in model units.", label(node.key()));
        draft.explain(name, Value::Point(place), meaning);
    }
    draft.explain(
        "inward",
        Value::Vector(inward),
        "Unit vector that points into elbow or knee: against the limb's default bend direction.",
    );
    draft.explain("weight", Value::Number(frame.weight), "Master weight of the solve, 0 to 1 (solver.weight).");

    let q = p3 - p2;
    draft.define("q", "p₃ − p₂", "", Value::Vector(q), "The limb's second bone as animated, in model units.");
    let off = Value::Degrees(angle(q, inward).to_degrees());
    draft.define("α", "angle(q, inward)", "", off, "How far the second bone is from inward, in degrees.");
    let clamp_weight = BEND_LIMIT * frame.weight;
    draft.define(
        "β",
        &format!("180° · (1 − {BEND_LIMIT} · weight)"),
        &format!("180° · (1 − {BEND_LIMIT} · {})", number(frame.weight)),
        Value::Degrees(180.0 * (1.0 - clamp_weight)),
        "The largest α that may stay, in degrees.",
    );
    let (clamped, changed) = clamp_direction(q, inward, clamp_weight, 0);
    let mut lower = if changed { from_to_rotation(q, clamped) * q } else { q };
    let symbolic = if changed { "cone(q, inward, β)" } else { "q" };
    draft.define(
        "q₁",
        symbolic,
        "",
        Value::Vector(lower),
        "The second bone, bent no further than the limit, in model units; where α is below β, as animated.",
    );
    let mut end = "p₃ = p₂ + q₁";
    let effector = Effector::END[limb.index()];
    let position_weight = frame.effector(effector).position_weight;
    let upper = p2 - p1;
    if position_weight > 0.0 && sine(upper, lower) >= STRAIGHT_SINE {
        explain_position_weight(&mut draft, frame, effector);
        let about = from_to_about_axis(lower, inward, upper);
        draft.define(
            "R",
            "twist(q₁, inward, p₂ − p₁)",
            "",
            degrees(about),
            "The turn about the first bone that lets the limb bend in its own plane, in degrees.",
        );
        lower = nlerp(Quat::IDENTITY, about, position_weight) * lower;
        let meaning = "The second bone, turned as far as the end effector has weight, in model units.";
        draft.define("q₂", "nlerp(1, R, w) · q₁", "", Value::Vector(lower), meaning);
        end = "p₃ = p₂ + q₂";
    }
    draft.finish(format!("bend limit, {}", limb.label()), end, p2 + lower)
}

fn offset(at: &Instant, effector: Effector) -> Formula {
    let frame = at.frame;
    let bone = frame.bone(at.node).position;
    let body = frame.offsets[Node::Body];
    let mut draft = Draft::default();
    draft.explain_node("p", at.node, at);
    let meaning = format!("The bone {} as animated, after the bend limit, in model units.", label(at.node.key()));
    draft.explain("bone", Value::Point(bone), meaning);
    draft.explain("weight", Value::Number(frame.weight), "Master weight of the solve, 0 to 1 (solver.weight).");
    let meaning =
        format!("One-frame offset of the effector, in model units ({}).", effector_key(effector, "position_offset"));
    let given = |scaled: Vec3| Value::Vector(if frame.weight > 0.0 { scaled / frame.weight } else { Vec3::ZERO });

    if effector == Effector::Body {
        let pull = frame.pull_body * frame.weight;
        draft.explain("position_offset", given(body - pull), meaning);
        draft.explain(
            "pull_body",
            Value::Vector(frame.pull_body),
            "What hands out of reach add to the body's offset, in model units (solver.pull_body_vertical, \
             solver.pull_body_horizontal).",
        );
        let meaning = "What the hands add, in model units.";
        draft.define("h", "pull_body · weight", "", Value::Vector(pull), meaning);
        let meaning = "Offset of the body and of both thighs, in model units.";
        draft.define("o", "position_offset · weight + h", "", Value::Vector(body), meaning);
        let title = format!("offset body, {}", label(at.node.key()));
        return draft.finish(title, "p = bone + o", bone + body);
    }
    let title = format!("offset {}", label(effector.key()));
    let carried = match effector {
        Effector::LeftThigh | Effector::RightThigh => body,
        _ => Vec3::ZERO,
    };
    let own = frame.offsets[at.node] - carried;
    draft.explain("position_offset", given(own), meaning);
    draft.define("o", "position_offset · weight", "", Value::Vector(own), "The effector's offset, in model units.");
    if carried == Vec3::ZERO {
        return draft.finish(title, "p = bone + o", bone + own);
    }
    draft.explain("o_body", Value::Vector(carried), "Offset of the body, in which the thighs go along; model units.");
    draft.finish(title, "p = bone + o_body + o", bone + carried + own)
}

fn end_effector(at: &Instant, limb: LimbName) -> Formula {
    let frame = at.frame;
    let effector = Effector::END[limb.index()];
    let settings = frame.effector(effector);
    let last = effector.node();
    let mut draft = Draft::default();
    draft.explain_node("p₃", last, at);
    explain_target(&mut draft, frame, effector);
    explain_position_weight(&mut draft, frame, effector);
    let bone = frame.bone(last).position;
    let meaning = format!("The bone {} as animated, after the bend limit, in model units.", label(last.key()));
    draft.explain("bone₃", Value::Point(bone), meaning);
    let meaning = "One-frame offset of the node, master weight included, in model units.";
    draft.explain("offset", Value::Vector(frame.offsets[last]), meaning);

    let maintained = settings.maintain_relative_position;
    let from = match maintained > 0.0 {
        true => {
            let plane = Effector::plane_nodes(limb);
            let [a, b, c] = plane.map(|node| label(node.key()));
            let meaning = format!("Rotation of the plane through {a}, {b} and {c} before this move, as its angle.");
            let now = Frame::plane_rotation(plane.map(|node| at.place(node)));
            draft.explain("plane", degrees(now), meaning);
            let meaning = "The same plane's rotation in the animated pose, as its angle; ⁻¹ reverses it.";
            draft.explain("plane₀", degrees(settings.animated_plane_rotation), meaning);
            draft.explain_node("q", plane[0], at);
            let bone_q = frame.bone(plane[0]).position;
            let meaning = format!("The bone {a} as animated, in model units.");
            draft.explain("bone_q", Value::Point(bone_q), meaning);
            draft.explain("animated", Value::Point(settings.animated_position), "bone₃ + offset, in model units.");
            let meaning = format!(
                "How much the node goes with the torso, 0 to 1 ({}).",
                effector_key(effector, "maintain_relative_position")
            );
            draft.explain("m", Value::Number(maintained), meaning);

            let turned = now * settings.animated_plane_rotation.conjugate();
            let meaning = "How far the torso plane has turned from the animated pose, in degrees.";
            draft.define("R", "plane · plane₀⁻¹", "", degrees(turned), meaning);
            let carried = at.place(plane[0]) + turned * (bone - bone_q) + frame.offsets[last];
            let meaning = "Where the torso plane carries the node, in model units.";
            draft.define("t", "q + R · (bone₃ − bone_q) + offset", "", Value::Point(carried), meaning);
            let from = settings.animated_position.lerp(carried, maintained);
            let meaning = "The animated place, carried along as far as it is maintained, in model units.";
            draft.define("k", "animated · (1 − m) + t · m", "", Value::Point(from), meaning);
            from
        }
        false => {
            let meaning = "The animated place, in model units.";
            draft.define("k", "bone₃ + offset", "", Value::Point(settings.animated_position), meaning);
            settings.animated_position
        }
    };
    let to_target = settings.position - from;
    draft.define("v", "target − k", "", Value::Vector(to_target), "From there to the target, in model units.");
    let drawn = to_target * settings.position_weight;
    draft.define("Δ", "v · w", "", Value::Vector(drawn), "What the effector adds, in model units.");
    draft.finish(format!("effector {}", label(effector.key())), "p₃ = k + Δ", from + drawn)
}

fn body_effector(at: &Instant, effector: Effector) -> Formula {
    let settings = at.frame.effector(effector);
    let place = at.place(at.node);
    let mut draft = Draft::default();
    draft.explain_node("p", at.node, at);
    explain_target(&mut draft, at.frame, effector);
    explain_position_weight(&mut draft, at.frame, effector);
    let to_target = settings.position - place;
    draft.define("v", "target − p", "", Value::Vector(to_target), "From the node to its target, in model units.");
    let drawn = to_target * settings.position_weight;
    draft.define("Δ", "v · w", "", Value::Vector(drawn), "How far this pass draws the node, in model units.");
    draft.finish(format!("effector {}", label(effector.key())), "p += Δ", place + drawn)
}

fn effector_child(at: &Instant, effector: Effector) -> Option<Formula> {
    let frame = at.frame;
    let local = match at.node {
        Node::LeftThigh => frame.body_children[0],
        Node::RightThigh => frame.body_children[1],
        _ => return None,
    };
    let place = at.place(at.node);
    let body = at.place(effector.node());
    let thigh = label(at.node.key());
    let mut draft = Draft::default();
    draft.explain_node("p", at.node, at);
    draft.explain_node("body", effector.node(), at);
    explain_position_weight(&mut draft, frame, effector);
    let meaning = format!("From the bone of the body node to the {thigh} as animated, in model units.");
    draft.explain("local", Value::Vector(local), meaning);
    let wanted = body + local;
    let meaning = format!("Where the {thigh} is if it goes along with the body, in model units.");
    draft.define("k", "body + local", "", Value::Point(wanted), &meaning);
    let moved = (wanted - place) * frame.effector(effector).position_weight;
    draft.define("Δ", "(k − p) · w", "", Value::Vector(moved), "How far it goes along, in model units.");
    Some(draft.finish(format!("effector {}, {thigh}", label(effector.key())), "p += Δ", place + moved))
}

/// The vector from a limb's first node to its last, as the line `v = p₃ − p₁`.
fn define_span(draft: &mut Draft, at: &Instant, limb: LimbName) -> Vec3 {
    let [first, _, last] = Node::of_limb(limb);
    draft.explain_node("p₁", first, at);
    draft.explain_node("p₃", last, at);
    let span = at.place(last) - at.place(first);
    let meaning = format!("From the limb's first node to its last ({}), in model units.", limb.label());
    draft.define("v", "p₃ − p₁", "", Value::Vector(span), &meaning);
    span
}

fn push(at: &Instant, limb: LimbName) -> Formula {
    let settings = at.frame.limb(limb);
    let [p1, _, _] = at.limb(limb);
    let mut draft = Draft::default();
    let span = define_span(&mut draft, at, limb);
    let meaning = "Distance of the limb's first node to its last in the animated pose, in model units.";
    draft.explain("distance", Value::Number(settings.distance), meaning);
    let meaning = format!("How strongly the limb pushes, 0 to 1 ({}).", chain_key(limb, "push"));
    draft.explain("push", Value::Number(settings.push), meaning);

    let force = push_force(settings, length(span));
    let inserted = format!("1 − {} / {}", number(length(span)), number(settings.distance));
    let meaning = format!(
        "How much the limb is compressed, 0 to 1. {}",
        smoothing_sentence(settings.push_smoothing, &chain_key(limb, "push_smoothing"))
    );
    draft.define(
        "f",
        &smoothed(settings.push_smoothing, "1 − |v| / distance"),
        &smoothed(settings.push_smoothing, &inserted),
        Value::Number(force),
        &meaning,
    );
    let share = force * settings.push;
    let inserted = format!("{} · {}", number(force), number(settings.push));
    let meaning = "The fraction of the limb's length by which it pushes its first node away.";
    draft.define("s", "f · push", &inserted, Value::Number(share), meaning);
    let pushed = -span * share;
    draft.define("Δ", "−v · s", "", Value::Vector(pushed), "The push, in model units.");
    draft.finish(format!("push, {}", limb.label()), "p₁ += Δ", p1 + pushed)
}

/// Names of what each limb has one of.
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

/// In the order of [`LimbName::ALL`].
const LIMB_NAMES: [LimbNames; 4] = [limb_names!("la"), limb_names!("ra"), limb_names!("ll"), limb_names!("rl")];

fn push_parent(at: &Instant) -> Formula {
    let mut draft = Draft::default();
    draft.explain_node("body", Node::Body, at);
    let mut sum = Vec3::ZERO;
    let mut terms: Vec<&str> = Vec::new();
    for (limb, names) in LimbName::ALL.into_iter().zip(&LIMB_NAMES) {
        let settings = at.frame.limb(limb);
        let [p1, _, p3] = at.limb(limb);
        let span = p3 - p1;
        let force = push_force(settings, length(span));
        if settings.push <= 0.0 || force <= 0.0 || settings.push_parent == 0.0 {
            continue;
        }
        let label = limb.label();
        let meaning = format!("From the first node of the {label} to its last before the push, in model units.");
        draft.explain(names.vector, Value::Vector(span), meaning);
        let smoothing = smoothing_sentence(settings.push_smoothing, &chain_key(limb, "push_smoothing"));
        let symbolic = smoothed(settings.push_smoothing, "1 − length / animated length");
        let meaning = format!("How much the {label} is compressed, 0 to 1: {symbolic}. {smoothing}");
        draft.explain(names.force, Value::Number(force), meaning);
        let meaning = format!("How strongly the {label} pushes, 0 to 1 ({}).", chain_key(limb, "push"));
        draft.explain(names.push, Value::Number(settings.push), meaning);
        let meaning = format!("How much of it the body takes, −1 to 1 ({}).", chain_key(limb, "push_parent"));
        draft.explain(names.parent, Value::Number(settings.push_parent), meaning);

        let scale = force * settings.push * settings.push_parent;
        let symbolic = format!("{} · {} · {}", names.force, names.push, names.parent);
        let inserted = format!("{} · {} · {}", number(force), number(settings.push), term(settings.push_parent));
        let meaning = format!("The fraction of its length by which the {label} pushes the body.");
        draft.define(names.scale, &symbolic, &inserted, Value::Number(scale), &meaning);
        let passed_on = -span * scale;
        let meaning = format!("What the {label} passes on to the body, in model units.");
        let symbolic = format!("−{} · {}", names.vector, names.scale);
        draft.define(names.displacement, &symbolic, "", Value::Vector(passed_on), &meaning);
        sum += passed_on;
        terms.push(names.displacement);
    }
    let sum_of = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    draft.finish("push, body".to_owned(), &format!("body += {sum_of}"), at.place(Node::Body) + sum)
}

fn reach(at: &Instant, limb: LimbName) -> Formula {
    let settings = at.frame.limb(limb);
    let mut draft = Draft::default();
    let span = define_span(&mut draft, at, limb);
    let distance = length(span);
    let force = settings.reach_force;
    draft.explain("length", Value::Number(settings.length), "Both bones of the limb together, in model units.");
    let meaning = format!(
        "Reach times the position weight of the end effector, 0 to 1 ({} · {} · solver.weight).",
        chain_key(limb, "reach"),
        effector_key(Effector::END[limb.index()], "position_weight")
    );
    draft.explain("r", Value::Number(force), meaning);
    let effector = Effector::of_node(Node::of_limb(limb)[0]);
    let key = effector.map_or(String::new(), |effector| effector_key(effector, "position_weight"));
    let meaning = format!("Position weight on the first node times the master weight, 0 to 1 ({key} · solver.weight).");
    draft.explain("w₁", Value::Number(settings.first_position_weight), meaning);

    let stretch = if settings.length > 0.0 { distance / settings.length } else { 0.0 };
    let inserted = format!("{} / {}", number(distance), number(settings.length));
    let meaning = "How far the limb is stretched: 1 is straight.";
    draft.define("q", "|v| / length", &inserted, Value::Number(stretch), meaning);
    let (low, high) = (1.0 - force.abs(), 1.0 + force.abs());
    let missing = stretch.clamp(low, high) - 1.0;
    let inserted = format!("clamp({}, {}, {}) − 1", number(stretch), number(low), number(high));
    let meaning = "The stretch as far as reach looks at it, from −r to r.";
    draft.define("s", "clamp(q, 1 − r, 1 + r) − 1", &inserted, Value::Number(missing), meaning);
    let delta = reach_delta(settings, distance);
    let inserted = format!("clamp({} + {}, −1, 1)", number(missing), number(force));
    let meaning = format!(
        "The fraction of its length by which the limb moves outwards. {}",
        smoothing_sentence(settings.reach_smoothing, &chain_key(limb, "reach_smoothing"))
    );
    let power = ["", "²", "³"][settings.reach_smoothing as usize];
    let symbolic = format!("clamp(s + r, −1, 1){power}");
    draft.define("δ", &symbolic, &format!("{inserted}{power}"), Value::Number(delta), &meaning);
    let straight = if distance > 0.0 { span / distance * settings.length } else { Vec3::ZERO };
    let outwards = straight * delta.clamp(0.0, distance);
    let meaning = "How far the limb moves outwards, in model units.";
    draft.define("o", "v / |v| · length · clamp(δ, 0, |v|)", "", Value::Vector(outwards), meaning);
    let title = format!("reach, {}: {}", limb.label(), label(at.node.key()));
    let place = at.place(at.node);
    if at.node == Node::of_limb(limb)[0] {
        let moved = outwards * (1.0 - settings.first_position_weight);
        let meaning = "The first node's part: what its own effector does not hold, in model units.";
        draft.define("Δ", "o · (1 − w₁)", "", Value::Vector(moved), meaning);
        return draft.finish(title, "p₁ += Δ", place + moved);
    }
    draft.finish(title, "p₃ += o", place + outwards)
}

/// Span, stretched base and the law of cosines: what both two-bone passes begin with.
struct Triangle {
    span: Vec3,
    /// Unit vector of the span.
    along: Vec3,
    x: f32,
    y: f32,
}

fn define_triangle(draft: &mut Draft, at: &Instant, limb: LimbName) -> Triangle {
    let settings = at.frame.limb(limb);
    let [upper, lower] = settings.lengths;
    draft.explain_node("p₂", Node::of_limb(limb)[1], at);
    draft.explain_lengths(limb, settings);
    draft.explain("length", Value::Number(settings.length), "Both bones of the limb together, in model units.");
    let span = define_span(draft, at, limb);
    let distance = length(span);
    let along = if distance >= ZERO_LENGTH { span * (1.0 / distance) } else { Vec3::ZERO };
    let base = distance.min(settings.length * MAX_LIMB_LENGTH);
    draft.define(
        "s",
        &format!("min(|v|, {MAX_LIMB_LENGTH} · length)"),
        &format!("min({}, {MAX_LIMB_LENGTH} · {})", number(distance), number(settings.length)),
        Value::Number(base),
        "Base of the triangle, in model units: the limb never gets quite straight.",
    );
    let [x, y] = if base > 0.0 { bend_point(settings.lengths, base) } else { [0.0; 2] };
    let squares = upper * upper - lower * lower;
    let inserted = format!("{}² − {}²", number(upper), number(lower));
    let meaning = "Difference of the bones' squares, in square model units.";
    draft.define("k", "upper² − lower²", &inserted, Value::Number(squares), meaning);
    let inserted = format!("({}² + {}) / {}", number(base), term(squares), number(2.0 * base));
    let meaning = "How far along the base the second node is, in model units (law of cosines).";
    draft.define("x", "(s² + k) / 2s", &inserted, Value::Number(x), meaning);
    let inserted = format!("√max(0, {}² − {}²)", number(upper), term(x));
    let meaning = "How far beside the base the second node is, in model units.";
    draft.define("y", "√max(0, upper² − x²)", &inserted, Value::Number(y), meaning);
    Triangle { span, along, x, y }
}

fn place_across(
    mut draft: Draft,
    at: &Instant,
    limb: LimbName,
    triangle: &Triangle,
    bend: Vec3,
    title: String,
) -> Formula {
    let across = across(at.frame, limb, triangle.span, triangle.along, bend);
    let meaning = "Unit vector beside the limb, to the side of b. Where b lies along the limb, the limb's default bend \
                   direction takes its place.";
    draft.define("t", "across(b, v)", "", Value::Vector(across), meaning);
    let [first, _, _] = at.limb(limb);
    let place = first + triangle.along * triangle.x + across * triangle.y;
    draft.finish(title, "p₂ = p₁ + unit(v) · x + t · y", place)
}

fn trigonometric(at: &Instant, limb: LimbName) -> Formula {
    let mut draft = Draft::default();
    let triangle = define_triangle(&mut draft, at, limb);
    let [p1, p2, _] = at.limb(limb);
    let meaning = "Bend direction: the plane that the nodes are in, in model units.";
    draft.define("b", "p₂ − p₁", "", Value::Vector(p2 - p1), meaning);
    place_across(draft, at, limb, &triangle, p2 - p1, format!("trigonometric, {}", limb.label()))
}

fn bend(at: &Instant, limb: LimbName) -> Formula {
    let settings = at.frame.limb(limb);
    let mut draft = Draft::default();
    let triangle = define_triangle(&mut draft, at, limb);
    let [p1, _, _] = at.limb(limb);
    let goal = settings.bend_goal.filter(|&goal| goal - p1 != Vec3::ZERO);
    let given = match (goal, settings.bend_direction) {
        (Some(goal), _) => {
            let meaning = format!("Bend goal, in model units ({}).", chain_key(limb, "bend_goal"));
            draft.explain("goal", Value::Point(goal), meaning);
            Some("unit(goal − p₁)")
        }
        (None, Some(direction)) => {
            let meaning = format!("Bend direction, of any length ({}).", chain_key(limb, "bend_direction"));
            draft.explain("direction", Value::Vector(direction), meaning);
            Some("unit(direction)")
        }
        (None, None) => None,
    };
    let weight = if given.is_some() { settings.bend_weight } else { 0.0 };
    let direction = bend_direction(at.frame, &at.state, limb);
    let meaning = format!("Bend direction, above all {}.", bend_source(at.frame, limb).label());
    match given {
        Some(given) if weight >= 1.0 => draft.define("b", given, "", Value::Vector(direction), &meaning),
        Some(given) if weight > 0.0 => {
            define_natural(&mut draft, at, limb, "n", "Bend direction without goal or direction.");
            let key = chain_key(limb, "bend_weight");
            let weight_meaning = format!("Bend weight times the master weight, 0 to 1 ({key} · solver.weight).");
            draft.explain("w", Value::Number(weight), weight_meaning);
            let symbolic = format!("unit(n) · (1 − w) + {given} · w");
            draft.define("b", &symbolic, "", Value::Vector(direction), &meaning);
        }
        _ => define_natural(&mut draft, at, limb, "b", &meaning),
    }
    let title = format!("bend, {}, {}", limb.label(), bend_source(at.frame, limb).label());
    place_across(draft, at, limb, &triangle, direction, title)
}

/// The bend direction without goal or direction: of the animation, the effector's rotation and the torso plane.
fn define_natural(draft: &mut Draft, at: &Instant, limb: LimbName, name: &'static str, meaning: &str) {
    let (frame, settings) = (at.frame, at.frame.limb(limb));
    let [first, second, last] = Node::of_limb(limb).map(|node| frame.bone(node).position);
    let [p1, _, p3] = at.limb(limb);
    let span = p3 - p1;
    let turn = from_to_rotation(last - first, span);
    draft.explain("R", degrees(turn), "The rotation of the limb from the animated pose to v, as its angle.");
    match settings.straight {
        true => draft.explain(
            "a",
            Value::Vector(settings.default_direction),
            "The limb's default bend direction, as it is straight in the animated pose.",
        ),
        false => {
            draft.explain("a", Value::Vector(second - first), "The limb's first bone as animated, in model units.");
        }
    }
    let effector = Effector::END[limb.index()];
    let rotation = frame.effector(effector);
    let mut symbolic = "R · a".to_owned();
    if rotation.rotation_weight > 0.0 {
        let key = effector_key(effector, "rotation");
        let direction = -span.cross(rotation.rotation * settings.default_child);
        let meaning = format!("The bend direction that the end effector's rotation asks for ({key}), in model units.");
        draft.explain("e", Value::Vector(direction), meaning);
        let key = effector_key(effector, "rotation_weight");
        let meaning = format!("Rotation weight times the master weight, 0 to 1 ({key} · solver.weight).");
        draft.explain("w_r", Value::Number(rotation.rotation_weight), meaning);
        symbolic = "R · a · (1 − w_r) + e · w_r".to_owned();
    }
    let turned = at.state.plane_rotation_offsets[limb.index()];
    if turned != Quat::IDENTITY {
        let back = from_to_rotation(turned * span, span);
        let meaning = "The twist about v that is left of the torso plane's turn, as its angle.";
        draft.explain("T", degrees(back * turned), meaning);
        symbolic = format!("T · ({symbolic})");
    }
    let natural = natural_direction(frame, &at.state, limb);
    draft.define(name, &symbolic, "", Value::Vector(natural), meaning);
}

/// One end of a bone, drawn towards or away from the other until the bone has its length.
struct Joint {
    /// Name in the formula and node of the end that moves, and of the other.
    moving: (&'static str, Node),
    other: (&'static str, Node),
    /// Name of the length, and the length.
    bone: (&'static str, f32),
}

fn joint(mut draft: Draft, at: &Instant, joint: &Joint, title: &str) -> Formula {
    let ((moving, node), (other, anchor), (bone, bone_length)) = (joint.moving, joint.other, joint.bone);
    draft.explain_node(moving, node, at);
    draft.explain_node(other, anchor, at);
    let between = at.place(node) - at.place(anchor);
    let distance = length(between);
    let meaning = format!("From the {} to the {}, in model units.", label(anchor.key()), label(node.key()));
    draft.define("v", &format!("{moving} − {other}"), "", Value::Vector(between), &meaning);
    let meaning = "The factor that gives v the bone's length; 0 for nodes that coincide.";
    let scale = match distance >= ZERO_LENGTH {
        true => {
            let inserted = format!("{} / {}", number(bone_length), number(distance));
            let scale = bone_length / distance;
            draft.define("s", &format!("{bone} / |v|"), &inserted, Value::Number(scale), meaning);
            scale
        }
        false => {
            draft.define("s", "0", "", Value::Number(0.0), meaning);
            0.0
        }
    };
    let place = at.place(anchor) + between * scale;
    let title = format!("{title}: {}", label(node.key()));
    draft.finish(title, &format!("{moving} = {other} + v · s"), place)
}

fn forward_reach(at: &Instant, limb: LimbName) -> Option<Formula> {
    let settings = at.frame.limb(limb);
    let [first, second, last] = Node::of_limb(limb);
    let [upper, lower] = settings.lengths;
    let parts = match at.node {
        node if node == second => Joint { moving: ("p₂", second), other: ("p₃", last), bone: ("lower", lower) },
        node if node == first => Joint { moving: ("p₁", first), other: ("p₂", second), bone: ("upper", upper) },
        _ => return None,
    };
    let mut draft = Draft::default();
    draft.explain_lengths(limb, settings);
    Some(joint(draft, at, &parts, &format!("forward reach, {}", limb.label())))
}

fn backward_reach(at: &Instant, limb: LimbName) -> Option<Formula> {
    let settings = at.frame.limb(limb);
    let [first, second, last] = Node::of_limb(limb);
    let [upper, lower] = settings.lengths;
    let root = settings.root_length;
    let parts = match at.node {
        node if node == first => Joint { moving: ("p₁", first), other: ("body", Node::Body), bone: ("root", root) },
        node if node == second => Joint { moving: ("p₂", second), other: ("p₁", first), bone: ("upper", upper) },
        node if node == last => Joint { moving: ("p₃", last), other: ("p₂", second), bone: ("lower", lower) },
        _ => return None,
    };
    let mut draft = Draft::default();
    draft.explain_lengths(limb, settings);
    explain_root(&mut draft, "root", limb, settings);
    Some(joint(draft, at, &parts, &format!("backward reach, {}", limb.label())))
}

fn explain_root(draft: &mut Draft, name: &'static str, limb: LimbName, settings: &LimbFrame) {
    let first = label(Node::of_limb(limb)[0].key());
    let meaning = format!("Root length: from the body to the {first} in the animated pose, in model units.");
    draft.explain(name, Value::Number(settings.root_length), meaning);
}

fn centroid(at: &Instant) -> Formula {
    let frame = at.frame;
    let body = at.place(Node::Body);
    let mut draft = Draft::default();
    draft.explain_node("body", Node::Body, at);
    let meaning = "Sum of the limbs' pull (chains.left_arm.pull and so on).";
    let pull: f32 = frame.limbs.iter().map(|limb| limb.pull).sum();
    draft.explain("pull", Value::Number(pull), meaning);
    let sum = frame.pull_parent_sum;
    let inserted = format!("max(1, {})", number(pull));
    let meaning = "Pull parent sum: the limbs' pull, at least 1.";
    draft.define("P", "max(1, Σ pull)", &inserted, Value::Number(sum), meaning);
    let mut moved = Vec3::ZERO;
    for (limb, names) in LimbName::ALL.into_iter().zip(&LIMB_NAMES) {
        let settings = frame.limb(limb);
        let [first, _, _] = at.limb(limb);
        let first_label = label(Node::of_limb(limb)[0].key());
        let between = first - body;
        let distance = length(between);
        let share = settings.pull / sum;
        explain_root(&mut draft, names.root, limb, settings);
        let meaning = format!("From the body to the {first_label} before this move, in model units.");
        draft.explain(names.distance, Value::Number(distance), meaning);
        let key = chain_key(limb, "pull");
        let meaning = format!("Share of the {}: its pull over P, 0 to 1 ({key}).", limb.label());
        draft.explain(names.share, Value::Number(share), meaning);
        // Nodes that coincide have no direction: the body is wanted where the limb's first node is.
        let stretch = if distance >= ZERO_LENGTH { 1.0 - settings.root_length / distance } else { 1.0 };
        let symbolic = format!("(1 − {} / {}) · {}", names.root, names.distance, names.share);
        let inserted = format!("(1 − {} / {}) · {}", number(settings.root_length), number(distance), number(share));
        let meaning = format!(
            "The fraction of the way to the {first_label} by which the {} pulls the body: until its root length is \
             restored, by its share.",
            limb.label()
        );
        draft.define(names.scale, &symbolic, &inserted, Value::Number(stretch * share), &meaning);
        moved += between * (stretch * share);
    }
    let meaning = "How much the body resists the pull, 0 to 1 (chains.body.pin).";
    draft.explain("pin", Value::Number(frame.pin), meaning);
    draft.describe("p_i", "Place of each limb's first node before this move, in model units.");
    draft.describe("s_i", "The fraction above, of each limb.");
    let meaning = "What all limbs together want, in model units.";
    draft.define("Δ", "Σ (p_i − body) · s_i", "", Value::Vector(moved), meaning);
    let moved = moved * (1.0 - frame.pin);
    draft.finish("centroid, body".to_owned(), "body += Δ · (1 − pin)", body + moved)
}

/// `left – right upper arm`, or both in full where they differ in more than the side.
fn pair_label([a, b]: [Node; 2]) -> String {
    let (a, b) = (label(a.key()), label(b.key()));
    match (a.split_once(' '), b.split_once(' ')) {
        (Some((side, bone)), Some((_, other))) if bone == other => format!("{side} – {b}"),
        _ => format!("{a} – {b}"),
    }
}

/// `round 2 of 4`; in stage 1 there is but one.
fn round_label(frame: &Frame, round: Option<u8>) -> String {
    match round {
        Some(round) => format!("round {} of {}", u32::from(round) + 1, constraint_rounds(frame.iterations)),
        None => "stage 1".to_owned(),
    }
}

fn child_constraint(at: &Instant, index: u8, round: Option<u8>) -> Option<Formula> {
    let frame = at.frame;
    let constraint = frame.constraints.get(usize::from(index))?;
    let pair = *PAIRS.get(usize::from(index))?;
    let [a, b] = pair;
    let is_first = at.node == a;
    if !is_first && at.node != b {
        return None;
    }
    let mut draft = Draft::default();
    draft.explain_node("a", a, at);
    draft.explain_node("b", b, at);
    let nominal = constraint.nominal_distance;
    draft.explain("nominal", Value::Number(nominal), "Distance of the two in the animated pose, in model units.");
    let between = at.place(b) - at.place(a);
    let distance = length(between);
    draft.define("v", "b − a", "", Value::Vector(between), "From the first node to the second, in model units.");

    let force = constraint.force(distance);
    let ratio = format!("1 − {} / {}", number(nominal), number(distance));
    let rigid = constraint.is_rigid();
    let meaning = "The fraction of v by which the constraint shortens it; below 0 it lengthens.";
    match rigid {
        true => draft.define("f", "1 − nominal / |v|", &ratio, Value::Number(force), meaning),
        false => {
            let (elasticity, source) = match distance > nominal {
                true => (constraint.pull_elasticity, "Pull elasticity: 1, as the constraint only pushes."),
                false => (constraint.push_elasticity, "Push elasticity: 1 − spine stiffness (solver.spine_stiffness)."),
            };
            let (elasticity, strain) =
                (elasticity.max(0.0), if distance >= ZERO_LENGTH { 1.0 - nominal / distance } else { 0.0 });
            draft.explain("e", Value::Number(elasticity), source);
            let source = "How much of v is beyond nominal; below 0 v falls short.";
            draft.define("g", "1 − nominal / |v|", &ratio, Value::Number(strain), source);
            let inserted = format!("(1 − {}) · {}", number(elasticity), term(strain));
            draft.define("f", "(1 − e) · g", &inserted, Value::Number(force), meaning);
        }
    }
    let fade = constraint.cross_fade;
    let meaning = "Cross fade: the share of the first node in the correction, 0 to 1.";
    match (rigid, a.limb(), b.limb()) {
        (true, Some(limb_a), Some(limb_b)) => {
            let [pull_a, pull_b] = [limb_a, limb_b].map(|limb| frame.limb(limb).pull);
            for (name, limb, pull) in [("pull_a", limb_a, pull_a), ("pull_b", limb_b, pull_b)] {
                let meaning = format!("Pull of the {}, 0 to 1 ({}).", limb.label(), chain_key(limb, "pull"));
                draft.explain(name, Value::Number(pull), meaning);
            }
            let inserted = format!("½ − ½ · ({} − {})", number(pull_a), number(pull_b));
            draft.define("c", "½ − ½ · (pull_a − pull_b)", &inserted, Value::Number(fade), meaning);
        }
        _ => draft.define("c", "½", "", Value::Number(fade), meaning),
    }
    let kind = if rigid { "rigid" } else { "push-only" };
    let title = format!("{kind}, {}, {}", pair_label(pair), round_label(frame, round));
    let names = if is_first { "a" } else { "b" };
    Some(correct(draft, at, names, between * force, Share { fade, is_first }, title))
}

/// Who takes how much of a correction.
struct Share {
    /// The first node's.
    fade: f32,
    is_first: bool,
}

/// The end of both kinds of constraint: the first node goes along `v`, the second against it.
fn correct(mut draft: Draft, at: &Instant, name: &str, correction: Vec3, share: Share, title: String) -> Formula {
    let place = at.place(at.node);
    let meaning = "This node's part of the correction, in model units.";
    if share.is_first {
        let moved = correction * share.fade;
        draft.define("Δ", "v · f · c", "", Value::Vector(moved), meaning);
        return draft.finish(title, &format!("{name} += Δ"), place + moved);
    }
    let moved = correction * (1.0 - share.fade);
    draft.define("Δ", "v · f · (1 − c)", "", Value::Vector(moved), meaning);
    draft.finish(title, &format!("{name} −= Δ"), place - moved)
}

fn linear_constraint(at: &Instant, limb: LimbName, round: u8) -> Formula {
    let frame = at.frame;
    let settings = frame.limb(limb);
    let first = Node::of_limb(limb)[0];
    let mut draft = Draft::default();
    draft.explain_node("body", Node::Body, at);
    draft.explain_node("p₁", first, at);
    explain_root(&mut draft, "root", limb, settings);
    let between = at.place(first) - at.place(Node::Body);
    let distance = length(between);
    let meaning = format!("From the body to the {}, in model units.", label(first.key()));
    draft.define("v", "p₁ − body", "", Value::Vector(between), &meaning);
    let force = if distance >= ZERO_LENGTH { 1.0 - settings.root_length / distance } else { 0.0 };
    let inserted = format!("1 − {} / {}", number(settings.root_length), number(distance));
    let meaning = "The fraction of v by which the constraint shortens it; below 0 it lengthens.";
    draft.define("f", "1 − root / |v|", &inserted, Value::Number(force), meaning);

    let body_weight = frame.effector(Effector::Body).position_weight;
    let weighted: f32 = frame.limbs.iter().map(|limb| limb.first_position_weight * limb.pull).sum();
    let key = effector_key(Effector::Body, "position_weight");
    let meaning = format!("Position weight of the body times the master weight, 0 to 1 ({key} · solver.weight).");
    draft.explain("w_body", Value::Number(body_weight), meaning);
    let key = Effector::of_node(first).map_or(String::new(), |effector| effector_key(effector, "position_weight"));
    let meaning = format!("Position weight on the first node times the master weight, 0 to 1 ({key} · solver.weight).");
    draft.explain("w₁", Value::Number(settings.first_position_weight), meaning);
    let meaning = format!("How strongly the limb pulls, 0 to 1 ({}).", chain_key(limb, "pull"));
    draft.explain("pull", Value::Number(settings.pull), meaning);
    let sum = (body_weight + weighted).max(1.0);
    let inserted = format!("max(1, {} + {})", number(body_weight), number(weighted));
    let meaning = "Weights of the body and of the limbs' first nodes, at least 1.";
    draft.define("S", "max(1, w_body + Σ w₁ · pull)", &inserted, Value::Number(sum), meaning);
    let inserted = format!("{} · {} / {}", number(settings.first_position_weight), number(settings.pull), number(sum));
    let meaning = "Cross fade: the body's share in the correction, 0 to 1.";
    let fade = settings.first_position_weight * settings.pull / sum;
    draft.define("c", "w₁ · pull / S", &inserted, Value::Number(fade), meaning);
    let title = format!("body – {}, {}", label(first.key()), round_label(frame, Some(round)));
    let is_first = at.node == Node::Body;
    let name = if is_first { "body" } else { "p₁" };
    correct(draft, at, name, between * force, Share { fade, is_first }, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_between_numbers_and_signs() {
        let names = |symbolic| names_in(symbolic).collect::<Vec<_>>();
        assert_eq!(names("f = (1 − |v| / distance)²"), ["f", "v", "distance"]);
        assert_eq!(names("x = (s² + k) / 2s"), ["x", "s", "k", "s"]);
        assert_eq!(names("p₁ −= Δ_la · √max(0, plane₀⁻¹) · 0.9999 · ½"), ["p₁", "Δ_la", "max", "plane₀"]);
    }

    #[test]
    fn numbers_are_as_wide_as_the_panel_is() {
        assert_eq!(number(-0.41237), "−0.4124");
        assert_eq!(number(-0.00001), "0.0000");
        assert_eq!(number(123.456_78), "123.457");
        assert_eq!(number(-54_321.5), "−54321.5");
        assert_eq!(number(1.5e12), "1.50e12");
        assert_eq!(point(Vec3::new(1.0, -2.0, 0.0004)), "[1.000, −2.000, 0.000]");
        assert_eq!(Value::Degrees(178.04).text(), "178.0°");
    }
}
