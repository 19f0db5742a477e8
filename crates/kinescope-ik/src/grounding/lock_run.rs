//! A recorded foot lock as a [`Run`].

use glam::Vec3;

use super::input::LONGEST_FRAME;
use super::lock::{FARTHEST, LockEvent, LockFrame, LockSolve, LockState, LockStep, POINTS, stood};
use super::output::Output;
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::Node;
use crate::key::label;
use crate::names::Side;
use crate::notation::{Expression, Named, Point, Sheet, Term, exp, shorten, twice, zero};
use crate::rig::RigidTransform;
use crate::stepped;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit, hash_of_texts,
};

/// Run of the foot lock of a frame. It moves no bone; later layers use its output.
#[derive(Clone, Debug)]
pub struct LockRun {
    /// Input of the frame.
    pub frame: LockFrame,
    /// Recording of the frame.
    pub recording: stepped::Recording<LockStep, LockState, LockEvent>,
}

/// Part of an offset along up below which formulas leave out its projection; metres.
const OFF_PLANE: f32 = 1e-6;
const REMAINING: usize = 0;
const HELD: usize = 1;
const LOWERED: usize = 3;

impl LockRun {
    /// Solves and records a frame from the state of the last one.
    pub fn record(frame: LockFrame, start: &LockState) -> Self {
        let mut recording = stepped::Recording::default();
        recording.record(&mut LockSolve::new(&frame, start), &mut start.clone());
        Self { frame, recording }
    }

    /// Returns the state for the next frame.
    pub fn state(&self) -> LockState {
        *self.recording.end()
    }

    /// Returns the output as if the frame had ended after the step of `at`.
    pub fn output(&self, at: Cursor) -> Output {
        self.frame.output(self.state_at(at))
    }

    fn state_at(&self, at: Cursor) -> &LockState {
        self.recording.state_before(at.step.saturating_add(1))
    }

    fn event_of(&self, step: usize, event: usize) -> Option<&LockEvent> {
        self.recording.events_of(step).get(event)
    }

    fn places_of(&self, state: &LockState) -> Vec<Vec3> {
        let root = self.frame.root().position;
        let pelvis = root + self.frame.output(state).pelvis;
        let feet = [0, 1].map(|side| self.goal(side) + self.held(side, state));
        let places = feet.into_iter().chain([pelvis]);
        places.map(|place| if place.is_finite() { place } else { root }).collect()
    }

    fn goal(&self, side: usize) -> Vec3 {
        let (goal, animated) = (self.frame.feet[side].goal.position, self.frame.input.feet[side].position);
        let places = [goal, animated].into_iter().find(|place| place.is_finite());
        places.unwrap_or(self.frame.root().position)
    }

    /// Projects an offset onto the plane orthogonal to up, and limits its length, if either changes it.
    fn limited(&self, sheet: &mut Sheet, held: Term<Vec3>, up: Option<Named<Vec3>>) -> Term<Vec3> {
        let (frame, mut held) = (&self.frame, held);
        if held.get().dot(frame.root().up).abs() > OFF_PLANE {
            let up = up.unwrap_or_else(|| sheet.given("up", frame.root().up, "Up direction of the root; unit."));
            let whole = sheet.define("hold₁", held, "Held offset before its part along up is removed, in metres.");
            held = flat_part(whole.term(), up);
        }
        if held.get().length() <= FARTHEST * frame.settings.distance {
            return held;
        }
        let meaning = "Distance at which the lock lets go of a foot, in metres (grounding.lock.distance).";
        let distance = sheet.given("distance", frame.settings.distance, meaning);
        shorten(held, twice(distance))
    }

    fn held(&self, side: usize, state: &LockState) -> Vec3 {
        let held = self.frame.held(&state.legs[side]);
        if held.is_finite() { held } else { Vec3::ZERO }
    }
}

fn tint(step: LockStep) -> Tint {
    Tint::Node(match step {
        LockStep::Hold(Side::Left) => Node::LeftFoot,
        LockStep::Hold(Side::Right) => Node::RightFoot,
        LockStep::Pelvis => Node::Body,
    })
}

impl Run for LockRun {
    fn steps(&self) -> usize {
        self.recording.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let own = self.recording.steps[step].step;
        let name = label(own.key());
        let is_end = step + 1 == self.steps();
        StepView { iteration: None, key: own.key(), short: name.clone(), name, sentence: own.sentence(), is_end }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let (size, text) = match self.event_of(step, event) {
            Some(LockEvent::Held { point: Some(point), from, to, .. }) => {
                let distance = from.distance(*to);
                (
                    distance,
                    format!(
                        "{} stands: offset changed by {} to {}",
                        POINTS[*point],
                        length(distance),
                        length(to.length())
                    ),
                )
            }
            Some(LockEvent::Held { from, to, .. }) => (
                from.distance(*to),
                format!("returns to its goal: {} of {} left", length(to.length()), length(from.length())),
            ),
            Some(LockEvent::Lowered(by)) => (by.abs(), format!("lowered by {}", length(-by))),
            None => (0.0, String::new()),
        };
        EventView { tint: self.recording.steps.get(step).map_or(Tint::Own, |own| tint(own.step)), size, text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "changes"
    }

    fn moves_bones(&self) -> bool {
        false
    }

    fn moves_by_steps(&self) -> bool {
        true
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(recorded) = self.recording.steps.get(step) else { return CauseView::default() };
        let what = label(recorded.step.key());
        CauseView { label: what, chain: "foot lock".to_owned(), tint: tint(recorded.step) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        const MEANING: &str = "Held offset of the foot from the grounder's goal, in metres.";
        let (before, frame) = (self.recording.state_before(step), &self.frame);
        let mut sheet = Sheet::default();
        let title = self.step(step).name;
        match *self.event_of(step, event)? {
            LockEvent::Held { side, .. }
                if !frame.continues(&self.recording.start) || !frame.feet[side as usize].is_sane() =>
            {
                let meaning = format!(
                    "Held offset of the foot from the grounder's goal, in metres; 0 because the lock starts anew: after \
                     a jump, a frame longer than {LONGEST_FRAME} s, or an input that is not finite."
                );
                Some(sheet.end_with(title, "hold", zero(), meaning))
            }
            LockEvent::Held { side, point, from, .. } => {
                let held = sheet.given("hold₀", from, "Held offset of the foot in the previous frame, in metres.");
                let (foot, leg) = (&frame.feet[side as usize], &before.legs[side as usize]);
                let (part, first) = stood(leg.planted, foot);
                let part = if point.is_some() { part } else { 0.0 };
                let meaning = "Fraction of the frame in which the lock holds the foot, 0 to 1.";
                let part = sheet.given("stood", part, meaning);
                let ease = |sheet: &mut Sheet, held: Term<Vec3>| {
                    if part.get() >= 1.0 {
                        return held;
                    }
                    let dt = sheet.given("dt", frame.input.dt, "Duration of the frame, in seconds.");
                    let ease = frame.settings.ease;
                    let meaning = "Time that a foot takes to return to its goal, in seconds (grounding.lock.ease).";
                    let ease = sheet.given("ease", ease, meaning);
                    let left = if ease.get() > 0.0 { exp(-4.0 * (1.0 - part) * dt / ease) } else { 0.0.term() };
                    held * left
                };
                let Some(point) = point else {
                    let eased = ease(&mut sheet, held.term());
                    let eased = self.limited(&mut sheet, eased, None);
                    return Some(sheet.end_with(title, "hold", eased, MEANING));
                };
                let up = sheet.given("up", frame.root().up, "Up direction of the root; unit.");
                let name = POINTS[point];
                let now = sheet.given(
                    "P",
                    Point(foot.points[point]),
                    format!("The foot's {name} at the grounder's goal, in metres."),
                );
                let was =
                    sheet.given("P₀", Point(leg.points[point]), "The foot's point P in the previous frame, in metres.");
                let carried = sheet.given("m", foot.carried, "Motion of the ground under the foot, in metres.");
                let slide = sheet.define(
                    "Δ",
                    flat_part(now - was - carried, up),
                    "Sliding of the point P over the ground, in metres.",
                );
                let meaning = "Fraction of the sliding that is cancelled, 0 to 1 (grounding.lock.weight).";
                let weight = sheet.given("weight", frame.settings.weight, meaning);
                let taken = sheet.define("Δ′", slide * part * weight, "Cancelled sliding, in metres.");
                let held = match first {
                    true => ease(&mut sheet, held - taken),
                    false => ease(&mut sheet, held.term()) - taken,
                };
                let held = self.limited(&mut sheet, held, Some(up));
                Some(sheet.end_with(title, "hold", held, MEANING))
            }
            LockEvent::Lowered(by) => {
                let by = sheet.given("y", by, "Additional offset of the pelvis that a leg needs, in metres.");
                let meaning = "Additional offset of the pelvis, in metres.";
                Some(sheet.end_with(title, "lowered", by, meaning))
            }
        }
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let state = self.state_at(Cursor { step, within: None });
        let legs = Side::ALL.map(|side| {
            let leg = &state.legs[side as usize];
            let how = match (leg.stands(), leg.let_go) {
                (true, false) => "stands",
                (true, true) => "let go",
                (false, _) => "lifted",
            };
            let numbers = format!("{how}, offset {:.4} m, held {:.2} s since landing", leg.held.length(), leg.time);
            let what = side.foot_label().to_owned();
            Numbers { tint: tint(LockStep::Hold(side)), what, numbers }
        });
        legs.into()
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, what: &str, family, step, is_error| MeasureView {
            key: key.to_owned(),
            label: what.to_owned(),
            unit: Unit::Length,
            family,
            tint: tint(step),
            is_error,
        };
        vec![
            measure("to_go", "remaining, foot lock", "remaining", LockStep::Pelvis, true),
            measure("left_foot_held", "left foot held", "foot lock offset", LockStep::Hold(Side::Left), false),
            measure("right_foot_held", "right foot held", "foot lock offset", LockStep::Hold(Side::Right), false),
            measure("pelvis_lowered", "pelvis offset, foot lock", "foot lock offset", LockStep::Pelvis, false),
        ]
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let state = self.state_at(at);
        match measure {
            REMAINING => {
                let (here, end) = (self.places_of(state), self.places_of(self.recording.end()));
                here.into_iter().zip(end).map(|(here, end)| here.distance(end)).sum()
            }
            HELD..LOWERED => self.held(measure - HELD, state).length(),
            _ => state.lowered,
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(REMAINING)
    }

    fn points(&self) -> Vec<PointView> {
        let point =
            |key: &str, step| PointView { key: key.to_owned(), label: label(key), tint: tint(step), bone: None };
        vec![
            point("left_foot", LockStep::Hold(Side::Left)),
            point("right_foot", LockStep::Hold(Side::Right)),
            point("pelvis", LockStep::Pelvis),
        ]
    }

    fn texts(&self) -> Option<u64> {
        let steps: Vec<LockStep> = self.recording.steps.iter().map(|recorded| recorded.step).collect();
        hash_of_texts("foot lock", steps)
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.places_of(self.state_at(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.places_of(&self.recording.start)
    }

    fn pose(&self, _: Cursor, _: &mut [RigidTransform]) {}

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.goals {
            return;
        }
        let state = self.state_at(at);
        for side in Side::ALL {
            let (foot, leg) = (&self.frame.feet[side as usize], &state.legs[side as usize]);
            let (goal, held) = (self.goal(side as usize), self.held(side as usize, state));
            if held != Vec3::ZERO {
                out.line(goal, goal + held, Subject::FootOffset(side));
            }
            if leg.stands() && !leg.let_go && foot.points.iter().all(|point| point.is_finite()) {
                let sole = foot.points.map(|point| point + held);
                for pair in sole.windows(2) {
                    out.line(pair[0], pair[1], Subject::FootGoal { side, weight: 1.0 });
                }
            }
        }
    }
}

fn flat_part(v: Term<Vec3>, up: Named<Vec3>) -> Term<Vec3> {
    v.clone() - up * (v * up)
}
