//! Riding on the moving platforms of a terrain.

use glam::{Vec2, Vec3};

use crate::ground::Layers;
use crate::terrain::{Surface, Terrain};

/// Whether a place is over or under a box of that middle and half extents.
fn is_within(place: Vec2, center: Vec3, half: Vec3) -> bool {
    (place.x - center.x).abs() <= half.x && (place.y - center.z).abs() <= half.z
}

/// The platforms that are on those layers: index, middle, half extents.
fn boxes(surface: &Surface, layers: Layers) -> impl Iterator<Item = (usize, Vec3, Vec3)> {
    let platforms = surface.boxes().iter().zip(&surface.terrain().platforms).enumerate();
    let counts = platforms.filter(move |(_, (_, platform))| layers.has(platform.layer));
    counts.map(|(index, (&(center, half), _))| (index, center, half))
}

/// The first platform on those layers over or under a place (x and z, metres): its index, and where its middle is now.
pub fn at(surface: &Surface, place: Vec2, layers: Layers) -> Option<(usize, Vec3)> {
    let found = boxes(surface, layers).find(|&(_, center, half)| is_within(place, center, half));
    found.map(|(index, center, _)| (index, center))
}

/// The height to stand at at a place: that of the ground, or of the highest platform's top above it that is on those
/// layers. Metres. A ground that is not finite counts as 0.
pub fn top(surface: &Surface, place: Vec2, ground: f32, layers: Layers) -> f32 {
    let over = boxes(surface, layers).filter(|&(_, center, half)| is_within(place, center, half));
    let ground = if ground.is_finite() { ground } else { 0.0 };
    over.map(|(_, center, half)| center.y + half.y).fold(ground, f32::max)
}

/// How far one is carried in `time` seconds who stood at `start` at time 0 and stays where the platform under them takes
/// them: the way of the first platform on those layers that was not below the ground there. Nothing where there
/// is none. x and z, metres.
pub fn carried(terrain: &Terrain, start: Vec2, time: f32, layers: Layers) -> Vec2 {
    let under = terrain.platforms.iter().find(|platform| {
        let (at, half) = (platform.place(0.0), platform.half_extents);
        let top = at.y + half.y;
        layers.has(platform.layer)
            && is_within(start, at, half)
            && terrain.height_at(start.x, start.y).is_none_or(|ground| top >= ground)
    });
    let way = under.map_or(Vec3::ZERO, |platform| platform.place(time) - platform.place(0.0));
    let way = Vec2::new(way.x, way.z);
    if way.is_finite() { way } else { Vec2::ZERO }
}
