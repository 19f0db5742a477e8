use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::scenes::{SCENES, TOPICS};
use crate::session::commands::buttons::{command_icon, command_toggle};
use crate::session::commands::{COMMANDS, Command, CommandInfo, MENUS, SUBMENUS};
use crate::session::{Action, GizmoStyle, MeshStyle, Posing, Session};
use crate::shell::panes::layout::Layout;
use crate::shell::panes::words as text;
use crate::tools::learn::words as learn;
use crate::tools::pose::session::PoseAction;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{key_cap, segmented};
use crate::ui::words::{capital, counted};

pub(crate) fn menu(ui: &mut Ui, session: &Session, layout: &Layout, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    egui::menu::bar(ui, |ui| {
        ui.set_height(crate::shell::panes::MENU_HEIGHT);
        ui.label(RichText::new(text::PROGRAM).family(semibold()));
        ui.add_space(6.0);
        for &menu in MENUS {
            ui.menu_button(menu, |ui| {
                ui.set_min_width(230.0);
                let most = ui.ctx().screen_rect().height() - crate::shell::panes::MENU_HEIGHT - 24.0;
                // egui limits menus to 400 pixels by default.
                ui.set_max_height(most);
                egui::ScrollArea::vertical().max_height(most).show(ui, |ui| {
                    menu_items(ui, menu, session, layout, actions);
                });
            });
        }
        ui.menu_button(text::SCENES, |ui| scenes(ui, session, actions));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for (command, name) in [(Command::Keys, text::KEYS_BUTTON), (Command::Palette, text::PALETTE_BUTTON)] {
                key_cap(ui, theme, &command.info().shortcut_text());
                let button = egui::Button::new(RichText::new(name).color(theme.text[1])).frame(false);
                if ui.add(button).help(command.info().tooltip()).clicked() {
                    actions.push(Action::Command(command));
                }
                ui.add_space(6.0);
            }
            tape(ui, theme, session, actions);
            let is_first_start = session.tools.learn.progress.is_first_start();
            let took = session.world.solved.times().total();
            let least = WITH_SOLVE_TIME + if is_first_start { INVITATION } else { 0.0 };
            if took > 0.0 && ui.ctx().screen_rect().width() >= least {
                ui.separator();
                ui.label(RichText::new(format!("{took:7.1} µs")).monospace());
                ui.label(RichText::new(text::SOLVE_TIME).color(theme.text[1])).help(text::SOLVE_TIME_HELP);
            }
            if is_first_start && ui.ctx().screen_rect().width() >= WITH_INVITATION {
                ui.add_space(10.0);
                let button = egui::Button::new(RichText::new(learn::FIRST_START).color(theme.text[1])).frame(false);
                if ui.add(button).help(learn::FIRST_START_HELP).clicked() {
                    actions.push(Action::Command(Command::Learn));
                }
            }
        });
    });
}

/// Smallest width of a window whose menu bar has room for the time of the solve, logical pixels. At the first start,
/// [`INVITATION`] is added.
const WITH_SOLVE_TIME: f32 = 1150.0;
/// Width of the invitation to learn at the first start, logical pixels.
const INVITATION: f32 = 80.0;
/// Smallest width of a window whose menu bar has room for the invitation to learn, logical pixels.
const WITH_INVITATION: f32 = 1020.0;

const TICK_WIDTH: f32 = 18.0;
const SUBMENU_WIDTH: f32 = 200.0;

fn menu_items(ui: &mut Ui, menu: &str, session: &Session, layout: &Layout, actions: &mut Vec<Action>) {
    let commands: Vec<&CommandInfo> = COMMANDS.iter().filter(|info| info.menu == menu).collect();
    let mut after_submenu = false;
    for (index, group) in commands.chunk_by(|a, b| a.group == b.group).enumerate() {
        let title = group[0].group;
        let is_submenu = SUBMENUS.contains(&title);
        if index > 0 && !(is_submenu && after_submenu) {
            ui.separator();
        }
        after_submenu = is_submenu;
        if group[0].command == Command::Quit {
            recent(ui, session, actions);
            ui.separator();
        }
        let mut items = |ui: &mut Ui| group.iter().for_each(|info| menu_item(ui, info, session, layout, actions));
        if is_submenu {
            submenu(ui, title, |ui| {
                ui.set_min_width(SUBMENU_WIDTH);
                items(ui);
            });
        } else {
            items(ui);
        }
    }
}

fn submenu(ui: &mut Ui, title: &str, items: impl FnOnce(&mut Ui)) {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let mut text = egui::text::LayoutJob::default();
    text.append(title, TICK_WIDTH, egui::TextFormat::simple(font, egui::Color32::PLACEHOLDER));
    ui.menu_button(text, items);
}

fn menu_item(ui: &mut Ui, info: &CommandInfo, session: &Session, layout: &Layout, actions: &mut Vec<Action>) {
    let (why_not, is_on) = (session.why_not(info.command), session.is_on(info.command, |pane| layout.is_shown(pane)));
    let font = egui::TextStyle::Button.resolve(ui.style());
    let format = egui::TextFormat::simple(font, egui::Color32::PLACEHOLDER);
    let mut text = egui::text::LayoutJob::default();
    let mut indent = TICK_WIDTH;
    if is_on == Some(true) {
        text.append(icon::CHECK, 0.0, format.clone());
        let tick = ui.fonts(|fonts| fonts.layout_job(text.clone()).size().x);
        indent = (TICK_WIDTH - tick).max(0.0);
    }
    text.append(info.label, indent, format);
    let button = egui::Button::new(text).shortcut_text(info.shortcut_text_in(session.look.navigation));
    let response = ui.add_enabled(why_not.is_none(), button);
    let enabled = why_not.is_none();
    response.describe(&|| match is_on {
        Some(is_on) => egui::WidgetInfo::selected(egui::WidgetType::Checkbox, enabled, is_on, info.label),
        None => egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, info.label),
    });
    let help = match why_not {
        Some(why) => format!("{why}\n{}", info.help),
        None => info.help.to_owned(),
    };
    if response.help(help).clicked() {
        actions.push(Action::Command(info.command));
        ui.close_menu();
    }
}

fn tape(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let tape = &session.tools.debugger.tape;
    let megabytes = |bytes: usize| bytes as f32 / (1 << 20) as f32;
    let text = text::memory_used(&megabytes(tape.bytes()), &megabytes(tape.budget()));
    let help = text::MEMORY_HELP;
    if ui.add(egui::Button::new(RichText::new(text).monospace()).frame(false)).help(help).clicked() {
        actions.push(Action::Command(Command::ShowFinder));
    }
    let (rect, _) = ui.allocate_exact_size(vec2(62.0, 8.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, theme.track);
    let part = tape.bytes() as f32 / tape.budget().max(1) as f32;
    let filled = egui::Rect::from_min_size(rect.min, vec2(rect.width() * part.min(1.0), rect.height()));
    ui.painter().rect_filled(filled, 2.0, theme.fill);
    // While a game is shown, the tape has only the frames of the game that were shown.
    let (count, what, help) = match session.lane() {
        Some(lane) => {
            let shown = counted(tape.len(), "frame");
            (lane.len(), text::GAME_SENT, text::game_frames_help(&shown))
        }
        None => (tape.len(), text::RECORDED, text::RECORDED_HELP.to_owned()),
    };
    ui.label(RichText::new(if count == 1 { "frame" } else { "frames" }).color(theme.text[1]));
    ui.label(RichText::new(count.to_string()).monospace()).help(help);
    ui.label(RichText::new(what).color(theme.text[1]));
}

fn recent(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    type Open = fn(std::path::PathBuf) -> Action;
    let lists: [(&str, &[std::path::PathBuf], Open); 2] = [
        (text::RECENT_MODELS, &session.files.recent.models, |path| Action::File(Command::OpenModel, path)),
        (text::RECENT_PRESETS, &session.files.recent.presets, |path| Action::File(Command::OpenPreset, path)),
    ];
    for (title, paths, open) in lists {
        submenu(ui, title, |ui| {
            if paths.is_empty() {
                ui.weak(text::NONE_YET);
            }
            for path in paths {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                if ui.button(name).help(path.display().to_string()).clicked() {
                    actions.push(open(path.clone()));
                    ui.close_menu();
                }
            }
        });
    }
}

fn scenes(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.set_min_width(170.0);
    let shown = session.started_scene.scene;
    for (topic, _) in TOPICS {
        let is_current = shown.is_some_and(|scene| scene.topic() == *topic);
        let text = RichText::new(*topic).family(if is_current { semibold() } else { egui::FontFamily::Proportional });
        ui.menu_button(text, |ui| {
            ui.set_min_width(220.0);
            for scene in SCENES.iter().filter(|scene| scene.topic() == *topic) {
                let current = shown.is_some_and(|shown| shown.name == scene.name);
                let help = format!("{}\n{}", scene.purpose, scene.hint);
                if ui.selectable_label(current, capital(scene.name)).help(help).clicked() {
                    actions.push(Action::Scene(scene.name));
                    ui.close_menu();
                }
            }
        });
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Words {
    Few,
    All,
}

/// Smallest width of a tool bar with all words, in logical pixels.
const WITH_WORDS: f32 = 1176.0;
/// Widths of everything but the menus, without and with all words, in logical pixels.
const BESIDE_MENUS: [f32; 2] = [584.0, 748.0];
/// Widths of the menus of scene, model and preset in logical pixels, before they share spare room or shrink. They have
/// room for the names of the built-in model and of a new preset.
const LEAST_WIDTHS: [f32; 3] = [113.0, 122.0, 117.0];
const SHARES: [f32; 3] = [0.6, 0.2, 0.2];

pub(crate) fn tools(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let words = if ui.available_width() < WITH_WORDS { Words::Few } else { Words::All };
    // The menus have fixed widths, so that a longer name does not move the controls after them.
    let room = ui.available_width() - BESIDE_MENUS[words as usize];
    let least: f32 = LEAST_WIDTHS.iter().sum();
    let widths = [0, 1, 2].map(|menu| {
        let width = LEAST_WIDTHS[menu] * (room / least).clamp(0.7, 1.0) + SHARES[menu] * (room - least).max(0.0);
        width.floor()
    });
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        // The menu's word, such as "Scene", is left out in a narrow tool bar, and if a long name needs its room.
        let labelled = |ui: &Ui, width: f32, icon: &str, what: &str, name: &str| {
            let font = egui::TextStyle::Button.resolve(ui.style());
            let size = |text: String| ui.painter().layout_no_wrap(text, font.clone(), egui::Color32::WHITE).size().x;
            let around =
                2.0 * ui.spacing().button_padding.x + ui.spacing().icon_spacing + size(icon::CARET_DOWN.to_owned());
            let [long, short] = [format!("{icon}  {what}  {name}"), format!("{icon}  {name}")];
            if words == Words::All && size(long.clone()) + around + 4.0 < width { long } else { short }
        };
        let menu = |ui: &mut Ui, width: f32, text: String, help: String, body: &mut dyn FnMut(&mut Ui)| {
            let layout = egui::Layout::left_to_right(egui::Align::Center).with_main_align(egui::Align::Min);
            ui.allocate_ui_with_layout(vec2(width, 26.0), layout, |ui| {
                let button = egui::Button::new(text).truncate().shortcut_text(icon::CARET_DOWN);
                let button = button.min_size(vec2(width, 26.0));
                egui::menu::menu_custom_button(ui, button, |ui| body(ui)).response.help(help);
            });
        };
        let scene = session.started_scene.scene.map_or_else(|| text::NO_SCENE.to_owned(), |scene| capital(scene.name));
        let text = labelled(ui, widths[0], icon::FLASK, text::SCENE_MENU, &scene);
        let help = text::scene_help(&scene);
        menu(ui, widths[0], text, help, &mut |ui| scenes(ui, session, actions));
        let commands = |ui: &mut Ui, commands: &[Command], actions: &mut Vec<Action>| {
            for command in commands {
                if ui.button(command.info().label).help(command.info().help).clicked() {
                    actions.push(Action::Command(*command));
                    ui.close_menu();
                }
            }
        };
        let model = &session.world.character.model.name;
        let text = labelled(ui, widths[1], icon::PERSON_SIMPLE, text::MODEL_MENU, model);
        menu(ui, widths[1], text, text::model_help(&model), &mut |ui| {
            let all = [Command::OpenModel, Command::BuiltInModel, Command::BuiltInFaun, Command::RigDoctor];
            commands(ui, &all, actions);
        });
        let path = session.files.preset.as_ref().and_then(|path| path.file_name());
        let name = path.map_or(text::UNNAMED.into(), |name| name.to_string_lossy());
        let unsaved = if session.world.history.is_unsaved() { "● " } else { "" };
        let text = labelled(ui, widths[2], icon::SLIDERS_HORIZONTAL, text::PRESET_MENU, &format!("{unsaved}{name}"));
        let is_saved = if session.world.history.is_unsaved() { text::NOT_SAVED } else { text::SAVED };
        let help = text::preset_help(&name, &is_saved);
        menu(ui, widths[2], text, help, &mut |ui| {
            let all = [Command::NewPreset, Command::OpenPreset, Command::SavePreset, Command::SavePresetAs];
            commands(ui, &all, actions);
        });
        let (undo, redo) = session.world.history.labels();
        command_icon(ui, icon::ARROW_U_UP_LEFT, Command::Undo, undo.is_some(), actions);
        command_icon(ui, icon::ARROW_U_UP_RIGHT, Command::Redo, redo.is_some(), actions);

        switches(ui, session, words, actions);

        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let tooltip = |command: Command| command.info().tooltip_in(session.look.navigation);
            let modes =
                [(false, text::LIVE, tooltip(Command::Live)), (true, text::PAUSED, tooltip(Command::PlayPause))];
            if let Some(paused) = segmented(ui, theme, session.world.time.is_paused(), &modes)
                && paused != session.world.time.is_paused()
            {
                actions.push(Action::Command(Command::PlayPause));
            }
        });
        ui.allocate_space(vec2(0.0, 0.0));
    });
}

fn switches(ui: &mut Ui, session: &Session, words: Words, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let word = |text: &'static str, symbol: &'static str| if words == Words::Few { symbol } else { text };
    let tooltip = |command: Command| command.info().tooltip_in(session.look.navigation);
    let styles = [
        (MeshStyle::Solid, word(text::SOLID_SWITCH, icon::CUBE), tooltip(Command::SolidMesh)),
        (MeshStyle::Xray, word(text::XRAY_SWITCH, icon::CUBE_TRANSPARENT), tooltip(Command::XrayMesh)),
        (MeshStyle::Hidden, word(text::HIDDEN_SWITCH, icon::CUBE_FOCUS), tooltip(Command::HiddenMesh)),
    ];
    if let Some(mesh) = segmented(ui, theme, session.look.view.mesh, &styles) {
        actions.push(Action::View(crate::session::View { mesh, ..session.look.view }));
    }
    let gizmos = [
        (GizmoStyle::Move, word(text::MOVE_SWITCH, icon::ARROWS_OUT_CARDINAL), tooltip(Command::MoveGizmo)),
        (GizmoStyle::Rotate, word(text::ROTATE_SWITCH, icon::ARROWS_CLOCKWISE), tooltip(Command::RotateGizmo)),
        (GizmoStyle::Both, word(text::BOTH_SWITCH, icon::GLOBE_HEMISPHERE_WEST), tooltip(Command::BothGizmo)),
    ];
    if let Some(gizmo) = segmented(ui, theme, session.interaction.posing.gizmo, &gizmos) {
        actions.push(Action::Pose(PoseAction::Settings(Posing { gizmo, ..session.interaction.posing })));
    }
    let spaces = [
        (false, word(text::WORLD_SWITCH, icon::GLOBE_SIMPLE), tooltip(Command::LocalAxes)),
        (true, word(text::BONE_SWITCH, icon::BONE), tooltip(Command::LocalAxes)),
    ];
    if let Some(local_axes) = segmented(ui, theme, session.interaction.posing.local_axes, &spaces) {
        actions.push(Action::Pose(PoseAction::Settings(Posing { local_axes, ..session.interaction.posing })));
    }
    let toggles = [
        (icon::MAGNET, Command::Snap, session.interaction.posing.snaps),
        (icon::FLIP_HORIZONTAL, Command::MirrorEdits, session.interaction.posing.mirrors),
    ];
    for (symbol, command, is_on) in toggles {
        command_toggle(ui, symbol, command, is_on, actions);
    }
    command_icon(ui, icon::CORNERS_OUT, Command::FrameSelection, true, actions);
}
