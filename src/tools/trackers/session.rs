use kinescope_ik::debugger::tracker_errors::{TrackedJoint, errors_of, tracker_errors_in_slices};
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::LayerId;
use kinescope_ik::trackers::{Calibration, CalibrationPose, Tracker, TrackerSettings};

use crate::session::{Action, Selection, Session};
use crate::system::jobs::{Job, Outcome};
use crate::tools::trackers::{Measured, words as text};

/// Largest rate at which [`measure`] samples a clip, frames per second. The samples divide the clip evenly.
const RATE: f32 = 30.0;
/// Largest number of frames that [`measure`] solves. Frames of a longer clip are further apart.
const MOST_FRAMES: usize = 300;

#[derive(Clone, Copy, Debug)]
pub enum TrackerAction {
    Choose(Tracker),
    Joint(Option<TrackedJoint>),
}

pub(crate) fn apply(session: &mut Session, action: TrackerAction) {
    let view = &mut session.tools.debugger.trackers;
    match action {
        TrackerAction::Choose(tracker) => view.tracker = tracker,
        TrackerAction::Joint(joint) => view.joint = joint,
    }
}

pub fn settings(session: &Session) -> &TrackerSettings {
    &session.world.history.document().stack.order.trackers
}

fn edit(session: &mut Session, label: &str, change: impl FnOnce(&mut TrackerSettings)) {
    let mut stack = session.world.history.document().stack.clone();
    change(&mut stack.order.trackers);
    session.edit_stack(label, None, stack);
}

pub(crate) fn toggle(session: &mut Session) {
    edit(session, text::EDIT_ON, |own| own.on = !own.on);
    let is_on = settings(session).on;
    if is_on {
        session.apply(Action::Select(Selection::Layer(LayerId::Trackers)));
    }
}

fn clip_pose(session: &Session, time: f32) -> ModelPose {
    let character = &session.world.character;
    let mut local = character.rest.clone();
    if let Some(clip) = session.world.clip.clip().and_then(|clip| character.model.clips.get(clip)) {
        clip.sample(time, &mut local);
    }
    ModelPose::from_local(&character.model.skeleton, &local)
}

pub(crate) fn calibrate(session: &mut Session) {
    let rig = &session.world.character.rig;
    if rig.figure.is_none() {
        return session.notify(text::NO_BIPED);
    }
    let own = settings(session);
    if !own.on {
        return;
    }
    let found = rig.wearer.clone().and_then(|wearer| {
        let first = || wearer.read(&clip_pose(session, 0.0).bones, &RigidTransform::IDENTITY);
        let pose = match own.moment {
            CalibrationPose::Reference => wearer.reference,
            CalibrationPose::FirstFrame => first().map_err(|fault| fault.to_string())?,
        };
        Ok(Calibration::new(&wearer, own, &pose))
    });
    match found {
        Ok(found) => edit(session, text::EDIT_CALIBRATE, |own| own.calibration = Some(found)),
        Err(fault) => session.fail(text::not_calibrated(&fault)),
    }
}

pub(crate) fn forget_calibration(session: &mut Session) {
    edit(session, text::EDIT_FORGET, |own| own.calibration = None);
}

/// Starts a job that measures the errors over the clip once for each subset of the removable causes of error, with the
/// causes of the subset removed.
pub(crate) fn measure(session: &mut Session) {
    let character = &session.world.character;
    let clip = session.world.clip.clip().and_then(|clip| character.model.clips.get(clip));
    let duration = clip.map_or(0.0, |clip| clip.duration).max(0.0);
    let count = ((duration * RATE) as usize).clamp(1, MOST_FRAMES);
    let dt = if count > 1 { duration / count as f32 } else { 1.0 / RATE };
    let poses: Vec<ModelPose> = (0..count).map(|frame| clip_pose(session, frame as f32 * dt)).collect();
    let (rig, stack) = (character.rig.clone(), session.world.history.document().stack.clone());
    let measured = Measured { stack, clip: session.world.clip.clip() };
    let job = Job::start(move |report| async move {
        let progress = &mut |done| report.done(done);
        let errors = tracker_errors_in_slices(&rig, &measured.stack, (&poses, dt), progress).await?;
        Some((errors, measured))
    });
    match job {
        Ok(job) => session.tools.debugger.trackers.job = Some(job),
        Err(error) => session.fail(error),
    }
}

pub(crate) fn update(session: &mut Session) -> bool {
    let Some(job) = &session.tools.debugger.trackers.job else { return false };
    match job.poll() {
        Outcome::Running => {}
        Outcome::Done((errors, measured)) => {
            let view = &mut session.tools.debugger.trackers;
            (view.errors, view.measured, view.job) = (Some(errors), measured, None);
            view.done = view.done.wrapping_add(1);
        }
        Outcome::Nothing => {
            session.tools.debugger.trackers.job = None;
            session.fail(text::NOT_MEASURED.to_owned());
        }
    }
    true
}

pub fn is_stale(session: &Session) -> bool {
    let Measured { stack, clip } = &session.tools.debugger.trackers.measured;
    *stack != session.world.history.document().stack || *clip != session.world.clip.clip()
}

pub fn errors_now(session: &Session) -> Option<[f32; TrackedJoint::COUNT]> {
    session.world.solved.trackers()?;
    let figure = session.world.character.rig.figure.as_ref()?;
    errors_of(figure, &session.world.solved.pose, &session.world.solved.input.animated.bones)
}
