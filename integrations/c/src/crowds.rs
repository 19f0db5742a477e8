//! Crowds: many characters of one model that walk over a ground, at levels of detail.

use std::sync::Arc;

use kinescope_library::Settings;
use kinescope_library::crowd::{Crowd, DETAIL_RULES, Kind, Movement, Rule, Scene, Threads, default_rules};
use kinescope_library::glam::{Vec2, Vec3};
use kinescope_library::ground::{Ground, Hit, Layers, Shape};
use kinescope_library::grounding::{PredictiveSettings, Quality};
use kinescope_library::locomotion::{Path, Profile, Walker, Way, profile};

use crate::ground::KinescopeGround;
use crate::models::KinescopeModel;
use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::settings::choice;
use crate::solver::KinescopeSolver;
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, look, object, object_mut, objects, optional,
    shared,
};

const MOST_MEMBERS: usize = 1 << 16;
/// Rays that find the ground along a way start at this height and end at its negative; metres.
const SKY: f32 = 1000.0;

/// A crowd. World space, metres.
pub struct KinescopeCrowd {
    crowd: Crowd,
    ways: Vec<Way>,
    rules: Vec<Rule>,
    clips: Vec<String>,
}

objects!(KinescopeCrowd);

/// How a member of a crowd moves, by its speed.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeMovement {
    /// The member stands.
    Idle,
    /// The member walks.
    Walk,
    /// The member runs.
    Run,
}

/// How the members of a crowd are spread over threads. The spread does not affect the poses, except for rounding.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeThreads {
    /// Divides the members evenly among threads, one for each 16 members, rounded up, at most all threads.
    Auto,
    /// All members on the calling thread.
    Serial,
    /// Divides the members evenly among as many threads as possible.
    Parallel,
}

/// A way that members of a crowd walk: a smooth curve through points, seen from above.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeWay {
    /// x and z of each point, metres.
    pub points: *const f32,
    /// Number of points, 2 to 256.
    pub count: usize,
    /// Whether the way continues from its last point to its first. 0 means no: members begin again at its start.
    pub is_closed: u32,
}

/// A level of detail, and which members get it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeDetailRule {
    /// Only members that move like this, a KinescopeMovement; -1 is any.
    pub movement: i32,
    /// Only members that play this clip of the model, by its index; -1 is any.
    pub clip: i32,
    /// Only members at least this far from the eye; for a member that has the rule, 95 % of that. From 0 to 1000000
    /// metres.
    pub beyond: f32,
    /// Quality of grounding, a KinescopeQuality; -1 leaves members as animated and solves nothing.
    pub grounding: i32,
    /// The largest number of iterations of the full body, 0 to 16.
    pub iterations: u32,
    /// Solves every frame (1), every second frame (2), and so on up to 16; poses are blended in between.
    pub every: u32,
}

impl KinescopeDetailRule {
    fn read(&self, index: usize, clips: &[String]) -> Result<Rule, Refused> {
        let at = |field: &str| format!("rules[{index}].{field}");
        let movement = match self.movement {
            -1 => None,
            own => Some(choice(own as u32, &Movement::ALL, || at("movement"))?),
        };
        let clip = match self.clip {
            -1 => None,
            own => {
                let name = usize::try_from(own).ok().and_then(|own| clips.get(own));
                let why = || Refused::argument(format!("{}: is {own}; there are {} clips", at("clip"), clips.len()));
                Some(name.ok_or_else(why)?.clone())
            }
        };
        let grounding = match self.grounding {
            -1 => None,
            own => Some(choice(own as u32, &Quality::ALL, || at("grounding"))?),
        };
        let Self { beyond, iterations, every, .. } = *self;
        let rule = Rule { movement, clip, beyond, grounding, iterations, every };
        rule.check().map_err(|fault| Refused::settings(fault.within(format!("rules[{index}]"))))?;
        Ok(rule)
    }
}

/// The caller's ground, which several threads may call.
struct Called<'a>(&'a KinescopeGround);

// SAFETY: by default only the calling thread calls the functions; `kinescope_crowd_set_threads` documents that with the
// other choices several threads may call them at the same time.
unsafe impl Sync for Called<'_> {}

impl Ground for Called<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.sphere(from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.capsule(a, b, radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.cast_on(layers, shape, from, direction, distance)
    }
}

/// Reads a way, with the heights of the ground if there is one.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
unsafe fn read_way(way: &KinescopeWay, index: usize, ground: Option<&KinescopeGround>) -> Result<Way, Refused> {
    if way.count > kinescope_library::locomotion::path::MOST_POINTS {
        return Err(Refused::argument(format!("ways[{index}]: has {} points; the most are 256", way.count)));
    }
    let places = unsafe { list(way.points, 2 * way.count, &format!("ways[{index}].points")) }?;
    let points: Vec<Vec2> = places.as_chunks().0.iter().map(|&[x, z]| Vec2::new(x, z)).collect();
    let path = Path::new(&points, way.is_closed != 0).ok_or_else(|| {
        Refused::argument(format!("ways[{index}].points: needs two points that are finite and apart from each other"))
    })?;
    /// Height of a walker in metres, by which the ground's heights along a way are smoothed; the same for all members.
    const WALKER: f32 = 1.7;
    let profile = ground.map(|ground| {
        let height = |place: Vec2| Some(ground.ray(Vec3::new(place.x, SKY, place.y), Vec3::NEG_Y, 2.0 * SKY)?.point.y);
        Profile::along(&path, profile::reach_for(WALKER), height)
    });
    Ok(Way { path, profile })
}

fn check_count(count: usize) -> Result<usize, Refused> {
    match count {
        0..=MOST_MEMBERS => Ok(count),
        _ => Err(Refused::argument(format!("count: is {count}; a crowd has at most {MOST_MEMBERS} members"))),
    }
}

/// Creates a crowd of `count` members, at most 65536, that play the clips of a model; `solver` is that of the model's
/// character. The members are spread over the ways: one in eight stands, one in eight runs, the others walk, as far as
/// the model has such clips. Without ways all members are at the origin. `ground`, which may be NULL for level ground,
/// gives the heights of the ways. The rules are the library's own until kinescope_crowd_set_rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_new(
    model: *const KinescopeModel,
    solver: *const KinescopeSolver,
    ways: *const KinescopeWay,
    way_count: usize,
    ground: *const KinescopeGround,
    count: usize,
    out: *mut *mut KinescopeCrowd,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (model, solver) = (&object(model, "model")?.model, object(solver, "solver")?);
            let (ways, ground) = (list(ways, way_count, "ways")?, optional(ground.cast_mut(), "ground")?);
            let (bones, expected) = (solver.skeleton.len(), model.skeleton.len());
            if bones != expected {
                let why = format!("solver: has {bones} bones; the model has {expected}");
                return Err(Refused(KinescopeStatus::BadRig, why));
            }
            let ways = ways.iter().enumerate().map(|(index, own)| read_way(own, index, ground.as_deref()));
            let ways = ways.collect::<Result<Vec<Way>, Refused>>()?;
            let (skeleton, clips, rest) = (&model.skeleton, &model.clips, model.skeleton.rest_pose());
            let walker = Walker::new(skeleton, &solver.character.reference, &rest, clips, solver.legs);
            let names = clips.iter().map(|clip| clip.name.clone()).collect();
            let kind = Kind {
                skeleton: skeleton.clone(),
                clips: clips.clone(),
                rest,
                walker,
                solver: Arc::new(solver.solver.clone()),
                settings: Settings::default(),
                grounding: PredictiveSettings::default(),
            };
            let mut crowd = Crowd::new(Arc::new(kind), ways.clone(), check_count(count)?);
            crowd.threads = Threads::Serial;
            Ok(KinescopeCrowd { crowd, ways, rules: default_rules(), clips: names })
        })
    })
}

/// Frees a crowd; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_free(crowd: *mut KinescopeCrowd) {
    unsafe { free(crowd) };
}

/// Returns the number of members; 0 for an invalid crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_count(crowd: *const KinescopeCrowd) -> usize {
    look(0, || Ok(unsafe { object(crowd, "crowd") }?.crowd.members().len()))
}

/// Sets the number of members, at most 65536, by adding or removing members at the end. The others are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_set_count(crowd: *mut KinescopeCrowd, count: usize) -> KinescopeStatus {
    guard(|| {
        unsafe { object_mut(crowd, "crowd") }?.crowd.set_count(check_count(count)?);
        Ok(KinescopeStatus::Done)
    })
}

/// Sets the levels of detail, at most 64: a member gets the first rule that fits, or full detail if none does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_set_rules(
    crowd: *mut KinescopeCrowd,
    rules: *const KinescopeDetailRule,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(crowd, "crowd") }?;
        if count > DETAIL_RULES {
            return Err(Refused::argument(format!("count: is {count}; a crowd has at most {DETAIL_RULES} rules")));
        }
        let rules = unsafe { list(rules, count, "rules") }?.iter().enumerate();
        own.rules = rules.map(|(index, rule)| rule.read(index, &own.clips)).collect::<Result<_, Refused>>()?;
        Ok(KinescopeStatus::Done)
    })
}

/// Sets how members are spread over threads, a KinescopeThreads; KINESCOPE_THREADS_SERIAL at first. With the other two,
/// several threads may call the functions of the ground at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_set_threads(crowd: *mut KinescopeCrowd, threads: u32) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(crowd, "crowd") }?;
        let all = [Threads::Auto, Threads::Serial, Threads::Parallel];
        own.crowd.threads = choice(threads, &all, || "threads".to_owned())?;
        Ok(KinescopeStatus::Done)
    })
}

/// Advances all members by `dt` seconds, from 0 to 1, and solves those that are due. `eye` is the place that distances
/// of rules are measured from; world space. Only the calling thread calls the functions of the ground, unless
/// kinescope_crowd_set_threads chose otherwise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_advance(
    crowd: *mut KinescopeCrowd,
    dt: f32,
    ground: *const KinescopeGround,
    eye: KinescopeVec3,
) -> KinescopeStatus {
    guard(|| {
        let KinescopeCrowd { crowd, rules, .. } = unsafe { object_mut(crowd, "crowd") }?;
        let ground = &Called(unsafe { shared(ground, "ground") }?);
        let eye: Vec3 = eye.into();
        if !(0.0..=1.0).contains(&dt) || !eye.is_finite() {
            return Err(Refused::argument("dt: must be from 0 to 1 seconds, and the eye finite"));
        }
        crowd.advance(dt, &Scene { ground, eye, rules, clock: None });
        Ok(KinescopeStatus::Done)
    })
}

fn member(own: &KinescopeCrowd, index: usize) -> Result<&kinescope_library::crowd::Member, Refused> {
    let all = own.crowd.members();
    let why = || Refused::argument(format!("index: is {index}; the crowd has {} members", all.len()));
    all.get(index).ok_or_else(why)
}

/// Writes the pose of a member in world space. Returns KINESCOPE_STATUS_NOTHING_TO_DO before its first frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_pose(
    crowd: *const KinescopeCrowd,
    index: usize,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(crowd, "crowd") }?;
        let pose = unsafe { shared(pose, "pose") }?;
        let found = member(own, index)?.pose();
        if found.is_empty() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        if pose.count < found.len() {
            let why = format!("pose: has {} bones; the model has {}", pose.count, found.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        unsafe { pose.write("pose", found) }?;
        Ok(KinescopeStatus::Done)
    })
}

/// Stores the transform of a member from model to world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_root(
    crowd: *const KinescopeCrowd,
    index: usize,
    root: *mut KinescopeTransform,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(crowd, "crowd") }?;
        let root = unsafe { exclusive(root, "root") }?;
        *root = member(own, index)?.root(own.crowd.kind(), &own.ways).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the index of the rule that a member has; -1 if none fits, before the first frame, and if there is no such member.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crowd_rule(crowd: *const KinescopeCrowd, index: usize) -> i32 {
    look(-1, || {
        let rule = member(unsafe { object(crowd, "crowd") }?, index)?.rule();
        Ok(rule.map_or(-1, |rule| rule as i32))
    })
}
