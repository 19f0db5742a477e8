//! The recorded steady pelvis.

use std::sync::Arc;

use glam::Vec3;

use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::Node;
use crate::notation::{Expression, Sheet};
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::run::{CauseView, Cursor, EventView, MeasureView, PointView, Run, Shown, StepView, Tint, Unit};

/// Two steps: the height is found, the body is shifted.
pub(super) struct SteadyRun {
    pub pelvis: BoneIndex,
    pub given: Arc<Vec<RigidTransform>>,
    pub last: f32,
    pub share: f32,
    pub height: f32,
}

const TINT: Tint = Tint::Node(Node::Body);

impl SteadyRun {
    fn solved(&self) -> Vec3 {
        self.given[self.pelvis].position
    }

    fn way(&self) -> f32 {
        self.height - self.solved().y
    }

    /// Moves all bones up or down.
    pub fn shift(&self, pose: &mut [RigidTransform]) {
        pose.iter_mut().for_each(|bone| bone.position.y += self.way());
    }
}

impl Run for SteadyRun {
    fn steps(&self) -> usize {
        2
    }

    fn step(&self, step: usize) -> StepView {
        let (key, name, sentence) = match step {
            0 => ("steady_height", "steady height", "Finds the height between the last one and the solved one."),
            _ => ("steady_shift", "steady shift", "Shifts all bones up or down to that height."),
        };
        StepView { iteration: None, key, name: name.to_owned(), short: name.to_owned(), sentence, is_end: step == 1 }
    }

    fn events(&self, step: usize) -> usize {
        usize::from(step == 1)
    }

    fn event(&self, _: usize, _: usize, length: &dyn Fn(f32) -> String) -> EventView {
        EventView { tint: TINT, size: self.way().abs(), text: format!("body shifted by {}", length(self.way())) }
    }

    fn cause(&self, _: usize, _: usize) -> CauseView {
        CauseView { label: "steady pelvis".to_owned(), chain: "body".to_owned(), tint: TINT }
    }

    fn formula(&self, _: usize, _: usize) -> Option<Sheet> {
        let mut sheet = Sheet::default();
        let solved = sheet.given("h", self.solved().y, "The solved height of the pelvis, in model units.");
        let last = sheet.given("h₀", self.last, "Its height in the last frame, in model units.");
        let share = sheet.given("f", self.share, "The part of the way that this frame makes: 1 − exp(−dt / time).");
        let height = last.term() + (solved - last) * share;
        Some(sheet.end_with("steady pelvis".to_owned(), "height", height, "The height of the pelvis, in model units."))
    }

    fn measures(&self) -> Vec<MeasureView> {
        vec![MeasureView {
            key: "shift".to_owned(),
            label: "pelvis steadied".to_owned(),
            unit: Unit::Length,
            family: "pelvis steadied",
            tint: TINT,
            is_error: false,
        }]
    }

    fn measure(&self, _: usize, at: Cursor) -> f32 {
        if at.step == 0 { 0.0 } else { self.way() }
    }

    fn points(&self) -> Vec<PointView> {
        vec![PointView { key: "pelvis".to_owned(), label: "pelvis".to_owned(), tint: TINT, bone: Some(self.pelvis) }]
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        vec![self.solved() + Vec3::Y * self.measure(0, at)]
    }

    fn start(&self) -> Vec<Vec3> {
        vec![self.solved()]
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        if at.step > 0 {
            self.shift(pose);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if shown.moved && at.step > 0 && self.way() != 0.0 {
            out.arrow(self.solved(), self.solved() + Vec3::Y * self.way(), Subject::Displacement(Node::Body));
        }
    }
}
