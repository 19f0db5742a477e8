//! Motion in the window: how the animated pose is made, where the character goes, and the ground under it.
//!
//! Sections `motion`, `grounding` and `terrain` of a preset. The ground's world and the solver's model space are one
//! here: the animated pose is carried to where the character is before anything else looks at it.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::character::Character;
use super::clip_player::ClipPlayer;
use crate::animation::path::MOST_POINTS;
use crate::animation::root_motion::RootMotion;
use crate::animation::{Additive, Mask, Path, Phase, blend};
use crate::debugger::tape::Contact;
use crate::error::{BadValue, Fault, Problem};
use crate::ground::Ground;
use crate::grounding::derive::{DeriveSettings, derive_weights};
use crate::grounding::{Legs, Output, PredictiveSettings, Quality, Side, Solver, SolverState, WeightCurve, recording};
use crate::parameter::{Parameter, Parameters, Unit, settings};
use crate::rig::{BoneIndex, LocalPose, ModelPose, RigidTransform};
use crate::stack::{Frame, GroundingSection, Memory, Method, Place};
use crate::terrain::{FARTHEST, Surface, Terrain};

/// How the character gets about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Travel {
    /// It stays where it is.
    #[default]
    InPlace,
    /// Along a path, as fast as its clip walks.
    Path,
}

/// What a pose layer does with its clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Goes towards the clip's pose.
    #[default]
    Blend,
    /// Lays on what the clip does since its first frame.
    Additive,
}

settings! {
    /// Another clip on top of the one that plays.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PoseLayer {
        /// What it does with its clip.
        kind: LayerKind = LayerKind::Blend;
        /// A clip of the model; one that the model does not have does nothing.
        clip: String = String::new();
        /// Seconds into the clip; null lets it run, and loop.
        time: Option<f32> = None;
        /// How much of it is laid on: see [`Self::weight_parameter`].
        weight: f32 = 0.0;
        /// Only bones from this one down; null is the whole body.
        under: Option<String> = None;
        /// Over how many bones from there on the weight comes in.
        feather: u32 = 0, from 0 to 100 usually 10 in Count,
            too little: "What moves and what does not meet in a kink.",
            too much: "Little of the clip is left.";
        /// It does nothing.
        off: bool = false;
    }
}

impl PoseLayer {
    fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        self.weight_parameter().check(self.weight).map_err(|bad| bad.at("weight"))?;
        let time = self.time.map_or(Ok(()), |time| BadValue::check_range(time, &(0.0..=1e5), Unit::Seconds));
        time.map_err(|bad| bad.at("time"))
    }

    /// What its weight may be.
    pub const fn weight_parameter(&self) -> &'static Parameter {
        const BLEND: Parameter = Parameter {
            key: "weight",
            min: 0.0,
            max: 1.0,
            usual_max: 1.0,
            default: 1.0,
            unit: Unit::Share,
            help: "How much of it is laid on.",
            too_little: "0 leaves the pose as it is.",
            too_much: "Nothing of the pose below is left.",
        };
        const ADDITIVE: Parameter = Parameter {
            min: -2.0,
            max: 2.0,
            usual_max: 2.0,
            too_little: "0 leaves the pose as it is; below 0 it goes the other way.",
            too_much: "More is laid on than the clip has.",
            ..BLEND
        };
        match self.kind {
            LayerKind::Blend => &BLEND,
            LayerKind::Additive => &ADDITIVE,
        }
    }
}

settings! {
    /// Section `motion` of a preset.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MotionSection {
        /// How long another clip takes to come in; 0 is at once.
        fade: f32 = 0.25, from 0 to 10 usually 2 in Seconds,
            too little: "The pose jumps.",
            too much: "It floats.";
        /// Names of clips from standing to running, one of which is chosen by `pace`; empty leaves it to the user.
        gaits: Vec<String> = Vec::new();
        /// How fast to go: the clip that walks most nearly so fast fades in, and runs a little faster or slower.
        pace: f32 = 0.0, from 0 to 8 in MetresPerSecond,
            too little: "It stands.",
            too much: "Its legs are a blur.";
        /// Clips on top of the one that plays.
        layers: Vec<PoseLayer> = Vec::new();
        /// How the character gets about.
        travel: Travel = Travel::InPlace;
        /// Where the character stands, or its path begins to be counted: x and z, metres.
        start: Vec2 = Vec2::ZERO;
        /// Where it looks while it stays in place, degrees from +Z to +X; null is where its model looks.
        heading: Option<f32> = None;
        /// Points of the path, x and z, metres.
        path: Vec<Vec2> = Vec::new();
        /// Whether the path goes on from its last point to its first.
        closed: bool = true;
        /// Frames a second that motion is computed at; null is every drawn frame.
        frame_rate: Option<f32> = None;
    }
}

/// Frame rates to choose from, besides the display's own.
pub const FRAME_RATES: [f32; 4] = [30.0, 60.0, 144.0, 240.0];

impl MotionSection {
    /// # Errors
    /// [`Fault`] that names the field, its value and what it may be.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within("motion"))
    }

    fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        for (index, layer) in self.layers.iter().enumerate() {
            layer.check().map_err(|fault| fault.within(format!("layers[{index}]")))?;
        }
        check_point(self.start).map_err(|fault| fault.within("start"))?;
        let found = self.path.len();
        if found > MOST_POINTS {
            return Err(Fault::new("path", Problem::TooMany { what: "points", found, most: MOST_POINTS }));
        }
        for (index, &point) in self.path.iter().enumerate() {
            check_point(point).map_err(|fault| fault.within(format!("path[{index}]")))?;
        }
        let check = |name: &str, value: Option<f32>, range: RangeInclusive<f32>, unit: Unit| {
            let checked = value.map_or(Ok(()), |value| BadValue::check_range(value, &range, unit));
            checked.map_err(|bad| bad.at(name))
        };
        check("heading", self.heading, -360.0..=360.0, Unit::Degrees)?;
        check("frame_rate", self.frame_rate, 5.0..=1000.0, Unit::PerSecond)
    }
}

/// Of x and z: whether it is on any ground.
fn check_point(point: Vec2) -> Result<(), Fault> {
    const RANGE: RangeInclusive<f32> = -FARTHEST..=FARTHEST;
    [0, 1].into_iter().try_for_each(|axis| {
        BadValue::check_range(point[axis], &RANGE, Unit::Metres).map_err(|bad| bad.at(format!("[{axis}]")))
    })
}

/// The three sections at once: what a frame of motion goes by.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub motion: &'a MotionSection,
    pub grounding: &'a GroundingSection,
    pub terrain: Option<&'a Arc<Terrain>>,
}

/// Ground height is taken over this far to both sides of the root, along its way: stairs become the ramp that a
/// character's collider walks up, and a gap narrower than twice that is walked over. Metres.
const SMOOTHED: f32 = 0.35;
/// Distance of the heights that are averaged, metres.
const SPACING: f32 = 0.02;

/// What there is to know of a character before it walks.
struct Walker {
    legs: Legs,
    /// One per clip.
    root_motions: Vec<RootMotion>,
    /// One pair per clip, or why there is none.
    derived: Vec<Result<[WeightCurve; 2], String>>,
    soles: [Sole; 2],
}

/// Where a foot touches the ground.
#[derive(Clone, Copy, Debug, Default)]
struct Sole {
    foot: BoneIndex,
    /// In the foot's space.
    heel: Vec3,
    ball: Vec3,
    /// In the space of the toes' bone, if there is one.
    tip: Option<(BoneIndex, Vec3)>,
}

/// The bone of a foot's toes: of those right below the foot the foremost, if it is ahead of the ankle at all.
fn toe_of(character: &Character, foot: BoneIndex, forward: Vec3, length: f32) -> Option<BoneIndex> {
    let (skeleton, reference) = (&character.model.skeleton, &character.detection.reference.bones);
    let ahead = |bone: BoneIndex| (reference[bone].position - reference[foot].position).dot(forward);
    let below = (0..skeleton.len()).filter(|&bone| skeleton.parent(bone) == Some(foot));
    below.max_by(|&a, &b| ahead(a).total_cmp(&ahead(b))).filter(|&toe| ahead(toe) > 0.1 * length)
}

impl Sole {
    fn new(character: &Character, legs: &Legs, side: usize) -> Self {
        let reference = &character.detection.reference.bones;
        let foot = legs.feet[side];
        let (at, geometry) = (reference[foot], legs.geometry[side]);
        let forward = at.rotation * geometry.forward_in_foot;
        let forward = forward.with_y(0.0).normalize_or(legs.facing);
        let ground = at.position - Vec3::Y * geometry.ankle_height;
        let toe = toe_of(character, foot, forward, geometry.toe_offset);
        let inside =
            |bone: BoneIndex, point: Vec3| reference[bone].rotation.conjugate() * (point - reference[bone].position);
        let tip = ground + forward * geometry.toe_offset;
        let ball = toe.map_or(tip, |toe| {
            let ahead = (reference[toe].position - at.position).dot(forward).min(geometry.toe_offset);
            ground + forward * ahead
        });
        Self {
            foot,
            heel: inside(foot, ground - forward * geometry.heel_offset),
            ball: inside(foot, ball),
            tip: toe.map(|toe| (toe, inside(toe, tip))),
        }
    }

    /// Heel, ball and tip in a pose.
    fn points(&self, pose: &[RigidTransform]) -> [Vec3; 3] {
        let foot = &pose[self.foot];
        let ball = foot.transform_point(self.ball);
        let tip = self.tip.map_or(ball, |(toe, tip)| pose[toe].transform_point(tip));
        [foot.transform_point(self.heel), ball, tip]
    }
}

/// One quality of the predictive grounder, run beside the others on the same input.
#[derive(Clone, Copy, Debug)]
pub struct QualityLane {
    pub quality: Quality,
    pub state: SolverState,
    pub output: Output,
    /// Of one frame, over the last ones; 0 where nothing is measured.
    pub micros: f32,
}

/// What path and profile are made from.
struct MadeFrom {
    terrain: Option<Arc<Terrain>>,
    travel: Travel,
    closed: bool,
    path: Vec<Vec2>,
}

/// The ground under one who stays in place: the same from frame to frame.
struct Standing {
    terrain: Arc<Terrain>,
    place: Vec2,
    ahead: Vec3,
    ground: f32,
}

/// See the module.
#[derive(Default)]
pub struct Motion {
    /// Seconds that the ground has moved.
    pub time: f32,
    /// Seconds that layers have run.
    layers_time: f32,
    /// How much faster than authored clips run for the pace.
    pub rate: f32,
    /// Metres along the path.
    pub distance: f32,
    /// Where the character is: world from model.
    pub root: RigidTransform,
    /// The ground as it is now; `None` without a terrain, or why it is none.
    pub surface: Option<Result<Surface, Fault>>,
    /// With the predictive grounder only.
    pub qualities: Vec<QualityLane>,
    walker: Option<Walker>,
    path: Option<Path>,
    /// Ground under the path every [`SPACING`], smoothed.
    profile: Vec<f32>,
    /// What path and profile were made from.
    made_from: Option<MadeFrom>,
    standing: Option<Standing>,
    /// What the newest frame left to the next.
    memory: Memory,
    /// What the newest frame was solved from, and its seconds; what is shown may be older.
    newest: Option<(f32, Memory)>,
    /// What grounding came to in it.
    output: Option<Output>,
    /// Whether time passed for it.
    passes: bool,
    scratch: LocalPose,
    /// Seconds since the last frame that was grounded.
    elapsed: f32,
    /// Whether feet and pelvis were still on their way in the last frame.
    settling: bool,
}

impl Motion {
    /// Forgets everything of the character that was; `character` is the new one.
    pub fn set_character(&mut self, character: &Character) {
        self.walker = character.rig.legs.map(|legs| {
            let (skeleton, clips) = (&character.model.skeleton, &character.model.clips);
            let scale = (legs.reach[0].max(legs.reach[1]) / 0.9).clamp(1e-3, 1e3);
            let like = DeriveSettings::default();
            let settings = DeriveSettings {
                planted_height: like.planted_height * scale,
                swing_height: like.swing_height * scale,
                planted_speed: like.planted_speed * scale,
                swing_speed: like.swing_speed * scale,
                ..like
            };
            let derived = clips.iter().map(|clip| {
                let of = |side: usize| {
                    let foot = legs.feet[side];
                    let toe = toe_of(character, foot, legs.facing, legs.geometry[side].toe_offset);
                    derive_weights(clip, skeleton, &character.rest, foot, toe, &settings)
                };
                Ok([of(0).map_err(|error| error.to_string())?, of(1).map_err(|error| error.to_string())?])
            });
            let root_motion = |clip| RootMotion::of(clip, skeleton, &character.rest, legs.pelvis, legs.feet);
            Walker {
                derived: derived.collect(),
                root_motions: clips.iter().map(root_motion).collect(),
                soles: [0, 1].map(|side| Sole::new(character, &legs, side)),
                legs,
            }
        });
        *self = Self { walker: self.walker.take(), ..Self::default() };
    }

    /// Back to where everything begins.
    pub fn restart(&mut self) {
        (self.time, self.distance, self.elapsed) = (0.0, 0.0, 0.0);
        (self.memory, self.newest, self.output) = (Memory::default(), None, None);
        self.qualities.clear();
    }

    /// Lets the lanes of the lab begin where their chains rest.
    pub fn forget_lanes(&mut self) {
        self.memory.lanes.clear();
        if let Some((_, memory)) = &mut self.newest {
            memory.lanes.clear();
        }
    }

    pub fn legs(&self) -> Option<&Legs> {
        self.walker.as_ref().map(|walker| &walker.legs)
    }

    /// Heel, ball and tip of a foot in a pose.
    pub fn sole(&self, side: Side, pose: &[RigidTransform]) -> Option<[Vec3; 3]> {
        Some(self.walker.as_ref()?.soles[side as usize].points(pose))
    }

    /// How deep the deepest of some points is in the ground, metres; negative above it. `None` beside the ground.
    pub fn depth(&self, points: &[Vec3]) -> Option<f32> {
        let ground = self.ground()?;
        let depth = |point: &Vec3| {
            let height = ground.terrain().height_at(point.x, point.z)?;
            Some(self.on_platforms(Vec2::new(point.x, point.z), height) - point.y)
        };
        points.iter().filter_map(depth).reduce(f32::max)
    }

    /// How fast a clip walks, metres per second, forward; 0 for one that stands.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        let Some(walker) = &self.walker else { return 0.0 };
        walker.root_motions.get(clip).map_or(0.0, |motion| motion.velocity.dot(walker.legs.facing))
    }

    /// When the left and the right foot stand in a clip: as edited, or as derived from it. `None` without legs or clip.
    pub fn curves<'a>(
        &'a self,
        plan: &Plan<'a>,
        character: &Character,
        clip: Option<usize>,
    ) -> Option<&'a [WeightCurve; 2]> {
        let own = character.model.clips.get(clip?)?;
        plan.grounding.curves.get(&own.name).or(self.derived(clip?).ok())
    }

    /// The weight curves derived from a clip.
    ///
    /// # Errors
    /// Why there are none.
    pub fn derived(&self, clip: usize) -> Result<&[WeightCurve; 2], String> {
        let walker = self.walker.as_ref().ok_or_else(|| "the character has no legs".to_owned())?;
        let derived = walker.derived.get(clip).ok_or_else(|| "there is no such clip".to_owned())?;
        derived.as_ref().map_err(String::clone)
    }

    /// The ground to cast against.
    pub fn ground(&self) -> Option<&Surface> {
        self.surface.as_ref()?.as_ref().ok()
    }

    /// The path that is walked, if it is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_ref()
    }

    /// Whether the next frame will differ without anyone doing anything.
    pub fn is_moving(&self, plan: &Plan, player: &ClipPlayer) -> bool {
        let platforms = plan.terrain.is_some_and(|terrain| !terrain.platforms.is_empty());
        let walks = self.path.is_some() && self.speed(player) * player.speed != 0.0 && player.playing;
        let runs = plan.motion.layers.iter().any(|layer| !layer.off && layer.time.is_none());
        platforms || walks || (runs && player.playing) || (plan.grounding.method != Method::Off && self.settling)
    }

    /// What the clips that are shown say together.
    fn blended(&self, player: &ClipPlayer, value: impl Fn(usize, f32, &RootMotion) -> Vec3) -> Vec3 {
        let Some(walker) = &self.walker else { return Vec3::ZERO };
        let shown = player.crossfade.shown();
        shown.filter_map(|(clip, time, weight)| Some(value(clip, time, walker.root_motions.get(clip)?) * weight)).sum()
    }

    /// How fast the clips that play walk; metres per second.
    pub fn speed(&self, player: &ClipPlayer) -> f32 {
        let facing = self.legs().map_or(Vec3::Z, |legs| legs.facing);
        self.blended(player, |_, _, motion| motion.velocity).dot(facing)
    }

    /// The gait for the pace: index of its clip, and how much faster than authored it has to run.
    fn gait(&self, plan: &Plan, character: &Character, player: &ClipPlayer) -> Option<(usize, f32)> {
        let pace = plan.motion.pace;
        let clips = plan.motion.gaits.iter().filter_map(|name| character.find_clip(name).ok());
        // The one that runs is left only for one that is clearly nearer: no flutter at the border.
        let away = |clip: usize| {
            let away = (self.clip_speed(clip) - pace).abs();
            if player.clip() == Some(clip) { away * 0.9 } else { away }
        };
        let clip = clips.min_by(|&a, &b| away(a).total_cmp(&away(b)))?;
        let speed = self.clip_speed(clip);
        Some((clip, if speed > 0.1 { (pace / speed).clamp(0.5, 2.0) } else { 1.0 }))
    }

    /// Lets `dt` seconds pass: clips, fades, the way walked, the ground's own motion. Returns whether anything moved.
    pub fn advance(&mut self, plan: &Plan, character: &Character, player: &mut ClipPlayer, dt: f32) -> bool {
        let clips = &character.model.clips;
        let mut rate = 1.0;
        if let Some((clip, faster)) = self.gait(plan, character, player) {
            rate = faster;
            if player.clip() != Some(clip) {
                let walks = |clip: Option<usize>| clip.is_some_and(|clip| self.clip_speed(clip).abs() > 0.1);
                let phase = if walks(player.clip()) && walks(Some(clip)) { Phase::Keep } else { Phase::Restart };
                player.fade_to(Some(clip), plan.motion.fade, phase, clips);
            }
        }
        let moving = self.is_moving(plan, player);
        let before = self.speed(player);
        let played = player.advance(clips, dt, rate);
        if player.playing {
            // While clips fade the speed changes: the mean of both ends is exact for one fade, and nearly so for more.
            self.distance += (before + self.speed(player)) * 0.5 * player.speed * rate * dt;
        }
        self.rate = rate;
        if player.playing {
            self.layers_time += dt * player.speed;
        }
        self.time += dt;
        // While nothing moved no time passed for the feet: what moves next is not a leap out of the past.
        self.elapsed = if moving || played { self.elapsed + dt } else { dt };
        dt > 0.0 && (moving || played)
    }

    /// Makes path, ground profile and surface anew where the document has others; the ground is as it is at `time`.
    pub fn set_ground(&mut self, plan: &Plan, character: &Character, time: f32) {
        match plan.terrain {
            None => self.surface = None,
            Some(terrain) if self.ground().is_some_and(|surface| Arc::ptr_eq(surface.terrain(), terrain)) => {}
            Some(terrain) => self.surface = Some(Surface::new(terrain.clone(), time)),
        }
        if let Some(Ok(surface)) = &mut self.surface {
            surface.set_time(time);
        }
        let motion = plan.motion;
        let is_made = self.made_from.as_ref().is_some_and(|made| {
            let same_ground = match (&made.terrain, plan.terrain) {
                (Some(made), Some(terrain)) => Arc::ptr_eq(made, terrain),
                (made, terrain) => made.is_none() == terrain.is_none(),
            };
            same_ground && (made.travel, made.closed, &made.path) == (motion.travel, motion.closed, &motion.path)
        });
        if is_made {
            return;
        }
        let walks = motion.travel == Travel::Path;
        self.path = if walks { Path::new(&motion.path, motion.closed) } else { None };
        self.profile.clear();
        if let Some(terrain) = plan.terrain {
            self.make_profile(terrain, character.height);
        }
        self.made_from = Some(MadeFrom {
            terrain: plan.terrain.cloned(),
            travel: motion.travel,
            closed: motion.closed,
            path: motion.path.clone(),
        });
    }

    fn make_profile(&mut self, terrain: &Terrain, height: f32) {
        let Some(path) = &self.path else { return };
        let reach = SMOOTHED * height / 1.8;
        // A very long path, and a giant's, is looked at more coarsely.
        let count = ((path.length() / spacing_for(reach)) as usize).clamp(2, 50_000);
        let spacing = path.length() / count as f32;
        let mut last = 0.0;
        let heights: Vec<f32> = (0..count)
            .map(|index| {
                let (place, _) = path.at(index as f32 * spacing);
                // Beside the ground it goes on at the height that it left it.
                last = terrain.height_at(place.x, place.y).unwrap_or(last);
                last
            })
            .collect();
        let window = ((reach / spacing) as usize).min((count - 1) / 2).min(MOST_WINDOW);
        self.profile = smoothed(&heights, window, path.is_closed());
    }

    /// Where the character is, from the way walked and the ground's time alone: the same at every frame rate.
    fn place(&mut self, plan: &Plan, character: &Character) -> RigidTransform {
        let facing = character.detection.facing;
        let level = self.legs().map_or(0.0, |legs| legs.level);
        let turned = |to: Vec3| {
            let angle = (to.x.atan2(to.z) - facing.x.atan2(facing.z)).rem_euclid(std::f32::consts::TAU);
            if angle == 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(angle) }
        };
        let on_path = self.path.as_ref().filter(|_| !self.profile.is_empty() || plan.terrain.is_none());
        if let Some(path) = on_path {
            let (place, direction) = path.at(self.distance);
            let share = (self.distance / path.length()).rem_euclid(1.0) * self.profile.len() as f32;
            let last = self.profile.len().saturating_sub(1);
            let height =
                |index: usize| self.profile[if path.is_closed() { index % (last + 1) } else { index.min(last) }];
            let ground = match self.profile.len() {
                0 => None,
                _ => {
                    Some(height(share as usize) + (height(share as usize + 1) - height(share as usize)) * share.fract())
                }
            };
            let ground = self.on_platforms(place, ground.unwrap_or(0.0));
            let height = if plan.terrain.is_some() { ground - level } else { 0.0 };
            let rotation = turned(Vec3::new(direction.x, 0.0, direction.y));
            return RigidTransform { position: Vec3::new(place.x, height, place.y), rotation };
        }
        let heading = plan.motion.heading.map_or(Quat::IDENTITY, |degrees| {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            turned(Vec3::new(sine, 0.0, cosine))
        });
        let Some(terrain) = plan.terrain else {
            let position = Vec3::new(plan.motion.start.x, 0.0, plan.motion.start.y);
            return RigidTransform { position, rotation: heading };
        };
        let place = plan.motion.start + self.carried(plan.motion.start, terrain);
        let ahead = heading * facing;
        let ground = match &self.standing {
            Some(own) if Arc::ptr_eq(&own.terrain, terrain) && (own.place, own.ahead) == (place, ahead) => own.ground,
            _ => {
                let ground = ground_around(terrain, place, ahead, character.height);
                self.standing = Some(Standing { terrain: terrain.clone(), place, ahead, ground });
                ground
            }
        };
        let position = Vec3::new(place.x, self.on_platforms(place, ground) - level, place.y);
        RigidTransform { position, rotation: heading }
    }

    /// The platforms over or under a place: index, middle and half extents.
    fn platforms_at(&self, place: Vec2) -> impl Iterator<Item = (usize, (Vec3, Vec3))> + '_ {
        let boxes = self.ground().map_or(&[][..], |surface| surface.boxes());
        boxes.iter().copied().enumerate().filter(move |(_, (center, half))| is_within(place, *center, *half))
    }

    /// The ground's height at a place, or that of a platform's top above it.
    fn on_platforms(&self, place: Vec2, ground: f32) -> f32 {
        self.platforms_at(place).map(|(_, (center, half))| center.y + half.y).fold(ground, f32::max)
    }

    /// How far a platform that one stood on at first has taken one along.
    fn carried(&self, start: Vec2, terrain: &Terrain) -> Vec2 {
        let under = terrain.platforms.iter().find(|platform| {
            let (at, half) = (platform.place(0.0), platform.half_extents);
            let top = at.y + half.y;
            is_within(start, at, half) && terrain.height_at(start.x, start.y).is_none_or(|ground| top >= ground)
        });
        under.map_or(Vec2::ZERO, |platform| {
            let way = platform.place(self.time) - platform.place(0.0);
            Vec2::new(way.x, way.z)
        })
    }

    /// Makes the animated pose: clips, layers on them, and all of it carried to where the character is.
    pub fn pose(
        &mut self,
        plan: &Plan,
        character: &Character,
        player: &mut ClipPlayer,
        local: &mut LocalPose,
        animated: &mut ModelPose,
    ) {
        let (skeleton, clips) = (&character.model.skeleton, &character.model.clips);
        player.sample(clips, &character.rest, local);
        for layer in plan.motion.layers.iter().filter(|layer| !layer.off && layer.weight != 0.0) {
            let Ok(clip) = character.find_clip(&layer.clip) else { continue };
            let clip = &clips[clip];
            let time = layer.time.unwrap_or_else(|| clip.wrap(self.layers_time));
            let bone = layer.under.as_deref().and_then(|name| skeleton.find(name));
            let mask = bone.map(|bone| Mask::feathered(skeleton, bone, layer.feather as usize));
            match layer.kind {
                LayerKind::Blend => {
                    self.scratch.bones.clone_from(&character.rest.bones);
                    clip.sample(time, &mut self.scratch);
                    blend(local, &self.scratch, layer.weight, mask.as_ref());
                }
                LayerKind::Additive => {
                    let difference = Additive::from_clip(clip, time, 0.0, &character.rest);
                    difference.apply(local, layer.weight, mask.as_ref());
                }
            }
        }
        animated.set_from_local(skeleton, local);
        self.set_ground(plan, character, self.time);
        self.root = self.place(plan, character);
        let drift = self.blended(player, |_, time, motion| motion.drift * time);
        if self.root != RigidTransform::IDENTITY || drift != Vec3::ZERO {
            for bone in &mut animated.bones {
                *bone = self.root.transform(&RigidTransform { position: bone.position - drift, ..*bone });
            }
        }
    }

    /// How much each foot is planted, by the curves of the clips that are shown.
    fn planted(&self, plan: &Plan, character: &Character, player: &ClipPlayer) -> [f32; 2] {
        if player.clip().is_none() {
            return [1.0; 2];
        }
        let mut weights = [0.0; 2];
        for (clip, time, weight) in player.crossfade.shown() {
            let own = character.model.clips.get(clip);
            let curves = self.curves(plan, character, Some(clip));
            let phase = own.map_or(0.0, |own| if own.duration > 0.0 { time / own.duration } else { 0.0 });
            for side in 0..2 {
                weights[side] += weight * curves.map_or(1.0, |curves| curves[side].evaluate(phase));
            }
        }
        weights.map(|weight: f32| weight.clamp(0.0, 1.0))
    }

    /// Where and when a new frame is, and what the frames before leave to it; `again` lets it begin where the last one
    /// did.
    pub fn begin(&mut self, plan: &Plan, character: &Character, player: &ClipPlayer, again: bool) -> (Place, Memory) {
        let elapsed = std::mem::take(&mut self.elapsed);
        // Without time the last frame is solved anew, as it would be with what was changed. A first one takes none.
        let (dt, memory) = match self.newest.take() {
            Some((dt, memory)) if elapsed <= 0.0 => (dt, memory),
            Some((_, memory)) if again => (elapsed, Memory { lanes: memory.lanes, ..self.memory.clone() }),
            Some(_) => (elapsed, self.memory.clone()),
            None => (FIRST_FRAME, Memory::default()),
        };
        self.newest = Some((dt, memory.clone()));
        self.passes = elapsed > 0.0;
        let planted = self.planted(plan, character, player);
        let (root, ground_time) = (self.root, self.time);
        (Place { root, dt, planted, ground_time, lab_time: 0.0 }, memory)
    }

    /// Takes note of what a new frame came to, which the next one begins with.
    pub fn solved(&mut self, plan: &Plan, frame: &Frame, measures_time: bool) {
        self.memory = frame.memory.clone();
        let now = frame.grounding().map(|run| run.recording.output);
        // A first frame settles at once and has nothing to be compared with.
        self.settling = now.is_some_and(|now| self.output.is_none_or(|before| has_moved(&before, &now)));
        self.output = now;
        match (plan.grounding.solver(), frame.grounding(), self.ground()) {
            (Some(Solver::Predictive(settings)), Some(run), Some(_)) => {
                let mut lanes = std::mem::take(&mut self.qualities);
                if let Some(surface) = self.ground() {
                    let input = &run.recording.input;
                    run_qualities(&mut lanes, &settings, input, surface, self.passes, measures_time);
                }
                self.qualities = lanes;
            }
            _ => self.qualities.clear(),
        }
    }

    /// How the soles of a frame touch the ground; `None` without legs.
    pub fn contacts(&self, frame: &Frame) -> Option<[Contact; 2]> {
        let walker = self.walker.as_ref()?;
        Some([0, 1].map(|side| {
            let animated = walker.soles[side].points(&frame.input.animated.bones);
            let platform = self.platforms_at(Vec2::new(animated[0].x, animated[0].z)).next();
            let platform = platform.map(|(index, (center, _))| (index, center));
            let planted = frame.input.place.planted[side];
            Contact { planted, platform, animated, solved: walker.soles[side].points(&frame.pose) }
        }))
    }
}

/// Heights of characters for which ground in metres makes sense; model units.
const IN_METRES: std::ops::RangeInclusive<f32> = 0.3..=6.0;

/// Why this character and a ground in metres do not go together, if they do not.
pub fn scale_problem(character: &Character) -> Option<String> {
    let height = character.height;
    (!IN_METRES.contains(&height))
        .then(|| format!("the character is {height:.1} units tall, ground and way are in metres: export it in metres"))
}

/// The length of a frame that nothing was before, seconds: whatever it is, everything settles at once.
const FIRST_FRAME: f32 = 1.0 / 60.0;

/// Whether a place (x and z) is over or under a box of that middle and half extents.
fn is_within(place: Vec2, center: Vec3, half: Vec3) -> bool {
    (place.x - center.x).abs() <= half.x && (place.y - center.z).abs() <= half.z
}

/// The ground's height under one who stands at a place and looks `ahead`, as [`smoothed`] has it.
fn ground_around(terrain: &Terrain, place: Vec2, ahead: Vec3, height: f32) -> f32 {
    let reach = SMOOTHED * height / 1.8;
    let spacing = spacing_for(reach);
    let window = (reach / spacing) as i32;
    let height_at = |step: i32| {
        let at = place + Vec2::new(ahead.x, ahead.z) * (step as f32 * spacing);
        terrain.height_at(at.x, at.y)
    };
    // From the character outwards: beside the ground it goes on at the height of its rim.
    let mut heights = vec![0.0; 6 * window as usize + 1];
    let middle = heights.len() / 2;
    for side in [1, -1] {
        let mut last = height_at(0).unwrap_or(0.0);
        for step in 0..=3 * window {
            last = height_at(step * side).unwrap_or(last);
            heights[middle.saturating_add_signed((step * side) as isize)] = last;
        }
    }
    smoothed(&heights, window as usize, false)[middle]
}

/// The widest window, in heights to either side.
const MOST_WINDOW: usize = 64;

/// Distance of the heights that are looked at for a window of that reach, metres: not more of them for a giant.
fn spacing_for(reach: f32) -> f32 {
    SPACING.max(reach / 32.0)
}

/// Heights as a character's collider feels them: gaps narrower than the window to both sides are bridged, then each
/// height is the mean over the window. `closed` goes on from the last to the first.
fn smoothed(heights: &[f32], window: usize, closed: bool) -> Vec<f32> {
    let (count, window) = (heights.len() as isize, window as isize);
    if count == 0 {
        return Vec::new();
    }
    let index = |index: isize| if closed { index.rem_euclid(count) } else { index.clamp(0, count - 1) } as usize;
    let over = |heights: &[f32], of: &dyn Fn(f32, f32) -> f32| -> Vec<f32> {
        let around = |middle: isize| (middle - window..=middle + window).map(|at| heights[index(at)]);
        (0..count).map(|middle| around(middle).reduce(of).unwrap_or(0.0)).collect()
    };
    let bridged = over(&over(heights, &f32::max), &f32::min);
    let mut sum: f64 = (-window..=window).map(|at| f64::from(bridged[index(at)])).sum();
    let mut smooth = Vec::with_capacity(heights.len());
    for middle in 0..count {
        smooth.push((sum / (2 * window + 1) as f64) as f32);
        sum += f64::from(bridged[index(middle + window + 1)]) - f64::from(bridged[index(middle - window)]);
    }
    smooth
}

/// A way there and back over a terrain, along its length.
pub fn path_around(terrain: Option<&Terrain>) -> Vec<Vec2> {
    let (center, size) = terrain.map_or((Vec2::ZERO, Vec2::splat(6.0)), |terrain| (terrain.center, terrain.size));
    let half = size * 0.5;
    let (aside, along) = ((half.x * 0.45).min(1.0), half.y - (half.y * 0.3).min(1.4));
    // Round where it turns: a walk that turns on the spot slides.
    let there = [(1.0, -0.75), (1.0, 0.75), (0.0, 1.0)];
    let back = there.map(|(x, z): (f32, f32)| (-x, -z));
    there.into_iter().chain(back).map(|(x, z)| center + Vec2::new(x * aside, z * along)).collect()
}

/// Closer than this, feet and pelvis count as arrived; metres, and radians of half a turn.
const ARRIVED: f32 = 2e-6;
const TURNED: f32 = 1e-5;

fn has_moved(before: &Output, after: &Output) -> bool {
    let legs = before.legs.iter().zip(&after.legs);
    let moved = |(a, b): (&crate::grounding::LegOutput, &crate::grounding::LegOutput)| {
        let turned = a.rotation_offset.conjugate() * b.rotation_offset;
        (a.offset - b.offset).abs() > ARRIVED || turned.xyz().length() > TURNED
    };
    legs.into_iter().any(moved) || (before.pelvis_height - after.pelvis_height).abs() > ARRIVED
}

/// Every quality on the same input, each with a state of its own; `passes` if time does.
fn run_qualities(
    lanes: &mut Vec<QualityLane>,
    settings: &PredictiveSettings,
    input: &crate::grounding::Input,
    ground: &impl Ground,
    passes: bool,
    measures_time: bool,
) {
    let solvers = Quality::ALL.map(|quality| Solver::Predictive(PredictiveSettings { quality, ..*settings }));
    let again = lanes.len() == solvers.len();
    if again && !passes {
        return;
    }
    for (index, (solver, quality)) in solvers.iter().zip(Quality::ALL).enumerate() {
        let mut state = if again { lanes[index].state } else { SolverState::fresh(solver) };
        let begun = Instant::now();
        let output = recording::solve(solver, input, &mut state, ground);
        let micros = if measures_time { begun.elapsed().as_secs_f32() * 1e6 } else { 0.0 };
        // A single frame's time says little.
        let micros = if again { lanes[index].micros * 0.95 + micros * 0.05 } else { micros };
        let lane = QualityLane { quality, state, output, micros };
        if again { lanes[index] = lane } else { lanes.push(lane) }
    }
}
