//! Curves over time in closed form.

use kinescope_ik::math::curve::{envelope, impulse};
use proptest::prelude::*;

use crate::common::property::property;

property! {
    #[test]
    fn curves_stay_between_0_and_1(age in -1.0f32..5.0, a in 0.0f32..1.0, h in 0.0f32..1.0, r in 0.0f32..1.0) {
        for value in [impulse(age, a, r), envelope(age, [a, h, r])] {
            prop_assert!((0.0..=1.0).contains(&value), "{value}");
        }
        prop_assert_eq!(impulse(a + r + 1e-3, a, r), 0.0);
    }
}
