use std::borrow::Cow;

use super::control::Control;
use super::lessons::LESSONS;
use super::{Look, ReferenceAction};
use crate::scenes::Scene;
use crate::session::commands::Command;
use crate::session::{Action, Pane, Pending, Request, Session};
use crate::system::IS_PAGE;
use crate::system::site::page_of_book;
use crate::tools::learn::words as text;
use crate::tools::steps::session::StepAction;

#[derive(Clone, Debug)]
pub enum LearnAction {
    List,
    /// Opens a lesson, by its index, at the step shown last.
    Open(usize),
    OpenAt(usize, usize),
    /// Shows the lesson with this key, at the step shown last. If the lesson is shown already, keeps its step.
    Follow(&'static str),
    Step(usize),
    Again,
    Hint,
    OpenPage(Cow<'static, str>),
    ShowMe,
}

pub(crate) fn apply(session: &mut Session, action: LearnAction) {
    let shown = session.tools.learn.at;
    match action {
        LearnAction::List => session.tools.learn.at = None,
        LearnAction::Open(lesson) => {
            if let Some(own) = LESSONS.get(lesson) {
                let step = session.tools.learn.progress.step(own);
                enter(session, lesson, step, true);
            }
        }
        LearnAction::OpenAt(lesson, step) => enter(session, lesson, step, true),
        LearnAction::Follow(key) => {
            session.apply(Action::ShowPane(Pane::Learn));
            if let Some((lesson, own)) = super::Lesson::find(key)
                && shown.is_none_or(|(shown, _)| shown != lesson)
            {
                let step = session.tools.learn.progress.step(own);
                enter(session, lesson, step, true);
            }
        }
        LearnAction::Step(step) => {
            if let Some((lesson, _)) = shown {
                enter(session, lesson, step, false);
            }
        }
        LearnAction::Again => {
            if let Some((lesson, step)) = shown {
                enter(session, lesson, step, true);
            }
        }
        LearnAction::Hint => session.tools.learn.shows_hint = true,
        LearnAction::OpenPage(page) => {
            let address = page_of_book(&page);
            // The installed program cannot see whether a browser opened, so it also copies the address.
            if !IS_PAGE {
                session.window.requests.push(Request::Copy(address.clone()));
                session.notify(text::page_opened(&address));
            }
            session.window.requests.push(Request::OpenAddress(address));
        }
        LearnAction::ShowMe => {
            let task = session.tools.learn.shown().and_then(|(_, step)| step.task);
            let learn = &mut session.tools.learn;
            learn.to_do = task.map_or_else(Vec::new, |task| task.actions.iter().rev().copied().collect());
            learn.wait = 0.0;
        }
    }
}

pub(crate) fn toggle(session: &mut Session) {
    session.tools.learn.progress.open();
    session.window.requests.push(Request::TogglePane(Pane::Learn));
}

fn enter(session: &mut Session, lesson: usize, step: usize, again: bool) {
    let Some((own, shown)) = LESSONS.get(lesson).and_then(|own| Some((own, own.steps.get(step)?))) else { return };
    let learn = &mut session.tools.learn;
    (learn.at, learn.is_met, learn.shows_hint, learn.arrives) = (Some((lesson, step)), false, false, false);
    learn.to_do.clear();
    learn.progress.open();
    learn.progress.show(own, step);
    let name = own.scene_of(step);
    let current = session.started_scene.scene.map(|scene| scene.name);
    if again || shown.scene.is_some() || current != Some(name) {
        // A scene that a lesson started is replaced without asking about unsaved changes, unless it has a preset's
        // file.
        let is_own =
            session.tools.learn.scene.is_some_and(|own| current == Some(own)) && session.files.preset.is_none();
        (session.tools.learn.scene, session.tools.learn.prepares) = (Some(name), true);
        match Scene::find(name).filter(|_| is_own) {
            Some(scene) => session.start_scene_or_ask(scene),
            None => session.unless_unsaved(Pending::Scene(name)),
        }
    }
    // This comes last, because starting a scene runs an update, which would show this pane before the scene shows its own.
    session.tools.learn.arrives = true;
}

/// Shows the instant of a step that was entered, runs reference actions, and measures the task's condition. Returns
/// whether something changed.
pub(crate) fn watch(session: &mut Session, dt: f32) -> bool {
    let Some((lesson, step)) =
        session.tools.learn.at.and_then(|(lesson, step)| Some((LESSONS.get(lesson).copied()?, step)))
    else {
        return false;
    };
    // Nothing happens yet while the scene starts, because its start updates the session before the lesson has changed the
    // scene's document.
    let is_starting = session.tools.learn.prepares && !session.tools.learn.arrives;
    if session.window.dialog.is_some() || is_starting {
        return false;
    }
    if session.tools.learn.arrives && !session.world.time.needs_solve {
        let is_there = session.started_scene.scene.is_some_and(|scene| scene.name == lesson.scene_of(step));
        let prepare = lesson.start_of(step).1.filter(|_| is_there && session.tools.learn.prepares);
        session.tools.learn.prepares = false;
        if let Some(prepare) = prepare {
            // The instant is shown in a later update, once the changed document is solved.
            ReferenceAction::Edit(prepare).actions(session).into_iter().for_each(|action| session.apply(action));
            return true;
        }
        session.tools.learn.arrives = false;
        if is_there {
            arrive(session, lesson.steps[step].look);
        }
        // Scenes of the lab and of clips have shown their own pane, so this one is brought back to the front.
        session.window.requests.push(Request::ShowPane(Pane::Learn));
        return true;
    }
    let mut changed = do_next(session, dt);
    let Some(task) = lesson.steps[step].task.filter(|_| !session.tools.learn.is_met) else { return changed };
    if task.condition.is_met(session) {
        session.tools.learn.is_met = true;
        session.tools.learn.progress.add(lesson, step);
        // The control is in a tab that may cover the lesson.
        if lesson.steps[step].highlights.iter().any(|control| matches!(control, Control::Setting(_))) {
            session.notify(text::DONE_ELSEWHERE);
        }
        changed = true;
    }
    changed
}

fn arrive(session: &mut Session, look: Look) {
    match look {
        Look::Keep => {}
        Look::Live => {
            if session.world.time.is_paused() {
                session.apply(Action::Command(Command::Live));
            }
        }
        Look::At(place) => {
            if let Some(cursor) = place.cursor(session) {
                session.apply(Action::Steps(StepAction::SeekIn(place.layer, cursor)));
            }
        }
    }
}

fn do_next(session: &mut Session, dt: f32) -> bool {
    let learn = &mut session.tools.learn;
    learn.wait = (learn.wait - dt).max(0.0);
    if learn.wait > 0.0 {
        return false;
    }
    let Some(reference) = learn.to_do.pop() else { return false };
    if let ReferenceAction::Wait(seconds) = reference {
        learn.wait = seconds;
    }
    for action in reference.actions(session) {
        session.apply(action);
    }
    true
}
