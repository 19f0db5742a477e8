//! A crowd: many characters of one kind that walk ways over a ground, each solved at the level of detail that its state
//! and its distance ask for. Source: *Foot IK with velocity prediction*, «finer granularity».
//!
//! ```text
//! dt ─► each member: way, clip ─► rule ─► due? ─► sample ─► grounding ─► settings ─┐
//!                                                                                 ├─► Many::solve ─► poses, blended
//! every other member that is due ─────────────────────────────────────────────────┘
//! ```
//!
//! World space, metres, seconds, +Y up. A rule says how a member is grounded, with how many iterations it is solved and
//! how often; from one rule to the next its pose is blended over, and one that is not solved in every frame is solved for
//! the frame to come and moves there, so that nothing jumps.

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

/// What a frame of a crowd goes by.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, G> {
    /// What they stand on.
    pub ground: &'a G,
    /// Where they are looked at from.
    pub eye: Vec3,
    /// How much detail each gets: the first rule that fits. Without any, all get all.
    pub rules: &'a [Rule],
    /// With one, [`Crowd::times`] are measured.
    pub clock: Option<Clock>,
}

/// How the members of a crowd are spread over threads. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threads {
    /// As many threads as get 16 members each: fewer are not worth waking one.
    #[default]
    Auto,
    /// All on the thread that asks.
    Serial,
    /// As many threads as there are, or members.
    Parallel,
}

/// Many characters of one kind.
#[derive(Debug)]
pub struct Crowd {
    kind: Arc<Kind>,
    ways: Vec<Way>,
    members: Vec<Member>,
    /// One for each thread.
    hands: Vec<Hand>,
    /// How they are spread over threads; without the feature `rayon` there is one.
    pub threads: Threads,
}

/// What a thread solves its members with.
#[derive(Debug, Default)]
struct Hand {
    jobs: Vec<Job>,
    many: Many,
    local: LocalPose,
    model: ModelPose,
    between: [Vec<RigidTransform>; 2],
    times: Times,
    casts: u32,
}

/// Fewer than this many members are not worth waking a thread for.
#[cfg(feature = "rayon")]
const SHARE: usize = 16;

impl Crowd {
    /// `count` members of a kind, spread over the ways. A kind without clips stands; without ways all are at the origin.
    pub fn new(kind: Arc<Kind>, ways: Vec<Way>, count: usize) -> Self {
        let mut crowd = Self { kind, ways, members: Vec::new(), hands: Vec::new(), threads: Threads::Auto };
        crowd.set_count(count);
        crowd
    }

    /// The same members, where they are now, to go on by themselves: at other levels of detail, say.
    pub fn twin(&self) -> Self {
        let Self { kind, ways, members, threads, .. } = self;
        let (kind, ways, members) = (kind.clone(), ways.clone(), members.clone());
        Self { kind, ways, members, hands: Vec::new(), threads: *threads }
    }

    /// Adds members, or sends some away; those that stay go on as they are.
    pub fn set_count(&mut self, count: usize) {
        self.members.truncate(count);
        for index in self.members.len()..count {
            self.members.push(Member::new(&self.kind, &self.ways, index));
        }
    }

    /// What all members have in common.
    pub fn kind(&self) -> &Arc<Kind> {
        &self.kind
    }

    /// The way that a member walks; `None` if there are none.
    pub fn way(&self, member: usize) -> Option<&Way> {
        self.ways.get(self.members.get(member)?.way())
    }

    /// All of them.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// What the last frame took, by thread.
    pub fn thread_times(&self) -> impl Iterator<Item = &Times> {
        self.hands.iter().map(|hand| &hand.times)
    }

    /// What it took on all threads together.
    pub fn times(&self) -> Times {
        self.thread_times().sum()
    }

    /// How often the ground was asked for it; 0 without a clock.
    pub fn casts(&self) -> u32 {
        self.hands.iter().map(|hand| hand.casts).sum()
    }

    /// Lets `dt` seconds pass for all of them, on the threads of rayon's current pool if the feature `rayon` is there.
    pub fn advance<G: Ground + Sync>(&mut self, dt: f32, scene: &Scene<G>) {
        let Self { kind, ways, members, hands, threads: spread } = self;
        let dt = if dt.is_finite() { dt.clamp(0.0, 1.0) } else { 0.0 };
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let threads = rayon::current_num_threads().max(1);
            hands.resize_with(threads, Hand::default);
            // A hand without members took nothing.
            hands.iter_mut().for_each(|hand| (hand.times, hand.casts) = (Times::default(), 0));
            let even = members.len().div_ceil(threads);
            let share = match spread {
                Threads::Auto => even.max(SHARE),
                Threads::Serial => members.len().max(1),
                Threads::Parallel => even.max(1),
            };
            let both = hands.par_iter_mut().zip(members.par_chunks_mut(share));
            both.for_each(|(hand, members)| hand.advance(members, (kind, ways), dt, scene));
        }
        #[cfg(not(feature = "rayon"))]
        {
            let _ = spread;
            hands.resize_with(1, Hand::default);
            hands[0].advance(members, (kind, ways), dt, scene);
        }
    }
}

impl Hand {
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

/// Closed ways for a crowd, spread over a ground: rings of many sizes that stay within `size` around `center` and keep to
/// its `height`s. A place without height has that of the ground beside it.
pub fn ways_over(center: Vec2, size: Vec2, count: usize, height: impl Fn(Vec2) -> Option<f32>) -> Vec<Way> {
    /// From the edge, and of the smallest ring, metres.
    const MARGIN: f32 = 1.0;
    const SMALLEST: f32 = 1.5;
    const CORNERS: usize = 16;
    /// How tall a walker is for whom the ground is smoothed, metres.
    const WALKER: f32 = 1.7;
    let room = (size.min_element() * 0.5 - MARGIN).max(0.1);
    let ring = |index: usize| {
        let spread = |by: f32| (index as f32 * by + 0.5).fract();
        let radius = SMALLEST.min(room) + (room * 0.6 - SMALLEST).max(0.0) * spread(0.618_034);
        let free = (size * 0.5 - MARGIN - radius).max(Vec2::ZERO);
        let middle = center + free * (Vec2::new(spread(0.754_878), spread(0.569_84)) * 2.0 - 1.0);
        // Every other one goes round the other way.
        let turn = std::f32::consts::TAU / CORNERS as f32 * if index.is_multiple_of(2) { 1.0 } else { -1.0 };
        let points: Vec<Vec2> =
            (0..CORNERS).map(|corner| middle + Vec2::from_angle(corner as f32 * turn) * radius).collect();
        let path = Path::new(&points, true)?;
        let profile = Profile::along(&path, profile::reach_for(WALKER), &height);
        Some(Way { path, profile: Some(profile) })
    };
    (0..count).filter_map(ring).collect()
}
