//! Foot placement on the caller's own ground.

use std::ffi::{c_char, c_void};

use kinescope_library::error::BadValue;
use kinescope_library::full_body::InputError;
use kinescope_library::glam::Vec3;
use kinescope_library::ground::{Ground, Hit};
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

/// The caller's ground, in world space, metres.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGround {
    /// Passed to `ray`.
    pub user: *mut c_void,
    /// Casts a ray along a unit direction up to a maximal distance. Returns 0 if it meets nothing, otherwise fills in `hit`. Must
    /// not throw.
    pub ray: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            from: KinescopeVec3,
            direction: KinescopeVec3,
            distance: f32,
            hit: *mut KinescopeHit,
        ) -> i32,
    >,
}

impl Ground for KinescopeGround {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let nothing = KinescopeHit { point: Default::default(), normal: Default::default(), distance: 0.0 };
        let mut hit = nothing;
        let meets = unsafe { self.ray?(self.user, from.into(), direction.into(), distance, &mut hit) };
        let hit = Hit { point: hit.point.into(), normal: hit.normal.into(), distance: hit.distance };
        let is_one = hit.point.is_finite() && hit.normal.is_finite() && (0.0..=distance).contains(&hit.distance);
        (meets != 0 && is_one).then_some(hit)
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
