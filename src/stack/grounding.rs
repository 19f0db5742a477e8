//! Grounding as a layer: section `grounding` of a preset.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Fault;
use crate::grounding::{
    DriveWeights, FootIkSettings, FootprintSettings, LockSettings, PredictiveSettings, Solver, WeightCurve,
};
use crate::parameter::Parameters;

/// Which grounder is at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Feet stay where they are animated.
    #[default]
    Off,
    /// [`foot_ik`](crate::grounding::foot_ik): one ray a foot, and a weight curve.
    FootIk,
    /// [`predictive`](crate::grounding::predictive): looks ahead by the feet's velocity.
    Predictive,
    /// The same, with steps moved to even ground where the way is known: [`footprint`](crate::grounding::footprint).
    Path,
}

/// What the grounder's goals are handed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drive {
    /// Effectors of the full body.
    #[default]
    FullBody,
    /// Legs and arms as two bones each; the full body is not solved.
    Limbs,
}

/// Section `grounding` of a preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundingSection {
    /// Which grounder.
    pub method: Method,
    /// What it drives: the full body, or four limbs.
    pub drive: Drive,
    /// Settings of [`Method::FootIk`].
    pub foot_ik: FootIkSettings,
    /// Settings of [`Method::Predictive`], and of [`Method::Path`].
    pub predictive: PredictiveSettings,
    /// How [`Method::Path`] moves steps.
    pub footprints: FootprintSettings,
    /// Whether planted feet stay where they landed.
    pub lock: LockSettings,
    /// How much of its output gets to the bones.
    pub weights: DriveWeights,
    /// Weight curves of the left and the right foot that were edited, by the clip's name. For other clips they are
    /// derived.
    pub curves: BTreeMap<String, [WeightCurve; 2]>,
}

impl GroundingSection {
    /// # Errors
    /// [`Fault`] for a number out of its range.
    pub fn validate(&self) -> Result<(), Fault> {
        let sections: [(&str, &dyn Parameters); 5] = [
            ("foot_ik", &self.foot_ik),
            ("predictive", &self.predictive),
            ("footprints", &self.footprints),
            ("lock", &self.lock),
            ("weights", &self.weights),
        ];
        sections.into_iter().try_for_each(|(name, settings)| {
            settings.check_numbers().map_err(|fault| fault.within(name).within("grounding"))
        })
    }

    /// How much each foot takes part: with [`Method::FootIk`] as its curve has it, otherwise always in full.
    pub fn weights_of(&self, planted: [f32; 2]) -> [f32; 2] {
        if self.method == Method::FootIk { planted } else { [1.0; 2] }
    }

    /// The grounder to run; `None` if it is off.
    pub fn solver(&self) -> Option<Solver> {
        match self.method {
            Method::Off => None,
            Method::FootIk => Some(Solver::FootIk(self.foot_ik)),
            Method::Predictive | Method::Path => Some(Solver::Predictive(self.predictive)),
        }
    }
}
