//! Keyed effectors: tracks over time with keys for place, rotation and weights.
//!
//! Between two keys, weights are interpolated linearly, rotations along the short arc, and places on a cubic Hermite
//! curve whose tangents point from the previous key to the next (Catmull and Rom 1974, for keys at any times). Before
//! the first and after the last key, values are constant. Time is the clip's. If an effector has a target of its own,
//! the keys' weights blend from that target to the keys.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::Ask;
use super::kind::Kind;
use crate::error::{BadValue, Fault, Problem};
use crate::full_body::{Effector, EffectorSettings};
use crate::math::nlerp;
use crate::parameter::{Parameters, settings};

settings! {
    /// Moves effectors by keys over time.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Keyed {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of all keys.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The animation is unchanged.",
            too much: "Effectors follow their keys fully.";
        /// Whether keys are in world space; otherwise they are relative to the character.
        in_world: bool = false;
        /// Tracks of the effectors that have keys.
        tracks: Vec<Track> = Vec::new();
    }
}

/// Keys of one effector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Effector of the track.
    pub effector: Effector,
    /// Keys sorted by time.
    pub keys: Vec<Key>,
}

/// Place, rotation and weights of an effector at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Time in the clip, seconds.
    pub time: f32,
    /// Position in the character's space, or in world space with [`Keyed::in_world`].
    pub position: Vec3,
    /// Rotation in the character's space, or in world space with [`Keyed::in_world`]. Only hands and feet use it.
    #[serde(default)]
    pub rotation: Quat,
    /// Position weight, 0 to 1.
    #[serde(default = "whole")]
    pub position_weight: f32,
    /// Rotation weight, 0 to 1.
    #[serde(default)]
    pub rotation_weight: f32,
}

fn whole() -> f32 {
    1.0
}

impl Default for Key {
    fn default() -> Self {
        Self { time: 0.0, position: Vec3::ZERO, rotation: Quat::IDENTITY, position_weight: 1.0, rotation_weight: 0.0 }
    }
}

/// Largest number of keys of a track.
pub const MAX_KEYS: usize = 10_000;

impl Track {
    /// Returns the interpolated key at a time; `None` without keys.
    pub fn at(&self, time: f32) -> Option<Key> {
        let next = self.keys.partition_point(|key| key.time <= time);
        let (Some(&from), Some(&to)) = (next.checked_sub(1).and_then(|at| self.keys.get(at)), self.keys.get(next))
        else {
            return self.keys.get(next).or(self.keys.last()).map(|key| Key { time, ..*key });
        };
        let span = to.time - from.time;
        let t = if span > 0.0 { ((time - from.time) / span).clamp(0.0, 1.0) } else { 1.0 };
        let tangent = |index: usize| {
            let (before, after) = (self.keys[index.saturating_sub(1)], self.keys[(index + 1).min(self.keys.len() - 1)]);
            let time = after.time - before.time;
            if time > 0.0 { (after.position - before.position) * (span / time) } else { Vec3::ZERO }
        };
        let [a, b] = [tangent(next - 1), tangent(next)];
        let (t2, t3) = (t * t, t * t * t);
        let position = from.position * (2.0 * t3 - 3.0 * t2 + 1.0)
            + a * (t3 - 2.0 * t2 + t)
            + to.position * (3.0 * t2 - 2.0 * t3)
            + b * (t3 - t2);
        let between = |from: f32, to: f32| from + (to - from) * t;
        Some(Key {
            time,
            position,
            rotation: nlerp(from.rotation, to.rotation, t),
            position_weight: between(from.position_weight, to.position_weight),
            rotation_weight: between(from.rotation_weight, to.rotation_weight),
        })
    }

    /// Adds a key. If there is a key less than a millisecond away, replaces its values and keeps its time.
    pub fn set(&mut self, key: Key) {
        match self.keys.iter_mut().find(|own| (own.time - key.time).abs() < 1e-3) {
            Some(own) => *own = Key { time: own.time, ..key },
            None => {
                let at = self.keys.partition_point(|own| own.time < key.time);
                self.keys.insert(at, key);
            }
        }
    }
}

impl Keyed {
    /// Returns the track of an effector, creating it if needed.
    pub fn track_mut(&mut self, effector: Effector) -> &mut Track {
        let at = self.tracks.iter().position(|track| track.effector == effector).unwrap_or_else(|| {
            self.tracks.push(Track { effector, keys: Vec::new() });
            self.tracks.len() - 1
        });
        &mut self.tracks[at]
    }

    pub(super) fn check_tracks(&self) -> Result<(), Fault> {
        for (index, track) in self.tracks.iter().enumerate() {
            let at = |problem: Fault| problem.within(format!("tracks[{index}]"));
            if self.tracks[..index].iter().any(|other| other.effector == track.effector) {
                return Err(at(Fault::new("effector", "already has a track; add the keys to it")));
            }
            if track.keys.len() > MAX_KEYS {
                let problem = Problem::TooMany { what: "keys", found: track.keys.len(), most: MAX_KEYS };
                return Err(at(Fault::new("keys", problem)));
            }
            let mut last = f32::NEG_INFINITY;
            for (number, key) in track.keys.iter().enumerate() {
                let in_key = |problem: Fault| at(problem.within(format!("keys[{number}]")));
                key.check().map_err(in_key)?;
                if key.time < last {
                    let message = format!("is {}, before the previous key; sort keys by time", key.time);
                    return Err(in_key(Fault::new("time", message)));
                }
                last = key.time;
            }
        }
        Ok(())
    }
}

impl Key {
    fn check(&self) -> Result<(), Fault> {
        if !self.time.is_finite() {
            return Err(Fault::new("time", Problem::NotFinite("expected seconds")));
        }
        BadValue::check_place(self.position).map_err(|bad| bad.at("position"))?;
        BadValue::check_rotation(self.rotation).map_err(|bad| bad.at("rotation"))?;
        let (position_weight, rotation_weight) = (self.position_weight, self.rotation_weight);
        EffectorSettings { position_weight, rotation_weight, ..EffectorSettings::default() }.check_numbers()
    }
}

impl Kind for Keyed {
    type Memory = ();

    fn check(&self) -> Result<(), Fault> {
        self.check_tracks()
    }

    fn before_read(&self, (): &mut (), ask: &mut Ask) {
        if self.weight <= 0.0 {
            return;
        }
        let Seen { root, time, .. } = ask.seen();
        for track in &self.tracks {
            let Some(key) = track.at(time) else { continue };
            let (place, rotation) = match self.in_world {
                true => (key.position, key.rotation),
                false => (root.transform_point(key.position), root.rotation * key.rotation),
            };
            ask.draw(track.effector, place, key.position_weight * self.weight);
            ask.draw_rotation(track.effector, rotation, key.rotation_weight * self.weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(keys: &[(f32, f32)]) -> Track {
        let key = |&(time, x): &(f32, f32)| Key { time, position: Vec3::X * x, ..Key::default() };
        Track { effector: Effector::LeftHand, keys: keys.iter().map(key).collect() }
    }

    #[test]
    fn a_track_passes_through_its_keys_and_is_constant_beyond() {
        let track = track(&[(0.5, 1.0), (1.0, 2.0), (3.0, 0.0)]);
        for (time, x) in [(0.0, 1.0), (0.5, 1.0), (1.0, 2.0), (3.0, 0.0), (9.0, 0.0)] {
            assert!((track.at(time).unwrap().position.x - x).abs() < 1e-6, "{time}");
        }
        let even = self::track(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert!((even.at(1.25).unwrap().position.x - 1.25).abs() < 1e-6);
    }

    #[test]
    fn keys_are_kept_in_order_and_replaced() {
        let mut track = track(&[]);
        for time in [2.0, 0.5, 1.0, 0.5004] {
            track.set(Key { time, position: Vec3::X * time, ..Key::default() });
        }
        let times: Vec<f32> = track.keys.iter().map(|key| key.time).collect();
        assert_eq!(times, [0.5, 1.0, 2.0]);
        assert_eq!(track.keys[0].position.x, 0.5004);
        assert!(track.at(f32::NAN).is_some());
    }

    #[test]
    fn keys_in_no_order_are_named() {
        let keyed = Keyed { tracks: vec![track(&[(1.0, 0.0), (0.5, 0.0)])], ..Keyed::default() };
        let fault = keyed.check_tracks().unwrap_err().to_string();
        assert_eq!(fault, "tracks[0].keys[1].time: is 0.5, before the previous key; sort keys by time");
    }
}
