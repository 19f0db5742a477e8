use std::fmt::Write;
use std::sync::Arc;

use crate::system::files::within_line;
use crate::tools::compare::report::{GameDifference, Solvers, against_own, first_difference, length_text};
use kinescope_ik::capsule::{Capsule, Change};
use kinescope_ik::full_body::Step;
use kinescope_ik::game_recording::{GameCharacter, GameFrame};
use kinescope_ik::key::label;
use kinescope_ik::stack::LayerId;
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::{Place, ROTATION_TOLERANCE, StepDiff, TraceDiff, WriteDiff, extent, height};

pub(crate) fn report(diff: &TraceDiff, a: &Trace, b: &Trace, [name_a, name_b]: [&str; 2]) -> String {
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
    line(format!("{:>9}  {:<20}  {:>34}  {:>15}", "iteration", "stage", "largest difference", "above tolerance"));
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
                // If only rotations differ, a distance would not show it.
                let detail = largest.as_ref().map_or(String::new(), |bone| {
                    let only_turned = bone.distance <= diff.tolerance && diff.is_off(bone);
                    let apart = if only_turned { format!("{:.3}°", bone.degrees) } else { length(bone.distance) };
                    format!("{} {apart}", bone.bone)
                });
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
            line(format!("{name} has no writes: the stages of writing are not compared"));
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
        _ => line("result: not compared, as a trace has no result or the numbers of bones differ".to_owned()),
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

#[derive(Clone, Debug, Default)]
pub(crate) struct RecordingReport {
    compared: usize,
    differing: usize,
    first: Option<String>,
    stages: Vec<(String, usize)>,
    solvers: Solvers,
}

impl RecordingReport {
    /// Compares a frame's recorded result with Kinescope's own solve. Returns a line if they differ, and `None` if they
    /// do not or the frame has no result. A frame that cannot be solved is an error.
    pub(crate) fn frame(
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

    pub(crate) fn differs(&self) -> bool {
        self.differing > 0
    }

    pub(crate) fn summary(&self) -> Result<String, String> {
        let Self { compared, differing, .. } = self;
        if *compared == 0 {
            return Err("no frame has a `result` to compare. Record the game's results".to_owned());
        }
        let Some(first) = &self.first else { return Ok(format!("{} compared, none differs\n", frames(*compared))) };
        let stages: Vec<String> = self.stages.iter().map(|(stage, count)| format!("{stage} ({count})")).collect();
        let stages = stages.join("; ");
        Ok(format!(
            "{differing} of {compared} frames differ, the first is {first}; first differing stages: {stages}
"
        ))
    }
}

fn frames(count: usize) -> String {
    if count == 1 { "1 frame".to_owned() } else { format!("{count} frames") }
}

/// Returns the report's line for a capsule, and whether the capsule passes. `changes` lists its frames whose results differ.
/// Without `tolerance`, any change fails the capsule. With `tolerance` (model units), only a greater distance between
/// results does.
pub(crate) fn verdict(capsule: &Capsule, file: &str, changes: &[Change], tolerance: Option<f32>) -> (String, bool) {
    let length = |length: f32| length_text(length, extent(capsule.biped.as_ref(), &capsule.reference));
    let name = if capsule.name.is_empty() { file } else { &capsule.name };
    let name = format!("{} ({})", within_line(name), frames(capsule.frames.len()));
    let Some(worst) = changes.iter().max_by(|a, b| a.distance.total_cmp(&b.distance).then(b.frame.cmp(&a.frame)))
    else {
        return (format!("ok  {name}\n"), true);
    };
    if let Some(tolerance) = tolerance.filter(|&tolerance| worst.distance <= tolerance) {
        let changed = frames(changes.len());
        return (format!("ok within {}  {name}, {changed} changed\n", length(tolerance)), true);
    }
    let detail = match worst.distance > 0.0 {
        true if worst.distance.is_infinite() => format!(
            "{} cannot be compared: not solved, another number of points, or a point that is not finite",
            worst.layer.label()
        ),
        true => format!("{} {} from the recorded result", point(worst), length(worst.distance)),
        false => format!("{} has the same final points, but a step or a rotation differs", worst.layer.label()),
    };
    let are_equal = changes.iter().all(|change| change.distance == worst.distance);
    let others = match changes.len() {
        1 => String::new(),
        others if are_equal => format!(" ({} changed, this frame first)", frames(others)),
        others => format!(" ({} changed, this frame most)", frames(others)),
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
