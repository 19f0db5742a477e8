//! Interface of a built-in kind of modifier.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::act::Seen;
use super::ask::{Ask, Bones};
use crate::error::Fault;
use crate::full_body::{Author, Frame, Pushing, Settings, Stage, State, Step};
use crate::parameter::Parameters;

/// Behaviour of one kind of modifier at each phase, as functions of its settings and its memory.
pub trait Kind: Parameters {
    /// Values kept from frame to frame.
    type Memory: Copy + Default + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned;

    /// Advances the memory by the frame's time.
    fn pass(&self, _memory: &mut Self::Memory, _seen: &Seen) {}

    /// Starts a triggered action, such as a shot or a reach.
    fn trigger(&self, _memory: &mut Self::Memory) {}

    /// Returns whether the next frame may differ if only time passes.
    fn is_moving(&self, _memory: &Self::Memory) -> bool {
        false
    }

    /// Implements [`Modify::before_read`](super::Modify::before_read); runs after [`Self::pass`].
    fn before_read(&self, _memory: &mut Self::Memory, _ask: &mut Ask) {}

    /// Implements [`Modify::pushes_at`](super::Modify::pushes_at).
    fn pushes_at(&self, _stage: Stage) -> bool {
        false
    }

    /// Implements [`Modify::push`](super::Modify::push).
    fn push(
        &self,
        _memory: &Self::Memory,
        _author: Author,
        _at: Step,
        _seen: &Seen,
        _frame: &Frame,
        _nodes: &mut Pushing,
    ) {
    }

    /// Returns whether [`Self::bend`] does anything. If so, a batch solves the character on its own.
    fn sets_bends(&self) -> bool {
        false
    }

    /// Implements [`Modify::bend`](super::Modify::bend).
    fn bend(&self, _memory: &Self::Memory, _seen: &Seen, _state: &State, _frame: &mut Frame) {}

    /// Implements [`Modify::after_write`](super::Modify::after_write).
    fn after_write(&self, _memory: &Self::Memory, _used_settings: &Settings, _bones: &mut Bones) {}

    /// Checks settings other than numbers.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid setting.
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}
