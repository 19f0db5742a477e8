//! What is painted over the picture, and in what order.

use egui_macroquad::egui::{self, Rect};

use super::chains::{self, Aside};
use super::overlay::Overlay;
use super::{beside, caption, doctor, handles, motion, places};
use crate::app::session::Session;
use crate::app::theme::Theme;
use crate::stack::LayerId;
use crate::stepped::run::{Cursor, Shown};

/// Paints everything over the picture.
pub fn paint(ctx: &egui::Context, session: &Session, picture: Rect) {
    let theme = Theme::of(session.view.light_theme);
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture);
    let projector = session.projector();
    // Caption and axes are there already.
    let taken = vec![places::caption(picture), places::axes(picture)];
    let mut overlay = Overlay::new(theme, &projector, painter.clone(), taken, session.chains.bone);
    if session.in_doctor() {
        doctor::draw(session, &mut overlay);
    } else {
        layers(session, &mut overlay);
        motion::path(session, &mut overlay);
        beside::other(session, &mut overlay);
        if session.focus() == LayerId::FullBody {
            beside::the_body(session, &mut overlay);
        }
        if session.lab().is_none() {
            beside::bend_defaults(session, &mut overlay);
        }
        if session.time.is_paused() && session.view.attribution {
            beside::attribution(session, &mut overlay);
        }
        handles::all(session, &mut overlay);
        if session.time.is_paused() && session.body_step().is_some() {
            beside::bend_labels(session, &mut overlay);
        }
        overlay.place_texts();
    }
    motion::brush(session, motion::pointer(ctx, picture), &mut overlay);
    overlay.finish();
    caption::title(&painter, theme, session, picture);
    caption::axes(&painter, theme, &projector, picture);
}

/// Every layer that was solved: the one in focus at the cursor, the others where they end.
fn layers(session: &Session, overlay: &mut Overlay) {
    let focus = session.focus();
    let view = &session.view;
    // Two ghosts at once could not be told apart.
    let has_other = view.other && session.debugger.other().is_some();
    for layer in &session.solved.layers {
        let (id, Some(run)) = (layer.id, layer.run().filter(|run| run.steps() > 0)) else { continue };
        let is_focus = id == focus;
        // What the full body makes of it comes after.
        if id == LayerId::FullBody && !is_focus {
            continue;
        }
        let at = match is_focus {
            true => session.time.cursor,
            false => session.chain_cursor(id).unwrap_or(Cursor::end(run)),
        };
        let is_stepped = is_focus && session.time.is_paused();
        let shown = Shown {
            layers: session.solver_layers(),
            before: is_stepped && view.previous_step && !has_other,
            moved: is_stepped && view.displacements,
            limits: is_focus && view.limits,
            casts: view.casts && (is_focus || session.time.is_paused()),
            goals: view.foot_goals,
            size: session.character.height,
        };
        overlay.chain_color = match id {
            LayerId::Lane(lane) => overlay.theme.lane(lane),
            _ if is_focus => overlay.theme.bend,
            _ => overlay.theme.text[2],
        };
        let hides = [!view.bones, !view.nodes, !view.targets];
        run.draw(at, &shown, &mut Aside { to: overlay, by: session.lane_offset(id), hides, is_faint: false });
        chains::lane_label(session, id, overlay);
    }
}
