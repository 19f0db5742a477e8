//! Divergence of two lanes of the full-body lab: the first frame of a recording in which their results differ by more
//! than a tolerance, and the frame in which they differ most.

use std::sync::Arc;

use super::again::Progress;
use super::tape::Tape;
use crate::ground::Ground;
use crate::rig::RigidTransform;
use crate::slices::{finish, report};
use crate::stack::{self, BodyLab, BodyLane, Input, LaneJoint, Memory, Rig, Stack, Tools, farthest_apart};

/// A frame of a recording, and the joint at which the results of two lanes are farthest apart there.
#[derive(Clone, Debug, PartialEq)]
pub struct DivergedAt {
    /// The number of the frame.
    pub number: u64,
    /// The joint at which the results are farthest apart.
    pub joint: LaneJoint,
    /// The distance between the two results at the joint; model units.
    pub distance: f32,
}

/// The divergence of two lanes over a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Divergence {
    /// The first frame in which a joint differs by more than the tolerance; `None` if there is none.
    pub first: Option<DivergedAt>,
    /// The frame with the largest distance; `None` if no distance could be measured.
    pub largest: Option<DivergedAt>,
    /// The number of frames in which both lanes have a result.
    pub frames: usize,
}

impl Divergence {
    /// Adds the next frame, with the results of both lanes. `joints` are those of [`Rig::lane_joints`]; `tolerance` is
    /// in model units.
    pub fn add(&mut self, number: u64, joints: &[LaneJoint], [a, b]: [&[RigidTransform]; 2], tolerance: f32) {
        self.frames += 1;
        let Some(apart) = farthest_apart(joints, a, b) else { return };
        let at = DivergedAt { number, joint: joints[apart.joint].clone(), distance: apart.distance };
        if self.first.is_none() && at.distance > tolerance {
            self.first = Some(at.clone());
        }
        if self.largest.as_ref().is_none_or(|largest| at.distance > largest.distance) {
            self.largest = Some(at);
        }
    }
}

/// Solves a recording with two lanes and compares their results in every frame. A lane of another program has no result in
/// frames whose [foreign pose](Input::foreign) is missing or late. `tolerance` is in model units. `ground` returns the
/// ground of a frame. `None` if the work was cancelled.
pub fn find_divergence(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    lanes: &[BodyLane; 2],
    tolerance: f32,
    progress: Progress,
) -> Option<Divergence> {
    finish(find_divergence_in_slices(rig, ground, recording, lanes, tolerance, progress))
}

/// Does the same as [`find_divergence`], with a [pause](crate::slices) before each frame.
pub fn find_divergence_in_slices(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    lanes: &[BodyLane; 2],
    tolerance: f32,
    progress: Progress<'_>,
) -> impl Future<Output = Option<Divergence>> {
    find_divergence_async(rig, ground, recording, lanes, tolerance, progress)
}

async fn find_divergence_async(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    lanes: &[BodyLane; 2],
    tolerance: f32,
    progress: Progress<'_>,
) -> Option<Divergence> {
    let joints = rig.lane_joints();
    let mut workspace = rig.full_body.as_ref().ok().map(|solver| solver.workspace());
    let mut found = Divergence::default();
    let mut before: Option<(u64, Vec<Memory>)> = None;
    for (index, recorded) in recording.frames().enumerate() {
        if !report(progress, index as f32 / recording.len() as f32).await {
            return None;
        }
        let mut stack = Stack::clone(&recorded.input.stack);
        stack.order.body_lab = BodyLab { lanes: lanes.to_vec(), over: false };
        // Lanes continue from their own results, except where the recording lacks the frame before.
        let known = before.take().filter(|(number, _)| number.checked_add(1) == Some(recorded.number));
        let body_lanes = known.map_or_else(Vec::new, |(_, lanes)| lanes);
        // A late pose belongs to another frame.
        let on_time = |lane: &BodyLane| recorded.input.foreign_of(&lane.source).filter(|pose| pose.late == 0).cloned();
        let foreign = lanes.each_ref().map(on_time);
        let input = Input {
            stack: Arc::new(stack),
            foreign: Arc::new(foreign.into()),
            memory: Memory { body_lanes, ..recorded.input.memory.clone() },
            ..recorded.input.clone()
        };
        let stands_on = ground(&input);
        let tools = Tools { workspace: workspace.as_mut(), ground: stands_on.as_deref(), clock: None };
        let frame = stack::solve(rig, tools, &input);
        if let (Some(a), Some(b)) = (frame.lane_pose(rig, 0), frame.lane_pose(rig, 1)) {
            found.add(recorded.number, &joints, [&a, &b], tolerance);
        }
        before = Some((recorded.number, frame.memory.body_lanes));
    }
    Some(found)
}
