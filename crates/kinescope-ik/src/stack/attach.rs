//! Resolves the attached targets of a stack, and records one step for each resolved target.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::order::Stack;
use super::rig::Rig;
use crate::attach::{Anchor, Attachment, Posed, put, resolve};
use crate::debug_draw::{DebugDraw, Subject};
use crate::error::Fault;
use crate::full_body::{Effector, Node};
use crate::key::label;
use crate::modifiers::{Figure, Modifier};
use crate::notation::{Point, Sheet};
use crate::rig::RigidTransform;
use crate::stepped::run::{
    CauseView, Cursor, EventView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit, coordinates,
};

/// The owner of an attached target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attached {
    /// An effector of the full body.
    Effector(Effector),
    /// A look-at or reach-for modifier, by its index among the modifiers of the stack.
    Modifier(usize),
}

impl Stack {
    /// Returns whether any target is attached; modifiers that are off do not count.
    pub fn has_attachments(&self) -> bool {
        let of_modifiers = || self.modifiers.iter().any(|own| own.is_on() && own.attachment().is_some());
        !self.attachments.is_empty() || of_modifiers()
    }

    /// Returns the attachment of a target; `None` if the target is not attached or its modifier does not exist.
    pub fn attachment(&self, target: Attached) -> Option<&Attachment> {
        match target {
            Attached::Effector(effector) => self.attachments.get(effector),
            Attached::Modifier(index) => self.modifiers.get(index)?.attachment(),
        }
    }

    /// Returns the slot of a target's attachment, to set or clear; `None` for a modifier whose kind has no attachable
    /// target, or that does not exist.
    pub fn attachment_mut(&mut self, target: Attached) -> Option<&mut Option<Attachment>> {
        match target {
            Attached::Effector(effector) => Some(Arc::make_mut(&mut self.attachments).get_mut(effector)),
            Attached::Modifier(index) => Arc::make_mut(&mut self.modifiers).get_mut(index)?.attachment_mut(),
        }
    }

    /// Resolves all attached targets, first those of effectors, then those of modifiers that are on. Calls `each` for
    /// every resolved target with the transform of its anchor.
    ///
    /// # Errors
    /// [`Fault`] for a cycle, or a bone that is missing or has invalid numbers, with the path of the field; then the stack is
    /// unchanged.
    pub fn attach(&mut self, posed: &Posed, mut each: impl FnMut(Attached, RigidTransform)) -> Result<(), Fault> {
        let settings = &mut self.full_body;
        let mut of_effector = |effector, anchor| each(Attached::Effector(effector), anchor);
        let mut resolved = *settings;
        resolve(&self.attachments, posed, &mut resolved, &mut of_effector)
            .map_err(|fault| fault.within("attachments"))?;
        if self.modifiers.iter().any(|own| own.is_on() && own.attachment().is_some()) {
            let mut modifiers = (*self.modifiers).clone();
            for (index, modifier) in modifiers.iter_mut().enumerate().filter(|(_, own)| own.is_on()) {
                let anchor = modifier.attach(posed, &resolved);
                if let Some(anchor) = anchor.map_err(|fault| fault.within(format!("modifiers[{index}]")))? {
                    each(Attached::Modifier(index), anchor);
                }
            }
            self.modifiers = Arc::new(modifiers);
        }
        *settings = resolved;
        Ok(())
    }

    /// Returns position (space of the poses) and rotation of a target; `None` for each that is not set.
    pub fn target(&self, target: Attached) -> (Option<Vec3>, Option<Quat>) {
        match target {
            Attached::Effector(effector) => {
                let own = self.full_body.effector(effector);
                (own.position, own.rotation)
            }
            Attached::Modifier(index) => self.modifiers.get(index).map_or((None, None), Modifier::own_target),
        }
    }

    fn put_attached(&mut self, target: Attached, anchor: &RigidTransform) {
        let Some(own) = self.attachment(target).cloned() else { return };
        match target {
            Attached::Effector(effector) => put(&own, anchor, effector, &mut self.full_body),
            Attached::Modifier(index) => {
                if let Some(modifier) = Arc::make_mut(&mut self.modifiers).get_mut(index) {
                    modifier.put_target(own.place(anchor), own.rotation(anchor));
                }
            }
        }
    }
}

impl Rig {
    /// Returns `pose`, a pose of this character, with the skeleton and the effectors' bones, as [`Stack::attach`] takes
    /// it. `None` for a character that is not a biped.
    pub fn posed<'a>(&'a self, pose: &'a [RigidTransform]) -> Option<Posed<'a>> {
        let effectors = self.figure.as_ref()?.effector_bones();
        Some(Posed { skeleton: &self.skeleton, effectors, pose })
    }
}

/// The recorded attachments of a frame: one step for each resolved target, in the order of resolving.
#[derive(Clone, Debug)]
pub struct AttachRun {
    figure: Arc<Figure>,
    start: Arc<Stack>,
    end: Arc<Stack>,
    steps: Vec<(Attached, RigidTransform)>,
}

impl AttachRun {
    /// Resolves the attached targets of a stack in a pose.
    ///
    /// # Errors
    /// As [`Stack::attach`].
    pub fn record(stack: &Arc<Stack>, figure: Arc<Figure>, posed: &Posed) -> Result<Self, Fault> {
        let (mut end, mut steps) = (Stack::clone(stack), Vec::new());
        end.attach(posed, |target, anchor| steps.push((target, anchor)))?;
        Ok(Self { figure, start: stack.clone(), end: Arc::new(end), steps })
    }

    /// Returns the stack with the attached targets resolved, except those of modifiers that are off.
    pub const fn stack(&self) -> &Arc<Stack> {
        &self.end
    }

    /// Returns the stack at an instant: targets of later steps are not resolved.
    pub fn stack_at(&self, at: Cursor) -> Stack {
        let mut stack = Stack::clone(&self.start);
        for (target, anchor) in self.steps.iter().take(at.step + 1) {
            stack.put_attached(*target, anchor);
        }
        stack
    }

    /// Returns the targets in the order of resolving, with the transforms of their anchors.
    pub fn anchors(&self) -> &[(Attached, RigidTransform)] {
        &self.steps
    }

    /// Returns the label of a target on screen: `left hand`, `look at 1`.
    pub fn name(&self, target: Attached) -> String {
        match target {
            Attached::Effector(effector) => label(effector.key()),
            Attached::Modifier(index) => {
                let name = self.start.modifiers.get(index).map_or("", Modifier::name);
                format!("{name} {}", index + 1)
            }
        }
    }

    fn anchor_name(&self, target: Attached) -> String {
        self.start.attachment(target).map_or_else(String::new, |own| own.to.label())
    }

    fn tint(&self, target: Attached) -> Tint {
        match target {
            Attached::Effector(effector) => Tint::Node(effector.node()),
            Attached::Modifier(_) => Tint::Own,
        }
    }

    /// Returns the position of a target before and after its step; the same twice if it had none before.
    fn ends(&self, target: Attached) -> [Vec3; 2] {
        let after = self.end.target(target).0.unwrap_or_default();
        [self.start.target(target).0.unwrap_or(after), after]
    }

    fn place(&self, step: usize, at: Option<Cursor>) -> Vec3 {
        let Some((target, _)) = self.steps.get(step) else { return Vec3::ZERO };
        let [before, after] = self.ends(*target);
        if at.is_some_and(|at| step <= at.step) { after } else { before }
    }
}

impl Run for AttachRun {
    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let name = self.steps.get(step).map_or_else(String::new, |(target, _)| self.name(*target));
        StepView {
            iteration: None,
            key: "attach",
            short: name.clone(),
            name,
            sentence: "Moves the target to its offset from the bone or effector that it is attached to.",
            is_end: step + 1 == self.steps.len(),
        }
    }

    fn events(&self, step: usize) -> usize {
        usize::from(step < self.steps.len())
    }

    fn event(&self, step: usize, _: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(&(target, _)) = self.steps.get(step) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let [from, to] = self.ends(target);
        let size = from.distance(to);
        let text = format!("{}: follows {}, moved {}", self.name(target), self.anchor_name(target), length(size));
        EventView { tint: self.tint(target), size, text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "targets"
    }

    fn cause(&self, step: usize, _: usize) -> CauseView {
        let Some(&(target, _)) = self.steps.get(step) else { return CauseView::default() };
        let label = format!("attached to {}", self.anchor_name(target));
        CauseView { label, chain: "attachments".to_owned(), tint: self.tint(target) }
    }

    fn formula(&self, step: usize, _: usize) -> Option<Sheet> {
        let (target, anchor) = *self.steps.get(step)?;
        let own = self.start.attachment(target)?;
        let anchor_name = own.to.label();
        let mut sheet = Sheet::default();
        let of_target = match own.to {
            Anchor::Effector(_) => " (of its target, if that has weight)",
            Anchor::Bone(_) => "",
        };
        let place = format!("Position of {anchor_name}{of_target} before the solve, in model units.");
        let place = sheet.given("p", Point(anchor.position), place);
        let turn = format!("Rotation of {anchor_name}{of_target} before the solve, as an angle.");
        let turn = sheet.given("R", anchor.rotation, turn);
        let meaning = format!("Vector from {anchor_name} to the target, in the space of {anchor_name}; model units.");
        let offset = sheet.given("offset", own.offset, meaning);
        if let Some(rotation) = own.rotation_offset {
            let meaning = format!("Rotation of the target in the space of {anchor_name}, as an angle.");
            let rotation = sheet.given("r", rotation, meaning);
            sheet.define("rotation", turn * rotation, "New rotation of the target, as an angle.");
        }
        let title = format!("{}, attached to {anchor_name}", self.name(target));
        Some(sheet.end_with(title, "target", place + turn * offset, "New position of the target, in model units."))
    }

    fn numbers(&self, step: usize, length: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(&(target, _)) = self.steps.get(step) else { return Vec::new() };
        let Some(own) = self.start.attachment(target) else { return Vec::new() };
        let numbers = format!("to {}, offset {}", own.to.label(), coordinates(own.offset, length));
        vec![Numbers { tint: self.tint(target), what: self.name(target), numbers }]
    }

    fn measures(&self) -> Vec<MeasureView> {
        vec![MeasureView {
            key: "to_go".to_owned(),
            label: "remaining, attached targets".to_owned(),
            unit: Unit::Length,
            family: "remaining",
            tint: Tint::Own,
            is_error: true,
        }]
    }

    fn measure(&self, _: usize, at: Cursor) -> f32 {
        let left = |step: usize| self.place(step, Some(at)).distance(self.place(step, Some(Cursor::end(self))));
        (0..self.steps.len()).map(left).sum()
    }

    fn main_measure(&self) -> Option<usize> {
        Some(0)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |&(target, _): &(Attached, RigidTransform)| PointView {
            key: match target {
                Attached::Effector(effector) => effector.key().to_owned(),
                Attached::Modifier(index) => format!("modifier_{index}"),
            },
            label: format!("{}, target", self.name(target)),
            tint: self.tint(target),
            bone: None,
        };
        self.steps.iter().map(point).collect()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        (0..self.steps.len()).map(|step| self.place(step, Some(at))).collect()
    }

    fn start(&self) -> Vec<Vec3> {
        (0..self.steps.len()).map(|step| self.place(step, None)).collect()
    }

    fn pose(&self, _: Cursor, _: &mut [RigidTransform]) {}

    fn moves_bones(&self) -> bool {
        false
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.moved {
            return;
        }
        let Some(&(target, anchor)) = self.steps.get(at.step) else { return };
        let [from, to] = self.ends(target);
        let node = match target {
            Attached::Effector(effector) => effector.node(),
            Attached::Modifier(_) => Node::Body,
        };
        out.line(anchor.position, to, Subject::Displacement(node));
        if from != to {
            out.arrow(from, to, Subject::Displacement(node));
        }
        if let Attached::Effector(effector) = target {
            let weight = self.end.full_body.effector(effector).position_weight;
            out.point(to, 0.02 * self.figure.height, Subject::Target { effector, weight });
        }
    }
}
