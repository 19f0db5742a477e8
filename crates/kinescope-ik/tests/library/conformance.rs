//! The conformance kit finds bugs that are planted in a port, a separate implementation of the solver.

use std::collections::BTreeMap;
use std::sync::Mutex;

use kinescope_ik::conformance::{Case, Feature, ROWS, earliest, slow_growth};
use kinescope_ik::full_body::{Node, Settings, Stage};
use kinescope_ik::trace::{More, Trace};
use kinescope_ik::trace_diff::{Place, TraceDiff, default_tolerance};

use crate::port::Port;
use crate::port::bugs::{BUGS, Bug, Kind};
use crate::settings_coverage::kit;

/// Returns the answers of a port with `bug` to all cases. One port solves all frames of a case. It rounds the nodes
/// after each stage to multiples of `rounding`, in tolerances of the comparison; 0 for no rounding.
fn answers(bug: Bug, rounding: f64) -> Vec<Trace> {
    let mut port = None;
    let answer = |case: &Case| {
        if case.frame == 1 {
            port = None;
        }
        let port = port.get_or_insert_with(|| Port::new(&case.trace.rig, bug));
        port.grid = rounding * f64::from(default_tolerance(&case.trace.rig));
        port.answer(&case.trace.rig, &case.trace.parameters)
    };
    kit().iter().map(answer).collect()
}

/// How much a port reports, from everything to the result alone.
const REPORTED: [fn(Trace) -> Trace; 4] = [
    |all| all,
    |all| Trace { more: More::default(), ..all },
    |all| Trace { more: More::default(), writes: Vec::new(), ..all },
    |all| Trace { more: More::default(), writes: Vec::new(), steps: Vec::new(), ..all },
];

/// Returns the table's rows that fit the first difference; `None` if there is none.
fn rows_of(found: &TraceDiff) -> Option<Vec<&'static str>> {
    let place = found.first_place()?;
    assert!(!matches!(place, Place::Rig(_) | Place::Parameter(_)), "{place:?}");
    Some(ROWS.iter().filter(|row| row.fits(found)).map(|row| row.first).collect())
}

#[test]
fn a_port_without_a_bug_agrees_with_every_case() {
    for (case, answer) in kit().iter().zip(answers(Bug::None, 0.0)) {
        for reduce in REPORTED {
            let found = case.check(&reduce(answer.clone())).unwrap();
            assert!(found.is_same(), "{}: {:?}", case.name, found.first_place());
            assert!(case.check(&reduce(case.trace.clone())).unwrap().is_same());
        }
        let read = Trace::from_json(&case.trace.to_json()).unwrap();
        assert_eq!(read, case.trace, "{}", case.name);
    }
}

#[derive(Debug)]
struct Finding {
    /// The case and the rows of the earliest difference; `None` if the kit finds none.
    named: Option<(String, Vec<&'static str>)>,
    /// The same for a port that reports the stages, but no constants.
    named_without_constants: Option<(String, Vec<&'static str>)>,
    differing: usize,
    /// Whether the poses alone show the bug.
    is_in_poses: bool,
    is_rounding: bool,
}

fn find(bug: Bug, sound: &[Trace]) -> Finding {
    let answers = answers(bug, 0.0);
    // The port without a bug agrees in every case, so answers that the bug does not change are not checked.
    let changed: Vec<(&Case, &Trace)> =
        kit().iter().zip(&answers).zip(sound).filter(|((_, own), sound)| *own != *sound).map(|(own, _)| own).collect();
    let check = |reduce: fn(Trace) -> Trace| -> Vec<(&Case, TraceDiff)> {
        let found = changed.iter().map(|(case, own)| (*case, case.check(&reduce((*own).clone())).unwrap()));
        found.filter(|(_, found)| !found.is_same()).collect()
    };
    let named = |found: &[(&Case, TraceDiff)]| {
        let (case, found) = &found[earliest(found.iter().map(|(_, found)| found))?];
        Some((case.name.clone(), rows_of(found)?))
    };
    let [all, without_constants] = [REPORTED[0], REPORTED[1]].map(check);
    let is_in_poses = changed.iter().any(|(case, own)| !case.check(&REPORTED[3]((*own).clone())).unwrap().is_same());
    let first = earliest(all.iter().map(|(_, found)| found));
    Finding {
        named: named(&all),
        named_without_constants: named(&without_constants),
        differing: all.len(),
        is_in_poses,
        is_rounding: first.is_some_and(|first| slow_growth(&all[first].1).is_some()),
    }
}

/// Plants every bug in the port. The kit must catch all of them and name the stage of at least 95 %, also if
/// the port reports no constants. The poses alone must show all but two.
#[test]
fn every_planted_bug_is_caught_and_named() {
    let sound = answers(Bug::None, 0.0);
    let (next, findings) = (Mutex::new(0), Mutex::new(BTreeMap::new()));
    let work = || loop {
        let index = {
            let mut next = next.lock().unwrap();
            *next += 1;
            *next - 1
        };
        let Some((bug, ..)) = BUGS.get(index) else { return };
        let found = find(*bug, &sound);
        findings.lock().unwrap().insert(index, found);
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let findings = findings.into_inner().unwrap();
    let (mut wrong, mut vague, mut missed, mut hidden) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut by_kind: BTreeMap<Kind, [usize; 3]> = BTreeMap::new();
    for (index, (bug, kind, what, expected)) in BUGS.iter().enumerate() {
        assert!(expected.iter().all(|row| ROWS.iter().any(|own| own.first == *row)), "{expected:?}");
        let found = &findings[&index];
        let is_named = |named: &Option<(String, Vec<&'static str>)>, expected: Option<&&str>| {
            named.as_ref().is_some_and(|(_, rows)| rows.iter().any(|row| Some(row) == expected))
        };
        let counts = by_kind.entry(*kind).or_default();
        counts[0] += 1;
        counts[1] += usize::from(found.named.is_some());
        counts[2] += usize::from(is_named(&found.named, expected.first()));
        let verdict = match &found.named {
            Some((case, rows)) => format!("{case}: {}", rows.join("; ")),
            None => "NOT CAUGHT".to_owned(),
        };
        println!("{:<24} {what:<70} {:>2} cases  {verdict}", kind.name(), found.differing);
        if found.named.is_none() || found.is_rounding {
            missed.push(format!("{bug:?} {}", if found.is_rounding { "as rounding" } else { "" }));
        }
        if !is_named(&found.named, expected.first()) {
            wrong.push(format!("{bug:?}: {:?} instead of {:?}", found.named, expected.first()));
        }
        if !is_named(&found.named_without_constants, expected.last()) {
            vague.push(format!("{bug:?}: {:?} instead of {:?}", found.named_without_constants, expected.last()));
        }
        if !found.is_in_poses {
            hidden.push(*bug);
        }
    }
    println!("\n{:<24} {:>5} {:>7} {:>6}", "kind", "bugs", "caught", "named");
    for (kind, [bugs, caught, named]) in &by_kind {
        println!("{:<24} {bugs:>5} {caught:>7} {named:>6}", kind.name());
    }
    println!("{} bugs, {} caught, {} named", BUGS.len(), BUGS.len() - missed.len(), BUGS.len() - wrong.len());
    println!("not at the expected stage:\n{}", wrong.join("\n"));
    println!("{} are not at the expected stage without constants:\n{}", vague.len(), vague.join("\n"));
    assert!(BUGS.len() >= 60 && by_kind.len() == Kind::ALL.len() && by_kind.len() >= 10);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    for named in [&wrong, &vague] {
        assert!(100 * named.len() <= 5 * BUGS.len(), "{}", named.join("\n"));
    }
    // Later stages overwrite what these two bugs change before it reaches the pose.
    hidden.retain(|bug| !matches!(bug, Bug::IteratesWithoutFabrik | Bug::BackwardLengthIndex));
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// A port rounds all nodes after each stage. In at least four fifths of the cases that differ, the report says that the
/// difference is rounding.
#[test]
fn rounding_is_recognized() {
    let found: Vec<TraceDiff> =
        kit().iter().zip(answers(Bug::None, 0.25)).map(|(case, own)| case.check(&own).unwrap()).collect();
    let differing: Vec<&TraceDiff> = found.iter().filter(|found| !found.is_same()).collect();
    let rounding = differing.iter().filter(|found| slow_growth(found).is_some()).count();
    println!("{} cases differ, {rounding} by rounding", differing.len());
    // The other cases have nearly straight limbs, which amplify rounding at once.
    assert!(rounding > 30 && 5 * rounding >= 4 * differing.len(), "{rounding} of {}", differing.len());
}

/// A case uses the features that its settings turn on, also by default. Master weight 0 turns all of them off, 0
/// iterations the FABRIK pass.
#[test]
fn features_of_cases_are_recognized() {
    let case = |name: &str| kit().iter().find(|case| case.name == name).unwrap();
    let features = |name: &str| Feature::ALL.into_iter().filter(|own| case(name).uses(*own)).collect::<Vec<_>>();
    assert_eq!(features("01-nothing-asked"), [Feature::FabrikPass]);
    assert_eq!(features("02-no-weight"), []);
    assert_eq!(features("05-no-iterations"), []);
    assert!(features("08-far-and-pulled").contains(&Feature::PullBody));
    assert!(!features("07-reach").contains(&Feature::BendGoals));
    for feature in Feature::ALL {
        let using = kit().iter().filter(|case| case.uses(feature)).count();
        assert!(0 < using && using < kit().len(), "{} is in {using} cases", feature.key());
        assert_eq!(Feature::from_key(feature.key()), Some(feature));
    }
}

/// The poses go through local transforms and back, as in an engine, which changes their last bits.
#[test]
fn differences_by_rounding_are_ignored() {
    for case in kit() {
        let mut rig = case.trace.rig.clone();
        let bones = rig.skeleton.bones().to_vec();
        for pose in [&mut rig.reference, &mut rig.animated] {
            let as_was = pose.clone();
            for bone in 0..bones.len() {
                let Some(parent) = bones[bone].parent else { continue };
                pose[bone] = pose[parent].transform(&as_was[parent].to_local(&as_was[bone]));
                pose[bone].rotation = pose[bone].rotation.normalize();
            }
        }
        let found = Trace::whole("a port", rig, case.trace.parameters).unwrap();
        let found = case.check(&Trace { rig: case.trace.rig.clone(), ..found }).unwrap();
        assert!(found.is_same(), "{}: {:?}", case.name, found.first_place());
    }
}

#[test]
fn a_different_input_is_reported_first() {
    let cases = kit();
    let case = cases.iter().find(|case| case.name == "07-reach").unwrap();
    let asked = |rig: &Trace, change: fn(&mut Settings)| {
        let mut settings = case.trace.parameters;
        change(&mut settings);
        let answer = Trace::whole("a port", rig.rig.clone(), settings).unwrap();
        ROWS.iter().filter(|row| row.fits(&case.check(&answer).unwrap())).map(|row| row.first).collect::<Vec<_>>()
    };
    for rows in [
        asked(&case.trace, |settings| settings.solver.iterations = 3),
        asked(&case.trace, |settings| settings.chains[0].reach = 0.1),
        asked(&cases[20].trace, |_| {}),
    ] {
        assert_eq!(rows, ["the rig, or a parameter"]);
    }
}

#[test]
fn reported_stages_come_before_missing_ones() {
    let case = &kit()[6];
    let place = |answer: &Trace| case.check(answer).unwrap().first_place().map(|place| format!("{place:?}"));
    let mut answer = REPORTED[1](case.trace.clone());
    answer.steps.retain(|(step, _)| step.stage != Stage::Push);
    assert!(place(&answer).unwrap().contains("Push }, None"), "{:?}", place(&answer));
    let reach = answer.steps.iter_mut().find(|(step, _)| step.stage == Stage::Reach).unwrap();
    reach.1[Node::Body].y += 1.0;
    assert!(place(&answer).unwrap().contains("Reach }, Some"), "{:?}", place(&answer));
}

#[test]
fn cases_have_numbers_and_descriptions() {
    let mut number = 0;
    for case in kit() {
        // Frames of a case have its number.
        number += usize::from(case.frame == 1);
        assert!(case.name.starts_with(&format!("{number:02}-")), "{}", case.name);
        assert!(case.about.ends_with('.') && case.about.len() > 30, "{}", case.about);
    }
}

#[test]
fn empty_and_incomplete_answers_are_rejected() {
    let cases = kit();
    let refused = |case: usize, change: &dyn Fn(&mut Trace)| {
        let mut answer = cases[case].trace.clone();
        change(&mut answer);
        cases[case].check(&answer).unwrap_err().to_string()
    };
    let nothing = |answer: &mut Trace| *answer = Trace { result: Vec::new(), ..REPORTED[3](answer.clone()) };
    assert!(refused(2, &nothing).contains("at least one of them is needed"));
    // With a master weight of 0 there are no stages: the answer is the pose alone.
    assert!(refused(1, &nothing).contains("result: is missing"));
    assert!(
        refused(2, &|answer| answer.writes[1] = answer.writes[0].clone()).contains("writes[1].stage: is spine again")
    );
    let lacks = refused(2, &|answer| _ = answer.writes[0].1.pop_first());
    assert!(lacks.contains("writes[0].bones: lacks bone 0 (\"pelvis\")"), "{lacks}");
    // Writes are a difference in a case that writes nothing.
    let answer = Trace { writes: cases[2].trace.writes.clone(), ..cases[1].trace.clone() };
    assert!(!cases[1].check(&answer).unwrap().is_same());
}
