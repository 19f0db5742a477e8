//! Limb mapping: clavicle, the two bones in the limb's plane, and hand or foot. Source: *Full-body notes*,
//! «IKMappingLimb».

use glam::Quat;

use crate::full_body::hierarchy::{Hierarchy, Key, KeyBone, KeyPose};
use crate::full_body::state::{Frame, Points};
use crate::full_body::written::{BoneMove, WriteCause, Written};
use crate::lanes::{Basis, Layout, Mask, Number, Rotation, RotationOf, Vector, decide, from_to, nlerp, turn_between};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// Planes and axes of a part's limbs, as read for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbMapping<R: Number = f32> {
    /// Vector from the clavicle to bone 1; zero without a clavicle. Model space.
    pub clavicle_axis: R::Vec3,
    /// The planes through bones 1, 2, 3 and through bones 2, 3, 1, which turn bone 1 and bone 2. In a straight limb,
    /// the planes of each bone and the default bend direction.
    pub planes: [Basis<R::Vec3>; 2],
}

impl<R: Number> LimbMapping<R> {
    #[inline(always)]
    pub fn read<L: Layout<Limb = R>>(
        hierarchy: &Hierarchy,
        keys: &KeyPose<L::One>,
        frame: &Frame<L>,
        part: usize,
    ) -> Self {
        let settings = &frame.limbs[part];
        let bones = frame.bones.limbs[part];
        let root = L::join_vector(
            part,
            #[inline(always)]
            |limb| keys.base(root_key(hierarchy, limb)).position,
        );
        let is_straight = settings.straight.gt(settings.straight.like(0.0));
        let mut planes = Basis::of_limb::<R>(bones, Some(is_straight));
        if is_straight.any() {
            // A straight limb has no plane; the plane of its default bend direction keeps it from flipping.
            let up = -settings.default_direction;
            let upper = Basis::look::<R>(bones[1] - bones[0], up);
            let lower = Basis::look::<R>(bones[2] - bones[1], up);
            planes[0] = Basis::select::<R>(is_straight, upper, planes[0]);
            planes[1] = Basis::select::<R>(is_straight, lower, planes[1]);
        }
        Self { clavicle_axis: bones[0] - root, planes }
    }
}

fn root_key(hierarchy: &Hierarchy, limb: LimbName) -> Key {
    let keys = &hierarchy.limbs[limb.index()];
    keys.clavicle.unwrap_or(keys.bones[0])
}

/// Bones of a part's limbs after each move of writing.
struct Solved<L: Layout> {
    placed: KeyBone<L::Limb>,
    upper: KeyBone<L::Limb>,
    lower: KeyBone<L::Limb>,
    maintained: KeyBone<L::Limb>,
    end: KeyBone<L::Limb>,
}

/// Writes the limbs of a part, or only one of them: first their clavicles (not at 0 iterations), then bones 1 to 3 of
/// each limb. Skips limbs with a mapping weight of 0.
#[inline(always)]
pub fn write_limbs<L: Layout, W: Watch<BoneMove>>(
    limbs: &Option<L::Each<LimbMapping<L::Limb>>>,
    hierarchy: &Hierarchy,
    written: &mut Written<L::One>,
    frame: &Frame<L>,
    points: &Points<L>,
    (part, only): (usize, Option<LimbName>),
    watch: &mut W,
) -> Flow {
    let Some(mapping) = limbs.as_ref().map(|limbs| &limbs[part]) else { return GO_ON };
    let settings = &frame.limbs[part];
    let weight = settings.mapping_weight;
    let is_written = |limb: &LimbName| {
        let (_, lane) = L::place(*limb);
        only.is_none_or(|only| only == *limb) && decide(weight.lane(lane) > 0.0)
    };
    let limbs = || L::limbs(part).iter().copied().filter(is_written);
    let has_clavicle = |limb: LimbName| hierarchy.limbs[limb.index()].clavicle.is_some();
    if frame.iterations > 0 && limbs().any(|limb| decide(has_clavicle(limb))) {
        let root = carried::<L>(
            hierarchy,
            written,
            part,
            #[inline(always)]
            |limb| root_key(hierarchy, limb),
        );
        let swing = from_to::<L::Limb>(root.turn.rotate(mapping.clavicle_axis), points.limbs[part][0] - root.position);
        let turned = nlerp::<L::Limb>(root.turn, swing * root.turn, weight);
        for limb in limbs() {
            let Some(key) = hierarchy.limbs[limb.index()].clavicle else { continue };
            let KeyBone { position, .. } = written.keys.get(hierarchy, key);
            let clavicle = KeyBone { position, turn: L::one_rotation(turned, limb) };
            written.move_bone(hierarchy, key, clavicle, WriteCause::Clavicle(limb), watch)?;
        }
    }
    let solved = solve_limbs(mapping, hierarchy, written, frame, points, part, W::LISTENS);
    for limb in limbs() {
        let [k1, k2, k3] = hierarchy.limbs[limb.index()].bones;
        if decide(frame.iterations > 0) {
            written.move_bone_first(hierarchy, k1, one::<L>(&solved.placed, limb), WriteCause::Placed(limb), watch)?;
        }
        written.move_bone(hierarchy, k1, one::<L>(&solved.upper, limb), WriteCause::UpperPlane(limb), watch)?;
        written.move_bone(hierarchy, k2, one::<L>(&solved.lower, limb), WriteCause::LowerPlane(limb), watch)?;
        let maintained = one::<L>(&solved.maintained, limb);
        written.move_bone_first(hierarchy, k3, maintained, WriteCause::MaintainRotation(limb), watch)?;
        written.move_bone(hierarchy, k3, one::<L>(&solved.end, limb), WriteCause::EffectorRotation(limb), watch)?;
    }
    GO_ON
}

#[inline(always)]
fn one<L: Layout>(bone: &KeyBone<L::Limb>, limb: LimbName) -> KeyBone<L::One> {
    KeyBone { position: L::one_vector(bone.position, limb), turn: L::one_rotation(bone.turn, limb) }
}

/// Computes the bones of a part's limbs as they are written. The limbs' clavicles must be written before.
#[inline(always)]
fn solve_limbs<L: Layout>(
    mapping: &LimbMapping<L::Limb>,
    hierarchy: &Hierarchy,
    written: &mut Written<L::One>,
    frame: &Frame<L>,
    points: &Points<L>,
    part: usize,
    is_watched: bool,
) -> Solved<L> {
    let settings = &frame.limbs[part];
    let weight = settings.mapping_weight;
    let one = weight.like(1.0);
    let identity = RotationOf::<L::Limb>::splat(weight.token(), Quat::IDENTITY);
    let [n1, n2, n3] = points.limbs[part];
    let [p1, p2, p3] = frame.bones.limbs[part];

    let mut placed = KeyBone { position: n1, turn: identity };
    // At full weight the position to which the clavicle carried the limb does not matter.
    if is_watched || frame.iterations == 0 || weight.lt(one).any() {
        let carried = carried::<L>(
            hierarchy,
            written,
            part,
            #[inline(always)]
            |limb| hierarchy.limbs[limb.index()].bones[0],
        );
        let position = if frame.iterations > 0 { carried.position.lerp(n1, weight) } else { carried.position };
        placed = KeyBone { position, ..carried };
    }
    let [upper_plane, lower_plane] = Basis::of_limb::<L::Limb>([n1, n2, n3], None);
    let turn = turn_between::<L::Limb>(mapping.planes[0], upper_plane);
    let upper: KeyBone<L::Limb> = KeyBone { turn: nlerp::<L::Limb>(placed.turn, turn, weight), ..placed };

    let position = upper.position + upper.turn.rotate(p2 - p1);
    let turn = turn_between::<L::Limb>(mapping.planes[1], lower_plane);
    let lower: KeyBone<L::Limb> = KeyBone { position, turn: nlerp::<L::Limb>(upper.turn, turn, weight) };

    let position = lower.position + lower.turn.rotate(p3 - p2);
    let kept = settings.maintain_rotation * weight * L::spread(frame.weight);
    let maintained: KeyBone<L::Limb> = KeyBone { position, turn: nlerp::<L::Limb>(lower.turn, identity, kept) };
    let effector = &frame.end_effectors[part];
    let share = weight * effector.rotation_weight;
    let mut end = maintained;
    if share.gt(one.like(0.0)).any() {
        let animated = L::join_rotation(
            part,
            #[inline(always)]
            |limb| written.keys.base(hierarchy.limbs[limb.index()].bones[2]).rotation,
        );
        let wanted = effector.rotation * animated.conjugate();
        end.turn = nlerp::<L::Limb>(maintained.turn, wanted, share);
    }
    Solved { placed, upper, lower, maintained, end }
}

/// Brings one key bone per limb of a part up to date and returns them.
#[inline(always)]
fn carried<L: Layout>(
    hierarchy: &Hierarchy,
    written: &mut Written<L::One>,
    part: usize,
    key: impl Fn(LimbName) -> Key,
) -> KeyBone<L::Limb> {
    for &limb in L::limbs(part) {
        written.keys.get(hierarchy, key(limb));
    }
    let at = |limb: LimbName| written.keys.settled(key(limb));
    KeyBone {
        position: L::join_vector(
            part,
            #[inline(always)]
            |limb| at(limb).position,
        ),
        turn: L::join_rotation(
            part,
            #[inline(always)]
            |limb| at(limb).turn,
        ),
    }
}
