//! Which clips play, and where they are.

use kinescope_ik::animation::{Clip, Crossfade, Phase};
use kinescope_ik::rig::LocalPose;

/// Transport of the animated pose: one clip, or several while one fades into another.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPlayer {
    pub crossfade: Crossfade,
    /// The same fades, as the source ends them; only while the experiment is shown.
    pub as_in_the_source: Option<Crossfade>,
    /// Where the document has the clip begin, seconds.
    pub start: f32,
    /// 1 is as authored; below 0 runs backwards.
    pub speed: f32,
    pub playing: bool,
    /// What of it is baked, as the user set it.
    pub bake_range: Option<BakeRange>,
    /// The clip that the document names; another may play by the pace.
    pub named: Option<usize>,
    scratch: LocalPose,
}

/// What is baked of a clip that goes round and round, and of the path that it walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeRange {
    /// Seconds since the clip began, and its path with it; beyond its end the clip begins again.
    pub from: f32,
    pub to: f32,
    /// Keys a second.
    pub rate: f32,
    /// Whether the baked clip moves the character along its path; otherwise it stays where the model stands.
    pub root_motion: bool,
}

impl BakeRange {
    /// The longest range that fields take, seconds.
    pub const LONGEST: f32 = 3600.0;

    /// All of a clip of `duration` seconds, once.
    pub fn whole(duration: f32, rate: f32) -> Self {
        Self { from: 0.0, to: duration, rate, root_motion: true }
    }

    /// How many keys it has.
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
    /// The clip that plays, or that is coming: index into the model's clips; `None` is the rest pose.
    pub fn clip(&self) -> Option<usize> {
        self.crossfade.target().map(|(clip, _)| clip)
    }

    /// Where that clip is, seconds; 0 in the rest pose.
    pub fn time(&self) -> f32 {
        self.crossfade.target().map_or(0.0, |(_, time)| time)
    }

    /// Plays a clip from `time` on (seconds, held at its ends), at once; `None` is the rest pose.
    pub fn set(&mut self, clip: Option<usize>, time: f32) {
        match clip {
            Some(clip) => self.crossfade.play_from(clip, time),
            None => self.crossfade = Crossfade::new(),
        }
        self.as_in_the_source = self.as_in_the_source.take().map(|_| self.crossfade.clone());
    }

    /// Fades to a clip over `duration` seconds; to the rest pose, and from it, at once.
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

    /// Moves on by `dt` seconds, clips faster or slower by `rate`, and loops. Returns whether the pose changed.
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

    /// The animated pose: rest, and on it the clips.
    pub fn sample(&mut self, clips: &[Clip], rest: &LocalPose, pose: &mut LocalPose) {
        self.crossfade.sample(clips, rest, &mut self.scratch, pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_loops_both_ways_and_survives_no_length() {
        let clips = [Clip { duration: 2.0, ..Clip::default() }, Clip::default()];
        let mut player = ClipPlayer::default();
        player.set(Some(0), 1.5);
        assert!(player.advance(&clips, 1.0, 1.0));
        assert!((player.time() - 0.5).abs() < 1e-6);
        player.speed = -1.0;
        player.advance(&clips, 0.5, 2.0);
        assert!((player.time() - 1.5).abs() < 1e-6);
        player.set(Some(1), 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
        player.set(Some(9), 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
        player.set(None, 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
    }

    #[test]
    fn a_fade_goes_on_while_clips_stand_still() {
        let clips = [Clip { duration: 2.0, ..Clip::default() }, Clip { duration: 1.0, ..Clip::default() }];
        let mut player = ClipPlayer { speed: 0.0, ..ClipPlayer::default() };
        player.set(Some(0), 0.5);
        player.fade_to(Some(1), 0.25, Phase::Keep, &clips);
        assert_eq!((player.clip(), player.time()), (Some(1), 0.25));
        assert!(player.advance(&clips, 0.25, 1.0) && player.crossfade.fades().is_empty());
        assert!(!player.advance(&clips, 0.25, 1.0));
    }
}
