//! From one grounder to the other without a jump: what the last one's output differs by is kept and fades out.
//!
//! ```text
//! kept = last − first                        where another grounder takes over, t = 0
//! output = own + kept · (1 − s(t / blend))   s(x) = x² · (3 − 2x), 1 from x = 1 on
//! ```
//!
//! for the offsets and turns (as rotation vectors) of both feet, their weights and the pelvis. It goes by time alone.

use super::output::Output;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// What an output is made of that can fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    offsets: [f32; 2],
    /// Rotation vectors, radians.
    turns: [Vec3; 2],
    weights: [f32; 2],
    pelvis: f32,
}

/// What a frame leaves to the next. The default has seen no output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// Of the frame before, as it was given out.
    last: Option<Parts>,
    kept: Parts,
    /// Seconds since another one took over; `None` while nothing is kept.
    since: Option<f32>,
}

/// What is added to a grounder's own output. The default adds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handed {
    parts: Parts,
    /// How much of what the last grounder's output differed by is left, 0 to 1.
    pub left: f32,
}

impl Parts {
    fn of(output: &Output) -> Self {
        Self {
            offsets: output.legs.map(|leg| leg.offset),
            turns: output.legs.map(|leg| leg.rotation_offset.to_scaled_axis()),
            weights: output.legs.map(|leg| leg.weight),
            pelvis: output.pelvis_height,
        }
    }

    /// `self + other · by`.
    fn add(&self, other: &Self, by: f32) -> Self {
        Self {
            offsets: [0, 1].map(|leg| self.offsets[leg] + other.offsets[leg] * by),
            turns: [0, 1].map(|leg| self.turns[leg] + other.turns[leg] * by),
            weights: [0, 1].map(|leg| self.weights[leg] + other.weights[leg] * by),
            pelvis: self.pelvis + other.pelvis * by,
        }
    }
}

impl Handover {
    /// Whether something of the last one is still left.
    pub fn goes_on(&self) -> bool {
        self.since.is_some()
    }

    /// The next frame, `dt` seconds later, with a grounder's own output; `changed` if it is another one than in the
    /// frame before. `blend` is how many seconds the change takes. Tells what to add to the output.
    pub fn next(&mut self, own: &Output, changed: bool, blend: f32, dt: f32, up: Vec3) -> Handed {
        let now = Parts::of(own);
        let dt = if dt > 0.0 && dt.is_finite() { dt } else { 0.0 };
        match self.last {
            Some(last) if changed => (self.kept, self.since) = (last.add(&now, -1.0), Some(0.0)),
            _ => self.since = self.since.map(|since| since + dt),
        }
        let share = self.since.map_or(1.0, |since| if blend > 0.0 { (since / blend).min(1.0) } else { 1.0 });
        let left = 1.0 - share * share * (3.0 - 2.0 * share);
        let is_sane = self.kept.pelvis.is_finite() && self.kept.turns.iter().all(|turn| turn.is_finite());
        if left <= 0.0 || !is_sane {
            self.since = None;
        }
        let handed = match self.since {
            Some(_) => Handed { parts: Parts::default().add(&self.kept, left), left },
            None => Handed::default(),
        };
        let mut given = *own;
        handed.add_to(&mut given, up);
        self.last = Some(Parts::of(&given));
        handed
    }
}

impl Handed {
    /// Adds it to an output whose up is `up`, unit.
    pub fn add_to(&self, output: &mut Output, up: Vec3) {
        if self.left <= 0.0 {
            return;
        }
        for (index, leg) in output.legs.iter_mut().enumerate() {
            leg.offset += self.parts.offsets[index];
            leg.ik_position += up * self.parts.offsets[index];
            let turn = leg.rotation_offset.to_scaled_axis() + self.parts.turns[index];
            leg.rotation_offset = Quat::from_scaled_axis(turn);
            leg.weight = (leg.weight + self.parts.weights[index]).clamp(0.0, 1.0);
        }
        output.pelvis_height += self.parts.pelvis;
        output.pelvis += up * self.parts.pelvis;
    }
}
