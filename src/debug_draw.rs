//! Drawing without a renderer: what there is to see of a solve, as tagged lines, triangles, points and arrows.
//!
//! An engine implements [`DebugDraw::line`] and has the whole picture; the other primitives have defaults made of
//! lines. Each comes with a [`Subject`] that says what it stands for, so that colour, width and picking are the
//! caller's to decide.

use glam::Vec3;

use crate::full_body::bend_constraint::{BendSource, bend_direction, bend_source};
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::{Effector, Frame, Move, Node, Nodes, State};
use crate::grounding::Side;
use crate::math::{STRAIGHT_SINE, ortho_normalize, sine, unit_or_zero};
use crate::rig::{Biped, LimbName, RigidTransform};

/// What a primitive stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    /// A bone of a limb.
    LimbBone(LimbName),
    /// Clavicles, and thighs to pelvis.
    RootBone(LimbName),
    SpineBone,
    Node(Node),
    /// From a written bone to its node, where that is elsewhere: bones keep their lengths, nodes need not.
    NodeOff(Node),
    /// The triangle of body and shoulders.
    UpperTorso,
    /// The triangle of body and thighs.
    LowerTorso,
    LimbPlane(LimbName),
    /// `strain` is above 0 where the pair is further apart than nominal.
    ChildConstraint {
        index: usize,
        rigid: bool,
        strain: f32,
    },
    BendDirection {
        limb: LimbName,
        source: BendSource,
    },
    BendGoal {
        limb: LimbName,
        weight: f32,
    },
    /// Where an effector wants its node.
    Target {
        effector: Effector,
        weight: f32,
    },
    /// From a node to the target it misses.
    TargetError(Effector),
    /// A node before the current step.
    GhostNode(Node),
    GhostBone(LimbName),
    GhostTorso,
    /// What the current step moved.
    Displacement(Node),
    /// A bone of a chain that is solved by itself.
    ChainBone(usize),
    ChainJoint(usize),
    /// Where such a chain was before.
    GhostChain,
    ChainTarget,
    /// From the chain's end to the target it misses.
    ChainError,
    /// What a step of the chain's solve moved.
    ChainMove,
    /// The range of a bone's limit.
    LimitRange(usize),
    /// A hinge's axis.
    LimitAxis(usize),
    /// Where the bone is in its range.
    LimitNow(usize),
    /// What was asked of a bone beyond its limit.
    LimitViolation,
    /// A shape that a grounder cast, and its way; `side` is `None` for the root. Without a `hit` it met nothing.
    Cast {
        side: Option<Side>,
        hit: bool,
    },
    /// Where a cast met the ground: a point, and an arrow along the ground's normal.
    CastHit(Option<Side>),
    /// Where a foot will shortly be: an arrow to there, and a point.
    PredictedFoot(Side),
    /// The sole as animated.
    GhostFoot(Side),
    /// The sole and, as a point, the ankle where a grounder wants them. `weight` is how much that counts, 0 to 1.
    FootGoal {
        side: Side,
        weight: f32,
    },
    /// From the animated ankle to where it is wanted.
    FootOffset(Side),
    /// How far a grounder moves the pelvis.
    PelvisOffset,
}

/// Receives primitives in model space.
pub trait DebugDraw {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject);

    /// A filled triangle; by default its outline.
    fn triangle(&mut self, [a, b, c]: [Vec3; 3], subject: Subject) {
        self.line(a, b, subject);
        self.line(b, c, subject);
        self.line(c, a, subject);
    }

    /// A mark of about `size`; by default three crossed lines.
    fn point(&mut self, at: Vec3, size: f32, subject: Subject) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.line(at - axis * size * 0.5, at + axis * size * 0.5, subject);
        }
    }

    /// From tail to head; by default a line with two barbs.
    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.line(from, to, subject);
        let along = to - from;
        let aside = ortho_normalize(along, Vec3::Y) * along.length() * 0.1;
        for aside in [aside, -aside] {
            self.line(to, to - along * 0.2 + aside, subject);
        }
    }

    /// A label; by default nothing.
    fn text(&mut self, _at: Vec3, _text: &str, _subject: Subject) {}
}

/// Which of the solver's things are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    pub bones: bool,
    pub nodes: bool,
    pub torso_planes: bool,
    pub limb_planes: bool,
    pub rigid_constraints: bool,
    pub push_only_constraints: bool,
    pub bend_directions: bool,
    pub bend_goals: bool,
    pub targets: bool,
}

impl Layers {
    pub const ALL: Self = Self {
        bones: true,
        nodes: true,
        torso_planes: true,
        limb_planes: true,
        rigid_constraints: true,
        push_only_constraints: true,
        bend_directions: true,
        bend_goals: true,
        targets: true,
    };
}

/// The solver at one instant. `size` is the length of a bend arrow, in model units.
pub fn draw_state(frame: &Frame, state: &State, layers: Layers, size: f32, out: &mut dyn DebugDraw) {
    let nodes = &state.nodes;
    if layers.torso_planes {
        let [upper, lower] = torso(nodes);
        out.triangle(upper, Subject::UpperTorso);
        out.triangle(lower, Subject::LowerTorso);
    }
    if layers.limb_planes {
        for limb in LimbName::ALL {
            out.triangle(Node::of_limb(limb).map(|node| nodes[node]), Subject::LimbPlane(limb));
        }
    }
    for (index, ([a, b], constraint)) in PAIRS.into_iter().zip(&frame.constraints).enumerate() {
        let rigid = constraint.is_rigid();
        if if rigid { layers.rigid_constraints } else { layers.push_only_constraints } {
            let strain = constraint.strain(nodes[a].distance(nodes[b]));
            out.line(nodes[a], nodes[b], Subject::ChildConstraint { index, rigid, strain });
        }
    }
    for limb in LimbName::ALL {
        let [first, second, last] = Node::of_limb(limb).map(|node| nodes[node]);
        if layers.bones {
            out.line(first, second, Subject::LimbBone(limb));
            out.line(second, last, Subject::LimbBone(limb));
        }
        if layers.bend_directions {
            let source = bend_source(frame, limb);
            let direction = shown_bend_direction(frame, state, limb);
            out.arrow(second, second + direction * size, Subject::BendDirection { limb, source });
        }
        if layers.bend_goals
            && let Some(goal) = frame.limb(limb).bend_goal
        {
            let subject = Subject::BendGoal { limb, weight: frame.limb(limb).bend_weight };
            out.line(second, goal, subject);
            out.point(goal, size * 0.3, subject);
        }
    }
    if layers.nodes {
        for node in Node::ALL {
            out.point(nodes[node], size * 0.2, Subject::Node(node));
        }
    }
    if layers.targets {
        for effector in Effector::ALL {
            let settings = frame.effector(effector);
            if settings.position_weight > 0.0 {
                let node = nodes[effector.node()];
                if node != settings.position {
                    out.line(node, settings.position, Subject::TargetError(effector));
                }
                let subject = Subject::Target { effector, weight: settings.position_weight };
                out.point(settings.position, size * 0.4, subject);
            }
        }
    }
}

/// The part of the bend direction across the limb, as the last pass would have it from this state. Unit.
pub fn shown_bend_direction(frame: &Frame, state: &State, limb: LimbName) -> Vec3 {
    let [first, _, last] = Node::of_limb(limb);
    let along = state.nodes[last] - state.nodes[first];
    let direction = bend_direction(frame, state, limb);
    let direction = if sine(direction, along) < STRAIGHT_SINE { frame.limb(limb).default_direction } else { direction };
    ortho_normalize(along, direction)
}

/// What the current step did: the nodes before it, and an arrow for each that moved by more than `smallest`.
pub fn draw_step(before: &Nodes, after: &Nodes, smallest: f32, out: &mut dyn DebugDraw) {
    for triangle in torso(before) {
        out.triangle(triangle, Subject::GhostTorso);
    }
    for limb in LimbName::ALL {
        let [first, second, last] = Node::of_limb(limb).map(|node| before[node]);
        out.line(first, second, Subject::GhostBone(limb));
        out.line(second, last, Subject::GhostBone(limb));
    }
    for node in Node::ALL {
        out.point(before[node], 0.0, Subject::GhostNode(node));
        if before[node].distance(after[node]) > smallest {
            out.arrow(before[node], after[node], Subject::Displacement(node));
        }
    }
}

/// A single move as an arrow.
pub fn draw_move(moved: &Move, out: &mut dyn DebugDraw) {
    out.point(moved.from, 0.0, Subject::GhostNode(moved.node));
    out.arrow(moved.from, moved.to, Subject::Displacement(moved.node));
}

/// Spine, head, clavicles and hips of a posed character (one transform per bone, model space).
pub fn draw_trunk(biped: &Biped, pose: &[RigidTransform], out: &mut dyn DebugDraw) {
    let at = |bone: usize| pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
    let mut below = at(biped.pelvis);
    for &bone in biped.spine.iter().chain(&biped.head) {
        out.line(below, at(bone), Subject::SpineBone);
        below = at(bone);
    }
    let chest = biped.spine.last().copied().unwrap_or(biped.pelvis);
    for limb in LimbName::ALL {
        let from = if limb.is_arm() { chest } else { biped.pelvis };
        let joint = at(biped.limb(limb).bones[0]);
        match biped.limb(limb).clavicle {
            Some(clavicle) => {
                out.line(at(from), at(clavicle), Subject::RootBone(limb));
                out.line(at(clavicle), joint, Subject::RootBone(limb));
            }
            None => out.line(at(from), joint, Subject::RootBone(limb)),
        }
    }
}

/// The bones of the limbs as posed, and where a node is further than `smallest` from its bone, the way to it.
pub fn draw_limbs(biped: &Biped, pose: &[RigidTransform], nodes: &Nodes, smallest: f32, out: &mut dyn DebugDraw) {
    let at = |bone: usize| pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
    for limb in LimbName::ALL {
        let bones = biped.limb(limb).bones.map(at);
        for pair in bones.windows(2) {
            out.line(pair[0], pair[1], Subject::LimbBone(limb));
        }
        for (bone, node) in bones.into_iter().zip(Node::of_limb(limb)) {
            if bone.distance(nodes[node]) > smallest {
                out.line(bone, nodes[node], Subject::NodeOff(node));
            }
        }
    }
}

fn torso(nodes: &Nodes) -> [[Vec3; 3]; 2] {
    [
        [nodes[Node::Body], nodes[Node::LeftUpperArm], nodes[Node::RightUpperArm]],
        [nodes[Node::Body], nodes[Node::LeftThigh], nodes[Node::RightThigh]],
    ]
}

/// Where a bend goal would be put for a limb that has none: out from elbow or knee, `distance` away.
pub fn suggested_bend_goal(frame: &Frame, state: &State, limb: LimbName, distance: f32) -> Vec3 {
    let [_, second, _] = Node::of_limb(limb);
    state.nodes[second] + unit_or_zero(shown_bend_direction(frame, state, limb)) * distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Lines(Vec<(Vec3, Vec3)>);

    impl DebugDraw for Lines {
        fn line(&mut self, from: Vec3, to: Vec3, _: Subject) {
            self.0.push((from, to));
        }
    }

    #[test]
    fn lines_alone_draw_everything_finite() {
        // A frame in which everything lies in one point: the worst there is to draw.
        let mut out = Lines::default();
        draw_state(&Frame::default(), &State::default(), Layers::ALL, 0.2, &mut out);
        draw_step(&Nodes::default(), &Nodes::default(), 0.0, &mut out);
        assert!(out.0.len() > 50);
        assert!(out.0.iter().all(|(from, to)| from.is_finite() && to.is_finite()));
    }
}
