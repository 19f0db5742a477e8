//! Log, reflection, modifiers, grounding, many characters, bind poses, and a bug that a listening window finds.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy_app::{App, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_reflect::{FromReflect, GetPath, PartialReflect};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::{GlobalTransform, Transform};
use kinescope_bevy::{
    BendGoal, EffectorTarget, FindRig, Grounding, Ik, KinescopePlugin, KinescopeSystems, Link, Modifiers, Rig,
    WorldGround,
};
use kinescope_ik::game_recording::{GameSolver, Line, Reader};
use kinescope_ik::glam::{Quat, Vec3};
use kinescope_ik::modifiers::{LookAt, Modifier, Recoil, TwoHandedGrip};
use kinescope_ik::{Effector, LimbName, Role, Status, Terrain, trace_diff};
use tracing::span;

use crate::{BONES, LEFT_HAND, Person, app, place, spawn, walk};

#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

struct Text<'a>(&'a mut String);

impl tracing::field::Visit for Text<'_> {
    fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        *self.0 += &format!("{value:?}");
    }
}

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &span::Attributes) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event) {
        let mut text = String::new();
        event.record(&mut Text(&mut text));
        self.0.lock().unwrap().push(text);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn problems_are_logged_once() {
    let warnings = Warnings::default();
    tracing::subscriber::with_default(warnings.clone(), || {
        let mut app = app(KinescopePlugin::default().sending_to("no port"));
        let wheel = app.world_mut().spawn((Transform::default(), FindRig)).id();
        app.world_mut().spawn((Transform::default(), ChildOf(wheel)));
        let person = spawn(app.world_mut(), Transform::default(), 1.0);
        app.update();
        app.update();
        for _ in 0..3 {
            let mut ik = app.world_mut().get_mut::<Ik>(person.root).unwrap();
            ik.effector(Effector::Body).position_offset.x = f32::NAN;
            app.update();
        }
    });
    let texts = warnings.0.lock().unwrap().clone();
    assert_eq!(texts.len(), 3, "{texts:#?}");
    for piece in ["no rig below entity", "sends nothing to no port", "keeps its animated pose: "] {
        assert!(texts.iter().any(|text| text.contains(piece)), "{piece}: {texts:#?}");
    }
}

#[test]
fn components_are_registered_and_edited_by_reflection() {
    let mut app = app(KinescopePlugin::default());
    let person = spawn(app.world_mut(), Transform::default(), 1.0);
    let target = app.world_mut().spawn(EffectorTarget::new(person.root, Effector::LeftFoot)).id();
    let goal = BendGoal { character: person.root, limb: LimbName::RightLeg, weight: 1.0 };
    let goal = app.world_mut().spawn(goal).id();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for (entity, path, field) in [
        (target, "kinescope_bevy::components::EffectorTarget", "position_weight"),
        (goal, "kinescope_bevy::components::BendGoal", "weight"),
    ] {
        let component = registry.get_with_type_path(path).expect(path).data::<ReflectComponent>().unwrap();
        let mut entity = app.world_mut().entity_mut(entity);
        let mut own = component.reflect_mut(&mut entity).unwrap();
        let weight = own.reflect_mut().as_struct().unwrap().field_mut(field).unwrap();
        *weight.try_downcast_mut::<f32>().unwrap() = 0.25;
    }
    assert_eq!(app.world().get::<EffectorTarget>(target).unwrap().position_weight, 0.25);
    assert_eq!(app.world().get::<BendGoal>(goal).unwrap().weight, 0.25);
    for name in ["FindRig", "Ik", "Modifiers", "Grounding"] {
        let path = format!("kinescope_bevy::components::{name}");
        let component = registry.get_with_type_path(&path).expect(name);
        assert!(component.data::<ReflectComponent>().is_some(), "{name}");
    }
}

#[test]
fn the_fields_of_settings_are_edited_by_reflection() {
    let mut ik = Ik::default();
    let mut expected = Ik::default();
    let mut set = |path: String, value: f32| *ik.path_mut::<f32>(path.as_str()).expect(&path) = value;
    for (index, limb) in LimbName::ALL.into_iter().enumerate() {
        let value = 0.1 + 0.1 * index as f32;
        let chain = expected.chain(limb);
        (chain.pull, chain.push, chain.reach) = (value, value + 0.01, value + 0.02);
        for (field, value) in [("pull", chain.pull), ("push", chain.push), ("reach", chain.reach)] {
            set(format!(".0.chains.{}.{field}", limb.key()), value);
        }
    }
    for (index, effector) in Effector::ALL.into_iter().enumerate() {
        expected.effector(effector).position_weight = 0.1 * index as f32;
        set(format!(".0.effectors.{}.position_weight", effector.key()), 0.1 * index as f32);
    }
    expected.0.solver.spine_stiffness = 0.25;
    set(".0.solver.spine_stiffness".to_owned(), 0.25);
    let target = Some(Vec3::new(0.4, 1.2, 0.5));
    expected.effector(Effector::LeftHand).position = target;
    *ik.path_mut::<Option<Vec3>>(".0.effectors.left_hand.position").unwrap() = target;
    assert_eq!(ik, expected);
    // A copy by reflection, as scenes make it.
    assert_eq!(Ik::from_reflect(ik.to_dynamic().unwrap().as_ref()), Some(expected));
}

/// Makes an app whose frames take 16 ms each.
fn timed_app() -> App {
    let mut app = app(KinescopePlugin::default());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
    app
}

fn bone(app: &App, person: &Person, role: Role) -> Entity {
    let rig = app.world().get::<Rig>(person.root).unwrap();
    rig.bones()[rig.biped().bones_of(role)[0]]
}

#[test]
fn modifiers_turn_the_head_and_kick_the_hand_and_end_with_the_component() {
    let mut app = timed_app();
    let person = spawn(app.world_mut(), Transform::from_xyz(2.0, 0.0, 1.0), 1.0);
    app.update();
    let before: Vec<Transform> =
        person.bones.iter().map(|&bone| *app.world().get::<Transform>(bone).unwrap()).collect();
    let (head, hand) = (bone(&app, &person, Role::Head), bone(&app, &person, Role::RightHand));
    let look = LookAt { target: Some(Vec3::new(3.0, 1.6, 1.0)), ..LookAt::default() };
    let modifiers = Modifiers::new([
        Modifier::LookAt(look),
        Modifier::Recoil(Recoil::default()),
        Modifier::TwoHandedGrip(TwoHandedGrip { off: true, ..TwoHandedGrip::default() }),
    ]);
    app.world_mut().entity_mut(person.root).insert(modifiers);
    for _ in 0..10 {
        app.update();
    }
    let turned = app.world().get::<GlobalTransform>(head).unwrap().rotation() * Vec3::Z;
    assert!(turned.x > 0.5, "{turned}");
    let quiet = place(&app, hand);
    app.world_mut().get_mut::<Modifiers>(person.root).unwrap().0[1].trigger();
    let mut kicked = 0.0_f32;
    for _ in 0..20 {
        app.update();
        kicked = kicked.max(place(&app, hand).distance(quiet));
    }
    assert!(kicked > 0.005, "{kicked}");
    app.world_mut().entity_mut(person.root).remove::<Modifiers>();
    app.update();
    app.update();
    for (&bone, before) in person.bones.iter().zip(before) {
        let own = app.world().get::<Transform>(bone).unwrap();
        assert!(own.rotation.angle_between(before.rotation) < 1e-3, "{own:?}, {before:?}");
    }
}

#[test]
fn feet_follow_the_ground_wherever_the_character_stands_and_however_large_it_is() {
    for (turn, scale) in [(1.5, 1.0), (2.2, 1.0), (-0.9, 1.4)] {
        let mut app = timed_app();
        let slope = Terrain::slope(0.5);
        let ground = |at: Vec3| slope.height_at(at.x, at.z).unwrap();
        let mut root = Transform::from_xyz(0.0, 0.0, 3.0).with_rotation(Quat::from_rotation_y(turn));
        root.translation.y = ground(root.translation);
        let person = spawn(app.world_mut(), root.with_scale(Vec3::splat(scale)), 1.0);
        app.world_mut().entity_mut(person.root).insert(Grounding::with_planted([1.0; 2]));
        app.update();
        let feet = [Role::LeftFoot, Role::RightFoot].map(|role| bone(&app, &person, role));
        // The heights of the soles above the ground.
        let off = |app: &App| feet.map(|foot| place(app, foot)).map(|at| at.y - ground(at) - 0.09 * scale);
        let most = |off: [f32; 2]| off[0].abs().max(off[1].abs());
        let before = off(&app);
        assert!(most(before) > 0.04, "turned by {turn}, scale {scale}: {before:?}");
        app.insert_resource(WorldGround::new(slope.at(0.0).unwrap()));
        for _ in 0..200 {
            app.update();
        }
        assert_eq!(app.world().get::<Rig>(person.root).unwrap().status(), Some(Ok(Status::Solved)));
        let after = off(&app);
        assert!(most(after) < 0.03 * scale, "turned by {turn}, scale {scale}: {before:?}, then {after:?}");
    }
}

#[test]
fn a_character_walks_over_hills() {
    // The mean distance of the sole of the lower foot from the ground.
    let off = |is_grounded: bool| {
        let mut app = walk::game(None);
        app.update();
        let (root, bones) = {
            let mut walkers = app.world_mut().query::<(Entity, &walk::Walker)>();
            let (root, walker) = walkers.iter(app.world()).next().unwrap();
            (root, walker.0.clone())
        };
        if !is_grounded {
            app.world_mut().entity_mut(root).remove::<Grounding>();
        }
        let mut sum = 0.0;
        for frame in 0..300 {
            app.update();
            assert_eq!(app.world().get::<Rig>(root).unwrap().status(), Some(Ok(Status::Solved)), "frame {frame}");
            let hills = &app.world().resource::<walk::Hills>().0;
            let height = |foot: usize| {
                let at = place(&app, bones[foot]);
                at.y - hills.height_at(at.x, at.z).unwrap() - walk::ANKLE
            };
            sum += height(12).min(height(16)).abs();
        }
        sum / 300.0
    };
    let (grounded, animated) = (off(true), off(false));
    assert!(grounded < 0.02 && grounded < 0.6 * animated, "{grounded} m, {animated} m without grounding");
}

#[test]
fn many_characters_have_the_poses_that_they_have_alone() {
    let poses = |count: usize| {
        let mut app = app(KinescopePlugin::default());
        let people: Vec<Person> = (0..count)
            .map(|index| {
                let person = spawn(app.world_mut(), Transform::from_xyz(index as f32, 0.0, 0.0), 1.0);
                let target = EffectorTarget::new(person.root, Effector::LeftHand);
                app.world_mut().spawn((Transform::from_xyz(index as f32 + 0.3, 1.2, 0.5), target));
                person
            })
            .collect();
        app.update();
        app.update();
        let rig = app.world().get::<Rig>(people[0].root).unwrap();
        assert_eq!(rig.status(), Some(Ok(Status::Solved)));
        assert!(
            place(&app, people[count - 1].bones[LEFT_HAND]).distance(Vec3::new(count as f32 - 0.7, 1.2, 0.5)) < 0.02
        );
        rig.poses()[1].to_vec()
    };
    let (alone, together) = (poses(1), poses(9));
    for (alone, together) in alone.iter().zip(&together) {
        assert!(alone.position.distance(together.position) < 1e-5, "{alone:?}, {together:?}");
    }
}

#[cfg(feature = "skins")]
#[test]
fn the_reference_pose_is_the_bind_pose_of_the_skin_while_the_character_is_animated() {
    use bevy_asset::Assets;
    use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
    use kinescope_ik::glam::Mat4;

    // Some exporters write the matrices in another unit and with other axes.
    for space in [Mat4::IDENTITY, Mat4::from_rotation_x(1.57) * Mat4::from_scale(Vec3::splat(0.01))] {
        let mut app = app(KinescopePlugin::default());
        app.init_resource::<Assets<SkinnedMeshInverseBindposes>>();
        let person = spawn(app.world_mut(), Transform::from_xyz(4.0, 0.0, 0.0), 1.0);
        let mesh = app.world_mut().spawn((Transform::default(), ChildOf(person.root))).id();
        // The arms hang down, and a knee is bent.
        for (bone, turn) in
            [(4, Quat::from_rotation_z(-1.2)), (7, Quat::from_rotation_z(1.2)), (11, Quat::from_rotation_x(1.0))]
        {
            app.world_mut().get_mut::<Transform>(person.bones[bone]).unwrap().rotation = turn;
        }
        let matrices = BONES.map(|(_, _, at)| (space.inverse() * Mat4::from_translation(Vec3::from(at))).inverse());
        let mut skin = SkinnedMesh { joints: person.bones.clone(), ..SkinnedMesh::default() };
        app.world_mut().entity_mut(mesh).insert(skin.clone());
        app.update();
        assert!(app.world().get::<Rig>(person.root).is_none(), "the skin is not loaded yet");
        let mut assets = app.world_mut().resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
        skin.inverse_bindposes = assets.add(matrices.to_vec());
        app.world_mut().entity_mut(mesh).insert(skin);
        app.update();
        let rig = app.world().get::<Rig>(person.root).expect("a rig");
        let index_of = |bone: Entity| rig.bones().iter().position(|own| *own == bone).unwrap();
        for (&bone, (name, _, at)) in person.bones.iter().zip(BONES) {
            let own = rig.reference()[index_of(bone)].position;
            assert!(own.distance(Vec3::from(at)) < 1e-3, "{space}, {name}: {own}, {at:?}");
        }
        // The animated pose is not the reference pose.
        assert!(rig.poses()[0][index_of(person.bones[LEFT_HAND])].position.y < 1.3);
    }
}

#[test]
fn a_listening_window_finds_the_bug_that_a_system_of_the_game_has() {
    const BEGINS: u64 = 30;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let window = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"{\"kinescope\":1}\n").unwrap();
        BufReader::new(stream).lines().map_while(Result::ok).collect::<Vec<_>>()
    });
    let mut app = walk::game(Some(&address));
    // The bug: a system that should relax the fingers turns the left hand.
    let relax = |walkers: Query<&walk::Walker>, mut bones: Query<&mut Transform>, mut frame: Local<u64>| {
        for walker in &walkers {
            if *frame >= BEGINS {
                bones.get_mut(walker.0[6]).unwrap().rotate_local_y(0.3);
            }
            *frame += 1;
        }
    };
    app.add_systems(PostUpdate, relax.after(KinescopeSystems::Solve).before(KinescopeSystems::Report));
    app.update();
    let begun = Instant::now();
    while !app.world().resource::<Link>().is_connected() {
        std::thread::sleep(Duration::from_millis(2));
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", app.world().resource::<Link>());
    }
    for _ in 0..60 {
        app.update();
    }
    drop(app);
    let lines = window.join().unwrap();
    let mut reader = Reader::new();
    let mut found = Vec::new();
    let mut solver = None;
    for line in &lines {
        let Some(Line::Frame(frame)) = reader.read(line).unwrap() else { continue };
        let solver = solver.get_or_insert_with(|| GameSolver::new(reader.character(0).unwrap()).unwrap());
        let [game, own] = solver.traces(&frame).unwrap();
        let diff = trace_diff::diff(&own, &game, trace_diff::default_tolerance(&own.rig));
        found.push((frame.frame, diff.first_place().map(|place| format!("{place:?}"))));
    }
    assert!(found.len() > 50, "{}", found.len());
    let first = found.iter().find(|(_, place)| place.is_some()).expect("the bug is found");
    assert_eq!(first.0, BEGINS, "{found:#?}");
    let place = first.1.as_ref().unwrap();
    assert!(place.contains("Result") && place.contains("left hand"), "{place}");
}
