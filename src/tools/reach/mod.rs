//! The reachable volume of a limb.

pub mod picture;
pub mod session;
pub mod words;
