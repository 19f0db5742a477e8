//! The stack: which layers solve a character, in which order, and the one place where a frame of all of them is made.
//!
//! ```text
//! animated pose ─► chain … ─► attachments ─► modifiers ─► grounding (asks) ─► full body, or limbs ─► modifiers ─► chain … ─► solved pose
//!                                            before read                       (with those between its stages)  after write
//!              └► lane of the lab, lane, lane …   (side by side, when the lab is open)
//! ```
//!
//! A [`Frame`] keeps what it was solved from ([`Input`]) and a [run](crate::stepped::Run) per layer. Solving an input
//! again gives the same frame, bit for bit: a tape keeps inputs, a comparison solves an input with another stack.

mod attach;
mod chains;
mod experiments;
#[cfg(feature = "json")]
mod file;
mod grounding;
mod measures;
pub mod parameters;

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use self::experiments::Blind;
use self::parameters::{Owner, Tunable};
use crate::attach::Attachments;
use crate::chain_ik::{self, ChainRun};
use crate::error::{BadValue, Fault, Problem};
use crate::full_body::rotations_only::RotationsRun;
use crate::full_body::{BodyRun, FullBody, Hooks, InputError, Recording, Settings, Workspace};
use crate::ground::Ground;
use crate::grounding::footprint::FootprintFrame;
use crate::grounding::handover::Handover;
use crate::grounding::lock::{LockFoot, LockFrame};
use crate::grounding::{
    Footprint, FootprintRun, FootprintState, GroundRun, HeldCasts, HeldGround, Input as GroundInput, Legs, LimbsRun,
    LockRun, LockState, Output, Passing, Side, SolverState, SpeedState, WeightSource, speed,
};
use crate::locomotion::Sole;
use crate::modifiers::{self, Asked, Figure, MOST_MODIFIERS, Modifier, ModifierHooks, ModifierRun, Moment};
use crate::parameter::Parameters;
use crate::rig::{Biped, ModelPose, RigidTransform, Skeleton};
use crate::stepped::{Cursor, Run};
use crate::timing::{Clock, Laps, Timed, Times, Work};

pub use attach::{AttachRun, Attached};
pub use chains::{
    ChainSection, ChainSolve, FreeChain, LAB_BONES, LabChain, LabSection, MOST_CHAINS, MOST_LANES, TargetMotion,
    TargetSource,
};
pub use experiments::Experiments;
pub use grounding::{Drive, GroundingNow, GroundingRule, GroundingSection, MOST_RULES, Method};
pub use measures::{Gap, Measure, MeasureId};

/// A layer, by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerId {
    /// Targets that follow the bone or effector that they are [attached](crate::attach) to.
    Attachments,
    /// What modifiers ask before the pose is read, and turn in it.
    Modifiers,
    /// What modifiers turn after the pose is written.
    AfterWrite,
    /// Feet and pelvis on the ground: asks the one below.
    Grounding,
    /// Where feet will land: says so to grounding.
    Footprints,
    /// Planted feet stay where they landed: says so to the one below.
    FootLock,
    /// The full body; the limbs alone, if grounding is to [drive](Drive) those.
    FullBody,
    /// Bones below the pelvis get rotations only.
    RotationsOnly,
    /// A chain of the character, by its place in [`ChainSection::chains`].
    Chain(usize),
    /// A lane of the lab, by its place there.
    Lane(usize),
}

/// Everything that layers are told, and their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// Settings of the full-body solver, before grounding adds what it asks.
    pub full_body: Settings,
    /// How feet find the ground.
    pub grounding: GroundingSection,
    /// The character's chains, and the lab.
    pub chain_ik: ChainSection,
    /// What the targets of effectors are attached to.
    pub attachments: Arc<Attachments>,
    /// What acts between the phases of the full body, in order.
    pub modifiers: Arc<Vec<Modifier>>,
    /// Section `stack` of a preset.
    pub order: OrderSection,
}

/// Section `stack` of a preset: the order in which layers are solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrderSection {
    /// Chains that are solved before the full body, by their place in `chain_ik.chains`; the others come after it, all in
    /// the order in which they stand there.
    pub before_full_body: Vec<usize>,
    /// The full body is not solved.
    pub full_body_off: bool,
    /// Of what was solved, bones below the pelvis get rotations alone and keep their distance from their parents: see
    /// [`rotations_only`](crate::full_body::rotations_only).
    pub rotations_only: bool,
    /// Bugs of the sources, to be looked at.
    pub experiments: Experiments,
}

impl OrderSection {
    /// # Errors
    /// [`Fault`] for a chain that there is not.
    pub fn validate(&self, count: usize) -> Result<(), Fault> {
        let Some(at) = self.before_full_body.iter().position(|&chain| chain >= count) else { return Ok(()) };
        let index = self.before_full_body[at];
        Err(Fault::new(format!("stack.before_full_body[{at}]"), Problem::Index { what: "chains", index, count }))
    }
}

impl Stack {
    /// # Errors
    /// [`Fault`] for what no layer can be told.
    pub fn validate(&self) -> Result<(), Fault> {
        self.full_body.validate()?;
        self.grounding.validate()?;
        self.chain_ik.validate()?;
        self.attachments.validate().map_err(|fault| fault.within("attachments"))?;
        if self.modifiers.len() > MOST_MODIFIERS {
            let problem = Problem::TooMany { what: "modifiers", found: self.modifiers.len(), most: MOST_MODIFIERS };
            return Err(Fault::new("modifiers", problem));
        }
        for (index, modifier) in self.modifiers.iter().enumerate() {
            modifier.validate().map_err(|fault| fault.within(format!("modifiers[{index}]")))?;
        }
        self.order.validate(self.chain_ik.chains.len())
    }

    /// The layers in the order in which they are solved, those that are off among them. With the lab open its lanes,
    /// which know nothing of each other.
    pub fn layers(&self) -> Vec<LayerId> {
        if let Some(lab) = &self.chain_ik.lab {
            return (0..lab.lanes.len()).map(LayerId::Lane).collect();
        }
        let chains = |before: bool| {
            let all = 0..self.chain_ik.chains.len();
            all.filter(move |chain| self.order.before_full_body.contains(chain) == before).map(LayerId::Chain)
        };
        let modified = |layer: LayerId| (!self.modifiers.is_empty()).then_some(layer);
        let attached = self.has_attachments().then_some(LayerId::Attachments);
        let before = chains(true).chain(attached).chain(modified(LayerId::Modifiers));
        let lock = self.grounding.lock.on.then_some(LayerId::FootLock);
        let footprints = self.grounding.may_be(Method::Path).then_some(LayerId::Footprints);
        let body = before.chain(footprints).chain([LayerId::Grounding]).chain(lock).chain([LayerId::FullBody]);
        let body = body.chain(self.order.rotations_only.then_some(LayerId::RotationsOnly));
        body.chain(modified(LayerId::AfterWrite)).chain(chains(false)).collect()
    }

    /// Puts a chain before, or after, the one that is solved next to it: the full body, with the grounding that asks it,
    /// or another chain. Returns the chain's new place in `chain_ik.chains`; `None` if there is nothing to go past.
    pub fn move_chain(&mut self, chain: usize, earlier: bool) -> Option<usize> {
        let count = self.chain_ik.chains.len();
        let before = &self.order.before_full_body;
        let first = (0..count).filter(|chain| before.contains(chain)).map(Some);
        let last = (0..count).filter(|chain| !before.contains(chain)).map(Some);
        let mut order: Vec<Option<usize>> = first.chain([None]).chain(last).collect();
        let at = order.iter().position(|&own| own == Some(chain))?;
        let to = if earlier { at.checked_sub(1)? } else { at + 1 };
        if to >= order.len() {
            return None;
        }
        order.swap(at, to);
        let body = order.iter().position(Option::is_none)?;
        let chains = order.iter().flatten().map(|&chain| self.chain_ik.chains[chain].clone()).collect();
        self.chain_ik.chains = chains;
        self.order.before_full_body = (0..body).collect();
        Some(to - usize::from(to > body))
    }

    /// Takes a chain away; those after it move up.
    pub fn remove_chain(&mut self, chain: usize) {
        if chain < self.chain_ik.chains.len() {
            self.chain_ik.chains.remove(chain);
            self.order.before_full_body.retain(|&own| own != chain);
            self.order.before_full_body.iter_mut().for_each(|own| *own -= usize::from(*own > chain));
        }
    }

    /// Puts a modifier before, or after, the one that acts next to it. Returns its new place; `None` if there is none to
    /// go past.
    pub fn move_modifier(&mut self, index: usize, earlier: bool) -> Option<usize> {
        let to = if earlier { index.checked_sub(1)? } else { index + 1 };
        if index.max(to) >= self.modifiers.len() {
            return None;
        }
        Arc::make_mut(&mut self.modifiers).swap(index, to);
        Some(to)
    }

    /// Whether a layer is solved.
    pub fn is_on(&self, layer: LayerId) -> bool {
        match layer {
            LayerId::Attachments => !self.order.full_body_off && self.has_attachments(),
            LayerId::Modifiers | LayerId::AfterWrite => {
                !self.order.full_body_off && self.modifiers.iter().any(Modifier::is_on)
            }
            LayerId::Grounding => self.grounding.method != Method::Off,
            LayerId::Footprints => self.grounding.may_be(Method::Path) && self.grounding.method != Method::Off,
            LayerId::FootLock => self.grounding.lock.on && self.grounding.method != Method::Off,
            LayerId::FullBody => !self.order.full_body_off,
            LayerId::RotationsOnly => self.order.rotations_only && !self.order.full_body_off,
            LayerId::Chain(index) => self.chain_ik.chains.get(index).is_some_and(|chain| !chain.off),
            LayerId::Lane(_) => true,
        }
    }
}

impl Tunable for Stack {
    fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    fn of(&self, owner: Owner) -> Option<&dyn Parameters> {
        match owner {
            Owner::FootIk => Some(&self.grounding.foot_ik),
            Owner::Predictive => Some(&self.grounding.predictive),
            Owner::Footprints => Some(&self.grounding.footprints),
            Owner::Lock => Some(&self.grounding.lock),
            Owner::Drive => Some(&self.grounding.weights),
            Owner::Limbs => Some(&self.grounding.limbs),
            Owner::Speed => Some(&self.grounding.speed),
            Owner::Layer(index) => Some(&self.chain_ik.chains.get(index)?.settings),
            Owner::Lane(index) => Some(self.chain_ik.lab.as_ref()?.lanes.get(index)?),
            Owner::Modifier(index, key) => {
                let modifier = self.modifiers.get(index).filter(|own| own.key() == key)?;
                Some(modifier.parameters())
            }
            _ => self.full_body.of(owner),
        }
    }

    fn of_mut(&mut self, owner: Owner) -> Option<&mut dyn Parameters> {
        match owner {
            Owner::FootIk => Some(&mut self.grounding.foot_ik),
            Owner::Predictive => Some(&mut self.grounding.predictive),
            Owner::Footprints => Some(&mut self.grounding.footprints),
            Owner::Lock => Some(&mut self.grounding.lock),
            Owner::Drive => Some(&mut self.grounding.weights),
            Owner::Limbs => Some(&mut self.grounding.limbs),
            Owner::Speed => Some(&mut self.grounding.speed),
            Owner::Layer(index) => Some(&mut self.chain_ik.chains.get_mut(index)?.settings),
            Owner::Lane(index) => Some(self.chain_ik.lab.as_mut()?.lanes.get_mut(index)?),
            Owner::Modifier(index, key) => {
                let modifier = Arc::make_mut(&mut self.modifiers).get_mut(index).filter(|own| own.key() == key)?;
                Some(modifier.parameters_mut())
            }
            _ => self.full_body.of_mut(owner),
        }
    }
}

/// What a character is to its layers; made once, and cheap to hand on to another thread.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The model's name, for messages.
    pub name: String,
    /// The character's bones.
    pub skeleton: Arc<Skeleton>,
    /// The pose that solvers are initialised in; model space.
    pub reference: Arc<Vec<RigidTransform>>,
    /// The full-body solver, or why there is none.
    pub full_body: Result<Arc<FullBody>, String>,
    /// `None` for a character without two legs.
    pub legs: Option<Legs>,
    /// Where its feet touch the ground, left and right; `None` without legs.
    pub soles: Option<[Sole; 2]>,
    /// What modifiers know of it; `None` for no biped.
    pub figure: Option<Arc<Figure>>,
}

impl Rig {
    /// Of a character with a full body and no grounding; `reference` as in [`FullBody::new`].
    ///
    /// # Errors
    /// As [`FullBody::new`].
    pub fn biped(
        name: impl Into<String>,
        skeleton: impl Into<Arc<Skeleton>>,
        biped: &Biped,
        reference: Vec<RigidTransform>,
    ) -> Result<Self, Fault> {
        let skeleton = skeleton.into();
        let full_body = Ok(Arc::new(FullBody::new(&skeleton, biped, &reference)?));
        let figure = Some(Arc::new(Figure::new(&skeleton, biped, &reference)?));
        Ok(Self {
            name: name.into(),
            skeleton,
            reference: Arc::new(reference),
            full_body,
            legs: None,
            soles: None,
            figure,
        })
    }
}

impl Rig {
    /// With two legs that stand on the ground.
    #[must_use]
    pub fn with_legs(self, legs: Option<Legs>) -> Self {
        let soles = legs.map(|legs| Side::ALL.map(|side| Sole::new(&self.skeleton, &self.reference, &legs, side)));
        Self { legs, soles, ..self }
    }
}

impl Default for Rig {
    /// A character without bones.
    fn default() -> Self {
        Self {
            name: String::new(),
            skeleton: Arc::default(),
            reference: Arc::default(),
            full_body: Err(String::new()),
            legs: None,
            soles: None,
            figure: None,
        }
    }
}

/// All that a frame is solved from. Cheap to keep: what did not change is shared with other frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// What layers are told.
    pub stack: Arc<Stack>,
    /// The pose to begin with; model space.
    pub animated: Arc<ModelPose>,
    /// Where and when the frame is.
    pub place: Place,
    /// What the frames before left to this one.
    pub memory: Memory,
}

impl Input {
    /// At the origin, in no time, with nothing remembered: a frame by itself.
    pub fn new(stack: Stack, animated: ModelPose) -> Self {
        let (stack, animated) = (Arc::new(stack), Arc::new(animated));
        Self { stack, animated, place: Place::default(), memory: Memory::default() }
    }
}

impl Input {
    /// Which way is up for its feet; unit.
    pub fn up(&self) -> Vec3 {
        if self.stack.grounding.rotate_solver { self.place.root.rotation * Vec3::Y } else { Vec3::Y }
    }
}

/// Where and when a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Place {
    /// World from model.
    pub root: RigidTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Seconds into the clip that plays.
    pub clip_time: f32,
    /// How much each foot stands in the animation, 0 to 1: left, right.
    pub planted: [f32; 2],
    /// The part of the frame before each foot landed or lifted, 0 to 1; `None` where that is not known, or it did neither.
    pub crossed: [Option<f32>; 2],
    /// How far the ground under each foot moved since the last frame: a platform's way; world, metres.
    pub carried: [Vec3; 2],
    /// Where each foot will land; `None` while it stands, and where the way is not known.
    pub footprints: [Option<Footprint>; 2],
    /// What the rules of grounding come to.
    pub grounding: GroundingNow,
    /// For how many seconds the ground has been moving.
    pub ground_time: f32,
    /// For how many seconds the lab's target has.
    pub lab_time: f32,
}

impl Default for Place {
    fn default() -> Self {
        let root = RigidTransform::IDENTITY;
        Self {
            root,
            dt: 0.0,
            clip_time: 0.0,
            planted: [1.0; 2],
            crossed: [None; 2],
            carried: [Vec3::ZERO; 2],
            footprints: [None; 2],
            grounding: GroundingNow::default(),
            ground_time: 0.0,
            lab_time: 0.0,
        }
    }
}

impl Place {
    /// # Errors
    /// [`Fault`] for what is no place, and no time.
    pub fn validate(&self) -> Result<(), Fault> {
        BadValue::check_place(self.root.position).map_err(|bad| bad.at("root.position"))?;
        BadValue::check_rotation(self.root.rotation).map_err(|bad| bad.at("root.rotation"))?;
        for (name, time) in [
            ("dt", self.dt),
            ("clip_time", self.clip_time),
            ("ground_time", self.ground_time),
            ("lab_time", self.lab_time),
        ] {
            if !time.is_finite() {
                return Err(Fault::new(name, Problem::NotFinite("it is a number of seconds")));
            }
        }
        if let Some(foot) = self.planted.iter().position(|planted| !(0.0..=1.0).contains(planted)) {
            return Err(Fault::new(format!("planted[{foot}]"), "is not from 0 to 1"));
        }
        let is_part = |part: &Option<f32>| part.is_none_or(|part| (0.0..=1.0).contains(&part));
        match self.crossed.iter().position(|part| !is_part(part)) {
            Some(foot) => Err(Fault::new(format!("crossed[{foot}]"), "is not from 0 to 1")),
            None => Ok(()),
        }
    }
}

/// What layers remember from one frame to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// State of the grounder; `None` before its first frame.
    pub ground: Option<SolverState>,
    /// What is left where another grounder took over.
    pub handover: Handover,
    /// What the grounder's last casts hit, where they come at a rate of their own; `None` before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub casts: Option<HeldCasts>,
    /// How fast each foot bone is, where its weight goes by that; `None` before the first frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speeds: Option<SpeedState>,
    /// How steps are moved; `None` before the first frame.
    pub footprints: Option<FootprintState>,
    /// What is held of the feet; `None` before the first frame.
    pub lock: Option<LockState>,
    /// What each modifier remembers.
    pub modifiers: Vec<modifiers::Memory>,
    /// Where each lane of the lab was left.
    pub lanes: Vec<chain_ik::State>,
    /// The pose that was solved, for the [experiment](Experiments::keep_pose) that begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<RigidTransform>>,
}

/// A layer's run.
#[derive(Clone, Debug)]
pub enum Solved {
    /// Attached targets.
    Attachments(Box<AttachRun>),
    /// Modifiers, before read or after write.
    Modifiers(Box<ModifierRun>),
    /// Where feet and pelvis should go.
    Grounding(Box<GroundRun>),
    /// Where feet will land.
    Footprints(Box<FootprintRun>),
    /// Which feet stay.
    FootLock(Box<LockRun>),
    /// The full-body solver.
    FullBody(Box<BodyRun>),
    /// Four limbs alone, as grounding asks.
    Limbs(Box<LimbsRun>),
    /// Which bones below the pelvis went back to their distance from their parents.
    RotationsOnly(Box<RotationsRun>),
    /// A single chain.
    Chain(Box<ChainRun>),
}

impl Solved {
    /// As whoever shows it sees it.
    pub fn run(&self) -> &dyn Run {
        match self {
            Self::Attachments(run) => &**run,
            Self::Modifiers(run) => &**run,
            Self::Grounding(run) => &**run,
            Self::Footprints(run) => &**run,
            Self::FootLock(run) => &**run,
            Self::FullBody(run) => &**run,
            Self::Limbs(run) => &**run,
            Self::RotationsOnly(run) => &**run,
            Self::Chain(run) => &**run,
        }
    }
}

/// One layer of a frame.
#[derive(Clone)]
pub struct Layer {
    /// Which layer it is.
    pub id: LayerId,
    /// What it did, or why it could not be solved; `None` where it is off or has nothing to do.
    pub solved: Option<Result<Solved, String>>,
    /// The pose that it was given.
    pub before: Arc<Vec<RigidTransform>>,
    /// What it took, recording included; nothing without a clock.
    pub times: Times,
}

impl Layer {
    /// As whoever shows it sees it; `None` where there is none.
    pub fn run(&self) -> Option<&dyn Run> {
        self.solved.as_ref()?.as_ref().ok().map(Solved::run)
    }

    /// Why there is none.
    pub fn problem(&self) -> Option<&str> {
        self.solved.as_ref()?.as_ref().err().map(String::as_str)
    }
}

/// A frame: what it was solved from, and what every layer made of it.
#[derive(Clone)]
pub struct Frame {
    /// What it was solved from.
    pub input: Input,
    /// What layers were told: that of the input, with attached targets where their anchors have them.
    pub stack: Arc<Stack>,
    /// How much each foot stood, 0 to 1: the input's, or by its [speed](WeightSource::Speed).
    pub planted: [f32; 2],
    /// Every layer of the stack in its order, those that are off among them.
    pub layers: Vec<Layer>,
    /// After the last layer; model space.
    pub pose: Vec<RigidTransform>,
    /// What this frame leaves to the next.
    pub memory: Memory,
}

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
    asked: Arc<Asked>,
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
        let start = Asked { settings: stack.full_body, pose: pose.clone(), memory: memory.modifiers.clone() };
        let run = ModifierRun::before(stack.modifiers.clone(), moment.clone(), start);
        let modified = run.asked().map(|recording| {
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

impl Default for Frame {
    fn default() -> Self {
        Self::empty()
    }
}

impl Frame {
    /// A frame of no layers.
    pub fn empty() -> Self {
        let input = Input {
            stack: Arc::default(),
            animated: Arc::default(),
            place: Place::default(),
            memory: Memory::default(),
        };
        let stack = Arc::default();
        Self { input, stack, planted: [1.0; 2], layers: Vec::new(), pose: Vec::new(), memory: Memory::default() }
    }

    /// One layer; `None` if the stack has none such.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.id == id)
    }

    /// The run of a layer; `None` where there is none.
    pub fn run(&self, id: LayerId) -> Option<&dyn Run> {
        self.layer(id)?.run()
    }

    /// What its layers took together.
    pub fn times(&self) -> Times {
        self.layers.iter().map(|layer| &layer.times).sum()
    }

    /// The first layer that could not be solved, and why.
    pub fn problem(&self) -> Option<(LayerId, &str)> {
        self.layers.iter().find_map(|layer| Some((layer.id, layer.problem()?)))
    }

    fn solved(&self, id: LayerId) -> Option<&Solved> {
        self.layer(id)?.solved.as_ref()?.as_ref().ok()
    }

    /// The full body's own run, for panes of its own.
    pub fn full_body(&self) -> Option<&BodyRun> {
        match self.solved(LayerId::FullBody)? {
            Solved::FullBody(run) => Some(run),
            _ => None,
        }
    }

    /// The modifiers' own run, before read or after write.
    pub fn modifiers(&self, id: LayerId) -> Option<&ModifierRun> {
        match self.solved(id)? {
            Solved::Modifiers(run) => Some(run),
            _ => None,
        }
    }

    /// What the full body was asked before grounding: the stack's settings, with what modifiers made of them.
    pub fn asked(&self) -> Settings {
        let asked = self.modifiers(LayerId::Modifiers).and_then(ModifierRun::asked);
        asked.map_or(self.stack.full_body, |recording| recording.end().settings)
    }

    /// The run of attached targets.
    pub fn attachments(&self) -> Option<&AttachRun> {
        match self.solved(LayerId::Attachments)? {
            Solved::Attachments(run) => Some(run),
            _ => None,
        }
    }

    /// The animated pose that anchors of attached targets are looked up in: with chains that are solved before the full
    /// body, and without what modifiers turn.
    pub fn anchor_pose(&self) -> &[RigidTransform] {
        let before_body = &self.input.stack.order.before_full_body;
        let is_before = |id: LayerId| matches!(id, LayerId::Chain(index) if before_body.contains(&index));
        self.layers.iter().find(|layer| !is_before(layer.id)).map_or(&self.input.animated.bones, |layer| &layer.before)
    }

    /// Grounding's own run.
    pub fn grounding(&self) -> Option<&GroundRun> {
        match self.solved(LayerId::Grounding)? {
            Solved::Grounding(run) => Some(run),
            _ => None,
        }
    }

    /// The limbs' own run, where they are driven alone.
    pub fn limbs(&self) -> Option<&LimbsRun> {
        match self.solved(LayerId::FullBody)? {
            Solved::Limbs(run) => Some(run),
            _ => None,
        }
    }

    /// A chain's or a lane's own run.
    pub fn chain(&self, id: LayerId) -> Option<&ChainRun> {
        match self.solved(id)? {
            Solved::Chain(run) => Some(run),
            _ => None,
        }
    }

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
                let asked = run.asked_at(at);
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

    /// What grounding asks, with feet held.
    pub fn grounded(&self) -> Option<Output> {
        match self.solved(LayerId::FootLock) {
            Some(Solved::FootLock(run)) => Some(run.output(Cursor::end(&**run))),
            _ => self.grounding().map(|run| run.recording.output),
        }
    }

    /// What modifiers made of the settings, or would have, had they `asked` no more than that.
    fn modified(&self, asked: Option<Asked>) -> Option<Modified> {
        let run = self.modifiers(LayerId::Modifiers)?;
        let recording = run.asked()?;
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
