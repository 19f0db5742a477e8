//! The joints of a biped as a tree of rotations, for the solvers on joint angles and on rigid bones.
//!
//! [`Joints`] are the bones that such a solver moves: pelvis, spine, neck, head, and the bones of the limbs. They are
//! made once for a character. In each frame [`Joints::read`] converts a pose to rotations relative to the parent joint
//! ([`JointPose`]), [`Joints::place`] computes positions ([`Placement`]), [`Goals::resolve`] reads effectors and bend
//! goals from the full body's settings, and [`Joints::write`] writes the result. Other bones below the pelvis move
//! rigidly with the nearest joint above them.
//!
//! Lengths are in model units, angles in radians. Reading a valid pose, placing and writing allocate nothing.
//!
//! Sources: P. de Leva, *Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters* (1996), for masses and centres
//! of mass; C. Norkin and D. White, *Measurement of Joint Motion*, and the tables of the American Academy of Orthopaedic
//! Surgeons in it, for the ranges of joints.

mod anatomy;
mod body_solver;
mod capsules;
mod goals;
mod joint;
mod limits;
mod measures;
mod mobility;
mod path;
mod pose;
mod sampled;
mod support;
mod views;

pub(crate) use body_solver::BodySolver;
pub use capsules::Gap;
pub use goals::{Bend, Goal, Goals, Toward};
pub use joint::{Joint, JointIndex, Joints, MAX_JOINTS, Part};
pub use limits::{JointLimit, JointLimits, JointRange, JointRanges};
pub(crate) use path::Path;
pub use pose::{JointPose, Placement};
pub use support::Support;
