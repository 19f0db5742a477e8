//! Scenes of one task with more and more iterations.

use super::Scene;
use super::rest::RestPose;
use super::targets::{pin, plant};
use crate::world::document::Document;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;

/// Sets the number of iterations and the targets: those of the hands are beyond the length of the arms, the left foot
/// steps forward, and the right foot stays.
pub(super) fn with_iterations(document: &mut Document, rest: &RestPose, iterations: u32) {
    let settings = &mut document.stack.full_body;
    settings.solver.iterations = iterations;
    plant(settings, rest, Effector::RightFoot);
    pin(settings, Effector::LeftFoot, rest.moved(Effector::LeftFoot, 0.02, 0.06, 0.16));
    pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 1.25, 0.5, 0.4, 1.0));
    pin(settings, Effector::RightHand, rest.reached(LimbName::RightArm, 1.1, -0.6, -0.8, 0.1));
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "iterations 0",
        purpose: "No iterations: each limb is solved alone, the torso stays as animated.",
        hint: "Compare with iterations 1, where the torso moves too.",
        setup: |document, rest| with_iterations(document, rest, 0),
        script: None,
    },
    Scene {
        name: "iterations 1",
        purpose: "One iteration: torso and limbs pull on each other once.",
        hint: "Look at the hands' node errors before final effectors, which puts the nodes on their targets.",
        setup: |document, rest| with_iterations(document, rest, 1),
        script: None,
    },
    Scene {
        name: "iterations 2",
        purpose: "Two iterations, on the same targets.",
        hint: "The second iteration moves less than the first.",
        setup: |document, rest| with_iterations(document, rest, 2),
        script: None,
    },
    Scene {
        name: "iterations 4",
        purpose: "Four iterations, the default.",
        hint: "Step by iterations: each iteration moves the torso less.",
        setup: |document, rest| with_iterations(document, rest, 4),
        script: None,
    },
    Scene {
        name: "iterations 8",
        purpose: "Eight iterations: how much does the result still improve?",
        hint: "Compare the gap with iterations 4.",
        setup: |document, rest| with_iterations(document, rest, 8),
        script: None,
    },
];
