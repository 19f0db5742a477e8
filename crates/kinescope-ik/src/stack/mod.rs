//! The stack: the layers that solve a character, one after the other.
//!
//! ```text
//! animated pose ─► chain … ─► attachments ─► modifiers ─► grounding ─► full body, or limbs ─► modifiers ─► chain … ─► solved pose
//!                                            before IK    (goals)      (modifiers during IK)   after IK
//!              └► lane of the lab, lane, lane …   (side by side, while the lab is open)
//! ```
//!
//! Each layer takes the previous layer's output. A [`Frame`] keeps its [`Input`] and a [run](crate::stepped::Run) for
//! each layer. Solving an input again gives the same frame, bit for bit. Tapes therefore store inputs only, and
//! comparisons solve the same input with another stack.
//!
//! `table.rs` has one row for each layer, from which its names, memory, settings and dispatch are generated; `layers/`
//! has the implementations.

#[macro_use]
mod table;

mod attach;
mod chains;
mod experiments;
#[cfg(feature = "json")]
mod file;
mod frame;
mod grounding;
mod input;
mod kind;
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

pub use attach::{AttachRun, Attached};
pub use chains::{
    ChainSection, ChainSolve, FreeChain, LAB_BONES, LabChain, LabSection, MOST_CHAINS, MOST_LANES, TargetMotion,
    TargetSource,
};
pub use experiments::Experiments;
pub use frame::{Frame, Layer};
pub use grounding::{Drive, GroundingNow, GroundingRule, GroundingSection, MOST_RULES, Method};
pub use input::Input;
pub use layer_id::{LayerId, Memory, Topic};
pub use measures::{Gap, Measure, MeasureId};
pub use order::{OrderSection, Stack};
pub use pass::Tools;
pub use place::Place;
pub use retarget::RetargetRun;
pub use rig::Rig;
pub use solved::Solved;
pub use solving::solve;
