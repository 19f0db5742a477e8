//! The full-body lab: several solvers pose the body side by side. It is field `body_lab` of section `stack` of a
//! preset.
//!
//! Lanes come after the frame's other layers. A lane with a layer solves the layer from the input pose, targets and
//! goals of the layer *full body*; a lane of another program shows the pose that the program sent. Lanes do not see
//! each other, and their results change neither the frame's pose nor its memory outside the lane.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::layer_id::LayerId;
use crate::rig::RigidTransform;

/// The full-body lab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyLab {
    /// The lanes in their order; empty while the lab is closed.
    pub lanes: Vec<BodyLane>,
    /// Whether lanes are drawn over each other instead of side by side.
    pub over: bool,
}

/// A lane of the full-body lab: a layer with settings of its own, or another program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyLane {
    /// The name that the user gave the lane; if empty, the lane is labelled by its layer or program.
    pub name: String,
    /// The source of the lane's pose.
    pub source: LaneSource,
    /// The numbers in which the lane differs from the settings of the stack, by their paths in presets:
    /// `solver.iterations`.
    pub settings: BTreeMap<String, f32>,
    /// The switches (`on` or `off`) and the settings with a list of values in which the lane differs from the settings
    /// of the stack, by their paths in presets: `solver.fabrik_pass`.
    pub choices: BTreeMap<String, String>,
    /// Whether the picture omits the lane.
    pub hidden: bool,
}

/// What computes a lane's pose: a layer of the stack or another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LaneSource {
    /// A layer that [poses the body](LayerId::body_solvers).
    Layer(LayerId),
    /// Another program. The pose is that of [`Input::foreign`](super::Input::foreign); without one, the lane has no
    /// result.
    Foreign {
        /// The name of the program.
        name: String,
    },
}

impl Default for LaneSource {
    fn default() -> Self {
        Self::Layer(LayerId::FullBody)
    }
}

/// The pose that another program solved for a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignPose {
    /// The bones, in the order of the skeleton and in the space of [`Input::animated`](super::Input::animated).
    pub bones: Vec<RigidTransform>,
    /// The bones after each iteration, the last being `bones`; empty if the program sent only its result.
    pub iterations: Vec<Vec<RigidTransform>>,
    /// The number of frames by which the pose is late: 0 if the program solved this frame's input, more if it solved the
    /// input of an earlier frame.
    pub late: u64,
    /// The duration of the solve as the program measured it, in microseconds; `None` if it did not send one.
    pub micros: Option<f32>,
}

impl ForeignPose {
    /// Returns the pose without its iterations, for a frame in which it is `late` frames late.
    #[must_use]
    pub fn late_by(&self, late: u64) -> Self {
        Self { bones: self.bones.clone(), iterations: Vec::new(), late, micros: self.micros }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.iterations.iter().chain([&self.bones]).map(|pose| size_of_val(&pose[..])).sum::<usize>()
    }
}

impl BodyLane {
    /// Makes a lane that solves with a layer and the settings of the stack.
    pub fn of(layer: LayerId) -> Self {
        Self { source: LaneSource::Layer(layer), ..Self::default() }
    }

    /// Returns the label on screen: the lane's name, or else that of its layer or program.
    pub fn label(&self) -> String {
        match &self.source {
            _ if !self.name.is_empty() => self.name.clone(),
            LaneSource::Layer(layer) => layer.label(),
            LaneSource::Foreign { name } => name.clone(),
        }
    }
}
