//! Stage by stage against traces that an independent implementation made of real characters.

use kinescope::full_body::Node;
use kinescope::rig::RigidTransform;
use kinescope::trace::Trace;

use crate::common;

/// Of the character's height.
const POSITION_TOLERANCE: f32 = 1e-4;
/// Degrees.
const ROTATION_TOLERANCE: f64 = 0.05;

fn height(reference: &[RigidTransform]) -> f32 {
    let heights = reference.iter().map(|bone| bone.position.y);
    heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min)
}

/// Every way in which `trace`, solved anew, differs from what it says.
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
    for ((bone, solved), expected) in trace.rig.skeleton.bones().iter().zip(&solved.result).zip(&trace.result) {
        let off = solved.position.distance(expected.position);
        if off.is_nan() || off > tolerance {
            found.push(format!("result {}: {off:.6}", bone.name));
        }
        let angle = rotation_between(solved, expected);
        if angle.is_nan() || angle > ROTATION_TOLERANCE {
            found.push(format!("result {}: {angle:.4}°", bone.name));
        }
    }
    found
}

/// Degrees, in doubles: the tolerance is near what an f32 dot product can tell.
fn rotation_between(a: &RigidTransform, b: &RigidTransform) -> f64 {
    let between = (a.rotation.as_dquat().normalize().conjugate() * b.rotation.as_dquat().normalize()).xyz().length();
    2.0 * between.min(1.0).asin().to_degrees()
}

#[test]
fn every_stage_agrees() {
    let Some(folder) = common::shared("golden") else { return };
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
