//! A member of a crowd.

use glam::Vec3;

use super::detail::{Movement, Rule};
use super::kind::{Kind, blend};
use crate::full_body::Settings;
use crate::ground::Ground;
use crate::grounding::{DriveWeights, FIRST_FRAME, PredictiveSettings};
use crate::grounding::{State, predictive};
use crate::locomotion::{Gait, Stance, Way, gait, walker, way};
use crate::math::smoothstep;
use crate::rig::{LocalPose, ModelPose, RigidTransform};
use crate::stepped::Unwatched;

/// Duration of the blend from one rule to another, seconds.
const FADE: f32 = 0.3;

/// A member of a crowd: its place on its path, its clip and its level of detail.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// Index in the crowd; speeds, places and phases are spread by it.
    index: usize,
    /// Distance along the member's path, metres.
    pub distance: f32,
    way: usize,
    /// Index in [`Kind::clips`] of the clip that the member plays; `None` is the rest pose.
    pub clip: Option<usize>,
    /// Seconds into the clip.
    pub time: f32,
    rate: f32,
    /// Distance from the root to the eye in the last frame, metres.
    pub seen_from: f32,
    /// The solves by the current rule and, during a blend, by the previous one.
    tracks: [Option<Track>; 2],
    /// Remaining time of the blend, seconds.
    fading: f32,
    shown: Vec<RigidTransform>,
}

/// The solves of a member by one rule.
#[derive(Clone, Debug, Default)]
struct Track {
    /// Index of the rule; `None` if no rule fits.
    rule: Option<usize>,
    state: State,
    /// The last pose that was solved, or taken as animated by a rule without grounding; after a change of rule, at
    /// first the pose shown.
    to: Vec<RigidTransform>,
    /// The pose before `to`; at first empty.
    from: Vec<RigidTransform>,
    /// Seconds since `to` was stored.
    passed: f32,
    /// Seconds from storing `to` until the time for which `to` was solved; the next solve is due then.
    span: f32,
    /// Seconds since the time that the last solve was for; negative while that time lies ahead.
    since_solved: f32,
    has_solved: bool,
}

/// One solve of a member in a frame.
#[derive(Debug, Default)]
pub(super) struct Job {
    /// Index among the members of the thread.
    pub member: usize,
    track: usize,
    pub pose: Vec<RigidTransform>,
    pub settings: Settings,
    pub is_solved: bool,
    root: RigidTransform,
    planted: [f32; 2],
    /// Seconds from now to the time that is solved.
    ahead: f32,
    /// Seconds from the time that the track's last solve was for to the time that this solve is for; [`FIRST_FRAME`]
    /// for the first solve.
    dt: f32,
}

/// Returns a number from 0 to 1; the numbers of consecutive indices are spread evenly for a suitable `by`.
fn spread(index: usize, by: f32) -> f32 {
    (index as f32 * by).fract()
}

impl Member {
    pub(super) fn new(kind: &Kind, ways: &[Way], index: usize) -> Self {
        // One in eight stands and one in eight runs, if the clips allow it.
        let pace = match index % 8 {
            3 => 0.0,
            6 => 3.0,
            _ => 0.8 + 0.8 * spread(index, 0.381_966),
        };
        let gaits = (0..kind.clips.len()).map(|clip| (clip, kind.walker.clip_speed(clip)));
        let gait = Gait::choose(gaits, pace, None);
        let clip = gait.map(|gait| gait.clip);
        let duration = clip.and_then(|clip| kind.clips.get(clip)).map_or(0.0, |clip| clip.duration);
        let own = if ways.is_empty() { 0 } else { index % ways.len() };
        let length = ways.get(own).map_or(0.0, |way| way.path.length());
        Self {
            index,
            distance: length * spread(index / ways.len().max(1), 0.618_034) + spread(index, 0.17),
            way: own,
            clip,
            time: duration * spread(index, 0.754_878),
            rate: gait.map_or(1.0, |gait| gait.rate),
            ..Self::default()
        }
    }

    /// Returns the index of the member's way among those of the crowd.
    pub fn way(&self) -> usize {
        self.way
    }

    /// Returns the blended pose; world space, one transform per bone. Empty before the first frame.
    pub fn pose(&self) -> &[RigidTransform] {
        &self.shown
    }

    /// Returns the index of the current rule; `None` if none fits, and before the first frame.
    pub fn rule(&self) -> Option<usize> {
        self.tracks[0].as_ref()?.rule
    }

    /// Returns whether the member blends from one rule to another.
    pub fn is_fading(&self) -> bool {
        self.fading > 0.0
    }

    /// Returns the root transform, world from model.
    pub fn root(&self, kind: &Kind, ways: &[Way]) -> RigidTransform {
        self.root_after(kind, ways, 0.0)
    }

    fn root_after(&self, kind: &Kind, ways: &[Way], seconds: f32) -> RigidTransform {
        let distance = way::advance(self.distance, self.speed(kind), seconds);
        let stance = ways
            .get(self.way)
            .map_or(Stance { place: glam::Vec2::ZERO, height: 0.0, direction: None }, |way| way.at(distance));
        stance.root(kind.walker.legs.facing, kind.walker.legs.level)
    }

    /// Returns the speed along the way, metres per second; 0 in the rest pose.
    pub fn speed(&self, kind: &Kind) -> f32 {
        self.clip.map_or(0.0, |clip| kind.walker.clip_speed(clip)) * self.rate
    }

    /// Advances distance, clip and blend by `dt` seconds, then chooses the rule; while a blend runs, the rule stays.
    pub(super) fn pass(&mut self, kind: &Kind, ways: &[Way], dt: f32, eye: Vec3, rules: &[Rule]) {
        let speed = self.speed(kind);
        self.distance = way::advance(self.distance, speed, dt);
        if let Some(clip) = self.clip.and_then(|clip| kind.clips.get(clip)) {
            self.time = clip.wrap(self.time + dt * self.rate);
        }
        self.seen_from = self.root(kind, ways).position.distance(eye);
        self.fading = (self.fading - dt).max(0.0);
        if self.fading <= 0.0 {
            self.tracks[1] = None;
        }
        for track in self.tracks.iter_mut().flatten() {
            track.passed += dt;
            track.since_solved += dt;
        }
        let current = self.tracks[0].as_ref().map(|track| track.rule);
        let name = self.clip.and_then(|clip| kind.clips.get(clip)).map_or("", |clip| clip.name.as_str());
        let movement = Movement::at_speed(speed);
        let fits = |index: &usize| {
            let is_current = current == Some(Some(*index));
            rules[*index].fits(movement, name, self.seen_from, is_current)
        };
        let rule = (0..rules.len()).find(fits);
        match current {
            Some(current) if current == rule || self.is_fading() => {}
            Some(_) => {
                let before = self.tracks[0].take();
                let state = before.as_ref().map_or_else(State::default, |track| track.state);
                let since_solved = before.as_ref().map_or(0.0, |track| track.since_solved);
                let to = self.shown.clone();
                self.tracks =
                    [Some(Track { rule, state, to, since_solved, has_solved: true, ..Track::default() }), before];
                self.fading = FADE;
            }
            None => self.tracks[0] = Some(Track { rule, ..Track::default() }),
        }
    }

    pub(super) fn due(&self) -> impl Iterator<Item = usize> + use<> {
        let is_due = |track: &Option<Track>| track.as_ref().is_some_and(|track| track.passed >= track.span - 1e-5);
        let due = [is_due(&self.tracks[0]), is_due(&self.tracks[1])];
        (0..2).filter(move |&track| due[track])
    }

    /// Fills a job of a track: the time that is solved next, and the root, the animated pose (world space) and the
    /// planted weights at that time.
    pub(super) fn sample(
        &self,
        track: usize,
        (kind, ways): (&Kind, &[Way]),
        dt_and_rules: (f32, &[Rule]),
        (local, model): (&mut LocalPose, &mut ModelPose),
        job: &mut Job,
    ) {
        let (dt, rules) = dt_and_rules;
        job.track = track;
        let Some(own) = &self.tracks[track] else { return };
        let every = own.rule.and_then(|rule| rules.get(rule)).map_or(1, |rule| rule.every);
        // The first time that a track looks ahead, the number of frames depends on the member's index, which spreads
        // the solves of the members over the frames.
        let frames = match (own.has_solved, own.span > 0.0) {
            _ if every <= 1 => 0,
            (false, _) => 0,
            (true, false) => 1 + self.index as u32 % every,
            (true, true) => every,
        };
        job.ahead = frames as f32 * dt;
        job.dt = if own.has_solved { own.since_solved + job.ahead } else { FIRST_FRAME };
        job.root = self.root_after(kind, ways, job.ahead);
        let clip = self.clip.and_then(|index| Some((index, kind.clips.get(index)?)));
        local.bones.clone_from(&kind.rest.bones);
        let mut drift = Vec3::ZERO;
        job.planted = [1.0; 2];
        if let Some((index, clip)) = clip {
            let time = clip.wrap(self.time + job.ahead * self.rate);
            clip.sample(time, local);
            let stride = &kind.walker.strides[index];
            drift = stride.drift(time);
            job.planted = gait::planted_in(stride.planted.as_ref().ok(), time, clip.duration);
        }
        model.set_from_local(&kind.skeleton, local);
        job.pose.clear();
        job.pose.extend(model.bones.iter().map(|bone| walker::carried(&job.root, drift, bone)));
    }

    /// Runs the grounder and sets the job's settings; if the rule has no grounding, the job is not solved.
    pub(super) fn ground(&mut self, kind: &Kind, ground: &impl Ground, rules: &[Rule], job: &mut Job) {
        let Some(track) = &mut self.tracks[job.track] else { return };
        let all = Rule::default();
        let rule = track.rule.and_then(|rule| rules.get(rule)).unwrap_or(&all);
        job.is_solved = rule.grounding.is_some();
        let Some(quality) = rule.grounding else {
            track.state = State::default();
            return;
        };
        let legs = &kind.walker.legs;
        let input = legs.input(job.root, &job.pose, job.planted, job.dt);
        let settings = PredictiveSettings { quality, ..kind.grounding };
        let output = predictive::solve(&settings, &input, &mut track.state, ground, &mut Unwatched);
        let iterations = kind.settings.solver.iterations.min(rule.iterations);
        let mut weights = DriveWeights::default();
        if iterations == 0 {
            // Without iterations the full body does not move the torso, so the whole pose moves by the pelvis offset.
            job.pose.iter_mut().for_each(|bone| bone.position += output.pelvis);
            weights.pelvis = 0.0;
        }
        job.settings = legs.drive_full_body(&output, &weights, &job.pose, &kind.settings);
        job.settings.solver.iterations = iterations;
    }

    /// Stores the pose of a job, solved or as animated, as the next pose of its track; the track interpolates to it.
    pub(super) fn take(&mut self, job: &mut Job) {
        let Some(track) = &mut self.tracks[job.track] else { return };
        std::mem::swap(&mut track.from, &mut track.to);
        std::mem::swap(&mut track.to, &mut job.pose);
        (track.passed, track.span) = (0.0, job.ahead);
        track.since_solved = -job.ahead;
        track.has_solved = true;
    }

    /// Computes the shown pose: interpolates each track between its last two solves, and blends from the previous
    /// rule's track to the current one. `between` is a buffer with any content.
    pub(super) fn show(&mut self, between: &mut [Vec<RigidTransform>; 2]) {
        for (track, pose) in self.tracks.iter().zip(between.iter_mut()) {
            let Some(track) = track else { continue };
            match track.span > 0.0 && track.from.len() == track.to.len() {
                true => blend(&track.from, &track.to, (track.passed / track.span).clamp(0.0, 1.0), pose),
                false => pose.clone_from(&track.to),
            }
        }
        let [now, before] = between;
        match self.tracks[1].is_some() && now.len() == before.len() {
            true => {
                blend(before, now, smoothstep(1.0 - self.fading / FADE), &mut self.shown);
            }
            false => self.shown.clone_from(now),
        }
    }
}
