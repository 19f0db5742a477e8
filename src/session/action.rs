//! What can be asked of a session, and who answers.

use std::path::PathBuf;

use super::answers::Answer;
use super::{Selection, Session, View};
use crate::session::commands::Command;
use crate::session::document::Document;
use crate::tools::chains::session::ChainAction;
use crate::tools::compare::session::CompareAction;
use crate::tools::crowd::session::CrowdAction;
use crate::tools::doctor::Doctor;
use crate::tools::export::session::BakeAction;
use crate::tools::game::Shown;
use crate::tools::game::session::GameAction;
use crate::tools::modifiers::session::ModifierAction;
use crate::tools::motion::session::MotionAction;
use crate::tools::pose::session::PoseAction;
use crate::tools::steps::session::StepAction;
use crate::tools::sweep::session::SweepAction;
use kinescope_ik::debugger::breaks::Breaks;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::Attached;

/// What panels and input ask for.
#[derive(Clone, Debug)]
pub enum Action {
    Command(Command),
    /// The file that a command asked for, or that was named in another way.
    File(Command, PathBuf),
    /// Another document; `gesture` joins the edits of one drag.
    Edit {
        label: String,
        gesture: Option<u64>,
        document: Box<Document>,
    },
    /// Whether a field has the keyboard.
    Typing(bool),
    EndGesture,
    /// Brings a pane to the front, whether panes are hidden or not.
    ShowPane(crate::ui::layout::Pane),
    /// What is chosen and lit in the rig doctor.
    Doctor(Doctor),
    Select(Selection),
    View(View),
    Breaks(Breaks),
    ReachOf(LimbName),
    Scene(&'static str),
    Clip(Option<usize>),
    ClipTime(f32),
    ClipSpeed(f32),
    /// Whatever was dropped on the window.
    OpenAny(PathBuf),
    /// What was typed cannot be taken, and why.
    Refused(String),
    DismissNotice,
    Chains(ChainAction),
    Motion(MotionAction),
    Modifiers(ModifierAction),
    Crowd(CrowdAction),
    Steps(StepAction),
    Compare(CompareAction),
    Sweep(SweepAction),
    Bake(BakeAction),
    Pose(PoseAction),
    Game(GameAction),
    Answer(Answer),
}

impl Action {
    /// Whether it names a file, so that the dialog that asked for it closes.
    fn answers_file_dialog(&self) -> bool {
        matches!(self, Self::File(..) | Self::Answer(Answer::OpenPresetOn(_)))
    }
}

/// A dialog over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// The file that a command reads or writes.
    File(Command),
    Keys,
    Palette,
    RigDoctor,
    /// What a target is attached to.
    AttachTarget(Attached),
    /// What is to be done once the changes are saved or given up.
    Unsaved(Pending),
    /// Frames of a game are in no file, and the window is to close.
    UnsavedGame,
    /// What was left by a window that did not end by itself.
    TakeBack,
    /// The preset's file is not what it was when it was opened.
    ChangedOnDisk(PathBuf),
    /// The preset that would be written over was made with another character, of that name.
    OtherCharacter {
        preset: PathBuf,
        name: String,
    },
    /// The model of a preset cannot be opened.
    ModelOfPreset {
        preset: PathBuf,
        name: String,
        why: String,
    },
    /// The scene plays clips that the character does not have.
    SceneNeedsClips {
        scene: &'static str,
        missing: Vec<String>,
    },
    /// Another character was opened: whether targets of the one before stay.
    KeepTargets {
        /// The name of the character before, and of the preset's file that stays with it.
        before: String,
        preset: Option<String>,
        count: usize,
        /// Of both characters, model units.
        heights: [f32; 2],
    },
    /// A file of the name that was completed is there already.
    Exists(PathBuf),
    /// The model of the preset that waits for it.
    FindModel,
    /// Which part of the clip is baked.
    BakeOptions,
}

impl Dialog {
    /// Whether it has a field that what is typed goes to.
    pub const fn takes_text(&self) -> bool {
        !matches!(
            self,
            Self::RigDoctor
                | Self::BakeOptions
                | Self::Unsaved(_)
                | Self::UnsavedGame
                | Self::TakeBack
                | Self::ChangedOnDisk(_)
                | Self::OtherCharacter { .. }
                | Self::ModelOfPreset { .. }
                | Self::KeepTargets { .. }
                | Self::SceneNeedsClips { .. }
                | Self::Exists(_)
        )
    }

    /// As in logs.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Palette => "palette",
            Self::RigDoctor => "rig_doctor",
            Self::AttachTarget(_) => "attach_target",
            Self::Unsaved(_) => "unsaved",
            Self::UnsavedGame => "unsaved_game",
            Self::BakeOptions => "bake_options",
            Self::TakeBack => "take_back",
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

/// What the window is to do that a session cannot: it has no screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Pictures of every step, as GIF or numbered PNGs by the file's ending.
    Capture(PathBuf),
    PlotPicture(PathBuf),
    Picture(PathBuf),
    /// Opens or closes a pane.
    TogglePane(crate::ui::layout::Pane),
    ShowPane(crate::ui::layout::Pane),
    ResetLayout,
    /// Gives the keyboard to the next pane.
    NextPane,
    /// Puts text on the clipboard.
    Copy(String),
    /// Asks for the text on the clipboard; the answer is [`PoseAction::Paste`].
    Paste,
}

/// What waits for an answer about unsaved changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    Quit,
    NewPreset,
    Scene(&'static str),
    /// A preset by its file; `None` asks for one.
    OpenPreset(Option<PathBuf>),
    OpenTrace(PathBuf),
    OpenCapsule(PathBuf),
    /// Look into a character of a game.
    ShowGame(Shown),
    /// Look into the game that is received.
    FollowGame,
    /// Show a preset or recovered work, whose model has been opened.
    ShowOpened,
}

/// A line on screen that tells what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub text: String,
    pub is_error: bool,
    /// Seconds it has been shown.
    pub age: f32,
}

impl Session {
    pub(crate) fn undo(&mut self) {
        match self.history.undo() {
            Some(label) => {
                self.document_changed();
                self.notify(format!("undone: {label}"));
            }
            None => self.notify("nothing to undo"),
        }
    }

    pub(crate) fn redo(&mut self) {
        match self.history.redo() {
            Some(label) => {
                self.document_changed();
                self.notify(format!("redone: {label}"));
            }
            None => self.notify("nothing to redo"),
        }
    }

    /// Does what a panel, a key or a dropped file asks for.
    pub fn apply(&mut self, action: Action) {
        if action.answers_file_dialog() {
            self.desk.dialog = None;
        }
        match action {
            Action::Command(command) => self.run(command),
            Action::File(command, path) => {
                if let Some(ask) = command.info().file {
                    (ask.then)(self, path);
                }
            }
            Action::Edit { label, gesture, mut document } => {
                // What is changed of one of several effectors is changed of all.
                if document.stack.full_body != self.history.document().stack.full_body {
                    document.stack.full_body = self.spread(document.stack.full_body);
                }
                self.edit(&label, gesture, *document);
            }
            Action::Typing(types) => self.hands.types = types,
            Action::EndGesture => self.history.end_gesture(),
            Action::ShowPane(pane) => {
                self.desk.hides_panes = false;
                self.desk.requests.push(Request::ShowPane(pane));
            }
            Action::Doctor(doctor) => self.desk.doctor = doctor,
            Action::Select(selection) => {
                self.set_selection(selection);
                self.show();
                self.analyse();
            }
            Action::View(view) => self.view = view,
            Action::Breaks(breaks) => self.debugger.breaks = breaks,
            Action::ReachOf(limb) => self.start_reach(limb),
            Action::Scene(name) => self.unless_unsaved(Pending::Scene(name)),
            Action::Clip(clip) => self.choose_clip(clip),
            Action::ClipTime(time) => {
                self.clip.set(self.clip.clip(), time);
                self.time.resample = true;
                self.time.needs_solve = true;
            }
            Action::ClipSpeed(speed) => self.clip.speed = speed,
            Action::OpenAny(path) => self.open_any(path),
            Action::Refused(why) => self.fail(why),
            Action::DismissNotice => self.dismiss(),
            Action::Chains(action) => self.apply_chains(action),
            Action::Motion(action) => self.apply_motion(action),
            Action::Modifiers(action) => self.apply_modifiers(action),
            Action::Crowd(action) => self.apply_crowd(action),
            Action::Steps(action) => self.apply_steps(action),
            Action::Compare(action) => self.apply_compare(action),
            Action::Sweep(action) => self.apply_sweep(action),
            Action::Bake(action) => self.apply_bake(action),
            Action::Pose(action) => self.apply_pose(action),
            Action::Game(action) => self.apply_game(action),
            Action::Answer(answer) => self.answer(answer),
        }
    }
}
