//! A character walks over hills: its feet follow the ground, and its left hand follows a lantern. The example has no
//! window of its own, so that it needs only a few crates of the engine; the package in `window` shows the same
//! character in a window of Bevy. To see it in Kinescope's window, start `kinescope --listen` first:
//!
//! `cargo run --example walk [SECONDS]`

use bevy_app::{AnimationSystems, App, PostUpdate, Startup, Update};
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use kinescope_bevy::{EffectorTarget, FindRig, Grounding, Ik, KinescopePlugin, Modifiers, Rig, WorldGround};
use kinescope_ik::glam::{Quat, Vec3};
use kinescope_ik::modifiers::{Breathing, LookAt, Modifier};
use kinescope_ik::{Effector, Terrain};
use std::time::Duration;

const BONES: [(&str, Option<usize>, [f32; 3]); 18] = [
    ("pelvis", None, [0.0, 0.95, 0.0]),
    ("spine", Some(0), [0.0, 1.1, 0.0]),
    ("chest", Some(1), [0.0, 1.3, -0.01]),
    ("head", Some(2), [0.0, 1.55, 0.0]),
    ("left upper arm", Some(2), [0.18, 1.41, 0.0]),
    ("left forearm", Some(4), [0.44, 1.37, -0.03]),
    ("left hand", Some(5), [0.68, 1.36, 0.04]),
    ("right upper arm", Some(2), [-0.18, 1.41, 0.0]),
    ("right forearm", Some(7), [-0.44, 1.37, -0.03]),
    ("right hand", Some(8), [-0.68, 1.36, 0.04]),
    ("left thigh", Some(0), [0.1, 0.9, 0.0]),
    ("left calf", Some(10), [0.1, 0.49, 0.02]),
    ("left foot", Some(11), [0.1, 0.08, -0.02]),
    ("left toe", Some(12), [0.1, 0.0, 0.12]),
    ("right thigh", Some(0), [-0.1, 0.9, 0.0]),
    ("right calf", Some(14), [-0.1, 0.49, 0.02]),
    ("right foot", Some(15), [-0.1, 0.08, -0.02]),
    ("right toe", Some(16), [-0.1, 0.0, 0.12]),
];
/// The heights of the feet's bones over their soles, metres.
pub const ANKLE: f32 = 0.08;
/// Frames per second.
const RATE: f32 = 60.0;
/// How far a thigh swings to each side of its mean angle, radians, and the duration of two steps, seconds.
const STRIDE: f32 = 0.3;
const PERIOD: f32 = 1.1;
/// Metres per second; follows from `STRIDE` and `PERIOD`, so that feet do not slide.
const SPEED: f32 = 0.82 * 4.0 * STRIDE / PERIOD;

/// The character's bones, in the order of [`BONES`].
#[derive(Component)]
pub struct Walker(pub Vec<Entity>);

#[derive(Resource)]
pub struct Hills(pub Terrain);

fn set_up(mut commands: Commands) {
    let modifiers = Modifiers::new([
        Modifier::Breathing(Breathing::default()),
        Modifier::LookAt(LookAt { target: Some(Vec3::new(1.0, 1.3, 3.0)), ..LookAt::default() }),
    ]);
    let root = commands
        .spawn((Name::new("walker"), Transform::from_xyz(0.5, 0.0, 1.5), FindRig, Ik::default()))
        .insert((Grounding::default(), modifiers))
        .id();
    let mut bones: Vec<Entity> = Vec::new();
    for (name, parent, at) in BONES {
        let from = parent.map_or(Vec3::ZERO, |parent: usize| Vec3::from(BONES[parent].2));
        let above = parent.map_or(root, |parent| bones[parent]);
        let transform = Transform::from_translation(Vec3::from(at) - from);
        bones.push(commands.spawn((Name::new(name), transform, ChildOf(above))).id());
    }
    // A lantern in front of the character, which moves with it.
    let held = EffectorTarget { position_weight: 0.8, ..EffectorTarget::new(root, Effector::LeftHand) };
    commands.spawn((Transform::from_xyz(0.35, 1.15, 0.4), ChildOf(root), held));
    commands.entity(root).insert(Walker(bones));
}

/// Moves the root over the ground.
fn advance(time: Res<Time>, hills: Res<Hills>, mut roots: Query<&mut Transform, With<Walker>>) {
    for mut root in &mut roots {
        let z = root.translation.z + SPEED * time.delta_secs();
        root.translation.z = if z > 9.0 { 1.5 } else { z };
        root.translation.y = hills.0.height_at(root.translation.x, root.translation.z).unwrap_or(0.0);
    }
}

/// Returns the angles of thigh and knee in radians, and how much the foot is planted, from 0 to 1. `phase` is 0 where
/// the foot lands and 1 where it lands again; the foot stands in the first half.
fn leg(phase: f32) -> (f32, f32, f32) {
    let phase = phase.rem_euclid(1.0);
    let swing = std::f32::consts::TAU * (phase - 0.5).max(0.0);
    let forward = STRIDE * if phase < 0.5 { 1.0 - 4.0 * phase } else { -swing.cos() };
    // The knee bends while its leg swings forward.
    let lift = swing.sin();
    (-forward - 0.05, 0.1 + 0.8 * lift, (1.0 - 4.0 * lift).clamp(0.0, 1.0))
}

/// Turns the bones and sets how much each foot is planted, in place of an animation player and its curves.
fn animate(
    time: Res<Time>,
    mut walkers: Query<(&Walker, Option<&mut Grounding>)>,
    mut bones: Query<&mut Transform, Without<Walker>>,
) {
    let phase = time.elapsed_secs() / PERIOD;
    for (Walker(own), grounding) in &mut walkers {
        let mut turn = |bone: usize, rotation: Quat| {
            if let Ok(mut transform) = bones.get_mut(own[bone]) {
                transform.rotation = rotation;
            }
        };
        let (mut planted, mut lowest) = ([0.0; 2], f32::MAX);
        for (side, thigh_bone) in [10, 14].into_iter().enumerate() {
            let (thigh, knee, stands) = leg(phase + 0.5 * side as f32);
            turn(thigh_bone, Quat::from_rotation_x(thigh));
            turn(thigh_bone + 1, Quat::from_rotation_x(knee));
            turn(thigh_bone + 2, Quat::from_rotation_x(-thigh - knee));
            planted[side] = stands;
            let calf = Quat::from_rotation_x(thigh) * Vec3::new(0.0, -0.41, 0.02);
            let foot = Quat::from_rotation_x(thigh + knee) * Vec3::new(0.0, -0.41, -0.04);
            lowest = lowest.min((calf + foot).y);
        }
        turn(4, Quat::from_rotation_z(-1.2));
        turn(7, Quat::from_rotation_z(1.2));
        // The pelvis, 0.05 m over the hips, is as high as the standing leg holds it.
        if let Ok(mut pelvis) = bones.get_mut(own[0]) {
            pelvis.translation.y = 0.05 + ANKLE - lowest;
        }
        if let Some(mut grounding) = grounding {
            grounding.planted = Some(planted);
        }
    }
}

/// Makes the game without a window of its own. `window` is the address of a listening window of Kinescope; with `None`
/// the game sends nothing.
pub fn game(window: Option<&str>) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin));
    // Every frame has the same length, so that two runs are equal.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / RATE)));
    add_to(&mut app, window);
    app
}

/// Adds the character, its animation and the ground to an app.
pub fn add_to(app: &mut App, window: Option<&str>) {
    let plugin = KinescopePlugin::default();
    app.add_plugins(window.map_or(plugin.clone(), |address| plugin.sending_to(address)));
    let hills = Terrain::hills();
    let surface = hills.at(0.0).expect("a terrain of the library is valid");
    app.insert_resource(WorldGround::new(surface)).insert_resource(Hills(hills));
    app.add_systems(Startup, set_up).add_systems(Update, advance);
    app.add_systems(PostUpdate, animate.in_set(AnimationSystems));
}

#[allow(dead_code, reason = "the test has the file as a module")]
fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60.0_f32);
    let mut app = game(Some("127.0.0.1:7468"));
    for frame in 0..(seconds * RATE) as u32 {
        app.update();
        if frame % 60 == 59 {
            let mut rigs = app.world_mut().query::<(&Transform, &Rig)>();
            for (root, rig) in rigs.iter(app.world()) {
                println!("{:4.0} s: at {:.2}, {:?}", frame as f32 / RATE, root.translation, rig.status());
            }
        }
        std::thread::sleep(Duration::from_secs_f32(1.0 / RATE));
    }
}
