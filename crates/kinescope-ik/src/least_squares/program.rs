//! The program: in each iteration the terms, the solution of the normal equations, and the update.

use glam::{Quat, Vec3, Vec4};

use super::limits::{Crossed, add_crossed};
use super::moves::{Cause, Turn};
use super::rows::{BLOCKS, Blocks};
use super::stage::{Stage, Step};
use super::state::{DAMPING, Frame, State, TERMS};
use super::terms::{Workspace, linearize, linearize_beyond};
use crate::joints::Joints;
use crate::rig::RigidTransform;
use crate::stepped::{Flow, GO_ON, Stepped, Watch};

/// A solve of one frame.
#[derive(Debug)]
pub struct Solve<'a> {
    joints: &'a Joints,
    frame: &'a Frame,
    workspace: &'a mut Workspace,
    iteration: u32,
    /// The index of the next stage, among the terms and then the stages after them.
    stage: usize,
    /// The factor by which [`shorten`] scaled the last update; 1 if it did not.
    scale: f32,
    /// Whether the last accepted update has hardly reduced the sum of squares, see [`SETTLED`]. False for an update
    /// that was shortened, or repeated after a clear growth.
    is_settled: bool,
    /// Whether the last update was accepted after a repeat for a clear growth of the sum of squares. Small turns of
    /// such an update do not mean that the solve has converged.
    is_hindered: bool,
    /// The distance of the effector farthest from its aim, relative to the height; 0 if no effector is off its aim.
    missed: f32,
    has_eased: bool,
}

/// At most this often, an update is repeated with ten times the damping: from the smallest damping to the largest.
const REPEATS: u32 = 9;
/// At most this often, an update is solved again with the limits that it crosses.
const PASSES: u32 = 2;
/// The largest turn of a joint in an update, radians. Rows are linearized at a pose, and mislead longer turns.
const LONGEST: f32 = 0.8;
/// A solve has converged when an update that was neither shortened nor repeated after a clear growth reduces the sum of
/// squares by at most this times the tolerance, as a fraction of the sum.
const SETTLED: f32 = 2.0;
/// The distance, as a fraction of the height, beyond which a target counts as missed: half a millimetre for a person.
pub(super) const MISSED: f32 = 0.0003;
/// The largest number by which a weaker pull divides the squared weights of the animated pose. Ten times smaller
/// weights reach all of 9,000 targets taken from random poses within the limits; at smaller ones more solves end in
/// local minima.
pub(super) const WEAKEST: f32 = 100.0;
/// The number of iterations after which a solve that misses a target weakens the pull even if joints still turn.
const PATIENCE: u32 = 16;
/// The factor of the tolerance once the pull is weak. Far targets at the end of the joints' ranges are approached slowly.
const FINE: f32 = 0.1;
/// Once the pull is weak, the solve ends when no target is missed by more than this fraction of [`MISSED`].
const REACHED: f32 = 0.5;

impl<'a> Solve<'a> {
    /// Starts a solve. The state before the first step is that of [`Frame::read`].
    pub fn new(joints: &'a Joints, frame: &'a Frame, workspace: &'a mut Workspace) -> Self {
        workspace.holds = None;
        Self {
            joints,
            frame,
            workspace,
            iteration: 0,
            stage: 0,
            scale: 1.0,
            is_settled: false,
            is_hindered: false,
            missed: 0.0,
            has_eased: false,
        }
    }

    /// Returns the number of iterations run.
    pub fn iterations(&self) -> u32 {
        self.iteration
    }

    fn tolerance(&self) -> f32 {
        self.frame.settings.tolerance * if self.has_eased { FINE } else { 1.0 }
    }

    /// Ends an iteration. Returns the stage that runs before the next iteration, if there is one; `None` if the solve ends.
    fn end_iteration(&mut self, state: &State) -> Option<Option<Stage>> {
        self.iteration += 1;
        self.stage = 0;
        let is_small = state.turned <= self.tolerance() && !self.is_hindered;
        let has_converged = self.is_settled || is_small;
        if self.iteration >= self.frame.settings.iterations {
            return None;
        }
        if self.has_eased {
            return (!has_converged && self.missed > REACHED * MISSED).then_some(None);
        }
        let is_missed = self.missed > MISSED;
        if is_missed && (has_converged || self.iteration >= PATIENCE) {
            return Some(Some(Stage::Ease));
        }
        (!has_converged).then_some(None)
    }

    /// Weakens the pull to the animated pose, because a target is missed: to (MISSED / distance)², at least to
    /// 1 / [`WEAKEST`]. The result does not jump where the distance passes [`MISSED`].
    fn ease<W: Watch<Turn>>(&mut self, state: &mut State, iteration: u32, watch: &mut W) -> Flow {
        self.prepare(state, iteration);
        let Some((effector, distance)) = self.workspace.missed else { return GO_ON };
        let ratio = MISSED / distance;
        state.pull = (ratio * ratio).clamp(1.0 / WEAKEST, 1.0);
        state.damping = self.frame.settings.damping.max(DAMPING[0]);
        state.turned = f32::INFINITY;
        (self.is_settled, self.is_hindered, self.has_eased) = (false, false, true);
        self.workspace.holds = None;
        let goal = self.frame.goals.of(effector);
        let (joint, at, to) = (Some(goal.joint), self.workspace.placement.positions[goal.joint], goal.aim());
        watch.saw(Turn { joint, cause: Cause::Missed(effector), by: to - at, at, turn: Quat::IDENTITY, from: at, to })
    }

    #[inline]
    fn prepare(&mut self, state: &State, iteration: u32) {
        if self.workspace.holds != Some(iteration) {
            linearize(self.joints, self.frame, state, self.workspace);
            self.workspace.holds = Some(iteration);
        }
    }

    #[inline]
    fn turned(&self, state: &State, update: &Blocks, above: &[Quat]) -> State {
        let mut next = *state;
        next.root += update[0].truncate();
        for (joint, rotation) in next.rotations.iter_mut().enumerate().take(self.joints.len()) {
            *rotation = turn(above[joint], update[joint + 1].truncate(), *rotation);
        }
        next
    }

    /// Solves the rows of a state into `update`, with the limits that the update crosses. Returns the state after it,
    /// and whether joints may have been turned back to limits; `None` if the rows cannot be factorized.
    fn solved(
        &mut self,
        before: &State,
        damping: f32,
        above: &[Quat; BLOCKS],
        update: &mut Blocks,
    ) -> Option<(State, bool)> {
        let mut pass = 0;
        loop {
            let rows = &mut self.workspace.rows;
            if !rows.factorize(damping) {
                return None;
            }
            rows.solve(None, update);
            let scale = shorten(update);
            let mut next = self.turned(before, update, above);
            let crossed = if pass < PASSES {
                add_crossed(self.joints, self.frame, &next, (update, above), self.workspace)
            } else {
                Crossed { is_new: false, is_stopped: true }
            };
            if !crossed.is_new {
                if crossed.is_stopped {
                    self.frame.stop(self.joints, &mut next);
                }
                next.turned = largest(update);
                self.scale = scale;
                return Some((next, crossed.is_stopped));
            }
            pass += 1;
        }
    }

    fn update<W: Watch<Turn>>(&mut self, state: &mut State, iteration: u32, watch: &mut W) -> Flow {
        self.prepare(state, iteration);
        self.missed = self.workspace.missed_distance();
        let before = *state;
        let cost = self.workspace.cost();
        let above = self.rotations_above();
        let mut damping = before.damping;
        let mut update = [Vec4::ZERO; BLOCKS];
        let mut repeat = 0;
        let least = SETTLED * self.tolerance();
        self.is_hindered = false;
        let singles = loop {
            let Some((mut next, is_stopped)) = self.solved(&before, damping, &above, &mut update) else {
                (state.turned, self.is_hindered) = (0.0, false);
                return GO_ON;
            };
            let singles = W::LISTENS.then_some(self.workspace.rows.singles);
            if is_stopped {
                linearize(self.joints, self.frame, &next, self.workspace);
            } else {
                linearize_beyond(self.joints, self.frame, &next, self.workspace);
            }
            let now = self.workspace.cost();
            if now.is_finite() && now <= cost {
                // A shortened step needs more damping, not less.
                let factor = if self.scale < 1.0 { 2.0 } else { 0.5 };
                next.damping = (damping * factor).clamp(DAMPING[0], DAMPING[1]);
                let is_whole = self.scale == 1.0 && !self.is_hindered;
                self.is_settled = is_whole && now >= cost * (1.0 - least);
                self.missed = self.workspace.missed_distance();
                *state = next;
                break singles;
            }
            // The rows are those of the rejected state.
            linearize(self.joints, self.frame, &before, self.workspace);
            repeat += 1;
            self.is_hindered |= !now.is_finite() || now > cost * (1.0 + least);
            if repeat > REPEATS {
                // No shorter step helps: rounding decides, so the solve has converged.
                (state.turned, self.is_hindered) = (0.0, false);
                self.workspace.holds = Some(iteration + 1);
                return GO_ON;
            }
            damping = (damping * 10.0).clamp(DAMPING[0], DAMPING[1]);
        };
        self.workspace.holds = Some(iteration + 1);
        let Some(singles) = singles else { return GO_ON };
        linearize(self.joints, self.frame, &before, self.workspace);
        self.workspace.holds = None;
        self.workspace.rows.singles = singles;
        self.workspace.rows.factorize(damping);
        let after = std::mem::replace(state, before);
        self.report(state, &before, &above, watch)?;
        let unstopped = self.turned(&before, &update, &above);
        self.report_stops(state, (&unstopped, &after), &above, watch)?;
        *state = after;
        GO_ON
    }

    /// Applies to `state` the turns that [`Frame::stop`] has made, from `unstopped` to `after`, and reports each.
    fn report_stops(
        &self,
        state: &mut State,
        (unstopped, after): (&State, &State),
        above: &[Quat],
        watch: &mut impl Watch<Turn>,
    ) -> Flow {
        for (joint, &above) in above.iter().enumerate().take(self.joints.len()) {
            let (was, is) = (unstopped.rotations[joint], after.rotations[joint]);
            if was == is {
                continue;
            }
            let by = above * (is * was.conjugate()).normalize().to_scaled_axis();
            let (before_turn, from) = self.end_of(joint + 1, state);
            state.rotations[joint] = after.rotations[joint];
            let (after_turn, to) = self.end_of(joint + 1, state);
            let turn = (after_turn.rotation * before_turn.rotation.conjugate()).normalize();
            let at = before_turn.position;
            watch.saw(Turn { joint: Some(joint), cause: Cause::Limits, by, at, turn, from, to })?;
        }
        GO_ON
    }

    /// Turns the joints term by term and reports each turn. The update is linear in the residuals, so the terms' parts add
    /// up to it.
    fn report(&mut self, state: &mut State, before: &State, above: &[Quat], watch: &mut impl Watch<Turn>) -> Flow {
        /// Turns up to this angle in radians are not reported, nor are shifts of the pelvis up to this fraction of the
        /// height.
        const LEAST: f32 = 1e-5;
        let mut sum = [Vec4::ZERO; BLOCKS];
        for cause in Cause::all() {
            let mut part = [Vec4::ZERO; BLOCKS];
            self.workspace.rows.solve(Some(cause), &mut part);
            part.iter_mut().for_each(|block| *block *= self.scale);
            for block in 0..=self.joints.len() {
                let by = part[block].truncate();
                sum[block] += part[block];
                let least = if block == 0 { LEAST * self.joints.height() } else { LEAST };
                if by.length() <= least {
                    continue;
                }
                let (before_turn, from) = self.end_of(block, state);
                match block.checked_sub(1) {
                    None => state.root = before.root + sum[0].truncate(),
                    Some(joint) => {
                        let whole = sum[block].truncate();
                        state.rotations[joint] = turn(above[joint], whole, before.rotations[joint]);
                    }
                }
                let (after_turn, to) = self.end_of(block, state);
                let turn = (after_turn.rotation * before_turn.rotation.conjugate()).normalize();
                let at = before_turn.position;
                watch.saw(Turn { joint: block.checked_sub(1), cause, by, at, turn, from, to })?;
            }
        }
        GO_ON
    }

    /// Returns the transform of a block's joint and the end of its bone, in model space; for the first block, both have
    /// the pelvis's position, without its rotation.
    fn end_of(&self, block: usize, state: &State) -> (RigidTransform, Vec3) {
        let Some(joint) = block.checked_sub(1) else {
            return (RigidTransform { position: state.root, ..RigidTransform::IDENTITY }, state.root);
        };
        let placed = self.joints.place(&state.pose(self.frame)).of(joint);
        (placed, placed.transform_point(self.joints.all()[joint].end))
    }

    /// Returns the rotation of each joint's parent in the workspace's placement; identity without a parent. Model
    /// space.
    fn rotations_above(&self) -> [Quat; BLOCKS] {
        let mut above = [Quat::IDENTITY; BLOCKS];
        for (joint, own) in self.joints.all().iter().enumerate() {
            if let Some(parent) = own.parent {
                above[joint] = self.workspace.placement.rotations[parent];
            }
        }
        above
    }
}

/// Returns the largest turn of a joint in an update, radians.
#[inline]
fn largest(update: &Blocks) -> f32 {
    update[1..].iter().map(|by| by.length_squared()).fold(0.0, f32::max).sqrt()
}

/// Shortens an update so that no joint turns by more than [`LONGEST`]. Returns the factor; 1 for an update that
/// is short enough or not finite.
#[inline]
fn shorten(update: &mut Blocks) -> f32 {
    let most = largest(update);
    if most <= LONGEST || !most.is_finite() {
        return 1.0;
    }
    let scale = LONGEST / most;
    update.iter_mut().for_each(|by| *by *= scale);
    scale
}

/// Turns a rotation relative to a parent by a vector in model space. The angle is 2 atan(|by| / 2), so that no step exceeds
/// half a turn.
#[inline(always)]
fn turn(above: Quat, by: Vec3, rotation: Quat) -> Quat {
    // Squares of very long vectors are infinite, which would lose the direction.
    const LONGEST: f32 = 1e6;
    let local = above.conjugate() * (by * 0.5).clamp_length_max(LONGEST);
    (Quat::from_vec4(local.extend(1.0)) * rotation).normalize()
}

impl Stepped for Solve<'_> {
    type Step = Step;
    type State = State;
    type Event = Turn;

    fn next(&mut self, state: &State) -> Option<Step> {
        if !self.frame.is_needed {
            return None;
        }
        loop {
            let stage = match self.stage {
                index if index < TERMS => Stage::TERMS[index],
                TERMS => Stage::Solve,
                _ if self.stage == TERMS + 1 => Stage::Update,
                _ => match self.end_iteration(state)? {
                    Some(stage) => return Some(Step { iteration: self.iteration, stage }),
                    None => continue,
                },
            };
            self.stage += 1;
            if stage.runs(self.frame) {
                return Some(Step { iteration: self.iteration, stage });
            }
        }
    }

    fn run(&mut self, state: &mut State, step: Step, watch: &mut impl Watch<Turn>) -> Flow {
        match step.stage {
            Stage::Update => self.update(state, step.iteration, watch),
            // The update solves the normal equations, because it may have to do so again with more damping.
            Stage::Solve => GO_ON,
            Stage::Ease => self.ease(state, step.iteration, watch),
            _ => {
                self.prepare(state, step.iteration);
                let term = step.stage as usize;
                state.residuals[term] = self.workspace.costs[term].sqrt();
                GO_ON
            }
        }
    }
}
