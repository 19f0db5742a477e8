use egui_macroquad::egui::{self, Align2, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};

use crate::session::pane::{Body, PaneInfo, Place};
use crate::session::{Action, Session};
use crate::tools::steps::frame_strip::seek;
use crate::tools::steps::words as text;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade};
use crate::ui::widgets::{LABELS, playhead, time};
use crate::ui::words::capital;
use kinescope_ik::timing::{Times, Work};

pub(crate) const PANE: PaneInfo = PaneInfo {
    title: text::PROFILER_TITLE,
    help: text::PROFILER_WHAT,
    place: Place::Below { order: 1, height: 190.0 },
    body: Body::Fitting(show),
    is_open: false,
};

/// Height of the strip of frames, logical pixels.
const FRAMES: f32 = 46.0;
/// Height of a row of a flame graph, logical pixels.
const LEVEL: f32 = 17.0;
/// Gap below the strip of frames and below a flame graph, logical pixels.
const GAP: f32 = 5.0;
/// Width of the totals at the right of a flame graph, logical pixels.
const TOTALS: f32 = 240.0;
/// Number of frames that are averaged while live, because the times of single frames change too fast to read.
const MEAN_OF: usize = 30;

pub type Group = (&'static str, &'static [Work]);
pub const MADE: [Group; 6] = [
    (text::SAMPLE, &[Work::Sample]),
    (text::WORK_MODIFIERS, &[Work::Modifiers]),
    (text::WORK_GROUNDING, &[Work::Grounding, Work::Casts]),
    (text::FULL_BODY, &[Work::Read, Work::Stages, Work::Write, Work::Swing, Work::Twist]),
    (text::WORK_CHAINS, &[Work::Chains]),
    (text::BLEND, &[Work::Blend]),
];
/// Parts of writing the full body. Their graph has its own scale, because swing and twist would be invisible beside the
/// whole frame.
const WRITTEN: [Group; 3] =
    [(text::WRITE, &[Work::Write]), (text::SWING, &[Work::Swing]), (text::TWIST, &[Work::Twist])];
pub const DRAWN: [Group; 4] = [
    (text::PANES, &[Work::Panes]),
    (text::PICTURE, &[Work::Picture]),
    (text::CROWD, &[Work::Crowd]),
    (text::SCREEN, &[Work::Screen]),
];

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    let frame = egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 4, bottom: 4 });
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        frame.show(ui, |ui| {
            let tape = &session.tools.debugger.tape;
            let own = match session.world.time.is_paused() {
                true => {
                    tape.get(session.world.time.frame).map(|frame| (text::frame_number(&frame.number), frame.times))
                }
                false => mean(session),
            };
            frames(ui, theme, session, actions);
            let own = own.filter(|(_, times)| times.total() > 0.0);
            match &own {
                Some((name, times)) => {
                    let help = text::SOLVE_HELP;
                    flame(ui, theme, name, times, &MADE, time(times.total()), help);
                    let written = times[Work::Write] + times[Work::Swing] + times[Work::Twist];
                    if written > 0.0 {
                        let help = text::WRITE_HELP;
                        flame(ui, theme, text::WRITING, times, &WRITTEN, time(written), help);
                    }
                }
                None => drop(ui.label(RichText::new(text::NOT_MEASURED).color(theme.text[2]))),
            }
            if let Some((crowd, frame_time)) = session.tools.crowd.crowd().zip(session.tools.crowd.frame_time) {
                let threads = crowd.thread_times().filter(|times| times.total() > 0.0).count();
                let noun = if threads == 1 { text::THREAD } else { text::THREADS };
                let total =
                    text::crowd_total(&time(frame_time.times.total()), &threads, &noun, &time(frame_time.frame));
                let help = text::CROWD_HELP;
                flame(ui, theme, text::CROWD, &frame_time.times, &MADE, total, help);
            }
            let drawing = match session.world.time.is_paused() {
                true => own.map(|(_, times)| times),
                false => session.world.picture.drawing,
            };
            let drawing = drawing.map(|times| (times, times.sum(Work::is_drawing))).filter(|(_, sum)| *sum > 0.0);
            if let Some((times, sum)) = drawing {
                flame(ui, theme, text::DRAWING, &times, &DRAWN, time(sum), text::DRAW_HELP);
            }
        });
    });
}

fn mean(session: &Session) -> Option<(String, Times)> {
    let newest = session.tools.debugger.tape.frames().rev().take(MEAN_OF).map(|frame| &frame.times);
    let measured: Vec<&Times> = newest.filter(|times| times.total() > 0.0).collect();
    let (count, sum) = (measured.len(), measured.into_iter().sum::<Times>());
    (count > 0).then(|| (text::MEAN_FRAME.to_owned(), sum.scaled(1.0 / count as f32)))
}

fn frames(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), FRAMES + GAP), Sense::hover());
    let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max - vec2(TOTALS, GAP));
    let (painter, font) = (ui.painter_at(rect.expand(2.0)), FontId::proportional(11.5));
    painter.text(Pos2::new(rect.left(), area.center().y), Align2::LEFT_CENTER, text::FRAMES, font, theme.text[1]);
    let tape = &session.tools.debugger.tape;
    let Some([first, last]) = tape.range() else { return };
    let response = ui.interact(area, ui.id().with(text::TIMES_OF_FRAMES), Sense::click_and_drag());
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, text::TIMES_OF_FRAMES));
    painter.rect_filled(area, 2.0, theme.header);
    let columns = tape.len().min((area.width() / 2.0).max(1.0) as usize);
    let width = area.width() / columns as f32;
    let column_of = |number: u64| (number - first) as usize * columns / tape.len();
    let mut longest: Vec<Option<&Times>> = vec![None; columns];
    for frame in tape.frames().filter(|frame| frame.times.total() > 0.0) {
        let column = &mut longest[column_of(frame.number)];
        if column.is_none_or(|known| known.total() < frame.times.total()) {
            *column = Some(&frame.times);
        }
    }
    let mut totals: Vec<f32> = longest.iter().flatten().map(|times| times.total()).collect();
    totals.sort_by(f32::total_cmp);
    // The scale ends at 1.3 times the 95th percentile, so that a few slow frames do not flatten the rest.
    let Some(usual) = totals.get(totals.len() * 19 / 20) else { return };
    let top = usual * 1.3;
    let mut mesh = egui::Mesh::default();
    for (column, times) in longest.iter().enumerate().filter_map(|(column, times)| Some((column, (*times)?))) {
        let x = area.left() + width * column as f32;
        let mut y = area.bottom();
        for work in MADE.iter().flat_map(|(_, works)| works.iter().copied()) {
            let height = times[work] / top * area.height();
            let cell = Rect::from_min_max(Pos2::new(x, y - height), Pos2::new(x + width, y)).intersect(area);
            if cell.is_positive() {
                mesh.add_colored_rect(cell, theme.work(work));
            }
            y -= height;
        }
    }
    painter.add(mesh);
    let at = Pos2::new(area.right() + 8.0, area.top() + 6.0);
    painter.text(at, Align2::LEFT_CENTER, time(top), FontId::monospace(11.0), theme.text[2]);
    painter.hline(area.right()..=area.right() + 5.0, area.top() + 0.5, Stroke::new(1.0, theme.text[2]));
    if let Some(frame) = tape.get(session.world.time.frame) {
        playhead(&painter, theme, area, area.left() + width * (column_of(frame.number) as f32 + 0.5));
    }
    let number_at = |pointer: Pos2| {
        let share = f64::from(((pointer.x - area.left()) / area.width()).clamp(0.0, 1.0));
        Some((first + (share * tape.len() as f64) as u64).min(last))
    };
    seek(ui, &response, number_at, actions);
    response.help(text::TIMES_HELP);
}

fn flame(ui: &mut Ui, theme: &Theme, name: &str, times: &Times, groups: &[Group], total: String, help: &str) {
    let is_nested = groups.iter().any(|(_, works)| works.len() > 1);
    let height = if is_nested { 2.0 * LEVEL } else { LEVEL };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height + GAP), Sense::hover());
    let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max - vec2(TOTALS, GAP));
    let (words, numbers) = (FontId::proportional(11.5), FontId::monospace(11.0));
    let painter = ui.painter_at(rect);
    let middle = area.center().y;
    painter.text(Pos2::new(rect.left(), middle), Align2::LEFT_CENTER, name, words.clone(), theme.text[1]);
    let at = Pos2::new(area.right() + 8.0, middle);
    painter.text(at, Align2::LEFT_CENTER, total, numbers, theme.text[0]);
    let named = Rect::from_min_max(rect.min, Pos2::new(area.left(), rect.bottom()));
    ui.interact(named, ui.id().with((name, "flame")), Sense::hover()).help(help);
    let all: f32 = groups.iter().flat_map(|(_, works)| works.iter()).map(|&work| times[work]).sum();
    let mut left = area.left();
    let segment = |ui: &Ui, rect: Rect, label: &str, work: Work, micros: f32, sentence: &str| {
        let response = ui.interact(rect, ui.id().with((name, label, rect.top() as i32)), Sense::hover());
        let text = text::work_time(&capital(label), &time(micros));
        response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text::name_work(&name, &text)));
        let inner = rect.shrink2(vec2(0.5, 0.5));
        painter.rect_filled(inner, 1.0, fade(theme.work(work), if response.hovered() { 0.8 } else { 0.5 }));
        let galley = painter.layout_no_wrap(text.clone(), words.clone(), theme.text[0]);
        let short = painter.layout_no_wrap(label.to_owned(), words.clone(), theme.text[0]);
        let shown = [galley, short].into_iter().find(|galley| galley.size().x + 8.0 < rect.width());
        if let Some(galley) = shown {
            let at = Pos2::new(rect.left() + 4.0, rect.center().y - galley.size().y / 2.0);
            painter.galley(at, galley, theme.text[0]);
        }
        let share = if all > 0.0 { micros / all * 100.0 } else { 0.0 };
        response.help_at_pointer(text::work_help(&text, &share, &sentence));
    };
    for (label, works) in groups {
        let sum: f32 = works.iter().map(|&work| times[work]).sum();
        let width = sum / all.max(1e-6) * area.width();
        let rows = if works.len() == 1 { height } else { LEVEL };
        let whole = Rect::from_min_size(Pos2::new(left, area.top()), vec2(width, rows));
        if width > 0.5 {
            segment(ui, whole, label, works[0], sum, if works.len() == 1 { works[0].sentence() } else { "" });
        }
        for &work in works.iter().filter(|_| works.len() > 1) {
            let width = times[work] / all.max(1e-6) * area.width();
            let part = Rect::from_min_size(Pos2::new(left, area.top() + LEVEL), vec2(width, LEVEL));
            if width > 0.5 {
                segment(ui, part, work.label(), work, times[work], work.sentence());
            }
            left += width;
        }
        left += if works.len() == 1 { width } else { 0.0 };
    }
}
