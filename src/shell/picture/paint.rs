use egui_macroquad::egui::{self, Rect};

use crate::picture::labels::Memory;
use crate::picture::overlay::{Overlay, Painted};
use crate::picture::places;
use crate::session::Session;
use crate::shell::picture::caption;
use crate::tools::chains::picture::Aside;
use crate::tools::{body_lab, chains, compare, doctor, learn, motion, pose, trackers};
use crate::ui::help::help_over;
use crate::ui::theme::Theme;
use glam::Vec3;
use kinescope_ik::full_body::Node;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::{Cursor, Shown, Tint};

pub fn paint(ctx: &egui::Context, session: &Session, picture: Rect) -> Vec<Painted> {
    let theme = Theme::of(session.look.view.light_theme);
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture);
    let projector = session.projector();
    let mut overlay = Overlay::new(theme, &projector, painter.clone(), session.tools.chains.bone);
    if session.in_doctor() {
        doctor::picture::draw(session, &mut overlay);
    } else {
        layers(session, &mut overlay);
        motion::picture::path(session, &mut overlay);
        compare::picture::other(session, &mut overlay);
        compare::picture::tags(session, &mut overlay);
        body_lab::picture::draw(session, &mut overlay);
        if session.focus() == LayerId::FullBody {
            compare::picture::the_body(session, &mut overlay);
        }
        if session.world.lab().is_none() {
            compare::picture::bend_defaults(session, &mut overlay);
        }
        if session.world.time.is_paused() && session.look.view.attribution {
            compare::picture::attribution(session, &mut overlay);
        }
        trackers::picture::draw(session, &mut overlay);
        pose::picture::all(session, &mut overlay);
        learn::picture::marks(ctx, session, &mut overlay);
        if session.world.time.is_paused() && session.body_step().is_some() {
            compare::picture::bend_labels(session, &mut overlay);
        }
    }
    let studied = study(session);
    overlay.study = studied.into_iter().filter_map(|[from, to]| overlay.segment(from, to)).collect();
    let title = caption::title(&painter, theme, session, picture);
    places::set_painted_caption(ctx, title.covered);
    let rects = vec![title.covered, places::axes(picture), places::hint(picture)];
    let id = egui::Id::new("places of labels");
    let mut memory = ctx.data_mut(|data| data.get_temp::<Memory>(id)).unwrap_or_default();
    let painted = overlay.place_labels(session.look.view.labels, rects, &mut memory);
    ctx.data_mut(|data| data.insert_temp(id, memory));
    motion::picture::brush(session, motion::picture::pointer(ctx, picture), &mut overlay);
    overlay.finish();
    painter.extend(title.shapes);
    if let Some(whole) = title.whole {
        help_over(ctx, painter.layer_id(), egui::Id::new("caption"), title.covered, whole);
    }
    caption::hint(&painter, theme, session, picture);
    caption::axes(&painter, theme, &projector, picture);
    painted
}

/// Returns the bones that labels avoid, as segments.
fn study(session: &Session) -> Vec<[Vec3; 2]> {
    if let Some(chain) = session.chain_focus() {
        let by = session.lane_offset(chain);
        let places = session.chain_state(chain).map(|state| state.positions).unwrap_or_default();
        return places.windows(2).map(|pair| [pair[0] + by, pair[1] + by]).collect();
    }
    let Some(state) = session.state().filter(|_| session.world.lab().is_none() && !session.in_doctor()) else {
        return Vec::new();
    };
    let furthest = || session.world.picture.why.and_then(|why| why.effector.node().limb());
    let limb = session.interaction.selection.limb().or_else(|| stepped_limb(session)).or_else(furthest);
    let Some(nodes) = limb.map(Node::of_limb) else { return Vec::new() };
    nodes.windows(2).map(|pair| [state.node(pair[0]), state.node(pair[1])]).collect()
}

fn stepped_limb(session: &Session) -> Option<LimbName> {
    let run = session.shown_run().filter(|_| session.world.time.is_paused())?;
    let at = session.world.time.cursor;
    let mut limbs = match at.within {
        Some(event) => event..event + 1,
        None => 0..run.events(at.step),
    }
    .map(|event| match run.event(at.step, event, &|_| String::new()).tint {
        Tint::Node(node) => node.limb(),
        Tint::Own | Tint::Rigid | Tint::PushOnly | Tint::Limit => None,
    });
    let first = limbs.next()??;
    limbs.all(|limb| limb == Some(first)).then_some(first)
}

fn layers(session: &Session, overlay: &mut Overlay) {
    let focus = session.focus();
    let view = &session.look.view;
    // The previous step is hidden while a second result is shown, because two ghosts would look alike.
    let has_other = view.other && session.tools.debugger.other().is_some();
    for layer in &session.world.solved.layers {
        let (id, Some(run)) = (layer.id, layer.run().filter(|run| run.steps() > 0)) else { continue };
        let is_focus = id == focus;
        let is_body = matches!(id, LayerId::FullBody | LayerId::BodyLane(_));
        if is_body && !is_focus {
            continue;
        }
        let at = match is_focus {
            true => session.world.time.cursor,
            false => session.chain_cursor(id).unwrap_or(Cursor::end(run)),
        };
        let is_stepped = is_focus && session.world.time.is_paused();
        let shown = Shown {
            layers: session.solver_layers(),
            before: is_stepped && view.previous_step && !has_other,
            moved: is_stepped && view.displacements,
            limits: is_focus && view.limits,
            casts: view.casts && (is_focus || session.world.time.is_paused()),
            goals: view.foot_goals,
            size: session.world.character.height,
        };
        overlay.chain_color = match id {
            LayerId::Lane(lane) => overlay.theme.lane(lane),
            _ if is_focus => overlay.theme.bend,
            _ => overlay.theme.text[2],
        };
        let hides = [!view.bones, !view.nodes, !view.targets];
        run.draw(at, &shown, &mut Aside { to: overlay, by: session.lane_offset(id), hides, is_faint: false });
        chains::picture::lane_label(session, id, overlay);
    }
}
