//! Texts of this tool, grouped by control. The lessons' texts are in `lessons/`.

use std::fmt::Display;

pub const TITLE: &str = "Learn";
pub const WHAT: &str = "Show lessons that teach the algorithm step by step.";
pub const INTRODUCTION: &str = "Each lesson opens a scene and explains it in short steps. You do the tasks in the \
    window with mouse and keys, and the program measures when a task is done.";
pub fn lesson_row(number: &dyn Display, title: &dyn Display) -> String {
    format!("{number}. {title}")
}
pub fn tasks_done(done: &dyn Display, all: &dyn Display) -> String {
    format!("{done} of {all}")
}
pub fn tasks_done_help(done: &dyn Display, all: &dyn Display) -> String {
    format!("{done} of {all} tasks done")
}

pub const ALL_LESSONS: &str = "All lessons";
pub const ALL_LESSONS_HELP: &str = "Shows the list of lessons and keeps your step.";
pub const BACK: &str = "Back";
pub const NEXT: &str = "Next";
pub const NEXT_LESSON: &str = "Next lesson";
pub fn step_of(step: &dyn Display, steps: &dyn Display) -> String {
    format!("{step} / {steps}")
}
pub fn step_help(step: &dyn Display, is_done: bool) -> String {
    if is_done { format!("Step {step}, task done") } else { format!("Step {step}") }
}
pub const TASK: &str = "Task";
pub const DONE: &str = "Done";
pub const DONE_ELSEWHERE: &str = "The task is done. The tab Learn has the next step";
pub const OPEN: &str = "To do";
pub const HINT: &str = "Hint";
pub const HINT_HELP: &str = "Shows how to do the task.";
pub const SHOW_ME: &str = "Show me";
pub const SHOW_ME_HELP: &str = "Does the task for you.";
pub const AGAIN: &str = "Start over";
pub fn again_help(scene: &dyn Display) -> String {
    format!("Starts the scene «{scene}» again and shows the instant of this step.")
}
pub const PARAMETERS: &str = "Parameters";
pub const PARAMETERS_HINT: &str = "As in the inspector";
pub const HIGHLIGHTED: &str = "Highlighted";
pub fn highlighted_row(name: &dyn Display, pane: &dyn Display) -> String {
    format!("{name} ({pane})")
}
pub fn highlighted_step_of(step: &dyn Display, iteration: &dyn Display) -> String {
    format!("{step} of iteration {iteration}")
}
pub const PACE: &str = "pace";
pub const LAYER_WEIGHT: &str = "weight of the pose layer";
pub const LAYER_SWITCH: &str = "switch of the pose layer";
pub const HIGHLIGHTED_MOVE: &str = "Move";
pub const HIGHLIGHTED_CLIPS: &str = "Clip";
pub fn highlighted_lane(lane: &dyn Display) -> String {
    format!("Lane {lane}")
}
pub const SHOW_CONTROL: &str = "Show";
pub fn show_control_help(pane: &dyn Display) -> String {
    format!("Opens the pane {pane} at this control. Disabled while the control is on screen.")
}
pub const BOOK: &str = "Book";
pub fn book_help(page: &dyn Display) -> String {
    format!("Opens the book's page in the browser: {page}")
}
pub fn name_book(page: &dyn Display) -> String {
    format!("Page of the book: {page}")
}
pub fn page_opened(address: &dyn Display) -> String {
    format!("Opened {address} in the browser. The address is copied too")
}
pub const EXPLAINED: &str = "Explained here";
pub const STAGES: &str = "Stages";
pub const SETTINGS: &str = "Settings";
pub fn stage_help(stage: &dyn Display) -> String {
    format!("Shows the end of {stage}.")
}
pub fn parameter_help(parameter: &dyn Display) -> String {
    format!("Shows {parameter} in the inspector.")
}

pub const FIRST_START: &str = "Lessons";
pub const FIRST_START_HELP: &str = "Opens lessons that explain the solver step by step. Later: Help, Learn.";
pub fn lesson_of_step(lesson: &dyn Display) -> String {
    format!("Why does this stage exist? Opens the lesson «{lesson}».")
}
pub const LESSONS: &str = "Lessons";
pub const LESSONS_HINT: &str = "On these parameters";
pub fn lesson_of_selection(lesson: &dyn Display) -> String {
    format!("Opens the lesson «{lesson}».")
}
pub fn name_lesson(on: &dyn Display, lesson: &dyn Display) -> String {
    format!("Lesson on the {on}: {lesson}")
}
pub const ON_SELECTION: &str = "selection";
pub const ON_FORMULA: &str = "formula";
pub const ON_STAGE: &str = "stage";

pub const EDIT: &str = "task of a lesson";
pub fn moved(effector: &dyn Display) -> String {
    format!("move {effector}")
}
