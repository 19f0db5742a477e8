//! Measures of an instant: what plots, sweeps, comparisons and break conditions look at.

use crate::full_body::child_constraint::PAIRS;
use crate::full_body::names::label;
use crate::full_body::{
    Effector, Frame, FullBody, InputError, Node, Program, Settings, Stage, State, Workspace, run_stage,
};
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::Unwatched;

/// One number of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The largest gap of all effectors.
    WorstGap,
    /// How far the written bone of an effector is from its target; 0 without position weight.
    Gap(Effector),
    /// How far an effector's node is from its target; 0 without position weight. The last pass puts nodes on their targets
    /// whether the bones reach or not: what the pose comes to is the gap.
    NodeError(Effector),
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
        [Self::WorstGap]
            .into_iter()
            .chain(Effector::ALL.map(Self::Gap))
            .chain(Effector::ALL.map(Self::NodeError))
            .chain((0..PAIRS.len()).map(Self::Strain))
            .chain([Self::LargestStrain])
            .chain(LimbName::ALL.map(Self::Stretch))
    }

    /// As in exported columns: `left_hand_gap`.
    pub fn key(self) -> String {
        match self {
            Self::WorstGap => "worst_gap".to_owned(),
            Self::Gap(effector) => format!("{}_gap", effector.key()),
            Self::NodeError(effector) => format!("{}_node_error", effector.key()),
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
            other => label(&other.key()),
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Self::WorstGap | Self::Gap(_) | Self::NodeError(_) => Unit::Length,
            Self::Strain(_) | Self::LargestStrain | Self::Stretch(_) => Unit::Fraction,
        }
    }

    /// The number at an instant; `gaps` are those of the pose written from `state`.
    pub fn of(self, frame: &Frame, state: &State, gaps: &Gaps) -> f32 {
        match self {
            Self::WorstGap => gaps.worst().map_or(0.0, |(_, gap)| gap),
            Self::Gap(effector) => gaps.0[effector as usize],
            Self::NodeError(effector) if frame.effector(effector).position_weight <= 0.0 => 0.0,
            Self::NodeError(effector) => state.nodes[effector.node()].distance(frame.effector(effector).position),
            Self::Strain(index) => {
                let [a, b] = PAIRS[index];
                frame.constraints[index].strain(state.nodes[a].distance(state.nodes[b]))
            }
            Self::LargestStrain => (0..PAIRS.len())
                .map(|index| Self::Strain(index).of(frame, state, gaps))
                .fold(0.0, |largest: f32, strain| if strain.abs() > largest.abs() { strain } else { largest }),
            Self::Stretch(limb) => {
                let [first, _, last] = Node::of_limb(limb);
                let length = frame.limb(limb).length;
                if length > 0.0 { state.nodes[first].distance(state.nodes[last]) / length } else { 0.0 }
            }
        }
    }
}

/// How far each effector's written bone is from its target, in the order of [`Effector::ALL`], model units; 0 without
/// position weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaps(pub [f32; Effector::COUNT]);

impl Gaps {
    /// Of a written pose (model space).
    pub fn of(frame: &Frame, solver: &FullBody, pose: &[RigidTransform]) -> Self {
        Self(Effector::ALL.map(|effector| {
            let wanted = frame.effector(effector);
            let bone = pose.get(solver.bone_of(effector.node())).filter(|_| wanted.position_weight > 0.0);
            bone.map_or(0.0, |bone| bone.position.distance(wanted.position))
        }))
    }

    /// The effector furthest from its target; `None` if all are on theirs.
    pub fn worst(&self) -> Option<(Effector, f32)> {
        let all = Effector::ALL.into_iter().zip(self.0);
        all.filter(|(_, gap)| *gap > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// A child constraint in few words: the torso's diagonals by their limbs, shoulders and hips by their bones.
pub fn constraint_label(index: usize) -> String {
    let names = ["left arm – right thigh", "right arm – left thigh", "upper arms", "thighs"];
    names.get(index).copied().unwrap_or_default().to_owned()
}

/// What a whole solve came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub frame: Frame,
    /// Before the closing pass: that one puts hands and feet on their targets whether the bones reach or not, so what the
    /// nodes achieved is measured before it.
    pub settled: State,
    /// Of the written pose.
    pub gaps: Gaps,
}

impl Outcome {
    pub fn measure(&self, measure: Measure) -> f32 {
        measure.of(&self.frame, &self.settled, &self.gaps)
    }
}

/// Solves `animated` into `pose`, a buffer of which only the memory is used, and measures.
///
/// # Errors
/// As [`FullBody::solve`].
pub fn outcome(
    solver: &FullBody,
    workspace: &mut Workspace,
    settings: &Settings,
    animated: &[RigidTransform],
    pose: &mut Vec<RigidTransform>,
) -> Result<Outcome, InputError> {
    pose.clear();
    pose.extend_from_slice(animated);
    let (frame, mut state) = solver.read(workspace, settings, pose)?;
    let mut settled = state;
    for step in Program::new(&frame) {
        if step.stage == Stage::FinalEffectors {
            settled = state;
        }
        let _ = run_stage(&frame, &mut state, step.stage, &mut Unwatched);
    }
    solver.write(workspace, &frame, &state, pose)?;
    Ok(Outcome { frame, settled, gaps: Gaps::of(&frame, solver, pose) })
}
