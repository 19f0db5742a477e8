pub(crate) mod picture;
pub(crate) mod session;
pub(crate) mod words;
