//! glTF files apart from bones: accessor layouts, materials, texture coordinates, morph targets, compression.

use std::path::Path;

use glam::{Mat4, Vec2, Vec3, Vec4};
use kinescope_ik::animation::{Crossfade, Phase};
use kinescope_ik::rig::import::Source;
use kinescope_ik::rig::{Clip, Model, ModelPose, Wrap};
use serde_json::{Value, json};

use crate::common::figure::import_bytes;
use crate::common::gltf::Glb;

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.5]];
/// The corners as meshoptimizer packs them, in hexadecimal.
const POSITIONS: &str = "a00000000133000000807f000000010c0000008000000001030000007e0000000000000000000000000000000000000000000000000000000000000000";
/// A PNG image of two pixels of the colour 10, 200, 30, in hexadecimal.
const PIXELS: &str = "89504e470d0a1a0a0000000d4948445200000002000000010806000000f4227f8a0000000e4944415478da63e03a21f71f84010f3b03dfc6664b170000000049454e44ae426082";
const TRIANGLES: [u8; 6] = [0, 1, 2, 0, 2, 3];

fn read(glb: &Glb) -> Model {
    import_bytes("looks.glb", &glb.write(), Path::new("/nowhere")).unwrap()
}

fn primitive(glb: &mut Glb) -> &mut Value {
    glb.root.pointer_mut("/meshes/0/primitives/0").unwrap()
}

/// Appends integers; returns the index of their accessor.
fn integers(glb: &mut Glb, component: u32, kind: &str, count: usize, bytes: &[u8], normalized: bool) -> usize {
    let view = glb.view(bytes.iter().copied());
    let mut accessor = json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
    if normalized {
        accessor["normalized"] = true.into();
    }
    glb.push("/accessors", accessor)
}

fn unhex(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn shorts(values: impl IntoIterator<Item = u16>) -> Vec<u8> {
    values.into_iter().flat_map(u16::to_le_bytes).collect()
}

/// Returns two bones and a quad that is parented to the root bone, without a skin.
fn quad() -> Glb {
    let root = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "a", "children": [1, 2] }, { "name": "b", "translation": [0, 1, 0] }, { "name": "quad", "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": {}, "material": 0 }] }],
        "materials": [{}], "textures": [], "images": [], "accessors": [], "bufferViews": [], "animations": [],
    });
    let mut glb = Glb { root, bytes: Vec::new() };
    let positions = glb.accessor("VEC3", 4, CORNERS.as_flattened());
    let indices = integers(&mut glb, UNSIGNED_BYTE, "SCALAR", 6, &TRIANGLES, false);
    primitive(&mut glb)["attributes"]["POSITION"] = positions.into();
    primitive(&mut glb)["indices"] = indices.into();
    glb
}

#[test]
fn a_plain_quad_has_no_notes() {
    let model = read(&quad());
    assert_eq!((model.meshes.len(), model.notes), (1, Vec::<String>::new()));
}

#[test]
fn sparse_accessors_of_indices_and_positions() {
    let mut glb = quad();
    let (indices, positions) =
        (primitive(&mut glb)["indices"].clone(), primitive(&mut glb)["attributes"]["POSITION"].clone());
    let sparse = |glb: &mut Glb, at: Value, places: &[u8], values: Vec<u8>| {
        let (places_view, values_view) = (glb.view(places.iter().copied()), glb.view(values));
        glb.root["accessors"][at.as_u64().unwrap() as usize]["sparse"] = json!({
            "count": places.len(),
            "indices": { "bufferView": places_view, "componentType": UNSIGNED_BYTE },
            "values": { "bufferView": values_view },
        });
    };
    sparse(&mut glb, indices.clone(), &[4, 5], vec![1, 3]);
    sparse(&mut glb, positions, &[3], [0.0f32, 3.0, 1.0].into_iter().flat_map(f32::to_le_bytes).collect());
    let model = read(&glb);
    assert_eq!((&model.meshes[0].indices[..], model.notes.len()), (&[0, 1, 2, 0, 1, 3][..], 0), "{:?}", model.notes);
    assert_eq!(model.meshes[0].positions[3], Vec3::new(0.0, 3.0, 1.0));

    // Indices that are only sparse are 0 elsewhere.
    let accessor = &mut glb.root["accessors"][indices.as_u64().unwrap() as usize];
    accessor.as_object_mut().unwrap().remove("bufferView");
    assert_eq!(read(&glb).meshes[0].indices, [0, 0, 0, 0, 1, 3]);

    // A sparse index beyond the last value is an error.
    let at = indices.as_u64().unwrap() as usize;
    glb.root["accessors"][at]["count"] = 3.into();
    let error = import_bytes("looks.glb", &glb.write(), Path::new("/nowhere")).unwrap_err();
    assert!(error.contains("index 4 is beyond the last value"), "{error}");
}

/// Returns the quad skinned to three joints, with positions as floats or as normalized 16-bit integers.
fn skinned(is_quantized: bool) -> Glb {
    let mut glb = quad();
    glb.root["nodes"] = json!([
        { "name": "a", "children": [1], "translation": [1, 0, 0] },
        { "name": "b", "children": [2], "translation": [0, 1, 0] },
        { "name": "c", "translation": [0, 0.5, 0] },
        { "mesh": 0, "skin": 0 },
    ]);
    // If quantized, a coordinate is 4 v − 1, where v is the normalized integer, 0 to 1.
    let decode = Mat4::from_translation(Vec3::splat(-1.0)) * Mat4::from_scale(Vec3::splat(4.0));
    let mut matrices = Vec::new();
    for at in [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 1.5, 0.0)] {
        let inverse = Mat4::from_translation(-at) * if is_quantized { decode } else { Mat4::IDENTITY };
        matrices.extend(inverse.to_cols_array());
    }
    let matrices = glb.accessor("MAT4", 3, &matrices);
    glb.root["skins"] = json!([{ "joints": [0, 1, 2], "inverseBindMatrices": matrices }]);
    let joints = integers(&mut glb, UNSIGNED_BYTE, "VEC4", 4, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0], false);
    let mut weights = [[255u8, 0, 0, 0]; 4];
    weights[3] = [100, 155, 0, 0];
    let weights = integers(&mut glb, UNSIGNED_BYTE, "VEC4", 4, weights.as_flattened(), true);
    primitive(&mut glb)["attributes"]["JOINTS_0"] = joints.into();
    primitive(&mut glb)["attributes"]["WEIGHTS_0"] = weights.into();
    if is_quantized {
        let number = |position: f32| (((position + 1.0) / 4.0) * 65535.0).round() as u16;
        let rows = CORNERS.iter().flat_map(|[x, y, z]| [number(*x), number(*y), number(*z), 0]);
        let view = glb.view(shorts(rows));
        glb.root["bufferViews"][view]["byteStride"] = 8.into();
        let accessor = json!({ "bufferView": view, "componentType": UNSIGNED_SHORT, "normalized": true, "count": 4, "type": "VEC3" });
        let positions = glb.push("/accessors", accessor);
        primitive(&mut glb)["attributes"]["POSITION"] = positions.into();
        for key in ["extensionsUsed", "extensionsRequired"] {
            glb.root[key] = json!(["KHR_mesh_quantization"]);
        }
    }
    glb
}

fn posed(model: &Model, pose: &ModelPose) -> Vec<Vec3> {
    let mesh = &model.meshes[0];
    let vertices = mesh.positions.iter().zip(&mesh.vertex_joints).zip(&mesh.vertex_weights);
    let moved = vertices.map(|((position, joints), weights)| {
        let influences = joints.iter().zip(weights).map(|(&joint, &weight)| {
            let joint = mesh.joints[usize::from(joint)];
            (pose.model_from_bone(joint.bone.unwrap()) * joint.bone_from_mesh).transform_point3(*position) * weight
        });
        influences.sum()
    });
    moved.collect()
}

#[test]
fn notes_on_inverse_bind_matrices_say_what_to_do() {
    let note = |change: &dyn Fn(&mut Glb)| {
        let mut glb = skinned(false);
        change(&mut glb);
        read(&glb).notes.into_iter().find(|note| note.contains("inverse bind matrices")).unwrap()
    };
    let too_few = note(&|glb| {
        let matrices = glb.accessor("MAT4", 2, &Mat4::IDENTITY.to_cols_array().repeat(2));
        glb.root["skins"][0]["inverseBindMatrices"] = matrices.into();
    });
    let singular = note(&|glb| {
        let matrices = glb.accessor("MAT4", 3, &[0.0; 48]);
        glb.root["skins"][0]["inverseBindMatrices"] = matrices.into();
    });
    let none = note(&|glb| {
        glb.root["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    });
    for (note, says) in [(too_few, "3 joints but 2"), (singular, "without an inverse"), (none, "has no inverse")] {
        assert!(note.starts_with("skin 0 has ") && note.contains(says), "{note}");
        assert!(note.contains("distorted, export the file again"), "{note}");
    }
}

#[test]
fn a_quantized_file_reads_as_its_original_without_notes() {
    let [plain, quantized] = [false, true].map(|is_quantized| read(&skinned(is_quantized)));
    assert_eq!((plain.notes, &quantized.notes), (Vec::new(), &Vec::new()));
    let [a, b] = [&plain.bind, &quantized.bind].map(|bind| bind.clone().unwrap());
    for bone in 0..3 {
        assert!(
            a.position(bone).distance(b.position(bone)) < 1e-5,
            "{bone}: {} {}",
            a.position(bone),
            b.position(bone)
        );
        assert!((a.stretch[bone] - b.stretch[bone]).to_cols_array().iter().all(|part| part.abs() < 1e-5));
    }
    let rest = ModelPose::from_local(&quantized.skeleton, &quantized.skeleton.rest_pose());
    for (corner, vertex) in CORNERS.iter().zip(posed(&quantized, &rest)) {
        assert!(vertex.distance(Vec3::from_array(*corner)) < 1e-4, "{vertex} not {corner:?}");
    }
}

#[test]
fn vertex_colours_of_every_component_type() {
    let rows = [[255u8, 0, 51, 255], [0, 255, 102, 128], [51, 51, 51, 0], [255, 255, 255, 255]];
    for (kind, width) in [("VEC3", 3), ("VEC4", 4)] {
        for component in [UNSIGNED_BYTE, UNSIGNED_SHORT, 5126] {
            let mut glb = quad();
            let parts = || rows.iter().flat_map(|row| row[..width].iter().copied());
            let colors = match component {
                UNSIGNED_BYTE => integers(&mut glb, component, kind, 4, &parts().collect::<Vec<u8>>(), true),
                UNSIGNED_SHORT => {
                    let bytes = shorts(parts().map(|part| u16::from(part) * 257));
                    integers(&mut glb, component, kind, 4, &bytes, true)
                }
                _ => glb.accessor(kind, 4, &parts().map(|part| f32::from(part) / 255.0).collect::<Vec<f32>>()),
            };
            primitive(&mut glb)["attributes"]["COLOR_0"] = colors.into();
            let model = read(&glb);
            assert_eq!(model.notes, Vec::<String>::new());
            for (color, row) in model.meshes[0].colors.iter().zip(rows) {
                let alpha = if width == 4 { f32::from(row[3]) / 255.0 } else { 1.0 };
                let expected = [0, 1, 2].map(|at| f32::from(row[at]) / 255.0);
                let off = (0..3).map(|at| (color[at] - expected[at]).abs()).fold((color.w - alpha).abs(), f32::max);
                assert!(off < 1e-6, "{component} {kind}: {color} not {row:?}");
            }
            assert_eq!(model.meshes[0].colors.len(), 4);
        }
    }
}

/// Returns the quad with two sets of texture coordinates, and an image in two textures.
fn textured() -> Glb {
    let mut glb = quad();
    let first = glb.accessor("VEC2", 4, &[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    let second = glb.accessor("VEC2", 4, &[0.5, 0.5, 0.6, 0.5, 0.6, 0.6, 0.5, 0.6]);
    primitive(&mut glb)["attributes"]["TEXCOORD_0"] = first.into();
    primitive(&mut glb)["attributes"]["TEXCOORD_1"] = second.into();
    let view = glb.view(unhex(PIXELS));
    glb.push("/images", json!({ "bufferView": view, "mimeType": "image/png" }));
    glb.push("/textures", json!({ "source": 0 }));
    glb.root["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33648, "magFilter": 9728 }]);
    glb.push("/textures", json!({ "source": 0, "sampler": 0 }));
    glb
}

#[test]
fn each_texture_has_its_set_and_its_transform() {
    let mut glb = textured();
    glb.root["materials"] = json!([{
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": 1 } },
        "emissiveFactor": [1.0, 0.5, 0.25],
        "emissiveTexture": { "index": 1, "texCoord": 1, "extensions": { "KHR_texture_transform": {
            "texCoord": 0, "offset": [0.25, 0.5], "rotation": std::f32::consts::FRAC_PI_2, "scale": [2.0, 3.0],
        } } },
        "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 }, "KHR_materials_unlit": {} },
    }]);
    let model = read(&glb);
    assert_eq!(model.notes, Vec::<String>::new());
    let (mesh, material) = (&model.meshes[0], &model.materials[0]);
    assert_eq!(mesh.uvs[2], Vec2::splat(0.6));
    // Scale, then rotation from U to −V, then offset.
    for (uv, expected) in mesh.emissive_uvs.iter().zip([[0.25, 0.5], [0.25, -1.5], [3.25, -1.5], [3.25, 0.5]]) {
        assert!(uv.distance(Vec2::from_array(expected)) < 1e-5, "{uv} not {expected:?}");
    }
    assert_eq!((material.emissive, material.unlit), (Vec3::new(4.0, 2.0, 1.0), true));
    let image = |texture: Option<usize>| &model.images[texture.unwrap()];
    let (base, glow) = (image(material.texture), image(material.emissive_texture));
    assert_eq!((base.wrap, base.nearest), ([Wrap::Repeat; 2], false));
    assert_eq!((glow.wrap, glow.nearest, glow.rgba == base.rgba), ([Wrap::Clamp, Wrap::Mirror], true, true));
    assert_eq!(base.rgba[..4], [10, 200, 30, 255]);

    // With the same coordinates for both textures, the mesh has them once. A set that no texture uses has a note.
    glb.root["materials"][0]["emissiveTexture"] = json!({ "index": 1, "texCoord": 1 });
    assert!(read(&glb).meshes[0].emissive_uvs.is_empty());
    glb.root["materials"][0] = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let notes = read(&glb).notes;
    assert!(notes.len() == 1 && notes[0].contains("TEXCOORD_1"), "{notes:?}");
}

/// Returns the quad with two morph targets, and a clip whose `keys` weight them with the given interpolation.
fn morphing(interpolation: &str, keys: &[f32]) -> Glb {
    let mut glb = quad();
    let up = glb.accessor("VEC3", 4, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let turn = glb.accessor("VEC3", 4, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // A sparse target: one vertex, everything else is 0.
    let (places, values) = (glb.view([3]), glb.view([2.0f32, 0.0, 0.0].into_iter().flat_map(f32::to_le_bytes)));
    let aside = glb.push(
        "/accessors",
        json!({ "componentType": 5126, "count": 4, "type": "VEC3", "sparse": { "count": 1,
        "indices": { "bufferView": places, "componentType": UNSIGNED_BYTE }, "values": { "bufferView": values } } }),
    );
    primitive(&mut glb)["targets"] = json!([{ "POSITION": up, "NORMAL": turn }, { "POSITION": aside }]);
    glb.root["meshes"][0]["weights"] = json!([0.25, 0.5]);
    glb.root["meshes"][0]["extras"] = json!({ "targetNames": ["up"] });
    let (input, output) = (glb.accessor("SCALAR", 2, &[0.0, 2.0]), glb.accessor("SCALAR", keys.len(), keys));
    glb.root["animations"] = json!([{ "name": "smile",
        "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
        "channels": [{ "sampler": 0, "target": { "node": 2, "path": "weights" } }] }]);
    glb
}

#[test]
fn morph_targets_with_weights_of_clips() {
    let model = read(&morphing("LINEAR", &[0.0, 1.0, 0.5, 0.0]));
    assert_eq!(model.notes, Vec::<String>::new());
    let (mesh, morph) = (&model.meshes[0], &model.morphs[0]);
    assert_eq!((mesh.morph, &morph.weights[..]), (Some(0), &[0.25, 0.5][..]));
    assert_eq!(morph.targets, ["up", "target 1"]);
    assert_eq!(mesh.targets.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((mesh.targets[0][0].vertex, mesh.targets[0][0].normal), (0, Vec3::Z));
    let morphed = mesh.morphed(&morph.weights);
    assert_eq!((morphed[2], morphed[3], morphed[0]), (Vec3::new(2.0, 2.25, 0.0), Vec3::new(1.0, 2.0, 0.5), Vec3::ZERO));
    assert!(matches!(mesh.morphed(&[0.0, 0.0]), std::borrow::Cow::Borrowed(_)));
    let clip = &model.clips[0];
    assert_eq!((clip.duration, clip.tracks.len(), clip.morphs.len()), (2.0, 0, 1));

    let sampled = |interpolation: &str, keys: &[f32], time: f32| {
        let model = read(&morphing(interpolation, keys));
        let mut weights = vec![vec![9.0, 9.0]];
        model.clips[0].sample_morphs(time, &mut weights);
        [weights[0][0], weights[0][1]]
    };
    assert_eq!(sampled("LINEAR", &[0.0, 1.0, 0.5, 0.0], 1.0), [0.25, 0.5]);
    assert_eq!(sampled("STEP", &[0.0, 1.0, 0.5, 0.0], 1.9), [0.0, 1.0]);
    assert_eq!(sampled("STEP", &[0.0, 1.0, 0.5, 0.0], 2.0), [0.5, 0.0]);
    // In-tangents, weights and out-tangents of two targets. Halfway, a Hermite spline is the mean of its ends, plus an
    // eighth of the span times the difference of the tangents.
    let cubic = [0.0, 0.0, 0.0, 1.0, 2.0, 0.0, -2.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let [a, b] = sampled("CUBICSPLINE", &cubic, 1.0);
    assert!((a - (0.5 + 2.0 / 8.0 * 4.0)).abs() < 1e-6 && (b - 0.5).abs() < 1e-6, "{a} {b}");
}

#[test]
fn weights_fade_as_poses_do() {
    let model = read(&morphing("LINEAR", &[1.0, 0.0, 1.0, 0.0]));
    let clips = [model.clips[0].clone(), Clip { duration: 1.0, ..Clip::default() }];
    let rest: Vec<Vec<f32>> = model.morphs.iter().map(|morph| morph.weights.clone()).collect();
    let mut crossfade = Crossfade::new();
    let mut weights = Vec::new();
    crossfade.sample_morphs(&clips, &rest, &mut weights);
    assert_eq!(weights, [[0.25, 0.5]]);
    crossfade.play(0);
    crossfade.fade_to(1, 1.0, Phase::Restart, &clips);
    crossfade.step(0.5, 1.0, &clips);
    crossfade.sample_morphs(&clips, &rest, &mut weights);
    assert_eq!(weights, [[0.625, 0.25]]);
}

#[test]
fn damaged_morph_targets_do_no_harm() {
    let mut glb = morphing("LINEAR", &[0.0, 1.0, 0.5, 0.0]);
    glb.root["nodes"][2]["weights"] = json!([7.0, 1e30, 3.0]);
    assert_eq!(read(&glb).morphs[0].weights, [7.0, 0.0]);
    // A channel of a node without targets moves nothing.
    glb.root["animations"][0]["channels"][0]["target"]["node"] = 1.into();
    let model = read(&glb);
    assert!(model.clips[0].morphs.is_empty() && model.clips[0].unbound.len() == 1, "{:?}", model.clips[0]);
    // The wrong number of keys, and a target whose accessor does not exist.
    let mut glb = morphing("LINEAR", &[0.0]);
    assert_eq!(read(&glb).clips[0].skipped.len(), 1);
    primitive(&mut glb)["targets"][1] = json!({ "POSITION": 77 });
    assert!(import_bytes("looks.glb", &glb.write(), Path::new("/nowhere")).unwrap_err().contains("accessor 77"));
}

/// Returns the quad with indices, positions and colours in Draco data instead of accessors with bytes, and the index of
/// the view of this data.
fn draco() -> (Glb, usize) {
    use draco_core::{DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, MeshEncoder, PointAttribute};
    let mut mesh = draco_core::Mesh::new();
    mesh.set_num_points(4);
    let mut add = |kind, width: u8, data_type, bytes: Vec<u8>| {
        let mut attribute = PointAttribute::new();
        attribute.init(kind, width, data_type, data_type == DataType::Uint8, 4);
        attribute.buffer_mut().write(0, &bytes);
        mesh.add_attribute(attribute)
    };
    let floats = CORNERS.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    let position = add(GeometryAttributeType::Position, 3, DataType::Float32, floats);
    let color = add(GeometryAttributeType::Color, 4, DataType::Uint8, [[255u8, 0, 51, 255]; 4].concat());
    let ids = [position, color].map(|at| mesh.attribute(at).unique_id());
    mesh.set_num_faces(2);
    mesh.set_faces_from_flat_indices(&TRIANGLES.map(u32::from));
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut packed = EncoderBuffer::new();
    encoder.encode(&EncoderOptions::new(), &mut packed).unwrap();

    let mut glb = quad();
    let view = glb.view(packed.data().iter().copied());
    let position = glb.push("/accessors", json!({ "componentType": 5126, "count": 4, "type": "VEC3" }));
    let color = glb
        .push("/accessors", json!({ "componentType": UNSIGNED_BYTE, "normalized": true, "count": 4, "type": "VEC4" }));
    let indices = glb.push("/accessors", json!({ "componentType": UNSIGNED_SHORT, "count": 6, "type": "SCALAR" }));
    *primitive(&mut glb) = json!({
        "attributes": { "POSITION": position, "COLOR_0": color }, "indices": indices, "material": 0,
        "extensions": { "KHR_draco_mesh_compression": { "bufferView": view, "attributes": { "POSITION": ids[0], "COLOR_0": ids[1] } } },
    });
    glb.root["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    glb.root["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    (glb, view)
}

#[test]
fn draco_meshes() {
    let (glb, view) = draco();
    let model = read(&glb);
    assert_eq!(model.notes, Vec::<String>::new());
    let mesh = &model.meshes[0];
    assert_eq!((mesh.positions.len(), mesh.indices.len(), mesh.colors.len()), (4, 6, 4));
    // The encoder may number the vertices in another order.
    for corner in CORNERS {
        assert!(mesh.positions.iter().any(|at| at.distance(Vec3::from_array(corner)) < 1e-3), "{:?}", mesh.positions);
    }
    assert!(mesh.colors.iter().all(|color| color.distance(Vec4::new(1.0, 0.0, 0.2, 1.0)) < 1e-5), "{:?}", mesh.colors);
    let area = |mesh: &kinescope_ik::rig::Mesh| -> f32 {
        let corner = |at: u32| mesh.positions[at as usize];
        let triangles = mesh.indices.chunks(3).map(|t| [t[0], t[1], t[2]].map(corner));
        triangles.map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum()
    };
    assert!((area(mesh) - area(&read(&quad()).meshes[0])).abs() < 1e-2);

    // One bit is flipped. A mesh that cannot be decoded is left out with a note; the bones load.
    let place = glb.root["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
    let length = glb.root["bufferViews"][view]["byteLength"].as_u64().unwrap() as usize;
    let (mut lost, mut kept) = (0, 0);
    for at in 0..length {
        for bit in 0..8 {
            let mut broken = Glb { root: glb.root.clone(), bytes: glb.bytes.clone() };
            broken.bytes[place + at] ^= 1 << bit;
            match import_bytes("looks.glb", &broken.write(), Path::new("/nowhere")) {
                Ok(model) if model.meshes.is_empty() => {
                    assert!(model.notes.iter().any(|note| note.contains("Draco")), "{:?}", model.notes);
                    assert_eq!(model.skeleton.len(), 2);
                    lost += 1;
                }
                _ => kept += 1,
            }
        }
    }
    assert!(lost > 10 && kept > 10, "{lost} lost, {kept} kept");
    let mut cut = glb;
    cut.root["bufferViews"][view]["byteLength"] = (length / 2).into();
    assert!(read(&cut).meshes.is_empty());
}

#[test]
fn meshopt_views() {
    let mut glb = quad();
    let positions = primitive(&mut glb)["attributes"]["POSITION"].as_u64().unwrap() as usize;
    let view = glb.root["accessors"][positions]["bufferView"].as_u64().unwrap() as usize;
    let packed = glb.view(unhex(POSITIONS));
    let inner = glb.root["bufferViews"][packed].clone();
    glb.root["bufferViews"][view] = json!({ "buffer": 1, "byteLength": 48, "extensions": { "EXT_meshopt_compression": {
        "buffer": 0, "byteOffset": inner["byteOffset"], "byteLength": inner["byteLength"],
        "byteStride": 12, "count": 4, "mode": "ATTRIBUTES", "filter": "NONE",
    } } });
    glb.root["extensionsUsed"] = json!(["EXT_meshopt_compression"]);
    glb.root["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    let model = read(&glb);
    assert_eq!((&model.notes, model.meshes.len()), (&Vec::new(), 1));
    assert_eq!(model.meshes[0].positions, CORNERS.map(Vec3::from_array));

    // The same values as the sparse part of an accessor without a view.
    let indices = glb.view([0, 1, 2, 3]);
    let mut sparse = Glb { root: glb.root.clone(), bytes: glb.bytes.clone() };
    sparse.root["accessors"][positions].as_object_mut().unwrap().remove("bufferView");
    sparse.root["accessors"][positions]["sparse"] = json!({
        "count": 4,
        "indices": { "bufferView": indices, "componentType": UNSIGNED_BYTE },
        "values": { "bufferView": view },
    });
    assert_eq!(read(&sparse).meshes[0].positions, CORNERS.map(Vec3::from_array));

    glb.root["bufferViews"][view]["extensions"]["EXT_meshopt_compression"]["byteLength"] = 20.into();
    let model = read(&glb);
    assert!(model.meshes.is_empty() && model.skeleton.len() == 2);
    assert!(model.notes.iter().any(|note| note.contains("compressed with meshopt")), "{:?}", model.notes);
}

/// A channel that is left out does not block a sound channel with the same target, when the file is written.
#[test]
fn the_first_sound_channel_of_a_property_is_written() {
    let mut glb = quad();
    let (times, values) =
        (glb.accessor("SCALAR", 2, &[0.0, 1.0]), glb.accessor("VEC3", 2, &[0.0, 1.0, 0.0, 0.0, 2.0, 0.0]));
    let broken = glb.accessor("VEC3", 2, &[0.0, 1.0, 0.0, 0.0, f32::NAN, 0.0]);
    let channel = |sampler: usize| json!({ "sampler": sampler, "target": { "node": 1, "path": "translation" } });
    glb.root["animations"] = json!([{
        "samplers": [{ "input": times, "output": broken }, { "input": times, "output": values }, { "input": times, "output": values }],
        "channels": [channel(0), channel(1), channel(2)],
    }]);
    let (written, notes) =
        Source::read("looks.glb", &glb.write(), &mut |uri| Err(uri.to_owned())).unwrap().to_glb().unwrap();
    assert_eq!(import_bytes("written.glb", &written, Path::new("/nowhere")).unwrap().clips[0].tracks.len(), 1);
    for note in ["channel 0 is left out: a key's value is not finite", "channel 2 is left out: another channel moves"] {
        assert!(notes.iter().any(|own| own.contains(note)), "{note}: {notes:?}");
    }
}

/// An unreadable image becomes a white pixel, which tilts normals, also if only an extension names the image.
#[test]
fn normal_textures_of_missing_images_are_left_out() {
    let mut glb = textured();
    let view = glb.view(*b"not an image");
    glb.push("/images", json!({ "bufferView": view, "mimeType": "image/webp" }));
    let by = |extension: &str| json!({ extension: { "source": 1 } });
    glb.root["extensionsUsed"] = json!(["EXT_texture_webp", "KHR_texture_basisu", "KHR_materials_clearcoat"]);
    glb.root["textures"] = json!([
        { "source": 0 },
        { "source": 1 },
        { "extensions": by("EXT_texture_webp") },
        { "extensions": by("KHR_texture_basisu") },
        { "source": 0, "extensions": by("EXT_texture_webp") },
    ]);
    let material = |texture: usize| {
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } },
            "normalTexture": { "index": texture },
            "extensions": { "KHR_materials_clearcoat": { "clearcoatNormalTexture": { "index": texture } } },
        })
    };
    glb.root["materials"] = (0..5).map(material).collect();
    let source = Source::read("looks.glb", &glb.write(), &mut |uri| Err(uri.to_owned())).unwrap();
    let written = Glb::read(&source.to_glb().unwrap().0).root;
    let has = |material: usize, path: &str| written["materials"][material].pointer(path).is_some();
    for (texture, keeps) in [(0, true), (1, false), (2, false), (3, false), (4, true)] {
        assert!(has(texture, "/pbrMetallicRoughness/baseColorTexture"), "{texture}");
        assert_eq!(has(texture, "/normalTexture"), keeps, "{texture}");
        let coat = "/extensions/KHR_materials_clearcoat/clearcoatNormalTexture";
        assert_eq!(has(texture, coat), keeps, "{texture}");
    }
    // Every reader gets the readable image.
    assert_eq!(written["textures"][4], json!({ "source": 0 }));
}

#[test]
fn what_is_not_read_has_one_note_of_its_kind() {
    let mut glb = textured();
    glb.root["materials"] = json!([
        { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": 1 }, "metallicRoughnessTexture": { "index": 0 } },
          "normalTexture": { "index": 0 }, "extensions": { "KHR_materials_anisotropy": {}, "KHR_materials_unlit": {} } },
        { "normalTexture": { "index": 0 }, "extensions": { "KHR_materials_clearcoat": {} } },
    ]);
    glb.root["nodes"][0]["camera"] = 0.into();
    glb.root["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1 } }]);
    glb.root["extensionsUsed"] =
        json!(["KHR_materials_anisotropy", "KHR_lights_punctual", "EXT_mesh_gpu_instancing", "VRM"]);
    glb.root["extensions"] = json!({
        "KHR_lights_punctual": { "lights": [{ "type": "point" }] },
        "VRM": { "secondaryAnimation": { "boneGroups": [{ "bones": [1] }, { "bones": [0] }] },
                 "materialProperties": [{ "shader": "VRM/MToon" }], "blendShapeMaster": { "blendShapeGroups": [{}] } },
    });
    let color = glb.accessor("VEC3", 4, &[0.5; 12]);
    primitive(&mut glb)["attributes"]["COLOR_1"] = color.into();
    primitive(&mut glb)["attributes"]["_HEAT"] = color.into();
    let notes = read(&glb).notes;
    for word in [
        "cameras",
        "lights",
        "metal and roughness, normal",
        "anisotropy, clearcoat",
        "COLOR_1, _HEAT",
        "springs",
        "expressions",
        "toon",
        "EXT_mesh_gpu_instancing",
    ] {
        assert_eq!(notes.iter().filter(|note| note.contains(word)).count(), 1, "{word}: {notes:?}");
    }
    assert_eq!(notes.len(), 9, "{notes:?}");
    // A primitive of points, and one of lines.
    let mut lines = quad();
    let mut second = primitive(&mut lines).clone();
    (second["mode"], primitive(&mut lines)["mode"]) = (0.into(), 1.into());
    lines.push("/meshes/0/primitives", second);
    let model = read(&lines);
    assert_eq!((model.meshes.len(), &model.notes[..]), (0, &["meshes of points or lines are left out".to_owned()][..]));
    // Springs of VRM 1.
    glb.root["extensions"] = json!({ "VRMC_springBone": { "springs": [{ "joints": [{ "node": 1 }] }] } });
    assert!(read(&glb).notes.iter().any(|note| note.contains("springs")));
}
