//! Drawing a layer's solve as lines, for an engine's debug drawing.

use std::ffi::c_void;

use kinescope_library::debug_draw::{DebugDraw, Layers, Subject};
use kinescope_library::glam::Vec3;
use kinescope_library::stepped::run::Shown;

use crate::pose::KinescopeVec3;
use crate::stack::KinescopeStack;
use crate::tapes::height;
use crate::{KinescopeStatus, Refused, guard, object, shared};

/// What a line shows. The documentation of each number says what `index` and `value` of KinescopeDrawnLine mean; where
/// it says nothing, `index` is -1 and `value` is 0.
#[repr(u32)]
pub enum KinescopeSubject {
    /// A bone of a limb; `index` is a KinescopeLimb.
    LimbBone,
    /// A line between torso and limb; `index` is a KinescopeLimb.
    RootBone,
    /// A line between two bones that belong to no limb.
    SpineBone,
    /// A node of the full-body solver; `index` is a KinescopeNode.
    Node,
    /// The line from a written bone to its node, if they differ; `index` is a KinescopeNode.
    NodeOff,
    /// The triangle of body and shoulders.
    UpperTorso,
    /// The triangle of body and thighs.
    LowerTorso,
    /// The triangle of a limb's three nodes; `index` is a KinescopeLimb.
    LimbPlane,
    /// A child constraint that pushes and pulls; `value` is the relative deviation from the nominal distance.
    RigidConstraint,
    /// A child constraint that only pushes; `value` is the relative deviation from the nominal distance.
    PushOnlyConstraint,
    /// The direction in which the full body's bend pass would bend an elbow or knee; `index` is a KinescopeLimb.
    BendDirection,
    /// The point toward which an elbow or knee bends, and the line to it; for the least-squares solver only the line;
    /// for the position-based solver a line from elbow or knee in the direction from the limb's root to the goal, or in
    /// the bend direction; `index` is a KinescopeLimb, `value` the weight.
    BendGoal,
    /// The target of an effector; `index` is a KinescopeEffector, `value` the weight.
    Target,
    /// The line from an effector's node or joint to its target; `index` is a KinescopeEffector.
    TargetError,
    /// A node before the current step; `index` is a KinescopeNode.
    GhostNode,
    /// A limb's bone before the current step; `index` is a KinescopeLimb.
    GhostBone,
    /// The torso's triangles before the current step.
    GhostTorso,
    /// A displacement by the current step, of a node or of its effector's target, or the line from a bone to a target
    /// attached to it; `index` is a KinescopeNode, the body's for a displacement without a node.
    Displacement,
    /// The cone within which the bend limit keeps a limb's second bone; `index` is a KinescopeLimb.
    BendCone,
    /// The bend direction of the reference pose, rotated with the limb's first bone; `index` is a KinescopeLimb.
    DefaultDirection,
    /// The default child normal: a direction of hand or foot in the reference pose, rotated by the end effector's
    /// target rotation; `index` is a KinescopeLimb.
    DefaultChildNormal,
    /// The angle between a limb's second bone and the opposite of its default bend direction, before or after the bend
    /// limit; `index` is a KinescopeLimb.
    BendAngle,
    /// The triangle of a two-bone solve, and its height on the base; `index` is a KinescopeLimb.
    Triangle,
    /// The plane of the solved nodes that carries a bone; `index` is a KinescopeLimb, -1 for the torso.
    WritePlane,
    /// The plane that carries a bone, in the animated pose.
    GhostPlane,
    /// The bone that the current step writes or moves.
    WrittenBone,
    /// The bone that the current step writes, or a radius across it, before it turned.
    GhostWritten,
    /// The virtual spine.
    VirtualSpine,
    /// A joint of the virtual spine, or its displacement by the current step.
    VirtualJoint,
    /// The direction that a bone swings toward, or the displacement of a bone by a modifier.
    SwingAxis,
    /// The twist of a bone about its own axis; `value` is the bone's share of the twist.
    TwistDial,
    /// The arc of a bone's rotation.
    TurnArc,
    /// The axis of a bone's rotation.
    TurnAxis,
    /// A bone of a single chain or of the least-squares solver; `index` is its index.
    ChainBone,
    /// A joint of a single chain or of the least-squares solver; `index` is its index.
    ChainJoint,
    /// The bones of a single chain, or of the least-squares or position-based solver, before the current step.
    GhostChain,
    /// The target of a single chain.
    ChainTarget,
    /// The line from a joint of a single chain to its target.
    ChainError,
    /// The displacement by the current step of a single chain or of the least-squares or position-based solver; also
    /// the support polygon of the least-squares solver, and the line down from the centre of mass.
    ChainMove,
    /// The line from root to target about which FABRIK's bend rule mirrors a chain.
    MirrorLine,
    /// The circle through root and target on which FABRIK's bend rule places a chain.
    BendCircle,
    /// The range of a bone's limit; `index` is the bone's index.
    LimitRange,
    /// The axis of a hinge; `index` is the bone's index.
    LimitAxis,
    /// The current direction or twist of a bone, to compare with its range; `index` is the bone's index.
    LimitNow,
    /// A joint at or beyond its limit: a mark, the axis of the limit, or the path to the direction that the solver
    /// requested.
    LimitViolation,
    /// A shape cast by a grounder, with its path; `index` is a KinescopeSide, -1 for the root, `value` 1 for a hit.
    Cast,
    /// The point where a cast hit the ground; `index` is a KinescopeSide, -1 for the root.
    CastHit,
    /// The predicted position of a foot; `index` is a KinescopeSide.
    PredictedFoot,
    /// The animated sole; `index` is a KinescopeSide.
    GhostFoot,
    /// The goal of a foot, where grounding, the foot lock or retargeting puts it; `index` is a KinescopeSide, `value`
    /// the weight.
    FootGoal,
    /// The displacement of a foot by grounding, the foot lock or retargeting; `index` is a KinescopeSide.
    FootOffset,
    /// A bone of another skeleton, whose motion poses the character.
    SourceBone,
    /// The displacement of the pelvis by a grounder.
    PelvisOffset,
}

/// A line to draw, in world space.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeDrawnLine {
    pub from: KinescopeVec3,
    pub to: KinescopeVec3,
    /// A KinescopeSubject.
    pub subject: u32,
    /// Which limb, node, effector, foot or bone; -1 if there is none.
    pub index: i32,
    /// A weight or another number of the subject.
    pub value: f32,
    /// Whether the line is part of an earlier state, to be drawn faintly.
    pub is_faint: u32,
}

/// Receives the lines of a drawing.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeDrawing {
    /// Passed to `line`.
    pub user: *mut c_void,
    /// Called for each line. Must not throw.
    pub line: Option<unsafe extern "C" fn(user: *mut c_void, line: *const KinescopeDrawnLine)>,
}

fn numbers(subject: Subject) -> (KinescopeSubject, Option<usize>, f32) {
    use KinescopeSubject as To;
    match subject {
        Subject::LimbBone(limb) => (To::LimbBone, Some(limb.index()), 0.0),
        Subject::RootBone(limb) => (To::RootBone, Some(limb.index()), 0.0),
        Subject::SpineBone => (To::SpineBone, None, 0.0),
        Subject::Node(node) => (To::Node, Some(node as usize), 0.0),
        Subject::NodeOff(node) => (To::NodeOff, Some(node as usize), 0.0),
        Subject::UpperTorso => (To::UpperTorso, None, 0.0),
        Subject::LowerTorso => (To::LowerTorso, None, 0.0),
        Subject::LimbPlane(limb) => (To::LimbPlane, Some(limb.index()), 0.0),
        Subject::ChildConstraint { rigid: true, strain, .. } => (To::RigidConstraint, None, strain),
        Subject::ChildConstraint { rigid: false, strain, .. } => (To::PushOnlyConstraint, None, strain),
        Subject::BendDirection { limb, .. } => (To::BendDirection, Some(limb.index()), 0.0),
        Subject::BendGoal { limb, weight } => (To::BendGoal, Some(limb.index()), weight),
        Subject::Target { effector, weight } => (To::Target, Some(effector as usize), weight),
        Subject::TargetError(effector) => (To::TargetError, Some(effector as usize), 0.0),
        Subject::GhostNode(node) => (To::GhostNode, Some(node as usize), 0.0),
        Subject::GhostBone(limb) => (To::GhostBone, Some(limb.index()), 0.0),
        Subject::GhostTorso => (To::GhostTorso, None, 0.0),
        Subject::Displacement(node) => (To::Displacement, Some(node as usize), 0.0),
        Subject::BendCone(limb) => (To::BendCone, Some(limb.index()), 0.0),
        Subject::DefaultDirection(limb) => (To::DefaultDirection, Some(limb.index()), 0.0),
        Subject::DefaultChildNormal(limb) => (To::DefaultChildNormal, Some(limb.index()), 0.0),
        Subject::BendAngle { limb, .. } => (To::BendAngle, Some(limb.index()), 0.0),
        Subject::Triangle(limb) => (To::Triangle, Some(limb.index()), 0.0),
        Subject::WritePlane(limb) => (To::WritePlane, limb.map(|limb| limb.index()), 0.0),
        Subject::GhostPlane => (To::GhostPlane, None, 0.0),
        Subject::WrittenBone => (To::WrittenBone, None, 0.0),
        Subject::GhostWritten => (To::GhostWritten, None, 0.0),
        Subject::VirtualSpine => (To::VirtualSpine, None, 0.0),
        Subject::VirtualJoint => (To::VirtualJoint, None, 0.0),
        Subject::SwingAxis => (To::SwingAxis, None, 0.0),
        Subject::TwistDial { weight } => (To::TwistDial, None, weight),
        Subject::TurnArc => (To::TurnArc, None, 0.0),
        Subject::TurnAxis => (To::TurnAxis, None, 0.0),
        Subject::ChainBone(bone) => (To::ChainBone, Some(bone), 0.0),
        Subject::ChainJoint(joint) => (To::ChainJoint, Some(joint), 0.0),
        Subject::GhostChain => (To::GhostChain, None, 0.0),
        Subject::ChainTarget => (To::ChainTarget, None, 0.0),
        Subject::ChainError => (To::ChainError, None, 0.0),
        Subject::ChainMove => (To::ChainMove, None, 0.0),
        Subject::MirrorLine => (To::MirrorLine, None, 0.0),
        Subject::BendCircle => (To::BendCircle, None, 0.0),
        Subject::LimitRange(bone) => (To::LimitRange, Some(bone), 0.0),
        Subject::LimitAxis(bone) => (To::LimitAxis, Some(bone), 0.0),
        Subject::LimitNow(bone) => (To::LimitNow, Some(bone), 0.0),
        Subject::LimitViolation => (To::LimitViolation, None, 0.0),
        Subject::Cast { side, hit } => (To::Cast, side.map(|side| side as usize), if hit { 1.0 } else { 0.0 }),
        Subject::CastHit(side) => (To::CastHit, side.map(|side| side as usize), 0.0),
        Subject::PredictedFoot(side) => (To::PredictedFoot, Some(side as usize), 0.0),
        Subject::GhostFoot(side) => (To::GhostFoot, Some(side as usize), 0.0),
        Subject::FootGoal { side, weight } => (To::FootGoal, Some(side as usize), weight),
        Subject::FootOffset(side) => (To::FootOffset, Some(side as usize), 0.0),
        Subject::SourceBone => (To::SourceBone, None, 0.0),
        Subject::PelvisOffset => (To::PelvisOffset, None, 0.0),
    }
}

struct Lines {
    user: *mut c_void,
    line: unsafe extern "C" fn(user: *mut c_void, line: *const KinescopeDrawnLine),
    is_faint: bool,
}

impl DebugDraw for Lines {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        let (subject, index, value) = numbers(subject);
        let line = KinescopeDrawnLine {
            from: from.into(),
            to: to.into(),
            subject: subject as u32,
            index: index.map_or(-1, |index| index as i32),
            value,
            is_faint: self.is_faint.into(),
        };
        unsafe { (self.line)(self.user, &line) };
    }

    fn faint(&mut self, on: bool) {
        self.is_faint = on;
    }
}

/// Draws an instant of a layer's solve as lines in world space: after an event of a step, or at the end of the step for an `event` of
/// -1. Everything is drawn: bones, nodes, constraints, targets, casts, and what the step moved; a program chooses by the subject of
/// each line. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such layer, step or event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_draw(
    stack: *const KinescopeStack,
    layer: usize,
    step: usize,
    event: i32,
    drawing: *const KinescopeDrawing,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let KinescopeDrawing { user, line } = *unsafe { shared(drawing, "drawing") }?;
        let line = line.ok_or_else(|| Refused::argument("drawing.line: is NULL"))?;
        let Some((run, at)) = own.solved.at(layer, step, event) else { return Ok(KinescopeStatus::NothingToDo) };
        let shown = Shown {
            layers: Layers::ALL,
            before: true,
            moved: true,
            limits: true,
            casts: true,
            goals: true,
            size: height(&own.rig.reference),
        };
        run.draw(at, &shown, &mut Lines { user, line, is_faint: false });
        Ok(KinescopeStatus::Done)
    })
}
