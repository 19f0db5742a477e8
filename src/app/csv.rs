//! The measures as a table that other programs read.

use super::session::Session;
use crate::stack::{Measure, MeasureId};
use crate::stepped::Cursor;

/// A line a step of the layer in focus, or a frame, as the plots show, a column a measure. Lengths in model units,
/// strain and stretch as fractions, angles in radians.
///
/// # Errors
/// What the writer says.
pub fn table(session: &Session) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let say = |error: csv::Error| error.to_string();
    let measures: Vec<Measure> = session.solved.measures();
    let keys = measures.iter().map(|measure| measure.view.key.clone());
    let text = |value: Option<f32>| value.map_or_else(String::new, |value| value.to_string());
    if session.debugger.plots.over_frames {
        writer.write_record(["frame", "time"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        for frame in session.debugger.tape.frames() {
            let head = [frame.number.to_string(), format!("{:.4}", frame.time)];
            let values = measures.iter().map(|measure| text(frame.outcome(&measure.id)));
            writer.write_record(head.into_iter().chain(values)).map_err(say)?;
        }
    } else {
        writer.write_record(["step", "iteration", "stage"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        let (focus, rig, solved) = (session.focus(), &session.character.rig, &session.solved);
        let run = session.shown_run();
        for step in 0..run.map_or(0, |run| run.steps()) {
            let Some(view) = run.map(|run| run.step(step)) else { continue };
            let iteration = view.iteration.map_or_else(String::new, |iteration| iteration.to_string());
            let head = [step.to_string(), iteration, view.key.to_owned()];
            let at = Cursor { step, within: None };
            // All gaps of a step are those of one pose.
            let gaps = solved.gaps(&solved.pose_at(rig, focus, at));
            let value = |measure: &Measure| match &measure.id {
                MeasureId::WorstGap => Some(gaps.iter().map(|gap| gap.distance).fold(0.0, f32::max)),
                MeasureId::Gap(key) => gaps.iter().find(|gap| gap.key == *key).map(|gap| gap.distance),
                id @ MeasureId::Of(..) => solved.measure(rig, id, focus, at),
            };
            writer
                .write_record(head.into_iter().chain(measures.iter().map(|measure| text(value(measure)))))
                .map_err(say)?;
        }
    }
    writer.into_inner().map_err(|error| error.to_string())
}
