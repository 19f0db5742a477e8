use std::sync::Arc;

use egui_macroquad::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

use super::{Editor, labelled, name_list};
use crate::session::{Action, Brush, Selection, Tool};
use crate::tools::motion::session::MotionAction;
use crate::tools::motion::words as text;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::number::Number;
use crate::ui::widgets::{Changed, segmented, slider_row};
use crate::world::motion::scale_problem;
use kinescope_ik::parameter::{Field, Parameters, find_field};
use kinescope_ik::stack::{Drive, GroundingSection, LayerId, Method};
use kinescope_ik::terrain::{MOST_POINTS, Terrain};

pub(super) fn ground(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    terrain(ui, editor);
    if let Some(Err(error)) = &session.world.motion.surface {
        ui.label(RichText::new(text::terrain_error(&icon::WARNING, &error)).color(theme.warning));
    }
    if let Some(terrain) = editor.document.terrain.clone() {
        sculpt(ui, editor, &terrain, actions);
    }
    let method = editor.document.stack.grounding.method;
    labelled(ui, theme, text::FEET, |ui| {
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "method");
        let options = [
            (Method::Off, text::OFF, text::OFF_HELP.to_owned()),
            (Method::FootIk, text::FOOT_IK, text::FOOT_IK_HELP.to_owned()),
            (Method::Predictive, text::PREDICTIVE, text::PREDICTIVE_HELP.to_owned()),
            (Method::Path, text::PREDICTIVE_PATH, text::PREDICTIVE_PATH_HELP.to_owned()),
        ];
        let row = ui.scope(|ui| segmented(ui, theme, method, &options));
        jump::land(&row.response, FIELD);
        if let Some(method) = row.inner {
            editor.document.stack.grounding.method = method;
            editor.note_single(text::EDIT_METHOD);
            if method != Method::Off {
                actions.push(Action::Select(Selection::Layer(LayerId::Grounding)));
            }
        }
    });
    if method == Method::Off {
        return;
    }
    labelled(ui, theme, text::DRIVES, |ui| {
        let options = [
            (Drive::FullBody, text::FULL_BODY, text::FULL_BODY_HELP.to_owned()),
            (Drive::Limbs, text::FOUR_LIMBS, text::FOUR_LIMBS_HELP.to_owned()),
        ];
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "drive");
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.stack.grounding.drive, &options));
        jump::land(&row.response, FIELD);
        if let Some(drive) = row.inner {
            editor.document.stack.grounding.drive = drive;
            editor.note_single(text::EDIT_DRIVE);
        }
        if ui.button(text::PARAMETERS).help(text::PARAMETERS_HELP).clicked() {
            actions.push(Action::Select(Selection::Layer(LayerId::Grounding)));
            actions.push(Action::Command(crate::session::commands::Command::ShowInspector));
        }
    });
    if let Some(problem) = scale_problem(&session.world.character) {
        ui.label(RichText::new(text::warning(&icon::WARNING, &problem)).color(theme.warning));
    }
    if editor.document.terrain.is_none() {
        let text = text::no_ground(&icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning));
    } else if session.world.motion.legs().is_none() {
        let text = text::no_legs(&icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning));
    }
}

pub(super) fn terrain(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    labelled(ui, theme, text::TERRAIN, |ui| {
        let now = editor.document.terrain.clone();
        let is_preset = |make: fn() -> Terrain| now.as_ref().is_some_and(|terrain| **terrain == make());
        let presets = Terrain::presets();
        // Finding the name builds every terrain preset, so the name is cached by terrain.
        let known = egui::Id::new("name of the terrain");
        let key = now.as_ref().map_or(0, |terrain| Arc::as_ptr(terrain) as usize);
        let kept: Option<(usize, String)> = ui.data(|data| data.get_temp(known));
        let name = kept.filter(|(kept, _)| *kept == key).map(|(_, name)| name).unwrap_or_else(|| {
            let name = match &now {
                None => text::NONE.to_owned(),
                Some(terrain) => presets
                    .iter()
                    .find(|(_, make)| is_preset(*make))
                    .map_or_else(|| text::sculpted(&terrain.columns, &terrain.rows), |(name, _)| (*name).to_owned()),
            };
            ui.data_mut(|data| data.insert_temp(known, (key, name.clone())));
            name
        });
        let list = egui::ComboBox::from_id_salt("terrain").selected_text(&name).width(190.0).show_ui(ui, |ui| {
            if ui.selectable_label(now.is_none(), text::NONE).clicked() && now.is_some() {
                editor.document.terrain = None;
                editor.note_single(text::EDIT_NO_TERRAIN);
            }
            for (name, make) in presets {
                if ui.selectable_label(is_preset(make), name).clicked() {
                    editor.document.terrain = Some(Arc::new(make()));
                    editor.note_single(&text::edit_terrain(&name));
                }
            }
        });
        name_list(&list.response, "terrain", &name);
    });
}

fn sculpt(ui: &mut Ui, editor: &mut Editor, terrain: &Terrain, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let mut resized = None;
    labelled(ui, theme, text::SIZE, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut size = terrain.size;
        let mut points = [terrain.columns, terrain.rows];
        let mut note = |response: egui::Response| {
            if response.changed() {
                resized = Some(Changed::of(&response));
            }
        };
        for side in [&mut size.x, &mut size.y] {
            let drag = Number::new(side).range(0.5..=1000.0).speed(0.05).decimals(1, 1).suffix(text::METRES_SUFFIX);
            note(ui.add(drag).help(text::SIZE_HELP));
        }
        for count in &mut points {
            let drag = Number::new(count).range(2..=MOST_POINTS).speed(0.3);
            note(ui.add(drag).help(text::POINTS_HELP));
        }
        ui.label(RichText::new(text::POINTS).color(theme.text[2]));
        if resized.is_some() {
            editor.document.terrain = Some(Arc::new(terrain.resized(terrain.center, size, points[0], points[1])));
        }
    });
    editor.note(text::EDIT_SIZE, resized);
    labelled(ui, theme, text::SCULPT, |ui| {
        let options = Tool::ALL.map(|tool| (Some(tool), tool.label(), text::tool_help(&tool.help())));
        if let Some(tool) = segmented(ui, theme, session.interaction.brush.tool, &options) {
            let tool = tool.filter(|_| tool != session.interaction.brush.tool);
            actions.push(Action::Motion(MotionAction::Brush(Brush { tool, ..session.interaction.brush })));
        }
    });
    if session.interaction.brush.tool.is_some_and(|tool| tool != Tool::Point) {
        let mut brush = session.interaction.brush;
        for info in Brush::PARAMETERS {
            let mut value = brush.number(info.key).unwrap_or(info.default);
            slider_row(ui, theme, &text::name_brush(&info.key), &mut value, info.range(), info);
            brush.set_number(info.key, value);
        }
        if brush != session.interaction.brush {
            actions.push(Action::Motion(MotionAction::Brush(brush)));
        }
    }
}
