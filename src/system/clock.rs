//! The program's clock for the library's measurements.

use std::sync::OnceLock;
use std::time::Instant;

/// Returns microseconds since the first call: a [`kinescope_ik::timing::Clock`].
pub fn micros() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}
