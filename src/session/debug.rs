//! What the session does for the debugger: the tape, what if, comparing, analyses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;

use super::{Action, Dialog, Now, Pending, Request, Selection, Session};
use crate::capsule::{Taken, character_of, ground_of};
use crate::character::Character;
use crate::commands::Command;
use crate::debugger::{Again, Compare, CompareStyle, Other, Port, WhatIf};
use crate::document::Document;
use crate::files::{self, Most};
use crate::game::Lane;
use crate::jobs::{Job, Outcome};
use crate::layout::Pane;
use crate::motion::Plan;
use crate::preset_model::PresetModel;
use crate::scenes::Scene;
use crate::scenes::experiments::{b_of, experiment};
use crate::words::counted;
use kinescope_ik::animation::LayerKind;
use kinescope_ik::capsule::{Capsule, Instant};
use kinescope_ik::debugger::again::solve_again;
use kinescope_ik::debugger::attribution::{Target, attribute};
use kinescope_ik::debugger::breaks::{self, Hit};
use kinescope_ik::debugger::fields::{self, Change};
use kinescope_ik::debugger::pops;
use kinescope_ik::debugger::reach_volume::reach_volume;
use kinescope_ik::debugger::sweep::{Axis, Frames, Sweep, SweepMeasure, run_sweep, sensitivities};
use kinescope_ik::debugger::tape::Marker;
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::{Effector, Hooks, Node, Part, Settings, Step};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::{Owner, ParameterId};
use kinescope_ik::stack::{Frame, Input, LayerId, MeasureId, Method, Stack};
use kinescope_ik::stepped::run::{Cursor, Stride};
use kinescope_ik::timing::Times;
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::Place;

/// Values tried along each axis of a sweep over one frame.
const SWEEP_POINTS: usize = 31;
/// Along a curve.
const CURVE_POINTS: usize = 101;
/// Frames of the tape that a sweep over all of it looks at, at most; evenly spread.
const SWEEP_FRAMES: usize = 60;
/// Frames of the tape that a measure of the motion looks at, at most; the newest, one after the other.
const MOTION_FRAMES: usize = 120;
/// Targets tried along each axis of the reachable volume.
const REACH_POINTS: usize = 30;
/// Frames of the tape that play in a second.
const PLAYED_FRAMES: f32 = 60.0;
/// Frames that a capsule holds at most: a few seconds before the instant.
const CAPSULE_FRAMES: usize = 240;

/// Settings as far as the volume that a limb reaches goes by them: its targets are those tried.
fn without_target(mut settings: Settings, limb: LimbName) -> Settings {
    let own = settings.effector_mut(Effector::END[limb.index()]);
    (own.position, own.position_weight) = (None, 1.0);
    settings
}

impl Session {
    /// Stops here: the newest frame stays.
    pub(super) fn pause(&mut self) {
        if !self.time.is_paused() {
            self.time.now = Now::Paused;
            self.analyse();
        }
    }

    /// Follows the newest frame again, with the settings as they now are.
    pub(super) fn go_live(&mut self) {
        if self.games.shown.is_some() && !self.games.is_received() && !self.games.waits {
            return self.notify("this is a recording: there is no newer frame to follow; Space plays it");
        }
        self.time.now = Now::Live;
        // Who has gone on with something else comes back by the pane.
        if self.games.waits && (self.games.shown.is_some() || self.games.asked != self.games.receiving) {
            self.follow_game();
        }
        self.debugger.what_if = None;
        self.time.needs_solve = true;
        self.tune_what_was_edited();
    }

    /// What the frame shown was solved from, with the changes that were made since.
    pub(super) fn input_again(&mut self) -> Input {
        let Some(frame) = self.debugger.tape.get(self.time.frame) else { return self.new_input() };
        let mut input = frame.input.clone();
        self.picture.animated.clone_from(&input.animated);
        let before = std::mem::replace(&mut self.motion.root, input.place.root);
        if let Some(what_if) = &self.debugger.what_if {
            // What cannot be carried over is left as it was recorded.
            if let Ok(stack) = fields::with_changes(&input.stack, &what_if.changes) {
                input.stack = Arc::new(stack);
            }
        }
        self.picture.stack = input.stack.clone();
        self.chains.time = input.place.lab_time;
        let plan = self.history.document().plan();
        self.motion.set_ground(&plan, &self.character, input.place.ground_time);
        // No other quality was run on a frame gone by.
        self.motion.qualities.clear();
        self.follow(before);
        input
    }

    /// The document's stack against the one that the frame shown was recorded with.
    pub(super) fn ask_what_if(&mut self) {
        let Some(frame) = self.debugger.tape.get(self.time.frame) else { return };
        let changes = fields::changes(&frame.input.stack, &self.history.document().stack);
        self.debugger.what_if = match changes.is_empty() {
            true => None,
            false => Some(WhatIf { changes, ..self.debugger.what_if.take().unwrap_or_default() }),
        };
    }

    /// Takes the changes back: what was recorded is shown again, and the document has its settings.
    fn drop_what_if(&mut self) {
        if self.debugger.what_if.take().is_none() {
            return self.notify("nothing was changed while paused");
        }
        if let Some(stack) = self.debugger.tape.get(self.time.frame).map(|frame| frame.input.stack.clone()) {
            self.edit_and_say(
                "drop the what-if",
                Stack::clone(&stack),
                "dropped what was changed while paused",
                "nothing was changed while paused",
            );
        }
    }

    /// Solves what is shown beside the frame, from the same input.
    pub(super) fn solve_others(&mut self, is_new: bool) {
        let input = self.solved.input.clone();
        let recorded = self.debugger.tape.get(self.time.frame).map(|frame| frame.input.clone());
        let is_live = !self.time.is_paused();
        // The script of a scene moves the targets of both.
        let script = self.begun.scene.and_then(|scene| scene.script).filter(|_| self.hands.drag.is_none());
        let (stand, began) = (script.map(|_| self.begun.stand.clone()).unwrap_or_default(), self.begun.time);
        let mut debugger = std::mem::take(&mut self.debugger);
        let mut solve = |other: &mut Other, input: Input| {
            other.frame = self.compose(&input);
        };
        if let (Some(what_if), Some(recorded)) = (&mut debugger.what_if, recorded) {
            what_if.recorded.name = "recorded".to_owned();
            what_if.recorded.stack = Stack::clone(&recorded.stack);
            solve(&mut what_if.recorded, recorded);
        }
        if let Some(compare) = &mut debugger.compare {
            let b = &mut compare.b;
            if let Some(script) = script.filter(|_| compare.of_scene && is_live) {
                script(&mut b.stack.full_body, &stand, began);
            }
            let stack = Arc::new(b.stack.clone());
            // Live, it goes by what its own frames left; one that is gone by begins as the first's did.
            let passes = is_new && input.place.dt > 0.0;
            let memory = match (b.own.take(), passes) {
                (Some([_, after]), true) if is_live => after,
                (Some([before, _]), false) if is_live => before,
                _ => input.memory.clone(),
            };
            let animated = b.animated.clone().filter(|_| is_live).unwrap_or_else(|| input.animated.clone());
            solve(b, Input { stack, memory: memory.clone(), animated, ..input });
            if is_live {
                b.own = Some([memory, b.frame.memory.clone()]);
            }
        }
        self.debugger = debugger;
    }

    /// What every step of the layer in focus left.
    pub(super) fn measure_steps(&mut self) {
        let (rig, focus) = (&self.character.rig, self.focus());
        let steps = 0..self.shown_run().map_or(0, |run| run.steps());
        self.picture.lefts = self.solved.lefts(rig, focus, steps.map(|step| Cursor { step, within: None }));
    }

    /// Poses what is shown beside the frame at the cursor's step.
    pub(super) fn show_others(&mut self) {
        let (focus, at) = (self.focus(), self.time.cursor);
        let rig = &self.character.rig;
        let run = self.solved.run(focus);
        for other in self.debugger.others_mut() {
            let end = other.frame.run(focus).map(Cursor::end);
            let own = other.cursor(focus, at, run);
            let pose = match own {
                Some(own) if Some(own) != end => other.frame.pose_at(rig, focus, own),
                _ => other.frame.pose.clone(),
            };
            // With the scales of its own pose, which another formula of additive layers may have made.
            let own = &other.frame.input.animated;
            let is_own = own.bones.len() == self.picture.animated.bones.len();
            other.shown.clone_from(if is_own { own } else { &self.picture.animated });
            if pose.len() == other.shown.bones.len() {
                other.shown.bones = pose;
            }
        }
    }

    /// Puts the new frame on the tape, and stops if a break condition holds.
    pub(super) fn record(&mut self, before: &Frame, sampled: &Times) {
        let dt = std::mem::take(&mut self.time.unrecorded);
        let left = self.solved.left(&self.character.rig, self.focus(), self.end());
        let contacts = self.motion.contacts(&self.solved);
        let tape = &mut self.debugger.tape;
        tape.record(dt, &self.solved, left, contacts);
        let Some(number) = tape.last().map(|now| now.number) else { return };
        tape.add_times(number, sampled);
        (self.time.frame, self.picture.undrawn) = (number, Some(number));
        if self.time.is_paused() || self.debugger.breaks.count() == 0 {
            return;
        }
        let before = (tape.len() > 1).then_some(before);
        if let Some(hit) = breaks::check(&self.debugger.breaks, &self.debugger.tape, before, &self.solved) {
            let at = Cursor { step: hit.step, within: None };
            let layer = hit.layer;
            self.stop_at(self.time.frame, hit);
            match self.focus() == layer {
                true => self.time.cursor = at,
                // Once that layer is selected its steps are shown from there.
                false => self.remember_cursor(layer, at),
            }
        }
    }

    /// Stops at a frame in which a break condition holds, and says which. The selection stays while a field has the
    /// keyboard: the field would go away under what is typed.
    pub(super) fn stop_at(&mut self, number: u64, hit: Hit) {
        self.time.now = Now::Paused;
        self.debugger.tape.mark(Marker { number, text: hit.text.clone(), is_warning: true });
        match self.hands.types {
            true => self.notify(format!("stopped: {}; the selection stays while you type", hit.text)),
            false => {
                self.look_at(hit.layer, hit.point);
                self.notify(format!("stopped: {}", hit.text));
            }
        }
        self.debugger.hit = Some(hit);
    }

    /// Selects what a point of a layer belongs to.
    pub(super) fn look_at(&mut self, layer: LayerId, point: usize) {
        let selection = match layer {
            LayerId::FullBody => Node::ALL.get(point).map_or(Selection::Nothing, |&node| selection_of(node)),
            _ => Selection::of_layer(layer),
        };
        if let LayerId::Lane(lane) = layer {
            self.chains.lane = lane;
        }
        self.set_selection(selection);
    }

    /// What the panes show of the frame beyond its states; only while someone can look at it.
    pub(super) fn analyse(&mut self) {
        if !self.time.is_paused() {
            return;
        }
        let (target, grouping) = (self.attribution_target(), self.debugger.attribution.grouping);
        self.debugger.attribution.table = attribute(&self.solved, target, grouping);
    }

    /// Whose way is told: what was chosen, else what is selected, else what the layer in focus is about.
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
            // The last point that is to be somewhere, or that there is.
            (_, Some(run)) => {
                let last = run.points().len().saturating_sub(1);
                run.goals().last().map_or(last, |goal| goal.point)
            }
        };
        chosen.unwrap_or(Target::Point(focus, own))
    }

    /// Moves the cursor on while something plays. Returns whether it did.
    pub(super) fn play(&mut self, dt: f32) -> bool {
        let played = self.games.lane().and_then(Lane::frames_per_second).unwrap_or(PLAYED_FRAMES);
        let time = &mut self.time;
        let rate = match time.now {
            Now::Live | Now::Paused => return false,
            Now::PlayingStages => time.stages_per_second,
            Now::PlayingFrames => played,
        };
        time.phase += dt * rate;
        let whole = time.phase.floor();
        time.phase -= whole;
        for _ in 0..whole.min(1000.0) as usize {
            self.play_one();
        }
        whole > 0.0
    }

    fn play_one(&mut self) {
        let loops = self.time.loops;
        let Some([first, last]) = self.frames() else { return };
        match self.time.now {
            Now::PlayingStages if loops && self.time.cursor == self.end() => self.seek(Cursor::default()),
            Now::PlayingStages if self.time.cursor == self.end() && self.time.frame >= last => {
                self.time.now = Now::Paused;
            }
            Now::PlayingStages => self.step_on(Stride::Step),
            Now::PlayingFrames if self.time.frame < last => self.seek_frame(self.time.frame + 1),
            Now::PlayingFrames if loops => self.seek_frame(first),
            Now::PlayingFrames => self.time.now = Now::Paused,
            Now::Live | Now::Paused => {}
        }
    }

    /// Another frame of the tape, at the same instant of its solve.
    pub(super) fn seek_frame(&mut self, number: u64) {
        let Some([first, last]) = self.frames() else { return };
        let number = number.clamp(first, last);
        if self.time.is_paused() && number == self.time.frame {
            return;
        }
        self.pause();
        if self.games.shown.is_some() {
            self.go_to_game_frame(number);
            return;
        }
        self.time.frame = number;
        self.solve();
    }

    /// One step on. From live the first goes to the beginning: from there on everything can be followed. After the
    /// last step of a frame comes the first of the next.
    pub(super) fn step_on(&mut self, stride: Stride) {
        let was_paused = self.time.is_paused();
        self.pause();
        if !was_paused {
            self.seek(Cursor::default());
        } else if self.time.cursor == self.end() && self.has_frame(self.time.frame + 1) {
            self.seek_frame(self.time.frame + 1);
            self.seek(Cursor::default());
        } else {
            self.seek(self.shown_run().map_or(Cursor::default(), |run| self.time.cursor.next(stride, run)));
        }
    }

    /// One step back; before the first step of a frame comes the last of the one before it.
    pub(super) fn step_back(&mut self, stride: Stride) {
        let was_paused = self.time.is_paused();
        self.pause();
        let before = self.time.frame.checked_sub(1).filter(|&number| self.has_frame(number));
        match before {
            Some(before) if was_paused && self.time.cursor == Cursor::default() => {
                self.seek_frame(before);
                self.seek(self.end());
            }
            _ => self.seek(self.shown_run().map_or(Cursor::default(), |run| self.time.cursor.previous(stride, run))),
        }
    }

    /// Looks after work off the drawing thread. Returns whether any of it has news.
    pub(super) fn update_jobs(&mut self) -> bool {
        let mut changed = self.update_baking();
        if let Some(job) = &self.debugger.sweep.job {
            let outcome = job.poll();
            changed = true;
            match outcome {
                Outcome::Going => {}
                Outcome::Done(found) => {
                    self.debugger.sweep.result = Some(found);
                    self.debugger.sweep.job = None;
                }
                Outcome::Nothing => {
                    self.debugger.sweep.job = None;
                    self.notify("nothing to sweep: somewhere in the range there is no such measure");
                }
            }
        }
        if let Some(job) = &self.debugger.reach.job {
            let outcome = job.poll();
            changed = true;
            match outcome {
                Outcome::Going => {}
                Outcome::Done(volume) => {
                    self.notify(format!("{} targets tried, each a whole solve", volume.solves));
                    self.debugger.reach.volume = Some(volume);
                    self.debugger.reach.job = None;
                    self.view.reach = true;
                }
                Outcome::Nothing => {
                    self.debugger.reach.job = None;
                    self.notify("there is nothing to reach with: the limb has no length, or the master weight is 0");
                }
            }
        }
        if let Some(job) = &self.debugger.again.job {
            let outcome = job.poll();
            changed = true;
            match outcome {
                Outcome::Going => {}
                Outcome::Done(again) => {
                    self.notify(format!("{} solved again", counted(again.frames, "frame")));
                    self.debugger.again.result = Some(again);
                    self.debugger.again.job = None;
                }
                Outcome::Nothing => self.debugger.again.job = None,
            }
        }
        changed
    }

    pub(super) fn apply_debug(&mut self, action: Action) {
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
                // What is listed was found with the values before.
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
            Action::ExportCsvTo(path) => self.export(path, "table", crate::csv::table),
            Action::CaptureTo(path) => self.desk.requests.push(Request::Capture(path)),
            Action::PlotPictureTo(path) => self.desk.requests.push(Request::PlotPicture(path)),
            Action::PictureTo(path) => self.desk.requests.push(Request::Picture(path)),
            _ => {}
        }
    }

    pub(super) fn run_debug(&mut self, command: Command) {
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
            Command::ClearTape if self.games.shown.is_some() => {
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
                self.games.hides_result = true;
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
            Command::OpenTrace => self.desk.dialog = Some(Dialog::OpenTrace),
            Command::OpenCapsule => self.desk.dialog = Some(Dialog::OpenCapsule),
            Command::OpenRecording => self.desk.dialog = Some(Dialog::OpenRecording),
            Command::SaveRecording => {
                self.games.last_chance = None;
                self.desk.dialog = Some(Dialog::SaveRecording);
            }
            Command::AttachToGame => match &self.games.listener {
                Some(_) => self.desk.requests.push(Request::ShowPane(Pane::Game)),
                None => self.listen(kinescope_ik::link::ADDRESS),
            },
            Command::StopListening => self.stop_listening(),
            Command::SendGameAway => {
                if let Some(listener) = &self.games.listener {
                    listener.send_away();
                }
            }
            Command::TuneGame => {
                self.games.tunes = !self.games.tunes;
                self.tune_what_was_edited();
            }
            Command::ShowResult => {
                self.games.hides_result = !self.games.hides_result;
                self.time.needs_solve = true;
            }
            Command::NextDifference => self.seek_difference(true),
            Command::PreviousDifference => self.seek_difference(false),
            Command::ShowGame => self.desk.requests.push(Request::TogglePane(Pane::Game)),
            Command::SaveCapsule => self.desk.dialog = Some(Dialog::SaveCapsule),
            Command::ExportCsv => self.desk.dialog = Some(Dialog::ExportCsv),
            Command::CapturePicture => self.desk.dialog = Some(Dialog::Picture),
            Command::CapturePlots => self.desk.dialog = Some(Dialog::PlotPicture),
            Command::CaptureSteps => self.desk.dialog = Some(Dialog::Capture),
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

    fn toggle_playing(&mut self, playing: Now) {
        self.pause();
        let time = &mut self.time;
        time.now = if time.now == playing { Now::Paused } else { playing };
        time.phase = 0.0;
        if time.now == Now::PlayingStages && self.time.cursor == self.end() {
            self.seek(Cursor::default());
        }
    }

    fn toggle_mark(&mut self) {
        if self.games.shown.is_some() {
            return self.toggle_game_mark();
        }
        let number = self.time.frame;
        let markers = &mut self.debugger.tape.markers;
        let before = markers.len();
        markers.retain(|marker| marker.number != number || marker.is_warning);
        if markers.len() == before && self.debugger.tape.get(number).is_some() {
            let text = format!("frame {number}");
            self.debugger.tape.mark(Marker { number, text, is_warning: false });
        }
    }

    fn seek_marker(&mut self, on: bool) {
        let numbers = self.marked_frames().into_iter();
        let found = match on {
            true => numbers.filter(|&number| number > self.time.frame).min(),
            false => numbers.filter(|&number| number < self.time.frame).max(),
        };
        match found {
            Some(number) => self.seek_frame(number),
            None => self.notify("no further marker; M sets one"),
        }
    }

    fn compare_with(&mut self, path: &Path) {
        let read = files::read_text(path, Most::PRESET).and_then(|text| {
            let document = Preset::from_json(&text)
                .and_then(|preset| Ok((Document::from_preset(&preset)?, PresetModel::of_preset(&preset)?)));
            document.map_err(|error| format!("{}: {error}", path.display()))
        });
        match read {
            Ok((Document { stack, .. }, model)) => {
                let name = files::name_of(path);
                // Its targets are places on its own character.
                if let Some(difference) = model.and_then(|model| model.difference(&self.character, path)) {
                    self.fail(format!("B: {name} {difference}"));
                }
                self.set_b(Other { name, stack, ..Other::default() });
            }
            Err(error) => self.fail(error),
        }
    }

    /// The B of a scene about a bug; that of the scene before goes.
    pub(super) fn experiment(&mut self, scene: &Scene) {
        let brought = |compare: &Compare| compare.of_scene;
        if let Some(experiment) = experiment(scene) {
            let stack = b_of(experiment, self.history.document(), &self.begun.stand);
            let b = Other { name: experiment.b.to_owned(), stack, ..Other::default() };
            self.set_b(b);
            if let Some(compare) = &mut self.debugger.compare {
                compare.of_scene = true;
            }
        } else if self.debugger.compare.take_if(|compare| brought(compare)).is_some() {
            self.time.needs_solve = true;
        }
        self.watch_fades();
    }

    /// Fades as the seed ends them, for whom B asks for that.
    fn watch_fades(&mut self) {
        let b = self.debugger.compare.as_ref().map(|compare| compare.b.stack.order.experiments.drop_fades);
        self.clip.as_in_the_seed = (b == Some(true)).then(|| self.clip.crossfade.clone());
    }

    /// The animated pose of B, where fades or the additive formula make another one of it.
    pub(super) fn pose_b(&mut self) {
        let plan = self.history.document().plan();
        let Some(compare) = &mut self.debugger.compare else { return };
        let additive = compare.b.stack.order.experiments.additive();
        let adds = plan.motion.layers.iter().any(|layer| layer.kind == LayerKind::Additive);
        let fades = self.clip.as_in_the_seed.clone();
        let other = (adds && additive != plan.additive).then(|| self.clip.crossfade.clone());
        let plan = Plan { additive, ..plan };
        compare.b.animated = fades.or(other).map(|crossfade| {
            let mut player = self.clip.clone();
            player.crossfade = crossfade;
            let mut animated = self.picture.animated.clone();
            self.motion.pose(&plan, &self.character, &mut player, &mut self.picture.local, &mut animated);
            Arc::new(animated)
        });
    }

    /// Another B; the pane that compares is opened.
    fn set_b(&mut self, b: Other) {
        let style = self.debugger.compare.as_ref().map_or(CompareStyle::Overlay, |compare| compare.style);
        self.debugger.compare = Some(Compare { style, b, of_scene: false });
        self.time.needs_solve = true;
        self.desk.requests.push(Request::ShowPane(Pane::Compare));
    }

    fn swap_a_b(&mut self) {
        let a = self.stack().clone();
        let Some(compare) = &mut self.debugger.compare else { return };
        let b = std::mem::replace(&mut compare.b.stack, a);
        let are_same = b == *self.stack();
        self.edit_stack("swap A and B", None, b);
        // Undo brings the settings back and leaves B as it is.
        self.notify(if are_same { "A and B are the same" } else { "swapped A and B; X swaps them again" });
    }

    fn copy_value(&mut self, change: &Change, to_b: bool) {
        let a = self.stack().clone();
        let Some(compare) = &mut self.debugger.compare else { return };
        let mut change = change.clone();
        if to_b {
            // The table has A before and B after.
            change.after = change.before.clone();
        }
        let target = if to_b { &compare.b.stack } else { &a };
        match fields::with_changes(target, std::slice::from_ref(&change)) {
            Ok(stack) if to_b => {
                compare.b.stack = stack;
                self.time.needs_solve = true;
            }
            Ok(stack) => self.edit_stack(&format!("take {} from B", change.path), None, stack),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// What a sweep looks at.
    fn sweep_inputs(&self) -> Vec<Input> {
        let tape = &self.debugger.tape;
        if self.debugger.sweep.whole_tape && tape.len() > 1 {
            let stride = tape.len().div_ceil(SWEEP_FRAMES).max(1);
            return tape.frames().step_by(stride).map(|frame| frame.input.clone()).collect();
        }
        vec![self.solved.input.clone()]
    }

    /// Asks the sweep about what is selected: its first parameters, and how far its bone is from its target. A selection
    /// without parameters, or a sweep that goes on, leaves the question as it is.
    fn sweep_selection(&mut self) {
        let owner = match self.hands.selection {
            Selection::Nothing => None,
            // What a target asks for is its limb's to reach.
            Selection::Effector(effector) => {
                Some(effector.limb().map_or(Owner::Effector(effector), |limb| Owner::Chain(limb.into())))
            }
            Selection::BendGoal(limb) => Some(Owner::Chain(limb.into())),
            Selection::Chain(chain) => Some(Owner::Chain(chain)),
            Selection::ChainIk(LayerId::Chain(index)) => Some(Owner::Layer(index)),
            Selection::ChainIk(LayerId::Lane(index)) => Some(Owner::Lane(index)),
            Selection::ChainIk(_) => None,
            Selection::Grounding => match self.stack().grounding.method {
                Method::FootIk => Some(Owner::FootIk),
                _ => Some(Owner::Predictive),
            },
            Selection::Footprints => Some(Owner::Footprints),
            Selection::FootLock => Some(Owner::Lock),
            // They have no numbers to sweep: what they ask for is the full body's to reach.
            Selection::Attachments => Some(Owner::Solver),
            // It has no numbers of its own: what the full body stretches, it takes back.
            Selection::RotationsOnly => Some(Owner::Solver),
            Selection::Modifier(index, _) => {
                self.stack().modifiers.get(index).map(|own| Owner::Modifier(index, own.key()))
            }
        };
        let of_selection = ParameterId::all(self.stack()).find(|parameter| Some(parameter.owner) == owner);
        let (Some(x), None) = (of_selection, &self.debugger.sweep.job) else { return };
        let effector = match self.hands.selection {
            Selection::Effector(effector) => Some(effector),
            _ => self.hands.selection.limb().map(|limb| Effector::END[limb.index()]),
        };
        let gap = effector.map(|effector| MeasureId::Gap(effector.key().to_owned()));
        let of_layer = || {
            let layer = self.focus();
            let ids = self.solved.measures().into_iter().map(|measure| measure.id);
            ids.into_iter().find(|id| matches!(id, MeasureId::Of(own, _) if *own == layer))
        };
        let view = &self.debugger.sweep;
        let measure = gap.or_else(of_layer).map_or_else(|| view.measure.clone(), SweepMeasure::Frame);
        let view = &mut self.debugger.sweep;
        if view.x != x || view.measure != measure {
            (view.x, view.y, view.measure, view.result) = (x, None, measure, None);
        }
    }

    /// Solves the recording again, off the drawing thread, with what was changed while paused.
    fn start_again(&mut self) {
        let Some(what_if) = &self.debugger.what_if else {
            self.notify("pause and change a setting first: the recording is solved again with that change");
            return;
        };
        let (rig, changes, recorded) =
            (self.character.rig.clone(), what_if.changes.clone(), self.debugger.tape.clone());
        let ground = ground_of(self.plan().terrain.cloned());
        let job = Job::start(move |progress| {
            // What cannot be taken over, as in a frame that has no such modifier, stays as recorded.
            let change = |stack: &mut Stack| {
                if let Ok(changed) = fields::with_changes(stack, &changes) {
                    *stack = changed;
                }
            };
            let again = solve_again(&rig, &ground, &recorded, &change, &mut |done| progress(done))?;
            Some(Again::new(changes, &recorded, &again))
        });
        match job {
            Ok(job) => {
                self.debugger.again.job = Some(job);
                self.desk.requests.push(Request::ShowPane(Pane::Finder));
            }
            Err(error) => self.fail(error),
        }
    }

    fn start_sweep(&mut self) {
        let (rig, inputs) = (self.character.rig.clone(), self.sweep_inputs());
        let terrain = self.plan().terrain.cloned();
        let is_motion = matches!(self.debugger.sweep.measure, SweepMeasure::Motion(_));
        let recording = is_motion.then(|| self.debugger.tape.newest(MOTION_FRAMES));
        let view = &self.debugger.sweep;
        let points = if view.y.is_some() { SWEEP_POINTS } else { CURVE_POINTS };
        let sweep = Sweep {
            x: Axis::whole_range(view.x, points),
            y: view.y.filter(|&y| y != view.x).map(|y| Axis::whole_range(y, 21)),
            measure: view.measure.clone(),
        };
        let job = Job::start(move |progress| {
            let ground = ground_of(terrain);
            let frames = Frames { rig: &rig, ground: &ground, inputs: &inputs, recording: recording.as_ref() };
            let found = run_sweep(&frames, &sweep, &mut |done| progress(done * 0.9))?;
            let strong = sensitivities(&frames, &sweep.measure, &mut |done| progress(0.9 + done * 0.1))?;
            Some((found, strong))
        });
        match job {
            Ok(job) => {
                (self.debugger.sweep.job, self.debugger.sweep.asked) = (Some(job), self.solved.input.stack.clone());
            }
            Err(error) => self.fail(error),
        }
    }

    fn start_reach(&mut self, limb: LimbName) {
        let Ok(solver) = &self.character.rig.full_body else {
            return self.notify("there is no solver: see the rig doctor");
        };
        let (solver, settings, animated) = (solver.clone(), *self.solved_settings(), self.given_pose().to_vec());
        self.debugger.reach.asked = (without_target(settings, limb), animated.clone());
        let hooks = self.solved.full_body().and_then(|run| run.recording.shared_hooks());
        let job = Job::start(move |progress| {
            let hooks = hooks.as_deref().map(|hooks| hooks as &dyn Hooks);
            reach_volume((&solver, hooks), &settings, &animated, limb, REACH_POINTS, progress)
        });
        match job {
            Ok(job) => self.debugger.reach.job = Some(job),
            Err(error) => self.fail(error),
        }
    }

    /// Why the reachable volume is not that of the character as it is now; `None` if it is.
    pub fn reach_is_stale(&self) -> Option<&'static str> {
        let view = &self.debugger.reach;
        let limb = view.volume.as_ref()?.limb?;
        let (settings, animated) = &view.asked;
        let nearest = self.character.height * 1e-4;
        let same_place = |(a, b): (&RigidTransform, &RigidTransform)| a.position.distance(b.position) < nearest;
        match () {
            () if without_target(*self.solved_settings(), limb) != *settings => Some("the settings have changed since"),
            () if !animated.iter().zip(self.given_pose()).all(same_place) => {
                Some("the animated pose has changed since")
            }
            () => None,
        }
    }

    /// What the slice through a limb's volume goes through: its target, or its end where it has none.
    pub fn reach_slice_at(&self, limb: LimbName) -> Option<Vec3> {
        let effector = Effector::END[limb.index()];
        let own = self.settings().effector(effector);
        let target = own.position.filter(|_| own.position_weight > 0.0);
        target.or_else(|| Some(self.state()?.node(effector.node())))
    }

    /// A file of unknown kind: by its field `format`, if it is JSON.
    pub(super) fn open_any(&mut self, path: PathBuf) {
        if files::is_recording(&path) {
            return self.apply(Action::OpenRecording(path));
        }
        if !files::is_json(&path) {
            return self.apply(Action::OpenModel(path));
        }
        #[derive(serde::Deserialize)]
        struct Head {
            format: String,
        }
        let head: Option<Head> =
            files::read_text(&path, Most::CAPSULE).ok().and_then(|text| serde_json::from_str(&text).ok());
        self.apply(match head.as_ref().map(|head| head.format.as_str()) {
            Some(kinescope_ik::trace::FORMAT) => Action::OpenTrace(path),
            Some(kinescope_ik::capsule::FORMAT) => Action::OpenCapsule(path),
            Some(kinescope_ik::chain_ik::file::FORMAT) => Action::OpenChain(path),
            _ => Action::OpenPreset(path),
        });
    }

    /// A trace of another implementation: its character, its input, its states beside our own.
    pub fn open_trace(&mut self, path: &Path) {
        let say = |error: String| format!("{}: {error}", path.display());
        let read = files::read_text(path, Most::TRACE)
            .and_then(|text| Trace::from_json(&text).map_err(|error| say(error.to_string())))
            .and_then(|trace| {
                let own = Trace::solve(&trace.model, trace.rig.clone(), trace.parameters);
                Ok((own.map_err(|error| say(error.to_string()))?, trace))
            });
        let (own, trace) = match read {
            Ok(read) => read,
            Err(error) => return self.fail(error),
        };
        let rig = &trace.rig;
        let animated = ModelPose::rigid(rig.animated.clone());
        let name = if trace.model.is_empty() { "trace" } else { &trace.model };
        let character =
            Character::from_bones(name, &rig.skeleton, Some(rig.biped.clone()), &rig.reference, None, &animated);
        let stack = Stack { full_body: trace.parameters, ..Stack::default() };
        let document = Document { stack: stack.clone(), ..Document::default() };
        self.take_bones(character, document);
        self.put_on_tape(0.0, Input::new(stack, animated));
        let port = Port::new(files::name_of(path), trace, &own, &self.solved);
        let text = match (&port.diff.first, port.diff.first_write()) {
            (Some(first), _) => {
                let apart = self.character.length(first.distance);
                format!("{}: {}", port.other.name, crate::words::difference(first, &apart))
            }
            (None, Some((part, bone))) => {
                let bone = bone.map_or(String::new(), |bone| {
                    format!(", {}: {} and {:.2}° apart", bone.bone, self.character.length(bone.distance), bone.degrees)
                });
                format!("{}: write {}{bone}", port.other.name, kinescope_ik::key::label(part.key()))
            }
            (None, None) => format!("{}: no difference above {:.2e}", port.other.name, port.diff.tolerance),
        };
        self.debugger.port = Some(port);
        self.pause();
        self.analyse();
        self.seek_first_difference();
        self.desk.requests.push(Request::ShowPane(Pane::Compare));
        self.notify(text);
    }

    /// To the stage at which the second result first differs, and its node.
    pub(super) fn seek_first_difference(&mut self) {
        let Some(diff) = self.debugger.port.as_ref().map(|port| &port.diff) else { return };
        let (first, part) = (diff.first, diff.first_write().map(|(part, _)| part));
        let bone = match diff.first_place() {
            Some(Place::Write(_, Some(bone)) | Place::Result(bone)) => self.character.model.skeleton.find(&bone.bone),
            _ => None,
        };
        let node_of = |bone| {
            let solver = self.character.rig.full_body.as_ref().ok()?;
            Node::ALL.into_iter().find(|&node| solver.bone_of(node) == bone)
        };
        if let Some(node) = first.map(|first| first.node).or_else(|| node_of(bone?)) {
            self.set_selection(selection_of(node));
        }
        let run = self.solved.full_body();
        let of_write = || part.and_then(|part| run?.cursor_of_part(part));
        let at = first.and_then(|first| run?.cursor_of(first.step)).or_else(of_write);
        // Where nothing but the result differs it is there when all is written.
        let end = || Part::ALL.into_iter().rev().find_map(|part| run?.cursor_of_part(part));
        self.seek(at.or_else(end).unwrap_or(self.time.cursor));
    }

    /// A bug capsule: its character, its frames on the tape, paused at its instant.
    pub fn open_capsule(&mut self, path: &Path) {
        let say = |error: Fault| format!("{}: {error}", path.display());
        let read = files::read_text(path, Most::CAPSULE).and_then(|text| {
            let capsule = Capsule::from_json(&text).map_err(say)?;
            let document = Document::from_preset(&capsule.preset).map_err(say)?;
            Ok((capsule, document))
        });
        let (capsule, document) = match read {
            Ok(read) => read,
            Err(error) => return self.fail(error),
        };
        let Some(character) = character_of(&capsule, &capsule.model) else { return };
        // The clip is in the frames: a character of bones has none of its own.
        let document = Document { clip: Default::default(), ..document };
        self.take_bones(character, document);
        let changed = self.put_frames_on_tape(&capsule);
        let [first, last] = self.debugger.tape.range().unwrap_or_default();
        let instant = &capsule.instant;
        let number = (first + instant.frame as u64).min(last);
        self.time.now = Now::Paused;
        self.time.frame = number;
        self.solve();
        self.go_to(instant);
        // The way it had come is not in the capsule: the camera goes where the character is.
        if let Some(body) = self.state().map(|state| state.node(Node::Body))
            && body.distance(self.look.camera.target) > self.character.height
        {
            self.frame_from_here(&self.picture.pose.clone());
        }
        self.keep_shown_in_view();
        let name = crate::words::capsule_name(&capsule);
        match changed {
            0 => self.notify(format!("{name}: {} frames, all solve as recorded", capsule.frames.len())),
            _ => {
                self.fail(format!("{name}: {changed} of {} frames solve otherwise than recorded", capsule.frames.len()))
            }
        }
    }

    /// Another character, without asking about the document: whoever called has.
    pub(super) fn take_bones(&mut self, character: Character, document: Document) {
        let camera = self.character.height / character.height;
        self.replace_document(document.clone());
        self.take(character);
        self.replace_document(document);
        self.begun.scene = None;
        self.files.preset = None;
        self.time.now = Now::Live;
        self.debugger.tape.clear();
        self.time.resample = true;
        if !(0.99..1.01).contains(&camera) {
            self.frame_all();
        }
        // A character without a surface is its bones.
        for shown in [&mut self.view.bones, &mut self.view.nodes] {
            *shown = true;
        }
    }

    /// The frames of a capsule of this character, one after the other; how many come out otherwise than they did.
    pub(super) fn put_frames_on_tape(&mut self, capsule: &Capsule) -> usize {
        let mut changed = 0;
        let mut time = capsule.frames.first().map_or(0.0, |frame| frame.time);
        for frame in &capsule.frames {
            let plan = self.history.document().plan();
            self.motion.set_ground(&plan, &self.character, frame.input.place.ground_time);
            self.put_on_tape((frame.time - time).max(1e-4), frame.input.clone());
            time = frame.time;
            changed += usize::from(frame.outcome.change(&self.solved).is_some());
        }
        changed
    }

    /// Solves an input that is not the document's and puts it on the tape as the newest frame.
    pub(super) fn put_on_tape(&mut self, dt: f32, input: Input) {
        self.picture.animated = ModelPose::clone(&input.animated);
        self.picture.stack = input.stack.clone();
        self.solved = self.compose(&input);
        self.picture.stack = self.solved.stack.clone();
        if let Some((_, problem)) = self.solved.problem() {
            self.fail(format!("not solved: {problem}"));
        }
        let left = self.solved.left(&self.character.rig, self.focus(), self.end());
        self.debugger.tape.record(dt, &self.solved, left, None);
        self.time.frame = self.debugger.tape.last().map_or(0, |frame| frame.number);
        self.time.needs_solve = false;
        self.time.resample = false;
        self.time.cursor = self.end();
        self.measure_steps();
        self.show();
    }

    /// To an instant of the frame shown; nowhere if its layer does not solve the character.
    pub(super) fn go_to(&mut self, instant: &Instant) {
        let Some(at) = self.solved.run(instant.layer).map(|run| instant.cursor(run)) else { return };
        if self.focus() != instant.layer {
            self.look_at(instant.layer, 0);
        }
        self.seek(at);
    }

    /// The frame shown and what led to it, as a capsule.
    fn capsule_bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        let earlier = self.time.frame.saturating_sub(CAPSULE_FRAMES as u64 - 1)..self.time.frame;
        let on_tape = earlier.filter_map(|number| self.debugger.tape.get(number));
        let mut frames: Vec<_> = on_tape.map(|frame| (frame.time, frame.input.clone())).collect();
        let time = self.debugger.tape.get(self.time.frame).map_or(0.0, |frame| frame.time);
        // A change is part of the instant: the last frame is as it is shown.
        frames.push((time, self.solved.input.clone()));
        let (last, layer) = (frames.len() - 1, self.focus());
        let instant = self.shown_run().map(|run| Instant::of(last, layer, run, self.time.cursor));
        let taken = Taken {
            document: Document { stack: self.stack().clone(), ..self.history.document().clone() },
            instant,
            ..self.taken(frames)
        };
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(taken.capsule(&name).map(|capsule| capsule.to_json().into_bytes()).unwrap_or_default())
    }

    /// Frames of this character and document, to be made a capsule of.
    pub(super) fn taken(&self, frames: Vec<(f64, Input)>) -> Taken {
        let (rig, biped) = (self.character.rig.clone(), self.character.detection.biped.clone());
        Taken { rig, biped, document: self.history.document().clone(), frames, instant: None }
    }

    /// A measure of every frame of the tape, or of every so many, as the frame came to it.
    pub fn over_frames<'a>(&'a self, measure: &'a MeasureId, every: usize) -> impl Iterator<Item = (u64, f32)> + 'a {
        let frames = self.debugger.tape.frames().step_by(every.max(1));
        frames.filter_map(move |frame| Some((frame.number, frame.outcome(measure)?)))
    }

    /// Why the layer in focus has no steps: in a word, and in a sentence.
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

    /// The full body's step at the cursor; `None` while its bones are written, or another layer is in focus.
    pub fn body_step(&self) -> Option<Step> {
        if self.focus() != LayerId::FullBody {
            return None;
        }
        self.solved.full_body()?.recording.solve.steps.get(self.time.cursor.step).map(|recorded| recorded.step)
    }
}

/// What to select to look at a node.
fn selection_of(node: Node) -> Selection {
    match (kinescope_ik::full_body::Effector::of_node(node), node.limb()) {
        (Some(effector), _) => Selection::Effector(effector),
        (None, Some(limb)) => Selection::Chain(limb.into()),
        (None, None) => Selection::Nothing,
    }
}
