//! The input of a frame.

use std::sync::Arc;

use glam::Vec3;

use super::layer_id::Memory;
use super::order::Stack;
use super::place::Place;
use crate::retarget::SourcePose;
use crate::rig::ModelPose;

/// The input of a frame. Cheap to keep: frames share what did not change.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The settings of all layers, and their order.
    pub stack: Arc<Stack>,
    /// The animated pose; model space.
    pub animated: Arc<ModelPose>,
    /// The pose of another skeleton's clip that plays, for the layer *retarget*. Capsules do not keep it.
    pub source: Option<Arc<SourcePose>>,
    /// The place and time of the frame.
    pub place: Place,
    /// The previous frame's [`Frame::memory`](super::Frame::memory).
    pub memory: Memory,
}

impl Input {
    /// Makes the input of a single frame: at the origin, with a time step of 0 and an empty memory.
    pub fn new(stack: Stack, animated: ModelPose) -> Self {
        let (stack, animated) = (Arc::new(stack), Arc::new(animated));
        Self { stack, animated, source: None, place: Place::default(), memory: Memory::default() }
    }

    /// Returns the up direction of grounding; unit length, world space.
    pub fn up(&self) -> Vec3 {
        if self.stack.grounding.rotate_solver { self.place.root.rotation * Vec3::Y } else { Vec3::Y }
    }
}
