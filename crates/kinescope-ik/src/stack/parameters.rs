//! The numeric settings of a stack as one list, by their paths in presets.

use super::layer_id::LayerId;
use crate::chain_ik;
use crate::full_body::{Chain, ChainSettings, Effector, EffectorSettings, Settings, SolverSettings};
use crate::grounding::{DriveWeights, FootIkSettings, LimbSettings, PredictiveSettings, SpeedSettings};
use crate::key::label;
use crate::modifiers::Modifier;
use crate::parameter::{Parameter, Parameters, find};

/// A settings struct of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The solver settings of the full body.
    Solver,
    /// The full body's settings of a limb or the body.
    Chain(Chain),
    /// The full body's settings of an effector.
    Effector(Effector),
    /// Settings of the grounder by ray and curve.
    FootIk,
    /// Settings of the predictive grounder.
    Predictive,
    /// Weights of grounding's goals.
    Drive,
    /// Settings of the limbs that grounding drives.
    Limbs,
    /// Settings that derive the weights of feet from the speed of their bones.
    Speed,
    /// The settings declared in a layer's row of the table of layers.
    Settings(LayerId),
    /// A chain of the character, by its index in `chain_ik.chains`.
    Layer(usize),
    /// A lane of the chain lab, by its index.
    Lane(usize),
    /// A modifier, by its index and the key of its kind.
    Modifier(usize, &'static str),
}

impl Owner {
    /// Returns all owners without an index: those of the full body, the grounders, the layers with settings of their
    /// own, then the other settings of grounding.
    pub(super) fn named() -> impl Iterator<Item = Self> {
        let chains = Chain::ALL.map(Self::Chain);
        let effectors = Effector::ALL.map(Self::Effector);
        let body = [Self::Solver].into_iter().chain(chains).chain(effectors);
        let layers = LayerId::with_settings().map(Self::Settings);
        body.chain([Self::FootIk, Self::Predictive]).chain(layers).chain([Self::Drive, Self::Limbs, Self::Speed])
    }

    fn from_path(path: &str) -> Option<Self> {
        let numbered = |before: &str, after: &str| path.strip_prefix(before)?.strip_suffix(after)?.parse().ok();
        let layer = numbered("chain_ik.chains[", "].settings").map(Self::Layer);
        let lane = || numbered("chain_ik.lab.lanes[", "]").map(Self::Lane);
        let modifier = || {
            let (index, key) = path.strip_prefix("modifiers[")?.split_once("].")?;
            Some(Self::Modifier(index.parse().ok()?, Modifier::known_key(key)?))
        };
        layer.or_else(lane).or_else(modifier).or_else(|| Self::named().find(|owner| owner.path() == path))
    }

    /// Returns whether a lane of the full-body lab with this solver can have its own values for the owner's settings:
    /// true for the settings of that solver and of the full body's chains.
    pub(super) fn is_of_lane(self, solver: LayerId) -> bool {
        match self {
            Self::Chain(_) => true,
            Self::Solver => solver == LayerId::FullBody,
            owner => owner == Self::Settings(solver),
        }
    }

    pub(super) fn path(self) -> String {
        match self {
            Self::Solver => "solver".to_owned(),
            Self::Chain(chain) => format!("chains.{}", chain.key()),
            Self::Effector(effector) => format!("effectors.{}", effector.key()),
            Self::FootIk => "grounding.foot_ik".to_owned(),
            Self::Predictive => "grounding.predictive".to_owned(),
            Self::Settings(layer) => layer.settings_path().unwrap_or_default().to_owned(),
            Self::Drive => "grounding.weights".to_owned(),
            Self::Limbs => "grounding.limbs".to_owned(),
            Self::Speed => "grounding.speed".to_owned(),
            Self::Layer(index) => format!("chain_ik.chains[{index}].settings"),
            Self::Lane(index) => format!("chain_ik.lab.lanes[{index}]"),
            Self::Modifier(index, key) => format!("modifiers[{index}].{key}"),
        }
    }

    /// Returns the label on screen; empty for the solver settings of the full body.
    pub(super) fn label(self) -> String {
        match self {
            Self::Solver => String::new(),
            Self::Chain(chain) => label(chain.key()),
            Self::Effector(effector) => label(effector.key()),
            Self::FootIk => "foot IK".to_owned(),
            Self::Predictive => "predictive grounder".to_owned(),
            Self::Settings(layer) => layer.label(),
            Self::Drive => "grounding's weights".to_owned(),
            Self::Limbs => "limbs of grounding".to_owned(),
            Self::Speed => "weight by speed".to_owned(),
            Self::Layer(index) => format!("chain {}", index + 1),
            Self::Lane(index) => format!("lane {}", index + 1),
            Self::Modifier(index, key) => format!("{} {}", label(key), index + 1),
        }
    }

    fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Solver => SolverSettings::PARAMETERS,
            Self::Chain(Chain::Body) => Settings::PARAMETERS,
            Self::Chain(_) => ChainSettings::PARAMETERS,
            // Only hands and feet have a rotation weight and a weight for following the torso.
            Self::Effector(effector) if effector.limb().is_none() => &EffectorSettings::PARAMETERS[..1],
            Self::Effector(_) => EffectorSettings::PARAMETERS,
            Self::FootIk => FootIkSettings::PARAMETERS,
            Self::Predictive => PredictiveSettings::PARAMETERS,
            Self::Settings(layer) => layer.parameters(),
            Self::Drive => DriveWeights::PARAMETERS,
            Self::Limbs => LimbSettings::PARAMETERS,
            Self::Speed => SpeedSettings::PARAMETERS,
            Self::Layer(_) | Self::Lane(_) => chain_ik::Settings::PARAMETERS,
            Self::Modifier(_, key) => Modifier::parameters_of(key).unwrap_or_default(),
        }
    }
}

/// Settings with owners: those of the full body, or a whole stack.
pub trait Tunable {
    /// Returns the settings of an owner; `None` if `self` does not contain them.
    fn of(&self, owner: Owner) -> Option<&dyn Parameters>;

    /// Returns a mutable reference to the settings of an owner; `None` if `self` does not contain them.
    fn of_mut(&mut self, owner: Owner) -> Option<&mut dyn Parameters>;

    /// Returns the modifiers in their order; none by default.
    fn modifiers(&self) -> &[Modifier] {
        &[]
    }
}

impl Tunable for Settings {
    fn of(&self, owner: Owner) -> Option<&dyn Parameters> {
        match owner {
            Owner::Solver => Some(&self.solver),
            Owner::Chain(chain) => Some(chain.limb().map_or(self, |limb| self.chain(limb))),
            Owner::Effector(effector) => Some(self.effector(effector)),
            _ => None,
        }
    }

    fn of_mut(&mut self, owner: Owner) -> Option<&mut dyn Parameters> {
        match owner {
            Owner::Solver => Some(&mut self.solver),
            Owner::Chain(Chain::Body) => Some(self),
            Owner::Chain(chain) => Some(self.chain_mut(chain.limb()?)),
            Owner::Effector(effector) => Some(self.effector_mut(effector)),
            _ => None,
        }
    }
}

/// A numeric setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterId {
    /// The owner of the setting.
    pub owner: Owner,
    /// The declaration of the setting.
    pub parameter: &'static Parameter,
}

impl ParameterId {
    /// Setting `pin` of the body's chain.
    pub const PIN: Self = Self { owner: Owner::Chain(Chain::Body), parameter: find(Settings::PARAMETERS, "pin") };

    /// Returns all numeric settings that `settings` contain: those of the full body, of grounding and of layers without
    /// an index, then those of chains, of lanes of the chain lab and of modifiers.
    pub fn all(settings: &dyn Tunable) -> impl Iterator<Item = Self> {
        let has = |owner: &Owner| settings.of(*owner).is_some();
        let layers = (0..).map(Owner::Layer).take_while(has);
        let lanes = (0..).map(Owner::Lane).take_while(has);
        let modifiers = settings.modifiers().iter().enumerate();
        let modifiers = modifiers.map(|(index, modifier)| Owner::Modifier(index, modifier.key()));
        let owners = Owner::named().filter(has).chain(layers).chain(lanes).chain(modifiers);
        let all = owners.flat_map(|owner| owner.parameters().iter().map(move |parameter| Self { owner, parameter }));
        // Callers would otherwise compile the code of all these adapters again.
        all.collect::<Vec<_>>().into_iter()
    }

    /// Returns the setting of an owner by its key; `None` if the owner has no such setting.
    pub fn new(owner: Owner, key: &str) -> Option<Self> {
        let parameter = owner.parameters().iter().find(|parameter| parameter.key == key)?;
        Some(Self { owner, parameter })
    }

    /// Returns the setting of a path in presets, whether or not a preset has it; `None` for a path that names no number.
    pub fn from_path(path: &str) -> Option<Self> {
        let (owner, key) = path.rsplit_once('.')?;
        Self::new(Owner::from_path(owner)?, key)
    }

    /// Returns the path, as in error messages: `chains.left_arm.pull`.
    pub fn path(self) -> String {
        format!("{}.{}", self.owner.path(), self.parameter.key)
    }

    /// Returns the label on screen: `left arm, pull`.
    pub fn label(self) -> String {
        let (owner, what) = (self.owner.label(), label(self.parameter.key));
        if owner.is_empty() { what } else { format!("{owner}, {what}") }
    }

    /// Returns the smallest allowed value and the largest usual one.
    pub fn range(self) -> [f32; 2] {
        [self.parameter.min, self.parameter.usual_max]
    }

    /// Returns the value; the default if the settings lack it.
    pub fn get(self, settings: &dyn Tunable) -> f32 {
        let number = settings.of(self.owner).and_then(|of| of.number(self.parameter.key));
        number.unwrap_or(self.parameter.default)
    }

    /// Sets the value, clamped to [`Self::range`]; a value that is not finite becomes the smallest one. Does nothing if
    /// the settings lack the number.
    pub fn set(self, settings: &mut dyn Tunable, value: f32) {
        let [min, max] = self.range();
        let value = if value.is_finite() { value.clamp(min, max) } else { min };
        if let Some(of) = settings.of_mut(self.owner) {
            of.set_number(self.parameter.key, value);
        }
    }
}
