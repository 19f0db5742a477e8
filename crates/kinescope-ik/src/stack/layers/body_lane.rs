//! Lanes of the full-body lab as layers.

use std::sync::Arc;

use crate::modifiers::ModifiedInput;
use crate::stack::body_lab::{BodyLane as Lane, LaneSource};
use crate::stack::foreign::ForeignRun;
use crate::stack::input::Input;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::layers;
use crate::stack::order::Stack;
use crate::stack::pass::{Modified, Pass, Tools};
use crate::stack::rig::Rig;
use crate::stack::solved::Solved;

pub(crate) struct BodyLane;

fn lane_of(id: LayerId, stack: &Stack) -> Option<(usize, &Lane)> {
    let index = id.index()?;
    Some((index, stack.order.body_lab.lanes.get(index)?))
}

impl Kind for BodyLane {
    fn is_on(&self, id: LayerId, stack: &Stack) -> bool {
        lane_of(id, stack).is_some()
    }

    fn solve(&self, id: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let (index, lane) = lane_of(id, &pass.input.stack)?;
        memory.body_lanes.resize_with(pass.input.stack.order.body_lab.lanes.len(), Memory::default);
        match &lane.source {
            LaneSource::Layer(layer) => alone(*layer, lane, pass, poses, &mut memory.body_lanes[index]),
            LaneSource::Foreign { .. } => {
                let received = pass.input.foreign.get(index)?.clone()?;
                let solver = match &pass.rig.full_body {
                    Ok(solver) => solver.clone(),
                    Err(error) => return Some(Err(error.clone())),
                };
                let settings = pass.driven(poses.given);
                Some(ForeignRun::new(solver, &settings, poses.given.clone(), received).map(Solved::new))
            }
        }
    }

    fn label(&self, id: LayerId, stack: &Stack) -> String {
        lane_of(id, stack).map_or_else(|| id.label(), |(index, lane)| format!("{} {}", index + 1, lane.label()))
    }

    fn missing(&self, _: &Rig) -> &'static str {
        "no pose"
    }
}

fn alone(
    layer: LayerId,
    lane: &Lane,
    pass: &mut Pass,
    poses: Poses,
    memory: &mut Memory,
) -> Option<Result<Solved, String>> {
    let mut stack = Stack::clone(&pass.stack);
    lane.write(&pass.stack, &mut stack);
    if let Some(on) = layers::kind(layer).switch(&mut stack) {
        *on = true;
    }
    let modified = pass.modified.as_ref().map(|modified| {
        let mut input = modified.input.clone();
        if !lane.settings.is_empty() || !lane.choices.is_empty() {
            let mut settings = input.settings;
            lane.write(&pass.stack, &mut settings);
            input = Arc::new(ModifiedInput { settings, ..ModifiedInput::clone(&input) });
        }
        Modified { input, hooks: modified.hooks.clone() }
    });
    let stack = Arc::new(stack);
    let input = Input { stack: stack.clone(), memory: memory.clone(), ..pass.input.clone() };
    let tools =
        Tools { workspace: pass.tools.workspace.as_deref_mut(), ground: pass.tools.ground, clock: pass.tools.clock };
    let mut own = Pass {
        stack,
        place: pass.place,
        modified,
        moved: pass.moved,
        goals: pass.goals,
        foot_goals: pass.foot_goals,
        laps: pass.laps,
        ..Pass::new(pass.rig, tools, &input)
    };
    let solved = layers::kind(layer).solve(layer, &mut own, poses, memory);
    pass.laps = own.laps;
    solved
}
