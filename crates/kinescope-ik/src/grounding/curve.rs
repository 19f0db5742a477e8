//! Weight curves: how much a foot is planted, over a clip's time. Source: *Foot IK by ray and curve*, «animation
//! curves».

use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::math::clamp;
use crate::parameter::Unit;

/// One point of a [`WeightCurve`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Time in the clip: 0 is its first frame, 1 its last.
    pub time: f32,
    /// Weight: 0 as animated, 1 on the ground.
    pub value: f32,
}

/// Weights from 0 to 1 over a clip's time, a smooth curve through its keys.
///
/// The curve loops: after the last key it continues to the first key of the next loop. Between two keys it stays
/// between their values (a monotone cubic, after Fritsch and Butland), so a foot planted at two neighbouring keys is
/// planted between them. Without keys the weight is 1. JSON stores a curve as the list of its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Key>", into = "Vec<Key>")]
pub struct WeightCurve {
    keys: Vec<Key>,
}

/// Smallest distance between two keys, as a fraction of the clip.
pub const SMALLEST_GAP: f32 = 1e-4;

impl WeightCurve {
    /// Creates a curve of constant weight, clamped to 0…1; NaN counts as 1.
    pub fn constant(value: f32) -> Self {
        Self { keys: vec![Key { time: 0.0, value: in_unit(value).unwrap_or(1.0) }] }
    }

    /// Creates a curve from keys in the order of their times.
    ///
    /// # Errors
    /// [`Fault`] for the first key with a number outside 0…1, or less than 1e-4 after the previous key.
    pub fn from_keys(keys: Vec<Key>) -> Result<Self, Fault> {
        for (index, &Key { time, value }) in keys.iter().enumerate() {
            for (field, number) in [("time", time), ("value", value)] {
                let checked = BadValue::check_range(number, &(0.0..=1.0), Unit::Share);
                checked.map_err(|bad| bad.at(format!("[{index}].{field}")))?;
            }
            // Adds the gap to the earlier time, as `insert` and `move_key` do: a difference of the times would round
            // differently and could reject keys that those functions accept.
            if index > 0 && time < keys[index - 1].time + SMALLEST_GAP {
                let message =
                    format!("is {time}; it must be after the previous key by at least {SMALLEST_GAP} of the clip");
                return Err(Fault::new(format!("[{index}].time"), message));
            }
        }
        Ok(Self { keys })
    }

    /// Returns the keys, sorted by time.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Adds a key, or changes the value of a key closer than 1e-4 in time; clamps time and value to 0…1. Returns the
    /// key's index; `None`, without a change, if either number is NaN.
    pub fn insert(&mut self, time: f32, value: f32) -> Option<usize> {
        let (time, value) = (in_unit(time)?, in_unit(value)?);
        let index = self.keys.partition_point(|key| key.time < time);
        for near in [index, index.wrapping_sub(1)] {
            if let Some(key) = self.keys.get_mut(near)
                && (time < key.time + SMALLEST_GAP && key.time < time + SMALLEST_GAP)
            {
                key.value = value;
                return Some(near);
            }
        }
        self.keys.insert(index, Key { time, value });
        Some(index)
    }

    /// Moves a key as far as its neighbours allow; its index stays. Clamps time and value to 0…1. Returns the moved
    /// key; `None`, without a change, if there is no such key or a number is NaN.
    pub fn move_key(&mut self, index: usize, time: f32, value: f32) -> Option<Key> {
        let (time, value) = (in_unit(time)?, in_unit(value)?);
        let before = index.checked_sub(1).and_then(|before| self.keys.get(before)).map(|key| key.time + SMALLEST_GAP);
        let after = self.keys.get(index + 1).map(|key| key.time);
        let mut time = time.max(before.unwrap_or(0.0));
        if let Some(after) = after
            && time + SMALLEST_GAP > after
        {
            time = after - SMALLEST_GAP;
            // The subtraction may round up, which would leave less than the gap.
            while time + SMALLEST_GAP > after {
                time = time.next_down();
            }
        }
        let key = self.keys.get_mut(index)?;
        // Without room between the neighbours, the time stays.
        if time < before.unwrap_or(0.0) {
            time = key.time;
        }
        *key = Key { time, value };
        Some(*key)
    }

    /// Removes and returns a key; `None` if there is no such key.
    pub fn remove(&mut self, index: usize) -> Option<Key> {
        (index < self.keys.len()).then(|| self.keys.remove(index))
    }

    /// Returns the weight, 0 to 1, at a time in the clip; times outside 0…1 loop. 1 without keys, or if the time is not
    /// finite.
    pub fn evaluate(&self, time: f32) -> f32 {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else { return 1.0 };
        if !time.is_finite() {
            return 1.0;
        }
        // Time 1 does not wrap to 0, so that a curve with different keys at 0 and 1 ends with its last key.
        let time = if (0.0..=1.0).contains(&time) { time } else { time.rem_euclid(1.0) };
        if self.keys.len() == 1 {
            return first.value;
        }
        let at = |index: isize| self.looped(index);
        let after = self.keys.partition_point(|key| key.time <= time) as isize;
        // At the last key, uses the interval before it: the one after it has no length if the keys are at 0 and 1.
        let after = if time == last.time { after - 1 } else { after };
        let [before, from, to, beyond] = [at(after - 2), at(after - 1), at(after), at(after + 1)];
        let span = to.time - from.time;
        if span <= 0.0 {
            return from.value;
        }
        let t = ((time - from.time) / span).clamp(0.0, 1.0);
        let (m0, m1) = (tangent(before, from, to) * span, tangent(from, to, beyond) * span);
        let (t2, t3) = (t * t, t * t * t);
        let value = from.value * (2.0 * t3 - 3.0 * t2 + 1.0)
            + m0 * (t3 - 2.0 * t2 + t)
            + m1 * (t3 - t2)
            + to.value * (3.0 * t2 - 2.0 * t3);
        clamp(value, from.value.min(to.value), from.value.max(to.value))
    }

    /// Returns a key by its index; indices outside the list are keys of earlier and later loops.
    fn looped(&self, index: isize) -> Key {
        let count = self.keys.len() as isize;
        let key = self.keys[index.rem_euclid(count) as usize];
        Key { time: key.time + index.div_euclid(count) as f32, ..key }
    }
}

/// Returns the slope at `key`: the weighted harmonic mean of the slopes before and after it; 0 at a peak or trough, and
/// next to an interval without rise or without length.
fn tangent(before: Key, key: Key, after: Key) -> f32 {
    let (left, right) = (key.time - before.time, after.time - key.time);
    if left <= 0.0 || right <= 0.0 {
        return 0.0;
    }
    let (rise, rise_after) = ((key.value - before.value) / left, (after.value - key.value) / right);
    if rise * rise_after <= 0.0 {
        return 0.0;
    }
    let (a, b) = (2.0 * right + left, right + 2.0 * left);
    (a + b) / (a / rise + b / rise_after)
}

fn in_unit(value: f32) -> Option<f32> {
    (!value.is_nan()).then(|| value.clamp(0.0, 1.0))
}

impl TryFrom<Vec<Key>> for WeightCurve {
    type Error = Fault;

    fn try_from(keys: Vec<Key>) -> Result<Self, Fault> {
        Self::from_keys(keys)
    }
}

impl From<WeightCurve> for Vec<Key> {
    fn from(curve: WeightCurve) -> Self {
        curve.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hostile() -> impl Strategy<Value = f32> {
        prop_oneof![6 => 0.0f32..1.0, 1 => Just(0.0), 1 => Just(1.0), 2 => any::<f32>()]
    }

    fn curve() -> impl Strategy<Value = WeightCurve> {
        prop::collection::vec((hostile(), hostile()), 0..9).prop_map(|keys| {
            let mut curve = WeightCurve::default();
            for (time, value) in keys {
                curve.insert(time, value);
            }
            curve
        })
    }

    proptest! {
        #[test]
        fn every_edit_leaves_a_curve(mut curve in curve(), index in 0..12usize, time in hostile(), value in hostile()) {
            curve.move_key(index, time, value);
            prop_assert!(WeightCurve::from_keys(curve.keys.clone()).is_ok(), "{:?}", curve);
            curve.insert(time, value);
            curve.remove(index);
            prop_assert!(WeightCurve::from_keys(curve.keys.clone()).is_ok(), "{:?}", curve);
            let json = serde_json::to_string(&curve).unwrap();
            prop_assert_eq!(serde_json::from_str::<WeightCurve>(&json).unwrap(), curve);
        }

        #[test]
        fn weights_stay_between_their_keys_and_pass_through_them(curve in curve(), time in any::<f32>(), t in 0.0f32..1.0) {
            prop_assert!((0.0..=1.0).contains(&curve.evaluate(time)));
            for key in curve.keys() {
                prop_assert!((curve.evaluate(key.time) - key.value).abs() < 1e-4, "{:?} {:?}", curve, key);
            }
            for pair in curve.keys().windows(2) {
                let weight = curve.evaluate(pair[0].time + (pair[1].time - pair[0].time) * t);
                let (low, high) = (pair[0].value.min(pair[1].value), pair[0].value.max(pair[1].value));
                prop_assert!((low - 1e-5..=high + 1e-5).contains(&weight));
            }
        }

        #[test]
        fn the_curve_loops_smoothly(values in prop::collection::vec(0.0f32..1.0, 2..6), at in 0.01f32..0.1) {
            let count = values.len() as f32;
            let keys = values.iter().enumerate().map(|(i, &value)| Key { time: at + i as f32 / count, value });
            let curve = WeightCurve::from_keys(keys.collect()).unwrap();
            let slope = |time: f32| (curve.evaluate(time + 1e-3) - curve.evaluate(time)) / 1e-3;
            prop_assert!((curve.evaluate(1.0 - 1e-6) - curve.evaluate(0.0)).abs() < 1e-3);
            prop_assert!((slope(1.0 - 2e-3) - slope(1.0 + 1e-3)).abs() < 1.0);
        }
    }

    #[test]
    fn without_keys_the_foot_is_planted() {
        assert_eq!(WeightCurve::default().evaluate(0.3), 1.0);
        assert_eq!(WeightCurve::constant(0.25).evaluate(7.3), 0.25);
    }

    #[test]
    fn wrong_keys_are_named() {
        let json = r#"[{"time": 0.5, "value": 1.0}, {"time": 0.2, "value": 0.0}]"#;
        let error = serde_json::from_str::<WeightCurve>(json).unwrap_err().to_string();
        assert!(error.contains("[1].time: is 0.2; it must be after"), "{error}");
        assert!(WeightCurve::from_keys(vec![Key { time: 0.5, value: f32::NAN }]).is_err());
    }

    #[test]
    fn a_key_cannot_pass_its_neighbours() {
        let mut curve = WeightCurve::default();
        for time in [0.2, 0.5, 0.8] {
            curve.insert(time, time);
        }
        assert_eq!(curve.move_key(1, 0.1, 2.0), Some(Key { time: 0.2 + SMALLEST_GAP, value: 1.0 }));
        assert!(curve.move_key(1, 0.9, 0.0).unwrap().time < 0.8);
        assert_eq!(curve.move_key(3, 0.9, 0.0), None);
        assert_eq!(curve.remove(0).unwrap().time, 0.2);
    }
}
