// Generated from the tables of kinescope-ik; do not edit. To generate again: KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --all-features --test library mirrors

//! Names and settings of the library in C.

use kinescope_library::full_body::Smoothing;
use kinescope_library::{ChainSettings, EffectorSettings, Settings, SolverSettings};

use crate::Refused;
use crate::pose::{KinescopeQuat, KinescopeVec3};
use crate::settings::choice;

/// The number of nodes: `KinescopeNode`.
pub const KINESCOPE_NODES: usize = 13;

/// The number of effectors: `KinescopeEffector`.
pub const KINESCOPE_EFFECTORS: usize = 9;

/// The number of limbs: `KinescopeLimb`.
pub const KINESCOPE_LIMBS: usize = 4;

/// The 13 points that a solve moves: one of the body, and three of each limb.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeNode {
    /// The middle of the torso: the bone of Biped.root_node.
    Body,
    /// The left shoulder joint.
    LeftUpperArm,
    /// The left elbow.
    LeftForearm,
    /// The left wrist.
    LeftHand,
    /// The right shoulder joint.
    RightUpperArm,
    /// The right elbow.
    RightForearm,
    /// The right wrist.
    RightHand,
    /// The left hip joint.
    LeftThigh,
    /// The left knee.
    LeftCalf,
    /// The left ankle.
    LeftFoot,
    /// The right hip joint.
    RightThigh,
    /// The right knee.
    RightCalf,
    /// The right ankle.
    RightFoot,
}

/// The effectors (IK goals), in the order of the settings.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeEffector {
    /// On the node `body`; moves both thighs too.
    Body,
    /// On the left upper arm's node.
    LeftShoulder,
    /// On the right upper arm's node.
    RightShoulder,
    /// On the left thigh's node.
    LeftThigh,
    /// On the right thigh's node.
    RightThigh,
    /// An end effector: on the left hand.
    LeftHand,
    /// An end effector: on the right hand.
    RightHand,
    /// An end effector: on the left foot.
    LeftFoot,
    /// An end effector: on the right foot.
    RightFoot,
}

/// The limbs, in the order of the settings.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeLimb {
    /// From the left upper arm to the hand.
    LeftArm,
    /// From the right upper arm to the hand.
    RightArm,
    /// From the left thigh to the foot.
    LeftLeg,
    /// From the right thigh to the foot.
    RightLeg,
}

/// The stages of a solve, named as in traces.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeStage {
    /// Places the nodes at the animated bones, after the bend limit and with one-frame offsets.
    Read,
    /// Moves hands and feet to their targets.
    EndEffectors,
    /// Lets compressed limbs push their first node and the body away.
    Push,
    /// Moves the first and last node of nearly straight limbs in the direction from first to last.
    Reach,
    /// Moves body, shoulders and thighs toward their targets.
    BodyEffectors,
    /// Places elbows and knees by the lengths of their bones.
    Trigonometric,
    /// Forward reach of FABRIK: every limb from its end, then the child constraints once, then the body.
    Stage1,
    /// Moves body, shoulders and thighs toward their targets once more.
    BodyEffectorsAgain,
    /// Backward reach of FABRIK: the torso's constraints, then every limb from its root.
    Stage2,
    /// Moves hands and feet to their targets a last time.
    FinalEffectors,
    /// Turns elbows and knees to their bend direction.
    Bend,
}

/// The parts of the body, in the order in which a solve writes them to the bones; named as in traces.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopePart {
    /// Pelvis, spine and chest.
    Spine,
    /// The head.
    Head,
    /// The left clavicle and arm.
    LeftArm,
    /// The right clavicle and arm.
    RightArm,
    /// The left leg.
    LeftLeg,
    /// The right leg.
    RightLeg,
}

/// The functions by which push and reach weaken a small force.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeSmoothing {
    /// Linear: the force is unchanged.
    None,
    /// Squared, the default; called exponential in the source.
    Exponential,
    /// Cubed.
    Cubic,
}

/// Parameters of the whole solver.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeSolverSettings {
    /// Master weight of the solve: scales effector weights, offsets, bend weights, bend limit and maintained rotations. From 0 to 1, by default 1.
    pub weight: f32,
    /// Iterations of the main loop: push, reach, trigonometric, stage 1, stage 2. From 0 to 16, by default 4.
    pub iterations: u32,
    /// Whether limbs and torso pull each other. 0 means no.
    pub fabrik_pass: u32,
    /// How much the torso's two diagonals resist shortening. From 0 to 1, by default 0.5.
    pub spine_stiffness: f32,
    /// How much hands that reach too far move the body up and down. From -1 to 1, by default 0.5.
    pub pull_body_vertical: f32,
    /// How much hands that reach too far move the body over the ground. From -1 to 1, by default 0.
    pub pull_body_horizontal: f32,
    /// FABRIK iterations of the spine when the pose is written. From 1 to 65535, by default 3.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist is spread along the spine. From 0 to 1, by default 1.
    pub spine_twist_weight: f32,
    /// How much the head keeps the rotation it has in the animation. From 0 to 1, by default 0.
    pub head_maintain_rotation: f32,
}

impl From<&SolverSettings> for KinescopeSolverSettings {
    fn from(own: &SolverSettings) -> Self {
        Self {
            weight: own.weight,
            iterations: own.iterations,
            fabrik_pass: own.fabrik_pass.into(),
            spine_stiffness: own.spine_stiffness,
            pull_body_vertical: own.pull_body_vertical,
            pull_body_horizontal: own.pull_body_horizontal,
            spine_iterations: own.spine_iterations,
            spine_twist_weight: own.spine_twist_weight,
            head_maintain_rotation: own.head_maintain_rotation,
        }
    }
}

impl KinescopeSolverSettings {
    /// Returns the library's settings; `_at` makes the path of a field, for messages.
    pub(crate) fn read_at(&self, _at: impl Fn(&str) -> String) -> Result<SolverSettings, Refused> {
        Ok(SolverSettings {
            weight: self.weight,
            iterations: self.iterations,
            fabrik_pass: self.fabrik_pass != 0,
            spine_stiffness: self.spine_stiffness,
            pull_body_vertical: self.pull_body_vertical,
            pull_body_horizontal: self.pull_body_horizontal,
            spine_iterations: self.spine_iterations,
            spine_twist_weight: self.spine_twist_weight,
            head_maintain_rotation: self.head_maintain_rotation,
        })
    }
}

/// Parameters of one limb.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeChainSettings {
    /// How strongly this limb pulls the torso, relative to the other limbs. From 0 to 1, by default 1.
    pub pull: f32,
    /// How strongly the limb, when compressed, pushes its shoulder or hip away. From 0 to 1, by default 0.
    pub push: f32,
    /// How much of the push moves the body. From -1 to 1, by default 0.
    pub push_parent: f32,
    /// Smoothing of the push. A number of KinescopeSmoothing.
    pub push_smoothing: u32,
    /// How far a nearly straight limb draws its shoulder or hip toward hand or foot. From 0 to 1, by default 0.1.
    pub reach: f32,
    /// Smoothing of the reach. A number of KinescopeSmoothing.
    pub reach_smoothing: u32,
    /// Whether reach is the same in every unit of length: limited by the limb's stretch, not by the distance of its ends. 0 means no.
    pub scale_free_reach: u32,
    /// Weight of the bend goal (pole vector) or bend direction against the natural bend direction. From 0 to 1, by default 0.
    pub bend_weight: f32,
    /// Whether `bend_goal` is set. 0 means no.
    pub has_bend_goal: u32,
    /// Point in model space that elbow or knee turns to, also called pole vector or pole target.
    pub bend_goal: KinescopeVec3,
    /// Whether `bend_direction` is set. 0 means no.
    pub has_bend_direction: u32,
    /// Direction in model space that elbow or knee points in, of any length but 0. A bend goal takes precedence.
    pub bend_direction: KinescopeVec3,
    /// Number of sine iterations that smooth the bend limit (clampSmoothing in the source). From 0 to 2, by default 0.
    pub clamp_smoothing: u32,
    /// How much of the solved limb is written to its bones. From 0 to 1, by default 1.
    pub mapping_weight: f32,
    /// How much hand or foot keeps its animated rotation. From 0 to 1, by default 0.
    pub maintain_rotation: f32,
}

impl From<&ChainSettings> for KinescopeChainSettings {
    fn from(own: &ChainSettings) -> Self {
        Self {
            pull: own.pull,
            push: own.push,
            push_parent: own.push_parent,
            push_smoothing: own.push_smoothing as u32,
            reach: own.reach,
            reach_smoothing: own.reach_smoothing as u32,
            scale_free_reach: own.scale_free_reach.into(),
            bend_weight: own.bend_weight,
            has_bend_goal: own.bend_goal.is_some().into(),
            bend_goal: own.bend_goal.unwrap_or_default().into(),
            has_bend_direction: own.bend_direction.is_some().into(),
            bend_direction: own.bend_direction.unwrap_or_default().into(),
            clamp_smoothing: own.clamp_smoothing,
            mapping_weight: own.mapping_weight,
            maintain_rotation: own.maintain_rotation,
        }
    }
}

impl KinescopeChainSettings {
    /// Returns the library's settings; `at` makes the path of a field, for messages.
    pub(crate) fn read_at(&self, at: impl Fn(&str) -> String) -> Result<ChainSettings, Refused> {
        Ok(ChainSettings {
            pull: self.pull,
            push: self.push,
            push_parent: self.push_parent,
            push_smoothing: choice(self.push_smoothing, &Smoothing::ALL, || at("push_smoothing"))?,
            reach: self.reach,
            reach_smoothing: choice(self.reach_smoothing, &Smoothing::ALL, || at("reach_smoothing"))?,
            scale_free_reach: self.scale_free_reach != 0,
            bend_weight: self.bend_weight,
            bend_goal: (self.has_bend_goal != 0).then(|| self.bend_goal.into()),
            bend_direction: (self.has_bend_direction != 0).then(|| self.bend_direction.into()),
            clamp_smoothing: self.clamp_smoothing,
            mapping_weight: self.mapping_weight,
            maintain_rotation: self.maintain_rotation,
        })
    }
}

/// Parameters of one effector. A position weight without a position pins hand or foot to its animated position.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeEffectorSettings {
    /// Whether `position` is set. 0 means the position of the effector's bone in the input pose.
    pub has_position: u32,
    /// Target in model space.
    pub position: KinescopeVec3,
    /// Whether `rotation` is set. 0 means the rotation of the effector's bone in the input pose.
    pub has_rotation: u32,
    /// Target rotation in model space.
    pub rotation: KinescopeQuat,
    /// How strongly the effector moves its node to the target. From 0 to 1, by default 0.
    pub position_weight: f32,
    /// How much hand or foot takes the target rotation; elbow or knee turns accordingly. From 0 to 1, by default 0.
    pub rotation_weight: f32,
    /// Offset added to the animated position, in model space; usually set anew for each frame.
    pub position_offset: KinescopeVec3,
    /// How much hand or foot follows the torso, as far as its position weight is below 1. From 0 to 1, by default 0.
    pub maintain_relative_position: f32,
}

impl From<&EffectorSettings> for KinescopeEffectorSettings {
    fn from(own: &EffectorSettings) -> Self {
        Self {
            has_position: own.position.is_some().into(),
            position: own.position.unwrap_or_default().into(),
            has_rotation: own.rotation.is_some().into(),
            rotation: own.rotation.unwrap_or_default().into(),
            position_weight: own.position_weight,
            rotation_weight: own.rotation_weight,
            position_offset: own.position_offset.into(),
            maintain_relative_position: own.maintain_relative_position,
        }
    }
}

impl KinescopeEffectorSettings {
    /// Returns the library's settings; `_at` makes the path of a field, for messages.
    pub(crate) fn read_at(&self, _at: impl Fn(&str) -> String) -> Result<EffectorSettings, Refused> {
        Ok(EffectorSettings {
            position: (self.has_position != 0).then(|| self.position.into()),
            rotation: (self.has_rotation != 0).then(|| self.rotation.into()),
            position_weight: self.position_weight,
            rotation_weight: self.rotation_weight,
            position_offset: self.position_offset.into(),
            maintain_relative_position: self.maintain_relative_position,
        })
    }
}

/// All parameters of one solve.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeSettings {
    /// Settings of the whole solver.
    pub solver: KinescopeSolverSettings,
    /// How much the body node resists the limbs' pull in stage 1. From 0 to 1, by default 0.
    pub pin: f32,
    /// Indexed by KinescopeLimb.
    pub chains: [KinescopeChainSettings; KINESCOPE_LIMBS],
    /// Indexed by KinescopeEffector.
    pub effectors: [KinescopeEffectorSettings; KINESCOPE_EFFECTORS],
}

impl From<&Settings> for KinescopeSettings {
    fn from(own: &Settings) -> Self {
        Self {
            solver: (&own.solver).into(),
            pin: own.pin,
            chains: own.chains.each_ref().map(Into::into),
            effectors: own.effectors.each_ref().map(Into::into),
        }
    }
}

impl KinescopeSettings {
    /// Returns the library's settings; `_at` makes the path of a field, for messages.
    pub(crate) fn read_at(&self, _at: impl Fn(&str) -> String) -> Result<Settings, Refused> {
        let mut found = Settings {
            solver: self.solver.read_at(|field| format!("solver.{field}"))?,
            pin: self.pin,
            ..Settings::default()
        };
        for (index, (found, own)) in found.chains.iter_mut().zip(&self.chains).enumerate() {
            *found = own.read_at(|field| format!("chains[{index}].{field}"))?;
        }
        for (index, (found, own)) in found.effectors.iter_mut().zip(&self.effectors).enumerate() {
            *found = own.read_at(|field| format!("effectors[{index}].{field}"))?;
        }
        Ok(found)
    }
}
