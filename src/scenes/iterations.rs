//! Scenes of one task with more and more iterations.

use super::Scene;
use super::stand::Stand;
use super::targets::{pin, plant};
use crate::world::document::Document;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;

/// Sets the task: the hands pull in opposite directions, out of reach of a fixed torso, and one foot steps forward.
pub(super) fn with_iterations(document: &mut Document, stand: &Stand, iterations: u32) {
    let settings = &mut document.stack.full_body;
    settings.solver.iterations = iterations;
    plant(settings, stand, Effector::RightFoot);
    pin(settings, Effector::LeftFoot, stand.moved(Effector::LeftFoot, 0.02, 0.06, 0.16));
    pin(settings, Effector::LeftHand, stand.reached(LimbName::LeftArm, 1.25, 0.5, 0.4, 1.0));
    pin(settings, Effector::RightHand, stand.reached(LimbName::RightArm, 1.1, -0.6, -0.8, 0.1));
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "iterations 0",
        purpose: "No iterations: each limb is solved alone, the torso stays as animated.",
        hint: "Compare with iterations 1, where the torso moves too.",
        setup: |document, stand| with_iterations(document, stand, 0),
        script: None,
    },
    Scene {
        name: "iterations 1",
        purpose: "One iteration: torso and limbs pull on each other once.",
        hint: "Look at the hands' gap before final effectors.",
        setup: |document, stand| with_iterations(document, stand, 1),
        script: None,
    },
    Scene {
        name: "iterations 2",
        purpose: "Two iterations, on the same targets.",
        hint: "The second iteration moves less than the first.",
        setup: |document, stand| with_iterations(document, stand, 2),
        script: None,
    },
    Scene {
        name: "iterations 4",
        purpose: "Four iterations, the default.",
        hint: "Step from iteration to iteration: each moves the torso less.",
        setup: |document, stand| with_iterations(document, stand, 4),
        script: None,
    },
    Scene {
        name: "iterations 8",
        purpose: "Eight iterations: how much does the result still improve?",
        hint: "Compare the gap with iterations 4.",
        setup: |document, stand| with_iterations(document, stand, 8),
        script: None,
    },
];
