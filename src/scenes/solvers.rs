//! Scenes of the other full-body solvers, and of the lab that compares them.

use super::Scene;
use super::rest::{ARMS, RestPose};
use super::targets::{pin, plant_feet};
use crate::world::document::Document;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{BodyLab, BodyLane, LayerId};

/// The feet stay. The target of the left hand is forward, up and to the left, beyond the length of the arm.
fn reach_up(document: &mut Document, rest: &RestPose) {
    let settings = &mut document.stack.full_body;
    plant_feet(settings, rest);
    pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 1.15, 0.5, 0.5, 1.0));
}

/// Sets the targets of both hands forward and down, beyond the length of the arms, so that the trunk bends. The feet
/// stay.
fn reach_far(document: &mut Document, rest: &RestPose) {
    let settings = &mut document.stack.full_body;
    plant_feet(settings, rest);
    for (hand, limb, side) in ARMS {
        pin(settings, hand, rest.reached(limb, 1.3, 0.1 * side, -0.5, 1.0));
    }
}

fn lane_with(layer: LayerId, name: &str, path: &str, value: f32) -> BodyLane {
    let mut lane = BodyLane { name: name.to_owned(), ..BodyLane::of(layer) };
    lane.settings.insert(path.to_owned(), value);
    lane
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "least squares",
        purpose: "Least squares alone: all joints turn at once to reduce the squared distances to the targets.",
        hint: "Step through an iteration: each term adds its part to the turns. Select the layer least squares and lower trunk: the spine bends more.",
        setup: |document, rest| {
            reach_up(document, rest);
            document.stack.order.full_body_off = true;
            document.stack.order.least_squares.on = true;
        },
        script: None,
    },
    Scene {
        name: "position-based body",
        purpose: "The position-based body alone: constraints run one after the other, and bones stay rigid.",
        hint: "Step through a sub-step: each constraint turns the joints above it. Select the layer and raise position compliance: the hand stays behind.",
        setup: |document, rest| {
            reach_up(document, rest);
            document.stack.order.full_body_off = true;
            document.stack.order.position_based.on = true;
        },
        script: None,
    },
    Scene {
        name: "solvers on one clip",
        purpose: "Lanes of the full-body lab solve the same frames of a walk. The left hand has a target, the feet keep their steps.",
        hint: "Compare the lanes in the full-body lab's table. Click a lane and press . to step it. Find divergence searches the recording.",
        setup: |document, rest| {
            document.clip.name = rest.clip("walk");
            let target = rest.reached(LimbName::LeftArm, 1.15, 0.5, 0.5, 1.0);
            pin(&mut document.stack.full_body, Effector::LeftHand, target);
            for foot in [Effector::LeftFoot, Effector::RightFoot] {
                document.stack.full_body.effector_mut(foot).position_weight = 1.0;
            }
            document.stack.order.body_lab = BodyLab::of_solvers();
        },
        script: None,
    },
    Scene {
        name: "joint limits",
        purpose: "The left hand's target is behind the back. The full body has no joint limits; solvers with limits turn the trunk.",
        hint: "Compare past limit in the table of the lab. The last lane is least squares without limits.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 0.75, 0.1, 0.3, -1.0));
            let squares = LayerId::LeastSquares;
            let free = lane_with(squares, "no limits", "stack.least_squares.limits", 0.0);
            let solvers = [LayerId::FullBody, LayerId::PositionBased, squares].map(BodyLane::of);
            document.stack.order.body_lab.lanes = solvers.into_iter().chain([free]).collect();
        },
        script: None,
    },
    Scene {
        name: "balance",
        purpose: "Both hands reach far forward. The second lane also keeps its centre of mass over the feet.",
        hint: "Compare balance in the table: negative is outside the feet. Raise its weight: the hands stay behind.",
        setup: |document, rest| {
            reach_far(document, rest);
            let squares = LayerId::LeastSquares;
            let balanced = lane_with(squares, "with balance", "stack.least_squares.balance", 1.0);
            document.stack.order.body_lab.lanes = vec![BodyLane::of(squares), balanced];
        },
        script: None,
    },
];
