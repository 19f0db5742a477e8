//! Lanes of the chain lab as layers.

use crate::chain_ik::State;
use crate::stack::chains;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::parameters::Owner;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct Lane;

impl Kind for Lane {
    fn is_on(&self, _: LayerId, _: &Stack) -> bool {
        true
    }

    fn solve(&self, id: LayerId, pass: &mut Pass, _: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let lane = id.index()?;
        let lab = pass.input.stack.chain_ik.lab.as_ref()?;
        let left = pass.input.memory.lanes.get(lane);
        let run = chains::solve_lane(lab, lane, pass.rig, left, pass.input.place.lab_time);
        pass.laps.end(Work::Chains);
        memory.lanes.resize_with(lab.lanes.len(), State::default);
        if let Ok(run) = &run {
            memory.lanes[lane] = run.recording.solve.end().clone();
        }
        Some(run.map(Solved::new).map_err(|fault| fault.to_string()))
    }

    fn owner(&self, id: LayerId, _: &Stack) -> Owner {
        id.index().map_or(Owner::Solver, Owner::Lane)
    }
}
