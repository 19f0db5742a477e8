//! The plugin in an app without a window: the engine's own schedule, hierarchy and transforms.

mod characters;
#[path = "../../examples/walk.rs"]
mod walk;
mod window;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use bevy_app::{AnimationSystems, App, PostUpdate, Startup};
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_time::TimePlugin;
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use kinescope_bevy::{BendGoal, EffectorTarget, FindRig, Ik, KinescopePlugin, Link, Rig, RigProblem};
use kinescope_ik::game_recording::{Line, Reader};
use kinescope_ik::glam::{Quat, Vec3};
use kinescope_ik::{Effector, LimbName, Role, Status};

const BONES: [(&str, Option<usize>, [f32; 3]); 17] = [
    ("pelvis", None, [0.0, 1.0, 0.0]),
    ("spine", Some(0), [0.0, 1.15, 0.0]),
    ("chest", Some(1), [0.0, 1.35, -0.01]),
    ("head", Some(2), [0.0, 1.6, 0.0]),
    ("left upper arm", Some(2), [0.18, 1.46, 0.0]),
    ("left forearm", Some(4), [0.44, 1.42, -0.03]),
    ("left hand", Some(5), [0.68, 1.41, 0.04]),
    ("right upper arm", Some(2), [-0.18, 1.46, 0.0]),
    ("right forearm", Some(7), [-0.44, 1.42, -0.03]),
    ("right hand", Some(8), [-0.68, 1.41, 0.04]),
    ("left thigh", Some(0), [0.1, 0.95, 0.0]),
    ("left calf", Some(10), [0.11, 0.52, 0.05]),
    ("left foot", Some(11), [0.11, 0.09, -0.02]),
    ("right thigh", Some(0), [-0.1, 0.95, 0.0]),
    ("right calf", Some(13), [-0.11, 0.52, 0.05]),
    ("right foot", Some(14), [-0.11, 0.09, -0.02]),
    // Has no role, but its parent has one.
    ("sword", Some(9), [-0.75, 1.41, 0.3]),
];
const LEFT_HAND: usize = 6;

#[derive(Resource)]
struct Person {
    root: Entity,
    bones: Vec<Entity>,
}

fn spawn(world: &mut World, place: Transform, scale: f32) -> Person {
    let root = world.spawn((place, FindRig, Ik::default(), Name::new("player"))).id();
    let mut bones: Vec<Entity> = Vec::new();
    for (name, parent, at) in BONES {
        let from = parent.map_or(Vec3::ZERO, |parent| Vec3::from(BONES[parent].2));
        let scale = if parent.is_none() { Vec3::splat(scale) } else { Vec3::ONE };
        let transform = Transform { translation: Vec3::from(at) - from, scale, ..Transform::default() };
        let above = parent.map_or(root, |parent| bones[parent]);
        bones.push(world.spawn((Name::new(name), transform, ChildOf(above))).id());
    }
    Person { root, bones }
}

fn app(plugin: KinescopePlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, plugin));
    app
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation()
}

#[test]
fn a_hand_follows_an_entity_in_the_same_frame_wherever_the_character_stands() {
    for (turn, scale) in [(0.0, 1.0), (2.2, 1.0), (-0.7, 1.3)] {
        let mut app = app(KinescopePlugin::default());
        let place_of = Transform::from_xyz(7.0, 2.0, -3.0).with_rotation(Quat::from_rotation_y(turn));
        let person = spawn(app.world_mut(), place_of, scale);
        let target = place_of.transform_point(Vec3::new(0.45, 1.3, 0.4) * scale);
        // The target is the child of a moving entity.
        let cart = app.world_mut().spawn(Transform::from_translation(target)).id();
        let follow = EffectorTarget::new(person.root, Effector::LeftHand);
        app.world_mut().spawn((Transform::default(), ChildOf(cart), follow));
        app.update();
        app.update();
        let rig = app.world().get::<Rig>(person.root).expect("the rig is detected by bone names");
        assert_eq!(rig.status(), Some(Ok(Status::Solved)));
        let hand = rig.biped().bones_of(Role::LeftHand)[0];
        assert_eq!(rig.bones()[hand], person.bones[LEFT_HAND]);
        for step in 0..20 {
            let target = target + Vec3::new(0.0, 0.005 * step as f32, 0.0);
            app.world_mut().get_mut::<Transform>(cart).unwrap().translation = target;
            app.update();
            // Not a frame late: the hand is where the engine draws the target.
            let away = place(&app, person.bones[LEFT_HAND]).distance(target);
            assert!(away < 0.02 * scale, "turned by {turn}, scale {scale}, step {step}: {away}");
        }
        // A bone without a role is not written, and follows its parent.
        let sword = app.world().get::<Transform>(person.bones[16]).unwrap();
        assert_eq!(sword.translation, Vec3::from(BONES[16].2) - Vec3::from(BONES[9].2));
    }
}

#[test]
fn without_animation_solves_do_not_accumulate_and_weight_zero_restores_the_pose() {
    let mut app = app(KinescopePlugin::default());
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    let before: Vec<Transform> =
        person.bones.iter().map(|&bone| *app.world().get::<Transform>(bone).unwrap()).collect();
    app.update();
    let set =
        |app: &mut App, change: &dyn Fn(&mut Ik)| change(&mut app.world_mut().get_mut::<Ik>(person.root).unwrap());
    set(&mut app, &|ik| {
        let hand = ik.effector(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.2, 0.5)), 0.7);
    });
    app.update();
    let once = place(&app, person.bones[LEFT_HAND]);
    (0..50).for_each(|_| app.update());
    assert_eq!(place(&app, person.bones[LEFT_HAND]), once);
    // An offset applies to one frame.
    set(&mut app, &|ik| ik.effector(Effector::Body).position_offset = Vec3::new(0.0, -0.1, 0.0));
    app.update();
    assert!(place(&app, person.bones[2]).y < 1.31);
    app.update();
    assert_eq!(place(&app, person.bones[LEFT_HAND]), once);
    set(&mut app, &|ik| ik.effector(Effector::Body).position_offset.x = f32::NAN);
    app.update();
    assert!(app.world().get::<Rig>(person.root).unwrap().status().unwrap().is_err());
    let pose = |app: &App| -> Vec<Transform> {
        person.bones.iter().map(|&bone| *app.world().get::<Transform>(bone).unwrap()).collect()
    };
    assert_eq!(before, pose(&app));
    set(&mut app, &|ik| ik.0.solver.weight = 0.0);
    app.update();
    assert_eq!(before, pose(&app));
}

#[test]
fn the_plugin_runs_after_the_animation() {
    let mut app = app(KinescopePlugin::default());
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    let (root, chest) = (person.root, person.bones[2]);
    app.insert_resource(person);
    // Sets local transforms in every frame, as an animation player does.
    let animate = |person: Res<Person>, mut bones: Query<&mut Transform>, mut frame: Local<u32>| {
        let mut pelvis = bones.get_mut(person.bones[0]).unwrap();
        pelvis.translation.y = 1.0 - 0.01 * (*frame % 10) as f32;
        *frame += 1;
    };
    app.add_systems(PostUpdate, animate.in_set(AnimationSystems));
    let goal = BendGoal { character: root, limb: LimbName::LeftArm, weight: 1.0 };
    app.world_mut().spawn((Transform::from_xyz(0.5, 0.5, -0.5), goal));
    app.world_mut().spawn((Transform::from_xyz(0.4, 1.2, 0.4), EffectorTarget::new(root, Effector::LeftHand)));
    for frame in 0..30 {
        app.update();
        let rig = app.world().get::<Rig>(root).unwrap();
        let [animated, _] = rig.poses();
        assert!((animated[0].position.y - (1.0 - 0.01 * (frame % 10) as f32)).abs() < 1e-6, "frame {frame}");
        assert_eq!(rig.settings().chain(LimbName::LeftArm).bend_goal, Some(Vec3::new(0.5, 0.5, -0.5)));
        assert!(place(&app, chest).is_finite());
    }
}

#[test]
fn a_clip_with_rotations_only_does_not_sink() {
    let mut app = app(KinescopePlugin::default());
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    let (root, bones) = (person.root, person.bones.clone());
    app.insert_resource(person);
    let animate = |person: Res<Person>, mut bones: Query<&mut Transform>, mut frame: Local<u32>| {
        for &bone in &person.bones {
            bones.get_mut(bone).unwrap().rotation = Quat::from_rotation_y(0.01 * (*frame % 2) as f32);
        }
        *frame += 1;
    };
    app.add_systems(PostUpdate, animate.in_set(AnimationSystems));
    let sink = |app: &mut App| {
        app.world_mut().get_mut::<Ik>(root).unwrap().effector(Effector::Body).position_offset.y = -0.1;
        app.update();
        place(app, bones[2]).y
    };
    app.update();
    sink(&mut app);
    let height = sink(&mut app);
    (0..60).for_each(|_| drop(sink(&mut app).to_string()));
    assert!((sink(&mut app) - height).abs() < 0.01, "{height}, then {}", sink(&mut app));
}

#[test]
fn a_missing_biped_is_reported_until_one_appears() {
    let mut app = app(KinescopePlugin::default());
    let root = app.world_mut().spawn((Transform::default(), FindRig)).id();
    app.world_mut().spawn((Name::new("wheel"), Transform::default(), ChildOf(root)));
    app.update();
    let problem = app.world().get::<RigProblem>(root).expect("a wheel is not a biped");
    assert!(problem.why.contains("no biped was found"), "{}", problem.why);
    assert!(app.world().get::<Rig>(root).is_none());
    // As with scenes, the character is spawned later than its root: the plugin searches again.
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    app.world_mut().entity_mut(person.bones[0]).insert(ChildOf(root));
    app.update();
    assert!(app.world().get::<Rig>(root).is_some());
    // Despawning a bone is not an error.
    app.world_mut().entity_mut(person.bones[5]).despawn();
    app.update();
    app.world_mut().entity_mut(root).despawn();
    app.update();
}

#[test]
fn frames_go_to_a_listening_window_and_edits_come_back() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let window = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"{\"kinescope\":1}\n").unwrap();
        let mut sent = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        // Settings for a character that has not joined yet are ignored, so the window waits for its first frame.
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.contains(r#""frame":"#)) {
            lines.push(sent.next().unwrap());
        }
        let parameters = r#"{"solver":{},"chains":{"left_arm":{"pull":0.25}},"effectors":{}}"#;
        writeln!(stream, "{{\"character\":\"player\",\"parameters\":{parameters}}}").unwrap();
        lines.extend(sent);
        lines
    });
    let mut app = app(KinescopePlugin::default().sending_to(&address));
    app.add_systems(Startup, |mut commands: Commands| {
        commands.queue(|world: &mut World| {
            let person = spawn(world, Transform::from_xyz(3.0, 0.0, 0.0), 1.0);
            world.spawn((Transform::from_xyz(3.4, 1.2, 0.4), EffectorTarget::new(person.root, Effector::LeftHand)));
            world.insert_resource(person);
        });
    });
    let begun = Instant::now();
    let root = loop {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
        let root = app.world().resource::<Person>().root;
        if app.world().get::<Ik>(root).unwrap().0.chain(LimbName::LeftArm).pull == 0.25 {
            break root;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", app.world().resource::<Link>());
    };
    (0..20).for_each(|_| app.update());
    assert!(app.world().resource::<Link>().is_connected());
    // Targets driven by entities are not tuned.
    assert_eq!(app.world().get::<Ik>(root).unwrap().0.effector(Effector::LeftHand).position, None);
    let solved = app.world().get::<Rig>(root).unwrap().poses()[1].to_vec();
    drop(app);
    let lines = window.join().unwrap();
    let mut reader = Reader::new();
    let read = lines.iter().filter_map(|line| reader.read(line).unwrap());
    let frames: Vec<_> =
        read.filter_map(|line| if let Line::Frame(frame) = line { Some(frame) } else { None }).collect();
    let last = frames.last().unwrap();
    assert_eq!(last.parameters.chain(LimbName::LeftArm).pull, 0.25);
    assert_eq!(last.parameters.effector(Effector::LeftHand).position_weight, 1.0);
    assert_eq!(last.result.as_ref().unwrap(), &solved);
    assert!(frames.windows(2).all(|pair| pair[0].time <= pair[1].time && pair[0].frame < pair[1].frame));
}

#[cfg(feature = "gizmos")]
#[test]
fn a_solve_is_drawn() {
    use bevy_gizmos::config::DefaultGizmoConfigGroup;
    use bevy_gizmos::gizmos::GizmoBuffer;
    use kinescope_bevy::{Modifiers, ShowSolve, draw};
    use kinescope_ik::modifiers::{ArmBending, Modifier};

    let mut app = app(KinescopePlugin::default());
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    app.world_mut().entity_mut(person.root).insert(ShowSolve);
    // The app has no gizmo plugin, so the plugin draws nothing. The update must not fail.
    app.update();
    let mut buffer = GizmoBuffer::<DefaultGizmoConfigGroup, ()>::default();
    let at = GlobalTransform::from_xyz(10.0, 0.0, 0.0);
    draw(app.world().get::<Rig>(person.root).unwrap(), at, &mut buffer);
    assert!(buffer.list_positions.len() > 60, "{}", buffer.list_positions.len());
    assert!(buffer.list_positions.iter().all(|place| (place.x - 10.0).abs() < 1.5));
    // A modifier between the stages does not change what is drawn, except the bend directions that it sets.
    let modifiers = Modifiers::new([Modifier::ArmBending(ArmBending::default())]);
    app.world_mut().entity_mut(person.root).insert(modifiers);
    app.update();
    let mut bent = GizmoBuffer::<DefaultGizmoConfigGroup, ()>::default();
    draw(app.world().get::<Rig>(person.root).unwrap(), at, &mut bent);
    assert_eq!(bent.list_positions.len(), buffer.list_positions.len());
    assert_ne!(bent.list_positions, buffer.list_positions);
    // The pose is the one of a character that is not drawn.
    let drawn = app.world().get::<Rig>(person.root).unwrap().poses()[1].to_vec();
    app.world_mut().entity_mut(person.root).remove::<ShowSolve>();
    app.update();
    assert_eq!(app.world().get::<Rig>(person.root).unwrap().poses()[1], drawn);
}
