//! A frame: what it was solved from, and what every layer made of it.

use std::sync::Arc;

use super::attach::AttachRun;
use super::input::Input;
use super::layer_id::{LayerId, Memory};
use super::layers;
use super::order::Stack;
use super::place::Place;
use super::solved::Solved;
use crate::chain_ik::ChainRun;
use crate::full_body::{BodyRun, Settings};
use crate::grounding::{GroundRun, LimbsRun, Output};
use crate::modifiers::ModifierRun;
use crate::rig::RigidTransform;
use crate::stepped::Run;
use crate::timing::Times;

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

    /// Returns the run of a layer with its own type.
    pub fn run_of<R: Run + 'static>(&self, id: LayerId) -> Option<&R> {
        self.solved(id)?.of()
    }

    /// Returns the run of the full body.
    pub fn full_body(&self) -> Option<&BodyRun> {
        self.run_of(LayerId::FullBody)
    }

    /// Returns the run of the modifiers, before or after IK.
    pub fn modifiers(&self, id: LayerId) -> Option<&ModifierRun> {
        self.run_of(id)
    }

    /// What the full body was asked before grounding: the stack's settings, with what modifiers made of them.
    pub fn asked(&self) -> Settings {
        let asked = self.modifiers(LayerId::Modifiers).and_then(ModifierRun::input_recording);
        asked.map_or(self.stack.full_body, |recording| recording.end().settings)
    }

    /// The run of attached targets.
    pub fn attachments(&self) -> Option<&AttachRun> {
        self.run_of(LayerId::Attachments)
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
        self.run_of(LayerId::Grounding)
    }

    /// The limbs' own run, where they are driven alone.
    pub fn limbs(&self) -> Option<&LimbsRun> {
        self.run_of(LayerId::FullBody)
    }

    /// A chain's or a lane's own run.
    pub fn chain(&self, id: LayerId) -> Option<&ChainRun> {
        self.run_of(id)
    }

    /// Returns the goals of feet and pelvis: those of the last layer that has any.
    pub fn grounded(&self) -> Option<Output> {
        self.layers.iter().rev().find_map(|layer| layers::goals(layer.id, layer.solved.as_ref()?.as_ref().ok()?, None))
    }
}
