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
/// `direction` is a unit vector; a cast goes `distance` metres along it at most. A shape that begins inside the ground
/// hits at once, with distance 0. A direction or place that is not finite hits nothing.
pub trait Ground {
    /// A point that moves from `from`.
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit>;

    /// A sphere with its centre at `from`.
    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit>;

    /// A capsule around the segment from `a` to `b`.
    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit>;

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
