//! Planted feet stay where they landed: the sliding table is the measure.

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
