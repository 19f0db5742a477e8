//! Tests of `src/scenes`.

use glam::Vec3;

use kinescope::scenes::{RestPose, SCENES, Scene, TOPICS};

#[test]
fn scenes_are_valid_and_told_apart() {
    let mut rest = RestPose::default();
    (rest.height, rest.facing, rest.left) = (1.8, Vec3::Z, Vec3::X);
    for (index, scene) in SCENES.iter().enumerate() {
        assert_eq!(scene.document(&rest).stack.validate(), Ok(()), "{}", scene.name);
        assert_eq!(scene.document(&rest).motion.validate(), Ok(()), "{}", scene.name);
        assert!(scene.purpose.ends_with(['.', '?']) && scene.hint.ends_with('.'), "{}", scene.name);
        assert!(SCENES[..index].iter().all(|other| other.name != scene.name));
        assert_eq!(Scene::find(scene.name).unwrap().name, scene.name);
    }
}

#[test]
fn every_scene_has_a_topic() {
    for (title, own) in TOPICS {
        assert!(own.iter().all(|scene| scene.topic() == *title), "{title}");
        // Longer menus would be hard to scan.
        assert!((2..=20).contains(&own.len()), "{title}: {}", own.len());
    }
    assert_eq!(Scene::find("stairs").unwrap().topic(), "Ground");
}
