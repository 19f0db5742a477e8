//! Scenes of chains, on top of the full body and in the lab.

use glam::Vec3;

use super::Scene;
use super::targets::{pin, plant_feet};
use kinescope_ik::chain_ik::{self, Limit, Solver};
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{ChainSolve, LabChain, LabSection, TargetMotion};

/// Tolerance of the lab's chains, model units. It is 0.1 % of the length of [`LabChain::Free`].
pub(super) const LAB_TOLERANCE: f32 = 1.5e-3;

pub(super) fn lane(solver: Solver, tolerance: f32) -> chain_ik::Settings {
    chain_ik::Settings { solver, tolerance, max_iterations: 30, ..chain_ik::Settings::default() }
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "chain on top",
        purpose: "The spine is a chain on top of the full body, with its own target for the head.",
        hint: "Drag the head's ring. The solve order on the left lists the layers.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 0.8, 0.4, 0.3, 1.0));
            document.stack.chain_ik.chains = vec![ChainSolve {
                name: "spine".to_owned(),
                bones: rest.spine.clone(),
                target: Some(rest.head + rest.along(0.07, -0.04, 0.05) * rest.height),
                settings: lane(Solver::Fabrik, rest.height * 5e-4),
                // Vertebrae bend little.
                limits: vec![Limit::Angle { max: 0.5 }; rest.spine.len().saturating_sub(1)],
                ..ChainSolve::default()
            }];
        },
        script: None,
    },
    Scene {
        name: "chain lab",
        purpose: "CCD and FABRIK, each next to its textbook form (plain). The target moves on a circle.",
        hint: "Choose «From rest»: CCD curls at its end, FABRIK spreads the bend. Press . to step through the selected lane.",
        setup: |document, _| {
            let solver = |solver, accelerate| chain_ik::Settings { accelerate, ..lane(solver, LAB_TOLERANCE) };
            let lanes =
                [Solver::Ccd, Solver::Fabrik].into_iter().flat_map(|own| [solver(own, true), solver(own, false)]);
            let (lanes, motion, from_rest) = (lanes.collect(), TargetMotion::Circle, false);
            document.stack.chain_ik.lab = Some(LabSection { lanes, motion, from_rest, ..LabSection::default() });
        },
        script: None,
    },
    Scene {
        name: "nearly straight",
        purpose: "A target at 0.99 of the chain's length, where plain FABRIK converges slowly.",
        hint: "Compare the iterations of the two lanes, and their error per iteration.",
        setup: |document, _| {
            let solver = |accelerate| chain_ik::Settings {
                accelerate,
                max_iterations: 200,
                ..lane(Solver::Fabrik, LAB_TOLERANCE)
            };
            let targets = vec![Vec3::new(0.0, 0.1, 0.0) + Vec3::new(0.6, 0.76, 0.25).normalize() * 1.485];
            let lanes = vec![solver(false), solver(true)];
            document.stack.chain_ik.lab = Some(LabSection { lanes, targets, ..LabSection::default() });
        },
        script: None,
    },
    Scene {
        name: "limits",
        purpose: "A chain with joint limits: a ball and socket, hinges, and an angle limit.",
        hint: "Pick a bone on the right and drag the ends of its fan or the rim of its cone.",
        setup: |document, _| {
            let hinge = Limit::Hinge { axis: Vec3::Z, min: -1.2, max: 0.2 };
            let ball = Limit::BallAndSocket { swing: 0.7, twist_min: -0.5, twist_max: 0.5 };
            document.stack.chain_ik.lab = Some(LabSection {
                chain: LabChain::Free(5),
                targets: vec![Vec3::new(0.75, 0.55, 0.1)],
                lanes: vec![lane(Solver::Ccd, LAB_TOLERANCE), lane(Solver::Fabrik, LAB_TOLERANCE)],
                limits: vec![ball, hinge, hinge, Limit::Angle { max: 0.6 }, hinge],
                ..LabSection::default()
            });
        },
        script: None,
    },
    Scene {
        name: "two bones",
        purpose: "A limb solved in closed form, with and without a soft zone, and by FABRIK.",
        hint: "Drag the target past the limb's reach and back: without a soft zone the joint snaps straight.",
        setup: |document, _| {
            let soft = chain_ik::Settings { soft_zone: 0.2, ..lane(Solver::TwoBone, LAB_TOLERANCE) };
            document.stack.chain_ik.lab = Some(LabSection {
                chain: LabChain::Free(2),
                targets: vec![Vec3::new(0.7, 1.1, 0.3)],
                lanes: vec![lane(Solver::TwoBone, LAB_TOLERANCE), soft, lane(Solver::Fabrik, LAB_TOLERANCE)],
                ..LabSection::default()
            });
        },
        script: None,
    },
    Scene {
        name: "branches",
        purpose: "One trunk with three ends and targets: FABRIK averages where branches meet.",
        hint: "Drag one target away: the trunk leans toward the average of its branches.",
        setup: |document, _| {
            document.stack.chain_ik.lab = Some(LabSection {
                chain: LabChain::Branches,
                targets: vec![Vec3::new(-0.5, 1.05, 0.25), Vec3::new(0.0, 1.3, 0.35), Vec3::new(0.55, 0.9, 0.2)],
                lanes: vec![lane(Solver::Fabrik, LAB_TOLERANCE)],
                ..LabSection::default()
            });
        },
        script: None,
    },
];
