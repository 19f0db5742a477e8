//! Rotations only as a layer: bones below the pelvis keep their solved rotations, and get back the offset from their
//! parents that they had before the last solver of the body ran.

use crate::full_body::rotations_only::RotationsRun;
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

pub(crate) struct RotationsOnly;

impl Kind for RotationsOnly {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.rotations_only && !stack.order.full_body_off
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.rotations_only
    }

    fn solves_body(&self) -> bool {
        false
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, _: &mut Memory) -> Option<Result<Solved, String>> {
        let (figure, given) = (pass.rig.figure.as_ref()?, pass.given.clone()?);
        let skeleton = pass.rig.skeleton.clone();
        let run = RotationsRun::record(skeleton, figure.pelvis, figure.limbs, given, poses.pose);
        pass.laps.end(Work::Write);
        Some(Ok(Solved::new(run)))
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.rotations_only)
    }
}
