//! Feet on the ground: the lock, footprints along the path, ground layers, leaning, and changes of the method.

use glam::Vec3;
use kinescope_ik::debugger::slide::slides;
use kinescope_ik::ground::Layers;
use kinescope_ik::stack::{LayerId, Method};

use crate::common::session::{in_scene, switch_on, with_motion, without_steps};
use kinescope::scenes::SCENES;
use kinescope::session::Session;
use kinescope::world::motion::FRAME_RATES;

/// The largest distance in metres that a foot may slide in one step.
const MOST: f32 = 1e-3;

/// Returns the largest sliding of a step, animated and solved, the number of whole steps, and the distance walked.
/// Lengths are in metres.
fn worst(scene: &str, method: Method, rate: f32, on: bool, seconds: f32) -> ([f32; 2], usize, f32) {
    let mut session = without_steps(in_scene(scene));
    let mut document = session.world.history.document().clone();
    (document.stack.grounding.method, document.stack.grounding.lock.on) = (method, on);
    document.motion.frame_rate = Some(rate);
    session.edit("foot lock", None, document);
    let frames = (seconds * rate) as usize;
    let (mut last, mut walked) = (session.world.solved.input.place.root.position, 0.0);
    for _ in 0..frames {
        session.update(1.0 / rate);
        let now = session.world.solved.input.place.root.position;
        // A restart of the path is not walking.
        walked += Some(now.distance(last)).filter(|way| *way < 0.3).unwrap_or(0.0);
        last = now;
    }
    // Steps that were in progress at the start of the tape do not count, because their landing is unknown.
    let found: Vec<_> =
        slides(&session.tools.debugger.tape, u64::MAX).into_iter().filter(|step| step.has_landed_since(0)).collect();
    let most = found.iter().fold([0.0f32; 2], |most, slide| [most[0].max(slide.animated), most[1].max(slide.solved)]);
    (most, found.len(), walked)
}

#[test]
fn standing_feet_slide_by_a_millimetre_at_most() {
    const METHODS: [Method; 3] = [Method::Predictive, Method::FootIk, Method::Path];
    let mut failures = Vec::new();
    let mut walks = 0;
    for scene in SCENES {
        let session = in_scene(scene.name);
        if session.world.plan().terrain.is_none() || session.tools.crowd.is_there() {
            continue;
        }
        // A chain that is solved after the lock turns the foot with the shin, so scenes with chains are skipped.
        if !session.world.stack().chain_ik.chains.is_empty() {
            continue;
        }
        // Every scene with every method, and every method at every rate; all combinations would take too long.
        for method in METHODS {
            let rate = FRAME_RATES[walks % FRAME_RATES.len()];
            walks += 1;
            let (most, count, walked) = worst(scene.name, method, rate, true, 5.0);
            let text = format!(
                "{} {method:?} at {rate}: animated {:.1}, locked {:.2} mm in {count} steps of {walked:.1} m",
                scene.name,
                most[0] * 1e3,
                most[1] * 1e3
            );
            println!("{text}");
            // Every walk takes more than 0.6 steps per metre, so a smaller count means that steps were not found.
            if most[1] > MOST || (count as f32) < walked * 0.6 {
                failures.push(text);
            }
        }
    }
    assert!(walks >= METHODS.len() * FRAME_RATES.len(), "{walks}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn without_the_lock_feet_slide() {
    let ([_, solved], count, _) = worst("stairs", Method::Predictive, 60.0, false, 5.0);
    assert!(solved > 5e-3 && count > 3, "{solved} {count}");
}

#[test]
fn layers_with_settings_have_steps_and_equations() {
    for layer in LayerId::with_settings() {
        let mut session: Session = in_scene("feet that stay");
        if layer == LayerId::Retarget {
            with_motion(&mut session);
        }
        switch_on(&mut session, layer);
        let (mut changes, mut moved) = (0, 0.0f32);
        for frame in 0..180 {
            session.update(1.0 / 60.0);
            let Some(run) = session.world.solved.run(layer) else { continue };
            assert!(run.steps() > 0, "{layer:?}");
            let end = kinescope_ik::stepped::Cursor::end(run);
            moved = (0..run.measures().len()).map(|measure| run.measure(measure, end)).fold(moved, f32::max);
            // All equations of a frame take longer than its solve, and most frames have the same events as the last one.
            if frame % 5 != 0 {
                continue;
            }
            for step in 0..run.steps() {
                for event in 0..run.events(step) {
                    let sheet = run.formula(step, event).unwrap();
                    let size = run.event(step, event, &|length| format!("{length}")).size;
                    assert!(!sheet.lines.is_empty(), "{layer:?}, step {step}, event {event}");
                    changes += usize::from(size > 0.0);
                }
            }
        }
        assert!(changes > 4 && moved > 2e-3, "{layer:?}: {changes} changes, {moved}");
    }
}

/// Returns the numbers of landings, and of landings on an edge. On an edge, less than 60 % of the sole is over ground
/// within 3 cm of the highest point under the sole.
fn edges(scene: &str, method: Method, rate: f32, seconds: f32) -> (usize, usize) {
    use kinescope_ik::ground::Ground;
    let mut session = without_steps(in_scene(scene));
    let mut document = session.world.history.document().clone();
    (document.stack.grounding.method, document.stack.grounding.lock.on) = (method, true);
    document.motion.frame_rate = Some(rate);
    session.edit("path", None, document);
    let (mut landings, mut hit) = (0, 0);
    let mut stood = [true; 2];
    for _ in 0..(seconds * rate) as usize {
        session.update(1.0 / rate);
        let contacts = session.world.contacts().unwrap();
        for side in 0..2 {
            let stands = contacts[side].planted > 0.5;
            if stands && !stood[side] {
                let [heel, _, tip] = contacts[side].solved;
                let ground = session.world.motion.ground().unwrap();
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
fn steps_that_know_the_path_land_on_treads() {
    for rate in FRAME_RATES {
        let (count, without) = edges("stairs", Method::Predictive, rate, 12.0);
        let (same, with) = edges("stairs", Method::Path, rate, 12.0);
        println!("at {rate}: {without} of {count} landings on an edge, {with} of {same} with the path");
        assert!(count > 15 && without > 3, "{count} {without}");
        assert_eq!((same, with), (count, 0));
    }
}

#[test]
fn footprints_are_a_layer_with_steps_and_equations() {
    let mut session: Session = in_scene("stairs");
    let mut document = session.world.history.document().clone();
    document.stack.grounding.method = Method::Path;
    session.edit("path", None, document);
    let mut chosen = 0;
    for _ in 0..180 {
        session.update(1.0 / 60.0);
        let run = session.world.solved.run(LayerId::Footprints).unwrap();
        assert_eq!(run.steps(), 2);
        for step in 0..run.steps() {
            for event in 0..run.events(step) {
                let sheet = run.formula(step, event).unwrap();
                let kinescope_ik::notation::Value::Vector(offset) = sheet.result else { panic!("{:?}", sheet.result) };
                let at = kinescope_ik::stepped::Cursor { step, within: None };
                assert!((offset.length() - run.measure(step, at)).abs() < 1e-4, "{offset}");
                chosen += usize::from(run.event(step, event, &|length| format!("{length}")).size > 0.0);
            }
        }
    }
    assert!(chosen > 20, "{chosen}");
}

#[test]
fn a_foot_passes_through_layers_that_it_ignores() {
    let heights = |layers: Option<[Layers; 2]>| {
        let mut session = without_steps(in_scene("ground layers"));
        let mut document = session.world.history.document().clone();
        document.stack.grounding.environment = layers.unwrap_or(document.stack.grounding.environment);
        session.edit("layers", None, document);
        let mut most = [0.0f32; 2];
        for frame in 0..600 {
            session.update(1.0 / 60.0);
            // Before the edit, the feet stood on other layers, so the first second is skipped.
            if frame < 60 {
                continue;
            }
            let output = session.world.ground_recording().unwrap().output;
            most = [0, 1].map(|side| most[side].max(output.legs[side].offset));
        }
        most
    };
    let boxes = 0.05;
    let [left, right] = heights(None);
    // A pitched foot is lifted by more than the height of the box.
    assert!(left > boxes - 0.01 && left < 2.0 * boxes && right < 0.01, "{left} {right}");
    let neither = heights(Some([Layers::ALL.with(1, false); 2]));
    assert!(neither.iter().all(|&height| height < 5e-3), "{neither:?}");
    // The root stands on the layers that count for both feet.
    let mut session = in_scene("ground layers");
    for _ in 0..120 {
        session.update(1.0 / 60.0);
        assert!(session.world.solved.input.place.root.position.y.abs() < 1e-3);
    }
}

#[test]
fn a_leaning_character_stands_perpendicular_to_the_slope() {
    let worst = |rotates: bool| {
        let mut session = without_steps(in_scene("leaning"));
        let mut document = session.world.history.document().clone();
        document.stack.grounding.rotate_solver = rotates;
        session.edit("rotate solver", None, document);
        let (mut leaned, mut turned) = (0.0f32, 0.0f32);
        for _ in 0..900 {
            session.update(1.0 / 60.0);
            let place = session.world.solved.input.place;
            leaned = leaned.max((place.root.rotation * Vec3::Y).angle_between(Vec3::Y));
            let recording = session.world.ground_recording().unwrap();
            let up = if rotates { place.root.rotation * Vec3::Y } else { Vec3::Y };
            assert!(recording.output.pelvis.cross(up).length() < 1e-5);
            for leg in recording.output.legs {
                turned = turned.max(leg.rotation_offset.angle_between(glam::Quat::IDENTITY));
            }
        }
        (leaned.to_degrees(), turned.to_degrees())
    };
    let (leaned, turned) = worst(true);
    assert!((leaned - 25.0).abs() < 0.5, "{leaned}");
    // The character leans with the slope, so except at its ends the feet need no rotation. Casts along +Y measure a
    // slope of 25°, by which the feet are rotated in addition to their lean.
    let (same, more) = worst(false);
    assert!((same - leaned).abs() < 1e-3 && more > turned + 5.0, "{turned} {more}");
}

/// Returns the largest change of a foot's weighted offset in metres, in a frame that changes the grounding method, and
/// the methods in the order in which they took over.
fn largest_step(blend: f32) -> (f32, Vec<Method>) {
    let mut session = without_steps(in_scene("grounding by clip"));
    let mut document = session.world.history.document().clone();
    document.stack.grounding.blend = blend;
    session.edit("blend", None, document.clone());
    let (mut most, mut last) = (0.0f32, None);
    let mut methods = Vec::new();
    for frame in 0..480 {
        // The character walks, stands, runs and stands again.
        let pace = [1.4, 0.0, 3.0, 0.0][frame / 120];
        if document.motion.pace != pace {
            document.motion.pace = pace;
            session.edit("pace", None, document.clone());
        }
        session.update(1.0 / 60.0);
        let now = session.world.plan().grounding.method_at(&session.world.solved.input.place);
        let output = session.world.ground_recording().unwrap().output;
        let offsets = output.legs.map(|leg| leg.offset * leg.weight);
        if methods.last() != Some(&now) {
            if let Some(last) = last.filter(|_| frame > 0) {
                let last: [f32; 2] = last;
                most = [0, 1].map(|side| (offsets[side] - last[side]).abs()).into_iter().fold(most, f32::max);
            }
            methods.push(now);
        }
        last = Some(offsets);
    }
    (most, methods)
}

#[test]
fn another_method_takes_over_without_a_jump() {
    let (without, methods) = largest_step(0.0);
    assert_eq!(methods[..3], [Method::Predictive, Method::FootIk, Method::Predictive]);
    let (with, same) = largest_step(0.2);
    assert_eq!(methods, same);
    assert!(without > 5e-3 && with < 0.5 * without && with < 5e-3, "{without} {with}");
}
