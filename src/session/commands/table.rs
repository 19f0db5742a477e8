//! The commands, in the order of the menus.

use egui_macroquad::egui::{Key, Modifiers};
use serde::{Deserialize, Serialize};

use super::{CommandInfo, Kinds, pane, row, why};
use crate::character::BuiltIn;
use crate::picture::camera::AxisView;
use crate::picture::labels::Density;
use crate::session::navigation::Navigation;
use crate::session::pane::{PICTURE, PaneInfo};
use crate::session::{Action, Dialog, GizmoStyle, MeshStyle, Now, Pending, Request, Session};
use crate::tools::capsule::session::capsule_bytes;
use crate::tools::chains::lab;
use crate::tools::export::names;
use crate::tools::pose::{EffectorSet, inspector, outliner};
use crate::tools::share::session::copy_link;
use crate::tools::steps::session::StepAction;
use crate::tools::steps::{csv, plots, profiler, timeline};
use crate::tools::{body_lab, compare, crowd, doctor, finder, game, learn, motion, sweep, trackers};
use kinescope_ik::full_body::Effector;
use kinescope_ik::key::named;
use kinescope_ik::stepped::run::{Cursor, Stride};
use why::unless;

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::CTRL;

const JSON: Kinds = &[("JSON", &["json"])];
const RECORDING: Kinds = &[("Recording", &["jsonl"])];
const MODEL: Kinds = &[("Characters", &["glb", "gltf", "vrm", "fbx", "bvh"])];
const MOTION: Kinds = &[("Motion", &["glb", "gltf", "vrm", "vrma", "fbx", "bvh"])];
const CLIP: Kinds = &[("glTF binary", &["glb"]), ("BVH motion", &["bvh"])];
const POSE: Kinds = &[("glTF binary", &["glb"]), ("JSON", &["json"]), ("BVH motion", &["bvh"])];
const PNG: Kinds = &[("PNG picture", &["png"])];
const STEPS: Kinds = &[("GIF animation", &["gif"]), ("Numbered PNG pictures", &["png"])];
const CSV: Kinds = &[("CSV table", &["csv"])];
const CSHARP: Kinds = &[("C#", &["cs"])];

macro_rules! submenu {
    (submenu $group:literal) => {
        $group
    };
}

macro_rules! commands {
    ($($menu:literal { $($group:literal $(as $submenu:ident)? { $($command:ident $(as $pane:ident)?: $row:expr,)* })* })*) => {
        /// A user action that menus, keys and the palette offer: one row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $($($($command,)*)*)*
        }

        pub const COMMANDS: &[CommandInfo] = &[$($($(
            $row.at(Command::$command, $menu, $group)$(.shows(Pane::$pane))?,
        )*)*)*];

        named! {
            /// The panes: the picture, then the others in the order of the commands that show them.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(rename_all = "snake_case")]
            pub enum Pane {
                info: &'static PaneInfo,
            }
            ALL {
                Picture: &PICTURE;
                $($($($($pane: const { COMMANDS[Command::$command as usize].pane_info() };)?)*)*)*
            }
        }

        pub const MENUS: &[&str] = &[$($menu),*];

        /// The groups that a menu shows as a submenu, so that menus fit into low windows.
        pub const SUBMENUS: &[&str] = &[$($($(submenu!($submenu $group),)?)*)*];
    };
}

commands! {
    "File" {
        "Models" {
            OpenModel: row("Open model…", "Load a .glb, .gltf, .vrm, .fbx or .bvh character.")
                .key(CTRL, Key::M).reads(MODEL, |session, path| session.open_model(&path)),
            BuiltInModel: row("Built-in mannequin", "Open the built-in human character.")
                .runs(|session| session.open_built_in(BuiltIn::Mannequin)),
            BuiltInFaun: row("Built-in faun", "Open the built-in character with digitigrade legs.")
                .runs(|session| session.open_built_in(BuiltIn::Faun)),
        }
        "Presets" {
            NewPreset: row("New preset", "Reset all settings to their defaults and clear all targets. The model stays.")
                .key(CTRL, Key::N).runs(|session| session.unless_unsaved(Pending::NewPreset)),
            OpenPreset: row("Open preset…", "Open the preset's model, and load targets, settings, clip and ground.")
                .key(CTRL, Key::O).runs(|session| session.unless_unsaved(Pending::OpenPreset(None)))
                .reads(JSON, |session, path| session.unless_unsaved(Pending::OpenPreset(Some(path)))),
            SavePreset: row("Save preset", "Write targets, settings, clip and ground to the preset's file, or ask for one.")
                .key(CTRL, Key::S).runs(Session::save),
            SavePresetAs: row("Save preset as…", "Write targets, settings, clip and ground to another file.")
                .writes(JSON, names::preset, Session::save_preset),
        }
        "Traces and capsules" {
            OpenTrace: row(
                "Open a port's trace…",
                "Show where a port's solve first differs from Kinescope's.",
            ).reads(JSON, |session, path| session.unless_unsaved(Pending::OpenTrace(path))),
            OpenCapsule: row("Open bug capsule…", "Load a character, its frames and an instant from one file.")
                .reads(JSON, |session, path| session.unless_unsaved(Pending::OpenCapsule(path))),
            SaveCapsule: row(
                "Save bug capsule…",
                "Write bones, up to 240 frames that end with this one, settings and the instant shown to one file.",
            ).writes(
                JSON,
                |session| names::of_model(session, " capsule.json"),
                |session, path| session.export(path.clone(), "capsule", |session| capsule_bytes(session, &path)),
            ).unless(why::no_frames),
            CopyLink: row(
                "Copy link",
                "Copy pose, instant and camera as text of up to 32 kB that opens when pasted into a Kinescope window.",
            ).runs(copy_link).unless(why::no_frames),
        }
        "Motion file" as submenu {
            AddMotion: row("Add motion from a file…", "Move the character by the clips of a .glb, .gltf, .vrm, .vrma, .fbx or .bvh file.")
                .reads(MOTION, |session, path| motion::file::add(session, &path)).unless(why::no_biped),
            MotionRoles: row("Roles of the motion file", "Show which bone of the motion file plays which role, and choose others.")
                .runs(doctor::session::show_motion).unless(why::no_motion_file),
            RemoveMotion: row("Remove motion of a file", "Remove the clips that were added from a file.")
                .runs(motion::file::remove).unless(why::no_motion_file),
        }
        "Export" as submenu {
            ExportPose: row("Export pose…", "Write the solved pose as JSON, .glb or .bvh.")
                .writes(
                    POSE,
                    |session| names::of_model(session, " pose.glb"),
                    |session, path| session.export(path.clone(), "pose", |session| session.world.pose_bytes(&path)),
                ),
            BakeClip: row("Bake clip…", "Write the clip, grounded and solved, as .glb with mesh or as .bvh.")
                .runs(|session| session.window.dialog = Some(Dialog::BakeOptions))
                .writes(CLIP, names::baked, Session::start_baking).unless(why::no_clip),
            ExportTrace: row("Export trace…", "Write every stage of this solve as JSON.")
                .writes(
                    JSON,
                    |session| names::of_model(session, " trace.json"),
                    |session, path| session.export(path, "trace", Session::trace_json),
                ).unless(why::no_trace),
            ExportCsv: row("Export measures…", "Write measures such as errors, strain and stretch over steps or frames as CSV.")
                .writes(
                    CSV,
                    |session| names::of_model(session, " measures.csv"),
                    |session, path| session.export(path, "table", csv::table),
                ).unless(why::no_steps),
            ExportCsharp: row(
                "Export as C# assignments…",
                "Write parameters and targets that differ from their defaults, by the names of the C# component.",
            ).writes(CSHARP, |session| names::of_model(session, ".cs"), Session::export_csharp),
        }
        "Games" as submenu {
            AttachToGame: row("Attach to a game…", "Wait for a running game and inspect the frames it sends.")
                .runs(Session::attach_to_game).unless(why::in_page),
            StopListening: row("Stop listening", "Stop listening for games and disconnect the connected one. Frames received so far stay.")
                .runs(|session| session.tools.games.connection.stop()).unless(why::not_listening),
            DisconnectGame: row("Disconnect", "Close the game's connection. The game may connect again.")
                .runs(|session| session.tools.games.disconnect()).unless(why::not_connected),
            TuneGame: row(
                "Game tuning",
                "Send parameter edits to the running game at once. When off, an edit pauses and shows a what-if.",
            ).runs(Session::toggle_tuning).on(|session| session.tools.games.tunes).unless(why::in_page),
            OpenRecording: row("Open recording…", "Load frames written by a game or by Kinescope.")
                .reads(RECORDING, Session::open_recording),
            SaveRecording: row("Save recording…", "Write the frames of the game shown, except dropped ones, to one file.")
                .runs(Session::ask_to_save_recording)
                .writes(RECORDING, names::recording, |session, path| session.save_recording(&path))
                .unless(why::no_recording),
            ChooseBodyMesh: row(
                "Choose body mesh…",
                "Draw a character of a game, recording, trace or capsule with the mesh of a model that has bones of the same names.",
            ).reads(MODEL, |session, path| session.choose_body(&path)).unless(why::has_mesh),
            UseCapsules: row("Use capsules", "Drop the chosen mesh and draw bones as capsules.")
                .runs(Session::use_capsules).unless(why::no_body_mesh),
        }
        "Pictures" as submenu {
            CapturePicture: row("Save picture…", "Write the window as PNG.")
                .writes(
                    PNG,
                    |_| "kinescope.png".to_owned(),
                    |session, path| session.window.requests.push(Request::Picture(path)),
                ),
            CapturePlots: row("Save picture of plots…", "Write the plots as PNG.")
                .writes(
                    PNG,
                    |_| "plots.png".to_owned(),
                    |session, path| session.window.requests.push(Request::PlotPicture(path)),
                ),
            CaptureSteps: row("Capture steps…", "Write the picture at every step of the solve shown, as GIF or numbered PNGs.")
                .writes(
                    STEPS,
                    |_| "steps.gif".to_owned(),
                    |session, path| session.window.requests.push(Request::Capture(path)),
                ).unless(why::no_steps),
        }
        "Quit" {
            Quit: row("Quit", "Close the window. Asks about unsaved changes.")
                .key(CTRL, Key::Q).runs(Session::quit).unless(why::in_page),
        }
    }
    "Edit" {
        "Undo" {
            Undo: row("Undo", "Undo the last edit.")
                .key(CTRL, Key::Z).runs(Session::undo)
                .unless(|session| unless(session.world.history.labels().0.is_some(), "Nothing to undo.")),
            Redo: row("Redo", "Redo the last undone edit.")
                .key(CTRL, Key::Y).runs(Session::redo)
                .unless(|session| unless(session.world.history.labels().1.is_some(), "Nothing to redo.")),
        }
        "Pose" {
            PinHandsAndFeet: row(
                "Pin hands and feet",
                "Give hands and feet full position weight, and their current place as target if they have none.",
            ).key(SHIFT, Key::P).runs(Session::pin_hands_and_feet).unless(why::cannot_pose),
            ReleaseEffectors: row("Release effectors", "Clear targets, attachments, weights and offsets of all effectors, and the bends of all limbs.")
                .key(SHIFT, Key::R).runs(Session::release_effectors).unless(why::cannot_pose),
            SelectAll: row(
                "Select all effectors",
                "Edit targets and weights of all effectors together. Shift+click adds or removes one.",
            ).key(PLAIN, Key::A).runs(|session| session.select_together(Effector::Body, EffectorSet::ALL))
                .unless(why::cannot_pose),
            MirrorPose: row("Mirror pose", "Exchange left and right: targets, weights, offsets and bends.")
                .key(SHIFT, Key::M).runs(Session::mirror_pose).unless(why::cannot_mirror),
            MirrorEdits: row("Mirror editing", "Repeat edits of one side on the other.")
                .key(SHIFT, Key::X).runs(Session::toggle_mirroring).on(|session| session.interaction.posing.mirrors),
            AttachTarget: row(
                "Attach target to…",
                "Make the selected target follow a bone or an effector.",
            ).runs(Session::ask_what_to_attach_to).unless(why::no_target),
            DetachTarget: row(
                "Detach target",
                "Detach the selected target. It stays where it is now.",
            ).runs(Session::detach_selected).unless(why::not_attached),
        }
        "Clipboard" {
            CopyPose: row("Copy pose", "Copy targets, weights, offsets and bends to the clipboard, as the text of a preset.")
                .key(CTRL, Key::C).runs(Session::copy_pose).unless(why::cannot_pose),
            PastePose: row(
                "Paste pose",
                "Paste targets, weights, offsets and bends of a preset's text, or any C# assignments.",
            ).key(CTRL, Key::V).runs(|session| session.window.requests.push(Request::Paste)).unless(why::cannot_pose),
        }
        "Parameters" {
            ResetParameters: row("Reset parameters", "Reset the full body's settings and bend goals to their defaults. Effectors keep their settings.")
                .runs(Session::reset_parameters),
        }
    }
    "View" {
        "Character" {
            SolidMesh: row("Solid character", "Draw the character's surface.")
                .key(PLAIN, Key::Num8).runs(|session| session.look.view.mesh = MeshStyle::Solid)
                .on(|session| session.look.view.mesh == MeshStyle::Solid),
            XrayMesh: row("X-ray character", "Show the bones through the surface.")
                .key(PLAIN, Key::Num9).runs(|session| session.look.view.mesh = MeshStyle::Xray)
                .on(|session| session.look.view.mesh == MeshStyle::Xray),
            HiddenMesh: row("No character", "Draw only bones and solver.")
                .key(PLAIN, Key::Num0).runs(|session| session.look.view.mesh = MeshStyle::Hidden)
                .on(|session| session.look.view.mesh == MeshStyle::Hidden),
        }
        "Gizmo" {
            MoveGizmo: row("Move gizmo", "Show arrows on the selected effector or modifier target.")
                .key(PLAIN, Key::W).runs(|session| session.interaction.posing.gizmo = GizmoStyle::Move)
                .on(|session| session.interaction.posing.gizmo == GizmoStyle::Move),
            RotateGizmo: row("Rotate gizmo", "Show rings on the selected effector or modifier target, or arrows if it takes no rotation.")
                .key(PLAIN, Key::E).runs(|session| session.interaction.posing.gizmo = GizmoStyle::Rotate)
                .on(|session| session.interaction.posing.gizmo == GizmoStyle::Rotate),
            BothGizmo: row("Both gizmos", "Show arrows, and rings if the target takes a rotation.")
                .key(PLAIN, Key::T).runs(|session| session.interaction.posing.gizmo = GizmoStyle::Both)
                .on(|session| session.interaction.posing.gizmo == GizmoStyle::Both),
            LocalAxes: row(
                "Gizmo along the bone",
                "Align the gizmo with the target's rotation, or else with the bone's, instead of the world.",
            ).key(PLAIN, Key::Q).runs(|session| session.interaction.posing.local_axes ^= true)
                .on(|session| session.interaction.posing.local_axes),
            Snap: row("Snap", "Move in steps of a fifth of the grid and turn by 15°. Ctrl while dragging inverts snapping.")
                .key(PLAIN, Key::N).runs(|session| session.interaction.posing.snaps ^= true)
                .on(|session| session.interaction.posing.snaps),
        }
        "Solver" {
            BendDefaults: row(
                "Default bends and normals",
                "Show default bend direction and child normal of the selected limb, or of all limbs.",
            ).runs(|session| session.look.view.bend_defaults ^= true).on(|session| session.look.view.bend_defaults),
        }
        "Camera" as submenu {
            FrameSelection: row("Frame selection", "Move the camera to the selected effector, limb, bend goal or chain, or else show everything.")
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
            Orthographic: row("Orthographic view", "Show the picture without perspective.")
                .key(PLAIN, Key::Num5).runs(|session| session.look.camera.toggle_orthographic())
                .on(|session| session.look.camera.orthographic),
        }
        "Navigation" as submenu {
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
                "Right or Alt+left drag orbits, middle drag pans, Alt+right zooms; W moves, E rotates.",
            ).runs(|session| session.look.navigation = Navigation::Unity)
                .on(|session| session.look.navigation == Navigation::Unity),
        }
        "Labels" as submenu {
            NoLabels: row(
                "No labels",
                "Hide labels except names of bodies, lanes and results, and of the handle or bone under the pointer.",
            ).runs(|session| session.look.view.labels = Density::Off).on(|session| session.look.view.labels == Density::Off),
            SelectedLabels: row(
                "Labels of the selection",
                "Label the selection, or else the current step and the effector furthest off target.",
            ).runs(|session| session.look.view.labels = Density::Selected)
                .on(|session| session.look.view.labels == Density::Selected),
            AllLabels: row("All labels", "Label everything that fits.")
                .runs(|session| session.look.view.labels = Density::All).on(|session| session.look.view.labels == Density::All),
        }
        "Window" {
            TogglePanes: row("Hide panes", "Show only the picture.")
                .key(PLAIN, Key::Tab).runs(|session| session.window.hides_panes ^= true)
                .on(|session| session.window.hides_panes),
            ToggleTheme: row("Light theme", "Use dark text on light panes.")
                .runs(|session| session.look.view.light_theme ^= true).on(|session| session.look.view.light_theme),
        }
    }
    "Timeline" {
        "Play" {
            PlayPause: row("Play or pause", "Pause at this instant, or go live again. A recording plays on instead.")
                .key(PLAIN, Key::Space).runs(Session::play_or_pause),
            Live: row("Live", "Follow the newest frame.")
                .key(PLAIN, Key::L).runs(Session::go_live).on(|session| session.world.is_live()),
            PlayClip: row("Play clip", "Play or pause clip, path and moving targets.")
                .key(PLAIN, Key::K).runs(|session| session.world.clip.playing ^= true).on(|session| session.world.clip.playing)
                .unless(why::nothing_plays),
            PlayStages: row("Play stages", "Step through the stages automatically at the set speed.")
                .key(SHIFT, Key::Space).runs(|session| session.toggle_playing(Now::PlayingStages))
                .on(|session| session.world.time.now == Now::PlayingStages).unless(why::no_steps),
            PlayFrames: row("Play frames", "Play the recorded frames.")
                .key(CTRL, Key::Space).runs(|session| session.toggle_playing(Now::PlayingFrames))
                .on(|session| session.world.time.now == Now::PlayingFrames).unless(why::no_frames),
            Loop: row("Loop", "Restart stages at the end of the frame, and frames at the end of the recording.")
                .key(PLAIN, Key::O).runs(|session| session.world.time.loops ^= true).on(|session| session.world.time.loops),
        }
        "Steps of a frame" {
            NextStage: row("Next stage", "Step one stage forward, from the last into the next frame. While live, pause at the first stage.")
                .key(PLAIN, Key::Period).runs(|session| session.step_on(Stride::Step)).unless(why::no_steps),
            PreviousStage: row("Previous stage", "Step one stage back, from the first into the previous frame.")
                .key(PLAIN, Key::Comma).runs(|session| session.step_back(Stride::Step)).unless(why::no_steps),
            NextIteration: row("Next iteration", "Go to the start of the next iteration.")
                .key(SHIFT, Key::Period).runs(|session| session.step_on(Stride::Iteration)).unless(why::no_steps),
            PreviousIteration: row("Previous iteration", "Go to the start of this iteration; from there, of the previous one.")
                .key(SHIFT, Key::Comma).runs(|session| session.step_back(Stride::Iteration)).unless(why::no_steps),
            NextMove: row("Next move", "Step one move forward, within a step or into the next.")
                .key(ALT, Key::Period).runs(|session| session.step_on(Stride::Event)).unless(why::no_steps),
            PreviousMove: row("Previous move", "Step one move back, within a step or into the previous.")
                .key(ALT, Key::Comma).runs(|session| session.step_back(Stride::Event)).unless(why::no_steps),
            FirstStep: row("First step", "Go to the first step of the solve shown.")
                .key(PLAIN, Key::Home).runs(|session| session.apply(Action::Steps(StepAction::Seek(Cursor::default()))))
                .unless(why::no_steps),
            LastStep: row("Last step", "Go to the end of the solve shown.")
                .key(PLAIN, Key::End).runs(|session| session.apply(Action::Steps(StepAction::Seek(session.end())))).unless(why::no_steps),
        }
        "Frames" as submenu {
            NextFrame: row("Next frame", "Go to the same stage of the next frame.")
                .key(PLAIN, Key::CloseBracket).runs(|session| session.seek_frame(session.world.time.frame.saturating_add(1)))
                .unless(why::no_frames),
            PreviousFrame: row("Previous frame", "Go to the same stage of the previous frame.")
                .key(PLAIN, Key::OpenBracket).runs(|session| session.seek_frame(session.world.time.frame.saturating_sub(1)))
                .unless(why::no_frames),
            FirstFrame: row("First frame", "Go to the oldest recorded frame.")
                .key(CTRL, Key::Home).runs(|session| session.seek_frame(0)).unless(why::no_frames),
            LastFrame: row("Last frame", "Go to the newest recorded frame.")
                .key(CTRL, Key::End).runs(|session| session.seek_frame(u64::MAX)).unless(why::no_frames),
        }
        "Markers" as submenu {
            Mark: row("Set or remove marker", "Mark the frame shown, or remove its marker.")
                .key(PLAIN, Key::M).runs(Session::toggle_mark).unless(why::no_frames),
            NextMarker: row("Next marker", "Go to the next marked frame.")
                .key(CTRL, Key::CloseBracket).runs(|session| session.seek_marker(true)).unless(why::no_marker),
            PreviousMarker: row("Previous marker", "Go to the previous marked frame.")
                .key(CTRL, Key::OpenBracket).runs(|session| session.seek_marker(false)).unless(why::no_marker),
        }
        "Differences from a game" as submenu {
            NextDifference: row("Next difference", "Go to where the game next starts to differ from Kinescope's solve.")
                .key(PLAIN, Key::J).runs(|session| session.seek_difference(true)).unless(why::no_game),
            PreviousDifference: row("Previous difference", "Go to where the game previously started to differ from Kinescope's solve.")
                .key(SHIFT, Key::J).runs(|session| session.seek_difference(false)).unless(why::no_game),
            ShowResult: row("Game's result", "Draw the result of the game's solver, hollow, over Kinescope's.")
                .runs(Session::toggle_result).on(|session| session.tools.games.shows_result()).unless(why::no_game),
        }
        "Recorded frames" {
            ClearTape: row("Forget recording", "Drop all recorded frames.")
                .runs(Session::clear_tape).unless(why::keeps_tape),
        }
    }
    "Analyse" {
        "What if" {
            DropWhatIf: row(
                "Discard what-if",
                "Discard the changes made while paused and show the recorded frame.",
            ).key(PLAIN, Key::Backspace).runs(Session::drop_what_if).unless(why::no_what_if),
        }
        "Compare" {
            KeepAsB: row("Keep settings as B", "Keep the current settings for comparison.")
                .key(PLAIN, Key::B).runs(Session::keep_as_b),
            CompareWith: row("Compare with preset…", "Load another preset as B and solve it from the same input.")
                .reads(JSON, |session, path| session.compare_with(&path)),
            SwapAB: row("Swap A and B", "Exchange the current settings, A, and those kept as B.")
                .key(PLAIN, Key::X).runs(Session::swap_a_b)
                .unless(|session| unless(session.tools.debugger.compare.is_some(), why::NO_B)),
            EndCompare: row("End comparing", "Remove B and a port's trace, and hide a game's result.")
                .runs(Session::end_compare).unless(why::compares_nothing),
        }
        "Measure" {
            Sweep: row("Run sweep", "Measure the result over the range of one or two parameters.")
                .runs(Session::start_sweep),
            ReachableVolume: row(
                "Reachable volume",
                "Show where the selected hand or foot can reach, and its gap elsewhere.",
            ).key(PLAIN, Key::V).runs(Session::reach_of_selection).unless(why::no_limb),
            ForgetVolume: row("Forget reachable volume", "Remove the reachable volume from the picture.")
                .runs(|session| session.tools.debugger.reach.volume = None).unless(why::no_volume),
            FindPops: row("Find pops", "List joints by their largest jerk in the recording, with frame and stage.")
                .runs(Session::find_pops).unless(why::empty_tape),
            SolveAgain: row(
                "Solve recording again",
                "Solve the recording with the changes made while paused, and compare pops and foot slide.",
            ).runs(Session::start_again).unless(why::no_what_if),
            CancelJobs: row(
                "Cancel work",
                "Cancel a sweep, reachable volume, search for a divergence, measurement of tracker errors, bake, solve of a recording, or opening of a file.",
            ).runs(Session::cancel_jobs).unless(why::no_jobs),
        }
        "Trackers" as submenu {
            SimulateTrackers: row(
                "Simulated trackers",
                "Drive the character by trackers of a user who moves as the clip does.",
            ).runs(trackers::session::toggle).on(|session| trackers::session::settings(session).on).unless(why::no_body),
            CalibrateTrackers: row("Calibrate trackers", "Find proportions of the user and places of the straps.")
                .runs(trackers::session::calibrate).unless(why::no_trackers),
            ForgetCalibration: row("Forget calibration", "Discard the found proportions and the found places of the straps.")
                .runs(trackers::session::forget_calibration).unless(why::not_calibrated),
            MeasureTrackers: row("Measure tracker errors", "Solve the clip from the trackers, and split the errors by cause.")
                .runs(trackers::session::measure).unless(why::no_trackers),
        }
        "Chains" {
            Lab as Lab: pane(&lab::PANE)
                .key(SHIFT, Key::L).runs(Session::toggle_lab).on(|session| session.world.lab().is_some()),
        }
        "Full-body lab" {
            BodyLab as BodyLab: pane(&body_lab::pane::PANE)
                .key(SHIFT, Key::B).runs(body_lab::session::toggle).on(body_lab::session::is_open).unless(why::cannot_pose),
            AddBodyLane: row("Add body lane", "Add a lane with the full body to the full-body lab.")
                .runs(body_lab::session::add_lane).unless(why::no_body_lab),
            FindDivergence: row("Find divergence", "Search the recording or the clip for the first frame and joint in which the two chosen lanes of the full-body lab differ by more than the tolerance, and for the largest difference.")
                .runs(body_lab::session::find_divergence).unless(why::no_divergence),
        }
    }
    "Window" {
        "Panes" {
            ShowOutliner as Outliner: pane(&outliner::PANE),
            ShowInspector as Inspector: pane(&inspector::PANE),
            ShowTimeline as Timeline: pane(&timeline::PANE),
            ShowMotion as Motion: pane(&motion::pane::PANE).key(PLAIN, Key::G),
            Plots as Plots: pane(&plots::PANE).key(PLAIN, Key::P),
            Profiler as Profiler: pane(&profiler::PANE).key(PLAIN, Key::U),
            ShowCompare as Compare: pane(&compare::pane::PANE).key(PLAIN, Key::C),
            ShowSweep as Sweep: pane(&sweep::pane::PANE).runs(Session::toggle_sweep_pane),
            ShowTrackers as Trackers: pane(&trackers::pane::PANE),
            ShowFinder as Finder: pane(&finder::pane::PANE),
            ShowGame as Game: pane(&game::pane::PANE),
            ShowCrowd as Crowd: pane(&crowd::pane::PANE),
        }
        "Layout" {
            NextPane: row("Focus next pane", "Move the keyboard focus to the next pane. Tab moves between controls, Escape leaves the pane.")
                .key(PLAIN, Key::F6).runs(|session| session.window.requests.push(Request::NextPane)),
            ResetLayout: row("Reset layout", "Return all panes to their default places.")
                .runs(|session| session.window.requests.push(Request::ResetLayout)),
        }
    }
    "Help" {
        "Lessons" {
            Learn as Learn: pane(&learn::pane::PANE).runs(learn::session::toggle),
        }
        "Character and bones" {
            RigDoctor: row("Rig doctor", "Show which bone plays which role, with confidence and reason.")
                .key(PLAIN, Key::D).runs(Session::toggle_doctor).on(Session::in_doctor),
        }
        "Find" {
            Palette: row("Command palette", "Find a command, scene or setting by name.")
                .key(CTRL, Key::P).runs(|session| session.toggle(Dialog::Palette)),
            Keys: row("Keys", "Show all shortcuts.").key(SHIFT, Key::Slash).runs(|session| session.toggle(Dialog::Keys)),
        }
    }
}
