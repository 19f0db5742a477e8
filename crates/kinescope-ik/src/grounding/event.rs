//! What there is to see of a grounding: every cast, and where every foot is thought to go.

use glam::Vec3;

use super::input::is_sane;
pub use crate::ground::Shape;
use crate::ground::{Ground, Hit, Layers};
use crate::names::Side;
use crate::stepped::Watch;

/// What a cast was to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Whether there is ground below the character at all.
    Root,
    /// The ground right under the foot bone («heel» in the source).
    Heel,
    /// The ground ahead: under the middle of the foot, along its predicted path.
    Front,
    /// The ground beside the foot: the third point of a plane.
    Side,
    /// Under the rotated foot's own heel.
    SoleHeel,
    /// Under the rotated foot, where its sole is below the foot bone.
    SoleMiddle,
    /// Under the rotated foot's own toe.
    SoleToe,
}

/// One cast. World space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// What it was to find out.
    pub purpose: Purpose,
    /// `None` for the root.
    pub side: Option<Side>,
    /// What was moved along.
    pub shape: Shape,
    /// Where the shape begins.
    pub from: Vec3,
    /// Where the shape ends up if it meets nothing.
    pub to: Vec3,
    /// As the ground answered.
    pub hit: Option<Hit>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A shape was moved along a line against the ground.
    Cast(Cast),
    /// Where the foot bone will be, by its velocity.
    Predicted {
        /// Which foot.
        side: Side,
        /// Where the bone is.
        from: Vec3,
        /// Where it is expected.
        to: Vec3,
    },
}

/// A cast's answer, as far as it can be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Contact {
    Hit(Hit),
    /// The cast began inside the ground: whatever is there is higher than any step.
    Buried,
    None,
}

impl Contact {
    /// What a ground's answer to a cast in that direction comes to. A hit that is not finite counts as none.
    pub fn of(hit: Option<Hit>, direction: Vec3) -> Self {
        match hit {
            Some(hit) if !is_sane(hit.point) || !hit.normal.is_finite() || !hit.distance.is_finite() => Self::None,
            Some(hit) if hit.distance <= 0.0 => Self::Buried,
            Some(hit) => Self::Hit(Hit { normal: crate::math::unit(hit.normal).unwrap_or(-direction), ..hit }),
            None => Self::None,
        }
    }

    pub fn hit(self) -> Option<Hit> {
        match self {
            Self::Hit(hit) => Some(hit),
            Self::Buried | Self::None => None,
        }
    }
}

/// Casts against those layers along `way` (direction and length in one) and tells the watcher, who cannot undo a cast: the step goes on.
pub(super) fn cast(
    ground: &impl Ground,
    (purpose, side, layers): (Purpose, Option<Side>, Layers),
    shape: Shape,
    from: Vec3,
    (direction, distance): (Vec3, f32),
    watch: &mut impl Watch<Event>,
) -> Contact {
    let hit = ground.cast_on(layers, shape, from, direction, distance);
    let _ = watch.saw(Event::Cast(Cast { purpose, side, shape, from, to: from + direction * distance, hit }));
    Contact::of(hit, direction)
}
