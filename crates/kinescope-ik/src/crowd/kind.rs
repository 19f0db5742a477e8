//! What all members of a crowd have in common.

use std::sync::Arc;

use crate::full_body::{FullBody, Settings};
use crate::grounding::PredictiveSettings;
use crate::locomotion::Walker;
use crate::math::nlerp;
use crate::rig::{Clip, LocalPose, RigidTransform, Skeleton};

/// What all members have in common.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Their bones.
    pub skeleton: Arc<Skeleton>,
    /// What they can play.
    pub clips: Vec<Clip>,
    /// The pose that clips keep where they move nothing.
    pub rest: LocalPose,
    /// How the clips walk, with legs and soles.
    pub walker: Walker,
    /// The solver of one, which is that of all.
    pub solver: Arc<FullBody>,
    /// What each is solved with, before grounding puts in its targets.
    pub settings: Settings,
    /// How feet look for the ground, but for the quality.
    pub grounding: PredictiveSettings,
}

/// The pose between two others, bone by bone.
pub(super) fn blend(from: &[RigidTransform], to: &[RigidTransform], share: f32, into: &mut Vec<RigidTransform>) {
    into.clear();
    into.extend(from.iter().zip(to).map(|(from, to)| RigidTransform {
        position: from.position.lerp(to.position, share),
        rotation: nlerp(from.rotation, to.rotation, share),
    }));
}
