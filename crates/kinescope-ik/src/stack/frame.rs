//! A solved frame: its input, and the result of each layer.

use std::sync::Arc;

use super::attach::AttachRun;
use super::input::Input;
use super::layer_id::{LayerId, Memory};
use super::layers;
use super::order::Stack;
use super::place::Place;
use super::solved::Solved;
use super::trackers::TrackerRun;
use crate::chain_ik::ChainRun;
use crate::full_body::BodyRun;
use crate::grounding::{GroundRun, LimbsRun, Output};
use crate::modifiers::ModifierRun;
use crate::rig::RigidTransform;
use crate::stepped::Run;
use crate::timing::Times;

/// One layer of a frame.
#[derive(Clone)]
pub struct Layer {
    /// The identifier of the layer, unique in the frame.
    pub id: LayerId,
    /// The layer's run, or why it could not be solved; `None` if the layer is off or had nothing to do.
    pub solved: Option<Result<Solved, String>>,
    /// The layer's input pose: the previous layer's output, for the first layer the pose that the frame starts from,
    /// and for lanes of the full-body lab the full body's input.
    pub before: Arc<Vec<RigidTransform>>,
    /// The layer's running time, including recording; 0 without a clock.
    pub times: Times,
}

impl Layer {
    /// Returns the layer's run; `None` if the layer was off, had nothing to do or could not be solved.
    pub fn run(&self) -> Option<&dyn Run> {
        self.solved.as_ref()?.as_ref().ok().map(Solved::run)
    }

    /// Returns why the layer could not be solved; `None` if it was solved, was off or had nothing to do.
    pub fn problem(&self) -> Option<&str> {
        self.solved.as_ref()?.as_ref().err().map(String::as_str)
    }
}

/// A solved frame: its input, and the result of each layer.
#[derive(Clone)]
pub struct Frame {
    /// The input that was solved.
    pub input: Input,
    /// The input's stack with the changes by the layers retarget, attachments and trackers.
    pub stack: Arc<Stack>,
    /// How much the left and the right foot are planted, 0 to 1: from the input, or from
    /// [speed](crate::grounding::WeightSource::Speed).
    pub planted: [f32; 2],
    /// The layers of [`Stack::layers`] in the order of solving, including those that are off.
    pub layers: Vec<Layer>,
    /// The solved pose, in the space of [`Input::animated`].
    pub pose: Vec<RigidTransform>,
    /// The memory for the next frame's input.
    pub memory: Memory,
}

impl Default for Frame {
    fn default() -> Self {
        Self::empty()
    }
}

impl Frame {
    /// Returns a frame without layers.
    pub fn empty() -> Self {
        let input = Input {
            stack: Arc::default(),
            animated: Arc::default(),
            source: None,
            foreign: Arc::default(),
            place: Place::default(),
            memory: Memory::default(),
        };
        let stack = Arc::default();
        Self { input, stack, planted: [1.0; 2], layers: Vec::new(), pose: Vec::new(), memory: Memory::default() }
    }

    /// Returns a layer; `None` if the stack lacks it.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.id == id)
    }

    /// Returns the run of a layer; `None` if the stack lacks the layer, or it is off, had nothing to do or could not be
    /// solved.
    pub fn run(&self, id: LayerId) -> Option<&dyn Run> {
        self.layer(id)?.run()
    }

    /// Returns the sum of the running times of all layers; 0 without a clock.
    pub fn times(&self) -> Times {
        self.layers.iter().map(|layer| &layer.times).sum()
    }

    /// Returns the first layer that could not be solved, and why; `None` if none failed.
    pub fn problem(&self) -> Option<(LayerId, &str)> {
        self.layers.iter().find_map(|layer| Some((layer.id, layer.problem()?)))
    }

    pub(super) fn solved(&self, id: LayerId) -> Option<&Solved> {
        self.layer(id)?.solved.as_ref()?.as_ref().ok()
    }

    /// Returns the run of a layer as type `R`; `None` if the layer has no run or a run of another type.
    pub fn run_of<R: Run + 'static>(&self, id: LayerId) -> Option<&R> {
        self.solved(id)?.of()
    }

    /// Returns the run of the full body; `None` without one, and if grounding drove [limbs](Self::limbs).
    pub fn full_body(&self) -> Option<&BodyRun> {
        self.run_of(LayerId::FullBody)
    }

    /// Returns the run of [`LayerId::Modifiers`] or [`LayerId::AfterWrite`]; `None` without one.
    pub fn modifiers(&self, id: LayerId) -> Option<&ModifierRun> {
        self.run_of(id)
    }

    /// Returns the run of the attachments; `None` without one.
    pub fn attachments(&self) -> Option<&AttachRun> {
        self.run_of(LayerId::Attachments)
    }

    /// Returns the pose in which anchors of attached targets are found: after the chains that are solved before the full
    /// body, before modifiers.
    pub fn anchor_pose(&self) -> &[RigidTransform] {
        let before_body = &self.input.stack.order.before_full_body;
        let is_before = |id: LayerId| matches!(id, LayerId::Chain(index) if before_body.contains(&index));
        self.layers.iter().find(|layer| !is_before(layer.id)).map_or(&self.input.animated.bones, |layer| &layer.before)
    }

    /// Returns the run of the trackers; `None` without one.
    pub fn trackers(&self) -> Option<&TrackerRun> {
        self.run_of(LayerId::Trackers)
    }

    /// Returns the run of grounding; `None` without one.
    pub fn grounding(&self) -> Option<&GroundRun> {
        self.run_of(LayerId::Grounding)
    }

    /// Returns the run of the limbs if grounding drove them instead of the full body; otherwise `None`.
    pub fn limbs(&self) -> Option<&LimbsRun> {
        self.run_of(LayerId::FullBody)
    }

    /// Returns the run of a chain of the character or a lane of the chain lab; `None` without one.
    pub fn chain(&self, id: LayerId) -> Option<&ChainRun> {
        self.run_of(id)
    }

    /// Returns the goals of feet and pelvis: those of the last layer that has any; `None` if none has.
    pub fn grounded(&self) -> Option<Output> {
        self.layers.iter().rev().find_map(|layer| layers::goals(layer.id, layer.solved.as_ref()?.as_ref().ok()?, None))
    }
}
