use egui_macroquad::egui::{self, Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, vec2};

use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade};
use crate::ui::words as text;
use kinescope_ik::grounding::WeightCurve;

const HEIGHT: f32 = 90.0;
/// Width of a key's pointer area, logical pixels.
const HIT: f32 = 24.0;
/// Size of a key's mark, logical pixels.
const KEY: f32 = 10.0;
/// Step of the arrow keys, in time and in weight.
const NUDGE: f32 = 0.01;

#[derive(Clone, Copy)]
struct Area(Rect);

impl Area {
    /// Returns the curve's area inside the editor. The area is never empty, even if the editor is too small.
    fn within(rect: Rect) -> Self {
        let left = (rect.left() + 22.0).min(rect.right() - 1.0);
        let right = (rect.right() - 12.0).max(left + 1.0);
        Self(Rect::from_min_max(Pos2::new(left, rect.top() + 20.0), Pos2::new(right, rect.bottom() - 15.0)))
    }

    fn at(self, time: f32, value: f32) -> Pos2 {
        self.0.left_bottom() + vec2(time * self.0.width(), -value * self.0.height())
    }

    /// Returns time and weight at a screen position. They are beyond 0 to 1 if the position is outside the area.
    fn curve_at(self, at: Pos2) -> (f32, f32) {
        let from = at - self.0.left_bottom();
        (from.x / self.0.width(), -from.y / self.0.height())
    }

    fn line(self, curve: &WeightCurve) -> Vec<Pos2> {
        let pieces = (self.0.width() / 2.0).ceil().clamp(1.0, 4096.0) as usize;
        let times = (0..=pieces).map(|piece| piece as f32 / pieces as f32);
        times.map(|time| self.at(time, curve.evaluate(time))).collect()
    }
}

/// Shows an editor over the available width. `now` is the clip's time from 0 to 1, and `derived` is a curve for
/// comparison.
///
/// Returns the edited curve, and whether this edit ends the gesture; `None` without an edit. In each frame of a drag,
/// the caller passes in the curve that the last edit returned. A key that is clicked or dragged gets the focus: arrow
/// keys move it, and Delete or Backspace removes it.
#[allow(clippy::too_many_arguments)]
pub fn curve_editor(
    ui: &mut Ui,
    theme: &Theme,
    id: egui::Id,
    curve: &WeightCurve,
    derived: Option<&WeightCurve>,
    now: Option<f32>,
    color: Color32,
    label: &str,
) -> Option<(WeightCurve, bool)> {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width().max(1.0), HEIGHT), Sense::hover());
    let area = Area::within(rect);
    let now = now.filter(|now| (0.0..=1.0).contains(now));
    let ground = ui.interact(area.0, id, Sense::click());
    let count = curve.keys().len();
    let plural = if count == 1 { "key" } else { "keys" };
    ground.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, format!("{label}, {count} {plural}")));
    let ground = ground.help(match count {
        0 => text::CURVE_EMPTY_HELP,
        _ => text::CURVE_HELP,
    });
    let added = inserted(ui, &ground, area, curve, now);
    let base = added.as_ref().map_or(curve, |(edited, _)| edited);
    let mut changed = None;
    let keys = (0..base.keys().len()).map(|index| {
        let (response, change) = key(ui, id, index, area, base, label);
        changed = changed.take().or(change);
        response
    });
    let keys: Vec<egui::Response> = keys.collect();
    // A new key appears in the same frame and takes the focus.
    if let Some((_, index)) = &added {
        keys[*index].request_focus();
    }
    let edited = changed.or(added.map(|(edited, _)| (edited, true)));
    if let Some((edited, _)) = &edited {
        move_focus(ui, &ground, edited, &keys);
    }
    let shown = edited.as_ref().map_or(curve, |(edited, _)| edited);
    let painter = ui.painter_at(rect);
    let title = paint_ground(&painter, theme, rect, area, label, color);
    if ground.has_focus() {
        painter.rect_stroke(area.0, 2.0, Stroke::new(1.0, theme.accent), egui::StrokeKind::Inside);
    }
    paint_curves(&painter, theme, area, shown, derived, color);
    if let Some(now) = now {
        paint_now(&painter, theme, area, now, shown.evaluate(now), title);
    }
    for (key, response) in shown.keys().iter().zip(&keys) {
        let at = area.at(key.time, key.value);
        let is_hot = response.hovered() || response.dragged();
        let square = Rect::from_center_size(at, Vec2::splat(if is_hot { KEY + 3.0 } else { KEY }));
        let outline = if is_hot { theme.accent } else { theme.well };
        painter.rect(square, 1.0, color, Stroke::new(1.5, outline), egui::StrokeKind::Outside);
        if response.has_focus() {
            painter.rect_stroke(square.expand(3.0), 2.0, Stroke::new(1.2, theme.accent), egui::StrokeKind::Outside);
        }
    }
    edited
}

fn key_id(editor: egui::Id, index: usize) -> egui::Id {
    editor.with(("key", index))
}

fn inserted(
    ui: &Ui,
    ground: &egui::Response,
    area: Area,
    curve: &WeightCurve,
    now: Option<f32>,
) -> Option<(WeightCurve, usize)> {
    let by_pointer = ground.double_clicked() || ground.clicked() && ui.input(|input| input.modifiers.command);
    let (time, value) = match ground.interact_pointer_pos().filter(|_| by_pointer) {
        Some(pointer) => area.curve_at(pointer),
        None if ground.has_focus() && pressed(ui, egui::Key::Insert) > 0.0 => {
            let time = now.unwrap_or(0.5);
            (time, curve.evaluate(time))
        }
        None => return None,
    };
    let mut edited = curve.clone();
    let index = edited.insert(time, value)?;
    Some((edited, index))
}

fn pressed(ui: &Ui, key: egui::Key) -> f32 {
    ui.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, key)) as f32
}

fn key(
    ui: &Ui,
    editor: egui::Id,
    index: usize,
    area: Area,
    curve: &WeightCurve,
    label: &str,
) -> (egui::Response, Option<(WeightCurve, bool)>) {
    let (key, number) = (curve.keys()[index], index + 1);
    let at = area.at(key.time, key.value);
    let response = ui.interact(hit_rect(area, curve, index), key_id(editor, index), Sense::click_and_drag());
    response.describe(&|| {
        let label = text::curve_key(&label, &number, &key.time);
        egui::WidgetInfo::slider(true, f64::from(key.value), label)
    });
    if response.clicked() || response.drag_started() {
        response.request_focus();
    }
    // This is the offset of the grab from the key's centre, so that the key does not jump.
    let grab_id = response.id.with("grab");
    if response.drag_started_by(egui::PointerButton::Primary) {
        let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        ui.data_mut(|data| data.insert_temp(grab_id, at - from));
    }
    let mut edited = curve.clone();
    let mut change = None;
    let grab: Option<Vec2> = ui.data(|data| data.get_temp(grab_id));
    if let Some(grab) = grab {
        if let Some(pointer) = response.interact_pointer_pos() {
            let (time, value) = area.curve_at(pointer + grab);
            edited.move_key(index, time, value);
        }
        let ended = !response.dragged();
        if ended {
            ui.data_mut(|data| data.remove::<Vec2>(grab_id));
        }
        change = (ended || edited != *curve).then_some((edited, ended));
    } else if response.secondary_clicked() {
        edited.remove(index);
        change = Some((edited, true));
    } else if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let time = pressed(ui, egui::Key::ArrowRight) - pressed(ui, egui::Key::ArrowLeft);
        let value = pressed(ui, egui::Key::ArrowUp) - pressed(ui, egui::Key::ArrowDown);
        edited.move_key(index, key.time + NUDGE * time, key.value + NUDGE * value);
        if pressed(ui, egui::Key::Delete) + pressed(ui, egui::Key::Backspace) > 0.0 {
            edited.remove(index);
        }
        change = (edited != *curve).then_some((edited, true));
    }
    let text = text::curve_key_help(&number, &key.time, &key.value);
    (response.help(text), change)
}

/// Returns a key's pointer area. It ends at the latest halfway to a neighbour at nearly the same height.
fn hit_rect(area: Area, curve: &WeightCurve, index: usize) -> Rect {
    let keys = curve.keys();
    let at = |index: usize| keys.get(index).map(|key| area.at(key.time, key.value));
    let own = area.at(keys[index].time, keys[index].value);
    let mut rect = Rect::from_center_size(own, Vec2::splat(HIT));
    let beside = |other: &Pos2| (other.y - own.y).abs() < HIT;
    if let Some(before) = index.checked_sub(1).and_then(at).filter(beside) {
        rect.min.x = rect.min.x.max(0.5 * (before.x + own.x));
    }
    if let Some(after) = at(index + 1).filter(beside) {
        rect.max.x = rect.max.x.min(0.5 * (after.x + own.x));
    }
    rect
}

/// Keeps the focus on a key when keys are removed. Ids are indices, so the next key already has the focus. After the
/// last key was removed, the new last key gets it or, without any, the editor.
fn move_focus(ui: &Ui, ground: &egui::Response, edited: &WeightCurve, keys: &[egui::Response]) {
    let remaining = edited.keys().len();
    if keys.iter().skip(remaining).any(egui::Response::has_focus) {
        let next = remaining.checked_sub(1).map_or(ground.id, |last| key_id(ground.id, last));
        ui.memory_mut(|memory| memory.request_focus(next));
    }
}

fn paint_ground(painter: &egui::Painter, theme: &Theme, rect: Rect, area: Area, label: &str, color: Color32) -> Rect {
    let small = FontId::proportional(11.0);
    let at = rect.left_top() + vec2(0.0, 9.0);
    painter.rect_filled(Rect::from_center_size(at + vec2(5.0, 0.0), Vec2::splat(8.0)), 1.0, color);
    let font = FontId::proportional(11.5);
    let title = painter.text(at + vec2(14.0, 0.0), Align2::LEFT_CENTER, label, font, theme.text[1]);
    painter.rect_filled(area.0, 2.0, theme.well);
    let has_room = area.0.width() > 140.0;
    for (time, text) in [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")] {
        let at = area.at(time, 0.0);
        painter.vline(at.x, area.0.y_range(), Stroke::new(1.0, theme.separator));
        if has_room || time.fract() == 0.0 {
            painter.text(at + vec2(0.0, 8.0), Align2::CENTER_CENTER, text, small.clone(), theme.text[2]);
        }
    }
    for (value, text) in [(0.0, "0"), (1.0, "1")] {
        let at = area.at(0.0, value);
        painter.hline(area.0.x_range(), at.y, Stroke::new(1.0, theme.track));
        painter.text(at - vec2(9.0, 0.0), Align2::RIGHT_CENTER, text, small.clone(), theme.text[2]);
    }
    title
}

fn paint_curves(
    painter: &egui::Painter,
    theme: &Theme,
    area: Area,
    curve: &WeightCurve,
    derived: Option<&WeightCurve>,
    color: Color32,
) {
    let line = area.line(curve);
    let mut fill = egui::Mesh::default();
    for (index, &at) in line.iter().enumerate() {
        fill.colored_vertex(at, fade(color, 0.18));
        fill.colored_vertex(Pos2::new(at.x, area.0.bottom()), fade(color, 0.18));
        if index > 0 {
            let last = 2 * index as u32 + 1;
            fill.add_triangle(last - 3, last - 2, last - 1);
            fill.add_triangle(last - 2, last - 1, last);
        }
    }
    painter.add(fill);
    if let Some(derived) = derived {
        painter.extend(Shape::dashed_line(&area.line(derived), Stroke::new(1.4, theme.previous), 5.0, 4.0));
    }
    painter.add(Shape::line(line, Stroke::new(1.8, color)));
}

fn paint_now(painter: &egui::Painter, theme: &Theme, area: Area, now: f32, value: f32, title: Rect) {
    let at = area.at(now, value);
    painter.vline(at.x, area.0.y_range(), Stroke::new(1.5, theme.accent));
    painter.circle(at, 3.2, theme.accent, Stroke::new(1.0, theme.well));
    let text = painter.layout_no_wrap(format!("{value:.2}"), FontId::monospace(11.0), theme.text[0]);
    let width = text.size().x;
    let left = (at.x - 0.5 * width).min(area.0.right() - width).max(title.right() + 8.0);
    painter.galley(Pos2::new(left, title.center().y - 0.5 * text.size().y), text, theme.text[0]);
}
