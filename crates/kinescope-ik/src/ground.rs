//! What a character stands on, as far as a solver asks: where a ray, a sphere or a capsule first meets it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Where a cast met the ground. World space, which is the character's model space where nothing moves it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// On the ground's surface.
    pub point: Vec3,
    /// The surface's normal there; unit, out of the ground.
    pub normal: Vec3,
    /// How far the cast shape went; metres. 0 if it began inside the ground.
    pub distance: f32,
}

/// The most layers that a ground has.
pub const LAYERS: u8 = 8;

/// Which layers of a ground count: bit `i` is layer `i`. The default is all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layers(pub u8);

impl Layers {
    /// Every layer.
    pub const ALL: Self = Self(u8::MAX);

    /// No layer: every cast misses.
    pub const NONE: Self = Self(0);

    /// Whether that layer counts. A layer that no ground has does not.
    pub const fn has(self, layer: u8) -> bool {
        layer < LAYERS && self.0 >> layer & 1 == 1
    }

    /// With that layer or without it.
    pub const fn with(self, layer: u8, counts: bool) -> Self {
        let bit = if layer < LAYERS { 1 << layer } else { 0 };
        Self(if counts { self.0 | bit } else { self.0 & !bit })
    }

    /// What counts for both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What counts for either.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}

/// What is moved along in a cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A point.
    Ray,
    /// A ball about the cast's place.
    Sphere {
        /// Metres.
        radius: f32,
    },
    /// Around the segment from the cast's place to that place and `along`.
    Capsule {
        /// From one end of the segment to the other; metres.
        along: Vec3,
        /// Metres.
        radius: f32,
    },
}

/// Something that can be cast against. A game implements this over its own physics.
///
/// A ray is all that is asked of it; whoever has spheres and capsules as well is faster, and exact at edges.
///
/// `direction` is a unit vector; a cast goes `distance` metres along it at most. A shape that begins inside the ground
/// hits at once, with distance 0. A direction or place that is not finite hits nothing.
pub trait Ground {
    /// A point that moves from `from`.
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit>;

    /// A sphere with its centre at `from`. Left out, it is felt for with rays: exact where the ground is level or slopes
    /// evenly, and never more than a rung of the feelers off where it has edges.
    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        sphere_of_rays(self, from, radius, direction, distance)
    }

    /// A capsule around the segment from `a` to `b`. Left out, it is [spheres](Self::sphere) along the segment.
    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        capsule_of_spheres(self, [a, b], radius, direction, distance)
    }

    /// Any of these, against what is on those layers. Ground without layers, which is the default, is on all of them.
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

/// Rays around the middle one, on each of the rings.
const FEELERS: usize = 6;
/// How far from the middle the rings are, of the radius.
const RINGS: [f32; 2] = [0.5, 0.95];
/// How often the place where an even slope is met is looked for.
const REFINED: usize = 3;
/// Spheres along a capsule.
const SPHERES: usize = 5;

/// A sphere by rays: what each of them meets beside the middle, the sphere meets where its own surface is that far down.
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
        let hit = ground.ray(from + aside, direction, distance + depth)?;
        // A ray that begins in the ground says so by 0.
        let along = if hit.distance <= 0.0 { 0.0 } else { (hit.distance - depth).max(0.0) };
        (along <= distance).then_some(Hit { distance: along, ..hit })
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
    // Where a slope is met, its normal points back at the middle.
    for _ in 0..REFINED {
        let Some(hit) = best.filter(|hit| hit.distance > 0.0 && hit.normal.is_finite()) else { break };
        let normal = hit.normal;
        let aside = (normal - direction * normal.dot(direction)) * -radius;
        if aside.length_squared() >= radius * radius * 0.999 {
            break;
        }
        best = take(feel(aside));
    }
    best
}

/// A capsule as the spheres along it.
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
