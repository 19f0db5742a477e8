//! Every number of [`Settings`] as one list: what sweeps and sensitivities go through.

use crate::full_body::settings::{CHAIN_PARAMETERS, EFFECTOR_PARAMETERS, PIN, SOLVER_PARAMETERS};
use crate::full_body::{Chain, Effector, Settings};
use crate::rig::LimbName;

/// One number of the settings: an index into the table of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterId {
    Solver(usize),
    Pin,
    Chain(LimbName, usize),
    Effector(Effector, usize),
}

impl ParameterId {
    /// All of them, in the order of presets.
    pub fn all() -> impl Iterator<Item = Self> {
        let chains = |limb| (0..CHAIN_PARAMETERS.len()).map(move |index| Self::Chain(limb, index));
        // Only ends of limbs take a rotation or go along with a plane.
        let of = |effector: Effector| if effector.limb().is_some() { EFFECTOR_PARAMETERS.len() } else { 1 };
        let effectors = move |effector| (0..of(effector)).map(move |index| Self::Effector(effector, index));
        (0..SOLVER_PARAMETERS.len())
            .map(Self::Solver)
            .chain([Self::Pin])
            .chain(LimbName::ALL.into_iter().flat_map(chains))
            .chain(Effector::ALL.into_iter().flat_map(effectors))
    }

    /// The parameter of that path.
    pub fn from_path(path: &str) -> Option<Self> {
        Self::all().find(|parameter| parameter.path() == path)
    }

    /// As in error messages: `chains.left_arm.pull`.
    pub fn path(self) -> String {
        match self {
            Self::Solver(_) => format!("solver.{}", self.key()),
            Self::Pin => format!("chains.body.{}", self.key()),
            Self::Chain(limb, _) => format!("chains.{}.{}", Chain::from(limb).key(), self.key()),
            Self::Effector(effector, _) => format!("effectors.{}.{}", effector.key(), self.key()),
        }
    }

    /// `left arm, pull`.
    pub fn label(self) -> String {
        let what = crate::full_body::names::label(self.key());
        let owner = match self {
            Self::Solver(_) => return what,
            Self::Pin => "body",
            Self::Chain(limb, _) => limb.label(),
            Self::Effector(effector, _) => effector.key(),
        };
        format!("{}, {what}", crate::full_body::names::label(owner))
    }

    fn key(self) -> &'static str {
        match self {
            Self::Solver(index) => SOLVER_PARAMETERS[index].key,
            Self::Pin => PIN.key,
            Self::Chain(_, index) => CHAIN_PARAMETERS[index].key,
            Self::Effector(_, index) => EFFECTOR_PARAMETERS[index].key,
        }
    }

    pub fn help(self) -> &'static str {
        match self {
            Self::Solver(index) => SOLVER_PARAMETERS[index].help,
            Self::Pin => PIN.help,
            Self::Chain(_, index) => CHAIN_PARAMETERS[index].help,
            Self::Effector(_, index) => EFFECTOR_PARAMETERS[index].help,
        }
    }

    /// Only whole numbers.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Solver(index) if SOLVER_PARAMETERS[index].whole)
    }

    /// The range that is worth looking at: rounds of the spine have no other end than what a file may hold.
    pub fn range(self) -> [f32; 2] {
        let [min, max] = match self {
            Self::Solver(index) => [SOLVER_PARAMETERS[index].min, SOLVER_PARAMETERS[index].max],
            Self::Pin => [PIN.min, PIN.max],
            Self::Chain(_, index) => [CHAIN_PARAMETERS[index].min, CHAIN_PARAMETERS[index].max],
            Self::Effector(_, index) => [EFFECTOR_PARAMETERS[index].min, EFFECTOR_PARAMETERS[index].max],
        };
        [min, max.min(16.0)]
    }

    pub fn get(self, settings: &Settings) -> f32 {
        match self {
            Self::Solver(index) => (SOLVER_PARAMETERS[index].get)(&settings.solver),
            Self::Pin => (PIN.get)(settings),
            Self::Chain(limb, index) => (CHAIN_PARAMETERS[index].get)(settings.chain(limb)),
            Self::Effector(effector, index) => (EFFECTOR_PARAMETERS[index].get)(settings.effector(effector)),
        }
    }

    /// Sets the number, kept in its range.
    pub fn set(self, settings: &mut Settings, value: f32) {
        let [min, max] = self.range();
        let value = if value.is_finite() { value.clamp(min, max) } else { min };
        match self {
            Self::Solver(index) => (SOLVER_PARAMETERS[index].set)(&mut settings.solver, value),
            Self::Pin => (PIN.set)(settings, value),
            Self::Chain(limb, index) => (CHAIN_PARAMETERS[index].set)(settings.chain_mut(limb), value),
            Self::Effector(effector, index) => {
                (EFFECTOR_PARAMETERS[index].set)(settings.effector_mut(effector), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_reached_by_its_path() {
        for parameter in ParameterId::all() {
            assert_eq!(ParameterId::from_path(&parameter.path()), Some(parameter));
            let [min, max] = parameter.range();
            let mut settings = Settings::default();
            let value = if parameter.get(&settings) == max { min } else { max };
            parameter.set(&mut settings, value);
            assert_eq!(parameter.get(&settings), value, "{}", parameter.path());
            let changed = super::super::fields::changes(&Settings::default(), &settings);
            assert_eq!(changed.len(), 1);
            assert_eq!(changed[0].path, parameter.path());
            parameter.set(&mut settings, f32::NAN);
            assert!(settings.validate().is_ok());
        }
    }
}
