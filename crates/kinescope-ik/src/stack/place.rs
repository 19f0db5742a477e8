//! Where and when a frame is, and what grounding is there.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::grounding::{GroundingNow, GroundingSection, Method};
use crate::error::{BadValue, Fault, Problem};
use crate::grounding::{DriveWeights, Footprint, Input as GroundInput, Legs, PredictiveSettings, Solver};
use crate::parameter::Parameters;
use crate::rig::RigidTransform;

/// Where and when a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Place {
    /// World from model.
    pub root: RigidTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Seconds into the clip that plays.
    pub clip_time: f32,
    /// How much each foot stands in the animation, 0 to 1: left, right.
    pub planted: [f32; 2],
    /// The part of the frame before each foot landed or lifted, 0 to 1; `None` where that is not known, or it did neither.
    pub crossed: [Option<f32>; 2],
    /// How far the ground under each foot moved since the last frame: a platform's way; world, metres.
    pub carried: [Vec3; 2],
    /// Where each foot will land; `None` while it stands, and where the way is not known.
    pub footprints: [Option<Footprint>; 2],
    /// What the rules of grounding come to.
    pub grounding: GroundingNow,
    /// For how many seconds the ground has been moving.
    pub ground_time: f32,
    /// For how many seconds the lab's target has.
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
            grounding: GroundingNow::default(),
            ground_time: 0.0,
            lab_time: 0.0,
        }
    }
}

impl Place {
    /// # Errors
    /// [`Fault`] for what is no place, and no time.
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
                return Err(Fault::new(name, Problem::NotFinite("it is a number of seconds")));
            }
        }
        if let Some(foot) = self.planted.iter().position(|planted| !(0.0..=1.0).contains(planted)) {
            return Err(Fault::new(format!("planted[{foot}]"), "is not from 0 to 1"));
        }
        let is_part = |part: &Option<f32>| part.is_none_or(|part| (0.0..=1.0).contains(&part));
        match self.crossed.iter().position(|part| !is_part(part)) {
            Some(foot) => Err(Fault::new(format!("crossed[{foot}]"), "is not from 0 to 1")),
            None => Ok(()),
        }
    }
}

impl GroundingSection {
    /// The method of a frame.
    pub fn method_at(&self, place: &Place) -> Method {
        place.grounding.method.unwrap_or(self.method)
    }

    /// How much gets to the bones in a frame.
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

    /// How much of grounding's goals a chain's target follows in a frame: all of it but for the rules' weight. The weights
    /// of the feet are those of what is [driven](super::Drive); a chain has its own.
    pub(super) fn goal_weights_at(&self, place: &Place) -> DriveWeights {
        let by = place.grounding.weight;
        DriveWeights {
            pelvis: self.weights.pelvis * by,
            left_foot_position: by,
            right_foot_position: by,
            ..self.weights
        }
    }

    /// What a grounder is handed of a pose (world space) at that place. How much each foot stands is the place's, whatever
    /// [says so](Self::weight_source).
    pub fn input(&self, legs: &Legs, place: &Place, pose: &[RigidTransform]) -> GroundInput {
        // With foot IK each foot takes part by how much it stands, otherwise always in full.
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

    /// The grounder of a frame; `None` if it is off.
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
