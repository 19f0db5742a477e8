//! Recorded retargeting of a frame as a [`Run`].

use std::sync::Arc;

use glam::Vec3;

use super::order::Stack;
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::{Effector, Node};
use crate::grounding::Output;
use crate::grounding::lock::{LockEvent, LockState, LockStep};
use crate::key::label;
use crate::names::Side;
use crate::notation::Sheet;
use crate::retarget::{
    PoseEvent, PoseState, PoseStep, RetargetEvent, RetargetFrame, RetargetSolve, RetargetState, RetargetStep, explain,
};
use crate::rig::RigidTransform;
use crate::stepped;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit,
};

/// The recorded retargeting of a frame. The steps of posing show how the clip's pose was made; at their end the pose is
/// the one that the layer was given. The other steps set goals for later layers.
#[derive(Clone, Debug)]
pub struct RetargetRun {
    /// Input of the frame.
    pub frame: RetargetFrame,
    /// Recording of the frame.
    pub recording: stepped::Recording<RetargetStep, RetargetState, RetargetEvent>,
    start: Arc<Stack>,
}

const HANDS: [Effector; 2] = [Effector::LeftHand, Effector::RightHand];
const FEET: [Effector; 2] = [Effector::LeftFoot, Effector::RightFoot];

impl RetargetRun {
    /// Solves and records a frame. `start` is the state of the foot lock after the last frame; `stack` has the targets that
    /// the hands' goals are added to.
    pub fn record(frame: RetargetFrame, start: &LockState, stack: Arc<Stack>) -> Self {
        let mut recording = stepped::Recording::default();
        let mut state = RetargetState { lock: *start, ..RetargetState::default() };
        recording.record(&mut RetargetSolve::new(&frame, start), &mut state);
        Self { frame, recording, start: stack }
    }

    /// Returns the state of the foot lock for the next frame.
    pub fn lock(&self) -> LockState {
        self.recording.end().lock
    }

    /// Returns the goals of feet and pelvis at an instant; `None` without goals.
    pub fn output(&self, at: Cursor) -> Option<Output> {
        self.frame.output(&self.state_at(at))
    }

    /// Returns the stack with the hands' targets set so far. A hand that already has a position weight keeps its
    /// target.
    pub fn stack_at(&self, at: Cursor) -> Arc<Stack> {
        let state = self.state_at(at);
        if state.hands == [None; 2] {
            return self.start.clone();
        }
        let mut stack = Stack::clone(&self.start);
        for (effector, goal) in HANDS.into_iter().zip(state.hands) {
            let own = stack.full_body.effector_mut(effector);
            if goal.is_some() && own.position_weight <= 0.0 {
                (own.position, own.position_weight) = (goal, self.frame.hand_weight());
            }
        }
        Arc::new(stack)
    }

    /// Returns the step at an instant; `None` after the last.
    pub fn step_at(&self, at: Cursor) -> Option<RetargetStep> {
        self.recording.steps.get(at.step).map(|recorded| recorded.step)
    }

    fn state_at(&self, at: Cursor) -> RetargetState {
        let within = at.within.filter(|_| matches!(self.step_at(at), Some(RetargetStep::Pose(_))));
        let Some(within) = within else { return *self.recording.state_before(at.step.saturating_add(1)) };
        let start = self.recording.start.lock;
        let mut solve = RetargetSolve::new(&self.frame, &start);
        let state = self.recording.state_within(&mut solve, at.step, within + 1);
        state.unwrap_or(*self.recording.state_before(at.step))
    }

    fn event_of(&self, step: usize, event: usize) -> Option<&RetargetEvent> {
        self.recording.events_of(step).get(event)
    }

    fn tint_of(&self, step: usize) -> Tint {
        match self.step_at(Cursor { step, within: None }) {
            Some(RetargetStep::Foot(side) | RetargetStep::Lock(LockStep::Hold(side))) => {
                Tint::Node(FEET[side as usize].node())
            }
            Some(RetargetStep::Hand(side)) => Tint::Node(HANDS[side as usize].node()),
            Some(RetargetStep::Pose(PoseStep::Path) | RetargetStep::Lock(LockStep::Pelvis)) => Tint::Node(Node::Body),
            Some(RetargetStep::Pose(_)) | None => Tint::Own,
        }
    }

    fn places_of(&self, state: &RetargetState) -> Vec<Vec3> {
        let (frame, output) = (&self.frame, self.frame.output(state));
        let feet = [0, 1].map(|side: usize| {
            let animated = frame.lock.map_or(frame.root.position, |lock| lock.input.feet[side].position);
            let leg = output.map(|output| output.legs[side]);
            leg.map_or(animated, |leg| animated.lerp(leg.ik_position, leg.weight) + leg.held)
        });
        let hands = [0, 1].map(|side: usize| state.hands[side].unwrap_or(frame.hands[side]));
        let pelvis = frame.pelvis + output.map_or(Vec3::ZERO, |output| output.pelvis);
        let all = feet.into_iter().chain(hands).chain([pelvis]);
        all.map(|place| if place.is_finite() { place } else { frame.root.position }).collect()
    }

    /// Draws the source's bones below the pelvis beside the character, scaled to the length of the character's legs.
    fn draw_source(&self, size: f32, out: &mut dyn DebugDraw) {
        /// Distance of the source from the character, in heights of the character.
        const BESIDE: f32 = 0.75;
        let Some(source) = &self.frame.source else { return };
        let (map, root) = (&source.map, &self.frame.root);
        let pelvis = source.pose.get(map.pelvises()[0]).map_or(Vec3::ZERO, |own| own.position);
        let foot = root.rotation.conjugate() * (self.frame.pelvis - root.position);
        let at = |bone: usize| {
            let own = source.pose.get(bone)?.position;
            let from = map.turn() * (own - pelvis.with_y(0.0)) * map.scale();
            let beside = foot.with_y(0.0) + map.left() * (BESIDE * size);
            Some(root.transform_point(from + beside)).filter(|place| place.is_finite())
        };
        for (bone, parent) in source.parents.iter().enumerate() {
            let is_below = parent.is_some_and(|parent| map.is_of_body(parent));
            if let Some((from, to)) = parent.filter(|_| is_below).and_then(at).zip(at(bone)) {
                out.line(from, to, Subject::SourceBone);
            }
        }
    }
}

impl Run for RetargetRun {
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
            Some(RetargetEvent::Pose(PoseEvent::Turned { pair, from, to })) => {
                let angle = from.angle_between(*to);
                (0.5 * angle, format!("{}: turned by {:.1}°", self.frame.name(*pair), angle.to_degrees()))
            }
            Some(RetargetEvent::Pose(PoseEvent::Moved { from, to })) => {
                (from.distance(*to), format!("pelvis: moved by {}", length(from.distance(*to))))
            }
            Some(RetargetEvent::Foot { from, to, .. }) => {
                (from.distance(*to), format!("goal {} from the animated position", length(from.distance(*to))))
            }
            Some(RetargetEvent::Hand { from, to, .. }) => {
                (from.distance(*to), format!("target {} from the animated position", length(from.distance(*to))))
            }
            Some(RetargetEvent::Lock(LockEvent::Held { from, to, .. })) => {
                (from.distance(*to), format!("held offset {}", length(to.length())))
            }
            Some(RetargetEvent::Lock(LockEvent::Lowered(by))) => (by.abs(), format!("lowered by {}", length(-by))),
            None => (0.0, String::new()),
        };
        EventView { tint: self.tint_of(step), size, text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "changes"
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(own) = self.recording.steps.get(step) else { return CauseView::default() };
        CauseView { label: label(own.step.key()), chain: "retarget".to_owned(), tint: self.tint_of(step) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        let title = self.step(step).name;
        explain::sheet(&self.frame, self.recording.state_before(step), self.event_of(step, event)?, title)
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(source) = &self.frame.source else { return Vec::new() };
        let tint = self.tint_of(step);
        let pairs = source.map.pairs().len();
        let numbers = format!("{pairs} bones, source scaled by {:.3}", source.map.scale());
        vec![Numbers { tint, what: "retarget".to_owned(), numbers }]
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, label: &str, family, tint, is_error| MeasureView {
            key: key.to_owned(),
            label: label.to_owned(),
            unit: Unit::Length,
            family,
            tint,
            is_error,
        };
        let foot = |side: Side| Tint::Node(FEET[side as usize].node());
        let hand = |side: Side| Tint::Node(HANDS[side as usize].node());
        vec![
            measure("to_go", "remaining, retarget", "remaining", Tint::Own, true),
            measure("left_foot_held", "left foot held, retarget", "foot lock offset", foot(Side::Left), false),
            measure("right_foot_held", "right foot held, retarget", "foot lock offset", foot(Side::Right), false),
            measure("left_hand_moved", "left hand moved, retarget", "goal offset", hand(Side::Left), false),
            measure("right_hand_moved", "right hand moved, retarget", "goal offset", hand(Side::Right), false),
        ]
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        let state = self.state_at(at);
        match measure.checked_sub(1) {
            None => {
                let (here, end) = (self.places_of(&state), self.places_of(self.recording.end()));
                here.into_iter().zip(end).map(|(here, end)| here.distance(end)).sum()
            }
            Some(side @ 0..=1) => {
                let held = self.frame.lock.zip(state.lock.legs.get(side)).map(|(lock, leg)| lock.held(leg).length());
                held.filter(|length| length.is_finite()).unwrap_or(0.0)
            }
            Some(other) => {
                let side = other.saturating_sub(2).min(1);
                let way = state.hands[side].map_or(0.0, |target| target.distance(self.frame.hands[side]));
                way * self.frame.hand_weight()
            }
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(0)
    }

    fn points(&self) -> Vec<PointView> {
        let effectors = FEET.into_iter().chain(HANDS).map(|own| (own.key(), Tint::Node(own.node())));
        let all = effectors.chain([("pelvis", Tint::Node(Node::Body))]);
        all.map(|(key, tint)| PointView { key: key.to_owned(), label: label(key), tint, bone: None }).collect()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.places_of(&self.state_at(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.places_of(&self.recording.start)
    }

    /// In the steps of posing, writes the clip's pose as far as it is made. Leaves `pose` unchanged once the clip's
    /// pose is complete, and in other steps.
    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        let Some(source) = &self.frame.source else { return };
        let state = self.state_at(at).pose;
        let is_made = state == PoseState { moved: true, ..state };
        if is_made || !matches!(self.step_at(at), Some(RetargetStep::Pose(_))) {
            return;
        }
        source.frame().write(&state, pose);
        for bone in pose {
            *bone = self.frame.root.transform(bone);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.goals {
            return;
        }
        self.draw_source(shown.size, out);
        let state = self.state_at(at);
        let Some(output) = self.frame.output(&state) else { return };
        for side in Side::ALL {
            let (leg, from) =
                (&output.legs[side as usize], self.frame.lock.map(|lock| lock.input.feet[side as usize].position));
            let (Some(from), true) = (from, leg.weight > 0.0) else { continue };
            let goal = from.lerp(leg.ik_position, leg.weight) + leg.held;
            out.line(from, goal, Subject::FootOffset(side));
            out.point(goal, 0.015 * shown.size, Subject::FootGoal { side, weight: leg.weight });
        }
    }
}
