//! Crossfades between clips. Source: *Animation programming notes*, chapter 12, «Crossfading animations».

use super::blend::blend;
use crate::rig::Clip;
use crate::rig::LocalPose;

/// The largest number of fades at the same time: about a second of fading with one new fade per frame at 60 Hz.
pub const MOST_FADES: usize = 64;

/// The start time of a clip that is faded in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The beginning of the clip.
    #[default]
    Restart,
    /// The same relative time as the previous clip, or the beginning if either clip has no length. A walk that becomes
    /// a run keeps the same foot on the ground if both clips start with the same foot.
    Keep,
}

/// A clip that is being faded in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// The index into the model's clips.
    pub clip: usize,
    /// The time within the clip, in seconds.
    pub time: f32,
    /// The length of the fade in seconds, above 0.
    pub duration: f32,
    /// The elapsed part of the fade in seconds, 0 to `duration`.
    pub elapsed: f32,
}

impl Fade {
    /// Returns the opacity over everything below: 0 at the start of the fade, 1 at its end.
    pub fn weight(&self) -> f32 {
        (self.elapsed / self.duration).min(1.0)
    }
}

/// A current clip and the fades above it, oldest first. All of them run and loop at the same time.
///
/// The pose is that of the current clip, blended with each fade in turn. A new fade starts with weight 0 over the pose
/// that was shown, so interrupting a fade by another does not make the pose jump. A finished fade hides everything
/// below it; its clip becomes the current one, and **all** fades before it are dropped as well. (The source drops one
/// finished fade per update and keeps those before it, which then show through again: a jump.)
///
/// The pose still jumps when a clip plays at once, when the end of a loop differs from its start, and when two clips
/// rotate a bone to opposite directions, because the short arc between them changes sides.
///
/// The state is plain data and can be cloned for every recorded frame; [`Self::sample`] computes the pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crossfade {
    /// The index into the model's clips. `None`, or an index out of range, is the rest pose.
    current: Option<usize>,
    time: f32,
    fades: Vec<Fade>,
}

impl Crossfade {
    /// Creates a state that plays nothing: the rest pose.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the clip at the bottom; `None` for the rest pose.
    pub fn current(&self) -> Option<usize> {
        self.current
    }

    /// Returns the time within the current clip, in seconds.
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Returns the running fades, oldest first.
    pub fn fades(&self) -> &[Fade] {
        &self.fades
    }

    /// Returns the clip that will remain after all fades, with its time in seconds; `None` if nothing plays.
    pub fn target(&self) -> Option<(usize, f32)> {
        match self.fades.last() {
            Some(fade) => Some((fade.clip, fade.time)),
            None => self.current.map(|clip| (clip, self.time)),
        }
    }

    /// Plays `clip` from its beginning at once, and drops all fades.
    pub fn play(&mut self, clip: usize) {
        self.play_from(clip, 0.0);
    }

    /// Plays `clip` from `time` (seconds) at once, and drops all fades.
    pub fn play_from(&mut self, clip: usize, time: f32) {
        self.fades.clear();
        self.current = Some(clip);
        self.time = time;
    }

    /// Starts to fade to `clip` over `duration` seconds, or plays the clip at once. Returns false if nothing was
    /// started.
    ///
    /// Nothing is started if the [`target`](Self::target) is this clip already. The clip plays at once if nothing is
    /// playing, or if the duration is below [`f32::MIN_POSITIVE`], infinite or NaN. Otherwise nothing is started if
    /// [`MOST_FADES`] fades are running.
    pub fn fade_to(&mut self, clip: usize, duration: f32, phase: Phase, clips: &[Clip]) -> bool {
        let from = self.target();
        if from.is_some_and(|(target, _)| target == clip) {
            return false;
        }
        let time = match (phase, from) {
            (Phase::Keep, Some((from, time))) => same_phase(clips.get(from), time, clips.get(clip)),
            _ => 0.0,
        };
        // A denormal duration counts as 0.
        if self.current.is_none() || !duration.is_finite() || duration < f32::MIN_POSITIVE {
            self.play_from(clip, time);
            return true;
        }
        if self.fades.len() >= MOST_FADES {
            return false;
        }
        self.fades.push(Fade { clip, time, duration, elapsed: 0.0 });
        true
    }

    /// Advances every fade by `dt` seconds and every clip by `dt · speed`, and drops what a finished fade hides. A `dt`
    /// that is negative or not finite counts as 0, as does a speed that is not finite. With a negative speed clips run
    /// backwards.
    pub fn step(&mut self, dt: f32, speed: f32, clips: &[Clip]) {
        self.move_on(dt, speed, clips);
        self.drop_hidden();
    }

    fn move_on(&mut self, dt: f32, speed: f32, clips: &[Clip]) {
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        let by = if speed.is_finite() { dt * speed } else { 0.0 };
        let moved = |clip: usize, time: f32| clips.get(clip).map_or(0.0, |clip| clip.wrap(time + by));
        self.time = self.current.map_or(0.0, |clip| moved(clip, self.time));
        for fade in &mut self.fades {
            fade.time = moved(fade.clip, fade.time);
            fade.elapsed = (fade.elapsed + dt).min(fade.duration);
        }
    }

    /// Advances as [`Self::step`] does, with the bug of the source for comparison: before advancing,
    /// drops only the first finished fade and makes its clip the current one, so unfinished fades before it show
    /// through again. Source: *Animation programming notes*, chapter 12.
    pub fn step_as_in_the_source(&mut self, dt: f32, speed: f32, clips: &[Clip]) {
        if let Some(ended) = self.fades.iter().position(|fade| fade.elapsed >= fade.duration) {
            let fade = self.fades.remove(ended);
            (self.current, self.time) = (Some(fade.clip), fade.time);
        }
        self.move_on(dt, speed, clips);
    }

    fn drop_hidden(&mut self) {
        if let Some(covering) = self.fades.iter().rposition(|fade| fade.elapsed >= fade.duration) {
            let fade = self.fades[covering];
            (self.current, self.time) = (Some(fade.clip), fade.time);
            self.fades.drain(..=covering);
        }
    }

    /// Writes the current pose into `pose`, over `rest`. `scratch` is a buffer with any content. Nothing is allocated
    /// while the number of bones stays the same.
    pub fn sample(&self, clips: &[Clip], rest: &LocalPose, scratch: &mut LocalPose, pose: &mut LocalPose) {
        let sample = |clip: Option<usize>, time: f32, pose: &mut LocalPose| {
            pose.bones.clone_from(&rest.bones);
            if let Some(clip) = clip.and_then(|clip| clips.get(clip)) {
                clip.sample(time, pose);
            }
        };
        sample(self.current, self.time, pose);
        for fade in &self.fades {
            sample(Some(fade.clip), fade.time, scratch);
            blend(pose, scratch, fade.weight(), None);
        }
    }

    /// Writes the current weights of morph targets into `weights`, over `rest`, by the indices of
    /// [`Model::morphs`](crate::rig::Model::morphs).
    pub fn sample_morphs(&self, clips: &[Clip], rest: &[Vec<f32>], weights: &mut Vec<Vec<f32>>) {
        weights.clear();
        weights.extend_from_slice(rest);
        if let Some(clip) = self.current.and_then(|clip| clips.get(clip)) {
            clip.sample_morphs(self.time, weights);
        }
        for fade in &self.fades {
            let mut above = rest.to_vec();
            if let Some(clip) = clips.get(fade.clip) {
                clip.sample_morphs(fade.time, &mut above);
            }
            for (below, above) in weights.iter_mut().flatten().zip(above.iter().flatten()) {
                *below += (above - *below) * fade.weight();
            }
        }
    }

    /// Returns the clips that play, from the bottom, each with its time (seconds) and its share of the pose. The shares
    /// sum to 1 if anything plays.
    pub fn shown(&self) -> impl Iterator<Item = (usize, f32, f32)> + '_ {
        let covered = |from: usize| self.fades[from..].iter().map(|fade| 1.0 - fade.weight()).product::<f32>();
        let current = self.current.map(|clip| (clip, self.time, covered(0)));
        let fades = self.fades.iter().enumerate();
        current
            .into_iter()
            .chain(fades.map(move |(index, fade)| (fade.clip, fade.time, fade.weight() * covered(index + 1))))
    }
}

/// Returns the time in `to` with the same phase as `time` in `from`; 0 if either has no length.
fn same_phase(from: Option<&Clip>, time: f32, to: Option<&Clip>) -> f32 {
    let (Some(from), Some(to)) = (from, to) else { return 0.0 };
    let phase = from.wrap(time) / from.duration;
    if phase.is_finite() { to.wrap(phase * to.duration) } else { 0.0 }
}
