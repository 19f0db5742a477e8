//! The interface of a layer.

use std::sync::Arc;

use super::layer_id::{LayerId, Memory};
use super::order::Stack;
use super::parameters::Owner;
use super::pass::Pass;
use super::rig::Rig;
use super::solved::Solved;
use crate::grounding::Output;
use crate::modifiers::ModifiedInput;
use crate::rig::RigidTransform;
use crate::stepped::Cursor;

pub(super) struct Poses<'a> {
    /// The layer's input pose: the previous layer's output, for the first layer the pose that the frame starts from,
    /// and for lanes of the full-body lab the full body's input.
    pub given: &'a Arc<Vec<RigidTransform>>,
    /// The output, at first equal to `given`; the layer changes it in place.
    pub pose: &'a mut Vec<RigidTransform>,
}

/// What determines the pose at an instant of a layer's run.
pub(super) enum PoseSource {
    /// The bones as posed by the run.
    Bones,
    /// The stack, with the targets that the layer has set so far.
    Stack(Arc<Stack>),
    /// The full body's input after the modifiers so far; `None` if the run has no input.
    Modifiers(Option<Arc<ModifiedInput>>),
    /// The goals of feet and pelvis.
    Goals(Output),
}

/// A kind of layer. `id` identifies one layer of this kind; chains and lanes take their index from it.
pub(super) trait Kind: Sync {
    fn is_on(&self, id: LayerId, stack: &Stack) -> bool;

    /// Returns whether the layer is listed in the solve order, on or off.
    fn is_listed(&self, id: LayerId, stack: &Stack) -> bool {
        self.is_on(id, stack)
    }

    /// Returns whether the layer poses the body from targets, so that it can solve a lane of the full-body lab. Only
    /// layers of topic [`Posing`](super::layer_id::Topic::Posing) are asked.
    fn solves_body(&self) -> bool {
        true
    }

    /// Solves the layer; `None` if there is nothing for it to do.
    fn solve(&self, id: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>>;

    /// Clears the fields of the layer's memory that the table does not declare, if the layer or the option that needs
    /// them is off.
    fn forget(&self, _stack: &Stack, _memory: &mut Memory) {}

    /// Returns the goals of feet and pelvis at an instant of the layer's run, or at the run's end if `at` is `None`.
    /// Layers that set no goals return `None`.
    fn goals(&self, _run: &Solved, _at: Option<Cursor>) -> Option<Output> {
        None
    }

    fn pose_source_at(&self, run: &Solved, at: Cursor) -> PoseSource {
        self.goals(run, Some(at)).map_or(PoseSource::Bones, PoseSource::Goals)
    }

    fn label(&self, id: LayerId, _stack: &Stack) -> String {
        id.label()
    }

    /// Returns the owner of the layer's main settings; [`Owner::Solver`] for the full body, and for layers without
    /// settings of their own.
    fn owner(&self, id: LayerId, _stack: &Stack) -> Owner {
        id.settings_path().map_or(Owner::Solver, |_| Owner::Settings(id))
    }

    /// Returns the setting that is true if the layer is switched on; `None` for layers without such a setting, such as
    /// the full body, whose switch is true if it is off.
    fn switch<'a>(&self, _stack: &'a mut Stack) -> Option<&'a mut bool> {
        None
    }

    /// Returns the reason why a layer that is on has no run, in two words.
    fn missing(&self, _rig: &Rig) -> &'static str {
        "no result"
    }
}
