use egui_macroquad::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use glam::Vec3;

use super::Editor;
use crate::tools::pose::handles::{self, HandleId};
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::widgets::{Changed, no_vector, parameter, row_label, section, vector};
use crate::ui::words::capital;
use crate::world::motion::scale_problem;
use kinescope_ik::full_body::{ChainSettings, Smoothing};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Field, find_field};
use kinescope_ik::rig::LimbName;

pub(super) fn chain_section(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let chain_label = |what: &str| text::edit_limb(&limb.label(), &what);
    section(ui, theme, &text::chain_section(&limb.label()), "", |ui| {
        for info in ChainSettings::PARAMETERS {
            let changed = parameter(ui, theme, info, editor.settings.chain_mut(limb));
            editor.note(&chain_label(&label(info.key)), changed);
            if info.key == "push_parent" {
                smoothing(ui, editor, limb, "push_smoothing", |chain| &mut chain.push_smoothing);
            }
            if info.key == "reach" {
                smoothing(ui, editor, limb, "reach_smoothing", |chain| &mut chain.reach_smoothing);
                scale_free_reach(ui, editor, limb);
            }
            if info.key == "bend_weight" {
                bend(ui, editor, limb);
            }
        }
    });
}

fn scale_free_reach(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let chain = editor.settings.chain_mut(limb);
    let help = text::SAME_IN_EVERY_UNIT_HELP;
    let mut on = chain.scale_free_reach;
    const FIELD: &Field = find_field(ChainSettings::FIELDS, "scale_free_reach");
    let is_changed = ui.checkbox(&mut on, text::SAME_IN_EVERY_UNIT).setting(FIELD, help).changed();
    chain.scale_free_reach = on;
    let is_default = chain.reach == ChainSettings::default().reach;
    if is_changed {
        editor.note(&text::edit_scale_free(&limb.label()), Some(Changed { gesture: None }));
    }
    let problem = scale_problem(&editor.session.world.character).filter(|_| !on && !is_default);
    if problem.is_some() {
        let text = text::reach_depends_on_unit(&icon::WARNING);
        ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
    }
}

fn smoothing(
    ui: &mut Ui,
    editor: &mut Editor,
    limb: LimbName,
    key: &str,
    field: impl Fn(&mut kinescope_ik::full_body::ChainSettings) -> &mut Smoothing,
) {
    let theme = editor.theme;
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        let what = label(key);
        row_label(ui, theme, &what);
        let mut chosen = *field(editor.settings.chain_mut(limb));
        let combo = egui::ComboBox::from_id_salt((key, limb))
            .selected_text(capital(chosen.key()))
            .width(ui.available_width().clamp(60.0, 112.0));
        let response = combo.show_ui(ui, |ui| {
            for option in Smoothing::ALL {
                ui.selectable_value(&mut chosen, option, capital(option.key()));
            }
        });
        let help = text::SMOOTHING_HELP;
        if let Some(field) = ChainSettings::FIELDS.iter().find(|field| field.key == key) {
            response.response.setting(field, help);
        }
        if chosen != *field(editor.settings.chain_mut(limb)) {
            *field(editor.settings.chain_mut(limb)) = chosen;
            editor.note_single(&text::edit_limb(&limb.label(), &what));
        }
    });
}

pub(super) fn bend(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let height = editor.session.world.character.height;
    let suggested = editor.session.state().map(|state| {
        kinescope_ik::full_body::draw::suggested_bend_goal(
            &editor.session.world.body_frame(),
            &state,
            limb,
            height * 0.14,
        )
    });
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        const GOAL: &Field = find_field(ChainSettings::FIELDS, "bend_goal");
        const DIRECTION: &Field = find_field(ChainSettings::FIELDS, "bend_direction");
        let text = ui.label(RichText::new(text::BEND_TO).color(theme.text[1]));
        let sources = [GOAL.sources, DIRECTION.sources].concat();
        let help = text::bend_to_help(&jump::source_lines(&sources));
        let text = text.help(RichText::new(help));
        jump::land(&text, GOAL);
        jump::land(&text, DIRECTION);
        let chain = *editor.settings.chain(limb);
        let current = (chain.bend_goal.is_some(), chain.bend_direction.is_some());
        let mut chosen = if current.0 { 1 } else { usize::from(current.1) * 2 };
        let before = chosen;
        for (index, name, help) in [
            (0, text::BEND_NOTHING, text::BEND_NOTHING_HELP),
            (1, text::BEND_GOAL_CHOICE, text::BEND_GOAL_HELP),
            (2, text::BEND_DIRECTION, text::BEND_DIRECTION_HELP),
        ] {
            ui.selectable_value(&mut chosen, index, name).help(help);
        }
        if chosen != before {
            let chain = editor.settings.chain_mut(limb);
            (chain.bend_goal, chain.bend_direction) = match chosen {
                0 => (None, None),
                1 => (suggested, None),
                _ => (None, Some(Vec3::Z)),
            };
            if chosen > 0 && chain.bend_weight == 0.0 {
                chain.bend_weight = 1.0;
            }
            editor.note_single(&text::edit_bend(&limb.label()));
        }
    });
    let chain = editor.settings.chain_mut(limb);
    let (slot, name, unit) = match (&mut chain.bend_goal, &mut chain.bend_direction) {
        (Some(goal), _) => (goal, text::NAME_GOAL, editor.session.world.character.model_unit()),
        (None, Some(direction)) => (direction, text::NAME_DIRECTION, ""),
        // The space of the row stays empty, so that the controls below do not move.
        (None, None) => return no_vector(ui),
    };
    let mut value = slot.to_array();
    let changed = vector(ui, theme, name, &mut value, unit, height * 0.002);
    if changed.is_none() || value == slot.to_array() {
        return;
    }
    *slot = Vec3::from_array(value);
    match chain.bend_goal {
        Some(goal) => {
            let handle = HandleId::BendGoal(limb);
            handles::place(&mut editor.settings, handle, goal);
            editor.note(&text::edit_move(&handle.name()), changed);
        }
        None => editor.note(&text::edit_bend_value(&limb.label(), &name), changed),
    }
}
