use egui_macroquad::egui::{self, Align, Color32, Layout, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::system::order::sort_by;
use crate::tools::chains::lab::lane_of;
use crate::tools::compare::port;
use crate::tools::compare::session::CompareAction;
use crate::tools::compare::words as text;
use crate::tools::steps::{CompareStyle, Other};
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{number_row, section, segmented};
use crate::ui::words::{self, path_label, plain, signed};
use kinescope_ik::debugger::fields::{self, Change};
use kinescope_ik::full_body::Node;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::{Run, Tint, Unit};

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 5, show);

fn lanes(ui: &mut Ui, theme: &Theme, session: &Session) {
    let own = session.tools.chains.lane;
    let name = |lane: usize| words::lane_label(lane, session.world.lab().and_then(|lab| lab.lanes.get(lane)));
    let state = |lane: usize| session.chain_state(LayerId::Lane(lane));
    let solved = |lane: usize| lane_of(session, lane);
    let count = session.world.lab().map_or(0, |lab| lab.lanes.len());
    let (Some(first), Some(mine)) = (state(own), solved(own)) else {
        ui.weak(text::LANE_NOT_SOLVED);
        return;
    };
    if count < 2 {
        ui.weak(text::ADD_A_LANE);
    }
    for lane in (0..count).filter(|&lane| lane != own) {
        let (Some(other), Some(theirs)) = (state(lane), solved(lane)) else { continue };
        section(ui, theme, &text::two_lanes(&name(own), &name(lane)), text::LANES_COLUMNS, |ui| {
            let length = |value: f32| session.world.character.length(value);
            let [a, b] = [mine, theirs].map(|recording| recording.outcome);
            let iterations = [a.iterations.to_string(), b.iterations.to_string()];
            number_row(ui, theme, None, text::ITERATIONS, &iterations, None);
            let errors = [own, lane].map(|lane| session.chain_error(LayerId::Lane(lane)).unwrap_or_default());
            number_row(ui, theme, None, text::ERROR, &errors.map(length), None);
            let steps = [mine, theirs].map(|recording| recording.solve.steps.len().to_string());
            number_row(ui, theme, None, text::STEPS, &steps, None);
            if first.positions.len() == other.positions.len() {
                for (joint, (a, b)) in first.positions.iter().zip(&other.positions).enumerate() {
                    number_row(ui, theme, None, &text::joint(&joint), &[length(a.distance(*b))], None);
                }
            }
        });
    }
}

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let debugger = &session.tools.debugger;
        if session.world.lab().is_some() {
            lanes(ui, theme, session);
        }
        if let Some(port) = &debugger.port {
            port::sections(ui, theme, session, port, actions);
        }
        if let Some(what_if) = &debugger.what_if {
            section(ui, theme, text::WHAT_IF, text::WHAT_IF_COLUMNS, |ui| {
                for change in &what_if.changes {
                    changed_row(ui, theme, change);
                }
                ui.horizontal(|ui| {
                    ui.set_height(30.0);
                    command_button(ui, Command::DropWhatIf, true, actions);
                    command_button(ui, Command::SolveAgain, !what_if.changes.is_empty(), actions);
                });
            });
            difference(ui, theme, session, &what_if.recorded, [text::RECORDED, text::CHANGED], true);
        } else if let Some(compare) = &debugger.compare {
            section(ui, theme, text::A_AND_B, "", |ui| {
                ui.horizontal(|ui| {
                    ui.set_height(30.0);
                    let options = [
                        (CompareStyle::Overlay, text::OVERLAY, text::OVERLAY_HELP.to_owned()),
                        (CompareStyle::SideBySide, text::SIDE_BY_SIDE, text::SIDE_BY_SIDE_HELP.to_owned()),
                    ];
                    if let Some(style) = segmented(ui, theme, compare.style, &options) {
                        actions.push(Action::Compare(CompareAction::Style(style)));
                    }
                    command_button(ui, Command::SwapAB, true, actions);
                });
                ui.horizontal(|ui| {
                    ui.set_height(26.0);
                    ui.label(RichText::new(text::b_is(&compare.b.name)).color(theme.text[1]));
                    command_button(ui, Command::EndCompare, true, actions);
                });
            });
            let changes = debugger.differing(session.world.stack());
            section(ui, theme, text::DIFFERING_VALUES, text::COPY_COLUMNS, |ui| {
                let listed = listed(ui, &changes);
                if listed.is_empty() {
                    ui.add(egui::Label::new(RichText::new(text::SAME_SETTINGS).weak()).wrap());
                }
                for (change, differs) in &listed {
                    copy_row(ui, theme, change, *differs, actions);
                }
            });
            difference(ui, theme, session, &compare.b, ["A", "B"], false);
        } else if debugger.port.is_none() {
            ui.add_space(8.0);
            egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 0)).show(ui, |ui| {
                ui.add(egui::Label::new(text::HOW).wrap());
                ui.add_space(8.0);
                for command in [Command::KeepAsB, Command::CompareWith, Command::OpenTrace] {
                    command_button(ui, command, true, actions);
                }
            });
        }
    });
}

fn changed_row(ui: &mut Ui, theme: &Theme, change: &Change) {
    let [before, after] = [&change.before, &change.after].map(fields::short);
    let is_long = are_long(ui, [&before, &after]);
    let after = |ui: &mut Ui| {
        ui.label(RichText::new(&after).monospace());
        ui.label(RichText::new("→").color(theme.text[2]));
    };
    let shown = ui.vertical(|ui| {
        value_line(
            ui,
            19.5,
            |ui| name_cell(ui, theme, change),
            |ui| {
                if !is_long {
                    after(ui);
                }
                ui.label(RichText::new(&before).monospace().color(theme.text[1]));
            },
        );
        if is_long {
            value_line(ui, 19.5, |_| {}, after);
        }
    });
    shown.response.help(&change.path);
}

fn value_line(ui: &mut Ui, height: f32, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_height(height);
        left(ui);
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

fn name_cell(ui: &mut Ui, theme: &Theme, change: &Change) {
    let name = egui::Label::new(RichText::new(path_label(&change.path)).color(theme.text[1])).truncate();
    ui.allocate_ui_with_layout(vec2(NAME_WIDTH, 20.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_width(NAME_WIDTH);
        ui.add(name).help(&change.path);
    });
}

fn are_long(ui: &Ui, values: [&String; 2]) -> bool {
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let width_of = |text: &String| ui.painter().layout_no_wrap(text.clone(), font.clone(), Color32::WHITE).size().x;
    NAME_WIDTH + ARROWS_WIDTH + values.into_iter().map(width_of).sum::<f32>() > ui.available_width()
}

/// Returns the listed values and whether they differ. A value that became equal stays in the list while the pointer is
/// on the pane, so that the next click does not hit another value.
fn listed(ui: &Ui, changes: &[Change]) -> Vec<(Change, bool)> {
    let id = egui::Id::new("values that were listed");
    let known: Vec<Change> = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let is_here = pointer.is_some_and(|at| ui.clip_rect().contains(at));
    let find = |path: &str| changes.iter().find(|change| change.path == path);
    let mut listed: Vec<(Change, bool)> = match is_here {
        true => {
            known.into_iter().map(|known| find(&known.path).map_or((known, false), |own| (own.clone(), true))).collect()
        }
        false => Vec::new(),
    };
    let new = changes.iter().filter(|change| !listed.iter().any(|(known, _)| known.path == change.path));
    let new: Vec<(Change, bool)> = new.map(|change| (change.clone(), true)).collect();
    listed.extend(new);
    let kept: Vec<Change> = listed.iter().map(|(change, _)| change.clone()).collect();
    ui.data_mut(|data| data.insert_temp(id, kept));
    listed
}

const NAME_WIDTH: f32 = 148.0;
const ARROWS_WIDTH: f32 = 48.0;

fn copy_row(ui: &mut Ui, theme: &Theme, change: &Change, differs: bool, actions: &mut Vec<Action>) {
    let [before, after] = [&change.before, &change.after].map(fields::short);
    let is_long = are_long(ui, [&before, &after]);
    let mut arrows_and_after = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(&after).monospace());
        for (glyph, to_b, help) in
            [(icon::ARROW_RIGHT, true, text::GIVE_TO_B), (icon::ARROW_LEFT, false, text::TAKE_FROM_B)]
        {
            let button = ui.add(egui::Button::new(glyph).frame(false)).help(help);
            button.describe(&|| {
                let name = format!("{help} {}", change.path);
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name)
            });
            if button.clicked() {
                actions.push(Action::Compare(CompareAction::CopyValue { change: change.clone(), to_b }));
            }
        }
    };
    value_line(
        ui,
        22.0,
        |ui| name_cell(ui, theme, change),
        |ui| {
            if !differs {
                ui.label(RichText::new(text::EQUAL_NOW).color(theme.text[2]));
                return;
            }
            if !is_long {
                arrows_and_after(ui);
            }
            ui.label(RichText::new(&before).monospace());
        },
    );
    if is_long && differs {
        value_line(ui, 22.0, |_| {}, arrows_and_after);
    }
}

/// The first column shows `other` if `other_first`, else the frame's own result.
fn difference(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    other: &Other,
    [first, second]: [&str; 2],
    other_first: bool,
) {
    let (own, theirs) = (&*session.world.solved, &other.frame);
    let (a, b) = if other_first { (theirs, own) } else { (own, theirs) };
    let heads = [first, second, "Δ"].map(str::to_owned);
    let mut families: Vec<(&str, Unit, Vec<Row>)> = Vec::new();
    for measure in own.measures() {
        let view = measure.view;
        let (Some(a), Some(b)) = (a.outcome(&measure.id), b.outcome(&measure.id)) else { continue };
        if view.family.is_empty() || (view.unit == Unit::Length && view.is_error && a == 0.0 && b == 0.0) {
            continue;
        }
        let factor = session.world.character.factor(view.unit);
        let label = words::among_family(&view.label).to_owned();
        let row = Row { tint: view.tint, label, values: [a, b].map(|value| value * factor) };
        match families.iter_mut().find(|(name, ..)| *name == view.family) {
            Some((.., rows)) => rows.push(row),
            None => families.push((view.family, view.unit, vec![row])),
        }
    }
    if families.is_empty() {
        ui.weak(text::NO_COMMON_MEASURE);
    }
    for (family, unit, rows) in families {
        section(ui, theme, family, session.world.character.unit_name(unit), |ui| {
            number_row(ui, theme, None, "", &heads, None);
            for Row { tint, label, values: [a, b] } in rows {
                let better = if a.abs() < b.abs() { 0 } else { 1 };
                let numbers = match unit {
                    Unit::Number => [plain(a), plain(b), signed(b - a, &plain(b - a))],
                    Unit::Length | Unit::Fraction | Unit::Excess | Unit::Angle => {
                        [tenths(a), tenths(b), signed_tenths(b - a)]
                    }
                };
                number_row(ui, theme, node_of(tint), &label, &numbers, (a != b).then_some(better));
            }
        });
    }
    section(ui, theme, text::DISTANCES, text::DISTANCES_HINT, |ui| {
        let (Some(here), Some(there)) = (session.shown_run(), other.frame.run(session.focus())) else { return };
        let places = |run: &dyn Run| run.places(session.world.time.cursor.carried_over(here, run));
        let all = here.points().into_iter().zip(places(here)).zip(places(there));
        let mut points: Vec<_> = all.map(|((point, here), there)| (point, here.distance(there))).collect();
        sort_by(&mut points, |a, b| b.1.total_cmp(&a.1));
        for (point, distance) in points.into_iter().take(5) {
            let text = session.world.character.length(distance);
            number_row(ui, theme, node_of(point.tint), &point.label, &[text], None);
        }
    });
    let [own, others] = [&*session.world.solved, &other.frame].map(|frame| frame.times().total());
    if own > 0.0 && others > 0.0 {
        section(ui, theme, text::TIME, text::TIME_UNIT, |ui| {
            let [a, b] = if other_first { [others, own] } else { [own, others] };
            let numbers = [tenths(a), tenths(b), signed_tenths(b - a)];
            number_row(ui, theme, None, text::SOLVE, &numbers, None);
        });
    }
}

struct Row {
    tint: Tint,
    label: String,
    values: [f32; 2],
}

fn node_of(tint: Tint) -> Option<Node> {
    match tint {
        Tint::Node(node) => Some(node),
        _ => None,
    }
}

fn tenths(value: f32) -> String {
    let text = format!("{value:.1}").replace('-', "−");
    if text == "−0.0" { "0.0".to_owned() } else { text }
}

fn signed_tenths(value: f32) -> String {
    signed(value, &tenths(value))
}
