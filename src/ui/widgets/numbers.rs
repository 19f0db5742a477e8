use std::ops::RangeInclusive;

use egui_macroquad::egui::{self, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use super::{ROW, label_width, name_before};
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, fade, node_mark};
use crate::ui::words as text;
use crate::ui::words::{capital, decimals};
use kinescope_ik::full_body::Node;
use kinescope_ik::parameter::{Parameter, Parameters, Unit};

pub(crate) fn time(micros: f32) -> String {
    if micros < 1000.0 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1000.0) }
}

/// Emphasizes the number with the index `strong`; a single number is always emphasized.
pub(crate) fn number_row(
    ui: &mut Ui,
    theme: &Theme,
    node: Option<Node>,
    name: &str,
    numbers: &[String],
    strong: Option<usize>,
) -> egui::Response {
    row_of_numbers(ui, theme, node, name, numbers, strong, Sense::hover())
}

pub(crate) fn number_row_button(
    ui: &mut Ui,
    theme: &Theme,
    node: Option<Node>,
    name: &str,
    numbers: &[String],
) -> egui::Response {
    let response = row_of_numbers(ui, theme, node, name, numbers, None, Sense::click());
    let label = || format!("{name} {}", numbers.join(" "));
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label()));
    response
}

/// Gap between adjacent numbers, logical pixels. It is wider than a digit, so that they do not read as one number.
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

#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    /// The drag to which the change belongs. `None` for a single change.
    pub(crate) gesture: Option<u64>,
}

impl Changed {
    /// Returns the change of a widget. The frame in which the user releases the widget belongs to the drag.
    pub(crate) fn of(response: &egui::Response) -> Self {
        Self { gesture: (response.dragged() || response.drag_stopped()).then(|| response.id.value()) }
    }
}

pub(crate) fn set_model_unit(ctx: &egui::Context, name: &'static str) {
    ctx.data_mut(|data| data.insert_temp(egui::Id::new("model unit"), name));
}

/// Returns the symbol of a unit for display. Model units have the name given to [`set_model_unit`].
pub(crate) fn symbol(ui: &Ui, unit: Unit) -> &'static str {
    let name = || ui.data(|data| data.get_temp(egui::Id::new("model unit")));
    if unit == Unit::ModelUnits { name().unwrap_or(unit.symbol()) } else { unit.symbol() }
}

/// Returns the tooltip of a control for a parameter. `taken` is the range that the control takes; files may take larger
/// values.
pub(crate) fn parameter_help(ui: &Ui, parameter: &Parameter, taken: &RangeInclusive<f32>) -> String {
    let &Parameter { help, too_little, too_much, default, max, unit, sources, .. } = parameter;
    let unit = format!(" {}", symbol(ui, unit));
    let [default, from, to] = [default, *taken.start(), *taken.end()].map(decimals);
    let mut range = text::default_and_range(&default, &from, &to, &unit.trim_end());
    if max > *taken.end() {
        range += &text::preset_range(&decimals(max));
    }
    let sources = jump::source_lines(sources);
    text::parameter_help(&help, &too_little, &too_much, &range, &sources)
}

pub(crate) fn parameter(
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

pub(crate) fn slider_row(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut f32,
    range: RangeInclusive<f32>,
    parameter: &Parameter,
) -> Option<Changed> {
    let room = label_width(ui.available_width());
    labelled_slider(ui, theme, (label, room), value, range, parameter)
}

/// Shows a [`slider_row`]. If its label would be cut beside the slider, the label is above the slider.
pub(crate) fn whole_label_slider(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut f32,
    range: RangeInclusive<f32>,
    parameter: &Parameter,
) -> Option<Changed> {
    let color = if *value == parameter.default { theme.text[1] } else { theme.text[0] };
    let (shown, room) = (with_unit(label, symbol(ui, parameter.unit)), label_width(ui.available_width()));
    let font = egui::TextStyle::Body.resolve(ui.style());
    if ui.painter().layout_no_wrap(shown.clone(), font, color).size().x <= room {
        return labelled_slider(ui, theme, (label, room), value, range, parameter);
    }
    let above = ui.add(egui::Label::new(RichText::new(shown).color(color)).selectable(false).wrap());
    above.help(text::slider_help(&parameter_help(ui, parameter, &range)));
    labelled_slider(ui, theme, (label, 0.0), value, range, parameter)
}

fn with_unit(label: &str, unit: &str) -> String {
    match unit {
        "" => capital(label),
        unit => format!("{}, {unit}", capital(label)),
    }
}

/// Shows a label, cut at a width, then slider, number and reset button. A width of 0 leaves the label out.
fn labelled_slider(
    ui: &mut Ui,
    theme: &Theme,
    (label, label_width): (&str, f32),
    value: &mut f32,
    range: RangeInclusive<f32>,
    parameter: &Parameter,
) -> Option<Changed> {
    let mut changed = None;
    let default = parameter.default;
    let is_default = *value == default;
    let help = text::slider_help(&parameter_help(ui, parameter, &range));
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        let color = if is_default { theme.text[1] } else { theme.text[0] };
        let whole_width = ui.available_width();
        if label_width > 0.0 {
            let shown = RichText::new(with_unit(label, symbol(ui, parameter.unit))).color(color);
            let text = ui.allocate_ui_with_layout(
                vec2(label_width, ROW),
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| ui.add(egui::Label::new(shown).selectable(false).truncate()).help(&*help),
            );
            ui.add_space((label_width - text.response.rect.width()).max(0.0));
        }
        // Number and reset button have fixed widths, and the slider takes the rest.
        ui.spacing_mut().slider_width = (whole_width - label_width - 90.0).clamp(34.0, 420.0);
        let response = slider(ui, theme, label, value, range.clone(), parameter).help(&*help);
        jump::land(&response, &parameter.field());
        if response.double_clicked() {
            *value = default;
            changed = Some(Changed { gesture: None });
        } else if response.changed() {
            changed = Some(Changed::of(&response));
        }
        let number = Number::new(value).range(range).unit(symbol(ui, parameter.unit));
        let number = match parameter.is_whole() {
            true => number.speed(0.05).decimals(0, 0),
            false => number.speed(0.005).written_by(short),
        };
        let response = ui.add_sized(vec2(52.0, 18.0), number).help(&*help);
        if response.changed() {
            changed = Some(Changed::of(&response));
        }
        if !is_default {
            let reset = egui::Button::new(RichText::new(icon::ARROW_COUNTER_CLOCKWISE).size(13.0)).frame(false);
            let reset = ui.add(reset).help(text::resets_to(&decimals(default)));
            reset.describe(&|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_reset(&label, &decimals(default)))
            });
            if reset.clicked() {
                *value = default;
                changed = Some(Changed { gesture: None });
            }
        }
    });
    changed
}

/// Consumes presses of the left and right arrow keys if the widget has the focus. Returns the number of right minus
/// left presses.
pub(crate) fn arrow_presses(ui: &Ui, response: &egui::Response) -> f32 {
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

/// Width of the labels left of a strip, logical pixels.
pub(crate) const LABELS: f32 = 76.0;

/// Returns the interval between time labels in seconds, so that labels for `length` seconds fit into `width` logical pixels.
pub(crate) fn seconds_step(length: f64, width: f32) -> f64 {
    let least = 70.0 * length / f64::from(width.max(70.0));
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 300.0, 600.0];
    steps.into_iter().find(|&step| step > least).unwrap_or(10f64.powf(least.log10().ceil()))
}

pub(crate) fn playhead(painter: &egui::Painter, theme: &Theme, strip: Rect, x: f32) {
    let x = x.clamp(strip.left() + 1.0, strip.right() - 1.0);
    painter.vline(x, strip.y_range(), Stroke::new(1.5, theme.accent));
    let head = vec![Pos2::new(x - 5.0, strip.top()), Pos2::new(x + 5.0, strip.top()), Pos2::new(x, strip.top() + 8.0)];
    painter.add(Shape::convex_polygon(head, theme.accent, Stroke::NONE));
}

/// Formats a number with two decimals, or with three if the third is not 0.
fn short(value: f64) -> String {
    let hundredths = value * 100.0;
    if (hundredths - hundredths.round()).abs() < 0.05 { format!("{value:.2}") } else { format!("{value:.3}") }
}

pub(crate) fn slider(
    ui: &mut Ui,
    theme: &Theme,
    label: &str,
    value: &mut f32,
    range: RangeInclusive<f32>,
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
    // The pointer may move and release in one frame, so the release position counts.
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
    response.describe(&|| egui::WidgetInfo::slider(true, f64::from(*value), label));

    let x_of = |value: f32| track.left() + ((value - min) / span).clamp(0.0, 1.0) * track.width();
    let painter = ui.painter();
    painter.rect_filled(track, 2.0, theme.track);
    // The track is filled from zero if the range contains zero, as for signed weights, and otherwise from the limit nearest
    // to zero.
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

const NARROW: f32 = 310.0;

/// Reserves the space of a [`vector`] that is not shown.
pub(crate) fn no_vector(ui: &mut Ui) {
    let label = if ui.available_width() < NARROW { ui.text_style_height(&egui::TextStyle::Body) } else { 0.0 };
    ui.add_space(22.0 + label);
}

pub(crate) fn vector(
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
        ui.label(RichText::new(with_unit(label, unit)).color(theme.text[1]));
    }
    let unit_width = if is_narrow { 0.0 } else { 20f32.max(6.5 * unit.len() as f32) };
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        if !is_narrow {
            let (rect, _) = ui.allocate_exact_size(vec2(60.0, ROW), Sense::hover());
            ui.painter().text(
                rect.left_center(),
                egui::Align2::LEFT_CENTER,
                capital(label),
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
