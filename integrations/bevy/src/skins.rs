//! The bind pose of a character: its bones as the inverse bind matrices of its skins place them.

use std::collections::HashMap;

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_transform::components::Transform;
use kinescope_ik::glam::{Mat4, Vec3};

use crate::rig::RigBone;

#[derive(SystemParam)]
pub(crate) struct Skins<'w, 's> {
    children: Query<'w, 's, &'static Children>,
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: Query<'w, 's, &'static Transform>,
    meshes: Query<'w, 's, &'static SkinnedMesh>,
    matrices: Option<Res<'w, Assets<SkinnedMeshInverseBindposes>>>,
}

impl Skins<'_, '_> {
    /// Returns the bones with their local transforms in the bind pose. `None` if no skin has a usable bind matrix for
    /// any of these bones; an error while a skin is still being loaded.
    pub fn bind_pose(&self, root: Entity, bones: &[RigBone]) -> Result<Option<Vec<RigBone>>, ()> {
        let Some(matrices) = &self.matrices else { return Ok(None) };
        let index_of: HashMap<Entity, usize> =
            bones.iter().enumerate().map(|(index, bone)| (bone.entity, index)).collect();
        let mut current: Vec<Mat4> = Vec::with_capacity(bones.len());
        for bone in bones {
            let above = bone.parent.map_or(Mat4::IDENTITY, |parent| current[parent]);
            current.push(above * bone.transform.to_matrix());
        }
        let mut bound: Vec<Option<Vec3>> = vec![None; bones.len()];
        let mut turned: Vec<Option<Mat4>> = vec![None; bones.len()];
        let mut skins = Vec::new();
        for mesh in self.children.iter_descendants(root) {
            let Ok(skin) = self.meshes.get(mesh) else { continue };
            skins.push((mesh, skin, matrices.get(&skin.inverse_bindposes).ok_or(())?));
        }
        // The body comes first: clothes and hair have fewer joints and may be bound elsewhere.
        skins.sort_by_key(|(_, skin, _)| std::cmp::Reverse(skin.joints.len()));
        for (mesh, skin, matrices) in skins {
            let joints = skin.joints.iter().zip(matrices.iter());
            // Exporters write zeros or the identity for joints that move nothing.
            let joints: Vec<(usize, Mat4)> = joints
                .filter_map(|(joint, matrix)| Some((*index_of.get(joint)?, matrix.inverse())))
                .filter(|(_, matrix)| matrix.is_finite() && *matrix != Mat4::IDENTITY)
                .collect();
            let Some(space) = self.space(root, mesh, &joints, &current) else { continue };
            for (bone, matrix) in joints {
                let matrix = space * matrix;
                bound[bone].get_or_insert(matrix.w_axis.truncate());
                turned[bone].get_or_insert(matrix);
            }
        }
        if bound.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut model: Vec<Mat4> = Vec::with_capacity(bones.len());
        let mut rest = bones.to_vec();
        for (index, bone) in rest.iter_mut().enumerate() {
            let above = bone.parent.map_or(Mat4::IDENTITY, |parent| model[parent]);
            if let (Some(position), Some(matrix)) = (bound[index], turned[index]) {
                // The bone keeps its scale: exporters write the matrices with or without it.
                let rotation = |of: Mat4| of.to_scale_rotation_translation().1;
                let local = (rotation(above).inverse() * rotation(matrix)).normalize();
                let at = above.inverse().transform_point3(position);
                if local.is_finite() && at.is_finite() {
                    (bone.transform.rotation, bone.transform.translation) = (local, at);
                }
            }
            model.push(above * bone.transform.to_matrix());
        }
        Ok(Some(rest))
    }

    /// Returns the matrix from the space of a skin to model space. glTF does not define the space of bind matrices: it
    /// is that of the character, of the mesh or of a node above the joints. The one in which the joints are nearest to
    /// their bones is used.
    fn space(&self, root: Entity, mesh: Entity, joints: &[(usize, Mat4)], current: &[Mat4]) -> Option<Mat4> {
        let mut spaces = vec![Mat4::IDENTITY, self.model_from(root, mesh)];
        let (first, _) = joints.iter().min_by_key(|(bone, _)| *bone)?;
        // A translation since binding moves all joints alike: this space has the first joint at its bone.
        let (_, bind) = joints.iter().find(|(bone, _)| bone == first)?;
        spaces.push(current[*first] * bind.inverse());
        let away = |space: &Mat4| -> f32 {
            let place = |matrix: Mat4| matrix.w_axis.truncate();
            joints.iter().map(|(bone, bind)| place(*space * *bind).distance(place(current[*bone]))).sum()
        };
        // The last space turns with the first bone's animation, so it has to be clearly better.
        let rated = spaces.into_iter().zip([1.0, 1.0, 3.0]).map(|(space, price)| (space, away(&space) * price));
        rated.filter(|(_, away)| away.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(space, _)| space)
    }

    fn model_from(&self, root: Entity, mut entity: Entity) -> Mat4 {
        let mut matrix = Mat4::IDENTITY;
        while entity != root {
            matrix = self.transforms.get(entity).map_or(Mat4::IDENTITY, Transform::to_matrix) * matrix;
            match self.parents.get(entity) {
                Ok(parent) => entity = parent.parent(),
                Err(_) => break,
            }
        }
        matrix
    }
}
