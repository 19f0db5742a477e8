//! Drawing the picture: character, shadow and ground in 3D, with the solver's drawing on top.

pub mod camera;
mod caption;
pub mod framing;
pub mod labels;
pub mod navigation;
pub mod overlay;
pub mod paint;
pub mod places;
pub mod surface;

use kinescope_ik::stack::LabChain;
use kinescope_ik::timing::{Laps, Work};
use macroquad::miniquad::{BlendFactor, BlendState, BlendValue, Comparison, Equation, PipelineParams};
use macroquad::models::Vertex;
use macroquad::prelude as mq;

use super::session::{MeshStyle, Session};
use crate::picture::camera::Viewport;
use crate::picture::surface::Surface;
use crate::tools::ground::terrain::TerrainMesh;
use crate::tools::{crowd, ground, reach};
use crate::ui::theme::Theme;
use egui_macroquad::egui::Color32;

/// Returns the spacing of the grid in the picture, model units.
pub fn grid_spacing(session: &Session) -> f32 {
    let on_terrain = session.plan().terrain.is_some() && session.view.ground;
    if on_terrain { ground::terrain::SPACING } else { ground::picture::spacing(session.character.height) }
}

/// Largest number of vertices in one draw call: indices are 16 bits wide.
pub const LARGEST_CALL: usize = 65_535;

/// Materials, meshes and reused buffers.
pub struct Renderer {
    solid: mq::Material,
    blended: mq::Material,
    xray: mq::Material,
    depth: mq::Material,
    flat: mq::Material,
    land: mq::Material,
    shadow: mq::Material,
    surface: Option<Surface>,
    terrain: TerrainMesh,
}

/// The camera as macroquad needs it.
struct PictureCamera {
    matrix: mq::Mat4,
    depth: bool,
    viewport: (i32, i32, i32, i32),
}

impl mq::Camera for PictureCamera {
    fn matrix(&self) -> mq::Mat4 {
        self.matrix
    }

    fn depth_enabled(&self) -> bool {
        self.depth
    }

    fn render_pass(&self) -> Option<mq::RenderPass> {
        None
    }

    fn viewport(&self) -> Option<(i32, i32, i32, i32)> {
        Some(self.viewport)
    }
}

const VERTEX: &str = "#version 100
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
attribute vec4 normal;
varying lowp vec2 uv;
varying lowp vec4 color;
varying highp vec3 direction;
varying highp vec3 place;
varying lowp float cutoff;
uniform mat4 Model;
uniform mat4 Projection;
void main() {
    gl_Position = Projection * Model * vec4(position, 1);
    color = color0 / 255.0;
    uv = texcoord;
    direction = normal.xyz;
    cutoff = normal.w;
    place = position;
}";

/// Lights: a key light from above and the camera's left, a soft sky, and a rim that contrasts with the background.
///
/// Brightness above the knee is compressed towards white, all channels by the same factor, so that white surfaces keep
/// their shape and coloured ones their hue.
const LIT: &str = "#version 100
precision highp float;
varying lowp vec2 uv;
varying lowp vec4 color;
varying highp vec3 direction;
varying highp vec3 place;
varying lowp float cutoff;
uniform sampler2D Texture;
uniform vec3 Eye;
uniform vec3 Light;
uniform float Rim;
void main() {
    vec4 base = texture2D(Texture, uv) * color;
    if (base.a < cutoff) discard;
    vec3 n = normalize(direction);
    vec3 v = normalize(Eye - place);
    float key = max(dot(n, Light), 0.0);
    float wrapped = pow(dot(n, Light) * 0.5 + 0.5, 2.0);
    float sky = n.y * 0.5 + 0.5;
    float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
    float shine = pow(max(dot(n, normalize(Light + v)), 0.0), 28.0);
    vec3 light = vec3(0.20, 0.21, 0.24) + vec3(0.34, 0.35, 0.38) * sky + vec3(0.40, 0.39, 0.37) * wrapped
        + vec3(0.24, 0.23, 0.21) * key;
    vec3 shaded = max(base.rgb * light + vec3(Rim) * rim * sky + vec3(0.06) * shine, 0.0);
    const float knee = 0.6;
    float most = max(max(shaded.r, shaded.g), max(shaded.b, 1e-3));
    float over = max(most - knee, 0.0) / (1.0 - knee);
    float kept = min(most, knee) + (1.0 - knee) * (1.0 - exp(-over));
    gl_FragColor = vec4(shaded * (kept / most), base.a);
}";

/// Transparent where the surface faces the eye, opaque at its rim.
const XRAY: &str = "#version 100
precision highp float;
varying highp vec3 direction;
varying highp vec3 place;
uniform vec3 Eye;
uniform vec3 Light;
uniform vec4 Base;
uniform vec4 Rim;
uniform vec2 Alpha;
void main() {
    vec3 n = normalize(direction);
    vec3 v = normalize(Eye - place);
    float facing = abs(dot(n, v));
    float rim = pow(1.0 - facing, 2.3);
    float wrapped = pow(dot(n, Light) * 0.5 + 0.5, 2.0);
    vec3 color = mix(Base.rgb * (0.45 + 0.55 * wrapped), Rim.rgb, rim);
    gl_FragColor = vec4(color, mix(Alpha.x, Alpha.y, rim));
}";

const FLAT: &str = "#version 100
precision mediump float;
varying lowp vec4 color;
void main() {
    gl_FragColor = color;
}";

/// Uneven ground with contact shadows under feet and body, which show heights as a cast shadow does on level ground.
/// The shadows are part of the ground's colour, as an overlay would z-fight at edges.
///
/// A spot is a position and a radius. It fades with the ground's depth below it, within its reach; ground above the
/// spot is not darkened.
const LAND: &str = "#version 100
precision highp float;
varying lowp vec4 color;
varying highp vec3 place;
uniform vec4 Left;
uniform vec4 Right;
uniform vec4 Body;
uniform vec3 Strength;
uniform vec3 Reach;
uniform float Rise;
vec3 darkened(vec3 ground, vec4 spot, float strength, float reach) {
    float away = min(length(place.xz - spot.xz) / spot.w, 1.0);
    float below = spot.y - place.y;
    float near = clamp(1.0 - below / reach, 0.0, 1.0) * clamp(1.0 + below / Rise, 0.0, 1.0);
    float soft = 1.0 - away * away;
    return mix(ground, vec3(0.03, 0.035, 0.043), strength * near * soft * soft);
}
void main() {
    vec3 ground = darkened(color.rgb, Left, Strength.x, Reach.x);
    ground = darkened(ground, Right, Strength.y, Reach.y);
    ground = darkened(ground, Body, Strength.z, Reach.z);
    gl_FragColor = vec4(ground, color.a);
}";

/// The background, darkened. Opaque, so that overlapping triangles do not add up.
const SHADOW: &str = "#version 100
precision highp float;
uniform vec4 Top;
uniform vec4 Bottom;
uniform vec4 Span;
void main() {
    float t = clamp((gl_FragCoord.y - Span.x) / Span.y, 0.0, 1.0);
    gl_FragColor = vec4(mix(Bottom.rgb, Top.rgb, t) * Span.z, 1.0);
}";

fn blend() -> Option<BlendState> {
    Some(BlendState::new(
        Equation::Add,
        BlendFactor::Value(BlendValue::SourceAlpha),
        BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
    ))
}

fn material(
    fragment: &str,
    pipeline: PipelineParams,
    uniforms: &[(&str, mq::UniformType)],
) -> Result<mq::Material, String> {
    let uniforms = uniforms.iter().map(|(name, kind)| mq::UniformDesc::new(name, *kind)).collect();
    let params = mq::MaterialParams { pipeline_params: pipeline, uniforms, ..Default::default() };
    mq::load_material(mq::ShaderSource::Glsl { vertex: VERTEX, fragment }, params)
        .map_err(|error| format!("Could not compile a shader: {error}. Update the graphics driver"))
}

impl Renderer {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// The driver's message.
    pub fn new() -> Result<Self, String> {
        use mq::UniformType::{Float1, Float2, Float3, Float4};
        let opaque =
            PipelineParams { depth_test: Comparison::LessOrEqual, depth_write: true, ..PipelineParams::default() };
        let blended = PipelineParams { color_blend: blend(), ..opaque };
        let light = [("Eye", Float3), ("Light", Float3)];
        let lit = [light[0], light[1], ("Rim", Float1)];
        let spots = [("Left", Float4), ("Right", Float4), ("Body", Float4)];
        let land = [&spots[..], &[("Strength", Float3), ("Reach", Float3), ("Rise", Float1)]].concat();
        let xray = [light[0], light[1], ("Base", Float4), ("Rim", Float4), ("Alpha", Float2)];
        Ok(Self {
            solid: material(LIT, opaque, &lit)?,
            blended: material(LIT, blended, &lit)?,
            xray: material(XRAY, blended, &xray)?,
            depth: material(FLAT, PipelineParams { color_write: (false, false, false, false), ..opaque }, &[])?,
            flat: material(FLAT, blended, &[])?,
            land: material(LAND, blended, &land)?,
            shadow: material(SHADOW, opaque, &[("Top", Float4), ("Bottom", Float4), ("Span", Float4)])?,
            surface: None,
            terrain: TerrainMesh::new(),
        })
    }

    /// Uploads meshes and textures of another character.
    pub fn set_character(&mut self, session: &Session) {
        self.surface = Some(Surface::new(&session.character.model, &session.character.rest));
    }

    /// Draws everything behind the interface and measures the parts. `scale` is physical pixels per logical pixel.
    pub fn draw(&mut self, session: &Session, scale: f32, laps: &mut Laps) {
        let theme = Theme::of(session.view.light_theme);
        let Viewport { min, size } = session.look.viewport;
        let height = mq::screen_height();
        let viewport = (
            (min.x * scale) as i32,
            (height - (min.y + size.y) * scale) as i32,
            (size.x * scale).max(1.0) as i32,
            (size.y * scale).max(1.0) as i32,
        );
        mq::clear_background(color(theme.well));

        let camera = |matrix, depth| PictureCamera { matrix, depth, viewport };
        mq::set_camera(&camera(mq::Mat4::IDENTITY, false));
        mq::gl_use_material(&self.flat);
        mq::draw_mesh(&backdrop(theme));

        let matrix = session.look.camera.projection(session.look.viewport) * session.look.camera.view();
        let in_depth = camera(mq::Mat4::from_cols_array(&matrix.to_cols_array()), true);
        mq::set_camera(&in_depth);
        let hides_character = session.lab().is_some_and(|lab| !matches!(lab.chain, LabChain::Bones(_)));
        if let Some(surface) = self.surface.as_mut().filter(|_| hides_character) {
            mq::gl_use_material(&self.flat);
            ground::picture::draw(session, theme, surface.ground());
        } else if let Some(surface) = &mut self.surface {
            surface.pose(&session.picture.pose, glam::Vec3::ZERO);
            let light = light_direction(session);
            let ground = surface.ground();
            if let Some(land) = session.plan().terrain {
                if session.view.ground {
                    self.terrain.update(land, theme, session.look.camera.target);
                    ground::picture::set_contact_shadows(&self.land, session, theme);
                    mq::gl_use_material(&self.land);
                    let boxes = session.motion.ground().map_or(&[][..], |surface| surface.boxes());
                    self.terrain.draw(boxes, session.look.camera.eye());
                }
            } else if session.view.ground {
                self.shadow.set_uniform("Top", color(theme.picture_top).to_vec());
                self.shadow.set_uniform("Bottom", color(theme.picture_bottom).to_vec());
                let darkness = if theme.is_light { 0.86 } else { 0.62 };
                self.shadow.set_uniform("Span", mq::vec4(viewport.1 as f32, viewport.3 as f32, darkness, 0.0));
                mq::gl_use_material(&self.shadow);
                if session.view.mesh != MeshStyle::Hidden && session.look.camera.pitch > 0.0 {
                    surface.draw_shadow(light, ground);
                }
                mq::gl_use_material(&self.flat);
                ground::picture::draw(session, theme, ground);
            }
            let eye = session.look.camera.eye();
            for material in [&self.solid, &self.blended, &self.xray] {
                material.set_uniform("Eye", eye.to_array());
                material.set_uniform("Light", light.to_array());
            }
            for material in [&self.solid, &self.blended] {
                material.set_uniform("Rim", if theme.is_light { -0.3f32 } else { 0.1 });
            }
            // Chains run inside the body, which is transparent to show them.
            let mesh = match session.view.mesh {
                MeshStyle::Solid if session.chain_focus().is_some() || session.in_doctor() => MeshStyle::Xray,
                mesh => mesh,
            };
            match mesh {
                MeshStyle::Hidden => {}
                MeshStyle::Solid => {
                    mq::gl_use_material(&self.solid);
                    surface.draw(theme, false);
                    mq::gl_use_material(&self.blended);
                    surface.draw(theme, true);
                }
                MeshStyle::Xray => self.draw_clear(theme, [theme.xray_body, theme.xray_rim], [0.34, 0.95]),
            }
            self.draw_other(session, theme);
            if let Some(surface) = self.surface.as_mut().filter(|_| session.crowd.is_there()) {
                // macroquad draws queued meshes when a camera is set: flush before, so that each part is measured
                // separately.
                mq::set_camera(&in_depth);
                laps.end(Work::Picture);
                crowd::picture::draw(session, theme, surface, &self.solid, &self.flat);
                mq::set_camera(&in_depth);
                laps.end(Work::Crowd);
            }
            if let Some(volume) = session.debugger.reach.volume.as_ref().filter(|_| session.view.reach) {
                mq::gl_use_material(&self.flat);
                reach::picture::draw(session, theme, volume, light);
            }
        }
        mq::gl_use_default_material();
        mq::set_default_camera();
        laps.end(Work::Picture);
    }
}

impl Renderer {
    /// Draws the posed surface with opacity `alpha` from where it faces the eye to its rim.
    fn draw_clear(&mut self, theme: &Theme, [base, rim]: [Color32; 2], alpha: [f32; 2]) {
        let Some(surface) = &mut self.surface else { return };
        self.xray.set_uniform("Base", color(base).to_vec());
        self.xray.set_uniform("Rim", color(rim).to_vec());
        self.xray.set_uniform("Alpha", alpha);
        for material in [&self.depth, &self.xray] {
            mq::gl_use_material(material);
            surface.draw(theme, false);
            surface.draw(theme, true);
        }
    }

    /// Draws the second result: as an outline over the first, or whole next to it.
    fn draw_other(&mut self, session: &Session, theme: &Theme) {
        let Some(other) = session.debugger.other().filter(|_| session.view.other) else { return };
        if session.view.mesh == MeshStyle::Hidden || other.shown.bones.is_empty() {
            return;
        }
        let Some(surface) = &mut self.surface else { return };
        let aside = session.other_offset();
        surface.pose(&other.shown, aside);
        match (aside == glam::Vec3::ZERO, session.view.mesh) {
            (true, _) => self.draw_clear(theme, [theme.previous, theme.text[0]], [0.10, 0.80]),
            (false, MeshStyle::Xray) => self.draw_clear(theme, [theme.xray_body, theme.xray_rim], [0.34, 0.95]),
            (false, _) => {
                mq::gl_use_material(&self.solid);
                surface.draw(theme, false);
                mq::gl_use_material(&self.blended);
                surface.draw(theme, true);
            }
        }
    }
}

/// Returns the direction to the light: above, left of the camera, slightly behind it.
fn light_direction(session: &Session) -> glam::Vec3 {
    let (right, _) = session.look.camera.right_and_up();
    let back = session.look.camera.back();
    let level = glam::Vec3::new(back.x, 0.0, back.z).normalize_or(glam::Vec3::Z);
    (glam::Vec3::Y * 1.15 - right * 0.55 + level * 0.55).normalize()
}

pub(super) fn color(color: Color32) -> mq::Color {
    mq::Color::from_rgba(color.r(), color.g(), color.b(), color.a())
}

pub(crate) fn vertex(position: [f32; 3], color: [u8; 4]) -> Vertex {
    Vertex { position: position.into(), uv: mq::Vec2::ZERO, color, normal: mq::vec4(0.0, 1.0, 0.0, 0.0) }
}

/// Returns the background gradient as a quad in clip space.
fn backdrop(theme: &Theme) -> mq::Mesh {
    const FAR: f32 = 0.99999;
    let (top, bottom) = (theme.picture_top.to_array(), theme.picture_bottom.to_array());
    let corners =
        [([-1.0, -1.0, FAR], bottom), ([1.0, -1.0, FAR], bottom), ([1.0, 1.0, FAR], top), ([-1.0, 1.0, FAR], top)];
    mq::Mesh {
        vertices: corners.map(|(position, color)| vertex(position, color)).to_vec(),
        indices: vec![0, 1, 2, 0, 2, 3],
        texture: None,
    }
}
