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

    pub(crate) fn other_keys(self, info: &CommandInfo) -> Option<KeyboardShortcut> {
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
    pub(crate) const fn scale_key(self) -> Option<Key> {
        match self {
            Self::Kinescope => None,
            Self::Blender => Some(Key::S),
            Self::Maya | Self::Unity => Some(Key::R),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::commands::COMMANDS;

    #[test]
    fn no_key_means_two_things_and_no_letter_alone_releases() {
        for navigation in Navigation::ALL {
            let of_command = |info: &CommandInfo| {
                let command = info.command;
                navigation.keys(info).into_iter().chain(navigation.other_keys(info)).map(move |key| (key, command))
            };
            let mut keys: Vec<(KeyboardShortcut, Command)> = COMMANDS.iter().flat_map(of_command).collect();
            let scale = navigation.scale_key().map(|key| KeyboardShortcut::new(Modifiers::NONE, key));
            keys.extend(scale.map(|key| (key, Command::Keys)));
            for (index, (key, command)) in keys.iter().enumerate() {
                let other = keys[index + 1..].iter().find(|(other, _)| other == key);
                assert!(other.is_none(), "{navigation:?}: {command:?} and {other:?}");
            }
            let mut releases = of_command(Command::ReleaseEffectors.info());
            assert!(releases.all(|(key, _)| !key.modifiers.is_none()), "{navigation:?}");
            assert_eq!(navigation.command().info().label, format!("Navigate as in {}", navigation.label()));
        }
    }

    #[test]
    fn the_key_that_frames_and_those_of_views_are_those_of_the_tool() {
        let text = |navigation, command: Command| command.info().all_shortcuts_in(navigation).join(" or ");
        for (command, blender, others) in [
            (Command::FrameSelection, "Numpad . or F", "F or Numpad ."),
            (Command::FrontView, "Numpad 1 or 1", "1 or Numpad 1"),
            (Command::BackView, "Ctrl+Numpad 1 or Ctrl+1", "Ctrl+1 or Ctrl+Numpad 1"),
            (Command::SideView, "Numpad 3 or 3", "3 or Numpad 3"),
            (Command::OtherSideView, "Ctrl+Numpad 3 or Ctrl+3", "Ctrl+3 or Ctrl+Numpad 3"),
            (Command::TopView, "Numpad 7 or 7", "7 or Numpad 7"),
            (Command::BottomView, "Ctrl+Numpad 7 or Ctrl+7", "Ctrl+7 or Ctrl+Numpad 7"),
            (Command::Orthographic, "Numpad 5 or 5", "5 or Numpad 5"),
        ] {
            assert_eq!(text(Navigation::Blender, command), blender);
            for navigation in [Navigation::Kinescope, Navigation::Maya, Navigation::Unity] {
                assert_eq!(text(navigation, command), others, "{navigation:?}");
            }
        }
        assert_eq!(text(Navigation::Kinescope, Command::RotateGizmo), "E or R");
        assert_eq!(text(Navigation::Maya, Command::Redo), "Ctrl+Y or Ctrl+Shift+Z");
    }

    #[test]
    fn every_preset_orbits_pans_and_zooms_and_leaves_the_left_button_to_handles() {
        let alt = Modifiers::ALT;
        for (navigation, button, held, wanted) in [
            (Navigation::Kinescope, Button::Right, Modifiers::NONE, Some(Move::Orbit)),
            (Navigation::Kinescope, Button::Middle, Modifiers::NONE, Some(Move::Pan)),
            (Navigation::Blender, Button::Middle, Modifiers::NONE, Some(Move::Orbit)),
            (Navigation::Blender, Button::Middle, Modifiers::SHIFT, Some(Move::Pan)),
            (Navigation::Blender, Button::Middle, Modifiers::CTRL, Some(Move::Zoom)),
            (Navigation::Maya, Button::Left, alt, Some(Move::Orbit)),
            (Navigation::Maya, Button::Middle, alt, Some(Move::Pan)),
            (Navigation::Maya, Button::Right, alt, Some(Move::Zoom)),
            (Navigation::Maya, Button::Right, Modifiers::NONE, None),
            (Navigation::Unity, Button::Left, alt, Some(Move::Orbit)),
            (Navigation::Unity, Button::Middle, Modifiers::NONE, Some(Move::Pan)),
            (Navigation::Unity, Button::Right, alt, Some(Move::Zoom)),
        ] {
            assert_eq!(navigation.drag(button, held), wanted, "{navigation:?} {button:?} {held:?}");
        }
        for navigation in Navigation::ALL {
            for held in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL] {
                assert_eq!(navigation.drag(Button::Left, held), None, "{navigation:?}");
            }
        }
    }
}
