//! Reference actions: what *Show me* does to solve a lesson's task.

use glam::Vec3;
use kinescope_ik::full_body::Effector;
use kinescope_ik::key::label;
use kinescope_ik::stack::parameters::ParameterId;

use super::condition::Place;
use super::words as text;
use crate::session::commands::Command;
use crate::session::{Action, Selection, Session};
use crate::tools::chains::session::ChainAction;
use crate::tools::pose::handles::HandleId;
use crate::tools::steps::session::StepAction;
use crate::tools::sweep::session::SweepAction;
use crate::world::document::Document;

#[derive(Clone, Copy, Debug)]
pub enum ReferenceAction {
    Run(Command),
    Seek(Place),
    /// Sets a parameter, by its path in presets.
    Set(&'static str, f32),
    Select(Selection),
    /// Moves an effector's target, or its bone's position without one, to the character's left, up and forward, by
    /// fractions of the character's height.
    Move(Effector, [f32; 3]),
    Lane(usize),
    /// Chooses the first clip whose lower-case name contains the word.
    Clip(&'static str),
    Edit(fn(&mut Document)),
    /// Lets time pass, seconds.
    Wait(f32),
}

impl ReferenceAction {
    pub(crate) fn actions(self, session: &Session) -> Vec<Action> {
        match self {
            Self::Run(command) => vec![Action::Command(command)],
            Self::Seek(place) => {
                let cursor = place.cursor(session);
                cursor.map(|cursor| Action::Steps(StepAction::SeekIn(place.layer, cursor))).into_iter().collect()
            }
            Self::Set(path, value) => {
                let values = ParameterId::from_path(path).map(|id| vec![(id, value)]);
                values.map(|values| Action::Sweep(SweepAction::TakeValues(values))).into_iter().collect()
            }
            Self::Select(selection) => vec![Action::Select(selection)],
            Self::Move(effector, by) => {
                let detection = &session.world.character.detection;
                let [left, up, forward] = by.map(|part| part * session.world.character.height);
                let by = detection.left * left + Vec3::Y * up + detection.facing * forward;
                let own = session.world.settings().effector(effector).position;
                let from = own.unwrap_or_else(|| session.world.bone_position(effector));
                let Some(stack) = session.moved(HandleId::Effector(effector), from + by) else { return Vec::new() };
                let document = Box::new(session.world.history.document().with_stack(stack));
                vec![Action::Edit { label: text::moved(&label(effector.key())), gesture: None, document }]
            }
            Self::Lane(lane) => vec![Action::Chains(ChainAction::ShowLane(lane))],
            Self::Clip(word) => {
                let clips = &session.world.character.model.clips;
                let clip = clips.iter().position(|clip| clip.name.to_lowercase().contains(word));
                clip.map(|clip| Action::Clip(Some(clip))).into_iter().collect()
            }
            Self::Edit(change) => {
                let document = session.world.history.document();
                let mut document = Box::new(document.with_stack(session.world.stack().clone()));
                change(&mut document);
                vec![Action::Edit { label: text::EDIT.to_owned(), gesture: None, document }]
            }
            Self::Wait(_) => Vec::new(),
        }
    }
}
