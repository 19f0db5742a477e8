//! Position and heading of a character, and its root transform.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};

use crate::rig::RigidTransform;

/// Position and heading of a character; world space. The default is at the origin, with the heading of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// x and z, metres.
    pub place: Vec2,
    /// Height of the ground under the soles; metres.
    pub height: f32,
    /// Heading, x and z, of any length. `None`, zero and values that are not finite keep the heading of the model.
    pub direction: Option<Vec2>,
}

impl Stance {
    /// Returns the direction of an angle from +Z to +X, in degrees; +Z for an angle that is not finite.
    pub fn direction_of(degrees: f32) -> Vec2 {
        let degrees = if degrees.is_finite() { degrees } else { 0.0 };
        Vec2::from(degrees.to_radians().sin_cos())
    }

    /// Returns the rotation about +Y from `facing`, the heading of the model, to the direction; the identity without a
    /// direction, or if it is zero or not finite. A facing that is vertical or not finite counts as +Z.
    pub fn rotation(&self, facing: Vec3) -> Quat {
        let Some(to) = self.direction.filter(|to| to.is_finite() && *to != Vec2::ZERO) else { return Quat::IDENTITY };
        let facing = if facing.is_finite() { facing } else { Vec3::Z };
        let angle = (to.x.atan2(to.y) - facing.x.atan2(facing.z)).rem_euclid(TAU);
        if angle == 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(angle) }
    }

    /// Returns the root transform, world from model: the character looks along the direction, its soles are at the
    /// height. `facing` and `level` are heading and height of the soles in model space, as in
    /// [`Legs`](crate::grounding::Legs); metres. Coordinates of the root that are not finite become 0.
    pub fn root(&self, facing: Vec3, level: f32) -> RigidTransform {
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let position = Vec3::new(self.place.x, self.height - level, self.place.y);
        RigidTransform { position: position.map(finite), rotation: self.rotation(facing) }
    }
}
