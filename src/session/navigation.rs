//! Mouse and key bindings for camera and gizmos, as in Kinescope or in another tool.

use egui_macroquad::egui::{Key, KeyboardShortcut, Modifiers};
use kinescope_ik::key::named;
use serde::{Deserialize, Serialize};

use crate::session::commands::{Command, CommandInfo};

named! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Navigation {
        /// Returns the command that selects these bindings.
        command: Command,
        label: &'static str,
        /// Returns the mouse hints for the picture's lower edge.
        hint: &'static str,
    }
    ALL {
        #[default]
        Kinescope:
            Command::NavigateKinescope,
            "Kinescope",
            "Left drag a handle · right drag orbit · middle pan · wheel zoom";
        Blender:
            Command::NavigateBlender,
            "Blender",
            "Left drag a handle · middle drag orbit · Shift+middle pan · wheel zoom";
        Maya: Command::NavigateMaya, "Maya", "Left drag a handle · Alt+left orbit · Alt+middle pan · Alt+right zoom";
        Unity: Command::NavigateUnity, "Unity", "Left drag a handle · right or Alt+left orbit · middle pan · Alt+right zoom";
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

/// Keys of the number pad and their names. egui has no such keys, so the window maps each to a function key that
/// keyboards lack.
pub const NUMBER_PAD: [(Key, &str); 11] = [
    (Key::F25, "Numpad 0"),
    (Key::F26, "Numpad 1"),
    (Key::F27, "Numpad 2"),
    (Key::F28, "Numpad 3"),
    (Key::F29, "Numpad 4"),
    (Key::F30, "Numpad 5"),
    (Key::F31, "Numpad 6"),
    (Key::F32, "Numpad 7"),
    (Key::F33, "Numpad 8"),
    (Key::F34, "Numpad 9"),
    (Key::F35, "Numpad ."),
];

fn on_number_pad(command: Command) -> Option<KeyboardShortcut> {
    let (modifiers, key) = match command {
        Command::FrontView => (Modifiers::NONE, 1),
        Command::BackView => (Modifiers::CTRL, 1),
        Command::SideView => (Modifiers::NONE, 3),
        Command::OtherSideView => (Modifiers::CTRL, 3),
        Command::TopView => (Modifiers::NONE, 7),
        Command::BottomView => (Modifiers::CTRL, 7),
        Command::Orthographic => (Modifiers::NONE, 5),
        Command::FrameSelection => (Modifiers::NONE, 10),
        _ => return None,
    };
    Some(KeyboardShortcut::new(modifiers, NUMBER_PAD[key].0))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Orbit,
    Pan,
    Zoom,
}

impl Navigation {
    pub fn drag(self, button: Button, held: Modifiers) -> Option<Move> {
        let (alt, shift, ctrl) = (held.alt, held.shift, held.ctrl);
        match (self, button) {
            (Self::Kinescope, Button::Right) => Some(Move::Orbit),
            (Self::Kinescope | Self::Unity, Button::Middle) => Some(Move::Pan),
            (Self::Blender, Button::Middle) if shift => Some(Move::Pan),
            (Self::Blender, Button::Middle) if ctrl => Some(Move::Zoom),
            (Self::Blender, Button::Middle) => Some(Move::Orbit),
            (Self::Maya, Button::Middle) if alt => Some(Move::Pan),
            (Self::Maya | Self::Unity, Button::Left) if alt => Some(Move::Orbit),
            (Self::Maya | Self::Unity, Button::Right) if alt => Some(Move::Zoom),
            (Self::Unity, Button::Right) => Some(Move::Orbit),
            (Self::Kinescope | Self::Blender, Button::Left | Button::Right) => None,
            (Self::Maya, _) | (Self::Unity, Button::Left) => None,
        }
    }

    pub(crate) const fn mouse(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Self::Kinescope => &[
                ("Pointer", "Right drag", "Orbit around the view's centre"),
                ("Pointer", "Middle drag", "Pan the picture"),
            ],
            Self::Blender => &[
                ("Pointer", "Middle drag", "Orbit around the view's centre"),
                ("Pointer", "Shift+middle drag", "Pan the picture"),
                ("Pointer", "Ctrl+middle drag", "Zoom"),
            ],
            Self::Maya => &[
                ("Pointer", "Alt+left drag", "Orbit around the view's centre"),
                ("Pointer", "Alt+middle drag", "Pan the picture"),
                ("Pointer", "Alt+right drag", "Zoom"),
            ],
            Self::Unity => &[
                ("Pointer", "Right or Alt+left drag", "Orbit around the view's centre"),
                ("Pointer", "Middle drag", "Pan the picture"),
                ("Pointer", "Alt+right drag", "Zoom"),
            ],
        }
    }

    pub fn keys(self, info: &CommandInfo) -> Option<KeyboardShortcut> {
        let plain = |key| Some(KeyboardShortcut::new(Modifiers::NONE, key));
        match (self, info.command) {
            (Self::Blender, Command::MoveGizmo) => plain(Key::G),
            (Self::Blender, Command::RotateGizmo) => plain(Key::R),
            // In Blender, G without Shift moves.
            (Self::Blender, Command::ShowMotion) => Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::G)),
            (Self::Blender, command) => on_number_pad(command).or(info.shortcut),
            (Self::Kinescope | Self::Maya | Self::Unity, _) => info.shortcut,
        }
    }

    pub fn other_keys(self, info: &CommandInfo) -> Option<KeyboardShortcut> {
        const REDO: Modifiers = Modifiers::CTRL.plus(Modifiers::SHIFT);
        match (self, info.command) {
            (_, Command::Redo) => Some(KeyboardShortcut::new(REDO, Key::Z)),
            // R rotates in Blender, and Kinescope's own bindings use R for no other command.
            (Self::Kinescope, Command::RotateGizmo) => Some(KeyboardShortcut::new(Modifiers::NONE, Key::R)),
            (Self::Blender, command) => on_number_pad(command).and(info.shortcut),
            (Self::Kinescope | Self::Maya | Self::Unity, command) => on_number_pad(command),
        }
    }

    /// Returns the key that scales in the tool of these bindings, or `None` for Kinescope's own. The window only shows
    /// a message for it, because limbs keep their length.
    pub const fn scale_key(self) -> Option<Key> {
        match self {
            Self::Kinescope => None,
            Self::Blender => Some(Key::S),
            Self::Maya | Self::Unity => Some(Key::R),
        }
    }
}
