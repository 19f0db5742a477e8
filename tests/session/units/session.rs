//! Tests of `src/session`.

mod commands {
    use kinescope::session::commands::{COMMANDS, Command, MENUS};

    #[test]
    fn every_shortcut_is_used_once() {
        for (index, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[index + 1..] {
                assert_ne!(a.command, b.command);
                assert!(a.shortcut.is_none() || a.shortcut != b.shortcut, "{} and {}", a.label, b.label);
            }
            assert!(a.help.ends_with('.'), "{}", a.label);
            assert_eq!(a.command.info().label, a.label);
        }
    }

    #[test]
    fn every_command_does_something() {
        for info in COMMANDS {
            assert!(info.run.is_some() || info.file.is_some() || info.pane.is_some(), "{}", info.label);
            assert_eq!(
                info.label.ends_with('…'),
                info.file.is_some() || matches!(info.command, Command::AttachToGame | Command::AttachTarget),
                "{}",
                info.label
            );
        }
    }

    #[test]
    fn menus_have_groups_and_quit_is_last() {
        let mut groups: Vec<(&str, &str)> = COMMANDS.iter().map(|info| (info.menu, info.group)).collect();
        groups.dedup();
        let titles: Vec<&str> = groups.iter().map(|(_, title)| *title).collect();
        let mut menus: Vec<&str> = COMMANDS.iter().map(|info| info.menu).collect();
        menus.dedup();
        assert_eq!(menus, MENUS);
        for (index, title) in titles.iter().enumerate() {
            assert!(!titles[..index].contains(title), "{title}");
        }
        let of_file: Vec<Command> =
            COMMANDS.iter().filter(|info| info.menu == "File").map(|info| info.command).collect();
        assert_eq!(of_file.last(), Some(&Command::Quit));
        assert_eq!(Command::Redo.group(), "Undo");
        assert_eq!(Command::Palette.group(), "Find");
    }
}

mod navigation {
    use egui_macroquad::egui::{KeyboardShortcut, Modifiers};

    use kinescope::session::commands::{COMMANDS, Command, CommandInfo};
    use kinescope::session::navigation::{Button, Move, Navigation};

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
