//! Grounding without the full body, as a program of steps: the pelvis's offset, then each limb alone in closed form.

use std::sync::Arc;

use glam::Vec3;

use super::explain_limbs;
use super::legs::at;
use crate::chain_ik::TwoBone;
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::input::{InputError, is_solved};
use crate::full_body::writing::turn_of;
use crate::full_body::{Effector, Node};
use crate::key::label;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, PointView, Rod, Run, Shown, StepView, Tint, Unit,
};
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

/// What a step moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Everything.
    Pelvis,
    /// One limb is bent to its target.
    Limb(LimbName),
}

impl Stage {
    /// As in logs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Limb(limb) => ["left_arm", "right_arm", "left_leg", "right_leg"][limb as usize],
        }
    }

    /// What it does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Pelvis => "The whole pose moves with the pelvis: down with the lower foot, up with the higher one.",
            Self::Limb(_) => "Two bones and the target make a triangle: the limb is bent and swung to it at once.",
        }
    }

    fn limb(self) -> Option<LimbName> {
        match self {
            Self::Pelvis => None,
            Self::Limb(limb) => Some(limb),
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
    /// Where the three bones come to be.
    pub bent: [RigidTransform; 3],
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

    /// Puts the first `count` bones of a limb where they come to be, those of the limbs before it being there already;
    /// everything below goes along. `before` is the pose that the pelvis moved.
    fn bend(
        &self,
        skeleton: &Skeleton,
        limb: LimbName,
        count: usize,
        before: &[RigidTransform],
        pose: &mut [RigidTransform],
    ) {
        let (done, current) = self.limbs[..=limb.index()].split_at(limb.index());
        let places = || {
            let done = done.iter().flat_map(|limb| limb.bones.iter().zip(&limb.bent));
            done.chain(current.iter().flat_map(|limb| limb.bones.iter().zip(&limb.bent).take(count)))
        };
        let first = current[0].bones.into_iter().min().unwrap_or(0);
        for bone in first..skeleton.len() {
            let own = places().find(|(own, _)| **own == bone);
            let parent = skeleton.parent(bone).filter(|&parent| pose[parent] != before[parent]);
            match (own, parent) {
                (Some((_, bent)), _) => pose[bone] = *bent,
                (None, Some(parent)) => pose[bone] = pose[parent].transform(&before[parent].to_local(&before[bone])),
                (None, None) => {}
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
    next: usize,
}

impl<'a> Solve<'a> {
    /// From the first step on; `before` is the animated pose moved by the frame's offset.
    pub fn new(frame: &'a Frame, skeleton: &'a Skeleton, before: &'a [RigidTransform]) -> Self {
        Self { frame, skeleton, before, next: 0 }
    }

    fn moves<W: Watch<Move>>(&self, pose: &mut [RigidTransform], limb: LimbName, watch: &mut W) -> Flow {
        let bones = self.frame.limbs[limb.index()].bones;
        if !W::LISTENS {
            self.frame.bend(self.skeleton, limb, bones.len(), self.before, pose);
            return GO_ON;
        }
        for (index, bone) in bones.into_iter().enumerate() {
            let from = pose[bone];
            self.frame.bend(self.skeleton, limb, index + 1, self.before, pose);
            if from != pose[bone] {
                watch.saw(Move { bone, stage: Stage::Limb(limb), from, to: pose[bone] })?;
            }
        }
        GO_ON
    }
}

impl Stepped for Solve<'_> {
    type Step = Stage;
    type State = Vec<RigidTransform>;
    type Event = Move;

    fn next(&mut self, _: &Vec<RigidTransform>) -> Option<Stage> {
        let index = self.next;
        self.next += 1;
        match index.checked_sub(1) {
            None => Some(Stage::Pelvis),
            Some(limb) => LimbName::ALL.get(limb).map(|&limb| Stage::Limb(limb)),
        }
    }

    fn run(&mut self, pose: &mut Vec<RigidTransform>, stage: Stage, watch: &mut impl Watch<Move>) -> Flow {
        match stage {
            Stage::Limb(limb) => self.moves(pose, limb, watch),
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
    before: Vec<RigidTransform>,
    recording: stepped::Recording<Stage, Vec<RigidTransform>, Move>,
}

impl LimbsRun {
    /// Solves `pose`, keeping every state and move.
    pub fn record(frame: Frame, skeleton: Arc<Skeleton>, pose: &mut Vec<RigidTransform>) -> Self {
        let moved = |bone: &RigidTransform| RigidTransform { position: bone.position + frame.offset, ..*bone };
        let before: Vec<RigidTransform> = pose.iter().map(moved).collect();
        let mut recording = stepped::Recording::default();
        recording.record(&mut Solve::new(&frame, &skeleton, &before), pose);
        Self { frame, skeleton, before, recording }
    }

    fn state(&self, at: Cursor) -> Vec<RigidTransform> {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let mut solve = Solve::new(&self.frame, &self.skeleton, &self.before);
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

fn tint(limb: Option<LimbName>) -> Tint {
    Tint::Node(limb.map_or(Node::Body, |limb| Node::of_limb(limb)[0]))
}

impl Run for LimbsRun {
    fn steps(&self) -> usize {
        self.recording.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        let stage = self.recording.steps[step].step;
        let name = label(stage.key());
        StepView {
            iteration: None,
            key: stage.key(),
            short: name.clone(),
            name,
            sentence: stage.sentence(),
            is_end: step + 1 == self.steps(),
        }
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
        let bone = self.skeleton.bones().get(moved.bone).map_or("", |bone| bone.name.as_str());
        let mut text = format!("{bone} {}", length(distance));
        if let Some((axis, angle)) = turn {
            let [x, y, z] = axis.to_array();
            text += &format!(", turns {:.2}° about [{x:.2}, {y:.2}, {z:.2}]", angle.to_degrees());
        }
        let size = distance + 0.5 * turn.map_or(0.0, |(_, angle)| angle);
        EventView { tint: tint(moved.stage.limb()), size, text }
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let Some(moved) = self.moved(step, event) else { return CauseView::default() };
        let chain = label(moved.stage.key());
        let what = match moved.stage {
            Stage::Pelvis => "pelvis offset".to_owned(),
            Stage::Limb(limb) => format!("two bones, {}", limb.label()),
        };
        CauseView { label: what, chain, tint: tint(moved.stage.limb()) }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        explain_limbs::formula(&self.frame, self.moved(step, event)?)
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
