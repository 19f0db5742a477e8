//! The ground under a character, as solvers query it: where a ray, a sphere or a capsule first meets it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Where a cast met the ground, in world space. World space equals model space for a character in metres
/// that stands unrotated at the origin of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// The point of contact on the ground's surface.
    pub point: Vec3,
    /// The surface's unit normal, pointing out of the ground.
    pub normal: Vec3,
    /// The distance that the shape moved, in metres; 0 if it started inside the ground.
    pub distance: f32,
}

/// The largest number of layers of a ground.
pub const LAYERS: u8 = 8;

/// A set of ground layers: bit `i` is layer `i`. The default is all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layers(pub u8);

impl Layers {
    /// Every layer.
    pub const ALL: Self = Self(u8::MAX);

    /// No layer: every cast misses a ground that has layers.
    pub const NONE: Self = Self(0);

    /// Returns whether the set contains a layer; false for layers from [`LAYERS`] on.
    pub const fn has(self, layer: u8) -> bool {
        layer < LAYERS && self.0 >> layer & 1 == 1
    }

    /// Returns the set with a layer added if it `counts`, else removed; unchanged for layers from [`LAYERS`] on.
    pub const fn with(self, layer: u8, counts: bool) -> Self {
        let bit = if layer < LAYERS { 1 << layer } else { 0 };
        Self(if counts { self.0 | bit } else { self.0 & !bit })
    }

    /// Returns the intersection of two sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the union of two sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}

/// The shape that a cast moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A point.
    Ray,
    /// A sphere around the cast's origin.
    Sphere {
        /// The radius in metres.
        radius: f32,
    },
    /// A capsule around the segment from the cast's origin to the origin plus `along`.
    Capsule {
        /// The segment's vector, in metres.
        along: Vec3,
        /// The radius in metres.
        radius: f32,
    },
}

/// Something that can be cast against. A game implements this over its own physics.
///
/// Only [`Self::ray`] is required. A ground that casts spheres and capsules itself can be faster, and exact at edges.
///
/// `direction` is a unit vector; a cast covers at most `distance` metres along it. A shape that starts inside the
/// ground hits at once, with distance 0. A direction or position that is not finite hits nothing.
pub trait Ground {
    /// Casts a point from `from`.
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit>;

    /// Casts a sphere with its centre at `from`. The default casts 13 to 16 rays, up to six radii
    /// beyond `distance`. It is exact on even ground inclined by less than 88° to the plane orthogonal to `direction`.
    /// Elsewhere it is approximate: it misses edges and obstacles between two rays, and those beyond 0.95 of the radius.
    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        sphere_of_rays(self, from, radius, direction, distance)
    }

    /// Casts a capsule around the segment from `a` to `b`. The default casts five [spheres](Self::sphere) along the
    /// segment.
    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        capsule_of_spheres(self, [a, b], radius, direction, distance)
    }

    /// Casts a shape against some layers. The default is for ground without layers: it ignores `layers`.
    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let _ = layers;
        match shape {
            Shape::Ray => self.ray(from, direction, distance),
            Shape::Sphere { radius } => self.sphere(from, radius, direction, distance),
            Shape::Capsule { along, radius } => self.capsule(from, from + along, radius, direction, distance),
        }
    }
}

impl<G: Ground + ?Sized> Ground for &G {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        (**self).ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        (**self).sphere(from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        (**self).capsule(a, b, radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        (**self).cast_on(layers, shape, from, direction, distance)
    }
}

/// Rays on each ring around the central ray.
const FEELERS: usize = 6;
/// Distances of the rings from the centre, as fractions of the radius.
const RINGS: [f32; 2] = [0.5, 0.95];
/// The most rays that refine the contact on a slope.
const REFINED: usize = 3;
/// How far rays reach beyond the sphere's surface at the end of its way, in radii. On a slope, the surface touches the
/// ground before any ray of the rings does: at 88°, 4.8 radii before.
const BEYOND: f32 = 5.0;
const SPHERES: usize = 5;

/// Casts a sphere by rays, which start at the centre or beside it. The sphere moves as far as the ray of the nearest
/// hit, minus the extent of the sphere ahead of the ray's start.
fn sphere_of_rays(
    ground: &(impl Ground + ?Sized),
    from: Vec3,
    radius: f32,
    direction: Vec3,
    distance: f32,
) -> Option<Hit> {
    if !(from.is_finite() && direction.is_finite() && radius.is_finite() && distance >= 0.0) {
        return None;
    }
    let radius = radius.max(0.0);
    let feel = |aside: Vec3| {
        let depth = (radius * radius - aside.length_squared()).max(0.0).sqrt();
        let hit = ground.ray(from + aside, direction, distance + depth + BEYOND * radius)?;
        // Distance 0 means that the ray started inside the ground.
        let along = if hit.distance <= 0.0 { 0.0 } else { (hit.distance - depth).max(0.0) };
        Some(Hit { distance: along, ..hit })
    };
    let mut nearest: Option<Hit> = None;
    let mut take = |hit: Option<Hit>| {
        nearest = match (nearest, hit) {
            (Some(known), Some(hit)) if hit.distance >= known.distance => Some(known),
            (known, hit) => hit.or(known),
        };
        nearest
    };
    let mut best = take(feel(Vec3::ZERO));
    let side = direction.any_orthonormal_vector();
    let other = direction.cross(side);
    for ring in RINGS {
        for feeler in 0..FEELERS {
            let angle = std::f32::consts::TAU * feeler as f32 / FEELERS as f32;
            best = take(feel((side * angle.cos() + other * angle.sin()) * (ring * radius)));
        }
    }
    // On a slope, the contact is in the direction from the centre opposite to the normal.
    for _ in 0..REFINED {
        let Some(hit) = best.filter(|hit| hit.distance > 0.0 && hit.normal.is_finite()) else { break };
        let normal = hit.normal;
        let aside = (normal - direction * normal.dot(direction)) * -radius;
        if aside.length_squared() >= radius * radius * 0.999 {
            break;
        }
        best = take(feel(aside));
    }
    best.filter(|hit| hit.distance <= distance)
}

fn capsule_of_spheres(
    ground: &(impl Ground + ?Sized),
    [a, b]: [Vec3; 2],
    radius: f32,
    direction: Vec3,
    distance: f32,
) -> Option<Hit> {
    let along = (0..SPHERES).map(|index| a.lerp(b, index as f32 / (SPHERES - 1) as f32));
    let hits = along.filter_map(|from| ground.sphere(from, radius, direction, distance));
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
