//! The output of the commands `diff` and `check`, and the comparison of a game's frame with Kinescope's solve.

use std::fmt::Write;
use std::sync::Arc;

use crate::character::unit;
use crate::system::files::within_line;
use kinescope_ik::capsule::{Capsule, Change};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Step;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, GameSolver};
use kinescope_ik::key::label;
use kinescope_ik::stack::LayerId;
use kinescope_ik::trace::{Trace, TraceMove};
use kinescope_ik::trace_diff::{
    BoneDiff, ConstantDiff, MoveDiff, Place, ROTATION_TOLERANCE, StepDiff, TraceDiff, WriteDiff, default_tolerance,
    diff, extent, height,
};

pub fn report(diff: &TraceDiff, a: &Trace, b: &Trace, [name_a, name_b]: [&str; 2]) -> String {
    let length = |length: f32| length_text(length, height(&a.rig));
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{}", within_line(text.trim_end()));
    };
    line(headline(diff, a, b, [name_a, name_b]));
    // Positions are shown only if the first line names a node. Positions of a later stage would seem to belong to that line.
    if let Some(Place::Step(_, Some(first))) = diff.first_place() {
        let width = name_a.chars().count().max(name_b.chars().count());
        for (name, at) in [(name_a, first.a), (name_b, first.b)] {
            line(format!("  {name:<width$}  [{}, {}, {}]", at.x, at.y, at.z));
        }
    }
    line(String::new());
    line(format!("{:>9}  {:<20}  {:>34}  {:>15}", "iteration", "stage", "largest difference", "nodes above"));
    for step in &diff.steps {
        let Step { iteration, stage } = step.step();
        let iteration = iteration.map_or(String::new(), |iteration| iteration.to_string());
        let detail = match step {
            StepDiff::Both { largest, above } => {
                let detail = format!("{} {}", largest.node.key(), length(largest.distance));
                format!("{detail:>34}  {:>15}", above.len())
            }
            StepDiff::OnlyA(_) => format!("{:>34}", format!("only in {name_a}")),
            StepDiff::OnlyB(_) => format!("{:>34}", format!("only in {name_b}")),
        };
        line(format!("{iteration:>9}  {:<20}  {detail}", stage.key()));
    }
    for write in &diff.writes {
        let detail = match write {
            WriteDiff::Both { largest, above, .. } => {
                let detail =
                    largest.as_ref().map_or(String::new(), |bone| format!("{} {}", bone.bone, length(bone.distance)));
                format!("{detail:>34}  {:>15}", above.len())
            }
            WriteDiff::OnlyA(_) => format!("{:>34}", format!("only in {name_a}")),
            WriteDiff::OnlyB(_) => format!("{:>34}", format!("only in {name_b}")),
        };
        line(format!("{:>9}  {:<20}  {detail}", "", format!("write {}", label(write.part().key()))));
    }
    for (name, trace) in [(name_a, a), (name_b, b)] {
        if trace.steps.is_empty() {
            line(format!("{name} has no steps"));
        } else if trace.writes.is_empty() {
            line(format!("{name} has no writes: only the results of writing are compared"));
        }
    }
    line(String::new());
    for (what, found) in [("rig", &diff.rig), ("parameter", &diff.parameters)] {
        for one in found {
            line(format!("{what} {one}"));
        }
    }
    match (diff.furthest_bone(), diff.most_turned_bone()) {
        (Some(far), Some(turned)) => line(format!(
            "result: largest distance {} {}, largest rotation {} {:.3}°",
            far.bone,
            length(far.distance),
            turned.bone,
            turned.degrees
        )),
        _ => line("result: not compared, as a trace has no result or different bones".to_owned()),
    }
    line(format!("tolerance: {} and {ROTATION_TOLERANCE}°", length(diff.tolerance)));
    out
}

fn headline(diff: &TraceDiff, a: &Trace, b: &Trace, [name_a, name_b]: [&str; 2]) -> String {
    match first_difference(diff, a, b, [name_a, name_b]) {
        Some((place, detail)) => format!("first difference: {place}{detail}"),
        None => format!("no difference above {}", length_text(diff.tolerance, height(&a.rig))),
    }
}

/// Returns the place of the first difference, and a text that says which node or bone differs and by how much.
fn first_difference(diff: &TraceDiff, a: &Trace, b: &Trace, names: [&str; 2]) -> Option<(String, String)> {
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
            let within = diff.moves.iter().find(|own| own.step == step).map(move_text).unwrap_or_default();
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
        Place::Move(own) => (place(own.step), format!(": same result{}", move_text(own))),
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

/// Formats the first differing move of a stage: `; move 3 is body by centroid and left_thigh by child_constraint`.
fn move_text(own: &MoveDiff) -> String {
    let format_move = |own: &Option<TraceMove>| match own {
        Some(own) => format!("{} by {}", own.node.key(), own.cause),
        None => "none".to_owned(),
    };
    let (a, b) = (format_move(&own.a), format_move(&own.b));
    match a == b {
        true => format!("; from move {} on, {a}", own.index + 1),
        false => format!("; move {} is {a} and {b}", own.index + 1),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameDifference {
    /// The first differing stage, or the part of the result that differs.
    pub stage: String,
    /// The node or bone that differs, and the distance.
    detail: String,
    pub apart: ResultDistance,
}

/// Distance between the results of a game and of Kinescope.
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

#[derive(Clone, Debug, Default)]
pub struct Solvers {
    /// The solver of the last character with each index, up to [`MOST_SOLVERS`].
    by_character: Vec<Option<(Arc<GameCharacter>, GameSolver)>>,
    pub made: u64,
}

/// Largest number of solvers that are kept.
const MOST_SOLVERS: usize = 256;

impl Solvers {
    /// Drops all solvers. This is needed after a solver has panicked.
    pub fn clear(&mut self) {
        self.by_character.clear();
    }

    fn of(&mut self, index: usize, character: &Arc<GameCharacter>) -> Result<&mut GameSolver, Fault> {
        let index = index % MOST_SOLVERS;
        if self.by_character.len() <= index {
            self.by_character.resize_with(index + 1, || None);
        }
        let slot = &mut self.by_character[index];
        // Another character may have the index of one that left.
        if slot.as_ref().is_some_and(|(own, _)| !Arc::ptr_eq(own, character)) {
            *slot = None;
        }
        match slot {
            Some((_, solver)) => Ok(solver),
            None => {
                self.made += 1;
                Ok(&mut slot.insert((character.clone(), GameSolver::new(character)?)).1)
            }
        }
    }
}

/// Solves a game's frame and returns the first difference between the game's result and the solve, or `None` if there is
/// none above `tolerance`. Without `tolerance`, uses the default for the character's size.
///
/// # Errors
/// [`Fault`] for a frame that cannot be solved.
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

/// Comparison of a recording's frames with Kinescope's solve of the same inputs.
#[derive(Clone, Debug, Default)]
pub struct RecordingReport {
    /// Number of frames with a result.
    compared: usize,
    differing: usize,
    /// Character, frame number and time of the first differing frame, as one text.
    first: Option<String>,
    /// Stages in order of appearance, with the number of frames whose first difference is in the stage.
    stages: Vec<(String, usize)>,
    solvers: Solvers,
}

impl RecordingReport {
    /// Compares a frame. Returns a line if it differs, and `None` if it does not differ or has no result.
    pub fn frame(
        &mut self,
        frame: &GameFrame,
        character: &Arc<GameCharacter>,
        tolerance: Option<f32>,
    ) -> Result<Option<String>, String> {
        if frame.result.is_none() {
            return Ok(None);
        }
        self.compared += 1;
        let name = within_line(&character.name);
        let place = format!("{name} frame {} at {:.3} s", frame.frame, frame.time);
        let found =
            against_own(frame, character, &mut self.solvers, tolerance).map_err(|fault| format!("{place}: {fault}"))?;
        let Some(GameDifference { stage, detail, .. }) = found else { return Ok(None) };
        self.differing += 1;
        self.first.get_or_insert_with(|| place.clone());
        let line = format!("{place}: {stage}{}\n", within_line(&detail));
        match self.stages.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, count)) => *count += 1,
            None => self.stages.push((stage, 1)),
        }
        Ok(Some(line))
    }

    pub fn differs(&self) -> bool {
        self.differing > 0
    }

    /// Returns the last line of the report.
    ///
    /// # Errors
    /// A recording without results to compare.
    pub fn summary(&self) -> Result<String, String> {
        let Self { compared, differing, .. } = self;
        if *compared == 0 {
            return Err("no frame has a `result` to compare. Record the game's results".to_owned());
        }
        let Some(first) = &self.first else { return Ok(format!("{compared} frames compared, none differs\n")) };
        let stages: Vec<String> = self.stages.iter().map(|(stage, count)| format!("{stage} ({count})")).collect();
        let stages = stages.join("; ");
        Ok(format!(
            "{differing} of {compared} frames differ, the first is {first}; first differing stages: {stages}
"
        ))
    }
}

/// Formats a step: `iteration 1, stage2`, counted as in traces.
fn place(step: Step) -> String {
    match step.iteration {
        Some(iteration) => format!("iteration {iteration}, {}", step.stage.key()),
        None => step.stage.key().to_owned(),
    }
}

/// Returns the report's line for a capsule, and whether the capsule passes. `changes` lists its frames whose results differ.
/// Without `tolerance`, any change fails the capsule. With `tolerance` (model units), only a greater distance between
/// results does.
pub fn verdict(capsule: &Capsule, file: &str, changes: &[Change], tolerance: Option<f32>) -> (String, bool) {
    let length = |length: f32| length_text(length, extent(capsule.biped.as_ref(), &capsule.reference));
    let count = |count: usize| if count == 1 { "1 frame".to_owned() } else { format!("{count} frames") };
    let name = if capsule.name.is_empty() { file } else { &capsule.name };
    let name = format!("{} ({})", within_line(name), count(capsule.frames.len()));
    let Some(worst) = changes.iter().max_by(|a, b| a.distance.total_cmp(&b.distance).then(b.frame.cmp(&a.frame)))
    else {
        return (format!("ok  {name}\n"), true);
    };
    if let Some(tolerance) = tolerance.filter(|&tolerance| worst.distance <= tolerance) {
        let changed = count(changes.len());
        return (format!("ok within {}  {name}, {changed} changed\n", length(tolerance)), true);
    }
    let detail = match worst.distance > 0.0 {
        true if worst.distance.is_infinite() => format!("{} is not solved any more", worst.layer.label()),
        true => format!("{} {} from the recorded result", point(worst), length(worst.distance)),
        false => "the final nodes are the same, but a stage or a rotation differs".to_owned(),
    };
    let others = match changes.len() {
        1 => String::new(),
        others => format!(" ({} changed, this point most)", count(others)),
    };
    (format!("CHANGED  {file}: frame {}: {detail}{others}\n", worst.frame), false)
}

/// Formats a point: `left_hand`, `grounding, left_foot`.
fn point(change: &Change) -> String {
    match change.layer {
        LayerId::FullBody => change.point.clone(),
        layer => format!("{}, {}", layer.label(), change.point),
    }
}

/// Formats a length with enough digits to distinguish rounding errors from bugs.
pub(super) fn length_text(length: f32, height: f32) -> String {
    let (factor, unit) = unit(height);
    format!("{:.3} {unit}", length * factor)
}
