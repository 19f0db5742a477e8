//! Many variants of one frame, and the volume that a hand or foot can reach.

use kinescope_library::debugger::reach_volume::{ReachVolume, reach_volume};
use kinescope_library::debugger::variants::solve_variants;
use kinescope_library::{LimbName, RigidTransform};

use crate::meshes::copy;
use crate::pose::{KinescopePose, KinescopeVec3};
use crate::progress::{KinescopeProgress, with_progress};
use crate::settings::{KinescopeSettings, choice};
use crate::solver::KinescopeSolver;
use crate::tables::KINESCOPE_EFFECTORS;
use crate::{KinescopeStatus, Refused, free, guard, hand_over, list, list_mut, look, object, objects, shared};

/// The volume that a hand or foot can reach.
pub struct KinescopeReach {
    volume: ReachVolume,
}

objects!(KinescopeReach);

/// A point of the surface of a reachable volume, in model space.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSurfacePoint {
    pub position: KinescopeVec3,
    /// Unit normal, out of the volume.
    pub normal: KinescopeVec3,
}

unsafe fn read_pose(solver: &KinescopeSolver, pose: *const KinescopePose) -> Result<Vec<RigidTransform>, Refused> {
    let mut animated = Vec::new();
    unsafe { shared(pose, "animated")?.read("animated", &mut animated) }?;
    crate::grounding::check_pose(&animated, &solver.skeleton)?;
    Ok(animated)
}

/// Solves one animated pose with each of `count` settings, on all processors and several in one register. `gaps` receives
/// `count` times KINESCOPE_EFFECTORS distances, in the order of the settings: from each effector's bone to its target, 0 without
/// weight. The pose is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_variants(
    solver: *const KinescopeSolver,
    settings: *const KinescopeSettings,
    count: usize,
    animated: *const KinescopePose,
    gaps: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(solver, "solver") }?;
        let settings = unsafe { list(settings, count, "settings") }?.iter().enumerate();
        let read = |(index, own): (usize, &KinescopeSettings)| {
            own.read().map_err(|Refused(status, why)| Refused(status, format!("settings[{index}].{why}")))
        };
        let settings = settings.map(read).collect::<Result<Vec<_>, _>>()?;
        let animated = unsafe { read_pose(own, animated) }?;
        let length = count.checked_mul(KINESCOPE_EFFECTORS).ok_or_else(|| Refused::argument("count: is too large"))?;
        let gaps = unsafe { list_mut(gaps, length, "gaps") }?;
        let variant = |index: usize| (settings[index], &animated[..]);
        let found = solve_variants(&own.solver, count, variant, |solved| (solved.done, solved.gaps()), &mut |_| true);
        // If a variant fails, `gaps` is unchanged.
        let found = found.unwrap_or_default().into_iter().map(|(done, found)| {
            done?;
            Ok(found)
        });
        let found = found.collect::<Result<Vec<_>, Refused>>()?;
        for (to, found) in gaps.chunks_exact_mut(KINESCOPE_EFFECTORS).zip(&found) {
            to.copy_from_slice(found);
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Computes the volume that a limb (a KinescopeLimb) can reach from an animated pose with these settings: tries targets
/// on a grid of `count` points along each axis, from 4 to 96, within a sphere around the limb's first node, and solves
/// each of them with full position weight, on all processors. A target counts as reached if the written bone is within
/// 1 % of the limb's length. `progress` may be NULL. Returns KINESCOPE_STATUS_BAD_SETTINGS if the master weight is 0 or
/// the limb has no length, and KINESCOPE_STATUS_CANCELLED if `progress` cancels the work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_new(
    solver: *const KinescopeSolver,
    settings: *const KinescopeSettings,
    animated: *const KinescopePose,
    limb: u32,
    count: u32,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeReach,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(solver, "solver")?;
            let settings = shared(settings, "settings")?.read()?;
            let animated = read_pose(own, animated)?;
            let limb = choice(limb, &LimbName::ALL, || "limb".to_owned())?;
            if !(4..=96).contains(&count) {
                return Err(Refused::argument(format!("count: is {count}; it must be from 4 to 96")));
            }
            let why = "settings: the master weight is 0, or the limb has no length, so nothing is solved";
            let why = || Refused(KinescopeStatus::BadSettings, why.to_owned());
            let (solver, count) = ((&own.solver, None), count as usize);
            let work = |progress: &mut dyn FnMut(f32) -> bool| {
                reach_volume(solver, &settings, &animated, limb, count, progress)
            };
            Ok(KinescopeReach { volume: with_progress(progress, work, why)? })
        })
    })
}

/// Frees a reachable volume; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_free(reach: *mut KinescopeReach) {
    unsafe { free(reach) };
}

/// Returns the volume in cubic model units; 0 for an invalid object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_volume(reach: *const KinescopeReach) -> f32 {
    look(0.0, || Ok(unsafe { object(reach, "reach") }?.volume.volume))
}

/// Returns the distance by which the limb misses a target, a place in model space, interpolated from the eight grid
/// points around it; infinite if one of them was not tried, outside the grid, and for an invalid object. Model units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_gap(reach: *const KinescopeReach, target: KinescopeVec3) -> f32 {
    look(f32::INFINITY, || {
        Ok(unsafe { object(reach, "reach") }?.volume.gaps.at(target.into()).unwrap_or(f32::INFINITY))
    })
}

/// Copies the points of the surface. `needed`, which may be NULL, receives their number. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, and if there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_points(
    reach: *const KinescopeReach,
    points: *mut KinescopeSurfacePoint,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let all = &unsafe { object(reach, "reach") }?.volume.points;
        let point = |own: &kinescope_library::debugger::reach_volume::SurfacePoint| KinescopeSurfacePoint {
            position: own.position.into(),
            normal: own.normal.into(),
        };
        unsafe { copy(all.iter().map(point), (points, capacity, "points"), needed) }
    })
}

/// Copies the triangles of the surface as kinescope_reach_points copies points: for each triangle three indices of
/// points, counter-clockwise seen from outside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reach_indices(
    reach: *const KinescopeReach,
    indices: *mut u32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let all = unsafe { object(reach, "reach") }?.volume.triangles.as_flattened();
        unsafe { copy(all.iter().copied(), (indices, capacity, "indices"), needed) }
    })
}
