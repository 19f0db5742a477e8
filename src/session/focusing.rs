use super::{Selection, Session};
use crate::tools::pose::EffectorSet;
use kinescope_ik::stack::{Frame, LayerId};
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::Cursor;

impl Session {
    pub fn focus(&self) -> LayerId {
        match self.interaction.selection {
            _ if self.world.lab().is_some() => LayerId::Lane(self.tools.chains.lane),
            // A chain or lane that cannot be solved stays in focus, so that the user can correct it in its pane.
            Selection::Layer(layer) if layer.index().is_some() && self.world.solved.layer(layer).is_some() => layer,
            Selection::Layer(layer) | Selection::Modifier(_, layer) if self.world.solved.run(layer).is_some() => layer,
            _ => shown_body(&self.world.solved),
        }
    }

    pub fn shown_run(&self) -> Option<&dyn Run> {
        self.world.solved.run(self.focus()).filter(|run| run.steps() > 0)
    }

    pub(crate) fn remaining_name(&self) -> &'static str {
        let main = self.shown_run().and_then(|run| Some(run.measures().get(run.main_measure()?)?.family));
        main.unwrap_or("gap")
    }

    pub fn remaining_at_cursor(&self) -> f32 {
        self.world.solved.remaining(&self.world.character.rig, self.focus(), self.world.time.cursor)
    }

    pub fn end(&self) -> Cursor {
        self.shown_run().map_or(Cursor::default(), Cursor::end)
    }

    pub(crate) fn set_selection(&mut self, selection: Selection) {
        let before = self.focus();
        self.interaction.selection = selection;
        self.interaction.posing.together = EffectorSet::default();
        self.refocused(before);
    }

    /// Does nothing while `before` is still in focus. Otherwise stores the cursor of `before`, and sets the cursor for
    /// the layer now in focus: while paused, to the one stored for that layer, if any; otherwise, to the layer's end.
    pub(crate) fn refocused(&mut self, before: LayerId) {
        let now = self.focus();
        if now == before {
            return;
        }
        self.world.remember_cursor(before, self.world.time.cursor);
        let known = self.world.time.cursors.iter().find(|(layer, _)| *layer == now).map(|(_, cursor)| *cursor);
        let run = self.shown_run();
        self.world.time.cursor =
            run.map_or(Cursor::default(), |run| match known.filter(|_| self.world.time.is_paused()) {
                Some(known) => known.clamped(run),
                None => Cursor::end(run),
            });
        self.world.picture.remaining.take();
    }

    pub(crate) fn seek(&mut self, cursor: Cursor) {
        self.world.time.cursor = cursor;
        self.show();
    }
}

/// Returns the layer that is in focus without a selected layer: the full body if it was solved, or else the last solver
/// of the body that was. If none was, returns the full body.
fn shown_body(frame: &Frame) -> LayerId {
    let is_solved = |layer: &LayerId| frame.run(*layer).is_some();
    match is_solved(&LayerId::FullBody) {
        true => LayerId::FullBody,
        false => LayerId::body_solvers().filter(is_solved).last().unwrap_or(LayerId::FullBody),
    }
}
