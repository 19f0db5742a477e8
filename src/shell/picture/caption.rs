//! Texts in the corners of the picture: stage, keys, axes.

use egui_macroquad::egui::{self, Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, vec2};
use glam::Vec3;

use crate::picture::camera::Projector;
use crate::picture::places;
use crate::session::Session;
use crate::session::commands::Command;
use crate::shell::picture::words as text;
use crate::tools::ground::picture::grid_spacing;
use crate::ui::theme::{Theme, fade, semibold};
use crate::ui::words::{self, capital, counted, step_title};
use kinescope_ik::stack::{LayerId, Topic};
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::largest_move;

/// Lays out the title and sentence of the stage or of live posing. Returns shapes to paint last, and their area, which
/// labels avoid.
pub(crate) fn title(painter: &egui::Painter, theme: &Theme, session: &Session, picture: Rect) -> (Vec<Shape>, Rect) {
    let place = places::caption(picture).shrink2(places::CAPTION_MARGIN);
    let run = session.shown_run();
    let (title, text) = match run.filter(|run| session.world.time.cursor.step < run.steps()) {
        _ if session.in_doctor() => {
            let text = text::DOCTOR_CAPTION;
            (text::RIG_DOCTOR.to_owned(), text.to_owned())
        }
        None => session.unsolved(),
        Some(_) if !session.world.time.is_paused() => live(session),
        Some(run) => {
            let step = run.step(session.world.time.cursor.step);
            let left = run.main_measure().map(|measure| {
                let name = run.measures()[measure].label.clone();
                format!(
                    " {}: {}.",
                    capital(&name),
                    session.world.character.length(run.measure(measure, session.world.time.cursor))
                )
            });
            (step_title(step.iteration, &step.name), format!("{}{}", step.sentence, left.unwrap_or_default()))
        }
    };
    let at = place.min;
    let (mut shapes, mut covered) = (Vec::new(), Rect::NOTHING);
    let mut shadow = |text: String, font: FontId, color: Color32, at: Pos2| {
        let row = painter.ctx().fonts(|fonts| fonts.row_height(&font));
        // Cuts the text at the caption's place, which framing keeps free of targets.
        let rows = ((place.bottom() - at.y) / row) as usize;
        if !shapes.is_empty() && rows == 0 {
            return 0.0;
        }
        // Keeps a number and its unit on one line.
        let text = text.replace(" mm", "\u{a0}mm");
        let mut job = egui::text::LayoutJob::simple(text, font, color, place.width());
        job.wrap.max_rows = rows.max(1);
        let galley = painter.layout_job(job);
        let size = galley.size();
        let rect = Rect::from_min_size(at, size).expand(4.0);
        covered = covered.union(rect);
        shapes.push(Shape::rect_filled(rect, 4.0, fade(theme.picture_top, 0.88)));
        shapes.push(Shape::galley(at, galley, color));
        size.y
    };
    let used = shadow(title, FontId::new(17.0, semibold()), theme.text[0], at);
    let used = used + 5.0 + shadow(text, FontId::proportional(12.5), theme.text[1], at + vec2(0.0, used + 5.0));
    let mut used = used;
    if let Some(run) = run.filter(|_| session.world.time.is_paused() && !session.in_doctor()) {
        let line = what_moved(session, run);
        used += 6.0 + shadow(line, FontId::proportional(12.0), theme.text[1], at + vec2(0.0, used + 6.0));
    }
    if let Some(line) = second_line(session) {
        shadow(line, FontId::proportional(12.0), theme.text[1], at + vec2(0.0, used + 6.0));
    }
    (shapes, covered)
}

/// Height of the picture below which the caption would overlap the hint, logical pixels.
const LEAST_WITH_HINT: f32 = 150.0;

/// Paints the mouse and key hints and the grid spacing.
pub(crate) fn hint(painter: &egui::Painter, theme: &Theme, session: &Session, picture: Rect) {
    // Messages replace the hint.
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
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), theme.text[2]);
        let rect = align.anchor_size(at, galley.size());
        // Darkens the background, as terrain may be behind the text.
        if on_terrain {
            painter.rect_filled(rect.expand2(vec2(6.0, 3.0)), 4.0, fade(theme.picture_top, 0.8));
        }
        painter.galley(rect.min, galley, theme.text[2]);
        rect
    };
    let strip = places::hint(picture).shrink2(places::HINT_MARGIN);
    let hinted = small(strip.left_bottom(), Align2::LEFT_BOTTOM, hint);
    let spacing = grid_spacing(session);
    let unit = if (0.4..4.0).contains(&session.world.character.height) { " m" } else { "" };
    let grid = text::grid(&words::decimals(spacing), &unit);
    // Omits the grid spacing if the hints leave too little room.
    if strip.right() - hinted.right() > 90.0 {
        small(strip.right_bottom(), Align2::RIGHT_BOTTOM, grid);
    }
}

/// Describes the second result in the picture.
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

/// Returns title and text of live posing.
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
                Topic::Posing | Topic::Attachments | Topic::Modifiers | Topic::Grounding => "",
            };
            text::press_to_pause(&what)
        }
    };
    (text::scene_live(&focus.topic().label()), text)
}

/// Describes the step at the cursor: number of moves, and the point with the largest displacement.
fn what_moved(session: &Session, run: &dyn Run) -> String {
    let step = session.world.time.cursor.step;
    let count = run.events(step);
    let name = run.events_name(step).trim_end_matches('s');
    match largest_move(run, step) {
        Some((_, way)) if count == 0 && way == 0.0 => text::NOTHING_MOVED.to_owned(),
        Some((point, way)) => {
            let (point, way) = (&run.points()[point].label, session.world.character.length(way));
            text::largest_displacement(&counted(count, name), &point, &way)
        }
        None if count > 0 => counted(count, name),
        None => text::NOTHING_MOVED.to_owned(),
    }
}

/// Paints a ball with the directions of the axes. Letters name the axes, as colours have other meanings in the picture.
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
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
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
