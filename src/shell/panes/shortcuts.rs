//! Keyboard commands. Keys typed into a field belong to the field, even if the field disappears meanwhile.

use egui_macroquad::egui::{self, Event, Id, Key, KeyboardShortcut};

use crate::session::commands::{COMMANDS, Command, CommandInfo};
use crate::session::{Action, Session};
use crate::shell::panes::words as text;
use crate::tools::pose::session::PoseAction;

/// Number of frames after Enter, a click or a command within which the field may disappear because of that input.
const ENDED: u32 = 4;
/// Seconds without a key after which typing into a vanished field counts as ended.
const QUIET: f64 = 1.0;

#[derive(Debug, Default)]
pub struct Shortcuts {
    /// The field that had the focus in the last frame.
    field: Option<Id>,
    /// Whether a control had the focus in the last frame. When Tab moves from the last control to the first, none has
    /// the focus for a frame.
    had_control: bool,
    /// Number of frames since the last key, click or command that ends typing.
    since_end: u32,
    /// Set while typing continues after the field has disappeared: the time of the last key in seconds, and whether the
    /// user was notified.
    gone: Option<(f64, bool)>,
    /// Commands that wait until the field has applied its text.
    after: Vec<Command>,
}

pub fn typed_field(ctx: &egui::Context) -> Option<Id> {
    ctx.memory(|memory| memory.focused()).filter(|&id| egui::TextEdit::load_state(ctx, id).is_some())
}

/// Returns whether a command's key runs the command while a field has the focus. Other Ctrl keys, such as those of undo
/// and cursor jumps, belong to the field.
fn leaves_field(info: &CommandInfo) -> bool {
    info.shortcut.is_some_and(|shortcut| shortcut.modifiers.ctrl)
        && (info.menu == "File" || info.command == Command::Palette)
}

impl Shortcuts {
    /// Removes command keys from the input and adds their commands to `actions`. Commands whose keys were pressed in a
    /// field wait for [`Self::after`].
    pub fn before(&mut self, ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
        let focused = ctx.memory(|memory| memory.focused());
        let field = typed_field(ctx);
        let before = std::mem::replace(&mut self.field, field);
        let had_control = std::mem::replace(&mut self.had_control, focused.is_some());
        let has_control = focused.is_some() || had_control;
        let is_drawn = |id: Id| ctx.read_response(id).is_some();
        if field.is_none() && focused.is_none() && self.since_end > ENDED && before.is_some_and(|id| !is_drawn(id)) {
            self.gone = Some((ctx.input(|input| input.time), false));
        }
        self.drop_typed(ctx, field.is_some(), actions);

        // Letters belong to an open list as well, even if it has no search field.
        let typing = field.is_some() || ctx.memory(egui::Memory::any_popup_open);
        let in_dialog = session.window.dialog.is_some() && !session.in_doctor();
        if !typing && !in_dialog && !session.in_doctor() {
            ctx.input_mut(|input| {
                input.events.retain(|event| {
                    match event {
                        Event::Copy => actions.push(Action::Command(Command::CopyPose)),
                        Event::Paste(text) => actions.push(Action::Pose(PoseAction::Paste(text.clone()))),
                        _ => return true,
                    }
                    false
                });
            });
        }
        if !typing && !in_dialog {
            scale(ctx, session, actions);
        }
        for info in COMMANDS {
            // The rig doctor hides panes and targets, so keys must not change settings or targets unseen.
            let of_doctor =
                matches!(info.menu, "File" | "View" | "Help") || matches!(info.command, Command::Undo | Command::Redo);
            if session.in_doctor() && !of_doctor {
                continue;
            }
            let closes = matches!(info.command, Command::Keys | Command::Palette | Command::RigDoctor);
            if (typing && !leaves_field(info)) || (in_dialog && !closes) {
                continue;
            }
            // Tab and Space belong to a control that has the focus.
            let of_control = |shortcut: &KeyboardShortcut| {
                has_control && matches!(shortcut.logical_key, Key::Tab | Key::Space) && shortcut.modifiers.is_none()
            };
            let navigation = session.look.navigation;
            let keys =
                [navigation.keys(info), navigation.other_keys(info)].map(|keys| keys.filter(|own| !of_control(own)));
            // The modifiers are those of the key event, because the current ones may have changed since a quick press.
            let mut count = 0;
            ctx.input_mut(|input| {
                input.events.retain(|event| {
                    let same = match event {
                        Event::Key { key, pressed: true, modifiers, .. } => {
                            let is = |shortcut: KeyboardShortcut| {
                                let wanted = shortcut.modifiers;
                                *key == shortcut.logical_key
                                    && (modifiers.ctrl, modifiers.shift, modifiers.alt)
                                        == (wanted.ctrl, wanted.shift, wanted.alt)
                            };
                            keys.iter().flatten().any(|&shortcut| is(shortcut))
                        }
                        // egui-macroquad has no slash key, and the place of `?` depends on the keyboard layout.
                        Event::Text(text) => info.command == Command::Keys && text == "?",
                        _ => false,
                    };
                    count += usize::from(same);
                    !same
                });
            });
            let commands = std::iter::repeat_n(info.command, count);
            match field {
                // The field must apply its text before the command, for example so that Save includes it.
                Some(id) if count > 0 => {
                    ctx.memory_mut(|memory| memory.surrender_focus(id));
                    self.after.extend(commands);
                    self.since_end = 0;
                }
                _ => actions.extend(commands.map(Action::Command)),
            }
        }
    }

    pub fn after(&mut self, actions: &mut Vec<Action>) {
        actions.extend(self.after.drain(..).map(Action::Command));
    }

    /// Drops the remaining keys typed into a vanished field, and reports this once, until the user ends typing or types
    /// nothing for [`QUIET`] seconds.
    fn drop_typed(&mut self, ctx: &egui::Context, has_field: bool, actions: &mut Vec<Action>) {
        let ends = |event: &Event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => {
                modifiers.ctrl || modifiers.alt || matches!(key, Key::Enter | Key::Escape | Key::Tab)
            }
            Event::PointerButton { pressed, .. } => *pressed,
            _ => false,
        };
        let (has_ended, time) = ctx.input(|input| (input.events.iter().any(ends), input.time));
        self.since_end = if has_ended { 0 } else { self.since_end.saturating_add(1) };
        let Some((last, mut is_told)) = self.gone.filter(|(last, _)| !has_field && time - last < QUIET) else {
            self.gone = None;
            return;
        };
        let mut dropped = false;
        let mut goes_on = true;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                if !goes_on {
                    return true;
                }
                let is_typed = match event {
                    Event::Text(_) => true,
                    Event::Key { modifiers, .. } => !modifiers.ctrl && !modifiers.alt,
                    _ => false,
                };
                goes_on = !ends(event);
                dropped |= is_typed;
                !is_typed
            });
        });
        if dropped && !is_told {
            is_told = true;
            actions.push(Action::Refused(GONE.to_owned()));
        }
        self.gone = goes_on.then_some((if dropped { time } else { last }, is_told));
    }
}

fn scale(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let Some(key) = session.look.navigation.scale_key() else { return };
    let mut is_pressed = false;
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let is = matches!(event, Event::Key { key: own, pressed: true, modifiers, .. }
                if *own == key && modifiers.is_none());
            is_pressed |= is;
            !is
        });
    });
    if is_pressed {
        actions.push(Action::Refused(text::not_scalable(&key.name())));
    }
}

const GONE: &str = text::FIELD_DISAPPEARED;
