//! Many characters at once: as many side by side as a register has lanes, each with a rig, settings and a pose of its own.
//!
//! The stages are those of [`FullBody::solve`]. Characters whose solves take the same steps over key bones that hang on
//! each other in the same way share a register; whoever has no one to share with is solved alone.

use std::any::Any;

use fearless_simd::{Level, Simd, dispatch};

use super::asked::Character;
use super::input::{InputError, Status};
use super::program::Solve;
use super::read::{Read, read};
use super::writing::Writing;
use super::{FullBody, Settings, Workspace};
use crate::lanes::Number;
use crate::lanes::wide::{Batch, MOST_LANES, Wide};
use crate::rig::{LimbName, RigidTransform};
use crate::stepped;
use crate::timing::{Clock, Laps, Times, Work};

/// Which bones a solve of many writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bones {
    /// All that the solver moves or carries along.
    #[default]
    All,
    /// Those with a role; what hangs on them is left to whoever makes local poses of them, or matrices for a skin.
    Key,
}

/// One of many characters.
#[derive(Debug)]
pub struct Task<'a> {
    /// The character's solver.
    pub solver: &'a FullBody,
    /// What is asked of it.
    pub settings: &'a Settings,
    /// The animated pose, model space; becomes the solved one.
    pub pose: &'a mut [RigidTransform],
    /// What it came to: as [`FullBody::solve`] says it. Whatever it was before is overwritten.
    pub done: Result<Status, InputError>,
}

impl<'a> Task<'a> {
    /// A character yet to be solved.
    pub fn new(solver: &'a FullBody, settings: &'a Settings, pose: &'a mut [RigidTransform]) -> Self {
        Self { solver, settings, pose, done: Ok(Status::NothingToDo) }
    }
}

/// Buffers for [`Many::solve`]: one for each thread that solves.
///
/// ```
/// use kinescope::full_body::many::{Bones, Many, Task};
/// use kinescope::{Effector, FullBody, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope::trace::Rig { skeleton, biped, reference, animated } = kinescope::Trace::from_json(&text)?.rig;
///
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let mut settings = vec![Settings::default(); 100];
/// let mut poses = vec![animated.clone(); 100];
/// for (index, settings) in settings.iter_mut().enumerate() {
///     settings.effector_mut(Effector::Body).position_offset.y = -0.002 * index as f32;
/// }
/// let tasks = settings.iter().zip(&mut poses).map(|(settings, pose)| Task::new(&solver, settings, pose));
/// let mut tasks: Vec<Task> = tasks.collect();
/// // Once for a thread; the second frame allocates nothing.
/// let mut many = Many::new();
/// many.solve(&mut tasks, Bones::All);
/// assert!(tasks.iter().all(|task| task.done.is_ok()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Many {
    level: Level,
    /// Who is solved with whom: the kind of solve, and the task's index.
    order: Vec<(u64, u32)>,
    /// The [`Read`] of the level.
    buffers: Option<Box<dyn Any + Send>>,
    /// For who is solved alone, by the shape of the solver.
    alone: Option<Workspace>,
    /// With one, [`Self::times`] are measured.
    pub clock: Option<Clock>,
    /// What the last [`Self::solve`] took.
    pub times: Times,
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

impl Many {
    /// For the widest registers that this processor has.
    pub fn new() -> Self {
        Self::with_level(Level::new())
    }

    /// For registers of a given kind: to compare them.
    pub fn with_level(level: Level) -> Self {
        Self { level, order: Vec::new(), buffers: None, alone: None, clock: None, times: Times::default() }
    }

    /// Every kind of register that this processor has, the widest first: the one of [`Self::new`].
    pub fn levels() -> impl Iterator<Item = Level> {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let others = [best.as_avx2().map(Level::Avx2), best.as_sse2().map(Level::Sse2)];
        #[cfg(not(target_arch = "x86_64"))]
        let others: [Option<Level>; 0] = [];
        std::iter::once(best).chain(others.into_iter().flatten())
    }

    /// How many characters share a register.
    pub fn lanes(&self) -> usize {
        dispatch!(self.level, simd => lanes_of(simd))
    }

    /// Solves all of them, as [`FullBody::solve`] does each: within 1e-6 of its height the result is the same, though not
    /// bit for bit, and may differ by as much with who else is solved. Each task says what it came to.
    ///
    /// Compiled without any optimization (`opt-level = 0`) it solves one after the other: what a register's worth of
    /// characters takes of the stack then is more than threads have.
    ///
    /// Allocates nothing once it has seen as many, of the same kinds. To use several threads, give each some of the
    /// tasks and a [`Many`] of its own, or see `solve_many` (feature `rayon`).
    pub fn solve(&mut self, tasks: &mut [Task], bones: Bones) {
        let mut laps = Laps::new(self.clock);
        self.order.clear();
        for (index, task) in tasks.iter_mut().enumerate() {
            task.done = match task.settings.solver.weight <= 0.0 {
                true => Ok(Status::NothingToDo),
                false => task.solver.check_pose_and_settings(task.settings, task.pose).map(|()| Status::Solved),
            };
            if task.done == Ok(Status::Solved) {
                self.order.push((kind(task.solver, task.settings), index as u32));
            }
        }
        self.order.sort_unstable();
        let Self { level, order, buffers, alone, .. } = self;
        if cfg!(unoptimized) {
            for &(_, index) in &*order {
                solve_alone(alone, &mut tasks[index as usize], bones, &mut laps);
            }
        } else {
            dispatch!(*level, simd => solve_in_lanes(simd, order, (buffers, alone), tasks, bones, &mut laps));
        }
        laps.end(Work::Write);
        self.times = laps.times;
    }
}

#[inline(always)]
fn lanes_of<S: Simd>(_: S) -> usize {
    Wide::<S>::LANES
}

/// Solves that take the same steps over key bones of the same shape have the same number.
fn kind(solver: &FullBody, settings: &Settings) -> u64 {
    let mut kind = solver.hierarchy.kind;
    let own = &settings.solver;
    let written = LimbName::ALL.map(|limb| u8::from(settings.chain(limb).mapping_weight > 0.0));
    let written = written.iter().fold(u8::from(own.fabrik_pass), |bits, bit| bits << 1 | bit);
    // Iterations and rounds beyond any of use are kinds of their own all the same.
    for number in [u64::from(own.iterations), u64::from(own.spine_iterations), u64::from(written)] {
        kind = (kind ^ number).wrapping_mul(0x0000_0100_0000_01b3);
    }
    kind
}

/// Fewer than this many characters of a kind are solved one by one: a register costs as much as some of them.
const FEW: usize = 2;

#[inline(always)]
fn solve_in_lanes<S: Simd>(
    simd: S,
    order: &[(u64, u32)],
    (buffers, alone): (&mut Option<Box<dyn Any + Send>>, &mut Option<Workspace>),
    tasks: &mut [Task],
    bones: Bones,
    laps: &mut Laps,
) {
    let lanes = Wide::<S>::LANES;
    let buffers = buffers.get_or_insert_with(|| Box::new(Read::<Batch<S>>::new(simd)));
    let Some(buffers) = buffers.downcast_mut::<Read<Batch<S>>>() else { return };
    for same in order.chunk_by(|(a, _), (b, _)| a == b) {
        for chunk in same.chunks(lanes) {
            match chunk.len() <= FEW {
                true => {
                    chunk.iter().for_each(|&(_, index)| solve_alone(alone, &mut tasks[index as usize], bones, laps))
                }
                false => solve_chunk(simd, chunk, buffers, tasks, bones, laps),
            }
        }
    }
}

fn solve_alone(alone: &mut Option<Workspace>, task: &mut Task, bones: Bones, laps: &mut Laps) {
    let workspace = alone.get_or_insert_with(|| task.solver.workspace());
    workspace.shape = task.solver.shape;
    task.done = task.solver.solve_usable(workspace, task.settings, task.pose, bones, laps);
}

#[inline(always)]
fn solve_chunk<S: Simd>(
    simd: S,
    chunk: &[(u64, u32)],
    buffers: &mut Read<Batch<S>>,
    tasks: &mut [Task],
    bones: Bones,
    laps: &mut Laps,
) {
    // Lanes that are left over do what the last character does, to no avail.
    let index_of = |lane: usize| chunk[lane.min(chunk.len() - 1)].1 as usize;
    let solver = tasks[index_of(0)].solver;
    {
        let characters: [Character; MOST_LANES] = std::array::from_fn(
            #[inline(always)]
            |lane| {
                let Task { solver, settings, pose, .. } = &tasks[index_of(lane)];
                Character { solver, settings, pose }
            },
        );
        let mut state = read(simd, &characters[..Wide::<S>::LANES], buffers);
        laps.end(Work::Read);
        let Read { frame, mappings, written, .. } = buffers;
        stepped::solve(&mut Solve::new(frame), &mut state);
        laps.end(Work::Stages);
        Writing::new(solver, mappings, frame, &state.points).all(written);
    }
    let written = &mut buffers.written;
    written.keys.settle(&solver.hierarchy);
    written.keys.turn_bases();
    for (lane, &(_, index)) in chunk.iter().enumerate() {
        let task = &mut tasks[index as usize];
        let done = written.keys.write_lane(&task.solver.hierarchy, lane, task.pose, bones);
        task.done = done.map(|()| Status::Solved).map_err(|error| error.because_of(task.settings));
    }
    laps.end(Work::Write);
}

/// Fewer than this many characters are not worth waking a thread for.
#[cfg(feature = "rayon")]
const SHARE: usize = 32;

/// Solves many characters on all processors: as [`Many::solve`], on the threads of rayon's current pool. A pool that was
/// built with `use_current_thread` has one thread less to wake, and is called from there.
///
/// `many` holds the buffers of each thread; there are as many as threads once it was called.
#[cfg(feature = "rayon")]
pub fn solve_many(many: &mut Vec<Many>, tasks: &mut [Task], bones: Bones) {
    use rayon::prelude::*;
    let threads = rayon::current_num_threads().max(1);
    many.resize_with(threads.max(many.len()), Many::new);
    let share = tasks.len().div_ceil(threads).max(SHARE);
    many.par_iter_mut().zip(tasks.par_chunks_mut(share)).for_each(|(many, tasks)| many.solve(tasks, bones));
}
