mod caption;
pub mod paint;
mod words;

use kinescope_ik::stack::LabChain;
use kinescope_ik::timing::{Laps, Work};
use macroquad::prelude as mq;

use crate::picture::camera::Viewport;
use crate::picture::color;
use crate::picture::materials::{Materials, PictureCamera, backdrop};
use crate::picture::surface::Surface;
use crate::session::{MeshStyle, Session};
use crate::tools::ground::terrain::TerrainMesh;
use crate::tools::{body_lab, crowd, ground, reach};
use crate::ui::theme::Theme;
use egui_macroquad::egui::Color32;

pub(crate) struct Renderer {
    materials: Materials,
    surface: Option<Surface>,
    terrain: TerrainMesh,
}

impl Renderer {
    pub(crate) fn new() -> Result<Self, String> {
        Ok(Self { materials: Materials::new()?, surface: None, terrain: TerrainMesh::new() })
    }

    pub(crate) fn set_character(&mut self, session: &Session) {
        self.surface = Some(Surface::new(&session.world.character.drawn(), &session.world.character.rest));
    }

    /// `scale` is the number of physical pixels per logical pixel.
    pub(crate) fn draw(&mut self, session: &Session, scale: f32, laps: &mut Laps) {
        let theme = Theme::of(session.look.view.light_theme);
        let Viewport { min, size } = session.look.viewport;
        let height = macroquad::miniquad::window::screen_size().1 / scale;
        let viewport = (
            (min.x * scale) as i32,
            (height - (min.y + size.y) * scale) as i32,
            (size.x * scale).max(1.0) as i32,
            (size.y * scale).max(1.0) as i32,
        );
        mq::clear_background(color(theme.well));

        let camera = |matrix, depth| PictureCamera { matrix, depth, viewport };
        mq::set_camera(&camera(mq::Mat4::IDENTITY, false));
        mq::gl_use_material(&self.materials.flat);
        mq::draw_mesh(&backdrop(theme));

        let matrix = session.look.camera.projection(session.look.viewport) * session.look.camera.view();
        let in_depth = camera(mq::Mat4::from_cols_array(&matrix.to_cols_array()), true);
        mq::set_camera(&in_depth);
        let hides_character = session.world.lab().is_some_and(|lab| !matches!(lab.chain, LabChain::Bones(_)));
        if let Some(surface) = self.surface.as_mut().filter(|_| hides_character) {
            mq::gl_use_material(&self.materials.flat);
            ground::picture::draw(session, theme, surface.ground());
        } else if let Some(surface) = &mut self.surface {
            surface.morph(&session.world.picture.morphs);
            surface.pose(&session.world.picture.pose, glam::Vec3::ZERO);
            let light = light_direction(session);
            let ground = surface.ground();
            if let Some(land) = session.world.plan().terrain {
                if session.look.view.ground {
                    self.terrain.update(land, theme, session.look.camera.target);
                    ground::picture::set_contact_shadows(&self.materials.land, session, theme);
                    mq::gl_use_material(&self.materials.land);
                    let boxes = session.world.motion.ground().map_or(&[][..], |surface| surface.boxes());
                    self.terrain.draw(boxes, session.look.camera.eye());
                }
            } else if session.look.view.ground {
                self.materials.shadow.set_uniform("Top", color(theme.picture_top).to_vec());
                self.materials.shadow.set_uniform("Bottom", color(theme.picture_bottom).to_vec());
                let darkness = if theme.is_light { 0.86 } else { 0.62 };
                self.materials
                    .shadow
                    .set_uniform("Span", mq::vec4(viewport.1 as f32, viewport.3 as f32, darkness, 0.0));
                mq::gl_use_material(&self.materials.shadow);
                if session.look.view.mesh != MeshStyle::Hidden && session.look.camera.pitch > 0.0 {
                    surface.draw_shadow(light, ground);
                }
                mq::gl_use_material(&self.materials.flat);
                ground::picture::draw(session, theme, ground);
            }
            let eye = session.look.camera.eye();
            for material in [&self.materials.solid, &self.materials.blended, &self.materials.xray] {
                material.set_uniform("Eye", eye.to_array());
                material.set_uniform("Light", light.to_array());
            }
            for material in [&self.materials.solid, &self.materials.blended] {
                material.set_uniform("Rim", if theme.is_light { -0.3f32 } else { 0.1 });
            }
            // If a chain is in focus or the rig doctor is open, a solid body becomes transparent, because the bones lie
            // inside it.
            let mesh = match session.look.view.mesh {
                MeshStyle::Solid if session.chain_focus().is_some() || session.in_doctor() => MeshStyle::Xray,
                mesh => mesh,
            };
            match mesh {
                MeshStyle::Hidden => {}
                MeshStyle::Solid => draw_solid(&self.materials, surface, theme),
                MeshStyle::Xray => self.draw_clear(theme, [theme.xray_body, theme.xray_rim], [0.34, 0.95]),
            }
            self.draw_other(session, theme);
            self.draw_lanes(session, theme);
            if let Some(surface) = self.surface.as_mut().filter(|_| session.tools.crowd.is_there()) {
                // Setting a camera makes macroquad draw the queued meshes, so that each part is measured separately.
                mq::set_camera(&in_depth);
                laps.end(Work::Picture);
                crowd::picture::draw(session, theme, surface, &self.materials.solid, &self.materials.flat);
                mq::set_camera(&in_depth);
                laps.end(Work::Crowd);
            }
            if let Some(volume) = session.tools.debugger.reach.volume.as_ref().filter(|_| session.look.view.reach) {
                mq::gl_use_material(&self.materials.flat);
                reach::picture::draw(session, theme, volume, light);
            }
        }
        mq::gl_use_default_material();
        mq::set_default_camera();
        laps.end(Work::Picture);
    }
}

impl Renderer {
    /// Draws the posed surface transparently. `alpha` has the opacity of parts that face the eye, and that of the rim.
    fn draw_clear(&mut self, theme: &Theme, [base, rim]: [Color32; 2], alpha: [f32; 2]) {
        let Some(surface) = &mut self.surface else { return };
        self.materials.xray.set_uniform("Base", color(base).to_vec());
        self.materials.xray.set_uniform("Rim", color(rim).to_vec());
        self.materials.xray.set_uniform("Alpha", alpha);
        for material in [&self.materials.depth, &self.materials.xray] {
            mq::gl_use_material(material);
            surface.draw(theme, false);
            surface.draw(theme, true);
        }
    }

    fn draw_lanes(&mut self, session: &Session, theme: &Theme) {
        if session.look.view.mesh == MeshStyle::Hidden {
            return;
        }
        for lane in body_lab::picture::shown(session) {
            let Some(surface) = self.surface.as_mut().filter(|_| !lane.is_character) else { continue };
            surface.pose(lane.pose, lane.offset);
            match (lane.offset == glam::Vec3::ZERO, session.look.view.mesh) {
                (true, _) => self.draw_clear(theme, [lane.color; 2], [0.10, 0.80]),
                (false, MeshStyle::Xray) => self.draw_clear(theme, [theme.xray_body, theme.xray_rim], [0.34, 0.95]),
                (false, _) => draw_solid(&self.materials, surface, theme),
            }
        }
    }

    fn draw_other(&mut self, session: &Session, theme: &Theme) {
        let Some(other) = session.tools.debugger.other().filter(|_| session.look.view.other) else { return };
        if session.look.view.mesh == MeshStyle::Hidden || other.shown.bones.is_empty() {
            return;
        }
        let Some(surface) = &mut self.surface else { return };
        let aside = session.other_offset();
        surface.pose(&other.shown, aside);
        match (aside == glam::Vec3::ZERO, session.look.view.mesh) {
            (true, _) => self.draw_clear(theme, [theme.previous, theme.text[0]], [0.10, 0.80]),
            (false, MeshStyle::Xray) => self.draw_clear(theme, [theme.xray_body, theme.xray_rim], [0.34, 0.95]),
            (false, _) => draw_solid(&self.materials, surface, theme),
        }
    }
}

fn draw_solid(materials: &Materials, surface: &mut Surface, theme: &Theme) {
    for (material, blend) in [(&materials.solid, false), (&materials.blended, true)] {
        mq::gl_use_material(material);
        surface.draw(theme, blend);
        mq::gl_use_material(&materials.glow);
        surface.draw_glow(blend);
    }
}

/// Returns the unit vector to the light: up, to the left in the picture, and toward the camera.
fn light_direction(session: &Session) -> glam::Vec3 {
    let (right, _) = session.look.camera.right_and_up();
    let back = session.look.camera.back();
    let level = glam::Vec3::new(back.x, 0.0, back.z).normalize_or(glam::Vec3::Z);
    (glam::Vec3::Y * 1.15 - right * 0.55 + level * 0.55).normalize()
}
