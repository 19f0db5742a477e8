//! Grounding as a layer: sets the goals of feet and pelvis for later layers.

use crate::grounding::handover::Handover;
use crate::grounding::recording::passing;
use crate::grounding::{GroundRun, HeldGround, Output, Passing, Recording, SolverState, WeightSource};
use crate::rig::RigidTransform;
use crate::stack::experiments::Blind;
use crate::stack::grounding::Method;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::parameters::Owner;
use crate::stack::pass::Pass;
use crate::stack::rig::Rig;
use crate::stack::solved::Solved;
use crate::stepped::Cursor;
use crate::timing::{Timed, Work};

pub(crate) struct Grounding;

fn is_on(stack: &Stack) -> bool {
    stack.grounding.method != Method::Off
}

impl Kind for Grounding {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        is_on(stack)
    }

    fn is_listed(&self, _: LayerId, _: &Stack) -> bool {
        true
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let run = ground_feet(pass, poses.pose, memory)?;
        pass.set_goals(run.recording.output, poses.pose);
        Some(Ok(Solved::new(run)))
    }

    fn forget(&self, stack: &Stack, memory: &mut Memory) {
        if !is_on(stack) {
            (memory.ground, memory.handover) = (None, Handover::default());
        }
        if !is_on(stack) || stack.grounding.cast_rate <= 0.0 {
            memory.casts = None;
        }
        if !is_on(stack) || stack.grounding.weight_source != WeightSource::Speed {
            memory.speeds = None;
        }
    }

    fn goals(&self, run: &Solved, at: Option<Cursor>) -> Option<Output> {
        let run = run.of::<GroundRun>()?;
        Some(at.map_or(run.recording.output, |at| run.output(at)))
    }

    fn label(&self, id: LayerId, stack: &Stack) -> String {
        if stack.grounding.method == Method::FootIk { "grounding, foot IK".to_owned() } else { id.label() }
    }

    fn owner(&self, _: LayerId, stack: &Stack) -> Owner {
        if stack.grounding.method == Method::FootIk { Owner::FootIk } else { Owner::Predictive }
    }

    fn missing(&self, rig: &Rig) -> &'static str {
        if rig.legs.is_none() { "no legs" } else { "no ground" }
    }
}

fn ground_feet(pass: &mut Pass, pose: &[RigidTransform], memory: &mut Memory) -> Option<GroundRun> {
    let (legs, ground, place) = (pass.rig.legs.as_ref()?, pass.tools.ground?, &pass.place);
    let section = &pass.input.stack.grounding;
    let solver = section.solver(place)?;
    let input = pass.moved.unwrap_or_else(|| section.input(legs, place, pose));
    let mut recording = Recording::default();
    let start = memory.ground.unwrap_or(SolverState::fresh(&solver));
    let ground = Timed::new(ground, pass.tools.clock);
    let experiments = pass.input.stack.order.experiments;
    let solver = experiments.grounder(solver);
    let passing = passing(&solver, &input, &start);
    let held = memory.casts;
    let mut record = |anew| {
        let ground = HeldGround::new(&ground, section.cast_rate, held, anew, place.dt);
        match experiments.blind_casts {
            true => recording.record(&solver, &input, &start, &Blind(&ground)),
            false => recording.record(&solver, &input, &start, &ground),
        }
        ground.end(&recording.solve.events)
    };
    let ended = record(passing != Passing::Run).or_else(|| record(true));
    // A frame in which no time passes has no steps, so the grounder casts nothing.
    if section.cast_rate > 0.0 && passing != Passing::Still {
        memory.casts = ended.map(|(casts, _)| casts);
    }
    let (changed, mut handover) = (!start.is_of(&solver), memory.handover);
    recording.take_over(&mut handover, changed, section.blend);
    pass.laps.end(Work::Grounding);
    pass.laps.take_casts(Work::Grounding, &ground);
    // With a time step of 0 the new grounder has no output yet. The blend then waits for a time step above 0.
    if !changed || place.dt > 0.0 {
        (memory.ground, memory.handover) = (Some(recording.state()), handover);
    }
    Some(GroundRun { recording, holds_casts: ended.is_some_and(|(_, did_cast)| !did_cast) })
}
