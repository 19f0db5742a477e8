//! Rules for how much detail a member of a crowd gets.

use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::grounding::Quality;
use crate::parameter::Unit;

/// What a member is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// It stands.
    Idle,
    /// It walks.
    Walk,
    /// It runs.
    Run,
}

impl Movement {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Idle, Self::Walk, Self::Run];

    /// As in presets.
    pub const fn key(self) -> &'static str {
        ["idle", "walk", "run"][self as usize]
    }

    /// At a speed, in metres per second.
    pub fn at_speed(speed: f32) -> Self {
        /// What is faster than that runs.
        const RUNS: f32 = 2.2;
        match speed.abs() {
            speed if speed <= crate::locomotion::gait::WALKS => Self::Idle,
            speed if speed <= RUNS => Self::Walk,
            _ => Self::Run,
        }
    }
}

/// How much detail a member gets if the rule fits it: what it plays, what it is about, how far away it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rule {
    /// Fits only who is about this.
    pub movement: Option<Movement>,
    /// Fits only who plays the clip of this name.
    pub clip: Option<String>,
    /// Fits only who is further away than this, metres.
    pub beyond: f32,
    /// How feet look for the ground; without it they stay as animated, and nothing is solved.
    pub grounding: Option<Quality>,
    /// The most rounds of the full body's main loop; 0 bends the legs alone.
    pub iterations: u32,
    /// Solved in every frame (1), in every second (2), and so on.
    pub every: u32,
}

impl Default for Rule {
    fn default() -> Self {
        Self { movement: None, clip: None, beyond: 0.0, grounding: Some(Quality::Best), iterations: 4, every: 1 }
    }
}

/// The most rules.
pub const DETAIL_RULES: usize = 64;

impl Rule {
    /// The most frames that a member waits for its next solve.
    pub const LONGEST_WAIT: u32 = 16;
    /// The farthest that a rule begins, metres.
    pub const FARTHEST: f32 = 1e6;
    /// The most iterations that a rule allows.
    pub const MOST_ITERATIONS: u32 = 16;

    /// # Errors
    /// [`Fault`] with the field that has no such value.
    pub fn check(&self) -> Result<(), Fault> {
        if !(0.0..=Self::FARTHEST).contains(&self.beyond) {
            let (value, min, max) = (self.beyond, 0.0, Self::FARTHEST);
            return Err(BadValue::Range { value, min, max, unit: Unit::Metres }.at("beyond".to_owned()));
        }
        let counts =
            [("iterations", self.iterations, 0, Self::MOST_ITERATIONS), ("every", self.every, 1, Self::LONGEST_WAIT)];
        for (field, found, min, max) in counts {
            if !(min..=max).contains(&found) {
                let (value, min, max) = (found as usize, min as usize, max as usize);
                return Err(BadValue::Count { value, min, max }.at(field.to_owned()));
            }
        }
        Ok(())
    }

    /// Whether it fits; `is_current` where the member is solved by it already: it is left only clearly nearer, else
    /// members at the border would flutter.
    pub fn fits(&self, movement: Movement, clip: &str, distance: f32, is_current: bool) -> bool {
        const NEARER: f32 = 0.95;
        let beyond = if is_current { self.beyond * NEARER } else { self.beyond };
        self.movement.is_none_or(|own| own == movement)
            && self.clip.as_ref().is_none_or(|own| own == clip)
            && distance >= beyond
    }
}

/// Rules to begin with: the farthest first.
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
