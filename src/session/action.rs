use std::path::PathBuf;

use super::answers::Answer;
use super::opening;
use super::{Selection, Session, View};
use crate::session::commands::Command;
use crate::session::words as text;
use crate::tools::body_lab::session::{self as body_lab, BodyLabAction};
use crate::tools::chains::session::ChainAction;
use crate::tools::compare::session::CompareAction;
use crate::tools::crowd::session::CrowdAction;
use crate::tools::doctor::{self, Doctor};
use crate::tools::export::session::BakeAction;
use crate::tools::game::Shown;
use crate::tools::game::session::GameAction;
use crate::tools::learn::session::{self as learn, LearnAction};
use crate::tools::modifiers::session::ModifierAction;
use crate::tools::motion::session::MotionAction;
use crate::tools::pose::session::PoseAction;
use crate::tools::steps::session::StepAction;
use crate::tools::sweep::session::SweepAction;
use crate::tools::trackers::session::{self as trackers, TrackerAction};
use crate::world::document::Document;
use kinescope_ik::debugger::breaks::Breaks;
use kinescope_ik::rig::{LengthUnit, LimbName};
use kinescope_ik::stack::Attached;

#[derive(Clone, Debug)]
pub enum Action {
    Command(Command),
    File(Command, PathBuf),
    /// Successive edits with the same `gesture`, such as the edits of one drag, become one undo step.
    Edit {
        label: String,
        gesture: Option<u64>,
        document: Box<Document>,
    },
    Typing(bool),
    EndGesture,
    ShowPane(crate::session::Pane),
    Doctor(Doctor),
    ReadInUnit(LengthUnit),
    Select(Selection),
    View(View),
    Breaks(Breaks),
    ReachOf(LimbName),
    Scene(&'static str),
    Clip(Option<usize>),
    ClipTime(f32),
    ClipSpeed(f32),
    OpenAny(PathBuf),
    OpenLink(String),
    CancelOpening,
    Refused(String),
    DismissNotice,
    Chains(ChainAction),
    BodyLab(BodyLabAction),
    Motion(MotionAction),
    Modifiers(ModifierAction),
    Crowd(CrowdAction),
    Steps(StepAction),
    Compare(CompareAction),
    Sweep(SweepAction),
    Trackers(TrackerAction),
    Bake(BakeAction),
    Pose(PoseAction),
    Game(GameAction),
    Learn(LearnAction),
    Answer(Answer),
}

impl Action {
    fn answers_file_dialog(&self) -> bool {
        matches!(self, Self::File(..) | Self::Answer(Answer::OpenPresetOn(_)))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    File(Command),
    Keys,
    Palette,
    RigDoctor,
    AttachTarget(Attached),
    Unsaved(Pending),
    UnsavedGame,
    Recover,
    ChangedOnDisk(PathBuf),
    OtherCharacter {
        preset: PathBuf,
        name: String,
    },
    ModelOfPreset {
        preset: PathBuf,
        name: String,
        why: String,
    },
    SceneNeedsClips {
        scene: &'static str,
        missing: Vec<String>,
    },
    KeepTargets {
        before: String,
        /// The file name of the previous character's preset. `None` if the document had no file.
        preset: Option<String>,
        count: usize,
        /// Heights of the previous and the new character, model units.
        heights: [f32; 2],
    },
    /// Asks whether to overwrite an existing file if the file dialog has not asked: the user typed its path, or an
    /// extension was appended to the typed name.
    Exists(PathBuf),
    FindModel,
    BakeOptions,
}

impl Dialog {
    pub(crate) const fn takes_text(&self) -> bool {
        !matches!(
            self,
            Self::RigDoctor
                | Self::BakeOptions
                | Self::Unsaved(_)
                | Self::UnsavedGame
                | Self::Recover
                | Self::ChangedOnDisk(_)
                | Self::OtherCharacter { .. }
                | Self::ModelOfPreset { .. }
                | Self::KeepTargets { .. }
                | Self::SceneNeedsClips { .. }
                | Self::Exists(_)
        )
    }

    pub const fn key(&self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Palette => "palette",
            Self::RigDoctor => "rig_doctor",
            Self::AttachTarget(_) => "attach_target",
            Self::Unsaved(_) => "unsaved",
            Self::UnsavedGame => "unsaved_game",
            Self::BakeOptions => "bake_options",
            Self::Recover => "recover",
            Self::ChangedOnDisk(_) => "changed_on_disk",
            Self::OtherCharacter { .. } => "other_character",
            Self::ModelOfPreset { .. } => "model_of_preset",
            Self::KeepTargets { .. } => "keep_targets",
            Self::SceneNeedsClips { .. } => "scene_needs_clips",
            Self::Exists(_) => "exists",
            Self::File(_) | Self::FindModel => "files",
        }
    }
}

/// A request that the window carries out, because a session has no screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Capture(PathBuf),
    PlotPicture(PathBuf),
    Picture(PathBuf),
    TogglePane(crate::session::Pane),
    ShowPane(crate::session::Pane),
    ResetLayout,
    NextPane,
    Copy(String),
    OpenAddress(String),
    /// Asks for the clipboard's text. The window answers with [`PoseAction::Paste`].
    Paste,
}

/// An action that waits for the answer about unsaved changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    Quit,
    NewPreset,
    Scene(&'static str),
    OpenPreset(Option<PathBuf>),
    OpenTrace(PathBuf),
    OpenCapsule(PathBuf),
    OpenLink(String),
    ShowGame(Shown),
    FollowGame,
    ShowOpened,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub text: String,
    pub is_error: bool,
    /// Seconds since the message appeared.
    pub age: f32,
}

impl Session {
    pub(crate) fn undo(&mut self) {
        match self.world.history.undo() {
            Some(label) => {
                self.document_changed();
                self.notify(text::undone(&label));
            }
            None => self.notify(text::NOTHING_TO_UNDO),
        }
    }

    pub(crate) fn redo(&mut self) {
        match self.world.history.redo() {
            Some(label) => {
                self.document_changed();
                self.notify(text::redone(&label));
            }
            None => self.notify(text::NOTHING_TO_REDO),
        }
    }

    pub fn apply(&mut self, action: Action) {
        if action.answers_file_dialog() {
            self.window.dialog = None;
        }
        match action {
            Action::Command(command) => self.run(command),
            Action::File(command, path) => {
                if let Some(ask) = command.info().file {
                    (ask.then)(self, path);
                }
            }
            Action::Edit { label, gesture, mut document } => {
                // An edit of one selected effector applies to all selected effectors and, with mirror editing, to the
                // other side.
                if document.stack.full_body != self.world.history.document().stack.full_body {
                    document.stack.full_body = self.spread(document.stack.full_body);
                }
                self.edit(&label, gesture, *document);
            }
            Action::Typing(types) => self.interaction.types = types,
            Action::EndGesture => self.world.history.end_gesture(),
            Action::ShowPane(pane) => {
                self.window.hides_panes = false;
                self.window.requests.push(Request::ShowPane(pane));
            }
            Action::Doctor(doctor) => doctor::session::set(self, doctor),
            Action::ReadInUnit(unit) => {
                if let Some(path) = self.world.character.path.clone() {
                    opening::open_in_unit(self, &path, Some(unit));
                }
            }
            Action::Select(selection) => {
                self.set_selection(selection);
                self.show();
                self.analyse();
            }
            Action::View(view) => self.look.view = view,
            Action::Breaks(breaks) => self.tools.debugger.breaks = breaks,
            Action::ReachOf(limb) => self.start_reach(limb),
            Action::Scene(name) => {
                self.tools.learn.leave_scene();
                self.unless_unsaved(Pending::Scene(name));
            }
            Action::Clip(clip) => self.choose_clip(clip),
            Action::ClipTime(time) => {
                self.world.clip.set(self.world.clip.clip(), time);
                self.world.time.resample = true;
                self.world.time.needs_solve = true;
            }
            Action::ClipSpeed(speed) => self.world.clip.speed = speed,
            Action::OpenAny(path) => self.open_any(path),
            Action::OpenLink(link) => self.unless_unsaved(Pending::OpenLink(link)),
            Action::CancelOpening => opening::cancel_shown(self),
            Action::Refused(why) => self.fail(why),
            Action::DismissNotice => self.dismiss(),
            Action::Chains(action) => self.apply_chains(action),
            Action::BodyLab(action) => body_lab::apply(self, action),
            Action::Motion(action) => self.apply_motion(action),
            Action::Modifiers(action) => self.apply_modifiers(action),
            Action::Crowd(action) => self.apply_crowd(action),
            Action::Steps(action) => self.apply_steps(action),
            Action::Compare(action) => self.apply_compare(action),
            Action::Sweep(action) => self.apply_sweep(action),
            Action::Trackers(action) => trackers::apply(self, action),
            Action::Bake(action) => self.apply_bake(action),
            Action::Pose(action) => self.apply_pose(action),
            Action::Game(action) => self.apply_game(action),
            Action::Learn(action) => learn::apply(self, action),
            Action::Answer(answer) => self.answer(answer),
        }
    }
}
