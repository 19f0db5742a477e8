pub(crate) mod clock;
pub mod files;
pub mod fonts;
pub mod jobs;
pub mod order;
#[cfg(target_arch = "wasm32")]
pub(crate) mod page;
pub mod recent;
pub mod signals;
pub mod site;
pub mod text;
pub(crate) mod threads;
pub(crate) mod waker;

pub(crate) const IS_PAGE: bool = cfg!(target_arch = "wasm32");
