//! The mouse on the picture.

use egui_macroquad::egui;
use glam::Vec2;
use macroquad::prelude as mq;

use super::{SETTLES, Shell};
use crate::session::navigation::{Button, Move};
use crate::system::IS_PAGE;
use crate::tools::pose::handles;

#[derive(Default)]
pub(super) struct Pointer {
    /// Owner of the drag while a button is down.
    pub(super) owner: Option<Owner>,
    pub(super) at: Vec2,
    pub(super) before: Vec2,
}

/// Wheel steps per pixel of a zooming drag.
const ZOOM_SPEED: f32 = 0.03;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Handle,
    /// The camera, with the button that was pressed.
    Camera(Move, Button),
}

impl Shell {
    pub(super) fn pointer_input(&mut self, free: bool, held: egui::Modifiers) -> bool {
        use mq::MouseButton::{Left, Middle, Right};
        let session = &mut self.session;
        let pointer = self.pointer.at;
        let moved = pointer - self.pointer.before;
        let before = (
            session.interaction.hovered,
            session.interaction.selection,
            session.look.camera,
            self.pointer.owner,
            session.world.history.revision(),
        );
        if let Some(owner) = self.pointer.owner {
            let button = match owner {
                Owner::Handle | Owner::Camera(_, Button::Left) => Left,
                Owner::Camera(_, Button::Middle) => Middle,
                Owner::Camera(_, Button::Right) => Right,
            };
            if mq::is_mouse_button_down(button) {
                match owner {
                    Owner::Handle => session.drag_to(pointer),
                    Owner::Camera(Move::Orbit, _) => session.look.camera.orbit(moved),
                    Owner::Camera(Move::Pan, _) => session.look.camera.pan(moved, session.look.viewport),
                    // Moving the pointer to the right or up zooms in.
                    Owner::Camera(Move::Zoom, _) => {
                        session.look.camera.zoom((moved.x - moved.y) * ZOOM_SPEED, session.world.character.height);
                    }
                }
            } else {
                if owner == Owner::Handle {
                    session.drag_to(pointer);
                    session.release();
                }
                self.pointer.owner = None;
            }
        } else if free {
            let is_other = pointer != self.pointer.before;
            if session.in_doctor() && is_other && session.point_at_bone(pointer) {
                self.rest.unsettled = SETTLES;
            }
            let all = session.handles();
            session.interaction.hovered = handles::handle_at(&all, pointer).map(|handle| handle.id);
            let buttons = [(Left, Button::Left), (Middle, Button::Middle), (Right, Button::Right)];
            let pressed = buttons.into_iter().find(|(button, _)| mq::is_mouse_button_pressed(*button));
            if let Some((_, button)) = pressed {
                match session.look.navigation.drag(button, held) {
                    Some(moves) => self.pointer.owner = Some(Owner::Camera(moves, button)),
                    None if button == Button::Left => {
                        session.press(pointer);
                        self.pointer.owner = (session.interaction.drag.is_some()
                            || session.interaction.stroke.is_some())
                        .then_some(Owner::Handle);
                    }
                    None => {}
                }
            }
            let (_, wheel) = mq::mouse_wheel();
            if wheel != 0.0 {
                // A browser reports about 100 pixels per notch of a wheel, but single pixels for a trackpad.
                let notches = if IS_PAGE { (wheel / 100.0).clamp(-1.0, 1.0) } else { wheel.signum() };
                session.look.camera.zoom(notches, session.world.character.height);
            }
        } else {
            session.interaction.hovered = None;
        }
        before
            != (
                session.interaction.hovered,
                session.interaction.selection,
                session.look.camera,
                self.pointer.owner,
                session.world.history.revision(),
            )
    }
}
