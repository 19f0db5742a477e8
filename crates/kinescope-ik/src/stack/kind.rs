//! What a layer does.

use std::sync::Arc;

use super::layer_id::{LayerId, Memory};
use super::order::Stack;
use super::parameters::Owner;
use super::pass::Pass;
use super::solved::Solved;
use crate::grounding::Output;
use crate::modifiers::ModifiedInput;
use crate::rig::RigidTransform;
use crate::stepped::Cursor;

/// The pose that a layer changes, and the one that it was given.
pub(super) struct Poses<'a> {
    /// The previous layer's output.
    pub given: &'a Arc<Vec<RigidTransform>>,
    /// The same; the layer changes it in place.
    pub pose: &'a mut Vec<RigidTransform>,
}

/// What an instant of a layer's run changes in the picture.
pub(super) enum Seen {
    /// The bones, as the run has them.
    Bones,
    /// The stack, in which some attached targets are resolved.
    Stack(Arc<Stack>),
    /// What modifiers ask of the full body; `None` if they ask nothing.
    Modifiers(Option<Arc<ModifiedInput>>),
    /// The goals of feet and pelvis.
    Goals(Output),
}

/// One layer of the stack. `id` is the layer's own; chains and lanes take their index from it.
pub(super) trait Kind: Sync {
    /// Whether the layer is solved.
    fn is_on(&self, id: LayerId, stack: &Stack) -> bool;

    /// Whether the layer is listed in the solve order, on or off.
    fn is_listed(&self, id: LayerId, stack: &Stack) -> bool {
        self.is_on(id, stack)
    }

    /// Solves the layer; `None` if there is nothing for it to do.
    fn solve(&self, id: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>>;

    /// Clears memory that the table does not declare, where the stack says that the layer begins anew.
    fn forget(&self, _stack: &Stack, _memory: &mut Memory) {}

    /// The goals of feet and pelvis at an instant of the layer's run, at its end for `None`. Only of a layer that says
    /// where feet go.
    fn goals(&self, _run: &Solved, _at: Option<Cursor>) -> Option<Output> {
        None
    }

    /// What an instant of the layer's run changes in the picture.
    fn seen_at(&self, run: &Solved, at: Cursor) -> Seen {
        self.goals(run, Some(at)).map_or(Seen::Bones, Seen::Goals)
    }

    /// The label on screen in that stack.
    fn label(&self, id: LayerId, _stack: &Stack) -> String {
        id.label()
    }

    /// The settings that decide on the layer's result.
    fn owner(&self, id: LayerId, _stack: &Stack) -> Owner {
        id.settings_path().map_or(Owner::Solver, |_| Owner::Settings(id))
    }

    /// The setting that switches the layer on; `None` if there is none.
    fn switch<'a>(&self, _stack: &'a mut Stack) -> Option<&'a mut bool> {
        None
    }

    /// Why a layer that is on has no run, in two words.
    fn missing(&self) -> &'static str {
        "cannot"
    }
}
