//! Parts of a session besides its world and its tools.

use std::path::PathBuf;

use super::opening::{Opened, Opening};
use super::{Action, Brush, Dialog, Notice, Pending, Posing, Request, Selection, Stroke, View};
use crate::character::Roles;
use crate::picture::camera::{Camera, Viewport};
use crate::scenes::{RestPose, Scene};
use crate::session::autosave::Recovered;
use crate::session::navigation::Navigation;
use crate::system::jobs::Job;
use crate::system::recent::RecentFiles;
use crate::tools::doctor::Doctor;
use crate::tools::export::Written;
use crate::tools::pose::handles::{HandleDrag, HandleId};
use kinescope_ik::full_body::Effector;

/// Files of the session, and work in progress on them.
#[derive(Default)]
pub struct Files {
    /// File of the preset; `None` until it has a name.
    pub preset: Option<PathBuf>,
    /// Fingerprint of the preset's file when it was last read or written.
    pub(crate) on_disk: Option<u64>,
    pub recent: RecentFiles,
    /// Work recovered from a window that did not close properly, until the user decides.
    pub recovered: Option<Recovered>,
    /// Recovered work that is restored; its old files are removed once the work is autosaved again.
    pub settled: Option<Recovered>,
    /// The preset for which the user chooses a model.
    pub(crate) waiting_preset: Option<PathBuf>,
    /// How the character differs from the preset's model; `None` if it does not differ.
    pub difference: Option<String>,
    /// The model being opened.
    pub(crate) opening: Option<Opening>,
    /// The loaded model that waits for the answer about unsaved changes.
    pub(crate) opened: Option<Opened>,
    /// The running search for the document's roles.
    pub(crate) finding: Option<Job<Roles>>,
    /// The running bake and its output file.
    pub baking: Option<(PathBuf, Job<Result<Written, String>>)>,
    /// Runs after the preset is saved.
    pub(crate) after_save: Option<Pending>,
    /// The action that would overwrite an existing file, until the user decides.
    pub(crate) to_overwrite: Option<Box<Action>>,
}

#[derive(Default)]
pub struct StartedScene {
    pub scene: Option<&'static Scene>,
    /// Whether the scene opened its built-in character.
    pub(crate) opened_character: bool,
    /// Measures of the character when the scene started.
    pub(crate) rest: RestPose,
    /// Time of the scene's script, seconds.
    pub(crate) time: f32,
}

/// View settings and camera.
pub struct Look {
    pub view: View,
    pub camera: Camera,
    pub viewport: Viewport,
    /// The camera after the last framing.
    pub(crate) framed: Option<Camera>,
    /// Whether the next solve must check the framing.
    pub(crate) is_unchecked: bool,
    /// The program whose mouse and key bindings are used.
    pub navigation: Navigation,
    /// Whether the camera follows the character.
    pub follows: bool,
}

impl Default for Look {
    fn default() -> Self {
        let viewport = Viewport { min: glam::Vec2::ZERO, size: glam::Vec2::new(800.0, 600.0) };
        Self {
            view: View::default(),
            camera: Camera::default(),
            viewport,
            framed: None,
            is_unchecked: false,
            navigation: Navigation::default(),
            follows: true,
        }
    }
}

/// Selection, drags and tools.
pub struct Interaction {
    pub selection: Selection,
    pub hovered: Option<HandleId>,
    pub drag: Option<HandleDrag>,
    pub posing: Posing,
    pub brush: Brush,
    /// The current sculpting stroke.
    pub stroke: Option<Stroke>,
    /// Whether a click on the body hits it, for the hit reaction.
    pub strikes: bool,
    /// Whether a text or number field has the focus. Another selection could remove the field, so only the user may change
    /// the selection then.
    pub types: bool,
    /// The effector whose keys are shown.
    pub keyed: Effector,
    pub(crate) gestures: u64,
}

impl Default for Interaction {
    fn default() -> Self {
        Self {
            selection: Selection::Nothing,
            hovered: None,
            drag: None,
            posing: Posing::default(),
            brush: Brush::default(),
            stroke: None,
            strikes: false,
            types: false,
            keyed: Effector::RightHand,
            gestures: 0,
        }
    }
}

/// Dialogs, messages and requests to the window.
#[derive(Default)]
pub struct WindowState {
    pub hides_panes: bool,
    pub dialog: Option<Dialog>,
    pub notice: Option<Notice>,
    /// A message that follows once the current error is dismissed.
    pub mention: Option<String>,
    pub doctor: Doctor,
    /// Requests that the window removes and carries out.
    pub requests: Vec<Request>,
    pub quit: bool,
    /// Changes with every new character or body mesh, so that renderers load its meshes.
    pub characters: u64,
}
