//! The names of glTF extensions.

/// Extensions that are read, or whose loss has a note of its own.
pub(super) const READ: [&str; 19] = [
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MESHOPT_compression",
    "VRM",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_vrm",
    "VRMC_vrm_animation",
];

/// Returns true if an extension is read, has a note of its own, or changes only the look of surfaces.
pub(super) fn is_known(extension: &str) -> bool {
    READ.contains(&extension)
        || ["KHR_materials_", "KHR_texture_", "EXT_texture_"].iter().any(|own| extension.starts_with(own))
}
