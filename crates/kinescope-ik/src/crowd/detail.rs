//! Rules for how much detail a member of a crowd gets.

use serde::{Deserialize, Serialize};

use crate::error::Fault;
use crate::grounding::Quality;
use crate::key::named;
use crate::parameter::{Parameters, settings};

named! {
    /// How a member moves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Movement {
        /// Returns the key in presets.
        key,
    }
    /// All of them.
    ALL {
        /// It stands.
        Idle;
        /// It walks.
        Walk;
        /// It runs.
        Run;
    }
}

impl Movement {
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

settings! {
    /// How much detail a member gets if the rule fits it: what it plays, what it is about, how far away it is.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Rule {
        /// Fits only who is about this.
        movement: Option<Movement> = None;
        /// Fits only who plays the clip of this name.
        clip: Option<String> = None;
        /// Fits only who is further away than this.
        beyond: f32 = 0.0, from 0 to 1000000 usually 100 in Metres,
            too little: "Who is near gets no more than who is far.",
            too much: "It fits nobody.";
        /// How feet look for the ground; without it they stay as animated, and nothing is solved.
        grounding: Option<Quality> = Some(Quality::Best);
        /// The most rounds of the full body's main loop.
        iterations: u32 = 4, from 0 to 16 in Count,
            too little: "0 bends the legs alone.",
            too much: "What nobody sees from there is paid for.";
        /// Solved in every frame (1), in every second (2), and so on; it moves on in between.
        every: u32 = 1, from 1 to 16 in Count,
            too little: "What nobody sees from there is paid for.",
            too much: "Feet slide, and quick movements are cut short.";
    }
}

/// The most rules.
pub const DETAIL_RULES: usize = 64;

impl Rule {
    /// # Errors
    /// [`Fault`] with the field that has no such value.
    pub fn check(&self) -> Result<(), Fault> {
        self.check_numbers()
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
