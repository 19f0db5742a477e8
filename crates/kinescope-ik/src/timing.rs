//! Measures how the time of a frame is spent. The caller passes a clock in; without a clock nothing is measured.

use std::cell::Cell;
use std::iter::Sum;
use std::ops::{AddAssign, Index, IndexMut};

use glam::Vec3;

use crate::ground::{Ground, Hit, Layers, Shape};
use crate::key::named;

/// A function that returns a time in microseconds, counted from any fixed instant.
pub type Clock = fn() -> f64;

named! {
    /// A part of the work of a frame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Work {
        /// Returns the label on screen.
        label,
        /// Returns what the part includes, in a sentence or two for tooltips.
        sentence: &'static str,
    }
    /// All parts, in the order of a frame.
    ALL {
        /// Paths, clip sampling and pose layers.
        Sample: "Follows paths, samples clips and adds pose layers.";
        /// Modifiers before and after IK, attachments, trackers and retargeting. Modifiers during IK count as
        /// [`Work::Stages`].
        Modifiers: "Runs attachments, trackers, retargeting, and modifiers before and after IK. Modifiers during IK count as stages.";
        /// Grounding, footprints and the foot lock, without their casts.
        Grounding: "Computes the goals of feet and pelvis, the footprints and the foot lock. Casts are timed separately.";
        /// Casts against the ground.
        Casts: "Casts rays, spheres and capsules against the ground.";
        /// Reading pose and settings into the full body's nodes.
        Read: "The full body reads pose and settings into its nodes.";
        /// The stages of the full body, or the whole solve of another solver of the body.
        Stages: "Runs the stages of the full body, or the whole solve of another solver of the body.";
        /// Writing the full body's nodes to the bones, without swing and twist of the spine; also the layer «rotations
        /// only».
        Write: "The full body writes its nodes to the bones. Swing and twist of the spine are timed separately. Includes the layer «rotations only».";
        /// Swing of the spine bones.
        Swing: "Turns each spine bone between pelvis and chest toward the next joint of the spine.";
        /// Twist of the spine bones.
        Twist: "Gives each spine bone its share of the shoulders' twist. Costs nothing at a twist weight of 0.";
        /// Single chains, and the lanes of the chain lab.
        Chains: "Solves single chains, and the lanes of the chain lab.";
        /// Blending between two solves or two levels of detail.
        Blend: "Blends between two solves, and between two levels of detail.";
        /// Drawing: panes and overlays.
        Panes: "Draws the panes of the window and the overlays on the picture.";
        /// Drawing: the character and the ground.
        Picture: "Draws the character and the ground under it.";
        /// Drawing: the crowd.
        Crowd: "Draws the visible characters of the crowd.";
        /// Drawing: the graphics driver, including the wait for the display.
        Screen: "The graphics driver draws the frame and waits for the display.";
    }
}

impl Work {
    /// Returns true for the parts that show a frame, false for the parts that compute its poses.
    pub const fn is_drawing(self) -> bool {
        matches!(self, Self::Panes | Self::Picture | Self::Crowd | Self::Screen)
    }
}

/// The time spent on each part of a frame, in microseconds; 0 if not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times([f32; Work::ALL.len()]);

impl Times {
    /// Returns the total time of the parts that `of` selects, in microseconds.
    pub fn sum(&self, of: impl Fn(Work) -> bool) -> f32 {
        Work::ALL.into_iter().filter(|part| of(*part)).map(|part| self[part]).sum()
    }

    /// Returns the total time without drawing, in microseconds.
    pub fn total(&self) -> f32 {
        self.sum(|part| !part.is_drawing())
    }

    /// Returns every time multiplied by `by`.
    pub fn scaled(&self, by: f32) -> Self {
        Self(self.0.map(|own| own * by))
    }

    /// Returns the moving average with this frame added; `before` is the average up to the previous frame.
    ///
    /// `None` makes this frame the first of the average. Times of single frames are too noisy to show.
    pub fn smoothed(&self, before: Option<&Self>) -> Self {
        let mut smooth = *self;
        for (own, before) in smooth.0.iter_mut().zip(before.map_or(self.0, |before| before.0)) {
            *own = self::smoothed(*own, before);
        }
        smooth
    }
}

/// The weight of the previous average in each new one.
const KEPT: f32 = 0.95;

/// Returns the moving average `before` with one more value.
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

/// A stopwatch that assigns elapsed time to parts. The default has no clock and measures nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Laps {
    clock: Option<Clock>,
    last: f64,
    /// The times measured so far.
    pub times: Times,
}

impl Laps {
    /// Starts the stopwatch; without a clock it measures nothing.
    pub fn new(clock: Option<Clock>) -> Self {
        Self { clock, last: clock.map_or(0.0, |clock| clock()), times: Times::default() }
    }

    /// Returns true if there is a clock.
    pub const fn is_measuring(&self) -> bool {
        self.clock.is_some()
    }

    /// Adds the time since the start, or since the last call of this function or [`Self::skip`], to the given part.
    #[inline(always)]
    pub fn end(&mut self, part: Work) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.times[part] += (now - self.last) as f32;
            self.last = now;
        }
    }

    /// Discards the time since the start, or since the last call of this function or [`Self::end`].
    pub fn skip(&mut self) {
        if let Some(clock) = self.clock {
            self.last = clock();
        }
    }

    /// Adds times that another stopwatch measured, and [skips](Self::skip) the time that they took.
    pub(crate) fn take(&mut self, times: &Times) {
        self.times += times;
        self.skip();
    }

    /// Moves the time that `ground` spent on casts from the given part to [`Work::Casts`].
    pub(crate) fn take_casts<G: ?Sized>(&mut self, part: Work, ground: &Timed<G>) {
        let spent = ground.spent.take() as f32;
        self.times[part] -= spent;
        self.times[Work::Casts] += spent;
    }
}

/// A ground that measures the time of its casts.
pub(crate) struct Timed<'a, G: ?Sized> {
    ground: &'a G,
    clock: Option<Clock>,
    spent: Cell<f64>,
    /// The number of casts; counted only if there is a clock.
    pub casts: Cell<u32>,
}

impl<'a, G: Ground + ?Sized> Timed<'a, G> {
    pub fn new(ground: &'a G, clock: Option<Clock>) -> Self {
        Self { ground, clock, spent: Cell::new(0.0), casts: Cell::new(0) }
    }

    fn time(&self, cast: impl FnOnce(&G) -> Option<Hit>) -> Option<Hit> {
        let Some(clock) = self.clock else { return cast(self.ground) };
        let start = clock();
        let hit = cast(self.ground);
        self.spent.set(self.spent.get() + clock() - start);
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
    fn every_tick_counts_toward_one_part() {
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
    fn smoothing_starts_at_the_first_value_and_approaches_the_newest() {
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
