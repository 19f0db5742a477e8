//! Drawing: the camera, materials and surfaces in 3D, and the overlay of marks and labels. This folder depends on no tool.

pub mod camera;
pub(crate) mod framing;
pub mod labels;
pub(crate) mod materials;
pub mod overlay;
pub mod picking;
pub mod places;
pub mod surface;

use egui_macroquad::egui::Color32;
use macroquad::models::Vertex;
use macroquad::prelude as mq;

/// Largest number of vertices in one draw call, whose indices are 16 bits wide.
pub const LARGEST_CALL: usize = 65_535;

pub(crate) fn color(color: Color32) -> mq::Color {
    mq::Color::from_rgba(color.r(), color.g(), color.b(), color.a())
}

pub(crate) fn vertex(position: [f32; 3], color: [u8; 4]) -> Vertex {
    Vertex { position: position.into(), uv: mq::Vec2::ZERO, color, normal: mq::vec4(0.0, 1.0, 0.0, 0.0) }
}
