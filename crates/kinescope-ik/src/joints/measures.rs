//! Measures of a pose: centre of mass, support, lengths of bones, limits.

use glam::Vec3;

use super::joint::{JointIndex, Joints};
use super::pose::{JointPose, Placement};
use super::support::Support;
use crate::names::Side;
use crate::rig::RigidTransform;

/// How far a sole may be above the lowest one to stand on the ground, as a fraction of the height.
const ON_GROUND: f32 = 0.03;

impl Joints {
    /// Returns the centre of mass of a joint's own segment; model space.
    #[inline]
    pub fn segment_centre(&self, joint: JointIndex, placement: &Placement) -> Vec3 {
        let centre = self.all().get(joint).map_or(Vec3::ZERO, |joint| joint.centre);
        placement.of(joint).transform_point(centre)
    }

    /// Returns the centre of mass of the body; model space.
    pub fn centre_of_mass(&self, placement: &Placement) -> Vec3 {
        let each = self.all().iter().enumerate();
        each.fold(Vec3::ZERO, |sum, (index, joint)| sum + self.segment_centre(index, placement) * joint.mass)
    }

    /// Returns the polygon of the feet on the ground: of the lower foot, and of the other one unless it is higher by more
    /// than 3 % of the height.
    pub fn support(&self, placement: &Placement) -> Support {
        let soles = Side::ALL.map(|side| {
            let foot = placement.of(self.limb(side.limb())[2]);
            self.soles[side as usize].map(|corner| foot.transform_point(corner))
        });
        let lowest = soles.map(|sole| sole.iter().map(|corner| corner.y).fold(f32::INFINITY, f32::min));
        let ground = lowest[0].min(lowest[1]);
        let mut points = [Vec3::ZERO; 8];
        let mut count = 0;
        for (sole, lowest) in soles.iter().zip(lowest) {
            if lowest - ground <= ON_GROUND * self.height() {
                points[count..count + 4].copy_from_slice(sole);
                count += 4;
            }
        }
        Support::of(&points[..count])
    }

    /// Returns the largest relative change of a distance between a joint and its parent, from the animated pose to a
    /// solved one: 0.01 is 1 %. Skips joints that a pose lacks, and distances up to 0.01 % of the height.
    pub fn length_error(&self, animated: &[RigidTransform], pose: &[RigidTransform]) -> f32 {
        let length = |pose: &[RigidTransform], [bone, above]: [usize; 2]| {
            Some(pose.get(bone)?.position.distance(pose.get(above)?.position))
        };
        let error = |joint: &super::joint::Joint| {
            let bones = [joint.bone, self.all()[joint.parent?].bone];
            let (was, is) = (length(animated, bones)?, length(pose, bones)?);
            (was > self.height() * 1e-4).then(|| (is / was - 1.0).abs())
        };
        self.all().iter().filter_map(error).fold(0.0, f32::max)
    }

    /// Returns the joint that exceeds its anatomical limit most, and by how much in radians; the pelvis and 0 if none does.
    pub fn limit_violation(&self, joints: &JointPose) -> (JointIndex, f32) {
        self.limits.largest_violation(joints)
    }
}
