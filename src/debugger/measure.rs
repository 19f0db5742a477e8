//! Measures of an instant: what plots, sweeps, comparisons and break conditions look at.

use crate::full_body::child_constraint::PAIRS;
use crate::full_body::names::label;
use crate::full_body::{
    Effector, Frame, FullBody, InputError, NoObserver, Node, Program, Settings, Stage, State, Workspace, run_stage,
};
use crate::rig::{LimbName, RigidTransform};

/// One number of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Sum over the effectors of what the nodes lack to their targets, each by its weight.
    Residual,
    /// How far an effector's node is from its target; 0 without position weight.
    EffectorError(Effector),
    /// Signed strain of a child constraint: index into [`PAIRS`].
    Strain(usize),
    /// Strain of largest size of the four.
    LargestStrain,
    /// First node to last, as a fraction of the limb's length: 1 is straight.
    Stretch(LimbName),
}

/// What a measure counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Model units.
    Length,
    /// 1 is the whole.
    Fraction,
}

impl Measure {
    /// Every measure, in the order of panels and exported columns.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Residual]
            .into_iter()
            .chain(Effector::ALL.map(Self::EffectorError))
            .chain((0..PAIRS.len()).map(Self::Strain))
            .chain([Self::LargestStrain])
            .chain(LimbName::ALL.map(Self::Stretch))
    }

    /// As in exported columns: `left_hand_error`.
    pub fn key(self) -> String {
        match self {
            Self::Residual => "residual".to_owned(),
            Self::EffectorError(effector) => format!("{}_error", effector.key()),
            Self::Strain(index) => {
                let [a, b] = PAIRS[index];
                format!("{}_{}_strain", a.key(), b.key())
            }
            Self::LargestStrain => "largest_strain".to_owned(),
            Self::Stretch(limb) => format!("{}_stretch", crate::full_body::Chain::from(limb).key()),
        }
    }

    /// As a person reads it.
    pub fn label(self) -> String {
        match self {
            Self::Strain(index) => constraint_label(index),
            Self::EffectorError(effector) => format!("{} error", label(effector.key())),
            other => label(&other.key()),
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Self::Residual | Self::EffectorError(_) => Unit::Length,
            Self::Strain(_) | Self::LargestStrain | Self::Stretch(_) => Unit::Fraction,
        }
    }

    /// The number at an instant.
    pub fn of(self, frame: &Frame, state: &State) -> f32 {
        match self {
            Self::Residual => Effector::ALL
                .into_iter()
                .map(|effector| frame.effector(effector).position_weight * error(frame, state, effector))
                .sum(),
            Self::EffectorError(effector) if frame.effector(effector).position_weight <= 0.0 => 0.0,
            Self::EffectorError(effector) => error(frame, state, effector),
            Self::Strain(index) => {
                let [a, b] = PAIRS[index];
                frame.constraints[index].strain(state.nodes[a].distance(state.nodes[b]))
            }
            Self::LargestStrain => (0..PAIRS.len())
                .map(|index| Self::Strain(index).of(frame, state))
                .fold(0.0, |largest: f32, strain| if strain.abs() > largest.abs() { strain } else { largest }),
            Self::Stretch(limb) => {
                let [first, _, last] = Node::of_limb(limb);
                let length = frame.limb(limb).length;
                if length > 0.0 { state.nodes[first].distance(state.nodes[last]) / length } else { 0.0 }
            }
        }
    }
}

fn error(frame: &Frame, state: &State, effector: Effector) -> f32 {
    state.nodes[effector.node()].distance(frame.effector(effector).position)
}

/// A child constraint in few words: the torso's diagonals by their limbs, shoulders and hips by their bones.
pub fn constraint_label(index: usize) -> String {
    let names = ["left arm – right thigh", "right arm – left thigh", "upper arms", "thighs"];
    names.get(index).copied().unwrap_or_default().to_owned()
}

/// Solves up to, and without, the closing pass: that pass puts hands and feet on their targets whether the bones reach
/// or not, so what a solve achieved is measured before it.
///
/// # Errors
/// As [`FullBody::read`].
pub fn settle(
    solver: &FullBody,
    workspace: &mut Workspace,
    settings: &Settings,
    pose: &[RigidTransform],
) -> Result<(Frame, State), InputError> {
    let (frame, mut state) = solver.read(workspace, settings, pose, &mut NoObserver)?;
    for step in Program::new(&frame).take_while(|step| step.stage != Stage::FinalEffectors) {
        run_stage(&frame, &mut state, step.stage, &mut NoObserver);
    }
    Ok((frame, state))
}
