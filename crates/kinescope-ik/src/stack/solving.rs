//! Solves the layers of a frame in their order, and poses the bones at an instant of one of them.

use std::sync::Arc;

use super::frame::{Frame, Layer};
use super::input::Input;
use super::kind::{PoseSource, Poses};
use super::layer_id::{LayerId, Memory, Topic};
use super::layers;
use super::pass::{Modified, Pass, Tools};
use super::rig::Rig;
use super::solved::Solved;
use crate::grounding::{Output, WeightSource, speed};
use crate::modifiers::{ModifiedInput, ModifierHooks};
use crate::rig::RigidTransform;
use crate::stepped::Cursor;
use crate::timing::Laps;

/// Solves a frame: every layer that is on, in the order of [`Stack::layers`](super::Stack::layers).
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
/// // Every frame. `frame.memory` is for the next frame's input.
/// let input = Input::new(stack, ModelPose::rigid(animated));
/// let frame = solve(&rig, Tools::default(), &input);
/// assert!(frame.problem().is_none());
/// let run = frame.run(LayerId::FullBody).unwrap();
/// println!("{} steps, the hand is {} from its target", run.steps(), frame.gaps(&frame.pose)[0].distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(rig: &Rig, tools: Tools, input: &Input) -> Frame {
    let mut pass = Pass::new(rig, tools, input);
    let stack = &input.stack;
    let mut pose = input.animated.bones.clone();
    let mut memory = input.memory.clone();
    let keeps_pose = stack.order.experiments.keep_pose;
    if let Some(kept) = memory.kept.as_ref().filter(|kept| keeps_pose && kept.len() == pose.len()) {
        pose.clone_from(kept);
    }
    layers::forget_layers_that_are_off(stack, &mut memory);
    weigh_feet(&mut pass, &pose, &mut memory);
    let mut solved_layers = Vec::new();
    let mut before = Arc::new(pose.clone());
    let mut body_input = None;
    for id in stack.layers() {
        pass.laps = Laps::new(pass.tools.clock);
        if let LayerId::BodyLane(_) = id {
            let given: &Arc<Vec<RigidTransform>> = body_input.as_ref().unwrap_or(&before);
            let mut own = given.to_vec();
            let solved = layers::solve(id, &mut pass, Poses { given, pose: &mut own }, &mut memory);
            solved_layers.push(Layer { id, solved, before: given.clone(), times: pass.laps.times });
            continue;
        }
        if id.topic() == Topic::Posing {
            body_input.get_or_insert_with(|| before.clone());
        }
        let poses = Poses { given: &before, pose: &mut pose };
        let solved = layers::solve(id, &mut pass, poses, &mut memory);
        if let Some(solved) = solved.as_ref().filter(|_| layers::solves_body(id)) {
            pass.body_failed = solved.is_err();
        }
        let times = pass.laps.times;
        solved_layers.push(Layer { id, solved, before: before.clone(), times });
        if *before != pose {
            before = Arc::new(pose.clone());
        }
    }
    memory.kept = keeps_pose.then(|| pose.clone());
    let (input, planted) = (input.clone(), pass.place.planted);
    Frame { input, stack: pass.stack, planted, layers: solved_layers, pose, memory }
}

/// Sets [`Place::planted`](super::Place::planted) from the speed of the foot bones, if grounding is on and takes
/// weights from speed.
fn weigh_feet(pass: &mut Pass, pose: &[RigidTransform], memory: &mut Memory) {
    let stack = &pass.input.stack;
    if let (WeightSource::Speed, Some(legs), true) =
        (stack.grounding.weight_source, &pass.rig.legs, stack.is_on(LayerId::Grounding))
    {
        let input = stack.grounding.input(legs, &pass.place, pose);
        let mut speeds = memory.speeds.unwrap_or_default();
        pass.place.planted = speed::weights(&stack.grounding.speed, &input, pass.place.carried, &mut speeds);
        // Only a curve defines when between two frames a foot lands or lifts.
        pass.place.crossed = [None; 2];
        memory.speeds = Some(speeds);
    }
}

impl Frame {
    /// Returns the pose at an instant of a layer: earlier layers are solved, later ones are not. If the layer has set
    /// targets or goals by then, or is the modifiers before IK, returns the pose that the full body, if it is on,
    /// solves from the layer's state at that instant. Returns the layer's input pose if the layer has no run, and the
    /// frame's pose if the frame lacks the layer.
    pub fn pose_at(&self, rig: &Rig, id: LayerId, at: Cursor) -> Vec<RigidTransform> {
        let Some(layer) = self.layer(id) else { return self.pose.clone() };
        let mut pose = layer.before.to_vec();
        let Some(Ok(solved)) = &layer.solved else { return pose };
        match layers::pose_source_at(id, solved, at) {
            PoseSource::Bones => solved.run().pose(at, &mut pose),
            PoseSource::Goals(goals) => self.pose_body(self.pass(rig, self.modified(None), Some(goals)), &mut pose),
            PoseSource::Modifiers(input) => {
                if let Some(input) = &input {
                    pose.clone_from(&input.pose);
                }
                self.pose_body(self.pass(rig, self.modified(input), self.grounded()), &mut pose);
            }
            PoseSource::Stack(stack) => {
                let mut pass = Pass { stack, ..self.pass(rig, None, self.grounded()) };
                solved.run().pose(at, &mut pose);
                if self.run(LayerId::Modifiers).is_some() {
                    let given = Arc::new(pose.clone());
                    let poses = Poses { given: &given, pose: &mut pose };
                    // A pose that modifiers reject stays unchanged.
                    let _ = layers::solve(LayerId::Modifiers, &mut pass, poses, &mut self.input.memory.clone());
                }
                self.pose_body(pass, &mut pose);
            }
        }
        pose
    }

    /// Solves a lane of the full-body lab from another input pose, with an empty memory; `None` if the lane is off or has
    /// nothing to do.
    pub(super) fn solve_beside(
        &self,
        rig: &Rig,
        lane: LayerId,
        given: &Arc<Vec<RigidTransform>>,
    ) -> Option<Result<Solved, String>> {
        let mut pass = self.pass(rig, self.modified(None), self.grounded());
        let poses = Poses { given, pose: &mut given.to_vec() };
        layers::solve(lane, &mut pass, poses, &mut Memory::default())
    }

    /// Returns the result of the modifiers before IK, with `input` in place of their own result if given; `None` if
    /// they did not run.
    fn modified(&self, input: Option<Arc<ModifiedInput>>) -> Option<Modified> {
        let run = self.modifiers(LayerId::Modifiers)?;
        let recording = run.input_recording()?;
        let hooks = Arc::new(ModifierHooks::new(run.modifiers.clone(), recording, run.moment.clone()));
        Some(Modified { input: input.unwrap_or_else(|| Arc::new(recording.end().clone())), hooks })
    }

    fn pass<'a>(&'a self, rig: &'a Rig, modified: Option<Modified>, goals: Option<Output>) -> Pass<'a> {
        Pass { stack: self.stack.clone(), modified, goals, ..Pass::new(rig, Tools::default(), &self.input) }
    }

    /// Solves the layer *full body* with the targets and goals of a pass. A pose that cannot be solved stays unchanged.
    fn pose_body(&self, mut pass: Pass, pose: &mut Vec<RigidTransform>) {
        let given = Arc::new(pose.clone());
        let poses = Poses { given: &given, pose };
        let _ = layers::solve(LayerId::FullBody, &mut pass, poses, &mut self.input.memory.clone());
    }
}
