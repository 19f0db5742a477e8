//! Hit reaction: a blow moves nearby effectors, and turns spine and head.
//!
//! The effects of all blows add up. For each blow, `f` is its force, `d` its direction, `p` its point, `c` the
//! [impulse](crate::math::curve::impulse) of its age, and `r` the distance from `p` to an effector's bone:
//!
//! ```text
//! offset of body, shoulders          = d · f · height · c · exp(−(r / (radius · height))²) · weight
//! offset of each thigh               = the same at the thigh, less the body's, which moves the thighs
//! offset of each hand                = offset of its shoulder · hands
//! lever                              = d · clamp(f / full, −1, 1) · c · weight · master weight      full = 0.07
//! turn of the spine                  = (up × lever) · spine
//!                                      + up · twist · clamp(((p − chest) × lever · up) / across, −1, 1)
//!                                                                     across = 0.15 · height
//! turn of neck and head              = (up × lever) · head            with c at the age less lag
//! ```
//!
//! A turn is a vector, axis times angle; its bones share it equally. Feet stay: an end effector without offset holds
//! its animated place. The spine turns before read, so that hands with a target keep it. Neck and head turn after
//! write.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ages::{Ages, Repeat};
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::full_body::{Effector, Settings};
use crate::math::curve::impulse;
use crate::math::{unit, unit_or_zero};
use crate::parameter::settings;
use crate::rig::RigidTransform;

settings! {
    /// Moves effectors near a blow, and turns spine and head.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct HitReaction {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the whole reaction.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Blows have no effect.",
            too much: "Blows have their full effect.";
        /// How far an automatic blow or a click throws the struck place, as a fraction of the character's height.
        force: f32 = 0.08, from 0 to 1 usually 0.3 in Share,
            too little: "Blows hardly move the body.",
            too much: "Struck limbs jump far out of place.";
        /// Distance over which a blow fades, as a fraction of the character's height.
        radius: f32 = 0.3, from 0.01 to 10 usually 1 in Share,
            too little: "Blows hardly move effectors; spine and head still turn.",
            too much: "The torso slides as a whole.";
        /// How much a hand follows its shoulder.
        hands: f32 = 0.7, from 0 to 1 in Share,
            too little: "Hands stay in the air while the shoulder moves.",
            too much: "The whole arm moves as one piece.";
        /// How far a blow of force 0.07 or more bends the spine.
        spine: f32 = 14.0, from 0 to 90 usually 45 in Degrees,
            too little: "The torso stays stiff.",
            too much: "The torso folds.";
        /// Largest twist of the spine, by a blow of force 0.07 or more to its side.
        twist: f32 = 12.0, from 0 to 90 usually 45 in Degrees,
            too little: "A blow on the shoulder hardly twists the torso.",
            too much: "The torso twists unnaturally far.";
        /// How far a blow of force 0.07 or more bends neck and head relative to the spine.
        head: f32 = 16.0, from 0 to 90 usually 60 in Degrees,
            too little: "The head follows stiffly.",
            too much: "The neck bends unnaturally far.";
        /// Delay of the head after the body.
        lag: f32 = 0.05, from 0 to 1 usually 0.3 in Seconds,
            too little: "The head moves at the same time as the body.",
            too much: "The head still moves when the body has returned.";
        /// Time from the blow to the peak.
        attack: f32 = 0.07, from 0 to 2 usually 0.5 in Seconds,
            too little: "The body jumps.",
            too much: "The body seems pushed, not struck.";
        /// Time from the peak back to the animation.
        release: f32 = 0.55, from 0 to 10 usually 2 in Seconds,
            too little: "The body snaps back.",
            too much: "The body takes long to return.";
        /// Time between automatic blows, from different sides in turn. 0 disables them.
        interval: f32 = 0.0, from 0 to 60 usually 5 in Seconds,
            too little: "Blows come without a pause; 0 disables automatic blows.",
            too much: "Blows are rare.";
    }
}

/// A blow in the character's own space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hit {
    /// Struck point; model space.
    pub point: Vec3,
    /// Direction of the blow; unit, model space.
    pub direction: Vec3,
    /// How far the blow throws the struck place, as a fraction of the character's height.
    pub force: f32,
}

impl Hit {
    /// Creates a blow from a point and a direction of any length, in the space of the poses; `root` is the character's
    /// transform, `force` a fraction of its height. `None` if a number is not finite or the direction is zero.
    pub fn new(root: RigidTransform, point: Vec3, direction: Vec3, force: f32) -> Option<Self> {
        let back = root.rotation.conjugate();
        let direction = back * unit(direction)?;
        let point = back * (point - root.position);
        (point.is_finite() && force.is_finite()).then_some(Self { point, direction, force })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hits {
    pub ages: Ages<Hit>,
    repeat: Repeat,
    /// Number of automatic blows, taken modulo the length of [`ROUND`] at the next blow.
    count: u8,
}

impl Hits {
    pub(super) fn iter(&self) -> impl Iterator<Item = (f32, Hit)> + '_ {
        self.ages.iter()
    }

    /// Returns the blows that `before` lacks and that no time has passed since.
    pub(super) fn struck_since(&self, before: &Self) -> impl Iterator<Item = Hit> {
        let both = self.ages.all.into_iter().zip(before.ages.all);
        both.filter(|(now, before)| now != before)
            .filter_map(|(now, _)| now.filter(|(age, _)| *age == 0.0))
            .map(|(_, hit)| hit)
    }
}

/// Points and directions of automatic blows, along the character's axes (x left, y up, z forward). Points start at the
/// origin of model space and are fractions of the character's height.
const ROUND: [[Vec3; 2]; 4] = [
    [Vec3::new(0.0, 0.72, 0.1), Vec3::new(0.0, 0.0, -1.0)],
    [Vec3::new(0.13, 0.8, 0.06), Vec3::new(-0.3, -0.1, -1.0)],
    [Vec3::new(-0.16, 0.7, 0.0), Vec3::new(1.0, 0.0, -0.2)],
    [Vec3::new(0.0, 0.6, -0.1), Vec3::new(0.0, 0.1, 1.0)],
];

/// Force of a full blow, as a fraction of the character's height. A stronger blow turns spine and head no further.
pub(super) const FULL: f32 = 0.07;
/// Distance to the side of the chest at which a full blow twists the spine fully, as a fraction of the character's
/// height.
pub(super) const ACROSS: f32 = 0.15;

impl HitReaction {
    /// Returns the offset that a blow adds at a place; in the space of the poses.
    pub(super) fn thrown(&self, seen: &Seen, age: f32, hit: &Hit, place: Vec3) -> Vec3 {
        let at = seen.root.transform_point(hit.point);
        let height = seen.figure.height;
        let near = (-(place.distance(at) / (self.radius * height)).powi(2)).exp();
        let direction = seen.root.rotation * hit.direction;
        direction * (self.weight * hit.force * height * impulse(age, self.attack, self.release) * near)
    }

    fn offset(&self, hits: &Hits, seen: &Seen, place: Vec3) -> Vec3 {
        hits.iter().map(|(age, hit)| self.thrown(seen, age, &hit, place)).sum()
    }

    /// Returns the rotation by all blows: `bend` and `twist` are degrees for a full blow, `lag` is the delay in
    /// seconds.
    fn turn(&self, hits: &Hits, seen: &Seen, chest: Vec3, [weight, bend, twist, lag]: [f32; 4]) -> Quat {
        let mut turn = Vec3::ZERO;
        for (age, hit) in hits.iter() {
            let size = (hit.force / FULL).clamp(-1.0, 1.0);
            let late = if age > lag { impulse(age - lag, self.attack, self.release) } else { 0.0 };
            let lever = seen.root.rotation * hit.direction * (size * weight * late);
            let (up, arm) = (seen.up(), seen.root.transform_point(hit.point) - chest);
            turn += up.cross(lever) * bend;
            let beside = arm.cross(lever).dot(up) / (ACROSS * seen.figure.height).max(1e-6);
            turn += up * (twist * beside.clamp(-1.0, 1.0));
        }
        Quat::from_scaled_axis(turn * std::f32::consts::PI / 180.0)
    }
}

impl Kind for HitReaction {
    type Memory = Hits;

    fn pass(&self, hits: &mut Hits, seen: &Seen) {
        let dt = seen.passed();
        hits.ages.pass(dt, self.attack + self.release + self.lag);
        let (facing, up, height) = (seen.figure.facing, seen.figure.up, seen.figure.height);
        let turned = |v: Vec3| up.cross(facing) * v.x + up * v.y + facing * v.z;
        let Hits { ages, repeat, count } = hits;
        repeat.pass(dt, self.interval, |age| {
            *count %= ROUND.len() as u8;
            let [point, direction] = ROUND[usize::from(*count)].map(turned);
            ages.start(age, Hit { point: point * height, direction: unit_or_zero(direction), force: self.force });
            *count += 1;
        });
    }

    fn is_moving(&self, hits: &Hits) -> bool {
        self.interval > 0.0 || hits.iter().next().is_some()
    }

    fn before_read(&self, hits: &mut Hits, ask: &mut Ask) {
        if self.weight == 0.0 || hits.iter().next().is_none() {
            return;
        }
        let seen = ask.seen();
        const THROWN: [Effector; 5] = [
            Effector::Body,
            Effector::LeftShoulder,
            Effector::RightShoulder,
            Effector::LeftThigh,
            Effector::RightThigh,
        ];
        let offsets = THROWN.map(|effector| self.offset(hits, &seen, ask.place(effector)));
        let weight = self.weight * ask.settings().solver.weight;
        let chest = ask.bones.get(seen.figure.chest()).position;
        let turn = self.turn(hits, &seen, chest, [weight, self.spine, self.twist, 0.0]);
        let share = Quat::from_scaled_axis(turn.to_scaled_axis() / seen.figure.spine.len().max(1) as f32);
        for &bone in &seen.figure.spine {
            ask.bones.turn(bone, share);
        }
        let body = offsets[0];
        for (effector, offset) in THROWN.into_iter().zip(offsets) {
            // The thighs already follow the body.
            let is_thigh = matches!(effector, Effector::LeftThigh | Effector::RightThigh);
            ask.offset(effector, if is_thigh { offset - body } else { offset });
        }
        for (hand, shoulder) in [Effector::LeftHand, Effector::RightHand].into_iter().zip(&offsets[1..3]) {
            ask.offset(hand, *shoulder * self.hands);
        }
    }

    fn after_write(&self, hits: &Hits, used_settings: &Settings, bones: &mut Bones) {
        let seen = bones.seen;
        let Some(head) = seen.figure.head.filter(|_| self.weight != 0.0 && hits.iter().next().is_some()) else {
            return;
        };
        let (weight, chest) = (self.weight * used_settings.solver.weight, bones.get(seen.figure.chest()).position);
        let turn = self.turn(hits, &seen, chest, [weight, self.head, 0.0, self.lag]);
        let share = Quat::from_scaled_axis(turn.to_scaled_axis() / (seen.figure.neck.len() + 1) as f32);
        for &bone in seen.figure.neck.iter().chain([&head]) {
            bones.turn(bone, share);
        }
    }
}
