use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::Scene;
use super::chains::lane;
use super::experiments;
use super::rest::RestPose;
use crate::world::document::Document;
use crate::world::motion::{Travel, path_around};
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::ground::Layers;
use kinescope_ik::grounding::Quality;
use kinescope_ik::stack::{ChainSolve, Drive, GroundingRule, Method, TargetSource};
use kinescope_ik::terrain::{Platform, Terrain};

pub(super) fn on_terrain(document: &mut Document, rest: &RestPose, clip: &str, terrain: Terrain) {
    document.clip.name = rest.clip(clip);
    document.terrain = Some(Arc::new(terrain));
    document.stack.grounding.method = Method::Predictive;
}

/// Limit of foot rotation on terrain with many edges, degrees. A capsule cast that hits an edge reports a wrong slope.
pub(super) const EDGED: f32 = 12.0;

/// Foot radius in metres, small enough that a foot's cast does not touch the neighbouring step.
pub(super) const NARROW: f32 = 0.06;

pub(super) fn walk_over(document: &mut Document, rest: &RestPose, terrain: Terrain) {
    document.motion.travel = Travel::Path;
    document.motion.path = path_around(Some(&terrain));
    on_terrain(document, rest, "walk", terrain);
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "stairs",
        purpose: "A flat walking clip goes up and down stairs.",
        hint: "Pause and step: each foot casts ahead. Raise max foot rotation angle: feet tilt over edges.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::stairs(0.17, 0.3));
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "feet that stay",
        purpose: "Stairs with locked feet and steps planned along the path: no foot lands on an edge.",
        hint: "Watch the footprints ahead. Choose predictive in Motion, turn off the lock in Grounding, read sliding.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::stairs(0.17, 0.3));
            document.stack.grounding.method = Method::Path;
            document.stack.grounding.lock.on = true;
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    experiments::LIMB_SOLVERS,
    Scene {
        name: "chain follows a foot",
        purpose: "The left leg is a FABRIK chain that follows the foot's goal from grounding.",
        hint: "Select the chain: its target follows the goal. Chains do not set end rotations, so the foot tilts.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::stairs(0.17, 0.3));
            let grounding = &mut document.stack.grounding;
            grounding.predictive.max_foot_rotation_angle = EDGED;
            grounding.drive = Drive::Limbs;
            // Only the chain moves the foot.
            grounding.weights.left_foot_position = 0.0;
            document.stack.chain_ik.chains = vec![ChainSolve {
                name: "left leg".to_owned(),
                bones: rest.left_leg.clone(),
                target_source: TargetSource::LeftFootGoal,
                settings: lane(Solver::Fabrik, 1e-4),
                ..ChainSolve::default()
            }];
        },
        script: None,
    },
    Scene {
        name: "slope",
        purpose: "A walk up and down a slope: feet lie flat, the pelvis follows the lower foot.",
        hint: "Set max foot rotation angle to 0: feet stay level. Restore it, set foot rotation speed to 1: feet tilt late.",
        setup: |document, rest| walk_over(document, rest, Terrain::slope(15f32.to_radians())),
        script: None,
    },
    Scene {
        name: "leaning",
        purpose: "A walk that leans with the slope, as a crawler or rider does: up is the root's up axis.",
        hint: "In Grounding turn off «The root's» at «Up is»: casts go straight down. Lower lean in Motion.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::slope(25f32.to_radians()));
            document.motion.lean = 1.0;
        },
        script: None,
    },
    Scene {
        name: "hills",
        purpose: "Soft hills: each foot stands on a different slope.",
        hint: "Choose raise under sculpt in Motion and raise the ground under the feet.",
        setup: |document, rest| walk_over(document, rest, Terrain::hills()),
        script: None,
    },
    Scene {
        name: "crowd",
        purpose: "Two hundred members walk or stand on hills and terraces, each at its own level of detail.",
        hint: "The Crowd pane lists the levels. Bodies and the discs under their feet have the colour of the level.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::park());
            document.crowd.count = 200;
        },
        script: None,
    },
    Scene {
        name: "gap",
        purpose: "A trench across the path, deeper than any step.",
        hint: "Turn on overstep falls down: a foot over the trench reaches down by max step.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::gap(0.5, 0.6));
            document.stack.grounding.predictive.overstep_falls_down = false;
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "rubble",
        purpose: "Blocks of different heights, about as long as a foot: which one carries the foot?",
        hint: "Compare the qualities: a ray hits one point, a capsule everything the foot will touch.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::rubble());
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "moving platform",
        purpose: "One foot stands on a moving platform that the clip does not know.",
        hint: "Watch the offsets of foot and pelvis in the plots. Reduce pelvis speed, or raise lift pelvis weight.",
        setup: |document, rest| {
            let mut terrain = Terrain::flat();
            let half = Vec3::new(0.5, 0.15, 0.5);
            let [from, to] = [-0.15, 0.15].map(|height| Vec3::new(0.5, height, 1.0));
            terrain.platforms = vec![Platform { half_extents: half, from, to, period: 4.0, pause: 0.8, layer: 0 }];
            document.motion.start = Vec2::new(-0.01, 1.0);
            on_terrain(document, rest, "idle", terrain);
            document.stack.grounding.predictive.foot_radius = NARROW;
        },
        script: None,
    },
    Scene {
        name: "two heights",
        purpose: "One foot stands on a step: the pelvis follows the lower foot, the other knee bends.",
        hint: "Drag the step with the point tool. Set lower pelvis weight to 0: the leg of the lower foot straightens.",
        setup: |document, rest| {
            document.motion.start = Vec2::new(0.05, 2.0);
            on_terrain(document, rest, "idle", Terrain::two_heights(0.2));
            document.stack.grounding.predictive.foot_radius = NARROW;
        },
        script: None,
    },
    Scene {
        name: "ray and curve",
        purpose: "Foot IK by one ray per foot: a weight curve decides when a foot is held.",
        hint: "Drag the left foot's curve to 0: the foot sinks into the step. Fade to walk: the curves release swinging feet.",
        setup: |document, rest| {
            document.motion.start = Vec2::new(0.05, 2.0);
            on_terrain(document, rest, "idle", Terrain::two_heights(0.2));
            document.stack.grounding.method = Method::FootIk;
            document.stack.grounding.foot_ik.rotate_feet = true;
        },
        script: None,
    },
    Scene {
        name: "ground layers",
        purpose: "Boards on a second ground layer: the left foot stands on them, the right foot ignores them.",
        hint: "In Grounding choose the layers of each foot: casts pass through the others.",
        setup: |document, rest| {
            let mut terrain = Terrain::flat();
            let path = path_around(Some(&terrain));
            let half = Vec3::new(0.35, 0.025, 0.12);
            let ends = path.iter().zip(path.iter().cycle().skip(1));
            let places = ends.flat_map(|(&from, &to)| {
                let count = ((to - from).length() / 0.5) as usize;
                (1..count).map(move |piece| from.lerp(to, piece as f32 / count as f32))
            });
            terrain.platforms = places
                .take(24)
                .map(|at| {
                    let at = Vec3::new(at.x, half.y, at.y);
                    Platform { half_extents: half, from: at, to: at, layer: 1, ..Platform::default() }
                })
                .collect();
            walk_over(document, rest, terrain);
            document.stack.grounding.environment = [Layers::ALL, Layers::ALL.with(1, false)];
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "grounding by clip",
        purpose: "Foot IK while standing, the predictive grounder while walking, half its weight while running.",
        hint: "Drag pace in Motion: the method changes halfway through the fade without a jump. Set blend to 0: the feet jump.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::hills());
            document.motion.gaits = ["idle", "walk", "run"].into_iter().filter_map(|word| rest.clip(word)).collect();
            document.motion.pace = 1.4;
            document.motion.fade = 0.4;
            let rule = |word: &str| GroundingRule { clip: rest.clip(word), ..GroundingRule::default() };
            document.stack.grounding.rules = vec![
                GroundingRule { method: Some(Method::FootIk), ..rule("idle") },
                GroundingRule { quality: Some(Quality::Simple), weight: 0.5, ..rule("run") },
            ];
        },
        script: None,
    },
];
