//! Legs, soles and clips of a character, measured once.

use glam::Vec3;

use super::sole::{Sole, toe_of};
use crate::animation::paths::paths;
use crate::animation::{Clip, Crossfade, RootMotion};
use crate::error::Fault;
use crate::grounding::derive::{DeriveSettings, weights_of};
use crate::grounding::{Legs, Side, WeightCurve};
use crate::rig::{BoneIndex, LocalPose, ModelPose, RigidTransform, Skeleton};
use crate::slices::{finish, pause};

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
    toes: [Option<BoneIndex>; 2],
}

/// The movement of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// The drift of the clip, and the velocity at which its planted feet do not slide.
    pub root: RootMotion,
    /// Weight curves of the left and the right foot over the clip's phase, or why they cannot be derived.
    pub planted: Result<[WeightCurve; 2], Fault>,
}

impl Stride {
    /// Measures a clip. The clip is sampled once for all bones, because sampling takes most of the time.
    fn new(clip: &Clip, skeleton: &Skeleton, rest: &LocalPose, legs: &Legs, toes: [Option<BoneIndex>; 2]) -> Self {
        let settings = DeriveSettings::default().scaled(legs.reach[0].max(legs.reach[1]) / LEG);
        let ([left, right], toe) = (legs.feet, |side: usize| toes[side].unwrap_or(legs.feet[side]));
        match paths(clip, skeleton, rest, &[legs.pelvis, left, right, toe(0), toe(1)]) {
            Err(fault) => Self { root: RootMotion::default(), planted: Err(fault) },
            Ok(None) => Self {
                root: RootMotion::default(),
                planted: Ok([WeightCurve::constant(1.0), WeightCurve::constant(1.0)]),
            },
            Ok(Some((paths, interval))) => {
                let rest = ModelPose::from_local(skeleton, rest);
                let leg = rest.position(legs.pelvis).y - rest.position(left).y;
                let [pelvis, left, right, left_toe, right_toe] = [0, 1, 2, 3, 4].map(|path: usize| &paths[path][..]);
                let weights = |foot, toe| weights_of(&[foot, toe], interval, &settings);
                Self {
                    root: RootMotion::of_paths(pelvis, [left, right], (interval, clip.duration), leg),
                    planted: Ok([weights(left, left_toe), weights(right, right_toe)]),
                }
            }
        }
    }

    /// Returns how far the clip has moved the character at a time, in seconds; model space, metres.
    pub fn drift(&self, time: f32) -> Vec3 {
        self.root.drift * time
    }
}

/// Returns the world transform of a bone for a character at `root`. `bone` is its transform in the clip, from which the
/// clip's `drift` is subtracted; both in model space.
pub fn carried(root: &RigidTransform, drift: Vec3, bone: &RigidTransform) -> RigidTransform {
    root.transform(&RigidTransform { position: bone.position - drift, ..*bone })
}

impl Walker {
    /// Measures soles and clips. `reference` is the pose that `legs` were measured in (model space), `rest` the local
    /// pose of bones that a clip does not animate.
    pub fn new(
        skeleton: &Skeleton,
        reference: &[RigidTransform],
        rest: &LocalPose,
        clips: &[Clip],
        legs: Legs,
    ) -> Self {
        finish(Self::new_in_slices(skeleton, reference, rest, clips, legs, &mut |_| {}))
    }

    /// Does the same as [`Self::new`], with a [pause](crate::slices) after each clip. `progress` is called with the
    /// fraction of the clips that is measured, up to 1.
    pub async fn new_in_slices(
        skeleton: &Skeleton,
        reference: &[RigidTransform],
        rest: &LocalPose,
        clips: &[Clip],
        legs: Legs,
        progress: &mut dyn FnMut(f32),
    ) -> Self {
        let soles = Side::ALL.map(|side| Sole::new(skeleton, reference, &legs, side));
        let toes = [0, 1].map(|side| {
            // Uses the heading of the character instead of the foot's, because the character walks in this direction.
            toe_of(skeleton, reference, legs.feet[side], legs.facing, legs.geometry[side].toe_offset)
        });
        let mut new = Self { soles, strides: Vec::with_capacity(clips.len()), legs, toes };
        for (index, clip) in clips.iter().enumerate() {
            new.measure(skeleton, rest, clip);
            progress((index + 1) as f32 / clips.len() as f32);
            pause().await;
        }
        new
    }

    /// Measures a further clip. Its index is the number of clips measured before. The arguments are those of
    /// [`Self::new`].
    pub fn measure(&mut self, skeleton: &Skeleton, rest: &LocalPose, clip: &Clip) {
        self.strides.push(Stride::new(clip, skeleton, rest, &self.legs, self.toes));
    }

    /// Returns the forward speed of a clip, metres per second; 0 for a clip that does not exist.
    pub fn clip_speed(&self, clip: usize) -> f32 {
        self.strides.get(clip).map_or(0.0, |stride| stride.root.velocity.dot(self.legs.facing))
    }

    /// Returns the forward speed of a crossfade, metres per second.
    pub fn speed(&self, shown: &Crossfade) -> f32 {
        self.mixed(shown, |_, stride| stride.root.velocity).dot(self.legs.facing)
    }

    /// Returns how far the clips of a crossfade have moved the character (model space, metres). Subtract it from the
    /// pose of a character that follows a path.
    pub fn drift(&self, shown: &Crossfade) -> Vec3 {
        self.mixed(shown, |time, stride| stride.drift(time))
    }

    fn mixed(&self, shown: &Crossfade, value: impl Fn(f32, &Stride) -> Vec3) -> Vec3 {
        let of = |(clip, time, weight): (usize, f32, f32)| Some(value(time, self.strides.get(clip)?) * weight);
        shown.shown().filter_map(of).sum()
    }
}
