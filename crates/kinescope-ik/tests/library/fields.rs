//! Differences of two stacks by path, and stacks with such changes.

use glam::Vec3;
use kinescope_ik::chain_ik::BendRule;
use kinescope_ik::debugger::fields::{Change, changes, with_changes};
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{LabSection, Stack};
use serde_json::Value;

#[test]
fn a_difference_is_carried_over_and_nothing_else() {
    let before = Stack::default();
    let mut after = before.clone();
    after.full_body.chain_mut(LimbName::LeftArm).pull = 0.25;
    after.full_body.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.1, 1.2, 0.3));
    after.grounding.predictive.max_step = 0.25;
    let found = changes(&before, &after);
    let paths: Vec<&str> = found.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["chains.left_arm.pull", "effectors.left_hand.position", "grounding.predictive.max_step"]);

    let mut other = before.clone();
    other.full_body.pin = 0.5;
    let carried = with_changes(&other, &found).unwrap();
    let mut expected = after.clone();
    expected.full_body.pin = 0.5;
    assert!(carried == expected);
    after.chain_ik.lab = Some(LabSection::default());
    for [from, to] in [[&before, &after], [&after, &before]] {
        assert!(with_changes(from, &changes(from, to)).unwrap() == *to);
    }
    assert!(changes(&after, &after).is_empty());
    // Files omit `scale_free_reach` at its default.
    let mut free = before.clone();
    free.full_body.chain_mut(LimbName::LeftLeg).scale_free_reach = true;
    for [from, to] in [[&before, &free], [&free, &before]] {
        let found = changes(from, to);
        assert!(found.len() == 1 && found[0].before.is_boolean() && with_changes(from, &found).unwrap() == *to);
    }
    let mut smooth = before.clone();
    smooth.full_body.chain_mut(LimbName::LeftLeg).clamp_smoothing = 2;
    let mut literal = before.clone();
    literal.chain_ik.lab = Some(LabSection::default());
    let mut lab = literal.clone();
    lab.chain_ik.lab.as_mut().unwrap().lanes[0].bend_rule = BendRule::Literal;
    for [from, to] in [[&before, &smooth], [&smooth, &before], [&literal, &lab], [&lab, &literal]] {
        let found = changes(from, to);
        assert!(!found.is_empty() && with_changes(from, &found).unwrap() == *to, "{found:?}");
    }
}

#[test]
fn wrong_paths_and_values_are_named() {
    let change = |path: &str, after: Value| Change { path: path.to_owned(), before: Value::Null, after };
    let error = with_changes(&Stack::default(), &[change("chains.left_arm.pul", 1.0.into())]).unwrap_err();
    assert!(error.to_string().starts_with("chains.left_arm.pul:"), "{error}");
    let error = with_changes(&Stack::default(), &[change("chains.left_arm.pull", 7.0.into())]).unwrap_err();
    assert!(error.to_string().contains("chains.left_arm.pull: is 7"), "{error}");
    assert!(with_changes(&Stack::default(), &[change("solver.weight", "much".into())]).is_err());
    assert!(with_changes(&Stack::default(), &[change("no_section.weight", 1.0.into())]).is_err());
}

#[test]
fn a_field_of_a_section_that_the_stack_lacks_creates_the_section() {
    let mut literal = Stack::default();
    literal.chain_ik.lab = Some(LabSection::default());
    let mut changed = literal.clone();
    changed.chain_ik.lab.as_mut().unwrap().over = !LabSection::default().over;
    let found = changes(&literal, &changed);
    assert!(with_changes(&Stack::default(), &found).unwrap() == changed, "{found:?}");
}
