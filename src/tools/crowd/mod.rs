//! The crowd in the program: what the document says of it, wired to the library.
//!
//! Section `crowd` of a preset. Its members are of the character's kind, walk rings over the document's terrain, and go on
//! while the character's own frame is looked at.

pub mod pane;
pub mod picture;
pub mod session;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::character::Character;
use crate::picture::camera::Projector;
use crate::tools::motion::Motion;
use kinescope_ik::crowd::{Crowd, DETAIL_RULES, Kind, Rule, Scene, Threads, default_rules, ways_over};
use kinescope_ik::error::{Fault, Problem};
use kinescope_ik::full_body::{Settings, SolverSettings};
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::PredictiveSettings;
use kinescope_ik::parameter::{Parameters, settings};
use kinescope_ik::rig::{BoneIndex, RigidTransform};
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::{Clock, Laps, Times, Work, smoothed};

settings! {
    /// Section `crowd` of a preset.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct CrowdSection {
        /// How many walk there beside the character.
        count: u32 = 0, from 0 to 2000 in Count,
            too little: "It is alone.",
            too much: "There is no way between them.";
        /// Everyone gets all the detail, near or far.
        all_detail: bool = false;
        /// How much detail each gets: the first rule that fits.
        rules: Vec<Rule> = default_rules();
        /// How they are spread over threads.
        threads: Threads = Threads::Auto;
    }
}

impl CrowdSection {
    /// # Errors
    /// [`Fault`] that names the field, its value and what it may be.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within("crowd"))
    }

    fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        let found = self.rules.len();
        if found > DETAIL_RULES {
            return Err(Fault::new("rules", Problem::TooMany { what: "rules", found, most: DETAIL_RULES }));
        }
        for (index, rule) in self.rules.iter().enumerate() {
            rule.check().map_err(|fault| fault.within(format!("rules[{index}]")))?;
        }
        Ok(())
    }

    /// Those that are gone by.
    pub fn rules_in_force(&self) -> &[Rule] {
        if self.all_detail { &[] } else { &self.rules }
    }
}

/// How many rings there are to walk on, at most.
const RINGS: usize = 48;
/// The ground that a crowd walks on where the document has none, metres along each side.
const LEVEL: f32 = 48.0;

/// The crowd that is there now.
#[derive(Default)]
pub struct CrowdView {
    crowd: Option<Crowd>,
    made_from: Option<MadeFrom>,
    /// Whose place the character has taken: it is drawn as that, and goes where that goes.
    pub followed: Option<usize>,
    /// What a frame takes; `None` where nothing is measured.
    pub taken: Option<Taken>,
    /// It is compared with all the detail for everyone.
    pub compares: bool,
    /// The same members with all the detail.
    twin: Option<Crowd>,
    /// What detail saves; `None` where nothing is compared.
    pub saved: Option<Saved>,
}

/// What a frame of a crowd takes, over the last ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Microseconds from its beginning to its end.
    pub frame: f32,
    /// On all threads together.
    pub times: Times,
}

impl Taken {
    fn smoothed(self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        Self { frame: smoothed(self.frame, before.frame), times: self.times.smoothed(Some(&before.times)) }
    }
}

/// A crowd by its rules against the same crowd with all the detail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// What a frame of it takes with all the detail; `None` where nothing is measured.
    pub taken: Option<Taken>,
    /// See [`Self::error`]: of some pictures, and of those since.
    errors: [Vec<f32>; 2],
    seen: u32,
}

/// What a crowd was made from: another one is made where this differs.
struct MadeFrom {
    character: u64,
    terrain: Option<Arc<Terrain>>,
    solver: SolverSettings,
    grounding: PredictiveSettings,
}

impl MadeFrom {
    /// A terrain is the same only where it is shared: edits make others.
    fn is_of(&self, character: u64, going: &Going) -> bool {
        self.character == character
            && self.terrain.as_ref().map(Arc::as_ptr) == going.terrain.map(Arc::as_ptr)
            && (self.solver, self.grounding) == (going.settings.solver, *going.grounding)
    }
}

/// What a frame of the crowd goes by.
pub struct Going<'a> {
    pub section: &'a CrowdSection,
    pub settings: &'a Settings,
    pub grounding: &'a PredictiveSettings,
    pub terrain: Option<&'a Arc<Terrain>>,
    /// Where it is looked at from.
    pub eye: Vec3,
    /// Not there for pictures, which are to repeat.
    pub clock: Option<Clock>,
}

/// Ground everywhere at height 0.
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
    /// The crowd, if there is one.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_ref()
    }

    /// Whoever is in front under the pointer, at logical pixels; not the one that is followed.
    pub fn pick(&self, projector: &Projector, pelvis: BoneIndex, height: f32, pointer: Vec2) -> Option<usize> {
        /// Nobody is harder to hit than a handle, pixels.
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

    /// Whether anyone is there.
    pub fn is_there(&self) -> bool {
        self.crowd.as_ref().is_some_and(|crowd| !crowd.members().is_empty())
    }

    /// Makes the crowd what the document says, and lets `dt` seconds pass for it. `character` is the number of the one
    /// that is there. Returns whether there is anything new to see.
    pub fn advance(&mut self, (character, number): (&Character, u64), motion: &Motion, going: &Going, dt: f32) -> bool {
        let count = going.section.count as usize;
        let was_there = self.is_there();
        if count == 0 {
            *self = Self::default();
            return was_there;
        }
        let is_new = !self.made_from.as_ref().is_some_and(|from| from.is_of(number, going));
        if is_new {
            self.followed = None;
            self.crowd = make(character, motion, going);
            self.made_from = Some(MadeFrom {
                character: number,
                terrain: going.terrain.cloned(),
                solver: going.settings.solver,
                grounding: *going.grounding,
            });
        }
        let Some(crowd) = &mut self.crowd else { return was_there };
        let is_changed = is_new || crowd.members().len() != count;
        crowd.set_count(count);
        crowd.threads = going.section.threads;
        self.followed = self.followed.filter(|&followed| followed < count);
        if dt <= 0.0 && !is_changed {
            return false;
        }
        let rules = going.section.rules_in_force();
        let taken = go_on(crowd, motion.ground(), rules, going, dt);
        let before = self.taken.filter(|_| !is_changed);
        // A first frame has everything yet to be made.
        self.taken = taken.filter(|_| !is_changed).map(|taken| taken.smoothed(before));
        if !self.compares || rules.is_empty() || is_new {
            (self.twin, self.saved) = (None, None);
            return true;
        }
        let is_begun = self.twin.is_some();
        let twin = self.twin.get_or_insert_with(|| crowd.twin());
        twin.set_count(count);
        twin.threads = going.section.threads;
        let taken = go_on(twin, motion.ground(), &[], going, if is_begun { dt } else { 0.0 });
        let saved = self.saved.get_or_insert_default();
        let before = saved.taken.filter(|_| !is_changed);
        saved.taken = taken.filter(|_| is_begun && !is_changed).map(|taken| taken.smoothed(before));
        true
    }

    /// Measures what detail leaves out in a picture. `joints` are the bones that are looked at, `rules` how many there
    /// are.
    pub fn measure_error(&mut self, projector: &Projector, joints: &[BoneIndex], rules: usize) {
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
    /// By rule: how far a joint of a member in the picture was from where all the detail would have it in the last seconds,
    /// the farthest, logical pixels. After the last rule that of those whom none fits.
    pub fn error(&self, rule: usize) -> f32 {
        self.errors.iter().filter_map(|errors| errors.get(rule)).fold(0.0, |worst, error| error.max(worst))
    }

    fn see(&mut self, errors: Vec<f32>) {
        /// Of which one number is told.
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

/// One frame, and what it took.
fn go_on(crowd: &mut Crowd, ground: Option<&Surface>, rules: &[Rule], going: &Going, dt: f32) -> Option<Taken> {
    let mut laps = Laps::new(going.clock);
    let (eye, clock) = (going.eye, going.clock);
    match ground {
        Some(ground) => crowd.advance(dt, &Scene { ground, eye, rules, clock }),
        None => crowd.advance(dt, &Scene { ground: &Level, eye, rules, clock }),
    }
    laps.end(Work::Crowd);
    going.clock.map(|_| Taken { frame: laps.times[Work::Crowd], times: crowd.times() })
}

/// Of a character that walks; `None` of one that has no legs.
fn make(character: &Character, motion: &Motion, going: &Going) -> Option<Crowd> {
    let walker = motion.walker()?.clone();
    let solver = character.rig.full_body.as_ref().ok()?.clone();
    let kind = Kind {
        skeleton: character.model.skeleton.clone(),
        clips: character.model.clips.clone(),
        rest: character.rest.clone(),
        walker,
        solver,
        settings: Settings { solver: going.settings.solver, ..Settings::default() },
        grounding: *going.grounding,
    };
    let ways = match going.terrain {
        Some(terrain) => ways_over(terrain.center, terrain.size, RINGS, |at| terrain.height_at(at.x, at.y)),
        None => ways_over(Vec2::ZERO, Vec2::splat(LEVEL), RINGS, |_| Some(0.0)),
    };
    Some(Crowd::new(Arc::new(kind), ways, 0))
}
