//! Draws solves with Bevy's gizmos.

use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::config::DefaultGizmoConfigGroup;
use bevy_gizmos::gizmos::{GizmoBuffer, Gizmos};
use bevy_transform::components::GlobalTransform;
use bevy_transform::helper::TransformHelper;
use kinescope_ik::debug_draw::{DebugDraw, Layers, Subject};
use kinescope_ik::full_body::draw::{draw_bones, draw_state};
use kinescope_ik::glam::Vec3;

use crate::Rig;

/// A component for a character's root entity: the plugin draws the character's solve as [`draw`] does.
#[derive(Clone, Copy, Debug, Default, Component)]
pub struct ShowSolve;

struct Lines<'a> {
    buffer: &'a mut GizmoBuffer<DefaultGizmoConfigGroup, ()>,
    root: GlobalTransform,
}

impl DebugDraw for Lines<'_> {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.buffer.line(self.root.transform_point(from), self.root.transform_point(to), color(subject));
    }
}

const fn color(subject: Subject) -> Color {
    match subject {
        Subject::LimbBone(_) | Subject::RootBone(_) | Subject::SpineBone => Color::srgb(0.85, 0.87, 0.9),
        Subject::Node(_) | Subject::NodeOff(_) => Color::srgb(0.2, 0.65, 1.0),
        Subject::UpperTorso | Subject::LowerTorso | Subject::LimbPlane(_) => Color::srgb(0.45, 0.55, 0.75),
        Subject::ChildConstraint { strain, .. } if strain > 0.01 => Color::srgb(1.0, 0.35, 0.25),
        Subject::ChildConstraint { .. } => Color::srgb(0.4, 0.75, 0.5),
        Subject::BendDirection { .. } | Subject::BendGoal { .. } => Color::srgb(0.75, 0.5, 1.0),
        Subject::Target { .. } => Color::srgb(1.0, 0.75, 0.2),
        Subject::TargetError(_) => Color::srgb(1.0, 0.35, 0.25),
        _ => Color::srgb(0.6, 0.6, 0.6),
    }
}

/// Draws the last solve of a character. Draws nothing if the solve failed, or if the character's root entity had no
/// [`ShowSolve`] then. `root` is the transform from model to world.
pub fn draw(rig: &Rig, root: GlobalTransform, buffer: &mut GizmoBuffer<DefaultGizmoConfigGroup, ()>) {
    let out = &mut Lines { buffer, root };
    let [_, pose] = rig.poses();
    let Some((frame, state)) = &rig.seen else { return };
    let size = frame.limb(kinescope_ik::LimbName::LeftLeg).length * 0.1;
    // Rounding leaves small gaps. A bone nearer to its node than 1 % of `size` gets no line to the node.
    draw_bones(&rig.solver, pose, &state.nodes(), size * 0.01, out);
    draw_state(frame, state, Layers { bones: false, ..Layers::ALL }, size, out);
}

pub(crate) fn draw_solves(
    rigs: Query<(Entity, &Rig), With<ShowSolve>>,
    transforms: TransformHelper,
    mut gizmos: Gizmos,
) {
    for (entity, rig) in &rigs {
        if let Ok(root) = transforms.compute_global_transform(entity) {
            draw(rig, root, &mut gizmos);
        }
    }
}
