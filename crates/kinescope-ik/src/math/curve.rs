//! Curves over time, in closed form: the same at any frame rate.

use super::smoothstep;

/// From 0 to 1 in `attack` seconds, and back in `release`: smooth at both ends and at the peak, and 0 outside.
///
/// `c(t) = s(t / attack)` up to the peak, `1 − s((t − attack) / release)` after it, with `s(x) = x² (3 − 2x)`.
pub fn impulse(age: f32, attack: f32, release: f32) -> f32 {
    if age < attack { part(age, attack) } else { 1.0 - part(age - attack, release) }
}

/// From 0 to 1 in `approach` seconds, 1 for `hold`, back to 0 in `release`.
pub fn envelope(age: f32, [approach, hold, release]: [f32; 3]) -> f32 {
    if age < approach { part(age, approach) } else { 1.0 - part(age - approach - hold, release) }
}

/// [`smoothstep`] of a time within a span; a span of no length is over at once.
pub(crate) fn part(time: f32, span: f32) -> f32 {
    match span > 0.0 {
        true => smoothstep((time / span).clamp(0.0, 1.0)),
        false => f32::from(u8::from(time >= 0.0)),
    }
}

/// The part of a span at which [`part`] comes to a value, 0 to 1.
pub(crate) fn part_at(value: f32) -> f32 {
    // The root of x² (3 − 2x) = value within 0 to 1.
    0.5 - ((1.0 - 2.0 * value.clamp(0.0, 1.0)).asin() / 3.0).sin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn curves_stay_between_nothing_and_all(age in -1.0f32..5.0, a in 0.0f32..1.0, h in 0.0f32..1.0, r in 0.0f32..1.0) {
            for value in [impulse(age, a, r), envelope(age, [a, h, r])] {
                prop_assert!((0.0..=1.0).contains(&value), "{value}");
            }
            prop_assert_eq!(impulse(a + r + 1e-3, a, r), 0.0);
        }

        #[test]
        fn a_part_is_found_by_its_value(value in 0.0f32..=1.0) {
            prop_assert!((part(part_at(value), 1.0) - value).abs() < 1e-5);
        }
    }
}
