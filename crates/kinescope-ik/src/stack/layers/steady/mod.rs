//! Steady pelvis as a layer: the solved pelvis goes up and down with a delay, and the whole body with it.
//!
//! ```text
//! h' = h₀ + (h − h₀) · (1 − exp(−dt / time))      h: solved height, h₀: the last frame's h'
//! ```

mod run;

use serde::{Deserialize, Serialize};

use self::run::SteadyRun;
use crate::parameter::{Parameters, settings};
use crate::stack::kind::{Kind, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::solved::Solved;
use crate::timing::Work;

settings! {
    /// How slowly the height of the pelvis changes.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SteadySettings {
        /// Whether the pelvis is steadied.
        on: bool = false;
        /// Time constant of the height.
        time: f32 = 0.1, from 0 to 5 usually 1 in Seconds,
            too little: "The pelvis bobs as solved.",
            too much: "The pelvis stays behind on stairs.";
    }
}

/// What a frame leaves to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteadyState {
    /// The height of the pelvis; model units.
    pub height: f32,
}

pub(crate) struct Steady;

impl Kind for Steady {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.steady.on && !stack.order.full_body_off
    }

    fn is_listed(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.steady.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let (figure, mut settings, dt) = (pass.rig.figure.as_ref()?, pass.input.stack.order.steady, pass.place.dt);
        settings.clamp_numbers();
        let solved = poses.pose.get(figure.pelvis)?.position.y;
        let last = memory.steady.map_or(solved, |state| state.height);
        let share = if settings.time > 0.0 { 1.0 - (-dt.max(0.0) / settings.time).exp() } else { 1.0 };
        let height = last + (solved - last) * share;
        let height = if height.is_finite() { height } else { solved };
        memory.steady = Some(SteadyState { height });
        let run = SteadyRun { pelvis: figure.pelvis, given: poses.given.clone(), last, share, height };
        run.shift(poses.pose);
        pass.laps.end(Work::Write);
        Some(Ok(Solved::new(run)))
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.steady.on)
    }
}
