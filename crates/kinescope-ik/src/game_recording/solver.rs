//! Kinescope's own solve of a game's frames, to compare them with.

use std::collections::BTreeMap;

use glam::Vec3;

use super::data::{GameCharacter, GameFrame};
use crate::error::Fault;
use crate::full_body::{BodyRun, FullBody, Node, Nodes, Recording, Step, Workspace};
use crate::rig::RigidTransform;
use crate::trace::{Rig, Trace};

/// Solves the frames of one character. Its solver and buffers are made once, for all frames.
#[derive(Clone, Debug)]
pub struct GameSolver {
    name: String,
    /// Its animated pose is that of no frame.
    rig: Rig,
    solver: FullBody,
    workspace: Workspace,
    recording: Recording,
}

impl GameSolver {
    /// Makes the solver of a character.
    ///
    /// # Errors
    /// As [`FullBody::new`].
    pub fn new(character: &GameCharacter) -> Result<Self, Fault> {
        let rig = character.rig(Vec::new());
        let solver = rig.solver()?;
        let workspace = solver.workspace();
        Ok(Self { name: character.name.clone(), rig, solver, workspace, recording: Recording::default() })
    }

    /// Solves a frame, and returns the game's frame and Kinescope's own as traces: see [`GameFrame::traces`].
    ///
    /// # Errors
    /// [`Fault`] for what cannot be solved.
    pub fn traces(&mut self, frame: &GameFrame) -> Result<[Trace; 2], Fault> {
        let mut result = frame.animated.clone();
        self.recording.record(&self.solver, &mut self.workspace, &frame.parameters, &mut result)?;
        let rig = Rig { animated: frame.animated.clone(), ..self.rig.clone() };
        let own = Trace::of_recording(&self.name, rig, frame.parameters, (&self.solver, &self.recording), result);
        Ok(frame.beside(own))
    }
}

impl GameFrame {
    /// Returns the game's frame as a trace, and Kinescope's solve of the same input with only those stages that the game
    /// reports. Where the game does not report a node of a stage, both traces have Kinescope's place for it, so that it does
    /// not count as a difference. For many frames of a character, [`GameSolver`] makes the solver once.
    ///
    /// # Errors
    /// [`Fault`] for what cannot be solved.
    pub fn traces(&self, character: &GameCharacter) -> Result<[Trace; 2], Fault> {
        GameSolver::new(character)?.traces(self)
    }

    /// The same from a solve of this frame that exists already: `run` by a solver of `character`, `result` the pose that it
    /// wrote.
    pub fn traces_of_run(&self, character: &GameCharacter, run: &BodyRun, result: &[RigidTransform]) -> [Trace; 2] {
        let rig = character.rig(self.animated.clone());
        let solved = (&*run.solver, &run.recording);
        self.beside(Trace::of_recording(&character.name, rig, self.parameters, solved, result.to_vec()))
    }

    /// The game's frame, and Kinescope's own, of which only what the game reports is kept.
    fn beside(&self, mut own: Trace) -> [Trace; 2] {
        let filled = |(step, nodes): &(Step, BTreeMap<Node, Vec3>)| {
            // A stage that Kinescope does not have is a difference of its own.
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
