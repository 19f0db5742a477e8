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
}
