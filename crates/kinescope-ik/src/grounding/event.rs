//! Events of a grounding: its casts, and the places of feet that the predictive grounder predicts.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::input::is_sane;
pub use crate::ground::Shape;
use crate::ground::{Ground, Hit, Layers};
use crate::names::Side;
use crate::stepped::Watch;

/// What a cast looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Ground below the character.
    Root,
    /// Ground right under the foot bone (called heel in the source), or behind it with `invert_foot_center`; at quality
    /// `fastest`, under the bone's predicted place.
    Heel,
    /// Ground under the middle of the foot, along its predicted path; at quality `simple`, only at the end of the path.
    Front,
    /// Ground beside the foot, for the plane through three hits at quality `simple`.
    Side,
    /// Ground under the rotated foot's heel.
    SoleHeel,
    /// Ground under the rotated foot's sole, below the foot bone.
    SoleMiddle,
    /// Ground under the rotated foot's toe.
    SoleToe,
}

/// One cast. World space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// What the cast looks for.
    pub purpose: Purpose,
    /// The foot; `None` for the root.
    pub side: Option<Side>,
    /// Shape that is cast.
    pub shape: Shape,
    /// Position of the shape at the start of the cast.
    pub from: Vec3,
    /// Position of the shape at the full length of the cast, beyond any hit.
    pub to: Vec3,
    /// Hit that the ground returned; `None` if the cast hit nothing.
    pub hit: Option<Hit>,
}

/// One event of a grounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A shape was cast against the ground.
    Cast(Cast),
    /// The place of a foot bone was predicted from its velocity.
    Predicted {
        /// The foot whose place was predicted.
        side: Side,
        /// Current place of the bone.
        from: Vec3,
        /// Predicted place of the bone.
        to: Vec3,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Contact {
    Hit(Hit),
    /// The cast began inside the ground, so the ground is higher than the start of the cast.
    Buried,
    None,
}

impl Contact {
    /// Classifies the hit of a cast in `direction`. A hit that is not finite is [`Self::None`], one at distance 0 or
    /// less [`Self::Buried`]. Normals become unit vectors, a normal of length 0 the reverse of `direction`.
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

/// Casts a shape against `layers` and reports the cast to `watch`, which cannot stop the step.
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
