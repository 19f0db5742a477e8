//! A solver of the whole body that only shifts it: by the weighted mean of the ways from the effectors to their targets.
//! It bends nothing, and shows what a new solver needs.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::debug_draw::{DebugDraw, Subject};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::{BodySolver, Goals, JointPose, Joints};
use crate::names::Effector;
use crate::parameter::{Parameters, settings};
use crate::rig::RigidTransform;
use crate::stepped::run::{CauseView, Cursor, EventView, MeasureView, PointView, Run, Shown, StepView, Tint, Unit};

settings! {
    /// Settings of the body shift.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct BodyShiftSettings {
        /// Whether the body is shifted.
        on: bool = false;
        /// Fraction of the mean way that the body is shifted.
        amount: f32 = 1.0, from 0 to 1 usually 1 in Share,
            too little: "The body stays behind its targets.",
            too much: "Nothing changes above 1.";
    }
}

/// Run of the body shift in a frame: one step.
#[derive(Clone, Debug)]
pub struct BodyShiftRun {
    joints: Arc<Joints>,
    animated: JointPose,
    goals: Goals,
    shift: Vec3,
}

impl BodySolver for BodyShiftRun {
    type Settings = BodyShiftSettings;
    type Memory = ();

    fn record(
        joints: Arc<Joints>,
        settings: &BodyShiftSettings,
        targets: &Settings,
        (): &mut (),
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault> {
        settings.check_numbers()?;
        let placement = joints.placement_of(pose)?;
        let animated = joints.read(pose)?;
        let goals = Goals::resolve(&joints, targets, &placement);
        let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
        for goal in goals.effectors.iter().filter(|goal| goal.has_position) {
            sum += (goal.aim() - goal.animated) * goal.weight;
            weight += goal.weight;
        }
        let shift = if weight > 0.0 { sum / weight * settings.amount } else { Vec3::ZERO };
        let run = Self { joints, animated, goals, shift };
        run.pose(Cursor::end(&run), pose);
        Ok(run)
    }
}

impl BodyShiftRun {
    fn moved(&self) -> JointPose {
        JointPose { root: self.animated.root + self.shift, ..self.animated }
    }

    fn positions(&self, pose: &JointPose) -> Vec<Vec3> {
        self.joints.place(pose).positions[..self.joints.len()].to_vec()
    }
}

impl Run for BodyShiftRun {
    fn steps(&self) -> usize {
        usize::from(self.goals.effectors.iter().any(|goal| goal.has_position))
    }

    fn step(&self, _: usize) -> StepView {
        StepView {
            iteration: None,
            key: "shift",
            name: "shift".to_owned(),
            short: "shift".to_owned(),
            sentence: "Shifts the body by the weighted mean of the ways to the targets.",
            is_end: true,
        }
    }

    fn events(&self, _: usize) -> usize {
        1
    }

    fn event(&self, _: usize, _: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let size = self.shift.length();
        EventView { tint: Tint::Own, size, text: format!("body shifts by {}", length(size)) }
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        self.cause_of_step(step)
    }

    fn measures(&self) -> Vec<MeasureView> {
        vec![MeasureView {
            key: "error".to_owned(),
            label: "body shift, largest distance".to_owned(),
            unit: Unit::Length,
            family: "error",
            tint: Tint::Own,
            is_error: true,
        }]
    }

    fn measure(&self, _: usize, at: Cursor) -> f32 {
        let places = self.places(at);
        let goals = Effector::ALL.map(|effector| *self.goals.of(effector));
        let distances = goals.iter().filter(|goal| goal.has_position);
        distances.map(|goal| places[goal.joint].distance(goal.aim())).fold(0.0, f32::max)
    }

    fn main_measure(&self) -> Option<usize> {
        Some(0)
    }

    fn points(&self) -> Vec<PointView> {
        self.joints.points(|_| Tint::Own)
    }

    fn places(&self, _: Cursor) -> Vec<Vec3> {
        self.positions(&self.moved())
    }

    fn start(&self) -> Vec<Vec3> {
        self.positions(&self.animated)
    }

    fn pose(&self, _: Cursor, pose: &mut [RigidTransform]) {
        self.joints.write(&self.moved(), pose);
    }

    fn draw(&self, at: Cursor, _: &Shown, out: &mut dyn DebugDraw) {
        let places = self.places(at);
        for (index, joint) in self.joints.all().iter().enumerate() {
            if let Some(parent) = joint.parent {
                out.line(places[parent], places[index], Subject::ChainBone(index));
            }
        }
    }
}
