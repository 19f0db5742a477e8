//! The volume that a limb reaches.

pub mod picture;
pub mod session;
