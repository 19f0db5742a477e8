//! The settings of all layers, and their order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::body_lab::BodyLab;
use super::chains::ChainSection;
use super::experiments::Experiments;
use super::grounding::GroundingSection;
use super::layer_id::LayerId;
use super::parameters::{Owner, Tunable};
use crate::attach::Attachments;
use crate::error::{Fault, Problem};
use crate::full_body::Settings;
use crate::modifiers::{MAX_MODIFIERS, Modifier};
use crate::parameter::Parameters;

/// The settings of all layers, and their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// Settings of the full body.
    pub full_body: Settings,
    /// Settings of grounding, footprints and the foot lock.
    pub grounding: GroundingSection,
    /// The chains of the character, and the chain lab.
    pub chain_ik: ChainSection,
    /// Attachments of the effectors' targets.
    pub attachments: Arc<Attachments>,
    /// Modifiers in their order.
    pub modifiers: Arc<Vec<Modifier>>,
    /// The order of layers, and switches: section `stack` of a preset.
    pub order: OrderSection,
}

macro_rules! sections {
    ($(
        $name:ident $number:tt $module:ident $texts:tt solver $run:tt
            grounding [$($help:literal $field:ident: $settings:ty)?]
            stack [$($own_help:literal $own:ident: $own_settings:ty)?]
            remembers $memory:tt;
    )+) => {
        /// Section `stack` of a preset: the chains that are solved before the full body, switches, the full-body lab,
        /// and the settings of layers that have no section of their own.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct OrderSection {
            /// The chains that are solved before the full body, by their index in `chain_ik.chains`. The others are solved after
            /// it. Both groups keep the order of `chain_ik.chains`.
            pub before_full_body: Vec<usize>,
            /// Whether the full body is skipped.
            pub full_body_off: bool,
            /// Whether bones below the pelvis get the solved rotations only and keep their distance from their parents.
            pub rotations_only: bool,
            /// Bugs of the sources, switched on for comparison.
            pub experiments: Experiments,
            /// The full-body lab, in which several solvers pose the body side by side.
            #[serde(skip_serializing_if = "crate::parameter::is_default")]
            pub body_lab: BodyLab,
            $($(
                #[doc = $own_help]
                #[serde(skip_serializing_if = "crate::parameter::is_default")]
                pub $own: $own_settings,
            )?)+
        }

        impl OrderSection {
            /// Returns names and values of the settings that the table of layers declares in section `stack`, also of those at
            /// their defaults, which files omit.
            #[cfg(feature = "json")]
            pub(crate) fn own_settings(&self) -> Vec<(&'static str, serde_json::Value)> {
                vec![$($((stringify!($own), serde_json::json!(self.$own)),)?)+]
            }

            /// Checks the indices of chains, and the numbers of layers' settings. `count` is the number of the
            /// character's chains. Does not check the full-body lab, or the mounts and the calibration of trackers.
            ///
            /// # Errors
            /// [`Fault`] for a chain that does not exist, or a number out of its range.
            pub fn validate(&self, count: usize) -> Result<(), Fault> {
                if let Some(at) = self.before_full_body.iter().position(|&chain| chain >= count) {
                    let problem = Problem::Index { what: "chains", index: self.before_full_body[at], count };
                    return Err(Fault::new(format!("stack.before_full_body[{at}]"), problem));
                }
                $($(
                    self.$own.check_numbers().map_err(|fault| fault.within(concat!("stack.", stringify!($own))))?;
                )?)+
                Ok(())
            }
        }

        impl Stack {
            /// Returns the settings that the layer's row in the table of layers declares; `None` if the row declares
            /// none.
            pub fn settings_of(&self, layer: LayerId) -> Option<&dyn Parameters> {
                match layer {
                    $(LayerId::$name { .. } => optional!($(&self.grounding.$field)? $(&self.order.$own)?),)+
                }
            }

            /// Returns a mutable reference to the settings that the layer's row in the table of layers declares; `None`
            /// if the row declares none.
            pub fn settings_of_mut(&mut self, layer: LayerId) -> Option<&mut dyn Parameters> {
                match layer {
                    $(LayerId::$name { .. } => optional!($(&mut self.grounding.$field)? $(&mut self.order.$own)?),)+
                }
            }
        }
    };
}

layer_table!(sections);

impl Stack {
    /// Checks all settings except the numbers of [`GroundingSection::curves`].
    ///
    /// # Errors
    /// [`Fault`] for an invalid setting, with its path.
    pub fn validate(&self) -> Result<(), Fault> {
        self.full_body.validate()?;
        self.grounding.validate()?;
        self.chain_ik.validate()?;
        self.attachments.validate().map_err(|fault| fault.within("attachments"))?;
        if self.modifiers.len() > MAX_MODIFIERS {
            let problem = Problem::TooMany { what: "modifiers", found: self.modifiers.len(), most: MAX_MODIFIERS };
            return Err(Fault::new("modifiers", problem));
        }
        for (index, modifier) in self.modifiers.iter().enumerate() {
            modifier.validate().map_err(|fault| fault.within(format!("modifiers[{index}]")))?;
        }
        self.order.trackers.check().map_err(|fault| fault.within("stack.trackers"))?;
        self.order.validate(self.chain_ik.chains.len())?;
        self.validate_body_lab()
    }

    /// Moves a chain one place earlier or later in the order of solving: past another chain, or past the full body with
    /// all layers around it. Returns its new index in `chain_ik.chains`; `None`, and changes nothing, if the chain does not
    /// exist or is already the first or the last in that direction.
    pub fn move_chain(&mut self, chain: usize, earlier: bool) -> Option<usize> {
        let count = self.chain_ik.chains.len();
        let before = &self.order.before_full_body;
        let first = (0..count).filter(|chain| before.contains(chain)).map(Some);
        let last = (0..count).filter(|chain| !before.contains(chain)).map(Some);
        let mut order: Vec<Option<usize>> = first.chain([None]).chain(last).collect();
        let at = order.iter().position(|&own| own == Some(chain))?;
        let to = if earlier { at.checked_sub(1)? } else { at + 1 };
        if to >= order.len() {
            return None;
        }
        order.swap(at, to);
        let body = order.iter().position(Option::is_none)?;
        let chains = order.iter().flatten().map(|&chain| self.chain_ik.chains[chain].clone()).collect();
        self.chain_ik.chains = chains;
        self.order.before_full_body = (0..body).collect();
        Some(to - usize::from(to > body))
    }

    /// Removes a chain; the indices of later ones decrease by 1. Does nothing if the chain does not exist.
    pub fn remove_chain(&mut self, chain: usize) {
        if chain < self.chain_ik.chains.len() {
            self.chain_ik.chains.remove(chain);
            self.order.before_full_body.retain(|&own| own != chain);
            self.order.before_full_body.iter_mut().for_each(|own| *own -= usize::from(*own > chain));
        }
    }

    /// Moves a modifier one place earlier or later. Returns its new index; `None`, and changes nothing, if the modifier does
    /// not exist or is already the first or the last in that direction.
    pub fn move_modifier(&mut self, index: usize, earlier: bool) -> Option<usize> {
        let to = if earlier { index.checked_sub(1)? } else { index + 1 };
        if index.max(to) >= self.modifiers.len() {
            return None;
        }
        Arc::make_mut(&mut self.modifiers).swap(index, to);
        Some(to)
    }
}

impl Tunable for Stack {
    fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    fn of(&self, owner: Owner) -> Option<&dyn Parameters> {
        match owner {
            Owner::FootIk => Some(&self.grounding.foot_ik),
            Owner::Predictive => Some(&self.grounding.predictive),
            Owner::Settings(layer) => self.settings_of(layer),
            Owner::Drive => Some(&self.grounding.weights),
            Owner::Limbs => Some(&self.grounding.limbs),
            Owner::Speed => Some(&self.grounding.speed),
            Owner::Layer(index) => Some(&self.chain_ik.chains.get(index)?.settings),
            Owner::Lane(index) => Some(self.chain_ik.lab.as_ref()?.lanes.get(index)?),
            Owner::Modifier(index, key) => {
                let modifier = self.modifiers.get(index).filter(|own| own.key() == key)?;
                Some(modifier.parameters())
            }
            _ => self.full_body.of(owner),
        }
    }

    fn of_mut(&mut self, owner: Owner) -> Option<&mut dyn Parameters> {
        match owner {
            Owner::FootIk => Some(&mut self.grounding.foot_ik),
            Owner::Predictive => Some(&mut self.grounding.predictive),
            Owner::Settings(layer) => self.settings_of_mut(layer),
            Owner::Drive => Some(&mut self.grounding.weights),
            Owner::Limbs => Some(&mut self.grounding.limbs),
            Owner::Speed => Some(&mut self.grounding.speed),
            Owner::Layer(index) => Some(&mut self.chain_ik.chains.get_mut(index)?.settings),
            Owner::Lane(index) => Some(self.chain_ik.lab.as_mut()?.lanes.get_mut(index)?),
            Owner::Modifier(index, key) => {
                let modifier = Arc::make_mut(&mut self.modifiers).get_mut(index).filter(|own| own.key() == key)?;
                Some(modifier.parameters_mut())
            }
            _ => self.full_body.of_mut(owner),
        }
    }
}
