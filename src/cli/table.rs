use std::fmt::Write;

use kinescope_ik::full_body::BodyRun;
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::{Cursor, Unit, largest_move};

pub(crate) fn stages(run: &BodyRun) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:>9}  {:<20}  {:>26}  {:>16}  {:>26}  {:>5}",
        "iteration", "stage", "largest effector error", "largest strain", "largest move", "moves"
    );
    let (measures, points, goals) = (run.measures(), run.points(), run.goals());
    let strain = measures.iter().position(|measure| measure.key == "largest_strain");
    let named = |name: Option<String>, value: f32| match name {
        Some(name) => format!("{name} {value:.5}"),
        None => "–".to_owned(),
    };
    for step in 0..run.steps() {
        let (view, at) = (run.step(step), Cursor { step, within: None });
        let iteration = view.iteration.map_or(String::new(), |iteration| iteration.to_string());
        let errors =
            measures.iter().enumerate().filter(|(_, measure)| measure.is_error && measure.unit == Unit::Length);
        let weighted = errors.zip(&goals).filter(|(_, goal)| goal.weight > 0.0);
        let error = weighted.map(|((index, _), goal)| (goal.key.clone(), run.measure(index, at)));
        let error = error.max_by(|a, b| a.1.total_cmp(&b.1));
        let strain = strain.map_or(0.0, |index| run.measure(index, at));
        let furthest = largest_move(run, step);
        let _ = writeln!(
            out,
            "{iteration:>9}  {:<20}  {:>26}  {:>14.2} %  {:>26}  {:>5}",
            view.key,
            error.map_or("–".to_owned(), |(name, value)| named(Some(name), value)),
            strain * 100.0,
            furthest.map_or("–".to_owned(), |(point, way)| named(Some(points[point].key.clone()), way)),
            run.events(step),
        );
    }
    out.push_str(if run.steps() == 0 { "master weight 0: no steps\n" } else { "errors and moves in model units\n" });
    out
}
