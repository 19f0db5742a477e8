//! The layers of a stack's last solve, step by step and event by event.

use std::ffi::c_char;

use kinescope_library::RigidTransform;
use kinescope_library::stack::{Frame, Layer};
use kinescope_library::stepped::{Cursor, Run};

use crate::pose::KinescopePose;
use crate::stack::KinescopeStack;
use crate::{KinescopeStatus, Refused, guard, look, object, object_mut, shared, write_text_or_none};

/// The frame of the last solve, and the root of its poses.
#[derive(Default)]
pub(crate) struct Solved {
    pub frame: Frame,
    pub root: RigidTransform,
    pub pose: Vec<RigidTransform>,
}

impl Solved {
    /// Returns the layers that were solved: not those that were off, had nothing to do or failed.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.frame.layers.iter().filter(|layer| layer.run().is_some())
    }

    pub fn layer(&self, layer: usize) -> Option<&Layer> {
        self.layers().nth(layer)
    }

    pub fn run(&self, layer: usize) -> Option<&dyn Run> {
        self.layer(layer)?.run()
    }

    /// Returns the instant after an event of a step; an event of -1 is the end of the step.
    pub fn at(&self, layer: usize, step: usize, event: i32) -> Option<(&dyn Run, Cursor)> {
        let run = self.run(layer).filter(|run| step < run.steps())?;
        let within = if event == -1 { None } else { Some(usize::try_from(event).ok()?) };
        let is_there = within.is_none_or(|event| event < run.events(step));
        is_there.then_some((run, Cursor { step, within }))
    }
}

/// Returns the number of layers that were solved in the last kinescope_stack_solve, without those that were off, had
/// nothing to do or failed; 0 before the first solve. The following functions take a layer by its number in the order
/// of solving.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layers(stack: *const KinescopeStack) -> usize {
    look(0, || Ok(unsafe { object(stack, "stack") }?.solved.layers().count()))
}

/// Returns the number of steps of a layer; 0 if there is no such layer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_steps(stack: *const KinescopeStack, layer: usize) -> usize {
    look(0, || Ok(unsafe { object(stack, "stack") }?.solved.run(layer).map_or(0, Run::steps)))
}

/// Returns the number of events of a step; 0 if there is no such step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_events(
    stack: *const KinescopeStack,
    layer: usize,
    step: usize,
) -> usize {
    look(0, || Ok(unsafe { object(stack, "stack") }?.solved.run(layer).map_or(0, |run| run.events(step))))
}

/// Writes the name of a layer, such as `full body`, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such layer; the following functions do the same for
/// a missing step, event or formula.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_name(
    stack: *const KinescopeStack,
    layer: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let name = own.solved.layer(layer).map(|layer| layer.id.label());
        unsafe { write_text_or_none(name.as_deref(), buffer, capacity, needed) }
    })
}

/// Writes the name of a step, and a sentence on what it does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_step(
    stack: *const KinescopeStack,
    layer: usize,
    step: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let text = own.solved.at(layer, step, -1).map(|(run, at)| {
            let step = run.step(at.step);
            format!("{}: {}", step.name, step.sentence)
        });
        unsafe { write_text_or_none(text.as_deref(), buffer, capacity, needed) }
    })
}

/// Writes what an event of a step did, with lengths in model units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_event(
    stack: *const KinescopeStack,
    layer: usize,
    step: usize,
    event: u32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let at = i32::try_from(event).ok().and_then(|event| own.solved.at(layer, step, event));
        let text = at.map(|(run, at)| run.event(at.step, event as usize, &|length| format!("{length:.4}")).text);
        unsafe { write_text_or_none(text.as_deref(), buffer, capacity, needed) }
    })
}

/// Writes the formula of an event with its numbers: two lines for each line of the formula, the second with numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_formula(
    stack: *const KinescopeStack,
    layer: usize,
    step: usize,
    event: u32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let at = i32::try_from(event).ok().and_then(|event| own.solved.at(layer, step, event));
        let sheet = at.and_then(|(run, at)| run.formula(at.step, event as usize));
        let text = sheet.map(|sheet| {
            let lines = sheet.lines.iter().map(|line| format!("{}\n{}\n", line.symbolic, line.numeric));
            lines.collect::<String>()
        });
        unsafe { write_text_or_none(text.as_deref(), buffer, capacity, needed) }
    })
}

/// Writes the pose at an instant of a layer's solve, in model space: after an event of a step, or at the end of the
/// step for an `event` of -1. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such layer, step or event. Layers
/// that only set goals leave the pose as they got it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_pose(
    stack: *mut KinescopeStack,
    layer: usize,
    step: usize,
    event: i32,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let to = unsafe { shared(pose, "pose") }?;
        let mut posed = std::mem::take(&mut own.solved.pose);
        let there = own.solved.layer(layer).zip(own.solved.at(layer, step, event));
        let Some((before, (run, at))) = there else { return Ok(KinescopeStatus::NothingToDo) };
        posed.clone_from(&before.before);
        if to.count < posed.len() {
            let why = format!("pose: has {} bones; the stack has {}", to.count, posed.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        run.pose(at, &mut posed);
        let root = own.solved.root;
        posed.iter_mut().for_each(|bone| *bone = root.to_local(bone));
        unsafe { to.write("pose", &posed) }?;
        own.solved.pose = posed;
        Ok(KinescopeStatus::Done)
    })
}
