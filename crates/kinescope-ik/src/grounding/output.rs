//! What a frame gives: where feet and pelvis should go.

use glam::{Quat, Vec3};

use crate::math::nlerp;
use crate::rig::RigidTransform;

/// Where one foot should go. The default has no weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegOutput {
    /// Target of the foot bone.
    pub ik_position: Vec3,
    /// How far that is above the animated foot, along up; negative: below.
    pub offset: f32,
    /// To be put before the animated foot's rotation: `rotation_offset * animated`.
    pub rotation_offset: Quat,
    /// Whether there is ground under the foot or on its way.
    pub grounded: bool,
    /// Velocity of the animated foot, smoothed; metres per second.
    pub velocity: Vec3,
    /// Where the animated foot will be shortly, over the ground.
    pub predicted: Vec3,
    /// How much the goal counts, 0 to 1: the weight of the IK.
    pub weight: f32,
    /// How far a [foot lock](super::lock) holds the foot from there, whatever the weight; metres.
    pub held: Vec3,
}

impl LegOutput {
    /// The goal mixed by its weight with `carried`, the animated foot after the pelvis took it along. `animated` is the
    /// foot's rotation in the animated pose.
    pub fn blend(&self, carried: RigidTransform, animated: Quat) -> RigidTransform {
        let rotation = (self.rotation_offset * animated).normalize();
        RigidTransform {
            position: carried.position.lerp(self.ik_position, self.weight),
            rotation: nlerp(carried.rotation, rotation, self.weight),
        }
    }
}

/// What a frame gives. The default moves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Output {
    /// In the order of [`Side::ALL`](crate::grounding::Side::ALL).
    pub legs: [LegOutput; 2],
    /// How far the pelvis, and all that it carries, moves.
    pub pelvis: Vec3,
    /// The same along up; negative: down.
    pub pelvis_height: f32,
    /// Whether the pelvis had to go lower than it wanted, for a foot to reach its goal.
    pub pelvis_limited: bool,
}

/// Nearer than this, feet and pelvis have arrived; metres, and radians of half a turn.
const ARRIVED: f32 = 2e-6;
const TURNED: f32 = 1e-5;

impl Output {
    /// Whether feet or pelvis are elsewhere than in the frame before: while they are not, they have come to rest.
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
    /// The output without numbers that are not finite: such a foot has no weight, such a pelvis stays.
    pub(crate) fn sane(self) -> Self {
        let legs = self.legs.map(|leg| if leg.is_finite() { leg } else { LegOutput::default() });
        let is_finite = self.pelvis.is_finite() && self.pelvis_height.is_finite();
        let (pelvis, pelvis_height) = if is_finite { (self.pelvis, self.pelvis_height) } else { (Vec3::ZERO, 0.0) };
        Self { legs, pelvis, pelvis_height, ..self }
    }
}
