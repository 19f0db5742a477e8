//! What can be asked of a session, and who answers.

use std::path::PathBuf;

use super::{Brush, MeshStyle, Posing, Selection, Session, View};
use crate::character::BuiltIn;
use crate::game::{SaveTarget, Shown};
use crate::picture::camera::AxisView;
use crate::picture::labels::Density;
use crate::picture::navigation::Navigation;
use crate::scenes::Scene;
use crate::session::commands::Command;
use crate::session::document::Document;
use crate::tools::doctor::Doctor;
use crate::tools::motion::clip_player::BakeRange;
use crate::tools::steps::{CompareStyle, PlotView};
use kinescope_ik::attach::Anchor;
use kinescope_ik::debugger::attribution::Target;
use kinescope_ik::debugger::breaks::Breaks;
use kinescope_ik::debugger::fields::Change;
use kinescope_ik::debugger::sweep::SweepMeasure;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{Attached, LayerId};
use kinescope_ik::stepped::run::{Cursor, Stride};

/// What panels and input ask for.
#[derive(Clone, Debug)]
pub enum Action {
    Command(Command),
    /// Another document; `gesture` joins the edits of one drag.
    Edit {
        label: String,
        gesture: Option<u64>,
        document: Box<Document>,
    },
    Brush(Brush),
    /// Whether the camera goes where the character goes.
    Follow(bool),
    /// The character goes where one of the crowd goes, or its own way again.
    FollowMember(Option<usize>),
    /// The keys that drive pose layers, as they are held: −1, 0 or 1.
    HoldKeys(f32),
    /// Compare the crowd with all the detail for everyone.
    CompareDetail(bool),
    /// Attaches a target where it stands, or detaches it.
    Attach(Attached, Option<Anchor>),
    /// Sets a modifier off.
    Trigger(usize),
    /// Whether a click on the body is a blow.
    Strikes(bool),
    /// Whether a field has the keyboard.
    Typing(bool),
    /// The effector whose keys are shown.
    KeyedTrack(Effector),
    /// A key of the effector shown where its bone is now.
    SetKey(usize),
    /// Back to where the way begins.
    RestartMotion,
    /// Shows the steps of a lane of the lab.
    Lane(usize),
    /// Shows the limit of a bone of the chain in focus.
    ChainBone(usize),
    /// Chooses the root (0) or the end (1) of the chain that [`Action::AddChain`] adds.
    ChainEnd(usize, Option<kinescope_ik::rig::BoneIndex>),
    /// Adds a chain between the two bones chosen.
    AddChain,
    AddLane(kinescope_ik::chain_ik::Settings),
    RemoveLane(usize),
    /// Puts the lab's chains back to where they rest.
    ResetLab,
    EndGesture,
    /// Brings a pane to the front, whether panes are hidden or not.
    ShowPane(crate::ui::layout::Pane),
    /// What is chosen and lit in the rig doctor.
    Doctor(Doctor),
    Select(Selection),
    /// Adds an effector to what is selected, or takes it away.
    SelectAlso(Effector),
    View(View),
    Seek(Cursor),
    /// An instant of any layer, which is in focus then.
    SeekIn(LayerId, Cursor),
    /// A frame of the tape, by its number, at the instant that the cursor is at.
    SeekFrame(u64),
    TapeBudget(usize),
    Breaks(Breaks),
    /// Stages a second.
    PlaybackRate(f32),
    PlaybackLoops(bool),
    Attribution {
        target: Option<Target>,
        grouping: kinescope_ik::debugger::attribution::Grouping,
    },
    Plots(PlotView),
    CompareStyle(CompareStyle),
    /// B becomes this preset.
    CompareWith(PathBuf),
    /// A value of B goes to A, or A's to B.
    CopyValue {
        change: Change,
        to_b: bool,
    },
    SweepOf {
        x: ParameterId,
        y: Option<ParameterId>,
        measure: SweepMeasure,
        whole_tape: bool,
    },
    /// Takes values from a sweep's plot.
    TakeValues(Vec<(ParameterId, f32)>),
    ReachOf(LimbName),
    OpenTrace(PathBuf),
    OpenCapsule(PathBuf),
    OpenRecording(PathBuf),
    SaveRecordingTo(PathBuf),
    /// Waits for games at an address.
    Listen(String),
    /// Looks into a character of a game.
    ShowGame(Shown),
    /// A chain file, in the lab.
    OpenChain(PathBuf),
    SaveCapsuleTo(PathBuf),
    ExportCsvTo(PathBuf),
    /// Pictures of every step of the frame, as GIF or numbered PNGs.
    CaptureTo(PathBuf),
    /// A picture of the plots.
    PlotPictureTo(PathBuf),
    /// A picture of the window.
    PictureTo(PathBuf),
    Scene(&'static str),
    Clip(Option<usize>),
    ClipTime(f32),
    /// What of the clip is baked.
    BakeRange(BakeRange),
    /// As much of it as the whole path takes is baked.
    BakePath,
    /// What is baked is chosen: where to?
    ChooseBakeFile,
    CancelBaking,
    ClipSpeed(f32),
    Posing(Posing),
    /// What the clipboard held when a pose was to be pasted.
    PastePose(String),
    OpenModel(PathBuf),
    /// The model whose mesh a recording is drawn with.
    ChooseBody(PathBuf),
    OpenPreset(PathBuf),
    /// Whatever was dropped on the window.
    OpenAny(PathBuf),
    SavePresetTo(PathBuf),
    ExportTraceTo(PathBuf),
    ExportPoseTo(PathBuf),
    ExportCsharpTo(PathBuf),
    /// The clip that plays, grounded and solved.
    BakeClipTo(PathBuf),
    CloseDialog,
    /// The answers to «frames that were not saved».
    SaveGame,
    LoseGame,
    /// The answers to «unsaved changes».
    DiscardChanges,
    SaveChanges,
    /// What was typed cannot be taken, and why.
    Refused(String),
    DismissNotice,
    /// The answers to «work that was not saved».
    TakeBack,
    ThrowAway,
    /// The answer to «changed on disk meanwhile» and to «made with another character».
    OverwritePreset,
    /// The answers to «the preset's model is not found»: a file, once one is named, or the character that is shown.
    FindModel,
    OpenPresetOn(PathBuf),
    OpenPresetAsShown,
    /// Takes the targets away that were set on the character before.
    DropTargets,
    /// The answers to «the scene needs clips».
    SceneOnMannequin,
    SceneAnyway,
    /// A file that exists would be written by the action.
    AskToOverwrite(PathBuf, Box<Self>),
    /// Do it.
    Overwrite,
}

impl Action {
    /// A file was named: the dialog that asked for it is done.
    fn answers_file_dialog(&self) -> bool {
        matches!(
            self,
            Self::OpenModel(_)
                | Self::ChooseBody(_)
                | Self::OpenPreset(_)
                | Self::OpenPresetOn(_)
                | Self::SavePresetTo(_)
                | Self::ExportTraceTo(_)
                | Self::ExportPoseTo(_)
                | Self::ExportCsharpTo(_)
                | Self::BakeClipTo(_)
                | Self::CompareWith(_)
                | Self::OpenTrace(_)
                | Self::OpenCapsule(_)
                | Self::OpenRecording(_)
                | Self::SaveRecordingTo(_)
                | Self::SaveCapsuleTo(_)
                | Self::ExportCsvTo(_)
                | Self::CaptureTo(_)
                | Self::PlotPictureTo(_)
                | Self::PictureTo(_)
        )
    }
}

/// A dialog over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
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
    OpenModel,
    ChooseBody,
    /// The model of the preset that waits for it.
    FindModel,
    OpenPreset,
    SavePreset,
    ExportTrace,
    ExportPose,
    ExportCsharp,
    /// What of the clip is baked.
    BakeOptions,
    BakeClip,
    CompareWith,
    OpenTrace,
    OpenCapsule,
    OpenRecording,
    SaveRecording,
    SaveCapsule,
    ExportCsv,
    Capture,
    PlotPicture,
    Picture,
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
            _ => "files",
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
    /// Asks for the text on the clipboard: [`Action::PastePose`].
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
    /// Does what a panel, a key or a dropped file asks for.
    pub fn apply(&mut self, action: Action) {
        if action.answers_file_dialog() {
            self.desk.dialog = None;
        }
        match action {
            Action::Command(command) => self.run(command),
            Action::Edit { label, gesture, mut document } => {
                // What is changed of one of several effectors is changed of all.
                if document.stack.full_body != self.history.document().stack.full_body {
                    document.stack.full_body = self.spread(document.stack.full_body);
                }
                self.edit(&label, gesture, *document);
            }
            Action::ShowPane(pane) => {
                self.desk.hides_panes = false;
                self.desk.requests.push(Request::ShowPane(pane));
            }
            Action::Doctor(doctor) => self.desk.doctor = doctor,
            Action::EndGesture => self.history.end_gesture(),
            Action::Select(selection) => {
                self.set_selection(selection);
                self.show();
                self.analyse();
            }
            Action::Lane(_)
            | Action::ChainBone(_)
            | Action::ChainEnd(..)
            | Action::AddChain
            | Action::AddLane(_)
            | Action::RemoveLane(_)
            | Action::OpenChain(_)
            | Action::ResetLab => self.apply_chains(action),
            Action::View(view) => self.view = view,
            Action::Seek(cursor) => {
                self.pause();
                self.seek(cursor);
            }
            Action::SeekIn(layer, cursor) => {
                if self.focus() != layer {
                    self.look_at(layer, 0);
                }
                self.pause();
                self.seek(cursor);
            }
            Action::Scene(name) => self.unless_unsaved(Pending::Scene(name)),
            Action::Clip(clip) => self.choose_clip(clip),
            Action::SceneAnyway => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.desk.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene(scene);
                }
            }
            Action::SceneOnMannequin => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.desk.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene_on_mannequin(scene);
                }
            }
            Action::ClipTime(time) => {
                self.clip.set(self.clip.clip(), time);
                self.time.resample = true;
                self.time.needs_solve = true;
            }
            Action::BakeRange(range) => self.clip.bake_range = Some(range),
            Action::ClipSpeed(speed) => self.clip.speed = speed,
            Action::Brush(_) | Action::Follow(_) | Action::RestartMotion => {
                self.apply_motion(action);
            }
            Action::Trigger(_) | Action::Strikes(_) | Action::KeyedTrack(_) | Action::SetKey(_) => {
                self.apply_modifiers(action);
            }
            Action::Attach(target, to) => self.attach(target, to),
            Action::FollowMember(member) => self.follow_in_crowd(member),
            Action::Typing(types) => self.hands.types = types,
            Action::HoldKeys(held) => self.motion.keys_held = held.clamp(-1.0, 1.0),
            Action::CompareDetail(compares) => self.crowd.compares = compares,
            Action::Posing(posing) => self.hands.posing = posing,
            Action::PastePose(text) => self.paste_pose(&text),
            Action::SelectAlso(effector) => self.select_also(effector),
            Action::OpenModel(path) => self.open_model(&path),
            Action::ChooseBody(path) => self.choose_body(&path),
            Action::OpenPreset(path) => self.unless_unsaved(Pending::OpenPreset(Some(path))),
            Action::FindModel => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.desk.dialog.take() {
                    self.files.asked = Some(preset);
                    self.desk.dialog = Some(Dialog::FindModel);
                }
            }
            Action::OpenPresetOn(model) => self.open_preset_on(&model),
            Action::OpenPresetAsShown => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.desk.dialog.take() {
                    self.open_preset_as_shown(preset);
                }
            }
            Action::DropTargets => self.drop_targets(),
            Action::OpenAny(path) => self.open_any(path),
            Action::SavePresetTo(path) => self.save_preset(path),
            Action::ExportTraceTo(path) => self.export(path, "trace", Self::trace_json),
            Action::ExportPoseTo(path) => self.export(path.clone(), "pose", |session| session.pose_bytes(&path)),
            Action::ExportCsharpTo(path) => self.export(path, "assignments", |session| {
                Ok(kinescope_ik::csharp::to_csharp(session.settings()).into_bytes())
            }),
            Action::BakeClipTo(path) => self.start_baking(path),
            Action::BakePath => match self.path_time() {
                Ok(to) => self.clip.bake_range = Some(BakeRange { from: 0.0, to, ..self.bake_range() }),
                Err(error) => self.fail(error),
            },
            Action::ChooseBakeFile => self.desk.dialog = Some(Dialog::BakeClip),
            Action::CancelBaking => self.cancel_baking(),
            Action::CloseDialog => {
                self.desk.dialog = None;
                self.files.after_save = None;
                self.files.to_overwrite = None;
                self.files.asked = None;
                self.games.save_target = SaveTarget::Shown;
                self.refuse_opened();
            }
            Action::SaveChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.desk.dialog.take() {
                    self.files.after_save = Some(pending);
                    self.run(Command::SavePreset);
                }
            }
            Action::DiscardChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.desk.dialog.take() {
                    self.go_on(pending);
                }
            }
            Action::SaveGame => {
                let unsaved = self.games.unsaved().map(|game| SaveTarget::BeforeQuit(game.id));
                self.games.save_target = unsaved.unwrap_or_default();
                self.desk.dialog = Some(Dialog::SaveRecording);
            }
            Action::LoseGame => {
                self.desk.dialog = None;
                self.unless_unsaved(Pending::Quit);
            }
            Action::Refused(why) => self.fail(why),
            Action::DismissNotice => self.dismiss(),
            Action::TakeBack => self.take_back(),
            Action::ThrowAway => {
                self.desk.dialog = None;
                if let Some(left) = self.files.left.take() {
                    left.remove();
                }
            }
            Action::AskToOverwrite(path, action) => {
                self.desk.dialog = Some(Dialog::Exists(path));
                self.files.to_overwrite = Some(action);
            }
            Action::Overwrite => {
                self.desk.dialog = None;
                if let Some(action) = self.files.to_overwrite.take() {
                    self.apply(*action);
                }
            }
            Action::OverwritePreset => match self.desk.dialog.take() {
                Some(Dialog::ChangedOnDisk(path) | Dialog::OtherCharacter { preset: path, .. }) => {
                    self.write_preset(path);
                }
                other => self.desk.dialog = other,
            },
            action => self.apply_debug(action),
        }
    }

    pub(crate) fn run(&mut self, command: Command) {
        match command {
            Command::OpenModel => self.desk.dialog = Some(Dialog::OpenModel),
            Command::ChooseBodyMesh => match self.why_not(Command::ChooseBodyMesh) {
                Some(why) => self.fail(why),
                None => self.desk.dialog = Some(Dialog::ChooseBody),
            },
            Command::UseCapsules => self.use_capsules(),
            Command::BuiltInModel => self.open_built_in(BuiltIn::Mannequin),
            Command::BuiltInFaun => self.open_built_in(BuiltIn::Faun),
            Command::NewPreset => self.unless_unsaved(Pending::NewPreset),
            Command::OpenPreset => self.unless_unsaved(Pending::OpenPreset(None)),
            Command::SavePreset => match self.files.preset.clone() {
                Some(path) => self.save_preset(path),
                None => self.desk.dialog = Some(Dialog::SavePreset),
            },
            Command::SavePresetAs => self.desk.dialog = Some(Dialog::SavePreset),
            Command::ExportTrace => self.desk.dialog = Some(Dialog::ExportTrace),
            Command::ExportPose => self.desk.dialog = Some(Dialog::ExportPose),
            Command::ExportCsharp => self.desk.dialog = Some(Dialog::ExportCsharp),
            Command::BakeClip => self.desk.dialog = Some(Dialog::BakeOptions),
            Command::Quit if self.games.unsaved().is_some() => self.desk.dialog = Some(Dialog::UnsavedGame),
            Command::Quit => self.unless_unsaved(Pending::Quit),
            Command::Undo => match self.history.undo() {
                Some(label) => {
                    self.document_changed();
                    self.notify(format!("undone: {label}"));
                }
                None => self.notify("nothing to undo"),
            },
            Command::Redo => match self.history.redo() {
                Some(label) => {
                    self.document_changed();
                    self.notify(format!("redone: {label}"));
                }
                None => self.notify("nothing to redo"),
            },
            Command::PinHandsAndFeet => self.pin_hands_and_feet(),
            Command::ReleaseEffectors => {
                let mut stack = self.stack().clone();
                stack.attachments = Default::default();
                stack.full_body.effectors = Default::default();
                for chain in &mut stack.full_body.chains {
                    (chain.bend_goal, chain.bend_direction, chain.bend_weight) = (None, None, 0.0);
                }
                self.edit_and_say(
                    "release effectors",
                    stack,
                    "released all effectors: targets, weights and bend goals are gone",
                    "no effector has a target or a weight",
                );
            }
            Command::ResetParameters => {
                let effectors = self.settings().effectors;
                self.edit_settings_and_say(
                    "reset parameters",
                    Settings { effectors, ..Settings::default() },
                    "solver and chains are at their defaults",
                    "solver and chains are at their defaults already",
                );
            }
            Command::SolidMesh => self.view.mesh = MeshStyle::Solid,
            Command::XrayMesh => self.view.mesh = MeshStyle::Xray,
            Command::HiddenMesh => self.view.mesh = MeshStyle::Hidden,
            Command::FrameSelection => self.frame_selection(),
            Command::FrontView => self.look_along(AxisView::Front),
            Command::BackView => self.look_along(AxisView::Back),
            Command::SideView => self.look_along(AxisView::Left),
            Command::OtherSideView => self.look_along(AxisView::Right),
            Command::TopView => self.look_along(AxisView::Top),
            Command::BottomView => self.look_along(AxisView::Bottom),
            Command::Orthographic => self.look.camera.toggle_orthographic(),
            Command::NavigateKinescope => self.look.navigation = Navigation::Kinescope,
            Command::NavigateBlender => self.look.navigation = Navigation::Blender,
            Command::NavigateMaya => self.look.navigation = Navigation::Maya,
            Command::NavigateUnity => self.look.navigation = Navigation::Unity,
            Command::BendDefaults => self.view.bend_defaults = !self.view.bend_defaults,
            Command::TogglePanes => self.desk.hides_panes = !self.desk.hides_panes,
            Command::NoLabels => self.view.labels = Density::Off,
            Command::SelectedLabels => self.view.labels = Density::Selected,
            Command::AllLabels => self.view.labels = Density::All,
            Command::ToggleTheme => self.view.light_theme = !self.view.light_theme,
            // What is not running has no newest frame to follow.
            Command::PlayPause if self.games.is_shown() && !self.games.shows_received() => {
                self.run(Command::PlayFrames);
            }
            Command::PlayPause if self.time.is_paused() => self.run(Command::Live),
            Command::PlayPause => self.pause(),
            Command::NextStage => self.step_on(Stride::Step),
            Command::PreviousStage => self.step_back(Stride::Step),
            Command::NextIteration => self.step_on(Stride::Iteration),
            Command::PreviousIteration => self.step_back(Stride::Iteration),
            Command::NextMove => self.step_on(Stride::Event),
            Command::PreviousMove => self.step_back(Stride::Event),
            Command::FirstStep => self.apply(Action::Seek(Cursor::default())),
            Command::LastStep => self.apply(Action::Seek(self.end())),
            Command::Lab => self.toggle_lab(),
            Command::Live => self.go_live(),
            Command::PlayClip => self.clip.playing = !self.clip.playing,
            Command::RigDoctor => {
                self.toggle(Dialog::RigDoctor);
                self.desk.doctor = Doctor::default();
                // What it had to say of the character stands in it.
                self.desk.notice = self.desk.notice.take().filter(|_| !self.in_doctor());
            }
            Command::Keys => self.toggle(Dialog::Keys),
            Command::Palette => self.toggle(Dialog::Palette),
            Command::MoveGizmo
            | Command::RotateGizmo
            | Command::BothGizmo
            | Command::LocalAxes
            | Command::Snap
            | Command::MirrorEdits
            | Command::SelectAll
            | Command::CopyPose
            | Command::PastePose
            | Command::MirrorPose => self.run_posing(command),
            Command::AttachTarget | Command::DetachTarget => self.run_attach(command),
            command => self.run_debug(command),
        }
    }
}
