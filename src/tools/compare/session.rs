use std::path::Path;
use std::sync::Arc;

use crate::character::preset_model::PresetModel;
use crate::scenes::Scene;
use crate::scenes::experiments::{b_of, experiment};
use crate::session::{Pane, Request, Session};
use crate::system::files::{self, SizeLimit};
use crate::tools::compare::words as text;
use crate::tools::steps::{Compare, CompareStyle, Other};
use crate::world::document::Document;
use crate::world::motion::Plan;
use kinescope_ik::animation::LayerKind;
use kinescope_ik::debugger::fields::{self, Change};
use kinescope_ik::preset::Preset;
use kinescope_ik::stack::{Input, Stack};
use kinescope_ik::stepped::run::Cursor;

#[derive(Clone, Debug)]
pub enum CompareAction {
    Style(CompareStyle),
    CopyValue { change: Change, to_b: bool },
}

impl Session {
    pub(crate) fn apply_compare(&mut self, action: CompareAction) {
        match action {
            CompareAction::Style(style) => {
                if let Some(compare) = &mut self.tools.debugger.compare {
                    compare.style = style;
                }
                if self.world.lab().is_none() {
                    self.frame_from_here(&self.world.picture.pose.clone());
                }
            }
            CompareAction::CopyValue { change, to_b } => self.copy_value(&change, to_b),
        }
    }

    pub(crate) fn keep_as_b(&mut self) {
        self.set_b(Other { name: text::KEPT.to_owned(), stack: self.world.stack().clone(), ..Other::default() });
    }

    pub(crate) fn end_compare(&mut self) {
        self.tools.games.hide_result(true);
        self.tools.debugger.compare = None;
        self.tools.debugger.port = None;
    }

    /// Solves the second results of the frame shown: the recorded result of a what-if, and B. `is_new` is false if the
    /// frame was solved before.
    pub(crate) fn solve_others(&mut self, is_new: bool) {
        let input = self.world.solved.input.clone();
        let recorded = self.tools.debugger.tape.get(self.world.time.frame).map(|frame| frame.input.clone());
        let is_live = !self.world.time.is_paused();
        // While live, the scene's script also moves the targets of a B that the scene has set.
        let script =
            self.started_scene.scene.and_then(|scene| scene.script).filter(|_| self.interaction.drag.is_none());
        let (stand, began) =
            (script.map(|_| self.started_scene.rest.clone()).unwrap_or_default(), self.started_scene.time);
        let mut debugger = std::mem::take(&mut self.tools.debugger);
        if let (Some(what_if), Some(recorded)) = (&mut debugger.what_if, recorded) {
            what_if.recorded.name = text::NAME_RECORDED.to_owned();
            what_if.recorded.stack = Stack::clone(&recorded.stack);
            what_if.recorded.frame = Arc::unwrap_or_clone(self.solve_recorded(self.world.time.frame, &recorded));
        }
        if let Some(compare) = &mut debugger.compare {
            let b = &mut compare.b;
            if let Some(script) = script.filter(|_| compare.of_scene && is_live) {
                script(&mut b.stack.full_body, &stand, began);
            }
            let stack = Arc::new(b.stack.clone());
            // While live, B continues from its own memory. For a frame on the tape, B starts from the recorded memory.
            let passes = is_new && input.place.dt > 0.0;
            let memory = match (b.own.take(), passes) {
                (Some([_, after]), true) if is_live => after,
                (Some([before, _]), false) if is_live => before,
                _ => input.memory.clone(),
            };
            let animated = b.animated.clone().filter(|_| is_live).unwrap_or_else(|| input.animated.clone());
            b.frame = self.world.compose(&Input { stack, memory: memory.clone(), animated, ..input });
            if is_live {
                b.own = Some([memory, b.frame.memory.clone()]);
            }
        }
        self.tools.debugger = debugger;
    }

    pub(crate) fn show_others(&mut self) {
        let (focus, at) = (self.focus(), self.world.time.cursor);
        let rig = &self.world.character.rig;
        let run = self.world.solved.run(focus);
        for other in self.tools.debugger.others_mut() {
            let end = other.frame.run(focus).map(Cursor::end);
            let own = other.cursor(focus, at, run);
            let pose = match own {
                Some(own) if Some(own) != end => other.frame.pose_at(rig, focus, own),
                _ => other.frame.pose.clone(),
            };
            // A second result may have an animated pose of its own, for example a B with other fades.
            let own = &other.frame.input.animated;
            let is_own = own.bones.len() == self.world.picture.animated.bones.len();
            other.shown.clone_from(if is_own { own } else { &self.world.picture.animated });
            if pose.len() == other.shown.bones.len() {
                other.shown.bones = pose;
            }
        }
    }

    pub(crate) fn compare_with(&mut self, path: &Path) {
        let read = files::read_text(path, SizeLimit::PRESET).and_then(|text| {
            let document = Preset::from_json(&text)
                .and_then(|preset| Ok((Document::from_preset(&preset)?, PresetModel::of_preset(&preset)?)));
            document.map_err(|error| format!("{}: {error}", path.display()))
        });
        match read {
            Ok((Document { stack, .. }, model)) => {
                let name = files::name_of(path);
                // The preset's targets are positions on the character with which it was saved, so another character is
                // reported.
                if let Some(difference) = model.and_then(|model| model.difference(&self.world.character, path)) {
                    self.fail(text::model_of_b(&name, &difference));
                }
                self.set_b(Other { name, stack, ..Other::default() });
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn experiment(&mut self, scene: &Scene) {
        let brought = |compare: &Compare| compare.of_scene;
        if let Some(experiment) = experiment(scene) {
            let stack = b_of(experiment, self.world.history.document(), &self.started_scene.rest);
            let b = Other { name: experiment.b.to_owned(), stack, ..Other::default() };
            self.set_b(b);
            if let Some(compare) = &mut self.tools.debugger.compare {
                compare.of_scene = true;
            }
        } else if self.tools.debugger.compare.take_if(|compare| brought(compare)).is_some() {
            self.world.time.needs_solve = true;
        }
        self.watch_fades();
    }

    /// Keeps a second crossfade for B if B's experiment `drop_fades` is on.
    fn watch_fades(&mut self) {
        let b = self.tools.debugger.compare.as_ref().map(|compare| compare.b.stack.order.experiments.drop_fades);
        self.world.clip.as_in_the_source = (b == Some(true)).then(|| self.world.clip.crossfade.clone());
    }

    /// Computes B's animated pose if its fades or additive formula differ from the document's.
    pub(crate) fn pose_b(&mut self) {
        let plan = self.world.history.document().plan();
        let Some(compare) = &mut self.tools.debugger.compare else { return };
        let additive = compare.b.stack.order.experiments.additive();
        let adds = plan.motion.layers.iter().any(|layer| layer.kind == LayerKind::Additive);
        let fades = self.world.clip.as_in_the_source.clone();
        let other = (adds && additive != plan.additive).then(|| self.world.clip.crossfade.clone());
        let plan = Plan { additive, ..plan };
        compare.b.animated = fades.or(other).map(|crossfade| {
            let mut player = self.world.clip.clone();
            player.crossfade = crossfade;
            let mut animated = self.world.picture.animated.clone();
            self.world.motion.pose(
                &plan,
                &self.world.character,
                &mut player,
                &mut self.world.picture.local,
                &mut animated,
            );
            Arc::new(animated)
        });
    }

    pub(crate) fn set_b(&mut self, b: Other) {
        let style = self.tools.debugger.compare.as_ref().map_or(CompareStyle::Overlay, |compare| compare.style);
        self.tools.debugger.compare = Some(Compare { style, b, of_scene: false });
        self.world.time.needs_solve = true;
        self.window.requests.push(Request::ShowPane(Pane::Compare));
    }

    pub(crate) fn swap_a_b(&mut self) {
        let a = self.world.stack().clone();
        let Some(compare) = &mut self.tools.debugger.compare else { return };
        let b = std::mem::replace(&mut compare.b.stack, a);
        let are_same = b == *self.world.stack();
        self.edit_stack(text::EDIT_SWAP, None, b);
        // The notice says how to swap back, because undo restores only the settings of A, not B.
        self.notify(if are_same { text::SAME } else { text::SWAPPED });
    }

    pub(crate) fn copy_value(&mut self, change: &Change, to_b: bool) {
        let a = self.world.stack().clone();
        let Some(compare) = &mut self.tools.debugger.compare else { return };
        let mut change = change.clone();
        if to_b {
            // `before` is the value of A, and `after` that of B. `with_changes` writes `after`.
            change.after = change.before.clone();
        }
        let target = if to_b { &compare.b.stack } else { &a };
        match fields::with_changes(target, std::slice::from_ref(&change)) {
            Ok(stack) if to_b => {
                compare.b.stack = stack;
                self.world.time.needs_solve = true;
            }
            Ok(stack) => self.edit_stack(&text::edit_take(&change.path), None, stack),
            Err(error) => self.fail(error.to_string()),
        }
    }
}
