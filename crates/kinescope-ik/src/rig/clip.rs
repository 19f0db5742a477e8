//! Animation clips: keyed tracks of bones and of morph target weights, and their sampling.

use glam::{Quat, Vec3};

use super::pose::LocalPose;
use super::skeleton::BoneIndex;
use crate::math::slerp;

/// The interpolation between keys. Source: glTF 2.0, section 3.11.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Each value holds until the next key.
    Step,
    /// Linear between keys; rotations by spherical linear interpolation along the short arc.
    #[default]
    Linear,
    /// Cubic Hermite splines. Each key has three values: in-tangent, value, out-tangent.
    CubicSpline,
}

/// The values of a track, relative to the bone's parent.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackValues {
    /// Translations in the parent's (scaled) space, in model units.
    Translation(Vec<Vec3>),
    /// Unit quaternions; the tangents of [`Interpolation::CubicSpline`] are quaternions of any length.
    Rotation(Vec<Quat>),
    /// Scale factors along the bone's own axes.
    Scale(Vec<Vec3>),
}

/// A track: one property of one bone over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The bone that the track moves.
    pub bone: BoneIndex,
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    /// The times of the keys in seconds; they never decrease.
    pub times: Vec<f32>,
    /// The values, one per key, or three per key for [`Interpolation::CubicSpline`].
    pub values: TrackValues,
}

/// The weights of a node's morph targets over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// The index into [`Model::morphs`](super::Model::morphs).
    pub morph: usize,
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    /// The times of the keys in seconds; they never decrease.
    pub times: Vec<f32>,
    /// For each key the weights of all targets; for [`Interpolation::CubicSpline`] their in-tangents, weights and
    /// out-tangents.
    pub values: Vec<f32>,
}

/// A named animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// The name. The import makes names unique: an unnamed clip is called `clip N`, and a repeated name is followed by
    /// ` (N)`, where N is the index of the animation in the file.
    pub name: String,
    /// The time of the last key of all tracks, in seconds.
    pub duration: f32,
    /// One track per animated property of a bone. If several tracks move the same property, the last one counts.
    pub tracks: Vec<Track>,
    /// The tracks of morph target weights.
    pub morphs: Vec<MorphTrack>,
    /// Channels of the file that were skipped, as one sentence each with the reason.
    pub skipped: Vec<String>,
    /// Channels of the file that move neither a bone nor a morph target, as one sentence each, without translations,
    /// rotations and scales whose keys are constant or cannot be read. They are not in `skipped`, because a program
    /// that writes the clip back into its file can keep them.
    pub unbound: Vec<String>,
}

impl Clip {
    /// Returns `time` (seconds) wrapped into a looping clip: at least 0 and less than the duration. 0 if the duration
    /// is not positive or the time is not finite.
    pub fn wrap(&self, time: f32) -> f32 {
        let wrapped = time.rem_euclid(self.duration);
        // A tiny negative time rounds up to the duration; a duration of 0 gives NaN.
        if wrapped < self.duration { wrapped } else { 0.0 }
    }

    /// Samples the clip at `time` (seconds, clamped to the ends) into `pose`. Properties without a track keep their
    /// values.
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

impl Clip {
    /// Samples the weights of morph targets at `time` (seconds, clamped to the ends) into `weights`, by the indices of
    /// [`Model::morphs`](super::Model::morphs). Weights without a track keep their values.
    pub fn sample_morphs(&self, time: f32, weights: &mut [Vec<f32>]) {
        for track in &self.morphs {
            let Some(weights) = weights.get_mut(track.morph) else { continue };
            let Some(key) = Key::find(&track.times, time) else { continue };
            let count = weights.len();
            for (target, weight) in weights.iter_mut().enumerate() {
                *weight = key.number(&track.values, count, target, track.interpolation).unwrap_or(*weight);
            }
        }
    }
}

/// Two neighbouring keys and the position of a time between them. Before the first key, and from the last one on, both
/// are the same key.
#[derive(Clone, Copy)]
struct Key {
    from: usize,
    to: usize,
    /// Seconds between the two keys.
    span: f32,
    /// The fraction of the span, 0 at `from` and 1 at `to`.
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

    /// Returns the interpolated number `at` of `count` numbers; `None` if `values` lacks it. Each key has `count`
    /// numbers, or three times as many for cubic splines.
    fn number(self, values: &[f32], count: usize, at: usize, interpolation: Interpolation) -> Option<f32> {
        let value = |row: usize| values.get(row * count + at).copied();
        Some(match interpolation {
            Interpolation::Step => value(self.from)?,
            Interpolation::Linear => value(self.from)? * (1.0 - self.t) + value(self.to)? * self.t,
            Interpolation::CubicSpline => {
                let [p0, m0, m1, p1] = self.hermite();
                value(self.from * 3 + 1)? * p0
                    + value(self.from * 3 + 2)? * m0
                    + value(self.to * 3)? * m1
                    + value(self.to * 3 + 1)? * p1
            }
        })
    }

    /// Returns the weights of value and out-tangent at `from`, and of in-tangent and value at `to`.
    fn hermite(self) -> [f32; 4] {
        let (t, t2, t3) = (self.t, self.t * self.t, self.t * self.t * self.t);
        [2.0 * t3 - 3.0 * t2 + 1.0, self.span * (t3 - 2.0 * t2 + t), self.span * (t3 - t2), -2.0 * t3 + 3.0 * t2]
    }
}
