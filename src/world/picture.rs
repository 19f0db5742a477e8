use std::sync::{Arc, OnceLock};

use kinescope_ik::debugger::variants::Variants;
use kinescope_ik::debugger::why::Why;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::{LocalPose, ModelPose};
use kinescope_ik::stack::{Gap, Stack};
use kinescope_ik::timing::{Clock, Times};

#[derive(Default)]
pub struct Picture {
    pub animated: ModelPose,
    /// The pose at the cursor, as written to the bones.
    pub pose: ModelPose,
    /// The weights of morph targets, by the indices of the model's morphs.
    pub(crate) morphs: Vec<Vec<f32>>,
    pub(crate) stack: Arc<Stack>,
    /// Gaps between bones of [`Self::pose`] and their targets.
    pub gaps: Vec<Gap>,
    /// The result of `Session::remaining_after_steps` for the frame and the layer in focus; empty until it is called.
    pub(crate) remaining: OnceLock<Vec<f32>>,
    /// Why an effector with a large gap misses its target: the selected effector, the end of the selected limb, or else
    /// the effector furthest off target. The reason is about the pose at the cursor, and the suggested change about the
    /// frame's result.
    pub why: Option<Why>,
    /// The effector that [`Self::why`] would explain. It is set while bones are written at the cursor and the
    /// effector's bone does not have its final position yet.
    pub unwritten: Option<Effector>,
    pub(crate) why_asked: Option<(Effector, u64)>,
    pub(crate) variants: Variants,
    /// Moving average of the drawing times of recent pictures. `None` if they are not measured.
    pub drawing: Option<Times>,
    /// The clock that measures times. `None` for screenshots, which must repeat bit for bit.
    pub(crate) clock: Option<Clock>,
    pub(crate) undrawn: Option<u64>,
    /// Number of solves so far. A frame that is solved again counts again.
    pub(crate) solves: u64,
    /// Number of calls of `World::compose`, which solves the stack on the drawing thread.
    pub stack_solves: u64,
    pub(crate) local: LocalPose,
}
