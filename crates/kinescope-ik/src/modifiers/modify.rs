//! Interface of a modifier: its phases.

use super::act::Seen;
use super::ask::{Ask, Bones};
use crate::full_body::{Author, Frame, Pushing, Settings, Stage, State, Step};

/// Code that acts at some phases of a solve. The default methods do nothing.
pub trait Modify {
    /// Returns a short name of the kind: `recoil`.
    fn name(&self) -> &'static str;

    /// Runs once per frame before pose and settings are read. Only this phase may change the modifier's memory.
    fn before_read(&mut self, _ask: &mut Ask) {}

    /// Returns whether the modifier pushes nodes at a stage, one of [`Stage::HOOKS`].
    fn pushes_at(&self, _stage: Stage) -> bool {
        false
    }

    /// Pushes nodes at a stage for which [`Self::pushes_at`] returns true.
    fn push(&self, _author: Author, _at: Step, _seen: &Seen, _frame: &Frame, _nodes: &mut Pushing) {}

    /// Sets bend directions in `frame`; only the bend pass uses them. `state` is the state before the bend pass.
    fn bend(&self, _seen: &Seen, _state: &State, _frame: &mut Frame) {}

    /// Runs after the pose is written; at master weight 0, when nothing is written, on the animated pose.
    /// `used_settings` are the settings of the solve.
    fn after_write(&self, _used_settings: &Settings, _bones: &mut Bones) {}
}

impl<M: Modify + ?Sized> Modify for &mut M {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn before_read(&mut self, ask: &mut Ask) {
        (**self).before_read(ask);
    }

    fn pushes_at(&self, stage: Stage) -> bool {
        (**self).pushes_at(stage)
    }

    fn push(&self, author: Author, at: Step, seen: &Seen, frame: &Frame, nodes: &mut Pushing) {
        (**self).push(author, at, seen, frame, nodes);
    }

    fn bend(&self, seen: &Seen, state: &State, frame: &mut Frame) {
        (**self).bend(seen, state, frame);
    }

    fn after_write(&self, used_settings: &Settings, bones: &mut Bones) {
        (**self).after_write(used_settings, bones);
    }
}

/// Creates the author with an index in the order of modifiers; indices above 255 become 255.
pub(super) fn author(index: usize, name: &'static str) -> Author {
    Author { index: u8::try_from(index).unwrap_or(u8::MAX), name }
}
