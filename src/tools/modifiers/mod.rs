//! Modifiers of the stack: their inspector, triggers and handles.

pub(crate) mod pane;
pub mod session;
pub(crate) mod words;
