//! The crowd in the program: what the document says of it, wired to the library.
//!
//! Section `crowd` of a preset. Its members are of the character's kind, walk rings over the document's terrain, and go on
//! while the character's own frame is looked at.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::camera::Projector;
use super::character::Character;
use super::motion::Motion;
use crate::crowd::{Crowd, DETAIL_RULES, Kind, Rule, Scene, default_rules, ways_over};
use crate::error::{Fault, Problem};
use crate::full_body::{Settings, SolverSettings};
use crate::ground::{Ground, Hit};
use crate::grounding::PredictiveSettings;
use crate::parameter::{Parameters, settings};
use crate::rig::BoneIndex;
use crate::terrain::Terrain;

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
    /// Milliseconds that the newest frame took, smoothed; `None` where nothing is measured.
    pub frame_ms: Option<f32>,
}

/// What a crowd was made from: another one is made where this differs.
#[derive(PartialEq)]
struct MadeFrom {
    character: u64,
    terrain: Option<*const Terrain>,
    solver: SolverSettings,
    grounding: PredictiveSettings,
}

/// What a frame of the crowd goes by.
pub struct Going<'a> {
    pub section: &'a CrowdSection,
    pub settings: &'a Settings,
    pub grounding: &'a PredictiveSettings,
    pub terrain: Option<&'a Arc<Terrain>>,
    /// Where it is looked at from.
    pub eye: Vec3,
    /// Off for pictures, which are to repeat.
    pub measures_time: bool,
}

fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
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
        let made_from = MadeFrom {
            character: number,
            terrain: going.terrain.map(Arc::as_ptr),
            solver: going.settings.solver,
            grounding: *going.grounding,
        };
        let is_new = self.made_from.as_ref() != Some(&made_from);
        if is_new {
            self.followed = None;
            self.crowd = make(character, motion, going);
            self.made_from = Some(made_from);
        }
        let Some(crowd) = &mut self.crowd else { return was_there };
        let is_changed = is_new || crowd.members().len() != count;
        crowd.set_count(count);
        self.followed = self.followed.filter(|&followed| followed < count);
        if dt <= 0.0 && !is_changed {
            return false;
        }
        let begun = Instant::now();
        let rules = going.section.rules_in_force();
        let clock = going.measures_time.then_some(clock as fn() -> f64);
        match motion.ground() {
            Some(ground) => advance(crowd, ground, rules, going.eye, clock, dt),
            None => advance(crowd, &Level, rules, going.eye, clock, dt),
        }
        if going.measures_time && !is_changed {
            let taken = begun.elapsed().as_secs_f32() * 1e3;
            self.frame_ms = Some(self.frame_ms.map_or(taken, |before| before * 0.9 + taken * 0.1));
        }
        true
    }
}

fn advance<G: Ground + Sync>(
    crowd: &mut Crowd,
    ground: &G,
    rules: &[Rule],
    eye: Vec3,
    clock: Option<fn() -> f64>,
    dt: f32,
) {
    crowd.advance(dt, &Scene { ground, eye, rules, clock });
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
