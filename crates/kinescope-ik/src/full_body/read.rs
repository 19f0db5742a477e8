//! Reads a frame: pose and settings become the constants of the solve and the first state.

use glam::{Quat, Vec3};

use super::bend_constraint::limit_bend;
use super::body::FullBody;
use super::child_constraint::ChildConstraint;
use super::effector::torso_plane;
use super::error::InputError;
use super::hierarchy::{Hierarchy, KeyPose};
use super::input::Rotations;
use super::input_rows::{Character, InputRows, character_row, effector_row, limb_row};
use super::mapping::Mappings;
use super::moves::{Cause, Move, of_limbs};
use super::settings::{Settings, SolverSettings};
use super::state::{EffectorFrame, Frame, Points, State, move_body};
use super::written::Written;
use crate::lanes::{
    Layout, Mask, Number, Pairing, Rotation, RotationOf, Single, TokenOf, Vector, VectorOf, decide, length, sine,
};
use crate::math::STRAIGHT_SINE;
use crate::names::{Effector, Node};
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::{Flow, Watch};

/// Buffers of reading and writing, which every solve reuses; usually only the first solve allocates. After a frame was
/// read, the buffers hold the values that writing needs.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// `FullBody::shape` of the solver that the workspace was made for.
    pub(crate) shape: u64,
    /// Whether the workspace holds a frame that was read and not yet written.
    pub(super) is_read: bool,
    pub(super) read: Read,
    /// The pose before the modifiers of a solve; empty until the first solve with modifiers.
    pub(crate) unmodified: Vec<RigidTransform>,
}

impl FullBody {
    /// Creates the buffers for reading and writing.
    pub fn workspace(&self) -> Workspace {
        Workspace { shape: self.shape, is_read: false, read: Read::new(()), unmodified: Vec::new() }
    }

    pub(crate) fn check_fit(&self, workspace: &Workspace, pose: &[RigidTransform]) -> Result<(), InputError> {
        if workspace.shape != self.shape {
            return Err(InputError::ForeignWorkspace);
        }
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        Ok(())
    }

    pub(crate) fn check_input(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<Rotations, InputError> {
        self.check_fit(workspace, pose)?;
        self.check_pose_and_settings(settings, pose)
    }

    /// Reads the animated pose (one transform per bone of the skeleton, model space) and the settings.
    ///
    /// The returned state is the one before [`Stage::Read`](super::Stage::Read): every node is at its bone in the
    /// input pose.
    ///
    /// # Errors
    /// [`InputError`] names the first unusable input.
    pub fn read(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<(Frame, State), InputError> {
        workspace.is_read = false;
        let rotations = self.check_input(workspace, settings, pose)?;
        let state = self.read_usable(workspace, settings, pose, rotations);
        Ok((workspace.read.frame, state))
    }

    /// Reads as [`Self::read`] does, without checks. Not inlined, because compiling a copy takes seconds.
    #[inline(never)]
    pub(crate) fn read_usable(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
        rotations: Rotations,
    ) -> State {
        workspace.is_read = true;
        read((), &[Character { solver: self, settings, pose, rotations }], workspace.read.parts())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Read<L: Layout = Single> {
    rows: InputRows<L>,
    pub frame: Frame<L>,
    pub mappings: Mappings<L>,
    /// The key bones after the bend limit, where writing starts; after writing, the written bones.
    pub written: Written<L::One>,
}

impl<L: Layout> Read<L> {
    pub fn new(token: TokenOf<L>) -> Self {
        let (rows, mappings, written) = (InputRows::default(), Mappings::default(), Written::default());
        Self { rows, frame: Frame::none(token), mappings, written }
    }
}

impl<L: Layout> Read<L> {
    #[inline(always)]
    pub fn parts(&mut self) -> Parts<'_, L> {
        let Self { rows, frame, mappings, written } = self;
        Parts { rows, frame, mappings, written }
    }
}

pub(crate) struct Parts<'a, L: Layout> {
    pub rows: &'a mut InputRows<L>,
    pub frame: &'a mut Frame<L>,
    pub mappings: &'a mut Mappings<L>,
    pub written: &'a mut Written<L::One>,
}

/// Reads the characters of a [`Layout`]: one for [`Single`], one per lane for a batch. All characters must have
/// the same tree of key bones, and their solves must take the same steps.
#[inline(always)]
pub(crate) fn read<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    Parts { rows, frame, mappings, written }: Parts<L>,
) -> State<L> {
    rows.gather(characters);
    let FullBody { hierarchy, root_node, .. } = characters[0].solver;
    read_keys::<L>(token, characters, rows, written);
    let keys = &mut written.keys;
    let handed_in = L::each(
        #[inline(always)]
        |part| bones_of::<L>(keys, hierarchy, part),
    );
    read_settings(token, rows, &characters[0].settings.solver, frame);
    frame.pull_body = match decide(frame.iterations > 0) {
        true => pull_body::<L>(token, rows, &handed_in, &frame.end_effectors),
        false => VectorOf::<L::One>::splat(token, Vec3::ZERO),
    };

    // The bend limit alters the pose that everything below reads.
    let of_limbs = L::spread(frame.weight);
    for part in 0..L::PARTS {
        if L::PARTS > 1 || hierarchy.are_limbs_apart {
            limit_bends::<L>(token, rows, hierarchy, of_limbs, keys, (part, None));
            continue;
        }
        for &limb in L::limbs(part) {
            limit_bends::<L>(token, rows, hierarchy, of_limbs, keys, (part, Some(limb)));
        }
    }
    let weight_sum = read_bones(token, rows, (hierarchy, *root_node), keys, frame);
    frame.shares_body = false;
    for part in 0..L::PARTS {
        read_limbs(token, rows, hierarchy, keys, frame, (part, weight_sum));
    }
    read_constraints(token, rows, frame);
    mappings.read(token, (hierarchy, *root_node), keys, frame);
    let mut points = frame.bones.snapshot();
    for part in 0..L::PARTS {
        points.limbs[part][2] = handed_in[part][2];
    }
    let identity = RotationOf::<L::Limb>::splat(token, Quat::IDENTITY);
    State {
        points,
        plane_rotation_offsets: L::each(
            #[inline(always)]
            |_| identity,
        ),
    }
}

/// Reads the key bones and the spine's joints as they are in the animated pose, before the bend limit.
#[inline(always)]
fn read_keys<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    rows: &InputRows<L>,
    written: &mut Written<L::One>,
) {
    let hierarchy = &characters[0].solver.hierarchy;
    written.keys.read(
        token,
        hierarchy,
        rotations_of(characters),
        #[inline(always)]
        |key| rows.key_bone(token, key),
    );
    written.joints.clear();
    for joint in 0..hierarchy.spine_len {
        written.joints.push(written.keys.base(joint).position);
    }
}

#[inline(always)]
fn read_settings<L: Layout>(token: TokenOf<L>, rows: &InputRows<L>, solver: &SolverSettings, frame: &mut Frame<L>) {
    let master = rows.character(token, character_row::WEIGHT);
    let of_limbs = L::spread(master);
    frame.weight = master;
    (frame.iterations, frame.fabrik_pass) = (solver.iterations, solver.fabrik_pass);
    frame.pin = rows.character(token, character_row::PIN);
    frame.pull_parent_sum = rows.character(token, character_row::PULL_PARENT_SUM);
    frame.spine_iterations = solver.spine_iterations;
    frame.spine_twist_weight = rows.character(token, character_row::SPINE_TWIST_WEIGHT);
    frame.head_maintain_rotation = rows.character(token, character_row::HEAD_MAINTAIN_ROTATION);
    frame.body_effector = rows.body_effector(token, master);
    for part in 0..L::PARTS {
        frame.first_effectors[part] = rows.effectors(token, part, limb_row::FIRST_EFFECTOR, of_limbs);
        frame.end_effectors[part] = rows.effectors(token, part, limb_row::END_EFFECTOR, of_limbs);
    }
}

/// Reads the bones after the bend limit, with the offsets of their effectors. Returns the divisor of the limbs' cross
/// fades: the body effector's position weight plus, for each limb, its pull times the position weight on its first
/// node; at least 1.
#[inline(always)]
fn read_bones<L: Layout>(
    token: TokenOf<L>,
    rows: &InputRows<L>,
    (hierarchy, root_node): (&Hierarchy, usize),
    keys: &KeyPose<L::One>,
    frame: &mut Frame<L>,
) -> L::Limb {
    let of_limbs = L::spread(frame.weight);
    let nowhere = VectorOf::<L::Limb>::splat(token, Vec3::ZERO);
    let body = keys.base(root_node).position;
    frame.bones.body = body;
    frame.offsets.body = (rows.body_offset(token) + frame.pull_body) * frame.weight;
    frame.body_effector.animated_position = body + frame.offsets.body;
    let (at_body, body_offset) = (L::spread_vector(body), L::spread_vector(frame.offsets.body));
    let mut weight_sum = L::One::splat(token, 0.0);
    for part in 0..L::PARTS {
        let bones = bones_of::<L>(keys, hierarchy, part);
        frame.bones.limbs[part] = bones;
        frame.body_children[part] = bones[0] - at_body;
        frame.follows_body[part] = L::are_legs(token, part);
        let first = rows.limb_vector(token, part, limb_row::FIRST_EFFECTOR + effector_row::POSITION_OFFSET) * of_limbs;
        let end = rows.limb_vector(token, part, limb_row::END_EFFECTOR + effector_row::POSITION_OFFSET) * of_limbs;
        let offsets = [body_offset * frame.follows_body[part] + first, nowhere, end];
        frame.offsets.limbs[part] = offsets;
        frame.first_effectors[part].animated_position = bones[0] + offsets[0];
        frame.end_effectors[part].animated_position = bones[2] + offsets[2];
        let weights = frame.first_effectors[part].position_weight * rows.limb(token, part, limb_row::PULL);
        for &limb in L::limbs(part) {
            weight_sum = weight_sum + L::one(weights, limb);
        }
    }
    let weight_sum = (frame.body_effector.position_weight + weight_sum).greater(L::One::splat(token, 1.0));
    L::spread(weight_sum)
}

#[inline(always)]
fn read_limbs<L: Layout>(
    token: TokenOf<L>,
    rows: &InputRows<L>,
    hierarchy: &Hierarchy,
    keys: &KeyPose<L::One>,
    frame: &mut Frame<L>,
    (part, weight_sum): (usize, L::Limb),
) {
    macro_rules! number {
        ($row:expr) => {
            rows.limb(token, part, $row)
        };
    }
    let zero = L::Limb::splat(token, 0.0);
    let [p1, p2, p3] = frame.bones.limbs[part];
    if frame.end_effectors[part].maintain_relative_position.gt(zero).any() {
        frame.end_effectors[part].animated_plane = torso_plane(&frame.bones, part);
    }
    let limbs = &mut frame.limbs[part];
    limbs.lengths = [length(p2 - p1), length(p3 - p2)];
    limbs.length = limbs.lengths[0] + limbs.lengths[1];
    limbs.root_length = length(p1 - L::spread_vector(frame.bones.body));
    limbs.distance = length(p3 - p1);
    limbs.pull = number!(limb_row::PULL);
    limbs.push = number!(limb_row::PUSH);
    limbs.push_parent = number!(limb_row::PUSH_PARENT);
    limbs.push_smoothing = number!(limb_row::PUSH_SMOOTHING);
    limbs.reach_force = number!(limb_row::REACH) * frame.end_effectors[part].position_weight;
    limbs.reach_smoothing = number!(limb_row::REACH_SMOOTHING);
    let one = limbs.length.like(1.0);
    let is_scale_free = number!(limb_row::SCALE_FREE_REACH).gt(zero) & limbs.length.gt(zero);
    limbs.reach_limit = L::Limb::select(is_scale_free, one / limbs.length, one);
    limbs.first_position_weight = frame.first_effectors[part].position_weight;
    limbs.cross_fade = limbs.first_position_weight * limbs.pull / weight_sum;
    frame.shares_body |= (!limbs.cross_fade.is(zero)).any();
    limbs.bend_weight = number!(limb_row::BEND_WEIGHT) * L::spread(frame.weight);
    limbs.has_bend_goal = number!(limb_row::HAS_BEND_GOAL);
    limbs.bend_goal = rows.limb_vector(token, part, limb_row::BEND_GOAL);
    limbs.has_bend_direction = number!(limb_row::HAS_BEND_DIRECTION);
    limbs.bend_direction = rows.limb_vector(token, part, limb_row::BEND_DIRECTION);
    limbs.clamp_smoothing = number!(limb_row::CLAMP_SMOOTHING);
    limbs.default_direction = default_directions::<L>(token, rows, hierarchy, keys, part);
    limbs.default_child = rows.limb_vector(token, part, limb_row::DEFAULT_CHILD);
    let is_straight = sine::<L::Limb>(p2 - p1, p3 - p2).lt(zero.like(STRAIGHT_SINE));
    limbs.straight = L::Limb::select(is_straight, zero.like(1.0), zero);
    limbs.mapping_weight = number!(limb_row::MAPPING_WEIGHT);
    limbs.maintain_rotation = number!(limb_row::MAINTAIN_ROTATION);
}

/// Reads the child constraints. The torso's diagonals resist shortening by the stiffness of the spine and stretch
/// freely; the lines between the shoulders and between the hips are rigid.
#[inline(always)]
fn read_constraints<L: Layout>(token: TokenOf<L>, rows: &InputRows<L>, frame: &mut Frame<L>) {
    let stiffness = L::spread(rows.character(token, character_row::SPINE_STIFFNESS));
    let (yielding, one) = (stiffness.like(1.0) - stiffness, stiffness.like(1.0));
    let zero = L::Limb::splat(token, 0.0);
    let pulls = L::each(
        #[inline(always)]
        |part| rows.limb(token, part, limb_row::PULL),
    );
    for go in 0..L::PASSES {
        frame.constraints[0][go] = constraints::<L>(&frame.bones, &pulls, (Pairing::Diagonals, go), [yielding, one]);
        frame.constraints[1][go] = constraints::<L>(&frame.bones, &pulls, (Pairing::Sides, go), [zero, zero]);
    }
}

#[inline(always)]
fn rotations_of(characters: &[Character]) -> Rotations {
    match characters.iter().all(|character| character.rotations == Rotations::Exact) {
        true => Rotations::Exact,
        false => Rotations::Near,
    }
}

#[inline(always)]
fn constraints<L: Layout>(
    bones: &Points<L>,
    pulls: &L::Each<L::Limb>,
    (pairing, go): (Pairing, usize),
    [push_elasticity, pull_elasticity]: [L::Limb; 2],
) -> ChildConstraint<L::Limb> {
    let [a, b] = L::pair(&bones.limbs, pairing, go);
    let [own, other] = L::pair_of_numbers(pulls, pairing, go);
    let is_second = L::are_second(own.token(), pairing).gt(own.like(0.0));
    let pull = [L::Limb::select(is_second, other, own), L::Limb::select(is_second, own, other)];
    let constraint = ChildConstraint::new(push_elasticity, pull_elasticity, length(b - a), pull);
    let of_first = constraint.cross_fade;
    ChildConstraint { cross_fade: L::Limb::select(is_second, own.like(1.0) - of_first, of_first), ..constraint }
}

/// Returns the default bend directions of a part's limbs, rotated with bone 1: out of elbow or knee. Unit, model space.
#[inline(always)]
fn default_directions<L: Layout>(
    token: TokenOf<L>,
    rows: &InputRows<L>,
    hierarchy: &Hierarchy,
    keys: &KeyPose<L::One>,
    part: usize,
) -> VectorOf<L::Limb> {
    let rotation = L::join_rotation(
        part,
        #[inline(always)]
        |limb| keys.base(hierarchy.limbs[limb.index()].bones[0]).rotation,
    );
    rotation.rotate(rows.limb_vector(token, part, limb_row::DEFAULT_LOCAL))
}

#[inline(always)]
fn bones_of<L: Layout>(keys: &KeyPose<L::One>, hierarchy: &Hierarchy, part: usize) -> [VectorOf<L::Limb>; 3] {
    macro_rules! joint {
        ($joint:literal) => {
            L::join_vector(
                part,
                #[inline(always)]
                |limb| keys.base(hierarchy.limbs[limb.index()].bones[$joint]).position,
            )
        };
    }
    [joint!(0), joint!(1), joint!(2)]
}

#[inline(always)]
fn limit_bends<L: Layout>(
    token: TokenOf<L>,
    rows: &InputRows<L>,
    hierarchy: &Hierarchy,
    master: L::Limb,
    keys: &mut KeyPose<L::One>,
    (part, only): (usize, Option<LimbName>),
) {
    let outward = default_directions::<L>(token, rows, hierarchy, keys, part);
    let position_weight = rows.limb(token, part, limb_row::END_EFFECTOR + effector_row::POSITION_WEIGHT);
    let points = bones_of::<L>(keys, hierarchy, part);
    let smoothing = rows.limb(token, part, limb_row::CLAMP_SMOOTHING);
    let (turn, is_limited) = limit_bend::<L::Limb>(points, -outward, (master, smoothing), position_weight);
    if !is_limited.any() {
        return;
    }
    for &limb in L::limbs(part) {
        let (_, lane) = L::place(limb);
        let is_selected = only.is_none_or(|only| only == limb);
        if is_selected && (L::PARTS > 1 || is_limited.lane(lane)) {
            let is_limited = L::one_mask(is_limited, limb);
            keys.limit_bend(hierarchy, &hierarchy.limbs[limb.index()], L::one_rotation(turn, limb), is_limited);
        }
    }
}

/// Runs [`Stage::Read`](super::Stage::Read): applies the bend limit and the one-frame offsets to the nodes.
#[inline(always)]
pub fn read_nodes<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        state.points.limbs[part][2] = frame.bones.limbs[part][2];
    }
    state.points.report_moves(&before, of_limbs([2], Cause::BendLimit), watch)?;

    move_body(state, frame.bones.body + frame.offsets.body, Cause::Offset(Effector::Body), watch)?;
    let before = state.points.snapshot();
    let body_offset = L::spread_vector(frame.offsets.body);
    // The thighs follow the body's offset before their own is added.
    for part in 0..L::PARTS {
        let first = frame.bones.limbs[part][0];
        state.points.limbs[part][0] = first + body_offset * frame.follows_body[part];
    }
    let thighs = [Node::LeftThigh, Node::RightThigh].into_iter();
    state.points.report_moves(&before, thighs.map(|node| (node, Cause::Offset(Effector::Body))), watch)?;
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let (bones, offsets) = (frame.bones.limbs[part], frame.offsets.limbs[part]);
        state.points.limbs[part] = [bones[0] + offsets[0], bones[1], bones[2] + offsets[2]];
    }
    let own = Effector::ALL.into_iter().skip(1).map(|effector| (effector.node(), Cause::Offset(effector)));
    state.points.report_moves(&before, own, watch)
}

/// Returns the offset that hands out of reach add to the body effector, before the master weight: the sum of the
/// vectors by which the arms are too short for their targets, each times the hand's position weight, then times the
/// vertical and the horizontal factor of pull body. The left hand pulls first; the right hand's vector is measured
/// after that. Uses the input pose, before the bend limit.
#[inline(always)]
fn pull_body<L: Layout>(
    token: TokenOf<L>,
    rows: &InputRows<L>,
    handed_in: &L::Each<[VectorOf<L::Limb>; 3]>,
    end_effectors: &L::Each<EffectorFrame<L::Limb>>,
) -> VectorOf<L::One> {
    let nothing = VectorOf::<L::One>::splat(token, Vec3::ZERO);
    let mut sum = nothing;
    for limb in [LimbName::LeftArm, LimbName::RightArm] {
        let (part, _) = L::place(limb);
        let [p1, p2, p3] = handed_in[part];
        let [p1, p2, p3] = [L::one_vector(p1, limb), L::one_vector(p2, limb), L::one_vector(p3, limb)];
        let arm: L::One = length::<L::One>(p2 - p1) + length(p3 - p2);
        let to_target = L::one_vector(end_effectors[part].position, limb) - (p1 + sum);
        let distance: L::One = length(to_target);
        let weight = rows.limb(token, part, limb_row::END_EFFECTOR + effector_row::POSITION_WEIGHT);
        let pulled = to_target * ((distance - arm) / distance * L::one(weight, limb));
        sum = sum + VectorOf::<L::One>::select(distance.gt(arm), pulled, nothing);
    }
    let vertical = rows.character(token, character_row::PULL_BODY_VERTICAL);
    let horizontal = rows.character(token, character_row::PULL_BODY_HORIZONTAL);
    let [x, y, z] = sum.parts();
    VectorOf::<L::One>::from_parts([x * horizontal, y * vertical, z * horizontal])
}
