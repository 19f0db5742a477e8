//! Grounding: places feet and pelvis so that a character stands on uneven ground.
//!
//! ```text
//! root, animated feet, dt ─► foot_ik or predictive, casting at a Ground ─► goals of the feet, offset of the pelvis
//! ```
//!
//! A grounder moves no bone; *Foot IK with velocity prediction* calls it the «IK goal solver». The caller moves the
//! pelvis by [`Output::pelvis`], then uses each leg's [`LegOutput`] as a target. [`Legs`] creates the [`Input`] and
//! does both, either in the settings of the full-body solver or by solving each limb alone.
//!
//! There are two grounders. [`foot_ik`] casts one ray per foot, and the caller's weights, for example from a
//! [curve](WeightCurve), define when a foot is planted (source: *Foot IK by ray and curve*). [`predictive`] casts where
//! each foot will be, by its velocity (source: *Foot IK with velocity prediction*). The smoothing of both hardly
//! depends on the frame rate, unless [`Update::PerFrame`] is set for comparison. They have a small `Copy` state,
//! allocate nothing, and return finite output for any input. Each is a program of steps; a [`Recording`] keeps the
//! state after every step.
//!
//! Everything is in world space (the space of the ground), in metres, seconds and radians unless stated otherwise. Up
//! is the root's up: heights are measured along it from the root's level.
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::RigidTransform;
//! use kinescope_ik::ground::{Ground, Hit};
//! use kinescope_ik::grounding::{FootGeometry, FootIkSettings, FootIkState, FootInput, Input, Root, foot_ik};
//! use kinescope_ik::stepped::Unwatched;
//!
//! /// Flat, but 10 cm higher on the left. A game would query its physics instead.
//! struct Kerb;
//!
//! impl Ground for Kerb {
//!     fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
//!         let height = if from.x > 0.0 { 0.1 } else { 0.0 };
//!         let way = (height - from.y) / direction.y;
//!         let hit = Hit { point: from + direction * way, normal: Vec3::Y, distance: way };
//!         (0.0..=distance).contains(&way).then_some(hit)
//!     }
//!
//!     // Only the predictive grounder casts these.
//!     fn sphere(&self, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
//!         None
//!     }
//!
//!     fn capsule(&self, _: Vec3, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
//!         None
//!     }
//! }
//!
//! let (settings, mut state) = (FootIkSettings::default(), FootIkState::default());
//! let feet = [0.1, -0.1].map(|x| {
//!     let ankle = RigidTransform { position: Vec3::new(x, 0.08, 0.0), ..RigidTransform::IDENTITY };
//!     FootInput::new(ankle, FootGeometry { ankle_height: 0.08, ..FootGeometry::default() })
//! });
//! // Every frame, with the animated feet and the root of that frame.
//! let input = Input { root: Root::ORIGIN, feet, dt: 1.0 / 60.0 };
//! let output = foot_ik::solve(&settings, &input, &mut state, &Kerb, &mut Unwatched);
//! assert!((output.legs[0].offset - 0.1).abs() < 1e-3 && output.legs[1].offset.abs() < 1e-3);
//! ```

pub(crate) mod curve;
pub mod derive;
pub mod draw;
pub(crate) mod event;
pub mod explain;
mod explain_limbs;
mod explain_lines;
pub mod foot_ik;
pub mod footprint;
mod footprint_run;
mod frame;
pub mod handover;
pub mod held;
mod input;
mod leg;
pub mod legs;
pub mod limbs;
mod limbs_run;
pub mod lock;
mod lock_run;
mod output;
mod pelvis;
pub mod predictive;
pub mod qualities;
mod reach;
pub mod recording;
mod run;
pub mod settings;
pub(crate) mod speed;
mod state;

pub use crate::math::filter::Update;
pub use crate::names::Side;
pub use curve::{Key, WeightCurve};
pub use derive::{DeriveSettings, derive_weights};
pub use event::{Cast, Event, Purpose, Shape};
pub use foot_ik::{FootHeight, FootIkSettings, FootIkState};
pub use footprint::{Footprint, FootprintSettings, FootprintState};
pub use footprint_run::FootprintRun;
pub use frame::{LegFrame, Passing};
pub use held::{HeldCasts, HeldGround};
pub use input::{FARTHEST, FIRST_FRAME, FootGeometry, FootInput, Input, LONGEST_FRAME, Reach, Root};
pub use legs::{DriveWeights, Legs};
pub use limbs::{LimbSettings, LimbWorkspace};
pub use limbs_run::LimbsRun;
pub use lock::{LockSettings, LockState};
pub use lock_run::LockRun;
pub use output::{LegOutput, Output};
pub use predictive::{Program, Stage, Step, read, run_stage};
pub use qualities::QualityLane;
pub use reach::FULLEST_REACH;
pub use recording::{Recording, Solver, SolverState, SolverStep, solve};
pub use run::GroundRun;
pub use settings::{PredictiveSettings, Quality};
pub use speed::{SpeedSettings, SpeedState, WeightSource, weights as speed_weights};
pub use state::{Frame, LegState, PelvisState, State};
