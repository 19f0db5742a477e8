//! Solving a recording again with other settings, and measures of a whole recording.

use std::sync::Arc;

use super::pops::{bend_turn, find_pops, of};
use super::slide::slides;
use super::tape::{Tape, TapeFrame};
use crate::chain_ik;
use crate::ground::Ground;
use crate::grounding::Side;
use crate::key::named;
use crate::locomotion::Contact;
use crate::modifiers;
use crate::slices::{finish, report};
use crate::stack::{self, Frame, Input, LayerId, Memory, Rig, Stack, Tools};
use crate::stepped::run::Unit;

/// A callback for long work that receives the progress from 0 to 1. Returning false cancels the work.
pub type Progress<'a> = &'a mut dyn FnMut(f32) -> bool;

named! {
    /// A measure of a whole recording. Unlike measures of one frame it depends on previous frames.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MotionMeasure {
        /// Returns the label on screen.
        label: &'static str,
        /// Returns the unit of the number.
        unit: Unit,
    }
    /// All measures of a recording.
    ALL {
        /// The largest rotation of an elbow, knee or chain joint about its limb from one frame to the next, in radians.
        BendTurn: "largest bend turn", Unit::Angle;
        /// The largest jerk of a joint in radians, see [`find_pops`].
        Jerk: "largest jerk", Unit::Angle;
        /// The largest distance in model units that a foot slides from landing to lifting, or to the end of the
        /// recording.
        FootSlide: "largest foot slide", Unit::Length;
    }
}

impl MotionMeasure {
    /// Measures a recording. `None` if the recording is too short (fewer than two frames for [`Self::BendTurn`], four for
    /// [`Self::Jerk`]), or has no elbows, knees or chain joints for [`Self::BendTurn`], no contacts of feet for
    /// [`Self::FootSlide`].
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

/// Solves every frame of a recording again, with settings modified by `change`.
///
/// The first frame takes its recorded memory, every later one the memory of the frame before it; a frame recorded
/// without memory starts anew. Times and animated poses are the recording's; `ground` returns the ground of an input.
/// Shots, blows and reaches that were triggered between two recorded frames are triggered again; a blow keeps its
/// recorded force. Lanes of the chain lab whose last states were cleared between two recorded frames, or which solved
/// from the same states again, do so again. Without a change and on the same ground, the result equals the recording,
/// bit for bit, but has no [`gap`](super::tape::TapeFrame::gap) and no running times. `None` if `progress` cancelled the
/// work.
pub fn solve_again(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    change: &dyn Fn(&mut Stack),
    progress: Progress,
) -> Option<Tape> {
    finish(solve_again_in_slices(rig, ground, recording, change, progress))
}

/// Does the same as [`solve_again`], with a [pause](crate::slices) before each frame.
pub fn solve_again_in_slices(
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    change: &dyn Fn(&mut Stack),
    progress: Progress<'_>,
) -> impl Future<Output = Option<Tape>> {
    solve_again_on(Tape::unbounded(), rig, ground, recording, change, progress)
}

/// Does the same as [`solve_again_in_slices`], and appends the frames to `again`.
pub(super) async fn solve_again_on(
    mut again: Tape,
    rig: &Rig,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    recording: &Tape,
    change: &dyn Fn(&mut Stack),
    progress: Progress<'_>,
) -> Option<Tape> {
    let mut workspace = rig.full_body.as_ref().ok().map(|solver| solver.workspace());
    let mut previous: Option<(Frame, &TapeFrame)> = None;
    for (index, recorded) in recording.frames().enumerate() {
        if !report(progress, index as f32 / recording.len() as f32).await {
            return None;
        }
        let mut stack = Stack::clone(&recorded.input.stack);
        change(&mut stack);
        let goes_on = recorded.input.memory != Memory::default();
        let memory = match previous.take().filter(|_| goes_on) {
            Some((Frame { input, mut memory, .. }, earlier)) => {
                trigger_again(&stack, [earlier, recorded], &mut memory.modifiers);
                start_lanes_again([earlier, recorded], input.memory.lanes, &mut memory.lanes);
                memory
            }
            None => recorded.input.memory.clone(),
        };
        let input = Input { stack: Arc::new(stack), memory, ..recorded.input.clone() };
        let stands_on = ground(&input);
        let tools = Tools { workspace: workspace.as_mut(), ground: stands_on.as_deref(), clock: None };
        let frame = stack::solve(rig, tools, &input);
        let contacts = recorded.contacts.as_deref().zip(rig.soles.as_ref()).map(|(contacts, soles)| {
            Side::ALL
                .map(|side| Contact { solved: soles[side as usize].points(&frame.pose), ..contacts[side as usize] })
        });
        again.push(recorded.number, recorded.time, &frame, None, contacts);
        previous = Some((frame, recorded));
    }
    Some(again)
}

/// Clears `lanes`, the last states of the chain lab's lanes, if they were cleared between two recorded frames. Sets them
/// to `before`, from which the lanes solved the earlier frame, if the later frame was recorded from the states of the
/// earlier one.
fn start_lanes_again(
    [earlier, later]: [&TapeFrame; 2],
    before: Vec<chain_ik::State>,
    lanes: &mut Vec<chain_ik::State>,
) {
    let recorded = &later.input.memory.lanes;
    // After a frame with the lab, every lane has a state.
    if recorded.is_empty() && earlier.input.stack.chain_ik.lab.is_some() {
        lanes.clear();
        return;
    }
    let is_end = |(lane, state): (usize, &chain_ik::State)| {
        earlier.layer(LayerId::Lane(lane)).is_none_or(|own| own.end() == state.positions)
    };
    if *recorded == earlier.input.memory.lanes && !recorded.iter().enumerate().all(is_end) {
        *lanes = before;
    }
}

/// Triggers in `memory` what was triggered between two recorded frames, for the modifiers of `stack`.
fn trigger_again(stack: &Stack, [earlier, later]: [&TapeFrame; 2], memory: &mut Vec<modifiers::Memory>) {
    let after = later.input.memory.modifiers.iter();
    for (index, (after, recorded)) in after.zip(later.input.stack.modifiers.iter()).enumerate() {
        let own = stack.modifiers.get(index).filter(|own| own.can_be_triggered() && own.key() == recorded.key());
        let Some(own) = own else { continue };
        let before = earlier.modifiers_after.get(index).copied().unwrap_or_default();
        if memory.len() <= index {
            memory.resize(index + 1, modifiers::Memory::Nothing);
        }
        own.trigger_again(recorded, [&before, after], &mut memory[index]);
    }
}
