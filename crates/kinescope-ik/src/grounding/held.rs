//! Casts at a fixed rate: a frame without casts reuses the last hits.
//!
//! *Foot IK by ray and curve* casts in the engine's fixed update and moves feet in every frame toward the last hits.
//! Here a grounder casts in the first frame in which casts are due, at that frame's pose, and reuses the hits until
//! casts are due again:
//!
//! ```text
//! since += dt        casts are due from since ≥ 1 / rate on; since −= 1 / rate
//! ```
//!
//! If at least two periods have passed, `since` becomes 0.
//!
//! Hits are stored in the order of the casts, each with its purpose and foot. The first frame always casts, and so does
//! a frame that the caller marks as `anew`, as after a jump of the root. A frame that needs other casts than the stored
//! ones, for example at another quality, is known only after its solve; the caller then solves it again, `anew`.

use std::cell::{Cell, RefCell};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::event::{Event, Purpose};
use crate::ground::{Ground, Hit, Layers, Shape};
use crate::names::Side;

/// Number of casts per frame that are stored: one for the root, and one of each of six purposes for each foot. No
/// grounder makes more.
pub const MAX_CASTS: usize = 13;

/// Hits of the last casts. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeldCasts {
    /// Seconds since casts were last due.
    pub since: f32,
    count: usize,
    /// Purpose and foot of each cast, in order; the root has no foot.
    aims: [Option<(Purpose, Option<Side>)>; MAX_CASTS],
    /// Shape and hit of each cast, in order.
    answers: [(Kind, Option<Hit>); MAX_CASTS],
}

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
    next: Cell<usize>,
    casts: bool,
    /// Whether a cast was made for which no result of the same shape is held.
    differs: Cell<bool>,
}

impl<'a, G: Ground> HeldGround<'a, G> {
    /// Creates the ground of a frame `dt` seconds after the last one. `rate` is the number of casting frames per
    /// second; 0 casts in every frame. The frame also casts if there are no `held` hits, or if `anew` is true, as after
    /// a jump.
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
        Self { ground, held: RefCell::new(next), next: Cell::new(0), casts, differs: Cell::new(false) }
    }

    /// Returns the hits for the next frame, and whether this frame cast anew instead of reusing hits; also true if
    /// casts were due and the grounder made none. `events` are those of the frame. Returns `None` if casts were not due
    /// and the frame made other casts than those held: then its result is invalid and the frame must be solved again,
    /// `anew`.
    pub fn end(self, events: &[Event]) -> Option<(HeldCasts, bool)> {
        let mut aims = [None; MAX_CASTS];
        let casts = events.iter().filter_map(|event| match event {
            Event::Cast(cast) => Some((cast.purpose, cast.side)),
            Event::Predicted { .. } => None,
        });
        for (aim, cast) in aims.iter_mut().zip(casts) {
            *aim = Some(cast);
        }
        let mut held = self.held.into_inner();
        if self.casts {
            (held.count, held.aims) = (self.next.get().min(MAX_CASTS), aims);
            return Some((held, true));
        }
        let is_same = !self.differs.get() && held.aims == aims;
        is_same.then_some((held, false))
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
        if !self.casts {
            let known = held.answers.get(at).filter(|(own, _)| at < held.count && *own == kind);
            self.differs.set(self.differs.get() || known.is_none());
            return known.and_then(|(_, hit)| *hit);
        }
        let hit = self.ground.cast_on(layers, shape, from, direction, distance);
        if let Some(answer) = held.answers.get_mut(at) {
            *answer = (kind, hit);
        }
        hit
    }
}
