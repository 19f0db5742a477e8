//! Clips and poses: sampling, blending, adding, fading, layers and root motion.

mod additive;
mod blend;
mod clip;
mod crossfade;
mod layer;
#[cfg(all(repository, feature = "import"))]
mod root_motion;
