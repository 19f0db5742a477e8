//! Comparing traces: every difference is named, and nothing else.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{Effector, Node, Settings, Stage, Step};
use kinescope_ik::rig::{Bone, RigidTransform, Skeleton};
use kinescope_ik::trace::{Rig, Trace};
use kinescope_ik::trace_diff::{Place, StepDiff, WriteDiff, default_tolerance, diff, height};

use crate::common::synthetic::Character;

fn trace() -> Trace {
    let Character { skeleton, biped, reference } = Character::new();
    let rig = Rig { skeleton, biped, animated: reference.clone(), reference };
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    hand.position = Some(Vec3::new(0.3, 1.6, 0.3));
    hand.position_weight = 1.0;
    Trace::solve("synthetic", rig, settings).unwrap()
}

const STAGE2: Step = Step { iteration: Some(1), stage: Stage::Stage2 };

fn nodes(trace: &mut Trace, at: Step) -> &mut kinescope_ik::full_body::Nodes {
    &mut trace.steps.iter_mut().find(|(step, _)| *step == at).unwrap().1
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    let trace = trace();
    let found = diff(&trace, &trace, 0.0);
    assert!(found.is_same());
    assert_eq!((found.first, found.steps.len(), found.result.len()), (None, 35, Character::BONES));
    assert!(found.rig.is_empty() && found.parameters.is_empty());
}

#[test]
fn the_first_stage_and_its_worst_node_are_named() {
    let a = trace();
    let mut b = a.clone();
    nodes(&mut b, STAGE2)[Node::LeftUpperArm].x += 0.003;
    nodes(&mut b, STAGE2)[Node::RightFoot].y += 0.001;
    nodes(&mut b, Step { iteration: None, stage: Stage::Bend })[Node::Body].z += 1.0;
    let found = diff(&a, &b, default_tolerance(&a.rig));
    let first = found.first.unwrap();
    assert_eq!((first.step, first.node), (STAGE2, Node::LeftUpperArm));
    assert!((first.distance - 0.003).abs() < 1e-6);
    assert_eq!((first.a, first.b), (nodes(&mut a.clone(), STAGE2)[first.node], nodes(&mut b, STAGE2)[first.node]));
    assert_eq!(found.steps.iter().filter(|step| !step.is_same()).count(), 2);
    let at = found.steps.iter().find(|step| step.step() == STAGE2).unwrap();
    let StepDiff::Both { above, .. } = at else { panic!("both traces have the stage") };
    assert_eq!(above.iter().map(|node| node.node).collect::<Vec<_>>(), [Node::LeftUpperArm, Node::RightFoot]);
    // Within the tolerance there is no difference.
    assert!(diff(&a, &b, 2.0).is_same());
}

#[test]
fn a_stage_that_is_missing_is_named_and_the_others_are_compared() {
    let a = trace();
    let mut b = a.clone();
    b.steps.retain(|(step, _)| *step != STAGE2);
    b.steps.reverse();
    let found = diff(&a, &b, 0.0);
    assert!(!found.is_same() && found.first.is_none());
    let missing: Vec<_> = found.steps.iter().filter(|step| !step.is_same()).collect();
    assert_eq!(missing, [&StepDiff::OnlyA(STAGE2)]);
    b.steps.clear();
    let found = diff(&b, &a, 0.0);
    assert!(found.steps.iter().all(|step| matches!(step, StepDiff::OnlyB(_))) && found.steps.len() == 35);
}

#[test]
fn the_written_pose_counts_if_both_have_one() {
    let a = trace();
    let mut b = a.clone();
    b.result[8].position.x += 0.01;
    b.result[3].rotation *= Quat::from_rotation_z(1_f32.to_radians());
    let found = diff(&a, &b, default_tolerance(&a.rig));
    assert!(!found.is_same() && found.first.is_none());
    assert_eq!(found.furthest_bone().unwrap().bone, "left hand");
    let turned = found.most_turned_bone().unwrap();
    assert!(turned.bone == "chest" && (turned.degrees - 1.0).abs() < 1e-3, "{turned:?}");
    b.result.clear();
    let found = diff(&a, &b, 0.0);
    assert!(found.is_same() && found.result.is_empty());
}

#[test]
fn a_rotation_that_differs_while_writing_is_named() {
    let a = trace();
    let mut b = a.clone();
    let part = b.writes[0].0;
    let (&bone, at) = b.writes[0].1.iter_mut().nth(1).unwrap();
    at.rotation *= Quat::from_rotation_z(1_f32.to_radians());
    let found = diff(&a, &b, default_tolerance(&a.rig));
    let WriteDiff::Both { part: found_part, largest, above } = &found.writes[0] else { panic!("{:?}", found.writes) };
    let largest = largest.as_ref().unwrap();
    assert_eq!((*found_part, &largest.bone), (part, &a.rig.skeleton.bones()[bone].name));
    assert!((largest.degrees - 1.0).abs() < 1e-3 && above.len() == 1, "{above:?}");
    assert!(matches!(found.first_place(), Some(Place::Write(..))));
}

/// A port's skeleton may have further bones, so that the same index is another bone.
#[test]
fn writing_is_not_compared_between_skeletons_of_different_sizes() {
    let a = trace();
    let mut b = a.clone();
    let (mut bones, mut reference) = (b.rig.skeleton.bones().to_vec(), b.rig.reference.clone());
    bones.push(Bone { name: "helper".to_owned(), ..bones[1].clone() });
    reference.push(RigidTransform::IDENTITY);
    b.rig.skeleton = Skeleton::new(bones).unwrap();
    (b.rig.animated, b.rig.reference) = (reference.clone(), reference);
    for (_, bones) in &mut b.writes {
        *bones = bones.iter().map(|(bone, at)| (bone + 1, *at)).collect();
    }
    let found = diff(&a, &b, default_tolerance(&a.rig));
    assert!(found.writes.is_empty() && matches!(found.first_place(), Some(Place::Rig(_))), "{:?}", found.first_place());
}

#[test]
fn different_rigs_and_poses_are_reported() {
    let a = trace();
    let mut b = a.clone();
    b.rig.animated[8].position.y += 0.1;
    b.rig.biped.root_node = 2;
    let found = diff(&a, &b, 0.01);
    assert!(!found.is_same());
    assert_eq!(found.rig.len(), 2, "{:?}", found.rig);
    assert!(found.rig[0].starts_with("root_node") && found.rig[1].contains("left hand"), "{:?}", found.rig);
}

#[test]
fn the_height_does_not_count_helpers() {
    let mut rig = trace().rig;
    let tall = height(&rig);
    assert!((1.3..1.7).contains(&tall), "{tall}");
    // A finger has no role.
    rig.reference[9].position.x = 1000.0;
    assert_eq!(height(&rig), tall);
    assert_eq!(default_tolerance(&rig), tall * 1e-4);
}
