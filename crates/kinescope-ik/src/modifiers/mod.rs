//! Modifiers: what a game does to a character between the phases of a solve (seed 000, «OnPreUpdate» to «OnPostUpdate»,
//! «OffsetModifier»).
//!
//! | phase | seed 000 | what it may do |
//! |---|---|---|
//! | before read | OnPreUpdate, OnPreRead | add to effectors' offsets, set their targets and weights, turn bones of the animated pose |
//! | before the solve | OnPreSolve | push nodes |
//! | before and after each iteration | OnPreIteration, OnPostIteration | push nodes |
//! | before the bend pass | OnPreBend | push nodes; say how elbows and knees bend |
//! | before write | OnPostSolve | push nodes |
//! | after write | OnPostUpdate | turn and move bones |
//!
//! To move hands, feet or the body for a frame, add to the effector's offset before read: offsets of all modifiers add
//! up, count most where the effector has no position weight, and are gone after the frame. What pushing a node between
//! the stages does, and does not, stands at [`hooks`](crate::full_body::hooks).
//!
//! A modifier is plain settings and a plain [`Memory`] of what went by; [`Modifier`] has those that are built in. A game
//! adds its own by implementing [`Modify`], and calls [`solve`]. All of them are functions of the time that went by, not of
//! the number of frames.
//!
//! ```text
//! animated pose ─► before read ─► grounding ─► read ─► iterations … bend ─► write ─► after write ─► solved pose
//!                  Ask: settings, pose         Pushing: nodes                        Bones: pose
//! ```

mod ages;
mod arm_bending;
mod breathing;
mod draw;
mod explain;
mod figure;
mod four_bones;
mod grip;
mod head;
mod hit_reaction;
mod inertia;
mod keyed;
mod kinds;
mod look_at;
mod program;
mod reach_for;
mod recoil;
mod run;

use glam::{Quat, Vec3};

use crate::chain_ik::TwoBone;
use crate::full_body::hooks::Hooks;
use crate::full_body::{
    Author, Effector, Frame, FullBody, HookedSolve, InputError, Pushing, Settings, Stage, State, Status, Step,
    Workspace,
};
use crate::math::FARTHEST;
use crate::math::{exact_unit, from_to_rotation, nlerp, unit};
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::{self, Flow, GO_ON};

pub use arm_bending::{ArmBending, elbow};
pub use breathing::Breathing;
pub use figure::{Figure, TwistBone};
pub use four_bones::{Fold, FourBones};
pub use grip::{Hold, TwoHandedGrip};
pub use head::{Head, HeadBone};
pub use hit_reaction::{Hit, HitReaction};
pub use inertia::Inertia;
pub use keyed::{Key, Keyed, MOST_KEYS, Track};
pub use kinds::{Kind, Memory, Modifier, Running};
pub use look_at::{Aims, LookAt};
pub use program::{After, Asked, AskedRecording, Before, MOST_MODIFIERS, ModifierHooks, Moment, WrittenRecording};
pub use reach_for::ReachFor;
pub use recoil::Recoil;
pub use run::ModifierRun;

/// What a modifier sees of the frame that it acts in.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The character's bones.
    pub figure: &'a Figure,
    /// Where the character is: from the space of its model to that of the poses.
    pub root: RigidTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Seconds into the clip that plays.
    pub time: f32,
}

impl Seen<'_> {
    /// The way the character faces; unit, in the space of the poses.
    pub fn facing(&self) -> Vec3 {
        self.root.rotation * self.figure.facing
    }

    /// Up, for the character.
    pub fn up(&self) -> Vec3 {
        self.root.rotation * self.figure.up
    }

    /// Seconds that passed; what is no time is none.
    pub fn passed(&self) -> f32 {
        if self.dt.is_finite() { self.dt.max(0.0) } else { 0.0 }
    }
}

/// One thing that a modifier did, outside the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Did {
    /// Added to an effector's one-frame offset; model space.
    Offset {
        /// Whose.
        effector: Effector,
        /// How much.
        by: Vec3,
    },
    /// Set an effector's target.
    Target {
        /// Whose.
        effector: Effector,
        /// Where it drew its node before, or would have drawn it.
        from: Vec3,
        /// Where it draws it now.
        to: Vec3,
        /// Its position weight now.
        weight: f32,
    },
    /// Set an effector's target rotation.
    TargetRotation {
        /// Whose.
        effector: Effector,
        /// What it took before; `None` where nothing was said.
        from: Option<Quat>,
        /// What it takes now.
        to: Quat,
        /// Its rotation weight now.
        weight: f32,
    },
    /// Turned or moved a bone; all that hangs on it went along.
    Bone {
        /// Which.
        bone: BoneIndex,
        /// Where it was.
        from: RigidTransform,
        /// Where it is.
        to: RigidTransform,
    },
}

/// One event of a modifier's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Act {
    /// Whose it is.
    pub author: Author,
    /// What was done.
    pub did: Did,
}

/// The bones of a pose, for whoever may turn them.
pub struct Bones<'a> {
    /// What is seen of the frame.
    pub seen: Seen<'a>,
    author: Author,
    pose: &'a mut [RigidTransform],
    tell: &'a mut dyn FnMut(Act) -> Flow,
    flow: Flow,
}

impl<'a> Bones<'a> {
    /// A pose with at least as many bones as the figure; `tell` hears of every act, and may end them.
    pub fn new(
        seen: Seen<'a>,
        author: Author,
        pose: &'a mut [RigidTransform],
        tell: &'a mut dyn FnMut(Act) -> Flow,
    ) -> Self {
        let flow = if pose.len() < seen.figure.bones() { Flow::Break(()) } else { GO_ON };
        Self { seen, author, pose, tell, flow }
    }

    /// Where a bone is.
    pub fn get(&self, bone: BoneIndex) -> RigidTransform {
        self.pose.get(bone).copied().unwrap_or_default()
    }

    /// Turns a bone about where it is; all that hangs on it goes along. What is no rotation does nothing.
    pub fn turn(&mut self, bone: BoneIndex, by: Quat) {
        let from = self.get(bone);
        self.place(bone, RigidTransform { rotation: by * from.rotation, ..from });
    }

    /// Puts a bone somewhere; all that hangs on it goes along. What is no place does nothing.
    pub fn place(&mut self, bone: BoneIndex, to: RigidTransform) {
        let from = self.get(bone);
        let length = to.rotation.length();
        let is_place = is_sane(to.position) && (0.9..1.1).contains(&length);
        let to = RigidTransform { rotation: exact_unit(to.rotation), ..to };
        if self.flow.is_break() || !is_place || from == to || bone >= self.pose.len() {
            return;
        }
        self.seen.figure.carry(bone, to, self.pose);
        self.tell(Did::Bone { bone, from, to });
    }

    /// Bends a limb in its own plane until its end is where `end` is, or as near as it gets, and turned as that is.
    pub fn bend_limb(&mut self, limb: LimbName, end: RigidTransform) {
        let bones = self.seen.figure.limbs[limb.index()];
        let [p1, p2, p3] = bones.map(|bone| self.get(bone).position);
        if self.get(bones[2]) == end {
            return;
        }
        let two_bone = TwoBone { upper: p1.distance(p2), lower: p2.distance(p3), maximum_stretch: 1.0, soft_zone: 0.0 };
        // Folded onto its root the limb has no direction of its own.
        let along = unit(p3 - p1).or_else(|| unit(end.position - p1));
        if let Some(along) = along.filter(|_| p3 != end.position && two_bone.upper > 0.0 && two_bone.lower > 0.0) {
            let hint = from_to_rotation(along, end.position - p1) * (p2 - p1);
            let [middle, last] = two_bone.solve(p1, end.position, hint, along);
            self.turn(bones[0], from_to_rotation(p2 - p1, middle - p1));
            let [_, p2, p3] = bones.map(|bone| self.get(bone).position);
            self.turn(bones[1], from_to_rotation(p3 - p2, last - p2));
        }
        let position = self.get(bones[2]).position;
        self.place(bones[2], RigidTransform { position, rotation: end.rotation });
    }

    fn tell(&mut self, did: Did) {
        self.flow = (self.tell)(Act { author: self.author, did });
    }
}

/// The settings and the animated pose, before they are read.
pub struct Ask<'a> {
    /// The pose; what is turned here is read turned.
    pub bones: Bones<'a>,
    settings: &'a mut Settings,
}

impl<'a> Ask<'a> {
    /// Of settings and a pose's bones.
    pub fn new(bones: Bones<'a>, settings: &'a mut Settings) -> Self {
        Self { bones, settings }
    }

    /// What is asked of the solve so far.
    pub fn settings(&self) -> &Settings {
        self.settings
    }

    /// What is seen of the frame.
    pub fn seen(&self) -> Seen<'a> {
        self.bones.seen
    }

    /// Where an effector's bone is in the pose.
    pub fn place(&self, effector: Effector) -> Vec3 {
        self.bones.get(self.bones.seen.figure.bone_of(effector)).position
    }

    /// Adds to an effector's one-frame offset. What is not finite, or beyond [`FARTHEST`], does nothing.
    pub fn offset(&mut self, effector: Effector, by: Vec3) {
        let own = &mut self.settings.effector_mut(effector).position_offset;
        let to = *own + by;
        if self.bones.flow.is_break() || to == *own || !is_sane(to) {
            return;
        }
        *own = to;
        self.bones.tell(Did::Offset { effector, by });
    }

    /// [`Self::offset`], and moves the effector's own target along: a position weight does not hold against it.
    pub fn carry(&mut self, effector: Effector, by: Vec3) {
        let own = self.settings.effector(effector);
        let (position, weight) = (own.position.unwrap_or(self.place(effector)), own.position_weight);
        if weight > 0.0 {
            self.target(effector, position + by, weight);
        }
        self.offset(effector, by);
    }

    /// Sets an effector's target and position weight, 0 to 1.
    pub fn target(&mut self, effector: Effector, to: Vec3, weight: f32) {
        let place = self.place(effector);
        let own = self.settings.effector_mut(effector);
        let before = (own.position, own.position_weight);
        let weight = weight.clamp(0.0, 1.0);
        if self.bones.flow.is_break() || !is_sane(to) || weight.is_nan() || before == (Some(to), weight) {
            return;
        }
        let from = own.position.unwrap_or(place + own.position_offset);
        (own.position, own.position_weight) = (Some(to), weight);
        self.bones.tell(Did::Target { effector, from, to, weight });
    }

    /// Draws an effector from where its own settings have it to a target, by `share`: with 0 they stay, with 1 it is on
    /// the target, and in between it is on its way, whatever weight it had.
    pub fn draw(&mut self, effector: Effector, to: Vec3, share: f32) {
        let own = *self.settings.effector(effector);
        let held = match own.position_weight > 0.0 {
            true => own.position.unwrap_or(self.place(effector)).lerp(to, share),
            false => to,
        };
        if share > 0.0 {
            self.target(effector, held, own.position_weight + (1.0 - own.position_weight) * share);
        }
    }

    /// [`Self::draw`], of the rotation of a hand or foot.
    pub fn draw_rotation(&mut self, effector: Effector, to: Quat, share: f32) {
        let own = *self.settings.effector(effector);
        let turned = match (own.rotation_weight > 0.0, own.rotation) {
            (true, Some(own)) => nlerp(own, to, share),
            _ => to,
        };
        if effector.limb().is_some() && share > 0.0 {
            self.target_rotation(effector, turned, own.rotation_weight + (1.0 - own.rotation_weight) * share);
        }
    }

    /// Sets an effector's target rotation and rotation weight, 0 to 1.
    pub fn target_rotation(&mut self, effector: Effector, to: Quat, weight: f32) {
        let own = self.settings.effector_mut(effector);
        let before = (own.rotation, own.rotation_weight);
        let (to, weight) = (exact_unit(to), weight.clamp(0.0, 1.0));
        if self.bones.flow.is_break() || !to.is_finite() || weight.is_nan() || before == (Some(to), weight) {
            return;
        }
        let from = own.rotation.filter(|_| own.rotation_weight > 0.0);
        (own.rotation, own.rotation_weight) = (Some(to), weight);
        self.bones.tell(Did::TargetRotation { effector, from, to, weight });
    }
}

/// Whether a bone or a target can be there.
fn is_sane(place: Vec3) -> bool {
    place.is_finite() && place.abs().max_element() < FARTHEST * 0.25
}

/// Whatever acts at some of a solve's phases. Every phase does nothing unless it says otherwise.
pub trait Modify {
    /// What it is, in a word or two: `recoil`.
    fn name(&self) -> &'static str;

    /// Before the pose and the settings are read. The one phase in which it may change what it remembers: it comes once
    /// for each frame.
    fn before_read(&mut self, _ask: &mut Ask) {}

    /// Whether it pushes nodes there: one of [`Stage::HOOKS`].
    fn pushes_at(&self, _stage: Stage) -> bool {
        false
    }

    /// Pushes nodes, between two stages.
    fn push(&self, _author: Author, _at: Step, _seen: &Seen, _frame: &Frame, _nodes: &mut Pushing) {}

    /// Says how elbows and knees bend, before they do: `frame` is what the bend pass goes by, `state` what it finds.
    fn bend(&self, _seen: &Seen, _state: &State, _frame: &mut Frame) {}

    /// After the pose is written. `asked` is what was asked of the solve in the end.
    fn after_write(&self, _asked: &Settings, _bones: &mut Bones) {}
}

impl<M: Modify + ?Sized> Modify for &mut M {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn before_read(&mut self, ask: &mut Ask) {
        (**self).before_read(ask);
    }

    fn pushes_at(&self, stage: Stage) -> bool {
        (**self).pushes_at(stage)
    }

    fn push(&self, author: Author, at: Step, seen: &Seen, frame: &Frame, nodes: &mut Pushing) {
        (**self).push(author, at, seen, frame, nodes);
    }

    fn bend(&self, seen: &Seen, state: &State, frame: &mut Frame) {
        (**self).bend(seen, state, frame);
    }

    fn after_write(&self, asked: &Settings, bones: &mut Bones) {
        (**self).after_write(asked, bones);
    }
}

/// Modifiers of a frame, as hooks of its solve.
struct Between<'a, M> {
    modifiers: &'a [M],
    seen: Seen<'a>,
}

impl<M: Modify> Hooks for Between<'_, M> {
    fn acts_at(&self, stage: Stage) -> bool {
        self.modifiers.iter().any(|modifier| modifier.pushes_at(stage))
    }

    fn act(&self, at: Step, frame: &Frame, nodes: &mut Pushing) {
        for (index, modifier) in self.modifiers.iter().enumerate().filter(|(_, own)| own.pushes_at(at.stage)) {
            modifier.push(author(index, modifier.name()), at, &self.seen, frame, nodes);
        }
    }

    fn bend(&self, state: &State, frame: &mut Frame) {
        self.modifiers.iter().for_each(|modifier| modifier.bend(&self.seen, state, frame));
    }
}

/// The author of that place in the order.
fn author(index: usize, name: &'static str) -> Author {
    Author { index: u8::try_from(index).unwrap_or(u8::MAX), name }
}

/// One whole solve with modifiers, in their order: before read, between the stages, after write. As
/// [`FullBody::solve`] it allocates nothing, and leaves the pose as it was if it cannot be solved with; settings that
/// modifiers change are theirs for this frame alone. At master weight 0 nothing is solved;
/// modifiers are asked all the same, as time goes on for them, and those that are built in turn nothing.
///
/// For many characters see [`Task::with_modifiers`](crate::many::Task::with_modifiers).
///
/// ```
/// use kinescope_ik::modifiers::{Figure, Modifier, Modify, Recoil, Running, Seen, solve};
/// use kinescope_ik::{FullBody, RigidTransform, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// // Once for each character.
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let figure = Figure::new(&skeleton, &biped, &reference)?;
/// let mut workspace = solver.workspace();
/// let mut recoil = Running::new(Modifier::Recoil(Recoil { kick: 0.1, ..Recoil::default() }));
///
/// // A shot, and the frame after it.
/// recoil.trigger();
/// let (mut settings, mut pose) = (Settings::default(), animated.clone());
/// let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
/// solve(&solver, &mut workspace, &settings, &mut [&mut recoil as &mut dyn Modify], &seen, &mut pose)?;
/// let hand = figure.limbs[1][2];
/// assert!(pose[hand].position.distance(animated[hand].position) > 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`FullBody::solve`].
pub fn solve(
    solver: &FullBody,
    workspace: &mut Workspace,
    settings: &Settings,
    modifiers: &mut [&mut dyn Modify],
    seen: &Seen,
    pose: &mut [RigidTransform],
) -> Result<Status, InputError> {
    let mut asked = *settings;
    // Whoever cannot be solved is not to be turned either.
    solver.check_input(workspace, &asked, pose)?;
    before_read(modifiers, seen, &mut asked, pose);
    let status = solve_asked(solver, workspace, &asked, modifiers, seen, pose)?;
    after_write(modifiers, seen, &asked, pose);
    Ok(status)
}

/// The first part of [`solve`]: what modifiers ask, of settings and a pose that were checked.
pub(crate) fn before_read<M: Modify>(
    modifiers: &mut [M],
    seen: &Seen,
    asked: &mut Settings,
    pose: &mut [RigidTransform],
) {
    let mut tell = |_| GO_ON;
    for (index, modifier) in modifiers.iter_mut().enumerate() {
        let bones = Bones::new(*seen, author(index, modifier.name()), pose, &mut tell);
        modifier.before_read(&mut Ask::new(bones, asked));
    }
}

/// The second part of [`solve`]: the solve of what was asked, with the modifiers between its stages.
pub(crate) fn solve_asked<M: Modify>(
    solver: &FullBody,
    workspace: &mut Workspace,
    asked: &Settings,
    modifiers: &[M],
    seen: &Seen,
    pose: &mut [RigidTransform],
) -> Result<Status, InputError> {
    if asked.solver.weight <= 0.0 {
        return Ok(Status::NothingToDo);
    }
    let (frame, mut state) = solver.read(workspace, asked, pose)?;
    let between = Between { modifiers, seen: *seen };
    stepped::solve(&mut HookedSolve::new(&frame, Some(&between)), &mut state);
    solver.write(workspace, &frame, &state, pose)
}

/// The last part of [`solve`]: what modifiers do to the written pose.
pub(crate) fn after_write<M: Modify>(modifiers: &[M], seen: &Seen, asked: &Settings, pose: &mut [RigidTransform]) {
    let mut tell = |_| GO_ON;
    for (index, modifier) in modifiers.iter().enumerate() {
        let mut bones = Bones::new(*seen, author(index, modifier.name()), pose, &mut tell);
        modifier.after_write(asked, &mut bones);
    }
}
