//! What the window keeps of the debugger's parts: tape, comparisons, analyses. [`Session`](super::session::Session)
//! acts on it; the panes look at it.

use std::path::Path;

use crate::capsule::Capsule;
use crate::debugger::attribution::{Attribution, Grouping};
use crate::debugger::breaks::{Breaks, Hit};
use crate::debugger::fields::{Change, changes};
use crate::debugger::measure::{Gaps, Measure};
use crate::debugger::parameters::ParameterId;
use crate::debugger::pops::Pop;
use crate::debugger::reach_volume::ReachVolume;
use crate::debugger::sweep::{Sensitivity, SweepResult};
use crate::debugger::tape::Tape;
use crate::full_body::{Effector, Node, Recording, Settings, State, Step};
use crate::rig::ModelPose;
use crate::rig::RigidTransform;
use crate::trace::Trace;
use crate::trace_diff::TraceDiff;

use super::jobs::Job;

/// A second result, shown beside the first.
#[derive(Clone, Debug, Default)]
pub struct Other {
    /// `recorded`, or a file's name.
    pub name: String,
    pub settings: Settings,
    /// The same with what grounding asks.
    pub driven: Settings,
    pub recording: Recording,
    /// Of the pose that each of its steps would be written to.
    pub gaps: Vec<Gaps>,
    /// Solved.
    pub solved: ModelPose,
    /// At the cursor; empty where there is none.
    pub shown: ModelPose,
    /// Time of the solve; 0 where nothing is measured.
    pub micros: f32,
}

impl Other {
    /// The state after the same step; the last where this one has no such step.
    pub fn state(&self, step: Option<Step>) -> Option<State> {
        let same = self.recording.solve.steps.iter().find(|recorded| Some(recorded.step) == step);
        same.or(self.recording.solve.steps.last()).map(|recorded| recorded.state)
    }
}

/// The future with a change, while the recorded one is kept as a ghost.
#[derive(Clone, Debug, Default)]
pub struct WhatIf {
    /// What is different from what was recorded; goes along when another frame is shown.
    pub changes: Vec<Change>,
    /// As recorded.
    pub recorded: Other,
}

/// How two presets are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareStyle {
    #[default]
    Overlay,
    SideBySide,
}

/// Preset B, on the same input as A, which is the document.
#[derive(Clone, Debug, Default)]
pub struct Compare {
    pub style: CompareStyle,
    pub b: Other,
}

/// A trace of another implementation, against Kinescope's own solve.
#[derive(Clone, Debug)]
pub struct Port {
    pub trace: Trace,
    pub diff: TraceDiff,
    pub other: Other,
}

impl Port {
    /// Reads the states of the port's trace as a second result; `own` is ours of the same rig and parameters.
    pub fn new(path: &Path, trace: Trace, own: &Trace, recording: &Recording) -> Self {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let states = trace.steps.iter().map(|&(step, nodes)| (step, State { nodes, ..State::default() }));
        let recording = Recording::of_states(recording.frame, states);
        let solved =
            if trace.result.is_empty() { ModelPose::default() } else { ModelPose::rigid(trace.result.clone()) };
        let other =
            Other { name, settings: trace.parameters, driven: trace.parameters, recording, solved, ..Other::default() };
        let tolerance = crate::trace_diff::default_tolerance(&trace.rig);
        Self { diff: crate::trace_diff::diff(&trace, own, tolerance), trace, other }
    }
}

/// What plays while the solve is paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playing {
    #[default]
    Nothing,
    /// Stage after stage, frame after frame.
    Stages,
    /// Frame after frame, at the stage of the cursor.
    Frames,
}

/// Playing what was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    pub playing: Playing,
    pub stages_per_second: f32,
    /// Stages: the frame begins again at its end. Frames: the tape does.
    pub loops: bool,
    /// Part of the next stage or frame that has gone by.
    pub phase: f32,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: Playing::Nothing, stages_per_second: 6.0, loops: true, phase: 0.0 }
    }
}

/// The point whose way is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Node(Node),
    /// Index of a bone of the skeleton.
    Bone(usize),
}

/// Whose way is told, and how.
#[derive(Clone, Debug, Default)]
pub struct AttributionView {
    /// `None` follows the selection.
    pub target: Option<Target>,
    pub grouping: Grouping,
    pub table: Attribution,
}

/// What the plots show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotView {
    /// Over frames, or over the steps of one.
    pub over_frames: bool,
    pub errors: bool,
    pub strains: bool,
    pub stretches: bool,
}

impl Default for PlotView {
    fn default() -> Self {
        Self { over_frames: false, errors: true, strains: true, stretches: true }
    }
}

/// What a sweep is asked, and what came of it.
pub struct SweepView {
    pub x: ParameterId,
    pub y: Option<ParameterId>,
    pub measure: Measure,
    /// Over every frame of the tape, not only the one shown.
    pub whole_tape: bool,
    pub job: Option<Job<(SweepResult, Vec<Sensitivity>)>>,
    pub result: Option<(SweepResult, Vec<Sensitivity>)>,
    /// What it was run with.
    pub asked: Settings,
}

impl Default for SweepView {
    fn default() -> Self {
        Self {
            x: ParameterId::from_path("chains.left_arm.pull").unwrap_or(ParameterId::PIN),
            y: ParameterId::from_path("solver.pull_body_horizontal"),
            measure: Measure::Gap(Effector::LeftHand),
            whole_tape: false,
            job: None,
            result: None,
            asked: Settings::default(),
        }
    }
}

/// The volume of a hand or foot.
#[derive(Default)]
pub struct ReachView {
    pub job: Option<Job<ReachVolume>>,
    pub volume: Option<ReachVolume>,
    /// What it is, or is being, made with: settings without the targets tried, and the animated pose.
    pub asked: (Settings, Vec<RigidTransform>),
}

/// See the module.
#[derive(Default)]
pub struct Debugger {
    pub tape: Tape,
    pub breaks: Breaks,
    /// What stopped the recording last.
    pub hit: Option<Hit>,
    pub playback: Playback,
    pub what_if: Option<WhatIf>,
    pub compare: Option<Compare>,
    pub port: Option<Port>,
    pub attribution: AttributionView,
    pub plots: PlotView,
    pub sweep: SweepView,
    pub reach: ReachView,
    /// The worst first; `None` until they are looked for.
    pub pops: Option<Vec<Pop>>,
}

impl Debugger {
    /// The second result that is drawn: a change first, then a port's trace, then preset B.
    pub fn other(&self) -> Option<&Other> {
        let what_if = self.what_if.as_ref().map(|what_if| &what_if.recorded);
        let port = self.port.as_ref().map(|port| &port.other);
        what_if.or(port).or(self.compare.as_ref().map(|compare| &compare.b))
    }

    pub fn others_mut(&mut self) -> impl Iterator<Item = &mut Other> {
        let what_if = self.what_if.as_mut().map(|what_if| &mut what_if.recorded);
        let port = self.port.as_mut().map(|port| &mut port.other);
        what_if.into_iter().chain(port).chain(self.compare.as_mut().map(|compare| &mut compare.b))
    }

    /// Forgets what belongs to a character that is gone.
    pub fn clear(&mut self) {
        self.tape.clear();
        self.hit = None;
        self.what_if = None;
        self.port = None;
        self.attribution.target = None;
        self.sweep.job = None;
        self.sweep.result = None;
        self.reach = ReachView::default();
        self.pops = None;
    }

    /// What compare's table says differs, A first.
    pub fn differing(&self, a: &Settings) -> Vec<Change> {
        self.compare.as_ref().map_or_else(Vec::new, |compare| changes(a, &compare.b.settings))
    }

    /// Whether anything goes on by itself.
    pub fn is_busy(&self) -> bool {
        self.playback.playing != Playing::Nothing || self.has_jobs()
    }

    /// Whether work goes on off the drawing thread.
    pub fn has_jobs(&self) -> bool {
        self.sweep.job.is_some() || self.reach.job.is_some()
    }
}

/// A measure in the words of a person: millimetres or percent. `length` writes lengths.
pub fn measured(measure: Measure, value: f32, length: impl Fn(f32) -> String) -> String {
    match measure.unit() {
        crate::debugger::measure::Unit::Length => length(value),
        crate::debugger::measure::Unit::Fraction => format!("{:+.1} %", value * 100.0),
    }
}

/// A capsule of what is on the tape, or of the frame shown alone.
pub fn capsule_name(capsule: &Capsule) -> String {
    if capsule.name.is_empty() { capsule.model.clone() } else { capsule.name.clone() }
}
