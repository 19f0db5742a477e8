//! Measures of a solve, and the values from which they are computed without recorded states.

use glam::Vec3;

use super::child_constraint::{ChildConstraint, PAIRS, constraint_label};
use super::state::{Frame, Points};
use crate::key::label;
use crate::lanes::{Layout, Number, Pairing, Vector};
use crate::names::{Chain, Effector, Node, Nodes};
use crate::rig::LimbName;
use crate::stepped::run::{MeasureView, Tint, Unit};

/// First index of each group of measures: node errors of the nine effectors, strains of the four constraints, the
/// largest strain, stretches of the four limbs.
const NODE_ERRORS: usize = 0;
const STRAINS: usize = NODE_ERRORS + Effector::COUNT;
const LARGEST_STRAIN: usize = STRAINS + PAIRS.len();
const STRETCHES: usize = LARGEST_STRAIN + 1;

/// Values of a solve from which measures are computed.
pub(super) trait Measured {
    /// Returns the target of an effector (model space) and its position weight times the master weight.
    fn target(&self, effector: Effector) -> (Vec3, f32);
    /// Returns a child constraint by its index in [`PAIRS`].
    fn constraint(&self, index: usize) -> ChildConstraint;
    /// Returns the length of a limb's two bones together; model units.
    fn length(&self, limb: LimbName) -> f32;

    /// Computes a measure by its index in [`measures`], from the positions of the nodes.
    fn measure(&self, measure: usize, nodes: &Nodes) -> f32 {
        let strain = |index: usize| {
            let [a, b] = PAIRS[index];
            self.constraint(index).strain(nodes[a].distance(nodes[b]))
        };
        match measure {
            ..STRAINS => {
                let effector = Effector::ALL[measure];
                let (target, weight) = self.target(effector);
                if weight > 0.0 { nodes[effector.node()].distance(target) } else { 0.0 }
            }
            STRAINS..LARGEST_STRAIN => strain(measure - STRAINS),
            LARGEST_STRAIN => (0..PAIRS.len())
                .map(strain)
                .fold(0.0, |largest: f32, strain| if strain.abs() > largest.abs() { strain } else { largest }),
            _ => {
                let Some(&limb) = LimbName::ALL.get(measure - STRETCHES) else { return 0.0 };
                let [first, _, last] = Node::of_limb(limb);
                let length = self.length(limb);
                if length > 0.0 { nodes[first].distance(nodes[last]) / length } else { 0.0 }
            }
        }
    }
}

impl Measured for Frame {
    fn target(&self, effector: Effector) -> (Vec3, f32) {
        let own = self.effector(effector);
        (own.position, own.position_weight)
    }

    fn constraint(&self, index: usize) -> ChildConstraint {
        self.child_constraints()[index]
    }

    fn length(&self, limb: LimbName) -> f32 {
        self.limb(limb).length
    }
}

/// Values of one solve from which measures are computed. The default is the outcome at master weight 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Nodes before the closing pass, which moves hands and feet to their targets even if the bones are too short.
    /// Model space.
    nodes: Nodes,
    /// Targets and position weights, in the order of [`Effector::ALL`].
    targets: [(Vec3, f32); Effector::COUNT],
    /// Child constraints, in the order of [`PAIRS`].
    constraints: [ChildConstraint; PAIRS.len()],
    /// Length of each limb's two bones together, in the order of [`LimbName::ALL`]; model units.
    lengths: [f32; 4],
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            nodes: Nodes::default(),
            targets: [(Vec3::ZERO, 0.0); Effector::COUNT],
            constraints: [ChildConstraint::none(()); PAIRS.len()],
            lengths: [0.0; 4],
        }
    }
}

impl Outcome {
    /// Collects the outcome of one character; `character` is its index in the layout. `frame` is the frame as read,
    /// `settled` has the points before the closing pass.
    #[inline(always)]
    pub(crate) fn of_lane<L: Layout>(frame: &Frame<L>, settled: &Points<L>, character: usize) -> Self {
        let mut outcome = Self::default();
        outcome.nodes[Node::Body] = settled.body.lane(character);
        let body = &frame.body_effector;
        outcome.targets[Effector::Body as usize] =
            (body.position.lane(character), body.position_weight.lane(character));
        for limb in LimbName::ALL {
            // A layout for one character has the limbs in its lanes, a layout for several has the characters there.
            let (part, first) = L::place(limb);
            let lane = first + character;
            for (joint, node) in Node::of_limb(limb).into_iter().enumerate() {
                outcome.nodes[node] = settled.limbs[part][joint].lane(lane);
            }
            let [first, end] = [Effector::FIRST, Effector::END].map(|of_limbs| of_limbs[limb.index()] as usize);
            for (effector, own) in [(first, &frame.first_effectors[part]), (end, &frame.end_effectors[part])] {
                outcome.targets[effector] = (own.position.lane(lane), own.position_weight.lane(lane));
            }
            outcome.lengths[limb.index()] = frame.limbs[part].length.lane(lane);
        }
        for (index, constraint) in outcome.constraints.iter_mut().enumerate() {
            let pairs = [Pairing::Diagonals, Pairing::Sides][index / 2].pairs();
            let lane = L::place(pairs[index % 2][0]).1 + character;
            *constraint = frame.constraints[index / 2][(index % 2).min(L::PASSES - 1)].lane(lane);
        }
        outcome
    }

    /// Returns the target of an effector; `None` at position weight 0. Model space.
    pub fn target(&self, effector: Effector) -> Option<Vec3> {
        let (target, weight) = self.targets[effector as usize];
        (weight > 0.0).then_some(target)
    }

    /// Computes a measure by its index in the [measures](crate::stepped::Run::measures) of a
    /// [`BodyRun`](super::BodyRun), in that measure's unit; 0 for any other index.
    pub fn measure(&self, measure: usize) -> f32 {
        Measured::measure(self, measure, &self.nodes)
    }
}

impl Measured for Outcome {
    fn target(&self, effector: Effector) -> (Vec3, f32) {
        self.targets[effector as usize]
    }

    fn constraint(&self, index: usize) -> ChildConstraint {
        self.constraints[index]
    }

    fn length(&self, limb: LimbName) -> f32 {
        self.lengths[limb.index()]
    }
}

pub(super) fn node_error_label(effector: Effector) -> String {
    format!("{} node error", label(effector.key()))
}

/// Describes all measures, in the order of [`Measured::measure`].
pub(crate) fn measures() -> Vec<MeasureView> {
    let node_error = |effector: Effector| MeasureView {
        key: format!("{}_node_error", effector.key()),
        label: node_error_label(effector),
        unit: Unit::Length,
        family: "node error",
        tint: Tint::Node(effector.node()),
        is_error: true,
    };
    let strain = |index: usize| {
        let [a, b] = PAIRS[index];
        MeasureView {
            key: format!("{}_{}_strain", a.key(), b.key()),
            label: constraint_label(index).to_owned(),
            unit: Unit::Excess,
            family: "constraint strain",
            tint: if index < 2 { Tint::PushOnly } else { Tint::Rigid },
            is_error: false,
        }
    };
    let stretch = |limb: LimbName| MeasureView {
        key: format!("{}_stretch", Chain::from(limb).key()),
        label: format!("{} stretch", limb.label()),
        unit: Unit::Fraction,
        family: "limb stretch",
        tint: Tint::Node(Node::of_limb(limb)[0]),
        is_error: false,
    };
    let largest =
        MeasureView { key: "largest_strain".to_owned(), label: "largest strain".to_owned(), family: "", ..strain(0) };
    let strains = (0..PAIRS.len()).map(strain).chain([largest]);
    Effector::ALL.map(node_error).into_iter().chain(strains).chain(LimbName::ALL.map(stretch)).collect()
}
