//! Corrects keyboard and wheel input that egui-macroquad (below: the glue) omits or gets wrong.

use egui_macroquad::egui;
use macroquad::input::utils::repeat_all_miniquad_input;
use macroquad::miniquad::{EventHandler, KeyMods};
use macroquad::prelude as mq;

use super::{SETTLES, Shell};
use crate::session::navigation::NUMBER_PAD;
use crate::shell::panes::shortcuts::typed_field;

/// Keys and text typed after a key that opens a dialog. They are held until the dialog has a field.
#[derive(Default)]
pub(super) struct Typing {
    held: Vec<egui::Event>,
    held_for: u32,
    /// Number of the frame that read the newest input.
    pub(super) read_in: u64,
}

const LONGEST_HELD: u32 = 12;

impl Shell {
    /// Holds keys and text typed after a key that opens a dialog until there is a field for them, but at most for
    /// [`LONGEST_HELD`] frames.
    pub(super) fn hold_typing(&mut self, ctx: &egui::Context) {
        let wants_text = matches!(&self.session.window.dialog, Some(dialog) if dialog.takes_text());
        let has_field = typed_field(ctx).is_some();
        // Escape has already taken the focus from the field. If Escape were held as well, the dialog would stay open.
        let leaves = self.typing.held.is_empty() && ctx.input(|input| input.key_pressed(egui::Key::Escape));
        let waits = wants_text && !has_field && !leaves && self.typing.held_for < LONGEST_HELD;
        let is_typed =
            |event: &egui::Event| matches!(event, egui::Event::Text(_) | egui::Event::Key { pressed: true, .. });
        ctx.input_mut(|input| {
            input.events.splice(0..0, self.typing.held.drain(..));
            // Input after a Ctrl shortcut belongs to the dialog that the shortcut may open, so it waits for the next
            // frame.
            let is_command = |event: &egui::Event| {
                matches!(event, egui::Event::Key { pressed: true, modifiers, .. } if modifiers.ctrl)
            };
            let from = match waits {
                true => 0,
                false => input.events.iter().position(is_command).map_or(input.events.len(), |at| at + 1),
            };
            let (typed, rest): (Vec<_>, Vec<_>) = input.events.drain(from..).partition(is_typed);
            input.events.extend(rest);
            self.typing.held = typed;
        });
        if !self.typing.held.is_empty() {
            self.rest.unsettled = SETTLES;
        }
        self.typing.held_for = if waits { self.typing.held_for + 1 } else { 0 };
        if waits {
            self.rest.unsettled = SETTLES;
        }
    }
}

/// The keys of the number pad, which the glue omits.
pub(super) struct NumberPad {
    pub(super) subscriber: usize,
    /// Keys pressed since the last frame, as indices into [`NUMBER_PAD`]. Keys that were released meanwhile are
    /// included.
    pub(super) pressed: Vec<(usize, KeyMods)>,
}

impl NumberPad {
    pub(super) fn hand_on(&mut self, ctx: &egui::Context) {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        ctx.input_mut(|input| {
            for (place, held) in self.pressed.drain(..) {
                let modifiers = egui::Modifiers {
                    alt: held.alt,
                    ctrl: held.ctrl,
                    shift: held.shift,
                    mac_cmd: false,
                    command: held.ctrl,
                };
                let (key, pressed, repeat, physical_key) = (NUMBER_PAD[place].0, true, false, None);
                input.events.push(egui::Event::Key { key, pressed, repeat, modifiers, physical_key });
            }
        });
    }
}

impl EventHandler for NumberPad {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, key: mq::KeyCode, held: KeyMods, _: bool) {
        use mq::KeyCode::{Kp0, Kp1, Kp2, Kp3, Kp4, Kp5, Kp6, Kp7, Kp8, Kp9, KpDecimal};
        const KEYS: [mq::KeyCode; NUMBER_PAD.len()] = [Kp0, Kp1, Kp2, Kp3, Kp4, Kp5, Kp6, Kp7, Kp8, Kp9, KpDecimal];
        self.pressed.extend(KEYS.iter().position(|own| *own == key).map(|place| (place, held)));
    }
}

const FUNCTION_KEYS: [(mq::KeyCode, egui::Key); 12] = [
    (mq::KeyCode::F1, egui::Key::F1),
    (mq::KeyCode::F2, egui::Key::F2),
    (mq::KeyCode::F3, egui::Key::F3),
    (mq::KeyCode::F4, egui::Key::F4),
    (mq::KeyCode::F5, egui::Key::F5),
    (mq::KeyCode::F6, egui::Key::F6),
    (mq::KeyCode::F7, egui::Key::F7),
    (mq::KeyCode::F8, egui::Key::F8),
    (mq::KeyCode::F9, egui::Key::F9),
    (mq::KeyCode::F10, egui::Key::F10),
    (mq::KeyCode::F11, egui::Key::F11),
    (mq::KeyCode::F12, egui::Key::F12),
];

/// Factor that turns a notch of the wheel into one line. The glue divides the wheel by 90 and, in a browser, where a
/// notch is some 100 pixels, by 30.
const WHEEL: f32 = if cfg!(target_arch = "wasm32") { 0.3 } else { 90.0 };

/// Corrects errors of the glue: modifiers that come one event late, text typed with Ctrl, pasting, missing function
/// keys, and the speed of the wheel.
pub(super) fn repair_input(ctx: &egui::Context) {
    use mq::KeyCode::{LeftAlt, LeftControl, LeftShift, RightAlt, RightControl, RightShift};
    let held = |a, b| mq::is_key_down(a) || mq::is_key_down(b);
    let ctrl = held(LeftControl, RightControl);
    let modifiers = egui::Modifiers {
        alt: held(LeftAlt, RightAlt),
        ctrl,
        shift: held(LeftShift, RightShift),
        mac_cmd: false,
        command: ctrl,
    };
    ctx.input_mut(|input| {
        input.modifiers = modifiers;
        input.smooth_scroll_delta *= WHEEL;
        input.raw_scroll_delta *= WHEEL;
        // The text event directly precedes its key event, which has the state of Ctrl.
        let keys: Vec<Option<bool>> = input
            .events
            .iter()
            .map(|event| match event {
                egui::Event::Key { pressed: true, modifiers, .. } => Some(modifiers.ctrl),
                _ => None,
            })
            .collect();
        let mut index = 0;
        input.events.retain_mut(|event| {
            index += 1;
            match event {
                egui::Event::PointerButton { modifiers: late, .. } => {
                    *late = modifiers;
                    true
                }
                egui::Event::Text(_) => !keys.get(index).copied().flatten().unwrap_or(ctrl),
                _ => true,
            }
        });
        // The glue reports pasted text as typed and omits the key.
        if ctrl && mq::is_key_pressed(mq::KeyCode::V) {
            input.events.push(egui::Event::Paste(macroquad::miniquad::window::clipboard_get().unwrap_or_default()));
        }
        for (key, egui_key) in FUNCTION_KEYS {
            if mq::is_key_pressed(key) {
                let (pressed, repeat, physical_key) = (true, false, None);
                input.events.push(egui::Event::Key { key: egui_key, pressed, repeat, modifiers, physical_key });
            }
        }
    });
}
