use crate::session::{Selection, Session};
use crate::tools::body_lab::session as body_lab;
use crate::tools::steps::PlotView;
use crate::tools::steps::words as text;
use crate::tools::trackers;
use kinescope_ik::debugger::attribution::{Target, attribute};
use kinescope_ik::full_body::{Node, Step};
use kinescope_ik::stack::{LayerId, MeasureId};
use kinescope_ik::stepped::run::Cursor;

#[derive(Clone, Debug)]
pub enum StepAction {
    Seek(Cursor),
    /// Seeks an instant of any layer, and focuses the layer.
    SeekIn(LayerId, Cursor),
    /// Seeks a frame of the tape or of the game shown, by its number, and keeps the instant of the solve.
    SeekFrame(u64),
    TapeBudget(usize),
    /// Stages per second.
    PlaybackRate(f32),
    PlaybackLoops(bool),
    Attribution {
        target: Option<Target>,
        grouping: kinescope_ik::debugger::attribution::Grouping,
    },
    Plots(PlotView),
}

impl Session {
    pub(crate) fn apply_steps(&mut self, action: StepAction) {
        match action {
            StepAction::Seek(cursor) => {
                self.pause();
                self.seek(cursor);
            }
            StepAction::SeekIn(layer, cursor) => {
                if self.focus() != layer {
                    self.look_at(layer, 0);
                }
                self.pause();
                self.seek(cursor);
            }
            StepAction::SeekFrame(number) => self.seek_frame(number),
            StepAction::TapeBudget(bytes) => self.tools.debugger.tape.set_budget(bytes),
            StepAction::PlaybackRate(rate) => self.world.time.stages_per_second = rate.clamp(0.1, 120.0),
            StepAction::PlaybackLoops(loops) => self.world.time.loops = loops,
            StepAction::Attribution { target, grouping } => {
                self.tools.debugger.attribution.target = target;
                self.tools.debugger.attribution.grouping = grouping;
                self.analyse();
            }
            StepAction::Plots(plots) => self.tools.debugger.plots = plots,
        }
    }

    /// Returns the remaining error after each step of the layer in focus, model units: the layer's main measure or,
    /// without one, the largest gap. It is computed on first use, because only the timeline shows it.
    pub(crate) fn remaining_after_steps(&self) -> &[f32] {
        self.world.picture.remaining.get_or_init(|| {
            let (rig, focus) = (&self.world.character.rig, self.focus());
            let steps = 0..self.shown_run().map_or(0, |run| run.steps());
            self.world.solved.remaining_at(rig, focus, steps.map(|step| Cursor { step, within: None }))
        })
    }

    /// Updates the attribution while paused. While live, the numbers would change too fast to read.
    pub(crate) fn analyse(&mut self) {
        if !self.world.time.is_paused() {
            return;
        }
        let (target, grouping) = (self.attribution_target(), self.tools.debugger.attribution.grouping);
        self.tools.debugger.attribution.table = attribute(&self.world.solved, target, grouping);
    }

    /// Returns the point or bone whose displacement is attributed: the chosen one, else the selected node of the full
    /// body or, in another layer, the point of the last goal.
    pub fn attribution_target(&self) -> Target {
        let focus = self.focus();
        let chosen = self.tools.debugger.attribution.target.filter(|target| match target {
            Target::Point(layer, _) => *layer == focus,
            Target::Bone(_) => true,
        });
        let node = match self.interaction.selection {
            Selection::Effector(effector) => effector.node(),
            Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]),
            Selection::BendGoal(limb) => Node::of_limb(limb)[1],
            _ => Node::Body,
        };
        let own = match (focus, self.world.solved.run(focus)) {
            (LayerId::FullBody, _) | (_, None) => node as usize,
            (_, Some(run)) => {
                let last = run.points().len().saturating_sub(1);
                run.goals().last().map_or(last, |goal| goal.point)
            }
        };
        chosen.unwrap_or(Target::Point(focus, own))
    }

    pub(crate) fn update_jobs(&mut self) -> bool {
        let others = trackers::session::update(self) | body_lab::update(self);
        others | self.update_baking() | self.update_sweep() | self.update_reach() | self.update_again()
    }

    pub(crate) fn cancel_jobs(&mut self) {
        self.cancel_baking();
        self.tools.debugger.sweep.job = None;
        self.tools.debugger.reach.job = None;
        self.cancel_opening();
        self.tools.debugger.again.job = None;
        self.tools.debugger.trackers.job = None;
        self.tools.body_lab.divergence.job = None;
    }

    pub(crate) fn over_frames<'a>(
        &'a self,
        measure: &'a MeasureId,
        every: usize,
    ) -> impl Iterator<Item = (u64, f32)> + 'a {
        let frames = self.tools.debugger.tape.frames().step_by(every.max(1));
        frames.filter_map(move |frame| Some((frame.number, frame.outcome(measure)?)))
    }

    pub(crate) fn unsolved(&self) -> (String, String) {
        let focus = self.focus();
        let problem = self.world.solved.layer(focus).and_then(|layer| layer.problem());
        let (word, sentence) = match problem {
            Some(problem) if focus == LayerId::FullBody && self.world.character.rig.full_body.is_err() => {
                (text::NOT_SOLVABLE, text::not_solvable_doctor(&problem))
            }
            Some(problem) => (text::NOT_SOLVABLE, format!("{problem}.")),
            None if !self.world.stack().is_on(focus) => (text::OFF, text::switched_off(&focus.label())),
            None if focus == LayerId::Grounding => (text::GROUNDING, text::NOT_GROUNDED.to_owned()),
            None => (text::NOTHING_TO_DO, text::NOTHING_TO_DO_HELP.to_owned()),
        };
        (word.to_owned(), sentence)
    }

    /// Returns the full body's step at the cursor. Returns `None` while bones are written or another layer is in focus.
    pub fn body_step(&self) -> Option<Step> {
        if self.focus() != LayerId::FullBody {
            return None;
        }
        self.world
            .solved
            .full_body()?
            .recording
            .solve
            .steps
            .get(self.world.time.cursor.step)
            .map(|recorded| recorded.step)
    }
}
