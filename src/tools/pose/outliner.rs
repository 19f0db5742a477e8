use std::sync::Arc;

use egui_macroquad::egui::{self, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::pane::{Body, PaneInfo, Place};
use crate::session::{Action, Selection, Session};
use crate::tools::chains::session::ChainAction;
use crate::tools::learn::control;
use crate::tools::motion::pane::name_list;
use crate::tools::pose::session::PoseAction;
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, fade, node_mark};
use crate::ui::widgets::{ROW, choose_name, help_of_name, name_before, section};
use crate::ui::words;
use kinescope_ik::full_body::{Chain, Effector, Node};
use kinescope_ik::key::label;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::stack::{LabChain, Layer, LayerId, Stack};

pub(crate) const PANE: PaneInfo = PaneInfo {
    title: text::OUTLINER_TITLE,
    help: text::OUTLINER_WHAT,
    place: Place::Left,
    body: Body::Fitting(show),
    is_open: true,
};

/// Distance from the left edge of a row to its name, logical pixels.
const NAME_LEFT: f32 = 20.0;
/// Smallest gap between a name and the value or eye at its right, logical pixels.
const NAME_GAP: f32 = 6.0;
const EYE_WIDTH: f32 = 22.0;
const BUTTON_WIDTH: f32 = 24.0;
const ADD_CHAIN_WIDTH: f32 = 96.0;

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // While the lab shows a chain that is not one of the character's, the outliner lists only lanes and layers of
        // the picture.
        let has_body = session.world.lab().is_none_or(|lab| matches!(lab.chain, LabChain::Bones(_)));
        if !has_body {
            section(ui, theme, text::LANES, text::LANES_COLUMN, |ui| lanes(ui, theme, session, actions));
            section(ui, theme, text::LAYERS, "", |ui| layers(ui, theme, session, actions));
            return;
        }
        /// Smallest width for the full name of the column, logical pixels.
        const LONG_NAME: f32 = 190.0;
        let weight = if ui.available_width() < LONG_NAME { text::WEIGHT } else { text::POSITION_WEIGHT };
        section(ui, theme, text::EFFECTORS, weight, |ui| {
            for effector in Effector::ALL {
                let weight = session.world.settings().effector(effector).position_weight;
                let selection = Selection::Effector(effector);
                let name = label(effector.key());
                row(
                    ui,
                    theme,
                    session,
                    selection,
                    effector.node(),
                    &name,
                    &format!("{weight:.2}"),
                    weight > 0.0,
                    actions,
                );
            }
        });
        section(ui, theme, text::CHAINS, text::CHAINS_COLUMN, |ui| {
            for chain in Chain::ALL {
                let (value, node) = match chain.limb() {
                    Some(limb) => (format!("{:.2}", session.world.settings().chain(limb).pull), Node::of_limb(limb)[0]),
                    None => (text::pin(&session.world.settings().pin), Node::Body),
                };
                let name = label(chain.key());
                row(ui, theme, session, Selection::Chain(chain), node, &name, &value, true, actions);
            }
        });
        section(ui, theme, text::MODIFIERS, "", |ui| modifiers(ui, theme, session, actions));
        section(ui, theme, text::SOLVE_ORDER, "", |ui| order(ui, theme, session, actions));
        section(ui, theme, text::CLIP, "", |ui| clip(ui, theme, session, actions));
        section(ui, theme, text::LAYERS, "", |ui| layers(ui, theme, session, actions));
    });
}

#[allow(clippy::too_many_arguments)]
fn row(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    selection: Selection,
    node: Node,
    name: &str,
    value: &str,
    strong: bool,
    actions: &mut Vec<Action>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let is_together = match selection {
        Selection::Effector(effector) => session.selected_effectors().contains(effector),
        _ => false,
    };
    let is_selected = session.interaction.selection == selection || is_together;
    response.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_selected, name));
    jump::land_on(&response, control::of_selection(selection));
    let whole = rect.expand2(vec2(12.0, 0.0));
    let painter = ui.painter().with_clip_rect(whole);
    if is_selected {
        painter.rect_filled(whole, 0.0, theme.selected_row);
        painter.rect_filled(Rect::from_min_size(whole.min, vec2(3.0, whole.height())), 0.0, theme.accent);
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(whole, 0.0, theme.header);
    }
    painter.add(node_mark(theme, node, rect.left_center() + vec2(6.0, 0.0), 4.5, Stroke::NONE));
    let color = if strong { theme.text[0] } else { theme.text[2] };
    let value = painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, value, FontId::monospace(11.5), color);
    let left = rect.left_center() + vec2(NAME_LEFT, 0.0);
    let is_cut = name_before(&painter, left, value.left() - NAME_GAP, name, theme.text[0]);
    let response = if is_cut { response.help(name) } else { response };
    if response.clicked() {
        let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
        actions.push(match selection {
            Selection::Effector(effector) if adds => Action::Pose(PoseAction::SelectAlso(effector)),
            _ => Action::Select(selection),
        });
    }
}

fn lanes(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    for (index, settings) in session.world.lab().into_iter().flat_map(|lab| lab.lanes.iter().enumerate()) {
        let value = match session.chain_error(LayerId::Lane(index)) {
            Some(error) => session.world.character.length(error),
            None => text::CANNOT.to_owned(),
        };
        let name = words::lane_name(settings);
        let is_own = session.tools.chains.lane == index;
        let row = OrderRow {
            what: text::NAME_LANE,
            number: index + 1,
            name: &name,
            value: &value,
            is_selected: is_own,
            ..ROW_ON
        };
        let response = row.show(ui, theme, text::SHOW_STEPS_HELP);
        jump::land_on(&response, control::of_layer(LayerId::Lane(index)));
        if response.clicked() {
            actions.push(Action::Chains(ChainAction::ShowLane(index)));
        }
    }
}

fn modifiers(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let stack = session.world.stack();
    let selected = match session.interaction.selection {
        Selection::Modifier(index, _) => Some(index),
        _ => None,
    };
    // The buttons are above the list, so that they do not move when the list grows.
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        narrow_spacing(ui);
        let combo =
            egui::ComboBox::from_id_salt(text::NAME_ADD_MODIFIER).selected_text(text::ADD).width(48.0).height(320.0);
        let list = combo.show_ui(ui, |ui| {
            for kind in Modifier::all() {
                if ui.selectable_label(false, words::capital(kind.name())).help(kind.sentence()).clicked() {
                    let mut stack = stack.clone();
                    let selection = Selection::of_modifier(stack.modifiers.len(), &kind);
                    Arc::make_mut(&mut stack.modifiers).push(session.world.new_modifier(kind));
                    actions.push(edit_stack(session, text::EDIT_ADD_MODIFIER, stack));
                    actions.push(Action::Select(selection));
                }
            }
        });
        name_list(&list.response, text::EDIT_ADD_MODIFIER, text::ADD);
        let Some(index) = selected.filter(|&index| index < stack.modifiers.len()) else { return };
        for (glyph, earlier, label) in
            [(icon::ARROW_UP, true, text::NAME_ACT_EARLIER), (icon::ARROW_DOWN, false, text::NAME_ACT_LATER)]
        {
            let mut moved = stack.clone();
            let to = moved.move_modifier(index, earlier);
            let button = ui.add_enabled(to.is_some(), icon_button(glyph));
            if button.help(text::move_help(&words::capital(label))).clicked()
                && let Some(to) = to
            {
                actions.push(edit_stack(session, label, moved));
                actions.push(Action::Select(Selection::of_modifier(to, &stack.modifiers[index])));
            }
        }
        if ui.add(icon_button(icon::TRASH)).help(text::REMOVE_MODIFIER_HELP).clicked() {
            let mut stack = stack.clone();
            Arc::make_mut(&mut stack.modifiers).remove(index);
            actions.push(edit_stack(session, text::EDIT_REMOVE_MODIFIER, stack));
            actions.push(Action::Select(Selection::Nothing));
        }
    });
    ui.add_space(2.0);
    for (index, modifier) in stack.modifiers.iter().enumerate() {
        let (name, is_on) = (modifier.name(), modifier.is_on());
        let is_selected = selected == Some(index);
        let row = OrderRow {
            what: text::NAME_MODIFIER,
            number: index + 1,
            name,
            is_selected,
            is_on,
            room: EYE_WIDTH,
            ..ROW_ON
        };
        let response = row.show(ui, theme, &text::modifier_help(&modifier.sentence()));
        let eye = Rect::from_center_size(response.rect.right_center() - vec2(8.0, 0.0), vec2(EYE_WIDTH, ROW));
        let switch = ui.interact(eye, response.id.with("eye"), Sense::click()).help(text::MODIFIER_ON_HELP);
        let label = text::name_modifier_on(&(index + 1));
        switch.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, is_on, &label));
        let glyph = if is_on { icon::EYE } else { icon::EYE_SLASH };
        let color = if switch.hovered() || switch.has_focus() { theme.accent } else { theme.text[2] };
        ui.painter().text(eye.center(), egui::Align2::CENTER_CENTER, glyph, FontId::proportional(14.0), color);
        if response.clicked() {
            actions.push(Action::Select(Selection::of_modifier(index, modifier)));
        }
        if switch.clicked() {
            let mut stack = stack.clone();
            Arc::make_mut(&mut stack.modifiers)[index].switch(!is_on);
            actions.push(edit_stack(session, text::EDIT_MODIFIER_ON, stack));
        }
    }
}

fn order(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let stack = session.world.stack();
    // The buttons are above the list, so that they do not move when the list grows.
    chain_between(ui, session, actions);
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        narrow_spacing(ui);
        // There is always room for the three buttons of a selected chain, so that the list keeps its width while none is
        // selected.
        let is_narrow = ui.available_width() - 3.0 * (BUTTON_WIDTH + 4.0) < ADD_CHAIN_WIDTH;
        let text = if is_narrow { text::ADD } else { text::ADD_CHAIN };
        let width = if is_narrow { 48.0 } else { ADD_CHAIN_WIDTH };
        let suggestions = || crate::tools::chains::suggestions(&session.world.character);
        let combo = egui::ComboBox::from_id_salt(text::NAME_ADD_CHAIN).selected_text(text).width(width);
        let list = combo.show_ui(ui, |ui| {
            for (name, bones) in suggestions() {
                if ui.selectable_label(false, text::chain_and_bones(&name, &(bones.len() - 1))).clicked() {
                    let mut added = stack.clone();
                    let chains = &mut added.chain_ik.chains;
                    let pose = &session.world.picture.pose;
                    chains.push(crate::tools::chains::new_chain(&session.world.character, pose, name, bones));
                    let last = chains.len() - 1;
                    actions.push(edit_stack(session, text::EDIT_ADD_CHAIN, added));
                    actions.push(Action::Select(Selection::Layer(LayerId::Chain(last))));
                }
            }
        });
        name_list(&list.response, text::ADD_CHAIN, text);
        if let Some(LayerId::Chain(index)) = session.chain_focus() {
            let mut selected = Some(index);
            let mut edit = |label: &str, change: &dyn Fn(&mut Stack) -> Option<usize>| {
                let mut stack = stack.clone();
                selected = change(&mut stack);
                actions.push(edit_stack(session, label, stack));
            };
            for (glyph, earlier, label, help) in [
                (icon::ARROW_UP, true, text::NAME_SOLVE_EARLIER, text::SOLVE_EARLIER_HELP),
                (icon::ARROW_DOWN, false, text::NAME_SOLVE_LATER, text::SOLVE_LATER_HELP),
            ] {
                let goes = stack.clone().move_chain(index, earlier).is_some();
                if ui.add_enabled(goes, icon_button(glyph)).help(help).clicked() {
                    edit(label, &|stack| stack.move_chain(index, earlier));
                }
            }
            if ui.add(icon_button(icon::TRASH)).help(text::REMOVE_CHAIN_HELP).clicked() {
                edit(text::EDIT_REMOVE_CHAIN, &|stack| {
                    stack.remove_chain(index);
                    None
                });
            }
            if selected != Some(index) {
                let selection = selected.map_or(Selection::Nothing, |at| Selection::Layer(LayerId::Chain(at)));
                actions.push(Action::Select(selection));
            }
        }
    });
    ui.add_space(2.0);
    let shown = stack.layers().into_iter().filter(|&layer| layer != LayerId::Grounding || stack.is_on(layer));
    for (number, id) in shown.enumerate() {
        let layer = session.world.solved.layer(id);
        let (run, problem) = (layer.and_then(Layer::run), layer.and_then(Layer::problem));
        let is_limbs = id == LayerId::FullBody && session.world.drives_limbs();
        let name = if is_limbs { text::FOUR_LIMBS.to_owned() } else { id.label_in(stack) };
        let value = match run {
            Some(run) => words::counted(run.steps(), "step"),
            None if !stack.is_on(id) => text::OFF.to_owned(),
            None => id.missing(&session.world.character.rig).to_owned(),
        };
        let what = problem.unwrap_or(id.sentence());
        let (is_selected, is_on) = (session.focus() == id, run.is_some());
        let row = OrderRow {
            what: text::NAME_LAYER,
            number: number + 1,
            name: &name,
            value: &value,
            is_selected,
            is_on,
            has_own_name: id.index().is_some(),
            ..ROW_ON
        };
        let response = row.show(ui, theme, &text::layer_help(&what));
        jump::land_on(&response, control::of_layer(id));
        if response.clicked() {
            actions.push(Action::Select(Selection::of_layer(id)));
        }
    }
}

fn chain_between(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let bones = session.world.character.model.skeleton.bones();
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        narrow_spacing(ui);
        let names: Vec<&str> = bones.iter().map(|bone| bone.name.as_str()).collect();
        // Bone names can be long, so both lists share the width next to the button equally.
        let width = ((ui.available_width() - BUTTON_WIDTH - 8.0) / 2.0).clamp(24.0, 120.0);
        for (which, label) in [text::NAME_ROOT_BONE, text::NAME_END_BONE].into_iter().enumerate() {
            let chosen = session.tools.chains.ends[which].filter(|&bone| bone < names.len());
            let unset = words::capital(label);
            let shown = (chosen.map_or(unset.as_str(), |bone| names[bone]), chosen);
            if let Some(bone) = choose_name(ui, label, shown, width, &names).inner {
                actions.push(Action::Chains(ChainAction::ChooseEnd(which, Some(bone))));
            }
        }
        let help = text::ADD_BETWEEN_HELP;
        if ui.add(icon_button(icon::PLUS)).help(help).clicked() {
            actions.push(Action::Chains(ChainAction::AddChain));
        }
    });
}

fn narrow_spacing(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding.x = 5.0;
}

fn icon_button(glyph: &str) -> egui::Button<'_> {
    egui::Button::new(glyph).min_size(vec2(BUTTON_WIDTH, 0.0))
}

fn edit_stack(session: &Session, label: &str, stack: Stack) -> Action {
    let document = Box::new(session.world.history.document().with_stack(stack));
    Action::Edit { label: label.to_owned(), gesture: None, document }
}

struct OrderRow<'a> {
    /// Kind of the listed item. Together with number and name, it forms the accessible name of the row.
    what: &'a str,
    number: usize,
    name: &'a str,
    value: &'a str,
    is_selected: bool,
    is_on: bool,
    /// Whether the case of the name is kept, as for names of chains.
    has_own_name: bool,
    /// Space at the right for the caller's own drawing, logical pixels.
    room: f32,
}

const ROW_ON: OrderRow = OrderRow {
    what: "",
    number: 0,
    name: "",
    value: "",
    is_selected: false,
    is_on: true,
    has_own_name: false,
    room: 0.0,
};

impl OrderRow<'_> {
    fn show(self, ui: &mut Ui, theme: &Theme, help: &str) -> egui::Response {
        let Self { what, number, name, value, is_selected, is_on, has_own_name, room } = self;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        let label = text::name_row(&what, &number, &name);
        response.describe(&|| {
            egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_selected, label.clone())
        });
        let whole = rect.expand2(vec2(12.0, 0.0));
        let painter = ui.painter().with_clip_rect(whole);
        if is_selected {
            painter.rect_filled(whole, 0.0, theme.selected_row);
            painter.rect_filled(Rect::from_min_size(whole.min, vec2(3.0, whole.height())), 0.0, theme.accent);
        } else if response.hovered() || response.has_focus() {
            painter.rect_filled(whole, 0.0, theme.header);
        }
        let color = if is_on { theme.text[0] } else { theme.text[2] };
        let at = rect.left_center();
        let small = FontId::monospace(11.5);
        painter.text(at + vec2(2.0, 0.0), egui::Align2::LEFT_CENTER, number.to_string(), small.clone(), theme.text[2]);
        let value = painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, value, small, color);
        let right = value.left() - room - NAME_GAP;
        let name = if has_own_name { name.to_owned() } else { words::capital(name) };
        let is_cut = name_before(&painter, at + vec2(NAME_LEFT, 0.0), right, &name, color);
        response.help(help_of_name(is_cut, &name, help))
    }
}

fn layers(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let mut view = session.look.view;
    let mut clicked = false;
    // Layers such as planes and constraints between limbs do not apply to standalone chains.
    let is_of_chains = |name: &str| {
        matches!(name, "bones" | "nodes" | "targets" | "previous step" | "displacement arrows" | "limits" | "ground")
    };
    for (name, shown) in view.layers_mut() {
        if session.world.lab().is_some() && !is_of_chains(name) {
            continue;
        }
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        response.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, *shown, name));
        let painter = ui.painter();
        if response.hovered() || response.has_focus() {
            painter.rect_filled(rect.expand2(vec2(12.0, 0.0)), 0.0, theme.header);
        }
        layer_mark(painter, theme, name, rect.left_center() + vec2(6.0, 0.0), if *shown { 1.0 } else { 0.4 });
        let color = if *shown { theme.text[0] } else { theme.text[2] };
        let eye = if *shown { icon::EYE } else { icon::EYE_SLASH };
        let eye = painter.text(
            rect.right_center(),
            egui::Align2::RIGHT_CENTER,
            eye,
            FontId::proportional(14.0),
            theme.text[2],
        );
        let left = rect.left_center() + vec2(NAME_LEFT, 0.0);
        let shown_name = words::capital(name);
        let is_cut = name_before(painter, left, eye.left() - NAME_GAP, &shown_name, color);
        let help = text::LAYER_EYE_HELP;
        if response.help(help_of_name(is_cut, &shown_name, help)).clicked() {
            *shown = !*shown;
            clicked = true;
        }
    }
    if clicked {
        actions.push(Action::View(view));
    }
}

fn layer_mark(painter: &egui::Painter, theme: &Theme, name: &str, at: Pos2, alpha: f32) {
    let color = |color: Color32| fade(color, alpha);
    let bar = |color| {
        painter.line_segment([at - vec2(4.0, -4.0), at + vec2(4.0, -4.0)], Stroke::new(2.4, color));
    };
    let triangle = |color| {
        let points = vec![at + vec2(0.0, -4.5), at + vec2(5.0, 4.0), at + vec2(-5.0, 4.0)];
        painter.add(egui::Shape::convex_polygon(points, fade(color, 0.5), Stroke::new(1.2, color)));
    };
    match name {
        "bones" => bar(color(theme.left)),
        "nodes" => drop(painter.circle_filled(at, 4.5, color(theme.left))),
        "torso planes" => triangle(color(theme.body)),
        "limb planes" => triangle(color(theme.left)),
        "rigid constraints" => {
            painter.line_segment([at - vec2(5.0, 0.0), at + vec2(5.0, 0.0)], Stroke::new(2.2, color(theme.rigid)));
            for x in [-5.0, 5.0] {
                let cap = [at + vec2(x, -4.0), at + vec2(x, 4.0)];
                painter.line_segment(cap, Stroke::new(1.6, color(theme.rigid)));
            }
        }
        "push-only constraints" => {
            for side in [-1.0, 1.0] {
                let tip = at + vec2(5.5 * side, 0.0);
                let stroke = Stroke::new(1.6, color(theme.push_only));
                painter.line_segment([tip, tip + vec2(-3.5 * side, 3.5)], stroke);
                painter.line_segment([tip, tip + vec2(-3.5 * side, -3.5)], stroke);
            }
        }
        "bend directions" => painter.arrow(at - vec2(5.0, 0.0), vec2(10.0, 0.0), Stroke::new(1.6, color(theme.bend))),
        "default bends and normals" => {
            let from = at + vec2(-4.0, 4.0);
            painter.arrow(from, vec2(10.0, 0.0), Stroke::new(1.6, color(theme.bend)));
            painter.arrow(from, vec2(0.0, -10.0), Stroke::new(1.6, color(theme.left)));
        }
        "bend goals" => {
            let points = [vec2(0.0, -5.0), vec2(5.0, 0.0), vec2(0.0, 5.0), vec2(-5.0, 0.0)];
            let points = points.map(|corner| at + corner).to_vec();
            painter.add(egui::Shape::closed_line(points, Stroke::new(1.6, color(theme.bend))));
        }
        "targets" => drop(painter.circle_stroke(at, 4.5, Stroke::new(2.0, color(theme.target)))),
        "previous step" => drop(painter.circle_stroke(at, 4.0, Stroke::new(1.3, color(theme.previous)))),
        "displacement arrows" => {
            painter.arrow(at + vec2(-4.0, 4.0), vec2(8.0, -8.0), Stroke::new(1.6, color(theme.text[0])));
        }
        _ => triangle(color(theme.text[2])),
    }
}

fn clip(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let clips = &session.world.character.model.clips;
    let name = session.world.clip.clip().map_or(text::REST_POSE, |clip| clips[clip].name.as_str());
    let durations = clips.iter().map(|clip| format!("{}  {:.2} s", clip.name, clip.duration));
    let names: Vec<String> = std::iter::once(text::REST_POSE.to_owned()).chain(durations).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let now = (name, Some(session.world.clip.clip().map_or(0, |clip| clip + 1)));
    let list = choose_name(ui, "clip", now, ui.available_width(), &names);
    jump::land_on(&list.response, control::of_clips());
    if let Some(chosen) = list.inner {
        actions.push(Action::Clip(chosen.checked_sub(1)));
    }
    if session.world.clip.clip().is_none() {
        return;
    }
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::SPEED).color(theme.text[1]));
        let mut speed = session.world.clip.speed;
        let drag = Number::new(&mut speed).range(-4.0..=4.0).speed(0.01).decimals(2, 2).suffix(" ×");
        if ui.add(drag).help(text::SPEED_HELP).changed() {
            actions.push(Action::ClipSpeed(speed));
        }
    });
}
