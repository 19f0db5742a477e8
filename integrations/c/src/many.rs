//! Solves of many characters at once.

use kinescope_library::many::{Bones, Many, Task, solve_many};
use kinescope_library::{RigidTransform, Settings};

use crate::pose::KinescopePose;
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::{KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, remember, shared};

/// Working memory for solving many characters.
#[derive(Default)]
pub struct KinescopeMany {
    many: Vec<Many>,
    poses: Vec<Vec<RigidTransform>>,
    settings: Vec<Settings>,
}

/// One of many characters.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeTask {
    /// The character's solver; characters may share one.
    pub solver: *const KinescopeSolver,
    /// The parameters of the solve.
    pub settings: *const KinescopeSettings,
    /// The animated pose; becomes the solved pose.
    pub pose: KinescopePose,
    /// Receives the result, a KinescopeStatus, as returned by kinescope_solve.
    pub status: i32,
}

/// Creates working memory for kinescope_solve_many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_many_new(out: *mut *mut KinescopeMany) -> KinescopeStatus {
    guard(|| unsafe { hand_over(out, || Ok(KinescopeMany::default())) })
}

/// Frees working memory; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_many_free(many: *mut KinescopeMany) {
    unsafe { free(many) };
}

/// Solves many characters: as many side by side as a register has lanes, on all processors. Each task receives its own status. A
/// task that fails keeps its pose, and the others are solved. kinescope_last_error has the reason of the last failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_many(
    many: *mut KinescopeMany,
    tasks: *mut KinescopeTask,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(many, "many") }?;
        unsafe { list(tasks, count, "tasks") }?;
        let tasks = if count == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(tasks, count) } };
        own.poses.resize_with(count.max(own.poses.len()), Vec::new);
        own.settings.clear();
        let mut solvers = Vec::with_capacity(count);
        for (task, pose) in tasks.iter_mut().zip(&mut own.poses) {
            let mut read = || -> Result<_, Refused> {
                let solver = unsafe { shared(task.solver, "solver") }?;
                let settings = unsafe { shared(task.settings, "settings") }?.read()?;
                unsafe { task.pose.read("pose", pose) }?;
                Ok((solver, settings))
            };
            match read() {
                Ok((solver, settings)) => {
                    task.status = KinescopeStatus::Done as i32;
                    solvers.push(Some(solver));
                    own.settings.push(settings);
                }
                Err(Refused(status, why)) => {
                    remember(&why);
                    task.status = status as i32;
                    solvers.push(None);
                    own.settings.push(Settings::default());
                }
            }
        }
        let of = solvers.iter().zip(&own.settings).zip(&mut own.poses).enumerate();
        let (indices, mut solves): (Vec<usize>, Vec<Task>) = of
            .filter_map(|(index, ((solver, settings), pose))| {
                Some((index, Task::new(&(*solver)?.solver, settings, pose)))
            })
            .unzip();
        solve_many(&mut own.many, &mut solves, Bones::All);
        for (index, solved) in indices.into_iter().zip(&solves) {
            let skeleton = solvers[index].map(|solver| &solver.character.skeleton);
            let refused = |error| match skeleton {
                Some(skeleton) => Refused::pose(error, skeleton, solved.pose),
                None => Refused::from(error),
            };
            let done = solved.done.map(KinescopeStatus::from).map_err(refused);
            let done = done.and_then(|status| unsafe { tasks[index].pose.write("pose", solved.pose) }.map(|()| status));
            let done = done.unwrap_or_else(|Refused(status, why)| {
                remember(&why);
                status
            });
            tasks[index].status = done as i32;
        }
        Ok(KinescopeStatus::Done)
    })
}
