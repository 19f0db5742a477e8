//! Solves many characters at once, one per lane of a register, each with its own rig, settings and pose.
//!
//! The stages are those of [`FullBody::solve`]. Three or more characters share a register if they have the same
//! hierarchy of key bones, numbers of iterations, switch of the FABRIK pass and set of limbs with a mapping weight. The
//! others are solved one by one.

use std::any::Any;

#[cfg(not(target_arch = "x86_64"))]
use fearless_simd::dispatch as at_level;
use fearless_simd::{Level, Simd};
use glam::Vec3;

use crate::full_body::input::Rotations;
use crate::full_body::input_rows::{Character, InputRows};
use crate::full_body::mapping::Mappings;
use crate::full_body::outcome::Outcome;
use crate::full_body::read::{Parts, read};
use crate::full_body::solve::run_steps;
use crate::full_body::state::{Frame, Points, State};
use crate::full_body::writing::Writing;
use crate::full_body::written::Written;
use crate::full_body::{FullBody, InputError, Settings, Status, Workspace};
use crate::lanes::wide::{Batch, MOST_LANES, Wide};
use crate::lanes::{Mask, Number};
use crate::modifiers::{self, Running, Seen};
#[cfg(feature = "rayon")]
use crate::pieces::{in_pieces, threads};
use crate::rig::{LimbName, RigidTransform};
use crate::timing::{Clock, Laps, Times, Work};

pub use crate::full_body::Bones;

/// One character to solve.
#[derive(Debug)]
pub struct Task<'a> {
    /// The character's solver.
    pub solver: &'a FullBody,
    /// The settings of the solve.
    pub settings: &'a Settings,
    /// The animated pose, model space; the solve replaces it.
    pub pose: &'a mut [RigidTransform],
    /// The result, as in [`FullBody::solve`]; each solve overwrites it.
    pub done: Result<Status, InputError>,
    /// Modifiers of the solve; `None` for a solve without modifiers.
    pub modified: Option<Modified<'a>>,
}

/// The modifiers of a [`Task`], and the data of the frame that they read.
#[derive(Debug)]
pub struct Modified<'a> {
    /// The modifiers, in their order.
    pub modifiers: &'a mut [Running],
    /// The data of the frame: figure, character transform and time.
    pub seen: Seen<'a>,
}

impl<'a> Task<'a> {
    /// Makes a task without modifiers.
    pub fn new(solver: &'a FullBody, settings: &'a Settings, pose: &'a mut [RigidTransform]) -> Self {
        Self { solver, settings, pose, done: Ok(Status::NothingToDo), modified: None }
    }

    /// Adds modifiers. The result agrees with [`modifiers::solve`] as closely as [`Many::solve`] agrees with
    /// [`FullBody::solve`].
    ///
    /// Modifiers that act only before and after IK, such as look-at and recoil, add their own cost and that of a copy
    /// of the pose. A character with a modifier that acts between the stages ([`Running::acts_between`]) does not share
    /// a register. All bones of a task with modifiers are written, even with [`Bones::Key`]. For a game's own modifiers
    /// call [`modifiers::solve`].
    ///
    /// ```
    /// use kinescope_ik::many::{Bones, Many, Task};
    /// use kinescope_ik::modifiers::{Figure, LookAt, Modifier, Recoil, Running, Seen};
    /// use kinescope_ik::{FullBody, RigidTransform, Settings, glam::Vec3};
    /// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
    /// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
    ///
    /// let solver = FullBody::new(&skeleton, &biped, &reference)?;
    /// let figure = Figure::new(&skeleton, &biped, &reference)?;
    /// let (settings, mut poses) = (Settings::default(), vec![animated.clone(); 100]);
    /// let target = Some(Vec3::new(1.0, 1.4, 2.0));
    /// let own = [Modifier::LookAt(LookAt { target, ..LookAt::default() }), Modifier::Recoil(Recoil::default())];
    /// let mut modifiers = vec![own.map(Running::new); 100];
    /// modifiers[7][1].trigger();
    ///
    /// let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    /// let tasks = poses.iter_mut().zip(&mut modifiers);
    /// let tasks = tasks.map(|(pose, own)| Task::new(&solver, &settings, pose).with_modifiers(own, seen));
    /// let mut tasks: Vec<Task> = tasks.collect();
    /// Many::new().solve(&mut tasks, Bones::All);
    /// assert!(tasks.iter().all(|task| task.done.is_ok()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_modifiers(mut self, modifiers: &'a mut [Running], seen: Seen<'a>) -> Self {
        self.modified = Some(Modified { modifiers, seen });
        self
    }
}

/// The buffers of [`Many::solve`]; each thread needs its own.
///
/// # Stack
/// Threads of job systems have 64 to 256 KB of stack. An optimized build needs, on x86-64:
///
/// | KB | for |
/// |---|---|
/// | 16, the least that a thread can have | [`FullBody::new`], [`FullBody::solve`], a solve in steps, a [`Recording`](crate::full_body::Recording), [`Many::new`], [`chain_ik::solve`](crate::chain_ik::solve), both grounders |
/// | 32 | [`rig::detect`](crate::rig::detect()), `rig::import` |
/// | 48 | [`Many::solve`] and `solve_many` with modifiers or without, [`stack::solve`](crate::stack::solve) with all layers, `Trace::from_json` |
///
/// A debug build needs up to 512 KB. In an optimized build, the tests in `tests/library/stack.rs` run these functions
/// on 64 KB, [`stack::solve`](crate::stack::solve) with grounding, all modifiers and the three solvers of the body.
///
/// ```
/// use kinescope_ik::many::{Bones, Many, Task};
/// use kinescope_ik::{Effector, FullBody, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let mut settings = vec![Settings::default(); 100];
/// let mut poses = vec![animated.clone(); 100];
/// for (index, settings) in settings.iter_mut().enumerate() {
///     settings.effector_mut(Effector::Body).position_offset.y = -0.002 * index as f32;
/// }
/// let tasks = settings.iter().zip(&mut poses).map(|(settings, pose)| Task::new(&solver, settings, pose));
/// let mut tasks: Vec<Task> = tasks.collect();
/// // Created once per thread; from the second frame on, solving allocates nothing.
/// let mut many = Many::new();
/// many.solve(&mut tasks, Bones::All);
/// assert!(tasks.iter().all(|task| task.done.is_ok()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Without the alignment, threads with neighbouring buffers in a `Vec` would write to the same cache line.
#[derive(Debug)]
#[repr(align(128))]
pub struct Many {
    level: Level,
    /// The tasks to solve, sorted by kind: tasks of one kind can share registers.
    order: Vec<Solving>,
    /// For each task with modifiers and usable input, its index and its settings as the modifiers before IK changed
    /// them.
    settings_before_ik: Vec<(u32, Settings)>,
    /// The poses of the tasks in `settings_before_ik` as they were before the modifiers, one after the other. They
    /// restore the poses of tasks that fail.
    unmodified: Vec<RigidTransform>,
    /// The [`Buffers`] of the level.
    buffers: Option<Box<dyn Any + Send>>,
    /// The workspace of characters that are solved one by one.
    alone: Option<Workspace>,
    /// The clock that measures [`Self::times`]; without a clock all times are 0.
    pub clock: Option<Clock>,
    /// Running times of the last [`Self::solve`]. A whole solve with modifiers between the stages counts as
    /// [`Work::Stages`].
    pub times: Times,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Solving {
    /// Only tasks of the same [`kind`] share a register.
    kind: u64,
    task: u32,
    /// Index into `Many::settings_before_ik`; `None` without modifiers.
    settings_before_ik: Option<u32>,
    rotations: Rotations,
}

impl Solving {
    fn settings<'a>(&self, task: &Task<'a>, settings_before_ik: &'a [(u32, Settings)]) -> &'a Settings {
        self.settings_before_ik
            .and_then(|index| settings_before_ik.get(index as usize))
            .map_or(task.settings, |(_, settings_before_ik)| settings_before_ik)
    }
}

/// The data of the characters in one register. On the heap, because threads of job systems have small stacks.
#[derive(Debug)]
struct Buffers<S: Simd> {
    rows: Box<InputRows<Batch<S>>>,
    frame: Box<Frame<Batch<S>>>,
    mappings: Box<Mappings<Batch<S>>>,
    written: Written<Wide<S>>,
    state: Box<State<Batch<S>>>,
    /// The points before the closing pass, if outcomes are collected.
    settled: Box<Points<Batch<S>>>,
}

/// Evaluates an expression with the registers of a level. The solver is compiled once for each width of register, which
/// takes most of the build time. So there is no SSE4.2 code: processors without AVX2 run the SSE2 code. Unit tests,
/// which do not test registers, compile SSE2 only.
#[cfg(target_arch = "x86_64")]
macro_rules! at_level {
    ($level:expr, $simd:ident => $value:expr) => {
        match $level {
            #[cfg(not(test))]
            Level::Avx512($simd) => $value,
            #[cfg(not(test))]
            Level::Avx2($simd) => $value,
            level => match level.as_sse2() {
                Some($simd) => $value,
                None => unreachable!("every x86-64 processor has SSE2"),
            },
        }
    };
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

impl Many {
    /// Makes buffers for the widest registers of this processor.
    pub fn new() -> Self {
        Self::with_level(Level::new())
    }

    /// Makes buffers for the registers of a given level, to compare levels.
    pub fn with_level(level: Level) -> Self {
        // Made here, so that the first solve does not allocate them.
        let buffers = if cfg!(unoptimized) { None } else { Some(at_level!(level, simd => new_buffers(simd))) };
        let (order, settings_before_ik, unmodified) = (Vec::new(), Vec::new(), Vec::new());
        let times = Times::default();
        Self { level, order, settings_before_ik, unmodified, buffers, alone: None, clock: None, times }
    }

    /// Returns the register levels of this processor. The first is the widest, which [`Self::new`] uses; a level may
    /// occur twice.
    pub fn levels() -> impl Iterator<Item = Level> {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let others = [best.as_avx2().map(Level::Avx2), best.as_sse2().map(Level::Sse2)];
        #[cfg(not(target_arch = "x86_64"))]
        let others: [Option<Level>; 0] = [];
        std::iter::once(best).chain(others.into_iter().flatten())
    }

    /// Returns the largest number of characters that share a register.
    pub fn lanes(&self) -> usize {
        at_level!(self.level, simd => lanes_of(simd))
    }

    /// Solves all tasks. On x86-64 each result equals that of [`FullBody::solve`], except for the signs of quaternions.
    /// On other processors positions agree within 1e-6 of the character's height, and may change by as much if the
    /// other tasks change.
    ///
    /// Without optimization (`opt-level = 0`) tasks are solved one by one: the stack frames of a register's worth of
    /// characters would then be larger than the stack of a thread.
    ///
    /// Allocates only for more tasks, or other kinds of tasks, than in earlier calls. To use several threads, give each
    /// some of the tasks and a [`Many`] of its own, or see `solve_many` (feature `rayon`).
    pub fn solve(&mut self, tasks: &mut [Task], bones: Bones) {
        self.solve_all(tasks, bones, None);
    }

    /// Solves as [`Self::solve`] does and collects the outcome of each task at its index. Tasks whose input is refused,
    /// those at master weight 0, and those with modifiers between the stages get the default.
    pub(crate) fn solve_measured(&mut self, tasks: &mut [Task], bones: Bones, outcomes: &mut [Outcome]) {
        outcomes.fill(Outcome::default());
        self.solve_all(tasks, bones, Some(outcomes));
    }

    fn solve_all(&mut self, tasks: &mut [Task], bones: Bones, mut outcomes: Option<&mut [Outcome]>) {
        let mut laps = Laps::new(self.clock);
        self.order.clear();
        self.settings_before_ik.clear();
        self.unmodified.clear();
        for (index, task) in tasks.iter_mut().enumerate() {
            let index = index as u32;
            let (settings, settings_before_ik) = match task.modified {
                None => (task.settings, None),
                Some(_) => {
                    if let Err(error) = task.solver.check_pose_and_settings(task.settings, task.pose) {
                        task.done = Err(error);
                        continue;
                    }
                    self.unmodified.extend_from_slice(task.pose);
                    laps.end(Work::Read);
                    self.settings_before_ik.push((index, run_modifiers_before_ik(task)));
                    laps.end(Work::Modifiers);
                    let Some((_, settings_before_ik)) = self.settings_before_ik.last() else { continue };
                    (settings_before_ik, Some(self.settings_before_ik.len() as u32 - 1))
                }
            };
            if settings.solver.weight <= 0.0 {
                task.done = Ok(Status::NothingToDo);
                continue;
            }
            if task.modified.as_ref().is_some_and(|own| own.modifiers.iter().any(Running::acts_between)) {
                solve_between(&mut self.alone, task, settings);
                laps.end(Work::Stages);
                continue;
            }
            let kind = kind(task.solver, settings);
            self.order.push(Solving { kind, task: index, settings_before_ik, rotations: Rotations::Exact });
        }
        self.order.sort_unstable();
        let Self { level, order, settings_before_ik, buffers, alone, .. } = self;
        if cfg!(unoptimized) {
            for own in keep_usable(order, settings_before_ik, tasks) {
                solve_alone(alone, own, settings_before_ik, tasks, (bones, outcomes.as_deref_mut()), &mut laps);
            }
        } else {
            let wanted = (bones, outcomes);
            at_level!(*level, simd => solve_in_lanes(simd, (order, settings_before_ik), (buffers, alone), tasks, wanted, &mut laps));
        }
        laps.end(Work::Write);
        if !settings_before_ik.is_empty() {
            run_modifiers_after_ik(settings_before_ik, &self.unmodified, tasks);
            laps.end(Work::Modifiers);
        }
        self.times = laps.times;
    }
}

#[inline(always)]
fn lanes_of<S: Simd>(_: S) -> usize {
    Wide::<S>::LANES
}

#[inline(never)]
fn run_modifiers_before_ik(task: &mut Task) -> Settings {
    let mut settings_before_ik = *task.settings;
    if let Some(own) = &mut task.modified {
        modifiers::before_read(own.modifiers, &own.seen, &mut settings_before_ik, task.pose);
    }
    settings_before_ik
}

/// Runs the modifiers after IK of each task in `settings_before_ik` that did not fail, and restores the poses of the
/// tasks that failed. `unmodified` has the poses of all these tasks, one after the other.
fn run_modifiers_after_ik(
    settings_before_ik: &[(u32, Settings)],
    mut unmodified: &[RigidTransform],
    tasks: &mut [Task],
) {
    for (index, settings_before_ik) in settings_before_ik {
        let Task { pose, done, modified, .. } = &mut tasks[*index as usize];
        let (given, others) = unmodified.split_at(pose.len());
        unmodified = others;
        match (done, modified) {
            (Ok(_), Some(own)) => modifiers::after_write(own.modifiers, &own.seen, settings_before_ik, pose),
            (Err(_), _) | (_, None) => pose.copy_from_slice(given),
        }
    }
}

#[inline(never)]
fn solve_between(alone: &mut Option<Workspace>, task: &mut Task, settings_before_ik: &Settings) {
    let workspace = workspace_of(alone, task.solver);
    if let Some(Modified { modifiers, seen }) = &task.modified {
        task.done = modifiers::solve_with_hooks(task.solver, workspace, settings_before_ik, modifiers, seen, task.pose);
    }
}

fn workspace_of<'a>(alone: &'a mut Option<Workspace>, solver: &FullBody) -> &'a mut Workspace {
    let workspace = alone.get_or_insert_with(|| solver.workspace());
    workspace.shape = solver.shape;
    workspace
}

/// Returns a number that differs for solves with other steps or another hierarchy of key bones.
fn kind(solver: &FullBody, settings: &Settings) -> u64 {
    let mut kind = solver.hierarchy.kind;
    let own = &settings.solver;
    let mut written = u8::from(own.fabrik_pass);
    for limb in LimbName::ALL {
        written = written << 1 | u8::from(settings.chain(limb).mapping_weight > 0.0);
    }
    for number in [u64::from(own.iterations), u64::from(own.spine_iterations), u64::from(written)] {
        kind = (kind ^ number).wrapping_mul(0x0000_0100_0000_01b3);
    }
    kind
}

/// The number of characters in the widest register.
pub(crate) const WIDEST: usize = 16;
/// Up to this many characters are solved one by one instead of in one register, which saves no time for so few.
const FEW: usize = 2;
/// Whether solving in a register rounds as solving alone does. If it does not, even a few measured tasks are solved in
/// a register: outcomes are compared with each other, and a parameter without effect must not change a bit.
const ROUNDS_ALIKE: bool = cfg!(target_arch = "x86_64");

#[inline(always)]
fn solve_in_lanes<S: Simd>(
    simd: S,
    (order, settings_before_ik): (&mut [Solving], &[(u32, Settings)]),
    (buffers, alone): (&mut Option<Box<dyn Any + Send>>, &mut Option<Workspace>),
    tasks: &mut [Task],
    (bones, mut outcomes): (Bones, Option<&mut [Outcome]>),
    laps: &mut Laps,
) {
    let lanes = Wide::<S>::LANES;
    let few = if outcomes.is_some() && !ROUNDS_ALIKE { 0 } else { FEW };
    let Some(buffers) = buffers.as_mut().and_then(|buffers| buffers.downcast_mut::<Buffers<S>>()) else { return };
    for same in order.chunk_by_mut(|a, b| a.kind == b.kind) {
        for chunk in same.chunks_mut(lanes) {
            let chunk = keep_usable(chunk, settings_before_ik, tasks);
            if chunk.len() <= few {
                for own in chunk {
                    solve_alone(alone, own, settings_before_ik, tasks, (bones, outcomes.as_deref_mut()), laps);
                }
                continue;
            }
            // These parts are not inlined: one function would need the stack frames of all of them at once.
            read_chunk(simd, chunk, settings_before_ik, buffers, tasks);
            laps.end(Work::Read);
            solve_chunk(simd, buffers, outcomes.is_some());
            if let Some(outcomes) = outcomes.as_deref_mut() {
                measure_chunk(simd, chunk, buffers, outcomes);
            }
            laps.end(Work::Stages);
            write_chunk(simd, chunk, buffers, tasks, laps);
            hand_out_chunk(simd, (chunk, settings_before_ik), buffers, tasks, bones);
            laps.end(Work::Write);
        }
    }
}

/// Checks tasks just before they are solved, so that their poses and settings are in the cache when they are read.
/// Returns those that are usable.
fn keep_usable<'a>(
    order: &'a mut [Solving],
    settings_before_ik: &[(u32, Settings)],
    tasks: &mut [Task],
) -> &'a [Solving] {
    let mut count = 0;
    for index in 0..order.len() {
        let task = &mut tasks[order[index].task as usize];
        match task.solver.check_pose_and_settings(order[index].settings(task, settings_before_ik), task.pose) {
            Ok(rotations) => {
                task.done = Ok(Status::Solved);
                order[index].rotations = rotations;
                order.swap(count, index);
                count += 1;
            }
            Err(error) => task.done = Err(error),
        }
    }
    &order[..count]
}

#[inline(never)]
fn new_buffers<S: Simd>(simd: S) -> Box<dyn Any + Send> {
    /// Boxes a part in its own stack frame. `vectorize` compiles `make` for the SIMD level, so that the part is built
    /// in place. Otherwise the compiler keeps a second copy on the stack, 60 KB for the widest registers.
    #[inline(never)]
    fn boxed<S: Simd, T>(simd: S, make: impl FnOnce() -> T) -> Box<T> {
        simd.vectorize(
            #[inline(always)]
            || Box::new(make()),
        )
    }
    Box::new(Buffers::<S> {
        rows: boxed(simd, InputRows::default),
        frame: boxed(
            simd,
            #[inline(always)]
            || Frame::none(simd),
        ),
        mappings: boxed(simd, Mappings::default),
        written: Written::default(),
        state: boxed(
            simd,
            #[inline(always)]
            || State::new(simd),
        ),
        settled: boxed(
            simd,
            #[inline(always)]
            || Points::splat(simd, Vec3::ZERO),
        ),
    })
}

#[inline(never)]
fn solve_alone(
    alone: &mut Option<Workspace>,
    own: &Solving,
    settings_before_ik: &[(u32, Settings)],
    tasks: &mut [Task],
    (bones, outcomes): (Bones, Option<&mut [Outcome]>),
    laps: &mut Laps,
) {
    let task = &mut tasks[own.task as usize];
    let workspace = workspace_of(alone, task.solver);
    let settings = own.settings(task, settings_before_ik);
    let bones = bones_of(task, bones);
    let outcome = outcomes.and_then(|outcomes| outcomes.get_mut(own.task as usize));
    task.done = task.solver.solve_usable(workspace, settings, (task.pose, own.rotations), bones, outcome, laps);
}

/// Returns which bones of a task are written: all bones if the task has modifiers, as these act on the pose after IK.
fn bones_of(task: &Task, bones: Bones) -> Bones {
    if task.modified.is_some() { Bones::All } else { bones }
}

#[inline(never)]
fn read_chunk<S: Simd>(
    simd: S,
    chunk: &[Solving],
    settings_before_ik: &[(u32, Settings)],
    Buffers { rows, frame, mappings, written, state, .. }: &mut Buffers<S>,
    tasks: &[Task],
) {
    let character = |own: &Solving| {
        let task = &tasks[own.task as usize];
        let settings = own.settings(task, settings_before_ik);
        Character { solver: task.solver, settings, pose: task.pose, rotations: own.rotations }
    };
    // Unused lanes repeat the first character; their results are discarded.
    let mut characters = [character(&chunk[0]); MOST_LANES];
    characters.iter_mut().zip(chunk).for_each(|(lane, own)| *lane = character(own));
    simd.vectorize(
        #[inline(always)]
        || **state = read(simd, &characters[..Wide::<S>::LANES], Parts { rows, frame, mappings, written }),
    );
}

#[inline(never)]
fn solve_chunk<S: Simd>(simd: S, Buffers { frame, state, settled, .. }: &mut Buffers<S>, is_measured: bool) {
    simd.vectorize(
        #[inline(always)]
        || run_steps(frame, state, is_measured.then_some(settled)),
    );
}

#[inline(never)]
fn measure_chunk<S: Simd>(
    simd: S,
    chunk: &[Solving],
    Buffers { frame, settled, .. }: &mut Buffers<S>,
    outcomes: &mut [Outcome],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (lane, own) in chunk.iter().enumerate() {
                if let Some(outcome) = outcomes.get_mut(own.task as usize) {
                    *outcome = Outcome::of_lane(frame, settled, lane);
                }
            }
        },
    );
}

/// Writes the solved nodes to the key bones in the buffers. Passes `laps` on even if it has no clock: a second copy of
/// the code without measurements would add build time and save nothing.
#[inline(never)]
fn write_chunk<S: Simd>(simd: S, chunk: &[Solving], buffers: &mut Buffers<S>, tasks: &[Task], laps: &mut Laps) {
    let solver = tasks[chunk[0].task as usize].solver;
    let Buffers { frame, mappings, written, state, .. } = buffers;
    simd.vectorize(
        #[inline(always)]
        || {
            Writing::new(solver, mappings, frame, &state.points).all_watched(written, laps);
            written.keys.settle(&solver.hierarchy);
            written.keys.turn_bases();
        },
    );
}

#[inline(never)]
fn hand_out_chunk<S: Simd>(
    simd: S,
    (chunk, settings_before_ik): (&[Solving], &[(u32, Settings)]),
    Buffers { written, .. }: &mut Buffers<S>,
    tasks: &mut [Task],
    bones: Bones,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let are_solved = written.keys.are_solved(simd);
            for (lane, own) in chunk.iter().enumerate() {
                let task = &mut tasks[own.task as usize];
                if are_solved.lane(lane) {
                    let bones = bones_of(task, bones);
                    written.keys.write_lane(&task.solver.hierarchy, lane, task.pose, bones);
                    task.done = Ok(Status::Solved);
                } else {
                    task.done = Err(InputError::State.because_of(own.settings(task, settings_before_ik)));
                }
            }
        },
    );
}

/// The least number of characters for which waking a thread saves time.
#[cfg(feature = "rayon")]
const SHARE: usize = 32;

/// Solves many characters as [`Many::solve`] does, on the threads of rayon's current pool. A calling thread that
/// belongs to the pool, as after `ThreadPoolBuilder::use_current_thread`, solves some itself, so that rayon wakes one
/// thread less.
///
/// `many` holds the buffers of each thread; a call adds those that are missing.
#[cfg(feature = "rayon")]
pub fn solve_many(many: &mut Vec<Many>, tasks: &mut [Task], bones: Bones) {
    let threads = threads();
    many.resize_with(threads.max(many.len()), Many::new);
    let piece = tasks.len().div_ceil(2 * threads).next_multiple_of(WIDEST).max(SHARE);
    in_pieces(&mut many[..threads], tasks, piece, |many, tasks| many.solve(tasks, bones));
}
