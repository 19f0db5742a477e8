//! Input of a grounder: root and feet of a frame.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::ground::Layers;
use crate::math::{PARALLEL_SINE, ortho_normalize, sine, unit};
use crate::rig::RigidTransform;

/// Longest frame that continues the state of the last frame, seconds. In a longer one, as after a pause, grounders
/// settle at once.
pub const LONGEST_FRAME: f32 = 0.5;
/// Duration to give a frame without a predecessor, seconds. Every value above 0 gives the same result, because
/// everything settles at once in such a frame.
pub const FIRST_FRAME: f32 = 1.0 / 60.0;
/// Largest absolute coordinate of a position, metres; larger ones count as not finite. An f32 resolves only 6 cm at
/// this distance.
pub const FARTHEST: f32 = 1e6;
/// A root that moves further than `TELEPORT.0` (m/s) times the frame's duration plus `TELEPORT.1` (metres) counts as
/// teleported.
const TELEPORT: (f32, f32) = (20.0, 0.5);

/// Place and orientation of the character on its ground. The default is [`Root::ORIGIN`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// Position from which heights are measured along `up`: level with the soles of a character that stands on level
    /// ground. World space, metres.
    pub position: Vec3,
    /// Up direction, of any length; zero or not finite counts as +Y.
    pub up: Vec3,
    /// Direction that the character faces, of any length; only its part orthogonal to `up` counts. Not finite counts as
    /// +Z. A direction without such a part is replaced by an arbitrary one orthogonal to `up`.
    pub forward: Vec3,
}

impl Root {
    /// At the origin, +Y up, facing +Z, as in glTF.
    pub const ORIGIN: Self = Self { position: Vec3::ZERO, up: Vec3::Y, forward: Vec3::Z };

    /// Creates a root from a transform whose axes are +Y up and +Z forward.
    pub fn new(transform: RigidTransform) -> Self {
        Self { position: transform.position, up: transform.rotation * Vec3::Y, forward: transform.rotation * Vec3::Z }
    }

    /// Returns the root with orthogonal unit axes; `None` if the position is not finite.
    pub(super) fn sane(self) -> Option<Self> {
        let up = if self.up.is_finite() { unit(self.up) } else { None }.unwrap_or(Vec3::Y);
        let forward = if self.forward.is_finite() { self.forward } else { Vec3::Z };
        is_sane(self.position).then(|| Self { position: self.position, up, forward: ortho_normalize(up, forward) })
    }

    pub(super) fn height(&self, point: Vec3) -> f32 {
        (point - self.position).dot(self.up)
    }

    pub(super) fn teleported_from(&self, position: Vec3, dt: f32) -> bool {
        self.position.distance(position) > TELEPORT.1 + TELEPORT.0 * dt
    }
}

impl Default for Root {
    fn default() -> Self {
        Self::ORIGIN
    }
}

/// Sole below a foot bone, measured on flat ground; lengths in metres. If all values are zero (the default), the bone
/// itself is the sole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootGeometry {
    /// Height of the foot bone over the sole.
    pub ankle_height: f32,
    /// Distance from the foot bone back to the end of the heel.
    pub heel_offset: f32,
    /// Distance from the foot bone forward to the tip of the toes.
    pub toe_offset: f32,
    /// Direction of the toes in the foot bone's space. If it is zero, the toes point where the root faces.
    pub forward_in_foot: Vec3,
}

impl FootGeometry {
    /// Measures a foot in the reference pose, in which it stands flat on the root's level.
    ///
    /// `toe` is the foremost known point: the tip of the toes, or their bone. Without it, or if it is not finite or right
    /// above or below the foot bone, the foot points where the root faces and its toe offset is estimated. The heel
    /// offset is always estimated. Estimates are those of human feet: the heel is half the ankle's height behind the
    /// ankle, the toes twice that height ahead of it. Lengths are at most 2 m. All values are zero if the foot or the
    /// root's position is not finite.
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

    pub(crate) fn sane(self) -> Self {
        let length = |length: f32| if length.is_finite() { length.clamp(0.0, 2.0) } else { 0.0 };
        let forward = self.forward_in_foot;
        Self {
            ankle_height: length(self.ankle_height),
            heel_offset: length(self.heel_offset),
            toe_offset: length(self.toe_offset),
            forward_in_foot: if forward.is_finite() { unit(forward).unwrap_or(Vec3::ZERO) } else { Vec3::ZERO },
        }
    }

    /// Returns the direction of the toes for a rotation of the foot; unit, orthogonal to up.
    pub(super) fn forward(&self, rotation: Quat, root: &Root) -> Vec3 {
        let forward = rotation * self.forward_in_foot;
        // The part orthogonal to up of toes within about 6° of up or down is too short for a direction.
        match sine(forward, root.up) > PARALLEL_SINE.max(0.1) {
            true => ortho_normalize(root.up, forward),
            false => root.forward,
        }
    }
}

/// Reach of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Position of the hip (thigh bone) in the animated pose; world space.
    pub hip: Vec3,
    /// Length of thigh and calf together; metres.
    pub length: f32,
}

/// One foot of the animated pose. The default is at the origin, with weight 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootInput {
    /// Position of the foot bone (the ankle); world space. If it is not finite, the foot stays at its last position.
    pub position: Vec3,
    /// Rotation of the foot bone; world space. It counts as the identity if it is not finite, or if its length is not
    /// between 0.5 and 2.
    pub rotation: Quat,
    /// Geometry of the sole.
    pub geometry: FootGeometry,
    /// Reach of the leg. If given, the pelvis is lowered as far as the leg needs to reach its goal, times `weight`.
    pub reach: Option<Reach>,
    /// Weight of the leg, 0 to 1, passed on to the output. It scales how far the leg's reach lowers the pelvis and,
    /// with the predictive grounder, how far the pelvis follows the foot.
    pub weight: f32,
    /// Layers of the ground that the foot may stand on. The predictive grounder's root check casts against the layers
    /// of either foot.
    pub layers: Layers,
}

impl FootInput {
    /// Creates a foot with weight 1, on all layers and without reach.
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

/// Input of a frame. In the default, no time passes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Root of the character.
    pub root: Root,
    /// The feet, in the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub feet: [FootInput; 2],
    /// Seconds since the last frame. At zero, negative or NaN, no time passes and the state stays.
    pub dt: f32,
}

pub(super) fn is_sane(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= FARTHEST
}
