//! Marks the nodes, and the joints of the chain lab, that the step of a lesson is about.

use egui_macroquad::egui::{self, Context, Shape, Stroke};
use glam::Vec3;

use super::Step;
use crate::picture::overlay::{Layer, Overlay};
use crate::session::Session;
use crate::ui::theme::fade;
use kinescope_ik::full_body::Node;
use kinescope_ik::stack::LayerId;

const RADII: [f32; 2] = [19.0, 22.0];

fn shown_id() -> egui::Id {
    egui::Id::new("pass in which a lesson was shown")
}

/// Records for [`is_shown`] that the pane shows a lesson in this pass of egui.
pub(super) fn set_shown(ctx: &Context) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(shown_id(), pass));
}

pub(super) fn is_shown(ctx: &Context) -> bool {
    let shown: Option<u64> = ctx.data(|data| data.get_temp(shown_id()));
    shown.is_some_and(|pass| pass + 1 >= ctx.cumulative_pass_nr())
}

/// Largest number of marks of a step for which [`marked`] returns them. A step with more marks is about no particular
/// constraint or move.
const MOST_CONSTRAINED: usize = 4;

/// Returns the nodes that the step of a lesson marks. Empty in another scene than that of the step, and if the step
/// marks more than [`MOST_CONSTRAINED`] nodes.
pub(crate) fn marked(session: &Session) -> &'static [Node] {
    let learn = &session.tools.learn;
    let Some(((lesson, step), (_, at))) = learn.shown().zip(learn.at) else { return &[] };
    let is_own = session.started_scene.scene.is_some_and(|scene| scene.name == lesson.scene_of(at));
    if is_own && step.marks.len() <= MOST_CONSTRAINED { step.marks } else { &[] }
}

pub(crate) fn marks(ctx: &Context, session: &Session, overlay: &mut Overlay) {
    let Some((_, step)) = session.tools.learn.shown().filter(|_| is_shown(ctx)) else { return };
    for place in places(session, step) {
        let (Some(at), theme) = (overlay.at(place), overlay.theme) else { continue };
        for radius in RADII {
            overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(2.6, fade(theme.halo, 0.5))));
            overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(1.4, theme.text[0])));
        }
    }
}

/// Returns the positions of the marked nodes or, while the chain lab is open, of the marked joints, in model space as
/// drawn.
pub(crate) fn places(session: &Session, step: &Step) -> Vec<Vec3> {
    if session.world.lab().is_none() {
        let state = session.state();
        return state.map_or_else(Vec::new, |state| step.marks.iter().map(|&node| state.node(node)).collect());
    }
    let joint = |&(lane, joint): &(LayerId, usize)| {
        let positions = session.chain_state(lane)?.positions;
        Some(*positions.get(joint).or(positions.last())? + session.lane_offset(lane))
    };
    step.joints.iter().filter_map(joint).collect()
}
