//! Motion in the program: what the document says of it, wired to the library. How the animated pose is made, where the
//! character goes, and the ground under it.
//!
//! Sections `motion`, `grounding` and `terrain` of a preset. The ground's world and the solver's model space are one
//! here: the animated pose is carried to where the character is before anything else looks at it.

pub mod clip_player;
pub mod clip_track;
pub mod pane;
pub mod picture;
mod section;
pub mod session;

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use crate::character::Character;
use crate::tools::motion::clip_player::ClipPlayer;
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
use kinescope_ik::rig::{LocalPose, ModelPose, RigidTransform};
use kinescope_ik::stack::{Frame, GroundingSection, Memory, Method, Place};
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::Clock;

pub use crate::tools::motion::section::{FRAME_RATES, MotionSection, PlannedFade, Travel, path_around};

/// All sections at once that a frame of motion goes by.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub motion: &'a MotionSection,
    pub grounding: &'a GroundingSection,
    pub modifiers: &'a [Modifier],
    pub terrain: Option<&'a Arc<Terrain>>,
    /// How additive layers are computed.
    pub additive: Formula,
}

/// The way that the document has, made when it changes.
#[derive(Default)]
struct Made {
    way: Option<Way>,
    from: Option<MadeFrom>,
    /// Of one who stays in place: where, looking where, and the ground's height there.
    standing: Option<(Vec2, Vec3, f32)>,
}

/// What a way was made from.
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

    /// A terrain is the same only where it is shared: edits make others.
    fn is_of(&self, plan: &Plan) -> bool {
        let motion = plan.motion;
        self.terrain.as_ref().map(Arc::as_ptr) == plan.terrain.map(Arc::as_ptr)
            && (self.travel, self.closed, &self.path) == (motion.travel, motion.closed, &motion.path)
    }
}

/// What the frames before leave to the next.
#[derive(Default)]
struct Past {
    /// What the newest frame left.
    memory: Memory,
    /// What the newest frame was solved from, and its seconds; what is shown may be older.
    newest: Option<(f32, Memory)>,
    /// The platforms that the feet of the newest frame were over, and how far those had carried them.
    under: [Option<(usize, Vec3)>; 2],
    carried: [Vec3; 2],
    /// When its feet landed or lifted within it.
    crossed: [Option<f32>; 2],
    /// What grounding came to in it.
    output: Option<Output>,
    /// Whether time passed for it.
    passes: bool,
    /// Seconds since it.
    elapsed: f32,
    /// Whether feet and pelvis were still on their way in it.
    settling: bool,
}

/// See the module.
#[derive(Default)]
pub struct Motion {
    /// Metres along the path.
    pub distance: f32,
    /// How much faster than authored clips run for the pace.
    pub rate: f32,
    /// Where the character is: world from model.
    pub root: RigidTransform,
    /// The platform that each foot is over, and where its middle is.
    under: [Option<(usize, Vec3)>; 2],
    /// The ground as it is now; `None` without a terrain, or why it is none.
    pub surface: Option<Result<Surface, Fault>>,
    /// With the predictive grounder only.
    pub qualities: Vec<QualityLane>,
    /// It goes the way of one of the crowd, and is so far along.
    pub led: Option<(Way, f32)>,
    /// Seconds that the ground has moved.
    time: f32,
    /// The keys that drive pose layers: −1, 0 or 1 as they are held, and where the input is, which follows.
    pub keys_held: f32,
    keys: f32,
    /// Seconds that layers have run.
    layers_time: f32,
    walker: Option<Walker>,
    made: Made,
    past: Past,
    scratch: LocalPose,
}

/// How fast the input of the keys follows them, per second: from released to held in a quarter of a second.
const KEYS_SPEED: f32 = 4.0;

/// How far above and below a sole its ground is looked for, metres.
const SOUGHT: f32 = 100.0;

impl Motion {
    /// Forgets everything of the character that was; `character` is the new one.
    pub fn set_character(&mut self, character: &Character) {
        let (model, reference) = (&character.model, &character.detection.reference.bones);
        let walker = |legs| Walker::new(&model.skeleton, reference, &character.rest, &model.clips, legs);
        *self = Self { walker: character.rig.legs.map(walker), ..Self::default() };
    }

    /// Back to where everything begins.
    pub fn restart(&mut self) {
        (self.time, self.distance) = (0.0, 0.0);
        self.led = None;
        self.forget_past();
    }

    /// The next frame begins with nothing of those before it.
    pub fn forget_past(&mut self) {
        self.past = Past { settling: self.past.settling, ..Past::default() };
        self.qualities.clear();
    }

    /// Lets the lanes of the lab begin where their chains rest.
    pub fn forget_lanes(&mut self) {
        self.past.memory.lanes.clear();
        if let Some((_, memory)) = &mut self.past.newest {
            memory.lanes.clear();
        }
    }

    pub fn walker(&self) -> Option<&Walker> {
        self.walker.as_ref()
    }

    pub fn legs(&self) -> Option<&Legs> {
        self.walker.as_ref().map(|walker| &walker.legs)
    }

    /// Heel, ball and tip of a foot in a pose.
    pub fn sole(&self, side: Side, pose: &[RigidTransform]) -> Option<[Vec3; 3]> {
        Some(self.walker.as_ref()?.soles[side as usize].points(pose))
    }

    /// How deep the deepest of some points is in the ground on those layers, metres; negative above it. `None` beside the ground.
    pub fn depth(&self, points: &[Vec3], layers: Layers) -> Option<f32> {
        sole::depth(points, self.ground()?, layers, SOUGHT)
    }

    /// How much of a step goes over the plan: the strides of one who leans go along the slope.
    fn along(&self) -> f32 {
        (self.root.rotation * Vec3::Y).y.max(0.0)
    }

    /// The same so many metres into the way.
    fn along_at(&self, plan: &Plan, character: &Character, distance: f32) -> f32 {
        let Some(way) = self.made.way.as_ref().filter(|_| plan.motion.lean > 0.0) else { return self.along() };
        (leaning(plan, character, way.at(distance), 0.0).rotation * Vec3::Y).y.max(0.0)
    }

    /// How fast a clip walks, metres per second, forward; 0 for one that stands.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        self.walker.as_ref().map_or(0.0, |walker| walker.clip_speed(clip))
    }

    /// How fast the clips that play walk; metres per second.
    pub fn speed(&self, player: &ClipPlayer) -> f32 {
        self.walker.as_ref().map_or(0.0, |walker| walker.speed(&player.crossfade))
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
        let stride = walker.strides.get(clip).ok_or_else(|| "there is no such clip".to_owned())?;
        stride.planted.as_ref().map_err(Fault::to_string)
    }

    /// The ground to cast against.
    pub fn ground(&self) -> Option<&Surface> {
        self.surface.as_ref()?.as_ref().ok()
    }

    /// The path that is walked, if it is one.
    pub fn path(&self) -> Option<&Path> {
        self.made.way.as_ref().map(|way| &way.path)
    }

    /// Whether the next frame will differ without anyone doing anything.
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

    /// Whether the input of the keys is on its way, and a layer follows it.
    fn keys_move(&self, plan: &Plan) -> bool {
        let bindings =
            plan.motion.layers.iter().filter(|layer| !layer.off).flat_map(|own| [own.weight_by, own.time_by]);
        let mut bindings = bindings.flatten();
        self.keys != self.keys_held && bindings.any(|binding| binding.input == LayerInput::Keys)
    }

    /// What drives pose layers now.
    fn inputs(&self, plan: &Plan, player: &ClipPlayer) -> Inputs {
        let by_pace = !plan.motion.gaits.is_empty();
        let pace = if by_pace { plan.motion.pace } else { (self.speed(player) * player.speed).abs() };
        Inputs { running: self.layers_time, pace, keys: self.keys }
    }

    /// Lets `dt` seconds pass: clips, fades, the way walked, the ground's own motion. Returns whether anything moved.
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
            // By the slope half way there: as exact over a long frame as over two short ones.
            let half = way::advance(self.distance, speed * self.along(), 0.5 * dt);
            self.distance = way::advance(self.distance, speed * self.along_at(plan, character, half), dt);
            self.layers_time += dt * player.speed;
        }
        let step = (dt * KEYS_SPEED).max(0.0);
        self.keys += (self.keys_held - self.keys).clamp(-step, step);
        self.time += dt;
        // While nothing moved no time passed for the feet: what moves next is not a leap out of the past.
        self.past.elapsed = if moving || played { self.past.elapsed + dt } else { dt };
        dt > 0.0 && (moving || played)
    }

    /// Tells a modifier that something happens to it, from the next frame on.
    pub fn tell(&mut self, modifier: usize, happens: impl Fn(&mut Remembered)) {
        // The last frame may be solved anew before time goes on.
        let newest = self.past.newest.as_mut().map(|(_, memory)| memory);
        for memory in newest.into_iter().chain([&mut self.past.memory]) {
            if memory.modifiers.len() <= modifier {
                memory.modifiers.resize(modifier + 1, Remembered::Nothing);
            }
            happens(&mut memory.modifiers[modifier]);
        }
    }

    /// Makes way and surface anew where the document has others; the ground is as it is at `time`.
    pub fn set_ground(&mut self, plan: &Plan, character: &Character, time: f32) {
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
        self.made = Made { way, from: Some(MadeFrom::new(plan)), standing: None };
    }

    /// Where the character is, from the way walked and the ground's time alone: the same at every frame rate.
    fn place(&mut self, plan: &Plan, character: &Character) -> RigidTransform {
        let stance = match (&self.led, &self.made.way) {
            (Some((way, distance)), _) => way.at(*distance),
            (None, Some(way)) => way.at(self.distance),
            (None, None) => self.standing(plan, character),
        };
        let on_top = |surface| platform::top(surface, stance.place, stance.height, plan.grounding.layers());
        let height = self.ground().map_or(stance.height, on_top);
        // Without a ground the model's own is where its soles are.
        let level = self.legs().filter(|_| plan.terrain.is_some()).map_or(0.0, |legs| legs.level);
        leaning(plan, character, Stance { height, ..stance }, level)
    }

    /// Where one is who stays in place, but for what a platform does.
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

    /// Makes the animated pose: clips, layers on them, and all of it carried to where the character is.
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

    /// Where and when a new frame is, and what the frames before leave to it; `again` lets it begin where the last one
    /// did.
    pub fn begin(&mut self, plan: &Plan, character: &Character, player: &ClipPlayer, again: bool) -> (Place, Memory) {
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
        // Without time the last frame is solved anew, as it would be with what was changed. A first one takes none.
        let (dt, memory) = match past.newest.take() {
            Some((dt, memory)) if elapsed <= 0.0 => (dt, memory),
            Some((_, memory)) if again => (elapsed, Memory { lanes: memory.lanes, ..past.memory.clone() }),
            Some(_) => (elapsed, past.memory.clone()),
            None => (FIRST_FRAME, Memory::default()),
        };
        past.newest = Some((dt, memory.clone()));
        past.passes = elapsed > 0.0;
        let clip_time = if player.clip().is_some() { player.crossfade.time() } else { self.time };
        let shown = player.crossfade.shown();
        let shown = shown.filter_map(|(clip, _, share)| {
            let name = character.model.clips.get(clip)?.name.as_str();
            Some((name, self.clip_speed(clip) * player.speed * self.rate, share))
        });
        let grounding = plan.grounding.now(shown);
        let footprints = match grounding.method.unwrap_or(plan.grounding.method) {
            Method::Path => self.footprints(plan, character, player),
            _ => [None; 2],
        };
        let place = Place {
            root: self.root,
            dt,
            clip_time,
            planted,
            crossed,
            carried,
            footprints,
            grounding,
            ground_time: self.time,
            ..Place::default()
        };
        (place, memory)
    }

    /// Where each foot that swings will land: by the clip that counts most, its curves, and the way.
    fn footprints(&self, plan: &Plan, character: &Character, player: &ClipPlayer) -> [Option<Footprint>; 2] {
        /// The longest that a foot is in the air, seconds, and how finely its landing is looked for, per second.
        const LONGEST: f32 = 2.0;
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
        let now = player.crossfade.time();
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

    /// Takes note of what a new frame came to, which the next one begins with.
    pub fn solved(&mut self, frame: &Frame, clock: Option<Clock>) {
        let past = &mut self.past;
        past.memory = frame.memory.clone();
        let now = frame.grounding().map(|run| run.recording.output);
        // A first frame settles at once and has nothing to be compared with.
        let moves = now.is_some_and(|now| past.output.is_none_or(|before| now.has_moved_since(&before)));
        past.settling = moves || frame.memory.handover.is_blending();
        past.output = now;
        let run = frame.grounding();
        match (run.map(|run| run.recording.solver), run, &self.surface) {
            (Some(Solver::Predictive(settings)), Some(run), Some(Ok(ground))) => {
                if past.passes || self.qualities.is_empty() {
                    qualities::advance(&mut self.qualities, &settings, &run.recording.input, ground, clock);
                }
            }
            _ => self.qualities.clear(),
        }
    }

    /// How the soles of a frame touch the ground; `None` without legs.
    pub fn contacts(&self, frame: &Frame) -> Option<[Contact; 2]> {
        let walker = self.walker.as_ref()?;
        Some([0, 1].map(|side| {
            let animated = walker.soles[side].points(&frame.input.animated.bones);
            let under = Vec2::new(animated[0].x, animated[0].z);
            let layers = frame.input.stack.grounding.environment[side];
            let platform = self.ground().and_then(|surface| platform::at(surface, under, layers));
            let planted = frame.planted[side];
            let up = frame.input.up();
            Contact { planted, platform, layers, up, animated, solved: walker.soles[side].points(&frame.pose) }
        }))
    }
}

/// Whether a fade comes within the next `dt` seconds.
fn is_due(planned: &PlannedFade, every: f32, time: f32, dt: f32) -> bool {
    let since = time - planned.at;
    // The last time that it came, by the end of the frame, is within the frame.
    let rounds = if every > 0.0 { ((since + dt) / every).floor().max(0.0) } else { 0.0 };
    let comes = planned.at + rounds * every;
    time <= comes && comes < time + dt
}

/// The root of one who stands like that, its soles `level` high in its model: as far turned from +Y to the ground's normal
/// as the section says.
fn leaning(plan: &Plan, character: &Character, stance: Stance, level: f32) -> RigidTransform {
    let root = stance.root(character.detection.facing, level);
    let Some(terrain) = plan.terrain.filter(|_| plan.motion.lean > 0.0) else { return root };
    let reach = profile::reach_for(character.height);
    let up = profile::normal_around(stance.place, reach, |at| terrain.height_at(at.x, at.y));
    let turn = Quat::IDENTITY.slerp(Quat::from_rotation_arc(Vec3::Y, up), plan.motion.lean);
    let stands = root.position + Vec3::Y * level;
    RigidTransform { position: stands + turn * (root.position - stands), rotation: turn * root.rotation }
}

/// Heights of characters for which ground in metres makes sense; model units.
const IN_METRES: std::ops::RangeInclusive<f32> = 0.3..=6.0;

/// Why this character and a ground in metres do not go together, if they do not.
pub fn scale_problem(character: &Character) -> Option<String> {
    let height = character.height;
    (!IN_METRES.contains(&height))
        .then(|| format!("the character is {height:.1} units tall, ground and way are in metres: export it in metres"))
}
