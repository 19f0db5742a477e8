//! Planted feet stay where they landed: the sliding table is the measure.

use glam::Vec3;
use kinescope::app::motion::FRAME_RATES;
use kinescope::app::scenes::SCENES;
use kinescope::app::session::Session;
use kinescope::debugger::slide::slides;
use kinescope::stack::{LayerId, Method};

use crate::common::session::in_scene;

/// Metres that a foot may slide in one step.
const MOST: f32 = 1e-3;

/// The worst sliding of a step, and how many whole steps there were: as animated, and as solved.
fn worst(scene: &str, method: Method, rate: f32, on: bool, seconds: f32) -> ([f32; 2], usize) {
    let mut session = in_scene(scene);
    let mut document = session.history.document().clone();
    (document.stack.grounding.method, document.stack.grounding.lock.on) = (method, on);
    document.motion.frame_rate = Some(rate);
    session.edit("foot lock", None, document);
    let frames = (seconds * rate) as usize;
    for _ in 0..frames {
        session.update(1.0 / rate);
    }
    // Steps that were under way when it was switched on have no beginning.
    let found: Vec<_> =
        slides(&session.debugger.tape, u64::MAX).into_iter().filter(|step| step.frames[0] > 2).collect();
    let most = found.iter().fold([0.0f32; 2], |most, slide| [most[0].max(slide.animated), most[1].max(slide.solved)]);
    (most, found.len())
}

#[test]
fn feet_that_stand_slide_by_a_millimetre_at_most() {
    let mut failures = Vec::new();
    for scene in SCENES {
        let session = in_scene(scene.name);
        if session.plan().terrain.is_none() || session.crowd.is_there() {
            continue;
        }
        for method in [Method::Predictive, Method::FootIk] {
            for rate in FRAME_RATES {
                let (most, count) = worst(scene.name, method, rate, true, 5.0);
                let text = format!(
                    "{} {method:?} at {rate}: animated {:.1}, locked {:.2} mm in {count} steps",
                    scene.name,
                    most[0] * 1e3,
                    most[1] * 1e3
                );
                println!("{text}");
                if most[1] > MOST {
                    failures.push(text);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn without_it_they_slide() {
    let ([_, solved], count) = worst("stairs", Method::Predictive, 60.0, false, 5.0);
    assert!(solved > 5e-3 && count > 3, "{solved} {count}");
}

#[test]
fn a_lock_is_a_layer_with_steps_and_equations() {
    let mut session: Session = in_scene("stairs");
    let mut document = session.history.document().clone();
    document.stack.grounding.lock.on = true;
    session.edit("foot lock", None, document);
    let mut held: f32 = 0.0;
    for _ in 0..90 {
        session.update(1.0 / 60.0);
        let run = session.solved.run(LayerId::FootLock).unwrap();
        assert_eq!(run.steps(), 3);
        for step in 0..run.steps() {
            for event in 0..run.events(step) {
                let sheet = run.formula(step, event).unwrap();
                assert!(!sheet.lines.is_empty() && run.event(step, event, &|length| format!("{length}")).size > 0.0);
            }
        }
        held = held.max(run.measure(1, kinescope::stepped::Cursor::end(run)));
    }
    assert!(held > 2e-3, "{held}");
}

/// Landings, and how many of them are on an edge: less than 60 % of the sole is over ground within 3 cm of the highest under
/// it.
fn edges(scene: &str, method: Method, rate: f32, seconds: f32) -> (usize, usize) {
    use kinescope::ground::Ground;
    let mut session = in_scene(scene);
    let mut document = session.history.document().clone();
    (document.stack.grounding.method, document.stack.grounding.lock.on) = (method, true);
    document.motion.frame_rate = Some(rate);
    session.edit("path", None, document);
    let (mut landings, mut hit) = (0, 0);
    let mut stood = [true; 2];
    for _ in 0..(seconds * rate) as usize {
        session.update(1.0 / rate);
        let contacts = session.contacts().unwrap();
        for side in 0..2 {
            let stands = contacts[side].planted > 0.5;
            if stands && !stood[side] {
                let [heel, _, tip] = contacts[side].solved;
                let ground = session.motion.ground().unwrap();
                let height = |part: f32| {
                    let at = heel.lerp(tip, part);
                    ground.ray(at + Vec3::Y, Vec3::NEG_Y, 3.0).map_or(f32::NAN, |hit| hit.point.y)
                };
                let under: Vec<f32> = (0..=40).map(|piece| height(piece as f32 / 40.0)).collect();
                let high = under.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let carries = under.iter().filter(|&&height| height > high - 0.03).count();
                landings += 1;
                hit += usize::from(carries * 10 < under.len() * 6);
            }
            stood[side] = stands;
        }
    }
    (landings, hit)
}

#[test]
fn steps_that_know_the_way_land_on_treads() {
    for rate in [30.0, 60.0, 144.0] {
        let (count, without) = edges("stairs", Method::Predictive, rate, 12.0);
        let (same, with) = edges("stairs", Method::Path, rate, 12.0);
        println!("at {rate}: {without} of {count} landings on an edge, {with} of {same} with the path");
        assert!(count > 15 && without > 3, "{count} {without}");
        assert!(with * 3 <= without, "{with} of {without}");
    }
}

#[test]
fn footprints_are_a_layer_with_steps_and_equations() {
    let mut session: Session = in_scene("stairs");
    let mut document = session.history.document().clone();
    document.stack.grounding.method = Method::Path;
    session.edit("path", None, document);
    let mut chosen = 0;
    for _ in 0..180 {
        session.update(1.0 / 60.0);
        let run = session.solved.run(LayerId::Footprints).unwrap();
        assert_eq!(run.steps(), 2);
        for step in 0..run.steps() {
            for event in 0..run.events(step) {
                let sheet = run.formula(step, event).unwrap();
                let kinescope::notation::Value::Vector(offset) = sheet.result else { panic!("{:?}", sheet.result) };
                let at = kinescope::stepped::Cursor { step, within: None };
                assert!((offset.length() - run.measure(step, at)).abs() < 1e-4, "{offset}");
                chosen += usize::from(run.event(step, event, &|length| format!("{length}")).size > 0.0);
            }
        }
    }
    assert!(chosen > 20, "{chosen}");
}
