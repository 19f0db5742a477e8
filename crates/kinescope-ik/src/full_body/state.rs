//! What a solve works on: the frame it was read from, which no stage changes, and the state that every stage does.

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

/// A point for each node, in model space: that of the body, and three of each limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points<L: Layout = Single> {
    /// The body's.
    pub body: VectorOf<L::One>,
    /// Part by part the limbs' first, second and last.
    pub limbs: L::Each<Vectors<L>>,
}

/// All that the stages change. Small and `Copy`: to record, rewind or compare a solve, keep these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<L: Layout = Single> {
    /// Solver positions, model space.
    pub points: Points<L>,
    /// Per limb, how the torso plane of its end effector has turned, as far as the effector goes with it; set by each
    /// end-effector pass, used by the bend pass.
    pub plane_rotation_offsets: L::Each<RotationOf<L::Limb>>,
}

/// What [`read`](super::FullBody::read) made of pose and settings: constant over the solve. Everything in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<L: Layout = Single> {
    /// Master weight, 0 to 1.
    pub weight: L::One,
    /// Rounds of the main loop.
    pub iterations: u32,
    /// Whether limbs and torso pull each other.
    pub fabrik_pass: bool,
    /// How much the body node resists the limbs' pull in stage 1, 0 to 1.
    pub pin: L::One,
    /// `max(1, Σ pull)`.
    pub pull_parent_sum: L::One,
    /// What the hands out of reach added to the body effector's offset, before the master weight.
    pub pull_body: VectorOf<L::One>,
    /// Where the nodes' bones are after the bend limit.
    pub bones: Points<L>,
    /// One-frame offsets of the nodes, master weight applied; elbows and knees have none.
    pub offsets: Points<L>,
    /// The body's effector.
    pub body_effector: EffectorFrame<L::One>,
    /// Those on the limbs' first nodes: shoulders and thighs.
    pub first_effectors: L::Each<EffectorFrame<L::Limb>>,
    /// Those on the limbs' last nodes: hands and feet.
    pub end_effectors: L::Each<EffectorFrame<L::Limb>>,
    /// First bones relative to the body bone: the thighs are the child nodes of the body effector.
    pub body_children: L::Each<VectorOf<L::Limb>>,
    /// 1 for a limb whose first node is a child node of the body effector, 0 for the others.
    pub goes_along: L::Each<L::Limb>,
    /// Part by part.
    pub limbs: L::Each<LimbFrame<L::Limb>>,
    /// What keeps shoulders and hips apart, as [`Pairing`]s go: the torso's diagonals, then shoulders and hips.
    pub constraints: [L::Passes<ChildConstraint<L::Limb>>; 2],
    /// A linear constraint moves the body, and the limb after it has to wait for that.
    pub shares_body: bool,
    /// Rounds of the spine's own FABRIK, when the pose is written.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist is spread along the spine, 0 to 1.
    pub spine_twist_weight: L::One,
    /// How much the head keeps its animated rotation, 0 to 1.
    pub head_maintain_rotation: L::One,
}

/// One effector for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectorFrame<R: Number = f32> {
    /// The target; that of its bone where none is given.
    pub position: R::Vec3,
    /// The target rotation; that of its bone where none is given.
    pub rotation: R::Quat,
    /// Position weight · master weight.
    pub position_weight: R,
    /// Rotation weight · master weight.
    pub rotation_weight: R,
    /// How much the end, without position weight, goes along with the torso, 0 to 1.
    pub maintain_relative_position: R,
    /// Bone + offset: where an end effector without weight holds its node.
    pub animated_position: R::Vec3,
    /// The torso plane it belongs to, in the animated pose; only where an end effector goes with it.
    pub animated_plane: Basis<R::Vec3>,
}

/// One limb for one frame. Numbers that are 0 or 1 say whether.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbFrame<R: Number = f32> {
    /// Bone 1 to bone 2, bone 2 to bone 3.
    pub lengths: [R; 2],
    /// Both together.
    pub length: R,
    /// Body bone to bone 1.
    pub root_length: R,
    /// Bone 1 to bone 3 in the animated pose.
    pub distance: R,
    /// How strongly the limb pulls the torso, 0 to 1.
    pub pull: R,
    /// How strongly the compressed limb pushes its first node away, 0 to 1.
    pub push: R,
    /// How much of the push is passed on to the body, −1 to 1.
    pub push_parent: R,
    /// The [power](Smoothing::power) by which a small push is weakened.
    pub push_smoothing: R,
    /// Reach · position weight of the end effector.
    pub reach_force: R,
    /// The power by which a small reach is weakened.
    pub reach_smoothing: R,
    /// What the length of a reaching limb, in model units, is multiplied by for the most that it reaches, as a part of its
    /// own length: 1, or one over its length where reach is to be the same in every unit.
    pub reach_limit: R,
    /// Position weight · master weight of the effector on the first node.
    pub first_position_weight: R,
    /// Of the linear constraint body ↔ first node: the body's share of a correction.
    pub cross_fade: R,
    /// Bend weight · master weight; 0 where there is neither goal nor direction.
    pub bend_weight: R,
    /// Whether there is a bend goal.
    pub has_bend_goal: R,
    /// The point that the limb's middle node turns to (a pole vector).
    pub bend_goal: R::Vec3,
    /// Whether there is a bend direction.
    pub has_bend_direction: R,
    /// The direction that it turns to where there is no goal.
    pub bend_direction: R::Vec3,
    /// Sine iterations of the bend limit: 0, 1 or 2.
    pub clamp_smoothing: R,
    /// Bone 1's rotation · the default bend direction: points out of elbow or knee.
    pub default_direction: R::Vec3,
    /// Normal of the limb's plane in bone 3's space, from the reference pose.
    pub default_child: R::Vec3,
    /// Whether the bones as read lie on one line: the limb has no plane of its own.
    pub straight: R,
    /// How much of the solved limb is written to its bones, 0 to 1.
    pub mapping_weight: R,
    /// How much the end keeps its animated rotation, 0 to 1.
    pub maintain_rotation: R,
}

impl Points {
    /// That of a node.
    pub fn at(&self, node: Node) -> Vec3 {
        self.first(node)
    }

    /// Moves that of a node.
    pub fn set(&mut self, node: Node, to: Vec3) {
        match node.limb() {
            None => self.body = to,
            Some(limb) => self.limbs[0][node.joint()].set_lane(limb.index(), to),
        }
    }

    /// All of them.
    pub fn all(&self) -> Nodes {
        Nodes(Node::ALL.map(|node| self.at(node)))
    }
}

impl<L: Layout> Points<L> {
    /// That of a node, of the first character.
    fn first(&self, node: Node) -> Vec3 {
        match node.limb() {
            None => self.body.lane(0),
            Some(limb) => {
                let (part, lane) = L::place(limb);
                self.limbs[part][node.joint()].lane(lane)
            }
        }
    }

    /// Takes that of a node from others, for every character.
    fn take(&mut self, node: Node, from: &Self) {
        match node.limb() {
            None => self.body = from.body,
            Some(limb) => {
                let (part, _) = L::place(limb);
                L::take(&mut self.limbs[part][node.joint()], from.limbs[part][node.joint()], limb);
            }
        }
    }

    /// A copy to hold what a stage does against, register by register: whatever is not told of is not copied.
    #[inline(always)]
    pub(crate) fn found(&self) -> Self {
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

    /// Tells of what a stage did since it found the points as `found`, in the order of `moves`: the only way in which a
    /// stage's moves are told. Told to break, the points are left as they are after the move told last.
    #[inline(always)]
    pub(crate) fn tell<W: Watch<Move>>(
        &mut self,
        found: &Self,
        moves: impl Iterator<Item = (Node, Cause)> + Clone,
        watch: &mut W,
    ) -> Flow {
        if !W::LISTENS {
            return GO_ON;
        }
        for (index, (node, cause)) in moves.clone().enumerate() {
            let (from, to) = (found.first(node), self.first(node));
            if from != to && watch.saw(Move { node, from, to, cause }).is_break() {
                let after = std::mem::replace(self, *found);
                moves.take(index + 1).for_each(|(node, _)| self.take(node, &after));
                return Flow::Break(());
            }
        }
        GO_ON
    }

    /// The same point for every node.
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

/// Moves the body's node and tells the watcher if it went anywhere.
#[inline(always)]
pub(crate) fn tell_body<L: Layout, W: Watch<Move>>(
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
    /// With the nodes there.
    pub fn of_nodes(nodes: &Nodes) -> Self {
        let mut state = Self::default();
        Node::ALL.into_iter().for_each(|node| state.set_node(node, nodes[node]));
        state
    }

    /// The nodes.
    pub fn nodes(&self) -> Nodes {
        self.points.all()
    }

    /// One node.
    pub fn node(&self, node: Node) -> Vec3 {
        self.points.at(node)
    }

    /// Moves a node, as a hook between two stages may.
    pub fn set_node(&mut self, node: Node, to: Vec3) {
        self.points.set(node, to);
    }

    /// How the torso plane of a limb's end effector has turned, as far as the effector goes with it.
    pub fn plane_rotation_offset(&self, limb: LimbName) -> Quat {
        self.plane_rotation_offsets[0].lane(limb.index())
    }
}

impl Frame {
    /// One limb.
    pub fn limb(&self, limb: LimbName) -> LimbFrame {
        self.limbs[0].lane(limb.index())
    }

    /// Bends a limb to a direction by a weight, instead of whatever it was told: for who has the last word before the bend
    /// pass.
    pub fn set_bend(&mut self, limb: LimbName, direction: Vec3, weight: f32) {
        let (limbs, lane) = (&mut self.limbs[0], limb.index());
        limbs.bend_direction.set_lane(lane, direction);
        limbs.has_bend_direction.set_lane(lane, 1.0);
        limbs.has_bend_goal.set_lane(lane, 0.0);
        limbs.bend_weight.set_lane(lane, weight);
    }

    /// One effector.
    pub fn effector(&self, effector: Effector) -> EffectorFrame {
        match (effector, effector.limb(), effector.node().limb()) {
            (_, Some(limb), _) => self.end_effectors[0].lane(limb.index()),
            (_, None, Some(limb)) => self.first_effectors[0].lane(limb.index()),
            _ => self.body_effector,
        }
    }

    /// Where the node's bone is as read, after the bend limit.
    pub fn bone(&self, node: Node) -> Vec3 {
        self.bones.at(node)
    }

    /// The node's one-frame offset, master weight applied.
    pub fn offset(&self, node: Node) -> Vec3 {
        self.offsets.at(node)
    }

    /// The first bone of a limb, relative to the body bone.
    pub fn body_child(&self, limb: LimbName) -> Vec3 {
        self.body_children[0].lane(limb.index())
    }

    /// The child constraints, in the order of [`PAIRS`](super::child_constraint::PAIRS).
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
    /// The bend goal, if there is one.
    pub fn goal(&self) -> Option<Vec3> {
        (self.has_bend_goal > 0.0).then_some(self.bend_goal)
    }

    /// The bend direction, if there is one.
    pub fn direction(&self) -> Option<Vec3> {
        (self.has_bend_direction > 0.0).then_some(self.bend_direction)
    }

    /// Whether the bones as read lie on one line.
    pub fn is_straight(&self) -> bool {
        self.straight > 0.0
    }

    /// How push and reach are weakened.
    pub fn smoothings(&self) -> [Smoothing; 2] {
        [self.push_smoothing, self.reach_smoothing].map(Smoothing::of_power)
    }
}

impl<R: Number> EffectorFrame<R> {
    /// One that asks for nothing.
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
    /// One without length or weight.
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
    /// All nodes at the origin.
    pub(crate) fn new(token: TokenOf<L>) -> Self {
        let identity = RotationOf::<L::Limb>::splat(token, Quat::IDENTITY);
        Self { points: Points::splat(token, Vec3::ZERO), plane_rotation_offsets: L::each(|_| identity) }
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
    /// Of master weight 0.
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
            first_effectors: L::each(|_| EffectorFrame::none(token)),
            end_effectors: L::each(|_| EffectorFrame::none(token)),
            body_children: L::each(|_| VectorOf::<L::Limb>::splat(token, Vec3::ZERO)),
            goes_along: L::each(|part| L::are_legs(token, part)),
            limbs: L::each(|_| LimbFrame::none(token)),
            constraints: [L::passes(|_| ChildConstraint::none(token)), L::passes(|_| ChildConstraint::none(token))],
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
