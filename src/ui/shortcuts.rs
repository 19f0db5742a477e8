//! Keys that are commands. A key that is typed into a field is the field's alone, also where the field goes away while it is
//! typed in.

use egui_macroquad::egui::{self, Event, Id, Key, KeyboardShortcut};

use crate::session::commands::{COMMANDS, Command, CommandInfo};
use crate::session::{Action, Session};
use crate::tools::pose::session::PoseAction;

/// Frames in which a field may go away after Enter, a click or a command: it went because of that.
const ENDED: u32 = 4;
/// Seconds without a key after which what was typed into a field that is gone has ended.
const QUIET: f64 = 1.0;

/// What is remembered from frame to frame.
#[derive(Debug, Default)]
pub struct Shortcuts {
    /// The field that had the keyboard in the frame before.
    field: Option<Id>,
    /// Whether a control had the keyboard in the frame before: from the last control to the first, none has it for a frame.
    had_control: bool,
    /// Frames since the last key or click that ends typing.
    since_end: u32,
    /// The field that is typed in went away; when the last key for it came, seconds, and whether the user was told.
    gone: Option<(f64, bool)>,
    /// Commands that wait until the field has handed on what was typed.
    after: Vec<Command>,
}

/// The field of text or of a number that has the keyboard.
pub fn typed_field(ctx: &egui::Context) -> Option<Id> {
    ctx.memory(|memory| memory.focused()).filter(|&id| egui::TextEdit::load_state(ctx, id).is_some())
}

/// Whether a command may be asked for by its keys while a field has the keyboard. All other keys with Ctrl belong to the
/// field: undo, jumps of the cursor.
fn leaves_field(info: &CommandInfo) -> bool {
    info.shortcut.is_some_and(|shortcut| shortcut.modifiers.ctrl)
        && (info.menu == "File" || info.command == Command::Palette)
}

impl Shortcuts {
    /// Takes the keys that are commands out of the input; call it once in a frame, before anything is drawn.
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

        let typing = field.is_some();
        let in_dialog = session.desk.dialog.is_some() && !session.in_doctor();
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
            // A key does not change what the picture does not show.
            let of_doctor =
                ["File", "View", "Help"].contains(&info.menu) || matches!(info.command, Command::Undo | Command::Redo);
            if session.in_doctor() && !of_doctor {
                continue;
            }
            let closes = matches!(info.command, Command::Keys | Command::Palette | Command::RigDoctor);
            if (typing && !leaves_field(info)) || (in_dialog && !closes) {
                continue;
            }
            // With the keyboard on a control, these keys are the control's.
            let of_control = |shortcut: &KeyboardShortcut| {
                has_control && matches!(shortcut.logical_key, Key::Tab | Key::Space) && shortcut.modifiers.is_none()
            };
            let navigation = session.look.navigation;
            let keys =
                [navigation.keys(info), navigation.other_keys(info)].map(|keys| keys.filter(|own| !of_control(own)));
            // A key event has the modifiers of its own moment, which a quick press needs.
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
                        // The glue has no slash key, and where `?` is depends on the keyboard.
                        Event::Text(text) => info.command == Command::Keys && text == "?",
                        _ => false,
                    };
                    count += usize::from(same);
                    !same
                });
            });
            let commands = std::iter::repeat_n(info.command, count);
            match field {
                // The field hands on what was typed first: it is saved as well.
                Some(id) if count > 0 => {
                    ctx.memory_mut(|memory| memory.surrender_focus(id));
                    self.after.extend(commands);
                    self.since_end = 0;
                }
                _ => actions.extend(commands.map(Action::Command)),
            }
        }
    }

    /// Commands that waited for a field; call it after everything is drawn.
    pub fn after(&mut self, actions: &mut Vec<Action>) {
        actions.extend(self.after.drain(..).map(Action::Command));
    }

    /// Drops the remaining keys of what was typed into a field that is gone, until the user ends it.
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

/// Says that nothing can be scaled, where the habits of another tool have a key for it.
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
        actions.push(Action::Refused(format!("{} scales nothing: limbs keep their length.", key.name())));
    }
}

const GONE: &str = "The field you were typing in is gone. Its value stays as it was; the keys are dropped until Enter.";
