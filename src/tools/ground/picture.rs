//! Draws level ground as a grid that fades out, and sets the contact shadows on terrain.

use glam::Vec3;
use macroquad::prelude as mq;

use crate::picture::vertex;
use crate::session::{MeshStyle, Session};
use crate::tools::ground::terrain;
use crate::ui::theme::Theme;
use kinescope_ik::full_body::Node;

/// Number of grid lines on each side of the centre.
const LINES: i32 = 22;
/// Number of pieces per line. Each piece can fade and keeps its width in pixels.
const PIECES: i32 = 44;

/// Returns the spacing of grid lines for a character's height: about a seventh of it, rounded to 1, 2.5 or 5 times a
/// power of ten. This is 0.25 m for a person.
pub fn spacing(height: f32) -> f32 {
    let ideal = height / 7.0;
    let decade = 10f32.powf(ideal.log10().floor());
    let steps = [1.0, 2.5, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().min_by(|a, b| (a - ideal).abs().total_cmp(&(b - ideal).abs())).unwrap_or(ideal)
}

pub(crate) fn draw(session: &Session, theme: &Theme, ground: f32) {
    let height = session.world.character.height;
    let spacing = spacing(height);
    let projector = session.projector();
    let strength = if theme.is_light { 0.75 } else { 0.55 };
    let target = session.look.camera.target;
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

pub(crate) fn set_contact_shadows(land: &mq::Material, session: &Session, theme: &Theme) {
    let height = session.world.character.height;
    let state = session.state().filter(|_| session.look.view.mesh != MeshStyle::Hidden);
    let body = state.map_or(Vec3::ZERO, |state| state.node(Node::Body));
    let contacts = session.world.contacts();
    let middle = |points: [Vec3; 3]| points.iter().sum::<Vec3>() / 3.0;
    let [left, right] = contacts.map_or([Vec3::ZERO; 2], |both| both.map(|contact| middle(contact.solved)));
    let below = |over: Vec3, radius: f32| [over.x, over.y, over.z, radius * height];
    land.set_uniform("Left", below(left, 0.11));
    land.set_uniform("Right", below(right, 0.11));
    land.set_uniform("Body", below(body, 0.26));
    let strength = if theme.is_light { 0.6 } else { 1.0 };
    let strength = if state.is_some() { strength } else { 0.0 };
    land.set_uniform("Strength", [0.5, 0.5, 0.4].map(|share: f32| share * strength));
    land.set_uniform("Reach", [0.2 * height, 0.2 * height, 1000.0 * height]);
    land.set_uniform("Rise", 0.1 * height);
}

pub(crate) fn grid_spacing(session: &Session) -> f32 {
    let on_terrain = session.world.plan().terrain.is_some() && session.look.view.ground;
    if on_terrain { terrain::SPACING } else { spacing(session.world.character.height) }
}
