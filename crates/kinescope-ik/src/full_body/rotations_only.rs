//! Writes rotations only: below the pelvis no bone gets a position of its own.
//!
//! Besides the pelvis, the full-body solver also moves the last spine bone and the first bone of each limb, to match
//! the solved nodes. Where a clip has no position curves for these bones, their positions must be restored before the
//! next frame. *Full-body notes* describe the ideal case, possible with most animations: a solver that writes no
//! position except the pelvis's, so that nothing needs to be restored.
//!
//! With rotations only, the pelvis keeps its solved transform. Every bone below the pelvis keeps its solved rotation,
//! and has the offset from its parent, in the parent's space, that it has in the given pose:
//!
//! ```text
//! p = p_parent + R_parent · t        t = R₀_parent⁻¹ · (p₀ − p₀_parent), of the given pose
//! ```
//!
//! Hands and feet miss their targets where torso or clavicles would have had to stretch. The parents are those of the
//! skeleton: bones that are not below the pelvis in the skeleton stay as written.

use std::sync::Arc;

use glam::Vec3;

use crate::debug_draw::{DebugDraw, Subject};
use crate::key::label;
use crate::math::read_rotation;
use crate::names::Node;
use crate::notation::{Point, Sheet};
use crate::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped::run::{CauseView, Cursor, EventView, MeasureView, PointView, Run, Shown, StepView, Tint, Unit};
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

/// Places every bone below `pelvis` at the offset from its parent that it has in `given`, in the parent's space;
/// rotations stay. `given` is the pose handed to the solver, `pose` its result; model space. Skips bones that either
/// pose lacks.
pub fn rotations_only(skeleton: &Skeleton, pelvis: BoneIndex, given: &[RigidTransform], pose: &mut [RigidTransform]) {
    let _ = put_back(skeleton, pelvis, given, pose, &mut stepped::Unwatched);
}

/// A bone that was moved back to its offset from its parent in the given pose. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PutBack {
    /// Index of the bone. Its descendants have moves of their own.
    pub bone: BoneIndex,
    /// Position that the solver wrote.
    pub from: Vec3,
    /// Position with rotations only.
    pub to: Vec3,
}

/// Moves up to about this fraction of the bone's distance from its parent are rounding and not reported.
const ROUNDING: f32 = 1e-5;

/// Returns the vector from the bone's parent to the bone, in the parent's space.
fn offset(given: &[RigidTransform], parent: BoneIndex, bone: BoneIndex) -> Vec3 {
    let rotation = read_rotation(given[parent].rotation).unwrap_or(given[parent].rotation);
    rotation.conjugate() * (given[bone].position - given[parent].position)
}

fn put_back(
    skeleton: &Skeleton,
    pelvis: BoneIndex,
    given: &[RigidTransform],
    pose: &mut [RigidTransform],
    watch: &mut impl Watch<PutBack>,
) -> Flow {
    let count = skeleton.len().min(given.len()).min(pose.len());
    for bone in pelvis.saturating_add(1)..count {
        let Some(parent) = skeleton.parent(bone).filter(|_| skeleton.is_ancestor(pelvis, bone)) else { continue };
        let (offset, from) = (offset(given, parent, bone), pose[bone].position);
        let to = pose[parent].position + pose[parent].rotation * offset;
        pose[bone].position = to;
        if from.distance(to) > ROUNDING * (offset.length() + 1e-3) {
            watch.saw(PutBack { bone, from, to })?;
        }
    }
    GO_ON
}

struct Solve<'a> {
    skeleton: &'a Skeleton,
    pelvis: BoneIndex,
    given: &'a [RigidTransform],
    is_done: bool,
}

impl Stepped for Solve<'_> {
    type Step = ();
    type State = Vec<RigidTransform>;
    type Event = PutBack;

    fn next(&mut self, _: &Vec<RigidTransform>) -> Option<()> {
        (!std::mem::replace(&mut self.is_done, true)).then_some(())
    }

    fn run(&mut self, pose: &mut Vec<RigidTransform>, (): (), watch: &mut impl Watch<PutBack>) -> Flow {
        put_back(self.skeleton, self.pelvis, self.given, pose, watch)
    }
}

/// Recording of [`rotations_only`].
#[derive(Clone, Debug)]
pub struct RotationsRun {
    skeleton: Arc<Skeleton>,
    pelvis: BoneIndex,
    /// First, second and last bone, in the order of [`LimbName::ALL`].
    limbs: [[BoneIndex; 3]; 4],
    given: Arc<Vec<RigidTransform>>,
    recording: stepped::Recording<(), Vec<RigidTransform>, PutBack>,
}

impl RotationsRun {
    /// Applies [`rotations_only`] to `pose` and records the moves of bones, except those that are rounding. `limbs`
    /// are the bones that the run lists as points.
    pub fn record(
        skeleton: Arc<Skeleton>,
        pelvis: BoneIndex,
        limbs: [[BoneIndex; 3]; 4],
        given: Arc<Vec<RigidTransform>>,
        pose: &mut Vec<RigidTransform>,
    ) -> Self {
        let mut recording = stepped::Recording::default();
        let mut solve = Solve { skeleton: &skeleton, pelvis, given: &given, is_done: false };
        recording.record(&mut solve, pose);
        Self { skeleton, pelvis, limbs, given, recording }
    }

    fn state(&self, at: Cursor) -> Vec<RigidTransform> {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let mut solve = Solve { skeleton: &self.skeleton, pelvis: self.pelvis, given: &self.given, is_done: false };
        let state = self.recording.state_within(&mut solve, at.step, count);
        state.unwrap_or_else(|| self.recording.end().clone())
    }

    fn moved(&self, step: usize, event: usize) -> Option<&PutBack> {
        self.recording.events_of(step).get(event)
    }

    fn places_of(&self, pose: &[RigidTransform]) -> Vec<Vec3> {
        let bones = self.limbs.iter().flatten();
        bones.map(|&bone| pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position)).collect()
    }
}

const SHIFT: &str = "rotations only, largest displacement";

impl Run for RotationsRun {
    fn steps(&self) -> usize {
        self.recording.steps.len()
    }

    fn step(&self, _: usize) -> StepView {
        StepView {
            iteration: None,
            key: "rotations_only",
            name: "rotations only".to_owned(),
            short: "rot".to_owned(),
            sentence: "Every bone below the pelvis goes back to its animated offset in its parent's space; rotations stay.",
            is_end: true,
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(moved) = self.moved(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let name = self.skeleton.bones().get(moved.bone).map_or("", |bone| bone.name.as_str());
        let size = moved.from.distance(moved.to);
        EventView { tint: Tint::Node(Node::Body), size, text: format!("{name} {}", length(size)) }
    }

    fn cause(&self, _: usize, _: usize) -> CauseView {
        let [label, chain] = ["rotations only", "below the pelvis"].map(str::to_owned);
        CauseView { label, chain, tint: Tint::Node(Node::Body) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        let moved = self.moved(step, event)?;
        let parent = self.skeleton.parent(moved.bone)?;
        let state = self.state(Cursor { step, within: Some(event) });
        let above = state.get(parent)?;
        let mut sheet = Sheet::default();
        let place = sheet.given("q", Point(above.position), "Position of the parent bone, in model units.");
        let turn = sheet.given("R", above.rotation, "Rotation of the parent bone, as an angle.");
        let meaning = "Vector from the parent to the bone in the input pose, in the space of the parent; model units.";
        let translation = sheet.given("t", offset(&self.given, parent, moved.bone), meaning);
        Some(sheet.end_with(
            "rotations only",
            "p",
            place + turn * translation,
            "New position of the bone, in model units.",
        ))
    }

    fn measures(&self) -> Vec<MeasureView> {
        vec![MeasureView {
            key: "shift".to_owned(),
            label: SHIFT.to_owned(),
            unit: Unit::Length,
            family: "rotations only",
            tint: Tint::Node(Node::Body),
            is_error: false,
        }]
    }

    fn measure(&self, _: usize, at: Cursor) -> f32 {
        let state = self.state(at);
        let distances = state.iter().zip(&self.recording.start).map(|(now, was)| now.position.distance(was.position));
        distances.fold(0.0, f32::max)
    }

    fn points(&self) -> Vec<PointView> {
        let nodes = LimbName::ALL.into_iter().flat_map(Node::of_limb).zip(self.limbs.iter().flatten());
        let point = |(node, &bone): (Node, &BoneIndex)| PointView {
            key: node.key().to_owned(),
            label: label(node.key()),
            tint: Tint::Node(node),
            bone: Some(bone),
        };
        nodes.map(point).collect()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.places_of(&self.state(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.places_of(&self.recording.start)
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        pose.copy_from_slice(&self.state(at));
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.moved {
            return;
        }
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        for moved in self.recording.events_of(at.step).iter().take(count) {
            out.line(moved.from, moved.to, Subject::Displacement(Node::Body));
        }
    }
}
