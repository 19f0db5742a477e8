use egui_macroquad::egui::{Pos2, Shape, Stroke, vec2};

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay, pos};
use crate::session::{Selection, Session};
use crate::tools::chains::ChainHandle;
use crate::tools::pose::handles::{Handle, HandleId, node_of};
use crate::tools::pose::words as text;
use crate::ui::theme::fade;
use crate::ui::words;
use kinescope_ik::full_body::State;
use kinescope_ik::key::label;

pub(crate) fn all(session: &Session, overlay: &mut Overlay) {
    let state = session.state().unwrap_or_default();
    let theme = overlay.theme;
    for [target, anchor] in session.attachment_lines() {
        overlay.plain(Layer::Targets, target, anchor, Stroke::new(3.0, fade(theme.halo, 0.5)));
        overlay.plain(Layer::Targets, target, anchor, Stroke::new(1.2, theme.target));
        if let Some(at) = overlay.at(anchor) {
            overlay.add(Layer::Targets, Shape::circle_filled(at, 3.0, theme.target));
        }
    }
    for handle in session.handles() {
        let at = pos(handle.screen);
        let hot = session.interaction.hovered == Some(handle.id)
            || session.interaction.drag.is_some_and(|drag| drag.id == handle.id);
        let selected = match handle.id {
            HandleId::Effector(effector) => session.selected_effectors().contains(effector),
            HandleId::BendGoal(limb) => session.interaction.selection == Selection::BendGoal(limb),
            HandleId::Modifier(index, _) => {
                matches!(session.interaction.selection, Selection::Modifier(own, _) if own == index)
            }
            HandleId::Chain(..) | HandleId::PathPoint(_) => false,
        };
        match handle.id {
            HandleId::Effector(effector) => {
                if handle.weight > 0.0 {
                    target_ring(overlay, &handle, at, selected, hot);
                    let gap = session.world.gap(effector);
                    if let Some(why) = session.world.why_of(effector)
                        && gap > session.world.character.height * if selected { 5e-4 } else { 3e-3 }
                        && (handle.weight >= 1.0 || selected)
                    {
                        let bone = session.world.bone_position(effector);
                        let stroke = Stroke::new(1.5, theme.target);
                        overlay.plain_dashed(Layer::Targets, [bone, handle.position], stroke, [4.0, 3.0]);
                        let name = label(effector.key());
                        let missed = session.world.character.length(why.gap);
                        let mut text = text::off_target_label(&name, &missed, &why.miss.label());
                        if selected {
                            text += &format!("\n{}", words::reason(&why, &session.world.character).replace("; ", "\n"));
                        }
                        let aside = if at.x > overlay.picture().center().x { 1.0 } else { -1.0 };
                        let is_studied = selected
                            || session.interaction.selection == Selection::Nothing
                                && session.world.picture.why.is_some_and(|worst| worst.effector == effector);
                        let note =
                            Note::new(Rank::Callout, ("why", effector), at, text).selected(is_studied).clear(18.0);
                        overlay.note(match session.interaction.selection == Selection::Effector(effector) {
                            true => note.toward(0.0, 1.0).apart(100.0),
                            false => note.toward(aside, 0.5),
                        });
                    }
                } else {
                    let radius = if hot || selected { 9.0 } else { 6.0 };
                    let (fill, edge) =
                        (fade(theme.halo, 0.45), if hot || selected { theme.accent } else { theme.text[1] });
                    overlay.add(Layer::Targets, Shape::circle_filled(at, radius, fill));
                    overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(1.6, edge)));
                }
            }
            HandleId::BendGoal(_) => bend_goal(overlay, &handle, at, &state, hot || selected),
            HandleId::Modifier(..) => target_ring(overlay, &handle, at, selected, hot),
            HandleId::Chain(_, ChainHandle::Target(_)) => target_ring(overlay, &handle, at, false, hot),
            HandleId::Chain(_, ChainHandle::BendGoal) => bend_goal(overlay, &handle, at, &state, hot),
            HandleId::Chain(_, ChainHandle::Limit { .. }) | HandleId::PathPoint(_) => {
                let radius = if hot { 9.0 } else { 6.5 };
                overlay.add(Layer::Targets, Shape::circle_filled(at, radius, fade(theme.halo, 0.6)));
                let edge = if let HandleId::PathPoint(_) = handle.id { theme.text[1] } else { theme.push_only };
                overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(2.6, edge)));
            }
        }
        if hot && !selected {
            let name = handle.id.name();
            overlay.note(Note::new(Rank::Pointer, ("handle", handle.id), at, name).toward(1.0, 1.0).clear(18.0));
        }
    }
}

fn target_ring(overlay: &mut Overlay, handle: &Handle, at: Pos2, selected: bool, hot: bool) {
    let theme = overlay.theme;
    let radius = if selected || hot { 15.0 } else { 12.0 };
    let layer = Layer::Targets;
    overlay.add(layer, Shape::circle_stroke(at, radius, Stroke::new(6.0, fade(theme.halo, 0.5))));
    overlay.add(layer, Shape::circle_stroke(at, radius, Stroke::new(3.0, fade(theme.target, 0.32))));
    let pieces = (handle.weight.clamp(0.0, 1.0) * 48.0).ceil() as usize;
    let arc = (0..=pieces).map(|piece| {
        let angle =
            handle.weight * piece as f32 / pieces.max(1) as f32 * std::f32::consts::TAU - std::f32::consts::FRAC_PI_2;
        at + vec2(angle.cos(), angle.sin()) * radius
    });
    overlay.add(layer, Shape::line(arc.collect(), Stroke::new(3.0, theme.target)));
    for direction in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
        let tick = [at + direction * radius, at + direction * (radius + 5.0)];
        overlay.add(layer, Shape::line_segment(tick, Stroke::new(2.0, theme.target)));
    }
    if selected || hot {
        overlay.add(layer, Shape::circle_stroke(at, radius + 2.6, Stroke::new(1.2, theme.accent)));
    }
}

/// A goal that is unset or has no weight is faint, unless its handle is selected or under the pointer.
fn bend_goal(overlay: &mut Overlay, handle: &Handle, at: Pos2, state: &State, strong: bool) {
    let theme = overlay.theme;
    let is_on = handle.is_set && handle.weight > 0.0;
    let color = if is_on || strong { theme.bend } else { fade(theme.bend, 0.38) };
    let radius = if strong {
        10.0
    } else if is_on {
        8.5
    } else {
        4.5
    };
    if let Some(node) = node_of(handle.id).filter(|_| is_on || strong) {
        overlay.dotted(Layer::Arrows, [state.node(node), handle.position], color, 5.0, 1.2);
    }
    let corners = [vec2(0.0, -radius), vec2(radius, 0.0), vec2(0.0, radius), vec2(-radius, 0.0)];
    let corners = corners.map(|corner| at + corner).to_vec();
    let fill = fade(theme.halo, 0.55);
    overlay.add(
        Layer::Targets,
        Shape::convex_polygon(corners.clone(), fill, Stroke::new(if is_on { 2.4 } else { 1.4 }, color)),
    );
    if is_on {
        overlay.add(Layer::Targets, Shape::circle_filled(at, 2.2, color));
        if handle.weight < 1.0 {
            let text = text::bend_goal(&handle.weight);
            let note = Note::new(Rank::Other, (text::BEND_GOAL_LABEL, handle.id), at, text).selected(strong);
            overlay.note(note.toward(-1.0, 0.0).clear(radius + 2.0));
        }
    }
}
