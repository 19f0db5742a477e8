//! What a frame hands to a grounder: root, feet, and what is known of them.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::ground::Layers;
use crate::math::{PARALLEL_SINE, ortho_normalize, sine, unit};
use crate::rig::RigidTransform;

/// A longer frame is a pause or a jump, not motion; seconds.
pub const LONGEST_FRAME: f32 = 0.5;
/// The length of a frame that nothing was before, seconds: whatever it is, everything settles at once.
pub const FIRST_FRAME: f32 = 1.0 / 60.0;
/// Coordinates beyond this, in metres, count as not finite: an f32 cannot place a foot there.
pub const FARTHEST: f32 = 1e6;
/// A root that moves faster than this was put somewhere else; metres per second, and metres on top for short frames.
const TELEPORT: (f32, f32) = (20.0, 0.5);

/// Where the character is: the point on its own ground, and which way it stands. The default is [`Root::ORIGIN`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The point on the ground; world space, metres.
    pub position: Vec3,
    /// Need not be unit. Zero or not finite counts as +Y.
    pub up: Vec3,
    /// Where the character looks; its part orthogonal to `up` counts.
    pub forward: Vec3,
}

impl Root {
    /// At the origin, +Y up, looking along +Z, as glTF has it.
    pub const ORIGIN: Self = Self { position: Vec3::ZERO, up: Vec3::Y, forward: Vec3::Z };

    /// A root whose own axes are +Y up and +Z forward.
    pub fn new(transform: RigidTransform) -> Self {
        Self { position: transform.position, up: transform.rotation * Vec3::Y, forward: transform.rotation * Vec3::Z }
    }

    /// With unit axes at right angles; `None` if the position is not finite.
    pub(super) fn sane(self) -> Option<Self> {
        let up = if self.up.is_finite() { unit(self.up) } else { None }.unwrap_or(Vec3::Y);
        let forward = if self.forward.is_finite() { self.forward } else { Vec3::Z };
        is_sane(self.position).then(|| Self { position: self.position, up, forward: ortho_normalize(up, forward) })
    }

    /// Height of a point over the root's level.
    pub(super) fn height(&self, point: Vec3) -> f32 {
        (point - self.position).dot(self.up)
    }

    /// True if the root cannot have moved from there in `dt` seconds.
    pub(super) fn teleported_from(&self, position: Vec3, dt: f32) -> bool {
        self.position.distance(position) > TELEPORT.1 + TELEPORT.0 * dt
    }
}

impl Default for Root {
    fn default() -> Self {
        Self::ORIGIN
    }
}

/// The sole below a foot bone, measured where the character stands on flat ground. All zero (the default): the bone is
/// the sole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootGeometry {
    /// From the sole up to the foot bone.
    pub ankle_height: f32,
    /// From the foot bone back to the end of the heel.
    pub heel_offset: f32,
    /// From the foot bone ahead to the tip of the toes.
    pub toe_offset: f32,
    /// Where the toes point, in the foot bone's own space; zero: where the root looks.
    pub forward_in_foot: Vec3,
}

impl FootGeometry {
    /// Measures a foot in the reference pose, in which it stands flat on the root's level.
    ///
    /// `toe` is the foremost point that is known: the tip of the toes, or their bone. Without it the foot points where
    /// the root looks and its length is a guess from its height, as is always the heel: human feet stand out behind
    /// the ankle by half its height, and ahead by twice.
    pub fn measure(foot: RigidTransform, toe: Option<Vec3>, root: &Root) -> Self {
        let Some(root) = root.sane() else { return Self::default() };
        if !is_sane(foot.position) || !foot.rotation.is_finite() {
            return Self::default();
        }
        let ankle_height = root.height(foot.position).max(0.0);
        let ahead = toe.filter(|&toe| is_sane(toe)).map(|toe| toe - foot.position);
        let ahead = ahead.map(|ahead| ahead - root.up * ahead.dot(root.up)).filter(|ahead| ahead.length() > 1e-3);
        Self {
            ankle_height,
            heel_offset: ankle_height * 0.5,
            toe_offset: ahead.map_or(ankle_height * 2.0, Vec3::length),
            forward_in_foot: foot.rotation.conjugate() * ahead.and_then(unit).unwrap_or(root.forward),
        }
        .sane()
    }

    /// No length negative, longer than 2 m or not a number.
    pub(super) fn sane(self) -> Self {
        let length = |length: f32| if length.is_finite() { length.clamp(0.0, 2.0) } else { 0.0 };
        let forward = self.forward_in_foot;
        Self {
            ankle_height: length(self.ankle_height),
            heel_offset: length(self.heel_offset),
            toe_offset: length(self.toe_offset),
            forward_in_foot: if forward.is_finite() { unit(forward).unwrap_or(Vec3::ZERO) } else { Vec3::ZERO },
        }
    }

    /// Where the toes of a foot of that rotation point over the ground; unit, orthogonal to up.
    pub(super) fn forward(&self, rotation: Quat, root: &Root) -> Vec3 {
        let forward = rotation * self.forward_in_foot;
        // A foot that stands on its tip points nowhere.
        match sine(forward, root.up) > PARALLEL_SINE.max(0.1) {
            true => ortho_normalize(root.up, forward),
            false => root.forward,
        }
    }
}

/// How far a leg can reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The hip (thigh bone) in the animated pose.
    pub hip: Vec3,
    /// Length of thigh and calf together.
    pub length: f32,
}

/// One foot of the animated pose. The default is at the origin, without weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootInput {
    /// The foot bone (the ankle). Not finite: the foot counts as lost, not grounded.
    pub position: Vec3,
    /// Rotation of the foot bone.
    pub rotation: Quat,
    /// The sole below the foot bone.
    pub geometry: FootGeometry,
    /// With it, the pelvis is kept low enough for the leg to reach its goal.
    pub reach: Option<Reach>,
    /// How much the leg takes part, 0 to 1; a caller's own weight, handed on to the output.
    pub weight: f32,
    /// What of the ground it may stand on. Either foot's keeps the character from counting as in the air.
    pub layers: Layers,
}

impl FootInput {
    /// A foot with full weight and no known reach.
    pub fn new(foot: RigidTransform, geometry: FootGeometry) -> Self {
        Self {
            position: foot.position,
            rotation: foot.rotation,
            geometry,
            reach: None,
            weight: 1.0,
            layers: Layers::ALL,
        }
    }

    /// The foot with nothing in it that is not finite; `None` if it is lost.
    pub(super) fn sane(&self) -> Option<RigidTransform> {
        let rotation = if self.rotation.is_finite() { self.rotation } else { Quat::IDENTITY };
        let rotation = if (0.5..2.0).contains(&rotation.length()) { rotation.normalize() } else { Quat::IDENTITY };
        is_sane(self.position).then_some(RigidTransform { position: self.position, rotation })
    }

    pub(super) fn sane_weight(&self) -> f32 {
        if self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) }
    }

    pub(super) fn sane_reach(&self) -> Option<Reach> {
        self.reach.filter(|reach| is_sane(reach.hip) && reach.length > 0.0 && reach.length < FARTHEST)
    }
}

/// What a frame hands in. The default is of no time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Where the character is.
    pub root: Root,
    /// In the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub feet: [FootInput; 2],
    /// Seconds since the last frame. Zero, negative or not a number: no time passes and the state stays as it is.
    pub dt: f32,
}

/// True for a point at which a foot can be.
pub(super) fn is_sane(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= FARTHEST
}
