//! When what happens again and again began, and how long ago: the same at any frame rate.

use serde::{Deserialize, Serialize};

/// How many impulses of one modifier there are at a time; one more takes the place of the oldest.
pub const MOST_IMPULSES: usize = 4;

/// When something began, of which there may be several at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ages<T: Copy = ()> {
    /// Seconds since it began, and what it was.
    pub all: [Option<(f32, T)>; MOST_IMPULSES],
}

impl<T: Copy> Default for Ages<T> {
    fn default() -> Self {
        Self { all: [None; MOST_IMPULSES] }
    }
}

impl<T: Copy> Ages<T> {
    /// One more, `age` seconds ago.
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

    /// Lets time pass; what is older than `lasts` is over.
    pub fn pass(&mut self, dt: f32, lasts: f32) {
        for own in &mut self.all {
            *own = own.map(|(age, what)| (age + dt, what)).filter(|(age, _)| *age < lasts);
        }
    }

    /// Those that go on.
    pub fn iter(&self) -> impl Iterator<Item = (f32, T)> + '_ {
        self.all.iter().flatten().copied()
    }
}

/// Something that happens again and again by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Repeat {
    /// Seconds until the next time; `None` before the first frame.
    left: Option<f32>,
}

impl Repeat {
    /// Lets time pass, and tells of each time that came: how many seconds ago. `interval` 0 is never.
    pub fn pass(&mut self, dt: f32, interval: f32, mut comes: impl FnMut(f32)) {
        if interval <= 0.0 {
            self.left = None;
            return;
        }
        let mut left = self.left.unwrap_or(0.0).min(interval) - dt.max(0.0);
        // After a long pause the last few count; those before them would be over.
        if left < -interval * MOST_IMPULSES as f32 {
            left = left.rem_euclid(interval) - interval * MOST_IMPULSES as f32;
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
        fn what_repeats_comes_as_often_at_any_rate(interval in 0.05f32..1.0, rate in 10u32..300) {
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
    fn one_more_takes_the_place_of_the_oldest() {
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
