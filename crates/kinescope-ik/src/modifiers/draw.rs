//! Draws the acts of modifiers through [`DebugDraw`](crate::debug_draw).

use glam::Vec3;

use super::act::{Act, Change};
use super::figure::Figure;
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::draw::draw_turn;
use crate::rig::{BoneIndex, RigidTransform};

/// Draws an act; nothing for a target rotation. `place` is the effector's place before an offset; `is_labelled` adds
/// the angle by which a bone turns.
pub fn draw_act(
    act: &Act,
    figure: &Figure,
    place: Vec3,
    is_labelled: bool,
    pose: &[RigidTransform],
    out: &mut dyn DebugDraw,
) {
    match act.change {
        Change::Offset { effector, by } => out.arrow(place, place + by, Subject::Displacement(effector.node())),
        Change::Target { effector, from, to, weight } => {
            if from != to {
                out.arrow(from, to, Subject::Displacement(effector.node()));
            }
            out.point(to, 0.02 * figure.height, Subject::Target { effector, weight });
        }
        Change::TargetRotation { .. } => {}
        Change::Bone { bone, from, to } => {
            let along = along(figure, bone, pose);
            out.line(to.position, to.position + along, Subject::WrittenBone);
            draw_turn([from, to], along, ("", is_labelled), out);
            if from.position != to.position {
                out.arrow(from.position, to.position, Subject::SwingAxis);
            }
        }
    }
}

/// Returns the vector from a bone to its first child; without a child, or if the child is nearer than a thousandth of the
/// character's height, a short vector along the bone's +Y.
fn along(figure: &Figure, bone: BoneIndex, pose: &[RigidTransform]) -> Vec3 {
    let own = pose.get(bone).copied().unwrap_or_default();
    let next = figure.child_of(bone).and_then(|next| pose.get(next)).map(|next| next.position - own.position);
    next.filter(|along| along.length() > 1e-3 * figure.height)
        .unwrap_or(own.rotation * (Vec3::Y * 0.08 * figure.height))
}
