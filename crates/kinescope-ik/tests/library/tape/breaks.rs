//! Break conditions.

use glam::Vec3;
use kinescope_ik::chain_ik::{Chain, ChainRun, Goal, Recording, Settings, Solver};
use kinescope_ik::debugger::breaks::{Breaks, Condition, check};
use kinescope_ik::debugger::tape::Tape;
use kinescope_ik::locomotion::Contact;
use kinescope_ik::stack::{Frame, Layer, LayerId, Solved};

fn frame(side: Vec3, target: Vec3) -> Frame {
    let middle = Vec3::X * 0.5 + side * 0.1;
    let chain = Chain::from_positions(&[Vec3::ZERO, middle, Vec3::X]).unwrap();
    let settings = Settings { solver: Solver::Fabrik, tolerance: 1e-4, max_iterations: 4, ..Settings::default() };
    let recording = Recording::record(&chain, &settings, &[Goal::end(&chain, target)], chain.rest()).unwrap();
    let solved = Some(Ok(Solved::new(ChainRun { recording, on: None })));
    let mut frame = Frame::empty();
    frame.layers.push(Layer { id: LayerId::Lane(0), solved, before: Default::default(), times: Default::default() });
    frame
}

fn only(condition: Condition) -> Breaks {
    let mut breaks = Breaks::default();
    *breaks.enabled_mut(condition) = true;
    assert_eq!(breaks.count(), 1);
    breaks
}

#[test]
fn a_flip_is_seen_and_a_small_turn_is_not() {
    let before = frame(Vec3::Y, Vec3::X);
    assert_eq!(check(&only(Condition::Flip), &Tape::default(), Some(&before), &before), None);
    let hit = check(&only(Condition::Flip), &Tape::default(), Some(&before), &frame(-Vec3::Y, Vec3::X)).unwrap();
    assert_eq!((hit.layer, hit.point), (LayerId::Lane(0), Some(1)));
    assert!(hit.text.contains("joint 1 flips: 180°"), "{}", hit.text);
    let turned = Vec3::new(0.0, 30f32.to_radians().cos(), 30f32.to_radians().sin());
    assert_eq!(check(&only(Condition::Flip), &Tape::default(), Some(&before), &frame(turned, Vec3::X)), None);
    assert!(check(&only(Condition::BendTurn), &Tape::default(), Some(&before), &frame(turned, Vec3::X)).is_some());
    assert_eq!(check(&Breaks::default(), &Tape::default(), Some(&before), &frame(-Vec3::Y, Vec3::X)), None);
}

#[test]
fn a_target_leaves_reach_once() {
    let [near, far] = [Vec3::X * 0.9, Vec3::X * 2.0].map(|target| frame(Vec3::Y, target));
    assert!(check(&only(Condition::LeavesReach), &Tape::default(), Some(&near), &far).is_some());
    assert_eq!(check(&only(Condition::LeavesReach), &Tape::default(), Some(&far), &far), None);
    assert_eq!(check(&only(Condition::LeavesReach), &Tape::default(), None, &far), None);
    assert_eq!(check(&only(Condition::BoneLength), &Tape::default(), None, &near), None);
    assert_eq!(check(&only(Condition::NotFinite), &Tape::default(), None, &near), None);
}

#[test]
fn a_jerk_is_seen_where_the_turn_changes() {
    // A steady 5° per frame, then no motion: the rotation per frame changes by 5°.
    let turned = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        frame(Vec3::new(0.0, cos, sin), Vec3::X)
    };
    let mut tape = Tape::default();
    let breaks = Breaks { jerk_degrees: 4.0, ..only(Condition::Jerk) };
    for (index, degrees) in [0.0, 5.0, 10.0, 15.0, 20.0, 20.0].into_iter().enumerate() {
        let now = turned(degrees);
        tape.record(0.01, &now, 0.0, None);
        let hit = check(&breaks, &tape, None, &now);
        assert_eq!(hit.is_some(), index == 5, "{index}: {hit:?}");
        assert!(check(&Breaks { jerk_degrees: 6.0, ..breaks }, &tape, None, &now).is_none());
    }
}

#[test]
fn a_slide_is_measured_in_metres_whatever_the_model_unit() {
    for scale in [1.0, 100.0, 1000.0] {
        let mut now = frame(Vec3::Y, Vec3::X);
        now.layers[0].id = LayerId::FullBody;
        let mut tape = Tape::default();
        let breaks = Breaks { slide_metres: 0.0055, ..only(Condition::FootSlide) };
        let mut hits = Vec::new();
        for number in 0..20u32 {
            // The foot moves by a millimetre in every frame, and is planted from frame 5 on.
            let planted = if number < 5 { 0.0 } else { 1.0 };
            let solved = [Vec3::Z * 0.001 * scale * number as f32; 3];
            let left = Contact { planted, height: 1.7 * scale, solved, ..Contact::default() };
            tape.record(0.01, &now, 0.0, Some([left, Contact::default()]));
            hits.extend(check(&breaks, &tape, None, &now).map(|hit| (number, hit)));
        }
        let (number, hit) = hits.first().unwrap();
        assert_eq!(*number, 11, "{hits:?}");
        assert!(hit.text.contains("slides: 6 mm"), "{}", hit.text);
        // The run of a chain has no point for a foot.
        assert_eq!(hit.point, None);
    }
}
