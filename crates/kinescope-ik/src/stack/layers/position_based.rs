//! The position-based solver as a layer: poses the body by the effectors, from the previous layer's output.

use crate::position_based::{PositionBased as Solver, PositionBasedRun, Recording};
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct PositionBased;

impl Kind for PositionBased {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.position_based.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        let given = poses.given.clone();
        let solved = record(pass, poses);
        pass.laps.end(Work::Stages);
        // Without a weighted target or bend goal there are no steps.
        let solved = solved.map(|run| (!run.recording.solve.steps.is_empty()).then(|| Solved::new(run))).transpose();
        if matches!(solved, Some(Ok(_))) {
            pass.given = Some(given);
        }
        solved
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.position_based.on)
    }

    fn missing(&self) -> &'static str {
        "no target"
    }
}

fn record(pass: &mut Pass, poses: Poses) -> Result<PositionBasedRun, String> {
    let body = pass.driven(poses.pose);
    let solver = Solver::new(pass.rig.joints.clone()?);
    let recording = Recording::record(solver, &pass.input.stack.order.position_based, &body, poses.pose);
    recording.map(PositionBasedRun::new).map_err(|fault| fault.to_string())
}
