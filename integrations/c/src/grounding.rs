//! Foot placement on the caller's own ground.

use std::ffi::{c_char, c_void};

use kinescope_library::error::BadValue;
use kinescope_library::full_body::InputError;
use kinescope_library::glam::Vec3;
use kinescope_library::ground::{Ground, Hit, Layers, Shape};
use kinescope_library::grounding::{
    DriveWeights, FootIkSettings, Legs, PredictiveSettings, Solver, SolverState, solve,
};
use kinescope_library::math::read_rotation;
use kinescope_library::preset::Preset;
use kinescope_library::stack::{GroundingSection, Method};
use kinescope_library::{RigidTransform, Skeleton};

use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::{KinescopeStatus, Refused, exclusive, free, guard, hand_over, shared, text};

/// How feet find the ground.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeGrounding {
    /// Foot IK: one ray down at each foot.
    FootIk,
    /// Predictive grounding: casts where each foot will be, by its velocity.
    Predictive,
}

/// Where a ray meets the ground, in world space, metres.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeHit {
    pub point: KinescopeVec3,
    /// Unit normal, pointing out of the ground.
    pub normal: KinescopeVec3,
    /// Distance from the ray's origin.
    pub distance: f32,
}

/// The shape that a cast moves.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeShape {
    /// A point.
    Ray,
    /// A sphere around `from`.
    Sphere,
    /// A capsule around the segment from `from` to `from` + `along`.
    Capsule,
}

/// A cast against the caller's ground, in world space, metres.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeCast {
    /// A KinescopeShape.
    pub shape: u32,
    /// The ground layers that count: bit i is layer i, of eight layers.
    pub layers: u32,
    /// Where the shape starts: the point, the centre of the sphere, or the first end of the capsule's segment.
    pub from: KinescopeVec3,
    /// The unit direction in which the shape moves.
    pub direction: KinescopeVec3,
    /// The largest distance that the shape moves.
    pub distance: f32,
    /// The radius of a sphere or capsule; 0 for a ray.
    pub radius: f32,
    /// The vector of a capsule's segment; 0 for other shapes.
    pub along: KinescopeVec3,
}

/// The caller's ground, in world space, metres. If both functions are NULL, there is no ground.
///
/// If only `ray` is set, spheres and capsules are made of rays: exact on level and evenly sloping ground, and at edges off by at
/// most the distance between two rays. A sphere takes 13 to 16 rays, a capsule 65 to 80.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGround {
    /// Passed to both functions.
    pub user: *mut c_void,
    /// Casts a ray along a unit direction up to a maximal distance. Returns 0 if it meets nothing, otherwise fills in `hit`. Must
    /// not throw. May be NULL if `cast` is set.
    pub ray: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            from: KinescopeVec3,
            direction: KinescopeVec3,
            distance: f32,
            hit: *mut KinescopeHit,
        ) -> i32,
    >,
    /// Casts any shape. Returns 0 if it meets nothing, 1 after filling in `hit`, or -1 for a shape that it does not cast: `ray`
    /// is used instead. The distance of a hit is how far the shape moved; 0 if it started inside the ground. Must not throw. May
    /// be NULL.
    pub cast:
        Option<unsafe extern "C" fn(user: *mut c_void, cast: *const KinescopeCast, hit: *mut KinescopeHit) -> i32>,
}

const NO_HIT: KinescopeHit = KinescopeHit {
    point: KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 },
    normal: KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 },
    distance: 0.0,
};

impl KinescopeHit {
    fn read(&self, distance: f32) -> Option<Hit> {
        let hit = Hit { point: self.point.into(), normal: self.normal.into(), distance: self.distance };
        let is_one = hit.point.is_finite() && hit.normal.is_finite() && (0.0..=distance).contains(&hit.distance);
        is_one.then_some(hit)
    }
}

/// The caller's ground with the layers of one cast.
#[derive(Clone, Copy)]
struct Layered<'a> {
    ground: &'a KinescopeGround,
    layers: Layers,
}

impl Layered<'_> {
    /// Calls the caller's `cast`. `None` if there is none, or if it does not cast this shape.
    fn cast(&self, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Option<Hit>> {
        let (kind, radius, along) = match shape {
            Shape::Ray => (KinescopeShape::Ray, 0.0, Vec3::ZERO),
            Shape::Sphere { radius } => (KinescopeShape::Sphere, radius, Vec3::ZERO),
            Shape::Capsule { along, radius } => (KinescopeShape::Capsule, radius, along),
        };
        let cast = KinescopeCast {
            shape: kind as u32,
            layers: self.layers.0.into(),
            from: from.into(),
            direction: direction.into(),
            distance,
            radius,
            along: along.into(),
        };
        let mut hit = NO_HIT;
        match unsafe { self.ground.cast?(self.ground.user, &cast, &mut hit) } {
            ..0 => None,
            0 => Some(None),
            1.. => Some(hit.read(distance)),
        }
    }
}

/// Spheres made of rays.
struct Rays<'a>(Layered<'a>);

impl Ground for Rays<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }
}

/// Capsules made of spheres.
struct Spheres<'a>(Layered<'a>);

impl Ground for Spheres<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.sphere(from, radius, direction, distance)
    }
}

impl Ground for Layered<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast(Shape::Ray, from, direction, distance).unwrap_or_else(|| {
            let mut hit = NO_HIT;
            let ground = self.ground;
            let meets = unsafe { ground.ray?(ground.user, from.into(), direction.into(), distance, &mut hit) };
            if meets == 0 { None } else { hit.read(distance) }
        })
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let own = self.cast(Shape::Sphere { radius }, from, direction, distance);
        own.unwrap_or_else(|| Rays(*self).sphere(from, radius, direction, distance))
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let own = self.cast(Shape::Capsule { along: b - a, radius }, a, direction, distance);
        own.unwrap_or_else(|| Spheres(*self).capsule(a, b, radius, direction, distance))
    }
}

impl Ground for KinescopeGround {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.sphere(from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.capsule(a, b, radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers }.cast_on(layers, shape, from, direction, distance)
    }
}

/// Keeps a character's feet on the ground, frame by frame.
pub struct KinescopeGrounder {
    legs: Legs,
    solver: Solver,
    state: SolverState,
    weights: DriveWeights,
    skeleton: Skeleton,
    world: Vec<RigidTransform>,
}

/// Creates a grounder for a character; `grounding` is a KinescopeGrounding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_new(
    solver: *const KinescopeSolver,
    grounding: u32,
    out: *mut *mut KinescopeGrounder,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let of = shared(solver, "solver")?;
            let solver = match grounding {
                own if own == KinescopeGrounding::FootIk as u32 => Solver::FootIk(FootIkSettings::default()),
                own if own == KinescopeGrounding::Predictive as u32 => {
                    Solver::Predictive(PredictiveSettings::default())
                }
                other => return Err(Refused::argument(format!("grounding: is {other}, expected 0 or 1"))),
            };
            let world = Vec::with_capacity(of.character.skeleton.len());
            let (state, weights) = (SolverState::fresh(&solver), DriveWeights::default());
            let skeleton = of.character.skeleton.clone();
            Ok(KinescopeGrounder { legs: of.legs, solver, state, weights, skeleton, world })
        })
    })
}

/// Reads method, settings and weights from the section `grounding` of a preset (zero-terminated JSON). Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO if the preset has no such section. The method `path` becomes the predictive one without footprints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_preset(
    grounder: *mut KinescopeGrounder,
    json: *const c_char,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(grounder, "grounder") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        if !preset.sections.contains_key("grounding") {
            return Ok(KinescopeStatus::NothingToDo);
        }
        let section: GroundingSection = preset.section("grounding").map_err(Refused::file)?;
        section.validate().map_err(Refused::file)?;
        own.solver = match section.method {
            Method::FootIk => Solver::FootIk(section.foot_ik),
            Method::Off => {
                let why = "grounding.method: is off; to turn grounding off, do not call kinescope_ground".to_owned();
                return Err(Refused(KinescopeStatus::BadFile, why));
            }
            Method::Predictive | Method::Path => Solver::Predictive(section.predictive),
        };
        own.weights = section.weights;
        if !own.state.is_of(&own.solver) {
            own.state = SolverState::fresh(&own.solver);
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Frees a grounder; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_free(grounder: *mut KinescopeGrounder) {
    unsafe { free(grounder) };
}

fn is_bone(bone: &RigidTransform) -> bool {
    BadValue::check_place(bone.position).is_ok() && BadValue::check_rotation(bone.rotation).is_ok()
}

/// Runs one frame of grounding, before the solve: finds the ground under the animated pose and fills `driven` with the caller's
/// `settings` plus the offsets and rotations that put the feet there. `driven` may be `settings` itself only if the caller sets
/// `settings` anew in every frame.
///
/// `root` is the character's transform from model to world. `planted` holds the weights of the left and the right foot, 0 to 1, by
/// which foot IK plants them; NULL means 1 for both. `dt` is the time since the last frame in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_ground(
    grounder: *mut KinescopeGrounder,
    ground: *const KinescopeGround,
    root: KinescopeTransform,
    pose: *const KinescopePose,
    planted: *const f32,
    dt: f32,
    settings: *const KinescopeSettings,
    driven: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(grounder, "grounder") }?;
        let ground = unsafe { shared(ground, "ground") }?;
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        let planted = match planted.is_null() {
            true => [1.0; 2],
            false => unsafe { [*planted, *planted.add(1)] },
        };
        let driven = unsafe { exclusive(driven, "driven") }?;
        unsafe { shared(pose, "pose")?.read("pose", &mut own.world) }?;
        let found = own.world.len();
        let expected = own.skeleton.len();
        if found < expected {
            return Err(InputError::PoseLength { found, expected }.into());
        }
        if let Some(bone) = own.world.iter().position(|bone| !is_bone(bone)) {
            return Err(Refused::pose(InputError::Bone { bone }, &own.skeleton, &own.world));
        }
        let root = RigidTransform::from(root);
        if !is_bone(&root) {
            return Err(Refused::argument("root: expected a finite position and a unit rotation"));
        }
        let normalized = |bone: RigidTransform| RigidTransform {
            rotation: read_rotation(bone.rotation).unwrap_or_default(),
            ..bone
        };
        let root = normalized(root);
        own.world.iter_mut().for_each(|bone| *bone = root.transform(&normalized(*bone)));
        let input = own.legs.input(root, &own.world, planted, dt);
        let output = solve(&own.solver, &input, &mut own.state, ground);
        let found = own.legs.drive_full_body(&output, &own.weights, &own.world, &settings.carried_by(&root));
        let found = found.carried_by(&root.to_local(&RigidTransform::IDENTITY));
        *driven = (&found).into();
        Ok(KinescopeStatus::Done)
    })
}
