use glam::{Quat, Vec3};
use proptest::prelude::*;

use kinescope::tools::pose::{EffectorSet, Mirror, copy, paste, spread_to};
use kinescope_ik::full_body::{Effector, EffectorSettings, Settings};
use kinescope_ik::rig::LimbName;

fn mirror() -> Mirror {
    let mut reference = [Quat::IDENTITY; Effector::COUNT];
    // The reference rotations of left and right are not mirror images of each other, as in exported models.
    reference[Effector::LeftHand as usize] = Quat::from_rotation_z(0.4) * Quat::from_rotation_x(1.0);
    reference[Effector::RightHand as usize] = Quat::from_rotation_y(2.0);
    Mirror { point: Vec3::new(0.3, 1.0, 0.0), left: Vec3::X, reference }
}

fn posed() -> Settings {
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.8, 1.4, 0.2)), 0.75);
    hand.rotation = Some(Quat::from_rotation_y(0.6) * Quat::from_rotation_z(0.4) * Quat::from_rotation_x(1.0));
    hand.rotation_weight = 0.5;
    let arm = settings.chain_mut(LimbName::LeftArm);
    (arm.bend_goal, arm.bend_weight, arm.pull) = (Some(Vec3::new(0.5, 1.0, -0.5)), 1.0, 0.25);
    settings
}

#[test]
fn a_mirrored_pose_has_left_and_right_exchanged() {
    let (mirror, settings) = (mirror(), posed());
    let mirrored = mirror.pose(&settings);
    let hand = mirrored.effector(Effector::RightHand);
    assert!(hand.position.unwrap().distance(Vec3::new(-0.2, 1.4, 0.2)) < 1e-6);
    assert_eq!((hand.position_weight, hand.rotation_weight), (0.75, 0.5));
    // The left hand was turned by 0.6 rad about the vertical, so the right hand turns by −0.6 rad.
    let expected = Quat::from_rotation_y(-0.6) * mirror.reference[Effector::RightHand as usize];
    assert!(hand.rotation.unwrap().angle_between(expected) < 1e-3);
    assert_eq!(mirrored.effector(Effector::LeftHand), &EffectorSettings::default());
    let arm = mirrored.chain(LimbName::RightArm);
    assert!(arm.bend_goal.unwrap().distance(Vec3::new(0.1, 1.0, -0.5)) < 1e-6);
    // A pose does not include pull.
    assert_eq!((arm.pull, mirrored.chain(LimbName::LeftArm).pull), (1.0, 0.25));
    let back = mirror.pose(&mirrored);
    assert!(
        back.effector(Effector::LeftHand)
            .rotation
            .unwrap()
            .angle_between(settings.effector(Effector::LeftHand).rotation.unwrap())
            < 1e-3
    );
}

#[test]
fn what_is_done_to_one_of_several_is_done_to_all() {
    let both = EffectorSet::default().with(Effector::LeftHand).with(Effector::RightFoot);
    let before = posed();
    let mut after = before;
    let hand = after.effector_mut(Effector::LeftHand);
    hand.position = Some(hand.position.unwrap() + Vec3::Y * 0.1);
    let stands = |_| (Vec3::new(-0.1, 0.1, 0.0), Quat::IDENTITY);
    spread_to(both, &before, &mut after, stands);
    let foot = after.effector(Effector::RightFoot);
    assert!(foot.position.unwrap().distance(Vec3::new(-0.1, 0.2, 0.0)) < 1e-6);
    assert_eq!(foot.position_weight, 1.0);
    let before = after;
    after.effector_mut(Effector::LeftHand).position_weight = 0.2;
    spread_to(both, &before, &mut after, stands);
    assert_eq!(after.effector(Effector::RightFoot).position_weight, 0.2);
    // Editing an effector outside the selection changes no other effector.
    let before = after;
    after.effector_mut(Effector::Body).position_weight = 0.9;
    spread_to(both, &before, &mut after, stands);
    assert_eq!(after.effector(Effector::RightFoot).position_weight, 0.2);
}

#[test]
fn with_the_mirror_on_the_other_side_follows() {
    let before = Settings::default();
    let mut after = posed();
    mirror().spread(&before, &mut after);
    assert!(after.effector(Effector::RightHand).position.is_some());
    assert_eq!(after.chain(LimbName::RightArm).pull, 0.25);
    assert_eq!(after.effector(Effector::LeftFoot), before.effector(Effector::LeftFoot));
}

#[test]
fn a_pose_survives_being_copied() {
    let settings = posed();
    let mut other = Settings::default();
    other.chain_mut(LimbName::LeftArm).pull = 0.5;
    paste(&mut other, &copy(&settings)).unwrap();
    assert_eq!(other.effectors, settings.effectors);
    assert_eq!(other.chain(LimbName::LeftArm).bend_goal, settings.chain(LimbName::LeftArm).bend_goal);
    assert_eq!(other.chain(LimbName::LeftArm).pull, 0.5);
    assert!(paste(&mut other, "some words").is_err());
}

proptest! {
    #[test]
    fn mirroring_twice_changes_nothing(x in -3.0f32..3.0, y in -3.0f32..3.0, angle in -3.0f32..3.0) {
        let mirror = mirror();
        let at = Vec3::new(x, y, 0.5);
        prop_assert!(mirror.position(mirror.position(at)).distance(at) < 1e-5);
        let turn = Quat::from_axis_angle(at.normalize(), angle);
        let there = mirror.rotation(Effector::LeftHand, turn);
        prop_assert!(mirror.rotation(Effector::RightHand, there).angle_between(turn) < 2e-3);
    }
}

mod handles {
    use glam::{Vec2, Vec3};

    use kinescope::picture::camera::{Camera, Viewport};
    use kinescope::tools::pose::handles::{HandleDrag, HandleId, Room, handle_at, handles, place};
    use kinescope_ik::full_body::{Effector, Frame, Node, Settings, State};
    use kinescope_ik::rig::LimbName;

    const VIEWPORT: Viewport = Viewport { min: Vec2::ZERO, size: Vec2::new(800.0, 600.0) };

    #[test]
    fn a_drag_does_not_jump_and_follows() {
        let projector = Camera::default().projector(VIEWPORT);
        let mut state = State::default();
        state.set_node(Node::LeftHand, Vec3::new(0.3, 1.1, 0.2));
        let all = handles(&Frame::default(), &state, &Settings::default(), &projector, 1.8, false);
        let hand = all.iter().find(|handle| handle.id == HandleId::Effector(Effector::LeftHand)).unwrap();
        let grabbed = hand.screen + Vec2::new(5.0, -3.0);
        assert_eq!(handle_at(&all, grabbed).unwrap().id, hand.id);
        let drag = HandleDrag::start(hand, grabbed, &projector);
        assert!(drag.position(grabbed, &projector).distance(hand.position) < 1e-5);
        let moved = drag.position(grabbed + Vec2::new(40.0, 10.0), &projector);
        assert!(projector.to_screen(moved).unwrap().distance(hand.screen + Vec2::new(40.0, 10.0)) < 0.1);
    }

    #[test]
    fn an_offset_that_is_refused_is_named_with_its_own_range() {
        let room = Room::of(Vec3::new(50.0, 0.0, 0.0), 1.0);
        let mut settings = Settings::default();
        settings.effector_mut(Effector::LeftHand).position_offset.x = -60.0;
        assert_eq!(room.refuses_settings(&Settings::default(), &settings), None);
        settings.effector_mut(Effector::LeftHand).position_offset.x = 101.0;
        let refused = room.refuses_settings(&Settings::default(), &settings).unwrap();
        assert_eq!(refused, "left hand offset: x is 101, the allowed range in the window is -100.0000 to 100.0000");
    }

    #[test]
    fn points_of_a_path_count_from_one_on_screen() {
        let first = HandleId::PathPoint(0);
        assert_eq!((first.name().as_str(), first.key().as_str()), ("point 1 of the path", "path_0"));
    }

    #[test]
    fn placing_gives_weight_only_where_there_was_none() {
        let mut settings = Settings::default();
        settings.effector_mut(Effector::LeftFoot).position_weight = 0.4;
        place(&mut settings, HandleId::Effector(Effector::LeftFoot), Vec3::X);
        place(&mut settings, HandleId::Effector(Effector::LeftHand), Vec3::X);
        place(&mut settings, HandleId::BendGoal(LimbName::LeftArm), Vec3::Y);
        assert_eq!(settings.effector(Effector::LeftFoot).position_weight, 0.4);
        assert_eq!(settings.effector(Effector::LeftHand).position_weight, 1.0);
        assert_eq!(settings.chain(LimbName::LeftArm).bend_goal, Some(Vec3::Y));
        assert_eq!(settings.chain(LimbName::LeftArm).bend_weight, 1.0);
    }
}
