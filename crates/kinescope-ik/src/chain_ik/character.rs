//! Chains of a character: reads them from a pose and writes them back.

use glam::Vec3;

use super::chain::{Chain, State};
use crate::math::read_rotation;
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// Reads the state of a chain made by [`Chain::of_bones`] from a pose (one transform per bone of the skeleton, model
/// space). Root position and rotations come from the pose; the joints follow from the chain's lengths. Normalizes
/// rotations whose length is within [`UNIT_LENGTH`](crate::math::UNIT_LENGTH) and keeps others as they are. Hinges
/// start at the angle nearest to 0.
pub fn read(chain: &Chain, skeleton: &Skeleton, bones: &[BoneIndex], pose: &[RigidTransform], state: &mut State) {
    state.copy_from(chain.rest());
    let Some(&first) = bones.first() else { return };
    let rotation = |bone: BoneIndex| read_rotation(pose[bone].rotation).unwrap_or(pose[bone].rotation);
    state.base = skeleton.parent(first).map_or(glam::Quat::IDENTITY, rotation);
    state.positions[0] = pose[first].position;
    for (own, &bone) in state.rotations.iter_mut().zip(bones) {
        *own = rotation(bone);
    }
    chain.place(state);
    for (index, bone) in chain.bones().iter().enumerate() {
        state.turns[index] = bone.limit.turn_of(chain.turned(state, index));
    }
}

/// Writes the chain's rotations to its bones. Their descendants follow rigidly, including the end bone, which the chain
/// does not rotate. `before` is the pose that was [`read`]; `pose` must be a copy of it and receives the new pose.
pub fn write(
    state: &State,
    skeleton: &Skeleton,
    bones: &[BoneIndex],
    before: &[RigidTransform],
    pose: &mut [RigidTransform],
) {
    let Some(&first) = bones.first() else { return };
    let mut next = 0;
    for bone in first..skeleton.len() {
        let is_below = bone == first || skeleton.parent(bone).is_some_and(|parent| pose[parent] != before[parent]);
        // A chain's bones are sorted as in the skeleton, parents first.
        let own = bones.get(next).filter(|&&own| own == bone).and_then(|_| {
            next += 1;
            state.rotations.get(next - 1)
        });
        if !is_below && own.is_none() {
            continue;
        }
        let carried = match skeleton.parent(bone).filter(|_| bone != first) {
            Some(parent) => pose[parent].transform(&before[parent].to_local(&before[bone])),
            None => before[bone],
        };
        pose[bone] = RigidTransform { rotation: own.copied().unwrap_or(carried.rotation).normalize(), ..carried };
    }
}

/// Returns the bones from `first` down to `end`, both included; `None` if `end` is not a descendant of `first`.
pub fn bones_between(skeleton: &Skeleton, first: BoneIndex, end: BoneIndex) -> Option<Vec<BoneIndex>> {
    let mut bones: Vec<BoneIndex> = vec![end];
    bones.extend(skeleton.ancestors(end).take_while(|&bone| bone != first));
    if !skeleton.is_ancestor(first, end) {
        return None;
    }
    bones.push(first);
    bones.reverse();
    Some(bones)
}

/// Returns the bones of [`bones_between`] without those that coincide in `pose` with the last bone that was kept,
/// because bones of zero length cannot be solved. Bones coincide at a distance up to 1e-4 of the length of the whole
/// chain. `None` also if fewer than two bones remain. `pose` has one transform per bone of the skeleton.
pub fn solvable_between(
    skeleton: &Skeleton,
    pose: &[RigidTransform],
    first: BoneIndex,
    end: BoneIndex,
) -> Option<Vec<BoneIndex>> {
    let bones = bones_between(skeleton, first, end)?;
    let size = bones.windows(2).map(|pair| pose[pair[0]].position.distance(pose[pair[1]].position)).sum::<f32>();
    let mut kept: Vec<BoneIndex> = Vec::with_capacity(bones.len());
    let mut at = Vec3::INFINITY;
    for bone in bones {
        let here = pose[bone].position;
        if kept.is_empty() || here.distance(at) > 1e-4 * size {
            kept.push(bone);
            at = here;
        }
    }
    (kept.len() > 1).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Bone, LocalTransform, ModelPose};
    use glam::Quat;

    fn skeleton() -> Skeleton {
        let bone = |name: &str, parent, translation| Bone {
            name: name.to_owned(),
            parent,
            rest: LocalTransform { translation, ..LocalTransform::IDENTITY },
        };
        Skeleton::new(vec![
            bone("root", None, Vec3::ZERO),
            bone("a", Some(0), Vec3::Y),
            bone("b", Some(1), Vec3::Y),
            bone("beside", Some(0), Vec3::X),
            bone("twig", Some(2), Vec3::X * 0.3),
            bone("c", Some(2), Vec3::Y),
            bone("tip", Some(5), Vec3::Y * 0.2),
        ])
        .unwrap()
    }

    #[test]
    fn writing_a_chain_moves_only_its_descendants() {
        let skeleton = skeleton();
        let before = ModelPose::from_local(&skeleton, &skeleton.rest_pose()).bones;
        let bones = bones_between(&skeleton, 1, 5).unwrap();
        assert_eq!(bones, [1, 2, 5]);
        assert_eq!(bones_between(&skeleton, 3, 5), None);
        let chain = Chain::of_bones(&skeleton, &before, &bones).unwrap();
        let mut state = State::default();
        read(&chain, &skeleton, &bones, &before, &mut state);
        assert_eq!(state.positions, [Vec3::Y, Vec3::Y * 2.0, Vec3::Y * 3.0]);
        let mut pose = before.clone();
        write(&state, &skeleton, &bones, &before, &mut pose);
        assert_eq!(pose, before);

        let turn = Quat::from_rotation_z(0.5);
        for rotation in &mut state.rotations {
            *rotation = turn * *rotation;
        }
        chain.place(&mut state);
        write(&state, &skeleton, &bones, &before, &mut pose);
        assert!(pose[5].position.distance(state.end()) < 1e-6);
        assert_eq!((pose[0], pose[3]), (before[0], before[3]));
        assert!(pose[4].position.distance(pose[2].transform_point(Vec3::X * 0.3)) < 1e-6);
        assert!(pose[6].position.distance(pose[5].position) - 0.2 < 1e-6);
        assert!(pose[5].rotation.dot(turn).abs() > 1.0 - 1e-6);
    }
}
