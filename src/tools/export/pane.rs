use egui_macroquad::egui::{self, Align2, RichText, Sense};

use crate::session::answers::Answer;
use crate::session::{Action, Session};
use crate::tools::export::session::BakeAction;
use crate::tools::export::words as text;
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::world::motion::clip_player::BakeRange;

pub(crate) fn bake_options(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let window = egui::Window::new(text::WHAT_TO_BAKE).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        ui.set_width(400.0);
        let clip = session.world.clip.clip().and_then(|clip| session.world.character.model.clips.get(clip));
        let Some(clip) = clip else {
            ui.label(text::NO_CLIP);
            ui.add_space(10.0);
            if ui.button(text::CLOSE).clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
            return;
        };
        let (range, duration) = (session.world.bake_range(), clip.duration.max(1e-3));
        let mut new = range;
        let row = |ui: &mut egui::Ui, name: &str, body: &mut dyn FnMut(&mut egui::Ui)| {
            ui.horizontal(|ui| {
                ui.set_height(26.0);
                let (rect, _) = ui.allocate_exact_size(egui::vec2(96.0, 20.0), Sense::hover());
                let font = egui::FontId::proportional(12.5);
                ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, name, font, theme.text[1]);
                body(ui);
            });
        };
        row(ui, text::CLIP, &mut |ui| drop(ui.label(text::clip_and_duration(&clip.name, &clip.duration))));
        row(ui, text::FROM_TO, &mut |ui| {
            for (value, help) in [(&mut new.from, text::FROM_HELP), (&mut new.to, text::TO_HELP)] {
                let number = Number::new(value)
                    .range(0.0..=BakeRange::LONGEST)
                    .speed(0.01)
                    .decimals(2, 3)
                    .suffix(text::SECONDS_SUFFIX);
                ui.add(number).help(help);
            }
        });
        row(ui, text::CYCLES, &mut |ui| {
            let mut cycles = (new.to - new.from) / duration;
            let number = Number::new(&mut cycles).range(0.0..=BakeRange::LONGEST / duration).speed(0.02).decimals(0, 2);
            if ui.add(number).help(text::CYCLES_HELP).changed() {
                new.to = new.from + cycles * duration;
            }
            let has_path = session.world.motion.path().is_some();
            let help = match has_path {
                true => text::WHOLE_PATH_HELP,
                false => text::NO_PATH_HELP,
            };
            if ui.add_enabled(has_path, egui::Button::new(text::WHOLE_PATH)).help(help).clicked() {
                actions.push(Action::Bake(BakeAction::WholePath));
            }
        });
        row(ui, text::KEYS, &mut |ui| {
            let rate =
                Number::new(&mut new.rate).range(1.0..=240.0).speed(0.2).decimals(0, 2).suffix(text::RATE_SUFFIX);
            ui.add(rate).help(text::RATE_HELP);
            ui.label(RichText::new(text::keys_in_all(&new.keys())).color(theme.text[2]));
        });
        row(ui, text::ROOT_MOTION, &mut |ui| {
            let help = text::ROOT_MOTION_HELP;
            ui.checkbox(&mut new.root_motion, "").help(help);
        });
        if new != range {
            actions.push(Action::Bake(BakeAction::Range(new)));
        }
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let is_range = new.from < new.to;
            let choose = ui.add_enabled(is_range, egui::Button::new(text::CHOOSE_FILE));
            if choose.help(if is_range { text::CHOOSE_FILE_HELP } else { text::NO_RANGE_HELP }).clicked() {
                actions.push(Action::Bake(BakeAction::ChooseFile));
            }
            if ui.button(text::CANCEL).help(text::CANCEL_HELP).clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
        });
    });
}
