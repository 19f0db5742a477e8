use crate::session::{Now, Selection, Session};
use crate::session::{Pane, Request};
use crate::tools::finder::words as text;
use kinescope_ik::debugger::breaks::{self, Hit};
use kinescope_ik::debugger::pops;
use kinescope_ik::debugger::tape::Marker;
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::stack::{Frame, LayerId};
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::timing::Times;

impl Session {
    pub(crate) fn find_pops(&mut self) {
        let found = pops::find_pops(&self.tools.debugger.tape);
        let text = match found.first() {
            Some(worst) => text::largest_pop(&worst.joint.label, &worst.size, &worst.number),
            None => text::NOTHING_MOVES.to_owned(),
        };
        self.notify(text);
        self.tools.debugger.pops = Some(found);
        self.window.requests.push(Request::ShowPane(Pane::Finder));
    }

    pub(crate) fn record(&mut self, before: &Frame, sampled: &Times) {
        let dt = std::mem::take(&mut self.world.time.unrecorded);
        let left = self.world.solved.remaining(&self.world.character.rig, self.focus(), self.end());
        let contacts = self.world.contacts();
        let tape = &mut self.tools.debugger.tape;
        tape.record(dt, &self.world.solved, left, contacts);
        let Some(number) = tape.last().map(|now| now.number) else { return };
        tape.add_times(number, sampled);
        (self.world.time.frame, self.world.picture.undrawn) = (number, Some(number));
        if self.world.time.is_paused() || self.tools.debugger.breaks.count() == 0 {
            return;
        }
        let before = (tape.len() > 1).then_some(before);
        if let Some(hit) =
            breaks::check(&self.tools.debugger.breaks, &self.tools.debugger.tape, before, &self.world.solved)
        {
            let at = Cursor { step: hit.step, within: None };
            let layer = hit.layer;
            self.stop_at(self.world.time.frame, hit);
            match self.focus() == layer {
                true => self.world.time.cursor = at,
                // The layer's cursor applies once the user selects the layer.
                false => self.world.remember_cursor(layer, at),
            }
        }
    }

    /// Pauses, marks the frame `number` on the tape, reports the break condition and selects where it holds. While a
    /// text or number field has the focus, the selection stays, because another selection could remove the field.
    pub(crate) fn stop_at(&mut self, number: u64, hit: Hit) {
        self.world.time.now = Now::Paused;
        self.tools.debugger.tape.mark(Marker { number, text: hit.text.clone(), is_warning: true });
        match self.interaction.types {
            true => self.notify(text::stopped_while_typing(&hit.text)),
            false => {
                match hit.point {
                    Some(point) => self.look_at(hit.layer, point),
                    None => self.set_selection(Selection::of_layer(hit.layer)),
                }
                self.notify(text::stopped(&hit.text));
            }
        }
        self.tools.debugger.hit = Some(hit);
    }

    pub(crate) fn look_at(&mut self, layer: LayerId, point: usize) {
        let selection = match layer {
            LayerId::FullBody => Node::ALL.get(point).map_or(Selection::Nothing, |&node| selection_of(node)),
            _ => Selection::of_layer(layer),
        };
        if let LayerId::Lane(lane) = layer {
            self.tools.chains.lane = lane;
        }
        self.set_selection(selection);
    }
}

pub(crate) fn selection_of(node: Node) -> Selection {
    match (Effector::of_node(node), node.limb()) {
        (Some(effector), _) => Selection::Effector(effector),
        (None, Some(limb)) => Selection::Chain(limb.into()),
        (None, None) => Selection::Nothing,
    }
}
