//! The purpose of several modifiers, measured: weapons stay in both hands, blows decay, elbows do not jump, twist is
//! spread.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{
    Author, Effector, Frame, FullBody, HookedSolve, Hooks, Node, Pushing, Settings, Stage, State, Step,
};
use kinescope_ik::grounding::Side;
use kinescope_ik::modifiers::{
    ArmBending, Figure, Head, HeadBone, Hit, HitReaction, Modifier, Modify, ReachFor, Recoil, Running, Seen,
    TwoHandedGrip, solve,
};
use kinescope_ik::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use kinescope_ik::stepped;

use crate::common::built_in::built_in;
use crate::modifiers::{figure, plain, seen, solved};

fn hands() -> [BoneIndex; 2] {
    [0, 1].map(|arm: usize| figure().limbs[arm][2])
}

/// Returns the pose after a modifier's first frame, which lasts 0.02 s.
fn solved_with(modifier: Modifier, settings: &Settings, pose: &[RigidTransform]) -> Vec<RigidTransform> {
    let (solver, mut pose) = (&built_in().solver, pose.to_vec());
    let mut running = Running::new(modifier);
    let modifiers: &mut [&mut dyn Modify] = &mut [&mut running];
    let seen = seen(0.02, 0.0);
    solve(solver, &mut solver.workspace(), &settings.clone(), modifiers, &seen, &mut pose).unwrap();
    pose
}

#[test]
fn both_hands_stay_on_one_weapon() {
    let mut pose = built_in().reference().to_vec();
    // The weapon is held in front with bent arms, so that recoil has room.
    let mut settings = Settings::default();
    let places = [Vec3::new(0.05, 1.35, 0.4), Vec3::new(-0.08, 1.3, 0.22)];
    for (effector, place) in [Effector::LeftHand, Effector::RightHand].into_iter().zip(places) {
        let own = settings.effector_mut(effector);
        (own.position, own.position_weight) = (Some(place), 1.0);
    }
    built_in().solver.solve(&mut built_in().solver.workspace(), &settings, &mut pose).unwrap();
    let [left, right] = hands();
    let grip = |pose: &[RigidTransform]| pose[right].to_local(&pose[left]);
    for is_held in [false, true] {
        let mut asked = Settings::default();
        if is_held {
            for (effector, hand) in [Effector::LeftHand, Effector::RightHand].into_iter().zip(hands()) {
                let own = asked.effector_mut(effector);
                (own.position, own.position_weight) = (Some(pose[hand].position), 1.0);
                (own.rotation, own.rotation_weight) = (Some(pose[hand].rotation), 1.0);
            }
        }
        let mut recoil = Running::new(Modifier::Recoil(Recoil { hand: Side::Right, ..Recoil::default() }));
        let (mut moved, mut slipped, mut twisted) = (0.0f32, 0.0f32, 0.0f32);
        for frame in 0..24 {
            if frame == 1 {
                recoil.trigger();
            }
            let mut after = pose.clone();
            let modifiers: &mut [&mut dyn Modify] = &mut [&mut recoil];
            let solver = &built_in().solver;
            let seen = seen(0.02, 0.02 * frame as f32);
            solve(solver, &mut solver.workspace(), &asked.clone(), modifiers, &seen, &mut after).unwrap();
            moved = moved.max(after[right].position.distance(pose[right].position));
            slipped = slipped.max(grip(&after).position.distance(grip(&pose).position));
            twisted = twisted.max(grip(&after).rotation.angle_between(grip(&pose).rotation).to_degrees());
        }
        assert!(moved > 0.06, "{moved}");
        assert!(slipped < 2e-3 && twisted < 1.0, "held {is_held}: {:.2} mm, {twisted:.2}°", slipped * 1e3);
    }
}

#[test]
fn a_blow_fades_with_distance() {
    let standing = built_in().reference();
    let moved = |radius: f32| {
        let mut hit = Running::new(Modifier::HitReaction(HitReaction {
            radius,
            spine: 0.0,
            twist: 0.0,
            hands: 0.0,
            ..HitReaction::default()
        }));
        let shoulder = figure().limbs[0][0];
        let point = standing[shoulder].position;
        hit.strike(Hit { point, direction: Vec3::NEG_Z, force: 0.08 });
        let mut asked = Settings::default();
        let mut pose = standing.to_vec();
        let mut hear = |_| stepped::GO_ON;
        let seen = seen(0.07, 0.0);
        let bones = kinescope_ik::modifiers::Bones::new(seen, Author { index: 0, name: "" }, &mut pose, &mut hear);
        hit.before_read(&mut kinescope_ik::modifiers::Ask::new(bones, &mut asked));
        let of = |effector: Effector| asked.effector(effector).position_offset;
        // The thighs follow the body, so the body's offset adds to theirs.
        [of(Effector::LeftShoulder), of(Effector::RightShoulder), of(Effector::LeftThigh) + of(Effector::Body)]
            .map(|offset| -offset.z)
    };
    let height = figure().height;
    let [struck, beside, below] = moved(0.3);
    assert!((struck - 0.08 * height).abs() < 1e-4, "{struck}");
    assert!(struck > 1.5 * beside && beside > below && below > 0.0, "{struck} {beside} {below}");
    let [struck, beside, below] = moved(0.05);
    assert!(struck > 0.07 * height && beside < 1e-3 && below < 1e-6, "{struck} {beside} {below}");
}

#[test]
fn a_moving_object_is_held_and_released() {
    let pose = built_in().pose("idle", 0.2);
    let hand = hands()[1];
    let from = plain(&pose)[hand].position;
    let (at, to) = (from + Vec3::new(0.0, 0.25, 0.25), from + Vec3::new(0.05, 0.35, 0.25));
    let own =
        ReachFor { position: Some(at), to: Some(to), approach: 0.4, hold: 0.5, release: 0.4, ..ReachFor::default() };
    let rotation = Quat::from_rotation_x(-0.6);
    let own = ReachFor { rotation: Some(rotation), rotation_weight: 1.0, ..own };
    let mut running = Running::new(Modifier::ReachFor(own.clone()));
    running.trigger();
    let mut last = None;
    for frame in 1..=70 {
        let age = frame as f32 * 0.02;
        let after = solved(&mut running, &seen(0.02, age), &pose)[hand];
        if (0.42..0.88).contains(&age) {
            let x = (age - 0.4) / 0.5;
            let point = at.lerp(to, x * x * (3.0 - 2.0 * x));
            assert!(after.position.distance(point) < 1e-3, "{age}: {}", after.position.distance(point));
            assert!(after.rotation.angle_between(rotation) < 0.01, "{age}");
        }
        if let Some(last) = last {
            assert!(after.position.distance(last) < 0.04, "{age}: the pose jumps");
        }
        last = Some(after.position);
    }
    assert!(last.unwrap().distance(from) < 1e-4);
    // A reach that is triggered again while it holds keeps holding.
    let mut running = Running::new(Modifier::ReachFor(ReachFor { to: None, ..own }));
    running.trigger();
    let mut last = None;
    for frame in 0..40 {
        if frame == 25 || frame == 35 {
            running.trigger();
        }
        let now = solved(&mut running, &seen(0.02, 0.0), &pose)[hand].position;
        if let Some(last) = last.filter(|_| frame > 22) {
            assert!(now.distance(last) < 1e-4, "frame {frame}: {}", now.distance(last));
        }
        last = Some(now);
    }
}

#[test]
fn a_neck_stretches_no_further_than_it_may() {
    let standing = built_in().reference();
    let head = figure().head.unwrap();
    let below = *figure().neck.last().unwrap_or(&figure().chest());
    let target = standing[head].position + Vec3::Y * 0.3;
    let of = |stretch: f32| {
        let own = Head { position: Some(target), stretch, ..Head::default() };
        let after = solved(&mut Running::new(Modifier::Head(own)), &seen(0.02, 0.0), standing);
        let length = |pose: &[RigidTransform]| pose[head].position.distance(pose[below].position);
        (after[head].position.distance(target), length(&after) - length(standing))
    };
    let ((stiff, same), (near, longer)) = (of(0.0), of(0.05));
    assert!(same.abs() < 1e-4 && stiff > 0.15, "{same} {stiff}");
    let most = 0.05 * figure().height;
    assert!((stiff - near - most).abs() < 0.02 && longer > 0.0 && longer <= most + 1e-4, "{stiff} {near} {longer}");
}

#[test]
fn the_chest_looks_at_its_target() {
    let standing = built_in().reference();
    for degrees in [-60.0f32, 0.0, 45.0] {
        let direction = Quat::from_rotation_y(degrees.to_radians()) * figure().facing;
        let own = Head { chest_direction: Some(direction), position_weight: 0.0, ..Head::default() };
        let chest = |own: Head| {
            let after = solved(&mut Running::new(Modifier::Head(own)), &seen(0.02, 0.0), standing);
            (after[figure().chest()].rotation * figure().chest).angle_between(direction).to_degrees()
        };
        let off = chest(own.clone());
        assert!(off < 3.0, "{degrees}: {off}");
        let half = chest(Head { chest_weight: 0.5, ..own });
        assert!((half - 0.5 * degrees.abs()).abs() < 4.0, "{degrees}: {half}");
    }
}

#[test]
fn bend_bones_take_part_by_their_weights_and_dampers() {
    let standing = built_in().reference();
    let head = figure().head.unwrap();
    let target = standing[head].position + Vec3::new(0.0, -0.06, 0.18);
    let turned = |bones: Vec<HeadBone>| {
        // Thighs and hands do not follow the head, so that only the bend bones move it.
        let own = Head { position: Some(target), body: 0.0, hands: 0.0, settle: 0.0, bones, ..Head::default() };
        let after = solved(&mut Running::new(Modifier::Head(own)), &seen(0.02, 0.0), standing);
        let plain = plain(standing);
        let local = |pose: &[RigidTransform], bone: BoneIndex| {
            let parent = built_in().model.skeleton.parent(bone).unwrap();
            pose[parent].rotation.conjugate() * pose[bone].rotation
        };
        let turns: Vec<f32> = figure()
            .bend_bones()
            .map(|bone| local(&after, bone).angle_between(local(&plain, bone)).to_degrees())
            .collect();
        (turns, after[head].position.distance(target))
    };
    let count = figure().bend_bones().count();
    let all = |weight, damper| vec![HeadBone { weight, damper }; count];
    let (same, near) = turned(all(0.6, 0.3));
    assert!(near < 0.01 && same.iter().all(|&turn| turn > 0.1), "{same:?} {near}");
    let (nothing, far) = turned(all(0.0, 0.3));
    assert!(nothing.iter().all(|&turn| turn < 1e-3) && far > 0.15, "{nothing:?} {far}");
    assert_eq!(turned(all(0.6, 1.0)).0, nothing);
    let mut only_lowest = all(0.0, 0.0);
    only_lowest[0].weight = 1.0;
    let (lowest, _) = turned(only_lowest);
    assert!(lowest[0] > 5.0 && lowest[1..].iter().all(|&turn| turn < 1e-3), "{lowest:?}");
    // If the lowest bone alone is not damped, it bends more.
    let mut low = all(0.6, 0.9);
    low[0].damper = 0.0;
    let (low, _) = turned(low);
    assert!(low[0] > 2.0 * same[0], "{low:?} {same:?}");
}

#[test]
fn thighs_and_hands_follow_the_head_by_their_shares() {
    let standing = built_in().reference();
    let plain = plain(standing);
    let head = figure().head.unwrap();
    let way = Vec3::new(0.15, -0.1, 0.0);
    let gone = |own: Head, bone: BoneIndex| {
        let own = Head { position: Some(standing[head].position + way), settle: 0.0, ..own };
        let after = solved(&mut Running::new(Modifier::Head(own)), &seen(0.02, 0.0), standing);
        (after[bone].position - plain[bone].position).dot(way.normalize()) / way.length()
    };
    let hand = hands()[0];
    let of = |hands: f32| gone(Head { hands, ..Head::default() }, hand);
    assert!(of(0.0).abs() < 0.01 && of(1.0) > 0.85 && (0.35..0.6).contains(&of(0.5)), "{} {}", of(0.0), of(1.0));
    let thigh = figure().limbs[2][0];
    let of = |thighs: f32| gone(Head { thighs, ..Head::default() }, thigh);
    assert!(of(1.0) > of(0.0) + 0.2, "{} {}", of(0.0), of(1.0));
}

#[test]
fn an_elbow_follows_the_turn_of_its_hand_without_a_jump() {
    let standing = built_in().reference();
    let mut settings = Settings::default();
    let hand = figure().limbs[0][2];
    let places = [Vec3::new(0.25, 1.25, 0.3), Vec3::new(0.35, 1.6, 0.2), Vec3::new(-0.05, 1.3, 0.3)];
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 0.3).normalize(), Vec3::new(-0.4, 0.2, 1.0).normalize()];
    let (mut worst, mut most): (f32, f32) = (0.0, 0.0);
    for place in places {
        for axis in axes {
            let own = settings.effector_mut(Effector::LeftHand);
            (own.position, own.position_weight, own.rotation_weight) = (Some(place), 1.0, 1.0);
            let mut elbow = |degrees: f32| {
                let turned = Quat::from_axis_angle(axis, degrees.to_radians()) * standing[hand].rotation;
                settings.effector_mut(Effector::LeftHand).rotation = Some(turned);
                let own = ArmBending { hand: 1.0, ..ArmBending::default() };
                let after = solved_with(Modifier::ArmBending(own), &settings, standing);
                after[figure().limbs[0][1]].position
            };
            let (step, first) = (3.0f32, elbow(0.0));
            let mut last = first;
            for index in 1..=120 {
                let now = elbow(step * index as f32);
                // The elbow's movement as an angle about the line from shoulder to hand, from which the elbow of this
                // arm is at most 0.2 m.
                worst = worst.max(now.distance(last) / (0.2 * step.to_radians()));
                most = most.max(now.distance(first));
                last = now;
            }
        }
    }
    println!("an elbow turns {worst:.2} times as far as its hand and moves {most:.3} m at most");
    assert!(worst < 2.2, "{worst}");
    assert!(most > 0.1, "{most}");
}

/// Returns the built-in character with bones between left elbow and wrist, each given by name, fraction along the
/// forearm, and parent (the forearm, or an earlier one of these bones).
fn with_twist_bones(own: &[(&str, f32, Option<usize>)]) -> (FullBody, Figure, Vec<RigidTransform>, Vec<BoneIndex>) {
    let biped = built_in().biped();
    let mut bones = built_in().model.skeleton.bones().to_vec();
    let mut reference = built_in().reference().to_vec();
    let [_, forearm, hand] = biped.limb(LimbName::LeftArm).bones;
    let mut added: Vec<BoneIndex> = Vec::new();
    for &(name, share, parent) in own {
        let parent = Some(parent.map_or(forearm, |index| added[index]));
        let at = RigidTransform {
            position: reference[forearm].position.lerp(reference[hand].position, share),
            ..reference[forearm]
        };
        added.push(bones.len());
        bones.push(kinescope_ik::rig::Bone {
            name: name.to_owned(),
            parent,
            rest: kinescope_ik::LocalTransform::IDENTITY,
        });
        reference.push(at);
    }
    let skeleton = Skeleton::new(bones).unwrap();
    let solver = FullBody::new(&skeleton, biped, &reference).unwrap();
    let figure = Figure::new(&skeleton, biped, &reference).unwrap();
    (solver, figure, reference, added)
}

#[test]
fn the_twist_of_a_hand_is_spread_over_the_forearm() {
    type Bones = &'static [(&'static str, f32, Option<usize>)];
    let cases: [(Bones, &[f32], f32); 4] = [
        // Without twist bones the forearm takes half of the twist.
        (&[], &[], 0.5),
        // Siblings on the forearm, as in most rigs.
        (&[("twist a", 0.33, None), ("twist b", 0.67, None)], &[0.33, 0.67], 0.0),
        // One is the child of the other; the hand is the child of neither.
        (&[("twist a", 0.25, None), ("twist b", 0.75, Some(0))], &[0.25, 0.75], 0.0),
        // A chain of two, and a sibling.
        (&[("a", 0.25, None), ("b", 0.5, Some(0)), ("beside", 0.75, None)], &[0.25, 0.5, 0.75], 0.0),
    ];
    for (own, shares, of_forearm) in cases {
        let (solver, figure, reference, added) = with_twist_bones(own);
        assert_eq!(figure.twist_bones[0].len(), shares.len());
        let [_, forearm, hand] = figure.limbs[0];
        for degrees in [-100.0f32, -30.0, 40.0, 120.0] {
            let along = (reference[hand].position - reference[forearm].position).normalize();
            let twist = Quat::from_axis_angle(along, degrees.to_radians());
            let mut settings = Settings::default();
            let asked = settings.effector_mut(Effector::LeftHand);
            // The target is at the hand's place in the reference pose, with another rotation.
            (asked.position, asked.position_weight) = (Some(reference[hand].position), 1.0);
            (asked.rotation, asked.rotation_weight) = (Some(twist * reference[hand].rotation), 1.0);
            let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
            let solve_with = |modifiers: &mut [&mut dyn Modify]| {
                let mut pose = reference.clone();
                solve(&solver, &mut solver.workspace(), &settings.clone(), modifiers, &seen, &mut pose).unwrap();
                pose
            };
            let mut arm = Running::new(Modifier::ArmBending(ArmBending { hand: 0.0, ..ArmBending::default() }));
            let bent =
                Running::new(Modifier::ArmBending(ArmBending { hand: 0.0, twist: 0.0, ..ArmBending::default() }));
            let before = solve_with(&mut [&mut bent.clone()]);
            let after = solve_with(&mut [&mut arm]);
            let along = (before[hand].position - before[forearm].position).normalize();
            let twisted = |bone: BoneIndex| {
                let turn = after[bone].rotation * before[bone].rotation.conjugate();
                let turn = if turn.w < 0.0 { -turn } else { turn };
                (2.0 * turn.xyz().dot(along).atan2(turn.w)).to_degrees()
            };
            // The twist between forearm and hand after write, in degrees. The shares are fractions of it.
            let rest = reference[forearm].rotation.conjugate() * reference[hand].rotation;
            let whole = before[hand].rotation * (before[forearm].rotation * rest).conjugate();
            let whole = if whole.w < 0.0 { -whole } else { whole };
            let whole = (2.0 * whole.xyz().dot(along).atan2(whole.w)).to_degrees();
            assert!(whole.abs() > 8.0, "{degrees}: {whole}");
            assert!(twisted(hand).abs() < 0.1 && after[hand].position.distance(before[hand].position) < 1e-4);
            assert!((twisted(forearm) - of_forearm * whole).abs() < 0.5, "{degrees}: {} of {whole}", twisted(forearm));
            for (&bone, &share) in added.iter().zip(shares) {
                assert!(
                    (twisted(bone) - share * whole).abs() < 0.5,
                    "{own:?} at {share}: {} of {whole}",
                    twisted(bone)
                );
            }
        }
    }
}

/// Pushes one node by [`PUSH`] at one of [`Stage::HOOKS`].
struct Pusher(Stage, Node);

const PUSH: Vec3 = Vec3::new(0.0, 0.06, 0.05);

impl Hooks for Pusher {
    fn acts_at(&self, stage: Stage) -> bool {
        stage == self.0
    }

    fn act(&self, _: Step, _: &Frame, nodes: &mut Pushing) {
        nodes.push(Author { index: 0, name: "pusher" }, self.1, PUSH);
    }
}

/// The effects on nodes that the table in `full_body::hooks` documents.
#[test]
fn pushing_a_node_has_the_documented_effect() {
    let solver = &built_in().solver;
    let standing = built_in().pose("walk", 0.3);
    let mut settings = Settings::default();
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        settings.effector_mut(foot).position_weight = 1.0;
    }
    let nodes = |hooks: Option<&dyn Hooks>| -> State {
        let (frame, mut state) = solver.read(&mut solver.workspace(), &settings, &standing).unwrap();
        stepped::solve(&mut HookedSolve::new(&frame, hooks), &mut state);
        state
    };
    let expected = nodes(None);
    let moved =
        |stage: Stage, node: Node, of: Node| nodes(Some(&Pusher(stage, node))).node(of).distance(expected.node(of));
    let nowhere = 1e-5;
    let all = |stage: Stage, node: Node| Node::ALL.into_iter().map(|of| moved(stage, node, of)).fold(0.0, f32::max);
    for hand in [Node::LeftHand, Node::RightFoot] {
        for stage in [Stage::BeforeSolve, Stage::BeforeIteration, Stage::AfterIteration, Stage::BeforeBend] {
            assert!(all(stage, hand) < nowhere, "{hand:?} pushed at {stage:?}: {}", all(stage, hand));
        }
        assert!((moved(Stage::BeforeWrite, hand, hand) - PUSH.length()).abs() < nowhere);
    }
    for node in [Node::LeftUpperArm, Node::Body] {
        for stage in [Stage::BeforeSolve, Stage::BeforeIteration] {
            assert!(moved(stage, node, node) > 0.005, "{node:?} pushed at {stage:?}: {}", moved(stage, node, node));
        }
        for stage in [Stage::BeforeBend, Stage::BeforeWrite] {
            assert!((moved(stage, node, node) - PUSH.length()).abs() < nowhere, "{node:?} pushed at {stage:?}");
        }
    }
    for elbow in [Node::LeftForearm, Node::RightCalf] {
        assert!(all(Stage::BeforeBend, elbow) < nowhere, "{}", all(Stage::BeforeBend, elbow));
        assert!((moved(Stage::BeforeWrite, elbow, elbow) - PUSH.length()).abs() < nowhere);
    }
}

/// Returns settings for a weapon in both hands: the leading hand's target is `lengths` arm lengths from its shoulder,
/// the other hand's target is displaced from it by `apart`.
fn weapon(lead: Side, lengths: f32, direction: Vec3, apart: Vec3) -> Settings {
    let standing = built_in().reference();
    let arm = figure().limbs[lead as usize].map(|bone| standing[bone].position);
    let length = arm[0].distance(arm[1]) + arm[1].distance(arm[2]);
    let place = arm[0] + direction.normalize() * length * lengths;
    let mut settings = Settings::default();
    let hands = [Effector::LeftHand, Effector::RightHand];
    let (lead, other) = (hands[lead as usize], hands[1 - lead as usize]);
    for (hand, place) in [(lead, place), (other, place + apart)] {
        let own = settings.effector_mut(hand);
        (own.position, own.position_weight) = (Some(place), 1.0);
    }
    for fixed in [Effector::Body, Effector::LeftFoot, Effector::RightFoot] {
        settings.effector_mut(fixed).position_weight = 1.0;
    }
    settings
}

/// The leading hand's target is 0.5 to 1.7 arm lengths away. Where it is out of reach, the other hand must follow to
/// where the leading hand stops.
#[test]
fn the_other_hand_holds_on_where_the_leading_hand_ends_up() {
    let standing = built_in().reference();
    let (mut before, mut after, mut beyond) = (0.0f32, 0.0f32, 0);
    for lead in Side::ALL {
        let (arm, other) = (lead as usize, 1 - lead as usize);
        let inward = if lead == Side::Right { 1.0 } else { -1.0 };
        for (index, lengths) in [0.5f32, 0.8, 1.0, 1.1, 1.25, 1.4, 1.7].into_iter().enumerate() {
            for up in [-0.5, 0.0, 0.4] {
                let direction = Vec3::new(0.35 * inward, up, 1.0);
                let apart = Vec3::new(0.05 * inward, 0.02, 0.12 + 0.04 * index as f32);
                let settings = weapon(lead, lengths, direction, apart);
                let own = TwoHandedGrip { hand: lead, turns: 0.0, rotation_weight: 0.0, ..TwoHandedGrip::default() };
                let off = TwoHandedGrip { off: true, ..own.clone() };
                let [without, with] =
                    [off, own].map(|own| solved_with(Modifier::TwoHandedGrip(own), &settings, standing));
                let hand = |pose: &[RigidTransform], arm: usize| pose[figure().limbs[arm][2]].position;
                let missed = |pose: &[RigidTransform]| hand(pose, other).distance(hand(pose, arm) + apart);
                before = before.max(missed(&without));
                let [shoulder, elbow, wrist] = figure().limbs[other].map(|bone| with[bone].position);
                let bones = figure().limbs[other].map(|bone| standing[bone].position);
                let lengths = [shoulder.distance(elbow), elbow.distance(wrist)];
                for (found, wanted) in
                    lengths.into_iter().zip([bones[0].distance(bones[1]), bones[1].distance(bones[2])])
                {
                    assert!((found - wanted).abs() < 1e-5, "bones keep their lengths: {found} {wanted}");
                }
                let (length, grip) = (lengths[0] + lengths[1], hand(&with, arm) + apart);
                if shoulder.distance(grip) <= length {
                    after = after.max(missed(&with));
                    continue;
                }
                // The grip is out of the arm's reach: the hand is on the line to it, at the arm's length.
                beyond += 1;
                let straight = shoulder + (grip - shoulder).normalize() * length;
                assert!(wrist.distance(straight) < 1e-4, "{wrist} {straight}");
                assert!((missed(&with) - (shoulder.distance(grip) - length)).abs() < 1e-4);
            }
        }
    }
    println!("off the grip: {:.1} mm before, {:.4} mm after; {beyond} beyond reach", before * 1e3, after * 1e3);
    assert!(before > 0.09, "{before}");
    assert!(after < 1e-3, "{after}");
}

/// The grip is fixed to the leading hand and turns with it, also when recoil turns that hand after write.
#[test]
fn a_grip_that_is_fixed_to_the_leading_hand_turns_with_it() {
    let standing = built_in().reference();
    let settings = weapon(Side::Right, 1.15, Vec3::new(0.3, -0.1, 1.0), Vec3::new(0.05, 0.0, 0.15));
    let grip = RigidTransform { position: Vec3::new(0.1, 0.04, 0.06), rotation: Quat::from_rotation_y(0.7) };
    let own =
        TwoHandedGrip { position: Some(grip.position), rotation: Some(grip.rotation), ..TwoHandedGrip::default() };
    let solver = &built_in().solver;
    let mut recoil = Running::new(Modifier::Recoil(Recoil { rise: 30.0, ..Recoil::default() }));
    let mut running = Running::new(Modifier::TwoHandedGrip(own.clone()));
    let mut most = 0.0f32;
    for frame in 0..12 {
        if frame == 1 {
            recoil.trigger();
        }
        let mut pose = standing.to_vec();
        let modifiers: &mut [&mut dyn Modify] = &mut [&mut recoil, &mut running];
        solve(solver, &mut solver.workspace(), &settings, modifiers, &seen(0.02, 0.0), &mut pose).unwrap();
        let [left, right] = hands();
        let (found, shoulder) = (pose[right].to_local(&pose[left]), pose[figure().limbs[0][0]].position);
        let arm = figure().limbs[0].map(|bone| standing[bone].position);
        let length = arm[0].distance(arm[1]) + arm[1].distance(arm[2]);
        assert!(shoulder.distance(pose[right].transform(&grip).position) < length, "within reach in frame {frame}");
        assert!(found.position.distance(grip.position) < 1e-3, "frame {frame}: {found:?}");
        assert!(found.rotation.dot(grip.rotation).abs() > 1.0 - 1e-6, "frame {frame}: {found:?}");
        most = most.max(pose[right].position.distance(standing[right].position));
    }
    assert!(most > 0.1);
    // The effect fades with the master weight; at 0 the pose is unchanged, bit for bit.
    let mut gaps = Vec::new();
    for master in [1.0, 0.5, 0.0] {
        let mut settings = settings;
        settings.solver.weight = master;
        let pose = solved_with(Modifier::TwoHandedGrip(own.clone()), &settings, standing);
        let [left, right] = hands();
        gaps.push(pose[left].position.distance(pose[right].transform(&grip).position));
        assert_eq!(master == 0.0, pose == standing, "{master}");
    }
    assert!(gaps[0] < 1e-3 && gaps[1] > 1e-3 && gaps[2] > gaps[1], "{gaps:?}");
}
