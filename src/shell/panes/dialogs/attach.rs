use egui_macroquad::egui::{self, Align2, RichText};

use super::Dialogs;
use crate::session::answers::Answer;
use crate::session::{Action, Session};
use crate::shell::panes::dialogs::words as text;
use crate::tools::pose::session::PoseAction;
use crate::ui::theme::Theme;
use kinescope_ik::stack::Attached;

impl Dialogs {
    pub(super) fn attach_target(
        &mut self,
        ctx: &egui::Context,
        session: &Session,
        target: Attached,
        actions: &mut Vec<Action>,
    ) {
        let theme = Theme::of(session.look.view.light_theme);
        let title = text::attach_to(&session.world.target_name(target));
        let window = egui::Window::new(title).id(egui::Id::new("attach target")).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, [0.0, 90.0]).fixed_size([320.0, 380.0]).show(ctx, |ui| {
            self.search_field(ui, text::ATTACH_HINT, 320.0);
            let wanted = self.query.trim().to_lowercase();
            let mut found = session.world.anchors(target);
            found.retain(|(name, _)| name.to_lowercase().contains(&wanted));
            let enter = self.choose_by_keys(ui, found.len());
            if found.is_empty() {
                let text = text::no_bone_matches(&self.query.trim());
                ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
            }
            egui::ScrollArea::vertical().max_height(330.0).auto_shrink(false).show(ui, |ui| {
                for (index, (name, anchor)) in found.into_iter().enumerate() {
                    let chosen = index == self.chosen;
                    let row = ui.selectable_label(chosen, name);
                    if chosen && (enter || self.chosen > 0) {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() || (chosen && enter) {
                        actions.push(Action::Answer(Answer::CloseDialog));
                        actions.push(Action::Pose(PoseAction::Attach(target, Some(anchor))));
                    }
                }
            });
        });
    }
}
