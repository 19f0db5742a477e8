//! Full-body solver: turns an animated pose and the targets of nine effectors into a solved pose.
//!
//! Make one [`FullBody`] per character, set targets and weights in [`Settings`] and call [`FullBody::solve`] every
//! frame. Each limb pulls the torso toward its own target; the weights decide how far the torso follows each limb.
//!
//! ```text
//! pose, settings ─► read ─► Frame (constant) + State (13 nodes) ─► program of steps ─► write ─► solved pose
//! ```
//!
//! [`FullBody::solve`] runs all of it. A debugger runs the same code in pieces: [`FullBody::read`], then [`run_stage`]
//! for every [`Step`] of [`Program::new`], keeping each [`State`], then [`FullBody::write`], whose own steps are in
//! [`Writing`]. [`Recording`] keeps every state.
//!
//! Everything is in model space and model units. The solver uses a rotation unchanged, bit for bit, if its length is
//! within 1e-5 of 1; normalizes it if its length is within [`UNIT_LENGTH`](crate::math::UNIT_LENGTH); and otherwise
//! refuses it. This holds for poses, the reference pose and effectors, and in C, in Python and in files.
//!
//! Source: *Full-body notes*.

pub mod bend_constraint;
mod body;
mod check;
pub mod child_constraint;
pub mod constants;
pub mod constraint_pass;
#[cfg(all(test, repository, feature = "json"))]
mod coverage;
mod default_local_state;
pub mod draw;
pub(crate) mod effector;
mod error;
pub mod explain;
pub mod explain_writing;
mod hierarchy;
pub mod hooks;
pub mod input;
pub(crate) mod input_rows;
pub(crate) mod mapping;
pub(crate) mod moves;
pub(crate) mod outcome;
pub(crate) mod program;
pub(crate) mod push;
pub(crate) mod reach;
pub(crate) mod read;
pub mod recording;
pub mod rotations_only;
mod run;
pub mod settings;
pub(crate) mod solve;
pub(crate) mod stage1;
pub(crate) mod stage2;
mod stage_numbers;
pub mod state;
pub(crate) mod trigonometric;
pub mod writing;
pub(crate) mod written;

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
