//! Which clip plays, and where it is.

use crate::animation::Clip;
use crate::rig::LocalPose;

/// Transport of the animated pose.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPlayer {
    /// Index into the model's clips; `None` is the rest pose.
    pub clip: Option<usize>,
    /// Seconds.
    pub time: f32,
    /// Where the document has it begin, seconds.
    pub start: f32,
    /// 1 is as authored; below 0 runs backwards.
    pub speed: f32,
    pub playing: bool,
}

impl Default for ClipPlayer {
    fn default() -> Self {
        Self { clip: None, time: 0.0, start: 0.0, speed: 1.0, playing: true }
    }
}

impl ClipPlayer {
    /// Moves on by `dt` seconds and loops. Returns whether the pose changed.
    pub fn advance(&mut self, clips: &[Clip], dt: f32) -> bool {
        let Some(clip) = self.clip.and_then(|clip| clips.get(clip)) else { return false };
        if !self.playing || clip.duration <= 0.0 || self.speed == 0.0 {
            return false;
        }
        self.time = (self.time + dt * self.speed).rem_euclid(clip.duration);
        true
    }

    /// The animated pose: rest, and on it the clip.
    pub fn sample(&self, clips: &[Clip], rest: &LocalPose, pose: &mut LocalPose) {
        pose.bones.clone_from(&rest.bones);
        if let Some(clip) = self.clip.and_then(|clip| clips.get(clip)) {
            clip.sample(self.time, pose);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_loops_both_ways_and_survives_no_length() {
        let clips = [Clip { duration: 2.0, ..Clip::default() }, Clip::default()];
        let mut player = ClipPlayer { clip: Some(0), time: 1.5, ..ClipPlayer::default() };
        assert!(player.advance(&clips, 1.0));
        assert!((player.time - 0.5).abs() < 1e-6);
        player.speed = -1.0;
        player.advance(&clips, 1.0);
        assert!((player.time - 1.5).abs() < 1e-6);
        player.clip = Some(1);
        assert!(!player.advance(&clips, 1.0));
        player.clip = Some(9);
        assert!(!player.advance(&clips, 1.0));
    }
}
