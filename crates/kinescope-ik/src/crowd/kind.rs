//! Rig, clips, solver and settings of the members of a crowd.

use std::sync::Arc;

use crate::full_body::{FullBody, Settings};
use crate::grounding::PredictiveSettings;
use crate::locomotion::Walker;
use crate::math::nlerp;
use crate::rig::{Clip, LocalPose, RigidTransform, Skeleton};

/// Rig, clips, solver and settings that all members of a crowd share.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The skeleton.
    pub skeleton: Arc<Skeleton>,
    /// The clips that members play.
    pub clips: Vec<Clip>,
    /// The local pose of bones that a clip does not animate.
    pub rest: LocalPose,
    /// Legs, soles and clip speeds.
    pub walker: Walker,
    /// The full-body solver.
    pub solver: Arc<FullBody>,
    /// Settings of the full body, before grounding sets its targets; rules limit the iterations.
    pub settings: Settings,
    /// Settings of the grounder; rules replace the quality.
    pub grounding: PredictiveSettings,
}

pub(super) fn blend(from: &[RigidTransform], to: &[RigidTransform], share: f32, into: &mut Vec<RigidTransform>) {
    into.clear();
    into.extend(from.iter().zip(to).map(|(from, to)| RigidTransform {
        position: from.position.lerp(to.position, share),
        rotation: nlerp(from.rotation, to.rotation, share),
    }));
}
