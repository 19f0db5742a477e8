//! A frame that is being solved: the tools of the solve, and the data that layers pass on to later layers.

use std::sync::Arc;

use glam::Vec3;

use super::input::Input;
use super::order::Stack;
use super::place::Place;
use super::rig::Rig;
use crate::full_body::{Settings, Workspace};
use crate::ground::Ground;
use crate::grounding::{Input as GroundInput, Output};
use crate::modifiers::{ModifiedInput, ModifierHooks, Moment};
use crate::rig::RigidTransform;
use crate::timing::{Clock, Laps};

/// Optional tools of a solve: buffers, ground and clock.
#[derive(Default)]
pub struct Tools<'a> {
    /// A workspace of the rig's full body. Without one, the solve creates one.
    pub workspace: Option<&'a mut Workspace>,
    /// The ground. Without one, grounding and footprints do nothing.
    pub ground: Option<&'a dyn Ground>,
    /// Measures the running time of each layer; without a clock, all times are 0.
    pub clock: Option<Clock>,
}

/// The result of the modifiers before IK, and the hooks by which they act during IK.
pub(super) struct Modified {
    pub input: Arc<ModifiedInput>,
    pub hooks: Arc<ModifierHooks>,
}

pub(super) struct Pass<'a> {
    pub rig: &'a Rig,
    pub tools: Tools<'a>,
    pub input: &'a Input,
    /// The input's stack with the changes by the layers retarget, attachments and trackers.
    pub stack: Arc<Stack>,
    /// The input's place, with other values of `planted` and `crossed` if foot weights follow from speed.
    pub place: Place,
    pub modified: Option<Modified>,
    /// The grounder's input with the steps that footprints moved; `None` if the layer of footprints did not run.
    pub moved: Option<GroundInput>,
    /// The goals of feet and pelvis for the layer that poses the body.
    pub goals: Option<Output>,
    /// The input pose of the solver that posed the body last: the full body, least squares or position-based; `None` if
    /// none did.
    pub given: Option<Arc<Vec<RigidTransform>>>,
    /// Whether the last layer that should have posed the body failed.
    pub body_failed: bool,
    /// The positions of the foot bones' goals, for chains that follow them; `None` before a layer sets goals, and without
    /// legs.
    pub foot_goals: Option<[Vec3; 2]>,
    pub laps: Laps,
}

impl<'a> Pass<'a> {
    pub fn new(rig: &'a Rig, tools: Tools<'a>, input: &'a Input) -> Self {
        Self {
            rig,
            tools,
            input,
            stack: input.stack.clone(),
            place: input.place,
            modified: None,
            moved: None,
            goals: None,
            given: None,
            body_failed: false,
            foot_goals: None,
            laps: Laps::default(),
        }
    }

    pub fn set_goals(&mut self, goals: Output, pose: &[RigidTransform]) {
        self.goals = Some(goals);
        let weights = self.input.stack.grounding.goal_weights_at(&self.input.place);
        let legs = self.rig.legs.as_ref();
        self.foot_goals = legs.map(|legs| legs.goals(&goals, &weights, pose).map(|goal| goal.position));
    }

    /// Returns the settings of the full body before grounding: those of the stack, with the changes by modifiers.
    pub fn settings(&self) -> &Settings {
        self.modified.as_ref().map_or(&self.stack.full_body, |modified| &modified.input.settings)
    }

    /// Returns the settings of the full body with the goals of feet and pelvis, for a layer that poses the body. `pose`
    /// is the layer's input pose.
    pub fn driven(&self, pose: &[RigidTransform]) -> Settings {
        let weights = &self.input.stack.grounding.weights_at(&self.input.place);
        match (&self.rig.legs, &self.goals) {
            (Some(legs), Some(goals)) => legs.drive_full_body(goals, weights, pose, self.settings()),
            _ => *self.settings(),
        }
    }

    /// Returns the frame as modifiers see it; `None` for a character that is not a biped.
    pub fn moment(&self) -> Option<Moment> {
        let place = &self.input.place;
        let figure = self.rig.figure.clone()?;
        Some(Moment { figure, root: place.root, dt: place.dt, time: place.clip_time })
    }

    pub fn no_biped(&self) -> String {
        self.rig.full_body.as_ref().err().cloned().unwrap_or_else(|| "no biped".to_owned())
    }
}
