//! Where a foot touches the ground in one frame, as animated and as solved.

use glam::Vec3;

use crate::ground::Layers;

/// The three points of a foot's [sole](super::Sole) in one frame: heel, ball and tip. World space, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// How much the animation plants the foot, 0 to 1.
    pub planted: f32,
    /// The moving platform under the foot: its index and its centre.
    pub platform: Option<(usize, Vec3)>,
    /// The ground layers that the foot stands on.
    pub layers: Layers,
    /// Up; unit. Movement along it does not count as sliding. With a zero vector all movement counts.
    pub up: Vec3,
    /// The points in the animated pose.
    pub animated: [Vec3; 3],
    /// The points in the solved pose.
    pub solved: [Vec3; 3],
}

impl Contact {
    /// Returns how far the platform under the foot moved since the contact `before`; metres. Zero if the foot is not on the
    /// same platform in both, or if the platform's position is not finite.
    pub fn carried_since(&self, before: &Self) -> Vec3 {
        match (before.platform, self.platform) {
            (Some((a, from)), Some((b, to))) if a == b => Some(to - from).filter(|way| way.is_finite()),
            _ => None,
        }
        .unwrap_or(Vec3::ZERO)
    }
}
