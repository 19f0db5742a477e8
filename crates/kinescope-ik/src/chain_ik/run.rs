//! A recorded chain solve as a [`Run`].

use std::sync::Arc;

use glam::Vec3;

use super::chain::{Bone, State};
use super::draw::{draw_bend_rule, draw_chain, draw_limit, draw_move, draw_targets};
use super::moves::{Cause, Move};
use super::problem::Goal;
use super::program::{Stage, Step};
use super::recording::Recording;
use super::settings::Solver;
use super::{character, explain};
use crate::debug_draw::DebugDraw;
use crate::key::label;
use crate::math::angle;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, RigidTransform, Skeleton};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, PointView, Rod, Run, Shown, StepView, Tint, Unit,
    hash_of_texts,
};

/// Run of one chain, which is free or part of a character.
#[derive(Clone, Debug)]
pub struct ChainRun {
    /// Recording of the solve.
    pub recording: Recording,
    /// The character's skeleton and the chain's bones in it; `None` for a free chain.
    pub on: Option<(Arc<Skeleton>, Vec<BoneIndex>)>,
}

const ERROR: usize = 0;
const STRETCH: usize = 1;
const EXCESS: usize = 2;
const BENDS: usize = 3;

impl ChainRun {
    /// Returns the state of the chain at an instant; the final state if there is no such step.
    pub fn state(&self, at: Cursor) -> State {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let state = self.recording.state_within(at.step, count);
        state.unwrap_or_else(|| self.recording.solve.end().clone())
    }

    fn stretched(&self) -> &'static str {
        if self.recording.is_target_too_near() { "folded" } else { "stretched" }
    }

    fn bent(&self) -> impl Iterator<Item = usize> {
        let bones = self.recording.chain.bones();
        (0..bones.len()).filter(|&bone| bones[bone].from > 0)
    }

    /// Returns the angle between a bone and its parent, radians. Uses positions, as a solver that works on positions
    /// computes rotations only at the end.
    fn bend(&self, state: &State, bone: usize) -> f32 {
        let bones = self.recording.chain.bones();
        let along = |bone: usize| state.positions[bone + 1] - state.positions[bones[bone].from];
        bones[bone].from.checked_sub(1).map_or(0.0, |before| angle(along(before), along(bone)))
    }

    fn moved(&self, step: usize, event: usize) -> Option<&Move> {
        self.recording.solve.events_of(step).get(event)
    }

    /// Returns the largest correction of a bone by its limit, in the step or event at the cursor; radians.
    fn excess(&self, at: Cursor, bone: usize) -> f32 {
        let moves = self.recording.solve.events_of(at.step);
        let moves = match at.within {
            Some(within) => moves.get(within..within + 1).unwrap_or_default(),
            None => moves,
        };
        moves.iter().filter(|moved| moved.bone() == Some(bone)).map(|moved| moved.excess).fold(0.0, f32::max)
    }
}

impl Move {
    /// Returns the index of the bone that a turn rotated, else of the bone that ends at the joint; `None` for the root.
    pub fn bone(&self) -> Option<usize> {
        match self.cause {
            Cause::Turn => Some(self.joint),
            _ => self.joint.checked_sub(1),
        }
    }
}

impl Run for ChainRun {
    fn steps(&self) -> usize {
        self.recording.solve.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let steps = &self.recording.solve.steps;
        let recorded = steps[step].step;
        let stage = recorded.stage;
        let short = match (stage, self.recording.settings.solver) {
            (Stage::CcdPass, Solver::CcdGrowing) => recorded.count.to_string(),
            _ => stage.short().to_owned(),
        };
        let next = steps.get(step + 1).map(|next| next.step.iteration);
        StepView {
            iteration: recorded.iteration,
            key: stage.key(),
            name: label(stage.key()),
            short,
            sentence: stage.sentence(),
            is_end: stage != Stage::Map && next != Some(recorded.iteration),
        }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.solve.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(moved) = self.moved(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let (joint, distance) = (moved.joint, length(moved.distance()));
        let mut text = match moved.cause {
            Cause::Plane => format!("joint {joint} is laid into the plane: {distance}"),
            Cause::Escape => format!("joint {joint} is bent out of the line: {distance}"),
            Cause::Stretch => format!("joint {joint} is {} toward the target: {distance}", self.stretched()),
            Cause::Turn => format!("bone {joint} turns the end toward the target: the end moves {distance}"),
            Cause::ForwardReach if joint == 0 => {
                let place = self.recording.solve.start.positions[0];
                format!("the root follows joint 1 to {} from its place", length(moved.to.distance(place)))
            }
            Cause::ForwardReach if self.recording.goals.iter().any(|goal| goal.joint == joint) => {
                format!("joint {joint} moves toward its target: {distance}")
            }
            Cause::ForwardReach => format!("joint {joint} follows the joint after it: {distance}"),
            Cause::Mirror => format!("joint {joint} is mirrored by the bend rule: {distance}"),
            Cause::Arc => format!("joint {joint} is laid on a circle through root and target: {distance}"),
            Cause::Centroid => {
                format!("joint {joint} moves to the centroid of the positions wanted for it: {distance}")
            }
            Cause::BackwardReach if joint == 0 => format!("the root returns to its place: {distance}"),
            Cause::BackwardReach => format!("joint {joint} follows the joint before it: {distance}"),
            Cause::Limit => {
                let bone = joint.saturating_sub(1);
                format!("joint {joint} is moved by the limit of bone {bone}: {distance}")
            }
            Cause::Straighten => {
                format!("joint {joint} moves as the bend is scaled or the chain folded: {distance}")
            }
            Cause::TwoBone => format!("joint {joint} is placed by the closed form: {distance}"),
            Cause::Map if self.recording.problem().maps_as_a_source() => {
                format!("joint {joint} follows its bone, rotated by the formula chosen at Map: {distance}")
            }
            Cause::Map => format!("joint {joint} follows its rotated bone: {distance}"),
        };
        if moved.excess > 0.0 {
            text.push_str(&format!("; the limit corrected {:.1}°", moved.excess.to_degrees()));
        }
        let tint = if moved.excess > 0.0 { Tint::Limit } else { Tint::Own };
        EventView { tint, size: moved.distance(), text }
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let Some(moved) = self.moved(step, event) else { return CauseView::default() };
        let what = match moved.cause {
            Cause::Plane => "laid into the plane",
            Cause::Escape => "bent out of the line",
            Cause::Stretch if self.recording.is_target_too_near() => "folded toward the target",
            Cause::Stretch => "stretched toward the target",
            Cause::Turn => "CCD",
            Cause::ForwardReach => "forward reach",
            Cause::Mirror => "mirrored",
            Cause::Arc => "laid on a circle",
            Cause::Centroid => "centroid of wanted positions",
            Cause::BackwardReach => "backward reach",
            Cause::Limit => "limit",
            Cause::Straighten => "straightened",
            Cause::TwoBone => "closed form",
            Cause::Map => "map",
        };
        let tint = if moved.cause == Cause::Limit { Tint::Limit } else { Tint::Own };
        let chain = moved.bone().map_or("root".to_owned(), |bone| format!("bone {bone}"));
        CauseView { label: what.to_owned(), chain, tint }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        explain::formula(&self.recording, step, event)
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, name: &str, unit, family, is_error| MeasureView {
            key: key.to_owned(),
            label: name.to_owned(),
            unit,
            family,
            tint: Tint::Own,
            is_error,
        };
        let own = [
            measure("error", "error", Unit::Length, "error", true),
            measure("stretch", "root to end", Unit::Fraction, "chain stretch", false),
            measure("limit_excess", "limit correction", Unit::Angle, "limits", false),
        ];
        let chain = &self.recording.chain;
        let bend = |bone: usize| {
            let joint = chain.bones()[bone].from;
            // Several bones may start at one joint of a chain with branches.
            let name = match chain.is_branched() {
                true => format!("bend of bone {bone} at joint {joint}"),
                false => format!("bend at joint {joint}"),
            };
            measure(&format!("bend_{bone}"), &name, Unit::Angle, "bend at each joint", false)
        };
        own.into_iter().chain(self.bent().map(bend)).collect()
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        match measure {
            ERROR => self.recording.error(&self.state(at)),
            STRETCH => {
                let state = self.state(at);
                state.end().distance(state.positions[0]) / self.recording.chain.length()
            }
            EXCESS => (0..self.recording.chain.bones().len()).map(|bone| self.excess(at, bone)).fold(0.0, f32::max),
            _ => self.bent().nth(measure - BENDS).map_or(0.0, |bone| self.bend(&self.state(at), bone)),
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(ERROR)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |joint: usize| PointView {
            key: format!("joint_{joint}"),
            label: if joint == 0 { "root".to_owned() } else { format!("joint {joint}") },
            tint: Tint::Own,
            bone: self.on.as_ref().and_then(|(_, bones)| bones.get(joint).copied()),
        };
        (0..self.recording.chain.joints()).map(point).collect()
    }

    fn texts(&self) -> Option<u64> {
        let Recording { solve, chain, settings, goals, .. } = &self.recording;
        let steps: Vec<Step> = solve.steps.iter().map(|recorded| recorded.step).collect();
        let from: Vec<usize> = chain.bones().iter().map(|bone| bone.from).collect();
        let goals: Vec<usize> = goals.iter().map(|goal| goal.joint).collect();
        let bones = self.on.as_ref().map(|(_, bones)| bones);
        hash_of_texts("chain", (steps, settings.solver, from, goals, bones))
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.state(at).positions
    }

    fn start(&self) -> Vec<Vec3> {
        self.recording.solve.start.positions.clone()
    }

    fn hinges(&self) -> Vec<Hinge> {
        let bones = self.recording.chain.bones();
        let hinge = |(bone, own): (usize, &Bone)| {
            let before = bones[own.from.checked_sub(1)?].from;
            let (label, root) = (format!("joint {}", own.from), format!("joint {before}"));
            Some(Hinge { label, root, points: [before, own.from, bone + 1] })
        };
        bones.iter().enumerate().filter_map(hinge).collect()
    }

    fn rods(&self) -> Vec<Rod> {
        // Bones that may stretch have no fixed length.
        if self.recording.settings.solver == Solver::TwoBone && self.recording.settings.maximum_stretch > 1.0 {
            return Vec::new();
        }
        let bones = self.recording.chain.bones().iter().enumerate();
        let rod = |(bone, own): (usize, &Bone)| Rod {
            label: format!("bone {bone}"),
            points: [own.from, bone + 1],
            length: own.length,
        };
        bones.map(rod).collect()
    }

    fn goals(&self) -> Vec<GoalView> {
        let recording = &self.recording;
        let goals = recording.goals.iter().zip(&recording.targets);
        let name = |joint: usize| if recording.goals.len() == 1 { "end".to_owned() } else { format!("joint_{joint}") };
        let goal = |(goal, &place): (&Goal, &Vec3)| GoalView {
            key: name(goal.joint),
            label: label(&name(goal.joint)),
            tint: Tint::Own,
            weight: recording.settings.weight,
            point: goal.joint,
            root: 0,
            bone: self.on.as_ref().and_then(|(_, bones)| bones.get(goal.joint).copied()),
            place,
            // With branches, the summed length of all bones is not the reach.
            reach: if recording.chain.is_branched() { f32::INFINITY } else { recording.chain.length() },
            error: "error".to_owned(),
        };
        goals.map(goal).collect()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        if let Some((skeleton, bones)) = &self.on {
            let before = pose.to_vec();
            character::write(&self.state(at), skeleton, bones, &before, pose);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let (recording, state) = (&self.recording, self.state(at));
        let chain = &recording.chain;
        draw_chain(chain, &state, false, out);
        let goals = recording.goals.iter().zip(&recording.targets);
        let targets: Vec<(usize, Vec3)> = goals.map(|(goal, &target)| (goal.joint, target)).collect();
        draw_targets(&state, &targets, out);
        if shown.before {
            let before = match at.before() {
                Some(before) => self.state(before),
                None => recording.solve.start.clone(),
            };
            draw_chain(chain, &before, true, out);
        }
        if shown.moved {
            draw_bend_rule(recording, at.step, out);
        }
        if let Some(moved) = at.within.and_then(|within| self.moved(at.step, within)).filter(|_| shown.moved) {
            draw_move(&state, moved, out);
        }
        if shown.limits {
            for bone in 0..chain.bones().len() {
                draw_limit(chain, &state, bone, self.excess(at, bone), out);
            }
        }
    }
}
