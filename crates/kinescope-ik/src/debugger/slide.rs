//! Foot slide: how far a planted foot moves over the ground.

use glam::Vec3;

use super::tape::Tape;
use crate::grounding::Side;
use crate::grounding::lock::PLANTED;
use crate::locomotion::Contact;

/// A stance of a foot, from landing to lifting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The foot that stands.
    pub side: Side,
    /// The numbers of the first and last frame of the stance.
    pub frames: [u64; 2],
    /// The distance that the foot slides in the animated pose, in model units along the ground.
    pub animated: f32,
    /// The distance that the foot slides in the solved pose, in model units along the ground.
    pub solved: f32,
}

/// The number of frames at the start of a recording in which feet settle.
const SETTLING: u64 = 3;

impl Slide {
    /// Returns true if the foot landed within a recording that starts with frame `first`. A stance that was in progress
    /// at the start has no landing, and the first frames only settle the foot.
    pub fn has_landed_since(&self, first: u64) -> bool {
        self.frames[0] >= first.saturating_add(SETTLING)
    }
}

/// Returns the stances of both feet up to frame `number`, oldest first. The last ones may still be in progress. A foot
/// that the animation repositions, or that lacks contacts in a frame, starts a new stance.
///
/// A foot rolls over heel, ball and tip, so in each frame the smallest movement of the three counts, and rolling on the
/// spot is no slide.
pub fn slides(tape: &Tape, number: u64) -> Vec<Slide> {
    let mut found: Vec<Slide> = Vec::new();
    let mut open: [Option<Slide>; 2] = [None; 2];
    let mut before: Option<(u64, &[Contact; 2])> = None;
    for frame in tape.frames().filter(|frame| frame.number <= number) {
        let Some(contacts) = frame.contacts.as_deref() else {
            before = None;
            continue;
        };
        for side in Side::ALL {
            let now = &contacts[side as usize];
            let own = &mut open[side as usize];
            let last = before.filter(|(number, _)| number + 1 == frame.number);
            let moved = last.map(|(_, before)| {
                let last = &before[side as usize];
                // Movement of the ground that carries the foot is not slide.
                let carried = now.carried_since(last);
                let slid = |before, after| least_slide(before, after, carried, now.up);
                [slid(&last.animated, &now.animated), slid(&last.solved, &now.solved)]
            });
            let goes_on = now.planted > PLANTED && moved.is_some_and(|[animated, _]| animated < now.jump());
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

/// Returns the smallest movement of heel, ball and tip along the ground, relative to the ground's own movement; model
/// units.
fn least_slide(before: &[Vec3; 3], after: &[Vec3; 3], carried: Vec3, up: Vec3) -> f32 {
    let mut least = f32::INFINITY;
    for (before, after) in before.iter().zip(after) {
        let displacement = *after - *before - carried;
        least = least.min((displacement - up * displacement.dot(up)).length());
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repositioned_foot_does_not_slide_at_any_scale() {
        for scale in [1.0, 100.0] {
            let at = |z: f32| [Vec3::new(0.0, 0.0, z * scale); 3];
            let on = |z: f32| Contact { planted: 1.0, height: 1.7 * scale, solved: at(z), ..Contact::default() };
            let slid = on(0.1).slid_since(&on(0.0)).unwrap();
            assert!((slid / scale - 0.1).abs() < 1e-5, "{slid}");
            assert_eq!(on(0.6).slid_since(&on(0.0)), None);
        }
    }

    #[test]
    fn rolling_is_not_sliding() {
        let rolled = |heel: f32| [Vec3::new(0.0, heel, 0.02 * heel), Vec3::Z * 0.1, Vec3::Z * 0.2];
        assert_eq!(least_slide(&rolled(0.0), &rolled(0.3), Vec3::ZERO, Vec3::Y), 0.0);
        let ferried = rolled(0.0).map(|point| point + Vec3::X);
        assert!(least_slide(&rolled(0.0), &ferried, Vec3::X, Vec3::Y) < 1e-6);
    }
}
