//! Full-body inverse kinematics for characters in [Bevy](https://bevy.org), by Kinescope.
//!
//! Put [`FindRig`] and [`Ik`] on a character's root entity and an [`EffectorTarget`] on the entity that a hand follows.
//! After the animation and before transforms are propagated, the plugin reads the pose, solves it, and writes the bones
//! that the solver moves.
//!
//! `README.md` and `docs/embed/bevy.md` have examples, which are tests of this crate.
//!
//! Bevy has the same axes as Kinescope: right-handed, +Y up. Settings are in model space, the space of the character's
//! root entity; the plugin transforms [`EffectorTarget`] and [`BendGoal`] from the world to it.

#![warn(missing_docs)]

mod components;
#[cfg(feature = "gizmos")]
mod gizmos;
mod link;
mod reflected;
mod rig;
#[cfg(feature = "skins")]
mod skins;
mod solve;

use bevy_app::{AnimationSystems, App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_transform::TransformSystems;

pub use components::{BendGoal, EffectorTarget, FindRig, Grounding, Ik, Modifiers, WorldGround};
#[cfg(feature = "gizmos")]
pub use gizmos::{ShowSolve, draw};
pub use link::Link;
pub use reflected::{
    ReflectedChain, ReflectedChains, ReflectedEffector, ReflectedEffectorSettings, ReflectedEffectors, ReflectedLimb,
    ReflectedSettings, ReflectedSmoothing, ReflectedSolver,
};
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
    /// Searches the descendants of every entity with [`FindRig`] for a biped.
    Find,
    /// Combines [`Ik`], targets and bend goals into the settings of each solve. Systems that add to [`Ik`] for one
    /// frame, such as recoil, run before it.
    Prepare,
    /// Reads poses, runs modifiers and grounding, solves, and writes poses.
    Solve,
    /// Sends and draws solves. A system that changes bones between [`Self::Solve`] and this set changes the pose that
    /// the window gets as the game's result.
    Report,
}

impl Plugin for KinescopePlugin {
    fn build(&self, app: &mut App) {
        use KinescopeSystems::{Find, Prepare, Report, Solve};
        app.register_type::<FindRig>().register_type::<Ik>();
        app.register_type::<EffectorTarget>().register_type::<BendGoal>();
        app.register_type::<Modifiers>().register_type::<Grounding>();
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

/// Runs the examples of the README and of the book's page on Bevy as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/embed/bevy.md")]
struct Book;
