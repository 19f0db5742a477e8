//! Modifiers before IK, as a layer.

use std::sync::Arc;

use crate::error::{Fault, Problem};
use crate::full_body::InputError;
use crate::modifiers::{self, ModifiedInput, Modifier, ModifierHooks, ModifierRun};
use crate::stack::kind::{Kind, PoseSource, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::{Modified, Pass};
use crate::stack::solved::Solved;
use crate::stepped::Cursor;
use crate::timing::Work;

pub(crate) struct Modifiers;

pub(super) fn is_any_on(stack: &Stack) -> bool {
    // Trackers may add a head modifier while the frame is solved.
    stack.poses_body() && (stack.order.trackers.on || stack.modifiers.iter().any(Modifier::is_on))
}

impl Kind for Modifiers {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        is_any_on(stack)
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        !stack.modifiers.is_empty() || stack.order.trackers.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let run = before_read(pass, poses, memory);
        pass.laps.end(Work::Modifiers);
        Some(run.map(Solved::new))
    }

    fn forget(&self, stack: &Stack, memory: &mut Memory) {
        for (modifier, memory) in stack.modifiers.iter().zip(&mut memory.modifiers) {
            if !modifier.is_on() {
                *memory = modifiers::Memory::Nothing;
            }
        }
    }

    fn pose_source_at(&self, run: &Solved, at: Cursor) -> PoseSource {
        run.of::<ModifierRun>().map_or(PoseSource::Bones, |run| PoseSource::Modifiers(run.input_at(at).map(Arc::new)))
    }
}

fn before_read(pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Result<ModifierRun, String> {
    let pose = poses.pose;
    let moment = pass.moment().ok_or_else(|| pass.no_biped())?;
    let expected = moment.figure.bones();
    if pose.len() < expected {
        let problem = Problem::Length { what: "bones", found: pose.len(), expected };
        return Err(Fault::new("animated", problem).to_string());
    }
    let stack = pass.stack.clone();
    if let Ok(solver) = &pass.rig.full_body {
        // Modifiers do not run on a pose that the full body cannot solve.
        let usable = solver.check_pose_and_settings(&stack.full_body, pose);
        let named = |error: InputError| error.because_of(&stack.full_body).fault(&pass.rig.skeleton, pose);
        usable.map_err(|error| named(error).to_string())?;
    }
    let start = ModifiedInput { settings: stack.full_body, pose: pose.clone(), memory: memory.modifiers.clone() };
    let run = ModifierRun::before(stack.modifiers.clone(), moment.clone(), start);
    pass.modified = run.input_recording().map(|recording| {
        let hooks = ModifierHooks::new(stack.modifiers.clone(), recording, moment);
        Modified { input: Arc::new(recording.end().clone()), hooks: Arc::new(hooks) }
    });
    if let Some(Modified { input, .. }) = &pass.modified {
        pose.clone_from(&input.pose);
        memory.modifiers.clone_from(&input.memory);
    }
    Ok(run)
}
