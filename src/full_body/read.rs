//! Reading a frame: pose and settings become the constants of the solve.

use glam::Vec3;

use super::child_constraint::{ChildConstraint, PAIRS};
use super::input::InputError;
use super::moves::{Cause, Move, move_node};
use super::names::{Effector, Node, Nodes};
use super::settings::Settings;
use super::state::{EffectorFrame, Frame, LimbFrame, State};
use super::{FullBody, Workspace};
use crate::math::{STRAIGHT_SINE, length, sine};
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::{Flow, GO_ON, Watch};

impl FullBody {
    /// Reads the animated pose (one transform per bone of the skeleton, model space) and the settings.
    ///
    /// The returned state is that before [`Stage::Read`](super::Stage::Read): the nodes are where the pose has them.
    ///
    /// # Errors
    /// [`InputError`] says which input cannot be solved with.
    pub fn read(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<(Frame, State), InputError> {
        workspace.is_read = false;
        self.check_input(workspace, settings, pose)?;
        let hierarchy = &self.hierarchy;
        let keys = &mut workspace.writing.keys;
        keys.read(hierarchy, pose, &mut workspace.animated);
        workspace.writing.joints.iter_mut().zip(&workspace.animated).for_each(|(joint, bone)| *joint = bone.position);
        let master = settings.solver.weight.clamp(0.0, 1.0);
        let iterations = settings.solver.iterations;
        let handed_in = self.node_keys.map(|key| workspace.animated[key]);

        let mut effectors: [EffectorFrame; Effector::COUNT] = std::array::from_fn(|index| {
            let from = &settings.effectors[index];
            let bone = &handed_in[Effector::ALL[index].node() as usize];
            EffectorFrame {
                position: from.position.unwrap_or(bone.position),
                rotation: from.rotation.unwrap_or(bone.rotation),
                position_weight: from.position_weight * master,
                rotation_weight: from.rotation_weight * master,
                maintain_relative_position: from.maintain_relative_position,
                ..EffectorFrame::default()
            }
        });
        let pull_body = match iterations > 0 {
            true => pull_body(settings, &handed_in, &effectors),
            false => Vec3::ZERO,
        };

        // The bend limit alters the pose that all the rest is read from.
        for limb in LimbName::ALL {
            let [_, k2, k3] = hierarchy.limbs[limb.index()].bones;
            let bones = hierarchy.limbs[limb.index()].bones.map(|key| keys.get(hierarchy, key));
            let position_weight = settings.effector(Effector::END[limb.index()]).position_weight;
            let constraint = &self.bend_constraints[limb.index()];
            if let Some(rotation) = constraint.limit_bend(bones, master, position_weight) {
                let [_, mut lower, mut end] = bones;
                lower.rotation = rotation;
                keys.set_and_keep(hierarchy, k2, lower);
                end.position = keys.get(hierarchy, k3).position;
                keys.set_and_keep(hierarchy, k3, end);
            }
        }
        let bones = self.node_keys.map(|key| keys.get(hierarchy, key));
        let position = |node: Node| bones[node as usize].position;

        let mut offsets = Nodes::default();
        for (effector, from) in Effector::ALL.into_iter().zip(&settings.effectors) {
            let is_body = effector == Effector::Body;
            let offset = (from.position_offset + if is_body { pull_body } else { Vec3::ZERO }) * master;
            offset_nodes(effector).for_each(|node| offsets[node] += offset);
        }
        for (effector, frame) in Effector::ALL.into_iter().zip(&mut effectors) {
            frame.animated_position = position(effector.node()) + offsets[effector.node()];
            if frame.maintain_relative_position > 0.0
                && let Some(limb) = effector.limb()
            {
                frame.animated_plane_rotation = Frame::plane_rotation(Effector::plane_nodes(limb).map(position));
            }
        }

        let weight_sum =
            LimbName::ALL.into_iter().map(|limb| first_weight(&effectors, limb) * settings.chain(limb).pull);
        let weight_sum = (effectors[Effector::Body as usize].position_weight + weight_sum.sum::<f32>()).max(1.0);
        let limbs = LimbName::ALL.map(|limb| {
            let chain = settings.chain(limb);
            let [p1, p2, p3] = Node::of_limb(limb).map(position);
            let lengths = [length(p2 - p1), length(p3 - p2)];
            let constraint = &self.bend_constraints[limb.index()];
            let has_bend = chain.bend_goal.is_some() || chain.bend_direction.is_some();
            LimbFrame {
                lengths,
                length: lengths[0] + lengths[1],
                root_length: length(p1 - position(Node::Body)),
                distance: length(p3 - p1),
                pull: chain.pull,
                push: chain.push,
                push_parent: chain.push_parent,
                push_smoothing: chain.push_smoothing,
                reach_force: chain.reach * effectors[Effector::END[limb.index()] as usize].position_weight,
                reach_smoothing: chain.reach_smoothing,
                first_position_weight: first_weight(&effectors, limb),
                cross_fade: first_weight(&effectors, limb) * chain.pull / weight_sum,
                bend_weight: if has_bend { chain.bend_weight * master } else { 0.0 },
                bend_goal: chain.bend_goal,
                bend_direction: chain.bend_direction,
                default_direction: bones[Node::of_limb(limb)[0] as usize].rotation * constraint.default_local,
                default_child: constraint.default_child,
                straight: sine(p2 - p1, p3 - p2) < STRAIGHT_SINE,
                mapping_weight: chain.mapping_weight,
                maintain_rotation: chain.maintain_rotation,
            }
        });

        let mut constraints = [ChildConstraint::default(); 4];
        for (index, ([a, b], constraint)) in PAIRS.into_iter().zip(&mut constraints).enumerate() {
            let (push_elasticity, pull_elasticity) =
                if index < 2 { (1.0 - settings.solver.spine_stiffness, 1.0) } else { (0.0, 0.0) };
            let pull = [a, b].map(|node| node.limb().map_or(1.0, |limb| settings.chain(limb).pull));
            let nominal = length(position(b) - position(a));
            *constraint = ChildConstraint::new(push_elasticity, pull_elasticity, nominal, pull);
        }

        let body = position(Node::Body);
        let frame = Frame {
            weight: master,
            iterations,
            fabrik_pass: settings.solver.fabrik_pass,
            pin: settings.pin,
            pull_parent_sum: settings.chains.iter().map(|chain| chain.pull).sum::<f32>().max(1.0),
            pull_body,
            bones,
            offsets,
            effectors,
            body_children: [Node::LeftThigh, Node::RightThigh].map(|child| position(child) - body),
            limbs,
            constraints,
            spine_iterations: settings.solver.spine_iterations,
            spine_twist_weight: settings.solver.spine_twist_weight,
            head_maintain_rotation: settings.solver.head_maintain_rotation,
        };
        workspace.mappings.read(hierarchy, keys, &frame);
        workspace.is_read = true;
        let mut nodes = Nodes(bones.map(|bone| bone.position));
        for limb in LimbName::ALL {
            let [_, _, last] = Node::of_limb(limb);
            nodes[last] = handed_in[last as usize].position;
        }
        Ok((frame, State { nodes, ..State::default() }))
    }
}

/// [`Stage::Read`](super::Stage::Read): what the bend limit and the one-frame offsets do to the nodes.
pub fn read_nodes(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for limb in LimbName::ALL {
        let [_, _, last] = Node::of_limb(limb);
        move_node(&mut state.nodes, last, frame.bone(last).position, Cause::BendLimit(limb), watch)?;
    }
    for effector in Effector::ALL {
        for node in offset_nodes(effector) {
            // The thighs go along with the body before their own offsets are added.
            let offset = frame.offsets[if effector == Effector::Body { Node::Body } else { node }];
            let to = frame.bone(node).position + offset;
            move_node(&mut state.nodes, node, to, Cause::Offset(effector), watch)?;
        }
    }
    GO_ON
}

/// The nodes that an effector's offset moves.
fn offset_nodes(effector: Effector) -> impl Iterator<Item = Node> {
    let children: &[Node] = if effector == Effector::Body { &[Node::LeftThigh, Node::RightThigh] } else { &[] };
    std::iter::once(effector.node()).chain(children.iter().copied())
}

/// Position weight of the effector on the limb's first node.
fn first_weight(effectors: &[EffectorFrame; Effector::COUNT], limb: LimbName) -> f32 {
    let effector = [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh];
    effectors[effector[limb.index()] as usize].position_weight
}

/// What hands out of reach add to the body effector's offset, left hand first; reads the pose as handed in.
fn pull_body(
    settings: &Settings,
    handed_in: &[RigidTransform; Node::COUNT],
    effectors: &[EffectorFrame; Effector::COUNT],
) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for limb in [LimbName::LeftArm, LimbName::RightArm] {
        let [p1, p2, p3] = Node::of_limb(limb).map(|node| handed_in[node as usize].position);
        let arm = length(p2 - p1) + length(p3 - p2);
        let effector = Effector::END[limb.index()];
        let to_target = effectors[effector as usize].position - (p1 + sum);
        let distance = length(to_target);
        if distance > arm {
            sum += to_target / distance * (distance - arm) * settings.effector(effector).position_weight;
        }
    }
    let (vertical, horizontal) = (Vec3::new(0.0, sum.y, 0.0), Vec3::new(sum.x, 0.0, sum.z));
    vertical * settings.solver.pull_body_vertical + horizontal * settings.solver.pull_body_horizontal
}
