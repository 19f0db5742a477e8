//! Tests of `src/character`.

use std::sync::Arc;

use glam::Vec3;

use kinescope::character::Character;
use kinescope_ik::rig::ModelPose;

#[test]
fn a_character_without_a_biped_is_bounded_by_its_meshes() {
    let mut character = Character::built_in().unwrap();
    character.rig.full_body = Err("no biped".to_owned());
    let mut pose = ModelPose::from_local(&character.model.skeleton, &character.rest);
    let model = Arc::make_mut(&mut character.model);
    let used = |bone: usize| model.meshes.iter().any(|mesh| mesh.joints.iter().any(|own| own.bone == Some(bone)));
    let spare = (0..pose.bones.len()).find(|&bone| !used(bone)).unwrap_or(0);
    pose.bones[spare].position = Vec3::splat(500.0);
    let mut backdrop = model.meshes[0].clone();
    backdrop.joints.iter_mut().for_each(|joint| joint.bone = None);
    backdrop.positions.iter_mut().for_each(|at| *at *= 300.0);
    model.meshes.push(backdrop);
    let (center, radius) = character.bounds(&pose);
    assert!(radius < 2.0 && center.length() < 2.0, "{center} {radius}");
    pose.bones.iter_mut().for_each(|bone| bone.position += Vec3::X * 40.0);
    assert!((character.bounds(&pose).0.x - center.x - 40.0).abs() < 0.1);
    Arc::make_mut(&mut character.model).meshes.clear();
    assert!(character.bounds(&pose).1 > 200.0);
}

#[test]
fn a_displayed_length_agrees_with_the_length_and_the_gap_beside_it() {
    let character = Character::built_in().unwrap();
    let [far, arm] = [0.64144f32, 0.53996];
    assert_eq!([far, arm].map(|length| character.length(length)), ["641.4 mm", "540.0 mm"]);
    assert_eq!(character.length(far - arm), "101.5 mm");
    assert_eq!(character.length_beside(far, arm, far - arm), "641.5 mm");
    assert_eq!(character.length_beside(far, arm, 0.2), "641.4 mm");
    // A limb that folds only to 540.0 mm misses a nearer target.
    let near = arm - (far - arm);
    assert_eq!(character.length_beside(near, arm, far - arm), "438.5 mm");
}

#[test]
fn a_biped_without_a_mesh_is_bounded_by_its_capsules() {
    let mut character = Character::built_in().unwrap();
    Arc::make_mut(&mut character.model).meshes.clear();
    let pose = ModelPose::from_local(&character.model.skeleton, &character.rest);
    let (center, radius) = character.bounds(&pose);
    let drawn = character.drawn();
    let mut points = Vec::new();
    drawn.meshes.iter().for_each(|mesh| character.skin(mesh, &pose, &mut points));
    assert!(points.len() > 100 && radius < character.height, "{radius}");
    assert!(points.iter().all(|point| point.distance(center) <= radius * 1.0001), "{center} {radius}");
}

mod body {
    use glam::Vec3;

    use kinescope::character::Character;
    use kinescope::character::body::capsules;
    use kinescope_ik::rig::ModelPose;

    #[test]
    fn capsules_lie_along_the_bones_and_face_outwards() {
        let character = Character::built_in().unwrap();
        let (skeleton, biped) = (&character.model.skeleton, character.detection.biped.as_ref().unwrap());
        let rest = ModelPose::from_local(skeleton, &character.rest);
        let mesh = capsules(skeleton, &rest, Some(biped), character.height).unwrap();
        assert!(mesh.joints.iter().all(
            |joint| joint.bone.unwrap() == biped.pelvis || skeleton.is_ancestor(biped.pelvis, joint.bone.unwrap())
        ));
        for limb in &biped.limbs {
            for bone in &limb.bones[..2] {
                assert!(mesh.joints.iter().any(|joint| joint.bone == Some(*bone)), "{bone}");
            }
        }
        let top = mesh.positions.iter().map(|at| at.y).fold(f32::MIN, f32::max);
        assert!((top / character.height - 1.0).abs() < 0.08, "{top} of {}", character.height);
        for triangle in mesh.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| triangle[corner] as usize);
            // The triangles at the poles are degenerate.
            let across = (mesh.positions[b] - mesh.positions[a]).cross(mesh.positions[c] - mesh.positions[a]);
            assert!(across.dot(mesh.normals[a] + mesh.normals[b] + mesh.normals[c]) >= -1e-7);
        }
    }

    #[test]
    fn bones_of_no_length_get_no_capsule() {
        let character = Character::built_in().unwrap();
        let mut rest = ModelPose::from_local(&character.model.skeleton, &character.rest);
        rest.bones.iter_mut().for_each(|bone| bone.position = Vec3::ONE);
        assert_eq!(capsules(&character.model.skeleton, &rest, None, character.height), None);
    }
}

mod body_mesh {
    use glam::{Mat4, Quat, Vec3};

    use kinescope::character::Character;
    use kinescope::character::body_mesh::{fit, plain};
    use kinescope_ik::rig::{Mesh, ModelPose, RigidTransform};

    fn skinned(meshes: &[Mesh], pose: &ModelPose) -> Vec<Vec3> {
        let at = |mesh: &Mesh, vertex: usize| -> Vec3 {
            let joints = mesh.vertex_joints[vertex].into_iter().zip(mesh.vertex_weights[vertex]);
            let moved = joints.filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| {
                let joint = mesh.joints[usize::from(joint)];
                let bone = joint.bone.map_or(Mat4::IDENTITY, |bone| pose.model_from_bone(bone));
                (bone * joint.bone_from_mesh).transform_point3(mesh.positions[vertex]) * weight
            });
            moved.sum()
        };
        meshes.iter().flat_map(|mesh| (0..mesh.positions.len()).map(move |vertex| at(mesh, vertex))).collect()
    }

    fn recorded(change: impl Fn(usize, RigidTransform) -> RigidTransform) -> (Character, ModelPose) {
        let own = Character::built_in().unwrap();
        let rest = ModelPose::from_local(&own.model.skeleton, &own.rest);
        let bones = rest.bones.iter().enumerate().map(|(bone, &rigid)| change(bone, rigid)).collect();
        let pose = ModelPose::rigid(bones);
        let biped = own.detection.biped.clone();
        (Character::from_bones("hero", &own.model.skeleton, biped, &pose.bones, None, &pose), pose)
    }

    #[test]
    fn the_mesh_of_the_same_model_is_bound_as_it_was() {
        let (hero, _) = recorded(|_, rigid| rigid);
        let own = Character::built_in().unwrap();
        let body = fit(Character::built_in().unwrap(), &hero).unwrap();
        assert_eq!(body.meshes, own.model.meshes);
        assert!(body.fit.is_whole() && body.fit.scale == 1.0, "{:?}", body.fit);
    }

    #[test]
    fn other_axes_and_another_size_come_to_the_same_shape() {
        let turn = |bone: usize| Quat::from_euler(glam::EulerRot::XYZ, 0.7 * bone as f32, 1.1, 2.0 + bone as f32);
        // The recording is in centimetres, each bone has other axes, and the character faces +x.
        let about = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let (hero, pose) = recorded(|bone, rigid| RigidTransform {
            position: about * rigid.position * 100.0,
            rotation: about * rigid.rotation * turn(bone),
        });
        let own = Character::built_in().unwrap();
        let rest = ModelPose::from_local(&own.model.skeleton, &own.rest);
        let wanted = skinned(&own.model.meshes, &rest);
        let body = fit(Character::built_in().unwrap(), &hero).unwrap();
        assert!(body.fit.has_other_axes && (body.fit.scale - 100.0).abs() < 0.01, "{:?}", body.fit);
        for (found, wanted) in skinned(&body.meshes, &pose).into_iter().zip(wanted) {
            // The facings of model and recording are detected by different means, so 1 % of the height is allowed.
            assert!(found.distance(about * wanted * 100.0) < 1.8, "{found} for {wanted}");
        }
    }

    #[test]
    fn names_match_whatever_exporters_made_of_them() {
        assert_eq!(plain("mixamorig:LeftUpLeg"), plain("left_up.leg"));
        assert_eq!(plain("Armature|Hips"), plain("hips"));
        assert_ne!(plain("spine_01"), plain("spine_02"));
    }
}

mod motion_file {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    use kinescope::character::motion_file::{MotionSource, RetargetedMotion};
    use kinescope::character::{BuiltIn, Character};
    use kinescope_ik::rig::detect::{MappedBones, Mapping, ReferenceChoice};
    use kinescope_ik::rig::{Interpolation, Morph, MorphTrack, Role};

    fn faun() -> Arc<MotionSource> {
        Arc::new(MotionSource::of(&Character::from_built_in(BuiltIn::Faun).unwrap()).unwrap())
    }

    fn made(character: &Character, path: f32) -> (RetargetedMotion, usize) {
        let mut done = Vec::new();
        let mut progress = |part: f32| done.push(part);
        let made = {
            let mut work = pin!(RetargetedMotion::make_in_slices(faun(), character, path, &mut progress));
            let mut slices = 1;
            loop {
                match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(made) => break (made, slices),
                    Poll::Pending => slices += 1,
                }
            }
        };
        assert!(done.is_sorted() && done.first() == Some(&0.0) && done.last() == Some(&1.0), "{done:?}");
        made
    }

    #[test]
    fn clips_are_retargeted_in_slices() {
        let mut at_once = Character::built_in().unwrap();
        let own = at_once.model.clips.len();
        let (motion, slices) = made(&at_once, 1.0);
        let keys: usize = motion.clips.iter().map(|clip| clip.tracks[0].times.len()).sum();
        assert!(slices > keys / 16, "{keys} keys in {slices} slices");
        at_once.add_motion(faun()).unwrap();
        let mut in_slices = Character::built_in().unwrap();
        let (motion, _) = made(&in_slices, 1.0);
        in_slices.take_motion(motion).unwrap();
        assert!(in_slices.model.clips.len() > own);
        assert_eq!(in_slices.model.clips, at_once.model.clips);
        assert!(in_slices.rig.clip_ranges().is_some());
        assert_eq!(in_slices.rig.clip_ranges(), at_once.rig.clip_ranges());
        assert_eq!(in_slices.motion.as_ref().unwrap().strides().len(), in_slices.model.clips.len() - own);
        assert_eq!(in_slices.measured().unwrap().strides, at_once.measured().unwrap().strides);
        assert!(!in_slices.fit_motion(1.0) && in_slices.fit_motion(0.5));
        at_once.fit_motion(0.5);
        assert_eq!(in_slices.measured().unwrap().strides, at_once.measured().unwrap().strides);
    }

    #[test]
    fn morph_targets_are_carried_by_name_and_missing_ones_are_noted() {
        let morph = |name: &str, targets: &[&str]| Morph {
            name: name.to_owned(),
            targets: targets.iter().map(|&target| target.to_owned()).collect(),
            weights: vec![0.0; targets.len()],
        };
        let mut faun = Character::from_built_in(BuiltIn::Faun).unwrap();
        let model = Arc::make_mut(&mut faun.model);
        model.morphs = vec![morph("face", &["frown", "smile"])];
        let values = vec![0.1, 0.2, 0.3, 0.4];
        let track = MorphTrack { morph: 0, interpolation: Interpolation::Linear, times: vec![0.0, 0.5], values };
        model.clips[0].morphs = vec![track.clone()];
        let mut character = Character::built_in().unwrap();
        let own = character.model.clips.len();
        Arc::make_mut(&mut character.model).morphs = vec![morph("cape", &["wind"]), morph("head", &["smile"])];
        character.add_motion(Arc::new(MotionSource::of(&faun).unwrap())).unwrap();
        let clip = &character.model.clips[own];
        assert_eq!(clip.morphs, [MorphTrack { morph: 1, values: vec![0.2, 0.4], ..track }]);
        let note = clip.skipped.last().unwrap();
        assert!(note.contains("\"frown\"") && !note.contains("smile"), "{note}");
        assert!(character.model.clips[own + 1].morphs.is_empty());
    }

    #[test]
    fn clips_made_for_other_roles_are_retargeted_again() {
        let mut character = Character::built_in().unwrap();
        let (motion, _) = made(&character, 1.0);
        let hand = MappedBones(vec!["left_index_1".to_owned()]);
        let mapping = Mapping { roles: [(Role::LeftHand, hand)].into(), ..Mapping::default() };
        assert!(character.remap(&mapping, ReferenceChoice::Auto));
        let mut at_once = character.copy();
        at_once.add_motion(faun()).unwrap();
        character.take_motion(motion).unwrap();
        assert_eq!(character.model.clips, at_once.model.clips);
    }
}

mod preset_model {
    use std::path::Path;

    use kinescope::character::Character;
    use kinescope::character::preset_model::{PresetModel, relative, skeleton_hash};
    use kinescope_ik::rig::{Bone, Skeleton};

    #[test]
    fn paths_are_relative_to_the_preset() {
        let of = |model: &str, preset: &str| relative(Path::new(model), Path::new(preset));
        assert_eq!(of("/no/a/hero.glb", "/no/a/p.json").as_deref(), Some("hero.glb"));
        assert_eq!(of("/no/chars/hero.glb", "/no/poses/door/p.json").as_deref(), Some("../../chars/hero.glb"));
        assert_eq!(of("/no/a/b/hero.glb", "/no/a/p.json").as_deref(), Some("b/hero.glb"));
    }

    #[test]
    fn the_hash_is_of_names_and_parents_alone() {
        let own = Character::built_in().unwrap();
        let bones = own.model.skeleton.bones().to_vec();
        let hash = |bones: Vec<Bone>| skeleton_hash(&Skeleton::new(bones).unwrap());
        let is = hash(bones.clone());
        assert_eq!(is.len(), 16);
        let mut moved = bones.clone();
        moved[3].rest.translation.x += 1.0;
        assert_eq!(hash(moved), is);
        let mut renamed = bones.clone();
        renamed[3].name.push('x');
        let mut hung = bones;
        let last = hung.len() - 1;
        hung[last].parent = Some(0);
        assert!(hash(renamed) != is && hash(hung) != is);
    }

    /// A preset without a hash used to claim that the character has the same bones.
    #[test]
    fn only_a_preset_with_a_hash_says_whether_the_bones_are_the_same() {
        let own = Character::built_in().unwrap();
        let said = |skeleton: Option<String>| {
            let model = PresetModel { path: Some("hero.glb".to_owned()), name: "hero.glb".to_owned(), skeleton };
            model.difference(&own, Path::new("/no/p.json")).unwrap()
        };
        let [unknown, same, other] = [None, Some(skeleton_hash(&own.model.skeleton)), Some("0".repeat(16))].map(said);
        assert!(unknown.contains("not known") && !unknown.contains("has the same bones,"), "{unknown}");
        assert!(same.ends_with("whose bones have the same names and parents"), "{same}");
        assert!(other.contains("which has other bones"), "{other}");
    }
}

mod roles {
    use std::sync::Arc;

    use kinescope::character::motion_file::MotionSource;
    use kinescope::character::roles::Roles;
    use kinescope::character::{BuiltIn, Character};
    use kinescope_ik::rig::detect::{Mapping, ReferenceChoice};

    #[test]
    fn clips_are_measured_with_the_roles_and_again_if_they_are_retargeted() {
        let mut character = Character::built_in().unwrap();
        let measured = character.measured().unwrap();
        let own = measured.strides.len();
        assert_eq!(own, character.model.clips.len());
        assert!(Arc::ptr_eq(&measured, &character.measured().unwrap()), "nothing is left to measure");

        let faun = Character::from_built_in(BuiltIn::Faun).unwrap();
        character.add_motion(Arc::new(MotionSource::of(&faun).unwrap())).unwrap();
        let with_motion = character.measured().unwrap();
        assert_eq!(with_motion.strides.len(), character.model.clips.len());
        assert_eq!(with_motion.strides[..own], measured.strides[..]);
        let rest = character.rest.clone();
        let mut alone = (*measured).clone();
        alone.strides.clear();
        let walks = |clip: &usize| with_motion.strides[*clip].root.velocity.length() > 0.5;
        let walk = (own..with_motion.strides.len()).find(walks).expect("the faun walks");
        alone.measure(&character.model.skeleton, &rest, &character.model.clips[walk]);
        assert_eq!(alone.strides[0], with_motion.strides[walk]);

        let roles = Roles::find(&character.model, &Mapping::default(), ReferenceChoice::Bind);
        character.take_roles(roles);
        assert_eq!(character.walker.as_ref().unwrap().strides.len(), own);
        assert_eq!(character.measured().unwrap().strides.len(), character.model.clips.len());
    }
}
