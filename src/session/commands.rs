//! The one table of commands: menus, shortcuts, tooltips, the key table and undo's names read from it.

use egui_macroquad::egui::{Key, KeyboardShortcut, Modifiers};

use crate::picture::navigation::{NUMBER_PAD, Navigation};

/// All that a user can do apart from dragging and setting values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    OpenModel,
    BuiltInModel,
    BuiltInFaun,
    NewPreset,
    OpenPreset,
    SavePreset,
    SavePresetAs,
    ExportTrace,
    ExportPose,
    ExportCsharp,
    BakeClip,
    OpenTrace,
    OpenCapsule,
    OpenRecording,
    SaveRecording,
    ChooseBodyMesh,
    UseCapsules,
    AttachToGame,
    StopListening,
    DisconnectGame,
    TuneGame,
    SaveCapsule,
    ExportCsv,
    CapturePicture,
    CapturePlots,
    CaptureSteps,
    Quit,
    Undo,
    Redo,
    PinHandsAndFeet,
    ReleaseEffectors,
    SelectAll,
    CopyPose,
    PastePose,
    MirrorPose,
    MirrorEdits,
    AttachTarget,
    DetachTarget,
    ResetParameters,
    SolidMesh,
    XrayMesh,
    HiddenMesh,
    MoveGizmo,
    RotateGizmo,
    BothGizmo,
    LocalAxes,
    Snap,
    FrameSelection,
    FrontView,
    BackView,
    SideView,
    OtherSideView,
    TopView,
    BottomView,
    Orthographic,
    NavigateKinescope,
    NavigateBlender,
    NavigateMaya,
    NavigateUnity,
    BendDefaults,
    NoLabels,
    SelectedLabels,
    AllLabels,
    TogglePanes,
    ToggleTheme,
    PlayPause,
    NextStage,
    PreviousStage,
    NextIteration,
    PreviousIteration,
    NextMove,
    PreviousMove,
    FirstStep,
    LastStep,
    Live,
    PlayClip,
    PlayStages,
    PlayFrames,
    Loop,
    NextFrame,
    PreviousFrame,
    FirstFrame,
    LastFrame,
    Mark,
    NextMarker,
    PreviousMarker,
    NextDifference,
    PreviousDifference,
    ShowResult,
    ClearTape,
    DropWhatIf,
    KeepAsB,
    CompareWith,
    SwapAB,
    EndCompare,
    Sweep,
    ReachableVolume,
    ForgetVolume,
    FindPops,
    SolveAgain,
    CancelJobs,
    Plots,
    Profiler,
    ShowCompare,
    ShowSweep,
    ShowFinder,
    ShowMotion,
    ShowCrowd,
    ShowGame,
    Lab,
    ShowOutliner,
    ShowInspector,
    ShowTimeline,
    NextPane,
    ResetLayout,
    RigDoctor,
    Keys,
    Palette,
}

/// What the interface says of a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    pub command: Command,
    /// The menu it is in.
    pub menu: &'static str,
    pub label: &'static str,
    pub shortcut: Option<KeyboardShortcut>,
    pub help: &'static str,
}

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::CTRL;

const fn row(
    command: Command,
    menu: &'static str,
    label: &'static str,
    shortcut: Option<(Modifiers, Key)>,
    help: &'static str,
) -> CommandInfo {
    let shortcut = match shortcut {
        Some((modifiers, key)) => Some(KeyboardShortcut::new(modifiers, key)),
        None => None,
    };
    CommandInfo { command, menu, label, shortcut, help }
}

/// In the order of the menus, and in each of its groups.
pub const COMMANDS: &[CommandInfo] = &[
    row(Command::OpenModel, "File", "Open model…", Some((CTRL, Key::M)), "Load a .glb, .gltf or .vrm character."),
    row(Command::BuiltInModel, "File", "Built-in mannequin", None, "Go back to the character that comes along."),
    row(Command::BuiltInFaun, "File", "Built-in faun", None, "The same character on digitigrade legs."),
    row(
        Command::NewPreset,
        "File",
        "New preset",
        Some((CTRL, Key::N)),
        "All parameters at their defaults, no targets.",
    ),
    row(Command::OpenPreset, "File", "Open preset…", Some((CTRL, Key::O)), "Load parameters and targets."),
    row(
        Command::SavePreset,
        "File",
        "Save preset",
        Some((CTRL, Key::S)),
        "Write parameters and targets to their file.",
    ),
    row(Command::SavePresetAs, "File", "Save preset as…", None, "Write parameters and targets to another file."),
    row(Command::ExportPose, "File", "Export pose…", None, "Write the solved pose as JSON or .glb."),
    row(Command::BakeClip, "File", "Bake clip…", None, "Write the clip, grounded and solved, as .glb with the mesh."),
    row(Command::ExportTrace, "File", "Export trace…", None, "Write every stage of this solve as JSON."),
    row(
        Command::ExportCsv,
        "File",
        "Export measures…",
        None,
        "Errors, strain and stretch over steps or frames, as CSV.",
    ),
    row(
        Command::ExportCsharp,
        "File",
        "Export as C# assignments…",
        None,
        "Parameters and targets that are not at their defaults, by the names of the component that the solver follows.",
    ),
    row(
        Command::OpenTrace,
        "File",
        "Open a port's trace…",
        None,
        "Where does another implementation part from Kinescope? Both are drawn.",
    ),
    row(
        Command::OpenCapsule,
        "File",
        "Open bug capsule…",
        None,
        "A character, its frames and an instant, in one file.",
    ),
    row(
        Command::SaveCapsule,
        "File",
        "Save bug capsule…",
        None,
        "Bones, frames up to this one, settings and the instant shown, in one file.",
    ),
    row(
        Command::AttachToGame,
        "File",
        "Attach to a game…",
        None,
        "Wait for a running game, and look into the frames that it sends.",
    ),
    row(Command::StopListening, "File", "Stop listening", None, "The frames received so far stay."),
    row(
        Command::DisconnectGame,
        "File",
        "Disconnect",
        None,
        "Close the game's connection. The game may connect again.",
    ),
    row(
        Command::TuneGame,
        "File",
        "Tune the game",
        None,
        "While on, edits of parameters go to the running game at once, with all others of the character.",
    ),
    row(Command::OpenRecording, "File", "Open recording…", None, "A game's frames, as it, or Kinescope, wrote them."),
    row(Command::SaveRecording, "File", "Save recording…", None, "All that came from the game, as one file."),
    row(
        Command::ChooseBodyMesh,
        "File",
        "Choose body mesh…",
        None,
        "Draw a recording with the mesh of a model that has bones of the same names.",
    ),
    row(Command::UseCapsules, "File", "Use capsules", None, "Drop the chosen mesh; bones are drawn as capsules again."),
    row(Command::CapturePicture, "File", "Save picture…", None, "The window as PNG."),
    row(Command::CapturePlots, "File", "Save picture of plots…", None, "The plots as PNG."),
    row(
        Command::CaptureSteps,
        "File",
        "Capture steps…",
        None,
        "The picture at every step of this frame: as GIF, or as numbered PNGs.",
    ),
    row(Command::Quit, "File", "Quit", Some((CTRL, Key::Q)), "Close the window; asks about unsaved changes."),
    row(Command::Undo, "Edit", "Undo", Some((CTRL, Key::Z)), "Take the last edit back."),
    row(Command::Redo, "Edit", "Redo", Some((CTRL, Key::Y)), "Make the edit again."),
    row(
        Command::PinHandsAndFeet,
        "Edit",
        "Pin hands and feet",
        Some((SHIFT, Key::P)),
        "Give both hands and feet a target where they are, with full weight.",
    ),
    row(
        Command::ReleaseEffectors,
        "Edit",
        "Release effectors",
        Some((SHIFT, Key::R)),
        "Take all targets, weights and bend goals away.",
    ),
    row(
        Command::SelectAll,
        "Edit",
        "Select all effectors",
        Some((PLAIN, Key::A)),
        "Targets and weights are set for all of them; Shift+click adds one or takes it away.",
    ),
    row(
        Command::MirrorPose,
        "Edit",
        "Mirror pose",
        Some((SHIFT, Key::M)),
        "Exchange left and right: targets, weights and bends.",
    ),
    row(
        Command::MirrorEdits,
        "Edit",
        "Mirror edits",
        Some((SHIFT, Key::X)),
        "While on, edits of one side are mirrored to the other.",
    ),
    row(
        Command::AttachTarget,
        "Edit",
        "Attach target to…",
        None,
        "The selected target follows a bone or an effector from where it stands now.",
    ),
    row(
        Command::DetachTarget,
        "Edit",
        "Detach target",
        None,
        "The selected target stays where it is now, and follows nothing any more.",
    ),
    row(
        Command::CopyPose,
        "Edit",
        "Copy pose",
        Some((CTRL, Key::C)),
        "Targets, weights and bends to the clipboard, as the text of a preset.",
    ),
    row(
        Command::PastePose,
        "Edit",
        "Paste pose",
        Some((CTRL, Key::V)),
        "Targets, weights and bends from the clipboard, all else stays; or C# assignments, whatever they name.",
    ),
    row(Command::ResetParameters, "Edit", "Reset parameters", None, "Solver and chains back to their defaults."),
    row(Command::SolidMesh, "View", "Solid character", Some((PLAIN, Key::Num8)), "Draw the character's surface."),
    row(Command::XrayMesh, "View", "X-ray character", Some((PLAIN, Key::Num9)), "See the bones through the surface."),
    row(Command::HiddenMesh, "View", "No character", Some((PLAIN, Key::Num0)), "Draw only bones and solver."),
    row(Command::MoveGizmo, "View", "Move gizmo", Some((PLAIN, Key::W)), "Arrows on the selected effector."),
    row(Command::RotateGizmo, "View", "Rotate gizmo", Some((PLAIN, Key::E)), "Rings on the selected effector."),
    row(Command::BothGizmo, "View", "Both gizmos", Some((PLAIN, Key::T)), "Arrows and rings."),
    row(
        Command::LocalAxes,
        "View",
        "Gizmo along the bone",
        Some((PLAIN, Key::Q)),
        "The gizmo's axes are those of the effector's bone, or those of the world.",
    ),
    row(
        Command::Snap,
        "View",
        "Snap",
        Some((PLAIN, Key::N)),
        "Moves by steps of the grid, turns by 15°; Ctrl held while dragging turns it over.",
    ),
    row(
        Command::FrameSelection,
        "View",
        "Frame selection",
        Some((PLAIN, Key::F)),
        "Bring what is selected into the picture.",
    ),
    row(
        Command::FrontView,
        "View",
        "Front view",
        Some((PLAIN, Key::Num1)),
        "Look at the character's face, orthographic until you orbit.",
    ),
    row(
        Command::BackView,
        "View",
        "Back view",
        Some((CTRL, Key::Num1)),
        "Look at the character's back, orthographic until you orbit.",
    ),
    row(
        Command::SideView,
        "View",
        "Side view",
        Some((PLAIN, Key::Num3)),
        "Look from the character's left, orthographic until you orbit.",
    ),
    row(
        Command::OtherSideView,
        "View",
        "Other side view",
        Some((CTRL, Key::Num3)),
        "Look from the character's right, orthographic until you orbit.",
    ),
    row(
        Command::TopView,
        "View",
        "Top view",
        Some((PLAIN, Key::Num7)),
        "Look from above, orthographic until you orbit.",
    ),
    row(
        Command::BottomView,
        "View",
        "Bottom view",
        Some((CTRL, Key::Num7)),
        "Look from below, orthographic until you orbit.",
    ),
    row(
        Command::Orthographic,
        "View",
        "Orthographic view",
        Some((PLAIN, Key::Num5)),
        "Without perspective: what is far is as large as what is near.",
    ),
    row(
        Command::NavigateKinescope,
        "View",
        "Navigate as in Kinescope",
        None,
        "Right drag orbits, middle drag pans, the wheel zooms.",
    ),
    row(
        Command::NavigateBlender,
        "View",
        "Navigate as in Blender",
        None,
        "Middle drag orbits, with Shift it pans, with Ctrl it zooms; G moves, R rotates; the number pad chooses views.",
    ),
    row(
        Command::NavigateMaya,
        "View",
        "Navigate as in Maya",
        None,
        "Alt+left orbits, Alt+middle pans, Alt+right zooms; W moves, E rotates.",
    ),
    row(
        Command::NavigateUnity,
        "View",
        "Navigate as in Unity",
        None,
        "Alt+left or right drag orbits, middle drag pans, Alt+right zooms; W moves, E rotates.",
    ),
    row(
        Command::BendDefaults,
        "View",
        "Default bends and normals",
        None,
        "Default bend direction and default child normal of the selected limb, or of all limbs, at any step.",
    ),
    row(
        Command::NoLabels,
        "View",
        "No labels",
        None,
        "Leave the picture free of text; the name of the handle under the pointer stays.",
    ),
    row(
        Command::SelectedLabels,
        "View",
        "Labels of the selection",
        None,
        "Label what is selected; without a selection the step at the cursor and the effector furthest off its target.",
    ),
    row(Command::AllLabels, "View", "All labels", None, "Label everything that is drawn, as far as there is room."),
    row(Command::TogglePanes, "View", "Hide panes", Some((PLAIN, Key::Tab)), "Only the picture, or everything."),
    row(Command::ToggleTheme, "View", "Light theme", None, "Dark text on light panes, or light text on dark ones."),
    row(
        Command::PlayPause,
        "Timeline",
        "Play or pause",
        Some((PLAIN, Key::Space)),
        "Pause this instant, or go on live.",
    ),
    row(Command::Live, "Timeline", "Live", Some((PLAIN, Key::L)), "Follow the newest frame."),
    row(Command::PlayClip, "Timeline", "Play clip", Some((PLAIN, Key::K)), "Run or hold the animation."),
    row(
        Command::PlayStages,
        "Timeline",
        "Play stages",
        Some((SHIFT, Key::Space)),
        "Go through the stages by themselves, as many a second as set.",
    ),
    row(Command::PlayFrames, "Timeline", "Play frames", Some((CTRL, Key::Space)), "Play what was recorded."),
    row(Command::Loop, "Timeline", "Loop", Some((PLAIN, Key::O)), "Begin again at the end of what plays."),
    row(Command::NextStage, "Timeline", "Next stage", Some((PLAIN, Key::Period)), "One stage on."),
    row(Command::PreviousStage, "Timeline", "Previous stage", Some((PLAIN, Key::Comma)), "One stage back."),
    row(
        Command::NextIteration,
        "Timeline",
        "Next iteration",
        Some((SHIFT, Key::Period)),
        "To the start of the next iteration.",
    ),
    row(Command::PreviousIteration, "Timeline", "Previous iteration", Some((SHIFT, Key::Comma)), "One iteration back."),
    row(Command::NextMove, "Timeline", "Next move", Some((ALT, Key::Period)), "One single node move on."),
    row(Command::PreviousMove, "Timeline", "Previous move", Some((ALT, Key::Comma)), "One single node move back."),
    row(Command::FirstStep, "Timeline", "First step", Some((PLAIN, Key::Home)), "The pose as read."),
    row(Command::LastStep, "Timeline", "Last step", Some((PLAIN, Key::End)), "The solved state."),
    row(Command::NextFrame, "Timeline", "Next frame", Some((PLAIN, Key::CloseBracket)), "The same stage, a frame on."),
    row(
        Command::PreviousFrame,
        "Timeline",
        "Previous frame",
        Some((PLAIN, Key::OpenBracket)),
        "The same stage, a frame back.",
    ),
    row(Command::FirstFrame, "Timeline", "First frame", Some((CTRL, Key::Home)), "The oldest frame recorded."),
    row(Command::LastFrame, "Timeline", "Last frame", Some((CTRL, Key::End)), "The newest frame recorded."),
    row(Command::Mark, "Timeline", "Set or remove marker", Some((PLAIN, Key::M)), "Name the frame shown."),
    row(Command::NextMarker, "Timeline", "Next marker", Some((CTRL, Key::CloseBracket)), "On to the next named frame."),
    row(
        Command::PreviousMarker,
        "Timeline",
        "Previous marker",
        Some((CTRL, Key::OpenBracket)),
        "Back to the last named frame.",
    ),
    row(
        Command::NextDifference,
        "Timeline",
        "Next difference",
        Some((PLAIN, Key::J)),
        "On to where the game begins to differ from Kinescope's own solve.",
    ),
    row(
        Command::PreviousDifference,
        "Timeline",
        "Previous difference",
        Some((SHIFT, Key::J)),
        "Back to where the game began to differ.",
    ),
    row(
        Command::ShowResult,
        "Timeline",
        "Game's result",
        None,
        "The result of the game's own solver, hollow, with Kinescope's.",
    ),
    row(Command::ClearTape, "Timeline", "Forget recording", None, "Drop all recorded frames."),
    row(
        Command::DropWhatIf,
        "Analyse",
        "Drop the what-if",
        Some((PLAIN, Key::Backspace)),
        "Take back what was changed while paused; what was recorded is shown again.",
    ),
    row(
        Command::KeepAsB,
        "Analyse",
        "Keep settings as B",
        Some((PLAIN, Key::B)),
        "Compare what comes with the settings as they are now.",
    ),
    row(Command::CompareWith, "Analyse", "Compare with preset…", None, "Another preset as B, on the same input."),
    row(
        Command::SwapAB,
        "Analyse",
        "Swap A and B",
        Some((PLAIN, Key::X)),
        "The document takes B's settings, B those of the document.",
    ),
    row(Command::EndCompare, "Analyse", "End comparing", None, "Only the document's own result."),
    row(Command::Sweep, "Analyse", "Run sweep", None, "The chosen measure over the range of one or two parameters."),
    row(
        Command::ReachableVolume,
        "Analyse",
        "Reachable volume",
        Some((PLAIN, Key::V)),
        "Everywhere the selected hand or foot gets, under the settings as they are, and how far off it stays elsewhere.",
    ),
    row(Command::ForgetVolume, "Analyse", "Forget reachable volume", None, "Take it out of the picture."),
    row(
        Command::FindPops,
        "Analyse",
        "Find pops",
        None,
        "Joints of the recording by their worst jerk, with frame and stage.",
    ),
    row(
        Command::SolveAgain,
        "Analyse",
        "Solve recording again",
        None,
        "The whole recording with the settings changed while paused: pops and foot slide before and after.",
    ),
    row(
        Command::CancelJobs,
        "Analyse",
        "Cancel work",
        None,
        "End a sweep, a reachable volume, a bake or a recording being solved again, or stop opening a file.",
    ),
    row(
        Command::Lab,
        "Analyse",
        "Chain lab",
        Some((SHIFT, Key::L)),
        "CCD, FABRIK and two-bone solvers side by side on one target.",
    ),
    row(Command::ShowOutliner, "Window", "Outliner", None, "Effectors, chains, layers, clip."),
    row(Command::ShowInspector, "Window", "Inspector", None, "What is selected, its numbers and sliders."),
    row(Command::ShowTimeline, "Window", "Timeline", None, "Frames, steps and moves."),
    row(
        Command::ShowMotion,
        "Window",
        "Motion",
        Some((PLAIN, Key::G)),
        "Ground, way, gaits, fades and pose layers, frame rate.",
    ),
    row(Command::Plots, "Window", "Plots", Some((PLAIN, Key::P)), "Error, strain and stretch over steps or frames."),
    row(
        Command::Profiler,
        "Window",
        "Profiler",
        Some((PLAIN, Key::U)),
        "Where the time of a frame, a crowd and drawing goes.",
    ),
    row(Command::ShowCompare, "Window", "Compare", Some((PLAIN, Key::C)), "Two results side by side, with numbers."),
    row(Command::ShowSweep, "Window", "Sweep", None, "A measure over the range of parameters."),
    row(
        Command::ShowFinder,
        "Window",
        "Breaks and pops",
        None,
        "What stops the recording, where joints jerk, and what a change makes of it.",
    ),
    row(Command::ShowGame, "Window", "Game", None, "Who is connected, what comes from there, and how it differs."),
    row(Command::ShowCrowd, "Window", "Crowd", None, "Who else is there, at which detail, and what it costs."),
    row(
        Command::NextPane,
        "Window",
        "Keyboard to next pane",
        Some((PLAIN, Key::F6)),
        "Then Tab goes from control to control, Escape leaves.",
    ),
    row(Command::ResetLayout, "Window", "Reset layout", None, "All panes back where they were at first."),
    row(
        Command::RigDoctor,
        "Help",
        "Rig doctor",
        Some((PLAIN, Key::D)),
        "Which bone plays which role, how sure, and why.",
    ),
    row(Command::Palette, "Help", "Command palette", Some((CTRL, Key::P)), "Find a command by name."),
    row(Command::Keys, "Help", "Keys", Some((SHIFT, Key::Slash)), "All shortcuts."),
];

/// The menus, in order.
pub const MENUS: [&str; 7] = ["File", "Edit", "View", "Timeline", "Analyse", "Window", "Help"];

/// The groups of the menus: the command that each begins with, and what its commands are for. Menus have a line between
/// groups, the key table a heading above each.
pub const GROUPS: &[(Command, &str)] = &[
    (Command::OpenModel, "Models"),
    (Command::NewPreset, "Presets"),
    (Command::ExportPose, "Export"),
    (Command::OpenTrace, "Traces and capsules"),
    (Command::AttachToGame, "Games"),
    (Command::CapturePicture, "Pictures"),
    (Command::Quit, "Quit"),
    (Command::Undo, "Undo"),
    (Command::PinHandsAndFeet, "Pose"),
    (Command::CopyPose, "Clipboard"),
    (Command::ResetParameters, "Parameters"),
    (Command::SolidMesh, "Character"),
    (Command::MoveGizmo, "Gizmo"),
    (Command::FrameSelection, "Camera"),
    (Command::NavigateKinescope, "Navigation"),
    (Command::BendDefaults, "Solver"),
    (Command::NoLabels, "Labels"),
    (Command::TogglePanes, "Window"),
    (Command::PlayPause, "Play"),
    (Command::NextStage, "Steps of a frame"),
    (Command::NextFrame, "Frames"),
    (Command::Mark, "Markers"),
    (Command::NextDifference, "Differences from a game"),
    (Command::ClearTape, "Recorded frames"),
    (Command::DropWhatIf, "What if"),
    (Command::KeepAsB, "Compare"),
    (Command::Sweep, "Measure"),
    (Command::Lab, "Chains"),
    (Command::ShowOutliner, "Panes"),
    (Command::NextPane, "Layout"),
    (Command::RigDoctor, "Character and bones"),
    (Command::Palette, "Find"),
];

/// What is pressed, turned or held beside the commands: the task, the keys, and what they do.
pub const OTHER_KEYS: &[(&str, &str, &str)] = &[
    ("Pointer", "Left drag", "Move a handle of the picture"),
    ("Pointer", "Wheel", "Zoom"),
    ("Pointer", "Shift+click", "Select one more effector, or one less"),
    ("Pointer", "Drop a file", "Open a model, a preset or a recording"),
    ("Fields and sliders", "← and →", "Move the slider that has the keyboard"),
    ("Fields and sliders", "Double-click", "Reset a slider to its default"),
    ("Fields and sliders", "Shift+drag", "Change a number ten times more slowly"),
    ("Fields and sliders", "Esc", "Leave a field or a dialog"),
    ("Play", "− and +", "Drive pose layers that go by keys"),
];

impl Command {
    /// The group of its menu; see [`GROUPS`].
    pub fn group(self) -> &'static str {
        let commands = COMMANDS.iter().map(|info| info.command);
        let mut group = "";
        for command in commands {
            if let Some((_, title)) = GROUPS.iter().find(|(first, _)| *first == command) {
                group = title;
            }
            if command == self {
                break;
            }
        }
        group
    }

    /// Whether a line of its menu is above it.
    pub fn begins_group(self) -> bool {
        GROUPS.iter().any(|(first, _)| *first == self)
    }

    pub fn info(self) -> &'static CommandInfo {
        // Every command has its row: a test says so.
        COMMANDS.iter().find(|info| info.command == self).unwrap_or(&COMMANDS[0])
    }
}

impl CommandInfo {
    /// `Ctrl+S`, or nothing.
    pub fn shortcut_text(&self) -> String {
        self.shortcut_text_in(Navigation::Kinescope)
    }

    /// The same as in another tool.
    pub fn shortcut_text_in(&self, navigation: Navigation) -> String {
        navigation.keys(self).map_or_else(String::new, shortcut_text)
    }

    /// All keys that it has there: `Ctrl+Y`, `Ctrl+Shift+Z`.
    pub fn all_shortcuts_in(&self, navigation: Navigation) -> Vec<String> {
        navigation.keys(self).into_iter().chain(navigation.other_keys(self)).map(shortcut_text).collect()
    }

    /// Help and shortcut, for a tooltip.
    pub fn tooltip(&self) -> String {
        self.tooltip_in(Navigation::Kinescope)
    }

    /// The same as in another tool.
    pub fn tooltip_in(&self, navigation: Navigation) -> String {
        match self.all_shortcuts_in(navigation).join(" or ").as_str() {
            "" => self.help.to_owned(),
            keys => format!("{}\n{keys}", self.help),
        }
    }
}

/// A key as it is called on screen.
pub fn shortcut_text(shortcut: KeyboardShortcut) -> String {
    let mut text = String::new();
    for (held, name) in
        [(shortcut.modifiers.ctrl, "Ctrl+"), (shortcut.modifiers.shift, "Shift+"), (shortcut.modifiers.alt, "Alt+")]
    {
        if held {
            text.push_str(name);
        }
    }
    match shortcut.logical_key {
        Key::Slash if shortcut.modifiers.shift => "?".to_owned(),
        Key::Period => text + ".",
        Key::Comma => text + ",",
        Key::OpenBracket => text + "[",
        Key::CloseBracket => text + "]",
        key => match NUMBER_PAD.iter().find(|(own, _)| *own == key) {
            Some((_, name)) => text + name,
            None => text + key.name(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_is_used_once() {
        for (index, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[index + 1..] {
                assert_ne!(a.command, b.command);
                assert!(a.shortcut.is_none() || a.shortcut != b.shortcut, "{} and {}", a.label, b.label);
            }
            assert!(MENUS.contains(&a.menu), "{}", a.label);
            assert!(a.help.ends_with('.'), "{}", a.label);
            assert_eq!(a.command.info().label, a.label);
        }
    }

    #[test]
    fn menus_have_groups_and_quit_is_last() {
        for menu in MENUS {
            let mut own = COMMANDS.iter().filter(|info| info.menu == menu).map(|info| info.command);
            assert!(own.next().is_some_and(Command::begins_group), "{menu}");
        }
        // Rows of a menu stand together.
        let mut menus: Vec<&str> = COMMANDS.iter().map(|info| info.menu).collect();
        menus.dedup();
        assert_eq!(menus, MENUS);
        let of_file: Vec<Command> =
            COMMANDS.iter().filter(|info| info.menu == "File").map(|info| info.command).collect();
        assert_eq!(of_file.last(), Some(&Command::Quit));
        for (index, (first, title)) in GROUPS.iter().enumerate() {
            assert_eq!(first.group(), *title);
            assert!(GROUPS[..index].iter().all(|(other, name)| other != first && name != title), "{title}");
        }
        assert_eq!(Command::Redo.group(), "Undo");
        assert_eq!(Command::Palette.group(), "Find");
    }
}
