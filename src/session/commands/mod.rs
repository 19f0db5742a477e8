//! The table of commands. Menus, shortcuts, tooltips, the palette, the key table and file dialogs read from it.

pub(crate) mod buttons;
mod table;
pub(crate) mod why;

use std::path::PathBuf;

use egui_macroquad::egui::{Key, KeyboardShortcut, Modifiers};

use crate::session::navigation::{NUMBER_PAD, Navigation};
use crate::session::pane::PaneInfo;
use crate::session::{Dialog, Request, Session};

pub use table::{COMMANDS, Command, MENUS, Pane, SUBMENUS};

#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    pub command: Command,
    pub menu: &'static str,
    /// Heading of the command's group in the key table. Menus have a separator between groups, or show a group of
    /// [`SUBMENUS`] as a submenu.
    pub group: &'static str,
    pub label: &'static str,
    pub shortcut: Option<KeyboardShortcut>,
    pub help: &'static str,
    pub run: Option<fn(&mut Session)>,
    pub file: Option<FileAsk>,
    pub pane: Option<Pane>,
    pane_info: Option<&'static PaneInfo>,
    why_not: Option<fn(&Session) -> Option<&'static str>>,
    is_on: Option<fn(&Session) -> bool>,
}

/// Kinds of files with their extensions. The first kind is the default.
pub type Kinds = &'static [(&'static str, &'static [&'static str])];

#[derive(Clone, Copy, Debug)]
pub struct FileAsk {
    pub kinds: Kinds,
    /// Suggested name of a file to write. `None` for a file to read.
    pub name: Option<fn(&Session) -> String>,
    pub then: fn(&mut Session, PathBuf),
}

const fn row(label: &'static str, help: &'static str) -> CommandInfo {
    CommandInfo {
        command: Command::Quit,
        menu: "",
        group: "",
        label,
        shortcut: None,
        help,
        run: None,
        file: None,
        pane: None,
        pane_info: None,
        why_not: None,
        is_on: None,
    }
}

const fn pane(info: &'static PaneInfo) -> CommandInfo {
    CommandInfo { pane_info: Some(info), ..row(info.title, info.help) }
}

impl Pane {
    pub const fn title(self) -> &'static str {
        self.info().title
    }
}

impl CommandInfo {
    const fn at(self, command: Command, menu: &'static str, group: &'static str) -> Self {
        Self { command, menu, group, ..self }
    }

    const fn key(self, held: Modifiers, key: Key) -> Self {
        Self { shortcut: Some(KeyboardShortcut::new(held, key)), ..self }
    }

    const fn runs(self, run: fn(&mut Session)) -> Self {
        Self { run: Some(run), ..self }
    }

    const fn reads(self, kinds: Kinds, then: fn(&mut Session, PathBuf)) -> Self {
        Self { file: Some(FileAsk { kinds, name: None, then }), ..self }
    }

    const fn writes(self, kinds: Kinds, name: fn(&Session) -> String, then: fn(&mut Session, PathBuf)) -> Self {
        Self { file: Some(FileAsk { kinds, name: Some(name), then }), ..self }
    }

    const fn shows(self, pane: Pane) -> Self {
        Self { pane: Some(pane), ..self }
    }

    /// Returns the pane of a row made by [`pane`]. Rows with `as` call this at compile time, and a row made otherwise
    /// does not compile.
    const fn pane_info(&self) -> &'static PaneInfo {
        match self.pane_info {
            Some(info) => info,
            None => panic!("only the row of a pane has `as`"),
        }
    }

    const fn unless(self, why_not: fn(&Session) -> Option<&'static str>) -> Self {
        Self { why_not: Some(why_not), ..self }
    }

    const fn on(self, is_on: fn(&Session) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }
}

impl Session {
    pub(crate) fn run(&mut self, command: Command) {
        let info = command.info();
        match (info.run, info.pane) {
            (Some(run), _) => run(self),
            (None, Some(pane)) => self.window.requests.push(Request::TogglePane(pane)),
            (None, None) => self.ask_for_file(command),
        }
    }

    pub(crate) fn ask_for_file(&mut self, command: Command) {
        match self.why_not(command) {
            Some(why) => self.fail(why),
            None => self.window.dialog = Some(Dialog::File(command)),
        }
    }

    pub fn why_not(&self, command: Command) -> Option<&'static str> {
        command.info().why_not.and_then(|why_not| why_not(self))
    }

    pub fn is_on(&self, command: Command, is_shown: impl Fn(Pane) -> bool) -> Option<bool> {
        let info = command.info();
        let pane = info.pane.map(|pane| is_shown(pane) && !self.window.hides_panes);
        info.is_on.map(|is_on| is_on(self)).or(pane)
    }
}

/// Mouse and key actions that are not commands: group, keys, action.
pub const OTHER_KEYS: &[(&str, &str, &str)] = &[
    ("Pointer", "Left drag", "Move a handle in the picture"),
    ("Pointer", "Wheel", "Zoom"),
    ("Pointer", "Shift+click", "Add an effector to the selection, or remove it"),
    ("Pointer", "Drop a file", "Open a file that Kinescope reads"),
    ("Fields and sliders", "← and →", "Move the focused slider"),
    ("Fields and sliders", "Double-click", "Reset a slider to its default"),
    ("Fields and sliders", "Shift+drag", "Change a number ten times more slowly"),
    ("Fields and sliders", "Esc", "Leave a field or a dialog"),
    ("Play", "− and +", "Drive pose layers bound to keys"),
];

impl Command {
    pub fn info(self) -> &'static CommandInfo {
        &COMMANDS[self as usize]
    }

    pub fn group(self) -> &'static str {
        self.info().group
    }
}

impl CommandInfo {
    pub(crate) fn shortcut_text(&self) -> String {
        self.shortcut_text_in(Navigation::Kinescope)
    }

    pub(crate) fn shortcut_text_in(&self, navigation: Navigation) -> String {
        navigation.keys(self).map_or_else(String::new, shortcut_text)
    }

    pub fn all_shortcuts_in(&self, navigation: Navigation) -> Vec<String> {
        navigation.keys(self).into_iter().chain(navigation.other_keys(self)).map(shortcut_text).collect()
    }

    pub(crate) fn tooltip(&self) -> String {
        self.tooltip_in(Navigation::Kinescope)
    }

    pub(crate) fn tooltip_in(&self, navigation: Navigation) -> String {
        match self.all_shortcuts_in(navigation).join(" or ").as_str() {
            "" => self.help.to_owned(),
            keys => format!("{}\n{keys}", self.help),
        }
    }
}

pub(crate) fn shortcut_text(shortcut: KeyboardShortcut) -> String {
    let mut text = String::new();
    for (held, name) in
        [(shortcut.modifiers.ctrl, "Ctrl+"), (shortcut.modifiers.shift, "Shift+"), (shortcut.modifiers.alt, "Alt+")]
    {
        if held {
            text.push_str(name);
        }
    }
    match shortcut.logical_key {
        Key::Slash if shortcut.modifiers.shift => "?".to_owned(),
        Key::Period => text + ".",
        Key::Comma => text + ",",
        Key::OpenBracket => text + "[",
        Key::CloseBracket => text + "]",
        key => match NUMBER_PAD.iter().find(|(own, _)| *own == key) {
            Some((_, name)) => text + name,
            None => text + key.name(),
        },
    }
}
