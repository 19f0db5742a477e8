//! The reachable volume of a limb.

pub(crate) mod picture;
pub(crate) mod session;
pub(crate) mod words;
