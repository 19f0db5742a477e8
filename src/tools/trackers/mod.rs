//! Simulated trackers of social VR: settings, calibration, and the errors of elbows, knees and chest with their causes.

pub mod pane;
pub mod picture;
pub mod session;
pub(crate) mod words;

use kinescope_ik::debugger::tracker_errors::{TrackedJoint, TrackerErrors};
use kinescope_ik::full_body::Node;
use kinescope_ik::stack::Stack;
use kinescope_ik::trackers::Tracker;

use crate::system::jobs::Job;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    pub stack: Stack,
    pub clip: Option<usize>,
}

pub struct TrackersView {
    /// The tracker whose place on its bone is shown.
    pub tracker: Tracker,
    /// The joint whose causes are shown. `None` for the mean over all joints.
    pub joint: Option<TrackedJoint>,
    pub job: Option<Job<(TrackerErrors, Measured)>>,
    pub errors: Option<TrackerErrors>,
    pub measured: Measured,
    /// Number of finished measurements. The pane scrolls to the result when the number changes.
    pub done: u32,
}

impl Default for TrackersView {
    fn default() -> Self {
        Self { tracker: Tracker::Pelvis, joint: None, job: None, errors: None, measured: Measured::default(), done: 0 }
    }
}

pub const fn node_of(joint: TrackedJoint) -> Node {
    match joint {
        TrackedJoint::LeftElbow => Node::LeftForearm,
        TrackedJoint::RightElbow => Node::RightForearm,
        TrackedJoint::LeftKnee => Node::LeftCalf,
        TrackedJoint::RightKnee => Node::RightCalf,
        TrackedJoint::Chest => Node::Body,
    }
}
