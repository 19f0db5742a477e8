use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{self, Align2, FontId, Key, Modifiers, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::answers::Answer;
use crate::session::{Action, Session};
use crate::tools::doctor::shown::ShownRig;
use crate::tools::doctor::words as text;
use crate::tools::doctor::{Doctor, SURE, UNEVEN, assign, choose_character, count_unsure, is_unsure, node_of, pairs};
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade, node_mark, semibold};
use crate::ui::widgets::{number_row, section, segmented};
use crate::ui::words::{capital, counted};
use crate::world::document::Document;
use kinescope_ik::key::label;
use kinescope_ik::rig::detect::{MappedBones, ReferenceChoice, RoleFinding};
use kinescope_ik::rig::{LengthUnit, Role};

const WIDTH: f32 = 620.0;
const ROW: f32 = 24.0;
/// Height of a role's row, logical pixels: two lines of the reason at the larger font size, or three at the smaller. It is
/// fixed, so that rows stay in place when a reason changes.
const ROLE_ROW: f32 = 34.0;
/// Font sizes of reasons in logical pixels, each with the largest number of lines in that size.
const REASON_FONTS: [(f32, usize); 2] = [(11.5, 2), (9.5, 3)];
/// Width of a role's row from which the confidence is also shown as a bar, logical pixels.
const WITH_BAR: f32 = 590.0;
/// Height of the text about the rig's state, logical pixels. A longer text scrolls.
const STATE: f32 = 38.0;
/// Height of the list of doubts, logical pixels. A longer list scrolls.
const TO_LOOK_AT: f32 = 84.0;

pub(crate) fn show(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let width = WIDTH.min(ctx.screen_rect().width() * 0.55);
    let frame = egui::Frame::new().fill(theme.panel);
    let panel = egui::SidePanel::right("doctor").exact_width(width).resizable(false).frame(frame);
    panel.show(ctx, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        let rig = ShownRig::of(session);
        let mut document = session.world.history.document().clone();
        let mut doctor = Doctor { hovered: None, ..session.window.doctor };
        title(ui, theme, session, &rig, actions);
        choose_rig(ui, theme, session, &mut doctor);
        let mut hovered_bone = None;
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let is_editable = rig.is_editable(session);
            ui.add_enabled_ui(is_editable, |ui| characters(ui, theme, &rig, &mut document));
            let mut list = List {
                rig: &rig,
                is_editable,
                theme,
                document: &mut document,
                doctor: &mut doctor,
                hovered: &mut hovered_bone,
                jump: None,
            };
            let count = count_unsure(rig.detection);
            let hint = if count == 0 { String::new() } else { counted(count, "item") };
            section(ui, theme, text::TO_CHECK, &hint, |ui| {
                let area = egui::ScrollArea::vertical().id_salt("to look at").auto_shrink(false);
                area.max_height(TO_LOOK_AT).min_scrolled_height(TO_LOOK_AT).show(ui, |ui| list.doubts(ui));
            });
            let roles = &rig.detection.roles;
            let hint = if session.is_finding_roles() { text::FINDING_ROLES } else { text::ROLES_COLUMNS };
            section(ui, theme, text::ROLES, hint, |ui| {
                roles.iter().for_each(|finding| list.role(ui, finding));
            });
            if rig.motion.is_none() {
                ui.add_enabled_ui(is_editable, |ui| reference(ui, theme, session, &mut document));
                sides(ui, theme, session);
                unit(ui, theme, session, actions);
            }
            let notes = &rig.model.notes;
            if !notes.is_empty() {
                section(ui, theme, text::OF_THE_FILE, &counted(notes.len(), "note"), |ui| {
                    notes.iter().for_each(|note| sentence(ui, theme, note, false));
                });
            }
        });
        // While the pointer is on the picture, the picture sets the highlight. A hovered bone counts even outside the panel,
        // because the list of bones may extend beyond the panel.
        if hovered_bone.is_some() || ui.ui_contains_pointer() {
            doctor.bone = hovered_bone;
        }
        if doctor != session.window.doctor {
            actions.push(Action::Doctor(doctor));
        }
        if document != *session.world.history.document() && rig.is_editable(session) {
            let label = if rig.motion.is_some() { text::EDIT_MOTION_RIG } else { text::EDIT_RIG };
            actions.push(Action::Edit { label: label.to_owned(), gesture: None, document: Box::new(document) });
        }
    });
}

fn choose_rig(ui: &mut Ui, theme: &Theme, session: &Session, doctor: &mut Doctor) {
    let Some(motion) = &session.world.character.motion else { return };
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.add_space(12.0);
        let options = [
            (false, text::OF_CHARACTER, text::OF_CHARACTER_HELP.to_owned()),
            (true, text::OF_MOTION, text::of_motion_help(&motion.source.name())),
        ];
        if let Some(shows_motion) = segmented(ui, theme, doctor.shows_motion, &options) {
            doctor.shows_motion = shows_motion;
        }
    });
    ui.add_space(6.0);
}

fn characters(ui: &mut Ui, theme: &Theme, rig: &ShownRig, document: &mut Document) {
    let found = &rig.detection.characters;
    if found.is_empty() {
        return;
    }
    section(ui, theme, text::CHARACTERS, text::CHARACTERS_HINT, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(12.0);
            for &character in found {
                let Some(root) = rig.model.skeleton.bones().get(character.root) else { continue };
                let help = match (character.is_used, rig.motion) {
                    (true, _) => text::CHARACTER_USED,
                    (false, None) => text::CHOOSE_CHARACTER,
                    (false, Some(_)) => text::CHOOSE_MOTION_CHARACTER,
                };
                let button = ui.selectable_label(character.is_used, &root.name).help(help);
                if button.clicked() && !character.is_used {
                    choose_character(document, rig, character);
                }
            }
        });
        ui.add_space(4.0);
    });
}

fn title(ui: &mut Ui, theme: &Theme, session: &Session, rig: &ShownRig, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_height(34.0);
        ui.add_space(12.0);
        ui.label(RichText::new(text::RIG_DOCTOR).size(14.0).family(semibold()));
        let name = egui::Label::new(RichText::new(&rig.model.name).color(theme.text[1])).truncate();
        let room = vec2((ui.available_width() - 60.0).max(40.0), 20.0);
        ui.allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(name));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(10.0);
            let close = ui.add(egui::Button::new(RichText::new(icon::X).size(13.0)).frame(false));
            close.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::NAME_CLOSE));
            if close.help(text::CLOSE_HELP).clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
        });
    });
    let (is_good, text) = state(session, rig);
    // The height is fixed, so that the table below does not move.
    let area = egui::ScrollArea::vertical().id_salt("state of the rig").auto_shrink(false);
    area.max_height(STATE).min_scrolled_height(STATE).show(ui, |ui| sentence(ui, theme, &text, !is_good));
    ui.add_space(4.0);
}

fn state(session: &Session, rig: &ShownRig) -> (bool, String) {
    let character = &session.world.character;
    let items = counted(count_unsure(rig.detection), "item");
    let is_sure = count_unsure(rig.detection) == 0;
    match (rig.motion, &character.rig.full_body, session.window.doctor.role) {
        (None, Err(error), _) => (false, error.clone()),
        (None, Ok(_), _) if character.is_of_bones() => (true, text::GIVEN_ROLES.to_owned()),
        (_, _, Some(role)) => {
            let what = if role == Role::Spine { text::CLICK_SPINE } else { text::CLICK_ROLE };
            (true, text::click_what(&label(role.key()), &what))
        }
        (Some(motion), _, None) => match motion.problem() {
            Some(problem) => (false, text::no_motion(&problem)),
            None if is_sure => (true, text::NO_MOTION_DOUBT.to_owned()),
            None => (false, text::motion_to_check(&items)),
        },
        (None, Ok(_), None) if is_sure => (true, text::NO_DOUBT.to_owned()),
        (None, Ok(_), None) => (false, text::biped_to_check(&items)),
    }
}

fn sentence(ui: &mut Ui, theme: &Theme, text: &str, is_warning: bool) {
    ui.horizontal_top(|ui| {
        ui.add_space(12.0);
        if is_warning {
            ui.label(RichText::new(icon::WARNING).color(theme.warning));
        }
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[if is_warning { 0 } else { 1 }])).wrap());
    });
    ui.add_space(3.0);
}

struct List<'a> {
    rig: &'a ShownRig<'a>,
    /// Whether the roles can be changed.
    is_editable: bool,
    theme: &'a Theme,
    document: &'a mut Document,
    doctor: &'a mut Doctor,
    hovered: &'a mut Option<usize>,
    jump: Option<Role>,
}

impl List<'_> {
    fn doubts(&mut self, ui: &mut Ui) {
        let theme = self.theme;
        let detection = self.rig.detection;
        let unsure: Vec<&RoleFinding> = detection.roles.iter().filter(|finding| is_unsure(finding)).collect();
        for problem in &detection.problems {
            sentence(ui, theme, problem, true);
        }
        for finding in &unsure {
            let name = label(finding.role.key());
            let text = text::doubt(&icon::WARNING, &name, &(finding.confidence * 100.0), &finding.reason);
            let button = egui::Button::new(RichText::new(text).color(theme.text[0])).frame(false).wrap();
            let response = ui.add(button);
            response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_go_to(&name)));
            if response.help(text::GO_TO_ROW_HELP).clicked() {
                self.doctor.role = Some(finding.role);
                self.jump = Some(finding.role);
            }
        }
        if unsure.is_empty() && detection.problems.is_empty() {
            ui.label(RichText::new(text::NOTHING_IN_DOUBT).color(theme.text[2]));
        }
    }

    fn role(&mut self, ui: &mut Ui, finding: &RoleFinding) {
        let theme = self.theme;
        let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROLE_ROW), Sense::click());
        if self.jump == Some(finding.role) {
            ui.scroll_to_rect(row, Some(egui::Align::Center));
        }
        let whole = row.expand2(vec2(12.0, 0.0));
        let is_chosen = self.doctor.role == Some(finding.role);
        let name = label(finding.role.key());
        response.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_chosen, &name));
        let painter = ui.painter().clone();
        if is_chosen {
            painter.rect_filled(whole, 0.0, theme.selected_row);
            painter.rect_filled(Rect::from_min_size(whole.min, vec2(3.0, whole.height())), 0.0, theme.accent);
        } else if ui.rect_contains_pointer(row) || response.has_focus() {
            painter.rect_filled(whole, 0.0, theme.header);
        }
        if ui.rect_contains_pointer(row) {
            self.doctor.hovered = Some(finding.role);
        }
        if response.clicked() {
            self.doctor.role = if is_chosen { None } else { Some(finding.role) };
        }
        let (bone_left, bone_width) = (row.left() + 134.0, (row.width() * 0.27).clamp(96.0, 190.0));
        let sure_left = bone_left + bone_width + 10.0;
        let bar_width = if row.width() < WITH_BAR { 0.0 } else { 46.0 };
        let why_left = sure_left + 46.0 + bar_width;
        let center = row.center().y;
        painter.add(node_mark(theme, node_of(finding.role), Pos2::new(row.left() + 6.0, center), 4.5, Stroke::NONE));
        let text = |x: f32, text: &str, font: FontId, color| {
            painter.text(Pos2::new(x, center), Align2::LEFT_CENTER, text, font, color);
        };
        text(row.left() + 20.0, &name, FontId::proportional(12.5), theme.text[0]);
        let unsure = is_unsure(finding);
        if bar_width > 0.0 {
            let bar = Rect::from_min_size(Pos2::new(sure_left, center - 2.0), vec2(40.0, 4.0));
            painter.rect_filled(bar, 2.0, theme.track);
            let filled = Rect::from_min_size(bar.min, vec2(40.0 * finding.confidence.clamp(0.0, 1.0), 4.0));
            painter.rect_filled(filled, 2.0, if unsure { theme.warning } else { theme.fill });
        }
        let percent = format!("{:.0} %", finding.confidence * 100.0);
        let color = if unsure { theme.warning } else { theme.text[1] };
        text(sure_left + bar_width, &percent, FontId::monospace(11.0), color);
        let room = (row.right() - why_left).max(0.0);
        let reason = |(size, rows): (f32, usize)| {
            let font = FontId::proportional(size);
            let mut job = LayoutJob::simple(finding.reason.clone(), font, theme.text[1], room);
            job.wrap.max_rows = rows;
            painter.layout_job(job)
        };
        let [normal, small] = REASON_FONTS;
        let galley = Some(reason(normal)).filter(|galley| !galley.elided).unwrap_or_else(|| reason(small));
        painter.galley(Pos2::new(why_left, center - galley.size().y / 2.0), galley, theme.text[1]);
        response.help(text::confidence_help(
            &name,
            &percent,
            &finding.reason,
            &(if finding.confidence < SURE { text::CHECK_IT } else { "" }),
        ));
        let cell = Rect::from_min_max(
            Pos2::new(bone_left, center - 0.5 * ROW + 2.0),
            Pos2::new(bone_left + bone_width, center + 0.5 * ROW - 2.0),
        );
        // This is a child, because a scope would put the next row below the cell.
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(cell).id_salt(finding.role));
        self.bones(&mut ui, finding, bone_width);
    }

    fn bones(&mut self, ui: &mut Ui, finding: &RoleFinding, width: f32) {
        let bones = self.rig.model.skeleton.bones();
        let names: Vec<&str> = finding.bones.iter().map(|&bone| bones[bone].name.as_str()).collect();
        let text = if names.is_empty() { text::NONE.to_owned() } else { names.join(", ") };
        if !self.is_editable {
            let label = egui::Label::new(RichText::new(&text).size(12.0)).truncate();
            ui.add_sized(vec2(width, 20.0), label).help(text::GIVEN_ROLES);
            return;
        }
        let button = egui::Button::new(RichText::new(&text).size(12.0)).truncate().min_size(vec2(width, 20.0));
        let response = ui.add_sized(vec2(width, 20.0), button);
        response.describe(&|| {
            let name = text::name_bone(&label(finding.role.key()));
            egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, name)
        });
        let popup = egui::Id::new(("bones of a role", finding.role));
        if response.clicked() {
            ui.memory_mut(|memory| memory.toggle_popup(popup));
            ui.data_mut(|data| data.insert_temp(popup, String::new()));
        }
        let behavior = egui::PopupCloseBehavior::CloseOnClickOutside;
        egui::popup_below_widget(ui, popup, &response, behavior, |ui| {
            ui.set_min_width(width.max(230.0));
            self.choose(ui, finding, popup);
        });
        response.help(text::bones_help(&text));
    }

    fn choose(&mut self, ui: &mut Ui, finding: &RoleFinding, popup: egui::Id) {
        let role = finding.role;
        let bones = self.rig.model.skeleton.bones();
        let mut filter: String = ui.data(|data| data.get_temp(popup)).unwrap_or_default();
        let field =
            egui::TextEdit::singleline(&mut filter).hint_text(text::NAME_OF_A_BONE).desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, text::NAME_FILTER));
        if !ui.memory(|memory| memory.focused().is_some_and(|id| id != field.id)) {
            field.request_focus();
        }
        let wanted = filter.to_lowercase();
        ui.data_mut(|data| data.insert_temp(popup, filter));
        let mut done = false;
        ui.horizontal(|ui| {
            if ui.button(text::DETECT).help(text::DETECT_HELP).clicked() {
                self.rig.chosen(self.document).remove(&role);
                done = true;
            }
            if role.is_optional() && ui.button(text::NO_BONE).help(text::NO_BONE_HELP).clicked() {
                self.rig.chosen(self.document).insert(role, MappedBones::default());
                done = true;
            }
        });
        let found: Vec<usize> =
            (0..bones.len()).filter(|&bone| bones[bone].name.to_lowercase().contains(&wanted)).collect();
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
            && let Some(&first) = found.first()
        {
            assign(self.document, self.rig, role, first);
            done = true;
        }
        egui::ScrollArea::vertical().max_height(280.0).auto_shrink([false, true]).show_rows(
            ui,
            20.0,
            found.len(),
            |ui, rows| {
                for &bone in &found[rows] {
                    let is_own = finding.bones.contains(&bone);
                    let mut response = ui.selectable_label(is_own, &bones[bone].name);
                    if response.hovered() {
                        *self.hovered = Some(bone);
                    }
                    if response.clicked() {
                        assign(self.document, self.rig, role, bone);
                        // The spine has several bones, so its list stays open.
                        done = role != Role::Spine;
                        response.mark_changed();
                    }
                }
            },
        );
        if done {
            ui.memory_mut(egui::Memory::close_popup);
        }
    }
}

fn sides(ui: &mut Ui, theme: &Theme, session: &Session) {
    let pairs = pairs(&session.world.character);
    if pairs.is_empty() {
        return;
    }
    section(ui, theme, text::LEFT_AND_RIGHT, text::SIDES_COLUMNS, |ui| {
        for pair in &pairs {
            let [left, right] = pair.lengths.map(|length| session.world.character.length(length));
            let is_uneven = pair.difference() > UNEVEN;
            let apart = format!("{:.1} %", pair.difference() * 100.0);
            let response = number_row(ui, theme, None, pair.name, &[left, right, apart], is_uneven.then_some(2));
            if is_uneven {
                let back = response.rect.expand2(vec2(12.0, 0.0));
                ui.painter().rect_filled(back, 0.0, fade(theme.warning, 0.12));
            }
        }
    });
}

fn unit(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let model = &session.world.character.model;
    let Some(unit) = model.unit else { return };
    section(ui, theme, text::UNIT, "", |ui| {
        ui.horizontal(|ui| {
            ui.set_height(ROW);
            ui.add_space(12.0);
            ui.label(RichText::new(text::LENGTHS).color(theme.text[1]));
            let mut chosen = unit;
            let combo =
                egui::ComboBox::from_id_salt("unit of the file").selected_text(capital(unit.name())).width(190.0);
            let response = combo.show_ui(ui, |ui| {
                for unit in LengthUnit::ALL {
                    ui.selectable_value(&mut chosen, unit, capital(unit.name()));
                }
            });
            response.response.help(text::UNIT_HELP);
            if chosen != unit {
                actions.push(Action::ReadInUnit(chosen));
            }
        });
        let read = model.notes.iter().find(|note| note.starts_with("height "));
        if let Some(note) = read {
            sentence(ui, theme, &format!("{}.", capital(note)), false);
        }
    });
}

fn reference(ui: &mut Ui, theme: &Theme, session: &Session, document: &mut Document) {
    let detection = &session.world.character.detection;
    section(ui, theme, text::REFERENCE, "", |ui| {
        ui.horizontal(|ui| {
            ui.set_height(ROW);
            ui.label(RichText::new(text::REFERENCE_POSE).color(theme.text[1]));
            for (choice, name, help) in [
                (ReferenceChoice::Auto, text::AUTO, text::AUTO_HELP),
                (ReferenceChoice::Rest, text::REST, text::REST_HELP),
                (ReferenceChoice::Bind, text::BIND, text::BIND_HELP),
            ] {
                ui.selectable_value(&mut document.reference, choice, name).help(help);
            }
        });
        let used = format!("{:?}", detection.reference_kind).to_lowercase();
        sentence(ui, theme, &text::pose_used(&used, &detection.reference_reason.trim_end_matches('.')), false);
        let Some(biped) = &detection.biped else { return };
        let bones = session.world.character.model.skeleton.bones();
        ui.horizontal(|ui| {
            ui.set_height(ROW);
            ui.label(RichText::new(text::ROOT_NODE).color(theme.text[1]));
            let combo =
                egui::ComboBox::from_id_salt("root node").selected_text(&bones[biped.root_node].name).width(190.0);
            let response = combo.show_ui(ui, |ui| {
                ui.selectable_value(&mut document.mapping.root_node, None, text::DETECT_ROOT);
                for &bone in std::iter::once(&biped.pelvis).chain(&biped.spine) {
                    let name = &bones[bone].name;
                    ui.selectable_value(&mut document.mapping.root_node, Some(name.clone()), name);
                }
            });
            response.response.help(text::ROOT_NODE_HELP);
        });
        sentence(ui, theme, &format!("{}.", capital(detection.root_node_reason.trim_end_matches('.'))), false);
    });
}
