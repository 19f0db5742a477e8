//! The lessons in the order of the list: their texts, scenes, tasks and reference actions.

mod body;
mod chains;
pub mod glossary;
mod ground;
mod writing;

use super::Lesson;
use super::control::Control;
use crate::session::commands::Command;

const NEXT: Control = Control::Button(Command::NextStage);

pub const LESSONS: &[&Lesson] = &[
    &chains::NODE,
    &chains::FABRIK,
    &chains::CCD,
    &chains::TRIANGLE,
    &chains::BEND_LESSON,
    &body::BODY_LESSON,
    &body::PUSH,
    &body::REACH,
    &body::PULL,
    &body::STAGE1,
    &body::STAGE2,
    &writing::MAPPING,
    &writing::ITERATIONS,
    &ground::FOOT_IK,
    &ground::PREDICTION,
    &ground::LOCK,
    &ground::BLENDING,
    &writing::PORT,
];
