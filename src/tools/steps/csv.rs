use crate::session::Session;
use kinescope_ik::stack::{Measure, MeasureId};
use kinescope_ik::stepped::Cursor;

/// Returns one row per step of the layer in focus, or per frame, whichever the plots show, with one column per measure.
/// Lengths are in model units, strain and stretch are fractions, angles are in radians.
pub fn table(session: &Session) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let say = |error: csv::Error| error.to_string();
    let measures: Vec<Measure> = session.world.solved.measures();
    let keys = measures.iter().map(|measure| measure.view.key.clone());
    let text = |value: Option<f32>| value.map_or_else(String::new, |value| value.to_string());
    if session.tools.debugger.plots.over_frames {
        writer.write_record(["frame", "time"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        for frame in session.tools.debugger.tape.frames() {
            let head = [frame.number.to_string(), format!("{:.4}", frame.time)];
            let values = measures.iter().map(|measure| text(frame.outcome(&measure.id)));
            writer.write_record(head.into_iter().chain(values)).map_err(say)?;
        }
    } else {
        writer.write_record(["step", "iteration", "stage"].map(str::to_owned).into_iter().chain(keys)).map_err(say)?;
        if let Some(run) = session.shown_run() {
            let ids: Vec<&MeasureId> = measures.iter().map(|measure| &measure.id).collect();
            let instants = (0..run.steps()).map(|step| Cursor { step, within: None });
            let rows = session.world.solved.values(&session.world.character.rig, &ids, session.focus(), instants);
            for (step, values) in rows.into_iter().enumerate() {
                let view = run.step(step);
                let iteration = view.iteration.map_or_else(String::new, |iteration| iteration.to_string());
                let head = [step.to_string(), iteration, view.key.to_owned()];
                writer.write_record(head.into_iter().chain(values.into_iter().map(text))).map_err(say)?;
            }
        }
    }
    writer.into_inner().map_err(|error| error.to_string())
}
