//! A recording solved once more with other settings, frame after frame, and what is measured over a whole recording.

use std::sync::Arc;

use super::pops::{bend_turn, find_pops, of};
use super::slide::slides;
use super::tape::Tape;
use crate::ground::Ground;
use crate::grounding::Side;
use crate::key::named;
use crate::locomotion::Contact;
use crate::stack::{self, Input, Memory, Rig, Stack, Tools};
use crate::stepped::run::Unit;

/// Hears how far long work is, from 0 to 1; returns false to end it.
pub type Progress<'a> = &'a mut dyn FnMut(f32) -> bool;

named! {
    /// A number of a whole recording. Unlike those of one frame it needs the frames before.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MotionMeasure {
        /// Returns the label on screen.
        label: &'static str,
        /// Returns the unit of the number.
        unit: Unit,
    }
    /// Every measure, in the order of panels.
    ALL {
        /// The largest turn of an elbow, a knee or a chain's joint about its limb from one frame to the next; radians.
        BendTurn: "largest bend turn", Unit::Angle;
        /// The largest jerk of a joint, as [`find_pops`] has it; radians.
        Jerk: "largest jerk", Unit::Angle;
        /// How far a planted foot slides at most, from landing to lifting; metres.
        FootSlide: "largest foot slide", Unit::Length;
    }
}

impl MotionMeasure {
    /// Measures a recording; `None` where it is too short, or has no feet on the ground.
    pub fn of(self, tape: &Tape) -> Option<f32> {
        match self {
            Self::BendTurn => {
                let turns = tape.pairs().flat_map(|[earlier, later]| {
                    later.layers.iter().filter_map(|now| {
                        let before = earlier.layer(now.id)?;
                        let (earlier, later) = (before.end(), now.end());
                        let turn =
                            |points: [usize; 3]| Some(bend_turn(of(&earlier, points)?, of(&later, points)?).abs());
                        now.shape.hinges.iter().filter_map(|hinge| turn(hinge.points)).reduce(f32::max)
                    })
                });
                turns.reduce(f32::max)
            }
            Self::Jerk => (tape.len() >= 4).then(|| find_pops(tape).first().map_or(0.0, |pop| pop.size.to_radians())),
            Self::FootSlide => {
                let [first, last] = tape.range()?;
                tape.frames().any(|frame| frame.contacts.is_some()).then(|| {
                    slides(tape, last)
                        .iter()
                        .filter(|slide| slide.has_landed_since(first))
                        .map(|slide| slide.solved)
                        .fold(0.0, f32::max)
                })
            }
        }
    }
}

/// Solves every frame of a recording again, each from what the one before it left, with its settings as `change` makes
/// them. Times, animated poses and ground are those of the recording; so are breaks in it: a frame that was recorded with
/// nothing remembered starts anew. Without a change the result is the recording, bit for bit. `None` if `progress` ended it.
pub fn solve_again(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    change: &dyn Fn(&mut Stack),
    progress: Progress,
) -> Option<Tape> {
    let mut workspace = rig.full_body.as_ref().ok().map(|solver| solver.workspace());
    let mut again = Tape::unbounded();
    let mut left: Option<(u64, Memory)> = None;
    for (index, recorded) in recording.frames().enumerate() {
        if !progress(index as f32 / recording.len() as f32) {
            return None;
        }
        let mut stack = Stack::clone(&recorded.input.stack);
        change(&mut stack);
        let goes_on = recorded.input.memory != Memory::default();
        let known = left.take().filter(|(number, _)| goes_on && number.checked_add(1) == Some(recorded.number));
        let memory = known.map_or_else(|| recorded.input.memory.clone(), |(_, memory)| memory);
        let input = Input { stack: Arc::new(stack), memory, ..recorded.input.clone() };
        let stands_on = ground(&input);
        let tools = Tools { workspace: workspace.as_mut(), ground: stands_on.as_deref(), clock: None };
        let frame = stack::solve(rig, tools, &input);
        let contacts = recorded.contacts.as_deref().zip(rig.soles.as_ref()).map(|(contacts, soles)| {
            Side::ALL
                .map(|side| Contact { solved: soles[side as usize].points(&frame.pose), ..contacts[side as usize] })
        });
        again.push(recorded.number, recorded.time, &frame, recorded.left, contacts);
        left = Some((recorded.number, frame.memory));
    }
    Some(again)
}
