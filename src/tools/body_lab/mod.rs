//! The full-body lab: lanes with their own solver and settings solve the input of the frame shown, and are compared.

pub mod outside;
pub mod pane;
pub mod picture;
pub mod session;
pub(crate) mod words;

use std::cell::OnceCell;

use glam::Vec3;

use crate::system::jobs::Job;
use crate::tools::jerk::Jerk;
use kinescope_ik::debugger::divergence::Divergence;
use kinescope_ik::locomotion::Contact;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::{BodyLab, LaneMeasures, Stack};

#[derive(Clone, Debug)]
pub struct LaneRow {
    /// The pose drawn, in model space: at the cursor if the lane is in focus, else the solved pose.
    pub shown: ModelPose,
    pub measures: LaneMeasures,
    /// Duration of the solve, microseconds. 0 without a clock, and for an outside solver that sent none.
    pub micros: f32,
    /// Number of frames by which an outside solver's pose is late.
    pub late: u64,
}

/// Measures of a lane over the frames played since the lab or the clip last changed.
#[derive(Clone, Debug, Default)]
pub struct LaneMotion {
    jerk: Jerk,
    contacts: Option<[Contact; 2]>,
    /// Distance that planted soles slid along the ground, both feet together, model units.
    pub slide: f32,
}

impl LaneMotion {
    fn add(&mut self, places: &[Vec3], contacts: Option<[Contact; 2]>) {
        self.jerk.add(places);
        if let (Some(before), Some(now)) = (&self.contacts, &contacts) {
            let slid = before.iter().zip(now).filter_map(|(before, now)| now.slid_since(before));
            self.slide += slid.sum::<f32>();
        }
        self.contacts = contacts;
    }

    pub fn jerk(&self) -> f32 {
        self.jerk.root_mean_square()
    }
}

pub struct DivergenceView {
    pub pair: [usize; 2],
    /// Largest distance between the results of the two lanes that does not count as a divergence, metres.
    pub tolerance: f32,
    pub over_clip: bool,
    pub job: Option<Job<Found>>,
    pub result: Option<Found>,
    /// The settings when the job started.
    asked: Question,
    /// The newest recorded frame when the job started. `None` over a clip.
    newest: Option<u64>,
}

/// Settings on which the result of *find divergence* depends.
#[derive(Clone, Debug, Default, PartialEq)]
struct Question {
    /// The document's stack. Its lab has only the two compared lanes, without their names.
    stack: Stack,
    tolerance: f32,
    over_clip: bool,
    clip: Option<usize>,
}

pub type Found = Result<FoundDivergence, String>;

#[derive(Clone, Debug, PartialEq)]
pub struct FoundDivergence {
    pub divergence: Divergence,
    /// Time between two frames of the clip, seconds. `None` for frames of the recording.
    pub between: Option<f32>,
}

const TOLERANCE: f32 = 0.01;

impl Default for DivergenceView {
    fn default() -> Self {
        Self {
            pair: [0, 1],
            tolerance: TOLERANCE,
            job: None,
            over_clip: false,
            result: None,
            asked: Question::default(),
            newest: None,
        }
    }
}

impl DivergenceView {
    /// Drops job and result, which belong to the previous character or roles.
    pub(crate) fn clear(&mut self) {
        (self.job, self.result) = (None, None);
    }
}

#[derive(Default)]
pub struct BodyLabView {
    pub rows: Vec<Option<LaneRow>>,
    /// Computed when the pane first asks for them, because they take a solve of each lane.
    pub first_poses: OnceCell<Vec<Option<f32>>>,
    pub motion: Vec<LaneMotion>,
    pub played: u32,
    /// The lab and the clip that `motion` belongs to.
    measured: (BodyLab, Option<usize>),
    pub divergence: DivergenceView,
    pub(crate) outside: outside::Outside,
}
