//! Break conditions: what stops the recording, and where.

use serde::{Deserialize, Serialize};

use super::measure::Measure;
use super::tape::TapeFrame;
use crate::full_body::names::label;
use crate::full_body::{Effector, Node, Stage, State};
use crate::math::{from_to_rotation, unit_or_zero};
use crate::rig::LimbName;

/// What can stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    Flip,
    BendTurn,
    BoneLength,
    ErrorRises,
    LeavesReach,
    NotFinite,
}

impl Condition {
    pub const ALL: [Self; 6] =
        [Self::Flip, Self::BendTurn, Self::BoneLength, Self::ErrorRises, Self::LeavesReach, Self::NotFinite];

    pub const fn label(self) -> &'static str {
        [
            "knee or elbow flips",
            "bend direction turns",
            "bone length deviates",
            "node error rises",
            "target leaves reach",
            "number is not finite",
        ][self as usize]
    }

    pub const fn help(self) -> &'static str {
        [
            "A knee or elbow turns to the other side of its limb, by more than 90°, from one frame to the next.",
            "A knee or elbow turns about its limb by more than this angle from one frame to the next.",
            "After the last iteration a limb's bone is longer or shorter than animated by more than this.",
            "An effector's node is further from its target after an iteration than after the one before, by more than this.",
            "A target that the limb could reach in the frame before is now further away than the limb is long.",
            "A node of any stage is not a finite number.",
        ][self as usize]
    }
}

/// Which conditions are on, and from where they count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Breaks {
    pub flip: bool,
    pub bend_turn: bool,
    pub bone_length: bool,
    pub error_rises: bool,
    pub leaves_reach: bool,
    pub not_finite: bool,
    /// Degrees a frame.
    pub bend_turn_degrees: f32,
    /// Fraction of the bone's length.
    pub bone_length_fraction: f32,
    /// Fraction of the limb's length.
    pub error_rise_fraction: f32,
}

impl Default for Breaks {
    fn default() -> Self {
        Self {
            flip: false,
            bend_turn: false,
            bone_length: false,
            error_rises: false,
            leaves_reach: false,
            not_finite: false,
            bend_turn_degrees: 20.0,
            bone_length_fraction: 0.01,
            error_rise_fraction: 0.02,
        }
    }
}

impl Breaks {
    pub fn enabled_mut(&mut self, condition: Condition) -> &mut bool {
        match condition {
            Condition::Flip => &mut self.flip,
            Condition::BendTurn => &mut self.bend_turn,
            Condition::BoneLength => &mut self.bone_length,
            Condition::ErrorRises => &mut self.error_rises,
            Condition::LeavesReach => &mut self.leaves_reach,
            Condition::NotFinite => &mut self.not_finite,
        }
    }

    pub fn is_enabled(&self, condition: Condition) -> bool {
        let mut copy = *self;
        *copy.enabled_mut(condition)
    }

    /// How many are on.
    pub fn count(&self) -> usize {
        Condition::ALL.into_iter().filter(|&condition| self.is_enabled(condition)).count()
    }
}

/// A condition that came true.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub condition: Condition,
    /// Index of the step to look at.
    pub step: usize,
    /// Whose node it is.
    pub node: Node,
    /// `left elbow flips: 143° in one frame`.
    pub text: String,
}

/// The first condition that holds for `now`; `before` is the frame before it.
pub fn check(breaks: &Breaks, before: Option<&TapeFrame>, now: &TapeFrame) -> Option<Hit> {
    let enabled = Condition::ALL.into_iter().filter(|&condition| breaks.is_enabled(condition));
    enabled.into_iter().find_map(|condition| check_one(breaks, condition, before, now))
}

fn check_one(breaks: &Breaks, condition: Condition, before: Option<&TapeFrame>, now: &TapeFrame) -> Option<Hit> {
    let hit = |step: usize, node: Node, text: String| Some(Hit { condition, step, node, text });
    let last = now.steps.len().checked_sub(1)?;
    match condition {
        Condition::NotFinite => now.steps.iter().enumerate().find_map(|(step, (_, state))| {
            let node = Node::ALL.into_iter().find(|&node| !state.nodes[node].is_finite())?;
            hit(step, node, format!("{} is not finite", label(node.key())))
        }),
        Condition::Flip | Condition::BendTurn => {
            let (earlier, later) = (before?.last_state()?, now.last_state()?);
            let limit = if condition == Condition::Flip { 90.0 } else { breaks.bend_turn_degrees };
            LimbName::ALL.into_iter().find_map(|limb| {
                let turn = bend_turn(earlier, later, limb).to_degrees();
                let what = if condition == Condition::Flip { "flips" } else { "turns" };
                let text = || format!("{} {what}: {:.0}° in one frame", joint_label(limb), turn.abs());
                if turn.abs() > limit { hit(last, Node::of_limb(limb)[1], text()) } else { None }
            })
        }
        Condition::BoneLength => {
            let settled = now.settled();
            let (_, state) = now.steps.get(settled)?;
            LimbName::ALL.into_iter().find_map(|limb| {
                let nodes = Node::of_limb(limb);
                (0..2).find_map(|bone| {
                    let nominal = now.frame.limb(limb).lengths[bone];
                    let length = state.nodes[nodes[bone]].distance(state.nodes[nodes[bone + 1]]);
                    let off = length / nominal - 1.0;
                    let name = label(nodes[bone].key());
                    let text = || format!("{name} is {:+.1} % of its length off", off * 100.0);
                    match nominal > 0.0 && off.abs() > breaks.bone_length_fraction {
                        true => hit(settled, nodes[bone], text()),
                        false => None,
                    }
                })
            })
        }
        Condition::ErrorRises => {
            let ends = ends_of_iterations(now);
            ends.windows(2).find_map(|pair| {
                let [earlier, later] = [pair[0], pair[1]].map(|step| &now.steps[step].1);
                Effector::ALL.into_iter().find_map(|effector| {
                    let error = |state| Measure::NodeError(effector).of(&now.frame, state, &now.gaps);
                    let rise = error(later) - error(earlier);
                    let limb = effector.node().limb().unwrap_or(LimbName::LeftArm);
                    let iteration = now.steps[pair[1]].0.iteration.unwrap_or(0);
                    let scale = now.frame.limb(limb).length;
                    let text = || {
                        let percent = rise / scale * 100.0;
                        format!(
                            "node error of {} rises by {percent:.1} % of the limb in iteration {iteration}",
                            label(effector.key())
                        )
                    };
                    match rise > breaks.error_rise_fraction * scale {
                        true => hit(pair[1], effector.node(), text()),
                        false => None,
                    }
                })
            })
        }
        Condition::LeavesReach => {
            let before = before?;
            LimbName::ALL.into_iter().find_map(|limb| {
                let [earlier, later] = [before, now].map(|frame| beyond_reach(frame, limb));
                let text = || format!("target of {} leaves reach", label(Effector::END[limb.index()].key()));
                match (earlier?, later?) {
                    (false, true) => hit(now.settled(), Effector::END[limb.index()].node(), text()),
                    _ => None,
                }
            })
        }
    }
}

/// Whether the target is further from the limb's settled first node than the limb is long; `None` without weight.
fn beyond_reach(frame: &TapeFrame, limb: LimbName) -> Option<bool> {
    let effector = frame.frame.effector(Effector::END[limb.index()]);
    let state = frame.settled_state().filter(|_| effector.position_weight > 0.0)?;
    let distance = state.nodes[Node::of_limb(limb)[0]].distance(effector.position);
    Some(distance > frame.frame.limb(limb).length)
}

/// The last step of each iteration.
fn ends_of_iterations(frame: &TapeFrame) -> Vec<usize> {
    let ends = frame.steps.iter().enumerate().filter(|(_, (step, _))| {
        step.iteration.is_some() && matches!(step.stage, Stage::Stage2 | Stage::Trigonometric)
    });
    // With stage 2 an iteration's trigonometric pass is not its end.
    let has_stage2 = frame.steps.iter().any(|(step, _)| step.stage == Stage::Stage2);
    ends.filter(|(_, (step, _))| (step.stage == Stage::Stage2) == has_stage2).map(|(index, _)| index).collect()
}

/// `left elbow`, `right knee`.
pub fn joint_label(limb: LimbName) -> &'static str {
    ["left elbow", "right elbow", "left knee", "right knee"][limb.index()]
}

/// How far elbow or knee turned about the limb's own line, radians, −π to π; what the line itself turned does not
/// count. 0 for a limb that is straight in either state: it has no side.
pub fn bend_turn(earlier: &State, later: &State, limb: LimbName) -> f32 {
    const STRAIGHT: f32 = 0.01;
    let [first, second, last] = Node::of_limb(limb);
    let side = |state: &State| {
        let line = state.nodes[last] - state.nodes[first];
        let along = unit_or_zero(line);
        let out = state.nodes[second] - state.nodes[first];
        let across = out - along * along.dot(out);
        (across.length() > STRAIGHT * out.length()).then(|| (along, unit_or_zero(across)))
    };
    let (Some((line_before, before)), Some((line_now, now))) = (side(earlier), side(later)) else { return 0.0 };
    let carried = from_to_rotation(line_before, line_now) * before;
    carried.cross(now).dot(line_now).atan2(carried.dot(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debugger::tape::Tape;
    use crate::full_body::Recording;
    use crate::full_body::{Frame, Settings, Step};
    use crate::rig::ModelPose;
    use glam::Vec3;

    /// An arm along X, bent towards `side` by a tenth.
    fn state(side: Vec3, reach: f32) -> State {
        let mut state = State::default();
        let [first, second, last] = Node::of_limb(LimbName::LeftArm);
        state.nodes[first] = Vec3::ZERO;
        state.nodes[second] = Vec3::new(reach / 2.0, 0.0, 0.0) + side * 0.1;
        state.nodes[last] = Vec3::new(reach, 0.0, 0.0);
        state
    }

    fn frame(states: &[(Step, State)], target: Vec3) -> TapeFrame {
        let mut frame = Frame::default();
        let upper = (0.25f32 + 0.01).sqrt();
        frame.limbs[0].lengths = [upper, upper];
        frame.limbs[0].length = 2.0 * upper;
        frame.effectors[Effector::LeftHand as usize].position = target;
        frame.effectors[Effector::LeftHand as usize].position_weight = 1.0;
        let recording = Recording::of_states(frame, states.iter().copied());
        let mut tape = Tape::default();
        tape.record(0.0, &Settings::default(), &ModelPose::default(), &recording, Default::default());
        tape.last().unwrap().clone()
    }

    fn only(condition: Condition) -> Breaks {
        let mut breaks = Breaks::default();
        *breaks.enabled_mut(condition) = true;
        assert_eq!(breaks.count(), 1);
        breaks
    }

    fn one(side: Vec3, reach: f32, target: Vec3) -> TapeFrame {
        frame(&[(Step::READ, state(side, reach))], target)
    }

    #[test]
    fn a_flip_is_seen_and_a_small_turn_is_not() {
        let target = Vec3::X;
        let before = one(Vec3::Y, 1.0, target);
        assert_eq!(check(&only(Condition::Flip), Some(&before), &before), None);
        let hit = check(&only(Condition::Flip), Some(&before), &one(-Vec3::Y, 1.0, target)).unwrap();
        assert_eq!(hit.node, Node::LeftForearm);
        assert!(hit.text.contains("left elbow flips: 180°"), "{}", hit.text);
        let turned = Vec3::new(0.0, 30f32.to_radians().cos(), 30f32.to_radians().sin());
        assert_eq!(check(&only(Condition::Flip), Some(&before), &one(turned, 1.0, target)), None);
        assert!(check(&only(Condition::BendTurn), Some(&before), &one(turned, 1.0, target)).is_some());
        assert_eq!(check(&Breaks::default(), Some(&before), &one(-Vec3::Y, 1.0, target)), None);
        // A straight limb has no side to flip from.
        assert_eq!(check(&only(Condition::Flip), Some(&one(Vec3::ZERO, 1.0, target)), &before), None);
    }

    #[test]
    fn lengths_reach_and_numbers() {
        let good = one(Vec3::Y, 1.0, Vec3::X);
        let far = one(Vec3::Y, 1.0, Vec3::X * 2.0);
        assert_eq!(check(&only(Condition::BoneLength), None, &good), None);
        assert!(check(&only(Condition::BoneLength), None, &one(Vec3::Y, 1.2, Vec3::X)).is_some());
        assert!(check(&only(Condition::LeavesReach), Some(&good), &far).is_some());
        assert_eq!(check(&only(Condition::LeavesReach), Some(&far), &far), None);
        assert_eq!(check(&only(Condition::LeavesReach), None, &far), None);
        let hit = check(&only(Condition::NotFinite), None, &one(Vec3::NAN, 1.0, Vec3::X)).unwrap();
        assert_eq!(hit.node, Node::LeftForearm);
        assert_eq!(check(&only(Condition::NotFinite), None, &good), None);
    }

    #[test]
    fn an_error_that_rises_between_iterations() {
        let end = |iteration| Step { iteration: Some(iteration), stage: Stage::Stage2 };
        let rising = frame(&[(end(0), state(Vec3::Y, 1.0)), (end(1), state(Vec3::Y, 0.8))], Vec3::X);
        let hit = check(&only(Condition::ErrorRises), None, &rising).unwrap();
        assert_eq!((hit.step, hit.node), (1, Node::LeftHand));
        let falling = frame(&[(end(0), state(Vec3::Y, 0.8)), (end(1), state(Vec3::Y, 1.0))], Vec3::X);
        assert_eq!(check(&only(Condition::ErrorRises), None, &falling), None);
    }
}
