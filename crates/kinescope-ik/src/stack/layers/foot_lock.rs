//! The foot lock as a layer: holds planted feet, in the goals of grounding.

use crate::grounding::lock::{LockFoot, LockFrame};
use crate::grounding::{LockRun, Output, Side};
use crate::rig::RigidTransform;
use crate::stack::grounding::Method;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::stepped::Cursor;
use crate::timing::Work;

pub(crate) struct FootLock;

impl Kind for FootLock {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.grounding.lock.on && stack.grounding.method != Method::Off
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.grounding.lock.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let run = hold_feet(pass, poses.pose, memory)?;
        pass.set_goals(run.output(Cursor::end(&run)), poses.pose);
        pass.laps.end(Work::Grounding);
        Some(Ok(Solved::new(run)))
    }

    fn goals(&self, run: &Solved, at: Option<Cursor>) -> Option<Output> {
        let run = run.of::<LockRun>()?;
        Some(run.output(at.unwrap_or_else(|| Cursor::end(run))))
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.grounding.lock.on)
    }
}

fn hold_feet(pass: &Pass, pose: &[RigidTransform], memory: &mut Memory) -> Option<LockRun> {
    let (legs, soles, output) = (pass.rig.legs.as_ref()?, pass.rig.soles.as_ref()?, pass.goals?);
    let (place, section) = (&pass.place, &pass.input.stack.grounding);
    let goals = legs.goals(&output, &section.weights_at(place), pose);
    let feet = Side::ALL.map(|side| {
        let (sole, goal) = (&soles[side as usize], goals[side as usize]);
        let foot = pose.get(sole.foot).copied().unwrap_or_default();
        let points = sole
            .points(pose)
            .map(|point| goal.transform_point(foot.to_local(&RigidTransform { position: point, ..foot }).position));
        let index = side as usize;
        let (planted, crossed, carried) = (place.planted[index], place.crossed[index], place.carried[index]);
        LockFoot { goal, points, planted, crossed, carried }
    });
    let input = pass.moved.unwrap_or_else(|| section.input(legs, place, pose));
    let weight = place.grounding.weight.clamp(0.0, 1.0);
    let frame = LockFrame { settings: section.lock.clamped(), input, output, feet, weight };
    let run = LockRun::record(frame, &memory.lock.unwrap_or_default());
    memory.lock = Some(run.state());
    Some(run)
}
