//! Outside solvers: programs that are connected to the listening port and solve lanes.
//!
//! A program's answer arrives after the frame was drawn. Until then the lane shows the program's last answer for this
//! character, if there is one. The new answer then replaces that late pose on the tape, if the frame still has the same
//! input.

use std::collections::HashMap;
use std::sync::Arc;

use crate::character::centimetres;
use crate::session::{Pane, Request, Session, rig_of};
use crate::tools::body_lab::words as text;
use crate::tools::game::{Question, Solver, rig_line, targets};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::FullBody;
use kinescope_ik::game_recording::GameCharacter;
use kinescope_ik::link::ADDRESS;
use kinescope_ik::stack::{BodyLab, ForeignPose, Frame, Input, LaneSource, LayerId};
use kinescope_ik::stepped::run::Cursor;

#[derive(Default)]
pub struct Outside {
    known: Vec<Arc<Solver>>,
    last: HashMap<String, Answer>,
    /// The last reported failure, so that one failure is reported once.
    failure: Option<String>,
    is_unseen: bool,
}

struct Answer {
    question: Question,
    pose: Arc<ForeignPose>,
    /// The solver of the character that the pose belongs to.
    rig: Option<Arc<FullBody>>,
}

type Poses = Vec<Option<Arc<ForeignPose>>>;

pub fn solvers_of(session: &Session) -> Vec<Arc<Solver>> {
    session.tools.games.connection.listening().map(|listening| listening.listener.solvers()).unwrap_or_default()
}

pub(crate) fn solver(session: &Session, name: &str) -> Option<Arc<Solver>> {
    solvers_of(session).into_iter().find(|solver| solver.name == name)
}

fn lanes(lab: &BodyLab) -> impl Iterator<Item = (usize, &String)> {
    lab.lanes.iter().enumerate().filter_map(|(lane, own)| match &own.source {
        LaneSource::Foreign { name } => Some((lane, name)),
        LaneSource::Layer(_) => None,
    })
}

pub fn pose_of(frame: &Frame, lane: usize) -> Option<&ForeignPose> {
    let own = frame.input.stack.order.body_lab.lanes.get(lane)?;
    let is_outside = matches!(own.source, LaneSource::Foreign { .. });
    frame.input.foreign.get(lane).filter(|_| is_outside)?.as_deref()
}

pub(crate) fn listen(session: &mut Session) {
    if session.tools.games.connection.listening().is_none() {
        session.listen(ADDRESS);
    }
    if let Some(listening) = session.tools.games.connection.listening() {
        let address = listening.listener.address;
        session.window.requests.push(Request::ShowPane(Pane::BodyLab));
        session.notify(text::start_solver(&address));
    }
}

fn rig(session: &Session) -> Option<Arc<FullBody>> {
    session.world.character.rig.full_body.as_ref().ok().cloned()
}

pub(crate) fn late_poses(session: &Session, frame: u64) -> Arc<Poses> {
    let lab = &session.world.history.document().stack.order.body_lab;
    let mut poses = vec![None; lab.lanes.len()];
    let mut has_any = false;
    for (lane, name) in lanes(lab) {
        poses[lane] = late_pose(session, name, frame).map(Arc::new);
        has_any |= poses[lane].is_some();
    }
    if has_any { Arc::new(poses) } else { Arc::default() }
}

fn late_pose(session: &Session, name: &str, frame: u64) -> Option<ForeignPose> {
    let last = session.tools.body_lab.outside.last.get(name)?;
    let is_of_character = last.rig.as_ref().zip(rig(session)).is_some_and(|(own, rig)| Arc::ptr_eq(own, &rig));
    is_of_character.then(|| last.pose.late_by(frame.saturating_sub(last.question.frame).max(1)))
}

pub(crate) fn next_frame(session: &Session) -> u64 {
    let is_later = session.world.time.unrecorded > 0.0;
    session.tools.debugger.tape.range().map_or(0, |[_, last]| last + u64::from(is_later))
}

fn question(session: &Session, lane: usize) -> Option<Question> {
    let world = &session.world;
    let pose = world.solved.layer(LayerId::BodyLane(lane))?.before.clone();
    let targets = targets(rig(session)?.as_ref(), world.solved_settings(), &pose);
    Some(Question { frame: world.time.frame, input: world.solved.input.clone(), pose, targets })
}

pub(crate) fn ask(session: &Session) {
    if session.tools.games.is_shown() {
        return;
    }
    for (lane, name) in lanes(session.world.body_lab()) {
        let has_own = pose_of(&session.world.solved, lane).is_some_and(|pose| pose.late == 0);
        let Some(solver) = solver(session, name).filter(|_| !has_own) else { continue };
        let Some((question, rig)) = question(session, lane).zip(rig(session)) else { continue };
        if !solver.has_rig(&rig) {
            let Ok(line) = line_of_rig(session) else { continue };
            solver.set_rig(&rig, question.pose.len(), line);
        }
        solver.ask(question);
    }
}

fn line_of_rig(session: &Session) -> Result<String, Fault> {
    let character = &session.world.character;
    let rig = rig_of(character, &[]).map_err(|error| Fault::new("", error))?;
    let name = character.model.name.clone();
    let own = GameCharacter { name, skeleton: rig.skeleton, biped: rig.biped, reference: rig.reference };
    rig_line(&own, centimetres(character.height) / 100.0)
}

/// Returns whether answers arrived, or solvers connected or disconnected.
pub(crate) fn take_answers(session: &mut Session) -> bool {
    let solvers = solvers_of(session);
    let mut changed = report(session, &solvers);
    for solver in solvers {
        for (question, answer) in solver.take_answers() {
            changed = true;
            match answer {
                Ok(pose) => keep(session, &solver.name, question, pose),
                Err(error) => {
                    let failure = text::solver_failed(&solver.name, &error);
                    if session.tools.body_lab.outside.failure.as_ref() != Some(&failure) {
                        session.mention(failure.clone());
                        session.tools.body_lab.outside.failure = Some(failure);
                    }
                }
            }
        }
    }
    changed
}

fn report(session: &mut Session, now: &[Arc<Solver>]) -> bool {
    let before = std::mem::replace(&mut session.tools.body_lab.outside.known, now.to_vec());
    let has_lane = |session: &Session, name: &String| lanes(session.world.body_lab()).any(|(_, own)| own == name);
    // A program that connected again between two frames is another solver with the same name.
    let lacks = |all: &[Arc<Solver>], own: &Arc<Solver>| !all.iter().any(|other| Arc::ptr_eq(own, other));
    let mut changed = false;
    for Solver { name, .. } in before.iter().filter(|own| lacks(now, own)).map(|own| &**own) {
        let outside = &mut session.tools.body_lab.outside;
        outside.last.remove(name);
        outside.failure = None;
        session.mention(text::solver_disconnected(name));
        // A live picture shows that the lane has no solver. Recorded frames keep their poses.
        session.world.time.needs_solve |= !session.world.time.is_paused() && has_lane(session, name);
        changed = true;
    }
    for Solver { name, .. } in now.iter().filter(|own| lacks(&before, own)).map(|own| &**own) {
        match has_lane(session, name) {
            true => {
                session.mention(text::solver_back(name));
                ask(session);
            }
            false => session.mention(text::solver_connected(name)),
        }
        changed = true;
    }
    changed
}

fn keep(session: &mut Session, name: &str, question: Question, pose: Arc<ForeignPose>) {
    let tape = &mut session.tools.debugger.tape;
    let is_same = |own: &Input, asked: &Input| {
        own.stack == asked.stack && own.animated == asked.animated && own.place == asked.place
    };
    if tape.get(question.frame).is_some_and(|frame| is_same(&frame.input, &question.input)) {
        let lab = &question.input.stack.order.body_lab;
        for (lane, _) in lanes(lab).filter(|(_, own)| *own == name) {
            tape.set_foreign(question.frame, lab, lane, pose.clone());
        }
    }
    let rig = rig(session);
    let outside = &mut session.tools.body_lab.outside;
    outside.is_unseen = true;
    outside.failure = None;
    outside.last.insert(name.to_owned(), Answer { question, pose, rig });
}

pub(crate) fn show_answers(session: &mut Session) -> bool {
    if !std::mem::take(&mut session.tools.body_lab.outside.is_unseen) || session.tools.games.is_shown() {
        return false;
    }
    let Some(input) = answered(session) else { return false };
    let focus = session.focus();
    let solved = Arc::new(session.world.compose(&input));
    let before = std::mem::replace(&mut session.world.solved, solved);
    session.world.time.cursor = match (before.run(focus), session.shown_run()) {
        (_, None) => Cursor::default(),
        (_, Some(run)) if !session.world.time.is_paused() => Cursor::end(run),
        (Some(before), Some(run)) if session.world.time.cursor == Cursor::end(before) => Cursor::end(run),
        (Some(before), Some(run)) => session.world.time.cursor.carried_over(before, run),
        (None, Some(run)) => session.world.time.cursor.clamped(run),
    };
    session.show();
    true
}

fn answered(session: &Session) -> Option<Input> {
    let mut input = session.world.solved.input.clone();
    let mut changed = false;
    for (lane, name) in lanes(session.world.body_lab()) {
        let own = pose_of(&session.world.solved, lane);
        let Some(last) = session.tools.body_lab.outside.last.get(name) else { continue };
        if own.is_some_and(|own| own.late == 0) {
            continue;
        }
        let is_own = question(session, lane).is_some_and(|now| now.is_same(&last.question));
        let pose = match is_own {
            true => Some(last.pose.clone()),
            false => late_pose(session, name, session.world.time.frame).map(Arc::new),
        };
        let poses = Arc::make_mut(&mut input.foreign);
        poses.resize(session.world.body_lab().lanes.len(), None);
        poses[lane] = pose;
        changed = true;
    }
    changed.then_some(input)
}
