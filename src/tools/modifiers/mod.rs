pub(crate) mod pane;
pub mod session;
pub(crate) mod words;
