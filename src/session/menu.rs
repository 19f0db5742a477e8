//! What menus and the palette say of a command as the session is: whether it can apply, and whether what it switches is on.

use super::{GizmoStyle, MeshStyle, Now, Session};
use crate::picture::labels::Density;
use crate::picture::navigation::Navigation;
use crate::session::commands::Command;
use crate::ui::layout::{Layout, Pane};

const NO_FULL_BODY: &str = "No full body is solved: the model has no biped (see the rig doctor).";
const LAB_IS_OPEN: &str = "The chain lab is open: it has no character to pose.";
const NO_TARGET: &str = "Select an effector, look at or reach for first: its target is attached.";
const NO_STEPS: &str = "Nothing is solved: there are no steps.";
const NO_FRAMES: &str = "Nothing is recorded yet.";
const NO_GAME: &str = "No game is shown: attach to one, or open its recording.";
const HAS_MESH: &str = "The character has a mesh of its own: open a game's recording or a bug capsule.";
const NO_B: &str = "Nothing is compared: keep settings as B first.";

/// The commands that go from step to step of a solve, as a pattern: a new one is added here alone.
macro_rules! steps {
    () => {
        Command::NextStage
            | Command::PreviousStage
            | Command::NextIteration
            | Command::PreviousIteration
            | Command::NextMove
            | Command::PreviousMove
            | Command::FirstStep
            | Command::LastStep
    };
}

/// Those that go from frame to frame.
macro_rules! frames {
    () => {
        Command::NextFrame | Command::PreviousFrame | Command::FirstFrame | Command::LastFrame
    };
}

impl Session {
    /// Why a command cannot apply now, one sentence; `None` if it can.
    pub fn why_not(&self, command: Command) -> Option<&'static str> {
        let unless = |can: bool, why: &'static str| (!can).then_some(why);
        let has_body = self.character.rig.full_body.is_ok();
        let poses = unless(has_body, NO_FULL_BODY).or(unless(self.lab().is_none(), LAB_IS_OPEN));
        let tape = &self.debugger.tape;
        match command {
            Command::Undo => unless(self.history.labels().0.is_some(), "Nothing to undo."),
            Command::Redo => unless(self.history.labels().1.is_some(), "Nothing to redo."),
            Command::ExportTrace => {
                let drives = unless(!self.drives_limbs(), "Grounding drives four limbs: no full body is solved.");
                unless(has_body, NO_FULL_BODY).or(drives)
            }
            Command::PinHandsAndFeet
            | Command::ReleaseEffectors
            | Command::SelectAll
            | Command::CopyPose
            | Command::PastePose => poses,
            Command::AttachTarget => poses.or(unless(self.selected_target().is_some(), NO_TARGET)),
            Command::DetachTarget => {
                let own = self.selected_target().and_then(|target| self.stack().attachment(target));
                poses.or(unless(own.is_some(), "The selected target is attached to nothing."))
            }
            Command::MirrorPose => poses.or(unless(self.mirror().is_some(), NO_FULL_BODY)),
            Command::BakeClip => unless(self.clip.clip().is_some(), "No clip plays: choose one in the outliner."),
            Command::PlayClip => {
                let has_clip = self.clip.clip().is_some();
                let is_scripted = self.begun.scene.is_some_and(|scene| scene.script.is_some());
                let moves = has_clip || is_scripted || self.lab_moves() || self.motion_moves();
                unless(moves, "No clip plays: choose one in the outliner.")
            }
            Command::StopListening => unless(self.games.connection.listening().is_some(), "Kinescope does not listen."),
            Command::DisconnectGame => unless(self.games.is_connected(), "No game is connected."),
            Command::ShowResult | Command::NextDifference | Command::PreviousDifference => {
                unless(self.games.is_shown(), NO_GAME)
            }
            Command::SaveRecording => unless(self.games.to_save().is_some(), NO_GAME),
            Command::ChooseBodyMesh => unless(self.character.is_of_bones(), HAS_MESH),
            Command::UseCapsules => unless(self.character.body().is_some(), "No body mesh was chosen."),
            Command::SaveCapsule | Command::Mark => unless(self.frames().is_some(), NO_FRAMES),
            Command::FindPops => unless(tape.range().is_some(), NO_FRAMES),
            Command::ClearTape => {
                let own = unless(!self.games.is_shown(), "The frames are the game's: open another character.");
                own.or(unless(tape.range().is_some(), NO_FRAMES))
            }
            steps!() | Command::PlayStages | Command::CaptureSteps | Command::ExportCsv => {
                unless(self.shown_run().is_some(), NO_STEPS)
            }
            Command::PlayFrames | frames!() => unless(self.frames().is_some(), NO_FRAMES),
            Command::NextMarker | Command::PreviousMarker => {
                unless(!self.marked_frames().is_empty(), "No frame has a marker: M sets one.")
            }
            Command::SolveAgain | Command::DropWhatIf => {
                unless(self.debugger.what_if.is_some(), "Nothing was changed since the recorded frame.")
            }
            Command::SwapAB => unless(self.debugger.compare.is_some(), NO_B),
            Command::EndCompare => {
                let compares = self.debugger.compare.is_some() || self.debugger.port.is_some();
                unless(compares || (self.games.is_shown() && self.games.shows_result()), NO_B)
            }
            Command::ReachableVolume => {
                unless(self.hands.selection.limb().is_some(), "Select a hand, a foot or a limb first.")
            }
            Command::ForgetVolume => unless(self.debugger.reach.volume.is_some(), "No reachable volume is shown."),
            Command::CancelJobs => {
                let has_jobs = self.debugger.has_jobs();
                let opens = self.files.opening.is_some() || self.games.opening.is_some();
                unless(
                    has_jobs || opens || self.files.baking.is_some(),
                    "No work is under way: no sweep, no volume, no solve of a recording, no file.",
                )
            }
            Command::OpenModel
            | Command::BuiltInModel
            | Command::BuiltInFaun
            | Command::NewPreset
            | Command::OpenPreset
            | Command::SavePreset
            | Command::SavePresetAs
            | Command::ExportPose
            | Command::ExportCsharp
            | Command::OpenTrace
            | Command::OpenCapsule
            | Command::OpenRecording
            | Command::AttachToGame
            | Command::TuneGame
            | Command::CapturePicture
            | Command::CapturePlots
            | Command::Quit
            | Command::MirrorEdits
            | Command::ResetParameters
            | Command::SolidMesh
            | Command::XrayMesh
            | Command::HiddenMesh
            | Command::MoveGizmo
            | Command::RotateGizmo
            | Command::BothGizmo
            | Command::LocalAxes
            | Command::Snap
            | Command::FrameSelection
            | Command::FrontView
            | Command::BackView
            | Command::SideView
            | Command::OtherSideView
            | Command::TopView
            | Command::BottomView
            | Command::Orthographic
            | Command::NavigateKinescope
            | Command::NavigateBlender
            | Command::NavigateMaya
            | Command::NavigateUnity
            | Command::BendDefaults
            | Command::NoLabels
            | Command::SelectedLabels
            | Command::AllLabels
            | Command::TogglePanes
            | Command::ToggleTheme
            | Command::PlayPause
            | Command::Live
            | Command::Loop
            | Command::KeepAsB
            | Command::CompareWith
            | Command::Sweep
            | Command::Plots
            | Command::Profiler
            | Command::ShowCompare
            | Command::ShowSweep
            | Command::ShowFinder
            | Command::ShowMotion
            | Command::ShowCrowd
            | Command::ShowGame
            | Command::Lab
            | Command::ShowOutliner
            | Command::ShowInspector
            | Command::ShowTimeline
            | Command::NextPane
            | Command::ResetLayout
            | Command::RigDoctor
            | Command::Keys
            | Command::Palette => None,
        }
    }

    /// Whether what a command switches is on; `None` for one that switches nothing.
    pub fn is_on(&self, command: Command, layout: &Layout) -> Option<bool> {
        let posing = &self.hands.posing;
        let pane = |pane: Pane| Some(layout.is_shown(pane) && !self.desk.hides_panes);
        match command {
            Command::SolidMesh => Some(self.view.mesh == MeshStyle::Solid),
            Command::XrayMesh => Some(self.view.mesh == MeshStyle::Xray),
            Command::HiddenMesh => Some(self.view.mesh == MeshStyle::Hidden),
            Command::MoveGizmo => Some(posing.gizmo == GizmoStyle::Move),
            Command::RotateGizmo => Some(posing.gizmo == GizmoStyle::Rotate),
            Command::BothGizmo => Some(posing.gizmo == GizmoStyle::Both),
            Command::LocalAxes => Some(posing.local_axes),
            Command::Orthographic => Some(self.look.camera.orthographic),
            Command::NavigateKinescope => Some(self.look.navigation == Navigation::Kinescope),
            Command::NavigateBlender => Some(self.look.navigation == Navigation::Blender),
            Command::NavigateMaya => Some(self.look.navigation == Navigation::Maya),
            Command::NavigateUnity => Some(self.look.navigation == Navigation::Unity),
            Command::Snap => Some(posing.snaps),
            Command::MirrorEdits => Some(posing.mirrors),
            Command::BendDefaults => Some(self.view.bend_defaults),
            Command::NoLabels => Some(self.view.labels == Density::Off),
            Command::SelectedLabels => Some(self.view.labels == Density::Selected),
            Command::AllLabels => Some(self.view.labels == Density::All),
            Command::TogglePanes => Some(self.desk.hides_panes),
            Command::ToggleTheme => Some(self.view.light_theme),
            Command::Live => Some(self.is_live()),
            Command::PlayClip => Some(self.clip.playing),
            Command::PlayStages => Some(self.time.now == Now::PlayingStages),
            Command::PlayFrames => Some(self.time.now == Now::PlayingFrames),
            Command::Loop => Some(self.time.loops),
            Command::TuneGame => Some(self.games.tunes),
            Command::ShowResult => Some(self.games.shows_result()),
            Command::Lab => Some(self.lab().is_some()),
            Command::RigDoctor => Some(self.in_doctor()),
            Command::Plots => pane(Pane::Plots),
            Command::Profiler => pane(Pane::Profiler),
            Command::ShowCompare => pane(Pane::Compare),
            Command::ShowSweep => pane(Pane::Sweep),
            Command::ShowFinder => pane(Pane::Finder),
            Command::ShowMotion => pane(Pane::Motion),
            Command::ShowCrowd => pane(Pane::Crowd),
            Command::ShowGame => pane(Pane::Game),
            Command::ShowOutliner => pane(Pane::Outliner),
            Command::ShowInspector => pane(Pane::Inspector),
            Command::ShowTimeline => pane(Pane::Timeline),
            Command::OpenModel
            | Command::BuiltInModel
            | Command::BuiltInFaun
            | Command::NewPreset
            | Command::OpenPreset
            | Command::SavePreset
            | Command::SavePresetAs
            | Command::ExportTrace
            | Command::ExportPose
            | Command::ExportCsharp
            | Command::BakeClip
            | Command::OpenTrace
            | Command::OpenCapsule
            | Command::OpenRecording
            | Command::SaveRecording
            | Command::ChooseBodyMesh
            | Command::UseCapsules
            | Command::AttachToGame
            | Command::StopListening
            | Command::DisconnectGame
            | Command::SaveCapsule
            | Command::ExportCsv
            | Command::CapturePicture
            | Command::CapturePlots
            | Command::CaptureSteps
            | Command::Quit
            | Command::Undo
            | Command::Redo
            | Command::PinHandsAndFeet
            | Command::ReleaseEffectors
            | Command::SelectAll
            | Command::CopyPose
            | Command::PastePose
            | Command::MirrorPose
            | Command::AttachTarget
            | Command::DetachTarget
            | Command::ResetParameters
            | Command::FrameSelection
            | Command::FrontView
            | Command::BackView
            | Command::SideView
            | Command::OtherSideView
            | Command::TopView
            | Command::BottomView
            | Command::PlayPause
            | steps!()
            | frames!()
            | Command::Mark
            | Command::NextMarker
            | Command::PreviousMarker
            | Command::NextDifference
            | Command::PreviousDifference
            | Command::ClearTape
            | Command::DropWhatIf
            | Command::KeepAsB
            | Command::CompareWith
            | Command::SwapAB
            | Command::EndCompare
            | Command::Sweep
            | Command::SolveAgain
            | Command::ReachableVolume
            | Command::ForgetVolume
            | Command::FindPops
            | Command::CancelJobs
            | Command::NextPane
            | Command::ResetLayout
            | Command::Keys
            | Command::Palette => None,
        }
    }
}
