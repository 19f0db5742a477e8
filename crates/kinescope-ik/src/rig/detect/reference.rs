//! The choice of the reference pose between rest pose and bind pose.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::super::skeleton::BoneIndex;
use super::directions::DEPENDABLE_BEND_DEGREES;
use super::limbs::{Body, Triple};
use crate::math::angle;

/// The user's choice of the pose to initialize the solver in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceChoice {
    /// The better of rest pose and bind pose, by symmetry, an upright trunk, level feet and slightly bent limbs. The
    /// rest pose unless the bind pose is clearly better.
    #[default]
    Auto,
    /// The transforms of the nodes, as stored.
    Rest,
    /// The pose of the inverse bind matrices; the rest pose if the file has none.
    Bind,
}

/// The kind of [`Detection::reference`](super::Detection::reference).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// The transforms of the nodes, as stored.
    #[default]
    Rest,
    /// The pose of the inverse bind matrices.
    Bind,
}

/// Penalties of a pose as the reference pose; lower is better.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fitness {
    pub is_complete: bool,
    pub(super) asymmetry: f32,
    pub(super) lean: f32,
    /// The difference in height between the feet, as a fraction of the character's size.
    pub(super) feet_apart: f32,
    pub(super) bends: f32,
}

impl Fitness {
    pub(super) fn total(self) -> f32 {
        if self.is_complete { self.asymmetry * 5.0 + self.lean * 2.0 + self.feet_apart * 3.0 + self.bends } else { 1e9 }
    }
}

pub(super) fn fitness(body: &Body, limbs: &[Triple; 4], trunk: Vec3, left: Vec3, up: Vec3) -> Fitness {
    let at = |bone: BoneIndex| body.position[bone];
    let size = body.size.max(1e-20);
    let centre = limbs.iter().map(|limb| at(limb.0[0])).sum::<Vec3>() * 0.25;
    let mirrored = |place: Vec3| place - left * (2.0 * (place - centre).dot(left));
    let mut asymmetry = 0.0;
    for (a, b) in [(limbs[0], limbs[1]), (limbs[2], limbs[3])] {
        asymmetry += a.0.into_iter().zip(b.0).map(|(a, b)| mirrored(at(a)).distance(at(b)) / size).sum::<f32>() / 6.0;
    }
    let mut bends = 0.0;
    for limb in limbs {
        let [a, b, c] = limb.0.map(at);
        let degrees = angle(b - a, c - b).to_degrees();
        bends += degrees / 90.0 * 0.25 + (1.0 - degrees / DEPENDABLE_BEND_DEGREES).max(0.0) * 0.06;
    }
    Fitness {
        is_complete: true,
        asymmetry,
        // Measured from +Y, not from `up`: for a lying pose, `up` lies along the trunk, which would hide the lean.
        lean: 1.0 - trunk.dot(Vec3::Y),
        feet_apart: ((at(limbs[2].0[2]) - at(limbs[3].0[2])).dot(up) / size).abs(),
        bends,
    }
}
