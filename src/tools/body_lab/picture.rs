use egui_macroquad::egui::{Color32, Stroke};
use glam::Vec3;

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay};
use crate::session::Session;
use crate::tools::body_lab::session::lane_label;
use crate::tools::body_lab::words as text;
use crate::tools::compare::picture::keep_trunk_clear;
use crate::ui::theme::{Theme, fade};
use crate::ui::words::counted;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::LayerId;

/// Distance between two lanes side by side, as a fraction of the character's height.
const APART: f32 = 0.6;

pub struct ShownLane<'a> {
    pub lane: usize,
    pub pose: &'a ModelPose,
    pub offset: Vec3,
    pub color: Color32,
    pub late: u64,
    /// Whether lanes are overlaid and this lane is in focus. The character then has the lane's pose, so the lane has no
    /// mesh of its own.
    pub is_character: bool,
}

/// Returns the offset of a lane from the character, model units: to the right in the picture, past the lanes before it
/// that are not hidden. Zero while lanes are overlaid.
pub fn offset(session: &Session, lane: usize) -> Vec3 {
    let lab = session.world.body_lab();
    if lab.over {
        return Vec3::ZERO;
    }
    let before = lab.lanes.iter().take(lane).filter(|own| !own.hidden).count();
    let (right, _) = session.look.camera.right_and_up();
    right * session.world.character.height * APART * (before + 1) as f32
}

pub fn shown(session: &Session) -> Vec<ShownLane<'_>> {
    let theme = Theme::of(session.look.view.light_theme);
    let lab = session.world.body_lab();
    let rows = session.tools.body_lab.rows.iter().enumerate();
    rows.filter_map(|(lane, row)| {
        let row = row.as_ref().filter(|_| lab.lanes.get(lane).is_some_and(|own| !own.hidden))?;
        let is_character = lab.over && session.focus() == LayerId::BodyLane(lane);
        let (offset, color) = (offset(session, lane), theme.lane(lane));
        Some(ShownLane { lane, pose: &row.shown, offset, color, late: row.late, is_character })
    })
    .collect()
}

pub(crate) fn draw(session: &Session, overlay: &mut Overlay) {
    let lanes = shown(session);
    if lanes.is_empty() {
        return;
    }
    let lab = session.world.body_lab();
    let has_body = !session.world.character.model.meshes.is_empty();
    let head = session.world.character.rig.figure.as_ref().and_then(|figure| figure.head);
    let height = session.world.character.height;
    let top = |pose: &ModelPose| Some(pose.bones.get(head?)?.position + Vec3::Y * 0.12 * height);
    let bodies = lanes.iter().map(|own| (own.pose, own.offset)).chain([(&session.world.picture.pose, Vec3::ZERO)]);
    for (pose, offset) in bodies.filter(|_| !lab.over) {
        keep_trunk_clear(session, pose, offset, overlay);
    }
    if let Some(at) = top(&session.world.picture.pose).filter(|_| !lab.over).and_then(|top| overlay.at(top)) {
        let note = Note::new(Rank::Tag, ("lane", "character"), at, text::CHARACTER);
        overlay.note(note.mark(overlay.theme.text[1]).toward(0.0, -1.0).tag());
    }
    for own in &lanes {
        if !has_body || lab.over {
            bones(session, own, overlay);
        }
        let Some(at) = top(own.pose).and_then(|top| overlay.at(top + own.offset)) else { continue };
        let name = match own.late {
            0 => lane_label(lab, own.lane),
            late => text::late(&lane_label(lab, own.lane), &counted(late as usize, "frame")),
        };
        let note = Note::new(Rank::Tag, ("lane", own.lane), at, name).or(vec![(own.lane + 1).to_string()]);
        overlay.note(note.mark(own.color).toward(0.0, -1.0).tag());
    }
}

fn bones(session: &Session, own: &ShownLane, overlay: &mut Overlay) {
    let skeleton = &session.world.character.rig.skeleton;
    let Some(pelvis) = session.world.character.rig.figure.as_ref().map(|figure| figure.pelvis) else { return };
    let line = Stroke::new(if own.is_character { 2.0 } else { 1.2 }, fade(own.color, 0.9));
    for bone in pelvis.saturating_add(1)..own.pose.bones.len() {
        let Some(parent) = skeleton.parent(bone).filter(|_| skeleton.is_ancestor(pelvis, bone)) else { continue };
        let [from, to] = [parent, bone].map(|bone| own.pose.bones[bone].position + own.offset);
        overlay.plain(Layer::Bones, from, to, line);
    }
}
