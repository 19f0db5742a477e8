//! What of a clip is baked, before a file is chosen.

use egui_macroquad::egui::{self, Align2, RichText, Sense};

use crate::session::answers::Answer;
use crate::session::{Action, Session};
use crate::tools::export::session::BakeAction;
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::world::motion::clip_player::BakeRange;

/// What of the clip is baked, before a file is chosen.
pub(crate) fn bake_options(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let window = egui::Window::new("What to bake").collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        ui.set_width(400.0);
        let clip = session.world.clip.clip().and_then(|clip| session.world.character.model.clips.get(clip));
        let Some(clip) = clip else {
            ui.label("No clip plays: choose one in the outliner first.");
            ui.add_space(10.0);
            if ui.button("Close").clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
            return;
        };
        let (range, duration) = (session.bake_range(), clip.duration.max(1e-3));
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
        row(ui, "clip", &mut |ui| drop(ui.label(format!("{}, {:.2} s", clip.name, clip.duration))));
        row(ui, "from, to", &mut |ui| {
            for (value, help) in [
                (&mut new.from, "Seconds since clip and path began."),
                (&mut new.to, "Seconds since clip and path began. Beyond its end the clip begins again."),
            ] {
                let number = Number::new(value).range(0.0..=BakeRange::LONGEST).speed(0.01).decimals(2, 3).suffix(" s");
                ui.add(number).help(help);
            }
        });
        row(ui, "cycles", &mut |ui| {
            let mut cycles = (new.to - new.from) / duration;
            let number = Number::new(&mut cycles).range(0.0..=BakeRange::LONGEST / duration).speed(0.02).decimals(0, 2);
            if ui.add(number).help("How often the clip is played in the range.").changed() {
                new.to = new.from + cycles * duration;
            }
            let has_path = session.world.motion.path().is_some();
            let help = match has_path {
                true => "Sets the range to the time that the path takes: once around, or to its end.",
                false => "The character walks no path: choose one in Motion.",
            };
            if ui.add_enabled(has_path, egui::Button::new("whole path")).help(help).clicked() {
                actions.push(Action::Bake(BakeAction::WholePath));
            }
        });
        row(ui, "keys", &mut |ui| {
            let rate = Number::new(&mut new.rate).range(1.0..=240.0).speed(0.2).decimals(0, 2).suffix(" /s");
            ui.add(rate).help("Keys a second of the baked clip.");
            ui.label(RichText::new(format!("{:.0} keys in all", new.keys())).color(theme.text[2]));
        });
        row(ui, "root motion", &mut |ui| {
            let help = "On: the baked clip moves the character along its path. Off: it stays where the model stands, for an \
                        engine that moves it.";
            ui.checkbox(&mut new.root_motion, "").help(help);
        });
        if new != range {
            actions.push(Action::Bake(BakeAction::Range(new)));
        }
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let is_range = new.from < new.to;
            let choose = ui.add_enabled(is_range, egui::Button::new("Choose file…"));
            if choose.help(if is_range { "Then it is baked." } else { "The range has no length." }).clicked() {
                actions.push(Action::Bake(BakeAction::ChooseFile));
            }
            if ui.button("Cancel").help("Bakes nothing.").clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
        });
    });
}
