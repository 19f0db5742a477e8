//! Widgets that panes share.

use egui_macroquad::egui::{self, Color32, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::DVec2;

use crate::picture::camera::clip_segment;
use crate::picture::navigation::Navigation;
use crate::session::commands::Command;
use crate::session::{Action, Session};
use crate::tools::pose::session::PoseAction;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, fade, node_mark, semibold};
use crate::ui::words::{attachment, decimals};
use kinescope_ik::full_body::Node;
use kinescope_ik::parameter::{Parameter, Parameters};
use kinescope_ik::stack::Attached;

/// Height of a row of a pane.
pub const ROW: f32 = 19.5;
/// Width of a label before what it names, of all the width of a row.
pub fn label_width(width: f32) -> f32 {
    (width * 0.45).clamp(76.0, 148.0)
}

/// A label before what it names; cut short where a pane is narrow.
pub fn row_label(ui: &mut Ui, theme: &Theme, text: &str) -> egui::Response {
    let width = label_width(ui.available_width());
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let is_cut = name_before(ui.painter(), rect.left_center(), rect.right(), text, theme.text[1]);
    if is_cut { response.help(text) } else { response }
}

/// Draws a name from `left`, the middle of its left end, and ends it in "…" where it would pass `right`. Returns whether it
/// was cut: the tooltip then has to say the whole name.
pub fn name_before(painter: &egui::Painter, left: Pos2, right: f32, name: &str, color: Color32) -> bool {
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), egui::FontId::proportional(12.5), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width((right - left.x).max(20.0));
    let galley = painter.layout_job(job);
    let is_cut = galley.elided;
    painter.galley(left - vec2(0.0, galley.size().y / 2.0), galley, color);
    is_cut
}

/// The tooltip of a row whose name may be cut: the whole name then comes before what there is to say.
pub fn help_of_name(is_cut: bool, name: &str, help: &str) -> String {
    match (is_cut, help) {
        (true, "") => name.to_owned(),
        (true, help) => format!("{name}\n{help}"),
        (false, help) => help.to_owned(),
    }
}

/// A section of a pane with a caret; returns the body's response if it is open.
pub fn section(ui: &mut Ui, theme: &Theme, title: &str, hint: &str, body: impl FnOnce(&mut Ui)) {
    let id = ui.make_persistent_id(("section", title));
    let mut open = ui.data_mut(|data| *data.get_persisted_mut_or(id, true));
    // The setting that the palette jumps to may be in it.
    let looks_inside = jump::is_asked(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_persisted(id, open));
    }
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::CollapsingHeader, true, title));
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
        title,
        egui::FontId::new(12.5, semibold()),
        theme.text[0],
    );
    // What the columns are is cut short where there is no room for it.
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
    if looks_inside && !open && !jump::is_asked(ui.ctx()) {
        ui.data_mut(|data| data.insert_persisted(id, true));
    }
}

/// What a pane is about: its name in a row with a mark before it, and below that what there is to say, as long as it is.
pub fn heading(ui: &mut Ui, theme: &Theme, name: &str, what: &str, mark: impl FnOnce(&mut Ui)) {
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

/// A part of a pane whose ids do not depend on what is above it: where rows above come or go, a field keeps the keyboard
/// and a slider its drag.
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

/// Two parts of a pane over each other. The lower one has `share` of the height until the border is dragged: whatever it
/// comes to show, nothing in the upper one moves.
pub fn split(ui: &mut Ui, theme: &Theme, share: f32, upper: impl FnOnce(&mut Ui), lower: impl FnOnce(&mut Ui)) {
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

/// A row of one line at `height`: text that gives way, and at the right what does not.
pub fn row_with_buttons(ui: &mut Ui, height: f32, text: RichText, help: &str, buttons: impl FnOnce(&mut Ui)) {
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

/// A command as a button with its name.
pub fn command_button(ui: &mut Ui, command: Command, enabled: bool, actions: &mut Vec<Action>) {
    let info = command.info();
    if ui.add_enabled(enabled, egui::Button::new(info.label)).help(command_help(ui, command)).clicked() {
        actions.push(Action::Command(command));
    }
}

/// Lists of more names than this begin with a search field.
const LONG_LIST: usize = 8;

/// A drop-down list of names of which one is chosen; `label` names it for those who do not see it. A long list begins with
/// a search field that has the focus when the list opens: Enter chooses the first match. Returns the index of the name that
/// was chosen. `shown` is what the closed list says; where `width` has no room for it, it ends in "…" and the tooltip says it.
pub fn choose_name(
    ui: &mut Ui,
    label: &str,
    (shown, selected): (&str, Option<usize>),
    width: f32,
    names: &[&str],
) -> egui::InnerResponse<Option<usize>> {
    let id = ui.make_persistent_id(label);
    let mut chosen = None;
    // A combo box takes all the room that its text fills: `width` is only the least for it.
    let list = ui.scope(|ui| {
        ui.set_max_width(width);
        egui::ComboBox::from_id_salt(label)
            .selected_text(shown)
            .width(width)
            .height(360.0)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .truncate()
            .show_ui(ui, |ui| {
                let before: Option<String> = ui.data(|data| data.get_temp(id));
                let is_opening = before.is_none();
                let mut search = before.unwrap_or_default();
                let mut is_entered = false;
                if names.len() > LONG_LIST {
                    let field =
                        egui::TextEdit::singleline(&mut search).hint_text("search").desired_width(width.max(160.0));
                    let field = ui.add(field);
                    if is_opening {
                        field.request_focus();
                    }
                    is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                }
                let wanted = search.to_lowercase();
                let mut matches =
                    (0..names.len()).filter(|&index| names[index].to_lowercase().contains(&wanted)).peekable();
                chosen = matches.peek().copied().filter(|_| is_entered);
                if matches.peek().is_none() {
                    ui.weak("no match");
                }
                for index in matches {
                    if ui.selectable_label(selected == Some(index), names[index]).clicked() {
                        chosen = Some(index);
                    }
                }
                ui.data_mut(|data| data.insert_temp(id, search));
                if chosen.is_some() {
                    ui.memory_mut(egui::Memory::close_popup);
                }
            })
    });
    let list = list.inner;
    if list.inner.is_none() || chosen.is_some() {
        ui.data_mut(|data| data.remove_temp::<String>(id));
    }
    list.response.widget_info(|| egui::WidgetInfo {
        current_text_value: Some(shown.to_owned()),
        ..egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, label)
    });
    let spacing = ui.spacing();
    let room = width - 2.0 * spacing.button_padding.x - spacing.icon_spacing - spacing.icon_width;
    let font = egui::TextStyle::Button.resolve(ui.style());
    let is_cut = ui.painter().layout_no_wrap(shown.to_owned(), font, Color32::WHITE).size().x > room;
    let response = if is_cut { list.response.help(shown) } else { list.response };
    egui::InnerResponse::new(chosen, response)
}

/// What a target is attached to, to be chosen: nothing, an effector or a bone.
pub fn attached_to(ui: &mut Ui, session: &Session, target: Attached, width: f32, actions: &mut Vec<Action>) {
    let anchors = session.anchors(target);
    let names: Vec<&str> = std::iter::once("none").chain(anchors.iter().map(|(name, _)| name.as_str())).collect();
    let own = session.stack().attachment(target).map(|own| &own.to);
    let selected = match own {
        None => Some(0),
        Some(to) => anchors.iter().position(|(_, anchor)| anchor == to).map(|index| index + 1),
    };
    let shown = session.attached_to(target);
    let list = choose_name(ui, "attached to", (&shown, selected), width, &names);
    let help = match session.stack().attachment(target) {
        Some(own) => {
            let name = own.to.label();
            format!("The target {}: it is at {name} + rotation of {name} · offset.", attachment(own))
        }
        None => {
            "The target follows a bone or an effector, from where it stands now. With none it is a point.".to_owned()
        }
    };
    list.response.help(help);
    if let Some(chosen) = list.inner.filter(|&chosen| Some(chosen) != selected) {
        let anchor = chosen.checked_sub(1).and_then(|index| anchors.get(index)).map(|(_, anchor)| anchor.clone());
        actions.push(Action::Pose(PoseAction::Attach(target, anchor)));
    }
}

/// A time that was measured in microseconds.
pub fn time(micros: f32) -> String {
    if micros < 1000.0 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1000.0) }
}

/// A mark, a name and up to three numbers in columns; `strong` says which of them stands out.
pub fn number_row(
    ui: &mut Ui,
    theme: &Theme,
    node: Option<Node>,
    name: &str,
    numbers: &[String],
    strong: Option<usize>,
) -> egui::Response {
    row_of_numbers(ui, theme, node, name, numbers, strong, Sense::hover())
}

/// [`number_row`] that can be clicked.
pub fn number_row_button(
    ui: &mut Ui,
    theme: &Theme,
    node: Option<Node>,
    name: &str,
    numbers: &[String],
) -> egui::Response {
    let response = row_of_numbers(ui, theme, node, name, numbers, None, Sense::click());
    let label = || format!("{name} {}", numbers.join(" "));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label()));
    response
}

/// Between numbers side by side: more than a digit, so that two do not read as one.
const NUMBER_GAP: f32 = 10.0;

fn row_of_numbers(
    ui: &mut Ui,
    theme: &Theme,
    node: Option<Node>,
    name: &str,
    numbers: &[String],
    strong: Option<usize>,
    sense: Sense,
) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    let painter = ui.painter_at(rect.expand2(vec2(12.0, 0.0)));
    if sense.senses_click() && (response.hovered() || response.has_focus()) {
        painter.rect_filled(rect.expand2(vec2(12.0, 0.0)), 0.0, theme.header);
    }
    if let Some(node) = node {
        painter.add(node_mark(theme, node, rect.left_center() + vec2(5.0, 0.0), 4.0, Stroke::NONE));
    }
    let mut right = rect.right();
    for (index, number) in numbers.iter().enumerate().rev() {
        let is_strong = strong == Some(index) || numbers.len() == 1;
        let color = if is_strong { theme.text[0] } else { theme.text[1] };
        let font = egui::FontId::monospace(11.5);
        let at = painter.text(Pos2::new(right, rect.center().y), egui::Align2::RIGHT_CENTER, number, font, color);
        right -= at.width().max(46.0) + NUMBER_GAP;
    }
    name_before(&painter, rect.left_center() + vec2(18.0, 0.0), right - 2.0, name, theme.text[1]);
    response
}

/// What a change of a number is called, and which drag it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Changed {
    /// The drag; `None` for a single change.
    pub gesture: Option<u64>,
}

impl Changed {
    /// By a widget: the frame that lets go of it belongs to the drag.
    pub fn of(response: &egui::Response) -> Self {
        Self { gesture: (response.dragged() || response.drag_stopped()).then(|| response.id.value()) }
    }
}

/// What is shown of a parameter where the pointer rests on it.
pub fn parameter_help(parameter: &Parameter) -> String {
    let &Parameter { help, too_little, too_much, default, min, max, unit, sources, .. } = parameter;
    let unit = format!(" {}", unit.symbol());
    let [default, min, max] = [default, min, max].map(decimals);
    let range = format!("Default {default}, range {min} to {max}{}.", unit.trim_end());
    let sources = jump::source_lines(sources);
    format!("{help}\n\nToo little: {too_little}\nToo much: {too_much}\n{range}{sources}")
}

/// A label, a slider with its default marked, the number, and a way back. Returns whether the value changed.
pub fn parameter(
    ui: &mut Ui,
    theme: &Theme,
    parameter: &Parameter,
    settings: &mut (impl Parameters + ?Sized),
) -> Option<Changed> {
    let mut value = settings.number(parameter.key).unwrap_or(parameter.default);
    let label = kinescope_ik::key::label(parameter.key);
    let changed = slider_row(ui, theme, &label, &mut value, parameter.min..=parameter.usual_max, parameter);
    if changed.is_some() {
        settings.set_number(parameter.key, parameter.clamp(value));
    }
    changed
}

/// [`parameter`] for a number under another name, or of which only a part can be chosen.
pub fn slider_row(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    parameter: &Parameter,
) -> Option<Changed> {
    let mut changed = None;
    let default = parameter.default;
    let is_default = *value == default;
    let help = || format!("{}\nDouble-click the slider to reset it.", parameter_help(parameter));
    let shown = match parameter.unit.symbol() {
        "" => label.to_owned(),
        unit => format!("{label}, {unit}"),
    };
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        let color = if is_default { theme.text[1] } else { theme.text[0] };
        let whole_width = ui.available_width();
        let label_width = label_width(whole_width);
        let text = ui.allocate_ui_with_layout(
            vec2(label_width, ROW),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| ui.add(egui::Label::new(RichText::new(shown).color(color)).selectable(false).truncate()).help(help()),
        );
        ui.add_space((label_width - text.response.rect.width()).max(0.0));
        // Number and reset have their width, the slider has the rest.
        ui.spacing_mut().slider_width = (whole_width - label_width - 90.0).clamp(34.0, 420.0);
        let response = slider(ui, theme, label, value, range.clone(), parameter).help(help());
        jump::land(&response, &parameter.field());
        if response.double_clicked() {
            *value = default;
            changed = Some(Changed { gesture: None });
        } else if response.changed() {
            changed = Some(Changed::of(&response));
        }
        let number = Number::new(value).range(range).unit(parameter.unit.symbol());
        let number = match parameter.is_whole() {
            true => number.speed(0.05).decimals(0, 0),
            false => number.speed(0.005).written_by(short),
        };
        let response = ui.add_sized(vec2(52.0, 18.0), number).help(help());
        if response.changed() {
            changed = Some(Changed::of(&response));
        }
        if !is_default {
            let reset = egui::Button::new(RichText::new(icon::ARROW_COUNTER_CLOCKWISE).size(13.0)).frame(false);
            let reset = ui.add(reset).help(format!("back to {}", decimals(default)));
            reset.widget_info(|| {
                egui::WidgetInfo::labeled(
                    egui::WidgetType::Button,
                    true,
                    format!("{label} back to {}", decimals(default)),
                )
            });
            if reset.clicked() {
                *value = default;
                changed = Some(Changed { gesture: None });
            }
        }
    });
    changed
}

/// Presses of the right arrow key less those of the left, if the widget has the keyboard: they are its own then, not the
/// way to the next widget.
pub fn arrow_presses(ui: &Ui, response: &egui::Response) -> f32 {
    if !response.has_focus() {
        return 0.0;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input_mut(|input| {
        use egui::{Key, Modifiers};
        let mut presses = |key| input.count_and_consume_key(Modifiers::NONE, key) as f32;
        presses(Key::ArrowRight) - presses(Key::ArrowLeft)
    })
}

/// Width of the labels left of a strip.
pub const LABELS: f32 = 76.0;

/// Seconds from one label to the next, so that there is room for each: `length` seconds lie on `width` pixels.
pub fn seconds_step(length: f64, width: f32) -> f64 {
    let least = 70.0 * length / f64::from(width.max(70.0));
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 300.0, 600.0];
    steps.into_iter().find(|&step| step > least).unwrap_or(10f64.powf(least.log10().ceil()))
}

/// Where a strip is: a line with a head at its top, within it.
pub fn playhead(painter: &egui::Painter, theme: &Theme, strip: Rect, x: f32) {
    let x = x.clamp(strip.left() + 1.0, strip.right() - 1.0);
    painter.vline(x, strip.y_range(), Stroke::new(1.5, theme.accent));
    let head = vec![Pos2::new(x - 5.0, strip.top()), Pos2::new(x + 5.0, strip.top()), Pos2::new(x, strip.top() + 8.0)];
    painter.add(Shape::convex_polygon(head, theme.accent, Stroke::NONE));
}

/// Two decimals, three where they are needed.
fn short(value: f64) -> String {
    let hundredths = value * 100.0;
    if (hundredths - hundredths.round()).abs() < 0.05 { format!("{value:.2}") } else { format!("{value:.3}") }
}

/// A slider with a notch at its default. Arrow keys move it.
pub fn slider(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    parameter: &Parameter,
) -> egui::Response {
    let (default, whole) = (parameter.default, parameter.is_whole());
    let width = ui.spacing().slider_width;
    let (rect, mut response) = ui.allocate_exact_size(vec2(width, ROW), Sense::click_and_drag());
    let (min, max) = (*range.start(), *range.end());
    let span = (max - min).max(f32::MIN_POSITIVE);
    let track = Rect::from_min_max(
        Pos2::new(rect.left() + 6.0, rect.center().y - 2.0),
        Pos2::new(rect.right() - 6.0, rect.center().y + 2.0),
    );
    let before = *value;
    // Pointer and button may have moved in one frame: where it was let go counts.
    let is_held = response.dragged() || response.drag_stopped() || response.clicked();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| is_held) {
        *value = min + ((pointer.x - track.left()) / track.width()).clamp(0.0, 1.0) * span;
    }
    let steps = arrow_presses(ui, &response);
    if steps != 0.0 {
        *value = (*value + steps * if whole { 1.0 } else { span / 100.0 }).clamp(min, max);
    }
    if whole {
        *value = value.round();
    }
    if *value != before {
        response.mark_changed();
    }
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(*value), label));

    let x_of = |value: f32| track.left() + ((value - min) / span).clamp(0.0, 1.0) * track.width();
    let painter = ui.painter();
    painter.rect_filled(track, 2.0, theme.track);
    // Filled from zero where zero is inside, as for weights to both sides.
    let zero = x_of(0.0f32.clamp(min, max));
    let at = x_of(*value);
    let filled = Rect::from_min_max(Pos2::new(zero.min(at), track.top()), Pos2::new(zero.max(at), track.bottom()));
    painter.rect_filled(filled, 2.0, theme.fill);
    let notch = Pos2::new(x_of(default), track.bottom() + 2.0);
    painter.add(Shape::convex_polygon(
        vec![notch, notch + vec2(2.5, 3.5), notch + vec2(-2.5, 3.5)],
        theme.text[2],
        Stroke::NONE,
    ));
    let knob = if response.hovered() || response.dragged() { theme.accent } else { fade(theme.accent, 0.92) };
    painter.circle(Pos2::new(at, track.center().y), 5.5, knob, Stroke::new(1.0, theme.panel));
    response
}

/// In a narrow pane the label of a vector is a line of its own, and the axes go by their order.
const NARROW: f32 = 310.0;

/// The room of a [`vector`] that is not there.
pub fn no_vector(ui: &mut Ui) {
    let label = if ui.available_width() < NARROW { ui.text_style_height(&egui::TextStyle::Body) } else { 0.0 };
    ui.add_space(22.0 + label);
}

/// Three numbers of a vector. Returns whether one changed.
pub fn vector(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut [f32; 3],
    unit: &'static str,
    speed: f32,
) -> Option<Changed> {
    let mut changed = None;
    let is_narrow = ui.available_width() < NARROW;
    if is_narrow {
        ui.label(RichText::new(format!("{label}, {unit}")).color(theme.text[1]));
    }
    let unit_width = if is_narrow { 0.0 } else { 20.0 };
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        if !is_narrow {
            let (rect, _) = ui.allocate_exact_size(vec2(60.0, ROW), Sense::hover());
            ui.painter().text(
                rect.left_center(),
                egui::Align2::LEFT_CENTER,
                label,
                egui::FontId::proportional(12.5),
                theme.text[1],
            );
        }
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = if is_narrow { 1.0 } else { 4.0 };
        let each = ((ui.available_width() - unit_width - 8.0) / 3.0).clamp(44.0, 118.0);
        for (axis, number) in ["x", "y", "z"].into_iter().zip(value) {
            let drag = Number::new(number).speed(speed).decimals(3, 3).unit(unit);
            let drag = if is_narrow { drag } else { drag.prefix(format!("{axis} ")) };
            let response = ui.add_sized(vec2(each, 18.0), drag).help(format!("{label} {axis}"));
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
        }
        if !is_narrow {
            ui.label(RichText::new(unit).color(theme.text[2]).size(11.0));
        }
    });
    changed
}

fn navigation_id() -> egui::Id {
    egui::Id::new("whose keys tooltips name")
}

/// From now on tooltips of commands name these keys.
pub fn set_navigation(ctx: &egui::Context, navigation: Navigation) {
    ctx.data_mut(|data| data.insert_temp(navigation_id(), navigation));
}

/// The tooltip of a command: its help, and the keys that it has now.
fn command_help(ui: &Ui, command: Command) -> String {
    command.info().tooltip_in(ui.data(|data| data.get_temp(navigation_id())).unwrap_or_default())
}

/// A button for a command, with its help and shortcut on hover.
pub fn command_icon(ui: &mut Ui, icon: &str, command: Command, enabled: bool, actions: &mut Vec<Action>) {
    let button = egui::Button::new(RichText::new(icon).size(16.0)).frame(false).min_size(vec2(26.0, 26.0));
    let response = ui.add_enabled(enabled, button).help(command_help(ui, command));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, command.info().label));
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}

/// The same for one that is on or off.
pub fn command_toggle(ui: &mut Ui, icon: &str, command: Command, is_on: bool, actions: &mut Vec<Action>) {
    let theme = Theme::of(!ui.visuals().dark_mode);
    let color = if is_on { theme.on_accent } else { theme.text[1] };
    let fill = if is_on { theme.accent } else { Color32::TRANSPARENT };
    let button = egui::Button::new(RichText::new(icon).size(16.0).color(color)).fill(fill);
    let response = ui.add(button.stroke(Stroke::NONE).min_size(vec2(26.0, 26.0))).help(command_help(ui, command));
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_on, command.info().label)
    });
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}

/// The key caps of a shortcut.
pub fn key_cap(ui: &mut Ui, theme: &Theme, text: &str) {
    if text.is_empty() {
        return;
    }
    let galley = ui.painter().layout_no_wrap(text.to_owned(), egui::FontId::monospace(11.0), theme.text[1]);
    let (rect, _) = ui.allocate_exact_size(galley.size() + vec2(10.0, 4.0), Sense::hover());
    ui.painter().rect(rect, 3.0, theme.widget, Stroke::new(1.0, theme.track), egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(5.0, 2.0), galley, theme.text[1]);
}

/// Joined buttons of which one is pressed. Returns the one clicked.
pub fn segmented<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    current: T,
    options: &[(T, &str, String)],
) -> Option<T> {
    let mut clicked = None;
    // Each is as wide as when it is chosen, where there is room: choosing one moves none.
    let width_of = |ui: &Ui, text: &str| {
        let chosen = egui::FontId::new(egui::TextStyle::Button.resolve(ui.style()).size, semibold());
        let width = ui.painter().layout_no_wrap(text.to_owned(), chosen, theme.text[0]).size().x;
        (width + 2.0 * ui.spacing().button_padding.x).ceil()
    };
    let whole: f32 = options.iter().map(|(_, text, _)| width_of(ui, text)).sum();
    let is_roomy = whole <= ui.available_width();
    // A little less than the row: its middle is that of the label before it.
    let height = (ui.available_height() - 2.0).clamp(20.0, 26.0);
    egui::Frame::new().fill(theme.widget).corner_radius(4.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().interact_size.y = height;
        // From the right the first option is placed last.
        let mut order: Vec<_> = options.iter().collect();
        if ui.layout().prefer_right_to_left() {
            order.reverse();
        }
        ui.horizontal(|ui| {
            for (option, text, help) in order {
                let is_current = *option == current;
                let (fill, color, family) = match is_current {
                    true => (theme.accent, theme.on_accent, semibold()),
                    false => (Color32::TRANSPARENT, theme.text[1], egui::FontFamily::Proportional),
                };
                let width = if is_roomy { width_of(ui, text) } else { 0.0 };
                let text = RichText::new(*text).color(color).family(family);
                let button = egui::Button::new(text).fill(fill).min_size(vec2(width, height));
                if ui.add(button).help(help).clicked() {
                    clicked = Some(*option);
                }
            }
        });
    });
    clicked
}

/// What a plot that was zoomed into shows of a line; the plot cuts a line into dashes as long as that is, wherever it
/// goes. Where it leaves the picture it goes on along its rim, unseen.
pub fn visible(plot: &egui_plot::PlotUi, points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if plot.auto_bounds().any() {
        return points;
    }
    let bounds = plot.plot_bounds();
    let (min, max) = (DVec2::from(bounds.min()), DVec2::from(bounds.max()));
    let beside = 0.1 * (max - min);
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for pair in points.windows(2) {
        let Some(ends) = clip_segment([pair[0], pair[1]].map(DVec2::from), min - beside, max + beside) else {
            continue;
        };
        for end in ends.map(|end| end.to_array()) {
            if kept.last() != Some(&end) {
                kept.push(end);
            }
        }
    }
    kept
}
