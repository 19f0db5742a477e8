//! Chains of the character as layers.

use crate::chain_ik::ChainRun;
use crate::error::{Fault, Problem};
use crate::stack::chains;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::parameters::Owner;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct Chain;

impl Kind for Chain {
    fn is_on(&self, id: LayerId, stack: &Stack) -> bool {
        id.index().and_then(|index| stack.chain_ik.chains.get(index)).is_some_and(|chain| !chain.off)
    }

    fn solve(&self, id: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        Some(solve_chain(id.index()?, pass, poses).map(Solved::new).map_err(|fault| fault.to_string()))
    }

    fn label(&self, id: LayerId, stack: &Stack) -> String {
        let own = id.index().and_then(|index| stack.chain_ik.chains.get(index));
        own.map_or_else(String::new, |own| own.name.clone())
    }

    fn owner(&self, id: LayerId, _: &Stack) -> Owner {
        id.index().map_or(Owner::Solver, Owner::Layer)
    }
}

fn solve_chain(index: usize, pass: &mut Pass, poses: Poses) -> Result<ChainRun, Fault> {
    let (found, expected) = (poses.given.len(), pass.rig.skeleton.len());
    if found < expected {
        return Err(Fault::new("animated", Problem::Length { what: "bones", found, expected }));
    }
    let stack = &pass.input.stack;
    let own = &stack.chain_ik.chains[index];
    if !own.target_source.is_own() && stack.order.before_full_body.contains(&index) {
        let message = "follows a foot goal, which is set later: move the chain after the full body";
        return Err(Fault::new("target_source", message));
    }
    let run = chains::solve_chain(own, pass.foot_goals, pass.rig, poses.pose);
    pass.laps.end(Work::Chains);
    run
}
