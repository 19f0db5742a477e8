use egui_macroquad::egui::{self, FontId, Pos2, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::system::{IS_PAGE, files};
use crate::tools::game::session::GameAction;
use crate::tools::game::words as text;
use crate::tools::game::{Connection, Game, Listening, MOST_MARKS, Origin, Shown, Verdict};
use crate::tools::motion::pane::labelled;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{number_row, section};
use crate::ui::words::counted;
use kinescope_ik::key::label;

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 4, show);

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let hint = match &session.tools.games.connection {
            Connection::Off { .. } => text::NOT_LISTENING,
            Connection::Listening(_) => text::LISTENING_HINT,
        };
        section(ui, theme, text::CONNECTION, hint, |ui| connection(ui, theme, session, actions));
        if !session.tools.games.games.is_empty() {
            section(ui, theme, text::GAMES, text::GAMES_HINT, |ui| games(ui, theme, session, actions));
        }
        if let Some((game, character)) = session.tools.games.shown() {
            section(ui, theme, text::CHARACTERS, text::CHARACTERS_HINT, |ui| {
                characters(ui, theme, (game, character), actions);
            });
            section(ui, theme, text::COMPARED, text::COMPARED_HINT, |ui| {
                differences(ui, theme, session, (game, character), actions);
            });
        }
        // The jobs come last, because they appear and disappear without user input, and must not move the sections above.
        if let Some(opening) = &session.tools.games.opening {
            section(ui, theme, text::OPENING, "", |ui| {
                progress(ui, &opening.path.display().to_string(), opening.job.progress())
            });
        }
        if let Some(saving) = &session.tools.games.saving {
            section(ui, theme, text::SAVING, "", |ui| {
                progress(ui, &saving.path.display().to_string(), saving.job.progress())
            });
        }
    });
}

fn progress(ui: &mut Ui, name: &str, done: f32) {
    ui.add(egui::Label::new(name).truncate());
    ui.add(egui::ProgressBar::new(done).show_percentage());
}

fn connection(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    if IS_PAGE {
        ui.add(egui::Label::new(RichText::new(text::NOT_IN_PAGE).color(theme.text[1])).wrap());
        return command_button(ui, Command::OpenRecording, true, actions);
    }
    match &session.tools.games.connection {
        Connection::Off { address } => not_listening(ui, theme, address.as_deref(), actions),
        Connection::Listening(listening) => listens(ui, theme, session, listening, actions),
    }
}

fn not_listening(ui: &mut Ui, theme: &Theme, last: Option<&str>, actions: &mut Vec<Action>) {
    let id = ui.id().with("address");
    let mut address: String =
        ui.data(|data| data.get_temp(id)).unwrap_or_else(|| last.unwrap_or(kinescope_ik::link::ADDRESS).to_owned());
    labelled(ui, theme, text::ADDRESS, |ui| {
        let field = egui::TextEdit::singleline(&mut address).desired_width(116.0);
        let field = ui.add(field).help(text::ADDRESS_HELP);
        let enters = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if ui.button(text::LISTEN).clicked() || enters {
            actions.push(Action::Game(GameAction::Listen(address.trim().to_owned())));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, address));
    ui.add(egui::Label::new(RichText::new(text::HOW).color(theme.text[1])).wrap());
    command_button(ui, Command::OpenRecording, true, actions);
}

fn listens(ui: &mut Ui, theme: &Theme, session: &Session, listening: &Listening, actions: &mut Vec<Action>) {
    let traffic = listening.traffic;
    labelled(ui, theme, text::ADDRESS, |ui| {
        ui.label(RichText::new(listening.listener.address.to_string()).monospace());
    });
    if listening.listener.is_open_to_others() {
        let text = text::open_to_others(&icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning)).help(text::OPEN_TO_OTHERS_HELP);
    }
    labelled(ui, theme, text::CONNECTED, |ui| match traffic.from {
        Some(from) => {
            let name = session.tools.games.received_game().map_or(text::UNNAMED_GAME, |game| &game.name);
            ui.label(RichText::new(from.to_string()).monospace().color(theme.text[1]));
            ui.add(egui::Label::new(RichText::new(name).family(semibold())).truncate());
        }
        None => {
            let text = match traffic.calling {
                Some(from) => text::connected_without_header(&from),
                None => text::NOT_CONNECTED.to_owned(),
            };
            ui.label(RichText::new(text).color(theme.text[1]));
        }
    });
    if session.tools.games.is_behind_dialog() && session.window.dialog.is_some() {
        ui.add(egui::Label::new(RichText::new(text::BEHIND_DIALOG).color(theme.warning)).wrap());
    }
    counters(ui, theme, session, listening);
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let mut tunes = session.tools.games.tunes;
        let help = Command::TuneGame.info().help;
        if ui.checkbox(&mut tunes, Command::TuneGame.info().label).help(help).clicked() {
            actions.push(Action::Command(Command::TuneGame));
        }
        if session.tools.games.tunes && traffic.from.is_none() {
            ui.label(RichText::new(text::ONCE_CONNECTED).color(theme.text[2]));
        }
    });
    ui.horizontal(|ui| {
        command_button(ui, Command::StopListening, true, actions);
        if traffic.calling.is_some() {
            command_button(ui, Command::DisconnectGame, true, actions);
        }
    });
    // The lines are below the buttons, because a new line must not move a button.
    let area = egui::ScrollArea::vertical().id_salt("malformed lines").auto_shrink(false);
    area.max_height(MALFORMED_HEIGHT).min_scrolled_height(MALFORMED_HEIGHT).show(ui, |ui| {
        for fault in &listening.malformed {
            ui.add(egui::Label::new(RichText::new(fault).color(theme.warning)).wrap());
        }
    });
}

fn counters(ui: &mut Ui, theme: &Theme, session: &Session, listening: &Listening) {
    let Listening { traffic, rate, .. } = listening;
    let lost = session.tools.games.lost();
    let dropped = match traffic.dropped_marks {
        0 => lost.to_string(),
        marks => format!("{lost}, {}", counted(marks as usize, "mark")),
    };
    let rows = [
        (text::FRAMES_PER_SECOND, format!("{:.1}", rate.frames), text::RATE_HELP),
        (text::BYTES_PER_SECOND, bytes(f64::from(rate.bytes)), text::RATE_HELP),
        (
            text::RECEIVED,
            format!("{}, {}", counted(traffic.frames as usize, "frame"), bytes(traffic.bytes as f64)),
            text::RECEIVED_HELP,
        ),
        (text::DROPPED, dropped, text::DROPPED_HELP),
        (text::REFUSED, traffic.turned_away.to_string(), text::REFUSED_HELP),
        (text::MALFORMED, traffic.refused.to_string(), text::MALFORMED_HELP),
    ];
    for (name, value, help) in rows {
        ui.scope(|ui| number_row(ui, theme, None, name, &[value], None)).response.help(help);
    }
}

const MALFORMED_HEIGHT: f32 = 34.0;

fn bytes(count: f64) -> String {
    match count {
        count if count < 1e3 => format!("{count:.0} B"),
        count if count < 1e6 => format!("{:.1} KB", count / 1e3),
        count if count < 1e9 => format!("{:.1} MB", count / 1e6),
        count => format!("{:.2} GB", count / 1e9),
    }
}

const ROW: f32 = 22.0;

fn choice(ui: &mut Ui, theme: &Theme, is_chosen: bool, name: &str, state: &str, warns: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, is_chosen, name));
    let wide = rect.expand2(vec2(12.0, 0.0));
    let painter = ui.painter_at(wide);
    match is_chosen {
        true => drop(painter.rect_filled(wide, 0.0, theme.selected_row)),
        false if response.hovered() => drop(painter.rect_filled(wide, 0.0, theme.header)),
        false => {}
    }
    let color = if warns { theme.warning } else { theme.text[1] };
    let state = painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, state, FontId::monospace(11.5), color);
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), FontId::proportional(12.5), theme.text[0]);
    job.wrap = egui::text::TextWrapping::truncate_at_width(state.left() - rect.left() - 10.0);
    let galley = painter.layout_job(job);
    painter.galley(Pos2::new(rect.left(), rect.center().y - galley.size().y / 2.0), galley, theme.text[0]);
    response
}

fn games(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    list("games", ROWS_OF_GAMES).show(ui, |ui| {
        for game in session.tools.games.games.iter().rev() {
            let is_shown = session.tools.games.shown_id().is_some_and(|shown| shown.game == game.id);
            let is_received = session.tools.games.received.as_ref().is_some_and(|received| received.game == game.id);
            let state = match &game.origin {
                Origin::Link if is_received && session.tools.games.is_connected() => text::RUNNING,
                Origin::Link if game.is_saved() => text::SAVED,
                Origin::Link => text::NOT_SAVED,
                Origin::File { .. } => text::RECORDING,
            };
            let state = format!("{state}  {}", counted(game.len(), "frame"));
            let response = choice(ui, theme, is_shown, &game.name, &state, false);
            if response.clicked() && !is_shown {
                actions
                    .push(Action::Game(GameAction::Show(Shown { game: game.id, character: game.first_character() })));
            }
        }
    });
    if session.tools.games.is_shown() {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            command_button(ui, Command::SaveRecording, true, actions);
            command_button(ui, Command::SaveCapsule, true, actions);
        });
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            command_button(ui, Command::ChooseBodyMesh, true, actions);
            command_button(ui, Command::UseCapsules, session.world.character.body().is_some(), actions);
        });
        ui.add_space(4.0);
        let (text, help) = match session.world.character.body() {
            Some(body) => (text::drawn_as(&files::name_of(&body.path)), body.fit.describe()),
            None => (text::DRAWN_AS_CAPSULES.to_owned(), text::NO_MESH.to_owned()),
        };
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).truncate()).help(help);
    }
}

/// Number of characters that are listed without scrolling. A longer list would hide the sections below.
const ROWS_OF_CHARACTERS: f32 = 8.0;
const ROWS_OF_GAMES: f32 = 5.0;

fn list(name: &str, rows: f32) -> egui::ScrollArea {
    egui::ScrollArea::vertical().id_salt(name).max_height(rows * 24.0)
}

fn characters(ui: &mut Ui, theme: &Theme, (game, shown): (&Game, usize), actions: &mut Vec<Action>) {
    // Only the visible rows are laid out, because a game may spawn thousands of characters.
    list("characters", ROWS_OF_CHARACTERS).show_rows(ui, ROW, game.characters.len(), |ui, rows| {
        for index in rows {
            let (own, lane) = (&game.characters[index], &game.lanes[index]);
            let state = match lane.differing {
                0 => counted(lane.len(), "frame"),
                count => text::count_differ(&count, &lane.len()),
            };
            let state = if lane.is_present() { state } else { text::left_with(&state) };
            let response = choice(ui, theme, index == shown, &own.name, &state, lane.differing > 0);
            if response.clicked() && index != shown {
                actions.push(Action::Game(GameAction::Show(Shown { game: game.id, character: index })));
            }
        }
    });
}

/// While live, the number of frames before the frame shown that are searched for a compared frame.
const MOST_UNKNOWN: u64 = 256;

fn differences(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    (game, character): (&Game, usize),
    actions: &mut Vec<Action>,
) {
    let lane = &game.lanes[character];
    if lane.with_result == 0 {
        let text = text::NO_RESULT_HELP;
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        return missing(ui, theme, session, game);
    }
    let compared = text::compared_of(&lane.judged, &lane.with_result);
    number_row(ui, theme, None, text::FRAMES_COMPARED, &[compared], None);
    number_row(ui, theme, None, text::FRAMES_DIFFERING, &[lane.differing.to_string()], None);
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let differs = lane.differing > 0;
        command_button(ui, Command::PreviousDifference, differs, actions);
        command_button(ui, Command::NextDifference, differs, actions);
    });
    let mut shows = session.tools.games.shows_result();
    let help = Command::ShowResult.info().help;
    if ui.checkbox(&mut shows, text::SHOW_RESULT).help(help).clicked() {
        actions.push(Action::Command(Command::ShowResult));
    }
    command_button(ui, Command::ShowCompare, true, actions);
    // While live, the frame shown may not be compared yet. The pane then shows the verdict of the newest compared frame.
    let is_known = |number: &u64| lane.get(*number).is_some_and(|entry| entry.verdict != Verdict::Unknown);
    let frame = session.world.time.frame;
    let newest = (frame.saturating_sub(MOST_UNKNOWN)..=frame).rev().find(is_known).filter(|_| session.world.is_live());
    let number = newest.unwrap_or(frame);
    if let Some(entry) = lane.get(number) {
        let mut verdict = verdict_text(session, game, entry.verdict);
        let bone = session.tools.debugger.port.as_ref().and_then(|port| port.diff.worst_bone());
        if let Some(bone) = bone.filter(|_| entry.verdict.differs() && number == frame) {
            verdict = text::bone_verdict(&label(&bone.bone), &verdict);
        }
        let text = text::frame_verdict(&entry.outline.frame, &verdict);
        let color = if entry.verdict.differs() { theme.warning } else { theme.text[1] };
        ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    }
    missing(ui, theme, session, game);
}

fn missing(ui: &mut Ui, theme: &Theme, session: &Session, game: &Game) {
    if let Some(lane) = session.lane().filter(|lane| lane.skipped > 0) {
        let text = text::frames_missing(&icon::INFO, &counted(lane.skipped as usize, "frame"));
        ui.label(RichText::new(text).color(theme.text[1])).help(text::FRAMES_MISSING_HELP);
    }
    if game.marks.lost > 0 {
        let text = text::marks_dropped(&icon::INFO, &counted(game.marks.lost as usize, "mark"));
        ui.label(RichText::new(text).color(theme.text[1])).help(text::marks_dropped_help(&MOST_MARKS));
    }
}

pub(super) fn verdict_text(session: &Session, game: &Game, verdict: Verdict) -> String {
    match verdict {
        Verdict::Unknown => text::VERDICT_UNKNOWN.to_owned(),
        Verdict::NoResult => text::VERDICT_NO_RESULT.to_owned(),
        Verdict::Same => text::VERDICT_SAME.to_owned(),
        Verdict::Broken => text::VERDICT_BROKEN.to_owned(),
        Verdict::Differs { apart, .. } => {
            let place = game.place(verdict).unwrap_or_default();
            let length = session.world.character.length(apart.distance);
            text::verdict_differs(&length, &apart.degrees, &place)
        }
    }
}
