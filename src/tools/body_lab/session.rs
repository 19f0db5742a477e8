use std::cell::OnceCell;

use crate::character::centimetres;
use crate::session::commands::Command;
use crate::session::headless::Headless;
use crate::session::{Action, Pane, Request, Selection, Session};
use crate::system::jobs::{Job, Outcome};
use crate::tools::body_lab::outside;
use crate::tools::body_lab::words as text;
use crate::tools::body_lab::{Found, FoundDivergence, LaneMotion, LaneRow, Question};
use crate::tools::capsule::ground_of;
use crate::tools::finder::session::selection_of;
use crate::tools::steps::session::StepAction;
use crate::world::World;
use crate::world::document::ClipSection;
use glam::{Quat, Vec3};
use kinescope_ik::debugger::divergence::{DivergedAt, Divergence, find_divergence_in_slices};
use kinescope_ik::debugger::tape::Marker;
use kinescope_ik::grounding::Side;
use kinescope_ik::key::label;
use kinescope_ik::locomotion::Contact;
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{
    BodyLab, BodyLane, ChoiceId, LaneJoint, LaneSource, LayerId, MOST_LANES, Stack, farthest_apart,
};
use kinescope_ik::stepped::run::Cursor;

/// Angle by which [`perturbed`] rotates each joint, degrees.
pub const PERTURBED: f32 = 2.0;
/// Largest number of recorded frames that *find divergence* solves: the newest ones.
const MOST_FRAMES: usize = 3600;

#[derive(Clone, Debug)]
pub enum BodyLabAction {
    AddLane(LayerId),
    AddForeign(String),
    AwaitSolver,
    RemoveLane(usize),
    Hide(usize, bool),
    Solver(usize, LayerId),
    Name(usize, String),
    /// Sets a number of a lane, clamped to the parameter's range. With `None`, the lane uses the number of the stack
    /// again.
    Number {
        lane: usize,
        parameter: ParameterId,
        value: Option<f32>,
        gesture: Option<u64>,
    },
    /// Sets a switch or list of a lane. With `None`, the lane uses the value of the stack again.
    Choice(usize, ChoiceId, Option<String>),
    Over(bool),
    /// Stops the clip and shows it at a time, seconds.
    ShowTime(f32),
    OverClip(bool),
    /// Chooses the lanes and the tolerance in metres of *find divergence*.
    Question {
        pair: [usize; 2],
        tolerance: f32,
    },
}

impl World {
    pub fn body_lab(&self) -> &BodyLab {
        &self.stack().order.body_lab
    }
}

pub fn is_open(session: &Session) -> bool {
    !session.world.body_lab().lanes.is_empty()
}

fn edit(session: &mut Session, label: &str, gesture: Option<u64>, change: impl FnOnce(&mut BodyLab)) {
    let mut stack: Stack = session.world.stack().clone();
    change(&mut stack.order.body_lab);
    session.edit_stack(label, gesture, stack);
}

pub(crate) fn apply(session: &mut Session, action: BodyLabAction) {
    let count = session.world.body_lab().lanes.len();
    match action {
        BodyLabAction::AddLane(solver) => add(session, BodyLane::of(solver)),
        BodyLabAction::AddForeign(name) => {
            add(session, BodyLane { source: LaneSource::Foreign { name }, ..BodyLane::default() });
        }
        BodyLabAction::AwaitSolver => outside::listen(session),
        BodyLabAction::RemoveLane(lane) if lane < count => {
            session.set_selection(Selection::Nothing);
            edit(session, text::EDIT_REMOVE, None, |lab| {
                lab.lanes.remove(lane);
            });
            reframe(session);
        }
        BodyLabAction::Hide(lane, hidden) if lane < count => {
            edit(session, text::EDIT_HIDE, None, |lab| lab.lanes[lane].hidden = hidden);
            reframe(session);
        }
        BodyLabAction::Solver(lane, solver) if lane < count => {
            edit(session, text::EDIT_SOLVER, None, |lab| {
                // The previous solver's numbers would be refused.
                let own = &mut lab.lanes[lane];
                (own.source, own.settings) = (LaneSource::Layer(solver), Default::default());
                own.choices.clear();
            });
        }
        BodyLabAction::Name(lane, name) if lane < count => {
            edit(session, text::EDIT_NAME, None, |lab| lab.lanes[lane].name = name);
        }
        BodyLabAction::Number { lane, parameter, value, gesture } if lane < count => {
            edit(session, &text::edit_number(&parameter.label()), gesture, |lab| {
                let numbers = &mut lab.lanes[lane].settings;
                match value {
                    Some(value) => numbers.insert(parameter.path(), parameter.parameter.clamp(value)),
                    None => numbers.remove(&parameter.path()),
                };
            });
        }
        BodyLabAction::Choice(lane, choice, value) if lane < count => {
            edit(session, &text::edit_number(&choice.label()), None, |lab| {
                let choices = &mut lab.lanes[lane].choices;
                match value {
                    Some(value) => choices.insert(choice.path(), value),
                    None => choices.remove(&choice.path()),
                };
            });
        }
        BodyLabAction::Over(over) => {
            edit(session, text::EDIT_OVER, None, |lab| lab.over = over);
            reframe(session);
        }
        BodyLabAction::ShowTime(time) => {
            if session.world.time.is_paused() {
                session.apply(Action::Command(Command::Live));
            }
            session.world.clip.playing = false;
            session.apply(Action::ClipTime(time));
        }
        BodyLabAction::OverClip(over_clip) => session.tools.body_lab.divergence.over_clip = over_clip,
        BodyLabAction::Question { pair, tolerance } => {
            let view = &mut session.tools.body_lab.divergence;
            (view.pair, view.tolerance) = (pair, tolerance);
        }
        // The lane was removed meanwhile.
        BodyLabAction::RemoveLane(_)
        | BodyLabAction::Hide(..)
        | BodyLabAction::Solver(..)
        | BodyLabAction::Name(..)
        | BodyLabAction::Choice(..)
        | BodyLabAction::Number { .. } => {}
    }
}

/// Frames character and lanes again, because a change of the lanes moves them sideways.
pub(crate) fn reframe(session: &mut Session) {
    session.update(0.0);
    session.frame_from_here(&session.world.picture.pose.clone());
}

fn add(session: &mut Session, lane: BodyLane) {
    if session.world.body_lab().lanes.len() >= MOST_LANES {
        return session.fail(text::most_lanes(&MOST_LANES));
    }
    edit(session, text::EDIT_ADD, None, |lab| lab.lanes.push(lane));
    reframe(session);
    let last = session.world.body_lab().lanes.len().saturating_sub(1);
    session.apply(Action::Select(Selection::Layer(LayerId::BodyLane(last))));
}

pub(crate) fn add_lane(session: &mut Session) {
    if is_open(session) {
        add(session, BodyLane::of(LayerId::FullBody));
    }
}

pub(crate) fn toggle(session: &mut Session) {
    if is_open(session) {
        session.set_selection(Selection::Nothing);
        edit(session, text::EDIT_CLOSE, None, |lab| *lab = BodyLab::default());
        let outside = std::mem::take(&mut session.tools.body_lab.outside);
        session.tools.body_lab = super::BodyLabView { outside, ..Default::default() };
        reframe(session);
        return;
    }
    edit(session, text::EDIT_OPEN, None, |lab| *lab = BodyLab::of_solvers());
    session.window.requests.push(Request::ShowPane(Pane::BodyLab));
    reframe(session);
}

/// Returns the lab without what does not change the lanes' results: names, hidden lanes and layout.
fn without_looks(lab: &BodyLab) -> BodyLab {
    let plain = |lane: &BodyLane| BodyLane { name: String::new(), hidden: false, ..lane.clone() };
    BodyLab { lanes: lab.lanes.iter().map(plain).collect(), over: false }
}

pub(crate) fn follow(session: &mut Session) {
    if !is_open(session) {
        return;
    }
    let lab = session.world.body_lab();
    let now = (without_looks(lab), session.world.clip.clip());
    let view = &mut session.tools.body_lab;
    if view.measured != now {
        (view.motion, view.played) = (vec![LaneMotion::default(); now.0.lanes.len()], 0);
        view.measured = now;
    }
    let frame = &session.world.solved;
    if frame.input.place.dt <= 0.0 {
        return;
    }
    let (rig, contacts) = (&session.world.character.rig, session.world.contacts());
    let joints = rig.lane_joints();
    for (lane, motion) in view.motion.iter_mut().enumerate() {
        let Some(pose) = frame.lane_pose(rig, lane) else { continue };
        let places: Vec<Vec3> =
            joints.iter().filter_map(|joint| pose.get(joint.bone)).map(|bone| bone.position).collect();
        let contacts = contacts.as_ref().zip(rig.soles.as_ref()).map(|(contacts, soles)| {
            Side::ALL.map(|side| Contact { solved: soles[side as usize].points(&pose), ..contacts[side as usize] })
        });
        motion.add(&places, contacts);
    }
    view.played += 1;
}

fn perturbed(session: &Session, pose: &[RigidTransform]) -> Vec<RigidTransform> {
    let skeleton = &session.world.character.rig.skeleton;
    let angle = PERTURBED.to_radians();
    let turns = [Quat::from_rotation_x(angle), Quat::from_rotation_y(-angle), Quat::from_rotation_z(angle)];
    let joints = session.world.character.rig.lane_joints();
    let mut other = pose.to_vec();
    for bone in 0..pose.len().min(skeleton.len()) {
        let Some(parent) = skeleton.parent(bone) else { continue };
        let mut local = pose[parent].to_local(&pose[bone]);
        if let Some(joint) = joints.iter().position(|joint| joint.bone == bone) {
            local.rotation *= turns[joint % turns.len()];
        }
        other[bone] = other[parent].transform(&local);
    }
    other
}

pub(crate) fn measure(session: &mut Session) {
    let (world, focus) = (&session.world, session.focus());
    let (frame, rig) = (&world.solved, &world.character.rig);
    let row = |lane: usize| {
        let (id, solved) = (LayerId::BodyLane(lane), frame.lane_pose(rig, lane)?);
        let layer = frame.layer(id)?;
        let measures = frame.lane_measures(rig, lane, &solved)?;
        let at_cursor = layer.run().filter(|run| focus == id && world.time.cursor != Cursor::end(*run));
        let bones = if at_cursor.is_some() { frame.pose_at(rig, id, world.time.cursor) } else { solved };
        let shown = ModelPose { bones, ..world.picture.animated.clone() };
        let (micros, late) = match outside::pose_of(frame, lane) {
            Some(pose) => (pose.micros.unwrap_or(0.0), pose.late),
            None => (layer.times.total(), 0),
        };
        Some(LaneRow { shown, measures, micros, late })
    };
    let rows: Vec<_> = (0..frame.stack.order.body_lab.lanes.len()).map(row).collect();
    // Undo, redo and opened documents change lanes without [`reframe`].
    session.look.is_unchecked |= rows.len() != session.tools.body_lab.rows.len();
    session.tools.body_lab.rows = rows;
    session.tools.body_lab.first_poses = OnceCell::new();
}

/// Returns how far the farthest joint of each lane's result moves, in model units, if the joints of the input pose are
/// rotated by [`PERTURBED`]. `None` for lanes of outside solvers and lanes without a result.
pub fn first_poses(session: &Session) -> &[Option<f32>] {
    session.tools.body_lab.first_poses.get_or_init(|| {
        let (frame, rig) = (&session.world.solved, &session.world.character.rig);
        let joints = rig.lane_joints();
        let moved = |lane: usize| {
            let (solved, layer) = (frame.lane_pose(rig, lane)?, frame.layer(LayerId::BodyLane(lane))?);
            let other = frame.solve_lane_from(rig, lane, perturbed(session, &layer.before))?;
            Some(farthest_apart(&joints, &solved, &other)?.distance)
        };
        (0..session.tools.body_lab.rows.len()).map(moved).collect()
    })
}

pub fn lane_label(lab: &BodyLab, lane: usize) -> String {
    let Some(own) = lab.lanes.get(lane) else { return String::new() };
    let first = own.settings.iter().next().filter(|_| own.name.is_empty());
    let number = first.and_then(|(path, value)| Some((ParameterId::from_path(path)?.label(), *value)));
    match number {
        Some((name, value)) => text::lane_with(&(lane + 1), &own.label(), &name, &value),
        None => text::lane(&(lane + 1), &own.label()),
    }
}

fn over_recording(session: &Session, lanes: [BodyLane; 2], tolerance: f32) -> Result<Job<Found>, String> {
    let (rig, recording) = (session.world.character.rig.clone(), session.tools.debugger.tape.newest(MOST_FRAMES));
    let ground = ground_of(session.world.plan().terrain.cloned());
    Job::start(move |report| async move {
        let done = &mut |done| report.done(done);
        let divergence = find_divergence_in_slices(&rig, &ground, &recording, &lanes, tolerance, done).await?;
        Some(Ok(FoundDivergence { divergence, between: None }))
    })
}

fn over_clip(session: &Session, lanes: [BodyLane; 2], tolerance: f32) -> Result<Job<Found>, String> {
    let clip = session.world.clip.clip().and_then(|clip| session.world.character.model.clips.get(clip));
    let name = clip.map(|clip| clip.name.clone());
    let (character, rate) = (session.world.character.copy(), session.world.bake_range().rate);
    let mut document = session.world.history.document().clone();
    document.clip = ClipSection { name, time: 0.0 };
    document.stack.order.body_lab = BodyLab { lanes: lanes.into(), over: false };
    Job::start(move |report| async move {
        let find = async || {
            let mut headless = Headless::new(character, document)?;
            headless.diverge_in_slices(rate, tolerance, &mut |done| report.done(done)).await
        };
        let found = find().await.transpose()?;
        Some(found.map(|(between, divergence)| FoundDivergence { divergence, between: Some(between) }))
    })
}

pub(crate) fn find_divergence(session: &mut Session) {
    let lab = session.world.body_lab().clone();
    let view = &session.tools.body_lab.divergence;
    let [Some(a), Some(b)] = view.pair.map(|lane| lab.lanes.get(lane).cloned()) else {
        return session.fail(text::CHOOSE_LANES);
    };
    if view.pair[0] == view.pair[1] {
        return session.fail(text::CHOOSE_LANES);
    }
    let (tolerance, asked) = (tolerance(session), question(session));
    let newest = session.tools.debugger.tape.range().map(|[_, newest]| newest).filter(|_| !view.over_clip);
    let job = match view.over_clip {
        true => over_clip(session, [a, b], tolerance),
        false => over_recording(session, [a, b], tolerance),
    };
    match job {
        Ok(job) => {
            let view = &mut session.tools.body_lab.divergence;
            (view.job, view.result, view.asked, view.newest) = (Some(job), None, asked, newest);
            session.window.requests.push(Request::ShowPane(Pane::BodyLab));
        }
        Err(error) => session.fail(error),
    }
}

pub(crate) fn update(session: &mut Session) -> bool {
    let Some(job) = &session.tools.body_lab.divergence.job else { return false };
    match job.poll() {
        Outcome::Running => {}
        Outcome::Nothing => session.tools.body_lab.divergence.job = None,
        Outcome::Done(_) if lost_recording(session) => session.tools.body_lab.divergence.job = None,
        Outcome::Done(found) => {
            session.tools.body_lab.divergence.job = None;
            if let Ok(found) = &found
                && found.between.is_none()
            {
                mark(session, &found.divergence);
            }
            match &found {
                Ok(own) => match &own.divergence.first {
                    Some(first) => show(session, first, own.between),
                    None if own.divergence.frames == 0 => session.notify(text::NO_FRAME_COMPARED),
                    None => session.notify(text::NO_DIVERGENCE),
                },
                Err(error) => session.fail(error.clone()),
            }
            session.tools.body_lab.divergence.result = Some(found);
        }
    }
    true
}

fn mark(session: &mut Session, found: &Divergence) {
    let (Some(first), Some(largest)) = (&found.first, &found.largest) else { return };
    let length = |at: &DivergedAt| session.world.character.length(at.distance);
    let marks = [
        (largest.number, text::mark_largest(&joint_label(&largest.joint), &length(largest))),
        (first.number, text::mark_first(&joint_label(&first.joint), &length(first))),
    ];
    for (number, text) in marks {
        session.tools.debugger.tape.mark(Marker { number, text, is_warning: true });
    }
}

pub fn joint_label(joint: &LaneJoint) -> String {
    joint.node.map_or_else(|| text::HEAD.to_owned(), |node| label(node.key()))
}

pub(crate) fn frame_label(at: &DivergedAt, between: Option<f32>) -> String {
    between.map_or_else(|| text::frame(&at.number), |between| text::at_time(at.number as f32 * between))
}

pub(crate) fn to_frame(at: &DivergedAt, between: Option<f32>) -> Action {
    match between {
        Some(between) => Action::BodyLab(BodyLabAction::ShowTime(at.number as f32 * between)),
        None => Action::Steps(StepAction::SeekFrame(at.number)),
    }
}

/// Selects nothing if the head diverges, because the head is no node.
fn show(session: &mut Session, at: &DivergedAt, between: Option<f32>) {
    session.apply(to_frame(at, between));
    session.apply(Action::Select(at.joint.node.map_or(Selection::Nothing, selection_of)));
    let distance = session.world.character.length(at.distance);
    session.notify(text::diverges(&frame_label(at, between), &joint_label(&at.joint), &distance));
}

/// Returns the tolerance of *find divergence* in model units.
pub(crate) fn tolerance(session: &Session) -> f32 {
    session.tools.body_lab.divergence.tolerance * metre(session)
}

/// Returns the length of a metre in model units.
pub(crate) fn metre(session: &Session) -> f32 {
    100.0 / centimetres(session.world.character.height) as f32
}

fn question(session: &Session) -> Question {
    let view = &session.tools.body_lab.divergence;
    let mut stack = session.world.history.document().stack.clone();
    let lab = std::mem::take(&mut stack.order.body_lab);
    let lanes = without_looks(&lab).lanes;
    let own = |lane: usize| lanes.get(lane).cloned().unwrap_or_default();
    stack.order.body_lab.lanes = view.pair.map(own).into();
    Question { stack, tolerance: view.tolerance, over_clip: view.over_clip, clip: session.world.clip.clip() }
}

/// Returns whether the frames of the last search in the recording are no longer on the tape.
fn lost_recording(session: &Session) -> bool {
    let newest = session.tools.body_lab.divergence.newest;
    newest.is_some_and(|newest| session.tools.debugger.tape.get(newest).is_none())
}

pub fn is_stale(session: &Session) -> bool {
    lost_recording(session) || session.tools.body_lab.divergence.asked != question(session)
}
