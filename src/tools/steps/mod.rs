pub mod csv;
pub mod frame_strip;
pub(crate) mod playback;
pub mod plots;
pub mod profiler;
pub mod session;
pub(crate) mod step;
pub mod timeline;
pub(crate) mod what_if;
mod why;
pub(crate) mod words;

use std::collections::HashSet;
use std::sync::Arc;

use kinescope_ik::debugger::again::MotionMeasure;
use kinescope_ik::debugger::attribution::{Attribution, Grouping, Target};
use kinescope_ik::debugger::breaks::{Breaks, Hit};
use kinescope_ik::debugger::fields::{Change, changes};
use kinescope_ik::debugger::pops::{Pop, find_pops};
use kinescope_ik::debugger::reach_volume::ReachVolume;
use kinescope_ik::debugger::sweep::{Sensitivity, SweepMeasure, SweepResult};
use kinescope_ik::debugger::tape::Tape;
use kinescope_ik::full_body::{BodyRun, Settings, State};
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{Frame, LayerId, MeasureId, Memory, Solved, Stack};
use kinescope_ik::stepped::{Cursor, Run};
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::TraceDiff;

use crate::system::jobs::Job;
use crate::system::order::sort_by;
use crate::tools::trackers::TrackersView;

#[derive(Clone, Default)]
pub struct Other {
    /// The displayed name, such as `recorded` or a file name.
    pub name: String,
    pub stack: Stack,
    /// The input of the frame shown, solved with `stack`. For a port or a game, the states and the result are those
    /// that it reported.
    pub frame: Frame,
    /// Pose at the cursor, or the animated pose if the result's number of bones differs from the character's. Empty
    /// until the result is shown.
    pub shown: ModelPose,
    /// Memory before and after the frame shown, from earlier frames of this result. `None` while this result uses the memory
    /// of the first result.
    pub own: Option<[Memory; 2]>,
    /// The animated pose, if it differs from that of the first result.
    pub animated: Option<Arc<ModelPose>>,
}

impl Other {
    /// Returns the instant of this result to show next to the instant `at` of the run `of`: the end of the matching
    /// step, or of the whole result if `at` is the end of `of` or there is no `of`.
    pub fn cursor(&self, layer: LayerId, at: Cursor, of: Option<&dyn Run>) -> Option<Cursor> {
        let own = self.frame.run(layer).filter(|own| own.steps() > 0)?;
        Some(match of {
            Some(of) if at != Cursor::end(of) => Cursor { within: None, ..at }.carried_over(of, own),
            _ => Cursor::end(own),
        })
    }
}

/// Changed settings with which the frame shown is solved, and the recorded result to compare with.
#[derive(Clone, Default)]
pub struct WhatIf {
    /// Changes of the recorded settings. Frames to which the changes do not apply keep their settings.
    pub changes: Vec<Change>,
    pub recorded: Other,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareStyle {
    #[default]
    Overlay,
    SideBySide,
}

/// Preset B, compared with the document, which is preset A.
#[derive(Clone, Default)]
pub struct Compare {
    pub style: CompareStyle,
    /// Whether a scene set B, so that another scene drops it.
    pub(crate) of_scene: bool,
    pub b: Other,
}

#[derive(Clone)]
pub struct Port {
    pub trace: Trace,
    pub diff: TraceDiff,
    pub other: Other,
}

impl Port {
    /// Loads the states of the port's trace as a second result. `own` is Kinescope's trace of the same rig and parameters,
    /// `frame` the same solve in the session.
    pub fn new(name: String, trace: Trace, own: &Trace, frame: &Frame) -> Self {
        let states = trace.steps.iter().map(|&(step, nodes)| (step, State::of_nodes(&nodes)));
        let mut frame = frame.clone();
        // Lanes of the full-body lab keep their own results.
        for layer in frame.layers.iter_mut().filter(|layer| layer.id == LayerId::FullBody) {
            let solved = layer.solved.as_ref().and_then(|solved| solved.as_ref().ok());
            if let Some(run) = solved.and_then(Solved::of::<BodyRun>) {
                let recording = run.recording.with_states(states.clone());
                let run = BodyRun::new(run.solver.clone(), recording, run.animated.clone(), run.settings);
                layer.solved = Some(Ok(Solved::new(run)));
            }
        }
        if !trace.result.is_empty() {
            frame.pose.clone_from(&trace.result);
        }
        let stack = Stack { full_body: trace.parameters, ..Stack::default() };
        let other = Other { name, stack, frame, ..Other::default() };
        let tolerance = kinescope_ik::trace_diff::default_tolerance(&trace.rig);
        Self { diff: kinescope_ik::trace_diff::diff(&trace, own, tolerance), trace, other }
    }
}

#[derive(Clone, Debug, Default)]
pub struct AttributionView {
    /// The chosen target. `None` follows the selection.
    pub target: Option<Target>,
    pub grouping: Grouping,
    pub table: Attribution,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotView {
    pub over_frames: bool,
    pub hidden: HashSet<&'static str>,
}

pub struct SweepView {
    pub x: ParameterId,
    pub y: Option<ParameterId>,
    pub measure: SweepMeasure,
    pub whole_tape: bool,
    pub job: Option<Job<(SweepResult, Vec<Sensitivity>)>>,
    pub result: Option<(SweepResult, Vec<Sensitivity>)>,
    /// Number of finished sweeps. The pane scrolls to the result when the number changes.
    pub done: u32,
    pub(crate) asked: Arc<Stack>,
}

impl Default for SweepView {
    fn default() -> Self {
        Self {
            x: ParameterId::from_path("chains.left_arm.pull").unwrap_or(ParameterId::PIN),
            y: ParameterId::from_path("solver.pull_body_horizontal"),
            measure: MeasureId::Gap("left_hand".to_owned()).into(),
            whole_tape: false,
            job: None,
            result: None,
            done: 0,
            asked: Arc::default(),
        }
    }
}

pub struct SolvedAgain {
    pub changes: Vec<Change>,
    /// The largest pop of each joint, recorded and solved again. They are sorted by the larger of the two, largest first.
    pub pops: Vec<[Option<Pop>; 2]>,
    /// Every measure of motion that both recordings have, recorded and solved again.
    pub motion: Vec<(MotionMeasure, [f32; 2])>,
    pub frames: usize,
}

impl SolvedAgain {
    pub fn new(changes: Vec<Change>, recorded: &Tape, again: &Tape) -> Self {
        let mut pops: Vec<[Option<Pop>; 2]> = find_pops(recorded).into_iter().map(|pop| [Some(pop), None]).collect();
        for pop in find_pops(again) {
            match pops.iter_mut().find(|pair| pair[0].as_ref().is_some_and(|before| before.joint == pop.joint)) {
                Some(pair) => pair[1] = Some(pop),
                None => pops.push([None, Some(pop)]),
            }
        }
        let size = |pair: &[Option<Pop>; 2]| pair.iter().flatten().map(|pop| pop.size).fold(0.0, f32::max);
        sort_by(&mut pops, |a, b| size(b).total_cmp(&size(a)));
        let measured = |measure: MotionMeasure| Some((measure, [measure.of(recorded)?, measure.of(again)?]));
        let motion = MotionMeasure::ALL.into_iter().filter_map(measured).collect();
        Self { changes, pops, motion, frames: again.len() }
    }
}

#[derive(Default)]
pub struct AgainView {
    pub job: Option<Job<SolvedAgain>>,
    pub result: Option<SolvedAgain>,
    /// Number of finished comparisons. The pane scrolls to the result when the number changes.
    pub done: u32,
}

#[derive(Default)]
pub struct ReachView {
    pub job: Option<Job<ReachVolume>>,
    pub volume: Option<ReachVolume>,
    /// Inputs of the volume: the settings without the limb's own target, and the animated pose.
    pub(crate) asked: (Settings, Vec<RigidTransform>),
}

#[derive(Default)]
pub struct Debugger {
    pub tape: Tape,
    pub breaks: Breaks,
    /// The last break condition that paused the session, with its place.
    pub hit: Option<Hit>,
    pub what_if: Option<WhatIf>,
    pub compare: Option<Compare>,
    pub port: Option<Port>,
    pub attribution: AttributionView,
    pub plots: PlotView,
    pub sweep: SweepView,
    pub reach: ReachView,
    pub trackers: TrackersView,
    /// Largest first; `None` before a search.
    pub pops: Option<Vec<Pop>>,
    pub again: AgainView,
}

impl Debugger {
    /// Returns the second result that is drawn. A what-if comes before a port or game, which comes before preset B.
    pub fn other(&self) -> Option<&Other> {
        let what_if = self.what_if.as_ref().map(|what_if| &what_if.recorded);
        let port = self.port.as_ref().map(|port| &port.other);
        what_if.or(port).or(self.compare.as_ref().map(|compare| &compare.b))
    }

    pub(crate) fn others_mut(&mut self) -> impl Iterator<Item = &mut Other> {
        let what_if = self.what_if.as_mut().map(|what_if| &mut what_if.recorded);
        let port = self.port.as_mut().map(|port| &mut port.other);
        what_if.into_iter().chain(port).chain(self.compare.as_mut().map(|compare| &mut compare.b))
    }

    /// Drops recorded frames, searches and results, which belong to the previous character or solver. Preset B stays.
    pub fn clear(&mut self) {
        self.tape.clear();
        self.hit = None;
        self.what_if = None;
        self.port = None;
        self.attribution.target = None;
        self.sweep.job = None;
        self.sweep.result = None;
        self.reach = ReachView::default();
        self.trackers = TrackersView::default();
        self.pops = None;
        self.again = AgainView::default();
    }

    pub fn differing(&self, a: &Stack) -> Vec<Change> {
        self.compare.as_ref().map_or_else(Vec::new, |compare| changes(a, &compare.b.stack))
    }

    pub fn has_jobs(&self) -> bool {
        self.sweep.job.is_some() || self.reach.job.is_some() || self.again.job.is_some() || self.trackers.job.is_some()
    }
}
