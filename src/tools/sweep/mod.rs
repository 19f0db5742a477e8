//! Parameter sweeps and sensitivities.

pub mod pane;
pub mod session;
pub mod words;
