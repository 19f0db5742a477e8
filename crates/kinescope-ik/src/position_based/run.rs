//! A recorded solve as a [`Run`].

use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::body::PositionBased;
use super::constraint::Constraint;
use super::limit::back;
use super::moves::Move;
use super::position::{distance, worst};
use super::recording::Recording;
use super::settings::PositionBasedSettings;
use super::state::State;
use super::{draw, explain};
use crate::debug_draw::DebugDraw;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::{BodySolver, JointIndex, Joints, Placement};
use crate::key::label;
use crate::names::{Effector, Node};
use crate::notation::Sheet;
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, Numbers, PointView, Rod, Run, Shown, StepView, Tint,
    Unit,
};

/// Run of the position-based solver in one frame.
#[derive(Clone, Debug)]
pub struct PositionBasedRun {
    /// Recording of the solve.
    pub recording: Recording,
    /// The recording with every move, computed on first use.
    recalled: OnceLock<Box<Recording>>,
}

/// Indices of the measures; the distances of the effectors follow from [`DISTANCES`] on.
const ERROR: usize = 0;
const LIMIT: usize = 1;
const DISTANCES: usize = 2;

/// Returns the label of an effector. The layer is part of it, because the full body has targets of the same names.
fn own_label(effector: Effector) -> String {
    format!("position-based {}", label(effector.key()))
}

impl PositionBasedRun {
    /// Creates the run of a recording.
    pub fn new(recording: Recording) -> Self {
        Self { recording, recalled: OnceLock::new() }
    }

    /// Returns the recording with every move.
    pub fn recalled(&self) -> &Recording {
        self.recalled.get_or_init(|| {
            let mut recording = Box::new(self.recording.clone());
            recording.recall();
            recording
        })
    }

    /// Returns the state at an instant; the final state for an instant after the end.
    pub fn state(&self, at: Cursor) -> State {
        let state = match at.within {
            Some(within) => self.recalled().state_within(at.step, within + 1),
            None => self.recording.solve.steps.get(at.step).map(|step| step.state),
        };
        state.unwrap_or(*self.recording.solve.end())
    }

    /// Returns the positions and rotations of the joints in a state.
    pub fn place(&self, state: &State) -> Placement {
        self.joints().place(&state.pose(&self.recording.frame.animated))
    }

    fn joints(&self) -> &Arc<Joints> {
        self.recording.solver.joints()
    }

    /// Returns the move of an event; `None` if there is no such event.
    pub fn moved(&self, step: usize, event: usize) -> Option<&Move> {
        self.recalled().solve.events_of(step).get(event)
    }

    fn constraint(&self, step: usize) -> Option<Constraint> {
        self.recording.solve.steps.get(step).map(|recorded| recorded.step.constraint)
    }

    fn positions(&self, state: &State) -> Vec<Vec3> {
        self.place(state).positions[..self.joints().len()].to_vec()
    }

    /// Returns the largest angle by which a moved joint exceeds its limit, less that of the animated pose; radians.
    fn excess(&self, state: &State) -> f32 {
        let recording = &self.recording;
        let each = (0..self.joints().len()).filter_map(|joint| {
            let back = back(&recording.solver, &recording.frame, joint, state.rotations[joint])?;
            recording.frame.is_moved[joint].then_some(back.turn)
        });
        each.fold(0.0, f32::max)
    }

    fn tint(&self, joint: JointIndex) -> Tint {
        let limb = LimbName::ALL.into_iter().find(|&limb| self.joints().limb(limb).contains(&joint));
        Tint::Node(limb.map_or(Node::Body, |limb| Node::of_limb(limb)[0]))
    }
}

impl BodySolver for PositionBasedRun {
    type Settings = PositionBasedSettings;
    type Memory = ();

    fn record(
        joints: Arc<Joints>,
        settings: &PositionBasedSettings,
        targets: &Settings,
        (): &mut (),
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault> {
        Recording::record(PositionBased::new(joints), settings, targets, pose).map(Self::new)
    }
}

impl Run for PositionBasedRun {
    fn steps(&self) -> usize {
        self.recording.solve.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let steps = &self.recording.solve.steps;
        let recorded = steps[step].step;
        StepView {
            iteration: Some(recorded.substep),
            key: recorded.constraint.key(),
            name: recorded.constraint.label(),
            short: recorded.constraint.short(),
            sentence: recorded.constraint.sentence(),
            is_end: steps.get(step + 1).is_none_or(|next| next.step.substep != recorded.substep),
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recalled().solve.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(moved) = self.moved(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let mut parts = Vec::new();
        if moved.shift != Vec3::ZERO {
            parts.push(format!("moves {}", length(moved.shift.length())));
        }
        if moved.turn != Vec3::ZERO {
            parts.push(format!("turns {:.2}°", moved.angle().to_degrees()));
        }
        let text =
            format!("{} {}: {}", self.joints().label(moved.joint), parts.join(" and "), moved.constraint.label());
        let size = moved.shift.length() + 0.5 * moved.angle();
        EventView { tint: moved.constraint.tint(), size, text }
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let Some(moved) = self.moved(step, event) else { return self.cause_of_step(step) };
        let constraint = moved.constraint;
        CauseView { label: constraint.label(), chain: constraint.part(), tint: constraint.tint() }
    }

    fn cause_of_step(&self, step: usize) -> CauseView {
        self.constraint(step).map_or_else(CauseView::default, |constraint| CauseView {
            label: constraint.label(),
            chain: constraint.part(),
            tint: constraint.tint(),
        })
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        explain::formula(self.recalled(), step, event)
    }

    fn numbers(&self, step: usize, length: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(constraint) = self.constraint(step) else { return Vec::new() };
        let [before, after] = [self.recording.solve.state_before(step), self.recording.solve.state_before(step + 1)];
        let line = |what: &str, numbers: String| Numbers { tint: constraint.tint(), what: what.to_owned(), numbers };
        match constraint {
            Constraint::Position(effector) => {
                let [from, to] = [before, after]
                    .map(|state| distance(&self.recording.solver, &self.recording.frame, state, effector));
                let multiplier = after.positions[effector as usize].length();
                vec![
                    line("distance", format!("{} before, {} after", length(from), length(to))),
                    line("multiplier, for a body mass of 1", length(multiplier)),
                ]
            }
            Constraint::Limits => {
                let [from, to] = [before, after].map(|state| self.excess(state).to_degrees());
                vec![line("largest excess", format!("{from:.2}° before, {to:.2}° after"))]
            }
            Constraint::Rest
            | Constraint::Length(_)
            | Constraint::Rotation(_)
            | Constraint::Bend(_)
            | Constraint::SecondStart
            | Constraint::FirstResult => Vec::new(),
        }
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: String, label: String, unit, family, tint, is_error| MeasureView {
            key,
            label,
            unit,
            family,
            tint,
            is_error,
        };
        let own = [
            measure("error".to_owned(), "position-based error".to_owned(), Unit::Length, "error", Tint::Own, true),
            measure(
                "limit_excess".to_owned(),
                "largest limit excess".to_owned(),
                Unit::Angle,
                "limits",
                Tint::Limit,
                false,
            ),
        ];
        let distance = |effector: Effector| {
            let (key, tint) = (effector.key(), Tint::Node(effector.node()));
            measure(
                format!("{key}_distance"),
                format!("{} distance", own_label(effector)),
                Unit::Length,
                "distance to the target",
                tint,
                true,
            )
        };
        own.into_iter().chain(Effector::ALL.map(distance)).collect()
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let (solver, frame) = (&self.recording.solver, &self.recording.frame);
        let state = self.state(at);
        match measure {
            ERROR => worst(solver, frame, &state),
            LIMIT => self.excess(&state),
            _ => match Effector::ALL.get(measure - DISTANCES) {
                Some(&effector) if frame.goals.of(effector).has_position => distance(solver, frame, &state, effector),
                _ => 0.0,
            },
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(ERROR)
    }

    fn points(&self) -> Vec<PointView> {
        self.joints().points(|joint| self.tint(joint))
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.positions(&self.state(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.positions(&self.recording.solve.start)
    }

    fn hinges(&self) -> Vec<Hinge> {
        self.joints().hinges()
    }

    fn rods(&self) -> Vec<Rod> {
        self.joints().rods(&self.recording.frame.animated.offsets)
    }

    fn goals(&self) -> Vec<GoalView> {
        let frame = &self.recording.frame;
        let goal = |effector: Effector| {
            let own = frame.goals.of(effector);
            let root = effector.node().limb().map_or(0, |limb| self.joints().limb(limb)[0]);
            own.has_position.then(|| GoalView {
                key: effector.key().to_owned(),
                label: own_label(effector),
                tint: Tint::Node(effector.node()),
                weight: own.weight.max(f32::MIN_POSITIVE),
                point: own.joint,
                root,
                bone: self.joints().all().get(own.joint).map(|joint| joint.bone),
                place: frame.aims[effector as usize],
                // The limb's root moves too, so the limb's length does not limit the distance.
                reach: f32::INFINITY,
                error: format!("{} distance", own_label(effector)),
            })
        };
        Effector::ALL.into_iter().filter_map(goal).collect()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        self.recording.solver.write(&self.recording.frame, &self.state(at), pose);
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let recording = self.recalled();
        let moves = recording.solve.events_of(at.step);
        let instant = draw::Instant {
            recording,
            state: self.state(at),
            before: at.before().map_or(recording.solve.start, |before| self.state(before)),
            moves: match at.within {
                Some(within) => moves.get(within..within + 1).unwrap_or_default(),
                None => moves,
            },
        };
        draw::draw(&instant, shown, out);
    }
}
