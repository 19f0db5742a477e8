//! Controls outside the lesson's pane that a step is about, and their highlights.

use egui_macroquad::egui::{Context, Id};

use super::condition::Place;
use super::{Learn, Step, picture};
use crate::session::commands::Command;
use crate::session::{Action, Pane, Selection, Session};
use crate::tools::learn::words as text;
use crate::ui::highlight::{self, Wanted};
use crate::ui::jump;
use crate::ui::words::capital;
use kinescope_ik::full_body::Effector;
use kinescope_ik::key::label;
use kinescope_ik::parameter::Field;
use kinescope_ik::stack::LayerId;

#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// The button of a command in the timeline.
    Button(Command),
    /// A step in the strip of the timeline.
    Step(Place),
    /// A move in the row of moves of the timeline, while the move's step is shown.
    Move(Place),
    /// The row of an effector in the outliner.
    Row(Effector),
    /// The row of a layer or a lane in the outliner.
    Layer(LayerId),
    /// The list of clips in the outliner.
    Clips,
    Setting(SettingControl),
}

#[derive(Clone, Copy, Debug)]
pub struct SettingControl {
    pub pane: Pane,
    /// The selection with which the pane shows the control.
    pub selection: Option<Selection>,
    pub field: &'static Field,
    pub name: &'static str,
}

pub(crate) fn of_command(command: Command) -> Id {
    Id::new(("command", command.info().label))
}

pub(crate) fn of_step(step: usize) -> Id {
    Id::new(("step of the strip", step))
}

pub(crate) fn of_move(index: usize) -> Id {
    Id::new(("move of the step", index))
}

pub(crate) fn of_selection(selection: Selection) -> Id {
    Id::new(("row of the outliner", format!("{selection:?}")))
}

pub(crate) fn of_layer(layer: LayerId) -> Id {
    Id::new(("layer of the outliner", layer.label()))
}

pub(crate) fn of_clips() -> Id {
    Id::new("clips of the outliner")
}

pub fn of_tab(pane: Pane) -> Id {
    Id::new(("tab", pane.title()))
}

impl Control {
    /// Returns the id under which the control is drawn. `None` for a step or move that is not drawn.
    pub fn id(self, session: &Session) -> Option<Id> {
        Some(match self {
            Self::Button(command) => of_command(command),
            Self::Step(place) if session.focus() == place.layer => of_step(place.cursor(session)?.step),
            Self::Move(place) if session.focus() == place.layer => {
                let cursor = place.cursor(session)?;
                let is_shown = session.world.time.is_paused() && cursor.step == session.world.time.cursor.step;
                of_move(cursor.within.filter(|_| is_shown)?)
            }
            Self::Step(_) | Self::Move(_) => return None,
            Self::Row(effector) => of_selection(Selection::Effector(effector)),
            Self::Layer(layer) => of_layer(layer),
            Self::Clips => of_clips(),
            Self::Setting(own) => jump::of_field(own.field),
        })
    }

    /// Returns whether the user has used the control. Only the rows of layers and the button that pauses show this.
    pub fn is_used(self, session: &Session) -> bool {
        match self {
            Self::Layer(layer) => session.focus() == layer,
            Self::Button(Command::PlayPause) => session.world.time.is_paused(),
            Self::Button(_) | Self::Step(_) | Self::Move(_) | Self::Row(_) | Self::Clips | Self::Setting(_) => false,
        }
    }

    pub(crate) fn pane(self) -> Pane {
        match self {
            Self::Button(_) | Self::Step(_) | Self::Move(_) => Pane::Timeline,
            Self::Row(_) | Self::Layer(_) | Self::Clips => Pane::Outliner,
            Self::Setting(own) => own.pane,
        }
    }

    pub fn name(self, session: &Session) -> String {
        match self {
            Self::Button(command) => command.info().label.to_owned(),
            Self::Step(place) => {
                let run = session.world.solved.run(place.layer);
                let name = run.zip(place.cursor(session)).map(|(run, cursor)| run.step(cursor.step).name);
                let name = name.unwrap_or_else(|| label(place.key));
                match place.iteration {
                    Some(iteration) => text::highlighted_step_of(&capital(&name), &iteration),
                    None => capital(&name),
                }
            }
            Self::Move(_) => text::HIGHLIGHTED_MOVE.to_owned(),
            Self::Row(effector) => capital(&label(effector.key())),
            Self::Clips => text::HIGHLIGHTED_CLIPS.to_owned(),
            Self::Layer(LayerId::Lane(index)) => text::highlighted_lane(&(index + 1)),
            Self::Layer(layer) => capital(&layer.label()),
            Self::Setting(own) => capital(own.name),
        }
    }

    pub(super) fn opens(self) -> Vec<Action> {
        let mut actions = Vec::new();
        if let Self::Setting(SettingControl { selection: Some(selection), .. }) = self {
            actions.push(Action::Select(selection));
        }
        actions.push(Action::ShowPane(self.pane()));
        actions
    }
}

impl Learn {
    fn highlighted(&self, session: &Session) -> &'static [Control] {
        let Some(((lesson, step), (_, at))) = self.shown().zip(self.at) else { return &[] };
        let is_own = session.started_scene.scene.is_some_and(|scene| scene.name == lesson.scene_of(at));
        let all = if is_own && !self.is_met { step.highlights } else { &[] };
        // Once the step of the move is shown, the buttons that lead to the step are no longer needed.
        let is_at_move = |control: &Control| matches!(control, Control::Move(_)) && control.id(session).is_some();
        all.iter().position(is_at_move).map_or(all, |first| &all[first..])
    }
}

/// Requests the highlights of the step shown. Call it before the panes are drawn. `is_open` says whether the pane of the
/// lessons is open, in front or as a tab behind, because a task may bring another tab to the front.
pub(crate) fn highlight(ctx: &Context, session: &Session, is_open: bool) {
    let learn = &session.tools.learn;
    let has_task = learn.shown().is_some_and(|(_, step)| step.task.is_some());
    let is_shown = is_open && (has_task || picture::is_shown(ctx));
    let controls = if is_shown { learn.highlighted(session) } else { &[] };
    let wanted = controls.iter().filter(|control| !control.is_used(session)).filter_map(|control| {
        let id = control.id(session)?;
        Some(Wanted { control: id, way: Some(of_tab(control.pane())) })
    });
    highlight::want(ctx, wanted.collect());
}

pub(super) struct Row {
    pub control: Control,
    /// The control's id, if the task still needs the control and the control is not on screen.
    pub(crate) hidden: Option<Id>,
}

pub(super) fn rows(ctx: &Context, session: &Session, step: &Step) -> Vec<Row> {
    let unwanted = step.highlights.len() - session.tools.learn.highlighted(session).len();
    let rows = step.highlights.iter().enumerate().map(|(index, &control)| {
        let is_wanted = index >= unwanted && !control.is_used(session);
        let id = control.id(session).filter(|_| is_wanted);
        Row { control, hidden: id.filter(|&id| !highlight::is_on_screen(ctx, id)) }
    });
    rows.collect()
}
