//! Ages of impulses, such as shots and blows, and a timer for automatic shots, blows and reaches.

use serde::{Deserialize, Serialize};

/// Largest number of simultaneous impulses of a modifier; a further one replaces the oldest.
pub const MAX_IMPULSES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ages<T: Copy = ()> {
    /// Age in seconds and data of each impulse.
    pub all: [Option<(f32, T)>; MAX_IMPULSES],
}

impl<T: Copy> Default for Ages<T> {
    fn default() -> Self {
        Self { all: [None; MAX_IMPULSES] }
    }
}

impl<T: Copy> Ages<T> {
    /// Starts an impulse that began `age` seconds ago. Replaces the oldest if all slots are taken.
    pub fn start(&mut self, age: f32, what: T) {
        let of = |own: &Option<(f32, T)>| own.map_or(f32::INFINITY, |(age, _)| age);
        let mut oldest = 0;
        for index in 1..self.all.len() {
            if of(&self.all[index]) > of(&self.all[oldest]) {
                oldest = index;
            }
        }
        self.all[oldest] = Some((age, what));
    }

    /// Adds `dt` seconds to all ages and drops impulses that reach an age of `lasts` seconds.
    pub fn pass(&mut self, dt: f32, lasts: f32) {
        for own in &mut self.all {
            *own = own.map(|(age, what)| (age + dt, what)).filter(|(age, _)| *age < lasts);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (f32, T)> + '_ {
        self.all.iter().flatten().copied()
    }
}

/// Timer of automatic shots, blows or reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Repeat {
    /// Seconds until the next impulse; `None` before the first frame and while the timer is off.
    left: Option<f32>,
}

impl Repeat {
    /// Advances by `dt` seconds. Calls `comes` for each impulse that starts meanwhile, with the impulse's age in
    /// seconds; after more than [`MAX_IMPULSES`] intervals only for the last impulses, which replace all earlier ones.
    /// The first impulse starts with the first frame, the others follow every `interval` seconds. An interval of 0
    /// turns the timer off.
    pub fn pass(&mut self, dt: f32, interval: f32, mut comes: impl FnMut(f32)) {
        if interval <= 0.0 {
            self.left = None;
            return;
        }
        let mut left = self.left.unwrap_or(0.0).min(interval) - dt.max(0.0);
        if left < -interval * MAX_IMPULSES as f32 {
            left = left.rem_euclid(interval) - interval * MAX_IMPULSES as f32;
        }
        while left <= 0.0 {
            comes(-left);
            left += interval;
        }
        self.left = Some(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn repeats_are_as_frequent_at_any_frame_rate(interval in 0.05f32..1.0, rate in 10u32..300) {
            let mut repeat = Repeat::default();
            let mut count = 0;
            for _ in 0..rate * 4 {
                repeat.pass(1.0 / rate as f32, interval, |age| {
                    assert!((0.0..=1.0 / rate as f32 + 1e-3).contains(&age));
                    count += 1;
                });
            }
            let expected = (4.0 / interval).floor() as i32 + 1;
            prop_assert!((count - expected).abs() <= 1, "{count} {expected}");
        }
    }

    #[test]
    fn a_further_impulse_replaces_the_oldest() {
        let mut ages = Ages::<u8>::default();
        for what in 0..6 {
            ages.pass(0.1, 10.0);
            ages.start(0.0, what);
        }
        let mut left: Vec<u8> = ages.iter().map(|(_, what)| what).collect();
        left.sort_unstable();
        assert_eq!(left, [2, 3, 4, 5]);
    }
}
