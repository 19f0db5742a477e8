//! Goals of a frame: targets of effectors and bend goals of limbs, read from the full body's settings.

use glam::{Quat, Vec3};

use super::joint::{JointIndex, Joints};
use super::pose::Placement;
use crate::full_body::Settings;
use crate::math::{clamp, read_rotation, slerp, unit_or_zero};
use crate::names::Effector;
use crate::rig::LimbName;

/// The target of one effector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// The joint that should reach the target.
    pub joint: JointIndex,
    /// The target, or the position of the joint in the animated pose if the settings have no finite target. Model
    /// space.
    pub position: Vec3,
    /// The position of the joint in the animated pose, plus the effector's offset times the master weight.
    pub animated: Vec3,
    /// Position weight times master weight, 0 to 1.
    pub weight: f32,
    /// Whether the position counts: with a weight above 0, or with an offset of body, shoulder or thigh.
    pub has_position: bool,
    /// The target rotation, or the rotation of the joint in the animated pose if the settings have no valid rotation.
    /// Model space.
    pub rotation: Quat,
    /// The rotation of the joint in the animated pose; model space.
    pub animated_rotation: Quat,
    /// Rotation weight times master weight, 0 to 1.
    pub rotation_weight: f32,
    /// The pull of the effector's limb, 0 to 1; 1 for the body.
    pub pull: f32,
}

/// The point or direction that an elbow or knee should point to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Toward {
    /// A bend goal (pole vector); model space.
    Point(Vec3),
    /// A bend direction; model space, unit, or zero if the direction in the settings counts as zero.
    Direction(Vec3),
}

/// The bend goal or bend direction of one limb.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bend {
    /// The joints of the limb.
    pub joints: [JointIndex; 3],
    /// Where elbow or knee should point; `None` without a bend goal and a bend direction.
    pub toward: Option<Toward>,
    /// Bend weight times master weight, 0 to 1.
    pub weight: f32,
}

/// The targets of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goals {
    /// The master weight, 0 to 1.
    pub weight: f32,
    /// The effectors, in the order of [`Effector::ALL`].
    pub effectors: [Goal; Effector::COUNT],
    /// The limbs, in the order of [`LimbName::ALL`].
    pub bends: [Bend; 4],
}

impl Goal {
    /// Returns the position that the joint should have: between the animated position and the target, by the weight.
    /// Model space.
    pub fn aim(&self) -> Vec3 {
        self.animated.lerp(self.position, self.weight)
    }

    /// Returns the rotation that the joint should have: between the animated rotation and the target, by the weight.
    pub fn aim_rotation(&self) -> Quat {
        slerp(self.animated_rotation, self.rotation, self.rotation_weight)
    }

    /// Returns whether the goal asks for a position or a rotation.
    pub fn counts(&self) -> bool {
        self.has_position || self.rotation_weight > 0.0
    }
}

impl Bend {
    /// Returns whether there is a bend goal or bend direction with a weight above 0.
    pub fn counts(&self) -> bool {
        self.weight > 0.0 && self.toward.is_some()
    }

    /// Returns the direction from a point of the limb to its bend goal, or the bend direction; model space, unit. `None`
    /// without either or without a weight, at the goal, and for a direction of zero.
    pub fn direction(&self, from: Vec3) -> Option<Vec3> {
        let direction = match self.toward.filter(|_| self.weight > 0.0)? {
            Toward::Point(goal) => unit_or_zero(goal - from),
            Toward::Direction(direction) => direction,
        };
        (direction != Vec3::ZERO).then_some(direction)
    }
}

impl Goals {
    /// Reads the goals of a frame. `animated` is the [placement](Joints::placement_of) of the animated pose. Numbers that
    /// are not finite count as absent, weights are clamped to 0–1.
    ///
    /// As in the full body, weights are multiplied by the master weight, and a bend goal takes precedence over a bend
    /// direction. Unlike in the full body, hands and feet at weight 0 are free; their offsets have an effect only at
    /// weights above 0 and below 1.
    pub fn resolve(joints: &Joints, settings: &Settings, animated: &Placement) -> Self {
        let share = |value: f32| if value.is_finite() { clamp(value, 0.0, 1.0) } else { 0.0 };
        let master = share(settings.solver.weight);
        let finite = |v: Option<Vec3>| v.filter(|v| v.is_finite());
        let mut goals = Self { weight: master, ..Self::default() };
        for effector in Effector::ALL {
            let own = settings.effector(effector);
            let joint = joints.effector(effector);
            let placed = animated.of(joint);
            let offset = finite(Some(own.position_offset)).unwrap_or(Vec3::ZERO) * master;
            let weight = share(own.position_weight) * master;
            let is_end = effector.limb().is_some();
            let pull = effector.node().limb().map_or(1.0, |limb| share(settings.chain(limb).pull));
            goals.effectors[effector as usize] = Goal {
                joint,
                position: finite(own.position).unwrap_or(placed.position),
                animated: placed.position + offset,
                weight,
                has_position: weight > 0.0 || (!is_end && offset != Vec3::ZERO),
                rotation: own.rotation.and_then(read_rotation).unwrap_or(placed.rotation),
                animated_rotation: placed.rotation,
                rotation_weight: share(own.rotation_weight) * master,
                pull,
            };
        }
        for limb in LimbName::ALL {
            let own = settings.chain(limb);
            let direction = finite(own.bend_direction).map(unit_or_zero).map(Toward::Direction);
            let toward = finite(own.bend_goal).map(Toward::Point).or(direction);
            let weight = share(own.bend_weight) * master;
            goals.bends[limb.index()] = Bend { joints: joints.limb(limb), toward, weight };
        }
        goals
    }

    /// Returns the goal of an effector.
    pub fn of(&self, effector: Effector) -> &Goal {
        &self.effectors[effector as usize]
    }

    /// Returns true if neither an effector's goal nor a limb's bend [counts](Goal::counts).
    pub fn is_empty(&self) -> bool {
        !self.effectors.iter().any(Goal::counts) && !self.bends.iter().any(Bend::counts)
    }
}
