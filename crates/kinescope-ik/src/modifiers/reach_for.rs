//! Reach for: an effector's weight rises, holds and falls on a curve, while its target may move.
//!
//! `e` is the [envelope](crate::math::curve::envelope) of the time since the start, `s` the smooth step:
//!
//! ```text
//! point           = from · (1 − h) + to · h            h = s((t − approach) / hold)
//! target          = own target · (1 − w) + point · w   if the effector has a position weight, else point
//! position weight = own · (1 − w) + w                  w = e · position_weight · weight
//! rotation        = the same with rotation_weight
//! ```
//!
//! A trigger during a reach continues from the current envelope: at the time of the approach that has the same `e`.

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
    /// Moves an effector to a point, holds it there while the point moves, and lets go.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ReachFor {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the whole reach.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The point does not move the effector.",
            too much: "The effector reaches all the way.";
        /// The effector that reaches.
        effector: Effector = Effector::RightHand;
        /// The point, in the space of the poses. Without one, no effector moves.
        position: Option<Vec3> = None;
        /// Anchor of the point and its rotation; without an anchor both stay in place.
        #[serde(skip_serializing_if = "Option::is_none")]
        attached: Option<Attachment> = None;
        /// Position of the point when the effector lets go, in the space of the poses. Without one, the point stays.
        to: Option<Vec3> = None;
        /// Rotation of hand or foot at the point, in the space of the poses.
        rotation: Option<Quat> = None;
        /// Position weight while holding.
        position_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The effector stops short of the point.",
            too much: "The effector is on the point, if the point is within reach.";
        /// Rotation weight while holding.
        rotation_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "Hand or foot turns with the limb.",
            too much: "Hand or foot has the point's rotation.";
        /// Time that the effector takes to the point.
        approach: f32 = 0.5, from 0 to 60 usually 2 in Seconds,
            too little: "The effector snaps to the point.",
            too much: "The effector creeps to the point.";
        /// Time that the effector stays at the point.
        hold: f32 = 0.8, from 0 to 600 usually 4 in Seconds,
            too little: "The effector only touches the point.",
            too much: "The effector does not let go.";
        /// Time of the way back to the animation after letting go.
        release: f32 = 0.6, from 0 to 60 usually 2 in Seconds,
            too little: "The effector snaps back.",
            too much: "The effector drifts back.";
        /// Time between automatic reaches; 0 disables them.
        interval: f32 = 0.0, from 0 to 600 usually 10 in Seconds,
            too little: "A reach starts before the previous one ends; 0 disables automatic reaches.",
            too much: "Reaches are rare.";
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reaching {
    /// Seconds since the start; `None` while not reaching.
    pub age: Option<f32>,
    pub repeat: Repeat,
}

impl ReachFor {
    pub(super) const fn times(&self) -> [f32; 3] {
        [self.approach, self.hold, self.release]
    }

    /// Returns the place of the point `age` seconds after the start; `None` if the settings have no point.
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
