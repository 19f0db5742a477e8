//! The meshes of models.

use std::ffi::c_char;

use kinescope_library::rig::Mesh;

use crate::models::KinescopeModel;
use crate::pose::KinescopeVec3;
use crate::{Done, KinescopeStatus, Refused, exclusive, guard, list_mut, look, object, optional, write_text};

/// A mesh of a model: triangles with one material.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeMesh {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of indices, three for each triangle.
    pub indices: usize,
    /// Number of joints that the vertices refer to.
    pub joints: usize,
    /// The base colour of the material, linear RGBA, 0 to 1; white without a material.
    pub base_color: [f32; 4],
}

/// A vertex in mesh space, in the bind pose.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeVertex {
    pub position: KinescopeVec3,
    /// Unit normal.
    pub normal: KinescopeVec3,
    /// Coordinates in the base colour texture, from the top left; 0 without texture coordinates.
    pub uv: [f32; 2],
    /// The joints that move the vertex, by their index in the mesh.
    pub joints: [u32; 4],
    /// The weights of those joints; they sum to 1.
    pub weights: [f32; 4],
}

/// A joint of a mesh.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeJoint {
    /// The bone; -1 for a part that is not attached to a bone: the matrix then maps to model space.
    pub bone: i32,
    /// The matrix from mesh space to bone space, column by column: the inverse bind matrix of a skin's joint, or the
    /// transform of a mesh without a skin relative to its bone.
    pub bone_from_mesh: [f32; 16],
}

pub(crate) unsafe fn mesh_of<'a>(model: *const KinescopeModel, mesh: usize) -> Result<Option<&'a Mesh>, Refused> {
    Ok(unsafe { object(model, "model") }?.model.meshes.get(mesh))
}

/// Copies all items; `needed` receives their number. Copies nothing and returns `NothingToDo` if the array is too
/// short, or if there are no items.
pub(crate) unsafe fn copy<T>(
    items: impl ExactSizeIterator<Item = T>,
    (to, capacity, name): (*mut T, usize, &str),
    needed: *mut usize,
) -> Done {
    let (to, needed) = unsafe { (list_mut(to, capacity, name)?, optional(needed, "needed")?) };
    if let Some(needed) = needed {
        *needed = items.len();
    }
    if items.len() > to.len() || items.len() == 0 {
        return Ok(KinescopeStatus::NothingToDo);
    }
    to.iter_mut().zip(items).for_each(|(to, item)| *to = item);
    Ok(KinescopeStatus::Done)
}

/// Returns the number of meshes; 0 for an invalid model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_meshes(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.model.meshes.len()))
}

/// Stores the sizes and the colour of a mesh. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh(
    model: *const KinescopeModel,
    mesh: usize,
    sizes: *mut KinescopeMesh,
) -> KinescopeStatus {
    guard(|| {
        let all = unsafe { object(model, "model") }?;
        let sizes = unsafe { exclusive(sizes, "sizes") }?;
        let Some(own) = all.model.meshes.get(mesh) else { return Ok(KinescopeStatus::NothingToDo) };
        let material = own.material.and_then(|index| all.model.materials.get(index));
        *sizes = KinescopeMesh {
            vertices: own.positions.len(),
            indices: own.indices.len(),
            joints: own.joints.len(),
            base_color: material.map_or([1.0; 4], |material| material.base_color.to_array()),
        };
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the name of a mesh, into a buffer as kinescope_settings_to_preset does; empty if there is no such mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_name(
    model: *const KinescopeModel,
    mesh: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let name = unsafe { mesh_of(model, mesh) }?.map_or("", |own| own.name.as_str());
        unsafe { write_text(name, buffer, capacity, needed) }
    })
}

/// Copies the vertices of a mesh. `needed`, which may be NULL, receives their number. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, if the mesh has no vertices, and if
/// there is no such mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_vertices(
    model: *const KinescopeModel,
    mesh: usize,
    vertices: *mut KinescopeVertex,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let empty = Mesh::default();
        let own = unsafe { mesh_of(model, mesh) }?.unwrap_or(&empty);
        let vertex = |index: usize| KinescopeVertex {
            position: own.positions[index].into(),
            normal: own.normals.get(index).copied().unwrap_or_default().into(),
            uv: own.uvs.get(index).copied().unwrap_or_default().to_array(),
            joints: own.vertex_joints.get(index).map_or([0; 4], |joints| joints.map(u32::from)),
            weights: own.vertex_weights.get(index).copied().unwrap_or([1.0, 0.0, 0.0, 0.0]),
        };
        let all = (0..own.positions.len()).map(vertex);
        unsafe { copy(all, (vertices, capacity, "vertices"), needed) }
    })
}

/// Copies the indices of a mesh, three for each triangle, as kinescope_model_mesh_vertices does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_indices(
    model: *const KinescopeModel,
    mesh: usize,
    indices: *mut u32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { mesh_of(model, mesh) }?.map_or(&[][..], |own| &own.indices);
        unsafe { copy(own.iter().copied(), (indices, capacity, "indices"), needed) }
    })
}

/// Copies the joints of a mesh, as kinescope_model_mesh_vertices does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_joints(
    model: *const KinescopeModel,
    mesh: usize,
    joints: *mut KinescopeJoint,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { mesh_of(model, mesh) }?.map_or(&[][..], |own| &own.joints);
        let all = own.iter().map(|joint| KinescopeJoint {
            bone: joint.bone.map_or(-1, |bone| bone as i32),
            bone_from_mesh: joint.bone_from_mesh.to_cols_array(),
        });
        unsafe { copy(all, (joints, capacity, "joints"), needed) }
    })
}
