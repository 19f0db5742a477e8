use std::sync::OnceLock;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub(crate) use super::page::Instant;

/// Returns the microseconds since the first call. This function is a [`kinescope_ik::timing::Clock`].
pub(crate) fn micros() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}
