//! The modifiers of the stack.

pub mod pane;
pub mod session;
