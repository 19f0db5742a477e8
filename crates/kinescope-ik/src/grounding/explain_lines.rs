//! Lines that the formulas of both grounders share.

use glam::Vec3;

use super::event::{Cast, Contact, Event, Purpose};
use super::input::Root;
use crate::names::Side;
use crate::notation::{Expression, Named, Point, Sheet, Term, exp, ln, mean};
use crate::rig::RigidTransform;

/// A formula in the making, with the frame's data that both grounders share.
pub(super) struct Lines<'a> {
    pub root: &'a Root,
    pub dt: f32,
    pub events: &'a [Event],
    pub sheet: Sheet,
}

impl<'a> Lines<'a> {
    pub fn new(root: &'a Root, dt: f32, events: &'a [Event]) -> Self {
        Self { root, dt, events, sheet: Sheet::default() }
    }

    pub fn cast(&self, purpose: Purpose) -> Option<&'a Cast> {
        self.events.iter().find_map(|event| match event {
            Event::Cast(cast) if cast.purpose == purpose => Some(cast),
            _ => None,
        })
    }

    pub fn up(&mut self) -> Named<Vec3> {
        self.sheet.given("up", self.root.up, "Up direction of the root; unit.")
    }

    pub fn height(&mut self, place: Named<Point>) -> Term<f32> {
        let root = self.sheet.given("root", Point(self.root.position), "Position of the root, in metres.");
        (place - root) * self.up()
    }

    pub fn foot(&mut self, side: Side, foot: RigidTransform) -> Named<Point> {
        let meaning = format!("Position of the animated {}, in metres.", side.foot_label());
        self.sheet.given("p", Point(foot.position), meaning)
    }

    pub fn seconds(&mut self) -> Named<f32> {
        self.sheet.given("dt", self.dt, "Duration of the frame, in seconds.")
    }

    /// Adds the weights `k` and `m` of a filter over a number of time constants: `k` weighs the old value, `m − k` the
    /// target at the start of the frame, `1 − m` the target at its end.
    pub fn lag(&mut self, names: [&'static str; 2], times: &Term<f32>) -> [Named<f32>; 2] {
        self.lag_during(names, times, "the frame")
    }

    /// Does the same as [`Self::lag`] for a part of the frame, which `span` names in the meanings.
    pub fn lag_during(&mut self, [k, m]: [&'static str; 2], times: &Term<f32>, span: &str) -> [Named<f32>; 2] {
        let meaning = format!("Share of the old value that remains at the end of {span}, 0 to 1.");
        let keep = self.sheet.define(k, exp(-times.clone()), meaning);
        let meaning = format!(
            "Mean share of the old value that remains during {span}, 0 to 1; assumes motion at a constant rate."
        );
        [keep, self.sheet.define(m, mean(times.clone()), meaning)]
    }

    /// Adds the rate of a speed given as a share per 1/60 s; `None` for a share of 1, whose rate is infinite.
    pub fn rate(&mut self, share: f32, key: &str) -> Option<Named<f32>> {
        let meaning = format!("Share of the remaining distance covered in 1/60 s, 0 to 1 (grounding.foot_ik.{key}).");
        let share = self.sheet.given("share", share, meaning);
        let meaning = "Rate at which the remaining distance shrinks, per second.";
        (share.get() < 1.0).then(|| self.sheet.define("rate", -60.0 * ln(1.0 - share), meaning))
    }

    /// Ends the formula of a cast with the position of its hit: `begin` if the cast began inside the ground, the end of
    /// the ray if it hit nothing.
    pub fn end_cast(
        mut self,
        title: String,
        cast: &Cast,
        begin: Named<Point>,
        length: impl Expression<Quantity = f32>,
    ) -> Sheet {
        let up = self.up();
        match Contact::of(cast.hit, -self.root.up) {
            Contact::Hit(hit) => {
                let meaning = "Distance from the start of the ray to its hit, in metres.";
                let d = self.sheet.given("d", hit.distance, meaning);
                self.sheet.end_with(title, "h", begin - up * d, "Position of the hit, in metres.")
            }
            Contact::Buried => {
                let meaning = "Position of the ray's start, in metres. The ray begins inside the ground.";
                self.sheet.end_with(title, "h", begin, meaning)
            }
            Contact::None => {
                let meaning = "Position of the ray's end, in metres. The ray hit nothing.";
                self.sheet.end_with(title, "h", begin - up * length.term(), meaning)
            }
        }
    }
}
