//! Modifiers of the stack: their inspector, triggers and handles.

pub mod pane;
pub mod session;
pub mod words;
