//! A mesh that the user chooses for a character of bones alone, such as that of a recording: the meshes of a model
//! whose bones have the same names.
//!
//! A vertex is transformed to model space by
//! ```text
//! pose(r) · Q · k · G(a)⁻¹ · F(b) · B
//! ```
//! - `b` is the joint's bone, `B` the joint's inverse bind matrix, `F(b)` the matrix of `b` in the model's rest pose.
//! - `a` is `b` or its nearest ancestor whose name the recording has, or else the first bone with such a name. `G(a)` is
//!   the rigid part of `F(a)`.
//! - `r` is the recording's bone with the name of `a`.
//! - `k` is the size of the recording relative to the model.
//! - `Q` rotates the axes of the model's rest pose to those of the recording's reference pose.
//!
//! If the recording was made with this model, `Q` is the identity and `k` is 1, and the file's inverse bind matrices
//! of bones without scale apply unchanged.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3};

use crate::character::Character;
use crate::system::text::counted;
use kinescope_ik::rig::detect::Detection;
use kinescope_ik::rig::{BoneIndex, Joint, Material, Mesh, Model, ModelPose, Morph, Picture, RigidTransform, Skeleton};

const SAME_SIZE: f32 = 0.01;
/// Largest difference between an element of a bone's stretch and of the identity at which the bone counts as unscaled.
const UNSCALED: f32 = 1e-5;
/// Axes of model and recording count as equal from this mean cosine on, between the two offsets of each bone from its
/// nearest matched ancestor. Bones count by the length of their offset.
const SAME_AXES: f32 = 0.97;
/// Largest angle between the facings of model and recording at which they count as equal, radians. The facings differ
/// slightly, because they are detected by different means.
const SAME_FACING: f32 = 0.25;
const NAMED: usize = 3;

#[derive(Clone, Debug)]
pub struct BodyMesh {
    pub path: PathBuf,
    pub files: Vec<PathBuf>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub(crate) images: Vec<Picture>,
    pub(crate) morphs: Vec<Morph>,
    pub fit: Fit,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub(crate) matched: usize,
    /// Names of bones of the mesh that the recording lacks. They follow their nearest matched ancestor or, without one,
    /// the first matched bone.
    pub(crate) following: Vec<String>,
    pub(crate) idle: Vec<String>,
    /// `k` of the module's formula.
    pub scale: f32,
    pub has_other_axes: bool,
}

impl Fit {
    pub fn is_whole(&self) -> bool {
        self.following.is_empty() && self.idle.is_empty() && !self.has_other_axes
    }

    pub(crate) fn describe(&self) -> String {
        let all = self.matched + self.following.len();
        let mut text = match self.following.len() {
            0 => format!("all {} of the mesh match", counted(all, "bone")),
            count => {
                let verb = if count == 1 { "follows a matched bone" } else { "follow matched bones" };
                let names = named(&self.following);
                format!("{} of {} of the mesh match, {count} {verb} ({names})", self.matched, counted(all, "bone"))
            }
        };
        if !self.idle.is_empty() {
            let verb = if self.idle.len() == 1 { "moves" } else { "move" };
            let bones = counted(self.idle.len(), "bone");
            text += &format!("; {bones} of the character {verb} nothing ({})", named(&self.idle));
        }
        if self.scale != 1.0 {
            text += &format!("; the mesh is scaled by {}", crate::system::text::decimals(self.scale));
        }
        if self.has_other_axes {
            text += "; the mesh's bones have other axes, so the mesh's rest pose was aligned with the character's reference pose";
        }
        text
    }
}

fn named(names: &[String]) -> String {
    let first = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Reduces a name to the part that exporters preserve: letters and digits after the namespace, in lower case.
pub fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    own.chars().filter(|own| own.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns for each bone of `model` the recording's bone of the same name, or else the bone whose [`plain`] name is the
/// same and unique in both skeletons.
fn counterparts(model: &Skeleton, recorded: &Skeleton) -> Vec<Option<BoneIndex>> {
    fn alone(skeleton: &Skeleton) -> HashMap<String, Option<BoneIndex>> {
        let mut found = HashMap::new();
        for (index, bone) in skeleton.bones().iter().enumerate() {
            found.entry(plain(&bone.name)).and_modify(|own| *own = None).or_insert(Some(index));
        }
        found
    }
    let names = recorded.bones().iter().enumerate().map(|(index, bone)| (bone.name.as_str(), index));
    let (exact, own, other): (HashMap<&str, BoneIndex>, _, _) = (names.collect(), alone(model), alone(recorded));
    let counterpart = |name: &str| {
        exact.get(name).copied().or_else(|| {
            let plain = plain(name);
            own.get(&plain).copied().flatten().and(other.get(&plain).copied().flatten())
        })
    };
    model.bones().iter().map(|bone| counterpart(&bone.name)).collect()
}

fn facing(detection: &Detection) -> Quat {
    let (up, forward) = (detection.up, detection.facing);
    Quat::from_mat3(&Mat3::from_cols(up.cross(forward), up, forward)).normalize()
}

struct Match<'a> {
    skeleton: &'a Skeleton,
    rest: ModelPose,
    reference: &'a [RigidTransform],
    counterparts: Vec<Option<BoneIndex>>,
}

impl Match<'_> {
    fn nearest(&self, bone: BoneIndex) -> Option<(BoneIndex, BoneIndex)> {
        let mut at = Some(bone);
        while let Some(own) = at {
            if let Some(recorded) = self.counterparts[own] {
                return Some((own, recorded));
            }
            at = self.skeleton.parent(own);
        }
        None
    }

    /// Returns the offset of each matched bone in the space of its nearest matched ancestor, in the model and in the
    /// recording. Leaves out bones without such an ancestor, and offsets that are not finite.
    fn offsets(&self) -> Vec<[Vec3; 2]> {
        let bones = (0..self.skeleton.len()).filter_map(|bone| Some((bone, self.counterparts[bone]?)));
        let offsets = bones.filter_map(|(bone, recorded)| {
            let (above, above_recorded) = self.nearest(self.skeleton.parent(bone)?)?;
            let own = self.rest.bones[above].to_local(&self.rest.bones[bone]).position;
            let other = self.reference.get(above_recorded)?.to_local(self.reference.get(recorded)?).position;
            (own.is_finite() && other.is_finite()).then_some([own, other])
        });
        offsets.collect()
    }
}

pub fn fit(model: Character, to: &Character) -> Result<BodyMesh, String> {
    let path = model.path.clone().unwrap_or_else(|| PathBuf::from(&model.model.name));
    let Character { model, files, detection, .. } = model;
    let Model { skeleton, meshes, materials, images, morphs, .. } = Arc::unwrap_or_clone(model);
    if meshes.iter().all(|mesh| mesh.indices.is_empty()) {
        return Err(format!("{}: the model has no mesh. Choose a model with a skinned mesh", path.display()));
    }
    let recorded = &to.model.skeleton;
    let counterparts = counterparts(&skeleton, recorded);
    let rest = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
    let own = Match { skeleton: &skeleton, rest, reference: &to.detection.reference.bones, counterparts };
    let used = used_bones(&meshes, skeleton.len());
    let matched = used.iter().filter(|&&bone| own.counterparts[bone].is_some()).count();
    let first = (0..skeleton.len()).find_map(|bone| Some((bone, own.counterparts[bone]?)));
    let Some(first) = first.filter(|_| matched > 0) else {
        return Err(no_bone(&path, used.len(), to));
    };

    let offsets = own.offsets();
    let sum = |which: usize| offsets.iter().map(|pair| pair[which].length()).sum::<f32>();
    let scale = sum(1) / sum(0);
    let is_same = !scale.is_finite() || scale <= 0.0 || (scale - 1.0).abs() < SAME_SIZE;
    let scale = if is_same { 1.0 } else { scale };
    // The cosines are weighted by length, because directions of short bones are rounding errors.
    let cosines = offsets.iter().map(|[a, b]| a.dot(*b) / b.length().max(f32::MIN_POSITIVE)).sum::<f32>() / sum(0);
    let has_other_axes = cosines < SAME_AXES;
    let turned = facing(&to.detection) * facing(&detection).conjugate();
    let turned = if turned.angle_between(Quat::IDENTITY) < SAME_FACING { Quat::IDENTITY } else { turned };
    let bind = |(bone, recorded): (BoneIndex, BoneIndex), model_from_mesh: Mat4| {
        let rigid = own.rest.bones[bone];
        let axes = match own.reference.get(recorded).filter(|_| has_other_axes) {
            Some(reference) => reference.rotation.conjugate() * turned * rigid.rotation,
            None => Quat::IDENTITY,
        };
        let bone_from_model = Mat4::from_rotation_translation(rigid.rotation, rigid.position).inverse();
        let sized = Mat4::from_scale_rotation_translation(Vec3::splat(scale), axes, Vec3::ZERO);
        Joint { bone: Some(recorded), bone_from_mesh: sized * bone_from_model * model_from_mesh }
    };
    let joint = |joint: &Joint| match joint.bone {
        // The file's matrix stays as it is, without rounding, if scale, axes and stretch would not change it.
        Some(bone)
            if scale == 1.0
                && !has_other_axes
                && own.rest.stretch[bone].abs_diff_eq(Mat3::IDENTITY, UNSCALED)
                && own.counterparts[bone].is_some() =>
        {
            Joint { bone: own.counterparts[bone], ..*joint }
        }
        Some(bone) => bind(own.nearest(bone).unwrap_or(first), own.rest.model_from_bone(bone) * joint.bone_from_mesh),
        None => bind(first, joint.bone_from_mesh),
    };
    let joints: Vec<Vec<Joint>> = meshes.iter().map(|mesh| mesh.joints.iter().map(joint).collect()).collect();
    let name = |bone: BoneIndex| skeleton.bones()[bone].name.clone();
    let following: Vec<String> =
        used.iter().copied().filter(|&bone| own.counterparts[bone].is_none()).map(name).collect();
    let mut is_found = vec![false; recorded.len()];
    own.counterparts.iter().copied().flatten().for_each(|bone| is_found[bone] = true);
    let idle = recorded.bones().iter().zip(is_found).filter(|(_, is_found)| !is_found);
    let idle = idle.map(|(bone, _)| bone.name.clone()).collect();
    let meshes = meshes.into_iter().zip(joints).map(|(mesh, joints)| Mesh { joints, ..mesh }).collect();
    let fit = Fit { matched, following, idle, scale, has_other_axes };
    Ok(BodyMesh { path, files, meshes, materials, images, morphs, fit })
}

fn used_bones(meshes: &[Mesh], count: usize) -> Vec<BoneIndex> {
    let mut is_used = vec![false; count];
    for mesh in meshes {
        for (joints, weights) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights) {
            for (&joint, &weight) in joints.iter().zip(weights) {
                let bone = mesh.joints.get(usize::from(joint)).and_then(|joint| joint.bone).filter(|_| weight > 0.0);
                if let Some(used) = bone.and_then(|bone| is_used.get_mut(bone)) {
                    *used = true;
                }
            }
        }
    }
    (0..count).filter(|&bone| is_used[bone]).collect()
}

fn no_bone(path: &Path, count: usize, to: &Character) -> String {
    let names: Vec<String> = to.model.skeleton.bones().iter().map(|bone| bone.name.clone()).collect();
    format!(
        "{}: none of the {} of its mesh has the name of a bone of {} ({}); choose the model that the recording was made \
         with, or rename the bones",
        path.display(),
        counted(count, "bone"),
        to.model.name,
        named(&names)
    )
}
