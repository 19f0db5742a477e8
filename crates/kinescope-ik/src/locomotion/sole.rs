//! The sole of a foot: heel, ball and tip in any pose.

use glam::Vec3;

use crate::ground::{Ground, Layers, Shape};
use crate::grounding::{Legs, Side};
use crate::math::unit;
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// The points of a foot that touch the ground. The default is the origin of bone 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sole {
    /// The foot bone.
    pub foot: BoneIndex,
    /// Heel in the foot's space, metres.
    pub heel: Vec3,
    /// Ball in the foot's space, metres.
    pub ball: Vec3,
    /// The toe bone and the tip in its space, metres; `None` for a foot without toes, which ends at the ball.
    pub tip: Option<(BoneIndex, Vec3)>,
}

/// A toe bone is at least this far ahead of the ankle, as a fraction of the distance from ankle to tip.
const TOES_AHEAD: f32 = 0.1;

fn at(pose: &[RigidTransform], bone: BoneIndex) -> RigidTransform {
    pose.get(bone).copied().unwrap_or(RigidTransform::IDENTITY)
}

/// Returns the toe bone: the child of the foot that is furthest along `forward`; `None` if it is not clearly ahead of
/// the ankle. `length` is the distance from ankle to tip along `forward`; `reference` is in model space.
pub(super) fn toe_of(
    skeleton: &Skeleton,
    reference: &[RigidTransform],
    foot: BoneIndex,
    forward: Vec3,
    length: f32,
) -> Option<BoneIndex> {
    let ahead = |bone: BoneIndex| (at(reference, bone).position - at(reference, foot).position).dot(forward);
    let below = (0..skeleton.len()).filter(|&bone| skeleton.parent(bone) == Some(foot));
    below.max_by(|&a, &b| ahead(a).total_cmp(&ahead(b))).filter(|&toe| ahead(toe) > TOES_AHEAD * length)
}

impl Sole {
    /// Measures the sole in the reference pose (model space), in which the character stands on level ground, below the
    /// ankle by the ankle height of `legs.geometry`. Bones that the pose lacks count as the identity; a point that is
    /// not finite is put at its bone.
    pub fn new(skeleton: &Skeleton, reference: &[RigidTransform], legs: &Legs, side: Side) -> Self {
        let (foot, geometry) = (legs.feet[side as usize], legs.geometry[side as usize].sane());
        let ankle = at(reference, foot);
        let forward = (ankle.rotation * geometry.forward_in_foot).with_y(0.0);
        let forward = forward.try_normalize().or_else(|| unit(legs.facing)).unwrap_or(Vec3::Z);
        let ground = ankle.position - Vec3::Y * geometry.ankle_height;
        let toe = toe_of(skeleton, reference, foot, forward, geometry.toe_offset);
        let inside = |bone: BoneIndex, point: Vec3| {
            let bone = at(reference, bone);
            let point = bone.rotation.conjugate() * (point - bone.position);
            if point.is_finite() { point } else { Vec3::ZERO }
        };
        let tip = ground + forward * geometry.toe_offset;
        let ball = toe.map_or(tip, |toe| {
            let ahead = (at(reference, toe).position - ankle.position).dot(forward).min(geometry.toe_offset);
            ground + forward * ahead
        });
        Self {
            foot,
            heel: inside(foot, ground - forward * geometry.heel_offset),
            ball: inside(foot, ball),
            tip: toe.map(|toe| (toe, inside(toe, tip))),
        }
    }

    /// Returns heel, ball and tip in a pose, in the space of that pose. Without toes the tip is the ball. Bones that
    /// the pose lacks count as the identity.
    pub fn points(&self, pose: &[RigidTransform]) -> [Vec3; 3] {
        let foot = at(pose, self.foot);
        let ball = foot.transform_point(self.ball);
        let tip = self.tip.map_or(ball, |(toe, tip)| at(pose, toe).transform_point(tip));
        [foot.transform_point(self.heel), ball, tip]
    }
}

/// Returns how deep the deepest of some points (world space) is in the ground, metres; negative above it. For each
/// point the ground is the first hit of a ray from `reach` metres above it to `reach` below, on `layers`; points whose
/// ray hits nothing are skipped. `None` if no ray hits.
pub fn depth(points: &[Vec3], ground: &impl Ground, layers: Layers, reach: f32) -> Option<f32> {
    let depth = |point: &Vec3| {
        let hit = ground.cast_on(layers, Shape::Ray, *point + Vec3::Y * reach, Vec3::NEG_Y, 2.0 * reach)?;
        Some(hit.point.y - point.y).filter(|depth| depth.is_finite())
    };
    points.iter().filter_map(depth).reduce(f32::max)
}
