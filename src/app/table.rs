//! The table of stages that `trace` prints.

use std::fmt::Write;

use super::character::Character;
use crate::stepped::run::{Cursor};
use crate::debugger::measure::{Gaps, Measure};
use crate::full_body::Recording;
use crate::full_body::{Effector, Settings, State};
use crate::rig::ModelPose;

/// One line a stage: effector error, constraint strain, largest node move.
///
/// # Errors
/// Why the character has no solver, or this frame cannot be solved.
pub fn stages(character: &Character, animated: &ModelPose, settings: &Settings) -> Result<String, String> {
    let (solver, _) = character.solver.as_ref().map_err(|error| format!("{}: {error}", character.model.name))?;
    let mut recording = Recording::default();
    let done = recording.record(solver, &mut solver.workspace(), settings, &mut animated.bones.clone());
    done.map_err(|error| format!("{}: {error}", character.model.name))?;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:>9}  {:<20}  {:>26}  {:>16}  {:>26}  {:>5}",
        "iteration", "stage", "largest effector error", "largest strain", "largest node move", "moves"
    );
    for (index, recorded) in recording.solve.steps.iter().enumerate() {
        let iteration = recorded.step.iteration.map_or(String::new(), |iteration| iteration.to_string());
        let (effector, error) = largest_error(&recording, &recorded.state);
        let (moved, distance) = largest_move(&recording, index);
        let named = |name: Option<&str>, value: f32| match name {
            Some(name) => format!("{name} {value:.5}"),
            None => "–".to_owned(),
        };
        let _ = writeln!(
            out,
            "{iteration:>9}  {:<20}  {:>26}  {:>14.2} %  {:>26}  {:>5}",
            recorded.step.stage.key(),
            named(effector.map(Effector::key), error),
            Measure::LargestStrain.of(&recording.frame, &recorded.state, &Gaps::default()) * 100.0,
            named(moved.map(|node| node.key()), distance),
            recording.solve.events_of(index).len(),
        );
    }
    match Cursor::end(&recording).state(&recording) {
        None => out.push_str("master weight 0: no steps\n"),
        Some(_) => out.push_str("errors and moves in model units\n"),
    }
    Ok(out)
}

/// The effector with weight that is furthest from its target.
pub fn largest_error(recording: &Recording, state: &State) -> (Option<Effector>, f32) {
    Effector::ALL.into_iter().fold((None, 0.0), |best, effector| {
        let error = Measure::NodeError(effector).of(&recording.frame, state, &Gaps::default());
        let has_weight = recording.frame.effector(effector).position_weight > 0.0;
        if has_weight && error >= best.1 { (Some(effector), error) } else { best }
    })
}
