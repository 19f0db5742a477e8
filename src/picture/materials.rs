use macroquad::miniquad::{BlendFactor, BlendState, BlendValue, Comparison, Equation, PipelineParams};
use macroquad::prelude as mq;

use crate::picture::vertex;
use crate::ui::theme::Theme;

pub(crate) struct Materials {
    pub(crate) solid: mq::Material,
    pub(crate) blended: mq::Material,
    /// Adds emitted light to surfaces that were drawn before, when they are drawn again at the same depth.
    pub(crate) glow: mq::Material,
    pub(crate) xray: mq::Material,
    pub(crate) depth: mq::Material,
    pub(crate) flat: mq::Material,
    pub(crate) land: mq::Material,
    pub(crate) shadow: mq::Material,
}

pub(crate) struct PictureCamera {
    pub(crate) matrix: mq::Mat4,
    pub(crate) depth: bool,
    pub(crate) viewport: (i32, i32, i32, i32),
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
varying highp vec2 uv;
varying lowp vec4 color;
varying highp vec3 direction;
varying highp vec3 place;
varying mediump float cutoff;
uniform mat4 Model;
uniform mat4 Projection;
invariant gl_Position;
void main() {
    gl_Position = Projection * Model * vec4(position, 1);
    color = color0 / 255.0;
    uv = texcoord;
    direction = normal.xyz;
    cutoff = normal.w;
    place = position;
}";

/// Lights the surface by a key light from above and the camera's left, a soft sky, and a rim that contrasts with the
/// background.
///
/// A cutoff below 0 marks an unlit surface, whose own cutoff is 2 larger.
///
/// Brightness above the knee is compressed toward white, by the same factor in all channels, so that white surfaces keep
/// their shape and coloured ones their hue.
const LIT: &str = "#version 100
precision highp float;
varying highp vec2 uv;
varying lowp vec4 color;
varying highp vec3 direction;
varying highp vec3 place;
varying mediump float cutoff;
uniform sampler2D Texture;
uniform vec3 Eye;
uniform vec3 Light;
uniform float Rim;
void main() {
    vec4 base = texture2D(Texture, uv) * color;
    bool unlit = cutoff < 0.0;
    if (base.a < (unlit ? cutoff + 2.0 : cutoff)) discard;
    if (unlit) {
        gl_FragColor = base;
        return;
    }
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

/// Emitted light. The depth test leaves out texels of cut-out surfaces.
const GLOW: &str = "#version 100
precision highp float;
varying highp vec2 uv;
varying lowp vec4 color;
uniform sampler2D Texture;
void main() {
    gl_FragColor = vec4(texture2D(Texture, uv).rgb * color.rgb, 0.0);
}";

/// Draws a surface that is more transparent where it faces the eye than at its rim.
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

/// Draws uneven ground with contact shadows that show the heights of feet and body. The shadows are part of the ground's
/// colour, because an overlay would z-fight at edges.
///
/// A spot is a position and a radius. It fades with the ground's depth below it, within its reach, and with the ground's
/// height above it, within `Rise`.
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

/// Draws the shadow as a darkened background. It is opaque, so that overlapping triangles do not add up.
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

impl Materials {
    pub(crate) fn new() -> Result<Self, String> {
        use mq::UniformType::{Float1, Float2, Float3, Float4};
        let opaque =
            PipelineParams { depth_test: Comparison::LessOrEqual, depth_write: true, ..PipelineParams::default() };
        let blended = PipelineParams { color_blend: blend(), ..opaque };
        let add = BlendState::new(Equation::Add, BlendFactor::One, BlendFactor::One);
        let glow = PipelineParams { color_blend: Some(add), depth_test: Comparison::Equal, ..opaque };
        let light = [("Eye", Float3), ("Light", Float3)];
        let lit = [light[0], light[1], ("Rim", Float1)];
        let spots = [("Left", Float4), ("Right", Float4), ("Body", Float4)];
        let land = [&spots[..], &[("Strength", Float3), ("Reach", Float3), ("Rise", Float1)]].concat();
        let xray = [light[0], light[1], ("Base", Float4), ("Rim", Float4), ("Alpha", Float2)];
        Ok(Self {
            solid: material(LIT, opaque, &lit)?,
            blended: material(LIT, blended, &lit)?,
            glow: material(GLOW, glow, &[])?,
            xray: material(XRAY, blended, &xray)?,
            depth: material(FLAT, PipelineParams { color_write: (false, false, false, false), ..opaque }, &[])?,
            flat: material(FLAT, blended, &[])?,
            land: material(LAND, blended, &land)?,
            shadow: material(SHADOW, opaque, &[("Top", Float4), ("Bottom", Float4), ("Span", Float4)])?,
        })
    }
}

pub(crate) fn backdrop(theme: &Theme) -> mq::Mesh {
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
