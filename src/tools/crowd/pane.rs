use egui_macroquad::egui::{self, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::tools::crowd::session::CrowdAction;
use crate::tools::crowd::words as text;
use crate::tools::ground::words::QUALITY_HELP;
use crate::tools::motion::pane::{Editor, labelled};
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, choose_name, number_row, parameter, parameter_help, section, segmented, time};
use crate::ui::words::capital;
use crate::world::crowd::CrowdSection;
use kinescope_ik::crowd::{DETAIL_RULES, Movement, Rule, Threads};
use kinescope_ik::grounding::Quality;
use kinescope_ik::parameter::{Parameter, find};
use kinescope_ik::timing::Work;

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 3, show);

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let mut editor = Editor::new(session, theme);
        section(ui, theme, text::MEMBERS, text::MEMBERS_HINT, |ui| members(ui, &mut editor, actions));
        if session.tools.crowd.is_there() {
            section(ui, theme, text::DETAIL, text::DETAIL_HINT, |ui| detail(ui, &mut editor, actions));
        }
        if session.tools.crowd.frame_time.is_some() {
            section(ui, theme, text::TIME, text::TIME_HINT, |ui| costs(ui, session, actions));
        }
        editor.finish(actions);
    });
}

fn members(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    const COUNT: &Parameter = find(CrowdSection::PARAMETERS, "count");
    let changed = parameter(ui, theme, COUNT, &mut editor.document.crowd);
    editor.note(text::EDIT_COUNT, changed);
    if !session.tools.crowd.is_there() {
        if editor.document.crowd.count > 0 && session.world.motion.legs().is_none() {
            let text = text::no_legs(&icon::WARNING);
            ui.label(RichText::new(text).color(theme.warning));
        }
        return;
    }
    labelled(ui, theme, text::THREADS, |ui| {
        let options = [
            (Threads::Auto, text::AUTO, text::AUTO_HELP.to_owned()),
            (Threads::Serial, text::SERIAL, text::SERIAL_HELP.to_owned()),
            (Threads::Parallel, text::PARALLEL, text::PARALLEL_HELP.to_owned()),
        ];
        if let Some(threads) = segmented(ui, theme, editor.document.crowd.threads, &options) {
            editor.document.crowd.threads = threads;
            editor.note_single(text::EDIT_THREADS);
        }
    });
    labelled(ui, theme, text::INSPECTED, |ui| match session.tools.crowd.followed {
        None => {
            ui.label(RichText::new(text::CLICK_ONE).color(theme.text[2]));
        }
        Some(followed) => {
            ui.label(text::member_number(&(followed + 1)));
            if ui.button(text::LEAVE).help(text::LEAVE_HELP).clicked() {
                actions.push(Action::Crowd(CrowdAction::Follow(None)));
            }
        }
    });
}

fn detail(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let Some(crowd) = session.tools.crowd.crowd() else { return };
    labelled(ui, theme, text::CHOSEN, |ui| {
        let mut by_rules = !editor.document.crowd.all_detail;
        let help = text::BY_RULES_HELP;
        if ui.checkbox(&mut by_rules, text::BY_RULES).help(help).clicked() {
            editor.document.crowd.all_detail = !by_rules;
            editor.note_single(text::EDIT_DETAIL);
        }
        let mut compares = session.tools.crowd.compares;
        let box_ = egui::Checkbox::new(&mut compares, text::COMPARE);
        let help = text::COMPARE_HELP;
        if ui.add_enabled(by_rules, box_).help(help).clicked() {
            actions.push(Action::Crowd(CrowdAction::CompareDetail(compares)));
        }
    });
    let mut counts = vec![0; editor.document.crowd.rules.len() + 1];
    let others = counts.len() - 1;
    crowd.members().iter().for_each(|member| counts[member.rule().unwrap_or(others).min(others)] += 1);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let mut heads = COLUMNS.map(|(name, _)| name.to_owned());
    if session.tools.crowd.saved.is_none() {
        heads[3].clear();
    }
    columns(ui.painter(), rect, &heads, egui::FontId::proportional(11.0), theme.text[2]);
    if !editor.document.crowd.all_detail {
        rules(ui, editor, &counts);
    }
    // The row is shown even without members, so that the rows below it do not move.
    let error = session.tools.crowd.saved.as_ref().map(|saved| saved.error(others));
    let cells = cells(&Rule::default(), error, counts[others]);
    Level { rule: None, whom: text::ALL_DETAIL.to_owned(), cells, is_open: false, theme }.show(ui);
}

const COLUMNS: [(&str, f32); 5] = [
    (text::COLUMN_FEET, 72.0),
    (text::COLUMN_ITERATIONS, 34.0),
    (text::COLUMN_EVERY, 38.0),
    (text::COLUMN_ERROR, 42.0),
    (text::COLUMN_COUNT, 36.0),
];

struct Level<'a> {
    /// `None` for members without a matching rule.
    rule: Option<usize>,
    whom: String,
    cells: [String; 5],
    is_open: bool,
    theme: &'a Theme,
}

impl Level<'_> {
    fn show(&self, ui: &mut Ui) -> egui::Response {
        let theme = self.theme;
        let sense = if self.rule.is_some() { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), sense);
        let wide = rect.expand2(vec2(12.0, 0.0));
        let painter = ui.painter_at(wide);
        let is_lit = response.hovered() || response.has_focus();
        if self.rule.is_some() && (self.is_open || is_lit) {
            let fill = if self.is_open { theme.selected_row } else { theme.header };
            painter.rect_filled(wide, 0.0, fill);
        }
        painter.circle(egui::pos2(rect.left() + 6.0, rect.center().y), 4.5, theme.level(self.rule), Stroke::NONE);
        let left = columns(&painter, rect, &self.cells, egui::FontId::monospace(11.5), theme.text[1]);
        let words = egui::FontId::proportional(12.5);
        let mut job = egui::text::LayoutJob::simple_singleline(self.whom.clone(), words, theme.text[0]);
        job.wrap = egui::text::TextWrapping::truncate_at_width(left - rect.left() - 22.0);
        let galley = painter.layout_job(job);
        let at = egui::pos2(rect.left() + 18.0, rect.center().y - galley.size().y / 2.0);
        painter.galley(at, galley, theme.text[0]);
        response
    }
}

fn columns(
    painter: &egui::Painter,
    rect: egui::Rect,
    cells: &[String; 5],
    font: egui::FontId,
    color: egui::Color32,
) -> f32 {
    let mut right = rect.right();
    for (cell, (_, width)) in cells.iter().zip(COLUMNS).rev() {
        let at = egui::pos2(right, rect.center().y);
        painter.text(at, egui::Align2::RIGHT_CENTER, cell, font.clone(), color);
        right -= width;
    }
    right
}

fn whom(rule: &Rule) -> String {
    let movement = rule.movement.map(|movement| movement.key().to_owned());
    let beyond = (rule.beyond > 0.0).then(|| text::beyond_distance(&rule.beyond));
    let whom: Vec<String> = movement.into_iter().chain(rule.clip.clone()).chain(beyond).collect();
    if whom.is_empty() { text::ALL_OTHERS.to_owned() } else { capital(&whom.join(", ")) }
}

fn cells(rule: &Rule, error: Option<f32>, count: usize) -> [String; 5] {
    let feet = capital(rule.grounding.map_or(text::AS_ANIMATED, Quality::key));
    let iterations = rule.grounding.map_or_else(String::new, |_| rule.iterations.to_string());
    let error = error.filter(|_| count > 0).map_or_else(String::new, |error| format!("{error:.1}"));
    [feet, iterations, rule.every.to_string(), error, count.to_string()]
}

fn rules(ui: &mut Ui, editor: &mut Editor, counts: &[usize]) {
    let (theme, session) = (editor.theme, editor.session);
    let id = ui.make_persistent_id("open rule");
    let mut open: Option<usize> = ui.data(|data| data.get_temp(id)).flatten();
    let clips: Vec<&str> = session.world.character.model.clips.iter().map(|clip| clip.name.as_str()).collect();
    let mut rules = editor.document.crowd.rules.clone();
    let mut changed: Option<Changed> = None;
    let mut order = None;
    for (index, rule) in rules.iter_mut().enumerate() {
        let error = session.tools.crowd.saved.as_ref().map(|saved| saved.error(index));
        let (whom, cells) = (whom(rule), cells(rule, error, counts[index]));
        let name = text::rule_name(&(index + 1), &whom);
        let response = Level { rule: Some(index), whom, cells, is_open: open == Some(index), theme }.show(ui);
        response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
        let help = match error {
            Some(_) => text::RULE_ERROR_HELP,
            None => text::RULE_HELP,
        };
        if response.help(help).clicked() {
            open = if open == Some(index) { None } else { Some(index) };
        }
        if open == Some(index) {
            ui.push_id(("rule", index), |ui| {
                edit(ui, theme, rule, &clips, &mut changed);
                order = order.or(place(ui, theme, index, counts.len() - 1));
            });
        }
    }
    let is_free = rules.len() < DETAIL_RULES;
    let help = text::ADD_RULE_HELP;
    if ui.add_enabled(is_free, egui::Button::new(text::ADD_RULE)).help(help).clicked() {
        rules.insert(0, Rule { beyond: 10.0, ..Rule::default() });
        (open, changed) = (Some(0), Some(Changed { gesture: None }));
    }
    match order {
        None => {}
        Some((index, None)) => {
            rules.remove(index);
            (open, changed) = (None, Some(Changed { gesture: None }));
        }
        Some((index, Some(to))) => {
            rules.swap(index, to);
            (open, changed) = (Some(to), Some(Changed { gesture: None }));
        }
    }
    ui.data_mut(|data| data.insert_temp(id, open));
    if changed.is_some() {
        editor.document.crowd.rules = rules;
        editor.note(text::EDIT_RULE, changed);
    }
}

fn edit(ui: &mut Ui, theme: &Theme, rule: &mut Rule, clips: &[&str], changed: &mut Option<Changed>) {
    let single = Changed { gesture: None };
    labelled(ui, theme, text::FITS, |ui| {
        let options = [(None, text::ALL, text::ALL_HELP.to_owned())].into_iter().chain(
            Movement::ALL.map(|movement| (Some(movement), movement.key(), text::movement_help(&movement.key()))),
        );
        if let Some(movement) = segmented(ui, theme, rule.movement, &options.collect::<Vec<_>>()) {
            (rule.movement, *changed) = (movement, Some(single));
        }
        let now = rule.clip.clone().unwrap_or_else(|| text::ANY_CLIP.to_owned());
        let names: Vec<&str> = std::iter::once(text::ANY_CLIP).chain(clips.iter().copied()).collect();
        let now = (now.as_str(), names.iter().position(|name| *name == now));
        if let Some(clip) = choose_name(ui, text::NAME_CLIP, now, 76.0, &names).inner {
            (rule.clip, *changed) = ((clip > 0).then(|| names[clip].to_owned()), Some(single));
        }
    });
    labelled(ui, theme, text::BEYOND, |ui| {
        const BEYOND: &Parameter = find(Rule::PARAMETERS, "beyond");
        let drag = Number::new(&mut rule.beyond).range(BEYOND.range()).speed(0.1).decimals(0, 2).of(BEYOND.unit);
        let response = ui.add(drag).help(parameter_help(ui, BEYOND, &BEYOND.range()));
        if response.changed() {
            *changed = Some(Changed::of(&response));
        }
    });
    labelled(ui, theme, text::FEET, |ui| {
        let help = |quality: Quality| text::feet_help(&QUALITY_HELP[quality as usize]);
        let options = [(None, text::AS_ANIMATED, text::AS_ANIMATED_HELP.to_owned())]
            .into_iter()
            .chain(Quality::ALL.map(|quality| (Some(quality), quality.key(), help(quality))));
        if let Some(quality) = segmented(ui, theme, rule.grounding, &options.collect::<Vec<_>>()) {
            (rule.grounding, *changed) = (quality, Some(single));
        }
    });
    labelled(ui, theme, text::SOLVED, |ui| {
        const ITERATIONS: &Parameter = find(Rule::PARAMETERS, "iterations");
        const EVERY: &Parameter = find(Rule::PARAMETERS, "every");
        let iterations = Number::new(&mut rule.iterations).range(0..=ITERATIONS.max as u32).speed(0.05);
        let is_solved = rule.grounding.is_some();
        let iterations = ui.add_enabled(is_solved, iterations.suffix(text::ITERATIONS_SUFFIX)).help(parameter_help(
            ui,
            ITERATIONS,
            &ITERATIONS.range(),
        ));
        let every = Number::new(&mut rule.every).range(1..=EVERY.max as u32).speed(0.05);
        let every = ui.add(every.prefix(text::EVERY_PREFIX).suffix(text::FRAMES_SUFFIX)).help(parameter_help(
            ui,
            EVERY,
            &EVERY.range(),
        ));
        for response in [iterations, every] {
            if response.changed() {
                *changed = Some(Changed::of(&response));
            }
        }
    });
}

/// After a click, returns the rule's index, and its new index or `None` to remove the rule.
fn place(ui: &mut Ui, theme: &Theme, index: usize, count: usize) -> Option<(usize, Option<usize>)> {
    let mut order = None;
    labelled(ui, theme, text::ORDER, |ui| {
        let mut button = |ui: &mut Ui, enabled: bool, symbol: &str, name: &str, to: Option<usize>| {
            let button = ui.add_enabled(enabled, egui::Button::new(symbol)).help(format!("{name}."));
            button.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, name));
            if button.clicked() {
                order = Some((index, to));
            }
        };
        button(ui, index > 0, icon::ARROW_UP, text::MOVE_UP, index.checked_sub(1));
        button(ui, index + 1 < count, icon::ARROW_DOWN, text::MOVE_DOWN, Some(index + 1));
        button(ui, true, icon::TRASH, text::REMOVE_RULE, None);
    });
    order
}

fn costs(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let Some(frame_time) = session.tools.crowd.frame_time else { return };
    labelled(ui, theme, "", |ui| {
        if ui.button(text::PROFILER).help(text::PROFILER_HELP).clicked() {
            actions.push(Action::Command(crate::session::commands::Command::Profiler));
        }
    });
    let line = |ui: &mut Ui, name: &str, numbers: &[String], help: &str| {
        number_row(ui, theme, None, name, numbers, Some(0)).help(help);
    };
    if let Some(all) = session.tools.crowd.saved.as_ref().and_then(|saved| saved.frame_time) {
        line(ui, "", &[text::ALL_DETAIL.to_owned(), text::BY_RULES_COLUMN.to_owned()], text::COLUMNS_HELP);
        let both = |all: f32, own: f32| [time(all), time(own)];
        let waited = both(all.frame, frame_time.frame);
        line(ui, text::A_FRAME, &waited, text::A_FRAME_HELP);
        let worked = both(all.times.total(), frame_time.times.total());
        line(ui, text::ALL_THREADS, &worked, text::ALL_THREADS_HELP);
    } else {
        line(ui, text::A_FRAME, &[time(frame_time.frame)], text::A_FRAME_HELP);
        line(ui, text::ALL_THREADS, &[time(frame_time.times.total())], text::ALL_THREADS_HELP);
    }
    if let Some(drawing) = session.world.picture.drawing {
        line(ui, text::DRAWING, &[time(drawing[Work::Crowd])], Work::Crowd.sentence());
    }
}
