use egui_macroquad::egui::{self, Color32, Painter, Rect, Response, RichText, Sense, Ui, WidgetInfo, WidgetType, vec2};

use crate::ui::help::Help;
use crate::ui::theme::{Theme, semibold};
use crate::ui::words as text;
use crate::ui::words::capital;

const NARROW_PADDING: f32 = 4.0;
/// Number of names above which a list has a search field.
const LONG_LIST: usize = 8;
/// Number of passes in which an opening list requests the focus for its search field.
const FOCUS_REQUESTS: u32 = 5;

/// Shows a drop-down list with `label` as its accessible name. A long list starts with a focused search field, where
/// Enter chooses the first match. `shown` is the text of the closed list, cut to `width` with the full text in the
/// tooltip. Returns the index of the chosen name, if any.
pub(crate) fn choose_name(
    ui: &mut Ui,
    label: &str,
    (shown, selected): (&str, Option<usize>),
    width: f32,
    names: &[&str],
) -> egui::InnerResponse<Option<usize>> {
    let id = ui.make_persistent_id(label);
    let mut chosen = None;
    // A combo box grows with its text, so its `width` is only a minimum.
    let list = ui.scope(|ui| {
        ui.set_max_width(width);
        egui::ComboBox::from_id_salt(label)
            .selected_text(shown)
            .width(width)
            .height(360.0)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .truncate()
            .show_ui(ui, |ui| {
                let (mut search, mut requests): (String, u32) = ui.data(|data| data.get_temp(id)).unwrap_or_default();
                let mut is_entered = false;
                if names.len() > LONG_LIST {
                    let field = egui::TextEdit::singleline(&mut search)
                        .hint_text(text::SEARCH_HINT)
                        .desired_width(width.max(160.0));
                    let field = ui.add(field);
                    // The first pass only measures the list, where the field cannot keep the focus.
                    if field.has_focus() && !ui.is_sizing_pass() {
                        requests = FOCUS_REQUESTS;
                    } else if requests < FOCUS_REQUESTS {
                        requests += 1;
                        field.request_focus();
                        ui.ctx().request_repaint();
                    }
                    is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                }
                // `melee attack` finds `1H_Melee_Attack_Chop`.
                let words = |name: &str| name.to_lowercase().replace(['_', '-', '.', ':', '|'], " ");
                let wanted = words(&search);
                let mut matches = (0..names.len()).filter(|&index| words(names[index]).contains(&wanted)).peekable();
                chosen = matches.peek().copied().filter(|_| is_entered);
                if matches.peek().is_none() {
                    ui.weak(text::NO_MATCH);
                }
                for index in matches {
                    if ui.selectable_label(selected == Some(index), names[index]).clicked() {
                        chosen = Some(index);
                    }
                }
                ui.data_mut(|data| data.insert_temp(id, (search, requests)));
                if chosen.is_some() {
                    ui.memory_mut(egui::Memory::close_popup);
                }
            })
    });
    let list = list.inner;
    if list.inner.is_none() || chosen.is_some() {
        ui.data_mut(|data| data.remove_temp::<(String, u32)>(id));
    }
    list.response.describe(&|| egui::WidgetInfo {
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

pub(crate) fn segmented<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    current: T,
    options: &[(T, &str, String)],
) -> Option<T> {
    let buttons: Vec<_> = options.iter().map(|(option, text, help)| (*option == current, *text, &help[..])).collect();
    clicked_segment(ui, theme, &buttons).map(|index| options[index].0)
}

/// Shows a button for each entry: whether it is selected, its text, and its tooltip. Returns the index of the clicked one.
fn clicked_segment(ui: &mut Ui, theme: &Theme, buttons: &[(bool, &str, &str)]) -> Option<usize> {
    let mut clicked = None;
    // If there is room, each button is as wide as its selected form, so that no button moves when another is chosen.
    let width_of = |ui: &Ui, text: &str| {
        let chosen = egui::FontId::new(egui::TextStyle::Button.resolve(ui.style()).size, semibold());
        let width = ui.painter().layout_no_wrap(capital(text), chosen, theme.text[0]).size().x;
        (width + 2.0 * ui.spacing().button_padding.x).ceil()
    };
    let whole: f32 = buttons.iter().map(|(_, text, _)| width_of(ui, text)).sum();
    let is_roomy = whole <= ui.available_width();
    // The buttons are slightly lower than the row, to align them with the label before them.
    let height = (ui.available_height() - 2.0).clamp(20.0, 26.0);
    egui::Frame::new().fill(theme.widget).corner_radius(4.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().interact_size.y = height;
        if !is_roomy {
            ui.spacing_mut().button_padding.x = NARROW_PADDING;
        }
        // In right-to-left order the first option is placed last.
        let mut order: Vec<_> = buttons.iter().enumerate().collect();
        if ui.layout().prefer_right_to_left() {
            order.reverse();
        }
        ui.horizontal(|ui| {
            for (index, &(is_current, text, help)) in order {
                let (fill, color, family) = match is_current {
                    true => (theme.accent, theme.on_accent, semibold()),
                    false => (Color32::TRANSPARENT, theme.text[1], egui::FontFamily::Proportional),
                };
                let width = if is_roomy { width_of(ui, text) } else { 0.0 };
                let text = RichText::new(capital(text)).color(color).family(family);
                let button = egui::Button::new(text).fill(fill).min_size(vec2(width, height));
                if ui.add(button).help(help).clicked() {
                    clicked = Some(index);
                }
            }
        });
    });
    clicked
}

/// Shows the row of a lab's lane, with a disc in the lane's colour. `label` is the row's name for screen readers.
/// Returns its rectangle of the given width, its response, and a painter for its content.
pub(crate) fn lane_row(
    ui: &mut Ui,
    theme: &Theme,
    (lane, is_selected): (usize, bool),
    width: f32,
    label: &str,
) -> (Rect, Response, Painter) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), Sense::click());
    response.describe(&|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, label));
    let row = rect.with_max_x(rect.right().max(ui.max_rect().right())).expand2(vec2(12.0, 0.0));
    let painter = ui.painter_at(row);
    if is_selected {
        painter.rect_filled(row, 0.0, theme.selected_row);
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(row, 0.0, theme.header);
    }
    painter.circle_filled(rect.left_center() + vec2(5.0, 0.0), 4.5, theme.lane(lane));
    (rect, response, painter)
}
