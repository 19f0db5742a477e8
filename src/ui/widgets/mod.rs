mod lists;
mod numbers;

pub(crate) use lists::{choose_name, lane_row, segmented};
pub(crate) use numbers::{
    Changed, LABELS, arrow_presses, no_vector, number_row, number_row_button, parameter, parameter_help, playhead,
    seconds_step, set_model_unit, slider, slider_row, symbol, time, vector, whole_label_slider,
};

use egui_macroquad::egui::{self, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::theme::{Theme, semibold};
use crate::ui::words::capital;

pub(crate) const ROW: f32 = 19.5;

pub(crate) fn label_width(width: f32) -> f32 {
    (width * 0.45).clamp(76.0, 148.0)
}

pub(crate) fn row_label(ui: &mut Ui, theme: &Theme, text: &str) -> egui::Response {
    let width = label_width(ui.available_width());
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let is_cut = name_before(ui.painter(), rect.left_center(), rect.right(), &capital(text), theme.text[1]);
    if is_cut { response.help(text) } else { response }
}

/// Draws a name from `left`, cut with "…" at `right`. Returns whether the name was cut. If so, the tooltip must show the
/// whole name.
pub(crate) fn name_before(painter: &egui::Painter, left: Pos2, right: f32, name: &str, color: Color32) -> bool {
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), egui::FontId::proportional(12.5), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width((right - left.x).max(20.0));
    let galley = painter.layout_job(job);
    let is_cut = galley.elided;
    painter.galley(left - vec2(0.0, galley.size().y / 2.0), galley, color);
    is_cut
}

pub(crate) fn help_of_name(is_cut: bool, name: &str, help: &str) -> String {
    match (is_cut, help) {
        (true, "") => name.to_owned(),
        (true, help) => format!("{name}\n{help}"),
        (false, help) => help.to_owned(),
    }
}

/// Scrolls to the results shown from `top` to the cursor if `count`, the number of results, has changed.
pub(crate) fn scroll_to_new(ui: &Ui, what: &str, count: u32, top: Pos2) {
    let id = egui::Id::new(("results seen", what));
    let seen = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<u32>(id), count));
    if seen != count {
        ui.scroll_to_rect(Rect::from_min_max(top, Pos2::new(top.x, ui.cursor().top())), None);
    }
}

pub(crate) fn key_cap(ui: &mut Ui, theme: &Theme, text: &str) {
    if text.is_empty() {
        return;
    }
    let galley = ui.painter().layout_no_wrap(text.to_owned(), egui::FontId::monospace(11.0), theme.text[1]);
    let (rect, _) = ui.allocate_exact_size(galley.size() + vec2(10.0, 4.0), Sense::hover());
    ui.painter().rect(rect, 3.0, theme.widget, Stroke::new(1.0, theme.track), egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(5.0, 2.0), galley, theme.text[1]);
}

pub(crate) fn section(ui: &mut Ui, theme: &Theme, title: &str, hint: &str, body: impl FnOnce(&mut Ui)) {
    boxed_section(ui, theme, title, hint, Box::new(body));
}

/// Compiled once, instead of once for each body.
fn boxed_section(ui: &mut Ui, theme: &Theme, title: &str, hint: &str, body: Box<dyn FnOnce(&mut Ui) + '_>) {
    let id = ui.make_persistent_id(("section", title));
    let mut open = ui.data_mut(|data| *data.get_persisted_mut_or(id, true));
    // The section is open while the palette or a lesson jumps to a control, because the control may be inside.
    let looks_inside = jump::is_pending(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_persisted(id, open));
    }
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::CollapsingHeader, true, title));
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.top(), Stroke::new(1.0, theme.separator));
    let caret = if open || looks_inside { icon::CARET_DOWN } else { icon::CARET_RIGHT };
    let left = rect.left_center();
    painter.text(
        left + vec2(12.0, 0.0),
        egui::Align2::LEFT_CENTER,
        caret,
        egui::FontId::proportional(11.0),
        theme.text[2],
    );
    let named = painter.text(
        left + vec2(28.0, 0.0),
        egui::Align2::LEFT_CENTER,
        capital(title),
        egui::FontId::new(12.5, semibold()),
        theme.text[0],
    );
    let mut job =
        egui::text::LayoutJob::simple_singleline(hint.to_owned(), egui::FontId::proportional(11.0), theme.text[2]);
    job.wrap = egui::text::TextWrapping::truncate_at_width((rect.right() - named.right() - 24.0).max(0.0));
    let galley = painter.layout_job(job);
    let is_cut = galley.elided;
    let at = Pos2::new(rect.right() - 12.0 - galley.size().x, rect.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, theme.text[2]);
    if is_cut {
        response.help(hint);
    }
    if open || looks_inside {
        steady(ui, id.with("body"), |ui| {
            egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 1, bottom: 6 }).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                body(ui);
            });
        });
    }
    if looks_inside && !open && !jump::is_pending(ui.ctx()) {
        ui.data_mut(|data| data.insert_persisted(id, true));
    }
}

pub(crate) fn heading(ui: &mut Ui, theme: &Theme, name: &str, what: &str, mark: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        ui.add_space(12.0);
        mark(ui);
        ui.add(egui::Label::new(RichText::new(name).size(14.0).family(semibold())).truncate());
    });
    if !what.is_empty() {
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 6 }).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(what).color(theme.text[1])).wrap());
        });
    }
}

/// Shows widgets whose ids do not depend on the rows above. Fields keep the focus, and sliders their drags, when rows
/// above appear or disappear.
fn steady(ui: &mut Ui, id: egui::Id, body: impl FnOnce(&mut Ui)) {
    let builder = egui::UiBuilder::new()
        .layer_id(ui.layer_id())
        .max_rect(ui.available_rect_before_wrap())
        .layout(*ui.layout())
        .style(ui.style().clone());
    let mut inner = Ui::new(ui.ctx().clone(), id, builder);
    inner.set_clip_rect(ui.clip_rect());
    if !ui.is_enabled() {
        inner.disable();
    }
    body(&mut inner);
    ui.advance_cursor_after_rect(inner.min_rect());
}

/// Splits a pane vertically. The lower part has `share` of the height until the user drags the border. Each part keeps
/// at least 72 logical pixels, or half of a low pane. The content of the lower part never moves the upper part.
pub(crate) fn split(ui: &mut Ui, theme: &Theme, share: f32, upper: impl FnOnce(&mut Ui), lower: impl FnOnce(&mut Ui)) {
    const LEAST: f32 = 72.0;
    let whole = ui.available_rect_before_wrap();
    let id = ui.make_persistent_id("split");
    let share = ui.data(|data| data.get_temp(id)).unwrap_or(share);
    let most = (whole.height() - LEAST).max(whole.height() / 2.0);
    let border = whole.bottom() - (share * whole.height()).clamp(LEAST.min(most), most).round();
    let part = |ui: &mut Ui, name: &str, rect: Rect| {
        let layout = egui::Layout::top_down(egui::Align::Min);
        let mut inner = ui.new_child(egui::UiBuilder::new().id_salt(name).max_rect(rect).layout(layout));
        inner.set_clip_rect(rect.intersect(ui.clip_rect()));
        inner
    };
    let (top, bottom) = (Pos2::new(whole.right(), border), Pos2::new(whole.left(), border + 1.0));
    upper(&mut part(ui, "upper", Rect::from_min_max(whole.min, top)));
    lower(&mut part(ui, "lower", Rect::from_min_max(bottom, whole.max)));
    let grip = Rect::from_x_y_ranges(whole.x_range(), border - 3.0..=border + 3.0);
    let response = ui.interact(grip, id, Sense::DRAG);
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeVertical);
    }
    if response.dragged() {
        let share = share - response.drag_delta().y / whole.height().max(1.0);
        ui.data_mut(|data| data.insert_temp(id, share.clamp(0.0, 1.0)));
    }
    let color = if response.dragged() { theme.accent } else { theme.fill };
    ui.painter().hline(whole.x_range(), border, Stroke::new(if response.hovered() { 2.0 } else { 1.0 }, color));
    ui.advance_cursor_after_rect(whole);
}

pub(crate) fn row_with_buttons(ui: &mut Ui, height: f32, text: RichText, help: &str, buttons: impl FnOnce(&mut Ui)) {
    boxed_row(ui, height, text, help, Box::new(buttons));
}

/// Compiled once, like [`boxed_section`].
fn boxed_row(ui: &mut Ui, height: f32, text: RichText, help: &str, buttons: Box<dyn FnOnce(&mut Ui) + '_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let inner = rect.shrink2(vec2(12.0, 0.0));
    let mut right =
        ui.new_child(egui::UiBuilder::new().max_rect(inner).layout(egui::Layout::right_to_left(egui::Align::Center)));
    right.spacing_mut().item_spacing.x = 6.0;
    buttons(&mut right);
    let left = right.min_rect().left().min(inner.right());
    let room = Rect::from_min_max(inner.min, Pos2::new((left - 8.0).max(inner.left() + 20.0), inner.bottom()));
    let mut text_ui =
        ui.new_child(egui::UiBuilder::new().max_rect(room).layout(egui::Layout::left_to_right(egui::Align::Center)));
    let response = text_ui.add(egui::Label::new(text).truncate());
    if !help.is_empty() {
        response.help(help);
    }
}
