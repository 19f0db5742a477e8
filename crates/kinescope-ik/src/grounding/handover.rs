//! Blends from one grounder to another: the difference of their outputs is added and fades out.
//!
//! ```text
//! kept = last − first                        where another grounder takes over, t = 0
//! output = own + kept · (1 − s(t / blend))   s(x) = x² · (3 − 2x), 1 from x = 1 on
//! ```
//!
//! `last` is the previous frame's output, `first` and `own` are the new grounder's first and current output, `t` is the
//! time since the change. The blend covers the offsets and rotations (as rotation vectors) of both feet, their weights
//! and the pelvis. The blend does not depend on the frame rate.

use super::output::Output;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    offsets: [f32; 2],
    /// Rotation vectors, radians.
    turns: [Vec3; 2],
    weights: [f32; 2],
    pelvis: f32,
}

/// State between two frames. The default has seen no output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// Output of the previous frame, including the blend.
    last: Option<Parts>,
    kept: Parts,
    /// Seconds since the change of grounder; `None` while nothing is blended.
    since: Option<f32>,
}

/// Correction of a grounder's output. The default adds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handed {
    parts: Parts,
    /// Remaining share of the difference, 0 to 1.
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
    /// Returns whether a blend is in progress.
    pub fn is_blending(&self) -> bool {
        self.since.is_some()
    }

    /// Advances by `dt` seconds and returns the correction to add to `own`, the grounder's output. `changed` is true if
    /// the grounder is another one than in the last frame; `blend` is the duration of the blend, seconds; `up` is the
    /// root's up, unit.
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
    /// Adds the correction to an output; `up` is the root's up, unit.
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
