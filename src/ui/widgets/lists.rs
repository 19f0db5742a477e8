//! Lists of names of which one is chosen.

use egui_macroquad::egui::{self, Color32, RichText, Ui, vec2};
use glam::DVec2;

use crate::picture::camera::clip_segment;
use crate::session::{Action, Session};
use crate::tools::pose::session::PoseAction;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, semibold};
use crate::ui::words::attachment;
use kinescope_ik::stack::Attached;

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
