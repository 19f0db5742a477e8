//! Frame and state of a solve. Stages read the frame and change the state.

use glam::{Quat, Vec3};

use super::child_constraint::ChildConstraint;
use super::moves::{Cause, Move};
use super::settings::Smoothing;
use crate::lanes::{
    Basis, Layout, Number, Pairing, Quats, Rotation, RotationOf, Single, TokenOf, Vector, VectorOf, Vectors,
};
use crate::names::{Effector, Node, Nodes};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// A vector for each node, in model space: one of the body and three of each limb.
#[derive(Copy, Debug, PartialEq)]
pub struct Points<L: Layout = Single> {
    /// The body node's vector.
    pub body: VectorOf<L::One>,
    /// Vectors of the first, second and last node of the limbs, one entry per part of the [`Layout`]. [`Single`] has
    /// one part with all four limbs in its lanes.
    pub limbs: L::Each<Vectors<L>>,
}

/// Everything that stages change. Small and `Copy`: keep states to record, rewind or compare a solve.
#[derive(Copy, Debug, PartialEq)]
pub struct State<L: Layout = Single> {
    /// Positions of the nodes, model space.
    pub points: Points<L>,
    /// Rotation of each end effector's torso plane since the animated pose, weighted by maintain relative position.
    /// Every end-effector pass sets it; the bend pass uses it.
    pub plane_rotation_offsets: L::Each<RotationOf<L::Limb>>,
}

// A derived `Clone` would copy the arrays element by element, and recording every state would take a third longer.
impl<L: Layout> Clone for Points<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Layout> Clone for State<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

/// Constants of a solve, computed by [`read`](super::FullBody::read) from pose and settings. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<L: Layout = Single> {
    /// Master weight, 0 to 1.
    pub weight: L::One,
    /// Number of iterations of the main loop.
    pub iterations: u32,
    /// Whether limbs and torso pull each other.
    pub fabrik_pass: bool,
    /// How much the body node resists the limbs' pull in stage 1, 0 to 1.
    pub pin: L::One,
    /// Sum of the limbs' pull, at least 1.
    pub pull_parent_sum: L::One,
    /// Offset that hands out of reach add to the body effector, before the master weight.
    pub pull_body: VectorOf<L::One>,
    /// Positions of the nodes' bones after the bend limit.
    pub bones: Points<L>,
    /// One-frame offsets of the nodes, times the master weight. The body's includes [`Self::pull_body`], the thighs'
    /// include the body's; elbows and knees have none.
    pub offsets: Points<L>,
    /// The body effector.
    pub body_effector: EffectorFrame<L::One>,
    /// Effectors on the limbs' first nodes: shoulders and thighs.
    pub first_effectors: L::Each<EffectorFrame<L::Limb>>,
    /// Effectors on the limbs' last nodes: hands and feet.
    pub end_effectors: L::Each<EffectorFrame<L::Limb>>,
    /// First bones relative to the body bone, in model axes. The body effector moves only the thighs by them, see
    /// [`Self::follows_body`].
    pub body_children: L::Each<VectorOf<L::Limb>>,
    /// 1 for a limb whose first node is a child node of the body effector, else 0.
    pub follows_body: L::Each<L::Limb>,
    /// Constants of the limbs, one entry per part of the [`Layout`].
    pub limbs: L::Each<LimbFrame<L::Limb>>,
    /// Child constraints in the order of [`Pairing`]: the torso's diagonals, then shoulders and hips.
    pub constraints: [L::Passes<ChildConstraint<L::Limb>>; 2],
    /// Whether a linear constraint can move the body, so that limbs must be solved one after the other: true if the
    /// [cross fade](LimbFrame::cross_fade) of a limb is not 0.
    pub shares_body: bool,
    /// Number of rounds of the spine's FABRIK when the pose is written.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist is spread along the spine, 0 to 1.
    pub spine_twist_weight: L::One,
    /// How much the head keeps its animated rotation, 0 to 1.
    pub head_maintain_rotation: L::One,
}

/// Target and weights of one effector in one frame. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectorFrame<R: Number = f32> {
    /// The target; without one, the position of the effector's bone in the input pose.
    pub position: R::Vec3,
    /// The target rotation; without one, the rotation of the effector's bone in the input pose.
    pub rotation: R::Quat,
    /// Position weight times master weight.
    pub position_weight: R,
    /// Rotation weight times master weight.
    pub rotation_weight: R,
    /// How much an end node follows the torso, as far as its position weight leaves it free; 0 to 1.
    pub maintain_relative_position: R,
    /// Bone after the bend limit plus offset: the position of an end node at position weight 0, unless it maintains its
    /// relative position.
    pub animated_position: R::Vec3,
    /// The torso plane of an end effector in the animated pose; set only if an end effector in the same part of the
    /// [`Layout`] maintains its relative position.
    pub animated_plane: Basis<R::Vec3>,
}

/// Constants of one limb in one frame. Model space and units; flags are 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbFrame<R: Number = f32> {
    /// Lengths from bone 1 to bone 2 and from bone 2 to bone 3; model units.
    pub lengths: [R; 2],
    /// Sum of `lengths`; model units.
    pub length: R,
    /// Distance from the body bone to bone 1; model units.
    pub root_length: R,
    /// Distance from bone 1 to bone 3 in the animated pose, after the bend limit; model units.
    pub distance: R,
    /// How strongly the limb pulls the torso, 0 to 1.
    pub pull: R,
    /// How strongly the compressed limb pushes its first node away, 0 to 1.
    pub push: R,
    /// How much of the push moves the body, −1 to 1.
    pub push_parent: R,
    /// [Power](Smoothing::power) of the push's smoothing.
    pub push_smoothing: R,
    /// Reach times the end effector's [position weight](EffectorFrame::position_weight), which includes the master
    /// weight.
    pub reach_force: R,
    /// [Power](Smoothing::power) of the reach's smoothing.
    pub reach_smoothing: R,
    /// Limit of the reach: the limb's displacement, as a fraction of its length, is at most this factor times the
    /// distance between its ends. 1, or 1 / length with `scale_free_reach` if the limb has a length.
    pub reach_limit: R,
    /// Position weight of the effector on the first node, times the master weight.
    pub first_position_weight: R,
    /// The body's share of the correction of the linear constraint between body and first node.
    pub cross_fade: R,
    /// Bend weight times master weight; 0 without goal and direction.
    pub bend_weight: R,
    /// Whether there is a bend goal.
    pub has_bend_goal: R,
    /// Bend goal (pole vector): the point that the limb's middle node turns to.
    pub bend_goal: R::Vec3,
    /// Whether there is a bend direction.
    pub has_bend_direction: R,
    /// Bend direction, used without a goal, or if the goal lies on the limb's first node.
    pub bend_direction: R::Vec3,
    /// Sine iterations of the bend limit: 0, 1 or 2.
    pub clamp_smoothing: R,
    /// Bone 1's rotation applied to the default bend direction: points out of elbow or knee. Unit.
    pub default_direction: R::Vec3,
    /// Normal of the limb's plane in bone 3's space, from the reference pose. Unit for a straight limb, shorter for a
    /// bent one.
    pub default_child: R::Vec3,
    /// Whether the bones after the bend limit lie on one line, so that the limb has no plane.
    pub straight: R,
    /// How much of the solved limb is written to its bones, 0 to 1.
    pub mapping_weight: R,
    /// How much hand or foot keeps its animated rotation, 0 to 1.
    pub maintain_rotation: R,
}

impl Points {
    /// Returns the vector of a node.
    pub fn at(&self, node: Node) -> Vec3 {
        self.first(node)
    }

    /// Sets the vector of a node.
    pub fn set(&mut self, node: Node, to: Vec3) {
        match node.limb() {
            None => self.body = to,
            Some(limb) => self.limbs[0][node.joint()].set_lane(limb.index(), to),
        }
    }

    /// Returns the vectors of all nodes.
    pub fn all(&self) -> Nodes {
        let mut nodes = [Vec3::ZERO; Node::COUNT];
        for node in Node::ALL {
            nodes[node as usize] = self.at(node);
        }
        Nodes(nodes)
    }
}

impl<L: Layout> Points<L> {
    /// Returns the first character's vector of a node.
    fn first(&self, node: Node) -> Vec3 {
        match node.limb() {
            None => self.body.lane(0),
            Some(limb) => {
                let (part, lane) = L::place(limb);
                self.limbs[part][node.joint()].lane(lane)
            }
        }
    }

    /// Copies the vector of one node from `from`, for every character of the batch.
    fn take(&mut self, node: Node, from: &Self) {
        match node.limb() {
            None => self.body = from.body,
            Some(limb) => {
                let (part, _) = L::place(limb);
                L::take(&mut self.limbs[part][node.joint()], from.limbs[part][node.joint()], limb);
            }
        }
    }

    /// Returns a copy of the points before a stage, for [`Self::report_moves`]. Copies register by register, so that
    /// the compiler can drop the nodes of which no move is reported.
    #[inline(always)]
    pub(crate) fn snapshot(&self) -> Self {
        #[inline(always)]
        fn copy<V: Vector<R>, R: Number<Vec3 = V>>(v: V) -> V {
            V::from_parts(v.parts())
        }
        let limbs = L::each(
            #[inline(always)]
            |part| {
                let [first, second, last] = self.limbs[part];
                [copy(first), copy(second), copy(last)]
            },
        );
        Self { body: self.body, limbs }
    }

    /// Reports the moves of a stage, in the order of `moves`, by comparing the points with those `before` the stage. If
    /// the watcher stops, the points are restored to the state after the last reported move.
    #[inline(always)]
    pub(crate) fn report_moves<W: Watch<Move>>(
        &mut self,
        before: &Self,
        moves: impl Iterator<Item = (Node, Cause)> + Clone,
        watch: &mut W,
    ) -> Flow {
        if !W::LISTENS {
            return GO_ON;
        }
        for (index, (node, cause)) in moves.clone().enumerate() {
            let (from, to) = (before.first(node), self.first(node));
            if from != to && watch.saw(Move { node, from, to, cause }).is_break() {
                let after = std::mem::replace(self, *before);
                moves.take(index + 1).for_each(|(node, _)| self.take(node, &after));
                return Flow::Break(());
            }
        }
        GO_ON
    }

    #[inline(always)]
    pub(crate) fn splat(token: TokenOf<L>, vector: Vec3) -> Self {
        Self {
            body: VectorOf::<L::One>::splat(token, vector),
            limbs: L::each(
                #[inline(always)]
                |_| [VectorOf::<L::Limb>::splat(token, vector); 3],
            ),
        }
    }
}

#[inline(always)]
pub(crate) fn move_body<L: Layout, W: Watch<Move>>(
    state: &mut State<L>,
    to: VectorOf<L::One>,
    cause: Cause,
    watch: &mut W,
) -> Flow {
    let from = std::mem::replace(&mut state.points.body, to);
    if !W::LISTENS {
        return GO_ON;
    }
    let (from, to) = (from.lane(0), to.lane(0));
    if from == to { GO_ON } else { watch.saw(Move { node: Node::Body, from, to, cause }) }
}

impl State {
    /// Creates a state from the positions of the nodes.
    pub fn of_nodes(nodes: &Nodes) -> Self {
        let mut state = Self::default();
        Node::ALL.into_iter().for_each(|node| state.set_node(node, nodes[node]));
        state
    }

    /// Returns the positions of all nodes.
    pub fn nodes(&self) -> Nodes {
        self.points.all()
    }

    /// Returns the position of a node.
    pub fn node(&self, node: Node) -> Vec3 {
        self.points.at(node)
    }

    /// Moves a node to a position in model space.
    pub fn set_node(&mut self, node: Node, to: Vec3) {
        self.points.set(node, to);
    }

    /// Returns the weighted rotation of a limb's torso plane since the animated pose, see
    /// [`Self::plane_rotation_offsets`].
    pub fn plane_rotation_offset(&self, limb: LimbName) -> Quat {
        self.plane_rotation_offsets[0].lane(limb.index())
    }
}

impl Frame {
    /// Returns the constants of a limb.
    pub fn limb(&self, limb: LimbName) -> LimbFrame {
        self.limbs[0].lane(limb.index())
    }

    /// Sets the bend direction of a limb (model space) and its bend weight (master weight included), and removes the
    /// limb's bend goal. For [`Hooks::bend`](super::Hooks::bend).
    pub fn set_bend(&mut self, limb: LimbName, direction: Vec3, weight: f32) {
        let (limbs, lane) = (&mut self.limbs[0], limb.index());
        limbs.bend_direction.set_lane(lane, direction);
        limbs.has_bend_direction.set_lane(lane, 1.0);
        limbs.has_bend_goal.set_lane(lane, 0.0);
        limbs.bend_weight.set_lane(lane, weight);
    }

    /// Returns the constants of an effector.
    pub fn effector(&self, effector: Effector) -> EffectorFrame {
        match (effector, effector.limb(), effector.node().limb()) {
            (_, Some(limb), _) => self.end_effectors[0].lane(limb.index()),
            (_, None, Some(limb)) => self.first_effectors[0].lane(limb.index()),
            _ => self.body_effector,
        }
    }

    /// Returns the position of a node's bone as read, after the bend limit.
    pub fn bone(&self, node: Node) -> Vec3 {
        self.bones.at(node)
    }

    /// Returns a node's one-frame offset, times the master weight.
    pub fn offset(&self, node: Node) -> Vec3 {
        self.offsets.at(node)
    }

    /// Returns the first bone of a limb relative to the body bone, in model axes.
    pub fn body_child(&self, limb: LimbName) -> Vec3 {
        self.body_children[0].lane(limb.index())
    }

    /// Returns the child constraints, in the order of [`PAIRS`](super::child_constraint::PAIRS).
    pub fn child_constraints(&self) -> [ChildConstraint; 4] {
        std::array::from_fn(|index| {
            let pairing = [Pairing::Diagonals, Pairing::Sides][index / 2];
            let [first, _] = pairing.pairs()[index % 2];
            self.constraints[index / 2][0].lane(first.index())
        })
    }
}

impl<R: Number> EffectorFrame<R> {
    fn lane(&self, lane: usize) -> EffectorFrame {
        EffectorFrame {
            position: self.position.lane(lane),
            rotation: self.rotation.lane(lane),
            position_weight: self.position_weight.lane(lane),
            rotation_weight: self.rotation_weight.lane(lane),
            maintain_relative_position: self.maintain_relative_position.lane(lane),
            animated_position: self.animated_position.lane(lane),
            animated_plane: self.animated_plane.lane::<R>(lane),
        }
    }
}

impl<R: Number> LimbFrame<R> {
    fn lane(&self, lane: usize) -> LimbFrame {
        LimbFrame {
            lengths: self.lengths.map(|length| length.lane(lane)),
            length: self.length.lane(lane),
            root_length: self.root_length.lane(lane),
            distance: self.distance.lane(lane),
            pull: self.pull.lane(lane),
            push: self.push.lane(lane),
            push_parent: self.push_parent.lane(lane),
            push_smoothing: self.push_smoothing.lane(lane),
            reach_force: self.reach_force.lane(lane),
            reach_smoothing: self.reach_smoothing.lane(lane),
            reach_limit: self.reach_limit.lane(lane),
            first_position_weight: self.first_position_weight.lane(lane),
            cross_fade: self.cross_fade.lane(lane),
            bend_weight: self.bend_weight.lane(lane),
            has_bend_goal: self.has_bend_goal.lane(lane),
            bend_goal: self.bend_goal.lane(lane),
            has_bend_direction: self.has_bend_direction.lane(lane),
            bend_direction: self.bend_direction.lane(lane),
            clamp_smoothing: self.clamp_smoothing.lane(lane),
            default_direction: self.default_direction.lane(lane),
            default_child: self.default_child.lane(lane),
            straight: self.straight.lane(lane),
            mapping_weight: self.mapping_weight.lane(lane),
            maintain_rotation: self.maintain_rotation.lane(lane),
        }
    }
}

impl LimbFrame {
    /// Returns the bend goal, if there is one.
    pub fn goal(&self) -> Option<Vec3> {
        (self.has_bend_goal > 0.0).then_some(self.bend_goal)
    }

    /// Returns the bend direction, if there is one.
    pub fn direction(&self) -> Option<Vec3> {
        (self.has_bend_direction > 0.0).then_some(self.bend_direction)
    }

    /// Returns whether the bones after the bend limit lie on one line.
    pub fn is_straight(&self) -> bool {
        self.straight > 0.0
    }

    /// Returns the smoothing of push and of reach.
    pub fn smoothings(&self) -> [Smoothing; 2] {
        [self.push_smoothing, self.reach_smoothing].map(Smoothing::of_power)
    }
}

impl<R: Number> EffectorFrame<R> {
    #[inline(always)]
    fn none(token: R::Token) -> Self {
        let (zero, nowhere) = (R::splat(token, 0.0), R::Vec3::splat(token, Vec3::ZERO));
        Self {
            position: nowhere,
            rotation: R::Quat::splat(token, Quat::IDENTITY),
            position_weight: zero,
            rotation_weight: zero,
            maintain_relative_position: zero,
            animated_position: nowhere,
            animated_plane: Basis { right: nowhere, up: nowhere, forward: nowhere },
        }
    }
}

impl<R: Number> LimbFrame<R> {
    #[inline(always)]
    fn none(token: R::Token) -> Self {
        let (zero, nowhere) = (R::splat(token, 0.0), R::Vec3::splat(token, Vec3::ZERO));
        Self {
            lengths: [zero; 2],
            length: zero,
            root_length: zero,
            distance: zero,
            pull: zero,
            push: zero,
            push_parent: zero,
            push_smoothing: R::splat(token, Smoothing::default().power()),
            reach_force: zero,
            reach_smoothing: R::splat(token, Smoothing::default().power()),
            reach_limit: R::splat(token, 1.0),
            first_position_weight: zero,
            cross_fade: zero,
            bend_weight: zero,
            has_bend_goal: zero,
            bend_goal: nowhere,
            has_bend_direction: zero,
            bend_direction: nowhere,
            clamp_smoothing: zero,
            default_direction: nowhere,
            default_child: nowhere,
            straight: zero,
            mapping_weight: zero,
            maintain_rotation: zero,
        }
    }
}

impl Default for Points {
    fn default() -> Self {
        Self::splat((), Vec3::ZERO)
    }
}

impl<L: Layout> State<L> {
    #[inline(always)]
    pub(crate) fn new(token: TokenOf<L>) -> Self {
        let identity = RotationOf::<L::Limb>::splat(token, Quat::IDENTITY);
        Self {
            points: Points::splat(token, Vec3::ZERO),
            plane_rotation_offsets: L::each(
                #[inline(always)]
                |_| identity,
            ),
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self { points: Points::default(), plane_rotation_offsets: [Quats::splat((), Quat::IDENTITY)] }
    }
}

impl Default for EffectorFrame {
    fn default() -> Self {
        Self::none(())
    }
}

impl Default for LimbFrame {
    fn default() -> Self {
        Self::none(())
    }
}

impl<L: Layout> Frame<L> {
    #[inline(always)]
    pub(crate) fn none(token: TokenOf<L>) -> Self {
        let (zero, one) = (L::One::splat(token, 0.0), L::One::splat(token, 1.0));
        let nowhere = VectorOf::<L::One>::splat(token, Vec3::ZERO);
        Self {
            weight: zero,
            iterations: 0,
            fabrik_pass: false,
            pin: zero,
            pull_parent_sum: one,
            pull_body: nowhere,
            bones: Points::splat(token, Vec3::ZERO),
            offsets: Points::splat(token, Vec3::ZERO),
            body_effector: EffectorFrame::none(token),
            first_effectors: L::each(
                #[inline(always)]
                |_| EffectorFrame::none(token),
            ),
            end_effectors: L::each(
                #[inline(always)]
                |_| EffectorFrame::none(token),
            ),
            body_children: L::each(
                #[inline(always)]
                |_| VectorOf::<L::Limb>::splat(token, Vec3::ZERO),
            ),
            follows_body: L::each(
                #[inline(always)]
                |part| L::are_legs(token, part),
            ),
            limbs: L::each(
                #[inline(always)]
                |_| LimbFrame::none(token),
            ),
            constraints: [
                L::passes(
                    #[inline(always)]
                    |_| ChildConstraint::none(token),
                ),
                L::passes(
                    #[inline(always)]
                    |_| ChildConstraint::none(token),
                ),
            ],
            shares_body: false,
            spine_iterations: 1,
            spine_twist_weight: zero,
            head_maintain_rotation: zero,
        }
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::none(())
    }
}
