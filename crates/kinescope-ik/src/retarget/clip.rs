//! Samples clips of the source, and retargets whole clips.

use super::map::Map;
use super::places::Places;
use crate::rig::{Clip, Interpolation, LocalPose, ModelPose, RigidTransform, Skeleton, Track, TrackValues};
use crate::slices::{finish, pause};

/// The longest time between two keys in seconds, within 1 %, except in clips with [`MOST_KEYS`] keys. In chains with
/// different numbers of bones, a bone does not turn at a constant speed between two keys of the source, so keys are
/// added.
const LONGEST_GAP: f32 = 1.0 / 30.0;

/// The largest number of keys: 20 minutes at 30 keys per second. Clips that need more get this many, evenly spaced.
const MOST_KEYS: usize = 36_000;

/// The number of keys between two pauses: less than a millisecond of work for a hundred bones.
const KEYS_PER_SLICE: usize = 16;

/// Samples a clip of the source.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    local: LocalPose,
    /// The source's pose at the last sample; model space.
    pub pose: ModelPose,
}

impl Sampler {
    /// Samples a clip at `time`, in seconds, and returns the pose in model space; bones without tracks are at `rest`.
    /// Allocates only if the number of bones grows.
    pub fn sample(&mut self, clip: &Clip, time: f32, skeleton: &Skeleton, rest: &LocalPose) -> &[RigidTransform] {
        self.local.bones.clone_from(&rest.bones);
        clip.sample(time, &mut self.local);
        self.pose.set_from_local(skeleton, &self.local);
        &self.pose.bones
    }
}

/// Returns the times at which a clip is sampled, in seconds: 0, its keys up to its end, its end, and times between
/// those further apart than [`LONGEST_GAP`]. More than [`MOST_KEYS`] times are replaced by that many, evenly spaced.
fn times(clip: &Clip) -> Vec<f32> {
    let end = if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 };
    let mut keys: Vec<f32> = clip.tracks.iter().flat_map(|track| track.times.iter().copied()).collect();
    keys.extend([0.0, end]);
    keys.retain(|time| (0.0..=end).contains(time));
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut times = Vec::new();
    for pair in keys.windows(2) {
        let pieces = ((pair[1] - pair[0]) / LONGEST_GAP - 0.01).ceil().clamp(1.0, MOST_KEYS as f32) as usize;
        times.extend((0..pieces).map(|piece| pair[0] + (pair[1] - pair[0]) * piece as f32 / pieces as f32));
        if times.len() >= MOST_KEYS {
            return (0..MOST_KEYS).map(|key| end * key as f32 / (MOST_KEYS - 1) as f32).collect();
        }
    }
    times.extend(keys.last());
    times
}

impl Map {
    /// Retargets a clip: keys for every paired bone, and for the pelvis's position. The result has no tracks if
    /// skeletons or their rest poses have other numbers of bones than the map. `path` is as in
    /// [`RetargetSettings`](super::RetargetSettings). For weights of morph targets see
    /// [`carry_morphs`](super::carry_morphs).
    pub fn retarget_clip(
        &self,
        clip: &Clip,
        path: f32,
        source: (&Skeleton, &LocalPose),
        target: (&Skeleton, &LocalPose),
    ) -> Clip {
        finish(self.retarget_clip_in_slices(clip, path, source, target, &mut |_| {}))
    }

    /// Does the same as [`Self::retarget_clip`], with [pauses](crate::slices). `progress` is called before each pause
    /// with the fraction of the keys that are made, from 0 to 1.
    pub async fn retarget_clip_in_slices(
        &self,
        clip: &Clip,
        path: f32,
        source: (&Skeleton, &LocalPose),
        target: (&Skeleton, &LocalPose),
        progress: &mut dyn FnMut(f32),
    ) -> Clip {
        let named = Clip { name: clip.name.clone(), ..Clip::default() };
        let sizes = [source.0.len(), target.0.len()];
        if sizes != self.sizes() || [source.1.bones.len(), target.1.bones.len()] != sizes {
            return named;
        }
        let times = times(clip);
        let (mut sampler, mut pose) = (Sampler::default(), ModelPose::from_local(target.0, target.1));
        let mut rotations = vec![Vec::with_capacity(times.len()); self.pairs.len()];
        let mut places = Vec::with_capacity(times.len());
        for (index, &time) in times.iter().enumerate() {
            if index % KEYS_PER_SLICE == 0 {
                progress(index as f32 / times.len() as f32);
                pause().await;
            }
            self.retarget(sampler.sample(clip, time, source.0, source.1), path, &mut pose.bones);
            let local = pose.to_local(target.0, target.1);
            for (pair, keys) in self.pairs.iter().zip(&mut rotations) {
                keys.push(local.bones[pair.target].rotation);
            }
            places.push(local.bones[self.pelvis[1]].translation);
        }
        let track = |bone, values| Track { bone, interpolation: Interpolation::Linear, times: times.clone(), values };
        let turned = self.pairs.iter().zip(rotations);
        let mut tracks: Vec<Track> =
            turned.map(|(pair, keys)| track(pair.target, TrackValues::Rotation(keys))).collect();
        tracks.push(track(self.pelvis[1], TrackValues::Translation(places)));
        let duration = times.last().copied().unwrap_or(0.0);
        Clip { duration, tracks, skipped: clip.skipped.clone(), ..named }
    }

    /// Returns the places of feet and hands in a pose of the source, which is in model space. Their weight is 1.
    pub fn places(&self, source: &[RigidTransform]) -> Places {
        Places::of(self, source)
    }
}
