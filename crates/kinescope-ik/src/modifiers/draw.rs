//! What modifiers did, drawn without a renderer: see [`debug_draw`](crate::debug_draw).

use glam::Vec3;

use super::act::{Act, Did};
use super::figure::Figure;
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::draw::draw_turn;
use crate::rig::{BoneIndex, RigidTransform};

/// Acts as arrows from where an effector would have been to where it is asked, and as turns of bones. `place` says where
/// an effector is before the act; `is_said` writes angles beside turns.
pub fn draw_act(
    act: &Act,
    figure: &Figure,
    place: Vec3,
    is_said: bool,
    pose: &[RigidTransform],
    out: &mut dyn DebugDraw,
) {
    match act.did {
        Did::Offset { effector, by } => out.arrow(place, place + by, Subject::Displacement(effector.node())),
        Did::Target { effector, from, to, weight } => {
            if from != to {
                out.arrow(from, to, Subject::Displacement(effector.node()));
            }
            out.point(to, 0.02 * figure.height, Subject::Target { effector, weight });
        }
        Did::TargetRotation { .. } => {}
        Did::Bone { bone, from, to } => {
            let along = along(figure, bone, pose);
            out.line(to.position, to.position + along, Subject::WrittenBone);
            draw_turn([from, to], along, ("", is_said), out);
            if from.position != to.position {
                out.arrow(from.position, to.position, Subject::SwingAxis);
            }
        }
    }
}

/// From a bone to the next.
fn along(figure: &Figure, bone: BoneIndex, pose: &[RigidTransform]) -> Vec3 {
    let own = pose.get(bone).copied().unwrap_or_default();
    let next = figure.child_of(bone).and_then(|next| pose.get(next)).map(|next| next.position - own.position);
    next.filter(|along| along.length() > 1e-3 * figure.height)
        .unwrap_or(own.rotation * (Vec3::Y * 0.08 * figure.height))
}
