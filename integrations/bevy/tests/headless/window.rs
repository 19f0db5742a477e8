//! A game in Bevy with a bug, attached to a real window on a virtual screen.

use std::path::Path;
use std::time::{Duration, Instant};

use bevy_app::PostUpdate;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use kinescope_bevy::{KinescopeSystems, Link};

use crate::walk;

#[path = "../../../tests/window.rs"]
mod real;

/// The frames of the game, and the number of those whose pose a faulty system has changed.
const FRAMES: u64 = 120;
const DIFFERING: u64 = 60;

/// A system after the solve moves the left elbow by 2 cm in each of the last frames.
#[test]
fn a_window_finds_the_frame_and_the_limb_of_a_bug() {
    let configuration = Path::new(env!("CARGO_TARGET_TMPDIR")).join("config of the window");
    let Some(window) = real::Window::open(&configuration) else { return };

    #[derive(Resource)]
    struct HasBug(bool);

    let mut app = walk::game(Some(&window.address));
    fn move_elbow(walkers: &Query<&walk::Walker>, bones: &mut Query<&mut Transform>, by: f32) {
        for walker in walkers {
            bones.get_mut(walker.0[5]).unwrap().translation.y += by;
        }
    }
    let bug = |has_bug: Res<HasBug>, walkers: Query<&walk::Walker>, mut bones: Query<&mut Transform>| {
        move_elbow(&walkers, &mut bones, if has_bug.0 { 0.02 } else { 0.0 });
    };
    // No animation sets the translation, so without this the elbow would be 2 cm further off in every frame.
    let undo = |has_bug: Res<HasBug>, walkers: Query<&walk::Walker>, mut bones: Query<&mut Transform>| {
        move_elbow(&walkers, &mut bones, if has_bug.0 { -0.02 } else { 0.0 });
    };
    app.insert_resource(HasBug(false));
    app.add_systems(PostUpdate, bug.after(KinescopeSystems::Solve).before(KinescopeSystems::Report));
    app.add_systems(PostUpdate, undo.after(KinescopeSystems::Report));
    let start = Instant::now();
    while !app.world().get_resource::<Link>().is_some_and(Link::is_connected) {
        app.update();
        assert!(start.elapsed() < real::PATIENCE, "no window connects");
        std::thread::sleep(Duration::from_millis(20));
    }
    for frame in 0..FRAMES {
        app.world_mut().resource_mut::<HasBug>().0 = frame >= FRAMES - DIFFERING;
        app.update();
        std::thread::sleep(Duration::from_millis(16));
    }
    let differing = format!(r#""differing":{DIFFERING},"#);
    window.wait(&[&differing, r#""stage":"result""#, r#""name":"a game in Bevy""#]);
    // The key J goes to the first differing frame, and selects the bone's node.
    window.press("j");
    window.wait(&[r#""selected":"left_arm_chain""#, r#""paused":true"#]);
    window.picture();
}
