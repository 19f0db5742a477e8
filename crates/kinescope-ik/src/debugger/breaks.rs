//! Break conditions: [`check`] finds the step of the newest frame at which one holds.

use serde::{Deserialize, Serialize};

use glam::Vec3;

use super::pops::{Joint, bend_turn, of};
use super::slide::{Slide, slides};
use super::tape::Tape;
use crate::key::{label, named};
use crate::stack::{Frame, LayerId};
use crate::stepped::run::{Cursor, GoalView, Run, Tint};
use crate::unit::units_per_metre;

named! {
    /// A condition that [`check`] looks for in the newest frame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Condition {
        /// Returns the label on screen.
        label: &'static str,
        /// Returns one sentence on when the condition holds.
        help: &'static str,
    }
    /// All conditions, in the order in which [`check`] tries them.
    ALL {
        /// An elbow, knee or chain joint turns to the other side of its limb: by more than 90° in one frame.
        Flip:
            "knee, elbow or joint flips",
            "A knee, an elbow or a chain's joint turns to the other side of its limb, by more than 90°, from one frame to the next.";
        /// An elbow, knee or chain joint turns about its limb by more than [`Breaks::bend_turn_degrees`] in one frame.
        BendTurn:
            "bend direction turns",
            "A knee, an elbow or a chain's joint turns about its limb by more than this angle from one frame to the next.";
        /// After the last iteration, a bone's ends are closer or farther apart than the bone is long, by more than
        /// [`Breaks::bone_length_fraction`].
        BoneLength:
            "bone length deviates",
            "After the last iteration a bone's nodes are farther apart or closer than the bone is long, by more than this percentage.";
        /// An iteration increases an error by more than [`Breaks::error_rise_fraction`].
        ErrorRises:
            "error rises",
            "A point is further from its target after an iteration than before that iteration, by more than this percentage of the length of its limb or chain.";
        /// A target that was in reach in the previous frame is out of reach.
        LeavesReach:
            "target leaves reach",
            "A target that was in reach in the previous frame is now further away than the limb or chain is long.";
        /// A coordinate is infinite or NaN.
        NotFinite: "number is not finite", "A coordinate of a point is not a finite number after some step.";
        /// The rotation of a joint per frame changes by more than [`Breaks::jerk_degrees`].
        Jerk:
            "joint jerks",
            "The rotation per frame of a joint changes by more than this angle from one frame to the next.";
        /// A planted foot has slid by more than [`Breaks::slide_metres`] since it landed.
        FootSlide:
            "planted foot slides",
            "A foot that is planted in the animation has slid over the ground by more than this distance since it landed.";
    }
}

/// The enabled conditions and their thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Breaks {
    /// Enables [`Condition::Flip`].
    pub flip: bool,
    /// Enables [`Condition::BendTurn`].
    pub bend_turn: bool,
    /// Enables [`Condition::BoneLength`].
    pub bone_length: bool,
    /// Enables [`Condition::ErrorRises`].
    pub error_rises: bool,
    /// Enables [`Condition::LeavesReach`].
    pub leaves_reach: bool,
    /// Enables [`Condition::NotFinite`].
    pub not_finite: bool,
    /// Enables [`Condition::Jerk`].
    pub jerk: bool,
    /// Enables [`Condition::FootSlide`].
    pub foot_slide: bool,
    /// The threshold of [`Condition::BendTurn`], in degrees per frame.
    pub bend_turn_degrees: f32,
    /// The threshold of [`Condition::BoneLength`], as a fraction of the bone's length.
    pub bone_length_fraction: f32,
    /// The threshold of [`Condition::ErrorRises`], as a fraction of the length of the limb or chain.
    pub error_rise_fraction: f32,
    /// The threshold of [`Condition::Jerk`]: the second difference of a joint's angle over three frames, in degrees.
    pub jerk_degrees: f32,
    /// The threshold of [`Condition::FootSlide`], in metres along the ground. The height of the character determines
    /// [how many model units](units_per_metre) a metre has.
    pub slide_metres: f32,
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
            jerk: false,
            foot_slide: false,
            bend_turn_degrees: 20.0,
            bone_length_fraction: 0.01,
            error_rise_fraction: 0.02,
            jerk_degrees: 10.0,
            slide_metres: 0.01,
        }
    }
}

impl Breaks {
    /// Returns the switch of a condition.
    pub fn enabled_mut(&mut self, condition: Condition) -> &mut bool {
        match condition {
            Condition::Flip => &mut self.flip,
            Condition::BendTurn => &mut self.bend_turn,
            Condition::BoneLength => &mut self.bone_length,
            Condition::ErrorRises => &mut self.error_rises,
            Condition::LeavesReach => &mut self.leaves_reach,
            Condition::NotFinite => &mut self.not_finite,
            Condition::Jerk => &mut self.jerk,
            Condition::FootSlide => &mut self.foot_slide,
        }
    }

    /// Returns true if a condition is enabled.
    pub fn is_enabled(&self, condition: Condition) -> bool {
        let mut copy = *self;
        *copy.enabled_mut(condition)
    }

    /// Returns the number of enabled conditions.
    pub fn count(&self) -> usize {
        Condition::ALL.into_iter().filter(|&condition| self.is_enabled(condition)).count()
    }
}

/// A condition that holds, with the place to inspect.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The condition that holds.
    pub condition: Condition,
    /// The layer of the step.
    pub layer: LayerId,
    /// The index of the step in the layer's run.
    pub step: usize,
    /// The index of the point among the run's points; `None` if the run has no point for the foot that slides.
    pub point: Option<usize>,
    /// The message: `left elbow flips: 143° in one frame`.
    pub text: String,
}

/// Returns the first enabled condition that holds for `now`, the newest frame of `tape`, in the order of
/// [`Condition::ALL`]. `before` is the previous frame; without it, the conditions that compare with it do not hold.
pub fn check(breaks: &Breaks, tape: &Tape, before: Option<&Frame>, now: &Frame) -> Option<Hit> {
    let enabled = Condition::ALL.into_iter().filter(|&condition| breaks.is_enabled(condition));
    enabled.into_iter().find_map(|condition| {
        now.layers.iter().find_map(|layer| {
            let run = layer.run().filter(|run| run.steps() > 0)?;
            let before = before.and_then(|before| before.run(layer.id)).filter(|before| before.steps() > 0);
            let (step, point, text) = check_one(breaks, condition, (tape, layer.id), before, run)?;
            Some(Hit { condition, layer: layer.id, step, point, text })
        })
    })
}

/// Checks one condition for one layer. Returns step, point and message; `None` if the condition does not hold. The point is
/// `None` if the run has no point for the foot that slides.
fn check_one(
    breaks: &Breaks,
    condition: Condition,
    (tape, layer): (&Tape, LayerId),
    before: Option<&dyn Run>,
    now: &dyn Run,
) -> Option<(usize, Option<usize>, String)> {
    let (last, settled) = (now.steps() - 1, now.settled());
    let at = |step: usize| Cursor { step, within: None };
    match condition {
        Condition::NotFinite => (0..now.steps()).find_map(|step| {
            let point = now.places(at(step)).iter().position(|place| !place.is_finite())?;
            Some((step, Some(point), format!("{} has a coordinate that is not finite", now.points()[point].label)))
        }),
        Condition::Flip | Condition::BendTurn => {
            let before = before?;
            let (earlier, later) = (before.places(Cursor::end(before)), now.places(at(last)));
            let limit = if condition == Condition::Flip { 90.0 } else { breaks.bend_turn_degrees };
            let what = if condition == Condition::Flip { "flips" } else { "turns" };
            now.hinges().iter().find_map(|hinge| {
                let [before, now] = [&earlier, &later].map(|places| of(places, hinge.points));
                let turn = bend_turn(before?, now?).to_degrees().abs();
                let text = || format!("{} {what}: {turn:.0}° in one frame", hinge.label);
                (turn > limit).then(|| (last, Some(hinge.points[1]), text()))
            })
        }
        Condition::BoneLength => {
            let places = now.places(settled);
            now.rods().iter().filter(|rod| rod.length > 0.0).find_map(|rod| {
                let off = places[rod.points[0]].distance(places[rod.points[1]]) / rod.length - 1.0;
                let text = || format!("{} deviates by {:+.1} % of its length", rod.label, off * 100.0);
                (off.abs() > breaks.bone_length_fraction).then(|| (settled.step, Some(rod.points[0]), text()))
            })
        }
        Condition::ErrorRises => {
            let ends: Vec<usize> = (0..now.steps()).filter(|&step| now.step(step).is_end).collect();
            let goals = now.goals();
            let places: Vec<Vec<Vec3>> = ends.iter().map(|&step| now.places(at(step))).collect();
            (1..ends.len()).find_map(|index| {
                let iteration = now.step(ends[index]).iteration?;
                goals.iter().filter(|goal| goal.weight > 0.0).find_map(|goal| {
                    let error = |places: &[Vec3]| places[goal.point].distance(goal.place);
                    let rise = error(&places[index]) - error(&places[index - 1]);
                    let part = rise / goal.reach;
                    let text = || {
                        let (error, percent) = (&goal.error, part * 100.0);
                        format!("{error} rises by {percent:.1} % of the length of its limb or chain in iteration {iteration}")
                    };
                    let is_rise = goal.reach.is_finite() && part > breaks.error_rise_fraction;
                    is_rise.then(|| (ends[index], Some(goal.point), text()))
                })
            })
        }
        Condition::LeavesReach => {
            let before = before?;
            let earlier = before.goals();
            now.goals().iter().find_map(|goal| {
                let known = earlier.iter().find(|earlier| earlier.key == goal.key)?;
                let [was, is] = [beyond_reach(before, known)?, beyond_reach(now, goal)?];
                let text = || format!("target of {} leaves reach", goal.label);
                (!was && is).then(|| (settled.step, Some(goal.point), text()))
            })
        }
        Condition::Jerk => {
            let [first, newest] = tape.range()?;
            // As in the pop finder, the first frame is ignored because nothing moved before it.
            let end = |back: u64| {
                let number = newest.checked_sub(back).filter(|&number| number > first)?;
                Some(tape.get(number)?.layer(layer)?.end())
            };
            let ends = [end(2)?, end(1)?, end(0)?];
            let joints = Joint::all(layer, &now.hinges(), &now.planes());
            let jerks =
                joints.into_iter().filter_map(|joint| Some((joint.jerk(ends.each_ref().map(Vec::as_slice))?, joint)));
            let (jerk, joint) = jerks.max_by(|a, b| a.0.total_cmp(&b.0))?;
            let text = || {
                format!(
                    "{} jerks: its rotation per frame changes by {jerk:.1}° from one frame to the next",
                    joint.label
                )
            };
            (jerk > breaks.jerk_degrees).then(|| (last, Some(joint.point), text()))
        }
        // Slides are reported for the full body, whichever layer moved the feet.
        Condition::FootSlide if layer == LayerId::FullBody => {
            let [first, newest] = tape.range()?;
            let is_open = |slide: &Slide| slide.frames[1] == newest && slide.has_landed_since(first);
            let open = slides(tape, newest).into_iter().filter(is_open);
            let slide = open.max_by(|a, b| a.solved.total_cmp(&b.solved))?;
            let node = slide.side.foot();
            let point = now.points().iter().position(|point| point.tint == Tint::Node(node));
            // If the height does not show the unit of the model, metres are assumed.
            let height = tape.last()?.contacts.as_ref()?[slide.side as usize].height;
            let slid = slide.solved / units_per_metre(height).unwrap_or(1.0);
            let text = || format!("{} slides: {:.0} mm since it landed", label(node.key()), slid * 1000.0);
            (slid > breaks.slide_metres).then(|| (last, point, text()))
        }
        Condition::FootSlide => None,
    }
}

/// Returns true if a target is further from the root of its limb or chain than the goal's reach; `None` without weight.
fn beyond_reach(run: &dyn Run, goal: &GoalView) -> Option<bool> {
    let root = (goal.weight > 0.0).then(|| run.place_of(goal.root, run.settled()))?;
    Some(root.distance(goal.place) > goal.reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_limb_has_no_side_to_flip_from() {
        let points = |side: Vec3| [Vec3::ZERO, Vec3::X * 0.5 + side, Vec3::X];
        assert_eq!(bend_turn(points(Vec3::ZERO), points(Vec3::Y)), 0.0);
        assert!((bend_turn(points(Vec3::Y), points(Vec3::Z)) - std::f32::consts::FRAC_PI_2).abs() < 1e-5);
    }
}
