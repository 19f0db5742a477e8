//! The built-in characters: the committed files match the output of their generator except for rounding, and the
//! mannequin is well-formed.

#[path = "../../../../assets/make_biped/mod.rs"]
mod make_biped;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use glam::{Mat4, Vec3};
use kinescope_ik::animation::TrackValues;
use kinescope_ik::rig::ModelPose;
use make_biped::{Character, bones, skin};
use serde_json::Value;

use crate::common::gltf::Glb;

fn character() -> &'static Character {
    static CHARACTER: OnceLock<Character> = OnceLock::new();
    CHARACTER.get_or_init(make_biped::character)
}

fn position(name: &str) -> Vec3 {
    let character = character();
    character.rest.position(character.skeleton.find(name).unwrap_or_else(|| panic!("no bone {name}")))
}

/// Asserts that two JSON values are equal; numbers may differ by 1e-5.
fn assert_alike(a: &Value, b: &Value) {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-5, "{a} is not {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len());
            a.iter().zip(b).for_each(|(a, b)| assert_alike(a, b));
        }
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()));
            a.values().zip(b.values()).for_each(|(a, b)| assert_alike(a, b));
        }
        _ => assert_eq!(a, b),
    }
}

#[test]
fn the_committed_files_match_the_generator() {
    assert_made("biped", &make_biped::glb::encode(character()));
    let faun = make_biped::faun::character(character());
    assert_made("faun", &make_biped::glb::encode(&faun));
    // The faun's hand is where the mannequin's is; its foot bone, which begins at the hock, is higher.
    let other = |name: &str| faun.rest.position(faun.skeleton.find(name).unwrap());
    assert!(other("left_hand").distance(position("left_hand")) < 1e-5);
    assert!(other("left_foot").y > 3.0 * position("left_foot").y);
    let low = faun.mesh.positions.iter().map(|point| point.y).fold(f32::MAX, f32::min);
    assert!(low.abs() < 0.02, "stands on the ground: {low}");
}

fn assert_made(name: &str, made: &[u8]) {
    let committed = std::fs::read(format!("{}/../../assets/{name}.glb", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(committed.len() < 1_000_000, "{} bytes", committed.len());
    if committed == made {
        return;
    }
    let [Glb { root: committed, bytes: old }, Glb { root: made, bytes: new }] = [&committed[..], made].map(Glb::read);
    assert_alike(&committed, &made);
    assert_eq!(old.len(), new.len());
    for accessor in made["accessors"].as_array().unwrap() {
        let view = &made["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let [from, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        let (old, new) = (&old[from..from + length], &new[from..from + length]);
        if accessor["componentType"] != 5126 {
            assert_eq!(old, new);
            continue;
        }
        let floats =
            |bytes: &[u8]| -> Vec<f32> { bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect() };
        for (old, new) in floats(old).into_iter().zip(floats(new)) {
            // Platforms round sines differently; in a baked rotation the difference grows to about 5e-5.
            assert!((old - new).abs() <= 2e-4, "{old} is not {new}");
        }
    }
}

#[test]
fn the_mesh_is_one_closed_surface() {
    let mesh = &character().mesh;
    let vertices = mesh.positions.len();
    assert!((6_000..=16_000).contains(&vertices), "{vertices} vertices");
    // Every directed edge appears once, and once in the other direction.
    let mut edges = BTreeMap::new();
    for &[a, b, c] in &mesh.triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    for (&(a, b), &count) in &edges {
        assert_eq!((count, edges.get(&(b, a))), (1, Some(&1)), "edge {a}–{b}");
    }
    // Euler's formula for a closed surface without handles, such as webs between fingers.
    assert_eq!(vertices as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64, 2);
    let (low, high) = mesh.positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
    assert!(low.y.abs() < 0.002 && (high.y - 1.80).abs() < 0.01, "from {} to {}", low.y, high.y);
}

#[test]
fn the_triangles_are_even_and_the_normals_outward() {
    let mesh = &character().mesh;
    for triangle in &mesh.triangles {
        let corners = triangle.map(|vertex| mesh.positions[vertex as usize]);
        for corner in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
            assert!((b - a).angle_between(c - a).to_degrees() > 15.0, "a sliver at {a}");
        }
    }
    let volume: f32 = mesh
        .triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((0.05..0.10).contains(&volume), "{volume} m³");
    assert!(mesh.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-4));
}

#[test]
fn the_weights_sum_to_one() {
    let character = character();
    for (joints, weights) in character.mesh.joints.iter().zip(&character.mesh.weights) {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(weights.iter().all(|&weight| (0.0..=1.0).contains(&weight)));
        assert!(joints.iter().all(|&joint| usize::from(joint) < character.skeleton.len()));
    }
}

#[test]
fn a_finger_follows_no_other_finger() {
    let character = character();
    let name = |joint: u8| &character.skeleton.bones()[usize::from(joint)].name;
    let finger = |name: &str| {
        let finger = name.strip_suffix(['1', '2', '3'])?.strip_suffix('_')?;
        finger.starts_with("left_").then_some(()).or(finger.starts_with("right_").then_some(()))?;
        Some(finger.to_owned())
    };
    for (joints, weights) in character.mesh.joints.iter().zip(&character.mesh.weights) {
        let moved = joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0);
        let mut fingers: Vec<String> = moved.filter_map(|(&joint, _)| finger(name(joint))).collect();
        fingers.dedup();
        assert!(fingers.windows(2).all(|pair| pair[0] == pair[1]), "{fingers:?}");
    }
}

#[test]
fn the_skeleton_is_symmetric() {
    let character = character();
    assert!((50..=70).contains(&character.skeleton.len()));
    for (bone, twin) in skin::mirror_bones(&character.skeleton).into_iter().enumerate() {
        let (ours, theirs) = (character.rest.bones[bone], character.rest.bones[twin]);
        assert!(bones::mirror_point(ours.position).distance(theirs.position) < 1e-5);
        assert!(bones::mirror_rotation(ours.rotation).dot(theirs.rotation).abs() > 1.0 - 1e-6);
    }
    assert_eq!(character.skeleton.find("root"), Some(0));
    assert_eq!(position("root"), Vec3::ZERO);
}

#[test]
fn the_mesh_is_symmetric() {
    let character = character();
    let mirror = skin::mirror_bones(&character.skeleton);
    let mesh = &character.mesh;
    let key = |p: Vec3| p.to_array().map(|value| (value + 0.0).to_bits());
    let at: BTreeMap<_, _> = mesh.positions.iter().enumerate().map(|(vertex, &point)| (key(point), vertex)).collect();
    for (vertex, &point) in mesh.positions.iter().enumerate().filter(|(_, point)| point.x > 0.0) {
        let twin = at[&key(bones::mirror_point(point))];
        assert_eq!(mesh.weights[vertex], mesh.weights[twin]);
        for place in 0..4 {
            let joint = usize::from(mesh.joints[vertex][place]);
            assert_eq!(mirror[joint], usize::from(mesh.joints[twin][place]));
        }
    }
}

#[test]
fn the_limbs_rest_a_little_bent_the_right_way() {
    for side in ["left", "right"] {
        let at = |name: &str| position(&format!("{side}_{name}"));
        let knee = (at("calf") - at("thigh"), at("foot") - at("calf"));
        let elbow = (at("forearm") - at("upper_arm"), at("hand") - at("forearm"));
        for (upper, lower) in [knee, elbow] {
            let bend = upper.angle_between(lower).to_degrees();
            assert!((3.0..=15.0).contains(&bend), "{side}: {bend}°");
        }
        let off = |from: Vec3, joint: Vec3, to: Vec3| {
            joint - (from + (to - from).normalize() * (joint - from).dot((to - from).normalize()))
        };
        assert!(off(at("thigh"), at("calf"), at("foot")).z > 0.0, "the knee is in front");
        assert!(off(at("upper_arm"), at("forearm"), at("hand")).z < 0.0, "the elbow is behind");
        let arm = at("hand") - at("upper_arm");
        assert!(((-arm.y).atan2(arm.x.abs()).to_degrees() - 45.0).abs() < 5.0, "an A-pose");
    }
}

fn poses(clip: &kinescope_ik::animation::Clip, steps: usize) -> impl Iterator<Item = ModelPose> {
    let skeleton = &character().skeleton;
    (0..=steps).map(move |step| {
        let mut local = skeleton.rest_pose();
        clip.sample(clip.duration * step as f32 / steps as f32, &mut local);
        ModelPose::from_local(skeleton, &local)
    })
}

#[test]
fn the_clips_loop() {
    let names: Vec<&str> = character().clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["idle", "walk", "run", "reach", "lean"]);
    for clip in &character().clips {
        for track in &clip.tracks {
            match &track.values {
                TrackValues::Translation(values) | TrackValues::Scale(values) => {
                    assert_eq!(values.first(), values.last(), "{}", clip.name);
                }
                TrackValues::Rotation(values) => {
                    assert!(values[0].dot(values[values.len() - 1]).abs() > 1.0 - 1e-6, "{}", clip.name);
                }
            }
        }
        // At the seam, bones change their velocities hardly more than elsewhere in the clip.
        let steps = 60;
        let poses: Vec<ModelPose> = poses(clip, steps).collect();
        let interval = clip.duration / steps as f32;
        let change_at = |step: usize| {
            let at = |bone: usize, step: usize| poses[step % steps].position(bone);
            let velocity = |bone: usize, step: usize| (at(bone, step + 1) - at(bone, step)) / interval;
            let bones = 0..character().skeleton.len();
            bones.map(|bone| velocity(bone, step + 1).distance(velocity(bone, step))).fold(0.0, f32::max)
        };
        let elsewhere = (0..steps - 2).map(change_at).fold(0.0, f32::max);
        for step in [steps - 2, steps - 1] {
            assert!(change_at(step) <= elsewhere * 1.05 + 0.01, "{}: {} m/s", clip.name, change_at(step));
        }
    }
}

#[test]
fn no_clip_sinks_into_the_ground_or_bends_backwards() {
    let character = character();
    let mesh = &character.mesh;
    let unbind: Vec<Mat4> =
        (0..character.skeleton.len()).map(|bone| character.rest.model_from_bone(bone).inverse()).collect();
    for clip in &character.clips {
        for (step, pose) in poses(clip, 45).enumerate() {
            let skin: Vec<Mat4> = (0..unbind.len()).map(|bone| pose.model_from_bone(bone) * unbind[bone]).collect();
            for (vertex, &point) in mesh.positions.iter().enumerate().filter(|(_, point)| point.y < 0.15) {
                let moved: Vec3 = (0..4)
                    .map(|place| {
                        let joint = usize::from(mesh.joints[vertex][place]);
                        skin[joint].transform_point3(point) * mesh.weights[vertex][place]
                    })
                    .sum();
                assert!(moved.y > -0.005, "{} at {step}: {point} is at {moved}", clip.name);
            }
            for side in ["left", "right"] {
                for (name, sign) in [("calf", -1.0), ("forearm", 1.0)] {
                    let bone = character.skeleton.find(&format!("{side}_{name}")).unwrap();
                    let above = character.skeleton.parent(bone).unwrap();
                    let local = pose.bones[above].to_local(&pose.bones[bone]).rotation;
                    let flexed = 2.0 * local.x.atan2(local.w) * sign;
                    assert!((0.0..2.7).contains(&flexed), "{} at {step}: {side} {name} {flexed}", clip.name);
                }
            }
        }
    }
}

#[test]
fn a_standing_foot_moves_with_the_ground() {
    for (name, from, to, speed) in [("walk", 0.14, 0.32, 1.0), ("run", 0.07, 0.15, 1.72 / 0.7)] {
        let clip = character().clips.iter().find(|clip| clip.name == name).unwrap();
        let foot = character().skeleton.find("left_foot").unwrap();
        let at = |phase: f32| {
            let mut local = character().skeleton.rest_pose();
            clip.sample(clip.duration * phase, &mut local);
            ModelPose::from_local(&character().skeleton, &local).position(foot)
        };
        let moved = (at(to) - at(from)) / (clip.duration * (to - from));
        assert!((moved.z + speed).abs() < 0.05, "{name}: {moved}");
        assert!(moved.x.abs() < 0.02 && moved.y.abs() < 0.05, "{name}: {moved}");
    }
}
