//! Output of a grounder: goals of the feet and offset of the pelvis.

use glam::{Quat, Vec3};

use crate::math::nlerp;
use crate::rig::RigidTransform;

/// Goal of one foot; world space. The default has weight 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegOutput {
    /// Target of the foot bone.
    pub ik_position: Vec3,
    /// Height of the target over the animated foot, along up; negative below. Metres.
    pub offset: f32,
    /// Rotation in world space to apply on top of the animated foot's rotation: `rotation_offset * animated`.
    pub rotation_offset: Quat,
    /// Whether there is ground under the foot or on its path.
    pub grounded: bool,
    /// Smoothed velocity of the animated foot, metres per second; zero with foot IK, which does not measure it.
    pub velocity: Vec3,
    /// Predicted place of the animated foot; its current place with foot IK.
    pub predicted: Vec3,
    /// Weight of the goal, 0 to 1.
    pub weight: f32,
    /// Offset by which a [foot lock](super::lock) holds the foot, world space, metres; not scaled by `weight`. Zero
    /// without a foot lock.
    pub held: Vec3,
}

impl LegOutput {
    /// Blends the goal by its weight with `carried`, the animated foot as the pelvis moved it. `animated` is the foot's
    /// animated rotation. [`Self::held`] is not added.
    pub fn blend(&self, carried: RigidTransform, animated: Quat) -> RigidTransform {
        let rotation = (self.rotation_offset * animated).normalize();
        RigidTransform {
            position: carried.position.lerp(self.ik_position, self.weight),
            rotation: nlerp(carried.rotation, rotation, self.weight),
        }
    }
}

/// Output of a frame. The default moves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Output {
    /// The legs, in the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegOutput; 2],
    /// Offset of the pelvis and everything it carries; world space, metres.
    pub pelvis: Vec3,
    /// Offset of the pelvis along up; negative down. Metres.
    pub pelvis_height: f32,
    /// Whether the pelvis was lowered further so that a leg reaches its goal.
    pub pelvis_limited: bool,
}

/// Changes below which feet and pelvis are at rest: metres, and the sine of half the rotation.
const ARRIVED: f32 = 2e-6;
const TURNED: f32 = 1e-5;

impl Output {
    /// Returns whether the feet's offsets and rotations or the pelvis's height differ from `before`, the output of the
    /// last frame, by more than 2e-6 m or 2e-5 rad.
    pub fn has_moved_since(&self, before: &Self) -> bool {
        let moved = |(before, after): (&LegOutput, &LegOutput)| {
            let turned = before.rotation_offset.conjugate() * after.rotation_offset;
            (before.offset - after.offset).abs() > ARRIVED || turned.xyz().length() > TURNED
        };
        before.legs.iter().zip(&self.legs).any(moved) || (before.pelvis_height - self.pelvis_height).abs() > ARRIVED
    }
}

impl LegOutput {
    fn is_finite(&self) -> bool {
        let Self { ik_position, offset, rotation_offset, grounded: _, velocity, predicted, weight, held } = self;
        let vectors = [ik_position, velocity, predicted, held];
        vectors.iter().all(|v| v.is_finite()) && offset.is_finite() && rotation_offset.is_finite() && weight.is_finite()
    }
}

impl Output {
    /// Returns the output with defaults for invalid parts: a leg with a value that is not finite becomes the default,
    /// with weight 0, and a pelvis offset that is not finite becomes 0.
    pub(crate) fn sane(self) -> Self {
        let legs = self.legs.map(|leg| if leg.is_finite() { leg } else { LegOutput::default() });
        let is_finite = self.pelvis.is_finite() && self.pelvis_height.is_finite();
        let (pelvis, pelvis_height) = if is_finite { (self.pelvis, self.pelvis_height) } else { (Vec3::ZERO, 0.0) };
        Self { legs, pelvis, pelvis_height, ..self }
    }
}
