//! What a solve works on: the frame it was read from, which no stage changes, and the state that every stage does.

use glam::{Quat, Vec3};

use super::child_constraint::ChildConstraint;
use super::names::{Effector, Node, Nodes};
use super::settings::Smoothing;
use crate::rig::{LimbName, RigidTransform};

/// All that the stages change. Small and `Copy`: to record, rewind or compare a solve, keep these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Solver positions, model space.
    pub nodes: Nodes,
    /// Per limb, how the torso plane of its end effector has turned, as far as the effector goes with it; set by each
    /// end-effector pass, used by the bend pass.
    pub plane_rotation_offsets: [Quat; 4],
}

/// What [`read`](super::FullBody::read) made of pose and settings: constant over the solve. Everything in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Master weight, 0 to 1.
    pub weight: f32,
    /// Rounds of the main loop.
    pub iterations: u32,
    /// Whether limbs and torso pull each other.
    pub fabrik_pass: bool,
    /// How much the body node resists the limbs' pull in stage 1, 0 to 1.
    pub pin: f32,
    /// `max(1, Σ pull)`.
    pub pull_parent_sum: f32,
    /// What the hands out of reach added to the body effector's offset, before the master weight.
    pub pull_body: Vec3,
    /// The node's bones after the bend limit, in the order of [`Node::ALL`].
    pub bones: [RigidTransform; Node::COUNT],
    /// One-frame offsets of the nodes, master weight applied.
    pub offsets: Nodes,
    /// In the order of [`Effector::ALL`].
    pub effectors: [EffectorFrame; Effector::COUNT],
    /// Left and right thigh relative to the body bone: the child nodes of the body effector.
    pub body_children: [Vec3; 2],
    /// In the order of [`LimbName::ALL`].
    pub limbs: [LimbFrame; 4],
    /// What keeps shoulders and hips apart, in the order of [`PAIRS`](super::child_constraint::PAIRS).
    pub constraints: [ChildConstraint; 4],
    /// Rounds of the spine's own FABRIK, when the pose is written.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist is spread along the spine, 0 to 1.
    pub spine_twist_weight: f32,
    /// How much the head keeps its animated rotation, 0 to 1.
    pub head_maintain_rotation: f32,
}

/// One effector for one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffectorFrame {
    /// The target; that of its bone, offset included, where none is given.
    pub position: Vec3,
    /// The target rotation; that of its bone where none is given.
    pub rotation: Quat,
    /// Position weight · master weight.
    pub position_weight: f32,
    /// Rotation weight · master weight.
    pub rotation_weight: f32,
    /// How much the end, without position weight, goes along with the torso, 0 to 1.
    pub maintain_relative_position: f32,
    /// Bone + offset: where an end effector without weight holds its node.
    pub animated_position: Vec3,
    /// Rotation of the torso plane it belongs to, in the animated pose; only where an end effector goes with it.
    pub animated_plane_rotation: Quat,
}

/// One limb for one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbFrame {
    /// Bone 1 to bone 2, bone 2 to bone 3.
    pub lengths: [f32; 2],
    /// Both together.
    pub length: f32,
    /// Body bone to bone 1.
    pub root_length: f32,
    /// Bone 1 to bone 3 in the animated pose.
    pub distance: f32,
    /// How strongly the limb pulls the torso, 0 to 1.
    pub pull: f32,
    /// How strongly the compressed limb pushes its first node away, 0 to 1.
    pub push: f32,
    /// How much of the push is passed on to the body, −1 to 1.
    pub push_parent: f32,
    /// How a small push is weakened.
    pub push_smoothing: Smoothing,
    /// Reach · position weight of the end effector.
    pub reach_force: f32,
    /// How a small reach is weakened.
    pub reach_smoothing: Smoothing,
    /// Position weight · master weight of the effector on the first node.
    pub first_position_weight: f32,
    /// Of the linear constraint body ↔ first node: the body's share of a correction.
    pub cross_fade: f32,
    /// Bend weight · master weight; 0 where there is neither goal nor direction.
    pub bend_weight: f32,
    /// The point that the limb's middle node turns to (a pole vector).
    pub bend_goal: Option<Vec3>,
    /// The direction that it turns to where there is no goal.
    pub bend_direction: Option<Vec3>,
    /// Bone 1's rotation · the default bend direction: points out of elbow or knee.
    pub default_direction: Vec3,
    /// Normal of the limb's plane in bone 3's space, from the reference pose.
    pub default_child: Vec3,
    /// The bones as read lie on one line: the limb has no plane of its own.
    pub straight: bool,
    /// How much of the solved limb is written to its bones, 0 to 1.
    pub mapping_weight: f32,
    /// How much the end keeps its animated rotation, 0 to 1.
    pub maintain_rotation: f32,
}

impl Frame {
    /// One limb.
    pub fn limb(&self, limb: LimbName) -> &LimbFrame {
        &self.limbs[limb.index()]
    }

    /// One effector.
    pub fn effector(&self, effector: Effector) -> &EffectorFrame {
        &self.effectors[effector as usize]
    }

    /// The node's bone as read, after the bend limit.
    pub fn bone(&self, node: Node) -> &RigidTransform {
        &self.bones[node as usize]
    }

    /// The rotation of the plane through three nodes' positions (seed 000, «plane»).
    pub fn plane_rotation([p1, p2, p3]: [Vec3; 3]) -> Quat {
        crate::math::look_rotation(p2 - p1, p3 - p1)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            weight: 0.0,
            iterations: 0,
            fabrik_pass: false,
            pin: 0.0,
            pull_parent_sum: 1.0,
            pull_body: Vec3::ZERO,
            bones: [RigidTransform::IDENTITY; Node::COUNT],
            offsets: Nodes::default(),
            effectors: [EffectorFrame::default(); Effector::COUNT],
            body_children: [Vec3::ZERO; 2],
            limbs: [LimbFrame::default(); 4],
            constraints: [ChildConstraint::default(); 4],
            spine_iterations: 1,
            spine_twist_weight: 0.0,
            head_maintain_rotation: 0.0,
        }
    }
}
