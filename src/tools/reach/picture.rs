//! Draws the volume that a hand or foot can reach: its surface, and a slice coloured by gap, the distance from a target to
//! the hand or foot that reaches for it.

use std::f32::consts::PI;

use glam::Vec3;
use macroquad::models::Vertex;
use macroquad::prelude as mq;

use crate::picture::vertex;
use crate::session::Session;
use crate::ui::theme::{Theme, warmth};
use kinescope_ik::debugger::reach_volume::ReachVolume;
use kinescope_ik::math::unit_or_zero;

/// Number of cells of the slice across half the width of the grid of tried targets.
const SLICE: i32 = 28;

/// Gap, relative to the character's height, up to which the slice gets denser.
const NEAREST: f32 = 0.006;
/// Gap, relative to the character's height, at which the slice has faded out.
const FARTHEST: f32 = 0.16;

/// Draws surface and slice as one list of triangles, sorted from far to near because both are translucent.
pub(crate) fn draw(session: &Session, theme: &Theme, volume: &ReachVolume, light: Vec3) {
    let eye = session.look.camera.eye();
    let mut triangles = Vec::with_capacity(volume.triangles.len() + 8 * (SLICE * SLICE) as usize);
    surface(session, theme, volume, light, &mut triangles);
    if session.look.view.reach_slice {
        slice(session, theme, volume, &mut triangles);
    }
    let away = |corners: &[Vertex; 3]| {
        let sum = corners.iter().fold(Vec3::ZERO, |sum, corner| sum + Vec3::from_array(corner.position.to_array()));
        (sum / 3.0).distance_squared(eye)
    };
    triangles.sort_by(|a, b| away(b).total_cmp(&away(a)));
    for call in triangles.chunks(crate::picture::LARGEST_CALL / 3) {
        let vertices: Vec<Vertex> = call.iter().flatten().copied().collect();
        let indices = (0..vertices.len() as u16).collect();
        mq::draw_mesh(&mq::Mesh { vertices, indices, texture: None });
    }
}

fn surface(session: &Session, theme: &Theme, volume: &ReachVolume, light: Vec3, triangles: &mut Vec<[Vertex; 3]>) {
    let eye = session.look.camera.eye();
    let own = volume.limb.map_or(theme.body, |limb| theme.limb(limb));
    let color = if session.reach_is_stale().is_some() { theme.previous } else { own };
    let corners: Vec<Vertex> = volume
        .points
        .iter()
        .map(|point| {
            let facing = point.normal.dot(unit_or_zero(eye - point.position));
            let rim = (1.0 - facing.abs()).powi(2);
            // The far side is fainter, because it is seen through the near side.
            let alpha = if facing > 0.0 { 0.20 + 0.55 * rim } else { 0.10 + 0.15 * rim };
            let shade = 0.45 + 0.55 * (point.normal.dot(light) * 0.5 + 0.5);
            let turn = session.look.view.reach_turns.then(|| volume.gaps.turn_at(point.position)).flatten();
            let color = turn.map_or(color, |turn| theme.warmth(turn / PI));
            let [r, g, b, _] = color.to_array().map(|channel| (f32::from(channel) * shade) as u8);
            vertex(point.position.to_array(), [r, g, b, (alpha * 255.0) as u8])
        })
        .collect();
    triangles.extend(volume.triangles.iter().map(|triangle| triangle.map(|index| corners[index as usize])));
}

/// Adds the slice, facing the eye. The colour at a point shows the gap of a target there, or the turn of elbow or knee.
fn slice(session: &Session, theme: &Theme, volume: &ReachVolume, triangles: &mut Vec<[Vertex; 3]>) {
    let Some(through) = volume.limb.and_then(|limb| session.reach_slice_at(limb)) else { return };
    let (right, up) = session.look.camera.right_and_up();
    let grid = &volume.gaps;
    let step = grid.spacing * grid.count as f32 / 2.0 / SLICE as f32;
    let height = session.world.character.height;
    let radius = grid.spacing * (grid.count - 1) as f32 / 2.0;
    let middle = grid.corner + radius;
    let corner = |column: i32, row: i32| {
        let at = through + (right * column as f32 + up * row as f32) * step;
        grid.at(at).map(|gap| {
            // The colour fades with the gap, so that the slice is empty far from the volume.
            let near = 1.0 - (gap / height / FARTHEST).min(1.0);
            // The colour fades toward the edge of the tried targets.
            let inward = ((0.88 - at.distance(middle) / radius) * 8.0).clamp(0.0, 1.0);
            let alpha = (0.06 + 0.66 * (gap / height / NEAREST).min(1.0)) * near * inward;
            let turn = session.look.view.reach_turns.then(|| grid.turn_at(at)).flatten();
            let alpha = if turn.is_some() { alpha.max(0.6 * near * inward) } else { alpha };
            let [r, g, b, _] = theme.warmth(turn.map_or(warmth(gap / height), |turn| turn / PI)).to_array();
            vertex(at.to_array(), [r, g, b, (alpha * 255.0) as u8])
        })
    };
    // The slice may lie anywhere in the grid, so it spans twice the width.
    for row in -2 * SLICE..2 * SLICE {
        for column in -2 * SLICE..2 * SLICE {
            let quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| corner(column + dx, row + dy));
            if let [Some(a), Some(b), Some(c), Some(d)] = quad {
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
}
