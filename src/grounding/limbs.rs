//! Grounding without the full body, as a program of steps: the pelvis's offset, then each limb alone, in closed form or
//! by an iterating solver for chains ([`LimbSettings`]).
//!
//! An iterating solver moves a limb's joints freely. Its passes are steps of their own; the limb's last step then turns
//! the middle joint about the limb's line to the side on which it is to bend, which leaves the end where it is.

use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::explain_limbs;
use super::legs::at;
use crate::chain_ik::{self, Chain, Goal, Problem, Solver, State, TwoBone, Workspace};
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::InputError;
use crate::full_body::input::is_solved;
use crate::full_body::{Effector, Node};
use crate::key::label;
use crate::math::turn_of;
use crate::math::{look_rotation, nlerp, ortho_normalize, unit};
use crate::notation::Sheet;
use crate::parameter::{Parameters, settings};
use crate::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, PointView, Rod, Run, Shown, StepView, Tint, Unit,
};
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

settings! {
    /// How limbs are solved that grounding drives alone: `grounding.limbs` of a preset.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LimbSettings {
        /// Which solver takes a limb's end to its target.
        solver: Solver = Solver::TwoBone;
        /// An iterating solver is done when the limb's end is this near to its target.
        tolerance: f32 = 1e-4, from 0 to 1 usually 0.01 in ModelUnits,
            too little: "Iterations that nobody sees.",
            too much: "Feet stop short of their ground, and jump as they stop here and there.";
        /// The most iterations of an iterating solver on one limb.
        max_iterations: u32 = 15, from 0 to 1000 usually 50 in Count,
            too little: "Feet do not get to their ground; 0 leaves the limb as animated.",
            too much: "Targets out of reach cost their time.";
    }
}

impl LimbSettings {
    /// Every number in its range, what is not a number at its default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }

    /// Those of the chain that a limb is to an iterating solver. Rotations follow from the joints, by the limb's hinge.
    fn of_chain(&self) -> chain_ik::Settings {
        let Self { solver, tolerance, max_iterations } = self.clamped();
        chain_ik::Settings { solver, tolerance, max_iterations, rotations: false, ..chain_ik::Settings::default() }
    }
}

/// Buffers of iterating solvers on limbs. Reuse it: then solving allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct LimbWorkspace {
    chain: Option<Chain>,
    state: State,
    solver: Workspace,
}

impl LimbWorkspace {
    /// The limb as a chain, at rest as the pelvis carried it; `None` for a limb with a bone of no length.
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
    /// Everything.
    Pelvis,
    /// One limb's joints, by a step of its iterating solver: by its place in the limb's solve, and what it does.
    Pass(LimbName, u32, chain_ik::Step),
    /// One limb is bent to its target.
    Limb(LimbName),
}

impl Stage {
    /// As in logs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Pass(_, _, step) => step.stage.key(),
            Self::Limb(limb) => ["left_arm", "right_arm", "left_leg", "right_leg"][limb as usize],
        }
    }

    /// What it does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Pelvis => "The whole pose moves with the pelvis: down with the lower foot, up with the higher one.",
            Self::Pass(_, _, step) => step.stage.sentence(),
            Self::Limb(_) => "Two bones and the target make a triangle: the limb is bent and swung to it at once.",
        }
    }

    fn limb(self) -> Option<LimbName> {
        match self {
            Self::Pelvis => None,
            Self::Pass(limb, ..) | Self::Limb(limb) => Some(limb),
        }
    }
}

/// One bone, with all that hangs on it, moved once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The bone that moved; all below it came along.
    pub bone: BoneIndex,
    /// The step that moved it.
    pub stage: Stage,
    /// Where it was; model space.
    pub from: RigidTransform,
    /// Where it is then; model space.
    pub to: RigidTransform,
}

/// What one limb is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimbGoal {
    /// First, second and last bone.
    pub bones: [BoneIndex; 3],
    /// Where the limb's end is drawn to, by its weight.
    pub target: Vec3,
    /// How much the target counts, 0 to 1.
    pub weight: f32,
    /// Lengths of both bones.
    pub lengths: [f32; 2],
    /// Where the limb begins.
    pub begin: Vec3,
    /// Towards its end as animated; unit, or zero of a limb without length.
    pub along: Vec3,
    /// The way its middle joint is to bend.
    pub hint: Vec3,
    /// The three bones where the pelvis carried them.
    pub carried: [RigidTransform; 3],
    /// On which side of `along` the middle joint is as animated, a limb that is straight or bent the wrong way as in the
    /// reference pose; unit.
    pub side: Vec3,
    /// What the last bone turns to after it was turned with the second, and how far, 0 to 1, one after the other.
    pub end_rotations: [(Quat, f32); 2],
    /// Where the three bones come to be.
    pub bent: [RigidTransform; 3],
}

impl LimbGoal {
    /// Whether both bones have a length, and the limb a direction.
    fn has_length(&self) -> bool {
        self.lengths[0] > 0.0 && self.lengths[1] > 0.0 && self.along != Vec3::ZERO
    }

    /// Joints where the pelvis carried them.
    fn joints(&self) -> [Vec3; 3] {
        self.carried.map(|bone| bone.position)
    }

    /// Bends the limb by the closed form.
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

    /// Bends the limb by where an iterating solver left its joints.
    fn bend_as_solved(&mut self, joints: &[Vec3]) {
        if let (&[begin, middle, end], true) = (joints, self.has_length()) {
            self.bent = self.placed([begin, self.sided([begin, middle, end]), end], self.hint);
        }
    }

    /// The middle joint, turned about the line from the limb's beginning to its end to the side on which it is to bend.
    pub(super) fn sided(&self, [begin, middle, end]: [Vec3; 3]) -> Vec3 {
        let line = unit(end - begin).unwrap_or(self.along);
        let along = line * (middle - begin).dot(line);
        begin + along + ortho_normalize(line, self.hint) * (middle - begin - along).length()
    }

    /// Where joints as a pass left them have the bones: bent to whichever side they are.
    fn passed(&self, joints: &[Vec3]) -> [RigidTransform; 3] {
        let (&[begin, middle, end], true) = (joints, self.has_length()) else { return self.carried };
        let line = unit(end - begin).unwrap_or(self.along);
        let aside = (middle - begin) - line * (middle - begin).dot(line);
        let is_bent = aside.length() > 1e-4 * (self.lengths[0] + self.lengths[1]);
        self.placed([begin, middle, end], if is_bent { aside } else { self.hint })
    }

    /// The bones for those joints, the middle one on the side of `hint`: turned about the hinge, which every bone of the
    /// limb is at right angles to, however far it is bent.
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

/// A frame of limbs: all that its steps go by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// What the pelvis moves everything by.
    pub offset: Vec3,
    /// The pelvis bone.
    pub pelvis: BoneIndex,
    /// In the order of [`LimbName::ALL`].
    pub limbs: [LimbGoal; 4],
}

impl Frame {
    /// # Errors
    /// [`InputError::State`] if a bone came out as none.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let is_sound = self.limbs.iter().flat_map(|limb| &limb.bent).all(is_solved);
        if is_sound { Ok(()) } else { Err(InputError::State) }
    }

    /// Solves every limb by the solver of those settings, from where the pelvis carried it: [`LimbGoal::bent`]. A limb
    /// with a bone of no length stays as it is.
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
            // The chain and its state are in the same workspace.
            let LimbWorkspace { chain: Some(chain), state, solver } = &mut *workspace else { continue };
            state.copy_from(chain.rest());
            let problem = Problem { chain, settings: &own, goals: &goals };
            if chain_ik::solve(&problem, state, solver).is_ok() {
                limb.bend_as_solved(&state.positions);
            }
        }
    }

    /// Poses the character: moves it with the pelvis, then puts every limb where it comes to be. `before` is a buffer.
    pub fn apply(&self, skeleton: &Skeleton, before: &mut Vec<RigidTransform>, pose: &mut Vec<RigidTransform>) {
        before.clear();
        before.extend(pose.iter().map(|bone| RigidTransform { position: bone.position + self.offset, ..*bone }));
        stepped::solve(&mut Solve::new(self, skeleton, before), pose);
    }

    /// Puts the first bones of a limb at `own`, those of the limbs before it being where they come to be already;
    /// everything below goes along. `before` is the pose that the pelvis moved.
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
                // A pass may have moved it along, and the next one may have taken that back.
                (None, None) => pose[bone] = before[bone],
            }
        }
    }
}

/// The solve of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    frame: &'a Frame,
    skeleton: &'a Skeleton,
    /// The pose that the pelvis moved.
    before: &'a [RigidTransform],
    /// How an iterating solver solved each limb; none in the closed form, and where only the end counts.
    passes: &'a Passes,
    next: usize,
}

/// How each limb was solved, step by step.
type Passes = [Option<chain_ik::Recording>; 4];

impl<'a> Solve<'a> {
    /// From the first step on, without passes; `before` is the animated pose moved by the frame's offset.
    pub fn new(frame: &'a Frame, skeleton: &'a Skeleton, before: &'a [RigidTransform]) -> Self {
        const NONE: &Passes = &[None, None, None, None];
        Self { frame, skeleton, before, passes: NONE, next: 0 }
    }

    /// The step of that place.
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
        // After passes the bones that come later are where those left them.
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

    /// A step of a limb's iterating solver: an event for each move of it.
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

/// The limbs of a frame, recorded.
#[derive(Clone, Debug)]
pub struct LimbsRun {
    /// What the limbs were asked for.
    pub frame: Frame,
    /// The character's bones.
    pub skeleton: Arc<Skeleton>,
    /// How they were solved.
    pub settings: LimbSettings,
    before: Vec<RigidTransform>,
    passes: Box<Passes>,
    recording: stepped::Recording<Stage, Vec<RigidTransform>, Move>,
}

impl LimbsRun {
    /// Solves `pose` by the closed form, keeping every state and move.
    pub fn record(frame: Frame, skeleton: Arc<Skeleton>, pose: &mut Vec<RigidTransform>) -> Self {
        Self::record_by(&LimbSettings::default(), frame, skeleton, pose)
    }

    /// Solves `pose` as [`Frame::solve_by`] does, keeping every state and move.
    pub fn record_by(
        settings: &LimbSettings,
        mut frame: Frame,
        skeleton: Arc<Skeleton>,
        pose: &mut Vec<RigidTransform>,
    ) -> Self {
        let own = settings.of_chain();
        let passes = frame.limbs.each_mut().map(|limb| {
            limb.close();
            let chain = Chain::from_positions(&limb.joints()).ok();
            let chain = chain.filter(|_| own.solver.iterates() && limb.has_length())?;
            let goals = [Goal::end(&chain, limb.target)];
            let passes = chain_ik::Recording::record(&chain, &own, &goals, chain.rest()).ok()?;
            limb.bend_as_solved(&passes.solve.end().positions);
            Some(passes)
        });
        let moved = |bone: &RigidTransform| RigidTransform { position: bone.position + frame.offset, ..*bone };
        let before: Vec<RigidTransform> = pose.iter().map(moved).collect();
        let mut recording = stepped::Recording::default();
        recording.record(&mut Solve { passes: &passes, ..Solve::new(&frame, &skeleton, &before) }, pose);
        Self { frame, skeleton, settings: settings.clamped(), before, passes: Box::new(passes), recording }
    }

    /// The outcome of a limb's iterating solver; `None` for the closed form.
    pub fn outcome(&self, limb: LimbName) -> Option<chain_ik::Outcome> {
        self.passes[limb.index()].as_ref().map(|passes| passes.outcome)
    }

    fn state(&self, at: Cursor) -> Vec<RigidTransform> {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let solve = Solve::new(&self.frame, &self.skeleton, &self.before);
        let mut solve = Solve { passes: &self.passes, ..solve };
        let state = self.recording.state_within(&mut solve, at.step, count);
        state.unwrap_or_else(|| self.recording.end().clone())
    }

    fn moved(&self, step: usize, event: usize) -> Option<&Move> {
        self.recording.events_of(step).get(event)
    }

    fn of_pose(&self, pose: &[RigidTransform]) -> Vec<Vec3> {
        let limbs = self.frame.limbs.iter().flat_map(|limb| limb.bones);
        std::iter::once(self.frame.pelvis).chain(limbs).map(|bone| at(pose, bone).position).collect()
    }
}

/// What the last step of a limb does after an iterating solver's passes.
const SIDED: &str = "The middle joint turns about the limb's line to the side on which it bends, which leaves the end where it \
                     is; the bones' rotations follow.";

fn tint(limb: Option<LimbName>) -> Tint {
    Tint::Node(limb.map_or(Node::Body, |limb| Node::of_limb(limb)[0]))
}

impl Run for LimbsRun {
    fn steps(&self) -> usize {
        self.recording.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let stage = self.recording.steps[step].step;
        let next = self.recording.steps.get(step + 1).map(|next| next.step);
        let name = label(stage.key());
        let (iteration, name, short, sentence, is_end) = match stage {
            Stage::Pelvis => (None, name.clone(), name, stage.sentence(), false),
            Stage::Limb(limb) => {
                let sentence = match self.passes[limb.index()].is_some() {
                    true => SIDED,
                    false => stage.sentence(),
                };
                (None, name.clone(), name, sentence, next.is_none())
            }
            Stage::Pass(limb, _, pass) => {
                let goes_on = matches!(next, Some(Stage::Pass(_, _, next)) if next.iteration == pass.iteration);
                let short = pass.stage.short().to_owned();
                (pass.iteration, format!("{name}, {}", limb.label()), short, stage.sentence(), !goes_on)
            }
        };
        StepView { iteration, key: stage.key(), name, short, sentence, is_end }
    }

    fn events(&self, step: usize) -> usize {
        self.recording.events_of(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(moved) = self.moved(step, event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let distance = moved.from.position.distance(moved.to.position);
        let turn = turn_of(moved.to.rotation * moved.from.rotation.conjugate());
        let name = self.skeleton.bones().get(moved.bone).map_or("", |bone| bone.name.as_str());
        let mut text = format!("{name} {}", length(distance));
        if let Some((axis, angle)) = turn {
            let [x, y, z] = axis.to_array();
            text += &format!(", turns {:.2}° about [{x:.2}, {y:.2}, {z:.2}]", angle.to_degrees());
        }
        let size = distance + 0.5 * turn.map_or(0.0, |(_, angle)| angle);
        EventView { tint: tint(moved.stage.limb()), size, text }
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let Some(moved) = self.moved(step, event) else { return CauseView::default() };
        let chain = moved.stage.limb().map_or_else(|| label(moved.stage.key()), |limb| limb.label().to_owned());
        let what = match moved.stage {
            Stage::Pelvis => "pelvis offset".to_owned(),
            Stage::Pass(limb, _, pass) => format!("{}, {}", label(pass.stage.key()), limb.label()),
            Stage::Limb(limb) if self.passes[limb.index()].is_some() => format!("side of {}", limb.joint_label()),
            Stage::Limb(limb) => format!("two bones, {}", limb.label()),
        };
        CauseView { label: what, chain, tint: tint(moved.stage.limb()) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        let moved = self.moved(step, event)?;
        let passes = moved.stage.limb().and_then(|limb| self.passes[limb.index()].as_ref());
        match (moved.stage, passes) {
            (Stage::Pass(_, at, _), Some(passes)) => chain_ik::explain::formula(passes, at as usize, event),
            (Stage::Limb(limb), Some(passes)) => {
                explain_limbs::sided(&self.frame, moved, limb, &passes.solve.end().positions)
            }
            _ => explain_limbs::formula(&self.frame, moved),
        }
    }

    fn measures(&self) -> Vec<MeasureView> {
        let error = |limb: LimbName| {
            let effector = Effector::END[limb.index()];
            MeasureView {
                key: format!("{}_error", effector.key()),
                label: format!("{} error", label(effector.key())),
                unit: Unit::Length,
                family: "error",
                tint: tint(Some(limb)),
                is_error: true,
            }
        };
        LimbName::ALL.map(error).into()
    }

    fn measure(&self, measure: usize, at_cursor: Cursor) -> f32 {
        let Some(limb) = self.frame.limbs.get(measure) else { return 0.0 };
        at(&self.state(at_cursor), limb.bones[2]).position.distance(limb.target)
    }

    fn points(&self) -> Vec<PointView> {
        let point = |key: &str, tint: Tint, bone: BoneIndex| PointView {
            key: key.to_owned(),
            label: label(key),
            tint,
            bone: Some(bone),
        };
        let nodes = LimbName::ALL.into_iter().flat_map(Node::of_limb);
        let bones = self.frame.limbs.iter().flat_map(|limb| limb.bones);
        let of_limbs = nodes.zip(bones).map(|(node, bone)| point(node.key(), Tint::Node(node), bone));
        std::iter::once(point("pelvis", tint(None), self.frame.pelvis)).chain(of_limbs).collect()
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        self.of_pose(&self.state(at))
    }

    fn start(&self) -> Vec<Vec3> {
        self.of_pose(&self.recording.start)
    }

    fn hinges(&self) -> Vec<Hinge> {
        let hinge = |limb: LimbName| {
            let first = 1 + 3 * limb.index();
            let [joint, root] = [limb.joint_label(), limb.root_label()].map(str::to_owned);
            Hinge { label: joint, root, points: [first, first + 1, first + 2] }
        };
        LimbName::ALL.map(hinge).into()
    }

    fn rods(&self) -> Vec<Rod> {
        let rods = LimbName::ALL.into_iter().flat_map(|limb| {
            let first = 1 + 3 * limb.index();
            let lengths = self.frame.limbs[limb.index()].lengths;
            [0, 1].map(|bone| Rod {
                label: label(Node::of_limb(limb)[bone].key()),
                points: [first + bone, first + bone + 1],
                length: lengths[bone],
            })
        });
        rods.collect()
    }

    fn goals(&self) -> Vec<GoalView> {
        let goal = |limb: LimbName| {
            let own = &self.frame.limbs[limb.index()];
            let first = 1 + 3 * limb.index();
            let two_bone =
                TwoBone { upper: own.lengths[0], lower: own.lengths[1], maximum_stretch: 1.0, soft_zone: 0.0 };
            let key = Effector::END[limb.index()].key();
            GoalView {
                key: key.to_owned(),
                label: label(key),
                tint: tint(Some(limb)),
                weight: own.weight,
                point: first + 2,
                root: first,
                bone: Some(own.bones[2]),
                place: own.target,
                reach: two_bone.reached(f32::MAX),
                error: format!("{} error", label(key)),
            }
        };
        LimbName::ALL.map(goal).into()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        pose.copy_from_slice(&self.state(at));
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let draw = |places: &[Vec3], ghost: bool, out: &mut dyn DebugDraw| {
            for limb in LimbName::ALL {
                let subject = if ghost { Subject::GhostBone(limb) } else { Subject::LimbBone(limb) };
                let first = 1 + 3 * limb.index();
                out.line(places[first], places[first + 1], subject);
                out.line(places[first + 1], places[first + 2], subject);
            }
        };
        let places = self.places(at);
        if shown.layers.bones {
            draw(&places, false, out);
        }
        if shown.before {
            let before = at.before().map_or_else(|| self.start(), |before| self.places(before));
            draw(&before, true, out);
        }
    }
}
