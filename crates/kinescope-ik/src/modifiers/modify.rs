//! The phases of a modifier.

use super::act::Seen;
use super::ask::{Ask, Bones};
use crate::full_body::{Author, Frame, Pushing, Settings, Stage, State, Step};

/// Whatever acts at some of a solve's phases. Every phase does nothing unless it says otherwise.
pub trait Modify {
    /// What it is, in a word or two: `recoil`.
    fn name(&self) -> &'static str;

    /// Before the pose and the settings are read. The one phase in which it may change what it remembers: it comes once
    /// for each frame.
    fn before_read(&mut self, _ask: &mut Ask) {}

    /// Whether it pushes nodes there: one of [`Stage::HOOKS`].
    fn pushes_at(&self, _stage: Stage) -> bool {
        false
    }

    /// Pushes nodes, between two stages.
    fn push(&self, _author: Author, _at: Step, _seen: &Seen, _frame: &Frame, _nodes: &mut Pushing) {}

    /// Says how elbows and knees bend, before they do: `frame` is what the bend pass goes by, `state` what it finds.
    fn bend(&self, _seen: &Seen, _state: &State, _frame: &mut Frame) {}

    /// After the pose is written. `asked` is what was asked of the solve in the end.
    fn after_write(&self, _asked: &Settings, _bones: &mut Bones) {}
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

    fn after_write(&self, asked: &Settings, bones: &mut Bones) {
        (**self).after_write(asked, bones);
    }
}

/// The author of that place in the order.
pub(super) fn author(index: usize, name: &'static str) -> Author {
    Author { index: u8::try_from(index).unwrap_or(u8::MAX), name }
}
