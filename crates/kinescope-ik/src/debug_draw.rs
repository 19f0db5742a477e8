//! Drawing without a renderer: what there is to see of a solve, as tagged lines, triangles, points and arrows.
//!
//! An engine implements [`DebugDraw::line`] and has the whole picture; the other primitives have defaults made of
//! lines. Each comes with a [`Subject`] that says what it stands for, so that colour, width and picking are the
//! caller's to decide.

use glam::Vec3;

use crate::math::ortho_normalize;
use crate::names::{BendSource, Effector, Node, Side};
use crate::rig::LimbName;

/// What a primitive stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    /// A bone of a limb.
    LimbBone(LimbName),
    /// Clavicles, and thighs to pelvis.
    RootBone(LimbName),
    /// Between two bones of the spine.
    SpineBone,
    /// A node of the full-body solver.
    Node(Node),
    /// From a written bone to its node, where that is elsewhere: bones keep their lengths, nodes need not.
    NodeOff(Node),
    /// The triangle of body and shoulders.
    UpperTorso,
    /// The triangle of body and thighs.
    LowerTorso,
    /// The triangle of a limb's three nodes.
    LimbPlane(LimbName),
    /// `strain` is above 0 where the pair is further apart than nominal.
    ChildConstraint {
        /// Index into [`Frame::constraints`](crate::full_body::Frame::constraints).
        index: usize,
        /// It holds both ways; else it only pushes apart.
        rigid: bool,
        /// How much longer (above 0) or shorter the pair is than nominal, as a fraction.
        strain: f32,
    },
    /// The way in which an elbow or a knee points.
    BendDirection {
        /// The limb.
        limb: LimbName,
        /// What has the largest say in it.
        source: BendSource,
    },
    /// The point that an elbow or a knee turns to; others call it a pole vector or pole target.
    BendGoal {
        /// The limb.
        limb: LimbName,
        /// How much it counts, 0 to 1.
        weight: f32,
    },
    /// Where an effector wants its node.
    Target {
        /// Whose target it is.
        effector: Effector,
        /// How much it counts, 0 to 1.
        weight: f32,
    },
    /// From a node to the target it misses.
    TargetError(Effector),
    /// A node before the current step.
    GhostNode(Node),
    /// A limb's bone before the current step.
    GhostBone(LimbName),
    /// The torso's triangles before the current step.
    GhostTorso,
    /// What the current step moved.
    Displacement(Node),
    /// How far elbow or knee may be bent before the limit turns it back.
    BendCone(LimbName),
    /// Out of elbow or knee, as the reference pose has it.
    DefaultDirection(LimbName),
    /// Normal of the limb's plane in the reference pose, as the hand's or foot's rotation turns it.
    DefaultChildNormal(LimbName),
    /// How far a limb's second bone is from where elbow or knee bends to, before the bend limit or with it.
    BendAngle {
        /// The limb.
        limb: LimbName,
        /// As animated; else as the limit leaves it.
        before: bool,
    },
    /// The triangle of a two-bone solve: its sides, and how far along and beside the base the joint is.
    Triangle(LimbName),
    /// The plane that carries a bone, as it is now: a limb's, or one of the torso's.
    WritePlane(Option<LimbName>),
    /// The same in the animated pose.
    GhostPlane,
    /// The bone that is written now.
    WrittenBone,
    /// The same before it turned.
    GhostWritten,
    /// The spine that is solved beside the bones, and one of its joints.
    VirtualSpine,
    /// One joint of the spine that is solved beside the bones.
    VirtualJoint,
    /// What a bone is swung after.
    SwingAxis,
    /// What turns a bone about its own length, and how much of it the bone takes, 0 to 1.
    TwistDial {
        /// How much of the twist the bone takes, 0 to 1.
        weight: f32,
    },
    /// The way a bone turned: its arc, and the axis.
    TurnArc,
    /// The axis about which a bone turned.
    TurnAxis,
    /// A bone of a chain that is solved by itself.
    ChainBone(usize),
    /// A joint of such a chain, by its index.
    ChainJoint(usize),
    /// Where such a chain was before.
    GhostChain,
    /// Where an end of such a chain is to go.
    ChainTarget,
    /// From the chain's end to the target it misses.
    ChainError,
    /// What a step of the chain's solve moved.
    ChainMove,
    /// The line from root to target at which FABRIK's bend rule reflects a chain.
    MirrorLine,
    /// The circle through root and target on which FABRIK's bend rule lays a chain.
    BendCircle,
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
        /// The foot that it was cast for; `None` for the root.
        side: Option<Side>,
        /// Whether it met ground.
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
        /// The foot's side.
        side: Side,
        /// How much the goal counts, 0 to 1.
        weight: f32,
    },
    /// From the animated ankle to where it is wanted.
    FootOffset(Side),
    /// How far a grounder moves the pelvis.
    PelvisOffset,
}

/// Receives primitives in model space.
///
/// ```
/// use glam::Vec3;
/// use kinescope_ik::chain_ik::Chain;
/// use kinescope_ik::chain_ik::draw::draw_chain;
/// use kinescope_ik::debug_draw::{DebugDraw, Subject};
///
/// /// Everything as lines: an engine hands them to its own debug drawing.
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
    /// A straight line: all that an engine has to draw.
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

    /// What follows is of before, and not to stand out; by default it is drawn like all else.
    fn faint(&mut self, _on: bool) {}

    /// A label; by default nothing.
    fn text(&mut self, _at: Vec3, _text: &str, _subject: Subject) {}
}

/// Which of the solver's things are drawn.
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
    /// Child constraints that hold both ways.
    pub rigid_constraints: bool,
    /// Child constraints that only push apart.
    pub push_only_constraints: bool,
    /// The ways in which elbows and knees point.
    pub bend_directions: bool,
    /// The points that elbows and knees turn to.
    pub bend_goals: bool,
    /// The targets of effectors, and what nodes lack to them.
    pub targets: bool,
}

impl Layers {
    /// All of them.
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

    /// None of them.
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
