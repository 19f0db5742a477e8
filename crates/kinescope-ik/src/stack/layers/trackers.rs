//! Trackers as a layer: a user who moves as the clip does wears them, and their readings set the targets.

use std::sync::Arc;

use crate::error::Fault;
use crate::stack::kind::{Kind, PoseSource, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::stack::trackers::TrackerRun;
use crate::stepped::{Cursor, Run};
use crate::timing::Work;

pub(crate) struct Trackers;

impl Kind for Trackers {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        !stack.order.full_body_off && stack.order.trackers.on
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.trackers.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let run = read(pass, poses, memory);
        pass.laps.end(Work::Modifiers);
        Some(run.map(Solved::new).map_err(|fault| fault.to_string()))
    }

    fn pose_source_at(&self, run: &Solved, at: Cursor) -> PoseSource {
        run.of::<TrackerRun>().map_or(PoseSource::Bones, |run| PoseSource::Stack(Arc::new(run.stack_at(at))))
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.trackers.on)
    }
}

fn read(pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Result<TrackerRun, Fault> {
    let reference = pass.rig.reference.clone();
    let wearer = match &pass.rig.wearer {
        Ok(wearer) => wearer.clone(),
        Err(_) if pass.rig.figure.is_none() => return Err(Fault::new("", pass.no_biped())),
        Err(problem) => return Err(Fault::new("", problem.clone())),
    };
    let mut state = memory.trackers.unwrap_or_default();
    let at = (pass.place.root, pass.place.clip_time);
    let run = TrackerRun::record((wearer, reference), pass.stack.clone(), poses.pose, at, &mut state)?;
    memory.trackers = Some(state);
    let end = Cursor::end(&run);
    pass.stack = Arc::new(run.stack_at(end));
    run.pose(end, poses.pose);
    Ok(run)
}
