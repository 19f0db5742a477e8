//! Riding on the moving platforms of a terrain.

use glam::{Vec2, Vec3};

use crate::ground::Layers;
use crate::terrain::{Surface, Terrain};

fn is_within(place: Vec2, center: Vec3, half: Vec3) -> bool {
    (place.x - center.x).abs() <= half.x && (place.y - center.z).abs() <= half.z
}

/// Returns the platforms on `layers`: index, centre and half extents.
fn boxes(surface: &Surface, layers: Layers) -> impl Iterator<Item = (usize, Vec3, Vec3)> {
    let platforms = surface.boxes().iter().zip(&surface.terrain().platforms).enumerate();
    let counts = platforms.filter(move |(_, (_, platform))| layers.has(platform.layer));
    counts.map(|(index, (&(center, half), _))| (index, center, half))
}

/// Returns the first platform on `layers` whose outline contains a place (x and z, metres): its index and centre.
/// `None` if there is none.
pub fn at(surface: &Surface, place: Vec2, layers: Layers) -> Option<(usize, Vec3)> {
    let found = boxes(surface, layers).find(|&(_, center, half)| is_within(place, center, half));
    found.map(|(index, center, _)| (index, center))
}

/// Returns the height to stand at, metres: the highest of `ground`, the height of the ground, and the tops of the
/// platforms at a place (x and z). Only platforms on the given layers count. A ground that is not finite counts as 0.
pub fn top(surface: &Surface, place: Vec2, ground: f32, layers: Layers) -> f32 {
    let over = boxes(surface, layers).filter(|&(_, center, half)| is_within(place, center, half));
    let ground = if ground.is_finite() { ground } else { 0.0 };
    over.map(|(_, center, half)| center.y + half.y).fold(ground, f32::max)
}

/// Returns how far a platform has carried a character that stood at `start` at time 0 and stays on it for `time`
/// seconds: the movement of the first platform on `layers` whose outline contained `start` and whose top was not
/// below the ground there. Zero if there is none, or if the movement is not finite. x and z, metres.
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
