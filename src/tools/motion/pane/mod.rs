mod ground;
mod layers;
mod way;

use egui_macroquad::egui::{self, RichText, Ui, vec2};

use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::system::order::sort_by;
use crate::tools::motion::words as text;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, choose_name, parameter, section, segmented, slider_row};
use crate::ui::words::capital;
use crate::world::document::Document;
use crate::world::motion::{FRAME_RATES, MotionSection};
use ground::ground;
use kinescope_ik::parameter::{Field, Parameter, find, find_field};
use layers::layers;
use way::way;

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 2, show);

pub(crate) struct Editor<'a> {
    pub(crate) document: Document,
    pub(crate) changed: Option<(String, Option<u64>)>,
    pub(crate) theme: &'a Theme,
    pub(crate) session: &'a Session,
}

impl<'a> Editor<'a> {
    pub(crate) fn new(session: &'a Session, theme: &'a Theme) -> Self {
        Self { document: session.world.history.document().clone(), changed: None, theme, session }
    }

    pub(crate) fn note(&mut self, label: &str, changed: Option<Changed>) {
        if let Some(changed) = changed {
            self.changed = Some((label.to_owned(), changed.gesture));
        }
    }

    pub(crate) fn note_single(&mut self, label: &str) {
        self.changed = Some((label.to_owned(), None));
    }

    pub(crate) fn finish(self, actions: &mut Vec<Action>) {
        if let Some((label, gesture)) = self.changed {
            actions.push(Action::Edit { label, gesture, document: Box::new(self.document) });
        }
    }
}

pub(crate) fn name_list(list: &egui::Response, name: &str, now: &str) {
    list.describe(&|| egui::WidgetInfo {
        current_text_value: Some(now.to_owned()),
        ..egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, name)
    });
}

pub(crate) fn labelled(ui: &mut Ui, theme: &Theme, label: &str, body: impl FnOnce(&mut Ui)) {
    boxed_labelled(ui, theme, label, Box::new(body));
}

/// Compiled once, instead of once for each body.
fn boxed_labelled(ui: &mut Ui, theme: &Theme, label: &str, body: Box<dyn FnOnce(&mut Ui) + '_>) {
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let (rect, _) = ui.allocate_exact_size(vec2(70.0, 20.0), egui::Sense::hover());
        let font = egui::FontId::proportional(12.5);
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, capital(label), font, theme.text[1]);
        body(ui);
    });
}

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
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

fn gait(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.world.character.model.clips;
    const FADE: &Parameter = find(MotionSection::PARAMETERS, "fade");
    let changed = parameter(ui, theme, FADE, &mut editor.document.motion);
    editor.note(text::EDIT_FADE, changed);
    labelled(ui, theme, text::FADE_TO, |ui| {
        if clips.is_empty() {
            ui.label(RichText::new(text::NO_CLIPS).color(theme.text[2]));
            return;
        }
        // With *Clip by pace* on, the pace chooses the clip instead of the user.
        let is_free = editor.document.motion.gaits.is_empty();
        ui.add_enabled_ui(is_free, |ui| {
            let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            let clip = session.world.clip.clip();
            let shown = (clip.map_or(text::REST_POSE, |clip| names[clip]), clip);
            let width = ui.available_width().min(260.0);
            actions.extend(
                choose_name(ui, text::NAME_FADE_TO, shown, width, &names).inner.map(|clip| Action::Clip(Some(clip))),
            );
        });
    });
    let mut by_pace = !editor.document.motion.gaits.is_empty();
    let speeds: Vec<f32> = (0..clips.len()).map(|clip| session.world.motion.clip_speed(clip)).collect();
    labelled(ui, theme, "", |ui| {
        let help = text::CLIP_BY_PACE_HELP;
        if ui.add_enabled(clips.len() > 1, egui::Checkbox::new(&mut by_pace, text::CLIP_BY_PACE)).help(help).clicked() {
            let mut gaits: Vec<usize> = (0..clips.len()).filter(|&clip| speeds[clip] > -0.1).collect();
            sort_by(&mut gaits, |&a, &b| speeds[a].total_cmp(&speeds[b]));
            // Only the first of several standing clips is used.
            let stands = gaits.iter().position(|&clip| speeds[clip] > 0.1).unwrap_or(gaits.len());
            let first = gaits[..stands].iter().min().copied();
            let walks = gaits[stands..].to_vec();
            let names = first.into_iter().chain(walks).map(|clip| clips[clip].name.clone());
            editor.document.motion.gaits = if by_pace { names.collect() } else { Vec::new() };
            editor.note_single(text::EDIT_CLIP_BY_PACE);
        }
    });
    if by_pace {
        let fastest = speeds.iter().copied().fold(1.0, f32::max) * 1.2;
        const PACE: &Parameter = find(MotionSection::PARAMETERS, "pace");
        let pace = &mut editor.document.motion.pace;
        let changed = slider_row(ui, theme, PACE.key, pace, PACE.min..=fastest.min(PACE.max), PACE);
        editor.note(text::EDIT_PACE, changed);
    }
    // The height of the list is fixed, so that fades do not move the rows below.
    const SHOWN: f32 = 62.0;
    let area = egui::ScrollArea::vertical().id_salt("clips shown").auto_shrink(false);
    area.max_height(SHOWN).min_scrolled_height(SHOWN).show(ui, |ui| shown_clips(ui, theme, session));
}

fn shown_clips(ui: &mut Ui, theme: &Theme, session: &Session) {
    let clips = &session.world.character.model.clips;
    for (clip, time, weight) in session.world.clip.crossfade.shown() {
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
            let text = text::clip_weight(&(weight * 100.0), &time);
            painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, text, mono, theme.text[1]);
        });
    }
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
            editor.note_single(text::EDIT_FRAME_RATE);
        }
        ui.label(RichText::new(text::HERTZ).color(theme.text[2]));
    });
}
