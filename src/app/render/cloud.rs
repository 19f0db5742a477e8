//! The volume that a hand or foot can reach: its surface as small shaded tiles.

use glam::Vec3;
use macroquad::prelude as mq;

use super::vertex;
use crate::app::session::Session;
use crate::app::theme::Theme;
use crate::debugger::reach_cloud::ReachCloud;
use crate::math::{ortho_normalize, unit_or_zero};

/// As a fraction of the distance of neighbours: tiles that nearly touch.
const TILE: f32 = 0.42;
/// Tiles that fit one draw call.
const TILES_A_CALL: usize = super::LARGEST_CALL / 4;

/// From far to near, since they shine through.
pub(super) fn draw(session: &Session, theme: &Theme, cloud: &ReachCloud, light: Vec3) {
    let eye = session.camera.eye();
    let color = cloud.limb.map_or(theme.body, |limb| theme.limb(limb));
    let mut order: Vec<(f32, usize)> =
        cloud.points.iter().enumerate().map(|(index, point)| (point.position.distance_squared(eye), index)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    for call in order.chunks(TILES_A_CALL) {
        let mut mesh = mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
        for &(_, index) in call {
            let point = cloud.points[index];
            let facing = point.normal.dot(unit_or_zero(eye - point.position));
            // The far side of the volume is seen through the near one.
            let alpha = if facing > 0.0 { 0.20 + 0.30 * (1.0 - facing) } else { 0.10 };
            let shade = 0.45 + 0.55 * (point.normal.dot(light) * 0.5 + 0.5);
            let [r, g, b, _] = color.to_array().map(|channel| (f32::from(channel) * shade) as u8);
            let across = ortho_normalize(point.normal, Vec3::Y) * cloud.spacing * TILE;
            let up = point.normal.cross(across);
            let first = mesh.vertices.len() as u16;
            for corner in [across + up, up - across, -across - up, across - up] {
                let at = point.position + corner;
                mesh.vertices.push(vertex(at.to_array(), [r, g, b, (alpha * 255.0) as u8]));
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|index| first + index));
        }
        mq::draw_mesh(&mesh);
    }
}
