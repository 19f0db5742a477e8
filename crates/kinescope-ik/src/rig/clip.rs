//! A clip: keyed tracks per bone, sampled into a local pose.

use glam::{Quat, Vec3};

use super::pose::LocalPose;
use super::skeleton::BoneIndex;
use crate::math::slerp;

/// How a track goes from key to key (glTF 2.0, section 3.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Each key's value holds until the next key.
    Step,
    /// Straight from key to key; rotations by spherical linear interpolation, the shorter way.
    #[default]
    Linear,
    /// Values come in threes a key: in-tangent, value, out-tangent.
    CubicSpline,
}

/// What a track moves, local to the bone's parent.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackValues {
    /// Relative to the parent, in its (scaled) space; model units.
    Translation(Vec<Vec3>),
    /// Unit quaternions, relative to the parent.
    Rotation(Vec<Quat>),
    /// Factors along the bone's own axes.
    Scale(Vec<Vec3>),
}

/// One channel of one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The bone that it moves.
    pub bone: BoneIndex,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
    /// Seconds, increasing.
    pub times: Vec<f32>,
    /// What it moves, one value per key; three per key where [`Interpolation::CubicSpline`].
    pub values: TrackValues,
}

/// A named animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Unique within its model: an empty name is `clip N`, a repeated one gets ` (N)` behind it.
    pub name: String,
    /// Seconds, the last key's time.
    pub duration: f32,
    /// One for each moved property of each bone.
    pub tracks: Vec<Track>,
    /// Channels of the file that are not among them, with the reason, one sentence each.
    pub left_out: Vec<String>,
    /// Channels of the file that move no bone (morph targets, other nodes), one sentence each. A clip written back into
    /// its file keeps them.
    pub beside: Vec<String>,
}

impl Clip {
    /// `time` (seconds) as it is in a clip that loops: from 0 up to, but not including, the duration. 0 for a clip
    /// without a length, and for a time that is not finite.
    pub fn wrap(&self, time: f32) -> f32 {
        let wrapped = time.rem_euclid(self.duration);
        // A hair below 0 rounds up to the whole duration; no length makes it NaN.
        if wrapped < self.duration { wrapped } else { 0.0 }
    }

    /// Writes the clip at `time` (seconds, held at the ends) into `pose`, which keeps what the clip does not move.
    pub fn sample(&self, time: f32, pose: &mut LocalPose) {
        for track in &self.tracks {
            let Some(bone) = pose.bones.get_mut(track.bone) else { continue };
            let Some(key) = Key::find(&track.times, time) else { continue };
            match &track.values {
                TrackValues::Translation(values) => {
                    bone.translation = key.vector(values, track.interpolation).unwrap_or(bone.translation);
                }
                TrackValues::Scale(values) => {
                    bone.scale = key.vector(values, track.interpolation).unwrap_or(bone.scale);
                }
                TrackValues::Rotation(values) => {
                    bone.rotation = key.rotation(values, track.interpolation).unwrap_or(bone.rotation);
                }
            }
        }
    }
}

/// The span of keys a time lies in.
#[derive(Clone, Copy)]
struct Key {
    from: usize,
    to: usize,
    /// Seconds between the two keys.
    span: f32,
    /// 0 at `from`, 1 at `to`.
    t: f32,
}

impl Key {
    fn find(times: &[f32], time: f32) -> Option<Self> {
        let last = times.len().checked_sub(1)?;
        let to = times.partition_point(|&key| key <= time);
        if to == 0 || to > last {
            let at = to.min(last);
            return Some(Self { from: at, to: at, span: 0.0, t: 0.0 });
        }
        let (from, span) = (to - 1, times[to] - times[to - 1]);
        let t = if span > 0.0 { ((time - times[from]) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { from, to, span, t })
    }

    fn vector(self, values: &[Vec3], interpolation: Interpolation) -> Option<Vec3> {
        Some(match interpolation {
            Interpolation::Step => *values.get(self.from)?,
            Interpolation::Linear => values.get(self.from)?.lerp(*values.get(self.to)?, self.t),
            Interpolation::CubicSpline => {
                let [p0, m0, m1, p1] = self.hermite();
                *values.get(self.from * 3 + 1)? * p0
                    + *values.get(self.from * 3 + 2)? * m0
                    + *values.get(self.to * 3)? * m1
                    + *values.get(self.to * 3 + 1)? * p1
            }
        })
    }

    fn rotation(self, values: &[Quat], interpolation: Interpolation) -> Option<Quat> {
        Some(match interpolation {
            Interpolation::Step => *values.get(self.from)?,
            Interpolation::Linear => slerp(*values.get(self.from)?, *values.get(self.to)?, self.t),
            Interpolation::CubicSpline => {
                let [p0, m0, m1, p1] = self.hermite();
                let sum = *values.get(self.from * 3 + 1)? * p0
                    + *values.get(self.from * 3 + 2)? * m0
                    + *values.get(self.to * 3)? * m1
                    + *values.get(self.to * 3 + 1)? * p1;
                if sum.length_squared() > 1e-12 { sum.normalize() } else { *values.get(self.from * 3 + 1)? }
            }
        })
    }

    /// Weights of the value and out-tangent at `from`, and of the in-tangent and value at `to`.
    fn hermite(self) -> [f32; 4] {
        let (t, t2, t3) = (self.t, self.t * self.t, self.t * self.t * self.t);
        [2.0 * t3 - 3.0 * t2 + 1.0, self.span * (t3 - 2.0 * t2 + t), self.span * (t3 - t2), -2.0 * t3 + 3.0 * t2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_time_wraps_into_its_clip() {
        let clip = Clip { duration: 2.0, ..Clip::default() };
        for (time, wrapped) in [(0.5, 0.5), (2.0, 0.0), (5.0, 1.0), (-0.5, 1.5), (-1e-20, 0.0), (f32::NAN, 0.0)] {
            assert_eq!(clip.wrap(time), wrapped);
        }
    }

    /// glTF's LINEAR turns at a constant speed between two keys, the short way.
    #[test]
    fn rotations_turn_at_a_constant_speed() {
        let (from, to) = (Quat::IDENTITY, Quat::from_rotation_x(2.4));
        for end in [to, -to] {
            let track = Track {
                bone: 0,
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: TrackValues::Rotation(vec![from, end]),
            };
            let clip = Clip { duration: 1.0, tracks: vec![track], ..Clip::default() };
            for step in 0..=16 {
                let t = step as f32 / 16.0;
                let mut pose = LocalPose { bones: vec![crate::rig::LocalTransform::default()] };
                clip.sample(t, &mut pose);
                let off = pose.bones[0].rotation.dot(Quat::from_rotation_x(2.4 * t)).abs();
                assert!(off > 1.0 - 1e-6, "{t}: {off}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_wrapped_time_is_within_its_clip(time in any::<f32>(), duration in any::<f32>()) {
            let wrapped = Clip { duration, ..Clip::default() }.wrap(time);
            prop_assert!(wrapped == 0.0 || (wrapped > 0.0 && wrapped < duration));
        }
    }
}
