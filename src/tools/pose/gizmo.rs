//! The gizmo: arrows and rings on the selected effector, or the target of the selected modifier.

use egui_macroquad::egui::{self, Align2, FontId, Pos2, Rect, Shape, Stroke, vec2};
use glam::{Mat4, Quat, Vec3};
use transform_gizmo_egui::math::{DQuat, DVec3, Transform};
use transform_gizmo_egui::{
    EnumSet, Gizmo, GizmoConfig, GizmoInteraction, GizmoMode, GizmoOrientation, GizmoResult, GizmoVisuals,
};

use crate::picture::places;
use crate::session::framing::has_wide_caption;
use crate::session::{GizmoStyle, SNAP_ANGLE, Session};
use crate::tools::pose::handles::HandleId;
use crate::tools::pose::words as text;
use crate::ui::theme::{Theme, fade, semibold};
use crate::ui::words::signed;
use kinescope_ik::stack::Stack;

/// Distance from the centre to the arrow tips and the rings, logical pixels.
const SIZE: f32 = 78.0;
/// Distance from the caption at which rings and arrows begin to fade, logical pixels.
const FADE: f32 = 36.0;
const AXES: [(Vec3, &str); 3] = [(Vec3::X, "x"), (Vec3::Y, "y"), (Vec3::Z, "z")];

#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    pub at: Pos2,
    pub pressed: bool,
    pub down: bool,
    /// Whether a press may begin a drag of the gizmo.
    pub is_free: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    pub label: String,
    pub gesture: u64,
    pub stack: Stack,
}

#[derive(Default)]
pub struct PoseGizmo {
    gizmo: Gizmo,
    /// The dragged handle with its position and rotation at the start of the drag.
    start: Option<(HandleId, Vec3, Quat)>,
    /// Distance or angle dragged so far, as shown next to the pointer: `x +0.120 m`, `y +30.0°`.
    dragged: Option<String>,
}

fn rows(matrix: Mat4) -> [[f64; 4]; 4] {
    matrix.transpose().to_cols_array_2d().map(|row| row.map(f64::from))
}

fn single(v: impl Into<[f64; 3]>) -> Vec3 {
    Vec3::from_array(v.into().map(|x| x as f32))
}

impl PoseGizmo {
    pub fn is_focused(&self) -> bool {
        self.gizmo.is_focused()
    }

    pub fn dragged(&self) -> Option<&str> {
        self.dragged.as_deref()
    }

    pub fn update(&mut self, session: &Session, picture: Rect, scale: f32, pointer: Pointer) -> Option<Turned> {
        let Some((id, position, rotation)) = session.gizmo_target() else {
            // The selection has no gizmo, so a drag in progress ends.
            *self = Self::default();
            return None;
        };
        let theme = Theme::of(session.look.view.light_theme);
        let moves = GizmoMode::TranslateX | GizmoMode::TranslateY | GizmoMode::TranslateZ;
        let turns = GizmoMode::RotateX | GizmoMode::RotateY | GizmoMode::RotateZ;
        let modes: EnumSet<GizmoMode> = match session.interaction.posing.gizmo {
            _ if !session.takes_rotation(id) => moves,
            GizmoStyle::Move => moves,
            GizmoStyle::Rotate => turns,
            GizmoStyle::Both => moves | turns,
        };
        let orientation =
            if session.interaction.posing.local_axes { GizmoOrientation::Local } else { GizmoOrientation::Global };
        self.gizmo.update_config(GizmoConfig {
            view_matrix: rows(session.look.camera.view()).into(),
            projection_matrix: rows(session.look.camera.projection(session.look.viewport)).into(),
            viewport: picture,
            modes,
            orientation,
            snapping: session.interaction.posing.snaps_now(),
            snap_angle: SNAP_ANGLE.to_radians(),
            snap_distance: session.snap_distance(),
            pixels_per_point: scale,
            visuals: GizmoVisuals {
                x_color: theme.accent,
                y_color: theme.accent,
                z_color: theme.accent,
                s_color: theme.text[1],
                inactive_alpha: 0.62,
                highlight_alpha: 1.0,
                highlight_color: Some(theme.target),
                stroke_width: 2.4,
                gizmo_size: SIZE,
            },
            ..*self.gizmo.config()
        });
        // The crate's own egui integration would claim every press on the picture.
        let interaction = GizmoInteraction {
            cursor_pos: (pointer.at.x, pointer.at.y),
            hovered: pointer.is_free,
            drag_started: pointer.pressed && pointer.is_free,
            dragging: pointer.down,
        };
        let target = Transform::from_scale_rotation_translation(
            DVec3::ONE,
            DQuat::from_array(rotation.to_array().map(f64::from)),
            DVec3::from_array(position.to_array().map(f64::from)),
        );
        let result = self.gizmo.update(interaction, &[target]);
        let Some((result, transforms)) = result else {
            (self.start, self.dragged) = (None, None);
            return None;
        };
        let new = transforms.first()?;
        let (_, from, turned) = *self.start.get_or_insert((id, position, rotation));
        let axes = if session.interaction.posing.local_axes { turned } else { Quat::IDENTITY };
        let (gesture, stack) = match result {
            // The crate reports the angle with the opposite sign of the rotation about its axis.
            GizmoResult::Rotation { axis, total, .. } => {
                let v = new.rotation.v;
                let rotation = Quat::from_xyzw(v.x as f32, v.y as f32, v.z as f32, new.rotation.s as f32);
                let (name, sign) = strongest(single(axis));
                let degrees = (-total * f64::from(sign)).to_degrees() as f32;
                self.dragged = Some(text::turned_by(&name, &signed(degrees, &format!("{degrees:.1}°"))));
                (text::GESTURE_TURN, session.turned(id, rotation)?)
            }
            _ => {
                let position = session.world.room().clamp(single(new.translation));
                let by = axes.conjugate() * (position - from);
                let (name, _) = strongest(by);
                let along = by[AXES.iter().position(|(_, axis)| *axis == name).unwrap_or(0)];
                let length = signed(along, &session.world.character.length(along));
                self.dragged = Some(text::moved_by(&name, &length));
                (text::GESTURE_MOVE, session.moved(id, position)?)
            }
        };
        // All drags may have the same gesture, because releasing the pointer ends it. One drag is thus one undo step.
        Some(Turned { label: text::edit_gesture(&gesture, &id.name()), gesture: u64::MAX, stack })
    }

    /// Call it before the solver's marks are painted, which go on top.
    pub fn paint(&self, session: &Session, painter: &egui::Painter, pointer: Pos2) {
        let Some((_, position, rotation)) = session.gizmo_target() else { return };
        let theme = Theme::of(session.look.view.light_theme);
        let drawn = self.gizmo.draw();
        // Rings and arrows fade near the caption, so that they do not cross its text.
        let place = || places::caption(painter.clip_rect(), has_wide_caption(session));
        let caption = places::painted_caption(painter.ctx()).unwrap_or_else(place);
        let vertices = drawn.vertices.into_iter().zip(drawn.colors).map(|(at, [r, g, b, a])| {
            let pos: Pos2 = at.into();
            let share = (caption.distance_to_pos(pos) / FADE).min(1.0);
            let color = egui::Rgba::from_rgba_premultiplied(r, g, b, a) * share;
            egui::epaint::Vertex { pos, uv: egui::epaint::WHITE_UV, color: color.into() }
        });
        let mesh = egui::Mesh { indices: drawn.indices, vertices: vertices.collect(), ..Default::default() };
        painter.add(Shape::mesh(mesh));
        let axes = if session.interaction.posing.local_axes { rotation } else { Quat::IDENTITY };
        for (at, name) in letters(session, position, axes) {
            // During a drag the crate hides the arrows of the other axes, so their letters are hidden as well.
            if self.dragged.as_ref().is_some_and(|dragged| !dragged.starts_with(name)) || caption.contains(at) {
                continue;
            }
            let galley = painter.layout_no_wrap(name.to_owned(), FontId::new(12.5, semibold()), theme.accent);
            let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
            painter.circle_filled(at, 8.0, fade(theme.halo, 0.55));
            painter.galley(rect.min, galley, theme.accent);
        }
        if let Some(dragged) = &self.dragged {
            let galley = painter.layout_no_wrap(dragged.clone(), FontId::monospace(12.0), theme.text[0]);
            let rect = Align2::LEFT_BOTTOM.anchor_size(pointer + vec2(18.0, -14.0), galley.size() + vec2(14.0, 8.0));
            painter.rect(
                rect,
                4.0,
                fade(theme.panel, 0.94),
                Stroke::new(1.0, theme.separator),
                egui::StrokeKind::Middle,
            );
            painter.galley(rect.min + vec2(7.0, 4.0), galley, theme.text[0]);
        }
    }
}

fn strongest(v: Vec3) -> (&'static str, f32) {
    let at = (0..3).max_by(|&a, &b| v[a].abs().total_cmp(&v[b].abs())).unwrap_or(0);
    (AXES[at].1, if v[at] < 0.0 { -1.0 } else { 1.0 })
}

/// Returns the positions of the axis letters beyond the arrow tips. An arrow that points almost at the viewer or away
/// from the viewer has no letter.
pub fn letters(session: &Session, position: Vec3, axes: Quat) -> Vec<(Pos2, &'static str)> {
    let projector = session.projector();
    let Some(middle) = projector.to_screen(position) else { return Vec::new() };
    let per_pixel = projector.units_per_pixel(position);
    let mut found = Vec::with_capacity(3);
    for (axis, name) in AXES {
        let Some(end) = projector.to_screen(position + axes * axis * (per_pixel * SIZE)) else { continue };
        let along = end - middle;
        if along.length() > SIZE * 0.25 {
            let at = end + along.normalize() * 13.0;
            found.push((Pos2::new(at.x, at.y), name));
        }
    }
    found
}
