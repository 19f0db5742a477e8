use egui_macroquad::egui::{Pos2, Shape, Stroke, pos2};
use glam::{Vec2, Vec3};

use crate::picture::overlay::{Layer, Overlay};
use crate::session::{Session, Tool};
use crate::ui::theme::fade;
use crate::world::motion::Travel;

const RING: usize = 48;

pub(crate) fn path(session: &Session, overlay: &mut Overlay) {
    let motion = session.world.plan().motion;
    let Some(path) = session.world.motion.path().filter(|_| motion.travel == Travel::Path && session.look.view.targets)
    else {
        return;
    };
    let color = fade(overlay.theme.text[1], 0.8);
    let places = path.places();
    let mut run: Vec<Pos2> = Vec::new();
    let mut runs = Vec::new();
    let on_ground: Vec<Vec3> = places.iter().map(|&place| session.world.on_ground(place) + Vec3::Y * 0.01).collect();
    // Lines are clipped to the picture. After a part of the path outside the picture, a new dashed line begins.
    for pair in on_ground.windows(2) {
        let Some([from, to]) = overlay.segment(pair[0], pair[1]) else { continue };
        if run.last().is_none_or(|last| last.distance(from) > 0.5) {
            runs.push(std::mem::take(&mut run));
            run.push(from);
        }
        run.push(to);
    }
    runs.push(run);
    for run in runs.into_iter().filter(|run| run.len() > 1) {
        for shape in Shape::dashed_line(&run, Stroke::new(1.4, color), 6.0, 5.0) {
            overlay.add(Layer::Planes, shape);
        }
    }
}

pub(crate) fn brush(session: &Session, pointer: Option<Pos2>, overlay: &mut Overlay) {
    let (Some(tool), Some(pointer)) = (session.interaction.brush.tool, pointer) else { return };
    if session.world.plan().terrain.is_none() || session.world.lab().is_some() {
        return;
    }
    let pointer = Vec2::new(pointer.x, pointer.y);
    let color = overlay.theme.accent;
    if tool == Tool::Point {
        let Some(at) = session.point_under(pointer).and_then(|(_, point)| overlay.at(point)) else { return };
        overlay.add(Layer::Targets, Shape::circle_stroke(at, 8.0, Stroke::new(4.0, overlay.theme.halo)));
        overlay.add(Layer::Targets, Shape::circle_stroke(at, 8.0, Stroke::new(2.0, color)));
        return;
    }
    let Some(center) = session.ground_under(pointer) else { return };
    let ring = (0..=RING).filter_map(|index| {
        let (sine, cosine) = (index as f32 / RING as f32 * std::f32::consts::TAU).sin_cos();
        let at = Vec2::new(center.x, center.z) + Vec2::new(cosine, sine) * session.interaction.brush.radius;
        overlay.at(session.world.on_ground(at) + Vec3::Y * 0.01)
    });
    let ring: Vec<Pos2> = ring.collect();
    overlay.add(Layer::Targets, Shape::line(ring.clone(), Stroke::new(3.5, fade(overlay.theme.halo, 0.6))));
    overlay.add(Layer::Targets, Shape::line(ring, Stroke::new(1.6, color)));
}

pub(crate) fn pointer(ctx: &egui_macroquad::egui::Context, picture: egui_macroquad::egui::Rect) -> Option<Pos2> {
    let pointer = ctx.input(|input| input.pointer.latest_pos())?;
    picture.contains(pointer).then(|| pos2(pointer.x, pointer.y))
}
