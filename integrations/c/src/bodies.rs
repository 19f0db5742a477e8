//! The least-squares body and the position-based body: solvers of the whole body by its joints, with limits.

use std::sync::Arc;

use kinescope_library::joints::{JointPose, JointRanges, Joints};
use kinescope_library::least_squares::{self, LastPose, LeastSquaresSettings, Workspace};
use kinescope_library::parameter::Parameters;
use kinescope_library::position_based::{PositionBased, PositionBasedSettings};
use kinescope_library::{RigidTransform, Settings, Skeleton};

use crate::grounding::check_pose;
use crate::pose::KinescopePose;
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::solver_tables::{KinescopeLeastSquaresSettings, KinescopePositionBasedSettings};
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, object, object_mut, objects, optional, shared,
};

/// A character's joints, and a buffer for its pose.
struct Body {
    joints: Arc<Joints>,
    skeleton: Arc<Skeleton>,
    pose: Vec<RigidTransform>,
}

/// The least-squares body of a character, with its last pose.
pub struct KinescopeLeastSquares {
    body: Body,
    last: LastPose,
    workspace: Box<Workspace>,
}

/// The position-based body of a character.
pub struct KinescopePositionBased {
    body: Body,
    solver: PositionBased,
}

objects!(KinescopeLeastSquares KinescopePositionBased);

/// The result of a body's solve.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeBodyOutcome {
    /// Number of iterations or sub-steps.
    pub iterations: u32,
    /// The largest distance from an effector to the position that it should have by its weight; model units. 0 without
    /// targets, and if the least-squares body has nothing to solve.
    pub distance: f32,
}

impl Body {
    unsafe fn new(solver: *const KinescopeSolver) -> Result<Self, Refused> {
        let own = unsafe { object(solver, "solver") }?;
        let character = &own.character;
        let joints = Joints::new(&own.skeleton, &character.biped, &character.reference).map_err(Refused::rig)?;
        Ok(Self { joints: Arc::new(joints), skeleton: own.skeleton.clone(), pose: Vec::new() })
    }

    /// Solves the caller's pose, which stays unchanged if the solve fails.
    ///
    /// # Safety
    /// The pointers follow the rules of [`KinescopeStatus`].
    unsafe fn solve(
        &mut self,
        targets: *const KinescopeSettings,
        pose: *const KinescopePose,
        outcome: *mut KinescopeBodyOutcome,
        solve: impl FnOnce(&Settings, &mut [RigidTransform]) -> Result<KinescopeBodyOutcome, kinescope_library::Fault>,
    ) -> Result<KinescopeStatus, Refused> {
        let (targets, pose) = unsafe { (shared(targets, "targets")?.read()?, shared(pose, "pose")?) };
        let outcome = unsafe { optional(outcome, "outcome") }?;
        targets.validate().map_err(Refused::settings)?;
        unsafe { pose.read("pose", &mut self.pose) }?;
        check_pose(&self.pose, &self.skeleton)?;
        let found = solve(&targets, &mut self.pose)
            .map_err(|fault| Refused(KinescopeStatus::BadPose, fault.within("pose").to_string()))?;
        unsafe { pose.write("pose", &self.pose) }?;
        if let Some(outcome) = outcome {
            *outcome = found;
        }
        Ok(KinescopeStatus::Done)
    }
}

/// Computes the ranges of a character's joints from poses of its clips; `None` without poses.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
pub(crate) unsafe fn read_clip_ranges(
    joints: &Joints,
    skeleton: &Skeleton,
    poses: *const KinescopePose,
    count: usize,
) -> Result<Option<JointRanges>, Refused> {
    let poses = unsafe { list(poses, count, "poses") }?;
    let mut bones = Vec::new();
    let mut read: Vec<JointPose> = Vec::with_capacity(poses.len());
    for (index, pose) in poses.iter().enumerate() {
        let name = format!("poses[{index}]");
        unsafe { pose.read(&name, &mut bones) }?;
        check_pose(&bones, skeleton)?;
        let refused = |fault: kinescope_library::Fault| Refused(KinescopeStatus::BadPose, fault.within(name).to_string());
        read.push(joints.read(&bones).map_err(refused)?);
    }
    Ok(JointRanges::of_poses(joints, &read))
}

/// Creates the least-squares body of a character. Its joints have limits by their roles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_new(
    solver: *const KinescopeSolver,
    out: *mut *mut KinescopeLeastSquares,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (last, workspace) = (LastPose::default(), Box::default());
            Ok(KinescopeLeastSquares { body: Body::new(solver)?, last, workspace })
        })
    })
}

/// Frees a least-squares body; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_free(body: *mut KinescopeLeastSquares) {
    unsafe { free(body) };
}

/// Sets all settings of the least-squares body to their defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_settings_default(
    settings: *mut KinescopeLeastSquaresSettings,
) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(settings, "settings") }? = (&LeastSquaresSettings::default()).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Solves a pose in place: the animated pose in model space becomes the solved one. Of `targets`, these apply: the
/// master weight, the targets, weights and offsets of effectors, the pull of limbs, and bend goals and bend directions
/// with their weights. At master weight 0 or with 0 iterations the pose stays unchanged; also if no target, offset,
/// bend goal or bend direction takes effect, unless balance or separation has a weight. `outcome` may be NULL.
/// Allocates nothing once its buffers have grown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_solve(
    body: *mut KinescopeLeastSquares,
    settings: *const KinescopeLeastSquaresSettings,
    targets: *const KinescopeSettings,
    pose: *const KinescopePose,
    outcome: *mut KinescopeBodyOutcome,
) -> KinescopeStatus {
    guard(|| {
        let KinescopeLeastSquares { body, last, workspace } = unsafe { object_mut(body, "body") }?;
        let settings = unsafe { shared(settings, "settings") }?.read(&LeastSquaresSettings::default())?;
        settings.check_numbers().map_err(Refused::settings)?;
        let joints = body.joints.clone();
        unsafe {
            body.solve(targets, pose, outcome, |targets, pose| {
                let found = least_squares::solve(&joints, &settings, targets, last, workspace, pose)?;
                Ok(KinescopeBodyOutcome { iterations: found.iterations, distance: found.distance })
            })
        }
    })
}

/// Sets the poses of the character's clips, such as 30 poses a second, from which the setting `clip_limits` takes joint limits.
/// Poses are in model space. With 0 poses the limits are those of the joints' roles again. Poses are read at once and not kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_set_clip_poses(
    body: *mut KinescopeLeastSquares,
    poses: *const KinescopePose,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = &mut unsafe { object_mut(body, "body") }?.body;
        let ranges = unsafe { read_clip_ranges(&own.joints, &own.skeleton, poses, count) }?;
        Arc::make_mut(&mut own.joints).clip_ranges = ranges;
        Ok(KinescopeStatus::Done)
    })
}

/// Forgets the last pose, from which a warm start begins; for example after a cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_least_squares_reset(body: *mut KinescopeLeastSquares) -> KinescopeStatus {
    guard(|| {
        unsafe { object_mut(body, "body") }?.last.turns.clear();
        Ok(KinescopeStatus::Done)
    })
}

/// Creates the position-based body of a character. Its joints have limits by their roles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_position_based_new(
    solver: *const KinescopeSolver,
    out: *mut *mut KinescopePositionBased,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let body = Body::new(solver)?;
            let solver = PositionBased::new(body.joints.clone());
            Ok(KinescopePositionBased { body, solver })
        })
    })
}

/// Frees a position-based body; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_position_based_free(body: *mut KinescopePositionBased) {
    unsafe { free(body) };
}

/// Sets all settings of the position-based body to their defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_position_based_settings_default(
    settings: *mut KinescopePositionBasedSettings,
) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(settings, "settings") }? = (&PositionBasedSettings::default()).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Sets the poses of the character's clips, as kinescope_least_squares_set_clip_poses does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_position_based_set_clip_poses(
    body: *mut KinescopePositionBased,
    poses: *const KinescopePose,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let KinescopePositionBased { body: own, solver } = unsafe { object_mut(body, "body") }?;
        let ranges = unsafe { read_clip_ranges(&own.joints, &own.skeleton, poses, count) }?;
        Arc::make_mut(&mut own.joints).clip_ranges = ranges;
        *solver = PositionBased::new(own.joints.clone());
        Ok(KinescopeStatus::Done)
    })
}

/// Solves a pose in place. The parts of `targets` that kinescope_least_squares_solve names apply, and `pin`. The pose
/// stays unchanged at master weight 0, and if no target, offset, bend goal or bend direction takes effect. `outcome`
/// may be NULL. Keeps nothing from frame to frame, and allocates nothing once its buffers have grown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_position_based_solve(
    body: *mut KinescopePositionBased,
    settings: *const KinescopePositionBasedSettings,
    targets: *const KinescopeSettings,
    pose: *const KinescopePose,
    outcome: *mut KinescopeBodyOutcome,
) -> KinescopeStatus {
    guard(|| {
        let KinescopePositionBased { body, solver } = unsafe { object_mut(body, "body") }?;
        let settings = unsafe { shared(settings, "settings") }?.read(&PositionBasedSettings::default())?;
        settings.check_numbers().map_err(Refused::settings)?;
        unsafe {
            body.solve(targets, pose, outcome, |targets, pose| {
                let found = solver.solve(&settings, targets, pose)?;
                Ok(KinescopeBodyOutcome { iterations: found.substeps, distance: found.error })
            })
        }
    })
}
