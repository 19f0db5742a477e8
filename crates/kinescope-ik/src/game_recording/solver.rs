//! Solving a game's frames, to compare them with the game's results.

use std::collections::BTreeMap;

use glam::Vec3;

use super::data::{GameCharacter, GameFrame};
use crate::error::Fault;
use crate::full_body::{BodyRun, FullBody, Node, Nodes, Recording, Step, Workspace};
use crate::rig::RigidTransform;
use crate::trace::{Rig, Trace};

/// Solves the frames of one character. Solver and buffers are created once for all frames.
#[derive(Clone, Debug)]
pub struct GameSolver {
    name: String,
    /// The rig; its animated pose is empty.
    rig: Rig,
    solver: FullBody,
    workspace: Workspace,
    recording: Recording,
}

impl GameSolver {
    /// Creates the solver of a character.
    ///
    /// # Errors
    /// The errors of [`FullBody::new`].
    pub fn new(character: &GameCharacter) -> Result<Self, Fault> {
        let rig = character.rig(Vec::new());
        let solver = rig.solver()?;
        let workspace = solver.workspace();
        Ok(Self { name: character.name.clone(), rig, solver, workspace, recording: Recording::default() })
    }

    /// Solves a frame, and returns the game's frame and the solve as traces; see [`GameFrame::traces`].
    ///
    /// # Errors
    /// [`Fault`] if the frame cannot be solved.
    pub fn traces(&mut self, frame: &GameFrame) -> Result<[Trace; 2], Fault> {
        let mut result = frame.animated.clone();
        self.recording.record(&self.solver, &mut self.workspace, &frame.parameters, &mut result)?;
        let rig = Rig { animated: frame.animated.clone(), ..self.rig.clone() };
        let own = Trace::of_recording(&self.name, rig, frame.parameters, (&self.solver, &self.recording), result);
        Ok(frame.comparable(own))
    }
}

impl GameFrame {
    /// Solves the frame's input, and returns the game's frame and the solve as traces. Both traces have only the stages
    /// that the game reports. A node that the game does not report has this solver's position in both, so it does not
    /// count as a difference. If the game reports no result, the result of its trace is empty. For many frames,
    /// [`GameSolver`] creates the solver once.
    ///
    /// # Errors
    /// [`Fault`] if the frame cannot be solved.
    pub fn traces(&self, character: &GameCharacter) -> Result<[Trace; 2], Fault> {
        GameSolver::new(character)?.traces(self)
    }

    /// Returns the traces for a frame that was solved already: `run` by a solver of `character`, with the resulting
    /// pose `result`.
    pub fn traces_of_run(&self, character: &GameCharacter, run: &BodyRun, result: &[RigidTransform]) -> [Trace; 2] {
        let rig = character.rig(self.animated.clone());
        let solved = (&*run.solver, &run.recording);
        self.comparable(Trace::of_recording(&character.name, rig, self.parameters, solved, result.to_vec()))
    }

    /// Returns the game's frame, and `own` reduced to the stages that the game reports.
    fn comparable(&self, mut own: Trace) -> [Trace; 2] {
        let filled = |(step, nodes): &(Step, BTreeMap<Node, Vec3>)| {
            // A stage that this solver does not have counts as a difference anyway.
            let mut filled = own.steps.iter().find(|(own, _)| own == step).map_or_else(Nodes::default, |(_, own)| *own);
            nodes.iter().for_each(|(&node, &place)| filled[node] = place);
            (*step, filled)
        };
        let game = Trace {
            steps: self.steps.iter().map(filled).collect(),
            writes: self.writes.clone(),
            result: self.result.clone().unwrap_or_default(),
            ..own.clone()
        };
        own.steps.retain(|(step, _)| self.steps.iter().any(|(reported, _)| reported == step));
        own.writes.retain(|(part, _)| self.writes.iter().any(|(reported, _)| reported == part));
        [game, own]
    }
}
