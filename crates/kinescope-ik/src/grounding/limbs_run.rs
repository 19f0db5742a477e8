//! A recorded solve of limbs as a [`Run`].

use std::sync::Arc;

use glam::Vec3;

use super::explain_limbs;
use super::limbs::{Frame, LimbSettings, Move, Passes, Solve, Stage, at};
use crate::chain_ik::{self, Chain, Goal, TwoBone};
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::{Effector, Node};
use crate::key::label;
use crate::math::turn_of;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped;
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, PointView, Rod, Run, Shown, StepView, Tint, Unit,
};

/// Run of the pelvis's offset and the limbs of a frame.
#[derive(Clone, Debug)]
pub struct LimbsRun {
    /// Goals and solutions of the limbs.
    pub frame: Frame,
    /// The character's skeleton.
    pub skeleton: Arc<Skeleton>,
    /// Settings of the limbs.
    pub settings: LimbSettings,
    before: Vec<RigidTransform>,
    passes: Box<Passes>,
    recording: stepped::Recording<Stage, Vec<RigidTransform>, Move>,
}

impl LimbsRun {
    /// Solves `pose` in closed form and records every state and move.
    pub fn record(frame: Frame, skeleton: Arc<Skeleton>, pose: &mut Vec<RigidTransform>) -> Self {
        Self::record_by(&LimbSettings::default(), frame, skeleton, pose)
    }

    /// Solves the limbs as [`Frame::solve_by`] does, applies them to `pose` as [`Frame::apply`] does, and records every
    /// state and move.
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

    /// Returns the outcome of a limb's iterating solver; `None` in closed form, for a limb without length, and if the
    /// solver rejected its input.
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

/// Sentence of a limb's last step after an iterating solver's passes.
const SIDED: &str = "Turns the middle joint about the limb's line to the side on which it bends; the end stays, and the \
                     bones' rotations follow.";

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
                let continues = matches!(next, Some(Stage::Pass(_, _, next)) if next.iteration == pass.iteration);
                let short = pass.stage.short().to_owned();
                (pass.iteration, format!("{name}, {}", limb.label()), short, stage.sentence(), !continues)
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
            Stage::Limb(limb) => format!("two-bone, {}", limb.label()),
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
