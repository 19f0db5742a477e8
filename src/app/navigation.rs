//! How mouse and keys move the camera and choose gizmos: as in Kinescope, or as in the tool that the user comes from.

use egui_macroquad::egui::{Key, KeyboardShortcut, Modifiers};
use serde::{Deserialize, Serialize};

use super::commands::{Command, CommandInfo};

/// Whose habits mouse and keys follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Navigation {
    #[default]
    Kinescope,
    Blender,
    Maya,
    Unity,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

/// What a drag on the picture does with the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Orbit,
    Pan,
    Zoom,
}

impl Navigation {
    pub const ALL: [Self; 4] = [Self::Kinescope, Self::Blender, Self::Maya, Self::Unity];

    /// The command that chooses it.
    pub const fn command(self) -> Command {
        [Command::NavigateKinescope, Command::NavigateBlender, Command::NavigateMaya, Command::NavigateUnity]
            [self as usize]
    }

    pub const fn label(self) -> &'static str {
        ["Kinescope", "Blender", "Maya", "Unity"][self as usize]
    }

    /// What a drag with a button does while these keys are held; `None` leaves the button to handles and selection.
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

    /// What the mouse does, for the picture's lower edge.
    pub const fn hint(self) -> &'static str {
        [
            "left drag a handle   right drag orbit   middle pan   wheel zoom",
            "left drag a handle   middle drag orbit   Shift+middle pan   wheel zoom",
            "left drag a handle   Alt+left orbit   Alt+middle pan   Alt+right zoom",
            "left drag a handle   Alt+left or right orbit   middle pan   Alt+right zoom",
        ][self as usize]
    }

    /// What a drag on the picture does: the task, the buttons, and what they do.
    pub const fn mouse(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Self::Kinescope => &[
                ("Pointer", "Right drag", "Orbit around the character"),
                ("Pointer", "Middle drag", "Pan the picture"),
            ],
            Self::Blender => &[
                ("Pointer", "Middle drag", "Orbit around the character"),
                ("Pointer", "Shift+middle drag", "Pan the picture"),
                ("Pointer", "Ctrl+middle drag", "Zoom"),
            ],
            Self::Maya => &[
                ("Pointer", "Alt+left drag", "Orbit around the character"),
                ("Pointer", "Alt+middle drag", "Pan the picture"),
                ("Pointer", "Alt+right drag", "Zoom"),
            ],
            Self::Unity => &[
                ("Pointer", "Alt+left or right drag", "Orbit around the character"),
                ("Pointer", "Middle drag", "Pan the picture"),
                ("Pointer", "Alt+right drag", "Zoom"),
            ],
        }
    }

    /// The keys of a command. `R` releases all effectors in Kinescope alone: elsewhere it turns or scales.
    pub fn keys(self, info: &CommandInfo) -> Option<KeyboardShortcut> {
        let plain = |key| Some(KeyboardShortcut::new(Modifiers::NONE, key));
        match (self, info.command) {
            (Self::Kinescope, _) => info.shortcut,
            (_, Command::ReleaseEffectors) => Some(KeyboardShortcut::new(Modifiers::ALT, Key::R)),
            (Self::Blender, Command::MoveGizmo) => plain(Key::G),
            (Self::Blender, Command::RotateGizmo) => plain(Key::R),
            // Its key moves.
            (Self::Blender, Command::ShowMotion) => Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::G)),
            (Self::Blender | Self::Maya | Self::Unity, _) => info.shortcut,
        }
    }

    /// The key that scales there. Limbs keep their length, which the window says when it is pressed.
    pub const fn scale_key(self) -> Option<Key> {
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
    use crate::app::commands::COMMANDS;

    #[test]
    fn no_key_means_two_things_and_none_that_scales_or_turns_elsewhere_releases() {
        for navigation in Navigation::ALL {
            let mut keys: Vec<(KeyboardShortcut, Command)> =
                COMMANDS.iter().filter_map(|info| Some((navigation.keys(info)?, info.command))).collect();
            let scale = navigation.scale_key().map(|key| KeyboardShortcut::new(Modifiers::NONE, key));
            keys.extend(scale.map(|key| (key, Command::Keys)));
            for (index, (key, command)) in keys.iter().enumerate() {
                let other = keys[index + 1..].iter().find(|(other, _)| other == key);
                assert!(other.is_none(), "{navigation:?}: {command:?} and {other:?}");
            }
            let releases = navigation.keys(Command::ReleaseEffectors.info()).unwrap();
            assert_eq!(releases.modifiers.is_none(), navigation == Navigation::Kinescope);
            assert_eq!(navigation.command().info().label, format!("Navigate as in {}", navigation.label()));
        }
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
