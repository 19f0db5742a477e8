//! Full-body inverse kinematics for characters in [Bevy](https://bevy.org), by Kinescope.
//!
//! Put [`FindRig`] and [`Ik`] on a character's root entity and an [`EffectorTarget`] on the entity that a hand follows. After
//! the animation and before transforms are propagated, the plugin reads the pose, solves it, and writes the bones that the
//! solver moves.
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//! use bevy_transform::components::Transform;
//! use kinescope_ik::Effector;
//! use kinescope_bevy::{EffectorTarget, FindRig, Ik, KinescopePlugin};
//!
//! fn set_up(mut commands: Commands) {
//!     // The character's root: its bones are among its descendants, as in a spawned glTF scene.
//!     let character = commands.spawn((Transform::default(), FindRig, Ik::default())).id();
//!     // The left hand follows this entity.
//!     commands.spawn((
//!         Transform::from_xyz(0.4, 1.2, 0.5),
//!         EffectorTarget::new(character, Effector::LeftHand),
//!     ));
//! }
//!
//! let mut app = App::new();
//! // Frames are sent to a window started with `kinescope --listen`, before or after the game.
//! app.add_plugins(KinescopePlugin::default().sending_to("127.0.0.1:7468"));
//! app.add_systems(bevy_app::Startup, set_up);
//! app.update();
//! ```
//!
//! Bevy has the same axes as Kinescope: right-handed, +Y up. Settings are in model space, the space of the character's root
//! entity; the plugin transforms [`EffectorTarget`] and [`BendGoal`] from the world to it.

#![warn(missing_docs)]

#[cfg(feature = "gizmos")]
mod gizmos;
mod link;
mod rig;
mod solve;

use bevy_app::{AnimationSystems, App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_transform::TransformSystems;
use kinescope_ik::{Effector, LimbName, Settings};

#[cfg(feature = "gizmos")]
pub use gizmos::{ShowSolve, draw};
pub use link::Link;
pub use rig::{Rig, RigBone, RigProblem};

/// Adds the solver to an app.
#[derive(Clone, Debug, Default)]
pub struct KinescopePlugin {
    send_to: Option<String>,
}

impl KinescopePlugin {
    /// Sends every character's frames to a window that listens at `address`, `host:port`. By default nothing is sent.
    pub fn sending_to(self, address: &str) -> Self {
        Self { send_to: Some(address.to_owned()) }
    }
}

/// The plugin's systems in [`PostUpdate`]: after [`AnimationSystems`], before [`TransformSystems::Propagate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub enum KinescopeSystems {
    /// Searches below every [`FindRig`] for a rig.
    Find,
    /// Combines [`Ik`], targets and bend goals into the settings of each solve. Systems that add to [`Ik`] for one frame, such
    /// as recoil, run before it.
    Prepare,
    /// Reads, solves and writes poses.
    Solve,
    /// Sends and draws solves.
    Report,
}

impl Plugin for KinescopePlugin {
    fn build(&self, app: &mut App) {
        use KinescopeSystems::{Find, Prepare, Report, Solve};
        let order = (Find, Prepare, Solve, Report).chain();
        app.configure_sets(PostUpdate, order.after(AnimationSystems).before(TransformSystems::Propagate));
        app.add_systems(
            PostUpdate,
            (rig::find_rigs.in_set(Find), solve::prepare.in_set(Prepare), solve::solve.in_set(Solve)),
        );
        if let Some(address) = &self.send_to {
            app.insert_resource(Link::new(address));
            app.add_systems(PostUpdate, link::send.in_set(Report));
        }
        #[cfg(feature = "gizmos")]
        app.add_systems(
            PostUpdate,
            gizmos::draw_solves.in_set(Report).run_if(
                bevy_ecs::schedule::common_conditions::resource_exists::<bevy_gizmos::config::GizmoConfigStore>,
            ),
        );
    }
}

/// A component for a character's root entity: the plugin searches its descendants for a biped and then replaces this component
/// by a [`Rig`]. The pose at that moment becomes the reference pose, which gives lengths and bend directions, so the
/// character must stand with its arms out.
#[derive(Clone, Copy, Debug, Default, Component)]
pub struct FindRig;

/// The settings of a character's solver, in model space. Offsets apply to one frame and are cleared after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Component)]
pub struct Ik(pub Settings);

impl Ik {
    /// Returns the parameters of an effector.
    pub fn effector(&mut self, effector: Effector) -> &mut kinescope_ik::EffectorSettings {
        self.0.effector_mut(effector)
    }

    /// Returns the parameters of a limb.
    pub fn chain(&mut self, limb: LimbName) -> &mut kinescope_ik::ChainSettings {
        self.0.chain_mut(limb)
    }
}

/// A component for an entity that an effector of a character follows. It overrides the effector's target and weights in
/// [`Ik`].
#[derive(Clone, Copy, Debug, PartialEq, Component)]
pub struct EffectorTarget {
    /// The entity with the [`Rig`].
    pub character: Entity,
    /// The effector that follows.
    pub effector: Effector,
    /// The effector's position weight, 0 to 1.
    pub position_weight: f32,
    /// How much the hand or foot takes the entity's rotation, 0 to 1.
    pub rotation_weight: f32,
}

impl EffectorTarget {
    /// Returns a target with position weight 1 and rotation weight 0.
    pub const fn new(character: Entity, effector: Effector) -> Self {
        Self { character, effector, position_weight: 1.0, rotation_weight: 0.0 }
    }
}

/// A component for an entity that an elbow or a knee of a character points to (a pole vector).
#[derive(Clone, Copy, Debug, PartialEq, Component)]
pub struct BendGoal {
    /// The entity with the [`Rig`].
    pub character: Entity,
    /// The limb that bends towards the entity.
    pub limb: LimbName,
    /// How much the goal replaces the natural bend direction, 0 to 1.
    pub weight: f32,
}

/// Runs the examples of the book's page on Bevy as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embed/bevy.md")]
struct Book;
