pub(crate) mod clock;
pub(crate) mod files;
pub mod fonts;
pub(crate) mod jobs;
#[cfg(target_arch = "wasm32")]
pub(crate) mod page;
pub(crate) mod recent;
pub(crate) mod signals;
pub(crate) mod site;
pub(crate) mod text;
pub(crate) mod threads;
pub(crate) mod waker;

pub(crate) const IS_PAGE: bool = cfg!(target_arch = "wasm32");
