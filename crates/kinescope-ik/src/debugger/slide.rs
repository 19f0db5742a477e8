//! How far a foot slides while it is meant to stand.

use glam::Vec3;

use super::tape::Tape;
use crate::grounding::Side;
use crate::grounding::lock::PLANTED;
use crate::locomotion::Contact;

/// One step of a foot: from when the animation plants it to when it lifts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// Which foot.
    pub side: Side,
    /// Numbers of its first and its last frame.
    pub frames: [u64; 2],
    /// Metres over the ground, as animated.
    pub animated: f32,
    /// The same as solved.
    pub solved: f32,
}

/// Frames at the beginning of a recording in which feet are put in place.
const SETTLING: u64 = 3;

impl Slide {
    /// Whether the foot landed within a recording whose first frame has that number. A step that was under way when the
    /// recording began has no landing, and its first frames put the foot in place.
    pub fn has_landed_since(&self, first: u64) -> bool {
        self.frames[0] >= first.saturating_add(SETTLING)
    }
}

/// A sole that goes further than this in a frame was put somewhere else; metres.
const JUMP: f32 = 0.5;

/// The steps of both feet up to the frame of that number, the oldest first; the last ones may still go on.
///
/// A foot rolls over heel, ball and tip: that one of them slides which goes the least way over the ground, so that a
/// foot that rolls without sliding does not slide.
pub fn slides(tape: &Tape, number: u64) -> Vec<Slide> {
    let mut found: Vec<Slide> = Vec::new();
    let mut open: [Option<Slide>; 2] = [None; 2];
    let mut before: Option<(u64, [Contact; 2])> = None;
    for frame in tape.frames().filter(|frame| frame.number <= number) {
        let Some(contacts) = frame.contacts.as_deref().copied() else {
            before = None;
            continue;
        };
        for side in Side::ALL {
            let now = &contacts[side as usize];
            let own = &mut open[side as usize];
            let last = before.filter(|(number, _)| number + 1 == frame.number);
            let moved = last.map(|(_, before)| {
                let last = before[side as usize];
                // What carries the foot along is no sliding.
                let carried = now.carried_since(&last);
                let way = |before, after| least_way(before, after, carried, now.up);
                [way(&last.animated, &now.animated), way(&last.solved, &now.solved)]
            });
            let goes_on = now.planted > PLANTED && moved.is_some_and(|[animated, _]| animated < JUMP);
            match (own.as_mut(), moved) {
                (Some(slide), Some([animated, solved])) if goes_on => {
                    slide.animated += animated;
                    slide.solved += solved;
                    slide.frames[1] = frame.number;
                }
                _ => {
                    found.extend(own.take());
                    if now.planted > PLANTED {
                        *own = Some(Slide { side, frames: [frame.number; 2], animated: 0.0, solved: 0.0 });
                    }
                }
            }
        }
        before = Some((frame.number, contacts));
    }
    found.extend(open.into_iter().flatten());
    found.sort_by_key(|slide| slide.frames[0]);
    found
}

/// The least way over the ground of heel, ball and tip, besides what they were carried.
fn least_way(before: &[Vec3; 3], after: &[Vec3; 3], carried: Vec3, up: Vec3) -> f32 {
    let ways = before.iter().zip(after).map(|(before, after)| *after - *before - carried);
    let ways = ways.map(|way| (way - up * way.dot(up)).length());
    ways.fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::Frame;
    use glam::Vec3;

    /// A foot that stands for ten frames, sliding by 1 cm in each as animated and by 1 mm as solved, and lifts for five.
    fn tape() -> Tape {
        let mut tape = Tape::default();
        for frame in 0..30u32 {
            let at = |by: f32| [0.0, 0.1, 0.2].map(|ahead| Vec3::new(0.0, 0.0, ahead + by * frame as f32));
            let planted = if frame % 15 < 10 { 1.0 } else { 0.0 };
            let left = Contact { planted, animated: at(0.01), solved: at(0.001), ..Contact::default() };
            tape.record(0.01, &Frame::empty(), 0.0, Some([left, Contact::default()]));
        }
        tape
    }

    #[test]
    fn a_slide_is_counted_while_the_foot_stands() {
        let found = slides(&tape(), 100);
        assert_eq!(found.len(), 2);
        for (index, slide) in found.iter().enumerate() {
            assert_eq!((slide.side, slide.frames), (Side::Left, [index as u64 * 15, index as u64 * 15 + 9]));
            assert!((slide.animated - 0.09).abs() < 1e-5 && (slide.solved - 0.009).abs() < 1e-5);
        }
        assert_eq!(slides(&tape(), 4)[0].frames, [0, 4]);
        assert!(slides(&Tape::default(), 4).is_empty());
    }

    #[test]
    fn rolling_is_no_sliding() {
        let rolled = |heel: f32| [Vec3::new(0.0, heel, 0.02 * heel), Vec3::Z * 0.1, Vec3::Z * 0.2];
        assert_eq!(least_way(&rolled(0.0), &rolled(0.3), Vec3::ZERO, Vec3::Y), 0.0);
        let ferried = rolled(0.0).map(|point| point + Vec3::X);
        assert!(least_way(&rolled(0.0), &ferried, Vec3::X, Vec3::Y) < 1e-6);
    }
}
