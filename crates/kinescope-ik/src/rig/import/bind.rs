//! The bind pose: the positions and rotations of bones according to the inverse bind matrices.
//!
//! glTF does not define the space of this pose. The inverse of a joint's inverse bind matrix places the joint in the
//! space of the mesh, which the exporter chose, often a space of the meshes alone (lying down, in centimetres). This
//! module selects the space of the file in which the joints match the nodes best. If none matches, it estimates the
//! unit and axes of the matrices from the joints.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::super::model_pose::ModelPose;
use super::super::pose::RigidTransform;
use super::super::skeleton::BoneIndex;
use super::nodes::{Rig, SkinData, Tree, matrix};
use super::notes::Notes;

/// The largest number of joints of a skin that are compared. A part of the joints is enough to recognize a space.
const MOST_COMPARED: usize = 160;
/// For each skin, the spaces of at most this many nodes with its meshes, and of at most this many nodes above its
/// joints, are tried.
const MOST_SPACES: usize = 16;

/// Returns the pose in which the skins were bound; `None` if no skin defines it, or if it is not finite.
pub(super) fn pose(tree: &Tree, skins: &[SkinData], rig: &Rig, notes: &mut Notes) -> Option<ModelPose> {
    let rest = ModelPose::from_local(&rig.skeleton, &rig.skeleton.rest_pose());
    let mut bound: HashMap<BoneIndex, DMat4> = HashMap::new();
    // A bone of several skins takes its matrix from the skin with the most usable matrices: skins of clothes and hair
    // may be bound in another pose.
    let mut by_size: Vec<usize> = (0..skins.len()).collect();
    by_size.sort_by_key(|&skin| std::cmp::Reverse(skins[skin].is_known.iter().filter(|&&known| known).count()));
    for index in by_size {
        let Some((scene_from_skin, joints)) = place_skin(tree, skins, index, notes) else { continue };
        for (joint, matrix) in joints {
            if let Some(bone) = rig.bone_of_node[joint] {
                bound.entry(bone).or_insert(scene_from_skin * matrix);
            }
        }
    }
    if bound.is_empty() {
        return None;
    }
    let mut bind = rest.clone();
    let mut is_moved = vec![false; rig.skeleton.len()];
    for (bone, node) in rig.node_of_bone.iter().enumerate() {
        let parent = rig.skeleton.parent(bone);
        if let Some(matrix) = bound.get(&bone) {
            let linear = DMat3::from_mat4(*matrix);
            let rotation = rotation_of(linear, rest.stretch[bone].as_dmat3());
            let stretch = DMat3::from_quat(rotation.conjugate()) * linear;
            let rotation = rotation.as_quat().normalize();
            bind.bones[bone] = RigidTransform { position: matrix.w_axis.truncate().as_vec3(), rotation };
            bind.stretch[bone] = stretch.as_mat3();
            is_moved[bone] = true;
        } else if let Some(parent) = parent.filter(|&parent| is_moved[parent]) {
            // A bone without a matrix keeps its rest transform relative to its parent. Bones that are not below a joint
            // stay at rest.
            let local = &tree.local[*node];
            let above = bind.model_from_bone(parent).as_dmat4() * matrix(local);
            let rotation = (bind.bones[parent].rotation * local.rotation).normalize();
            let stretch = DMat3::from_quat(rotation.as_dquat().conjugate()) * DMat3::from_mat4(above);
            bind.bones[bone] = RigidTransform { position: above.w_axis.truncate().as_vec3(), rotation };
            bind.stretch[bone] = stretch.as_mat3();
            is_moved[bone] = true;
        }
    }
    let is_sound = bind.bones.iter().all(RigidTransform::is_finite) && bind.stretch.iter().all(|k| k.is_finite());
    is_sound.then_some(bind)
}

/// Returns the rotation in a joint's matrix, comparable to the joint's rest rotation; the identity for a singular
/// matrix. `rest_stretch` is the linear part of the joint's rest transform without its rotation.
///
/// Exporters write the matrices with or without the joints' scales. `rest_stretch` is therefore removed unless this
/// takes the matrix further from a rotation with uniform scale.
fn rotation_of(linear: DMat3, rest_stretch: DMat3) -> DQuat {
    let unstretched = linear * rest_stretch.inverse();
    let of = if unevenness(unstretched) <= unevenness(linear) + 1e-6 { unstretched } else { linear };
    nearest_rotation(of).unwrap_or(DQuat::IDENTITY)
}

/// Returns the deviation of a matrix from a rotation with uniform scale; infinite if the matrix is singular, mirrors or
/// is not finite.
fn unevenness(matrix: DMat3) -> f64 {
    let determinant = matrix.determinant();
    if !(determinant.is_finite() && determinant > 0.0) {
        return f64::INFINITY;
    }
    let scaled = matrix * determinant.cbrt().recip();
    let off = (scaled.transpose() * scaled - DMat3::IDENTITY).to_cols_array();
    off.into_iter().map(f64::abs).fold(0.0, |sum, part| if part.is_finite() { sum + part } else { f64::INFINITY })
}

/// Returns the rotation nearest to a matrix; `None` if the matrix is singular or not finite. The X axis of a mirroring
/// matrix is flipped first.
///
/// Source: Higham, «Computing the polar decomposition with applications», 1986.
fn nearest_rotation(matrix: DMat3) -> Option<DQuat> {
    let determinant = matrix.determinant();
    let scale = determinant.abs().cbrt();
    if !(scale.is_finite() && scale > 0.0) {
        return None;
    }
    let mut at = matrix * scale.recip();
    if determinant < 0.0 {
        at.x_axis = -at.x_axis;
    }
    for _ in 0..40 {
        let next = (at + at.inverse().transpose()) * 0.5;
        let moved = (next - at).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        at = next;
        if moved < 1e-15 {
            break;
        }
    }
    at.is_finite().then(|| DQuat::from_mat3(&at).normalize()).filter(|rotation| rotation.is_finite())
}

struct Pin {
    node: usize,
    /// The position at rest, in scene space.
    rest: DVec3,
    /// The position in the bind pose, in skin space.
    bound: DVec3,
    /// The rotation from skin axes to scene axes according to this joint; `None` if its matrix in the scene or in the
    /// skin is singular.
    turn: Option<DQuat>,
}

type Joints = Vec<(usize, DMat4)>;

/// Returns the matrix from skin space to scene space, and the joints with a usable bind matrix, each as its node and
/// the matrix from joint space to skin space. An identity counts only if it places the joint at its rest position.
/// `None` if no joint has a bind matrix, or if no matrix to the scene is finite.
fn place_skin(tree: &Tree, skins: &[SkinData], index: usize, notes: &mut Notes) -> Option<(DMat4, Joints)> {
    let skin = &skins[index];
    let known = skin.joints.iter().zip(&skin.inverse_bind).zip(&skin.is_known).filter(|&(_, &known)| known);
    let mut joints: Joints = known.map(|((&joint, matrix), _)| (joint, matrix.as_dmat4().inverse())).collect();
    // Exporters write the identity for joints that move nothing, so the search for the space skips identities. They
    // count if fewer than two other matrices remain, as in a skin with few joints.
    let is_blank = |&(_, matrix): &(usize, DMat4)| matrix == DMat4::IDENTITY;
    let with_matrix: Vec<&(usize, DMat4)> = joints.iter().filter(|joint| !is_blank(joint)).collect();
    let with_matrix = if with_matrix.len() < 2 { joints.iter().collect() } else { with_matrix };
    let mut unneeded = Notes::default();
    let notes = if skin.is_quantized { &mut unneeded } else { notes };
    let scene_from_skin = scene_from_skin(tree, index, &with_matrix, notes)?;
    let size =
        with_matrix.iter().map(|(joint, _)| place(tree.global[*joint]).distance(place(tree.global[with_matrix[0].0])));
    let size = size.fold(0.0, f64::max);
    joints.retain(|joint| {
        !is_blank(joint) || place(scene_from_skin).distance(place(tree.global[joint.0])) <= size * 1e-3
    });
    Some((scene_from_skin, joints))
}

fn place(matrix: DMat4) -> DVec3 {
    matrix.w_axis.truncate()
}

fn scene_from_skin(tree: &Tree, skin: usize, joints: &[&(usize, DMat4)], notes: &mut Notes) -> Option<DMat4> {
    let &&(first, _) = joints.first()?;
    let mut bind_of: HashMap<usize, DMat4> = HashMap::new();
    joints.iter().for_each(|&&(joint, bind)| _ = bind_of.insert(joint, bind));
    let joint_above = |node: usize| {
        std::iter::successors(tree.parent[node], |&node| tree.parent[node]).find(|node| bind_of.contains_key(node))
    };
    let root = std::iter::successors(Some(first), |&node| joint_above(node)).last()?;
    let above: Vec<usize> =
        std::iter::successors(tree.parent[root], |&node| tree.parent[node]).take(MOST_SPACES).collect();

    let step = joints.len().div_ceil(MOST_COMPARED);
    let pins: Vec<Pin> = joints
        .iter()
        .step_by(step)
        .map(|&&(node, bind)| {
            let [rest, bound] = [tree.global[node], bind].map(DMat3::from_mat4);
            let turn = nearest_rotation(rest * bound.inverse());
            Pin { node, rest: place(tree.global[node]), bound: place(bind), turn }
        })
        .collect();
    let size = pins.iter().map(|pin| pin.rest.distance(place(tree.global[root]))).fold(0.0, f64::max);
    // Each is the ratio of a bone's length in the scene to its length in the skin, which is the same in every pose.
    let mut ratios: Vec<f64> = pins
        .iter()
        .filter_map(|pin| {
            let above = joint_above(pin.node)?;
            let (rest, bound) =
                (pin.rest.distance(place(tree.global[above])), pin.bound.distance(place(bind_of[&above])));
            Some(rest / bound).filter(|ratio| (1e-12..1e12).contains(ratio) && rest > size * 1e-3)
        })
        .collect();
    let scale = median(&mut ratios);

    let users = tree.nodes.iter().zip(&tree.global).filter(|(node, _)| node.skin.is_some_and(|s| s.value() == skin));
    let mut spaces = vec![DMat4::IDENTITY];
    spaces.extend(users.map(|(_, global)| *global).take(MOST_SPACES));
    spaces.extend(above.iter().map(|&node| tree.global[node]));
    let fits_scale = |space: &DMat4| {
        let own = DMat3::from_mat4(*space).determinant().abs().cbrt();
        scale.is_none_or(|scale| (0.9..1.1).contains(&(own / scale)))
    };
    spaces.retain(|space| space.is_finite() && fits_scale(space));
    // The first of equally good spaces is selected, so spaces with non-uniform or mirroring scale come last.
    spaces.sort_by_key(|space| unevenness(DMat3::from_mat4(*space)) > 1e-3);
    // A common offset of all joints counts a tenth: after binding, skeletons are moved as a whole more often than
    // rotated.
    let rated = spaces.iter().map(|space| {
        let rotation = nearest_rotation(DMat3::from_mat4(*space)).unwrap_or(DQuat::IDENTITY);
        let (spread, offset) = misfit(&pins, size, rotation, |bound| space.transform_point3(bound));
        (spread, spread + offset.length() * 0.1)
    });
    let rated: Vec<(f64, f64)> = rated.collect();
    let least = rated.iter().map(|rated| rated.1).fold(f64::INFINITY, f64::min);
    let own = rated.iter().position(|rated| rated.1 <= least * 1.02 + size * 1e-4);

    let made = scale.and_then(|scale| fitted(tree, &pins, &above, scale, size));
    match (own, made) {
        (Some(own), Some((_, spread))) if rated[own].0 <= spread * 1.15 + size * 1e-3 => Some(spaces[own]),
        (Some(own), None) => Some(spaces[own]),
        (_, Some(((scale, rotation), _))) => {
            let turned = scale * (rotation * place(bind_of[&root]));
            let translation = place(tree.global[root]) - turned;
            notes.add(format!(
                "skin {skin} is bound in units or axes that no node of the file has (×{:.3}, {} up): its bind pose is \
                 scaled and turned to fit the nodes",
                1.0 / scale,
                axis_name(rotation.conjugate() * DVec3::Y)
            ));
            Some(DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, translation))
        }
        // No space has a finite deviation and there are no bone lengths to compare: the root joint places the skin.
        (None, None) => Some(tree.global[root] * bind_of[&root].inverse()).filter(DMat4::is_finite),
    }
}

/// Returns `scale` and the rotation from a skin to the scene that fits the joints best, and the error in scene units.
///
/// Usually axes are swapped; rotations by other angles are rare. A rotation read from one joint also contains the
/// joint's pose, so its error has to be below a fifth of that of the best swap, and below 1 % of `size`.
fn fitted(tree: &Tree, pins: &[Pin], above: &[usize], scale: f64, size: f64) -> Option<((f64, DQuat), f64)> {
    let bases = above.first().and_then(|&node| nearest_rotation(DMat3::from_mat4(tree.global[node])));
    let bases = [Some(DQuat::IDENTITY), bases].into_iter().flatten();
    let swaps: Vec<DQuat> = bases.flat_map(|base| axis_swaps().map(move |swap| base * swap)).collect();
    let own = pins.iter().step_by(pins.len().div_ceil(24)).filter_map(|pin| pin.turn);
    let best = |rotations: &mut dyn Iterator<Item = DQuat>| {
        let rated =
            rotations.map(|rotation| (rotation, misfit(pins, size, rotation, |bound| scale * (rotation * bound)).0));
        rated.fold(None::<(DQuat, f64)>, |best, (rotation, spread)| match best {
            Some((_, least)) if spread >= least - size * 1e-6 => best,
            _ => Some((rotation, spread)),
        })
    };
    let swapped = best(&mut swaps.into_iter())?;
    let (rotation, spread) = match best(&mut own.into_iter()) {
        Some((rotation, spread)) if spread < size * 1e-2 && spread < swapped.1 * 0.2 => (rotation, spread),
        _ => swapped,
    };
    Some(((scale, rotation), spread))
}

/// Returns the 24 rotations that map axes to axes, the identity first.
fn axis_swaps() -> impl Iterator<Item = DQuat> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let pairs = axes.into_iter().flat_map(move |x| axes.into_iter().map(move |y| (x, y)));
    pairs.filter(|(x, y)| x.dot(*y) == 0.0).map(|(x, y)| DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
}

/// Returns the deviation of joints from their rest positions (up to a common offset) and rest rotations, and that
/// offset. A rotation by 1 rad counts as 0.2 of `size`. Offset and rotation are medians, so that a few displaced joints
/// hardly matter; the deviation of positions is a mean.
fn misfit(pins: &[Pin], size: f64, rotation: DQuat, scene: impl Fn(DVec3) -> DVec3) -> (f64, DVec3) {
    let offsets: Vec<DVec3> = pins.iter().map(|pin| pin.rest - scene(pin.bound)).collect();
    let along = |axis: usize| median(&mut offsets.iter().map(|offset| offset[axis]).collect::<Vec<_>>()).unwrap_or(0.0);
    let offset = DVec3::new(along(0), along(1), along(2));
    let each = offsets.iter().map(|each| each.distance(offset));
    let mut turns: Vec<f64> = pins.iter().filter_map(|pin| pin.turn).map(|turn| turn.angle_between(rotation)).collect();
    let turned = median(&mut turns).unwrap_or(0.0);
    (each.sum::<f64>() / pins.len().max(1) as f64 + turned * size * 0.2, offset)
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().filter(|median| median.is_finite())
}

/// Returns the name of the axis within 37° of a unit direction; the direction's coordinates if there is none.
fn axis_name(direction: DVec3) -> String {
    let axes = [
        (DVec3::Y, "Y"),
        (DVec3::Z, "Z"),
        (DVec3::X, "X"),
        (DVec3::NEG_Y, "−Y"),
        (DVec3::NEG_Z, "−Z"),
        (DVec3::NEG_X, "−X"),
    ];
    let near = axes.into_iter().find(|(axis, _)| axis.dot(direction) > 0.8);
    near.map_or_else(|| format!("{direction:.2}"), |(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directions_near_an_axis_have_its_name() {
        assert_eq!(axis_name(DVec3::NEG_Y), "−Y");
        assert_eq!(axis_name(DVec3::new(0.1, 0.0, 1.0).normalize()), "Z");
        assert_eq!(axis_name(DVec3::new(0.0, 1.0, 1.0).normalize()), "[0.00, 0.71, 0.71]");
    }
}
