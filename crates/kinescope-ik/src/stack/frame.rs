//! A frame: what it was solved from, and what every layer made of it.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::attach::AttachRun;
use super::layers::{LayerId, Stack};
use super::place::Place;
use crate::chain_ik::{self, ChainRun};
use crate::full_body::rotations_only::RotationsRun;
use crate::full_body::{BodyRun, Settings};
use crate::grounding::handover::Handover;
use crate::grounding::{
    FootprintRun, FootprintState, GroundRun, HeldCasts, LimbsRun, LockRun, LockState, Output, SolverState, SpeedState,
};
use crate::modifiers::{self, ModifierRun};
use crate::rig::{ModelPose, RigidTransform};
use crate::stepped::{Cursor, Run};
use crate::timing::Times;

/// All that a frame is solved from. Cheap to keep: what did not change is shared with other frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// What layers are told.
    pub stack: Arc<Stack>,
    /// The pose to begin with; model space.
    pub animated: Arc<ModelPose>,
    /// Where and when the frame is.
    pub place: Place,
    /// What the frames before left to this one.
    pub memory: Memory,
}

impl Input {
    /// At the origin, in no time, with nothing remembered: a frame by itself.
    pub fn new(stack: Stack, animated: ModelPose) -> Self {
        let (stack, animated) = (Arc::new(stack), Arc::new(animated));
        Self { stack, animated, place: Place::default(), memory: Memory::default() }
    }
}

impl Input {
    /// Which way is up for its feet; unit.
    pub fn up(&self) -> Vec3 {
        if self.stack.grounding.rotate_solver { self.place.root.rotation * Vec3::Y } else { Vec3::Y }
    }
}

/// What layers remember from one frame to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// State of the grounder; `None` before its first frame.
    pub ground: Option<SolverState>,
    /// What is left where another grounder took over.
    pub handover: Handover,
    /// What the grounder's last casts hit, where they come at a rate of their own; `None` before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub casts: Option<HeldCasts>,
    /// How fast each foot bone is, where its weight goes by that; `None` before the first frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speeds: Option<SpeedState>,
    /// How steps are moved; `None` before the first frame.
    pub footprints: Option<FootprintState>,
    /// What is held of the feet; `None` before the first frame.
    pub lock: Option<LockState>,
    /// What each modifier remembers.
    pub modifiers: Vec<modifiers::Memory>,
    /// Where each lane of the lab was left.
    pub lanes: Vec<chain_ik::State>,
    /// The pose that was solved, for the [experiment](super::Experiments::keep_pose) that begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<RigidTransform>>,
}

/// A layer's run.
#[derive(Clone, Debug)]
pub enum Solved {
    /// Attached targets.
    Attachments(Box<AttachRun>),
    /// Modifiers, before read or after write.
    Modifiers(Box<ModifierRun>),
    /// Where feet and pelvis should go.
    Grounding(Box<GroundRun>),
    /// Where feet will land.
    Footprints(Box<FootprintRun>),
    /// Which feet stay.
    FootLock(Box<LockRun>),
    /// The full-body solver.
    FullBody(Box<BodyRun>),
    /// Four limbs alone, as grounding asks.
    Limbs(Box<LimbsRun>),
    /// Which bones below the pelvis went back to their distance from their parents.
    RotationsOnly(Box<RotationsRun>),
    /// A single chain.
    Chain(Box<ChainRun>),
}

impl Solved {
    /// As whoever shows it sees it.
    pub fn run(&self) -> &dyn Run {
        match self {
            Self::Attachments(run) => &**run,
            Self::Modifiers(run) => &**run,
            Self::Grounding(run) => &**run,
            Self::Footprints(run) => &**run,
            Self::FootLock(run) => &**run,
            Self::FullBody(run) => &**run,
            Self::Limbs(run) => &**run,
            Self::RotationsOnly(run) => &**run,
            Self::Chain(run) => &**run,
        }
    }
}

/// One layer of a frame.
#[derive(Clone)]
pub struct Layer {
    /// Which layer it is.
    pub id: LayerId,
    /// What it did, or why it could not be solved; `None` where it is off or has nothing to do.
    pub solved: Option<Result<Solved, String>>,
    /// The pose that it was given.
    pub before: Arc<Vec<RigidTransform>>,
    /// What it took, recording included; nothing without a clock.
    pub times: Times,
}

impl Layer {
    /// As whoever shows it sees it; `None` where there is none.
    pub fn run(&self) -> Option<&dyn Run> {
        self.solved.as_ref()?.as_ref().ok().map(Solved::run)
    }

    /// Why there is none.
    pub fn problem(&self) -> Option<&str> {
        self.solved.as_ref()?.as_ref().err().map(String::as_str)
    }
}

/// A frame: what it was solved from, and what every layer made of it.
#[derive(Clone)]
pub struct Frame {
    /// What it was solved from.
    pub input: Input,
    /// What layers were told: that of the input, with attached targets where their anchors have them.
    pub stack: Arc<Stack>,
    /// How much each foot stood, 0 to 1: the input's, or by its [speed](crate::grounding::WeightSource::Speed).
    pub planted: [f32; 2],
    /// Every layer of the stack in its order, those that are off among them.
    pub layers: Vec<Layer>,
    /// After the last layer; model space.
    pub pose: Vec<RigidTransform>,
    /// What this frame leaves to the next.
    pub memory: Memory,
}

impl Default for Frame {
    fn default() -> Self {
        Self::empty()
    }
}

impl Frame {
    /// A frame of no layers.
    pub fn empty() -> Self {
        let input = Input {
            stack: Arc::default(),
            animated: Arc::default(),
            place: Place::default(),
            memory: Memory::default(),
        };
        let stack = Arc::default();
        Self { input, stack, planted: [1.0; 2], layers: Vec::new(), pose: Vec::new(), memory: Memory::default() }
    }

    /// One layer; `None` if the stack has none such.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.id == id)
    }

    /// The run of a layer; `None` where there is none.
    pub fn run(&self, id: LayerId) -> Option<&dyn Run> {
        self.layer(id)?.run()
    }

    /// What its layers took together.
    pub fn times(&self) -> Times {
        self.layers.iter().map(|layer| &layer.times).sum()
    }

    /// The first layer that could not be solved, and why.
    pub fn problem(&self) -> Option<(LayerId, &str)> {
        self.layers.iter().find_map(|layer| Some((layer.id, layer.problem()?)))
    }

    pub(super) fn solved(&self, id: LayerId) -> Option<&Solved> {
        self.layer(id)?.solved.as_ref()?.as_ref().ok()
    }

    /// The full body's own run, for panes of its own.
    pub fn full_body(&self) -> Option<&BodyRun> {
        match self.solved(LayerId::FullBody)? {
            Solved::FullBody(run) => Some(run),
            _ => None,
        }
    }

    /// The modifiers' own run, before read or after write.
    pub fn modifiers(&self, id: LayerId) -> Option<&ModifierRun> {
        match self.solved(id)? {
            Solved::Modifiers(run) => Some(run),
            _ => None,
        }
    }

    /// What the full body was asked before grounding: the stack's settings, with what modifiers made of them.
    pub fn asked(&self) -> Settings {
        let asked = self.modifiers(LayerId::Modifiers).and_then(ModifierRun::input_recording);
        asked.map_or(self.stack.full_body, |recording| recording.end().settings)
    }

    /// The run of attached targets.
    pub fn attachments(&self) -> Option<&AttachRun> {
        match self.solved(LayerId::Attachments)? {
            Solved::Attachments(run) => Some(run),
            _ => None,
        }
    }

    /// The animated pose that anchors of attached targets are looked up in: with chains that are solved before the full
    /// body, and without what modifiers turn.
    pub fn anchor_pose(&self) -> &[RigidTransform] {
        let before_body = &self.input.stack.order.before_full_body;
        let is_before = |id: LayerId| matches!(id, LayerId::Chain(index) if before_body.contains(&index));
        self.layers.iter().find(|layer| !is_before(layer.id)).map_or(&self.input.animated.bones, |layer| &layer.before)
    }

    /// Grounding's own run.
    pub fn grounding(&self) -> Option<&GroundRun> {
        match self.solved(LayerId::Grounding)? {
            Solved::Grounding(run) => Some(run),
            _ => None,
        }
    }

    /// The limbs' own run, where they are driven alone.
    pub fn limbs(&self) -> Option<&LimbsRun> {
        match self.solved(LayerId::FullBody)? {
            Solved::Limbs(run) => Some(run),
            _ => None,
        }
    }

    /// A chain's or a lane's own run.
    pub fn chain(&self, id: LayerId) -> Option<&ChainRun> {
        match self.solved(id)? {
            Solved::Chain(run) => Some(run),
            _ => None,
        }
    }

    /// What grounding asks, with feet held.
    pub fn grounded(&self) -> Option<Output> {
        match self.solved(LayerId::FootLock) {
            Some(Solved::FootLock(run)) => Some(run.output(Cursor::end(&**run))),
            _ => self.grounding().map(|run| run.recording.output),
        }
    }
}
