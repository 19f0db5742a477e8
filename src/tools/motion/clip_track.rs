//! The clip on the timeline, with playhead, foot contacts, keys, and the range to bake.

use std::sync::Arc;

use egui_macroquad::egui::{self, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_icon;
use crate::session::{Action, Selection, Session};
use crate::tools::export::session::BakeAction;
use crate::tools::motion::words as text;
use crate::ui::CLIP_TRACK_HEIGHT;
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, fade};
use crate::ui::widgets::{Changed, LABELS, arrow_presses, playhead, seconds_step};
use crate::world::document::Document;
use crate::world::motion::clip_player::BakeRange;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::LimbName;

/// Width of the fields and buttons right of the track, logical pixels.
const FIELDS: f32 = 408.0;
/// Smallest width of the bake button, logical pixels. While a clip is baked, the button shows the progress.
const BAKE_BUTTON: f32 = 58.0;
/// Distance within which the pointer grabs a key or an end of the bake range, logical pixels.
const CATCH: f32 = 7.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Grip {
    #[default]
    Time,
    From,
    To,
    Key(usize),
}

fn keys(session: &Session) -> Option<(usize, Vec<f32>)> {
    let Selection::Modifier(index, _) = session.interaction.selection else { return None };
    let Some(Modifier::Keyed(own)) = session.world.stack().modifiers.get(index) else { return None };
    let track = own.tracks.iter().find(|track| track.effector == session.interaction.keyed)?;
    Some((index, track.keys.iter().map(|key| key.time).collect()))
}

/// Returns the document with a key moved to another time, at most as far as its neighbours.
fn with_key_at(session: &Session, (index, number): (usize, usize), time: f32) -> Option<Document> {
    let mut stack = session.world.stack().clone();
    let Some(Modifier::Keyed(own)) = Arc::make_mut(&mut stack.modifiers).get_mut(index) else { return None };
    let track = own.track_mut(session.interaction.keyed);
    let before = number.checked_sub(1).and_then(|at| track.keys.get(at)).map_or(f32::NEG_INFINITY, |key| key.time);
    let after = track.keys.get(number + 1).map_or(f32::INFINITY, |key| key.time);
    track.keys.get_mut(number)?.time = time.max(before).min(after);
    Some(session.world.history.document().with_stack(stack))
}

pub(crate) fn is_shown(session: &Session) -> bool {
    session.world.lab().is_none() && session.world.clip.clip().is_some()
}

pub(crate) fn show(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let Some(index) = session.world.clip.clip() else { return };
    let clip = &session.world.character.model.clips[index];
    let duration = clip.duration.max(1e-3);
    let range = session.world.bake_range();
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), CLIP_TRACK_HEIGHT), Sense::hover());
    let label = Rect::from_min_size(row.min, vec2(LABELS, CLIP_TRACK_HEIGHT));
    let fields = Rect::from_min_max(Pos2::new(row.right() - FIELDS, row.top()), row.max);
    let area = Rect::from_min_max(
        Pos2::new(label.right(), row.top() + 2.0),
        Pos2::new((fields.left() - 14.0).max(label.right() + 60.0), row.bottom() - 6.0),
    );
    ui.scope_builder(egui::UiBuilder::new().max_rect(label.shrink2(vec2(0.0, 8.0))), |ui| {
        ui.horizontal_centered(|ui| {
            ui.label(RichText::new(text::CLIP).size(11.5).color(theme.text[1]));
            let icon = if session.world.clip.playing { icon::PAUSE } else { icon::PLAY };
            command_icon(ui, icon, Command::PlayClip, true, actions);
        });
    });
    track(ui, theme, session, area, (&clip.name, duration), range, actions);
    ui.scope_builder(egui::UiBuilder::new().max_rect(fields), |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let mut time = session.world.clip.time();
            let number =
                Number::new(&mut time).range(0.0..=duration).speed(0.01).decimals(2, 3).suffix(text::SECONDS_SUFFIX);
            // The widths are fixed, so that changing numbers do not move their neighbours.
            const SECONDS: egui::Vec2 = vec2(68.0, 22.0);
            if ui.add_sized(SECONDS, number).help(text::CLIP_TIME_HELP).changed() {
                actions.push(Action::ClipTime(time));
            }
            ui.separator();
            let mut new = range;
            let longest = BakeRange::LONGEST;
            let from =
                Number::new(&mut new.from).range(0.0..=longest).speed(0.01).decimals(2, 3).suffix(text::SECONDS_SUFFIX);
            ui.add_sized(SECONDS, from).help(text::BAKE_FROM_HELP);
            ui.label(RichText::new(text::TO).color(theme.text[1]));
            let to =
                Number::new(&mut new.to).range(0.0..=longest).speed(0.01).decimals(2, 3).suffix(text::SECONDS_SUFFIX);
            ui.add_sized(SECONDS, to).help(text::BAKE_TO_HELP);
            let rate =
                Number::new(&mut new.rate).range(1.0..=240.0).speed(0.2).decimals(0, 2).suffix(text::RATE_SUFFIX);
            ui.add_sized(vec2(54.0, 22.0), rate).help(text::BAKE_RATE_HELP);
            if new != range {
                actions.push(Action::Bake(BakeAction::Range(new)));
            }
            // Both buttons have the same place and size, so that their neighbours do not move.
            let button = |text: &str| egui::Button::new(text).min_size(vec2(BAKE_BUTTON, 0.0));
            match &session.files.baking {
                None => {
                    if ui.add(button(text::BAKE)).help(Command::BakeClip.info().help).clicked() {
                        actions.push(Action::Command(Command::BakeClip));
                    }
                }
                Some((path, job)) => {
                    let text = text::baking_percent(&icon::X, &(100.0 * job.progress()));
                    let cancel = ui.add(button(&text));
                    cancel.describe(&|| {
                        egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::NAME_CANCEL_BAKING)
                    });
                    if cancel.help(text::baking_help(&path.display())).clicked() {
                        actions.push(Action::Bake(BakeAction::Cancel));
                    }
                }
            }
        });
    });
}

fn track(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    area: Rect,
    (name, duration): (&str, f32),
    range: BakeRange,
    actions: &mut Vec<Action>,
) {
    let painter = ui.painter_at(area.expand2(vec2(8.0, 4.0)));
    // Times are clamped to the track's end, because the bake range may end beyond the clip's end.
    let x_of = |time: f32| area.left() + (time / duration).min(1.0) * area.width();
    let time_of = |x: f32| ((x - area.left()) / area.width()).clamp(0.0, 1.0) * duration;
    let response = ui.interact(area.expand2(vec2(6.0, 0.0)), ui.id().with("clip track"), Sense::click_and_drag());
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, text::NAME_CLIP_TIME));
    painter.rect_filled(area, 2.0, theme.panel);

    ruler(&painter, theme, area, (name, duration), &x_of);
    stances(&painter, theme, session, area);
    let (from, to) = (x_of(range.from), x_of(range.to));
    for (left, right) in [(area.left(), from), (to, area.right())] {
        let shade = Rect::from_min_max(Pos2::new(left, area.top()), Pos2::new(right, area.bottom()));
        painter.rect_filled(shade, 0.0, fade(theme.well, 0.7));
    }
    for (x, inward) in [(from, 5.0), (to, -5.0)] {
        let stroke = Stroke::new(2.0, theme.text[1]);
        painter.vline(x, area.y_range(), stroke);
        for y in [area.top() + 1.0, area.bottom() - 1.0] {
            painter.line_segment([Pos2::new(x, y), Pos2::new(x + inward, y)], stroke);
        }
    }
    // The playhead is below the seconds, so that it does not cover them.
    let below = Rect::from_min_max(Pos2::new(area.left(), area.top() + 14.0), area.max);
    playhead(&painter, theme, below, x_of(session.world.clip.time().clamp(0.0, duration)));
    let keys = keys(session);
    let times = keys.as_ref().map_or(&[][..], |(_, times)| times);
    let key_y = area.bottom() - 7.0;
    for &time in times {
        let at = Pos2::new(x_of(time), key_y);
        let corners = [vec2(0.0, -5.5), vec2(5.5, 0.0), vec2(0.0, 5.5), vec2(-5.5, 0.0)].map(|corner| at + corner);
        painter.add(egui::Shape::convex_polygon(corners.to_vec(), theme.target, Stroke::new(1.2, theme.panel)));
    }

    let presses = arrow_presses(ui, &response);
    if presses != 0.0 {
        let time = session.world.clip.time() + presses / range.rate;
        actions.push(Action::ClipTime(time.clamp(0.0, duration)));
    }
    let near = |pointer: Pos2| match pointer {
        at if let Some(number) = key_under(times.iter().map(|&time| Pos2::new(x_of(time), key_y)), at) => {
            Grip::Key(number)
        }
        // Only the lower halves of the brackets drag the ends of the range, so that the playhead can be moved above
        // them.
        at if (at.x - from).abs() <= CATCH && at.y > area.center().y => Grip::From,
        at if (at.x - to).abs() <= CATCH && at.y > area.center().y => Grip::To,
        _ => Grip::Time,
    };
    if let Some(pointer) = response.hover_pos()
        && near(pointer) != Grip::Time
    {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    let id = response.id.with("grip");
    if let Some(pointer) = response.interact_pointer_pos() {
        if response.drag_started() || response.clicked() {
            let pressed = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            ui.data_mut(|data| data.insert_temp(id, near(pressed)));
        }
        let grip = ui.data(|data| data.get_temp::<Grip>(id)).unwrap_or_default();
        let time = time_of(pointer.x);
        if response.clicked() || response.dragged() || response.drag_stopped() {
            actions.extend(match grip {
                Grip::From => Some(Action::Bake(BakeAction::Range(BakeRange { from: time.min(range.to), ..range }))),
                Grip::To => Some(Action::Bake(BakeAction::Range(BakeRange { to: time.max(range.from), ..range }))),
                Grip::Time => Some(Action::ClipTime(time)),
                Grip::Key(number) if response.clicked() => times.get(number).map(|&time| Action::ClipTime(time)),
                Grip::Key(number) => keys.as_ref().and_then(|(index, _)| {
                    let document = Box::new(with_key_at(session, (*index, number), time)?);
                    let gesture = Changed::of(&response).gesture;
                    Some(Action::Edit { label: text::EDIT_MOVE_KEY.to_owned(), gesture, document })
                }),
            });
        }
    }
    response.help(text::TRACK_HELP);
}

fn stances(painter: &egui::Painter, theme: &Theme, session: &Session, area: Rect) {
    if let Some(curves) =
        session.world.motion.curves(&session.world.plan(), &session.world.character, session.world.clip.clip())
    {
        for (side, (curve, limb)) in curves.iter().zip([LimbName::LeftLeg, LimbName::RightLeg]).enumerate() {
            let top = area.top() + 16.0 + 11.0 * side as f32;
            let mut mesh = egui::Mesh::default();
            let columns = (area.width() / 2.0).ceil() as usize;
            for column in 0..columns {
                let x = area.left() + column as f32 * 2.0;
                let weight = curve.evaluate((x + 1.0 - area.left()) / area.width());
                let cell = Rect::from_min_size(Pos2::new(x, top), vec2(2.0, 8.0)).intersect(area);
                mesh.add_colored_rect(cell, fade(theme.limb(limb), weight * weight));
            }
            painter.add(mesh);
        }
    }
}

fn ruler(painter: &egui::Painter, theme: &Theme, area: Rect, (name, duration): (&str, f32), x_of: &dyn Fn(f32) -> f32) {
    let small = FontId::proportional(11.0);
    let text = format!("{name}, {duration:.2} s");
    let mut job = egui::text::LayoutJob::simple_singleline(text, small.clone(), theme.text[1]);
    job.wrap = egui::text::TextWrapping::truncate_at_width((area.width() * 0.6).max(40.0));
    let named = painter.layout_job(job);
    let name_at = area.left_top() + vec2(4.0, 7.0 - named.size().y / 2.0);
    // Ticks start after the name, so that they do not cross it.
    let free_from = name_at.x + named.size().x + 8.0;
    painter.galley(name_at, named, theme.text[1]);
    let step = seconds_step(f64::from(duration), area.width());
    for tick in ticks(f64::from(duration), step) {
        let x = x_of(tick as f32);
        if x < free_from {
            continue;
        }
        painter.vline(x, area.top()..=(area.top() + 5.0), Stroke::new(1.0, theme.track));
        let digits = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
        let text = format!("{tick:.digits$} s");
        let galley = painter.layout_no_wrap(text, small.clone(), theme.text[2]);
        if x + 3.0 + galley.size().x <= area.right() {
            painter.galley(Pos2::new(x + 3.0, area.top() + 7.0 - galley.size().y / 2.0), galley, theme.text[2]);
        }
    }
}

fn ticks(duration: f64, step: f64) -> impl Iterator<Item = f64> {
    (1..).map(move |number| f64::from(number) * step).take_while(move |&tick| tick < duration)
}

fn key_under(keys: impl Iterator<Item = Pos2>, pointer: Pos2) -> Option<usize> {
    let near = keys.map(|at| at.distance(pointer)).enumerate().filter(|(_, distance)| *distance <= CATCH);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
}
