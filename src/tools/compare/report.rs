use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::character::unit;
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Step;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, GameSolver, MOST_CHARACTERS};
use kinescope_ik::key::label;
use kinescope_ik::trace::{Trace, TraceMove};
use kinescope_ik::trace_diff::{
    BoneDiff, ConstantDiff, MoveDiff, Place, StepDiff, TraceDiff, WriteDiff, default_tolerance, diff, height,
};

pub(crate) fn first_difference(diff: &TraceDiff, a: &Trace, b: &Trace, names: [&str; 2]) -> Option<(String, String)> {
    diff.first_place().map(|place| describe(place, diff, a, b, names))
}

pub(super) fn describe(
    found: Place,
    diff: &TraceDiff,
    a: &Trace,
    b: &Trace,
    [name_a, name_b]: [&str; 2],
) -> (String, String) {
    let length = |length: f32| length_text(length, height(&a.rig));
    let apart = |bone: &BoneDiff| format!(", {}: {} and {:.3}° apart", bone.bone, length(bone.distance), bone.degrees);
    match found {
        Place::Step(step, Some(first)) => {
            let own = diff.moves.iter().find(|own| own.step == step);
            let within = own.map(|own| move_text(own, [name_a, name_b])).unwrap_or_default();
            (place(step), format!(", {}: {} apart{within}", first.node.key(), length(first.distance)))
        }
        Place::Step(step, None) => {
            let is_only_b = diff.steps.contains(&StepDiff::OnlyB(step));
            let (with, without, trace) = if is_only_b { (name_b, name_a, a) } else { (name_a, name_b, b) };
            match trace.steps.is_empty() {
                true => (format!("{without} has no steps"), String::new()),
                false => (place(step), format!(": only in {with}")),
            }
        }
        Place::Constant(ConstantDiff { name, a, b }) => (format!("constant {name}"), format!(": {a:?} and {b:?}")),
        Place::Move(own) => (place(own.step), format!(": same result{}", move_text(own, [name_a, name_b]))),
        Place::Write(part, Some(bone)) => (format!("write {}", label(part.key())), apart(bone)),
        Place::Write(part, None) => {
            let with = if diff.writes.contains(&WriteDiff::OnlyB(part)) { name_b } else { name_a };
            (format!("write {}", label(part.key())), format!(": only in {with}"))
        }
        Place::Result(bone) => ("result".to_owned(), apart(bone)),
        Place::Rig(rig) => ("rig".to_owned(), format!(" {rig}")),
        Place::Parameter(parameter) => ("parameter".to_owned(), format!(" {parameter}")),
    }
}

/// Formats the first differing move of a stage: `; first differing move: 3, body by centroid in the port, left_thigh by
/// child_constraint in Kinescope`, or without the names if node and cause are the same and only positions differ.
fn move_text(own: &MoveDiff, [name_a, name_b]: [&str; 2]) -> String {
    let format_move = |own: &Option<TraceMove>| match own {
        Some(own) => format!("{} by {}", own.node.key(), own.cause),
        None => "none".to_owned(),
    };
    let (a, b) = (format_move(&own.a), format_move(&own.b));
    match a == b {
        true => format!("; first differing move: {}, {a}", own.index + 1),
        false => format!("; first differing move: {}, {a} in {name_a}, {b} in {name_b}", own.index + 1),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameDifference {
    pub(crate) stage: String,
    pub(crate) detail: String,
    pub(crate) apart: ResultDistance,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResultDistance {
    /// Largest distance between the positions of a bone in both results, model units.
    pub distance: f32,
    /// Largest angle between the rotations of a bone, degrees, 0 to 180.
    pub degrees: f32,
}

impl ResultDistance {
    /// Returns the difference as a fraction of the character's height. A rotation counts as the displacement of a point at a
    /// tenth of the height from the joint, which is about the distance of fingertips from the wrist.
    pub fn share(self, height: f32) -> f32 {
        (self.distance / height).max(0.1 * self.degrees.to_radians())
    }
}

#[derive(Clone, Debug)]
pub struct Kept {
    character: Arc<GameCharacter>,
    solver: GameSolver,
    /// Value of [`Solvers::calls`] when this solver was last used.
    used: u64,
}

/// The solvers of at most [`MOST_CHARACTERS`] characters. Beyond that, the least recently used solver is dropped.
#[derive(Clone, Debug, Default)]
pub struct Solvers {
    /// By index of the character in its game.
    pub by_character: HashMap<usize, Kept>,
    calls: u64,
    pub made: u64,
}

impl Solvers {
    /// Drops all solvers. This is needed after a solver has panicked.
    pub(crate) fn clear(&mut self) {
        self.by_character.clear();
    }

    pub fn of(&mut self, index: usize, character: &Arc<GameCharacter>) -> Result<&mut GameSolver, Fault> {
        let used = self.calls;
        self.calls += 1;
        // Another game may have a character with the same index.
        self.by_character.retain(|&own, kept| own != index || Arc::ptr_eq(&kept.character, character));
        if !self.by_character.contains_key(&index) && self.by_character.len() >= MOST_CHARACTERS {
            let oldest = self.by_character.iter().min_by_key(|(_, kept)| kept.used).map(|(&oldest, _)| oldest);
            oldest.and_then(|oldest| self.by_character.remove(&oldest));
        }
        let kept = match self.by_character.entry(index) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(place) => {
                self.made += 1;
                place.insert(Kept { character: character.clone(), solver: GameSolver::new(character)?, used })
            }
        };
        kept.used = used;
        Ok(&mut kept.solver)
    }
}

/// Compares a game's frame with Kinescope's solve and returns the first difference, or `None` if there is none above
/// `tolerance`. Without `tolerance`, uses the default for the character's size.
pub(crate) fn against_own(
    frame: &GameFrame,
    character: &Arc<GameCharacter>,
    solvers: &mut Solvers,
    tolerance: Option<f32>,
) -> Result<Option<GameDifference>, Fault> {
    let [game, own] = solvers.of(frame.character, character)?.traces(frame)?;
    let found = diff(&game, &own, tolerance.unwrap_or_else(|| default_tolerance(&game.rig)));
    let first = first_difference(&found, &game, &own, ["the game", "Kinescope"]);
    let apart = ResultDistance {
        distance: found.furthest_bone().map_or(0.0, |bone| bone.distance),
        degrees: found.most_turned_bone().map_or(0.0, |bone| bone.degrees),
    };
    Ok(first.map(|(stage, detail)| GameDifference { stage, detail, apart }))
}

/// Formats a step, with its iteration counted from 0: `iteration 1, stage2`.
fn place(step: Step) -> String {
    match step.iteration {
        Some(iteration) => format!("iteration {iteration}, {}", step.stage.key()),
        None => step.stage.key().to_owned(),
    }
}

/// Formats a length on a character of this height with three decimals, enough to distinguish rounding errors from bugs.
pub(crate) fn length_text(length: f32, height: f32) -> String {
    let (factor, unit) = unit(height);
    format!("{:.3} {unit}", length * factor)
}
