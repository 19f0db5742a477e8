use std::path::PathBuf;

use super::opening::{Opened, Opening};
use super::{Action, Brush, Dialog, Notice, Pending, Posing, Request, Selection, Stroke, View};
use crate::character::roles::Roles;
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

#[derive(Default)]
pub struct Files {
    pub preset: Option<PathBuf>,
    /// Fingerprint of the preset's file when it was last read or written.
    pub(crate) on_disk: Option<u64>,
    pub recent: RecentFiles,
    /// Work of a window that did not close properly, until the user decides whether to recover it.
    pub recovered: Option<Recovered>,
    /// Recovered work that is restored. Its old files are removed once the work is autosaved again, or nothing is
    /// unsaved.
    pub settled: Option<Recovered>,
    pub(crate) waiting_preset: Option<PathBuf>,
    /// How the character differs from the preset's model. `None` if it does not differ.
    pub difference: Option<String>,
    pub(crate) opening: Option<Opening>,
    /// The loaded model that waits for the answer about unsaved changes.
    pub(crate) opened: Option<Opened>,
    pub(crate) finding: Option<Job<Roles>>,
    pub baking: Option<(PathBuf, Job<Result<Written, String>>)>,
    pub(crate) after_save: Option<Pending>,
    pub(crate) to_overwrite: Option<Box<Action>>,
}

#[derive(Default)]
pub struct StartedScene {
    pub scene: Option<&'static Scene>,
    /// Whether the scene opened its built-in character.
    pub(crate) opened_character: bool,
    pub(crate) rest: RestPose,
    /// Time of the scene's script, seconds.
    pub(crate) time: f32,
}

pub struct Look {
    pub view: View,
    pub camera: Camera,
    pub viewport: Viewport,
    pub(crate) framed: Option<Camera>,
    pub(crate) is_unchecked: bool,
    pub navigation: Navigation,
    pub(crate) follows: bool,
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

pub struct Interaction {
    pub selection: Selection,
    pub hovered: Option<HandleId>,
    pub drag: Option<HandleDrag>,
    pub posing: Posing,
    pub brush: Brush,
    pub stroke: Option<Stroke>,
    /// Whether a click on the body is a blow for the hit reaction.
    pub(crate) strikes: bool,
    /// Whether a text or number field has the focus. Another selection could remove the field, so only the user may change
    /// the selection meanwhile.
    pub types: bool,
    pub(crate) keyed: Effector,
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

#[derive(Default)]
pub struct WindowState {
    pub hides_panes: bool,
    pub dialog: Option<Dialog>,
    pub notice: Option<Notice>,
    /// A message that follows once the user has dismissed the error shown.
    pub(crate) mention: Option<String>,
    pub doctor: Doctor,
    pub requests: Vec<Request>,
    pub quit: bool,
    /// Changes with every new character.
    pub characters: u64,
    /// Changes with every choice of a body mesh for the same character.
    pub bodies: u64,
}
