//! Modifiers: changes that a game makes to a character at the phases of a solve. Source: *Full-body notes*,
//! «OnPreUpdate» to «OnPostUpdate», «OffsetModifier».
//!
//! | phase | in the source | what a modifier may do |
//! |---|---|---|
//! | before read | OnPreUpdate, OnPreRead | add to effectors' offsets, set their targets and weights, turn and move bones of the animated pose |
//! | before the solve | OnPreSolve | push nodes |
//! | before and after each iteration | OnPreIteration, OnPostIteration | push nodes |
//! | before the bend pass | OnPreBend | push nodes, set bend directions |
//! | before write | OnPostSolve | push nodes |
//! | after write | OnPostUpdate | turn and move bones |
//!
//! To move hands, feet or the body for one frame, add to the effector's offset before read. Offsets of all modifiers
//! add up, have the most effect where the effector has no position weight, and are cleared after the frame.
//! [`hooks`](crate::full_body::hooks) describes the effect of pushing nodes.
//!
//! Unless stated otherwise, targets, points and directions are in the *space of the poses*: the space in which the
//! caller gives the animated pose, model space or world space. [`Seen::root`] transforms model space to it.
//!
//! A modifier is plain settings and a plain [`Memory`]; [`Modifier`] has the built-in kinds. A game adds its own by
//! implementing [`Modify`] and calling [`solve`]. Built-in kinds that move by themselves advance by elapsed time, not
//! by frames.
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

pub use act::{Act, Change, Seen};
pub use arm_bending::{ArmBending, elbow};
pub use ask::{Ask, Bones};
pub use breathing::Breathing;
pub use figure::{Figure, TwistBone};
pub use four_bones::{Fold, FourBones};
pub use grip::{Hold, TwoHandedGrip};
pub use head::{Head, HeadBone};
pub use hit_reaction::{Hit, HitReaction};
pub use inertia::Inertia;
pub use keyed::{Key, Keyed, MAX_KEYS, Track};
pub use kind::Kind;
pub use kinds::{Memory, Modifier, Running};
pub use look_at::{Aims, LookAt};
pub use modify::Modify;
pub use program::{
    After, Before, InputRecording, MAX_MODIFIERS, ModifiedInput, ModifierHooks, Moment, WrittenRecording,
};
pub use reach_for::ReachFor;
pub use recoil::Recoil;
pub use run::ModifierRun;
pub use solving::{Between, after_write, before_read, solve, solve_with_hooks};
