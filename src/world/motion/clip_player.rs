use kinescope_ik::animation::{Clip, Crossfade, Phase};
use kinescope_ik::rig::LocalPose;

#[derive(Clone, Debug, PartialEq)]
pub struct ClipPlayer {
    pub crossfade: Crossfade,
    /// The crossfade whose fades end as in the source. `None` unless the stack B of a comparison has the experiment
    /// `drop_fades` on.
    pub as_in_the_source: Option<Crossfade>,
    /// Start time of the document's clip, seconds.
    pub start: f32,
    /// Playback speed: 1 is as authored, negative values run backwards.
    pub speed: f32,
    pub playing: bool,
    pub bake_range: Option<BakeRange>,
    /// The clip that the document names. With *clip by pace*, another clip may play.
    pub named: Option<usize>,
    scratch: LocalPose,
}

/// Time range to bake. A range longer than the clip repeats the clip, and the character continues along its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeRange {
    /// Start, in seconds since clip and path began. It may lie beyond the clip's end, because the clip repeats.
    pub from: f32,
    pub to: f32,
    /// Keys per second.
    pub rate: f32,
    /// Whether the baked clip contains the movement along the path. Otherwise the character stays at the model's
    /// origin.
    pub root_motion: bool,
}

impl BakeRange {
    /// Longest range that fields accept, seconds.
    pub(crate) const LONGEST: f32 = 3600.0;

    pub fn whole(duration: f32, rate: f32) -> Self {
        Self { from: 0.0, to: duration, rate, root_motion: true }
    }

    /// Returns the number of keys, including one at each end.
    pub fn keys(&self) -> f32 {
        ((self.to - self.from) * self.rate).round().max(1.0) + 1.0
    }
}

impl Default for ClipPlayer {
    fn default() -> Self {
        Self {
            crossfade: Crossfade::new(),
            as_in_the_source: None,
            start: 0.0,
            speed: 1.0,
            playing: true,
            bake_range: None,
            named: None,
            scratch: LocalPose::default(),
        }
    }
}

impl ClipPlayer {
    pub fn clip(&self) -> Option<usize> {
        self.crossfade.target().map(|(clip, _)| clip)
    }

    /// Returns the time in the clip that plays or fades in, seconds. Returns 0 in the rest pose.
    pub fn time(&self) -> f32 {
        self.crossfade.target().map_or(0.0, |(_, time)| time)
    }

    /// Plays a clip from `time`, in seconds, without a fade. `None` stands for the rest pose.
    pub fn set(&mut self, clip: Option<usize>, time: f32) {
        match clip {
            Some(clip) => self.crossfade.play_from(clip, time),
            None => self.crossfade = Crossfade::new(),
        }
        self.as_in_the_source = self.as_in_the_source.take().map(|_| self.crossfade.clone());
    }

    /// Fades to a clip over `duration` seconds. There is no fade to or from the rest pose.
    pub fn fade_to(&mut self, clip: Option<usize>, duration: f32, phase: Phase, clips: &[Clip]) {
        match clip {
            Some(clip) => {
                self.crossfade.fade_to(clip, duration, phase, clips);
                if let Some(other) = &mut self.as_in_the_source {
                    other.fade_to(clip, duration, phase, clips);
                }
            }
            None => self.crossfade = Crossfade::new(),
        }
    }

    /// Returns whether a clip or a fade advanced.
    pub fn advance(&mut self, clips: &[Clip], dt: f32, rate: f32) -> bool {
        let moves = |clip: usize| clips.get(clip).is_some_and(|clip| clip.duration > 0.0);
        let fades = !self.crossfade.fades().is_empty();
        if !self.playing || !(fades || self.speed != 0.0 && self.clip().is_some_and(moves)) {
            return false;
        }
        self.crossfade.step(dt, self.speed * rate, clips);
        if let Some(other) = &mut self.as_in_the_source {
            other.step_as_in_the_source(dt, self.speed * rate, clips);
        }
        true
    }

    pub fn sample(&mut self, clips: &[Clip], rest: &LocalPose, pose: &mut LocalPose) {
        self.crossfade.sample(clips, rest, &mut self.scratch, pose);
    }
}
