//! Variants of the sources, measured in the scenes that show them, mostly beside the correct behaviour.

use kinescope::scenes::experiments::EXPERIMENTS;
use kinescope::session::{Action, Session};
use kinescope::tools::motion::session::MotionAction;
use kinescope_ik::full_body::DefaultLocalState;
use kinescope_ik::grounding::SolverState;
use kinescope_ik::rig::{BoneIndex, LimbName, LocalPose, ModelPose, RigidTransform};
use kinescope_ik::stack::{LayerId, Method, Stack};
use kinescope_ik::stepped::Cursor;

use crate::common::session::in_scene;

fn poses(session: &Session) -> [&[RigidTransform]; 2] {
    let b = &session.tools.debugger.compare.as_ref().unwrap().b;
    [&session.world.solved.pose, &b.frame.pose]
}

fn farthest(session: &Session) -> f32 {
    let [a, b] = poses(session);
    a.iter().zip(b).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max)
}

fn bone(session: &Session, name: &str) -> BoneIndex {
    session.world.character.model.skeleton.find(name).unwrap()
}

fn edit(session: &mut Session, change: impl Fn(&mut kinescope::world::document::Document)) {
    let mut document = session.world.history.document().clone();
    change(&mut document);
    session.edit("experiment", None, document);
}

#[test]
fn every_experiment_has_a_b_that_starts_from_a_and_ends_with_its_scene() {
    for experiment in EXPERIMENTS {
        let mut session = in_scene(experiment.scene);
        for _ in 0..30 {
            session.update(1.0 / 60.0);
        }
        let compare = session.tools.debugger.compare.as_ref().unwrap();
        assert_eq!(compare.b.name, experiment.b, "{}", experiment.scene);
        assert!(compare.b.stack != *session.world.stack(), "{}", experiment.scene);
        assert_eq!(compare.b.stack.validate(), Ok(()));
        assert_eq!(Stack::of_preset(&compare.b.stack.to_preset()).unwrap(), compare.b.stack);
        assert!(poses(&session).iter().all(|pose| pose.iter().all(|bone| bone.is_finite())));
        session.start_scene(kinescope::scenes::Scene::find("stand").unwrap());
        assert!(session.tools.debugger.compare.is_none());
    }
}

#[test]
fn the_source_drops_a_quick_fade_on_top_of_a_slow_one() {
    let mut session = in_scene("dropped fades");
    let mut jumps = [0.0f32; 2];
    let mut before: Option<[Vec<RigidTransform>; 2]> = None;
    let mut at_the_end = 0.0;
    for frame in 0..230 {
        session.update(1.0 / 60.0);
        let now = poses(&session).map(<[RigidTransform]>::to_vec);
        if let Some(before) = &before {
            for (side, jump) in jumps.iter_mut().enumerate() {
                let moved = before[side].iter().zip(&now[side]).map(|(a, b)| a.position.distance(b.position));
                *jump = moved.fold(*jump, f32::max);
            }
        }
        before = Some(now);
        // By frame 210, the slow fade is over: A stands, and B runs.
        if frame == 210 {
            at_the_end = farthest(&session);
        }
    }
    assert!(jumps[1] > 2.0 * jumps[0], "{jumps:?}");
    assert!(at_the_end > 0.1, "{at_the_end}");
    let target = |crossfade: &kinescope_ik::animation::Crossfade| crossfade.current();
    let clip = |name: &str| session.world.character.find_clip(name).ok();
    assert_eq!(target(&session.world.clip.crossfade), clip("idle"));
    assert_eq!(session.world.clip.as_in_the_source.as_ref().and_then(target), clip("run"));
}

#[test]
fn an_additive_layer_multiplied_right_to_left_turns_in_other_directions() {
    let mut session = in_scene("additive right to left");
    let mut most = 0.0f32;
    for _ in 0..30 {
        session.update(1.0 / 60.0);
        most = most.max(farthest(&session));
    }
    assert!(most > 0.05, "{most}");
    // The switch takes effect in A as well.
    edit(&mut session, |document| document.stack.order.experiments.additive_right_to_left = true);
    session.update(1.0 / 60.0);
    assert!(farthest(&session) < 1e-5, "{}", farthest(&session));
}

#[test]
fn subtracted_scales_turn_a_small_hand_inside_out() {
    let mut session = in_scene("subtracted scale");
    session.update(1.0 / 60.0);
    let (hand, head) = (bone(&session, "right_hand"), bone(&session, "head"));
    let b = session.tools.debugger.compare.as_ref().unwrap().b.animated.clone().unwrap();
    let scale = |pose: &ModelPose, bone: BoneIndex| pose.stretch[bone].x_axis.x;
    let [a, b] = [&session.world.picture.animated, &*b].map(|pose| [hand, head].map(|bone| scale(pose, bone)));
    assert!((a[0] - 0.2).abs() < 1e-4 && (a[1] - 0.8).abs() < 1e-4, "{a:?}");
    assert!((b[0] + 0.1).abs() < 1e-4 && (b[1] - 1.1).abs() < 1e-4, "{b:?}");
    let shown = &session.tools.debugger.compare.as_ref().unwrap().b.shown;
    assert!((scale(shown, hand) + 0.1).abs() < 1e-4, "the hand is drawn with the scales of its bones");
    // The fingers of the inverted hand point backward.
    let finger = bone(&session, "right_middle_2");
    let along = poses(&session).map(|pose| pose[finger].position - pose[hand].position);
    assert!(along[0].dot(along[1]) < 0.0, "{along:?}");
    edit(&mut session, |document| document.stack.order.experiments.subtract_scale = true);
    session.update(1.0 / 60.0);
    assert!(farthest(&session) < 1e-5, "{}", farthest(&session));
}

#[test]
fn rotations_made_of_solved_joints_miss_unless_they_are_made_in_model_space() {
    use kinescope_ik::chain_ik::StoppedBy;
    let mut session = in_scene("world rotation to chain space");
    session.update(1.0 / 60.0);
    let lanes = [0, 1, 2].map(|lane| &session.world.solved.chain(LayerId::Lane(lane)).unwrap().recording);
    let ways: Vec<_> = lanes.iter().map(|lane| (lane.outcome.stopped_by, lane.outcome.error)).collect();
    assert_eq!(ways[0].0, StoppedBy::Tolerance);
    for lane in &lanes[1..] {
        assert_eq!(lane.outcome.stopped_by, StoppedBy::LostInMap);
        assert!(lane.outcome.error > 0.1 * lane.chain.length(), "{ways:?}");
    }
    for lane in lanes {
        let state = lane.solve.end();
        for (bone, own) in lane.chain.bones().iter().enumerate() {
            let length = state.positions[bone + 1].distance(state.positions[own.from]);
            assert!((length - own.length).abs() < 1e-5, "bone {bone}: {length}");
        }
    }
    let still = lanes[2].solve.end().positions.iter().zip(&lanes[2].solve.start.positions);
    assert!(still.clone().all(|(end, start)| end.distance(*start) < 1e-5));
}

#[test]
fn a_sphere_cast_misses_the_post_that_it_starts_in() {
    let mut session = in_scene("sphere cast that hits nothing");
    let (mut frames, mut most) = ([0; 2], 0.0f32);
    for _ in 0..60 * 12 {
        session.update(1.0 / 60.0);
        let b = &session.tools.debugger.compare.as_ref().unwrap().b;
        let runs = [&session.world.solved, &b.frame].map(|frame| frame.grounding().unwrap());
        for (frames, run) in frames.iter_mut().zip(runs) {
            *frames +=
                usize::from(matches!(run.recording.state(), SolverState::Predictive(state) if !state.root_grounded));
        }
        let [a, b] = runs.map(|run| run.recording.output.legs[0].offset);
        most = most.max((a - b).abs());
    }
    assert!(frames[0] == 0 && frames[1] > 60 && most > 0.03, "{frames:?} {most}");
}

#[test]
fn a_factor_per_frame_is_another_filter_at_every_rate() {
    let apart = |rate: f32, method: Method| {
        let mut session = in_scene("lerp per frame");
        edit(&mut session, |document| {
            document.motion.frame_rate = Some(rate);
            document.stack.grounding.method = method;
        });
        // B has its own settings, so its method is set separately.
        session.tools.debugger.compare.as_mut().unwrap().b.stack.grounding.method = method;
        let mut most = 0.0f32;
        for _ in 0..(5.0 * rate) as usize {
            session.update(1.0 / rate);
            most = most.max(farthest(&session));
        }
        most
    };
    let (slow, fast) = (apart(30.0, Method::Predictive), apart(240.0, Method::Predictive));
    println!("predictive: {slow} at 30 Hz, {fast} at 240 Hz");
    assert!(slow > 5e-3 && fast < slow * 0.4, "{slow} {fast}");
    // Foot IK's factor is tuned for 60 Hz, and even at that rate it differs from the exact filter.
    let foot_ik = apart(60.0, Method::FootIk);
    println!("foot IK: {foot_ik} at 60 Hz");
    assert!(foot_ik > 0.02, "{foot_ik}");
}

#[test]
fn with_the_height_replaced_ankles_are_on_the_ground() {
    let mut session = in_scene("ankle on the ground");
    for _ in 0..60 {
        session.update(1.0 / 60.0);
    }
    let b = &session.tools.debugger.compare.as_ref().unwrap().b;
    let feet = ["left_foot", "right_foot"].map(|name| bone(&session, name));
    let mut levels = [0.0; 2];
    for (frame, is_b) in [(&*session.world.solved, false), (&b.frame, true)] {
        let recording = &frame.grounding().unwrap().recording;
        let SolverState::FootIk(state) = recording.state() else { panic!("foot IK") };
        for side in 0..2 {
            let level = state.legs[side].hit.unwrap().point.y;
            let foot = &recording.input.feet[side];
            let ankle = foot.geometry.ankle_height;
            assert!(ankle > 0.05 && (foot.position.y - recording.input.root.position.y - ankle).abs() < 0.01);
            let sole = frame.pose[feet[side]].position.y - ankle - level;
            // A stands on its sole, plus what the clip lifts it; B is lower by the ankle's height.
            let expected = if is_b { -ankle } else { 0.0 };
            assert!((sole - expected).abs() < 0.012, "B: {is_b}, foot {side}: {sole}, ankle {ankle}");
            levels[side] = level;
        }
    }
    assert!((levels[0] - levels[1]).abs() > 0.15, "{levels:?}");
}

#[test]
fn without_the_fabrik_pass_an_arm_flies() {
    let session = in_scene("flying arm");
    let shoulder = |pose: &[RigidTransform]| {
        let [chest, arm] = ["spine_3", "left_upper_arm"].map(|name| pose[bone(&session, name)].position);
        chest.distance(arm)
    };
    let animated = shoulder(&session.world.solved.input.animated.bones);
    let [a, b] = poses(&session).map(|pose| shoulder(pose) - animated);
    assert!(a > b + 0.02, "{a} {b}");
}

#[test]
fn without_the_default_local_state_the_pose_drifts() {
    let mut session = in_scene("drift");
    let mut apart = Vec::new();
    for frame in 0..480 {
        session.update(1.0 / 60.0);
        if frame % 240 == 239 {
            // The target is where it was at the start.
            apart.push(farthest(&session));
        }
    }
    assert!(apart[0] > 0.02, "{apart:?}");
    // Restoring the stored state, as A does before every frame, puts even the limbs of B's drifted pose back to rest.
    let character = &session.world.character;
    let (solver, skeleton) = (character.rig.full_body.as_ref().unwrap(), &character.model.skeleton);
    let stored = DefaultLocalState::store(solver, &character.rest);
    let back = |mut local: LocalPose| {
        stored.restore(&mut local);
        ModelPose::from_local(skeleton, &local)
    };
    let drifted = ModelPose::rigid(poses(&session)[1].to_vec()).to_local(skeleton, &character.rest);
    let rest = ModelPose::from_local(skeleton, &character.rest);
    for limb in LimbName::ALL {
        for bone in character.detection.biped.as_ref().unwrap().limb(limb).bones {
            assert!(back(drifted.clone()).position(bone).distance(rest.position(bone)) < 1e-4);
        }
    }
}

/// B used to keep its memory, so that it drifted on.
#[test]
fn from_the_start_b_forgets_earlier_frames_too() {
    let mut session = in_scene("drift");
    (0..240).for_each(|_| {
        session.update(1.0 / 60.0);
    });
    let drifted = farthest(&session);
    session.apply(Action::Motion(MotionAction::Restart));
    session.update(1.0 / 60.0);
    let after = farthest(&session);
    assert!(drifted > 0.02 && after < 0.5 * drifted, "{drifted} {after}");
}

#[test]
fn reach_depends_on_the_unit_unless_it_is_told_not_to() {
    let mut session = in_scene("reach and the unit");
    session.update(1.0 / 60.0);
    let apart = farthest(&session);
    assert!(apart > 0.02, "{apart}");
    // At a hundred times the size, B, whose reach is scale-free, has the same pose at that size; A has another one.
    let character = &session.world.character;
    let large = |bones: &[RigidTransform]| -> Vec<RigidTransform> {
        bones.iter().map(|bone| RigidTransform { position: bone.position * 100.0, ..*bone }).collect()
    };
    let biped = character.detection.biped.as_ref().unwrap();
    let skeleton = &character.model.skeleton;
    let reference = large(&character.detection.reference.bones);
    let solver = kinescope_ik::FullBody::new(skeleton, biped, &reference).unwrap();
    let solve = |scale_free: bool| {
        let mut settings = *session.world.settings();
        for effector in &mut settings.effectors {
            effector.position = effector.position.map(|at| at * 100.0);
        }
        settings.chains.iter_mut().for_each(|chain| chain.scale_free_reach = scale_free);
        let mut pose = large(&session.world.solved.input.animated.bones);
        solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
        pose
    };
    let [a, b] = poses(&session);
    let off = |large: &[RigidTransform], small: &[RigidTransform]| {
        let apart = large.iter().zip(small).map(|(large, small)| (large.position / 100.0).distance(small.position));
        apart.fold(0.0, f32::max)
    };
    assert!(off(&solve(false), a) > 0.02);
    assert!(off(&solve(true), b) < 1e-3, "{}", off(&solve(true), b));
}

#[test]
fn a_target_near_the_opposite_direction_turns_the_elbow_elsewhere() {
    let session = in_scene("hand opposite to the arm");
    let elbow = bone(&session, "left_forearm");
    let [a, b] = poses(&session).map(|pose| pose[elbow].position);
    assert!(a.distance(b) > 0.1, "{}", a.distance(b));
}

/// The scene shows what its hint says: lane 1 has a mirroring step and bends all joints to the right side, and lane 2
/// bends some joints to the wrong side.
#[test]
fn only_one_of_two_bend_rules_keeps_its_side() {
    let mut session = in_scene("bend rule of the sources");
    session.update(1.0 / 60.0);
    let wrong = |lane: usize| {
        let run = session.world.solved.run(LayerId::Lane(lane)).unwrap();
        let places = run.places(Cursor { step: run.steps() - 1, within: None });
        let bends = places.windows(3).map(|at| (at[1] - at[0]).cross(at[2] - at[1]).z);
        bends.filter(|&bend| bend < -1e-5).count()
    };
    assert_eq!(wrong(0), 0);
    assert!(wrong(1) > 0);
    let run = session.world.solved.run(LayerId::Lane(0)).unwrap();
    assert!((0..run.steps()).any(|step| run.step(step).key == "mirror"));
    assert!(run.measure(0, Cursor { step: run.steps() - 1, within: None }) < 2e-3);
}

#[test]
fn only_one_ccd_of_the_sources_is_correct() {
    let mut session = in_scene("CCD of the sources");
    session.update(1.0 / 60.0);
    let off = |lane: usize, step: usize| {
        let run = session.world.solved.run(LayerId::Lane(lane)).unwrap();
        run.measure(0, Cursor { step, within: None })
    };
    let errors: Vec<f32> = (0..3).map(|lane| off(lane, 3)).collect();
    assert!(errors[0] < 0.5 * errors[1] && errors[0] < 0.5 * errors[2], "{errors:?}");
}
