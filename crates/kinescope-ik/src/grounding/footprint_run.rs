//! Recorded footprints as a [`Run`].

use glam::Vec3;

use super::footprint::{Chosen, FootprintFrame, FootprintSolve, FootprintState, NO_GROUND};
use super::input::LONGEST_FRAME;
use super::lock::PLANTED;
use crate::debug_draw::{DebugDraw, Subject};
use crate::ground::Ground;
use crate::names::Side;
use crate::notation::{Expression, Sheet, zero};
use crate::rig::RigidTransform;
use crate::stepped;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit, hash_of_texts,
};

/// Run of the footprints of a frame. It moves no bone; grounding uses its output.
#[derive(Clone, Debug)]
pub struct FootprintRun {
    /// Input of the frame.
    pub frame: FootprintFrame,
    /// Recording of the frame.
    pub recording: stepped::Recording<Side, FootprintState, Chosen>,
}

const MOVED: usize = 0;
const UNEVEN: usize = 2;
const BEFORE: usize = 4;

impl FootprintRun {
    /// Solves and records a frame from the state of the last one.
    pub fn record(frame: FootprintFrame, start: &FootprintState, ground: &impl Ground) -> Self {
        let mut recording = stepped::Recording::default();
        recording.record(&mut FootprintSolve::new(&frame, start, ground), &mut start.clone());
        Self { frame, recording }
    }

    /// Returns the state for the next frame.
    pub fn state(&self) -> FootprintState {
        *self.recording.end()
    }

    fn state_at(&self, at: Cursor) -> &FootprintState {
        self.recording.state_before(at.step.saturating_add(1))
    }

    fn places_of(&self, state: &FootprintState) -> Vec<Vec3> {
        [0, 1].map(|side| self.frame.input.feet[side].position + state.legs[side].offset).into()
    }
}

/// Returns the unevenness of a landing; NaN if none was measured, or if ground is missing there.
fn known(uneven: Option<f32>) -> f32 {
    uneven.filter(|&uneven| uneven < NO_GROUND).unwrap_or(f32::NAN)
}

fn uneven_text(uneven: f32, length: &dyn Fn(f32) -> String) -> String {
    if uneven < NO_GROUND { format!("unevenness {}", length(uneven)) } else { "no ground".to_owned() }
}

fn tint(side: Side) -> Tint {
    Tint::Node(side.foot())
}

impl Run for FootprintRun {
    fn steps(&self) -> usize {
        self.recording.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let side = self.recording.steps[step].step;
        let name = format!("footprint, {}", side.foot_label());
        StepView {
            iteration: None,
            key: ["footprint_left", "footprint_right"][side as usize],
            short: name.clone(),
            name,
            sentence: "Looks at the ground where the foot will land. Shifts the landing to the nearest even ground, or \
                       else to the least uneven, and keeps the shift while its ground is even.",
            is_end: step + 1 == self.steps(),
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(chosen) = self.recording.events_of(step).get(event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let [before, after] = chosen.uneven.map(|uneven| uneven_text(uneven, length));
        let text = format!("shifted by {}: {before} before, {after} after", length(chosen.shift));
        EventView { tint: tint(chosen.side), size: chosen.shift.abs(), text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "landings"
    }

    fn moves_bones(&self) -> bool {
        false
    }

    fn moves_by_steps(&self) -> bool {
        true
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(recorded) = self.recording.steps.get(step) else { return CauseView::default() };
        let label = format!("footprint, {}", recorded.step.foot_label());
        CauseView { label, chain: "footprints".to_owned(), tint: tint(recorded.step) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        const MEANING: &str = "Shift of the foot in this frame, in metres.";
        let chosen = self.recording.events_of(step).get(event)?;
        let footprint = self.frame.footprints[chosen.side as usize]?;
        let before = self.recording.state_before(step).legs[chosen.side as usize].offset;
        let after = self.recording.steps.get(step)?.state.legs[chosen.side as usize].offset;
        let mut sheet = Sheet::default();
        let title = self.step(step).name;
        if !self.frame.continues(&self.recording.start) {
            let meaning = format!(
                "Shift of the foot in this frame, in metres; 0 because the footprints start anew: in the first frame, \
                 after a jump, or in a frame longer than {LONGEST_FRAME} s."
            );
            return Some(sheet.end_with(title, "offset", zero(), meaning));
        }
        let offset = sheet.given("offset₀", before, "Shift of the foot in the previous frame, in metres.");
        if after == before {
            return Some(sheet.end_with(title, "offset", offset, MEANING));
        }
        let aim = chosen.landing[1] - chosen.landing[0];
        let shift = sheet.given("shift", aim, "Vector from the animated landing to the chosen one, in metres.");
        let dt = sheet.given("dt", self.frame.input.dt, "Duration of the frame, in seconds.");
        let time = sheet.given("time", footprint.time.max(0.0), "Time until landing, in seconds.");
        let share = sheet.define("f", dt / (time + dt), "Fraction of the remaining shift made in this frame.");
        Some(sheet.end_with(title, "offset", offset.term() + (shift - offset) * share, MEANING))
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let state = self.state_at(Cursor { step, within: None });
        let line = |side: Side| {
            let leg = &state.legs[side as usize];
            let when = match self.frame.footprints[side as usize] {
                Some(footprint) => format!("lands in {:.2} s", footprint.time),
                None if self.frame.planted[side as usize] > PLANTED => "stands".to_owned(),
                None => "path unknown".to_owned(),
            };
            let mut numbers = format!("{when}, shift {:+.3} m", leg.shift);
            if let Some(uneven) = leg.uneven {
                let uneven = uneven_text(uneven, &|uneven| format!("{uneven:.3} m"));
                numbers += &format!(", {uneven}");
            }
            Numbers { tint: tint(side), what: side.foot_label().to_owned(), numbers }
        };
        Side::ALL.map(line).into()
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, what: &str, family, side| MeasureView {
            key: key.to_owned(),
            label: what.to_owned(),
            unit: Unit::Length,
            family,
            tint: tint(side),
            is_error: false,
        };
        vec![
            measure("left_foot_moved", "left step shift", "step shift", Side::Left),
            measure("right_foot_moved", "right step shift", "step shift", Side::Right),
            measure("left_foot_uneven", "unevenness, left foot", "unevenness at landing", Side::Left),
            measure("right_foot_uneven", "unevenness, right foot", "unevenness at landing", Side::Right),
            measure("left_foot_uneven_before", "unevenness, left, animated", "unevenness at landing", Side::Left),
            measure("right_foot_uneven_before", "unevenness, right, animated", "unevenness at landing", Side::Right),
        ]
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let legs = &self.state_at(at).legs;
        match measure {
            MOVED..UNEVEN => legs[measure - MOVED].offset.length(),
            UNEVEN..BEFORE => known(legs[measure - UNEVEN].uneven),
            _ => legs.get(measure - BEFORE).map_or(f32::NAN, |leg| known(leg.uneven_before)),
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(MOVED)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |side: Side| PointView {
            key: side.foot().key().to_owned(),
            label: side.foot_label().to_owned(),
            tint: tint(side),
            bone: None,
        };
        Side::ALL.map(point).into()
    }

    fn texts(&self) -> Option<u64> {
        let steps: Vec<Side> = self.recording.steps.iter().map(|recorded| recorded.step).collect();
        hash_of_texts("footprints", steps)
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.places_of(self.state_at(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.places_of(&self.recording.start)
    }

    fn pose(&self, _: Cursor, _: &mut [RigidTransform]) {}

    fn draw(&self, _: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.goals {
            return;
        }
        for chosen in &self.recording.events {
            let side = chosen.side;
            let Some(footprint) = self.frame.footprints[side as usize] else { continue };
            let (forward, [heel, toe]) = self.frame.along(side, &footprint.foot);
            let up = self.frame.input.root.up;
            let geometry = self.frame.input.feet[side as usize].geometry;
            let across = forward.cross(up) * ((heel + toe) * 0.18);
            let sole = chosen.landing[1] - up * (geometry.ankle_height - 0.01);
            let corners = [-heel, -heel, toe, toe].map(|by| sole + forward * by);
            let corners = [corners[0] + across, corners[1] - across, corners[2] - across, corners[3] + across];
            for (index, &corner) in corners.iter().enumerate() {
                out.line(corner, corners[(index + 1) % 4], Subject::PredictedFoot(side));
            }
            if chosen.shift != 0.0 {
                let from = chosen.landing[0] - up * (geometry.ankle_height - 0.01);
                out.arrow(from, sole, Subject::PredictedFoot(side));
            }
        }
    }
}
