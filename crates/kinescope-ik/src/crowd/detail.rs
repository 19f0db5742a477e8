//! Rules for how much detail a member of a crowd gets.

use serde::{Deserialize, Serialize};

use crate::error::Fault;
use crate::grounding::Quality;
use crate::key::named;
use crate::parameter::{Parameters, settings};

named! {
    /// How a member moves, by its speed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Movement {
        /// Returns the key in presets.
        key,
    }
    /// All movements, the slowest first.
    ALL {
        /// The member stands.
        Idle;
        /// The member walks.
        Walk;
        /// The member runs.
        Run;
    }
}

impl Movement {
    /// Returns the movement at a speed in metres per second, forward or backward: idle up to 0.1, walk up to 2.2, run
    /// above.
    pub fn at_speed(speed: f32) -> Self {
        /// Speed above which a member runs, metres per second.
        const RUNS: f32 = 2.2;
        match speed.abs() {
            speed if speed <= crate::locomotion::gait::WALKS => Self::Idle,
            speed if speed <= RUNS => Self::Walk,
            _ => Self::Run,
        }
    }
}

settings! {
    /// A level of detail, and which members get it: by movement, clip and distance.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Rule {
        /// Only members that move like this; null is any.
        movement: Option<Movement> = None;
        /// Only members that play the clip of this name; null is any.
        clip: Option<String> = None;
        /// Only members at least this far from the eye.
        beyond: f32 = 0.0, from 0 to 1000000 usually 100 in Metres,
            too little: "The rule also matches near members.",
            too much: "The rule matches no member.";
        /// Quality of grounding; null leaves members as animated and solves nothing.
        grounding: Option<Quality> = Some(Quality::Best);
        /// The largest number of iterations of the full body.
        iterations: u32 = 4, from 0 to 16 in Count,
            too little: "With 0 only the legs bend.",
            too much: "Costs time for detail that is not visible at that distance.";
        /// Solves every frame (1), every second frame (2), and so on; poses are blended in between.
        every: u32 = 1, from 1 to 16 in Count,
            too little: "Costs time for detail that is not visible at that distance.",
            too much: "Feet slide, and quick movements are cut short.";
    }
}

/// The largest number of rules of a crowd in a file or in the C API; [`Scene::rules`](super::Scene::rules) takes any
/// number.
pub const DETAIL_RULES: usize = 64;

impl Rule {
    /// Checks that every number is within its range.
    ///
    /// # Errors
    /// [`Fault`] for a number out of its range.
    pub fn check(&self) -> Result<(), Fault> {
        self.check_numbers()
    }

    /// Returns whether the rule fits; `distance` is from the eye, in metres. The member's current rule (`is_current`)
    /// is kept until the member is clearly nearer, so that members at the border do not switch back and forth.
    pub fn fits(&self, movement: Movement, clip: &str, distance: f32, is_current: bool) -> bool {
        const NEARER: f32 = 0.95;
        let beyond = if is_current { self.beyond * NEARER } else { self.beyond };
        self.movement.is_none_or(|own| own == movement)
            && self.clip.as_ref().is_none_or(|own| own == clip)
            && distance >= beyond
    }
}

/// Returns default rules, the farthest first.
pub fn default_rules() -> Vec<Rule> {
    let rule = |beyond: f32, grounding: Option<Quality>, iterations: u32, every: u32| Rule {
        beyond,
        grounding,
        iterations,
        every,
        ..Rule::default()
    };
    vec![
        rule(40.0, None, 0, 4),
        rule(25.0, Some(Quality::Fastest), 0, 4),
        rule(10.0, Some(Quality::Fastest), 1, 2),
        Rule { movement: Some(Movement::Idle), ..rule(0.0, Some(Quality::Simple), 4, 1) },
        Rule::default(),
    ]
}
