//! Compares each stage, each part of writing and the result with traces that an independent implementation made of real
//! characters.

use kinescope_ik::full_body::Node;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::trace::Trace;

use crate::common;

/// Tolerance of a position, as a fraction of the character's height.
const POSITION_TOLERANCE: f32 = 1e-4;
/// Tolerance of a rotation, degrees.
const ROTATION_TOLERANCE: f64 = 0.05;

fn height(reference: &[RigidTransform]) -> f32 {
    let heights = reference.iter().map(|bone| bone.position.y);
    heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min)
}

/// Returns the difference between a bone and its expected transform, if it exceeds the tolerance.
fn off(solved: &RigidTransform, expected: &RigidTransform, tolerance: f32) -> Option<String> {
    let (off, angle) = (solved.position.distance(expected.position), rotation_between(solved, expected));
    // Not `>`: NaN must count as a difference.
    let is_on = off <= tolerance && angle <= ROTATION_TOLERANCE;
    (!is_on).then(|| format!("{off:.6}, {angle:.4}°"))
}

pub fn differences(trace: &Trace) -> Vec<String> {
    let solved = match Trace::solve(&trace.model, trace.rig.clone(), trace.parameters) {
        Ok(solved) => solved,
        Err(error) => return vec![error.to_string()],
    };
    let tolerance = height(&trace.rig.reference) * POSITION_TOLERANCE;
    let mut found = Vec::new();
    if solved.steps.len() != trace.steps.len() {
        found.push(format!("{} steps instead of {}", solved.steps.len(), trace.steps.len()));
    }
    for ((step, nodes), (expected_step, expected)) in solved.steps.iter().zip(&trace.steps) {
        if step != expected_step {
            found.push(format!("{step:?} instead of {expected_step:?}"));
        }
        for node in Node::ALL {
            let off = nodes[node].distance(expected[node]);
            if off.is_nan() || off > tolerance {
                found.push(format!("{:?} {} {}: {off:.6}", step.iteration, step.stage.key(), node.key()));
            }
        }
    }
    let bones = trace.rig.skeleton.bones();
    if !trace.writes.is_empty() {
        let parts = |trace: &Trace| trace.writes.iter().map(|(part, bones)| (*part, bones.len())).collect::<Vec<_>>();
        if parts(&solved) != parts(trace) {
            found.push(format!("writes {:?} instead of {:?}", parts(&solved), parts(trace)));
        }
        for ((part, written), (_, expected)) in solved.writes.iter().zip(&trace.writes) {
            for ((index, written), (_, expected)) in written.iter().zip(expected) {
                let off = off(written, expected, tolerance);
                found.extend(off.map(|off| format!("write {} {}: {off}", part.key(), bones[*index].name)));
            }
        }
    }
    for ((bone, solved), expected) in bones.iter().zip(&solved.result).zip(&trace.result) {
        found.extend(off(solved, expected, tolerance).map(|off| format!("result {}: {off}", bone.name)));
    }
    found
}

/// Returns the angle between two rotations in degrees, computed in doubles: the tolerance is near the precision of an
/// f32 dot product.
fn rotation_between(a: &RigidTransform, b: &RigidTransform) -> f64 {
    let between = (a.rotation.as_dquat().normalize().conjugate() * b.rotation.as_dquat().normalize()).xyz().length();
    2.0 * between.min(1.0).asin().to_degrees()
}

#[test]
fn every_stage_agrees() {
    every_trace_agrees("golden", false);
}

#[test]
fn every_stage_of_writing_agrees() {
    every_trace_agrees("golden_writes", true);
}

fn every_trace_agrees(folder: &str, has_writes: bool) {
    let Some(folder) = common::shared(folder) else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let trace = Trace::from_json(&std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        count += 1;
        assert_eq!(has_writes, !trace.writes.is_empty(), "{}", path.display());
        let found = differences(&trace);
        if let Some(first) = found.first() {
            wrong.push(format!("{}: {} differences, first {first}", path.file_name().unwrap().display(), found.len()));
        }
    }
    assert!(count > 0, "no golden traces found");
    assert!(wrong.is_empty(), "{} of {count} files differ\n{}", wrong.len(), wrong.join("\n"));
    println!("{count} golden traces agree");
}

#[test]
fn read_back_it_solves_the_same_bit_for_bit() {
    let Some(folder) = common::shared("golden") else { return };
    for name in ["mpfb_mixamo_bend.json", "debug_robot_torso.json", "godette_vrm_v4_partial.json"] {
        let given = Trace::from_json(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap();
        let solved = Trace::solve(&given.model, given.rig, given.parameters).unwrap();
        let back = Trace::from_json(&solved.to_json()).unwrap();
        assert_eq!(back, solved, "{name}");
        let again = Trace::solve(&back.model, back.rig, back.parameters).unwrap();
        assert_eq!(again, solved, "{name}");
    }
}
