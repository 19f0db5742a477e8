//! Casts at a fixed rate: a frame without casts reuses the last hits.
//!
//! *Foot IK by ray and curve* casts in the engine's fixed update and moves feet in every frame towards the last hits.
//! Here a grounder casts in the first frame in which casts are due, at that frame's pose, and reuses the hits until
//! casts are due again:
//!
//! ```text
//! since += dt        casts are due from since ≥ 1 / rate on; since −= 1 / rate
//! ```
//!
//! Hits are stored in the order of the casts. A frame with other casts than the one before (another quality, a lost
//! foot) casts again, and so does the first frame and one after a jump.

use std::cell::{Cell, RefCell};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::ground::{Ground, Hit, Layers, Shape};

/// Largest number of casts of a grounder per frame: one for the root, six for each foot.
pub const MAX_CASTS: usize = 13;

/// Hits of the last casts. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeldCasts {
    /// Seconds since casts were due.
    pub since: f32,
    /// Number of stored casts.
    count: usize,
    /// Shape and hit of each cast, in order.
    answers: [(Kind, Option<Hit>); MAX_CASTS],
}

/// Kind of a cast's shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Ray,
    Sphere,
    Capsule,
}

impl Kind {
    fn of(shape: Shape) -> Self {
        match shape {
            Shape::Ray => Self::Ray,
            Shape::Sphere { .. } => Self::Sphere,
            Shape::Capsule { .. } => Self::Capsule,
        }
    }
}

/// Ground for one frame of a grounder: answers from [`HeldCasts`] if casts are not due.
pub struct HeldGround<'a, G> {
    ground: &'a G,
    held: RefCell<HeldCasts>,
    /// Index of the next cast.
    next: Cell<usize>,
    /// Whether this frame casts.
    casts: Cell<bool>,
}

impl<'a, G: Ground> HeldGround<'a, G> {
    /// Creates the ground of a frame `dt` seconds after the last one. `rate` is in casts per second; 0 casts in every
    /// frame. `anew` forces casts: in the first frame, or after a jump.
    pub fn new(ground: &'a G, rate: f32, held: Option<HeldCasts>, anew: bool, dt: f32) -> Self {
        let period = if rate > 0.0 { 1.0 / rate } else { 0.0 };
        let dt = if dt > 0.0 { dt } else { 0.0 };
        let mut next = held.unwrap_or_default();
        next.since += dt;
        // Rounding of frame times must not delay casts by a frame.
        let is_due = next.since >= period * (1.0 - 1e-3);
        let casts = anew || held.is_none() || period <= 0.0 || is_due;
        if casts {
            let late = if anew || held.is_none() || period <= 0.0 { 0.0 } else { (next.since - period).max(0.0) };
            next.since = if late < period { late } else { 0.0 };
        }
        Self { ground, held: RefCell::new(next), next: Cell::new(0), casts: Cell::new(casts) }
    }

    /// Returns the hits for the next frame, and whether this frame cast anew instead of reusing hits; also true if casts were
    /// due and the grounder made none.
    pub fn end(self) -> (HeldCasts, bool) {
        let mut held = self.held.into_inner();
        if self.casts.get() {
            held.count = self.next.get().min(MAX_CASTS);
        }
        (held, self.casts.get())
    }
}

impl<G: Ground> Ground for HeldGround<'_, G> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Ray, from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Sphere { radius }, from, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Capsule { along: b - a, radius }, a, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let (at, kind) = (self.next.get(), Kind::of(shape));
        self.next.set(at + 1);
        let mut held = self.held.borrow_mut();
        let known = held.answers.get(at).filter(|(own, _)| at < held.count && *own == kind);
        if let Some(&(_, hit)) = known.filter(|_| !self.casts.get()) {
            return hit;
        }
        self.casts.set(true);
        let hit = self.ground.cast_on(layers, shape, from, direction, distance);
        if let Some(answer) = held.answers.get_mut(at) {
            *answer = (kind, hit);
        }
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ground on which every cast returns a different hit, so that tests can tell new hits from reused ones.
    struct Counting(Cell<u32>);

    impl Ground for Counting {
        fn ray(&self, from: Vec3, direction: Vec3, _: f32) -> Option<Hit> {
            self.0.set(self.0.get() + 1);
            let distance = self.0.get() as f32;
            Some(Hit { point: from + direction * distance, normal: Vec3::Y, distance })
        }
    }

    /// Casts three times; returns the hits and whether the frame cast.
    fn frame(ground: &Counting, rate: f32, held: &mut Option<HeldCasts>, anew: bool, dt: f32) -> (Vec<f32>, bool) {
        let own = HeldGround::new(ground, rate, *held, anew, dt);
        let hits = (0..3).map(|_| own.ray(Vec3::ZERO, Vec3::NEG_Y, 1.0).unwrap().distance).collect();
        let (left, casts) = own.end();
        *held = Some(left);
        (hits, casts)
    }

    #[test]
    fn casts_keep_their_rate_at_any_frame_rate() {
        for (frames, rate) in [(60.0f32, 20.0f32), (60.0, 25.0), (144.0, 50.0), (30.0, 30.0), (30.0, 50.0)] {
            let (ground, mut held) = (Counting(Cell::new(0)), None);
            let casting = (0..(frames * 4.0) as u32).filter(|_| frame(&ground, rate, &mut held, false, 1.0 / frames).1);
            let (found, expected) = (casting.count() as f32, (rate.min(frames)) * 4.0);
            assert!((found - expected).abs() <= 1.0, "{found} casting frames at {frames} Hz, {expected} expected");
        }
    }

    #[test]
    fn a_frame_without_casts_reuses_the_last_hits() {
        let (ground, mut held) = (Counting(Cell::new(0)), None);
        assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![1.0, 2.0, 3.0], true));
        for _ in 0..4 {
            assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![1.0, 2.0, 3.0], false));
        }
        assert_eq!(frame(&ground, 10.0, &mut held, false, 0.02), (vec![4.0, 5.0, 6.0], true));
        // A jump casts at once, and so does every frame at rate 0.
        assert_eq!(frame(&ground, 10.0, &mut held, true, 0.02), (vec![7.0, 8.0, 9.0], true));
        assert_eq!(frame(&ground, 0.0, &mut held, false, 0.02), (vec![10.0, 11.0, 12.0], true));
        // A cast of another shape cannot reuse the held hit.
        let own = HeldGround::new(&ground, 10.0, held, false, 0.02);
        let _ = own.capsule(Vec3::ZERO, Vec3::X, 0.1, Vec3::NEG_Y, 1.0);
        assert!(own.end().1);
    }
}
