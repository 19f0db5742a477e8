//! The layer in focus: what is selected, whose steps are shown, and where the cursor is.

use super::{Selection, Session};
use crate::tools::pose::EffectorSet;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::Cursor;

impl Session {
    /// The layer whose steps the timeline shows.
    pub fn focus(&self) -> LayerId {
        match self.hands.selection {
            _ if self.lab().is_some() => LayerId::Lane(self.chains.lane),
            // A chain that cannot be solved keeps its pane, in which the user can correct it.
            Selection::Layer(layer) if layer.index().is_some() && self.solved.layer(layer).is_some() => layer,
            Selection::Layer(layer) | Selection::Modifier(_, layer) if self.solved.run(layer).is_some() => layer,
            _ => LayerId::FullBody,
        }
    }

    /// The steps of the layer in focus; `None` where there are none.
    pub fn shown_run(&self) -> Option<&dyn Run> {
        self.solved.run(self.focus()).filter(|run| run.steps() > 0)
    }

    /// What the timeline's heat counts: how far each step of the layer in focus is from the end.
    pub fn left_name(&self) -> &'static str {
        let main = self.shown_run().and_then(|run| Some(run.measures().get(run.main_measure()?)?.family));
        main.unwrap_or("gap")
    }

    /// The same at the cursor; model units.
    pub fn left_at_cursor(&self) -> f32 {
        self.solved.left(&self.character.rig, self.focus(), self.time.cursor)
    }

    /// The last instant of the layer in focus.
    pub fn end(&self) -> Cursor {
        self.shown_run().map_or(Cursor::default(), Cursor::end)
    }

    /// Selects, and nothing else with it: every layer keeps its own cursor.
    pub(crate) fn set_selection(&mut self, selection: Selection) {
        let before = self.focus();
        self.hands.selection = selection;
        self.hands.posing.together = EffectorSet::default();
        self.refocused(before);
    }

    /// Another layer may be in focus than before: its own cursor comes back, at first its end.
    pub(crate) fn refocused(&mut self, before: LayerId) {
        let now = self.focus();
        if now == before {
            return;
        }
        self.remember_cursor(before, self.time.cursor);
        let known = self.time.cursors.iter().find(|(layer, _)| *layer == now).map(|(_, cursor)| *cursor);
        let run = self.shown_run();
        self.time.cursor = run.map_or(Cursor::default(), |run| match known.filter(|_| self.time.is_paused()) {
            Some(known) => known.clamped(run),
            None => Cursor::end(run),
        });
        self.measure_steps();
    }

    /// Where the cursor of a layer that is not in focus is.
    pub(crate) fn remember_cursor(&mut self, layer: LayerId, cursor: Cursor) {
        self.time.cursors.retain(|(known, _)| *known != layer);
        self.time.cursors.push((layer, cursor));
    }

    pub(crate) fn seek(&mut self, cursor: Cursor) {
        self.time.cursor = cursor;
        self.show();
    }
}
