//! The session: all that the window shows and the user does, without a window.
//!
//! Panes read a [`Session`] and return [`Action`]s. [`Session::apply`] is the only place that runs them.

mod action;
pub mod answers;
pub mod autosave;
pub mod commands;
mod editing;
pub(crate) mod files;
mod focusing;
pub mod framing;
pub mod headless;
mod keep;
pub mod navigation;
mod notices;
pub mod opening;
pub(crate) mod pane;
mod parts;
mod replacing;
mod scene;
mod solving;
mod updating;
mod words;

pub(crate) use crate::tools::motion::session::Stroke;
pub use crate::tools::motion::session::{Brush, Tool};
pub use crate::tools::pose::session::Posing;
pub(crate) use crate::tools::pose::session::SNAP_ANGLE;
pub(crate) use crate::world::World;
pub use crate::world::{GizmoStyle, MeshStyle, Now, Selection, View};
pub use action::{Action, Dialog, Notice, Pending, Request};
pub use commands::Pane;
pub use opening::Start;
pub(crate) use parts::{Files, Interaction, Look, StartedScene, WindowState};

use crate::character::Character;
use crate::scenes::SCENES;
use crate::session::words as text;
use crate::tools::body_lab::BodyLabView;
use crate::tools::chains::ChainView;
use crate::tools::crowd::CrowdView;
use crate::tools::game::Games;
use crate::tools::learn::Learn;
use crate::tools::motion;
use crate::tools::steps::Debugger;
use kinescope_ik::debug_draw::Layers;
use kinescope_ik::full_body::State;
use kinescope_ik::rig::{RigidTransform, Skeleton};
use kinescope_ik::stack::LayerId;

use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::trace::Rig;

pub struct Session {
    pub world: World,
    pub tools: Tools,
    pub files: Files,
    pub started_scene: StartedScene,
    pub look: Look,
    pub interaction: Interaction,
    pub window: WindowState,
}

#[derive(Default)]
pub struct Tools {
    pub debugger: Debugger,
    pub chains: ChainView,
    pub body_lab: BodyLabView,
    pub crowd: CrowdView,
    pub games: Games,
    pub learn: Learn,
    pub(crate) motion_inputs: motion::session::MotionInputs,
    pub(crate) motion_files: motion::file::MotionFiles,
}

/// Keys per second of a baked clip if motion has no frame rate.
const BAKED_RATE: f32 = 30.0;

impl Session {
    pub fn new(character: Character) -> Self {
        let mut session = Self {
            world: World::new(character),
            tools: Tools::default(),
            files: Files::default(),
            started_scene: StartedScene::default(),
            look: Look::default(),
            interaction: Interaction::default(),
            window: WindowState::default(),
        };
        session.frame_all();
        session.start_scene(&SCENES[0]);
        session.update(0.0);
        session
    }

    /// Returns the full body's state at the cursor, or its last state while another layer is in focus. If limbs are solved
    /// individually, or only another solver poses the body, returns a state with the node positions of the picture. `None` if
    /// no layer poses the body.
    pub fn state(&self) -> Option<State> {
        if self.world.solved.limbs().is_some() {
            return self.world.state_of_pose();
        }
        let Some(run) = self.world.solved.full_body().filter(|run| run.steps() > 0) else {
            let solves = |layer| layer != LayerId::FullBody && self.world.stack().is_on(layer);
            return if LayerId::body_solvers().any(solves) { self.world.state_of_pose() } else { None };
        };
        let at = if self.focus() == LayerId::FullBody { self.world.time.cursor } else { Cursor::end(run) };
        Some(run.state(at))
    }

    pub(crate) fn solver_layers(&self) -> Layers {
        self.look.view.solver_layers(!self.world.time.is_paused() && !self.world.character.model.meshes.is_empty())
    }

    pub(crate) fn toggle(&mut self, dialog: Dialog) {
        // Only the key table, the palette and the rig doctor give way. The others, such as a question, stay open until
        // the user answers or closes them.
        let gives_way = matches!(self.window.dialog, None | Some(Dialog::Keys | Dialog::Palette | Dialog::RigDoctor));
        if !gives_way {
            return;
        }
        self.window.dialog = if self.window.dialog.as_ref() == Some(&dialog) { None } else { Some(dialog) };
    }
}

pub fn rig_of(character: &Character, animated: &[RigidTransform]) -> Result<Rig, String> {
    let biped = match (&character.rig.full_body, &character.detection.biped) {
        (Ok(_), Some(biped)) => biped.clone(),
        (Err(error), _) => return Err(format!("{}: {error}", character.model.name)),
        (Ok(_), None) => return Err(text::no_biped(&character.model.name)),
    };
    Ok(Rig {
        skeleton: Skeleton::clone(&character.model.skeleton),
        biped,
        reference: character.detection.reference.bones.clone(),
        animated: animated.to_vec(),
    })
}
