//! The one place where a frame of all layers is made.

use std::sync::Arc;

use glam::Vec3;

use super::attach::AttachRun;
use super::chains;
use super::experiments::Blind;
use super::frame::{Frame, Input, Layer, Memory, Solved};
use super::grounding::Drive;
use super::layers::{LayerId, Stack};
use super::place::Place;
use super::rig::Rig;
use crate::chain_ik;
use crate::error::{Fault, Problem};
use crate::full_body::rotations_only::RotationsRun;
use crate::full_body::{BodyRun, Hooks, InputError, Recording, Settings, Workspace};
use crate::ground::Ground;
use crate::grounding::footprint::FootprintFrame;
use crate::grounding::handover::Handover;
use crate::grounding::lock::{LockFoot, LockFrame};
use crate::grounding::{
    FootprintRun, GroundRun, HeldGround, Input as GroundInput, LimbsRun, LockRun, Output, Passing, Side, SolverState,
    WeightSource, speed,
};
use crate::modifiers::{self, ModifiedInput, ModifierHooks, ModifierRun, Moment};
use crate::rig::RigidTransform;
use crate::stepped::Cursor;
use crate::timing::{Clock, Laps, Timed, Work};

/// What a frame is solved with.
#[derive(Default)]
pub struct Tools<'a> {
    /// That of the rig's full body; without one, the solve makes its own.
    pub workspace: Option<&'a mut Workspace>,
    /// What is walked on; without it grounding does nothing.
    pub ground: Option<&'a dyn Ground>,
    /// With one it is measured what layers take.
    pub clock: Option<Clock>,
}

/// Solves a frame: every layer that is on, in its order.
///
/// ```
/// use kinescope_ik::stack::{Input, LayerId, Rig, Stack, Tools, solve};
/// use kinescope_ik::{Effector, ModelPose};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// // Once for each character.
/// let rig = Rig::biped("mannequin", skeleton, &biped, reference)?;
/// let mut stack = Stack::default();
/// let hand = stack.full_body.effector_mut(Effector::LeftHand);
/// (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
///
/// // Every frame; `frame.memory` is the next input's.
/// let input = Input::new(stack, ModelPose::rigid(animated));
/// let frame = solve(&rig, Tools::default(), &input);
/// assert!(frame.problem().is_none());
/// let run = frame.run(LayerId::FullBody).unwrap();
/// println!("{} steps, the hand is {} from its target", run.steps(), frame.gaps(&frame.pose)[0].distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(rig: &Rig, tools: Tools, input: &Input) -> Frame {
    Solving {
        rig,
        tools,
        input,
        stack: input.stack.clone(),
        place: input.place,
        modified: None,
        moved: None,
        asked: None,
        given: None,
        foot_goals: None,
        laps: Laps::default(),
    }
    .all()
}

/// What modifiers made of the settings before read, and whoever of them acts later.
struct Modified {
    asked: Arc<ModifiedInput>,
    hooks: Arc<ModifierHooks>,
}

/// What is switched off begins anew when it is on again: in between, the character has gone elsewhere.
fn forget_what_is_off(stack: &Stack, memory: &mut Memory) {
    if !stack.is_on(LayerId::Grounding) {
        (memory.ground, memory.handover) = (None, Handover::default());
    }
    if !stack.is_on(LayerId::Grounding) || stack.grounding.cast_rate <= 0.0 {
        memory.casts = None;
    }
    if !stack.is_on(LayerId::Grounding) || stack.grounding.weight_source != WeightSource::Speed {
        memory.speeds = None;
    }
    if !stack.is_on(LayerId::Footprints) {
        memory.footprints = None;
    }
    if !stack.is_on(LayerId::FootLock) {
        memory.lock = None;
    }
    for (modifier, memory) in stack.modifiers.iter().zip(&mut memory.modifiers) {
        if !modifier.is_on() {
            *memory = modifiers::Memory::Nothing;
        }
    }
}

/// A frame that is being solved.
struct Solving<'a> {
    rig: &'a Rig,
    tools: Tools<'a>,
    input: &'a Input,
    /// That of the input, with attached targets where their anchors have them.
    stack: Arc<Stack>,
    /// Where and when the frame is: that of the input, but for how much feet stand, where that goes by their speed.
    place: Place,
    modified: Option<Modified>,
    /// What grounding is handed, where steps are moved.
    moved: Option<GroundInput>,
    /// What grounding asks of the layer that poses the body.
    asked: Option<Output>,
    /// What the layer that poses the body was given; `None` where it did not.
    given: Option<Arc<Vec<RigidTransform>>>,
    /// Where grounding wants the feet, with those held that a lock holds: what chains can follow.
    foot_goals: Option<[Vec3; 2]>,
    /// Of the layer that is being solved.
    laps: Laps,
}

impl Solving<'_> {
    fn all(mut self) -> Frame {
        let stack = self.input.stack.clone();
        let mut pose = self.input.animated.bones.clone();
        let mut memory = self.input.memory.clone();
        let keeps_pose = stack.order.experiments.keep_pose;
        if let Some(kept) = memory.kept.as_ref().filter(|kept| keeps_pose && kept.len() == pose.len()) {
            pose.clone_from(kept);
        }
        forget_what_is_off(&stack, &mut memory);
        if let (WeightSource::Speed, Some(legs), true) =
            (stack.grounding.weight_source, &self.rig.legs, stack.is_on(LayerId::Grounding))
        {
            let input = stack.grounding.input(legs, &self.place, &pose);
            let mut speeds = memory.speeds.unwrap_or_default();
            self.place.planted = speed::weights(&stack.grounding.speed, &input, self.place.carried, &mut speeds);
            // When feet land and lift between two frames is known of curves alone.
            self.place.crossed = [None; 2];
            memory.speeds = Some(speeds);
        }
        let mut layers = Vec::new();
        let mut before = Arc::new(pose.clone());
        for id in stack.layers() {
            self.laps = Laps::new(self.tools.clock);
            let solved = stack.is_on(id).then(|| self.layer(id, &before, &mut pose, &mut memory)).flatten();
            let times = self.laps.times;
            layers.push(Layer { id, solved, before: before.clone(), times });
            if *before != pose {
                before = Arc::new(pose.clone());
            }
        }
        memory.kept = keeps_pose.then(|| pose.clone());
        Frame { input: self.input.clone(), stack: self.stack, planted: self.place.planted, layers, pose, memory }
    }

    /// One layer; `None` where there is nothing for it to do.
    fn layer(
        &mut self,
        id: LayerId,
        before: &Arc<Vec<RigidTransform>>,
        pose: &mut Vec<RigidTransform>,
        memory: &mut Memory,
    ) -> Option<Result<Solved, String>> {
        let stack = &self.input.stack;
        let say = |fault: Fault| fault.to_string();
        match id {
            LayerId::Attachments => {
                let run = self.attach(pose);
                self.laps.end(Work::Modifiers);
                Some(run.map_err(say))
            }
            LayerId::Modifiers => {
                let run = self.modify(pose, memory);
                self.laps.end(Work::Modifiers);
                Some(run)
            }
            LayerId::AfterWrite => {
                let run = self.after_write(pose)?;
                self.laps.end(Work::Modifiers);
                Some(Ok(Solved::Modifiers(Box::new(run))))
            }
            LayerId::Grounding => {
                let run = self.ground_feet(pose, memory)?;
                self.asked = Some(run.recording.output);
                self.foot_goals = self.find_foot_goals(pose);
                Some(Ok(Solved::Grounding(Box::new(run))))
            }
            LayerId::Footprints => {
                let run = self.look_ahead(pose, memory)?;
                self.moved = Some(run.frame.moved(&run.state()));
                self.laps.end(Work::Grounding);
                Some(Ok(Solved::Footprints(Box::new(run))))
            }
            LayerId::FootLock => {
                let run = self.hold_feet(pose, memory)?;
                self.asked = Some(run.output(Cursor::end(&run)));
                self.foot_goals = self.find_foot_goals(pose);
                self.laps.end(Work::Grounding);
                Some(Ok(Solved::FootLock(Box::new(run))))
            }
            LayerId::FullBody if self.drives_limbs() => {
                let solved = self.limbs(pose);
                self.laps.end(Work::Stages);
                self.given = solved.as_ref().is_some_and(Result::is_ok).then(|| before.clone());
                solved
            }
            LayerId::FullBody => {
                let solved = self.full_body(before, pose);
                self.given = solved.is_ok().then(|| before.clone());
                Some(solved)
            }
            LayerId::RotationsOnly => {
                let (figure, given) = (self.rig.figure.as_ref()?, self.given.clone()?);
                let skeleton = self.rig.skeleton.clone();
                let run = RotationsRun::record(skeleton, figure.pelvis, figure.limbs, given, pose);
                self.laps.end(Work::Write);
                Some(Ok(Solved::RotationsOnly(Box::new(run))))
            }
            LayerId::Chain(_) if before.len() < self.rig.skeleton.len() => {
                let (found, expected) = (before.len(), self.rig.skeleton.len());
                Some(Err(say(Fault::new("animated", Problem::Length { what: "bones", found, expected }))))
            }
            LayerId::Chain(index) => {
                let own = &stack.chain_ik.chains[index];
                if !own.target_source.is_own() && stack.order.before_full_body.contains(&index) {
                    let message =
                        "follows a foot goal, which grounding finds later: move the chain after the full body";
                    return Some(Err(say(Fault::new("target_source", message))));
                }
                let run = chains::solve_chain(own, self.foot_goals, self.rig, pose);
                self.laps.end(Work::Chains);
                Some(run.map(|run| Solved::Chain(Box::new(run))).map_err(say))
            }
            LayerId::Lane(lane) => {
                let lab = stack.chain_ik.lab.as_ref()?;
                let left = self.input.memory.lanes.get(lane);
                let run = chains::solve_lane(lab, lane, self.rig, left, self.input.place.lab_time);
                self.laps.end(Work::Chains);
                memory.lanes.resize_with(lab.lanes.len(), chain_ik::State::default);
                if let Ok(run) = &run {
                    memory.lanes[lane] = run.recording.solve.end().clone();
                }
                Some(run.map(|run| Solved::Chain(Box::new(run))).map_err(say))
            }
        }
    }

    /// Where grounding wants the feet of `pose`.
    fn find_foot_goals(&self, pose: &[RigidTransform]) -> Option<[Vec3; 2]> {
        let (legs, output) = (self.rig.legs.as_ref()?, self.asked.as_ref()?);
        let weights = self.input.stack.grounding.goal_weights_at(&self.input.place);
        Some(legs.goals(output, &weights, pose).map(|goal| goal.position))
    }

    fn drives_limbs(&self) -> bool {
        self.input.stack.grounding.drive == Drive::Limbs && self.asked.is_some()
    }

    fn ground_feet(&mut self, pose: &[RigidTransform], memory: &mut Memory) -> Option<GroundRun> {
        let (legs, ground, place) = (self.rig.legs.as_ref()?, self.tools.ground?, &self.place);
        let section = &self.input.stack.grounding;
        let solver = section.solver(place)?;
        let input = self.moved.unwrap_or_else(|| section.input(legs, place, pose));
        let mut recording = crate::grounding::Recording::default();
        let start = memory.ground.unwrap_or(SolverState::fresh(&solver));
        let ground = Timed::new(ground, self.tools.clock);
        let experiments = self.input.stack.order.experiments;
        let solver = experiments.grounder(solver);
        let passing = crate::grounding::recording::passing(&solver, &input, &start);
        let anew = passing == Passing::Settle;
        let held = HeldGround::new(&ground, section.cast_rate, memory.casts, anew, place.dt);
        match experiments.blind_casts {
            true => recording.record(&solver, &input, &start, &Blind(&held)),
            false => recording.record(&solver, &input, &start, &held),
        }
        let (casts, did_cast) = held.end();
        // A frame in no time has no steps, and casts nothing.
        if section.cast_rate > 0.0 && passing != Passing::Still {
            memory.casts = Some(casts);
        }
        let (changed, mut handover) = (!start.is_of(&solver), memory.handover);
        recording.take_over(&mut handover, changed, section.blend);
        self.laps.end(Work::Grounding);
        self.laps.take_casts(Work::Grounding, &ground);
        // In no time a grounder comes to nothing of its own: the change is made in the first frame that takes some.
        if !changed || place.dt > 0.0 {
            (memory.ground, memory.handover) = (Some(recording.state()), handover);
        }
        Some(GroundRun { recording, holds_casts: !did_cast && passing != Passing::Still })
    }

    fn look_ahead(&mut self, pose: &[RigidTransform], memory: &mut Memory) -> Option<FootprintRun> {
        let (legs, ground) = (self.rig.legs.as_ref()?, self.tools.ground?);
        let (place, section) = (&self.place, &self.input.stack.grounding);
        let input = section.input(legs, place, pose);
        let (settings, footprints, planted) = (section.footprints.clamped(), place.footprints, place.planted);
        let frame = FootprintFrame { settings, input, footprints, planted };
        let ground = Timed::new(ground, self.tools.clock);
        let run = FootprintRun::record(frame, &memory.footprints.unwrap_or_default(), &ground);
        self.laps.end(Work::Grounding);
        self.laps.take_casts(Work::Grounding, &ground);
        memory.footprints = Some(run.state());
        Some(run)
    }

    fn hold_feet(&mut self, pose: &[RigidTransform], memory: &mut Memory) -> Option<LockRun> {
        let (legs, soles, output) = (self.rig.legs.as_ref()?, self.rig.soles.as_ref()?, self.asked?);
        let (place, section) = (&self.place, &self.input.stack.grounding);
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
        let input = self.moved.unwrap_or_else(|| section.input(legs, place, pose));
        let weight = place.grounding.weight.clamp(0.0, 1.0);
        let frame = LockFrame { settings: section.lock.clamped(), input, output, feet, weight };
        let run = LockRun::record(frame, &memory.lock.unwrap_or_default());
        memory.lock = Some(run.state());
        Some(run)
    }

    /// Puts attached targets where their anchors are in the pose that the full body is handed.
    fn attach(&mut self, pose: &[RigidTransform]) -> Result<Solved, Fault> {
        let no_biped = || self.rig.full_body.as_ref().err().cloned().unwrap_or_else(|| "no biped".to_owned());
        let both = self.rig.figure.clone().zip(self.rig.posed(pose));
        let (figure, posed) = both.ok_or_else(|| Fault::new("", no_biped()))?;
        let run = AttachRun::record(&self.stack, figure, &posed)?;
        self.stack = run.stack().clone();
        Ok(Solved::Attachments(Box::new(run)))
    }

    /// The frame as modifiers see it.
    fn moment(&self) -> Option<Moment> {
        let place = &self.input.place;
        let figure = self.rig.figure.clone()?;
        Some(Moment { figure, root: place.root, dt: place.dt, time: place.clip_time })
    }

    fn modify(&mut self, pose: &mut Vec<RigidTransform>, memory: &mut Memory) -> Result<Solved, String> {
        let no_biped = || self.rig.full_body.as_ref().err().cloned().unwrap_or_else(|| "no biped".to_owned());
        let moment = self.moment().ok_or_else(no_biped)?;
        let expected = moment.figure.bones();
        if pose.len() < expected {
            let problem = Problem::Length { what: "bones", found: pose.len(), expected };
            return Err(Fault::new("animated", problem).to_string());
        }
        let stack = self.stack.clone();
        if let Ok(solver) = &self.rig.full_body {
            // Whoever cannot be solved is not to be turned either.
            let usable = solver.check_pose_and_settings(&stack.full_body, pose);
            let named = |error: InputError| error.because_of(&stack.full_body).fault(&self.rig.skeleton, pose);
            usable.map_err(|error| named(error).to_string())?;
        }
        let start = ModifiedInput { settings: stack.full_body, pose: pose.clone(), memory: memory.modifiers.clone() };
        let run = ModifierRun::before(stack.modifiers.clone(), moment.clone(), start);
        let modified = run.input_recording().map(|recording| {
            let hooks = ModifierHooks::new(stack.modifiers.clone(), recording, moment);
            Modified { asked: Arc::new(recording.end().clone()), hooks: Arc::new(hooks) }
        });
        if let Some(Modified { asked, .. }) = &modified {
            pose.clone_from(&asked.pose);
            memory.modifiers.clone_from(&asked.memory);
        }
        self.modified = modified;
        Ok(Solved::Modifiers(Box::new(run)))
    }

    fn after_write(&self, pose: &mut Vec<RigidTransform>) -> Option<ModifierRun> {
        let (modified, moment) = (self.modified.as_ref()?, self.moment()?);
        // What cannot be solved is not to be turned either.
        let is_solved = self.asked.is_some() || self.rig.full_body.is_ok();
        let (modifiers, asked) = (self.stack.modifiers.clone(), modified.asked.clone());
        is_solved.then(|| ModifierRun::after(modifiers, moment, asked, pose))
    }

    /// What the full body was asked before grounding.
    fn settings(&self) -> &Settings {
        self.modified.as_ref().map_or(&self.stack.full_body, |modified| &modified.asked.settings)
    }

    /// The full body's settings with what grounding asks.
    fn driven(&self, pose: &[RigidTransform]) -> Settings {
        let weights = &self.input.stack.grounding.weights_at(&self.input.place);
        match (&self.rig.legs, &self.asked) {
            (Some(legs), Some(output)) => legs.drive_full_body(output, weights, pose, self.settings()),
            _ => *self.settings(),
        }
    }

    fn full_body(&mut self, before: &Arc<Vec<RigidTransform>>, pose: &mut [RigidTransform]) -> Result<Solved, String> {
        let settings = self.driven(pose);
        let solver = self.rig.full_body.as_ref().map_err(String::clone)?;
        let mut recording = Recording::default();
        let mut own = None;
        let workspace = match &mut self.tools.workspace {
            Some(workspace) => workspace,
            None => own.insert(solver.workspace()),
        };
        let laps = &mut self.laps;
        let hooks = self.modified.as_ref().map(|modified| modified.hooks.clone() as Arc<dyn Hooks + Send + Sync>);
        let recorded = recording.record_hooked(solver, workspace, &settings, hooks, pose, laps);
        recorded.map_err(|error| error.fault(&self.rig.skeleton, pose).to_string())?;
        let run = BodyRun::new(solver.clone(), recording, before.clone(), settings);
        Ok(Solved::FullBody(Box::new(run)))
    }

    fn limbs(&self, pose: &mut Vec<RigidTransform>) -> Option<Result<Solved, String>> {
        let (legs, output, stack) = (self.rig.legs.as_ref()?, self.asked.as_ref()?, &self.input.stack);
        let weights = &stack.grounding.weights_at(&self.input.place);
        let read = legs.read_limbs(output, weights, self.settings(), &self.rig.skeleton, pose);
        match read {
            Ok(None) => None,
            Ok(Some(frame)) => {
                let run = LimbsRun::record_by(&stack.grounding.limbs, frame, self.rig.skeleton.clone(), pose);
                Some(Ok(Solved::Limbs(Box::new(run))))
            }
            Err(error) => Some(Err(error.to_string())),
        }
    }
}

impl Frame {
    /// The pose at an instant of a layer: those before it are solved, those after it not yet. Where the layer only asks,
    /// what the one that it asks would make of that.
    pub fn pose_at(&self, rig: &Rig, id: LayerId, at: Cursor) -> Vec<RigidTransform> {
        let Some(layer) = self.layer(id) else { return self.pose.clone() };
        let mut pose = layer.before.to_vec();
        let grounded = self.grounded();
        match (&layer.solved, layer.run()) {
            (Some(Ok(Solved::Attachments(run))), _) => {
                self.body_attached(rig, run.stack_at(at), grounded, &mut pose);
            }
            (Some(Ok(Solved::Grounding(run))), _) => {
                let modified = self.modified(None);
                self.body_asked(rig, modified, Some(run.output(at)), &mut pose);
            }
            (Some(Ok(Solved::FootLock(run))), _) => {
                self.body_asked(rig, self.modified(None), Some(run.output(at)), &mut pose);
            }
            (Some(Ok(Solved::Modifiers(run))), _) if id == LayerId::Modifiers => {
                let asked = run.input_at(at);
                if let Some(asked) = &asked {
                    pose.clone_from(&asked.pose);
                }
                self.body_asked(rig, self.modified(asked), grounded, &mut pose);
            }
            (_, Some(run)) => run.pose(at, &mut pose),
            (_, None) => {}
        }
        pose
    }

    /// What modifiers made of the settings, or would have, had they `asked` no more than that.
    fn modified(&self, asked: Option<ModifiedInput>) -> Option<Modified> {
        let run = self.modifiers(LayerId::Modifiers)?;
        let recording = run.input_recording()?;
        let hooks = Arc::new(ModifierHooks::new(run.modifiers.clone(), recording, run.moment.clone()));
        Some(Modified { asked: Arc::new(asked.unwrap_or_else(|| recording.end().clone())), hooks })
    }

    /// What the layer that poses the body would make of what it is asked.
    fn body_asked(&self, rig: &Rig, modified: Option<Modified>, asked: Option<Output>, pose: &mut Vec<RigidTransform>) {
        let mut solving = self.solving(rig, modified, asked);
        self.pose_body(&mut solving, pose);
    }

    /// What modifiers and the layer that poses the body would make of a stack with other targets.
    fn body_attached(&self, rig: &Rig, stack: Stack, asked: Option<Output>, pose: &mut Vec<RigidTransform>) {
        let mut solving = Solving { stack: Arc::new(stack), ..self.solving(rig, None, asked) };
        if self.layer(LayerId::Modifiers).is_some_and(|layer| layer.run().is_some()) {
            // What cannot be solved leaves the pose as it is.
            let _ = solving.modify(pose, &mut self.input.memory.clone());
        }
        self.pose_body(&mut solving, pose);
    }

    /// This frame, to be solved again in part.
    fn solving<'a>(&'a self, rig: &'a Rig, modified: Option<Modified>, asked: Option<Output>) -> Solving<'a> {
        Solving {
            rig,
            tools: Tools::default(),
            input: &self.input,
            stack: self.stack.clone(),
            place: self.input.place,
            modified,
            moved: None,
            asked,
            given: None,
            foot_goals: None,
            laps: Laps::default(),
        }
    }

    fn pose_body(&self, solving: &mut Solving, pose: &mut Vec<RigidTransform>) {
        let before = Arc::new(pose.clone());
        let mut memory = self.input.memory.clone();
        if self.input.stack.is_on(LayerId::FullBody) {
            let _ = solving.layer(LayerId::FullBody, &before, pose, &mut memory);
        }
    }
}
