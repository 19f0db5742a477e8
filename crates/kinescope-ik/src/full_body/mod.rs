//! The full-body solver: an animated pose and the targets of nine effectors in, a pose of the whole character out.
//!
//! [`FullBody`] is made once for a character, [`Settings`] say what is asked of it, [`FullBody::solve`] does it. The
//! limbs come to terms with each other through the torso: each pulls it towards its own target, by its own weights.
//!
//! ```text
//! pose, settings ─► read ─► Frame (constant) + State (13 nodes) ─► program of steps ─► write ─► solved pose
//! ```
//!
//! [`FullBody::solve`] runs it all. A debugger does the same in pieces: [`FullBody::read`], then every [`Step`] of
//! [`Program::new`] with [`run_stage`], keeping each [`State`], then [`FullBody::write`], a program of steps of its own
//! ([`Writing`]). There is no other code path. [`Recording`] keeps all of it.
//!
//! Everything is in model space and model units. Rotations are unit quaternions: those of poses, of the reference and of
//! effectors are taken bit for bit where they are unit to 1e-5, normalized where their length is within
//! [`UNIT_LENGTH`](crate::math::UNIT_LENGTH), and refused beyond it; the same holds in C, in Python and in files. Source: the
//! notes on the full-body algorithm.

pub(crate) mod asked;
pub mod bend_constraint;
mod body;
mod check;
pub mod child_constraint;
pub mod constants;
pub mod constraint_pass;
#[cfg(all(test, feature = "json"))]
mod coverage;
mod default_local_state;
pub mod draw;
pub mod effector;
mod error;
pub mod explain;
pub mod explain_writing;
mod hierarchy;
pub mod hooks;
pub mod input;
pub(crate) mod mapping;
pub mod moves;
pub(crate) mod outcome;
pub mod program;
pub mod push;
pub mod reach;
pub(crate) mod read;
pub mod recording;
pub mod rotations_only;
mod run;
pub mod settings;
pub(crate) mod solve;
pub mod stage1;
pub mod stage2;
mod stage_numbers;
pub mod state;
pub mod trigonometric;
pub mod writing;
pub mod written;

pub use crate::names::{BendSource, Chain, Effector, Node, Nodes};
pub use body::{FullBody, facing};
pub use check::check;
pub use default_local_state::DefaultLocalState;
pub use error::{Field, InputError, Status};
pub use hierarchy::Bones;
pub use hooks::{HookedSolve, Hooks, Pushing};
pub use moves::{Author, Cause, Move, OffsetShare};
pub use outcome::Outcome;
pub use program::{Program, Solve, Stage, Step, run_stage};
pub use read::Workspace;
pub use recording::Recording;
pub use run::BodyRun;
pub use settings::{ChainSettings, EffectorSettings, Settings, Smoothing, SolverSettings};
pub use state::{Frame, State};
pub use writing::Writing;
pub use written::{BoneMove, Moved, Part, WriteCause, Written};
