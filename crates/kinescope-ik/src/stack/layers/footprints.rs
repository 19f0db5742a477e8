//! Footprints as a layer: shifts coming steps to even ground, in the input of grounding.

use crate::grounding::FootprintRun;
use crate::grounding::footprint::FootprintFrame;
use crate::rig::RigidTransform;
use crate::stack::grounding::Method;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::{Timed, Work};

pub(crate) struct Footprints;

impl Kind for Footprints {
    fn is_on(&self, id: LayerId, stack: &Stack) -> bool {
        self.is_listed(id, stack) && stack.grounding.method != Method::Off
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.grounding.may_be(Method::Path)
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let run = look_ahead(pass, poses.pose, memory)?;
        pass.moved = Some(run.frame.moved(&run.state()));
        pass.laps.end(Work::Grounding);
        Some(Ok(Solved::new(run)))
    }
}

fn look_ahead(pass: &mut Pass, pose: &[RigidTransform], memory: &mut Memory) -> Option<FootprintRun> {
    let (legs, ground) = (pass.rig.legs.as_ref()?, pass.tools.ground?);
    let (place, section) = (&pass.place, &pass.input.stack.grounding);
    let input = section.input(legs, place, pose);
    let (settings, footprints, planted) = (section.footprints.clamped(), place.footprints, place.planted);
    let frame = FootprintFrame { settings, input, footprints, planted };
    let ground = Timed::new(ground, pass.tools.clock);
    let run = FootprintRun::record(frame, &memory.footprints.unwrap_or_default(), &ground);
    pass.laps.end(Work::Grounding);
    pass.laps.take_casts(Work::Grounding, &ground);
    memory.footprints = Some(run.state());
    Some(run)
}
