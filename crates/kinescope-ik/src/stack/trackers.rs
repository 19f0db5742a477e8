//! Recorded trackers of a frame as a [`Run`].

use std::sync::Arc;

use glam::Vec3;

use super::order::Stack;
use crate::debug_draw::{DebugDraw, Subject};
use crate::error::Fault;
use crate::notation::{Expression, Point, Sheet};
use crate::rig::RigidTransform;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit,
};
use crate::trackers::{Body, Reading, Targets, Tracker, TrackerSettings, TrackerState, Wearer, readings};

/// The trackers of a frame: one step for each worn tracker, which sets the targets of the tracker, with weights of 0 if
/// the tracker reports nothing.
#[derive(Clone, Debug)]
pub struct TrackerRun {
    /// The character that the trackers are worn on.
    pub wearer: Arc<Wearer>,
    /// The settings of the trackers.
    pub settings: TrackerSettings,
    /// The root transform of the character.
    pub root: RigidTransform,
    /// The bones of the clip in the space of the root.
    pub truth: Body,
    /// The readings of the worn trackers, in the order of [`Tracker::ALL`] and in the space of the root.
    pub readings: Vec<Reading>,
    /// The targets that follow from the readings.
    pub targets: Targets,
    reference: Arc<Vec<RigidTransform>>,
    start: Arc<Stack>,
}

impl TrackerRun {
    /// Reads the trackers of a user who moves as the animated pose does. `time` is the time in the clip, in seconds.
    ///
    /// # Errors
    /// [`Fault`] for invalid settings, or a pose that lacks a bone or has an invalid one.
    pub fn record(
        (wearer, reference): (Arc<Wearer>, Arc<Vec<RigidTransform>>),
        stack: Arc<Stack>,
        animated: &[RigidTransform],
        (root, time): (RigidTransform, f32),
        state: &mut TrackerState,
    ) -> Result<Self, Fault> {
        let settings = stack.order.trackers.clone();
        settings.check().map_err(|fault| fault.within("stack.trackers"))?;
        let truth = wearer.read(animated, &root)?;
        let readings = readings(&wearer, &settings, &truth, time, state);
        let targets = Targets::new(&wearer, &settings, &readings, &root);
        Ok(Self { wearer, settings, root, truth, readings, targets, reference, start: stack })
    }

    /// Returns the stack at an instant: trackers of later steps have not set their targets.
    pub fn stack_at(&self, at: Cursor) -> Stack {
        let mut stack = Stack::clone(&self.start);
        let mut modifiers = (*stack.modifiers).clone();
        self.targets.pin_feet(&mut stack.full_body);
        for reading in self.readings.iter().take(at.step.saturating_add(1)) {
            self.targets.put(reading.tracker, &mut stack.full_body, &mut modifiers);
        }
        stack.modifiers = Arc::new(modifiers);
        stack
    }

    /// Returns the reported place of a tracker in the space of the poses; the exact one if it reports nothing.
    pub fn shown(&self, reading: &Reading) -> RigidTransform {
        self.root.transform(&reading.reported.unwrap_or(reading.exact))
    }

    /// Returns the bone of a tracker in the clip, in the space of the poses.
    pub fn bone(&self, tracker: Tracker) -> RigidTransform {
        self.root.transform(self.truth.bone(tracker))
    }

    /// Returns the distance of a tracker's target from its bone in the clip, in model units; 0 for a tracker that reports
    /// nothing.
    pub fn off(&self, tracker: Tracker) -> f32 {
        let target = self.targets.bone(tracker);
        target.map_or(0.0, |target| target.position.distance(self.bone(tracker).position))
    }

    fn place(&self, step: usize, at: Option<Cursor>) -> Vec3 {
        let Some(reading) = self.readings.get(step) else { return Vec3::ZERO };
        let own = self.bone(reading.tracker).position;
        let target = self.targets.bone(reading.tracker).filter(|_| at.is_some_and(|at| step <= at.step));
        target.map_or(own, |target| target.position)
    }
}

impl Run for TrackerRun {
    fn steps(&self) -> usize {
        self.readings.len()
    }

    fn step(&self, step: usize) -> StepView {
        let name = self.readings.get(step).map_or("", |reading| reading.tracker.label());
        StepView {
            iteration: None,
            key: "tracker",
            short: name.to_owned(),
            name: name.to_owned(),
            sentence: "Moves the target to where calibration expects the bone of the tracker.",
            is_end: step + 1 == self.readings.len(),
        }
    }

    fn events(&self, step: usize) -> usize {
        usize::from(step < self.readings.len())
    }

    fn event(&self, step: usize, _: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(reading) = self.readings.get(step) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let (name, size) = (reading.tracker.label(), self.off(reading.tracker));
        let text = match (reading.reported, reading.dropped) {
            (None, _) => format!("{name}: reports nothing"),
            (Some(_), true) => format!("{name}: frozen, target {} from the bone in the clip", length(size)),
            (Some(_), false) => format!("{name}: target {} from the bone in the clip", length(size)),
        };
        EventView { tint: Tint::Node(reading.tracker.node()), size, text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "targets"
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(reading) = self.readings.get(step) else { return CauseView::default() };
        let label = format!("tracker of the {}", reading.tracker.label());
        CauseView { label, chain: "trackers".to_owned(), tint: Tint::Node(reading.tracker.node()) }
    }

    fn formula(&self, step: usize, _: usize) -> Option<Sheet> {
        let reading = self.readings.get(step)?;
        let (tracker, mut sheet) = (reading.tracker, Sheet::default());
        let title = format!("target of the {}", tracker.label());
        let Some(reported) = reading.reported else {
            let bone = sheet.given(
                "b",
                Point(self.bone(tracker).position),
                "Position of the bone in the clip, in model units.",
            );
            let meaning = "Position of the drawn point, in model units: at the bone, because the tracker reports nothing \
                           and sets no target.";
            return Some(sheet.end_with(title, "p", bone.term(), meaning));
        };
        let calibration = self.settings.calibration.unwrap_or_default();
        let mounts = if tracker.is_device() { &self.settings.mounts } else { &calibration.mounts };
        let mount = self.wearer.mount(mounts, tracker);
        let place = sheet.given(
            "r",
            reported.position,
            "Position that the tracker reports, in the space of the root; model units.",
        );
        let turn = sheet.given(
            "R",
            reported.rotation,
            "Rotation that the tracker reports, in the space of the root, as an angle.",
        );
        let inverse = sheet.given(
            "q",
            mount.rotation.conjugate(),
            "Inverse of the tracker's assumed rotation on its bone, as an angle.",
        );
        let on_bone = sheet.given(
            "m",
            mount.position,
            "Assumed position of the tracker on its bone, in the space of the bone; model units.",
        );
        let height = sheet.given(
            "h",
            calibration.height,
            "Height of the user relative to the character, by the calibration; 1 without one.",
        );
        let turned =
            sheet.define("b", turn * inverse, "Target rotation of the bone, in the space of the root, as an angle.");
        let meaning = "Target position, in the space of the root; model units. Targets of arms are scaled afterwards.";
        Some(sheet.end_with(title, "target", (place - turned * on_bone) / height, meaning))
    }

    fn numbers(&self, step: usize, _: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(reading) = self.readings.get(step) else { return Vec::new() };
        let what = reading.tracker.label().to_owned();
        let own = self.settings.calibration.unwrap_or_default();
        let numbers = format!("calibration height {:.3}, arms {:.3}", own.height, own.arms);
        vec![Numbers { tint: Tint::Node(reading.tracker.node()), what, numbers }]
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: String, label: String, family, tint, is_error| MeasureView {
            key,
            label,
            unit: Unit::Length,
            family,
            tint,
            is_error,
        };
        let rest = measure("to_go".to_owned(), "remaining, trackers".to_owned(), "remaining", Tint::Own, true);
        let of_tracker = |reading: &Reading| {
            let (key, tint) = (reading.tracker.key(), Tint::Node(reading.tracker.node()));
            let label = format!("{} target off the clip", reading.tracker.label());
            measure(format!("{key}_off"), label, "target off the clip", tint, false)
        };
        [rest].into_iter().chain(self.readings.iter().map(of_tracker)).collect()
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        match measure.checked_sub(1) {
            None => {
                let end = Some(Cursor::end(self));
                (0..self.readings.len()).map(|step| self.place(step, Some(at)).distance(self.place(step, end))).sum()
            }
            Some(index) => self.readings.get(index).map_or(0.0, |reading| self.off(reading.tracker)),
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(0)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |reading: &Reading| PointView {
            key: reading.tracker.key().to_owned(),
            label: format!("{}, target", reading.tracker.label()),
            tint: Tint::Node(reading.tracker.node()),
            bone: None,
        };
        self.readings.iter().map(point).collect()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        (0..self.readings.len()).map(|step| self.place(step, Some(at))).collect()
    }

    fn start(&self) -> Vec<Vec3> {
        (0..self.readings.len()).map(|step| self.place(step, None)).collect()
    }

    fn pose(&self, _: Cursor, pose: &mut [RigidTransform]) {
        self.targets.start_pose(&self.wearer, &self.reference, pose);
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let Some(reading) = self.readings.get(at.step).filter(|_| shown.moved) else { return };
        let Some(target) = self.targets.bone(reading.tracker) else { return };
        let (place, node) = (self.shown(reading).position, reading.tracker.node());
        if place != target.position {
            out.line(place, target.position, Subject::Displacement(node));
        }
        if let Some(effector) = reading.tracker.effector() {
            out.point(target.position, 0.02 * shown.size, Subject::Target { effector, weight: 1.0 });
        }
    }
}
