//! The measures of a frame: the gaps between written bones and their targets, and the measures of its layers.

use glam::Vec3;

use super::frame::{Frame, Layer};
use super::layer_id::LayerId;
use super::rig::Rig;
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::Cursor;
use crate::stepped::run::{GoalView, MeasureView, Run, Tint, Unit};

/// The distance between a written bone and its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Key in files: `left_hand`, `chain_0_end`.
    pub key: String,
    /// Label on screen.
    pub label: String,
    /// The category that selects the colour.
    pub tint: Tint,
    /// The layer that has the target.
    pub layer: LayerId,
    /// The bone that should reach the target.
    pub bone: BoneIndex,
    /// The target, in the space of [`Input::animated`](super::Input::animated).
    pub place: Vec3,
    /// Distance in model units; 0 for a target without weight.
    pub distance: f32,
}

/// Identifies a measure of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MeasureId {
    /// The largest gap.
    WorstGap,
    /// One gap, by its key.
    Gap(String),
    /// A measure of a layer, by its key in the layer's run.
    Of(LayerId, String),
}

/// A measure of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The identifier, by which [`Frame::outcome`] finds the value.
    pub id: MeasureId,
    /// The label and unit.
    pub view: MeasureView,
}

impl Frame {
    /// Returns the gap of every target that has a bone, in a pose of this frame. Leaves out lanes of the full-body lab,
    /// which have poses of their own.
    pub fn gaps(&self, pose: &[RigidTransform]) -> Vec<Gap> {
        self.passed_on().flat_map(|layer| self.gaps_of(layer, pose)).collect()
    }

    /// Returns the distances of [`Self::gaps`], in the same order.
    fn gap_lengths(&self, pose: &[RigidTransform]) -> Vec<f32> {
        let aims = self.passed_on().filter_map(Layer::run).flat_map(Run::aims);
        aims.filter_map(|aim| Some(gap(aim.weight, pose.get(aim.bone?)?.position, aim.place))).collect()
    }

    fn passed_on(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !matches!(layer.id, LayerId::BodyLane(_)))
    }

    /// Returns the gaps of a layer's targets, without targets that have no bone in `pose`.
    pub(super) fn gaps_of(&self, layer: &Layer, pose: &[RigidTransform]) -> Vec<Gap> {
        let (goals, prefix) = (layer.run().map_or_else(Vec::new, Run::goals), layer.id.prefix());
        let of_goal = |goal: GoalView| {
            let bone = goal.bone?;
            let at = pose.get(bone)?;
            let distance = gap(goal.weight, at.position, goal.place);
            let key = format!("{prefix}{}", goal.key);
            let (label, tint, place) = (layer.id.of_layer(&goal.label), goal.tint, goal.place);
            Some(Gap { key, label, tint, layer: layer.id, bone, place, distance })
        };
        goals.into_iter().filter_map(of_goal).collect()
    }

    /// Returns all measures of this frame: the largest gap, each gap, then the measures of each layer that has a run.
    pub fn measures(&self) -> Vec<Measure> {
        self.measured().0
    }

    /// Returns the final values of all [`Self::measures`], in their order; NaN for a measure without a value.
    pub fn outcomes(&self) -> Vec<f32> {
        self.measured().1
    }

    /// Returns [`Self::measures`] and [`Self::outcomes`].
    pub(crate) fn measured(&self) -> (Vec<Measure>, Vec<f32>) {
        let gap = |key: String, label: String, tint: Tint| MeasureView {
            key: format!("{key}_gap"),
            label: format!("{label} gap"),
            unit: Unit::Length,
            family: "gap of the written bone",
            tint,
            is_error: true,
        };
        let (mut measures, mut outcomes) = (Vec::new(), Vec::new());
        let gaps = self.gaps(&self.pose);
        if let Some(worst) = worst(&gaps.iter().map(|gap| gap.distance).collect::<Vec<_>>()) {
            let view = MeasureView { family: "", ..gap("worst".to_owned(), "worst".to_owned(), Tint::Own) };
            measures.push(Measure { id: MeasureId::WorstGap, view });
            outcomes.push(worst);
        }
        for own in gaps {
            let id = MeasureId::Gap(own.key.clone());
            measures.push(Measure { id, view: gap(own.key, own.label, own.tint) });
            outcomes.push(own.distance);
        }
        for layer in &self.layers {
            let Some(run) = layer.run() else { continue };
            for (index, view) in run.measures().into_iter().enumerate() {
                let id = MeasureId::Of(layer.id, view.key.clone());
                let (key, label) = (format!("{}{}", layer.id.prefix(), view.key), layer.id.of_layer(&view.label));
                measures.push(Measure { id, view: MeasureView { key, label, ..view } });
                outcomes.push(run.measure(index, run.settled()));
            }
        }
        (measures, outcomes)
    }

    /// Returns [`Self::outcomes`] of a frame whose [`Self::measures`] are known from its [texts](Run::texts), without making
    /// their texts. `None` if the frame has another number of values.
    pub(crate) fn outcomes_of(&self, measures: &[Measure]) -> Option<Vec<f32>> {
        let gaps = self.gap_lengths(&self.pose);
        let mut outcomes: Vec<f32> = worst(&gaps).into_iter().chain(gaps).collect();
        for layer in &self.layers {
            let Some(run) = layer.run() else { continue };
            let own = measures.iter().filter(|measure| matches!(measure.id, MeasureId::Of(id, _) if id == layer.id));
            outcomes.extend((0..own.count()).map(|index| run.measure(index, run.settled())));
        }
        (outcomes.len() == measures.len()).then_some(outcomes)
    }

    /// Returns measures at instants of a layer, one row for each instant. Measures of other layers have their final
    /// value. `None` for a measure that the frame does not have, or that has no value.
    pub fn values(
        &self,
        rig: &Rig,
        measures: &[&MeasureId],
        layer: LayerId,
        instants: impl Iterator<Item = Cursor>,
    ) -> Vec<Vec<Option<f32>>> {
        let of_runs: Vec<_> = measures.iter().map(|measure| self.of_run(measure)).collect();
        let has_gaps = measures.iter().any(|measure| !matches!(measure, MeasureId::Of(..)));
        let named = if has_gaps { self.gaps(&self.pose) } else { Vec::new() };
        let gaps: Vec<_> = measures.iter().map(|measure| named.iter().position(|gap| gap.is(measure))).collect();
        let values = |at: Cursor| {
            // Computed once per instant: all gaps need the same pose.
            let lengths = if has_gaps { self.gap_lengths(&self.pose_at(rig, layer, at)) } else { Vec::new() };
            let value = |index: usize| match (of_runs[index], measures[index]) {
                (Some((own, run, index)), _) => {
                    known(run.measure(index, if own == layer { at } else { run.settled() }))
                }
                (None, MeasureId::WorstGap) => worst(&lengths),
                (None, _) => lengths.get(gaps[index]?).copied(),
            };
            (0..measures.len()).map(value).collect()
        };
        instants.map(values).collect()
    }

    /// Returns the layer of a measure, its run and the index in that run; `None` for a gap, and for a measure that the
    /// frame lacks.
    fn of_run(&self, measure: &MeasureId) -> Option<(LayerId, &dyn Run, usize)> {
        let MeasureId::Of(own, key) = measure else { return None };
        let run = self.run(*own)?;
        let index = run.measures().iter().position(|view| view.key == *key)?;
        Some((*own, run, index))
    }

    /// Returns measures of a layer, or gaps, after each of its steps: one list for each of `measures`, empty for a measure of
    /// another layer or one that the frame lacks. NaN after a step without a value.
    pub fn over_steps(&self, rig: &Rig, layer: LayerId, measures: &[&MeasureId]) -> Vec<Vec<f32>> {
        let steps = 0..self.run(layer).map_or(0, Run::steps);
        let rows = self.values(rig, measures, layer, steps.map(|step| Cursor { step, within: None }));
        let is_other = |measure: &MeasureId| matches!(measure, MeasureId::Of(own, _) if *own != layer);
        let column = |(index, measure): (usize, &&MeasureId)| match is_other(measure) {
            true => Vec::new(),
            false if rows.iter().all(|row| row[index].is_none()) => Vec::new(),
            false => rows.iter().map(|row| row[index].unwrap_or(f32::NAN)).collect(),
        };
        measures.iter().enumerate().map(column).collect()
    }

    /// Returns the final value of a measure: gaps in the solved pose, other measures at [`Run::settled`]. `None` for a
    /// measure that the frame lacks, or that has no value.
    pub fn outcome(&self, measure: &MeasureId) -> Option<f32> {
        match (measure, self.of_run(measure)) {
            (_, Some((_, run, index))) => known(run.measure(index, run.settled())),
            (MeasureId::Of(..), None) => None,
            (MeasureId::WorstGap, None) => worst(&self.gap_lengths(&self.pose)),
            (MeasureId::Gap(_), None) => {
                self.gaps(&self.pose).into_iter().find(|gap| gap.is(measure)).map(|gap| gap.distance)
            }
        }
    }

    /// Returns the remaining error at an instant of a layer: the main measure of the layer's run, or the largest gap if
    /// the run has none. Model units; 0 for a layer without a run.
    pub fn remaining(&self, rig: &Rig, layer: LayerId, at: Cursor) -> f32 {
        self.remaining_at(rig, layer, std::iter::once(at)).first().copied().unwrap_or_default()
    }

    /// Returns [`Self::remaining`] for several instants.
    pub fn remaining_at(&self, rig: &Rig, layer: LayerId, instants: impl Iterator<Item = Cursor>) -> Vec<f32> {
        let Some(run) = self.run(layer) else { return instants.map(|_| 0.0).collect() };
        if let Some(measure) = run.main_measure() {
            return instants.map(|at| run.measure(measure, at)).collect();
        }
        let own = self.layer(layer).filter(|_| matches!(layer, LayerId::BodyLane(_)));
        let runs: Vec<&dyn Run> = match own {
            Some(lane) => lane.run().into_iter().collect(),
            None => self.passed_on().filter_map(Layer::run).collect(),
        };
        let aims = runs.into_iter().flat_map(|run| run.aims()).filter(|aim| aim.weight > 0.0);
        let aims: Vec<(BoneIndex, Vec3)> = aims.filter_map(|aim| Some((aim.bone?, aim.place))).collect();
        // If the run has points for all target bones, the pose need not be computed.
        let points: Option<Vec<usize>> = aims.iter().map(|&(bone, _)| run.point_of(bone)).collect();
        let worst = |at: Cursor| {
            let places = points.as_ref().map(|points| (points, run.places(at)));
            let pose = if places.is_none() { self.pose_at(rig, layer, at) } else { Vec::new() };
            let gaps = aims.iter().enumerate().filter_map(|(index, &(bone, aim))| {
                let own = match &places {
                    Some((points, places)) => *places.get(points[index])?,
                    None => pose.get(bone)?.position,
                };
                Some(own.distance(aim))
            });
            gaps.fold(0.0, f32::max)
        };
        instants.map(worst).collect()
    }
}

/// Returns the value of a measure; `None` for NaN, by which a run says that there is none.
fn known(value: f32) -> Option<f32> {
    Some(value).filter(|value| !value.is_nan())
}

/// Returns the distance of a bone to its target; 0 for a target without weight.
fn gap(weight: f32, bone: Vec3, target: Vec3) -> f32 {
    if weight > 0.0 { bone.distance(target) } else { 0.0 }
}

/// Returns the largest gap; `None` if there are none.
fn worst(gaps: &[f32]) -> Option<f32> {
    (!gaps.is_empty()).then(|| gaps.iter().copied().fold(0.0, f32::max))
}

impl Gap {
    fn is(&self, measure: &MeasureId) -> bool {
        matches!(measure, MeasureId::Gap(key) if *key == self.key)
    }
}
