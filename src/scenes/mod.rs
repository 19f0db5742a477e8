//! Scenes: experiments, each of which teaches one thing.

pub mod experiments;
mod modifiers;

use kinescope_ik::ground::Layers;
use kinescope_ik::grounding::Quality;
use kinescope_ik::stack::{ChainSolve, Drive, GroundingRule, LabChain, LabSection, Method, TargetMotion, TargetSource};
use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use super::character::{BuiltIn, Character};
use crate::session::document::{ClipSection, Document};
use crate::tools::motion::{Travel, path_around};
use kinescope_ik::animation::{LayerKind, PoseLayer};
use kinescope_ik::chain_ik::character::solvable_between;
use kinescope_ik::chain_ik::{self, Limit, Solver};
use kinescope_ik::full_body::{Effector, Frame, Node, Settings};
use kinescope_ik::math::{from_to_rotation, length, unit_or_zero};
use kinescope_ik::modifiers::{FourBones, Modifier};
use kinescope_ik::rig::{LimbName, ModelPose};
use kinescope_ik::terrain::{Platform, Terrain};

/// What scenes look for in the names of clips; the built-in characters have all of them.
const CLIP_WORDS: [&str; 5] = ["idle", "walk", "run", "reach", "lean"];

/// One experiment.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// As in `--scene`.
    pub name: &'static str,
    /// One line: what it is for.
    pub purpose: &'static str,
    /// What to look for, or to try.
    pub hint: &'static str,
    /// Sets the document up; knows where the character's effectors are at rest and how tall it is.
    setup: fn(&mut Document, &Stand),
    /// Moves targets: makes the settings those of so many seconds after the scene began. Depends on nothing else, and
    /// at 0 changes nothing that `setup` did.
    pub script: Option<Script>,
}

/// See [`Scene::script`].
pub type Script = fn(&mut Settings, &Stand, f32);

/// The character as it stands before a scene.
#[derive(Clone, Debug, Default)]
pub struct Stand {
    /// Where each effector's bone is, model space.
    pub effectors: [Vec3; Effector::COUNT],
    pub rotations: [Quat; Effector::COUNT],
    /// Where the head's bone is; model space.
    pub head: Vec3,
    /// Elbows and knees, in the order of [`LimbName::ALL`].
    pub joints: [Vec3; 4],
    /// From each limb's first bone to its last, in the pose as the solve reads it for a target of full weight: the bend
    /// limit may have turned the elbow.
    pub spans: [Vec3; 4],
    /// Model units.
    pub height: f32,
    /// Names of the bones from the first of the spine to the head; empty without a head.
    pub spine: Vec<String>,
    /// Names of the left and the right hand's bone; empty without arms.
    pub hands: [String; 2],
    /// Names of the bones of the left leg, from the thigh to the foot; empty without one.
    pub left_leg: Vec<String>,
    /// A limb has a joint more than the solver takes.
    pub has_hocks: bool,
    /// Names of the model's clips.
    pub clips: Vec<String>,
    /// Unit vectors: where it looks, and to its left.
    pub facing: Vec3,
    pub left: Vec3,
}

/// The effectors at the beginning of each limb, in the order of [`LimbName::ALL`].
const ROOTS: [Effector; 4] =
    [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh];

/// The end effector, limb and side (1 is left) of both arms and both legs.
const ARMS: [(Effector, LimbName, f32); 2] =
    [(Effector::LeftHand, LimbName::LeftArm, 1.0), (Effector::RightHand, LimbName::RightArm, -1.0)];
const LEGS: [(Effector, LimbName, f32); 2] =
    [(Effector::LeftFoot, LimbName::LeftLeg, 1.0), (Effector::RightFoot, LimbName::RightLeg, -1.0)];

impl Stand {
    /// Of a character in its rest pose.
    pub fn of(character: &Character) -> Self {
        let rest = ModelPose::from_local(&character.model.skeleton, &character.rest);
        let detection = &character.detection;
        let has_hocks = character.rig.figure.as_ref().is_some_and(|figure| figure.inner != [None; 4]);
        let mut stand = Self {
            has_hocks,
            height: character.height,
            facing: detection.facing,
            left: detection.left,
            ..Self::default()
        };
        stand.clips = character.model.clips.iter().map(|clip| clip.name.clone()).collect();
        if let Ok(solver) = &character.rig.full_body {
            for effector in Effector::ALL {
                let bone = rest.bones[solver.bone_of(effector.node())];
                stand.effectors[effector as usize] = bone.position;
                stand.rotations[effector as usize] = bone.rotation;
            }
            let name =
                |effector: Effector| character.model.skeleton.bones()[solver.bone_of(effector.node())].name.clone();
            stand.hands = [Effector::LeftHand, Effector::RightHand].map(name);
            if let Some((biped, head)) = detection.biped.as_ref().and_then(|biped| Some((biped, biped.head?))) {
                let (skeleton, reference) = (&character.model.skeleton, &detection.reference.bones);
                let bones = solvable_between(skeleton, reference, biped.spine[0], head).unwrap_or_default();
                stand.spine = bones.iter().map(|&bone| skeleton.bones()[bone].name.clone()).collect();
                stand.head = rest.position(head);
            }
            if let Some(biped) = &detection.biped {
                let bones = biped.limb(LimbName::LeftLeg).bones;
                stand.left_leg = bones.map(|bone| character.model.skeleton.bones()[bone].name.clone()).into();
            }
            let mut pinned = Settings::default();
            for end in Effector::END {
                pinned.effector_mut(end).position_weight = 1.0;
            }
            let read = solver.read(&mut solver.workspace(), &pinned, &rest.bones);
            let frame = read.map_or_else(|_| Frame::default(), |(frame, _)| frame);
            for limb in LimbName::ALL {
                let [first, second, last] = Node::of_limb(limb);
                stand.joints[limb.index()] = rest.position(solver.bone_of(second));
                stand.spans[limb.index()] = frame.bone(last) - frame.bone(first);
            }
        }
        stand
    }

    fn at(&self, effector: Effector) -> Vec3 {
        self.effectors[effector as usize]
    }

    fn rotation(&self, effector: Effector) -> Quat {
        self.rotations[effector as usize]
    }

    /// So far to the left, up and forward, in model space.
    fn along(&self, left: f32, up: f32, forward: f32) -> Vec3 {
        self.left * left + Vec3::Y * up + self.facing * forward
    }

    /// The clip whose name is, or else has in it, that word; `None` if there is no such clip.
    fn clip(&self, word: &str) -> Option<String> {
        let same = |name: &&String| name.eq_ignore_ascii_case(word);
        let like = |name: &&String| name.to_lowercase().contains(word);
        self.clips.iter().find(same).or(self.clips.iter().find(like)).cloned()
    }

    /// `effector`'s place moved by fractions of the height: to the left, up, forward.
    fn moved(&self, effector: Effector, left: f32, up: f32, forward: f32) -> Vec3 {
        self.at(effector) + self.along(left, up, forward) * self.height
    }

    /// The shoulder, or thigh, of a limb.
    fn root(&self, limb: LimbName) -> Vec3 {
        self.at(ROOTS[limb.index()])
    }

    /// Both bones of a limb, stretched out.
    pub fn limb_length(&self, limb: LimbName) -> f32 {
        let joint = self.joints[limb.index()];
        length(joint - self.root(limb)) + length(self.at(Effector::END[limb.index()]) - joint)
    }

    /// So many limb lengths from the limb's root, in a direction to the left, up and forward. Characters have long and
    /// short arms: what is to be within reach, or out of it, is measured by them.
    fn reached(&self, limb: LimbName, lengths: f32, left: f32, up: f32, forward: f32) -> Vec3 {
        self.root(limb) + unit_or_zero(self.along(left, up, forward)) * self.limb_length(limb) * lengths
    }
}

impl Scene {
    /// The scene's document for a character.
    pub fn document(&self, stand: &Stand) -> Document {
        let mut document = Document::default();
        (self.setup)(&mut document, stand);
        if stand.has_hocks {
            // Frozen hocks are no way to show a leg that has them.
            Arc::make_mut(&mut document.stack.modifiers).push(Modifier::FourBones(FourBones::default()));
        }
        document
    }

    /// What to look for among clips that the scene plays and the character does not have: `walk`, say.
    pub fn missing_clips(&self, stand: &Stand) -> Vec<String> {
        let all = Stand { clips: CLIP_WORDS.map(str::to_owned).to_vec(), ..stand.clone() };
        let document = self.document(&all);
        let motion = &document.motion;
        let wanted = document.clip.name.iter().chain(&motion.gaits);
        let wanted = wanted.chain(motion.layers.iter().map(|layer| &layer.clip));
        let wanted = wanted.chain(motion.planned.iter().map(|fade| &fade.clip));
        let mut missing: Vec<String> = wanted.filter(|word| stand.clip(word).is_none()).cloned().collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// The character that it is about, of those that come along; `None` for any.
    pub fn built_in(&self) -> Option<BuiltIn> {
        (self.name == modifiers::DIGITIGRADE.name).then_some(BuiltIn::Faun)
    }

    /// What it is about: the last topic that begins at it or before it.
    pub fn topic(&self) -> &'static str {
        let mut topic = "";
        for scene in SCENES {
            if let Some((title, _)) = TOPICS.iter().find(|(_, first)| *first == scene.name) {
                topic = title;
            }
            if scene.name == self.name {
                break;
            }
        }
        topic
    }

    /// The scene of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }
}

fn pin(settings: &mut Settings, effector: Effector, position: Vec3) {
    let own = settings.effector_mut(effector);
    own.position = Some(position);
    own.position_weight = 1.0;
}

fn plant_feet(settings: &mut Settings, stand: &Stand) {
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        plant(settings, stand, foot);
    }
}

/// Holds hand or foot where it is at rest, with its rotation.
fn plant(settings: &mut Settings, stand: &Stand, effector: Effector) {
    pin(settings, effector, stand.at(effector));
    let own = settings.effector_mut(effector);
    own.rotation = Some(stand.rotation(effector));
    own.rotation_weight = 1.0;
}

/// Hands go with the torso.
fn carry_hands(settings: &mut Settings) {
    for (hand, ..) in ARMS {
        settings.effector_mut(hand).maintain_relative_position = 1.0;
    }
}

/// Bows by so many degrees: both shoulders turn about the line between the thighs, and move by `by`.
fn bow(settings: &mut Settings, stand: &Stand, degrees: f32, by: Vec3) {
    let hips = (stand.at(Effector::LeftThigh) + stand.at(Effector::RightThigh)) / 2.0;
    let turn = Quat::from_axis_angle(stand.left, degrees.to_radians());
    for shoulder in [Effector::LeftShoulder, Effector::RightShoulder] {
        pin(settings, shoulder, hips + by + turn * (stand.at(shoulder) - hips));
    }
}

/// Both feet to the side, further than the legs are long unless the hips sink. Hands go along.
fn feet_apart(settings: &mut Settings, stand: &Stand) {
    for (foot, limb, side) in LEGS {
        let aside = stand.left * side * stand.limb_length(limb) * 0.55;
        pin(settings, foot, stand.at(foot) + aside);
    }
    carry_hands(settings);
}

/// One task for every scene about iterations: the hands go opposite ways, out of reach of a torso that stays, and one
/// foot steps forward.
fn with_iterations(document: &mut Document, stand: &Stand, iterations: u32) {
    let settings = &mut document.stack.full_body;
    settings.solver.iterations = iterations;
    plant(settings, stand, Effector::RightFoot);
    pin(settings, Effector::LeftFoot, stand.moved(Effector::LeftFoot, 0.02, 0.06, 0.16));
    pin(settings, Effector::LeftHand, stand.reached(LimbName::LeftArm, 1.25, 0.5, 0.4, 1.0));
    pin(settings, Effector::RightHand, stand.reached(LimbName::RightArm, 1.1, -0.6, -0.8, 0.1));
}

/// A clip on a terrain, with the predictive grounder.
fn on_terrain(document: &mut Document, stand: &Stand, clip: &str, terrain: Terrain) {
    document.clip.name = stand.clip(clip);
    document.terrain = Some(Arc::new(terrain));
    document.stack.grounding.method = Method::Predictive;
}

/// How far feet turn on ground that is all edges, degrees: a capsule that touches an edge knows no other slope.
const EDGED: f32 = 12.0;

/// Radius of a foot that is not to feel the step beside it, metres: less than the feet are apart.
const NARROW: f32 = 0.06;

/// [`on_terrain`], walking there and back.
fn walk_over(document: &mut Document, stand: &Stand, terrain: Terrain) {
    document.motion.travel = Travel::Path;
    document.motion.path = path_around(Some(&terrain));
    on_terrain(document, stand, "walk", terrain);
}

/// Seconds that the target takes once around.
const CIRCLE_PERIOD: f32 = 4.0;

/// The left hand's target circles in front of the character, seen from its side: half of the way within reach.
fn circle(settings: &mut Settings, stand: &Stand, seconds: f32) {
    let (sine, cosine) = ((seconds / CIRCLE_PERIOD).fract() * TAU).sin_cos();
    let center = stand.reached(LimbName::LeftArm, 1.0, 0.3, 0.1, 1.0);
    let radius = stand.limb_length(LimbName::LeftArm) * 0.45;
    pin(settings, Effector::LeftHand, center + stand.along(0.0, sine, -cosine) * radius);
}

/// What scenes are about, in their order: a topic, and the name of the scene that it begins with.
pub const TOPICS: &[(&str, &str)] = &[
    ("Reaching", "stand"),
    ("Torso and joints", "crouch"),
    ("Moving targets", "walk with hands pinned"),
    ("Iterations", "iterations 0"),
    ("Hard targets", "straight limbs"),
    ("Chains", "chain on top"),
    ("Ground", "stairs"),
    ("Clips and layers", "idle, walk, run"),
    ("Modifiers", modifiers::RECOIL.name),
    ("Bugs of the sources", experiments::CCD.name),
];

/// All scenes, in the order of the menu: from simple to pathological, those that belong together side by side.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "stand",
        purpose: "The character as it is, feet planted.",
        hint: "Drag any ring. The body follows the hands, the feet stay.",
        setup: |document, stand| plant_feet(&mut document.stack.full_body, stand),
        script: None,
    },
    Scene {
        name: "reach up and far",
        purpose: "One hand reaches further than its arm is long: what goes along?",
        hint: "Step through iteration 1: reach draws the shoulder, stage 1 the body. Try the left arm with pull 0.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.reached(LimbName::LeftArm, 1.4, 0.2, 0.8, 0.6));
        },
        script: None,
    },
    Scene {
        name: "reach and brace",
        purpose: "One hand reaches far, the other holds on: who pulls the body?",
        hint: "Pause and step through stage 1 and stage 2. Then lower the right arm's pull.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.32, -0.06, 0.30));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.26, 0.02, 0.10));
            settings.chain_mut(LimbName::RightArm).pull = 0.6;
            settings.chain_mut(LimbName::LeftArm).reach = 0.2;
            settings.chain_mut(LimbName::RightArm).bend_goal =
                Some(stand.moved(Effector::RightShoulder, -0.18, -0.30, -0.15));
            settings.chain_mut(LimbName::RightArm).bend_weight = 0.6;
        },
        script: None,
    },
    Scene {
        name: "reach with twist",
        purpose: "One hand across and forward, the other behind: the shoulders turn against the hips, and the spine bones share it.",
        hint: "Pause and step on past bend, through the writing. Then lower spine twist weight.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, -0.08, 0.06, 0.40));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.06, -0.18, -0.32));
            let hand = settings.effector_mut(Effector::LeftHand);
            hand.rotation = Some(Quat::from_rotation_x(-0.6) * stand.rotation(Effector::LeftHand));
            hand.rotation_weight = 1.0;
            settings.solver.pull_body_horizontal = 0.3;
        },
        script: None,
    },
    Scene {
        name: "flying arm",
        purpose: "An offset takes the shoulder away, and without the FABRIK pass no constraint brings it back: written, the arm flies off.",
        hint: "Step to write left arm and see bone 1 placed. B, overlaid, is the same with the FABRIK pass on.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            let offset = stand.along(0.12, 0.06, 0.04) * stand.height;
            settings.effector_mut(Effector::LeftShoulder).position_offset = offset;
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.36, 0.08, 0.14));
            settings.solver.fabrik_pass = false;
        },
        script: None,
    },
    Scene {
        name: "one hand on the ground",
        purpose: "A hand goes down to the ground: pull body lowers the body, the knees bend.",
        hint: "Set pull body vertical to 0: the torso has to bow instead. With 1 it squats.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftFoot, 0.1, 0.0, 0.2));
            settings.effector_mut(Effector::RightHand).maintain_relative_position = 1.0;
        },
        script: None,
    },
    Scene {
        name: "two hands at odds",
        purpose: "Both hands want the body, in opposite directions.",
        hint: "Change one arm's pull and watch the red bar between the shoulders.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.45, 0.05, 0.05));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.45, 0.05, 0.05));
        },
        script: None,
    },
    Scene {
        name: "push against a wall",
        purpose: "Hands that come too close push the shoulders, and the body, back.",
        hint: "Set push parent to 0: only the shoulders give way.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            for (hand, shoulder, limb) in [
                (Effector::LeftHand, Effector::LeftShoulder, LimbName::LeftArm),
                (Effector::RightHand, Effector::RightShoulder, LimbName::RightArm),
            ] {
                pin(settings, hand, stand.moved(shoulder, 0.0, -0.02, 0.12));
                let chain = settings.chain_mut(limb);
                chain.push = 0.7;
                chain.push_parent = 0.6;
            }
        },
        script: None,
    },
    Scene {
        name: "crouch",
        purpose: "The body effector goes down, the feet stay: the knees bend.",
        hint: "Drag the body's ring. Look at the bend directions of the knees.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::Body, stand.moved(Effector::Body, 0.0, -0.18, 0.02));
            carry_hands(settings);
        },
        script: None,
    },
    Scene {
        name: "crouch by feet",
        purpose: "Only the feet have targets, wide apart: the legs pull the body down.",
        hint: "With pull 0 at both legs the body stays up. A foot that is lifted moves it only by push.",
        setup: |document, stand| feet_apart(&mut document.stack.full_body, stand),
        script: None,
    },
    Scene {
        name: "pin the body",
        purpose: "Wide apart, the feet pull at a body that is pinned: it stays up, and they fall short.",
        hint: "Lower the body's pin: it comes down to the feet, with 0 as in crouch by feet.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            feet_apart(settings, stand);
            settings.pin = 1.0;
        },
        script: None,
    },
    Scene {
        name: "spine stiffness",
        purpose: "Hands far down, feet in place: without stiffness the torso caves in.",
        hint: "Raise spine stiffness from 0 to 1 and watch the strain of the green diagonals.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            settings.solver.spine_stiffness = 0.0;
            // The torso is to go down, not the body.
            settings.solver.pull_body_vertical = 0.0;
            for (hand, limb, side) in ARMS {
                pin(settings, hand, stand.reached(limb, 1.9, 0.05 * side, -1.0, 0.35));
            }
        },
        script: None,
    },
    Scene {
        name: "shoulders and thighs by hand",
        purpose: "Shoulders and thighs have targets of their own: a twist that no hand asked for.",
        hint: "Set one shoulder's position weight to 0: it stays behind and only keeps the length of the red bar.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            carry_hands(settings);
            for (left, right, degrees) in [
                (Effector::LeftShoulder, Effector::RightShoulder, -30.0_f32),
                (Effector::LeftThigh, Effector::RightThigh, 15.0),
            ] {
                let middle = (stand.at(left) + stand.at(right)) / 2.0;
                let turn = Quat::from_rotation_y(degrees.to_radians());
                for effector in [left, right] {
                    pin(settings, effector, middle + turn * (stand.at(effector) - middle));
                }
            }
        },
        script: None,
    },
    Scene {
        name: "maintain relative position",
        purpose: "The torso sinks and bows: the left hand goes along, the right one stays as animated.",
        hint: "Give the right hand maintain relative position as well, or drag a shoulder's ring.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            let down = Vec3::Y * stand.height * -0.14;
            pin(settings, Effector::Body, stand.at(Effector::Body) + down);
            bow(settings, stand, 25.0, down);
            settings.effector_mut(Effector::LeftHand).maintain_relative_position = 1.0;
        },
        script: None,
    },
    Scene {
        name: "head keeps level",
        purpose: "The torso bows, the head looks ahead.",
        hint: "Set head maintain rotation to 0: the head tilts with the chest.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            bow(settings, stand, 35.0, Vec3::ZERO);
            carry_hands(settings);
            settings.solver.head_maintain_rotation = 1.0;
        },
        script: None,
    },
    Scene {
        name: "bend goals",
        purpose: "Elbows and knees turn to goals: knees out, elbows up.",
        hint: "Drag a goal around its limb, or lower a bend weight: the joint swings back to the animation.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::Body, stand.moved(Effector::Body, 0.0, -0.14, 0.0));
            for (hand, limb, side) in ARMS {
                pin(settings, hand, stand.reached(limb, 0.7, 0.2 * side, -0.5, 1.0));
                let chain = settings.chain_mut(limb);
                chain.bend_goal = Some(stand.reached(limb, 1.0, 0.3 * side, 1.0, 0.0));
                chain.bend_weight = 1.0;
            }
            for (_, limb, side) in LEGS {
                let chain = settings.chain_mut(limb);
                chain.bend_goal = Some(stand.reached(limb, 1.0, side, -0.6, 0.2));
                chain.bend_weight = 1.0;
            }
        },
        script: None,
    },
    Scene {
        name: "hand turns elbow",
        purpose: "The left hand is turned by a quarter about its arm, the right one is not: the elbow goes along.",
        hint: "Rotate the left hand's effector, or lower its rotation weight: the elbow follows.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            for (hand, limb, side) in ARMS {
                let target = stand.reached(limb, 0.75, 0.1 * side, -0.1, 1.0);
                pin(settings, hand, target);
                let along = target - stand.root(limb);
                let carried = from_to_rotation(stand.spans[limb.index()], along) * stand.rotation(hand);
                let quarter = if side > 0.0 { FRAC_PI_2 } else { 0.0 };
                let own = settings.effector_mut(hand);
                own.rotation = Some((Quat::from_axis_angle(unit_or_zero(along), quarter) * carried).normalize());
                own.rotation_weight = 1.0;
            }
        },
        script: None,
    },
    Scene {
        name: "walk with hands pinned",
        purpose: "A walking clip with both hands held in place.",
        hint: "Pause anywhere and step: the animated pose is where every solve starts.",
        setup: |document, stand| {
            document.clip = ClipSection { name: stand.clip("walk"), time: 0.0 };
            let settings = &mut document.stack.full_body;
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.02, -0.12, 0.24));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.02, -0.12, 0.24));
        },
        script: None,
    },
    Scene {
        name: "target circles",
        purpose: "A hand target circles out of reach and back: how smoothly does the arm get straight?",
        hint: "Plot the left arm's stretch. Break where it passes 0.99, look for pops, then try reach 0 and 0.5.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            circle(settings, stand, 0.0);
        },
        script: Some(circle),
    },
    Scene {
        name: "iterations 0",
        purpose: "No iterations: each limb is solved alone, the torso stays as animated.",
        hint: "Compare it with iterations 1: all that the torso does is new.",
        setup: |document, stand| with_iterations(document, stand, 0),
        script: None,
    },
    Scene {
        name: "iterations 1",
        purpose: "One iteration: torso and limbs have met once.",
        hint: "Look how much the hands still lack before the closing pass.",
        setup: |document, stand| with_iterations(document, stand, 1),
        script: None,
    },
    Scene {
        name: "iterations 2",
        purpose: "Two iterations, on the same targets.",
        hint: "The second brings less than the first.",
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
        purpose: "Eight iterations: what is left to gain?",
        hint: "Compare the gap with that of iterations 4.",
        setup: |document, stand| with_iterations(document, stand, 8),
        script: None,
    },
    Scene {
        name: "straight limbs",
        purpose: "Arms and legs exactly as long as they are: no bend is left to point anywhere.",
        hint: "Look at the bend directions in the last pass. Then give the legs reach 0.1: the knees bend.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            for chain in &mut settings.chains {
                // Reach would draw the hips after the feet, and bend the knees.
                chain.reach = 0.0;
            }
            for (hand, limb, side) in ARMS {
                pin(settings, hand, stand.reached(limb, 1.0, side, 0.0, 0.0));
            }
            for (foot, limb, _) in LEGS {
                let straight = unit_or_zero(stand.spans[limb.index()]) * stand.limb_length(limb);
                pin(settings, foot, stand.root(limb) + straight);
            }
        },
        script: None,
    },
    Scene {
        name: "unreachable",
        purpose: "A target far beyond the arm.",
        hint: "The magenta line is what the hand lacks. Raise pull body horizontal.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.5, 0.35, 0.6));
        },
        script: None,
    },
    Scene {
        name: "target on the shoulder",
        purpose: "A hand target exactly on its own shoulder: the limb has no direction.",
        hint: "Drag the ring off the shoulder: the smallest move decides where the elbow goes.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.root(LimbName::LeftArm));
        },
        script: None,
    },
    Scene {
        name: "antiparallel",
        purpose: "A hand target exactly opposite to the animated arm: the elbow is left to chance.",
        hint: "Drag the ring by a hair, in any direction: the elbow jumps. Other targets do not do that.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            for chain in &mut settings.chains {
                // Reach would move the shoulder out of the line.
                chain.reach = 0.0;
            }
            let opposite = stand.root(LimbName::LeftArm) - stand.spans[LimbName::LeftArm.index()] * 0.6;
            pin(settings, Effector::LeftHand, opposite);
        },
        script: None,
    },
    Scene {
        name: "chain on top",
        purpose: "The spine, solved as a chain on top of the full body: the head goes to a target of its own.",
        hint: "Drag the head's ring. The list «solve order» on the left says what comes first.",
        setup: |document, stand| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.reached(LimbName::LeftArm, 0.8, 0.4, 0.3, 1.0));
            document.stack.chain_ik.chains = vec![ChainSolve {
                name: "spine".to_owned(),
                bones: stand.spine.clone(),
                target: Some(stand.head + stand.along(0.07, -0.04, 0.05) * stand.height),
                settings: lane(Solver::Fabrik, stand.height * 5e-4),
                // No vertebra bends by much.
                limits: vec![Limit::Angle { max: 0.5 }; stand.spine.len().saturating_sub(1)],
                ..ChainSolve::default()
            }];
        },
        script: None,
    },
    Scene {
        name: "chain lab",
        purpose: "CCD and FABRIK with the same chain and the same target, which goes around in a circle.",
        hint: "CCD curls at its end, FABRIK spreads the bend. Press . to step through the lane that is selected.",
        setup: |document, _| {
            let lanes = vec![lane(Solver::Ccd, LAB_TOLERANCE), lane(Solver::Fabrik, LAB_TOLERANCE)];
            let motion = TargetMotion::Circle;
            let from_rest = false;
            document.stack.chain_ik.lab = Some(LabSection { lanes, motion, from_rest, ..LabSection::default() });
        },
        script: None,
    },
    Scene {
        name: "nearly straight",
        purpose: "A target at 0.99 of the chain's length: where plain FABRIK hardly gets on.",
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
        purpose: "A chain whose bones may not turn as they like: a ball and socket, then hinges.",
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
        purpose: "A limb by the closed form, with and without a soft zone, and by FABRIK.",
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
        purpose: "One trunk, three ends, three targets: FABRIK meets in the middle where branches meet.",
        hint: "Drag one target away: the trunk leans towards what its branches want on the average.",
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
    Scene {
        name: "stairs",
        purpose: "Up and down stairs with a clip that walks on flat ground.",
        hint: "Pause and step: each foot casts ahead of itself. Raise max foot rotation angle: it tilts over every edge.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::stairs(0.17, 0.3));
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "feet that stay",
        purpose: "The same stairs with feet locked where they land, and steps that know the way: none is on an edge.",
        hint: "Look at the footprints ahead. In Grounding choose predictive and switch the lock off, then read sliding.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::stairs(0.17, 0.3));
            document.stack.grounding.method = Method::Path;
            document.stack.grounding.lock.on = true;
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    experiments::LIMB_SOLVERS,
    Scene {
        name: "chain follows a foot",
        purpose: "The left leg is a chain, solved by FABRIK, whose target is where grounding wants the foot.",
        hint: "Select the chain: its target follows the goal. A chain knows no rotation of its end: the foot tilts.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::stairs(0.17, 0.3));
            let grounding = &mut document.stack.grounding;
            grounding.predictive.max_foot_rotation_angle = EDGED;
            grounding.drive = Drive::Limbs;
            // All of the way is left to the chain.
            grounding.weights.left_foot_position = 0.0;
            document.stack.chain_ik.chains = vec![ChainSolve {
                name: "left leg".to_owned(),
                bones: stand.left_leg.clone(),
                target_source: TargetSource::LeftFootGoal,
                settings: lane(Solver::Fabrik, 1e-4),
                ..ChainSolve::default()
            }];
        },
        script: None,
    },
    Scene {
        name: "slope",
        purpose: "Up a slope and down again: feet lie flat on it, the pelvis follows the lower one.",
        hint: "Set max foot rotation angle to 0, then foot rotation speed to 1.",
        setup: |document, stand| walk_over(document, stand, Terrain::slope(15f32.to_radians())),
        script: None,
    },
    Scene {
        name: "leaning",
        purpose: "Up and down a slope, leaning with it as a crawler or a rider does: up is where the root has it.",
        hint: "In Grounding switch up is the root's off: feet are cast for straight down. Lower lean in Motion.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::slope(25f32.to_radians()));
            document.motion.lean = 1.0;
        },
        script: None,
    },
    Scene {
        name: "hills",
        purpose: "Soft hills: every foot finds another slope.",
        hint: "Choose raise under sculpt in Motion and heap ground up under its feet.",
        setup: |document, stand| walk_over(document, stand, Terrain::hills()),
        script: None,
    },
    Scene {
        name: "crowd",
        purpose: "Two hundred walk with the character over hills and terraces, each at its level of detail.",
        hint: "In Crowd: how many there are, what each level is, and what it saves. Its colour is under their feet.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::park());
            document.crowd.count = 200;
        },
        script: None,
    },
    Scene {
        name: "gap",
        purpose: "A trench across the way, deeper than any step that is taken.",
        hint: "Switch overstep falls down on: a foot over the trench reaches down as far as a step.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::gap(0.5, 0.6));
            document.stack.grounding.predictive.overstep_falls_down = false;
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "rubble",
        purpose: "Blocks of any height, smaller than a foot: which of them does it stand on?",
        hint: "Compare the qualities: one ray sees what is under it, a capsule all that the foot will touch.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::rubble());
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "moving platform",
        purpose: "Standing with one foot on a platform that goes up and down, nothing of it in the clip.",
        hint: "Watch foot and pelvis offset in the plots. Lower pelvis speed, or raise lift pelvis weight.",
        setup: |document, stand| {
            let mut terrain = Terrain::flat();
            let half = Vec3::new(0.5, 0.15, 0.5);
            let [from, to] = [-0.15, 0.15].map(|height| Vec3::new(0.5, height, 1.0));
            terrain.platforms = vec![Platform { half_extents: half, from, to, period: 4.0, pause: 0.8, layer: 0 }];
            document.motion.start = Vec2::new(-0.01, 1.0);
            on_terrain(document, stand, "idle", terrain);
            document.stack.grounding.predictive.foot_radius = NARROW;
        },
        script: None,
    },
    Scene {
        name: "two heights",
        purpose: "Standing with one foot on a step: the pelvis goes down to the lower foot, the other knee bends.",
        hint: "Drag the step with the tool point. Set lower pelvis weight to 0: the lower foot hangs in the air.",
        setup: |document, stand| {
            document.motion.start = Vec2::new(0.05, 2.0);
            on_terrain(document, stand, "idle", Terrain::two_heights(0.2));
            document.stack.grounding.predictive.foot_radius = NARROW;
        },
        script: None,
    },
    Scene {
        name: "ray and curve",
        purpose: "Foot IK by one ray a foot and a weight curve: a foot is held only while its curve says so.",
        hint: "Drag a curve's key to 0: that foot sinks back. Then fade to walk: the curve lets go of a swinging foot.",
        setup: |document, stand| {
            document.motion.start = Vec2::new(0.05, 2.0);
            on_terrain(document, stand, "idle", Terrain::two_heights(0.2));
            document.stack.grounding.method = Method::FootIk;
            document.stack.grounding.foot_ik.rotate_feet = true;
        },
        script: None,
    },
    Scene {
        name: "ground layers",
        purpose: "Boards on the way that are not to be stood on: the right foot goes through them, the left takes them.",
        hint: "In Grounding let either foot stand on layer 1, or on none: its casts go through what is not chosen.",
        setup: |document, stand| {
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
            walk_over(document, stand, terrain);
            document.stack.grounding.environment = [Layers::ALL, Layers::ALL.with(1, false)];
            document.stack.grounding.predictive.max_foot_rotation_angle = EDGED;
        },
        script: None,
    },
    Scene {
        name: "grounding by clip",
        purpose: "Foot IK where it stands, the predictive grounder where it walks, half of it where it runs.",
        hint: "Drag pace in Motion: at half of the fade the method changes, and nothing jumps. Set blend to 0: it does.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::hills());
            document.motion.gaits = ["idle", "walk", "run"].into_iter().filter_map(|word| stand.clip(word)).collect();
            document.motion.pace = 1.4;
            document.motion.fade = 0.4;
            let rule = |word: &str| GroundingRule { clip: stand.clip(word), ..GroundingRule::default() };
            document.stack.grounding.rules = vec![
                GroundingRule { method: Some(Method::FootIk), ..rule("idle") },
                GroundingRule { quality: Some(Quality::Simple), weight: 0.5, ..rule("run") },
            ];
        },
        script: None,
    },
    Scene {
        name: "idle, walk, run",
        purpose: "One slider for the pace: the clip that walks most nearly so fast fades in, in step.",
        hint: "Drag pace in Motion to and fro while a fade is under way: nothing jumps.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::flat());
            document.motion.gaits = ["idle", "walk", "run"].into_iter().filter_map(|word| stand.clip(word)).collect();
            document.motion.pace = 1.4;
            document.motion.fade = 0.4;
        },
        script: None,
    },
    Scene {
        name: "additive lean",
        purpose: "A lean, taken as what a clip does since its first frame, laid on a walk.",
        hint: "Drag its weight in Motion from 2 to −2. Let it run. Put it under the spine alone.",
        setup: |document, stand| {
            document.clip.name = stand.clip("walk");
            let clip = stand.clip("lean").unwrap_or_default();
            let lean =
                PoseLayer { kind: LayerKind::Additive, clip, time: Some(0.5), weight: 1.0, ..PoseLayer::default() };
            document.motion.layers = vec![lean];
        },
        script: None,
    },
    Scene {
        name: "masked upper body",
        purpose: "Another clip from the spine upwards: the legs walk on.",
        hint: "Change the bone that it begins at, its weight, and over how many bones it comes in.",
        setup: |document, stand| {
            document.clip.name = stand.clip("walk");
            let clip = stand.clip("reach").unwrap_or_default();
            let under = stand.spine.first().cloned();
            document.motion.layers = vec![PoseLayer { clip, weight: 1.0, under, feather: 2, ..PoseLayer::default() }];
        },
        script: None,
    },
    modifiers::RECOIL,
    modifiers::TWO_HANDED_GRIP,
    modifiers::HIT_REACTION,
    modifiers::INERTIA,
    modifiers::BREATHING,
    modifiers::LOOK_AT,
    modifiers::REACH_FOR,
    modifiers::DOOR_HANDLE,
    modifiers::KEYED,
    modifiers::HEAD,
    modifiers::ARM_BENDING,
    modifiers::DIGITIGRADE,
    experiments::CCD,
    experiments::CHAIN_SPACE,
    experiments::BEND_RULE,
    experiments::DROPPED_FADES,
    experiments::BLIND_SPHERES,
    experiments::ADDITIVE_ORDER,
    experiments::SUBTRACTED_SCALE,
    experiments::LERP_PER_FRAME,
    experiments::FOOT_HEIGHT,
    experiments::DRIFT,
    experiments::REACH_AND_UNIT,
    experiments::HAND_OPPOSITE,
];

/// A thousandth of the length of the lab's chains; metres.
const LAB_TOLERANCE: f32 = 1.5e-3;

/// A lane, or a chain, with a solver and a tolerance.
fn lane(solver: Solver, tolerance: f32) -> chain_ik::Settings {
    chain_ik::Settings { solver, tolerance, max_iterations: 30, ..chain_ik::Settings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_valid_and_told_apart() {
        let stand = Stand { height: 1.8, facing: Vec3::Z, left: Vec3::X, ..Stand::default() };
        for (index, scene) in SCENES.iter().enumerate() {
            assert_eq!(scene.document(&stand).stack.validate(), Ok(()), "{}", scene.name);
            assert_eq!(scene.document(&stand).motion.validate(), Ok(()), "{}", scene.name);
            assert!(scene.purpose.ends_with(['.', '?']) && scene.hint.ends_with('.'), "{}", scene.name);
            assert!(SCENES[..index].iter().all(|other| other.name != scene.name));
            assert_eq!(Scene::find(scene.name).unwrap().name, scene.name);
        }
    }

    #[test]
    fn every_scene_has_a_topic() {
        assert_eq!(TOPICS[0].1, SCENES[0].name);
        for (title, first) in TOPICS {
            let own: Vec<_> = SCENES.iter().filter(|scene| scene.topic() == *title).collect();
            assert_eq!(own.first().map(|scene| scene.name), Some(*first), "{title}");
            // More than that is a flat list again.
            assert!((2..=20).contains(&own.len()), "{title}: {}", own.len());
        }
        assert_eq!(Scene::find("stairs").unwrap().topic(), "Ground");
    }
}
