use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Lesson;
use crate::system::files::{SizeLimit, configuration, read_text, store_quietly};

const FILE: &str = "lessons.json";

/// Progress in all lessons. It is stored in the user's configuration folder if there is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    pub(crate) is_known: bool,
    lessons: BTreeMap<String, Done>,
    /// Whether changes are stored: true only for progress from [`Self::load`].
    #[serde(skip)]
    is_kept: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Done {
    step: usize,
    done: BTreeSet<usize>,
}

impl Progress {
    pub fn load() -> Self {
        let text = configuration(FILE).and_then(|place| read_text(&place, SizeLimit::CONFIGURATION).ok());
        let stored: Self = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Self { is_kept: true, ..stored }
    }

    pub(crate) fn is_first_start(&self) -> bool {
        self.is_kept && !self.is_known
    }

    /// Returns the step of a lesson that was shown last, or 0 if there is none, or if the lesson lacks that step now.
    pub fn step(&self, lesson: &Lesson) -> usize {
        let step = self.lessons.get(lesson.key).map_or(0, |done| done.step);
        if step < lesson.steps.len() { step } else { 0 }
    }

    pub(crate) fn is_done(&self, lesson: &Lesson, step: usize) -> bool {
        self.lessons.get(lesson.key).is_some_and(|done| done.done.contains(&step))
    }

    pub fn count(&self, lesson: &Lesson) -> usize {
        let tasks = lesson.steps.iter().enumerate().filter(|(_, step)| step.task.is_some());
        tasks.filter(|(step, _)| self.is_done(lesson, *step)).count()
    }

    pub(super) fn open(&mut self) {
        self.is_known = true;
        self.store();
    }

    pub(super) fn show(&mut self, lesson: &Lesson, step: usize) {
        self.lessons.entry(lesson.key.to_owned()).or_default().step = step;
        self.store();
    }

    pub(super) fn add(&mut self, lesson: &Lesson, step: usize) {
        self.lessons.entry(lesson.key.to_owned()).or_default().done.insert(step);
        self.store();
    }

    fn store(&self) {
        if !self.is_kept {
            return;
        }
        if let (Some(place), Ok(text)) = (configuration(FILE), serde_json::to_vec_pretty(self)) {
            store_quietly(&place, &text);
        }
    }
}
