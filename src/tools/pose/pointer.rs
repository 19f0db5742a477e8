use crate::picture::camera::Projector;
use crate::session::{Action, Selection, Session};
use crate::tools::chains::ChainHandle;
use crate::tools::chains::session::ChainAction;
use crate::tools::pose::handles::{self, Handle, HandleDrag, HandleId, Room};
use crate::tools::pose::words as text;
use crate::world::World;
use kinescope_ik::stack::LayerId;

impl Session {
    pub fn projector(&self) -> Projector {
        self.look.camera.projector(self.look.viewport)
    }

    pub fn handles(&self) -> Vec<Handle> {
        if self.in_doctor() {
            return Vec::new();
        }
        let mut found = self.chain_handles();
        found.extend(self.path_handles());
        found.extend(self.modifier_handles());
        let Some(state) = self.state().filter(|_| self.world.lab().is_none()) else { return found };
        let body = handles::handles(
            &self.world.body_frame(),
            &state,
            self.world.settings(),
            &self.projector(),
            self.world.character.height,
            self.look.view.bend_goals,
        )
        .into_iter()
        .filter(|handle| self.look.view.targets || matches!(handle.id, HandleId::BendGoal(_)));
        found.extend(body);
        found
    }

    pub(crate) fn new_gesture(&mut self) -> u64 {
        self.interaction.gestures += 1;
        self.interaction.gestures
    }

    pub fn press(&mut self, pointer: glam::Vec2) {
        if self.in_doctor() {
            return self.press_bone(pointer);
        }
        if self.begin_stroke(pointer) || self.strike(pointer) {
            return;
        }
        match handles::handle_at(&self.handles(), pointer) {
            None if self.follow_member(pointer) => {}
            Some(handle) => {
                match handle.id {
                    HandleId::Effector(effector) if self.interaction.posing.shift => return self.select_also(effector),
                    // Dragging one of several selected effectors moves all of them.
                    HandleId::Effector(effector) if self.selected_effectors().contains(effector) => {
                        self.select_together(effector, self.selected_effectors());
                    }
                    HandleId::Effector(effector) => self.apply(Action::Select(Selection::Effector(effector))),
                    HandleId::BendGoal(limb) => self.apply(Action::Select(Selection::BendGoal(limb))),
                    HandleId::Chain(chain, _) => self.grab_chain(chain),
                    HandleId::PathPoint(_) => {}
                    HandleId::Modifier(index, _) => {
                        self.apply(Action::Select(Selection::Modifier(index, LayerId::Modifiers)));
                    }
                }
                let place = handle.position + self.handle_offset(handle.id);
                let drawn = Handle { position: place, ..handle };
                self.interaction.drag = Some(HandleDrag::start(&drawn, pointer, &self.projector()));
                self.new_gesture();
            }
            None => match self.lane_at(pointer) {
                Some(lane) => self.apply_chains(ChainAction::ShowLane(lane)),
                None => self.apply(Action::Select(Selection::Nothing)),
            },
        }
    }

    pub fn drag_to(&mut self, pointer: glam::Vec2) {
        self.move_stroke(pointer);
        let Some(drag) = self.interaction.drag else { return };
        let position = drag.position(pointer, &self.projector());
        if position.distance(drag.start) == 0.0 {
            return;
        }
        // Limits are angles, so their handles do not snap to the grid.
        let is_place = !matches!(drag.id, HandleId::Chain(_, ChainHandle::Limit { .. }));
        let position = if is_place { self.snapped(position) } else { position };
        let position = self.world.room().clamp(position);
        if let HandleId::Chain(chain, id) = drag.id {
            self.place_chain_handle(chain, id, position - self.handle_offset(drag.id));
            return;
        }
        if let HandleId::Modifier(index, grip) = drag.id {
            self.place_modifier(index, grip, position, self.interaction.gestures);
            return;
        }
        if let HandleId::PathPoint(index) = drag.id {
            self.place_path_point(index, pointer, self.interaction.gestures);
            return;
        }
        let mut settings = *self.world.settings();
        handles::place(&mut settings, drag.id, position);
        let label = text::edit_move(&kinescope_ik::key::label(&drag.id.key()));
        let settings = self.spread(settings);
        self.edit_settings(&label, Some(self.interaction.gestures), settings);
    }

    pub fn release(&mut self) {
        self.interaction.drag = None;
        self.interaction.stroke = None;
        self.world.history.end_gesture();
    }
}

impl World {
    pub fn room(&self) -> Room {
        Room::of(self.motion.root.position, self.character.height)
    }
}
