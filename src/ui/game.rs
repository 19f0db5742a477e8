//! A game that is looked into: who is connected, what comes from there, its characters, and where it differs.

use egui_macroquad::egui::{self, FontId, Pos2, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::game::{Game, Lane, MOST_MARKS, Shown, Verdict};
use crate::session::commands::Command;
use crate::session::{Action, Session};
use crate::system::files;
use crate::tools::motion::pane::labelled;
use crate::tools::steps::frame_strip::{Flag, FrameStrip, seek};
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade, semibold, warmth};
use crate::ui::widgets::{command_button, number_row, section};
use crate::ui::words::counted;
use kinescope_ik::key::label;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let hint = if session.games.listener.is_some() { "one game at a time" } else { "not listening" };
        section(ui, theme, "connection", hint, |ui| connection(ui, theme, session, actions));
        if !session.games.games.is_empty() {
            section(ui, theme, "games", "click one to inspect it", |ui| games(ui, theme, session, actions));
        }
        if let Some((game, character)) = session.games.shown() {
            section(ui, theme, "characters", "each has its frames", |ui| {
                characters(ui, theme, (game, character), actions);
            });
            section(ui, theme, "against Kinescope", "its solve of the same input", |ui| {
                differences(ui, theme, session, (game, character), actions);
            });
        }
        // Last: they come and go by themselves.
        if let Some((path, job)) = &session.games.opening {
            section(ui, theme, "opening", "", |ui| progress(ui, &path.display().to_string(), job.progress()));
        }
        if let Some(saving) = &session.games.saving {
            section(ui, theme, "saving", "", |ui| {
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
    let games = &session.games;
    let Some(listener) = &games.listener else {
        let id = ui.id().with("address");
        let mut address: String = ui
            .data(|data| data.get_temp(id))
            .unwrap_or_else(|| games.address.clone().unwrap_or_else(|| kinescope_ik::link::ADDRESS.to_owned()));
        labelled(ui, theme, "address", |ui| {
            let field = egui::TextEdit::singleline(&mut address).desired_width(116.0);
            let field = ui.add(field).help("Address and port of this machine at which games are waited for.");
            let enters = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if ui.button("Listen for games").clicked() || enters {
                actions.push(Action::Listen(address.trim().to_owned()));
            }
        });
        ui.data_mut(|data| data.insert_temp(id, address));
        ui.add(egui::Label::new(RichText::new(HOW).color(theme.text[1])).wrap());
        command_button(ui, Command::OpenRecording, true, actions);
        return;
    };
    let traffic = games.traffic;
    labelled(ui, theme, "address", |ui| {
        ui.label(RichText::new(listener.address.to_string()).monospace());
    });
    if listener.is_open_to_others() {
        let text = format!("{}  other machines can call here", icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning)).help(
            "This is no address of this machine alone: whoever reaches it may send frames. 127.0.0.1 is this machine's own.",
        );
    }
    labelled(ui, theme, "connected", |ui| match traffic.from {
        Some(from) => {
            let game = games.receiving.and_then(|id| games.get(id));
            ui.label(RichText::new(from.to_string()).monospace().color(theme.text[1]));
            let name = RichText::new(game.map_or("a game", |game| &game.name)).family(semibold());
            ui.add(egui::Label::new(name).truncate());
        }
        None => {
            let text = match traffic.calling {
                Some(from) => format!("{from} connected, no header yet"),
                None => "none; a game may connect at any time".to_owned(),
            };
            ui.label(RichText::new(text).color(theme.text[1]));
        }
    });
    let dropped = match traffic.dropped_marks {
        0 => games.lost().to_string(),
        marks => format!("{}, {}", games.lost(), counted(marks as usize, "mark")),
    };
    let rows = [
        ("frames a second", format!("{:.1}", games.rate.frames), "Of what came in the last two seconds."),
        ("bytes a second", bytes(f64::from(games.rate.bytes)), "Of what came in the last two seconds."),
        (
            "received",
            format!("{}, {}", counted(traffic.frames as usize, "frame"), bytes(traffic.bytes as f64)),
            "Since Kinescope waits.",
        ),
        (
            "dropped",
            dropped,
            "Frames and marks that came and were let go, of whichever game: the oldest, where there was no room for more.",
        ),
        (
            "turned away",
            traffic.turned_away.to_string(),
            "Connections of other games that were refused: one game at a time. They may connect again when it has gone.",
        ),
        (
            "lines refused",
            traffic.refused.to_string(),
            "Lines that did not read, of whichever game, since Kinescope waits.",
        ),
    ];
    for (name, value, help) in rows {
        ui.scope(|ui| number_row(ui, theme, None, name, &[value], None)).response.help(help);
    }
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let mut tunes = games.tunes;
        let help = Command::TuneGame.info().help;
        if ui.checkbox(&mut tunes, Command::TuneGame.info().label).help(help).clicked() {
            actions.push(Action::Command(Command::TuneGame));
        }
        if games.tunes && traffic.from.is_none() {
            ui.label(RichText::new("once one is connected").color(theme.text[2]));
        }
    });
    ui.horizontal(|ui| {
        command_button(ui, Command::StopListening, true, actions);
        if traffic.calling.is_some() {
            command_button(ui, Command::SendGameAway, true, actions);
        }
    });
    // Below the buttons: there may come more at any time.
    let area = egui::ScrollArea::vertical().id_salt("lines refused").auto_shrink(false);
    area.max_height(REFUSED).min_scrolled_height(REFUSED).show(ui, |ui| {
        for fault in &games.refused {
            ui.add(egui::Label::new(RichText::new(fault).color(theme.warning)).wrap());
        }
    });
}

/// Height of the list of lines that were refused.
const REFUSED: f32 = 34.0;

const HOW: &str = "A game sends its frames as lines of text, by Kinescope's library or by itself: skeleton first, then the \
     animated pose, the parameters and the result of its own solver. See «Attach to your game» in the README.";

/// `1.2 MB`.
fn bytes(count: f64) -> String {
    match count {
        count if count < 1e3 => format!("{count:.0} B"),
        count if count < 1e6 => format!("{:.1} KB", count / 1e3),
        count if count < 1e9 => format!("{:.1} MB", count / 1e6),
        count => format!("{:.2} GB", count / 1e9),
    }
}

/// A line that can be clicked: a name, and what there is to say of it at the right.
fn choice(ui: &mut Ui, theme: &Theme, is_chosen: bool, name: &str, said: &str, warns: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, is_chosen, name));
    let wide = rect.expand2(vec2(12.0, 0.0));
    let painter = ui.painter_at(wide);
    match is_chosen {
        true => drop(painter.rect_filled(wide, 0.0, theme.selected_row)),
        false if response.hovered() => drop(painter.rect_filled(wide, 0.0, theme.header)),
        false => {}
    }
    let color = if warns { theme.warning } else { theme.text[1] };
    let said = painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, said, FontId::monospace(11.5), color);
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), FontId::proportional(12.5), theme.text[0]);
    job.wrap = egui::text::TextWrapping::truncate_at_width(said.left() - rect.left() - 10.0);
    let galley = painter.layout_job(job);
    painter.galley(Pos2::new(rect.left(), rect.center().y - galley.size().y / 2.0), galley, theme.text[0]);
    response
}

fn games(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    list("games", ROWS_OF_GAMES).show(ui, |ui| {
        for game in session.games.games.iter().rev() {
            let is_shown = session.games.shown.is_some_and(|shown| shown.game == game.id);
            let state = match () {
                () if Some(game.id) == session.games.receiving && session.games.traffic.from.is_some() => "running",
                () if game.path.is_some() => "recording",
                () if game.is_saved() => "saved",
                () => "not saved",
            };
            let said = format!("{state}  {}", counted(game.len(), "frame"));
            let response = choice(ui, theme, is_shown, &game.name, &said, false);
            if response.clicked() && !is_shown {
                actions.push(Action::ShowGame(Shown { game: game.id, character: game.first_character() }));
            }
        }
    });
    if session.games.shown.is_some() {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            command_button(ui, Command::SaveRecording, true, actions);
            command_button(ui, Command::SaveCapsule, true, actions);
        });
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            command_button(ui, Command::ChooseBodyMesh, true, actions);
            command_button(ui, Command::UseCapsules, session.character.body().is_some(), actions);
        });
        ui.add_space(4.0);
        let (text, help) = match session.character.body() {
            Some(body) => (format!("drawn as {}", files::name_of(&body.path)), body.fit.describe()),
            None => ("drawn as capsules".to_owned(), "No mesh was chosen for this character.".to_owned()),
        };
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).truncate()).help(help);
    }
}

/// Rows that are listed without scrolling: what is said below them stays in sight.
const ROWS_OF_CHARACTERS: f32 = 8.0;
const ROWS_OF_GAMES: f32 = 5.0;

fn list(name: &str, rows: f32) -> egui::ScrollArea {
    egui::ScrollArea::vertical().id_salt(name).max_height(rows * 24.0)
}

fn characters(ui: &mut Ui, theme: &Theme, (game, shown): (&Game, usize), actions: &mut Vec<Action>) {
    list("characters", ROWS_OF_CHARACTERS).show(ui, |ui| {
        for (index, (own, lane)) in game.header.characters.iter().zip(&game.lanes).enumerate() {
            let said = match lane.differing {
                0 => counted(lane.len(), "frame"),
                count => format!("{count} of {} differ", lane.len()),
            };
            let response = choice(ui, theme, index == shown, &own.name, &said, lane.differing > 0);
            if response.clicked() && index != shown {
                actions.push(Action::ShowGame(Shown { game: game.id, character: index }));
            }
        }
    });
}

/// Frames that may wait to be compared while others come.
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
        let text = "The game does not send the result of its own solver (`result`): Kinescope's solve is shown alone.";
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        return missing(ui, theme, session, game);
    }
    let compared = format!("{} of {}", lane.judged, lane.with_result);
    number_row(ui, theme, None, "frames compared", &[compared], None);
    number_row(ui, theme, None, "frames that differ", &[lane.differing.to_string()], None);
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let differs = lane.differing > 0;
        command_button(ui, Command::PreviousDifference, differs, actions);
        command_button(ui, Command::NextDifference, differs, actions);
    });
    let mut shows = !session.games.hides_result;
    let help = Command::ShowResult.info().help;
    if ui.checkbox(&mut shows, "show the game's result, hollow").help(help).clicked() {
        actions.push(Action::Command(Command::ShowResult));
    }
    command_button(ui, Command::ShowCompare, true, actions);
    // Live, the newest that is known.
    let is_known = |number: &u64| lane.get(*number).is_some_and(|entry| entry.verdict != Verdict::Unknown);
    let frame = session.time.frame;
    let newest = (frame.saturating_sub(MOST_UNKNOWN)..=frame).rev().find(is_known).filter(|_| session.is_live());
    let number = newest.unwrap_or(frame);
    if let Some(entry) = lane.get(number) {
        let mut said = verdict_text(session, game, entry.verdict);
        let bone = session.debugger.port.as_ref().and_then(|port| port.diff.worst_bone());
        if let Some(bone) = bone.filter(|_| entry.verdict.differs() && number == frame) {
            said = format!("{}, {said}", label(&bone.bone));
        }
        let text = format!("frame {}: {said}", entry.outline.frame);
        let color = if entry.verdict.differs() { theme.warning } else { theme.text[1] };
        ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    }
    missing(ui, theme, session, game);
}

/// What of a game is not there.
fn missing(ui: &mut Ui, theme: &Theme, session: &Session, game: &Game) {
    if let Some(lane) = session.lane().filter(|lane| lane.skipped > 0) {
        let text = format!("{}  {} of the game's numbers are missing", icon::INFO, lane.skipped);
        ui.label(RichText::new(text).color(theme.text[1]))
            .help("The game, or what sends for it, left these frames out; its numbers go up by more than one.");
    }
    if game.marks.lost > 0 {
        let text = format!("{}  {} were let go, the oldest", icon::INFO, counted(game.marks.lost as usize, "mark"));
        ui.label(RichText::new(text).color(theme.text[1]))
            .help(format!("The last {MOST_MARKS} marks of a game are kept."));
    }
}

/// What there is to say of a frame.
fn verdict_text(session: &Session, game: &Game, verdict: Verdict) -> String {
    match verdict {
        Verdict::Unknown => "not compared yet".to_owned(),
        Verdict::NoResult => "the game does not send its result".to_owned(),
        Verdict::Same => "the same".to_owned(),
        Verdict::Broken => "does not read".to_owned(),
        Verdict::Differs { apart, .. } => {
            let place = game.place(verdict).unwrap_or_default();
            let length = session.character.length(apart.distance);
            format!("{length} and {:.1}° apart in the end, first at {place}", apart.degrees)
        }
    }
}

/// The timeline's lane of a game's frames: how far it and Kinescope are apart in each, where that begins and at which stage,
/// and its marks.
pub fn lane(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    (game, lane): (&Game, &Lane),
    height: f32,
    actions: &mut Vec<Action>,
) {
    let (Some(first), Some(last)) = (lane.first(), lane.last()) else { return };
    let (from, to) = (first.outline.time, last.outline.time);
    let strip = FrameStrip::new(ui, theme, height, "frames of the game", [from, to]);
    strip.name("frames");
    strip.name_curve("apart");

    let height = session.character.height;
    let mut columns = vec![Column::default(); strip.columns()];
    for (_, entry) in lane.entries() {
        columns[strip.column_of(entry.outline.time)].add(entry.verdict, height);
    }
    // Frames may be further apart than columns: one lasts until the next, unless that is late.
    let lasts = (LATE * columns.len() / lane.len()).max(LEAST_LASTS);
    let mut before = None;
    for (index, column) in columns.iter_mut().enumerate() {
        match before {
            Some((since, known)) if column.frames == 0 && index - since <= lasts => *column = known,
            _ if column.frames > 0 => before = Some((index, *column)),
            _ => {}
        }
    }
    strip.draw(columns.iter().map(|column| {
        let color = match column {
            Column { frames: 0, .. } => return None,
            Column { broken: true, .. } => theme.warning,
            Column { apart: Some(share), .. } => theme.warmth(warmth(*share).max(0.25)),
            Column { same: true, .. } => fade(theme.accent, 0.35),
            _ => theme.track,
        };
        let is_known = column.same || column.apart.is_some();
        Some((color, is_known.then(|| warmth(column.apart.unwrap_or(0.0)))))
    }));
    let begins = lane.beginnings().map(|(_, entry)| Flag {
        time: entry.outline.time,
        text: game.place(entry.verdict).unwrap_or_default(),
        is_warning: true,
    });
    let marks = game.marks.iter().map(|mark| Flag { time: mark.time, text: &mark.mark, is_warning: false });
    let flagged = strip.flags(begins.chain(marks));
    if let Some(entry) = lane.get(session.time.frame) {
        strip.playhead(entry.outline.time);
    }
    let number_at = |pointer: Pos2| lane.at_time(strip.time_at(pointer));
    seek(ui, &strip.response, number_at, actions);
    let entry = strip.response.hover_pos().and_then(number_at).and_then(|number| lane.get(number));
    let said = entry.map_or_else(String::new, |entry| {
        let text = verdict_text(session, game, entry.verdict);
        let flagged = if flagged.is_empty() { flagged } else { format!("{flagged}. ") };
        format!("{flagged}Frame {} at {:.3} s: {text}. ", entry.outline.frame, entry.outline.time)
    });
    strip.response.help(format!(
        "{said}How far the game's result and Kinescope's are apart, frame by frame; a rotation counts as far as it moves \
         what is a tenth of the character's height away. Drag to go to a frame; J goes to where the next difference begins."
    ));
}

/// A frame is shown for so many columns where no other comes, or for so many times as long as frames are apart; behind them
/// there was none for a while.
const LEAST_LASTS: usize = 8;
const LATE: usize = 3;

/// What two pixels' worth of frames come to.
#[derive(Clone, Copy, Default)]
struct Column {
    frames: u32,
    /// Of the frame that is furthest apart: [`Apart::share`](crate::cli::diff::Apart::share).
    apart: Option<f32>,
    same: bool,
    broken: bool,
}

impl Column {
    fn add(&mut self, verdict: Verdict, height: f32) {
        self.frames += 1;
        match verdict {
            Verdict::Unknown | Verdict::NoResult => {}
            Verdict::Same => self.same = true,
            Verdict::Broken => self.broken = true,
            Verdict::Differs { apart, .. } => self.apart = Some(self.apart.unwrap_or(0.0).max(apart.share(height))),
        }
    }
}
