//! Drawing without a renderer: a solve as tagged lines, triangles, points and arrows.
//!
//! An engine only has to implement [`DebugDraw::line`]; by default triangles, points and arrows are drawn as lines, and
//! labels are not drawn. Each primitive comes with a [`Subject`] that states what it shows, so that the caller decides
//! about colour, width and picking.

use glam::Vec3;

use crate::math::ortho_normalize;
use crate::names::{BendSource, Effector, Node, Side};
use crate::rig::LimbName;

/// The thing that a primitive shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    /// A bone of a limb.
    LimbBone(LimbName),
    /// A line between torso and limb, such as from clavicle to upper arm or from pelvis to thigh.
    RootBone(LimbName),
    /// A line between two bones that belong to no limb, such as spine and head.
    SpineBone,
    /// A node of the full-body solver.
    Node(Node),
    /// The line from a written bone to its node, if they differ. Bones keep their lengths, nodes may not.
    NodeOff(Node),
    /// The triangle of body and shoulders.
    UpperTorso,
    /// The triangle of body and thighs.
    LowerTorso,
    /// The triangle of a limb's three nodes.
    LimbPlane(LimbName),
    /// A child constraint between two nodes.
    ChildConstraint {
        /// Index into [`PAIRS`](crate::full_body::child_constraint::PAIRS).
        index: usize,
        /// True if the constraint pushes and pulls, false if it only pushes.
        rigid: bool,
        /// The relative deviation from the nominal distance; above 0 if the pair is too far apart.
        strain: f32,
    },
    /// The direction in which the bend pass would bend an elbow or knee.
    BendDirection {
        /// The limb.
        limb: LimbName,
        /// The source with the largest share of the direction.
        source: BendSource,
    },
    /// A bend goal, also called pole vector or pole target: the point, and a line to it from elbow or knee. The
    /// least-squares solver draws only the line; the position-based solver a short line toward the bend goal or along
    /// the bend direction.
    BendGoal {
        /// The limb.
        limb: LimbName,
        /// The weight of the goal in the solve, 0 to 1.
        weight: f32,
    },
    /// The target of an effector.
    Target {
        /// The effector.
        effector: Effector,
        /// The weight of the target in the solve, 0 to 1.
        weight: f32,
    },
    /// The line from an effector's node or joint to its target.
    TargetError(Effector),
    /// A node before the current step or move.
    GhostNode(Node),
    /// A limb's bone before the current step.
    GhostBone(LimbName),
    /// The torso's triangles before the current step.
    GhostTorso,
    /// A displacement by the current step or move, of the node or of the target of its effector; also the line to that
    /// target from the tracker or bone that determines it. A displacement without a node of its own has the node
    /// `body`.
    Displacement(Node),
    /// The cone within which the bend limit keeps the second bone of a limb.
    BendCone(LimbName),
    /// The bend direction of the reference pose, rotated with the limb's first bone.
    DefaultDirection(LimbName),
    /// The default child normal: a direction of hand or foot in the reference pose, rotated by the end effector's
    /// target rotation.
    DefaultChildNormal(LimbName),
    /// The angle between a limb's second bone and the opposite of its default bend direction, before or after the bend
    /// limit.
    BendAngle {
        /// The limb.
        limb: LimbName,
        /// True for the animated angle if the limit changes it, false for the angle after the limit.
        before: bool,
    },
    /// The triangle of a two-bone solve: its sides, and its height on the base from first to last node.
    Triangle(LimbName),
    /// The plane of the solved nodes that carries a bone: that of a limb, or of the torso for `None`.
    WritePlane(Option<LimbName>),
    /// The plane that carries a bone, in the animated pose.
    GhostPlane,
    /// The bone that the current step writes or moves.
    WrittenBone,
    /// The bone that the current step writes, or a radius across it, before it turned.
    GhostWritten,
    /// The virtual spine, which is solved separately from the bones.
    VirtualSpine,
    /// A joint of the virtual spine, or its displacement by the current step.
    VirtualJoint,
    /// The direction that a bone swings toward, or the displacement of a bone by a modifier.
    SwingAxis,
    /// The twist of a bone about its own axis.
    TwistDial {
        /// The bone's share of the twist, 0 to 1.
        weight: f32,
    },
    /// The arc of a bone's rotation.
    TurnArc,
    /// The axis of a bone's rotation.
    TurnAxis,
    /// A bone of a single chain or of the least-squares solver, by index.
    ChainBone(usize),
    /// A joint of a single chain or of the least-squares solver, by index.
    ChainJoint(usize),
    /// The bones of a single chain, or of the least-squares or position-based solver, before the current step; also the
    /// line from a turned joint to a displaced point as it was before the turn.
    GhostChain,
    /// The target of a single chain.
    ChainTarget,
    /// The line from a joint of a single chain to its target.
    ChainError,
    /// A displacement by the current step of a single chain or of the least-squares or position-based solver; also the
    /// line from a joint that CCD turned to the displaced point. The least-squares solver also draws its support
    /// polygon and the line down from the centre of mass with this subject.
    ChainMove,
    /// The line from root to target about which FABRIK's bend rule mirrors a chain.
    MirrorLine,
    /// The circle through root and target on which FABRIK's bend rule places a chain.
    BendCircle,
    /// The range of a bone's limit, by the bone's index.
    LimitRange(usize),
    /// The axis of a hinge, by the bone's index.
    LimitAxis(usize),
    /// The current direction or twist of a bone, to compare with its range, by the bone's index.
    LimitNow(usize),
    /// A joint at or beyond its limit: a mark, the axis of the limit, or the path to the direction that the solver
    /// requested.
    LimitViolation,
    /// A shape cast by a grounder, with its path.
    Cast {
        /// The foot that the shape was cast for; `None` for the root.
        side: Option<Side>,
        /// True if the shape hit the ground.
        hit: bool,
    },
    /// The point where a cast hit the ground, with an arrow along the ground's normal. `None` for the root.
    CastHit(Option<Side>),
    /// The predicted position of a foot: an arrow to it, with a point or the outline of the sole there.
    PredictedFoot(Side),
    /// The animated sole.
    GhostFoot(Side),
    /// The goal of a foot: its sole or, as a point, its ankle where grounding, the foot lock or retargeting puts it.
    FootGoal {
        /// The foot's side.
        side: Side,
        /// The weight of the goal, 0 to 1.
        weight: f32,
    },
    /// The displacement of a foot by grounding, the foot lock or retargeting, as a line to its goal or from it.
    FootOffset(Side),
    /// A bone of another skeleton, whose clip poses the character.
    SourceBone,
    /// The displacement of the pelvis by a grounder.
    PelvisOffset,
}

/// Receives primitives in the space of the poses that were solved: world space for a grounder, model space for the
/// other solvers, and the space of its poses for a [`stack`](crate::stack).
///
/// ```
/// use glam::Vec3;
/// use kinescope_ik::chain_ik::Chain;
/// use kinescope_ik::chain_ik::draw::draw_chain;
/// use kinescope_ik::debug_draw::{DebugDraw, Subject};
///
/// /// Stores everything as lines. An engine would pass them to its own debug drawing.
/// struct Lines(Vec<(Vec3, Vec3, Subject)>);
///
/// impl DebugDraw for Lines {
///     fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
///         self.0.push((from, to, subject));
///     }
/// }
///
/// let chain = Chain::from_lengths(&[0.4, 0.3])?;
/// let mut lines = Lines(Vec::new());
/// draw_chain(&chain, chain.rest(), false, &mut lines);
/// let bones = lines.0.iter().filter(|(.., subject)| matches!(subject, Subject::ChainBone(_)));
/// assert_eq!(bones.count(), 2);
/// # Ok::<(), kinescope_ik::Fault>(())
/// ```
pub trait DebugDraw {
    /// Draws a straight line. This is the only required function.
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject);

    /// Draws a filled triangle; by default its outline.
    fn triangle(&mut self, [a, b, c]: [Vec3; 3], subject: Subject) {
        self.line(a, b, subject);
        self.line(b, c, subject);
        self.line(c, a, subject);
    }

    /// Draws a point as a mark of this size, in the unit of the positions; by default three crossed lines. Size 0, as
    /// of some targets, leaves the size to the implementation; the default then draws nothing visible.
    fn point(&mut self, at: Vec3, size: f32, subject: Subject) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.line(at - axis * size * 0.5, at + axis * size * 0.5, subject);
        }
    }

    /// Draws an arrow from tail to head; by default a line with two barbs.
    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.line(from, to, subject);
        let along = to - from;
        let aside = ortho_normalize(along, Vec3::Y) * along.length() * 0.1;
        for aside in [aside, -aside] {
            self.line(to, to - along * 0.2 + aside, subject);
        }
    }

    /// Starts or ends a faint part, such as an earlier state. By default faint parts are drawn like all others.
    fn faint(&mut self, _on: bool) {}

    /// Draws a label; by default nothing.
    fn text(&mut self, _at: Vec3, _text: &str, _subject: Subject) {}
}

/// The parts of a full-body solve to draw. Other solvers use at most `bones` and `targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The character's bones.
    pub bones: bool,
    /// The solver's nodes.
    pub nodes: bool,
    /// The triangles of body, shoulders and thighs.
    pub torso_planes: bool,
    /// The triangle of each limb's nodes.
    pub limb_planes: bool,
    /// Child constraints that push and pull.
    pub rigid_constraints: bool,
    /// Child constraints that only push.
    pub push_only_constraints: bool,
    /// The bend directions of elbows and knees.
    pub bend_directions: bool,
    /// The bend goals of elbows and knees.
    pub bend_goals: bool,
    /// The targets of effectors, and lines from their nodes to them.
    pub targets: bool,
}

impl Layers {
    /// All parts.
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

    /// No part.
    pub const NONE: Self = Self {
        bones: false,
        nodes: false,
        torso_planes: false,
        limb_planes: false,
        rigid_constraints: false,
        push_only_constraints: false,
        bend_directions: false,
        bend_goals: false,
        targets: false,
    };
}
