//! A crowd: many characters of one kind that walk over a ground, each solved at a level of detail that depends on its
//! movement, its clip and its distance. Source: *Foot IK with velocity prediction*, «finer granularity».
//!
//! ```text
//! dt ─► each member: way, clip ─► rule ─► due? ─► sample ─► grounding ─► settings ─┐
//!                                                                                 ├─► Many::solve ─► poses, blended
//! all other due members ──────────────────────────────────────────────────────────┘
//! ```
//!
//! World space, metres, seconds, +Y up. A rule sets the quality of grounding, the iterations, and how often a member is
//! solved. A change of rule is blended. Members that skip frames are solved one update ahead and interpolated up to it.

mod detail;
mod kind;
mod member;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::ground::Ground;
use crate::locomotion::{Path, Profile, Way, profile};
use crate::many::{Bones, Many, Task};
use crate::rig::{LocalPose, ModelPose, RigidTransform};
use crate::timing::{Clock, Laps, Timed, Times, Work};

pub use detail::{DETAIL_RULES, Movement, Rule, default_rules};
pub use kind::Kind;
use member::Job;
pub use member::Member;

/// The surroundings of a crowd in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, G> {
    /// The ground.
    pub ground: &'a G,
    /// The place that distances are measured from; world space, metres.
    pub eye: Vec3,
    /// Levels of detail: a member gets the first rule that fits, or [`Rule::default`] if none does.
    pub rules: &'a [Rule],
    /// The clock that measures [`Crowd::times`]; `None` measures nothing.
    pub clock: Option<Clock>,
}

/// How the members of a crowd are spread over threads. The spread does not affect the poses, except for rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threads {
    /// Divides the members evenly among threads, one for each 16 members, rounded up, at most all threads. Waking more
    /// threads costs more than it saves.
    #[default]
    Auto,
    /// All members on the calling thread.
    Serial,
    /// Divides the members evenly among as many threads as possible.
    Parallel,
}

/// Many characters of one kind.
#[derive(Debug)]
pub struct Crowd {
    kind: Arc<Kind>,
    ways: Vec<Way>,
    members: Vec<Member>,
    workers: Vec<Worker>,
    /// How members are spread over threads; without the feature `rayon` there is one thread.
    pub threads: Threads,
}

#[derive(Debug, Default)]
struct Worker {
    jobs: Vec<Job>,
    many: Many,
    local: LocalPose,
    model: ModelPose,
    between: [Vec<RigidTransform>; 2],
    times: Times,
    casts: u32,
}

/// The number of members from which on waking a further thread saves time.
#[cfg(feature = "rayon")]
const SHARE: usize = 16;

#[cfg(feature = "rayon")]
impl Threads {
    /// Returns the numbers of members of each thread and of threads that get one more, for `count` members and at most
    /// `threads` threads.
    fn divide(self, count: usize, threads: usize) -> (usize, usize) {
        let used = match self {
            Self::Auto => count.div_ceil(SHARE).clamp(1, threads),
            Self::Serial => 1,
            Self::Parallel => threads,
        };
        (count / used, count % used)
    }
}

impl Crowd {
    /// Creates a crowd of `count` members of one kind, spread over the ways. Without clips the members stand; without
    /// ways all are at the origin.
    pub fn new(kind: Arc<Kind>, ways: Vec<Way>, count: usize) -> Self {
        let mut crowd = Self { kind, ways, members: Vec::new(), workers: Vec::new(), threads: Threads::Auto };
        crowd.set_count(count);
        crowd
    }

    /// Returns a copy of the crowd, to be advanced independently, for example at other levels of detail.
    pub fn twin(&self) -> Self {
        let Self { kind, ways, members, threads, .. } = self;
        let (kind, ways, members) = (kind.clone(), ways.clone(), members.clone());
        Self { kind, ways, members, workers: Vec::new(), threads: *threads }
    }

    /// Adds or removes members at the end; the others are unchanged.
    pub fn set_count(&mut self, count: usize) {
        self.members.truncate(count);
        for index in self.members.len()..count {
            self.members.push(Member::new(&self.kind, &self.ways, index));
        }
    }

    /// Returns the kind that all members share.
    pub fn kind(&self) -> &Arc<Kind> {
        &self.kind
    }

    /// Returns the way that a member walks; `None` if the crowd has no ways or lacks the member.
    pub fn way(&self, member: usize) -> Option<&Way> {
        self.ways.get(self.members.get(member)?.way())
    }

    /// Returns all members.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the running times of the last frame, one for each thread.
    pub fn thread_times(&self) -> impl Iterator<Item = &Times> {
        self.workers.iter().map(|worker| &worker.times)
    }

    /// Returns the running times of the last frame, summed over all threads.
    pub fn times(&self) -> Times {
        self.thread_times().sum()
    }

    /// Returns the number of casts against the ground in the last frame; 0 without a clock.
    pub fn casts(&self) -> u32 {
        self.workers.iter().map(|worker| worker.casts).sum()
    }

    /// Advances all members by `dt` seconds, clamped to 0…1 s (not finite counts as 0). With the feature `rayon`,
    /// [`Self::threads`] spreads them over rayon's current pool.
    pub fn advance<G: Ground + Sync>(&mut self, dt: f32, scene: &Scene<G>) {
        let Self { kind, ways, members, workers, threads: spread } = self;
        let dt = if dt.is_finite() { dt.clamp(0.0, 1.0) } else { 0.0 };
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let threads = crate::pieces::threads();
            workers.resize_with(threads, Worker::default);
            // Threads that get no members in this frame would otherwise keep the times of an earlier frame.
            workers.iter_mut().for_each(|worker| (worker.times, worker.casts) = (Times::default(), 0));
            let (share, longer) = spread.divide(members.len(), threads);
            let (long, short) = members.split_at_mut(longer * (share + 1));
            let parts = long.par_chunks_mut(share + 1).chain(short.par_chunks_mut(share.max(1)));
            let both = workers.par_iter_mut().zip(parts);
            both.for_each(|(worker, members)| worker.advance(members, (kind, ways), dt, scene));
        }
        #[cfg(not(feature = "rayon"))]
        {
            let _ = spread;
            workers.resize_with(1, Worker::default);
            workers[0].advance(members, (kind, ways), dt, scene);
        }
    }
}

impl Worker {
    fn advance<G: Ground>(&mut self, members: &mut [Member], (kind, ways): (&Kind, &[Way]), dt: f32, scene: &Scene<G>) {
        let ground = Timed::new(scene.ground, scene.clock);
        let Self { jobs, many, local, model, between, times, casts } = self;
        let mut laps = Laps::new(scene.clock);
        let mut count = 0;
        for (index, member) in members.iter_mut().enumerate() {
            member.pass(kind, ways, dt, scene.eye, scene.rules);
            for track in member.due() {
                if count == jobs.len() {
                    jobs.push(Job::default());
                }
                let job = &mut jobs[count];
                member.sample(track, (kind, ways), (dt, scene.rules), (local, model), job);
                job.member = index;
                laps.end(Work::Sample);
                member.ground(kind, &ground, scene.rules, job);
                laps.end(Work::Grounding);
                count += 1;
            }
        }
        laps.end(Work::Sample);
        laps.take_casts(Work::Grounding, &ground);
        *casts = ground.casts.get();

        let due = jobs[..count].iter_mut().filter(|job| job.is_solved);
        let mut tasks: Vec<Task> = due.map(|job| Task::new(&kind.solver, &job.settings, &mut job.pose)).collect();
        laps.end(Work::Read);
        many.clock = scene.clock;
        many.solve(&mut tasks, Bones::All);
        drop(tasks);
        laps.take(&many.times);
        for job in &mut jobs[..count] {
            members[job.member].take(job);
        }
        members.iter_mut().for_each(|member| member.show(between));
        laps.end(Work::Blend);
        *times = laps.times;
    }
}

/// Makes `count` closed ways for a crowd: rings of many sizes within a rectangle of the side lengths `size` around
/// `center` (both x and z, metres). `height` is as in [`Profile::along`]. Returns no ways if `center` or `size` is not
/// finite.
pub fn ways_over(center: Vec2, size: Vec2, count: usize, height: impl Fn(Vec2) -> Option<f32>) -> Vec<Way> {
    /// Least distance of the rings from the edge if the rectangle has room for it, metres.
    const MARGIN: f32 = 1.0;
    /// Radius of the smallest ring if the rectangle has room for it, metres.
    const SMALLEST: f32 = 1.5;
    const CORNERS: usize = 16;
    /// Assumed height of the walkers, metres. It sets the distance over which the ground along a way is smoothed.
    const WALKER: f32 = 1.7;
    if !center.is_finite() || !size.is_finite() {
        return Vec::new();
    }
    let room = (size.min_element() * 0.5 - MARGIN).max(0.1);
    let ring = |index: usize| {
        let spread = |by: f32| (index as f32 * by + 0.5).fract();
        let radius = SMALLEST.min(room) + (room * 0.6 - SMALLEST).max(0.0) * spread(0.618_034);
        let free = (size * 0.5 - MARGIN - radius).max(Vec2::ZERO);
        let middle = center + free * (Vec2::new(spread(0.754_878), spread(0.569_84)) * 2.0 - 1.0);
        // Every second ring is walked in the opposite direction.
        let turn = std::f32::consts::TAU / CORNERS as f32 * if index.is_multiple_of(2) { 1.0 } else { -1.0 };
        let points: Vec<Vec2> =
            (0..CORNERS).map(|corner| middle + Vec2::from_angle(corner as f32 * turn) * radius).collect();
        let path = Path::new(&points, true)?;
        let profile = Profile::along(&path, profile::reach_for(WALKER), &height);
        Some(Way { path, profile: Some(profile) })
    };
    (0..count).filter_map(ring).collect()
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;

    #[test]
    fn parts_differ_by_at_most_one_member() {
        for (spread, count, threads, used) in [
            (Threads::Auto, 0, 4, 1),
            (Threads::Auto, 16, 4, 1),
            (Threads::Auto, 17, 4, 2),
            (Threads::Auto, 40, 4, 3),
            (Threads::Auto, 1000, 64, 63),
            (Threads::Auto, 5000, 64, 64),
            (Threads::Serial, 100, 4, 1),
            (Threads::Parallel, 17, 16, 16),
            (Threads::Parallel, 5, 4, 4),
            (Threads::Parallel, 33, 32, 32),
        ] {
            let (share, longer) = spread.divide(count, threads);
            assert_eq!(share * used + longer, count, "{spread:?} {count} {threads}");
            assert!(longer < used, "{spread:?} {count} {threads}");
        }
        assert_eq!(Threads::Parallel.divide(3, 4), (0, 3));
    }
}
