//! A recorded grounding as a [`Run`].

use glam::Vec3;

use super::draw::{draw_events, draw_output};
use super::event::{Cast, Event, Purpose, Shape};
use super::output::Output;
use super::recording::{Recording, Solver, SolverStep};
use super::settings::Quality;
use super::{explain, foot_ik, predictive};
use crate::debug_draw::DebugDraw;
use crate::full_body::Node;
use crate::key::label;
use crate::names::Side;
use crate::notation::Sheet;
use crate::rig::RigidTransform;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit, hash_of_texts,
};

/// Run of the grounding of a frame. It moves no bone; later layers use its output.
#[derive(Clone, Debug)]
pub struct GroundRun {
    /// Recording of the frame.
    pub recording: Recording,
    /// Whether the frame reused the hits of the last casts: see [`held`](super::held).
    pub holds_casts: bool,
}

const NO_CAST: &str = "No cast in this frame: the last hits are reused until casts are due.";

const REMAINING: usize = 0;
const OFFSETS: usize = 1;
const PELVIS: usize = 3;
const WEIGHTS: usize = 4;

const WEIGHT: &str = "weight of each foot";

impl GroundRun {
    /// Returns the output as if the frame had ended after the step of `at`; the final output if there is no such step.
    pub fn output(&self, at: Cursor) -> Output {
        self.recording.output_at(at.step)
    }

    fn event_of(&self, step: usize, event: usize) -> Option<&Event> {
        self.recording.solve.events_of(step).get(event)
    }

    /// Returns the place of a cast: at quality `fastest`, the only cast of a foot is at its predicted position.
    fn place_of(&self, purpose: Purpose) -> &'static str {
        let is_fastest = matches!(self.recording.solver, Solver::Predictive(own) if own.quality == Quality::Fastest);
        if is_fastest && purpose == Purpose::Heel { "at its predicted position" } else { purpose.label() }
    }
}

fn places_of(output: &Output, root: Vec3) -> [Vec3; 3] {
    [output.legs[0].ik_position, output.legs[1].ik_position, root + output.pelvis]
}

fn tint(side: Option<Side>) -> Tint {
    Tint::Node(side.map_or(Node::Body, Side::foot))
}

impl Event {
    /// Returns the foot; `None` for the root.
    pub fn side(&self) -> Option<Side> {
        match self {
            Self::Cast(cast) => cast.side,
            Self::Predicted { side, .. } => Some(*side),
        }
    }

    /// Returns the distance that a cast covers to its hit, or its full length without a hit; for a prediction, the
    /// distance from the current to the predicted place. Metres.
    pub fn distance(&self) -> f32 {
        match self {
            Self::Cast(Cast { from, to, hit, .. }) => hit.map_or(from.distance(*to), |hit| hit.distance),
            Self::Predicted { from, to, .. } => from.distance(*to),
        }
    }
}

impl Purpose {
    const fn label(self) -> &'static str {
        match self {
            Self::Root => "ground below the character",
            Self::Heel => "at the foot",
            Self::Front => "on its predicted path",
            Self::Side => "beside the foot",
            Self::SoleHeel => "under the turned heel",
            Self::SoleMiddle => "under the turned sole",
            Self::SoleToe => "under the turned toes",
        }
    }
}

fn event_text(
    event: &Event,
    holds_casts: bool,
    place_of: impl Fn(Purpose) -> &'static str,
    length: &dyn Fn(f32) -> String,
) -> String {
    let side = event.side().map_or(String::new(), |side| format!("{}, ", side.foot_label()));
    let cast = match event {
        Event::Predicted { from, to, .. } => {
            return format!("{side}predicted {} ahead", length(from.distance(*to)));
        }
        Event::Cast(cast) => cast,
    };
    let slope = |normal: Vec3| normal.y.clamp(-1.0, 1.0).acos().to_degrees();
    if holds_casts {
        let found = match cast.hit {
            None => "the last cast hit nothing".to_owned(),
            Some(hit) if hit.distance <= 0.0 => "the last cast began inside the ground".to_owned(),
            Some(hit) => {
                format!("the last cast hit at height {}, slope {:.0}°", length(hit.point.y), slope(hit.normal))
            }
        };
        return format!("{side}{}: no cast in this frame, {found}", place_of(cast.purpose));
    }
    let shape = match cast.shape {
        Shape::Ray => "ray".to_owned(),
        Shape::Sphere { radius } => format!("sphere, radius {}", length(radius)),
        Shape::Capsule { along, radius } => {
            format!("capsule, radius {}, {} between centres", length(radius), length(along.length()))
        }
    };
    let found = match cast.hit {
        None => format!("nothing within {}", length(cast.from.distance(cast.to))),
        Some(hit) if hit.distance <= 0.0 => "began inside the ground".to_owned(),
        Some(hit) => {
            let slope = slope(hit.normal);
            format!("hit after {}, at height {}, slope {slope:.0}°", length(hit.distance), length(hit.point.y))
        }
    };
    format!("{side}{}: {shape}, {found}", place_of(cast.purpose))
}

fn casts(step: SolverStep) -> bool {
    match step {
        SolverStep::FootIk(step) => step.stage == foot_ik::Stage::Cast,
        SolverStep::Predictive(step) => matches!(step.stage, predictive::Stage::Cast | predictive::Stage::RootCheck),
    }
}

/// Reduces a cast of an earlier frame to its hit, without a path. A cast without a hit gets NaN ends and is not drawn.
fn where_it_hit(event: &Event) -> Event {
    match *event {
        Event::Cast(cast) => {
            let at = cast.hit.map_or(Vec3::NAN, |hit| hit.point);
            Event::Cast(Cast { shape: Shape::Ray, from: at, to: at, ..cast })
        }
        predicted @ Event::Predicted { .. } => predicted,
    }
}

impl Run for GroundRun {
    fn steps(&self) -> usize {
        self.recording.solve.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let recorded = self.recording.solve.steps[step].step;
        let side = recorded.side().map_or("", |side| [" left", " right"][side as usize]);
        StepView {
            iteration: None,
            key: recorded.key(),
            name: format!("{}{side}", label(recorded.key())),
            short: label(recorded.key()),
            sentence: if self.holds_casts && casts(recorded) { NO_CAST } else { recorded.sentence() },
            is_end: step + 1 == self.steps(),
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.solve.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(event) = self.event_of(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        EventView {
            tint: tint(event.side()),
            size: event.distance(),
            text: event_text(event, self.holds_casts, |purpose| self.place_of(purpose), length),
        }
    }

    fn events_name(&self, step: usize) -> &'static str {
        match self.recording.solve.events_of(step).first() {
            Some(Event::Predicted { .. }) => "predictions",
            Some(Event::Cast(_)) | None => "casts",
        }
    }

    fn moves_bones(&self) -> bool {
        false
    }

    fn moves_by_steps(&self) -> bool {
        true
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(recorded) = self.recording.solve.steps.get(step) else { return CauseView::default() };
        let (key, side) = (label(recorded.step.key()), recorded.step.side());
        CauseView {
            label: side.map_or(key.clone(), |side| format!("{key}, {}", side.foot_label())),
            chain: side.map_or("pelvis", Side::foot_label).to_owned(),
            tint: tint(side),
        }
    }

    fn formula(&self, step: usize, _event: usize) -> Option<Sheet> {
        // A reused hit has no cast to explain.
        let held = self.recording.solve.steps.get(step).is_some_and(|step| self.holds_casts && casts(step.step));
        if held { None } else { explain::formula(&self.recording, step) }
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let output = self.recording.output_at(step);
        let legs = Side::ALL.map(|side| {
            let leg = &output.legs[side as usize];
            let grounded = if leg.grounded { "grounded" } else { "no ground" };
            let numbers = format!("{grounded}, offset {:+.4} m, weight {:.2}", leg.offset, leg.weight);
            Numbers { tint: tint(Some(side)), what: side.foot_label().to_owned(), numbers }
        });
        let limited = if output.pelvis_limited { ", lowered for a leg to reach" } else { "" };
        let numbers = format!("offset {:+.4} m{limited}", output.pelvis_height);
        let pelvis = Numbers { tint: tint(None), what: "pelvis".to_owned(), numbers };
        legs.into_iter().chain([pelvis]).collect()
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, what: &str, family, side, is_error| MeasureView {
            key: key.to_owned(),
            label: what.to_owned(),
            unit: if family == WEIGHT { Unit::Fraction } else { Unit::Length },
            family,
            tint: tint(side),
            is_error,
        };
        vec![
            measure("to_go", "remaining, grounding", "remaining", None, true),
            measure("left_foot_offset", "left foot ground offset", "ground offset", Some(Side::Left), false),
            measure("right_foot_offset", "right foot ground offset", "ground offset", Some(Side::Right), false),
            measure("pelvis_offset", "pelvis offset", "ground offset", None, false),
            measure("left_foot_weight", "left foot weight", WEIGHT, Some(Side::Left), false),
            measure("right_foot_weight", "right foot weight", WEIGHT, Some(Side::Right), false),
        ]
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let output = self.output(at);
        match measure {
            REMAINING => {
                let [here, end] = [&output, &self.recording.output].map(|output| places_of(output, Vec3::ZERO));
                here.into_iter().zip(end).map(|(here, end)| here.distance(end)).sum()
            }
            OFFSETS..PELVIS => output.legs[measure - OFFSETS].offset,
            PELVIS => output.pelvis_height,
            WEIGHTS.. => output.legs.get(measure - WEIGHTS).map_or(0.0, |leg| leg.weight),
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(REMAINING)
    }

    fn points(&self) -> Vec<PointView> {
        let point =
            |key: &str, side| PointView { key: key.to_owned(), label: label(key), tint: tint(side), bone: None };
        vec![point("left_foot", Some(Side::Left)), point("right_foot", Some(Side::Right)), point("pelvis", None)]
    }

    fn texts(&self) -> Option<u64> {
        let steps: Vec<SolverStep> = self.recording.solve.steps.iter().map(|recorded| recorded.step).collect();
        hash_of_texts("grounding", (steps, self.holds_casts))
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        places_of(&self.output(at), self.recording.input.root.position).into()
    }

    fn start(&self) -> Vec<Vec3> {
        let start = self.recording.output_of(&self.recording.solve.start);
        places_of(&start, self.recording.input.root.position).into()
    }

    fn pose(&self, _: Cursor, _: &mut [RigidTransform]) {}

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let recording = &self.recording;
        if shown.casts {
            let step = recording.solve.steps.get(at.step);
            let [from, to] = step.map_or([0; 2], |step| [step.events_from, step.events_to].map(|index| index as usize));
            let current = match at.within {
                Some(within) => (from + within).min(to)..(from + within + 1).min(to),
                None => from..to,
            };
            // Casts go through the feet, so they are faint; with `shown.moved`, those of the current instant are not.
            out.faint(true);
            let held: Vec<Event>;
            let all = match self.holds_casts {
                true => {
                    held = recording.solve.events.iter().map(where_it_hit).collect();
                    &held
                }
                false => &recording.solve.events,
            };
            draw_events(if shown.moved { &all[..current.start] } else { all }, out);
            out.faint(false);
            if shown.moved {
                draw_events(&all[current], out);
            }
        }
        if shown.goals {
            draw_output(&recording.input, &self.output(at), out);
        }
    }
}
