//! What a kind of modifier is.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::act::Seen;
use super::ask::{Ask, Bones};
use crate::error::Fault;
use crate::full_body::{Author, Frame, Pushing, Settings, Stage, State, Step};
use crate::parameter::Parameters;

/// What one kind of modifier does at each phase, as functions of its settings and of what it remembers.
pub trait Kind: Parameters {
    /// What it keeps from frame to frame.
    type Memory: Copy + Default + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned;

    /// Lets the frame's time pass.
    fn pass(&self, _memory: &mut Self::Memory, _seen: &Seen) {}

    /// Begins, for one that is told when: a shot, a reach.
    fn trigger(&self, _memory: &mut Self::Memory) {}

    /// Whether the next frame will differ without anything else moving.
    fn is_moving(&self, _memory: &Self::Memory) -> bool {
        false
    }

    /// See [`Modify::before_read`](super::Modify::before_read); the time has passed.
    fn before_read(&self, _memory: &mut Self::Memory, _ask: &mut Ask) {}

    /// See [`Modify::pushes_at`](super::Modify::pushes_at).
    fn pushes_at(&self, _stage: Stage) -> bool {
        false
    }

    /// See [`Modify::push`](super::Modify::push).
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

    /// Whether [`Self::bend`] does anything: if so, a batch solves the character alone.
    fn sets_bends(&self) -> bool {
        false
    }

    /// See [`Modify::bend`](super::Modify::bend).
    fn bend(&self, _memory: &Self::Memory, _seen: &Seen, _state: &State, _frame: &mut Frame) {}

    /// See [`Modify::after_write`](super::Modify::after_write).
    fn after_write(&self, _memory: &Self::Memory, _asked: &Settings, _bones: &mut Bones) {}

    /// # Errors
    /// [`Fault`] for what is wrong beside the numbers.
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}
