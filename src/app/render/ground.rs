//! The ground: a grid that fades out.

use glam::Vec3;
use macroquad::prelude as mq;

use super::vertex;
use crate::app::session::Session;
use crate::app::theme::Theme;
use crate::full_body::Node;

/// Lines to either side of the middle.
const LINES: i32 = 22;
/// Pieces a line is made of, so that each can fade and keep its width.
const PIECES: i32 = 44;

/// The distance of grid lines for a character: 0.25 m for a person, and the like for any size.
pub fn spacing(height: f32) -> f32 {
    let ideal = height / 7.0;
    let decade = 10f32.powf(ideal.log10().floor());
    let steps = [1.0, 2.5, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().min_by(|a, b| (a - ideal).abs().total_cmp(&(b - ideal).abs())).unwrap_or(ideal)
}

pub(super) fn draw(session: &Session, theme: &Theme, ground: f32) {
    let height = session.character.height;
    let spacing = spacing(height);
    let projector = session.projector();
    let strength = if theme.is_light { 0.75 } else { 0.55 };
    let target = session.camera.target;
    let snap = |value: f32| (value / spacing / 4.0).round() * spacing * 4.0;
    let center = Vec3::new(snap(target.x), ground, snap(target.z));
    let alpha = |point: Vec3, major: bool| {
        let away = (point - center).length() / height;
        let fade = 1.0 - ((away - 0.7) / 2.3).clamp(0.0, 1.0);
        fade * fade * strength * if major { 1.0 } else { 0.45 }
    };
    let reach = spacing * LINES as f32;
    let mut mesh = mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
    for line in -LINES..=LINES {
        let major = line % 4 == 0;
        for (along, across) in [(Vec3::X, Vec3::Z), (Vec3::Z, Vec3::X)] {
            let origin = center + across * (line as f32 * spacing);
            let mut before: Option<u16> = None;
            for piece in 0..=PIECES {
                let point = origin + along * ((piece as f32 / PIECES as f32 * 2.0 - 1.0) * reach);
                let width = projector.units_per_pixel(point) * if major { 0.75 } else { 0.6 };
                let [r, g, b, _] = theme.grid.to_array();
                let color = [r, g, b, (alpha(point, major) * 255.0) as u8];
                let next = mesh.vertices.len() as u16;
                for side in [-1.0, 1.0] {
                    mesh.vertices.push(vertex((point + across * (side * width)).to_array(), color));
                }
                if let Some(before) = before {
                    mesh.indices.extend([before, before + 1, next, before + 1, next + 1, next]);
                }
                before = Some(next);
            }
        }
    }
    mq::draw_mesh(&mesh);
}

/// Corners of a contact shadow, and rings from its middle to its rim.
const CORNERS: u16 = 24;
const RINGS: u16 = 4;

/// Soft dark spots on uneven ground, under the feet and under the body: what a shadow on level ground tells of heights.
pub(super) fn draw_contact_shadows(session: &Session, theme: &Theme) {
    let (Some(state), height) = (session.state(), session.character.height) else { return };
    let (feet, body) = (session.motion.contacts.map(|contact| contact.solved), state.nodes[Node::Body]);
    let foot = |points: [Vec3; 3]| ((points[0] + points[1] + points[2]) / 3.0, 0.11 * height, 0.5);
    let spots = [foot(feet[0]), foot(feet[1]), (body, 0.26 * height, 0.4)];
    let mut mesh = mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
    for (over, radius, strength) in spots {
        let Some(depth) = session.motion.depth(&[over]) else { continue };
        // Feet in the air have a weaker one; the body is always about a leg above.
        let far = if over == body { 0.0 } else { (-depth / (0.2 * height)).clamp(0.0, 1.0) };
        let strength = strength * (1.0 - far) * if theme.is_light { 0.6 } else { 1.0 };
        let first = mesh.vertices.len() as u16;
        for ring in 0..=RINGS {
            let share = f32::from(ring) / f32::from(RINGS);
            let alpha = (strength * (1.0 - share * share).powi(2) * 255.0) as u8;
            for corner in 0..CORNERS {
                let (sine, cosine) = (f32::from(corner) / f32::from(CORNERS) * std::f32::consts::TAU).sin_cos();
                let at = over + Vec3::new(cosine, 0.0, sine) * (radius * share);
                let ground = session.motion.depth(&[at]).map_or(over.y, |depth| at.y + depth);
                let place = Vec3::new(at.x, ground + 0.003 * height, at.z);
                mesh.vertices.push(vertex(place.to_array(), [8, 9, 11, alpha]));
            }
        }
        for ring in 0..RINGS {
            for corner in 0..CORNERS {
                let next = (corner + 1) % CORNERS;
                let [a, b] = [corner, next].map(|corner| first + ring * CORNERS + corner);
                mesh.indices.extend([a, b, a + CORNERS, b, b + CORNERS, a + CORNERS]);
            }
        }
    }
    mq::draw_mesh(&mesh);
}

#[cfg(test)]
mod tests {
    use super::spacing;

    #[test]
    fn the_grid_fits_any_size() {
        assert_eq!(spacing(1.8), 0.25);
        assert_eq!(spacing(180.0), 25.0);
        for height in [0.02, 0.3, 4.5, 1000.0] {
            assert!((3.0..15.0).contains(&(height / spacing(height))), "{height}");
        }
    }
}
