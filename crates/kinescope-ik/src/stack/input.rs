//! The input of a frame.

use std::sync::Arc;

use glam::Vec3;

use super::body_lab::{BodyLab, ForeignPose, LaneSource};
use super::layer_id::Memory;
use super::order::Stack;
use super::place::Place;
use crate::retarget::SourcePose;
use crate::rig::ModelPose;

/// The input of a frame. Clones share stack and poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The settings of all layers, and their order.
    pub stack: Arc<Stack>,
    /// The animated pose, with [`Place::root`] applied: world space, or model space if the root is the identity.
    pub animated: Arc<ModelPose>,
    /// The pose of the clip that plays, if the clip belongs to another skeleton, for the layer *retarget*; `None`
    /// otherwise. Capsules do not keep it.
    pub source: Option<Arc<SourcePose>>,
    /// The pose of each lane of the full-body lab that another program solves, by the lane's index; `None` for lanes
    /// without one. Capsules do not keep it.
    pub foreign: Arc<Vec<Option<Arc<ForeignPose>>>>,
    /// The place and time of the frame.
    pub place: Place,
    /// The previous frame's [`Frame::memory`](super::Frame::memory).
    pub memory: Memory,
}

impl Input {
    /// Makes the input of a single frame: at the origin, with a time step of 0 and an empty memory.
    pub fn new(stack: Stack, animated: ModelPose) -> Self {
        let (stack, animated) = (Arc::new(stack), Arc::new(animated));
        Self {
            stack,
            animated,
            source: None,
            foreign: Arc::default(),
            place: Place::default(),
            memory: Memory::default(),
        }
    }

    /// Replaces the full-body lab. A lane of another program gets the [foreign pose](Self::foreign) of the first old
    /// lane with the same source, if there is one.
    pub fn set_body_lab(&mut self, lab: &BodyLab) {
        if self.stack.order.body_lab == *lab {
            return;
        }
        let foreign = lab.lanes.iter().map(|lane| self.foreign_of(&lane.source).cloned()).collect();
        self.foreign = Arc::new(foreign);
        Arc::make_mut(&mut self.stack).order.body_lab.clone_from(lab);
    }

    /// Returns the foreign pose of the first lane with this source; `None` if there is no such lane, or if it has no
    /// pose.
    pub(crate) fn foreign_of(&self, source: &LaneSource) -> Option<&Arc<ForeignPose>> {
        let lane = self.stack.order.body_lab.lanes.iter().position(|lane| lane.source == *source)?;
        self.foreign.get(lane)?.as_ref()
    }

    /// Returns the up direction of grounding; unit length, world space: the root's +Y with
    /// [`rotate_solver`](super::GroundingSection::rotate_solver), otherwise +Y.
    pub fn up(&self) -> Vec3 {
        if self.stack.grounding.rotate_solver { self.place.root.rotation * Vec3::Y } else { Vec3::Y }
    }
}
