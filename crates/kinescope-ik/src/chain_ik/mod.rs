//! Solvers for single chains of bones: CCD, FABRIK and two-bone, with joint limits.
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::chain_ik::{Chain, Goal, Limit, Problem, Settings, Solver, Workspace, solve};
//!
//! // Once per chain: three bones, the second hinged like a knee.
//! let mut chain = Chain::from_lengths(&[0.4, 0.35, 0.1])?;
//! chain.set_limit(1, Limit::Hinge { axis: Vec3::X, min: 0.0, max: 2.5 })?;
//! let settings = Settings { solver: Solver::Ccd, tolerance: 1e-3, max_iterations: 50, ..Settings::default() };
//! let (mut state, mut workspace) = (chain.rest().clone(), Workspace::default());
//!
//! // Every frame, starting from the previous frame's result.
//! let goals = [Goal::end(&chain, Vec3::new(0.1, 0.4, 0.3))];
//! let outcome = solve(&Problem { chain: &chain, settings: &settings, goals: &goals }, &mut state, &mut workspace)?;
//! assert!(outcome.is_reached() && state.end().distance(goals[0].position) <= 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! Chain (bones, lengths, limits: constant) + Settings + Goals = Problem
//! State (joints, rotations) ─► program of steps ─► State, Outcome
//! ```
//!
//! [`solve`] runs the whole program. A [`Recording`] runs the same program and keeps the [`State`] after each [`Step`].
//! A caller can also pass the steps of [`Program::next`] to [`run_stage`].
//!
//! A chain belongs to a character ([`Chain::of_bones`]) or is free ([`Chain::from_lengths`], [`Chain::from_positions`],
//! [`Chain::branched`]). Positions and lengths are in model units, angles in radians; the space is model space unless
//! an item names another.
//!
//! Sources: *Animation programming notes*, chapter 13 (CCD, FABRIK, limits); *FABRIK with a bend rule*; the FABRIK
//! paper (Aristidou and Lasenby 2011); the CCD paper (Wang and Chen 1991).

mod bend_rule;
pub(crate) mod ccd;
pub mod chain;
pub mod character;
pub mod draw;
pub mod explain;
pub(crate) mod fabrik;
#[cfg(feature = "json")]
pub mod file;
pub(crate) mod hooks;
pub mod limits;
mod map_turn;
pub(crate) mod moves;
pub(crate) mod outcome;
mod plane;
mod plane_limits;
pub(crate) mod problem;
pub(crate) mod program;
pub(crate) mod recording;
mod run;
pub mod settings;
pub mod straighten;
pub(crate) mod two_bone;

pub use chain::{Bone, BonePlace, Chain, State};
pub use hooks::{Hooks, IterationStart, PlacedJoint, solve_with};
pub use limits::Limit;
pub use moves::{Cause, Move};
pub use outcome::{Outcome, StoppedBy};
pub use problem::{Goal, Problem, Workspace};
pub use program::{Program, Solve, Stage, Step, run_stage, solve};
pub use recording::Recording;
pub use run::ChainRun;
pub use settings::{BendRule, CcdTurn, MapTurn, Settings, Solver, Weighting};
pub use two_bone::TwoBone;
