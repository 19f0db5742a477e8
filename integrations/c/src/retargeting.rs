//! Retargeting: moves a character by the poses of another skeleton.

use kinescope_library::RigidTransform;
use kinescope_library::retarget::{Actor, Map, Roles};
use kinescope_library::rig::LocalPose;

use crate::pose::KinescopePose;
use crate::solver::KinescopeSolver;
use crate::{KinescopeStatus, Refused, free, guard, hand_over, look, object, object_mut, objects, shared};

/// Maps poses of one character to another.
pub struct KinescopeRetargeter {
    pub(crate) map: std::sync::Arc<Map>,
    pub(crate) parents: std::sync::Arc<Vec<Option<usize>>>,
    source: Vec<RigidTransform>,
    target: Vec<RigidTransform>,
}

objects!(KinescopeRetargeter);

/// Creates a retargeter, which maps poses of the character `source` to the character `target` by their roles; names,
/// axes and proportions of their bones may differ.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_retargeter_new(
    source: *const KinescopeSolver,
    target: *const KinescopeSolver,
    out: *mut *mut KinescopeRetargeter,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (source, target) = (object(source, "source")?, object(target, "target")?);
            let roles = [source, target].map(|own| Roles::of_biped(&own.character.biped));
            let rests: [LocalPose; 2] = [source, target].map(|own| own.skeleton.rest_pose());
            let actor = |index: usize| {
                let own = [source, target][index];
                Actor {
                    skeleton: &own.skeleton,
                    roles: &roles[index],
                    reference: &own.character.reference,
                    rest: &rests[index],
                    facing: own.solver.facing(),
                    humanoid: &[],
                }
            };
            let map = Map::new(&actor(0), &actor(1)).map_err(Refused::rig)?;
            let parents = source.skeleton.bones().iter().map(|bone| bone.parent).collect();
            let (map, parents) = (std::sync::Arc::new(map), std::sync::Arc::new(parents));
            Ok(KinescopeRetargeter { map, parents, source: Vec::new(), target: Vec::new() })
        })
    })
}

/// Frees a retargeter; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_retargeter_free(retargeter: *mut KinescopeRetargeter) {
    unsafe { free(retargeter) };
}

/// Returns the target's leg length divided by the source's, by which paths are scaled; 1 if either has no complete leg,
/// 0 for an invalid retargeter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_retargeter_scale(retargeter: *const KinescopeRetargeter) -> f32 {
    look(0.0, || Ok(unsafe { object(retargeter, "retargeter") }?.map.scale()))
}

/// Retargets a pose in model space: `source` has the source's bones, `target` receives the target's. `path` is a factor of the
/// pelvis's path along the ground, usually 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_retarget(
    retargeter: *mut KinescopeRetargeter,
    source: *const KinescopePose,
    path: f32,
    target: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(retargeter, "retargeter") }?;
        let (source, target) = unsafe { (shared(source, "source")?, shared(target, "target")?) };
        if !path.is_finite() {
            return Err(Refused::argument("path: is not finite; expected a factor"));
        }
        unsafe { source.read("source", &mut own.source) }?;
        for (name, found, expected) in
            [("source", own.source.len(), own.map.sizes()[0]), ("target", target.count, own.map.sizes()[1])]
        {
            if found < expected {
                let why = format!("{name}: has {found} bones; the skeleton has {expected}");
                return Err(Refused(KinescopeStatus::BadPose, why));
            }
        }
        own.target.clear();
        own.target.resize(own.map.sizes()[1], RigidTransform::IDENTITY);
        own.map.retarget(&own.source, path, &mut own.target);
        unsafe { target.write("target", &own.target) }?;
        Ok(KinescopeStatus::Done)
    })
}
