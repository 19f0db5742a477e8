//! The lessons' texts are in `lessons/`.

use std::fmt::Display;

pub(crate) const TITLE: &str = "Learn";
pub(crate) const WHAT: &str = "Show lessons that teach the algorithm step by step.";
pub(crate) const INTRODUCTION: &str = "Each lesson opens a scene and explains it in short steps. You do the tasks in the \
    window with mouse and keys, and the program measures when a task is done.";
pub(crate) fn lesson_row(number: &dyn Display, title: &dyn Display) -> String {
    format!("{number}. {title}")
}
pub(crate) fn tasks_done(done: &dyn Display, all: &dyn Display) -> String {
    format!("{done} of {all}")
}
pub(crate) fn tasks_done_help(done: &dyn Display, all: &dyn Display) -> String {
    format!("{done} of {all} tasks done")
}

pub(crate) const ALL_LESSONS: &str = "All lessons";
pub(crate) const ALL_LESSONS_HELP: &str = "Shows the list of lessons and keeps your step.";
pub(crate) const BACK: &str = "Back";
pub(crate) const NEXT: &str = "Next";
pub(crate) const NEXT_LESSON: &str = "Next lesson";
pub(crate) fn step_of(step: &dyn Display, steps: &dyn Display) -> String {
    format!("{step} / {steps}")
}
pub(crate) fn step_help(step: &dyn Display, is_done: bool) -> String {
    if is_done { format!("Step {step}, task done") } else { format!("Step {step}") }
}
pub(crate) const TASK: &str = "Task";
pub(crate) const DONE: &str = "Done";
pub(crate) const DONE_ELSEWHERE: &str = "The task is done. The tab Learn returns to the lesson";
pub(crate) const OPEN: &str = "To do";
pub(crate) const HINT: &str = "Hint";
pub(crate) const HINT_HELP: &str = "Shows how to do the task.";
pub(crate) const SHOW_ME: &str = "Show me";
pub(crate) const SHOW_ME_HELP: &str = "Does the task for you.";
pub(crate) const AGAIN: &str = "Start over";
pub(crate) fn again_help(scene: &dyn Display) -> String {
    format!("Starts the scene «{scene}» again and, if this step is about an instant, shows that instant.")
}
pub(crate) const PARAMETERS: &str = "Parameters";
pub(crate) const PARAMETERS_HINT: &str = "As in the inspector";
pub(crate) const HIGHLIGHTED: &str = "Highlighted";
pub(crate) fn highlighted_row(name: &dyn Display, pane: &dyn Display) -> String {
    format!("{name} ({pane})")
}
pub(crate) fn highlighted_step_of(step: &dyn Display, iteration: &dyn Display) -> String {
    format!("{step} of iteration {iteration}")
}
pub(crate) const PACE: &str = "pace";
pub(crate) const LAYER_WEIGHT: &str = "weight of the pose layer";
pub(crate) const LAYER_SWITCH: &str = "switch of the pose layer";
pub(crate) const HIGHLIGHTED_MOVE: &str = "Move";
pub(crate) const HIGHLIGHTED_CLIPS: &str = "Clip";
pub(crate) fn highlighted_lane(lane: &dyn Display) -> String {
    format!("Lane {lane}")
}
pub(crate) const SHOW_CONTROL: &str = "Show";
pub(crate) fn show_control_help(pane: &dyn Display) -> String {
    format!(
        "Opens the pane {pane} at this control. Disabled while the control is on screen or the task does not need it."
    )
}
pub(crate) const BOOK: &str = "Book";
pub(crate) fn book_help(page: &dyn Display) -> String {
    format!("Opens the book's page in the browser: {page}")
}
pub(crate) fn name_book(page: &dyn Display) -> String {
    format!("Page of the book: {page}")
}
pub(crate) fn page_opened(address: &dyn Display) -> String {
    format!("Opening {address} in the browser. The address is also on the clipboard")
}
pub(crate) const EXPLAINED: &str = "Explained here";
pub(crate) const STAGES: &str = "Stages";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) fn stage_help(stage: &dyn Display) -> String {
    format!("Shows the end of {stage}.")
}
pub(crate) fn parameter_help(parameter: &dyn Display) -> String {
    format!("Shows {parameter} in the inspector.")
}

pub(crate) const FIRST_START: &str = "Lessons";
pub(crate) const FIRST_START_HELP: &str =
    "Opens the list of lessons, which explain the solver step by step. Later, open it with Help, Learn.";
pub(crate) fn lesson_of_step(lesson: &dyn Display) -> String {
    format!("Why does this stage exist? Opens the lesson «{lesson}».")
}
pub(crate) const LESSONS: &str = "Lessons";
pub(crate) const LESSONS_HINT: &str = "On these parameters";
pub(crate) fn lesson_of_selection(lesson: &dyn Display) -> String {
    format!("Opens the lesson «{lesson}».")
}
pub(crate) fn name_lesson(on: &dyn Display, lesson: &dyn Display) -> String {
    format!("Lesson on the {on}: {lesson}")
}
pub(crate) const ON_SELECTION: &str = "selection";
pub(crate) const ON_FORMULA: &str = "formula";
pub(crate) const ON_STAGE: &str = "stage";

pub(crate) const EDIT: &str = "task of a lesson";
pub(crate) fn moved(effector: &dyn Display) -> String {
    format!("move {effector}")
}
