//! Outside solvers of the full-body lab: connected programs, the frame that each solves, and the newest frame that waits.
//!
//! A solver solves one frame at a time. While it is busy, only the newest question waits, so a slow solver never slows
//! the window.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinescope_ik::error::Fault;
use kinescope_ik::full_body::FullBody;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{ForeignPose, Input};

use super::callers::Peer;
use super::solver_lines::{Answer, Target, frame_line};
use crate::tools::game::words as text;

const MOST_SOLVERS: usize = 8;
/// Keys of the lines to a solver. A new line replaces the unsent line with the same key. Lines are sent in the order of
/// these keys.
const RIG: &str = "0";
const FRAME: &str = "1";

#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The number of the frame on the tape.
    pub(crate) frame: u64,
    /// The input of the frame. The answer belongs to the frame on the tape only while that frame has this input.
    pub(crate) input: Input,
    pub(crate) pose: Arc<Vec<RigidTransform>>,
    pub(crate) targets: Vec<Target>,
}

impl Question {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.frame == other.frame && self.pose == other.pose && self.targets == other.targets
    }
}

/// A question, and the solver's pose or its reason for sending none.
pub(crate) type Answered = (Question, Result<Arc<ForeignPose>, String>);

#[derive(Default)]
struct State {
    /// The full-body solver of the character in the last rig line, by which the outside solver's rig is recognized.
    rig: Option<Arc<FullBody>>,
    bones: usize,
    /// The number of the last frame line.
    number: u64,
    /// The number of the last frame line about an earlier rig. Answers to it and to the lines before it are ignored.
    outdated: u64,
    asked: Option<Question>,
    waiting: Option<Question>,
    answers: Vec<Answered>,
}

impl State {
    fn next_line(&mut self) -> Option<String> {
        if self.asked.is_some() {
            return None;
        }
        let question = self.waiting.take()?;
        self.number += 1;
        let line = frame_line(self.number, &question.pose, &question.targets);
        self.asked = Some(question);
        Some(line)
    }

    fn take_answer(&mut self, answer: Result<Answer, Fault>) -> Result<(), Fault> {
        let answer = match answer {
            Ok(answer) if (1..=self.outdated).contains(&answer.frame) => return Ok(()),
            Ok(answer) => answer,
            Err(fault) => {
                self.asked = None;
                return Err(fault);
            }
        };
        let question = match self.asked.take() {
            Some(question) if answer.frame == self.number => question,
            Some(question) => {
                self.asked = Some(question);
                return Err(Fault::new("frame", text::wrong_frame(&answer.frame, &self.number)));
            }
            None => return Err(Fault::new("frame", text::no_frame_asked(&answer.frame))),
        };
        self.answers.push((question, answer.pose(self.bones)?));
        Ok(())
    }
}

pub struct Solver {
    pub(crate) name: String,
    peer: Arc<Peer>,
    state: Mutex<State>,
}

impl Solver {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_rig(&self, rig: &Arc<FullBody>) -> bool {
        self.state().rig.as_ref().is_some_and(|own| Arc::ptr_eq(own, rig))
    }

    /// Sends the rig of a character, and drops all questions and answers about the previous one.
    pub(crate) fn set_rig(&self, rig: &Arc<FullBody>, bones: usize, line: String) {
        let mut state = self.state();
        let number = state.number;
        *state = State { rig: Some(rig.clone()), bones, number, outdated: number, ..State::default() };
        self.peer.sender.forget(FRAME);
        self.peer.sender.send(RIG, line);
    }

    /// Asks for the pose of a frame, unless the newest question is the same. The question replaces one that waits.
    pub(crate) fn ask(&self, question: Question) {
        let mut state = self.state();
        let newest = state.waiting.as_ref().or(state.asked.as_ref());
        if newest.or(state.answers.last().map(|(of, _)| of)).is_some_and(|newest| newest.is_same(&question)) {
            return;
        }
        state.waiting = Some(question);
        if let Some(line) = state.next_line() {
            self.peer.sender.send(FRAME, line);
        }
    }

    pub(crate) fn take_answers(&self) -> Vec<Answered> {
        std::mem::take(&mut self.state().answers)
    }

    /// Reads an answer, and sends the question that waits. A malformed line or pose also ends the question that was
    /// sent, because the solver may never send another answer. An answer to another frame does not.
    pub(super) fn take_line(&self, line: &str) -> Result<(), Fault> {
        let mut state = self.state();
        let taken = state.take_answer(Answer::read(line));
        if let Some(line) = state.next_line() {
            self.peer.sender.send(FRAME, line);
        }
        taken
    }
}

#[derive(Default)]
pub(super) struct Solvers(Mutex<Vec<Arc<Solver>>>);

impl Solvers {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Solver>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn all(&self) -> Vec<Arc<Solver>> {
        self.lock().clone()
    }

    pub(crate) fn add(&self, name: String, peer: &Arc<Peer>) -> Result<Arc<Solver>, Fault> {
        let mut solvers = self.lock();
        if solvers.iter().any(|own| own.name == name) {
            return Err(Fault::new("name", text::solver_name_taken(&name)));
        }
        if solvers.len() >= MOST_SOLVERS {
            return Err(Fault::new("", text::too_many_solvers(&MOST_SOLVERS)));
        }
        let solver = Arc::new(Solver { name, peer: peer.clone(), state: Mutex::default() });
        solvers.push(solver.clone());
        Ok(solver)
    }

    pub(crate) fn remove(&self, solver: &Arc<Solver>) {
        self.lock().retain(|own| !Arc::ptr_eq(own, solver));
    }
}
