//! The character of `examples/walk.rs` in a window of Bevy, drawn with the engine's gizmos: its solve, and the ground.
//!
//! `cargo run --manifest-path integrations/bevy/window/Cargo.toml`. Start `kinescope --listen` first to step through
//! the solves.

#[path = "../../examples/walk.rs"]
mod walk;

use bevy::prelude::*;
use kinescope_bevy::{Rig, ShowSolve};

fn main() {
    let window = Window { title: "A character on hills".to_owned(), resolution: (960, 640).into(), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }));
    walk::add_to(&mut app, Some("127.0.0.1:7468"));
    app.add_systems(Startup, add_camera).add_systems(Update, (show_solves, follow, draw_ground));
    app.run();
}

#[derive(Component)]
struct Follows;

fn add_camera(mut commands: Commands) {
    commands.spawn((Camera3d::default(), Transform::default(), Follows));
}

fn show_solves(rigs: Query<Entity, (With<Rig>, Without<ShowSolve>)>, mut commands: Commands) {
    for rig in &rigs {
        commands.entity(rig).insert(ShowSolve);
    }
}

fn follow(
    walkers: Query<&Transform, With<walk::Walker>>,
    mut cameras: Query<&mut Transform, (With<Follows>, Without<walk::Walker>)>,
) {
    let Some(walker) = walkers.iter().next() else { return };
    let at = walker.translation;
    for mut camera in &mut cameras {
        *camera = Transform::from_translation(at + Vec3::new(3.0, 1.8, 1.8)).looking_at(at + Vec3::Y * 0.85, Vec3::Y);
    }
}

fn draw_ground(hills: Res<walk::Hills>, mut gizmos: Gizmos) {
    const STEP: f32 = 0.5;
    const HALF: i32 = 20;
    let point = |x: i32, z: i32| {
        let (x, z) = (x as f32 * STEP, z as f32 * STEP);
        Some(Vec3::new(x, hills.0.height_at(x, z)?, z))
    };
    for x in -HALF..=HALF {
        for z in -HALF..=HALF {
            let Some(here) = point(x, z) else { continue };
            for other in [point(x + 1, z), point(x, z + 1)].into_iter().flatten() {
                gizmos.line(here, other, Color::srgb(0.25, 0.32, 0.28));
            }
        }
    }
}
