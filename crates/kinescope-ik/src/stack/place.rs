//! Place and time of a frame, and the settings of grounding in a frame.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::grounding::{GroundingNow, GroundingSection, Method};
use crate::error::{BadValue, Fault, Problem};
use crate::grounding::{DriveWeights, Footprint, Input as GroundInput, Legs, PredictiveSettings, Solver};
use crate::math::FARTHEST;
use crate::parameter::Parameters;
use crate::retarget::Places;
use crate::rig::RigidTransform;
use crate::unit::Unit;

/// Place and time of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Place {
    /// The root transform, world from model.
    pub root: RigidTransform,
    /// Time step since the last frame, seconds.
    pub dt: f32,
    /// Time in the clip that plays, seconds.
    pub clip_time: f32,
    /// How much the animation plants the left and the right foot, 0 to 1.
    pub planted: [f32; 2],
    /// When each foot landed or lifted, as a fraction of the time step; `None` if the foot did neither, or if the
    /// instant is not known.
    pub crossed: [Option<f32>; 2],
    /// Displacement of the platform under each foot since the last frame; world space, metres.
    pub carried: [Vec3; 2],
    /// Where and when each foot will land; `None` while the foot stands, and if its path is not known.
    pub footprints: [Option<Footprint>; 2],
    /// Places of feet and hands in another skeleton's clip that plays; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Places>,
    /// The result of the grounding rules.
    pub grounding: GroundingNow,
    /// Time of the moving ground, seconds.
    pub ground_time: f32,
    /// Time of the chain lab's moving targets, seconds.
    pub lab_time: f32,
}

impl Default for Place {
    fn default() -> Self {
        let root = RigidTransform::IDENTITY;
        Self {
            root,
            dt: 0.0,
            clip_time: 0.0,
            planted: [1.0; 2],
            crossed: [None; 2],
            carried: [Vec3::ZERO; 2],
            footprints: [None; 2],
            source: None,
            grounding: GroundingNow::default(),
            ground_time: 0.0,
            lab_time: 0.0,
        }
    }
}

impl Place {
    /// Checks the root transform, the times, `planted`, `crossed` and `source`. Does not check `carried`, `footprints` and
    /// `grounding`.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid number, with its field.
    pub fn validate(&self) -> Result<(), Fault> {
        BadValue::check_place(self.root.position).map_err(|bad| bad.at("root.position"))?;
        BadValue::check_rotation(self.root.rotation).map_err(|bad| bad.at("root.rotation"))?;
        for (name, time) in [
            ("dt", self.dt),
            ("clip_time", self.clip_time),
            ("ground_time", self.ground_time),
            ("lab_time", self.lab_time),
        ] {
            if !time.is_finite() {
                return Err(Fault::new(name, Problem::NotFinite("expected a number of seconds")));
            }
        }
        let share = |value: f32, place: String| {
            BadValue::check_range(value, &(0.0..=1.0), Unit::Share).map_err(|bad| bad.at(place))
        };
        for (foot, &planted) in self.planted.iter().enumerate() {
            share(planted, format!("planted[{foot}]"))?;
        }
        if self.source.is_some_and(|places| !places.is_sane()) {
            return Err(Fault::new(
                "source",
                format!("its places must be finite and within ±{FARTHEST:e}, and its weight from 0 to 1"),
            ));
        }
        for (foot, crossed) in self.crossed.iter().enumerate() {
            share(crossed.unwrap_or_default(), format!("crossed[{foot}]"))?;
        }
        Ok(())
    }
}

impl GroundingSection {
    /// Returns the method in a frame: that of the grounding rules, or else the section's. `off` if the section's own
    /// method is `off`, whatever the rules say.
    pub fn method_at(&self, place: &Place) -> Method {
        match self.method {
            Method::Off => Method::Off,
            own => place.grounding.method.unwrap_or(own),
        }
    }

    /// Returns the drive weights in a frame: the section's, scaled by the rules' weight.
    pub fn weights_at(&self, place: &Place) -> DriveWeights {
        let mut weights = self.weights;
        let by = place.grounding.weight;
        if by != 1.0 {
            for entry in DriveWeights::PARAMETERS {
                weights.set_number(entry.key, weights.number(entry.key).unwrap_or(0.0) * by);
            }
        }
        weights
    }

    /// Returns the weights of the goals that chains follow in a frame: the section's pelvis weight, and 1 for the position
    /// of each foot, both scaled by the grounding rule's weight. The section's foot position weights do not apply: they are
    /// for the [driven](super::Drive) solver, and a chain has a weight of its own.
    pub(super) fn goal_weights_at(&self, place: &Place) -> DriveWeights {
        let by = place.grounding.weight;
        DriveWeights {
            pelvis: self.weights.pelvis * by,
            left_foot_position: by,
            right_foot_position: by,
            ..self.weights
        }
    }

    /// Returns the input of a grounder for a pose in world space. The weight of each foot is
    /// [`Place::planted`] for foot IK, whatever the [`weight_source`](Self::weight_source), and 1 for other methods.
    pub fn input(&self, legs: &Legs, place: &Place, pose: &[RigidTransform]) -> GroundInput {
        let weights = if self.method_at(place) == Method::FootIk { place.planted } else { [1.0; 2] };
        let mut input = legs.input(place.root, pose, weights, place.dt);
        for (foot, layers) in input.feet.iter_mut().zip(self.environment) {
            foot.layers = layers;
        }
        if !self.rotate_solver {
            input.root.up = Vec3::Y;
        }
        input
    }

    /// Returns the grounder of a frame; `None` if grounding is off.
    pub fn solver(&self, place: &Place) -> Option<Solver> {
        match self.method_at(place) {
            Method::Off => None,
            Method::FootIk => Some(Solver::FootIk(self.foot_ik)),
            Method::Predictive | Method::Path => {
                let quality = place.grounding.quality.unwrap_or(self.predictive.quality);
                Some(Solver::Predictive(PredictiveSettings { quality, ..self.predictive }))
            }
        }
    }
}
