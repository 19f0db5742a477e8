//! The rows of the commands, in the order of the menus.

use egui_macroquad::egui::{Key, Modifiers};

use super::{CommandInfo, Kinds, row, why};
use crate::character::BuiltIn;
use crate::picture::camera::AxisView;
use crate::picture::labels::Density;
use crate::picture::navigation::Navigation;
use crate::session::{Action, Dialog, GizmoStyle, MeshStyle, Now, Pending, Request, Session};
use crate::tools::export::names;
use crate::tools::pose::EffectorSet;
use crate::tools::steps::csv;
use crate::tools::steps::session::StepAction;
use crate::ui::layout::Pane;
use kinescope_ik::full_body::Effector;
use kinescope_ik::stepped::run::{Cursor, Stride};
use why::unless;

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::CTRL;

const JSON: Kinds = &[("JSON", &["json"])];
const RECORDING: Kinds = &[("Recording", &["jsonl"])];
const MODEL: Kinds = &[("Characters", &["glb", "gltf", "vrm"])];
const GLB: Kinds = &[("glTF binary", &["glb"])];
const POSE: Kinds = &[("glTF binary", &["glb"]), ("JSON", &["json"])];
const PNG: Kinds = &[("PNG picture", &["png"])];
const STEPS: Kinds = &[("GIF animation", &["gif"]), ("Numbered PNG pictures", &["png"])];
const CSV: Kinds = &[("CSV table", &["csv"])];
const CSHARP: Kinds = &[("C#", &["cs"])];

/// Makes the enum and the table from menus, their groups, and the rows of each. A new command is a new row.
macro_rules! commands {
    ($($menu:literal { $($group:literal { $($command:ident: $row:expr,)* })* })*) => {
        /// Everything that a user can do apart from dragging and setting values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $($($($command,)*)*)*
        }

        /// In the order of the menus.
        pub const COMMANDS: &[CommandInfo] = &[$($($($row.at(Command::$command, $menu, $group),)*)*)*];

        /// The menus, in order.
        pub const MENUS: &[&str] = &[$($menu),*];
    };
}

commands! {
    "File" {
        "Models" {
            OpenModel: row("Open model…", "Load a .glb, .gltf or .vrm character.")
                .key(CTRL, Key::M).reads(MODEL, |session, path| session.open_model(&path)),
            BuiltInModel: row("Built-in mannequin", "Go back to the character that comes along.")
                .runs(|session| session.open_built_in(BuiltIn::Mannequin)),
            BuiltInFaun: row("Built-in faun", "The same character on digitigrade legs.")
                .runs(|session| session.open_built_in(BuiltIn::Faun)),
        }
        "Presets" {
            NewPreset: row("New preset", "All parameters at their defaults, no targets.")
                .key(CTRL, Key::N).runs(|session| session.unless_unsaved(Pending::NewPreset)),
            OpenPreset: row("Open preset…", "Load parameters and targets.")
                .key(CTRL, Key::O).runs(|session| session.unless_unsaved(Pending::OpenPreset(None)))
                .reads(JSON, |session, path| session.unless_unsaved(Pending::OpenPreset(Some(path)))),
            SavePreset: row("Save preset", "Write parameters and targets to their file.")
                .key(CTRL, Key::S).runs(Session::save),
            SavePresetAs: row("Save preset as…", "Write parameters and targets to another file.")
                .writes(JSON, names::preset, Session::save_preset),
        }
        "Export" {
            ExportPose: row("Export pose…", "Write the solved pose as JSON or .glb.")
                .writes(
                    POSE,
                    |session| names::of_model(session, " pose.glb"),
                    |session, path| session.export(path.clone(), "pose", |session| session.pose_bytes(&path)),
                ),
            BakeClip: row("Bake clip…", "Write the clip, grounded and solved, as .glb with the mesh.")
                .runs(|session| session.desk.dialog = Some(Dialog::BakeOptions))
                .writes(GLB, names::baked, Session::start_baking).unless(why::no_clip),
            ExportTrace: row("Export trace…", "Write every stage of this solve as JSON.")
                .writes(
                    JSON,
                    |session| names::of_model(session, " trace.json"),
                    |session, path| session.export(path, "trace", Session::trace_json),
                ).unless(why::no_trace),
            ExportCsv: row("Export measures…", "Errors, strain and stretch over steps or frames, as CSV.")
                .writes(
                    CSV,
                    |session| names::of_model(session, " measures.csv"),
                    |session, path| session.export(path, "table", csv::table),
                ).unless(why::no_steps),
            ExportCsharp: row(
                "Export as C# assignments…",
                "Parameters and targets that are not at their defaults, by the names of the component that the solver follows.",
            ).writes(CSHARP, |session| names::of_model(session, ".cs"), Session::export_csharp),
        }
        "Traces and capsules" {
            OpenTrace: row(
                "Open a port's trace…",
                "Where does another implementation part from Kinescope? Both are drawn.",
            ).reads(JSON, |session, path| session.unless_unsaved(Pending::OpenTrace(path))),
            OpenCapsule: row("Open bug capsule…", "A character, its frames and an instant, in one file.")
                .reads(JSON, |session, path| session.unless_unsaved(Pending::OpenCapsule(path))),
            SaveCapsule: row(
                "Save bug capsule…",
                "Bones, frames up to this one, settings and the instant shown, in one file.",
            ).writes(
                JSON,
                |session| names::of_model(session, " capsule.json"),
                |session, path| session.export(path.clone(), "capsule", |session| session.capsule_bytes(&path)),
            ).unless(why::no_frames),
        }
        "Games" {
            AttachToGame: row("Attach to a game…", "Wait for a running game, and look into the frames that it sends.")
                .runs(Session::attach_to_game),
            StopListening: row("Stop listening", "The frames received so far stay.")
                .runs(Session::stop_listening).unless(why::not_listening),
            DisconnectGame: row("Disconnect", "Close the game's connection. The game may connect again.")
                .runs(Session::disconnect_game).unless(why::not_connected),
            TuneGame: row(
                "Tune the game",
                "While on, edits of parameters go to the running game at once, with all others of the character.",
            ).runs(Session::toggle_tuning).on(|session| session.games.tunes),
            OpenRecording: row("Open recording…", "A game's frames, as it, or Kinescope, wrote them.")
                .reads(RECORDING, Session::open_recording),
            SaveRecording: row("Save recording…", "All that came from the game, as one file.")
                .runs(Session::ask_to_save_recording)
                .writes(RECORDING, names::recording, |session, path| session.save_recording(&path))
                .unless(why::no_recording),
            ChooseBodyMesh: row(
                "Choose body mesh…",
                "Draw a recording with the mesh of a model that has bones of the same names.",
            ).reads(MODEL, |session, path| session.choose_body(&path)).unless(why::has_mesh),
            UseCapsules: row("Use capsules", "Drop the chosen mesh; bones are drawn as capsules again.")
                .runs(Session::use_capsules).unless(why::no_body_mesh),
        }
        "Pictures" {
            CapturePicture: row("Save picture…", "The window as PNG.")
                .writes(
                    PNG,
                    |_| "kinescope.png".to_owned(),
                    |session, path| session.desk.requests.push(Request::Picture(path)),
                ),
            CapturePlots: row("Save picture of plots…", "The plots as PNG.")
                .writes(
                    PNG,
                    |_| "plots.png".to_owned(),
                    |session, path| session.desk.requests.push(Request::PlotPicture(path)),
                ),
            CaptureSteps: row("Capture steps…", "The picture at every step of this frame: as GIF, or as numbered PNGs.")
                .writes(
                    STEPS,
                    |_| "steps.gif".to_owned(),
                    |session, path| session.desk.requests.push(Request::Capture(path)),
                ).unless(why::no_steps),
        }
        "Quit" {
            Quit: row("Quit", "Close the window; asks about unsaved changes.").key(CTRL, Key::Q).runs(Session::quit),
        }
    }
    "Edit" {
        "Undo" {
            Undo: row("Undo", "Take the last edit back.")
                .key(CTRL, Key::Z).runs(Session::undo)
                .unless(|session| unless(session.history.labels().0.is_some(), "Nothing to undo.")),
            Redo: row("Redo", "Make the edit again.")
                .key(CTRL, Key::Y).runs(Session::redo)
                .unless(|session| unless(session.history.labels().1.is_some(), "Nothing to redo.")),
        }
        "Pose" {
            PinHandsAndFeet: row(
                "Pin hands and feet",
                "Give both hands and feet a target where they are, with full weight.",
            ).key(SHIFT, Key::P).runs(Session::pin_hands_and_feet).unless(why::cannot_pose),
            ReleaseEffectors: row("Release effectors", "Take all targets, weights and bend goals away.")
                .key(SHIFT, Key::R).runs(Session::release_effectors).unless(why::cannot_pose),
            SelectAll: row(
                "Select all effectors",
                "Targets and weights are set for all of them; Shift+click adds one or takes it away.",
            ).key(PLAIN, Key::A).runs(|session| session.select_together(Effector::Body, EffectorSet::ALL))
                .unless(why::cannot_pose),
            MirrorPose: row("Mirror pose", "Exchange left and right: targets, weights and bends.")
                .key(SHIFT, Key::M).runs(Session::mirror_pose).unless(why::cannot_mirror),
            MirrorEdits: row("Mirror edits", "While on, edits of one side are mirrored to the other.")
                .key(SHIFT, Key::X).runs(Session::toggle_mirroring).on(|session| session.hands.posing.mirrors),
            AttachTarget: row(
                "Attach target to…",
                "The selected target follows a bone or an effector from where it stands now.",
            ).runs(Session::ask_what_to_attach_to).unless(why::no_target),
            DetachTarget: row(
                "Detach target",
                "The selected target stays where it is now, and follows nothing any more.",
            ).runs(Session::detach_selected).unless(why::not_attached),
        }
        "Clipboard" {
            CopyPose: row("Copy pose", "Targets, weights and bends to the clipboard, as the text of a preset.")
                .key(CTRL, Key::C).runs(Session::copy_pose).unless(why::cannot_pose),
            PastePose: row(
                "Paste pose",
                "Targets, weights and bends from the clipboard, all else stays; or C# assignments, whatever they name.",
            ).key(CTRL, Key::V).runs(|session| session.desk.requests.push(Request::Paste)).unless(why::cannot_pose),
        }
        "Parameters" {
            ResetParameters: row("Reset parameters", "Solver and chains back to their defaults.")
                .runs(Session::reset_parameters),
        }
    }
    "View" {
        "Character" {
            SolidMesh: row("Solid character", "Draw the character's surface.")
                .key(PLAIN, Key::Num8).runs(|session| session.view.mesh = MeshStyle::Solid)
                .on(|session| session.view.mesh == MeshStyle::Solid),
            XrayMesh: row("X-ray character", "See the bones through the surface.")
                .key(PLAIN, Key::Num9).runs(|session| session.view.mesh = MeshStyle::Xray)
                .on(|session| session.view.mesh == MeshStyle::Xray),
            HiddenMesh: row("No character", "Draw only bones and solver.")
                .key(PLAIN, Key::Num0).runs(|session| session.view.mesh = MeshStyle::Hidden)
                .on(|session| session.view.mesh == MeshStyle::Hidden),
        }
        "Gizmo" {
            MoveGizmo: row("Move gizmo", "Arrows on the selected effector.")
                .key(PLAIN, Key::W).runs(|session| session.hands.posing.gizmo = GizmoStyle::Move)
                .on(|session| session.hands.posing.gizmo == GizmoStyle::Move),
            RotateGizmo: row("Rotate gizmo", "Rings on the selected effector.")
                .key(PLAIN, Key::E).runs(|session| session.hands.posing.gizmo = GizmoStyle::Rotate)
                .on(|session| session.hands.posing.gizmo == GizmoStyle::Rotate),
            BothGizmo: row("Both gizmos", "Arrows and rings.")
                .key(PLAIN, Key::T).runs(|session| session.hands.posing.gizmo = GizmoStyle::Both)
                .on(|session| session.hands.posing.gizmo == GizmoStyle::Both),
            LocalAxes: row(
                "Gizmo along the bone",
                "The gizmo's axes are those of the effector's bone, or those of the world.",
            ).key(PLAIN, Key::Q).runs(|session| session.hands.posing.local_axes ^= true)
                .on(|session| session.hands.posing.local_axes),
            Snap: row("Snap", "Moves by steps of the grid, turns by 15°; Ctrl held while dragging turns it over.")
                .key(PLAIN, Key::N).runs(|session| session.hands.posing.snaps ^= true)
                .on(|session| session.hands.posing.snaps),
        }
        "Camera" {
            FrameSelection: row("Frame selection", "Bring what is selected into the picture.")
                .key(PLAIN, Key::F).runs(Session::frame_selection),
            FrontView: row("Front view", "Look at the character's face, orthographic until you orbit.")
                .key(PLAIN, Key::Num1).runs(|session| session.look_along(AxisView::Front)),
            BackView: row("Back view", "Look at the character's back, orthographic until you orbit.")
                .key(CTRL, Key::Num1).runs(|session| session.look_along(AxisView::Back)),
            SideView: row("Side view", "Look from the character's left, orthographic until you orbit.")
                .key(PLAIN, Key::Num3).runs(|session| session.look_along(AxisView::Left)),
            OtherSideView: row("Other side view", "Look from the character's right, orthographic until you orbit.")
                .key(CTRL, Key::Num3).runs(|session| session.look_along(AxisView::Right)),
            TopView: row("Top view", "Look from above, orthographic until you orbit.")
                .key(PLAIN, Key::Num7).runs(|session| session.look_along(AxisView::Top)),
            BottomView: row("Bottom view", "Look from below, orthographic until you orbit.")
                .key(CTRL, Key::Num7).runs(|session| session.look_along(AxisView::Bottom)),
            Orthographic: row("Orthographic view", "Without perspective: what is far is as large as what is near.")
                .key(PLAIN, Key::Num5).runs(|session| session.look.camera.toggle_orthographic())
                .on(|session| session.look.camera.orthographic),
        }
        "Navigation" {
            NavigateKinescope: row("Navigate as in Kinescope", "Right drag orbits, middle drag pans, the wheel zooms.")
                .runs(|session| session.look.navigation = Navigation::Kinescope)
                .on(|session| session.look.navigation == Navigation::Kinescope),
            NavigateBlender: row(
                "Navigate as in Blender",
                "Middle drag orbits, with Shift it pans, with Ctrl it zooms; G moves, R rotates; the number pad chooses views.",
            ).runs(|session| session.look.navigation = Navigation::Blender)
                .on(|session| session.look.navigation == Navigation::Blender),
            NavigateMaya: row(
                "Navigate as in Maya",
                "Alt+left orbits, Alt+middle pans, Alt+right zooms; W moves, E rotates.",
            ).runs(|session| session.look.navigation = Navigation::Maya)
                .on(|session| session.look.navigation == Navigation::Maya),
            NavigateUnity: row(
                "Navigate as in Unity",
                "Alt+left or right drag orbits, middle drag pans, Alt+right zooms; W moves, E rotates.",
            ).runs(|session| session.look.navigation = Navigation::Unity)
                .on(|session| session.look.navigation == Navigation::Unity),
        }
        "Solver" {
            BendDefaults: row(
                "Default bends and normals",
                "Default bend direction and default child normal of the selected limb, or of all limbs, at any step.",
            ).runs(|session| session.view.bend_defaults ^= true).on(|session| session.view.bend_defaults),
        }
        "Labels" {
            NoLabels: row(
                "No labels",
                "Leave the picture free of text; the name of the handle under the pointer stays.",
            ).runs(|session| session.view.labels = Density::Off).on(|session| session.view.labels == Density::Off),
            SelectedLabels: row(
                "Labels of the selection",
                "Label what is selected; without a selection the step at the cursor and the effector furthest off its target.",
            ).runs(|session| session.view.labels = Density::Selected)
                .on(|session| session.view.labels == Density::Selected),
            AllLabels: row("All labels", "Label everything that is drawn, as far as there is room.")
                .runs(|session| session.view.labels = Density::All).on(|session| session.view.labels == Density::All),
        }
        "Window" {
            TogglePanes: row("Hide panes", "Only the picture, or everything.")
                .key(PLAIN, Key::Tab).runs(|session| session.desk.hides_panes ^= true)
                .on(|session| session.desk.hides_panes),
            ToggleTheme: row("Light theme", "Dark text on light panes, or light text on dark ones.")
                .runs(|session| session.view.light_theme ^= true).on(|session| session.view.light_theme),
        }
    }
    "Timeline" {
        "Play" {
            PlayPause: row("Play or pause", "Pause this instant, or go on live.")
                .key(PLAIN, Key::Space).runs(Session::play_or_pause),
            Live: row("Live", "Follow the newest frame.")
                .key(PLAIN, Key::L).runs(Session::go_live).on(Session::is_live),
            PlayClip: row("Play clip", "Run or hold the animation.")
                .key(PLAIN, Key::K).runs(|session| session.clip.playing ^= true).on(|session| session.clip.playing)
                .unless(why::nothing_plays),
            PlayStages: row("Play stages", "Go through the stages by themselves, as many a second as set.")
                .key(SHIFT, Key::Space).runs(|session| session.toggle_playing(Now::PlayingStages))
                .on(|session| session.time.now == Now::PlayingStages).unless(why::no_steps),
            PlayFrames: row("Play frames", "Play what was recorded.")
                .key(CTRL, Key::Space).runs(|session| session.toggle_playing(Now::PlayingFrames))
                .on(|session| session.time.now == Now::PlayingFrames).unless(why::no_frames),
            Loop: row("Loop", "Begin again at the end of what plays.")
                .key(PLAIN, Key::O).runs(|session| session.time.loops ^= true).on(|session| session.time.loops),
        }
        "Steps of a frame" {
            NextStage: row("Next stage", "One stage on.")
                .key(PLAIN, Key::Period).runs(|session| session.step_on(Stride::Step)).unless(why::no_steps),
            PreviousStage: row("Previous stage", "One stage back.")
                .key(PLAIN, Key::Comma).runs(|session| session.step_back(Stride::Step)).unless(why::no_steps),
            NextIteration: row("Next iteration", "To the start of the next iteration.")
                .key(SHIFT, Key::Period).runs(|session| session.step_on(Stride::Iteration)).unless(why::no_steps),
            PreviousIteration: row("Previous iteration", "One iteration back.")
                .key(SHIFT, Key::Comma).runs(|session| session.step_back(Stride::Iteration)).unless(why::no_steps),
            NextMove: row("Next move", "One single node move on.")
                .key(ALT, Key::Period).runs(|session| session.step_on(Stride::Event)).unless(why::no_steps),
            PreviousMove: row("Previous move", "One single node move back.")
                .key(ALT, Key::Comma).runs(|session| session.step_back(Stride::Event)).unless(why::no_steps),
            FirstStep: row("First step", "The pose as read.")
                .key(PLAIN, Key::Home).runs(|session| session.apply(Action::Steps(StepAction::Seek(Cursor::default()))))
                .unless(why::no_steps),
            LastStep: row("Last step", "The solved state.")
                .key(PLAIN, Key::End).runs(|session| session.apply(Action::Steps(StepAction::Seek(session.end())))).unless(why::no_steps),
        }
        "Frames" {
            NextFrame: row("Next frame", "The same stage, a frame on.")
                .key(PLAIN, Key::CloseBracket).runs(|session| session.seek_frame(session.time.frame.saturating_add(1)))
                .unless(why::no_frames),
            PreviousFrame: row("Previous frame", "The same stage, a frame back.")
                .key(PLAIN, Key::OpenBracket).runs(|session| session.seek_frame(session.time.frame.saturating_sub(1)))
                .unless(why::no_frames),
            FirstFrame: row("First frame", "The oldest frame recorded.")
                .key(CTRL, Key::Home).runs(|session| session.seek_frame(0)).unless(why::no_frames),
            LastFrame: row("Last frame", "The newest frame recorded.")
                .key(CTRL, Key::End).runs(|session| session.seek_frame(u64::MAX)).unless(why::no_frames),
        }
        "Markers" {
            Mark: row("Set or remove marker", "Name the frame shown.")
                .key(PLAIN, Key::M).runs(Session::toggle_mark).unless(why::no_frames),
            NextMarker: row("Next marker", "On to the next named frame.")
                .key(CTRL, Key::CloseBracket).runs(|session| session.seek_marker(true)).unless(why::no_marker),
            PreviousMarker: row("Previous marker", "Back to the last named frame.")
                .key(CTRL, Key::OpenBracket).runs(|session| session.seek_marker(false)).unless(why::no_marker),
        }
        "Differences from a game" {
            NextDifference: row("Next difference", "On to where the game begins to differ from Kinescope's own solve.")
                .key(PLAIN, Key::J).runs(|session| session.seek_difference(true)).unless(why::no_game),
            PreviousDifference: row("Previous difference", "Back to where the game began to differ.")
                .key(SHIFT, Key::J).runs(|session| session.seek_difference(false)).unless(why::no_game),
            ShowResult: row("Game's result", "The result of the game's own solver, hollow, with Kinescope's.")
                .runs(Session::toggle_result).on(|session| session.games.shows_result()).unless(why::no_game),
        }
        "Recorded frames" {
            ClearTape: row("Forget recording", "Drop all recorded frames.")
                .runs(Session::clear_tape).unless(why::keeps_tape),
        }
    }
    "Analyse" {
        "What if" {
            DropWhatIf: row(
                "Drop the what-if",
                "Take back what was changed while paused; what was recorded is shown again.",
            ).key(PLAIN, Key::Backspace).runs(Session::drop_what_if).unless(why::no_what_if),
        }
        "Compare" {
            KeepAsB: row("Keep settings as B", "Compare what comes with the settings as they are now.")
                .key(PLAIN, Key::B).runs(Session::keep_as_b),
            CompareWith: row("Compare with preset…", "Another preset as B, on the same input.")
                .reads(JSON, |session, path| session.compare_with(&path)),
            SwapAB: row("Swap A and B", "The document takes B's settings, B those of the document.")
                .key(PLAIN, Key::X).runs(Session::swap_a_b)
                .unless(|session| unless(session.debugger.compare.is_some(), why::NO_B)),
            EndCompare: row("End comparing", "Only the document's own result.")
                .runs(Session::end_compare).unless(why::compares_nothing),
        }
        "Measure" {
            Sweep: row("Run sweep", "The chosen measure over the range of one or two parameters.")
                .runs(Session::start_sweep),
            ReachableVolume: row(
                "Reachable volume",
                "Everywhere the selected hand or foot gets, under the settings as they are, and how far off it stays elsewhere.",
            ).key(PLAIN, Key::V).runs(Session::reach_of_selection).unless(why::no_limb),
            ForgetVolume: row("Forget reachable volume", "Take it out of the picture.")
                .runs(|session| session.debugger.reach.volume = None).unless(why::no_volume),
            FindPops: row("Find pops", "Joints of the recording by their worst jerk, with frame and stage.")
                .runs(Session::find_pops).unless(why::empty_tape),
            SolveAgain: row(
                "Solve recording again",
                "The whole recording with the settings changed while paused: pops and foot slide before and after.",
            ).runs(Session::start_again).unless(why::no_what_if),
            CancelJobs: row(
                "Cancel work",
                "End a sweep, a reachable volume, a bake or a recording being solved again, or stop opening a file.",
            ).runs(Session::cancel_jobs).unless(why::no_jobs),
        }
        "Chains" {
            Lab: row("Chain lab", "CCD, FABRIK and two-bone solvers side by side on one target.")
                .key(SHIFT, Key::L).runs(Session::toggle_lab).on(|session| session.lab().is_some()),
        }
    }
    "Window" {
        "Panes" {
            ShowOutliner: row("Outliner", "Effectors, chains, layers, clip.").shows(Pane::Outliner),
            ShowInspector: row("Inspector", "What is selected, its numbers and sliders.").shows(Pane::Inspector),
            ShowTimeline: row("Timeline", "Frames, steps and moves.").shows(Pane::Timeline),
            ShowMotion: row("Motion", "Ground, way, gaits, fades and pose layers, frame rate.")
                .key(PLAIN, Key::G).shows(Pane::Motion),
            Plots: row("Plots", "Error, strain and stretch over steps or frames.")
                .key(PLAIN, Key::P).shows(Pane::Plots),
            Profiler: row("Profiler", "Where the time of a frame, a crowd and drawing goes.")
                .key(PLAIN, Key::U).shows(Pane::Profiler),
            ShowCompare: row("Compare", "Two results side by side, with numbers.")
                .key(PLAIN, Key::C).shows(Pane::Compare),
            ShowSweep: row("Sweep", "A measure over the range of parameters.")
                .shows(Pane::Sweep).runs(Session::toggle_sweep_pane),
            ShowFinder: row(
                "Breaks and pops",
                "What stops the recording, where joints jerk, and what a change makes of it.",
            ).shows(Pane::Finder),
            ShowGame: row("Game", "Who is connected, what comes from there, and how it differs.").shows(Pane::Game),
            ShowCrowd: row("Crowd", "Who else is there, at which detail, and what it costs.").shows(Pane::Crowd),
        }
        "Layout" {
            NextPane: row("Keyboard to next pane", "Then Tab goes from control to control, Escape leaves.")
                .key(PLAIN, Key::F6).runs(|session| session.desk.requests.push(Request::NextPane)),
            ResetLayout: row("Reset layout", "All panes back where they were at first.")
                .runs(|session| session.desk.requests.push(Request::ResetLayout)),
        }
    }
    "Help" {
        "Character and bones" {
            RigDoctor: row("Rig doctor", "Which bone plays which role, how sure, and why.")
                .key(PLAIN, Key::D).runs(Session::toggle_doctor).on(Session::in_doctor),
        }
        "Find" {
            Palette: row("Command palette", "Find a command by name.")
                .key(CTRL, Key::P).runs(|session| session.toggle(Dialog::Palette)),
            Keys: row("Keys", "All shortcuts.").key(SHIFT, Key::Slash).runs(|session| session.toggle(Dialog::Keys)),
        }
    }
}
