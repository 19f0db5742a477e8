//! The crowd at run time.
//!
//! Members use the character's model and walk rings on the document's terrain or, without one, on level ground. They
//! keep walking while the user pauses the character to inspect its solve.

pub(crate) mod pane;
pub mod picture;
pub mod session;
pub(crate) mod words;

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::character::Character;
use crate::picture::camera::Projector;
use crate::world::crowd::CrowdSection;
use crate::world::motion::Motion;
use kinescope_ik::crowd::{Crowd, Kind, Rule, Scene, ways_over};
use kinescope_ik::full_body::{Settings, SolverSettings};
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::PredictiveSettings;
use kinescope_ik::rig::{BoneIndex, RigidTransform};
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::{Clock, Laps, Times, Work, smoothed};

const RINGS: usize = 48;
/// Side length of the crowd's ground without a terrain, metres.
const LEVEL: f32 = 48.0;

#[derive(Default)]
pub struct CrowdView {
    crowd: Option<Crowd>,
    built_from: Option<BuiltFrom>,
    /// The member that the character replaces. The character walks on this member's path.
    pub followed: Option<usize>,
    pub frame_time: Option<FrameTime>,
    pub compares: bool,
    /// The members of `crowd` at full detail, or `None` if not compared.
    twin: Option<Crowd>,
    /// Difference to full detail, or `None` if not compared.
    pub saved: Option<Saved>,
}

/// Times of a frame of the crowd, microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTime {
    pub frame: f32,
    /// Time of each kind of work, summed over all threads.
    pub times: Times,
}

impl FrameTime {
    fn smoothed(self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        Self { frame: smoothed(self.frame, before.frame), times: self.times.smoothed(Some(&before.times)) }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// Time of a frame at full detail, or `None` if not measured.
    pub frame_time: Option<FrameTime>,
    /// Largest error of each rule, in the previous series of drawn frames and in the current series, logical pixels:
    /// see [`Self::error`].
    errors: [Vec<f32>; 2],
    seen: u32,
}

struct BuiltFrom {
    character: u64,
    terrain: Option<Arc<Terrain>>,
    solver: SolverSettings,
    grounding: PredictiveSettings,
}

impl BuiltFrom {
    /// Compares terrains by pointer, because every edit creates a new one.
    fn matches(&self, character: u64, input: &FrameInput) -> bool {
        self.character == character
            && self.terrain.as_ref().map(Arc::as_ptr) == input.terrain.map(Arc::as_ptr)
            && (self.solver, self.grounding) == (input.settings.solver, *input.grounding)
    }
}

pub struct FrameInput<'a> {
    pub section: &'a CrowdSection,
    pub settings: &'a Settings,
    pub grounding: &'a PredictiveSettings,
    pub terrain: Option<&'a Arc<Terrain>>,
    pub eye: Vec3,
    /// `None` for screenshots, because they must be repeatable, and measured times are not.
    pub clock: Option<Clock>,
}

struct Level;

impl Ground for Level {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sphere(from, 0.0, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let way = ((from.y - radius) / -direction.y).max(0.0);
        let point = (from + direction * way).with_y(0.0);
        (way.is_finite() && way <= distance).then_some(Hit { point, normal: Vec3::Y, distance: way })
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sphere(if a.y < b.y { a } else { b }, radius, direction, distance)
    }
}

impl CrowdView {
    pub fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_ref()
    }

    pub fn pick(&self, projector: &Projector, pelvis: BoneIndex, height: f32, pointer: Vec2) -> Option<usize> {
        const LEAST: f32 = 12.0;
        let crowd = self.crowd()?;
        let mut nearest: Option<(f32, usize)> = None;
        for (index, member) in crowd.members().iter().enumerate().filter(|(index, _)| Some(*index) != self.followed) {
            let Some(middle) = member.pose().get(pelvis).map(|bone| bone.position) else { continue };
            let up = Vec3::Y * height * 0.5;
            let ends = projector.to_screen(middle + up).zip(projector.to_screen(middle - up));
            let Some((top, bottom)) = ends else { continue };
            let along = bottom - top;
            let share = ((pointer - top).dot(along) / along.length_squared().max(1.0)).clamp(0.0, 1.0);
            let is_hit = pointer.distance(top + along * share) < (along.length() * 0.16).max(LEAST);
            if is_hit && nearest.is_none_or(|(away, _)| member.seen_from < away) {
                nearest = Some((member.seen_from, index));
            }
        }
        nearest.map(|(_, index)| index)
    }

    pub fn is_there(&self) -> bool {
        self.crowd.as_ref().is_some_and(|crowd| !crowd.members().is_empty())
    }

    /// Rebuilds the crowd if character, terrain, solver or grounding settings changed, and advances it by `dt` seconds.
    /// `number` identifies the character. Returns whether there is something new to draw.
    pub fn advance(
        &mut self,
        (character, number): (&Character, u64),
        motion: &Motion,
        input: &FrameInput,
        dt: f32,
    ) -> bool {
        let count = input.section.count as usize;
        let was_there = self.is_there();
        if count == 0 {
            *self = Self::default();
            return was_there;
        }
        let is_new = !self.built_from.as_ref().is_some_and(|from| from.matches(number, input));
        if is_new {
            self.followed = None;
            self.crowd = build(character, motion, input);
            self.built_from = Some(BuiltFrom {
                character: number,
                terrain: input.terrain.cloned(),
                solver: input.settings.solver,
                grounding: *input.grounding,
            });
        }
        let Some(crowd) = &mut self.crowd else { return was_there };
        let is_changed = is_new || crowd.members().len() != count;
        crowd.set_count(count);
        crowd.threads = input.section.threads;
        self.followed = self.followed.filter(|&followed| followed < count);
        if dt <= 0.0 && !is_changed {
            return false;
        }
        let rules = input.section.rules_in_force();
        let frame_time = advance_timed(crowd, motion.ground(), rules, input, dt);
        let before = self.frame_time.filter(|_| !is_changed);
        // The first frame after a change of the crowd includes one-time work, so its time is not reported.
        self.frame_time = frame_time.filter(|_| !is_changed).map(|frame_time| frame_time.smoothed(before));
        if !self.compares || rules.is_empty() || is_new {
            (self.twin, self.saved) = (None, None);
            return true;
        }
        let is_begun = self.twin.is_some();
        let twin = self.twin.get_or_insert_with(|| crowd.twin());
        twin.set_count(count);
        twin.threads = input.section.threads;
        let frame_time = advance_timed(twin, motion.ground(), &[], input, if is_begun { dt } else { 0.0 });
        let saved = self.saved.get_or_insert_default();
        let before = saved.frame_time.filter(|_| !is_changed);
        saved.frame_time = frame_time.filter(|_| is_begun && !is_changed).map(|frame_time| frame_time.smoothed(before));
        true
    }

    pub(crate) fn measure_error(&mut self, projector: &Projector, joints: &[BoneIndex], rules: usize) {
        let (Some(crowd), Some(twin), Some(saved)) = (&self.crowd, &self.twin, &mut self.saved) else { return };
        let mut errors = vec![0.0f32; rules + 1];
        for (index, (member, whole)) in crowd.members().iter().zip(twin.members()).enumerate() {
            if self.followed == Some(index) {
                continue;
            }
            let worst = &mut errors[member.rule().unwrap_or(rules).min(rules)];
            for &joint in joints {
                let at = |pose: &[RigidTransform]| {
                    let at = projector.to_screen(pose.get(joint)?.position)?;
                    projector.viewport.contains(at).then_some(at)
                };
                if let Some((here, there)) = at(member.pose()).zip(at(whole.pose())) {
                    *worst = worst.max(here.distance(there));
                }
            }
        }
        saved.see(errors);
    }
}

impl Saved {
    /// Returns the error of a rule: the largest distance in the last drawn frames (up to 120) between a member's joint
    /// in the picture and the same joint at full detail, logical pixels. The index after the last rule is for members
    /// without a matching rule.
    pub fn error(&self, rule: usize) -> f32 {
        self.errors.iter().filter_map(|errors| errors.get(rule)).fold(0.0, |worst, error| error.max(worst))
    }

    fn see(&mut self, errors: Vec<f32>) {
        const PICTURES: u32 = 60;
        if self.seen == PICTURES || errors.len() != self.errors[1].len() {
            let newest = std::mem::take(&mut self.errors[1]);
            self.errors[0] = if newest.len() == errors.len() { newest } else { Vec::new() };
            self.seen = 0;
        }
        self.seen += 1;
        self.errors[1].resize(errors.len(), 0.0);
        self.errors[1].iter_mut().zip(errors).for_each(|(worst, error)| *worst = worst.max(error));
    }
}

fn advance_timed(
    crowd: &mut Crowd,
    ground: Option<&Surface>,
    rules: &[Rule],
    input: &FrameInput,
    dt: f32,
) -> Option<FrameTime> {
    let mut laps = Laps::new(input.clock);
    let (eye, clock) = (input.eye, input.clock);
    // One type of ground, because all code of a crowd is compiled for each.
    let ground: &(dyn Ground + Sync) = ground.map_or(&Level, |surface| surface);
    crowd.advance(dt, &Scene { ground: &ground, eye, rules, clock });
    laps.end(Work::Crowd);
    input.clock.map(|_| FrameTime { frame: laps.times[Work::Crowd], times: crowd.times() })
}

fn build(character: &Character, motion: &Motion, input: &FrameInput) -> Option<Crowd> {
    let walker = motion.walker()?.clone();
    let solver = character.rig.full_body.as_ref().ok()?.clone();
    let kind = Kind {
        skeleton: character.model.skeleton.clone(),
        clips: character.model.clips.clone(),
        rest: character.rest.clone(),
        walker,
        solver,
        settings: Settings { solver: input.settings.solver, ..Settings::default() },
        grounding: *input.grounding,
    };
    let ways = match input.terrain {
        Some(terrain) => ways_over(terrain.center, terrain.size, RINGS, |at| terrain.height_at(at.x, at.y)),
        None => ways_over(Vec2::ZERO, Vec2::splat(LEVEL), RINGS, |_| Some(0.0)),
    };
    Some(Crowd::new(Arc::new(kind), ways, 0))
}
