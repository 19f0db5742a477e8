//! The result of another program as a run: a lane of the full-body lab that this library does not solve.

use std::sync::Arc;

use glam::Vec3;

use super::body_lab::ForeignPose;
use crate::debug_draw::DebugDraw;
use crate::full_body::draw::draw_bones;
use crate::full_body::{FullBody, Settings};
use crate::key::label;
use crate::names::{Effector, Node, Nodes};
use crate::rig::RigidTransform;
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, MeasureView, PointView, Run, Shown, StepView, Tint, Unit,
};

/// The poses that another program sent: one step for each iteration, or a single one if it sent only its result.
#[derive(Clone, Debug)]
pub struct ForeignRun {
    solver: Arc<FullBody>,
    given: Arc<Vec<RigidTransform>>,
    received: Arc<ForeignPose>,
    /// Position and weight of the effectors' targets, in the order of [`Effector::ALL`]; without a target, the position
    /// of the effector's bone in `given`. Weights are scaled by the master weight.
    targets: [(Vec3, f32); Effector::COUNT],
}

impl ForeignRun {
    /// Makes the run of received poses. `given` is the lane's input pose in this frame; `settings` have the targets.
    pub(super) fn new(
        solver: Arc<FullBody>,
        settings: &Settings,
        given: Arc<Vec<RigidTransform>>,
        received: Arc<ForeignPose>,
    ) -> Result<Self, String> {
        for pose in received.iterations.iter().chain([&received.bones]) {
            if pose.len() != given.len() {
                return Err(format!(
                    "the pose has {} bones, the character has {}; send a transform for each bone",
                    pose.len(),
                    given.len()
                ));
            }
            if !pose.iter().all(|bone| bone.position.is_finite() && bone.rotation.is_finite()) {
                return Err("the pose has a number that is not finite; send finite numbers".to_owned());
            }
        }
        let targets = Effector::ALL.map(|effector| {
            let own = settings.effector(effector);
            let bone = solver.bone_of(effector.node());
            let animated = given.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
            (own.position.unwrap_or(animated), own.position_weight * settings.solver.weight)
        });
        Ok(Self { solver, given, received, targets })
    }

    fn pose_at(&self, at: Cursor) -> &[RigidTransform] {
        self.received.iterations.get(at.step).unwrap_or(&self.received.bones)
    }

    fn nodes_of(&self, pose: &[RigidTransform]) -> Nodes {
        let mut nodes = Nodes::default();
        for node in Node::ALL {
            nodes[node] = pose.get(self.solver.bone_of(node)).map_or(Vec3::ZERO, |bone| bone.position);
        }
        nodes
    }
}

impl Run for ForeignRun {
    fn steps(&self) -> usize {
        self.received.iterations.len().max(1)
    }

    fn step(&self, step: usize) -> StepView {
        let iteration = (!self.received.iterations.is_empty()).then_some(step as u32);
        StepView {
            iteration,
            key: "foreign",
            name: iteration.map_or_else(|| "result".to_owned(), |iteration| format!("iteration {iteration}")),
            short: iteration.map_or_else(|| "end".to_owned(), |iteration| iteration.to_string()),
            sentence: "The pose that an outside solver sent.",
            is_end: true,
        }
    }

    fn events(&self, _: usize) -> usize {
        0
    }

    fn event(&self, _: usize, _: usize, _: &dyn Fn(f32) -> String) -> EventView {
        EventView { tint: Tint::Own, size: 0.0, text: String::new() }
    }

    fn cause(&self, _: usize, _: usize) -> CauseView {
        CauseView::default()
    }

    fn measures(&self) -> Vec<MeasureView> {
        vec![MeasureView {
            key: "target_error".to_owned(),
            label: "largest target error".to_owned(),
            unit: Unit::Length,
            family: "target error",
            tint: Tint::Own,
            is_error: true,
        }]
    }

    fn measure(&self, _: usize, at: Cursor) -> f32 {
        let nodes = self.nodes_of(self.pose_at(at));
        let targets = Effector::ALL.into_iter().zip(self.targets).filter(|(_, (_, weight))| *weight > 0.0);
        targets.map(|(effector, (place, _))| nodes[effector.node()].distance(place)).fold(0.0, f32::max)
    }

    fn main_measure(&self) -> Option<usize> {
        Some(0)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |node: Node| PointView {
            key: node.key().to_owned(),
            label: label(node.key()),
            tint: Tint::Node(node),
            bone: Some(self.solver.bone_of(node)),
        };
        Node::ALL.map(point).into()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.nodes_of(self.pose_at(at)).0.into()
    }

    fn start(&self) -> Vec<Vec3> {
        self.nodes_of(&self.given).0.into()
    }

    fn goals(&self) -> Vec<GoalView> {
        let goal = |(effector, (place, weight)): (Effector, (Vec3, f32))| GoalView {
            key: effector.key().to_owned(),
            label: label(effector.key()),
            tint: Tint::Node(effector.node()),
            weight,
            point: effector.node() as usize,
            root: effector.limb().map_or(effector.node(), |limb| Node::of_limb(limb)[0]) as usize,
            bone: Some(self.solver.bone_of(effector.node())),
            place,
            reach: f32::INFINITY,
            error: "largest target error".to_owned(),
        };
        Effector::ALL.into_iter().zip(self.targets).map(goal).collect()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        let own = self.pose_at(at);
        if own.len() == pose.len() {
            pose.copy_from_slice(own);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if shown.layers.bones {
            let pose = self.pose_at(at);
            draw_bones(&self.solver, pose, &self.nodes_of(pose), shown.size * 2e-3, out);
        }
    }
}
