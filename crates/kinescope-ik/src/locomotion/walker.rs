//! Legs, soles and clip speeds of a character, measured once.

use glam::Vec3;

use super::sole::{Sole, toe_of};
use crate::animation::{Clip, Crossfade, RootMotion};
use crate::error::Fault;
use crate::grounding::derive::{DeriveSettings, derive_weights};
use crate::grounding::{Legs, Side, WeightCurve};
use crate::rig::{LocalPose, RigidTransform, Skeleton};

/// The leg length for which the defaults of [`DeriveSettings`] are meant, metres.
const LEG: f32 = 0.9;

/// The legs and soles of a character, and the movement of each of its clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// The legs, as grounding uses them.
    pub legs: Legs,
    /// The soles, in the order of [`Side::ALL`].
    pub soles: [Sole; 2],
    /// The movement of each clip, by the clip's index.
    pub strides: Vec<Stride>,
}

/// The movement of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// How the clip moves the root.
    pub root: RootMotion,
    /// Weight curves of the left and the right foot over the clip's phase, or why they cannot be derived.
    pub planted: Result<[WeightCurve; 2], Fault>,
}

impl Stride {
    /// Returns how far the clip has moved the character at a time, in seconds; model space, metres.
    pub fn drift(&self, time: f32) -> Vec3 {
        self.root.drift * time
    }
}

/// Returns a bone in world space, for a character at `root`, without the `drift` of its clip.
pub fn carried(root: &RigidTransform, drift: Vec3, bone: &RigidTransform) -> RigidTransform {
    root.transform(&RigidTransform { position: bone.position - drift, ..*bone })
}

impl Walker {
    /// Measures soles and clips. `reference` is the pose that `legs` were measured in (model space), `rest` the local pose of
    /// bones that a clip does not animate.
    pub fn new(
        skeleton: &Skeleton,
        reference: &[RigidTransform],
        rest: &LocalPose,
        clips: &[Clip],
        legs: Legs,
    ) -> Self {
        let soles = Side::ALL.map(|side| Sole::new(skeleton, reference, &legs, side));
        let toes = [0, 1].map(|side| {
            // Uses the heading of the character instead of the foot's, because the character walks in this direction.
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

    /// Returns the forward speed of a clip, metres per second; 0 for a clip that does not exist.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        self.strides.get(clip).map_or(0.0, |stride| stride.root.velocity.dot(self.legs.facing))
    }

    /// Returns the forward speed of a crossfade, metres per second.
    pub fn speed(&self, shown: &Crossfade) -> f32 {
        self.mixed(shown, |_, stride| stride.root.velocity).dot(self.legs.facing)
    }

    /// Returns how far the clips of a crossfade have moved the character (model space, metres). Subtract it from the pose
    /// of a character that follows a path.
    pub fn drift(&self, shown: &Crossfade) -> Vec3 {
        self.mixed(shown, |time, stride| stride.drift(time))
    }

    fn mixed(&self, shown: &Crossfade, value: impl Fn(f32, &Stride) -> Vec3) -> Vec3 {
        let of = |(clip, time, weight): (usize, f32, f32)| Some(value(time, self.strides.get(clip)?) * weight);
        shown.shown().filter_map(of).sum()
    }
}
