//! The volume that a hand or foot can reach: its surface as a cloud of small shaded discs.

use glam::Vec3;
use macroquad::prelude as mq;

use super::vertex;
use crate::app::session::Session;
use crate::app::theme::Theme;
use crate::debugger::reach_cloud::ReachCloud;
use crate::math::unit_or_zero;

/// Radius of a disc as a fraction of the distance of neighbours.
const RADIUS: f32 = 0.17;
/// Corners of a disc.
const CORNERS: usize = 7;
/// Discs that fit one draw call.
const DISCS_A_CALL: usize = super::LARGEST_CALL / CORNERS;

/// From far to near, since they shine through.
pub(super) fn draw(session: &Session, theme: &Theme, cloud: &ReachCloud, light: Vec3) {
    let eye = session.camera.eye();
    let color = cloud.limb.map_or(theme.body, |limb| theme.limb(limb));
    let mut order: Vec<(f32, usize)> =
        cloud.points.iter().enumerate().map(|(index, point)| (point.position.distance_squared(eye), index)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (right, up) = session.camera.right_and_up();
    for call in order.chunks(DISCS_A_CALL) {
        let mut mesh = mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
        for &(_, index) in call {
            let point = cloud.points[index];
            let facing = point.normal.dot(unit_or_zero(eye - point.position));
            // The far side of the volume is seen through the near one.
            let alpha = if facing > 0.0 { 0.9 } else { 0.28 };
            let shade = 0.35 + 0.65 * (point.normal.dot(light) * 0.5 + 0.5);
            let [r, g, b, _] = color.to_array().map(|channel| (f32::from(channel) * shade) as u8);
            let first = mesh.vertices.len() as u16;
            for corner in 0..CORNERS {
                let (sin, cos) = (corner as f32 / CORNERS as f32 * std::f32::consts::TAU).sin_cos();
                let at = point.position + (right * cos + up * sin) * cloud.spacing * RADIUS;
                mesh.vertices.push(vertex(at.to_array(), [r, g, b, (alpha * 255.0) as u8]));
            }
            for corner in 1..CORNERS as u16 - 1 {
                mesh.indices.extend([first, first + corner, first + corner + 1]);
            }
        }
        mq::draw_mesh(&mesh);
    }
}
