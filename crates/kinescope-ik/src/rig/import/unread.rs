//! Notes on what a file has and Kinescope does not read, one for each kind.

use std::collections::BTreeSet;

use serde_json::Value;

use super::container::Document;
use super::extensions::{READ, is_known};
use super::notes::{Notes, one_line};

pub(super) fn note(document: &Document, notes: &mut Notes) {
    objects(document, notes);
    surfaces(document, notes);
    meshes(document, notes);
    vrm(document, notes);
    let listed = |key: &str| document.array(key).iter().filter_map(Value::as_str).collect::<BTreeSet<_>>();
    let required = listed("extensionsRequired");
    let others = listed("extensionsUsed").into_iter().filter(|name| !is_known(name) && !required.contains(name));
    let others: Vec<String> = others.map(one_line).collect();
    if !others.is_empty() {
        notes.add(format!("extensions that are not read: {}", listed_names(&others)));
    }
}

fn listed_names(names: &[String]) -> String {
    const MOST: usize = 8;
    let first = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn objects(document: &Document, notes: &mut Notes) {
    if document.nodes.iter().any(|node| node.camera.is_some()) {
        notes.add("cameras of the file are not used");
    }
    let lights = document.root.pointer("/extensions/KHR_lights_punctual/lights").and_then(Value::as_array);
    if lights.is_some_and(|lights| !lights.is_empty()) {
        notes.add("lights of the file are not used: the picture has its own");
    }
    if document.array("scenes").len() > 1 {
        notes.add("the file has several scenes: only the default scene, or else the first, is shown");
    }
}

fn surfaces(document: &Document, notes: &mut Notes) {
    let (mut maps, mut effects) = (BTreeSet::new(), BTreeSet::new());
    for material in document.array("materials") {
        for (path, name) in [
            ("/normalTexture", "normal"),
            ("/occlusionTexture", "occlusion"),
            ("/pbrMetallicRoughness/metallicRoughnessTexture", "metal and roughness"),
            ("/extensions/KHR_materials_pbrSpecularGlossiness/specularGlossinessTexture", "specular"),
        ] {
            if material.pointer(path).is_some() {
                maps.insert(name);
            }
        }
        for name in material.get("extensions").and_then(Value::as_object).into_iter().flat_map(|own| own.keys()) {
            if let Some(effect) = name.strip_prefix("KHR_materials_").filter(|_| !READ.contains(&name.as_str())) {
                effects.insert(one_line(effect));
            }
            if name == "VRMC_materials_mtoon" {
                notes.add("toon shading is drawn as plain shading");
            }
        }
    }
    if !maps.is_empty() {
        let maps: Vec<&str> = maps.into_iter().collect();
        notes
            .add(format!("materials are drawn with colour and emitted light; textures not drawn: {}", maps.join(", ")));
    }
    if !effects.is_empty() {
        let effects: Vec<String> = effects.into_iter().collect();
        notes.add(format!("material effects that are not drawn: {}", listed_names(&effects)));
    }
}

fn meshes(document: &Document, notes: &mut Notes) {
    let drawn: BTreeSet<u64> = document
        .array("materials")
        .iter()
        .flat_map(|material| {
            let textures = [
                material.pointer("/pbrMetallicRoughness/baseColorTexture"),
                material.pointer("/extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture"),
                material.get("emissiveTexture"),
            ];
            textures.into_iter().flatten().map(|texture| {
                let set = texture.pointer("/extensions/KHR_texture_transform/texCoord").or(texture.get("texCoord"));
                set.and_then(Value::as_u64).unwrap_or(0)
            })
        })
        .collect();
    let (mut sets, mut custom) = (BTreeSet::new(), BTreeSet::new());
    for mesh in document.array("meshes") {
        let primitives = mesh.get("primitives").and_then(Value::as_array).into_iter().flatten();
        let attributes = primitives.filter_map(|primitive| primitive.get("attributes")?.as_object());
        for name in attributes.flat_map(|attributes| attributes.keys()) {
            let set = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<u64>().ok());
            if set.is_some_and(|set| set > 0 && !drawn.contains(&set)) {
                sets.insert(one_line(name));
            } else if name.starts_with("COLOR_") && name != "COLOR_0" || name.starts_with('_') {
                custom.insert(one_line(name));
            }
        }
    }
    if !sets.is_empty() {
        let sets: Vec<String> = sets.into_iter().collect();
        notes.add(format!("no texture that is drawn uses the texture coordinates {}", listed_names(&sets)));
    }
    if !custom.is_empty() {
        let custom: Vec<String> = custom.into_iter().collect();
        notes.add(format!("vertex attributes that are not used: {}", listed_names(&custom)));
    }
}

fn vrm(document: &Document, notes: &mut Notes) {
    let at = |path: &str| document.root.pointer(&format!("/extensions/{path}"));
    let is_filled = |path: &str| at(path).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if is_filled("VRMC_springBone/springs") || is_filled("VRM/secondaryAnimation/boneGroups") {
        notes.add("hair, clothes or other bones move with springs in other programs; here they keep their animation");
    }
    let has_expressions = at("VRMC_vrm/expressions").is_some() || is_filled("VRM/blendShapeMaster/blendShapeGroups");
    if has_expressions {
        notes.add("expressions of VRM are not applied: only clips and the file's own weights move morph targets");
    }
    if document.array("nodes").iter().any(|node| node.pointer("/extensions/VRMC_node_constraint").is_some()) {
        notes.add("constraints of nodes are not applied");
    }
    let properties = at("VRM/materialProperties").and_then(Value::as_array);
    let is_toon = |own: &Value| own.get("shader").and_then(Value::as_str).is_some_and(|own| own.contains("MToon"));
    if properties.is_some_and(|list| list.iter().any(is_toon)) {
        notes.add("toon shading is drawn as plain shading");
    }
}
