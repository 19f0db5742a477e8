//! The stack: the layers that solve a character, one after the other.
//!
//! ```text
//! animated pose ─► chain … ─► attachments ─► modifiers ─► grounding ─► full body, or limbs ─► modifiers ─► chain … ─► solved pose
//!                                            before IK    (goals)      (modifiers during IK)   after IK
//!              └► lane of the chain lab, lane …  (side by side, instead of the layers above)
//! input of the full body ─► lane of the full-body lab, lane …  (side by side, after the layers above)
//! ```
//!
//! The diagram leaves out retarget (before the attachments), trackers (after them), footprints and foot lock (before and
//! after grounding), and least squares, position-based body and rotations only (after the full body, in this order).
//!
//! Each layer except lanes takes the previous layer's output; lanes do not see each other. A [`Frame`] keeps its
//! [`Input`] and the [run](crate::stepped::Run) of each layer that was solved. Solving an input again for the same rig
//! on the same ground gives the same poses and runs, bit for bit.
//!
//! Poses, targets and goals are in the *space of the poses*, the space of [`Input::animated`]: world space if the caller
//! has applied [`Place::root`] to the animated pose, model space if the root transform is the identity. The chain lab
//! is in model space.
//!
//! `table.rs` has one row for each layer, from which macros generate its names, its dispatch, and the settings and
//! memory that the row declares; `layers/` has the implementations.

#[macro_use]
mod table;

mod attach;
mod body_lab;
mod chains;
mod experiments;
#[cfg(feature = "json")]
mod file;
mod foreign;
mod frame;
mod grounding;
mod input;
mod kind;
mod lab_choices;
mod lab_lanes;
mod layer_id;
mod layers;
mod measures;
mod order;
pub mod parameters;
mod pass;
mod place;
mod retarget;
mod rig;
mod solved;
mod solving;
mod trackers;

pub use attach::{AttachRun, Attached};
pub use body_lab::{BodyLab, BodyLane, ForeignPose, LaneSource};
pub use chains::{
    ChainSection, ChainSolve, FreeChain, LAB_BONES, LabChain, LabSection, MOST_CHAINS, MOST_LANES, TargetMotion,
    TargetSource,
};
pub use experiments::Experiments;
pub use frame::{Frame, Layer};
pub use grounding::{Drive, GroundingNow, GroundingRule, GroundingSection, MOST_RULES, Method};
pub use input::Input;
pub use lab_choices::ChoiceId;
pub use lab_lanes::{Apart, LaneJoint, LaneMeasures, farthest_apart};
pub use layer_id::{LayerId, Memory, Topic};
pub use measures::{Gap, Measure, MeasureId};
pub use order::{OrderSection, Stack};
pub use pass::Tools;
pub use place::Place;
pub use retarget::RetargetRun;
pub use rig::Rig;
pub use solved::Solved;
pub use solving::solve;
pub use trackers::TrackerRun;
