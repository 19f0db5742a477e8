//! The stages of an iteration: one for each term, then the solution and the update. [`Stage::Ease`] runs between two
//! iterations, at most once in a solve.

use super::state::Frame;
use crate::joints::Bend;
use crate::key::named;

named! {
    /// What a step does: measure a term of the sum of squares, or one of the actions after the terms.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Stage {
        /// Returns the key in files, in snake_case.
        key,
        /// Returns the label on screen.
        label,
        /// Returns a short label for narrow cells.
        short: &'static str,
        /// Returns one sentence on what the stage does.
        sentence: &'static str,
    }
    /// The terms, in their order.
    TERMS {
        /// Distances of effectors from their targets.
        Position: "pos", "Measures the distance from each effector to its target, and how every joint changes it.";
        /// Angles of effectors from their target rotations.
        Rotation: "rot", "Measures the angle from each effector's rotation to its target rotation.";
        /// Angles of elbows and knees from their bend goals or bend directions.
        Bend: "bend", "Measures the angle from each elbow and knee to its bend goal or bend direction, about the line through its limb.";
        /// Angles by which joints exceed their limits more than in the animated pose.
        Limits: "lim", "Measures the angle by which each joint exceeds its limit further than in the animated pose; 0 for a joint that does not.";
        /// Turns of joints and shift of the pelvis from the animated pose.
        Rest: "rest", "Measures turns of joints and the pelvis's shift from the animated pose.";
        /// Turns of joints and shift of the pelvis from the last solved pose, carried by the animation since.
        Smoothness: "last", "Measures turns of joints and the pelvis's shift from the last solved pose, carried by the animation since.";
        /// Distance of the centre of mass outside the support polygon.
        Balance: "com", "Measures how far the centre of mass is outside the support polygon.";
        /// Depths by which capsules overlap more than in the animated pose.
        Separation: "gap", "Measures how far forearms and hands overlap with the body and each other, and lower legs and feet with each other, beyond the overlap in the animated pose.";
    }
    /// The stages after the terms.
    ENDS {
        /// Changes nothing: [`Self::Update`] solves the normal equations, because it may have to repeat that.
        Solve: "solve", "The normal equations give the turns of all joints and the shift of the pelvis; the update solves them.";
        /// Turns the joints and shifts the pelvis.
        Update: "turn", "Solves the normal equations, turns the joints and shifts the pelvis. If the sum of squares has grown, repeats with more damping.";
        /// Weakens the pull to the animated pose, at most once in a solve.
        Ease: "ease", "Weakens the pull to the animated pose, because a target is still missed.";
    }
}

/// A step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of the iteration, from 0; for [`Stage::Ease`] the next one.
    pub iteration: u32,
    /// What the step does.
    pub stage: Stage,
}

impl Stage {
    /// Returns the weight of a term in the settings; 1 for the stages after the terms.
    pub fn weight(self, frame: &Frame) -> f32 {
        let settings = &frame.settings;
        match self {
            Self::Position => settings.position,
            Self::Rotation => settings.rotation,
            Self::Bend => settings.bend,
            Self::Limits => settings.limits,
            Self::Rest => settings.rest,
            Self::Smoothness => settings.smoothness,
            Self::Balance => settings.balance,
            Self::Separation => settings.separation,
            Self::Solve | Self::Update | Self::Ease => 1.0,
        }
    }

    /// Returns whether a frame runs the stage of a term: the weight of the term is above 0, and the frame has the goals
    /// or the last pose that the term measures. True for the stages after the terms.
    pub fn runs(self, frame: &Frame) -> bool {
        let goals = &frame.goals;
        let has_goal = match self {
            Self::Position => goals.effectors.iter().any(|goal| goal.has_position),
            Self::Rotation => goals.effectors.iter().any(|goal| goal.rotation_weight > 0.0),
            Self::Bend => goals.bends.iter().any(Bend::counts),
            Self::Smoothness => frame.has_last,
            Self::Limits | Self::Rest | Self::Balance | Self::Separation | Self::Solve | Self::Update | Self::Ease => {
                true
            }
        };
        has_goal && self.weight(frame) > 0.0
    }
}
