//! Lessons on the algorithm: steps with a text, an instant to look at and a task whose condition the program measures.

pub mod condition;
pub mod control;
pub mod glossary;
pub mod lessons;
pub mod links;
pub(crate) mod pane;
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod reference;
pub mod session;
pub(crate) mod words;

use kinescope_ik::full_body::Node;
use kinescope_ik::stack::LayerId;

use condition::{Condition, Place};
use control::Control;
use lessons::LESSONS;
use progress::Progress;
use reference::ReferenceAction;

use crate::world::document::Document;

#[derive(Debug)]
pub struct Lesson {
    /// Name of the lesson in the stored progress. Another name would lose the progress.
    pub key: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub scene: &'static str,
    /// Page of the book, below `docs/`.
    pub page: &'static str,
    pub steps: &'static [Step],
}

/// The first and the last joint of a chain in [`Step::joints`].
pub(crate) const ROOT: usize = 0;
pub(crate) const END: usize = usize::MAX;

#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// `[term]` and `[words|term]` are terms of the glossary.
    pub text: &'static str,
    /// A scene that starts anew with this step.
    pub scene: Option<&'static str>,
    /// Changes the document of `scene` before the step shows its instant.
    pub(crate) prepare: Option<fn(&mut Document)>,
    pub look: Look,
    /// The parameters that the step shows as sliders, by their paths in presets.
    pub controls: &'static [&'static str],
    /// Controls outside the lesson's pane, highlighted until the task is done.
    pub highlights: &'static [Control],
    pub marks: &'static [Node],
    /// Marked joints of lanes of the chain lab. [`END`] is the last joint.
    pub joints: &'static [(LayerId, usize)],
    pub formula: Formula,
    pub task: Option<Task>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    Keep,
    Live,
    At(Place),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    Never,
    Always,
    /// The formula appears only once the task is done, because the stage that the text explains is shown only then.
    AfterTask,
}

#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub text: &'static str,
    pub hint: &'static str,
    /// The condition is measured on the session, so that any way to meet it counts.
    pub condition: Condition,
    pub actions: &'static [ReferenceAction],
}

impl Step {
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            scene: None,
            prepare: None,
            look: Look::Keep,
            controls: &[],
            highlights: &[],
            marks: &[],
            joints: &[],
            formula: Formula::Never,
            task: None,
        }
    }

    pub(crate) const fn scene(self, scene: &'static str) -> Self {
        Self { scene: Some(scene), ..self }
    }

    pub(crate) const fn prepared(self, scene: &'static str, prepare: fn(&mut Document)) -> Self {
        Self { scene: Some(scene), prepare: Some(prepare), ..self }
    }

    pub(crate) const fn live(self) -> Self {
        Self { look: Look::Live, ..self }
    }

    pub const fn at(self, place: Place) -> Self {
        Self { look: Look::At(place), ..self }
    }

    pub(crate) const fn controls(self, controls: &'static [&'static str]) -> Self {
        Self { controls, ..self }
    }

    pub(crate) const fn highlights(self, highlights: &'static [Control]) -> Self {
        Self { highlights, ..self }
    }

    pub const fn marks(self, marks: &'static [Node]) -> Self {
        Self { marks, ..self }
    }

    pub const fn joints(self, joints: &'static [(LayerId, usize)]) -> Self {
        Self { joints, ..self }
    }

    pub const fn formula(self) -> Self {
        Self { formula: Formula::Always, ..self }
    }

    pub(crate) const fn formula_after_task(self) -> Self {
        Self { formula: Formula::AfterTask, ..self }
    }

    pub const fn task(
        self,
        text: &'static str,
        hint: &'static str,
        condition: Condition,
        actions: &'static [ReferenceAction],
    ) -> Self {
        Self { task: Some(Task { text, hint, condition, actions }), ..self }
    }
}

impl Lesson {
    pub fn find(key: &str) -> Option<(usize, &'static Self)> {
        LESSONS.iter().copied().enumerate().find(|(_, lesson)| lesson.key == key)
    }

    /// Returns the indices of a lesson and its step. `text` is a lesson's key or title in any case, optionally with
    /// `:N` after it for step N, counted from 1.
    pub fn named(text: &str) -> Option<(usize, Option<usize>)> {
        let find = |name: &str| {
            LESSONS
                .iter()
                .enumerate()
                .find(|(_, own)| [own.key, own.title].iter().any(|own| own.eq_ignore_ascii_case(name)))
        };
        if let Some((lesson, _)) = find(text) {
            return Some((lesson, None));
        }
        let (name, number) = text.rsplit_once(':')?;
        let (lesson, own) = find(name)?;
        let step = number.parse::<usize>().ok()?.checked_sub(1).filter(|step| *step < own.steps.len())?;
        Some((lesson, Some(step)))
    }

    /// Returns the scene of a step: its own, or that of the last earlier step that starts one, or else the lesson's.
    pub fn scene_of(&self, step: usize) -> &'static str {
        self.start_of(step).0
    }
    pub(crate) fn start_of(&self, step: usize) -> (&'static str, Option<fn(&mut Document)>) {
        let own = self.steps.iter().take(step + 1).rev().find_map(|step| Some((step.scene?, step.prepare)));
        own.unwrap_or((self.scene, None))
    }

    pub fn tasks(&self) -> usize {
        self.steps.iter().filter(|step| step.task.is_some()).count()
    }
}

#[derive(Default)]
pub struct Learn {
    /// Indices of the lesson and the step. `None` shows the list of lessons.
    pub at: Option<(usize, usize)>,
    /// Whether the condition of the step's task has been met since the step began.
    pub is_met: bool,
    pub(crate) shows_hint: bool,
    pub progress: Progress,
    /// Whether the step still has to show its instant, which it does once its scene is solved.
    arrives: bool,
    /// Whether the step's scene was started and its [`Step::prepare`], if any, has not run yet.
    prepares: bool,
    /// The scene that a lesson started last.
    scene: Option<&'static str>,
    /// Reference actions that have not run yet, the next one last.
    to_do: Vec<ReferenceAction>,
    /// Time until the next reference action, seconds.
    wait: f32,
}

impl Learn {
    pub fn shown(&self) -> Option<(&'static Lesson, &'static Step)> {
        let (lesson, step) = self.at?;
        let lesson = LESSONS.get(lesson)?;
        Some((lesson, lesson.steps.get(step)?))
    }

    pub fn is_busy(&self) -> bool {
        self.arrives || !self.to_do.is_empty() || self.wait > 0.0
    }

    pub(crate) fn leave_scene(&mut self) {
        self.scene = None;
    }
}
