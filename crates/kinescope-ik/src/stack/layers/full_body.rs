//! The full body as a layer; or four limbs, each solved alone, if grounding [drives](crate::stack::Drive) limbs and a
//! layer has set goals.

use std::sync::Arc;

use crate::full_body::{BodyRun, Hooks, Recording};
use crate::grounding::LimbsRun;
use crate::rig::RigidTransform;
use crate::stack::grounding::Drive;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct FullBody;

impl Kind for FullBody {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        !stack.order.full_body_off
    }

    fn is_listed(&self, _: LayerId, _: &Stack) -> bool {
        true
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        let given = poses.given.clone();
        let solved = if pass.input.stack.grounding.drive == Drive::Limbs && pass.goals.is_some() {
            let solved = limbs(pass, poses.pose);
            pass.laps.end(Work::Stages);
            solved
        } else {
            Some(body(pass, poses))
        };
        pass.given = solved.as_ref().is_some_and(Result::is_ok).then_some(given);
        solved
    }
}

fn body(pass: &mut Pass, poses: Poses) -> Result<Solved, String> {
    let settings = pass.driven(poses.pose);
    let solver = pass.rig.full_body.as_ref().map_err(String::clone)?;
    let mut recording = Recording::default();
    let mut own = None;
    let workspace = match &mut pass.tools.workspace {
        Some(workspace) => workspace,
        None => own.insert(solver.workspace()),
    };
    let hooks = pass.modified.as_ref().map(|modified| modified.hooks.clone() as Arc<dyn Hooks + Send + Sync>);
    let recorded = recording.record_hooked(solver, workspace, &settings, hooks, poses.pose, &mut pass.laps);
    recorded.map_err(|error| error.fault(&pass.rig.skeleton, poses.pose).to_string())?;
    Ok(Solved::new(BodyRun::new(solver.clone(), recording, poses.given.clone(), settings)))
}

fn limbs(pass: &Pass, pose: &mut Vec<RigidTransform>) -> Option<Result<Solved, String>> {
    let (legs, goals, stack) = (pass.rig.legs.as_ref()?, pass.goals.as_ref()?, &pass.input.stack);
    let weights = &stack.grounding.weights_at(&pass.input.place);
    match legs.read_limbs(goals, weights, pass.settings(), &pass.rig.skeleton, pose) {
        Ok(None) => None,
        Ok(Some(frame)) => {
            let run = LimbsRun::record_by(&stack.grounding.limbs, frame, pass.rig.skeleton.clone(), pose);
            Some(Ok(Solved::new(run)))
        }
        Err(error) => Some(Err(error.to_string())),
    }
}
