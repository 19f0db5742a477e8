//! Motion in the session: every scene on uneven ground, at every frame rate; fades, layers, ground that is edited.

mod common;

use glam::Vec3;
use kinescope::app::character::Character;
use kinescope::app::motion::Method;
use kinescope::app::scenes::{SCENES, Scene};
use kinescope::app::session::Session;

fn session(scene: &str) -> Session {
    let mut session = Session::new(Character::built_in().unwrap());
    session.measures_time = false;
    session.start_scene(Scene::find(scene).unwrap());
    session.update(0.0);
    session
}

/// Scenes in which feet are grounded.
fn grounded() -> impl Iterator<Item = &'static Scene> {
    SCENES.iter().filter(|scene| session(scene.name).plan().grounding.method != Method::Off)
}

#[test]
fn measure() {
    let vary: Vec<(&str, &str, Box<dyn Fn(&mut kinescope::app::document::Document)>)> = vec![
        ("stairs", "default", Box::new(|_| {})),
        ("stairs", "prediction .1", Box::new(|d| d.grounding.predictive.prediction = 0.1)),
        ("stairs", "prediction .15", Box::new(|d| d.grounding.predictive.prediction = 0.15)),
        ("stairs", "speed 4", Box::new(|d| d.grounding.predictive.foot_speed = 4.0)),
        ("stairs", "speed 5, prediction .1", Box::new(|d| { d.grounding.predictive.foot_speed = 5.0; d.grounding.predictive.prediction = 0.1 })),
        ("gap", "no fall", Box::new(|d| d.grounding.predictive.overstep_falls_down = false)),
        ("ray and curve", "hills", Box::new(|d| d.terrain = Some(std::sync::Arc::new(kinescope::terrain::Terrain::hills())))),
        ("ray and curve", "slope", Box::new(|d| d.terrain = Some(std::sync::Arc::new(kinescope::terrain::Terrain::slope(0.2))))),
        ("ray and curve", "hills speed 1", Box::new(|d| { d.grounding.foot_ik.feet_to_ik_position_speed = 1.0; d.grounding.foot_ik.pelvis_up_and_down_speed = 1.0; d.terrain = Some(std::sync::Arc::new(kinescope::terrain::Terrain::hills()))})),
        ("ray and curve", "two heights", Box::new(|d| {d.terrain = Some(std::sync::Arc::new(kinescope::terrain::Terrain::two_heights(0.2))); d.motion.travel = kinescope::app::motion::Travel::InPlace; d.motion.start = glam::Vec2::new(0.05, 2.0); d.clip.name = Some("idle".into())})),
    ];
    for (scene, what, change) in vary {
        let mut session = session(scene);
        let mut document = session.history.document().clone();
        change(&mut document);
        session.apply(kinescope::app::session::Action::EditMotion { label: "x".into(), gesture: None, document: Box::new(document) });
        let mut worst = [[0.0f32; 2]; 2];
        let mut at = [0.0; 2];
        for frame in 0..60 * 20 {
            session.update(1.0 / 60.0);
            for side in 0..2 {
                let contact = session.motion.contacts[side];
                for (index, points) in [contact.animated, contact.solved].iter().enumerate() {
                    let depth = session.motion.depth(points).unwrap_or(0.0);
                    if depth > worst[index][side] {
                        worst[index][side] = depth;
                        if index == 1 { at[side] = frame as f32 / 60.0; }
                    }
                }
            }
        }
        println!("{:14} {:24} animated {:?} solved {:?} at {:?}", scene, what, worst[0], worst[1], at);
        let _ = Vec3::ZERO;
    }
}
