//! Where a foot touches the ground in one frame, as animated and as solved.

use glam::Vec3;

use crate::ground::Layers;

/// The contact of a foot with the ground in one frame, with the three points of its [sole](super::Sole): heel, ball and
/// tip. World space, model units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// How much the animation plants the foot, 0 to 1.
    pub planted: f32,
    /// The moving platform under the foot, by its index and its centre; `None` if there is none.
    pub platform: Option<(usize, Vec3)>,
    /// The ground layers that the foot stands on.
    pub layers: Layers,
    /// Up; unit. Movement along it does not count as sliding. With a zero vector all movement counts.
    pub up: Vec3,
    /// The character's height in model units, which distinguishes a sole that was repositioned from one that slides.
    pub height: f32,
    /// The points in the animated pose.
    pub animated: [Vec3; 3],
    /// The points in the solved pose.
    pub solved: [Vec3; 3],
}

impl Contact {
    /// Returns the displacement of the platform under the foot since the contact `before`; model units. Zero if the
    /// foot is not on the same platform in both, or if the displacement is not finite.
    pub fn carried_since(&self, before: &Self) -> Vec3 {
        match (before.platform, self.platform) {
            (Some((a, from)), Some((b, to))) if a == b => {
                Some(to - from).filter(|displacement| displacement.is_finite())
            }
            _ => None,
        }
        .unwrap_or(Vec3::ZERO)
    }

    /// Returns how far the solved sole slid along the ground since the contact `before`, one frame earlier, relative to
    /// its platform; model units. `None` if the foot is not planted in both, or was repositioned. A foot rolls over its
    /// sole, so the smallest movement of heel, ball and tip counts.
    pub fn slid_since(&self, before: &Self) -> Option<f32> {
        let carried = self.carried_since(before);
        let slid = |(before, now): (&Vec3, &Vec3)| {
            let slid = *now - *before - carried;
            (slid - self.up * slid.dot(self.up)).length()
        };
        let least = before.solved.iter().zip(&self.solved).map(slid).fold(f32::INFINITY, f32::min);
        (before.planted.min(self.planted) > PLANTED && least < self.jump()).then_some(least)
    }

    /// Returns the least distance that a sole moves in one frame when it is repositioned; model units.
    pub(crate) fn jump(&self) -> f32 {
        JUMP * self.height
    }
}

/// A sole that moves this far in one frame was repositioned; a fraction of the character's height. Half a
/// metre for a human.
const JUMP: f32 = 0.3;
/// The weight above which a foot counts as planted.
const PLANTED: f32 = 0.5;
