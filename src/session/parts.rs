//! What a session is made of beside its document: parts that own their fields.

use std::path::PathBuf;
use std::sync::Arc;

use super::opening::{Opened, Opening};
use super::{Action, Brush, Dialog, Notice, Pending, Posing, Request, Selection, Stroke};
use crate::character::Roles;
use crate::picture::camera::{Camera, Viewport};
use crate::picture::navigation::Navigation;
use crate::scenes::{Scene, Stand};
use crate::shell::autosave::Left;
use crate::system::files::RecentFiles;
use crate::system::jobs::Job;
use crate::tools::doctor::Doctor;
use crate::tools::export::Written;
use crate::tools::pose::handles::{HandleDrag, HandleId};
use kinescope_ik::debugger::variants::Variants;
use kinescope_ik::debugger::why::Why;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::{LocalPose, ModelPose};
use kinescope_ik::stack::{Gap, Stack};
use kinescope_ik::timing::{Clock, Times};

/// The files that a session has to do with.
#[derive(Default)]
pub struct Files {
    /// Of the preset; `None` until it has a name.
    pub preset: Option<PathBuf>,
    /// What was in that file when it was read or written.
    pub(crate) on_disk: Option<u64>,
    pub recent: RecentFiles,
    /// Left by a window that did not end by itself, until it is decided about.
    pub left: Option<Left>,
    /// Decided about: its files may go once what was taken back is kept again.
    pub done_with: Option<Left>,
    /// The preset that waits until its model is found.
    pub(crate) asked: Option<PathBuf>,
    /// What is different about the character that the preset was opened on; `None` for the one that it was made with.
    pub difference: Option<String>,
    /// A model that is being opened.
    pub(crate) opening: Option<Opening>,
    /// The model that was opened, until the user has decided about unsaved changes.
    pub(crate) opened: Option<Opened>,
    /// The search for the roles that the document asks for.
    pub(crate) finding: Option<Job<Roles>>,
    /// The clip that is being baked, and where it will be written.
    pub baking: Option<(PathBuf, Job<Result<Written, String>>)>,
    /// What waits until the preset is saved.
    pub(crate) after_save: Option<Pending>,
    /// What writes over a file that exists, until that is decided.
    pub(crate) to_overwrite: Option<Box<Action>>,
}

/// The scene that was begun.
#[derive(Default)]
pub struct Begun {
    pub scene: Option<&'static Scene>,
    /// The character came with it, of those that come along.
    pub(crate) brought: bool,
    /// How the character stood when it began.
    pub(crate) stand: Stand,
    /// Seconds since.
    pub(crate) time: f32,
}

/// The frame shown as the picture has it.
#[derive(Default)]
pub struct Picture {
    /// The pose handed to the solve.
    pub animated: ModelPose,
    /// The pose at the cursor, written to the bones.
    pub pose: ModelPose,
    /// What was asked of it.
    pub(crate) stack: Arc<Stack>,
    /// Of the pose.
    pub gaps: Vec<Gap>,
    /// What each step of the layer in focus left to its targets.
    pub lefts: Vec<f32>,
    /// Why the effector that is selected, or the one furthest off, is not on its target; in the picture, but for the cure,
    /// which is for what the frame comes to.
    pub why: Option<Why>,
    /// The same effector instead of [`Self::why`] where the cursor is in the writing of the bones and its bone is yet to be
    /// written.
    pub unwritten: Option<Effector>,
    pub(crate) why_asked: Option<(Effector, u64)>,
    /// Buffers for the cures that are tried.
    pub(crate) variants: Variants,
    /// What drawing takes, over the last pictures; `None` where nothing is measured.
    pub drawing: Option<Times>,
    /// Not there for pictures, which are to repeat bit for bit.
    pub(crate) clock: Option<Clock>,
    /// The newest frame of the tape, until it is known what drawing it took.
    pub(crate) undrawn: Option<u64>,
    /// Counts the frames that were shown, and the times that one was shown again.
    pub(crate) solves: u64,
    /// Counts solves of the whole stack on the drawing thread: of frames shown, of those recorded, and of second results.
    pub stack_solves: u64,
    pub(crate) local: LocalPose,
}

/// What is looked at, and from where.
pub struct Look {
    pub camera: Camera,
    pub viewport: Viewport,
    /// The camera as framing the character left it.
    pub(crate) framed: Option<Camera>,
    /// What is solved next may be cut by it.
    pub(crate) is_unchecked: bool,
    /// Whose habits mouse and keys follow.
    pub navigation: Navigation,
    /// The camera goes where the character goes.
    pub follows: bool,
}

impl Default for Look {
    fn default() -> Self {
        let viewport = Viewport { min: glam::Vec2::ZERO, size: glam::Vec2::new(800.0, 600.0) };
        Self {
            camera: Camera::default(),
            viewport,
            framed: None,
            is_unchecked: false,
            navigation: Navigation::default(),
            follows: true,
        }
    }
}

/// What the pointer has hold of.
pub struct Hands {
    pub selection: Selection,
    pub hovered: Option<HandleId>,
    pub drag: Option<HandleDrag>,
    pub posing: Posing,
    pub brush: Brush,
    /// What is sculpted now.
    pub stroke: Option<Stroke>,
    /// A click on the body is a blow.
    pub strikes: bool,
    /// A field of the panes has the keyboard: it belongs to what is selected, so only the user selects something else.
    pub types: bool,
    /// The effector whose keys are shown.
    pub keyed: Effector,
    pub(crate) gestures: u64,
}

impl Default for Hands {
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

/// The window around the picture.
#[derive(Default)]
pub struct Desk {
    /// They are hidden, and the picture has all the room.
    pub hides_panes: bool,
    pub dialog: Option<Dialog>,
    pub notice: Option<Notice>,
    /// What is to be told once what went wrong has been read.
    pub mention: Option<String>,
    pub doctor: Doctor,
    /// For the window; it takes them.
    pub requests: Vec<Request>,
    pub quit: bool,
    /// Counts the characters that were taken.
    pub characters: u64,
}
