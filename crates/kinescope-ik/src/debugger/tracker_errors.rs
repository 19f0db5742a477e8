//! Errors of a character that is posed from [trackers](crate::trackers), and their causes.
//!
//! The clip is the ground truth: the error of a joint is its distance in the solved pose from its place in the clip.
//! Four causes can be removed from the simulation: noise, drop-outs, wrong places of trackers, and proportions that differ
//! from the character's. The clip is solved once for each of the 16 sets `S` of removed causes, with the mean error
//! `E(S)`. The part of a cause is its mean saving over the 24 orders in which all four can be removed (its Shapley value):
//!
//! ```text
//! part(c)  = Σ over S without c of  |S|! (3 − |S|)! / 4! · (E(S) − E(S with c))
//! solver   = E(all four removed)
//! E(none)  = noise + drop-outs + calibration + proportions + solver
//! ```
//!
//! A part is negative if removing its cause makes the error larger, as when two errors cancel.

use std::sync::Arc;

use super::again::Progress;
use crate::key::named;
use crate::modifiers::Figure;
use crate::rig::{BoneIndex, LimbName, ModelPose, RigidTransform};
use crate::slices::{finish, report};
use crate::stack::{self, Input, Memory, Place, Rig, Stack, Tools};
use crate::trackers::TrackerSettings;

named! {
    /// A joint whose error is measured: an elbow, a knee or the base of the chest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum TrackedJoint {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        label,
    }
    /// All joints.
    ALL {
        /// The left elbow.
        LeftElbow;
        /// The right elbow.
        RightElbow;
        /// The left knee.
        LeftKnee;
        /// The right knee.
        RightKnee;
        /// The base of the chest.
        Chest;
    }
}

impl TrackedJoint {
    /// The number of joints.
    pub const COUNT: usize = 5;

    /// Returns the bone of the joint.
    pub fn bone(self, figure: &Figure) -> BoneIndex {
        match self {
            Self::LeftElbow => figure.limbs[LimbName::LeftArm.index()][1],
            Self::RightElbow => figure.limbs[LimbName::RightArm.index()][1],
            Self::LeftKnee => figure.limbs[LimbName::LeftLeg.index()][1],
            Self::RightKnee => figure.limbs[LimbName::RightLeg.index()][1],
            Self::Chest => figure.chest(),
        }
    }
}

named! {
    /// A cause of errors.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum TrackerCause {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        label: &'static str,
        /// Returns a sentence on the simulation without the cause; for the solver, on the error that is left.
        removed: &'static str,
    }
    /// All causes. Each but [`Self::Solver`] is a bit of a set of removed causes.
    ALL {
        /// Jitter and drift.
        Noise: "noise", "Without this cause, trackers have no jitter and no drift.";
        /// Trackers that freeze or vanish for a while.
        DropOuts: "drop-outs", "Without this cause, trackers never freeze or vanish.";
        /// Places of trackers that calibration determined wrongly, or not at all.
        Calibration: "calibration", "Without this cause, the place of every tracker on its bone is known exactly.";
        /// A user whose height, arms or legs differ from the character's.
        Proportions: "proportions", "Without this cause, user and calibration have the character's proportions.";
        /// The error that is left with exact targets.
        Solver: "solver", "The error that is left with exact targets.";
    }
}

impl TrackerCause {
    /// The number of causes that can be removed.
    pub const REMOVABLE: usize = 4;

    /// Returns settings with the causes of a set removed; bit `i` is `ALL[i]`.
    pub fn without(set: usize, settings: &TrackerSettings) -> TrackerSettings {
        let mut own = settings.clone();
        for (bit, cause) in Self::ALL.into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
            debug_assert!(bit < Self::REMOVABLE);
            own = match cause {
                Self::Noise => own.without_noise(),
                Self::DropOuts => own.without_drop_outs(),
                Self::Calibration => own.with_exact_mounts(),
                Self::Proportions => own.with_own_proportions(),
                Self::Solver => own,
            };
        }
        own
    }
}

/// The errors of a clip and their parts; all lengths in model units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackerErrors {
    /// Time of each frame in the clip, seconds.
    pub times: Vec<f32>,
    /// The error of each joint in each frame, in the order of [`TrackedJoint::ALL`].
    pub frames: Vec<[f32; TrackedJoint::COUNT]>,
    /// The mean error of each joint.
    pub mean: [f32; TrackedJoint::COUNT],
    /// The largest error of each joint.
    pub most: [f32; TrackedJoint::COUNT],
    /// The index in `frames` of the largest error of each joint.
    pub worst: [usize; TrackedJoint::COUNT],
    /// The part of each cause in the mean error of each joint, in the order of [`TrackerCause::ALL`].
    pub parts: [[f32; TrackerCause::ALL.len()]; TrackedJoint::COUNT],
    /// The number of solved frames, over all sets of removed causes.
    pub solves: usize,
}

impl TrackerErrors {
    /// Returns the mean error over all joints.
    pub fn whole(&self) -> f32 {
        self.mean.iter().sum::<f32>() / TrackedJoint::COUNT as f32
    }

    /// Returns the part of a cause in the mean error over all joints.
    pub fn part(&self, cause: TrackerCause) -> f32 {
        self.parts.iter().map(|parts| parts[cause as usize]).sum::<f32>() / TrackedJoint::COUNT as f32
    }
}

/// Returns the errors of a solved pose against the pose of the clip, in the order of [`TrackedJoint::ALL`]; model
/// units. `None` if a pose lacks a bone.
pub fn errors_of(
    figure: &Figure,
    solved: &[RigidTransform],
    clip: &[RigidTransform],
) -> Option<[f32; TrackedJoint::COUNT]> {
    let mut errors = [0.0; TrackedJoint::COUNT];
    for (joint, error) in TrackedJoint::ALL.into_iter().zip(&mut errors) {
        let bone = joint.bone(figure);
        *error = solved.get(bone)?.position.distance(clip.get(bone)?.position);
    }
    Some(errors)
}

/// Solves a clip from trackers, and attributes its errors to their causes. `poses` are frames of the clip in model
/// space, `dt` seconds apart. `None` if `progress` ends the work, there are no frames, the character is no biped, or a
/// frame cannot be solved.
pub fn tracker_errors(
    rig: &Rig,
    stack: &Stack,
    (poses, dt): (&[ModelPose], f32),
    progress: Progress<'_>,
) -> Option<TrackerErrors> {
    finish(tracker_errors_in_slices(rig, stack, (poses, dt), progress))
}

/// Does the same as [`tracker_errors`], with [pauses](crate::slices).
pub fn tracker_errors_in_slices(
    rig: &Rig,
    stack: &Stack,
    (poses, dt): (&[ModelPose], f32),
    progress: Progress<'_>,
) -> impl Future<Output = Option<TrackerErrors>> {
    tracker_errors_async(rig, stack, (poses, dt), progress)
}

async fn tracker_errors_async(
    rig: &Rig,
    stack: &Stack,
    (poses, dt): (&[ModelPose], f32),
    progress: Progress<'_>,
) -> Option<TrackerErrors> {
    const SETS: usize = 1 << TrackerCause::REMOVABLE;
    let figure = rig.figure.clone().filter(|_| !poses.is_empty())?;
    let poses: Vec<Arc<ModelPose>> = poses.iter().cloned().map(Arc::new).collect();
    let mut errors = TrackerErrors::default();
    let mut means = [[0.0; TrackedJoint::COUNT]; SETS];
    let mut workspace = rig.full_body.as_ref().ok()?.workspace();
    let mut solve = async |set: usize, each: &mut dyn FnMut([f32; TrackedJoint::COUNT])| {
        let mut stack = stack.clone();
        stack.order.trackers = TrackerCause::without(set, &stack.order.trackers);
        stack.order.trackers.on = true;
        let (stack, mut memory) = (Arc::new(stack), Memory::default());
        for (frame, pose) in poses.iter().enumerate() {
            let place = Place { dt, clip_time: frame as f32 * dt, ..Place::default() };
            let input = Input {
                stack: stack.clone(),
                animated: pose.clone(),
                source: None,
                foreign: Arc::default(),
                place,
                memory,
            };
            let tools = Tools { workspace: Some(&mut workspace), ..Tools::default() };
            let solved = stack::solve(rig, tools, &input);
            if solved.problem().is_some() {
                return None;
            }
            each(errors_of(&figure, &solved.pose, &pose.bones)?);
            memory = solved.memory;
            let done = (set * poses.len() + frame + 1) as f32 / (SETS * poses.len()) as f32;
            if !report(progress, done).await {
                return None;
            }
        }
        Some(())
    };
    for (set, mean) in means.iter_mut().enumerate() {
        let mut sums = [0.0f64; TrackedJoint::COUNT];
        solve(set, &mut |own| {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += f64::from(own));
            if set == 0 {
                errors.frames.push(own);
            }
        })
        .await?;
        *mean = sums.map(|sum| (sum / poses.len() as f64) as f32);
    }
    errors.solves = SETS * poses.len();
    errors.times = (0..poses.len()).map(|frame| frame as f32 * dt).collect();
    errors.mean = means[0];
    for (joint, (most, worst)) in errors.most.iter_mut().zip(&mut errors.worst).enumerate() {
        for (frame, own) in errors.frames.iter().enumerate().filter(|(_, own)| own[joint].is_finite()) {
            if own[joint] > *most {
                (*most, *worst) = (own[joint], frame);
            }
        }
    }
    errors.parts = std::array::from_fn(|joint| parts(&means.map(|mean| mean[joint])));
    Some(errors)
}

fn parts(means: &[f32; 1 << TrackerCause::REMOVABLE]) -> [f32; TrackerCause::ALL.len()] {
    /// Weight of a set by its number of causes: `|S|! (3 − |S|)! / 4!`.
    const WEIGHTS: [f32; TrackerCause::REMOVABLE] = [1.0 / 4.0, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 4.0];
    let mut parts = [0.0; TrackerCause::ALL.len()];
    for (cause, part) in parts.iter_mut().enumerate().take(TrackerCause::REMOVABLE) {
        let bit = 1 << cause;
        *part = (0..means.len())
            .filter(|set| set & bit == 0)
            .map(|set| WEIGHTS[set.count_ones() as usize] * (means[set] - means[set | bit]))
            .sum();
    }
    parts[TrackerCause::Solver as usize] = means[means.len() - 1];
    parts
}
