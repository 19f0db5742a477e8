//! Curves over time in closed form, so they are the same at any frame rate.

use super::smoothstep;

/// Rises from 0 to 1 in `attack` seconds and falls back to 0 in `release` seconds; `age` is the time since the start.
/// The slope is 0 at both ends and at the peak, the value is 0 before and after. A duration of 0 makes a step.
///
/// `c(t) = s(t / attack)` up to the peak, `1 − s((t − attack) / release)` after it, with `s(x) = x² (3 − 2x)`.
pub fn impulse(age: f32, attack: f32, release: f32) -> f32 {
    if age < attack { part(age, attack) } else { 1.0 - part(age - attack, release) }
}

/// Rises from 0 to 1 in `approach` seconds, stays at 1 for `hold` seconds, and falls back to 0 in `release` seconds;
/// `age` is the time since the start. The value is 0 before and after.
pub fn envelope(age: f32, [approach, hold, release]: [f32; 3]) -> f32 {
    if age < approach { part(age, approach) } else { 1.0 - part(age - approach - hold, release) }
}

/// Returns [`smoothstep`] of `time / span`, with the fraction clamped to 0–1. A span of 0 steps from 0 to 1 at time 0.
pub(crate) fn part(time: f32, span: f32) -> f32 {
    match span > 0.0 {
        true => smoothstep((time / span).clamp(0.0, 1.0)),
        false => f32::from(u8::from(time >= 0.0)),
    }
}

/// Returns the fraction of a span, 0 to 1, at which [`part`] has the given value.
pub(crate) fn part_at(value: f32) -> f32 {
    // The root of x² (3 − 2x) = value between 0 and 1.
    0.5 - ((1.0 - 2.0 * value.clamp(0.0, 1.0)).asin() / 3.0).sin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn part_at_inverts_part(value in 0.0f32..=1.0) {
            prop_assert!((part(part_at(value), 1.0) - value).abs() < 1e-5);
        }
    }
}
