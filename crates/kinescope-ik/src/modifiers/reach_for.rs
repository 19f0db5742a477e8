//! Reach for: an effector's weight comes and goes on a curve, while the point it holds may move.
//!
//! With `e` the [envelope](crate::math::curve::envelope) of the time since it began, and `s` the smooth step:
//!
//! ```text
//! point           = from · (1 − h) + to · h            h = s((t − approach) / hold)
//! target          = own target · (1 − w) + point · w   where the effector has one of some weight, else point
//! position weight = own · (1 − w) + w                  w = e · position_weight · weight
//! rotation        = the same with rotation_weight
//! ```
//!
//! One that is told to begin while it reaches begins where it is: at the time of the approach that has the same `e`.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ages::Repeat;
use super::ask::Ask;
use super::kind::Kind;
use crate::attach::Attachment;
use crate::error::{BadValue, Fault};
use crate::full_body::Effector;
use crate::math::curve::{envelope, part, part_at};
use crate::parameter::settings;

settings! {
    /// An effector reaches for a point, holds it while it moves, and lets go.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ReachFor {
        /// Not at work.
        off: bool = false;
        /// How much of all of it there is.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Nothing reaches.",
            too much: "It reaches all the way.";
        /// What reaches.
        effector: Effector = Effector::RightHand;
        /// The point, in the space of the poses; without one there is nothing to reach for.
        position: Option<Vec3> = None;
        /// What the point and its rotation are attached to; without it they stay where they are.
        #[serde(skip_serializing_if = "Option::is_none")]
        attached: Option<Attachment> = None;
        /// Where the point has moved to when it is let go, in the space of the poses; without one it stays.
        to: Option<Vec3> = None;
        /// How hand or foot is turned there, in the space of the poses.
        rotation: Option<Quat> = None;
        /// The position weight while it holds.
        position_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "It points at it without touching.",
            too much: "It is on the point.";
        /// The rotation weight while it holds.
        rotation_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "It turns with the limb.",
            too much: "It is turned as the point has it.";
        /// From the beginning to the point.
        approach: f32 = 0.5, from 0 to 60 usually 2 in Seconds,
            too little: "It snaps there.",
            too much: "It never gets there.";
        /// How long it holds.
        hold: f32 = 0.8, from 0 to 600 usually 4 in Seconds,
            too little: "A touch.",
            too much: "It does not let go.";
        /// From letting go to the animation.
        release: f32 = 0.6, from 0 to 60 usually 2 in Seconds,
            too little: "It snaps back.",
            too much: "It trails off.";
        /// From one beginning to the next, by itself; 0 begins when told to.
        interval: f32 = 0.0, from 0 to 600 usually 10 in Seconds,
            too little: "It begins again before it let go; 0 is never.",
            too much: "It waits for long.";
    }
}

/// Since when it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reaching {
    /// Seconds; `None` while it does not.
    pub age: Option<f32>,
    /// Those that come by themselves.
    pub repeat: Repeat,
}

impl ReachFor {
    pub(super) const fn times(&self) -> [f32; 3] {
        [self.approach, self.hold, self.release]
    }

    /// Where the point is, so long after it began.
    pub(super) fn point(&self, age: f32) -> Option<Vec3> {
        let from = self.position?;
        let held = part(age - self.approach, self.hold);
        Some(self.to.map_or(from, |to| if age < self.approach { from } else { from.lerp(to, held) }))
    }
}

impl Kind for ReachFor {
    type Memory = Reaching;

    fn pass(&self, reaching: &mut Reaching, seen: &Seen) {
        let lasts: f32 = self.times().iter().sum();
        let dt = seen.passed();
        reaching.age = reaching.age.map(|age| age + dt).filter(|age| *age < lasts);
        let Reaching { age, repeat } = reaching;
        repeat.pass(dt, self.interval, |ago| *age = (ago < lasts).then_some(ago));
    }

    fn trigger(&self, reaching: &mut Reaching) {
        let now = reaching.age.map_or(0.0, |age| envelope(age, self.times()));
        reaching.age = Some(part_at(now) * self.approach);
    }

    fn is_moving(&self, reaching: &Reaching) -> bool {
        self.interval > 0.0 || reaching.age.is_some()
    }

    fn check(&self) -> Result<(), Fault> {
        for (key, place) in [("position", self.position), ("to", self.to)] {
            place.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at(key))?;
        }
        self.rotation.map_or(Ok(()), BadValue::check_rotation).map_err(|bad| bad.at("rotation"))?;
        let attached = self.attached.as_ref().map_or(Ok(()), Attachment::check);
        attached.map_err(|fault| fault.within("attached"))
    }

    fn before_read(&self, reaching: &mut Reaching, ask: &mut Ask) {
        let Some((age, point)) = reaching.age.and_then(|age| Some((age, self.point(age)?))) else { return };
        let share = envelope(age, self.times()) * self.weight;
        ask.draw(self.effector, point, share * self.position_weight);
        if let Some(rotation) = self.rotation {
            ask.draw_rotation(self.effector, rotation, share * self.rotation_weight);
        }
    }
}
