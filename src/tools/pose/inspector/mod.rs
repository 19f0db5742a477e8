mod effector;
mod gauge;
mod layer;
mod limb;
mod off_target;

use std::sync::Arc;

use egui_macroquad::egui::{self, RichText, Sense, Stroke, Ui, vec2};

use crate::session::pane::PaneInfo;
use crate::session::{Action, Selection, Session};
use crate::tools::learn::pane::lessons_section;
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::theme::{Theme, node_mark};
use crate::ui::widgets::{Changed, parameter, row_label, section, split};
use effector::{effector_section, title};
use gauge::reach_gauge;
use kinescope_ik::full_body::{Chain, Effector, EffectorSettings, Settings, SolverSettings};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Field, Parameters, find_field};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::Topic;
use kinescope_ik::stack::parameters::{Owner, ParameterId};
pub(crate) use layer::layer_settings;
use limb::chain_section;
use off_target::{DETAILS, details};

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 0, show).open();

/// Additional gap before the slider of the rotation weight, logical pixels. The knob of a slider extends beyond its track.
const BETWEEN_WEIGHTS: f32 = 8.0;

/// Shows controls above and details below. The length of the details changes with every frame and click, so they have a
/// separate area, in which they do not move the controls.
pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    let (mut edits, mut asks) = (Vec::new(), Vec::new());
    let upper = |ui: &mut Ui| {
        let mut area = egui::ScrollArea::vertical().auto_shrink(false);
        // After the selection of another limb, the same rows stay in view. Other contents begin at their title.
        let selection = session.interaction.selection;
        let kind = Some((std::mem::discriminant(&selection), selection.topic()));
        let shown = ui.data_mut(|data| {
            std::mem::replace(data.get_temp_mut_or_default(egui::Id::new("kind of contents of the inspector")), kind)
        });
        if shown.is_some() && shown != kind && !jump::is_pending(ui.ctx()) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(ui, |ui| controls(ui, theme, session, &mut edits));
    };
    split(ui, theme, DETAILS, upper, |ui| details(ui, theme, session, &mut asks));
    actions.append(&mut edits);
    actions.append(&mut asks);
}

fn controls(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    if session.chain_focus().is_some() {
        return crate::tools::chains::pane::show(ui, session, actions);
    }
    if session.interaction.selection.topic() == Some(Topic::Grounding) {
        return crate::tools::ground::pane::show(ui, session, actions);
    }
    if let Selection::Modifier(index, layer) = session.interaction.selection {
        return crate::tools::modifiers::pane::show(ui, session, (index, layer), actions);
    }
    let mut editor = Editor { settings: *session.world.settings(), changed: None, is_released: false, theme, session };
    title(ui, theme, session, actions);
    match session.interaction.selection {
        Selection::Layer(layer) if layer.has_own_section() => layer_settings(ui, theme, session, layer, actions),
        Selection::Layer(layer) if layer.index().is_some() => {}
        Selection::Nothing | Selection::Layer(_) => {
            section(ui, theme, text::EFFECTOR_WEIGHTS, text::WEIGHT_COLUMNS, |ui| weights(ui, &mut editor));
        }
        Selection::Effector(effector) => {
            effector_section(ui, &mut editor, effector, actions);
            if let Some(limb) = effector.node().limb() {
                // The chain comes before the gauge, because users edit pull, push and reach more often than they read the
                // gauge.
                chain_section(ui, &mut editor, limb);
                reach_gauge(ui, theme, session, limb, actions);
            } else {
                pin_section(ui, &mut editor);
            }
        }
        Selection::Chain(chain) => match chain.limb() {
            Some(limb) => {
                reach_gauge(ui, theme, session, limb, actions);
                chain_section(ui, &mut editor, limb);
            }
            None => pin_section(ui, &mut editor),
        },
        Selection::BendGoal(limb) => {
            reach_gauge(ui, theme, session, limb, actions);
            chain_section(ui, &mut editor, limb);
        }
        Selection::Modifier(..) => {}
    }
    solver_section(ui, &mut editor);
    section(ui, theme, text::WRITING, "", |ui| writing(ui, theme, session, actions));
    lessons_section(ui, theme, &paths_shown(session.interaction.selection), actions);
    let Editor { settings, changed, is_released, .. } = editor;
    if let Some((label, changed)) = changed {
        let mut document = Box::new(session.world.history.document().with_settings(settings));
        if is_released {
            for effector in session.selected_effectors().iter() {
                *Arc::make_mut(&mut document.stack.attachments).get_mut(effector) = None;
            }
        }
        actions.push(Action::Edit { label, gesture: changed.gesture, document });
    }
}

fn paths_shown(selection: Selection) -> Vec<String> {
    let limb = |limb: LimbName| Some(Owner::Chain(limb.into()));
    let (effector, chain) = match selection {
        Selection::Effector(effector) => {
            (Some(Owner::Effector(effector)), effector.node().limb().map_or(Some(Owner::Chain(Chain::Body)), limb))
        }
        Selection::Chain(chain) => (None, Some(Owner::Chain(chain))),
        Selection::BendGoal(own) => (None, limb(own)),
        Selection::Nothing | Selection::Layer(_) | Selection::Modifier(..) => (None, None),
    };
    let owners = [effector, chain, Some(Owner::Solver)];
    let is_shown = |id: &ParameterId| owners.contains(&Some(id.owner));
    ParameterId::all(&Settings::default()).filter(is_shown).map(ParameterId::path).collect()
}

struct Editor<'a> {
    settings: Settings,
    changed: Option<(String, Changed)>,
    /// Whether the user released the selected effectors. A release also detaches them.
    is_released: bool,
    theme: &'a Theme,
    session: &'a Session,
}

impl Editor<'_> {
    fn note(&mut self, what: &str, changed: Option<Changed>) {
        if let Some(changed) = changed {
            self.changed = Some((what.to_owned(), changed));
        }
    }

    fn note_single(&mut self, what: &str) {
        self.note(what, Some(Changed { gesture: None }));
    }
}

fn pin_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, text::CHAIN_BODY, "", |ui| {
        for info in Settings::PARAMETERS {
            let changed = parameter(ui, theme, info, &mut editor.settings);
            editor.note(&text::edit_body(&label(info.key)), changed);
        }
    });
}

fn solver_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, text::SOLVER, "", |ui| {
        for info in SolverSettings::PARAMETERS {
            let changed = parameter(ui, theme, info, &mut editor.settings.solver);
            editor.note(&label(info.key), changed);
            if info.key == "iterations" {
                let mut pass = editor.settings.solver.fabrik_pass;
                ui.horizontal(|ui| {
                    ui.set_height(22.0);
                    row_label(ui, theme, text::FABRIK_PASS);
                    let help = text::FABRIK_PASS_HELP;
                    const FIELD: &Field = find_field(SolverSettings::FIELDS, "fabrik_pass");
                    if ui.checkbox(&mut pass, "").setting(FIELD, help).changed() {
                        editor.settings.solver.fabrik_pass = pass;
                        editor.note_single(text::FABRIK_PASS);
                    }
                });
            }
        }
    });
}

fn writing(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        row_label(ui, theme, text::ROTATIONS_ONLY);
        let mut on = session.world.stack().order.rotations_only;
        let help = text::ROTATIONS_ONLY_HELP;
        if ui.checkbox(&mut on, "").help(help).changed() {
            let document = session.world.history.document();
            let mut stack = document.stack.clone();
            stack.order.rotations_only = on;
            let document = Box::new(document.with_stack(stack));
            actions.push(Action::Edit { label: text::ROTATIONS_ONLY.to_owned(), gesture: None, document });
        }
    });
}

fn weights(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    for effector in Effector::ALL {
        ui.horizontal(|ui| {
            ui.set_height(20.0);
            let width = ui.available_width();
            let name_width = (width * 0.36).clamp(102.0, 150.0);
            let (rect, _) = ui.allocate_exact_size(vec2(name_width, 20.0), Sense::hover());
            ui.painter().add(node_mark(theme, effector.node(), rect.left_center() + vec2(5.0, 0.0), 4.0, Stroke::NONE));
            ui.painter().text(
                rect.left_center() + vec2(18.0, 0.0),
                egui::Align2::LEFT_CENTER,
                label(effector.key()),
                egui::FontId::proportional(12.5),
                theme.text[1],
            );

            ui.spacing_mut().slider_width = ((width - name_width - 94.0 - BETWEEN_WEIGHTS) / 2.0).clamp(14.0, 160.0);
            ui.spacing_mut().item_spacing.x = 4.0;
            // Only hands and feet have a rotation weight.
            for (index, info) in
                EffectorSettings::PARAMETERS[..if effector.limb().is_some() { 2 } else { 1 }].iter().enumerate()
            {
                if index > 0 {
                    ui.add_space(BETWEEN_WEIGHTS);
                }
                let mut value = editor.settings.effector(effector).number(info.key).unwrap_or(info.default);
                let name = text::weight_name(&label(effector.key()), &label(info.key));
                let response = crate::ui::widgets::slider(ui, theme, &name, &mut value, info.range(), info);
                let response = response.help(text::weight_help(&info.help, &name, &value));
                if response.changed() {
                    editor.settings.effector_mut(effector).set_number(info.key, value);
                    editor.note(&name, Some(Changed::of(&response)));
                }
                ui.label(RichText::new(format!("{value:.2}")).monospace());
            }
        });
    }
}
