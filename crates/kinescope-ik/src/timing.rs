//! What the time of a frame goes to. The library has no clock: whoever calls it hands one in, or nothing is measured.

use std::cell::Cell;
use std::iter::Sum;
use std::ops::{AddAssign, Index, IndexMut};

use glam::Vec3;

use crate::ground::{Ground, Hit, Layers, Shape};
use crate::key::named;

/// Microseconds since whenever.
pub type Clock = fn() -> f64;

named! {
    /// A part of a frame's work.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Work {
        /// Returns the label on screen.
        label,
        /// Returns one sentence on what it contains, for tooltips.
        sentence: &'static str,
    }
    /// All of them, in the order of a frame.
    ALL {
        /// Ways walked, clips sampled, poses put together.
        Sample: "Ways walked, clips sampled, pose layers put on.";
        /// Modifiers, but for those between the stages.
        Modifiers: "Modifiers before IK and after IK. Modifiers during IK count as stages.";
        /// Grounding, but for its casts.
        Grounding: "Where feet and pelvis should go, without the time that the ground takes to answer.";
        /// What the ground takes to answer.
        Casts: "Rays, spheres and capsules cast against the ground.";
        /// The full body's reading of pose and settings.
        Read: "The full body reads pose and settings into its nodes.";
        /// Its stages.
        Stages: "The stages of the full body.";
        /// Its writing to the bones, but for swing and twist of the spine.
        Write: "The full body writes its nodes to the bones, without swing and twist of the spine.";
        /// The swing of the spine's bones, as they are written.
        Swing: "Each spine bone between pelvis and chest turns towards the next joint of the spine.";
        /// Their twist.
        Twist: "Each of them takes its share of the shoulders' twist. Nothing with a twist weight of 0.";
        /// Single chains.
        Chains: "Single chains, and the lanes of the lab.";
        /// From one level of detail to another.
        Blend: "Between two solves, and from one level of detail to another.";
        /// Drawing: panes and what is painted over the picture.
        Panes: "The panes of the window, and what is painted over the picture.";
        /// Drawing: the character and what it stands on.
        Picture: "The character, and the ground under it.";
        /// Drawing: all the others.
        Crowd: "Those of the crowd that are in the picture.";
        /// Drawing: what the driver takes, and waits for the display.
        Screen: "The driver draws it, and waits for the display.";
    }
}

impl Work {
    /// Of the work of showing a frame, not of making it.
    pub const fn is_drawing(self) -> bool {
        matches!(self, Self::Panes | Self::Picture | Self::Crowd | Self::Screen)
    }
}

/// What each part took, microseconds; 0 where nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times([f32; Work::ALL.len()]);

impl Times {
    /// Of some parts together.
    pub fn sum(&self, of: impl Fn(Work) -> bool) -> f32 {
        Work::ALL.into_iter().filter(|part| of(*part)).map(|part| self[part]).sum()
    }

    /// Of all that is not drawing.
    pub fn total(&self) -> f32 {
        self.sum(|part| !part.is_drawing())
    }

    /// Each of them by the same share.
    pub fn scaled(&self, by: f32) -> Self {
        Self(self.0.map(|own| own * by))
    }

    /// The mean over the last frames, of which `before` is the mean but for the newest. A frame's time says little by
    /// itself, and that of the first frame, in which everything is yet to be fetched from memory, says nothing: it has no
    /// `before`.
    pub fn smoothed(&self, before: Option<&Self>) -> Self {
        let mut smooth = *self;
        for (own, before) in smooth.0.iter_mut().zip(before.map_or(self.0, |before| before.0)) {
            *own = self::smoothed(*own, before);
        }
        smooth
    }
}

/// How much of the mean over the last frames is kept in each.
const KEPT: f32 = 0.95;

/// The mean over the last frames, with one more.
pub fn smoothed(newest: f32, before: f32) -> f32 {
    before * KEPT + newest * (1.0 - KEPT)
}

impl Index<Work> for Times {
    type Output = f32;

    fn index(&self, part: Work) -> &f32 {
        &self.0[part as usize]
    }
}

impl IndexMut<Work> for Times {
    fn index_mut(&mut self, part: Work) -> &mut f32 {
        &mut self.0[part as usize]
    }
}

impl AddAssign<&Times> for Times {
    fn add_assign(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }
}

impl<'a> Sum<&'a Times> for Times {
    fn sum<I: Iterator<Item = &'a Times>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, times| {
            sum += times;
            sum
        })
    }
}

/// Measures one part after another. The default has no clock, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Laps {
    clock: Option<Clock>,
    last: f64,
    /// What was measured so far.
    pub times: Times,
}

impl Laps {
    /// Begins now.
    pub fn new(clock: Option<Clock>) -> Self {
        Self { clock, last: clock.map_or(0.0, |clock| clock()), times: Times::default() }
    }

    /// Whether there is a clock.
    pub const fn is_measuring(&self) -> bool {
        self.clock.is_some()
    }

    /// What passed since the last call was of that part.
    #[inline(always)]
    pub fn end(&mut self, part: Work) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.times[part] += (now - self.last) as f32;
            self.last = now;
        }
    }

    /// What passed since the last call was of no part.
    pub fn skip(&mut self) {
        if let Some(clock) = self.clock {
            self.last = clock();
        }
    }

    /// What passed since the last call was measured by someone else.
    pub(crate) fn take(&mut self, times: &Times) {
        self.times += times;
        self.skip();
    }

    /// What a ground took of the part that ended last is its own.
    pub(crate) fn take_casts<G: ?Sized>(&mut self, part: Work, ground: &Timed<G>) {
        let spent = ground.spent.take() as f32;
        self.times[part] -= spent;
        self.times[Work::Casts] += spent;
    }
}

/// A ground whose casts are timed.
pub(crate) struct Timed<'a, G: ?Sized> {
    ground: &'a G,
    clock: Option<Clock>,
    spent: Cell<f64>,
    /// How many there were, with a clock.
    pub casts: Cell<u32>,
}

impl<'a, G: Ground + ?Sized> Timed<'a, G> {
    pub fn new(ground: &'a G, clock: Option<Clock>) -> Self {
        Self { ground, clock, spent: Cell::new(0.0), casts: Cell::new(0) }
    }

    fn time(&self, cast: impl FnOnce(&G) -> Option<Hit>) -> Option<Hit> {
        let Some(clock) = self.clock else { return cast(self.ground) };
        let begun = clock();
        let hit = cast(self.ground);
        self.spent.set(self.spent.get() + clock() - begun);
        self.casts.set(self.casts.get() + 1);
        hit
    }
}

impl<G: Ground + ?Sized> Ground for Timed<'_, G> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.time(|ground| ground.ray(from, direction, distance))
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.time(|ground| ground.sphere(from, radius, direction, distance))
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.time(|ground| ground.capsule(a, b, radius, direction, distance))
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.time(|ground| ground.cast_on(layers, shape, from, direction, distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static NOW: Cell<f64> = const { Cell::new(0.0) };
    }

    fn clock() -> f64 {
        NOW.replace(NOW.get() + 3.0)
    }

    struct Nothing;

    impl Ground for Nothing {
        fn ray(&self, _: Vec3, _: Vec3, _: f32) -> Option<Hit> {
            None
        }

        fn sphere(&self, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
            None
        }

        fn capsule(&self, _: Vec3, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
            None
        }
    }

    #[test]
    fn every_tick_is_of_one_part() {
        let mut laps = Laps::new(Some(clock));
        laps.end(Work::Read);
        laps.end(Work::Stages);
        laps.end(Work::Read);
        let ground = Timed::new(&Nothing, Some(clock));
        ground.ray(Vec3::ZERO, Vec3::Y, 1.0);
        laps.end(Work::Grounding);
        laps.take_casts(Work::Grounding, &ground);
        let found = [Work::Read, Work::Stages, Work::Grounding, Work::Casts].map(|part| laps.times[part]);
        assert_eq!((found, ground.casts.get()), ([6.0, 3.0, 6.0, 3.0], 1));
        assert_eq!(laps.times.total(), 18.0);
        let mut unmeasured = Laps::default();
        unmeasured.end(Work::Read);
        assert_eq!(unmeasured.times, Times::default());
    }

    #[test]
    fn smoothing_begins_with_the_first_and_goes_towards_the_newest() {
        let (mut one, mut two) = (Times::default(), Times::default());
        (one[Work::Read], two[Work::Read]) = (10.0, 20.0);
        assert_eq!(one.smoothed(None), one);
        let mut now = one;
        for _ in 0..200 {
            let before = now[Work::Read];
            now = two.smoothed(Some(&now));
            assert!(now[Work::Read] >= before && now[Work::Read] <= 20.0);
        }
        assert!((now[Work::Read] - 20.0).abs() < 0.01);
    }
}
