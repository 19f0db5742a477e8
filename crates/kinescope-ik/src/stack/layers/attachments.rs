//! Attached targets as a layer: resolves the targets in the layer's input pose, before modifiers change the pose.

use std::sync::Arc;

use crate::error::Fault;
use crate::stack::attach::AttachRun;
use crate::stack::kind::{Kind, PoseSource, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::stepped::Cursor;
use crate::timing::Work;

pub(crate) struct Attachments;

impl Kind for Attachments {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.poses_body() && stack.has_attachments()
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.has_attachments()
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        let run = attach(pass, &poses);
        pass.laps.end(Work::Modifiers);
        Some(run.map(Solved::new).map_err(|fault| fault.to_string()))
    }

    fn pose_source_at(&self, run: &Solved, at: Cursor) -> PoseSource {
        run.of::<AttachRun>().map_or(PoseSource::Bones, |run| PoseSource::Stack(Arc::new(run.stack_at(at))))
    }
}

fn attach(pass: &mut Pass, poses: &Poses) -> Result<AttachRun, Fault> {
    let both = pass.rig.figure.clone().zip(pass.rig.posed(poses.pose));
    let (figure, posed) = both.ok_or_else(|| Fault::new("", pass.no_biped()))?;
    let run = AttachRun::record(&pass.stack, figure, &posed)?;
    pass.stack = run.stack().clone();
    Ok(run)
}
