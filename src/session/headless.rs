//! Posing without a window: single frames for the command line, and whole clips for baking, for recordings and for
//! comparing lanes.

#[cfg(not(target_arch = "wasm32"))]
mod recording;

use std::sync::Arc;

use crate::character::Character;
use crate::session::words as text;
use crate::world::document::Document;
use crate::world::motion::Motion;
use crate::world::motion::clip_player::{BakeRange, ClipPlayer};
use kinescope_ik::animation::Clip;
use kinescope_ik::debugger::divergence::Divergence;
use kinescope_ik::full_body::BodyRun;
use kinescope_ik::ground::Ground;
use kinescope_ik::rig::detect::{is_a_point, rest_problem};
use kinescope_ik::rig::{LocalPose, ModelPose};
use kinescope_ik::slices::{finish, report};
use kinescope_ik::stack::{Frame, Input, LayerId};

pub struct Headless {
    pub character: Character,
    pub document: Document,
    pub player: ClipPlayer,
    pub motion: Motion,
    pub frame: Frame,
    animated: ModelPose,
    local: LocalPose,
}

impl Headless {
    pub fn new(mut character: Character, mut document: Document) -> Result<Self, String> {
        // While a lab is open, the character is not solved, so the document's lab is closed.
        document.stack.chain_ik.lab = None;
        character.remap(&document.mapping, document.reference);
        let name = &character.model.name;
        if let (Some(missing), _) = document.missing(&character.model) {
            return Err(format!("{name}: {missing}"));
        }
        if let Some(wrong) = document.wrong_root_node(&character) {
            return Err(format!("{name}: {wrong}"));
        }
        let clip = document.clip.name.as_deref().map(|name| character.find_clip(name)).transpose()?;
        match clip.map(|clip| &character.model.clips[clip]) {
            None => {
                let problem =
                    character.detection.biped.as_ref().and_then(|biped| rest_problem(&character.model, biped));
                problem.map_or(Ok(()), |problem| Err(format!("{name}: {problem}")))?;
            }
            Some(clip) if !(0.0..=clip.duration).contains(&document.clip.time) => {
                let (time, duration, clip) = (document.clip.time, clip.duration, &clip.name);
                return Err(text::not_within_clip(&name, &time, &clip, &duration));
            }
            Some(_) => {}
        }
        character.fit_motion(document.stack.order.retarget.path);
        let mut player = ClipPlayer::default();
        player.set(clip, document.clip.time);
        let mut motion = Motion::default();
        motion.set_character(&character);
        let mut new = Self {
            character,
            document,
            player,
            motion,
            frame: Frame::empty(),
            animated: ModelPose::default(),
            local: LocalPose::default(),
        };
        new.animate();
        if let Some(biped) = &new.character.detection.biped
            && is_a_point(&new.animated, biped)
        {
            let (name, time) = (&new.character.model.name, new.document.clip.time);
            return Err(text::bones_without_length(&name, &time));
        }
        match &new.motion.surface {
            Some(Err(error)) => Err(text::terrain_error(&error)),
            _ => Ok(new),
        }
    }

    fn animate(&mut self) {
        let plan = self.document.plan();
        self.motion.pose(&plan, &self.character, &mut self.player, &mut self.local, &mut self.animated);
        let (place, memory) = self.motion.begin(&plan, &self.character, &self.player, false);
        let (stack, animated) = (Arc::new(self.document.stack.clone()), Arc::new(self.animated.clone()));
        let input =
            Input { stack, animated, source: self.motion.source.clone(), foreign: Arc::default(), place, memory };
        let ground = self.motion.ground().map(|surface| surface as &dyn Ground);
        self.frame = self.character.solve(&input, ground, None);
        self.motion.solved(&self.frame);
    }

    pub fn advance(&mut self, dt: f32) {
        let plan = self.document.plan();
        self.motion.advance(&plan, &self.character, &mut self.player, dt);
        self.animate();
    }

    /// Advances by `dt` seconds to `time` in a clip. `time` may be the very end of the clip, where playback would wrap.
    fn advance_to(&mut self, clip: usize, dt: f32, time: f32) {
        let plan = self.document.plan();
        self.motion.advance(&plan, &self.character, &mut self.player, dt);
        self.player.set(Some(clip), time);
        self.animate();
    }

    fn begin(&mut self, clip: usize) {
        self.player.set(Some(clip), 0.0);
        self.motion.restart();
        self.animate();
    }

    /// `to` completes the error "there is nothing to …".
    pub fn full_body(&self, to: &str) -> Result<&BodyRun, String> {
        let name = &self.character.model.name;
        match (self.frame.full_body(), self.frame.problem()) {
            _ if self.frame.limbs().is_some() => Err(text::LIMBS_ONLY.to_owned()),
            // If the attachments fail, the targets are in the wrong places.
            (_, Some((LayerId::Attachments, problem))) => Err(format!("{name}: {problem}")),
            (Some(run), _) => Ok(run),
            (None, Some((_, problem))) => Err(format!("{name}: {problem}")),
            (None, None) => Err(text::nothing_to_do(&name, &to)),
        }
    }

    pub fn solve(&mut self) -> Result<ModelPose, String> {
        if let Some((layer, problem)) = self.frame.problem() {
            let place = match layer {
                LayerId::Chain(index) => format!("chain_ik.chains[{index}]: "),
                _ => String::new(),
            };
            return Err(format!("{}: {place}{problem}", self.character.model.name));
        }
        Ok(ModelPose { bones: self.frame.pose.clone(), ..self.animated.clone() })
    }

    fn local(&self, pose: &ModelPose) -> LocalPose {
        pose.to_local(&self.character.model.skeleton, &self.local)
    }

    pub fn bake_whole(&mut self, frames_per_second: f32) -> Result<Baked, String> {
        self.bake(self.whole_clip(frames_per_second))
    }

    pub fn whole_clip(&self, frames_per_second: f32) -> BakeRange {
        let clip = self.player.clip().and_then(|clip| self.character.model.clips.get(clip));
        BakeRange::whole(clip.map_or(0.0, |clip| clip.duration), frames_per_second)
    }

    /// Bakes the document's clip: solves frame by frame, with grounding, into local poses with times from 0.
    ///
    /// Frames before the range are also computed, because feet and pelvis depend on earlier frames. Beyond the clip's
    /// end, the clip repeats, and the character continues along its path.
    ///
    /// Without a path, the clip runs once before the first key, so that the baked clip loops with feet and pelvis in
    /// motion. A clip that does not loop, or walks a path, starts at rest.
    pub fn bake(&mut self, range: BakeRange) -> Result<Baked, String> {
        finish(self.bake_in_slices(range, &mut |_| true)).map(Option::unwrap_or_default)
    }

    /// Does the same as [`Self::bake`] with [pauses](kinescope_ik::slices). Returns `None` once `progress` returns
    /// false.
    pub(crate) async fn bake_in_slices(
        &mut self,
        range: BakeRange,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Option<Baked>, String> {
        let mut baked = Baked::default();
        let visit = &mut |own: &mut Self, time: f32| {
            let mut pose = own.solve()?;
            if !range.root_motion {
                let root = own.motion.root;
                for bone in &mut pose.bones {
                    *bone = root.to_local(bone);
                }
            }
            let mut local = own.local(&pose);
            if let Some(last) = baked.poses.last() {
                short_way(last, &mut local);
            }
            baked.times.push(time);
            baked.poses.push(local);
            Ok(())
        };
        let name = self.each(range, progress, visit).await?;
        Ok(name.map(|name| Baked { name, ..baked }))
    }

    /// Solves one repetition of the document's clip, and compares the results of the first two lanes of its full-body
    /// lab. `tolerance` is in model units.
    ///
    /// Returns the seconds between two frames and the divergence, or `None` once `progress` returns false.
    pub(crate) async fn diverge_in_slices(
        &mut self,
        frames_per_second: f32,
        tolerance: f32,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Option<(f32, Divergence)>, String> {
        let joints = self.character.rig.lane_joints();
        let (mut found, mut number, mut last) = (Divergence::default(), 0, 0.0);
        let visit = &mut |own: &mut Self, time: f32| {
            let pose = |lane: usize| own.frame.lane_pose(&own.character.rig, lane);
            if let (Some(a), Some(b)) = (pose(0), pose(1)) {
                found.add(number, &joints, [&a, &b], tolerance);
            }
            (number, last) = (number + 1, time);
            Ok(())
        };
        let name = self.each(self.whole_clip(frames_per_second), progress, visit).await?;
        let between = last / number.saturating_sub(1).max(1) as f32;
        Ok(name.map(|_| (between, found)))
    }

    /// Runs through a clip frame by frame from time 0, and passes the frames of `range` to `visit` with their time
    /// since the range's start. Without a path, first runs the clip once without `visit`. Returns the clip's name, or
    /// `None` once `progress` returns false.
    async fn each(
        &mut self,
        range: BakeRange,
        progress: &mut dyn FnMut(f32) -> bool,
        visit: &mut dyn FnMut(&mut Self, f32) -> Result<(), String>,
    ) -> Result<Option<String>, String> {
        let frames_per_second = range.rate;
        let clip = self.player.clip().ok_or_else(|| text::NO_CLIP_TO_BAKE.to_owned())?;
        let Clip { name, duration, .. } = &self.character.model.clips[clip];
        let (name, duration) = (name.clone(), *duration);
        if !duration.is_finite() || duration <= 0.0 {
            let model = &self.character.model.name;
            return Err(text::clip_without_length(&model, &name));
        }
        if !(range.from >= 0.0 && range.from < range.to && range.to.is_finite()) {
            return Err(text::nothing_to_bake(&range.from, &range.to));
        }
        let count = range.keys() - 1.0;
        if count.max(range.to * frames_per_second) > MAX_FRAMES {
            return Err(text::too_many_frames(&range.to, &name, &frames_per_second, &MAX_FRAMES));
        }
        let count = count as usize;
        let dt = (range.to - range.from) / count as f32;
        let frames_to = |time: f32| (time / dt).round().clamp(if time > 0.0 { 1.0 } else { 0.0 }, MAX_FRAMES);
        let (before, rounds) = (frames_to(range.from), frames_to(duration));
        // With gaits, the pace would choose another clip.
        self.document.motion.gaits.clear();
        self.begin(clip);
        let is_in_place = self.motion.path().is_none();
        let total = count as f32 + before + if is_in_place { rounds } else { 0.0 };
        let mut done = 0.0;
        let mut goes_on = async || {
            done += 1.0;
            report(progress, done / total.max(1.0)).await
        };
        if is_in_place {
            let first = self.animated.clone();
            let dt = duration / rounds;
            for frame in 1..=rounds as usize {
                self.advance_to(clip, dt, dt * frame as f32);
                if !goes_on().await {
                    return Ok(None);
                }
            }
            let distances = first.bones.iter().zip(&self.animated.bones).map(|(a, b)| a.position.distance(b.position));
            if distances.fold(0.0, f32::max) > SAME * self.character.height {
                self.begin(clip);
            } else {
                // The time returns to 0 at the same pose, so that keyed effectors start at their first key.
                self.player.set(Some(clip), 0.0);
                self.animate();
            }
        }
        // Returns the time within the clip. A time at the clip's boundary is the clip's end for the last frame, and its
        // start for all others.
        let clip_time = |time: f32, is_last: bool| {
            let rounds = (time / duration + if is_last { -SAME_TIME } else { SAME_TIME }).floor().max(0.0);
            (time - rounds * duration).clamp(0.0, duration)
        };
        for frame in 1..=before as usize {
            let dt = range.from / before;
            self.advance_to(clip, dt, clip_time(dt * frame as f32, false));
            if !goes_on().await {
                return Ok(None);
            }
        }
        for frame in 0..=count {
            if frame > 0 {
                self.advance_to(clip, dt, clip_time(range.from + dt * frame as f32, frame == count));
                if !goes_on().await {
                    return Ok(None);
                }
            }
            visit(self, dt * frame as f32)?;
        }
        Ok(Some(name))
    }
}

/// Returns the time in seconds that a clip needs for the document's whole path: once around a closed path, or to just
/// before the end of an open one, where it would restart.
pub(crate) fn path_time(document: &Document, character: &Character, clip: Option<usize>) -> Result<f32, String> {
    const RATE: f32 = 60.0;
    /// Distance from the end at which an open path counts as walked, metres.
    const BEFORE_END: f32 = 1e-3;
    let named = clip.and_then(|index| Some((index, character.model.clips.get(index)?)));
    let (index, clip) = named.ok_or_else(|| text::NO_CLIP_FOR_PATH.to_owned())?;
    let mut document = document.clone();
    document.motion.gaits.clear();
    let plan = document.plan();
    let mut motion = Motion::default();
    motion.set_character(character);
    let mut player = ClipPlayer::default();
    player.set(Some(index), 0.0);
    let (mut local, mut animated) = (LocalPose::default(), ModelPose::default());
    motion.pose(&plan, character, &mut player, &mut local, &mut animated);
    let path = motion.path().map(|path| path.length() - if path.is_closed() { 0.0 } else { BEFORE_END });
    let length = path.ok_or_else(|| text::NO_PATH.to_owned())?;
    if motion.legs().is_none() {
        return Err(text::NO_LEGS_FOR_PATH.to_owned());
    }
    let (speed, longest) = (motion.clip_speed(index), MAX_FRAMES / RATE);
    let too_slow = || text::too_slow_for_path(&clip.name, &speed, &(longest / 60.0));
    // On a slope the character is slower, so this is the shortest time.
    if speed > 0.0 && length > speed * longest {
        return Err(too_slow());
    }
    let dt = 1.0 / RATE;
    for frame in 0..MAX_FRAMES as usize {
        let before = motion.distance;
        motion.advance(&plan, character, &mut player, dt);
        motion.pose(&plan, character, &mut player, &mut local, &mut animated);
        let step = motion.distance - before;
        if step <= 0.0 {
            return Err(text::does_not_walk(&clip.name));
        }
        if motion.distance >= length {
            return Ok((frame as f32 + (length - before) / step) * dt);
        }
    }
    Err(too_slow())
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baked {
    pub name: String,
    /// Seconds since the start of the baked range.
    pub times: Vec<f32>,
    pub poses: Vec<LocalPose>,
}

/// Largest distance of a bone between the first and the last pose of a clip that loops, as a fraction of the
/// character's height.
const SAME: f32 = 2e-3;
/// Difference up to which two times count as equal, as a fraction of the clip's duration.
const SAME_TIME: f32 = 1e-5;
/// Limit for the intervals between the keys of a baked clip, for the frames from time 0 to the end of the baked range,
/// and for the frames in which [`path_time`] walks the path.
const MAX_FRAMES: f32 = 100_000.0;

/// Flips quaternions to the hemisphere of the previous key, so that linear interpolation takes the shorter way.
fn short_way(before: &LocalPose, after: &mut LocalPose) {
    for (before, after) in before.bones.iter().zip(&mut after.bones) {
        if before.rotation.dot(after.rotation) < 0.0 {
            after.rotation = -after.rotation;
        }
    }
}
