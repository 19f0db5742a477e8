//! A recorded solve as a [`Run`].

use std::sync::Arc;

use glam::Vec3;

use super::draw::{draw_balance, draw_body, draw_goals, draw_limits, draw_turn};
use super::explain;
use super::moves::{Cause, Turn};
use super::outcome::distance;
use super::recording::Recording;
use super::settings::LeastSquaresSettings;
use super::stage::Stage;
use super::state::{LastPose, State, TERMS};
use crate::debug_draw::DebugDraw;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::{BodySolver, JointIndex, Joints, Placement};
use crate::key::label;
use crate::math::swing_angle;
use crate::names::{Effector, Node};
use crate::notation::Sheet;
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, Numbers, PointView, Rod, Run, Shown, StepView, Tint,
    Unit,
};

/// Run of the least-squares body in a frame.
#[derive(Clone, Debug)]
pub struct LeastSquaresRun {
    /// Recording of the solve.
    pub recording: Recording,
}

/// Indices of the measures; the residuals of the terms follow, then the distances of the effectors.
const ERROR: usize = 0;
const VIOLATION: usize = 1;
const COST: usize = 2;
const RESIDUALS: usize = 3;

impl LeastSquaresRun {
    /// Returns the state at an instant; the final state for an instant after the end.
    pub fn state(&self, at: Cursor) -> State {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        self.recording.state_within(at.step, count).unwrap_or(*self.recording.solve.end())
    }

    fn placement(&self, state: &State) -> Placement {
        self.recording.joints.place(&state.pose(&self.recording.frame))
    }

    fn moved(&self, step: usize, event: usize) -> Option<&Turn> {
        self.recording.solve.events_of(step).get(event)
    }

    fn stage(&self, step: usize) -> Option<Stage> {
        self.recording.solve.steps.get(step).map(|step| step.step.stage)
    }

    fn targets(&self) -> impl Iterator<Item = Effector> + '_ {
        Effector::ALL.into_iter().filter(|&effector| self.recording.frame.goals.of(effector).has_position)
    }

    fn places_of(&self, placement: &Placement) -> Vec<Vec3> {
        placement.positions[..self.recording.joints.len()].to_vec()
    }

    fn tint(&self, joint: JointIndex) -> Tint {
        let node = LimbName::ALL.into_iter().find_map(|limb| {
            let index = self.recording.joints.limb(limb).into_iter().position(|own| own == joint)?;
            Some(Node::of_limb(limb)[index])
        });
        Tint::Node(node.unwrap_or(Node::Body))
    }
}

impl BodySolver for LeastSquaresRun {
    type Settings = LeastSquaresSettings;
    type Memory = LastPose;

    fn record(
        joints: Arc<Joints>,
        settings: &LeastSquaresSettings,
        targets: &Settings,
        last: &mut LastPose,
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault> {
        Ok(Self { recording: Recording::record(joints, settings, targets, last, pose)? })
    }
}

impl Run for LeastSquaresRun {
    fn steps(&self) -> usize {
        self.recording.solve.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let recorded = &self.recording.solve.steps[step].step;
        let stage = recorded.stage;
        StepView {
            iteration: Some(recorded.iteration),
            key: stage.key(),
            name: stage.label().to_owned(),
            short: stage.short().to_owned(),
            sentence: stage.sentence(),
            is_end: stage == Stage::Update,
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.solve.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(moved) = self.moved(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let cause = moved.cause.label();
        let tint = if moved.cause == Cause::Limits { Tint::Limit } else { self.tint(moved.joint.unwrap_or(0)) };
        match moved.joint {
            Some(_) if matches!(moved.cause, Cause::Missed(_)) => {
                let (distance, pull) = (moved.by.length(), self.recording.solve.steps[step].state.pull);
                let text = format!("{cause} by {}: pull to the animated pose times {pull:.3}", length(distance));
                EventView { tint, size: distance, text }
            }
            None => {
                let size = moved.by.length();
                EventView { tint, size, text: format!("pelvis shifts by {}: {cause}", length(size)) }
            }
            Some(joint) => {
                // The length of `by` is the angle to first order only: 0.8 rad stand for an applied rotation of 0.76 rad.
                let angle = swing_angle(moved.turn);
                let name = self.recording.joints.label(joint);
                EventView {
                    tint,
                    size: 0.5 * angle,
                    text: format!("{name} turns by {:.2}°: {cause}", angle.to_degrees()),
                }
            }
        }
    }

    fn events_name(&self, _: usize) -> &'static str {
        "turns"
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let Some(moved) = self.moved(step, event) else { return CauseView::default() };
        let joint = moved.joint.map_or_else(|| "pelvis, shift".to_owned(), |joint| self.recording.joints.label(joint));
        let tint = if moved.cause == Cause::Limits { Tint::Limit } else { self.tint(moved.joint.unwrap_or(0)) };
        CauseView { label: moved.cause.label(), chain: joint, tint }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        explain::formula(&self.recording, step, event)
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(stage) = self.stage(step) else { return Vec::new() };
        let state = self.recording.solve.steps[step].state;
        let line = |what: &str, numbers: String| vec![Numbers { tint: Tint::Own, what: what.to_owned(), numbers }];
        match Stage::TERMS.into_iter().position(|term| term == stage) {
            Some(term) => {
                let numbers = format!("{:.6}, weight {}", state.residuals[term], stage.weight(&self.recording.frame));
                line("weighted residual", numbers)
            }
            None if stage == Stage::Ease => line("pull to the animated pose", format!("{:.3}", state.pull)),
            None => line("damping", format!("{:.1e}", state.damping)),
        }
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, name: &str, unit, family, is_error| MeasureView {
            key: key.to_owned(),
            label: name.to_owned(),
            unit,
            family,
            tint: Tint::Own,
            is_error,
        };
        let own = [
            measure("error", "least squares, largest distance", Unit::Length, "error", true),
            measure("limit_violation", "least squares, limit violation", Unit::Angle, "limits", false),
            measure("cost", "least squares, sum of squares", Unit::Number, "residuals", false),
        ];
        let residual = |term: Stage| {
            let key = format!("residual_{}", term.key());
            measure(&key, &format!("least squares, {} term", term.label()), Unit::Number, "residuals", false)
        };
        let off = |effector: Effector| {
            let key = format!("{}_error", effector.key());
            MeasureView {
                tint: Tint::Node(effector.node()),
                ..measure(
                    &key,
                    &format!("least squares, {} distance", label(effector.key())),
                    Unit::Length,
                    "error",
                    true,
                )
            }
        };
        own.into_iter().chain(Stage::TERMS.map(residual)).chain(self.targets().map(off)).collect()
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let state = self.state(at);
        let frame = &self.recording.frame;
        match measure {
            ERROR => distance(frame, &self.placement(&state)),
            VIOLATION => frame.limits(&self.recording.joints).largest_violation(&state.pose(frame)).1,
            COST => state.residuals.iter().map(|residual| residual * residual).sum(),
            _ if measure < RESIDUALS + TERMS => state.residuals[measure - RESIDUALS],
            _ => self.targets().nth(measure - RESIDUALS - TERMS).map_or(0.0, |effector| {
                let goal = frame.goals.of(effector);
                self.placement(&state).of(goal.joint).position.distance(goal.aim())
            }),
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(ERROR)
    }

    fn points(&self) -> Vec<PointView> {
        self.recording.joints.points(|joint| self.tint(joint))
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.places_of(&self.placement(&self.state(at)))
    }

    fn start(&self) -> Vec<Vec3> {
        self.places_of(&self.placement(&self.recording.solve.start))
    }

    fn hinges(&self) -> Vec<Hinge> {
        self.recording.joints.hinges()
    }

    fn rods(&self) -> Vec<Rod> {
        self.recording.joints.rods(&self.recording.frame.animated.offsets)
    }

    fn goals(&self) -> Vec<GoalView> {
        let goal = |effector: Effector| {
            let goal = self.recording.frame.goals.of(effector);
            let root = effector.node().limb().map_or(goal.joint, |limb| self.recording.joints.limb(limb)[0]);
            GoalView {
                key: effector.key().to_owned(),
                label: format!("least squares, {} distance", label(effector.key())),
                tint: Tint::Node(effector.node()),
                weight: if goal.weight > 0.0 { goal.weight } else { 1.0 },
                point: goal.joint,
                root,
                bone: Some(self.recording.joints.all()[goal.joint].bone),
                place: goal.aim(),
                // The limb's root moves too, so the limb's length does not limit the distance.
                reach: f32::INFINITY,
                error: format!("least squares, {} distance", label(effector.key())),
            }
        };
        self.targets().map(goal).collect()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        if self.steps() > 0 {
            self.recording.joints.write(&self.state(at).pose(&self.recording.frame), pose);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let recording = &self.recording;
        let state = self.state(at);
        let placement = self.placement(&state);
        draw_body(recording, &placement, false, out);
        draw_goals(recording, &placement, out);
        draw_balance(recording, &placement, out);
        if shown.before {
            let before = at.before().map_or(recording.solve.start, |before| self.state(before));
            draw_body(recording, &self.placement(&before), true, out);
        }
        if let Some(moved) = at.within.and_then(|within| self.moved(at.step, within)).filter(|_| shown.moved) {
            draw_turn(moved, out);
        }
        if shown.limits {
            draw_limits(recording, &state, &placement, out);
        }
    }
}
