use egui_macroquad::egui;
use glam::Vec2;
use macroquad::prelude as mq;

use super::{SETTLES, Shell};
use crate::session::navigation::{Button, Move};
use crate::system::IS_PAGE;
use crate::tools::pose::gizmo::{self, Turned};
use crate::tools::pose::handles;

#[derive(Default)]
pub(super) struct Pointer {
    pub(super) owner: Option<Owner>,
    pub(super) at: Vec2,
    pub(super) before: Vec2,
}

/// Wheel steps per pixel of a zooming drag.
const ZOOM_SPEED: f32 = 0.03;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Handle,
    Camera(Move, Button),
}

/// A mouse event of a frame. A slow frame has several events, each with its own place.
pub(super) struct PointerEvent {
    at: Vec2,
    what: Happened,
    /// Whether a press is on the picture, and neither a widget nor the gizmo takes it.
    is_free: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Happened {
    Moved,
    Pressed(Button),
    Released(Button),
}

pub(super) fn events(ctx: &egui::Context) -> Vec<PointerEvent> {
    let event = |event: &egui::Event| {
        let (at, what) = match event {
            egui::Event::PointerMoved(at) => (*at, Happened::Moved),
            egui::Event::PointerButton { pos, button, pressed, .. } => {
                let button = match button {
                    egui::PointerButton::Primary => Button::Left,
                    egui::PointerButton::Middle => Button::Middle,
                    egui::PointerButton::Secondary => Button::Right,
                    egui::PointerButton::Extra1 | egui::PointerButton::Extra2 => return None,
                };
                (*pos, if *pressed { Happened::Pressed(button) } else { Happened::Released(button) })
            }
            _ => return None,
        };
        Some(PointerEvent { at: Vec2::new(at.x, at.y), what, is_free: false })
    };
    ctx.input(|input| input.events.iter().filter_map(event).collect())
}

impl Owner {
    const fn button(self) -> (Button, mq::MouseButton) {
        match self {
            Self::Handle | Self::Camera(_, Button::Left) => (Button::Left, mq::MouseButton::Left),
            Self::Camera(_, Button::Middle) => (Button::Middle, mq::MouseButton::Middle),
            Self::Camera(_, Button::Right) => (Button::Right, mq::MouseButton::Right),
        }
    }
}

impl Shell {
    fn is_free(&self, ctx: &egui::Context, picture: egui::Rect, at: egui::Pos2) -> bool {
        // The edges of the picture resize panes.
        picture.shrink(3.0).contains(at)
            && ctx.layer_id_at(at).is_none_or(|layer| layer.order == egui::Order::Background)
            && !ctx.is_using_pointer()
            && (self.session.window.dialog.is_none() || self.session.in_doctor())
    }

    /// Moves the gizmo, and sets which presses are free for the picture. Returns the gizmo's last edit, and whether
    /// the place of the mouse is free.
    pub(super) fn gizmo_input(
        &mut self,
        ctx: &egui::Context,
        picture: egui::Rect,
        events: &mut [PointerEvent],
    ) -> (Option<Turned>, bool) {
        let held = ctx.input(|input| input.modifiers);
        // Buttons that move the camera do not grab arrows.
        let grabs = self.session.look.navigation.drag(Button::Left, held).is_none();
        let mut turned = None;
        let mut update = |own: &mut Self, at: Vec2, pressed: bool, down: bool| {
            let pos = egui::pos2(at.x, at.y);
            let free = own.is_free(ctx, picture, pos);
            // A handle has priority over an arrow of the gizmo behind it.
            let on_handle = handles::handle_at(&own.session.handles(), at).is_some();
            let is_free = free && grabs && own.pointer.owner.is_none() && (!on_handle || own.gizmo.is_focused());
            let at_gizmo = gizmo::Pointer { at: pos, pressed, down, is_free };
            let edit = own.gizmo.update(&own.session, picture, ctx.pixels_per_point(), at_gizmo);
            turned = edit.or_else(|| turned.take());
            free && !own.gizmo.is_focused()
        };
        for event in events {
            event.is_free = match event.what {
                Happened::Pressed(Button::Left) => update(self, event.at, true, true),
                Happened::Released(Button::Left) => {
                    update(self, event.at, false, true);
                    update(self, event.at, false, false)
                }
                Happened::Pressed(_) => self.is_free(ctx, picture, egui::pos2(event.at.x, event.at.y)),
                Happened::Moved | Happened::Released(_) => false,
            };
        }
        let down = ctx.input(|input| input.pointer.button_down(egui::PointerButton::Primary));
        let free = update(self, self.pointer.at, false, down);
        (turned, free)
    }

    fn press(&mut self, button: Button, at: Vec2, held: egui::Modifiers) {
        let session = &mut self.session;
        session.interaction.hovered = handles::handle_at(&session.handles(), at).map(|handle| handle.id);
        match session.look.navigation.drag(button, held) {
            Some(moves) => self.pointer.owner = Some(Owner::Camera(moves, button)),
            None if button == Button::Left => {
                session.press(at);
                self.pointer.owner = (session.interaction.drag.is_some() || session.interaction.stroke.is_some())
                    .then_some(Owner::Handle);
            }
            None => {}
        }
    }

    fn drag(&mut self, owner: Owner, from: Vec2, at: Vec2) {
        let (session, moved) = (&mut self.session, at - from);
        match owner {
            Owner::Handle => session.drag_to(at),
            Owner::Camera(Move::Orbit, _) => session.look.camera.orbit(moved),
            Owner::Camera(Move::Pan, _) => session.look.camera.pan(moved, session.look.viewport),
            // Moving the pointer to the right or up zooms in.
            Owner::Camera(Move::Zoom, _) => {
                session.look.camera.zoom((moved.x - moved.y) * ZOOM_SPEED, session.world.character.height);
            }
        }
    }

    fn release(&mut self, owner: Owner) {
        if owner == Owner::Handle {
            self.session.release();
        }
        self.pointer.owner = None;
    }

    pub(super) fn pointer_input(&mut self, events: &[PointerEvent], free: bool, held: egui::Modifiers) -> bool {
        use mq::MouseButton::{Left, Middle, Right};
        let session = &mut self.session;
        let before = (
            session.interaction.hovered,
            session.interaction.selection,
            session.look.camera,
            self.pointer.owner,
            session.world.history.revision(),
        );
        let was_held = self.pointer.owner.is_some();
        let mut last = self.pointer.before;
        let has_press = events.iter().any(|event| matches!(event.what, Happened::Pressed(_)));
        for event in events {
            match (self.pointer.owner, event.what) {
                (Some(owner), Happened::Released(button)) if button == owner.button().0 => {
                    self.drag(owner, last, event.at);
                    self.release(owner);
                }
                (Some(owner), _) => self.drag(owner, last, event.at),
                (None, Happened::Pressed(button)) if event.is_free => self.press(button, event.at, held),
                (None, _) => {}
            }
            last = event.at;
        }
        let pointer = self.pointer.at;
        if let Some(owner) = self.pointer.owner.filter(|_| was_held) {
            self.drag(owner, last, pointer);
            // The window may lose the focus without an event of the button.
            if !mq::is_mouse_button_down(owner.button().1) {
                self.release(owner);
            }
        } else if self.pointer.owner.is_none() && free {
            let session = &mut self.session;
            if session.in_doctor() && pointer != self.pointer.before && session.point_at_bone(pointer) {
                self.rest.unsettled = SETTLES;
            }
            session.interaction.hovered = handles::handle_at(&session.handles(), pointer).map(|handle| handle.id);
            // A touch presses the left button without an event.
            let buttons = [(Left, Button::Left), (Middle, Button::Middle), (Right, Button::Right)];
            let pressed = buttons.into_iter().find(|(button, _)| mq::is_mouse_button_pressed(*button));
            if let Some((_, button)) = pressed.filter(|_| !has_press) {
                self.press(button, pointer, held);
            }
        } else if self.pointer.owner.is_none() {
            self.session.interaction.hovered = None;
        }
        // Two fingers on a page orbit and zoom at once.
        let zooms = match self.pointer.owner {
            None => free,
            Some(Owner::Camera(..)) => true,
            Some(Owner::Handle) => false,
        };
        let (_, wheel) = mq::mouse_wheel();
        if zooms && wheel != 0.0 {
            // A browser reports about 100 pixels per notch of a wheel, but single pixels for a trackpad.
            let notches = if IS_PAGE { (wheel / 100.0).clamp(-1.0, 1.0) } else { wheel.signum() };
            self.session.look.camera.zoom(notches, self.session.world.character.height);
        }
        let session = &self.session;
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
