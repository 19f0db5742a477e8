//! Full-body inverse kinematics for characters in [Bevy](https://bevy.org), by Kinescope.
//!
//! Put [`FindRig`] and [`Ik`] on a character's root entity, an [`EffectorTarget`] on whatever a hand is to follow, and the
//! plugin does the rest: after the animation and before transforms are propagated it reads the pose, solves it, and writes
//! back those bones alone that the solver moves.
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//! use bevy_transform::components::Transform;
//! use kinescope_ik::Effector;
//! use kinescope_bevy::{EffectorTarget, FindRig, Ik, KinescopePlugin};
//!
//! fn set_up(mut commands: Commands) {
//!     // The root of the character: its bones are among the entities below, as a glTF scene brings them.
//!     let character = commands.spawn((Transform::default(), FindRig, Ik::default())).id();
//!     // Whatever the left hand is to hold, wherever that is.
//!     commands.spawn((
//!         Transform::from_xyz(0.4, 1.2, 0.5),
//!         EffectorTarget::new(character, Effector::LeftHand),
//!     ));
//! }
//!
//! let mut app = App::new();
//! // Frames go to a window that was started with `kinescope --listen`, whenever there is one.
//! app.add_plugins(KinescopePlugin::default().sending_to("127.0.0.1:7468"));
//! app.add_systems(bevy_app::Startup, set_up);
//! app.update();
//! ```
//!
//! Bevy's axes are Kinescope's own: right-handed, +Y up. Everything that is asked of the solver is in the space of the
//! character's root entity; [`EffectorTarget`] and [`BendGoal`] are carried there from the world.

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
    /// Every character's frames go to a window that listens at that address, `host:port`; without it none do.
    pub fn sending_to(self, address: &str) -> Self {
        Self { send_to: Some(address.to_owned()) }
    }
}

/// The plugin's systems in [`PostUpdate`]: after [`AnimationSystems`], before [`TransformSystems::Propagate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub enum KinescopeSystems {
    /// Rigs are found.
    Find,
    /// What is asked of each solver is put together. What adds to [`Ik`] for one frame, recoil say, comes before it.
    Ask,
    /// Poses are read, solved and written.
    Solve,
    /// Solves are sent and drawn.
    Tell,
}

impl Plugin for KinescopePlugin {
    fn build(&self, app: &mut App) {
        use KinescopeSystems::{Ask, Find, Solve, Tell};
        let order = (Find, Ask, Solve, Tell).chain();
        app.configure_sets(PostUpdate, order.after(AnimationSystems).before(TransformSystems::Propagate));
        app.add_systems(PostUpdate, (rig::find_rigs.in_set(Find), solve::ask.in_set(Ask), solve::solve.in_set(Solve)));
        if let Some(address) = &self.send_to {
            app.insert_resource(Link::new(address));
            app.add_systems(PostUpdate, link::send.in_set(Tell));
        }
        #[cfg(feature = "gizmos")]
        app.add_systems(
            PostUpdate,
            gizmos::draw_solves.in_set(Tell).run_if(
                bevy_ecs::schedule::common_conditions::resource_exists::<bevy_gizmos::config::GizmoConfigStore>,
            ),
        );
    }
}

/// On a character's root entity: its bones are looked for among the entities below until there is a biped. Then there is a
/// [`Rig`] in its place. The pose of that moment is the one that lengths and bend directions are taken from: standing, arms
/// out.
#[derive(Clone, Copy, Debug, Default, Component)]
pub struct FindRig;

/// What is asked of a character's solver, in the space of its root entity. Offsets are for one frame and cleared after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Component)]
pub struct Ik(pub Settings);

impl Ik {
    /// The parameters of an effector, to be changed.
    pub fn effector(&mut self, effector: Effector) -> &mut kinescope_ik::EffectorSettings {
        self.0.effector_mut(effector)
    }

    /// The parameters of a limb, to be changed.
    pub fn chain(&mut self, limb: LimbName) -> &mut kinescope_ik::ChainSettings {
        self.0.chain_mut(limb)
    }
}

/// On an entity that an effector of a character follows, wherever that entity goes. It overrules what [`Ik`] says of the
/// effector's target and weights.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
pub struct EffectorTarget {
    /// The entity with the [`Rig`].
    pub character: Entity,
    /// Which effector.
    pub effector: Effector,
    /// How much it draws, 0 to 1.
    pub position_weight: f32,
    /// How much hand or foot turns like the entity, 0 to 1.
    pub rotation_weight: f32,
}

impl EffectorTarget {
    /// Followed fully by place, not by rotation.
    pub const fn new(character: Entity, effector: Effector) -> Self {
        Self { character, effector, position_weight: 1.0, rotation_weight: 0.0 }
    }
}

/// On an entity that an elbow or a knee of a character turns to (a pole vector).
#[derive(Clone, Copy, Debug, PartialEq, Component)]
pub struct BendGoal {
    /// The entity with the [`Rig`].
    pub character: Entity,
    /// Which limb.
    pub limb: LimbName,
    /// How much it counts against the natural direction, 0 to 1.
    pub weight: f32,
}
