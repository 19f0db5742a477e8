//! The full-body lab: lanes solve the input of the full body, and the frame's pose is the same with and without lanes.

use std::sync::Arc;

use glam::Vec3;
use kinescope_ik::Effector;
use kinescope_ik::capsule::{CapsuleFrame, Outcome};
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::{
    BodyLab, BodyLane, ForeignPose, Frame, Input, LaneSource, LayerId, Rig, Stack, Tools, farthest_apart, solve,
};

use crate::common::synthetic::Character;

fn rig() -> Rig {
    let Character { skeleton, biped, reference, .. } = Character::new();
    Rig::biped("synthetic", skeleton, &biped, reference).unwrap()
}

fn reach(rig: &Rig, lanes: Vec<BodyLane>, foreign: Vec<Option<Arc<ForeignPose>>>) -> Frame {
    let mut stack = Stack::default();
    let hand = stack.full_body.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.7, 0.6)), 1.0);
    stack.order.body_lab = BodyLab { lanes, over: false };
    stack.validate().unwrap();
    let input = Input { foreign: Arc::new(foreign), ..Input::new(stack, ModelPose::rigid(rig.reference.to_vec())) };
    solve(rig, Tools::default(), &input)
}

fn with(path: &str, value: f32) -> BodyLane {
    BodyLane { settings: [(path.to_owned(), value)].into(), ..BodyLane::default() }
}

#[test]
fn lanes_solve_the_input_of_the_full_body_and_change_nothing_else() {
    let rig = rig();
    let alone = reach(&rig, Vec::new(), Vec::new());
    let frame = reach(&rig, vec![BodyLane::default(), with("solver.iterations", 0.0)], Vec::new());
    assert_eq!((frame.problem(), &frame.pose), (None, &alone.pose));
    assert_eq!(frame.gaps(&frame.pose), alone.gaps(&alone.pose));
    // A lane without numbers of its own is the full body again, bit for bit; the other lane converges less.
    assert_eq!(frame.lane_pose(&rig, 0), Some(alone.pose.clone()));
    let other = frame.lane_pose(&rig, 1).unwrap();
    let measures = [0, 1].map(|lane| {
        let pose = frame.lane_pose(&rig, lane).unwrap();
        frame.lane_measures(&rig, lane, &pose).unwrap()
    });
    let gap = |lane: usize| measures[lane].gaps.iter().find(|gap| gap.key.ends_with("left_hand")).unwrap().distance;
    // The target is at the edge of reach.
    assert!(gap(0) < 0.02 && gap(1) > 0.1, "{} {}", gap(0), gap(1));
    let joints = rig.lane_joints();
    let apart = farthest_apart(&joints, &alone.pose, &other).unwrap();
    let farthest = joints.iter().map(|joint| alone.pose[joint.bone].position.distance(other[joint.bone].position));
    assert_eq!(apart.distance, farthest.fold(0.0, f32::max));
    assert!(apart.distance > 0.01);
    let run = frame.run(LayerId::BodyLane(1)).unwrap();
    assert!(run.steps() > 0 && run.goals().iter().any(|goal| goal.weight > 0.0));
}

#[test]
fn a_lane_is_solved_again_from_another_first_pose() {
    let rig = rig();
    let frame = reach(&rig, vec![BodyLane::default()], Vec::new());
    let pose = frame.lane_pose(&rig, 0).unwrap();
    assert_eq!(frame.solve_lane_from(&rig, 0, rig.reference.to_vec()), Some(pose.clone()));
    let moved = rig.reference.iter().map(|bone| RigidTransform { position: bone.position + Vec3::X * 0.05, ..*bone });
    let other = frame.solve_lane_from(&rig, 0, moved.collect()).unwrap();
    assert!(farthest_apart(&rig.lane_joints(), &pose, &other).unwrap().distance > 0.01);
    assert_eq!(frame.solve_lane_from(&rig, 1, rig.reference.to_vec()), None);
}

#[test]
fn a_foreign_lane_shows_the_pose_that_it_received() {
    let rig = rig();
    let lane = BodyLane { source: LaneSource::Foreign { name: "mink".to_owned() }, ..BodyLane::default() };
    let bones: Vec<RigidTransform> = rig.reference.to_vec();
    let received = |bones| Some(Arc::new(ForeignPose { bones, iterations: Vec::new(), late: 0, micros: None }));
    let frame = reach(&rig, vec![lane.clone()], vec![received(bones.clone())]);
    assert_eq!(frame.lane_pose(&rig, 0), Some(bones.clone()));
    let gaps = frame.lane_measures(&rig, 0, &bones).unwrap().gaps;
    assert!(gaps.iter().any(|gap| gap.distance > 0.3), "the reference pose is off target");
    // Without a received pose the lane has no result. A pose of another character, or with NaN, is a problem of the
    // lane.
    assert_eq!(reach(&rig, vec![lane.clone()], Vec::new()).lane_pose(&rig, 0), None);
    let frame = reach(&rig, vec![lane.clone()], vec![received(bones[1..].to_vec())]);
    assert!(frame.layer(LayerId::BodyLane(0)).unwrap().problem().unwrap().contains("bones"));
    let frame =
        reach(&rig, vec![lane], vec![received(vec![RigidTransform { position: Vec3::NAN, ..bones[0] }; bones.len()])]);
    assert!(frame.layer(LayerId::BodyLane(0)).unwrap().problem().unwrap().contains("finite"));
}

#[test]
fn a_capsule_does_not_compare_the_poses_of_other_programs() {
    let rig = rig();
    let foreign = BodyLane { source: LaneSource::Foreign { name: "mink".to_owned() }, ..BodyLane::default() };
    let lanes = vec![BodyLane::of(LayerId::LeastSquares), foreign];
    let (bones, iterations) = (rig.reference.to_vec(), Vec::new());
    let received = Some(Arc::new(ForeignPose { bones, iterations, late: 0, micros: None }));
    let frame = reach(&rig, lanes, vec![None, received]);
    let own = CapsuleFrame::of(0.0, &frame);
    assert!(own.input.foreign.is_empty() && own.outcome.layers.iter().any(|own| own.layer == LayerId::BodyLane(0)));
    let again = solve(&rig, Tools::default(), &own.input);
    assert_eq!(own.outcome.change(&again), None);
    // Files of earlier versions have the pose of the other program.
    assert_eq!(Outcome::of(&frame).change(&again), None);
    assert_ne!(Outcome::of(&again).change(&reach(&rig, Vec::new(), Vec::new())), None);
}

#[test]
fn every_solver_of_the_table_can_be_a_lane_and_other_layers_are_refused() {
    let rig = rig();
    let lanes: Vec<BodyLane> = LayerId::body_solvers().map(BodyLane::of).collect();
    assert!(lanes.contains(&BodyLane::default()));
    let frame = reach(&rig, lanes.clone(), Vec::new());
    for (index, lane) in lanes.iter().enumerate() {
        assert!(frame.lane_pose(&rig, index).is_some(), "{}", lane.label());
    }
    let refused = |lane: BodyLane| {
        let mut stack = Stack::default();
        stack.order.body_lab.lanes = vec![BodyLane::default(), lane];
        stack.validate().unwrap_err().to_string()
    };
    let layer = refused(BodyLane::of(LayerId::RotationsOnly));
    assert!(layer.starts_with("stack.body_lab.lanes[1].source.layer: is rotations_only"), "{layer}");
    let unknown = refused(with("grounding.foot_ik.speed", 1.0));
    assert!(unknown.starts_with("stack.body_lab.lanes[1].settings.grounding.foot_ik.speed"), "{unknown}");
    let range = refused(with("solver.weight", f32::NAN));
    assert!(range.starts_with("stack.body_lab.lanes[1].settings.solver.weight: is NaN"), "{range}");
}

#[cfg(feature = "json")]
#[test]
fn a_preset_has_the_lanes_and_omits_a_closed_lab() {
    let mut stack = Stack::default();
    assert!(!stack.to_preset().to_json().contains("body_lab"));
    let foreign = BodyLane { source: LaneSource::Foreign { name: "mink".to_owned() }, ..BodyLane::default() };
    stack.order.body_lab = BodyLab { lanes: vec![with("solver.iterations", 8.0), foreign], over: true };
    let text = stack.to_preset().to_json();
    let read = Stack::of_preset(&kinescope_ik::Preset::from_json(&text).unwrap()).unwrap();
    assert_eq!(read, stack);
}

#[test]
fn a_capsule_tells_the_full_body_from_lanes_of_the_same_solver() {
    let rig = rig();
    let lanes = |iterations: f32| vec![BodyLane::default(), with("solver.iterations", iterations)];
    let alone = Outcome::of(&reach(&rig, Vec::new(), Vec::new()));
    let outcome = Outcome::of(&reach(&rig, lanes(0.0), Vec::new()));
    assert!(alone.full_body.is_some());
    assert_eq!(outcome.full_body, alone.full_body);
    for lane in [0, 1].map(LayerId::BodyLane) {
        assert!(outcome.layers.iter().any(|own| own.layer == lane), "{lane:?}");
    }
    // Another result of a lane is a change of this lane, and none of a frame without lanes.
    let changed = reach(&rig, lanes(1.0), Vec::new());
    let (layer, _, distance) = outcome.change(&changed).unwrap();
    assert!(layer == LayerId::BodyLane(1) && distance > 0.01 && distance.is_finite(), "{layer:?} {distance}");
    assert_eq!(alone.change(&changed), None);
    // The lane is no substitute for a full body that is off.
    let mut stack = Stack::clone(&changed.input.stack);
    stack.order.full_body_off = true;
    let off = Outcome::of(&solve(&rig, Tools::default(), &Input { stack: Arc::new(stack), ..changed.input.clone() }));
    assert_eq!(off.full_body, None);
    assert!(off.layers.iter().any(|own| own.layer == LayerId::BodyLane(0)));
}
