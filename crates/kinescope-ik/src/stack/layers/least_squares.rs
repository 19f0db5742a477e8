//! The least-squares body as a layer. It takes the previous layer's output as the animated pose, and the targets of the
//! full body with the goals of feet and pelvis.

use crate::least_squares::{LeastSquaresRun, Recording};
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::stepped::Run;
use crate::timing::Work;

pub(crate) struct LeastSquares;

impl Kind for LeastSquares {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.least_squares.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let joints = match &pass.rig.joints {
            Ok(joints) => joints.clone(),
            Err(problem) => return Some(Err(problem.clone())),
        };
        let targets = pass.driven(poses.pose);
        let settings = &pass.input.stack.order.least_squares;
        let last = memory.least_squares.get_or_insert_default();
        let recorded = Recording::record(joints, settings, &targets, last, poses.pose);
        pass.laps.end(Work::Stages);
        match recorded {
            Ok(recording) => {
                let run = LeastSquaresRun { recording };
                if run.steps() == 0 {
                    return None;
                }
                pass.given = Some(poses.given.clone());
                Some(Ok(Solved::new(run)))
            }
            Err(fault) => Some(Err(fault.to_string())),
        }
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.least_squares.on)
    }

    fn missing(&self) -> &'static str {
        "no target"
    }
}
