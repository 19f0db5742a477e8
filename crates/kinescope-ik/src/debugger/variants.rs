//! Solving many variants of a frame of the full body in SIMD registers. Sweeps, sensitivities, cures and the reachable
//! volume use this module.

use std::ops::Range;

use super::again::Progress;
use crate::full_body::{Bones, Effector, FullBody, InputError, Outcome, Settings, Status};
use crate::many::{Many, Task, WIDEST};
use crate::pieces::{in_pieces, threads};
use crate::rig::RigidTransform;
use crate::slices::{finish, report};

/// A solved variant, borrowed while it is measured. Its buffers are reused.
#[derive(Debug)]
pub struct Variant<'a> {
    /// The index among all variants.
    pub index: usize,
    /// The result, as [`FullBody::solve`] returns it.
    pub done: Result<Status, InputError>,
    /// The data from which measures of the solve are computed.
    pub outcome: &'a Outcome,
    /// The solved pose in model space. Only the [written bones](FullBody::written_bones) are solved; the others are as
    /// in the animated pose.
    pub pose: &'a [RigidTransform],
    solver: &'a FullBody,
}

impl Variant<'_> {
    /// Returns the distance of an effector's written bone to its target; 0 without weight. Model units.
    pub fn gap(&self, effector: Effector) -> f32 {
        let bone = self.pose.get(self.solver.bone_of(effector.node()));
        let both = bone.zip(self.outcome.target(effector));
        both.map_or(0.0, |(bone, target)| bone.position.distance(target))
    }

    /// Returns the gaps of all effectors, in the order of [`Effector::ALL`].
    pub fn gaps(&self) -> [f32; Effector::COUNT] {
        Effector::ALL.map(|effector| self.gap(effector))
    }
}

/// Buffers for the variants that one thread solves.
#[derive(Debug, Default)]
pub struct Variants {
    many: Many,
    settings: Vec<Settings>,
    poses: Vec<Vec<RigidTransform>>,
    outcomes: Vec<Outcome>,
}

impl Variants {
    /// Solves the variants of `range` in registers on this thread, and returns the result of `measure` for each.
    /// `variant` returns settings and animated pose.
    pub fn solve<'a, T>(
        &mut self,
        solver: &FullBody,
        range: Range<usize>,
        variant: impl Fn(usize) -> (Settings, &'a [RigidTransform]),
        measure: impl Fn(&Variant) -> T,
    ) -> Vec<T> {
        let mut found = Vec::with_capacity(range.len());
        for start in range.clone().step_by(BATCH) {
            let batch = start..range.end.min(start + BATCH);
            self.solve_batch(solver, batch, &variant, |solved| found.push(measure(solved)));
        }
        found
    }

    fn solve_batch<'a>(
        &mut self,
        solver: &FullBody,
        range: Range<usize>,
        variant: impl Fn(usize) -> (Settings, &'a [RigidTransform]),
        mut measure: impl FnMut(&Variant),
    ) {
        let Self { many, settings, poses, outcomes } = self;
        let (first, count) = (range.start, range.len());
        settings.clear();
        poses.resize_with(count.max(poses.len()), Vec::new);
        outcomes.resize(count.max(outcomes.len()), Outcome::default());
        for (index, pose) in range.zip(&mut *poses) {
            let (own, animated) = variant(index);
            settings.push(own);
            pose.clear();
            pose.extend_from_slice(animated);
        }
        let tasks = settings.iter().zip(poses).map(|(settings, pose)| Task::new(solver, settings, pose));
        let mut tasks: Vec<Task> = tasks.collect();
        many.solve_measured(&mut tasks, Bones::Key, &mut outcomes[..count]);
        for (offset, (task, outcome)) in tasks.iter().zip(outcomes).enumerate() {
            measure(&Variant { index: first + offset, done: task.done, outcome, pose: task.pose, solver });
        }
    }
}

/// The number of variants that are sorted into registers together: enough to fill the registers of about 8 kinds of
/// solve (as in a sweep of the iterations), and few enough for their settings and poses (0.4 MB) to stay in a
/// processor's cache.
const BATCH: usize = 128;
/// The largest number of variants that a thread solves between two reports of progress: about 10 ms of work. Shorter
/// rounds take longer in all, because the threads wait for each other after each. In WebAssembly the number is an
/// eighth.
const SHARE: usize = 64 * BATCH;

/// Solves `count` variants on all processors, several per register, and returns the result of `measure` for each, in
/// order.
///
/// `variant` returns settings and animated pose; variants may differ in targets, parameters and poses. With the feature
/// `rayon` the threads of rayon's current pool solve them, otherwise this thread alone. On x86-64 each result equals
/// that of [`FullBody::solve`], except for the signs of quaternions; on other processors positions agree within 1e-6 of
/// the character's height, see [`Many::solve`]. `progress` is called on this thread before each round of at most 8192
/// variants per thread (1024 in WebAssembly). If `progress` returns false, the work is cancelled and the result is
/// `None`.
///
/// ```
/// use kinescope_ik::debugger::variants::solve_variants;
/// use kinescope_ik::{Effector, FullBody, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// // A target that moves away from the body, step by step.
/// let variant = |index: usize| {
///     let mut settings = Settings::default();
///     let hand = settings.effector_mut(Effector::LeftHand);
///     (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.01 * index as f32, 1.2, 0.3)), 1.0);
///     (settings, &animated[..])
/// };
/// let gaps = solve_variants(&solver, 200, variant, |solved| solved.gap(Effector::LeftHand), &mut |_| true).unwrap();
/// assert!(gaps[199] > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_variants<'a, T: Send>(
    solver: &FullBody,
    count: usize,
    variant: impl Fn(usize) -> (Settings, &'a [RigidTransform]) + Sync,
    measure: impl Fn(&Variant) -> T + Sync,
    progress: Progress,
) -> Option<Vec<T>> {
    finish(solve_variants_in_slices(solver, count, variant, measure, progress))
}

/// Does the same as [`solve_variants`], with a [pause](crate::slices) before each round.
pub(super) async fn solve_variants_in_slices<'a, T: Send>(
    solver: &FullBody,
    count: usize,
    variant: impl Fn(usize) -> (Settings, &'a [RigidTransform]) + Sync,
    measure: impl Fn(&Variant) -> T + Sync,
    progress: Progress<'_>,
) -> Option<Vec<T>> {
    let solve = |own: &mut Variants, range: Range<usize>| own.solve(solver, range, &variant, &measure);
    spread(count, (SHARE, WIDEST), Variants::default, solve, progress).await
}

/// Runs `work` for all indices below `count` on all processors, in rounds of at most `most` indices per thread, and
/// returns the results in order; `None` if `progress` cancelled the work before a round. Pauses after each report of
/// progress. `work` gets pieces of a round, with a multiple of `grain` indices except for the last, and the state of its
/// thread.
pub(super) async fn spread<S: Send, T: Send>(
    count: usize,
    (most, grain): (usize, usize),
    new: impl Fn() -> S,
    work: impl Fn(&mut S, Range<usize>) -> Vec<T> + Sync,
    progress: Progress<'_>,
) -> Option<Vec<T>> {
    // In a browser one thread solves and draws, and WebAssembly solves more slowly, so rounds are shorter there.
    let most = if cfg!(target_arch = "wasm32") { most.div_ceil(8) } else { most };
    let threads = threads();
    let mut states: Vec<S> = (0..threads.min(count)).map(|_| new()).collect();
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        if !report(progress, found.len() as f32 / count as f32).await {
            return None;
        }
        let start = found.len();
        let end = count.min(start + most * threads);
        let piece = (end - start).div_ceil(2 * threads).next_multiple_of(grain).min(BATCH);
        let piece_at = |start: usize| (start..end.min(start + piece), Vec::new());
        let mut pieces: Vec<(Range<usize>, Vec<T>)> = (start..end).step_by(piece).map(piece_at).collect();
        in_pieces(&mut states, &mut pieces, 1, |state, pieces| {
            for (range, found) in pieces {
                *found = work(state, range.clone());
            }
        });
        pieces.into_iter().for_each(|(_, part)| found.extend(part));
    }
    Some(found)
}
