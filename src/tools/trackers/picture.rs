use egui_macroquad::egui::{Shape, Stroke, pos2};
use glam::Vec3;

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay};
use crate::session::Session;
use crate::tools::trackers::node_of;
use crate::tools::trackers::session::errors_now;
use crate::tools::trackers::words as text;
use crate::ui::theme::fade;
use kinescope_ik::debugger::tracker_errors::TrackedJoint;

/// Length of the axes drawn at a tracker, as a fraction of the character's height.
const AXIS: f32 = 0.035;
/// Smallest error that gets a label, as a fraction of the character's height.
const LABELLED: f32 = 0.01;

pub(crate) fn draw(session: &Session, overlay: &mut Overlay) {
    let Some(run) = session.world.solved.trackers() else { return };
    truth(session, overlay);
    let length = AXIS * session.world.character.height;
    for reading in &run.readings {
        let (place, bone) = (run.shown(reading), run.bone(reading.tracker));
        let color = if reading.dropped { overlay.theme.warning } else { overlay.theme.node(reading.tracker.node()) };
        overlay.plain_dashed(
            Layer::Ghost,
            [bone.position, place.position],
            Stroke::new(1.0, fade(color, 0.7)),
            [3.0, 3.0],
        );
        let axes = [overlay.theme.rigid, overlay.theme.push_only, overlay.theme.left];
        for (axis, color) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(axes) {
            let color = if reading.reported.is_some() { color } else { fade(color, 0.35) };
            overlay.stroke(Layer::Bones, place.position, place.position + place.rotation * (axis * length), 1.6, color);
        }
        let Some(at) = overlay.at(place.position) else { continue };
        let outline = Stroke::new(1.2, overlay.theme.halo);
        let corners = [(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)];
        let corners = corners.map(|(x, y)| pos2(at.x + x, at.y + y)).to_vec();
        overlay.add(Layer::Bones, Shape::convex_polygon(corners, color, outline));
        let name = reading.tracker.label();
        let note = match (reading.dropped, reading.reported) {
            (false, _) => (name.to_owned(), false),
            (true, Some(_)) => (text::frozen(&name), true),
            (true, None) => (text::vanished(&name), true),
        };
        let note = Note::new(Rank::Other, ("tracker", name), at, note.0).mark(color).selected(note.1).clear(5.0);
        overlay.note(note);
    }
    errors(session, overlay);
}

/// Draws the skeleton of the clip, the ground truth for the solve.
fn truth(session: &Session, overlay: &mut Overlay) {
    let clip = &session.world.solved.input.animated.bones;
    let stroke = Stroke::new(1.2, fade(overlay.theme.previous, 0.75));
    for (index, bone) in session.world.character.model.skeleton.bones().iter().enumerate() {
        let ends = bone.parent.and_then(|parent| Some((clip.get(parent)?, clip.get(index)?)));
        // Bones whose parent is the root are left out, because the root is usually no part of the body.
        let is_body = bone.parent.is_some_and(|parent| session.world.character.model.skeleton.parent(parent).is_some());
        if let Some((from, to)) = ends.filter(|_| is_body) {
            overlay.plain(Layer::Ghost, from.position, to.position, stroke);
        }
    }
}

fn errors(session: &Session, overlay: &mut Overlay) {
    let Some((errors, figure)) = errors_now(session).zip(session.world.character.rig.figure.clone()) else { return };
    let height = session.world.character.height;
    let largest = errors.iter().copied().fold(LABELLED * height, f32::max);
    for (joint, error) in TrackedJoint::ALL.into_iter().zip(errors) {
        let bone = joint.bone(&figure);
        let solved = session.world.solved.pose.get(bone).map(|bone| bone.position);
        let clip = session.world.solved.input.animated.bones.get(bone).map(|bone| bone.position);
        let Some((solved, clip)) = solved.zip(clip) else { continue };
        let color = overlay.theme.node(node_of(joint));
        overlay.dotted(Layer::Arrows, [clip, solved], color, 4.0, 1.2);
        if error < LABELLED * height {
            continue;
        }
        let Some(at) = overlay.at(solved) else { continue };
        let label = text::off_by(&joint.label(), &session.world.character.length(error));
        let note = Note::new(Rank::Study, ("off", joint.key()), at, label).mark(color).selected(error >= largest);
        overlay.note(note);
    }
}
