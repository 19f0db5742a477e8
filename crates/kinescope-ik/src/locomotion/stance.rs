//! Where a character stands and looks, and the transform that puts it there.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};

use crate::rig::RigidTransform;

/// Where a character stands, and where it looks. World space. The default is at the origin, as the model looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// x and z, metres.
    pub place: Vec2,
    /// Of the ground that its soles are on; metres.
    pub height: f32,
    /// Where it looks, x and z, of any length; `None`, no length, or not finite: where its model looks.
    pub direction: Option<Vec2>,
}

impl Stance {
    /// The direction of a heading: degrees from +Z to +X. One that is not finite is +Z.
    pub fn direction_of(degrees: f32) -> Vec2 {
        let degrees = if degrees.is_finite() { degrees } else { 0.0 };
        Vec2::from(degrees.to_radians().sin_cos())
    }

    /// The turn about +Y that takes `facing`, where the model looks, to the direction. A facing straight up or down, or
    /// not finite, counts as +Z.
    pub fn rotation(&self, facing: Vec3) -> Quat {
        let Some(to) = self.direction.filter(|to| to.is_finite() && *to != Vec2::ZERO) else { return Quat::IDENTITY };
        let facing = if facing.is_finite() { facing } else { Vec3::Z };
        let angle = (to.x.atan2(to.y) - facing.x.atan2(facing.z)).rem_euclid(TAU);
        if angle == 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(angle) }
    }

    /// World from model: the character looks along the direction, and its soles are at the height. `facing` and `level`
    /// are the model's: where it looks, and how high its soles are (metres), as in [`Legs`](crate::grounding::Legs). A
    /// number that is not finite counts as 0.
    pub fn root(&self, facing: Vec3, level: f32) -> RigidTransform {
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let position = Vec3::new(self.place.x, self.height - level, self.place.y);
        RigidTransform { position: position.map(finite), rotation: self.rotation(facing) }
    }
}
