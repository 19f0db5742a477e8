//! Bend constraints: which way elbows and knees point (seed 000, «IKConstraintBend»).

use glam::{Quat, Vec3};

use super::names::{Effector, Node};
use super::state::{Frame, State};
use crate::math::{STRAIGHT_SINE, unit_or_zero};
use crate::math::{angle, clamp_direction, from_to_about_axis, from_to_rotation, nlerp, ortho_normalize, sine};
use crate::rig::detect::DEPENDABLE_BEND_DEGREES;
use crate::rig::{LimbName, RigidTransform};

/// Clamp weight of the bend limit: a limb may be bent from just before straight (0.5 would be exactly straight) on.
pub const BEND_LIMIT: f32 = 0.505;

/// What a limb knows of bending, from the reference pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BendConstraint {
    /// Points out of elbow or knee, in bone 1's space.
    pub default_local: Vec3,
    /// Normal of the limb's plane, in bone 3's space.
    pub default_child: Vec3,
    /// Angle between the two bones in the reference pose, degrees: 0 is straight.
    pub reference_bend: f32,
    /// The reference pose had no dependable direction: knees point where the character faces, elbows the other way.
    pub anatomical: bool,
}

impl BendConstraint {
    /// From the limb's three bones in the reference pose and the way the character faces there (model space).
    pub fn new(limb: LimbName, bones: [RigidTransform; 3], facing: Vec3) -> Self {
        let [p1, p2, p3] = bones.map(|bone| bone.position);
        let reference_bend = angle(p2 - p1, p3 - p2).to_degrees();
        let anatomical = reference_bend < DEPENDABLE_BEND_DEGREES;
        let outward = match (anatomical, limb.is_arm()) {
            (false, _) => ortho_normalize(p3 - p1, p2 - p1),
            (true, true) => -facing,
            (true, false) => facing,
        };
        let direction = ortho_normalize(p2 - p1, outward);
        Self {
            default_local: bones[0].rotation.conjugate() * direction,
            default_child: bones[2].rotation.conjugate() * unit_or_zero(p3 - p1).cross(direction),
            reference_bend,
            anatomical,
        }
    }

    /// The rotations of bones 2 that undo a wrong bend; `None` if the limb may stay as it is.
    ///
    /// `position_weight` is that of the limb's end effector (not scaled by the master weight).
    pub fn limit_bend(&self, bones: [RigidTransform; 3], weight: f32, position_weight: f32) -> Option<Quat> {
        let [p1, p2, p3] = bones.map(|bone| bone.position);
        let inward = bones[0].rotation * -self.default_local;
        let lower = p3 - p2;
        let mut rotation = bones[1].rotation;
        let (clamped, changed) = clamp_direction(lower, inward, BEND_LIMIT * weight, 0);
        let mut turned = Quat::IDENTITY;
        if changed {
            turned = from_to_rotation(lower, clamped);
            rotation = turned * rotation;
        }
        let mut limited = changed;
        if position_weight > 0.0 {
            let (upper, lower) = (p2 - p1, turned * lower);
            if sine(upper, lower) >= STRAIGHT_SINE {
                let about = from_to_about_axis(lower, inward, upper);
                rotation = nlerp(rotation, about * rotation, position_weight * weight);
                limited = true;
            }
        }
        limited.then(|| rotation.normalize())
    }
}

/// Where a limb's bend direction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BendSource {
    /// The animated pose, turned with the limb.
    Animation,
    /// The end effector's rotation, as far as its weight goes.
    EffectorRotation,
    /// The limb's bend goal (a pole vector).
    Goal,
    /// The limb's bend direction, where it has no goal.
    Direction,
}

impl BendSource {
    /// As shown beside the arrow.
    pub const fn label(self) -> &'static str {
        ["from animation", "from effector rotation", "from bend goal", "from bend direction"][self as usize]
    }
}

/// Which source has the largest say.
pub fn bend_source(frame: &Frame, limb: LimbName) -> BendSource {
    let settings = frame.limb(limb);
    let rotation_weight = frame.effector(Effector::END[limb.index()]).rotation_weight;
    if settings.bend_weight > 0.5 || (settings.bend_weight > 0.0 && settings.bend_weight >= rotation_weight) {
        if settings.bend_goal.is_some() { BendSource::Goal } else { BendSource::Direction }
    } else if rotation_weight > 0.0 {
        BendSource::EffectorRotation
    } else {
        BendSource::Animation
    }
}

/// The direction in which the last pass bends a limb; model space, any length (seed 000, «GetDir»).
pub fn bend_direction(frame: &Frame, state: &State, limb: LimbName) -> Vec3 {
    let settings = frame.limb(limb);
    let first = state.nodes[Node::of_limb(limb)[0]];
    let to_goal = settings.bend_goal.map(|goal| goal - first).filter(|&to_goal| to_goal != Vec3::ZERO);
    let given = to_goal.or(settings.bend_direction);
    let weight = if given.is_some() { settings.bend_weight } else { 0.0 };
    let given = unit_or_zero(given.unwrap_or(Vec3::ZERO));
    if weight >= 1.0 {
        return given;
    }
    let natural = natural_direction(frame, state, limb);
    if weight <= 0.0 { natural } else { unit_or_zero(natural).lerp(given, weight) }
}

/// The bend direction without goal or direction: the animated one, turned with the limb, by the effector's rotation
/// and with the torso plane.
pub fn natural_direction(frame: &Frame, state: &State, limb: LimbName) -> Vec3 {
    let settings = frame.limb(limb);
    let [first, second, last] = Node::of_limb(limb);
    let [p1, p2, p3] = [first, second, last].map(|node| frame.bone(node).position);
    let limb_direction = state.nodes[last] - state.nodes[first];
    let animated = if settings.straight { settings.default_direction } else { p2 - p1 };
    let mut direction = from_to_rotation(p3 - p1, limb_direction) * animated;

    let effector = frame.effector(Effector::END[limb.index()]);
    if effector.rotation_weight > 0.0 {
        let from_rotation = -limb_direction.cross(effector.rotation * settings.default_child);
        direction = direction.lerp(from_rotation, effector.rotation_weight);
    }

    let turned = state.plane_rotation_offsets[limb.index()];
    if turned != Quat::IDENTITY {
        // What the torso plane swung the limb away from where it now is, is swung back: the twist remains.
        let back = from_to_rotation(turned * limb_direction, limb_direction);
        direction = back * (turned * direction);
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limb(points: [Vec3; 3]) -> [RigidTransform; 3] {
        points.map(|position| RigidTransform { position, rotation: Quat::IDENTITY })
    }

    #[test]
    fn knee_points_forward() {
        let bent = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, 0.1), Vec3::ZERO]);
        let constraint = BendConstraint::new(LimbName::LeftLeg, bent, Vec3::Z);
        assert!(!constraint.anatomical);
        assert!(constraint.default_local.z > 0.9);
    }

    #[test]
    fn straight_limbs_take_the_anatomical_direction() {
        let straight = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, 0.0), Vec3::ZERO]);
        let leg = BendConstraint::new(LimbName::LeftLeg, straight, Vec3::Z);
        let arm = BendConstraint::new(LimbName::LeftArm, straight, Vec3::Z);
        assert!(leg.anatomical && arm.anatomical);
        assert!((leg.default_local - Vec3::Z).length() < 1e-6);
        assert!((arm.default_local + Vec3::Z).length() < 1e-6);
    }

    #[test]
    fn bend_limit_leaves_a_well_bent_limb() {
        let bent = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, 0.1), Vec3::ZERO]);
        let constraint = BendConstraint::new(LimbName::LeftLeg, bent, Vec3::Z);
        assert_eq!(constraint.limit_bend(bent, 1.0, 0.0), None);
        let backward = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, -0.1), Vec3::ZERO]);
        assert!(constraint.limit_bend(backward, 1.0, 0.0).is_some());
        assert_eq!(constraint.limit_bend(backward, 0.0, 0.0), None);
    }
}
