//! Scenes that compare a bug of a source with the correct solve, or two variants such as two solvers or two near targets.
//!
//! Chains stand side by side in the lab. Whole characters are overlaid as A and B, on the same clips and with separate
//! memories.

use glam::{Vec2, Vec3};

use super::chains::{LAB_TOLERANCE, lane};
use super::ground::{EDGED, on_terrain, walk_over};
use super::moving::circle;
use super::targets::{pin, plant_feet};
use super::{RestPose, Scene};
use crate::world::document::Document;
use crate::world::motion::{PlannedFade, path_around};
use kinescope_ik::animation::{Base, LayerKind, PoseLayer};
use kinescope_ik::chain_ik::{self, BendRule, CcdTurn, MapTurn, Solver};
use kinescope_ik::full_body::Effector;
use kinescope_ik::locomotion::Path;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Drive, Experiments, FreeChain, LabChain, LabSection, Method, Stack};
use kinescope_ik::terrain::{Platform, Terrain};

pub struct Experiment {
    pub scene: &'static str,
    pub b: &'static str,
    /// Changes the stack of A to that of B.
    pub change: fn(&mut Stack, &RestPose),
}

/// All experiments except those in the lab, which compares lanes instead of two stacks.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        scene: DROPPED_FADES.name,
        b: "fades as in the source",
        change: |stack, _| bug(stack).drop_fades = true,
    },
    Experiment {
        scene: BLIND_SPHERES.name,
        b: "casts inside hit nothing",
        change: |stack, _| bug(stack).blind_casts = true,
    },
    Experiment {
        scene: LERP_PER_FRAME.name,
        b: "lerp as in the articles",
        change: |stack, _| bug(stack).lerp_per_frame = true,
    },
    Experiment {
        scene: FOOT_HEIGHT.name,
        b: "height replaced",
        change: |stack, _| bug(stack).replace_foot_height = true,
    },
    Experiment {
        scene: ADDITIVE_ORDER.name,
        b: "right to left",
        change: |stack, _| bug(stack).additive_right_to_left = true,
    },
    Experiment {
        scene: SUBTRACTED_SCALE.name,
        b: "scales subtracted",
        change: |stack, _| bug(stack).subtract_scale = true,
    },
    Experiment {
        scene: "flying arm",
        b: "with the FABRIK pass",
        change: |stack, _| stack.full_body.solver.fabrik_pass = true,
    },
    Experiment {
        scene: LIMB_SOLVERS.name,
        b: "closed form",
        change: |stack, _| stack.grounding.limbs.solver = Solver::TwoBone,
    },
    Experiment { scene: DRIFT.name, b: "no reset", change: |stack, _| bug(stack).keep_pose = true },
    Experiment {
        scene: REACH_AND_UNIT.name,
        b: "same in every unit",
        change: |stack, _| stack.full_body.chains.iter_mut().for_each(|chain| chain.scale_free_reach = true),
    },
    Experiment {
        scene: HAND_OPPOSITE.name,
        b: "target 0.1 mm off",
        change: |stack, rest| {
            let hand = stack.full_body.effector_mut(Effector::LeftHand);
            hand.position =
                hand.position.map(|at| at + (rest.along(0.0, 1.0, 0.0) + rest.facing) * (rest.height * 4e-5));
        },
    },
];

fn bug(stack: &mut Stack) -> &mut Experiments {
    &mut stack.order.experiments
}

pub(super) const CCD: Scene = Scene {
    name: "CCD of the sources",
    purpose: "CCD: correct; as in «Animation programming notes»; as «Hands-on C++ Game Animation Programming» is misread.",
    hint: "Step: each turn should point the end at the target. See the formula in lanes 2 and 3.",
    setup: |document, _| {
        // Acceleration would hide the difference.
        let turns = |ccd_turn| chain_ik::Settings { ccd_turn, accelerate: false, ..lane(Solver::Ccd, LAB_TOLERANCE) };
        let targets = vec![Vec3::new(0.45, 0.75, 0.35)];
        let lanes = CcdTurn::ALL.map(turns).to_vec();
        document.stack.chain_ik.lab = Some(LabSection { lanes, targets, ..LabSection::default() });
    },
    script: None,
};

pub(super) const CHAIN_SPACE: Scene = Scene {
    name: "world rotation to chain space",
    purpose: "FABRIK solves joints in world space; each lane converts them to rotations differently.",
    hint: "Step to map. Lane 1 keeps the joints. Lane 2 turns about the parent's axes, lane 3 does not turn: both miss.",
    setup: |document, _| {
        let turns = |map_turn| chain_ik::Settings { map_turn, ..lane(Solver::Fabrik, LAB_TOLERANCE) };
        // The bones point in different directions, so that each parent's axes differ from the world's.
        let ends = [[0.3, 0.3, 0.0], [0.1, 0.6, 0.2], [0.4, 0.8, 0.1], [0.2, 1.1, 0.3]].map(Vec3::from).to_vec();
        let chain = FreeChain { root: Vec3::Y * 0.1, ends, from: vec![0, 1, 2, 3] };
        document.stack.chain_ik.lab = Some(LabSection {
            chain: LabChain::Joints(chain),
            lanes: MapTurn::ALL.map(turns).to_vec(),
            targets: vec![Vec3::new(0.5, 0.7, 0.4)],
            ..LabSection::default()
        });
    },
    script: None,
};

pub(super) const BEND_RULE: Scene = Scene {
    name: "bend rule of the sources",
    purpose: "Two bend rules of FABRIK: in lane 1 every joint keeps to its side, lane 2 follows «FABRIK with a bend rule».",
    hint: "Lane 1 mirrors the chain to the side of the rule. Lane 2 turns bones by 2° about x: the side is arbitrary.",
    setup: |document, _| {
        let lanes = BendRule::ALL.map(|bend_rule| {
            let bend_normal = Some(Vec3::Z);
            chain_ik::Settings { bend_rule, bend_normal, accelerate: false, ..lane(Solver::Fabrik, LAB_TOLERANCE) }
        });
        // At this target the rule bends the chain to the side opposite to the chain's rest pose.
        let targets = vec![Vec3::new(0.4, 0.7, 0.0)];
        document.stack.chain_ik.lab = Some(LabSection { lanes: lanes.to_vec(), targets, ..LabSection::default() });
    },
    script: None,
};

pub(super) const DROPPED_FADES: Scene = Scene {
    name: "dropped fades",
    purpose: "A slow fade to a run, then a quick fade to standing, which «Animation programming notes» drop when it ends.",
    hint: "A stands. B, overlaid, jumps when the quick fade ends, and returns to the run. Find pops.",
    setup: |document, rest| {
        document.clip.name = rest.clip("walk");
        let fade = |at: f32, word: &str, duration: f32| rest.clip(word).map(|clip| PlannedFade { at, clip, duration });
        let planned = [fade(0.6, "run", 2.0), fade(1.0, "idle", 0.3), fade(4.0, "walk", 0.2)];
        document.motion.planned = planned.into_iter().flatten().collect();
        document.motion.every = 5.0;
    },
    script: None,
};

pub(super) const ADDITIVE_ORDER: Scene = Scene {
    name: "additive right to left",
    purpose: "A product of «Animation programming notes»: multiplied left to right, as meant, and right to left.",
    hint: "A run is added to a reach. A turns bones in parent space, B, overlaid, in bone space: compare the hands.",
    setup: |document, rest| {
        document.clip.name = rest.clip("walk");
        let layer = |kind, word: &str, time| {
            let clip = rest.clip(word).unwrap_or_default();
            PoseLayer { kind, clip, time: Some(time), weight: 1.0, ..PoseLayer::default() }
        };
        // The run is relative to the rest pose, but is added to a pose far from rest.
        let run = PoseLayer { base: Base::Rest, ..layer(LayerKind::Additive, "run", 0.3) };
        document.motion.layers = vec![layer(LayerKind::Blend, "reach", 1.5), run];
    },
    script: None,
};

pub(super) const SUBTRACTED_SCALE: Scene = Scene {
    name: "subtracted scale",
    purpose: "An additive layer halves hands and head: A multiplies ratios of scales, B subtracts scales.",
    hint: "The hands are already small: A halves them, B, overlaid, turns the right one inside out. B's head is too large.",
    setup: |document, rest| {
        document.clip.name = rest.clip("walk");
        let (Some(clip), Some(head)) = (rest.clip("idle"), rest.spine.last()) else { return };
        let [left, right] = &rest.hands;
        let layer = |kind, scales: [f32; 3]| PoseLayer {
            kind,
            clip: clip.clone(),
            time: Some(0.0),
            weight: 1.0,
            scale: [left, right, head].into_iter().cloned().zip(scales).collect(),
            ..PoseLayer::default()
        };
        // The clip stays at its first frame, so that only scales differ from the base.
        let halves = layer(LayerKind::Additive, [0.5, 0.5, 0.5]);
        document.motion.layers = vec![layer(LayerKind::Blend, [0.5, 0.4, 1.6]), halves];
    },
    script: None,
};

pub(super) const BLIND_SPHERES: Scene = Scene {
    name: "sphere cast that hits nothing",
    purpose: "The root's wide sphere starts in a post and, in the engine of «Foot IK with velocity prediction», hits nothing.",
    hint: "A treats the post as ground. B, overlaid, counts as airborne there: the offsets of pelvis and feet return to 0.",
    setup: |document, rest| {
        let mut terrain = Terrain::slope(12f32.to_radians());
        let Some(way) = Path::new(&path_around(Some(&terrain)), true) else { return };
        const PAIRS: usize = 8;
        for pair in 0..PAIRS {
            let (middle, along) = way.at(way.length() * pair as f32 / PAIRS as f32);
            for aside in [-POSTS, POSTS] {
                let Vec2 { x, y: z } = middle + along.perp() * aside;
                let at = Vec3::new(x, terrain.height_at(x, z).unwrap_or(0.0) + 0.3, z);
                let half_extents = Vec3::new(0.08, 0.4, 0.08);
                terrain.platforms.push(Platform { half_extents, from: at, to: at, ..Platform::default() });
            }
        }
        walk_over(document, rest, terrain);
        let settings = &mut document.stack.grounding.predictive;
        // The sphere reaches the posts, but not the ground below its start.
        settings.root_sphere_cast_radius = POSTS;
        settings.max_step = 0.5;
    },
    script: None,
};

/// Distance of the posts from the middle of the path, metres. The feet do not touch them.
const POSTS: f32 = 0.4;

pub(super) const LERP_PER_FRAME: Scene = Scene {
    name: "lerp per frame",
    purpose: "A filters feet and pelvis by the frame's duration, B once per frame, as in the articles, here at 30 Hz.",
    hint: "Plot pelvis and offsets over frames. Choose 240 Hz in Motion: B approaches A, which stays the same.",
    setup: |document, rest| {
        walk_over(document, rest, Terrain::stairs(0.17, 0.3));
        document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        document.motion.frame_rate = Some(30.0);
    },
    script: None,
};

pub(super) const LIMB_SOLVERS: Scene = Scene {
    name: "limb solvers",
    purpose: "One grounder on stairs: A's legs are solved by CCD, B's, overlaid, in closed form.",
    hint: "Pause and step through a leg's passes: the feet reach the same places. Set max iterations to 0 or 1.",
    setup: |document, rest| {
        walk_over(document, rest, Terrain::stairs(0.17, 0.3));
        let grounding = &mut document.stack.grounding;
        grounding.predictive.max_foot_rotation_angle = EDGED;
        grounding.drive = Drive::Limbs;
        grounding.limbs.solver = Solver::Ccd;
    },
    script: None,
};

pub(super) const FOOT_HEIGHT: Scene = Scene {
    name: "ankle on the ground",
    purpose: "Foot IK adds the ground's height to the foot's animated height. B replaces the animated height.",
    hint: "A stands on its soles. B, overlaid, has its ankles on the ground and its soles below.",
    setup: |document, rest| {
        document.motion.start = Vec2::new(0.05, 2.0);
        on_terrain(document, rest, "idle", Terrain::two_heights(0.2));
        document.stack.grounding.method = Method::FootIk;
        // The filters are off, so that the feet are at their heights at once.
        let settings = &mut document.stack.grounding.foot_ik;
        (settings.pelvis_up_and_down_speed, settings.feet_to_ik_position_speed) = (1.0, 1.0);
        settings.rotate_feet = false;
    },
    script: None,
};

pub(super) const DRIFT: Scene = Scene {
    name: "drift",
    purpose: "No clip resets the bones between frames: should a solve start from its last result?",
    hint: "A restores the default pose before every frame. B, overlaid, keeps its last result and drifts until the scene starts again.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        circle(settings, rest, 0.0);
    },
    script: Some(circle),
};

pub(super) const REACH_AND_UNIT: Scene = Scene {
    name: "reach and the unit",
    purpose: "Reach is limited by the distance from shoulder to hand in model units: in centimetres the result differs.",
    hint: "B is limited by the stretch, which is the same in every unit: compare the foot gaps.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        settings.chains[LimbName::LeftArm.index()].reach = 0.9;
        pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 1.35, 0.6, 0.2, 1.0));
    },
    script: None,
};

pub(super) const HAND_OPPOSITE: Scene = Scene {
    name: "hand opposite to the arm",
    purpose: "A target exactly opposite to the animated arm, and one 0.1 mm next to it.",
    hint: "The elbows of A and B are far apart: a fixed axis decides where A's elbow goes. Add the modifier arm bending to fix it.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        settings.chains.iter_mut().for_each(|chain| chain.reach = 0.0);
        let opposite = rest.root(LimbName::LeftArm) - rest.spans[LimbName::LeftArm.index()] * 0.6;
        pin(settings, Effector::LeftHand, opposite);
    },
    script: None,
};

pub(crate) fn experiment(scene: &Scene) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|own| own.scene == scene.name)
}

pub(crate) fn b_of(experiment: &Experiment, document: &Document, rest: &RestPose) -> Stack {
    let mut stack = document.stack.clone();
    (experiment.change)(&mut stack, rest);
    stack
}

pub(super) const SCENES: &[Scene] = &[
    CCD,
    CHAIN_SPACE,
    BEND_RULE,
    DROPPED_FADES,
    BLIND_SPHERES,
    ADDITIVE_ORDER,
    SUBTRACTED_SCALE,
    LERP_PER_FRAME,
    FOOT_HEIGHT,
    DRIFT,
    REACH_AND_UNIT,
    HAND_OPPOSITE,
];
