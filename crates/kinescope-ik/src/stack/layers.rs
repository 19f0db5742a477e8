//! Everything that layers are told, and their order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chains::ChainSection;
use super::experiments::Experiments;
use super::grounding::{GroundingSection, Method};
use super::parameters::{Owner, Tunable};
use crate::attach::Attachments;
use crate::error::{Fault, Problem};
use crate::full_body::Settings;
use crate::modifiers::{MAX_MODIFIERS, Modifier};
use crate::parameter::Parameters;

/// A layer, by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerId {
    /// Targets that follow the bone or effector that they are [attached](crate::attach) to.
    Attachments,
    /// What modifiers ask before the pose is read, and turn in it.
    Modifiers,
    /// What modifiers turn after the pose is written.
    AfterWrite,
    /// Feet and pelvis on the ground: asks the one below.
    Grounding,
    /// Where feet will land: says so to grounding.
    Footprints,
    /// Planted feet stay where they landed: says so to the one below.
    FootLock,
    /// The full body; the limbs alone, if grounding is to [drive](super::Drive) those.
    FullBody,
    /// Bones below the pelvis get rotations only.
    RotationsOnly,
    /// A chain of the character, by its place in [`ChainSection::chains`].
    Chain(usize),
    /// A lane of the lab, by its place there.
    Lane(usize),
}

/// Everything that layers are told, and their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// Settings of the full-body solver, before grounding adds what it asks.
    pub full_body: Settings,
    /// How feet find the ground.
    pub grounding: GroundingSection,
    /// The character's chains, and the lab.
    pub chain_ik: ChainSection,
    /// What the targets of effectors are attached to.
    pub attachments: Arc<Attachments>,
    /// What acts between the phases of the full body, in order.
    pub modifiers: Arc<Vec<Modifier>>,
    /// Section `stack` of a preset.
    pub order: OrderSection,
}

/// Section `stack` of a preset: the order in which layers are solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrderSection {
    /// Chains that are solved before the full body, by their place in `chain_ik.chains`; the others come after it, all in
    /// the order in which they stand there.
    pub before_full_body: Vec<usize>,
    /// The full body is not solved.
    pub full_body_off: bool,
    /// Of what was solved, bones below the pelvis get rotations alone and keep their distance from their parents: see
    /// [`rotations_only`](crate::full_body::rotations_only).
    pub rotations_only: bool,
    /// Bugs of the sources, to be looked at.
    pub experiments: Experiments,
}

impl OrderSection {
    /// # Errors
    /// [`Fault`] for a chain that there is not.
    pub fn validate(&self, count: usize) -> Result<(), Fault> {
        let Some(at) = self.before_full_body.iter().position(|&chain| chain >= count) else { return Ok(()) };
        let index = self.before_full_body[at];
        Err(Fault::new(format!("stack.before_full_body[{at}]"), Problem::Index { what: "chains", index, count }))
    }
}

impl Stack {
    /// # Errors
    /// [`Fault`] for what no layer can be told.
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
        self.order.validate(self.chain_ik.chains.len())
    }

    /// The layers in the order in which they are solved, those that are off among them. With the lab open its lanes,
    /// which know nothing of each other.
    pub fn layers(&self) -> Vec<LayerId> {
        if let Some(lab) = &self.chain_ik.lab {
            return (0..lab.lanes.len()).map(LayerId::Lane).collect();
        }
        let chains = |before: bool| {
            let all = 0..self.chain_ik.chains.len();
            all.filter(move |chain| self.order.before_full_body.contains(chain) == before).map(LayerId::Chain)
        };
        let modified = |layer: LayerId| (!self.modifiers.is_empty()).then_some(layer);
        let attached = self.has_attachments().then_some(LayerId::Attachments);
        let before = chains(true).chain(attached).chain(modified(LayerId::Modifiers));
        let lock = self.grounding.lock.on.then_some(LayerId::FootLock);
        let footprints = self.grounding.may_be(Method::Path).then_some(LayerId::Footprints);
        let body = before.chain(footprints).chain([LayerId::Grounding]).chain(lock).chain([LayerId::FullBody]);
        let body = body.chain(self.order.rotations_only.then_some(LayerId::RotationsOnly));
        body.chain(modified(LayerId::AfterWrite)).chain(chains(false)).collect()
    }

    /// Puts a chain before, or after, the one that is solved next to it: the full body, with the grounding that asks it,
    /// or another chain. Returns the chain's new place in `chain_ik.chains`; `None` if there is nothing to go past.
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

    /// Takes a chain away; those after it move up.
    pub fn remove_chain(&mut self, chain: usize) {
        if chain < self.chain_ik.chains.len() {
            self.chain_ik.chains.remove(chain);
            self.order.before_full_body.retain(|&own| own != chain);
            self.order.before_full_body.iter_mut().for_each(|own| *own -= usize::from(*own > chain));
        }
    }

    /// Puts a modifier before, or after, the one that acts next to it. Returns its new place; `None` if there is none to
    /// go past.
    pub fn move_modifier(&mut self, index: usize, earlier: bool) -> Option<usize> {
        let to = if earlier { index.checked_sub(1)? } else { index + 1 };
        if index.max(to) >= self.modifiers.len() {
            return None;
        }
        Arc::make_mut(&mut self.modifiers).swap(index, to);
        Some(to)
    }

    /// Whether the full body is the only layer that is solved, on the animated pose as it is. The result of such a frame
    /// depends on nothing but its pose and the settings of the full body.
    pub fn is_full_body_alone(&self) -> bool {
        let layers = self.layers();
        let has_own = layers.contains(&LayerId::FullBody) && !self.order.experiments.keep_pose;
        has_own && layers.into_iter().all(|layer| self.is_on(layer) == (layer == LayerId::FullBody))
    }

    /// Whether a layer is solved.
    pub fn is_on(&self, layer: LayerId) -> bool {
        match layer {
            LayerId::Attachments => !self.order.full_body_off && self.has_attachments(),
            LayerId::Modifiers | LayerId::AfterWrite => {
                !self.order.full_body_off && self.modifiers.iter().any(Modifier::is_on)
            }
            LayerId::Grounding => self.grounding.method != Method::Off,
            LayerId::Footprints => self.grounding.may_be(Method::Path) && self.grounding.method != Method::Off,
            LayerId::FootLock => self.grounding.lock.on && self.grounding.method != Method::Off,
            LayerId::FullBody => !self.order.full_body_off,
            LayerId::RotationsOnly => self.order.rotations_only && !self.order.full_body_off,
            LayerId::Chain(index) => self.chain_ik.chains.get(index).is_some_and(|chain| !chain.off),
            LayerId::Lane(_) => true,
        }
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
            Owner::Footprints => Some(&self.grounding.footprints),
            Owner::Lock => Some(&self.grounding.lock),
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
            Owner::Footprints => Some(&mut self.grounding.footprints),
            Owner::Lock => Some(&mut self.grounding.lock),
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
