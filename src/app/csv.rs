//! The measures as a table that other programs read.

use super::session::Session;
use crate::debugger::measure::Measure;

/// A line a step or a frame, as the plots show, a column a measure. Lengths in model units, strain and stretch as
/// fractions.
///
/// # Errors
/// What the writer says.
pub fn table(session: &Session) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let say = |error: csv::Error| error.to_string();
    let measures: Vec<Measure> = Measure::all().collect();
    let keys = measures.iter().map(|measure| measure.key());
    if session.debugger.plots.over_frames {
        writer.write_record(["frame", "time"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        for frame in session.debugger.tape.frames() {
            let Some(state) = frame.settled_state() else { continue };
            let head = [frame.number.to_string(), format!("{:.4}", frame.time)];
            let values = measures.iter().map(|measure| measure.of(&frame.frame, state, &frame.gaps).to_string());
            writer.write_record(head.into_iter().chain(values)).map_err(say)?;
        }
    } else {
        writer.write_record(["step", "iteration", "stage"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        for (index, recorded) in session.recording.solve.steps.iter().enumerate() {
            let iteration = recorded.step.iteration.map_or_else(String::new, |iteration| iteration.to_string());
            let head = [index.to_string(), iteration, recorded.step.stage.key().to_owned()];
            let frame = &session.recording.frame;
            let gaps = session.step_gaps.get(index).copied().unwrap_or_default();
            let values = measures.iter().map(|measure| measure.of(frame, &recorded.state, &gaps).to_string());
            writer.write_record(head.into_iter().chain(values)).map_err(say)?;
        }
    }
    writer.into_inner().map_err(|error| error.to_string())
}
