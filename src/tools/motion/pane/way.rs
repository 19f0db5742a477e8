//! How the character travels, in the Motion pane: in place, with the clip, or along a path.

use egui_macroquad::egui::{self, RichText, Ui};
use glam::Vec2;

use super::{Editor, labelled};
use crate::session::Action;
use crate::tools::motion::session::MotionAction;
use crate::tools::motion::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::number::Number;
use crate::ui::widgets::{Changed, parameter, segmented};
use crate::world::motion::{MotionSection, Travel, path_around};
use kinescope_ik::parameter::{Field, Parameter, Unit, find, find_field};

pub(super) fn way(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, text::GOES, |ui| {
        let options = [
            (Travel::InPlace, text::IN_PLACE, text::IN_PLACE_HELP.to_owned()),
            (Travel::Clip, text::AS_CLIP, text::AS_CLIP_HELP.to_owned()),
            (Travel::Path, text::ALONG_PATH, text::ALONG_PATH_HELP.to_owned()),
        ];
        const FIELD: &Field = find_field(MotionSection::FIELDS, "travel");
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.motion.travel, &options));
        jump::land(&row.response, FIELD);
        if let Some(travel) = row.inner {
            let motion = &mut editor.document.motion;
            motion.travel = travel;
            if travel == Travel::Path && motion.path.len() < 2 {
                motion.path = path_around(editor.document.terrain.as_deref());
            }
            editor.note_single(text::EDIT_TRAVEL);
        }
    });
    let motion = &mut editor.document.motion;
    match motion.travel {
        Travel::InPlace | Travel::Clip => {
            let mut moved = None;
            labelled(ui, theme, text::STANDS_AT, |ui| {
                for (axis, name) in [(0, "x "), (1, "z ")] {
                    let drag = Number::new(&mut motion.start[axis]).prefix(name).speed(0.01).decimals(2, 2);
                    let farthest = kinescope_ik::terrain::FARTHEST;
                    let response = ui.add(drag.range(-farthest..=farthest).of(Unit::Metres));
                    jump::land(&response, const { find_field(MotionSection::FIELDS, "start") });
                    if response.changed() {
                        moved = Some(Changed::of(&response));
                    }
                }
            });
            editor.note(text::EDIT_START, moved);
        }
        Travel::Path => {
            let length = session.world.motion.path().map(|path| path.length());
            let speed =
                session.world.motion.speed(&session.world.clip) * session.world.clip.speed * session.world.motion.rate;
            labelled(ui, theme, text::PATH, |ui| {
                let text = match length {
                    Some(length) => text::path_text(
                        &motion.path.len(),
                        &length,
                        &session.world.motion.distance.rem_euclid(length),
                        &speed,
                    ),
                    None => text::NEEDS_TWO_POINTS.to_owned(),
                };
                ui.label(RichText::new(text).color(theme.text[2]));
            });
            let mut edited = None;
            labelled(ui, theme, text::POINTS, |ui| {
                const FIELD: &Field = find_field(MotionSection::FIELDS, "closed");
                let closed = ui.checkbox(&mut motion.closed, text::CLOSED);
                if closed.setting(FIELD, text::CLOSED_HELP).clicked() {
                    edited = Some(text::EDIT_CLOSED);
                }
                let button = |ui: &mut Ui, enabled: bool, text: &str, name: &'static str, help: &str| {
                    let button = ui.add_enabled(enabled, egui::Button::new(text)).help(help);
                    button.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, name));
                    button.clicked()
                };
                if button(ui, true, text::ADD_POINT, text::NAME_ADD_POINT, text::ADD_POINT_HELP) {
                    let (last, first) = (motion.path.last().copied(), motion.path.first().copied());
                    let (last, first) = (last.unwrap_or_default(), first.unwrap_or(Vec2::ONE));
                    motion.path.push((last + first) * 0.5 + (first - last).perp() * 0.1);
                    edited = Some(text::EDIT_ADD_POINT);
                }
                let removes = motion.path.len() > 2;
                if button(ui, removes, text::REMOVE_POINT, text::NAME_REMOVE_POINT, text::REMOVE_POINT_HELP) {
                    motion.path.pop();
                    edited = Some(text::EDIT_REMOVE_POINT);
                }
            });
            if let Some(label) = edited {
                editor.note_single(label);
            }
            labelled(ui, theme, "", |ui| {
                ui.label(RichText::new(text::DRAG_POINTS).color(theme.text[2]));
            });
        }
    }
    const LEAN: &Parameter = find(MotionSection::PARAMETERS, "lean");
    if editor.document.terrain.is_some() {
        let changed = parameter(ui, theme, LEAN, &mut editor.document.motion);
        editor.note(text::EDIT_LEAN, changed);
    }
    labelled(ui, theme, "", |ui| {
        let mut follows = session.look.follows;
        if ui.checkbox(&mut follows, text::CAMERA_FOLLOWS).help(text::CAMERA_FOLLOWS_HELP).changed() {
            actions.push(Action::Motion(MotionAction::Follow(follows)));
        }
        if ui.button(text::FROM_START).help(text::FROM_START_HELP).clicked() {
            actions.push(Action::Motion(MotionAction::Restart));
        }
    });
}
