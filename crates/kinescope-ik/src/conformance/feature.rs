//! Features that a port may lack.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::case::Case;
use crate::full_body::{ChainSettings, EffectorSettings};
use crate::key::named;

named! {
    /// A feature of the solver that a port may lack. `kinescope conformance --check` skips the cases that use a feature
    /// listed after `--lacks`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Feature {
        /// Returns the key, as on the command line.
        key,
        /// Returns what the feature is, in a sentence.
        help,
    }
    /// Every feature.
    ALL {
        /// Iterations with the FABRIK pass: limbs and torso pull each other.
        FabrikPass;
        /// Hands out of reach pull the body.
        PullBody;
        /// Targets of body, shoulders and thighs.
        BodyEffectors;
        /// Target rotations of hands and feet.
        TargetRotations;
        /// Offsets for one frame.
        PositionOffsets;
        /// Hands and feet that follow the torso.
        MaintainRelativePosition;
        /// Bend goals with a weight.
        BendGoals;
        /// Bend directions with a weight.
        BendDirections;
        /// Push of compressed limbs.
        Push;
        /// Reach in units of the limb.
        ScaleFreeReach;
        /// A bend limit smoothed by sines.
        ClampSmoothing;
        /// Pin of the body.
        Pin;
        /// Mapping weights other than 1.
        MappingWeights;
        /// Hands, feet or head that keep their rotation.
        MaintainRotation;
    }
}

impl Feature {
    /// Returns the feature with the given key; `None` if there is none.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| feature.key() == key)
    }
}

impl Case {
    /// Returns whether the case's input uses a feature. At a master weight of 0 it uses none.
    pub fn uses(&self, feature: Feature) -> bool {
        let own = &self.trace.parameters;
        let limb = |uses: fn(&ChainSettings) -> bool| own.chains.iter().any(uses);
        let effector = |uses: fn(&EffectorSettings) -> bool| own.effectors.iter().any(uses);
        own.solver.weight > 0.0
            && match feature {
                Feature::FabrikPass => own.solver.fabrik_pass && own.solver.iterations > 0,
                Feature::PullBody => {
                    self.trace.more.constants.get("pull_body").is_some_and(|by| by.iter().any(|by| *by != 0.0))
                }
                Feature::BodyEffectors => own.effectors[..5].iter().any(|own| own.position_weight > 0.0),
                Feature::TargetRotations => effector(|own| own.rotation_weight > 0.0),
                Feature::PositionOffsets => effector(|own| own.position_offset != Vec3::ZERO),
                Feature::MaintainRelativePosition => effector(|own| own.maintain_relative_position > 0.0),
                Feature::BendGoals => limb(|own| own.bend_weight > 0.0 && own.bend_goal.is_some()),
                Feature::BendDirections => limb(|own| own.bend_weight > 0.0 && own.bend_direction.is_some()),
                Feature::Push => limb(|own| own.push > 0.0),
                Feature::ScaleFreeReach => limb(|own| own.scale_free_reach),
                Feature::ClampSmoothing => limb(|own| own.clamp_smoothing > 0),
                Feature::Pin => own.pin > 0.0,
                Feature::MappingWeights => limb(|own| own.mapping_weight < 1.0),
                Feature::MaintainRotation => {
                    own.solver.head_maintain_rotation > 0.0 || limb(|own| own.maintain_rotation > 0.0)
                }
            }
    }
}
