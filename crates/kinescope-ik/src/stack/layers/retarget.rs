//! Retargeting as a layer: shows how the pose was made from another skeleton's clip, and sets goals of feet and hands.

use crate::full_body::Effector;
use crate::grounding::lock::{LockFoot, LockFrame};
use crate::grounding::{LegOutput, LockSettings, Output, Side};
use crate::retarget::RetargetFrame;
use crate::retarget::RetargetStep;
use crate::rig::RigidTransform;
use crate::stack::grounding::Method;
use crate::stack::kind::{Kind, PoseSource, Poses};
use crate::stack::layer_id::{LayerId, Memory};
use crate::stack::order::Stack;
use crate::stack::pass::Pass;
use crate::stack::retarget::RetargetRun;
use crate::stack::rig::Rig;
use crate::stack::solved::Solved;
use crate::stepped::{Cursor, Run};
use crate::timing::Work;

pub(crate) struct Retarget;

impl Kind for Retarget {
    fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
        stack.order.retarget.on
    }

    fn solve(&self, _: LayerId, pass: &mut Pass, poses: Poses, memory: &mut Memory) -> Option<Result<Solved, String>> {
        let frame = frame(pass, poses.pose)?;
        let run = RetargetRun::record(frame, &memory.retarget.unwrap_or_default(), pass.stack.clone());
        memory.retarget = run.frame.lock.is_some().then(|| run.lock());
        let end = Cursor::end(&run);
        if let Some(goals) = run.output(end) {
            pass.set_goals(goals, poses.pose);
        }
        pass.stack = run.stack_at(end);
        pass.laps.end(Work::Modifiers);
        (run.steps() > 0).then(|| Ok(Solved::new(run)))
    }

    fn goals(&self, run: &Solved, at: Option<Cursor>) -> Option<Output> {
        let run = run.of::<RetargetRun>()?;
        run.output(at.unwrap_or_else(|| Cursor::end(run)))
    }

    fn pose_source_at(&self, run: &Solved, at: Cursor) -> PoseSource {
        let Some(run) = run.of::<RetargetRun>() else { return PoseSource::Bones };
        match (run.step_at(at), run.output(at)) {
            (Some(RetargetStep::Hand(_)), _) => PoseSource::Stack(run.stack_at(at)),
            (Some(RetargetStep::Foot(_) | RetargetStep::Lock(_)), Some(goals)) => PoseSource::Goals(goals),
            (Some(RetargetStep::Foot(_) | RetargetStep::Lock(_) | RetargetStep::Pose(_)) | None, _) => {
                PoseSource::Bones
            }
        }
    }

    fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
        Some(&mut stack.order.retarget.on)
    }

    fn missing(&self, _: &Rig) -> &'static str {
        "own clip"
    }
}

/// Returns the input of a frame; `None` if no clip of another skeleton plays, its places are invalid, or the pelvis is not
/// known.
fn frame(pass: &Pass, pose: &[RigidTransform]) -> Option<RetargetFrame> {
    let (place, stack) = (&pass.place, &pass.input.stack);
    let places = place.source.filter(|places| places.is_sane())?;
    let settings = stack.order.retarget.clamped();
    let at = |bone: usize| pose.get(bone).map_or(place.root.position, |bone| bone.position);
    let solver = pass.rig.full_body.as_ref().ok();
    let hands = [Effector::LeftHand, Effector::RightHand].map(|hand| solver.map(|own| at(own.bone_of(hand.node()))));
    let pelvis = pass
        .rig
        .legs
        .map_or_else(|| pass.input.source.as_ref().map(|own| own.map.pelvises()[1]), |own| Some(own.pelvis));
    let mut frame = RetargetFrame {
        settings,
        source: pass.input.source.clone().filter(|source| source.map.sizes()[1] == pose.len()),
        places,
        root: place.root,
        pelvis: pelvis.map(at)?,
        hands: hands.map(Option::unwrap_or_default),
        lock: None,
    };
    if hands.contains(&None) {
        frame.places.hands = None;
    }
    frame.lock = lock(pass, pose, &frame);
    Some(frame)
}

/// Returns the foot lock with the goals of the feet; `None` at weight 0, if the frame has a grounding method other
/// than `off`, and without legs or places of feet.
fn lock(pass: &Pass, pose: &[RigidTransform], frame: &RetargetFrame) -> Option<LockFrame> {
    let (place, section) = (&pass.place, &pass.input.stack.grounding);
    let weight = frame.settings.feet * frame.places.weight;
    if weight <= 0.0 || section.method_at(place) != Method::Off {
        return None;
    }
    let (legs, soles) = (pass.rig.legs.as_ref()?, pass.rig.soles.as_ref()?);
    let goals = frame.places.foot_goals(&frame.root, frame.pelvis)?;
    let mut output = Output::default();
    let feet = Side::ALL.map(|side| {
        let index = side as usize;
        let foot = pose.get(legs.feet[index]).copied().unwrap_or_default();
        output.legs[index] = LegOutput { ik_position: goals[index], grounded: true, weight, ..LegOutput::default() };
        let goal = RigidTransform { position: foot.position.lerp(goals[index], weight), ..foot };
        let points = soles[index].points(pose).map(|point| point + (goal.position - foot.position));
        let (planted, crossed, carried) = (place.planted[index], place.crossed[index], place.carried[index]);
        LockFoot { goal, points, planted, crossed, carried }
    });
    let settings = LockSettings { on: true, ..LockSettings::default() };
    Some(LockFrame { settings, input: section.input(legs, place, pose), output, feet, weight })
}
