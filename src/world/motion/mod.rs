//! Motion of the character: animated pose, path, and the ground under it.
//!
//! Connects the preset sections `motion`, `grounding` and `terrain` with the library. World space and the solver's
//! model space are the same here: the animated pose is moved to the character's position before the stack reads it.

pub mod clip_player;
mod section;

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use crate::character::Character;
use crate::world::motion::clip_player::ClipPlayer;
use kinescope_ik::animation::{Formula, Inputs, LayerInput, Phase, PoseLayer};
use kinescope_ik::error::Fault;
use kinescope_ik::ground::Layers;
use kinescope_ik::grounding::lock::PLANTED;
use kinescope_ik::grounding::{
    FIRST_FRAME, Footprint, Legs, Output, QualityLane, Side, Solver, WeightCurve, qualities,
};
use kinescope_ik::locomotion::{
    Contact, Gait, Path, Profile, Stance, Walker, Way, gait, platform, profile, sole, walker, way,
};
use kinescope_ik::modifiers::{Memory as Remembered, Modifier};
use kinescope_ik::retarget::{Places, Sampler, SourcePose};
use kinescope_ik::rig::{LocalPose, ModelPose, RigidTransform};
use kinescope_ik::stack::{Frame, GroundingSection, Memory, Method, Place};
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::Clock;

pub(crate) use crate::world::motion::section::path_around;
pub use crate::world::motion::section::{FRAME_RATES, MotionSection, PlannedFade, Travel};

#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub motion: &'a MotionSection,
    pub grounding: &'a GroundingSection,
    pub modifiers: &'a [Modifier],
    pub terrain: Option<&'a Arc<Terrain>>,
    pub(crate) additive: Formula,
}

#[derive(Default)]
struct PathCache {
    way: Option<Way>,
    from: Option<MadeFrom>,
    /// Position, facing and ground height of a character that stays in place.
    standing: Option<(Vec2, Vec3, f32)>,
}

struct MadeFrom {
    terrain: Option<Arc<Terrain>>,
    travel: Travel,
    closed: bool,
    path: Vec<Vec2>,
}

impl MadeFrom {
    fn new(plan: &Plan) -> Self {
        let MotionSection { travel, closed, path, .. } = plan.motion;
        Self { terrain: plan.terrain.cloned(), travel: *travel, closed: *closed, path: path.clone() }
    }

    /// Compares terrains by pointer, because every edit creates a new terrain.
    fn is_of(&self, plan: &Plan) -> bool {
        let motion = plan.motion;
        self.terrain.as_ref().map(Arc::as_ptr) == plan.terrain.map(Arc::as_ptr)
            && (self.travel, self.closed, &self.path) == (motion.travel, motion.closed, &motion.path)
    }
}

#[derive(Default)]
struct Past {
    memory: Memory,
    /// Duration of the newest frame in seconds, and the memory from which it was solved. The frame shown may be older.
    newest: Option<(f32, Memory)>,
    /// Platforms under the feet of the newest frame, and their movement in that frame.
    under: [Option<(usize, Vec3)>; 2],
    carried: [Vec3; 2],
    /// When each foot landed or lifted within the newest frame, as a fraction of its duration.
    crossed: [Option<f32>; 2],
    output: Option<Output>,
    passes: bool,
    /// Seconds since the newest frame, without pauses in which nothing moved.
    elapsed: f32,
    /// Whether feet or pelvis still moved in the newest frame, or grounding still blended two methods.
    settling: bool,
}

#[derive(Default)]
pub struct Motion {
    /// Distance along the path, metres.
    pub distance: f32,
    /// Playback rate at which the chosen clip walks at the section's pace. It is 1 without gaits.
    pub rate: f32,
    /// Transform of the character from model to world.
    pub root: RigidTransform,
    /// Platform under each foot, and its centre.
    under: [Option<(usize, Vec3)>; 2],
    /// The ground, with platforms where the last solve had them, or the terrain's error. `None` without a terrain.
    pub surface: Option<Result<Surface, Fault>>,
    /// Results of all qualities of the predictive grounder: see [`Self::compare_qualities`].
    pub(crate) qualities: Vec<QualityLane>,
    /// Path and distance of the crowd member that the character follows.
    pub followed_path: Option<(Way, f32)>,
    /// Time since motion began, seconds. It places platforms, starts planned fades and, in the rest pose, is the clip
    /// time of modifiers.
    time: f32,
    /// Input of the held keys that drive pose layers: −1 for minus, 1 for plus, or 0 for none or both.
    pub(crate) keys_held: f32,
    keys: f32,
    /// Time for which pose layers have run, seconds. It passes at the playback speed, and only while playback is on.
    layers_time: f32,
    walker: Option<Arc<Walker>>,
    /// The source's pose of a retargeted clip that plays.
    pub source: Option<Arc<SourcePose>>,
    sampler: Sampler,
    made: PathCache,
    past: Past,
    scratch: LocalPose,
}

const HAS_NO_LEGS: &str = "the character has no legs. Press D to assign its bones in the rig doctor";

/// Largest change of the smoothed key input per second. From 0 to 1, it takes a quarter of a second.
const KEYS_SPEED: f32 = 4.0;

/// Distance above and below a sole within which ground is searched, metres.
const SOUGHT: f32 = 100.0;

impl Motion {
    pub(crate) fn of_character(character: &Character) -> Self {
        let mut motion = Self::default();
        motion.set_character(character);
        motion
    }

    pub(crate) fn set_character(&mut self, character: &Character) {
        *self = Self { rate: 1.0, ..Self::default() };
        self.set_clips(character);
    }

    pub(crate) fn set_clips(&mut self, character: &Character) {
        self.walker = character.measured();
        self.source = None;
    }

    fn sample_source(&mut self, character: &Character, player: &ClipPlayer) -> Option<Places> {
        let playing = player.clip();
        let shown = player.crossfade.shown().find(|(clip, ..)| Some(*clip) == playing);
        let found = shown.zip(character.motion.as_ref()).and_then(|((clip, time, share), motion)| {
            let (pose, places) = motion.pose_at(clip, time, &mut self.sampler)?;
            Some((pose, Places { weight: share.clamp(0.0, 1.0), ..places }))
        });
        let (pose, places) = found.unzip();
        self.source = pose.map(Arc::new);
        places
    }

    /// Moves path and platforms back to their start, stops following a crowd member, and forgets earlier frames. The
    /// clip continues.
    pub(crate) fn restart(&mut self) {
        (self.time, self.distance) = (0.0, 0.0);
        self.followed_path = None;
        self.forget_past();
    }

    pub(crate) fn forget_past(&mut self) {
        self.past = Past { settling: self.past.settling, ..Past::default() };
        self.qualities.clear();
    }

    /// Makes the lab's lanes start from their rest pose.
    pub(crate) fn forget_lanes(&mut self) {
        self.past.memory.lanes.clear();
        if let Some((_, memory)) = &mut self.past.newest {
            memory.lanes.clear();
        }
    }

    pub(crate) fn walker(&self) -> Option<&Walker> {
        self.walker.as_deref()
    }

    pub(crate) fn legs(&self) -> Option<&Legs> {
        self.walker.as_ref().map(|walker| &walker.legs)
    }

    /// Returns heel, ball and tip of a foot in a pose; `None` for a character without legs.
    pub fn sole(&self, side: Side, pose: &[RigidTransform]) -> Option<[Vec3; 3]> {
        Some(self.walker.as_ref()?.soles[side as usize].points(pose))
    }

    /// Returns the depth of the deepest point below the ground of these `layers`, metres; negative if all points are
    /// above it. Points without ground within [`SOUGHT`] are skipped. `None` if no other points are left.
    pub fn depth(&self, points: &[Vec3], layers: Layers) -> Option<f32> {
        sole::depth(points, self.ground()?, layers, SOUGHT)
    }

    fn along(&self) -> f32 {
        (self.root.rotation * Vec3::Y).y.max(0.0)
    }

    /// Returns the horizontal fraction of a stride at `distance` metres along the path. It is below 1 if the character
    /// leans with the slope.
    fn along_at(&self, plan: &Plan, character: &Character, distance: f32) -> f32 {
        let Some(way) = self.made.way.as_ref().filter(|_| plan.motion.lean > 0.0) else { return self.along() };
        (leaning(plan, character, way.at(distance), 0.0).rotation * Vec3::Y).y.max(0.0)
    }

    /// Returns the forward speed of a clip, metres per second. It is 0 for a standing clip.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        self.walker.as_ref().map_or(0.0, |walker| walker.clip_speed(clip))
    }

    pub fn speed(&self, player: &ClipPlayer) -> f32 {
        self.walker.as_ref().map_or(0.0, |walker| walker.speed(&player.crossfade))
    }

    pub fn curves<'a>(
        &'a self,
        plan: &Plan<'a>,
        character: &Character,
        clip: Option<usize>,
    ) -> Option<&'a [WeightCurve; 2]> {
        let own = character.model.clips.get(clip?)?;
        plan.grounding.curves.get(&own.name).or(self.derived(clip?)?.ok())
    }

    /// Returns the weight curves that were derived from a clip, or why there are none. Returns `None` if a character with
    /// legs has no such clip.
    pub fn derived(&self, clip: usize) -> Option<Result<&[WeightCurve; 2], String>> {
        let Some(walker) = &self.walker else { return Some(Err(HAS_NO_LEGS.to_owned())) };
        Some(walker.strides.get(clip)?.planted.as_ref().map_err(Fault::to_string))
    }

    pub fn ground(&self) -> Option<&Surface> {
        self.surface.as_ref()?.as_ref().ok()
    }

    pub fn path(&self) -> Option<&Path> {
        self.made.way.as_ref().map(|way| &way.path)
    }

    pub fn is_moving(&self, plan: &Plan, player: &ClipPlayer) -> bool {
        let platforms = plan.terrain.is_some_and(|terrain| !terrain.platforms.is_empty());
        let walks = self.made.way.is_some() && self.speed(player) * player.speed != 0.0 && player.playing;
        let runs = plan.motion.layers.iter().any(PoseLayer::runs);
        let modifiers = plan.modifiers.iter().enumerate();
        let mut modified = modifiers.map(|(index, own)| (own, self.past.memory.modifiers.get(index).copied()));
        let acts = modified.any(|(own, memory)| own.is_moving(&memory.unwrap_or_default()));
        platforms
            || walks
            || acts
            || self.keys_move(plan)
            || (runs && player.playing)
            || (plan.grounding.method != Method::Off && self.past.settling)
    }

    fn keys_move(&self, plan: &Plan) -> bool {
        let bindings =
            plan.motion.layers.iter().filter(|layer| !layer.off).flat_map(|own| [own.weight_by, own.time_by]);
        let mut bindings = bindings.flatten();
        self.keys != self.keys_held && bindings.any(|binding| binding.input == LayerInput::Keys)
    }

    pub(crate) fn inputs(&self, plan: &Plan, player: &ClipPlayer) -> Inputs {
        let by_pace = !plan.motion.gaits.is_empty();
        let pace = if by_pace { plan.motion.pace } else { (self.speed(player) * player.speed).abs() };
        Inputs { running: self.layers_time, pace, keys: self.keys }
    }

    pub fn advance(&mut self, plan: &Plan, character: &Character, player: &mut ClipPlayer, dt: f32) -> bool {
        let (clips, motion) = (&character.model.clips, plan.motion);
        let named = motion.gaits.iter().filter_map(|name| character.find_clip(name).ok());
        let gait = Gait::choose(named.map(|clip| (clip, self.clip_speed(clip))), motion.pace, player.clip());
        if let Some(Gait { clip, .. }) = gait.filter(|gait| player.clip() != Some(gait.clip)) {
            let from = player.clip().map_or(0.0, |clip| self.clip_speed(clip));
            player.fade_to(Some(clip), motion.fade, gait::phase_between(from, self.clip_speed(clip)), clips);
        }
        for planned in motion.planned.iter().filter(|planned| is_due(planned, motion.every, self.time, dt)) {
            let clip = character.find_clip(&planned.clip).ok();
            if clip.is_some() && player.playing {
                player.fade_to(clip, planned.duration, Phase::Restart, clips);
            }
        }
        self.rate = gait.map_or(1.0, |gait| gait.rate);
        let moving = self.is_moving(plan, player);
        let before = self.speed(player);
        let played = player.advance(clips, dt, self.rate);
        if player.playing {
            let speed = (before + self.speed(player)) * 0.5 * player.speed * self.rate;
            // The slope is that at half the step (midpoint rule), so that long frames are nearly as exact as short
            // ones.
            let half = way::advance(self.distance, speed * self.along(), 0.5 * dt);
            self.distance = way::advance(self.distance, speed * self.along_at(plan, character, half), dt);
            self.layers_time += dt * player.speed;
        }
        let step = (dt * KEYS_SPEED).max(0.0);
        self.keys += (self.keys_held - self.keys).clamp(-step, step);
        self.time += dt;
        // While nothing moves, no time passes for the feet. Otherwise the next movement would count as a jump over the
        // whole pause.
        self.past.elapsed = if moving || played { self.past.elapsed + dt } else { dt };
        dt > 0.0 && (moving || played)
    }

    /// Applies `happens` to a modifier's memory, and to the memory from which the newest frame was solved.
    pub(crate) fn tell(&mut self, modifier: usize, happens: impl Fn(&mut Remembered)) {
        // The newest frame may be solved again before time passes.
        let newest = self.past.newest.as_mut().map(|(_, memory)| memory);
        for memory in newest.into_iter().chain([&mut self.past.memory]) {
            if memory.modifiers.len() <= modifier {
                memory.modifiers.resize(modifier + 1, Remembered::Nothing);
            }
            happens(&mut memory.modifiers[modifier]);
        }
    }

    /// Platforms are placed for `time`, in seconds.
    pub(crate) fn set_ground(&mut self, plan: &Plan, character: &Character, time: f32) {
        match plan.terrain {
            None => self.surface = None,
            Some(terrain) if self.ground().is_some_and(|surface| Arc::ptr_eq(surface.terrain(), terrain)) => {}
            Some(terrain) => self.surface = Some(Surface::new(terrain.clone(), time)),
        }
        if let Some(Ok(surface)) = &mut self.surface {
            surface.set_time(time);
        }
        if self.made.from.as_ref().is_some_and(|from| from.is_of(plan)) {
            return;
        }
        let motion = plan.motion;
        let walked = if motion.travel == Travel::Path { Path::new(&motion.path, motion.closed) } else { None };
        let way = walked.map(|path| {
            let profile = plan.terrain.map(|terrain| {
                let height = |at: Vec2| terrain.height_at(at.x, at.y);
                Profile::along(&path, profile::reach_for(character.height), height)
            });
            Way { path, profile }
        });
        self.made = PathCache { way, from: Some(MadeFrom::new(plan)), standing: None };
    }

    /// Returns the character's transform, which is computed from the ground's time and the distance along the path, so
    /// that it does not depend on the frame rate. A character that follows a crowd member uses the member's path and
    /// distance.
    fn place(&mut self, plan: &Plan, character: &Character) -> RigidTransform {
        let stance = match (&self.followed_path, &self.made.way) {
            (Some((way, distance)), _) => way.at(*distance),
            (None, Some(way)) => way.at(self.distance),
            (None, None) => self.standing(plan, character),
        };
        let on_top = |surface| platform::top(surface, stance.place, stance.height, plan.grounding.layers());
        let height = self.ground().map_or(stance.height, on_top);
        // Without a terrain the ground is at the level of the model's soles.
        let level = self.legs().filter(|_| plan.terrain.is_some()).map_or(0.0, |legs| legs.level);
        leaning(plan, character, Stance { height, ..stance }, level)
    }

    /// Returns the stance of a character that stays in place. A platform under its start carries it sideways. The
    /// height is that of the terrain without platforms, or 0 without a terrain.
    fn standing(&mut self, plan: &Plan, character: &Character) -> Stance {
        let direction = plan.motion.heading.map(Stance::direction_of);
        let stance = Stance { place: plan.motion.start, height: 0.0, direction };
        let Some(terrain) = plan.terrain else { return stance };
        let place = stance.place + platform::carried(terrain, stance.place, self.time, plan.grounding.layers());
        let ahead = stance.rotation(character.detection.facing) * character.detection.facing;
        let known = self.made.standing.filter(|&(at, looks, _)| (at, looks) == (place, ahead));
        let height = known.map_or_else(
            || {
                let reach = profile::reach_for(character.height);
                let height = |at: Vec2| terrain.height_at(at.x, at.y);
                profile::height_around(place, Vec2::new(ahead.x, ahead.z), reach, height)
            },
            |(.., height)| height,
        );
        self.made.standing = Some((place, ahead, height));
        Stance { place, height, ..stance }
    }

    pub fn pose(
        &mut self,
        plan: &Plan,
        character: &Character,
        player: &mut ClipPlayer,
        local: &mut LocalPose,
        animated: &mut ModelPose,
    ) {
        let (skeleton, clips, rest) = (&character.model.skeleton, &character.model.clips, &character.rest);
        player.sample(clips, rest, local);
        let inputs = self.inputs(plan, player);
        for layer in &plan.motion.layers {
            layer.apply((clips, skeleton, rest), &inputs, plan.additive, &mut self.scratch, local);
        }
        animated.set_from_local(skeleton, local);
        self.set_ground(plan, character, self.time);
        self.root = self.place(plan, character);
        let drift = match plan.motion.travel {
            Travel::Clip => Vec3::ZERO,
            Travel::InPlace | Travel::Path => {
                self.walker.as_ref().map_or(Vec3::ZERO, |walker| walker.drift(&player.crossfade))
            }
        };
        if self.root != RigidTransform::IDENTITY || drift != Vec3::ZERO {
            for bone in &mut animated.bones {
                *bone = walker::carried(&self.root, drift, bone);
            }
        }
        self.under = Side::ALL.map(|side| {
            let [heel, ..] = self.sole(side, &animated.bones)?;
            platform::at(self.ground()?, Vec2::new(heel.x, heel.z), plan.grounding.environment[side as usize])
        });
    }

    /// Begins a frame: takes the elapsed time, and returns the frame's place and memory. With `again`, the lab's lanes
    /// start from the memory that they had before the last frame.
    pub(crate) fn begin(
        &mut self,
        plan: &Plan,
        character: &Character,
        player: &ClipPlayer,
        again: bool,
    ) -> (Place, Memory) {
        let curves = |clip| self.curves(plan, character, Some(clip));
        let planted = gait::planted(&player.crossfade, &character.model.clips, curves);
        let passed = if player.playing { self.past.elapsed * player.speed * self.rate } else { 0.0 };
        let crossed = gait::crossed(&player.crossfade, &character.model.clips, curves, passed);
        let past = &mut self.past;
        let elapsed = std::mem::take(&mut past.elapsed);
        if elapsed > 0.0 {
            past.carried = [0, 1].map(|side: usize| match (past.under[side], self.under[side]) {
                (Some((a, from)), Some((b, to))) if a == b && (to - from).is_finite() => to - from,
                _ => Vec3::ZERO,
            });
            past.under = self.under;
            past.crossed = crossed;
        }
        let (carried, crossed) = (past.carried, past.crossed);
        // If no time has passed, the last frame repeats from its own start with the changed settings.
        let (dt, memory) = match past.newest.take() {
            Some((dt, memory)) if elapsed <= 0.0 => (dt, memory),
            Some((_, memory)) if again => (elapsed, Memory { lanes: memory.lanes, ..past.memory.clone() }),
            Some(_) => (elapsed, past.memory.clone()),
            None => (FIRST_FRAME, Memory::default()),
        };
        past.newest = Some((dt, memory.clone()));
        past.passes = elapsed > 0.0;
        let clip_time = if player.clip().is_some() { player.time() } else { self.time };
        let shown = player.crossfade.shown();
        let shown = shown.filter_map(|(clip, _, share)| {
            let name = character.model.clips.get(clip)?.name.as_str();
            Some((name, self.clip_speed(clip) * player.speed * self.rate, share))
        });
        let grounding = plan.grounding.now(shown);
        let source = self.sample_source(character, player);
        let mut place = Place {
            root: self.root,
            dt,
            clip_time,
            planted,
            crossed,
            carried,
            source,
            grounding,
            ground_time: self.time,
            ..Place::default()
        };
        if plan.grounding.method_at(&place) == Method::Path {
            place.footprints = self.footprints(plan, character, player);
        }
        (place, memory)
    }

    /// Returns the landing of each swinging foot, from the clip that plays or fades in, its curves and the path. `None`
    /// for a planted foot, and without a landing within [`LONGEST`].
    fn footprints(&self, plan: &Plan, character: &Character, player: &ClipPlayer) -> [Option<Footprint>; 2] {
        /// Longest swing of a foot, seconds of the clip.
        const LONGEST: f32 = 2.0;
        /// Samples per second of the clip in the search for the foot's landing.
        const FINE: f32 = 120.0;
        if !player.playing {
            return [None; 2];
        }
        let (Some(way), Some(walker), Some(legs)) = (&self.made.way, &self.walker, self.legs()) else {
            return [None; 2];
        };
        let Some(index) = player.clip() else { return [None; 2] };
        let (clip, stride) = (&character.model.clips[index], &walker.strides[index]);
        let Some(curves) = self.curves(plan, character, Some(index)) else { return [None; 2] };
        let rate = player.speed * self.rate;
        if clip.duration <= 0.0 || rate <= 0.0 {
            return [None; 2];
        }
        let speed = self.speed(player) * self.along();
        let now = player.time();
        Side::ALL.map(|side| {
            let planted = |time: f32| curves[side as usize].evaluate((time / clip.duration).rem_euclid(1.0)) > PLANTED;
            if planted(now) {
                return None;
            }
            let ahead = (1..=(LONGEST * FINE) as u32).map(|piece| piece as f32 / FINE);
            let time = ahead.into_iter().find(|&ahead| planted(now + ahead))?;
            let then = (now + time).rem_euclid(clip.duration);
            let mut local = character.rest.clone();
            clip.sample(then, &mut local);
            let pose = ModelPose::from_local(&character.model.skeleton, &local);
            let stance = way.at(way::advance(self.distance, speed, time));
            let root = leaning(plan, character, stance, legs.level);
            let foot = pose.bones.get(legs.feet[side as usize])?;
            Some(Footprint { foot: walker::carried(&root, stride.drift(then), foot), time: time / rate })
        })
    }

    pub fn solved(&mut self, frame: &Frame) {
        let past = &mut self.past;
        past.memory = frame.memory.clone();
        let now = frame.grounding().map(|run| run.recording.output);
        // Without a previous output, the feet count as moving.
        let moves = now.is_some_and(|now| past.output.is_none_or(|before| now.has_moved_since(&before)));
        past.settling = moves || frame.memory.handover.is_blending();
        past.output = now;
    }

    /// Solves the newest frame with every quality of the predictive grounder. Clears the qualities unless `is_shown`,
    /// because together they cost more than the rest of grounding.
    pub(crate) fn compare_qualities(&mut self, frame: &Frame, is_shown: bool, clock: Option<Clock>) {
        let run = frame.grounding().filter(|_| is_shown);
        match (run.map(|run| run.recording.solver), run, &self.surface) {
            (Some(Solver::Predictive(settings)), Some(run), Some(Ok(ground))) => {
                if self.past.passes || self.qualities.is_empty() {
                    qualities::advance(&mut self.qualities, &settings, &run.recording.input, ground, clock);
                }
            }
            _ => self.qualities.clear(),
        }
    }

    /// `height` is that of the character, in model units.
    pub fn contacts(&self, frame: &Frame, height: f32) -> Option<[Contact; 2]> {
        let walker = self.walker.as_ref()?;
        Some([0, 1].map(|side| {
            let animated = walker.soles[side].points(&frame.input.animated.bones);
            let under = Vec2::new(animated[0].x, animated[0].z);
            let layers = frame.input.stack.grounding.environment[side];
            let platform = self.ground().and_then(|surface| platform::at(surface, under, layers));
            let planted = frame.planted[side];
            let up = frame.input.up();
            let solved = walker.soles[side].points(&frame.pose);
            Contact { planted, platform, layers, up, height, animated, solved }
        }))
    }
}

fn is_due(planned: &PlannedFade, every: f32, time: f32, dt: f32) -> bool {
    let since = time - planned.at;
    // This is the last repetition before the end of the frame.
    let rounds = if every > 0.0 { ((since + dt) / every).floor().max(0.0) } else { 0.0 };
    let comes = planned.at + rounds * every;
    time <= comes && comes < time + dt
}

/// Returns the root transform of a stance, tilted by `lean` from +Y toward the ground's normal. `level` is the height
/// of the soles in the model.
fn leaning(plan: &Plan, character: &Character, stance: Stance, level: f32) -> RigidTransform {
    let root = stance.root(character.detection.facing, level);
    let Some(terrain) = plan.terrain.filter(|_| plan.motion.lean > 0.0) else { return root };
    let reach = profile::reach_for(character.height);
    let up = profile::normal_around(stance.place, reach, |at| terrain.height_at(at.x, at.y));
    let turn = Quat::IDENTITY.slerp(Quat::from_rotation_arc(Vec3::Y, up), plan.motion.lean);
    let stands = root.position + Vec3::Y * level;
    RigidTransform { position: stands + turn * (root.position - stands), rotation: turn * root.rotation }
}

const IN_METRES: std::ops::RangeInclusive<f32> = 0.3..=6.0;

pub(crate) fn scale_problem(character: &Character) -> Option<String> {
    let height = character.height;
    (!IN_METRES.contains(&height)).then(|| {
        format!("The character is {height:.1} model units tall, but ground and path are in metres. Export it in metres")
    })
}
