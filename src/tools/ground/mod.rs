pub(crate) mod pane;
pub(crate) mod picture;
pub(crate) mod terrain;
pub(crate) mod words;
