//! Dispatches the actions and commands of the debugger to its tools, and analyses the frame shown.

use super::{Action, Dialog, Now, Pending, Request, Selection, Session};
use crate::game::{Connection, SaveTarget};
use crate::session::commands::Command;
use crate::tools::steps::Other;
use crate::ui::layout::Pane;
use kinescope_ik::debugger::attribution::{Target, attribute};
use kinescope_ik::debugger::pops;
use kinescope_ik::full_body::{Node, Step};
use kinescope_ik::stack::{LayerId, MeasureId};
use kinescope_ik::stepped::run::Cursor;

impl Session {
    /// Measures how far every step of the layer in focus is from the end.
    pub(crate) fn measure_steps(&mut self) {
        let (rig, focus) = (&self.character.rig, self.focus());
        let steps = 0..self.shown_run().map_or(0, |run| run.steps());
        self.picture.lefts = self.solved.lefts(rig, focus, steps.map(|step| Cursor { step, within: None }));
    }

    /// Updates the attribution while paused; live, nobody could read it.
    pub(crate) fn analyse(&mut self) {
        if !self.time.is_paused() {
            return;
        }
        let (target, grouping) = (self.attribution_target(), self.debugger.attribution.grouping);
        self.debugger.attribution.table = attribute(&self.solved, target, grouping);
    }

    /// Returns the point that attribution follows: the chosen one, else the selected one, else one of the layer in focus.
    pub fn attribution_target(&self) -> Target {
        let focus = self.focus();
        let chosen = self.debugger.attribution.target.filter(|target| match target {
            Target::Point(layer, _) => *layer == focus,
            Target::Bone(_) => true,
        });
        let node = match self.hands.selection {
            Selection::Effector(effector) => effector.node(),
            Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]),
            Selection::BendGoal(limb) => Node::of_limb(limb)[1],
            _ => Node::Body,
        };
        let own = match (focus, self.solved.run(focus)) {
            (LayerId::FullBody, _) | (_, None) => node as usize,
            // The last point with a goal, else the last point.
            (_, Some(run)) => {
                let last = run.points().len().saturating_sub(1);
                run.goals().last().map_or(last, |goal| goal.point)
            }
        };
        chosen.unwrap_or(Target::Point(focus, own))
    }

    /// Polls the jobs off the drawing thread. Returns whether any of them has news.
    pub(crate) fn update_jobs(&mut self) -> bool {
        self.update_baking() | self.update_sweep() | self.update_reach() | self.update_again()
    }

    pub(crate) fn apply_debug(&mut self, action: Action) {
        match action {
            Action::SeekFrame(number) => self.seek_frame(number),
            Action::TapeBudget(bytes) => self.debugger.tape.set_budget(bytes),
            Action::Breaks(breaks) => self.debugger.breaks = breaks,
            Action::PlaybackRate(rate) => self.time.stages_per_second = rate.clamp(0.1, 120.0),
            Action::PlaybackLoops(loops) => self.time.loops = loops,
            Action::Attribution { target, grouping } => {
                self.debugger.attribution.target = target;
                self.debugger.attribution.grouping = grouping;
                self.analyse();
            }
            Action::Plots(plots) => self.debugger.plots = plots,
            Action::CompareStyle(style) => {
                if let Some(compare) = &mut self.debugger.compare {
                    compare.style = style;
                }
                if self.lab().is_none() {
                    self.frame_from_here(&self.picture.pose.clone());
                }
            }
            Action::CompareWith(path) => self.compare_with(&path),
            Action::CopyValue { change, to_b } => self.copy_value(&change, to_b),
            Action::SweepOf { x, y, measure, whole_tape } => {
                let view = &mut self.debugger.sweep;
                (view.x, view.y, view.measure, view.whole_tape) = (x, y, measure, whole_tape);
            }
            Action::TakeValues(values) => {
                let mut stack = self.stack().clone();
                for &(parameter, value) in &values {
                    parameter.set(&mut stack, value);
                }
                let names: Vec<String> = values.iter().map(|(parameter, _)| parameter.label()).collect();
                self.edit_stack(&names.join(" and "), None, stack);
                // The list shows sensitivities of the values before: sweep again.
                if self.debugger.sweep.result.is_some() {
                    self.update(0.0);
                    self.start_sweep();
                }
            }
            Action::ReachOf(limb) => self.start_reach(limb),
            Action::OpenTrace(path) => self.unless_unsaved(Pending::OpenTrace(path)),
            Action::OpenCapsule(path) => self.unless_unsaved(Pending::OpenCapsule(path)),
            Action::OpenRecording(path) => self.open_recording(path),
            Action::SaveRecordingTo(path) => self.save_recording(&path),
            Action::Listen(address) => self.listen(&address),
            Action::ShowGame(shown) => self.unless_unsaved(Pending::ShowGame(shown)),
            Action::SaveCapsuleTo(path) => self.export(path.clone(), "capsule", |session| session.capsule_bytes(&path)),
            Action::ExportCsvTo(path) => self.export(path, "table", crate::tools::steps::csv::table),
            Action::CaptureTo(path) => self.desk.requests.push(Request::Capture(path)),
            Action::PlotPictureTo(path) => self.desk.requests.push(Request::PlotPicture(path)),
            Action::PictureTo(path) => self.desk.requests.push(Request::Picture(path)),
            _ => {}
        }
    }

    pub(crate) fn run_debug(&mut self, command: Command) {
        match command {
            Command::PlayStages => self.toggle_playing(Now::PlayingStages),
            Command::PlayFrames => self.toggle_playing(Now::PlayingFrames),
            Command::Loop => self.time.loops = !self.time.loops,
            Command::NextFrame => self.seek_frame(self.time.frame.saturating_add(1)),
            Command::PreviousFrame => self.seek_frame(self.time.frame.saturating_sub(1)),
            Command::FirstFrame => self.seek_frame(0),
            Command::LastFrame => self.seek_frame(u64::MAX),
            Command::Mark => self.toggle_mark(),
            Command::NextMarker => self.seek_marker(true),
            Command::PreviousMarker => self.seek_marker(false),
            Command::ClearTape if self.games.is_shown() => {
                self.notify("the frames are the game's; they go when another character is opened");
            }
            Command::ClearTape => {
                self.debugger.tape.clear();
                self.debugger.pops = None;
                self.debugger.again = Default::default();
                self.go_live();
            }
            Command::DropWhatIf => self.drop_what_if(),
            Command::KeepAsB => {
                let b = Other { name: "kept".to_owned(), stack: self.stack().clone(), ..Other::default() };
                self.set_b(b);
            }
            Command::CompareWith => self.desk.dialog = Some(Dialog::CompareWith),
            Command::SwapAB => self.swap_a_b(),
            Command::EndCompare => {
                self.hide_result(true);
                self.debugger.compare = None;
                self.debugger.port = None;
            }
            Command::Sweep => self.start_sweep(),
            Command::CancelJobs => {
                self.cancel_baking();
                self.debugger.sweep.job = None;
                self.debugger.reach.job = None;
                self.cancel_opening();
                self.debugger.again.job = None;
            }
            Command::SolveAgain => self.start_again(),
            Command::ReachableVolume => match self.hands.selection.limb() {
                Some(limb) => self.start_reach(limb),
                None => self.notify("select a hand, a foot or a limb first"),
            },
            Command::ForgetVolume => self.debugger.reach.volume = None,
            Command::FindPops => {
                let found = pops::find_pops(&self.debugger.tape);
                let text = match found.first() {
                    Some(worst) => {
                        format!("worst: {}, {:.1}° at frame {}", worst.joint.label, worst.size, worst.number)
                    }
                    None => "nothing moves on the tape: play a clip or drag a handle first".to_owned(),
                };
                self.notify(text);
                self.debugger.pops = Some(found);
                self.desk.requests.push(Request::ShowPane(Pane::Finder));
            }
            command => self.run_game(command),
        }
    }

    /// Runs commands for games that send their frames.
    fn run_game(&mut self, command: Command) {
        match command {
            Command::AttachToGame => match &self.games.connection {
                Connection::Listening(_) => self.desk.requests.push(Request::ShowPane(Pane::Game)),
                Connection::Off { .. } => self.listen(kinescope_ik::link::ADDRESS),
            },
            Command::StopListening => self.stop_listening(),
            Command::DisconnectGame => self.disconnect_game(),
            Command::TuneGame => {
                self.games.tunes = !self.games.tunes;
                self.tune_what_was_edited();
            }
            Command::ShowResult => {
                self.hide_result(self.games.shows_result());
                self.time.needs_solve = true;
            }
            Command::NextDifference => self.seek_difference(true),
            Command::PreviousDifference => self.seek_difference(false),
            command => self.run_files(command),
        }
    }

    /// Runs commands that open a dialog for a file.
    fn run_files(&mut self, command: Command) {
        match command {
            Command::OpenTrace => self.desk.dialog = Some(Dialog::OpenTrace),
            Command::OpenCapsule => self.desk.dialog = Some(Dialog::OpenCapsule),
            Command::OpenRecording => self.desk.dialog = Some(Dialog::OpenRecording),
            Command::SaveRecording => {
                self.games.save_target = SaveTarget::Shown;
                self.desk.dialog = Some(Dialog::SaveRecording);
            }
            Command::SaveCapsule => self.desk.dialog = Some(Dialog::SaveCapsule),
            Command::ExportCsv => self.desk.dialog = Some(Dialog::ExportCsv),
            Command::CapturePicture => self.desk.dialog = Some(Dialog::Picture),
            Command::CapturePlots => self.desk.dialog = Some(Dialog::PlotPicture),
            Command::CaptureSteps => self.desk.dialog = Some(Dialog::Capture),
            command => self.run_panes(command),
        }
    }

    /// Runs commands that show panes.
    fn run_panes(&mut self, command: Command) {
        match command {
            Command::ShowGame => self.desk.requests.push(Request::TogglePane(Pane::Game)),
            Command::Plots => self.desk.requests.push(Request::TogglePane(Pane::Plots)),
            Command::Profiler => self.desk.requests.push(Request::TogglePane(Pane::Profiler)),
            Command::ShowCompare => self.desk.requests.push(Request::TogglePane(Pane::Compare)),
            Command::ShowSweep => {
                self.sweep_selection();
                self.desk.requests.push(Request::TogglePane(Pane::Sweep));
            }
            Command::ShowFinder => self.desk.requests.push(Request::TogglePane(Pane::Finder)),
            Command::ShowCrowd => self.desk.requests.push(Request::TogglePane(Pane::Crowd)),
            Command::ShowMotion => self.desk.requests.push(Request::TogglePane(Pane::Motion)),
            Command::ShowOutliner => self.desk.requests.push(Request::TogglePane(Pane::Outliner)),
            Command::ShowInspector => self.desk.requests.push(Request::TogglePane(Pane::Inspector)),
            Command::ShowTimeline => self.desk.requests.push(Request::TogglePane(Pane::Timeline)),
            Command::ResetLayout => self.desk.requests.push(Request::ResetLayout),
            Command::NextPane => self.desk.requests.push(Request::NextPane),
            _ => {}
        }
    }

    /// Returns a measure of every `every`-th frame of the tape, with the number of the frame.
    pub fn over_frames<'a>(&'a self, measure: &'a MeasureId, every: usize) -> impl Iterator<Item = (u64, f32)> + 'a {
        let frames = self.debugger.tape.frames().step_by(every.max(1));
        frames.filter_map(move |frame| Some((frame.number, frame.outcome(measure)?)))
    }

    /// Returns why the layer in focus has no steps: in a word, and in a sentence.
    pub fn unsolved(&self) -> (String, String) {
        let focus = self.focus();
        let problem = self.solved.layer(focus).and_then(|layer| layer.problem());
        let (word, sentence) = match problem {
            Some(problem) if focus == LayerId::FullBody && self.character.rig.full_body.is_err() => {
                ("Not solvable", format!("{problem}. Press D for the rig doctor."))
            }
            Some(problem) => ("Not solvable", format!("{problem}.")),
            None if !self.stack().is_on(focus) => {
                ("Off", format!("The {} is switched off: it is not solved.", focus.label()))
            }
            None if focus == LayerId::Grounding => {
                ("Grounding", "No time passed in this frame: nothing was grounded anew.".to_owned())
            }
            None => ("Weight 0", "The weight is 0: what was handed in is left as it is.".to_owned()),
        };
        (word.to_owned(), sentence)
    }

    /// Returns the full body's step at the cursor; `None` while its bones are written, or if another layer is in focus.
    pub fn body_step(&self) -> Option<Step> {
        if self.focus() != LayerId::FullBody {
            return None;
        }
        self.solved.full_body()?.recording.solve.steps.get(self.time.cursor.step).map(|recorded| recorded.step)
    }
}
