//! Modifiers: what a game does to a character between the phases of a solve. Source: *Full-body notes*,
//! «OnPreUpdate» to «OnPostUpdate», «OffsetModifier».
//!
//! | phase | *Full-body notes* | what it may do |
//! |---|---|---|
//! | before read | OnPreUpdate, OnPreRead | add to effectors' offsets, set their targets and weights, turn bones of the animated pose |
//! | before the solve | OnPreSolve | push nodes |
//! | before and after each iteration | OnPreIteration, OnPostIteration | push nodes |
//! | before the bend pass | OnPreBend | push nodes; say how elbows and knees bend |
//! | before write | OnPostSolve | push nodes |
//! | after write | OnPostUpdate | turn and move bones |
//!
//! To move hands, feet or the body for a frame, add to the effector's offset before read: offsets of all modifiers add
//! up, count most where the effector has no position weight, and are gone after the frame. What pushing a node between
//! the stages does, and does not, stands at [`hooks`](crate::full_body::hooks).
//!
//! A modifier is plain settings and a plain [`Memory`] of what went by; [`Modifier`] has those that are built in. A game
//! adds its own by implementing [`Modify`], and calls [`solve`]. All of them are functions of the time that went by, not of
//! the number of frames.
//!
//! ```text
//! animated pose ─► before read ─► grounding ─► read ─► iterations … bend ─► write ─► after write ─► solved pose
//!                  Ask: settings, pose         Pushing: nodes                        Bones: pose
//! ```

mod act;
mod ages;
mod arm_bending;
mod ask;
mod breathing;
mod draw;
mod explain;
mod figure;
mod four_bones;
mod grip;
mod head;
mod hit_reaction;
mod inertia;
mod keyed;
mod kind;
mod kinds;
mod look_at;
mod modify;
mod program;
mod reach_for;
mod recoil;
mod run;
mod solving;

pub use act::{Act, Did, Seen};
pub use arm_bending::{ArmBending, elbow};
pub use ask::{Ask, Bones};
pub use breathing::Breathing;
pub use figure::{Figure, TwistBone};
pub use four_bones::{Fold, FourBones};
pub use grip::{Hold, TwoHandedGrip};
pub use head::{Head, HeadBone};
pub use hit_reaction::{Hit, HitReaction};
pub use inertia::Inertia;
pub use keyed::{Key, Keyed, MOST_KEYS, Track};
pub use kind::Kind;
pub use kinds::{Memory, Modifier, Running};
pub use look_at::{Aims, LookAt};
pub use modify::Modify;
pub use program::{After, Asked, AskedRecording, Before, MOST_MODIFIERS, ModifierHooks, Moment, WrittenRecording};
pub use reach_for::ReachFor;
pub use recoil::Recoil;
pub use run::ModifierRun;
pub use solving::solve;
pub(crate) use solving::{after_write, before_read, solve_asked};
