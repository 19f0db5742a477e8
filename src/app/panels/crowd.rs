//! The crowd: how many, at which levels of detail, and what it takes.

use egui_macroquad::egui::{self, RichText, Ui, vec2};

use super::help::Help;
use super::motion::{Editor, labelled};
use super::widgets::parameter;
use crate::app::crowd::CrowdSection;
use crate::app::session::Action;
use crate::parameter::{Parameter, find};

pub fn show(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    const COUNT: &Parameter = find(CrowdSection::PARAMETERS, "count");
    let changed = parameter(ui, theme, COUNT, &mut editor.document.crowd);
    editor.note("how many there are", changed);
    let Some(crowd) = session.crowd.crowd() else { return };
    labelled(ui, theme, "looked into", |ui| match session.crowd.followed {
        None => {
            ui.label(RichText::new("click one to look into it").color(theme.text[2]));
        }
        Some(followed) => {
            ui.label(format!("number {}", followed + 1));
            if ui.button("back to its own way").help("The character leaves the crowd.").clicked() {
                actions.push(Action::FollowMember(None));
            }
        }
    });
    labelled(ui, theme, "detail", |ui| {
        let mut by_rules = !editor.document.crowd.all_detail;
        let help = "By the rules below; else everyone gets all, near or far.";
        if ui.checkbox(&mut by_rules, "by rules").help(help).clicked() {
            editor.document.crowd.all_detail = !by_rules;
            editor.note_single("detail of the crowd");
        }
    });
    let rules = editor.document.crowd.rules.clone();
    let mut counts = vec![0; rules.len() + 1];
    for member in crowd.members() {
        counts[member.rule().unwrap_or(rules.len()).min(rules.len())] += 1;
    }
    let row = |ui: &mut Ui, rule: Option<usize>, what: String, count: usize| {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), egui::Sense::hover());
        let painter = ui.painter();
        let dot = egui::pos2(rect.left() + 6.0, rect.center().y);
        painter.circle_filled(dot, 4.5, theme.level(rule));
        let (words, mono) = (egui::FontId::proportional(12.5), egui::FontId::monospace(11.5));
        let at = rect.left_center() + vec2(18.0, 0.0);
        painter.text(at, egui::Align2::LEFT_CENTER, what, words, theme.text[0]);
        painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, count.to_string(), mono, theme.text[1]);
    };
    if !editor.document.crowd.all_detail {
        for (index, rule) in rules.iter().enumerate() {
            let who = rule.movement.map_or(String::new(), |movement| format!("{}, ", movement.key()));
            let beyond = if rule.beyond > 0.0 { format!("beyond {:.0} m: ", rule.beyond) } else { "near: ".to_owned() };
            row(ui, Some(index), format!("{who}{beyond}{}", rule.label()), counts[index]);
        }
    }
    if counts[rules.len()] > 0 {
        row(ui, None, "all detail".to_owned(), counts[rules.len()]);
    }
    if let Some(taken) = session.crowd.frame_ms {
        let timings = crowd.timings;
        let parts = [
            ("clips and ways", timings.sample),
            ("grounding", timings.grounding),
            ("its casts", timings.casts),
            ("full body", timings.solve),
            ("blending", timings.blend),
        ];
        labelled(ui, theme, "a frame", |ui| {
            let help = "Milliseconds that a frame of the crowd takes, on all processors together.";
            ui.label(RichText::new(format!("{taken:.2} ms")).monospace()).help(help);
        });
        for (name, seconds) in parts {
            labelled(ui, theme, "", |ui| {
                ui.label(RichText::new(name).color(theme.text[1]));
                ui.label(RichText::new(format!("{:.2} ms", seconds * 1e3)).monospace());
            });
        }
    }
}
