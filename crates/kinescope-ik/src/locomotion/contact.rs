//! Where a foot touches the ground in one frame, as animated and as solved.

use glam::Vec3;

use crate::ground::Layers;

/// Where a foot touches, or would touch, the ground: heel, ball and tip of its [sole](super::Sole); world space,
/// metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// How much the animation means the foot to stand, 0 to 1.
    pub planted: f32,
    /// The moving platform it is on, by its index, and where that platform's middle is.
    pub platform: Option<(usize, Vec3)>,
    /// What of the ground the foot stands on.
    pub layers: Layers,
    /// Unit; a way along it is no sliding. Zero: every way is.
    pub up: Vec3,
    /// In the animated pose.
    pub animated: [Vec3; 3],
    /// In the solved pose.
    pub solved: [Vec3; 3],
}

impl Contact {
    /// How far the foot was carried since the contact `before`, metres: what its platform moved, and nothing where it is
    /// on none, or not on the same one. Nothing as well if a platform was at no finite place.
    pub fn carried_since(&self, before: &Self) -> Vec3 {
        match (before.platform, self.platform) {
            (Some((a, from)), Some((b, to))) if a == b => Some(to - from).filter(|way| way.is_finite()),
            _ => None,
        }
        .unwrap_or(Vec3::ZERO)
    }
}
