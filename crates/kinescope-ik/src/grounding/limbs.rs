//! Grounding without the full-body solver, as a program of steps: applies the pelvis's offset, then solves each limb
//! alone, in closed form or by an iterating chain solver ([`LimbSettings`]).
//!
//! An iterating solver does not keep the side to which a limb bends. The limb's last step therefore turns the middle
//! joint about the limb's line to that side; the end stays in place. A [`LimbsRun`](super::LimbsRun) also has a step
//! for each pass of the iterating solver.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::chain_ik::{self, Chain, Goal, Problem, Solver, State, TwoBone, Workspace};
use crate::full_body::InputError;
use crate::full_body::input::is_solved;
use crate::math::{look_rotation, nlerp, ortho_normalize, unit};
use crate::parameter::{Parameters, settings};
use crate::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

settings! {
    /// Settings of limbs that grounding solves alone: `grounding.limbs` in a preset.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LimbSettings {
        /// Solver of the limbs.
        solver: Solver = Solver::TwoBone;
        /// Distance from the target within which the end has arrived.
        tolerance: f32 = 1e-4, from 0 to 1 usually 0.01 in ModelUnits,
            too little: "Costs iterations without a visible gain.",
            too much: "Feet stop short of their ground, and jump between frames.";
        /// Largest number of iterations on one limb.
        max_iterations: u32 = 15, from 0 to 1000 usually 50 in Count,
            too little: "Feet do not reach their ground; at 0 limbs bend as animated.",
            too much: "Targets that are hard to reach take long.";
    }
}

impl LimbSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }

    /// Returns the settings of a limb's chain. The chain solver computes no rotations, because [`LimbGoal::placed`]
    /// computes them from the joints.
    pub(super) fn of_chain(&self) -> chain_ik::Settings {
        let Self { solver, tolerance, max_iterations } = self.clamped();
        chain_ik::Settings { solver, tolerance, max_iterations, rotations: false, ..chain_ik::Settings::default() }
    }
}

/// Buffers of iterating solvers. Reusing them avoids allocation.
#[derive(Clone, Debug, Default)]
pub struct LimbWorkspace {
    chain: Option<Chain>,
    state: State,
    solver: Workspace,
}

impl LimbWorkspace {
    fn chain(&mut self, joints: &[Vec3; 3]) -> Option<&Chain> {
        if self.chain.as_mut().is_some_and(|chain| chain.lay_through(joints)) {
            return self.chain.as_ref();
        }
        self.chain = Chain::from_positions(joints).ok();
        self.chain.as_ref()
    }
}

/// What a step moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The whole pose, by the pelvis's offset.
    Pelvis,
    /// One limb's joints, by a pass of its iterating solver; with the index of the pass in that solve.
    Pass(LimbName, u32, chain_ik::Step),
    /// One limb, to its target.
    Limb(LimbName),
}

impl Stage {
    /// Returns the key, in snake_case.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Pass(_, _, step) => step.stage.key(),
            Self::Limb(limb) => limb.key(),
        }
    }

    /// Returns a sentence for tooltips.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Pelvis => "Moves the whole pose by the offset that grounding gives the pelvis.",
            Self::Pass(_, _, step) => step.stage.sentence(),
            Self::Limb(_) => "Two bones and the target form a triangle: bends the limb and swings it to the target.",
        }
    }

    pub(super) fn limb(self) -> Option<LimbName> {
        match self {
            Self::Pelvis => None,
            Self::Pass(limb, ..) | Self::Limb(limb) => Some(limb),
        }
    }
}

/// One move of a bone with its descendants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Index of the bone.
    pub bone: BoneIndex,
    /// The step that moved the bone.
    pub stage: Stage,
    /// Transform before; world space.
    pub from: RigidTransform,
    /// Transform after; world space.
    pub to: RigidTransform,
}

/// Goal and solution of one limb; world space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbGoal {
    /// First, second and last bone.
    pub bones: [BoneIndex; 3],
    /// Target of the limb's end, blended by its weight with the end as the pelvis carried it.
    pub target: Vec3,
    /// Weight of the target, 0 to 1.
    pub weight: f32,
    /// Lengths of both bones.
    pub lengths: [f32; 2],
    /// Position of the limb's first bone.
    pub begin: Vec3,
    /// Direction from the first bone to the end as animated; unit. Zero for a limb without length: with a bone of zero
    /// length or coinciding ends.
    pub along: Vec3,
    /// Direction in which the middle joint bends, of any length; zero for a limb without length.
    pub hint: Vec3,
    /// The three bones as the pelvis carried them.
    pub carried: [RigidTransform; 3],
    /// Direction from the limb's line to the middle joint as animated, mirrored if the limb is bent the wrong way; for
    /// a straight limb, as in the reference pose. Unit, orthogonal to `along`, or zero for a limb without length.
    pub side: Vec3,
    /// Rotations that the last bone turns to, one after the other, with their weights, 0 to 1.
    pub end_rotations: [(Quat, f32); 2],
    /// The three bones as solved.
    pub bent: [RigidTransform; 3],
}

impl LimbGoal {
    pub(super) fn has_length(&self) -> bool {
        self.lengths[0] > 0.0 && self.lengths[1] > 0.0 && self.along != Vec3::ZERO
    }

    pub(super) fn joints(&self) -> [Vec3; 3] {
        self.carried.map(|bone| bone.position)
    }

    /// Solves the limb in closed form. A limb without length keeps its joints; only its last bone turns.
    pub(super) fn close(&mut self) {
        let [upper, lower] = self.lengths;
        let two_bone = TwoBone { upper, lower, maximum_stretch: 1.0, soft_zone: 0.0 };
        self.bent = match self.has_length() {
            true => {
                let [middle, end] = two_bone.solve(self.begin, self.target, self.hint, self.along);
                self.placed([self.begin, middle, end], self.hint)
            }
            false => self.turned_at_its_end(self.carried),
        };
    }

    /// Bends the limb to the joints of an iterating solver; a limb without length stays as it is.
    pub(super) fn bend_as_solved(&mut self, joints: &[Vec3]) {
        if let (&[begin, middle, end], true) = (joints, self.has_length()) {
            self.bent = self.placed([begin, self.sided([begin, middle, end]), end], self.hint);
        }
    }

    /// Returns the middle joint, turned about the limb's line to the side of [`Self::hint`].
    pub(super) fn sided(&self, [begin, middle, end]: [Vec3; 3]) -> Vec3 {
        let line = unit(end - begin).unwrap_or(self.along);
        let along = line * (middle - begin).dot(line);
        begin + along + ortho_normalize(line, self.hint) * (middle - begin - along).length()
    }

    /// Returns the bones for joints after a pass, bent to the side of the middle joint; if the joints are in line, to
    /// that of the hint.
    fn passed(&self, joints: &[Vec3]) -> [RigidTransform; 3] {
        let (&[begin, middle, end], true) = (joints, self.has_length()) else { return self.carried };
        let line = unit(end - begin).unwrap_or(self.along);
        let aside = (middle - begin) - line * (middle - begin).dot(line);
        let is_bent = aside.length() > 1e-4 * (self.lengths[0] + self.lengths[1]);
        self.placed([begin, middle, end], if is_bent { aside } else { self.hint })
    }

    /// Returns the bones for joints, with the middle joint on the side of `hint`. The turn of each bone also turns the
    /// hinge, the normal of the limb's plane, to that of the joints' plane.
    fn placed(&self, [begin, middle, end]: [Vec3; 3], hint: Vec3) -> [RigidTransform; 3] {
        let [p1, p2, p3] = self.joints();
        let after = unit(end - begin).unwrap_or(self.along);
        let [hinge, turned_hinge] = [self.along.cross(self.side), after.cross(ortho_normalize(after, hint))];
        let turn = |from: Vec3, to: Vec3| look_rotation(to, turned_hinge) * look_rotation(from, hinge).conjugate();
        let (upper, lower) = (turn(p2 - p1, middle - begin), turn(p3 - p2, end - middle));
        self.turned_at_its_end([
            RigidTransform { position: begin, rotation: (upper * self.carried[0].rotation).normalize() },
            RigidTransform { position: middle, rotation: (lower * self.carried[1].rotation).normalize() },
            RigidTransform { position: end, rotation: (lower * self.carried[2].rotation).normalize() },
        ])
    }

    fn turned_at_its_end(&self, mut bones: [RigidTransform; 3]) -> [RigidTransform; 3] {
        for (rotation, by) in self.end_rotations {
            bones[2].rotation = nlerp(bones[2].rotation, rotation, by);
        }
        bones
    }
}

/// Input of the steps of a frame, with the solved limbs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Offset of the pelvis, which moves the whole pose; world space, metres.
    pub offset: Vec3,
    /// The pelvis bone.
    pub pelvis: BoneIndex,
    /// Goals of the limbs, in the order of [`LimbName::ALL`].
    pub limbs: [LimbGoal; 4],
}

impl Frame {
    pub(super) fn check(&self) -> Result<(), InputError> {
        let is_sound = self.limbs.iter().flat_map(|limb| &limb.bent).all(is_solved);
        if is_sound { Ok(()) } else { Err(InputError::State) }
    }

    /// Solves every limb with the given settings, from where the pelvis carried it, into [`LimbGoal::bent`]. A limb
    /// with a bone of zero length, or whose ends coincide, keeps its joints; only its last bone turns. A limb that the
    /// iterating solver rejects is solved in closed form.
    pub fn solve_by(&mut self, settings: &LimbSettings, workspace: &mut LimbWorkspace) {
        let own = settings.of_chain();
        for limb in &mut self.limbs {
            limb.close();
            if !own.solver.iterates() || !limb.has_length() {
                continue;
            }
            let (joints, target) = (limb.joints(), limb.target);
            let Some(chain) = workspace.chain(&joints) else { continue };
            let goals = [Goal::end(chain, target)];
            // Takes the chain from the workspace again: the method `chain` borrows the whole workspace, and the solver
            // needs its other fields.
            let LimbWorkspace { chain: Some(chain), state, solver } = &mut *workspace else { continue };
            state.copy_from(chain.rest());
            let problem = Problem { chain, settings: &own, goals: &goals };
            if chain_ik::solve(&problem, state, solver).is_ok() {
                limb.bend_as_solved(&state.positions);
            }
        }
    }

    /// Poses the character: moves it with the pelvis, then sets the solved limbs. `before` is a scratch buffer.
    pub fn apply(&self, skeleton: &Skeleton, before: &mut Vec<RigidTransform>, pose: &mut Vec<RigidTransform>) {
        before.clear();
        before.extend(pose.iter().map(|bone| RigidTransform { position: bone.position + self.offset, ..*bone }));
        stepped::solve(&mut Solve::new(self, skeleton, before), pose);
    }

    /// Sets the first bones of a limb to `own`, given the solved limbs before it; descendants follow. `before` is the
    /// animated pose, moved with the pelvis.
    fn lay(
        &self,
        skeleton: &Skeleton,
        limb: LimbName,
        own: &[RigidTransform],
        before: &[RigidTransform],
        pose: &mut [RigidTransform],
    ) {
        let (done, current) = self.limbs[..=limb.index()].split_at(limb.index());
        let places = || {
            let done = done.iter().flat_map(|limb| limb.bones.iter().zip(&limb.bent));
            done.chain(current.iter().flat_map(|limb| limb.bones.iter().zip(own)))
        };
        let first = current[0].bones.into_iter().min().unwrap_or(0);
        for bone in first..skeleton.len() {
            let own = places().find(|(own, _)| **own == bone);
            let parent = skeleton.parent(bone).filter(|&parent| pose[parent] != before[parent]);
            match (own, parent) {
                (Some((_, bent)), _) => pose[bone] = *bent,
                (None, Some(parent)) => pose[bone] = pose[parent].transform(&before[parent].to_local(&before[bone])),
                // An earlier step may have moved this bone; this step puts it back to where the pelvis carried it.
                (None, None) => pose[bone] = before[bone],
            }
        }
    }
}

/// Solve of a frame, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    pub(super) frame: &'a Frame,
    pub(super) skeleton: &'a Skeleton,
    pub(super) before: &'a [RigidTransform],
    /// Passes of iterating solvers; none in closed form, or if only the result is needed.
    pub(super) passes: &'a Passes,
    pub(super) next: usize,
}

/// Recording of each limb's iterating solver; `None` for a limb that keeps the closed form.
pub(super) type Passes = [Option<chain_ik::Recording>; 4];

impl<'a> Solve<'a> {
    /// Starts at the first step, without passes. `before` is the animated pose moved by the frame's offset.
    pub fn new(frame: &'a Frame, skeleton: &'a Skeleton, before: &'a [RigidTransform]) -> Self {
        const NONE: &Passes = &[None, None, None, None];
        Self { frame, skeleton, before, passes: NONE, next: 0 }
    }

    fn stage_at(&self, index: usize) -> Option<Stage> {
        let Some(mut at) = index.checked_sub(1) else { return Some(Stage::Pelvis) };
        for limb in LimbName::ALL {
            let passes = self.passes[limb.index()].as_ref().map_or(&[][..], |passes| &passes.solve.steps);
            if let Some(pass) = passes.get(at) {
                return Some(Stage::Pass(limb, at as u32, pass.step));
            }
            at -= passes.len();
            if at == 0 {
                return Some(Stage::Limb(limb));
            }
            at -= 1;
        }
        None
    }

    fn lay(&self, limb: LimbName, own: &[RigidTransform], pose: &mut [RigidTransform]) {
        self.frame.lay(self.skeleton, limb, own, self.before, pose);
    }

    fn moves<W: Watch<Move>>(&self, pose: &mut [RigidTransform], limb: LimbName, watch: &mut W) -> Flow {
        let goal = &self.frame.limbs[limb.index()];
        if !W::LISTENS {
            self.lay(limb, &goal.bent, pose);
            return GO_ON;
        }
        // The bones after `index` stay where the solver's passes left them, until their own move.
        let passed = self.passes[limb.index()].as_ref().map(|passes| goal.passed(&passes.solve.end().positions));
        for (index, bone) in goal.bones.into_iter().enumerate() {
            let from = pose[bone];
            match passed {
                Some(mut own) => {
                    own[..=index].copy_from_slice(&goal.bent[..=index]);
                    self.lay(limb, &own, pose);
                }
                None => self.lay(limb, &goal.bent[..=index], pose),
            }
            if from != pose[bone] {
                watch.saw(Move { bone, stage: Stage::Limb(limb), from, to: pose[bone] })?;
            }
        }
        GO_ON
    }

    fn pass<W: Watch<Move>>(&self, pose: &mut [RigidTransform], stage: Stage, watch: &mut W) -> Flow {
        let Stage::Pass(limb, at, _) = stage else { return GO_ON };
        let (goal, at) = (&self.frame.limbs[limb.index()], at as usize);
        let Some(passes) = &self.passes[limb.index()] else { return GO_ON };
        if W::LISTENS {
            for (index, moved) in passes.solve.events_of(at).iter().enumerate() {
                let Some(state) = passes.state_within(at, index + 1) else { continue };
                let bone = goal.bones[moved.joint.min(2)];
                let from = pose[bone];
                self.lay(limb, &goal.passed(&state.positions), pose);
                watch.saw(Move { bone, stage, from, to: pose[bone] })?;
            }
        }
        if let Some(recorded) = passes.solve.steps.get(at) {
            self.lay(limb, &goal.passed(&recorded.state.positions), pose);
        }
        GO_ON
    }
}

impl Stepped for Solve<'_> {
    type Step = Stage;
    type State = Vec<RigidTransform>;
    type Event = Move;

    fn next(&mut self, _: &Vec<RigidTransform>) -> Option<Stage> {
        self.next += 1;
        self.stage_at(self.next - 1)
    }

    fn run(&mut self, pose: &mut Vec<RigidTransform>, stage: Stage, watch: &mut impl Watch<Move>) -> Flow {
        match stage {
            Stage::Limb(limb) => self.moves(pose, limb, watch),
            Stage::Pass(..) => self.pass(pose, stage, watch),
            Stage::Pelvis => {
                let bone = self.frame.pelvis;
                let from = at(pose, bone);
                pose.copy_from_slice(self.before);
                let to = at(pose, bone);
                if from == to { GO_ON } else { watch.saw(Move { bone, stage, from, to }) }
            }
        }
    }
}

pub(super) fn at(pose: &[RigidTransform], bone: BoneIndex) -> RigidTransform {
    pose.get(bone).copied().unwrap_or(RigidTransform::IDENTITY)
}
