//! Retargeting between the built-in character and characters made from it.

use glam::{Quat, Vec3};
use kinescope_ik::retarget::{Actor, Map, Roles, Sampler};
use kinescope_ik::rig::{
    Bone, LimbName, LocalPose, Mapping, ModelPose, ReferenceChoice, RigidTransform, Role, Skeleton, detect, import,
};
use proptest::prelude::*;
use serde_json::json;

use crate::allocation::allocations;
use crate::common::built_in::{BYTES, built_in};
use crate::common::gltf::Glb;
use crate::common::property::property;

struct Figure {
    skeleton: Skeleton,
    rest: LocalPose,
    reference: Vec<RigidTransform>,
    roles: Roles,
    facing: Vec3,
}

impl Figure {
    fn new(bones: Vec<Bone>) -> Self {
        let skeleton = Skeleton::new(bones).unwrap();
        let rest = skeleton.rest_pose();
        let reference = ModelPose::from_local(&skeleton, &rest).bones;
        Self { skeleton, rest, reference, roles: Roles::of_biped(built_in().biped()), facing: built_in().found.facing }
    }

    fn built_in() -> Self {
        Self::changed(|_| {})
    }

    fn changed(change: impl Fn(&mut Bone)) -> Self {
        let mut bones = built_in().model.skeleton.bones().to_vec();
        bones.iter_mut().for_each(change);
        Self::new(bones)
    }

    fn scaled(by: f32) -> Self {
        Self::changed(|bone| bone.rest.translation *= by)
    }

    fn actor(&self) -> Actor<'_> {
        let Self { skeleton, rest, reference, roles, facing } = self;
        Actor { skeleton, roles, reference, rest, facing: *facing, humanoid: &[] }
    }

    fn bone(&self, name: &str) -> usize {
        self.skeleton.find(name).unwrap()
    }

    fn pose(&self, map: &Map, source: &[RigidTransform]) -> Vec<RigidTransform> {
        let mut pose = self.reference.clone();
        map.retarget(source, 1.0, &mut pose);
        pose
    }
}

/// Returns the poses of all clips of the built-in character, 30 per second.
fn poses() -> Vec<Vec<RigidTransform>> {
    let own = built_in();
    let mut sampler = Sampler::default();
    let rest = own.model.skeleton.rest_pose();
    let frames = own
        .model
        .clips
        .iter()
        .flat_map(|clip| (0..=(clip.duration * 30.0) as usize).map(move |frame| (clip, frame as f32 / 30.0)));
    frames.map(|(clip, time)| sampler.sample(clip, time, &own.model.skeleton, &rest).to_vec()).collect()
}

fn off(a: &RigidTransform, b: &RigidTransform) -> f32 {
    let turned = 2.0 * (a.rotation.conjugate() * b.rotation).xyz().length();
    a.position.distance(b.position).max(turned)
}

#[test]
fn a_skeleton_onto_itself_keeps_every_pose() {
    let own = Figure::built_in();
    let map = Map::new(&own.actor(), &own.actor()).unwrap();
    assert_eq!(map.scale(), 1.0);
    // The map pairs every bone below the root.
    assert_eq!(map.pairs().len(), own.reference.len() - 1);
    for source in poses() {
        for (bone, (a, b)) in own.pose(&map, &source).iter().zip(&source).enumerate() {
            assert!(off(a, b) < 1e-5, "{}: {}", own.skeleton.bones()[bone].name, off(a, b));
        }
    }
}

#[test]
fn a_clip_onto_the_same_skeleton_plays_the_same() {
    let (own, model) = (Figure::built_in(), &built_in().model);
    let map = Map::new(&own.actor(), &own.actor()).unwrap();
    let with = (&own.skeleton, &own.rest);
    for clip in &model.clips {
        let new = map.retarget_clip(clip, 1.0, with, with);
        assert_eq!((&new.name, new.duration), (&clip.name, clip.duration));
        let (mut a, mut b) = (Sampler::default(), Sampler::default());
        for frame in 0..=(clip.duration * 60.0) as usize {
            let time = frame as f32 / 60.0;
            let a = a.sample(clip, time, &own.skeleton, &own.rest);
            for (a, b) in a.iter().zip(b.sample(&new, time, &own.skeleton, &own.rest)) {
                assert!(off(a, b) < 1e-5, "{} at {time}: {}", clip.name, off(a, b));
            }
        }
    }
}

#[test]
fn characters_of_other_sizes_move_to_scale() {
    let own = Figure::built_in();
    for by in [0.7, 1.3] {
        let target = Figure::scaled(by);
        let map = Map::new(&own.actor(), &target.actor()).unwrap();
        assert!((map.scale() - by).abs() < 1e-5);
        for source in poses() {
            for (a, b) in target.pose(&map, &source).iter().zip(&source) {
                assert!(off(a, &RigidTransform { position: b.position * by, ..*b }) < 2e-5);
            }
            let places = map.places(&source);
            let feet = ["left_foot", "right_foot"].map(|name| source[own.bone(name)].position * by);
            let pelvis = source[own.bone("pelvis")].position * by;
            let goals = places.foot_goals(&RigidTransform::IDENTITY, pelvis).unwrap();
            assert!((0..2).all(|side| goals[side].distance(feet[side]) < 1e-5));
        }
    }
}

fn directions(figure: &Figure, pose: &[RigidTransform]) -> Vec<Vec3> {
    let ways = LimbName::ALL.into_iter().flat_map(|limb| {
        let [a, b, c] = figure.roles.limb(limb).unwrap().map(|bone| pose[bone].position);
        [b - a, c - b]
    });
    ways.map(Vec3::normalize).collect()
}

#[test]
fn limbs_point_the_same_way_from_another_rest_pose() {
    let target = Figure::built_in();
    let hang = |bone: &mut Bone| match bone.name.as_str() {
        "left_upper_arm" => bone.rest.rotation = Quat::from_rotation_z(-0.7) * bone.rest.rotation,
        "right_upper_arm" => bone.rest.rotation = Quat::from_rotation_z(0.7) * bone.rest.rotation,
        "left_thigh" => bone.rest.rotation = Quat::from_rotation_z(0.2) * bone.rest.rotation,
        "left_forearm" => bone.rest.rotation = Quat::from_rotation_y(0.3) * bone.rest.rotation,
        _ => {}
    };
    let source = Figure::changed(hang);
    let apart = |figure: &Figure, other: &[Vec3], pose: &[RigidTransform]| {
        let ways = directions(figure, pose);
        ways.into_iter().zip(other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    assert!(apart(&target, &directions(&source, &source.reference), &target.reference) > 0.5, "the rests differ");
    for (from, to) in [(&source, &target), (&target, &source)] {
        let map = Map::new(&from.actor(), &to.actor()).unwrap();
        let mut sampler = Sampler::default();
        for clip in &built_in().model.clips {
            for frame in 0..10 {
                let time = clip.duration * frame as f32 / 10.0;
                let pose = sampler.sample(clip, time, &from.skeleton, &from.rest);
                let found = apart(to, &directions(from, pose), &to.pose(&map, pose));
                assert!(found < 1e-4, "{}: {found}", clip.name);
            }
        }
        assert!(apart(to, &directions(from, &from.reference), &to.pose(&map, &from.reference)) < 1e-5);
    }
}

#[test]
fn a_source_that_faces_the_other_way_moves_the_character_forward() {
    let own = Figure::built_in();
    let about = Quat::from_rotation_y(std::f32::consts::PI);
    let mut turned = Figure::changed(|bone| {
        if bone.parent.is_none() {
            bone.rest.rotation = about * bone.rest.rotation;
            bone.rest.translation = about * bone.rest.translation;
        }
    });
    turned.facing = about * own.facing;
    let map = Map::new(&turned.actor(), &own.actor()).unwrap();
    for source in poses().iter().step_by(7) {
        let there: Vec<_> = source
            .iter()
            .map(|own| RigidTransform { position: about * own.position, rotation: about * own.rotation })
            .collect();
        for (bone, (a, b)) in own.pose(&map, &there).iter().zip(source).enumerate().skip(1) {
            assert!(off(a, b) < 1e-4, "{}: {}", own.skeleton.bones()[bone].name, off(a, b));
        }
    }
}

/// Returns the built-in character with `count` spine bones, one above the other, which share a length of 0.45 m.
fn with_spine(count: usize) -> Figure {
    let own = built_in();
    let pelvis = own.biped().pelvis;
    let mut bones = own.model.skeleton.bones()[..=pelvis].to_vec();
    for index in 0..count {
        let name = format!("back_{index}");
        let mut rest = own.model.skeleton.bones()[own.biped().spine[0]].rest;
        rest.translation = Vec3::Y * (0.45 / count as f32);
        bones.push(Bone { name, parent: Some(pelvis + index), rest });
    }
    let last = bones.len() - 1;
    // Everything above the spine, and the legs.
    let old = own.model.skeleton.bones();
    let spine = &own.biped().spine;
    let mut moved: Vec<usize> = (0..=pelvis).collect();
    moved.resize(old.len(), last);
    for index in pelvis + 1..old.len() {
        if !spine.contains(&index) {
            moved[index] = bones.len();
            bones.push(Bone { parent: old[index].parent.map(|parent| moved[parent]), ..old[index].clone() });
        }
    }
    let mut biped = own.biped().clone();
    biped.spine = (pelvis + 1..=last).collect();
    biped.head = biped.head.map(|head| moved[head]);
    for limb in &mut biped.limbs {
        limb.clavicle = limb.clavicle.map(|bone| moved[bone]);
        limb.bones = limb.bones.map(|bone| moved[bone]);
    }
    Figure { roles: Roles::of_biped(&biped), ..Figure::new(bones) }
}

#[test]
fn spines_of_other_lengths_bend_as_much() {
    let own = Figure::built_in();
    for count in [1, 2, 5] {
        let other = with_spine(count);
        let map = Map::new(&own.actor(), &other.actor()).unwrap();
        for source in poses().iter().step_by(5) {
            let pose = other.pose(&map, source);
            for role in [Role::Head, Role::LeftClavicle, Role::RightClavicle] {
                let [a, b] = [(&own, source), (&other, &pose)].map(|(figure, pose)| {
                    let bone = figure.roles.bone(role).unwrap();
                    pose[bone].rotation * figure.reference[bone].rotation.conjugate()
                });
                assert!(a.angle_between(b) < 2e-3, "{count} bones, {role:?}: {}", a.angle_between(b));
            }
            let turns: Vec<f32> = other
                .roles
                .all(Role::Spine)
                .windows(2)
                .map(|pair| {
                    let of = |bone: usize| pose[bone].rotation * other.reference[bone].rotation.conjugate();
                    of(pair[0]).angle_between(of(pair[1]))
                })
                .collect();
            assert!(turns.iter().all(|turn| *turn < 0.4), "{turns:?}");
        }
    }
}

#[test]
fn missing_roles_keep_their_rest() {
    let (own, found) = (Figure::built_in(), &built_in().found);
    let without = |missing: &[Role]| {
        let kept: Vec<_> = found.roles.iter().filter(|own| !missing.contains(&own.role)).cloned().collect();
        Figure { roles: Roles::of_findings(&kept), ..Figure::built_in() }
    };
    let partial = without(&[Role::Head, Role::LeftClavicle, Role::LeftThigh, Role::RightFoot, Role::Spine]);
    let map = Map::new(&partial.actor(), &own.actor()).unwrap();
    assert_eq!((map.scale(), map.places(&own.reference).feet), (1.0, None));
    for source in poses().iter().step_by(9) {
        let pose = own.pose(&map, source);
        assert!(pose.iter().all(RigidTransform::is_finite));
        let arm = own.bone("right_forearm");
        assert!(
            off(
                &RigidTransform { position: Vec3::ZERO, ..pose[arm] },
                &RigidTransform { position: Vec3::ZERO, ..source[arm] }
            ) < 1e-4
        );
    }
    let none = without(&[Role::Pelvis]);
    let error = Map::new(&none.actor(), &own.actor()).unwrap_err().to_string();
    assert_eq!(error, "source.roles.pelvis: has no bone; give the pelvis by hand");
    let error = Map::new(&own.actor(), &Actor { reference: &[], ..own.actor() }).unwrap_err().to_string();
    assert!(error.starts_with("target.reference"), "{error}");
}

fn float() -> BoxedStrategy<f32> {
    prop_oneof![
        3 => -3.0f32..3.0,
        1 => prop::num::f32::ANY,
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, 1e-45, 0.0]),
    ]
    .boxed()
}

fn bone() -> impl Strategy<Value = RigidTransform> {
    prop::array::uniform7(float()).prop_map(|[x, y, z, a, b, c, d]| RigidTransform {
        position: Vec3::new(x, y, z),
        rotation: Quat::from_xyzw(a, b, c, d),
    })
}

property! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any pose of the source, and any reference pose and facing of source or target, give a finite pose and finite
    /// places.
    #[test]
    fn any_source_gives_a_finite_pose(
        source in prop::collection::vec(bone(), 0..60),
        reference in prop::collection::vec(bone(), 60),
        facing in (float(), float(), float()),
        path in float(),
    ) {
        let own = Figure::built_in();
        let reference = reference[..own.reference.len()].to_vec();
        let hostile = Figure { reference, facing: facing.into(), ..Figure::built_in() };
        for (from, to) in [(&hostile, &own), (&own, &hostile)] {
            let map = Map::new(&from.actor(), &to.actor()).unwrap();
            let mut pose = to.reference.clone();
            map.retarget(&source, path, &mut pose);
            prop_assert!(pose.iter().all(RigidTransform::is_finite));
            prop_assert!(map.places(&source).is_sane());
        }
    }
}

/// A VRM animation has a humanoid map and a clip, but no mesh; the names of its nodes do not matter.
#[test]
fn a_vrm_animation_moves_the_character() {
    let mut file = Glb::read(BYTES);
    let mut bones = json!({});
    let rename = |name: &str| {
        let (side, rest) = name.split_once('_')?;
        let part = match rest {
            "clavicle" => "Shoulder",
            "upper_arm" => "UpperArm",
            "forearm" => "LowerArm",
            "hand" => "Hand",
            "thigh" => "UpperLeg",
            "calf" => "LowerLeg",
            "foot" => "Foot",
            "toes" => "Toes",
            "thumb_1" => "ThumbMetacarpal",
            "thumb_2" => "ThumbProximal",
            "thumb_3" => "ThumbDistal",
            "index_1" => "IndexProximal",
            "index_2" => "IndexIntermediate",
            "index_3" => "IndexDistal",
            _ => return None,
        };
        ["left", "right"].contains(&side).then(|| format!("{side}{part}"))
    };
    let torso = [
        ("pelvis", "hips"),
        ("spine_1", "spine"),
        ("spine_2", "chest"),
        ("spine_3", "upperChest"),
        ("neck", "neck"),
        ("head", "head"),
    ];
    for (index, node) in file.root["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
        let name = node["name"].as_str().unwrap().to_owned();
        let torso = torso.iter().find(|(own, _)| *own == name).map(|(_, vrm)| (*vrm).to_owned());
        if let Some(vrm) = torso.or_else(|| rename(&name)) {
            bones[vrm] = json!({ "node": index });
        }
        let node = node.as_object_mut().unwrap();
        ["name", "mesh", "skin"].iter().for_each(|key| drop(node.remove(*key)));
    }
    let root = file.root.as_object_mut().unwrap();
    ["meshes", "skins", "materials"].iter().for_each(|key| drop(root.remove(*key)));
    root.insert("extensionsUsed".to_owned(), json!(["VRMC_vrm_animation"]));
    let map = json!({ "VRMC_vrm_animation": { "specVersion": "1.0", "humanoid": { "humanBones": bones } } });
    root.insert("extensions".to_owned(), map);
    let model = import("walk.vrma", &file.write(), &mut |uri| Err(uri.to_owned())).unwrap();
    assert!(!model.notes.iter().any(|note| note.contains("VRMC_vrm_animation")), "{:?}", model.notes);
    let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
    let (roles, rest) = (Roles::of_findings(&found.roles), model.skeleton.rest_pose());
    let own = Figure::built_in();
    let map = Map::new(&Actor::of_model(&model, &found, &roles, &rest), &own.actor()).unwrap();
    let (mut sampler, mut same) = (Sampler::default(), Sampler::default());
    for (clip, known) in model.clips.iter().zip(&built_in().model.clips) {
        let pose = own.pose(&map, sampler.sample(clip, 0.3, &model.skeleton, &rest));
        let known = same.sample(known, 0.3, &own.skeleton, &own.rest);
        for name in ["pelvis", "head", "left_index_3", "right_hand", "left_foot", "right_toes"] {
            let bone = own.bone(name);
            assert!(off(&pose[bone], &known[bone]) < 1e-4, "{}, {name}: {}", clip.name, off(&pose[bone], &known[bone]));
        }
    }
}

#[test]
fn retargeting_a_pose_allocates_nothing() {
    let (own, target) = (Figure::built_in(), Figure::scaled(1.3));
    let map = Map::new(&own.actor(), &target.actor()).unwrap();
    let (mut sampler, mut pose) = (Sampler::default(), target.reference.clone());
    let clip = &built_in().model.clips[1];
    let mut solve = |time: f32| {
        let source = sampler.sample(clip, time, &own.skeleton, &own.rest);
        map.retarget(source, 1.0, &mut pose);
        std::hint::black_box(map.places(source));
    };
    solve(0.0);
    assert_eq!(allocations(|| solve(0.3)), 0);
}

mod feet {
    use std::sync::Arc;

    use kinescope_ik::capsule::CapsuleFrame;
    use kinescope_ik::debugger::slide::{Slide, slides};
    use kinescope_ik::debugger::tape::Tape;
    use kinescope_ik::grounding::{Legs, Side};
    use kinescope_ik::locomotion::{Contact, Walker};
    use kinescope_ik::retarget::SourcePose;
    use kinescope_ik::rig::{Clip, Detection, Model};
    use kinescope_ik::stack::{self, Frame, Input, LayerId, Memory, Method, Place, Rig, Stack, Tools};
    use kinescope_ik::stepped::{Cursor, Run};

    use super::*;

    const DT: f32 = 1.0 / 60.0;

    /// A character of another size or of other proportions that walks by the built-in character's clip.
    struct Walk {
        model: Model,
        rig: Rig,
        walker: Walker,
        map: Arc<Map>,
        parents: Arc<Vec<Option<usize>>>,
        stack: Arc<Stack>,
        memory: Memory,
        clip: Clip,
        time: f32,
        /// Speed over the ground, relative to the one at which feet do not slide.
        haste: f32,
    }

    /// Returns the built-in character in another size, with longer or shorter thighs relative to the calves.
    fn sized(by: f32, thighs: f32) -> (Model, Detection) {
        let mut model = built_in().model.clone();
        let length = |name: &str| if name.ends_with("_calf") { by * thighs } else { by };
        let mut bones = model.skeleton.bones().to_vec();
        bones.iter_mut().for_each(|bone| bone.rest.translation *= length(&bone.name));
        model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
        model.bind = None;
        // The skin of a bone grows about its joint.
        for joint in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.joints) {
            joint.bone_from_mesh = glam::Mat4::from_scale(Vec3::splat(by)) * joint.bone_from_mesh;
        }
        let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
        (model, found)
    }

    impl Walk {
        fn new(by: f32, thighs: f32, feet: f32, hands: f32) -> Self {
            let (model, found) = sized(by, thighs);
            let (own, biped) = (Figure::built_in(), found.biped.clone().unwrap());
            let rest = model.skeleton.rest_pose();
            let roles = Roles::of_findings(&found.roles);
            let map = Map::new(&own.actor(), &Actor::of_model(&model, &found, &roles, &rest)).unwrap();
            let walk = built_in().model.clips.iter().find(|clip| clip.name == "walk").unwrap().clone();
            let clip = map.retarget_clip(&walk, 1.0, (&own.skeleton, &own.rest), (&model.skeleton, &rest));
            let legs = Legs::new(&model, &biped, &found.reference, found.facing).unwrap();
            let reference = found.reference.bones.clone();
            let walker = Walker::new(&model.skeleton, &reference, &rest, std::slice::from_ref(&clip), legs);
            let rig = Rig::biped("sized", model.skeleton.clone(), &biped, reference).unwrap().with_legs(Some(legs));
            let mut stack = Stack::default();
            let settings = &mut stack.order.retarget;
            (settings.on, settings.feet, settings.hands) = (true, feet, hands);
            let parents = Arc::new(own.skeleton.bones().iter().map(|bone| bone.parent).collect());
            let (stack, map, memory) = (Arc::new(stack), Arc::new(map), Memory::default());
            Self { model, rig, walker, map, parents, stack, memory, clip: walk, time: 0.0, haste: 1.0 }
        }

        fn frame(&mut self) -> Frame {
            let own = Figure::built_in();
            let speed = self.walker.clip_speed(0) * self.haste;
            let facing = self.walker.legs.facing;
            let root = RigidTransform { position: facing * (speed * self.time), rotation: Quat::IDENTITY };
            let time = self.clip.wrap(self.time);
            let mut sampler = Sampler::default();
            let pose = sampler.sample(&self.clip, time, &own.skeleton, &own.rest).to_vec();
            let mut animated = ModelPose::from_local(&self.model.skeleton, &self.model.skeleton.rest_pose());
            self.map.retarget(&pose, 1.0, &mut animated.bones);
            let drift = self.walker.strides[0].drift(time);
            for bone in &mut animated.bones {
                bone.position += root.position - drift;
            }
            let curves = self.walker.strides[0].planted.as_ref().unwrap();
            let planted = [0, 1].map(|side: usize| curves[side].evaluate(time / self.clip.duration));
            let source = Some(self.map.places(&pose));
            let place = Place { root, dt: DT, planted, clip_time: time, source, ..Place::default() };
            let (map, parents) = (self.map.clone(), self.parents.clone());
            let source = Some(Arc::new(SourcePose { map, pose, parents, path: 1.0 }));
            let (stack, memory) = (self.stack.clone(), self.memory.clone());
            let input = Input { stack, animated: Arc::new(animated), source, foreign: Arc::default(), place, memory };
            let frame = stack::solve(&self.rig, Tools::default(), &input);
            assert_eq!(frame.problem(), None);
            self.memory = frame.memory.clone();
            self.time += DT;
            frame
        }

        fn slides(&mut self) -> Vec<Slide> {
            let mut tape = Tape::default();
            for _ in 0..240 {
                let frame = self.frame();
                let contacts = Side::ALL.map(|side| {
                    let sole = &self.walker.soles[side as usize];
                    let points = |pose: &[RigidTransform]| sole.points(pose);
                    Contact {
                        planted: frame.planted[side as usize],
                        animated: points(&frame.input.animated.bones),
                        solved: points(&frame.pose),
                        up: Vec3::Y,
                        height: 1.7,
                        ..Contact::default()
                    }
                });
                tape.record(DT, &frame, 0.0, Some(contacts));
            }
            slides(&tape, u64::MAX).into_iter().filter(|slide| slide.has_landed_since(0)).collect()
        }
    }

    /// Planted feet slide by at most 2 mm, also where the animated feet slide far.
    #[test]
    fn planted_feet_stay_at_every_size() {
        for (by, thighs, haste) in [(0.7, 1.0, 1.0), (1.3, 1.0, 1.0), (0.7, 1.15, 1.1), (1.3, 0.9, 0.9)] {
            let mut walk = Walk::new(by, thighs, 1.0, 0.0);
            walk.haste = haste;
            let found = walk.slides();
            assert!(found.len() >= 4, "{found:?}");
            for slide in &found {
                assert!(slide.solved < 0.002, "{by}, {thighs}, {haste}: {slide:?}");
            }
            assert!(haste == 1.0 || found.iter().any(|slide| slide.animated > 0.02), "{found:?}");
        }
    }

    #[test]
    fn the_steps_lead_to_the_animated_pose() {
        for (feet, hands) in [(0.0, 0.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.5)] {
            let mut walk = Walk::new(1.3, 1.0, feet, hands);
            for _ in 0..20 {
                walk.frame();
            }
            let frame = walk.frame();
            let run: &stack::RetargetRun = frame.run_of(LayerId::Retarget).unwrap();
            assert_eq!(run.steps(), 3 + if feet > 0.0 { 5 } else { 0 } + if hands > 0.0 { 2 } else { 0 });
            let given = frame.layer(LayerId::Retarget).unwrap().before.clone();
            assert_eq!(*given, frame.input.animated.bones);
            let mut pose = given.to_vec();
            run.pose(Cursor { step: 0, within: None }, &mut pose);
            assert!(pose.iter().all(RigidTransform::is_finite) && pose != *given);
            pose.clone_from(&given);
            run.pose(Cursor { step: 2, within: None }, &mut pose);
            assert_eq!(pose, *given);
            // After step 1, all bones but the root differ from the result by the pelvis's displacement alone.
            pose.clone_from(&given);
            run.pose(Cursor { step: 1, within: None }, &mut pose);
            let pelvis = walk.rig.legs.unwrap().pelvis;
            let way = given[pelvis].position - pose[pelvis].position;
            for (a, b) in pose.iter().zip(given.iter()).skip(1) {
                assert!(off(&RigidTransform { position: a.position + way, ..*a }, b) < 1e-4);
            }
            for step in 0..run.steps() {
                for event in 0..run.events(step) {
                    assert!(run.formula(step, event).is_some(), "{step}, {event}");
                    let _ = run.event(step, event, &|length| format!("{length} m"));
                }
                assert!(run.places(Cursor { step, within: None }).iter().all(|place| place.is_finite()));
            }
            let hand = frame.stack.full_body.effector(kinescope_ik::Effector::LeftHand);
            assert_eq!(hand.position_weight, hands);
        }
    }

    #[test]
    fn a_capsule_of_another_skeletons_clip_is_unchanged_when_solved_again() {
        let mut walk = Walk::new(0.7, 1.3, 1.0, 1.0);
        for number in 0..20 {
            let frame = walk.frame();
            assert!(frame.run(LayerId::Retarget).is_some());
            let own = CapsuleFrame::of(number as f32 * DT, &frame);
            let again = stack::solve(&walk.rig, Tools::default(), &own.input);
            assert_eq!(own.outcome.change(&again), None, "frame {number}");
            assert!(own.outcome.full_body.is_some());
        }
    }

    #[test]
    fn hands_go_to_the_places_of_the_source() {
        let mut walk = Walk::new(1.0, 1.15, 0.0, 1.0);
        let frame = walk.frame();
        let hand = walk.rig.full_body.as_ref().unwrap().bone_of(kinescope_ik::Effector::LeftHand.node());
        let target = frame.stack.full_body.effector(kinescope_ik::Effector::LeftHand).position.unwrap();
        assert!(frame.pose[hand].position.distance(target) < 1e-3);
        assert!(frame.input.animated.bones[hand].position.distance(target) > 0.01);
    }

    /// Grounding that is off stays off under a rule with a method, so the feet keep their lock.
    #[test]
    fn rules_of_grounding_that_is_off_keep_the_foot_lock() {
        let mut walk = Walk::new(1.3, 0.9, 1.0, 0.0);
        walk.frame();
        let frame = walk.frame();
        let mut input = frame.input.clone();
        input.place.grounding.method = Some(Method::Predictive);
        assert_eq!(stack::solve(&walk.rig, Tools::default(), &input).pose, frame.pose);
        Arc::make_mut(&mut input.stack).order.retarget.feet = 0.0;
        assert_ne!(stack::solve(&walk.rig, Tools::default(), &input).pose, frame.pose);
    }

    #[test]
    fn without_another_skeletons_clip_the_layer_does_nothing() {
        let mut walk = Walk::new(1.3, 1.0, 1.0, 1.0);
        let frame = walk.frame();
        let input = Input { source: None, place: Place { source: None, ..frame.input.place }, ..frame.input.clone() };
        let frame = stack::solve(&walk.rig, Tools::default(), &input);
        assert!(frame.run(LayerId::Retarget).is_none() && frame.memory.retarget.is_none());
        // Targets come from the places alone, so that a capsule does not need the source.
        let input = Input { place: Place { source: walk.frame().input.place.source, ..input.place }, ..input };
        assert!(stack::solve(&walk.rig, Tools::default(), &input).run(LayerId::Retarget).is_some());
    }
}
