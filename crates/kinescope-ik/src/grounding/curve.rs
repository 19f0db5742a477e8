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
