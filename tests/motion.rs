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
    let hills = |factor: f32| {
        let mut terrain = kinescope::terrain::Terrain::hills();
        terrain.heights.iter_mut().for_each(|h| *h *= factor);
        Some(std::sync::Arc::new(terrain))
    };
    let vary: Vec<(&str, &str, Box<dyn Fn(&mut kinescope::app::document::Document)>)> = vec![
        ("stairs", "default", Box::new(|_| {})),
        ("gap", "no fall", Box::new(|d| d.grounding.predictive.overstep_falls_down = false)),
        ("ray and curve", "hills .3", Box::new(move |d| d.terrain = hills(0.3))),
        ("ray and curve", "hills .2", Box::new(move |d| d.terrain = hills(0.2))),
        ("ray and curve", "hills .15", Box::new(move |d| d.terrain = hills(0.15))),
    ];
    for (scene, what, change) in vary {
        let mut session = session(scene);
        let mut document = session.history.document().clone();
        change(&mut document);
        session.apply(kinescope::app::session::Action::EditMotion {
            label: "x".into(),
            gesture: None,
            document: Box::new(document),
        });
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
                        if index == 1 {
                            at[side] = frame as f32 / 60.0;
                            if depth > 0.02 {
                                let g = session.motion.ground().unwrap().terrain();
                                let h: Vec<f32> = points.iter().map(|p| g.height_at(p.x, p.z).unwrap() - p.y).collect();
                                let l = session.motion.recording.as_ref().unwrap().output.legs[side];
                                println!(
                                    "  {frame} side {side} depths {h:.3?} points {:.2?} planted {:.2} offset {:.3} v {:.2?} turned {:.1}",
                                    points,
                                    contact.planted,
                                    l.offset,
                                    l.velocity,
                                    l.rotation_offset.to_axis_angle().1.to_degrees()
                                );
                            }
                        }
                    }
                }
            }
        }
        println!("{:14} {:24} animated {:?} solved {:?} at {:?}", scene, what, worst[0], worst[1], at);
        let _ = Vec3::ZERO;
    }
}
