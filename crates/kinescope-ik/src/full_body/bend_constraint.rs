//! Bend constraints: the bend limit of limbs, and the directions in which elbows and knees point. Source: *Full-body
//! notes*, «IKConstraintBend».

use glam::{Quat, Vec3};

use super::state::{Frame, State};
use crate::lanes::{
    Layout, Mask, Number, Rotation, RotationOf, Vector, VectorOf, about_axis, decide, from_to, is_zero, nearest_cosine,
    nlerp, sine, unit_or_zero,
};
use crate::math::{self, STRAIGHT_SINE, angle, clamp_direction, from_to_rotation, ortho_normalize};
use crate::names::{BendSource, Effector, Node};
use crate::rig::detect::DEPENDABLE_BEND_DEGREES;
use crate::rig::{LimbName, RigidTransform};

/// Clamp weight of the bend limit at master weight 1. 0.5 would allow exactly straight limbs; 0.505 requires a bend of
/// at least 0.9°.
pub const BEND_LIMIT: f32 = 0.505;

/// Bend directions of a limb, from the reference pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BendConstraint {
    /// Default bend direction: points out of elbow or knee, orthogonal to bone 1. Unit, in bone 1's space.
    pub default_local: Vec3,
    /// Normal of the limb's plane, in bone 3's space. Of unit length for a straight limb, shorter for a bent one.
    pub default_child: Vec3,
    /// Angle between the two bones in the reference pose, degrees: 0 is straight.
    pub reference_bend: f32,
    /// Whether `reference_bend` is below [`DEPENDABLE_BEND_DEGREES`], too small to show a bend direction. The default
    /// bend direction of a leg then points the way that the character faces, that of an arm the opposite way.
    pub anatomical: bool,
}

impl BendConstraint {
    /// Computes the bend constraint from a limb's three bones in the reference pose; `facing` is the direction the
    /// character faces there. Model space.
    pub fn new(limb: LimbName, bones: [RigidTransform; 3], facing: Vec3) -> Self {
        let [p1, p2, p3] = bones.map(|bone| bone.position);
        let reference_bend = angle(p2 - p1, p3 - p2).to_degrees();
        let anatomical = reference_bend < DEPENDABLE_BEND_DEGREES;
        let outward = match (decide(anatomical), limb.is_arm()) {
            (false, _) => ortho_normalize(p3 - p1, p2 - p1),
            (true, true) => -facing,
            (true, false) => facing,
        };
        let direction = ortho_normalize(p2 - p1, outward);
        Self {
            default_local: bones[0].rotation.conjugate() * direction,
            default_child: bones[2].rotation.conjugate() * math::unit_or_zero(p3 - p1).cross(direction),
            reference_bend,
            anatomical,
        }
    }
}

/// Computes the bend limit: returns for each limb the rotation of bone 2, and a mask of the limbs that it rotates.
///
/// The limit bends a limb that is straight or bent the wrong way, see [`BEND_LIMIT`]. If the limb is then bent and its
/// end effector has position weight, the rotation also turns bone 2 about bone 1 toward `inward`, by `position_weight`
/// times `weight`.
///
/// `p1` to `p3` are the positions of each limb's bones, `inward` is opposite to the default bend direction; model
/// space. `weight` is the master weight, `smoothing` the number of sine iterations, `position_weight` the end
/// effector's weight without the master weight.
#[inline(always)]
pub fn limit_bend<R: Number>(
    [p1, p2, p3]: [VectorOf<R>; 3],
    inward: VectorOf<R>,
    (weight, smoothing): (R, R),
    position_weight: R,
) -> (RotationOf<R>, R::Mask) {
    let (zero, lower) = (weight.like(0.0), p3 - p2);
    let identity = RotationOf::<R>::splat(weight.token(), Quat::IDENTITY);
    let clamp_weight = weight * weight.like(BEND_LIMIT);
    let cosine: R = unit_or_zero::<R>(inward).dot(unit_or_zero::<R>(lower));
    let stays = cosine.gt(nearest_cosine(clamp_weight));
    let (mut turn, mut is_limited) = (identity, zero.gt(zero));
    if !stays.all() {
        (turn, is_limited) = clamp_bend::<R>(lower, inward, (clamp_weight, smoothing), stays);
    }
    let has_weight = position_weight.gt(zero);
    if has_weight.any() {
        let (upper, lower) = (p2 - p1, turn.rotate(lower));
        let is_bent = !sine::<R>(upper, lower).lt(weight.like(STRAIGHT_SINE)) & has_weight;
        let about = about_axis::<R>(lower, inward, upper);
        let turned = nlerp::<R>(turn, about * turn, position_weight * weight);
        turn = RotationOf::<R>::select(is_bent, turned, turn);
        is_limited = is_limited | is_bent;
    }
    (RotationOf::<R>::select(is_limited, turn.normalize(), identity), is_limited)
}

/// Limits the bend lane by lane. Few limbs exceed the limit, so this stays out of the fast path.
#[cold]
#[inline(never)]
fn clamp_bend<R: Number>(
    lower: VectorOf<R>,
    inward: VectorOf<R>,
    (clamp_weight, smoothing): (R, R),
    stays: R::Mask,
) -> (RotationOf<R>, R::Mask) {
    let mut turn = RotationOf::<R>::splat(clamp_weight.token(), Quat::IDENTITY);
    let mut changes = clamp_weight.like(0.0);
    for lane in (0..R::LANES).filter(|&lane| !stays.lane(lane)) {
        let lower = lower.lane(lane);
        let smoothing = smoothing.lane(lane);
        let smoothing = if decide(smoothing > 0.0) { smoothing as u32 } else { 0 };
        let (clamped, changed) = clamp_direction(lower, inward.lane(lane), clamp_weight.lane(lane), smoothing);
        if decide(changed) {
            turn.set_lane(lane, from_to_rotation(lower, clamped));
            changes.set_lane(lane, 1.0);
        }
    }
    (turn, changes.gt(changes.like(0.0)))
}

/// Returns the source with the largest share of a limb's bend direction in a state. The bend weight is the share of the
/// bend goal or the given direction, 0 without either; the end effector's rotation and the animation share the rest by
/// the rotation weight. A bend goal on the limb's first node gives no direction and is ignored.
pub fn bend_source(frame: &Frame, state: &State, limb: LimbName) -> BendSource {
    let settings = frame.limb(limb);
    let first = state.node(Node::of_limb(limb)[0]);
    let goal = settings.goal().filter(|&goal| goal != first);
    let given = match (goal, settings.direction()) {
        (Some(_), _) => Some(BendSource::Goal),
        (None, Some(_)) => Some(BendSource::Direction),
        (None, None) => None,
    };
    let bend_weight = if given.is_some() { settings.bend_weight } else { 0.0 };
    let rotation_weight = frame.effector(Effector::END[limb.index()]).rotation_weight;
    let from_rotation = (1.0 - bend_weight) * rotation_weight;
    let from_animation = (1.0 - bend_weight) * (1.0 - rotation_weight);
    match given {
        Some(given) if bend_weight >= from_rotation.max(from_animation) => given,
        Some(_) | None if from_rotation >= from_animation => BendSource::EffectorRotation,
        Some(_) | None => BendSource::Animation,
    }
}

/// Returns the bend directions of the limbs in a part of the [`Layout`], before the bend pass makes them orthogonal to
/// the limbs; model space, any length. Source: *Full-body notes*, «GetDir».
#[inline(always)]
pub fn bend_directions<L: Layout>(frame: &Frame<L>, state: &State<L>, part: usize) -> VectorOf<L::Limb> {
    let limbs = &frame.limbs[part];
    let (zero, one) = (limbs.bend_weight.like(0.0), limbs.bend_weight.like(1.0));
    let to_goal = limbs.bend_goal - state.points.limbs[part][0];
    let is_to_goal = limbs.has_bend_goal.gt(zero) & !is_zero::<L::Limb>(to_goal);
    let is_given = is_to_goal | limbs.has_bend_direction.gt(zero);
    let weight = L::Limb::select(is_given, limbs.bend_weight, zero);
    let has_weight = weight.gt(zero);
    if !has_weight.any() {
        return natural_directions(frame, state, part);
    }
    let given = unit_or_zero::<L::Limb>(VectorOf::<L::Limb>::select(is_to_goal, to_goal, limbs.bend_direction));
    let is_partly = weight.lt(one);
    if !is_partly.any() {
        return given;
    }
    let natural = natural_directions(frame, state, part);
    let mixed = unit_or_zero::<L::Limb>(natural).lerp(given, weight);
    let mixed = VectorOf::<L::Limb>::select(is_partly, mixed, given);
    VectorOf::<L::Limb>::select(has_weight, mixed, natural)
}

/// Returns the bend directions before bend goals and given directions act.
///
/// Each starts as the vector from bone 1 to bone 2 in the animated pose, for a straight limb as the default bend
/// direction, and is rotated with the limb. The rotation weight blends in the direction that the end effector's
/// rotation gives. The torso plane twists the result, as far as the end effector maintains its relative position.
#[inline(always)]
fn natural_directions<L: Layout>(frame: &Frame<L>, state: &State<L>, part: usize) -> VectorOf<L::Limb> {
    let limbs = &frame.limbs[part];
    let zero = limbs.straight.like(0.0);
    let [p1, p2, p3] = frame.bones.limbs[part];
    let [first, _, last] = state.points.limbs[part];
    let limb_direction = last - first;
    let animated = VectorOf::<L::Limb>::select(limbs.straight.gt(zero), limbs.default_direction, p2 - p1);
    let mut direction = from_to::<L::Limb>(p3 - p1, limb_direction).rotate(animated);

    let effector = &frame.end_effectors[part];
    let turns = effector.rotation_weight.gt(zero);
    if turns.any() {
        let from_rotation = -limb_direction.cross(effector.rotation.rotate(limbs.default_child));
        let turned = direction.lerp(from_rotation, effector.rotation_weight);
        direction = VectorOf::<L::Limb>::select(turns, turned, direction);
    }

    let turned = state.plane_rotation_offsets[part];
    let follows = effector.maintain_relative_position.gt(zero);
    if follows.any() {
        // Removes the swing of the torso plane, so that only its twist about the limb remains.
        let back = from_to::<L::Limb>(turned.rotate(limb_direction), limb_direction);
        let twisted = back.rotate(turned.rotate(direction));
        direction = VectorOf::<L::Limb>::select(follows, twisted, direction);
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
    fn the_source_with_the_largest_share_names_the_bend() {
        let limb = LimbName::RightLeg;
        let source = |bend_weight: f32, rotation_weight: f32, is_given: bool| {
            let mut frame = Frame::default();
            frame.end_effectors[0].rotation_weight.set_lane(limb.index(), rotation_weight);
            match is_given {
                true => frame.set_bend(limb, Vec3::X, bend_weight),
                false => frame.limbs[0].bend_weight.set_lane(limb.index(), bend_weight),
            }
            bend_source(&frame, &State::default(), limb)
        };
        assert_eq!(source(0.0, 0.0, true), BendSource::Animation);
        assert_eq!(source(0.3, 0.2, true), BendSource::Animation);
        assert_eq!(source(0.0, 0.1, true), BendSource::Animation);
        assert_eq!(source(0.3, 0.9, true), BendSource::EffectorRotation);
        assert_eq!(source(0.6, 0.9, true), BendSource::Direction);
        assert_eq!(source(1.0, 0.2, false), BendSource::Animation);
    }

    #[test]
    fn a_goal_on_the_first_node_is_no_source() {
        let (limb, mut frame, state) = (LimbName::LeftArm, Frame::default(), State::default());
        frame.limbs[0].bend_weight.set_lane(limb.index(), 1.0);
        frame.limbs[0].has_bend_goal.set_lane(limb.index(), 1.0);
        let first = state.node(Node::of_limb(limb)[0]);
        for (goal, direction, source) in [
            (first + Vec3::X, 0.0, BendSource::Goal),
            (first, 0.0, BendSource::Animation),
            (first, 1.0, BendSource::Direction),
        ] {
            frame.limbs[0].bend_goal.set_lane(limb.index(), goal);
            frame.limbs[0].has_bend_direction.set_lane(limb.index(), direction);
            assert_eq!(bend_source(&frame, &state, limb), source, "{goal} {direction}");
        }
    }

    #[test]
    fn bend_limit_leaves_a_well_bent_limb() {
        let bent = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, 0.1), Vec3::ZERO]);
        let constraint = BendConstraint::new(LimbName::LeftLeg, bent, Vec3::Z);
        let limits = |bones: [RigidTransform; 3], weight: f32| {
            let inward = bones[0].rotation * -constraint.default_local;
            limit_bend::<f32>(bones.map(|bone| bone.position), inward, (weight, 0.0), 0.0).1
        };
        assert!(!limits(bent, 1.0));
        let backward = limb([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.5, -0.1), Vec3::ZERO]);
        assert!(limits(backward, 1.0));
        assert!(!limits(backward, 0.0));
    }
}
