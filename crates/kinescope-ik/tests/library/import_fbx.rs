//! FBX files: transforms, meshes, textures, clips, damage, and a real character.

use base64::Engine;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use kinescope_ik::rig::import::{Source, import, import_in_slices};
use kinescope_ik::rig::{Model, ModelPose};
use kinescope_ik::slices::finish;
use proptest::prelude::*;

use crate::common::fbx::*;
use crate::common::figure::*;
use crate::common::property::property;
use crate::common::shared;

fn read(file: &FbxFile) -> Model {
    import("built.fbx", &file.write(), &mut |uri| Err(format!("no {uri}"))).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    let error = import("built.fbx", bytes, &mut |uri| Err(uri.to_owned())).unwrap_err().to_string();
    assert!(error.starts_with("built.fbx") && !error.contains('\n'), "{error}");
    error
}

/// Returns the rotation of FBX angles in degrees. `order` has the axes in the order in which they are applied.
fn euler(order: &str, degrees: [f64; 3]) -> DQuat {
    order.bytes().fold(DQuat::IDENTITY, |before, axis| {
        let turn = match axis {
            b'X' => DQuat::from_rotation_x(degrees[0].to_radians()),
            b'Y' => DQuat::from_rotation_y(degrees[1].to_radians()),
            _ => DQuat::from_rotation_z(degrees[2].to_radians()),
        };
        turn * before
    })
}

const ORDERS: [&str; 6] = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"];

fn assert_near(model: &Model, bone: &str, expected: DAffine3) {
    let bone = model.skeleton.find(bone).unwrap_or_else(|| panic!("no bone {bone}"));
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let got = rest.model_from_bone(bone).as_dmat4();
    let expected = glam::DMat4::from(expected);
    assert!(got.abs_diff_eq(expected, 1e-4), "{got}\nis not\n{expected}");
}

/// The documented transform of an FBX node: T·Roff·Rp·Rpre·R·Rpost⁻¹·Rp⁻¹·Soff·Sp·S·Sp⁻¹.
#[test]
fn rotation_orders_and_pivots_are_those_of_the_format() {
    let (translation, rotation, scale) = ([0.3, 1.1, -0.4], [31.0, -47.0, 68.0], [1.2, 1.2, 1.2]);
    let (pre, post) = ([10.0, 20.0, -35.0], [-15.0, 25.0, 40.0]);
    let (rotation_pivot, rotation_offset) = ([0.1, -0.2, 0.3], [0.05, 0.02, -0.07]);
    let (scale_pivot, scale_offset) = ([-0.15, 0.25, 0.1], [0.01, -0.03, 0.06]);
    let at = |v: [f64; 3]| DAffine3::from_translation(v.into());
    let turned = DAffine3::from_quat;
    for (index, order) in ORDERS.into_iter().enumerate() {
        let node = FbxNode::new(
            "bone",
            None,
            &[
                ("RotationActive", &[1.0]),
                ("RotationOrder", &[index as f64]),
                ("Lcl Translation", &translation),
                ("Lcl Rotation", &rotation),
                ("Lcl Scaling", &scale),
                ("PreRotation", &pre),
                ("PostRotation", &post),
                ("RotationPivot", &rotation_pivot),
                ("RotationOffset", &rotation_offset),
                ("ScalingPivot", &scale_pivot),
                ("ScalingOffset", &scale_offset),
            ],
        );
        let tip = FbxNode::new("tip", Some(0), &[("Lcl Translation", &[0.0, 0.5, 0.0])]);
        let model = read(&FbxFile { nodes: vec![node, tip], ..FbxFile::default() });
        let expected = at(translation)
            * at(rotation_offset)
            * at(rotation_pivot)
            * turned(euler("XYZ", pre))
            * turned(euler(order, rotation))
            * turned(euler("XYZ", post).inverse())
            * at(rotation_pivot).inverse()
            * at(scale_offset)
            * at(scale_pivot)
            * DAffine3::from_scale(scale.into())
            * at(scale_pivot).inverse();
        assert_near(&model, "bone", expected);
        assert_near(&model, "tip", expected * at([0.0, 0.5, 0.0]));
    }
}

#[test]
fn a_bone_that_compensates_ignores_its_parents_scale() {
    let nodes = |inherit: f64| {
        vec![
            FbxNode::new("root", None, &[]),
            FbxNode::new("arm", Some(0), &[("Lcl Translation", &[0.0, 1.0, 0.0]), ("Lcl Scaling", &[2.0, 2.0, 2.0])]),
            FbxNode::new("hand", Some(1), &[("Lcl Translation", &[0.5, 0.0, 0.0]), ("InheritType", &[inherit])]),
            FbxNode::new("finger", Some(2), &[("Lcl Translation", &[0.1, 0.0, 0.0]), ("InheritType", &[inherit])]),
        ]
    };
    // The offset of a child is scaled by its parent in both cases; only the child's own axes differ.
    let hand = DVec3::new(1.0, 1.0, 0.0);
    for (inherit, scale) in [(1.0, 2.0), (2.0, 1.0)] {
        let model = read(&FbxFile { nodes: nodes(inherit), ..FbxFile::default() });
        let linear = DMat3::from_diagonal(DVec3::splat(scale));
        assert_near(&model, "hand", DAffine3::from_mat3_translation(linear, hand));
        let finger = hand + DVec3::X * 0.1 * scale;
        assert_near(&model, "finger", DAffine3::from_mat3_translation(linear, finger));
    }
}

fn columns(at: [f64; 3]) -> [f64; 16] {
    glam::DMat4::from_translation(at.into()).to_cols_array()
}

/// Returns two bones and a quad between them, in centimetres with Z up.
fn skinned() -> FbxFile {
    let nodes = vec![
        FbxNode::new("Hips", None, &[("Lcl Translation", &[0.0, 0.0, 100.0])]),
        FbxNode::new("Chest", Some(0), &[("Lcl Translation", &[0.0, 0.0, 50.0])]),
    ];
    let mesh = FbxMesh {
        vertices: vec![[-10.0, 0.0, 100.0], [10.0, 0.0, 100.0], [10.0, 0.0, 150.0], [-10.0, 0.0, 150.0]],
        faces: vec![vec![0, 1, 2, 3]],
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        joints: vec![
            (0, vec![0, 1, 2], vec![1.0, 1.0, 1.0], columns([0.0, 0.0, 100.0])),
            (1, vec![2, 3], vec![3.0, 1.0], columns([0.0, 0.0, 150.0])),
        ],
        ..FbxMesh::default()
    };
    FbxFile { nodes, mesh: Some(mesh), unit: 1.0, up: 2, ..FbxFile::default() }
}

#[test]
fn units_axes_skin_and_material_are_converted() {
    let model = read(&skinned());
    let bones = ["Hips", "Chest"].map(|name| model.skeleton.find(name).unwrap());
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let bind = model.bind.as_ref().unwrap_or_else(|| panic!("{:?} {:?}", model.notes, model.meshes));
    for pose in [&rest, bind] {
        assert!(pose.bones[bones[0]].position.distance(Vec3::Y) < 1e-5, "{:?}", pose.bones);
        assert!(pose.bones[bones[1]].position.distance(Vec3::Y * 1.5) < 1e-5, "{:?}", pose.bones);
    }
    assert!(model.notes.iter().any(|note| note.contains("FBX 7.4 (ASCII)")), "{:?}", model.notes);
    assert!(model.notes.iter().any(|note| note.contains("centimetres, Z up")), "{:?}", model.notes);
    let [mesh] = &model.meshes[..] else { panic!("{} meshes", model.meshes.len()) };
    assert_eq!((mesh.positions.len(), mesh.indices.len(), mesh.joints.len()), (4, 6, 2));
    for (at, uv) in mesh.positions.iter().zip(&mesh.uvs) {
        // Drawn where it was modelled: 20 cm wide, from 1 m to 1.5 m.
        assert!((at.x.abs() - 0.1).abs() < 1e-5 && at.z.abs() < 1e-5, "{at}");
        // The top of the image is at the top of the mesh.
        let top = (at.y - 1.5).abs() < 1e-5;
        assert!(top || (at.y - 1.0).abs() < 1e-5, "{at}");
        assert_eq!(*uv, glam::Vec2::new(if at.x > 0.0 { 1.0 } else { 0.0 }, if top { 0.0 } else { 1.0 }));
    }
    let shared = mesh.positions.iter().position(|at| at.y > 1.4 && at.x > 0.0).unwrap();
    let mut weights: Vec<(usize, f32)> = (0..4)
        .map(|slot| (mesh.vertex_joints[shared][slot] as usize, mesh.vertex_weights[shared][slot]))
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(joint, weight)| (mesh.joints[joint].bone.unwrap(), weight))
        .collect();
    weights.sort_by_key(|(bone, _)| *bone);
    assert_eq!(weights, [(bones[0], 0.25), (bones[1], 0.75)]);
    let color = model.materials[mesh.material.unwrap()].base_color;
    assert!(color.abs_diff_eq(glam::Vec4::new(0.25, 0.5, 0.75, 1.0), 1e-5), "{color}");
}

#[test]
fn vertex_colors_are_kept() {
    let mut file = skinned();
    assert!(read(&file).meshes[0].colors.is_empty());
    let mesh = file.mesh.as_mut().unwrap();
    mesh.colors = vec![[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5], [0.25, 0.5, 0.75, 0.0], [2.0, -1.0, 1.0, 1.0]];
    let model = read(&file);
    let mesh = &model.meshes[0];
    assert_eq!(mesh.colors.len(), mesh.positions.len());
    for (at, color) in mesh.positions.iter().zip(&mesh.colors) {
        let expected = match (at.x > 0.0, at.y > 1.25) {
            (false, false) => [1.0, 0.0, 0.0, 1.0],
            (true, false) => [0.0, 1.0, 0.0, 0.5],
            (true, true) => [0.25, 0.5, 0.75, 0.0],
            (false, true) => [1.0, 0.0, 1.0, 1.0],
        };
        assert_eq!(color.to_array(), expected, "at {at}");
    }
}

#[test]
fn blend_shapes_are_morph_targets_that_clips_weigh() {
    let mut file = skinned();
    let mesh = file.mesh.as_mut().unwrap();
    let shape = |name: &str, percent, targets| FbxShape { name: name.to_owned(), percent, targets };
    // Centimetres, Z up: the top edge moves up by 20 cm, and one of its corners to the front by up to 30 cm.
    mesh.shapes = vec![
        shape("Stretch", 25.0, vec![(100.0, vec![2, 3], vec![[0.0, 0.0, 20.0], [0.0, 0.0, 20.0]])]),
        shape("Lean", 0.0, vec![(50.0, vec![2], vec![[0.0, -10.0, 0.0]]), (100.0, vec![2], vec![[0.0, -30.0, 0.0]])]),
    ];
    let curve =
        |node, to| FbxCurve { node, property: "DeformPercent", axis: 0, keys: vec![(0.0, 0.0), (1.0, to)], flags: 4 };
    file.clips = vec![FbxClip { name: "Grow".into(), length: 1.0, curves: vec![curve(0, 100.0), curve(1, 100.0)] }];
    let model = read(&file);
    let [morph] = &model.morphs[..] else { panic!("{:?}", model.morphs) };
    assert_eq!(morph.targets, ["Stretch", "Lean 50 %", "Lean 100 %"]);
    assert_eq!(morph.weights, [0.25, 0.0, 0.0]);
    let mesh = &model.meshes[0];
    let targets = &mesh.targets;
    for (target, count, offset) in [(0, 2, Vec3::Y * 0.2), (1, 1, Vec3::Z * 0.1), (2, 1, Vec3::Z * 0.3)] {
        assert_eq!(targets[target].len(), count);
        for own in &targets[target] {
            assert!(own.position.distance(offset) < 1e-5, "{own:?} is not {offset}");
            assert!(mesh.positions[own.vertex as usize].y > 1.4, "{own:?}");
        }
    }
    for (time, expected) in
        [(0.0, [0.0; 3]), (0.25, [0.25, 0.5, 0.0]), (0.75, [0.75, 0.5, 0.5]), (1.0, [1.0, 0.0, 1.0])]
    {
        let mut weights = vec![morph.weights.clone()];
        model.clips[0].sample_morphs(time, &mut weights);
        for (weight, expected) in weights[0].iter().zip(expected) {
            assert!((weight - expected).abs() < 0.01, "{weights:?} at {time}");
        }
    }
}

#[test]
fn a_second_set_of_texture_coordinates_is_read_and_used() {
    let mut file = skinned();
    let mesh = file.mesh.as_mut().unwrap();
    mesh.second_uvs = vec![[0.25, 0.0], [0.5, 0.0], [0.5, 0.75], [0.25, 0.75]];
    mesh.texture = Some("skin.png".to_owned());
    mesh.embedded = Some(base64::engine::general_purpose::STANDARD.encode(png()));
    let text = String::from_utf8(file.write()).unwrap();
    let uvs = |text: &str| {
        let model = import("built.fbx", text.as_bytes(), &mut |uri| Err(uri.to_owned())).unwrap();
        assert!(!model.notes.iter().any(|note| note.contains("left out")), "{:?}", model.notes);
        let mesh = &model.meshes[0];
        let top = mesh.positions.iter().position(|at| at.y > 1.4 && at.x > 0.0).unwrap();
        mesh.uvs[top]
    };
    assert_eq!(uvs(&text), glam::Vec2::new(1.0, 0.0));
    let second = "P: \"UVSet\", \"KString\", \"\", \"\", \"UV1\"\n";
    let from = "Type: \"TextureVideoClip\"\n";
    assert!(text.contains(from));
    let text = text.replace(from, &format!("{from}Properties70: {{\n{second}}}\n"));
    assert_eq!(uvs(&text), glam::Vec2::new(0.5, 0.25));
}

#[test]
fn textures_in_tga_are_read() {
    let mut file = skinned();
    file.mesh.as_mut().unwrap().texture = Some("skin.tga".to_owned());
    // An uncompressed image of 2 by 1 pixels with 24 bits: blue, green, red.
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0x20];
    tga.extend([0, 0, 255, 255, 0, 0]);
    let model = import("a.fbx", &file.write(), &mut |_| Ok(tga.clone())).unwrap();
    assert_eq!(model.images[0].rgba, [255, 0, 0, 255, 0, 0, 255, 255], "{:?}", model.notes);
}

#[test]
fn textures_of_other_kinds_and_hidden_meshes_have_one_note_each() {
    let mut file = skinned();
    file.mesh.as_mut().unwrap().texture = Some("skin.png".to_owned());
    let text = String::from_utf8(file.write()).unwrap();
    let notes = |text: &str| {
        let read = import("a.fbx", text.as_bytes(), &mut |_| Ok(png())).unwrap();
        read.notes.into_iter().filter(|note| note.contains("left out")).collect::<Vec<_>>()
    };
    let from = "C: \"OP\",13,12, \"DiffuseColor\"\n";
    assert!(text.contains(from));
    let [note] = &notes(&text.replace(from, "C: \"OP\",13,12, \"SpecularColor\"\n"))[..] else { panic!() };
    assert!(note.contains("1 in all") && note.contains("skin.png"), "{note}");
    assert!(notes(&text).is_empty());
    let node = "\"Model::Body\", \"Mesh\" {\nVersion: 232\n";
    assert!(text.contains(node));
    let hidden = "Properties70: {\nP: \"Visibility\", \"Visibility\", \"\", \"A\",0\n}\n";
    let [note] = &notes(&text.replace(node, &format!("{node}{hidden}")))[..] else { panic!() };
    assert_eq!(note, "hidden meshes are left out, 1 in all, such as \"Body\"");
}

#[test]
fn progress_is_reported_while_the_file_is_read_and_can_end_it() {
    let mut file = skinned();
    let key = |at: u32| (f64::from(at) / 30.0, f64::from(at % 90));
    let curve =
        |axis| FbxCurve { node: 1, property: "Lcl Rotation", axis, keys: (0..20_000).map(key).collect(), flags: 4 };
    file.clips = vec![FbxClip { name: "Long".into(), length: 600.0, curves: vec![curve(0), curve(1), curve(2)] }];
    let bytes = file.write();
    let mut seen = Vec::new();
    let read = |progress: &mut dyn FnMut(f32) -> bool| {
        finish(import_in_slices("a.fbx", &bytes, None, &mut |uri| Err(uri.to_owned()), progress))
    };
    assert!(
        read(&mut |done| {
            seen.push(done);
            true
        })
        .is_ok()
    );
    assert!(
        seen.windows(2).all(|pair| pair[0] <= pair[1]) && seen.iter().all(|done| (0.0..=1.0).contains(done)),
        "{seen:?}"
    );
    assert!(seen.iter().filter(|&&done| done > 0.0 && done < 0.35).count() >= 2, "{seen:?}");
    let mut count = 0;
    let error = read(&mut |_| {
        count += 1;
        count < 2
    })
    .unwrap_err()
    .to_string();
    assert!(count == 2 && error.contains("cancelled"), "{count} {error}");
}

#[test]
fn objects_that_are_left_out_have_a_note() {
    let whole = String::from_utf8(skinned().write()).unwrap();
    let light = "NodeAttribute: 500, \"NodeAttribute::Lamp\", \"Light\" {\n}\n";
    let camera = "NodeAttribute: 501, \"NodeAttribute::View\", \"Camera\" {\n}\n";
    let constraint = "Constraint: 502, \"Constraint::Look\", \"Aim\" {\n}\n";
    let more = whole.replacen("Objects: {\n", &format!("Objects: {{\n{light}{camera}{constraint}"), 1);
    let notes = |text: &str| import("built.fbx", text.as_bytes(), &mut |uri| Err(uri.to_owned())).unwrap().notes;
    let (before, after) = (notes(&whole), notes(&more));
    assert!(!before.iter().any(|note| note.contains("left out")), "{before:?}");
    for kind in ["lights", "cameras", "constraints"] {
        assert!(after.contains(&format!("{kind} are left out, 1 in all")), "{kind}: {after:?}");
    }
}

#[test]
fn what_meshes_and_clips_lose_has_a_note() {
    let mut file = skinned();
    let curve = |property| FbxCurve { node: 0, property, axis: 0, keys: vec![(0.0, 0.0), (1.0, 1.0)], flags: 4 };
    // Clips contain pivots and pre-rotations as part of the transforms.
    let (turns, hides) = (curve("Lcl Rotation"), curve("Visibility"));
    let (pivots, turns_before) = (curve("RotationPivot"), curve("PreRotation"));
    let still = FbxClip { name: "Still".into(), length: 0.0, curves: Vec::new() };
    file.clips =
        vec![FbxClip { name: "Nod".into(), length: 1.0, curves: vec![turns, hides, pivots, turns_before] }, still];
    let text = String::from_utf8(file.write()).unwrap();
    let replaced = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let text = replaced(
        &text,
        "Geometry: 10, \"Geometry::Body\", \"Mesh\" {\n",
        "Geometry: 10, \"Geometry::Body\", \"Mesh\" {\nSmoothness: 2\nPreviewDivisionLevels: 2\n",
    );
    let skin = "Deformer: 20, \"Deformer::\", \"Skin\" {\nVersion: 101\n";
    let second = format!(
        "Deformer: 19, \"Deformer::\", \"Skin\" {{\nVersion: 101\n}}\n{skin}SkinningType: \"DualQuaternion\"\n"
    );
    let text = replaced(&text, skin, &second);
    let text = replaced(&text, "C: \"OO\",20,10\n", "C: \"OO\",20,10\nC: \"OO\",19,10\n");
    let model = import("built.fbx", text.as_bytes(), &mut |uri| Err(uri.to_owned())).unwrap();
    assert_eq!(model.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["Nod"]);
    for note in [
        "animations of properties other than transforms and blend shapes are left out, 1 in all, such as \"Visibility\" of ",
        "the clip \"Still\" is left out: it moves nothing",
        "subdivisions of meshes are left out, 1 in all",
        "skins after the first of a mesh are left out, 1 in all",
        "skins with dual quaternion skinning are drawn with linear blend skinning, 1 in all",
    ] {
        assert!(model.notes.iter().any(|own| own.starts_with(note)), "{note}: {:#?}", model.notes);
    }
}

fn png() -> Vec<u8> {
    // One red pixel.
    base64::engine::general_purpose::STANDARD
        .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==")
        .unwrap()
}

#[test]
fn textures_are_embedded_beside_the_model_or_missing() {
    let mut file = skinned();
    let mesh = file.mesh.as_mut().unwrap();
    mesh.texture = Some(r"..\maps\skin.png".to_owned());
    let mut asked = Vec::new();
    let missing = import("a.fbx", &file.write(), &mut |uri| {
        asked.push(uri.to_owned());
        Err("there is no such file".to_owned())
    });
    let missing = missing.unwrap();
    assert!(missing.images.is_empty() && missing.materials[0].texture.is_none());
    let note = missing.notes.iter().find(|note| note.contains("skin.png")).unwrap();
    assert!(note.contains("no such file") && note.contains("copy the image"), "{note}");
    assert_eq!(asked[..2], ["../maps/skin.png", "skin.png"]);
    let beside = |uri: &str| if uri == "skin.png" { Ok(png()) } else { Err("no".to_owned()) };
    let found = import("a.fbx", &file.write(), &mut { beside }).unwrap();
    assert_eq!(found.images[0].rgba, [255, 0, 0, 255]);
    assert_eq!(found.materials[0].base_color, glam::Vec4::ONE);
    file.mesh.as_mut().unwrap().embedded = Some(base64::engine::general_purpose::STANDARD.encode(png()));
    let embedded = read(&file);
    assert_eq!(embedded.images[0].rgba, [255, 0, 0, 255]);
}

#[test]
fn clips_keep_names_length_and_curves() {
    let mut file = skinned();
    let curve = |axis, keys: &[(f64, f64)], flags| FbxCurve {
        node: 1,
        property: "Lcl Rotation",
        axis,
        keys: keys.to_vec(),
        flags,
    };
    file.clips = vec![
        FbxClip { name: "Turn".into(), length: 2.0, curves: vec![curve(2, &[(0.0, 0.0), (2.0, 180.0)], 4)] },
        // Keys beyond both ends of the clip.
        FbxClip { name: "Cut".into(), length: 1.0, curves: vec![curve(2, &[(-1.0, -90.0), (3.0, 270.0)], 4)] },
        FbxClip { name: "Step".into(), length: 1.0, curves: vec![curve(0, &[(0.0, 0.0), (0.5, 90.0)], 2)] },
        FbxClip { name: "Still".into(), length: 1.5, curves: vec![curve(0, &[(0.0, 30.0)], 4)] },
        // A name that occurs twice.
        FbxClip { name: "Turn".into(), length: 1.0, curves: vec![curve(0, &[(0.0, 0.0), (1.0, 45.0)], 4)] },
    ];
    let model = read(&file);
    let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert!(names[..4] == ["Turn", "Cut", "Step", "Still"] && names[4].starts_with("Turn"), "{names:?}");
    let chest = model.skeleton.find("Chest").unwrap();
    let rest = model.skeleton.rest_pose();
    let turn = |clip: usize, time: f32| {
        let mut pose = rest.clone();
        model.clips[clip].sample(time, &mut pose);
        let turned = rest.bones[chest].rotation.conjugate() * pose.bones[chest].rotation;
        let (axis, angle) = turned.to_axis_angle();
        angle.to_degrees() * axis.element_sum().signum()
    };
    let near = |got: f32, expected: f32| assert!((got - expected).abs() < 0.1, "{got}, not {expected}");
    near(turn(0, 0.5), 45.0);
    near(turn(0, 1.5), 135.0);
    near(turn(1, 0.0), 0.0);
    near(turn(1, 0.5), 45.0);
    near(turn(1, 1.0), 90.0);
    near(turn(2, 0.49), 0.0);
    near(turn(2, 0.51), 90.0);
    near(turn(3, 0.7), 30.0);
    for (clip, length) in [2.0, 1.0, 1.0, 1.5, 1.0].into_iter().enumerate() {
        near(model.clips[clip].duration, length);
    }
    // Keys are converted to metres too. Components without a curve are 0 in the clip.
    file.clips[0].curves[0] =
        FbxCurve { node: 0, property: "Lcl Translation", axis: 0, keys: vec![(0.0, 0.0), (2.0, 20.0)], flags: 4 };
    let model = read(&file);
    let mut pose = rest.clone();
    model.clips[0].sample(2.0, &mut pose);
    let hips = model.skeleton.find("Hips").unwrap();
    assert!(pose.bones[hips].translation.distance(Vec3::X * 0.2) < 1e-4, "{:?}", pose.bones[hips]);
}

#[test]
fn a_file_of_bones_and_clips_alone_opens() {
    let mut file = skinned();
    file.mesh = None;
    let curve = FbxCurve { node: 1, property: "Lcl Rotation", axis: 0, keys: vec![(0.0, 0.0), (1.0, 60.0)], flags: 8 };
    file.clips = vec![FbxClip { name: "Nod".into(), length: 1.0, curves: vec![curve] }];
    let model = read(&file);
    assert_eq!((model.skeleton.len(), model.meshes.len(), model.clips.len()), (2, 0, 1));
}

#[test]
fn names_are_kept() {
    let named = |name: &str, parent| FbxNode::new(name, parent, &[("Lcl Translation", &[0.0, 1.0, 0.0])]);
    let nodes =
        vec![named("mixamorig:Hips", None), named("Bone", Some(0)), named("Bone", Some(0)), named("骨", Some(1))];
    let model = read(&FbxFile { nodes, ..FbxFile::default() });
    let names: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names[0], "mixamorig:Hips");
    assert!(names.contains(&"骨") && names.iter().filter(|name| name.starts_with("Bone")).count() == 2, "{names:?}");
}

#[test]
fn an_export_is_valid_and_says_that_it_was_converted() {
    let source = Source::read("built.fbx", &skinned().write(), &mut |uri| Err(uri.to_owned())).unwrap();
    let (glb, notes) = source.to_glb().unwrap();
    assert_eq!(notes, ["the model was converted to binary glTF"]);
    let again = import("again.glb", &glb, &mut |uri| Err(uri.to_owned())).unwrap();
    assert_eq!(again.skeleton, read(&skinned()).skeleton);
}

#[test]
fn broken_files_are_refused_with_a_cure() {
    let whole = skinned().write();
    assert!(refusal(b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0").contains("export"));
    assert!(refusal(b"Kaydara FBX Binary").contains("export"));
    // Some programs turn zero bytes into spaces.
    assert!(refusal(b"Kaydara FBX Binary   \x1a \xe8\x1c  \x01   ").contains("copied as text"));
    assert!(refusal(&whole[..200]).contains(';'));
    let far = FbxNode::new("far", None, &[("Lcl Translation", &[1e40, 0.0, 0.0])]);
    let message = refusal(&FbxFile { nodes: vec![far], ..FbxFile::default() }.write());
    assert!(message.contains("far") && message.contains("export"), "{message}");
}

#[test]
fn a_real_character_has_its_roles() {
    let Some(shared) = shared("") else { return };
    let folder = shared.join("models");
    let file = "Female_Adult_01.fbx";
    let model = import_bytes(file, &std::fs::read(folder.join(file)).unwrap(), &folder).unwrap();
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("ground_truth.json")).unwrap()).unwrap();
    let detection = doctor(&model);
    println!(
        "{} bones, {} m, {:?}, {} clips, {} vertices; {:#?}",
        model.skeleton.len(),
        detection.height,
        detection.reference_kind,
        model.clips.len(),
        model.meshes.iter().map(|mesh| mesh.positions.len()).sum::<usize>(),
        model.notes
    );
    let misses = misses(&model, &detection, &truth[file]);
    assert!(misses.is_empty(), "{misses:#?}");
    assert!((1.5..2.0).contains(&detection.height), "{} m", detection.height);
    assert!(detection.up == Vec3::Y && detection.facing.dot(Vec3::Z) > 0.95, "{} {}", detection.up, detection.facing);
}

/// Changes a file: bytes are replaced, removed, inserted, repeated or cut off.
fn mutate(bytes: &mut Vec<u8>, edits: &[(usize, u8, u8)]) {
    for &(at, byte, kind) in edits {
        if bytes.is_empty() {
            return;
        }
        let at = at % bytes.len();
        match kind % 4 {
            0 => bytes[at] = byte,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, byte),
            _ if byte < 16 => bytes.truncate(at),
            _ => {
                let end = (at + usize::from(byte)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}

property! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A mutated file is read or refused in one line, and what is read exports again.
    #[test]
    fn mutated_files_never_panic(
        edits in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..12),
        digits in prop::collection::vec((any::<usize>(), 0_u8..10), 0..12),
    ) {
        let mut file = skinned();
        let curve = |axis, flags| FbxCurve {
            node: 1, property: "Lcl Rotation", axis, keys: vec![(0.0, 0.0), (1.0, 60.0)], flags,
        };
        let weight = FbxCurve { node: 0, property: "DeformPercent", ..curve(0, 4) };
        file.clips = vec![FbxClip { name: "Nod".into(), length: 1.0, curves: vec![curve(0, 4), curve(1, 8), weight] }];
        let mesh = file.mesh.as_mut().unwrap();
        mesh.texture = Some("skin.png".to_owned());
        let targets = vec![(50.0, vec![2], vec![[0.0, 1.0, 0.0]]), (100.0, vec![2, 3], vec![[0.0, 2.0, 0.0]; 2])];
        mesh.shapes = vec![FbxShape { name: "Smile".into(), percent: 25.0, targets }];
        let mut bytes = file.write();
        // Changes only digits: the syntax stays valid, so the reader meets wrong numbers and links to wrong objects.
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        for (at, digit) in digits {
            bytes[places[at % places.len()]] = b'0' + digit;
        }
        if edits.len().is_multiple_of(2) {
            mutate(&mut bytes, &edits);
        }
        match import("built.fbx", &bytes, &mut |uri| Err(uri.to_owned())) {
            Ok(_) => {
                let source = Source::read("built.fbx", &bytes, &mut |uri| Err(uri.to_owned())).unwrap();
                let (glb, _) = source.to_glb().unwrap();
                prop_assert!(import("again.glb", &glb, &mut |uri| Err(uri.to_owned())).is_ok());
            }
            Err(error) => {
                let line = error.to_string();
                prop_assert!(line.starts_with("built.fbx") && !line.contains('\n'), "{line}");
            }
        }
    }
}

#[test]
fn mutated_real_files_never_panic() {
    let Some(shared) = shared("models") else { return };
    let whole = std::fs::read(shared.join("Female_Adult_01.fbx")).unwrap();
    let mut random = xorshift(20_261_125);
    for _ in 0..24 {
        let mut bytes = whole.clone();
        for _ in 0..6 {
            // About half of the edits are limited to the first 100,000 bytes.
            let room = if random().is_multiple_of(2) { bytes.len() } else { bytes.len().min(100_000) };
            let at = random() as usize % room;
            bytes[at] = random() as u8;
        }
        if let Err(error) = import("real.fbx", &bytes, &mut |uri| Err(uri.to_owned())) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}

fn xorshift(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}
