//! The motion pane: ground, path, gait, pose layers and frame rate.

use kinescope_ik::stack::{Drive, GroundingSection, LayerId, Method};
use std::sync::Arc;

use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::Vec2;

use crate::session::document::Document;
use crate::session::{Action, Brush, Selection, Session, Tool};
use crate::tools::motion::session::MotionAction;
use crate::tools::motion::words as text;
use crate::tools::motion::{FRAME_RATES, MotionSection, Travel, path_around, scale_problem};
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, choose_name, parameter, parameter_help, section, segmented, slider_row};
use crate::ui::words::capital;
use kinescope_ik::animation::{Base, Binding, LayerInput, LayerKind, PoseLayer};
use kinescope_ik::parameter::{Field, Parameter, Parameters, Unit, find, find_field};
use kinescope_ik::terrain::{MOST_POINTS, Terrain};

/// The edited document, and what changed in this frame.
pub struct Editor<'a> {
    pub document: Document,
    pub changed: Option<(String, Option<u64>)>,
    pub theme: &'a Theme,
    pub session: &'a Session,
}

impl<'a> Editor<'a> {
    pub fn new(session: &'a Session, theme: &'a Theme) -> Self {
        Self { document: session.history.document().clone(), changed: None, theme, session }
    }

    pub fn note(&mut self, label: &str, changed: Option<Changed>) {
        if let Some(changed) = changed {
            self.changed = Some((label.to_owned(), changed.gesture));
        }
    }

    pub fn note_single(&mut self, label: &str) {
        self.changed = Some((label.to_owned(), None));
    }

    /// Returns the edit, and ends the gesture if the pointer was released.
    pub fn finish(self, actions: &mut Vec<Action>) {
        if let Some((label, gesture)) = self.changed {
            actions.push(Action::Edit { label, gesture, document: Box::new(self.document) });
        }
    }
}

/// Sets name and current value of a list for screen readers.
pub fn name_list(list: &egui::Response, name: &str, now: &str) {
    list.widget_info(|| egui::WidgetInfo {
        current_text_value: Some(now.to_owned()),
        ..egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, name)
    });
}

/// Shows a row with a label and widgets.
pub fn labelled(ui: &mut Ui, theme: &Theme, label: &str, body: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let (rect, _) = ui.allocate_exact_size(vec2(70.0, 20.0), egui::Sense::hover());
        let font = egui::FontId::proportional(12.5);
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, capital(label), font, theme.text[1]);
        body(ui);
    });
}

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let mut editor = Editor::new(session, theme);
        section(ui, theme, text::GROUND, text::GROUND_HINT, |ui| ground(ui, &mut editor, actions));
        section(ui, theme, text::PATH, text::PATH_HINT, |ui| way(ui, &mut editor, actions));
        section(ui, theme, text::GAIT, text::GAIT_HINT, |ui| gait(ui, &mut editor, actions));
        section(ui, theme, text::POSE_LAYERS, text::POSE_LAYERS_HINT, |ui| layers(ui, &mut editor));
        section(ui, theme, text::FRAME_RATE, text::FRAME_RATE_HINT, |ui| frame_rate(ui, &mut editor));
        editor.finish(actions);
    });
}

fn ground(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, text::TERRAIN, |ui| {
        let now = editor.document.terrain.clone();
        let is_preset = |make: fn() -> Terrain| now.as_ref().is_some_and(|terrain| **terrain == make());
        let presets = Terrain::presets();
        // Naming the preset builds every preset, so the name is cached per terrain.
        let known = egui::Id::new("name of the terrain");
        let key = now.as_ref().map_or(0, |terrain| Arc::as_ptr(terrain) as usize);
        let kept: Option<(usize, String)> = ui.data(|data| data.get_temp(known));
        let name = kept.filter(|(kept, _)| *kept == key).map(|(_, name)| name).unwrap_or_else(|| {
            let name = match &now {
                None => text::NONE.to_owned(),
                Some(terrain) => presets.iter().find(|(_, make)| is_preset(*make)).map_or_else(
                    || format!("sculpted, {} × {} points", terrain.columns, terrain.rows),
                    |(name, _)| (*name).to_owned(),
                ),
            };
            ui.data_mut(|data| data.insert_temp(known, (key, name.clone())));
            name
        });
        let list = egui::ComboBox::from_id_salt("terrain").selected_text(&name).width(190.0).show_ui(ui, |ui| {
            if ui.selectable_label(now.is_none(), "none").clicked() && now.is_some() {
                editor.document.terrain = None;
                editor.note_single("no terrain");
            }
            for (name, make) in presets {
                if ui.selectable_label(is_preset(make), name).clicked() {
                    editor.document.terrain = Some(Arc::new(make()));
                    editor.note_single(&format!("terrain {name}"));
                }
            }
        });
        name_list(&list.response, "terrain", &name);
    });
    if let Some(Err(error)) = &session.motion.surface {
        ui.label(RichText::new(format!("{} terrain: {error}", icon::WARNING)).color(theme.warning));
    }
    if let Some(terrain) = editor.document.terrain.clone() {
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
                let drag = Number::new(side).range(0.5..=1000.0).speed(0.05).decimals(1, 1).suffix(" m");
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
        editor.note("size of the terrain", resized);
        labelled(ui, theme, text::SCULPT, |ui| {
            let options =
                Tool::ALL.map(|tool| (Some(tool), tool.label(), format!("{} Click again to stop.", tool.help())));
            if let Some(tool) = segmented(ui, theme, session.hands.brush.tool, &options) {
                let tool = tool.filter(|_| tool != session.hands.brush.tool);
                actions.push(Action::Motion(MotionAction::Brush(Brush { tool, ..session.hands.brush })));
            }
        });
        if session.hands.brush.tool.is_some_and(|tool| tool != Tool::Point) {
            let mut brush = session.hands.brush;
            for info in Brush::PARAMETERS {
                let mut value = brush.number(info.key).unwrap_or(info.default);
                slider_row(ui, theme, &format!("brush {}", info.key), &mut value, info.range(), info);
                brush.set_number(info.key, value);
            }
            if brush != session.hands.brush {
                actions.push(Action::Motion(MotionAction::Brush(brush)));
            }
        }
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
            editor.note_single("how feet find the ground");
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
            editor.note_single("what grounding drives");
        }
        if ui.button(text::PARAMETERS).help(text::PARAMETERS_HELP).clicked() {
            actions.push(Action::Select(Selection::Layer(LayerId::Grounding)));
            actions.push(Action::Command(crate::session::commands::Command::ShowInspector));
        }
    });
    if let Some(problem) = scale_problem(&session.character) {
        ui.label(RichText::new(format!("{} {problem}", icon::WARNING)).color(theme.warning));
    }
    if editor.document.terrain.is_none() {
        let text = format!("{} There is no ground. Choose a terrain", icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning));
    } else if session.motion.legs().is_none() {
        let text = format!("{} No legs were found. Press D for the rig doctor", icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning));
    }
}

fn way(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
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
            editor.note_single("where the character goes");
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
            editor.note("where the character stands", moved);
        }
        Travel::Path => {
            let length = session.motion.path().map(|path| path.length());
            let speed = session.motion.speed(&session.clip) * session.clip.speed * session.motion.rate;
            labelled(ui, theme, text::PATH, |ui| {
                let text = match length {
                    Some(length) => format!(
                        "{} points, {length:.1} m, {:.1} m along, {speed:.2} m/s",
                        motion.path.len(),
                        session.motion.distance.rem_euclid(length)
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
                    edited = Some("whether the path is closed");
                }
                let button = |ui: &mut Ui, enabled: bool, text: &str, name: &'static str, help: &str| {
                    let button = ui.add_enabled(enabled, egui::Button::new(text)).help(help);
                    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, name));
                    button.clicked()
                };
                if button(ui, true, "add", "add a point", text::ADD_POINT_HELP) {
                    let (last, first) = (motion.path.last().copied(), motion.path.first().copied());
                    let (last, first) = (last.unwrap_or_default(), first.unwrap_or(Vec2::ONE));
                    motion.path.push((last + first) * 0.5 + (first - last).perp() * 0.1);
                    edited = Some("add a point to the path");
                }
                let removes = motion.path.len() > 2;
                if button(ui, removes, "remove", "remove the last point", text::REMOVE_POINT_HELP) {
                    motion.path.pop();
                    edited = Some("remove a point of the path");
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
        editor.note("lean with the slope", changed);
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

fn gait(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.character.model.clips;
    const FADE: &Parameter = find(MotionSection::PARAMETERS, "fade");
    let changed = parameter(ui, theme, FADE, &mut editor.document.motion);
    editor.note("how long clips fade", changed);
    labelled(ui, theme, text::FADE_TO, |ui| {
        if clips.is_empty() {
            ui.label(RichText::new(text::NO_CLIPS).color(theme.text[2]));
            return;
        }
        // With *clip by pace* the clip follows from the pace.
        let is_free = editor.document.motion.gaits.is_empty();
        ui.add_enabled_ui(is_free, |ui| {
            let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            let clip = session.clip.clip();
            let shown = (clip.map_or(text::REST_POSE, |clip| names[clip]), clip);
            let width = ui.available_width().min(260.0);
            actions.extend(choose_name(ui, "fade to", shown, width, &names).inner.map(|clip| Action::Clip(Some(clip))));
        });
    });
    let mut by_pace = !editor.document.motion.gaits.is_empty();
    let speeds: Vec<f32> = (0..clips.len()).map(|clip| session.motion.clip_speed(clip)).collect();
    labelled(ui, theme, "", |ui| {
        let help = text::CLIP_BY_PACE_HELP;
        if ui.add_enabled(clips.len() > 1, egui::Checkbox::new(&mut by_pace, text::CLIP_BY_PACE)).help(help).clicked() {
            let mut gaits: Vec<usize> = (0..clips.len()).filter(|&clip| speeds[clip] > -0.1).collect();
            gaits.sort_by(|&a, &b| speeds[a].total_cmp(&speeds[b]));
            // One standing clip is enough: the first.
            let stands = gaits.iter().position(|&clip| speeds[clip] > 0.1).unwrap_or(gaits.len());
            let first = gaits[..stands].iter().min().copied();
            let walks = gaits[stands..].to_vec();
            let names = first.into_iter().chain(walks).map(|clip| clips[clip].name.clone());
            editor.document.motion.gaits = if by_pace { names.collect() } else { Vec::new() };
            editor.note_single("clip by pace");
        }
    });
    if by_pace {
        let fastest = speeds.iter().copied().fold(1.0, f32::max) * 1.2;
        const PACE: &Parameter = find(MotionSection::PARAMETERS, "pace");
        let pace = &mut editor.document.motion.pace;
        let changed = slider_row(ui, theme, PACE.key, pace, PACE.min..=fastest.min(PACE.max), PACE);
        editor.note("pace", changed);
    }
    // Lists the shown clips with their weights; a fixed height, so that fades move nothing.
    const SHOWN: f32 = 62.0;
    let area = egui::ScrollArea::vertical().id_salt("clips shown").auto_shrink(false);
    area.max_height(SHOWN).min_scrolled_height(SHOWN).show(ui, |ui| shown_clips(ui, theme, session));
}

fn shown_clips(ui: &mut Ui, theme: &Theme, session: &Session) {
    let clips = &session.character.model.clips;
    for (clip, time, weight) in session.clip.crossfade.shown() {
        let Some(name) = clips.get(clip).map(|clip| clip.name.as_str()) else { continue };
        ui.horizontal(|ui| {
            ui.set_height(18.0);
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), egui::Sense::hover());
            let painter = ui.painter();
            let bar = egui::Rect::from_min_size(rect.min + vec2(70.0, 5.0), vec2(rect.width() - 190.0, 6.0));
            painter.rect_filled(bar, 3.0, theme.track);
            let filled = egui::Rect::from_min_size(bar.min, vec2(bar.width() * weight, bar.height()));
            painter.rect_filled(filled, 3.0, theme.fill);
            let (words, mono) = (egui::FontId::proportional(12.0), egui::FontId::monospace(11.5));
            painter.text(rect.left_center(), egui::Align2::LEFT_CENTER, name, words, theme.text[0]);
            let text = format!("{:.0} %  at {time:.2} s", weight * 100.0);
            painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, text, mono, theme.text[1]);
        });
    }
}

/// Shown when a pose layer is not limited to a bone.
const WHOLE_BODY: &str = "whole body";

fn layers(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.character.model.clips;
    let skeleton = &session.character.model.skeleton;
    let mut changed: Option<(&str, Option<u64>)> = None;
    let mut removed = None;
    for (index, layer) in editor.document.motion.layers.iter_mut().enumerate() {
        ui.push_id(("layer", index), |ui| {
            let (mut chosen, mut scaled) = (None, None);
            ui.horizontal(|ui| {
                ui.set_height(26.0);
                let mut on = !layer.off;
                let switch = ui.checkbox(&mut on, "").help("On or off.");
                let named = |name: &str| format!("{name} {}", index + 1);
                switch.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, named("layer")));
                if switch.changed() {
                    layer.off = !on;
                    changed = Some(("a pose layer on or off", None));
                }
                let kinds = [
                    (LayerKind::Blend, text::BLEND, text::BLEND_HELP.to_owned()),
                    (LayerKind::Additive, text::ADD, text::ADD_HELP.to_owned()),
                ];
                if let Some(kind) = segmented(ui, theme, layer.kind, &kinds) {
                    layer.kind = kind;
                    layer.weight = layer.weight_parameter().clamp(layer.weight);
                    changed = Some(("kind of a pose layer", None));
                }
                let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
                let now = (layer.clip.as_str(), names.iter().position(|name| *name == layer.clip));
                if let Some(clip) = choose_name(ui, &named("clip of layer"), now, 76.0, &names).inner {
                    names[clip].clone_into(&mut layer.clip);
                    changed = Some(("clip of a pose layer", None));
                }
                let bones = skeleton.bones().iter().map(|bone| bone.name.as_str());
                let names: Vec<&str> = std::iter::once(WHOLE_BODY).chain(bones).collect();
                let under = layer.under.as_deref().unwrap_or(WHOLE_BODY);
                let now = (under, names.iter().position(|name| *name == under));
                const UNDER: &Field = find_field(PoseLayer::FIELDS, "under");
                let list = choose_name(ui, &named("bones of layer"), now, 76.0, &names);
                list.response.setting(UNDER, UNDER.help);
                if let Some(bone) = list.inner {
                    layer.under = (bone > 0).then(|| names[bone].to_owned());
                    changed = Some(("bones of a pose layer", None));
                }
                let takes = ui.button(icon::TRASH).help(text::REMOVE_LAYER_HELP);
                takes.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, named("remove layer")));
                if takes.clicked() {
                    removed = Some(index);
                }
            });
            let info = layer.weight_parameter();
            let weight = slider_row(ui, theme, info.key, &mut layer.weight, info.range(), info);
            if let Some(weight) = weight {
                changed = Some(("weight of a pose layer", weight.gesture));
            }
            let name = format!("weight of layer {} by", index + 1);
            let ends = [info.min.max(-1.0), info.max.min(1.0)];
            let kind = ("weight by", name.as_str(), info.range(), info.unit, ends);
            if let Some(bound) = binding(ui, theme, &mut layer.weight_by, kind) {
                changed = Some(("what drives a pose layer's weight", bound.gesture));
            }
            let length = clips.iter().find(|clip| clip.name == layer.clip).map_or(0.0, |clip| clip.duration);
            let name = format!("time of layer {} by", index + 1);
            let kind = ("time by", name.as_str(), 0.0..=length, Unit::Seconds, [0.0, length]);
            if let Some(bound) = binding(ui, theme, &mut layer.time_by, kind) {
                changed = Some(("what drives a pose layer's time", bound.gesture));
            }
            if layer.kind == LayerKind::Additive
                && let Some(base) = base(ui, theme, &mut layer.base, length)
            {
                changed = Some(("base of a pose layer", base.gesture));
            }
            ui.horizontal(|ui| {
                ui.set_height(24.0);
                let mut runs = layer.time.is_none();
                if ui.checkbox(&mut runs, text::RUNS).help(text::RUNS_HELP).changed() {
                    layer.time = if runs { None } else { Some(length) };
                    changed = Some(("time of a pose layer", None));
                }
                if let Some(time) = &mut layer.time {
                    let drag = Number::new(time).range(0.0..=length).speed(0.01).decimals(2, 2).of(Unit::Seconds);
                    let response = ui.add(drag).help(text::MOMENT_HELP);
                    if response.changed() {
                        changed = Some(("time of a pose layer", Changed::of(&response).gesture));
                    }
                }
                ui.menu_button(text::MASK, |ui| {
                    egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                        for bone in skeleton.bones().iter().filter(|bone| !layer.mask.contains_key(&bone.name)) {
                            if ui.button(&bone.name).clicked() {
                                chosen = Some(bone.name.clone());
                                ui.close_menu();
                            }
                        }
                    });
                })
                .response
                .help(text::MASK_HELP);
                ui.menu_button(text::SCALE_BUTTON, |ui| {
                    egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                        for bone in skeleton.bones().iter().filter(|bone| !layer.scale.contains_key(&bone.name)) {
                            if ui.button(&bone.name).clicked() {
                                scaled = Some(bone.name.clone());
                                ui.close_menu();
                            }
                        }
                    });
                })
                .response
                .help(text::SCALE_HELP);
                if layer.under.is_some() {
                    const FEATHER: &Parameter = find(PoseLayer::PARAMETERS, "feather");
                    let drag = Number::new(&mut layer.feather).range(0..=FEATHER.usual_max as u32).speed(0.05);
                    let response = ui.add(drag.prefix("feather ")).help(parameter_help(FEATHER));
                    jump::land(&response, &FEATHER.field());
                    if response.changed() {
                        changed = Some(("feather of a pose layer", Changed::of(&response).gesture));
                    }
                }
            });
            if let Some(bone) = chosen {
                layer.mask.insert(bone, 0.0);
                changed = Some(("mask of a pose layer", None));
            }
            if let Some(bone) = scaled {
                layer.scale.insert(bone, PoseLayer::SCALE.default);
                changed = Some(("scale of a pose layer", None));
            }
            let mut unscaled = None;
            for (bone, scale) in &mut layer.scale {
                ui.horizontal(|ui| {
                    let width = ui.available_width() - 28.0;
                    let row = ui.allocate_ui(vec2(width, 24.0), |ui| {
                        const SCALE: &Parameter = PoseLayer::SCALE;
                        slider_row(ui, theme, &format!("scale of {bone}"), scale, SCALE.min..=SCALE.usual_max, SCALE)
                    });
                    if let Some(scale) = row.inner {
                        changed = Some(("scale of a pose layer", scale.gesture));
                    }
                    let takes = ui.button(icon::X).help(text::SCALE_RESET_HELP);
                    let name = format!("take {bone} out of the scales of layer {}", index + 1);
                    takes.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                    if takes.clicked() {
                        unscaled = Some(bone.clone());
                    }
                });
            }
            if let Some(bone) = unscaled {
                layer.scale.remove(&bone);
                changed = Some(("scale of a pose layer", None));
            }
            let mut unmasked = None;
            for (bone, weight) in &mut layer.mask {
                ui.horizontal(|ui| {
                    let width = ui.available_width() - 28.0;
                    let row = ui.allocate_ui(vec2(width, 24.0), |ui| {
                        slider_row(ui, theme, bone, weight, 0.0..=1.0, PoseLayer::MASK)
                    });
                    if let Some(weight) = row.inner {
                        changed = Some(("mask of a pose layer", weight.gesture));
                    }
                    let takes = ui.button(icon::X).help(text::MASK_RESET_HELP);
                    let name = format!("take {bone} out of the mask of layer {}", index + 1);
                    takes.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                    if takes.clicked() {
                        unmasked = Some(bone.clone());
                    }
                });
            }
            if let Some(bone) = unmasked {
                layer.mask.remove(&bone);
                changed = Some(("mask of a pose layer", None));
            }
        });
    }
    if let Some(index) = removed {
        editor.document.motion.layers.remove(index);
        changed = Some(("remove a pose layer", None));
    }
    let first = clips.first().map(|clip| clip.name.clone());
    let add = ui.add_enabled(first.is_some(), egui::Button::new(text::ADD_LAYER));
    if add.help(text::ADD_LAYER_HELP).clicked() {
        let clip = first.unwrap_or_default();
        editor.document.motion.layers.push(PoseLayer { clip, weight: 1.0, ..PoseLayer::default() });
        changed = Some(("add a pose layer", None));
    }
    if let Some((label, gesture)) = changed {
        editor.note(label, Some(Changed { gesture }));
    }
}

/// Chooses the pose that an additive clip is compared with.
fn base(ui: &mut Ui, theme: &Theme, base: &mut Base, length: f32) -> Option<Changed> {
    let mut changed = None;
    labelled(ui, theme, text::BASE, |ui| {
        const FIELD: &Field = find_field(PoseLayer::FIELDS, "base");
        let sources = jump::source_lines(FIELD.sources);
        let own = match *base {
            Base::Time(time) => Base::Time(time),
            Base::Rest => Base::Time(0.0),
        };
        let options = [
            (own, text::AT_TIME, text::base_time_help(&sources)),
            (Base::Rest, text::REST_POSE, text::base_rest_help(&sources)),
        ];
        let row = ui.scope(|ui| segmented(ui, theme, *base, &options));
        jump::land(&row.response, FIELD);
        if let Some(chosen) = row.inner {
            *base = chosen;
            changed = Some(Changed { gesture: None });
        }
        if let Base::Time(time) = base {
            let drag = Number::new(time).range(0.0..=length).speed(0.01).decimals(2, 2).of(Unit::Seconds);
            let response = ui.add(drag).help(text::BASE_TIME_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
        }
    });
    changed
}

/// Binds a number of a layer to an input, or to nothing. `kind` has label, accessible name, range and unit of the
/// number, and its first values at both ends of the input.
fn binding(
    ui: &mut Ui,
    theme: &Theme,
    binding: &mut Option<Binding>,
    kind: (&str, &str, std::ops::RangeInclusive<f32>, Unit, [f32; 2]),
) -> Option<Changed> {
    let (label, name, range, unit, [low, high]) = kind;
    let mut changed = None;
    const OPTIONS: [(Option<LayerInput>, &str); 3] =
        [(None, "nothing"), (Some(LayerInput::Pace), "pace"), (Some(LayerInput::Keys), "keys − and +")];
    labelled(ui, theme, label, |ui| {
        let now = binding.map(|binding| binding.input);
        let text = OPTIONS.iter().find(|(input, _)| *input == now).map_or("", |(_, text)| text);
        let list = egui::ComboBox::from_id_salt(label).selected_text(text).width(110.0).show_ui(ui, |ui| {
            for (input, text) in OPTIONS {
                if ui.selectable_label(input == now, text).clicked() && input != now {
                    *binding = input.map(|input| Binding::of(input, low, high));
                    changed = Some(Changed { gesture: None });
                }
            }
        });
        name_list(&list.response, name, text);
    });
    let Some(binding) = binding else { return changed };
    let input_unit = match binding.input {
        LayerInput::Pace => Unit::MetresPerSecond,
        LayerInput::Keys => Unit::Share,
    };
    let mut row = |ui: &mut Ui, text: &str, input: &mut f32, value: &mut f32| {
        labelled(ui, theme, text, |ui| {
            let drag = Number::new(input).range(Binding::INPUTS).speed(0.01).decimals(2, 2).of(input_unit);
            let response = ui.add(drag).help(text::INPUT_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
            ui.label(RichText::new(icon::ARROW_RIGHT).color(theme.text[2]));
            let drag = Number::new(value).range(range.clone()).speed(0.01).decimals(2, 2).of(unit);
            let response = ui.add(drag).help(text::OUTPUT_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
        });
    };
    let Binding { from, to, low, high, .. } = binding;
    row(ui, "  from", from, low);
    row(ui, "  to", to, high);
    changed
}

fn frame_rate(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    labelled(ui, theme, text::FRAMES, |ui| {
        let mut options = vec![(None, text::DISPLAY, text::DISPLAY_HELP.to_owned())];
        let names = ["30", "60", "144", "240"];
        for (rate, name) in FRAME_RATES.into_iter().zip(names) {
            let help = text::frames_help(&name);
            options.push((Some(rate), name, help));
        }
        const FIELD: &Field = find_field(MotionSection::FIELDS, "frame_rate");
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.motion.frame_rate, &options));
        jump::land(&row.response, FIELD);
        if let Some(rate) = row.inner {
            editor.document.motion.frame_rate = rate;
            editor.note_single("frame rate of motion");
        }
        ui.label(RichText::new("Hz").color(theme.text[2]));
    });
}
