//! The reach gauge: a bar that shows how far a limb is stretched, from bent to straight.

use egui_macroquad::egui::{self, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::{Action, Session};
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::section;
use crate::ui::words;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;

pub(super) fn reach_gauge(ui: &mut Ui, theme: &Theme, session: &Session, limb: LimbName, actions: &mut Vec<Action>) {
    let frame = session.world.body_frame();
    let read = frame.limb(limb);
    if read.length <= 0.0 {
        return;
    }
    // The span is measured between bones, because the nodes may be farther apart than the limb is long.
    let Some(bones) = session.world.character.detection.biped.as_ref().map(|biped| biped.limb(limb).bones) else {
        return;
    };
    let [first, _, last] = bones.map(|bone| session.world.picture.pose.position(bone));
    let span = first.distance(last);
    let target = frame.effector(Effector::END[limb.index()]);
    let to_target = first.distance(target.position);
    let length = |length: f32| session.world.character.length(length);
    let hint = text::span_of(&length(span), &length(read.length));
    section(ui, theme, text::REACH_GAUGE, &hint, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::hover());
        let bar = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(rect.width(), 13.0));
        // The gauge ends at 120 % of the straight limb, so that targets out of reach are visible.
        let x_of = |length: f32| bar.left() + (length / read.length / 1.2).clamp(0.0, 1.0) * bar.width();
        let painter = ui.painter();
        painter.rect_filled(bar, 2.0, theme.widget);
        let filled = Rect::from_min_max(bar.min, Pos2::new(x_of(span), bar.bottom()));
        painter.rect_filled(filled, 2.0, theme.limb(limb));
        let soft = read.length * (1.0 - read.reach_force);
        let mut x = x_of(soft);
        while x < x_of(read.length) - 1.0 {
            let line = [Pos2::new(x, bar.bottom()), Pos2::new((x + 5.0).min(x_of(read.length)), bar.top())];
            painter.line_segment(line, Stroke::new(1.5, theme.panel));
            x += 4.0;
        }
        painter.vline(x_of(read.length), bar.y_range(), Stroke::new(2.0, theme.text[0]));
        if target.position_weight > 0.0 {
            let at = Pos2::new(x_of(to_target), bar.center().y);
            painter.circle_stroke(at, 5.0, Stroke::new(2.0, theme.target));
        }
        let small = egui::FontId::proportional(11.0);
        let y = rect.bottom() - 5.0;
        let text =
            |x, align, text: &str, color: Color32| painter.text(Pos2::new(x, y), align, text, small.clone(), color);
        text(rect.left(), egui::Align2::LEFT_CENTER, text::BENT, theme.text[2]);
        text(x_of(read.length).min(rect.right() - 96.0), egui::Align2::RIGHT_CENTER, text::STRAIGHT, theme.text[2]);
        if target.position_weight > 0.0 {
            let why = session.world.why_of(Effector::END[limb.index()]);
            let distance = why.and_then(|why| words::target_distance(&why, &session.world.character));
            let at = text::target_at(&distance.unwrap_or_else(|| length(to_target)));
            text(rect.right(), egui::Align2::RIGHT_CENTER, &at, theme.text[1]);
        }
        response.help(text::REACH_GAUGE_HELP);
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            let help = text::REACHABLE_VOLUME_HELP;
            let is_idle = session.tools.debugger.reach.job.is_none();
            if ui.add_enabled(is_idle, egui::Button::new(text::REACHABLE_VOLUME)).help(help).clicked() {
                actions.push(Action::ReachOf(limb));
            }
            match &session.tools.debugger.reach.job {
                Some(job) => {
                    command_button(ui, Command::CancelJobs, true, actions);
                    let width = ui.available_width().clamp(30.0, 120.0);
                    ui.add(egui::ProgressBar::new(job.progress()).desired_width(width).show_percentage());
                }
                None => {
                    if session.tools.debugger.reach.volume.is_some() {
                        command_button(ui, Command::ForgetVolume, true, actions);
                        if let Some(why) = session.reach_is_stale() {
                            ui.label(
                                RichText::new(format!("{} {}", icon::WARNING, text::OUT_OF_DATE_MARK))
                                    .color(theme.warning),
                            )
                            .help(text::out_of_date_help(&why));
                        }
                    }
                }
            }
        });
    });
}
