//! The report of `conformance --check`: a port's answers to the conformance kit.

use std::fmt::Write;

use super::report::{describe, length_text};
use kinescope_ik::conformance::{self, Case, Feature, ROWS, slow_growth};
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::{TraceDiff, height};

pub enum Answer {
    Missing,
    Broken(String),
    Read(Box<Trace>),
}

enum Outcome {
    Skipped(Feature),
    Missing,
    Broken(String),
    Agrees,
    Differs(Box<(TraceDiff, Trace)>),
}

/// Compares a port's answers with the cases, except those that use a feature of `lacks`. Returns the report and whether
/// all compared cases agree.
pub fn kit_report(cases: &[Case], lacks: &[Feature], answer: impl Fn(&Case) -> Answer) -> (String, bool) {
    let outcome = |case: &Case| match lacks.iter().find(|feature| case.uses(**feature)) {
        Some(feature) => Outcome::Skipped(*feature),
        None => match answer(case) {
            Answer::Missing => Outcome::Missing,
            Answer::Broken(error) => Outcome::Broken(error),
            Answer::Read(answer) => match case.check(&answer) {
                Err(fault) => Outcome::Broken(fault.to_string()),
                Ok(found) if found.is_same() => Outcome::Agrees,
                Ok(found) => Outcome::Differs(Box::new((found, *answer))),
            },
        },
    };
    let all: Vec<(&Case, Outcome)> = cases.iter().map(|case| (case, outcome(case))).collect();
    let count = |is: fn(&Outcome) -> bool| all.iter().filter(|(_, own)| is(own)).count();
    let (agreed, skipped) =
        (count(|own| matches!(own, Outcome::Agrees)), count(|own| matches!(own, Outcome::Skipped(_))));
    let mut text = verdict(&all);
    all.iter().for_each(|(case, own)| text += &line(case, own));
    let compared = cases.len() - skipped;
    let _ = write!(text, "{agreed} of {compared} cases agree");
    if skipped > 0 {
        let keys = lacks.iter().map(|feature| feature.key()).collect::<Vec<_>>().join(", ");
        let _ = write!(text, "; {skipped} are skipped, because the port lacks {keys}");
    }
    (text + "\n", agreed == compared)
}

fn verdict(all: &[(&Case, Outcome)]) -> String {
    let differing: Vec<(&Case, &TraceDiff, &Trace)> = all
        .iter()
        .filter_map(|(case, own)| match own {
            Outcome::Differs(own) => Some((*case, &own.0, &own.1)),
            _ => None,
        })
        .collect();
    let Some((case, found, answer)) =
        conformance::earliest(differing.iter().map(|(_, found, _)| *found)).map(|first| differing[first])
    else {
        return String::new();
    };
    if slow_growth(found).is_some() {
        return "All differences grow slowly from stage to stage: rounding, not a bug. Compute in f32 or better.\n\n"
            .to_owned();
    }
    let mut text = format!(
        "First difference in solving order, over all cases: {}\n  case: {}. {}\n",
        difference(case, found, answer),
        case.name,
        case.about
    );
    for row in ROWS.iter().filter(|row| row.fits(found)) {
        let _ = writeln!(text, "  see: {} ({})", row.look_at, row.first.replace('`', ""));
    }
    text + "\n"
}

fn difference(case: &Case, found: &TraceDiff, answer: &Trace) -> String {
    conformance::first_difference(found).map_or(String::new(), |place| {
        let (place, detail) = describe(place, found, answer, &case.trace, ["the port", "Kinescope"]);
        format!("{place}{detail}")
    })
}

fn line(case: &Case, outcome: &Outcome) -> String {
    let name = &case.name;
    match outcome {
        Outcome::Skipped(feature) => format!("skipped  {name}: uses {}\n", feature.key()),
        Outcome::Missing => format!("MISSING  {name}: {}\n", case.about),
        Outcome::Broken(error) => format!("BROKEN   {name}: {error}\n"),
        Outcome::Agrees => format!("ok       {name}\n"),
        Outcome::Differs(own) => {
            let (found, answer) = &**own;
            let detail = difference(case, found, answer);
            let length = |length: f32| length_text(length, height(&case.trace.rig));
            match slow_growth(found) {
                Some(growth) => format!(
                    "ROUNDING {name}: {detail}; grows slowly from {} to {}\n",
                    length(growth.from),
                    length(growth.to)
                ),
                None => format!("DIFFERS  {name}: {detail}\n"),
            }
        }
    }
}
