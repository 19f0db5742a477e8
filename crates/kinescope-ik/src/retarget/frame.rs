//! Retargeting of a frame in the stack: the steps of posing, then goals of feet and hands.
//!
//! The animated pose comes from the retargeted clip, maybe blended with others. The steps of posing show how the clip's
//! pose was made from the source's pose. The other steps set goals for later layers, here in the target's model space:
//! ```text
//! foot    goal = pelvis + k · F · (ankle − pelvis of the source), at the height h₀ + k · (height over its rest)
//! hold    a foot lock on the goals: a foot stays where it landed until it lifts or the lock lets it go
//! pelvis  lowered so that the legs reach the held feet
//! hand    goal = pelvis + k · F · (hand − pelvis of the source)
//! ```
//! k is the leg length of the target divided by the source's, F turns the source's facing to the target's, and h₀ is
//! the height of the target's ankle in its rest.

use std::sync::Arc;

use glam::Vec3;

use super::map::Map;
use super::places::Places;
use super::pose::{PoseEvent, PoseFrame, PoseSolve, PoseState, PoseStep};
use super::settings::RetargetSettings;
use crate::grounding::lock::{LockEvent, LockFrame, LockSolve, LockState, LockStep};
use crate::grounding::{LegOutput, Output};
use crate::names::Side;
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::{Flow, Stepped, Watch};
use crate::timing::Work;

/// The source's pose of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcePose {
    /// The map from the source to the character.
    pub map: Arc<Map>,
    /// The pose; model space of the source.
    pub pose: Vec<RigidTransform>,
    /// The parents of the source's bones, for drawing.
    pub parents: Arc<Vec<Option<BoneIndex>>>,
    /// Factor on the movement of the pelvis along the ground.
    pub path: f32,
}

impl SourcePose {
    /// Returns the input of posing.
    pub fn frame(&self) -> PoseFrame<'_> {
        PoseFrame { map: &self.map, source: &self.pose, path: self.path }
    }
}

/// Input of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetargetFrame {
    /// Settings, clamped to their ranges.
    pub settings: RetargetSettings,
    /// The source's pose; `None` if only its places are known, as in a capsule, or if its map is for another number of
    /// bones.
    pub source: Option<Arc<SourcePose>>,
    /// The places of the source's feet and hands, in the target's axes and size.
    pub places: Places,
    /// The root transform, world from model.
    pub root: RigidTransform,
    /// The position of the animated pelvis in the world.
    pub pelvis: Vec3,
    /// The positions of the animated left and right hand in the world.
    pub hands: [Vec3; 2],
    /// The foot lock, whose output has the goals of the feet; `None` if the feet have no weight, if grounding places
    /// them, and without legs or places of feet.
    pub lock: Option<LockFrame>,
}

/// A step of the retargeting of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RetargetStep {
    /// A stage of posing.
    Pose(PoseStep),
    /// Sets the goal of a foot.
    Foot(Side),
    /// Holds a foot where it landed or returns it to its goal, or lowers the pelvis so that legs reach.
    Lock(LockStep),
    /// Sets the target of a hand.
    Hand(Side),
}

const STEPS: [RetargetStep; 10] = [
    RetargetStep::Pose(PoseStep::Align),
    RetargetStep::Pose(PoseStep::Turn),
    RetargetStep::Pose(PoseStep::Path),
    RetargetStep::Foot(Side::Left),
    RetargetStep::Foot(Side::Right),
    RetargetStep::Lock(LockStep::Hold(Side::Left)),
    RetargetStep::Lock(LockStep::Hold(Side::Right)),
    RetargetStep::Lock(LockStep::Pelvis),
    RetargetStep::Hand(Side::Left),
    RetargetStep::Hand(Side::Right),
];

impl RetargetStep {
    /// Returns the key in logs and capsules.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Pose(PoseStep::Align) => "align_rest",
            Self::Pose(PoseStep::Turn) => "turn_bones",
            Self::Pose(PoseStep::Path) => "move_pelvis",
            Self::Foot(Side::Left) => "place_left_foot",
            Self::Foot(Side::Right) => "place_right_foot",
            Self::Lock(step) => step.key(),
            Self::Hand(Side::Left) => "place_left_hand",
            Self::Hand(Side::Right) => "place_right_hand",
        }
    }

    /// Returns a sentence for tooltips.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Pose(PoseStep::Align) => "Points the limbs of the rest pose as the source's rest pose does.",
            Self::Pose(PoseStep::Turn) => {
                "Turns each paired bone from its rest pose as the source's bone turned from its own."
            }
            Self::Pose(PoseStep::Path) => "Moves the pelvis by the source's path, scaled by leg length.",
            Self::Foot(_) => "Sets the foot's goal to the place of the source's foot, scaled by leg length.",
            Self::Lock(step) => step.sentence(),
            Self::Hand(_) => "Sets the hand's target to the place of the source's hand, scaled by leg length.",
        }
    }
}

/// State between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetargetState {
    /// The pairs that are posed so far, and whether the pelvis is moved.
    pub pose: PoseState,
    /// Goals of the feet, once set; world space.
    pub feet: [Option<Vec3>; 2],
    /// The state of the foot lock.
    pub lock: LockState,
    /// Targets of the hands, once set; world space.
    pub hands: [Option<Vec3>; 2],
}

/// An event of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RetargetEvent {
    /// An event of posing.
    Pose(PoseEvent),
    /// The goal of a foot was set.
    Foot {
        /// The foot.
        side: Side,
        /// The animated foot; world space.
        from: Vec3,
        /// The goal; world space.
        to: Vec3,
    },
    /// An event of the foot lock.
    Lock(LockEvent),
    /// The target of a hand was set.
    Hand {
        /// The hand.
        side: Side,
        /// The animated hand; world space.
        from: Vec3,
        /// The target; world space.
        to: Vec3,
    },
}

impl RetargetFrame {
    /// Returns whether a step runs in this frame.
    pub fn has(&self, step: RetargetStep) -> bool {
        match step {
            RetargetStep::Pose(_) => self.source.is_some(),
            RetargetStep::Foot(_) => self.lock.is_some(),
            RetargetStep::Lock(_) => self.lock.is_some_and(|lock| lock.input.dt > 0.0),
            RetargetStep::Hand(_) => self.settings.hands * self.places.weight > 0.0 && self.hand_goals().is_some(),
        }
    }

    /// Returns the name of a pair's target bone; empty if there is no such pair or no source pose.
    pub fn name(&self, pair: usize) -> &str {
        self.source.as_ref().map_or("", |source| source.map.name(pair))
    }

    fn hand_goals(&self) -> Option<[Vec3; 2]> {
        self.places.hand_goals(&self.root, self.pelvis)
    }

    /// Returns the weight of the hands' targets, 0 to 1: the setting times the weight of the clip.
    pub fn hand_weight(&self) -> f32 {
        self.settings.hands * self.places.weight
    }

    /// Returns the goals of feet and pelvis in a state; `None` without a foot lock, or before the first foot has a
    /// goal. A foot without a goal gets the default output.
    pub fn output(&self, state: &RetargetState) -> Option<Output> {
        let mut output = self.lock?.output(&state.lock);
        for (leg, goal) in output.legs.iter_mut().zip(state.feet) {
            if goal.is_none() {
                *leg = LegOutput::default();
            }
        }
        state.feet.iter().any(Option::is_some).then_some(output)
    }
}

/// Passes the events of posing and of the foot lock to the watch of the whole solve.
struct Relay<'a, W, E>(&'a mut W, fn(E) -> RetargetEvent);

impl<W: Watch<RetargetEvent>, E> Watch<E> for Relay<'_, W, E> {
    const LISTENS: bool = W::LISTENS;

    fn saw(&mut self, event: E) -> Flow {
        self.0.saw((self.1)(event))
    }

    fn ended(&mut self, part: Work) {
        self.0.ended(part);
    }
}

/// Retargeting of a frame, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct RetargetSolve<'a> {
    frame: &'a RetargetFrame,
    pose: Option<PoseSolve<'a>>,
    lock: Option<LockSolve<'a>>,
    next: usize,
}

impl<'a> RetargetSolve<'a> {
    /// Starts at the first step; `start` is the foot lock's state after the previous frame.
    pub fn new(frame: &'a RetargetFrame, start: &LockState) -> Self {
        Self {
            frame,
            pose: frame.source.as_ref().map(|source| PoseSolve::new(source.frame())),
            lock: frame.lock.as_ref().map(|lock| LockSolve::new(lock, start)),
            next: 0,
        }
    }
}

impl Stepped for RetargetSolve<'_> {
    type Step = RetargetStep;
    type State = RetargetState;
    type Event = RetargetEvent;

    fn next(&mut self, _: &RetargetState) -> Option<RetargetStep> {
        loop {
            let step = *STEPS.get(self.next)?;
            self.next += 1;
            if self.frame.has(step) {
                return Some(step);
            }
        }
    }

    fn run(&mut self, state: &mut RetargetState, step: RetargetStep, watch: &mut impl Watch<RetargetEvent>) -> Flow {
        match step {
            RetargetStep::Pose(step) => match &mut self.pose {
                Some(pose) => pose.run(&mut state.pose, step, &mut Relay(watch, RetargetEvent::Pose)),
                None => Flow::Continue(()),
            },
            RetargetStep::Foot(side) => {
                let Some(lock) = &self.frame.lock else { return Flow::Continue(()) };
                let to = lock.output.legs[side as usize].ik_position;
                state.feet[side as usize] = Some(to);
                watch.saw(RetargetEvent::Foot { side, from: lock.input.feet[side as usize].position, to })
            }
            RetargetStep::Lock(step) => match &mut self.lock {
                Some(lock) => lock.run(&mut state.lock, step, &mut Relay(watch, RetargetEvent::Lock)),
                None => Flow::Continue(()),
            },
            RetargetStep::Hand(side) => {
                let Some(goals) = self.frame.hand_goals() else { return Flow::Continue(()) };
                let to = goals[side as usize];
                state.hands[side as usize] = Some(to);
                watch.saw(RetargetEvent::Hand { side, from: self.frame.hands[side as usize], to })
            }
        }
    }
}
