//! Which lesson and which page of the book explain a stage or a parameter, and what a lesson explains.

use std::borrow::Cow;

use super::Lesson;
use super::lessons::LESSONS;
use crate::session::Selection;
use crate::session::Session;
use kinescope_ik::full_body::Chain;
use kinescope_ik::stack::parameters::{Owner, ParameterId};
use kinescope_ik::stack::{LayerId, Topic};
use kinescope_ik::stepped::Cursor;

/// Keys of steps of the full body, and the lesson that explains them.
const STAGES: &[(&str, &str)] = &[
    ("read", "node"),
    ("end_effectors", "body"),
    ("push", "push"),
    ("reach", "reach"),
    ("body_effectors", "body"),
    ("trigonometric", "triangle"),
    ("stage1", "stage1"),
    ("body_effectors_again", "body"),
    ("stage2", "stage2"),
    ("final_effectors", "iterations"),
    ("bend", "bend"),
    ("write_spine", "mapping"),
    ("write_head", "mapping"),
    ("write_left_arm", "mapping"),
    ("write_right_arm", "mapping"),
    ("write_left_leg", "mapping"),
    ("write_right_leg", "mapping"),
];

/// Beginnings of paths of parameters, `*` for any name, and the lesson that explains them. The first match applies.
const PARAMETERS: &[(&str, &str)] = &[
    ("solver.weight", "body"),
    ("solver.iterations", "iterations"),
    ("solver.spine_stiffness", "stage2"),
    ("solver.pull_body", "pull"),
    ("solver.spine", "mapping"),
    ("solver.head", "mapping"),
    ("chains.body.pin", "stage1"),
    ("chains.*.pull", "pull"),
    ("chains.*.push", "push"),
    ("chains.*.reach", "reach"),
    ("chains.*.bend", "bend"),
    ("chains.*.clamp", "bend"),
    ("chains.*.mapping", "mapping"),
    ("chains.*.maintain", "mapping"),
    ("effectors.*.", "body"),
    ("grounding.foot_ik.", "foot_ik"),
    ("grounding.predictive.", "prediction"),
    ("grounding.lock.", "lock"),
    ("grounding.footprints.", "lock"),
    ("grounding.", "foot_ik"),
    ("chain_ik.", "fabrik"),
    ("stack.retarget.", "blending"),
];

pub fn lesson_of_step(layer: LayerId, key: &str) -> Option<&'static Lesson> {
    let of_stage = || STAGES.iter().find(|(stage, _)| *stage == key).map(|(_, lesson)| *lesson);
    let lesson = match layer.topic() {
        Topic::Posing if layer != LayerId::FullBody => None,
        // Of the keys in `STAGES`, the other solvers in lanes have only `bend`.
        Topic::Posing | Topic::BodyLab => of_stage(),
        Topic::Chain | Topic::Lab if key == "ccd_pass" => Some("ccd"),
        Topic::Chain | Topic::Lab if key == "two_bone" => Some("triangle"),
        Topic::Chain | Topic::Lab => Some("fabrik"),
        Topic::Grounding if matches!(layer, LayerId::FootLock | LayerId::Footprints) => Some("lock"),
        Topic::Grounding if is_predictive(key) => Some("prediction"),
        Topic::Grounding => Some("foot_ik"),
        Topic::Motion | Topic::Attachments | Topic::Trackers | Topic::Modifiers => None,
    };
    Lesson::find(lesson?).map(|(_, lesson)| lesson)
}

/// Returns the lesson's page, or a page on the layer. The page of a solver is named after the solver's key.
pub fn page_of_step(layer: LayerId, key: &str) -> Cow<'static, str> {
    if let Some(lesson) = lesson_of_step(layer, key) {
        return lesson.page.into();
    }
    match layer.topic() {
        Topic::Motion => "motion.md".into(),
        Topic::Trackers => "trackers.md".into(),
        Topic::Attachments | Topic::Modifiers => "modifiers.md".into(),
        Topic::Posing if layer != LayerId::FullBody && LayerId::body_solvers().any(|solver| solver == layer) => {
            format!("solvers/{}.md", layer.key().replace('_', "-")).into()
        }
        Topic::Grounding | Topic::Posing | Topic::Chain | Topic::Lab | Topic::BodyLab => "algorithm/index.md".into(),
    }
}

/// Returns the steps that the lesson explains, of the layer in focus, the full body, the grounding and the foot lock:
/// layer, instant and name. Steps of the same name are listed once.
pub(crate) fn steps_of(session: &Session, lesson: &Lesson) -> Vec<(LayerId, Cursor, String)> {
    let mut found: Vec<(LayerId, Cursor, String)> = Vec::new();
    let mut layers = vec![session.focus(), LayerId::FullBody, LayerId::Grounding, LayerId::FootLock];
    layers.dedup();
    for layer in layers {
        let Some(run) = session.world.solved.run(layer) else { continue };
        for step in 0..run.steps() {
            let view = run.step(step);
            let is_own = lesson_of_step(layer, view.key).is_some_and(|own| own.key == lesson.key);
            if is_own && !found.iter().any(|(_, _, name)| *name == view.name) {
                found.push((layer, Cursor { step, within: None }, view.name));
            }
        }
    }
    found
}

/// Returns the settings of the full body that the lesson explains, with a selection with which the inspector shows
/// them. A setting of several limbs or effectors is listed once.
pub(crate) fn parameters_of(session: &Session, lesson: &Lesson) -> Vec<(Selection, ParameterId)> {
    let mut found: Vec<(Selection, ParameterId)> = Vec::new();
    for id in ParameterId::all(session.world.stack()) {
        let selection = match id.owner {
            Owner::Effector(effector) => Selection::Effector(effector),
            Owner::Chain(chain) => Selection::Chain(chain),
            Owner::Solver => Selection::Nothing,
            _ => continue,
        };
        let is_own = lesson_of_parameter(&id.path()).is_some_and(|own| own.key == lesson.key);
        if is_own && !found.iter().any(|(_, other)| other.parameter.key == id.parameter.key) {
            found.push((selection, id));
        }
    }
    found
}

/// Returns whether only the predictive grounder has a step with that key.
fn is_predictive(key: &str) -> bool {
    ["root_check", "predict", "foot_plane"].contains(&key)
}

pub fn lesson_of_parameter(path: &str) -> Option<&'static Lesson> {
    let fits = |pattern: &str| match pattern.split_once("*.") {
        None => path.starts_with(pattern),
        Some((before, after)) => {
            let rest = path.strip_prefix(before).and_then(|rest| rest.split_once('.'));
            rest.is_some_and(|(_, key)| key.starts_with(after))
        }
    };
    let lesson = PARAMETERS.iter().find(|(pattern, _)| fits(pattern)).map(|(_, lesson)| *lesson)?;
    Lesson::find(lesson).map(|(_, lesson)| lesson)
}

pub(crate) fn lesson_of_selection(selection: Selection) -> Option<&'static Lesson> {
    let lesson = match selection {
        Selection::Effector(_) => "body",
        Selection::Chain(Chain::Body) => "stage1",
        Selection::Chain(_) => "pull",
        Selection::BendGoal(_) => "bend",
        Selection::Layer(LayerId::Grounding) => "foot_ik",
        Selection::Layer(LayerId::FootLock | LayerId::Footprints) => "lock",
        Selection::Nothing | Selection::Layer(_) | Selection::Modifier(..) => return None,
    };
    Lesson::find(lesson).map(|(_, lesson)| lesson)
}

pub fn linked() -> impl Iterator<Item = &'static str> {
    STAGES.iter().chain(PARAMETERS).map(|(_, lesson)| *lesson).chain(["ccd", "triangle", "fabrik", "lock"])
}

pub(crate) fn after(lesson: usize) -> Option<&'static Lesson> {
    LESSONS.get(lesson + 1).copied()
}
