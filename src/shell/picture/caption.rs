use std::sync::Arc;

use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{self, Align2, Color32, FontId, Galley, Pos2, Rect, Shape, Stroke, vec2};
use glam::Vec3;

use crate::picture::camera::Projector;
use crate::picture::places;
use crate::session::Session;
use crate::session::commands::Command;
use crate::session::framing::has_wide_caption;
use crate::shell::picture::words as text;
use crate::system::order::sort_by;
use crate::tools::ground::picture::grid_spacing;
use crate::ui::theme::{Theme, fade, semibold};
use crate::ui::words::{self, capital, counted, step_title};
use kinescope_ik::stack::{LayerId, Topic};
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::largest_move;

/// The caption of the picture, laid out but not painted yet.
pub(crate) struct Caption {
    pub(crate) shapes: Vec<Shape>,
    /// The area that the shapes cover, which labels avoid.
    pub(crate) covered: Rect,
    /// The whole text. `None` if every part of it has room.
    pub(crate) whole: Option<String>,
}

/// A line of the caption. If it has no room, the shorter beginnings of `starts` are tried in turn. If none fits, the
/// last letters of `middle` are cut, and the numbers in `end` stay.
struct Line {
    starts: Vec<String>,
    middle: String,
    end: String,
    font: f32,
}

/// Largest number of rows of a line with numbers. It applies if the caption has no room and the line's shortest form does
/// not fit one row.
const ROWS_OF_NUMBERS: usize = 2;

impl Line {
    fn new(middle: String, end: String, font: f32) -> Self {
        Self { starts: vec![String::new()], middle, end, font }
    }

    fn whole(&self) -> String {
        format!("{}{}{}", self.starts[0], self.middle, self.end)
    }
    fn fits_a_row(&self, painter: &egui::Painter, width: f32) -> bool {
        let text = format!("{}{}{}", self.starts.last().map_or("", String::as_str), self.middle, self.end);
        painter.layout_no_wrap(text, FontId::proportional(self.font), Color32::WHITE).size().x <= width
    }

    fn lay_out(&self, painter: &egui::Painter, color: Color32, width: f32, rows: usize) -> (Arc<Galley>, bool) {
        let lay_out = |text: String, rows: usize| {
            // A number and its unit stay on one line.
            let text = text.replace(" mm", "\u{a0}mm");
            let mut job = LayoutJob::simple(text, FontId::proportional(self.font), color, width);
            job.wrap.max_rows = rows;
            painter.layout_job(job)
        };
        for (index, start) in self.starts.iter().enumerate() {
            let galley = lay_out(format!("{start}{}{}", self.middle, self.end), usize::MAX);
            if galley.rows.len() <= rows {
                return (galley, index > 0);
            }
        }
        let (start, letters) = (self.starts.last().map_or("", String::as_str), self.middle.chars().count());
        let cut = |kept: usize| {
            let middle: String = self.middle.chars().take(kept).collect();
            format!("{start}{}…{}", middle.trim_end(), self.end)
        };
        let fits = |kept: usize| lay_out(cut(kept), usize::MAX).rows.len() <= rows;
        let (mut kept, mut beyond) = (0, letters);
        while kept + 1 < beyond {
            let middle = kept.midpoint(beyond);
            if fits(middle) {
                kept = middle;
            } else {
                beyond = middle;
            }
        }
        (lay_out(cut(kept), rows), true)
    }
}

pub(crate) fn title(painter: &egui::Painter, theme: &Theme, session: &Session, picture: Rect) -> Caption {
    let place = places::caption(picture, has_wide_caption(session)).shrink2(places::CAPTION_MARGIN);
    let run = session.shown_run();
    let (title, sentence) = match run.filter(|run| session.world.time.cursor.step < run.steps()) {
        _ if session.in_doctor() => {
            let text = text::DOCTOR_CAPTION;
            (text::RIG_DOCTOR.to_owned(), Line::new(text.to_owned(), String::new(), 12.5))
        }
        None => without_numbers(session.unsolved()),
        Some(_) if !session.world.time.is_paused() => without_numbers(live(session)),
        Some(run) => {
            let step = run.step(session.world.time.cursor.step);
            let left = run.main_measure().map(|measure| {
                let name = run.measures()[measure].label.clone();
                let length = session.world.character.length(run.measure(measure, session.world.time.cursor));
                format!(" {}: {length}.", capital(&name))
            });
            let sentence = Line::new(step.sentence.to_owned(), left.unwrap_or_default(), 12.5);
            (step_title(step.iteration, &step.name), sentence)
        }
    };
    let mut numbers = Vec::new();
    if let Some(run) = run.filter(|_| session.world.time.is_paused() && !session.in_doctor()) {
        numbers.push(what_moved(session, run));
    }
    numbers.extend(second_line(session).map(|line| Line::new(line, String::new(), 12.0)));
    let whole = std::iter::once(title.clone()).chain([&sentence].into_iter().chain(&numbers).map(Line::whole));
    let whole = whole.collect::<Vec<String>>().join("\n");
    let mut caption = Caption { shapes: Vec::new(), covered: Rect::NOTHING, whole: None };
    let mut at = place.min;
    let mut add = |galley: Arc<Galley>, gap: f32| {
        let rect = Rect::from_min_size(at, galley.size()).expand(4.0);
        caption.covered = caption.covered.union(rect);
        caption.shapes.push(Shape::rect_filled(rect, 4.0, fade(theme.picture_top, 0.88)));
        caption.shapes.push(Shape::galley(at, galley.clone(), theme.text[1]));
        at.y += galley.size().y + gap;
        place.bottom() - at.y
    };
    let mut job = LayoutJob::simple(title, FontId::new(17.0, semibold()), theme.text[0], place.width());
    job.wrap.max_rows = 2;
    let mut room = add(painter.layout_job(job), GAP);
    // The camera keeps targets off the caption's place, so a text that exceeds this place is cut. Its numbers stay.
    let row = |line: &Line| painter.ctx().fonts(|fonts| fonts.row_height(&FontId::proportional(line.font)));
    let lay_out = |line: &Line, rows: usize| line.lay_out(painter, theme.text[1], place.width(), rows);
    let height = |line: &Line, rows: usize| lay_out(line, rows).0.size().y + GAP;
    let all = [&sentence].into_iter().chain(&numbers);
    let has_room = all.clone().map(|line| height(line, usize::MAX)).sum::<f32>() - GAP <= room;
    let most = |line: &Line| match has_room {
        true => usize::MAX,
        false if line.fits_a_row(painter, place.width()) => 1,
        false => ROWS_OF_NUMBERS,
    };
    let kept: f32 = numbers.iter().map(|line| height(line, most(line))).sum();
    let mut is_cut = false;
    for (index, line) in all.enumerate() {
        let rows = match index {
            _ if has_room => usize::MAX,
            0 => ((room - kept) / row(line)).max(0.0) as usize,
            _ => ((room / row(line)).max(0.0) as usize).min(most(line)),
        };
        if rows == 0 {
            is_cut = true;
            continue;
        }
        let (galley, was_cut) = lay_out(line, rows);
        is_cut |= was_cut;
        room = add(galley, GAP);
    }
    caption.whole = is_cut.then_some(whole);
    caption
}

const GAP: f32 = 4.0;

fn without_numbers((title, sentence): (String, String)) -> (String, Line) {
    (title, Line::new(sentence, String::new(), 12.5))
}

/// Height of the picture below which the caption would overlap the hint, logical pixels.
const LEAST_WITH_HINT: f32 = 150.0;
const HINT_SIZE: f32 = 11.0;

pub(crate) fn hint(painter: &egui::Painter, theme: &Theme, session: &Session, picture: Rect) {
    let has_message = session.window.notice.is_some() || session.opening().is_some();
    if picture.height() < LEAST_WITH_HINT || has_message {
        return;
    }
    let on_terrain = session.world.plan().terrain.is_some() && session.look.view.ground;
    let hint = match session.in_doctor() {
        true => {
            let mouse = session.look.navigation.hint().replace(text::LEFT_DRAG_HANDLE, text::LEFT_CLICK_BONE);
            let frames = Command::FrameSelection.info().shortcut_text_in(session.look.navigation);
            text::doctor_hint(&mouse, &frames)
        }
        false => text::picture_hint(&session.look.navigation.hint()),
    };
    let small = |at: Pos2, align: Align2, text: String| {
        let galley = painter.layout_no_wrap(text, FontId::proportional(HINT_SIZE), theme.text[2]);
        let rect = align.anchor_size(at, galley.size());
        // The background is filled, because terrain behind the text would make it hard to read.
        if on_terrain {
            painter.rect_filled(rect.expand2(vec2(6.0, 3.0)), 4.0, fade(theme.picture_top, 0.8));
        }
        painter.galley(rect.min, galley, theme.text[2]);
        rect
    };
    let strip = places::hint(picture).shrink2(places::HINT_MARGIN);
    let hinted = small(strip.left_bottom(), Align2::LEFT_BOTTOM, fitting(painter, &hint, strip.width()));
    let spacing = grid_spacing(session);
    let grid = text::grid(&words::decimals(spacing), &session.world.character.model_unit());
    if strip.right() - hinted.right() > 90.0 {
        small(strip.right_bottom(), Align2::RIGHT_BOTTOM, grid);
    }
}

fn fitting(painter: &egui::Painter, hint: &str, width: f32) -> String {
    let mut items: Vec<&str> = hint.split(text::BETWEEN_HINTS).collect();
    let is_wide = |items: &[&str]| {
        let text = items.join(text::BETWEEN_HINTS);
        painter.layout_no_wrap(text, FontId::proportional(HINT_SIZE), Color32::WHITE).size().x > width
    };
    while items.len() > 1 && is_wide(&items) {
        items.remove(items.len() - 2);
    }
    items.join(text::BETWEEN_HINTS)
}

fn second_line(session: &Session) -> Option<String> {
    let debugger = &session.tools.debugger;
    let other = debugger.other().filter(|_| session.look.view.other)?;
    Some(match (&debugger.what_if, &debugger.port) {
        (Some(what_if), _) => {
            let changes = what_if.changes.len();
            text::what_if(&counted(changes, "change"))
        }
        (None, Some(_)) => text::solid_hollow(&other.name),
        (None, None) if session.other_offset() != Vec3::ZERO => text::left_right(&other.name),
        (None, None) => text::solid_ghost(&other.name),
    })
}

fn live(session: &Session) -> (String, String) {
    let focus = session.focus();
    let text = match (session.interaction.drag, session.started_scene.scene) {
        (Some(drag), _) if focus == LayerId::FullBody => {
            let name = drag.id.name();
            let moved = session.handle_position(drag.id).map(|at| at - drag.start).unwrap_or_default();
            let moved = words::dragged(moved, session.world.motion.root.rotation, &session.world.character);
            text::dragging(&name, &moved)
        }
        (_, Some(scene)) => format!("{} {}", scene.purpose, scene.hint),
        (_, None) => {
            let what = match focus.topic() {
                Topic::Posing if focus == LayerId::FullBody => text::DRAG_RING,
                Topic::Chain | Topic::Lab => text::DRAG_TARGET,
                Topic::Motion
                | Topic::Posing
                | Topic::Attachments
                | Topic::Trackers
                | Topic::Modifiers
                | Topic::Grounding
                | Topic::BodyLab => "",
            };
            text::press_to_pause(&what)
        }
    };
    (text::scene_live(&focus.topic().label()), text)
}

fn what_moved(session: &Session, run: &dyn Run) -> Line {
    let step = session.world.time.cursor.step;
    let count = run.events(step);
    let name = run.events_name(step).trim_end_matches('s');
    let plain = |text: String| Line::new(text, String::new(), 12.0);
    match largest_move(run, step) {
        Some((_, way)) if count == 0 && way == 0.0 => plain(text::NOTHING_MOVED.to_owned()),
        Some((point, way)) => {
            let (counted, way) = (counted(count, name), session.world.character.length(way));
            let starts = vec![text::largest_displacement(&counted), text::largest(&counted)];
            Line { starts, ..Line::new(run.points()[point].label.clone(), format!(" {way}"), 12.0) }
        }
        None if count > 0 => plain(counted(count, name)),
        None => plain(text::NOTHING_MOVED.to_owned()),
    }
}

/// Paints a ball with the directions of the axes. Letters name the axes, because colours have other meanings in the picture.
pub(crate) fn axes(painter: &egui::Painter, theme: &Theme, projector: &Projector, picture: Rect) {
    let ball = places::axes(picture);
    let center = ball.center();
    painter.circle_filled(center, 0.5 * ball.width(), fade(theme.panel, 0.6));
    let (right, up) = projector.camera.right_and_up();
    let back = projector.camera.back();
    let mut ends: Vec<(f32, Pos2, Option<&str>)> = Vec::new();
    for (axis, name) in [(Vec3::X, "x"), (Vec3::Y, "y"), (Vec3::Z, "z")] {
        for (axis, name) in [(axis, Some(name)), (-axis, None)] {
            ends.push((axis.dot(back), center + vec2(axis.dot(right), -axis.dot(up)) * 28.0, name));
        }
    }
    sort_by(&mut ends, |a, b| a.0.total_cmp(&b.0));
    for (_, at, name) in ends {
        match name {
            Some(name) => {
                painter.line_segment([center, at], Stroke::new(1.6, theme.text[2]));
                painter.circle_filled(at, 9.0, theme.fill);
                painter.text(at, Align2::CENTER_CENTER, name, FontId::new(11.0, semibold()), theme.on_accent);
            }
            None => drop(painter.circle_stroke(at, 5.0, Stroke::new(1.2, theme.text[2]))),
        }
    }
}
