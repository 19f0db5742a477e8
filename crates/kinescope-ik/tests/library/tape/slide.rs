//! Slides of planted feet.

use glam::Vec3;
use kinescope_ik::debugger::slide::slides;
use kinescope_ik::debugger::tape::Tape;
use kinescope_ik::grounding::Side;
use kinescope_ik::locomotion::Contact;
use kinescope_ik::stack::Frame;

/// Returns a tape of a foot that is planted for ten frames and lifted for five. It slides by 1 cm per frame as
/// animated, 1 mm as solved. A metre has `scale` model units.
fn tape(scale: f32) -> Tape {
    let mut tape = Tape::default();
    for frame in 0..30u32 {
        let at = |by: f32| [0.0, 0.1, 0.2].map(|ahead| Vec3::new(0.0, 0.0, ahead + by * frame as f32) * scale);
        let planted = if frame % 15 < 10 { 1.0 } else { 0.0 };
        let height = 1.7 * scale;
        let left = Contact { planted, height, animated: at(0.01), solved: at(0.001), ..Contact::default() };
        tape.record(0.01, &Frame::empty(), 0.0, Some([left, Contact::default()]));
    }
    tape
}

#[test]
fn a_slide_is_counted_while_the_foot_stands() {
    for scale in [1.0, 100.0] {
        let found = slides(&tape(scale), 100);
        assert_eq!(found.len(), 2);
        for (index, slide) in found.iter().enumerate() {
            assert_eq!((slide.side, slide.frames), (Side::Left, [index as u64 * 15, index as u64 * 15 + 9]));
            assert!((slide.animated / scale - 0.09).abs() < 1e-5 && (slide.solved / scale - 0.009).abs() < 1e-5);
        }
        assert_eq!(slides(&tape(scale), 4)[0].frames, [0, 4]);
    }
    assert!(slides(&Tape::default(), 4).is_empty());
}
