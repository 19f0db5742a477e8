//! Legs of four bones, and an arm with a second elbow: detected, reported, solved as two bones, and mapped back.

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use kinescope_ik::animation::Clip;
use kinescope_ik::full_body::{Effector, FullBody, Settings};
use kinescope_ik::modifiers::{Figure, Fold, FourBones, Modifier, Modify, Running, Seen, solve};
use kinescope_ik::rig::detect::{Detection, Mapping, ReferenceChoice, detect};
use kinescope_ik::rig::import::import;
use kinescope_ik::rig::{BoneIndex, LimbName, Model, ModelPose, RigidTransform};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::vector;

struct Faun {
    model: Model,
    detection: Detection,
    solver: FullBody,
    figure: Figure,
}

fn faun() -> &'static Faun {
    static FAUN: OnceLock<Faun> = OnceLock::new();
    FAUN.get_or_init(|| {
        let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/faun.glb")).unwrap();
        let model = import("faun.glb", &bytes, &mut |uri| Err(uri.to_owned())).unwrap();
        let detection = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
        let biped = detection.biped.clone().unwrap();
        let reference = &detection.reference.bones;
        let solver = FullBody::new(&model.skeleton, &biped, reference).unwrap();
        let figure = Figure::new(&model.skeleton, &biped, reference).unwrap();
        Faun { model, detection, solver, figure }
    })
}

fn bone(name: &str) -> BoneIndex {
    faun().model.skeleton.find(name).unwrap()
}

fn pose(clip: &str, time: f32) -> Vec<RigidTransform> {
    let skeleton = &faun().model.skeleton;
    let mut local = skeleton.rest_pose();
    let found: Option<&Clip> = faun().model.clips.iter().find(|own| own.name == clip);
    found.unwrap().sample(time, &mut local);
    ModelPose::from_local(skeleton, &local).bones
}

fn solved(own: FourBones, settings: &Settings, before: &[RigidTransform]) -> Vec<RigidTransform> {
    let faun = faun();
    let (mut pose, settings) = (before.to_vec(), *settings);
    let seen = Seen { figure: &faun.figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    let mut own = Running::new(Modifier::FourBones(own));
    let modifiers: &mut [&mut dyn Modify] = &mut [&mut own];
    solve(&faun.solver, &mut faun.solver.workspace(), &settings, modifiers, &seen, &mut pose).unwrap();
    pose
}

fn share(legs: f32) -> FourBones {
    FourBones { legs, ..FourBones::default() }
}

fn angle(pose: &[RigidTransform], names: [&str; 3]) -> f32 {
    let [a, b, c] = names.map(|name| pose[bone(name)].position);
    (a - b).angle_between(c - b).to_degrees()
}

const KNEE: [&str; 3] = ["left_thigh", "left_calf", "left_foot"];
const HOCK: [&str; 3] = ["left_calf", "left_foot", "left_toes"];

/// Returns settings for a crouch: the body goes down by `down` metres, the feet stay where they are.
fn crouch(down: f32, before: &[RigidTransform]) -> Settings {
    let mut settings = Settings::default();
    for (effector, name, by) in
        [(Effector::LeftFoot, "left_toes", 0.0), (Effector::RightFoot, "right_toes", 0.0), (Effector::Body, "", down)]
    {
        let own = settings.effector_mut(effector);
        let at = if name.is_empty() { faun().figure.body } else { bone(name) };
        (own.position, own.position_weight) = (Some(before[at].position - Vec3::Y * by), 1.0);
    }
    settings
}

#[test]
fn toes_become_feet_and_this_is_reported() {
    let Faun { detection, figure, .. } = faun();
    let biped = detection.biped.as_ref().unwrap();
    for (limb, side) in [(LimbName::LeftLeg, "left"), (LimbName::RightLeg, "right")] {
        let names = ["thigh", "calf", "toes"].map(|name| bone(&format!("{side}_{name}")));
        assert_eq!(biped.limb(limb).bones, names);
        assert_eq!(figure.inner[limb.index()], Some(bone(&format!("{side}_foot"))));
    }
    assert_eq!(figure.inner[..2], [None; 2]);
    let is_reported =
        detection.problems.iter().any(|problem| problem.contains("digitigrade") && problem.contains("left_foot"));
    assert!(is_reported, "{:?}", detection.problems);
}

#[test]
fn a_hock_mapped_as_foot_is_kept_and_reported() {
    let model = &faun().model;
    let mapping = serde_json::json!({ "left_foot": "left_foot", "right_foot": "right_foot" });
    let mapping: Mapping = serde_json::from_value(mapping).unwrap();
    let detection = detect(model, &mapping, ReferenceChoice::Auto);
    assert_eq!(detection.biped.unwrap().limb(LimbName::LeftLeg).bones[2], bone("left_foot"));
    assert!(detection.problems.iter().any(|problem| problem.contains("digitigrade")), "{:?}", detection.problems);
}

#[test]
fn humans_are_not_detected_as_digitigrade() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/biped.glb")).unwrap();
    let model = import("biped.glb", &bytes, &mut |uri| Err(uri.to_owned())).unwrap();
    let detection = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
    assert!(!detection.problems.iter().any(|problem| problem.contains("digitigrade")));
}

#[test]
fn without_targets_the_pose_is_unchanged() {
    for clip in ["idle", "walk", "run"] {
        for time in [0.0, 0.2, 0.45] {
            let before = pose(clip, time);
            let after = solved(share(0.5), &Settings::default(), &before);
            for (index, (a, b)) in before.iter().zip(&after).enumerate() {
                let name = &faun().model.skeleton.bones()[index].name;
                assert!(a.position.distance(b.position) < 2e-5, "{clip} at {time}: {name} {}", a.position - b.position);
                assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6, "{clip} at {time}: {name}");
            }
        }
    }
}

#[test]
fn hock_and_knee_share_a_crouch() {
    let before = pose("idle", 0.0);
    let settings = crouch(0.2, &before);
    let bends = |legs: f32| {
        let after = solved(share(legs), &settings, &before);
        [KNEE, HOCK].map(|joint| angle(&before, joint) - angle(&after, joint))
    };
    let [knee, hock] = bends(0.0);
    assert!(knee > 25.0 && hock.abs() < 0.1, "{knee} {hock}");
    let [knee, hock] = bends(1.0);
    assert!(knee.abs() < 0.5 && hock > 25.0, "{knee} {hock}");
    let [knee, hock] = bends(0.5);
    assert!((knee - hock).abs() < 0.5 && knee > 10.0, "{knee} {hock}");
    let [knee, hock] = bends(0.25);
    assert!((knee - 3.0 * hock).abs() < 1.0, "{knee} {hock}");
}

#[test]
fn the_hock_stays_on_its_side_of_the_leg() {
    let before = pose("idle", 0.0);
    for down in [0.05, 0.15, 0.3] {
        let after = solved(share(0.6), &crouch(down, &before), &before);
        let [knee, hock] = ["left_calf", "left_foot"].map(|name| after[bone(name)].position);
        let [hip, toes] = ["left_thigh", "left_toes"].map(|name| after[bone(name)].position);
        let on_the_way = |at: Vec3| hip.lerp(toes, (hip.y - at.y) / (hip.y - toes.y)).z;
        assert!(knee.z > on_the_way(knee) && hock.z < on_the_way(hock), "{down}");
    }
}

/// The built-in character with a second elbow between left forearm and hand, off their line.
#[test]
fn arms_with_a_second_elbow_share_their_bend() {
    use crate::common::built_in::built_in;
    let biped = built_in().biped();
    let mut bones = built_in().model.skeleton.bones().to_vec();
    let mut reference = built_in().reference().to_vec();
    let [upper, forearm, hand] = biped.limb(LimbName::LeftArm).bones;
    let elbow = bones.len();
    let between = reference[forearm].position.lerp(reference[hand].position, 0.5) + Vec3::new(0.0, 0.0, 0.06);
    // The second elbow becomes the hand's parent, so it is inserted before the hand: parents come first.
    bones.insert(
        hand,
        kinescope_ik::Bone { name: "second elbow".to_owned(), parent: Some(forearm), rest: bones[forearm].rest },
    );
    reference.insert(hand, RigidTransform { position: between, ..reference[forearm] });
    let moved = |bone: BoneIndex| if bone >= hand { bone + 1 } else { bone };
    for (index, bone) in bones.iter_mut().enumerate().filter(|(index, _)| *index != hand) {
        bone.parent = bone.parent.map(moved);
        if index == hand + 1 {
            bone.parent = Some(hand);
        }
    }
    assert_eq!(bones.len(), elbow + 1);
    let mut biped = biped.clone();
    (biped.pelvis, biped.root_node) = (moved(biped.pelvis), moved(biped.root_node));
    biped.spine.iter_mut().for_each(|bone| *bone = moved(*bone));
    biped.head = biped.head.map(moved);
    for limb in &mut biped.limbs {
        limb.clavicle = limb.clavicle.map(moved);
        limb.bones = limb.bones.map(moved);
    }
    let skeleton = kinescope_ik::Skeleton::new(bones).unwrap();
    let solver = FullBody::new(&skeleton, &biped, &reference).unwrap();
    let figure = Figure::new(&skeleton, &biped, &reference).unwrap();
    assert_eq!(figure.inner[LimbName::LeftArm.index()], Some(hand));
    assert_eq!(figure.inner[1..], [None; 3]);
    let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    let target = reference[hand + 1].position + Vec3::new(-0.12, 0.1, 0.2);
    let solved = |arms: f32, weight: f32| {
        let mut settings = Settings::default();
        let own = settings.effector_mut(Effector::LeftHand);
        (own.position, own.position_weight) = (Some(target), weight);
        let mut running = Running::new(Modifier::FourBones(FourBones { arms, ..FourBones::default() }));
        let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
        let mut pose = reference.clone();
        solve(&solver, &mut solver.workspace(), &settings, modifiers, &seen, &mut pose).unwrap();
        pose
    };
    let joint = |pose: &[RigidTransform]| {
        let [a, b, c] = [forearm, hand, hand + 1].map(|bone| pose[bone].position);
        (a - b).angle_between(c - b).to_degrees()
    };
    let (stiff, shared) = (solved(0.0, 1.0), solved(0.6, 1.0));
    assert!((joint(&stiff) - joint(&reference)).abs() < 0.1 && joint(&shared) < joint(&stiff) - 5.0);
    for pose in [&stiff, &shared] {
        assert!(pose[hand + 1].position.distance(target) < 2e-3, "{}", pose[hand + 1].position.distance(target));
        for pair in [[upper, forearm], [forearm, hand], [hand, hand + 1]] {
            let length = |pose: &[RigidTransform]| pose[pair[0]].position.distance(pose[pair[1]].position);
            assert!((length(pose) - length(&reference)).abs() < 1e-4);
        }
    }
    // At weight 0 nothing moves, except by rounding.
    for (a, b) in solved(0.6, 0.0).iter().zip(&reference) {
        assert!(a.position.distance(b.position) < 2e-5 && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6);
    }
}

#[test]
fn each_turn_of_a_hock_has_its_equation() {
    let angles = [(0.5, 0.2), (1.0, 0.5), (1.0, 0.6), (1.0, 0.7), (1.0, -0.2)].map(|(legs, down)| {
        let angles = hock_equations(legs, down);
        assert_eq!(angles.len(), 2, "one number for each leg");
        angles[0]
    });
    assert!(angles[0] > 10.1, "{angles:?}");
    assert!(angles[1..].iter().any(|angle| (angle - 10.0).abs() < 1e-3), "no hock is at its limit: {angles:?}");
}

/// Checks the equations of a crouch, and that each gives the bone after its turn. Returns the hocks' angles in degrees.
fn hock_equations(legs: f32, down: f32) -> Vec<f32> {
    use kinescope_ik::modifiers::Change;
    use kinescope_ik::notation::Value;
    use kinescope_ik::stack::{Input, LayerId, Rig, Stack, Tools};
    let faun = faun();
    let biped = faun.detection.biped.as_ref().unwrap();
    let rig = Rig::biped("faun", faun.model.skeleton.clone(), biped, faun.detection.reference.bones.clone()).unwrap();
    let before = pose("idle", 0.0);
    let modifiers = std::sync::Arc::new(vec![Modifier::FourBones(share(legs))]);
    let stack = Stack { full_body: crouch(down, &before), modifiers, ..Stack::default() };
    let frame = kinescope_ik::stack::solve(&rig, Tools::default(), &Input::new(stack, ModelPose::rigid(before)));
    let run = frame.run(LayerId::AfterWrite).unwrap();
    let acts = frame.modifiers(LayerId::AfterWrite).unwrap().acts(0);
    assert!(run.events(0) >= 4 && run.events(0) == acts.len(), "{} of {}", run.events(0), acts.len());
    let mut hocks = Vec::new();
    for (event, act) in acts.iter().enumerate() {
        let sheet = run.formula(0, event).unwrap();
        assert_eq!(crate::common::flaws::flaws(&sheet, usize::MAX), Vec::<String>::new(), "{sheet:#?}");
        let Some(line) = sheet.lines.iter().find(|line| line.symbolic.starts_with("θ = ")) else { continue };
        let (Value::Degrees(angle), Value::Orientation(found)) = (line.value, sheet.result) else {
            panic!("{:?} {:?}", line.value, sheet.result);
        };
        let Change::Bone { to, .. } = act.change else { panic!("{act:?}") };
        let off = found.angle_between(to.rotation).to_degrees();
        assert!(off < 0.1, "{off}° off: {sheet:#?}");
        hocks.push(angle);
    }
    hocks
}

#[test]
fn at_share_0_no_bone_turns_bit_for_bit() {
    let before = pose("walk", 0.3);
    let settings = crouch(0.15, &before);
    let mut plain = before.clone();
    faun().solver.solve(&mut faun().solver.workspace(), &settings.clone(), &mut plain).unwrap();
    assert_eq!(solved(FourBones { legs: 0.0, arms: 0.0, ..FourBones::default() }, &settings, &before), plain);
}

#[test]
fn both_legs_bend_alike_in_a_mirror() {
    let before = faun().detection.reference.bones.clone();
    let angles = |left: f32, right: f32| {
        let mut settings = crouch(0.1, &before);
        for (effector, by) in [(Effector::LeftFoot, left), (Effector::RightFoot, right)] {
            let own = settings.effector_mut(effector);
            own.position = own.position.map(|at| at + Vec3::Y * by);
        }
        let after = solved(share(0.5), &settings, &before);
        ["left", "right"].map(|side| {
            let [a, b, c] = ["calf", "foot", "toes"].map(|part| after[bone(&format!("{side}_{part}"))].position);
            (a - b).angle_between(c - b).to_degrees()
        })
    };
    let ([a, b], [c, d]) = (angles(0.12, 0.0), angles(0.0, 0.12));
    assert!((a - d).abs() < 0.1 && (b - c).abs() < 0.1 && (a - b).abs() > 5.0, "{a} {b} {c} {d}");
}

property! {
    #[test]
    fn feet_are_on_their_targets_and_lengths_stay(
        left in vector(0.3), right in vector(0.3), body in vector(0.15), legs in 0.0f32..=1.0, time in 0.0f32..1.0,
        turn in vector(1.0),
    ) {
        let before = pose("walk", time);
        let mut settings = crouch(0.1, &before);
        for (effector, by) in [(Effector::LeftFoot, left), (Effector::RightFoot, right), (Effector::Body, body)] {
            let own = settings.effector_mut(effector);
            own.position = own.position.map(|at| at + by);
        }
        let foot = settings.effector_mut(Effector::LeftFoot);
        (foot.rotation, foot.rotation_weight) = (Some(Quat::from_scaled_axis(turn)), 1.0);
        let plain = solved(share(0.0), &settings, &before);
        let after = solved(share(legs), &settings, &before);
        for side in ["left", "right"] {
            let [toes, thigh] = ["toes", "thigh"].map(|name| bone(&format!("{side}_{name}")));
            // The toes, which are this leg's foot, keep the position and rotation of the solve.
            prop_assert!(after[toes].position.distance(plain[toes].position) < 1e-4);
            prop_assert!(after[toes].rotation.dot(plain[toes].rotation).abs() > 1.0 - 1e-5);
            prop_assert!(after[thigh].position.distance(plain[thigh].position) < 1e-6);
            for pair in [["thigh", "calf"], ["calf", "foot"], ["foot", "toes"]] {
                let length = |pose: &[RigidTransform]| {
                    let [a, b] = pair.map(|name| pose[bone(&format!("{side}_{name}"))].position);
                    a.distance(b)
                };
                prop_assert!((length(&after) - length(&before)).abs() < 1e-4, "{pair:?}");
            }
        }
        prop_assert_eq!(after[bone("left_hand")], plain[bone("left_hand")]);
    }

    #[test]
    fn a_fold_opens_evenly_and_is_finite(
        lengths in prop::array::uniform3(0.0f32..1.0), knee in 0.0..std::f32::consts::PI, inner in 0.0..std::f32::consts::PI, zigzag in prop::bool::ANY,
        share in 0.0f32..=1.0, distance in 0.0f32..3.0,
    ) {
        let fold = Fold { lengths, knee, inner, zigzag: if zigzag { 1.0 } else { -1.0 } };
        let x = fold.solve(share, distance);
        prop_assert!(x.is_finite() && fold.reach(share, x).is_finite() && fold.opened(share, x).is_finite());
        // A leg that is long enough already needs no opening.
        prop_assert_eq!(fold.solve(share, fold.reach(share, 0.0)), 0.0);
        prop_assert!((fold.reach(share, x) - distance).abs() <= (fold.reach(share, 0.0) - distance).abs() + 1e-4);
    }
}
