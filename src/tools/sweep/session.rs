use crate::session::{Pane, Request};
use crate::session::{Selection, Session};
use crate::system::jobs::{Job, Outcome};
use crate::tools::capsule::ground_of;
use crate::tools::sweep::words as text;
use kinescope_ik::debugger::sweep::{Axis, Frames, Sweep, SweepMeasure, run_sweep_in_slices, sensitivities_in_slices};
use kinescope_ik::full_body::Effector;
use kinescope_ik::stack::parameters::{Owner, ParameterId};
use kinescope_ik::stack::{Input, MeasureId, Stack};

/// Number of values tried along the x axis of a map. The y axis has 21 values.
const SWEEP_POINTS: usize = 31;
/// Number of values tried along a curve.
const CURVE_POINTS: usize = 101;
/// Largest number of tape frames in a sweep over the whole tape, evenly spaced.
const SWEEP_FRAMES: usize = 60;
/// Largest number of tape frames for a measure of motion. The sweep uses the newest frames, without gaps.
const MOTION_FRAMES: usize = 120;

#[derive(Clone, Debug)]
pub enum SweepAction {
    Choose {
        x: ParameterId,
        y: Option<ParameterId>,
        measure: SweepMeasure,
        whole_tape: bool,
    },
    /// Sets parameters, and repeats the sweep if there is a result.
    TakeValues(Vec<(ParameterId, f32)>),
}

impl Session {
    pub(crate) fn apply_sweep(&mut self, action: SweepAction) {
        match action {
            SweepAction::Choose { x, y, measure, whole_tape } => {
                let is_repeated = y == Some(x);
                let view = &mut self.tools.debugger.sweep;
                (view.x, view.y, view.measure, view.whole_tape) = (x, y, measure, whole_tape);
                if is_repeated {
                    view.y = None;
                    self.notify(text::same_axes(&x.label()));
                }
            }
            SweepAction::TakeValues(values) => {
                let mut stack = self.world.stack().clone();
                for &(parameter, value) in &values {
                    parameter.set(&mut stack, value);
                }
                let names: Vec<String> = values.iter().map(|(parameter, _)| parameter.label()).collect();
                self.edit_stack(&names.join(text::AND), None, stack);
                // The sensitivities are those at the previous values, so the sweep runs again.
                if self.tools.debugger.sweep.result.is_some() {
                    self.update(0.0);
                    self.start_sweep();
                }
            }
        }
    }

    pub(crate) fn toggle_sweep_pane(&mut self) {
        self.sweep_selection();
        self.window.requests.push(Request::TogglePane(Pane::Sweep));
    }

    fn sweep_inputs(&self) -> Vec<Input> {
        let tape = &self.tools.debugger.tape;
        if self.tools.debugger.sweep.whole_tape && tape.len() > 1 {
            let stride = tape.len().div_ceil(SWEEP_FRAMES).max(1);
            return tape.frames().step_by(stride).map(|frame| frame.input.clone()).collect();
        }
        vec![self.world.solved.input.clone()]
    }

    /// Prepares a sweep of the selection: its first parameter against the gap of its bone, else against the first
    /// measure of the layer in focus, else against the previous measure.
    pub(crate) fn sweep_selection(&mut self) {
        let owner = match self.interaction.selection {
            Selection::Nothing => None,
            // The gap of an effector depends mainly on the limb's parameters.
            Selection::Effector(effector) => {
                Some(effector.limb().map_or(Owner::Effector(effector), |limb| Owner::Chain(limb.into())))
            }
            Selection::BendGoal(limb) => Some(Owner::Chain(limb.into())),
            Selection::Chain(chain) => Some(Owner::Chain(chain)),
            Selection::Layer(layer) => Some(layer.owner(self.world.stack())),
            Selection::Modifier(index, _) => {
                self.world.stack().modifiers.get(index).map(|own| Owner::Modifier(index, own.key()))
            }
        };
        let of_selection = ParameterId::all(self.world.stack()).find(|parameter| Some(parameter.owner) == owner);
        let (Some(x), None) = (of_selection, &self.tools.debugger.sweep.job) else { return };
        let effector = match self.interaction.selection {
            Selection::Effector(effector) => Some(effector),
            _ => self.interaction.selection.limb().map(|limb| Effector::END[limb.index()]),
        };
        let gap = effector.map(|effector| MeasureId::Gap(effector.key().to_owned()));
        let of_layer = || {
            let layer = self.focus();
            let ids = self.world.solved.measures().into_iter().map(|measure| measure.id);
            ids.into_iter().find(|id| matches!(id, MeasureId::Of(own, _) if *own == layer))
        };
        let view = &self.tools.debugger.sweep;
        let measure = gap.or_else(of_layer).map_or_else(|| view.measure.clone(), SweepMeasure::Frame);
        let view = &mut self.tools.debugger.sweep;
        if view.x != x || view.measure != measure {
            (view.x, view.y, view.measure, view.result) = (x, None, measure, None);
        }
    }

    pub(crate) fn start_sweep(&mut self) {
        let (rig, inputs) = (self.world.character.rig.clone(), self.sweep_inputs());
        let terrain = self.world.plan().terrain.cloned();
        let is_motion = matches!(self.tools.debugger.sweep.measure, SweepMeasure::Motion(_));
        let recording = is_motion.then(|| self.tools.debugger.tape.newest(MOTION_FRAMES));
        let view = &self.tools.debugger.sweep;
        let points = if view.y.is_some() { SWEEP_POINTS } else { CURVE_POINTS };
        let sweep = Sweep {
            x: Axis::whole_range(view.x, points),
            y: view.y.map(|y| Axis::whole_range(y, 21)),
            measure: view.measure.clone(),
        };
        let job = Job::start_on_all_processors(move |report| async move {
            let ground = ground_of(terrain);
            let frames = Frames { rig: &rig, ground: &ground, inputs: &inputs, recording: recording.as_ref() };
            let found = run_sweep_in_slices(&frames, &sweep, &mut |done| report.done(done * 0.9)).await?;
            let mut progress = |done: f32| report.done(0.9 + done * 0.1);
            let strong = sensitivities_in_slices(&frames, &sweep.measure, &mut progress).await?;
            Some((found, strong))
        });
        match job {
            Ok(job) => {
                (self.tools.debugger.sweep.job, self.tools.debugger.sweep.asked) =
                    (Some(job), self.world.solved.input.stack.clone());
            }
            Err(error) => self.fail(error),
        }
    }

    /// Returns whether settings have changed since the sweep started. The movement of an attached target with its
    /// anchor does not count.
    pub fn sweep_is_stale(&self) -> bool {
        let (mut asked, mut now) = (Stack::clone(&self.tools.debugger.sweep.asked), self.world.stack().clone());
        if now.has_attachments()
            && let Some(posed) = self.world.character.rig.posed(&self.world.picture.animated.bones)
        {
            // An error, such as a missing bone, is ignored. The stack is then compared as it is.
            for stack in [&mut asked, &mut now] {
                let _ = stack.attach(&posed, |_, _| {});
            }
        }
        asked != now
    }

    pub(crate) fn update_sweep(&mut self) -> bool {
        let Some(job) = &self.tools.debugger.sweep.job else { return false };
        let outcome = job.poll();
        match outcome {
            Outcome::Running => {}
            Outcome::Done(found) => {
                let sweep = &mut self.tools.debugger.sweep;
                (sweep.result, sweep.job) = (Some(found), None);
                sweep.done = sweep.done.wrapping_add(1);
            }
            Outcome::Nothing => {
                self.tools.debugger.sweep.job = None;
                self.notify(text::NOTHING_TO_SWEEP);
            }
        }
        true
    }
}
