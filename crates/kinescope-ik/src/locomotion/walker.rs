//! What there is to know of a character before it walks.

use glam::Vec3;

use super::sole::{Sole, toe_of};
use crate::animation::{Clip, Crossfade, RootMotion};
use crate::error::Fault;
use crate::grounding::derive::{DeriveSettings, derive_weights};
use crate::grounding::{Legs, Side, WeightCurve};
use crate::rig::{LocalPose, RigidTransform, Skeleton};

/// How long the legs are for which [`DeriveSettings`] are meant, metres.
const LEG: f32 = 0.9;

/// A character's legs and soles, and how each of its clips walks. Made once.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// As grounding knows them.
    pub legs: Legs,
    /// In the order of [`Side::ALL`].
    pub soles: [Sole; 2],
    /// One per clip.
    pub strides: Vec<Stride>,
}

/// How a clip walks.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// How the clip itself moves the character.
    pub root: RootMotion,
    /// When the left and the right foot stand, over the clip's phase; or why that cannot be told.
    pub planted: Result<[WeightCurve; 2], Fault>,
}

impl Stride {
    /// How far the clip itself has moved the character by a time of it, seconds; model space, metres.
    pub fn drift(&self, time: f32) -> Vec3 {
        self.root.drift * time
    }
}

/// Where a bone is in the world, of a character that is at `root` and has drifted by its clip.
pub fn carried(root: &RigidTransform, drift: Vec3, bone: &RigidTransform) -> RigidTransform {
    root.transform(&RigidTransform { position: bone.position - drift, ..*bone })
}

impl Walker {
    /// Measures soles and clips. `reference` is the pose that `legs` were measured in (model space), `rest` the one that
    /// clips keep where they move nothing.
    pub fn new(
        skeleton: &Skeleton,
        reference: &[RigidTransform],
        rest: &LocalPose,
        clips: &[Clip],
        legs: Legs,
    ) -> Self {
        let soles = Side::ALL.map(|side| Sole::new(skeleton, reference, &legs, side));
        let toes = [0, 1].map(|side| {
            // Where the character looks, not the foot: what counts is which way it walks.
            toe_of(skeleton, reference, legs.feet[side], legs.facing, legs.geometry[side].toe_offset)
        });
        let settings = DeriveSettings::default().scaled(legs.reach[0].max(legs.reach[1]) / LEG);
        let stride = |clip: &Clip| {
            let of = |side: usize| derive_weights(clip, skeleton, rest, legs.feet[side], toes[side], &settings);
            Stride {
                root: RootMotion::of(clip, skeleton, rest, legs.pelvis, legs.feet),
                planted: of(0).and_then(|left| Ok([left, of(1)?])),
            }
        };
        Self { soles, strides: clips.iter().map(stride).collect(), legs }
    }

    /// How fast a clip walks, metres per second, forward; 0 for one that stands, and for one that there is not.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        self.strides.get(clip).map_or(0.0, |stride| stride.root.velocity.dot(self.legs.facing))
    }

    /// How fast the clips that are shown walk together, metres per second, forward.
    pub fn speed(&self, shown: &Crossfade) -> f32 {
        self.mixed(shown, |_, stride| stride.root.velocity).dot(self.legs.facing)
    }

    /// How far the clips that are shown have themselves moved the character by now (model space, metres): to be taken
    /// out of the pose where the character goes a way of its own.
    pub fn drift(&self, shown: &Crossfade) -> Vec3 {
        self.mixed(shown, |time, stride| stride.drift(time))
    }

    /// What the clips that are shown, each at its time, say together.
    fn mixed(&self, shown: &Crossfade, value: impl Fn(f32, &Stride) -> Vec3) -> Vec3 {
        let of = |(clip, time, weight): (usize, f32, f32)| Some(value(time, self.strides.get(clip)?) * weight);
        shown.shown().filter_map(of).sum()
    }
}
