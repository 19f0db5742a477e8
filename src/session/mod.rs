//! The session: all that the window shows and the user does, without a window.
//!
//! Panes read a [`Session`] and return [`Action`]s; [`Session::apply`] is the only place that runs them.

mod action;
pub mod answers;
pub mod commands;
pub mod document;
mod files;
mod game;
mod keep;
pub(crate) mod opening;
mod parts;
mod time;
mod view;

pub use crate::tools::motion::session::{Brush, Stroke, Tool};
pub use crate::tools::pose::session::{Posing, SNAP_ANGLE};
pub use action::{Action, Dialog, Notice, Pending, Request};
pub use opening::Start;
pub use parts::{Begun, Desk, Files, Hands, Look, Picture};
pub use time::{Now, Time};
pub use view::{GizmoStyle, MeshStyle, Selection, View};

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::character::{BuiltIn, Character, are_as_tall};
use crate::game::Games;
use crate::picture::camera::Projector;
use crate::scenes::{SCENES, Scene, Stand};
use crate::session::commands::Command;
use crate::session::document::{ClipSection, Document, History};
use crate::system::files::one_line;
use crate::tools::chains::session::ChainAction;
use crate::tools::chains::{ChainHandle, ChainView};
use crate::tools::crowd::CrowdView;
use crate::tools::doctor::Doctor;
use crate::tools::motion::clip_player::ClipPlayer;
use crate::tools::motion::{self, Motion, Travel};
use crate::tools::pose::EffectorSet;
use crate::tools::pose::handles::{self, Handle, HandleDrag, HandleId, Room};
use crate::tools::steps::Debugger;
use kinescope_ik::animation::Phase;
use kinescope_ik::debug_draw::Layers;
use kinescope_ik::debugger::why::{Why, cure, why};
use kinescope_ik::full_body::{self, ChainSettings, Effector, Settings, State};
use kinescope_ik::ground::Ground;
use kinescope_ik::rig::{RigidTransform, Skeleton};
use kinescope_ik::stack::{Frame, Gap, Input, Layer, LayerId, Method, Place, Stack};
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::timing::{Clock, Laps, Times, Work};
use kinescope_ik::trace::Rig;

/// See the module.
pub struct Session {
    pub character: Character,
    pub history: History,
    pub files: Files,
    pub begun: Begun,
    pub clip: ClipPlayer,
    pub motion: Motion,
    pub(crate) went_by: motion::session::WentBy,
    pub time: Time,
    /// The frame shown, with every step of every layer.
    pub solved: Arc<Frame>,
    pub picture: Picture,
    pub debugger: Debugger,
    pub chains: ChainView,
    pub crowd: CrowdView,
    pub games: Games,
    pub view: View,
    pub look: Look,
    pub hands: Hands,
    pub desk: Desk,
}

/// Why there is no trace where grounding drives limbs.
pub const LIMBS_ONLY: &str = "grounding.drive: is \"limbs\": no full body is solved, so there is no trace of it; \
    make it \"full_body\"";
/// A gap larger than this, of the character's height, is worth a reason.
const SMALL_GAP: f32 = 2e-3;
/// Seconds a notice that is no error stays.
const NOTICE_TIME: f32 = 6.0;
/// Keys a second of a baked clip, unless motion has a rate of its own.
const BAKED_RATE: f32 = 30.0;
/// Frames of a fixed rate that one drawn frame makes up for, at most.
const MOST_FRAMES: f64 = 64.0;

impl Session {
    /// With a character and nothing set.
    pub fn new(character: Character) -> Self {
        let mut session = Self {
            motion: motion::session::of_character(&character),
            character,
            history: History::default(),
            files: Files::default(),
            begun: Begun::default(),
            clip: ClipPlayer::default(),
            went_by: motion::session::WentBy::default(),
            time: Time::default(),
            solved: Arc::new(Frame::empty()),
            picture: Picture::default(),
            debugger: Debugger::default(),
            chains: ChainView::default(),
            crowd: CrowdView::default(),
            games: Games::default(),
            view: View::default(),
            look: Look::default(),
            hands: Hands::default(),
            desk: Desk::default(),
        };
        session.frame_all();
        session.start_scene(&SCENES[0]);
        session.update(0.0);
        session
    }

    /// What was asked of the frame shown: the document's stack, or, of a frame gone by, the one it was recorded with;
    /// attached targets are where the frame has their anchors. An edit starts from it.
    pub fn stack(&self) -> &Stack {
        &self.picture.stack
    }

    /// What is asked of the full body in it.
    pub fn settings(&self) -> &Settings {
        &self.picture.stack.full_body
    }

    /// What the full body of the frame shown was solved with: [`Self::settings`] and what grounding asked for.
    pub fn solved_settings(&self) -> &Settings {
        self.solved.full_body().map_or(self.settings(), |run| &run.settings)
    }

    /// What the full body of the frame shown was given: the animated pose, and what chains before it made of that.
    pub fn given_pose(&self) -> &[RigidTransform] {
        self.solved.full_body().map_or(&self.picture.animated.bones, |run| &run.animated)
    }

    /// The layer whose steps the timeline shows.
    pub fn focus(&self) -> LayerId {
        match self.hands.selection {
            _ if self.lab().is_some() => LayerId::Lane(self.chains.lane),
            Selection::ChainIk(chain) if self.solved.layer(chain).is_some() => chain,
            Selection::Attachments if self.solved.attachments().is_some() => LayerId::Attachments,
            Selection::Grounding if self.solved.grounding().is_some() => LayerId::Grounding,
            Selection::Footprints if self.solved.run(LayerId::Footprints).is_some() => LayerId::Footprints,
            Selection::FootLock if self.solved.run(LayerId::FootLock).is_some() => LayerId::FootLock,
            Selection::RotationsOnly if self.solved.run(LayerId::RotationsOnly).is_some() => LayerId::RotationsOnly,
            Selection::Modifier(_, layer) if self.solved.run(layer).is_some() => layer,
            _ => LayerId::FullBody,
        }
    }

    /// The steps of the layer in focus; `None` where there are none.
    pub fn shown_run(&self) -> Option<&dyn Run> {
        self.solved.run(self.focus()).filter(|run| run.steps() > 0)
    }

    /// What the timeline's heat counts: how far each step of the layer in focus is from the end.
    pub fn left_name(&self) -> &'static str {
        let main = self.shown_run().and_then(|run| Some(run.measures().get(run.main_measure()?)?.family));
        main.unwrap_or("gap")
    }

    /// The same at the cursor; model units.
    pub fn left_at_cursor(&self) -> f32 {
        self.solved.left(&self.character.rig, self.focus(), self.time.cursor)
    }

    /// The last instant of the layer in focus.
    pub fn end(&self) -> Cursor {
        self.shown_run().map_or(Cursor::default(), Cursor::end)
    }

    /// What the full body read of the frame shown; that of nothing where it is not solved.
    pub fn body_frame(&self) -> full_body::Frame {
        self.solved.full_body().map_or_else(full_body::Frame::default, |run| run.recording.frame)
    }

    /// The frame shown is the newest, and the next will be.
    pub fn is_live(&self) -> bool {
        !self.time.is_paused()
    }

    /// Moves time on and solves if anything changed. Returns whether there is something new to draw.
    pub fn update(&mut self, dt: f32) -> bool {
        let mut changed =
            self.update_jobs() | self.update_opening_model(dt) | self.update_roles() | self.update_games(dt);
        if let Some(notice) = &mut self.desk.notice {
            notice.age += dt;
            if !notice.is_error && notice.age > NOTICE_TIME {
                self.desk.notice = None;
                changed = true;
            }
        }
        self.paint(dt);
        changed |= self.play(dt);
        let rate = self.plan().motion.frame_rate.filter(|_| !self.time.is_paused() && dt > 0.0);
        let Some(rate) = rate else { return self.frame_of(dt) | changed };
        let interval = 1.0 / f64::from(rate);
        // A window that was held up does not make up for all of it.
        self.time.pending = (self.time.pending + f64::from(dt)).min(interval * MOST_FRAMES);
        // A frame that is due but for rounding is due.
        while self.time.pending >= interval * (1.0 - 1e-5) {
            self.time.pending -= interval;
            changed |= self.frame_of(interval as f32);
        }
        changed
    }

    /// One frame of everything that moves by itself.
    fn frame_of(&mut self, dt: f32) -> bool {
        self.time.unrecorded += dt;
        let others = self.advance_crowd(dt);
        let own_time = !self.time.is_paused() && !self.games.is_shown();
        if own_time && (self.advance_motion(dt) | self.is_led()) {
            self.time.needs_solve = true;
        }
        if self.is_scripted() {
            self.begun.time += dt;
            self.time.needs_solve |= dt > 0.0;
        }
        if self.lab_moves() {
            self.chains.time += dt;
            self.time.needs_solve |= dt > 0.0;
        }
        let solves = std::mem::take(&mut self.time.needs_solve);
        if solves {
            self.solve();
            self.check_framing();
        }
        others | solves
    }

    /// Whether the next frame will differ without anyone doing anything.
    pub fn is_moving(&self) -> bool {
        let fades = !self.clip.crossfade.fades().is_empty();
        let own_time = !self.time.is_paused() && !self.games.is_shown();
        let plays = own_time && self.clip.playing && (self.clip.clip().is_some() || fades);
        plays
            || self.is_scripted()
            || self.lab_moves()
            || self.motion_moves()
            || self.crowd.is_there()
            || self.hands.stroke.is_some()
            || self.time.needs_solve
            || self.time.is_playing()
            || self.debugger.has_jobs()
            || self.is_opening_model()
            || self.files.baking.is_some()
            || self.games.is_moving()
            || self.desk.notice.as_ref().is_some_and(|n| !n.is_error)
    }

    /// A scene's script moves its targets now.
    fn is_scripted(&self) -> bool {
        !self.time.is_paused()
            && self.clip.playing
            && self.hands.drag.is_none()
            && self.begun.scene.is_some_and(|scene| scene.script.is_some())
    }

    /// From now on it is measured what takes time, or no longer.
    pub fn measure(&mut self, clock: Option<Clock>) {
        self.picture.clock = clock;
        self.time.needs_solve = true;
    }

    /// What drawing took of the picture that the newest frame is in.
    pub fn drew(&mut self, times: &Times) {
        if self.picture.clock.is_none() {
            return;
        }
        if let Some(number) = self.picture.undrawn.take() {
            self.debugger.tape.add_times(number, times);
        }
        self.picture.drawing = Some(times.smoothed(self.picture.drawing.as_ref()));
    }

    /// The frame anew: live from clip and document, onto the tape; paused from the tape, with what was changed since.
    /// The cursor stays at its step.
    pub(crate) fn solve(&mut self) {
        self.picture.solves += 1;
        let focus = self.focus();
        let is_resampled = std::mem::take(&mut self.time.resample);
        // Frames of a game are on the tape before they are shown.
        let is_new = !self.games.is_shown()
            && (is_resampled || !self.time.is_paused() || self.debugger.tape.get(self.time.frame).is_none());
        let mut laps = Laps::new(self.picture.clock);
        let input = if is_new { self.new_input() } else { self.input_again() };
        laps.end(Work::Sample);
        let solved = if is_new { Arc::new(self.compose(&input)) } else { self.solve_shown(&input) };
        // Said once, not in every frame of it.
        let problem = |id: LayerId| solved.layer(id).and_then(Layer::problem);
        let refused = problem(LayerId::FullBody).map(|error| format!("not solved: {error}"));
        let refused = refused.or_else(|| Some(format!("not attached: {}", problem(LayerId::Attachments)?)));
        if let Some(error) = refused.filter(|_| self.character.rig.full_body.is_ok())
            && self.desk.notice.as_ref().is_none_or(|notice| notice.text != error)
        {
            self.fail(error);
        }
        let before = std::mem::replace(&mut self.solved, solved);
        self.picture.stack = self.solved.stack.clone();
        if is_new {
            self.motion.solved(&self.solved, self.picture.clock);
            self.follow_lanes();
        }
        self.time.cursor = match (before.run(focus), self.shown_run()) {
            (_, None) => Cursor::default(),
            (_, Some(run)) if !self.time.is_paused() => Cursor::end(run),
            (Some(before), Some(run)) if focus == self.focus() => self.time.cursor.carried_over(before, run),
            (_, Some(run)) => self.time.cursor.clamped(run),
        };
        self.solve_others(is_new);
        self.compare_with_game();
        self.show_pending_edit();
        if is_new && self.solved.layers.iter().any(|layer| layer.run().is_some()) {
            self.record(&before, &laps.times);
        }
        self.measure_steps();
        self.analyse();
        self.show();
    }

    /// What a new frame is solved from: clip, document, and what the frames before left.
    pub(crate) fn new_input(&mut self) -> Input {
        // First, as it leaves the motion where it found it.
        self.pose_b();
        let (plan, before) = (self.history.document().plan(), self.motion.root);
        let (local, animated) = (&mut self.picture.local, &mut self.picture.animated);
        self.motion.pose(&plan, &self.character, &mut self.clip, local, animated);
        let again = std::mem::take(&mut self.chains.again);
        let (place, memory) = self.motion.begin(&plan, &self.character, &self.clip, again);
        let mut stack = self.history.document().stack.clone();
        self.follow(before);
        self.debugger.what_if = None;
        if let Some(script) = self.begun.scene.and_then(|scene| scene.script).filter(|_| self.hands.drag.is_none()) {
            script(&mut stack.full_body, &self.begun.stand, self.begun.time);
        }
        self.picture.stack = Arc::new(stack);
        let place = Place { lab_time: self.chains.time, ..place };
        Input { stack: self.picture.stack.clone(), animated: Arc::new(self.picture.animated.clone()), place, memory }
    }

    /// Solves an input on the ground as it is now.
    pub(crate) fn compose(&mut self, input: &Input) -> Frame {
        self.picture.stack_solves += 1;
        let ground = self.motion.ground().map(|surface| surface as &dyn Ground);
        self.character.solve(input, ground, self.picture.clock)
    }

    /// Puts the picture at the cursor, and measures it.
    pub(crate) fn show(&mut self) {
        self.show_others();
        let (focus, at) = (self.focus(), self.time.cursor);
        let is_solved = matches!(focus, LayerId::Lane(_)) || at == self.end();
        let solved = match is_solved {
            // At the end of a layer all those after it are solved as well.
            true => self.solved.pose.clone(),
            false => self.solved.pose_at(&self.character.rig, focus, at),
        };
        self.picture.pose.clone_from(&self.picture.animated);
        if solved.len() == self.picture.pose.bones.len() {
            self.picture.pose.bones = solved;
        }
        self.picture.gaps = self.solved.gaps(&self.picture.pose.bones);
        self.ask_why();
    }

    /// How far the written bone of an effector is from its target in the picture; 0 without weight.
    pub fn gap(&self, effector: Effector) -> f32 {
        self.picture.gaps.iter().find(|gap| gap.key == effector.key()).map_or(0.0, |gap| gap.distance)
    }

    /// The bone that is furthest from where it is wanted in the picture.
    pub fn worst_gap(&self) -> Option<&Gap> {
        let worst = self.picture.gaps.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
        worst.filter(|gap| gap.distance > 0.0)
    }

    /// Why an effector is not on its target in the picture.
    pub fn why_of(&self, effector: Effector) -> Option<Why> {
        match self.picture.why.filter(|why| why.effector == effector) {
            Some(why) => Some(why),
            None => {
                let solver = self.character.rig.full_body.as_ref().ok()?;
                why(&self.body_frame(), solver, &self.picture.pose.bones, effector)
            }
        }
    }

    /// Where the bone of an effector is in the picture.
    pub fn bone_position(&self, effector: Effector) -> Vec3 {
        let bone = self.character.rig.full_body.as_ref().map(|solver| solver.bone_of(effector.node()));
        bone.map_or(Vec3::ZERO, |bone| self.picture.pose.position(bone))
    }

    /// The effector whose gap is told of: the one selected, else the one furthest off.
    fn ask_why(&mut self) {
        let worth = |gap: f32| gap > self.character.height * SMALL_GAP;
        let selected = match self.hands.selection {
            Selection::Effector(effector) => Some(effector),
            Selection::Chain(chain) => chain.limb().map(|limb| Effector::END[limb.index()]),
            _ => None,
        };
        let selected = selected.filter(|&effector| worth(self.gap(effector)));
        let effector = selected.or_else(|| {
            let worst = self.worst_gap().filter(|gap| worth(gap.distance))?;
            Effector::from_key(&worst.key)
        });
        let known = self.picture.why.take();
        self.picture.unwritten = effector.filter(|&effector| !self.is_written(effector));
        let Some(effector) = effector.filter(|_| self.picture.unwritten.is_none()) else { return };
        self.picture.why = self.why_of(effector);
        // What would help does not depend on the step that is looked at.
        let asked = (effector, self.picture.solves);
        let cure = match known.filter(|_| self.picture.why_asked == Some(asked)) {
            Some(known) => known.cure,
            None => {
                self.picture.why_asked = Some(asked);
                let (settings, animated) = (*self.solved_settings(), self.given_pose().to_vec());
                let (solver, variants) = (self.character.rig.full_body.as_ref().ok(), &mut self.picture.variants);
                solver.and_then(|solver| cure(solver, variants, &settings, &animated, effector))
            }
        };
        self.picture.why = self.picture.why.map(|why| Why { cure, ..why });
    }

    /// Whether an effector's bone is in the picture where the full body leaves it. Only while the cursor is in the writing of
    /// the bones are there bones that are not.
    fn is_written(&self, effector: Effector) -> bool {
        let (focus, at) = (self.focus(), self.time.cursor);
        let Some(run) = self.solved.full_body().filter(|run| focus == LayerId::FullBody && run.is_writing(at)) else {
            return true;
        };
        let bone = run.solver.bone_of(effector.node());
        let end = self.solved.pose_at(&self.character.rig, focus, Cursor::end(run));
        let left = end.get(bone).map(|end| end.position.distance(self.picture.pose.position(bone)));
        left.is_none_or(|left| left <= self.character.height * 1e-5)
    }

    /// The full body's state at the cursor; its last one while another layer is in focus; where limbs are driven alone,
    /// where the picture has them.
    pub fn state(&self) -> Option<State> {
        if self.solved.limbs().is_some() {
            return self.state_of_limbs();
        }
        let run = self.solved.full_body().filter(|run| run.steps() > 0)?;
        let at = if self.focus() == LayerId::FullBody { self.time.cursor } else { Cursor::end(run) };
        Some(run.state(at))
    }

    /// What of the solver is drawn now.
    pub fn solver_layers(&self) -> Layers {
        self.view.solver_layers(!self.time.is_paused() && !self.character.model.meshes.is_empty())
    }

    pub fn projector(&self) -> Projector {
        self.look.camera.projector(self.look.viewport)
    }

    /// Handles that can be grabbed now.
    pub fn handles(&self) -> Vec<Handle> {
        if self.in_doctor() {
            return Vec::new();
        }
        let mut found = self.chain_handles();
        found.extend(self.path_handles());
        found.extend(self.modifier_handles());
        let Some(state) = self.state().filter(|_| self.lab().is_none()) else { return found };
        let body = handles::handles(
            &self.body_frame(),
            &state,
            self.settings(),
            &self.projector(),
            self.character.height,
            self.view.bend_goals,
        )
        .into_iter()
        .filter(|handle| self.view.targets || matches!(handle.id, HandleId::BendGoal(_)));
        found.extend(body);
        found
    }

    /// Starts a gesture of its own: its edits are one entry of undo.
    pub fn new_gesture(&mut self) -> u64 {
        self.hands.gestures += 1;
        self.hands.gestures
    }

    /// The pointer was pressed on the picture: grabs the handle under it, or selects nothing.
    pub fn press(&mut self, pointer: glam::Vec2) {
        if self.in_doctor() {
            return self.press_bone(pointer);
        }
        if self.begin_stroke(pointer) || self.strike(pointer) {
            return;
        }
        match handles::handle_at(&self.handles(), pointer) {
            None if self.follow_member(pointer) => {}
            Some(handle) => {
                match handle.id {
                    HandleId::Effector(effector) if self.hands.posing.shift => return self.select_also(effector),
                    // One of several is where all are taken hold of.
                    HandleId::Effector(effector) if self.selected_effectors().contains(effector) => {
                        self.select_together(effector, self.selected_effectors());
                    }
                    HandleId::Effector(effector) => self.apply(Action::Select(Selection::Effector(effector))),
                    HandleId::BendGoal(limb) => self.apply(Action::Select(Selection::BendGoal(limb))),
                    HandleId::Chain(chain, _) => self.grab_chain(chain),
                    HandleId::PathPoint(_) => {}
                    HandleId::Modifier(index, _) => {
                        self.apply(Action::Select(Selection::Modifier(index, LayerId::Modifiers)));
                    }
                }
                let place = handle.position + self.handle_offset(handle.id);
                let drawn = Handle { position: place, ..handle };
                self.hands.drag = Some(HandleDrag::start(&drawn, pointer, &self.projector()));
                self.new_gesture();
            }
            None => match self.lane_at(pointer) {
                Some(lane) => self.apply_chains(ChainAction::ShowLane(lane)),
                None => self.apply(Action::Select(Selection::Nothing)),
            },
        }
    }

    /// The pointer moved with a handle grabbed.
    pub fn drag_to(&mut self, pointer: glam::Vec2) {
        self.move_stroke(pointer);
        let Some(drag) = self.hands.drag else { return };
        let position = drag.position(pointer, &self.projector());
        if position.distance(drag.start) == 0.0 {
            return;
        }
        // A limit is an angle, not a place.
        let is_place = !matches!(drag.id, HandleId::Chain(_, ChainHandle::Limit { .. }));
        let position = if is_place { self.snapped(position) } else { position };
        let position = self.room().clamp(position);
        if let HandleId::Chain(chain, id) = drag.id {
            self.place_chain_handle(chain, id, position - self.handle_offset(drag.id));
            return;
        }
        if let HandleId::Modifier(index, grip) = drag.id {
            self.place_modifier(index, grip, position, self.hands.gestures);
            return;
        }
        if let HandleId::PathPoint(index) = drag.id {
            self.place_path_point(index, pointer, self.hands.gestures);
            return;
        }
        let mut settings = *self.settings();
        handles::place(&mut settings, drag.id, position);
        let label = format!("move {}", kinescope_ik::key::label(&drag.id.key()));
        let settings = self.spread(settings);
        self.edit_settings(&label, Some(self.hands.gestures), settings);
    }

    /// The pointer was let go.
    pub fn release(&mut self) {
        self.hands.drag = None;
        self.hands.stroke = None;
        self.history.end_gesture();
    }

    /// Where handles may be put.
    pub fn room(&self) -> Room {
        Room::of(self.motion.root.position, self.character.height)
    }

    /// Changes the document, if it is valid: a value that is not is never let into it.
    pub fn edit(&mut self, label: &str, gesture: Option<u64>, mut document: Document) {
        self.follow_attachments(&mut document);
        if let Err(refused) = self.allows(&document) {
            return self.fail(refused);
        }
        self.history.edit(label, gesture, document);
        self.document_changed();
    }

    fn allows(&self, document: &Document) -> Result<(), String> {
        let (known, room) = (self.history.document(), self.room());
        document.validate(known).map_err(|fault| fault.to_string())?;
        if let Some(refused) = room.refuses_settings(&self.picture.stack.full_body, &document.stack.full_body) {
            return Err(refused);
        }
        let known = known.stack.chain_ik.places();
        let refused = document.stack.chain_ik.places().into_iter().find_map(|(what, place)| {
            let before = known.iter().find(|(name, _)| *name == what).map(|(_, place)| *place);
            room.refuses(&what, before, Some(place))
        });
        refused.map_or(Ok(()), Err)
    }

    /// Changes what the full body is told.
    pub fn edit_settings(&mut self, label: &str, gesture: Option<u64>, settings: Settings) {
        self.edit(label, gesture, self.history.document().with_settings(settings));
    }

    /// An edit of a key or a menu: says what it did and which key takes it back, or that there was nothing to do.
    pub(crate) fn edit_and_say(&mut self, label: &str, stack: Stack, done: &str, nothing: &str) {
        let before = self.history.revision();
        let changes = stack != *self.stack();
        self.edit_stack(label, None, stack);
        match (changes, self.history.revision() != before) {
            (true, true) => self.notify(format!("{done}; {} takes it back", Command::Undo.info().shortcut_text())),
            // What was wrong with it has been said.
            (true, false) => {}
            (false, _) => self.notify(nothing),
        }
    }

    /// The same of the full body alone.
    pub(crate) fn edit_settings_and_say(&mut self, label: &str, settings: Settings, done: &str, nothing: &str) {
        let stack = Stack { full_body: settings, ..self.stack().clone() };
        self.edit_and_say(label, stack, done, nothing);
    }

    /// Changes what layers are told.
    pub fn edit_stack(&mut self, label: &str, gesture: Option<u64>, stack: Stack) {
        self.edit(label, gesture, self.history.document().with_stack(stack));
    }

    /// Brings all that follows from the document into line with it.
    pub(crate) fn document_changed(&mut self) {
        self.find_roles();
        self.what_goes_by_itself_changed();
        self.settings_changed();
    }

    /// Plays the document's clip, unless its pace chooses.
    pub(crate) fn follow_clip(&mut self) {
        let document = self.history.document().clone();
        let clip = match &document.clip.name {
            None => None,
            Some(name) => match self.character.find_clip(name) {
                Ok(clip) => Some(clip),
                Err(message) => {
                    self.fail(message);
                    None
                }
            },
        };
        let playing = if document.motion.gaits.is_empty() { self.clip.clip() } else { self.clip.named };
        if (playing, self.clip.start) != (clip, document.clip.time) {
            let goes_on = self.clip.start == document.clip.time && !self.time.is_paused();
            self.clip.start = document.clip.time;
            match goes_on && document.clip.time == 0.0 {
                true => self.clip.fade_to(clip, document.motion.fade, Phase::Restart, &self.character.model.clips),
                false => self.clip.set(clip, document.clip.time),
            }
            self.clip.named = clip;
            self.clip.bake_range = None;
            self.time.resample = true;
        }
    }

    /// The settings of the document are other than they were: what is shown follows, as a change to what was recorded
    /// if it is paused.
    pub(crate) fn settings_changed(&mut self) {
        if self.games.is_shown() {
            return self.game_settings_changed();
        }
        self.time.needs_solve = true;
        self.picture.stack = self.with_targets(self.history.document().stack.clone());
        if self.time.is_paused() && !self.time.resample {
            self.ask_what_if();
        }
    }

    pub fn notify(&mut self, text: impl Into<String>) {
        self.desk.notice = Some(Notice { text: text.into(), is_error: false, age: 0.0 });
    }

    /// What happened without anybody asking: it covers nothing that went wrong and stands there to be read, but is told
    /// behind that.
    pub fn mention(&mut self, text: impl Into<String>) {
        match self.desk.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.desk.mention = Some(text.into()),
            false => self.notify(text),
        }
    }

    /// What went wrong without anybody asking. It stays until it is dismissed, and is told behind what went wrong before.
    pub fn warn(&mut self, text: impl Into<String>) {
        match self.desk.notice.as_ref().is_some_and(|notice| notice.is_error) {
            true => self.desk.mention = Some(text.into()),
            false => self.fail(text),
        }
    }

    /// What went wrong has been read.
    pub(crate) fn dismiss(&mut self) {
        self.desk.notice = None;
        if let Some(text) = self.desk.mention.take() {
            self.notify(text);
        }
    }

    pub fn fail(&mut self, text: impl Into<String>) {
        self.desk.notice = Some(Notice { text: one_line(&text.into()), is_error: true, age: 0.0 });
    }

    /// Selects, and nothing else with it: every layer keeps its own cursor.
    pub(crate) fn set_selection(&mut self, selection: Selection) {
        let before = self.focus();
        self.hands.selection = selection;
        self.hands.posing.together = EffectorSet::default();
        self.refocused(before);
    }

    /// Another layer may be in focus than before: its own cursor comes back, at first its end.
    pub(crate) fn refocused(&mut self, before: LayerId) {
        let now = self.focus();
        if now == before {
            return;
        }
        self.remember_cursor(before, self.time.cursor);
        let known = self.time.cursors.iter().find(|(layer, _)| *layer == now).map(|(_, cursor)| *cursor);
        let run = self.shown_run();
        self.time.cursor = run.map_or(Cursor::default(), |run| match known.filter(|_| self.time.is_paused()) {
            Some(known) => known.clamped(run),
            None => Cursor::end(run),
        });
        self.measure_steps();
    }

    /// Where the cursor of a layer that is not in focus is.
    pub(crate) fn remember_cursor(&mut self, layer: LayerId, cursor: Cursor) {
        self.time.cursors.retain(|(known, _)| *known != layer);
        self.time.cursors.push((layer, cursor));
    }

    pub(crate) fn toggle(&mut self, dialog: Dialog) {
        // A question stays until it is answered.
        let gives_way = matches!(self.desk.dialog, None | Some(Dialog::Keys | Dialog::Palette | Dialog::RigDoctor));
        if !gives_way {
            return;
        }
        self.desk.dialog = if self.desk.dialog.as_ref() == Some(&dialog) { None } else { Some(dialog) };
    }

    pub(crate) fn seek(&mut self, cursor: Cursor) {
        self.time.cursor = cursor;
        self.show();
    }

    /// Where the shown pose has the effector's bone.
    pub fn shown_rotation(&self, effector: Effector) -> Quat {
        let bone = self.character.rig.full_body.as_ref().ok().map(|solver| solver.bone_of(effector.node()));
        bone.and_then(|bone| self.picture.pose.bones.get(bone)).map_or(Quat::IDENTITY, |bone| bone.rotation)
    }

    /// Sets a scene up; counts as saved.
    pub fn start_scene(&mut self, scene: &'static Scene) {
        self.leave_game();
        // What a scene brought along goes with it; a model of the user's own stays.
        let wanted = scene.built_in().or(self.begun.brought.then_some(BuiltIn::Mannequin));
        if let (Some(wanted), Some(own)) = (wanted, self.character.comes_along())
            && wanted != own
        {
            self.replace_document(Document::default());
            (self.files.preset, self.begun.scene) = (None, None);
            self.bring(wanted);
            self.begun.brought = scene.built_in().is_some();
        }
        self.begun.stand = Stand::of(&self.character);
        self.begun.time = 0.0;
        // An experiment begins by itself.
        self.time.now = Now::Live;
        let mut document = scene.document(&self.begun.stand);
        let mapping = self.history.document().mapping.clone();
        let reference = self.history.document().reference;
        (document.mapping, document.reference) = (mapping, reference);
        if document.clip.name.as_ref().is_some_and(|name| self.character.find_clip(name).is_err()) {
            document.clip = ClipSection::default();
        }
        if scene.built_in().is_some() && !self.begun.stand.has_hocks {
            self.notify(
                "this scene is about hocks, which this character has not: see «Built-in faun» in the menu File",
            );
        }
        self.begun.scene = Some(scene);
        self.files.preset = None;
        self.set_selection(Selection::Nothing);
        self.chains = ChainView::default();
        self.motion.forget_lanes();
        let was_lab = self.lab().is_some();
        let was_walking = self.plan().terrain.is_some();
        self.replace_document(document);
        self.experiment(scene);
        let walks = self.plan().terrain.is_some();
        if self.lab().is_some() || was_lab || walks || was_walking {
            self.update(0.0);
            self.frame_all();
        }
        if self.lab().is_some() {
            self.desk.requests.push(Request::ShowPane(crate::ui::layout::Pane::Lab));
        } else if !self.chain_section().chains.is_empty() {
            self.apply(Action::Select(Selection::ChainIk(LayerId::Chain(0))));
        } else if !self.stack().modifiers.is_empty() {
            self.apply(Action::Select(Selection::of_modifier(0, &self.stack().modifiers[0])));
        } else if self.plan().grounding.method == Method::Path {
            self.apply(Action::Select(Selection::Footprints));
        } else if self.plan().grounding.method != Method::Off {
            self.apply(Action::Select(Selection::Grounding));
        }
        let motion = self.plan().motion;
        if !motion.gaits.is_empty() || !motion.layers.is_empty() {
            self.desk.requests.push(Request::ShowPane(crate::ui::layout::Pane::Motion));
        }
        self.show_crowd(true);
        self.look.is_unchecked = true;
    }

    /// Starts a scene, unless it plays clips that the character does not have: then it asks.
    pub fn start_scene_or_ask(&mut self, scene: &'static Scene) {
        // A scene about another character brings it along, clips and all.
        let brings = scene.built_in().is_some() && self.character.comes_along().is_some();
        let missing = scene.missing_clips(&Stand::of(&self.character));
        match missing.is_empty() || brings {
            true => self.start_scene(scene),
            false => self.desk.dialog = Some(Dialog::SceneNeedsClips { scene: scene.name, missing }),
        }
    }

    /// Starts a scene on the built-in character.
    pub(crate) fn start_scene_on_mannequin(&mut self, scene: &'static Scene) {
        self.replace_document(Document::default());
        (self.files.preset, self.begun.scene) = (None, None);
        // What it says is about the model that goes.
        self.desk.notice = None;
        self.bring(BuiltIn::Mannequin);
        self.start_scene(scene);
        self.frame_all();
    }

    /// Plays a clip as it is, where nothing played before. What a scene put there for the rest pose goes: its targets would
    /// hold the feet of a clip that walks.
    pub(crate) fn choose_clip(&mut self, clip: Option<usize>) {
        if clip.is_none() || self.history.document().clip.name.is_some() {
            return self.set_clip(clip);
        }
        let mut document = Document { clip: self.clip_section(clip), ..self.history.document().clone() };
        if document.motion == Default::default() {
            document.motion.travel = Travel::Clip;
        }
        if let Some(scene) = self.begun.scene.take() {
            let own = scene.document(&self.begun.stand).stack.full_body;
            let settings = &mut document.stack.full_body;
            // What the user has changed since stays.
            for (effector, own) in settings.effectors.iter_mut().zip(&own.effectors) {
                if effector == own {
                    *effector = Default::default();
                }
            }
            let bend = |chain: &ChainSettings| (chain.bend_goal, chain.bend_direction, chain.bend_weight);
            for (chain, own) in settings.chains.iter_mut().zip(&own.chains) {
                if bend(chain) == bend(own) {
                    (chain.bend_goal, chain.bend_direction, chain.bend_weight) = (None, None, 0.0);
                }
            }
        }
        self.edit("clip", None, document);
    }

    /// Plays a clip in the document as it is.
    pub fn set_clip(&mut self, clip: Option<usize>) {
        let document = Document { clip: self.clip_section(clip), ..self.history.document().clone() };
        self.edit("clip", None, document);
    }

    fn clip_section(&self, clip: Option<usize>) -> ClipSection {
        let clip = clip.and_then(|clip| self.character.model.clips.get(clip));
        ClipSection { name: clip.map(|clip| clip.name.clone()), time: 0.0 }
    }

    pub(crate) fn replace_document(&mut self, document: Document) {
        self.history.replace(document);
        // Another clip may begin at the same time: it is to begin there.
        self.clip.start = f32::NAN;
        self.motion.restart();
        self.time.resample = true;
        self.document_changed();
    }

    /// Does it now, or asks first.
    pub(crate) fn unless_unsaved(&mut self, pending: Pending) {
        match self.history.is_unsaved() {
            true => self.desk.dialog = Some(Dialog::Unsaved(pending)),
            false => self.go_on(pending),
        }
    }

    pub(crate) fn go_on(&mut self, pending: Pending) {
        match pending {
            Pending::Quit => self.desk.quit = true,
            Pending::NewPreset => {
                self.files.preset = None;
                self.begun.scene = None;
                let document = self.history.document();
                let document = Document {
                    mapping: document.mapping.clone(),
                    reference: document.reference,
                    ..Document::default()
                };
                self.replace_document(document);
            }
            Pending::Scene(name) => {
                if let Some(scene) = Scene::find(name) {
                    self.start_scene_or_ask(scene);
                }
            }
            Pending::OpenPreset(None) => self.desk.dialog = Some(Dialog::File(Command::OpenPreset)),
            Pending::OpenPreset(Some(path)) => self.open_preset(path),
            Pending::OpenTrace(path) => self.open_trace(&path),
            Pending::OpenCapsule(path) => self.open_capsule(&path),
            Pending::ShowGame(shown) => self.show_game(shown),
            Pending::FollowGame => self.show_received(),
            Pending::ShowOpened => self.show_opened(),
        }
    }

    /// A character that comes along.
    pub(crate) fn bring(&mut self, built_in: BuiltIn) {
        match Character::that_comes_along(built_in) {
            Ok(character) => self.take(character),
            Err(error) => self.fail(error),
        }
    }

    /// Another character. Parameters stay; targets, which were places on the old one, stay where both are about as tall and
    /// go otherwise, undoably.
    pub fn take(&mut self, character: Character) {
        let heights = [self.character.height, character.height];
        self.take_with(character, are_as_tall(heights));
    }

    /// [`Self::take`] with targets kept or not. The preset's file, which is about the character before, is no longer that
    /// of the document.
    fn take_with(&mut self, character: Character, keeps_targets: bool) {
        let is_own_work = self.history.is_unsaved() || self.files.preset.is_some();
        self.replace_character(character);
        if self.files.preset.take().is_some() {
            self.files.on_disk = None;
            self.history.detach();
        }
        // Those of the old character name its bones.
        let mapping = self.character.mapped().0.clone();
        let mut document = Document { mapping, ..self.history.document().clone() };
        if document.clip.name.as_ref().is_some_and(|name| self.character.find_clip(name).is_err()) {
            document.clip = ClipSection::default();
        }
        if is_own_work {
            if !keeps_targets {
                document.stack = files::without_targets(&document.stack);
            }
            self.edit("another model", None, document);
        } else {
            self.replace_document(document);
            // One that is about another character is not gone on with.
            let scene = self.begun.scene.filter(|scene| scene.built_in().is_none());
            self.start_scene(scene.unwrap_or(&SCENES[0]));
        }
        self.frame_all();
        self.update(0.0);
    }

    /// Puts another character in the place of the one shown, and nothing else: the document is the caller's to set.
    fn replace_character(&mut self, character: Character) {
        self.stop_opening();
        self.files.finding = None;
        self.leave_game();
        self.character = character;
        self.begun.brought = false;
        self.desk.characters += 1;
        self.desk.doctor = Doctor::default();
        self.clip = ClipPlayer::default();
        self.clip.named = None;
        self.went_by = motion::session::WentBy::default();
        self.motion = motion::session::of_character(&self.character);
        self.set_selection(Selection::Nothing);
        self.solved = Arc::new(Frame::empty());
        (self.time.cursor, self.time.cursors) = (Cursor::default(), Vec::new());
        self.debugger.clear();
        // The targets of B are where the body that is gone had its hands and feet.
        self.debugger.compare = None;
        self.time.resample = true;
        self.time.now = Now::Live;
    }
}

/// The rig of a trace: the character's solver bones with reference and animated pose.
///
/// # Errors
/// Why the character has no solver.
pub fn rig_of(character: &Character, animated: &[RigidTransform]) -> Result<Rig, String> {
    let biped = match (&character.rig.full_body, &character.detection.biped) {
        (Ok(_), Some(biped)) => biped.clone(),
        (Err(error), _) => return Err(format!("{}: {error}", character.model.name)),
        (Ok(_), None) => return Err(format!("{}: no biped was found", character.model.name)),
    };
    Ok(Rig {
        skeleton: Skeleton::clone(&character.model.skeleton),
        biped,
        reference: character.detection.reference.bones.clone(),
        animated: animated.to_vec(),
    })
}
