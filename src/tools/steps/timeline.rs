use egui_macroquad::egui::{self, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_icon;
use crate::session::pane::{Body, PaneInfo, Place};
use crate::session::{Action, Now, Session};
use crate::tools::game;
use crate::tools::learn::control;
use crate::tools::learn::links::lesson_of_step;
use crate::tools::learn::pane::{LessonOn, lesson_icon};
use crate::tools::motion::clip_track;
use crate::tools::steps::frame_strip::{Flag, FrameStrip, seek};
use crate::tools::steps::session::StepAction;
use crate::tools::steps::words as text;
use crate::ui::CLIP_TRACK_HEIGHT;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, fade, semibold, warmth};
use crate::ui::widgets::{LABELS, key_cap};
use crate::ui::words::capital;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::{self, Cursor, EventView, Run};

pub(crate) const PANE: PaneInfo = PaneInfo {
    title: text::TITLE,
    help: text::WHAT,
    place: Place::Below { order: 2, height: 205.0 },
    body: Body::Timeline { tools: transport, strips },
    is_open: true,
};

const TRANSPORT_HEIGHT: f32 = 38.0;
/// Smallest height of the strip of a game's frames, logical pixels.
const GAME_FRAMES_HEIGHT: f32 = 50.0;
/// Smallest height of the strip of other frames, logical pixels. It is lower, to leave room for tabs above the timeline.
const FRAMES_HEIGHT: f32 = 36.0;
const MOST_FRAMES_HEIGHT: f32 = 150.0;
const STRIP_HEIGHT: f32 = 108.0;

pub(crate) fn strips(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_viewport(ui, |ui, viewport| {
        let mut spare = viewport.height() - STRIP_HEIGHT;
        if clip_track::is_shown(session) {
            clip_track::show(ui, theme, session, actions);
            spare -= CLIP_TRACK_HEIGHT;
        }
        let least = if session.tools.games.is_shown() { GAME_FRAMES_HEIGHT } else { FRAMES_HEIGHT };
        let height = spare.clamp(least, MOST_FRAMES_HEIGHT);
        match session.tools.games.shown().and_then(|(game, own)| Some((game, game.lanes.get(own)?))) {
            Some(shown) => game::lane::show(ui, theme, session, shown, height, actions),
            None => frames(ui, theme, session, height, actions),
        }
        strip(ui, theme, session, actions);
    });
}

pub(crate) fn transport(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing.y = 0.0;
    let time = &session.world.time;
    let width = ui.available_width();
    let (has_keys, has_words) = (width > 1320.0, width > 1040.0);
    ui.horizontal(|ui| {
        ui.set_height(TRANSPORT_HEIGHT);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (icon, command) in [
            (icon::SKIP_BACK, Command::FirstStep),
            (icon::REWIND, Command::PreviousIteration),
            (icon::CARET_LEFT, Command::PreviousStage),
            if session.world.time.is_paused() {
                (icon::RECORD, Command::Live)
            } else {
                (icon::PAUSE, Command::PlayPause)
            },
            (icon::CARET_RIGHT, Command::NextStage),
            (icon::FAST_FORWARD, Command::NextIteration),
            (icon::SKIP_FORWARD, Command::LastStep),
        ] {
            command_icon(ui, icon, command, true, actions);
            // The middle button always shows Space as its key, which both pauses and resumes.
            let command = if command == Command::Live { Command::PlayPause } else { command };
            let shortcut = command.info().shortcut_text();
            if has_keys && shortcut.len() < 6 {
                key_cap(ui, theme, &shortcut);
            }
        }
        ui.separator();
        if has_words {
            ui.label(RichText::new(text::MOVE).color(theme.text[1]));
        }
        for (icon, command) in
            [(icon::CARET_LINE_LEFT, Command::PreviousMove), (icon::CARET_LINE_RIGHT, Command::NextMove)]
        {
            command_icon(ui, icon, command, true, actions);
        }
        ui.separator();
        if has_words {
            ui.label(RichText::new(text::FRAME).color(theme.text[1]));
        }
        for (icon, command) in
            [(icon::CARET_DOUBLE_LEFT, Command::PreviousFrame), (icon::CARET_DOUBLE_RIGHT, Command::NextFrame)]
        {
            command_icon(ui, icon, command, true, actions);
        }
        ui.separator();
        for (playing, command, icon) in [
            (Now::PlayingStages, Command::PlayStages, icon::PLAY),
            (Now::PlayingFrames, Command::PlayFrames, icon::FILM_STRIP),
        ] {
            let icon = if time.now == playing { icon::STOP } else { icon };
            command_icon(ui, icon, command, true, actions);
        }
        let mut rate = time.stages_per_second;
        let suffix = if has_words { text::STAGES_PER_SECOND_SUFFIX } else { text::RATE_SUFFIX };
        let drag = Number::new(&mut rate).range(0.5..=60.0).speed(0.1).decimals(1, 1).suffix(suffix);
        // The width is fixed, so that the following widgets do not move.
        let room = vec2(if has_words { 100.0 } else { 60.0 }, 22.0);
        if ui.add_sized(room, drag).help(text::PLAYBACK_RATE_HELP).changed() {
            actions.push(Action::Steps(StepAction::PlaybackRate(rate)));
        }
        let mut loops = time.loops;
        let toggle = ui.toggle_value(&mut loops, icon::REPEAT).help(Command::Loop.info().tooltip());
        toggle.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, loops, text::NAME_LOOP));
        if toggle.changed() {
            actions.push(Action::Steps(StepAction::PlaybackLoops(loops)));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            readings(ui, session, has_words, actions);
        });
    });
}

fn readings(ui: &mut Ui, session: &Session, has_words: bool, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let breaks = session.tools.debugger.breaks.count();
    let text = if has_words { text::BREAKS } else { "" };
    let text = format!("{}  {text}{breaks}", icon::HAND_PALM);
    let room = vec2(if has_words { 96.0 } else { 50.0 }, 24.0);
    let button = ui.add_sized(room, egui::Button::new(text));
    button.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_breaks(&breaks)));
    if button.help(Command::ShowFinder.info().tooltip()).clicked() {
        actions.push(Action::Command(Command::ShowFinder));
    }
    command_icon(ui, icon::FLAG, Command::Mark, true, actions);
    command_icon(ui, icon::CHART_LINE, Command::Plots, true, actions);
    command_icon(ui, icon::TIMER, Command::Profiler, true, actions);
    ui.separator();
    let number = |ui: &mut Ui, value: String, what: &str, help: &str| {
        ui.label(RichText::new(value).monospace());
        ui.label(RichText::new(what).color(theme.text[1])).help(help);
        ui.add_space(4.0);
    };
    // A gap that is shown as zero names no effector.
    let (left, owner, help) = match session.focus() {
        LayerId::FullBody => {
            let worst = session.world.worst_gap().filter(|gap| gap.distance > session.world.character.height * 3e-5);
            let help = text::GAP_HELP;
            let owner = worst.map_or(String::new(), |gap| format!(" {}", gap.label));
            (worst.map_or(0.0, |gap| gap.distance), owner, help)
        }
        _ => (session.remaining_at_cursor(), String::new(), text::STEP_GAP_HELP),
    };
    if session.shown_run().is_some() {
        let (what, gap) = (session.remaining_name(), session.world.character.length(left));
        number(ui, format!("{gap}{owner}"), &capital(what), help);
    }
    let steps = session.shown_run().map_or(0, Run::steps);
    let at = if steps == 0 { 0 } else { session.world.time.cursor.step + 1 };
    number(ui, format!("{at}/{steps}"), text::STEP, text::STEP_HELP);
    if let Some((frame, time)) = session.shown_frame() {
        let text = text::frame_at(&frame, &time);
        // A number that does not fit is left out, because a part of it would be misleading.
        let body = egui::TextStyle::Body.resolve(ui.style());
        let fonts = [(text.as_str(), egui::TextStyle::Monospace.resolve(ui.style())), ("frame", body)];
        let room = fonts.map(|(text, font)| ui.painter().layout_no_wrap(text.to_owned(), font, theme.text[0]));
        let wanted = room.iter().map(|galley| galley.size().x + ui.spacing().item_spacing.x).sum::<f32>();
        if ui.available_width() > wanted + 8.0 {
            number(ui, text, text::FRAME, text::FRAME_HELP);
        }
    }
}

fn frames(ui: &mut Ui, theme: &Theme, session: &Session, height: f32, actions: &mut Vec<Action>) {
    let tape = &session.tools.debugger.tape;
    let ends = tape.frames().next().zip(tape.last());
    let span = ends.map_or([0.0; 2], |(first, last)| [first.time, last.time]);
    let strip = FrameStrip::new(ui, theme, height, "frames", span);
    strip.name_curve(text::FRAMES);
    let Some((first, _)) = ends else { return strip.say(text::NOTHING_RECORDED) };

    let mut worst = vec![None::<f32>; strip.columns()];
    for frame in tape.frames() {
        let column = &mut worst[strip.column_of(frame.time)];
        *column = frame.gap.map_or(*column, |gap| Some(column.unwrap_or(0.0).max(gap)));
    }
    let unit = session.world.character.height;
    let warms = worst.iter().scan(first.gap.unwrap_or_default(), |left, found| {
        *left = found.unwrap_or(*left);
        Some(warmth(*left / unit))
    });
    strip.draw(warms.map(|warm| Some((theme.warmth(warm), Some(warm)))));

    let flags = tape.markers.iter().filter_map(|marker| {
        Some(Flag { time: tape.get(marker.number)?.time, text: &marker.text, is_warning: marker.is_warning })
    });
    let flags = strip.flags(flags.collect());
    if let Some(frame) = tape.get(session.world.time.frame) {
        strip.playhead(frame.time);
    }
    let number_at = |pointer: Pos2| tape.at_time(strip.time_at(pointer)).map(|frame| frame.number);
    seek(ui, &strip.response, number_at, actions);
    let flags = if flags.is_empty() { flags } else { format!("{flags}. ") };
    strip.response.help(text::frames_help(&flags));
}

/// Returns which of `count` cells are drawn: at most one per two logical pixels, including `current`.
pub fn cells(count: usize, width: f32, current: Option<usize>) -> Vec<usize> {
    let most = (width / 2.0).max(1.0) as usize;
    if count <= most {
        return (0..count).collect();
    }
    let mut shown: Vec<usize> = (0..most).map(|column| column * count / most).collect();
    if let Some(current) = current.filter(|&current| current < count) {
        let column = shown.partition_point(|&index| index <= current) - 1;
        shown[column] = current;
    }
    shown
}

fn strip(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), STRIP_HEIGHT), Sense::hover());
    let painter = ui.painter().clone();
    let Some(run) = session.shown_run() else {
        painter.text(
            rect.center(),
            egui::Align2::CENTER_CENTER,
            session.unsolved().1,
            FontId::proportional(12.5),
            theme.text[1],
        );
        return;
    };
    let label = |text: &str, y: f32| {
        let at = Pos2::new(rect.left(), y);
        painter.text(at, egui::Align2::LEFT_CENTER, text, FontId::proportional(11.5), theme.text[1]);
    };
    let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max);
    let (cells_top, heat_top, moves_top) = (area.top() + 16.0, area.top() + 40.0, area.top() + 60.0);
    label(text::STEPS, cells_top + 11.0);
    let at = Rect::from_center_size(Pos2::new(area.left() - LESSON_FROM_CELLS, cells_top + 11.0), vec2(22.0, 20.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(at), |ui| {
        let step = session.world.time.cursor.step;
        let lesson = (step < run.steps()).then(|| lesson_of_step(session.focus(), run.step(step).key)).flatten();
        lesson_icon(ui, lesson, LessonOn::Stage, actions);
    });
    label(&capital(session.remaining_name()), heat_top + 5.0);
    label(&capital(run.events_name(session.world.time.cursor.step)), moves_top + 15.0);

    let font = FontId::proportional(11.0);
    let width_of = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), theme.text[0]).size().x;
    let wanted = legible_cell(run, width_of) * run.steps() as f32;
    // A run that would be wider than [`MOST_SCREENS`] strips does not scroll. Its cells may be too narrow for names.
    let width = if wanted <= MOST_SCREENS * area.width() { wanted.max(area.width()) } else { area.width() };
    let above = Rect::from_min_max(area.min, Pos2::new(area.right(), moves_top - 2.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(above), |ui| {
        let scrolls = egui::ScrollArea::horizontal().id_salt("steps").auto_shrink(false).drag_to_scroll(false);
        scrolls.show(ui, |ui| {
            let (row, _) = ui.allocate_exact_size(vec2(width, above.height() - 1.0), Sense::hover());
            steps(ui, theme, session, run, row, actions);
        });
    });
    moves(
        ui,
        theme,
        session,
        run,
        Rect::from_min_size(Pos2::new(area.left(), moves_top), vec2(area.width(), 27.0)),
        actions,
    );
}

/// Distance from the centre of the lesson's icon to the first cell, logical pixels.
const LESSON_FROM_CELLS: f32 = 20.0;
/// Largest width of a scrolling run, in widths of the strip. Wider runs are shown without scrolling.
const MOST_SCREENS: f32 = 4.0;
/// Space beside a cell's name, left and right together, logical pixels.
const BESIDE_NAME: f32 = 4.0;

/// Returns the cell width at which the short names of the first [`MOST_NAMED`] steps are legible, at most 64 logical
/// pixels.
fn legible_cell(run: &dyn Run, width_of: impl Fn(&str) -> f32) -> f32 {
    const WIDEST: f32 = 64.0;
    let mut names: Vec<String> = Vec::new();
    for index in 0..run.steps().min(MOST_NAMED) {
        let short = run.step(index).short;
        if !names.contains(&short) {
            names.push(short);
        }
    }
    let widest = names.iter().map(|name| width_of(name)).fold(0.0, f32::max);
    (widest + BESIDE_NAME).min(WIDEST)
}

/// Largest number of steps whose names determine the cell width.
const MOST_NAMED: usize = 400;

fn steps(ui: &mut Ui, theme: &Theme, session: &Session, run: &dyn Run, area: Rect, actions: &mut Vec<Action>) {
    let painter = ui.painter().clone();
    let cell = area.width() / run.steps() as f32;
    let (cells_top, heat_top) = (area.top() + 16.0, area.top() + 40.0);
    let unit = session.world.character.height;
    let mut iteration = None;
    let mut named = f32::NEG_INFINITY;
    // The strip scrolls to the step at the cursor when the cursor moves.
    let seen = ui.id().with("step in sight");
    let at = (session.focus(), session.world.time.cursor.step);
    if ui.data(|data| data.get_temp(seen)) != Some(at) {
        ui.data_mut(|data| data.insert_temp(seen, at));
        let left = area.left() + cell * session.world.time.cursor.step as f32;
        let own = Rect::from_min_size(Pos2::new(left, area.top()), vec2(cell, area.height()));
        ui.scroll_to_rect_animation(own, None, egui::style::ScrollAnimation::none());
    }
    let remaining = session.remaining_after_steps();
    for index in cells(run.steps(), area.width(), Some(session.world.time.cursor.step)) {
        let left = area.left() + cell * index as f32;
        let recorded = run.step(index);
        let gap = remaining.get(index).copied().unwrap_or(0.0);
        let is_current = index == session.world.time.cursor.step;
        let has_room = left - named > 68.0 && area.right() - left > 60.0;
        if recorded.iteration.is_some() && recorded.iteration != iteration && has_room {
            named = left;
            let now = run::iteration(run, session.world.time.cursor.step) == recorded.iteration;
            let (family, color) =
                if now { (semibold(), theme.text[0]) } else { (egui::FontFamily::Proportional, theme.text[2]) };
            painter.text(
                Pos2::new(left + 2.0, area.top() + 8.0),
                egui::Align2::LEFT_CENTER,
                text::iteration(&recorded.iteration.unwrap_or(0)),
                FontId::new(11.0, family),
                color,
            );
        }
        iteration = recorded.iteration;

        let wide = Rect::from_min_size(Pos2::new(left, cells_top), vec2(cell.max(2.0), 36.0));
        let rect = wide.shrink2(vec2((0.2 * cell).min(1.0), 0.0));
        let response = ui.interact(rect, ui.id().with(("step", index)), Sense::click_and_drag());
        response.describe(&|| {
            let name = text::name_step(&(index + 1), &recorded.key);
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name)
        });
        jump::land_on(&response, control::of_step(index));
        let button = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
        let later = index > session.world.time.cursor.step;
        let (fill, color) = match (is_current, response.hovered()) {
            (true, _) => (theme.accent, theme.on_accent),
            (false, true) => (theme.track, theme.text[0]),
            (false, false) => (theme.widget, if later { theme.text[2] } else { theme.text[0] }),
        };
        painter.rect_filled(button, 2.0, fill);
        let names = [recorded.name.clone(), recorded.short.clone()];
        let fitting = names.into_iter().find_map(|name| {
            let galley = painter.layout_no_wrap(name, FontId::proportional(11.0), color);
            (galley.size().x <= wide.width() - BESIDE_NAME + 0.5).then_some(galley)
        });
        if let Some(galley) = fitting {
            painter.galley(button.center() - galley.size() / 2.0, galley, color);
        }
        let warmth = warmth(gap / unit);
        let warm = Rect::from_min_size(Pos2::new(rect.left(), heat_top), vec2(rect.width(), 10.0));
        painter.rect_filled(warm, 1.0, fade(theme.warmth(warmth), if later { 0.55 } else { 1.0 }));
        let seek =
            response.clicked() || (ui.input(|input| input.pointer.primary_down()) && response.contains_pointer());
        if seek && !is_current {
            actions.push(Action::Steps(StepAction::Seek(Cursor { step: index, within: None })));
        }
        let iteration = recorded.iteration.map_or(String::new(), |iteration| text::in_iteration(&iteration));
        let left = match run.main_measure() {
            None => {
                let gap = session.world.character.length(gap);
                text::gap_at_step(&gap)
            }
            Some(_) => String::new(),
        };
        response.help(format!("{iteration}{}\n{}{left}", recorded.key, recorded.sentence));
    }
}

/// The height of a bar grows with the square root of the move's distance, so that small moves stay visible.
fn moves(ui: &mut Ui, theme: &Theme, session: &Session, run: &dyn Run, area: Rect, actions: &mut Vec<Action>) {
    let (step, focus) = (session.world.time.cursor.step, session.focus());
    let count = run.events(step);
    let shown = cells(count, area.width(), session.world.time.cursor.within);
    let length = |length: f32| session.world.character.length(length);
    let moves: Vec<EventView> = shown.iter().map(|&index| run.event(step, index, &length)).collect();
    let painter = ui.painter().clone();
    painter.rect_filled(area, 2.0, theme.panel);
    if moves.is_empty() {
        let text = text::none_in_step(&run.events_name(step));
        painter.text(area.center(), egui::Align2::CENTER_CENTER, text, FontId::proportional(11.0), theme.text[2]);
        return;
    }
    let largest = moves.iter().map(|moved| moved.size).fold(1e-6 * session.world.character.height, f32::max);
    let cell = (area.width() / count as f32).min(46.0);
    for (&index, moved) in shown.iter().zip(&moves) {
        let corner = Pos2::new(area.left() + cell * index as f32, area.top());
        let rect = Rect::from_min_size(corner, vec2(cell.max(2.0), area.height()));
        let response = ui.interact(rect, ui.id().with(("move", index)), Sense::click());
        response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_move(&(index + 1))));
        jump::land_on(&response, control::of_move(index));
        let is_current = session.world.time.cursor.within == Some(index);
        if is_current || response.hovered() {
            painter.rect_filled(rect, 2.0, theme.selected_row);
        }
        if is_current {
            painter.rect_stroke(rect, 2.0, Stroke::new(1.5, theme.accent), egui::StrokeKind::Inside);
        }
        let height = (moved.size / largest).sqrt() * (area.height() - 6.0);
        let half = (0.5 * rect.width()).min(3.5);
        let bar = Rect::from_min_max(
            Pos2::new(rect.center().x - half, area.bottom() - 3.0 - height.max(2.0)),
            Pos2::new(rect.center().x + half, area.bottom() - 3.0),
        );
        let later = session.world.time.cursor.within.is_some_and(|within| index > within);
        painter.rect_filled(bar, 1.0, fade(theme.tone(focus, moved.tint), if later { 0.45 } else { 1.0 }));
        if response.clicked() {
            actions.push(Action::Steps(StepAction::Seek(Cursor {
                step: session.world.time.cursor.step,
                within: Some(index),
            })));
        }
        response.help(text::move_help(&(index + 1), &count, &moved.text));
    }
    let current =
        shown.iter().position(|&index| session.world.time.cursor.within == Some(index)).and_then(|at| moves.get(at));
    let text = match current {
        Some(moved) => moved.text.clone(),
        None => text::moves_in_step(&count),
    };
    let at = Pos2::new(area.left(), area.bottom() + 9.0);
    painter.text(at, egui::Align2::LEFT_CENTER, text, FontId::proportional(11.0), theme.text[1]);
}
