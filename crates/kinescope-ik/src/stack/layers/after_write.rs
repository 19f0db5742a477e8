//! Modifiers after IK, as a layer.

use super::modifiers::is_any_on;
use crate::modifiers::ModifierRun;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct AfterWrite;

impl Kind for AfterWrite {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        is_any_on(stack)
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        !stack.modifiers.is_empty() || stack.order.trackers.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        let (modified, moment) = (pass.modified.as_ref()?, pass.moment()?);
        // Modifiers continue a solve: they do not run after a failed solve, or if the character has neither a full
        // body nor goals for its limbs.
        let is_solved = !pass.body_failed && (pass.goals.is_some() || pass.rig.full_body.is_ok());
        let (modifiers, input) = (pass.stack.modifiers.clone(), modified.input.clone());
        let run = is_solved.then(|| ModifierRun::after(modifiers, moment, input, poses.pose))?;
        pass.laps.end(Work::Modifiers);
        Some(Ok(Solved::new(run)))
    }
}
