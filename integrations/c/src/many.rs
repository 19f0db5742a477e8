//! Solves of many characters at once.

use kinescope_library::many::{Bones, Many, Task, solve_many};
use kinescope_library::{RigidTransform, Settings};

use crate::modifiers::{KinescopeModifiers, KinescopeMoment};
use crate::pose::KinescopePose;
use crate::settings::{KinescopeSettings, choice};
use crate::solver::KinescopeSolver;
use crate::{
    KinescopeStatus, Refused, free, guard, hand_over, list_mut, object, object_mut, objects, remember, shared,
};

/// Working memory for solving many characters.
#[derive(Default)]
pub struct KinescopeMany {
    many: Vec<Many>,
    poses: Vec<Vec<RigidTransform>>,
    settings: Vec<Settings>,
}

objects!(KinescopeMany);

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

/// One of many characters, with modifiers.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeModifiedTask {
    /// Solver, settings, pose and result.
    pub task: KinescopeTask,
    /// The character's modifiers; NULL for none. Characters cannot share a list.
    pub modifiers: *mut KinescopeModifiers,
    /// The moment, for the modifiers.
    pub moment: KinescopeMoment,
}

/// The bones that a solve of many characters writes.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeBones {
    /// All bones that the solver moves or carries.
    All,
    /// Only the bones of kinescope_solver_written_bones. The caller carries the other bones along, for example by
    /// computing local poses or skinning matrices. A character with modifiers gets all bones.
    Key,
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

/// Solves many characters, on several threads if there are more than 32. Three or more whose solves take the same
/// steps, and whose key bones have the same hierarchy, are solved side by side in one register; the others one by one.
/// Each task receives its own status. A task that fails keeps its pose, and the others are solved. kinescope_last_error
/// has the reason of the last failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_many(
    many: *mut KinescopeMany,
    tasks: *mut KinescopeTask,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(many, "many") }?;
        let tasks = unsafe { list_mut(tasks, count, "tasks") }?;
        unsafe { own.solve(&mut tasks.iter_mut().map(|task| (task, None)).collect::<Vec<_>>(), Bones::All) };
        Ok(KinescopeStatus::Done)
    })
}

/// Solves many characters like kinescope_solve_many, each with its modifiers; `bones` is a KinescopeBones. Characters
/// whose modifiers act only before and after the solve are still solved side by side. A character with a modifier that
/// acts during the solve (arm bending, or a head that moves the body) is solved by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_many_modified(
    many: *mut KinescopeMany,
    tasks: *mut KinescopeModifiedTask,
    count: usize,
    bones: u32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(many, "many") }?;
        let tasks = unsafe { list_mut(tasks, count, "tasks") }?;
        let bones = choice(bones, &[Bones::All, Bones::Key], || "bones".to_owned())?;
        let tasks = tasks.iter_mut().map(|own| (&mut own.task, Some((own.modifiers, own.moment))));
        unsafe { own.solve(&mut tasks.collect::<Vec<_>>(), bones) };
        Ok(KinescopeStatus::Done)
    })
}

type Modified = (*mut KinescopeModifiers, KinescopeMoment);

/// A task that was read: its index, its character and its modifiers.
struct Read<'a> {
    index: usize,
    solver: &'a KinescopeSolver,
    modified: Option<(&'a mut KinescopeModifiers, KinescopeMoment)>,
}

impl KinescopeMany {
    unsafe fn solve(&mut self, tasks: &mut [(&mut KinescopeTask, Option<Modified>)], bones: Bones) {
        self.poses.resize_with(tasks.len().max(self.poses.len()), Vec::new);
        self.settings.clear();
        let mut lists: Vec<*mut KinescopeModifiers> = tasks.iter().filter_map(|(_, own)| Some((*own)?.0)).collect();
        lists.retain(|own| !own.is_null());
        lists.sort_unstable();
        let mut all = Vec::with_capacity(tasks.len());
        for (index, ((task, modified), pose)) in tasks.iter_mut().zip(&mut self.poses).enumerate() {
            match unsafe { read(index, task, *modified, pose, &lists) } {
                Ok((read, settings)) => {
                    task.status = KinescopeStatus::Done as i32;
                    all.push(read);
                    self.settings.push(settings);
                }
                Err(Refused(status, why)) => {
                    remember(&why);
                    task.status = status as i32;
                }
            }
        }
        let mut poses = self.poses.iter_mut().enumerate();
        let mut solves = Vec::with_capacity(all.len());
        for (read, settings) in all.iter_mut().zip(&self.settings) {
            let Some((_, pose)) = poses.find(|(index, _)| *index == read.index) else { continue };
            let task = Task::new(&read.solver.solver, settings, pose);
            solves.push(match &mut read.modified {
                Some((modifiers, moment)) => match modifiers.parts(moment) {
                    Ok((running, seen)) => task.with_modifiers(running, seen),
                    Err(_) => task,
                },
                None => task,
            });
        }
        solve_many(&mut self.many, &mut solves, bones);
        let results: Vec<_> = solves.into_iter().map(|solved| solved.done).collect();
        for (read, done) in all.iter().zip(results) {
            let (pose, task) = (&self.poses[read.index], &mut *tasks[read.index].0);
            let done = done.map_err(|error| Refused::pose(error, &read.solver.character.skeleton, pose));
            let done = done.and_then(|status| unsafe { task.pose.write("pose", pose) }.map(|()| status.into()));
            let done = done.unwrap_or_else(|Refused(status, why)| {
                remember(&why);
                status
            });
            task.status = done as i32;
        }
    }
}

/// Reads a task and its modifiers, and moves attached targets. `lists` are the modifiers of all tasks, sorted.
///
/// # Safety
/// The pointers in the task follow the rules of [`KinescopeStatus`].
unsafe fn read<'a>(
    index: usize,
    task: &KinescopeTask,
    modified: Option<Modified>,
    pose: &mut Vec<RigidTransform>,
    lists: &[*mut KinescopeModifiers],
) -> Result<(Read<'a>, Settings), Refused> {
    let solver = unsafe { object(task.solver, "solver") }?;
    let mut settings = unsafe { shared(task.settings, "settings") }?.read()?;
    unsafe { task.pose.read("pose", pose) }?;
    let Some((list, moment)) = modified.filter(|(list, _)| !list.is_null()) else {
        return Ok((Read { index, solver, modified: None }, settings));
    };
    let first = lists.partition_point(|own| *own < list);
    if lists.get(first + 1) == Some(&list) {
        return Err(Refused::argument("modifiers: another task has the same list; each character needs its own"));
    }
    let modifiers = unsafe { object_mut(list, "modifiers") }?;
    moment.seen(modifiers.figure())?;
    if pose.len() >= solver.skeleton.len() {
        modifiers.attach(&mut settings, pose)?;
    }
    Ok((Read { index, solver, modified: Some((modifiers, moment)) }, settings))
}
