//! Riding on the moving platforms of a terrain.

use glam::{Vec2, Vec3};

use crate::terrain::{Surface, Terrain};

/// Whether a place is over or under a box of that middle and half extents.
fn is_within(place: Vec2, center: Vec3, half: Vec3) -> bool {
    (place.x - center.x).abs() <= half.x && (place.y - center.z).abs() <= half.z
}

/// The first platform over or under a place (x and z, metres): its index, and where its middle is now.
pub fn at(surface: &Surface, place: Vec2) -> Option<(usize, Vec3)> {
    let mut boxes = surface.boxes().iter().enumerate();
    boxes.find(|(_, (center, half))| is_within(place, *center, *half)).map(|(index, (center, _))| (index, *center))
}

/// The height to stand at at a place: that of the ground, or of the highest platform's top above it. Metres. A ground
/// that is not finite counts as 0.
pub fn top(surface: &Surface, place: Vec2, ground: f32) -> f32 {
    let over = surface.boxes().iter().filter(|(center, half)| is_within(place, *center, *half));
    let ground = if ground.is_finite() { ground } else { 0.0 };
    over.map(|(center, half)| center.y + half.y).fold(ground, f32::max)
}

/// How far one is carried in `time` seconds who stood at `start` at time 0 and stays where the platform under them takes
/// them: the way of the first platform that was not below the ground there. Nothing where there is none. x and z,
/// metres.
pub fn carried(terrain: &Terrain, start: Vec2, time: f32) -> Vec2 {
    let under = terrain.platforms.iter().find(|platform| {
        let (at, half) = (platform.place(0.0), platform.half_extents);
        let top = at.y + half.y;
        is_within(start, at, half) && terrain.height_at(start.x, start.y).is_none_or(|ground| top >= ground)
    });
    let way = under.map_or(Vec3::ZERO, |platform| platform.place(time) - platform.place(0.0));
    let way = Vec2::new(way.x, way.z);
    if way.is_finite() { way } else { Vec2::ZERO }
}
