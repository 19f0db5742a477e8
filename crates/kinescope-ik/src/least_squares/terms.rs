//! The terms: residuals and their derivatives at a state.
//!
//! Turns of joints are vectors in model space (axis times angle), so that a turn ω of a joint at p moves every point x
//! below it by ω × (x − p), to first order.

use glam::{Quat, Vec3, Vec4};

use super::moves::Cause;
use super::rows::{BLOCKS, Blocks, OVERLAPS, Ranges, Rows, Single};
use super::state::{Frame, State, TERMS};
use crate::joints::{JointIndex, JointPose, Joints, MAX_JOINTS, Part, Placement};
use crate::math::unit;
use crate::names::Effector;
use crate::rig::LimbName;

/// Buffers of a solve, allocated once. They fit every character.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) rows: Box<Rows>,
    pub(super) placement: Placement,
    /// The sum of the squared weighted residuals of each term.
    pub(super) costs: [f32; TERMS],
    /// The result of [`Frame::beyond`] for each joint.
    pub(super) beyond: [Option<(Vec3, f32)>; MAX_JOINTS],
    /// The effector farthest from its aim, and the distance relative to the height; `None` if all are at their aims.
    pub(super) missed: Option<(Effector, f32)>,
    /// The iteration whose rows the workspace has.
    pub(super) holds: Option<u32>,
}

impl Workspace {
    pub(super) fn cost(&self) -> f32 {
        self.costs.iter().sum()
    }

    /// Returns the largest distance of an effector from its aim, relative to the height.
    pub(super) fn missed_distance(&self) -> f32 {
        self.missed.map_or(0.0, |(_, distance)| distance)
    }
}

/// The damping of a trunk joint is multiplied by the square of this times [`trunk`](super::LeastSquaresSettings::trunk), at
/// least by 1. With one damping for all joints, the first steps fold the trunk where arms or legs would do, and the weak pull
/// to the animated pose takes a hundred iterations to unfold it. Larger factors take more iterations to targets that need the
/// trunk.
const DAMPED_TRUNK: f32 = 0.6;
/// The largest factor of the damping of a trunk joint.
const MOST_DAMPED: f32 = 100.0;
/// The factor of the damping of the pelvis's shift, which is measured in heights of the character.
const DAMPED_SHIFT: f32 = 1.1;

/// Indices of the terms in [`Stage::TERMS`](super::Stage::TERMS).
mod term {
    pub const POSITION: usize = 0;
    pub const ROTATION: usize = 1;
    pub const BEND: usize = 2;
    pub const LIMITS: usize = 3;
    pub const REST: usize = 4;
    pub const SMOOTHNESS: usize = 5;
    pub const BALANCE: usize = 6;
    pub const SEPARATION: usize = 7;
}

struct Terms<'a> {
    joints: &'a Joints,
    frame: &'a Frame,
    beyond: &'a [Option<(Vec3, f32)>; MAX_JOINTS],
    pose: JointPose,
    placement: &'a Placement,
    rows: &'a mut Rows,
    costs: &'a mut [f32; TERMS],
    missed: &'a mut Option<(Effector, f32)>,
    /// 1 / height; 1 for a height of 0.
    scale: f32,
    pull: f32,
}

/// Computes all rows and residuals at a state.
pub(super) fn linearize(joints: &Joints, frame: &Frame, state: &State, workspace: &mut Workspace) {
    if frame.settings.limits > 0.0 {
        for (joint, beyond) in workspace.beyond.iter_mut().enumerate().take(joints.len()) {
            *beyond = frame.beyond(joints, joint, state.rotations[joint]);
        }
    }
    linearize_beyond(joints, frame, state, workspace);
}

/// As [`linearize`], but takes [`Frame::beyond`] of the state's joints from the workspace.
pub(super) fn linearize_beyond(joints: &Joints, frame: &Frame, state: &State, workspace: &mut Workspace) {
    let Workspace { rows, placement, costs, beyond, missed, .. } = workspace;
    let pose = state.pose(frame);
    joints.place_into(&pose, placement);
    rows.count = 0;
    *costs = [0.0; TERMS];
    *missed = None;
    let scale = if joints.height() > 0.0 { 1.0 / joints.height() } else { 1.0 };
    let pull = state.pull;
    let mut terms = Terms { joints, frame, beyond, pose, placement, rows, costs, missed, scale, pull };
    terms.singles();
    terms.effectors();
    terms.bends();
    if frame.settings.balance > 0.0 {
        terms.balance();
    }
    if frame.settings.separation > 0.0 {
        terms.separation();
    }
}

/// Returns twice the vector part of a rotation, which is its axis times its angle for small angles.
#[inline(always)]
fn small(turn: Quat) -> Vec3 {
    let vector = turn.xyz();
    vector * if turn.w < 0.0 { -2.0 } else { 2.0 }
}

impl Terms<'_> {
    /// Adds the terms of single joints: animated pose, last pose, limits.
    fn singles(&mut self) {
        let (frame, settings) = (self.frame, &self.frame.settings);
        let square = |weight: f32| weight * weight;
        // Once the pull is weak, all joints have to move to the target.
        let [damped_trunk, damped_root] = match self.pull < 1.0 {
            true => [1.0, 1.0],
            false => [square(DAMPED_TRUNK * settings.trunk).clamp(1.0, MOST_DAMPED), DAMPED_SHIFT * square(self.scale)],
        };
        let smoothness = if frame.has_last { square(settings.smoothness) } else { 0.0 };
        let root = square(settings.root * self.scale) * self.pull;
        let followed = smoothness * square(self.scale);
        let back = frame.animated.root - self.pose.root;
        let to_last = frame.last.root - self.pose.root;
        self.costs[term::REST] += root * back.length_squared();
        self.costs[term::SMOOTHNESS] += followed * to_last.length_squared();
        self.rows.singles[0] = Single {
            weight: root + followed,
            rest: back * root,
            smoothness: to_last * followed,
            damped: damped_root,
            ..Single::default()
        };
        let limb = square(settings.rest) * self.pull;
        let trunk = limb * square(settings.trunk);
        for (index, joint) in self.joints.all().iter().enumerate() {
            let rotation = self.pose.rotations[index];
            let above = joint.parent.map_or(Quat::IDENTITY, |parent| self.placement.rotations[parent]);
            let is_trunk = matches!(joint.part, Part::Pelvis | Part::Spine | Part::Clavicle);
            let rest = if is_trunk { trunk } else { limb };
            let back = above * small(frame.animated.rotations[index] * rotation.conjugate());
            self.costs[term::REST] += rest * back.length_squared();
            let damped = if is_trunk { damped_trunk } else { 1.0 };
            let mut single = Single { weight: rest + smoothness, rest: back * rest, damped, ..Single::default() };
            if smoothness > 0.0 {
                let to_last = above * small(frame.last.rotations[index] * rotation.conjugate());
                self.costs[term::SMOOTHNESS] += smoothness * to_last.length_squared();
                single.smoothness = to_last * smoothness;
            }
            if settings.limits > 0.0
                && let Some((axis, over)) = self.beyond[index]
            {
                single.axis = above * axis;
                single.limit = square(settings.limits);
                single.excess = over;
                self.costs[term::LIMITS] += single.limit * square(single.excess);
            }
            self.rows.singles[index + 1] = single;
        }
        for single in &mut self.rows.singles[self.joints.len() + 1..BLOCKS] {
            *single = Single { weight: 1.0, damped: 1.0, ..Single::default() };
        }
    }

    /// Returns ranges of blocks outside which the row of a point on a joint is zero. They include the blocks of the
    /// root's shift, of the joint and of all joints above it.
    fn ranges(&self, joint: JointIndex) -> Ranges {
        let is_trunk = |joint: JointIndex| {
            matches!(self.joints.all()[joint].part, Part::Pelvis | Part::Spine | Part::Neck | Part::Head)
        };
        if is_trunk(joint) {
            return [[0, joint + 2], [0, 0]];
        }
        let mut first = joint;
        while let Some(parent) = self.joints.all()[first].parent {
            if is_trunk(parent) {
                return [[0, parent + 2], [first + 1, joint + 2]];
            }
            first = parent;
        }
        [[0, 1], [first + 1, joint + 2]]
    }

    fn effectors(&mut self) {
        let (frame, settings) = (self.frame, &self.frame.settings);
        for effector in Effector::ALL {
            let goal = frame.goals.of(effector);
            let (at, ranges) = (self.placement.positions[goal.joint], self.ranges(goal.joint));
            let weight = frame.position_weight(effector) * self.scale;
            if goal.has_position && weight > 0.0 {
                let gap = goal.aim() - at;
                let distance = gap.length() * self.scale;
                if self.missed.map_or(0.0, |(_, most)| most) < distance {
                    *self.missed = Some((effector, distance));
                }
                let residual = gap * weight;
                self.costs[term::POSITION] += residual.length_squared();
                let cause = Cause::Position(effector);
                for axis in 0..3 {
                    let Some(row) = self.rows.add(cause, residual[axis], ranges) else { return };
                    let along = Vec3::AXES[axis];
                    row[0] = (along * weight).extend(0.0);
                    for block in ranges.into_iter().flat_map(|[from, to]| from.max(1)..to) {
                        let arm = at - self.placement.positions[block - 1];
                        row[block] = (arm.cross(along) * weight).extend(0.0);
                    }
                }
            }
            let weight = settings.rotation * goal.rotation_weight;
            if weight > 0.0 {
                let turn = goal.aim_rotation() * self.placement.rotations[goal.joint].conjugate();
                let residual = small(turn) * weight;
                self.costs[term::ROTATION] += residual.length_squared();
                for axis in 0..3 {
                    let Some(row) = self.rows.add(Cause::Rotation(effector), residual[axis], ranges) else { return };
                    row[0] = Vec4::ZERO;
                    for block in ranges.into_iter().flat_map(|[from, to]| from.max(1)..to) {
                        row[block] = (Vec3::AXES[axis] * weight).extend(0.0);
                    }
                }
            }
        }
    }

    /// Adds the terms of bend goals and bend directions: the angle from the middle joint to the goal or direction,
    /// about the line from the limb's root to its end.
    fn bends(&mut self) {
        for limb in LimbName::ALL {
            let bend = &self.frame.goals.bends[limb.index()];
            let [first, middle, last] = bend.joints;
            let place = |joint: JointIndex| self.placement.positions[joint];
            let Some(wanted) = bend.direction(place(first).midpoint(place(last))) else { continue };
            let Some(line) = unit(place(last) - place(first)) else { continue };
            let across = |v: Vec3| v - line * line.dot(v);
            let own = across(place(middle) - place(first));
            let Some(wanted) = unit(across(wanted)) else { continue };
            // A nearly straight limb has no direction; its weight fades.
            let bent = (own.length() * self.scale * 30.0).min(1.0);
            let weight = self.frame.settings.bend * bend.weight * bent;
            if weight <= 0.0 {
                continue;
            }
            let angle = line.dot(own.cross(wanted)).atan2(own.dot(wanted));
            self.costs[term::BEND] += weight * weight * angle * angle;
            let ranges = self.ranges(middle);
            let Some(row) = self.rows.add(Cause::Bend(limb), angle * weight, ranges) else { return };
            row[0] = Vec4::ZERO;
            for block in ranges.into_iter().flat_map(|[from, to]| from.max(1)..to) {
                row[block] = (line * weight).extend(0.0);
            }
            // A turn of the middle joint moves only the end of the line. The line then turns about the limb's root, and
            // with it the foot of the perpendicular from the middle joint.
            let (upper, whole) = (place(middle) - place(first), place(last) - place(first));
            let share = upper.dot(line) / whole.length();
            let around = line.cross(own) / own.length_squared();
            row[middle + 1] = ((place(last) - place(middle)).cross(around) * (-share * weight)).extend(0.0);
        }
    }

    fn whole(&self) -> Ranges {
        [[0, self.joints.len() + 1], [0, 0]]
    }

    /// Adds the term of the centre of mass: toward the support polygon, if it is outside and the polygon has at least
    /// three corners.
    fn balance(&mut self) {
        let centre = self.joints.centre_of_mass(self.placement);
        let support = self.joints.support(self.placement);
        let out = -support.margin(centre);
        let direction = (centre - support.nearest(centre)) * Vec3::new(1.0, 0.0, 1.0);
        let Some(direction) = unit(direction).filter(|_| out > 0.0 && support.corners().len() > 2) else { return };
        let weight = self.frame.settings.balance * self.scale;
        self.costs[term::BALANCE] += weight * weight * out * out;
        // Mass and moment of each joint with everything below it.
        let mut below = [(0.0f32, Vec3::ZERO); MAX_JOINTS];
        for (index, joint) in self.joints.all().iter().enumerate().rev() {
            let own = &mut below[index];
            own.0 += joint.mass;
            own.1 += self.joints.segment_centre(index, self.placement) * joint.mass;
            let (mass, moment) = *own;
            if let Some(parent) = joint.parent {
                below[parent].0 += mass;
                below[parent].1 += moment;
            }
        }
        let (count, ranges) = (self.joints.len(), self.whole());
        let Some(row) = self.rows.add(Cause::Balance, -out * weight, ranges) else { return };
        row[0] = (direction * weight).extend(0.0);
        for (joint, &(mass, moment)) in below.iter().enumerate().take(count) {
            let arm = moment - self.placement.positions[joint] * mass;
            row[joint + 1] = (arm.cross(direction) * weight).extend(0.0);
        }
    }

    /// Adds rows for the overlaps of capsules that exceed those of the animated pose most, at most [`OVERLAPS`], the
    /// largest excess first.
    fn separation(&mut self) {
        let animated = self.joints.place(&self.frame.animated);
        let mut deepest = [(0.0f32, [0u8; 2]); OVERLAPS];
        for &pair in self.joints.pairs() {
            let depth = -self.joints.gap(pair.map(usize::from), self.placement).distance;
            let mut own = (depth - self.allowed_overlap(pair, depth, &animated), pair);
            for slot in &mut deepest {
                if own.0 > slot.0 {
                    std::mem::swap(&mut own, slot);
                }
            }
        }
        let weight = self.frame.settings.separation * self.scale;
        for (depth, pair) in deepest.into_iter().filter(|(depth, _)| *depth > 0.0) {
            let pair = pair.map(usize::from);
            let gap = self.joints.gap(pair, self.placement);
            let Some(direction) = unit(gap.points[1] - gap.points[0]) else { continue };
            self.costs[term::SEPARATION] += weight * weight * depth * depth;
            let ranges = self.whole();
            let Some(row) = self.rows.add(Cause::Separation, depth * weight, ranges) else { return };
            row[..ranges[0][1]].fill(Vec4::ZERO);
            add_point(row, self.joints, self.placement, (pair[1], gap.points[1]), direction * weight);
            add_point(row, self.joints, self.placement, (pair[0], gap.points[0]), -direction * weight);
        }
    }

    fn allowed_overlap(&self, pair: [u8; 2], depth: f32, animated: &Placement) -> f32 {
        if depth <= 0.0 {
            return 0.0;
        }
        (-self.joints.gap(pair.map(usize::from), animated).distance).max(0.0)
    }
}

/// Adds the derivative of a point's position along a direction, for all joints that carry it. The block of the root's shift
/// stays zero, because the shift moves both points of a pair alike.
fn add_point(
    row: &mut Blocks,
    joints: &Joints,
    placement: &Placement,
    (joint, point): (JointIndex, Vec3),
    direction: Vec3,
) {
    let mut above = Some(joint);
    while let Some(own) = above {
        row[own + 1] += (point - placement.positions[own]).cross(direction).extend(0.0);
        above = joints.all()[own].parent;
    }
}
